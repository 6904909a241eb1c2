"""The two forms of a backward pass: on plain arrays, and on Tensors for `create_graph=True`.

Both use the same slopes, so a second derivative needs no further rule. They differ in the table
`F` that a slope gets, and in how saved values are read: as arrays, or as Tensors with a graph.
In the full package, `y.backward()` does not use the two functions at the end of this file:
../_engine/backward.py checks more, and calls `engine.run` itself.
Imports engine, modes, node, rules, tensor. This is the last file; ../_tensors/tensor.py leads on.
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
    """The table on Tensors: the operators that a slope calls are recorded."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return OPERATORS[name]


def recorded_unpack(saved: Any, node: Any) -> Any:
    """The saved value as a Tensor with its graph; if it is the node's own result, a new Tensor."""
    if isinstance(saved, Packed):
        return saved.tensor(node)
    array = unpack(saved, node)  # raises an error if it was freed or changed
    tensor, versions = saved[:2] if isinstance(saved, tuple) else (saved, None)
    if isinstance(tensor, Tensor):
        return tensor
    if versions is None and tensor is not getattr(node, "saved_result", None):
        return wrap(array.copy())  # an operand that was a number, as in w * 2
    names = node.rule.outputs if node.rule else ()
    here = [i for i, name in enumerate(names) if getattr(node, "saved_" + name, None) is saved]
    each = isinstance(node._shape, list)
    out = result(array, node, (node, *here) if each else None if any(here) else node)
    if versions is not None:
        out._versions = versions
    else:  # save the new counter, so that a change of `out` is noticed
        node.saved_result = pack(out, own=True)
    return out


def result(array: Any, node: Node, made_by: Any) -> Any:
    """A new Tensor of a saved result. `made_by`: the node, (node, output index), or None."""
    out = wrap(array)
    if array.dtype.kind == "f" and made_by is not None:
        out._fn, out._requires_grad = made_by, True
    out._versions = new_versions()
    return out


RAW = Form(Raw(np), unpack, wrap, recorded=False)
RECORDED = Form(Recorded(), recorded_unpack, lambda tensor: tensor, recorded=True)


def make_pass(roots: list[tuple[Any, Any]], form: Form, retain: bool, guide: Any = None) -> None:
    """Run a pass. Its operators are recorded if the form says so, whatever `modes` says outside."""
    with Switch(grad=form.recorded):
        run(roots, form, retain, guide)


def backward(
    tensor: Any, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False
) -> None:
    """Send a gradient from a tensor to the leaves, into their `.grad`. By default it is all ones;
    the full package, like PyTorch, allows that for one element only."""
    start = wrap(np.ones_like(tensor._data)) if gradient is None else gradient
    edge = tensor._fn or tensor  # its node, or the leaf itself
    root = edge, start if create_graph else start._data.copy()  # `gradient` may be a leaf's `.grad`
    retain = create_graph if retain_graph is None else retain_graph
    make_pass([root], RECORDED if create_graph else RAW, retain)
