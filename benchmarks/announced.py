"""Is the time that viz announces right? `python -m benchmarks.announced` draws six models unfolded, and compares.

For each model: its nodes, the seconds that reading and layout should take, and the processor seconds that they took,
Graphviz's process included, so that other programs on the machine do not matter. Goal: within a factor of two. Times
below half a second are not judged, since viz announces none below two seconds. $MINIGRAD_DOT chooses the engine.
Imports minigrad and viz. Read next: ../viz/drawing/limits.py.
"""

import os
import sys
import time
from typing import Any

import minigrad as torch
import viz
from viz.drawing import limits
from viz.drawing.engine import find_engine

from .large_models import densenet121, resnet18
from .models import attention
from .report import table
from .sizes import spent

GOAL, WORTH_IT = 2.0, 0.5  # a factor; seconds, below which a time is not judged
nn = torch.nn
draw = sys.modules["viz.drawing.draw"]  # `viz.drawing.draw` may be the function


class Steps(nn.Module):
    """An LSTM cell that runs so many times."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.cell, self.steps = nn.LSTMCell(3, 4), steps

    def forward(self, x: Any) -> Any:
        state = None
        for _ in range(self.steps):
            state = self.cell(x, state)
        assert state is not None
        return state[0]


class Experts(nn.Module):
    """A weighted sum of small networks."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.gate = nn.Linear(4, number)
        self.all = nn.ModuleList(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4)) for _ in range(number))

    def forward(self, x: Any) -> Any:
        gate = self.gate(x).softmax(-1)
        return sum(gate[:, i : i + 1] * each(x) for i, each in enumerate(self.all))


class Block(nn.Module):
    """Attention and a feed-forward network, each beside a skip connection."""

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.norm1, self.norm2 = attention(torch, 8, 2), nn.LayerNorm(8), nn.LayerNorm(8)
        self.feed = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.norm1(x))
        return x + self.feed(self.norm2(x))


MODELS = {
    "ResNet-18": lambda: resnet18(torch),
    "DenseNet-121": lambda: densenet121(torch),
    "500 layers": lambda: (
        nn.Sequential(*(layer for _ in range(500) for layer in (nn.Linear(4, 4), nn.Tanh()))),
        torch.ones(1, 4),
    ),
    "an LSTM cell, 100 steps": lambda: (Steps(100), torch.ones(1, 3)),
    "60 experts": lambda: (Experts(60), torch.ones(2, 4)),
    "30 attention blocks": lambda: (nn.Sequential(*(Block() for _ in range(30))), torch.ones(1, 5, 8)),
}


def row(name: str) -> list[str]:
    model, x = MODELS[name]()
    begun: list[float] = []
    draw.announce_reading = lambda _: begun.append(sum(os.times()[:4]))  # called after the model has run
    picture = viz.draw(model, x, fold=False)
    read = sum(os.times()[:4]) - begun[0]
    expected = limits.READING * len(picture.graph.nodes), limits.seconds(picture.graph)
    took = read, spent(lambda: picture.geometry)
    limits.perf_counter = time.process_time  # type: ignore[attr-defined]
    slow = limits.slowness()
    cells = [name, f"{len(picture.graph.nodes):,}"]
    for guess, real in zip(expected, took, strict=True):
        wrong = max(guess * slow, WORTH_IT) / max(real, WORTH_IT)
        verdict = "" if 1 / GOAL <= wrong <= GOAL else ": WRONG"
        cells += [f"{guess * slow:.2f} s", f"{real:.2f} s{verdict}"]
    return cells


def main() -> None:
    print(f"Laid out by {find_engine()}.\n")
    head = ["model", "nodes", "reading, expected", "took", "layout, expected", "took"]
    print(table(head, [row(name) for name in MODELS]))


if __name__ == "__main__":
    main()
