"""The browser tests share one JupyterLab and one Chromium; each opens a notebook of its own, with its own kernel.

Set MINIGRAD_SCREENSHOTS to a folder to keep the pictures that tests take with `snap`.
"""

import os
from pathlib import Path

import labdriver
import pytest


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A running JupyterLab (labdriver.Server) that serves an empty folder."""
    with labdriver.jupyterlab(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    with labdriver.chromium() as browser:
        yield browser


@pytest.fixture
def open_notebook(lab, browser, request):
    """open_notebook(*cells) writes a notebook of these code cells and opens it; open_notebook(path) opens a copy,
    open_notebook(path, trusted=True) one that shows its stored outputs as the course's own lessons do. The window is
    1280 × 900 pixels, or as large as width=… and height=… say.
    """
    opened = []

    def open_notebook(*cells, trusted=False, **size):
        name = f"{request.node.name}-{len(opened)}.ipynb"
        if isinstance(cells[0], Path):
            (lab.folder / name).write_bytes(cells[0].read_bytes())
        else:
            labdriver.write_notebook(lab.folder / name, *cells)
        if trusted:
            lab.trust(name)
        opened.append(labdriver.Notebook.open(browser, lab, name, **size))
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
