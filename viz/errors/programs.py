"""The code that may have run before a line of the reader's: its function, the callers, and earlier cells of a notebook.

Each program is a text that keeps its line numbers; lines that had not run, or that are in another function, are blank.
Imports lines. Read inquiry.py next, which lets lines.py search the programs.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Iterator
from types import FrameType
from typing import Any

from .lines import Line, Program, libraries

EARLIER = "<earlier cell>"


def programs_of(frame: FrameType, number: int, error: BaseException | None = None) -> list[Program]:
    """The code before line `number` of `frame`, latest first: its own text and its callers', then whole cells."""
    frames = list(callers(frame))
    programs, files = [_own(frame, number)], {frame.f_code.co_filename}
    reached = _reached(error)
    for each in frames[1:]:
        programs.append(_own(each, reached.get(id(each), each.f_lineno)))
        files.add(each.f_code.co_filename)
    outermost = frames[-1]
    cells = outermost.f_globals.get("In")
    if isinstance(cells, list) and is_cell(outermost.f_code.co_filename):
        cells = [str(cell) for cell in cells[1:]]
        if cells and cells[-1].strip() == _text(outermost).strip():
            del cells[-1]  # the last cell is the one that is running
        return programs + [Program(cell, filename=EARLIER) for cell in reversed(cells)]
    if is_module(outermost):
        files.discard(outermost.f_code.co_filename)
    return programs + [Program("".join(linecache.getlines(name)), filename=name) for name in sorted(files)]


def callers(frame: FrameType) -> Iterator[FrameType]:
    """The reader's frames from this one outwards, up to the module or cell that is running."""
    others = libraries()
    each: FrameType | None = frame
    while each is not None:
        if each is frame or not each.f_code.co_filename.startswith(others):
            yield each
            if is_module(each):
                return
        each = each.f_back


def is_module(frame: FrameType) -> bool:
    """Is it the code of a file or cell itself, and not of a function?"""
    return frame.f_code.co_name == "<module>" or frame.f_code.co_name.startswith("<cell")


def running_file(frame: FrameType) -> str:
    """The file or cell that the reader runs, even if the frame is in a function from another file."""
    return list(callers(frame))[-1].f_code.co_filename


def found_line(programs: list[Program], part: str, which: int, number: int) -> Line:
    """The line at this place."""
    program = programs[which]
    return Line(part, program.filename, number, program.text.splitlines()[number - 1].strip())


def is_cell(filename: str) -> bool:
    """Is it a cell of a notebook?"""
    return "ipykernel_" in os.path.dirname(filename) or filename.startswith(("<ipython", EARLIER))


def place(line: Line, here: str, words: dict[str, Any]) -> str:
    """The place of a line in words, as seen from the file or cell `here`."""
    if is_cell(line.filename):
        where = words["this cell" if line.filename == here else "an earlier cell"]
    else:
        where = os.path.basename(line.filename)
    return str(words["place"]).format(where=where, number=line.number)


def _text(frame: FrameType) -> str:
    return "".join(linecache.getlines(frame.f_code.co_filename))


def _reached(error: BaseException | None) -> dict[int, int]:
    """The line that each frame had reached when the error passed through."""
    reached, trace = {}, error.__traceback__ if error is not None else None
    while trace is not None:
        reached[id(trace.tb_frame)] = trace.tb_lineno
        trace = trace.tb_next
    return reached


def _own(frame: FrameType, number: int) -> Program:
    """The code in a frame's file that may have run before line `number`: a module's code above, or a function's own."""
    code, text = frame.f_code, _text(frame)
    module = is_module(frame)
    known: dict[str, Any] = {"filename": code.co_filename}
    if not module:
        names = frozenset((*code.co_varnames, *code.co_cellvars))
        known.update(function=code.co_name, names=names, free=frozenset(code.co_freevars))
    try:
        body = ast.parse(text).body
    except SyntaxError:  # a cell with a magic in it
        return Program(text, number, **known)
    kept: set[int] = set()
    for node in body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        last = node.end_lineno or node.lineno
        if first <= number and (module or number <= last):
            kept.update(range(first, last + 1))
    rows = [row if i in kept else "\n" for i, row in enumerate(text.splitlines(keepends=True), 1)]
    return Program("".join(rows), number, **known)
