"""Graphs of any length need no recursion, and go away by reference counting alone, as soon as nobody holds them.

With the garbage collector off, a cycle would stay; so what these tests find afterwards is a cycle or a leak.
"""

import gc
import sys
import weakref
from contextlib import contextmanager, nullcontext

import op_cases_of_samples  # noqa: F401  (it adds its cases, and those of layers, to those of op_cases)
import pytest
import wrong_calls
from goldens.record_ops import attempt
from op_cases import CASES
from together import each, grouped

import minigrad as torch
from minigrad import nn


@pytest.fixture(scope="module", autouse=True)
def collector_runs_when_it_is_told_to():
    gc.disable()
    yield
    gc.enable()


@contextmanager
def no_garbage():
    """What the block leaves behind without a reference is freed when it ends: nothing is left for the collector.

    What was there before is set aside, so that a collection takes no time: pytest keeps something of each test.
    """
    gc.collect()
    gc.freeze()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield
        gc.collect()
        cycles = [type(thing).__name__ for thing in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert cycles == []


# Length


def test_a_million_operators_go_forward_and_backward():
    w = torch.tensor([1.0], requires_grad=True)
    y = w
    for _ in range(500_000):
        y = y * 0.5 + w
    y.backward()
    assert (y.item(), w.grad.item()) == (2, 2)
    del y


def test_a_long_graph_that_never_went_backward_is_freed():
    w = torch.tensor([1.0], requires_grad=True)
    y = w
    for _ in range(300_000):
        y = y.sin()
    last = weakref.ref(y)
    with no_garbage():
        del y
    assert last() is None


def test_a_long_chain_of_in_place_changes_and_views():
    w = torch.tensor([1.0, 1.0], requires_grad=True)
    y = w * 1
    for _ in range(5_000):
        y.add_(1)
        y[0] += 1
    y.sum().backward()
    assert y.tolist() == [10_001, 5_001] and w.grad.tolist() == [1, 1]


def test_a_long_graph_by_autograd_grad_with_hooks():
    w = torch.tensor(1.0, requires_grad=True)
    y, seen = w, []
    for _ in range(50_000):
        y = y + w
    y.register_hook(lambda grad: seen.append(grad.item()))
    assert torch.autograd.grad(y, w)[0].item() == 50_001 and seen == [1]


# Training


def train_parabola():
    w = torch.tensor([1.0], requires_grad=True)
    x = torch.tensor([2.0])

    def iteration():
        y = (w + x) * (w + 1)
        y.backward()
        with torch.no_grad():
            w.sub_(0.01 * w.grad)
        w.grad.zero_()

    return iteration


def train_perceptron():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer, loss = torch.optim.Adam(model.parameters(), lr=0.01), nn.MSELoss()
    x, y = torch.randn(8, 2), torch.randn(8, 1)

    def iteration():
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()

    return iteration


@pytest.mark.parametrize("make", [train_parabola, train_perceptron])
def test_ten_thousand_iterations_leave_nothing_behind(make):
    iteration = make()
    for _ in range(1_000):  # caches and free lists fill
        iteration()
    grown = []
    for _ in range(3):  # what stays behind does so each time; a thread of an earlier test may end during one of them
        blocks, objects = sys.getallocatedblocks(), len(gc.get_objects())
        for _ in range(10_000):
            iteration()
        grown.append((sys.getallocatedblocks() - blocks, len(gc.get_objects()) - objects))
        if grown[-1][0] < 100 and grown[-1][1] < 20:
            return
    pytest.fail(f"blocks and objects of 10,000 iterations: {grown}")


# Cycles


@pytest.mark.filterwarnings(
    "ignore:where received a uint8 condition",
    "ignore:Using a non-tuple sequence",
    "ignore:Using padding='same' with even",
)
@pytest.mark.parametrize("names", grouped(CASES).values(), ids=grouped(CASES))
def test_an_operator_makes_no_cycle(names):
    def check(name):
        case = CASES[name]
        with no_garbage():
            result = attempt(torch, case)  # forward and backward
            if "error" not in result:
                tensors = [torch.tensor(x, requires_grad=x.dtype.kind == "f") for x in case.inputs]
                case.function(torch, *tensors)  # forward alone: saved values are still held when it goes
                del tensors

    each(names, check)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x * x
        ctx.save_for_backward(x, result)
        ctx.x = 3
        return result

    @staticmethod
    def backward(ctx, grad):
        return grad * 2 * ctx.saved_tensors[0]


def higher_order(w):
    (g,) = torch.autograd.grad((w**3).sum(), w, create_graph=True)
    (g,) = torch.autograd.grad(g.sum(), w, create_graph=True)
    g.sum().backward()


def hooks(w):
    y = w * 2
    y.retain_grad()
    y.register_hook(lambda grad: grad * 2)
    y.grad_fn.register_hook(lambda into, out: None)
    y.sum().backward()


def in_place_and_views(w):
    y = w * 2
    y[0].mul_(3)
    y[1:] = w[:2]
    view = y.view(3, 1)
    y.exp_()
    view.sum().backward()


def recurrent(w):
    output, h = nn.RNN(3, 4, 2)(w.expand(5, 1, 3))
    output.sum().backward()


def read_what_was_saved(w):
    y = w.exp()
    return y.grad_fn._saved_result, y.grad_fn.next_functions[0][0].variable, Square.apply(w).grad_fn.saved_tensors


PROGRAMS = {
    "a custom Function": lambda w: Square.apply(w).sum().backward(),
    "a custom Function that never went backward": lambda w: Square.apply(w),
    "higher order": higher_order,
    "hooks": hooks,
    "in place and views": in_place_and_views,
    "a recurrent net": recurrent,
    "retain_graph": lambda w: (w * w).sum().backward(retain_graph=True),
    "saved values read": read_what_was_saved,
    "no_grad": lambda w: torch.no_grad()(lambda: w * 2)(),
    "a module": lambda w: nn.Sequential(nn.Linear(3, 2), nn.ReLU())(w).sum().backward(),
    "repr": lambda w: repr(w * 2),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_makes_no_cycle(name):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    PROGRAMS[name](w)  # caches fill
    w.grad = None
    with no_garbage():
        PROGRAMS[name](w)
        w.grad = None


def test_a_result_dies_with_its_last_name():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (w.exp() * w).tanh()
    node, tensor = weakref.ref(y.grad_fn), weakref.ref(y)
    del y
    assert tensor() is None and node() is None


def test_backward_lets_go_of_what_was_saved():
    w, big = torch.ones(3, requires_grad=True), torch.ones(3)
    y = (w * big).sum()
    held = weakref.ref(big)
    del big
    assert held() is None or y.grad_fn is not None  # the graph may hold the tensor or only its memory
    y.backward()
    assert held() is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", wrong_calls.everything())
def test_a_wrong_call_leaves_no_cycle(name):
    """An error holds the frames that it came through, and these hold tensors: no frame may hold the error."""
    try:
        asked = wrong_calls.calls(torch, name, wrong_calls.everything()[name])
    except KeyError:  # no call of it is known
        return
    for again in (False, True):  # the first time, some functions are made that stay
        with no_garbage() if again else nullcontext():
            for make in asked.values():
                wrong_calls.outcome(torch, name, make)
