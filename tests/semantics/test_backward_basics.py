"""Starting backward, doing so twice, what arrives in `grad`, and changing it by hand."""

import copy
import warnings

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


def test_a_gradient_that_was_recorded_grows_in_place_too(torch, w):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (w**2).sum().backward(create_graph=True)
    grad = w.grad
    (w**3).sum().backward()
    assert w.grad is grad and grad.tolist() == [5, 16, 33]


def test_backward_to_chosen_inputs_lets_their_gradients_grow_in_place(torch, w):
    (w**2).sum().backward()
    grad = w.grad
    (w**2).sum().backward(inputs=[w])
    assert w.grad is grad and grad.tolist() == [4, 8, 12]


def test_backward_to_chosen_inputs_counts_each_once(torch, w):
    (w * w).sum().backward(inputs=[w, w])
    assert w.grad.tolist() == [2, 4, 6]


def test_backward_to_a_chosen_non_leaf_runs_and_frees_its_node(torch, w):
    h, seen = w.exp(), []
    h.retain_grad()
    h.grad_fn.register_hook(lambda inputs, outputs: seen.append("ran"))
    (h * h).sum().backward(inputs=[h])
    assert h.grad.allclose(2 * h) and w.grad is None and seen == ["ran"]
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        h.sum().backward()


def test_backward_to_chosen_inputs_runs_their_hooks_and_no_others(torch, w):
    other, seen = torch.ones(3, requires_grad=True), []
    for name, leaf in {"w": w, "other": other}.items():
        leaf.register_post_accumulate_grad_hook(lambda leaf, name=name: seen.append(name))
    (w * other).sum().backward(inputs=[w])
    assert seen == ["w"] and other.grad is None
