"""Which Graphviz lays a graph out, and how it is run: a text goes in, JSON comes out, within a time limit.

The engine is, in this order: what $MINIGRAD_DOT names (a path, or a command such as `graphviz-pure`), the system's
`dot`, the pinned one from pip. Where an engine hangs, crashes or gives no layout, the pinned one does the work from
then on, and one sentence on stderr says so.

Imports the standard library and minigrad._machine.interrupts, and what starts a process only when something is laid
out. Read layout.py next.
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
from typing import TYPE_CHECKING, Any, TypeVar

from minigrad._machine.interrupts import Whole

if TYPE_CHECKING:
    from subprocess import Popen

PINNED = "graphviz-pure"
INSTALL = "run  pip install 'minigrad[viz]'  (or  pip install graphviz-pure)."
NOTHING_HERE = f"Pictures of graphs need Graphviz to lay them out, and none was found: {INSTALL}"
SPACE = re.compile(r"\s*")
Read = TypeVar("Read")

left_out: dict[str, str] = {}  # path of an engine that failed where another one did the work, and why it failed


class NoGraphviz(RuntimeError):
    """Nothing on this machine can lay out a graph."""


class Failed(Exception):
    """An engine gave no layout; the message says why."""


def find_engine() -> str:
    """The path of the program that lays out; raises NoGraphviz with what to do if there is none."""
    return engines()[0]


def engines() -> list[str]:
    """The paths of all programs that may lay out, the preferred one first; raises NoGraphviz if there is none."""
    asked = os.environ.get("MINIGRAD_DOT", "")
    if asked not in ("", PINNED) and not path_of(asked):
        raise NoGraphviz(f"$MINIGRAD_DOT is {asked!r}, which was not found.")
    paths = [path_of(command) for command in (asked or "dot", PINNED)]
    if found := [path for path in dict.fromkeys(paths) if path]:
        return found
    raise NoGraphviz(NOTHING_HERE)


def path_of(command: str) -> str | None:
    """Where the command is; a kernel's PATH may lack the folder in which pip has put its environment's commands."""
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]
    return shutil.which(command) or shutil.which(command, path=os.pathsep.join(folders))


def laid_out(source: str, patience: float, read: Callable[[list[Any]], Read]) -> Read:
    """What `read` makes of the graphs that the first engine gives for `source`, each as Graphviz's JSON says it.

    patience: seconds after which an engine counts as hung. Raises NoGraphviz if every engine failed, with its reason.
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
    raise NoGraphviz(f"No Graphviz here gave a layout ({reasons}). {repair}")


def answer(path: str, source: str, patience: float, read: Callable[[list[Any]], Read]) -> Read:
    """The same from the engine at `path`. Raises Failed if it gives no layout."""
    code, out, complaints = run(path, source, patience)
    said = next((line.strip() for line in complaints.splitlines() if line.strip()), "")
    if "libexpat" in complaints:  # it would take the room for a label as a text to be written
        raise Failed(shortened(said))
    try:
        return read(graphs(out))  # however it ended, and whatever it has warned of: a whole answer is an answer
    except (ValueError, LookupError, TypeError) as error:
        if said:
            raise Failed(shortened(said)) from error
        raise Failed(f"it ended with {code}" if code else "its answer is no layout in JSON") from error


def graphs(text: str) -> list[Any]:
    """The JSON values that stand one after the other."""
    found, at = [], end(text, 0)
    while at < len(text):
        value, at = json.JSONDecoder().raw_decode(text, at)
        found.append(value)
        at = end(text, at)
    return found


def end(text: str, at: int) -> int:
    """Where the white space ends that begins at `at`."""
    return found.end() if (found := SPACE.match(text, at)) else at


def shortened(said: str, most: int = 120) -> str:
    return said if len(said) <= most else said[: most - 1] + "…"


def run(path: str, source: str, patience: float) -> tuple[int, str, str]:
    """How the engine ended, and what it wrote: its answer, and its complaints. No process is left, whatever happens.

    `communicate` writes and reads at the same time: an engine that answers graph by graph would otherwise wait for its
    reader, and its reader for it.
    """
    from subprocess import PIPE, Popen, TimeoutExpired

    numbers_with_points = {**os.environ, "LC_ALL": "C"}
    process = None
    try:
        with Whole():  # Ctrl-C inside Popen would lose the number of a process that has started
            process = Popen(
                [path, "-Tjson0"], stdin=PIPE, stdout=PIPE, stderr=PIPE, env=numbers_with_points, **kept_together()
            )
        out, complaints = process.communicate(source.encode(), timeout=patience)
    except TimeoutExpired:
        stop(process)
        raise Failed(f"no answer within {patience:.0f} seconds") from None
    except BaseException as error:  # Ctrl-C, too
        stop(process)
        if process is None and isinstance(error, OSError):
            raise Failed(f"it did not start: {error.strerror or error}") from error
        raise
    return process.returncode, out.decode(errors="replace"), complaints.decode(errors="replace")


def kept_together() -> dict[str, Any]:
    """Options of Popen with which a wrapper script and what it starts can be stopped together."""
    if sys.platform == "win32":
        from subprocess import CREATE_NO_WINDOW

        return {"creationflags": CREATE_NO_WINDOW}
    return {"process_group": 0}


def stop(process: Popen[bytes] | None) -> None:
    """End the process and all that it has started, if it has started, and close our ends of its pipes."""
    if process is None:
        return
    if process.returncode is None:  # afterwards the number may be another process's
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
        if pipe and sys.platform != "win32":  # there, a thread reads until the pipe ends, and closes it
            with suppress(OSError):  # what was not written yet can't be
                pipe.close()
