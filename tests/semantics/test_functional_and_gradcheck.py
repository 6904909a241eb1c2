"""Derivatives of whole functions in strict mode, and what gradcheck refuses."""

import pytest
from saying import says

STRICT = " This is not allowed in strict mode."
GRAPH = (
    "Output 0 of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
ALONE = "The output of the user-provided function is independent of input 1." + STRICT
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
    "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for "
    "example)."
)
KEPT = "The {} of the user-provided function is independent of input {}. This is not allowed in strict mode when "
KEPT += "create_graph=True."
FUNCTIONS = {
    "constant": lambda torch: lambda x, y: torch.ones(()),
    "of the first": lambda torch: lambda x, y: (x * x * x).sum(),
    "linear": lambda torch: lambda x, y: (2 * x + y).sum(),
    "linear in each": lambda torch: lambda x, y: (x * y).sum(),
    "a sum": lambda torch: lambda x, y: (x * x + y * y).sum(),
    "a vector": lambda torch: lambda x, y: (x * y, 3 * x + y),
    "cubic": lambda torch: lambda x, y: (x * x * x * y * y * y).sum(),
}
REFUSED = {  # (which, of what): what strict mode says; under create_graph too, or then
    ("jacobian", "constant", False): GRAPH,
    ("jacobian", "of the first", False): "Output 0 of the user-provided function is independent of input 1." + STRICT,
    ("jacobian", "linear", True): KEPT.format("jacobian", 0),
    ("jacobian", "a vector", True): KEPT.format("jacobian", 1),
    ("vjp", "constant", False): GRAPH,
    ("vjp", "of the first", False): ALONE,
    ("vjp", "linear", True): KEPT.format("jacobian", 0),
    ("jvp", "constant", False): GRAPH,
    ("jvp", "of the first", False): ALONE,
    ("hessian", "constant", False): GRAPH,
    ("hessian", "of the first", False): LINEAR.format(1),
    ("hessian", "linear", False): LINEAR.format(0),
    ("hessian", "a sum", False): "Output 0 of the user-provided function is independent of input 1." + STRICT,
    ("hessian", "linear in each", False): "Output 0 of the user-provided function is independent of input 0." + STRICT,
    ("vhp", "constant", False): GRAPH,
    ("vhp", "of the first", False): ALONE,
    ("vhp", "linear", False): LINEAR.format(0),
    ("vhp", "linear in each", True): KEPT.format("hessian", 0),
    ("hvp", "constant", False): GRAPH,
    ("hvp", "of the first", False): ALONE,
    ("hvp", "linear", False): LINEAR.format(0),
}


def call(torch, which, function, **how):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    more = {}
    if which in ("jvp", "vhp", "hvp"):
        more = {"v": (torch.ones(2), torch.ones(2))}
    return getattr(torch.autograd.functional, which)(FUNCTIONS[function](torch), (x, y), **more, **how)


@pytest.mark.parametrize("which, function, create_graph", REFUSED)
def test_strict_mode_refuses_what_does_not_depend(torch, which, function, create_graph):
    with says(RuntimeError, REFUSED[which, function, create_graph]):
        call(torch, which, function, strict=True, create_graph=create_graph)
    call(torch, which, function, create_graph=create_graph)  # zeros


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("which", ["jacobian", "vjp", "jvp", "hessian", "vhp", "hvp"])
def test_strict_mode_changes_no_number(torch, which, create_graph):
    def numbers(result):
        return [numbers(part) for part in result] if isinstance(result, tuple) else result.tolist()

    strict = call(torch, which, "cubic", strict=True, create_graph=create_graph)
    assert numbers(strict) == numbers(call(torch, which, "cubic"))


def test_a_vector_that_does_not_fit_is_told_by_its_entry(torch):
    x = torch.ones(2)
    with says(RuntimeError, "Entry 1 in v has invalid size: should be torch.Size([2]) but got torch.Size([3])."):
        torch.autograd.functional.hvp(FUNCTIONS["cubic"](torch), (x, x), v=(x, torch.ones(3)))


# gradcheck


def of(torch, forward, backward):
    class Made(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return forward(x)

        @staticmethod
        def backward(ctx, grad):
            return backward(grad, *ctx.saved_tensors)

    return Made.apply


@pytest.fixture
def double(torch):
    return torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)


def test_gradcheck_refuses_a_backward_that_is_not_the_same_twice(torch, double):
    count = iter(range(1000))
    wavering = of(torch, lambda x: x * x, lambda grad, x: grad * 2 * x + 1e-7 * next(count) * grad)
    text = (
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
        "different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was"
    )
    with pytest.raises(RuntimeError) as error:
        torch.autograd.gradcheck(wavering, double)
    assert type(error.value).__name__ == "GradcheckError" and str(error.value).startswith(text + " 0.0.\n\nNOTE: If")
    assert not torch.autograd.gradcheck(wavering, double, raise_exception=False)
    assert torch.autograd.gradcheck(wavering, double, nondet_tol=1e-4)


@pytest.mark.parametrize("check", ["gradcheck", "gradgradcheck"])
def test_gradcheck_refuses_an_expanded_input(torch, double, check):
    text = (
        "The 1th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be "
        "able to compute the numerical gradients correctly. You should call .contiguous on the input before passing it "
        "to gradcheck."
    )
    expanded = double.detach().expand(3, 2).requires_grad_()
    with says(RuntimeError, text):
        getattr(torch.autograd, check)(lambda x, y: x * y, (double, expanded))
    single = double.detach()[:, :1].expand(1, 1).requires_grad_()
    assert getattr(torch.autograd, check)(lambda x: x * x, single)


def test_gradcheck_refuses_a_backward_that_adds(torch, double):
    adding = of(torch, lambda x: x.detach() * 1, lambda grad, x: (grad != 0) * 1.0 + (grad == 0).all() * 1.0)
    with pytest.raises(RuntimeError, match="backward not multiplied by grad_output"):
        torch.autograd.gradcheck(adding, double)


def test_zeros_that_autograd_grad_makes_require_grad_under_create_graph(torch, w):
    y = (w * 2).sum()
    other = torch.ones(2, requires_grad=True)
    for create_graph in (False, True):
        (zeros,) = torch.autograd.grad(y, other, materialize_grads=True, create_graph=create_graph, retain_graph=True)
        assert zeros.tolist() == [0, 0] and zeros.requires_grad is create_graph and zeros.is_leaf


def test_a_hessian_under_create_graph_tells_that_its_input_was_changed(torch):
    x = torch.ones(3)
    second = torch.autograd.functional.hessian(lambda x: (x**3).sum(), x, create_graph=True)
    x.mul_(2)
    with pytest.raises(
        RuntimeError, match=r"\[torch.FloatTensor \[3\]\], which is output 0 of AsStrided, is at version"
    ):
        second.sum().backward()
