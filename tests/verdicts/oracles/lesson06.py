"""Lesson 6: memory, versions and switches."""

import numpy as np

from .tools import array, near, oracle


@oracle
def blank_out(make, torch):
    blank_out = make()
    random = np.random.default_rng(11)
    for rows, columns, start, length in (
        (3, 4, 1, 2),
        (2, 5, 0, 3),
        (4, 5, 3, 2),
        (1, 1, 0, 1),
        (2, 3, 0, 0),
        (2, 3, 3, 0),
    ):
        numbers = random.normal(size=(rows, columns))
        x = torch.tensor(numbers)
        came = blank_out(x, start, length)
        numbers[:, start : start + length] = 0
        if not near(x, numbers) or not near(came, numbers):
            return f"{start}, {length} of {columns}"
        if came is not x:
            return "not x itself is returned"


@oracle
def mend_data(make, torch):
    slope_then_move = make()
    random = np.random.default_rng(12)
    for size in (1, 2, 3, 5) * 5:
        at = random.normal(size=size).astype("float32")
        w = torch.tensor(at, requires_grad=True)
        version = w._version
        slope = slope_then_move(w)
        if slope is None or not near(slope, 2 * at):
            return "the derivative"
        if not near(w, at + 1):
            return "w"
        if not (w.requires_grad and w.is_leaf):
            return "w is no leaf that requires grad"
        if w._version == version:
            return "the version"
        w.grad = None
        (w * w).sum().backward()
        if not near(w.grad, 2 * at + 2):
            return "a pass afterwards"


@oracle
def mend_in_place(make, torch):
    softplus = make()
    random = np.random.default_rng(13)
    for size in (1, 2, 7) * 6:
        at = random.uniform(-4, 4, size)
        at[0] = 0 if size == 2 else at[0]
        h = torch.tensor(at, dtype=torch.float32, requires_grad=True)
        y = softplus(h)
        y.backward(torch.ones(size))
        if not near(y, np.log1p(np.exp(at))):
            return "the value"
        if h.grad is None or not near(h.grad, 1 / (1 + np.exp(-at))):
            return "the gradient"
        if not near(h, at):
            return "h has changed"


@oracle
def only_ask(make, torch):
    only_ask = make()
    for training in (True, False):
        for frozen in (False, True):
            recorded = []

            class Watching(torch.nn.Module):
                def forward(self, x, recorded=recorded):
                    recorded.append(x.requires_grad or (self.training, "training"))
                    return x

            net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), Watching(), torch.nn.Linear(8, 1))
            net[0].bias.requires_grad_(not frozen)
            net.train(training)
            x = torch.tensor([[1.0, -2.0], [-0.5, 0.25], [-3.0, -1.0]])
            W, b, V, c = (array(each) for each in net.parameters())
            output = only_ask(net, x)
            if not near(output, (array(x) @ W.T + b) @ V.T + c):
                return "the output"
            if output.requires_grad or True in recorded:
                return "it was recorded"
            if [each.training for each in net.modules()] != [training] * 5:
                return "the mode afterwards"
            if [each.requires_grad for each in net.parameters()] != [True, not frozen, True, True]:
                return "the weights can't learn as before"
            if net[1].p != 0.5:
                return "its Dropout is another one"
            if not torch.is_grad_enabled():
                return "recording is off afterwards"
