"""What `x[index]` means: PyTorch's rules, in one place.

An index is read from left to right. An int (or an int in a 0-d tensor) selects at once and removes its axis before
the next item is read; a slice shortens its axis; None makes a new one. What remains are index tensors, lists and masks,
each at the axis that it has by then, with whole axes between them: these are looked up together. The new axes take
the place of the old ones if those are adjacent, and otherwise come first. NumPy has the same rule, but counts ints
among the looked-up items; here no ints remain.

>>> plan((0, slice(None), [1, 2]), (2, 3, 4)).steps
[('select', {'dim': 0, 'index': 0})]
>>> plan((0, slice(None), [1, 2]), (2, 3, 4)).indices
(slice(None, None, None), array([1, 2]))

Imports check and storage. Read next: methods/indexing.py, which follows such a plan.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from .._call.check import ragged
from .._engine.storage import TensorBase
from .._messages.foreign import refuse

WHOLE = slice(None)
SIMPLE = {int, slice}
UINT8, BOOL = np.dtype("uint8"), np.dtype("bool")
MASKS = {UINT8, BOOL}
KINDS = {np.dtype(name) for name in ("int64", "int32", "uint8", "bool")}
WRONG_KIND = "tensors used as indices must be long, int, byte or bool tensors"
NOT_A_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
    "which will result either in an error or a different result"
)


class Plan(NamedTuple):
    """`steps`: view operators with their parameters, in order. `indices`: what is then looked up, in NumPy's form;
    empty if nothing is. `given`: what the user wrote for each of these."""

    steps: list[tuple[str, dict[str, Any]]]
    indices: tuple[Any, ...]
    given: list[Any]


def plan(index: Any, size: tuple[int, ...]) -> Plan:
    """The plan of an index into a tensor of this size. Raises IndexError, TypeError, ValueError in PyTorch's words."""
    alone = type(index)
    items = (index,) if alone is int or alone is slice else as_tuple(index)
    named = len(items) if SIMPLE.issuperset(map(type, items)) else sum(map(axes_named, items))
    if named > len(size) and (items is index or not isinstance(index, int | slice | np.integer)):
        raise IndexError(f"too many indices for tensor of dimension {len(size)}")
    now = list(size)  # the size after the steps so far
    steps: list[tuple[str, dict[str, Any]]] = []
    indices: list[Any] = []
    given: list[Any] = []
    dim = 0
    for place, item in enumerate(items):
        array = None
        if type(item) not in SIMPLE:
            item, array = settled(item)
        if type(item) is int:
            steps.append(("select", {"dim": dim, "index": one_of(item, now, dim, place)}))
            del now[dim]
            continue
        whole = 0  # the number of whole axes before the next looked-up item
        if isinstance(item, slice):
            if dim >= len(now):
                raise IndexError("slice() cannot be applied to a 0-dim tensor.")
            ends = cut(item, now[dim])
            if ends is not None:
                steps.append(("slice_dim", {"dim": dim, **ends}))
                now[dim] = len(range(ends["start"], ends["stop"], ends["step"]))
            whole = 1
        elif item is None or isinstance(item, bool):
            steps.append(("unsqueeze", {"dim": dim}))
            now.insert(dim, 1)
            if item is None:
                whole = 1
            else:  # True or False: a new axis, from which one element or none is taken
                item = array = np.zeros(int(item), dtype=np.int64)
        elif item is Ellipsis:
            whole = len(size) - named
        if array is not None:
            before = 0 if indices else dim
            indices += [*[WHOLE] * before, array]
            given += [*[None] * before, item]
            dim += array.ndim if array.dtype in MASKS else 1
        elif whole:
            dim += whole
            if indices:
                indices += [WHOLE] * whole
                given += [None] * whole
    if not indices:
        return Plan(steps, (), given)
    return Plan(steps, looked_up(indices), given)


def as_tuple(index: Any) -> tuple[Any, ...]:
    """The items of an index. A short list that holds more than numbers counts as a tuple, with a warning."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, list | range | str) and len(index) < 32:
        several = (list, tuple, range, str, slice, TensorBase, np.ndarray)
        if any(item is None or item is Ellipsis or isinstance(item, several) for item in index):
            warnings.warn(NOT_A_TUPLE, stacklevel=4)
            return tuple(index)
    return (index,)


def axes_named(item: Any) -> int:
    """The number of axes that an item uses up."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    if isinstance(item, TensorBase) and item._data.dtype in MASKS:
        return int(item._data.ndim)
    return 1


def settled(item: Any) -> tuple[Any, Any]:
    """An int, slice, None, Ellipsis or bool for an item; for any other item, the item and the array to look up."""
    if item is None or item is Ellipsis or isinstance(item, bool | slice):
        return item, None
    if not isinstance(item, TensorBase):
        item = as_index(item)
    if isinstance(item, int):
        return item, None
    array = getattr(item, "_data", item)
    if array.ndim or array.dtype.kind == "f":
        return item, array
    return (bool(array) if array.dtype in MASKS else int(array)), None


def as_index(item: Any) -> Any:
    """The array of indices in a sequence (a mask, if all are bools); an int if the item can be used as one."""
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(item, list | tuple | range | np.ndarray):
        array = item if isinstance(item, np.ndarray) else as_array(item)
        return array if array.dtype in MASKS else array.astype(np.int64)
    refuse("an index", item)
    if isinstance(item, np.bool_) or not hasattr(item, "__index__"):
        kind = type(item).__name__ if not isinstance(item, np.generic) else f"numpy.{type(item).__name__}"
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
            f"(got {kind})"
        )
    return item.__index__()


def as_array(items: Any) -> Any:
    """A list of indices, of any depth, as an array."""
    plain = as_lists(items)
    try:
        array = np.asarray(plain, dtype=None if plain else np.int64)
    except ValueError:
        raise ragged(plain, np.dtype("int64")) from None
    if array.dtype.kind not in "buif":
        raise TypeError(f"new(): invalid data type '{type(array.flat[0]).__name__.removesuffix('_')}'")
    return array


def as_lists(items: Any) -> list[Any]:
    """The same items with tuples, ranges and tensors as lists and numbers."""
    given = [item.tolist() if isinstance(item, TensorBase | np.ndarray) else item for item in items]
    return [as_lists(item) if isinstance(item, list | tuple | range) else item for item in given]


def one_of(item: int, size: list[int], dim: int, place: int) -> int:
    """An index along an axis, counted from its start."""
    if not size and not item:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
            "0-dim tensor to a number"
        )
    n = size[dim] if dim < len(size) else 0
    if not -n <= item < n:
        raise IndexError(f"index {item} is out of bounds for dimension {place} with size {n}")
    return item % n


def cut(item: slice, n: int) -> dict[str, int] | None:
    """Start, stop and step of a slice along an axis of length n; None if it is the whole axis."""
    first, last, step = item.start, item.stop, item.step
    if first is last is step is None:
        return None
    step = 1 if step is None else step.__index__()
    if step <= 0:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    start, stop, _ = item.indices(n)
    if (first is None or first == 0) and step == 1 and (last is None or last >= n):
        return None
    return {"start": start, "stop": max(start, stop), "step": step}


def looked_up(indices: list[Any]) -> tuple[Any, ...]:
    """The index arrays for the graph: copies, so that the user can't change them; masks of bytes become bools."""
    for array in indices:
        if array is not WHOLE and array.dtype not in KINDS:
            raise IndexError(WRONG_KIND)
    return tuple(
        each if each is WHOLE else each.astype(bool if each.dtype == UINT8 else each.dtype) for each in indices
    )


def warn_of_bytes(given: list[Any]) -> None:
    """Warn of a mask of bytes, which is deprecated, when it looks up, or writes more than one number."""
    if any(getattr(each, "_data", each).dtype == UINT8 for each in given if isinstance(each, TensorBase | np.ndarray)):
        warnings.warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.", stacklevel=4
        )
