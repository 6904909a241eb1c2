"""Operators for neural networks: losses, embedding, normalisation.

Each is one node, as in PyTorch. `reduction` is "mean", "sum" or "none". Slopes are with respect to the outputs of a
network; targets have a slope if PyTorch gives them one. Imports backend, rules, ops/note.py and ops/standard.py. Read
next: ../nn/loss.py, which calls them.
"""

import math

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, Raw, op
from . import words
from .note import note
from .standard import twin


def _reduce(xp, loss, reduction):
    if reduction == "none":
        return loss
    total = backend.total(xp, loss)
    return total / loss.size if reduction == "mean" else total


def _scale(grad, sizes, reduction):
    """The gradient of each element's loss, from the gradient of the reduced loss."""
    return grad / max(math.prod(sizes), 1) if reduction == "mean" else grad


# -- losses -------------------------------------------------------------------------------------


@op("MseLossBackward0", kind="loss")
def mse_loss(xp, self, target, *, reduction="mean"):
    error = self - target
    return _reduce(xp, error * error, reduction)


def _mse_slope(F, grad, self, target, reduction):
    error = self - target
    return error * _scale(grad * 2, error.shape, reduction)


mse_loss.slope(
    self=_mse_slope, target=lambda F, grad, self, target, reduction: -_mse_slope(F, grad, self, target, reduction)
)


@op("SmoothL1LossBackward0", kind="loss")
def smooth_l1_loss(xp, self, target, *, reduction="mean", beta=1.0):
    error = xp.abs(self - target)
    return _reduce(xp, xp.where(error < beta, 0.5 * error * error / beta, error - 0.5 * beta), reduction)


def _smooth_l1_slope(F, grad, self, target, reduction, beta):
    error = self - target
    # beyond beta the slope is constant; at beta its derivative is 0, but that of `clamp` would be 1
    return F.hardtanh(error / beta, min_val=-1.0, max_val=1.0) * _scale(grad, error.shape, reduction)


smooth_l1_loss.slope(
    self=_smooth_l1_slope,
    target=lambda F, grad, self, target, reduction, beta: -_smooth_l1_slope(F, grad, self, target, reduction, beta),
)


@op("HuberLossBackward0", kind="loss")
def huber_loss(xp, self, target, *, reduction="mean", delta=1.0):
    error = xp.abs(self - target)
    return _reduce(xp, xp.where(error < delta, 0.5 * error * error, delta * (error - 0.5 * delta)), reduction)


def _huber_slope(F, grad, self, target, reduction, delta):
    error = self - target
    return F.hardtanh(error, min_val=-delta, max_val=delta) * _scale(grad, error.shape, reduction)


huber_loss.slope(
    self=_huber_slope,
    target=lambda F, grad, self, target, reduction, delta: -_huber_slope(F, grad, self, target, reduction, delta),
)


@op("BinaryCrossEntropyBackward0", kind="loss", dtypes="float")
def binary_cross_entropy(xp, self, target, *, reduction="mean"):
    hit, miss = xp.maximum(xp.log(self), -100), xp.maximum(xp.log1p(-self), -100)  # limited as in PyTorch
    return _reduce(xp, (target - 1) * miss - target * hit, reduction)


binary_cross_entropy.slope(
    self=lambda F, grad, self, target, reduction: (
        (self - target) / F.clamp((1 - self) * self, min=1e-12) * _scale(grad, self.shape, reduction)
    ),
    target=lambda F, grad, self, reduction: (F.log1p(-self) - F.log(self)) * _scale(grad, self.shape, reduction),
)


@op("BinaryCrossEntropyWithLogitsBackward0", kind="loss", dtypes="float")
def bce_with_logits(xp, self, target, *, reduction="mean"):
    """Binary cross entropy of σ(self), without the overflow that computing σ first would cause."""
    # -log σ(self); the larger terms are added first, because they may cancel
    minus_log = xp.maximum(-self, 0) + xp.log1p(xp.exp(-xp.abs(self)))
    return _reduce(xp, (1 - target) * self + minus_log, reduction)


bce_with_logits.slope(
    self=lambda F, grad, self, target, reduction: (F.sigmoid(self) - target) * _scale(grad, self.shape, reduction),
    target=lambda F, grad, self, reduction: -self * _scale(grad, self.shape, reduction),
)


# The same losses with a weight for each element, and with `pos_weight` for positive targets.


@op("BinaryCrossEntropyBackward0", kind="loss", dtypes="float")
def binary_cross_entropy_weighted(xp, self, target, weight, *, reduction="mean"):
    each = binary_cross_entropy.value(xp, self, target, reduction="none")
    return _reduce(xp, each * weight, reduction)


binary_cross_entropy_weighted.slope(
    self=lambda F, grad, self, target, weight, reduction: (
        (self - target) / F.clamp((1 - self) * self, min=1e-12) * weight * _scale(grad, self.shape, reduction)
    ),
    target=lambda F, grad, self, weight, reduction: (
        (F.log1p(-self) - F.log(self)) * weight * _scale(grad, self.shape, reduction)
    ),
)


@op("BinaryCrossEntropyWithLogitsBackward0", kind="loss", dtypes="float")
def bce_with_logits_weighted(xp, self, target, weight, *, reduction="mean"):
    return _reduce(xp, bce_with_logits.value(xp, self, target, reduction="none") * weight, reduction)


bce_with_logits_weighted.slope(
    self=lambda F, grad, self, target, weight, reduction: (
        (F.sigmoid(self) - target) * weight * _scale(grad, self.shape, reduction)
    ),
    target=lambda F, grad, self, weight, reduction: -self * weight * _scale(grad, self.shape, reduction),
)


@op("BinaryCrossEntropyWithLogitsBackward0", kind="loss", dtypes="float")
def bce_with_logits_positive(xp, self, target, weight, pos_weight, *, reduction="mean"):
    rest = xp.maximum(-self, 0) + xp.log1p(xp.exp(-xp.abs(self)))  # -log σ(self)
    return _reduce(xp, ((1 - target) * self + ((pos_weight - 1) * target + 1) * rest) * weight, reduction)


def _logits_slope(F, grad, self, target, weight, pos_weight, reduction):
    share = F.sigmoid(self) * ((pos_weight - 1) * target + 1) - pos_weight * target
    return share * weight * _scale(grad, self.shape, reduction)


def _target_slope(F, grad, self, weight, pos_weight, reduction):
    each = pos_weight * F.softplus(-self, threshold=40.0) - F.softplus(self, threshold=40.0)  # softplus is -log σ(-x)
    return each * weight * _scale(grad, self.shape, reduction)


bce_with_logits_positive.slope(self=_logits_slope, target=_target_slope)


@op("SoftMarginLossBackward0", kind="loss")
def soft_margin_loss(xp, self, target, *, reduction="mean"):
    """log(1 + exp(-target · self))."""
    return _reduce(xp, xp.log1p(xp.exp(-target * self)), reduction)


soft_margin_loss.slope(
    self=lambda F, grad, self, target, reduction: (
        -target * F.sigmoid(-target * self) * _scale(grad, self.shape, reduction)
    )
)


note(mse_loss, smooth_l1_loss, huber_loss, rounds_each=True)
note(binary_cross_entropy, binary_cross_entropy_weighted, rounds_each=True)
note(bce_with_logits, bce_with_logits_weighted, bce_with_logits_positive, soft_margin_loss, rounds_each=True)


@op("NllLossBackward0", kind="loss", dtypes="keep")
def nll_loss(xp, self, target, weight, *, reduction="mean"):
    """The negative log-probability (in `self`: N, C, …, or C) of each class in `target` (N, …, or none), times its
    `weight`. Where the weight is 0, `target` need not be a valid class."""
    target = xp.where(weight == 0, xp.zeros_like(target), target)
    if xp is np and self.ndim == 2:
        picked = self[np.arange(len(self)), target]  # takes a quarter of the time
    else:
        axis = min(1, self.ndim - 1)
        picked = xp.squeeze(xp.take_along_axis(self, xp.expand_dims(target, axis=axis), axis=axis), axis=axis)
    loss = xp.where(weight == 0, xp.zeros_like(weight), -picked * weight)  # not `picked * 0`: `picked` may be infinite
    return backend.total(xp, loss) / backend.total(xp, weight) if reduction == "mean" else _reduce(xp, loss, reduction)


def _nll_slope(F, grad, target, weight, self_sizes, reduction):
    share = F.where(weight == 0.0, 0.0, -grad * (weight / F.sum(weight) if reduction == "mean" else weight))
    dim = min(1, len(self_sizes) - 1)
    places = F.unsqueeze(F.where(weight == 0.0, 0, target), dim=dim)
    return F.gather_backward(F.unsqueeze(share, dim=dim), places, size=self_sizes, dim=dim)


nll_loss.slope(self=_nll_slope)
note(nll_loss, called="nll_loss_nd")
twin(nll_loss, "nll_loss2d", "NllLoss2DBackward0")  # for images: (N, C, H, W) and (N, H, W)
note(nll_loss, TABLE["nll_loss2d"], leads_on={"self": ("self",)}, by_zeros=True)


@op("DivBackward1", kind="loss")
def per_example(xp, self, *, examples):
    """Divide a sum over a batch by the number of examples: PyTorch's last step of a cross entropy with
    probabilities."""
    return self / examples


per_example.slope(self=lambda F, grad, examples: grad / examples)

for _loss in (
    *(mse_loss, smooth_l1_loss, huber_loss, soft_margin_loss, binary_cross_entropy, binary_cross_entropy_weighted),
    *(bce_with_logits, bce_with_logits_weighted, bce_with_logits_positive),
):
    note(_loss, needs_sizes="The gradient divides by the number of elements, which must be known", fresh=True)
note(soft_margin_loss, words=lambda arrays, params: words.broadcast(arrays[0].shape, arrays[1].shape) and None)

# -- looking up ---------------------------------------------------------------------------------


@op("EmbeddingBackward0", kind="lookup", dtypes="keep")
def embedding(xp, weight, indices, *, padding_idx=-1):
    """Rows of `weight`; the row `padding_idx` (-1: none) gets no gradient."""
    return weight[indices]


def _embedding_slope(F, grad, indices, weight_sizes, padding_idx):
    if padding_idx >= 0:
        grad = F.masked_fill(grad, F.unsqueeze(indices == padding_idx, dim=len(indices.shape)), value=0)
    return F.index_select_backward(grad, indices, size=weight_sizes, dim=0)


embedding.slope(weight=_embedding_slope)

# -- normalisation ------------------------------------------------------------------------------


KEPT = ("result", "result1", "result2")  # the mean and 1 / deviation have these names in PyTorch's node


def _statistics(xp, self, dim, eps):
    """(x - mean) over the axes `dim`, the mean, and 1 / standard deviation."""
    n = math.prod(self.shape[d] for d in dim)
    mean = backend.total(xp, self, axis=dim, keepdims=True) / n
    about = self - mean
    return about, mean, 1 / xp.sqrt(backend.total(xp, about * about, axis=dim, keepdims=True) / n + eps)


def _unit(F, self, mean, inverse, dim, eps):
    """((x - mean) / deviation, 1 / deviation), from the values that forward saved. `.data` may have changed x since.

    For second derivatives, mean and deviation must depend on x. So they are computed again, and the difference from the
    saved values, usually 0, is added as a constant.
    """
    if isinstance(F, Raw):
        return (self - mean) * inverse, inverse
    again = F.mean_dim(self, dim=dim, keepdim=True)
    about = self - (again + (mean - again.detach()) if hasattr(mean, "detach") else again)
    again = F.mean_dim(about * about, dim=dim, keepdim=True) + eps
    if hasattr(inverse, "detach"):
        again = again + (1 / (inverse * inverse) - again.detach())
    inverse = F.rsqrt(again)
    return about * inverse, inverse


def _unit_slope(F, grad, self, mean, inverse, dim, eps):
    """The slope of (x - mean) / deviation: mean and deviation depend on x too."""
    unit, inverse = _unit(F, self, mean, inverse, dim, eps)
    common = F.mean_dim(grad, dim=dim, keepdim=True) + unit * F.mean_dim(grad * unit, dim=dim, keepdim=True)
    return (grad - common) * inverse


def _all_but_channels(sizes):
    return (0, *range(2, len(sizes)))


def _channels(sizes):
    """The size in which a vector over the channels broadcasts with (N, C, …)."""
    return (1, sizes[1], *(1,) * (len(sizes) - 2))


@op("NativeBatchNormBackward0", kind="norm", dtypes="same", outputs=KEPT)
def batch_norm(xp, self, weight, bias, *, eps):
    """Each channel of (N, C, …) with mean 0 and variance 1 over all other axes; then scaled and shifted."""
    size = _channels(self.shape)
    about, mean, inverse = _statistics(xp, self, _all_but_channels(self.shape), eps)
    result = about * (xp.reshape(weight, size) * inverse) + xp.reshape(bias, size)
    return result, xp.reshape(mean, (-1,)), xp.reshape(inverse, (-1,))


@op("NativeBatchNormBackward0", kind="norm", dtypes="same")
def frozen_batch_norm(xp, self, weight, bias, running_mean, running_var, *, eps):
    """`batch_norm` with a mean and a variance that were learned before."""
    size = _channels(self.shape)
    scale = weight / xp.sqrt(running_var + eps)
    return (self - xp.reshape(running_mean, size)) * xp.reshape(scale, size) + xp.reshape(bias, size)


def _channel_slope(F, grad, self, weight, result1, result2, eps):
    size, dim = _channels(self.shape), _all_but_channels(self.shape)
    kept = F.reshape_to(result1, size=size), F.reshape_to(result2, size=size)
    return _unit_slope(F, grad * F.reshape_to(weight, size=size), self, *kept, dim, eps)


def _channel_weight_slope(F, grad, self, result1, result2, eps):
    size, dim = _channels(self.shape), _all_but_channels(self.shape)
    kept = F.reshape_to(result1, size=size), F.reshape_to(result2, size=size)
    return F.sum_dim(grad * _unit(F, self, *kept, dim, eps)[0], dim=dim)


batch_norm.slope(
    self=_channel_slope,
    weight=_channel_weight_slope,
    bias=lambda F, grad: F.sum_dim(grad, dim=_all_but_channels(grad.shape)),
)


def _frozen_unit(F, self, running_mean, running_var, eps):
    size = _channels(self.shape)
    inverse = F.reshape_to(F.rsqrt(running_var + eps), size=size)
    return (self - F.reshape_to(running_mean, size=size)) * inverse


frozen_batch_norm.slope(
    self=lambda F, grad, weight, running_var, eps: (
        grad * F.reshape_to(weight * F.rsqrt(running_var + eps), size=_channels(grad.shape))
    ),
    weight=lambda F, grad, self, running_mean, running_var, eps: F.sum_dim(
        grad * _frozen_unit(F, self, running_mean, running_var, eps), dim=_all_but_channels(grad.shape)
    ),
    bias=lambda F, grad: F.sum_dim(grad, dim=_all_but_channels(grad.shape)),
)


note(batch_norm, frozen_batch_norm, leads_on=dict.fromkeys(("self", "weight", "bias"), ("self", "weight")))


@op("NativeLayerNormBackward0", kind="norm", dtypes="same", outputs=KEPT)
def layer_norm(xp, self, weight, bias, *, dim, eps):
    """Mean 0 and variance 1 over the last axes, `dim`; then scaled and shifted, element by element."""
    about, mean, inverse = _statistics(xp, self, dim, eps)
    return about * inverse * weight + bias, mean, inverse


layer_norm.slope(
    self=lambda F, grad, self, weight, result1, result2, dim, eps: _unit_slope(
        F, grad * weight, self, result1, result2, dim, eps
    ),
    weight=lambda F, grad, self, result1, result2, dim, eps: grad * _unit(F, self, result1, result2, dim, eps)[0],
    bias=lambda F, grad: grad,
)
note(layer_norm, in_order=True)
note(layer_norm, leads_on=dict.fromkeys(("self", "weight", "bias"), ("self", "weight", "bias")))


@op("NativeGroupNormBackward0", kind="norm", dtypes="same", outputs=KEPT)
def group_norm(xp, self, weight, bias, *, groups, eps):
    """Mean 0 and variance 1 over each group of channels of (N, C, …), in each example; then scaled and shifted."""
    about, mean, inverse = _statistics(xp, xp.reshape(self, _rows(self.shape, groups)), (2,), eps)
    size, unit = _channels(self.shape), xp.reshape(about * inverse, self.shape)
    result = unit * xp.reshape(weight, size) + xp.reshape(bias, size)
    return result, xp.squeeze(mean, axis=2), xp.squeeze(inverse, axis=2)


def _rows(sizes, groups):
    return (sizes[0], groups, math.prod(sizes[1:]) // groups)


def _group_slope(F, grad, self, weight, result1, result2, groups, eps):
    rows = _rows(self.shape, groups)
    scaled = F.reshape_to(grad * F.reshape_to(weight, size=_channels(self.shape)), size=rows)
    kept = F.unsqueeze(result1, dim=2), F.unsqueeze(result2, dim=2)
    return F.reshape_to(_unit_slope(F, scaled, F.reshape_to(self, size=rows), *kept, (2,), eps), size=self.shape)


def _group_weight_slope(F, grad, self, result1, result2, groups, eps):
    kept = F.unsqueeze(result1, dim=2), F.unsqueeze(result2, dim=2)
    unit, _ = _unit(F, F.reshape_to(self, size=_rows(self.shape, groups)), *kept, (2,), eps)
    return F.sum_dim(grad * F.reshape_to(unit, size=self.shape), dim=_all_but_channels(self.shape))


group_norm.slope(
    self=_group_slope,
    weight=_group_weight_slope,
    bias=lambda F, grad: F.sum_dim(grad, dim=_all_but_channels(grad.shape)),
)
note(group_norm, in_order=True, leads_on={"weight": ("self", "weight", "bias")})

# -- bilinear forms -----------------------------------------------------------------------------


@op("TrilinearBackward0", kind="matmul", dtypes="same")
def trilinear(xp, self, weight, other):
    """x₁ᵀ Wₖ x₂ for each row of `self` (N, I) and `other` (N, J), and each matrix of `weight` (K, I, J): (N, K)."""
    k, i, j = weight.shape
    turned = xp.reshape(xp.permute_dims(weight, (1, 0, 2)), (i, k * j))
    rows = xp.reshape(self @ turned, (self.shape[0], k, j))
    return xp.squeeze(rows @ xp.expand_dims(other, axis=2), axis=2)


def _weight_slope(F, grad, self, other, weight_sizes):
    pairs = F.unsqueeze(self, dim=2) * F.unsqueeze(other, dim=1)
    flat = F.reshape_to(pairs, size=(grad.shape[0], weight_sizes[1] * weight_sizes[2]))
    return F.reshape_to(F.mm(F.t(grad), flat), size=weight_sizes)


trilinear.slope(
    self=lambda F, grad, weight, other: F.trilinear(grad, F.permute(weight, dims=(1, 0, 2)), other),
    other=lambda F, grad, self, weight: F.trilinear(grad, F.permute(weight, dims=(2, 0, 1)), self),
    weight=_weight_slope,
)
note(trilinear, kernel="bmm")

# -- the way back from (time, batch, …) ---------------------------------------------------------


@op("TransposeBackward1", kind="view", dtypes="keep")
def transpose_back(xp, self):
    """The first two axes exchanged: the last step of a recurrent layer with `batch_first`; in PyTorch it has its own
    node."""
    return xp.permute_dims(self, (1, 0, *range(2, self.ndim)))


transpose_back.slope(self=lambda F, grad: F.transpose(grad, dim0=0, dim1=1))
