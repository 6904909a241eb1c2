"""`minigrad.jit` beside plain minigrad, and beside PyTorch: `python -m benchmarks.jit`.

    python -m benchmarks.jit --quick    # seconds: does everything run, and agree?
    python -m benchmarks.jit rnn mlp    # some of it

All sides run the same program: `step(torch, jit)` receives the library, and `minigrad.jit` or a function that does
nothing. Each side is a process with one thread for matrix products. The sides alternate, a tenth of a second each; the
reported ratio is the median over neighbouring rounds, with its quartiles. Tracing and compiling are reported apart,
with the number of steps after which they have paid off. Imports the standard library; a side imports its library.
Read next: pairing.py, which measures the other workloads in this way.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from .pairing import environment

ROOT = Path(__file__).parent.parent
ROUNDS, SECONDS = 21, 0.1
WAYS = {"jit": "minigrad", "minigrad": "minigrad", "torch": "torch"}
GOALS = {"expression": 1.5, "mlp": 2, "rnn": 2, "two_layer": 1}  # times the speed of plain minigrad


def expression(torch, jit):
    """y = (w + x)(w + 1) with its gradients."""
    w, x = (torch.tensor([number], requires_grad=True) for number in (1.0, 2.0))
    f = jit(lambda w, x: (w + x) * (w + 1))

    def step():
        w.grad = x.grad = None
        y = f(w, x)
        y.backward()
        return y.item() + w.grad.item()

    return step


def mlp(torch, jit):
    """A 2-16-16-1 MLP on 100 points, mean squared error, SGD."""
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
    x, y, mse = torch.randn(100, 2), torch.randn(100, 1), nn.MSELoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    return trained(optimizer, jit(lambda x, y: mse(net(x), y)), cycle([(x, y)]))


def rnn(torch, jit):
    """The seeds' dynamic RNN, sin to cos with 32 hidden numbers, Adam: 10, 20 and 30 time steps in turn."""
    torch.manual_seed(0)
    cell, out, mse = torch.nn.RNN(1, 32, batch_first=True), torch.nn.Linear(32, 1), torch.nn.MSELoss()
    optimizer = torch.optim.Adam([*cell.parameters(), *out.parameters()], lr=1e-4)
    times = [torch.linspace(0, 3, n) for n in (10, 20, 30)]
    data = cycle([(t.sin().reshape(1, -1, 1), t.cos().reshape(1, -1, 1)) for t in times])

    def loss(x, y):
        states, _ = cell(x, None)
        outs = [out(states[:, step, :]) for step in range(states.size(1))]
        return mse(torch.stack(outs, dim=1), y)

    return trained(optimizer, jit(loss), data)


def two_layer(torch, jit):
    """The two-layer net 64×1000×100×10 from raw tensors."""
    torch.manual_seed(0)
    x, y = torch.randn(64, 1000), torch.randn(64, 10)
    w1, w2 = torch.randn(1000, 100, requires_grad=True), torch.randn(100, 10, requires_grad=True)
    loss_of = jit(lambda x, y, w1, w2: (x.mm(w1).clamp(min=0).mm(w2) - y).pow(2).sum())

    def step():
        loss = loss_of(x, y, w1, w2)
        loss.backward()
        with torch.no_grad():
            for w in (w1, w2):
                w -= 1e-9 * w.grad
                w.grad = None
        return loss.item()

    return step


def trained(optimizer, loss_of, data):
    def step():
        loss = loss_of(*next(data))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


WORKLOADS = {f.__name__: f for f in (expression, mlp, rnn, two_layer)}


def side(name, way):
    """Run one side: report the first steps' time and numbers; then, for each line N on stdin, the time of N steps."""
    torch = importlib.import_module(WAYS[way])
    if way == "torch":
        torch.set_num_threads(1)
    WORKLOADS[name](torch, torch.jit if way == "jit" else lambda f: f)()  # imports happen here
    step = WORKLOADS[name](torch, torch.jit if way == "jit" else lambda f: f)
    start = perf_counter()
    numbers = [step() for _ in range(3)]
    print(json.dumps([perf_counter() - start, numbers]), flush=True)
    for line in sys.stdin:
        start = perf_counter()
        for _ in range(int(line)):
            step()
        print(json.dumps(perf_counter() - start), flush=True)


def measure(name, ways, rounds, seconds):
    """A line for each way: seconds per step, the ratio to plain minigrad, and the extra time of the first steps."""
    sides = {
        way: subprocess.Popen(
            [sys.executable, "-m", "benchmarks.jit", "--side", name, way],
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT},
            env=environment(1),
        )
        for way in ways
    }

    def ask(way, runs):
        sides[way].stdin.write(f"{runs}\n")
        sides[way].stdin.flush()
        return json.loads(sides[way].stdout.readline()) / runs

    first, numbers = zip(*(json.loads(process.stdout.readline()) for process in sides.values()), strict=True)
    for way, found in zip(ways, numbers, strict=True):
        same = WAYS[way] == "torch" or all(
            abs(a - b) <= 1e-5 * abs(b) + 1e-6 for a, b in zip(found, numbers[0], strict=True)
        )
        assert same, f"{name}: {way} computes {found}, and {ways[0]} {numbers[0]}"
    runs = {way: 3 * max(1, round(seconds / 3 / max(ask(way, 9), 1e-7))) for way in ways}
    times = {way: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            times[way].append(ask(way, runs[way]))
    for process in sides.values():
        process.communicate()
    return times, dict(zip(ways, first, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*WORKLOADS, []], help="which; else all")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--side", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        return side(*arguments.side)
    ways = [way for way, library in WAYS.items() if importlib.util.find_spec(library)]
    for name in arguments.names or WORKLOADS:
        rounds, seconds = (1, 0.01) if arguments.quick else (ROUNDS, SECONDS)
        times, first = measure(name, ways, rounds, seconds)
        print(f"{name}: {WORKLOADS[name].__doc__}")
        mine = times["jit"]
        for way in ways:
            line = f"  {way:9} {median(times[way]) * 1e6:8.1f} µs a step"
            if way != "jit":
                ratios = [other / own for other, own in zip(times[way], mine, strict=True)]
                low, middle, high = quantiles(ratios, n=4, method="inclusive") if rounds > 1 else ratios * 3
                line += f"; jit is {middle:.2f} × as fast ({low:.2f} to {high:.2f})"
            if way == "minigrad":
                line += f", goal {GOALS[name]}"
                gain, cost = median(times[way]) - median(mine), first["jit"] - first[way]
                line += f"; tracing and compiling {cost * 1e3:.1f} ms"
                line += f", paid off after {cost / gain:,.0f} steps" if gain > 0 else ", which never pays"
            print(line, flush=True)


if __name__ == "__main__":
    main()
