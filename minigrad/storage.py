"""What a tensor is made of, and the book of who shares memory with whom.

A tensor is six fields. `_versions` is a list shared by every view of one memory and by `detach()`; its
first entry is PyTorch's version counter, its second the line of the last in-place change. `_view`
remembers how a view was made, so that a change through it can be told to its base (inplace.py).
Imports backend and dtypes. Read next: graph.py.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from .rules import Rule


class TensorBase:
    """The fields; tensor.py adds everything that a reader calls."""

    __slots__ = ("__dict__", "__weakref__", "_data", "_fn", "_grad", "_requires_grad", "_versions", "_view")

    _data: Any  # the array
    _requires_grad: bool
    _grad: TensorBase | None
    _fn: Any  # what made it: None (a leaf), a Node, or (Node, which output)
    _versions: list[Any]
    _view: View | None

    # rarely used, so kept in __dict__ when set
    _hooks: dict[int, Any] | None = None
    _post_hooks: dict[int, Any] | None = None
    _accumulator: Any = None
    _views: list[weakref.ref[TensorBase]] | None = None
    _inference = False
    _watched = False  # a leaf with hooks

    __hash__ = object.__hash__


class Step(NamedTuple):
    """One view operator: its rule, its parameters, the sizes it started from."""

    rule: Rule
    params: dict[str, Any]
    sizes: tuple[int, ...]


class View(NamedTuple):
    """How a view comes from its base: the operators to replay, one after the other."""

    base: TensorBase
    steps: tuple[Step, ...]
    output: int = 0  # which of several, for unbind and split
    many: str = ""  # the node's name, where one operator made several views

    def replay(self, F: Any, array: Any) -> Any:
        """The same window on another array (or Tensor) of the base's size."""
        for step in self.steps:
            array = getattr(F, step.rule.name)(array, **step.params)
            array = array[self.output] if isinstance(array, tuple) else array
        return array

    def spread(self, F: Any, array: Any) -> Any:
        """Zeros of the base's size with `array` in the window: the slopes, last step first."""
        for rule, params, sizes in reversed(self.steps):
            given = {**params, "self_sizes": sizes}
            array = rule.slopes["self"](F, array, **{need: given[need] for need in rule.needs["self"]})
        return array

    def mask(self, sizes: tuple[int, ...]) -> Any:
        """True in the window, False elsewhere."""
        out = np.zeros(sizes, dtype=bool)
        window = out
        for step in self.steps:
            window = step.rule.value(np, window, **step.params)
            window = window[self.output] if isinstance(window, tuple) else window
        window[...] = True
        return out


def register_view(out: TensorBase, source: TensorBase, rule: Rule, params: dict[str, Any], output: int = 0) -> None:
    """Write `out = rule(source, **params)` into the book. Leaves that require grad keep no list of their
    views: nobody may change those in place, and a weight is viewed anew in every training step."""
    step = Step(rule, params, source._data.shape)
    many = rule.node_name if not rule.outputs else ""
    base, steps = (source, ()) if source._view is None else source._view[:2]
    if many and steps:
        base, steps = source, ()
    out._view = View(base, (*steps, step), output, many)
    out._versions = source._versions
    if base._fn is not None or not base._requires_grad:
        views = base._views
        if views is None:
            views = base._views = []
        elif len(views) > 64 and len(views) & (len(views) - 1) == 0:  # at each power of two, drop the dead
            views[:] = [ref for ref in views if ref() is not None]
        views.append(weakref.ref(out))
