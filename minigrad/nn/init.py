"""Initial values of parameters: functions that fill a tensor in place, without gradients, and return it.

The same seed gives PyTorch's numbers. Xavier: Glorot & Bengio 2010; Kaiming: He et al. 2015.
Imports random. Read next: linear.py.
"""

import math
import warnings

import numpy as np

from .. import random
from .._messages.foreign import refuses_foreign
from .._messages.names import missing as _missing
from .._tensors.creation import eye, from_numpy, randperm
from .._tensors.methods.arithmetic import where
from ..autograd.grad_mode import no_grad


@refuses_foreign
@no_grad()
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Uniform in [a, b).

    >>> import minigrad as torch
    >>> w = torch.nn.init.uniform_(torch.empty(1000), -2, 2)
    >>> bool((w >= -2).all() and (w < 2).all())
    True
    """
    return tensor.copy_(from_numpy(random.uniform(tuple(tensor.shape), tensor.dtype.numpy, a, b, generator=generator)))


@refuses_foreign
@no_grad()
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal with this mean and standard deviation."""
    return tensor.copy_(
        from_numpy(random.normal(tuple(tensor.shape), tensor.dtype.numpy, mean, std, generator=generator))
    )


@refuses_foreign
@no_grad()
def constant_(tensor, val):
    """The same number in every element."""
    return tensor.fill_(val)


@refuses_foreign
def ones_(tensor):
    """Ones."""
    return constant_(tensor, 1.0)


@refuses_foreign
def zeros_(tensor):
    """Zeros."""
    return constant_(tensor, 0.0)


@refuses_foreign
@no_grad()
def eye_(tensor):
    """A matrix with ones on its diagonal, zeros elsewhere."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(eye(*tensor.shape))


@refuses_foreign
@no_grad()
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Normal, limited to [a, b]: a number outside is drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
            "incorrect.",
            stacklevel=4,
        )

    def draw(kind, *params):
        return from_numpy(kind(tuple(tensor.shape), tensor.dtype.numpy, *params, generator=generator))

    def below(x):  # the normal distribution
        return (1 + math.erf(x / math.sqrt(2))) / 2

    if below((b - mean) / std) - below((a - mean) / std) > 0.3:
        result = draw(random.normal, mean, std)
        while bool((wrong := (result < a) | (result > b)).any()):
            result = where(wrong, draw(random.normal, mean, std), result)
        return tensor.copy_(result)
    # rejection sampling, because few normal numbers would be in [a, b]: draw uniformly, accept by relative density
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def refused(candidates):
        return draw(random.uniform).log() > ((candidates - mean) / std) ** 2 * -0.5 - peak

    result = draw(random.uniform, a, b)
    pending = refused(result)
    while bool(pending.any()):
        candidates = draw(random.uniform, a, b)
        result = where(pending, candidates, result)
        pending = where(pending, refused(candidates), pending)
    return tensor.copy_(result)


@refuses_foreign
@no_grad()
def orthogonal_(tensor, gain=1, generator=None):
    """A matrix with orthonormal rows or columns, whichever are fewer, times `gain` (Saxe et al. 2013)."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows, columns = tensor.shape[0], tensor.numel() // tensor.shape[0]
    drawn = random.normal((rows, columns), tensor.dtype.numpy, 0, 1, generator=generator)
    q, r = np.linalg.qr(drawn.T if rows < columns else drawn)
    q = q * np.sign(np.diag(r))
    return tensor.copy_(from_numpy(np.ascontiguousarray(q.T if rows < columns else q)).view(tensor.shape)).mul_(gain)


@refuses_foreign
@no_grad()
def dirac_(tensor, groups=1):
    """A convolution's weight (out, in / groups, kernel …) that copies its input: 1 in the middle of each window."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    tensor.zero_()
    each, middle = tensor.shape[0] // groups, tuple(n // 2 for n in tensor.shape[2:])
    for g in range(groups):
        for d in range(min(each, tensor.shape[1])):
            tensor[(g * each + d, d, *middle)] = 1
    return tensor


@refuses_foreign
@no_grad()
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """A matrix of normal numbers, in which the fraction `sparsity` of each column is set to 0."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    normal_(tensor, 0, std, generator)
    for column in range(columns):
        for row in randperm(rows).tolist()[: math.ceil(sparsity * rows)]:
            tensor[row, column] = 0
    return tensor


@refuses_foreign
def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Uniform in ±gain·√(6 / (fan_in + fan_out))."""
    bound = gain * math.sqrt(6.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound, generator)


@refuses_foreign
def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal with standard deviation gain·√(2 / (fan_in + fan_out))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))), generator)


@refuses_foreign
def kaiming_uniform_(tensor, a=0.0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform in ±gain·√(3 / fan), for layers followed by a (leaky) ReLU of negative slope `a`."""
    bound = math.sqrt(3.0) * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


@refuses_foreign
def kaiming_normal_(tensor, a=0.0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal with standard deviation gain / √fan, for layers followed by a (leaky) ReLU of negative slope `a`."""
    return normal_(tensor, 0.0, _kaiming_deviation(tensor, a, mode, nonlinearity), generator)


def _kaiming_deviation(tensor, a, mode, nonlinearity):
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=4)
        return 0.0
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"])


def calculate_gain(nonlinearity, param=None):
    """The factor that compensates for the scale of an activation function: √2 for ReLU, 5/3 for tanh."""
    slope = 0.01 if param is None else param
    if nonlinearity == "leaky_relu" and (isinstance(slope, bool) or not isinstance(slope, int | float)):
        raise ValueError(f"negative_slope {param} not a valid number")
    convolutions = (f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3))
    gains: dict[str, float] = dict.fromkeys(("linear", "sigmoid", *convolutions), 1)
    gains |= {"tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4}
    if nonlinearity == "leaky_relu":
        return math.sqrt(2 / (1 + slope**2))
    if nonlinearity not in gains:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return gains[nonlinearity]


@refuses_foreign
def _calculate_fan_in_and_fan_out(tensor):
    """(fan_in, fan_out): how many inputs each output of this weight has, and how many outputs each input has."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    window = math.prod(tensor.shape[2:])
    return tensor.shape[1] * window, tensor.shape[0] * window


def _older(function):
    """The function under its name before PyTorch 0.4, without an underscore: it warns, then calls the new one."""
    name = function.__name__.removesuffix("_")

    def deprecated(*args, **kwargs):
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__, deprecated.__doc__ = name, f"`{name}_`, by its older name."
    return deprecated


uniform, normal, constant, dirac = _older(uniform_), _older(normal_), _older(constant_), _older(dirac_)
xavier_uniform, xavier_normal, orthogonal = _older(xavier_uniform_), _older(xavier_normal_), _older(orthogonal_)
kaiming_uniform, kaiming_normal, sparse = _older(kaiming_uniform_), _older(kaiming_normal_), _older(sparse_)

__getattr__ = _missing(__name__)
