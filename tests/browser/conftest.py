"""The browser tests share one JupyterLab and one Chromium; each opens a notebook of its own, with its own kernel.

Set MINIGRAD_SCREENSHOTS to a folder to keep the pictures that tests take with `snap`.
"""

import os
from pathlib import Path

import labdriver
import pytest


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """(folder, address) of a running JupyterLab that serves the folder."""
    folder = tmp_path_factory.mktemp("lab")
    with labdriver.jupyterlab(folder) as url:
        yield folder, url


@pytest.fixture(scope="session")
def browser():
    with labdriver.chromium() as browser:
        yield browser


@pytest.fixture
def open_notebook(lab, browser, request):
    """open_notebook(*cells) writes a notebook of these code cells and opens it; open_notebook(path) opens a copy."""
    folder, url = lab
    opened = []

    def open_notebook(*cells, **size):
        name = f"{request.node.name}-{len(opened)}.ipynb"
        if isinstance(cells[0], Path):
            (folder / name).write_bytes(cells[0].read_bytes())
        else:
            labdriver.write_notebook(folder / name, *cells)
        opened.append(labdriver.Notebook.open(browser, url, name, **size))
        return opened[-1]

    yield open_notebook
    for notebook in opened:
        notebook.close()


@pytest.fixture
def snap(request):
    """snap(locator or page, name) keeps a screenshot, if a folder for them was named."""
    folder = os.environ.get("MINIGRAD_SCREENSHOTS")

    def snap(what, name):
        if folder:
            what.screenshot(path=Path(folder, f"{request.node.name}-{name}.png"))

    return snap
