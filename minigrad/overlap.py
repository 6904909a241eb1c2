"""Which memory an operator in place may write to while it reads: PyTorch's rules, in one place.

Each writes into elements of their own (not where `expand` has put several into one place), and none reads what another
element of it has overwritten: its inputs lie elsewhere, or exactly where the result goes. Who looks its input up in
another order (index_add_, scatter_add_, index_put_) may not read there at all. Operators that write one number
everywhere need not ask. Memory with gaps is not looked into: that would be too hard.
Imports storage. Read next: inplace.py, which asks before it writes.
"""

from __future__ import annotations

import math
import warnings
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
APART = {  # what is written may not be itself
    *("index_put", "index_add", "index_copy_put", "masked_scatter_put"),
    *("scatter_add", "scatter_put", "scatter_amax", "scatter_amin"),
}
INTO_SPREAD_OUT = {  # what is written there all the same; and how PyTorch warns, if it does
    "fill": "",
    "zero": "",
    "masked_fill": "tensor[mask] = scalar",
    "masked_fill_tensor": "tensor[mask] = scalar",
    "index_put": "tensor[indices] = tensor",
}


def spread_out(array: Any) -> bool:
    """Do several elements share one place in memory, as `expand` makes them? CuPy's arrays are never asked."""
    return (
        isinstance(array, np.ndarray)
        and array.size > 0
        and any(n > 1 and not step for n, step in zip(array.shape, array.strides, strict=True))
    )


def steps(tensor: TensorBase) -> tuple[int, ...]:
    """How many elements apart neighbours along each axis lie. Where an axis has only one, NumPy and PyTorch let
    `expand` write down another number, and in an empty tensor everything."""
    data = tensor._data
    if not data.size and not (tensor._view and tensor._view[1]._data.size):  # in order, as if no axis were empty
        return tuple(math.prod(max(n, 1) for n in data.shape[d + 1 :]) for d in range(data.ndim))
    known = tuple(step // data.itemsize for step in data.strides)
    if tensor._view is None or 1 not in data.shape:
        return known
    _, source, rule, params, *_ = tensor._view
    if rule.name in ("select", "unbind", "unsqueeze"):
        theirs, dim = steps(source), params["dim"]
        if rule.name != "unsqueeze":
            return (*theirs[:dim], *theirs[dim + 1 :])
        return (*theirs[:dim], theirs[dim] * source._data.shape[dim] if dim < len(theirs) else 1, *theirs[dim:])
    if rule.name != "expand":
        return known
    if not source._data.ndim:
        return (0,) * data.ndim
    lead = data.ndim - source._data.ndim
    pairs = zip(steps(source), source._data.shape, data.shape[lead:], strict=True)
    found = [step if n == m else 0 for step, n, m in pairs]
    for d in reversed(range(lead)):
        found.insert(0, data.shape[d + 1] * found[0] if data.shape[d] == 1 else 0)
    return tuple(found)


def meets(target: TensorBase, source: TensorBase) -> str:
    """Where `source` lies in memory: "at" the very place of `target`, "across" it, or neither ("")."""
    if source is target:
        return "at"
    here, there = target._data, source._data
    if here is not there and (here.base is None is there.base or not np.may_share_memory(here, there)):
        return ""
    if memory(here) is not memory(there):  # the same places, but to PyTorch another storage: from_numpy makes one
        return ""
    bounds, others = byte_bounds(here), byte_bounds(there)
    if not here.size or bounds[1] - bounds[0] != here.nbytes or others[1] - others[0] != there.nbytes:
        return ""
    return "at" if bounds == others and steps(target) == steps(source) else "across"


def owner(array: Any) -> Any:
    """The array that was made with this memory: it owns it, or it is the view of a foreign one by which it came."""
    while True:
        base = array.base
        if type(base).__name__ == "DummyArray":  # between an array and what NumPy's as_strided makes of it
            base = base.base
        if not isinstance(base, np.ndarray):
            return array
        array = base


def memory(array: Any) -> Any:
    """What an array's memory was made as: the array that owns it, or the foreign thing that does."""
    array = owner(array)
    return array if array.base is None else array.base


def same_data(target: TensorBase, source: TensorBase) -> bool:
    """Would a copy change nothing, since both are the same numbers of the same memory?"""
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
    """Raise, or warn, if the operator called `name` may not write into `self` what it makes of the others."""
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


def fills_mask(values: TensorBase, params: dict[str, Any]) -> bool:
    """One number put where a mask is True: to PyTorch, that is masked_fill_."""
    arrays = [index for index in params["indices"] if not isinstance(index, slice)]
    one = values._data.size == 1 and not params.get("accumulate") and len(arrays) == 1
    return one and arrays[0].dtype == bool


def refuse_spread_out(name: str) -> None:
    """Raise, or warn, as PyTorch does where an operator is to write into such memory."""
    if name not in INTO_SPREAD_OUT:
        raise RuntimeError(SPREAD_OUT)
    if INTO_SPREAD_OUT[name]:
        warnings.warn(
            f"Use of {name.removesuffix('_tensor')}_ on expanded tensors is deprecated. Please clone() the tensor "
            "before performing this operation. This also applies to advanced indexing e.g. " + INTO_SPREAD_OUT[name],
            stacklevel=4,
        )
