"""Python in a browser: what is different in a kernel of JupyterLite, and how viz does the same there.

Such a Python has no processes and no threads, and it runs beside the page, in a worker. Four things follow:

- A large package is fetched from the page's own server when it is first used: `fetch("matplotlib")`.
- What a reader has done is kept in the browser's storage, which is the folder `drive()`.
- "Run All" stops at every error, also at one that the cell's tag announces. `announced` lets it go on.
- A loop that does not end can't be stopped from a second thread: see lesson/limit.py.

Whether this is such a Python says `here()`, and no other place asks the system. Pictures of graphs are laid out by
Graphviz as WebAssembly: see drawing/engine.py. Imports the standard library; Pyodide's modules in a browser.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

DRIVE = "/drive"  # JupyterLite shows the browser's storage to Python as this folder
EARLY = (
    "This browser can't load {name} while a cell runs. Write `import {name}` at the top of this cell and run it again: "
    "then {name} is loaded first. Chromium and Firefox need no such line."
)


def running_shell() -> Any:
    """IPython's shell, in a notebook or a terminal; None if there is none."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def here() -> bool:
    """Does this Python run in a browser?"""
    return sys.platform == "emscripten"


def fetch(name: str) -> None:
    """In a browser, load the package `name`, and what it needs, from the page's server; elsewhere, do nothing.

    Python waits for the download. A browser that can't do that (it lacks JSPI) raises ModuleNotFoundError, which says
    what to do.
    """
    if not here() or find_spec(name):
        return
    import pyodide_js
    from pyodide.ffi import can_run_sync, run_sync

    if not can_run_sync():
        raise ModuleNotFoundError(EARLY.format(name=name), name=name)
    run_sync(pyodide_js.loadPackage(name))


def drive() -> Path | None:
    """The folder that is still there after the page is loaded again; None elsewhere, and where the browser has none.

    A browser has none in some private windows: then what a reader does is forgotten with the page.
    """
    return Path(DRIVE) if here() and os.path.isdir(DRIVE) else None


def listen() -> None:
    """In JupyterLite, from now on let "Run All" pass the errors that a cell announces."""
    shell = running_shell() if here() else None
    if shell is not None and hasattr(shell, "_last_traceback"):
        shell.events.register("post_run_cell", announced)


def announced(result: Any) -> None:
    """Called after a cell has run. The cell's tag `raises-exception` makes the page ask the kernel not to stop at its
    error. JupyterLite's kernel overlooks that; so this prints the error and reports none."""
    import IPython

    shell: Any = IPython.get_ipython()
    told, asked = shell._last_traceback, shell.kernel.get_parent().get("content", {})
    if told is not None and asked.get("stop_on_error") is False:
        print("\n".join(told["traceback"]), file=sys.stderr)
        shell._last_traceback = None
