"""`tf.gradients`: checks its arguments as TensorFlow does. The algorithm is in ../_compiler/gradients.py.

Imports that module, and convert. Read next: control_gradients.py, for loops and branches.
"""

from __future__ import annotations

from typing import Any

from .._compiler.build import build
from .._compiler.gradients import add, backpropagate
from .._compiler.types import known, show
from ..ops.sizes import Mismatch, broadcast
from .convert import convert


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
) -> list[Any]:
    """The sum of the derivatives of all `ys` with respect to each of `xs`, as new tensors; None where unconnected.

    `grad_ys` are the initial gradients (default: ones); `stop_gradients` are tensors to be treated as constants.
    `colocate_gradients_with_ops`, `gate_gradients` and `aggregation_method` have no effect.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session():
    ...     x = tf.constant(3.0)
    ...     dy = tf.gradients(x * x, [x])[0]
    ...     print(dy.eval(), tf.gradients(dy, x)[0].eval())
    6.0 2.0
    """
    ys, xs = listed(ys), [reference(x) for x in listed(xs)]
    grad_ys = listed(grad_ys) if grad_ys is not None else [None] * len(ys)
    if len(grad_ys) != len(ys):
        raise ValueError("Must pass one grad_y for each y in ys")
    ys = [convert(y) for y in ys]
    with ys[0].graph.name_scope(name):
        seeds: dict[Any, Any] = {}
        for i, (y, grad) in enumerate(zip(ys, grad_ys, strict=True)):
            if not y.dtype.is_floating:
                continue
            if grad is None:
                grad = ones(y, f"grad_ys_{i}")
            else:
                grad = convert(grad, y.dtype, f"grad_ys_{i}", y.graph)
                try:
                    fits = grad.dims is None or y.dims is None or len(grad.dims) == len(y.dims)
                    broadcast(grad.dims, y.dims)
                except Mismatch:
                    fits = False
                if not fits:
                    raise ValueError(f"Shapes {show(grad.dims)} and {show(y.dims)} are not compatible")
            add(seeds, y, grad)
        stops = [reference(s) for s in listed(stop_gradients)] if stop_gradients is not None else []
        return backpropagate(seeds, xs, stops, ys[0].op.block)


def listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def reference(x: Any) -> Any:
    """The tensor to differentiate by; for a variable, the tensor behind all its reads."""
    return x.op.outputs[0] if hasattr(x, "_as_tensor") else convert(x)


def ones(like: Any, name: str) -> Any:
    """Ones of a tensor's shape: a constant if the shape is known, else computed at run time."""
    if known(like.dims):
        return build("fill_with", name=name, size=like.dims, value=1.0, dtype=like.dtype.numpy, graph=like.graph)
    return build("ones_like", like, name=name)
