"""Copies of tensors: deepcopy, copy and pickle, as PyTorch makes them.

Tensors that share memory still share it after one `deepcopy`: the whole memory is copied once, and each copy is a view
of its part of the copy. `copy` gives another tensor on the same memory, and `pickle` writes the memory once for each
tensor. A copy is a leaf and not a view; only `deepcopy` keeps the gradient.
Imports overlap and views. Read next: methods/conversion.py, which makes these functions methods.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from .._engine.overlap import owner
from .._engine.storage import NO_VERSIONS, TensorBase
from .._engine.switches import modes
from .._engine.views import Unsettled
from ..core.tensor import wrap

NO_LEAF = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you "
    "were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
    "https://github.com/pytorch/pytorch/pull/103001"
)


def in_a_row(memory: Any) -> Any:
    """The bytes of an array in memory order, without copying; None if there are gaps between them."""
    row = memory.ravel(order="K")
    same = not row.size or row.ctypes.data == memory.ctypes.data
    return row.view("uint8") if same else None


def part(row: Any, start: int, like: Any) -> Any:
    """The array with the memory layout of `like` that starts at byte `start` of these bytes."""
    return np.ndarray(like.shape, like.dtype, row, start, like.strides)


def begins_at(array: Any, memory: Any) -> int:
    """The offset in bytes of the array's first element from the start of the memory."""
    return array.ctypes.data - memory.ctypes.data if array.size else 0


def copied(array: Any, memo: dict[Any, Any]) -> Any:
    """A copy of the array, on a copy of its memory, which is made once for all arrays on it."""
    if not isinstance(array, np.ndarray):
        return array.copy(order="K")
    memory = owner(array)
    key = "memory of tensors", id(memory)
    if key not in memo:
        if in_a_row(memory) is None:
            return array.copy(order="K")
        memo[key] = memory, memory.copy(order="K")  # holding `memory` keeps its id from being reused
    new = memo[key][1]
    return new if array is memory else part(in_a_row(new), begins_at(array, memory), array)


def attributes(tensor: Any) -> dict[str, Any]:
    """The attributes that the user has set on a tensor."""
    return {name: x for name, x in vars(tensor).items() if not hasattr(TensorBase, name)}


def kind_of(tensor: Any) -> Any:
    """The class of a tensor, also of a view whose history must first be checked."""
    kind = type(tensor)
    return kind.__bases__[1] if issubclass(kind, Unsettled) else kind


def finished(data: Any, kind: Any, requires_grad: bool) -> Any:
    """A new leaf whose memory was set after its creation: PyTorch counts that as a change."""
    out = wrap(data, requires_grad)
    if modes.inference:
        out._versions = NO_VERSIONS
    else:
        out.versions()[0] = 1
    out.__class__ = kind
    return out


def deepcopied(tensor: Any, memo: dict[Any, Any]) -> Any:
    """The result of `copy.deepcopy` for a tensor; RuntimeError if it has a history."""
    if id(tensor) in memo:
        return memo[id(tensor)]
    if tensor.grad_fn is not None:
        raise RuntimeError(NO_LEAF)
    memo[id(tensor)] = out = finished(copied(tensor._data, memo), kind_of(tensor), bool(tensor._requires_grad))
    if tensor._grad is not None:
        out._grad = deepcopied(tensor._grad, memo)
    for name, x in attributes(tensor).items():
        setattr(out, name, copy.deepcopy(x, memo))
    return out


def reduced(tensor: Any) -> Any:
    """What `pickle` and `copy.copy` use: a function, and the arguments from which it makes the tensor."""
    warn_of_hooks(tensor)
    data, row, start = tensor._data, None, 0
    if isinstance(data, np.ndarray):
        memory = owner(data)
        row, start = in_a_row(memory), begins_at(data, memory)
    asks = bool(tensor.requires_grad)
    if row is None:
        return rebuilt, (kind_of(tensor), data, None, 0, None, None, asks, attributes(tensor))
    return rebuilt, (kind_of(tensor), row, data.dtype, start, data.shape, data.strides, asks, attributes(tensor))


def rebuilt(
    kind: Any, row: Any, dtype: Any, start: int, shape: Any, strides: Any, asks: bool, noted: dict[str, Any]
) -> Any:
    """The tensor that `reduced` has described."""
    data = row if dtype is None else np.ndarray(shape, dtype, row, start, strides)
    out = finished(data, kind, asks)
    for name, x in noted.items():
        setattr(out, name, x)
    return out


def warn_of_hooks(tensor: Any) -> None:
    """Give PyTorch's warning for each hook, because hooks are not copied."""
    node = tensor.grad_fn
    hooks = tensor._hooks if node is None else (node.tensor_hooks or {}).get(tensor.output_nr)
    for hook in (hooks or {}).values():
        warnings.warn(
            f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate the "
            "function with @torch.utils.hooks.unserializable_hook to suppress this warning",
            stacklevel=4,
        )
