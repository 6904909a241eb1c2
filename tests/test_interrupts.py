"""Ctrl-C at any moment of a backward pass or an optimizer's step: nothing is half done.

Each leaf is as before or as after, never between; the modes are what they were; a second try is right or refused.
The full count, 200 interrupts of each kind: python tests/test_interrupts.py
"""

import contextlib
import gc
import random
import signal
import sys
import time
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad._engine.saved import FREED
from minigrad._engine.switches import Switch, modes

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts, on Windows")


@pytest.fixture(autouse=True)
def no_collector():
    """hypothesis listens to the garbage collector, and an interrupt that meets it there is nobody's to handle."""
    gc.disable()
    yield
    gc.enable()


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 + x * 0


def interrupted(work, seconds):
    """Do the work, with Ctrl-C after so many seconds: was it cut short?

    From the system's own timer: a thread that counts may end while Python is still starting it, and break that.
    """
    usual = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    done = False
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))  # 0 would be never
        work()
        done = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(0)  # here it comes, if it came too late
    except KeyboardInterrupt:
        pass
    signal.signal(signal.SIGALRM, usual)
    return not done


def duration(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


SIZE = 5000


def leaves():
    rng = np.random.default_rng(0)
    return [torch.tensor(rng.uniform(-1, 1, SIZE), requires_grad=True) for _ in range(8)]


def plain(ws):
    x = ws[0]
    for w in ws[1:]:
        x = (x * w + w).tanh() + ws[0]
    return x.sum()


def saving_nothing(ws):
    x = ws[0]
    for w in ws[1:]:
        x = x + w + ws[0]
    return x.sum()


def with_hooks(ws):
    ws[0].register_hook(lambda grad: grad * 2)
    ws[1].register_post_accumulate_grad_hook(lambda leaf: None)
    y = plain(ws[:4]) + Doubled.apply(ws[4] * ws[5]).sum() + (ws[6] / (ws[7] + 2)).sum()
    y.register_hook(lambda grad: grad * 1)
    return y


TRACED = torch.jit(lambda *ws: plain(ws))  # its node makes a pass of its own

PROGRAMS = {
    "plain": plain,
    "saving nothing": saving_nothing,
    "with hooks": with_hooks,
    "traced": lambda ws: TRACED(*ws),
}
HOW = [{}, {"retain_graph": True}, {"create_graph": True}]


def numbers(ws):
    return [None if w.grad is None else w.grad.detach().numpy().copy() for w in ws]


def same(one, other):
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def state():
    names = "grad", "state", "inference", "anomaly", "saved_hooks", "reached", "partial", "tracing"
    return *(getattr(modes, name) for name in names), np.geterr()


def one_backward(rng, program, how, earlier):
    """Interrupt one pass; say whether it was cut short. Raises AssertionError for what must not be."""

    def start():
        ws = leaves()
        y = program(ws)
        if earlier:
            for w in ws:
                w.grad = torch.ones(SIZE, dtype=torch.float64)
        return ws, y

    ws, y = start()
    usual = duration(lambda: y.backward(**how))
    after = numbers(ws)
    ws, y = start()
    before, modes_before = numbers(ws), state()
    short = interrupted(lambda: y.backward(**how), rng.uniform(0, usual))
    found = numbers(ws)
    assert state() == modes_before, "the modes are not what they were"
    for b, f, a in zip(before, found, after, strict=True):
        assert same(f, b) or same(f, a), "a gradient is neither as before nor as after"
    if not short:
        return False
    try:
        y.backward(**how)
    except RuntimeError as error:
        assert str(error) == FREED
    else:  # Ctrl-C came before all, or after all: then this was simply another pass
        right = after if not all(same(f, a) for f, a in zip(found, after, strict=True)) else None
        found = numbers(ws)
        assert right is None or all(same(f, a) for f, a in zip(found, right, strict=True)), "a second try counts twice"
    for w, b in zip(ws, before, strict=True):
        w.grad = None if b is None else torch.from_numpy(b)
        w._hooks = w._post_hooks = None
    program(ws).backward(**how)
    assert all(same(f, a) for f, a in zip(numbers(ws), after, strict=True)), "a new pass is not right"
    return True


OPTIMIZERS = {
    "SGD": lambda ws: torch.optim.SGD(ws, lr=0.1),
    "SGD with momentum": lambda ws: torch.optim.SGD(ws, lr=0.1, momentum=0.9, weight_decay=0.01),
    "Adam": lambda ws: torch.optim.Adam(ws, lr=0.1),
    "AdamW": lambda ws: torch.optim.AdamW(ws, lr=0.1, amsgrad=True),
}


def everything(optimizer, ws):
    kept = [value for w in ws for _, value in sorted(optimizer.state[w].items())]
    return [t.detach().numpy().copy() for t in (*ws, *kept)]


def one_step(rng, make):
    """Interrupt one step: all parameters and all of the state are as before, or all as after."""

    def start():
        ws = leaves()
        optimizer = make(ws)
        for _ in range(2):
            for w in ws:
                w.grad = w.detach() * 3
            if _ == 0:
                optimizer.step()
        return ws, optimizer

    ws, optimizer = start()
    before = everything(optimizer, ws)
    count = ws[0]._version
    usual = duration(optimizer.step)
    after, writes = everything(optimizer, ws), ws[0]._version - count
    ws, optimizer = start()
    versions, modes_before = [w._version for w in ws], state()
    handler = signal.getsignal(signal.SIGINT)
    short = interrupted(optimizer.step, rng.uniform(0, usual))
    assert state() == modes_before and signal.getsignal(signal.SIGINT) is handler
    found = everything(optimizer, ws)
    whole = [all(map(np.array_equal, found, other)) for other in (before, after)]
    assert any(whole), "a step is half done"
    assert [w._version - v for w, v in zip(ws, versions, strict=True)] == [writes * whole[1]] * len(ws)
    if whole[0]:
        optimizer.step()
        assert all(map(np.array_equal, everything(optimizer, ws), after)), "a second try is not right"
    return short


@pytest.fixture(autouse=True)
def interrupts():
    """Ctrl-C raises, as in a terminal."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Using backward\\(\\) with create_graph=True")
        yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_interrupted_backward_is_never_half_done(program, how, earlier, runs=4):
    rng = random.Random(f"{program} {how} {earlier}")
    for _ in range(runs):
        one_backward(rng, PROGRAMS[program], how, earlier)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_an_interrupted_step_is_never_half_done(optimizer, runs=8):
    rng = random.Random(optimizer)
    for _ in range(runs):
        one_step(rng, OPTIMIZERS[optimizer])


@pytest.mark.parametrize("traced", [False, True])
def test_an_interrupted_forward_leaves_the_modes_as_they_were(traced, runs=100):
    """Functions switch recording off for their forward, and a trace is a switch, too."""
    x, rng, before = torch.ones(3, requires_grad=True), random.Random(traced), state()

    def forward(x):
        for _ in range(5):
            x = Doubled.apply(x) + 1
        return x

    def work():
        (torch.jit(lambda x: (x * x).sin() + x) if traced else forward)(x)

    usual = min(duration(work) for _ in range(5))
    for _ in range(runs):
        interrupted(work, rng.uniform(0, usual))
        assert state() == before


def test_an_interrupted_pass_is_refused_a_second_time():
    """Interrupts as they come from a hook, where one is sure when that is."""
    w = torch.ones(3, requires_grad=True)
    y = (w + 1).sum()  # a graph that saves nothing, and which PyTorch would run any number of times

    def stop(leaf):
        raise KeyboardInterrupt

    handle = w.register_post_accumulate_grad_hook(stop)
    with pytest.raises(KeyboardInterrupt):
        y.backward()
    handle.remove()
    with pytest.raises(RuntimeError) as error:
        y.backward()
    assert str(error.value) == FREED and w.grad.tolist() == [1, 1, 1]


def main(runs):
    warnings.simplefilter("ignore")
    ways = [(program, how, earlier) for program in PROGRAMS for how in HOW for earlier in (False, True)]
    rng = random.Random(0)
    cut = sum(one_backward(rng, PROGRAMS[p], how, e) for p, how, e in (ways[n % len(ways)] for n in range(runs)))
    print(f"backward: {runs} interrupts, {cut} of them inside; nothing half done")
    makers = list(OPTIMIZERS.values())
    cut = sum(one_step(rng, makers[n % len(makers)]) for n in range(runs))
    print(f"steps: {runs} interrupts, {cut} of them inside; nothing half done")
    for traced in (False, True):
        test_an_interrupted_forward_leaves_the_modes_as_they_were(traced, runs)
    print(f"forward, and traced: {runs} interrupts each; the modes are as they were")


@pytest.mark.parametrize("outside", [False, True])
def test_ctrl_c_while_a_switch_is_entered_does_not_leave_it_on(outside, runs=3000):
    """Where it is on already: what the interrupted one had noted must not be what the outer one goes back to.

    (Not with `sys.settrace`, line by line: Python 3.11 sometimes turns for ever in a frame that is traced.)
    """
    switch, before, rng, cut = Switch(grad=False), state(), random.Random(0), 0

    def enter():
        switch.__enter__()

    usual = duration(enter)
    switch.__exit__(None, None, None)
    with switch if outside else contextlib.nullcontext():
        inside = state()
        for _ in range(runs):
            if interrupted(enter, rng.uniform(0, usual)):
                cut += 1
            else:
                switch.__exit__(None, None, None)
            assert state() == inside
    assert state() == before and cut > runs / 10


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
