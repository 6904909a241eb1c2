"""Tensors from numbers, from NumPy, from nothing, and from the random generator.

Every function takes PyTorch's options: `dtype` (float32 unless the numbers say otherwise), `device`, `requires_grad`.
Imports core, operators, inplace, check, arguments and random. Read next: __init__.py.
"""

import sys
import warnings
from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from .. import random
from .._call.arguments import no_combination, no_tensor, takes_tensors
from .._call.arguments import number as as_number
from .._call.check import as_int, broadcast, ragged, sizes
from .._call.operators import OPERATORS
from .._engine.storage import NO_VERSIONS, TensorBase
from .._engine.switches import modes
from .._machine import dtypes
from .._machine.backend import SILENT, silence
from .._machine.device import CPU, move
from .._machine.device import device as Device
from .._messages.foreign import refuse, type_name
from .._messages.names import explains_keywords, refuse_given
from .._messages.once import warn_once
from ..core.tensor import wrap
from ..ops.note import known
from .inplace import in_place


def _finish(array, device=None, requires_grad=False):
    """A leaf on a fresh array, even under no_grad."""
    if requires_grad is not False and requires_grad is not True and requires_grad is not None:
        frame: Any = sys._getframe(1)
        who = ""
        while frame is not None and frame.f_globals["__name__"].startswith("minigrad."):
            if frame.f_globals is globals():
                who = frame.f_code.co_name  # zeros_like calls full: the message names the outermost function
            frame = frame.f_back
        raise no_tensor(who, "requires_grad", None, requires_grad, "bool")
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    where = Device.default if device is None else Device(device)
    out = wrap(array if where is CPU or where == CPU else move(array, where), bool(requires_grad))
    if modes.inference:
        out._versions = NO_VERSIONS
        out._requires_grad, out._claims = False, out._requires_grad
    return out


def _type(dtype: Any, who: str, default: Any = None) -> np.dtype[Any]:
    """NumPy's type for the type asked for, or for the default: `default`, or the default floating-point type."""
    dtype = dtypes.python_type(dtype) if dtype is not None else default or dtypes.get_default_dtype()
    if not isinstance(dtype, dtypes.dtype):
        raise TypeError(f"{who}(): argument 'dtype' must be torch.dtype, not {type_name(dtype)}")
    return dtype.numpy


random.Generator.as_tensor = staticmethod(_finish)  # a generator's state is a tensor, too


# -- from numbers --------------------------------------------------------------------------------


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    """A new leaf with a copy of `data`: a number, (nested) lists of numbers, an array or a tensor.

    Python floats become float32, ints int64, bools bool; NumPy arrays keep their type.
    Raises ValueError for ragged lists, TypeError for objects that are not numbers.

    >>> torch.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> torch.tensor(0.5, requires_grad=True)
    tensor(0.5000, requires_grad=True)
    """
    if pin_memory:
        refuse_given("tensor", pin_memory=True)
    if isinstance(data, TensorBase):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            stacklevel=2,
        )
        data = data._data
    numbers, kind = (data, _kind(data)) if isinstance(data, np.ndarray) else _read(data)
    wanted = _type(dtype, "tensor", kind)
    try:
        array = silence(over="ignore").run(np.array, numbers, dtype=wanted)  # too large a number becomes inf
    except (ValueError, TypeError, OverflowError):
        array = _squeezed(numbers, wanted)
    return _finish(array, device, requires_grad)


def _squeezed(numbers: Any, wanted: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of numbers that NumPy finds too large for the type: -1 may become 255, as in PyTorch; else an error."""
    try:
        each = np.array(numbers, dtype=object)
    except ValueError:
        raise ragged(numbers, wanted) from None
    if any(isinstance(x, list) for x in each.flat) or wanted.kind not in "iu":
        raise ragged(numbers, wanted)
    if any(isinstance(x, int) and not -(2**63) <= x < 2**64 for x in each.flat) or wanted == np.int64:
        if all(isinstance(x, int) for x in each.flat):
            raise ValueError("Overflow when unpacking long long")
    out = [as_number("tensor", "data", 1, x, wanted, wanted.name) for x in each.flat]
    return np.array(out, wanted).reshape(each.shape)


def _read(data: Any) -> tuple[Any, dtypes.dtype]:
    """The numbers of `data` as nested lists, tensors and arrays in it included, and the type that holds them."""
    if isinstance(data, TensorBase):
        data = data._data
    if isinstance(data, np.generic | np.ndarray):
        return data.tolist(), dtypes.from_numpy(data.dtype)
    if isinstance(data, int | float):
        return data, dtypes.number_type(data)
    if isinstance(data, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if not isinstance(data, Sequence):
        raise RuntimeError(f"Could not infer dtype of {type_name(data)}")
    if len(data) and isinstance(data[0], str):  # a string is a sequence, too
        raise ValueError("too many dimensions 'str'")
    parts = [_read(part) for part in data]
    kinds = {kind for _, kind in parts} or {dtypes.get_default_dtype()}
    return [numbers for numbers, _ in parts], reduce(dtypes.promote_types, kinds)


def old_constructor(dtype, *data, size=None):
    """The older constructor: `FloatTensor([1, 2])` holds these numbers, `FloatTensor(2, 3)` has this size."""
    if size is not None:
        if data or not isinstance(size, tuple | list):
            raise TypeError(f"new() received an invalid combination of arguments - got size={type_name(size)}")
        data = tuple(size)
    if all(isinstance(n, int) for n in data):
        return zeros(*(data or (0,)), dtype=dtype)
    (numbers,) = data
    if isinstance(numbers, tuple) and hasattr(numbers, "numel"):  # a size
        return zeros(numbers, dtype=dtype)
    if hasattr(numbers, "_as_tensor"):  # the result of `x.storage()`: see methods/storages.py
        return numbers._as_tensor(dtype)
    if isinstance(numbers, float):
        raise TypeError("new(): data must be a sequence (got float)")
    if isinstance(numbers, TensorBase):
        if numbers.dtype is not dtype:
            rest = "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt)"
            wish, found = (
                f"TensorOptions(dtype={kind.c_name}, device=cpu, layout=Strided, {rest})"
                for kind in (dtype, numbers.dtype)
            )
            raise TypeError(f"expected {wish} (got {found})")
        return numbers.detach()
    return tensor(numbers, dtype=dtype)


def as_tensor(data, dtype=None, device=None):
    """`data` as a tensor, without a copy if it is already a tensor, or a NumPy array, of the right type.

    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> torch.as_tensor(array)[0] = 5  # writes into the array's memory
    >>> array
    array([5., 0.])
    """
    if not isinstance(data, TensorBase | np.ndarray):
        return tensor(data, dtype=dtype, device=device)
    return (from_numpy(data) if isinstance(data, np.ndarray) else data).to(dtype=dtype, device=device)


def from_numpy(array, /):
    """A tensor on the array's own memory: a change to one is a change to the other.

    >>> import numpy as np
    >>> n = np.zeros(2)
    >>> t = torch.from_numpy(n)
    >>> n += 1
    >>> t
    tensor([1., 1.], dtype=torch.float64)
    """
    if not isinstance(array, np.ndarray):
        refuse("from_numpy()", array)
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    _kind(array)
    if not array.flags.writeable:
        warn_once(
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means "
            "writing to this tensor will result in undefined behavior. You may want to copy the array to protect its "
            "data or make it writable before converting it to a tensor. This type of warning will be suppressed for "
            "the rest of this program.",
            stacklevel=2,
        )
    return _finish(np.asarray(array.data))  # a new array object: see overlap.memory


def _kind(array: np.ndarray[Any, Any]) -> dtypes.dtype:
    """The type of an array; an error if PyTorch has no such arrays, or if a stride is negative, as in `a[::-1]`."""
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    return dtypes.from_numpy(array.dtype)


# -- filled: `size` may be given as numbers, as a tuple, or by name ------------------------------


def _size(who: str, n: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """The size asked for in the call `who(*n, size=size)`."""
    if not n and size is None:
        raise TypeError(f'{who}() missing 1 required positional arguments: "size"')
    if n and size is not None:
        raise TypeError(f"{who}() got multiple values for argument 'size'")
    wanted = sizes(n or (size,), who)
    for length in wanted:
        if length < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {length}: {list(wanted)}")
    return wanted


@known(out="made")
def zeros(*n, size=None, dtype=None, device=None, requires_grad=False):
    """Zeros of the default float type, or of `dtype`.

    >>> torch.zeros(2, 3), torch.zeros(2, dtype=torch.int64)
    (tensor([[0., 0., 0.],
            [0., 0., 0.]]), tensor([0, 0]))
    """
    return _finish(np.zeros(_size("zeros", n, size), _type(dtype, "zeros")), device, requires_grad)


@known(out="made")
def ones(*n, size=None, dtype=None, device=None, requires_grad=False):
    """Ones of the default float type, or of `dtype`.

    >>> w = torch.ones(2, requires_grad=True)
    >>> w * 3
    tensor([3., 3.], grad_fn=<MulBackward0>)
    """
    return _finish(np.ones(_size("ones", n, size), _type(dtype, "ones")), device, requires_grad)


@known(out="made")
def empty(*n, size=None, dtype=None, device=None, requires_grad=False):
    """`zeros`. PyTorch leaves the memory as it was; zeros give a learner the same results each time.

    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    return _finish(np.zeros(_size("empty", n, size), _type(dtype, "empty")), device, requires_grad)


@known(out="made")
def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    """A tensor of `size` with one number everywhere, of the number's type unless `dtype` is given.

    >>> torch.full((2, 2), 7), torch.full((2,), 0.5)
    (tensor([[7, 7],
            [7, 7]]), tensor([0.5000, 0.5000]))
    """
    if not isinstance(size, tuple | list):
        raise no_tensor("full", "size", 1, size, "tuple of ints")
    fill_value = as_number("full", "fill_value", 2, fill_value)
    kind = _type(dtype, "full", dtypes.number_type(fill_value))
    number = np.asarray(as_number("full", "fill_value", 2, fill_value, kind)).astype(kind)
    return _finish(np.full(_size("full", (), size), number, kind), device, requires_grad)


@takes_tensors
def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False):
    """One number everywhere, with the size and type of `input`.

    >>> torch.full_like(torch.tensor([1.0, 2.0]), 9)
    tensor([9., 9.])
    """
    kind, where = dtype or input.dtype, input.device if device is None else device
    out = full(input.shape, fill_value, dtype=kind, device=where, requires_grad=requires_grad)
    data = input._data
    if (
        isinstance(data, np.ndarray) and not data.flags.c_contiguous and 0 not in data.strides
    ):  # keeps the memory layout of `input`
        dense, out._data = out._data, np.empty_like(data, out._data.dtype)
        out._data[...] = dense
    return out


@takes_tensors
def zeros_like(input, *, dtype=None, device=None, requires_grad=False):
    """Zeros with the size and type of `input`.

    >>> torch.zeros_like(torch.tensor([[1, 2]]))
    tensor([[0, 0]])
    """
    return full_like(input, 0, dtype=dtype, device=device, requires_grad=requires_grad)


@takes_tensors
def ones_like(input, *, dtype=None, device=None, requires_grad=False):
    """Ones with the size and type of `input`.

    >>> y = torch.tensor([1.0, 2.0], requires_grad=True) * 3
    >>> y.backward(torch.ones_like(y))  # as y.sum().backward()
    """
    return full_like(input, 1, dtype=dtype, device=device, requires_grad=requires_grad)


empty_like = zeros_like


@known(out="made")
def arange(start, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """start, start + step, … up to, not including, end; integers if all three are.

    Raises RuntimeError if `step` leads away from `end`.

    >>> torch.arange(4), torch.arange(1.0, 2.0, 0.25)
    (tensor([0, 1, 2, 3]), tensor([1.0000, 1.2500, 1.5000, 1.7500]))
    """
    alone = end is None
    if alone:
        if step.__class__ is not int or step != 1:  # `step` may be given only with both ends
            raise no_combination("arange", start, step=step)
        start, end = 0, start
    start, end, step = (
        as_number("arange", *each) for each in (("start", 1, start), ("end", 2 - alone, end), ("step", 3, step))
    )
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not np.isfinite(end - start):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = _not_bool("arange", _type(dtype, "arange", dtypes.int64 if whole else None))
    if kind == np.int64:  # PyTorch truncates before it counts for int64, after it for other integers
        start, end, step = int(start), int(end), int(step)
    count = -(-(end - start) // step) if whole else int(np.ceil((end - start) / step))
    if kind.kind in "iu":
        start, step = int(start), int(step)
    return _finish(SILENT.run((start + step * np.arange(count)).astype, kind), device, requires_grad)


def _not_bool(who, kind):
    """`kind`, unless it is bool, in which PyTorch has no such numbers."""
    if kind == np.bool_:
        raise NotImplementedError(f"\"{who}_cpu\" not implemented for 'Bool'")
    return kind


@known(out="made")
def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False):
    """`steps` evenly spaced numbers from start to end, both included. Raises RuntimeError if steps < 0.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if any(isinstance(x, TensorBase) and x._data.ndim for x in (start, end)):
        raise RuntimeError(
            "linspace only supports 0-dimensional start and end tensors, but got start with "
            f"{np.ndim(start)} dimension(s) and end with {np.ndim(end)} dimension(s)."
        )
    steps = as_int(steps, "linspace(): argument 'steps' must be int")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    kind = _type(dtype, "linspace") if steps == 1 else _not_bool("linspace", _type(dtype, "linspace"))
    start, end = as_number("linspace", "start", 1, start, kind), as_number("linspace", "end", 2, end, kind)
    if kind.kind == "f":
        start, end = float(kind.type(start)), float(kind.type(end))
    step = (end - start) / max(steps - 1, 1)
    step = float(kind.type(step)) if kind.kind == "f" else step
    places = np.arange(steps)  # counted from both ends, so that rounding is symmetric
    numbers = np.where(places < max(steps // 2, steps == 1), start + step * places, end - step * places[::-1])
    return _finish(numbers.astype(kind), device, requires_grad)


@known(out="made")
def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False):
    """`steps` numbers from base**start to base**end, whose logarithms are evenly spaced.

    >>> torch.logspace(-1, 2, 4)
    tensor([  0.1000,   1.0000,  10.0000, 100.0000])
    """
    kind = _type(dtype, "logspace")
    if kind.kind in "iu":
        start, end = int(start), int(end)
    powers = linspace(start, end, steps, dtype=dtypes.float64)._data
    numbers = SILENT.run(lambda: (float(base) ** powers).astype(kind))
    return _finish(numbers, device, requires_grad)


@known(out="made")
def range(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """start, start + step, … up to and including end: the older form of `arange`.

    >>> import warnings
    >>> warnings.simplefilter("ignore")  # PyTorch calls it deprecated
    >>> torch.range(0, 1, 0.5)
    tensor([0.0000, 0.5000, 1.0000])
    """
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
        "Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
        stacklevel=2,
    )
    start, end = (0, start) if end is None else (start, end)
    numbers = start + step * np.arange(int((end - start) / step) + 1)
    return _finish(numbers.astype(_type(dtype, "range")), device, requires_grad)


@explains_keywords
def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    """A tensor of one number, with no axes.

    >>> torch.scalar_tensor(3), torch.scalar_tensor(3).shape
    (tensor(3.), torch.Size([]))
    """
    return full((), s, dtype=dtype or dtypes.get_default_dtype(), device=device, requires_grad=requires_grad)


@takes_tensors
@known(out="made")
def eye(n, m=None, *, dtype=None, device=None, requires_grad=False):
    """Ones on the diagonal of n rows and m columns, zeros elsewhere. Raises RuntimeError for a negative size.

    >>> torch.eye(2), torch.eye(1, 3)
    (tensor([[1., 0.],
            [0., 1.]]), tensor([[1., 0., 0.]]))
    """
    rows = as_int(n, "eye(): argument 'n' (position 1) must be int")
    columns = rows if m is None else as_int(m, "eye(): argument 'm' (position 2) must be int")
    for name, length in (("n", rows), ("m", columns)):
        if length < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {length}")
    return _finish(np.eye(rows, columns, dtype=_type(dtype, "eye")), device, requires_grad)


# -- random --------------------------------------------------------------------------------------


@known(out="made")
def rand(*n, size=None, generator=None, dtype=None, device=None, requires_grad=False):
    """Uniform numbers in [0, 1): PyTorch's own for the same seed.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(3)
    tensor([0.4963, 0.7682, 0.0885])
    """
    random.check_generator("rand", generator)
    numbers = random.uniform(_size("rand", n, size), _type(dtype, "rand"), generator=generator)
    return _finish(numbers, device, requires_grad)


@known(out="made")
def randn(*n, size=None, generator=None, dtype=None, device=None, requires_grad=False):
    """Normal numbers with mean 0 and variance 1: PyTorch's own for the same seed.

    >>> _ = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    random.check_generator("randn", generator)
    numbers = random.normal(_size("randn", n, size), _type(dtype, "randn"), generator=generator)
    return _finish(numbers, device, requires_grad)


def _like(who, draw, input, generator, dtype, device, requires_grad):
    """Random numbers for a tensor like `input`, drawn in the order of its elements in memory."""
    random.check_generator(who, generator)
    kind, where = _type(dtype, who, input.dtype), input.device if device is None else device
    numbers = random.as_laid_out(input._data, lambda shape: draw(shape, kind, generator=generator))
    return _finish(numbers, where, requires_grad)


@takes_tensors
def rand_like(input, *, generator=None, dtype=None, device=None, requires_grad=False):
    """`rand` with the size and type of `input`.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand_like(torch.zeros(3))
    tensor([0.4963, 0.7682, 0.0885])
    """
    return _like("rand_like", random.uniform, input, generator, dtype, device, requires_grad)


@takes_tensors
def randn_like(input, *, generator=None, dtype=None, device=None, requires_grad=False):
    """`randn` with the size and type of `input`.

    >>> _ = torch.manual_seed(0)
    >>> torch.randn_like(torch.zeros(3))
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    draw = partial(random.normal, in_pairs=not input._data.flags.c_contiguous)
    return _like("randn_like", draw, input, generator, dtype, device, requires_grad)


@takes_tensors
def randint_like(input, low, high=None, *, generator=None, dtype=None, device=None, requires_grad=False):
    """`randint` with the size and type of `input`.

    >>> torch.randint_like(torch.zeros(2, 3), 5).shape
    torch.Size([2, 3])
    """
    low, high = (0, low) if high is None else (low, high)
    if not all(isinstance(n, int | TensorBase) and not isinstance(n, bool) for n in (low, high)):
        raise no_combination("randint_like", input, low, high)
    draw = lambda shape, kind, **stream: random.randint(low, high, shape, kind, **stream)  # noqa: E731
    return _like("randint_like", draw, input, generator, dtype, device, requires_grad)


ONE = 1.0  # the identity of this default shows that `std` was left out


def normal(mean, std: Any = ONE, size=None, *, generator=None, dtype=None, device=None, requires_grad=False, out=None):
    """Normal numbers. `mean` and `std` may be tensors, or one of them; with two numbers, `size` gives the size.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.normal(torch.tensor([0.0, 100.0]), 0.1)
    tensor([  0.1541,  99.9707])
    >>> torch.normal(2.0, 0.5, (2, 2)).shape
    torch.Size([2, 2])
    """
    random.check_generator("normal", generator)
    plain = [isinstance(x, int | float) and not isinstance(x, bool) for x in (mean, std)]
    tensors = [isinstance(x, TensorBase) for x in (mean, std)]
    if all(plain) and isinstance(size, tuple | list):
        kind = _type(dtype, "normal")
        numbers = random.normal(_size("normal", (), size), kind, mean, std, generator=generator)
        return _into(out, _finish(numbers, device, requires_grad))
    if plain[0] and std is ONE and size is None:
        raise no_tensor("normal", "mean", 1, mean)
    if size is not None or not all(n or t for n, t in zip(plain, tensors, strict=True)) or not any(tensors):
        given = [type(x).__name__.replace("Parameter", "Tensor") for x in (mean, std, size) if x is not None]
        raise TypeError(f"normal() received an invalid combination of arguments - got ({', '.join(given)})")
    if not tensors[1]:
        shape, kind = mean._data.shape, mean._data.dtype
        drawn = random.normal(shape, kind, 0.0, std, generator=generator) + mean._data
        return _into(out, OPERATORS["normal_mean"](mean, numbers=drawn.astype(kind)))
    if np.any(std._data < 0):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    first = mean if tensors[0] else std
    shape = broadcast(mean._data.shape, std._data.shape) if tensors[0] else std._data.shape
    drawn = random.normal(shape, first._data.dtype, generator=generator)
    drawn = (drawn * std._data).astype(drawn.dtype) + (mean._data if tensors[0] else drawn.dtype.type(mean))
    if tensors[0]:
        return _into(out, OPERATORS["normal_both"](mean, std, numbers=drawn))
    return _into(out, OPERATORS["normal_std"](std, numbers=drawn))


def _into(out: Any, made: Any) -> Any:
    """The result, or `out` after the result has been written into it."""
    if out is None:
        return made
    if out._data.shape != made._data.shape:
        out._data = np.empty(made._data.shape, out._data.dtype)
    return in_place("copy", out, made)


@known(out="made")
def randint(low=None, high=None, size=None, *, generator=None, dtype=None, device=None):
    """Whole numbers from low (0 if left out) up to, not including, high: `randint(3, (2,))`, `randint(1, 3, (2,))`.

    Raises RuntimeError unless low < high.

    >>> _ = torch.manual_seed(0)
    >>> torch.randint(1, 7, (5,))  # five dice
    tensor([3, 4, 6, 1, 2])
    """
    random.check_generator("randint", generator)
    if size is None:
        high, size, low = low, high, None
    elif high is None:
        high, low = low, None
    low = 0 if low is None else low
    size, kind = _size("randint", (), size), _type(dtype, "randint", dtypes.int64)
    return _finish(random.randint(low, high, size, kind, generator=generator), device)


@known(out="made")
def randperm(n, *, generator=None, dtype=None, device=None):
    """0 … n-1 in random order.

    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    random.check_generator("randperm", generator)
    n = as_int(n, "randperm(): argument 'n' (position 1) must be int")
    return _finish(random.randperm(n, _type(dtype, "randperm", dtypes.int64), generator=generator), device)


__all__ = ["tensor", "as_tensor", "from_numpy"]
__all__ += ["zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like"]
__all__ += ["arange", "range", "linspace", "logspace", "scalar_tensor"]
__all__ += [
    "eye",
    "rand",
    "randn",
    "rand_like",
    "randn_like",
    "randint",
]
__all__ += ["randint_like", "randperm", "normal"]
