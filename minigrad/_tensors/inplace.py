"""Operators that overwrite their first input: `x.add_(1)`, `w -= lr * g`, `x[0] = 3`.

The value is computed by the ordinary operator, then written into the tensor's memory. The version counter increases, so
that backward can detect that a saved value was overwritten. If gradients flow, the tensor's history is rebased onto the
new node: _engine/views.py explains how, and which tensors may not be changed.
Imports core, operators and views. Read next: methods/in_place.py, which calls `in_place`.
"""

from __future__ import annotations

import sys
import weakref
from numbers import Number
from typing import Any

import numpy as np
from numpy import ndarray

from .._call.operators import OPERATORS
from .._engine.nodes import Node
from .._engine.overlap import OVERLAP, among_itself, as_read, meets, one_by_one, refuse_memory, spread_out
from .._engine.storage import TensorBase
from .._engine.switches import modes
from .._engine.views import rebase, refuse, renew, reshaped, settled, shadow, unsettle
from .._machine import dtypes
from .._machine.backend import SILENT
from .._messages.places import fold_our_frames, readers_place
from ..core.tensor import wrap
from ..ops import TABLE


def in_place(name: str, self: Any, *others: Any, **params: Any) -> Any:
    """Overwrite `self` with the operator's result, and return it."""
    asking = [t for t in others if isinstance(t, TensorBase) and t._requires_grad] if modes.recording else []
    recording = modes.recording and bool(self._requires_grad or asking)
    if name == "copy" and self._data.dtype.kind != "f":  # copying floats into integers has no derivative
        recording, asking = False, []
    try:
        refuse(self, recording)
        for other in asking:
            settled(other)
    except RuntimeError as error:
        if not all(isinstance(other, TensorBase | Number) for other in others):
            return NotImplemented  # Python then reports that the two operands don't go together
        fold_our_frames(error)
        raise
    if len(others) == 1 and TABLE[name].kind == "elementwise" and name != "copy" and among_itself(self, others[0]):
        others = (in_turn(name, self, others[0], params),)
    if recording or not without_temporary(name, self, others):
        refuse_layout(name, self, others, params)
        out = OPERATORS[name](old_value(self) if modes.saved_hooks else self, *others, **params)
        if out is NotImplemented:
            return NotImplemented
        overwrite(self, out)
    else:
        bump(self)
    return self


def overwrite(self: Any, out: Any) -> None:
    """Give `self` the numbers of `out`, and its history if it has one: `out` was computed from `self`."""
    target, result, node = self._data, out._data, out._fn
    if result.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(result.shape)}"
        )
    made, kept = dtypes.from_numpy(result.dtype), dtypes.from_numpy(target.dtype)
    if dtypes.category(made) > dtypes.category(kept):
        raise RuntimeError(f"result type {made.legacy} can't be cast to the desired output type {kept.legacy}")
    if node is not None:
        keep_old_value(node, self)
    if target.size:  # an empty tensor may be written to even where NumPy refuses
        # elements of an expanded tensor share memory: write only those that have changed
        written = result != target if spread_out(target) else ...
        SILENT.run(target.__setitem__, written, result[written])  # a number may overflow in a smaller type
    bump(self)
    if node is not None:
        node._dtype = target.dtype  # the tensor's own type, not that of the operator's result
        if getattr(node, "saved_result", None) is not None and not modes.saved_hooks:
            node.saved_result = (target, self.versions(), self.versions()[0])
        rebase(self, node)
        if self._view is not None:
            node.shown_as = weakref.ref(self._fn)  # PyTorch's error about a change names this node while it exists


def in_turn(name: str, self: Any, other: Any, params: dict[str, Any]) -> Any:
    """The operand, with the values that PyTorch's loop reads while it overwrites the same memory."""
    if is_leaf(other) or spread_out(self._data):  # the second is an error, which comes later
        return other
    places = one_by_one(self._data, other._data)
    fits = zip(reversed(self._data.shape), reversed(other._data.shape), strict=False)
    if places is None or not all(n == m or m == 1 for n, m in fits):
        return other
    spread = wrap(np.broadcast_to(other._data, self._data.shape))
    value = TABLE[name].value
    one = SILENT.run(value, np, self._data.flat[:1], spread._data.flat[:1], **params)
    if one.dtype.kind == "f" != self._data.dtype.kind:  # the result doesn't fit, which is an error that comes later
        return other
    found = SILENT.run(as_read, self, spread, zip(places, places, strict=True), lambda a, b: value(np, a, b, **params))
    return replaced(other, found)


def is_leaf(tensor: Any) -> bool:
    """Is this tensor a leaf that gets a gradient?"""
    return bool(modes.recording and tensor._requires_grad and tensor._fn is None)


def replaced(tensor: Any, data: Any) -> Any:
    """A tensor of these numbers, with the history of `tensor` if the mode records."""
    if not modes.recording:
        return wrap(data)
    out = wrap(data, tensor._requires_grad)
    out._fn = tensor._fn if tensor._requires_grad else None
    return out


def shape_in_place(name: str, self: Any, back: tuple[str, dict[str, Any]], **params: Any) -> Any:
    """Change the shape of `self` without moving its numbers: `x.t_()`. `back` is the view operator that undoes it;
    other views of this memory are then derived from `self` through it."""
    recording = modes.recording and self._requires_grad
    refuse(self, recording)
    before = shadow(self)
    made = OPERATORS[name](before, **params)
    self._data, fn = made._data, made._fn
    bump(self)
    reshaped(self, before, TABLE[name], params, TABLE[back[0]], back[1])
    if recording:
        renew(self, fn)
    return self


def without_temporary(name: str, self: Any, others: tuple[Any, ...]) -> bool:
    """Let NumPy compute in the tensor's own memory, if all arrays have the same size and type. That saves a temporary
    array, which matters in `w -= lr * w.grad` and `w.grad.zero_()`."""
    data, there = self._data, getattr(TABLE[name], "in_place", None)
    if there is None or type(data) is not ndarray or 0 in data.strides or data.dtype == bool:
        return False
    for other in others:
        array = getattr(other, "_data", None)
        if type(array) is not ndarray or array.dtype is not data.dtype or array.shape != data.shape:
            return False
    for other in others:
        if meets(self, other) == "across":
            raise RuntimeError(OVERLAP)
    SILENT.run(there, data, *(other._data for other in others))
    return True


def refuse_writing(self: Any, *others: Any) -> None:
    """Autograd's checks, which come first: may `self` be changed, and has each of the others a valid history?"""
    asking = [t for t in (self, *others) if isinstance(t, TensorBase) and t._requires_grad] if modes.recording else []
    refuse(self, bool(asking))
    for other in asking:
        if other is not self:
            settled(other)


def refuse_change(name: str, self: Any, *others: Any) -> None:
    """The checks that `in_place` makes before it compares sizes and types."""
    refuse_writing(self, *others)
    refuse_layout(name, self, others)


def refuse_layout(name: str, self: Any, others: tuple[Any, ...], params: Any = None) -> None:
    """Raise if this memory can't be written to. For bools, PyTorch first reports that the operator does not exist."""
    try:
        refuse_memory(name, self, others, params)
    except RuntimeError:
        tensors = [x.detach() if isinstance(x, TensorBase) else x for x in (self, *others)]
        if name in ("neg", "sub", "relu") and any(x.dtype is dtypes.bool for x in tensors if isinstance(x, TensorBase)):
            OPERATORS[name](*tensors)
        raise


def bump(self: Any) -> None:
    """Count an in-place change, and note the line of the user's program that made it."""
    if self._inference:
        if not modes.inference:  # at this point, PyTorch has already written
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
                "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more "
                "details."
            )
        return
    versions = self.versions()
    versions[0] += 1
    versions[1] = readers_place(sys._getframe(1))
    if versions[2]:
        unsettle(self)


def keep_old_value(node: Node, self: Any) -> None:
    """If a derivative of this operator needs the value that is about to be overwritten, save a copy in the node. As in
    PyTorch, only of the first input: `x.mul_(x)` needs the old value twice, and its backward raises an error."""
    name = node.rule.inputs[0]  # type: ignore[union-attr]
    if name not in node.saves:
        return
    saved = getattr(node, "saved_" + name)
    if saved is self or (isinstance(saved, tuple) and saved[0] is self):
        setattr(node, "saved_" + name, old_value(self))


def old_value(self: Any) -> Any:
    """A copy with the current history. With hooks on saved tensors, this copy is what they pack."""
    copy = wrap(self._data.copy(), self._requires_grad)
    copy._fn = self._fn
    return copy
