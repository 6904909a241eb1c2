"""torch.linalg: norms, determinants, inverses and systems of equations, for matrices or stacks of matrices.

    import minigrad as torch
    torch.linalg.solve(A, b)

Imports the methods, and is imported when it is first used. Read next: _tensors/methods/linalg.py.
"""

import math
from functools import partial

import numpy as np

from .._call.arguments import takes_tensors
from .._call.check import axes
from .._call.operators import OPERATORS as _op
from .._messages.names import missing as _missing
from .._tensors.methods.linalg import matmul
from .._tensors.methods.products import matrix_power as _power
from .._tensors.methods.products import vector_product
from .._tensors.methods.reduction import pair
from ..ops.note import known

__all__ = ["norm", "vector_norm", "matrix_norm", "inv", "det", "solve", "cross", "matmul", "matrix_power", "cholesky"]
__all__ += ["svd"]


class _LinAlgError(RuntimeError):
    """A matrix that has no inverse."""


LinAlgError = _LinAlgError  # PyTorch's public name; its messages show the private one


def _square(who, A):
    """Raise unless `A` is a square matrix of floats, or a stack of them."""
    if A._data.ndim < 2:
        raise RuntimeError(f"{who}: The input tensor A must have at least 2 dimensions.")
    n, m = A._data.shape[-2:]
    if n != m:
        raise RuntimeError(f"{who}: A must be batches of square matrices, but they are {n} by {m} matrices")
    if A._data.dtype.kind != "f":
        raise RuntimeError(f"{who}: Expected a floating point or complex tensor as input. Got {A.dtype.legacy}")
    if A._data.dtype == np.float16 and who == "linalg.inv":
        raise RuntimeError("linalg.inv: Low precision dtypes not supported. Got Half")
    if A._data.dtype == np.float16:
        kernel = "cholesky" if who == "linalg.cholesky" else "lu"
        raise NotImplementedError(f"\"{kernel}_cpu\" not implemented for 'Half'")


def _stacked(function, A, *others):
    """Apply `function` to matrices or stacks; several leading axes are first folded into one."""
    lead = A._data.shape[:-2]
    if len(lead) < 2:
        return function(A, *others)
    folded = [x.reshape(math.prod(lead), *x._data.shape[len(lead) :]) for x in (A, *others)]
    out = function(*folded)
    return out.reshape(*lead, *out._data.shape[1:])


@takes_tensors
def inv(A):
    """The inverse of each matrix; LinAlgError if one has none.

    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    _square("linalg.inv", A)
    try:
        return _stacked(_op["inv"], A)
    except RuntimeError as error:
        if "Singular" not in str(error):
            raise
        raise _LinAlgError(
            f"linalg.inv: The diagonal element {_where_singular(A._data)} is zero, the inversion could not be "
            "completed because the input matrix is singular."
        ) from None


@takes_tensors
def inverse(input):
    """`linalg.inv` under its older name: each matrix's inverse. Raises LinAlgError, a RuntimeError, if one has none.

    >>> torch.inverse(torch.tensor([[2.0, 0.0], [0.0, 4.0]])) @ torch.tensor([2.0, 4.0])
    tensor([1., 1.])
    """
    return inv(input)


def _where_singular(matrices):
    """The number of the pivot that becomes 0 in elimination, counted from 1."""
    for matrix in matrices.reshape(-1, *matrices.shape[-2:]).astype("float64"):
        for i in range(len(matrix)):
            row = i + int(np.abs(matrix[i:, i]).argmax())
            if not matrix[row, i]:
                return i + 1
            matrix[[i, row]] = matrix[[row, i]]
            matrix[i + 1 :] -= np.outer(matrix[i + 1 :, i] / matrix[i, i], matrix[i])
    return len(matrices)


@takes_tensors
def det(A):
    """The determinant of each matrix. Raises RuntimeError unless they are square.

    >>> A = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    >>> torch.linalg.det(A).backward()
    >>> A.grad  # det(A) times the transpose of the inverse
    tensor([[ 5., -3.],
            [-2.,  1.]])
    """
    _square("linalg.det", A)
    return _stacked(_op["det"], A)


@takes_tensors
def solve(A, B, *, left=True):
    """The X of A @ X = B, or of X @ A = B if `left` is False. B is a vector, a matrix, or a stack of either.

    Raises LinAlgError, a RuntimeError, if A has no inverse.

    >>> A, b = torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([2.0, 2.0])
    >>> x = torch.linalg.solve(A, b)
    >>> x, A @ x
    (tensor([1.0000, 0.5000]), tensor([2., 2.]))
    """
    if A.dtype is not B.dtype:
        raise RuntimeError(
            "linalg.solve: Expected A and B to have the same dtype, but found A of type "
            f"{A.dtype.legacy} and B of type {B.dtype.legacy} instead"
        )
    _square("linalg.solve", A)
    vector = B._data.ndim == 1 or (B._data.ndim == A._data.ndim - 1 and B._data.shape == A._data.shape[:-1])
    columns = B.unsqueeze(-1) if vector else B
    if not left:
        A, columns = A.mT, columns.mT
    if columns._data.shape[-2] != A._data.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({_x(A)} and {_x(columns)})"
        )
    lead = np.broadcast_shapes(A._data.shape[:-2], columns._data.shape[:-2])
    A, columns = (x.expand(*lead, *x._data.shape[-2:]) for x in (A, columns))
    try:
        X = _stacked(_op["solve"], A, columns)
    except RuntimeError as error:
        if "Singular" not in str(error):
            raise
        raise _LinAlgError("torch.linalg.solve: The solver failed because the input matrix is singular.") from None
    X = X if left else X.mT
    return X.squeeze(-1) if vector else X


def _x(matrix):
    return "x".join(map(str, matrix._data.shape[-2:]))


@takes_tensors
def cholesky(A, *, upper=False):
    """The lower triangle L of A = L Lᵀ; its transpose, if `upper`. Only one triangle of A is read.

    Raises LinAlgError, a RuntimeError, if A is not positive definite.

    >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]])
    """
    _square("linalg.cholesky", A)
    try:
        return _stacked(partial(_op["cholesky"], upper=upper), A)
    except RuntimeError as error:
        if "positive definite" not in str(error):
            raise
        raise _LinAlgError(_why_no_triangle(A.mT._data if upper else A._data)) from None


def solve_lower(L, B):
    """The X of L @ X = B for a triangular L; both may be stacks. Used by distributions."""
    lead = np.broadcast_shapes(L._data.shape[:-2], B._data.shape[:-2])
    L, B = (x.expand(*lead, *x._data.shape[-2:]) for x in (L, B))
    return _stacked(_op["solve_triangular"], L, B)


def _why_no_triangle(matrices):
    """PyTorch's message for the first matrix that has no Cholesky factor. It gives the size of the smallest leading
    block that is not positive definite."""
    stack = matrices.reshape(-1, *matrices.shape[-2:])
    for number, matrix in enumerate(stack):
        for order in range(1, len(matrix) + 1):
            if not _is_positive_definite(matrix[:order, :order]):
                element = f"(Batch element {number}): " if matrices.ndim > 2 else ""
                return (
                    f"linalg.cholesky: {element}The factorization could not be completed because the input is not "
                    f"positive-definite (the leading minor of order {order} is not positive-definite)."
                )
    raise AssertionError("each matrix has a triangle")


def _is_positive_definite(matrix):
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


@takes_tensors
def svd(A, full_matrices=True, *, driver=None):
    """(U, S, Vh) of A = U diag(S) Vh, the singular values S in descending order.

    For an (m, n) matrix and k = min(m, n), S is (k), U is (m, m) and Vh is (n, n); with `full_matrices=False`, they are
    (m, k) and (k, n). `driver` is for CUDA. If the matrix has more columns than rows, columns of U and rows of Vh may
    differ in sign from PyTorch's. Raises RuntimeError for vectors and integers.

    >>> U, S, Vh = torch.linalg.svd(torch.tensor([[0.0, 2.0], [3.0, 0.0]]))
    >>> S, U @ S.diag() @ Vh
    (tensor([3., 2.]), tensor([[0., 2.],
            [3., 0.]]))
    """
    if driver is not None:
        raise RuntimeError(
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
        )
    rank = A._data.ndim
    if rank < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {rank} dimensions instead")
    if A._data.dtype.kind != "f":
        raise RuntimeError(f"linalg.svd: Expected a floating point or complex tensor as input. Got {A.dtype.legacy}")
    if A._data.dtype == np.float16:
        raise NotImplementedError("\"linalg_svd_cpu\" not implemented for 'Half'")
    *lead, m, n = A._data.shape
    flat = A.reshape(math.prod(lead), m, n) if len(lead) > 1 else A
    try:
        parts = _op["linalg_svd"](flat, full_matrices=full_matrices)
    except RuntimeError as error:
        if "did not converge" not in str(error):
            raise
        raise _LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values."
        ) from None
    found = (x.reshape(*lead, *x._data.shape[1:]) if len(lead) > 1 else x for x in parts)
    return pair("linalg_svd", ("U", "S", "Vh"))(*found)


@takes_tensors
def matrix_power(A, n):
    """The product of n copies of the matrix; if n is negative, of its inverse.

    >>> A = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
    >>> torch.linalg.matrix_power(A, 3), torch.linalg.matrix_power(A, -1)
    (tensor([[1., 3.],
            [0., 1.]]), tensor([[ 1., -1.],
            [ 0.,  1.]]))
    """
    return _power(inv(A), -n) if n < 0 else _power(A, n)


@takes_tensors
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """(Σ |x|ᵖ)^(1/p) of all elements, or along `dim`.

    >>> x = torch.tensor([3.0, -4.0])
    >>> torch.linalg.vector_norm(x), torch.linalg.vector_norm(x, 1), torch.linalg.vector_norm(x, torch.inf)
    (tensor(5.), tensor(7.), tensor(4.))
    """
    x = x if dtype is None else x.to(dtype)
    return _op["vector_norm"](x, ord=float(ord), dim=axes(dim, x._data.ndim), keepdim=keepdim)


@takes_tensors
def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """A norm of matrices: "fro", or ±1 and ±inf, the extreme sums of columns or rows; ±2, which has no derivative.

    >>> A = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.linalg.matrix_norm(A), torch.linalg.matrix_norm(A, 1)  # 1: the largest sum of a column
    (tensor(5.4772), tensor(6.))
    """
    A = A if dtype is None else A.to(dtype)
    rows, columns = axes(tuple(dim), A._data.ndim)
    if ord == "fro":
        return vector_norm(A, 2, (rows, columns), keepdim)
    if ord in (2, -2):
        sizes = np.linalg.svd(np.moveaxis(A.numpy(), (rows, columns), (-2, -1)), compute_uv=False)
        out = A.new_tensor(sizes.max(-1) if ord == 2 else sizes.min(-1))
        return out.reshape([1 if d in (rows, columns) else n for d, n in enumerate(A._data.shape)]) if keepdim else out
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    along, across = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = vector_norm(A, 1, along, True)
    out = (sums.amax if ord > 0 else sums.amin)(across, True)
    return out if keepdim else out.squeeze((rows, columns))


@takes_tensors
@known(forms="several")
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """`vector_norm`; for a matrix or along two axes, if `ord` is given, `matrix_norm`.

    >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    two = isinstance(dim, tuple | list) and len(dim) == 2
    if ord is not None and (two or (dim is None and A._data.ndim == 2) or isinstance(ord, str)):
        return matrix_norm(A, ord, dim if two else (-2, -1), keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


@takes_tensors
def cross(input, other, *, dim=-1):
    """The cross product of vectors of length 3 along `dim`.

    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    return vector_product("linalg.cross", input, other, dim)


__getattr__ = _missing(__name__)
