"""The functions behind the modules: no state of their own, parameters passed in.

    import minigrad.nn.functional as F

One file a family, as with the modules. Read next: layer.py.
"""
# ruff: noqa: F401  # to be had from here is what these imports are for

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
