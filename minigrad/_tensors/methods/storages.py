"""The memory behind a tensor, as PyTorch's old `storage()` shows it, and `resize_`, which uses it in another size.

A tensor's memory is the whole array of the tensor that it is a view of. Imports inplace and views.
Read next: _engine/views.py.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ..._call.arguments import takes_tensors
from ..._call.check import sizes
from ..._engine.storage import NO_VERSIONS, TensorBase
from ..._engine.switches import untraceable
from ..._engine.views import base_of
from ..._messages.names import Printed, refuse_given
from ..._messages.once import warn_once
from ...core.modes import switched
from ...core.tensor import wrap
from ..inplace import bump, refuse_change, shape_in_place

DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
    "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
    "tensor.untyped_storage() instead of tensor.storage()"
)
SHARED = (
    "Trying to resize storage that is not resizable: minigrad does not enlarge memory that another tensor or a NumPy "
    "array shares. Call clone() first."
)
HAS_VIEWS = (
    "resize_() to another number of elements: PyTorch does this to a view, or to a tensor that has views, minigrad "
    "does not. Call clone() first."
)


class StoragePrinted(Printed):
    """The class prints its name as PyTorch's."""

    called = "torch.storage"


class TypedStorage(metaclass=StoragePrinted):
    """All numbers in a tensor's memory, in their order there: the result of `x.storage()`."""

    def __init__(self, numbers: Any):
        self._numbers = numbers  # a tensor of one axis, without history

    @property
    def dtype(self) -> Any:
        """The type of the numbers."""
        return self._numbers.dtype

    @property
    def device(self) -> Any:
        """The device of the numbers."""
        return self._numbers.device

    def size(self) -> int:
        """The number of elements."""
        return self._numbers.numel()

    __len__ = size

    def tolist(self) -> list[Any]:
        """The numbers as a list of Python numbers."""
        return self._numbers.tolist()

    def data_ptr(self) -> int:
        """The address of the first number."""
        return self._numbers.data_ptr()

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __getitem__(self, index: int) -> Any:
        if type(index) is slice:
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if type(index) is not int:
            kind = TypeError if type(index) is bool else RuntimeError
            raise kind(f"can't index a {TypedStorage} with {type(index)}")
        if not -self.size() <= index < self.size():
            raise IndexError(f"index {index} out of range for storage of size {self.size()}")
        return self._numbers[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) not in (int, slice):
            raise RuntimeError(f"can't index a {TypedStorage} with {type(index)}")
        self._numbers[index] = value

    def _as_tensor(self, dtype: Any) -> Any:
        """A tensor of one axis on this memory: `torch.Tensor(x.storage())`."""
        if dtype is not self.dtype:
            wanted = f"Expected a Storage of type {dtype.legacy} or an UntypedStorage"
            raise RuntimeError(f"{wanted}, but got type {self.dtype.legacy} for argument 1 'storage'")
        return self._numbers.detach()

    def __repr__(self) -> str:
        lines = "".join(f" {number}\n" for number in self) or " \n"
        kind = f"{type(self)!r}"[len("<class '") : -len("'>")]
        return f"{lines}[{kind}(dtype={self.dtype}, device={self.device}) of size {self.size()}]"


class Storages(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def storage(self) -> TypedStorage:
        """The memory behind the tensor, or behind the tensor that it is a view of, as a list of numbers.

        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> import warnings
        >>> with warnings.catch_warnings(action="ignore"):  # PyTorch, too, would like you not to use it
        ...     x.t().storage().tolist()
        [1.0, 2.0, 3.0, 4.0]
        """
        if switched:
            untraceable("reads the numbers of a tensor")
        warn_once(DEPRECATED)
        return TypedStorage(wrap(memory(base_of(self))))

    def resize_(self, *n: Any, size: Any = None, memory_format: Any = None) -> Any:
        """Give this tensor another size; its numbers keep their order in memory. A smaller tensor keeps its memory; in
        a larger one, the new numbers are 0 here, and undefined in PyTorch."""
        if not n and size is None:
            raise TypeError('resize_() missing 1 required positional arguments: "size"')
        if memory_format is not None:
            refuse_given("resize_", memory_format=memory_format)
        wanted = sizes(n or (size,), "resize_")
        if self._requires_grad:
            raise RuntimeError("cannot resize variables that require grad")
        if any(n < 0 for n in wanted):
            raise RuntimeError("numel: integer multiplication overflow")
        return resize(self, wanted)

    @takes_tensors
    def resize_as_(self, the_template: Any, *, memory_format: Any = None) -> Any:
        """`resize_` to the size of `the_template`."""
        return self.resize_(the_template._data.shape, memory_format=memory_format)


def memory(tensor: Any) -> Any:
    """The memory of a tensor that is not a view, as a vector: after `resize_`, perhaps more than its elements."""
    data, whole = tensor._data, tensor._memory
    if whole is not None and whole.ctypes.data == data.ctypes.data and whole.dtype == data.dtype:
        return whole
    if not isinstance(data, np.ndarray) or data.flags.c_contiguous:
        return data.reshape(-1)
    length = 1 + sum((n - 1) * step for n, step in zip(data.shape, data.strides, strict=True)) // data.itemsize
    return np.lib.stride_tricks.as_strided(data, (length,), (data.itemsize,))


def resize(tensor: Any, size: tuple[int, ...]) -> Any:
    """Give `tensor`, which does not require grad, this size on its memory."""
    data, count = tensor._data, math.prod(size)
    if size == data.shape:
        return tensor
    if count == data.size and data.flags.c_contiguous:
        return shape_in_place("view", tensor, ("view", {"size": data.shape}), size=size)
    refuse_change("resize_", tensor)
    views = tensor.versions()[2] if tensor._versions is not NO_VERSIONS else None
    if tensor._view is not None or any(ref() is not None for ref in views or ()):
        raise RuntimeError(HAS_VIEWS)
    whole = memory(tensor)
    if count > whole.size:
        more = np.zeros(count, whole.dtype)
        more[: whole.size] = whole
        del data, whole  # now only the tensor refers to its memory
        if not alone(tensor):
            raise RuntimeError(SHARED)
        whole = more
    show(tensor, whole, size)
    bump(tensor)
    return tensor


def show(tensor: Any, whole: Any, size: tuple[int, ...]) -> None:
    """Make `tensor` use the beginning of this memory."""
    tensor._memory, tensor._data = whole, whole[: math.prod(size)].reshape(size)


def alone(tensor: Any) -> bool:
    """Does no other tensor or array refer to this memory? The reference counts are compared with those of a new tensor
    that is made in the same way."""
    data, like = tensor._data, wrap(np.zeros(2))
    if tensor._memory is not None:
        show(like, memory(like), (1,))
    elif data.base is not None:
        like._data = like._data.reshape(-1)
    del data
    return held(tensor) == held(like)


def held(tensor: Any) -> list[int]:
    """The reference counts of the array, of the array that it is a view of, and so on; 0 for other kinds of memory."""
    array, counts = tensor._data, []
    while array is not None:
        counts.append(sys.getrefcount(array) if isinstance(array, np.ndarray) else 0)
        array = getattr(array, "base", None)
    return counts
