"""Lesson 10: the trained network, or its training written out in NumPy."""

import numpy as np

from .tools import array, near, number, oracle


def _rising(torch, random, count):
    slope, height = random.uniform(2, 4), random.uniform(-1, 1)
    x = torch.linspace(-1, 1, count).reshape(count, 1)
    return x, slope * x[:, 0] + height, slope, height


def _at(torch, line, x):
    with torch.no_grad():
        return array(line(torch.tensor([[float(x)]]))).reshape(-1)[0]


@oracle
def flat_line(make, torch):
    fit = make()
    random = np.random.default_rng(23)
    for seed, count in enumerate((5, 7, 9)):
        torch.manual_seed(seed)
        x, y, slope, height = _rising(torch, random, count)
        line = fit(x, y)
        if not (abs(_at(torch, line, 0) - height) < 0.06 and abs(_at(torch, line, 1) - height - slope) < 0.12):
            return f"{count} points"
        if tuple(line(x).shape) not in ((count, 1), (count,)):
            return "the result is no line"


@oracle
def left_behind(make, torch):
    fit = make()
    random = np.random.default_rng(24)
    for seed, count in enumerate((5, 8)):
        torch.manual_seed(seed)
        x, y, slope, height = _rising(torch, random, count)
        begun = fit(x, y, 0)
        if not abs(_at(torch, begun, 1) - _at(torch, begun, 0) + 1) < 1e-4:
            return "the start"
        first = fit(x, y, 1)
        moved = _at(torch, first, 1) - _at(torch, first, 0) + 1
        if abs(moved) < 1e-3 or abs(moved) > 4:
            return "the first step"
        line = fit(x, y, steps=50)
        if not (abs(_at(torch, line, 0) - height) < 0.06 and abs(_at(torch, line, 1) - height - slope) < 0.12):
            return f"{count} points"


@oracle
def left_in_eval(make, torch):
    train = make()
    for epochs, before in ((1, True), (2, True), (3, False), (1, False)):
        seen = []

        class Watching(torch.nn.Module):
            def forward(self, x, seen=seen):
                seen.append((len(x), self.training))
                return x

        net = torch.nn.Sequential(
            torch.nn.Linear(2, 4), Watching(), torch.nn.Dropout(0.5), Watching(), torch.nn.Linear(4, 1)
        )
        net.train(before)
        random = np.random.default_rng(25)
        batches = [(torch.tensor(random.normal(size=(4, 2)), dtype=torch.float32), torch.ones(4, 1)) for _ in "12"]
        weights = array(net[0].weight).copy()
        tested = train(
            net, torch.optim.SGD(net.parameters(), lr=0.01), batches, torch.ones(3, 2), torch.ones(3, 1), epochs
        )
        if len(tested) != epochs or not all(np.isfinite(number(each)) for each in tested):
            return "the test"
        if seen != [(4, True)] * 4 * epochs and seen != ([(4, True)] * 4 + [(3, False)] * 2) * epochs:
            return f"{seen}"
        last = number(((net.eval()(torch.ones(3, 2)) - 1) ** 2).mean())
        if not near(number(tested[-1]), last):
            return "the test loss"
        if (3, False) not in seen or np.array_equal(weights, array(net[0].weight)):
            return "no test, or no training"


@oracle
def short_memory(make, torch):
    train_on = make()
    random = np.random.default_rng(26)
    for count, time in ((1, 4), (3, 4), (4, 3), (2, 1)):
        torch.manual_seed(count)
        cell, out = torch.nn.RNNCell(1, 2), torch.nn.Linear(2, 1)
        at = [array(each).astype(float).copy() for each in (*cell.parameters(), *out.parameters())]
        numbers = random.normal(size=(count, time))
        pieces = [
            (torch.tensor(p.reshape(time, 1, 1), dtype=torch.float32), torch.tensor([[p[0]]], dtype=torch.float32))
            for p in numbers
        ]
        optimizer = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.3)
        losses = train_on(cell, out, optimizer, pieces)

        def loss(at, h, piece):
            W, U, b, c, V, d = at
            for x in piece:
                h = np.tanh(x * W[:, 0] + b + U @ h + c)
            return ((V @ h + d)[0] - piece[0]) ** 2, h

        h = np.zeros(2)
        if len(losses) != count:
            return "the number of losses"
        for came, piece in zip(losses, numbers, strict=True):
            now, new = loss(at, h, piece)
            if not near(number(came), now, 2e-3, 1e-4):
                return "a loss"
            moved = []
            for which, weight in enumerate(at):
                grad = np.zeros_like(weight)
                for place in np.ndindex(*weight.shape):
                    sides = []
                    for nudge in (1e-5, -1e-5):
                        other = [each.copy() for each in at]
                        other[which][place] += nudge
                        sides.append(loss(other, h, piece)[0])
                    grad[place] = (sides[0] - sides[1]) / 2e-5
                moved.append(weight - 0.3 * grad)
            at, h = moved, new
        if not near(cell.weight_hh, at[1], 1e-2, 1e-3):
            return "the weights at the end"


@oracle
def snowball(make, torch):
    train = make()
    random = np.random.default_rng(27)
    for used in (False, True, False, True):
        net = torch.nn.Linear(1, 1)
        w, b = number(net.weight), number(net.bias)
        if used:
            net(torch.ones(2, 1)).sum().backward()
        x = random.normal(size=(5, 1)).astype("float32")
        y = 2 * x - 1
        losses = train(net, torch.optim.SGD(net.parameters(), lr=0.05), torch.tensor(x), torch.tensor(y), 12)
        if len(losses) != 12:
            return "the number of losses"
        for came in losses:
            error = w * x + b - y
            if not near(number(came), (error**2).mean(), 1e-3, 1e-3):
                return "a loss"
            w, b = w - 0.05 * 2 * (error * x).mean(), b - 0.05 * 2 * error.mean()
        if not near(number(net.weight), w):
            return "the weight at the end"
