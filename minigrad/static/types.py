"""Element types and partly known shapes: what a symbolic tensor knows before anything runs.

`tf.float32` and its like; `TensorShape`, in which a dimension may be None ("not known until fed") and even
the number of dimensions may be unknown. Inside the package a shape is a plain tuple of int and None, or
None as a whole (`Dims`); TensorShape is the face that it shows to readers.
Imports ops/sizes.py. Read next: graph.py.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..ops.sizes import Dims as Dims
from ..ops.sizes import known as known
from ..ops.sizes import show_list as show_list


class DType:
    """An element type of a symbolic tensor. `itemsize` is in bytes.

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
        """The type itself: TensorFlow tells references to variables from values, and here they are one."""
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
        return self.name  # one object for each type, also after copy


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
    """The DType for one of its many spellings: a DType, "float32", np.float32, float.

    "float" is float32 here, as in C; NumPy's "float" is float64, so its reading of names is never asked. Raises
    TypeError, in TensorFlow's words, for anything else.
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
        kind = np.dtype(dtype) if scalar else getattr(dtype, "dtype", dtype)  # an array stands for its type
        found = DType.of.get(kind) if isinstance(kind, np.dtype) else None
    if found is None:
        raise TypeError(f"Cannot convert the argument `type_value`: {dtype!r} to a TensorFlow DType.")
    return found


class Dimension:
    """One dimension of a shape: a number, or None where it is unknown. Equal to the number it holds.

    >>> Dimension(3) + 1, int(Dimension(3)), Dimension(None).value
    (Dimension(4), 3, None)
    """

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value: int | None = value.value if isinstance(value, Dimension) else None if value is None else int(value)

    def __repr__(self) -> str:
        return f"Dimension({self.value})"

    def __str__(self) -> str:
        return "?" if self.value is None else str(self.value)

    def __index__(self) -> int:
        if self.value is None:
            raise TypeError("__index__ returned non-int (type NoneType)")
        return self.value

    __int__ = __index__

    def __eq__(self, other: object) -> Any:
        return self.value == (other.value if isinstance(other, Dimension) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def _with(self, other: Any, compute: Any) -> Dimension:
        other = other.value if isinstance(other, Dimension) else other
        return Dimension(None if self.value is None or other is None else compute(self.value, other))

    def __add__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a * b)

    def __floordiv__(self, other: Any) -> Dimension:
        return self._with(other, lambda a, b: a // b)

    __radd__, __rmul__ = __add__, __mul__


class TensorShape:
    """A shape that may be known in part.

    >>> TensorShape([None, 3]), str(TensorShape([None, 3])), TensorShape([None, 3]).as_list()
    (TensorShape([Dimension(None), Dimension(3)]), '(?, 3)', [None, 3])
    >>> TensorShape(None).ndims, TensorShape([2]) == [2], TensorShape([2, 3])[0] * 2
    (None, True, Dimension(4))
    """

    __slots__ = ("known",)

    def __init__(self, dims: Any):
        self.known: Dims = as_dims(dims)

    @property
    def dims(self) -> list[Dimension] | None:
        """The dimensions as a list; None if not even their number is known."""
        return None if self.known is None else [Dimension(n) for n in self.known]

    @property
    def ndims(self) -> int | None:
        """The number of dimensions, None if unknown."""
        return None if self.known is None else len(self.known)

    rank = ndims

    def as_list(self) -> list[int | None]:
        """The dimensions as ints and None; ValueError if not even their number is known."""
        if self.known is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self.known)

    def is_fully_defined(self) -> Any:
        """True if nothing is unknown."""
        return known(self.known)

    def num_elements(self) -> int | None:
        """The number of elements, None if unknown."""
        return count(self.known)

    def __len__(self) -> int:
        return len(self.as_list())

    def __iter__(self) -> Iterator[Dimension]:
        return iter([Dimension(n) for n in self.as_list()])

    def __getitem__(self, key: Any) -> Any:
        part = self.as_list()[key]
        return TensorShape(part) if isinstance(key, slice) else Dimension(part)

    def __eq__(self, other: object) -> Any:
        try:
            return self.known == as_dims(other)
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.known)

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"

    def __str__(self) -> str:
        return show(self.known)


def as_dims(shape: Any) -> Dims:
    """A tuple of int and None from a TensorShape, a list, a number; None from None."""
    if shape is None or isinstance(shape, TensorShape):
        return shape.known if shape is not None else None
    if isinstance(shape, Dimension) or hasattr(shape, "__index__"):
        shape = (shape,)
    if isinstance(shape, str) or not hasattr(shape, "__iter__"):
        raise TypeError(f"Dimension value must be integer or None or have an __index__ method, got {shape!r}")
    dims = tuple(Dimension(n).value for n in shape)
    if any(n is not None and n < 0 for n in dims):
        raise ValueError(f"Dimension {next(n for n in dims if n is not None and n < 0)} must be >= 0")
    return dims


def count(dims: Dims) -> int | None:
    """The number of elements, None if unknown."""
    return math.prod(n for n in dims if n is not None) if dims is not None and None not in dims else None


def show(dims: Any) -> str:
    """A shape as a tensor's repr writes it: (?, 3)."""
    if dims is None:
        return "<unknown>"
    return "(" + ", ".join("?" if n is None else str(n) for n in dims) + (",)" if len(dims) == 1 else ")")
