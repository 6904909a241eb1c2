"""Second derivatives where a formula could overflow behind a `where`, and at kinks: finite, and PyTorch's."""

import math

import pytest

FAR = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -3.0, 6.0, 20.0, -20.0, 100.0, -100.0, 1e4, -1e4, 1e-8]


def slopes(torch, function, numbers, dtype="float32"):
    """First and second derivatives of the sum."""
    x = torch.tensor(numbers, dtype=getattr(torch, dtype), requires_grad=True)
    y = function(x)
    (first,) = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)
    (second,) = torch.autograd.grad(first, x, torch.ones_like(first), allow_unused=True)
    return first.tolist(), [0.0] * len(numbers) if second is None else second.tolist()


ACTIVATIONS = [
    "relu",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "relu6",
    "silu",
    "gelu",
    "softplus",
    "softsign",
    "logsigmoid",
]
ACTIVATIONS += ["logsigmoid", "tanh", "sigmoid", "hardtanh", "tanhshrink", "hardswish"]
LOSSES = ["mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [*ACTIVATIONS, *LOSSES])
def test_slopes_stay_finite_far_away(torch, name, dtype):
    function = getattr(torch.nn.functional, name)
    if name in LOSSES:
        for target in (torch.zeros, torch.ones):
            to = target(len(FAR), dtype=getattr(torch, dtype))
            found = slopes(torch, lambda x, to=to: function(x, to, reduction="none"), FAR, dtype)
            assert all(map(math.isfinite, [*found[0], *found[1]]))
    else:
        found = slopes(torch, function, FAR, dtype)
        assert all(map(math.isfinite, [*found[0], *found[1]]))


@pytest.mark.parametrize(
    "name, numbers, first, second",
    [
        ("elu", [0.0, -1.0, 100.0], [1, math.exp(-1), 1], [0, math.exp(-1), 0]),
        ("selu", [0.0, 100.0], [1.7581, 1.0507], [0, 0]),
        ("celu", [0.0, -1.0, 100.0], [1, math.exp(-1), 1], [0, math.exp(-1), 0]),
        ("hardtanh", [-1.0, 0.0, 1.0], [0, 1, 0], [0, 0, 0]),
        ("relu6", [0.0, 3.0, 6.0], [0, 1, 0], [0, 0, 0]),
    ],
)
def test_second_slopes_of_activations_at_kinks(torch, name, numbers, first, second):
    found = slopes(torch, getattr(torch.nn.functional, name), numbers)
    assert found[0] == pytest.approx(first, rel=1e-4) and found[1] == pytest.approx(second, rel=1e-4)


@pytest.mark.parametrize(
    "name, options, second",
    [
        ("smooth_l1_loss", {}, [0, 1, 0, 0]),
        ("smooth_l1_loss", {"beta": 2.0}, [0.5, 0.5, 0, 0.5]),
        ("huber_loss", {}, [0, 1, 0, 0]),
        ("huber_loss", {"delta": 2.0}, [1, 1, 0, 1]),
    ],
)
def test_second_slopes_of_losses_where_the_parabola_ends(torch, name, options, second):
    def loss(x):
        return getattr(torch.nn.functional, name)(x, torch.zeros(4), reduction="none", **options)

    assert slopes(torch, loss, [1.0, 0.0, 2.0, -1.0])[1] == second


def test_second_slopes_of_a_norm_with_zeros(torch):
    assert slopes(torch, lambda x: x.norm(3), [0.0, 0.0]) == ([0, 0], [0, 0])
    first, second = slopes(torch, lambda x: x.norm(3), [0.0, 1.0, -2.0])
    assert first == pytest.approx([0, 0.2311, -0.9245], rel=1e-3) and all(map(math.isfinite, second))
    first, second = slopes(torch, lambda x: x.norm(1.5), [0.0, 1.0, -1.0])
    assert first == pytest.approx([0, 0.7937, -0.7937], rel=1e-3)
    assert second[1:] == pytest.approx([0.3969, 0.3969], rel=1e-3)


@pytest.mark.parametrize("name, node", [("selu", "EluBackward0"), ("celu", "CeluBackward0"), ("elu", "EluBackward0")])
@pytest.mark.parametrize("inplace", [False, True])
def test_elu_and_its_relatives_are_one_node(torch, name, node, inplace):
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    y = getattr(torch.nn.functional, name)(x * 1, inplace=inplace)
    assert inplace or y.grad_fn.name() == node
    y.sum().backward()
    if inplace:
        expected = getattr(torch.nn.functional, name)
        z = torch.tensor([-1.0, 2.0], requires_grad=True)
        expected(z).sum().backward()
        assert torch.allclose(x.grad, z.grad)


def test_huber_loss_is_one_node(torch):
    x = torch.tensor([0.5, 3.0], requires_grad=True)
    loss = torch.nn.functional.huber_loss(x, torch.zeros(2), delta=2.0)
    assert loss.grad_fn.name() == "HuberLossBackward0"
    loss.backward()
    assert loss.item() == pytest.approx(2.0625) and x.grad.tolist() == [0.25, 1.0]
