"""Products that matrices are taken apart into: values, nodes, slopes, and the texts of errors."""

import pytest
from saying import says


def test_singular_values(torch):
    A = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    U, S, V = found = torch.svd(A)
    assert repr(found.S) == "tensor([9.5255, 0.5143], grad_fn=<LinalgSvdBackward0>)"
    assert (
        U.grad_fn is S.grad_fn
        and V.grad_fn.name() == "TransposeBackward0"
        and S.grad_fn is V.grad_fn.next_functions[0][0]
    )
    assert torch.allclose(U @ S.diag() @ V.T, A, atol=1e-5)
    S.sum().backward()
    assert torch.allclose(A.grad, U @ V.T, atol=1e-5)
    full = torch.svd(A, some=False)
    assert full.U.shape == (3, 3) and full.V.shape == (2, 2)
    alone = torch.svd(A, compute_uv=False)
    assert alone.U.shape == (3, 3) and not alone.U.any() and torch.equal(alone.S, S)
    assert [x.shape for x in torch.svd(torch.rand(2, 3, 2, 4))] == [(2, 3, 2, 2), (2, 3, 2), (2, 3, 4, 2)]
    assert repr(torch.svd(torch.zeros(0, 2))).startswith("torch.return_types.svd(\nU=tensor([], size=(0, 0))")


def test_equal_singular_values_have_a_slope_where_nothing_tells_them_apart(torch):
    A = torch.eye(3).requires_grad_()
    torch.svd(A).S.sum().backward()
    assert torch.equal(A.grad, torch.eye(3))


def test_second_slopes_of_each_part(torch):
    """Each of the three is saved, and gets its own history back."""
    A = torch.tensor([[1.3, 0.4], [-0.7, 2.1], [0.5, 0.2]], dtype=torch.float64, requires_grad=True)
    parts = (lambda A: torch.svd(A).U ** 2, lambda A: torch.svd(A).S, lambda A: torch.svd(A).V ** 3)
    assert all(torch.autograd.gradgradcheck(part, A) for part in parts)


def test_the_triangle_of_a_positive_matrix(torch):
    A = torch.tensor([[4.0, 2.0], [2.0, 5.0]], requires_grad=True)
    L = torch.linalg.cholesky(A)
    assert repr(L) == "tensor([[2., 0.],\n        [1., 2.]], grad_fn=<LinalgCholeskyExBackward0>)"
    assert torch.equal(torch.linalg.cholesky(A, upper=True), L.T)
    L.sum().backward()
    assert torch.allclose(A.grad, torch.tensor([[0.1875, 0.1250], [0.1250, 0.2500]]), atol=1e-4)


NOT_POSITIVE = "The factorization could not be completed because the input is not positive-definite (the leading "
WRONG = {
    "svd(ones(2))": "linalg.svd: input should have at least 2 dimensions, but has 1 dimensions instead",
    "svd(ones(2, 2).long())": "linalg.svd: Expected a floating point or complex tensor as input. Got Long",
    "svd(ones(2, 2).half())": "\"linalg_svd_cpu\" not implemented for 'Half'",
    "svd(tensor([[1, nan], [2, 3]]))": "linalg.svd: The algorithm failed to converge because the input matrix "
    "contained non-finite values.",
    "linalg.cholesky(ones(2))": "linalg.cholesky: The input tensor A must have at least 2 dimensions.",
    "linalg.cholesky(ones(2, 3))": "linalg.cholesky: A must be batches of square matrices, but they are 2 by 3 "
    "matrices",
    "linalg.cholesky(ones(2, 2).half())": "\"cholesky_cpu\" not implemented for 'Half'",
    "linalg.cholesky(ones(2, 2))": f"linalg.cholesky: {NOT_POSITIVE}minor of order 2 is not positive-definite).",
    "linalg.cholesky(stack((eye(2), -eye(2))))": f"linalg.cholesky: (Batch element 1): {NOT_POSITIVE}minor "
    "of order 1 is not positive-definite).",
}


@pytest.mark.parametrize("call", WRONG)
def test_what_they_refuse(torch, call):
    about_numbers = "-finite" in WRONG[call] or "-definite" in WRONG[call]
    kind = NotImplementedError if "half" in call else torch.linalg.LinAlgError if about_numbers else RuntimeError
    with says(kind, WRONG[call]):
        eval("torch." + call, {"torch": torch, **vars(torch)})
