"""Hooks on tensors, nodes and saved values, in PyTorch's order; and anomaly mode, which tells where a nan came from."""

import math

import pytest
from saying import says, warns, without_cpp


@pytest.fixture
def x(torch):
    return torch.tensor([1.0], requires_grad=True)


# Tensor hooks


def test_a_hook_sees_the_gradient_and_may_replace_it(torch, x):
    seen = []
    x.register_hook(lambda grad: seen.append(grad.item()))
    x.register_hook(lambda grad: grad * 10)
    x.register_hook(lambda grad: seen.append(grad.item()))
    (x * 2).backward()
    assert seen == [2, 20] and x.grad.item() == 20


def test_a_hook_on_a_result_changes_what_flows_on(torch, x):
    y = x * 2
    y.register_hook(lambda grad: grad * 10)
    (y * 3).backward()
    assert x.grad.item() == 60


def test_a_hook_runs_once_on_the_sum_of_all_uses(torch, x):
    seen = []
    y = x * 2
    y.register_hook(lambda grad: seen.append(grad.item()))
    (y * 3 + y * 4).backward()
    assert seen == [7]


def test_a_leafs_hook_runs_at_every_backward(torch, x):
    seen = []
    x.register_hook(lambda grad: seen.append(grad.item()))
    (x * 2).backward()
    (x * 3).backward()
    assert seen == [2, 3]


def test_a_hook_runs_for_autograd_grad_too(torch, x):
    x.register_hook(lambda grad: grad * 10)
    assert torch.autograd.grad(x * 2, x)[0].item() == 20


def test_a_removed_hook_is_silent(torch, x):
    handle = x.register_hook(lambda grad: grad * 10)
    handle.remove()
    handle.remove()
    (x * 2).backward()
    assert x.grad.item() == 2


def test_a_handle_is_a_context_manager(torch, x):
    with x.register_hook(lambda grad: grad * 10):
        (x * 2).backward()
    (x * 2).backward()
    assert x.grad.item() == 22


def test_a_hooks_gradient_has_a_graph_only_under_create_graph(torch, x):
    seen = []
    x.register_hook(lambda grad: seen.append(grad.requires_grad))
    (x * x).backward()
    torch.autograd.grad(x * x, x, create_graph=True)
    assert seen == [False, True]


def test_after_an_in_place_operator_old_hooks_stay_with_the_old_node(torch, x):
    seen = []
    y = x * 2
    y.register_hook(lambda grad: seen.append(("before", grad.item())))
    y.mul_(5)
    y.register_hook(lambda grad: seen.append(("after", grad.item())))
    y.backward()
    assert seen == [("after", 1), ("before", 5)]


@pytest.mark.parametrize(
    "error, text, hook",
    [
        (TypeError, "expected Variable, but hook returned 'int'", lambda torch: lambda grad: 3),
        (RuntimeError, "hook '<lambda>' has changed the size of value", lambda torch: lambda grad: torch.ones(2)),
        (
            RuntimeError,
            "hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)",
            lambda torch: lambda grad: grad.double(),
        ),
        (TypeError, "'int' object is not callable", lambda torch: 3),
    ],
)
def test_what_a_hook_may_not_return(torch, x, error, text, hook):
    x.register_hook(hook(torch))
    with says(error, text):
        (x * 2).backward()


def test_an_error_in_a_hook_reaches_the_caller(torch, x):
    x.register_hook(lambda grad: 1 / 0)
    with says(ZeroDivisionError):
        (x * 2).backward()


def test_hooks_need_requires_grad(torch):
    text = "cannot register a hook on a tensor that doesn't require gradient"
    with says(RuntimeError, text):
        torch.ones(1).register_hook(print)
    with says(RuntimeError, text):
        torch.ones(1).register_post_accumulate_grad_hook(print)


def test_post_accumulate_hooks_are_for_leaves(torch, x):
    with says(RuntimeError, "post accumulate grad hooks cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)


def test_a_post_accumulate_hook_gets_the_leaf_with_its_grad(torch, x):
    seen = []
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append((leaf is x, leaf.grad.item())))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == [(True, 2), (True, 4)]


def test_a_post_accumulate_hook_can_take_the_optimizers_step(torch, x):
    def step(leaf):
        with torch.no_grad():
            leaf -= 0.5 * leaf.grad
        leaf.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * 2).backward()
    assert x.item() == 0 and x.grad is None


@pytest.fixture
def accumulator(x):
    return (x * 1).grad_fn.next_functions[0][0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_leafs_hooks_run_in_pytorchs_order_and_grad_mode(torch, x, accumulator, create_graph):
    seen = []

    def note(what, grad):
        seen.append((what, grad.item(), x.grad and x.grad.item(), torch.is_grad_enabled()))

    x.register_hook(lambda grad: note("tensor", grad) or grad - 2)
    accumulator.register_prehook(lambda grads: note("pre-hook", grads[0]) or (grads[0] / 5,))
    x.register_post_accumulate_grad_hook(lambda leaf: note("post-accumulate", leaf.grad.add_(0.5)))
    accumulator.register_hook(lambda into, out: note("hook", x.grad))
    with pytest.warns(UserWarning) if create_graph else warns():
        (x * 12).backward(create_graph=create_graph)
    assert seen == [
        ("tensor", 12, None, create_graph),
        ("pre-hook", 10, None, create_graph),
        ("post-accumulate", 2.5, 2.5, create_graph),
        ("hook", 2.5, 2.5, create_graph),
    ]
    assert x.grad.item() == 2.5


def test_autograd_grad_runs_a_leafs_tensor_hooks_alone(torch, x, accumulator):
    x.register_hook(lambda grad: grad - 2)
    accumulator.register_prehook(lambda grads: (grads[0] / 5,))
    accumulator.register_hook(lambda into, out: 1 / 0)
    x.register_post_accumulate_grad_hook(lambda leaf: 1 / 0)
    assert torch.autograd.grad(x * 12, x)[0].item() == 10


def test_backward_into_chosen_inputs_runs_all_hooks(torch, x, accumulator):
    x.register_hook(lambda grad: grad - 2)
    accumulator.register_prehook(lambda grads: (grads[0] / 5,))
    x.register_post_accumulate_grad_hook(lambda leaf: [leaf.grad.add_(0.5)] and None)
    (x * 12).backward(inputs=[x])
    assert x.grad.item() == 2.5


@pytest.mark.parametrize("change", [lambda p: p.sub_(p.grad), lambda p: p.data.sub_(p.grad), lambda p: p.grad.zero_()])
def test_an_optimizer_in_backward_needs_no_no_grad(torch, x, change):
    x.register_post_accumulate_grad_hook(lambda p: [change(p)] and None)
    (x * 3).backward()
    assert (x.item(), x.grad.item()) in [(-2, 3), (1, 0)] and x.is_leaf


def test_a_hook_that_fails_leaves_the_grad_mode_as_it_was(torch, x):
    x.register_hook(lambda grad: 1 / 0)
    with says(ZeroDivisionError):
        (x * 2).backward()
    assert torch.is_grad_enabled()


def test_under_create_graph_hooks_record_even_within_no_grad(torch, x):
    seen = []
    y = x * x
    y.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    with torch.no_grad(), pytest.warns(UserWarning):
        y.backward(create_graph=True)
    assert seen == [True]


@pytest.mark.parametrize("what", ["tensor hook", "post-accumulate hook", "post-hook"])
def test_what_a_hook_keeps_is_not_grad_itself(torch, x, accumulator, what):
    kept = []
    if what == "tensor hook":
        x.register_hook(lambda grad: kept.append(grad))
        x.register_hook(lambda grad: kept.append(grad * 1) or kept[-1])
    elif what == "post-hook":
        x.register_hook(lambda grad: kept.append(grad))
        accumulator.register_hook(lambda into, out: None)
    else:
        x.register_post_accumulate_grad_hook(lambda leaf: kept.append(leaf.grad.clone()))
    (x * 2).backward()
    x.grad.add_(5)
    assert [grad.item() for grad in kept] == [2] * len(kept) and kept


LIKE = [
    (TypeError, "expected tuple, but hook returned 'Tensor'", lambda torch, g: g),
    (TypeError, "expected tuple, but hook returned 'int'", lambda torch, g: 3),
    (
        RuntimeError,
        "hook '<lambda>' has returned an incorrect number of values (got 2, but expected 1)",
        lambda torch, g: (g, g),
    ),
    (RuntimeError, "hook '<lambda>' has changed the size of value", lambda torch, g: (torch.ones(2),)),
    (TypeError, "expected Variable, but hook returned 'int'", lambda torch, g: (3,)),
    (
        RuntimeError,
        "hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)",
        lambda torch, g: (g.double(),),
    ),
]


@pytest.mark.parametrize("error, text, change", LIKE)
@pytest.mark.parametrize("place", ["accumulator", "node", "after the node"])
def test_what_a_nodes_hook_gives_must_be_like_what_it_got(torch, x, accumulator, error, text, change, place):
    y = x.exp()
    if place == "after the node":
        y.grad_fn.register_hook(lambda into, out: change(torch, into[0]))
    else:
        node = accumulator if place == "accumulator" else y.grad_fn
        node.register_prehook(lambda grads: change(torch, grads[0]))
    with says(error, text):
        y.backward()


@pytest.mark.parametrize(
    "error, text, hook",
    [
        (TypeError, "expected Variable, but hook returned 'int'", lambda leaf: 3),
        (RuntimeError, "Tensor post accumulate grad hooks should return None.", lambda leaf: leaf.grad),
        (None, None, lambda leaf: leaf),
    ],
)
def test_what_a_post_accumulate_hook_may_return(torch, x, error, text, hook):
    x.register_post_accumulate_grad_hook(hook)
    with says(error, text) if error else warns():
        (x * 2).backward()
    assert x.grad.item() == 2


def test_hooks_hear_of_a_gradient_that_a_function_does_not_give(torch, x):
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * 1

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    leaf, seen = torch.ones(1, requires_grad=True), []
    leaf.register_hook(lambda grad: seen.append(("leaf", grad)))
    leaf.register_post_accumulate_grad_hook(lambda leaf: seen.append(("post-accumulate", leaf.grad)))
    y = leaf * 2
    y.register_hook(lambda grad: seen.append(("tensor", grad)))
    y.grad_fn.register_prehook(lambda grads: seen.append(("pre-hook", grads)))
    y.grad_fn.register_hook(lambda into, out: seen.append(("hook", into, out)))
    First.apply(x, y).backward()
    assert seen == [
        ("tensor", None),
        ("pre-hook", (None,)),
        ("hook", (None, None), (None,)),
        ("leaf", None),
        ("post-accumulate", None),
    ]
    y = leaf * 2
    y.grad_fn.register_hook(lambda into, out: (into[0] or out[0] or torch.ones(1), None))
    with says(RuntimeError, "can't replace a None gradient with a non-None value"):
        First.apply(x, y).backward()


def test_a_hook_that_is_removed_while_hooks_run_still_runs(torch, x):
    seen, handles = [], []
    handles.append(x.register_hook(lambda grad: handles[1].remove()))
    handles.append(x.register_hook(lambda grad: seen.append("second")))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == ["second"]


# Node hooks


def test_a_node_hook_sees_both_sides(torch, x):
    seen = []
    y = x * 2
    y.grad_fn.register_prehook(lambda out: seen.append(("pre", [g.item() for g in out])))
    y.grad_fn.register_hook(
        lambda into, out: seen.append(("post", [g and g.item() for g in into], [g.item() for g in out]))
    )
    y.backward()
    assert seen == [("pre", [1]), ("post", [2, None], [1])]


def test_node_hooks_may_replace_gradients(torch, x):
    y = x * 2
    y.grad_fn.register_prehook(lambda out: (out[0] * 10,))
    y.grad_fn.register_hook(lambda into, out: (into[0] + 0.5, None))
    y.backward()
    assert x.grad.item() == 20.5


@pytest.mark.parametrize(
    "error, text, hook",
    [
        (TypeError, "expected tuple, but hook returned 'Tensor'", lambda into, out: into[0]),
        (
            RuntimeError,
            "hook '<lambda>' has returned an incorrect number of values (got 1, but expected 2)",
            lambda into, out: (into[0],),
        ),
    ],
)
def test_what_a_node_hook_may_not_return(torch, x, error, text, hook):
    y = x * 2
    y.grad_fn.register_hook(hook)
    with says(error, text):
        y.backward()


@pytest.mark.parametrize(
    "error, text, hook",
    [
        (TypeError, "expected tuple, but hook returned 'int'", lambda out: 3),
        (
            RuntimeError,
            "hook '<lambda>' has returned an incorrect number of values (got 2, but expected 1)",
            lambda out: (out[0], out[0]),
        ),
    ],
)
def test_what_a_node_prehook_may_not_return(torch, x, error, text, hook):
    y = x * 2
    y.grad_fn.register_prehook(hook)
    with says(error, text):
        y.backward()


def test_the_node_that_accumulates_has_hooks_too(torch, x):
    seen = []
    node = (x * 2).grad_fn.next_functions[0][0]
    node.register_hook(lambda into, out: seen.append((into, out[0].item(), x.grad.item())))
    (x * 3).backward()
    assert seen == [((), 3, 3)]


def test_all_hooks_run_in_pytorchs_order(torch, x):
    order = []
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda grad: order.append("first tensor hook"))
    y.register_hook(lambda grad: order.append(f"second tensor hook, retained {y.grad}"))
    y.grad_fn.register_prehook(lambda out: order.append(f"node pre-hook, retained {y.grad.item()}"))
    y.grad_fn.register_hook(lambda into, out: order.append("node hook"))
    x.register_hook(lambda grad: order.append(f"leaf hook, grad {x.grad}"))
    x.register_post_accumulate_grad_hook(lambda leaf: order.append(f"post-accumulate hook, grad {x.grad.item()}"))
    y.backward()
    assert order == [
        "first tensor hook",
        "second tensor hook, retained None",
        "node pre-hook, retained 1.0",
        "node hook",
        "leaf hook, grad None",
        "post-accumulate hook, grad 2.0",
    ]


# Multi-grad hooks


def test_a_multi_grad_hook_fires_once_with_all_gradients(torch, x):
    other, seen = torch.tensor([2.0], requires_grad=True), []
    hook = torch.autograd.graph.register_multi_grad_hook
    handle = hook((x, other), lambda grads: seen.append([g and g.item() for g in grads]))
    (x * other).backward()
    (x * 3).backward()
    handle.remove()
    (x * other).backward()
    assert seen == [[2, 1], [3, None]]
    with hook((x,), seen.append):
        pass
    (x * 3).backward()
    assert len(seen) == 2


# Saved values


def test_saved_values_go_through_pack_and_unpack(torch):
    x, seen = torch.tensor([3.0], requires_grad=True), []

    def pack(tensor):
        seen.append("pack")
        return tensor.item()

    def unpack(number):
        seen.append("unpack")
        return torch.tensor([number + 4])

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
    assert seen == ["pack", "pack"]
    y.backward()
    assert seen == ["pack", "pack", "unpack", "unpack"] and x.grad.item() == 14


@pytest.mark.parametrize("program", [lambda w: w.exp(), lambda w: w * w, lambda w: (w * 1) * (w * 1), lambda w: w**3])
def test_what_was_packed_comes_back_with_its_history(torch, w, program):
    def second(y):
        (first,) = torch.autograd.grad(y.sum(), w, create_graph=True)
        return torch.autograd.grad(first.sum(), w)[0].tolist()

    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.tolist(), lambda packed: torch.tensor(packed)):
        y = program(w)
    assert second(y) == second(program(w))


def test_a_packed_constant_comes_back_as_one(torch, w):
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.tolist(), lambda packed: torch.tensor(packed)):
        node = (w * torch.ones(3)).grad_fn
    assert not node._saved_other.requires_grad


def test_unpack_must_give_a_tensor(torch, x):
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: 3):
        y = x.exp()
    with says(TypeError, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"):
        y.backward()


def test_pack_may_not_change_its_tensor(torch, x):
    text = (
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if "
        "you need to perform in-place operations on the input to a pack hook."
    )
    y = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.detach().add_(1), lambda x: x), says(RuntimeError, text):
        y * y


# Anomaly mode


def test_detect_anomaly_warns_that_it_is_slow_and_goes_off_again(torch):
    text = (
        "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled "
        "for debugging."
    )
    assert not torch.is_anomaly_enabled()
    with warns(text), torch.autograd.detect_anomaly():
        assert torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()
    assert not torch.is_anomaly_enabled()


@pytest.mark.parametrize(
    "change, packed, slope",
    [
        (lambda x, w: x.sin_(), [[1, 2, 3]], [math.cos(n) for n in (2, 4, 6)]),
        (lambda x, w: x.exp_(), [[math.exp(n) for n in (1, 2, 3)]], [2 * math.exp(n) for n in (1, 2, 3)]),
        (lambda x, w: x.mul_(w), [[1, 2, 3], [1, 2, 3]], [4, 8, 12]),
        (lambda x, w: x[:2].mul_(w[1]), [2, [1, 2]], [4, 10, 1]),
    ],
)
def test_what_an_in_place_operator_saves_goes_through_the_hook(torch, w, change, packed, slope):
    seen = []
    x = w * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t.tolist()) or t, lambda t: t * 2):
        change(x, w)
    x.sum().backward()
    assert len(seen) == len(packed) and all(each in seen for each in map(pytest.approx, packed))
    assert w.grad.tolist() == pytest.approx(slope)


def test_set_detect_anomaly_is_silent(torch):
    with warns(), torch.autograd.set_detect_anomaly(True, check_nan=False):
        assert torch.is_anomaly_enabled() and not torch.is_anomaly_check_nan_enabled()
    assert not torch.is_anomaly_enabled()


def test_a_nan_in_backward_is_an_error_that_shows_the_readers_own_line(torch):
    x = torch.tensor([0.0], requires_grad=True)
    with pytest.warns(UserWarning) as caught, torch.autograd.set_detect_anomaly(True):
        y = x.sqrt() * 0  # the culprit
        with says(RuntimeError, "Function 'SqrtBackward0' returned nan values in its 0th output."):
            y.backward()
    message = without_cpp(caught[0].message)
    assert message.startswith("Error detected in SqrtBackward0. Traceback of forward call that caused the error:\n")
    assert "y = x.sqrt() * 0  # the culprit" in message and __file__ in message


def test_without_a_recorded_forward_there_is_no_line_to_show(torch):
    x = torch.tensor([-1.0], requires_grad=True)
    y = x.sqrt()
    text = (
        "Error detected in SqrtBackward0. No forward pass information available. Enable detect anomaly during "
        "forward pass for more information."
    )
    with warns(text), torch.autograd.set_detect_anomaly(True), says(RuntimeError):
        y.backward()


def test_without_check_nan_a_nan_passes(torch):
    x = torch.tensor([-1.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        x.sqrt().backward()
    assert x.grad.isnan().all()


def test_under_anomaly_mode_a_changed_tensor_gets_another_hint(torch, w):
    text = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3]], which is output 0 of Exp, is at version 1; expected version 0 instead. Hint: the "
        "backtrace further above shows the operation that failed to compute its gradient. The variable in question was "
        "changed in there or anywhere later. Good luck!"
    )
    with pytest.warns(UserWarning, match="Error detected in ExpBackward0"), torch.autograd.set_detect_anomaly(True):
        y = w.exp()
        y.add_(1)
        with says(RuntimeError, text):
            y.sum().backward()


def test_anomaly_mode_changes_no_result(torch, w):
    with torch.autograd.set_detect_anomaly(True):
        (w * w).sum().backward()
    assert w.grad.tolist() == [2, 4, 6]


# What is packed


@pytest.mark.parametrize(
    "program, packed",
    [
        (lambda w: w * 2.0, []),
        (lambda w: 2 / w, [("ReciprocalBackward0", True)]),
        (lambda w: w * w.exp(), [("ExpBackward0", True), ("ExpBackward0", True), (None, True)]),
        (lambda w: w**2, [(None, True)]),
        (lambda w: w.detach() / w, [(None, True), (None, False)]),
    ],
)
def test_pack_sees_tensors_with_their_history_and_no_numbers(torch, w, program, packed):
    seen = []

    def pack(tensor):
        assert not torch.is_grad_enabled()
        seen.append((tensor.grad_fn and tensor.grad_fn.name(), tensor.requires_grad))
        return tensor.detach()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = program(w)
    assert seen == packed
    y.sum().backward()
    assert w.grad is not None


def test_a_leaf_is_packed_itself(torch, w):
    seen = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or 0, lambda _: w):
        w * w
    assert len(seen) == 2 and seen[0] is w and seen[1] is w


# What a node's hook sees has been fitted to its inputs

FITTED = {  # what a of size (2,), float32, is put together with b of size (3, 2), float64
    "add": lambda torch, a, b: a + b,
    "mul": lambda torch, a, b: a * b,
    "sub": lambda torch, a, b: b - a,
    "div": lambda torch, a, b: a / b,
    "maximum": lambda torch, a, b: torch.maximum(a.double(), b),
    "addcmul": lambda torch, a, b: torch.addcmul(a.double(), b, b),
    "addmm": lambda torch, a, b: torch.addmm(a.double(), b, torch.ones(2, 2, dtype=torch.float64)),
    "linear": lambda torch, a, b: torch.nn.functional.linear(b, torch.ones(2, 2, dtype=torch.float64), a.double()),
}


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("name", FITTED)
def test_a_nodes_hook_sees_gradients_of_its_inputs_sizes_and_types(torch, name, create_graph):
    a, b = torch.tensor([1.0, 2.0], requires_grad=True), torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    y, seen = FITTED[name](torch, a, b), []
    y.grad_fn.register_hook(lambda into, out: seen.extend((tuple(g.shape), g.dtype) for g in into if g is not None))
    torch.autograd.grad(y.sum(), [a, b], create_graph=create_graph)
    kind = torch.float32 if name in ("add", "mul", "sub", "div") else torch.float64
    assert sorted(seen[:2], key=str) == [((2,), kind), ((3, 2), torch.float64)]


def test_a_full_backward_hook_of_a_linear_layers_node_sees_its_bias_summed(torch):
    layer, seen = torch.nn.Linear(2, 1), []
    y = layer(torch.ones(3, 2))
    y.grad_fn.register_hook(lambda into, out: seen.append(into[0].tolist()))
    y.sum().backward()
    assert seen == [[3]]


def test_what_a_nodes_hook_returns_must_fit_the_inputs_too(torch):
    a = torch.ones(2, requires_grad=True)
    y = a + torch.ones(3, 2)
    y.grad_fn.register_hook(lambda into, out: (torch.ones(3, 2), *into[1:]))
    with says(RuntimeError, "hook '<lambda>' has changed the size of value"):
        y.sum().backward()


def test_a_functions_gradient_is_summed_before_its_hook(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad.expand(4, 2).double()

    a, seen = torch.ones(2, requires_grad=True), []
    y = Twice.apply(a)
    y.grad_fn.register_hook(lambda into, out: seen.append((into[0].tolist(), into[0].dtype)))
    y.sum().backward()
    assert seen == [([4, 4], torch.float32)]


def test_a_node_knows_the_shape_and_type_of_each_gradient_that_comes(torch, w):
    assert [(list(m.shape), m.dtype) for m in (w * 2).grad_fn._input_metadata] == [([3], torch.float32)]
    parts = w.double().split(2)
    assert [(list(m.shape), m.dtype) for m in parts[0].grad_fn._input_metadata] == [
        ([2], torch.float64),
        ([1], torch.float64),
    ]
