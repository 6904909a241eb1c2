"""Operators that combine two or three others: hypot, atan2, logaddexp, fmod, lerp, addcmul, addcdiv.

In PyTorch, each of them is an operator of its own, with one node. Imports rules, ops/note.py and ops/standard.py.
Read next: ops/choice.py.
"""

import math

from .._machine.backend import cast as _cast
from ..core.rules import op
from .note import note
from .standard import enter, standard_pair


def _over_square(F, part, self, other):
    """`part` divided by the squared distance from the origin; 0 at the origin."""
    square = self * self + other * other
    return F.where(square == 0.0, 0.0, part / square)


standard_pair("atan2", "Atan2Backward0", dtypes="float").slope(
    self=lambda F, grad, self, other: grad * _over_square(F, other, self, other),
    other=lambda F, grad, self, other: grad * _over_square(F, -self, self, other),
)

standard_pair("hypot", "HypotBackward0", dtypes="floating").slope(
    self=lambda F, grad, self, result: grad * (self / result),
    other=lambda F, grad, other, result: grad * (other / result),
)


@op("LogaddexpBackward0", dtypes="floating")
def logaddexp(xp, self, other):
    return xp.logaddexp(self, other)


logaddexp.slope(
    self=lambda F, grad, self, other: grad / (F.exp(other - self) + 1),
    other=lambda F, grad, self, other: grad / (F.exp(self - other) + 1),
)
note(logaddexp, underscore=False)


def _fmod(xp, self, other):
    """The remainder of a division rounded towards 0; it has the sign of `self`."""
    left = xp.remainder(xp.abs(self), xp.abs(other))
    return xp.where(self < 0, -left, left) if xp.isdtype(left.dtype, "integral") else xp.copysign(left, self)


@op("FmodBackward1", dtypes="divide")
def fmod(xp, self, other):
    return _fmod(xp, self, other)


fmod.slope(self=lambda F, grad: grad, other=lambda F, grad, self, other: -grad * F.trunc(self / other))
note(fmod, forms="numbers")


@op("FmodBackward0", dtypes="divide")
def fmod_scalar(xp, self, *, other):
    return _fmod(xp, self, _cast(xp, xp.asarray(other), self.dtype))


fmod_scalar.slope(self=lambda F, grad: grad)


@op("LerpBackward0", dtypes="same")
def lerp(xp, self, end, *, weight):
    return self + weight * (end - self) if abs(weight) < 0.5 else end - (end - self) * (1 - weight)


lerp.slope(self=lambda F, grad, weight: grad * (1 - weight), end=lambda F, grad, weight: grad * weight)


@op("LerpBackward1", dtypes="same")
def lerp_tensor(xp, self, end, weight):
    return xp.where(xp.abs(weight) < 0.5, self + weight * (end - self), end - (end - self) * (1 - weight))


lerp_tensor.slope(
    self=lambda F, grad, weight: grad * (1 - weight),
    end=lambda F, grad, weight: grad * weight,
    weight=lambda F, grad, self, end: grad * (end - self),
)


@op("AddcmulBackward0", dtypes="number")
def addcmul(xp, self, tensor1, tensor2, *, value=1):
    return self + tensor1 * tensor2 * value


addcmul.slope(
    self=lambda F, grad: grad,
    tensor1=lambda F, grad, tensor2, value: grad * (tensor2 * value),
    tensor2=lambda F, grad, tensor1, value: grad * (tensor1 * value),
)
note(addcmul, kernel="addcmul_cpu_out")


@op("AddcdivBackward0")
def addcdiv(xp, self, tensor1, tensor2, *, value=1):
    return self + tensor1 / tensor2 * value


addcdiv.slope(
    self=lambda F, grad: grad,
    tensor1=lambda F, grad, tensor2, value: grad * (value / tensor2),
    tensor2=lambda F, grad, tensor1, tensor2, value: -grad * (tensor1 * value / (tensor2 * tensor2)),
)


# -- degrees -------------------------------------------------------------------------------------


def _enter_scaling(name, node_name, factor):
    """Enter an operator that multiplies by a constant."""

    def value(xp, self):
        return self * factor

    enter(value, name, node_name, dtypes="float").slope(self=lambda F, grad: grad * factor)


_enter_scaling("deg2rad", "Deg2RadBackward0", math.pi / 180)
_enter_scaling("rad2deg", "Rad2DegBackward0", 180 / math.pi)

# -- numbers in the place of nan and inf ---------------------------------------------------------


@op("NanToNumBackward0")
def nan_to_num(xp, self, *, nan=0.0, posinf=None, neginf=None):
    if self.dtype not in (xp.float32, xp.float64):  # integers are never nan or inf
        return xp.asarray(self, copy=True)
    limits = xp.finfo(self.dtype)
    self = xp.where(xp.isnan(self), xp.asarray(nan, dtype=self.dtype), self)
    high, low = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    self = xp.where(self == math.inf, xp.asarray(high, dtype=self.dtype), self)
    return xp.where(self == -math.inf, xp.asarray(low, dtype=self.dtype), self)


nan_to_num.slope(  # a product, as in PyTorch: if the incoming gradient is nan, 0 times it is nan
    self=lambda F, grad, self: grad * F.where(F.isfinite(self), 1.0, F.zeros_like(grad))
)
