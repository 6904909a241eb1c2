"""`tf.nn`: activations and losses of neural networks, and the recurrent networks from rnn.py.

Imports math and arrays. Read next: rnn.py.
"""

from __future__ import annotations

from typing import Any

from .._compiler.build import build
from .._messages.names import missing as _missing
from . import rnn_cell
from .arrays import gather, one_hot, reshape, shape
from .bidirectional import bidirectional_dynamic_rnn, static_bidirectional_rnn
from .convert import convert
from .dropout import dropout
from .math import add, maximum, multiply, reduce_sum, sigmoid, square, tanh, unary
from .rnn import dynamic_rnn, static_rnn
from .tensor import binary

__all__ = [
    "bias_add",
    "bidirectional_dynamic_rnn",
    "dropout",
    "dynamic_rnn",
    "elu",
    "embedding_lookup",
    "l2_loss",
    "leaky_relu",
    "log_softmax",
    "relu",
    "rnn_cell",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "sparse_softmax_cross_entropy_with_logits",
    "static_bidirectional_rnn",
    "static_rnn",
    "tanh",
]

relu = unary("relu", "Relu", "max(x, 0); its slope at 0 is 0.")
elu = unary("elu", "Elu", "x above 0, exp(x) - 1 below.")
softplus = unary("softplus", "Softplus", "log(1 + exp(x)).")


def leaky_relu(features: Any, alpha: float = 0.2, name: str = "LeakyRelu") -> Any:
    """x if positive, else alpha * x."""
    return build("leaky_relu", convert(features), name=name, negative_slope=float(alpha))


def softmax(logits: Any, axis: int = -1, name: str = "Softmax") -> Any:
    """exp(x) divided by its sum along an axis."""
    x = convert(logits)
    return build("softmax", x, name=name, dim=axis % len(x.dims) if x.dims is not None else axis)


def log_softmax(logits: Any, axis: int = -1, name: str = "LogSoftmax") -> Any:
    """The logarithm of `softmax`, computed without rounding small probabilities to 0."""
    x = convert(logits)
    return build("log_softmax", x, name=name, dim=axis % len(x.dims) if x.dims is not None else axis)


def bias_add(value: Any, bias: Any, name: str = "BiasAdd") -> Any:
    """value + bias, where bias is a vector along the last axis."""
    return binary("add", name, value, bias)


def l2_loss(t: Any, name: str = "L2Loss") -> Any:
    """Half the sum of squares."""
    return multiply(reduce_sum(square(t)), 0.5, name=name)


def embedding_lookup(params: Any, ids: Any, name: str = "embedding_lookup") -> Any:
    """The rows of `params` at `ids`."""
    return gather(params, ids, name=name)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str = "softmax_cross_entropy_with_logits") -> Any:
    """-Σ labels · log_softmax(logits) along the last axis: one loss for each row, whose labels should sum to 1.

    If one of the two has more axes, rows are matched in order; the losses have the shape of the logits.
    """
    logits = convert(logits)
    labels = convert(labels, logits.dtype)
    if None not in (logits.dims, labels.dims) and len(logits.dims) != len(labels.dims):
        labels = reshape(labels, shape(logits))
    return build("softmax_cross_entropy", logits, labels, name=name)


softmax_cross_entropy_with_logits_v2 = softmax_cross_entropy_with_logits


def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str = "SparseSoftmaxCrossEntropyWithLogits"
) -> Any:
    """`softmax_cross_entropy_with_logits` for labels that are class indices."""
    logits = convert(logits)
    return softmax_cross_entropy_with_logits(one_hot(labels, logits.dims[-1], logits.dtype), logits, name=name)


def sigmoid_cross_entropy_with_logits(labels: Any, logits: Any, name: str = "logistic_loss") -> Any:
    """The loss of independent yes-or-no labels, computed without overflow."""
    x = convert(logits)
    return add(maximum(x, 0.0) - x * labels, build("softplus", -abs(x)), name=name)


__getattr__ = _missing(__name__, place="tf.nn")
