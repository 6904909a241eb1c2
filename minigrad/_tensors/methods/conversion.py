"""Conversions to and from Python's numbers, NumPy's arrays, other types and other devices.

`float(x)`, `x.item()` and `x.tolist()` leave the graph; `x.to(…)` and its short forms stay in it.
Imports core, operators, dtypes and device. Read next: tensor.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._call.arguments import no_combination, no_tensor, takes_tensors
from ..._call.operators import OPERATORS
from ..._engine.storage import TensorBase
from ..._engine.switches import modes, untraceable
from ..._machine import dtypes
from ..._machine.device import device as Device
from ..._machine.device import device_of, move
from ..._messages.names import refuse_given
from ..._messages.once import warn_once
from ...core.modes import switched
from ...core.tensor import wrap
from ..copies import deepcopied, reduced

READS = "reads the numbers of a tensor"  # a trace can't record this


def named_type(kind: Any) -> dtypes.dtype:
    """The dtype for a dtype, an older type such as `torch.FloatTensor`, `torch.Tensor` itself, or the name of one."""
    if isinstance(kind, dtypes.dtype):
        return kind
    if not isinstance(kind, str | type) and not hasattr(kind, "__name__") and not hasattr(kind, "dtype"):
        raise TypeError("dtype must be a type, str, or dtype object")
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    short = name.removeprefix("torch.")
    if isinstance(getattr(kind, "dtype", None), dtypes.dtype):
        return kind.dtype
    if short == "Tensor":
        return dtypes.get_default_dtype()
    for dtype in dtypes.dtype.of.values():
        if name == f"torch.{dtype.legacy}Tensor":
            return dtype
    raise ValueError(f"invalid type: '{name}'")


class Conversion(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def item(self) -> Any:
        """The single element as a Python number."""
        if switched:
            untraceable(READS)
        if self._data.size != 1:
            raise RuntimeError(f"a Tensor with {self._data.size} elements cannot be converted to Scalar")
        return self._data.item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        if switched:
            untraceable(READS)
        return self._data.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """The same memory as a NumPy array. Raises if the tensor requires grad (except under no_grad) or is on a GPU,
        unless `force`."""
        if switched:
            untraceable(READS)
        if self._requires_grad and modes.grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device.type != "cpu" and not force:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                "host memory first."
            )
        return move(self._data, Device("cpu")).view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """The result of NumPy's own functions on a tensor, `np.tanh(t)` or `t + array`, as a tensor without a history;
        bools become bytes, as in PyTorch."""
        if array.dtype.kind not in "fiub":
            return array
        return wrap(array.astype("uint8") if array.dtype == bool else array)

    def __bool__(self) -> bool:
        if switched:
            untraceable(READS)
        if self._data.size != 1:
            values = "more than one value" if self._data.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")
        return bool(self._data.item())

    def __float__(self) -> float:
        if modes.grad and self.requires_grad:
            warn_once(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first.",
            )
        return float(self._scalar())

    def __int__(self) -> int:
        return int(self._scalar())

    def _scalar(self) -> Any:
        if switched:
            untraceable(READS)
        if self._data.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._data.item()

    def __index__(self) -> int:
        if switched:
            untraceable(READS)
        if self._data.size != 1 or self._data.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._data.item())

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        return deepcopied(self, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return reduced(self)

    def to(
        self,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        other: Any = None,
        copy: bool = False,
        non_blocking: Any = False,
        memory_format: Any = None,
    ) -> Any:
        """This tensor with another type or on another device; the tensor itself if nothing changes.

        `other` is a tensor whose type and device are taken. `non_blocking` has no effect: a move is complete on return.
        """
        if memory_format is not None:
            refuse_given("to", memory_format=memory_format)
        if not copy.__class__ is non_blocking.__class__ is bool:
            raise no_combination("to", *args, copy=copy, non_blocking=non_blocking)
        if other is not None:
            args = (other, *args)
        for arg in args:
            if isinstance(arg, TensorBase):
                dtype, device = arg.dtype, arg.device
            elif isinstance(arg, dtypes.dtype):
                dtype = arg
            elif isinstance(arg, type):
                dtype = dtypes.python_type(arg)
            else:
                device = arg
        out = self
        if isinstance(dtype, type):
            dtype = dtypes.python_type(dtype)
            if isinstance(dtype, type):
                raise no_combination("to", *args)
        if dtype is not None and dtype.numpy != self._data.dtype:
            source = self if dtype.is_floating_point else self.detach()  # gradients do not flow through integers
            out = OPERATORS["to_copy"](source, dtype=dtype.numpy)
        if device is not None and Device(device) != device_of(out._data):
            out = OPERATORS["to_device"](out, device=Device(device), source=out.device)
        return out.clone() if copy and out is self else out

    @takes_tensors
    def type(self, dtype: Any = None, non_blocking: Any = False) -> Any:
        """The name of the type, such as "torch.FloatTensor"; with an argument, `self` as another type, given as a
        dtype, as `torch.DoubleTensor` or as that name."""
        if isinstance(dtype, TensorBase):
            raise TypeError("dtype must be a type, str, or dtype object")
        return f"torch.{self.dtype.legacy}Tensor" if dtype is None else self._as(dtype)

    def _as(self, kind: Any) -> Any:
        """Converted to another type; "torch.cuda.FloatTensor" also names the device."""
        if isinstance(kind, str) and kind.startswith("torch.cuda."):
            return self.to(device="cuda", dtype=named_type(kind.replace(".cuda", "")))
        return self.to(named_type(kind))

    def type_as(self, other: Any) -> Any:
        """`self` with the type of `other`."""
        if not isinstance(other, TensorBase):
            raise no_tensor("type_as", "other", 1, other)
        return self.to(dtypes.from_numpy(other._data.dtype))

    def byte(self) -> Any:
        """As uint8."""
        return self.to(dtypes.uint8)

    def char(self) -> Any:
        """As int8."""
        return self.to(dtypes.int8)

    def short(self) -> Any:
        """As int16."""
        return self.to(dtypes.int16)

    def float(self) -> Any:
        """As float32."""
        return self.to(dtypes.float32)

    def double(self) -> Any:
        """As float64."""
        return self.to(dtypes.float64)

    def half(self) -> Any:
        """As float16."""
        return self.to(dtypes.float16)

    def long(self) -> Any:
        """As int64."""
        return self.to(dtypes.int64)

    def int(self) -> Any:
        """As int32."""
        return self.to(dtypes.int32)

    def bool(self) -> Any:
        """As bool."""
        return self.to(dtypes.bool)

    def cpu(self, memory_format: Any = None) -> Any:
        """On the CPU."""
        return self.to(device="cpu", memory_format=memory_format)

    def cuda(self, device: Any = None, non_blocking: Any = False, memory_format: Any = None) -> Any:
        """On the GPU; PyTorch's error if there is none."""
        return self.to(device="cuda" if device is None else device, memory_format=memory_format)
