"""TensorFlow's classes for shapes: `TensorShape`, in which a dimension may be None (not known before the run).

Internally, a shape is a tuple of int and None, or None as a whole; this and the dtypes are in
../_compiler/types.py. Read next: graph.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._compiler.types import Dims, count, known, show


class Dimension:
    """One dimension of a shape: a number, or None if it is unknown. It equals the number itself.

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
    """A shape that may be partly unknown.

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
        """The dimensions as a list; None if their number is unknown."""
        return None if self.known is None else [Dimension(n) for n in self.known]

    @property
    def ndims(self) -> int | None:
        """The number of dimensions, None if unknown."""
        return None if self.known is None else len(self.known)

    rank = ndims

    def as_list(self) -> list[int | None]:
        """The dimensions as ints and None; ValueError if their number is unknown."""
        if self.known is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self.known)

    def is_fully_defined(self) -> Any:
        """True if every dimension is known."""
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
    """A tuple of int and None, from a TensorShape, a list or a number; None from None."""
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
