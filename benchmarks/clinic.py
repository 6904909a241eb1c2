"""What the clinic costs a program in which nothing fails: `python -m benchmarks.clinic`.

Three training loops run with the clinic off and on, in turn, in one process: a net of two layers on PyTorch, a net
with convolutions on PyTorch, and the net of two layers on minigrad. Processor time is measured, because other programs
on the machine change it less. Each pair gives a ratio; the table shows the median, and between which values half of the
ratios lie. The goal on PyTorch is 2 %; most of the cost is in the first steps of each optimizer, which the clinic
watches, and a loop here has 300. The same for `lines=True`, which only a second run needs, and the microseconds
that it adds to a small operator. A start of pytest with the plugin and without it is measured in pairs, too.

Imports minigrad, viz and, for PyTorch's rows, torch. Read next: viz/errors/noting.py.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

import viz

GOAL, ROUNDS, STEPS = 1.02, 21, 300


def dense(torch: Any) -> Callable[[int], None]:
    """Steps of a net of two layers, on 128 examples."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 1))
    x, y = torch.randn(128, 64), torch.randn(128, 1)
    return loop(torch, model, x, y)


def convolutions(torch: Any) -> Callable[[int], None]:
    """Steps of a net with two convolutions, on 16 images."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(8, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(8 * 16 * 16, 1),
    )
    x, y = torch.randn(16, 1, 16, 16), torch.randn(16, 1)
    return loop(torch, model, x, y)


def loop(torch: Any, model: Any, x: Any, y: Any) -> Callable[[int], None]:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def steps(number: int) -> None:
        for _ in range(number):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()

    return steps


def ratios(make: Callable[[Any], Callable[[int], None]], torch: Any, **options: Any) -> list[float]:
    """Processor time with the clinic on, divided by that without, for each pair. The order changes each time."""
    steps = make(torch)
    steps(STEPS)
    found = []
    for i in range(ROUNDS):
        times = {}
        for on in (True, False) if i % 2 else (False, True):
            viz.clinic(on, **(options if on else {}))
            began = time.process_time()
            steps(STEPS)
            times[on] = time.process_time() - began
            viz.clinic.off()
        found.append(times[True] / times[False])
    return found


def microseconds(torch: Any, **options: Any) -> float:
    """How much longer a small recorded operator takes."""

    def seconds(on: bool) -> float:
        viz.clinic(on, **(options if on else {}))
        w = y = torch.ones(1, requires_grad=True)
        began = time.process_time()
        for _ in range(2000):
            y = y * w
        taken = time.process_time() - began
        viz.clinic.off()
        return taken / 2000

    return 1e6 * median(seconds(True) - seconds(False) for _ in range(9))


def starts() -> tuple[float, float]:
    """Processor seconds of a start of pytest in an empty folder without the plugin, and what it adds: medians of
    pairs."""
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(9):
            pair = []
            for more in ([], ["-p", "pytest_minigrad_clinic"]):
                began = sum(os.times()[2:4])  # of the processes that were started
                plain = [sys.executable, "-m", "pytest", "-p", "no:minigrad_clinic", "-p", "no:cacheprovider"]
                subprocess.run([*plain, *more, "--co"], cwd=folder, capture_output=True)
                pair.append(sum(os.times()[2:4]) - began)
            pairs.append(pair)
    return median(without for without, _ in pairs), median(with_it - without for without, with_it in pairs)


def main() -> None:
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    minigrad = importlib.import_module("minigrad")
    print("| program | clinic | times the time without | half of the pairs | goal |\n| --- | --- | --- | --- | --- |")
    for name, make, library in (
        ("two layers, PyTorch", dense, torch),
        ("convolutions, PyTorch", convolutions, torch),
        ("two layers, minigrad", dense, minigrad),
    ):
        for options in ({}, {"lines": True}) if library is torch else ({},):
            found = ratios(make, library, **options)
            low, _, high = quantiles(found, n=4)
            goal = (
                f"≤ {GOAL}: {'met' if median(found) <= GOAL else 'missed'}" if library is torch and not options else ""
            )
            how = "lines=True" if options else "on"
            print(f"| {name} | {how} | {median(found):.3f} | {low:.3f} to {high:.3f} | {goal} |")
    print(f"\nWith `lines=True`, a small operator of PyTorch takes {microseconds(torch, lines=True):.0f} µs longer.")
    alone, more = starts()
    print(f"A start of pytest takes {1e3 * alone:.0f} ms of processor time; with the plugin, {1e3 * more:+.1f} ms.")


if __name__ == "__main__":
    main()
