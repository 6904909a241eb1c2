"""Attention: which of several values matter, by how well their keys fit a query (Vaswani et al. 2017).

Imports softmax's operator and dropout. Read next: softmax.py.
"""

import math

from ..creation import ones, zeros
from ..dtypes import bool as boolean
from .dropout import dropout


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    """softmax(query · keyᵀ · scale + mask) · value, for query (…, L, E), key (…, S, E), value (…, S, V): (…, L, V).

    `scale` is 1 / √E unless given. `attn_mask` (…, L, S) is added, or, if it is of booleans, says who takes part;
    with `is_causal` nobody looks ahead.

    >>> import minigrad as torch
    >>> q = k = v = torch.eye(2)
    >>> torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    tensor([[1.0000, 0.0000],
            [0.3302, 0.6698]])
    """
    if enable_gqa:
        raise NotImplementedError("minigrad's attention has no groups of queries (enable_gqa)")
    size = query.shape[-2], key.shape[-2]
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
        attn_mask = ones(size, device=query.device).tril().bool()
    scores = query.matmul(key.transpose(-2, -1)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if attn_mask is not None:
        if attn_mask.dtype is boolean:
            hidden = zeros(attn_mask.shape, dtype=query.dtype, device=query.device)
            attn_mask = hidden.masked_fill(~attn_mask, -math.inf)
        scores = scores + attn_mask
    return dropout(scores.softmax(-1), dropout_p).matmul(value)
