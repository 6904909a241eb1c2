"""The worlds that show what would fail on Windows and macOS, as far as Linux can tell.

Read next: __main__.py, which runs the tests in them.
"""

import os

from .world import Start, world

WITHOUT = """
import builtins, os, signal, sys

for name in ("fork", "forkpty", "killpg", "setsid", "register_at_fork"):
    delattr(os, name)
for name in ("SIGALRM", "alarm", "setitimer", "getitimer", "ITIMER_REAL", "pause", "SIGUSR1", "SIGUSR2"):
    delattr(signal, name)
usual = builtins.__import__


def import_as_on_windows(name, globals=None, locals=None, fromlist=(), level=0):
    if name in {"fcntl", "resource", "termios", "pwd", "grp"} and (globals or {}).get("__file__", "").startswith(ROOT):
        raise ModuleNotFoundError(f"Windows has no module {name}", name=name)
    return usual(name, globals, locals, fromlist, level)


builtins.__import__ = import_as_on_windows
"""

METHOD = """
import sys

if "pytest" in sys.orig_argv:
    import multiprocessing

    multiprocessing.set_start_method(METHOD)
"""


@world
def names_of_windows(start: Start) -> None:
    """`os.fork`, `signal.SIGALRM`, `signal.setitimer`, `resource`, `fcntl` … do not exist."""
    at_each_start(start, f"ROOT = {str(start.root)!r}\n{WITHOUT}")


@world
def spawn(start: Start) -> None:
    """`multiprocessing` starts workers as Windows and macOS do: by `spawn`."""
    at_each_start(start, METHOD.replace("METHOD", "'spawn'"))


@world
def forkserver(start: Start) -> None:
    """`multiprocessing` starts workers as Python 3.14 does: by `forkserver`."""
    at_each_start(start, METHOD.replace("METHOD", "'forkserver'"))


def at_each_start(start: Start, code: str) -> None:
    """Let every Python that a test starts run this first."""
    start.write("first/sitecustomize.py", code)
    start.environ["PYTHONPATH"] = os.pathsep.join([str(start.folder / "first"), str(start.root)])


@world
def crlf(start: Start) -> None:
    """Every line of every file ends in CR LF, as git on Windows checks them out."""
    for file in start.copy().rglob("*"):
        if file.is_file() and b"\0" not in (text := file.read_bytes()):
            file.write_bytes(text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
