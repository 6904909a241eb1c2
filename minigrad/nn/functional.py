"""The functions behind the modules: no state of their own, parameters passed in.

    import minigrad.nn.functional as F

Each stands beside its module, in the file of its family. Read next: linear.py.
"""
# ruff: noqa: F401  # to be had from here is what these imports are for

from .activation import elu, gelu, hardtanh, leaky_relu, logsigmoid, relu, sigmoid, silu, softplus, softsign, tanh
from .convolution import conv1d, conv2d, pad
from .embedding import embedding, one_hot
from .linear import linear
from .loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from .pooling import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d
from .regular import batch_norm, dropout, layer_norm, normalize
from .softmax import log_softmax, softmax
