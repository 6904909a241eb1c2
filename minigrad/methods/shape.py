"""Shapes: views, joins and copies. Sizes and axes are settled here before a rule sees them.

Imports dispatch and check. Read next: methods/indexing.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..check import axes, axis, fill_in, sizes
from ..compiled import OPERATORS
from ..storage import TensorBase

_op = OPERATORS


def _same_memory(array: Any, size: tuple[int, ...]) -> bool:
    """Can `array` be seen with another size without moving a number?"""
    if not isinstance(array, np.ndarray) or array.flags.c_contiguous:
        return True
    return not array.size or np.may_share_memory(array, array.reshape(size))


def _matrix(self: Any, name: str) -> Any:
    """`self`, if it has rows and columns."""
    if self._data.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return self


class Shape(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def view(self: Any, *size: Any) -> Any:
        """The same memory with another size (one -1 is worked out)."""
        size = fill_in(sizes(size, "view"), self._data.size)
        if not _same_memory(self._data, size):
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
                "two contiguous subspaces). Use .reshape(...) instead."
            )
        return _op["view"](self, size=size)

    def reshape(self: Any, *shape: Any) -> Any:
        """Another size: a view where the memory allows it, else a copy."""
        size = fill_in(sizes(shape, "reshape", "shape"), self._data.size)
        if _same_memory(self._data, size):
            return _op["view"](self, size=size)
        return _op["reshape_to"](self.clone(), size=size)

    def view_as(self: Any, other: Any) -> Any:
        """A view with the size of `other`."""
        return self.view(other.size())

    def reshape_as(self: Any, other: Any) -> Any:
        """`self` with the size of `other`."""
        return self.reshape(other.size())

    def flatten(self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
        """The axes from `start_dim` to `end_dim` made one."""
        shape = self._data.shape
        start, end = axis(start_dim, len(shape)), axis(end_dim, len(shape))
        if start > end:
            raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
        if not shape:
            return self.reshape(1)
        if start == end:
            return self
        return self.reshape(*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])

    def unflatten(self: Any, dim: int, sizes: tuple[int, ...]) -> Any:
        """One axis made several."""
        dim = axis(dim, self._data.ndim)
        shape = self._data.shape
        return self.view(*shape[:dim], *fill_in(tuple(sizes), shape[dim]), *shape[dim + 1 :])

    def t(self: Any) -> Any:
        """The transpose of a matrix; a vector stays itself."""
        if self._data.ndim > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self._data.ndim}D")
        return _op["t"](self)

    @property
    def T(self: Any) -> Any:
        """The axes in reverse order; for a matrix its transpose."""
        return _op["permute"](self, dims=tuple(reversed(range(self._data.ndim))))

    @property
    def mT(self: Any) -> Any:
        """The last two axes exchanged."""
        return self.transpose(-2, -1)

    def transpose(self: Any, dim0: int, dim1: int) -> Any:
        """Two axes exchanged."""
        n = self._data.ndim
        return _op["transpose"](self, dim0=axis(dim0, n), dim1=axis(dim1, n))

    swapaxes = transpose

    def permute(self: Any, *dims: Any) -> Any:
        """The axes in the order given."""
        wanted = sizes(dims, "permute", "dims")
        n = self._data.ndim
        if len(wanted) != n:
            raise RuntimeError(
                f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                f"desired ordering of dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(wanted)}"
            )
        order = tuple(axis(d, n) for d in wanted)
        if len(set(order)) != n:
            raise RuntimeError("permute(): duplicate dims are not allowed.")
        return _op["permute"](self, dims=order)

    def movedim(self: Any, source: Any, destination: Any) -> Any:
        """Axes moved to new places; the others keep their order."""
        n = self._data.ndim
        source = list(source) if isinstance(source, tuple | list) else [source]
        destination = list(destination) if isinstance(destination, tuple | list) else [destination]
        if len(source) != len(destination):
            raise RuntimeError(
                f"movedim: Invalid source or destination dims: source ({source} dims) should contain the same number "
                f"of dims as destination ({destination} dims)"
            )
        src, dst = [axis(d, n) for d in source], [axis(d, n) for d in destination]
        for name, given, dims in (("source", source, src), ("destination", destination, dst)):
            if len(set(dims)) != len(dims):
                raise RuntimeError(f"movedim: repeated dim in `{name}` ({given})")
        order = [d for d in range(n) if d not in src]
        for to, d in sorted(zip(dst, src, strict=True)):
            order.insert(to, d)
        return _op["permute"](self, dims=tuple(order))

    def unsqueeze(self: Any, dim: int) -> Any:
        """A new axis of length 1 at `dim`."""
        n = self._data.ndim + 1
        if not -n <= dim < n:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
        return _op["unsqueeze"](self, dim=dim % n)

    def squeeze(self: Any, dim: Any = None) -> Any:
        """Without the axes of length 1: all of them, or those named."""
        if dim is None:
            return _op["squeeze"](self)
        name = "squeeze_dims" if isinstance(dim, tuple | list) else "squeeze_dim"
        return _op[name](self, dim=axes(dim, self._data.ndim) if self._data.ndim and dim != () else ())

    def expand(self: Any, *size: Any) -> Any:
        """Axes of length 1 spread out without copying; -1 keeps an axis as it is."""
        shape, wanted = self._data.shape, sizes(size, "expand")
        lead = len(wanted) - len(shape)
        if lead < 0:
            raise RuntimeError(
                f"expand(torch.{self.dtype.legacy}Tensor{{{list(shape)}}}, size={list(wanted)}): the number of sizes "
                f"provided ({len(wanted)}) must be greater or equal to the number of dimensions in the tensor "
                f"({len(shape)})"
            )
        if -1 in wanted[:lead]:
            raise RuntimeError(
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
                f"{wanted.index(-1)}"
            )
        return _op["expand"](self, size=tuple(shape[i - lead] if n == -1 else n for i, n in enumerate(wanted)))

    def expand_as(self: Any, other: Any) -> Any:
        """Expanded to the size of `other`."""
        return self.expand(other.size())

    def broadcast_to(self: Any, size: Any) -> Any:
        """Expanded to `size`, as broadcasting would."""
        return self.expand(size)

    def narrow(self: Any, dim: int, start: int, length: int) -> Any:
        """`length` places along `dim`, from `start` on."""
        if not self._data.ndim:
            raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
        if isinstance(start, TensorBase) and (start._data.ndim or start._data.dtype.kind not in "iu"):
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        dim = axis(dim, self._data.ndim)
        n = self._data.shape[dim]
        given = start = int(start)
        start = start + n if start < 0 else start
        if not 0 <= start <= n:
            raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {given})")
        if length < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        if start + length > n:
            raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
        return _op["slice_dim"](self, dim=dim, start=start, stop=start + length, step=1)

    def select(self: Any, dim: int, index: int) -> Any:
        """One place along `dim`; the axis goes away."""
        if not self._data.ndim:
            raise IndexError("select() cannot be applied to a 0-dim tensor.")
        dim = axis(dim, self._data.ndim)
        n = self._data.shape[dim]
        if not -n <= index < n:
            raise IndexError(
                f"select(): index {index} out of range for tensor of size {list(self._data.shape)} at dimension {dim}"
            )
        return _op["select"](self, dim=dim, index=int(index) % n)

    def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
        """The elements on a diagonal of two axes, as a last axis."""
        n = self._data.ndim
        first, second = axis(dim1, n), axis(dim2, n)
        if first == second:
            raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
        return _op["diagonal"](self, offset=offset, dim1=first, dim2=second)

    def unbind(self: Any, dim: int = 0) -> tuple[Any, ...]:
        """The slices along `dim`, one tensor each."""
        if not self._data.ndim:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        dim = axis(dim, self._data.ndim)
        return _op["unbind"](self, dim=dim) if self._data.shape[dim] else ()

    def split(self: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
        """Pieces of one length (the last may be shorter), or of the lengths given."""
        if not self._data.ndim:
            raise RuntimeError("split expects at least a 1-dimensional tensor")
        dim = axis(dim, self._data.ndim)
        n = self._data.shape[dim]
        lengths = split_size_or_sections
        if isinstance(lengths, int):
            if lengths < 0:
                raise RuntimeError(f"split expects split_size be non-negative, but got split_size={lengths}")
            if not lengths and n:
                raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
            lengths = [min(lengths, n - i) for i in range(0, n, lengths or 1)] or [0]
            return _op["split"](self, sizes=tuple(lengths), dim=dim)
        if sum(lengths) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), "
                f"but got split_sizes={list(lengths)}"
            )
        return _op["split_with_sizes"](self, sizes=tuple(lengths), dim=dim)

    def chunk(self: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
        """So many pieces of about equal length."""
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        if not self._data.ndim:
            raise RuntimeError("chunk expects at least a 1-dimensional tensor")
        n = self._data.shape[axis(dim, self._data.ndim)]
        return self.split(max(-(-n // chunks), 1), dim)

    def flip(self: Any, *d: Any, dims: Any = ()) -> Any:
        """The order along some axes reversed (a copy)."""
        wanted = sizes(d or (dims,), "flip", "dims")
        return _op["flip"](self, dims=axes(wanted, self._data.ndim) if wanted else ())

    def roll(self: Any, shifts: Any, dims: Any = None) -> Any:
        """Elements moved along axes; what falls off comes in at the other end."""
        shifts = tuple(shifts) if isinstance(shifts, tuple | list) else (shifts,)
        dims = () if dims is None else tuple(dims) if isinstance(dims, tuple | list) else (dims,)
        if not shifts:
            raise RuntimeError("`shifts` required")
        if not dims and len(shifts) == 1:  # as if all elements lay in a row
            return _op["roll"](self, shifts=shifts[0])
        if len(shifts) != len(dims):
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
        if not self._data.ndim:
            raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
        return _op["roll"](self, shifts=shifts, dims=tuple(axis(d, self._data.ndim) for d in dims))

    def repeat(self: Any, *repeats: Any) -> Any:
        """Copies side by side, so many along each axis."""
        times = sizes(repeats, "repeat", "repeats")
        if len(times) < self._data.ndim:
            raise RuntimeError(
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
            )
        return _op["repeat"](self, repeats=times)

    def tril(self: Any, diagonal: int = 0) -> Any:
        """The lower triangle; zeros above."""
        return _op["tril"](_matrix(self, "tril"), diagonal=diagonal)

    def triu(self: Any, diagonal: int = 0) -> Any:
        """The upper triangle; zeros below."""
        return _op["triu"](_matrix(self, "triu"), diagonal=diagonal)

    def clone(self) -> Any:
        """A copy with memory of its own; gradients flow through it."""
        return _op["clone"](self)

    def contiguous(self: Any) -> Any:
        """`self` if its elements lie in memory in order, else a copy in which they do."""
        return self if self.is_contiguous() else _op["contiguous"](self)

    def is_contiguous(self) -> bool:
        """Do the elements lie in memory in order?"""
        return bool(self._data.flags.c_contiguous)


# -- several tensors into one --------------------------------------------------------------------


def _listed(tensors: Any, name: str) -> tuple[Any, ...]:
    if isinstance(tensors, TensorBase) or not hasattr(tensors, "__iter__"):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
        )
    tensors = tuple(tensors)
    if not tensors:
        if name == "stack":
            raise RuntimeError("stack expects a non-empty TensorList")
        raise ValueError(f"torch.{name}(): expected a non-empty list of Tensors")
    for i, t in enumerate(tensors):
        if not isinstance(t, TensorBase):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(t).__name__}")
    return tensors


def stack(tensors: Any, dim: int = 0) -> Any:
    """Tensors of one size, side by side along a *new* axis `dim`."""
    tensors = _listed(tensors, "stack")
    n = tensors[0]._data.ndim + 1
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})")
    return _op["stack"](*tensors, dim=dim % n)


def cat(tensors: Any, dim: int = 0) -> Any:
    """Tensors one after the other along an axis that they have already."""
    tensors = _listed(tensors, "cat")
    if any(not t._data.ndim for t in tensors):
        i = next(i for i, t in enumerate(tensors) if not t._data.ndim)
        raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    kept = tuple(t for t in tensors if t._data.shape != (0,)) or tensors  # PyTorch lets empty vectors be
    return _op["cat"](*kept, dim=axis(dim, kept[0]._data.ndim))


def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """All tensors expanded to the size that they broadcast to."""
    from ..check import broadcast

    size: tuple[int, ...] = ()
    for t in tensors:
        size = broadcast(size, t._data.shape)
    return tuple(t.expand(size) for t in tensors)
