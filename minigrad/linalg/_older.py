"""Functions of matrices that PyTorch still has from the time before `torch.linalg`.

Imports linalg, and is imported when it is first used.
"""

from .._call.arguments import takes_tensors
from .._messages.names import missing as _missing
from .._tensors.methods.reduction import pair
from . import svd as _svd


@takes_tensors
def svd(input, some=True, compute_uv=True):
    """(U, S, V) of input = U diag(S) Vᵀ. `torch.linalg.svd`, which gives Vᵀ instead of V, is preferred.

    For an (m, n) matrix and k = min(m, n), U is (m, k), S is (k) and V is (n, k); with `some=False`, U is (m, m) and V
    is (n, n). With `compute_uv=False`, U and V are zeros. Raises RuntimeError for vectors and integers.

    >>> U, S, V = torch.svd(torch.tensor([[0.0, 2.0], [3.0, 0.0]]))
    >>> S, U @ S.diag() @ V.T
    (tensor([3., 2.]), tensor([[0., 2.],
            [3., 0.]]))
    """
    U, S, Vh = _svd(input, full_matrices=compute_uv and not some)
    if not compute_uv:
        *lead, m, n = input._data.shape
        U, Vh = input.new_zeros(*lead, m, m), input.new_zeros(*lead, n, n)
    return pair("svd", ("U", "S", "V"))(U, S, Vh.mT)


__getattr__ = _missing(__name__)
