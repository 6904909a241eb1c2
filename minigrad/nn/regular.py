"""What keeps training regular: dropout, and the layers that bring numbers to mean 0 and variance 1.

As functions, then as modules. Dropout and the batch norms behave differently in training.
Imports module. Read next: ../ops/nn.py, where the mathematics is.
"""

from .. import random
from ..arguments import takes_tensors
from ..compiled import OPERATORS
from ..creation import from_numpy, ones, tensor, zeros
from ..inplace import in_place
from .module import Module
from .parameter import Parameter


@takes_tensors
def dropout(input, p=0.5, training=True, inplace=False):
    """Each element 0 with probability `p`, else divided by 1 - p, so that the mean stays; only in training."""
    _check_probability(p)
    if not training or p == 0:
        return input
    mask = from_numpy(random.dropout_mask(input._data.shape, p, input._data.dtype)).to(input.device)
    return in_place("mul", input, mask) if inplace else input * mask


def _check_probability(p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """x / ‖x‖ₚ along `dim`, the norm being at least `eps`."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def _scale_and_shift(input, size, weight, bias):
    """Weight and bias, or the ones and zeros that stand for them."""
    weight = ones(size, dtype=input.dtype, device=input.device) if weight is None else weight
    return weight, zeros(size, dtype=input.dtype, device=input.device) if bias is None else bias


@takes_tensors
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """(x - mean) / √(var + eps) · weight + bias for each channel of `input` (N, C, …).

    In training, mean and variance are those of the batch, and the running ones move towards them by `momentum`
    (the variance with n - 1); else they are the running ones.
    """
    channels = input._data.shape[1]
    for name, vector in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight)):
        if vector is not None and vector.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {vector.numel()}")
    if training and input.numel() == channels:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    weight, bias = _scale_and_shift(input, channels, weight, bias)
    if not training:
        return OPERATORS["frozen_batch_norm"](input, weight, bias, running_mean, running_var, eps=eps)
    if running_mean is not None:
        seen, rest = input.detach(), (0, *range(2, input.dim()))
        running_mean.mul_(1 - momentum).add_(seen.mean(rest), alpha=momentum)
        running_var.mul_(1 - momentum).add_(seen.var(rest), alpha=momentum)
    return OPERATORS["batch_norm"](input, weight, bias, eps=eps)


@takes_tensors
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """(x - mean) / √(var + eps) · weight + bias over the last axes, whose sizes are `normalized_shape`."""
    sizes = tuple(normalized_shape)
    if tuple(input.shape[-len(sizes) :]) != sizes:
        stars = ", ".join(["*", *map(str, sizes)])
        raise RuntimeError(
            f"Given normalized_shape={list(sizes)}, expected input with shape [{stars}], but got input of "
            f"size{list(input.shape)}"
        )
    dim = tuple(range(input.dim() - len(sizes), input.dim()))
    return OPERATORS["layer_norm"](input, *_scale_and_shift(input, sizes, weight, bias), dim=dim, eps=eps)


# -- as modules -----------------------------------------------------------------------------------


class Dropout(Module):
    """In training, each element becomes 0 with probability `p` and the others grow by 1 / (1 - p); else nothing.

    >>> import minigrad as torch
    >>> drop = torch.nn.Dropout(0.5)
    >>> drop.eval()(torch.ones(3))
    tensor([1., 1., 1.])
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        _check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input):
        return dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Norm(Module):
    """What the norms share: `weight` starts as ones and `bias` as zeros, where they are wanted."""

    def __init__(self, size, weight: bool, bias: bool, **kind):
        super().__init__()
        self.register_parameter("weight", Parameter(ones(size, **kind)) if weight else None)
        self.register_parameter("bias", Parameter(zeros(size, **kind)) if bias else None)


class BatchNorm(Norm):
    """What BatchNorm1d and BatchNorm2d share."""

    dims: tuple[int, ...]

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **kind):
        super().__init__(num_features, affine, affine, **kind)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        made = zeros(num_features, **kind), ones(num_features, **kind), tensor(0, device=kind.get("device"))
        for name, buffer in zip(("running_mean", "running_var", "num_batches_tracked"), made, strict=True):
            self.register_buffer(name, buffer if track_running_stats else None)

    def forward(self, input):
        if input.dim() not in self.dims:
            expected = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if momentum is None:  # the plain average of all batches
                momentum = 1 / self.num_batches_tracked.item()
        by_batch = self.training or not self.track_running_stats
        statistics = self.running_mean, self.running_var
        return batch_norm(input, *statistics, self.weight, self.bias, by_batch, momentum or 0.0, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Each of the C features of (N, C), or channels of (N, C, L), with mean 0 and variance 1, scaled and shifted.

    >>> import minigrad as torch
    >>> torch.nn.BatchNorm1d(1, eps=0)(torch.tensor([[1.0], [3.0]])).tolist()
    [[-1.0], [1.0]]
    """

    dims = (2, 3)


class BatchNorm2d(BatchNorm):
    """Each of the C channels of (N, C, H, W) with mean 0 and variance 1, scaled and shifted."""

    dims = (4,)


class LayerNorm(Norm):
    """The last axes, of size `normalized_shape`, with mean 0 and variance 1 in each example; scaled and shifted."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, **kind):
        size = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__(size, elementwise_affine, elementwise_affine and bias, **kind)
        self.normalized_shape, self.eps, self.elementwise_affine = size, eps, elementwise_affine

    def forward(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )
