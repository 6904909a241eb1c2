"""Arithmetic, functions of one variable, comparisons: what works element by element.

`w + x` calls the compiled operator straight away; the named methods (`w.add(x)`) take PyTorch's extra
arguments. Imports dispatch. Read next: methods/in_place.py, the same with an underscore.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..compiled import OPERATORS
from ..storage import TensorBase

_op = OPERATORS


def _pair(name: str, self: Any, other: Any) -> Any:
    """Call a binary operator from a named method, where a wrong operand is a plain TypeError."""
    if not isinstance(self, TensorBase):
        return _pair_numbers(name, self, other)
    out = _op[name](self, other)
    if out is NotImplemented:
        raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")
    return out


def _pair_numbers(name: str, self: Any, other: Any) -> Any:
    """`torch.mul(2, x)`: the number may stand first, as long as a tensor follows."""
    if not isinstance(other, TensorBase) or not isinstance(self, int | float):
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(self).__name__}")
    return _op[name](other.new_tensor(self, dtype=dtypes.number_type(self)), other)


def _tensors(name: str, self: Any, other: Any) -> Any:
    """Call an operator that takes no numbers, as PyTorch's `maximum`."""
    for i, (who, x) in enumerate((("input", self), ("other", other)), 1):
        if not isinstance(x, TensorBase):
            raise TypeError(f"{name}(): argument '{who}' (position {i}) must be Tensor, not {type(x).__name__}")
    return _op[name](self, other)


def widest(self: Any, *numbers: Any) -> dtypes.dtype:
    """The type that `self` and Python numbers make: integers and a float a float, bools and an int an integer."""
    kinds = [self.dtype, *(dtypes.number_type(number) for number in numbers if number is not None)]
    return max(kinds, key=dtypes.category)


def _widened(self: Any, *numbers: Any) -> Any:
    """`self` in the type that it makes with these numbers."""
    return self.to(widest(self, *numbers))


def check_filling(value: Any) -> None:
    """Raise unless the tensor that is to fill places is one number."""
    if value._data.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._data.ndim} dimension(s)."
        )


def limited(self: Any, min: Any, max: Any) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Which operator `clamp(min, max)` is: its name, its tensors, its numbers."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, TensorBase) or isinstance(max, TensorBase):
        if min is None or max is None:  # then nothing lies outside on that side
            limits = np.finfo if self._data.dtype.kind == "f" else np.iinfo
            low, high = limits(self._data.dtype).min, limits(self._data.dtype).max
            min, max = low if min is None else min, high if max is None else max
        return "clamp_tensor", (self, min, max), {}
    return "clamp", (_widened(self, min, max),), {"min": min, "max": max}


class Arithmetic(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    # the operators of Python's grammar
    __add__ = __radd__ = _op["add"]
    __sub__ = _op["sub"]
    __rsub__ = _op["rsub"]
    __mul__ = __rmul__ = _op["mul"]
    __truediv__ = _op["div"]
    __floordiv__ = _op["floor_divide"]
    __neg__ = _op["neg"]
    __abs__ = _op["abs"]
    __lt__ = _op["lt"]
    __le__ = _op["le"]
    __gt__ = _op["gt"]
    __ge__ = _op["ge"]
    __eq__ = _op["eq"]
    __ne__ = _op["ne"]
    __and__ = __rand__ = _op["bitwise_and"]
    __or__ = __ror__ = _op["bitwise_or"]
    __xor__ = __rxor__ = _op["bitwise_xor"]
    __invert__ = _op["bitwise_not"]
    __hash__ = object.__hash__  # defining == takes it away; dicts of tensors go by identity

    def __pos__(self) -> Any:
        return self

    def __rtruediv__(self, other: Any) -> Any:
        return _op["reciprocal"](self) * other

    def __rfloordiv__(self, other: Any) -> Any:
        return _op["floor_divide"](other, self)

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, TensorBase):
            return _op["remainder"](self, other)
        if not isinstance(other, int | float):
            return NotImplemented
        return _op["remainder_scalar"](_widened(self, other), other=other)

    def __rmod__(self, other: Any) -> Any:
        if not isinstance(other, int | float):
            return NotImplemented
        return _op["remainder_of"](_widened(self, other), number=other)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, TensorBase):
            return _op["pow"](self, exponent)
        if not isinstance(exponent, int | float):
            return NotImplemented
        self = _widened(self, exponent)
        if exponent < 0 and self._data.dtype.kind != "f":
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return _op["pow_scalar"](self, exponent=exponent)

    def __rpow__(self, base: float) -> Any:
        return _op["pow_base"](_widened(self, base), base=base)

    # the same by name, with PyTorch's arguments
    def add(self, other: Any, *, alpha: float = 1) -> Any:
        """`self + alpha * other`."""
        return _pair("add", self, other if alpha == 1 else other * alpha)

    def sub(self, other: Any, *, alpha: float = 1) -> Any:
        """`self - alpha * other`."""
        return _pair("sub", self, other if alpha == 1 else other * alpha)

    def mul(self, other: Any) -> Any:
        """`self * other`, element by element."""
        return _pair("mul", self, other)

    def div(self, other: Any, *, rounding_mode: str | None = None) -> Any:
        """`self / other`; integers give floats, unless `rounding_mode` is "floor" or "trunc"."""
        if rounding_mode is None:
            return _pair("div", self, other)
        if rounding_mode not in ("floor", "trunc"):
            raise RuntimeError(
                f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
            )
        return _op["div_rounded"](self, other, rounding_mode=rounding_mode)

    subtract = sub
    multiply = mul
    divide = true_divide = div

    def remainder(self, other: Any) -> Any:
        """What is left of a division that rounds down; it has the sign of `other`."""
        if isinstance(other, int | float):
            return self % other
        return _pair("remainder", self, other)

    def floor_divide(self, other: Any) -> Any:
        """`self // other`. It has no slope: backward through it is an error."""
        return _pair("floor_divide", self, other)

    def pow(self, exponent: Any) -> Any:
        """`self ** exponent`; either may be a number."""
        if isinstance(self, TensorBase):
            return self**exponent
        return exponent.__rpow__(self)

    def square(self) -> Any:
        """`self ** 2`."""
        return self.pow(2)

    neg = negative = _op["neg"]
    abs = absolute = _op["abs"]
    sign = _op["sign"]
    sqrt = _op["sqrt"]
    rsqrt = _op["rsqrt"]
    reciprocal = _op["reciprocal"]
    exp = _op["exp"]
    expm1 = _op["expm1"]
    log = _op["log"]
    log1p = _op["log1p"]
    log2 = _op["log2"]
    sin = _op["sin"]
    cos = _op["cos"]
    tan = _op["tan"]
    sinh = _op["sinh"]
    cosh = _op["cosh"]
    tanh = _op["tanh"]
    sigmoid = _op["sigmoid"]
    erf = _op["erf"]
    floor = _op["floor"]
    ceil = _op["ceil"]
    relu = _op["relu"]

    def round(self, *, decimals: int | None = None) -> Any:
        """To the nearest integer, halves to the even one; or to so many decimals."""
        return _op["round"](self) if decimals is None else _op["round_decimals"](self, decimals=decimals)

    def maximum(self, other: Any) -> Any:
        """The larger of the two, element by element; where they tie, each gets half the gradient."""
        return _tensors("maximum", self, other)

    def minimum(self, other: Any) -> Any:
        """The smaller of the two, element by element; where they tie, each gets half the gradient."""
        return _tensors("minimum", self, other)

    def clamp(self, min: Any = None, max: Any = None) -> Any:
        """Into [min, max]. The slope is 1 inside and on the border, 0 outside."""
        name, tensors, numbers = limited(self, min, max)
        return _op[name](*tensors, **numbers)

    clip = clamp

    def clamp_min(self, min: Any) -> Any:
        """At least `min`."""
        if isinstance(min, TensorBase):
            return _op["clamp_min_tensor"](self, min)
        return _op["clamp_min"](_widened(self, min), min=min)

    def clamp_max(self, max: Any) -> Any:
        """At most `max`."""
        if isinstance(max, TensorBase):
            return _op["clamp_max_tensor"](self, max)
        return _op["clamp_max"](_widened(self, max), max=max)

    def where(self, condition: Any, other: Any) -> Any:
        """`self` where the condition holds, `other` elsewhere."""
        return where(condition, self, other)

    def masked_fill(self, mask: Any, value: Any) -> Any:
        """A copy with `value` where `mask` is True."""
        if mask._data.dtype != bool:
            raise RuntimeError(f"expected BoolTensor for mask, got {mask.dtype}")
        if isinstance(value, TensorBase):
            check_filling(value)
            return _op["masked_fill_tensor"](self, mask, value)
        return _op["masked_fill"](self, mask, value=value)

    # questions
    eq, ne, lt, le, gt, ge = (_op[name] for name in ("eq", "ne", "lt", "le", "gt", "ge"))
    isnan = _op["isnan"]
    isfinite = _op["isfinite"]
    isinf = _op["isinf"]

    def logical_and(self, other: Any) -> Any:
        """True where both are true (not 0)."""
        return _tensors("logical_and", self, other)

    def logical_or(self, other: Any) -> Any:
        """True where at least one is true (not 0)."""
        return _tensors("logical_or", self, other)

    def logical_xor(self, other: Any) -> Any:
        """True where exactly one is true (not 0)."""
        return _tensors("logical_xor", self, other)

    logical_not = _op["logical_not"]

    def equal(self, other: Any) -> bool:
        """True if sizes and all elements are equal."""
        return self._data.shape == other._data.shape and bool((self._data == other._data).all())

    def allclose(self, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
        """True if every |self - other| ≤ atol + rtol · |other|."""
        from numpy import allclose

        return allclose(self._data, other._data, rtol=rtol, atol=atol, equal_nan=equal_nan)


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, `other` elsewhere; with the condition alone, the places where it holds."""
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if condition._data.dtype == np.uint8:
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
            "version of PyTorch. Use a boolean condition instead.",
            stacklevel=2,
        )
        condition = condition.bool()
    elif condition._data.dtype != bool:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype.legacy}"
        )
    return _op["where"](condition, input, other)
