"""`autograd.grad`, `backward(inputs=...)`, higher order, `autograd.functional` and the gradient checkers."""

import warnings

import pytest
from saying import says, warns

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
    "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
    "this. If you have to use this function, make sure to reset the .grad fields of your parameters to None "
    "after use to break the cycle and avoid the leak."
)


def unused(index):
    return (
        f"The differentiated Tensor at index {index} appears to not have been used in the graph. Set allow_unused=True "
        "if this is the desired behavior."
    )


@pytest.fixture
def x(torch):
    return torch.tensor(2.0, requires_grad=True)


# autograd.grad


def test_grad_gives_a_tuple_and_leaves_grad_alone(torch, w):
    result = torch.autograd.grad((w * w).sum(), w)
    assert isinstance(result, tuple) and result[0].tolist() == [2, 4, 6] and w.grad is None


def test_grad_reaches_results_in_between(torch, x):
    y = x * 3
    z = y * y
    assert [g.item() for g in torch.autograd.grad(z, [y, x])] == [12, 36]


def test_grad_of_a_tensor_by_itself_is_one(torch, x):
    y = x * 3
    assert torch.autograd.grad(y, y)[0].item() == 1 and torch.autograd.grad(x, x)[0].item() == 1


@pytest.mark.parametrize("index", [0, 1])
def test_what_was_not_used_is_an_error(torch, x, w, index):
    inputs = [x, x]
    inputs[index] = w
    with says(RuntimeError, unused(index)):
        torch.autograd.grad(x * 2, inputs)


def test_allow_unused_gives_none_and_materialize_grads_zeros(torch, x, w):
    assert torch.autograd.grad(x * 2, [x, w], allow_unused=True)[1] is None
    assert torch.autograd.grad(x * 2, [x, w], materialize_grads=True)[1].tolist() == [0, 0, 0]


def test_materialize_grads_contradicts_allow_unused_false(torch, x):
    text = "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
    with says(ValueError, text):
        torch.autograd.grad(x * 2, x, materialize_grads=True, allow_unused=False)


def test_grad_by_what_needs_none_is_an_error(torch, x):
    with says(RuntimeError, "One of the differentiated Tensors does not require grad"):
        torch.autograd.grad(x * 2, [x, torch.ones(1)])


def test_grad_by_nothing_is_an_error(torch, x):
    with says(RuntimeError, "`inputs` argument to `grad()` cannot be empty."):
        torch.autograd.grad(x * 2, [])


def test_grad_of_several_elements_needs_grad_outputs(torch, w):
    with says(RuntimeError, "grad can be implicitly created only for scalar outputs"):
        torch.autograd.grad(w * 2, w)
    assert torch.autograd.grad(w * 2, w, torch.ones(3))[0].tolist() == [2, 2, 2]


def test_grad_outputs_must_fit(torch, w):
    text = (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a shape of torch.Size([3])."
    )
    with says(RuntimeError, text):
        torch.autograd.grad(w * 2, w, torch.ones(2))


def test_several_outputs_add_up_with_none_for_a_scalars_gradient(torch, w):
    assert torch.autograd.grad([w * 2, w.sum()], w, [torch.ones(3), None])[0].tolist() == [3, 3, 3]


# backward(inputs=...)


def test_inputs_fills_only_those(torch, x):
    other = torch.tensor(5.0, requires_grad=True)
    (x * other).backward(inputs=[x])
    assert x.grad.item() == 5 and other.grad is None


@pytest.mark.parametrize("as_list", [True, False])
def test_inputs_fills_results_too(torch, x, as_list):
    y = x * 3
    (y * y).backward(inputs=[y] if as_list else y)
    assert y.grad.item() == 12 and x.grad is None


def test_inputs_that_were_not_used_get_nothing(torch, x, w):
    (x * 2).backward(inputs=[w])
    assert w.grad is None and x.grad is None


def test_inputs_cannot_be_empty(torch, x):
    with says(RuntimeError, "`inputs` argument to `backward()` cannot be empty."):
        (x * 2).backward(inputs=[])


# Higher order


def test_without_create_graph_gradients_have_no_graph(torch, x):
    (g,) = torch.autograd.grad(x**3, x)
    assert not g.requires_grad
    with says(RuntimeError, "element 0 of tensors does not require grad and does not have a grad_fn"):
        torch.autograd.grad(g, x)


def test_create_graph_gives_higher_derivatives(torch, x):
    y, values = x**4, []
    for _ in range(4):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        values.append(y.item())
    assert values == [32, 48, 48, 24]


def test_backward_with_create_graph_warns_of_the_cycle(torch, x):
    y = x * x
    with warns(CYCLE):
        y.backward(create_graph=True)
    assert x.grad.requires_grad and x.grad.grad_fn is not None
    x.grad = None


def test_it_warns_when_the_pass_is_over(torch, x):
    x.register_hook(lambda grad: warnings.warn("from the hook", stacklevel=1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (x * x).backward(create_graph=True)
    assert [str(each.message) for each in caught][0] == "from the hook" and len(caught) == 2
    x.grad = None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "from the hook")
        with pytest.raises(UserWarning, match="reference cycle"):
            (x * x).backward(create_graph=True)
    assert x.grad.item() == 2 * x.item()
    x.grad = None


def test_a_gradient_can_be_part_of_a_loss(torch, x):
    (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    (slope**2).backward()  # (3 x²)² has slope 36 x³
    assert x.grad.item() == 288


@pytest.mark.parametrize(
    "function, second",
    [
        (lambda x: x.exp(), lambda x: x.exp()),
        (lambda x: x.sin(), lambda x: -x.sin()),
        (lambda x: x.tanh(), lambda x: -2 * x.tanh() * (1 - x.tanh() ** 2)),
        (lambda x: x.sigmoid(), lambda x: x.sigmoid() * (1 - x.sigmoid()) * (1 - 2 * x.sigmoid())),
        (lambda x: x.log(), lambda x: -1 / x**2),
        (lambda x: x.sqrt(), lambda x: -0.25 * x**-1.5),
        (lambda x: 1 / x, lambda x: 2 / x**3),
        (lambda x: x.relu() * x, lambda x: x * 0 + 2),
        (lambda x: 2**x, lambda x: 2**x * 0.4804530139182014),
    ],
)
def test_second_derivatives(torch, function, second):
    x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    assert torch.allclose(gg, second(x.detach()))


def test_mixed_second_derivatives_agree(torch, x):
    y = torch.tensor(3.0, requires_grad=True)
    z = x**2 * y**3
    dx, dy = torch.autograd.grad(z, [x, y], create_graph=True)
    assert torch.autograd.grad(dx, y)[0].item() == torch.autograd.grad(dy, x)[0].item() == 108


# gradcheck


@pytest.fixture
def d(torch):
    return torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)


def test_gradcheck_accepts_true_slopes(torch, d):
    assert torch.autograd.gradcheck(lambda x: x * x.exp(), d) is True
    assert torch.autograd.gradcheck(lambda x, y: (x * y, x.sum()), (d, d.detach().clone().requires_grad_()))
    assert torch.autograd.gradgradcheck(lambda x: x**3, d) is True


def test_gradcheck_catches_a_wrong_slope_and_shows_both_jacobians(torch, d):
    text = (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[2.0000, 0.0000],\n        [0.0000, 4.0000]], dtype=torch.float64)\n"
        "analytical:tensor([[1., 0.],\n        [0., 2.]], dtype=torch.float64)\n"
    )
    with pytest.raises(RuntimeError) as caught:
        torch.autograd.gradcheck(lambda x: x * x.detach(), d)
    assert str(caught.value) == text and caught.type.__name__ == "GradcheckError"
    assert torch.autograd.gradcheck(lambda x: x * x.detach(), d, raise_exception=False) is False


def test_gradcheck_catches_a_lost_graph(torch, d):
    with pytest.raises(RuntimeError, match="Numerical gradient for function expected to be zero"):
        torch.autograd.gradcheck(lambda x: x.detach(), d)


def test_gradcheck_warns_of_single_precision(torch, w):
    text = (
        "Input #0 requires gradient and is not a double precision floating point or complex. This check will "
        "likely fail if all the inputs are not of double precision floating point or complex. "
    )
    with warns(text):
        assert not torch.autograd.gradcheck(lambda x: x * x, w, raise_exception=False)


def test_gradcheck_needs_an_input_that_requires_grad(torch):
    text = "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
    with says(ValueError, text):
        torch.autograd.gradcheck(lambda x: x, torch.ones(2, dtype=torch.float64))


# functional


def test_jacobian(torch):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    jacobian = torch.autograd.functional.jacobian
    assert jacobian(lambda x: x**2, x).tolist() == [[2, 0], [0, 4]]
    assert [j.tolist() for j in jacobian(lambda x, y: x * y, (x, y))] == [[[3, 0], [0, 4]], [[1, 0], [0, 2]]]
    assert [j.tolist() for j in jacobian(lambda x: (x**2, x.sum()), x)] == [[[2, 0], [0, 4]], [1, 1]]
    assert jacobian(lambda x: x**2, x, create_graph=True).requires_grad


def test_jacobian_of_a_constant_is_zero_and_an_error_when_strict(torch):
    jacobian = torch.autograd.functional.jacobian
    assert jacobian(lambda x: x.detach(), torch.ones(2)).tolist() == [[0, 0], [0, 0]]
    text = (
        "Output 0 of the user-provided function does not require gradients. The outputs must be computed in a "
        "differentiable manner from the input when running in strict mode."
    )
    with says(RuntimeError, text):
        jacobian(lambda x: x.detach(), torch.ones(2), strict=True)
    assert jacobian(lambda x: x * 2, torch.ones(1), strict=True).item() == 2


def test_hessian(torch):
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    hessian = torch.autograd.functional.hessian
    assert hessian(lambda x: (x**3).sum(), x).tolist() == [[6, 0], [0, 12]]
    (xx, xy), (yx, yy) = hessian(lambda x, y: (x * y).sum() ** 2, (x, y))
    assert xy.tolist() == yx.T.tolist() == [[28, 12], [8, 38]]
    assert xx.tolist() == [[18, 24], [24, 32]] and yy.tolist() == [[2, 4], [4, 8]]


def test_hessian_is_of_one_number(torch):
    with says(RuntimeError, "The Tensor returned by the function given to hessian should contain a single element"):
        torch.autograd.functional.hessian(lambda x: x**3, torch.ones(2))


@pytest.mark.parametrize("name", ["vjp", "jvp"])
def test_products_with_the_jacobian(torch, name):
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    value, product = getattr(torch.autograd.functional, name)(lambda x: x**2, x, v)
    assert value.tolist() == [1, 4] and product.tolist() == [6, 16]


@pytest.mark.parametrize("name", ["vjp", "jvp", "vhp", "hvp"])
def test_products_of_what_does_not_depend_on_its_input_are_zero(torch, name):
    x = torch.tensor([2.0])
    for function in (lambda x: torch.ones(1), lambda x: x.detach()):
        assert getattr(torch.autograd.functional, name)(function, x, x)[1].tolist() == [0]


@pytest.mark.parametrize("name", ["hvp", "vhp"])
def test_products_with_the_hessian(torch, name):
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    value, product = getattr(torch.autograd.functional, name)(lambda x: (x**3).sum(), x, v)
    assert value.item() == 9 and product.tolist() == [18, 48]


@pytest.mark.parametrize(
    "error, text, call",
    [
        (
            RuntimeError,
            "The vector v can only be None if the user-provided function returns a single Tensor with a single "
            "element.",
            lambda f, x: f.vjp(lambda x: x**2, x),
        ),
        (
            RuntimeError,
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element.",
            lambda f, x: f.jvp(lambda x: x**2, x),
        ),
        (
            RuntimeError,
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element.",
            lambda f, x: f.hvp(lambda x: x.sum(), x),
        ),
        (
            TypeError,
            "The v given to vjp must be either a Tensor or a tuple of Tensors but the given v has type <class 'int'>.",
            lambda f, x: f.vjp(lambda x: x, x, 3),
        ),
        (
            RuntimeError,
            "v has invalid size: should be torch.Size([2]) but got torch.Size([1]).",
            lambda f, x: f.vjp(lambda x: x**2, x, x[:1]),
        ),
        (
            TypeError,
            "The outputs of the user-provided function given to jacobian must be either a Tensor or a tuple of "
            "Tensors but the given outputs of the user-provided function has type <class 'int'>.",
            lambda f, x: f.jacobian(lambda x: 3, x),
        ),
        (
            TypeError,
            "The inputs given to jacobian must be either a Tensor or a tuple of Tensors but the given inputs has type "
            "<class 'int'>.",
            lambda f, x: f.jacobian(lambda x: x, 3),
        ),
        (
            TypeError,
            "The inputs given to hessian must be either a Tensor or a tuple of Tensors but the given inputs has type "
            "<class 'int'>.",
            lambda f, x: f.hessian(lambda x: x, 3),
        ),
        (
            RuntimeError,
            "The Tensor returned by the function given to hvp should contain a single element",
            lambda f, x: f.hvp(lambda x: x, x, x),
        ),
        (
            RuntimeError,
            "The given v should contain a single Tensor.",
            lambda f, x: f.vhp(lambda x: x.sum(), x, (x, x)),
        ),
        (
            RuntimeError,
            "v is a tuple of invalid length: should be 2 but got 1.",
            lambda f, x: f.jvp(lambda a, b: a * b, (x, x), x),
        ),
    ],
)
def test_what_the_functional_forms_refuse(torch, error, text, call):
    with says(error, text):
        call(torch.autograd.functional, torch.ones(2))


@pytest.mark.parametrize(
    "name, function, vectors, value, product",
    [
        ("vjp", lambda x, y: x * y, (1,), [3, 8], ([3, 4], [1, 2])),
        ("vjp", lambda x, y: (x * y, x + 1), (1, 2), ([3, 8], [2, 3]), ([5, 6], [1, 2])),
        ("jvp", lambda x, y: x * y, (1, 2), [3, 8], [5, 8]),
        ("jvp", lambda x, y: (x * y, x + 1), (1, 2), ([3, 8], [2, 3]), ([5, 8], [1, 1])),
        ("vhp", lambda x, y: (x * y * y).sum(), (1, 2), 41, ([12, 16], [10, 16])),
        ("hvp", lambda x, y: (x * y * y).sum(), (1, 2), 41, ([12, 16], [10, 16])),
    ],
)
def test_products_of_several(torch, name, function, vectors, value, product):
    inputs = (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    vectors = tuple(torch.full((2,), float(v)) for v in vectors)
    found = getattr(torch.autograd.functional, name)(function, inputs, vectors if len(vectors) > 1 else vectors[0])
    numbers = tuple(tuple(t.tolist() for t in part) if isinstance(part, tuple) else part.tolist() for part in found)
    assert numbers == (value, product)
    assert not inputs[0].requires_grad and inputs[0].grad is None


@pytest.mark.parametrize("name", ["vjp", "jvp", "vhp", "hvp"])
def test_the_vector_of_one_number_may_be_left_out(torch, name):
    product = getattr(torch.autograd.functional, name)
    assert [t.item() for t in product(lambda x: x**3, torch.tensor(2.0))] == [8, 12]


@pytest.mark.parametrize("name", ["vjp", "jvp", "vhp", "hvp"])
def test_products_can_be_differentiated_if_asked_to(torch, w, name):
    product = getattr(torch.autograd.functional, name)
    start, v = (w, None if name == "vjp" else torch.ones(3))
    value, plain = product(lambda x: (x**3).sum(), start, v)
    assert not value.requires_grad and not plain.requires_grad
    value, kept = product(lambda x: (x**3).sum(), start, v, create_graph=True)
    assert value.requires_grad and kept.equal(plain)
    kept.sum().backward()
    assert w.grad.tolist() == ([6, 12, 18] if name in ("vjp", "jvp") else [6, 6, 6])


def test_a_hessian_is_plain_unless_asked_for_a_graph(torch, w):
    hessian = torch.autograd.functional.hessian
    assert not hessian(lambda x: (x**3).sum(), w).requires_grad
    hessian(lambda x: (x**3).sum(), w, create_graph=True).sum().backward()
    assert w.grad.tolist() == [6, 6, 6]
    with says(RuntimeError, "The function given to hessian should return a single Tensor"):
        hessian(lambda x: (x.sum(),), w)


def test_grad_frees_only_what_ran(torch):
    x = torch.tensor([2.0], requires_grad=True)
    h = x.exp()
    (g,) = torch.autograd.grad(h * h, h)
    assert torch.autograd.grad(h, x, g)[0].allclose(2 * (2 * x).exp())


def test_a_node_that_is_only_reached_runs_no_hooks_of_its_own(torch):
    x = torch.tensor([2.0], requires_grad=True)
    h, seen = x.exp(), []
    h.grad_fn.register_prehook(lambda grads: seen.append("before"))
    h.grad_fn.register_hook(lambda inputs, outputs: seen.append("after"))
    h.register_hook(lambda grad: seen.append("tensor"))
    torch.autograd.grad(h * h, h)
    assert seen == ["tensor"]


def test_a_gradient_with_a_graph_lies_as_the_weight_does(torch):  # `.view(-1)` of it is a line of every TRPO
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))
    x = torch.ones(5, 4)
    for loss in (net(x).pow(2).sum(), net(x).sum() * net(x).pow(2).mean()):  # the second uses each weight twice
        gradients = torch.autograd.grad(loss, net.parameters(), create_graph=True)
        assert [g.stride() for g in gradients] == [p.stride() for p in net.parameters()]
        assert type(gradients[-2].grad_fn).__name__ in ("TBackward0", "AddBackward0")
        flat = torch.cat([g.view(-1) for g in gradients])
        assert all(g.isfinite().all() for g in torch.autograd.grad(flat.pow(2).sum(), net.parameters()))


def test_a_gradient_with_a_graph_may_be_changed_in_place(torch):
    weight = torch.ones(2, 3, requires_grad=True)
    (g,) = torch.autograd.grad((torch.ones(4, 3) @ weight.t()).pow(2).sum(), weight, create_graph=True)
    before = g.detach().clone()
    g.mul_(2)
    assert g.tolist() == (before * 2).tolist()


def test_gradients_of_other_products_lie_where_they_fall(torch):
    a, b = torch.ones(3, 4, requires_grad=True), torch.ones(4, 5, requires_grad=True)
    gradients = torch.autograd.grad((a @ b).pow(2).sum(), (a, b), create_graph=True)
    assert [g.stride() for g in gradients] == [(4, 1), (5, 1)]
    c = torch.ones(4, 3, requires_grad=True)
    (g,) = torch.autograd.grad((c.t() @ b).pow(2).sum(), c, create_graph=True)
    assert g.stride() == (3, 1)


# `Variable`, which tensors once had to be put in


def test_a_volatile_variable_is_an_ordinary_one(torch):
    said = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
    with warns(said):
        v = torch.autograd.Variable(torch.ones(2), volatile=True)
    assert not v.requires_grad
    assert torch.autograd.Variable(torch.ones(2), requires_grad=True, volatile=False).requires_grad
    with warns(said), says(ValueError, "Variable can't be volatile and require_grad at the same time!"):
        torch.autograd.Variable(torch.ones(2), True, True)


@pytest.mark.parametrize("given", [None, [1.0, 2.0]], ids=["spread out by sum", "given"])
def test_under_create_graph_inputs_that_share_a_gradient_get_one_tensor(torch, given):
    a, b = (torch.ones(2, requires_grad=True) for _ in range(2))
    y = a + b
    root, grad = (y.sum(), None) if given is None else (y, torch.tensor(given))
    found = torch.autograd.grad(root, [y, a, b], grad, create_graph=True)
    assert found[0] is found[1] is found[2]
    if given is not None:  # else PyTorch refuses: the memory is spread out
        found[1].mul_(2)
    assert found[0].tolist() == found[2].tolist() == ([2.0, 4.0] if given else [1.0, 1.0])
