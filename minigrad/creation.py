"""Tensors from numbers, from NumPy, from nothing, and from the random generator.

Imports tensor and random. Read next: __init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import dtypes, random
from .check import sizes
from .device import CPU, move
from .device import device as Device
from .dispatch import wrap
from .storage import TensorBase


def _finish(array: np.ndarray[Any, Any], dtype: Any, device: Any, requires_grad: bool) -> Any:
    """A leaf around a fresh array."""
    if dtype is not None and array.dtype != dtype.numpy:
        array = array.astype(dtype.numpy)
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    where = CPU if device is None else Device(device)
    return wrap(array if where == CPU else move(array, where), bool(requires_grad))


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A new leaf with a copy of `data`: a number, (nested) lists of numbers, an array or a tensor.

    Python floats become float32, ints int64, bools bool; NumPy arrays keep their type.
    Raises ValueError for ragged lists, TypeError for what holds no numbers.

    >>> tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> tensor(0.5, requires_grad=True)
    tensor(0.5000, requires_grad=True)
    """
    if isinstance(data, TensorBase):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
        array = np.array(data._data)
    elif isinstance(data, np.ndarray | np.generic):
        dtypes.from_numpy(data.dtype)
        array = np.array(data)
    else:
        array = np.array(_nested(data), dtype=_type_of(data).numpy if dtype is None else dtype.numpy)
    return _finish(array, dtype, device, requires_grad)


def _nested(data: Any) -> Any:
    """Lists of numbers, checked to be rectangular; tensors in them become their numbers."""
    if isinstance(data, TensorBase):
        return data.item() if data._data.size == 1 else data._data
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not isinstance(data, Sequence | range):
        if isinstance(data, int | float | np.generic | np.ndarray):
            return data
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    parts = [_nested(part) for part in data]
    lengths = [len(part) if isinstance(part, list | np.ndarray) and np.ndim(part) else None for part in parts]
    for i, n in enumerate(lengths):
        if n != lengths[0]:
            if n is None or lengths[0] is None:
                what = type(data[i]).__name__
                raise TypeError(
                    f"expected {'float' if n is not None else 'Sequence'} (got {what})"
                    if n is None
                    else f"must be real number, not {what}"
                )
            raise ValueError(f"expected sequence of length {lengths[0]} at dim 1 (got {n})")
    return parts


def _type_of(data: Any) -> Any:
    """The type for nested Python numbers: bool < int64 < the default float, the widest wins."""
    if isinstance(data, TensorBase | np.ndarray | np.generic):
        return dtypes.from_numpy(data._data.dtype if isinstance(data, TensorBase) else data.dtype)
    if isinstance(data, bool):
        return dtypes.bool
    if isinstance(data, int):
        return dtypes.int64
    if isinstance(data, float):
        return dtypes.get_default_dtype()
    if isinstance(data, Sequence | range) and not isinstance(data, str | bytes) and len(data):
        found = {_type_of(part) for part in data}
        out = found.pop()
        for other in found:
            out = dtypes.promote_types(out, other)
        return out
    return dtypes.get_default_dtype()


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """`data` as a tensor, without copying if it is one already, or a NumPy array of the right type."""
    if isinstance(data, TensorBase):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        out = from_numpy(data)
        return out if dtype is None else out.to(dtype)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array: np.ndarray[Any, Any], /) -> Any:
    """A tensor on the array's own memory: a change to one is a change to the other.

    >>> n = np.zeros(2)
    >>> t = from_numpy(n)
    >>> n += 1
    >>> t
    tensor([1., 1.], dtype=torch.float64)
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.from_numpy(array.dtype)
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    return wrap(array)


# -- filled --------------------------------------------------------------------------------------


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor of `size` with one number everywhere; its type is the number's unless given."""
    kind = dtype or dtypes.number_type(fill_value)
    return _finish(np.full(sizes((size,)), fill_value, dtype=kind.numpy), dtype, device, requires_grad)


def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Zeros of the default float type, or of `dtype`."""
    return _finish(np.zeros(sizes(size), (dtype or dtypes.get_default_dtype()).numpy), dtype, device, requires_grad)


def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the default float type, or of `dtype`."""
    return _finish(np.ones(sizes(size), (dtype or dtypes.get_default_dtype()).numpy), dtype, device, requires_grad)


empty = zeros  # PyTorch leaves whatever was in memory; a learner is better off with zeros


def zeros_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Zeros with the size and type of `input`."""
    return full_like(input, 0, dtype=dtype, requires_grad=requires_grad)


def ones_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Ones with the size and type of `input`."""
    return full_like(input, 1, dtype=dtype, requires_grad=requires_grad)


empty_like = zeros_like


def full_like(input: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """One number everywhere, with the size and type of `input`."""
    kind = dtype or input.dtype
    return full(input.shape, fill_value, dtype=kind, device=input.device, requires_grad=requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """start, start + step, … up to, not including, end; integers if all three are."""
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, TensorBase) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = dtype or (dtypes.int64 if whole else dtypes.get_default_dtype())
    count = -(-(end - start) // step) if whole else int(np.ceil((end - start) / step))
    values = start + step * np.arange(count)
    return _finish(values.astype(kind.numpy), dtype, device, requires_grad)


def linspace(
    start: float, end: float, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """`steps` numbers from start to end, both included, evenly apart."""
    kind = dtype or dtypes.get_default_dtype()
    return _finish(np.linspace(start, end, steps).astype(kind.numpy), dtype, device, requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones on the diagonal of n rows and m columns, zeros elsewhere."""
    kind = dtype or dtypes.get_default_dtype()
    return _finish(np.eye(n, m, dtype=kind.numpy), dtype, device, requires_grad)


# -- random --------------------------------------------------------------------------------------


def _float(dtype: Any) -> Any:
    return (dtype or dtypes.get_default_dtype()).numpy


def rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Uniform numbers in [0, 1): PyTorch's own for the same seed."""
    return _finish(random.uniform(sizes(size), _float(dtype), generator=generator), dtype, device, requires_grad)


def randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Normal numbers with mean 0 and variance 1: PyTorch's own for the same seed."""
    return _finish(random.normal(sizes(size), _float(dtype), generator=generator), dtype, device, requires_grad)


def randint(
    low: int, high: Any = None, size: Any = None, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Any:
    """Whole numbers from low (0 if left out) up to, not including, high."""
    if size is None:
        low, high, size = 0, low, high
    kind = dtype or dtypes.int64
    return _finish(random.randint(low, high, sizes((size,)), kind.numpy, generator=generator), None, device, False)


def randperm(n: int, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """0 … n-1 in random order."""
    kind = dtype or dtypes.int64
    return _finish(random.randperm(n, kind.numpy, generator=generator), None, device, False)


def rand_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """`rand` with the size and type of `input`."""
    return rand(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def randn_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """`randn` with the size and type of `input`."""
    return randn(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)
