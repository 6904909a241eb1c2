"""What a backward pass does, and in which order: small programs that `python -m tests.fuzz` ended with.

PyTorch takes out all that a node has saved, also where no gradient comes; lets go of it before a leaf's hooks run; and
goes at once to a node that has no derivative.
"""

import pytest
from saying import says

CHANGED = (
    "one of the variables needed for gradient computation has been modified by an inplace operation: [{}] is at "
    "version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to "
    "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved "
    "tensors after calling backward."
)
NO_GRAD_FN = "element 0 of tensors does not require grad and does not have a grad_fn"


def passing_by(torch):
    """A Function whose first argument gets no gradient."""

    class PassingBy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, grad):
            return None, grad

    return PassingBy


def test_where_there_is_no_derivative_is_said_before_older_work(torch, w):
    older = w.logsumexp(0)
    older.backward()
    none = torch.tensor(2.0) // w
    with says(RuntimeError, "derivative for aten::floor_divide is not implemented"):
        torch.autograd.backward([older.sum(), none.sum()])
    with says(RuntimeError, "derivative for aten::floor_divide is not implemented"):
        torch.autograd.backward([older.sum(), (2.0 // w).sum()])


def test_where_there_is_no_derivative_is_said_where_no_gradient_comes(torch, w):
    y = passing_by(torch).apply(w // 2, torch.ones(3))
    with says(RuntimeError, "derivative for aten::floor_divide is not implemented"):
        y.sum().backward()


NO_DERIVATIVE = "derivative for aten::floor_divide is not implemented"


@pytest.mark.parametrize("hooked", [False, True])
def test_where_there_is_no_derivative_all_gradients_come_first(torch, w, hooked):
    x = w * 1
    y = x // 2
    y.retain_grad()
    if hooked:
        w.register_hook(lambda g: None)
    with says(RuntimeError, NO_DERIVATIVE):
        torch.autograd.backward([(y[0:3]).sum(), y.sum()])
    assert y.grad.tolist() == [2.0, 2.0, 2.0]


def test_what_was_made_before_the_one_without_a_derivative_waits_for_it(torch, w):
    older, x = w.exp(), w * 1
    older.retain_grad()
    y = x // 2
    z = y * 2
    with says(RuntimeError, NO_DERIVATIVE):
        torch.autograd.backward([older.sum(), z.sum(), y.sum()], retain_graph=True)
    assert older.grad is None


@pytest.mark.parametrize("first, then", [("floor_divide", "remainder"), ("remainder", "floor_divide")])
def test_of_two_without_a_derivative_the_first_to_be_complete_is_named(torch, w, first, then):
    made = {"floor_divide": w // 2, "remainder": 5 % w}
    with says(RuntimeError, f"derivative for aten::{first} is not implemented"):
        (made[first] * made[then]).sum().backward()


@pytest.mark.parametrize("hooked", ["nothing", "another leaf", "this leaf"])
def test_a_leaf_behind_the_one_without_a_derivative_has_no_gradient(torch, w, hooked):
    """Whether a pass that raises has reached a leaf depends on its graph alone, and not on other leaves that live."""
    leaves = {"nothing": [], "another leaf": [torch.ones(3, requires_grad=True)], "this leaf": [w]}[hooked]
    for leaf in leaves:
        leaf.register_hook(lambda g: None)
    x = torch.ones(3, requires_grad=True)
    with says(RuntimeError, NO_DERIVATIVE):
        ((x // 2) * w).sum().backward()
    assert w.grad is None and x.grad is None


def test_what_is_wanted_through_it_is_an_error_too(torch, w):
    with says(RuntimeError, "derivative for aten::floor_divide is not implemented"):
        torch.autograd.grad((w // 2).sum(), w)


def test_what_was_saved_is_looked_at_where_no_gradient_comes(torch, w):
    y = w.exp()
    z = passing_by(torch).apply(y, torch.ones(3))
    z.sum().backward()
    with says(RuntimeError, FREED):
        z.backward(torch.ones(3))


@pytest.mark.parametrize("hooked", [False, True])
def test_what_was_changed_is_found_where_no_gradient_comes(torch, w, hooked):
    y = w.exp()
    node = y.grad_fn
    if hooked:
        node.register_hook(lambda gi, go: print("not reached"))
    z = passing_by(torch).apply(y, torch.ones(3))
    y.zero_()
    y.detach_()
    with says(RuntimeError, CHANGED.replace("{}]", "torch.FloatTensor [3]], which is output 0 of Exp,")):
        z.sum().backward()


@pytest.mark.parametrize(
    "hook", ["register_hook(lambda g: g.sum())", "register_post_accumulate_grad_hook(lambda p: 3)"]
)
def test_a_node_has_let_go_before_a_leafs_hook_raises(torch, w, hook):
    y = w / w
    eval("w." + hook, {"w": w, "torch": torch})
    with pytest.raises((RuntimeError, TypeError), match="hook"):
        y.sum().backward()
    with says(RuntimeError, FREED):
        (y * y).sum().backward()


@pytest.mark.parametrize(
    ("program", "size", "maker"),
    [
        ("y = x.pow(torch.tensor([1.0, 2.0, 3.0])); z = y * 1; y.mul_(2)", [3], "Pow1"),
        ("y = x.prod(); z = y * 1; y.mul_(2)", [], "Prod"),
        ("y = x.prod(0); z = y * 1; y.mul_(2)", [], "Prod1"),
        ("y = x * 1; z = y.masked_select(x > 1); y.mul_(2)", [3], "Mul"),
        ("y = x * 1; z = y.gather(0, torch.tensor([0, 1])); y.mul_(2)", [3], "Mul"),
        ("y = (x * 1)[0:2]; d = y.detach(); z = d / y; d.zero_()", [2], "AsStrided"),
        ("y = (x * 1).view(3, 1); z = y * y; y.t_()", [1, 3], "T1"),
    ],
)
def test_the_first_that_was_changed_is_named(torch, w, program, size, maker):
    space = {"torch": torch, "x": w}
    exec(program, space)
    with says(RuntimeError, CHANGED.replace("{}]", f"torch.FloatTensor {size}], which is output 0 of {maker},")):
        space["z"].sum().backward()


def test_bools_are_called_otherwise(torch, w):
    mask = torch.tensor([True, False, True])
    y = w.minimum(mask)
    mask.logical_not_()
    with says(RuntimeError, CHANGED.format("CPUBoolType [3]")):
        y.sum().backward()


def test_it_is_the_first_in_the_order_of_saving(torch, w):
    x, y = w * 1, w[0:1] * 1
    z = x / y
    with torch.no_grad():
        x.zero_()
        y.zero_()
    with says(RuntimeError, CHANGED.replace("{}]", "torch.FloatTensor [1]], which is output 0 of Mul,")):
        z.sum().backward()


# -- at the door


def test_what_has_no_history_is_said_before_a_wrong_input(torch, w):
    for outputs, text in (
        (w.detach().sum(), NO_GRAD_FN),
        (w, "grad can be implicitly created only for scalar outputs"),
    ):
        with says(RuntimeError, text):
            torch.autograd.grad(outputs, [w, None])


def test_the_size_is_looked_at_before_the_history(torch, w):
    with torch.no_grad():
        view = w.view_as(w)
    with says(RuntimeError, "grad can be implicitly created only for scalar outputs"):
        view.backward()
    first, _ = w[:2].unbind()
    with says(RuntimeError, NO_GRAD_FN):
        w.detach().backward()
    assert first.requires_grad


# -- hooks


def test_a_multi_grad_hook_does_not_go_with_grad_of_a_leaf(torch, w):
    seen = []
    torch.autograd.graph.register_multi_grad_hook([w, w], seen.append)
    with says(
        RuntimeError,
        "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
        "currently not supported.",
    ):
        torch.autograd.grad(w.sum(), w)
    assert not seen
    w.sum().backward()
    assert len(seen) == 1


def test_a_multi_grad_hook_begins_anew_after_it_was_called(torch, w):
    y, seen = w.max(), []
    torch.autograd.graph.register_multi_grad_hook([w, y], lambda grads: seen.append([g is None for g in grads]))
    y.backward()
    assert seen == [[True, False], [False, True]]  # where a pass begins is not counted


def test_what_a_post_accumulate_hook_returns_is_what_the_next_one_gets(torch, w):
    w.register_post_accumulate_grad_hook(lambda p: p.grad.add_(1))
    seen = []
    w.register_post_accumulate_grad_hook(lambda p: seen.append(p.tolist()))
    with says(RuntimeError, "Tensor post accumulate grad hooks should return None."):
        w.sum().backward()
    assert seen == [[2.0, 2.0, 2.0]]


def test_a_nodes_hook_sees_none_for_what_nobody_wants(torch, w):
    seen = []
    x = w * 1
    y = x * 2
    y.grad_fn.register_hook(lambda gi, go: seen.append(gi[0]))
    y.backward(torch.ones(3), inputs=[y])
    assert seen == [None]


def test_what_a_masked_choice_or_a_place_was_taken_from_must_not_change(torch, w):
    y = w * 1
    assert y.gather(0, torch.tensor([0])).grad_fn._saved_self.tolist() == [1.0, 2.0, 3.0]
    assert y.masked_select(w > 1).grad_fn._saved_self.tolist() == [1.0, 2.0, 3.0]
    assert y.prod().grad_fn._saved_result.item() == 6.0


def test_what_is_collected_on_the_way_is_not_yet_what_its_hooks_made_of_it(torch, w):
    """PyTorch calls the hooks of a tensor after it has collected its gradient, if the pass goes on from there."""
    y = w * 2
    y.register_hook(lambda g: g * 3)
    on_the_way, end = torch.autograd.grad(y.sum(), [y, w], retain_graph=True)
    assert on_the_way.tolist() == [1.0, 1.0, 1.0] and end.tolist() == [6.0, 6.0, 6.0]
    assert torch.autograd.grad(y.sum(), y)[0].tolist() == [3.0, 3.0, 3.0]


@pytest.mark.parametrize("change", ["unsqueeze_(0)", "squeeze_()", "t_()", "transpose_(0, 1)"])
def test_a_tensor_keeps_retaining_what_it_was_before_its_shape_changed(torch, change):
    y = torch.ones(1, 2, requires_grad=True) * 1
    y.retain_grad()
    eval("y." + change, {"y": y})
    y.sum().backward()
    assert y.grad.shape == (1, 2) and y.retains_grad


def test_a_hook_on_any_of_several_is_a_hook_on_each(torch, w):
    """One whose node is not known has a hook that never comes."""
    with torch.no_grad():
        view = w[1:]
    seen = []
    torch.autograd.graph.register_multi_grad_hook([w, view], seen.append, mode="any")
    (w * 2).sum().backward()
    assert [grad.tolist() for grad in seen] == [[2.0, 2.0, 2.0]]
    with pytest.raises(AssertionError, match="Expected gradient function to be set"):
        torch.autograd.graph.register_multi_grad_hook([w, view], seen.append)


def test_cumprod_keeps_its_result(torch, w):
    y = w.cumprod(0)
    y.add_(1)
    with pytest.raises(RuntimeError, match="which is output 0 of Cumprod"):
        y.sum().backward()


def test_of_a_single_factor_the_gradient_passes_on(torch):
    x = torch.ones(2, 1, requires_grad=True)
    (grad,) = torch.autograd.grad(x.cumprod(1), x, torch.ones(2, 1), create_graph=True)
    assert not grad.requires_grad
