"""Functions that are just an operator of the table: `exp`, `eq`, `bitwise_and` …

Each `def` here gives the signature and the docstring for `help` and editors; the operator runs, and its mathematics is
in ops/. `exp` is `minigrad.exp(x)` and, because the class below names it, also `x.exp()`.
Imports operators and arguments. Read next: arithmetic.py.
"""

from typing import Any

from ..._call.arguments import takes_operands
from ..._call.operators import OPERATORS
from ..._engine.storage import TensorBase


def operator(described: Any) -> Any:
    """The operator of this name, with the docstring of this `def`."""
    function = OPERATORS[described.__name__]
    function.__doc__, function.__module__ = described.__doc__, described.__module__
    return function


# -- signs and whole numbers -----------------------------------------------------------------------


@operator
def neg(input):
    """y = -x. Bools have no negative: RuntimeError.

    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """


@operator
def abs(input):
    """y = |x|. The derivative is the sign of x, and 0 at 0.

    >>> x = torch.tensor([-2.0, 0.0, 3.0], requires_grad=True)
    >>> torch.abs(x).sum().backward()
    >>> x.grad
    tensor([-1.,  0.,  1.])
    """


@operator
def sign(input):
    """y = -1, 0 or 1: the sign of x. The derivative is 0.

    >>> torch.sign(torch.tensor([-2.5, 0.0, 7.0]))
    tensor([-1.,  0.,  1.])
    """


@operator
def sgn(input):
    """-1, 0 or 1: the sign of x.

    >>> torch.sgn(torch.tensor([-2.5, 0.0, 7.0]))
    tensor([-1.,  0.,  1.])
    """


@operator
def floor(input):
    """y = ⌊x⌋, the largest integer that is not above x. The derivative is 0.

    >>> torch.floor(torch.tensor([1.7, -1.2]))
    tensor([ 1., -2.])
    """


@operator
def ceil(input):
    """y = ⌈x⌉, the smallest integer that is not below x. The derivative is 0.

    >>> torch.ceil(torch.tensor([1.2, -1.7]))
    tensor([ 2., -1.])
    """


@operator
def trunc(input):
    """y = x without its fractional part. The derivative is 0.

    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """


@operator
def frac(input):
    """y = x - trunc(x), the fractional part. The derivative is 1.

    >>> torch.frac(torch.tensor([1.25, -1.25]))
    tensor([ 0.2500, -0.2500])
    """


# -- roots, powers, logarithms ---------------------------------------------------------------------


@operator
def sqrt(input):
    """y = √x; nan below 0. The derivative is 1 / (2y), and so inf at 0.

    >>> x = torch.tensor([4.0, 0.0], requires_grad=True)
    >>> torch.sqrt(x).sum().backward()
    >>> x.grad
    tensor([0.2500,    inf])
    """


@operator
def rsqrt(input):
    """y = 1 / √x. The derivative is -y³ / 2.

    >>> torch.rsqrt(torch.tensor([4.0, 0.25]))
    tensor([0.5000, 2.0000])
    """


@operator
def reciprocal(input):
    """y = 1 / x. The derivative is -y².

    >>> x = torch.tensor([2.0, -4.0], requires_grad=True)
    >>> torch.reciprocal(x).sum().backward()
    >>> x.grad
    tensor([-0.2500, -0.0625])
    """


@operator
def exp(input):
    """y = eˣ. The derivative is y itself, so only y must be saved.

    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> y = torch.exp(x)
    >>> y.sum().backward()
    >>> y.detach(), x.grad
    (tensor([1.0000, 2.7183]), tensor([1.0000, 2.7183]))
    """


@operator
def exp2(input):
    """y = 2ˣ. The derivative is y · log 2.

    >>> torch.exp2(torch.tensor([0.0, 3.0, -1.0]))
    tensor([1.0000, 8.0000, 0.5000])
    """


@operator
def expm1(input):
    """y = eˣ - 1, exact near 0 too, where eˣ is rounded to 1.

    >>> x = torch.tensor(1e-8)
    >>> torch.expm1(x), torch.exp(x) - 1
    (tensor(1.0000e-08), tensor(0.))
    """


@operator
def log(input):
    """y = log x, the natural logarithm; -inf at 0, nan below. The derivative is 1 / x.

    >>> x = torch.tensor([1.0, 0.5], requires_grad=True)
    >>> torch.log(x).sum().backward()
    >>> x.grad
    tensor([1., 2.])
    """


@operator
def log1p(input):
    """y = log(1 + x), exact near 0 too, where 1 + x is rounded to 1.

    >>> x = torch.tensor(1e-8)
    >>> torch.log1p(x), torch.log(1 + x)
    (tensor(1.0000e-08), tensor(0.))
    """


@operator
def log2(input):
    """y = log₂ x. The derivative is 1 / (x · log 2).

    >>> torch.log2(torch.tensor([1.0, 8.0, 0.5]))
    tensor([ 0.,  3., -1.])
    """


@operator
def log10(input):
    """y = log₁₀ x. The derivative is 1 / (x · log 10).

    >>> torch.log10(torch.tensor([0.01, 1.0, 100.0]))
    tensor([-2.0000,  0.0000,  2.0000])
    """


# -- trigonometric and hyperbolic functions --------------------------------------------------------


@operator
def sin(input):
    """y = sin x, of an angle in radians. The derivative is cos x.

    >>> x = torch.tensor([0.0, torch.pi / 2], requires_grad=True)
    >>> y = torch.sin(x)
    >>> y.sum().backward()
    >>> y.detach(), x.grad.round(decimals=4)
    (tensor([0., 1.]), tensor([1., -0.]))
    """


@operator
def cos(input):
    """y = cos x, of an angle in radians. The derivative is -sin x.

    >>> torch.cos(torch.tensor([0.0, torch.pi / 3, torch.pi]))
    tensor([ 1.0000,  0.5000, -1.0000])
    """


@operator
def tan(input):
    """y = tan x = sin x / cos x, of an angle in radians. The derivative is 1 + y².

    >>> torch.tan(torch.tensor([0.0, torch.pi / 4]))
    tensor([0., 1.])
    """


@operator
def sinh(input):
    """y = (eˣ - e⁻ˣ) / 2. The derivative is cosh x.

    >>> torch.sinh(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.1752,  0.0000,  1.1752])
    """


@operator
def cosh(input):
    """y = (eˣ + e⁻ˣ) / 2. The derivative is sinh x.

    >>> torch.cosh(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([1.5431, 1.0000, 1.5431])
    """


@operator
def tanh(input):
    """y = (eˣ - e⁻ˣ) / (eˣ + e⁻ˣ), between -1 and 1. The derivative is 1 - y²: nearly 0 far from 0.

    >>> x = torch.tensor([0.0, 1.0, 10.0], requires_grad=True)
    >>> y = torch.tanh(x)
    >>> y.sum().backward()
    >>> y.detach(), x.grad
    (tensor([0.0000, 0.7616, 1.0000]), tensor([1.0000, 0.4200, 0.0000]))
    """


@operator
def asin(input):
    """y = arcsin x, the angle whose sine is x; nan outside [-1, 1]. The derivative is 1 / √(1 - x²).

    >>> torch.asin(torch.tensor([0.0, 1.0, 2.0]))
    tensor([0.0000, 1.5708,    nan])
    """


@operator
def acos(input):
    """y = arccos x, the angle whose cosine is x; nan outside [-1, 1]. The derivative is -1 / √(1 - x²).

    >>> torch.acos(torch.tensor([0.0, 1.0, 2.0]))
    tensor([1.5708, 0.0000,    nan])
    """


@operator
def atan(input):
    """y = arctan x, the angle whose tangent is x. The derivative is 1 / (1 + x²).

    >>> torch.atan(torch.tensor([0.0, 1.0, -torch.inf]))
    tensor([ 0.0000,  0.7854, -1.5708])
    """


@operator
def asinh(input):
    """y = log(x + √(x² + 1)), the inverse of `sinh`. The derivative is 1 / √(x² + 1).

    >>> torch.asinh(torch.tensor([0.0, 1.1752]))
    tensor([0.0000, 1.0000])
    """


@operator
def acosh(input):
    """y = log(x + √(x² - 1)), the inverse of `cosh`; nan below 1. The derivative is 1 / √(x² - 1).

    >>> torch.acosh(torch.tensor([1.0, 1.5431, 0.0]))
    tensor([0.0000, 1.0000,    nan])
    """


@operator
def atanh(input):
    """y = ½ log((1 + x) / (1 - x)), the inverse of `tanh`; nan outside [-1, 1]. The derivative is 1 / (1 - x²).

    >>> torch.atanh(torch.tensor([0.0, 0.7616, 1.0]))
    tensor([0.0000, 1.0000,    inf])
    """


# -- functions of statistics and networks ----------------------------------------------------------


@operator
def sigmoid(input):
    """y = 1 / (1 + e⁻ˣ), between 0 and 1. The derivative is y (1 - y), at most ¼.

    >>> x = torch.tensor([-5.0, 0.0, 5.0], requires_grad=True)
    >>> y = torch.sigmoid(x)
    >>> y.sum().backward()
    >>> y.detach(), x.grad
    (tensor([0.0067, 0.5000, 0.9933]), tensor([0.0066, 0.2500, 0.0066]))
    """


@operator
def erf(input):
    """y = 2/√π ∫₀ˣ exp(-t²) dt, the error function. The derivative is 2/√π · exp(-x²).

    >>> torch.erf(torch.tensor([0.0, 0.5, 2.0]))
    tensor([0.0000, 0.5205, 0.9953])
    """


@operator
def erfc(input):
    """y = 1 - erf(x), exact for large x too, where erf(x) is rounded to 1.

    >>> torch.erfc(torch.tensor([0.0, 5.0])), 1 - torch.erf(torch.tensor([0.0, 5.0]))
    (tensor([1.0000e+00, 1.5375e-12]), tensor([1., 0.]))
    """


@operator
def relu(input):
    """y = max(0, x). The derivative is 1 above 0, and 0 elsewhere, also at 0.

    >>> x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    >>> torch.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """


# -- tests of numbers ------------------------------------------------------------------------------


@operator
def isnan(input):
    """True where x is nan ("not a number", such as 0 / 0).

    >>> torch.isnan(torch.tensor([1.0, torch.nan, torch.inf]))
    tensor([False,  True, False])
    """


@operator
def isinf(input):
    """True where x is inf or -inf.

    >>> torch.isinf(torch.tensor([1.0, torch.nan, -torch.inf]))
    tensor([False, False,  True])
    """


@operator
def isfinite(input):
    """True where x is neither nan nor inf nor -inf.

    >>> torch.isfinite(torch.tensor([1.0, torch.nan, -torch.inf]))
    tensor([ True, False, False])
    """


@operator
def signbit(input):
    """True where x has a minus sign; -0.0 has one, too.

    >>> torch.signbit(torch.tensor([1.0, -2.0, 0.0, -0.0]))
    tensor([False,  True, False,  True])
    """


# -- angles ----------------------------------------------------------------------------------------


@operator
def deg2rad(input):
    """y = x · π / 180: from degrees to radians.

    >>> torch.deg2rad(torch.tensor([180.0, 45.0]))
    tensor([3.1416, 0.7854])
    """


@operator
def rad2deg(input):
    """y = x · 180 / π: from radians to degrees.

    >>> torch.rad2deg(torch.tensor([torch.pi, -torch.pi / 2]))
    tensor([180., -90.])
    """


# -- comparisons -----------------------------------------------------------------------------------


@takes_operands
@operator
def eq(input, other):
    """True where input = other; `input == other` does the same.

    >>> torch.eq(torch.tensor([1, 2, 3]), 2)
    tensor([False,  True, False])
    """


@takes_operands
@operator
def ne(input, other):
    """True where input ≠ other; `input != other` does the same. A nan is not equal to itself.

    >>> x = torch.tensor([1.0, torch.nan])
    >>> torch.ne(x, x)
    tensor([False,  True])
    """


@takes_operands
@operator
def lt(input, other):
    """True where input < other; `input < other` does the same.

    >>> torch.lt(torch.tensor([1, 2, 3]), 2)
    tensor([ True, False, False])
    """


@takes_operands
@operator
def le(input, other):
    """True where input ≤ other; `input <= other` does the same.

    >>> torch.le(torch.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False])
    """


@takes_operands
@operator
def gt(input, other):
    """True where input > other; `input > other` does the same. Sizes broadcast.

    >>> torch.gt(torch.tensor([1, 2, 3]), torch.tensor([[1], [2]]))
    tensor([[False,  True,  True],
            [False, False,  True]])
    """


@takes_operands
@operator
def ge(input, other):
    """True where input ≥ other; `input >= other` does the same.

    >>> torch.ge(torch.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True])
    """


# -- bits ------------------------------------------------------------------------------------------


@operator
def bitwise_not(input):
    """y = ~x: every bit of an integer inverted; for bools, the opposite.

    >>> torch.bitwise_not(torch.tensor([0, 1, -1])), ~torch.tensor([True, False])
    (tensor([-1, -2,  0]), tensor([False,  True]))
    """


@takes_operands
@operator
def bitwise_and(input, other):
    """y = input & other: the bits that both have. Integers and bools only.

    >>> torch.bitwise_and(torch.tensor([6, 5]), 3)
    tensor([2, 1])
    """


@takes_operands
@operator
def bitwise_or(input, other):
    """y = input | other: the bits that at least one has. Integers and bools only.

    >>> torch.bitwise_or(torch.tensor([6, 5]), 3)
    tensor([7, 7])
    """


@takes_operands
@operator
def bitwise_xor(input, other):
    """y = input ^ other: the bits that exactly one has. Integers and bools only.

    >>> torch.bitwise_xor(torch.tensor([6, 5]), 3)
    tensor([5, 6])
    """


@takes_operands
@operator
def bitwise_left_shift(input, other):
    """y = input · 2ᵒᵗʰᵉʳ: the bits of integers moved to the left.

    >>> torch.bitwise_left_shift(torch.tensor([1, 3]), 2)
    tensor([ 4, 12])
    """


@takes_operands
@operator
def bitwise_right_shift(input, other):
    """y = ⌊input / 2ᵒᵗʰᵉʳ⌋: the bits of integers moved to the right.

    >>> torch.bitwise_right_shift(torch.tensor([8, -5]), 1)
    tensor([ 4, -3])
    """


class Pointwise(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    neg, abs, sign, sgn, floor, ceil, trunc, frac, sqrt = neg, abs, sign, sgn, floor, ceil, trunc, frac, sqrt
    rsqrt, reciprocal, exp, exp2, expm1, log, log1p = rsqrt, reciprocal, exp, exp2, expm1, log, log1p
    log2, log10, sin, cos, tan, sinh, cosh, tanh, asin = log2, log10, sin, cos, tan, sinh, cosh, tanh, asin
    acos, atan, asinh, acosh, atanh, sigmoid, erf, erfc = acos, atan, asinh, acosh, atanh, sigmoid, erf, erfc
    relu, isnan, isinf, isfinite, signbit, deg2rad = relu, isnan, isinf, isfinite, signbit, deg2rad
    rad2deg, eq, ne, lt, le, gt, ge, bitwise_not = rad2deg, eq, ne, lt, le, gt, ge, bitwise_not
    bitwise_and, bitwise_or, bitwise_xor = bitwise_and, bitwise_or, bitwise_xor
    bitwise_left_shift, bitwise_right_shift = bitwise_left_shift, bitwise_right_shift


__all__ = [name for name in vars(Pointwise) if name in globals() and name[0] != "_"]  # as functions: minigrad.exp
