"""What the array API standard lacks, a handful of named extras; and which namespace an array belongs to.

Values in the table are written against `xp`, a namespace after the Python array API standard. NumPy 2
is one; CuPy is another. Imports NumPy alone. Read next: core/rules.py.
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
    """A context in which NumPy warns of nothing: PyTorch computes inf and nan in silence. `errors`: as for np.seterr,
    where it is not all of them.

    NumPy keeps its error state in a context variable. To enter a context that has it set takes an eighth of the time of
    a new `np.errstate`; but it can't be entered while somebody is in it, which is a RuntimeError. It is left in C, so
    that Ctrl-C can't leave NumPy silent, as it can where the end of `with np.errstate(…)` begins.
    """
    context = contextvars.copy_context()
    context.run(np.seterr, **(errors or {"all": "ignore"}))
    return context


class Silent(threading.local):
    """`SILENT.run(f, …)` is `f(…)` in silence, in a context that each thread has for itself. Not for functions that
    call a reader's code."""

    def __init__(self) -> None:
        self.run = silence().run


SILENT = Silent()


def silent(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function of ours that computes with NumPy, and not with operators, so that it does so in silence."""

    @wraps(function)
    def silently(*args: Any, **kwargs: Any) -> Any:
        return SILENT.run(function, *args, **kwargs)

    return silently


def namespace(array: Any) -> Any:
    """The module that an array's functions come from.

    >>> namespace(np.ones(2)).__name__
    'numpy'
    """
    # NumPy's numbers, such as a sum, know their namespace from 2.1 on
    return np if isinstance(array, (np.ndarray, np.generic)) else array.__array_namespace__()


def mm(xp: Any, a: Any, b: Any) -> Any:
    """The product of two matrices. For small ones NumPy's `dot` takes a third of the time of its `@`."""
    return a.dot(b) if xp is np else a @ b


def where(xp: Any, condition: Any, array: Any, other: Any) -> Any:
    """`xp.where`. The slopes of relu, clamp … ask for "the gradient, or 0", inf and nan not excepted: an `and` with
    all bits or none gives that, for large arrays in a tenth of the time that NumPy's `where` takes.

    >>> where(np, np.asarray([True, False]), np.asarray([2.0, np.nan]), 0.0)
    array([2., 0.])
    >>> where(np, np.asarray([True, False]), 0.0, np.asarray([np.nan, 3.0]))
    array([0., 3.])
    """
    kept, number = (other, array) if type(array) is float else (array, other)
    if xp is not np or type(number) is not float or number:
        return xp.where(condition, array, other)
    if kept.size < 2048 or kept.dtype.kind != "f" or kept.shape != condition.shape:  # smaller, it does not pay
        none = zero(kept, number)
        return np.where(condition, kept, none) if kept is array else np.where(condition, none, kept)
    one = condition.view("i1")
    bits = np.negative(one) if kept is array else one - ONE  # -1, all bits, where it is kept
    return np.bitwise_and(bits, kept.view(f"i{kept.itemsize}")).view(kept.dtype)


ONE = np.int8(1)
ZEROS = {np.dtype(name): np.zeros((), name) for name in ("float32", "float64")}


def zero(array: Any, number: float = 0) -> Any:
    """0, to compute with beside an array: where that is of floats, as an array of their type. With a Python number,
    NumPy's functions take twice as long on small arrays."""
    return ZEROS.get(array.dtype, number) if type(array) is np.ndarray else number


def total(xp: Any, array: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`xp.sum`. NumPy's is a shell around `add.reduce`, and for small arrays the shell costs more than the sum. Halves
    are added up in float32, as in PyTorch, and the sum is rounded once."""
    if xp is np:
        reduce: Any = np.add.reduce
        if array.dtype is HALF:
            return np.asarray(reduce(array, axis=axis, keepdims=keepdims, dtype=F32)).astype(HALF)
        return reduce(array, axis=axis, keepdims=keepdims)
    return xp.sum(array, axis=axis, keepdims=keepdims)


def cast(xp: Any, array: Any, dtype: Any) -> Any:
    """`xp.astype`. NumPy's own refuses, up to 2.0, the numbers that its functions give for arrays without a size."""
    return array.astype(dtype) if xp is np else xp.astype(array, dtype)


def running_sum(xp: Any, array: Any, axis: int) -> Any:
    """The sums of all that comes before, and each element itself.

    >>> running_sum(np, np.full(1000, 0.1, "float32"), 0)[-1]
    np.float32(100.0)
    """
    return _running(xp, np.cumsum if xp is np else xp.cumulative_sum, array, axis)


def running_product(xp: Any, array: Any, axis: int) -> Any:
    """The same for products."""
    return _running(xp, np.cumprod if xp is np else xp.cumulative_prod, array, axis)


def _running(xp: Any, accumulate: Callable[..., Any], array: Any, axis: int) -> Any:
    """In the next wider type, each place of which is rounded once, as in PyTorch. (NumPy has the array API's
    `cumulative_sum` from 2.1 on.)"""
    wide = WIDER.get(array.dtype)
    if wide is None:
        return accumulate(array, axis=axis)
    return cast(xp, accumulate(array, axis=axis, dtype=getattr(xp, wide)), array.dtype)


HALF, F32 = np.dtype("float16"), np.dtype("float32")
WIDER = {HALF: "float32", F32: "float64"}


def stack(xp: Any, arrays: Any, axis: int) -> Any:
    """`xp.stack`. NumPy's gives each array its new axis before it joins them; after it is enough, in half the time."""
    size = arrays[0].shape
    if xp is np and 0 <= axis < len(size) and all([array.shape == size for array in arrays]):
        return np.concatenate(arrays, axis).reshape(*size[:axis], len(arrays), *size[axis:])
    return xp.stack(arrays, axis=axis)


def expand_dims(xp: Any, array: Any, axis: int) -> Any:
    """`xp.expand_dims`. NumPy's is a shell around `reshape`, which takes ten times as long."""
    if xp is np and 0 <= axis <= array.ndim:
        return array.reshape(*array.shape[:axis], 1, *array.shape[axis:])
    return xp.expand_dims(array, axis=axis)


def broadcast_to(xp: Any, array: Any, size: tuple[int, ...]) -> Any:
    """`xp.broadcast_to`. NumPy's asks its iterator, which takes six times as long for small arrays.

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
    """`out[...] = function(*arrays)`. NumPy's functions write there themselves, which saves a copy."""
    if xp is np:
        function(*arrays, out=out)
    else:
        out[...] = function(*arrays)


def as_bytes(xp: Any, array: Any) -> Any:
    """The memory of an array as bytes; an empty array if the library can't do that."""
    return array.reshape(-1).view("uint8") if xp is np else xp.empty((0,), dtype=xp.uint8)


def each(function: Callable[[float], float], xp: Any, array: Any) -> Any:
    """A function of one number, as the standard library's `math.erf`, of each element."""
    return xp.asarray(np.asarray(np.frompyfunc(function, 1, 1)(np.asarray(array)), dtype="float64"), dtype=array.dtype)


def scatter_add(xp: Any, array: Any, index: Any, values: Any) -> Any:
    """A copy of `array` with `values` added at `index` (as in `array[index]`); repeated places add up."""
    out = array.copy()
    xp.add.at(out, index, values)
    return out
