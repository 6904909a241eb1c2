"""Elements written at indices, or read from them, along an axis: scatter, take, index_copy, repeat_interleave …

Each function is written once; named in the class below, it is a method too; overwriting.py adds underscore forms.
Imports operators, check, arguments and indexing. Read next: products.py.
"""

import numpy as np

from ..._call.arguments import takes_tensors
from ..._call.check import axis
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ...core.tensor import wrap
from ...ops.note import known
from .indexing import Indexing, _places
from .named import name_node, one_node

# -- take ------------------------------------------------------------------------------------------


@takes_tensors
@known(out=True)
def take(input, index):
    """The elements at these indices of the flattened tensor. Raises IndexError for an index out of range.

    >>> torch.take(torch.tensor([[10, 20], [30, 40]]), torch.tensor([3, 0]))
    tensor([40, 10])
    """
    if index._data.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {index.dtype.legacy}")
    n, places = input._data.size, index._data
    wrong = places[(places < -n) | (places >= n)]
    if wrong.size:
        raise IndexError(f"out of range: tried to access index {wrong.reshape(-1)[0]} on a tensor of {n} elements.")
    return _op["take_index"](input.reshape(-1), indices=(places.copy(),))


@takes_tensors
@known(out=True)
def take_along_dim(input, indices, dim=None):
    """`gather` whose sizes broadcast; without an axis, from the flattened tensor.

    >>> x = torch.tensor([[30, 10, 20]])
    >>> torch.take_along_dim(x, x.argsort(dim=1), dim=1)
    tensor([[10, 20, 30]])
    """
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    dim = axis(dim, input._data.ndim)
    wrapped = indices._data + (indices._data < 0) * (input._data.shape or (1,))[dim]  # negative ones count from the end
    indices = wrap(wrapped)
    if input._data.ndim != indices._data.ndim:
        raise RuntimeError(
            f"torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{input._data.ndim} dimensions for input, and {indices._data.ndim} dimensions for indices"
        )
    size = np.broadcast_shapes(*(x._data.shape[:dim] + (1,) + x._data.shape[dim + 1 :] for x in (input, indices)))
    wide = [x.expand(*size[:dim], x._data.shape[dim], *size[dim + 1 :]) for x in (input, indices)]
    return wide[0].gather(dim, wide[1])


@takes_tensors
def argwhere(input):
    """The indices of all elements that are not 0, one row each.

    >>> torch.argwhere(torch.tensor([[0, 5], [7, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    return Indexing.nonzero(input)


@takes_tensors
def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Repeat each slice this many times, with its copies next to each other; for `repeats` alone, the slices' numbers.

    >>> torch.repeat_interleave(torch.tensor([7, 8]), torch.tensor([2, 1]))
    tensor([7, 7, 8])
    """
    if repeats is None:
        return wrap(np.repeat(np.arange(len(input)), input._data))
    x = input.reshape(-1) if dim is None else input
    dim = 0 if dim is None else axis(dim, x._data.ndim)
    times = repeats._data if isinstance(repeats, TensorBase) else np.asarray(repeats)
    if times.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if (times < 0).any():
        raise RuntimeError("repeats can not be negative")
    if times.size != 1 and times.size != x._data.shape[dim]:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {times.size} and "
            f"input.size({dim}) = {x._data.shape[dim]}"
        )
    return x.index_select(dim, wrap(np.repeat(np.arange(x._data.shape[dim]), times)))


# -- put -------------------------------------------------------------------------------------------


@takes_tensors
@known(underscore=True)
def masked_scatter(input, mask, source):
    """A copy with the elements of `source`, in their order, where `mask` is True.

    >>> torch.masked_scatter(torch.zeros(3), torch.tensor([True, False, True]), torch.tensor([5.0, 6.0]))
    tensor([5., 0., 6.])
    """
    if mask._data.dtype != bool:
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {mask.dtype.legacy}")
    if source.dtype is not input.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{input.dtype.legacy} and {source.dtype.legacy}"
        )
    size = np.broadcast_shapes(input._data.shape, mask._data.shape)
    where = np.broadcast_to(mask._data, size).copy()
    count = int(where.sum())
    if source._data.size < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    return _op["masked_scatter_put"](input.expand(size), source.reshape(-1)[:count], indices=(where,))


@takes_tensors
@known(out=True, underscore=True)
def index_copy(input, dim, index, source):
    """A copy with the slices of `source` written at `index` along `dim`.

    >>> torch.index_copy(torch.zeros(3, 2), 0, torch.tensor([2]), torch.tensor([[5.0, 6.0]]))
    tensor([[0., 0.],
            [0., 0.],
            [5., 6.]])
    """
    dim = axis(dim, input._data.ndim)
    if index._data.dtype != np.int64:
        raise IndexError("index_copy_(): Expected a long tensor for index, but got " + index.dtype.legacy)
    if source.dtype is not input.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{input.dtype.legacy} and (source) {source.dtype.legacy}"
        )
    places = _settle(index._data.reshape(-1), (input._data.shape or (1,))[dim], dim)
    where = (*[slice(None)] * dim, places) if input._data.ndim else (...,)
    return _op["index_copy_put"](input, source, indices=where)


@takes_tensors
@one_node("IndexFillBackward0")
@known(out=True, underscore=True)
def index_fill(input, dim, index, value):
    """A copy with one number in the slices at `index` along `dim`.

    >>> torch.index_fill(torch.zeros(2, 3), 1, torch.tensor([0, 2]), -1)
    tensor([[-1.,  0., -1.],
            [-1.,  0., -1.]])
    """
    dim = axis(dim, input._data.ndim)
    size = [1] * max(input._data.ndim, 1)
    size[dim] = (input._data.shape or (1,))[dim]
    places = _settle(index._data, size[dim], dim)
    mask = np.zeros(size[dim], bool)
    mask[places] = True
    return input.masked_fill(wrap(mask.reshape(size if input._data.ndim else ())), value)


def _settle(places, n, dim):
    """A copy of the indices along an axis of length n; IndexError if one is out of range."""
    if places.size and not (-n <= places.min() and places.max() < n):
        wrong = places.min() if places.min() < -n else places.max()
        raise IndexError(f"index {wrong} is out of bounds for dimension {dim} with size {n}")
    return places.copy()


@takes_tensors
@known(out=True, underscore=True)
def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    """A copy with `src`, a tensor or a number, written at `index` along `dim`; added or multiplied, with `reduce`.

    Raises RuntimeError for indices out of range, and for another type.

    >>> classes = torch.tensor([[2], [0]])
    >>> torch.scatter(torch.zeros(2, 3), 1, classes, 1.0)  # one-hot rows
    tensor([[0., 0., 1.],
            [1., 0., 0.]])
    """
    src = value if src is None else src
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    number = not isinstance(src, TensorBase)
    if number:
        src = wrap(np.full(index._data.shape, src, input._data.dtype))
    dim = _places("scatter", input, dim, index, src)
    if reduce == "add":
        return _op["scatter_add"](input, index, src, dim=dim)
    src, indices = _paired(input, dim, index, src)
    if reduce == "multiply":  # PyTorch has no derivative for this either
        out = input._data.copy()
        np.multiply.at(out, indices, src._data)
        return wrap(out)
    out = _op["scatter_put"](input, src, indices=indices)
    if number:
        name_node(out, "ScatterBackward1")
    return out


def _paired(input, dim, index, src):
    """The part of `src` that `index` covers, and the index in `input` of each of its elements."""
    places = index._data.copy()
    if not places.ndim:
        return src, (...,)
    _settle(places, input._data.shape[dim], dim)
    others = np.meshgrid(*(np.arange(n) for n in places.shape), indexing="ij", sparse=True)
    part = src if src._data.shape == places.shape else src[tuple(slice(n) for n in places.shape)]
    return part, tuple(places if d == dim else other for d, other in enumerate(others))


@takes_tensors
@one_node("ScatterReduceBackward0")
@known(out=True, underscore=True)
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """Combine elements with the same index by "sum", "mean", "amax" or "amin", with the old element or without it.

    >>> torch.scatter_reduce(torch.zeros(2), 0, torch.tensor([0, 0, 1]), torch.tensor([1.0, 5.0, 3.0]), "amax")
    tensor([5., 3.])
    """
    if reduce not in ("sum", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    dim = _places("scatter_reduce", input, dim, index, src)
    hit = _op["scatter_add"](wrap(np.zeros_like(input._data)), index, wrap(np.ones_like(src._data)), dim=dim)
    if not include_self:
        nothing = {"amax": -np.inf, "amin": np.inf}.get(reduce, 0.0)
        if input._data.dtype == bool:
            nothing = reduce == "amin"
        elif input._data.dtype.kind != "f" and nothing:
            limits = np.iinfo(input._data.dtype)
            nothing = limits.min if reduce == "amax" else limits.max
        input = input.masked_fill(hit > 0, nothing)
    if reduce in ("amax", "amin"):
        return _op[f"scatter_{reduce}"](input, index, src, dim=dim)
    total = _op["scatter_add"](input, index, src, dim=dim)
    if reduce == "sum":
        return total
    count = (hit + bool(include_self)).clamp(min=1)
    return total / count if input._data.dtype.kind == "f" else total.div(count, rounding_mode="floor")


class Scattering(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    take, take_along_dim, argwhere, repeat_interleave = take, take_along_dim, argwhere, repeat_interleave
    masked_scatter, index_copy, index_fill = masked_scatter, index_copy, index_fill
    scatter, scatter_reduce = scatter, scatter_reduce


__all__ = [name for name in vars(Scattering) if name in globals() and name[0] != "_"]
