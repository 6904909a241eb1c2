"""NumPy's names for arguments, which PyTorch's functions in C++ take beside their own: axis and keepdims."""

import pytest

CALLS = [  # (with NumPy's names, with PyTorch's)
    ("torch.cumsum(m, axis=1)", "torch.cumsum(m, dim=1)"),
    ("m.cumsum(axis=0)", "m.cumsum(dim=0)"),
    ("torch.cumprod(m, axis=1)", "torch.cumprod(m, dim=1)"),
    ("m.softmax(axis=1)", "m.softmax(dim=1)"),
    ("m.argmax(axis=0)", "m.argmax(dim=0)"),
    ("m.argmin(axis=1, keepdims=True)", "m.argmin(dim=1, keepdim=True)"),
    ("m.max(axis=1, keepdims=True).values", "m.max(dim=1, keepdim=True).values"),
    ("torch.sort(m, axis=0).indices", "torch.sort(m, dim=0).indices"),
    ("m.std(axis=0, keepdims=True)", "m.std(dim=0, keepdim=True)"),
    ("m.logsumexp(axis=1)", "m.logsumexp(dim=1)"),
    ("m.prod(axis=1)", "m.prod(dim=1)"),
    ("torch.cat([m, m], axis=1)", "torch.cat([m, m], dim=1)"),
    ("torch.stack([m, m], axis=1)", "torch.stack([m, m], dim=1)"),
    ("m.unsqueeze(axis=1)", "m.unsqueeze(dim=1)"),
    ("m.all(axis=0)", "m.all(dim=0)"),
]


@pytest.mark.parametrize(("numpy_names", "own"), CALLS)
def test_a_call_with_numpy_s_names_is_the_call_with_pytorch_s(torch, numpy_names, own):
    names = {"torch": torch, "m": torch.tensor([[1.0, 3.0, 2.0], [4.0, 0.5, 1.0]])}
    assert torch.equal(eval(numpy_names, names), eval(own, names))


def test_an_error_is_the_one_of_the_call_with_pytorch_s_names(torch):
    with pytest.raises(
        IndexError, match=r"^Dimension out of range \(expected to be in range of \[-2, 1\], but got 5\)$"
    ):
        torch.zeros(2, 2).cumsum(axis=5)


def test_functions_in_python_take_their_own_names_only(torch):
    with pytest.raises(TypeError, match="axis"):
        torch.nn.functional.softmax(torch.zeros(2), axis=0)
