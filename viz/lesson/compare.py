"""Compare the values that a reader's code gives, name their kind, and write each in one line.

It knows numbers, tensors of minigrad and of PyTorch, arrays, text, None, and tuples, lists and dicts of these. Of a
symbol of a static graph, it knows only the kind.
Imports NumPy only. Read next: trial.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

FEW = 12  # arrays with at most this many numbers are written out


def is_tensor(value: Any) -> bool:
    """Whether the value is a tensor of minigrad or of PyTorch."""
    return hasattr(value, "detach") and hasattr(value, "numpy")


def array_of(value: Any) -> Any:
    """The numbers of a tensor, an array or a single number, as an array; else None."""
    if is_tensor(value):
        return np.asarray(value.detach().numpy())
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return np.asarray(value)
    return None


def same(a: Any, b: Any, rel: float = 1e-4, near: float = 1e-6) -> bool:
    """Whether two values are the same; numbers within `rel` and `near`, the tolerances of `np.allclose`.

    >>> same(0.1 + 0.2, 0.3), same([1, 2], [1, 2, 3]), same({"y": np.ones(2)}, {"y": np.ones(3)}), same(True, "True")
    (True, False, False, False)
    """
    if "symbol" in (kind(a), kind(b)):
        return kind(a) == kind(b)  # a symbol has no value yet
    left, right = array_of(a), array_of(b)
    if left is not None and right is not None and left.size == right.size == 1 and "number" in (kind(a), kind(b)):
        left, right = left.reshape(()), right.reshape(())  # `w.grad`, of shape (1,), counts as its number
    if left is not None and right is not None:
        if left.shape != right.shape or (left.dtype == bool) != (right.dtype == bool):
            return False
        return bool(np.allclose(left, right, rel, near, equal_nan=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key], rel, near) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(one, other, rel, near) for one, other in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)


def kind(value: Any) -> str:
    """The kind of a value: "number", "tensor", "array", "text", "None" …; a key of said.KINDS or a type's name.

    >>> kind(2.0), kind(np.float32(2)), kind("2"), kind(None), kind(len)
    ('number', 'number', 'text', 'None', 'function')
    """
    if value is None:
        return "None"
    if isinstance(value, (bool, np.bool_)):
        return "truth"
    if isinstance(value, (int, float, complex, np.number)):
        return "number"
    if is_tensor(value):
        return "tensor"
    if hasattr(type(value), "get_shape") and hasattr(type(value), "eval"):
        return "symbol"
    for type_, name in (
        (str, "text"),
        (np.ndarray, "array"),
        (list, "list"),
        (tuple, "tuple"),
        (Mapping, "dict"),
        (type, "class"),
    ):
        if isinstance(value, type_):
            return name
    return "function" if callable(value) else type(value).__name__


def alike(wanted: Any, given: Any) -> bool:
    """Whether `given` has the wanted kind. A tensor or array of one element may stand for a number."""
    if kind(wanted) == kind(given):
        return True
    numbers = ("number", "tensor", "array")
    if kind(wanted) in numbers and kind(given) in numbers:
        return "number" in (kind(wanted), kind(given)) and array_of(wanted).size == array_of(given).size == 1
    return {kind(wanted), kind(given)} == {"list", "tuple"}


def brief(value: Any) -> str:
    """A value in one line, as people write it.

    >>> brief(0.30000000000000004), brief(np.array([[1.0, -2.5]])), brief("yes"), brief((1,)), brief(math.sin)
    ('0.3', '[[1, −2.5]]', "'yes'", '(1,)', 'sin')
    """
    numbers = array_of(value)
    if numbers is not None and numbers.size > FEW:
        first = ", ".join(_number(each) for each in numbers.flat[:3])
        return f"{first}, … (shape {'×'.join(map(str, numbers.shape))})"
    if numbers is not None:
        return _nested(numbers.tolist())
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {brief(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(brief(each) for each in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _nested(value: Any) -> str:
    return f"[{', '.join(map(_nested, value))}]" if isinstance(value, list) else _number(value)


def _number(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return str(value)
    number = float(value)
    if math.isfinite(number) and number == round(number) and abs(number) < 1e6:
        return str(round(number)).replace("-", "−")
    return f"{number:.4g}".replace("-", "−")
