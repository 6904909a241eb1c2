"""Arithmetic and choices: functions that work element by element, and take more arguments than tensors.

Each is written once: `add` here is `minigrad.add(w, x)` and, because the class below names it, also `w.add(x)`.
`w + x` calls the operator of _call/operators.py directly; the named functions take PyTorch's extra arguments.
Imports operators. Read next: in_place.py, the forms with an underscore.
"""

import numpy as np

from ..._call.arguments import NUMBER, no_combination, number, takes_operands, takes_tensors
from ..._call.check import broadcast, type_name
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._machine import dtypes
from ..._messages.foreign import not_ours
from ..._messages.once import warn_once
from ...core.tensor import wrap
from ...ops import TABLE
from ...ops.note import known
from .named import name_for_numbers

OPERAND = TensorBase | NUMBER
PLAIN = {int, float, type(None)}  # beside a tensor of floats, these change no type

# -- one tensor ------------------------------------------------------------------------------------


@takes_tensors
@known(out=True)
def square(input):
    """y = x². The derivative is 2x.

    >>> x = torch.tensor([1.0, -3.0], requires_grad=True)
    >>> torch.square(x).sum().backward()
    >>> x.grad
    tensor([ 2., -6.])
    """
    return input.pow(2)


@takes_tensors
def round(input, *, decimals=None):
    """Round to the nearest integer, halves to the even one; with `decimals`, to so many decimals.

    >>> torch.round(torch.tensor([0.5, 1.5, -1.7])), torch.round(torch.tensor(3.14159), decimals=2)
    (tensor([ 0.,  2., -2.]), tensor(3.1400))
    """
    return _op["round"](input) if decimals is None else _op["round_decimals"](input, decimals=decimals)


# -- two operands ----------------------------------------------------------------------------------


def _tensors(name, input, other):
    """Call an operator that takes no numbers, such as PyTorch's `maximum`."""
    if not isinstance(input, TensorBase) or not isinstance(other, TensorBase):
        raise TypeError(f"{name}() takes tensors")
    return _op[name](input, other)


def _operands(name, input, other):
    """Raise unless both are tensors or numbers, because NumPy would accept a list."""
    if not isinstance(input, OPERAND) or not isinstance(other, OPERAND):
        raise TypeError(f"{name}() takes tensors and numbers")
    if not isinstance(input, TensorBase) and not isinstance(other, TensorBase):
        raise no_combination(name, input, other)


def _both(name, input, other):
    """Call an operator for two tensors, or for a tensor and a number on either side."""
    _operands(name, input, other)
    return name_for_numbers(TABLE[name], _op[name](input, other), input, other)


@takes_operands
def add(input, other, *, alpha=1):
    """`input + alpha * other`. Raises RuntimeError if the sizes do not broadcast.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.add(w, 10.0, alpha=2)
    tensor([21., 22.], grad_fn=<AddBackward0>)
    """
    return _sum("add", input, other, alpha)


@takes_operands
def sub(input, other, *, alpha=1):
    """`input - alpha * other`. Raises RuntimeError for bools, and if the sizes do not broadcast.

    >>> torch.sub(torch.tensor([5, 7]), torch.tensor([1, 2]), alpha=2)
    tensor([3, 3])
    """
    return _sum("sub", input, other, alpha)


def _sum(name, input, other, alpha):
    """`input + alpha * other`, or their difference; for tensors of floats, one operator includes alpha."""
    product = scaled(name, input, other, alpha, at_once=True)
    return _op[name](input, product) if product is not None else _op[f"{name}_scaled"](input, other, alpha=alpha)


def scaled(name, input, other, alpha, kept=None, at_once=False):
    """`alpha * other` in the type of `input + other`, which `alpha` must fit. `kept` is the type of an in-place sum.

    With `at_once`, None if a single operator can do all of it.
    """
    if type(alpha) is int and alpha == 1:
        return other
    kinds = [x.dtype if isinstance(x, TensorBase) else dtypes.number_type(x) for x in (input, other)]
    if name == "sub" and dtypes.bool in kinds:
        return other  # the subtraction itself raises the error
    ranks = [2 if np.ndim(getattr(x, "_data", 0)) else int(isinstance(x, TensorBase)) for x in (input, other)]
    common = dtypes.result_type(list(zip(kinds, ranks, strict=True)))
    if kept is not None and dtypes.category(common) > dtypes.category(kept):
        return other  # the sum itself raises the error
    broadcast(np.shape(input), np.shape(other))
    if isinstance(alpha, bool) and common is not dtypes.bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and not common.is_floating_point:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if common is dtypes.bool:
        return other if alpha else False
    if not isinstance(other, TensorBase):
        return other * alpha
    if at_once and common.is_floating_point:
        return None
    other = other.to(common)  # alpha is not saved, so backward has nothing to free for it
    return _op["scale"](other, alpha=alpha) if common.is_floating_point else other * alpha


@takes_operands
def mul(input, other):
    """`input * other`, element by element. Raises RuntimeError if the sizes do not broadcast.

    >>> w, x = torch.tensor(3.0, requires_grad=True), torch.tensor(4.0)
    >>> torch.mul(w, x).backward()
    >>> w.grad  # what w was multiplied by
    tensor(4.)
    """
    return _op["mul"](input, other)


@takes_operands
def div(input, other, *, rounding_mode=None):
    """`input / other`; integers give floats, unless `rounding_mode` is "floor" or "trunc".

    >>> torch.div(torch.tensor([7, -7]), 2), torch.div(torch.tensor([7, -7]), 2, rounding_mode="floor")
    (tensor([ 3.5000, -3.5000]), tensor([ 3, -4]))
    """
    if rounding_mode is None:
        return _op["div"](input, other)
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    return _op["div_rounded"](input, other, rounding_mode=rounding_mode)


true_divide = div


@takes_operands
def remainder(input, other):
    """The remainder of a division that rounds down; it has the sign of `other`.

    Raises RuntimeError for integers divided by 0.

    >>> torch.remainder(torch.tensor([7, -7]), 3)
    tensor([1, 2])
    """
    _operands("remainder", input, other)
    return input % other if isinstance(other, int | float) else _op["remainder"](input, other)


@takes_operands
def floor_divide(input, other):
    """`input // other`. It has no derivative: backward through it is an error, and so is dividing integers by 0.

    >>> torch.floor_divide(torch.tensor([7, -7]), 2)
    tensor([ 3, -4])
    """
    return _op["floor_divide"](input, other)


@takes_operands
def pow(input, exponent):
    """`input ** exponent`; either may be a number. Raises RuntimeError for integers to the power of a negative integer.

    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> torch.pow(x, 3).backward()
    >>> x.grad  # 3x²
    tensor(12.)
    """
    _operands("pow", input, exponent)
    return input**exponent


@takes_tensors
def maximum(input, other):
    """The larger of the two, element by element; where they are equal, each gets half the gradient.

    >>> a, b = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0.0, 2.0])
    >>> torch.maximum(a, b).sum().backward()
    >>> a.grad
    tensor([1.0000, 0.5000])
    """
    return _tensors("maximum", input, other)


@takes_tensors
def minimum(input, other):
    """The smaller of the two, element by element; where they are equal, each gets half the gradient.

    >>> torch.minimum(torch.tensor([1, 5]), torch.tensor([3, 4]))
    tensor([1, 4])
    """
    return _tensors("minimum", input, other)


def logical_not(input):
    """True where the element is false (0).

    >>> torch.logical_not(torch.tensor([0, 1, 2]))
    tensor([ True, False, False])
    """
    return _op["logical_not"](input)


@takes_tensors
def logical_and(input, other):
    """True where both are true (not 0).

    >>> torch.logical_and(torch.tensor([True, True]), torch.tensor([0, 2]))
    tensor([False,  True])
    """
    return _tensors("logical_and", input, other)


@takes_tensors
def logical_or(input, other):
    """True where at least one is true (not 0).

    >>> torch.logical_or(torch.tensor([True, False]), torch.tensor([0, 0]))
    tensor([ True, False])
    """
    return _tensors("logical_or", input, other)


@takes_tensors
def logical_xor(input, other):
    """True where exactly one is true (not 0).

    >>> torch.logical_xor(torch.tensor([True, True]), torch.tensor([True, False]))
    tensor([False,  True])
    """
    return _tensors("logical_xor", input, other)


@takes_tensors
def equal(input, other) -> bool:
    """True if the sizes and all elements are equal.

    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2])), torch.equal(torch.ones(2), torch.ones(3))
    (True, False)
    """
    return input._data.shape == other._data.shape and bool((input._data == other._data).all())


@takes_tensors
def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False) -> bool:
    """True if every |input - other| ≤ atol + rtol · |other|. Raises RuntimeError if the types differ.

    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.000001, 2.0]))
    True
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    return np.allclose(input._data, other._data, rtol=rtol, atol=atol, equal_nan=equal_nan)


# -- choices -------------------------------------------------------------------------------------


@takes_operands
def where(condition, input=None, other=None):
    """`input` where the condition is true, `other` elsewhere; with the condition alone, the indices where it is true.

    Raises RuntimeError unless the condition is a tensor of bools.

    >>> x = torch.tensor([-1.0, 2.0], requires_grad=True)
    >>> torch.where(x > 0, x, 0.1 * x).sum().backward()
    >>> x.grad
    tensor([0.1000, 1.0000])
    """
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if condition._data.dtype == np.uint8:
        warn_once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
            "version of PyTorch. Use a boolean condition instead.",
            stacklevel=3,
        )
        condition = condition.bool()
    elif condition._data.dtype != bool:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype.legacy}"
        )
    if not all(isinstance(x, TensorBase | NUMBER) for x in (input, other)):
        given = ", ".join(type_name(x) for x in (condition, input, other))
        raise TypeError(f"where() received an invalid combination of arguments - got ({given}), but expected one of:")
    for tensor, x in ((input, other), (other, input)):
        if type(x) is int and isinstance(tensor, TensorBase):
            _held("where", tensor, x)
    return _op["where"](condition, input, other)


@takes_tensors
def masked_fill(input, mask, value):
    """A copy with `value` where `mask` is True. Raises RuntimeError unless the mask is a tensor of bools.

    >>> scores = torch.tensor([1.0, 2.0, 3.0])
    >>> torch.masked_fill(scores, torch.tensor([False, False, True]), -torch.inf).softmax(0)
    tensor([0.2689, 0.7311, 0.0000])
    """
    check_filling(mask, value)
    if isinstance(value, TensorBase):
        return _op["masked_fill_tensor"](input, mask, value)
    return _op["masked_fill"](input, mask, value=number("masked_fill", "value", 2, value, input._data.dtype))


def check_filling(mask, value):
    """Raise unless the mask has bools and `value`, if it is a tensor, has no axes."""
    if mask._data.dtype != bool:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.c_name}")
    if isinstance(value, TensorBase) and value._data.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._data.ndim} dimension(s)."
        )


@takes_tensors
def clamp(input, min=None, max=None):
    """Limit to [min, max]. The derivative is 1 inside and on the border, 0 outside. Raises RuntimeError without either.

    >>> x = torch.tensor([-2.0, 0.5, 2.0], requires_grad=True)
    >>> torch.clamp(x, -1, 1).sum().backward()
    >>> x.grad
    tensor([0., 1., 0.])
    """
    name, tensors, numbers = limited(input, min, max)
    return _op[name](*tensors, **numbers)


@takes_tensors
def clamp_min(input, min):
    """Each element, or `min` if that is larger.

    >>> torch.clamp_min(torch.tensor([-2, 3]), 0)
    tensor([0, 3])
    """
    if isinstance(min, TensorBase):
        return _op["clamp_min_tensor"](input, min)
    name, tensors, numbers = limited(input, min, None)
    return _op["clamp_min"](*tensors, min=numbers["min"])


@takes_tensors
def clamp_max(input, max):
    """Each element, or `max` if that is smaller.

    >>> torch.clamp_max(torch.tensor([-2, 3]), 0)
    tensor([-2,  0])
    """
    if isinstance(max, TensorBase):
        return _op["clamp_max_tensor"](input, max)
    name, tensors, numbers = limited(input, None, max)
    return _op["clamp_max"](*tensors, max=numbers["max"])


def limited(input, min, max):
    """The operator that does `clamp(min, max)`: its name, its tensors, its numbers."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if input._data.dtype.kind == "f" and type(min) in PLAIN and type(max) in PLAIN:
        return "clamp", (input,), {"min": min, "max": max}  # the general code below gives the same
    if isinstance(min, TensorBase) or isinstance(max, TensorBase):
        tensors = [x for x in (input, min, max) if isinstance(x, TensorBase)]
        kind = dtypes.result_type([(x.dtype, 2 if x._data.ndim else 1) for x in tensors]).numpy
        ends: tuple[float, float] = (-np.inf, np.inf) if kind.kind == "f" else (False, True)
        if kind.kind in "iu":
            ends = np.iinfo(kind).min, np.iinfo(kind).max
        if min is not None and max is not None:
            _no_bools("clamp_cpu", kind)
        low, high = ends  # no number is outside these
        return "clamp_tensor", (input, low if min is None else min, high if max is None else max), {}
    which = "clamp" if min is not None and max is not None else "clamp_max" if min is None else "clamp_min"
    kind = widest(input, min, max).numpy
    _no_bools(which + "_scalar_cpu", kind)
    if kind.kind in "iu":  # -1 is 255 among bytes
        min, max = (None if end is None else number("clamp", "min", 1, end, kind) for end in (min, max))
    return "clamp", (_widened(input, min, max),), {"min": min, "max": max}


def _no_bools(name, kind):
    if kind == np.bool_:
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


def widest(input, *numbers):
    """The type that `input` and Python numbers make: integers with a float make floats, bools with an int integers."""
    kinds = [input.dtype, *(dtypes.number_type(number) for number in numbers if number is not None)]
    return max(kinds, key=dtypes.category)


def _widened(input, *numbers):
    """`input` converted to the type that it makes with these numbers."""
    return input.to(widest(input, *numbers))


def _held(name, input, x):
    """A Python number as this integer type holds it: -1 is 255 for bytes; a number that does not fit is an error."""
    return x if x is None or input._data.dtype.kind not in "iu" else number(name, "value", 1, x, input._data.dtype)


class Arithmetic(TensorBase):
    """Mixed into Tensor: the functions above as methods, and Python's operators."""

    __slots__ = ()

    round, square, pow = round, square, pow
    add, sub, mul, div, true_divide = add, sub, mul, div, true_divide
    remainder, floor_divide, maximum, minimum = remainder, floor_divide, maximum, minimum
    clamp, clamp_min, clamp_max, masked_fill = clamp, clamp_min, clamp_max, masked_fill
    equal, allclose = equal, allclose
    logical_and, logical_or, logical_xor, logical_not = logical_and, logical_or, logical_xor, logical_not

    __add__ = __radd__ = _op["add"]
    __sub__, __rsub__ = _op["sub"], _op["rsub"]
    __mul__ = __rmul__ = _op["mul"]
    __truediv__, __floordiv__ = _op["div"], _op["floor_divide"]
    __neg__, __abs__, __invert__ = _op["neg"], _op["abs"], _op["bitwise_not"]
    __lt__, __le__, __gt__, __ge__ = _op["lt"], _op["le"], _op["gt"], _op["ge"]
    __ne__ = _op["ne"]
    __and__ = __rand__ = _op["bitwise_and"]
    __or__ = __ror__ = _op["bitwise_or"]
    __xor__ = __rxor__ = _op["bitwise_xor"]
    __hash__ = object.__hash__  # defining == removes it; dicts of tensors compare by identity

    def where(self, condition, other):
        """`self` where the condition is true, `other` elsewhere."""
        return where(condition, self, other)

    def __pos__(self):
        return self

    def __eq__(self, other):
        return _op["eq"](self, wrap(other) if isinstance(other, np.ndarray) else other)  # NumPy would not ask it

    def __rtruediv__(self, other):
        if not isinstance(other, NUMBER | np.ndarray):
            return not_ours(other)
        return _op["reciprocal"](self) * other

    def __rfloordiv__(self, other):
        return _op["floor_divide"](other, self)

    def __mod__(self, other):
        if not isinstance(other, TensorBase | NUMBER):
            return not_ours(other)
        if isinstance(other, int | float):
            return _op["remainder_scalar"](_widened(self, other), other=other)
        return _op["remainder"](self, other)

    def __rmod__(self, other):
        if not isinstance(other, int | float):
            return not_ours(other)
        return _op["remainder_of"](_widened(self, other), number=other)

    def __pow__(self, exponent):
        if type(exponent) in PLAIN and self._data.dtype.kind == "f" and exponent is not None:
            return _op["pow_scalar"](self, exponent=exponent)  # the general code below gives the same
        if not isinstance(exponent, OPERAND):
            return not_ours(exponent)
        if not isinstance(exponent, int | float):
            return _op["pow"](self, exponent)
        if exponent < 0 and self._data.dtype.kind != "f" and isinstance(exponent, int):
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        wide = _widened(self, exponent)
        return _op["pow_scalar"](wide, exponent=_held("pow", wide, exponent))

    def __rpow__(self, base):
        if not isinstance(base, NUMBER):
            return not_ours(base)
        return _op["pow_base"](_widened(self, base), base=base)


__all__ = [name for name in vars(Arithmetic) if name in globals() and name[0] != "_"]  # as functions: minigrad.exp
