"""Find the user's line that is running, for notes under errors.

Imports nothing else of minigrad. Read next: _tensors/inplace.py and _engine/anomaly.py, which use it.
"""

import functools
import linecache
import os.path
import sys
from collections.abc import Callable
from traceback import walk_stack, walk_tb
from types import TracebackType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
OURS = (os.path.dirname(os.path.dirname(__file__)) + os.sep, "<minigrad")


def readers_frame(frame: Any) -> Any:
    """The innermost running frame of the user's code."""
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return frame


def readers_place(frame: Any) -> tuple[str, int]:
    """The file and line number of the user's line that is running."""
    frame = readers_frame(frame)
    return frame.f_code.co_filename, frame.f_lineno


class Step(tuple[str, int]):
    """The user's file and line that called an optimizer's step."""

    __slots__ = ()


def readers_frames(error: BaseException) -> BaseException:
    """The error, after minigrad's frames are removed from its traceback."""
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
    """Make IPython, JupyterLab and pytest hide minigrad's frames in the next traceback: each frame gets the variable
    `__tracebackhide__`. An operator's error is raised deep inside, but a user looks for a line of their own code.

    error: an error that has already left some frames. While a debugger runs, nothing is hidden: a line that is typed
    there may fail too, and must not change the frame in which the debugger stopped.
    """
    if sys.gettrace() is not None:
        return
    frames = [frame for frame, _ in walk_stack(sys._getframe(1))]
    if error is not None:
        frames += [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in frames:
        if frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_name != "<module>":
            names = frame.f_locals
            # before Python 3.13, f_locals is a copy; if it held `error`, that would be a cycle
            if isinstance(names, dict):
                names.clear()
            names["__tracebackhide__"] = True


def folding(function: F) -> F:
    """Decorate a function that calls the user's functions: `fold_our_frames` for each of its errors."""

    @functools.wraps(function)
    def folded(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            fold_our_frames(error)
            raise

    return folded  # type: ignore[return-value]


def is_cell(filename: str) -> bool:
    """True if the file is a notebook's cell. (ipykernel_launcher.py, which starts a kernel, is none.)

    >>> is_cell("/tmp/ipykernel_12/34.py"), is_cell("/lib/ipykernel_launcher.py"), is_cell("<ipython-input-1-ab>")
    (True, False, True)
    """
    return "ipykernel_" in os.path.dirname(filename) or filename.startswith("<ipython")


def running_cell() -> str:
    """The file of the notebook cell that is running, or "". It may call a function from an earlier cell, so the
    outermost frame of a cell counts."""
    found, frame = "", sys._getframe(1)
    while frame is not None:
        if is_cell(frame.f_code.co_filename):
            found = frame.f_code.co_filename
        frame = frame.f_back  # type: ignore[assignment]
    return found


def describe(filename: str, number: int) -> str:
    """A line of the user's code, as an error note names it: "lesson.py, line 7: `y = a * b`"."""
    code = linecache.getline(filename, number).strip()
    place = os.path.basename(filename)
    if is_cell(filename):
        place = "this cell" if filename == running_cell() else "an earlier cell"
    return f"{place}, line {number}" + (f": `{code}`" if code else "")
