"""Attention as one node, as in PyTorch: softmax(query · keyᵀ · scale + mask) · value.

The softmax is a second output, which is saved for backward and is not visible to users.
Imports backend, rules, ops/reduction.py and ops/standard.py.
Read next: ../nn/attention.py.
"""

import math

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, Raw, op
from .reduction import softmax
from .standard import copied


def _safe(xp, scores, dim):
    """The softmax, computed in the memory of the scores; zeros where all scores are -inf."""
    if not scores.size:
        return scores
    top = xp.max(scores, axis=dim, keepdims=True)
    scores -= xp.where(top == -math.inf, xp.zeros_like(top), top)
    weights = np.exp(scores, out=scores) if xp is np else xp.exp(scores)
    total = backend.total(xp, weights, axis=dim, keepdims=True)
    weights /= xp.where(total == 0, xp.ones_like(total), total)
    return weights


def safe_softmax_value(xp, self, *, dim):
    return _safe(xp, xp.asarray(self, copy=True), dim)


safe_softmax = TABLE["safe_softmax"] = copied(softmax, safe_softmax_value, "SafeSoftmaxBackward0", **softmax.slopes)
safe_softmax.name = "safe_softmax"


def _scores(xp, query, key, scale):
    return (query * scale) @ xp.matrix_transpose(key)


ATTENTION = "ScaledDotProductFlashAttentionForCpuBackward0"


@op(ATTENTION, kind="matmul", dtypes="same", outputs=("output", "weights"))
def attention(xp, query, key, value, *, scale):
    """For query (N, heads, L, E), key (N, heads, S, E) and value (N, heads, S, E)."""
    weights = _safe(xp, _scores(xp, query, key, scale), -1)
    return weights @ value, weights


@op(ATTENTION, kind="matmul", dtypes="same", outputs=("output", "weights"))
def attention_masked(xp, query, key, value, mask, *, scale):
    """`attention` with a mask (…, L, S) that is added to the scores."""
    scores = _scores(xp, query, key, scale)
    scores += mask
    weights = _safe(xp, scores, -1)
    return weights @ value, weights


def _slopes(F, grad, query, key, value, weights, scale):
    return _masked_slopes(F, grad, query, key, value, None, weights, scale)


def _masked_slopes(F, grad, query, key, value, mask, weights, scale):
    sizes, places = query.shape, key.shape[2]

    def stack(x):  # from (N, heads, rows, columns) to (N · heads, rows, columns)
        return F.reshape_to(x, size=(x.shape[0] * x.shape[1], *x.shape[2:]))

    def turned(x):
        return F.transpose(x, dim0=1, dim1=2)

    grad, q, k, v = stack(grad), stack(query) * scale, stack(key), stack(value)
    if isinstance(F, Raw):
        weights = stack(weights)
    else:  # for second derivatives, the softmax must depend on query and key
        scores = F.bmm(q, turned(k))
        if mask is not None:
            scores = stack(F.reshape_to(scores, size=(*sizes[:3], places)) + mask)
        weights = F.safe_softmax(scores, dim=2)
    to_weights = F.bmm(grad, turned(v))
    to_scores = (to_weights - F.sum_dim(to_weights * weights, dim=(2,), keepdim=True)) * weights
    return {
        "query": F.reshape_to(F.bmm(to_scores, k) * scale, size=sizes),
        "key": F.reshape_to(F.bmm(turned(to_scores), q), size=key.shape),
        "value": F.reshape_to(F.bmm(turned(weights), grad), size=value.shape),
    }


attention.slope(query=_slopes, key=_slopes, value=_slopes)
attention_masked.slope(query=_masked_slopes, key=_masked_slopes, value=_masked_slopes)
