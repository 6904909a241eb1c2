"""Activations: what stands between two layers, element by element. As functions, then as modules.

The mathematics is in ops/activation.py; here it meets PyTorch's arguments. Imports applied. Read next: softmax.py.
"""

from ..compiled import OPERATORS
from ..inplace import in_place
from .applied import Applied


def _apply(name: str, input, inplace: bool, **params):
    return in_place(name, input, **params) if inplace else OPERATORS[name](input, **params)


def relu(input, inplace=False):
    """max(x, 0); the slope at 0 is 0."""
    return _apply("relu", input, inplace)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """x where positive, else negative_slope · x."""
    return _apply("leaky_relu", input, inplace, negative_slope=negative_slope)


def elu(input, alpha=1.0, inplace=False):
    """x where positive, else alpha · (exp(x) - 1)."""
    return _apply("elu", input, inplace, alpha=alpha)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x clipped to [min_val, max_val]; the slope on the border is 0."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _apply("hardtanh", input, inplace, min_val=min_val, max_val=max_val)


def silu(input, inplace=False):
    """x · sigmoid(x), also called swish."""
    return _apply("silu", input, inplace)


def gelu(input, approximate="none"):
    """x · Φ(x) with the normal distribution Φ, or its approximation by "tanh"."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return OPERATORS["gelu" if approximate == "none" else "gelu_tanh"](input)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + exp(beta · x)) / beta, a smooth ReLU; x itself where beta · x > threshold."""
    return OPERATORS["softplus"](input, beta=beta, threshold=threshold)


def softsign(input):
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def logsigmoid(input):
    """log(sigmoid(x)), without overflow."""
    return OPERATORS["logsigmoid"](input)


def tanh(input):
    """The hyperbolic tangent."""
    return input.tanh()


def sigmoid(input):
    """1 / (1 + exp(-x))."""
    return input.sigmoid()


# -- as modules -----------------------------------------------------------------------------------


class ReLU(Applied):
    """max(x, 0).

    >>> import minigrad as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    function = staticmethod(relu)


class SiLU(Applied):
    """x · sigmoid(x), also called swish."""

    function = staticmethod(silu)


class LeakyReLU(Applied):
    """x where positive, else negative_slope · x."""

    function = staticmethod(leaky_relu)


class ELU(Applied):
    """x where positive, else alpha · (exp(x) - 1)."""

    function = staticmethod(elu)


class Hardtanh(Applied):
    """x clipped to [min_val, max_val]."""

    function = staticmethod(hardtanh)


class GELU(Applied):
    """x · Φ(x) with the normal distribution Φ, or its approximation by "tanh"."""

    function = staticmethod(gelu)


class Softplus(Applied):
    """log(1 + exp(beta · x)) / beta, a smooth ReLU."""

    function = staticmethod(softplus)


class Softsign(Applied):
    """x / (1 + |x|)."""

    function = staticmethod(softsign)


class Tanh(Applied):
    """The hyperbolic tangent."""

    function = staticmethod(tanh)


class Sigmoid(Applied):
    """1 / (1 + exp(-x))."""

    function = staticmethod(sigmoid)


class LogSigmoid(Applied):
    """log(sigmoid(x)), without overflow."""

    function = staticmethod(logsigmoid)
