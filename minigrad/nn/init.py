"""How parameters start: functions that fill a tensor in place, without gradients, and return it.

The numbers are PyTorch's for the same seed. Xavier: Glorot & Bengio 2010; Kaiming: He et al. 2015.
Imports random. Read next: linear.py.
"""

import math
import warnings

from .. import random
from ..autograd.modes import no_grad
from ..creation import eye, from_numpy


@no_grad()
def uniform_(tensor, a=0.0, b=1.0):
    """Uniform in [a, b).

    >>> import minigrad as torch
    >>> w = torch.nn.init.uniform_(torch.empty(1000), -2, 2)
    >>> bool((w >= -2).all() and (w < 2).all())
    True
    """
    return tensor.copy_(from_numpy(random.uniform(tuple(tensor.shape), tensor.dtype.numpy, a, b)))


@no_grad()
def normal_(tensor, mean=0.0, std=1.0):
    """Normal with this mean and standard deviation."""
    return tensor.copy_(from_numpy(random.normal(tuple(tensor.shape), tensor.dtype.numpy, mean, std)))


@no_grad()
def constant_(tensor, val):
    """One number everywhere."""
    return tensor.fill_(val)


def ones_(tensor):
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor):
    """Zeros."""
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor):
    """A matrix with ones on its diagonal, zeros elsewhere."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(eye(*tensor.shape))


def xavier_uniform_(tensor, gain=1.0):
    """Uniform in ±gain·√(6 / (fan_in + fan_out))."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor, gain=1.0):
    """Normal with standard deviation gain·√(2 / (fan_in + fan_out))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))))


def kaiming_uniform_(tensor, a=0.0, mode="fan_in", nonlinearity="leaky_relu"):
    """Uniform in ±gain·√(3 / fan), for layers followed by a (leaky) ReLU of negative slope `a`."""
    bound = math.sqrt(3.0) * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0.0, mode="fan_in", nonlinearity="leaky_relu"):
    """Normal with standard deviation gain / √fan, for layers followed by a (leaky) ReLU of negative slope `a`."""
    return normal_(tensor, 0.0, _kaiming_deviation(tensor, a, mode, nonlinearity))


def _kaiming_deviation(tensor, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return 0.0
    return calculate_gain(nonlinearity, a) / math.sqrt(fans(tensor)[mode == "fan_out"])


def calculate_gain(nonlinearity, param=0.01):
    """By how much an activation function must be made up for: √2 for ReLU, 5/3 for tanh."""
    gains = dict.fromkeys(("linear", "sigmoid", "conv1d", "conv2d"), 1.0)
    gains |= {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4, "leaky_relu": math.sqrt(2 / (1 + param**2))}
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def fans(tensor):
    """(fan_in, fan_out): how many inputs feed an output of this weight, and how many outputs an input feeds."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.shape[1] * window, tensor.shape[0] * window
