"""Dtypes and partly known shapes: what is known of a symbol before a run.

A shape is a tuple of int and None ("not known until fed"), or None if even the number of dimensions is unknown
(`Dims`). Dtypes have TensorFlow's names. Imports ops/sizes.py. Read next: graph.py.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from ..ops.sizes import Dims as Dims
from ..ops.sizes import known as known
from ..ops.sizes import show_list as show_list


class DType:
    """The dtype of a symbolic tensor. `itemsize` is in bytes.

    >>> float32, float32.name, as_dtype(np.int64), float32 == "float32"
    (tf.float32, 'float32', tf.int64, True)
    """

    of: dict[np.dtype[Any], DType] = {}

    def __init__(self, name: str, short: str):
        self.name = name
        self.short = short  # the name in TensorFlow's run-time errors: float, double
        self.numpy = np.dtype(name)
        self.as_numpy_dtype = self.numpy.type
        self.itemsize = self.numpy.itemsize
        self.is_floating = self.numpy.kind == "f"
        self.is_integer = self.numpy.kind in "iu"
        self.is_bool = self.numpy.kind == "b"
        DType.of[self.numpy] = self

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: unlike TensorFlow, minigrad has no separate dtypes for references to variables."""
        return self

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __eq__(self, other: object) -> Any:
        if isinstance(other, DType):
            return self is other
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> str:
        return self.name  # one object for each dtype, also after copy


bool = DType("bool", "bool")
uint8 = DType("uint8", "uint8")
int8 = DType("int8", "int8")
int16 = DType("int16", "int16")
int32 = DType("int32", "int32")
int64 = DType("int64", "int64")
float16 = half = DType("float16", "half")
float32 = DType("float32", "float")
float64 = double = DType("float64", "double")

NAMES = {dtype.name: dtype for dtype in DType.of.values()} | {"half": float16, "float": float32, "double": float64}
ELSEWHERE = frozenset("uint16 uint32 uint64 bfloat16 complex64 complex128 string resource variant".split()) | {
    sign + f"int{bits}" for sign in ("q", "qu") for bits in (8, 16, 32)
}


def as_dtype(dtype: Any) -> DType:
    """The DType for any of its spellings: a DType, "float32", np.float32, float.

    "float" is float32 here, as in C. NumPy's "float" is float64, so NumPy doesn't interpret the names. Raises
    TensorFlow's TypeError for anything else.
    """
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, str):
        found = NAMES.get(dtype.removesuffix("_ref"))
        if found is None and dtype in ELSEWHERE:
            raise TypeError(f"TensorFlow has tf.{dtype}, minigrad.static does not: it has {', '.join(NAMES)}.")
    elif dtype is float or dtype is builtins.bool:
        found = float32 if dtype is float else bool
    else:
        scalar = isinstance(dtype, type) and issubclass(dtype, np.generic)
        kind = np.dtype(dtype) if scalar else getattr(dtype, "dtype", dtype)  # an array becomes its dtype
        found = DType.of.get(kind) if isinstance(kind, np.dtype) else None
    if found is None:
        raise TypeError(f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow DType.")
    return found


def count(dims: Dims) -> int | None:
    """The number of elements, None if unknown."""
    return math.prod(n for n in dims if n is not None) if dims is not None and None not in dims else None


def show(dims: Any) -> str:
    """A shape as in a tensor's repr: (?, 3)."""
    if dims is None:
        return "<unknown>"
    return "(" + ", ".join("?" if n is None else str(n) for n in dims) + (",)" if len(dims) == 1 else ")")
