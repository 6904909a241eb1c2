"""PyTorch's messages for what does not fit: sizes that don't broadcast, axes out of range, wrong shapes.

A value is tried first, and explained only when NumPy refuses, so that a correct call costs nothing extra. Messages
about a single operator are noted beside its row; their texts are in ops/words.py.
Imports core, ops and dtypes. Read next: dispatch.py, which calls these functions.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .._machine import dtypes
from .._machine.device import device, device_of
from .._messages.foreign import type_name as type_name
from ..core.modes import modes
from ..core.record import edges_to
from ..core.rules import Rule
from ..ops import words
from ..ops.words import broadcast as broadcast
from ..ops.words import expanded as expanded
from ..ops.words import unfitting as unfitting
from ..ops.words import wrong_mask as wrong_mask

BOOL = np.dtype("bool")


def as_int(n: Any, wish: str) -> int:
    """`n` as an int, if it is a whole number or a tensor of one; otherwise a TypeError that begins with `wish`."""
    try:
        if not isinstance(n, bool):
            return operator.index(n)
    except TypeError:
        pass
    raise TypeError(f"{wish}, not {type_name(n)}")


def axis(dim: Any, ndim: int) -> int:
    """A dimension number between 0 and ndim - 1. `dim` may be negative and then counts from the end.

    >>> axis(-1, 3)
    2
    """
    if type(dim) is int and 0 <= dim < ndim:
        return dim
    dim = as_int(dim, "argument 'dim' must be int")
    low, high = -max(ndim, 1), max(ndim, 1) - 1
    if not low <= dim <= high:
        raise IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})")
    return dim + max(ndim, 1) if dim < 0 else dim


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Several dimension numbers, each between 0 and ndim - 1; an empty `dim` (or None) means all."""
    if dim is None or dim is ... or (isinstance(dim, tuple | list) and not dim):
        return tuple(range(ndim))
    dims = tuple(axis(d, ndim) for d in (dim if isinstance(dim, tuple | list) else (dim,)))
    for d in dims:
        if dims.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return dims if ndim else ()


def sizes(size: tuple[Any, ...], who: str, name: str = "size") -> tuple[int, ...]:
    """`f(2, 3)`, `f((2, 3))` and `f(torch.Size([2, 3]))` mean the same. `who` is f's name, for the error."""
    if len(size) == 1 and isinstance(size[0], tuple | list):
        size = tuple(size[0])
    return tuple(
        n if type(n) is int else as_int(n, f"{who}(): argument '{name}' (position 1) must be tuple of ints")
        for n in size
    )


def fill_in(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """A size whose one -1 is replaced by the number that fits; checked against the number of elements."""
    given = list(size)
    for i, n in enumerate(size):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {given}")
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in size:
        rest = math.prod(n for n in size if n != -1)
        if rest == 0 and count == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {given} because the unspecified dimension size -1 "
                "can be any value and is ambiguous"
            )
        size = tuple((count // rest if rest else 0) if n == -1 else n for n in size)
    if math.prod(size) != count:
        raise RuntimeError(f"shape '{given}' is invalid for input of size {count}")
    return size


def check_types(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> None:
    """Raise, in PyTorch's words, if the operator does not take these types. The fast path does not call this."""
    types = [x._data.dtype for x in inputs if hasattr(x, "_data")]
    if not types or not all(hasattr(x, "_data") or isinstance(x, int | float | np.generic) for x in inputs):
        return  # another check reports its error first
    first, kinds = types[0], {each.kind for each in types}
    numbers = [x for x in inputs if isinstance(x, int | float)]
    kinds |= {"b" if isinstance(x, bool) else "f" if isinstance(x, float) else "i" for x in numbers}
    floats = "f" in kinds if rule.kind == "elementwise" else first.kind == "f"
    if (rule.dtypes == "floating" and not floats) or (rule.dtypes in ("number", "divide") and kinds == {"b"}):
        refusal = getattr(rule, "refusal", None)
        if refusal is not None:
            raise RuntimeError(refusal.format(kind=dtypes.from_numpy(first).legacy))
        together(rule, inputs)
        raise not_implemented(kernel(rule, inputs[0], params), first)
    if rule.dtypes == "divide" and "f" not in kinds:  # NumPy only warns, and gives 0
        divisor = params.get("other", inputs[-1])
        if 0 not in together(rule, inputs) and np.any(getattr(divisor, "_data", divisor) == 0):
            raise RuntimeError("ZeroDivisionError")
    if rule.kind == "matmul" and not unlike(rule, inputs):
        refuses = getattr(rule, "bools", words.all_bools)
        if refuses([x._data for x in inputs]):
            raise not_implemented(getattr(rule, "kernel", rule.name), BOOL)
    if hasattr(rule, "types"):
        rule.types(kinds)
    if getattr(rule, "whole", False):
        tensors = [x._data for x in inputs if hasattr(x, "_data")]
        if "f" in kinds and modes.recording:
            edges_to(inputs)  # an input whose history is invalid raises first
        if len(tensors) == len(inputs):
            broadcast(*(a.shape for a in tensors))
        if "f" in kinds:
            ranks = [(dtypes.from_numpy(a.dtype), 2 if a.ndim else 1) for a in tensors]
            common = dtypes.result_type([*ranks, *((dtypes.number_type(number), 0) for number in numbers)])
            raise not_implemented(kernel(rule, inputs[0], params), common.numpy)


def together(rule: Rule, inputs: tuple[Any, ...]) -> tuple[int, ...]:
    """The size that the operands of an elementwise operator broadcast to; PyTorch reports an error in it first."""
    if rule.kind != "elementwise":
        return ()
    size: tuple[int, ...] = ()
    for x in inputs:
        size = broadcast(size, np.shape(getattr(x, "_data", x)))
    return size


def kernel(rule: Rule, first: Any, params: dict[str, Any]) -> str:
    """PyTorch's name for the code that computes an operator: mostly the operator's name and "_cpu"."""
    noted = getattr(rule, "kernel", None)
    if callable(noted):
        return noted(rule.name, np.ndim(first), params)
    return noted or rule.name.removesuffix("_tensor").removesuffix("_scalar") + "_cpu"


def not_implemented(kernel: str, dtype: Any) -> NotImplementedError:
    return NotImplementedError(f"\"{kernel}\" not implemented for '{dtypes.from_numpy(dtype).legacy}'")


def floats_only(kernel: str, input: Any) -> None:
    """Raise for integers; `kernel` is PyTorch's name for the code."""
    if input._data.dtype.kind != "f":
        raise not_implemented(kernel, input._data.dtype)


def unlike(rule: Rule, inputs: tuple[Any, ...]) -> Exception | None:
    """The error of a product whose sizes don't fit, if PyTorch checks sizes before types there; otherwise None."""
    arrays = [x._data for x in inputs]
    one_type = len({a.dtype for a in arrays}) == 1
    if getattr(rule, "sizes_first", None) in (["always", "of one type"] if one_type else ["always"]):
        return rule.words(arrays, {})  # type: ignore[attr-defined]
    return None


def mixed(rule: Rule, kinds: list[dtypes.dtype]) -> Exception:
    """The error for operands of several types in an operator that needs one type."""
    if rule.kind == "norm":
        wide = any(kind not in (kinds[0], dtypes.float32) for kind in kinds)
        what = "expect parameter to have scalar type of Float" if wide else "all inputs must share same datatype."
        return RuntimeError(f"mixed dtype (CPU): {what}")
    return getattr(rule, "mixed", words.mixed_product)(kinds)


def explain(rule: Rule, arrays: list[Any], params: dict[str, Any], error: Exception) -> Exception:
    """The error to raise when a value refused its arrays; the given error if nothing better is known."""
    places = [device_of(array) for array in arrays]
    if any(place != places[0] for place in places):
        return apart(rule, places)
    try:
        better = getattr(rule, "words", lambda arrays, params: None)(arrays, params)
        if better is not None:
            return better
        if rule.kind in ("elementwise", "question", "choice"):
            for array in arrays[1:]:
                broadcast(arrays[0].shape, array.shape)
    except RuntimeError as unlike:
        return unlike
    return error if isinstance(error, TypeError) else RuntimeError(str(error))


def apart(rule: Rule, places: list[device]) -> RuntimeError:
    """The error for tensors on different devices."""
    i, other = next((i, place) for i, place in enumerate(places) if place != places[0])
    said = "Expected all tensors to be on the same device, but"
    if rule.kind not in ("matmul", "shape"):
        return RuntimeError(f"{said} found at least two devices, {places[0]} and {other}!")
    name = rule.inputs[0 if rule.variadic else i]
    return RuntimeError(
        f"{said} got {name} is on {other}, different from other tensors on {places[0]} (when checking argument in "
        f"method wrapper_CUDA_{rule.name})"
    )


# -- data that no tensor can be made of -----------------------------------------------------------


def ragged(numbers: Any, kind: np.dtype[Any]) -> Exception:
    """The error for nested lists of unequal lengths. The first list gives the size; the one that differs is named."""
    level, dim = [numbers], 0
    while isinstance(level[0], list):
        for part in level:
            if not isinstance(part, list):
                return TypeError("not a sequence")
            if len(part) != len(level[0]):
                return ValueError(f"expected sequence of length {len(level[0])} at dim {dim} (got {len(part)})")
        level, dim = [part for parts in level for part in parts], dim + 1
    return TypeError(
        "must be real number, not list" if kind.kind == "f" else "'list' object cannot be interpreted as an integer"
    )
