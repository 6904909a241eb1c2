"""`tf.layers`: `dense`, a layer of neurons that creates its own variables.

Imports variables, math and arrays. Read next: losses.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._messages.names import missing as _missing
from .arrays import reshape, shape
from .convert import convert
from .initializers import zeros_initializer
from .math import matmul
from .tensor import binary, merge
from .variables import get_variable, variable_scope


def dense(
    inputs: Any,
    units: int,
    activation: Callable[[Any], Any] | None = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: Any = None,
) -> Any:
    """activation(inputs · kernel + bias) along the last axis, whose length must be known.

    Creates the variables `kernel` (inputs, units), Glorot uniform by default, and `bias` (units).

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.layers.dense(tf.placeholder(tf.float32, [None, 3]), 2), tf.trainable_variables()[0].name)
    Tensor("dense/BiasAdd:0", shape=(?, 2), dtype=float32) dense/kernel:0
    """
    x = convert(inputs)
    depth = x.dims[-1] if x.dims else None
    if depth is None:
        raise ValueError("The last dimension of the inputs to `Dense` should be defined. Found `None`.")
    with variable_scope(name, "dense", reuse=reuse):
        kernel = get_variable("kernel", [depth, units], x.dtype, kernel_initializer, trainable)
        flat = x if len(x.dims) == 2 else reshape(x, [-1, depth])
        y = matmul(flat, kernel)
        if use_bias:
            bias = get_variable("bias", [units], x.dtype, bias_initializer or zeros_initializer(), trainable)
            y = binary("add", "BiasAdd", y, bias)
        if flat is not x:
            sizes = [shape(x)[d] if n is None else n for d, n in enumerate(x.dims[:-1])]
            y = reshape(y, [*sizes, units])
            y.dims = merge(y.dims, (*x.dims[:-1], units))
        return y if activation is None else activation(y)


__getattr__ = _missing(__name__, place="tf.layers")
