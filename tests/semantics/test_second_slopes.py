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


# where one kernel computes all gradients of an operator, they all lead to what that kernel was given
ALL = {"x": "x", "w": "w", "b": "", "xw": "xw", "xb": "xb", "wb": "wb", "xwb": "xwb"}
KERNELS = {  # a call of x, w, b; their sizes; from the inputs that require grad to the gradients that then do
    "conv1d": (lambda F, x, w, b: F.conv1d(x, w, b), [(2, 3, 5), (2, 3, 2), (2,)], ALL),
    "conv2d": (lambda F, x, w, b: F.conv2d(x, w, b), [(2, 3, 3, 3), (2, 3, 2, 2), (2,)], ALL),
    "conv_transpose1d": (lambda F, x, w, b: F.conv_transpose1d(x, w, b), [(2, 3, 5), (3, 2, 2), (2,)], ALL),
    "conv1d without bias": (lambda F, x, w: F.conv1d(x, w), [(2, 3, 5), (2, 3, 2)], {"x": "x", "w": "w"}),
    "conv_transpose1d without bias": (
        lambda F, x, w: F.conv_transpose1d(x, w),
        [(2, 3, 5), (3, 2, 2)],
        {"x": "x", "w": "w"},
    ),
    "batch_norm": (lambda F, x, w, b: F.batch_norm(x, None, None, w, b, True), [(4, 3), (3,), (3,)], ALL),
    "batch_norm, frozen": (
        lambda F, x, w, b: F.batch_norm(x, x[0].detach(), x[1].detach() ** 2 + 1, w, b),
        [(4, 3), (3,), (3,)],
        ALL,
    ),
    "instance_norm": (lambda F, x, w, b: F.instance_norm(x, None, None, w, b), [(2, 3, 4), (3,), (3,)], ALL),
    "layer_norm": (lambda F, x, w, b: F.layer_norm(x, (3,), w, b), [(4, 3), (3,), (3,)], ALL | {"b": "b"}),
    "group_norm": (
        lambda F, x, w, b: F.group_norm(x, 2, w, b),
        [(4, 4), (4,), (4,)],
        {"x": "x", "w": "w", "b": "", "xw": "xw", "xb": "x", "wb": "w", "xwb": "xw"},
    ),
    "prelu": (lambda F, x, w: F.prelu(x, w), [(4, 3), (3,)], {"x": "x", "w": "w", "xw": "xw"}),
    "linear": (
        lambda F, x, w, b: F.linear(x, w, b),
        [(4, 3), (2, 3), (2,)],
        {"x": "", "w": "", "xb": "", "xw": "xw", "xwb": "xw"},
    ),
    **{
        name: (lambda F, x, name=name, more=more: getattr(F, name)(x, *more), [size], {"x": requires})
        for name, size, more, requires in (
            ("max_pool1d", (1, 2, 4), (2,), "x"),
            ("max_pool2d", (1, 2, 4, 4), (2,), "x"),
            ("avg_pool1d", (1, 2, 4), (2,), "x"),
            ("avg_pool2d", (1, 2, 4, 4), (2,), "x"),
            ("adaptive_avg_pool2d", (1, 2, 4, 4), (2,), "x"),
            ("adaptive_max_pool2d", (1, 2, 4, 4), (2,), "x"),
            ("interpolate", (1, 2, 4), (6,), ""),
        )
    },
    "reflect": (lambda F, x: F.pad(x, (1, 1), "reflect"), [(1, 2, 4)], {"x": "x"}),
    "replicate": (lambda F, x: F.pad(x, (1, 1), "replicate"), [(1, 2, 4)], {"x": "x"}),
    "circular": (lambda F, x: F.pad(x, (1, 1), "circular"), [(1, 2, 4)], {"x": ""}),
}


def kernel(torch, name, wants):
    """The inputs by name, and the gradients of those that require grad, under create_graph."""
    function, sizes, _ = KERNELS[name]
    torch.manual_seed(0)
    inputs = dict(zip("xwb", (torch.randn(size) for size in sizes), strict=False))
    for each in wants:
        inputs[each].requires_grad_()
    y = function(torch.nn.functional, *inputs.values())
    grads = torch.autograd.grad(y, [inputs[each] for each in wants], torch.ones_like(y), create_graph=True)
    return inputs, dict(zip(wants, grads, strict=True))


@pytest.mark.parametrize("name, wants", [(name, wants) for name in KERNELS for wants in KERNELS[name][2]])
def test_gradients_of_one_kernel_require_grad_together(torch, name, wants):
    _, grads = kernel(torch, name, wants)
    assert "".join(each for each in wants if grads[each].requires_grad) == KERNELS[name][2][wants]


@pytest.mark.parametrize("name", ["conv1d", "conv_transpose1d", "batch_norm", "layer_norm"])
def test_what_a_gradient_is_no_function_of_gets_none(torch, name):
    inputs, grads = kernel(torch, name, "xwb")
    for each in inputs.values():
        assert torch.autograd.grad(grads["b"].sum(), each, allow_unused=True, retain_graph=True) == (None,)
    grads["b"].sum().backward(retain_graph=True)
    assert [each.grad for each in inputs.values()] == [None, None, None]


@pytest.mark.parametrize("name", ["prelu", "max_pool1d", "avg_pool2d", "adaptive_max_pool2d", "reflect"])
def test_or_it_gets_zeros(torch, name):
    inputs, grads = kernel(torch, name, "x")
    grads["x"].sum().backward()
    assert inputs["x"].grad.tolist() == torch.zeros(inputs["x"].shape).tolist()


def test_nll_loss_has_zeros_for_a_second_derivative(torch):
    x = torch.randn(2, 3, requires_grad=True)
    loss = torch.nn.functional.nll_loss(x, torch.tensor([0, 2]))
    (first,) = torch.autograd.grad(loss, x, create_graph=True)
    (first * 2).sum().backward()
    assert x.grad.tolist() == [[0.0] * 3] * 2 and first.tolist() == [[-0.5, 0.0, 0.0], [0.0, 0.0, -0.5]]


def test_a_gradient_that_the_reader_gave_keeps_its_own_flags(torch):
    x, b = torch.randn(2, 3), torch.zeros(2, 3, requires_grad=True)
    given = torch.ones(2, 3)
    out = torch.nn.functional.layer_norm(x, (2, 3), torch.ones(2, 3, requires_grad=True), b)
    (grad,) = torch.autograd.grad(out, b, given, create_graph=True)
    assert grad.requires_grad and not given.requires_grad and given.grad_fn is None
