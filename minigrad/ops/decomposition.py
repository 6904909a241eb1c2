"""Factorizations of a matrix: Cholesky's and the singular value decomposition. For `linalg` and distributions.

Each takes a matrix, or a stack of matrices; linalg.py combines further axes into one. Imports rules, ops/note.py and
ops/linalg.py. Read next: ../linalg/.
"""

from ..core.rules import op
from .linalg import _product, _turned
from .note import note
from .sizes import same


@op("LinalgCholeskyExBackward0", kind="matmul", dtypes="floating")
def cholesky(xp, self, *, upper=False):
    """The lower triangle L of self = L Lᵀ, or its transpose. Only that triangle of `self` is read."""
    return xp.matrix_transpose(xp.linalg.cholesky(xp.matrix_transpose(self))) if upper else xp.linalg.cholesky(self)


def _cholesky_slope(F, grad, result, upper):
    """I. Murray, Differentiation of the Cholesky decomposition (2016), equation 9, made symmetric."""
    if upper:
        grad, result = _turned(F, grad), _turned(F, result)
    inner = F.tril(_product(F, _turned(F, result), grad), diagonal=-1)
    diagonal = F.tril(F.triu(_product(F, _turned(F, result), grad)))
    inner = inner + _turned(F, inner) + diagonal
    half = F.solve_triangular(_turned(F, result), inner, upper=True)  # L⁻ᵀ inner
    return 0.5 * _turned(F, F.solve_triangular(_turned(F, result), _turned(F, half), upper=True))  # … L⁻¹


cholesky.slope(self=_cholesky_slope)
note(cholesky, shape=same)


@op("LinalgSolveTriangularBackward0", kind="matmul", dtypes="same")
def solve_triangular(xp, self, B, *, upper=False):
    """The X of self @ X = B. One triangle of `self` is read; the other one counts as zero."""
    return xp.linalg.solve((xp.triu if upper else xp.tril)(self), B)


def _triangular_slope(F, grad, self, result, upper):
    to_B = F.solve_triangular(_turned(F, self), grad, upper=not upper)
    return (F.triu if upper else F.tril)(-_product(F, to_B, _turned(F, result)))


solve_triangular.slope(
    self=_triangular_slope,
    B=lambda F, grad, self, upper: F.solve_triangular(_turned(F, self), grad, upper=not upper),
)
note(solve_triangular, shape=lambda dims, columns, **params: columns)


def _svd_shapes(dims, full_matrices):
    if dims is None:
        return [None, None, None]
    *lead, m, n = dims
    k = None if None in (m, n) else min(m, n)
    u, vh = ((m, m), (n, n)) if full_matrices else ((m, k), (k, n))
    return [(*lead, *u), (*lead, k), (*lead, *vh)]


@op("LinalgSvdBackward0", kind="matmul", dtypes="floating", outputs=("U", "S", "Vh"), each=True)
def linalg_svd(xp, self, *, full_matrices=False):
    """U, the singular values in decreasing order, and Vᵀ of self = U diag(S) Vᵀ."""
    return tuple(xp.linalg.svd(self, full_matrices=full_matrices))


def _svd_slope(F, grad, U, S, Vh, full_matrices):
    """J. Townsend, Differentiating the singular value decomposition (2016).

    If two singular values are equal, their columns are not unique, and no derivative exists. The result is then inf,
    unless the incoming gradient does not depend on the choice of columns.
    """
    to_U, to_S, to_Vh = grad
    last = len(S.shape) - 1
    k = S.shape[-1]
    if full_matrices:  # PyTorch also ignores the columns after the first k
        U, to_U = (F.slice_dim(x, dim=last + 1, start=0, stop=k, step=1) for x in (U, to_U))
        Vh, to_Vh = (F.slice_dim(x, dim=last, start=0, stop=k, step=1) for x in (Vh, to_Vh))
    row, column = F.unsqueeze(S, dim=last), F.unsqueeze(S, dim=last + 1)
    gaps = (row - column) * (row + column)
    from_U, from_V = _product(F, _turned(F, U), to_U), _product(F, Vh, _turned(F, to_Vh))
    turns = []
    for each in (from_U, from_V):
        turn = each - _turned(F, each)
        # on the diagonal, and where the choice of columns makes no difference
        nothing = F.eq(F.abs(turn) + F.abs(gaps), 0)
        turns.append(turn / F.masked_fill(gaps, nothing, value=1))
    out = _product(F, U, turns[0] * row + column * turns[1])
    if U.shape[-2] > k:
        out = out + (to_U - _product(F, U, from_U)) / row
    out = _product(F, out + U * F.unsqueeze(to_S, dim=last), Vh)
    if Vh.shape[-1] > k:
        out = out + _product(F, U, (to_Vh - _product(F, _turned(F, from_V), Vh)) / column)
    return out


linalg_svd.slope(self=_svd_slope)
note(linalg_svd, shape=_svd_shapes, needs_sizes="The gradient depends on which side is longer, so both must be known")
