"""The key of an argument: what of it decides which trace fits. Two arguments share a key if type and bits are the same.

`==` is not enough. 0.0 equals -0.0 and 1 equals True, but a function may give something else for each; and a nan is
not even equal to itself. So numbers go by their bits, containers by what is in them, in order, and objects that have
an `==` of their own by what pickle would write of them. All other objects go by identity, as their `==` does.
Imports storage. Read next: signature.py.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from struct import Struct
from typing import Any

import numpy as np

from .._engine.storage import TensorBase

PLAIN = frozenset({int, bool, str, bytes, type(None)})  # of these, equal means the same
BITS = {float: Struct("d"), complex: Struct("dd")}
pack, unpack = BITS[float].pack, BITS[float].unpack


class Itself:
    """A key that is compared by identity. It keeps the object, so that no other one gets its place in memory."""

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
    """An object that a key carries along to be printed. It counts for nothing when keys are compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown)

    def __hash__(self) -> int:
        return 0


def by_type(tensor: Any) -> tuple[Any, ...]:
    """The key of a tensor that is an argument: its numbers don't count."""
    data = tensor._data
    return data.shape, data.dtype, bool(tensor._requires_grad), tensor.__class__, data.__class__


def by_layout(tensor: Any) -> tuple[Any, ...]:
    """The same, for a function that looks how its tensors lie in memory."""
    return *by_type(tensor), tensor._data.strides


def by_identity(tensor: Any) -> tuple[Any, ...]:
    """The key of a tensor in an object: it is no argument of the trace."""
    return tensor.__class__, Itself(tensor)


def described(value: Any, tensor: Callable[[Any], Any] = by_type) -> Any:
    """The key of an argument. `tensor` makes that of a tensor, there and in nested tuples, lists and dicts.

    Raises TypeError for what can't be compared later.
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
    """What tells an object with an `==` of its own from others of its class."""
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    if isinstance(value, frozenset):  # in the order in which a loop meets its elements
        return tuple([described(each, by_identity) for each in value])
    kind = value.__class__
    try:
        written = copyreg.dispatch_table[kind](value) if kind in copyreg.dispatch_table else value.__reduce_ex__(4)
    except Exception:
        raise TypeError(f"an argument is of type {kind.__name__}, whose parts cannot be compared") from None
    if isinstance(written, str):  # a name in a module
        return Itself(value)
    # what makes it, of what, its state; then of a list its elements, of a dict its items
    return tuple([described(list(x) if i > 2 and x is not None else x, by_identity) for i, x in enumerate(written)])
