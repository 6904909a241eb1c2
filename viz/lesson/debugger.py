"""Whether a debugger has stopped the code: `in_debugger(frame)` tells it of one frame, `stopped_inside(…)` of a stack.

pdb, IPython's and every other debugger that is built on `bdb` wait inside that module's frames for the next command.
VS Code's, PyCharm's and JupyterLab's wait inside pydevd's. While one of them waits, no time limit may end the code, and
what is printed belongs to the debugger.
Imports the standard library alone. Read next: limit.py and printed.py, which ask.
"""

from __future__ import annotations

import traceback
from types import CodeType, FrameType

DEBUGGERS = {"bdb", "pdb", "pydevd"}


def in_debugger(frame: FrameType) -> bool:
    """Whether this frame belongs to a debugger, and not to the code that it runs.

    `pdb.run`, `bdb.runcall` and their like only start the code, so they do not count.

    >>> import sys
    >>> in_debugger(sys._getframe())
    False
    """
    return module_of(frame) in DEBUGGERS and not frame.f_code.co_name.startswith("run")


def stopped_inside(frame: FrameType | None, outermost: CodeType) -> bool:
    """Whether `frame` or one that called it belongs to a debugger; up to the first that runs the code `outermost`."""
    while frame is not None and frame.f_code is not outermost:
        if in_debugger(frame):
            return True
        frame = frame.f_back
    return False


def left_by(error: BaseException) -> bool:
    """Whether a debugger has raised `error`: at its prompt somebody has typed `q`, or has pressed Ctrl-C."""
    return any(in_debugger(frame) for frame, _ in traceback.walk_tb(error.__traceback__))


def module_of(frame: FrameType) -> str:
    """The name of the module whose code runs there, or "" (`exec` takes any dict for the globals)."""
    name = dict.get(frame.f_globals, "__name__")
    return name if isinstance(name, str) else ""
