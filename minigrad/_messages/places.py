"""Which of the reader's lines is running: for the notes under errors.

Imports nothing of ours. Read next: _tensors/inplace.py and _engine/anomaly.py, which ask.
"""

import linecache
import os.path
import sys
from traceback import walk_stack, walk_tb
from types import TracebackType
from typing import Any

OURS = (os.path.dirname(os.path.dirname(__file__)) + os.sep, "<minigrad")


def readers_frame(frame: Any) -> Any:
    """The frame of the reader's own code that is running now."""
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return frame


def readers_place(frame: Any) -> tuple[str, int]:
    """The file and line number of the reader's own line that is running now."""
    frame = readers_frame(frame)
    return frame.f_code.co_filename, frame.f_lineno


class Step(tuple[str, int]):
    """The reader's place where an optimizer made its step."""

    __slots__ = ()


def readers_frames(error: BaseException) -> BaseException:
    """The error without our own frames in its traceback: what is left is the reader's code."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(OURS):
            frames.append(trace)
        trace = trace.tb_next
    kept = None
    for trace in reversed(frames):
        kept = TracebackType(kept, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
    return error.with_traceback(kept)


def fold_our_frames(error: BaseException | None = None) -> None:
    """Ask IPython, JupyterLab and pytest to fold our frames in the traceback to come: `__tracebackhide__` is their word
    for it. An operator's error is raised deep inside, and its reader looks for a line of their own.

    error: one that has come through some frames already. While a debugger is at work nothing is folded: what is typed
    there may fail as well, and must leave the frame that it has stopped in alone.
    """
    if sys.gettrace() is not None:
        return
    frames = [frame for frame, _ in walk_stack(sys._getframe(1))]
    if error is not None:
        frames += [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in frames:
        if frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_name != "<module>":
            names = frame.f_locals
            if isinstance(names, dict):  # before Python 3.13 a copy, and that of an `error` would be a cycle
                names.clear()
            names["__tracebackhide__"] = True


def is_cell(filename: str) -> bool:
    """Is it one of a notebook's cells? A kernel's own start is a file called ipykernel_launcher.py.

    >>> is_cell("/tmp/ipykernel_12/34.py"), is_cell("/lib/ipykernel_launcher.py"), is_cell("<ipython-input-1-ab>")
    (True, False, True)
    """
    return "ipykernel_" in os.path.dirname(filename) or filename.startswith("<ipython")


def running_cell() -> str:
    """The file that the cell that runs stands for: a function that it calls may stand in an earlier one. Or ""."""
    found, frame = "", sys._getframe(1)
    while frame is not None:
        if is_cell(frame.f_code.co_filename):
            found = frame.f_code.co_filename
        frame = frame.f_back  # type: ignore[assignment]
    return found


def describe(filename: str, number: int) -> str:
    """A place in the reader's code, short enough for an error note: "lesson.py, line 7: `y = a * b`"."""
    code = linecache.getline(filename, number).strip()
    place = os.path.basename(filename)
    if is_cell(filename):
        place = "this cell" if filename == running_cell() else "an earlier cell"
    return f"{place}, line {number}" + (f": `{code}`" if code else "")
