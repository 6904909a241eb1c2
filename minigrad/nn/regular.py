"""Modules that behave differently in training: Dropout and the batch norms; and LayerNorm, which does not.

Imports module and functional. Read next: functional/layer.py for what they compute.
"""

from __future__ import annotations

from typing import Any

from ..creation import ones, tensor, zeros
from . import functional as F
from .module import Module
from .parameter import Parameter


class Dropout(Module):
    """In training, each element becomes 0 with probability `p` and the others grow by 1 / (1 - p); else nothing.

    >>> import minigrad as torch
    >>> drop = torch.nn.Dropout(0.5)
    >>> drop.eval()(torch.ones(3))
    tensor([1., 1., 1.])
    """

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class BatchNorm(Module):
    """What BatchNorm1d and BatchNorm2d share."""

    dims: tuple[int, ...]
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        **kind: Any,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", Parameter(ones(num_features, **kind)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_features, **kind)) if affine else None)
        self.register_buffer("running_mean", zeros(num_features, **kind) if track_running_stats else None)
        self.register_buffer("running_var", ones(num_features, **kind) if track_running_stats else None)
        self.register_buffer(
            "num_batches_tracked", tensor(0, device=kind.get("device")) if track_running_stats else None
        )

    def forward(self, input: Any) -> Any:
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
        return F.batch_norm(input, *statistics, self.weight, self.bias, by_batch, momentum or 0.0, self.eps)

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


class LayerNorm(Module):
    """The last axes, of size `normalized_shape`, with mean 0 and variance 1 in each example; scaled and shifted."""

    weight: Any
    bias: Any

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True, **kind: Any
    ):
        super().__init__()
        size = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = size, eps, elementwise_affine
        self.register_parameter("weight", Parameter(ones(size, **kind)) if elementwise_affine else None)
        self.register_parameter("bias", Parameter(zeros(size, **kind)) if elementwise_affine and bias else None)

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )
