"""A tensor's properties: sizes, type, device, memory; and Python's methods of a sequence.

Imports dtypes, device, check and operators. Read next: conversion.py.
"""

from __future__ import annotations

import math
from typing import Any

from ..._call.check import axis
from ..._call.operators import OPERATORS
from ..._engine.overlap import steps
from ..._engine.storage import TensorBase
from ..._machine import dtypes
from ..._machine.device import device as Device
from ..._machine.device import device_of
from ..._messages.names import Printed


class Size(tuple[int, ...], metaclass=Printed):
    """A size: a tuple that prints as PyTorch's does; its slices are sizes too.

    >>> Size((2, 3)), Size((2, 3)).numel(), Size((2, 3))[1:]
    (torch.Size([2, 3]), 6, torch.Size([3]))
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __getitem__(self, index: Any) -> Any:
        part = tuple.__getitem__(self, index)
        return Size(part) if type(index) is slice else part

    def __add__(self, other: tuple[int, ...]) -> Size:  # type: ignore[override]
        return Size(tuple.__add__(self, other))

    def numel(self) -> int:
        """The number of elements of a tensor of this size."""
        return math.prod(self)


class Attributes(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    @property
    def shape(self) -> Size:
        """The lengths of the axes."""
        return Size(self._data.shape)

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.from_numpy(self._data.dtype)

    @property
    def device(self) -> Device:
        """The device of the numbers: cpu, or cuda:0."""
        return device_of(self._data)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._data.ndim

    @property
    def is_cuda(self) -> bool:
        """Are the numbers on a GPU?"""
        return self.device.type == "cuda"

    @property
    def nbytes(self) -> int:
        """The bytes of all elements together."""
        return self._data.nbytes

    def size(self, dim: int | None = None) -> Any:
        """The lengths of the axes, or of one of them."""
        return self.shape if dim is None else self._data.shape[axis(dim, self._data.ndim)]

    def dim(self) -> int:
        """The number of axes."""
        return self._data.ndim

    def numel(self) -> int:
        """The number of elements.

        >>> torch.zeros(2, 3).numel()
        6
        """
        return math.prod(self._data.shape)

    def element_size(self) -> int:
        """The bytes of one element."""
        return self._data.itemsize

    def stride(self, dim: int | None = None) -> Any:
        """The distance in memory, in elements, between neighbours along each axis, or along one."""
        found = steps(self)
        return found if dim is None else found[axis(dim, len(found))]

    def storage_offset(self) -> int:
        """The number of elements in memory from the start of the tensor that this is a view of to its first element."""
        base = self if self._view is None else self._view[0]
        return (self.data_ptr() - base._data.ctypes.data) // self._data.itemsize

    def data_ptr(self) -> int:
        """The address of the first element."""
        return int(self._data.ctypes.data)

    def is_floating_point(self) -> bool:
        """True for float16, float32, float64.

        >>> torch.ones(1).is_floating_point(), torch.arange(2).is_floating_point()
        (True, False)
        """
        return bool(self._data.dtype.kind == "f")

    def __len__(self) -> int:
        if not self._data.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self._data.shape[0]

    def __iter__(self) -> Any:
        if not self._data.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, TensorBase | int | float):
            raise RuntimeError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
            )
        return bool(OPERATORS["eq"](self, element).any())
