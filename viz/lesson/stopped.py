"""An exception of an answer: its message, the reader's line in its traceback, and whether it ends the check itself.

A message may be very long, or raise another exception when it is made; a traceback may have a million frames.
Imports debugger.py, limit.py. Read next: trial.py.
"""

from __future__ import annotations

import linecache
import os
import re
import sysconfig
import types
from collections.abc import Iterator
from dis import opname
from pathlib import Path

from . import answers
from .debugger import left_by
from .limit import TooLong, within

OURS = (
    os.path.join(Path(__file__).parents[1], ""),
    os.path.join(Path(__file__).parents[2], "minigrad", ""),
    *{sysconfig.get_path(each) for each in ("stdlib", "purelib", "platlib")},
)
LIBRARIES = ("minigrad", "viz", "torch", "numpy", "threading", "importlib")
LONGEST = 500  # characters of a message that are read
Place = tuple[int, str, types.CodeType]


def message_of(error: BaseException | None, seconds: float = 0.5) -> str:
    """The beginning of an exception's message. Its own `__str__` may fail, or never end: then "" in its place."""
    try:
        plain = type(error).__str__ in (BaseException.__str__, Exception.__str__, KeyError.__str__, OSError.__str__)
        if plain and all(isinstance(each, (str, int, float, type(None))) for each in getattr(error, "args", ())):
            return str(error)[:LONGEST]
        return str(within(seconds, str, error))[:LONGEST]
    except KeyboardInterrupt:
        raise
    except BaseException:  # of the exception's own methods
        return ""


def told_of(error: BaseException) -> str:
    """An exception as the last line of a traceback shows it, in one line of at most 120 characters or one sentence."""
    told = re.sub(r"[\w.<>]*<locals>\.| at 0x[0-9a-fA-F]+", "", f"{_name(error)}: {message_of(error)}")
    told = told.removesuffix(": ").partition("\n")[0]
    if len(told) > 120:  # some messages add advice after the first sentence
        told = re.split(r"(?<!\bi\.e)(?<!\be\.g)\. ", told, maxsplit=1)[0]
    if len(told) <= 240:
        return told
    words = told[:240].rpartition(" ")[0]
    return (words if len(words) > 120 else told[:240]) + " …"  # one endless word is cut, and not left out


def _name(error: BaseException) -> str:
    return str(type.__dict__["__name__"].__get__(type(error)))[:100]


def without_names(error: BaseException | None) -> str:
    """The message of an error, without the name of the function that it is about, and without addresses."""
    message = re.sub(r" at 0x[0-9a-fA-F]+", "", message_of(error))
    return re.sub(r"[\w.<>]{1,100}\(\) (takes|missing|got)", r"\1", message)


def readers_line(error: BaseException) -> Place | None:
    """The last line of the reader's own code in a traceback: its number in its cell, its text, and its code."""
    found = _last(error)
    while found is None and isinstance(error, TooLong) and error.__context__ is not None:
        error = error.__context__  # the second TooLong came while the first was on its way out
        found = _last(error)
    return found and (found[1], found[2], found[0].tb_frame.f_code)


def times_in(error: BaseException, code: types.CodeType) -> int:
    """How often a function occurs in a traceback."""
    return sum(trace.tb_frame.f_code is code for trace, _ in _places(error.__traceback__))


def failing_part(error: BaseException) -> str:
    """The expression that failed in the reader's last line; the whole line where Python does not know."""
    found = _last(error)
    if found is None:
        return ""
    trace, number, text = found
    positions = [*trace.tb_frame.f_code.co_positions()]
    at = trace.tb_lasti // 2
    line, end, start, stop = positions[at] if at < len(positions) else (None, None, None, None)
    if line is None or line != end or start is None or stop is None:
        return text
    whole = line_of(trace.tb_frame, number)
    return whole.encode()[start:stop].decode(errors="replace") or text


def _last(error: BaseException) -> tuple[types.TracebackType, int, str] | None:
    found: tuple[types.TracebackType, int, str] | None = None
    known: dict[tuple[types.CodeType, int], str] = {}
    for trace, number in _places(error.__traceback__):
        place = trace.tb_frame.f_code, number
        if place not in known:
            known[place] = _readers_text(trace.tb_frame, number)
        if known[place]:
            found = trace, number, known[place]
    return found


def _readers_text(frame: types.FrameType, number: int) -> str:
    """The text of this line, if it is the reader's; else ""."""
    file, module = frame.f_code.co_filename, dict.get(frame.f_globals, "__name__")
    if file.startswith(OURS) or re.search("site-packages|^<minigrad", file):
        return ""
    if isinstance(module, str) and module.partition(".")[0] in LIBRARIES:
        return ""
    return line_of(frame, number).strip()


def line_of(frame: types.FrameType, number: int) -> str:
    """A line of the file that a frame runs; also of an exercise's code, where solutions are off."""
    file = frame.f_code.co_filename
    return "".join(answers._TEXTS.get(file, [])[number - 1 : number]) or linecache.getline(
        file, number, frame.f_globals
    )


def _places(trace: types.TracebackType | None) -> Iterator[tuple[types.TracebackType, int]]:
    """The entries of a traceback, each with its line. An instruction may have none, and an interrupt may arrive there:
    then it is the line of the last instruction before it that has one."""
    while trace is not None:
        code, number = trace.tb_frame.f_code, trace.tb_lineno
        if number is None:
            before = [line for start, _, line in code.co_lines() if line is not None and start <= trace.tb_lasti]
            number = [code.co_firstlineno, *before][-1]
        yield trace, number
        trace = trace.tb_next


def pass_on_quitting(error: BaseException) -> None:
    """Let Ctrl-C, and `q` at a debugger's prompt, end the check itself and not only the code that is tried.

    (A TooLong may arrive in the code while a debugger traces it; it does not end the check. Nor does an answer that
    raises KeyboardInterrupt itself.)
    """
    if isinstance(error, KeyboardInterrupt) and not raised_by_the_code(error):
        raise error
    if not isinstance(error, TooLong) and left_by(error):
        raise error


def raised_by_the_code(error: BaseException) -> bool:
    """Whether a line `raise …` of the reader's has raised it, and not the keyboard."""
    trace = error.__traceback__
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    name = opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]]
    return name == "RAISE_VARARGS" and bool(_readers_text(trace.tb_frame, trace.tb_lineno or 0))
