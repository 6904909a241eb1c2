"""Small programs that `python -m tests.fuzz` ended with: each was different here once."""

import pytest
from saying import says, warns

OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
OUTSIDE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)


def test_a_gradient_asked_for_twice_is_one_tensor(torch, w):
    first, second = torch.autograd.grad((w * w).sum(), [w, w])
    first.add_(1)
    assert first is second or second.tolist() == [3.0, 5.0, 7.0]
    assert second._version == first._version == 1 + (torch.__name__ == "torch")  # PyTorch counts a step of its own


def test_a_freed_index_is_missed_only_by_who_goes_through_it(torch, w):
    y = w[[1, 1, 0]]
    y.sum().backward()
    assert torch.autograd.grad((y * y).sum(), y)[0].tolist() == [4.0, 4.0, 2.0]


@pytest.mark.parametrize(
    "line",
    [
        "x.index_put_((torch.tensor([1, 0, 2]),), x)",
        "x.index_add_(0, torch.tensor([1, 0, 2]), x)",
        "x.scatter_add_(0, torch.tensor([1, 0, 2]), x)",
        "x[torch.tensor([1, 0, 2])] = x",
        "x[None, :] -= x",
    ],
)
def test_what_is_written_may_not_be_itself(torch, line):
    with says(RuntimeError, OVERLAP):
        exec(line, {"torch": torch, "x": torch.ones(3)})


def test_a_tensor_may_be_copied_onto_itself(torch):
    x = torch.ones(3)
    x[None, :] = x
    assert x._version == 1


def test_an_inference_tensor_is_written_before_it_is_refused(torch):
    with torch.inference_mode():
        x = torch.ones(2)
    with says(RuntimeError, OUTSIDE):
        x.mul_(2)
    assert x.tolist() == [2.0, 2.0] and x.data.is_inference()


def test_on_an_inference_tensor_nothing_is_recorded(torch):
    with torch.inference_mode():
        x = torch.ones(2, requires_grad=True)
    assert x.requires_grad and x.is_leaf and not x.exp().requires_grad and not x[0].requires_grad


def test_what_a_function_hands_straight_on_is_a_new_tensor(torch, w):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    with torch.no_grad():
        assert not Same.apply(w).requires_grad
    x = torch.ones(2)
    assert Same.apply(x) is not x


def test_a_dirty_input_is_counted_once_more(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(2)
    assert Doubled.apply(x) is x and x._version == 2


def test_inputs_must_want_a_gradient_and_be_tensors(torch, w):
    with says(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False"):
        w.sum().backward(inputs=[torch.ones(1)])
    with says(RuntimeError, "all inputs have to be Tensors or GradientEdges, but got NoneType"):
        torch.autograd.grad(w.sum(), [None])


def test_the_jacobian_of_nothing_is_refused(torch):
    with says(RuntimeError, "stack expects a non-empty TensorList"):
        torch.autograd.functional.jacobian(lambda x: x * x, torch.ones(0))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("w.view(2, 3).t().reshape(3, 2)", "ReshapeAliasBackward0"),
        ("w[::2].reshape(1, 3)", "ReshapeAliasBackward0"),
        ("w.view(2, 3)[:, 1:2].flatten()", "ReshapeAliasBackward0"),
        ("w[1:3].reshape(2, 1)", "ViewBackward0"),
        ("w.view(2, 3).t().reshape(6)", "UnsafeViewBackward0"),
    ],
)
def test_reshape_of_memory_with_gaps_has_a_node_of_its_own(torch, line, name):
    w = torch.arange(6.0, requires_grad=True)
    y = eval(line)
    assert y.grad_fn.name() == name
    y.sum().backward()
    assert w.grad.sum() == y.numel()


def test_alpha_of_a_sum_is_nothing_to_free(torch, w):
    y = (w * 1).mean(0)
    y.sub_(w[0], alpha=2)
    z = y + torch.add(y.detach(), w[1], alpha=0.5)
    torch.autograd.grad(z, w, retain_graph=True)
    v = torch.add(w, w, alpha=2.0).sum()
    v.backward()
    v.backward()
    assert w.grad.tolist() == [6.0, 6.0, 6.0]


def test_batch_norm_counts_no_change_of_its_statistics_and_instance_norm_one(torch):
    batch, one = torch.nn.BatchNorm1d(2), torch.nn.InstanceNorm1d(2, track_running_stats=True)
    before = [batch.running_mean._version, one.running_mean._version, one.running_var._version]
    batch(torch.ones(4, 2)), one(torch.ones(4, 2, 3))
    assert [batch.running_mean._version, one.running_mean._version, one.running_var._version] == [
        before[0],
        before[1] + 1,
        before[2] + 1,
    ]
    assert batch.running_mean.tolist() == pytest.approx([0.1, 0.1])


def test_a_jacobian_is_no_view_unless_it_has_a_graph(torch, w):
    jacobian = torch.autograd.functional.jacobian(lambda x: x * x, w.detach())
    assert not jacobian._is_view() and jacobian.detach_() is jacobian


def test_detached_in_place_it_still_says_that_it_retains(torch, w):
    y = w * 2
    y.retain_grad()
    y.detach_()
    assert y.retains_grad and not y.requires_grad


def test_float_warns_only_where_a_graph_could_be_made(torch, w):
    with warns(), torch.no_grad():
        float(w[0])


def test_a_layer_norm_of_no_axis_is_refused(torch):
    with says(RuntimeError) as caught:
        torch.nn.functional.layer_norm(torch.tensor(1.0), [])
    assert str(caught.value).startswith("Expected normalized_shape to be at least 1-dimensional, i.e., containing")


def doubled(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.mul_(2)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Doubled.apply


def test_a_function_that_changes_a_leaf_unrecorded_gives_a_detached_alias(torch, w):
    with torch.no_grad():
        y = doubled(torch)(w)
    assert y is not w and not y.requires_grad and y.tolist() == w.tolist() == [2.0, 4.0, 6.0]


def test_a_function_that_changes_one_of_several_views_says_what_is_being_changed(torch, w):
    part = (w * 1).unbind()[0]
    with says(RuntimeError) as caught:
        doubled(torch)(part)
    assert str(caught.value).startswith("Output 0 of Unbind is a view and is being modified inplace.")


def test_a_view_without_a_node_takes_no_shared_hook(torch, w):
    with torch.no_grad():
        view = w[:]
    with says(AssertionError, "Expected gradient function to be set"):
        torch.autograd.graph.register_multi_grad_hook([view], print)
