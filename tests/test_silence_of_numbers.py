"""PyTorch computes inf and nan in silence; so does minigrad, whatever filter of warnings its reader has set."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from test_ops import CASES, prepare

import minigrad as torch

HARD = np.array([0.0, 1e308, np.inf, -1e308, np.nan, -np.inf, -1.0, 1e-320])


@pytest.mark.parametrize(("name", "i"), CASES)
def test_an_operator_is_silent(name: str, i: int) -> None:
    """Forward and backward, of numbers that overflow, divide by zero and are not numbers."""
    function, tensors = prepare(name, i)
    for k, t in enumerate(tensors):
        if t.is_floating_point():
            t.data = torch.from_numpy(np.resize(np.roll(HARD, k), t._data.shape).astype(t._data.dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            outs = function(*tensors)
            for out in outs if isinstance(outs, tuple) else (outs,):
                if out.requires_grad:
                    out.backward(out.detach().clone(), retain_graph=True)
        except (RuntimeError, ValueError, IndexError, OverflowError, np.linalg.LinAlgError):
            pass  # PyTorch may have an error for such numbers, and NumPy for its own reasons; none is a warning


PROGRAMS = {
    "in place": lambda t, x: [x.mul_(1e300), x.add_(x), x.div_(0), x.sub_(x), x.exp_(), x.pow_(3)],
    "items": lambda t, x: [x.__setitem__(0, 1e308), x.__setitem__(slice(0, 4), x * 1e300)],
    "types": lambda t, x: [x.to(t.float32), x.float(), x.int(), x.half()],
    "sums": lambda t, x: [x.sum(), x.var(), x.std(), x.prod(), x.cumsum(0), x.norm(), x.mean(), x.softmax(0)],
    "gradients that add up": lambda t, x: [(x * w * 1e300 * 1e300).sum().backward() for w in [leaf(t)] for _ in (1, 2)],
    "numbers": lambda t, x: [t.ones(2) + 1e300, 1e300 * t.ones(2), t.tensor([1e300]), t.ones(2, dtype=t.int8) * 1e300],
    "new tensors": lambda t, x: [t.logspace(0, 400, 5), t.arange(0, 1e300, 3e299), t.linspace(-1e38, 3e38, 5)],
    "drawn": lambda t, x: [
        t.empty(99).cauchy_(0, 1e38),
        t.empty(99).log_normal_(100, 50),
        t.empty(99).exponential_(),
        t.empty(99).geometric_(1e-12),
        t.empty(99).normal_(0, 1e38),
    ],
    "printed": lambda t, x: [repr(x), repr(x.float()), repr(x[:1])],
    "copies": lambda t, x: [t.ones(4, dtype=t.float32).copy_(x), t.tensor([1e300]).float()],
}


def leaf(t):
    return t.full((4,), 1e300, dtype=t.float64, requires_grad=True)


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_program_is_silent(what: str) -> None:
    x = torch.tensor([1e308, 0.0, -1e308, float("inf")], dtype=torch.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PROGRAMS[what](torch, x)


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam"])
def test_an_optimizer_is_silent(name: str) -> None:
    if not hasattr(torch.optim, name):
        pytest.skip(f"there is no {name}")
    w = leaf(torch)
    optimizer = getattr(torch.optim, name)([w], lr=1e10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            w.grad = torch.tensor([1e300, np.inf, -np.inf, np.nan], dtype=torch.float64)
            optimizer.step()


def test_a_session_is_silent() -> None:
    import minigrad.static as tf

    graph = tf.Graph()
    with graph.as_default(), warnings.catch_warnings():
        warnings.simplefilter("error")
        x = tf.placeholder(tf.float32, [None])
        w = tf.Variable(np.float32([1e38, 1e38]))
        y = tf.exp(x * 1e38) / 0.0 + tf.log(x - x)
        step = tf.train.GradientDescentOptimizer(1e38).minimize(tf.reduce_sum(w * w * w))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(y, {x: [1e30, 0.0]})
            for _ in range(2):
                session.run(step)
