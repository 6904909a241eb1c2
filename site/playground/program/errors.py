"""An error in words, as plain data: the reader's part of the traceback, the lines, and what the clinic says."""

from __future__ import annotations

import os
import traceback
from typing import Any

import numpy

import minigrad
import viz

PACKAGES = "The playground has Python's standard library, NumPy, matplotlib, and minigrad as torch."
# Frames of these say nothing to a reader. (PyTorch has none there, either: its engine is not in Python.) minigrad
# compiles a function for each operator; it stands in a file such as `<minigrad to_device>`.
OURS = (*(os.path.dirname(str(file)) + os.sep for file in (__file__, minigrad.__file__, viz.__file__)), "<minigrad")
LIBRARIES = (
    *(os.path.dirname(str(file)) + os.sep for file in (os.__file__, os.path.dirname(numpy.__file__))),
    "<frozen ",
)
LONGEST = 20_000  # characters of a traceback


def told(error: BaseException, file: str) -> dict[str, Any]:
    """What is shown of an error: its text, its line in the reader's program, and the clinic's explanation."""
    short = traceback.TracebackException.from_exception(error, compact=True)
    line = trimmed(short, file)
    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno or line
    if isinstance(error, ModuleNotFoundError):
        short.__notes__ = [*(short.__notes__ or []), PACKAGES]
    text = "".join(short.format())
    said: dict[str, Any] = {
        "error": text if len(text) <= LONGEST else text[: LONGEST // 2] + "\n…\n" + text[-LONGEST // 2 :],
        "name": type(error).__name__,
        "line": line,
    }
    try:
        explanation = viz.clinic.explain(error)
        if explanation is not None:
            said["clinic"] = in_words(explanation, file)
    except Exception:  # the error itself is more important than its explanation
        pass
    return said


def trimmed(short: traceback.TracebackException, file: str) -> int | None:
    """Remove all frames but the reader's from a traceback and from the errors behind it, and return the last line of
    the reader's program in it. What the reader's own line has called in Python's libraries stays: `json.loads("{")`."""
    kept, asked_by_reader = [], False
    for frame in short.stack or ():
        if frame.filename.startswith(OURS):
            asked_by_reader = False
        elif asked_by_reader or not frame.filename.startswith(LIBRARIES):
            asked_by_reader = True
            kept.append(frame)
    # Without a frame there is no head line, as for a program that Python can't read
    short.stack = traceback.StackSummary.from_list(kept) if kept else None  # type: ignore[assignment]
    for other in (short.__cause__, short.__context__, *(short.exceptions or ())):
        if other is not None:
            trimmed(other, file)
    if short.__context__ is not None and short.__context__.stack is None:
        short.__context__ = None  # an error that our own code had caught
    return next((frame.lineno for frame in reversed(kept) if frame.filename == file), None)


def in_words(explanation: Any, file: str) -> dict[str, Any]:
    """The clinic's explanation as plain data; code in its texts stands between backticks."""
    lines = zip(explanation.lines, explanation.told, strict=True)
    said: dict[str, Any] = {
        "happened": explanation.case.what.into(explanation.lang),
        "lines": [
            [part, place, code, line.number if line.filename == file else 0] for line, (part, place, code) in lines
        ],
        "tensors": [list(map(str, pair)) for pair in explanation.tensors],
        "cures": list(explanation.cures),
    }
    if explanation.picture is not None:
        said |= {"svg": explanation.picture.svg, "alt": explanation.picture.alt}
    return said


def roots(error: BaseException) -> list[Any]:
    """The tensors whose backward raised the error, if it knows them."""
    return list(getattr(error, "roots", ()) or ())
