"""Lesson 8: loops over time, written in NumPy."""

import math

import numpy as np

from .tools import array, near, number, oracle


@oracle
def slope_back(make, torch):
    slope = make()
    random = np.random.default_rng(17)
    for length in (0, 1, 2, 4, 7) * 8:
        u, h, *xs = (float(each) for each in random.uniform(-1.5, 1.5, 2 + length))

        def last(h, u=u, xs=xs):
            for x in xs:
                h = math.tanh(u * h + x)
            return h

        is_ = (last(h + 1e-5) - last(h - 1e-5)) / 2e-5
        if not near(number(slope(u, h, list(xs))), is_, 1e-3, 1e-6):
            return f"{length} time steps"


@oracle
def unroll(make, torch):
    unroll = make()
    random = np.random.default_rng(18)
    for batch, time, inputs, hidden in (
        (2, 3, 1, 2),
        (3, 3, 2, 4),
        (1, 5, 3, 2),
        (4, 1, 2, 3),
        (3, 4, 3, 3),
        (1, 1, 1, 1),
    ):
        sizes = (batch, time, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden)
        x, h, W, U = (random.normal(size=size) for size in sizes)
        given = [torch.tensor(each, requires_grad=True) for each in (x, h, W, U)]
        came = unroll(*given)
        is_ = np.zeros((batch, time, hidden))
        for t in range(time):
            h = np.tanh(x[:, t] @ W + h @ U)
            is_[:, t] = h
        if not isinstance(came, torch.Tensor) or not near(came, is_):
            return f"{batch}, {time}, {inputs}, {hidden}"
        if not came.requires_grad:
            return "no gradient goes back"
        came[:, -1].sum().backward()
        if any(each.grad is None for each in given):
            return "a gradient does not arrive"
        if time > 1 and not array(given[0].grad)[:, 0].any():
            return "no gradient reaches the first time step"


@oracle
def clip_by_hand(make, torch):
    clip = make()
    random = np.random.default_rng(19)
    cases = [
        ([[30.0, 40.0]], 5.0),
        ([[0.3, 0.4]], 5.0),
        ([[3.0, 4.0]], 5.0),
        ([[0.0], [0.0]], 1.0),
        ([None, [2.0]], 1.0),
        ([[[1.0, -2.0, 0.5], [3.0, 0.0, 1.0]], [4.0], None], 2.0),
        ([[[3.0]], [[[4.0, 12.0]]]], 6.5),
    ]
    cases += [([list(random.normal(size=n)) for n in (3, 1, 2)], float(random.uniform(0.3, 3))) for _ in range(30)]
    for gradients, most in cases:
        for several in (list, iter, lambda given: (each for each in given)):
            sizes = [np.shape(each or [1]) for each in gradients]
            parameters = [torch.ones(size, requires_grad=True) for size in sizes]
            for p, each in zip(parameters, gradients, strict=True):
                p.grad = None if each is None else torch.tensor(each, dtype=torch.float32)
            norm = clip(several(parameters), most)
            is_ = math.sqrt(sum(np.sum(np.square(each or []), dtype=float) for each in gradients))
            if not near(number(norm), is_):
                return "the norm"
            factor = min(1, most / is_) if is_ else 1
            for p, each in zip(parameters, gradients, strict=True):
                if not near(p, np.ones(np.shape(each or [1]))):
                    return "the weights"
                if (p.grad is None) != (each is None) or each and not near(p.grad, np.array(each) * factor):
                    return f"the gradients {gradients} to {most}"


@oracle
def clip_in_time(make, torch):
    train = make()
    random = np.random.default_rng(20)
    for _ in range(6):
        net = torch.nn.Linear(1, 1)
        w, b = number(net.weight), number(net.bias)
        pieces = [(float(random.normal() * 5), float(random.normal() * 4)) for _ in range(7)]
        pieces += [(0.1, 1.0), (-0.1, -0.5), (0.05, 0.2)]
        given = [(torch.tensor([[x]]), torch.tensor([[y]])) for x, y in pieces]
        losses = train(net, torch.optim.SGD(net.parameters(), lr=0.1), given)
        if len(losses) != len(pieces):
            return "the number of losses"
        for came, (x, y) in zip(losses, pieces, strict=True):
            error = w * x + b - y
            if not near(number(came), error * error, 2e-3, 1e-3):
                return "a loss"
            grads = 2 * error * x, 2 * error
            factor = min(1, 1 / (math.hypot(*grads) + 1e-6))
            w, b = w - 0.1 * grads[0] * factor, b - 0.1 * grads[1] * factor
        if not near(number(net.weight), w, 2e-3, 1e-3):
            return "the weight at the end"
