"""Functions of order: median, k-th smallest, most frequent; which elements occur, how often, and where.

Each function is written once; named in the class below, it is a method too.
Imports operators, check, arguments and reduction. Read next: shape.py.
"""

import math

import numpy as np

from ..._call.arguments import NUMBER, no_combination, no_tensor, takes_operands, takes_tensors, yes_or_no
from ..._call.check import as_int, axis
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._engine.switches import told
from ..._engine.views import own
from ..._machine.backend import SILENT
from ...core.tensor import wrap
from ...ops.note import known
from . import reduction
from .named import one_node
from .reduction import pair

# -- one of the elements -------------------------------------------------------------------------


@takes_tensors
@known(out=True)
def median(input, dim=None, keepdim=False):
    """The element in the middle, the lower of two; along `dim`, (values, indices). If any element is nan, so is it.

    >>> torch.median(torch.tensor([4, 1, 3, 2]))
    tensor(2)
    """
    return _median("median", input, dim, keepdim)


@takes_tensors
@known(out=True)
def nanmedian(input, dim=None, keepdim=False):
    """`median` of the elements that are not nan.

    >>> torch.nanmedian(torch.tensor([1.0, torch.nan, 3.0]))
    tensor(1.)
    """
    return _median("nanmedian", input, dim, keepdim)


def _median(name, input, dim, keepdim):
    yes_or_no(keepdim=keepdim)
    if dim is not None:
        return pair(name)(*_op[name + "_dim"](input, dim=_dim("median", input, dim), keepdim=keepdim))
    if keepdim:
        raise TypeError(f'{name}() missing 1 required positional arguments: "dim"')
    row = input.reshape(-1)
    if not input._data.size:  # nan, converted to this type as the processor does it
        row = _op["cat"](row, wrap(SILENT.run(np.full(1, np.nan).astype, input._data.dtype)), dim=0)
    if row._data.dtype == bool and not input._data.size:
        return own(row[0])
    return _op[name + "_all"](row, dim=0)[0]


def _dim(name, input, dim):
    """The axis; IndexError if its length is 0."""
    dim = axis(dim, input._data.ndim)
    if input._data.ndim and not input._data.shape[dim]:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    return dim


@takes_tensors
def mode(input, dim=-1, keepdim=False):
    """(values, indices) of the most frequent element along `dim`, the smallest if several are.

    >>> torch.mode(torch.tensor([5, 2, 5, 1])).values
    tensor(5)
    """
    yes_or_no(keepdim=keepdim)
    return pair("mode")(*_op["mode"](input, dim=_dim("mode", input, dim), keepdim=keepdim))


@takes_tensors
def kthvalue(input, k, dim=-1, keepdim=False):
    """(values, indices) of the k-th smallest element along `dim`, counted from 1.

    Raises RuntimeError if there are fewer than k elements.

    >>> torch.kthvalue(torch.tensor([30, 10, 20]), 2)
    torch.return_types.kthvalue(
    values=tensor(20),
    indices=tensor(2))
    """
    yes_or_no(keepdim=keepdim)
    dim, k = _dim("kthvalue", input, dim), as_int(k, "kthvalue(): argument 'k' must be int")
    if not 1 <= k <= (input._data.shape or (1,))[dim]:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    return pair("kthvalue")(*_op["kthvalue"](input, k=k, dim=dim, keepdim=keepdim))


@takes_tensors
@known(out=True, forms="several")
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The number below which a fraction `q` of the elements lies. A vector of fractions gives a new first axis.

    Raises RuntimeError for a fraction outside [0, 1].

    >>> torch.quantile(torch.tensor([0.0, 1.0, 2.0, 3.0]), torch.tensor([0.0, 0.5, 1.0]))
    tensor([0.0000, 1.5000, 3.0000])
    """
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@takes_tensors
@known(out=True, forms="several")
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """`quantile` of the elements that are not nan.

    >>> torch.nanquantile(torch.tensor([1.0, torch.nan, 3.0]), 0.5)
    tensor(2.)
    """
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


def _quantile(name, input, q, dim, keepdim, interpolation):
    if input._data.dtype not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not isinstance(q, TensorBase):
        if not 0 <= q <= 1:
            raise RuntimeError(f"{name}() q must be in the range [0, 1] but got {q:g}")
        q = wrap(np.asarray(q, input._data.dtype))
    elif q._data.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if q.dtype is not input.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}"
        )
    whole = dim is None or not input._data.ndim
    x = input.reshape(-1) if whole else input.movedim(axis(dim, input._data.ndim), -1)
    if not x._data.size:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    ordered = x.sort(-1)[0]
    missing = x.isnan().sum(-1, keepdim=True)
    ranks = q.reshape(-1) * (x._data.shape[-1] - 1 - (missing if name == "nanquantile" else missing * 0))
    lower = ranks.floor()
    share = {"linear": ranks - lower, "lower": 0.0, "higher": (ranks > lower).to(x.dtype), "midpoint": 0.5}
    if interpolation == "nearest":
        lower = ranks.round()
    if interpolation == "midpoint":
        share["midpoint"] = (ranks > lower) * 0.5
    places = [place.clamp(min=0).long() for place in (lower, ranks.ceil())]
    below, above = (ordered.gather(-1, place) for place in places)
    out = below if interpolation in ("lower", "nearest") else below + (above - below) * share[interpolation]
    if name == "quantile":
        out = out.masked_fill(missing > 0, float("nan"))
    out = out.movedim(-1, 0)
    if keepdim:
        out = out.reshape(-1, *[1] * input._data.ndim) if whole else out.unsqueeze(axis(dim, input._data.ndim) + 1)
    return out if q._data.ndim else own(_op["squeeze_last"](out, dim=(0,)))


# -- running results -----------------------------------------------------------------------------


@takes_tensors
def cumprod(input, dim, *, dtype=None):
    """Running products along `dim`. Integers and bools give int64.

    >>> torch.cumprod(torch.tensor([1, 2, 3, 4]), 0)
    tensor([ 1,  2,  6, 24])
    """
    input = input if dtype is None else input.to(dtype)
    out = _op["cumprod"](input, dim=axis(dim, input._data.ndim))
    return out if dtype is None else out.to(dtype)


@takes_tensors
def cummax(input, dim):
    """(values, indices) of the largest element so far along `dim`.

    >>> torch.cummax(torch.tensor([1, 3, 2, 5]), 0).values
    tensor([1, 3, 3, 5])
    """
    return pair("cummax")(*_op["cummax"](input, dim=axis(dim, input._data.ndim)))


@takes_tensors
def cummin(input, dim):
    """(values, indices) of the smallest element so far along `dim`.

    >>> torch.cummin(torch.tensor([4, 5, 2, 3]), 0).values
    tensor([4, 4, 2, 2])
    """
    return pair("cummin")(*_op["cummin"](input, dim=axis(dim, input._data.ndim)))


@takes_tensors
@known(out=True)
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Each element minus the one before it along `dim`, repeated `n` times.

    >>> torch.diff(torch.tensor([1, 4, 9, 16]))
    tensor([3, 5, 7])
    """
    if not input._data.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    dim = axis(dim, input._data.ndim)
    if n <= 0:
        if n:
            raise RuntimeError(f"order must be non-negative but got {n}")
        return input.clone()
    parts = [part for part in (prepend, input, append) if part is not None]
    for _ in range(n):
        whole = _op["cat"](*parts, dim=dim) if len(parts) > 1 else parts[0]
        size = whole._data.shape[dim]
        if not size:
            return whole
        later, sooner = whole.narrow(dim, 1, size - 1), whole.narrow(dim, 0, size - 1)
        parts = [later.logical_xor(sooner) if input._data.dtype == bool else later - sooner]
    return parts[0]


# -- variants of sums and extremes -----------------------------------------------------------------


@takes_tensors
@one_node("AminmaxBackward0")
@known(out=True)
def aminmax(input, *, dim=None, keepdim=False):
    """(min, max) of all elements, or along `dim`; ties share the gradient evenly.

    >>> torch.aminmax(torch.tensor([3.0, 1.0, 2.0]))
    torch.return_types.aminmax(
    min=tensor(1.),
    max=tensor(3.))
    """
    if dim is None and not input._data.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    dims = () if dim is None else dim
    return pair("aminmax", ("min", "max"))(reduction.amin(input, dims, keepdim), reduction.amax(input, dims, keepdim))


@takes_tensors
@one_node("VarMeanBackward0")
@known(forms="several")
def var_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """(variance, mean).

    >>> torch.var_mean(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    (tensor(1.6667), tensor(2.5000))
    """
    return _with_mean("var", input, dim, unbiased, keepdim, correction)


@takes_tensors
@one_node("StdMeanBackward0")
@known(forms="several")
def std_mean(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """(standard deviation, mean).

    >>> torch.std_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    return _with_mean("std", input, dim, unbiased, keepdim, correction)


def _with_mean(name, input, dim, unbiased, keepdim, correction):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if not input.is_floating_point():
        raise RuntimeError(f"{name}_mean only support floating point and complex dtypes")
    return getattr(reduction, name)(input, dim, unbiased, keepdim, correction=correction), input.mean(dim, keepdim)


@takes_tensors
@one_node("NansumBackward0")
@known(out="in its type")
def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum of the elements that are not nan.

    >>> torch.nansum(torch.tensor([1.0, torch.nan, 3.0]))
    tensor(4.)
    """
    yes_or_no(keepdim=keepdim)
    return input.where(~input.isnan(), input.new_zeros(())).sum(dim, keepdim, dtype=dtype)


@takes_tensors
@known(out=True)
def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean of the elements that are not nan.

    >>> torch.nanmean(torch.tensor([1.0, torch.nan, 3.0]))
    tensor(2.)
    """
    if input._data.dtype.kind != "f":
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {input.dtype.legacy}"
        )
    return nansum(input, dim, keepdim, dtype=dtype) / (~input.isnan()).sum(dim, keepdim)


@takes_tensors
def count_nonzero(input, dim=None):
    """The number of elements that are not 0, in total or along `dim`.

    >>> torch.count_nonzero(torch.tensor([[0, 1], [2, 3]]), dim=0)
    tensor([1, 2])
    """
    return _op["ne"](input, 0).sum(dim)


# -- which elements occur, and how often ----------------------------------------------------------


@takes_tensors
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """Each element that occurs (with `dim`, each slice), once, in rising order; indices and counts on request.

    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    found = np.unique(
        input._data, return_inverse=True, return_counts=True, axis=None if dim is None else axis(dim, input._data.ndim)
    )
    return told("unique", (input,), _listed(*found, return_inverse, return_counts))


@takes_tensors
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """`unique`, but only neighbours that are equal are merged, and the order is kept.

    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))
    tensor([1, 2, 1])
    """
    data = input._data.reshape(-1) if dim is None else np.moveaxis(input._data, axis(dim, input._data.ndim), 0)
    rows = data.reshape(len(data), math.prod(data.shape[1:]))
    starts = np.concatenate([np.ones(min(len(rows), 1), bool), (rows[1:] != rows[:-1]).any(1)])
    places = np.flatnonzero(starts)
    values = data[places] if dim is None else np.moveaxis(data[places], 0, axis(dim, input._data.ndim))
    inverse = np.cumsum(starts) - 1
    inverse = inverse.reshape(input._data.shape) if dim is None else inverse
    out = _listed(values, inverse, np.diff(np.append(places, len(rows))), return_inverse, return_counts)
    return told("unique_consecutive", (input,), out)


def _listed(values, inverse, counts, return_inverse, return_counts):
    out = [wrap(values), *[wrap(inverse)] * return_inverse, *[wrap(counts)] * return_counts]
    return out[0] if len(out) == 1 else tuple(out)


@takes_tensors
def bincount(input, weights=None, minlength=0):
    """How often each integer 0, 1, 2 … occurs; or the sum of its weights. Raises RuntimeError for negative ones.

    >>> torch.bincount(torch.tensor([0, 2, 2])), torch.bincount(torch.tensor([0, 2, 2]), torch.tensor([0.5, 1.0, 1.0]))
    (tensor([1, 0, 2]), tensor([0.5000, 0.0000, 2.0000]))
    """
    if input._data.dtype.kind in "fb":
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{input.dtype.legacy}'")
    if input._data.ndim != 1 or (input._data < 0).any():
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if weights is None:
        return told("bincount", (input,), wrap(np.bincount(input._data, minlength=minlength)))
    if weights._data.shape != input._data.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = np.float32 if weights._data.dtype == np.float32 else np.float64
    return told("bincount", (input, weights), wrap(np.bincount(input._data, weights._data, minlength).astype(kind)))


@takes_tensors
@known(out=True)
def histc(input, bins=100, min=0, max=0):
    """The number of elements in each of `bins` intervals between `min` and `max` (both 0: the input's extremes).

    >>> torch.histc(torch.tensor([0.0, 1.0, 1.0, 4.0]), bins=4)
    tensor([1., 2., 0., 1.])
    """
    if input._data.dtype.kind != "f":
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{input.dtype.legacy}'")
    if bins <= 0:
        raise RuntimeError("bins must be > 0")
    data = input._data
    if min == max and data.size:
        min, max = data.min(), data.max()
    if min == max:
        min, max = min - 1, max + 1
    if not (np.isfinite(min) and np.isfinite(max)):
        raise RuntimeError(f"torch.histc: range of [{min:g}, {max:g}] is not finite")
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    return told("histc", (input,), wrap(np.histogram(data, bins, (float(min), float(max)))[0].astype(data.dtype)))


@takes_tensors
@known(forms="several")
def histogram(input, bins=100, *, range=None, weight=None, density=False):
    """(hist, bin_edges): the number or the weight of the elements in each interval; a density, with `density`.

    >>> torch.histogram(torch.tensor([0.0, 1.0, 1.0, 4.0]), 2)
    torch.return_types.histogram(
    hist=tensor([3., 1.]),
    bin_edges=tensor([0., 2., 4.]))
    """
    if isinstance(bins, bool):
        raise no_combination("histogram", input, bins)
    if not input.is_floating_point():
        raise NotImplementedError(f"\"histogramdd\" not implemented for '{input.dtype.legacy}'")
    if isinstance(bins, TensorBase) and bins.dtype is not input.dtype:
        raise RuntimeError(
            "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
            f"{input.dtype.c_name} and bins for dimension 0 with dtype {bins.dtype.c_name}"
        )
    low, high = range or (input._data.min(), input._data.max())
    low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
    edges = bins._data if isinstance(bins, TensorBase) else np.linspace(low, high, bins + 1)
    weights = None if weight is None else weight._data
    hist, _ = np.histogram(input._data, edges, weights=weights, density=density)
    kind = input._data.dtype
    return pair("histogram", ("hist", "bin_edges"))(wrap(hist.astype(kind)), wrap(np.asarray(edges, kind)))


@takes_operands
@known(out=True, forms="several")
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    """The index where each number would be inserted into a rising sequence (the last axis), before or after equal ones.

    >>> rising = torch.tensor([1, 3, 5])
    >>> torch.searchsorted(rising, torch.tensor([3, 4])), torch.searchsorted(rising, 3, right=True)
    (tensor([1, 2]), tensor(2))
    """
    if not isinstance(input, TensorBase | NUMBER):
        raise no_tensor("searchsorted", "input", 2, input)
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    side = side or ("right" if right else "left")
    rows = sorted_sequence._data if sorter is None else np.take_along_axis(sorted_sequence._data, sorter._data, -1)
    wanted = input._data if isinstance(input, TensorBase) else np.asarray(input)
    if rows.ndim == 1:
        found = np.searchsorted(rows, wanted, side)
    else:
        if rows.shape[:-1] != wanted.shape[:-1]:
            raise RuntimeError(
                "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
                "boundaries tensor and input value tensor must match, but we got boundaries tensor "
                f"{list(rows.shape)} and input value tensor {list(wanted.shape)}"
            )
        found = np.zeros(wanted.shape, np.int64)
        for place in np.ndindex(rows.shape[:-1]):
            found[place] = np.searchsorted(rows[place], wanted[place], side)
    out = wrap(np.asarray(found, np.int32 if out_int32 else np.int64))
    return told("searchsorted", (sorted_sequence, input), out)


@takes_operands
@known(out=True)
def bucketize(input, boundaries, *, out_int32=False, right=False):
    """The number of the interval between rising boundaries that contains each element.

    >>> torch.bucketize(torch.tensor([1, 5, 10]), torch.tensor([3, 6]))
    tensor([0, 1, 2])
    """
    if boundaries._data.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries._data.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


class Order(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    median, nanmedian, mode, kthvalue, quantile, nanquantile = median, nanmedian, mode, kthvalue, quantile, nanquantile
    cumprod, cummax, cummin, diff, aminmax = cumprod, cummax, cummin, diff, aminmax
    nansum, nanmean, count_nonzero = nansum, nanmean, count_nonzero
    unique, unique_consecutive, bincount = unique, unique_consecutive, bincount
    histc, histogram = histc, histogram


__all__ = ["var_mean", "std_mean", "searchsorted", "bucketize"]
__all__ += [name for name in vars(Order) if name in globals() and name[0] != "_"]
