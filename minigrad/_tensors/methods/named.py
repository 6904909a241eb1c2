"""What is one operator to PyTorch may be several here; `print(y)` shows PyTorch's name of its grad_fn all the same.

    @one_node("KronBackward0")
    def kron(input, other): ...

The last of the several nodes takes the name. Where only the name differs if one operand is a number, the row notes it
(`number_nodes`). Imports nodes and storage. Read next: products.py, which is made so.
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
    """Let this tensor's grad_fn be called so, if it has one of its own: that of a view is its base's matter."""
    node = tensor._fn
    if not isinstance(node, Node) or tensor._view is not None:
        return
    kind: Any = type(node)
    if kind.__name__ != name:
        node.__class__ = _renamed(kind, name)


def name_for_numbers(rule, out, *operands):
    """Give the node PyTorch's name for the case that one of the two operands is a number, if the row notes such."""
    names = getattr(rule, "number_nodes", ())
    for operand, name in zip(operands, names, strict=False):
        if not isinstance(operand, TensorBase):
            name_node(out, name)
    return out


def one_node(name):
    """Decorate a function with the name of the node of what it gives; of several results, of each."""

    def decorate(function):
        @functools.wraps(function)
        def named(*args, **options):
            out = function(*args, **options)
            for tensor in (out,) if isinstance(out, TensorBase) else out:
                name_node(tensor, name)
            return out

        return named

    return decorate
