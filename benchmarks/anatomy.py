"""Where y = (w + x)(w + 1) and the dynamic RNN spend their time: `python -m benchmarks.anatomy`.

It times each stage in minigrad and in PyTorch (each in its own process, with one thread): for the expression, the
median of 60 rounds of 200 calls; for an iteration of the RNN with 20 time steps, the median of 600. Inside minigrad's
backward pass, it times the derivatives alone, each node called by itself, and the transport of gradients between nodes.
The figures explain the ratios of these rows; there is no goal for them.
Read next: minigrad/core/engine.py, whose loop passes the gradients on.
"""

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from .pairing import environment
from .report import named, seconds, table
from .workloads.dynamic_rnn import LR, net

TIME_STEPS, ROUNDS, CALLS = 20, 600, 200
TITLES = ("y = (w + x)(w + 1)", f"dynamic RNN, {TIME_STEPS} time steps")
SLOPES = "of backward: the slopes alone"


class Stages(dict[str, list[float]]):
    """Seconds by stage, one number per round."""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = perf_counter()
        yield
        self.setdefault(name, []).append(perf_counter() - began)


def expression(torch: Any) -> dict[str, float]:
    """Median seconds of each stage of y = (w + x)(w + 1), one element each."""
    w, x, times = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True), Stages()

    def forward() -> Any:
        return (w + x) * (w + 1)

    def backward() -> None:
        w.grad = x.grad = None
        y.backward(retain_graph=True)

    y = forward()
    for _ in range(ROUNDS // 10):
        for part in (forward, backward):
            with times.stage(part.__name__):
                for _ in range(CALLS):
                    part()
    medians = {name: median(each) / CALLS for name, each in times.items()}
    if torch.__name__ == "minigrad":
        medians[SLOPES] = median(slopes_alone(y) for _ in range(ROUNDS))
    return medians


def stages(torch: Any) -> dict[str, float]:
    """Median seconds of each stage of a training iteration."""
    rnn, times, h_state = net(torch), Stages(), None
    optimizer, loss_func = torch.optim.Adam(rnn.parameters(), lr=LR), torch.nn.MSELoss()
    points = np.linspace(0, 2 * np.pi, TIME_STEPS, dtype=np.float32)[np.newaxis, :, np.newaxis]
    x, y = torch.from_numpy(np.sin(points)), torch.from_numpy(np.cos(points))
    for _ in range(ROUNDS):
        with times.stage("forward: the recurrent layer"):
            hidden, state = rnn.rnn(x, h_state)
        with times.stage("forward: a linear layer a time step, stack, loss"):
            loss = loss_func(torch.stack([rnn.out(hidden[:, t, :]) for t in range(TIME_STEPS)], dim=1), y)
        optimizer.zero_grad()
        if torch.__name__ == "minigrad":
            times.setdefault(SLOPES, []).append(slopes_alone(loss))
        with times.stage("backward"):
            loss.backward()
        with times.stage("Adam"):
            optimizer.step()
        h_state = state.data
    return {name: median(each) for name, each in times.items()}


def slopes_alone(loss: Any) -> float:
    """Seconds that the derivatives of all nodes take, with gradients of the right sizes and without the engine."""
    from minigrad._engine.nodes import Node
    from minigrad._engine.watched import reachable
    from minigrad.core.forms import RAW

    total = 0.0
    for node in reachable([loss.grad_fn]):
        if isinstance(node, Node):
            several = isinstance(node._shape, list)
            grad: Any = [np.ones(s) for s in node._shape] if several else np.ones(node._shape, node._dtype)
            began = perf_counter()
            node.send(grad, RAW.F, RAW.unpack, lambda edge, g: None)
            total += perf_counter() - began
    return total


def main() -> None:
    if len(sys.argv) > 1:  # this process measures one library
        library = importlib.import_module(sys.argv[1])
        print([expression(library), stages(library)])
        return
    measured = {}
    for library in ("minigrad", "torch"):
        if importlib.util.find_spec(library):
            command = [sys.executable, "-m", "benchmarks.anatomy", library]
            ran = subprocess.run(command, env=environment(1), capture_output=True, encoding="utf-8", check=True)
            measured[library] = ast.literal_eval(ran.stdout)
    for title, sides in zip(TITLES, zip(*measured.values(), strict=True), strict=True):
        rows = [[stage, *(seconds(side[stage]) if stage in side else "" for side in sides)] for stage in sides[0]]
        totals = [sum(t for stage, t in side.items() if stage != SLOPES) for side in sides]
        print(table([title, *map(named, measured)], [*rows, ["all of it", *map(seconds, totals)]]), end="\n\n")


if __name__ == "__main__":
    main()
