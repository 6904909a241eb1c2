"""Operators that select one of their inputs for each element: the gradient goes to the selected input.

At ties of `maximum` and at the bounds of `clamp`, the gradients are PyTorch's.
Imports backend, rules, ops/note.py, ops/sizes.py and ops/standard.py. Read next: ops/question.py.
"""

from .._machine import backend
from ..core.rules import TABLE, op
from . import words
from .note import note
from .sizes import same
from .standard import standard_pair, twin


def _winner(F, grad, mine, theirs):
    """The whole gradient where this input was selected, half of it at a tie."""
    return F.where(mine == theirs, grad * 0.5, F.where(mine < theirs, 0.0, grad))


standard_pair("maximum", "MaximumBackward0", tensorflow="Maximum", exact=True, underscore=False).slope(
    self=lambda F, grad, self, other: _winner(F, grad, self, other),
    other=lambda F, grad, self, other: _winner(F, grad, other, self),
)
standard_pair("minimum", "MinimumBackward0", tensorflow="Minimum", exact=True, underscore=False).slope(
    self=lambda F, grad, self, other: _winner(F, grad, other, self),
    other=lambda F, grad, self, other: _winner(F, grad, self, other),
)


@op("ClampBackward1")
def clamp(xp, self, *, min=None, max=None):
    if min is not None:
        self = xp.maximum(min, self)  # in this order: of two zeros, `maximum` returns the second, so -0. is kept
    return self if max is None else xp.minimum(max, self)


def _inside(self, min, max):
    if min is None or max is None:
        return self >= min if max is None else self <= max
    return (self >= min) & (self <= max)


clamp.slope(self=lambda F, grad, self, min, max: F.where(_inside(self, min, max), grad, 0.0))
note(clamp, tensorflow="ClipByValue", fresh=False)


@op("ClampMinBackward0")
def clamp_min(xp, self, *, min):
    return xp.maximum(min, self)


clamp_min.slope(self=lambda F, grad, self, min: F.where(self >= min, grad, 0.0))


@op("ClampMaxBackward0")
def clamp_max(xp, self, *, max):
    return xp.minimum(max, self)


clamp_max.slope(self=lambda F, grad, self, max: F.where(self <= max, grad, 0.0))


@op("ClampMinBackward1")
def clamp_min_tensor(xp, self, min):
    return xp.maximum(self, min)


clamp_min_tensor.slope(
    self=lambda F, grad, self, min: F.where(self >= min, grad, 0.0),
    min=lambda F, grad, self, min: F.where(self < min, grad, 0.0),
)


@op("ClampMaxBackward1")
def clamp_max_tensor(xp, self, max):
    return xp.minimum(self, max)


clamp_max_tensor.slope(
    self=lambda F, grad, self, max: F.where(self <= max, grad, 0.0),
    max=lambda F, grad, self, max: F.where(self > max, grad, 0.0),
)


@op("ClampBackward0")
def clamp_tensor(xp, self, min, max):
    return xp.minimum(xp.maximum(self, min), max)


clamp_tensor.slope(
    self=lambda F, grad, self, min, max: F.where((self >= min) & (self <= max), grad, 0.0),
    min=lambda F, grad, self, min, max: F.where((min < max) & (self < min), grad, 0.0),
    max=lambda F, grad, self, min, max: F.where((self > max) | (max < min), grad, 0.0),
)


@op("WhereBackward0", kind="choice", fixed=1)
def where(xp, condition, self, other):
    return backend.where(xp, condition, self, other)


where.slope(
    self=lambda F, grad, condition: F.where(condition, grad, 0.0),
    other=lambda F, grad, condition: F.where(condition, 0.0, grad),
)
note(where, tensorflow="Select", text="where({0}, {1}, {2})", exact=True)


@op("CopyBackwards", dtypes="keep")
def copy(xp, self, src):
    """The numbers of `src` in the size and type of `self`, as `self.copy_(src)` writes them."""
    return xp.broadcast_to(backend.cast(xp, src, self.dtype), self.shape)


copy.slope(self=lambda F, grad: F.zeros_like(grad), src=lambda F, grad: grad)
note(copy, shape=same, fresh=False)
twin(copy, "fill_tensor", "FillBackward3")  # also used by `x[:] = value`
note(copy, words=words.overwritten)


@op("FillBackward2", dtypes="keep")
def fill(xp, self, *, value=0):
    return xp.full(self.shape, value, dtype=self.dtype)


fill.slope(self=lambda F, grad: F.zeros_like(grad))
twin(fill, "zero", "ZeroBackward0")
note(TABLE["zero"], in_place=lambda array: array.fill(0))


@op("MaskedFillBackward0", kind="choice", dtypes="keep")
def masked_fill(xp, self, mask, *, value):
    return xp.where(mask, xp.asarray(value, dtype=self.dtype), self)


masked_fill.slope(self=lambda F, grad, mask: F.masked_fill(grad, mask, value=0))
note(masked_fill, in_order=True, words=words.masked, out=False)


@op("MaskedFillBackward1", kind="choice", dtypes="keep")
def masked_fill_tensor(xp, self, mask, value):
    return xp.where(mask, backend.cast(xp, value, self.dtype), self)


masked_fill_tensor.slope(
    self=lambda F, grad, mask: F.masked_fill(grad, mask, value=0),
    value=lambda F, grad, mask: F.where(mask, grad, 0.0),
)
note(masked_fill_tensor, in_order=True)
