"""Products of vectors and matrices. PyTorch's `matmul` chooses one of these by the number of axes.

Imports backend, rules, ops/note.py, ops/reduction.py and ops/sizes.py. Read next: ops/indexing.py.
"""

import math

from .._machine import backend
from ..core.rules import op
from . import words
from .note import note
from .reduction import vector_norm
from .sizes import no_axes, product, same, stacked_product


@op("MmBackward0", kind="matmul", dtypes="same")
def mm(xp, self, mat2):
    return backend.mm(xp, self, mat2)


mm.slope(
    self=lambda F, grad, mat2: F.mm(grad, F.t(mat2)),
    mat2=lambda F, grad, self: F.mm(F.t(self), grad),
)
note(mm, turned={"mat2": lambda F, grad, self: F.t(F.mm(F.t(grad), self))})
note(mm, letters=("gradient @ {1}ᵀ", "{0}ᵀ @ gradient"), tensorflow="MatMul", shape=product)
note(mm, text="{0}.dot({1}{onto})", out="of its type")
note(mm, words=words.product, kernel="addmm_impl_cpu_", sizes_first="always")


@op("AddmmBackward0", kind="matmul", dtypes="same")
def addmm(xp, self, mat1, mat2, *, beta=1, alpha=1):
    product = backend.mm(xp, mat1, mat2)
    if alpha != 1:
        product = product * alpha
    product += self if beta == 1 else self * beta  # in place, because `product` is a new array
    return product


addmm.slope(
    self=lambda F, grad, beta: grad if beta == 1 else grad * beta,
    mat1=lambda F, grad, mat2, alpha: F.mm(grad if alpha == 1 else grad * alpha, F.t(mat2)),
    mat2=lambda F, grad, mat1, alpha: F.mm(F.t(mat1), grad if alpha == 1 else grad * alpha),
)
note(
    addmm,
    turned={"mat2": lambda F, grad, mat1, alpha: F.t(F.mm(F.t(grad if alpha == 1 else grad * alpha), mat1))},
    letters=("gradient, summed over the batch", "gradient @ {2}ᵀ", "{1}ᵀ @ gradient"),
    shape=lambda bias, mat1, mat2, **params: product(mat1, mat2),
    text=lambda beta, alpha: "add(p := {1}.dot({2}{onto}), {0}, p)" if beta == alpha == 1 else None,
)
note(addmm, out="of its type", forms="several")
note(addmm, words=words.product, kernel="addmm_impl_cpu_", mixed=words.mixed_sum)


@op("BmmBackward0", kind="matmul", dtypes="same")
def bmm(xp, self, mat2):
    return self @ mat2


bmm.slope(
    self=lambda F, grad, mat2: F.bmm(grad, F.transpose(mat2, dim0=1, dim1=2)),
    mat2=lambda F, grad, self: F.bmm(F.transpose(self, dim0=1, dim1=2), grad),
)
note(bmm, shape=stacked_product, mixed=words.mixed_stacks, out="of its type")
note(bmm, bools=lambda arrays: arrays[0].dtype == bool and all(a.size for a in arrays))


@op("MvBackward0", kind="matmul", dtypes="same")
def mv(xp, self, vec):
    return self @ vec


mv.slope(
    self=lambda F, grad, vec: F.unsqueeze(grad, dim=1) * vec,
    vec=lambda F, grad, self: F.mv(F.t(self), grad),
)
note(mv, shape=lambda dims, vector: None if dims is None else dims[:1], out="of its type")
note(
    mv,
    words=words.matrix_and_vector,
    kernel="addmv_impl_cpu",
    mixed=words.mixed_with_a_vector,
    sizes_first="always",
)


@op("DotBackward0", kind="matmul", dtypes="same")
def dot(xp, self, tensor):
    return self @ tensor


dot.slope(self=lambda F, grad, tensor: grad * tensor, tensor=lambda F, grad, self: grad * self)
note(dot, shape=no_axes, words=words.two_vectors, mixed=words.mixed_vectors, sizes_first="of one type")
note(dot, bools=lambda arrays: all(a.dtype == bool for a in arrays), out="of its type")

# -- distances -------------------------------------------------------------------------------------


@op("CdistBackward0", kind="matmul", dtypes="same")
def cdist(xp, x1, x2, *, p):
    """‖row of x1 - row of x2‖ₚ for every pair of rows: (…, P, M) and (…, R, M) give (…, P, R)."""
    gap = xp.expand_dims(x1, axis=-2) - xp.expand_dims(x2, axis=-3)
    if not gap.shape[-1]:
        return xp.zeros(gap.shape[:-1], dtype=gap.dtype)
    return vector_norm.value(xp, gap, ord=p, dim=(gap.ndim - 1,))


def _pair_slopes(F, grad, x1, x2, result, p):
    """The slope for each difference of two rows: (…, P, R, M). Equal largest differences each get all of it."""
    grad, result = (F.unsqueeze(each, dim=len(each.shape)) for each in (grad, result))
    gap = F.unsqueeze(x1, dim=len(x1.shape) - 1) - F.unsqueeze(x2, dim=len(x2.shape) - 2)
    if p == 0:
        return F.zeros_like(gap)
    if p == math.inf:
        return grad * F.where(F.abs(gap) == result, F.sign(gap), 0.0)
    if p == 1:
        return grad * F.sign(gap)
    apart, size = gap != 0, F.abs(gap)
    steep = gap if p == 2 else F.sign(gap) * F.pow_scalar(F.where(apart, size, 1.0), exponent=p - 1)
    whole = F.where(result == 0, 1.0, result)
    return grad * F.where(apart, steep / (whole if p == 2 else F.pow_scalar(whole, exponent=p - 1)), 0.0)


cdist.slope(
    x1=lambda F, grad, x1, x2, result, p: F.sum_dim(_pair_slopes(F, grad, x1, x2, result, p), dim=(-2,)),
    x2=lambda F, grad, x1, x2, result, p: -F.sum_dim(_pair_slopes(F, grad, x1, x2, result, p), dim=(-3,)),
)
note(cdist, out=False)

# -- equations -------------------------------------------------------------------------------------


def _turned(F, matrices):
    """The transpose of each matrix."""
    n = len(matrices.shape)
    return F.transpose(matrices, dim0=n - 2, dim1=n - 1)


def _product(F, a, b):
    """The product of two matrices, or of two stacks of them."""
    return (F.mm if len(a.shape) == 2 else F.bmm)(a, b)


@op("LinalgInvExBackward0", kind="matmul", dtypes="floating")
def inv(xp, self):
    return xp.linalg.inv(self)


inv.slope(
    self=lambda F, grad, result: -_product(F, _product(F, _turned(F, result), grad), _turned(F, result)),
)
note(inv, shape=same)


@op("LinalgDetBackward0", kind="matmul", dtypes="floating")
def det(xp, self):
    return xp.linalg.det(self)


def _det_slope(F, grad, self, result):
    """det(A) · A⁻ᵀ. PyTorch also computes the gradient at a singular matrix; here that is an error."""
    try:
        inverse = F.inv(self)
    except (RuntimeError, ValueError) as error:  # NumPy's LinAlgError is a ValueError
        if "Singular" not in str(error):
            raise
        raise RuntimeError("linalg.det: minigrad finds no gradient where the matrix is singular.") from None
    scale = F.unsqueeze(F.unsqueeze(grad * result, dim=len(grad.shape)), dim=len(grad.shape) + 1)
    return scale * _turned(F, inverse)


det.slope(self=_det_slope)
note(det, shape=lambda dims: None if dims is None else dims[:-2])


@op("LinalgSolveExBackward0", kind="matmul", dtypes="same")
def solve(xp, self, B):
    """The X of self @ X = B, where B has columns."""
    return xp.linalg.solve(self, B)


solve.slope(
    self=lambda F, grad, self, result: -_product(F, F.solve(_turned(F, self), grad), _turned(F, result)),
    B=lambda F, grad, self: F.solve(_turned(F, self), grad),
)
note(solve, shape=lambda dims, columns: columns)
