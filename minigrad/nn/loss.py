"""Losses: how far a prediction is from its target, as one number to go down. As functions, then as modules.

`reduction` is "mean" (the default), "sum", or "none" for a loss of each element.
Imports applied. Read next: ../ops/nn.py, where the mathematics is.
"""

import warnings

from .. import check
from ..arguments import takes_tensors
from ..compiled import OPERATORS
from .applied import Applied


def _compare(input, target, reduction: str) -> None:
    """Warn if the sizes differ, raise if they can't even be broadcast, or if `reduction` is unknown."""
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )
        check.broadcast(input.size(), target.size())
    _check(reduction)


def _check(reduction: str) -> None:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def _reduce(loss, reduction: str):
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def _weighed(name, input, target, weight, reduction):
    """An operator of the table, each element's loss times `weight` if there is one."""
    if weight is None:
        return OPERATORS[name](input, target, reduction=reduction)
    return _reduce(OPERATORS[name](input, target, reduction="none").mul(weight), reduction)


def mse_loss(input, target, reduction="mean"):
    """(input - target)².

    >>> import minigrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """
    _compare(input, target, reduction)
    return OPERATORS["mse_loss"](input, target, reduction=reduction)


def l1_loss(input, target, reduction="mean"):
    """|input - target|."""
    _compare(input, target, reduction)
    return _reduce((input - target).abs(), reduction)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """½ (input - target)² / beta where the two are closer than `beta`, else |input - target| - ½ beta."""
    if not beta:
        return l1_loss(input, target, reduction)
    _compare(input, target, reduction)
    return OPERATORS["smooth_l1_loss"](input, target, reduction=reduction, beta=beta)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-(target · log(input) + (1 - target) · log(1 - input)) of probabilities `input`; each log is at least -100."""
    _check(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.legacy} but expected {input.dtype.legacy}")
    if not ((input._data >= 0) & (input._data <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    return _weighed("binary_cross_entropy", input, target, weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """`binary_cross_entropy` of sigmoid(input), without its overflow; `pos_weight` counts the ones more (or less)."""
    _check(reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    if pos_weight is None:
        return _weighed("bce_with_logits", input, target, weight, reduction)
    loss = (1 - target) * input - (1 + (pos_weight - 1) * target) * OPERATORS["logsigmoid"](input)
    return _reduce(loss if weight is None else loss.mul(weight), reduction)


@takes_tensors
def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input[n, target[n]] for log-probabilities `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `weight` (C) says what each class counts; places whose target is `ignore_index` don't count.
    """
    _check(reduction)
    if target.dtype.name not in ("int64", "uint8"):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.legacy}")
    if input.dim() == 1:
        loss = nll_loss(input.unsqueeze(0), target.reshape(1), weight, ignore_index, reduction)
        return loss.squeeze(0) if reduction == "none" else loss
    (n, classes, *places), sizes = input.shape, target.shape
    if n != (sizes[0] if sizes else 0):
        raise ValueError(f"Expected input batch_size ({n}) to match target batch_size ({sizes[0] if sizes else 0}).")
    if not places and len(sizes) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if tuple(sizes) != (n, *places):
        raise RuntimeError(f"Expected target size {[n, *places]}, got {list(sizes)}")
    kept = target._data != ignore_index
    wrong = target._data[kept & ((target._data < 0) | (target._data >= classes))]
    if wrong.size:
        raise IndexError(f"Target {wrong.flat[0]} is out of bounds.")
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )
    target, counts = _counted(target, input.dtype, weight, ignore_index)
    if input.dim() == 2:
        return OPERATORS["nll_loss"](input, target, counts, reduction=reduction)
    size = input.shape if input.dim() == 4 else (n, classes, 1, -1)  # PyTorch makes an image of other sizes
    image, places = input.reshape(size), (size[0], *size[2:])
    loss = OPERATORS["nll_loss2d"](image, target.reshape(places), counts.reshape(places), reduction=reduction)
    return loss.view(sizes) if reduction == "none" and input.dim() != 4 else loss


def _counted(target, dtype, weight, ignore_index: int):
    """The target with classes that exist, and how much each place counts: 1, its class's weight, or 0 if ignored."""
    ignored = target == ignore_index
    target = target.masked_fill(ignored, 0)
    counts = (~ignored).to(dtype) if weight is None else weight.detach()[target].masked_fill(ignored, 0)
    return target, counts


@takes_tensors
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """-log softmax(input)[target] for scores `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `target` may also hold a probability for each class, with the size and type of `input`.

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(1, 10), torch.tensor([3]))  # log(10)
    tensor(2.3026)
    """
    _check(reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    dim = 0 if input.dim() == 1 else 1
    logs, classes = input.log_softmax(dim), input.size(dim)

    def weighed(losses):
        return losses if weight is None else losses * weight.view(-1, *(1,) * (input.dim() - 1 - dim))

    if target.size() == input.size() and target.is_floating_point():
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        each = weighed(logs * target)
        if reduction == "mean":
            return OPERATORS["per_example"](-each.sum(), examples=input.numel() // classes)
        return -(each.sum(dim) if reduction == "none" else each.sum())
    loss = nll_loss(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    smooth = -weighed(logs).sum(dim).masked_fill(target == ignore_index, 0)
    if reduction == "mean":
        smooth = smooth.sum() / _counted(target, input.dtype, weight, ignore_index)[1].sum()
    elif reduction == "sum":
        smooth = smooth.sum()
    return loss * (1 - label_smoothing) + smooth * (label_smoothing / classes)


# -- as modules -----------------------------------------------------------------------------------


class Loss(Applied):
    """What all share: a weight for each class (or element), if there is one, is a buffer."""

    inputs = 2

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("weight", "pos_weight"):
            if name in self._settings:
                self.register_buffer(name, self.__dict__.pop(name))

    def extra_repr(self) -> str:
        return ""


class MSELoss(Loss):
    """The mean (or sum) of (input - target)². Warns if the sizes differ.

    >>> import minigrad as torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """

    function = staticmethod(mse_loss)


class L1Loss(Loss):
    """The mean (or sum) of |input - target|."""

    function = staticmethod(l1_loss)


class SmoothL1Loss(Loss):
    """Quadratic where input and target are closer than `beta`, else like L1Loss."""

    function = staticmethod(smooth_l1_loss)


class NLLLoss(Loss):
    """Minus the log-probabilities (N, C, …) of the target classes (N, …)."""

    function = staticmethod(nll_loss)


class CrossEntropyLoss(Loss):
    """Log-softmax of scores (N, C, …), then NLLLoss with target classes (N, …); or target probabilities (N, C, …).

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 10), torch.tensor([3, 7]))  # log(10): it has no idea
    tensor(2.3026)
    """

    function = staticmethod(cross_entropy)


class BCELoss(Loss):
    """Binary cross entropy of probabilities."""

    function = staticmethod(binary_cross_entropy)


class BCEWithLogitsLoss(Loss):
    """Binary cross entropy of scores, which a sigmoid would turn into probabilities."""

    function = staticmethod(binary_cross_entropy_with_logits)
