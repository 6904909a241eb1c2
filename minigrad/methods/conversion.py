"""To and from Python's numbers, NumPy's arrays, other types and other devices.

`float(x)`, `x.item()` and `x.tolist()` leave the graph; `x.to(…)` and its short forms stay in it.
Imports dispatch, dtypes and device. Read next: tensor.py.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import dtypes
from ..compiled import OPERATORS
from ..device import device as Device
from ..device import device_of, move
from ..dispatch import wrap
from ..storage import TensorBase


class Conversion(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def item(self) -> Any:
        """The one element as a Python number."""
        if self._data.size != 1:
            raise RuntimeError(f"a Tensor with {self._data.size} elements cannot be converted to Scalar")
        return self._data.item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self._data.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """The same memory as a NumPy array. Raises if it requires grad, unless `force`."""
        if self._requires_grad and not force:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device.type != "cpu":
            if not force:
                raise TypeError(
                    f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the "
                    "tensor to host "
                    "memory first."
                )
            return move(self._data, Device("cpu"))
        return self._data.view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        out = self.numpy()
        return out.astype(dtype) if dtype is not None and dtype != out.dtype else out.copy() if copy else out

    def __bool__(self) -> bool:
        if self._data.size == 0:
            raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
        if self._data.size != 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self._data.item())

    def __float__(self) -> float:
        if self._requires_grad:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
                "Consider using tensor.detach() first.",
                stacklevel=2,
            )
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def _number(self) -> Any:
        if self._data.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._data.item()

    def __index__(self) -> int:
        if self._data.size != 1 or self._data.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._data.item())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self._fn is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                "moment.  "
                "If you were attempting to deepcopy a module, this may be because of a "
                "torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        out = wrap(self._data.copy(), self._requires_grad)
        out.__class__ = type(self)
        memo[id(self)] = out
        if self._grad is not None:
            out._grad = self._grad.__deepcopy__(memo)
        return out

    def to(self, *args: Any, dtype: Any = None, device: Any = None, copy: bool = False) -> Any:
        """This tensor with another type or on another device; itself if it is so already."""
        for arg in args:
            if isinstance(arg, dtypes.dtype):
                dtype = arg
            elif isinstance(arg, TensorBase):
                dtype, device = dtypes.from_numpy(arg._data.dtype), device_of(arg._data)
            else:
                device = arg
        out = self
        if dtype is not None and dtype.numpy != self._data.dtype:
            source = self if dtype.is_floating_point else self.detach()  # integers carry no gradient on
            out = OPERATORS["to_copy"](source, dtype=dtype.numpy)
        if device is not None and Device(device) != out.device:
            out = OPERATORS["to_device"](out, device=Device(device), source=out.device)
        return out.clone() if copy and out is self else out

    def type(self, dtype: Any = None) -> Any:
        """The name of the type, as in "torch.FloatTensor"; or `self` as another type."""
        return f"torch.{self.dtype.legacy}Tensor" if dtype is None else self.to(dtype)

    def type_as(self, other: Any) -> Any:
        """As the type of `other`."""
        return self.to(other.dtype)

    def float(self) -> Any:
        return self.to(dtypes.float32)

    def double(self) -> Any:
        return self.to(dtypes.float64)

    def half(self) -> Any:
        return self.to(dtypes.float16)

    def long(self) -> Any:
        return self.to(dtypes.int64)

    def int(self) -> Any:
        return self.to(dtypes.int32)

    def bool(self) -> Any:
        return self.to(dtypes.bool)

    def cpu(self) -> Any:
        """On the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None) -> Any:
        """On the GPU; an error in PyTorch's words where there is none."""
        return self.to(device="cuda" if device is None else device)
