"""`minigrad.jit`: what a trace holds, when one is made, what it can't hold, and what a compiled call is in a graph."""

import re
import threading
import warnings
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def counting(f):
    """`f`, and a list that grows each time Python runs it."""
    runs = []

    def counted(*args, **kwargs):
        runs.append(1)
        return f(*args, **kwargs)

    return counted, runs


# -- what is compiled ------------------------------------------------------------------------------


def test_python_runs_once_and_the_numbers_are_right():
    f, runs = counting(lambda w, x: (w + x) * (w + 1))
    fast = torch.jit(f)
    for w, x in [(1.0, 2.0), (2.0, 5.0), (-3.0, 4.0)]:
        w, x = leaf(w), leaf(x)
        y = fast(w, x)
        y.backward()
        assert y.item() == ((w + x) * (w + 1)).item()
        assert w.grad.item() == (2 * w + x + 1).item() and x.grad.item() == (w + 1).item()
    assert len(runs) == 1


def test_a_call_is_one_node_whose_edges_lead_to_the_inputs():
    w, x, c = leaf(1.0), leaf(2.0), torch.tensor([3.0])
    y = torch.jit(lambda w, x, c: (w * x + c).exp())(w * 1, x, c)
    assert y.grad_fn.name() == "JitBackward"
    assert [fn.name() for fn, _ in y.grad_fn.next_functions] == ["MulBackward0", "torch::autograd::AccumulateGrad"]


def test_a_module_its_parameters_move_and_are_seen():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    fast, x = torch.jit(net), torch.randn(5, 3)
    optimizer = torch.optim.SGD(fast.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = fast(x).pow(2).sum()
        loss.backward()
        grads = [p.grad.clone() for p in net.parameters()]
        optimizer.zero_grad()
        net(x).pow(2).sum().backward()
        assert all(torch.allclose(p.grad, g) for p, g in zip(net.parameters(), grads, strict=True))
        assert torch.equal(fast(x), net(x))
        optimizer.step()
    assert len(fast.traces) == 1


def test_what_comes_from_outside_is_read_at_each_call():
    scale, offset = leaf(2.0), torch.tensor([1.0])
    fast = torch.jit(lambda x: x * scale + offset)
    x = torch.tensor([3.0])
    assert fast(x).item() == 7
    with torch.no_grad():
        scale.mul_(10)
        offset.data = torch.tensor([5.0])
    y = fast(x)
    assert y.item() == 65
    y.backward()
    assert scale.grad.item() == 3 and offset.grad is None


def test_a_python_value_is_frozen_as_it_was():
    settings = {"times": 2}
    fast = torch.jit(lambda x: x * settings["times"])
    assert fast(torch.tensor(3.0)).item() == 6
    settings["times"] = 5
    assert fast(torch.tensor(3.0)).item() == 6  # as in jax.jit; the docstring says so


@pytest.mark.parametrize("kind", [list, tuple])
def test_nests_go_in_and_come_out(kind):
    fast = torch.jit(lambda pair, *, options: {"sum": pair[0] + pair[1]["x"], "both": kind([options["c"] * 2, "word"])})
    for _ in range(2):
        out = fast([leaf(1.0), {"x": leaf(2.0)}], options={"c": torch.tensor([4.0])})
        assert out["sum"].item() == 3 and type(out["both"]) is kind
        assert out["both"][0].item() == 8 and out["both"][1] == "word"
    assert len(fast.traces) == 1


def test_a_method_and_a_decorator():
    class Net:
        def __init__(self):
            self.w = leaf(3.0)

        @torch.jit
        def run(self, x):
            """Says what it does."""
            return x * self.w

    net = Net()
    assert Net.run.__doc__ == "Says what it does." and Net.run.__name__ == "run"
    assert net.run(torch.tensor([2.0])).item() == 6


def test_jit_inside_of_jit_is_one_trace():
    inner = torch.jit(lambda x: x * 2)
    outer = torch.jit(lambda x: inner(x) + 1)
    assert outer(torch.tensor(3.0)).item() == 7 == outer(torch.tensor(3.0)).item()
    assert len(outer.traces) == 1 and len(inner.traces) == 0


def test_the_text_can_be_read():
    fast = torch.jit(lambda w, x: (w + x) * (w + 1))
    with pytest.raises(LookupError, match="has no trace yet: call it"):
        _ = fast.source
    fast(leaf(1.0), leaf(2.0))
    assert fast.source.startswith("# forward\ndef run(w_0, x_0):") and "multiply(" in fast.source
    assert "# backward" in fast.source


def test_graph_and_text_call_things_what_the_readers_code_calls_them():
    layer = nn.Sequential(nn.Linear(1, 1), nn.Tanh())

    def f(w, x):
        a = w + x
        for _ in range(2):
            a = torch.tanh(a * w)
        out = layer(a.reshape(1))  # several operators: the last one gives what is stored
        return -out

    fast = torch.jit(f)
    fast(torch.tensor(1.0), torch.tensor(2.0))
    operations = [op.name for op in fast.plans[0].passes[0].after.operations]
    assert operations[4:9] == ["a", "mul", "a_1", "mul_1", "a_2"]
    assert operations[-4:] == ["addmm", "view_2", "out", "neg"] and operations.count("out") == 1
    assert "a_0 = add(w_0, x_0)" in fast.source
    global kept
    kept = torch.jit(stored_elsewhere)
    kept(torch.tensor(1.0))
    assert {op.name for op in kept.graph.get_operations()} >= {"kept_here", "enclosed", "mul"}


def stored_elsewhere(x):
    global kept_here

    def inner():
        return enclosed

    kept_here = x * 2
    enclosed = x * kept_here
    für = enclosed * 3  # not of plain letters: the operator's own name serves
    return inner() + für


def test_a_graph_tells_what_it_is_and_what_the_passes_saved():
    def twice(w, x):
        return (w + x) * (w + x)

    fast = torch.jit(twice)
    fast(torch.tensor(1.0), torch.tensor(2.0))
    assert repr(fast.graph) == "<graph of twice: 3 operations forward, 2 after the passes>"
    fast(leaf(1.0), torch.tensor([2.0]))
    forward, backward = repr(fast.graph).split("; ")
    assert forward == "<graph of twice: 3 operations forward, 2 after the passes"
    assert re.fullmatch(r"\d+ operations backward, \d+ after the passes>", backward)
    scale = torch.tensor(3.0)
    scaled = torch.jit(lambda x: x * scale)
    scaled(torch.tensor(2.0))
    assert "  (float32[]) and 1 tensor from outside\n" in repr(scaled.traces)
    assert repr(torch.jit(twice)) == "<jit of twice: 0 traces>" and repr(fast) == "<jit of twice: 2 traces>"


def test_gradients_are_stopped_only_where_one_would_flow():
    def half(w, x):
        return w * x.detach() + (w * x).detach()

    fast, w = torch.jit(half), leaf(3.0)
    fast(w, torch.tensor([2.0])).sum().backward()
    assert w.grad.item() == 2
    stopped = [op for op in fast.graph.get_operations() if op.type == "StopGradient"]
    assert len(stopped) == 1


# -- which trace ------------------------------------------------------------------------------------


def test_shapes_types_flags_and_modes_have_traces_of_their_own():
    f, runs = counting(lambda x: x * 2)
    fast = torch.jit(f)
    for x in (torch.ones(3), torch.ones(5), torch.ones(3).double(), leaf(1.0, 1.0, 1.0)):
        fast(x)
        fast(x)
    with torch.no_grad():
        fast(torch.ones(3))
    fast(torch.ones(3))
    assert len(runs) == 5 == len(fast.traces)
    assert repr(fast.traces).splitlines() == [
        "counted: 5 traces",
        "  (float32[3])",
        "    1 operator, ran 3 times; traced because it was the first call",
        "  (float32[5])",
        "    1 operator, ran 2 times; traced because argument 1 had been float32[3]",
        "  (float64[3])",
        "    1 operator, ran 2 times; traced because argument 1 had been float32[5]",
        "  (float32[3] requires_grad)",
        "    1 operator, ran 2 times; traced because argument 1 had been float64[3]",
        "  (float32[3], under no_grad)",
        "    1 operator, ran once; traced because the grad mode was another one",
    ]


def test_arguments_that_are_no_tensors_are_compared_by_value_and_type():
    f, runs = counting(lambda x, n, flag=None: x * n)
    fast, x = torch.jit(f), torch.tensor(2.0)
    assert [fast(x, n).item() for n in (3, 3, 4)] == [6, 6, 8]
    assert fast(x, 3.0).item() == 6 and fast(x, 3, flag=True).item() == 6 and fast(x, 3, True).item() == 6
    assert len(runs) == 5
    assert fast(x, np.float32(3)).item() == 6


def test_what_cannot_be_compared_runs_as_it_is():
    f, runs = counting(lambda x, table: x * float(table[0]))
    fast = torch.jit(f)
    table = np.ones(1)
    with pytest.warns(UserWarning, match="an argument is of type ndarray, which Python cannot hash") as said:
        assert fast(torch.tensor(2.0), table).item() == 2
        table[0] = 5
        assert fast(torch.tensor(2.0), table).item() == 10
    assert len(runs) == 2 and len(said) == 1


def test_a_module_in_another_mode_or_with_other_parameters_is_traced_anew():
    net = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.0))
    fast, x = torch.jit(lambda x: net(x)), torch.ones(1, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fast(x)
    net.eval()
    assert torch.equal(fast(x), net(x))
    net[0].weight = nn.Parameter(torch.zeros(2, 2))
    assert torch.equal(fast(x), net(x))
    net[0].bias.requires_grad_(False)
    y = fast(x)
    y.sum().backward()
    assert net[0].bias.grad is None and net[0].weight.grad is not None


@pytest.mark.parametrize("where", ["an attribute", "a list", "an argument", "a closure's object"])
def test_a_modules_mode_counts_wherever_the_module_is_found(where):
    """Frozen in eval it would go on so for ever: nobody would notice that nothing is dropped."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.9))
    holder = type("Holder", (), {"net": net, "nets": [net]})()
    x = torch.ones(4, 2)
    fast = torch.jit(
        {
            "an attribute": lambda x, given: holder.net(x),
            "a list": lambda x, given: holder.nets[0](x),
            "an argument": lambda x, given: given[0](x),
            "a closure's object": lambda x, given: (lambda inner: inner.net(x))(holder),
        }[where]
    )
    given = (net,) if where == "an argument" else ()
    net.eval()
    quiet = fast(x, given)
    assert torch.equal(fast(x, given), quiet) and len(fast.traces) == 1
    net.train()
    with pytest.warns(UserWarning, match="it draws random numbers"):
        assert not torch.equal(fast(x, given), quiet)
    net.eval()
    assert torch.equal(fast(x, given), quiet)


def test_a_modules_mode_counts_where_an_object_has_the_method():
    class Model:
        def __init__(self):
            self.net = nn.BatchNorm1d(2).eval()

        @torch.jit
        def run(self, x):
            return self.net(x)

    model, x = Model(), torch.tensor([[1.0, 5.0], [3.0, 9.0]])
    assert torch.allclose(model.run(x), x, atol=1e-4)
    model.net.train()
    with pytest.warns(UserWarning, match="it changes a tensor in place"):
        assert model.run(x).mean().abs().item() < 1e-6


def test_the_same_tensor_twice():
    fast = torch.jit(lambda a, b: a * b)
    w, x = leaf(3.0), leaf(4.0)
    fast(w, w).backward()
    assert w.grad.item() == 6
    w.grad = None
    fast(w, x).backward()  # not the trace of before
    assert (w.grad.item(), x.grad.item()) == (4, 3)
    fast(w, w).backward()
    assert w.grad.item() == 10


# -- what a trace cannot hold -----------------------------------------------------------------------


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad * 3


CANNOT = {
    "an if": (lambda x: x * 2 if x.sum() > 0 else x, "reads the numbers of a tensor"),
    "a while": (lambda x: halve(x), "reads the numbers of a tensor"),
    "item": (lambda x: x * x.sum().item(), "reads the numbers of a tensor"),
    "float": (lambda x: x * float(x.detach().sum()), "reads the numbers of a tensor"),
    "a tensor from outside": (lambda x: x * float(OUTSIDE), "reads the numbers of a tensor"),
    "numpy": (lambda x: x * torch.from_numpy(x.detach().numpy()), "reads the numbers of a tensor"),
    "numpy's functions": (lambda x: x * np.tanh(x.detach()), "reads the numbers of a tensor"),
    "a mask": (lambda x: x[x > 0].sum(), "reads the numbers of a tensor"),
    "nonzero": (lambda x: x * x.nonzero().size(0), "reads the numbers of a tensor"),
    "in place": (lambda x: x.clone().mul_(2), "changes a tensor in place"),
    "an item set": (lambda x: first_to_zero(x), "changes a tensor in place"),
    "something outside changed": (lambda x: x + BUFFER.add_(1), "changes a tensor in place"),
    "random numbers": (lambda x: x + torch.rand(2), "draws random numbers"),
    "dropout": (lambda x: nn.functional.dropout(x), "draws random numbers"),
    "a hook": (lambda x: hooked(x * 2), "registers a hook"),
    "backward": (lambda x: x * torch.autograd.grad((x * x).sum(), x)[0], "goes backward"),
    "a Function": (lambda x: Triple.apply(x) * 2, "has a history that is not one of operators"),
    "a view of an argument": (lambda x: x.view(2, 1), "returns a view of an argument"),
    "a detached argument": (lambda x: x.detach(), "returns a view of an argument"),
    "an error that is caught": (lambda x: caught(x), "reads the numbers of a tensor"),
}
OUTSIDE, BUFFER = torch.tensor(2.0), torch.tensor(0.0)


def halve(x):
    while x.abs().max() > 1:
        x = x / 2
    return x


def first_to_zero(x):
    y = x * 1
    y[0] = 0
    return y


def hooked(y):
    if y.requires_grad:
        y.register_hook(lambda g: g * 10)
    return y


def caught(x):
    try:
        return x * x.sum().item()
    except Exception:
        return x * 0


@pytest.mark.parametrize(
    ("layer", "does"),
    [(nn.BatchNorm1d(3), "changes a tensor in place"), (nn.Dropout(0.5), "draws random numbers")],
)
def test_the_layer_that_cannot_be_traced_is_named(layer, does):
    net = nn.Sequential(nn.Linear(2, 3), layer)
    with pytest.warns(UserWarning, match=f"it {does} in {type(layer).__name__} \\(test_jit.py, line"):
        torch.jit(lambda x: net(x).sum())(torch.randn(4, 2))


def test_an_error_of_the_function_is_shown_once():
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported") as caught:
        torch.jit(lambda x: (1 - (x.sum() > 0)) * x)(torch.ones(2))
    assert caught.value.__context__ is None


@pytest.mark.parametrize("name", CANNOT)
def test_it_runs_uncompiled_is_right_and_says_why_once(name):
    f, what = CANNOT[name]
    fast = torch.jit(f)
    for turn, numbers in enumerate([(3.0, -1.0), (-3.0, 0.5)]):
        x, twin = leaf(*numbers), leaf(*numbers)
        torch.manual_seed(turn)
        BUFFER.zero_()
        wanted = f(twin)
        torch.manual_seed(turn)
        BUFFER.zero_()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = fast(x)
        assert torch.equal(found, wanted) and found.requires_grad == wanted.requires_grad
        assert BUFFER.item() in (0, 1)  # changed once, and not by the trace as well
        told = [str(w.message) for w in said if "runs uncompiled" in str(w.message)]
        assert len(told) == (turn == 0)
        if told:
            assert f"it {what}" in told[0] and "test_jit.py, line" in told[0] and "torch.compile" in told[0]
            assert said[-1].filename == __file__
        if wanted.requires_grad:
            found.sum().backward()
            wanted.sum().backward()
            assert torch.equal(x.grad, twin.grad)
    assert len(fast.traces) == 0 and "uncompiled" in repr(fast.traces)


def test_an_error_of_the_readers_is_the_readers():
    fast = torch.jit(lambda a, b: a @ b)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
            fast(torch.ones(2, 3), torch.ones(2, 3))
    with pytest.raises(TypeError, match="jit compiles a function or a module, but got int"):
        torch.jit(3)


def test_an_error_is_no_reason_to_give_up():
    wrong = [True]

    def f(x):
        if wrong:
            raise ValueError(f"wrong {len(wrong)} time")
        return x * 2

    fast = torch.jit(f)
    with pytest.raises(ValueError, match="wrong 1 time"):
        fast(torch.ones(1))
    wrong.clear()
    assert fast(torch.ones(1)).item() == 2 and len(fast.traces) == 1


def test_what_is_left_behind_by_a_trace_says_so():
    kept = []
    fast = torch.jit(lambda x: (kept.append(x * 2), x * 3)[1])
    fast(torch.ones(2))
    uses = [lambda t: print(t), lambda t: t + 1, lambda t: torch.ones(2) * t, lambda t: t.tolist(), lambda t: fast(t)]
    for use in [*uses, lambda t: t.add_(1), lambda t: torch.jit(lambda x: x + t)(torch.ones(2))]:
        with pytest.raises(RuntimeError, match="^this tensor was made while jit traced a function, and has no numbers"):
            use(kept[0])
    assert kept[0].shape == (2,)


def test_a_trace_holds_no_array_that_ran_through_it():
    alive = []

    def f(x):
        y = x * 2
        alive.append(weakref.ref(y._data._hidden))
        return (y.exp() * 3).sum()

    fast = torch.jit(f)
    fast(torch.ones(3))
    assert len(fast.traces) == 1 and alive[0]() is None


def test_a_mode_that_looks_on_gets_the_operators():
    fast = torch.jit(lambda x: x * 2)
    fast(leaf(1.0))
    with torch.inference_mode():
        assert fast(torch.ones(1)).is_inference()
    packed = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
        x = leaf(1.0)
        torch.jit(lambda x: x * x)(x)
    assert len(packed) == 2


def test_two_threads_trace_for_themselves():
    fast = torch.jit(lambda x: (x * 2).sum())
    found = {}

    def work(n):
        for _ in range(20):
            x = torch.ones(n, requires_grad=True)
            fast(x).backward()
            found[n] = x.grad.tolist() == [2.0] * n

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(1, 6), True)


# -- in the graph -----------------------------------------------------------------------------------


def test_a_second_backward_and_a_second_derivative():
    fast, x = torch.jit(lambda x: x**3), leaf(3.0)
    y = fast(x)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 54
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()
    (dx,) = torch.autograd.grad(fast(x), x, create_graph=True)
    assert torch.autograd.grad(dx, x)[0].item() == 18


def both_ways(f, around):
    """What `around` finds, told by a string, with f as it is and compiled."""
    return [around(g) for g in (f, torch.jit(f))]


def error_of(act):
    try:
        act()
    except RuntimeError as error:
        return str(error).splitlines()[0]
    return "none"


def test_a_pass_from_the_node_to_leaves_is_the_engines():
    """Most passes are that, and are made at once; what is rare is as it is without jit."""

    def again_and_again(f):
        w, x = leaf(0.1, 0.7), leaf(0.3, -2.0)
        for _ in range(4):
            f(w, x).backward(torch.tensor([1.0, 0.3]))
        with torch.no_grad():
            w.grad.add_(1)
        f(w, x).backward(torch.tensor([0.1, 7.0]))
        return w.grad.tolist(), x.grad.tolist(), w.grad._version

    def twice(f):
        w = leaf(0.1, 0.7)
        before = [f(w, w).backward(torch.ones(2)) or w.grad.tolist() for _ in range(3)]
        return before, w.grad is w.grad

    def exchanged(f):
        w, x = leaf(2.0), leaf(3.0)
        y = f(w, x)
        w.data = torch.tensor([1.0, 1.0])
        told = [error_of(y.backward), w.grad, x.grad]
        y = f(w, x)
        x.data = torch.tensor([5.0], dtype=torch.float64)
        y.backward(torch.ones(2))
        return *told, w.grad.tolist(), round(x.grad.item(), 4), str(x.grad.dtype)

    def kept(f):
        w, x = leaf(2.0), leaf(3.0)
        y = f(w, x)
        y.retain_grad()
        y.backward()
        return y.grad.item(), w.grad.item(), error_of(y.backward)

    def hooked_leaf(f):
        w, x, seen = leaf(2.0), leaf(3.0), []
        handle = w.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.item()))
        f(w, x).backward()
        handle.remove()
        f(w, x).backward()
        return seen, w.grad.item()

    def not_from_leaves(f):
        w, x = leaf(2.0), leaf(3.0)
        (f(w * 2, x) + f(w, x)).backward()
        f(w, x).backward(inputs=[x])
        return w.grad.item(), x.grad.item()

    def turned(f):
        w, x = torch.ones(3, 2).t().requires_grad_(), torch.ones(2, 3, requires_grad=True)
        f(w, x).sum().backward()
        f(w, x).backward(torch.ones(3, 2).t())
        return w.grad.stride(), x.grad.stride(), w.grad.tolist(), w.is_leaf

    f = lambda w, x: (w + x) * (w + 1) * x.tanh()  # noqa: E731
    for around in (again_and_again, twice, exchanged, kept, hooked_leaf, not_from_leaves, turned):
        plain, compiled = both_ways(f, around)
        assert str(plain) == str(compiled), around.__name__


def test_a_module_that_was_changed_behind_its_back():
    net = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU()))
    fast, x = torch.jit(lambda x: net(x)), torch.ones(1, 2)
    changes = [
        lambda: net[0]._parameters.update(bias=nn.Parameter(torch.ones(2))),
        lambda: net[0]._parameters.update(bias=None),
        lambda: net[1]._modules.update({"0": nn.Tanh()}),
        lambda: net.append(nn.Linear(2, 3)),
        lambda: net[1].append(nn.Sigmoid()),
        lambda: net[1].register_buffer("more", torch.ones(1)),
        lambda: net[1]._buffers.clear(),
        lambda: setattr(net[2], "weight", nn.Parameter(torch.ones(3, 2))),
        lambda: net.__delitem__(2),
    ]
    for count, change in enumerate([lambda: None, *changes], 1):
        change()
        for _ in range(3):
            assert torch.equal(fast(x), net(x))
        assert len(fast.traces) in (count, count - 1), count  # without the buffer it is what it was


def test_what_was_saved_and_then_changed_is_told():
    fast = torch.jit(lambda x, y: x * y)
    w, x = leaf(3.0), torch.tensor([2.0])
    y = fast(w, x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    result = torch.jit(lambda x: x.exp())(w)  # its own result is what its slope needs
    with torch.no_grad():
        result.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.backward()


def test_results_and_gradients_share_no_memory():
    a, b = torch.jit(lambda x: (x * 2, x * 2))(leaf(1.0))
    with torch.no_grad():
        a.add_(5)
    assert b.item() == 2
    w, x = leaf(1.0), leaf(2.0)
    torch.jit(lambda w, x: (w + x) * 2)(w, x).backward()
    w.grad.add_(5)
    assert x.grad.item() == 2
    y = torch.jit(lambda x: x + 0)(torch.ones(2))
    y.add_(1)
    assert y.tolist() == [2, 2]


def test_an_argument_that_is_handed_back_is_the_argument():
    x = leaf(1.0)
    same, twice = torch.jit(lambda x: (x, x * 2))(x)
    assert same is x and twice.item() == 2


def test_a_result_that_nobody_used_and_one_without_gradient():
    x = leaf(2.0, 3.0)
    for _ in range(2):
        x.grad = None
        square, count, cut = torch.jit(lambda x: (x * x, (x > 2).sum(), (x * 5).detach()))(x)
        assert count.item() == 1 and not count.requires_grad and not cut.requires_grad
        square.sum().backward()
        assert x.grad.tolist() == [4, 6]


def test_no_grad_and_detach_inside_cut_what_they_cut_outside():
    def f(x):
        with torch.no_grad():
            a = x * 3
        return a * x + x.detach() * x

    x, twin = leaf(2.0), leaf(2.0)
    torch.jit(f)(x).backward()
    f(twin).backward()
    assert x.grad.item() == twin.grad.item() == 8


def test_hooks_outside_are_called():
    w = leaf(2.0)
    w.register_hook(lambda g: g * 10)
    y = torch.jit(lambda w: w * 3)(w)
    y.register_hook(lambda g: g + 1)
    y.backward()
    assert w.grad.item() == 60


def test_half_and_mixed_types():
    fast = torch.jit(lambda a, b: a + b * 2)
    a, b = torch.tensor([1.5], dtype=torch.float16, requires_grad=True), torch.tensor([2], dtype=torch.int64)
    y = fast(a, b)
    assert y.dtype is torch.float16 and y.item() == 5.5
    c = torch.tensor([1.5], dtype=torch.float64, requires_grad=True)
    z = torch.jit(lambda a, c: (a * c).float())(a, c)
    z.backward()
    assert (a.grad.dtype, c.grad.dtype, c.grad.item()) == (torch.float16, torch.float64, 1.5)
