"""What an exercise's code defines, whether a reader has changed their cell, and the library that their code uses.

Imports task.py, reading.py and NumPy. Read next: trial.py.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import marshal
import math
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from .reading import all_codes, codes_in, essence
from .task import Task, solutions_shown


def untouched(task: Task, given: Any) -> bool:
    """Whether the reader has left the gap as it is: no answer, or exactly the code of the cell."""
    if given is None or given is Ellipsis or task.kind == "order" and not given:
        return True
    if task.kind == "value" or task.kind == "order":
        return False
    codes = codes_in(given)
    gap = [code for code in all_codes(compile(task.gap, "<gap>", "exec")) if code.co_name in codes]
    if codes.keys() - {code.co_name for code in gap}:  # a method that the cell does not have
        return False
    return bool(gap) and all(essence(code) == essence(codes[code.co_name]) for code in gap)


def unfilled(task: Task, given: Any) -> bool:
    """Whether the reader's code still contains a `...`."""
    return "..." in task.gap and any(Ellipsis in code.co_consts for code in codes_in(given).values())


def library_of(given: Any) -> types.ModuleType | None:
    """The library that a reader's code uses: minigrad, PyTorch, or None if that is unknown."""
    for base in getattr(given, "__mro__", ()):
        root = base.__module__.partition(".")[0]
        if root in ("minigrad", "torch"):
            return importlib.import_module(root)
    return library_in(getattr(given, "__globals__", {}))


def library_in(names: Mapping[str, Any]) -> types.ModuleType | None:
    """The library among these names: `import torch`, or `import minigrad` under any name."""
    for value in (names.get("torch"), *list(names.values())):
        if isinstance(value, types.ModuleType) and value.__name__ in ("minigrad", "torch"):
            return value
    return None


_TEXTS: dict[str, list[str]] = {}  # the lines of an exercise's code; a traceback can show them, too


def defined(task: Task, code: str, torch: types.ModuleType) -> Any:
    """The object with the task's name that a piece of an exercise's code defines."""
    names: dict[str, Any] = {"torch": torch, "np": np, "math": math, "__name__": "exercise"}
    for number, part in enumerate((task._setup, code)):
        if part:
            file = f"<exercise {task.name} {number} {hash(part):x}>"
            if len(_TEXTS) >= 200:  # each tried order of lines is a new text
                oldest = next(iter(_TEXTS))
                del _TEXTS[oldest]
                linecache.cache.pop(oldest, None)
            _TEXTS[file] = part.splitlines(True)
            if solutions_shown():
                linecache.cache[file] = (len(part), None, _TEXTS[file], file)
            # A copy each time: in Python 3.11, code that has run often names a wrong line for an unset variable
            exec(marshal.loads(_compiled(part, file)), names)
    return names[task.wants]


@functools.lru_cache(maxsize=200)
def _compiled(part: str, file: str) -> bytes:
    """The compiled code as bytes: to copy it from them takes a tenth of the time to compile it."""
    return marshal.dumps(compile(part, file, "exec"))
