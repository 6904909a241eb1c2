"""Activations: element-wise functions between two layers. First the functions, then the modules.

The formulas are in ops/activation.py and ops/bends.py; this file takes PyTorch's arguments. Imports applied.
Read next: softmax.py.
"""

import warnings

import numpy as np

from .._call.arguments import takes_tensors
from .._call.check import floats_only
from .._call.operators import OPERATORS
from .._machine.dtypes import uint8
from .._tensors.creation import full
from .._tensors.inplace import in_place
from .applied import Applied
from .init import constant_
from .module import Module
from .parameter import Parameter


def _apply(name: str, input, inplace: bool, **params):
    return in_place(name, input, **params) if inplace else OPERATORS[name](input, **params)


def _apply_other(name: str, input, inplace: bool, **params):
    """Like `_apply`, for operators with a separate in-place form, whose derivative is computed from the result."""
    return in_place(name + "_", input, **params) if inplace else OPERATORS[name](input, **params)


def relu(input, inplace=False):
    """max(x, 0); the derivative at 0 is 0.

    >>> x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    >>> F.relu(x).sum().backward()
    >>> x.grad
    tensor([0., 0., 1.])
    """
    return _apply("relu", input, inplace)


@takes_tensors
def leaky_relu(input, negative_slope=0.01, inplace=False):
    """x where positive, else negative_slope · x.

    >>> x = torch.tensor([-2.0, 3.0], requires_grad=True)
    >>> F.leaky_relu(x, 0.1).sum().backward()
    >>> x.grad
    tensor([0.1000, 1.0000])
    """
    return _apply_other("leaky_relu", input, inplace, negative_slope=negative_slope)


@takes_tensors
def elu(input, alpha=1.0, inplace=False):
    """x where positive, else alpha · (exp(x) - 1).

    >>> x = torch.tensor([-1.0, 2.0], requires_grad=True)
    >>> F.elu(x).sum().backward()
    >>> x.grad
    tensor([0.3679, 1.0000])
    """
    return _apply_other("elu", input, inplace, alpha=alpha)


@takes_tensors
def selu(input, inplace=False):
    """scale · elu(x, alpha), with numbers that keep mean 0 and variance 1 (Klambauer et al. 2017).

    >>> F.selu(torch.tensor([-1.0, 1.0]))
    tensor([-1.1113,  1.0507])
    """
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return _apply_other("elu", input, inplace, alpha=alpha, scale=scale)


@takes_tensors
def celu(input, alpha=1.0, inplace=False):
    """x where positive, else alpha · (exp(x / alpha) - 1).

    >>> F.celu(torch.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _apply_other("celu", input, inplace, alpha=alpha, input_scale=1 / alpha)


def relu6(input, inplace=False):
    """x clipped to [0, 6].

    >>> F.relu6(torch.tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """
    return _apply("hardtanh", input, inplace, min_val=0.0, max_val=6.0)


@takes_tensors
def threshold(input, threshold, value, inplace=False):
    """x where it is above `threshold`, else `value`.

    >>> F.threshold(torch.tensor([0.5, 1.5]), 1.0, -1.0)
    tensor([-1.0000,  1.5000])
    """
    return _apply_other("threshold", input, inplace, threshold=threshold, value=value)


@takes_tensors
def hardshrink(input, lambd=0.5):
    """x, but 0 in [-lambd, lambd].

    >>> F.hardshrink(torch.tensor([-1.0, 0.3, 0.7]))
    tensor([-1.0000,  0.0000,  0.7000])
    """
    return OPERATORS["hardshrink"](input, lambd=lambd)


@takes_tensors
def softshrink(input, lambd=0.5):
    """x moved towards 0 by `lambd`, but not past 0.

    >>> F.softshrink(torch.tensor([-1.0, 0.3, 0.7]))
    tensor([-0.5000,  0.0000,  0.2000])
    """
    floats_only("softshrink_check", input)
    if lambd < 0:
        kind, most = input.dtype.legacy, float(np.finfo(input._data.dtype).max)
        raise RuntimeError(f"lambda must be in range [0, {most:g}] for input dtype {kind}, but found {lambd:g}")
    return OPERATORS["softshrink"](input, lambd=lambd)


def tanhshrink(input):
    """x - tanh(x).

    >>> F.tanhshrink(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.2384,  0.0000,  0.2384])
    """
    return input - input.tanh()


@takes_tensors
def hardsigmoid(input, inplace=False):
    """A piecewise linear sigmoid: (x + 3) / 6 clipped to [0, 1].

    >>> F.hardsigmoid(torch.tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
    return _apply("hardsigmoid", input, inplace)


@takes_tensors
def hardswish(input, inplace=False):
    """x · hardsigmoid(x).

    >>> F.hardswish(torch.tensor([-4.0, 0.0, 1.5]))
    tensor([-0.0000, 0.0000, 1.1250])
    """
    return _apply("hardswish", input, inplace)


@takes_tensors
def mish(input, inplace=False):
    """x · tanh(softplus(x)).

    >>> F.mish(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.3034,  0.0000,  0.8651])
    """
    return _apply("mish", input, inplace)


@takes_tensors
def glu(input, dim=-1):
    """a · sigmoid(b), where a and b are the halves of x along `dim`. Raises RuntimeError if its size is odd.

    >>> F.glu(torch.tensor([5.0, 7.0, 0.0, 100.0]))
    tensor([2.5000, 7.0000])
    """
    if not input.dim():
        raise RuntimeError("glu does not support 0-dimensional tensors")
    size = input.shape[dim]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is size {size}")
    return OPERATORS["glu"](input, dim=dim % input.dim())


@takes_tensors
def prelu(input, weight):
    """x where positive, else weight · x; `weight` is one number, or one for each channel of (N, C, …).

    >>> slope = torch.tensor([0.25], requires_grad=True)
    >>> F.prelu(torch.tensor([-4.0, 2.0]), slope).sum().backward()
    >>> slope.grad
    tensor([-4.])
    """
    if weight.dtype is not input.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {input.dtype.legacy} and {weight.dtype.legacy}")
    if weight.numel() != 1:
        channels = input.shape[1] if input.dim() > 1 else 1
        if not input.dim():
            raise RuntimeError("Not allow zero-dim input tensor.")
        if channels != weight.numel():
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.numel()} and channel size = {channels}."
            )
    if weight.dim() != input.dim():
        weight = weight.reshape((1, -1, *(1,) * (input.dim() - 2))[: input.dim()])
    return OPERATORS["prelu"](input, weight)


@takes_tensors
def relu_(input):
    """`relu` in place.

    >>> F.relu_(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return relu(input, inplace=True)


@takes_tensors
def leaky_relu_(input, negative_slope=0.01):
    """`leaky_relu` in place.

    >>> F.leaky_relu_(torch.tensor([-2.0, 3.0]), 0.1)
    tensor([-0.2000,  3.0000])
    """
    return leaky_relu(input, negative_slope, inplace=True)


@takes_tensors
def elu_(input, alpha=1.0):
    """`elu` in place.

    >>> x = torch.tensor([-1.0, 2.0])
    >>> F.elu_(x) is x, x
    (True, tensor([-0.6321,  2.0000]))
    """
    return elu(input, alpha, inplace=True)


@takes_tensors
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x clipped to [min_val, max_val]; the derivative at both limits is 0.

    >>> F.hardtanh(torch.tensor([-2.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if min_val < 0 and getattr(input, "dtype", None) is uint8:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return _apply("hardtanh", input, inplace, min_val=min_val, max_val=max_val)


def silu(input, inplace=False):
    """x · sigmoid(x), also called swish.

    >>> F.silu(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.2689,  0.0000,  0.7311])
    """
    return _apply("silu", input, inplace)


def gelu(input, approximate="none"):
    """x · Φ(x), where Φ is the normal distribution function, or the approximation "tanh" of it.

    Raises RuntimeError for another approximation.

    >>> F.gelu(torch.tensor([-1.0, 0.0, 1.0])), F.gelu(torch.tensor(1.0), approximate="tanh")
    (tensor([-0.1587,  0.0000,  0.8413]), tensor(0.8412))
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return OPERATORS["gelu" if approximate == "none" else "gelu_tanh"](input)


@takes_tensors
def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + exp(beta · x)) / beta, a smooth ReLU; x itself where beta · x > threshold.

    >>> F.softplus(torch.tensor([-1.0, 0.0, 50.0]))
    tensor([ 0.3133,  0.6931, 50.0000])
    """
    return OPERATORS["softplus"](input, beta=beta, threshold=threshold)


def softsign(input):
    """x / (1 + |x|).

    >>> F.softsign(torch.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.5000,  0.0000,  0.7500])
    """
    return input / (input.abs() + 1)


@takes_tensors
def logsigmoid(input):
    """log(sigmoid(x)), without overflow.

    >>> F.logsigmoid(torch.tensor([-1000.0, 0.0]))
    tensor([-1.0000e+03, -6.9315e-01])
    """
    return OPERATORS["logsigmoid"](input)[0]


def tanh(input):
    """(eˣ - e⁻ˣ) / (eˣ + e⁻ˣ), the hyperbolic tangent.

    >>> F.tanh(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7616,  0.0000,  0.7616])
    """
    return input.tanh()


def sigmoid(input):
    """1 / (1 + exp(-x)).

    >>> F.sigmoid(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([0.2689, 0.5000, 0.7311])
    """
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

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        for old, new, value in (("min_value", "min_val", min_value), ("max_value", "max_val", max_value)):
            if value is not None:
                warnings.warn(
                    f"keyword argument `{old}` is deprecated and renamed to `{new}`", FutureWarning, stacklevel=2
                )
        min_val = min_val if min_value is None else min_value
        max_val = max_val if max_value is None else max_value
        if not max_val > min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        super().__init__(min_val, max_val, inplace)


class ReLU6(Applied):
    """x clipped to [0, 6]."""

    function = staticmethod(relu6)


class SELU(Applied):
    """scale · elu(x, alpha), with numbers that keep mean 0 and variance 1."""

    function = staticmethod(selu)


class CELU(Applied):
    """x where positive, else alpha · (exp(x / alpha) - 1)."""

    function = staticmethod(celu)


class Threshold(Applied):
    """x where it is above `threshold`, else `value`."""

    function = staticmethod(threshold)


class Hardshrink(Applied):
    """x, but 0 in [-lambd, lambd]."""

    function = staticmethod(hardshrink)

    def extra_repr(self) -> str:
        return str(self.lambd)


class Softshrink(Applied):
    """x moved towards 0 by `lambd`, but not past 0."""

    function = staticmethod(softshrink)

    def extra_repr(self) -> str:
        return str(self.lambd)


class Tanhshrink(Applied):
    """x - tanh(x)."""

    function = staticmethod(tanhshrink)


class Hardsigmoid(Applied):
    """A piecewise linear sigmoid."""

    function = staticmethod(hardsigmoid)


class Hardswish(Applied):
    """x · hardsigmoid(x)."""

    function = staticmethod(hardswish)


class Mish(Applied):
    """x · tanh(softplus(x))."""

    function = staticmethod(mish)


class GLU(Applied):
    """a · sigmoid(b), where a and b are the halves of x along `dim`."""

    function = staticmethod(glu)


class PReLU(Module):
    """x where positive, else weight · x: a leaky ReLU with a learned slope, one for all channels or one for each.

    >>> import minigrad as torch
    >>> torch.nn.PReLU()(torch.tensor([-4.0, 2.0]))
    tensor([-1.,  2.], grad_fn=<PreluKernelBackward0>)
    """

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(full((num_parameters,), init, device=device, dtype=dtype))

    def reset_parameters(self) -> None:
        """Set the weight to its initial value."""
        constant_(self.weight, self.init)

    def forward(self, input):
        return prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class GELU(Applied):
    """x · Φ(x), where Φ is the normal distribution function, or the approximation "tanh" of it."""

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
