"""Detect a debugger or a tracer: `in_tracer(frame)` for one frame, `traced_inside(…)` for a stack.

pdb, IPython's debugger and all others that are built on `bdb` wait inside that module's frames for the next command. VS
Code's, PyCharm's and JupyterLab's wait inside pydevd's. While one of them waits, no time limit may end the code, and
printed text belongs to the debugger. An exception that is raised inside a tracer's own code breaks the tracer:
coverage then waits for ever for a lock of its own.
Imports the standard library alone. Read next: limit.py and printed.py, which use it.
"""

from __future__ import annotations

import traceback
from types import CodeType, FrameType

TRACERS = {
    *("bdb", "pdb", "pydevd", "debugpy", "_pydevd_bundle", "_pydevd_frame_eval", "pudb"),
    *("coverage", "trace", "hunter", "viztracer", "pyinstrument", "line_profiler", "memory_profiler", "pysnooper"),
}

PROMPTS = {"interaction", "do_wait_suspend"}  # the functions in which they wait for the user


def in_tracer(frame: FrameType) -> bool:
    """Whether this frame belongs to a debugger or a tracer, and not to the code that it traces.

    `pdb.run`, `bdb.runcall` and their like only start the code, so they do not count.

    >>> import sys
    >>> in_tracer(sys._getframe())
    False
    """
    return module_of(frame).partition(".")[0] in TRACERS and not frame.f_code.co_name.startswith("run")


def at_prompt(frame: FrameType) -> bool:
    """Whether a debugger waits in this frame for the user."""
    return frame.f_code.co_name in PROMPTS and in_tracer(frame)


def traced_inside(frame: FrameType | None, outermost: CodeType) -> bool:
    """Whether `frame` or one of its callers belongs to a tracer; the search ends at a frame that runs `outermost`."""
    while frame is not None and frame.f_code is not outermost:
        if in_tracer(frame):
            return True
        frame = frame.f_back
    return False


def left_by(error: BaseException) -> bool:
    """Whether a debugger has raised `error`: the user typed `q` at its prompt, or pressed Ctrl-C there."""
    return any(in_tracer(frame) for frame, _ in traceback.walk_tb(error.__traceback__))


def module_of(frame: FrameType) -> str:
    """The name of the module whose code the frame runs, or "" (`exec` takes any dict for the globals)."""
    name = dict.get(frame.f_globals, "__name__")
    return name if isinstance(name, str) else ""
