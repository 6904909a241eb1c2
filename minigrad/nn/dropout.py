"""Dropout: in training, random elements become 0, so that a network can't rely on any single one.

First the functions, then the modules. Imports random and module. Read next: normalization.py.
"""

import warnings

import numpy as np

from .. import random
from .._call.arguments import takes_tensors
from .._tensors.creation import from_numpy
from .._tensors.inplace import in_place
from ..ops.note import known
from .module import Module


@takes_tensors
@known(forms="several")
def dropout(input, p=0.5, training=True, inplace=False):
    """In training, each element becomes 0 with probability `p`, else it is divided by 1 - p, which keeps the mean.

    Raises ValueError for a probability outside [0, 1].

    >>> _ = torch.manual_seed(0)
    >>> F.dropout(torch.ones(6)), F.dropout(torch.ones(2), training=False)
    (tensor([0., 0., 2., 0., 0., 0.]), tensor([1., 1.]))
    """
    _check_probability(p)
    data = input._data
    _check_type(input, p, training)
    return _masked(input, p, data, inplace) if training and p else input


def _masked(input, p, like, inplace):
    """`input` times a mask with the shape of the array `like`, drawn in the order of its elements in memory."""
    drawn = random.as_laid_out(like, lambda shape: random.dropout_mask(shape, p, like.dtype))
    mask = from_numpy(drawn).to(input.device)
    return in_place("mul", input, mask) if inplace else input * mask


@takes_tensors
def dropout1d(input, p=0.5, training=True, inplace=False):
    """`dropout` of whole channels of (N, C, L), or (C, L): all elements of a channel are kept or become 0 together.

    >>> _ = torch.manual_seed(0)
    >>> F.dropout1d(torch.ones(1, 3, 2))
    tensor([[[0., 0.],
             [0., 0.],
             [2., 2.]]])
    """
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d exists to "
            "provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional "
            "batch dimension (i.e. 2D or 3D inputs)."
        )
    if input.dim() == 2 and inplace:
        return _channels_dropped(input.unsqueeze_(0), p, training, True).squeeze_(0)
    if input.dim() == 2:
        return _channels_dropped(input.unsqueeze(0), p, training, False).squeeze(0)
    return _channels_dropped(input, p, training, inplace)


@takes_tensors
def dropout2d(input, p=0.5, training=True, inplace=False):
    """`dropout` of whole channels of (N, C, H, W): all elements of a channel are kept or become 0 together.

    >>> _ = torch.manual_seed(0)
    >>> F.dropout2d(torch.ones(1, 4, 1, 2))[0, :, 0]
    tensor([[0., 0.],
            [0., 0.],
            [2., 2.],
            [0., 0.]])
    """
    _check_probability(p)
    n = input.dim()
    if n not in (3, 4):
        warnings.warn(
            f"dropout2d: Received a {n}-D input to dropout2d, which is deprecated and will result in an error in a "
            "future release. To retain the behavior and silence this warning, please use dropout instead. Note that "
            "dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel "
            "dimension, and an optional batch dimension (i.e. 3D or 4D inputs).",
            stacklevel=3,
        )
    if n == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired "
            "- input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a "
            "future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain "
            "the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
            stacklevel=3,
        )
    return _channels_dropped(input, p, training, inplace)


def _channels_dropped(input, p, training, inplace):
    if not training or p == 0 or not input.numel():
        return input
    _check_type(input, p, training)
    if input.dim() < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    channels = np.empty((*input.shape[:2], *(1,) * (input.dim() - 2)), input._data.dtype)
    return _masked(input, p, channels, inplace)


def _check_type(input, p, training) -> None:
    """Raise for integers, because they can't be divided by 1 - p."""
    if training and 0 < p < 1 and input._data.dtype.kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {input.dtype.legacy}")


def _check_probability(p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


# -- as modules -----------------------------------------------------------------------------------


class Dropout(Module):
    """In training, each element becomes 0 with probability `p`, else it is divided by 1 - p. Eval mode changes nothing.

    >>> import minigrad as torch
    >>> drop = torch.nn.Dropout(0.5)
    >>> drop.eval()(torch.ones(3))
    tensor([1., 1., 1.])
    """

    function = staticmethod(dropout)

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        _check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return self.function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout1d(Dropout):
    """Dropout of whole channels of (N, C, L) or (C, L)."""

    function = staticmethod(dropout1d)


class Dropout2d(Dropout):
    """Dropout of whole channels of (N, C, H, W), because neighbouring pixels carry nearly the same information.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(4)
    >>> torch.nn.Dropout2d(0.5)(torch.ones(1, 4, 2, 2)).sum((2, 3))
    tensor([[8., 0., 8., 0.]])
    """

    function = staticmethod(dropout2d)
