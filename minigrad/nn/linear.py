"""Linear, the layer y = x Wᵀ + b, and its function; and two modules without parameters, Identity and Flatten.

Imports applied and init. Read next: recurrent.py.
"""

import math

from ..arguments import takes_tensors
from ..compiled import OPERATORS
from ..creation import empty
from . import init
from .applied import Applied
from .module import Module
from .parameter import Parameter


@takes_tensors
def linear(input, weight, bias=None):
    """input (…, n) · weight (m, n)ᵀ + bias (m) = (…, m), in one addmm over all leading axes, as in PyTorch."""
    data, matrix = input._data, weight._data
    if data.dtype != matrix.dtype:
        names = input.dtype.legacy, weight.dtype.legacy
        raise RuntimeError("mat1 and mat2 must have the same dtype, but got {} and {}".format(*names))
    if not data.ndim:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are 0D and {matrix.ndim}D")
    turned = OPERATORS["t"](weight)
    if bias is None:
        return input.matmul(turned)
    if data.ndim == 2:
        return OPERATORS["addmm"](bias, input, turned)
    if not data.flags.c_contiguous:
        return input.matmul(turned) + bias
    *axes, features = data.shape  # all rows at once
    rows = OPERATORS["view"](input, size=(math.prod(axes), features))
    return OPERATORS["view"](OPERATORS["addmm"](bias, rows, turned), size=(*axes, len(matrix)))


class Weighted(Module):
    """What Linear and the convolutions share: `weight` (out, in …) and, if wanted, `bias` (out)."""

    def __init__(self, *size: int, bias: bool, **kind):
        super().__init__()
        self.weight = Parameter(empty(size, **kind))
        self.register_parameter("bias", Parameter(empty(size[0], **kind)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias, anew: both uniform in ±1/√(numbers that one output is made of)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))  # which is just that
        if self.bias is not None:
            bound = 1 / math.sqrt(init.fans(self.weight)[0] or math.inf)
            init.uniform_(self.bias, -bound, bound)


class Linear(Weighted):
    """y = x Wᵀ + b, for x of size (…, in_features): y has size (…, out_features).

    `weight` (out_features, in_features) and `bias` (out_features) start uniform in ±1/√in_features. `kind` may be
    the `device` and `dtype` of the parameters, here and in all layers.

    >>> import minigrad as torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> layer, layer(torch.zeros(5, 3)).shape
    (Linear(in_features=3, out_features=2, bias=True), torch.Size([5, 2]))
    """

    def __init__(self, in_features: int, out_features: int, bias=True, **kind):
        super().__init__(out_features, in_features, bias=bias, **kind)
        self.in_features, self.out_features = in_features, out_features

    def forward(self, input):
        return linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Identity(Module):
    """Gives back its input, whatever it is made with."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


def flatten(input, start_dim=1, end_dim=-1):
    """The axes from `start_dim` to `end_dim` made one."""
    return input.flatten(start_dim, end_dim)


class Flatten(Applied):
    """All axes from `start_dim` to `end_dim` made one; by default all but the first, the batch.

    >>> import minigrad as torch
    >>> torch.nn.Flatten()(torch.zeros(8, 2, 3)).shape
    torch.Size([8, 6])
    """

    function = staticmethod(flatten)
