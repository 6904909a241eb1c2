"""Tensors from numbers, from NumPy, from nothing, and from the random generator.

Imports tensor and random. Read next: __init__.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from . import dtypes, random
from .check import new_size, ragged, refuse_negative_strides, refuse_text
from .device import CPU, move
from .device import device as Device
from .dispatch import wrap
from .modes import modes
from .storage import NO_VERSIONS, TensorBase


def _finish(array: np.ndarray[Any, Any], device: Any, requires_grad: bool) -> Any:
    """A leaf around a fresh array."""
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    where = CPU if device is None else Device(device)
    return _leaf(array if where == CPU else move(array, where), bool(requires_grad))


def _leaf(array: Any, requires_grad: bool = False) -> Any:
    """A leaf around an array, whatever the mode."""
    out = wrap(array, requires_grad)
    if modes.inference:
        out._versions = NO_VERSIONS
    return out


PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool}


def _type(dtype: Any, who: str, default: Any = None) -> np.dtype[Any]:
    """NumPy's name for the type asked for, or for the default: that of Python floats if none is given."""
    dtype = PYTHON_TYPES.get(dtype, dtype) if dtype is not None else default or dtypes.get_default_dtype()
    if not isinstance(dtype, dtypes.dtype):
        raise TypeError(f"{who}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    return dtype.numpy


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
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            stacklevel=2,
        )
        data = data._data
    if isinstance(data, np.ndarray):
        kind = dtypes.from_numpy(data.dtype)
        refuse_negative_strides(data)
        return _finish(np.array(data, dtype=_type(dtype, "tensor", kind)), device, requires_grad)
    refuse_text(data)
    numbers, kind = _read(data)
    wanted = _type(dtype, "tensor", kind)
    try:
        array = np.array(numbers, dtype=wanted)
    except (ValueError, TypeError) as error:
        raise ragged(numbers, wanted) or error from None
    return _finish(array, device, requires_grad)


def _read(data: Any) -> tuple[Any, dtypes.dtype]:
    """Nested lists with the numbers of `data`, tensors and arrays in it spelt out, and the type that holds them."""
    if isinstance(data, TensorBase):
        data = data._data
    if isinstance(data, np.generic | np.ndarray):
        return data.tolist(), dtypes.from_numpy(data.dtype)
    if isinstance(data, int | float):
        return data, dtypes.number_type(data)
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not isinstance(data, Sequence):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    parts = [_read(part) for part in data]
    kinds = {kind for _, kind in parts} or {dtypes.get_default_dtype()}
    return [numbers for numbers, _ in parts], reduce(dtypes.promote_types, kinds)


def old_constructor(dtype: Any, *data: Any) -> Any:
    """`FloatTensor([1, 2])` holds these numbers, `FloatTensor(2, 3)` has this size: how tensors were once made.

    >>> LongTensor([1.7, 2]), LongTensor(2)
    (tensor([1, 2]), tensor([0, 0]))
    """
    if all(isinstance(n, int) for n in data):
        return zeros(*(data or (0,)), dtype=dtype)
    return tensor(*data, dtype=dtype)


FloatTensor = partial(old_constructor, dtypes.float32)
DoubleTensor = partial(old_constructor, dtypes.float64)
IntTensor = partial(old_constructor, dtypes.int32)
LongTensor = partial(old_constructor, dtypes.int64)
BoolTensor = partial(old_constructor, dtypes.bool)


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
    refuse_negative_strides(array)
    if not array.flags.writeable:
        warnings.warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means "
            "writing to this tensor will result in undefined behavior. You may want to copy the array to protect its "
            "data or make it writable before converting it to a tensor. This type of warning will be suppressed for "
            "the rest of this program.",
            stacklevel=2,
        )
    return _leaf(array)


# -- filled: `size` may be given as numbers, as a tuple, or by name ------------------------------


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor of `size` with one number everywhere; its type is the number's unless given."""
    if isinstance(size, int):
        raise TypeError("full(): argument 'size' (position 1) must be tuple of ints, not int")
    kind = _type(dtype, "full", dtypes.number_type(fill_value))
    number = np.asarray(fill_value).astype(kind)  # -1 as uint8 is 255, as in PyTorch
    return _finish(np.full(new_size((size,), "full"), number, kind), device, requires_grad)


def zeros(*n: Any, size: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Zeros of the default float type, or of `dtype`."""
    return _finish(np.zeros(_size("zeros", n, size), _type(dtype, "zeros")), device, requires_grad)


def ones(*n: Any, size: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the default float type, or of `dtype`."""
    return _finish(np.ones(_size("ones", n, size), _type(dtype, "ones")), device, requires_grad)


def _size(who: str, n: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """The size asked for in the call `who(*n, size=size)`."""
    if not n and size is None:
        raise TypeError(f'{who}() missing 1 required positional arguments: "size"')
    return new_size(n or (size,), who)


empty = zeros  # PyTorch leaves whatever was in memory; a learner is better off with zeros


def zeros_like(input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Zeros with the size and type of `input`."""
    return full_like(input, 0, dtype=dtype, device=device, requires_grad=requires_grad)


def ones_like(input: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones with the size and type of `input`."""
    return full_like(input, 1, dtype=dtype, device=device, requires_grad=requires_grad)


empty_like = zeros_like


def full_like(
    input: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """One number everywhere, with the size and type of `input`."""
    kind, where = dtype or input.dtype, device or input.device
    return full(input.shape, fill_value, dtype=kind, device=where, requires_grad=requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """start, start + step, … up to, not including, end; integers if all three are."""
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, TensorBase) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not np.isfinite(end - start):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = _type(dtype, "arange", dtypes.int64 if whole else None)
    if kind == np.int64:  # PyTorch cuts what it is given before it counts, other integers after it has counted
        start, end, step = int(start), int(end), int(step)
    count = -(-(end - start) // step) if whole else int(np.ceil((end - start) / step))
    if kind.kind in "iu":
        start, step = int(start), int(step)
    values = start + step * np.arange(count)
    return _finish(values.astype(kind), device, requires_grad)


def linspace(
    start: float, end: float, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """`steps` numbers from start to end, both included, evenly apart."""
    sizes = [x._data.ndim if isinstance(x, TensorBase) else 0 for x in (start, end)]
    if any(sizes):
        raise RuntimeError(
            "linspace only supports 0-dimensional start and end tensors, but got start with "
            f"{sizes[0]} dimension(s) and end with {sizes[1]} dimension(s)."
        )
    start, end = (x.item() if isinstance(x, TensorBase) else x for x in (start, end))
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    kind = _type(dtype, "linspace")
    if kind.kind in "iu":
        start, end = int(start), int(end)
    return _finish(np.linspace(start, end, steps).astype(kind), device, requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones on the diagonal of n rows and m columns, zeros elsewhere."""
    for name, length in (("n", n), ("m", m)):
        if length is not None and length < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {length}")
    return _finish(np.eye(n, m, dtype=_type(dtype, "eye")), device, requires_grad)


# -- random --------------------------------------------------------------------------------------


def rand(
    *n: Any,
    size: Any = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Uniform numbers in [0, 1): PyTorch's own for the same seed."""
    numbers = random.uniform(_size("rand", n, size), _type(dtype, "rand"), generator=generator)
    return _finish(numbers, device, requires_grad)


def randn(
    *n: Any,
    size: Any = None,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Normal numbers with mean 0 and variance 1: PyTorch's own for the same seed."""
    numbers = random.normal(_size("randn", n, size), _type(dtype, "randn"), generator=generator)
    return _finish(numbers, device, requires_grad)


def randint(
    low: int, high: Any = None, size: Any = None, *, generator: Any = None, dtype: Any = None, device: Any = None
) -> Any:
    """Whole numbers from low (0 if left out) up to, not including, high."""
    if size is None:
        low, high, size = 0, low, high
    kind = _type(dtype, "randint", dtypes.int64)
    return _finish(random.randint(low, high, new_size((size,), "randint"), kind, generator=generator), device, False)


def randperm(n: int, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Any:
    """0 … n-1 in random order."""
    kind = _type(dtype, "randperm", dtypes.int64)
    return _finish(random.randperm(n, kind, generator=generator), device, False)


def rand_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """`rand` with the size and type of `input`."""
    return rand(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def randn_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """`randn` with the size and type of `input`."""
    return randn(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)
