"""Elementwise operators: arithmetic, powers, exponentials, trigonometric and step functions.

Each has a value and one slope for each input (core/rules.py explains rules). The formulas are the textbook derivatives;
at corners (`abs` at 0 …) they give PyTorch's choice. `standard(…)` enters a function that the array standard has under
the same name; `note(…)` adds facts about an operator that only other folders read. Imports rules, backend, ops/note.py
and ops/standard.py. Read next: ops/choice.py.
"""

import math
import operator

import numpy as np

from .._machine.backend import cast as _cast
from .._machine.backend import each as _each
from ..core.rules import TABLE, op
from . import words
from .error_function import erf as _erf
from .note import note
from .standard import enter, numpys, standard, standard_pair, twin


def _flat(F, grad):
    """The slope of a step function: zero."""
    return F.zeros_like(grad)


# -- arithmetic ---------------------------------------------------------------------------------


@op("AddBackward0")
def add(xp, self, other):
    return self + other


add.slope(self=lambda F, grad: grad, other=lambda F, grad: grad)
note(add, letters=("1", "1"), tensorflow="AddV2", ufunc="add", exact=True, in_place=operator.iadd)


@op("SubBackward0")
def sub(xp, self, other):
    return self - other


sub.slope(self=lambda F, grad: grad, other=lambda F, grad: -grad)
note(sub, letters=("1", "−1"), tensorflow="Sub", ufunc="subtract", exact=True, in_place=operator.isub)


@op("RsubBackward1")
def rsub(xp, self, other):
    return other - self


rsub.slope(self=lambda F, grad: -grad, other=lambda F, grad: grad)
note(sub, rsub, types=words.subtraction)
note(rsub, one_edge=True)  # a node of this name belongs to a number minus a tensor


@op("MulBackward0")
def mul(xp, self, other):
    return self * other


mul.slope(self=lambda F, grad, other: grad * other, other=lambda F, grad, self: grad * self)
note(mul, letters=("{1}", "{0}"), tensorflow="Mul", ufunc="multiply", exact=True, in_place=operator.imul)


@op("DivBackward0", dtypes="float")
def div(xp, self, other):
    return self / other


div.slope(
    self=lambda F, grad, other: grad / other,
    other=lambda F, grad, self, other: -grad * ((self / other) / other),
)
note(div, letters=("1/{1}", "−{0}/{1}²"), tensorflow="RealDiv", ufunc="divide", exact=True)


@op("DivBackward2", dtypes="divide")
def div_rounded(xp, self, other, *, rounding_mode):
    if rounding_mode == "floor":
        return self // other
    return _cast(xp, xp.trunc(self / other), self.dtype)


div_rounded.slope(self=_flat, other=_flat)
note(div_rounded, kernel="div_floor_cpu")


def _rest(xp, self, other):
    """The remainder of a floor division. A remainder of 0 has the sign of the dividend, as in C, and not of the
    divisor."""
    rest = xp.remainder(self, other)
    return rest if xp.isdtype(rest.dtype, "integral") else xp.where(rest == 0, xp.copysign(rest, self), rest)


@op("RemainderBackward1", dtypes="divide")
def remainder(xp, self, other):
    return _rest(xp, self, other)


remainder.slope(self=lambda F, grad: grad, other=lambda F, grad, self, other: -grad * F.floor(self / other))
note(remainder, tensorflow="FloorMod", forms="numbers")


@op("RemainderBackward0", dtypes="divide")
def remainder_scalar(xp, self, *, other):
    # an integer that does not fit the type wraps around
    return _rest(xp, self, _cast(xp, xp.asarray(other), self.dtype))


remainder_scalar.slope(self=lambda F, grad: grad)


@op("NotImplemented", dtypes="divide")
def remainder_of(xp, other, *, number):
    return _rest(xp, _cast(xp, xp.asarray(number), other.dtype), other)  # an integer wraps around


def _no_slope(name):
    """Make a slope that raises PyTorch's error: the operator has no derivative in PyTorch."""

    def refuse(F, grad):
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return refuse


remainder_of.slope(other=_no_slope("remainder"))
note(remainder_of, kernel="remainder_cpu")
for _name in ("floor_divide", "floor_divide_"):  # the second is the name in place
    standard_pair(_name, "NotImplemented", "floor_divide", dtypes="divide", tensorflow="FloorDiv").slope(
        self=_no_slope(_name), other=_no_slope(_name)
    )
    note(TABLE[_name], kernel="div_floor_cpu", forms="numbers")

standard("neg", "NegBackward0", "negative", tensorflow="Neg", letters=("−1",), words=words.negation).slope(
    self=lambda F, grad: -grad
)
standard("abs", "AbsBackward0", dtypes="number", tensorflow="Abs").slope(self=lambda F, grad, self: grad * F.sign(self))
standard("zeros_like", "ZerosLikeBackward0", tensorflow="ZerosLike", out=False, underscore=False)

# -- powers -------------------------------------------------------------------------------------


@op("PowBackward0")
def pow_scalar(xp, self, *, exponent):
    if exponent is True or exponent is False:
        return xp.asarray(self, copy=True) if exponent else xp.ones_like(self)
    if exponent == 2:
        return self * self
    if exponent in (0.5, -0.5):  # roots and powers differ at -0 and -inf
        root = xp.sqrt(self)
        return root if exponent > 0 else 1 / root
    return self**exponent


pow_scalar.slope(
    self=lambda F, grad, self, exponent: (
        grad * (F.pow_scalar(self, exponent=exponent - 1) * exponent) if exponent else F.zeros_like(grad)
    )
)
note(pow_scalar, tensorflow="Pow", text=lambda exponent: "square({0}{onto})" if exponent == 2 else None)


def _power(xp, self, exponent):
    """`self ** exponent`. Integers to a negative power, an error in NumPy, are 0 (or ±1), as in PyTorch."""
    try:
        return self**exponent
    except ValueError:
        return xp.where((exponent < 0) & (abs(self) != 1), 0, self ** abs(exponent))


@op("MulBackward0", dtypes="keep")
def scale(xp, self, *, alpha):
    """`alpha * other` inside add, sub …, where alpha may have another type; `a * 2` is `mul`."""
    return self * alpha


scale.slope(self=lambda F, grad, alpha: F.scale(grad, alpha=alpha))


# PyTorch's layers and losses add, subtract and multiply by numbers with nodes of these names.


@op("AddBackward1")
def add_number(xp, self, *, number):
    return self + number


@op("SubBackward1")
def sub_number(xp, self, *, number):
    return self - number


@op("MulBackward1")
def mul_number(xp, self, *, number):
    return self * number


add_number.slope(self=lambda F, grad: grad)
sub_number.slope(self=lambda F, grad: grad)
mul_number.slope(self=lambda F, grad, number: grad * number)


@op("AddBackward0")
def add_scaled(xp, self, other, *, alpha):
    """`torch.add(self, other, alpha=alpha)`, for floats."""
    return self + other * alpha


@op("SubBackward0")
def sub_scaled(xp, self, other, *, alpha):
    return self - other * alpha


add_scaled.slope(self=lambda F, grad: grad, other=lambda F, grad, alpha: grad * alpha)
sub_scaled.slope(self=lambda F, grad: grad, other=lambda F, grad, alpha: grad * -alpha)


@op("XlogyBackward0", dtypes="float")
def xlogy(xp, self, other):
    """self · log(other), and 0 where `self` is 0; nan where `other` is nan."""
    product = self * xp.log(other)
    return xp.where((self == 0) & (other == other), xp.zeros_like(product), product)


xlogy.slope(
    self=lambda F, grad, self, other: F.where((self == 0.0) & (other <= 0.0), 0.0, F.xlogy(grad, other)),
    other=lambda F, grad, self, other: grad * self / other,
)
note(xlogy, forms="numbers", number_nodes=("XlogyBackward1", "XlogyBackward2"))


@op("PowBackward1", dtypes="number")
def pow(xp, self, exponent):
    return _power(xp, self, exponent)


pow.slope(
    self=lambda F, grad, self, exponent, result: F.where(  # PyTorch saves the result, whichever gradient is needed
        exponent == 0.0, 0.0, grad * (exponent * self ** (exponent - 1))
    ),
    exponent=lambda F, grad, self, exponent, result: F.where(
        (self == 0.0) & (exponent >= 0.0), 0.0, grad * (result * F.log(self))
    ),
)
note(pow, tensorflow="Pow", ufunc="power", kernel="pow", forms="numbers")


@op("PowBackward2", dtypes="number")
def pow_base(xp, exponent, *, base):
    return _power(xp, _cast(xp, xp.asarray(base), exponent.dtype), exponent)


def _pow_base_slope(F, grad, exponent, result, base):
    if base == 0:
        return F.where(exponent >= 0.0, 0.0, grad * (result * -math.inf))
    return grad * (result * (math.log(base) if base > 0 else math.nan))


pow_base.slope(exponent=_pow_base_slope)
note(pow_base, kernel="pow")

standard("sqrt", "SqrtBackward0", dtypes="float", tensorflow="Sqrt", letters=("1/(2 {out})",)).slope(
    self=lambda F, grad, result: grad / (result * 2)
)


@op("RsqrtBackward0", dtypes="float")
def rsqrt(xp, self):
    return 1 / xp.sqrt(self)


rsqrt.slope(self=lambda F, grad, result: grad * (F.pow_scalar(result, exponent=3) * -0.5))
note(rsqrt, tensorflow="Rsqrt")


@op("ReciprocalBackward0", dtypes="float")
def reciprocal(xp, self):
    return 1 / self


reciprocal.slope(self=lambda F, grad, result: -grad * (result * result))
note(reciprocal, tensorflow="Reciprocal")

# -- exponentials and logarithms ----------------------------------------------------------------

standard("exp", "ExpBackward0", dtypes="float", tensorflow="Exp", letters=("{out}",)).slope(
    self=lambda F, grad, result: grad * result
)
standard("expm1", "Expm1Backward0", dtypes="float", tensorflow="Expm1").slope(
    self=lambda F, grad, result: grad * (result + 1)
)
standard("log", "LogBackward0", dtypes="float", tensorflow="Log", letters=("1/{0}",)).slope(
    self=lambda F, grad, self: grad / self
)
standard("log1p", "Log1PBackward0", dtypes="float", tensorflow="Log1p").slope(
    self=lambda F, grad, self: grad / (self + 1)
)
standard("log2", "Log2Backward0", dtypes="float").slope(self=lambda F, grad, self: grad / (self * math.log(2)))
standard("log10", "Log10Backward0", dtypes="float").slope(self=lambda F, grad, self: grad / (self * math.log(10)))


@op("Exp2Backward0", dtypes="float")
def exp2(xp, self):
    return xp.pow(xp.asarray(2, dtype=self.dtype), self)


exp2.slope(self=lambda F, grad, result: grad * (result * math.log(2)))


@op("ErfBackward0", dtypes="float")
def erf(xp, self):
    return _erf(xp, self)


@op("ErfcBackward0", dtypes="float")
def erfc(xp, self):
    return _each(math.erfc, xp, self)


erf.slope(self=lambda F, grad, self: grad * (F.exp(-(self * self)) * (2 / math.sqrt(math.pi))))
erfc.slope(self=lambda F, grad, self: grad * (F.exp(-(self * self)) * (-2 / math.sqrt(math.pi))))
note(erf, tensorflow="Erf")

# -- circles and hyperbolas ---------------------------------------------------------------------

standard("sin", "SinBackward0", dtypes="float", tensorflow="Sin", letters=("cos {0}",)).slope(
    self=lambda F, grad, self: grad * F.cos(self)
)
standard("cos", "CosBackward0", dtypes="float", tensorflow="Cos", letters=("−sin {0}",)).slope(
    self=lambda F, grad, self: grad * -F.sin(self)
)
standard("tan", "TanBackward0", dtypes="float", tensorflow="Tan").slope(
    self=lambda F, grad, result: grad * (result * result + 1)
)
standard("sinh", "SinhBackward0", dtypes="float", tensorflow="Sinh").slope(
    self=lambda F, grad, self: grad * F.cosh(self)
)
standard("cosh", "CoshBackward0", dtypes="float", tensorflow="Cosh").slope(
    self=lambda F, grad, self: grad * F.sinh(self)
)
standard("tanh", "TanhBackward0", dtypes="float", tensorflow="Tanh", letters=("1 − {out}²",)).slope(
    self=lambda F, grad, result: grad * (1 - result * result)
)
standard("asin", "AsinBackward0", dtypes="float").slope(self=lambda F, grad, self: grad * F.rsqrt(1 - self * self))
standard("acos", "AcosBackward0", dtypes="float").slope(self=lambda F, grad, self: grad * -F.rsqrt(1 - self * self))
standard("atan", "AtanBackward0", dtypes="float").slope(self=lambda F, grad, self: grad / (self * self + 1))
standard("asinh", "AsinhBackward0", dtypes="float").slope(self=lambda F, grad, self: grad * F.rsqrt(self * self + 1))
standard("acosh", "AcoshBackward0", dtypes="float").slope(self=lambda F, grad, self: grad * F.rsqrt(self * self - 1))
standard("atanh", "AtanhBackward0", dtypes="float").slope(self=lambda F, grad, self: grad / (1 - self * self))


@op("SigmoidBackward0", dtypes="float")
def sigmoid(xp, self):
    return 1 / (1 + xp.exp(-self))


sigmoid.slope(self=lambda F, grad, result: grad * ((1 - result) * result))
note(sigmoid, letters=("{out}(1 − {out})",), tensorflow="Sigmoid")

# -- steps --------------------------------------------------------------------------------------


def _rounding(name, node_name, **how):
    """Enter `xp.name(self)`. Integers are copied: up to 2.0, NumPy returns floats for them, or the same array."""

    def value(xp, self):
        whole = xp is np and self.dtype.kind in "iu"
        return self.copy() if whole else getattr(xp, name)(self)

    if getattr(np, name)(np.ones(1, "int64")).dtype == "int64":  # then NumPy's own function does the same
        how |= numpys(name)
    enter(value, name, node_name, dtypes="number", **how).slope(self=_flat)


_rounding("floor", "FloorBackward0", tensorflow="Floor", kernel="floor_vml_cpu")
_rounding("ceil", "CeilBackward0", tensorflow="Ceil", kernel="ceil_vml_cpu")
_rounding("round", "RoundBackward0", tensorflow="Round", kernel="round_vml_cpu")
_rounding("trunc", "TruncBackward0", kernel="trunc_vml_cpu")


@op("FracBackward0", dtypes="floating")
def frac(xp, self):
    return self - xp.trunc(self)


frac.slope(self=lambda F, grad: grad)


@op("RoundBackward1", dtypes="floating")
def round_decimals(xp, self, *, decimals):
    # divide by a power of ten, which is exact, not by its rounded inverse
    scale = 10.0**decimals if decimals > 0 else 10.0**-decimals
    return xp.round(self * scale) / scale if decimals > 0 else xp.round(self / scale) * scale


round_decimals.slope(self=_flat)


@op("SignBackward0")
def sign(xp, self):
    if self.dtype == xp.bool:
        return xp.asarray(self, copy=True)
    signs = xp.sign(self)
    total = xp.sum(signs)
    if total != total:  # there is a nan, which has no sign
        signs = xp.where(signs == signs, signs, xp.zeros_like(signs))
    return signs


sign.slope(self=_flat)
sgn = twin(sign, "sgn", "SgnBackward0")
sgn.slope(self=lambda F, grad, self, result: F.zeros_like(grad))  # PyTorch's node saves both
note(sign, tensorflow="Sign")
