"""PyTorch's rules about memory that an operator in place both reads and writes.

Each element that it writes must have a place of its own in memory, which is not so after `expand`. And no element may
read a place that another element has written: each input must lie elsewhere in memory, or exactly at the place of the
result. An operator that looks its input up in another order (index_add_, scatter_add_, index_put_) may not read that
memory at all. Operators that write one number everywhere need no check. Memory with gaps is not checked: PyTorch calls
that case "too hard".
Imports storage. Read next: _tensors/inplace.py, which checks before it writes.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .storage import TensorBase

SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
APART = {  # for these operators, the source may not be the target itself
    *("index_put", "index_add", "index_copy_put", "masked_scatter_put"),
    *("scatter_add", "scatter_put", "scatter_amax", "scatter_amin"),
}
INTO_SPREAD_OUT = {  # operators that may write to expanded memory; and PyTorch's warning, if there is one
    "fill": "",
    "zero": "",
    "masked_fill": "tensor[mask] = scalar",
    "masked_fill_tensor": "tensor[mask] = scalar",
    "index_put": "tensor[indices] = tensor",
}


LITTLE = 4096  # number of elements; overlaps of larger arrays with gaps are not computed
ROW = 16  # number of elements; PyTorch reads several elements at once in rows of this length


def spread_out(array: Any) -> bool:
    """True if several elements have the same place in memory, as after `expand`. Always False for CuPy's arrays."""
    return (
        isinstance(array, np.ndarray)
        and array.size > 0
        and any(n > 1 and not step for n, step in zip(array.shape, array.strides, strict=True))
    )


def steps(tensor: TensorBase) -> tuple[int, ...]:
    """The distance in memory between neighbours along each axis, in elements. For an axis of size one, and for an empty
    tensor, NumPy and PyTorch store different distances. PyTorch's depend on how the tensor was made, and are computed
    here from those of the view's source."""
    data, made = tensor._data, tensor._view
    if data.size and 1 not in data.shape:
        return tuple(step // data.itemsize for step in data.strides)
    if made is not None and made[2].name in STEPS:
        return tuple(STEPS[made[2].name](list(steps(made[1])), made[1]._data.shape, data.shape, **made[3]))
    if not data.size or (data.base is None and data.flags.c_contiguous):
        return _row_by_row(data.shape)
    return tuple(step // data.itemsize for step in data.strides)


def _row_by_row(size: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(max(n, 1) for n in size[d + 1 :]) for d in range(len(size)))


def _of_view(theirs: list[int], sizes: tuple[int, ...], new: tuple[int, ...], **_: Any) -> list[int]:
    """For `view` and `reshape`: axes that are adjacent in memory form a chunk, which is divided again, from its end."""
    if not sizes:
        return [1] * len(new)
    if 0 in sizes:
        return theirs if new == sizes else list(_row_by_row(new))
    found, at, chunk, taken, step = [0] * len(new), len(new) - 1, 1, 1, theirs[-1]
    for d in reversed(range(len(sizes))):
        chunk *= sizes[d]
        if d and (sizes[d - 1] == 1 or theirs[d - 1] == chunk * step):
            continue
        while at >= 0 and (taken < chunk or new[at] == 1):
            found[at], taken, at = taken * step, taken * new[at], at - 1
        if d:
            chunk, taken, step = 1, 1, theirs[d - 1]
    return found


def _of_expand(theirs: list[int], sizes: tuple[int, ...], new: tuple[int, ...], **_: Any) -> list[int]:
    if not sizes:
        return [0] * len(new)
    lead = len(new) - len(sizes)
    found = [step if n == m else 0 for step, n, m in zip(theirs, sizes, new[lead:], strict=True)]
    for d in reversed(range(lead)):
        found.insert(0, new[d + 1] * found[0] if new[d] == 1 else 0)
    return found


def _of_transpose(theirs: list[int], sizes: Any, _: Any, dim0: int, dim1: int) -> list[int]:
    if theirs:
        theirs[dim0], theirs[dim1] = theirs[dim1], theirs[dim0]
    return theirs


# the steps of a view, from its source's steps, its source's size and its own size
STEPS: dict[str, Callable[..., list[int]]] = {
    **dict.fromkeys(("view", "reshape_alias"), _of_view),
    **dict.fromkeys(("alias", "split", "split_with_sizes"), lambda theirs, *_, **params: theirs),
    **dict.fromkeys(("select", "unbind"), lambda theirs, *_, dim=0, **index: [*theirs[:dim], *theirs[dim + 1 :]]),
    **dict.fromkeys(
        ("squeeze", "squeeze_dim", "squeeze_dims", "squeeze_last"),
        lambda theirs, sizes, _, dim=None: [
            each for d, each in enumerate(theirs) if sizes[d] != 1 or (dim is not None and d not in dim)
        ],
    ),
    "expand": _of_expand,
    "unsqueeze": lambda theirs, sizes, _, dim: [
        *(*theirs[:dim], theirs[dim] * sizes[dim] if dim < len(theirs) else 1, *theirs[dim:])
    ],
    "transpose": _of_transpose,
    "slice_dim": lambda theirs, *_, dim, step=1, **ends: [n * step if d == dim else n for d, n in enumerate(theirs)],
    "diagonal": lambda theirs, *_, dim1, dim2, **offset: [
        *(each for d, each in enumerate(theirs) if d not in (dim1, dim2)),
        theirs[dim1] + theirs[dim2],
    ],
    "t": lambda theirs, *_: theirs[::-1],
    "permute": lambda theirs, sizes, _, dims: [theirs[d] for d in dims],
}


def meets(target: TensorBase, source: TensorBase) -> str:
    """The place of `source` in memory: "at" the place of `target`, "across" it (a partial overlap), or elsewhere
    ("")."""
    if source is target:
        return "at"
    here, there = target._data, source._data
    if here is not there and (here.base is None is there.base or not np.may_share_memory(here, there)):
        return ""
    if memory(here) is not memory(there):  # the same places, but PyTorch sees another storage: from_numpy makes one
        return ""
    bounds, others = byte_bounds(here), byte_bounds(there)
    if not here.size or bounds[1] - bounds[0] != here.nbytes or others[1] - others[0] != there.nbytes:
        return ""
    return "at" if bounds == others and steps(target) == steps(source) else "across"


def among_itself(target: TensorBase, other: Any) -> bool:
    """True if an operator that writes to `target` reads from `other` what it has just written. PyTorch refuses that,
    unless the memory has gaps: then it goes element by element, and later elements read what earlier ones wrote."""
    if not isinstance(other, TensorBase) or other is target:
        return False
    here, there = target._data, other._data
    return (
        isinstance(here, np.ndarray)
        and isinstance(there, np.ndarray)
        and (here.base is not None or there.base is not None)
        and here.dtype == there.dtype
        and 0 < max(here.size, there.size) <= LITTLE
        and np.may_share_memory(here, there)
        and memory(here) is memory(there)
        and not meets(target, other)
        and np.shares_memory(here, there)
    )


def as_read(target: TensorBase, other: TensorBase, turns: Any, compute: Callable[[Any, Any], Any]) -> Any:
    """The values of `other` that an operator reads if it goes element by element. `turns` has a pair for each element:
    the place that it writes and the place that it reads. `compute` makes the new value. All this happens on a copy of
    the memory, with the same overlaps."""
    here, there = target._data, other._data
    low = min(byte_bounds(here)[0], byte_bounds(there)[0])
    size = max(byte_bounds(here)[1], byte_bounds(there)[1]) - low
    bytes_ = np.zeros(size, "uint8")
    for array in (here, there):
        _placed(array, bytes_, low)[...] = array
    write, read = (_placed(array, bytes_, low) for array in (here, there))
    found = there.copy()
    for to, place in turns:
        found[place] = read[place]
        write[to] = compute(write[to], found[place])
    return found


def _placed(array: Any, bytes_: Any, low: int) -> Any:
    """An array with the layout of the given one, at the same offset from `low`, in these bytes."""
    return np.ndarray(array.shape, array.dtype, bytes_, byte_bounds(array)[0] - low, array.strides)


def one_by_one(array: Any, other: Any) -> list[tuple[int, ...]] | None:
    """The places of an array in the order of PyTorch's loops: the axis with the smallest step changes fastest. None for
    a long row, of which PyTorch reads several elements at once; and None if `other` has more axes."""
    if other.ndim > array.ndim or array.ndim == 0:
        return None
    order = sorted(range(array.ndim), key=lambda d: -array.strides[d])
    last = order[-1]
    if array.shape[last] >= ROW and array.strides[last] == array.itemsize:
        return None
    return [
        tuple(place[order.index(d)] for d in range(array.ndim))
        for place in np.ndindex(*(array.shape[d] for d in order))
    ]


def owner(array: Any) -> Any:
    """The array at the end of the chain of `base`: it owns the memory, or is a view of another library's memory."""
    while True:
        base = array.base
        if type(base).__name__ == "DummyArray":  # NumPy's as_strided puts this object between an array and its view
            base = base.base
        if not isinstance(base, np.ndarray):
            return array
        array = base


def memory(array: Any) -> Any:
    """The object that owns an array's memory: an array, or an object of another library."""
    array = owner(array)
    return array if array.base is None else array.base


def same_data(target: TensorBase, source: TensorBase) -> bool:
    """True if both are the same elements of the same memory, so that a copy would change nothing."""
    here, there = target._data, source._data
    return source is target or (
        here.dtype == there.dtype
        and here.shape == there.shape
        and isinstance(here, np.ndarray)
        and (here is there or here.base is not None or there.base is not None)
        and here.ctypes.data == there.ctypes.data
        and steps(target) == steps(source)
    )


def refuse_memory(name: str, self: TensorBase, others: tuple[Any, ...] = (), params: Any = None) -> None:
    """Raise, or warn, if the operator `name` may not write its result into `self` because of where the others lie."""
    if not isinstance(self._data, np.ndarray) or (name == "copy" and same_data(self, others[0])):
        return
    if spread_out(self._data):
        refuse_spread_out(name)
    if name == "index_put" and fills_mask(others[0], params):
        if spread_out(self._data):
            refuse_spread_out("masked_fill")
        return
    if name in ("fill", "fill_tensor", "zero"):
        return
    for other in others[:1] if name.startswith("masked_fill") else others:
        if isinstance(other, TensorBase) and isinstance(other._data, np.ndarray):
            found = meets(self, other)
            if found == "across" or (found and name in APART):
                raise RuntimeError(OVERLAP)


def refuse_index(self: TensorBase, given: list[Any], masked: bool) -> None:
    """Raise if an index overlaps the memory that is written to; a mask that is filled may be `self` itself."""
    for index in given:
        found = meets(self, index) if isinstance(index, TensorBase) and isinstance(index._data, np.ndarray) else ""
        if found and (found == "across" or not masked):
            raise RuntimeError(OVERLAP)


def fills_mask(values: TensorBase, params: dict[str, Any]) -> bool:
    """True for one number written where a mask is True: PyTorch runs masked_fill_ for that."""
    arrays = [index for index in params["indices"] if not isinstance(index, slice)]
    one = values._data.size == 1 and not params.get("accumulate") and len(arrays) == 1
    return one and arrays[0].dtype == bool


def refuse_spread_out(name: str) -> None:
    """Raise, or warn, as PyTorch does if an operator writes into expanded memory."""
    if name not in INTO_SPREAD_OUT:
        raise RuntimeError(SPREAD_OUT)
    if INTO_SPREAD_OUT[name]:
        warnings.warn(
            f"Use of {name.removesuffix('_tensor')}_ on expanded tensors is deprecated. Please clone() the tensor "
            "before performing this operation. This also applies to advanced indexing e.g. " + INTO_SPREAD_OUT[name],
            stacklevel=4,
        )
