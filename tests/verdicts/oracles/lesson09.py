"""Lesson 9: a recurrent step in NumPy, and the history of a state."""

import numpy as np

from .tools import array, near, number, oracle


@oracle
def rnn_step(make, torch):
    step = make()
    random = np.random.default_rng(21)
    for batch, inputs, hidden in ((1, 1, 2), (1, 3, 3), (4, 2, 5), (2, 2, 2), (3, 3, 3), (1, 1, 1)) * 3:
        sizes = (batch, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden), hidden
        given = [random.normal(size=size) for size in sizes]
        x, h, W, U, b = given
        tensors = [torch.tensor(each, requires_grad=True) for each in given]
        came = step(*tensors)
        if not isinstance(came, torch.Tensor) or not near(came, np.tanh(x @ W + h @ U + b)):
            return f"{batch}, {inputs}, {hidden}"
        if not came.requires_grad:
            return "no history"
        came.sum().backward()
        slope = 1 - np.tanh(x @ W + h @ U + b) ** 2
        for tensor, is_ in zip(
            tensors, (slope @ W.T, slope @ U.T, x.T @ slope, h.T @ slope, slope.sum(0)), strict=True
        ):
            if tensor.grad is None or not near(tensor.grad, is_):
                return "a gradient"


@oracle
def cut_the_state(make, torch):
    train_on = make()
    random = np.random.default_rng(22)
    for count in (1, 3, 5):
        histories = []

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.u = torch.nn.Parameter(torch.tensor(0.8))
                self.v = torch.nn.Parameter(torch.tensor(-0.5))

            def forward(self, x, h=None, histories=histories):
                histories.append(h is not None and h.grad_fn is not None)
                states = []
                h = torch.zeros(2) if h is None else h
                for x_t in x:
                    h = torch.tanh(self.u * h + self.v * x_t * torch.tensor([1.0, -0.5]))
                    states.append(h)
                return torch.stack(states), h

        net = Net()
        pieces = [(random.normal(size=(3, 1)), random.normal(size=(3, 1))) for _ in range(count)]
        given = [tuple(torch.tensor(each, dtype=torch.float32) for each in piece) for piece in pieces]
        losses = train_on(net, torch.optim.SGD(net.parameters(), lr=0.1), given)
        if len(losses) != count:
            return "the number of losses"
        if any(histories):
            return "a state with a history is passed on"
        u, v, h = 0.8, -0.5, np.zeros(2)

        def loss(u, v, h, x, y):
            total = []
            for x_t, y_t in zip(x, y, strict=True):
                h = np.tanh(u * h + v * x_t * np.array([1.0, -0.5]))
                total.append((h - y_t) ** 2)
            return np.mean(total), h

        for came, (x, y) in zip(losses, pieces, strict=True):
            now, new = loss(u, v, h, x, y)
            if not near(number(came), now):
                return "a loss"
            by_u = (loss(u + 1e-5, v, h, x, y)[0] - loss(u - 1e-5, v, h, x, y)[0]) / 2e-5
            by_v = (loss(u, v + 1e-5, h, x, y)[0] - loss(u, v - 1e-5, h, x, y)[0]) / 2e-5
            u, v, h = u - 0.1 * by_u, v - 0.1 * by_v, new
        if not near(array(net.u), u) or not near(array(net.v), v):
            return "the weights at the end"
