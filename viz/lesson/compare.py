"""Compare the values that a reader's code gives, name their kind, and write each in one line.

It knows numbers, tensors of minigrad and of PyTorch, arrays, text, None, and tuples, lists and dicts of these. Of a
symbol of a static graph, it knows only the kind. Whatever a value is, `brief` writes at most LONGEST characters.
Imports NumPy only. Read next: apart.py, which writes two values so that the two texts differ; trial.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

FEW = 12  # arrays with at most this many numbers are written out
SEVERAL = 20  # entries of a list or a dict that are written out, at most
DEEP = 6  # lists inside lists that are written out, at most
LONGEST = 300  # characters of a value


def is_tensor(value: Any) -> bool:
    """Whether the value is a tensor of minigrad or of PyTorch."""
    return has(value, "detach") and has(value, "numpy")


def has(value: Any, name: str) -> bool:
    """`hasattr`, also for an object whose own methods raise any error."""
    try:
        return hasattr(value, name)
    except Exception:
        return False


def array_of(value: Any) -> Any:
    """The numbers of a tensor, an array or a single number, as an array; else None."""
    if is_tensor(value):
        try:
            return np.asarray(value.detach().numpy())
        except Exception:  # a class of the reader's, or a symbol
            return None
    if isinstance(value, int) and abs(value) >= 1 << 62 and not isinstance(value, bool):
        return np.asarray(float(value)) if abs(value) < 1e300 else None
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return np.asarray(value)
    return None


def same(a: Any, b: Any, rel: float = 1e-4, near: float = 1e-6) -> bool:
    """Whether two values are the same; numbers within `rel` and `near`, the tolerances of `np.allclose`.

    >>> same(0.1 + 0.2, 0.3), same([1, 2], [1, 2, 3]), same({"y": np.ones(2)}, {"y": np.ones(3)}), same(True, "True")
    (True, False, False, False)
    """
    try:
        return _same(a, b, rel, near)
    except Exception:  # of a method of the reader's object, or of two arrays of objects
        return False


def _same(a: Any, b: Any, rel: float, near: float) -> bool:
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
    if has(type(value), "get_shape") and hasattr(type(value), "eval"):
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
        arrays = array_of(wanted), array_of(given)
        sizes = {each.size if each is not None else 0 for each in arrays}
        return "number" in (kind(wanted), kind(given)) and sizes == {1}
    return {kind(wanted), kind(given)} == {"list", "tuple"}


def brief(value: Any, digits: int = 4, depth: int = 0) -> str:
    """A value in one line, as people write it.

    digits: how many digits of a number are written.

    >>> brief(0.30000000000000004), brief(np.array([[1.0, -2.5]])), brief("yes"), brief((1,)), brief(math.sin)
    ('0.3', '[[1, −2.5]]', "'yes'", '(1,)', 'sin')
    >>> brief([0.1 + 0.2, 1e6], digits=17), brief([1] * 100)[-15:]
    ('[0.30000000000000004, 1000000]', '1, … (len 100)]')
    """
    try:
        text = _brief(value, digits, depth)
    except Exception:  # an object of the reader's may raise anything, also when it is written
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _brief(value: Any, digits: int, depth: int) -> str:
    numbers = array_of(value)
    if numbers is not None and numbers.size > FEW:
        first = ", ".join(_number(each, digits) for each in numbers.flat[:3])
        return f"{first}, … (shape {'×'.join(map(str, numbers.shape))})"
    if numbers is not None and numbers.dtype != object:
        return _nested(numbers.tolist(), digits)
    if isinstance(value, int):  # too large for an array
        return _number(value, digits)
    if isinstance(value, (Mapping, list, tuple)) and depth >= DEEP:
        return "…"
    if isinstance(value, Mapping):
        pairs = [*islice(value.items(), SEVERAL)]
        inside = ", ".join(f"{key}: {brief(each, digits, depth + 1)}" for key, each in pairs)
        return "{" + inside + (f", … (len {len(value)})" if len(value) > SEVERAL else "") + "}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(brief(each, digits, depth + 1) for each in value[:SEVERAL])
        inside += f", … (len {len(value)})" if len(value) > SEVERAL else ""
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    if isinstance(value, (str, bytes)):
        value = value[:100]
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
    return text if len(text) <= 60 else text[:57] + "…"


def _nested(value: Any, digits: int) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_nested(each, digits) for each in value)}]"
    return _number(value, digits)


def _number(value: Any, digits: int = 4) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return str(value)
    if isinstance(value, int) and abs(value) > 1e300:
        return f"a number of about {int(value.bit_length() * 0.30103)} digits"
    number = float(value)
    if math.isfinite(number) and number == round(number) and (abs(number) < 1e6 or digits > 6 and abs(number) < 1e15):
        return str(round(number)).replace("-", "−")
    return f"{number:.{digits}g}".replace("-", "−")
