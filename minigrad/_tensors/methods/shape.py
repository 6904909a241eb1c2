"""Shapes: views, joins and copies. Sizes and axes are normalised here before a rule gets them.

Each function is written once; named in the class below, it is a method too. Imports operators, check and arguments.
Read next: indexing.py.
"""

import math
from collections.abc import Sequence

import numpy as np

from ..._call.arguments import all_tensors, no_combination, no_tensor, takes_tensors
from ..._call.check import as_int, axes, axis, fill_in, sizes
from ..._call.check import axis as settled
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._machine import dtypes
from ..._messages.names import refuse_given
from ..._messages.once import warn_once
from ...ops.note import known

OF_A_MATRIX = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an "
    "error in a future release. Consider `x.mT` to transpose batches of matrices or "
    "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
)
IDENTITY = "Tensor.{} is deprecated on 0-D tensors. This function is the identity in these cases."

# -- other sizes ---------------------------------------------------------------------------------


@takes_tensors
def reshape(input, *n, shape=()):
    """The same elements in another size: a view where the memory allows it, else a copy.

    Raises RuntimeError unless the number of elements stays the same.

    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    size = fill_in(sizes(n or (shape,), "reshape", "shape"), input._data.size)
    if getattr(input._data.flags, "c_contiguous", True):
        return _op["view"](input, size=size)
    if _same_memory(input._data, size):
        return _op["reshape_alias"](input, size=size)
    return _op["reshape_to"](input.clone(), size=size)


def _same_memory(array, size):
    """Can `array` be viewed in another size without moving a number?"""
    if not isinstance(array, np.ndarray):  # a ghost of a trace, or an array of another library
        array = array.layout() if hasattr(array, "layout") else None
    if array is None or array.flags.c_contiguous:
        return True
    return not array.size or np.may_share_memory(array, array.reshape(size))


@takes_tensors
def flatten(input, start_dim=0, end_dim=-1):
    """Merge the axes from `start_dim` to `end_dim` into one.

    >>> torch.flatten(torch.ones(2, 3, 4), 1).shape
    torch.Size([2, 12])
    """
    shape = input._data.shape
    start, end = axis(start_dim, len(shape)), axis(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end and shape:
        return input
    return reshape(input, *shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


@takes_tensors
def unsqueeze(input, dim):
    """Add an axis of length 1 at `dim`.

    >>> torch.unsqueeze(torch.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
    return _op["unsqueeze"](input, dim=axis(dim, input._data.ndim + 1))


@takes_tensors
def squeeze(input, dim=None):
    """Remove the axes of length 1: all of them, or those given.

    >>> torch.squeeze(torch.ones(1, 3, 1)).shape, torch.squeeze(torch.ones(1, 3, 1), 0).shape
    (torch.Size([3]), torch.Size([3, 1]))
    """
    if dim is None:
        return _op["squeeze"](input)
    name = "squeeze_dims" if isinstance(dim, tuple | list) else "squeeze_dim"
    return _op[name](input, dim=axes(dim, input._data.ndim) if input._data.ndim and dim != () else ())


@takes_tensors
def broadcast_to(input, size):
    """Expand to `size`, as broadcasting does. Raises RuntimeError if the sizes do not broadcast.

    >>> torch.broadcast_to(torch.tensor([1, 2]), (3, 2))
    tensor([[1, 2],
            [1, 2],
            [1, 2]])
    """
    return input.expand(size)


# -- axes in another order -----------------------------------------------------------------------


@takes_tensors
def t(input):
    """The transpose of a matrix; a vector is returned unchanged. Raises RuntimeError for more than two axes.

    >>> torch.t(torch.tensor([[1, 2, 3], [4, 5, 6]]))
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    if input._data.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input._data.ndim}D")
    return _op["t"](input)


@takes_tensors
def transpose(input, dim0, dim1):
    """Exchange two axes. Raises IndexError for an axis that does not exist.

    >>> torch.transpose(torch.ones(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    n = input._data.ndim
    return _op["transpose"](input, dim0=axis(dim0, n), dim1=axis(dim1, n))


@takes_tensors
def permute(input, *d, dims=()):
    """The axes in the given order. Raises RuntimeError unless each axis is named once.

    >>> torch.permute(torch.ones(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    wanted, n = sizes(d or (dims,), "permute", "dims"), input._data.ndim
    if len(wanted) != n:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            f"desired ordering of dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(wanted)}"
        )
    order = tuple(axis(d, n) for d in wanted)
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return _op["permute"](input, dims=order)


@takes_tensors
def movedim(input, source: int | Sequence[int], destination: int | Sequence[int]):
    """Move axes to new positions; the others keep their order.

    >>> torch.movedim(torch.ones(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    if isinstance(source, tuple | list) is not isinstance(destination, tuple | list):
        raise no_combination("movedim", input, source, destination)
    sources, places = _listed(source), _listed(destination)
    if len(sources) != len(places):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({sources} dims) should contain the same number "
            f"of dims as destination ({places} dims)"
        )
    n = input._data.ndim
    src, dst = [axis(d, n) for d in sources], [axis(d, n) for d in places]
    for name, given, dims in (("source", sources, src), ("destination", places, dst)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({given})")
    if not n:
        return _op["alias"](input)
    order = [d for d in range(n) if d not in src]
    for to, d in sorted(zip(dst, src, strict=True)):
        order.insert(to, d)
    return _op["permute"](input, dims=tuple(order))


def _listed(dims):
    """One axis or several, as a list."""
    return list(dims) if isinstance(dims, tuple | list) else [dims]


# -- parts ---------------------------------------------------------------------------------------


@takes_tensors
@known(forms="several")
def narrow(input, dim, start, length):
    """The `length` elements along `dim` from `start` on: a view. Raises RuntimeError beyond the end.

    >>> torch.narrow(torch.arange(6), 0, 2, 3)
    tensor([2, 3, 4])
    """
    if not input._data.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if isinstance(start, bool | float):
        raise no_combination("narrow", input, dim, start, length)
    if isinstance(start, TensorBase) and (start._data.ndim or start._data.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    dim, given = axis(dim, input._data.ndim), int(start)
    n = input._data.shape[dim]
    if not -n <= given <= n:
        raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {given})")
    start = given + n if given < 0 else given
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return _op["slice_dim"](input, dim=dim, start=start, stop=start + length, step=1)


@takes_tensors
def select(input, dim, index: int):
    """The slice at one index of `dim`, without that axis. Raises IndexError for an index out of range.

    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    if not input._data.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = axis(dim, input._data.ndim)
    n, index = input._data.shape[dim], as_int(index, "select(): argument 'index' must be int")
    if not -n <= index < n:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input._data.shape)} at dimension {dim}"
        )
    return _op["select"](input, dim=dim, index=index % n)


@takes_tensors
def diagonal(input, offset=0, dim1=0, dim2=1):
    """The elements on a diagonal of two axes, as a new last axis.

    >>> x = torch.zeros(2, 2)
    >>> torch.diagonal(x).fill_(1)  # a view: it writes into x
    tensor([1., 1.])
    >>> x
    tensor([[1., 0.],
            [0., 1.]])
    """
    first, second = axis(dim1, input._data.ndim), axis(dim2, input._data.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return _op["diagonal"](input, offset=offset, dim1=first, dim2=second)


@takes_tensors
def unbind(input, dim=0):
    """The slices along `dim`, one tensor each.

    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    if not input._data.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    dim = axis(dim, input._data.ndim)
    return _op["unbind"](input, dim=dim) if input._data.shape[dim] else ()


@takes_tensors
def split(input, split_size_or_sections, dim=0):
    """Pieces of one length (the last may be shorter), or of the lengths given.

    Raises RuntimeError unless the lengths add up.

    >>> torch.split(torch.arange(5), 2), torch.split(torch.arange(5), [1, 4])
    ((tensor([0, 1]), tensor([2, 3]), tensor([4])), (tensor([0]), tensor([1, 2, 3, 4])))
    """
    if not input._data.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim, each = axis(dim, input._data.ndim), split_size_or_sections
    n = input._data.shape[dim]
    if isinstance(each, int):
        if each < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={each}")
        if not each and n:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}")
        lengths = [min(each, n - i) for i in range(0, n, each or 1)] or [0]
        return _op["split"](input, sizes=tuple(lengths), dim=dim)
    if sum(each) != n:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {dim}), "
            f"but got split_sizes={list(each)}"
        )
    return _op["split_with_sizes"](input, sizes=tuple(each), dim=dim)


@takes_tensors
def chunk(input, chunks, dim=0):
    """At most `chunks` pieces of about equal length.

    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    chunks = as_int(chunks, "chunk(): argument 'chunks' must be int")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    if not input._data.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    n = input._data.shape[axis(dim, input._data.ndim)]
    return split(input, -(-n // chunks) if n else [0] * chunks, dim)


@takes_tensors
def tril(input, diagonal=0):
    """The lower triangle; zeros above.

    >>> torch.tril(torch.ones(3, 3))  # the mask of causal attention
    tensor([[1., 0., 0.],
            [1., 1., 0.],
            [1., 1., 1.]])
    """
    return _triangle("tril", input, diagonal)


@takes_tensors
def triu(input, diagonal=0):
    """The upper triangle; zeros below.

    >>> torch.triu(torch.ones(3, 3), diagonal=1)
    tensor([[0., 1., 1.],
            [0., 0., 1.],
            [0., 0., 0.]])
    """
    return _triangle("triu", input, diagonal)


def _triangle(name, input, diagonal):
    if input._data.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return _op[name](input, diagonal=as_int(diagonal, f"{name}(): argument 'diagonal' must be int"))


# -- copies --------------------------------------------------------------------------------------


@takes_tensors
def flip(input, *d, dims=()):
    """Reverse the order along some axes (a copy).

    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0, 1))
    tensor([[4, 3],
            [2, 1]])
    """
    wanted = sizes(d or (dims,), "flip", "dims")
    return _op["flip"](input, dims=axes(wanted, input._data.ndim) if wanted else ())


@takes_tensors
def roll(input, shifts, dims=()):
    """Shift elements along axes; those that leave at one end enter at the other.

    >>> torch.roll(torch.tensor([1, 2, 3, 4]), 1)
    tensor([4, 1, 2, 3])
    """
    shifts, dims = _listed(shifts), _listed(() if dims is None else dims)
    if not shifts:
        raise RuntimeError("`shifts` required")
    if not dims and len(shifts) == 1:  # as if all elements were in one vector
        return _op["roll"](input, shifts=shifts[0])
    if len(shifts) != len(dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not input._data.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    return _op["roll"](input, shifts=tuple(shifts), dims=tuple(axis(d, input._data.ndim) for d in dims))


@takes_tensors
def detach(input):
    """The same memory without history: a leaf that needs no gradient. A change to one tensor changes the other.

    >>> w = torch.ones(2, requires_grad=True)
    >>> y = torch.detach(w)
    >>> y.requires_grad, y.data_ptr() == w.data_ptr()
    (False, True)
    """
    return input.detach()


def clone(input, *, memory_format=None):
    """A copy with memory of its own; gradients flow through it.

    >>> x = torch.tensor([1.0, 2.0])
    >>> y = torch.clone(x)
    >>> y[0] = 9
    >>> x, y
    (tensor([1., 2.]), tensor([9., 2.]))
    """
    if memory_format is not None:
        refuse_given("clone", memory_format=memory_format)
    return _op["clone"](input)


# -- several tensors into one --------------------------------------------------------------------


def stack(tensors, dim=0, *, axis=None):
    """Join tensors of one size along a *new* axis `dim` (`axis` is NumPy's name for it).

    Raises RuntimeError unless the sizes agree.

    >>> torch.stack((torch.tensor([1, 2]), torch.tensor([3, 4])), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    dim = dim if axis is None else axis
    tensors = _tensors("stack", tensors)
    return _op["stack"](*tensors, dim=settled(dim, tensors[0]._data.ndim + 1))


def cat(tensors, dim=0, *, axis=None):
    """Join tensors along an axis that they already have (`axis` is NumPy's name for `dim`).

    Raises RuntimeError unless the sizes agree along all other axes.

    >>> a, b = torch.ones(2, requires_grad=True), torch.zeros(1)
    >>> torch.cat((a, b))
    tensor([1., 1., 0.], grad_fn=<CatBackward0>)
    """
    dim = dim if axis is None else axis
    tensors = _tensors("cat", tensors)
    for i, tensor in enumerate(tensors):
        if not tensor._data.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    kept = [tensor for tensor in tensors if tensor._data.shape != (0,)] or tensors  # PyTorch ignores empty vectors
    if len(kept) < len(tensors):  # but not their types
        kept[0] = kept[0].to(dtypes.result_type([(tensor.dtype, 2) for tensor in tensors]))
    return _op["cat"](*kept, dim=settled(dim, kept[0]._data.ndim))


def _tensors(name, tensors):
    if isinstance(tensors, TensorBase) or not hasattr(tensors, "__iter__"):
        raise no_tensor(name, "tensors", 1, tensors, "tuple of Tensors")
    tensors = all_tensors(tensors, 0)
    if not tensors:
        if name == "stack":
            raise RuntimeError("stack expects a non-empty TensorList")
        raise ValueError(f"torch.{name}(): expected a non-empty list of Tensors")
    return tensors


class Shape(TensorBase):
    """Mixed into Tensor: the functions above as methods, and functions that PyTorch has as methods only."""

    __slots__ = ()

    reshape, flatten, unsqueeze, squeeze, broadcast_to = reshape, flatten, unsqueeze, squeeze, broadcast_to
    t, transpose, permute, movedim = t, transpose, permute, movedim
    narrow, select, diagonal, unbind, split, chunk = narrow, select, diagonal, unbind, split, chunk
    tril, triu, flip, roll, clone = tril, triu, flip, roll, clone

    def view(self, *n, size=(), dtype=None):
        """The same memory in another size (one -1 is computed)."""
        if dtype is not None:
            refuse_given("view", dtype=dtype)
        size = fill_in(sizes(n or (size,), "view"), self._data.size)
        if not _same_memory(self._data, size):
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
                "two contiguous subspaces). Use .reshape(...) instead."
            )
        return _op["view"](self, size=size)

    @takes_tensors
    def view_as(self, other):
        """A view with the size of `other`."""
        return self.view(other.size())

    def expand(self, *n, size=()):
        """Expand axes of length 1 without copying; -1 keeps an axis unchanged."""
        shape, wanted = self._data.shape, sizes(n or (size,), "expand")
        lead = len(wanted) - len(shape)
        if lead < 0:
            kind = "CPUBoolType" if self._data.dtype == bool else f"torch.{self.dtype.legacy}Tensor"
            raise RuntimeError(
                f"expand({kind}{{{list(shape)}}}, size={list(wanted)}): the number of sizes "
                f"provided ({len(wanted)}) must be greater or equal to the number of dimensions in the tensor "
                f"({len(shape)})"
            )
        if -1 in wanted[:lead]:
            raise RuntimeError(
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
                f"{wanted.index(-1)}"
            )
        return _op["expand"](self, size=tuple(shape[i - lead] if n == -1 else n for i, n in enumerate(wanted)))

    @takes_tensors
    def expand_as(self, other):
        """Expanded to the size of `other`."""
        return self.expand(other.size())

    @property
    def T(self):
        """The axes in reverse order; for a matrix its transpose. PyTorch warns that only matrices will be allowed."""
        if self._data.ndim != 2:
            warn_once(OF_A_MATRIX if self._data.ndim else IDENTITY.format("T"))
        return _op["permute"](self, dims=tuple(reversed(range(self._data.ndim))))

    @property
    def mT(self):
        """The last two axes exchanged."""
        if not self._data.ndim:
            warn_once(IDENTITY.format("mT"))
            return self
        if self._data.ndim == 1:
            raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.")
        return self.transpose(-2, -1)

    def repeat(self, *n, repeats=()):
        """Repeat the tensor this many times along each axis."""
        times = sizes(n or (repeats,), "repeat", "repeats")
        if len(times) < self._data.ndim:
            raise RuntimeError(
                "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
            )
        return _op["repeat"](self, repeats=times)

    def contiguous(self, memory_format=None):
        """`self` if its elements are contiguous in memory, else a contiguous copy."""
        if memory_format is not None:
            refuse_given("contiguous", memory_format=memory_format)
        return self if self.is_contiguous() else _op["contiguous"](self)

    def is_contiguous(self, memory_format=None) -> bool:
        """Are the elements contiguous in memory, in order?"""
        if memory_format is not None:
            refuse_given("is_contiguous", memory_format=memory_format)
        return bool(self._data.flags.c_contiguous)


__all__ = ["cat", "detach", "stack", *(name for name in vars(Shape) if name in globals() and name[0] != "_")]
