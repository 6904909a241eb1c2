"""Attention as one node, as in PyTorch: softmax(query · keyᵀ · scale + mask) · value.

Of each row of scores, the logarithm of its sum of exponentials is a second output. Backward computes the softmax again
from it; users don't see it. So what is saved grows with the length of a sequence, and not with its square.
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
    """The softmax, computed in the memory of the scores, and the logarithm of the sum of exponentials. Where all scores
    are -inf, both are zeros."""
    top = xp.max(scores, axis=dim, keepdims=True)
    top = xp.where(top == -math.inf, xp.zeros_like(top), top)
    scores -= top
    weights = np.exp(scores, out=scores) if xp is np else xp.exp(scores)
    total = backend.total(xp, weights, axis=dim, keepdims=True)
    total = xp.where(total == 0, xp.ones_like(total), total)
    weights /= total
    return weights, top + xp.log(total)


def safe_softmax_value(xp, self, *, dim):
    return _safe(xp, xp.asarray(self, copy=True), dim)[0] if self.size else self


safe_softmax = TABLE["safe_softmax"] = copied(softmax, safe_softmax_value, "SafeSoftmaxBackward0", **softmax.slopes)
safe_softmax.name = "safe_softmax"


def _scores(xp, query, key, scale):
    return (query * scale) @ xp.matrix_transpose(key)


ATTENTION = "ScaledDotProductFlashAttentionForCpuBackward0"


@op(ATTENTION, kind="matmul", dtypes="same", outputs=("output", "logsumexp"))
def attention(xp, query, key, value, *, scale):
    """For query (N, heads, L, E), key (N, heads, S, E) and value (N, heads, S, E)."""
    weights, logsumexp = _safe(xp, _scores(xp, query, key, scale), -1)
    return weights @ value, xp.squeeze(logsumexp, axis=-1)


@op(ATTENTION, kind="matmul", dtypes="same", outputs=("output", "logsumexp"))
def attention_masked(xp, query, key, value, mask, *, scale):
    """`attention` with a mask (…, L, S) that is added to the scores."""
    scores = _scores(xp, query, key, scale)
    scores += mask
    weights, logsumexp = _safe(xp, scores, -1)
    return weights @ value, xp.squeeze(logsumexp, axis=-1)


def _slopes(F, grad, query, key, value, output, logsumexp, scale):
    return _masked_slopes(F, grad, query, key, value, None, output, logsumexp, scale)


def _masked_slopes(F, grad, query, key, value, mask, output, logsumexp, scale):
    sizes, places = query.shape, key.shape[2]

    def stack(x):  # from (N, heads, rows, columns) to (N · heads, rows, columns)
        return F.reshape_to(x, size=(x.shape[0] * x.shape[1], *x.shape[2:]))

    def turned(x):
        return F.transpose(x, dim0=1, dim1=2)

    grad, q, k, v = stack(grad), stack(query) * scale, stack(key), stack(value)
    scores = F.bmm(q, turned(k))
    if mask is not None:
        scores = stack(F.reshape_to(scores, size=(*sizes[:3], places)) + mask)
    if isinstance(F, Raw):
        weights = F.exp(scores - F.unsqueeze(stack(logsumexp), dim=2))
    else:  # for second derivatives, the softmax must depend on query and key
        weights = F.safe_softmax(scores, dim=2)
    to_scores = (F.bmm(grad, turned(v)) - F.sum_dim(grad * stack(output), dim=(2,), keepdim=True)) * weights
    return {
        "query": F.reshape_to(F.bmm(to_scores, k) * scale, size=sizes),
        "key": F.reshape_to(F.bmm(turned(to_scores), q), size=key.shape),
        "value": F.reshape_to(F.bmm(turned(weights), grad), size=value.shape),
    }


attention.slope(query=_slopes, key=_slopes, value=_slopes)
attention_masked.slope(query=_masked_slopes, key=_masked_slopes, value=_masked_slopes)
