"""Operators that overwrite their first input: `x.add_(1)`, `w -= lr * g`, `x[0] = 3`.

The value is computed by the ordinary operator, then written into the tensor's memory; the version
counter moves on, so that backward can tell whoever saved the old value. If gradients flow, the tensor's
history is rebased onto the new node; for a view, onto its base, through CopySlices.
Imports dispatch. Read next: methods/in_place.py, which calls `in_place`.
"""

from __future__ import annotations

import functools
import operator
import sys
import warnings
from collections.abc import Callable
from typing import Any

from numpy import ndarray
from numpy.lib.array_utils import byte_bounds

from . import dtypes
from .compiled import OPERATORS
from .dispatch import wrap
from .graph import FREED, Node, next_number
from .modes import modes
from .places import readers_place
from .storage import TensorBase, Window

# NumPy does these without a temporary array, which pays in `w -= lr * w.grad` and `w.grad.zero_()`.
WITHOUT_TEMPORARY: dict[str, Callable[..., Any]] = {
    "add": operator.iadd,
    "sub": operator.isub,
    "mul": operator.imul,
    "zero": lambda data: data.fill(0),
}


SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
INTO_SPREAD_OUT = {  # what PyTorch writes there all the same; and how it warns, if it does
    "fill": "",
    "zero": "",
    "masked_fill": "tensor[mask] = scalar",
    "masked_fill_tensor": "tensor[mask] = scalar",
    "index_put": "tensor[indices] = tensor",
}


def in_place(name: str, self: Any, *others: Any, **params: Any) -> Any:
    """Overwrite `self` with the operator's result, and return it."""
    recording = modes.grad and (
        self._requires_grad or any(isinstance(t, TensorBase) and t._requires_grad for t in others)
    )
    refuse(self, recording)
    target, node = self._data, None
    if recording or not without_temporary(name, self, others):
        spread = spread_out(target) and not (name == "copy" and others[0] is self)
        if spread:
            refuse_spread_out(name)
        if name != "index_put":  # which has read everything before it writes
            refuse_overlap(self, others)
        out = OPERATORS[name](old_value(self) if modes.saved_hooks else self, *others, **params)
        if out is NotImplemented:
            return NotImplemented
        result, node = out._data, out._fn
        if result.shape != target.shape:
            raise RuntimeError(
                f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(result.shape)}"
            )
        made, kept = dtypes.from_numpy(result.dtype), dtypes.from_numpy(target.dtype)
        if dtypes.category(made) > dtypes.category(kept):
            raise RuntimeError(f"result type {made.legacy} can't be cast to the desired output type {kept.legacy}")
        if node is not None:
            keep_old_value(node, self)
        written = result != target if spread else ...  # what was left alone must not go over what has changed
        target[written] = result[written]
    bump(self)
    if node is not None:
        if getattr(node, "saved_result", None) is not None and not modes.saved_hooks:
            node.saved_result = (target, self.versions(), self.versions()[0])
        rebase(self, node)
    elif base_of(self)._fn is not None:
        renew_views(base_of(self))
    return self


def without_temporary(name: str, self: Any, others: tuple[Any, ...]) -> bool:
    """Let NumPy do it in the tensor's own memory, if it can: arrays of one size and type."""
    data = self._data
    if name not in WITHOUT_TEMPORARY or type(data) is not ndarray or 0 in data.strides:
        return False
    for other in others:
        array = getattr(other, "_data", None)
        if type(array) is not ndarray or array.dtype is not data.dtype or array.shape != data.shape:
            return False
    refuse_overlap(self, others)
    WITHOUT_TEMPORARY[name](data, *(other._data for other in others))
    return True


def base_of(tensor: Any) -> Any:
    """The tensor whose memory a view looks at; a tensor that is no view is its own."""
    return tensor if tensor._view is None else tensor._view[0]


def refuse(self: Any, recording: bool = True) -> None:
    """Raise if autograd can't allow this tensor to be overwritten."""
    if self._inference and not modes.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
            "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )
    if not recording:
        return
    if why := why_not(self, "is being"):
        raise RuntimeError(why)
    base = base_of(self)
    if base._requires_grad and base._fn is None:
        what = "a leaf Variable" if base is self else "a view of a leaf Variable"
        raise RuntimeError(f"{what} that requires grad is being used in an in-place operation.")


def why_not(tensor: Any, changed: str) -> str | None:
    """Why the history of this view can't follow a change, in PyTorch's words: it, or what it is a view of, was made
    without a history, or is one of several that were made at once."""
    source = tensor
    while source._view is not None:
        _, below, rule, _, _, with_grad = source._view
        if not with_grad or not rule.outputs:
            break
        source = below
    else:
        return None
    recorded = TensorBase._fn.__get__(tensor) is not None  # the slot itself: see StaleView
    if recorded:
        _, _, made, _, output, _ = tensor._view
        what = f"Output {output} of {made.node_name.rstrip('0').removesuffix('Backward')} is a view"
        what += "" if with_grad else " of a view which was created in no_grad mode"
    else:
        what = "A view was created in no_grad mode"
    mode = "" if recorded and with_grad else " with grad mode enabled"
    return f"{what} and {changed} modified inplace{mode}. " + (
        "This view is the output of a function that returns multiple views. Such functions do not allow the output "
        "views to be modified inplace. You should replace the inplace operation by an out-of-place one."
        if with_grad
        else "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
        "moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to "
        "be tracked) or both outside (if you want the inplace to be tracked)."
    )


def spread_out(array: Any) -> bool:
    """Do several elements share one place in memory, as `expand` makes them? CuPy's arrays are never asked."""
    return (
        isinstance(array, ndarray)
        and array.size > 0
        and any(n > 1 and not step for n, step in zip(array.shape, array.strides, strict=True))
    )


def refuse_spread_out(name: str) -> None:
    """Raise, or warn, as PyTorch does where an operator is to write into such memory."""
    if name not in INTO_SPREAD_OUT:
        raise RuntimeError(SPREAD_OUT)
    if INTO_SPREAD_OUT[name]:
        warnings.warn(
            f"Use of {name.removesuffix('_tensor')}_ on expanded tensors is deprecated. Please clone() the tensor "
            "before performing this operation. This also applies to advanced indexing e.g. " + INTO_SPREAD_OUT[name],
            stacklevel=3,
        )


def refuse_overlap(self: Any, others: tuple[Any, ...]) -> None:
    """Raise if the operator would read where it has already written. PyTorch asks this of memory without gaps alone."""
    target = self._data
    for other in others:
        if not isinstance(other, TensorBase) or self._versions is None or other._versions is not self._versions:
            continue
        source = other._data
        (start, end), (first, last) = byte_bounds(target), byte_bounds(source)
        dense = end - start == target.nbytes and last - first == source.nbytes
        same = (start, end, target.strides) == (first, last, source.strides)
        if dense and not same and start < last and first < end:
            raise RuntimeError(
                "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
                "memory location. Please clone() the tensor before performing the operation."
            )


def bump(self: Any) -> None:
    """Count an in-place change, and note where the reader made it."""
    if self._inference:
        return
    versions = self.versions()
    versions[0] += 1
    versions[1:] = (readers_place(sys._getframe(1)),)


def keep_old_value(node: Node, self: Any) -> None:
    """If a slope of this very operator needs the value that is about to go, let the node keep a copy. Of its first
    input only, as in PyTorch: `x.mul_(x)` needs the old value twice, and its backward is an error."""
    name = node.rule.inputs[0]  # type: ignore[union-attr]
    if name not in node.saves:
        return
    saved = getattr(node, "saved_" + name)
    if saved is self or (isinstance(saved, tuple) and saved[0] is self):
        setattr(node, "saved_" + name, old_value(self))


def old_value(self: Any) -> Any:
    """A copy with the history of now. Where saved tensors are packed, it is what goes through the hook."""
    copy = wrap(self._data.copy(), self._requires_grad)
    copy._fn = self._fn
    return copy


def rebase(self: Any, node: Node, output: int = 0) -> None:
    """From now on `self` comes from `node`; a view's base comes from CopySlices, and all its views with it."""
    base = base_of(self)
    if base is self:
        give(base, node, output)
    else:
        give(base, CopySlices(base, self, node))
    renew_views(base)


def renew_views(base: Any) -> None:
    """Once a base has changed, to PyTorch all its views are made anew from it."""
    for ref in base._views or ():
        view = ref()
        if view is None or isinstance(view, StaleView):
            continue
        if why_not(view, ""):
            view.__class__ = stale(view.__class__)
        else:
            give(view, AsStridedBackward0(base, view))


def give(tensor: Any, node: Node, output: int = 0) -> None:
    """From now on `tensor` comes from `node`. If it retains its gradient, then the new one, and no longer the old."""
    if tensor.retains_grad:
        node.retains, node.watched = {output: tensor.grad_fn.retains.pop(tensor.output_nr)}, True
    tensor._fn, tensor._requires_grad = (node, output) if node.outputs > 1 else node, True


class StaleView:
    """A view whose history could not follow a change of its base: no operator can be recorded on it any more."""

    __slots__ = ()

    @property
    def _fn(self) -> Any:
        raise RuntimeError(why_not(self, "its base or another view of its base has been"))

    def __repr__(self) -> str:
        return repr(self.detach())[:-1] + ", grad_fn=<Invalid>)"  # type: ignore[attr-defined]


@functools.cache
def stale(kind: type) -> type:
    """The class that such a tensor of class `kind` gets."""
    return type(kind.__name__, (StaleView, kind), {"__slots__": ()})


class CopySlices(Node):
    """The history of a base after a change through one of its views: the view's part of the gradient goes
    through the node that made the change, the rest goes to what the base was before."""

    __slots__ = ("inner", "spread", "window")
    built_in = True
    saves = ("inner",)

    def __init__(self, base: Any, view: Any, inner: Node):
        self._number = next_number()
        self._shape, self._dtype = base._data.shape, base._data.dtype
        self.window, self.spread = Window(view), spread_out(view._data)
        self.inner: Node | None = inner
        self.edges = ((base._fn or base) if base._requires_grad else None, *inner.edges[1:])

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if self.inner is None:
            raise RuntimeError(FREED)
        first, *rest = self.inner.backward(self.window.replay(F, grad), F, unpack)
        if self.edges[0] is None:
            return (None, *rest)
        if self.spread:
            raise RuntimeError(SPREAD_OUT)  # here, and not at the change: so does PyTorch
        raw = not isinstance(grad, TensorBase)
        mask = self.window.mask(self._shape)
        inside = F.zeros_like(grad) if first is None else self.window.spread(F, first)
        return (F.where(mask if raw else wrap(mask), inside, grad), *rest)

    def release(self) -> None:
        self.inner = None  # PyTorch lets go of it even where it has saved nothing


class AsStridedBackward0(Node):
    """The history of a view after its base was changed: back into the base, at the view's place."""

    __slots__ = ("window",)

    def __init__(self, base: Any, view: Any):
        self._number = next_number()
        self._shape, self._dtype = view._data.shape, view._data.dtype
        self.window = Window(view)
        self.edges = (base._fn,)

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        return (self.window.spread(F, grad),)
