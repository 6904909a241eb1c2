"""Equal numbers: which one is picked, and which ones get the gradient; and the two zeros, equal and not the same."""

import math
import platform

import pytest

inf, nan = math.inf, math.nan


def signs(x):
    """The sign of each number, minus zero's too."""
    return "".join("-" if math.copysign(1, v) < 0 else "+" for v in x.double().reshape(-1).tolist())


KEEP = {  # of two zeros, the one that came in
    "relu": lambda t, x: x.relu(),
    "F.relu": lambda t, x: t.nn.functional.relu(x),
    "relu_": lambda t, x: x.clone().relu_(),
    "clamp above": lambda t, x: x.clamp(min=0),
    "clamp_": lambda t, x: x.clone().clamp_(min=0),
    "clamp_min": lambda t, x: x.clamp_min(0),
    "clamp below": lambda t, x: x.clamp(max=0),
    "clamp_max": lambda t, x: x.clamp_max(0),
    "clamp between": lambda t, x: x.clamp(0, 1),
    "clamp to zero": lambda t, x: x.clamp(0, 0),
    "clamp to minus zero": lambda t, x: x.clamp(min=-0.0),
    "hardtanh": lambda t, x: t.nn.functional.hardtanh(x, 0, 1),
    "relu6": lambda t, x: t.nn.functional.relu6(x),
    "prelu": lambda t, x: t.nn.functional.prelu(x, t.tensor([0.25], dtype=x.dtype)),
    "leaky_relu": lambda t, x: t.nn.functional.leaky_relu(x),
    "elu": lambda t, x: t.nn.functional.elu(x),
    "hardswish": lambda t, x: t.nn.functional.hardswish(x),
    "softsign": lambda t, x: t.nn.functional.softsign(x),
    "fmod": lambda t, x: t.fmod(x, 2),
    "remainder": lambda t, x: x % 2,
    "round": lambda t, x: x.round(),
    "floor": lambda t, x: x.floor(),
    "trunc": lambda t, x: x.trunc(),
    "sqrt": lambda t, x: x.sqrt(),
}


@pytest.mark.skipif(
    platform.machine().lower() not in ("x86_64", "amd64"), reason="other processors order the zeros, in PyTorch too"
)
@pytest.mark.parametrize("kind", ["float32", "float64", "float16"])
@pytest.mark.parametrize("count", [1, 5, 40, 3000])
@pytest.mark.parametrize("name", KEEP)
def test_the_sign_of_a_zero_stays(torch, name, count, kind):
    x = torch.tensor([0.0, -0.0] * count, dtype=getattr(torch, kind))
    assert signs(KEEP[name](torch, x)) == "+-" * count


def test_a_running_sum_begins_with_zero(torch):
    assert signs(torch.tensor([-0.0, -0.0]).cumsum(0)) == "++"
    assert signs(torch.tensor([-0.0, 2.0]).cumprod(0)) == "--"


@pytest.mark.parametrize(
    "numbers, middle, gradient",
    [
        ([1.0, 3.0, 3.0], 3, [0, 1, 1]),
        ([3.0, 3.0, 3.0, 1.0], 3, [2 / 3, 2 / 3, 2 / 3, 0]),
        ([1.0, 2.0, 2.0, 3.0], 2, [0, 1, 1, 0]),
        ([2.0], 2, [2]),
    ],
)
@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_equal_numbers_share_the_gradient_of_the_middle_one(torch, name, numbers, middle, gradient):
    x = torch.tensor(numbers, requires_grad=True)
    y = getattr(x, name)()
    y.backward(torch.tensor(2.0))
    assert y.item() == middle and torch.allclose(x.grad, torch.tensor(gradient).float())


def test_nan_in_the_middle(torch):
    x = torch.tensor([nan, 1.0, nan], requires_grad=True)
    x.median().backward()
    assert x.grad.tolist() == [0.5, 0, 0.5]
    x.grad = None
    x.nanmedian().backward()
    assert x.grad.tolist() == [0, 1, 0]
    gone = torch.tensor([nan, nan], requires_grad=True)
    gone.nanmedian().backward()
    assert gone.grad.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "numbers, k, place",
    [
        ([3.0, 3.0, 1.0], 2, 0),
        ([2.0, 2.0, 2.0], 2, 0),
        ([0.0, 0.0, 0.0, 0.0], 2, 0),
        ([1.0, 0.0, 1.0, 0.0, 1.0], 2, 3),
        ([5.0, nan, nan, 5.0, nan], 4, 1),
        ([i * 7 % 4 for i in range(40)], 17, 3),
    ],
)
def test_kthvalue_of_equal_numbers_is_the_one_that_pytorch_picks(torch, numbers, k, place):
    assert torch.tensor(numbers).kthvalue(k).indices.item() == place
    assert torch.tensor([numbers, numbers]).t().kthvalue(k, 0).indices.tolist() == [place, place]
