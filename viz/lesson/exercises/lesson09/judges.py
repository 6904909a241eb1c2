"""What the pages of lesson 9 can't contain: points to try, ways of running, checks."""

import numpy as np

from ....locale import room
from ...judges import drawn

REPLIES = room("lesson09").table("judges")


def is_what_rnn_does(given, torch, random):
    rnn = torch.nn.RNN(2, 3, batch_first=True)
    with torch.no_grad():
        for parameter in rnn.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape))))
        (x,) = drawn(torch, random, (1, 6, 2))
        h = torch.zeros(1, 3)
        for t in range(6):
            h = given(x[:, t], h, rnn.weight_ih_l0.t(), rnn.weight_hh_l0.t(), rnn.bias_ih_l0 + rnn.bias_hh_l0)
        if not torch.allclose(h, rnn(x)[1][0], atol=1e-5):
            return SIX_STEPS
    W, U, b = rnn.weight_ih_l0.t(), rnn.weight_hh_l0.t(), rnn.bias_ih_l0 + rnn.bias_hh_l0
    sources = [torch.ones(1, 3, requires_grad=True), *rnn.parameters()]
    new = given(x[:, 0], sources[0], W, U, b)
    if not new.requires_grad:
        return NO_GRAPH
    found = torch.autograd.grad(new.sum(), sources, allow_unused=True)
    missing = [name for name, each in zip("hWUbb", found, strict=True) if each is None]
    return NO_PATH.filled(name=f"`{missing[0]}`") if missing else None


SIX_STEPS = REPLIES.text("six steps")
NO_GRAPH = REPLIES.text("no graph")
NO_PATH = REPLIES.text("no path")


def three_pieces(torch, random):
    # PyTorch's first optimizer takes seconds, which must not count as the reader's time
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])
    yield ()


HIDDEN = 32


def losses(given, torch):
    """The losses that the loop prints for a small network, always with the same weights."""
    random = np.random.default_rng(0)

    class Net(torch.nn.Module):  # type: ignore[name-defined]
        """The lesson's network, with as many hidden numbers: what fits there fits here."""

        def __init__(self):
            super().__init__()
            self.cell, self.out = torch.nn.RNNCell(1, HIDDEN), torch.nn.Linear(HIDDEN, 1)

        def forward(self, x, h):
            if h is None:
                h = torch.zeros(1, HIDDEN)
            states = []
            for x_t in x:
                h = self.cell(x_t, h)
                states.append(h)
            return self.out(torch.stack(states)), h

    net = Net()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape)) / 6))
    times = np.linspace(0, 3 * np.pi, 24, dtype=np.float32).reshape(3, 8, 1, 1)
    pieces = [(torch.tensor(np.sin(each)), torch.tensor(np.cos(each))) for each in times]
    return given(net, torch.optim.Adam(net.parameters(), lr=0.02), pieces)
