"""Values as JSON between the process that runs a notebook and the one that judges it.

Only what viz.lesson.compare knows: numbers, text, None, tensors, arrays, and lists, tuples and dicts of these. Anything
else becomes an `Other` with the name of its type. Nothing that arrives is run: numbers are read from their bytes.
Imports NumPy and compare.py. Read next: verdicts.py.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..lesson.compare import is_tensor

DEEP, MANY, LARGE = 8, 20_000, 4_000_000  # levels, values, bytes of one array


class TooLarge(ValueError):
    """The value is larger than any answer of a lesson."""


@dataclass(frozen=True)
class Other:
    """Stands for a value of another type."""

    name: str


def encoded(value: Any) -> Any:
    """The value as JSON knows it. Raises TooLarge.

    >>> encoded((1, [2.5, None], {"w": np.ones(1)}))
    ['tuple', [1, ['list', [2.5, None]], ['dict', [['w', ['array', '<f8', [1], 'AAAAAAAA8D8=']]]]]]
    """
    left = [MANY]
    return _encoded(value, 0, left)


def _encoded(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if depth > DEEP or left[0] < 0:
        raise TooLarge
    if value is None or type(value) in (bool, float) or type(value) is int and abs(value) < 2**63:
        return value
    if type(value) is str:
        return value[:10_000]
    if isinstance(value, np.generic):
        return ["scalar", *_numbers(np.asarray(value))]
    if is_tensor(value):
        return ["tensor", *_numbers(np.asarray(value.detach().numpy()))]
    if isinstance(value, np.ndarray):
        return ["array", *_numbers(value)]
    if isinstance(value, Mapping):
        return ["dict", [[_encoded(k, depth + 1, left), _encoded(v, depth + 1, left)] for k, v in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["list" if isinstance(value, list) else "tuple", [_encoded(each, depth + 1, left) for each in value]]
    return ["other", type(value).__name__[:100]]


def _numbers(array: np.ndarray[Any, Any]) -> list[Any]:
    if array.dtype.kind not in "biuf" or array.nbytes > LARGE:
        raise TooLarge
    return [array.dtype.str, list(array.shape), base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()]


def decoded(told: Any) -> Any:
    """The value that `encoded` has told. Raises ValueError for anything else.

    >>> decoded(encoded((1, [2.5, None], {"w": np.ones(1)})))
    (1, [2.5, None], {'w': array([1.])})
    """
    if told is None or type(told) in (bool, int, float, str):
        return told
    match told:
        case ["scalar", dtype, shape, data]:
            return _array(dtype, shape, data)[()]
        case ["array", dtype, shape, data]:
            return _array(dtype, shape, data)
        case ["tensor", dtype, shape, data]:
            import minigrad

            return minigrad.from_numpy(_array(dtype, shape, data))
        case ["list", list(each)]:
            return [decoded(one) for one in each]
        case ["tuple", list(each)]:
            return tuple(decoded(one) for one in each)
        case ["dict", list(pairs)]:
            found = [(decoded(key), decoded(value)) for key, value in pairs]
            return {key if isinstance(key, (str, int, float, tuple)) else repr(key): value for key, value in found}
        case ["other", str(name)]:
            return Other(name[:100])
    raise ValueError("this is no value that a notebook reports")


def _array(dtype: Any, shape: Any, data: Any) -> np.ndarray[Any, Any]:
    kind = np.dtype(str(dtype))
    if kind.kind not in "biuf" or not isinstance(data, str) or len(data) > 2 * LARGE:
        raise ValueError("this is no array of numbers")
    sizes = tuple(int(size) for size in shape)
    raw = base64.b64decode(data, validate=True)
    if any(size < 0 for size in sizes) or math.prod(sizes) * kind.itemsize != len(raw):
        raise ValueError("the array's shape and its numbers differ")
    return np.frombuffer(raw, kind).reshape(sizes).copy()
