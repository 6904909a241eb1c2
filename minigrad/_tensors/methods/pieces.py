"""Functions that join, split, repeat and rotate tensors, made from the few in shape.py.

Each function is written once; named in the class below, it is a method too. None has a rule of its own: each calls
functions that have one. Imports shape, check and arguments. Read next: scattering.py.
"""

import itertools

import numpy as np

from ..._call.arguments import all_tensors, no_tensor, takes_tensors
from ..._call.check import as_int, axis, broadcast, fill_in, not_implemented, sizes
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._machine.dtypes import float64
from ..._messages.names import explains_keywords
from ..._messages.once import warn_once
from ...core.tensor import wrap
from ...ops.note import known
from .attributes import Size
from .named import name_node, one_node
from .shape import cat, flip, reshape, stack, transpose

# -- other sizes ---------------------------------------------------------------------------------


@takes_tensors
def ravel(input):
    """All elements as a vector.

    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return reshape(input, -1)


@takes_tensors
def unflatten(input, dim, sizes):
    """Split one axis into several; one of their lengths may be -1.

    Raises RuntimeError unless the product of the lengths is the length of the axis.

    >>> torch.unflatten(torch.arange(6), 0, (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    shape = input._data.shape
    d, sizes = axis(dim, len(shape)), tuple(sizes)
    try:
        whole = fill_in(sizes, shape[d])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({shape[d]}) in the "
            "input tensor"
        ) from None
    return reshape(input, *shape[:d], *whole, *shape[d + 1 :])


def broadcast_tensors(*tensors):
    """All tensors, expanded to the size that they broadcast to.

    >>> a, b = torch.broadcast_tensors(torch.ones(3, 1), torch.ones(4))
    >>> a.shape, b.shape
    (torch.Size([3, 4]), torch.Size([3, 4]))
    """
    tensors = all_tensors(tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors, 0)
    size = broadcast_shapes(*(tensor._data.shape for tensor in tensors))
    return tuple(tensor if tensor._data.shape == size else tensor.expand(size) for tensor in tensors)


def broadcast_shapes(*shapes):
    """The size that these sizes broadcast to. Raises RuntimeError if they do not.

    >>> torch.broadcast_shapes((3, 1), (4,))
    torch.Size([3, 4])
    """
    size: tuple[int, ...] = ()
    for shape in shapes:
        size = broadcast(size, (shape,) if isinstance(shape, int) else shape)
    return Size(size)


def _at_least(tensors, grow):
    """Apply `grow` to each tensor; if one was given, the result is one tensor."""
    if len(tensors) == 1 and isinstance(tensors[0], TensorBase):
        return grow(tensors[0])
    return tuple(map(grow, all_tensors(tensors[0] if len(tensors) == 1 else tensors, 0)))


def _grown(x, n):
    """A tensor of fewer axes with n axes: a vector becomes a row, a matrix the first layer."""
    if not x._data.ndim:
        return x.reshape((1,) * n)
    x = x.unsqueeze(0) if x._data.ndim == 1 else x
    return x.unsqueeze(-1) if n == 3 else x


def atleast_1d(*tensors):
    """At least one axis: a tensor without axes becomes a vector of length 1.

    >>> torch.atleast_1d(torch.tensor(5))
    tensor([5])
    """
    return _at_least(tensors, lambda x: x if x._data.ndim else x.reshape(1))


def atleast_2d(*tensors):
    """At least two axes: a tensor with fewer becomes a matrix of one row.

    >>> torch.atleast_2d(torch.tensor([1, 2]))
    tensor([[1, 2]])
    """
    return _at_least(tensors, lambda x: x if x._data.ndim > 1 else _grown(x, 2))


def atleast_3d(*tensors):
    """At least three axes: a matrix becomes n × m × 1, a vector 1 × n × 1.

    >>> torch.atleast_3d(torch.ones(2, 4)).shape
    torch.Size([2, 4, 1])
    """
    return _at_least(tensors, lambda x: x if x._data.ndim > 2 else _grown(x, 3))


# -- joined --------------------------------------------------------------------------------------


def _some(name, tensors):
    """The tensors; RuntimeError if there are none."""
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return tuple(tensors)


@known(out=True)
def hstack(tensors):
    """Join tensors side by side: along axis 1, vectors along axis 0.

    >>> torch.hstack((torch.tensor([1, 2]), torch.tensor([3])))
    tensor([1, 2, 3])
    """
    tensors = atleast_1d(_some("hstack", tensors))
    return cat(tensors, 0 if tensors[0]._data.ndim == 1 else 1)


@known(out=True)
def vstack(tensors):
    """Join tensors along axis 0; a vector counts as a row.

    >>> torch.vstack((torch.tensor([1, 2]), torch.tensor([[3, 4]])))
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(atleast_2d(_some("vstack", tensors)), 0)


@known(out=True)
def dstack(tensors):
    """Join tensors along axis 2.

    >>> torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[[1, 3],
             [2, 4]]])
    """
    return cat(atleast_3d(_some("dstack", tensors)), 2)


@known(out=True)
def column_stack(tensors):
    """Join tensors side by side; a vector counts as a column.

    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[1, 3],
            [2, 4]])
    """
    if isinstance(tensors, TensorBase):
        raise no_tensor("column_stack", "tensors", 1, tensors, "tuple of Tensors")
    return hstack([x if x._data.ndim > 1 else x.reshape(-1, 1) for x in all_tensors(tensors, 0)])


@one_node("BlockDiagBackward0")
def block_diag(*tensors):
    """One matrix with these blocks along its diagonal, and zeros elsewhere.

    >>> torch.block_diag(torch.tensor([[1, 2]]), torch.tensor([[3], [4]]))
    tensor([[1, 2, 0],
            [0, 0, 3],
            [0, 0, 4]])
    """
    blocks = atleast_2d(tuple(all_tensors(tensors, 0)))
    width, rows, before = sum(b._data.shape[1] for b in blocks), [], 0
    for block in blocks:
        n, m = block._data.shape
        rows.append(cat([block.new_zeros(n, before), block, block.new_zeros(n, width - before - m)], 1))
        before += m
    return cat(rows, 0)


# -- splits ----------------------------------------------------------------------------------------


@takes_tensors
def tensor_split(input, indices_or_sections, dim=0):
    """Split into this number of pieces, the first ones longer by one if needed; or split before these indices.

    >>> torch.tensor_split(torch.arange(5), 2), torch.tensor_split(torch.arange(5), (1, 3))
    ((tensor([0, 1, 2]), tensor([3, 4])), (tensor([0]), tensor([1, 2]), tensor([3, 4])))
    """
    if not input._data.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    dim, places = axis(dim, input._data.ndim), indices_or_sections
    if isinstance(places, TensorBase):
        places = places.tolist()
    n = input._data.shape[dim]
    if isinstance(places, int):
        if places <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {places}")
        places = [i * (n // places) + min(i, n % places) for i in range(1, places)]
    cuts = [slice(start, stop).indices(n)[:2] for start, stop in zip([0, *places], [*places, n], strict=True)]
    return tuple(input.narrow(dim, start, max(stop - start, 0)) for start, stop in cuts)


@takes_tensors
def hsplit(input, indices_or_sections):
    """`tensor_split` along axis 1; for a vector, along axis 0.

    >>> torch.hsplit(torch.tensor([1, 2, 3, 4]), 2)
    (tensor([1, 2]), tensor([3, 4]))
    """
    if not input._data.ndim:
        raise RuntimeError(
            "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!"
        )
    return _even_split("hsplit", input, indices_or_sections, 0 if input._data.ndim == 1 else 1)


@takes_tensors
def vsplit(input, indices_or_sections):
    """`tensor_split` along axis 0.

    >>> torch.vsplit(torch.tensor([[1, 2], [3, 4]]), 2)
    (tensor([[1, 2]]), tensor([[3, 4]]))
    """
    if input._data.ndim < 2:
        raise RuntimeError(
            f"torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with {input._data.ndim} "
            "dimensions!"
        )
    return _even_split("vsplit", input, indices_or_sections, 0)


def _even_split(name, input, sections, dim):
    n = input._data.shape[dim]
    if isinstance(sections, int) and (not sections or n % sections):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not "
            f"divisible by the split_size {sections}!"
        )
    return tensor_split(input, sections, dim)


# -- repeated and rotated --------------------------------------------------------------------------


@takes_tensors
def tile(input, *n, dims=()):
    """Repeat the tensor this many times along each axis; if fewer numbers are given, along the last axes.

    >>> torch.tile(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    times = sizes(n or (dims,), "tile", "dims")
    return input.repeat((1,) * (input._data.ndim - len(times)) + times)


@takes_tensors
def fliplr(input):
    """The columns in reverse order.

    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    if input._data.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


@takes_tensors
def flipud(input):
    """The rows in reverse order.

    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    if input._data.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)


@takes_tensors
@one_node("Rot90Backward0")
def rot90(input, k=1, dims=(0, 1)):
    """Rotate by k right angles in the plane of two axes.

    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if input._data.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input._data.ndim}")
    a, b = (axis(d, input._data.ndim) for d in dims)
    if a == b:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    match k % 4:
        case 0:
            return input.clone()
        case 1:
            return flip(transpose(input, a, b), a)
        case 2:
            return flip(input, a, b)
    return flip(transpose(input, a, b), b)


# -- diagonals and triangles -----------------------------------------------------------------------


@takes_tensors
@known(out=True)
def diag(input, diagonal=0):
    """A matrix with this vector on its diagonal; for a matrix, its diagonal as a vector.

    >>> torch.diag(torch.tensor([1, 2])), torch.diag(torch.tensor([[1, 2], [3, 4]]))
    (tensor([[1, 0],
            [0, 2]]), tensor([1, 4]))
    """
    if input._data.ndim == 1:
        return diag_embed(input, diagonal)
    if input._data.ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input._data.ndim}D")
    out = input.diagonal(diagonal).clone()
    name_node(out, "DiagonalBackward0_copy")
    return out


@takes_tensors
@one_node("DiagEmbedBackward0")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Put the last axis on a diagonal of two new axes; zeros elsewhere.

    >>> torch.diag_embed(torch.tensor([[1, 2], [3, 4]]))
    tensor([[[1, 0],
             [0, 2]],
    <BLANKLINE>
            [[3, 0],
             [0, 4]]])
    """
    n = input._data.ndim + 1
    first, second = axis(dim1, n), axis(dim2, n)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    *size, width = input._data.shape
    for d in sorted((first, second)):
        size.insert(d, width + abs(offset))
    return _op["diagonal_backward"](input, size=tuple(size), offset=offset, dim1=first, dim2=second)


@takes_tensors
def diagflat(input, offset=0):
    """A matrix with all elements on its diagonal.

    >>> torch.diagflat(torch.tensor([[1], [2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return diag(reshape(input, -1), offset)


@takes_tensors
@one_node("TraceBackward0")
def trace(input):
    """The sum of the diagonal of a matrix. Raises RuntimeError for other tensors.

    >>> A = torch.ones(2, 2, requires_grad=True)
    >>> torch.trace(A).backward()
    >>> A.grad
    tensor([[1., 0.],
            [0., 1.]])
    """
    if input._data.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input._data.ndim}")
    if input._data.dtype == bool:
        raise not_implemented("trace", input._data.dtype)
    single = input._data.dtype == "float32"  # summed in float64, as in PyTorch
    return input.diagonal().sum(dtype=float64).to(input.dtype) if single else input.diagonal().sum()


@explains_keywords
def tril_indices(row, col, offset=0, *, dtype=None, device=None):
    """The indices of the lower triangle of a matrix: the first row has the row numbers, the second the columns.

    >>> torch.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]])
    """
    return _triangle(np.tril, row, col, offset, dtype)


@explains_keywords
def triu_indices(row, col, offset=0, *, dtype=None, device=None):
    """The indices of the upper triangle of a matrix: the first row has the row numbers, the second the columns.

    >>> torch.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]])
    """
    return _triangle(np.triu, row, col, offset, dtype)


def _triangle(part, row, col, offset, dtype):
    for name, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{name} must be non-negative, got{n}")
    places = wrap(np.stack(np.nonzero(part(np.ones((row, col)), offset))))
    return places if dtype is None else places.to(dtype)


# -- every combination -----------------------------------------------------------------------------


def meshgrid(*tensors, indexing=None):
    """The coordinates of a grid: each vector is spread along its own axis.

    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([8, 9]), indexing="ij")
    >>> x, y
    (tensor([[1, 1],
            [2, 2]]), tensor([[8, 9],
            [8, 9]]))
    """
    if indexing is None:
        warn_once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.", stacklevel=2
        )
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    vectors = all_tensors(tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors, 0)
    vectors = tuple(vector.reshape(-1) for vector in vectors)
    size = [len(vector) for vector in vectors]
    if indexing == "xy" and len(size) > 1:  # the first two axes are exchanged
        return tuple(grid.transpose(0, 1) for grid in meshgrid(*vectors, indexing="ij"))
    grids = [vector.view(*[1] * i, -1, *[1] * (len(size) - i - 1)).expand(size) for i, vector in enumerate(vectors)]
    return tuple(grids)


def cartesian_prod(*tensors):
    """Every choice of one element from each vector, one row each.

    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([8, 9]))
    tensor([[1, 8],
            [1, 9],
            [2, 8],
            [2, 9]])
    """
    if len(tensors) == 1:
        return tensors[0]
    return stack([grid.reshape(-1) for grid in meshgrid(*tensors, indexing="ij")], 1)


@takes_tensors
def combinations(input, r=2, with_replacement=False):
    """Every choice of r elements of a vector, one row each.

    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    if input._data.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input._data.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array([*choose(range(len(input)), r)], np.int64).reshape(-1, r)
    return input[wrap(places)]


class Pieces(TensorBase):
    """Mixed into Tensor: the functions above as methods, and functions that PyTorch has as methods only."""

    __slots__ = ()

    ravel, unflatten, tensor_split, hsplit, vsplit, tile = ravel, unflatten, tensor_split, hsplit, vsplit, tile
    fliplr, flipud, rot90, diag, diag_embed, diagflat, trace = fliplr, flipud, rot90, diag, diag_embed, diagflat, trace

    @takes_tensors
    def reshape_as(self, other):
        """`reshape` to the size of `other`."""
        return self.reshape(other.size())

    def unfold(self, dimension, size, step):
        """Windows of `size` along an axis, starting every `step`, as a new last axis: a view."""
        dim = axis(dimension, self._data.ndim)
        n = self._data.shape[dim] if self._data.ndim else 1
        size, step = as_int(size, "unfold(): argument 'size' must be int"), as_int(step, "unfold(): 'step' must be int")
        if size > n:
            raise RuntimeError(f"maximum size for tensor at dimension {dim} is {n} but size is {size}")
        if size < 0:
            raise RuntimeError(f"size is {size} but must be >= 0")
        if step <= 0:
            raise RuntimeError(f"step is {step} but must be > 0")
        return _op["unfold"](self, dim=dim, width=size, step=step)


__all__ = ["broadcast_tensors", "broadcast_shapes", "atleast_1d", "atleast_2d", "atleast_3d", "hstack", "vstack"]
__all__ += ["dstack", "column_stack", "block_diag", "tril_indices", "triu_indices", "meshgrid", "cartesian_prod"]
__all__ += ["combinations", *(name for name in vars(Pieces) if name in globals() and name[0] != "_")]
