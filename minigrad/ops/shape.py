"""Operators that rearrange numbers: views, and operators that must copy (cat, stack, flip, repeat …).

The rules of kind "view" return a view of the same memory; _engine/views.py keeps track of views.
Callers replace negative axes and sizes of -1.
Imports backend, rules, ops/note.py, ops/sizes.py and ops/standard.py. Read next: ops/indexing.py.
"""

from numpy import ndarray
from numpy.lib.stride_tricks import sliding_window_view

from .._machine import backend
from ..core.rules import TABLE, op
from . import words
from .note import note
from .sizes import (
    as_given,
    concatenated,
    permuted,
    reshaped,
    same,
    sliced,
    squeezed,
    stacked,
    tiled,
    transposed,
    unit_squeezed,
    unsqueezed,
)
from .standard import twin

WHOLE = (slice(None),)


@op("ViewBackward0", kind="view", dtypes="keep")
def view(xp, self, *, size):
    return xp.reshape(self, size)


view.slope(self=lambda F, grad, self_sizes: F.reshape_to(grad, size=self_sizes))
note(view, shape=reshaped)


@op("UnsafeViewBackward0", kind="shape", dtypes="keep")
def reshape_to(xp, self, *, size):
    """`reshape` that may copy; its result is not a view."""
    return xp.reshape(self, size)


reshape_to.slope(self=lambda F, grad, self_sizes: F.reshape_to(grad, size=self_sizes))
note(reshape_to, tensorflow="Reshape", shape=reshaped, text="{0}.reshape({size})", dense=True)


@op("AliasBackward0", kind="view", dtypes="keep")
def alias(xp, self):
    return self[...]


alias.slope(self=lambda F, grad: grad)
note(alias, shape=same)


@op("TBackward0", kind="view", dtypes="keep")
def t(xp, self):
    return self.T if self.ndim == 2 else self


t.slope(self=lambda F, grad: F.t(grad))
note(
    t,
    letters=("gradient, transposed",),
    tensorflow="Transpose",
    shape=lambda dims: None if dims is None else dims[::-1],
    text="{0}.T",
)


@op("TransposeBackward0", kind="view", dtypes="keep")
def transpose(xp, self, *, dim0, dim1):
    dims = list(range(self.ndim))
    if dims:
        dims[dim0], dims[dim1] = dim1, dim0
    return xp.permute_dims(self, tuple(dims))


transpose.slope(self=lambda F, grad, dim0, dim1: F.transpose(grad, dim0=dim0, dim1=dim1))
note(transpose, tensorflow="Transpose", shape=transposed)


@op("PermuteBackward0", kind="view", dtypes="keep")
def permute(xp, self, *, dims):
    return xp.permute_dims(self, dims)


permute.slope(self=lambda F, grad, dims: F.permute(grad, dims=tuple(dims.index(d) for d in range(len(dims)))))
note(permute, tensorflow="Transpose", shape=permuted, text="{0}.transpose({dims})")


@op("UnsqueezeBackward0", kind="view", dtypes="keep")
def unsqueeze(xp, self, *, dim):
    return backend.expand_dims(xp, self, dim)


unsqueeze.slope(self=lambda F, grad, dim: F.squeeze_dim(grad, dim=(dim,)))
note(unsqueeze, tensorflow="ExpandDims", shape=unsqueezed, dense=True)


@op("SqueezeBackward0", kind="view", dtypes="keep")
def squeeze(xp, self):
    return xp.squeeze(self, axis=tuple(d for d, n in enumerate(self.shape) if n == 1))


@op("SqueezeBackward1", kind="view", dtypes="keep")
def squeeze_dim(xp, self, *, dim):
    return xp.squeeze(self, axis=tuple(d for d in dim if self.shape[d] == 1))


for squeezing in (squeeze, squeeze_dim):
    squeezing.slope(  # if no axis was removed, the gradient itself and not a view of it
        self=lambda F, grad, self_sizes: grad if len(grad.shape) == len(self_sizes) else F.view(grad, size=self_sizes)
    )
    note(squeezing, shape=squeezed)
note(squeeze, forms="several")
twin(view, "reshape_alias", "ReshapeAliasBackward0")
twin(squeeze_dim, "squeeze_dims", "SqueezeBackward2")
twin(squeeze_dim, "squeeze_last", "SqueezeBackward4")  # the last step of `vector @ matrix`, and of `x.squeeze_(dim)`
note(squeeze_dim, tensorflow="Squeeze", shape=unit_squeezed, dense=True)  # in a graph, only axes of length 1

for changing, name, node_name in (  # changes of a tensor's shape in place
    (t, "t_", "TBackward1"),
    (transpose, "transpose_", "TransposeBackward1"),
    (unsqueeze, "unsqueeze_", "UnsqueezeBackward1"),
    (squeeze, "squeeze_", "SqueezeBackward3"),
    (TABLE["squeeze_dims"], "squeeze_dims_", "SqueezeBackward5"),
):
    twin(changing, name, node_name)


def _as_writeable(view, self):
    """A writeable view: NumPy makes some views read-only. PyTorch allows writing, or raises its own error."""
    if isinstance(view, ndarray):
        view.flags.writeable = self.flags.writeable
    return view


@op("ExpandBackward0", kind="view", dtypes="keep")
def expand(xp, self, *, size):
    return _as_writeable(backend.broadcast_to(xp, self, size), self)


expand.slope(self=lambda F, grad: grad)  # the engine sums over the expanded axes
note(expand, tensorflow="BroadcastTo", shape=as_given, text="spread({0}, {size})", words=words.spread)


def _placed(xp, self, size, view, **params):
    """Zeros of `size`, with `self` at the place of a view."""
    out = xp.zeros(size, dtype=self.dtype)
    view.value(xp, out, **params)[...] = self
    return out


@op("SelectBackward0", kind="view", dtypes="keep")
def select(xp, self, *, dim, index):
    return self[WHOLE * dim + (index, ...)]  # with the dots, NumPy returns a view even for a single number


select.slope(
    self=lambda F, grad, self_sizes, dim, index: F.select_backward(grad, size=self_sizes, dim=dim, index=index)
)
note(select, shape=lambda dims, dim, index: sliced(dims, (slice(None),) * dim + (index,)))


@op("SelectBackwardBackward0", kind="shape", dtypes="keep")
def select_backward(xp, self, *, size, dim, index):
    """Zeros of `size` with `self` at `index` of axis `dim`."""
    return _placed(xp, self, size, select, dim=dim, index=index)


select_backward.slope(self=lambda F, grad, dim, index: F.select(grad, dim=dim, index=index))
note(select_backward, shape=as_given)


@op("SliceBackward0", kind="view", dtypes="keep")
def slice_dim(xp, self, *, dim, start, stop, step=1):
    return self[(slice(None),) * dim + (slice(start, stop, step),)]


slice_dim.slope(
    self=lambda F, grad, self_sizes, dim, start, stop, step: F.slice_backward(
        grad, size=self_sizes, dim=dim, start=start, stop=stop, step=step
    )
)
note(
    slice_dim,
    shape=lambda dims, dim, start, stop, step: sliced(dims, (slice(None),) * dim + (slice(start, stop, step),)),
)


@op("SliceBackwardBackward0", kind="shape", dtypes="keep")
def slice_backward(xp, self, *, size, dim, start, stop, step):
    """Zeros of `size` with `self` in the slice."""
    return _placed(xp, self, size, slice_dim, dim=dim, start=start, stop=stop, step=step)


slice_backward.slope(
    self=lambda F, grad, dim, start, stop, step: F.slice_dim(grad, dim=dim, start=start, stop=stop, step=step)
)
note(slice_backward, shape=as_given)


@op("DiagonalBackward0", kind="view", dtypes="keep")
def diagonal(xp, self, *, offset=0, dim1=0, dim2=1):
    rest = tuple(d for d in range(self.ndim) if d not in (dim1, dim2))
    return _as_writeable(xp.linalg.diagonal(xp.permute_dims(self, (*rest, dim1, dim2)), offset=offset), self)


diagonal.slope(
    self=lambda F, grad, self_sizes, offset, dim1, dim2: F.diagonal_backward(
        grad, size=self_sizes, offset=offset, dim1=dim1, dim2=dim2
    )
)


@op("DiagonalBackwardBackward0", kind="shape", dtypes="keep")
def diagonal_backward(xp, self, *, size, offset, dim1, dim2):
    """Zeros of `size` with `self` on the diagonal."""
    return _placed(xp, self, size, diagonal, offset=offset, dim1=dim1, dim2=dim2)


diagonal_backward.slope(self=lambda F, grad, offset, dim1, dim2: F.diagonal(grad, offset=offset, dim1=dim1, dim2=dim2))
note(diagonal_backward, shape=as_given)


@op("UnfoldBackward0", kind="view", dtypes="keep")
def unfold(xp, self, *, dim, width, step):
    """Windows of length `width` along an axis, one every `step`, as a new last axis."""
    if not self.ndim:
        return self[None][:width]
    if isinstance(self, ndarray):
        windows = sliding_window_view(self, width, dim, writeable=self.flags.writeable)
        return windows[(slice(None),) * dim + (slice(None, None, step),)]
    starts = range(0, self.shape[dim] - width + 1, step)
    return xp.stack([_moved(xp, self, dim, start, width) for start in starts], axis=dim)


def _moved(xp, self, dim, start, width):
    return xp.moveaxis(self[(slice(None),) * dim + (slice(start, start + width), ...)], dim, -1)


def _unfold_slope(F, grad, self_sizes, dim, width, step):
    """Add each window's elements back to their places."""
    if not self_sizes:
        return F.sum(grad)
    last, count, total = len(grad.shape) - 1, grad.shape[dim], 0
    for i in range(width):
        part, stop = F.select(grad, dim=last, index=i), i + step * (count - 1) + 1
        total = total + F.slice_backward(part, size=self_sizes, dim=dim, start=i, stop=stop, step=step)
    return total


unfold.slope(self=_unfold_slope)

# -- several at once ----------------------------------------------------------------------------


@op("UnbindBackward0", kind="view", dtypes="keep", outputs=(), each=True)
def unbind(xp, self, *, dim=0):
    before = WHOLE * dim
    return tuple([self[(*before, i, ...)] for i in range(self.shape[dim])])


unbind.slope(self=lambda F, grad, dim: F.stack(*grad, dim=dim))
note(unbind, tensorflow="Unpack", needs_sizes="The number of parts must be known")


@op("SplitBackward0", kind="view", dtypes="keep", outputs=(), each=True)
def split(xp, self, *, sizes, dim=0):
    stops = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return tuple(self[(slice(None),) * dim + (slice(b - n, b), ...)] for b, n in zip(stops, sizes, strict=True))


split.slope(self=lambda F, grad, dim: F.cat(*grad, dim=dim))
note(
    split,
    tensorflow="Split",
    shape=lambda dims, sizes, dim: [None if dims is None else (*dims[:dim], n, *dims[dim + 1 :]) for n in sizes],
)
twin(split, "split_with_sizes", "SplitWithSizesBackward0")


@op("StackBackward0", kind="shape")
def stack(xp, *tensors, dim=0):
    return backend.stack(xp, tensors, dim)


stack.slope(tensors=lambda F, grad, i, dim: F.select(grad, dim=dim, index=i))
note(stack, tensorflow="Pack", shape=stacked, fresh=True, words=words.stacked)


@op("CatBackward0", kind="shape")
def cat(xp, *tensors, dim=0):
    return xp.concat(tensors, axis=dim)


def _cat_slope(F, grad, i, tensors_sizes, dim):
    start = sum(sizes[dim] for sizes in tensors_sizes[:i])
    return F.slice_dim(grad, dim=dim, start=start, stop=start + tensors_sizes[i][dim], step=1)


cat.slope(tensors=_cat_slope)
note(cat, tensorflow="ConcatV2", shape=concatenated, text="concatenate(({inputs}), {dim})", fresh=True)
note(cat, words=words.joined)

# -- copies -------------------------------------------------------------------------------------


@op("CloneBackward0", kind="shape", dtypes="keep")
def clone(xp, self):
    return xp.asarray(self, copy=True)


clone.slope(self=lambda F, grad: grad)
note(clone, shape=same, in_order="as given", out=False)


@op("CloneBackward0", kind="shape", dtypes="keep")
def contiguous(xp, self):
    """A copy with contiguous memory."""
    return xp.reshape(xp.asarray(xp.reshape(self, (-1,)), copy=True), self.shape)


contiguous.slope(self=lambda F, grad: grad)
note(contiguous, shape=same, in_order="as given")


@op("ToCopyBackward0", kind="shape", dtypes="keep")
def to_copy(xp, self, *, dtype):
    return backend.cast(xp, self, dtype)


to_copy.slope(self=lambda F, grad: grad)  # the engine casts it to the type of the input
note(to_copy, tensorflow="Cast", shape=same, text="{0}.astype({dtype})", fresh=True, in_order="as given")


@op("FlipBackward0", kind="shape", dtypes="keep")
def flip(xp, self, *, dims):
    return xp.asarray(xp.flip(self, axis=dims), copy=True)


flip.slope(self=lambda F, grad, dims: F.flip(grad, dims=dims))
note(flip, shape=same, in_order="as given", out=False)


@op("RollBackward0", kind="shape", dtypes="keep")
def roll(xp, self, *, shifts, dims=None):
    return xp.roll(self, shifts, axis=dims)


roll.slope(self=lambda F, grad, shifts, dims: F.roll(grad, shifts=_back(shifts), dims=dims))
note(roll, shape=same)


def _back(shifts):
    return tuple(-s for s in shifts) if isinstance(shifts, tuple) else -shifts


@op("RepeatBackward0", kind="shape", dtypes="keep")
def repeat(xp, self, *, repeats):
    return xp.tile(self, repeats)


def _repeat_slope(F, grad, self_sizes, repeats):
    """Split each axis of the gradient into (repeats, size), and sum over the repeats."""
    sizes = (1,) * (len(repeats) - len(self_sizes)) + tuple(self_sizes)
    pairs = tuple(n for pair in zip(repeats, sizes, strict=True) for n in pair)
    summed = F.sum_dim(F.reshape_to(grad, size=pairs), dim=tuple(range(0, len(pairs), 2)))
    return F.reshape_to(summed, size=self_sizes)


repeat.slope(self=_repeat_slope)
note(repeat, tensorflow="Tile", shape=tiled)


@op("TrilBackward0", kind="shape", dtypes="keep")
def tril(xp, self, *, diagonal=0):
    return xp.tril(self, k=diagonal)


tril.slope(self=lambda F, grad, diagonal: F.tril(grad, diagonal=diagonal))
note(tril, shape=same, underscore=True)


@op("TriuBackward0", kind="shape", dtypes="keep")
def triu(xp, self, *, diagonal=0):
    return xp.triu(self, k=diagonal)


triu.slope(self=lambda F, grad, diagonal: F.triu(grad, diagonal=diagonal))
note(triu, shape=same, underscore=True)


@op("ToCopyBackward0", kind="shape", dtypes="keep")
def to_device(xp, self, *, device, source):
    from .._machine.device import move  # imported here, because only this operator needs devices

    return move(self, device)


to_device.slope(self=lambda F, grad, device, source: F.to_device(grad, device=source, source=device))
note(to_device, shape=same, in_order="as given")
