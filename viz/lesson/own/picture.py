"""`drawn(y)`: the graph that the reader's own engine has recorded, drawn as `viz.draw` draws minigrad's.

`viz.draw` reads PyTorch's public attributes of a tensor and its node. The reader's Tensor and Node have other
names for them, so the classes here adapt them. The picture shows exactly the edges of the reader's engine.
Imports NumPy, and draw where a picture is made. Read next: graphs.py.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def drawn(tensor: Any) -> Any:
    """The picture of the graph behind a Tensor of the reader's engine, with the names of the caller's variables.

    >>> from viz.lesson.own.parts import engine
    >>> Tensor = engine()["Tensor"]
    >>> w = Tensor([3.0], requires_grad=True)
    >>> y = w * w
    >>> drawn(y)
    y = MulBackward0 of w and w. w = 3 is a leaf, gradient none yet; y = 9 passes its gradient on.
    """
    from ...drawing.draw import draw

    shown = Shown()
    frame = sys._getframe(1)
    around = {**frame.f_globals, **frame.f_locals}
    names = {name: shown.tensor(each) for name, each in around.items() if type(each) is type(tensor) and name[0] != "_"}
    return draw(shown.tensor(tensor), names=names)


class Shown:
    """Adapters for the reader's tensors and nodes, one for each object."""

    def __init__(self) -> None:
        self.coats: dict[int, Any] = {}
        self.alive: list[Any] = []

    def tensor(self, own: Any) -> TensorShown:
        return self.coat(own, TensorShown)

    def node(self, own: Any) -> NodeShown:
        return self.coat(own, NodeShown)

    def end(self, own: Any) -> tuple[Any, int]:
        """An edge as a pair, as in `next_functions`."""
        if own is None:
            return None, 0
        return (self.node(own) if hasattr(own, "edges") else self.coat((own,), AccumulateGrad, id(own) + 1)), 0

    def coat(self, own: Any, kind: type, key: int = 0) -> Any:
        key = key or id(own)
        if key not in self.coats:
            self.alive.append(own)
            self.coats[key] = kind(own, self)
        return self.coats[key]


class TensorShown:
    """A Tensor of the reader's with PyTorch's public attributes."""

    retains_grad = False
    _version = 0

    def __init__(self, own: Any, shown: Shown):
        self.own, self.shown, self.data = own, shown, np.asarray(own._data)

    @property
    def grad_fn(self) -> Any:
        return None if self.own._fn is None else self.shown.node(self.own._fn)

    @property
    def grad(self) -> Any:
        return None if self.own._grad is None else self.shown.tensor(self.own._grad)

    requires_grad = property(lambda self: bool(self.own._requires_grad))
    is_leaf = property(lambda self: self.own._fn is None)
    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)

    def detach(self) -> Any:
        return self.data

    def backward(self) -> None:
        """Not used; its presence identifies a tensor."""

    def data_ptr(self) -> int:
        return self.data.__array_interface__["data"][0]

    def element_size(self) -> int:
        return self.data.itemsize

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.data.itemsize for step in self.data.strides)

    def storage_offset(self) -> int:
        return 0


class AccumulateGrad:
    """The node at the end of an edge to a leaf, as in PyTorch; the reader's edge leads to the leaf itself."""

    next_functions = ()

    def __init__(self, leaf: tuple[Any], shown: Shown):
        self.variable = shown.tensor(leaf[0])

    def name(self) -> str:
        return type(self).__name__


class NodeShown:
    """A Node of the reader's with PyTorch's public attributes."""

    def __init__(self, own: Any, shown: Shown):
        self.own = own
        edges = own.edges[:1] if getattr(own.rule, "one_edge", False) else own.edges  # as minigrad's nodes show them
        self.next_functions = tuple(shown.end(edge) for edge in edges)
        for name in own.rule.saves:
            kept = getattr(own, "kept", {}).get(name)
            if hasattr(kept, "_data"):
                setattr(self, "_saved_" + name, shown.tensor(kept))

    def name(self) -> str:
        return str(self.own.rule.node_name)

    def _sequence_nr(self) -> int:
        return int(self.own._number)
