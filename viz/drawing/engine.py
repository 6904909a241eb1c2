"""Chooses a Graphviz engine and runs it with a time limit: it reads text and answers with JSON.

The engine is, in this order: the one that $MINIGRAD_DOT names (a path, or a command such as `graphviz-pure`), the
system's `dot`, the pinned one from pip. If an engine hangs, crashes or gives no layout, the pinned one is used from
then on, and one sentence on stderr says so.

Python in a browser starts no processes. There the engine is Graphviz as WebAssembly, behind the module `graphviz_wasm`:
its `layout(source)` gives the JSON of one graph. The page that starts Python provides that module.

Imports the standard library and minigrad._machine.interrupts; the modules that start a process are imported only for a
layout. Read layout.py next.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import sysconfig
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from minigrad._machine.interrupts import Whole

from ..browser import here

if TYPE_CHECKING:
    from subprocess import Popen

PINNED = "graphviz-pure"
INSTALL = "run  pip install 'minigrad-course[viz]'  (or  pip install graphviz-pure)."
NOTHING_HERE = f"Pictures of graphs need Graphviz to lay them out, and none was found: {INSTALL}"
IN_BROWSER = "graphviz_wasm"
NOTHING_IN_BROWSER = f"Pictures of graphs need Graphviz to lay them out, and this page brings no {IN_BROWSER}."
SPACE = re.compile(r"\s*")
Read = TypeVar("Read")

left_out: dict[str, str] = {}  # path of an engine that failed where another one succeeded, and why it failed


class NoGraphviz(RuntimeError):
    """No engine on this machine can lay out a graph."""


class Failed(Exception):
    """An engine gave no layout; the message says why."""


if here() and find_spec(IN_BROWSER):
    import_module(IN_BROWSER)  # loading it takes a moment, and not every browser lets Python wait for it later


def find_engine() -> str:
    """The path of the layout program; if there is none, raises NoGraphviz, which says what to do."""
    return engines()[0]


def engines() -> list[str]:
    """The paths of all layout programs, the preferred one first; raises NoGraphviz if there is none."""
    if here():
        if IN_BROWSER in sys.modules or find_spec(IN_BROWSER):
            return [IN_BROWSER]
        raise NoGraphviz(NOTHING_IN_BROWSER)
    asked = os.environ.get("MINIGRAD_DOT", "")
    if asked not in ("", PINNED) and not path_of(asked):
        raise NoGraphviz(f"$MINIGRAD_DOT is {asked!r}, which was not found.")
    paths = [path_of(command) for command in (asked or "dot", PINNED)]
    if found := [path for path in dict.fromkeys(paths) if path]:
        return found
    raise NoGraphviz(NOTHING_HERE)


def path_of(command: str) -> str | None:
    """The path of a command. A kernel's PATH may lack the folder with the commands that pip has installed."""
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    return shutil.which(command) or shutil.which(command, path=os.pathsep.join(folders))


def laid_out(source: str, patience: float, read: Callable[[list[Any]], Read]) -> Read:
    """What `read` makes of the graphs, as parsed JSON, that the first working engine gives for `source`.

    patience: seconds after which an engine counts as hung. If every engine failed, raises NoGraphviz with the reasons.
    """
    failed: dict[str, str] = {}
    paths = engines()
    for path in [path for path in paths if path not in left_out] or paths:
        try:
            found = answer(path, source, patience, read)
        except Failed as error:
            failed[path] = str(error)
            continue
        for other, why in failed.items():
            left_out[other] = why
            print(f"{other} gave no layout ({why}). From now on, {path} lays graphs out.", file=sys.stderr, flush=True)
        return found
    reasons = "; ".join(f"{path}: {why}" for path, why in {**left_out, **failed}.items() if path in paths)
    repair = f"{INSTALL} If it is there, reinstall it." if len(paths) == 1 else "Reinstall Graphviz, or draw less."
    repair = "Draw less." if paths == [IN_BROWSER] else repair
    raise NoGraphviz(f"No Graphviz here gave a layout ({reasons}). {repair}")


def answer(path: str, source: str, patience: float, read: Callable[[list[Any]], Read]) -> Read:
    """The same for the engine at `path` alone. Raises Failed if it gives no layout."""
    code, out, complaints = run_in_browser(source) if path == IN_BROWSER else run(path, source, patience)
    said = next((line.strip() for line in complaints.splitlines() if line.strip()), "")
    if "libexpat" in complaints:  # without libexpat, an engine draws the HTML of a label as text
        raise Failed(shortened(said))
    try:
        return read(graphs(out))  # a complete answer counts, whatever the exit status and the warnings
    except (ValueError, LookupError, TypeError) as error:
        if said:
            raise Failed(shortened(said)) from error
        raise Failed(f"it ended with {code}" if code else "its answer is no layout in JSON") from error


def graphs(text: str) -> list[Any]:
    """The JSON values in a text in which they follow one another."""
    found, at = [], end(text, 0)
    while at < len(text):
        value, at = json.JSONDecoder().raw_decode(text, at)
        found.append(value)
        at = end(text, at)
    return found


def end(text: str, at: int) -> int:
    """The end of the white space that begins at `at`."""
    return found.end() if (found := SPACE.match(text, at)) else at


def shortened(said: str, most: int = 120) -> str:
    return said if len(said) <= most else said[: most - 1] + "…"


def run(path: str, source: str, patience: float) -> tuple[int, str, str]:
    """The engine's exit status, its answer, and its complaints. No process is left running, whatever happens.

    `communicate` writes and reads at the same time. Otherwise an engine that answers graph by graph would wait for us
    to read, while we wait for it to read.
    """
    from subprocess import PIPE, Popen, TimeoutExpired

    numbers_with_points = {**os.environ, "LC_ALL": "C"}
    process = None
    try:
        with Whole():  # Ctrl-C inside Popen would lose the id of a process that has started
            process = Popen(
                [path, "-Tjson0"], stdin=PIPE, stdout=PIPE, stderr=PIPE, env=numbers_with_points, **kept_together()
            )
        out, complaints = process.communicate(source.encode(), timeout=patience)
    except TimeoutExpired:
        stop(process)
        raise Failed(f"no answer within {patience:.0f} seconds") from None
    except BaseException as error:  # including Ctrl-C
        stop(process)
        if process is None and isinstance(error, OSError):
            raise Failed(f"it did not start: {error.strerror or error}") from error
        raise
    return process.returncode, out.decode(errors="replace"), complaints.decode(errors="replace")


def run_in_browser(source: str) -> tuple[int, str, str]:
    """The same from the WebAssembly engine, which takes one graph at a time. It runs here, so nothing can stop it."""
    graph_by_graph = re.split(r"\n(?=digraph )", source)  # a source contains no text of a reader
    try:
        return 0, "\n".join(map(import_module(IN_BROWSER).layout, graph_by_graph)), ""
    except Exception as error:  # of JavaScript, too
        raise Failed(shortened(str(error).strip() or type(error).__name__)) from error


def kept_together() -> dict[str, Any]:
    """Options of Popen with which a wrapper script and the processes that it starts can be stopped together."""
    if sys.platform == "win32":
        from subprocess import CREATE_NO_WINDOW

        return {"creationflags": CREATE_NO_WINDOW}
    return {"process_group": 0}


def stop(process: Popen[bytes] | None) -> None:
    """Stop the process, if it started, and all processes that it started; close our ends of its pipes."""
    if process is None:
        return
    if process.returncode is None:  # otherwise the id may belong to another process by now
        if sys.platform == "win32":
            from subprocess import DEVNULL, call

            with suppress(OSError):
                tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
                call(tree, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, **kept_together())
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe and sys.platform != "win32":  # on Windows, a thread reads the pipe to its end and closes it
            with suppress(OSError):  # unwritten data cannot be flushed any more
                pipe.close()
