"""A small recurrent network: it reads a sine wave and predicts the cosine.

h = tanh(x · w_in + h · w_state + bias), and the prediction is h · w_out. It is trained when it is made, in a fifth of
a second, with its own random generator, so the reader's is unchanged. Imports minigrad where it is made.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np


class Recurrent:
    """Call it with x (1, time steps, 1) and a state (1, hidden) or None; it returns a prediction and the last state."""

    def __init__(self, hidden: int, seed: int = 0):
        import minigrad as torch

        draw = np.random.default_rng(seed)

        def weight(*shape: int) -> torch.Tensor:
            numbers = draw.normal(scale=hidden**-0.5, size=shape).astype(np.float32)
            return torch.from_numpy(numbers).requires_grad_()

        self.w_in, self.w_state = weight(1, hidden), weight(hidden, hidden)
        self.bias, self.w_out = weight(1, hidden), weight(hidden, 1)

    def parameters(self) -> list[Any]:
        return [self.w_in, self.w_state, self.bias, self.w_out]

    def scaled(self, factor: float) -> Recurrent:
        """The same network with its recurrent weights multiplied by `factor`."""
        made = copy.copy(self)
        made.w_state = (self.w_state.detach() * factor).requires_grad_()
        return made

    def step(self, x: Any, h: Any) -> Any:
        """The state after one time step; x is (1, 1)."""
        return (x @ self.w_in + h @ self.w_state + self.bias).tanh()

    def __call__(self, x: Any, h: Any = None) -> tuple[Any, Any]:
        import minigrad as torch

        h = torch.zeros(1, self.w_state.shape[0]) if h is None else h
        out = []
        for t in range(x.shape[1]):
            h = self.step(x[:, t], h)
            out.append(h @ self.w_out)
        return torch.stack(out, 1), h


def sine_wave(steps: int) -> tuple[Any, Any]:
    """sin and cos of `steps` times, 14 to a wave: both (1, steps, 1)."""
    import minigrad as torch

    times = np.arange(steps, dtype=np.float32).reshape(1, steps, 1) * np.float32(np.pi / 7)
    return torch.from_numpy(np.sin(times)), torch.from_numpy(np.cos(times))


@lru_cache(8)
def sine_network(hidden: int = 12, steps: int = 32, iterations: int = 80) -> tuple[Recurrent, Any, Any]:
    """A trained network, and the wave that it was trained on."""
    from minigrad import optim

    net, (x, target) = Recurrent(hidden), sine_wave(steps)
    optimizer = optim.Adam(net.parameters(), lr=0.03)
    for _ in range(iterations):
        loss = ((net(x)[0] - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    optimizer.zero_grad()
    return net, x, target


def readings(names: tuple[str, str, str]) -> dict[str, Callable[[int], tuple[Any, list[Any]]]]:
    """Three networks that read T numbers of a sine and predict the last cosine: untrained, trained, and with
    recurrent weights four times as large. A function of T for each name, in that order; see unrolled.py.

    A network has 1,153 numbers: an RNNCell with 32 in its state, and a Linear. It is trained on first use.
    """
    import minigrad as torch
    from minigrad import nn

    def network() -> tuple[Any, Any]:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            return nn.RNNCell(1, 32), nn.Linear(32, 1)

    def reading(cell: Any, out: Any, prepare: Callable[[], None] = lambda: None) -> Callable[[int], Any]:
        def read(T: int) -> tuple[Any, list[Any]]:
            prepare()
            x, target = waves(0.0, T)
            states = [torch.zeros(1, 32, requires_grad=True)]
            for x_t in x:
                states.append(cell(x_t, states[-1]))
            return ((out(states[-1]) - target[-1]) ** 2).mean(), states

        return read

    plain, learned, steep = network(), network(), network()
    with torch.no_grad():
        steep[0].weight_hh *= 4
    nets = (reading(*plain), reading(*learned, cache(lambda: learn(*learned))), reading(*steep))
    return dict(zip(names, nets, strict=True))


def waves(start: float, steps: int) -> tuple[Any, Any]:
    """sin and cos at `steps` times, where 30 steps cover one and a half waves, each (steps, 1, 1)."""
    import minigrad as torch

    times = np.arange(steps).reshape(steps, 1, 1) * (3 * np.pi / 29) + start
    sin, cos = (torch.from_numpy(f(times).astype(np.float32)) for f in (np.sin, np.cos))
    return sin, cos


def learn(cell: Any, out: Any, pieces: int = 60, steps: int = 30) -> None:
    """Train on one piece of a wave after another; the state is passed on, and the graph is cut between them."""
    import minigrad as torch

    weights = [*cell.parameters(), *out.parameters()]
    optimizer, h = torch.optim.Adam(weights, lr=0.02), torch.zeros(1, 32)
    with torch.enable_grad():
        for piece in range(pieces):
            x, target = waves(3 * np.pi * piece, steps)
            h, outs = h.detach(), []
            for x_t in x:
                h = cell(x_t, h)
                outs.append(out(h))
            optimizer.zero_grad()
            ((torch.stack(outs) - target) ** 2).mean().backward()
            optimizer.step()
    optimizer.zero_grad()
