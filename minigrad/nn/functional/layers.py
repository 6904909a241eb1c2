"""What the layers with parameters compute. Imports dispatch and random. Read next: loss.py."""

from __future__ import annotations

from typing import Any

from ... import random
from ...autograd.modes import no_grad
from ...dispatch import OPERATORS, wrap


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x Wᵀ + b for x of size (…, in_features) and W of size (out_features, in_features)."""
    if bias is None:
        return input.matmul(weight.t())
    if input._data.ndim == 2:
        return OPERATORS["addmm"](bias, input, OPERATORS["t"](weight))
    shape = input._data.shape
    rows = input.reshape(-1, shape[-1])
    return OPERATORS["addmm"](bias, rows, weight.t()).view(*shape[:-1], weight._data.shape[0])


def embedding(input: Any, weight: Any, padding_idx: int | None = None) -> Any:
    """Rows of `weight`, one for each integer of `input`; the row `padding_idx` gets no gradient."""
    if input._data.dtype.kind not in "iu":
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"torch.{input.dtype.legacy}Tensor instead (while checking arguments for embedding)"
        )
    if input._data.size and (input._data.max() >= len(weight) or input._data.min() < 0):
        raise IndexError("index out of range in self")
    rows = -1 if padding_idx is None else padding_idx % len(weight)
    return OPERATORS["embedding"](weight, input, padding_idx=rows)


def dropout(input: Any, p: float = 0.5, training: bool = True) -> Any:
    """In training, zeros with probability p, and the rest divided by 1 - p; otherwise the input itself."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    return input * wrap(random.dropout_mask(input._data.shape, p, input._data.dtype))


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
    """(x - mean) / √(var + eps) * weight + bias, for each channel (axis 1).

    In training the batch's own mean and variance, which also move the running ones; else the running ones.
    """
    dims = (0, *range(2, input._data.ndim))
    size = (1, -1, *(1,) * (input._data.ndim - 2))
    if training:
        count = input._data.size // max(input._data.shape[1], 1)
        if count == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
        mean = input.mean(dims, keepdim=True)
        about = input - mean
        var = (about * about).mean(dims, keepdim=True)
        if running_mean is not None:
            with no_grad():
                running_mean.mul_(1 - momentum).add_(mean.detach().reshape(-1) * momentum)
                running_var.mul_(1 - momentum).add_(var.detach().reshape(-1) * (momentum * count / (count - 1)))
    else:
        about, var = input - running_mean.view(size), running_var.view(size)
    out = about * (var + eps).rsqrt()
    if weight is not None:
        out = out * weight.view(size)
    return out if bias is None else out + bias.view(size)
