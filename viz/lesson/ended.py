"""The sentence for code that was stopped: by an error, at its line, or by the end of its time.

If an error comes from passing tensors to NumPy, the sentence says which function to use instead.
Imports compare.py, limit.py, said.py, stopped.py. Read next: trial.py, which calls it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ..locale import pick
from .compare import is_tensor
from .limit import TooLong
from .said import ended_sentence
from .stopped import message_of, readers_line, times_in, told_of

if TYPE_CHECKING:
    from .trial import _Judging

OFTEN = 20  # calls of one function that wait for each other when it has called itself too often


def ended(judging: _Judging, error: BaseException) -> tuple[str, str]:
    """The kind and the sentence for an exception, or for the end of the time, with the reader's line."""
    words, kind = judging.words, "loop" if isinstance(error, TooLong) else "raised"
    if kind == "loop" and (judging.stuck > 1 or 2 * judging.waited > judging.seconds):
        kind = "stuck" if judging.stuck > 1 else "waits"
    told = told_of(error)
    seconds = round(judging.seconds + judging.stuck, 1) if kind == "stuck" else judging.seconds
    line = readers_line(error)
    if line is None:
        text = words[f"{kind} outside"].format(error=told, seconds=seconds)
    else:
        number, code_text, code = line
        row = judging.task.row(judging.order, number) if judging.order else ""
        where = "in row" if row else "in frame" if judging.order else "in line"
        if where == "in line" and judging.files and code.co_filename not in judging.files:
            where = "in another cell"
        name = code.co_qualname.partition(".<locals>")[0]
        place = words[where].format(line=number, row=row, text=code_text[:200], name=name)
        if judging.order and isinstance(error, NameError):
            told = words["unmade"].format(name=[*message_of(error).split("'"), ""][1])
        if isinstance(error, RecursionError) and times_in(error, code) > OFTEN:
            told = words["itself"].format(name=name)
        text = words[kind].format(place=place, error=told, seconds=seconds)
    in_numpy = any(isinstance(each, np.ndarray) for point in judging.points() for each in point)
    by_numpy = kind == "raised" and not in_numpy and _by_numpy(error, line[1] if line else "")
    if by_numpy and _has_torch(judging):
        judging.advice = in_torch(judging, line[1] if line else judging.code)
        text = f"{ended_sentence(text, judging.lang)} {judging.advice}"
    return ("raised" if kind == "raised" else "loop"), text


def in_torch(judging: _Judging, code: str) -> str:
    """The advice to compute with tensors. It names a function of `torch` only if the code calls the function
    of that name in NumPy or `math`, and no other."""
    called = {*re.findall(r"\b((?:np|numpy|math)\.(\w+))\(", code)}
    if len(called) == 1:
        ((old, name),) = called
        if hasattr(judging.torch, name):
            return judging.words["numpy named"].format(new=f"torch.{name}", old=old)
    return judging.words["numpy"]


def _has_torch(judging: _Judging) -> bool:
    """Whether the exercise is about tensors of a library, so that its functions can be recommended."""
    task = judging.task
    texts = (pick(task.task, "en"), task.gap, task._solution, task._setup)
    return any("torch" in each for each in texts) or any(
        is_tensor(each) for point in judging.points() for each in point
    )


def _by_numpy(error: BaseException, line: str) -> bool:
    """Whether the error comes from passing tensors to NumPy, or to Python's `math`, instead of using `torch`."""
    told = message_of(error).lower()
    if isinstance(error, NameError):
        return error.name in ("np", "numpy", "math")
    return "numpy" in told or "ndarray" in told or "math." in line and ("scalar" in told or "real number" in told)
