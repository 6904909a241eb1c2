"""Layers that normalise numbers to mean 0 and variance 1, over a batch, a layer or a group of channels.

First the functions, then the modules. The batch norms behave differently in training.
Imports module. Read next: ../ops/nn.py, where the formulas are.
"""

import math
import warnings

import numpy as np

from .._call.arguments import no_tensor, takes_tensors
from .._call.check import floats_only, mixed
from .._call.operators import OPERATORS
from .._engine.storage import TensorBase
from .._machine.backend import HALF
from .._tensors.creation import ones, tensor, zeros
from .._tensors.tensor import Tensor
from ..ops import TABLE
from . import init
from .loss import constant
from .module import Module
from .parameter import Parameter


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """x / ‖x‖ₚ along `dim`; a norm smaller than `eps` is replaced by `eps`.

    >>> F.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    result = input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return result if out is None else out.copy_(result)


def _scale_and_shift(input, size, weight, bias):
    """Weight and bias, or ones and zeros in place of None."""
    weight = ones(size, dtype=input.dtype, device=input.device) if weight is None else weight
    return weight, zeros(size, dtype=input.dtype, device=input.device) if bias is None else bias


def _check_types(kernel: str, input, *parameters) -> None:
    """Raise for integers, and for parameters of another dtype than the input's, except float32 with float16."""
    kind = input._data.dtype
    for vector in parameters:
        if vector is not None and vector._data.dtype != kind:
            if kind != HALF or vector._data.dtype != "float32":
                raise mixed(TABLE["layer_norm"], [input.dtype, vector.dtype])
    floats_only(kernel, input)


def _check_batch_types(input, *parameters) -> None:
    """`_check_types` for a batch norm, whose running statistics have the dtype of its parameters."""
    given = [vector for vector in parameters if vector is not None]
    if given and given[0].dtype is not input.dtype:
        if any(vector.dtype.name != "float32" for vector in given):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        _check_types("batch_norm", input, *given)
        return
    for vector in given:
        if vector.dtype is not input.dtype:
            raise RuntimeError(f"expected scalar type {input.dtype.legacy} but found {vector.dtype.legacy}")


@takes_tensors
def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """(x - mean) / √(var + eps) · weight + bias for each channel of `input` (N, C, …).

    In training, mean and variance are those of the batch, and the running statistics move towards them by the factor
    `momentum` (for the variance, with n - 1); otherwise the running statistics are used.
    Raises ValueError in training if a channel has only one value.

    >>> x = torch.tensor([[1.0, 10.0], [3.0, 30.0]])
    >>> F.batch_norm(x, None, None, training=True)
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    """
    floats_only("batch_norm", input)
    if training:
        _check_batch(input.size())
    channels = input._data.shape[1]
    for name, vector in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight)):
        if vector is not None and vector.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {vector.numel()}")
    _check_eps(training, eps)
    _check_batch_types(input, weight, bias, running_mean, running_var)
    constant("native_batch_norm", running_mean=running_mean, running_var=running_var)
    weight, bias = _scale_and_shift(input, channels, weight, bias)
    if not training:
        return OPERATORS["frozen_batch_norm"](input, weight, bias, running_mean, running_var, eps=eps)
    if running_mean is not None and input.numel():
        seen, rest = input.detach().to(running_mean.dtype), (0, *range(2, input.dim()))
        for running, now in ((running_mean, seen.mean(rest)), (running_var, seen.var(rest))):
            running.data.mul_(1 - momentum).add_(now, alpha=momentum)  # .data keeps the version, as in PyTorch
    return OPERATORS["batch_norm"](input, weight, bias, eps=eps)[0]


def _check_batch(size) -> None:
    """Raise if a channel has only one value, because one value has no variance."""
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def _check_eps(training: bool, eps: float) -> None:
    if training and eps <= 0:
        raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    if eps < 0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")


@takes_tensors
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """(x - mean) / √(var + eps) over each of `num_groups` groups of the channels of (N, C, …), in each example.

    Then `weight` and `bias` (C) scale and shift each channel.

    >>> F.group_norm(torch.tensor([[1.0, 3.0, 10.0, 30.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    _check_types("GroupNormKernelImpl", input, weight, bias)
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    n, channels, *places = input.shape
    _check_batch([n * channels // num_groups, num_groups, *places])
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None and (vector.dim() != 1 or vector.numel() != channels):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {list(vector.shape)} and input of shape {list(input.shape)}"
            )
    parameters = _scale_and_shift(input, channels, weight, bias)
    groups = int(num_groups) if isinstance(num_groups, Tensor) else num_groups  # the row computes with arrays
    return OPERATORS["group_norm"](input, *parameters, groups=groups, eps=eps)[0]


@takes_tensors
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """`batch_norm` of each example of (N, C, …) separately; the running statistics follow the mean over the batch.

    >>> F.instance_norm(torch.tensor([[[1.0, 3.0], [10.0, 30.0]]]))
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """
    floats_only("batch_norm", input)
    _check_batch_types(input, weight, bias)  # the statistics may have another dtype
    n, channels, *places = input.shape
    if use_input_stats and math.prod(places) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    if use_input_stats and running_mean is not None:
        seen, rest = input.detach().to(running_mean.dtype), tuple(range(2, input.dim()))
        for running, now in ((running_mean, seen.mean(rest)), (running_var, seen.var(rest))):
            running.copy_(running * (1 - momentum) + now.mean(0) * momentum)
    # each channel of each example becomes a channel of a batch of size 1
    rows = input.contiguous().view(1, n * channels, *places)
    each = [None if vector is None else vector.repeat(n) for vector in (weight, bias)]
    parameters = _scale_and_shift(input, n * channels, *each)
    if use_input_stats:
        unit = OPERATORS["batch_norm"](rows, *parameters, eps=eps)[0]
    else:
        kind = parameters[0].dtype
        statistics = running_mean.to(kind).repeat(n), running_var.to(kind).repeat(n)
        unit = OPERATORS["frozen_batch_norm"](rows, *parameters, *statistics, eps=eps)
    return unit.view(input.shape)


@takes_tensors
def rms_norm(input, normalized_shape, weight=None, eps=None):
    """x / √(mean(x²) + eps) · weight over the last axes, whose sizes are `normalized_shape`.

    >>> F.rms_norm(torch.tensor([[3.0, 4.0]]), (2,))
    tensor([[0.8485, 1.1314]])
    """
    floats_only("rms_norm", input)
    if not isinstance(weight, TensorBase | None):
        raise no_tensor("rms_norm", "weight", 3, weight)
    sizes = tuple(normalized_shape)
    _check_sizes(input, sizes, weight=weight)
    dim = tuple(range(input.dim() - len(sizes), input.dim()))
    if input._data.dtype == HALF:  # computed in float32
        eps = np.finfo(HALF).eps.item() if eps is None else eps
        return rms_norm(input.float(), sizes, weight, eps).to(input.dtype)
    eps = np.finfo(input._data.dtype).eps.item() if eps is None else eps
    unit = input * OPERATORS["add_number"](input.pow(2).mean(dim, keepdim=True), number=eps).rsqrt()
    return unit if weight is None else unit * weight


def _check_sizes(input, sizes, **parameters) -> None:
    if not sizes:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, vector in parameters.items():
        if vector is not None and vector.shape != sizes:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(vector.shape)} and normalized_shape = {list(sizes)}"
            )
    if tuple(input.shape[-len(sizes) :]) != sizes:
        stars = ", ".join(["*", *map(str, sizes)])
        raise RuntimeError(
            f"Given normalized_shape={list(sizes)}, expected input with shape [{stars}], but got input of "
            f"size{list(input.shape)}"
        )


@takes_tensors
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """(x - mean) / √(var + eps) · weight + bias over the last axes, whose sizes are `normalized_shape`.

    Raises RuntimeError if the last axes have other sizes.

    >>> F.layer_norm(torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (3,))
    tensor([[-1.2247,  0.0000,  1.2247],
            [-1.2247,  0.0000,  1.2247]])
    """
    _check_types("LayerNormKernelImpl", input, weight, bias)
    sizes = tuple(normalized_shape)
    _check_sizes(input, sizes, weight=weight, bias=bias)
    dim = tuple(range(input.dim() - len(sizes), input.dim()))
    return OPERATORS["layer_norm"](input, *_scale_and_shift(input, sizes, weight, bias), dim=dim, eps=eps)[0]


# -- as modules -----------------------------------------------------------------------------------


class Norm(Module):
    """Base of the norms: `weight` starts as ones and `bias` as zeros; either may be missing."""

    def __init__(self, size, weight: bool, bias: bool | None, **kind):
        super().__init__()
        self.register_parameter("weight", Parameter(ones(size, **kind)) if weight else None)
        if bias is not None:
            self.register_parameter("bias", Parameter(zeros(size, **kind)) if bias else None)

    def reset_parameters(self) -> None:
        """Set the weight to ones and the bias to zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self._parameters.get("bias") is not None:
            init.zeros_(self.bias)


class Tracking(Norm):
    """Base of batch and instance norms: running statistics, which training may update."""

    dims: tuple[int, ...]
    _version = 2  # the version that added num_batches_tracked

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        kind = {"device": device, "dtype": dtype}
        super().__init__(num_features, affine, affine and bias, **kind)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        made = zeros(num_features, **kind), ones(num_features, **kind), tensor(0, device=device)
        for name, buffer in zip(("running_mean", "running_var", "num_batches_tracked"), made, strict=True):
            self.register_buffer(name, buffer if track_running_stats else None)

    def reset_running_stats(self) -> None:
        """Set the running statistics to their initial values."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set all parameters and running statistics to their initial values."""
        self.reset_running_stats()
        super().reset_parameters()

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *lists) -> None:
        if (local_metadata.get("version") or 1) < 2 and self.num_batches_tracked is not None:
            state_dict.setdefault(f"{prefix}num_batches_tracked", self.num_batches_tracked)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *lists)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm(Tracking):
    """Base of the batch norms."""

    def forward(self, input):
        if input.dim() not in self.dims:
            expected = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        momentum, tracks = self.momentum, self.training and self.track_running_stats
        if tracks and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if momentum is None:  # average over all batches
                momentum = 1 / self.num_batches_tracked.item()
        mean, var = self.running_mean, self.running_var
        by_batch = self.training or (mean is None and var is None)
        if self.training and not tracks:
            mean = var = None
        return batch_norm(input, mean, var, self.weight, self.bias, by_batch, momentum or 0.0, self.eps)


class BatchNorm1d(BatchNorm):
    """Normalises each of C features of (N, C), or channels of (N, C, L), to mean 0 and variance 1; scales and shifts.

    >>> import minigrad as torch
    >>> torch.nn.BatchNorm1d(1, eps=1e-9)(torch.tensor([[1.0], [3.0]])).tolist()
    [[-1.0], [1.0]]
    """

    dims = (2, 3)


class BatchNorm2d(BatchNorm):
    """Normalises each of the C channels of (N, C, H, W) to mean 0 and variance 1, then scales and shifts."""

    dims = (4,)


class InstanceNorm(Tracking):
    """Base of the instance norms: each example of (N, C, …), or a single one (C, …), is normalised separately."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        if input.dim() not in self.dims:
            expected = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        single = input.dim() == self.dims[0]
        if (channels := input.shape[not single]) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={int(not single)} to match num_features ({self.num_features}), but "
                    f"got: {channels}."
                )
            warnings.warn(
                f"input's size at dim={int(not single)} does not match num_features. You can silence this warning by "
                "not passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        by_input = self.training or not self.track_running_stats
        output = instance_norm(
            input.unsqueeze(0) if single else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            by_input,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return output.squeeze(0) if single else output


class InstanceNorm1d(InstanceNorm):
    """Normalises each channel of each example (N, C, L) to mean 0 and variance 1; if `affine`, scales and shifts."""

    dims = (2, 3)


class InstanceNorm2d(InstanceNorm):
    """Normalises each channel of each image (N, C, H, W) to mean 0 and variance 1; if `affine`, scales and shifts."""

    dims = (3, 4)


class GroupNorm(Norm):
    """Normalises groups of channels of (N, C, …) to mean 0 and variance 1 in each example; scales and shifts channels.

    >>> import minigrad as torch
    >>> torch.nn.GroupNorm(2, 4)(torch.randn(8, 4, 3)).shape
    torch.Size([8, 4, 3])
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__(num_channels, affine, affine and bias, device=device, dtype=dtype)
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine

    def forward(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        bias = self.bias is not None
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={bias}"


class RMSNorm(Norm):
    """Divides the last axes, of size `normalized_shape`, by the root of their mean square, then scales."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        size = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__(size, elementwise_affine, None, device=device, dtype=dtype)
        self.normalized_shape, self.eps, self.elementwise_affine = size, eps, elementwise_affine

    def forward(self, x):
        return rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class LayerNorm(Norm):
    """Normalises the last axes, of size `normalized_shape`, to mean 0 and variance 1; scales and shifts."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        size = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__(size, elementwise_affine, elementwise_affine and bias, device=device, dtype=dtype)
        self.normalized_shape, self.eps, self.elementwise_affine = size, eps, elementwise_affine

    def forward(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )
