"""The table of workloads. Each row names a small program and how each library writes it.

A side is a function `make(size)` that prepares the work and returns `run()`, which does it and returns
numbers that every side must agree on. A run makes `size` steps; times are reported per step. PyTorch and
minigrad run the same function, called with either module, so only the library differs.
To add a workload, write its sides in a new file and give it a row below.
Imports each library only when one of its sides is made. Read next: expression.py, then ../pairing.py.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from . import chain, cnn, digits, dynamic_rnn, expression, lenet, lstm, lstm_homework, mlp, transformer, two_layer

Run = Callable[[], list[float]]
Make = Callable[[int], Run]


@dataclass(frozen=True)
class Workload:
    """A row. `goals` maps another side to the multiple of its speed to reach: the first and the final goal."""

    what: str
    step: str  # the unit that times are reported for
    size: int
    sides: Mapping[str, Make]
    goals: Mapping[str, tuple[float | None, float]] = field(default_factory=dict)
    quick: int = 2  # the size in a smoke run
    threads: tuple[int, ...] = (1,)  # numbers of threads for the matrix products


def sides(torch: Callable[[Any, int], Run], others: Mapping[str, Make]) -> dict[str, Make]:
    """The sides of a workload: one function for minigrad and PyTorch, and one for each other library."""

    def using(name: str) -> Make:
        return lambda size: torch(import_module(name), size)

    return {"minigrad": using("minigrad"), "torch": using("torch"), **others}


TIMED = {
    "expression": Workload(
        "y = (w + x)(w + 1), forward and backward",
        "evaluation",
        100,
        sides(expression.torch, expression.others),
        {"torch": (1, 3), "micrograd": (None, 0.65)},
    ),
    "no_grad": Workload(
        "the same forward, under no_grad",
        "evaluation",
        100,
        sides(expression.torch_no_grad, expression.others_no_grad),
        {"torch": (None, 2.2)},
    ),
    "chain": Workload(
        "20,000 operators in a chain (y·1.0001 + w), forward and backward",
        "operator",
        20_000,
        sides(chain.torch, chain.others),
        {"torch": (1, 3)},
        quick=100,
    ),
    "two_layer": Workload(
        "two-layer net 64×1000×100×10",
        "iteration",
        10,
        sides(two_layer.torch, two_layer.others),
        {"torch": (1, 1.2), "numpy": (1 / 1.2, 0.9)},
        threads=(1, 2),
    ),
    "dynamic_rnn": Workload(
        "dynamic RNN, 10 to 30 time steps, Adam",
        "iteration",
        60,
        sides(dynamic_rnn.torch, dynamic_rnn.others),
        {"torch": (1, 2.3)},
    ),
    "mlp": Workload(
        "2-16-16-1 MLP, batch 100, SGD",
        "iteration",
        3,
        sides(mlp.torch, mlp.others),
        {"torch": (None, 2.5)},
    ),
    "cnn": Workload(
        "CNN on 8×1×28×28, two conv layers, SGD",
        "iteration",
        3,
        sides(cnn.torch, cnn.others),
        {"torch": (None, 1)},
        threads=(1, 2),
    ),
    "lstm": Workload(
        "LSTM, 30 steps × 32, SGD",
        "iteration",
        3,
        sides(lstm.torch, lstm.others),
        {"torch": (None, 1)},
        threads=(1, 2),
    ),
    "digits": Workload(  # from here on, homework: a goal is one over the highest accepted share of PyTorch's time
        "MLP 784-128-10, batch 64, SGD",
        "iteration",
        10,
        sides(digits.torch, digits.others),
        {"torch": (None, 1 / 0.9)},
    ),
    "lenet": Workload(
        "LeNet, batch 64, SGD",
        "iteration",
        2,
        sides(lenet.torch, lenet.others),
        {"torch": (None, 1)},
    ),
    "lstm_homework": Workload(
        "LSTM(64, 128), 64 steps, batch 32, SGD",
        "iteration",
        2,
        sides(lstm_homework.torch, lstm_homework.others),
        {"torch": (None, 1 / 1.3)},
    ),
    "transformer": Workload(
        "transformer block of width 64, 16 sequences of 32, Adam",
        "iteration",
        3,
        sides(transformer.torch, transformer.others),
        {"torch": (None, 1 / 1.5)},
    ),
}

WORKLOADS = {
    **TIMED,
    "multiplications": Workload(  # for the memory of a node: footprint.py
        "100,000 multiplications of one-element tensors, forward",
        "node",
        100_000,
        sides(chain.torch_multiplications, chain.others_multiplications),
        quick=1000,
    ),
    "long_chain": Workload(  # runs at many sizes, like the next: growth.py
        "a chain, forward and backward, with and without garbage collection",
        "operator",
        1_000_000,
        {**sides(chain.torch, {}), "gc off": chain.minigrad_without_gc},
    ),
    "sequence": Workload(
        "an RNN over one sequence, forward and backward",
        "time step",
        1000,
        sides(dynamic_rnn.torch_one_sequence, {}),
    ),
}
