"""The two forms of a backward pass: on plain arrays, and on Tensors for `create_graph=True`.

The same slopes serve both, so a second derivative needs no second rule. What differs is the table
that slopes are given (`F`), and how a node's saved values come out: as arrays, or as the Tensors
that were saved, with their history.
Imports all of the core but seams. You have read it: next, ../_tensors/tensor.py and what it names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .engine import Form, run
from .modes import Switch
from .node import Node, Packed, pack, unpack
from .rules import OPERATORS, Raw
from .tensor import Tensor, new_versions, wrap


class Recorded:
    """The table on Tensors: a slope that is written with it is itself recorded."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return OPERATORS[name]


def recorded_unpack(saved: Any, node: Any) -> Any:
    """The saved Tensor with its history; a result, saved by its array, gets its node back."""
    if isinstance(saved, Packed):
        return saved.tensor(node)
    array = unpack(saved, node)  # which raises if it was freed or changed
    tensor, versions = saved[:2] if isinstance(saved, tuple) else (saved, None)
    if isinstance(tensor, Tensor):
        return tensor
    if versions is None and tensor is not getattr(node, "saved_result", None):
        return wrap(array.copy())  # a number
    names = node.rule.outputs if node.rule else ()
    here = [i for i, name in enumerate(names) if getattr(node, "saved_" + name, None) is saved]
    each = isinstance(node._shape, list)
    out = result(array, node, (node, *here) if each else None if any(here) else node)
    if versions is not None:
        out._versions = versions
    else:  # from now on the node has versions to compare, too
        node.saved_result = pack(out, own=True)
    return out


def result(array: Any, node: Node, made_by: Any) -> Any:
    """What the node made, once more; made by it, (it, which output), or None: without history."""
    out = wrap(array)
    if array.dtype.kind == "f" and made_by is not None:
        out._fn, out._requires_grad = made_by, True
    out._versions = new_versions()
    return out


RAW = Form(Raw(np), unpack, wrap, recorded=False)
RECORDED = Form(Recorded(), recorded_unpack, lambda tensor: tensor, recorded=True)


def make_pass(roots: list[tuple[Any, Any]], form: Form, retain: bool, guide: Any = None) -> None:
    """Make a pass from these (edge, gradient). It is recorded, with all that happens in it, under
    `create_graph` alone, whatever the mode outside."""
    with Switch(grad=form.recorded):
        run(roots, form, retain, guide)


def backward(
    tensor: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False
) -> None:
    """Send a gradient (of one element: 1) from a tensor to the leaves, into their `.grad`. What
    PyTorch checks before that stands in ../_engine/backward.py."""
    start = wrap(np.ones_like(tensor._data)) if gradient is None else gradient
    edge = tensor._fn or tensor  # its node, or the leaf itself
    root = edge, start if create_graph else start._data.copy()  # it may be some leaf's `.grad`
    retain = create_graph if retain_graph is None else retain_graph
    make_pass([root], RECORDED if create_graph else RAW, retain)
