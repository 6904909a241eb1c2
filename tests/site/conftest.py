"""The tests of the site share one build, one static server, and one Chromium.

The site is built once a session, and served under a path by server.py, which knows only files. A page
may talk to that server only: what it asked for beyond, and what it complained of, fails the test that opened it. The
environment variable MINIGRAD_SITE_RUNTIME names a folder with Pyodide's files; without it, the build downloads them, or
says what it left out. MINIGRAD_SITE names a site that is built already, MINIGRAD_SCREENSHOTS a folder for the pictures
that tests take with `snap`. Imports server.py, and chromium() of ../browser/labdriver.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import labdriver
from tests.site.playing_fixtures import has_playground, own, play, watched  # noqa: F401
from tests.site.server import serve

ROOT = Path(__file__).parents[2]
ADDRESS = "https://example.org/minigrad/"  # stands for our own address, which the pages only name


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder of the built site. `left_out.txt` beside it has what the build printed."""
    if built := os.environ.get("MINIGRAD_SITE"):
        return Path(built).resolve()
    out = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, str(ROOT / "site" / "build.py"), "--out", str(out), "--address", ADDRESS]
    if runtime := os.environ.get("MINIGRAD_SITE_RUNTIME"):
        command += ["--runtime", runtime]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (out.parent / "left_out.txt").write_text(done.stdout, encoding="utf-8")
    return out


@pytest.fixture(scope="session")
def served(site):
    """The address of the site: a static server on this machine, under a path."""
    with serve(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    with labdriver.chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser, served):
    """visit("gallery/x.html", width=390, color_scheme="dark") opens a page of the site in a window of its own.

    page.said collects errors and warnings of its console, and page.asked what it asked other servers for; at the end of
    the test both must be empty, unless the page was opened with complains=True.
    """
    pages = []

    def visit(path: str, *, width: int = 1280, height: int = 800, complains: bool = False, **settings):
        context = browser.new_context(viewport=dict(width=width, height=height), **settings)
        page = context.new_page()
        page.said, page.asked = [], []
        pages.append((page, complains))

        def route(route):
            address = route.request.url
            if address.startswith((served, "data:", "blob:", "about:")):
                return route.continue_()
            page.asked.append(address)
            return route.abort()

        page.route("**/*", route)
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("console", lambda said: page.said.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(served + path)
        return page

    yield visit
    for page, complains in pages:
        page.context.close()
        assert complains or not page.said, page.said
        assert complains or not page.asked, page.asked


@pytest.fixture
def snap(request):
    """snap(page, name) keeps a screenshot of the whole page, if a folder for them was named."""
    folder = os.environ.get("MINIGRAD_SCREENSHOTS")

    def snap(page, name, **options):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder, f"{name}.png"), **options)

    return snap
