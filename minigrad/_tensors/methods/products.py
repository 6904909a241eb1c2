"""Products less common than `@`: inner, kron, tensordot, cross, and products added to a tensor; and distances.

Each function is written once; named in the class below, it is a method too. Most use the products in linalg.py.
Imports linalg, check and arguments. Read next: indexing.py.
"""

import math

from ..._call.arguments import takes_tensors
from ..._call.check import axis, broadcast, not_implemented
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._machine.dtypes import bool as boolean
from ..._messages.once import warn_once
from ...ops.note import known
from .elementwise import whole
from .linalg import bmm, dot, matmul, mm, mv, outer
from .named import one_node

# -- products --------------------------------------------------------------------------------------


@takes_tensors
@known(out=True)
def inner(input, other):
    """Σ of products over the last axes of both; with a tensor without axes, the product.

    >>> torch.inner(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]))
    tensor([21, 43])
    """
    if not input._data.ndim or not other._data.ndim:
        return input * other
    if input._data.shape[-1] != other._data.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input._data.shape)} and {list(other._data.shape)}"
        )
    if input._data.ndim == other._data.ndim == 1:
        return dot(input, other)
    return tensordot(input, other, ([-1], [-1]))


@takes_tensors
@one_node("VdotBackward0")
@known(out=True)
def vdot(input, other):
    """Σ input · other of two vectors.

    >>> torch.vdot(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    return dot(input, other)


@takes_tensors
@known(out=True)
def tensordot(a, b, dims=2):
    """Σ of products over some axes of both: the last `dims` of a and the first of b, or two lists of axes.

    >>> torch.tensordot(torch.ones(2, 3, 4), torch.ones(3, 4, 5)).shape
    torch.Size([2, 5])
    """
    if isinstance(dims, TensorBase) and dims._data.size == 1:
        dims = int(dims)
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a._data.ndim, b._data.ndim):
            raise RuntimeError(
                f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}, {a._data.ndim=}, {b._data.ndim=}"
            )
        dims = [*range(a._data.ndim - dims, a._data.ndim)], [*range(dims)]
    pairs = [[d] if isinstance(d, int) else list(d) for d in (dims.tolist() if isinstance(dims, TensorBase) else dims)]
    if len(pairs[0]) != len(pairs[1]):
        raise RuntimeError("both dimension lists should have same length")
    first, second = ([axis(d, x._data.ndim) for d in each] for each, x in zip(pairs, (a, b), strict=True))
    for d, e in zip(first, second, strict=True):
        n, m = a._data.shape[d], b._data.shape[e]
        if n != m and 1 not in (n, m):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {d} and second has size {m} in "
                f"dim {e}"
            )
        a = a.sum(d, keepdim=True, dtype=a.dtype) if m == 1 else a
        b = b.sum(e, keepdim=True, dtype=b.dtype) if n == 1 else b
    left = [d for d in range(a._data.ndim) if d not in first]
    right = [d for d in range(b._data.ndim) if d not in second]
    sizes = [a._data.shape[d] for d in left], [b._data.shape[d] for d in right]
    inside = math.prod(a._data.shape[d] for d in first)
    rows = a.permute(*left, *first).reshape(math.prod(sizes[0]), inside) if a._data.ndim else a.reshape(1, 1)
    columns = b.permute(*second, *right).reshape(inside, math.prod(sizes[1])) if b._data.ndim else b.reshape(1, 1)
    return mm(rows, columns).reshape(*sizes[0], *sizes[1])


@takes_tensors
@known(out=True)
def kron(input, other):
    """The Kronecker product: for each element of `input`, a copy of `other` times that element.

    >>> torch.kron(torch.tensor([[1, 10]]), torch.tensor([[1, 2], [3, 4]]))
    tensor([[ 1,  2, 10, 20],
            [ 3,  4, 30, 40]])
    """
    n = max(input._data.ndim, other._data.ndim)
    a, b = (x.reshape((1,) * (n - x._data.ndim) + x._data.shape) for x in (input, other))
    sizes = list(zip(a._data.shape, b._data.shape, strict=True))
    spread = a.reshape([part for k, _ in sizes for part in (k, 1)]) * b.reshape([p for _, m in sizes for p in (1, m)])
    return _op["reshape_to"](spread, size=tuple(k * m for k, m in sizes))


@takes_tensors
@one_node("LinalgCrossBackward0")
@known(out=True)
def cross(input, other, dim=None):
    """The cross product of vectors of length 3 along `dim`, which is the first axis of length 3 unless given.

    Raises RuntimeError unless that length is 3.

    >>> torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), dim=0)
    tensor([0, 0, 1])
    """
    if dim is None:
        warn_once(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or "
            "simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross "
            "in a future release.",
            stacklevel=3,
        )
        if 3 not in input._data.shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = input._data.shape.index(3)
    return vector_product("linalg.cross", input, other, dim)


def vector_product(who, input, other, dim):
    """(a₂b₃ - a₃b₂, a₃b₁ - a₁b₃, a₁b₂ - a₂b₁)."""
    dim = axis(dim, input._data.ndim)
    n, m = input._data.shape[dim], other._data.shape[dim]
    if n != 3 or m != 3:
        raise RuntimeError(f"{who}: inputs dimension {dim} must have length 3. Got {n} and {m}")
    size = broadcast(input._data.shape, other._data.shape)
    a, b = input.expand(size), other.expand(size)
    return a.roll(-1, dim) * b.roll(1, dim) - a.roll(1, dim) * b.roll(-1, dim)


# -- products added to a tensor --------------------------------------------------------------------


def _added(input, product, beta, alpha):
    """`beta * input + alpha * product`; with beta = 0, `input` is ignored, even nan."""
    product = product if alpha == 1 else product * whole(alpha, input, product)
    return product if beta == 0 else product + (input if beta == 1 else input * whole(beta, input, product))


@takes_tensors
@one_node("AddmvBackward0")
@known(out=True, underscore=True)
def addmv(input, mat, vec, *, beta=1, alpha=1):
    """`beta * input + alpha * (mat @ vec)`.

    >>> torch.addmv(torch.tensor([100, 200]), torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]))
    tensor([121, 243])
    """
    return _added(input, mv(mat, vec), beta, alpha)


@takes_tensors
@one_node("AddrBackward0")
@known(out=True, underscore=True)
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    """`beta * input + alpha * outer(vec1, vec2)`.

    >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, bool) and input.dtype is not boolean:
            raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    return _added(input, outer(vec1, vec2), beta, alpha)


@takes_tensors
@one_node("BaddbmmBackward0")
@known(out=True, underscore=True)
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """`beta * input + alpha * (batch1 @ batch2)`, stacks of matrices.

    >>> torch.baddbmm(torch.ones(1, 2, 2), torch.ones(1, 2, 3), torch.ones(1, 3, 2), beta=10)
    tensor([[[13., 13.],
             [13., 13.]]])
    """
    return _added(input, bmm(batch1, batch2), beta, alpha)


@takes_tensors
@one_node("AddbmmBackward0")
@known(out=True, underscore=True)
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """`beta * input + alpha * Σ (batch1 @ batch2)` over the stack.

    >>> torch.addbmm(torch.zeros(2, 2), torch.ones(5, 2, 3), torch.ones(5, 3, 2))
    tensor([[15., 15.],
            [15., 15.]])
    """
    return _added(input, bmm(batch1, batch2).sum(0, dtype=batch1.dtype), beta, alpha)


@takes_tensors
@known(out=True)
def matrix_power(input, n):
    """The product of n copies of the matrix. Raises RuntimeError unless it is square.

    >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    if input._data.ndim < 2:
        raise RuntimeError("linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
    if n < 0:
        raise RuntimeError("matrix_power: negative powers are linalg.inv's")
    out = None
    for bit in bin(n)[2:]:
        out = None if out is None else matmul(out, out)
        if bit == "1":
            out = input if out is None else matmul(out, input)
    if out is None:
        size = input._data.shape
        return input.new_ones(size[-1]).diag().expand(size).clone()
    return out


# -- distances -------------------------------------------------------------------------------------


@takes_tensors
@one_node("DistBackward0")
def dist(input, other, p=2):
    """The p-norm of the difference.

    >>> torch.dist(torch.tensor([0.0, 0.0]), torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    gap = input.sub(other)
    if not gap.is_floating_point():
        raise RuntimeError(
            f"norm(): input dtype should be either floating point or complex. Got {gap.dtype.legacy} instead."
        )
    return gap.norm(p)


USUAL_MODE = "use_mm_for_euclid_dist_if_necessary"
COMPUTE_MODES = USUAL_MODE, "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"  # all compute alike here


@takes_tensors
def cdist(x1, x2, p=2.0, compute_mode=USUAL_MODE):
    """The p-norm of the difference of every row of `x1` and every row of `x2`.

    >>> torch.cdist(torch.tensor([[0.0, 0.0], [3.0, 0.0]]), torch.tensor([[0.0, 4.0]]))
    tensor([[4.],
            [5.]])
    """
    if compute_mode not in COMPUTE_MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    for name, x in (("X1", x1), ("X2", x2)):
        if x._data.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x._data.ndim}D")
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.is_floating_point():
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {x.dtype.legacy}")
    n, m = x1._data.shape[-1], x2._data.shape[-1]
    if n != m:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {n} X2: {m}")
    if x1._data.dtype == "float16":
        raise not_implemented("cdist", x1._data.dtype)
    if x1.dtype is not x2.dtype:
        raise RuntimeError(f"expected scalar type {x1.dtype.legacy} but found {x2.dtype.legacy}")
    return _op["cdist"](x1, x2, p=float(p))


class Products(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    inner, vdot, kron, cross, dist, matrix_power = inner, vdot, kron, cross, dist, matrix_power
    addmv, addr, baddbmm, addbmm = addmv, addr, baddbmm, addbmm


__all__ = ["tensordot", "cdist", *(name for name in vars(Products) if name in globals() and name[0] != "_")]
