"""Methods that overwrite their tensor: PyTorch marks them with an underscore.

Each is the ordinary operator, whose result is written into the tensor's own memory; inplace.py explains this, and what
happens to the history. This file has the methods with arguments or code of their own; overwriting.py makes the others,
such as `exp_`, from their rows. Imports inplace and arguments. Read next: inplace.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._call.arguments import NUMBER, no_combination, number, takes_operands, takes_tensors
from ..._call.check import axes, axis, broadcast
from ..._engine.overlap import refuse_memory
from ..._engine.storage import TensorBase
from ..._engine.switches import modes
from ..._messages.foreign import not_ours
from ...core.tensor import wrap
from ..inplace import in_place, refuse_change, refuse_writing, shape_in_place
from .arithmetic import check_filling, limited, scaled, widest


def _refuse_wider(self: Any, *numbers: Any, name: str = "legacy") -> None:
    """Raise if the result of `self` and these numbers has a type that `self` can't hold."""
    made = widest(self, *numbers)
    if made is not self.dtype:
        kept = getattr(self.dtype, name)  # PyTorch uses two names for it here
        raise RuntimeError(f"result type {made.legacy} can't be cast to the desired output type {kept}")


def _sum_in_place(name: str, self: Any, other: Any, alpha: Any) -> Any:
    """`self += alpha * other`, or `-=`. If it is recorded, one operator includes alpha, so that the node has both
    gradients; if not, the product is added in the memory of `self`."""
    if type(alpha) is not int or alpha != 1:
        refuse_change(name, self, other)
    recorded = modes.recording and (self._requires_grad or getattr(other, "_requires_grad", False))
    product = scaled(name, self, other, alpha, self.dtype, at_once=recorded)
    if product is None:
        return in_place(f"{name}_scaled", self, other, alpha=alpha)
    return in_place(name, self, product)


class InPlace(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    @takes_operands
    def add_(self, other: Any, *, alpha: float = 1) -> Any:
        """`self += alpha * other`."""
        return _sum_in_place("add", self, other, alpha)

    @takes_operands
    def sub_(self, other: Any, *, alpha: float = 1) -> Any:
        """`self -= alpha * other`."""
        return _sum_in_place("sub", self, other, alpha)

    @takes_operands
    def mul_(self, other: Any) -> Any:
        """`self *= other`."""
        return in_place("mul", self, other)

    @takes_operands
    def div_(self, other: Any, *, rounding_mode: str | None = None) -> Any:
        """`self /= other`."""
        if rounding_mode is None:
            return in_place("div", self, other)
        if rounding_mode not in ("floor", "trunc"):
            raise RuntimeError(
                f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
            )
        return in_place("div_rounded", self, other, rounding_mode=rounding_mode)

    @takes_operands
    def floor_divide_(self, other: Any) -> Any:
        """`self //= other`."""
        return in_place("floor_divide_", self, other)

    @takes_operands
    def remainder_(self, other: Any) -> Any:
        """`self %= other`."""
        if isinstance(other, TensorBase):
            return in_place("remainder", self, other)
        if not isinstance(other, NUMBER):
            raise no_combination("remainder_", other)
        refuse_change("remainder", self)
        _refuse_wider(self, other)
        return in_place("remainder_scalar", self, other=other)

    def pow_(self, exponent: Any) -> Any:
        """`self **= exponent`."""
        if isinstance(exponent, TensorBase):
            return in_place("pow", self, exponent)
        if not isinstance(exponent, NUMBER):
            raise no_combination("pow_", exponent)
        if exponent < 0 and self._data.dtype.kind != "f":
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        refuse_change("pow", self)
        _refuse_wider(self, exponent)
        return in_place("pow_scalar", self, exponent=exponent)

    @takes_tensors
    def round_(self, *, decimals: int | None = None) -> Any:
        """`round` in place."""
        return in_place("round", self) if decimals is None else in_place("round_decimals", self, decimals=decimals)

    def square_(self) -> Any:
        """`self **= 2`."""
        return self.pow_(2)

    def __iadd__(self, other: Any) -> Any:
        return in_place("add", self, other)

    def __isub__(self, other: Any) -> Any:
        return in_place("sub", self, other)

    def __imul__(self, other: Any) -> Any:
        return in_place("mul", self, other)

    def __itruediv__(self, other: Any) -> Any:
        return in_place("div", self, other)

    def __ifloordiv__(self, other: Any) -> Any:
        return in_place("floor_divide_", self, other)

    def __imod__(self, other: Any) -> Any:
        return self.remainder_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def __iand__(self, other: Any) -> Any:
        return self.bitwise_and_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def __ior__(self, other: Any) -> Any:
        return self.bitwise_or_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def __ixor__(self, other: Any) -> Any:
        return self.bitwise_xor_(other) if isinstance(other, TensorBase | NUMBER) else not_ours(other)

    def __ipow__(self, exponent: Any) -> Any:
        return self.pow_(exponent) if isinstance(exponent, TensorBase | NUMBER) else not_ours(exponent)

    def clamp_(self, min: Any = None, max: Any = None) -> Any:
        """`clamp` in place."""
        name, (_, *limits), numbers = limited(self, min, max)
        _refuse_wider(self, *numbers.values(), name="c_name")
        return in_place(name, self, *limits, **numbers)

    def clamp_min_(self, min: Any) -> Any:
        """`clamp_min` in place."""
        if isinstance(min, TensorBase):
            return in_place("clamp_min_tensor", self, min)
        _refuse_wider(self, min, name="c_name")
        return in_place("clamp_min", self, min=limited(self, min, None)[2]["min"])

    def clamp_max_(self, max: Any) -> Any:
        """`clamp_max` in place."""
        if isinstance(max, TensorBase):
            return in_place("clamp_max_tensor", self, max)
        _refuse_wider(self, max, name="c_name")
        return in_place("clamp_max", self, max=limited(self, None, max)[2]["max"])

    # methods that change the tensor's own shape

    def t_(self) -> Any:
        """The transpose of a matrix, in place."""
        if self._data.ndim > 2:
            raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {self._data.ndim}D")
        return shape_in_place("t_", self, ("t", {}))

    def transpose_(self, dim0: int, dim1: int) -> Any:
        """Exchange two axes in place."""
        dims = {"dim0": axis(dim0, self._data.ndim), "dim1": axis(dim1, self._data.ndim)}
        return shape_in_place("transpose_", self, ("transpose", dims), **dims)

    def swapaxes_(self, axis0: int, axis1: int) -> Any:
        """`transpose_` under NumPy's name."""
        return self.transpose_(axis0, axis1)

    def swapdims_(self, dim0: int, dim1: int) -> Any:
        """`transpose_` under another name."""
        return self.transpose_(dim0, dim1)

    def unsqueeze_(self, dim: int) -> Any:
        """A new axis of length 1, in place."""
        dim = axis(dim, self._data.ndim + 1)
        return shape_in_place("unsqueeze_", self, ("squeeze_dim", {"dim": (dim,)}), dim=dim)

    @takes_tensors
    def squeeze_(self, dim: Any = None) -> Any:
        """Remove axes of length 1 in place: all of them, or those given."""
        back = ("view", {"size": self._data.shape})
        if dim is None:
            return shape_in_place("squeeze_", self, back)
        name = "squeeze_dims_" if isinstance(dim, tuple | list) else "squeeze_last"
        wanted = axes(dim, self._data.ndim) if self._data.ndim and dim != () else ()
        return shape_in_place(name, self, back, dim=wanted)

    @takes_tensors
    def masked_fill_(self, mask: Any, value: Any) -> Any:
        """`masked_fill` in place."""
        refuse_writing(self, value)
        check_filling(mask, value)
        try:
            broadcast(self._data.shape, mask._data.shape)
        except RuntimeError:
            refuse_memory("masked_fill", self, ())  # PyTorch first warns of memory that is spread out
            raise
        if isinstance(value, TensorBase):
            return in_place("masked_fill_tensor", self, mask, value)
        return in_place("masked_fill", self, mask, value=number("masked_fill_", "value", 2, value, self._data.dtype))

    def zero_(self) -> Any:
        """Set every element to 0."""
        return in_place("zero", self)

    def fill_(self, value: Any) -> Any:
        """Set every element to one number."""
        if not isinstance(value, TensorBase):
            return in_place("fill", self, value=number("fill_", "value", 1, value, self._data.dtype))
        if value._data.ndim:
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value._data.ndim} dimensions."
            )
        return in_place("fill_tensor", self, value)

    @takes_operands
    def copy_(self, other: Any, non_blocking: bool = False) -> Any:
        """Write `other` into this tensor's memory, cast to its type and broadcast to its size."""
        if isinstance(other, NUMBER):
            other = wrap(np.asarray(other))
        return in_place("copy", self, other)
