"""Losses: how far a prediction is from its target, as one number to go down.

`reduction` is "mean" (the default), "sum", or "none" for a loss of each element.
Imports dispatch and check. Read next: ../loss.py, the same as modules.
"""

from __future__ import annotations

import warnings
from typing import Any

from ... import check
from ...compiled import OPERATORS

_op = OPERATORS
_DIFFERENT = (
    "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due "
    "to broadcasting. Please ensure they have the same size."
)


def _compare(input: Any, target: Any, reduction: str) -> None:
    """Warn if the sizes differ, raise if they can't even be broadcast, or if `reduction` is unknown."""
    if target.size() != input.size():
        warnings.warn(_DIFFERENT.format(target.size(), input.size()), UserWarning, stacklevel=3)
        check.broadcast(input.size(), target.size())
    _check_reduction(reduction)


def _check_reduction(reduction: str) -> None:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def _reduce(loss: Any, reduction: str) -> Any:
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def mse_loss(input: Any, target: Any, reduction: str = "mean", weight: Any = None) -> Any:
    """(input - target)², each weighted if `weight` is given.

    >>> import minigrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """
    _compare(input, target, reduction)
    if weight is None:
        return _op["mse_loss"](input, target, reduction=reduction)
    squares = (input - target) ** 2 * weight
    return squares.sum() / weight.sum() if reduction == "mean" else _reduce(squares, reduction)


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """|input - target|."""
    _compare(input, target, reduction)
    return _reduce((input - target).abs(), reduction)


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    """½ (input - target)² / beta where the two are closer than `beta`, else |input - target| - ½ beta."""
    _compare(input, target, reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return (
        _op["smooth_l1_loss"](input, target, reduction=reduction, beta=beta)
        if beta
        else l1_loss(input, target, reduction)
    )


def binary_cross_entropy(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """-(target · log(input) + (1 - target) · log(1 - input)) of probabilities `input`; each log is at least -100."""
    _check_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. "
            "Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.legacy} but expected {input.dtype.legacy}")
    if not ((input._data >= 0) & (input._data <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    if weight is None:
        return _op["binary_cross_entropy"](input, target, reduction=reduction)
    return _reduce(_op["binary_cross_entropy"](input, target, reduction="none") * weight, reduction)


def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, reduction: str = "mean", pos_weight: Any = None
) -> Any:
    """`binary_cross_entropy` of sigmoid(input), without its overflow; `pos_weight` counts the ones more (or less)."""
    _check_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    if weight is None and pos_weight is None:
        return _op["bce_with_logits"](input, target, reduction=reduction)
    if pos_weight is None:
        loss = _op["bce_with_logits"](input, target, reduction="none")
    else:
        loss = (1 - target) * input - (1 + (pos_weight - 1) * target) * _op["logsigmoid"](input)
    return _reduce(loss if weight is None else loss * weight, reduction)


def nll_loss(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> Any:
    """-input[n, target[n]] for log-probabilities `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `weight` (C) says what each class counts; places whose target is `ignore_index` don't count.
    """
    _check_reduction(reduction)
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
        return _op["nll_loss"](input, target, counts, reduction=reduction)
    size = input.shape if input.dim() == 4 else (n, classes, 1, -1)  # PyTorch makes an image of other sizes
    image, places = input.view(size), (size[0], *size[2:])
    loss = _op["nll_loss2d"](image, target.reshape(places), counts.reshape(places), reduction=reduction)
    return loss.view(sizes) if reduction == "none" and input.dim() != 4 else loss


def _counted(target: Any, dtype: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The target with classes that exist, and how much each place counts: 1, its class's weight, or 0 if ignored."""
    ignored = target == ignore_index
    target = target.masked_fill(ignored, 0)
    counts = (~ignored).to(dtype) if weight is None else weight.detach()[target].masked_fill(ignored, 0)
    return target, counts


def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """-log softmax(input)[target] for scores `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `target` may also hold a probability for each class, with the size and type of `input`.

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(1, 10), torch.tensor([3]))  # log(10)
    tensor(2.3026)
    """
    _check_reduction(reduction)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    dim = 0 if input.dim() == 1 else 1
    logs = input.log_softmax(dim)
    sizes = (1, -1, *(1,) * (input.dim() - 2)) if dim else (-1,)
    if target.size() == input.size() and target.is_floating_point():
        classes = input.size(dim)
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        each = logs * target if weight is None else logs * target * weight.view(sizes)
        if reduction == "mean":
            return _op["per_example"](-each.sum(), examples=input.numel() // classes)
        return -(each.sum(dim) if reduction == "none" else each.sum())
    loss = nll_loss(logs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    smooth = -(logs if weight is None else logs * weight.view(sizes)).sum(dim).masked_fill(target == ignore_index, 0)
    if reduction == "mean":
        smooth = smooth.sum() / _counted(target, input.dtype, weight, ignore_index)[1].sum()
    elif reduction == "sum":
        smooth = smooth.sum()
    return loss * (1 - label_smoothing) + smooth * (label_smoothing / input.size(dim))
