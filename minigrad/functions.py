"""The operators as functions: `minigrad.exp(x)` is `x.exp()`.

A method of Tensor is a function already, so most of this file only names them.
Imports tensor. Read next: methods/, where they are written.
"""

from .tensor import Tensor as _T

add, sub, mul, div = _T.add, _T.sub, _T.mul, _T.div
subtract, multiply, divide, true_divide = _T.subtract, _T.multiply, _T.divide, _T.true_divide
remainder, floor_divide, pow, square, neg, negative = (
    _T.remainder,
    _T.floor_divide,
    _T.pow,
    _T.square,
    _T.neg,
    _T.negative,
)
abs, absolute, sign, sqrt, rsqrt, reciprocal = _T.abs, _T.absolute, _T.sign, _T.sqrt, _T.rsqrt, _T.reciprocal
exp, expm1, log, log1p, log2, erf = _T.exp, _T.expm1, _T.log, _T.log1p, _T.log2, _T.erf
sin, cos, tan, sinh, cosh, tanh, sigmoid, relu = _T.sin, _T.cos, _T.tan, _T.sinh, _T.cosh, _T.tanh, _T.sigmoid, _T.relu
floor, ceil, round = _T.floor, _T.ceil, _T.round
maximum, minimum, clamp, clip = _T.maximum, _T.minimum, _T.clamp, _T.clip
clamp_min, clamp_max, masked_fill = _T.clamp_min, _T.clamp_max, _T.masked_fill
eq, ne, lt, le, gt, ge, equal, allclose = _T.eq, _T.ne, _T.lt, _T.le, _T.gt, _T.ge, _T.equal, _T.allclose
isnan, isfinite, isinf = _T.isnan, _T.isfinite, _T.isinf
logical_and, logical_or, logical_xor, logical_not = _T.logical_and, _T.logical_or, _T.logical_xor, _T.logical_not

sum, mean, var, std, norm, prod, cumsum = _T.sum, _T.mean, _T.var, _T.std, _T.norm, _T.prod, _T.cumsum
max, min, amax, amin, argmax, argmin, any, all = (
    _T.max,
    _T.min,
    _T.amax,
    _T.amin,
    _T.argmax,
    _T.argmin,
    _T.any,
    _T.all,
)
sort, argsort, topk = _T.sort, _T.argsort, _T.topk
softmax, log_softmax, logsumexp = _T.softmax, _T.log_softmax, _T.logsumexp

matmul, mm, mv, bmm, dot, outer, addmm = _T.matmul, _T.mm, _T.mv, _T.bmm, _T.dot, _T.outer, _T.addmm

reshape, flatten, unflatten, t, transpose, swapaxes = (
    _T.reshape,
    _T.flatten,
    _T.unflatten,
    _T.t,
    _T.transpose,
    _T.swapaxes,
)
permute, movedim, unsqueeze, squeeze, broadcast_to = (
    _T.permute,
    _T.movedim,
    _T.unsqueeze,
    _T.squeeze,
    _T.broadcast_to,
)
narrow, select, diagonal, unbind, split, chunk = _T.narrow, _T.select, _T.diagonal, _T.unbind, _T.split, _T.chunk
flip, roll, tril, triu, clone = _T.flip, _T.roll, _T.tril, _T.triu, _T.clone
gather, scatter_add, index_select, index_add = _T.gather, _T.scatter_add, _T.index_select, _T.index_add
masked_select, nonzero = _T.masked_select, _T.nonzero
detach = _T.detach
is_floating_point = _T.is_floating_point

__all__ = sorted(name for name in globals() if not name.startswith("_"))
