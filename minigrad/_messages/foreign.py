"""Errors for objects of PyTorch itself (a tensor, a module, a dtype) that are passed to minigrad.

This happens if only some import lines were changed: `import minigrad as torch`, and below it `import torch.nn as nn`.
An object is recognised by the module of its class, without importing PyTorch, and only after a call has failed.
Imports nothing else of minigrad. Read next: _call/arguments.py, which uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

CURE = (
    "Objects of the two libraries do not mix. Put minigrad for torch in every import line, as in "
    "`import minigrad.nn as nn`, or change none of them and run `python -m minigrad PROGRAM` (in a notebook, begin "
    "with `import minigrad; minigrad.install_as_torch()`)."
)


def is_foreign(x: Any) -> bool:
    """True for an object of PyTorch's own classes or their subclasses; False for tuples, such as a torch.Size.

    >>> is_foreign([1.0])
    False
    """
    if "torch" not in sys.modules or isinstance(x, tuple):
        return False
    return any(base.__module__.partition(".")[0] == "torch" for base in type(x).__mro__)


def type_name(x: Any) -> str:
    """The name of x's type as PyTorch's errors write it; for NumPy's types with the module, for PyTorch's with
    advice."""
    kind = type(x)
    if is_foreign(x):
        return f"{kind.__name__} of PyTorch itself. {CURE}"
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def refuse(who: str, *values: Any) -> None:
    """Raise TypeError if one of the values, or one inside a list or dict among them, is PyTorch's."""
    if "torch" in sys.modules:
        for x in spelt_out(values):
            if is_foreign(x):
                raise TypeError(f"{who} takes objects of minigrad, and got a {type_name(x)}")


def refuses_foreign(function: Function) -> Function:
    """A decorator: before it runs, the function refuses PyTorch's objects, which it might otherwise fill or misread."""

    @wraps(function)
    def refusing(*args: Any, **kwargs: Any) -> Any:
        if "torch" in sys.modules:
            refuse(f"{function.__name__}()", args, kwargs)
        return function(*args, **kwargs)

    return refusing  # type: ignore[return-value]


def not_ours(operand: Any) -> Any:
    """The result of an operator's method for an operand of another type: Python then tries the operand's own method."""
    refuse("An operator", operand)
    return NotImplemented


def spelt_out(values: Iterable[Any], depth: int = 3) -> Iterator[Any]:
    """The values, with those inside lists and dicts."""
    for x in values:
        inside = x.values() if isinstance(x, dict) else x
        if depth and (isinstance(inside, list | tuple) or inside is not x):
            yield from spelt_out(inside, depth - 1)
        else:
            yield x
