"""Reductions (sums, means, extremes), softmax and sorting.

Callers check the axes: `dim` is an int or a tuple of ints, none negative. Where
PyTorch has two overloads (`sum()`, `sum(dim)`) there are two rules, because their nodes have different names.
Imports backend, rules, ops/introsort.py, ops/introsort_of_rows.py, ops/note.py and ops/standard.py.
Read next: ops/shape.py.
"""

import math

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, Raw, op
from . import introsort, introsort_of_rows, words
from .note import note
from .standard import enter, twin


def _restore(F, reduced, dim, keepdim):
    """Put the reduced axes back with length 1, so that the result broadcasts."""
    if not keepdim:
        for d in sorted(dim) if isinstance(dim, tuple) else (dim,):
            reduced = F.unsqueeze(reduced, dim=d)
    return reduced


def _count(sizes, dim):
    return math.prod(sizes[d] for d in dim)


PLACES = (None, "int64")  # the types of values (unchanged) and of indices


def _at(dim, where):
    """An index that is `places` along axis `dim`, and everything along the others."""
    return (slice(None),) * dim + (where, ...)


def _along(self, dim):
    """`dim` as a tuple of axes; empty for a single number, which PyTorch treats as a vector of length one."""
    return (dim,) if len(self.shape) else ()


# -- sums ---------------------------------------------------------------------------------------


@op("SumBackward0", kind="reduction", dtypes="sum")
def sum(xp, self):
    return backend.total(xp, self)


sum.slope(self=lambda F, grad, self_sizes: F.expand(grad, size=self_sizes))
note(sum, letters=("gradient, a copy for each element",), tensorflow="Sum", text="add.reduce({0}, None)")
note(sum, out="in its type")


@op("SumBackward1", kind="reduction", dtypes="sum")
def sum_dim(xp, self, *, dim, keepdim=False):
    return backend.total(xp, self, axis=dim, keepdims=keepdim)


sum_dim.slope(self=lambda F, grad, self_sizes, dim, keepdim: F.expand(_restore(F, grad, dim, keepdim), size=self_sizes))
note(sum_dim, tensorflow="Sum", text="add.reduce({0}, {dim}, None, None, {keepdim})")


@op("MeanBackward0", kind="reduction", dtypes="floating")
def mean(xp, self):
    return backend.total(xp, self) / self.size


mean.slope(self=lambda F, grad, self_sizes: F.expand(grad, size=self_sizes) / math.prod(self_sizes))
note(mean, tensorflow="Mean", text="add.reduce({0}, None) / {0}.size", out="in its type")


@op("MeanBackward1", kind="reduction", dtypes="floating")
def mean_dim(xp, self, *, dim, keepdim=False):
    return backend.total(xp, self, axis=dim, keepdims=keepdim) / _count(self.shape, dim)


mean_dim.slope(
    self=lambda F, grad, self_sizes, dim, keepdim: (
        F.expand(_restore(F, grad, dim, keepdim), size=self_sizes) / _count(self_sizes, dim)
    )
)
note(mean_dim, tensorflow="Mean")
note(
    mean,
    mean_dim,
    refusal="mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
    "Got: {kind}",
)


def _variance(xp, self, dim, correction, keepdim):
    """The variance in two passes, which is stable: the mean, then the mean squared distance from it. In float64, as in
    PyTorch."""
    n, self = _count(self.shape, dim), backend.cast(xp, self, xp.float64)
    about = self - backend.total(xp, self, axis=dim, keepdims=True) / n
    return backend.total(xp, about * about, axis=dim, keepdims=keepdim) / max(n - correction, 0)


def _variance_slope(F, grad, self, dim, correction, keepdim, few):
    about = self - F.mean_dim(self, dim=dim, keepdim=True)
    if few:  # nan for a number that equals the mean
        return _restore(F, grad, dim, keepdim) * (F.abs(about) * math.inf)
    return _restore(F, grad, dim, keepdim) * about * 2 / (_count(self.shape, dim) - correction)


@op("VarBackward0", kind="reduction", dtypes="floating")
def var(xp, self, *, dim, correction=1, keepdim=False, few=False):
    return backend.cast(xp, _variance(xp, self, dim, correction, keepdim), self.dtype)


var.slope(self=_variance_slope)


@op("StdBackward0", kind="reduction", dtypes="floating")
def std(xp, self, *, dim, correction=1, keepdim=False, few=False):
    return backend.cast(xp, xp.sqrt(_variance(xp, self, dim, correction, keepdim)), self.dtype)


std.slope(
    self=lambda F, grad, self, result, dim, correction, keepdim, few: _variance_slope(
        F, F.where(result == 0.0, 0.0, grad / (result * 2)), self, dim, correction, keepdim, few
    )
)


note(var, std, refusal="std and var only support floating point and complex dtypes", forms="several")


@op("LinalgVectorNormBackward0", kind="reduction", dtypes="floating")
def vector_norm(xp, self, *, ord=2.0, dim, keepdim=False):
    size = xp.abs(self)
    if ord == math.inf:
        return xp.max(size, axis=dim, keepdims=keepdim)
    if ord == -math.inf:
        return xp.min(size, axis=dim, keepdims=keepdim)
    if ord == 0:
        return backend.total(xp, backend.cast(xp, size != 0, self.dtype), axis=dim, keepdims=keepdim)
    if ord == 2:
        return xp.sqrt(backend.total(xp, self * self, axis=dim, keepdims=keepdim))
    return backend.total(xp, size**ord, axis=dim, keepdims=keepdim) ** (1 / ord)


def _vector_norm_slope(F, grad, self, result, ord, dim, keepdim):
    """d‖x‖ₚ/dx = sign(x) · (|x| / ‖x‖)^(p-1), and 0 at the origin; for p = ±∞, equal extremes share it."""
    if ord == 0:
        return F.zeros_like(self)
    grad, result = _restore(F, grad, dim, keepdim), _restore(F, result, dim, keepdim)
    if math.isinf(ord):
        return F.sign(self) * _shared(F, grad, F.abs(self) == result, dim)
    if ord == 1:
        return grad * F.sign(self)
    if ord == 2:
        return grad * F.where(result == 0.0, 0.0, self / result)
    ratio = self / F.where(result == 0.0, 1.0, result)  # avoids inf and nan at 0, also in the derivative
    if ord > 2:
        steep = ratio * F.pow_scalar(F.abs(ratio), exponent=ord - 2)
    else:
        steep = F.sign(ratio) * F.pow_scalar(F.where(ratio == 0.0, 1.0, F.abs(ratio)), exponent=ord - 1)
    return grad * F.where(result == 0.0, 0.0, steep)


vector_norm.slope(self=_vector_norm_slope)
note(
    vector_norm,
    refusal="linalg.vector_norm: Expected a floating point or complex tensor as input. Got {kind}",
)


@op("CumsumBackward0", kind="reduction", dtypes="sum")
def cumsum(xp, self, *, dim):
    return backend.running_sum(xp, self, dim) + 0 if self.ndim else backend.total(xp, self)  # adding 0 turns -0 into 0


def _cumsum_slope(F, grad, dim):
    dims = _along(grad, dim)
    return F.flip(F.cumsum(F.flip(grad, dims=dims), dim=dim), dims=dims)


cumsum.slope(self=_cumsum_slope)
note(cumsum, tensorflow="Cumsum", out="in its type", underscore=True)

# -- products -----------------------------------------------------------------------------------


@op("ProdBackward0", kind="reduction", dtypes="sum")
def prod(xp, self):
    return xp.prod(self)


@op("ProdBackward1", kind="reduction", dtypes="sum")
def prod_dim(xp, self, *, dim, keepdim=False):
    return xp.prod(self, axis=dim, keepdims=keepdim)


def _prod_slope(F, grad, self):
    """Along the last axis, the product of all *other* elements, also correct if some of them are 0."""
    row = F.unsqueeze(self, dim=len(self.shape) - 1)  # … × 1 × n, expanded to … × n × n
    rows = F.expand(row, size=(*self.shape, self.shape[-1]))
    eye = F.tril(F.triu(F.zeros_like(rows) + 1))
    others = F.tril(rows, diagonal=-1) + F.triu(rows, diagonal=1) + eye
    return grad * F.prod_dim(others, dim=(len(self.shape),))


def divides(F, self):
    """True in an ordinary pass without a factor 0. Then the product of the other factors is the result divided by the
    factor. PyTorch does the same with the saved result, though `.data` may have changed the factors since."""
    return isinstance(F, Raw) and isinstance(self, np.ndarray) and not np.any(self == 0)


def _prod_all_slope(F, grad, self, result, self_sizes):
    if self_sizes and divides(F, self):
        return grad * (result / self)
    return F.view(_prod_slope(F, grad, F.view(self, size=(math.prod(self_sizes),))), size=self_sizes)


prod.slope(self=_prod_all_slope)


def _prod_dim_slope(F, grad, self, result, dim, keepdim):
    if not dim:  # the product of one number is the number itself
        return grad
    if divides(F, self) and self.shape[dim[0]] > 1:
        return _restore(F, grad, dim, keepdim) * (_restore(F, result, dim, keepdim) / self)
    last = len(self.shape) - 1
    grad = F.transpose(_restore(F, grad, dim, keepdim), dim0=dim[0], dim1=last)
    return F.transpose(_prod_slope(F, grad, F.transpose(self, dim0=dim[0], dim1=last)), dim0=dim[0], dim1=last)


prod_dim.slope(self=_prod_dim_slope)
note(prod, prod_dim, tensorflow="Prod", out="in its type")

# -- extremes -----------------------------------------------------------------------------------


def _shared(F, grad, winners, dim):
    """Equal extremes share the gradient evenly. As in PyTorch, an incoming nan also reaches the other elements."""
    winners = F.where(winners, 1.0, F.zeros_like(grad))
    return winners * (grad / F.sum_dim(winners, dim=dim, keepdim=True))


def _shared_by_all(F, grad, winners):
    """As `_shared`, for the extreme of a whole tensor: there, other elements get 0 even from nan, as in PyTorch."""
    return F.where(winners, grad / F.sum(F.where(winners, 1.0, F.zeros_like(grad))), 0.0)


def _enter_extreme(name, function):
    """Enter the four forms of `max`, or of `min`: of all elements, along axes, along one axis with indices, indices
    only."""

    def of_all(xp, self):
        return getattr(xp, name)(self)

    def along(xp, self, *, dim, keepdim=False):
        return getattr(xp, name)(self, axis=dim, keepdims=keepdim)

    def place(xp, self, *, dim=None, keepdim=False):
        return getattr(xp, "arg" + name)(self, axis=dim, keepdims=keepdim)

    def with_place(xp, self, *, dim, keepdim=False):
        if not self.ndim:
            return xp.asarray(self, copy=True), xp.asarray(0)
        places = place(xp, self, dim=dim, keepdim=True)
        # so that the sign of a zero is that of the selected element
        values = xp.take_along_axis(self, places, axis=dim)
        return (values, places) if keepdim else (xp.squeeze(values, axis=dim), xp.squeeze(places, axis=dim))

    text, tensorflow = f"{function}.reduce({{0}}, None)", name.capitalize()
    enter(of_all, f"{name}_all", f"{tensorflow}Backward1", kind="reduction", tensorflow=tensorflow, text=text).slope(
        self=lambda F, grad, self, result: _shared_by_all(  # if there is a nan, it is the extreme
            F, grad, F.logical_or(self == result, F.isnan(self))
        )
    )
    enter(along, f"a{name}", f"A{name}Backward0", kind="reduction", tensorflow=tensorflow).slope(
        self=lambda F, grad, self, result, dim, keepdim: _shared(
            F, _restore(F, grad, dim, keepdim), self == _restore(F, result, dim, keepdim), dim
        )
    )
    both = ("values", "indices")
    enter(
        with_place, f"{name}_dim", f"{name.capitalize()}Backward0", kind="reduction", outputs=both, gives=PLACES
    ).slope(
        self=lambda F, grad, indices, self_sizes, dim, keepdim: F.gather_backward(
            _restore(F, grad, dim, keepdim), _restore(F, indices, dim, keepdim), size=self_sizes, dim=dim
        )
    )
    rule = enter(place, f"arg{name}", "", kind="question", dtypes="number")
    note(rule, tensorflow=f"Arg{tensorflow}", gives="int64", fresh=False, in_order=True)
    note(rule, refusal=f"arg{name}(): does not support bool input", out="of its type", underscore=False)
    for each, called in ((f"a{name}", f"a{name}"), (f"{name}_dim", name), (f"arg{name}", f"arg{name}")):
        note(TABLE[each], words=words.extreme(called))


_enter_extreme("max", "maximum")
_enter_extreme("min", "minimum")

# -- any and all --------------------------------------------------------------------------------


def _answer(xp, self, yes):
    """As in PyTorch, the result for uint8 is uint8; for every other type it is bool."""
    return backend.cast(xp, yes, self.dtype) if self.dtype == xp.uint8 else yes


@op("", kind="question")
def any(xp, self, *, dim=None, keepdim=False):
    return _answer(xp, self, xp.any(self, axis=dim, keepdims=keepdim))


@op("", kind="question")
def all(xp, self, *, dim=None, keepdim=False):
    return _answer(xp, self, xp.all(self, axis=dim, keepdims=keepdim))


note(any, tensorflow="Any", in_order=True, underscore=False)
note(all, tensorflow="All", in_order=True, underscore=False)

# -- in order -----------------------------------------------------------------------------------


def _ranks(np_order, ordered, dim):
    """The rank of each number along `dim`, equal for equal numbers; and, in order, whether a number equals the one
    before. All nan count as equal."""
    later, sooner = ordered[_at(dim, slice(1, None))], ordered[_at(dim, slice(-1))]
    equal = (later == sooner) | ((later != later) & (sooner != sooner))
    ranks = np.zeros(ordered.shape, np.int64)
    ranks[_at(dim, slice(1, None))] = np.cumsum(~equal, axis=dim)
    out = np.empty_like(ranks)
    np.put_along_axis(out, np_order, ranks, dim)
    return out, equal


def _each_row(places, found, ranks, rows, dim):
    """Replace the indices in each of these rows by those that `places` returns for the row's ranks."""
    found, ranks = found.copy(), np.moveaxis(ranks, dim, -1)
    by_row = np.moveaxis(found, dim, -1)
    for row in map(tuple, np.argwhere(rows)):
        by_row[row] = places(ranks[row].tolist())
    return found


def _stable(xp, self, dim, descending):
    """The indices of a stable sort: equal numbers keep their order."""
    flipped = xp.flip(self, axis=dim) if descending else self
    indices = xp.argsort(flipped, axis=dim, stable=True)
    if descending:  # NumPy's argsort has no `descending`; flipping twice keeps the sort stable
        indices = xp.flip(self.shape[dim] - 1 - indices, axis=dim)
    return indices


def _sorted_stably(self, dim, descending):
    """True if PyTorch's own sort is stable: up to 16 numbers; many integers in a row; and expanded axes."""
    many = self.shape[dim] >= 32768 and self.ndim == 1 and self.dtype.kind in "iu" and not descending
    return not isinstance(self, np.ndarray) or self.shape[dim] <= introsort.FEW or many or not self.strides[dim]


MANY = 2000  # number of elements from which NumPy's steps take less time than Python's loops


@op("SortBackward0", kind="reduction", outputs=("values", "indices"))
def sort(xp, self, *, dim, descending=False, stable=False):
    if not self.ndim:
        return xp.asarray(self, copy=True), xp.asarray(0)
    indices = _stable(xp, self, dim, descending)
    values = xp.take_along_axis(self, indices, axis=dim)
    if stable or _sorted_stably(self, dim, descending):
        return values, indices
    ranks, equal = _ranks(indices, values, dim)
    if not equal.any():
        return values, indices
    rows = equal.any(dim)
    if np.count_nonzero(rows) * self.shape[dim] < MANY:
        indices = _each_row(introsort.sort, indices, ranks, rows, dim)
    else:
        np.moveaxis(indices, dim, -1)[rows] = introsort_of_rows.places(np.moveaxis(ranks, dim, -1)[rows])
    return xp.take_along_axis(self, indices, axis=dim), indices


@op("TopkBackward0", kind="reduction", dtypes="number", outputs=("values", "indices"))
def topk(xp, self, *, k, dim, largest=True, sorted=True):
    if not self.ndim:
        return sort.value(xp, self, dim=dim)
    order = _stable(xp, self, dim, largest)
    indices = order[_at(dim, slice(k))]
    if isinstance(self, np.ndarray) and k:
        ranks, equal = _ranks(order, np.take_along_axis(self, order, dim), dim)
        rows = equal[_at(dim, slice(k))].any(dim) | (not sorted)
        if rows.any():
            indices = _each_row(lambda row: introsort.smallest(row, k, sorted), indices, ranks, rows, dim)
    return xp.take_along_axis(self, indices, axis=dim), indices


for ordering in (sort, topk):
    ordering.slope(
        self=lambda F, grad, indices, self_sizes, dim: F.gather_backward(grad, indices, size=self_sizes, dim=dim)
    )
note(sort, topk, gives=PLACES)
note(sort, forms="several")
note(topk, refusal="topk does not support bool dtypes on CPU")
twin(sort, "sort_stable", "SortBackward1")  # for calls with `stable=`, also with False

# -- softmax and its relatives ------------------------------------------------------------------


def _shifted(xp, self, dim):
    """`self` minus its maximum along `dim`: that changes no softmax, and exp can't overflow."""
    return self - xp.max(self, axis=_along(self, dim), keepdims=True) if self.size else self


@op("SoftmaxBackward0", kind="reduction", dtypes="floating")
def softmax(xp, self, *, dim):
    weights = xp.exp(_shifted(xp, self, dim))
    return weights / backend.total(xp, weights, axis=_along(self, dim), keepdims=True)


softmax.slope(
    self=lambda F, grad, result, dim: result * (grad - F.sum_dim(grad * result, dim=_along(grad, dim), keepdim=True))
)
note(softmax, tensorflow="Softmax", kernel=words.softmax_kernel, out="in its type")


@op("LogSoftmaxBackward0", kind="reduction", dtypes="floating")
def log_softmax(xp, self, *, dim):
    shifted = _shifted(xp, self, dim)
    return shifted - xp.log(backend.total(xp, xp.exp(shifted), axis=_along(self, dim), keepdims=True))


log_softmax.slope(
    self=lambda F, grad, result, dim: grad - F.exp(result) * F.sum_dim(grad, dim=_along(grad, dim), keepdim=True)
)
note(log_softmax, tensorflow="LogSoftmax", kernel=words.softmax_kernel, out="in its type")


@op("LogsumexpBackward0", kind="reduction", dtypes="float")
def logsumexp(xp, self, *, dim, keepdim=False):
    top = xp.max(self, axis=dim, keepdims=True) if self.size else backend.total(xp, self, axis=dim, keepdims=True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    out = xp.log(backend.total(xp, xp.exp(self - top), axis=dim, keepdims=True)) + top
    return out if keepdim else xp.squeeze(out, axis=dim)


logsumexp.slope(
    self=lambda F, grad, self, result, dim, keepdim: (
        _restore(F, grad, dim, keepdim) * F.exp(self - _restore(F, result, dim, keepdim))
    )
)
note(logsumexp, tensorflow="LogSumExp")
