"""The nodes of views whose memory was changed, and `Window`, the place of a view in its base.

In PyTorch, the changed base gets the node CopySlices, and its views get new nodes, AsStridedBackward0. Here, both nodes
repeat the operators that made the view. Imports core, nodes and overlap. Read next: views.py, which makes these nodes.
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
    """One view operator: its rule, its parameters, the index of its output, and the size of its input."""

    rule: Rule
    params: dict[str, Any]
    output: int
    size: tuple[int, ...]


class Window:
    """The operators that make a view from its base, in order.

    It holds no tensor, so that nodes can store it.
    """

    def __init__(self, view: TensorBase):
        self.steps: list[Step] = []
        while view._view is not None:
            _, source, rule, params, output, *_ = view._view
            self.steps.insert(0, Step(rule, params, output, source._data.shape))
            view = source

    def replay(self, F: Any, array: Any) -> Any:
        """Apply the operators to another array (or Tensor) of the base's size."""
        for rule, params, output, _ in self.steps:
            array = getattr(F, rule.name)(array, **params)
            array = array[output] if isinstance(array, tuple) else array
        return array

    def spread(self, F: Any, array: Any) -> Any:
        """Zeros of the base's size, with `array` in the window: computed by the slopes, last step first."""
        for rule, params, output, size in reversed(self.steps):
            if not rule.outputs:  # one of several outputs: zeros for the others
                zeros = F.zeros_like(array)
                array = [array if i == output else zeros for i in range(len(rule.value(np, np.empty(size), **params)))]
            given = {**params, "self_sizes": size}
            array = rule.slopes["self"](F, array, **{need: given[need] for need in rule.needs["self"]})
            lead = len(array.shape) - len(size)
            spread = [d for d, n in enumerate(array.shape) if d < lead or size[d - lead] != n]
            if spread:  # from `expand`, whose slope leaves the sum to the engine
                array = F.reshape_to(F.sum_dim(array, dim=tuple(spread), keepdim=True), size=size)
        return array

    def mask(self, size: tuple[int, ...]) -> Any:
        """True inside the window, False outside."""
        window = self.replay(Raw(np), np.broadcast_to(np.zeros(()), size))
        # asarray, because a result without axes may be a NumPy scalar
        return np.asarray(self.spread(Raw(np), np.ones(window.shape)) != 0)


class CopySlices(Node):
    """The node of a base that was changed through one of its views. The view's part of the gradient goes through the
    node of that change. The rest goes to the base's former history."""

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
            raise RuntimeError(SPREAD_OUT)  # raised here and not at the change, as in PyTorch
        mask = self.window.mask(self._shape)
        mask = grad.new_tensor(mask, dtype=dtypes.bool) if isinstance(grad, TensorBase) else mask
        inside = F.zeros_like(grad) if first is None else self.window.spread(F, first)
        return (F.where(mask, inside, grad), *rest)

    def pass_by(self) -> None:
        if self.inner is None:
            raise RuntimeError(FREED)
        self.inner.pass_by()

    def release(self) -> None:
        self.inner = None  # PyTorch frees it even if it has saved nothing


class AsStridedBackward0(Node):
    """The node of a view whose memory was changed: it puts the gradient at the view's place in its base."""

    __slots__ = ("window",)

    def __init__(self, base: Any, view: Any):
        connect(self, [base])
        self._shape, self._dtype = view._data.shape, view._data.dtype
        self.window = Window(view)

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        return (self.window.spread(F, grad),)


class Nowhere(Node):
    """The end of an edge from a view that requires grad only because its base does, and that no recorded operator made.
    No gradient reaches the base or the view's own `.grad`. Users see this edge as (None, 0)."""

    __slots__ = ()
    nowhere = True
    edges = ()

    def __init__(self, view: Any):
        connect(self, [])
        self._shape, self._dtype = view._data.shape, view._data.dtype

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        return ()
