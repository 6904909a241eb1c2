"""One operator of PyTorch may be several here; `print(y)` still shows PyTorch's name for its grad_fn.

    @one_node("KronBackward0")
    def kron(input, other): ...

The last of the several nodes gets the name. If only the name differs when one operand is a number, the row notes it
(`number_nodes`). Imports nodes and storage. Read next: products.py, which uses this.
"""

import functools
from typing import Any

from ..._engine.nodes import Node
from ..._engine.storage import TensorBase


@functools.cache
def _renamed(kind, name):
    """The same class of nodes under another name."""
    return type(name, (kind,), {"__slots__": (), "built_in": False})


def name_node(tensor, name):
    """Give this tensor's grad_fn the name, unless the tensor is a view, whose grad_fn depends on its base."""
    node = tensor._fn
    if not isinstance(node, Node) or tensor._view is not None:
        return
    rename(node, name)


def rename(node, name):
    """Give a node the name."""
    kind: Any = type(node)
    if kind.__name__ != name:
        node.__class__ = _renamed(kind, name)


def name_for_numbers(rule, out, *operands):
    """Give the node PyTorch's name for an operator with a number as one operand, if the row notes such a name."""
    names = getattr(rule, "number_nodes", ())
    for operand, name in zip(operands, names, strict=False):
        if not isinstance(operand, TensorBase):
            name_node(out, name)
    return out


def one_node(name):
    """Decorate a function: the node of its result gets this name; with several results, each node."""

    def decorate(function):
        @functools.wraps(function)
        def named(*args, **options):
            out = function(*args, **options)
            for tensor in (out,) if isinstance(out, TensorBase) else out:
                name_node(tensor, name)
            return out

        return named

    return decorate
