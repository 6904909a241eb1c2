"""Drives a real JupyterLab in headless Chromium, as a reader would: open a notebook, run all, press, drag, look.

    with jupyterlab(folder) as server, chromium() as browser:
        notebook = Notebook.open(browser, server, "lesson.ipynb")
        notebook.run_all()
        expect(notebook.page.locator(".viz-slider b")).to_have_text("7")

The server and its settings live in a temporary folder and leave the reader's own Jupyter alone; the page may talk to
this machine only, and what it tried beyond that stands in `notebook.outside`. The fixtures are in conftest.py.
Imports playwright (the extra `dev`) where it is used, for the fast tests must be collected without it. Needs a
Chromium: the system's, or the one that `playwright install chromium` brings.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import nbformat

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

PROJECT = Path(__file__).parents[2]
SETTINGS = {  # what would make a test wait for news, or a cell be missing because it is not in view
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false", "doNotDisturbMode": True},
    "docmanager-extension/plugin": {"autosave": False},
}


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: the folder it serves, its address, the environment it runs in."""

    folder: Path
    url: str
    environ: dict[str, str]

    def trust(self, name: str) -> None:
        """Sign the notebook `name`, as `course.py lab` signs the lessons: its stored outputs may show everything."""
        command = [sys.executable, "-m", "nbformat.sign", self.folder / name]
        subprocess.run(command, env=self.environ, check=True, capture_output=True)


@contextlib.contextmanager
def jupyterlab(folder: Path) -> Iterator[Server]:
    """A JupyterLab that serves `folder` to this machine alone."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        for name, values in SETTINGS.items():
            file = Path(home, "settings", "@jupyterlab", f"{name}.jupyterlab-settings")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values), encoding="utf-8")
        places = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "IPYTHONDIR": "ipython",
        }
        environ = os.environ | {variable: str(Path(home, place)) for variable, place in places.items()}
        environ["PYTHONPATH"] = os.pathsep.join([str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
        command += ["--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}", "--allow-root"]
        command += ["--IdentityProvider.token=", "--ServerApp.password=", "--LabApp.expose_app_in_browser=True"]
        with open(Path(home, "log"), "w+", encoding="utf-8") as log:
            server = subprocess.Popen(command, env=environ, stdout=log, stderr=subprocess.STDOUT, cwd=folder)
            try:
                url = f"http://127.0.0.1:{port}"
                _wait_for(url, server, log)
                yield Server(folder, url, environ)
            finally:
                server.terminate()
                try:
                    server.wait(10)
                except subprocess.TimeoutExpired:
                    server.kill()
                    server.wait()


def _wait_for(url: str, server: subprocess.Popen, log: TextIO) -> None:
    deadline = time.monotonic() + 180  # a busy machine takes more than one minute
    while True:
        try:
            with urllib.request.urlopen(f"{url}/api/status", timeout=1):
                return
        except OSError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                log.seek(0)
                raise RuntimeError(f"JupyterLab did not start:\n{log.read()[-3000:]}") from error
            time.sleep(0.1)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium: the system's, else playwright's own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        browser = playwright.chromium.launch(
            executable_path=system,
            args=["--no-sandbox"] if root else [],
            ignore_default_args=["--hide-scrollbars"],  # a reader's browser shows them
        )
        try:
            yield browser
        finally:
            browser.close()


def write_notebook(path: Path, *cells: str) -> None:
    """A notebook of these code cells at `path`."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)


class Notebook:
    """An open notebook: `page` is playwright's, `outside` the addresses it asked for beyond this machine."""

    KERNEL = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"

    def __init__(self, page: Page) -> None:
        self.page = page
        self.outside: list[str] = []

    @classmethod
    def open(cls, browser: Browser, server: Server, name: str, width: int = 1280, height: int = 900) -> Notebook:
        """Open the notebook `name` in a fresh window, in the light theme, and wait until its kernel is ready."""
        page = browser.new_context(viewport={"width": width, "height": height}).new_page()
        notebook = cls(page)
        page.route("**/*", notebook._stay_at_home)
        page.goto(f"{server.url}/lab/tree/{name}?reset")
        page.wait_for_function(
            """() => {
                const widget = window.jupyterapp?.shell?.currentWidget;
                return widget?.sessionContext?.isReady && widget.content?.widgets?.length
                    && widget.sessionContext.session?.kernel?.status === 'idle';
            }""",
            timeout=60_000,
        )
        notebook.theme(dark=False)  # the server remembers the last one
        return notebook

    def _stay_at_home(self, route: Route) -> None:
        if route.request.url.startswith(("http://127.0.0.1", "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()

    def command(self, name: str, **arguments) -> None:
        """Run one of JupyterLab's commands to its end."""
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments])

    def run_all(self) -> None:
        """Run all cells and wait for the last one. What widgets do afterwards is not waited for."""
        self.command("notebook:run-all-cells")
        self._wait_for_idle()

    def restart_and_run_all(self) -> None:
        """The button "Restart and run all", with the dialogue that it asks."""
        self.page.evaluate(
            """() => {
                window.finished = false;
                window.jupyterapp.commands.execute('notebook:restart-run-all').then(() => window.finished = true);
            }"""
        )
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.wait_for_function("() => window.finished", timeout=120_000)
        self._wait_for_idle()

    def _wait_for_idle(self) -> None:
        self.page.wait_for_function(f"() => {self.KERNEL}.status === 'idle'", timeout=120_000)

    def run(self, source: str) -> str:
        """Run `source` in the notebook's kernel, outside its cells; gives what it printed, or raises its error."""
        printed, error = self.page.evaluate(
            f"""async source => {{
                let printed = '', error = null;
                const future = {self.KERNEL}.requestExecute({{code: source, store_history: false}});
                future.onIOPub = message => {{
                    if (message.header.msg_type === 'stream') printed += message.content.text;
                    if (message.header.msg_type === 'error') error = message.content.evalue;
                }};
                await future.done;
                return [printed, error];
            }}""",
            source,
        )
        if error is not None:
            raise RuntimeError(error)
        return printed

    def errors(self) -> list[str]:
        """The names of the errors that stand in the cells' outputs."""
        return self.page.evaluate(
            """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
                .flatMap(cell => cell.outputs ?? [])
                .filter(output => output.output_type === 'error').map(output => output.ename + ': ' + output.evalue)"""
        )

    def theme(self, dark: bool) -> None:
        """Switch JupyterLab to its dark or light theme."""
        self.command("apputils:change-theme", theme=f"JupyterLab {'Dark' if dark else 'Light'}")
        self.page.locator(f'body[data-jp-theme-light="{str(not dark).lower()}"]').wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def output(self, cell: int) -> Locator:
        """The outputs of code cell number `cell`, counted from 0."""
        return self.page.locator(".jp-CodeCell").nth(cell).locator(".jp-Cell-outputArea")

    def save(self) -> None:
        """Save the notebook to its file."""
        self.command("docmanager:save")

    def close(self) -> None:
        """Shut the kernel down and close the window."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        self.page.context.close()


def drag(handle: Locator, dx: float) -> None:
    """Drag `handle` with the mouse by `dx` pixels, as a hand does it: in steps."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = handle.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + dx, y, steps=8)
    mouse.up()


def expect(locator: Locator, **options: object):
    """Playwright's `expect`: waits until what it is asked for is so, and on a busy machine longer than its 5 s."""
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)
    return expect(locator, **options)
