"""Indexing, and operators that add numbers at given indices. Each is the slope of the other.

`indices` is a tuple that NumPy accepts, with integer or boolean arrays. Imports rules, backend, ops/note.py,
ops/sizes.py and ops/standard.py.
Read next: ops/selection.py.
"""

from .._machine.backend import scatter_add as _scatter_add
from ..core.rules import op
from .note import note
from .sizes import as_given, looked_up_size, same
from .standard import enter, twin
from .words import looked_up, put


@op("IndexBackward0", kind="shape", dtypes="keep")
def index(xp, self, *, indices):
    try:
        found = self[indices]
        # NumPy may use another order of the axes, and its strides differ for axes of size one
        return found.copy() if 1 in found.shape and getattr(found, "base", None) is not None else found
    except IndexError:
        size = looked_up_size(self.shape, indices)
        if 0 not in size:
            raise
        return xp.zeros(size, dtype=self.dtype)  # the result is empty, so no index is out of range


index.slope(self=lambda F, grad, self_sizes, indices: F.index_backward(grad, size=self_sizes, indices=indices))
note(index, words=looked_up)


@op("IndexBackwardBackward0", kind="shape", dtypes="keep")
def index_backward(xp, self, *, size, indices):
    """Zeros of `size` with `self` added at `indices`."""
    out = xp.zeros(size, dtype=self.dtype)
    return _scatter_add(xp, out, indices, self) if self.size else out


index_backward.slope(self=lambda F, grad, indices: F.index(grad, indices=indices))
note(index_backward, shape=as_given)


@op("IndexPutBackward0", kind="shape", dtypes="keep")
def index_put(xp, self, values, *, indices, accumulate=False):
    if accumulate:
        return _scatter_add(xp, self, indices, values)
    out = xp.asarray(self, copy=True)
    try:
        out[indices] = values
    except IndexError:
        if 0 not in looked_up_size(self.shape, indices):
            raise
    return out


index_put.slope(
    self=lambda F, grad, indices, accumulate, values_sizes: (
        grad if accumulate else F.index_put(grad, F.zeros_like(F.index(grad, indices=indices)), indices=indices)
    ),
    values=lambda F, grad, indices: F.index(grad, indices=indices),
)
note(index_put, shape=same)


@op("MaskedSelectBackward0", kind="shape", dtypes="keep")
def masked_select(xp, self, mask):
    return self[mask]


masked_select.slope(self=lambda F, grad, self, mask: F.masked_place(grad, mask))  # PyTorch saves self for its size
note(masked_select, shape=lambda dims, mask: (None,))


@op("MaskedSelectBackwardBackward0", kind="shape", dtypes="keep")
def masked_place(xp, self, mask):
    """Zeros of the size of `mask` with `self` where it is True."""
    out = xp.zeros(mask.shape, dtype=self.dtype)
    out[mask] = self
    return out


masked_place.slope(self=lambda F, grad, mask: F.masked_select(grad, mask))
note(masked_place, shape=lambda dims, mask: mask)


def _along(xp, index, dim):
    """Index arrays for every axis: `index` along `dim`, and each element's own position along the other axes."""
    if not index.ndim:
        return (index,)
    one = (1,) * index.ndim
    return tuple(
        index if d == dim else xp.reshape(xp.arange(n), (*one[:d], n, *one[d + 1 :])) for d, n in enumerate(index.shape)
    )


@op("GatherBackward0", kind="shape", dtypes="keep")
def gather(xp, self, index, *, dim):
    return self[_along(xp, index, dim)] if self.ndim else xp.reshape(self, (1,))[index]


gather.slope(  # PyTorch also saves self, for its size
    self=lambda F, grad, self, index, self_sizes, dim: F.gather_backward(grad, index, size=self_sizes, dim=dim)
)
note(gather, tensorflow="GatherAlong", shape=lambda dims, index, dim: index)


@op("GatherBackwardBackward0", kind="shape", dtypes="keep")
def gather_backward(xp, self, index, *, size, dim):
    """Zeros of `size` with `self` added at `index` along `dim`."""
    if not size:
        return xp.sum(self)
    return _scatter_add(xp, xp.zeros(size, dtype=self.dtype), _along(xp, index, dim), self)


gather_backward.slope(self=lambda F, grad, index, dim: F.gather(grad, index, dim=dim))
note(gather_backward, shape=as_given)


@op("ScatterAddBackward0", kind="shape", dtypes="keep")
def scatter_add(xp, self, index, src, *, dim):
    if not self.ndim:
        return self + xp.sum(src, dtype=self.dtype)
    places, kind = _along(xp, index, dim), self.dtype
    if str(kind) == "float16":  # PyTorch adds float16 in float32, here but not in `index_add`
        self = xp.astype(self, xp.float32)
    return xp.astype(_scatter_add(xp, self, places, src[tuple(slice(n) for n in index.shape)]), kind, copy=False)


scatter_add.slope(
    self=lambda F, grad: grad,
    src=lambda F, grad, index, src_sizes, dim: F.constant_pad(
        F.gather(grad, index, dim=dim),
        margins=[(0, n - m) for n, m in zip(src_sizes[::-1], index.shape[::-1], strict=True)],
    ),
)
note(scatter_add, shape=same)


@op("IndexSelectBackward0", kind="shape", dtypes="keep")
def index_select(xp, self, index, *, dim):
    return xp.take(self, index, axis=dim) if self.ndim else xp.asarray(self, copy=True)


index_select.slope(
    self=lambda F, grad, index, self_sizes, dim: F.index_select_backward(grad, index, size=self_sizes, dim=dim)
)


@op("IndexAddBackward0", kind="shape", dtypes="keep")
def index_select_backward(xp, self, index, *, size, dim):
    """Zeros of `size` with the parts of `self` added at `index` along `dim`."""
    return index_add.value(xp, xp.zeros(size, dtype=self.dtype), index, self, dim=dim)


index_select_backward.slope(self=lambda F, grad, index, dim: F.index_select(grad, index, dim=dim))
note(index_select_backward, shape=as_given)


@op("IndexAddBackward0", kind="shape", dtypes="keep")
def index_add(xp, self, index, source, *, dim, alpha=1):
    source = source if alpha == 1 else source * alpha
    return _scatter_add(xp, self, (slice(None),) * dim + (index,) if self.ndim else (...,), source)


def _added(F, grad, index, source, dim, alpha):  # of the saved source, only its version is checked
    picked = F.index_select(grad, index, dim=dim)
    return picked if alpha == 1 else picked * alpha


index_add.slope(
    self=lambda F, grad: grad,
    source=_added,
)
note(index_add, shape=same)

# The same rows under other names, which the nodes of scatter, index_copy, masked_scatter and take have
twin(index_put, "scatter_put", "ScatterBackward0")
twin(index_put, "index_copy_put", "IndexCopyBackward0")
twin(index_put, "masked_scatter_put", "MaskedScatterBackward0")
twin(index, "take_index", "TakeBackward0")
note(index_put, in_order="as given", words=put)  # only for this row, not for its twins


def _enter_scattered_extreme(name, function):
    """Enter scatter_reduce with amax, or amin: equal extremes at one place share its gradient evenly."""

    def value(xp, self, index, src, *, dim):
        if not self.ndim:
            return getattr(xp, function)(self, src)
        out = self.copy()
        getattr(xp, function).at(out, _along(xp, index, dim), src[tuple(slice(n) for n in index.shape)])
        return out

    def winners(F, grad, self, index, src, result, dim):
        """The share of the gradient for each extreme at a place; a mask of the extremes in `self`, and one of those in
        `src`."""
        there = F.where(self == result, 1.0, F.zeros_like(grad))
        arrived = F.where(src == F.gather(result, index, dim=dim), 1.0, F.zeros_like(src))
        return grad / F.scatter_add(there, index, arrived, dim=dim), there, arrived

    def self_slope(F, grad, self, index, src, result, dim):
        share, there, _ = winners(F, grad, self, index, src, result, dim)
        return share * there

    def src_slope(F, grad, self, index, src, result, dim):
        share, _, arrived = winners(F, grad, self, index, src, result, dim)
        return F.gather(share, index, dim=dim) * arrived

    rule = enter(value, f"scatter_{name}", "ScatterReduceBackward0", kind="shape", dtypes="keep", shape=same)
    rule.slope(self=self_slope, src=src_slope)


_enter_scattered_extreme("amax", "maximum")
_enter_scattered_extreme("amin", "minimum")
