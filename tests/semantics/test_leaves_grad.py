"""Leaves, `grad` and `grad_fn`: which tensors keep a gradient, and what a node remembers."""

import pytest
from saying import says, warns

NOT_A_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)


# Reading .grad


def test_reading_grad_of_a_non_leaf_warns_every_time(torch, w):
    y = w * 2
    for _ in range(2):
        with warns(NOT_A_LEAF):
            assert y.grad is None


def test_reading_grad_of_a_non_leaf_warns_after_backward_too(torch, w):
    y = w * 2
    y.sum().backward()
    with warns(NOT_A_LEAF):
        assert y.grad is None


def test_the_warning_points_at_the_readers_own_line(torch, w):
    with warns(NOT_A_LEAF) as caught:
        (w * 2).grad  # noqa: B018
    assert caught[0].filename == __file__


def test_reading_grad_is_silent_where_one_can_come(torch, w):
    y = w * 2
    y.retain_grad()
    with warns():
        assert w.grad is None and y.grad is None and torch.ones(2).grad is None and y.detach().grad is None


def test_grad_starts_as_none_so_zeroing_it_early_is_an_attribute_error(torch, w):
    with says(AttributeError, "'NoneType' object has no attribute 'zero_'"):
        w.grad.zero_()


# retain_grad


@pytest.mark.parametrize("change", [lambda y: y.mul_(3), lambda y: y[0:2].mul_(3), lambda y: y.view(3, 1).mul_(3)])
def test_who_retains_its_gradient_keeps_the_new_one_after_a_change(torch, w, change):
    y = w * 2
    view = y[0:1]
    y.retain_grad()
    view.retain_grad()
    change(y)
    assert y.retains_grad and view.retains_grad
    (y.sum() + view.sum()).backward()
    assert y.grad.tolist() == [2, 1, 1] and view.grad.tolist() == [1]


def test_retain_grad_on_a_leaf_does_nothing(torch, w):
    w.retain_grad()
    assert not w.retains_grad


def test_retain_grad_is_idempotent_and_accumulates(torch, w):
    y = w * 2
    y.retain_grad()
    y.retain_grad()
    assert y.retains_grad
    for times in (1, 2):
        (y * 3).sum().backward(retain_graph=True)
        assert y.grad.tolist() == [3 * times] * 3


def test_retain_grad_needs_requires_grad(torch):
    with says(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False"):
        torch.ones(2).retain_grad()


def test_retain_grad_keeps_what_a_hook_made_of_the_gradient(torch, w):
    y = w * 2
    y.retain_grad()
    y.register_hook(lambda grad: grad * 10)
    y.sum().backward()
    assert y.grad.tolist() == [10, 10, 10]


# Leaves


def test_what_the_user_made_is_a_leaf(torch, w):
    assert w.is_leaf and w.grad_fn is None and torch.ones(2).is_leaf


def test_an_operator_on_tensors_without_grad_gives_a_leaf(torch):
    y = torch.ones(2) * 2
    assert y.is_leaf and not y.requires_grad and y.grad_fn is None


@pytest.mark.parametrize("name", ["clone", "double", "contiguous_copy", "view", "alias"])
def test_a_copy_or_view_of_a_leaf_is_no_leaf(torch, w, name):
    y = {
        "clone": lambda: w.clone(),
        "double": lambda: w.double(),
        "contiguous_copy": lambda: w[[0, 1, 2]],
        "view": lambda: w.view(3),
        "alias": lambda: w[:],
    }[name]()
    assert not y.is_leaf and y.requires_grad and y.grad_fn is not None


def test_a_conversion_that_changes_nothing_returns_the_tensor_itself(torch, w):
    assert w.float() is w and w.to(torch.float32) is w and w.cpu() is w and w.contiguous() is w and w.to("cpu") is w


@pytest.mark.parametrize("name", ["grad_fn", "is_leaf", "shape", "dtype", "_version", "retains_grad"])
def test_what_the_engine_knows_cannot_be_assigned(torch, w, name):
    with says(AttributeError):
        setattr(w, name, None)


def test_is_leaf_of_comparisons_and_indices(torch, w):
    assert (w > 1).is_leaf and w.argmax().is_leaf and not w.max().is_leaf


def test_parts_of_an_expression_that_need_no_gradient_are_leaves(torch, w):
    x = torch.ones(3)
    assert (x + 1).is_leaf and not (w + x).is_leaf


# What a node knows


def test_a_nodes_name_is_its_operators(torch, w):
    y = w * 2
    assert y.grad_fn.name() == type(y.grad_fn).__name__ == "MulBackward0"
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")


@pytest.mark.parametrize(
    "name, expression",
    [
        ("AddBackward0", lambda w: w + w),
        ("AddBackward0", lambda w: 1 + w),
        ("SubBackward0", lambda w: w - 1),
        ("RsubBackward1", lambda w: 1 - w),
        ("DivBackward0", lambda w: w / 2),
        ("MulBackward0", lambda w: 1 / w),
        ("PowBackward0", lambda w: w**2),
        ("PowBackward2", lambda w: 2**w),
        ("PowBackward1", lambda w: w**w),
        ("NegBackward0", lambda w: -w),
        ("AbsBackward0", lambda w: abs(w)),
        ("DotBackward0", lambda w: w @ w),
        ("SelectBackward0", lambda w: w[0]),
        ("SliceBackward0", lambda w: w[1:]),
        ("SliceBackward0", lambda w: w[:]),
        ("AliasBackward0", lambda w: w[...]),
        ("UnsqueezeBackward0", lambda w: w[None]),
        ("IndexBackward0", lambda w: w[[0, 0]]),
        ("IndexBackward0", lambda w: w[w > 1]),
        ("UnbindBackward0", lambda w: list(w)[0]),
        ("PermuteBackward0", lambda w: w.expand(2, 3).T),
        ("ToCopyBackward0", lambda w: w.double()),
        ("CloneBackward0", lambda w: w.clone()),
        ("MaxBackward1", lambda w: w.max()),
        ("MaxBackward0", lambda w: w.max(0).values),
        ("SumBackward0", lambda w: w.sum()),
        ("SumBackward1", lambda w: w.sum(0)),
        ("MeanBackward0", lambda w: w.mean()),
        ("MeanBackward1", lambda w: w.mean(0)),
    ],
)
def test_python_syntax_makes_pytorchs_nodes(torch, w, name, expression):
    assert expression(w).grad_fn.name() == name


def test_next_functions_lead_to_the_inputs_in_order(torch, w):
    a, b = w * 2, w + 1
    y = a * b
    assert y.grad_fn.next_functions == ((a.grad_fn, 0), (b.grad_fn, 0))


def test_next_functions_are_none_for_what_needs_no_gradient(torch, w):
    assert (torch.ones(3) * w).grad_fn.next_functions[0] == (None, 0)
    assert (w * 3).grad_fn.next_functions[1] == (None, 0)


def test_next_functions_number_an_operators_outputs(torch, w):
    first, second, third = w.unbind()
    assert (first * third).grad_fn.next_functions == ((first.grad_fn, 0), (third.grad_fn, 2))


def test_a_leaf_has_one_accumulate_grad_shared_by_all_its_uses(torch, w):
    (left, _), (right, _) = (w * w).grad_fn.next_functions
    assert left is right and left is (w + 1).grad_fn.next_functions[0][0]
    assert left.variable is w and left.next_functions == () and left.name() == "torch::autograd::AccumulateGrad"


def test_grad_fn_is_the_same_object_at_every_reading(torch, w):
    y = w * 2
    assert y.grad_fn is y.grad_fn


def test_a_node_saves_only_what_a_needed_slope_uses(torch, w):
    node = (w * torch.tensor([4.0, 5.0, 6.0])).grad_fn
    assert node._saved_self is None and node._saved_other.tolist() == [4, 5, 6]


def test_a_node_saves_both_factors_when_both_need_a_gradient(torch, w):
    node = (w * w).grad_fn
    assert node._saved_self.tolist() == node._saved_other.tolist() == [1, 2, 3] and node._saved_self.requires_grad


def test_a_matrix_product_with_a_constant_saves_the_constant(torch):
    x, weight = torch.ones(2, 3), torch.ones(3, 4, requires_grad=True)
    node = x.mm(weight).grad_fn
    assert node._saved_self.shape == (2, 3) and node._saved_mat2 is None


def test_an_operator_that_needs_its_result_saves_that(torch, w):
    y = w.exp()
    assert y.grad_fn._saved_result.tolist() == y.tolist() and y.grad_fn._saved_result.grad_fn is y.grad_fn


def test_sum_saves_sizes_and_no_tensor(torch):
    node = torch.ones(2, 3, requires_grad=True).sum(1, keepdim=True).grad_fn
    assert node._saved_self_sym_sizes == (2, 3) and node._saved_dim == (1,) and node._saved_keepdim is True


def test_addition_saves_no_tensor(torch, w):
    assert not hasattr((w + w).grad_fn, "_saved_self")


@pytest.mark.parametrize(
    "saved, expression",
    [
        ({"_saved_exponent": 2}, lambda w: w**2),
        ({"_saved_min": 0, "_saved_max": None}, lambda w: w.clamp(min=0)),
        ({"_saved_dim0": 0, "_saved_dim1": 1}, lambda w: w.expand(2, 3).transpose(0, 1)),
        ({"_saved_dim": 0, "_saved_index": 1}, lambda w: w[1]),
        ({"_saved_dim": 0, "_saved_keepdim": False}, lambda w: w.max(0).values),
    ],
)
def test_a_node_keeps_the_arguments_its_slope_uses(torch, w, saved, expression):
    node = expression(w).grad_fn
    assert {name: getattr(node, name) for name in saved} == saved
