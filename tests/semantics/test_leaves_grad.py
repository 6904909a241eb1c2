"""Leaves, `grad` and `grad_fn`: which tensors keep a gradient, what backward asks for, and what a node remembers."""

import copy

import pytest
from saying import says, warns

NOT_A_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)
NO_GRAPH = "element 0 of tensors does not require grad and does not have a grad_fn"
SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
ONLY_LEAVES = "you can only change requires_grad flags of leaf variables."


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


# Starting backward


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element_of_any_shape_needs_no_gradient_argument(torch, shape):
    x = torch.full(shape, 3.0, requires_grad=True)
    (x * x).backward()
    assert x.grad.item() == 6 and x.grad.shape == shape


def test_several_elements_need_one(torch, w):
    with says(RuntimeError, "grad can be implicitly created only for scalar outputs"):
        (w * 2).backward()


@pytest.mark.parametrize("shape", [(1,), (), (2,), (1, 3), (3, 1)])
def test_the_gradient_argument_is_not_broadcast(torch, w, shape):
    text = f"Mismatch in shape: grad_output[0] has a shape of torch.Size({list(shape)}) and output[0] has a shape of "
    with says(RuntimeError, text + "torch.Size([3])."):
        (w * 2).backward(torch.ones(shape))


def test_the_gradient_argument_weighs_the_outputs(torch, w):
    (w * 2).backward(torch.tensor([1.0, 10.0, 100.0]))
    assert w.grad.tolist() == [2, 20, 200]


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_the_gradient_argument_takes_the_outputs_dtype(torch, w, dtype):
    (w * 2).backward(torch.ones(3, dtype=getattr(torch, dtype)))
    assert w.grad.dtype == torch.float32


def test_the_gradient_argument_must_be_a_tensor(torch, w):
    with says(TypeError, "gradients can be either Tensors or None, but got float"):
        (w * 2).backward([1.0])
    with says(TypeError):
        (w * 2).backward(1.0)


def test_as_many_gradients_as_outputs(torch, w):
    with says(RuntimeError, "got 2 tensors and 1 gradients"):
        torch.autograd.backward([w * 2, w * 3], [torch.ones(3)])


def test_several_outputs_add_up(torch, w):
    torch.autograd.backward([w.sum(), (w * w).sum()])
    assert w.grad.tolist() == [3, 5, 7]


def test_backward_of_a_leaf_gives_one(torch):
    x = torch.tensor(3.0, requires_grad=True)
    x.backward()
    x.backward()
    assert x.grad.item() == 2


def test_backward_returns_nothing(torch, w):
    assert w.sum().backward() is None


@pytest.mark.parametrize(
    "make",
    [
        lambda torch, w: torch.ones(1),
        lambda torch, w: w.sum().detach(),
        lambda torch, w: w.argmax(),
        lambda torch, w: (w > 1).sum(),
        lambda torch, w: w.sum().long(),
        lambda torch, w: torch.tensor(w.sum().item()),
        lambda torch, w: torch.no_grad()(w.sum)(),
        lambda torch, w: torch.autograd.grad((w * w).sum(), w)[0].sum(),
        lambda torch, w: w.data.sum(),
    ],
)
def test_what_has_no_graph_cannot_go_backward(torch, w, make):
    with says(RuntimeError, NO_GRAPH):
        make(torch, w).backward()


def test_rebinding_a_parameter_under_no_grad_loses_the_graph(torch, w):
    with torch.no_grad():
        w = w - 0.1 * torch.ones(3)
    assert not w.requires_grad
    with says(RuntimeError, NO_GRAPH):
        w.sum().backward()


# Twice


def test_backward_twice_needs_retain_graph(torch, w):
    y = (w * w).sum()
    y.backward()
    with says(RuntimeError, SECOND_TIME):
        y.backward()
    assert w.grad.tolist() == [2, 4, 6]


def test_backward_twice_is_fine_where_nothing_was_saved(torch, w):
    y = (w + 1).sum()
    y.backward()
    y.backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_a_shared_part_of_two_graphs_is_freed_by_the_first(torch, w):
    shared = w.exp()
    first, second = (shared * 2).sum(), (shared * 3).sum()
    first.backward()
    with says(RuntimeError, SECOND_TIME):
        second.backward()


def test_saved_values_cannot_be_read_once_freed(torch, w):
    y = w * w
    y.sum().backward()
    with says(RuntimeError, SECOND_TIME):
        y.grad_fn._saved_self  # noqa: B018


def test_autograd_grad_frees_the_graph_too(torch, w):
    y = (w * w).sum()
    torch.autograd.grad(y, w)
    with says(RuntimeError, SECOND_TIME):
        y.backward()


def test_retain_graph_lets_gradients_pile_up(torch):
    w, x = torch.tensor([1.0], requires_grad=True), torch.tensor([2.0], requires_grad=True)
    y = (w + x) * (w + 1)
    y.backward(retain_graph=True)
    assert (w.grad.item(), x.grad.item()) == (5, 2)
    y.backward()
    assert (w.grad.item(), x.grad.item()) == (10, 4)


def test_retain_graph_defaults_to_create_graph(torch, w):
    y = (w * w).sum()
    torch.autograd.grad(y, w, create_graph=True)
    torch.autograd.grad(y, w)
    with says(RuntimeError, SECOND_TIME):
        torch.autograd.grad(y, w)


# What arrives


def test_accumulation_keeps_the_same_grad_object(torch, w):
    w.sum().backward()
    grad = w.grad
    w.sum().backward()
    assert w.grad is grad and grad.tolist() == [2, 2, 2]


def test_grad_has_the_leafs_shape_and_dtype_and_needs_no_gradient(torch):
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    (x.float() * 2).sum().backward()
    assert x.grad.shape == (2, 3) and x.grad.dtype == torch.float64 and not x.grad.requires_grad and x.grad.is_leaf


def test_grad_is_never_one_memory_with_another_leafs(torch):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    (a + b).backward(torch.ones(2))
    a.grad.zero_()
    assert b.grad.tolist() == [1, 1]


def test_grad_is_not_the_gradient_that_was_handed_in(torch, w):
    start = torch.ones(3)
    (w + 0).backward(start)
    w.grad.zero_()
    assert start.tolist() == [1, 1, 1]


@pytest.mark.parametrize("how", ["add", "view", "sub", "clone", "expand"])
def test_a_gradient_that_two_share_is_not_changed_when_one_gets_more(torch, how):
    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    u, v = a * 1, b * 1
    more = u * 5  # made first, so its gradient arrives last
    shared = {"add": u + v, "view": u.view(2) + v, "sub": u - v, "clone": u.clone() + v, "expand": u.expand(2) + v}[how]
    (shared + more).sum().backward()
    assert a.grad.tolist() == [6, 6] and b.grad.abs().tolist() == [1, 1]


def test_a_tensor_used_twice_gets_both_gradients(torch, w):
    (w + w).sum().backward()
    assert w.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 1), (1, 3), (4, 1, 1), (2, 3)])
def test_a_broadcast_input_gets_the_sum(torch, shape):
    x = torch.ones(shape, requires_grad=True)
    (x * torch.ones(4, 2, 3)).sum().backward()
    assert x.grad.shape == shape and x.grad.sum().item() == 24


def test_only_leaves_get_a_gradient(torch, w):
    y = w * 2
    y.sum().backward()
    with warns(NOT_A_LEAF):
        assert w.grad is not None and y.grad is None


def test_constants_get_none(torch, w):
    x = torch.ones(3)
    (w * x).sum().backward()
    assert x.grad is None


# Changing requires_grad and grad


def test_requires_grad_of_a_result_cannot_be_switched_off(torch, w):
    hint = (
        " If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = "
        "var.detach()."
    )
    with says(RuntimeError, ONLY_LEAVES + hint):
        (w * 2).requires_grad = False
    with says(RuntimeError, ONLY_LEAVES + hint):
        (w * 2).requires_grad_(False)


def test_requires_grad_of_a_result_cannot_be_assigned_at_all(torch, w):
    with says(RuntimeError, ONLY_LEAVES):
        (w * 2).requires_grad = True


def test_requires_grad_can_be_switched_on_a_leaf(torch):
    x = torch.ones(2)
    assert x.requires_grad_() is x and x.requires_grad
    x.requires_grad = False
    assert not x.requires_grad


def test_requires_grad_is_a_bool(torch, w):
    with says(RuntimeError, "requires_grad must be a bool"):
        w.requires_grad = "yes"


@pytest.mark.parametrize(
    "text, make",
    [
        (
            "only Tensors of floating point dtype can require gradients",
            lambda torch: torch.tensor([1]).requires_grad_(),
        ),
        (
            "only Tensors of floating point and complex dtype can require gradients",
            lambda torch: setattr(torch.tensor([1]), "requires_grad", True),
        ),
        (
            "Only Tensors of floating point and complex dtype can require gradients",
            lambda torch: torch.tensor([1], requires_grad=True),
        ),
        (
            "Only Tensors of floating point and complex dtype can require gradients",
            lambda torch: torch.tensor([True], requires_grad=True),
        ),
        (
            "Only Tensors of floating point and complex dtype can require gradients",
            lambda torch: torch.arange(3, requires_grad=True),
        ),
    ],
)
def test_integers_cannot_require_gradients(torch, text, make):
    with says(RuntimeError, text):
        make(torch)


def test_grad_must_have_the_tensors_size(torch):
    text = "attempting to assign a gradient of size '[2]' to a tensor of size '[1]'. Please ensure that the gradient "
    with says(RuntimeError, text + "and the tensor are the same size"):
        torch.ones(1, requires_grad=True).grad = torch.ones(2)


def test_grad_must_be_a_tensor_or_none(torch, w):
    with says(TypeError, "assigned grad expected to be a Tensor or None but got grad of type int"):
        w.grad = 3


def test_a_tensor_cannot_be_its_own_grad(torch, w):
    with says(RuntimeError, "can't assign Variable as its own grad"):
        w.grad = w


def test_grad_must_have_the_tensors_dtype(torch, w):
    text = (
        "attempting to assign a gradient with dtype 'double' to a tensor with grad_dtype 'Float'. The gradient must "
        "match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute "
        "with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a "
        "tensor and its gradient may break downstream systems that assume they match."
    )
    with says(RuntimeError, text):
        w.grad = torch.ones(3, dtype=torch.float64)


def test_an_assigned_grad_is_added_to(torch, w):
    grad = torch.full((3,), 5.0)
    w.grad = grad
    w.sum().backward()
    assert w.grad is grad and grad.tolist() == [6, 6, 6]
    w.grad = None
    assert w.grad is None


# Copies


def test_deepcopy_of_a_leaf_keeps_its_grad(torch, w):
    w.sum().backward()
    twin = copy.deepcopy(w)
    w.grad.zero_()
    assert twin.requires_grad and twin.is_leaf and twin.grad.tolist() == [1, 1, 1]


def test_deepcopy_of_a_result_is_refused(torch, w):
    text = (
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
        "moment.  If you were attempting to deepcopy a module, this may be because of a "
        "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
    )
    with says(RuntimeError, text):
        copy.deepcopy(w * 2)


def test_tensor_of_a_tensor_warns_and_copies(torch, w):
    text = (
        "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
        "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
    )
    with warns(text):
        x = torch.tensor(w)
    assert not x.requires_grad and x.tolist() == [1, 2, 3]


def test_variable_is_the_old_name_of_a_tensor(torch):
    x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
    assert isinstance(x, torch.Tensor) and x.requires_grad and x.is_leaf
    assert isinstance(x, torch.autograd.Variable)
