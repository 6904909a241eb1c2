"""Attention: a mean of values, weighted by how well their keys match a query (Vaswani et al. 2017).

Imports softmax's operator and dropout. Read next: softmax.py.
"""

import math

from .._call.operators import OPERATORS
from .._machine.dtypes import bool as boolean
from .._tensors.creation import ones, zeros
from .dropout import dropout


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """softmax(query · keyᵀ · scale + mask) · value, for query (…, L, E), key (…, S, E), value (…, S, V): (…, L, V).

    `scale` is 1 / √E by default. `attn_mask` (…, L, S) is added; a boolean mask is True where a key takes part.
    With `is_causal`, a position attends only to itself and to earlier positions.

    >>> import minigrad as torch
    >>> q = k = v = torch.eye(2)
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    tensor([[1.0000, 0.0000],
            [0.3302, 0.6698]])
    """
    if enable_gqa:
        raise NotImplementedError("minigrad's attention has no groups of queries (enable_gqa)")
    if not query.dtype is key.dtype is value.dtype:
        kinds = [x.dtype.c_name for x in (query, key, value)]
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {kinds[0]} key.dtype: "
            f"{kinds[1]} and value.dtype: {kinds[2]} instead."
        )
    size = query.shape[-2], key.shape[-2]
    scale = 1 / math.sqrt(query.shape[-1] or 1) if scale is None else scale
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
        attn_mask = ones(size, device=query.device).tril().bool()
    if attn_mask is not None and attn_mask.dtype is boolean:
        hidden = zeros(attn_mask.shape, dtype=query.dtype, device=query.device)
        attn_mask = hidden.masked_fill(~attn_mask, -math.inf)
    if not dropout_p and at_once(query, key, value, attn_mask):
        if not query.is_floating_point():
            raise RuntimeError(f"expected scalar type Float but found {query.dtype.legacy}")
        if attn_mask is None:
            return OPERATORS["attention"](query, key, value, scale=scale)[0]
        return OPERATORS["attention_masked"](query, key, value, attn_mask, scale=scale)[0]
    root = math.sqrt(scale)
    scores = times(query, root).matmul(times(key.transpose(-2, -1), root))
    scores = scores if attn_mask is None else scores + attn_mask
    weights = OPERATORS["safe_softmax"](scores, dim=scores.dim() - 1)
    return dropout(weights, dropout_p).matmul(value)


def times(x, number):
    """x · number with a node of its own, as in PyTorch's composite functions."""
    return OPERATORS["mul_number"](x, number=number) if x.is_floating_point() else x * number


def at_once(query, key, value, mask) -> bool:
    """Whether PyTorch computes attention in one kernel: batches of heads that have one size and are not empty, with
    a mask (if any) that doesn't require a gradient."""
    if not query.dim() == key.dim() == value.dim() == 4 or (mask is not None and mask.requires_grad):
        return False
    same = query.shape[:2] == key.shape[:2] == value.shape[:2] and query.shape[3] == key.shape[3] == value.shape[3]
    return same and key.shape[2] == value.shape[2] and bool(query.numel() and key.numel())
