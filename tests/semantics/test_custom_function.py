"""The reader's own `autograd.Function`: what ctx keeps, what forward and backward see, and what they may return."""

import warnings
import weakref

import pytest
from saying import says, warns

SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
    "function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)


@pytest.fixture
def function(torch):
    """Make a Function named F of two functions, in one line."""

    def make(forward=None, backward=None, **more):
        methods = {"forward": forward, "backward": backward, **more}
        return type("F", (torch.autograd.Function,), {k: staticmethod(f) for k, f in methods.items() if f})

    return make


@pytest.fixture
def square(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.twice = 2
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * ctx.twice * x

    return Square


def double(ctx, x):
    return x * 2


def passed(ctx, grad):
    return grad


# The ordinary way


def test_it_computes_and_differentiates(torch, w, square):
    y = square.apply(w)
    assert y.tolist() == [1, 4, 9]
    y.sum().backward()
    assert w.grad.tolist() == [2, 4, 6]


def test_its_node_has_its_name(torch, w, square):
    node = square.apply(w).grad_fn
    assert node.name() == type(node).__name__ == "SquareBackward"
    assert repr(square.apply(w)) == "tensor([1., 4., 9.], grad_fn=<SquareBackward>)"
    assert node.next_functions[0][0].variable is w


def test_ctx_is_the_node(torch, w, square):
    node = square.apply(w).grad_fn
    assert node.saved_tensors[0].tolist() == [1, 2, 3] and node.twice == 2 and node.needs_input_grad == (True,)


def test_the_posts_relu_runs(torch):
    class MyReLU(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input.clamp(min=0)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            grad_input = grad_output.clone()
            grad_input[input < 0] = 0
            return grad_input

    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    MyReLU.apply(x).sum().backward()
    assert x.grad.tolist() == [0, 1, 1]


def test_it_differentiates_twice(torch, w, square):
    (g,) = torch.autograd.grad(square.apply(w).sum(), w, create_graph=True)
    assert torch.autograd.grad(g.sum(), w)[0].tolist() == [2, 2, 2]


def test_without_grad_it_makes_no_node(torch, w, square):
    assert square.apply(torch.ones(2)).grad_fn is None
    with torch.no_grad():
        assert square.apply(w).grad_fn is None


# What forward and backward see


def test_forward_runs_with_gradients_off_and_sees_the_callers_tensor(torch, w, function):
    seen = []
    f = function(lambda ctx, x: (seen.append((torch.is_grad_enabled(), x.requires_grad, type(x))), x * 2)[1], passed)
    f.apply(w)
    assert seen == [(False, True, torch.Tensor)]


@pytest.mark.parametrize("create_graph", [False, True])
def test_backward_runs_with_gradients_on_only_under_create_graph(torch, w, function, create_graph):
    seen = []
    f = function(double, lambda ctx, g: (seen.append((torch.is_grad_enabled(), type(g))), g * 2)[1])
    torch.autograd.grad(f.apply(w).sum(), w, create_graph=create_graph)
    assert seen == [(create_graph, torch.Tensor)]


def test_needs_input_grad_tells_which_inputs_need_one(torch, w, function):
    seen = []
    f = function(
        lambda ctx, x, y, k: (seen.append(ctx.needs_input_grad), x * y * k)[1],
        lambda ctx, g: (seen.append(ctx.needs_input_grad), (g, None, None))[1],
    )
    f.apply(w, torch.ones(3), 3).sum().backward()
    assert seen == [(True, False, False)] * 2


def test_an_output_that_was_not_used_comes_as_zeros(torch, w, function):
    seen = []
    f = function(lambda ctx, x: (x * 2, x * 3), lambda ctx, g, h: (seen.append(h.tolist()), g * 2 + h * 3)[1])
    f.apply(w)[0].sum().backward()
    assert seen == [[0, 0, 0]] and w.grad.tolist() == [2, 2, 2]


def test_set_materialize_grads_off_makes_it_none(torch, w, function):
    seen = []
    f = function(
        lambda ctx, x: (ctx.set_materialize_grads(False), x * 2, x * 3)[1:],
        lambda ctx, g, h: (seen.append(h), g * 2)[1],
    )
    f.apply(w)[0].sum().backward()
    assert seen == [None]


def test_an_output_that_is_no_tensor_passes_through(torch, w, function):
    seen = []
    f = function(lambda ctx, x: (x * 2, "hello"), lambda ctx, g, h: (seen.append(h), g)[1])
    y, hello = f.apply(w)
    y.sum().backward()
    assert hello == "hello" and seen == [None]


def test_none_may_be_the_only_output(torch, w, function):
    assert function(lambda ctx, x: None).apply(w) is None


def test_several_outputs_share_one_node(torch, w, function):
    f = function(lambda ctx, x: (x * 2, x * 3), lambda ctx, g, h: g * 2 + h * 3)
    a, b = f.apply(w)
    assert a.grad_fn is b.grad_fn and (a * b).grad_fn.next_functions == ((a.grad_fn, 0), (a.grad_fn, 1))
    (a + b).sum().backward()
    assert w.grad.tolist() == [5, 5, 5]


def test_returning_the_input_gives_a_new_tensor(torch, w, function):
    y = function(lambda ctx, x: x, lambda ctx, g: g * 7).apply(w)
    assert y is not w and y.grad_fn.name() == "FBackward" and w.is_leaf
    y.sum().backward()
    assert w.grad.tolist() == [7, 7, 7]


# What backward returns


def test_none_is_no_gradient(torch, w, function):
    function(double, lambda ctx, g: None).apply(w).sum().backward()
    assert w.grad is None


def test_extra_trailing_nones_are_fine(torch, w, function):
    function(double, lambda ctx, g: (g * 2, None, None)).apply(w).sum().backward()
    assert w.grad.tolist() == [2, 2, 2]
    v = torch.ones(3, requires_grad=True)
    function(lambda ctx, x, y: x + y, lambda ctx, g: (g, g * 2, None)).apply(w, v).sum().backward()
    assert w.grad.tolist() == [3, 3, 3] and v.grad.tolist() == [2, 2, 2]


def test_a_gradient_that_somebody_holds_is_copied(torch, w, function):
    held = torch.ones(3)
    function(double, lambda ctx, g: held).apply(w).sum().backward()
    w.grad.zero_()
    assert held.tolist() == [1, 1, 1]


def test_a_gradient_that_can_be_summed_is(torch, w, function):
    function(double, lambda ctx, g: torch.ones(5, 3)).apply(w).sum().backward()
    assert w.grad.tolist() == [5, 5, 5]


def test_a_gradient_is_cast_to_the_inputs_dtype(torch, w, function):
    function(double, lambda ctx, g: g.double()).apply(w).sum().backward()
    assert w.grad.dtype == torch.float32


@pytest.mark.parametrize(
    "text, inputs, backward",
    [
        ("function FBackward returned an incorrect number of gradients (expected 2, got 1)", 2, lambda t, g: g),
        ("function FBackward returned an incorrect number of gradients (expected 1, got 2)", 1, lambda t, g: (g, g)),
        (
            "Function FBackward returned an invalid gradient at index 0 - got [5] but expected shape "
            "compatible with [3]",
            1,
            lambda t, g: t.ones(5),
        ),
        (
            "Function FBackward returned an invalid gradient at index 1 - got [1] but expected shape "
            "compatible with [3]",
            2,
            lambda t, g: (g, t.ones(1)),
        ),
        (
            "Function FBackward returned an invalid gradient at index 0 - got [] but expected shape compatible "
            "with [3]",
            1,
            lambda t, g: t.tensor(1.0),
        ),
        ("expected Variable or None (got float)", 1, lambda t, g: 3.0),
        ("expected Variable or None (got list)", 1, lambda t, g: [g]),
    ],
)
def test_what_backward_may_not_return(torch, w, function, text, inputs, backward):
    f = function(lambda ctx, *xs: xs[0] * 2, lambda ctx, g: backward(torch, g))
    with says(RuntimeError, text):
        f.apply(*[w] * inputs).sum().backward()


def test_a_gradient_for_what_is_no_tensor_is_an_error(torch, w, function):
    text = (
        "function FBackward returned a gradient different than None at position 2, but the corresponding "
        "forward input was not a Variable"
    )
    with says(RuntimeError, text):
        function(lambda ctx, x, k: x * k, lambda ctx, g: (g, g)).apply(w, 2).sum().backward()


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_the_readers_own_error_reaches_the_caller(torch, w, function, where):
    def fail(ctx, x):
        return 1 / 0

    with says(ZeroDivisionError, "division by zero"):
        function(*((fail, passed) if where == "forward" else (double, fail))).apply(w).sum().backward()
    assert torch.is_grad_enabled()


# Saving


@pytest.mark.parametrize("thing", [3.0, [1], "text"])
def test_only_tensors_can_be_saved(torch, w, function, thing):
    text = f"save_for_backward can only save variables, but argument 1 is of type {type(thing).__name__}"
    with says(TypeError, text):
        function(lambda ctx, x: (ctx.save_for_backward(x, thing), x * 2)[1], passed).apply(w)


def test_none_can_be_saved(torch, w, function):
    f = function(lambda ctx, x: (ctx.save_for_backward(None, x), x * 2)[1], passed)
    assert f.apply(w).grad_fn.saved_tensors[0] is None


def test_a_second_save_replaces_the_first(torch, w, function):
    f = function(lambda ctx, x: (ctx.save_for_backward(x, x), ctx.save_for_backward(x + 1), x * 2)[2], passed)
    assert [t.tolist() for t in f.apply(w).grad_fn.saved_tensors] == [[2, 3, 4]]


def test_a_saved_output_is_rebuilt_with_its_history(torch, w, function):
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    y = function(forward, lambda ctx, g: g * ctx.saved_tensors[0]).apply(w)
    assert y.grad_fn.saved_tensors[0].grad_fn is y.grad_fn
    (g,) = torch.autograd.grad(y.sum(), w, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), w)
    assert torch.allclose(gg, w.detach().exp())


def test_saved_tensors_are_freed(torch, w, square):
    y = square.apply(w)
    y.sum().backward()
    with says(RuntimeError, SECOND_TIME):
        y.sum().backward()
    with says(RuntimeError, SECOND_TIME):
        y.grad_fn.saved_tensors  # noqa: B018


def test_and_die_then(torch, w, square):
    x = w * 1
    y, alive = square.apply(x), weakref.ref(x)
    node = y.grad_fn
    del x
    assert alive() is not None
    y.sum().backward()
    assert alive() is None and node.name() == "SquareBackward"


def test_what_is_kept_as_an_attribute_escapes_the_checks(torch, w, function):
    def forward(ctx, x):
        ctx.x = x
        return x * x

    x = w * 1
    y = function(forward, lambda ctx, g: g * 2 * ctx.x).apply(x)
    with torch.no_grad():
        x.add_(1)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert w.grad.tolist() == [8, 12, 16]


def test_saved_tensors_are_checked_for_changes(torch, w, square):
    x = w * 1
    y = square.apply(x)
    x.add_(1)
    text = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3]], which is output 0 of Add, is at version 1; expected version 0 instead. Hint: enable "
        "anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    with says(RuntimeError, text):
        y.sum().backward()


# Marks


def test_mark_non_differentiable(torch, w, function):
    def forward(ctx, x):
        mask = x > 1
        ctx.mark_non_differentiable(mask)
        return x * 2, mask

    y, mask = function(forward, lambda ctx, g, h: g * 2).apply(w)
    assert y.requires_grad and not mask.requires_grad and mask.grad_fn is None
    y.sum().backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_mark_non_differentiable_on_floats(torch, w, function):
    def forward(ctx, x):
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(b)
        return a, b

    a, b = function(forward, lambda ctx, g, h: g * 2).apply(w)
    assert a.requires_grad and not b.requires_grad


@pytest.fixture
def double_in_place(function):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    return function(forward, lambda ctx, g: g * 2)


def test_mark_dirty_changes_the_input_itself(torch, w, double_in_place):
    x = w * 1
    y = double_in_place.apply(x)
    assert y is x and x.grad_fn.name() == "FBackward"
    x.sum().backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_mark_dirty_on_a_leaf_is_refused(torch, w, double_in_place):
    with says(RuntimeError, "a leaf Variable that requires grad has been used in an in-place operation."):
        double_in_place.apply(w)


@pytest.mark.parametrize("view", ["view(3)", "view(3, 1)", "expand(2, 3)[0]", "[0:2]", "unsqueeze(0)[0]"])
@pytest.mark.parametrize("through", ["the view", "its base", "both"])
def test_mark_dirty_on_a_view_goes_back_through_the_function(torch, w, double_in_place, view, through):
    x = w * 1
    v = eval(f"x{'' if view[0] == '[' else '.'}{view}")
    double_in_place.apply(v)
    assert (x.grad_fn.name(), v.grad_fn.name()) == ("torch::autograd::CopySlices", "AsStridedBackward0")
    used = {"the view": v.sum(), "its base": x.sum(), "both": v.sum() + x.sum()}[through]
    used.backward()
    changed = [2 if i < v.numel() else 0 for i in range(3)]
    left = [2 if i < v.numel() else 1 for i in range(3)]
    both = [a + b for a, b in zip(changed, left, strict=True)]
    assert w.grad.tolist() == {"the view": changed, "its base": left, "both": both}[through]


def test_mark_dirty_forgets_the_old_gradient(torch, w, double_in_place):
    for view in (lambda x: x, lambda x: x.view(3)):
        v = view(w * 1)
        v.retain_grad()
        v.sum().backward(retain_graph=True)
        double_in_place.apply(v)
        assert v.grad is None and v.retains_grad


def test_and_forgets_it_where_the_view_may_not_be_changed(torch, w, double_in_place):
    for view in (w.view(3), (w * 1).unbind(0)[0]):
        view.retain_grad()
        view.sum().backward(retain_graph=True)
        with pytest.raises(RuntimeError, match="a view"):
            double_in_place.apply(view)
        assert view.grad is None


def test_the_gradient_of_a_view_that_can_not_be_followed_may_be_read(torch, w, double_in_place):
    v = (w * 1).unbind(0)[0]
    for changed in ("is being", "its base or another view of its base has been"):
        with pytest.raises(RuntimeError, match=f"Output 0 of Unbind is a view and {changed} modified inplace"):
            double_in_place.apply(v)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a non-leaf
        assert v.grad is None


def test_mark_dirty_on_a_view_allows_one_output(torch, w, function):
    text = (
        "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
        "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input "
        "is not a view (using .clone() for example) or make your Function only return one Tensor (potentially "
        "splitting it into two Functions: one doing the inplace that returns a single Tensor and a second one that "
        "does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this "
        "change."
    )
    two = function(lambda ctx, x: (ctx.mark_dirty(x.mul_(2)), x, x + 1)[1:], lambda ctx, g, h: g * 2 + h)
    with says(RuntimeError, text):
        two.apply((w * 1).view(3))
    a, b = two.apply(w * 1)
    (a + b).sum().backward()
    assert w.grad.tolist() == [3, 3, 3]


def test_mark_dirty_of_what_is_no_input(torch, w, function):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    fresh = function(forward, lambda ctx, g: g * 2)
    text = (
        "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
        "passed to ctx.mark_dirty()."
    )
    with warns(text):
        fresh.apply(w)
    with warns(), torch.no_grad():
        fresh.apply(w)


def test_what_is_dirty_must_be_returned(torch, w, function):
    text = (
        "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
        "are modified inplace must all be outputs of the Function."
    )
    with says(RuntimeError, text):
        function(lambda ctx, x: (ctx.mark_dirty(x.mul_(2)), x + 1)[1], passed).apply(w * 1)


def test_once_differentiable_gives_gradients_without_a_graph(torch, w):
    once_differentiable = torch.autograd.function.once_differentiable

    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

    (g,) = torch.autograd.grad(Once.apply(w).sum(), w, create_graph=True)
    assert g.tolist() == [2, 4, 6] and not g.requires_grad
    weight = torch.ones(3, requires_grad=True)
    assert not torch.autograd.grad(Once.apply(w), w, weight)[0].requires_grad
    (g,) = torch.autograd.grad(Once.apply(w), w, weight, create_graph=True)
    assert g.tolist() == [2, 4, 6] and g.requires_grad
    with says(RuntimeError, "trying to differentiate twice a function that was marked with @once_differentiable"):
        g.sum().backward()


def test_setup_context_comes_with_a_forward_that_has_no_ctx(torch, w):
    class Times(torch.autograd.Function):
        @staticmethod
        def forward(x, k):
            return x * k

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.k = inputs
            ctx.save_for_backward(x, output)

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.k, None

    y = Times.apply(w, 3)
    assert [t.tolist() for t in y.grad_fn.saved_tensors] == [[1, 2, 3], [3, 6, 9]]
    y.sum().backward()
    assert w.grad.tolist() == [3, 3, 3]


# What is missing or called in the old way


def test_forward_is_needed(torch, w, function):
    with says(NotImplementedError, "You must implement the forward function for custom autograd.Function."):
        function().apply(w)


def test_backward_is_needed_only_to_go_backward(torch, w, function):
    f = function(double)
    text = (
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD."
    )
    y = f.apply(w)
    with says(NotImplementedError, text):
        y.sum().backward()


@pytest.mark.filterwarnings("ignore:.*should not be instantiated")
def test_an_instance_cannot_be_called(torch, w, square):
    with says(RuntimeError, LEGACY):
        square()(w)


def test_a_function_may_take_anything(torch, w, function):
    f = function(lambda ctx, xs, name=None: xs[0] * 2, lambda ctx, g: None)
    assert f.apply([w], None).tolist() == [2, 4, 6]
    assert not f.apply([w], None).requires_grad  # a tensor in a list is not seen


def test_an_operator_of_ones_own_is_not_instantiated(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    text = (
        f"{Double} should not be instantiated. Methods on autograd functions are all static, so you should invoke them "
        "on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch."
    )
    with warns(text, category=DeprecationWarning):
        Double(3)


def test_the_views_of_what_forward_changed_follow_it(torch, w):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * 2

    y = w * 1
    view, row = y[1:], y.unbind()[0]
    assert Double.apply(y) is y and y.grad_fn.name() == "DoubleBackward"
    assert view.grad_fn.name() == "AsStridedBackward0"
    view.sum().backward()
    assert w.grad.tolist() == [0, 2, 2]
    with says(RuntimeError):
        row * 1


def test_what_forward_changed_may_be_one_of_several_outputs(torch, w):
    class DoubleAndCopy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2).clone(), x

        @staticmethod
        def backward(ctx, of_copy, of_x):
            return 2 * (of_copy + of_x)

    y = w * 1
    view = y[1:]
    copy, x = DoubleAndCopy.apply(y)
    assert x is y and (copy.output_nr, y.output_nr) == (0, 1)
    (copy.sum() * 3 + view.sum() * 5).backward()
    assert w.grad.tolist() == [6, 16, 16]


# What forward may take and give


def giving(torch, forward):
    class Given(torch.autograd.Function):
        seen = None

        @staticmethod
        def backward(ctx, *grads):
            Given.seen = [None if grad is None else grad.tolist() for grad in grads]
            return grads[0]

    Given.forward = staticmethod(forward)
    return Given


@pytest.mark.parametrize("value", [3, "text", None, [3], {"a": 1}, (), [], (3,), (3, None)])
def test_what_is_no_tensor_is_handed_on(torch, w, value):
    for x in (w, w.detach()):
        assert giving(torch, lambda ctx, x: value).apply(x) == value


def test_tensors_in_a_list_have_no_history(torch, w):
    out = giving(torch, lambda ctx, x: [x * 2, x * 3]).apply(w)
    assert type(out) is list and [t.tolist() for t in out] == [[2, 4, 6], [3, 6, 9]]
    assert not any(t.requires_grad for t in out)


def test_beside_tensors_what_is_none_has_no_gradient(torch, w):
    given = giving(torch, lambda ctx, x: (x * 2, 3, None))
    y, number, nothing = given.apply(w)
    y.sum().backward()
    assert (number, nothing) == (3, None) and given.seen == [[1, 1, 1], None, None] and w.grad.tolist() == [1, 1, 1]


class Powers:
    """Functions with an exponent that has a default, with and without `setup_context`."""

    def __new__(cls, torch, with_setup):
        class Power(torch.autograd.Function):
            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return (grad * ctx.exponent * x ** (ctx.exponent - 1), None)[: len(ctx.needs_input_grad)]

        def forward(x, exponent=3):
            return x**exponent

        def setup_context(ctx, inputs, output):
            x, ctx.exponent = inputs
            ctx.save_for_backward(x)

        def with_ctx(ctx, x, exponent=3):
            setup_context(ctx, (x, exponent), None)
            return forward(x, exponent)

        Power.forward = staticmethod(forward if with_setup else with_ctx)
        if with_setup:
            Power.setup_context = staticmethod(setup_context)
        return Power


@pytest.mark.parametrize("with_setup", [False, True])
@pytest.mark.parametrize(
    "call, exponent",
    [
        (lambda f, x: f.apply(x), 3),
        (lambda f, x: f.apply(x, 2), 2),
        (lambda f, x: f.apply(x, exponent=2), 2),
        (lambda f, x: f.apply(x=x), 3),
        (lambda f, x: f.apply(x=x, exponent=2), 2),
    ],
)
def test_arguments_may_be_named_and_left_out(torch, w, with_setup, call, exponent):
    y = call(Powers(torch, with_setup), w)
    assert y.tolist() == [n**exponent for n in (1, 2, 3)]
    y.sum().backward()
    assert w.grad.tolist() == [exponent * n ** (exponent - 1) for n in (1, 2, 3)]


@pytest.mark.parametrize("with_setup", [False, True])
def test_a_name_that_forward_does_not_have_is_an_error(torch, w, with_setup):
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'power'"):
        Powers(torch, with_setup).apply(w, power=2)


def test_vjp_is_another_name_for_backward(torch, w):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, grad):
            return grad * 2

    class Both(Double):
        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    Double.apply(w).sum().backward()
    assert w.grad.tolist() == [2, 2, 2]
    text = (
        "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of "
        "them."
    )
    with says(RuntimeError, text):
        Both.apply(w).sum().backward()
