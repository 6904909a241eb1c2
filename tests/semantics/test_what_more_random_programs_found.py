"""What `python -m tests.fuzz --seed 20000 --count 20000` found, each by its cause: the first 20,000 agreed by then."""

import pytest
from saying import says

INF = float("inf")


def text(numbers):
    """The numbers as text, so that -0 and nan can be compared."""
    return str([*map(float, getattr(numbers, "detach", lambda: numbers)())])


def test_a_power_of_a_half_is_a_root(torch):
    x = torch.tensor([4.0, -0.0, -INF], requires_grad=True)
    assert text(x**0.5) == text([2.0, -0.0, float("nan")])
    assert text(x**-0.5) == text([0.5, -INF, float("nan")])
    (x**0.5).sum().backward()
    assert text(x.grad) == text([0.25, -INF, float("nan")])
    assert text(torch.tensor([-0.0]).pow_(-0.5)) == text([-INF])


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_in_place_with_alpha_is_one_node(torch, sign):
    """A hook on it sees both gradients."""
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    (y.add_ if sign > 0 else y.sub_)(y, alpha=0.5)
    seen = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.extend(inputs))
    y.sum().backward()
    assert [g.tolist() for g in seen] == [[1.0, 1.0], [sign * 0.5] * 2]
    assert x.grad.tolist() == [2 * (1 + sign * 0.5)] * 2


def without_gradient(torch):
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, grad):
            return None, grad

    return First.apply


@pytest.mark.parametrize("pieces", [lambda x: x.unbind(), lambda x: x.split(1), lambda x: x.chunk(2)])
def test_where_no_output_gets_a_gradient_none_is_handed_on(torch, pieces):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    first, second = pieces(x)
    without_gradient(torch)(first, y).sum().backward()
    assert x.grad is None and y.grad.tolist() == [1.0, 1.0, 1.0]
    (without_gradient(torch)(first * 1, y) + second).sum().backward()
    assert x.grad.tolist() == [[0.0] * 3, [1.0] * 3]


@pytest.mark.parametrize(("loss", "options"), [("mse_loss", {}), ("huber_loss", {"delta": 500.0})])
def test_the_loss_of_each_element_is_rounded_to_float16(torch, loss, options):
    """The mean of these fits into float16, but one of the squares does not."""
    x = torch.tensor([0.0] * 9 + [400.0], dtype=torch.float16)
    assert getattr(torch.nn.functional, loss)(x, torch.zeros_like(x), **options).item() == INF


@pytest.mark.parametrize(
    ("name", "options", "writes"),
    [
        ("SGD", {"momentum": 0.9, "weight_decay": 0.1}, 1),
        ("Adam", {"weight_decay": 0.1}, 1),
        ("AdamW", {}, 2),
        ("AdamW", {"weight_decay": 0}, 1),
        ("NAdam", {}, 2),
        ("NAdam", {"weight_decay": 0.1, "decoupled_weight_decay": True}, 3),
        ("RAdam", {"weight_decay": 0.1, "decoupled_weight_decay": True}, 2),
        ("ASGD", {}, 2),
        ("Adagrad", {}, 1),
    ],
)
def test_a_step_counts_as_often_as_it_writes(torch, name, options, writes):
    w = torch.ones(2, requires_grad=True)
    optimizer = getattr(torch.optim, name)([w], lr=0.1, **options)
    for step in range(1, 3):
        w.grad = torch.ones(2)
        optimizer.step()
        assert w._version == step * writes


def test_an_integer_wraps_around_before_the_remainder(torch):
    x = torch.arange(1, 4, dtype=torch.uint8)
    assert (-1 % x).tolist() == [255 % n for n in (1, 2, 3)]
    assert (-1 % x[:0]).tolist() == []
    assert (300**x).tolist() == [44**n % 256 for n in (1, 2, 3)]


def test_a_bool_is_refused_before_the_memory(torch):
    spread = torch.tensor([True]).expand(3)
    with says(RuntimeError, "Boolean inputs not supported for relu"):
        spread.relu_()
    text = "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
    with says(RuntimeError, text + "use the `~` or `logical_not()` operator instead."):
        torch.ones(1).expand(2).sub_(torch.tensor([True, False]))


SEVERAL = (
    "is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such "
    "functions do not allow the output views to be modified inplace. You should replace the inplace operation by an "
    "out-of-place one."
)


def test_operators_of_two_forms_keep_their_number_in_errors(torch):
    first, _ = torch.ones(2, 1, requires_grad=True).unbind()
    with says(RuntimeError, f"Output 0 of Squeeze1 {SEVERAL}"):
        first.squeeze(0).mul_(2)


@pytest.mark.parametrize(("changed", "name"), [("base", "AsStrided"), ("view", "Exp")])
def test_a_changed_result_of_a_view_is_named_by_the_view_while_that_is_of_today(torch, changed, name):
    base = torch.ones(6, requires_grad=True) * 1
    view = base[::2]
    view.exp_()
    (base if changed == "base" else view).add_(1)
    with pytest.raises(RuntimeError, match=f"output 0 of {name}, is at version 2"):
        base.sum().backward()


def test_a_view_that_leads_nowhere_makes_nothing_saved_before_an_error(torch):
    seen = []
    x = torch.ones(3, 2, requires_grad=True)
    with torch.no_grad():
        flat = x.view(-1)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(tuple(t.shape)), lambda t: t):
        with pytest.raises(RuntimeError, match="must match the size of tensor b"):
            x * flat
    assert seen == [(6,)]


@pytest.mark.parametrize("call", [lambda x: x.amax(5), lambda x: x.tril()])
def test_the_history_of_a_view_is_looked_at_before_the_axes(torch, call):
    base = torch.ones(3, 2, requires_grad=True) * 1
    with torch.no_grad():
        view = base.view(-1)
    base.mul_(2)
    with pytest.raises(RuntimeError, match="^A view was created in no_grad mode and its base or another view of its"):
        call(view)


def test_masked_fill_warns_of_spread_out_memory_before_it_compares_sizes(torch):
    spread = torch.ones(5, 1).expand(5, 3)
    with pytest.warns(UserWarning, match="^Use of masked_fill_ on expanded tensors is deprecated"):
        with pytest.raises(RuntimeError, match="must match the size of tensor b"):
            spread.masked_fill_(torch.ones(2, 3) > 0, 0.5)


DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, please "
    "use out-of-place `.detach()` instead"
)


@pytest.mark.parametrize(
    "use", [lambda x: x * x, lambda x: x.amin(0), lambda x: x.prod(0), lambda x: x.std(), lambda x: x.abs()]
)
def test_a_saved_tensor_may_not_be_detached_in_place_before_backward(torch, use):
    x = torch.tensor([1.0, 2.0], requires_grad=True) * 2
    y = use(x)
    x.detach_()
    with says(RuntimeError, DETACHED):
        y.sum().backward()


def test_a_result_may_be_detached_in_place_and_the_next_loss_knows_it_only_as_a_leaf(torch):
    w, h = torch.tensor([0.5], requires_grad=True), torch.zeros(1)
    for _ in range(3):
        h = torch.tanh(w * h + 1)
        h.sum().backward()
        h.detach_()
    assert h._version == 0 and h.is_leaf and not h.requires_grad
    y = h * w
    h.add_(1)
    with pytest.raises(RuntimeError, match=r"is at version 1; expected version 0"):
        y.sum().backward()


def test_the_result_of_a_function_may_be_detached_in_place(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    y = Scale.apply(torch.ones(2, requires_grad=True)).detach_()
    assert y.is_leaf and not y.requires_grad and y._version == 0


def test_a_method_in_place_says_that_the_view_is_being_modified(torch):
    base = torch.ones(4, requires_grad=True) * 1
    views = base.unbind()
    base.mul_(2)
    with says(RuntimeError, f"Output 1 of Unbind {SEVERAL}"):
        views[1].squeeze_()
