"""The nodes behind views whose memory was changed, and the window through which a view looks at its base.

To PyTorch a changed base comes from CopySlices and its views come anew, from AsStridedBackward0; here both replay the
operators that made the view. Imports core, nodes and overlap. Read next: views.py, which says when they are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._machine import dtypes
from ..core.record import connect
from ..core.rules import Raw, Rule
from .nodes import Node
from .overlap import SPREAD_OUT, spread_out
from .saved import FREED
from .storage import TensorBase


class Step(NamedTuple):
    """One view operator: its rule, its parameters, which output, and the size it started from."""

    rule: Rule
    params: dict[str, Any]
    output: int
    size: tuple[int, ...]


class Window:
    """How a view comes from its base: the operators to replay, one after the other.

    Holds no tensor, so that nodes can keep it.
    """

    def __init__(self, view: TensorBase):
        self.steps: list[Step] = []
        while view._view is not None:
            _, source, rule, params, output, *_ = view._view
            self.steps.insert(0, Step(rule, params, output, source._data.shape))
            view = source

    def replay(self, F: Any, array: Any) -> Any:
        """The same window on another array (or Tensor) of the base's size."""
        for rule, params, output, _ in self.steps:
            array = getattr(F, rule.name)(array, **params)
            array = array[output] if isinstance(array, tuple) else array
        return array

    def spread(self, F: Any, array: Any) -> Any:
        """Zeros of the base's size with `array` in the window: the slopes, last step first."""
        for rule, params, output, size in reversed(self.steps):
            if not rule.outputs:  # one of several: zeros for the others
                zeros = F.zeros_like(array)
                array = [array if i == output else zeros for i in range(len(rule.value(np, np.empty(size), **params)))]
            given = {**params, "self_sizes": size}
            array = rule.slopes["self"](F, array, **{need: given[need] for need in rule.needs["self"]})
            lead = len(array.shape) - len(size)
            spread = [d for d, n in enumerate(array.shape) if d < lead or size[d - lead] != n]
            if spread:  # by `expand`, whose slope leaves the sum to the engine
                array = F.reshape_to(F.sum_dim(array, dim=tuple(spread), keepdim=True), size=size)
        return array

    def mask(self, size: tuple[int, ...]) -> Any:
        """True in the window, False elsewhere."""
        window = self.replay(Raw(np), np.broadcast_to(np.zeros(()), size))
        return np.asarray(self.spread(Raw(np), np.ones(window.shape)) != 0)  # of no axes, too, an array


class CopySlices(Node):
    """The history of a base after a change through one of its views: the view's part of the gradient goes
    through the node that made the change, the rest goes to what the base was before."""

    __slots__ = ("inner", "spread", "window")
    built_in = True
    saves = ("inner",)

    def __init__(self, base: Any, view: Any, inner: Node):
        connect(self, [base])
        self._shape, self._dtype = base._data.shape, base._data.dtype
        self.window, self.spread = Window(view), spread_out(view._data)
        self.inner: Any = inner
        if inner.made:
            self.made = inner.made
        self.edges = (*self.edges, *inner.edges[1:])

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if self.inner is None:
            raise RuntimeError(FREED)
        first, *rest = self.inner.gradients(self.window.replay(F, grad), F, unpack)
        if self.edges[0] is None:
            return (None, *rest)
        if self.spread:
            raise RuntimeError(SPREAD_OUT)  # here, and not at the change: so does PyTorch
        mask = self.window.mask(self._shape)
        mask = grad.new_tensor(mask, dtype=dtypes.bool) if isinstance(grad, TensorBase) else mask
        inside = F.zeros_like(grad) if first is None else self.window.spread(F, first)
        return (F.where(mask, inside, grad), *rest)

    def pass_by(self) -> None:
        if self.inner is None:
            raise RuntimeError(FREED)
        self.inner.pass_by()

    def release(self) -> None:
        self.inner = None  # PyTorch lets go of it even where it has saved nothing


class AsStridedBackward0(Node):
    """The history of a view after its memory was changed: back into the base, at the view's place."""

    __slots__ = ("window",)

    def __init__(self, base: Any, view: Any):
        connect(self, [base])
        self._shape, self._dtype = view._data.shape, view._data.dtype
        self.window = Window(view)

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        return (self.window.spread(F, grad),)


class Nowhere(Node):
    """Where the edge ends of a view that requires grad because its base does, though no recorded operator made it:
    nothing comes to its base, and nothing stays in its own `.grad`. To a reader such an edge is (None, 0)."""

    __slots__ = ()
    nowhere = True
    edges = ()

    def __init__(self, view: Any):
        connect(self, [])
        self._shape, self._dtype = view._data.shape, view._data.dtype

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        return ()
