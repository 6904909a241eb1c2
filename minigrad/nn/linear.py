"""Linear, the layer y = x Wᵀ + b; and two modules without parameters, Identity and Flatten.

Imports module, init and functional. Read next: recurrent.py.
"""

from __future__ import annotations

import math
from typing import Any

from ..creation import empty
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class Identity(Module):
    """Gives back its input, whatever it is made with."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """y = x Wᵀ + b, for x of size (…, in_features): y has size (…, out_features).

    `weight` (out_features, in_features) and `bias` (out_features) start uniform in ±1/√in_features. `kind` may be
    the `device` and `dtype` of the parameters, here and in all layers.

    >>> import minigrad as torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> layer, layer(torch.zeros(5, 3)).shape
    (Linear(in_features=3, out_features=2, bias=True), torch.Size([5, 2]))
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True, **kind: Any):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, **kind))
        self.register_parameter("bias", Parameter(empty(out_features, **kind)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias, anew."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))  # which is the same bound
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Flatten(Module):
    """All axes from `start_dim` to `end_dim` made one; by default all but the first, the batch.

    >>> import minigrad as torch
    >>> torch.nn.Flatten()(torch.zeros(8, 2, 3)).shape
    torch.Size([8, 6])
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
