"""What a tensor is made of, and the book of who shares memory with whom.

A tensor is six fields. `_versions` is a list shared by every view of one memory and by `detach()`; its
first entry is PyTorch's version counter, its second the line of the last in-place change. Most tensors are
never changed or shared, so the list is made when first asked for, by `versions()`. `_view` remembers how a
view was made, so that a change through it can be told to its base (inplace.py).
Imports rules. Read next: graph.py.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .modes import modes
from .rules import Raw, Rule


class NoVersions(list[Any]):
    """The version list of tensors made under inference_mode: whoever wants to save one asks here, in vain."""

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use "
            "it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )


NO_VERSIONS = NoVersions([0])


class TensorBase:
    """The fields; tensor.py adds everything that a reader calls."""

    __slots__ = ("__dict__", "__weakref__", "_data", "_fn", "_grad", "_requires_grad", "_versions", "_view")

    _data: Any  # the array
    _requires_grad: bool
    _grad: TensorBase | None
    _fn: Any  # what made it: None (a leaf), a Node, or (Node, which output)
    _versions: list[Any] | None  # None: never changed in place, and nobody shares its memory
    _view: tuple[Any, ...] | None  # a view's (base, its source, rule, parameters, which output, made with grad on)

    # rarely used, so kept in __dict__ when set
    _hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _accumulator: Any = None
    _views: list[weakref.ref[TensorBase]] | None = None
    _watched = False  # a leaf with hooks

    __hash__ = object.__hash__

    @property
    def _inference(self) -> bool:
        """Was it made under inference_mode?"""
        return self._versions is NO_VERSIONS

    def versions(self) -> list[Any]:
        """The list of changes that everybody who shares this memory holds. Before it is there nothing can have
        changed; so whoever makes it tells the node that keeps this tensor as its result to watch it too."""
        if self._versions is None:
            kept = getattr(self._fn, "saved_result", None)
            if isinstance(kept, tuple) and kept[0] is self._data:
                self._versions = kept[1]
            else:
                self._versions = [0]
                if kept is self._data:
                    self._fn.saved_result = (self._data, self._versions, 0)
        return self._versions

    if TYPE_CHECKING:  # the methods that tensor.py adds

        def __getattr__(self, name: str) -> Any: ...


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
            _, source, rule, params, output, _ = view._view
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
        out = np.zeros(size, dtype=bool)
        self.replay(Raw(np), out)[...] = True
        return out


def register_view(out: TensorBase, source: TensorBase, rule: Rule, params: dict[str, Any], output: int = 0) -> None:
    """Write `out = rule(source, **params)` into the book. Leaves that require grad keep no list of their
    views: nobody may change those in place, and a weight is viewed anew in every training step."""
    base = source if source._view is None else source._view[0]
    out._view = (base, source, rule, params, output, modes.grad)
    out._versions = source.versions()
    out._requires_grad = source._requires_grad  # also of a view made under no_grad, as in PyTorch
    if base._fn is not None or not base._requires_grad:
        views = base._views
        if views is None:
            views = base._views = []
        elif len(views) > 64 and len(views) & (len(views) - 1) == 0:  # at each power of two, drop the dead
            views[:] = [ref for ref in views if ref() is not None]
        views.append(weakref.ref(out))
