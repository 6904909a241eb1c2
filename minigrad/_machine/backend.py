"""The functions that minigrad needs and the array API standard lacks, and `namespace`, an array's library.

The values in the table use `xp`, a library that follows the Python array API standard, such as NumPy 2 or CuPy. Where
NumPy has a faster way, these functions take it.

Imports NumPy alone. Read next: core/rules.py.
"""

import contextvars
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

# Linux's glibc gives a large array's memory back to the system when the array is freed, and the next one is fetched
# page by page: a fifth to a third of the time of a training step. It stops doing so below the size of the largest
# block that was ever freed (its "dynamic mmap threshold"). This block is freed at once, and its pages never exist.
np.empty(16 << 20, np.uint8)


def silence(**errors: Any) -> contextvars.Context:
    """A context in which NumPy gives no warnings, because PyTorch gives none for inf and nan. `errors`: arguments of
    np.seterr; by default, all warnings are off.

    NumPy keeps its error state in a context variable. Entering a context that has it set takes an eighth of the time of
    a new `np.errstate`. But a context can't be entered twice at the same time: that is a RuntimeError. Leaving it
    happens in C, so Ctrl-C can't leave the warnings off, as it can at the start of `errstate.__exit__`.
    """
    context = contextvars.copy_context()
    context.run(np.seterr, **(errors or {"all": "ignore"}))
    return context


class Silent(threading.local):
    """`SILENT.run(f, …)` calls `f(…)` without NumPy's warnings, in the thread's own context. Not for functions that
    call the user's code."""

    def __init__(self) -> None:
        self.run = silence().run


SILENT = Silent()


def silent(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: the function computes without NumPy's warnings. For functions that call NumPy and not operators."""

    @wraps(function)
    def silently(*args: Any, **kwargs: Any) -> Any:
        return SILENT.run(function, *args, **kwargs)

    return silently


def namespace(array: Any) -> Any:
    """The module that an array's functions come from.

    >>> namespace(np.ones(2)).__name__
    'numpy'
    """
    # scalars of NumPy, such as a sum, have `__array_namespace__` only from 2.1 on
    return np if isinstance(array, (np.ndarray, np.generic)) else array.__array_namespace__()


def mm(xp: Any, a: Any, b: Any) -> Any:
    """The product of two matrices. For small ones NumPy's `dot` takes a third of the time of its `@`."""
    return a.dot(b) if xp is np else a @ b


def where(xp: Any, condition: Any, array: Any, other: Any) -> Any:
    """`xp.where`. The slopes of relu, clamp … choose between the gradient and 0, also for inf and nan. A bitwise `and`
    with all bits or none does that, for large arrays in a tenth of the time of NumPy's `where`.

    >>> where(np, np.asarray([True, False]), np.asarray([2.0, np.nan]), 0.0)
    array([2., 0.])
    >>> where(np, np.asarray([True, False]), 0.0, np.asarray([np.nan, 3.0]))
    array([0., 3.])
    """
    kept, number = (other, array) if type(array) is float else (array, other)
    if xp is not np or type(number) is not float or number:
        return xp.where(condition, array, other)
    # for smaller arrays, `where` is faster
    if kept.size < 2048 or kept.dtype.kind != "f" or kept.shape != condition.shape:
        none = zero(kept, number)
        return np.where(condition, kept, none) if kept is array else np.where(condition, none, kept)
    one = condition.view("i1")
    bits = np.negative(one) if kept is array else one - ONE  # -1, which has all bits set, where the element is kept
    return np.bitwise_and(bits, kept.view(f"i{kept.itemsize}")).view(kept.dtype)


ONE = np.int8(1)
ZEROS = {np.dtype(name): np.zeros((), name) for name in ("float32", "float64")}


def zero(array: Any, number: float = 0) -> Any:
    """0 as an operand for an array: for floats, an array of their type. With a Python number, NumPy's functions take
    twice as long on small arrays."""
    return ZEROS.get(array.dtype, number) if type(array) is np.ndarray else number


def total(xp: Any, array: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`xp.sum`. `np.sum` calls `add.reduce`; for small arrays, this extra call costs more than the sum. float16 is
    summed in float32, as in PyTorch, and rounded once."""
    if xp is np:
        reduce: Any = np.add.reduce
        if array.dtype is HALF:
            return np.asarray(reduce(array, axis=axis, keepdims=keepdims, dtype=F32)).astype(HALF)
        return reduce(array, axis=axis, keepdims=keepdims)
    return xp.sum(array, axis=axis, keepdims=keepdims)


def cast(xp: Any, array: Any, dtype: Any) -> Any:
    """`xp.astype`. NumPy's refuses scalars, which its functions return for arrays without axes, up to NumPy 2.0."""
    return array.astype(dtype) if xp is np else xp.astype(array, dtype)


def running_sum(xp: Any, array: Any, axis: int) -> Any:
    """For each element, the sum of itself and all elements before it along the axis.

    >>> running_sum(np, np.full(1000, 0.1, "float32"), 0)[-1]
    np.float32(100.0)
    """
    return _running(xp, np.cumsum if xp is np else xp.cumulative_sum, array, axis)


def running_product(xp: Any, array: Any, axis: int) -> Any:
    """For each element, the product of itself and all elements before it along the axis."""
    return _running(xp, np.cumprod if xp is np else xp.cumulative_prod, array, axis)


def _running(xp: Any, accumulate: Callable[..., Any], array: Any, axis: int) -> Any:
    """Accumulate in the next wider type and round each result once, as in PyTorch. (NumPy has the array API's
    `cumulative_sum` from 2.1 on.)"""
    wide = WIDER.get(array.dtype)
    if wide is None:
        return accumulate(array, axis=axis)
    return cast(xp, accumulate(array, axis=axis, dtype=getattr(xp, wide)), array.dtype)


HALF, F32 = np.dtype("float16"), np.dtype("float32")
WIDER = {HALF: "float32", F32: "float64"}


def stack(xp: Any, arrays: Any, axis: int) -> Any:
    """`xp.stack`. NumPy's adds the new axis to each array before it joins them; adding it afterwards takes half the
    time."""
    size = arrays[0].shape
    if xp is np and 0 <= axis < len(size) and all([array.shape == size for array in arrays]):
        return np.concatenate(arrays, axis).reshape(*size[:axis], len(arrays), *size[axis:])
    return xp.stack(arrays, axis=axis)


def expand_dims(xp: Any, array: Any, axis: int) -> Any:
    """`xp.expand_dims`. NumPy's takes ten times as long as the `reshape` that it calls."""
    if xp is np and 0 <= axis <= array.ndim:
        return array.reshape(*array.shape[:axis], 1, *array.shape[axis:])
    return xp.expand_dims(array, axis=axis)


def broadcast_to(xp: Any, array: Any, size: tuple[int, ...]) -> Any:
    """`xp.broadcast_to`. NumPy's uses an iterator, which takes six times as long for small arrays.

    >>> broadcast_to(np, np.ones((2, 1)), (3, 2, 4)).strides
    (0, 8, 0)
    """
    if xp is np and type(array) is np.ndarray and array.flags.c_contiguous:
        lead = len(size) - array.ndim
        fits = lead >= 0 and all([n in (1, m) for n, m in zip(array.shape, size[lead:], strict=True)])
        if fits and min(size, default=0) >= 0:
            steps = [0 if n == 1 else step for n, step in zip(array.shape, array.strides, strict=True)]
            return np.ndarray(size, array.dtype, array, 0, (*(0,) * lead, *steps))
    return xp.broadcast_to(array, size)


def into(xp: Any, out: Any, function: Callable[..., Any], *arrays: Any) -> None:
    """`out[...] = function(*arrays)`. NumPy's functions can write into `out` directly, which saves a copy."""
    if xp is np:
        function(*arrays, out=out)
    else:
        out[...] = function(*arrays)


def as_bytes(xp: Any, array: Any) -> Any:
    """The memory of an array as bytes; an empty array if the library is not NumPy."""
    return array.reshape(-1).view("uint8") if xp is np else xp.empty((0,), dtype=xp.uint8)


def each(function: Callable[[float], float], xp: Any, array: Any) -> Any:
    """Apply a function of one number, such as `math.erf`, to each element."""
    return xp.asarray(np.asarray(np.frompyfunc(function, 1, 1)(np.asarray(array)), dtype="float64"), dtype=array.dtype)


def scatter_add(xp: Any, array: Any, index: Any, values: Any) -> Any:
    """A copy of `array` with `values` added at `index` (as in `array[index]`); at a repeated place, all values are
    added."""
    out = array.copy()
    xp.add.at(out, index, values)
    return out
