"""Drives a notebook in headless Firefox, through Firefox's own protocol Marionette, which pip alone brings.

    with firefox() as browser:
        page = Page.open(browser, f"{server.url}/lab/tree/lesson.ipynb?reset")
        page.run_all()

playwright, which drives Chromium in the other tests, can only drive a Firefox that it has built itself. Needs Firefox
and the package marionette_driver (the extra `dev`). Read next: test_firefox.py.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATIENCE = 180  # seconds, on a busy machine
KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"


@contextlib.contextmanager
def firefox(dark: bool = False) -> Iterator[Any]:
    """A headless Firefox with a profile of its own; it may talk to this machine only."""
    with warnings.catch_warnings():  # what it imports to find out which system this is is deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        from marionette_driver.marionette import Marionette

    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program, "the tests in Firefox need it: apt-get install firefox-esr"
    preferences = {
        "network.proxy.type": 1,  # what is not on this machine goes to a proxy that is not there
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": 9,
        "network.proxy.ssl": "127.0.0.1",
        "network.proxy.ssl_port": 9,
        "network.proxy.no_proxies_on": "127.0.0.1",
        "network.proxy.allow_hijacking_localhost": False,
        "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, patched_home(folder):
        browser = Marionette(bin=program, headless=True, prefs=preferences, startup_timeout=PATIENCE, gecko_log="-")
        try:
            browser.start_session()
            browser.timeout.script = PATIENCE
            browser.timeout.page_load = PATIENCE
            yield browser
        finally:
            browser.cleanup()


@contextlib.contextmanager
def patched_home(folder: str) -> Iterator[None]:
    """Firefox writes caches and settings into the home folder: into this one, and not into the reader's."""
    before = os.environ.get("HOME")
    os.environ["HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before


class Page:
    """An open notebook."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    @classmethod
    def open(cls, browser: Any, url: str, width: int = 1280, height: int = 900) -> Page:
        """Open a notebook and wait until its kernel is ready."""
        page = cls(browser)
        browser.set_window_rect(width=width, height=height)
        browser.navigate(url)
        page.until(
            """const widget = window.jupyterapp?.shell?.currentWidget;
            return Boolean(widget?.sessionContext?.isReady && widget.content?.widgets?.length
                && widget.sessionContext.session?.kernel?.status === 'idle');"""
        )
        return page

    def js(self, source: str, *arguments: Any) -> Any:
        """What `source` returns, as plain data."""
        told = self.browser.execute_script(source, script_args=arguments, sandbox=None)
        return told

    def until(self, source: str, *arguments: Any) -> None:
        """Wait until `source` returns true."""
        end = time.monotonic() + PATIENCE
        while not self.js(source, *arguments):
            assert time.monotonic() < end, f"it did not become true: {source}"
            time.sleep(0.1)

    def command(self, name: str, **arguments: Any) -> None:
        """Run one of JupyterLab's commands to its end."""
        self.browser.execute_async_script(
            """const [name, args, done] = arguments;
            window.jupyterapp.commands.execute(name, JSON.parse(args)).then(() => done(true), e => done(String(e)));
            """,
            script_args=(name, json.dumps(arguments)),
            sandbox=None,
        )

    def run_all(self) -> None:
        """Run all cells and wait for the last one."""
        self.command("notebook:run-all-cells")
        self.until(f"return {KERNEL}.status === 'idle'")

    def source(self, part: str) -> str:
        """The text of the cell that holds `part`."""
        return self.js(
            """return window.jupyterapp.shell.currentWidget.content.widgets
                .map(cell => cell.model.sharedModel.getSource()).find(source => source.includes(arguments[0]))""",
            part,
        )

    def fill(self, part: str, source: str) -> None:
        """Write `source` into the code cell that holds `part`, and run it."""
        self.js(
            """const [part, source] = arguments;
            const notebook = window.jupyterapp.shell.currentWidget.content;
            const at = notebook.widgets.findIndex(
                cell => cell.model.type === 'code' && cell.model.sharedModel.getSource().includes(part));
            notebook.activeCellIndex = at;
            notebook.widgets[at].model.sharedModel.setSource(source);""",
            part,
            source,
        )
        self.command("notebook:run-cell")

    def errors(self) -> list[str]:
        """The names of the errors in the cells' outputs."""
        return self.js(
            """return window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
                .flatMap(cell => cell.outputs ?? []).filter(output => output.output_type === 'error')
                .map(output => output.ename)"""
        )

    def element(self, selector: str) -> Any:
        """The first element that a CSS selector finds, scrolled into view."""
        from marionette_driver.by import By

        self.until("return Boolean(document.querySelector(arguments[0]))", selector)
        self.js("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def drag(self, selector: str, dx: int) -> None:
        """Drag with the mouse from the middle of an element."""
        element = self.element(selector)
        mouse = self.browser.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
        mouse.pointer_move(0, 0, origin=element).pointer_down().pointer_move(dx // 2, 0, origin=element)
        mouse.pointer_move(dx, 0, origin=element).pointer_up().perform()

    def snap(self, name: str) -> None:
        """Keep a screenshot, if MINIGRAD_SCREENSHOTS names a folder for them."""
        if folder := os.environ.get("MINIGRAD_SCREENSHOTS"):
            Path(folder, f"{name}.png").write_bytes(base64.b64decode(self.browser.screenshot(full=False)))
