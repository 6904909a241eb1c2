"""Combining examples into a batch: tensors are stacked, numbers become a tensor, containers keep their type.

Imports creation.py. Read next: dataloader.py.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ..._engine.storage import TensorBase
from ..._machine import dtypes
from ..._messages.foreign import refuse
from ..._tensors.creation import as_tensor, tensor
from ..._tensors.methods.shape import stack

WRONG = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def default_collate(batch: Any) -> Any:
    """Combine a list of examples into one batch, with a new first axis.

    Floats become float64, as in PyTorch; strings stay a list; a batch of tuples becomes a list of batches.
    Raises TypeError for unknown types, RuntimeError for sequences of different lengths.

    >>> default_collate([(1, 0.5), (2, 1.5)])
    [tensor([1, 2]), tensor([0.5000, 1.5000], dtype=torch.float64)]
    >>> default_collate([{"x": 1, "name": "a"}, {"x": 2, "name": "b"}])
    {'x': tensor([1, 2]), 'name': ['a', 'b']}
    """
    first = batch[0]
    if isinstance(first, TensorBase):
        return stack([*batch])
    if isinstance(first, np.ndarray):
        if first.dtype.kind in "SUO":
            raise TypeError(WRONG.format(first.dtype))
        return stack([as_tensor(each) for each in batch])
    if isinstance(first, np.bool_ | np.number):
        return as_tensor(batch)
    if isinstance(first, float):
        return tensor(batch, dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return in_its_form(first, {key: default_collate([each[key] for each in batch]) for key in first})
    if is_namedtuple(first):
        return type(first)(*map(default_collate, zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        if any(len(each) != len(first) for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [default_collate(part) for part in zip(*batch, strict=True)]
        return parts if isinstance(first, tuple) else in_its_form(first, parts)
    refuse("default_collate()", batch)
    raise TypeError(WRONG.format(type(first)))


def default_convert(data: Any) -> Any:
    """Convert NumPy's arrays and numbers in one example to tensors; everything else, and the containers, stay.

    >>> default_convert({"x": np.ones(2), "y": [1, "a"]})
    {'x': tensor([1., 1.], dtype=torch.float64), 'y': [1, 'a']}
    """
    if isinstance(data, np.ndarray | np.bool_ | np.number):
        return data if data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, Mapping):
        return in_its_form(data, {key: default_convert(value) for key, value in data.items()})
    if is_namedtuple(data):
        return type(data)(*map(default_convert, data))
    if isinstance(data, tuple):
        return [default_convert(each) for each in data]
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return in_its_form(data, [default_convert(each) for each in data])
    return data


def is_namedtuple(thing: Any) -> bool:
    """Whether the value is a namedtuple."""
    return isinstance(thing, tuple) and hasattr(thing, "_fields")


def in_its_form(like: Any, parts: Any) -> Any:
    """The parts in a container of the same class if possible, else in a plain dict or list."""
    make: Callable[..., Any] = type(like)
    try:
        if not isinstance(like, MutableMapping | MutableSequence):
            return make(parts)
        out: Any = copy.copy(like)  # keeps attributes that a subclass may add
        for key, part in parts.items() if isinstance(parts, dict) else enumerate(parts):
            out[key] = part
        return out
    except TypeError:
        return parts
