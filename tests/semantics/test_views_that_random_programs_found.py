"""Views, modes and indices: small programs that `python -m tests.fuzz` ended with.

Before it computes anything, PyTorch asks each input where it comes from and packs what it will save: so a view that
can't be followed, or a pack hook, is met even where the sizes don't fit.
"""

import pytest
from saying import says, warns

NO_GRAD = (
    "A view was created in no_grad mode and its base or another view of its base has been modified inplace with grad "
    "mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
    "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be "
    "tracked) or both outside (if you want the inplace to be tracked)."
)
CUSTOM = (
    "A view was created in no_grad mode and {} modified inplace with grad mode enabled. This view was created inside a "
    "custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would "
    "override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior "
    "is forbidden. You can fix this by cloning the output of the custom Function."
)
DIRTY_LEAF = "a leaf Variable that requires grad has been used in an in-place operation."


@pytest.fixture
def stale(torch, w):
    """A view made under no_grad, of what was changed since."""
    y = w * 1
    with torch.no_grad():
        view = y.view(3, 1)
    y.mul_(2)
    return view


@pytest.mark.parametrize(
    "line", ["x * torch.ones(2, 2)", "x[torch.tensor([7])]", "torch.ones(2, 2).add_(x)", "x.std(1)"]
)
def test_a_view_that_cannot_be_followed_is_met_before_the_sizes(torch, stale, line):
    with warns(), says(RuntimeError, NO_GRAD):
        eval(line, {"torch": torch, "x": stale})


def test_what_will_be_saved_is_packed_before_the_sizes_are_looked_at(torch, w):
    packed = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: packed.append(x.tolist()), lambda x: x):
        with says(
            RuntimeError, "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0"
        ):
            w * torch.tensor([4.0, 5.0])
    assert packed == [[4.0, 5.0]]


def test_an_inference_tensor_has_no_views(torch):
    with torch.inference_mode():
        x = torch.ones(2, 3)
    y = x.expand(2, 2, 3)
    assert y._base is None and not y._is_view() and y.is_inference() and y.stride() == (0, 3, 1)
    y.detach_()  # which views refuse
    with torch.inference_mode():
        assert not x[0]._is_view() and torch.ones(2).detach()[0].is_inference()
        assert torch.ones(2).is_inference()
    with torch.inference_mode():
        z = torch.ones(2)
    normal = torch.ones(2)
    with torch.inference_mode():
        view = normal[0]
    assert view._is_view() and not view.is_inference() and z.is_inference()


def test_under_inference_mode_enable_grad_changes_nothing(torch, w):
    with torch.inference_mode(), torch.enable_grad():
        assert torch.is_grad_enabled()
        y, view = w * 2, w[0]
        assert view.requires_grad and view.is_leaf
        w.mul_(2)
        w[0] = 5
    assert not y.requires_grad and y.is_inference() and w.tolist() == [5.0, 4.0, 6.0]


def test_under_inference_mode_detach_in_place_does_nothing(torch, w):
    y = w * 2
    view = y[0]
    with torch.inference_mode():
        assert y.detach_() is y and view.detach_() is view
    assert y.grad_fn is not None and view.grad_fn is not None


def test_a_functional_jacobian_under_inference_mode_is_zero(torch):
    with torch.inference_mode():
        assert torch.autograd.functional.jacobian(lambda x: x * x, torch.tensor(3.0)).item() == 0


def looking(torch):
    class Looking(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1)

        @staticmethod
        def backward(ctx, grad):
            return grad.clone()

    return Looking


def test_a_view_that_a_function_made_says_so_where_nothing_was_recorded(torch, w):
    x = torch.ones(3)
    y = looking(torch).apply(x)
    x.mul_(w)
    with says(RuntimeError, CUSTOM.format("its base or another view of its base has been")):
        y.requires_grad  # noqa: B018
        y.grad_fn  # noqa: B018
    with torch.no_grad():
        z = looking(torch).apply(w)
    with says(RuntimeError, CUSTOM.format("is being")):
        z.square_()


def test_a_dirty_leaf_is_refused_before_a_view_is(torch, w):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(3)
    with torch.no_grad():
        asked, through_its_base = x.view(3).requires_grad_(), w.view(3)
    for view in (asked, through_its_base):
        with says(RuntimeError, DIRTY_LEAF):
            Doubled.apply(view)


def test_retain_grad_a_second_time_looks_at_nothing(torch):
    with torch.no_grad():
        x = torch.ones(2, 2).t().requires_grad_()
    view = x.view_as(x)
    view.retain_grad()
    x.detach().mul_(2)
    view.retain_grad()
    assert view.retains_grad


def test_what_no_operand_is_comes_before_what_may_not_change(torch, w):
    for line in ("w *= None", "w[0] *= None", "w += [1]", "w **= 'a'"):
        with pytest.raises(TypeError, match="unsupported operand type"):
            exec(line, {"w": w})


def test_empty_gradients_may_be_changed(torch, w):
    seen = []
    view = w[:0]
    view.register_hook(lambda g: seen.append(g.mul_(2).tolist()))
    view.mean().backward()
    assert seen == [[]] and w.grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.filterwarnings("ignore:Out of bound index found:DeprecationWarning")  # NumPy 2.0
def test_where_nothing_is_looked_up_no_place_is_wrong(torch, w):
    x = torch.ones(2, 3)
    assert x[:0, torch.tensor([7, -9])].shape == (0, 2)
    assert (w * 1).view(3, 1)[torch.tensor([7]), :0].sum().item() == 0
    y = (w * 1).view(3, 1)
    assert torch.autograd.grad(y[torch.tensor([7]), :0].sum(), y)[0].shape == (3, 1)
    x[:0, torch.tensor([7])] = 3
    x[:0, torch.tensor([7])] *= 3
    assert x.sum().item() == 6
    with says(IndexError, "index 7 is out of bounds for dimension 0 with size 3"):
        x[:, torch.tensor([7])]
    with says(IndexError, "index is out of bounds for dimension with size 0"):
        x[:0][torch.tensor([0])]


def test_values_that_do_not_fit_come_before_places_that_are_wrong(torch):
    x = torch.ones(1, 1)
    with says(
        RuntimeError,
        "shape mismatch: value tensor of shape [3, 2] cannot be broadcast to indexing result of shape [3, 1]",
    ):
        x[torch.tensor([0, -2, -2])] = torch.ones(3, 2)
    with says(IndexError, "index -2 is out of bounds for dimension 0 with size 1"):
        x[torch.tensor([0, -2, -2])] = torch.ones(3, 1)


@pytest.mark.parametrize("size", [(0,), (0, 1)])
def test_an_empty_mask_must_fit_too(torch, size):
    x = torch.ones(2, 1)
    with says(
        IndexError,
        f"The shape of the mask {list(size)} at index 0 does not match the shape of the indexed tensor [2, 1] at "
        "index 0",
    ):
        x[torch.zeros(size, dtype=torch.bool)]


def test_a_pass_to_what_lies_in_several_places_need_not_go_through_it(torch, w):
    y = w * 1
    spread = y.expand(2, 3)
    spread.copy_(spread)
    (y**2).sum().backward(inputs=[y])
    assert y.grad.tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize(
    ("made", "steps"),
    [
        ("torch.ones(1, 2, 1).permute(0, 2, 1)[..., -1]", (2, 1)),
        ("torch.ones(1, 1).view(1, 1, 1)", (1, 1, 1)),
        ("torch.ones(2, 3)[-1:1:2]", (6, 1)),
        ("torch.ones(1)[-1:1:2]", (2,)),
        ("torch.ones(3, 1, 2, 1).unflatten(2, (-1, 1))[:1]", (2, 2, 1, 1, 1)),
        ("torch.ones(2, 3)[-1:1:2].narrow(0, 0, 0)", (6, 1)),
        ("torch.ones(1, 1).expand(1, 1, 1).diagonal()", (1, 2)),
        ("torch.ones(1, 3).t().squeeze(1)", (1,)),
        ("torch.ones(2, 1)[1:2, torch.tensor([0, 0])]", (2, 1)),
        ("torch.ones(3, 2)[1:3:2, torch.tensor([1, 0])].t()", (1, 2)),
        ("torch.ones(2, 1, 3).split(1)[0].movedim(1, -1)", (3, 1, 3)),
    ],
)
def test_axes_of_size_one_have_the_steps_that_pytorch_writes_down(torch, made, steps):
    """Nothing lies there, but whether two tensors overlap in memory is judged by them."""
    assert eval(made, {"torch": torch}).stride() == steps


def test_what_a_function_hands_on_without_a_gradient_is_a_view(torch, w):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    x = torch.ones(3)
    y = Same.apply(x)
    assert y is not x and y._base is x and not y.requires_grad
    with says(RuntimeError):
        y.detach_()
    x.add_(w)
    with says(RuntimeError, CUSTOM.format("its base or another view of its base has been")):
        _ = y.grad_fn


def test_a_gradient_that_only_passes_squeeze_is_no_view(torch):
    x = torch.ones(2, 3, requires_grad=True)
    y = x.squeeze(0)
    (grad,) = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)
    grad.detach_()


def test_under_no_grad_a_view_that_cannot_be_followed_may_change_its_shape(torch, w):
    with torch.no_grad():
        view, other = w[2:-1], w[0]
        other.add_(1)
        view.squeeze_()
    assert view.shape == (0,)


def test_where_the_memory_overlaps_a_view_that_cannot_be_followed_comes_first(torch, w):
    x = w * 1
    with torch.no_grad():
        view = x[...]
        view[0] = 1.5
    for change in (
        "add_(view.t())",
        "scatter_add_(0, torch.tensor([0]), view)",
        "index_add_(0, torch.arange(3), view)",
    ):
        with warns(), says(RuntimeError, NO_GRAD):
            eval("x." + change, {"torch": torch, "x": x, "view": view})


@pytest.mark.parametrize("line", ["x & w", "w | x", "x ^ 1", "x << 1"])
def test_bits_of_floats_are_refused_after_a_view_that_cannot_be_followed(torch, w, stale, line):
    with warns(), says(RuntimeError, NO_GRAD):
        eval(line, {"x": stale, "w": w})


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
def test_an_error_tells_the_sizes_in_the_order_of_the_comparison(torch, sign):
    """Python lets the instance of a subclass answer first: a Parameter in PyTorch, here a changed view too."""

    def changed():
        b = torch.ones(4, 2, requires_grad=True) * 1
        v = b.view(2, 4)
        b.mul_(2)
        return b, v

    text = "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension 1"
    for line, sizes in {
        "b ? v": (2, 4),
        "v ? b": (4, 2),
        "p ? v": (5, 4),
        "v ? p": (5, 4),
        "b ? v ? b": (2, 4),
    }.items():
        b, v = changed()
        p = torch.nn.Parameter(torch.ones(3, 5))
        with says(RuntimeError, text.format(*sizes)):
            eval(line.replace("?", sign), {}, {"b": b, "v": v, "p": p})
    for name in ("lt", "ge"):
        b, v = changed()
        with says(RuntimeError, text.format(2, 4)):
            getattr(b, name)(v)
        b, v = changed()
        with says(RuntimeError, text.format(4, 2)):
            getattr(v, f"__{name}__")(b)
    b, v = changed()
    assert eval(f"v.t() {sign} b + 1") is not None
