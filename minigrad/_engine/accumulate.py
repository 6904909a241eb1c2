"""The end of a backward pass: adding a gradient to `.grad` of a leaf, or of a tensor that retains its gradient. A
stored gradient is dense and has memory of its own.

Several threads may run backward into one leaf, so `.grad` changes only while the lock GROWING is held. No hook runs
while it is held.
Imports storage. Read next: watched.py.
"""

from __future__ import annotations

import threading
from sys import getrefcount
from typing import Any

import numpy as np

from .overlap import SPREAD_OUT, spread_out
from .storage import TensorBase

GROWING = threading.RLock()
FEW = 2048  # number of elements; copying so few is faster than checking whether a copy is needed


def holders(view: Any) -> int:
    """The reference count of the array under `view`; it equals `ALONE` if only the view refers to that array."""
    base = view.base
    return getrefcount(base)


ALONE = holders(np.zeros(2)[:])  # the reference count differs between releases of Python


def behind(view: Any) -> Any:
    """The array under a view, if it has the same layout and nothing else refers to it; otherwise the view. A matrix
    that was transposed twice, such as a linear layer's gradient, then needs no copy."""
    base = view.base
    if type(base) is np.ndarray and base.shape == view.shape and base.strides == view.strides:
        base = None  # this variable would count as a reference
        if holders(view) == ALONE and view.base.dtype is view.dtype:
            return view.base
    return view


def own(array: Any, like: Any) -> Any:
    """A copy of the array that shares memory with nothing. Its layout follows PyTorch's gradient layout contract: the
    strides of `like` if they have neither gaps nor overlaps, otherwise row by row."""
    if not (type(array) is type(like) is np.ndarray) or like.flags.c_contiguous:
        return array.copy()
    steps = sorted((step, n) for step, n in zip(like.strides, like.shape, strict=True) if n != 1)
    dense, span = True, like.itemsize
    for step, n in steps:
        dense, span = dense and step == span, span * n
    out = np.empty_like(like, dtype=array.dtype, order="K" if dense else "C")
    out[...] = array
    return out


def grow(tensor: Any, grad: Any, form: Any) -> None:
    """Add `grad` to `.grad`. `grad` is an array to which nothing else refers, or a view of one (or, under create_graph,
    any Tensor). The caller must hold GROWING.

    `.grad` stays the same tensor object and gets new numbers, unless the sum has to be recorded.
    """
    before = tensor._grad
    if form.recorded:
        tensor._grad = copied(grad, tensor, form) if before is None else before + grad
    elif before is None:
        if grad.base is not None or (grad.ndim > 1 and grad.strides != tensor._data.strides):
            grad = own(grad, tensor._data)
        tensor._grad = form.wrap(grad)
    else:
        add(before, grad)


def copied(grad: Any, tensor: TensorBase, form: Any) -> Any:
    """A Tensor with the same numbers and, under create_graph, a history: PyTorch's node CopyBackwards."""
    out = form.F.copy(form.F.zeros_like(grad), grad)
    out._data = own(grad._data, tensor._data)
    return out


def add(before: Any, grad: Any) -> None:
    """Add in place. The version counter increases first: after an interrupt, a change may be counted but not made,
    never made but not counted."""
    data = before._data
    if data.base is not None and spread_out(data):
        raise RuntimeError(SPREAD_OUT)
    if data.shape != grad.shape:  # the tensor's shape was changed in place
        raise RuntimeError(f"output with shape {list(data.shape)} doesn't match the broadcast shape {list(grad.shape)}")
    before.versions()[0] += 1
    data += grad
