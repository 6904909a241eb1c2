"""Values, gradients and types that `python -m tests.fuzz` found other than PyTorch's, each by the cause it had here."""

import copy

import pytest

NAN = float("nan")


def test_a_view_changed_under_no_grad_still_leads_to_its_base(torch):
    """Its new history is made when somebody asks: here the product, whose own node must count as the later one."""
    base = torch.ones(2, 2, requires_grad=True)
    view = base[0:]
    with torch.no_grad():
        view[0] = 1.5
    out = torch.ones(2) * view
    (grad,) = torch.autograd.grad(out.sum(), [base])
    assert grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    "use", [lambda x: x.exp(), lambda x: x + 1, lambda x: 2 * x, lambda x: x.sum(), lambda x: x[0], lambda x: x @ x]
)
def test_whatever_uses_such_a_view_comes_after_it(torch, use):
    base = torch.ones(2, 2, requires_grad=True)
    view = base[0:]
    with torch.no_grad():
        view[0] = 1.5
    out = use(view)
    (grad,) = torch.autograd.grad(out.sum(), [base])
    assert grad.abs().sum() > 0


def test_a_function_that_uses_such_a_view_comes_after_it(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    base = torch.ones(2, requires_grad=True)
    view = base[0:]
    with torch.no_grad():
        view[0] = 1.5
    out = Doubled.apply(view)
    assert torch.autograd.grad(out.sum(), [base])[0].tolist() == [2.0, 2.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nan_has_no_sign(torch, dtype):
    x = torch.tensor([[NAN, -2.0], [0.0, 3.0]], dtype=getattr(torch, dtype), requires_grad=True)
    assert x.sign().tolist() == [[0.0, -1.0], [0.0, 1.0]] and x.sign().dtype is x.dtype
    assert torch.tensor(NAN).sgn().item() == 0 and torch.tensor([NAN]).sign_().item() == 0
    x.abs().sum().backward()
    assert x.grad.tolist() == [[0.0, -1.0], [0.0, 1.0]]


def test_a_power_of_true_or_false_keeps_the_type(torch):
    x = torch.tensor([True, False])
    assert (x**True).dtype is (x**False).dtype is torch.bool and (x**2).dtype is torch.int64
    assert (x**True).tolist() == [True, False] and (x**False).tolist() == [True, True]
    assert (torch.tensor([3.0]) ** True).tolist() == [3.0] and (torch.tensor([3]) ** False).tolist() == [1]


@pytest.mark.parametrize("name", ["l1_loss", "mse_loss", "smooth_l1_loss"])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_a_number_as_target_has_a_say_in_the_type(torch, name, reduction):
    loss = getattr(torch.nn.functional, name)
    w = torch.ones(3, requires_grad=True)
    out = loss(w, torch.tensor(3.0, dtype=torch.float64), reduction=reduction)
    assert out.dtype is torch.float64
    out.sum().backward()
    assert w.grad.dtype is torch.float32 and w.grad.tolist()[0] < 0
    assert loss(torch.ones(3, dtype=torch.float16), torch.tensor(2.0), reduction=reduction).dtype is torch.float32


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_hubers_loss_has_the_type_of_its_input(torch):
    loss = torch.nn.functional.huber_loss
    assert loss(torch.tensor(1.0), torch.ones(3, dtype=torch.float64)).dtype is torch.float32


def test_a_parameter_is_copied_without_its_gradient(torch):
    p, w = torch.nn.Parameter(torch.ones(2)), torch.ones(2, requires_grad=True)
    (p + w).sum().backward()
    assert copy.deepcopy(p).grad is None and copy.deepcopy(w).grad.tolist() == [1.0, 1.0]
    assert p.grad.tolist() == [1.0, 1.0] and type(copy.deepcopy(p)) is torch.nn.Parameter


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "hardtanh", "relu6"])
def test_a_slope_hangs_on_the_input_where_it_is_recorded(torch, name):
    x = torch.tensor([-8.0, -0.5, 0.25, 7.0], requires_grad=True)
    y = getattr(torch.nn.functional, name)(x)
    (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert slope.requires_grad
    assert torch.autograd.grad(slope.sum(), x)[0].tolist() == [0.0] * 4


def test_a_vector_times_a_matrix_is_no_view(torch):
    product = torch.ones(3, requires_grad=True) @ torch.ones(3, 1)
    product.exp_()
    assert product._base is None and product.grad_fn.name() == "ExpBackward0"
    assert (torch.ones(3) @ torch.ones(3, 2)).square_().tolist() == [9.0, 9.0]


def test_what_a_function_changed_under_no_grad_is_handed_on_detached(torch, w):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    plain, made = torch.ones(2), w * 1
    with torch.no_grad():
        leaf, inner, same = Doubled.apply(w), Doubled.apply(made), Doubled.apply(plain)
    assert same is plain and leaf is not w and inner is not made
    assert w.requires_grad and made.requires_grad and not leaf.requires_grad and inner.grad_fn is None
    assert leaf.tolist() == w.tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("other", ["leaf", "itself"])
def test_what_is_saved_once_is_unpacked_once(torch, w, other):
    seen = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: (seen.append(x), x)[1]):
        y = w / (torch.tensor([2.0, 4.0, 8.0], requires_grad=True) if other == "leaf" else w)
    y.sum().backward()
    assert len(seen) == 2 and (other == "itself" or seen[0][0].item() == 2.0)  # the divisor first


def test_a_packed_result_comes_from_its_node_again(torch, w):
    seen = []

    def unpack(x):
        seen.append((x.requires_grad, x.grad_fn))
        return x

    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, unpack):
        y = w.exp()
    node = y.grad_fn
    y.sum().backward()
    assert seen == [(True, node)]


@pytest.mark.parametrize(
    ("use", "count"),
    [
        (lambda torch, w: w.masked_select(w > 1), 1),
        (lambda torch, w: torch.where(w > 1, w, w * 2), 2),
        (lambda torch, w: w.gather(0, torch.tensor([0])), 1),
        (lambda torch, w: w.masked_fill(w > 1, 0.5), 1),
        (lambda torch, w: torch.stack([w, w]), 2),
    ],
)
def test_a_node_lists_no_masks_and_indices(torch, w, use, count):
    y = use(torch, w)
    sizes = []
    y.grad_fn.register_hook(lambda grads, _: sizes.append(len(grads)))
    y.sum().backward()
    assert len(y.grad_fn.next_functions) == count and sizes == [count]


def test_what_a_function_changes_loses_the_gradient_of_its_old_value(torch, w):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    y = w * 1
    y.sum().backward(inputs=[y])
    assert y.grad.tolist() == [1.0, 1.0, 1.0]
    Doubled.apply(y)
    assert y.grad is None


def several(torch, tensors, go):
    """What a hook on several gradients was told."""
    told = []
    handle = torch.autograd.graph.register_multi_grad_hook(
        tensors, lambda grads: told.append([g if g is None else tuple(g.shape) for g in grads])
    )
    go()
    handle.remove()
    return told


def test_several_gradients_are_awaited_from_where_the_pass_goes(torch):
    """Which is not: the root, if there is but one, and what lies behind the inputs that were asked for."""
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    y, z, one = a.exp(), b * 3, torch.ones(2)
    both = y + z
    grad = torch.autograd.grad
    assert several(torch, [b], lambda: b.backward(one)) == []
    assert several(torch, [y], lambda: y.backward(one, retain_graph=True)) == []
    assert several(torch, [b, b], lambda: b.backward(one, inputs=[z])) == []
    assert several(torch, [y, b], lambda: torch.autograd.backward([y, b], [one, one], retain_graph=True)) == [
        [(2,), (2,)]
    ]
    assert several(torch, [y, a], lambda: grad(y.sum(), y, retain_graph=True)) == [[(2,), None]]
    assert several(torch, [y, a], lambda: y.sum().backward(inputs=[y], retain_graph=True)) == [[(2,), None]]
    assert several(torch, [z, y], lambda: grad(both.sum(), y, retain_graph=True)) == [[None, (2,)]]
    assert several(torch, [y, a], lambda: both.sum().backward()) == [[(2,), (2,)]]


@pytest.mark.parametrize("line", ["x.sign()", "x ** True", "x.sgn()"])
def test_what_has_nothing_to_do_gives_a_copy(torch, line):
    x = torch.tensor([True, True])
    eval(line, {"x": x}).zero_()
    assert x.tolist() == [True, True]
    y = torch.tensor(3.0)
    y.index_select(0, torch.tensor([0])).zero_()
    assert y.item() == 3


def test_views_of_a_view_that_was_turned_follow_its_base_when_that_is_turned(torch, w):
    x = torch.stack((w[:2], w[1:])) * 1
    y = x.view_as(x)
    y.t_()
    x.t_()
    seen = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert seen == [[[1.0, 2.0], [3.0, 4.0]]]


def test_a_multi_grad_hook_waits_for_the_nodes_of_when_it_was_registered(torch, w):
    x, seen = w * 2, []
    torch.autograd.graph.register_multi_grad_hook([x, x], lambda grads: seen.append(len(grads)))
    x[0] = 0
    x.sum().backward()
    assert seen == [2]


def test_floor_divide_in_place_is_called_so(torch, w):
    x = w * 1
    x //= 2
    with pytest.raises(RuntimeError, match="^derivative for aten::floor_divide_ is not implemented$"):
        x.sum().backward()


def test_an_empty_slice_keeps_the_steps_of_what_it_was_cut_from(torch):
    x = torch.ones(2, 2, 2)
    assert x[:, :, 1:1].stride() == (4, 2, 1) and x[:0].stride() == (4, 2, 1) and x[:, :0].stride() == (4, 2, 1)
    assert torch.ones(2, 0, 3).stride() == (3, 3, 1)


def test_a_copy_has_been_changed_once(torch, w):
    copied = copy.deepcopy(w)
    assert copied._version == 1 and copy.deepcopy(torch.nn.Parameter(w.detach()))._version == 0


def test_a_new_axis_has_the_step_of_what_follows_it(torch):
    x = torch.ones(2, 1).expand(2, 3)
    assert x.unsqueeze(2).stride() == (1, 0, 1) and x.unsqueeze(1).stride() == (1, 0, 0)
    assert x.unsqueeze(2)[0].stride() == x.unsqueeze(2).unbind()[1].stride() == (0, 1)


def test_a_lookup_by_a_list_has_a_second_slope(torch, w):
    y = w[[1, 0, 1]] ** 2
    (first,) = torch.autograd.grad(y.sum(), w, create_graph=True)
    assert torch.autograd.grad(first.sum(), w)[0].tolist() == [2.0, 4.0, 0.0]


@pytest.mark.parametrize("alone", [True, False])
def test_index_put_lets_a_single_bool_beside_other_indices_mean_nothing(torch, alone):
    x = torch.zeros(2, 2)
    x.index_put_((torch.tensor([0]), torch.tensor(alone)), torch.tensor(1.0), accumulate=True)
    assert x.tolist() == [[1, 1], [0, 0]]


def test_index_put_counts_indices_as_they_are_given(torch):
    with pytest.raises(IndexError, match=r"too many indices for tensor of dimension 1 \(got 2\)"):
        torch.zeros(2).index_put_((torch.tensor(True), torch.tensor([0])), torch.tensor(1.0))


def test_index_add_multiplies_bytes_as_bytes(torch):
    x, places = torch.tensor([5], dtype=torch.uint8), torch.tensor([0])
    assert x.index_add(0, places, torch.ones(1, dtype=torch.uint8), alpha=-1).tolist() == [4]


def test_an_array_that_numpy_shares_is_another_storage(torch):
    x = torch.arange(4.0)
    same = torch.from_numpy(x.numpy())
    x.unsqueeze_(0).copy_(same)
    assert x.tolist() == [[0, 1, 2, 3]] and same.data_ptr() == x.data_ptr()


@pytest.mark.parametrize("dim", [None, 0])
def test_a_mean_gives_dense_gradients(torch, dim):
    x = torch.ones(3, 2, requires_grad=True)
    y = x * 1
    y.register_hook(lambda grad: grad.mul_(2))  # which a gradient that is spread out would refuse
    (y.mean() if dim is None else y.mean(dim).sum()).backward()
    assert torch.allclose(x.grad, torch.full((3, 2), 1 / 3 if dim is None else 2 / 3))


def test_a_freed_change_through_a_view_is_found_where_it_is_passed_by(torch):
    x = torch.ones(4, requires_grad=True)
    y = x.clone()
    y[:2] = torch.zeros(2)
    y.backward(y.detach(), inputs=[x])
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.sum().backward(inputs=[y])


@pytest.mark.parametrize("line", ["x.movedim(0, -1)", "torch.moveaxis(x, -1, 0)", "x.movedim((), ())"])
def test_a_single_number_has_an_axis_that_can_be_moved(torch, line):
    x = torch.tensor(2.0, requires_grad=True) * 1
    y = eval(line, {"torch": torch, "x": x})
    assert y.shape == () and y is not x and y._base is x and y.grad_fn.name() == "AliasBackward0"


@pytest.mark.parametrize(
    ("kind", "middle"),
    [("bool", True), ("uint8", 0), ("int8", 0), ("int16", 0), ("int32", -(2**31)), ("int64", -(2**63))],
)
def test_the_median_of_nothing_is_nan_whatever_the_type_makes_of_that(torch, kind, middle):
    assert torch.zeros(2, 0, dtype=getattr(torch, kind)).median().item() == middle
    assert torch.zeros(0, dtype=getattr(torch, kind)).nanmedian().item() == middle


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
def test_the_variance_of_too_few_has_a_gradient_along_an_axis(torch):
    """It divides by n less the correction, be that negative; of all numbers, PyTorch says nan or inf."""
    x = torch.tensor([[1.0, 3.0]], requires_grad=True)
    x.var(1, correction=3).sum().backward()
    assert x.grad.tolist() == [[2.0, -2.0]]


def test_of_two_zeros_min_and_max_give_the_first(torch):
    x = torch.tensor([-0.0, 0.0, 1.5, 1.5, 0.5, 0.75, 2.0, 3.0, 4.0], dtype=torch.float64)
    for y in (x, x.view(9, 1)):
        assert [1 / v for v in y.min(0).values.reshape(-1).tolist() if v] == [] and str(y.min(0).values.sum()) != "0"
        assert str(y.min(0).values.reshape(-1)[0].item()) == "-0.0"
        assert str((-y).max(0).values.reshape(-1)[0].item()) == "0.0"


def test_of_several_zeros_the_median_is_the_one_that_pytorch_s_selection_finds(torch):
    x = torch.tensor([-0.5, 0.0, -0.25, -0.0, 0.5, -0.0])
    assert str(x.median().item()) == "-0.0" and str(torch.tensor([0.0, -0.0, 0.0]).median().item()) == "-0.0"
    assert str(torch.tensor([NAN, 0.0, -0.0]).nanmedian().item()) == "0.0"


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
def test_bools_may_be_the_smaller_ones(torch, w):
    smaller = torch.tensor([True, False, True]).minimum(w)
    smaller.backward(torch.ones(3), create_graph=True)
    assert w.grad.tolist() == [0.5, 0.0, 0.0]


def test_floats_copied_into_integers_have_no_derivative(torch, w):
    """So nothing is refused: not even a view that is one of several."""
    first, _ = torch.zeros(2, 3, dtype=torch.int64).unbind()
    first.copy_(w)
    assert first.tolist() == [1, 2, 3] and not first.requires_grad


NORMS = {
    "layer": lambda F, x, w: F.layer_norm(x, (4,), w, w),
    "batch": lambda F, x, w: F.batch_norm(x, None, None, w, w, training=True),
    "group": lambda F, x, w: F.group_norm(x, 2, w, w),
    "instance": lambda F, x, w: F.instance_norm(x, weight=w, bias=w),
    "prod": lambda F, x, w: x.prod() * w,
    "prod(1)": lambda F, x, w: x.prod(1) * w,
    "cumprod": lambda F, x, w: x.cumprod(1) * w,
}


@pytest.mark.parametrize(  # under create_graph, products are computed again
    "name, recorded", [*((name, False) for name in NORMS), *((name, True) for name in NORMS if "prod" not in name)]
)
def test_backward_uses_what_forward_kept(torch, name, recorded):
    """`.data` changes an input and leaves its version. PyTorch's node then has the new input, but the statistics, or
    the product, of the old one. So `old` and `new` say what a gradient is that is computed from both."""
    F = torch.nn.functional
    x = (torch.arange(48.0, dtype=torch.float64).cos() + 2).view(3, 4, 4).detach().requires_grad_()
    w = torch.arange(1.0, 5.0, dtype=torch.float64).requires_grad_()
    before = x.detach().clone()
    grad = torch.arange(48.0, dtype=torch.float64).sin().view(3, 4, 4)
    out = NORMS[name](F, x, w)
    grad = grad.view(-1)[: out.numel()].view(out.shape)
    x.data.mul_(1.5).add_(0.25)
    to_x, to_w = torch.autograd.grad(out, (x, w), grad, create_graph=recorded)

    factors = grad * w.detach()
    new = x.detach()
    if "prod" in name:
        if name == "cumprod":
            wanted = (factors * before.cumprod(1)).flip(1).cumsum(1).flip(1) / new
        elif name == "prod":
            wanted = factors.sum() * before.prod() / new
        else:
            wanted = (factors * before.prod(1)).unsqueeze(1) / new
    else:
        size = {"layer": (3, 4, 4), "batch": (3, 4, 4), "group": (3, 2, 8), "instance": (3, 4, 4)}[name]
        dim = (0, 2) if name == "batch" else (2,)
        if name != "layer":
            factors = grad * w.detach().view(1, 4, 1)
        old, new, factors = before.view(size), new.view(size), factors.view(size)
        mean, inverse = old.mean(dim, keepdim=True), (old.var(dim, unbiased=False, keepdim=True) + 1e-5).rsqrt()
        unit = (new - mean) * inverse
        common = factors.mean(dim, keepdim=True) + unit * (factors * unit).mean(dim, keepdim=True)
        wanted = ((factors - common) * inverse).view(x.shape)
        assert torch.allclose(to_w.sum(), (grad * unit.view(x.shape)).sum() + grad.sum())
    assert torch.allclose(to_x, wanted)


@pytest.mark.parametrize("name", ["layer", "batch", "group"])
def test_the_node_shows_the_statistics(torch, name):
    """1 / deviation and the mean, under PyTorch's names; with a size of 1 the shape is that of the result."""
    x = torch.tensor([[[1.0, 3.0], [5.0, 5.0]]], dtype=torch.float64, requires_grad=True)
    w = torch.ones(2, dtype=torch.float64)
    F = torch.nn.functional
    calls = {
        "layer": lambda: F.layer_norm(x, (2,)),
        "batch": lambda: F.batch_norm(x, None, None, w, w, training=True),
        "group": lambda: F.group_norm(x, 2),
    }
    node = calls[name]().grad_fn
    assert node._saved_result1.flatten().tolist() == [2.0, 5.0]
    variance = torch.tensor([1.0, 0.0], dtype=torch.float64)
    assert torch.allclose(node._saved_result2.flatten(), (variance + 1e-5).rsqrt())


def test_second_slopes_where_statistics_have_the_shape_of_the_result(torch):
    x = torch.tensor([[2.0], [3.0]], dtype=torch.float64, requires_grad=True)
    w = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda x, w: torch.nn.functional.layer_norm(x, (1,), w), (x, w))
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        assert torch.autograd.gradgradcheck(lambda x, w: torch.nn.functional.layer_norm(x, (1,), w), (x, w))
