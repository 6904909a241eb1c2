"""NumPy's own functions and operators on tensors: what comes of them is a tensor again, as in PyTorch."""

import warnings

import numpy as np
import pytest

FUNCTIONS = {
    "tanh": lambda t, a: np.tanh(t),
    "exp": lambda t, a: np.exp(t),
    "isnan, as bytes": lambda t, a: np.isnan(t),
    "add": lambda t, a: np.add(t, a),
    "maximum": lambda t, a: np.maximum(t, t),
    "add.reduce": lambda t, a: np.add.reduce(t),
    "of one number": lambda t, a: np.sqrt(t[0]),
    "tensor * bools": lambda t, a: t * (a > 1),
    "tensor + array": lambda t, a: t + a,
    "tensor @ array": lambda t, a: t @ a,
    "tensor / array": lambda t, a: t / a,
    "array / tensor": lambda t, a: a / t,
    "tensor ** array": lambda t, a: t**a,
    "tensor == array": lambda t, a: t == a,
    "array == tensor": lambda t, a: a == t,
    "bools & bools": lambda t, a: (t > 1) & (a > 1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_numpy_makes_of_a_tensor_is_a_tensor(torch, name):
    right = {
        "tanh": [0.7616, 0.9640],
        "exp": [2.7183, 7.3891],
        "isnan, as bytes": [0, 0],
        "add": [1.5, 4.0],
        "maximum": [1.0, 2.0],
        "add.reduce": 3.0,
        "of one number": 1.0,
        "tensor * bools": [0.0, 2.0],
        "tensor + array": [1.5, 4.0],
        "tensor @ array": 4.5,
        "tensor / array": [2.0, 1.0],
        "array / tensor": [0.5, 1.0],
        "tensor ** array": [1.0, 4.0],
        "tensor == array": [False, True],
        "array == tensor": [False, True],
        "bools & bools": [0, 1],
    }
    float64 = ("add", "tensor + array", "tensor @ array", "tensor / array", "array / tensor")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # PyTorch's, about NumPy 2
        made = FUNCTIONS[name](torch.tensor([1.0, 2.0]), np.array([0.5, 2.0]))
    assert type(made) is torch.Tensor and not made.requires_grad
    assert np.allclose(made.tolist(), right[name], atol=1e-4)
    if name in float64:
        assert made.dtype is torch.float64
    if name in ("isnan, as bytes", "bools & bools"):
        assert made.dtype is torch.uint8


def test_numpy_refuses_a_tensor_that_requires_grad(torch):
    for call in (np.tanh, lambda t: t * np.ones(2)):
        with warnings.catch_warnings(), pytest.raises(RuntimeError, match="numpy"):
            warnings.simplefilter("ignore", DeprecationWarning)
            call(torch.ones(2, requires_grad=True))
