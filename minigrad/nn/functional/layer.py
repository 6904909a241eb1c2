"""What layers compute: linear maps, dropout, lookup tables, normalisation.

Imports dispatch and random. Read next: loss.py; ../linear.py for the modules with the parameters.
"""

from __future__ import annotations

from typing import Any

from ... import random
from ...compiled import OPERATORS
from ...creation import arange, from_numpy, ones, zeros
from ...dtypes import int64
from ...inplace import in_place
from ...tensor import Tensor

_op = OPERATORS


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input (…, n) · weight (m, n)ᵀ + bias (m) = (…, m), in one addmm over all leading axes, as in PyTorch."""
    if not isinstance(input, Tensor):
        raise TypeError(f"linear(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    data, kind = input._data, weight._data.dtype
    if data.dtype is not kind and data.dtype != kind:
        names = input.dtype.legacy, weight.dtype.legacy
        raise RuntimeError("mat1 and mat2 must have the same dtype, but got {} and {}".format(*names))
    if data.ndim == 2:
        turned = _op["t"](weight)
        return _op["mm"](input, turned) if bias is None else _op["addmm"](bias, input, turned)
    if not data.ndim:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are 0D and {weight._data.ndim}D")
    turned = _op["t"](weight)
    if bias is None:
        return input.matmul(turned)
    if data.flags.c_contiguous:  # all rows at once
        rows = _op["addmm"](bias, input.view(-1, data.shape[-1]), turned)
        return rows.view(*data.shape[:-1], weight._data.shape[0])
    return input.matmul(turned) + bias


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Each element 0 with probability `p`, else divided by 1 - p, so that the mean stays; only in training."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    mask = from_numpy(random.dropout_mask(input._data.shape, p, input._data.dtype)).to(input.device)
    return in_place("mul", input, mask) if inplace else input * mask


def embedding(input: Any, weight: Any, padding_idx: int | None = None) -> Any:
    """Rows of `weight` (entries, features) by the integers `input`, of any size: (*input.shape, features).

    The row `padding_idx` gets no gradient.
    """
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    indices, count = input._data, weight._data.shape[0]
    if indices.dtype.kind != "i" or indices.dtype.itemsize < 4:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding)"
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise IndexError("index out of range in self")
    return _op["embedding"](weight, input, padding_idx=-1 if padding_idx is None else padding_idx % count)


def one_hot(tensor: Any, num_classes: int = -1) -> Any:
    """Integers of any size as rows of 0 with one 1: (*size, num_classes), int64. -1: one more than the largest.

    >>> import minigrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    if tensor.dtype is not int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not tensor.numel() and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if tensor.numel() and tensor.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    elif tensor.numel() and tensor.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = arange(num_classes, device=tensor.device)
    return (tensor.unsqueeze(-1) == classes).long()


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    """x / ‖x‖ₚ along `dim`, the norm being at least `eps`."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """(x - mean) / √(var + eps) · weight + bias for each channel of `input` (N, C, …).

    In training, mean and variance are those of the batch, and the running ones move towards them by `momentum`
    (the variance with n - 1); else they are the running ones.
    """
    channels = input._data.shape[1]
    for name, vector in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight)):
        if vector is not None and vector.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {vector.numel()}")
    count = input._data.size // max(channels, 1)
    if training and count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    weight = ones(channels, dtype=input.dtype, device=input.device) if weight is None else weight
    bias = zeros(channels, dtype=input.dtype, device=input.device) if bias is None else bias
    if not training:
        return _op["frozen_batch_norm"](input, weight, bias, running_mean, running_var, eps=eps)
    if running_mean is not None:
        seen, rest = input.detach(), (0, *range(2, input.dim()))
        running_mean.mul_(1 - momentum).add_(seen.mean(rest), alpha=momentum)
        running_var.mul_(1 - momentum).add_(seen.var(rest), alpha=momentum)
    return _op["batch_norm"](input, weight, bias, eps=eps)


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """(x - mean) / √(var + eps) · weight + bias over the last axes, whose sizes are `normalized_shape`."""
    sizes = tuple(normalized_shape)
    if tuple(input.shape[-len(sizes) :]) != sizes:
        stars = ", ".join(["*", *map(str, sizes)])
        raise RuntimeError(
            f"Given normalized_shape={list(sizes)}, expected input with shape [{stars}], but got input of "
            f"size{list(input.shape)}"
        )
    weight = ones(sizes, dtype=input.dtype, device=input.device) if weight is None else weight
    bias = zeros(sizes, dtype=input.dtype, device=input.device) if bias is None else bias
    return _op["layer_norm"](input, weight, bias, dim=tuple(range(input.dim() - len(sizes), input.dim())), eps=eps)
