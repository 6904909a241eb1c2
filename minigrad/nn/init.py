"""How parameters start: functions that fill a tensor in place, without gradients, and return it.

The numbers are PyTorch's for the same seed. Xavier: Glorot & Bengio 2010; Kaiming: He et al. 2015.
Imports random. Read next: linear.py.
"""

from __future__ import annotations

import math
from typing import Any

from .. import random
from ..autograd.modes import no_grad
from ..creation import eye as _eye
from ..creation import from_numpy


@no_grad()
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    """Uniform in [a, b).

    >>> import minigrad as torch
    >>> w = torch.nn.init.uniform_(torch.empty(1000), -2, 2)
    >>> bool((w >= -2).all() and (w < 2).all())
    True
    """
    return tensor.copy_(from_numpy(random.uniform(tuple(tensor.shape), tensor.dtype.numpy, a, b)))


@no_grad()
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """Normal with this mean and standard deviation."""
    return tensor.copy_(from_numpy(random.normal(tuple(tensor.shape), tensor.dtype.numpy, mean, std)))


@no_grad()
def constant_(tensor: Any, val: float) -> Any:
    """One number everywhere."""
    return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Zeros."""
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor: Any) -> Any:
    """A matrix with ones on its diagonal, zeros elsewhere."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(_eye(*tensor.shape))


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    """Uniform in ±gain·√(6 / (fan_in + fan_out))."""
    bound = gain * math.sqrt(6.0 / sum(fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    """Normal with standard deviation gain·√(2 / (fan_in + fan_out))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(fans(tensor))))


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    """Uniform in ±gain·√(3 / fan), for layers followed by a (leaky) ReLU of negative slope `a`."""
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    """Normal with standard deviation gain / √fan, for layers followed by a (leaky) ReLU of negative slope `a`."""
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much an activation function must be made up for: √2 for ReLU, 5/3 for tanh."""
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity in ("linear", "sigmoid", "conv1d", "conv2d"):
        return 1.0
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


def fans(tensor: Any) -> tuple[int, int]:
    """(fan_in, fan_out): how many inputs feed an output of this weight, and how many outputs an input feeds."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.shape[1] * window, tensor.shape[0] * window


def _fan(tensor: Any, mode: str) -> int:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return fans(tensor)[mode == "fan_out"]
