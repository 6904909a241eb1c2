"""A recurrent network small enough to look into: it reads a sine wave and predicts the cosine.

h = tanh(x · w_in + h · w_state + bias), and the prediction is h · w_out. It is trained where it is made, in a fifth of
a second, from numbers of its own: the reader's random numbers stay as they are. Imports minigrad where it is made.
"""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np


class Recurrent:
    """Called with x (1, time steps, 1) and a state (1, hidden) or None; gives the prediction and the last state."""

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


@cache
def sine_network(hidden: int = 12, steps: int = 32, iterations: int = 80) -> tuple[Recurrent, Any, Any]:
    """A network that has learned to predict, and the wave that it learned from."""
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
