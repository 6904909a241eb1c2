"""The functions behind the modules: no state of their own, parameters passed in.

    import minigrad.nn.functional as F

One file a family, as with the modules. Read next: layer.py.
"""

from .activation import (
    elu,
    gelu,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    relu,
    sigmoid,
    silu,
    softmax,
    softplus,
    softsign,
    tanh,
)
from .layer import batch_norm, dropout, embedding, layer_norm, linear, normalize, one_hot
from .loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from .window import avg_pool1d, avg_pool2d, conv1d, conv2d, max_pool1d, max_pool2d, pad

__all__ = [
    "avg_pool1d",
    "avg_pool2d",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "conv1d",
    "conv2d",
    "cross_entropy",
    "dropout",
    "elu",
    "embedding",
    "gelu",
    "hardtanh",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "logsigmoid",
    "max_pool1d",
    "max_pool2d",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "softsign",
    "tanh",
]
