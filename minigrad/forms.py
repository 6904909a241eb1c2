"""The forms of a backward pass: on plain arrays, and on Tensors for `create_graph=True`.

The same slopes serve both: what differs is the table that they are given (`F`) and how a node's saved
values come out. Imports dispatch, graph and engine. Read next: backward.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .backend import namespace
from .compiled import OPERATORS
from .device import Elsewhere
from .dispatch import wrap
from .engine import Form
from .graph import FREED, RECORDED_UNPACK, Node, blame, changed, raw_unpack, unpack_hooked
from .rules import TABLE, Raw
from .storage import TensorBase, new_versions


class Recorded:
    """The table on Tensors: what slopes get under `create_graph=True`, so that their own graph is kept."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return OPERATORS[name]


def recorded_unpack(saved: Any, node: Node) -> Any:
    """The saved Tensor with its history; a result, which was saved by its array, gets its node back."""
    if saved is None:
        raise blame(RuntimeError(FREED), node=node)
    if isinstance(saved, TensorBase):
        saved = saved, saved.versions(), 0
    elif not isinstance(saved, tuple):
        if saved is not getattr(node, "saved_result", None):
            return wrap(saved)  # a number
        saved = saved, new_versions(), 0
        setattr(node, "saved_result", saved)  # noqa: B010  # whoever changes the result must find this list
    thing, versions, version = saved
    if versions is None:
        return made_by(version.history, unpack_hooked(saved, node)._data, node)
    if versions[0] != version:
        raise changed(saved, node)
    if isinstance(thing, TensorBase):
        return thing
    out = made_by(..., thing, node)
    out._versions = versions
    return out


def made_by(edge: Any, array: Any, node: Node) -> Any:
    """The array as a Tensor with the history that it was saved with: an edge, None, or `...` for the node itself."""
    if isinstance(edge, TensorBase):  # a leaf: what was packed in its place leads to it
        out = OPERATORS["alias"](edge)
        out._data = array
        return out
    out = wrap(array)
    if edge is ...:
        edge = node if array.dtype.kind == "f" and array.shape == node._shape else None
    if edge is not None:
        out._fn, out._requires_grad = edge, True
    return out


def _same(tensor: Any) -> Any:
    return tensor


def _array(tensor: Any) -> Any:
    return tensor._data


RAW = Form(Raw(np), raw_unpack, wrap, _array, recorded=False)
RECORDED = Form(Recorded(), recorded_unpack, _same, _same, recorded=True)


class Anywhere(Raw):
    """The table on plain arrays of several devices: each operator asks its first array where that is."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        value = TABLE[name].value
        return lambda *arrays, **params: value(namespace(arrays[0]), *arrays, **params)


def form_for(array: Any, create_graph: bool) -> Form:
    """The form of a pass that starts with this array."""
    if create_graph:
        return RECORDED
    alone = isinstance(array, np.ndarray) and not Elsewhere.used
    return RAW if alone else Form(Anywhere(None), raw_unpack, wrap, _array, recorded=False)


RECORDED_UNPACK.append(recorded_unpack)
