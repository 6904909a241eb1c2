"""Softmax, which turns scores into probabilities along an axis, and its logarithm. First the functions, then modules.

The formulas are in ops/reduction.py. Imports applied. Read next: loss.py.
"""

import warnings

from .applied import Applied
from .module import Module


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(x) / Σ exp(x) along `dim`: positive numbers with the sum 1.

    >>> F.softmax(torch.tensor([[1.0, 2.0], [5.0, 5.0]]), dim=1)
    tensor([[0.2689, 0.7311],
            [0.5000, 0.5000]])
    """
    return input.softmax(_implicit_dim(input, "softmax", _stacklevel) if dim is None else dim, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(x)), computed so that small probabilities are not rounded to 0 first.

    >>> F.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return input.log_softmax(_implicit_dim(input, "log_softmax", _stacklevel) if dim is None else dim, dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-x): the smallest number gets the largest probability.

    >>> F.softmin(torch.tensor([1.0, 2.0]), dim=0)
    tensor([0.7311, 0.2689])
    """
    return (-input).softmax(_implicit_dim(input, "softmin", _stacklevel) if dim is None else dim, dtype)


def _implicit_dim(input, name: str, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input.dim() in (0, 1, 3) else 1


# -- as modules -----------------------------------------------------------------------------------


class Softmax(Applied):
    """exp(x) / Σ exp(x) along `dim`: positive numbers with the sum 1."""

    function, settings = staticmethod(softmax), "dim"


class LogSoftmax(Applied):
    """log(softmax(x)) along `dim`, computed so that small probabilities are not rounded to 0 first."""

    function, settings = staticmethod(log_softmax), "dim"


class Softmin(Applied):
    """softmax(-x) along `dim`."""

    function, settings = staticmethod(softmin), "dim"


class Softmax2d(Module):
    """Softmax over the channels at each pixel of images (N, C, H, W) or (C, H, W)."""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return input.softmax(-3)
