"""The key of an argument decides which trace fits. Two arguments have the same key if type and bits are the same.

`==` is not enough. 0.0 equals -0.0 and 1 equals True, but a function may return different results; and nan
doesn't even equal itself. So the key of a number is its bits, of a container its elements in order, and of an object
with its own `==` what pickle would write. All other objects are compared by identity, as by their `==`.
Imports storage. Read next: signature.py.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from struct import Struct
from typing import Any

import numpy as np

from .._engine.storage import TensorBase

PLAIN = frozenset({int, bool, str, bytes, type(None)})  # of these types, equal values are identical
BITS = {float: Struct("d"), complex: Struct("dd")}
pack, unpack = BITS[float].pack, BITS[float].unpack


class Itself:
    """A key that is compared by identity. It holds the object, so that no other object gets the same id."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any):
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __repr__(self) -> str:
        return repr(self.thing)


class Shown(Itself):
    """An object that a key contains only for printing. It has no effect on comparisons."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown)

    def __hash__(self) -> int:
        return 0


def by_type(tensor: Any) -> tuple[Any, ...]:
    """The key of a tensor argument; the tensor's numbers don't count."""
    data = tensor._data
    return data.shape, data.dtype, bool(tensor._requires_grad), tensor.__class__, data.__class__


def by_layout(tensor: Any) -> tuple[Any, ...]:
    """The key `by_type` plus the strides, for a function that reads the memory layout of its tensors."""
    return *by_type(tensor), tensor._data.strides


def by_identity(tensor: Any) -> tuple[Any, ...]:
    """The key of a tensor inside another object, where it is not an argument of the trace."""
    return tensor.__class__, Itself(tensor)


def described(value: Any, tensor: Callable[[Any], Any] = by_type) -> Any:
    """The key of an argument. `tensor` makes the keys of tensors, also in nested tuples, lists and dicts.

    Raises TypeError for an argument that can't be compared later.
    """
    kind = value.__class__
    if kind in PLAIN:
        return kind, value
    if kind is float:
        return kind, pack(value)
    if isinstance(value, TensorBase):
        return tensor(value)
    if isinstance(value, tuple | list | dict):
        if kind not in (tuple, list, dict) and getattr(value, "__dict__", None):
            raise TypeError(f"an argument is of type {kind.__name__}, which has attributes of its own")
        if isinstance(value, dict):
            return kind, tuple([(described(key, by_identity), described(x, tensor)) for key, x in value.items()])
        return kind, tuple([described(each, tensor) for each in value])
    if kind is complex:
        return kind, BITS[kind].pack(value.real, value.imag)
    if kind is slice:  # Python 3.11 cannot hash it
        return kind, described((value.start, value.stop, value.step), by_identity), Shown(value)
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"an argument is of type {kind.__name__}, which Python cannot hash") from None
    if kind.__eq__ is object.__eq__:
        return kind, value
    return kind, content(value), Shown(value)


def content(value: Any) -> Any:
    """The content that distinguishes an object with its own `==` from others of its class."""
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    if isinstance(value, frozenset):  # in the order of iteration
        return tuple([described(each, by_identity) for each in value])
    kind = value.__class__
    try:
        written = copyreg.dispatch_table[kind](value) if kind in copyreg.dispatch_table else value.__reduce_ex__(4)
    except Exception:
        raise TypeError(f"an argument is of type {kind.__name__}, whose parts cannot be compared") from None
    if isinstance(written, str):  # the name of a global object
        return Itself(value)
    # the constructor, its arguments and the state; then a list's elements and a dict's items
    return tuple([described(list(x) if i > 2 and x is not None else x, by_identity) for i, x in enumerate(written)])
