"""The static engine beside real TensorFlow and beside our dynamic engine: `python -m benchmarks.static`.

    python -m benchmarks.static --tensorflow PYTHON   # an interpreter that has tensorflow-cpu; else left out
    python -m benchmarks.static --quick               # seconds: does everything run and agree?

The static engine and TensorFlow run the same program. Each side is a process; the sides alternate, a tenth of a second
each, and the reported ratio is the median over neighbouring rounds. The goals are for libraries with their default
settings, on a machine without other work: matrix products on several threads slow down most beside other programs.
Building and compiling are reported separately, with the number of runs after which they have paid off. Peaks are those
of arrays in one run, as tracemalloc counts them.
Imports the standard library and NumPy; a side imports its engine. Read next: pairing.py, for the other workloads.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

ROOT = Path(__file__).parent.parent
ROUNDS, SECONDS = 15, 0.1
rng = np.random.default_rng(0)


# -- the same programs for TensorFlow and minigrad.static: each returns (fetches, feeds) -----------


def expression(tf):
    """y = (w + x)(w + 1) with both gradients."""
    w, x = tf.Variable(1.0), tf.Variable(2.0)
    y = (w + x) * (w + 1.0)
    return [y, *tf.gradients(y, [w, x])], None


def chain(tf):
    """20 alternating operators on 10,000 elements, forward and gradient."""
    y = x = tf.Variable(np.linspace(-1, 1, 10_000).astype(np.float32))
    for i in range(20):
        y = (y * 1.1, y + 0.1, tf.tanh(y))[i % 3]
    return tf.gradients(y, [x]), None


def two_layer(tf):
    """One step of the two-layer net 64×1000×100×10."""
    x, y = tf.placeholder(tf.float32, (None, 1000)), tf.placeholder(tf.float32, (None, 10))
    w1 = tf.Variable(rng.standard_normal((1000, 100)).astype(np.float32))
    w2 = tf.Variable(rng.standard_normal((100, 10)).astype(np.float32))
    h_relu = tf.maximum(tf.matmul(x, w1), tf.zeros(1))
    loss = tf.reduce_sum((y - tf.matmul(h_relu, w2)) ** 2.0)
    grad_w1, grad_w2 = tf.gradients(loss, [w1, w2])
    new = [w1.assign(w1 - 1e-6 * grad_w1), w2.assign(w2 - 1e-6 * grad_w2)]
    return [loss, *new], {x: rng.standard_normal((64, 1000)), y: rng.standard_normal((64, 10))}


def dynamic_rnn(tf):
    """One step of the posts' dynamic RNN, with 20 time steps and Adam."""
    x, y = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    cell = tf.nn.rnn_cell.BasicRNNCell(num_units=32)
    start = cell.zero_state(1, tf.float32)
    outputs, state = tf.nn.dynamic_rnn(cell=cell, inputs=tf.reshape(x, [1, -1, 1]), initial_state=start)
    logits = tf.layers.dense(tf.reshape(outputs, [-1, 32]), 1)
    loss = tf.losses.mean_squared_error(labels=y, predictions=logits)
    steps = np.linspace(0, 2 * np.pi, 20, dtype=np.float32)[:, None]
    feeds = {x: np.sin(steps), y: np.cos(steps), start: np.zeros((1, 32), np.float32)}
    return [tf.train.AdamOptimizer(0.02).minimize(loss), loss, state], feeds


def run_static(tf, program, threads):
    """Build and initialise the program; return a function that makes one run."""
    config = None
    if tf.__name__ != "minigrad.static" and threads:
        config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
    fetches, feeds = program(tf)
    session = tf.Session(config=config)
    session.run(tf.global_variables_initializer())
    if program is dynamic_rnn:  # its layers draw their own initial values, which differ between the engines
        for variable in tf.trainable_variables():
            variable.load(rng.standard_normal(variable.shape.as_list()) * 0.1, session)
    return lambda: session.run(fetches, feeds)


# -- the same on the dynamic engine ----------------------------------------------------------------


def eager_expression(torch):
    w, x = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)

    def run():
        w.grad = x.grad = None
        y = (w + x) * (w + 1.0)
        y.backward()
        return [y.item(), w.grad.item(), x.grad.item()]

    return run


def eager_chain(torch):
    x = torch.linspace(-1, 1, 10_000).requires_grad_()
    ones = torch.ones(10_000)

    def run():
        y, x.grad = x, None
        for i in range(20):
            y = y * 1.1 if i % 3 == 0 else y + 0.1 if i % 3 == 1 else torch.tanh(y)
        y.backward(ones)
        return [x.grad.numpy()]

    return run


def eager_two_layer(torch):
    w1 = torch.from_numpy(rng.standard_normal((1000, 100)).astype(np.float32)).requires_grad_()
    w2 = torch.from_numpy(rng.standard_normal((100, 10)).astype(np.float32)).requires_grad_()
    x = torch.from_numpy(rng.standard_normal((64, 1000)).astype(np.float32))
    y = torch.from_numpy(rng.standard_normal((64, 10)).astype(np.float32))

    def run():
        loss = (x.mm(w1).clamp(min=0).mm(w2) - y).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            for w in (w1, w2):
                w -= 1e-6 * w.grad
                w.grad.zero_()
        return [loss.item()]

    return run


PROGRAMS = {f.__name__: f for f in (expression, chain, two_layer, dynamic_rnn)}
EAGER = {"expression": eager_expression, "chain": eager_chain, "two_layer": eager_two_layer}
GOALS = {  # the static engine's speed as a multiple of the other side's
    ("expression", "tensorflow"): 15,
    ("two_layer", "tensorflow"): 1.3,
    ("dynamic_rnn", "tensorflow"): 2,
    ("expression", "dynamic"): 2,
    ("chain", "dynamic"): 1,
    ("two_layer", "dynamic"): 1,
}


# -- a side ----------------------------------------------------------------------------------------


def side(engine: str, name: str, threads: int) -> None:
    """Report the first run's numbers, the time of building and the peak of memory; then time runs on request."""
    if engine == "tensorflow":
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()
    elif engine == "static":
        import minigrad.static as tf
    else:
        import minigrad as torch

    def make():
        return EAGER[name](torch) if engine == "dynamic" else run_static(tf, PROGRAMS[name], threads)

    if engine != "dynamic":
        make()()  # excludes work that an engine does only once per process
        tf.reset_default_graph()
    global rng
    rng = np.random.default_rng(0)
    begun = perf_counter()
    run = make()
    numbers = run()
    built = perf_counter() - begun
    tracemalloc.start()
    run()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    run()
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    first = [float(np.sum(n)) for n in numbers if n is not None]
    print(json.dumps({"numbers": first, "built": built, "peak": peak}), flush=True)
    for line in sys.stdin:
        begun = perf_counter()
        for _ in range(int(line)):
            run()
        print(json.dumps(perf_counter() - begun), flush=True)


class Side:
    """A side that runs in another process."""

    def __init__(self, python: str, engine: str, name: str, threads: int):
        from benchmarks.pairing import environment  # the other process runs this file alone

        quiet = {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
        command = [python, str(Path(__file__)), "--side", engine, name, str(threads)]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        path = {"PYTHONPATH": str(ROOT)} if engine != "tensorflow" else {}
        env = environment(threads) | quiet | path
        self.process = subprocess.Popen(command, encoding="utf-8", env=env, **streams)
        self.said = json.loads(self.process.stdout.readline() or '{"numbers": []}')

    def time(self, runs: int) -> float:
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline()) / runs

    def runs(self) -> int:
        once = min(self.time(3) for _ in range(5))
        return max(3, round(SECONDS / once))


# -- all sides -------------------------------------------------------------------------------------


def compare(name: str, pythons: dict[str, str], threads: int, quick: bool) -> None:
    """Time the sides of a program in turn and print the results."""
    sides = {engine: Side(python, engine, name, threads) for engine, python in pythons.items()}
    expected = sides["static"].said["numbers"][:1]
    for engine, other in sides.items():
        if not np.allclose(other.said["numbers"][:1] if engine != "dynamic" else expected, expected, rtol=1e-3):
            raise SystemExit(f"{engine} does not compute the same: {other.said['numbers']} and {expected}")
    runs = {engine: 3 if quick else other.runs() for engine, other in sides.items()}
    seen = {engine: [] for engine in sides}
    for _ in range(1 if quick else ROUNDS):
        for engine, other in sides.items():
            seen[engine].append(other.time(runs[engine]))
    ours = sides["static"].said
    print(f"\n{PROGRAMS[name].__doc__} {'One thread each.' if threads else 'Threads as installed.'}")
    print(f"  static      {median(seen['static']) * 1e6:8.1f} µs a run, peak {ours['peak']:,} B")
    for engine in [engine for engine in sides if engine != "static"]:
        ratio = median(b / a for a, b in zip(seen["static"], seen[engine], strict=True))
        goal = None if threads else GOALS.get((name, engine))
        verdict = "" if goal is None else f" (goal {goal} ×: {'reached' if ratio >= goal else 'MISSED'})"
        print(f"  {engine:11} {median(seen[engine]) * 1e6:8.1f} µs a run, static {ratio:.2f} × as fast{verdict}")
        if engine == "dynamic":
            gain = median(b - a for a, b in zip(seen["static"], seen[engine], strict=True))
            pays = f"pays after {ours['built'] / gain:,.0f} runs" if gain > 0 else "never pays"
            built = f"building and compiling {ours['built'] * 1e3:.1f} ms {pays}"
            print(f"{'':14}peak {sides[engine].said['peak']:,} B; {built}")
    for other in sides.values():
        other.process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.static")
    parser.add_argument("--tensorflow", metavar="PYTHON", help="an interpreter that has TensorFlow")
    parser.add_argument("--quick", action="store_true", help="a smoke test; its figures mean nothing")
    parser.add_argument("--side", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.side:
        return side(args.side[0], args.side[1], int(args.side[2]))
    here = sys.executable if importlib.util.find_spec("tensorflow") else None
    tensorflow = args.tensorflow or here
    if tensorflow is None:
        print("left out: tensorflow (pip install tensorflow-cpu tf_keras)")
    for name in PROGRAMS:
        pythons = {"static": sys.executable}
        pythons |= {"dynamic": sys.executable} if name in EAGER else {}
        pythons |= {"tensorflow": tensorflow} if tensorflow else {}
        for threads in (0, 1) if name == "two_layer" and not args.quick else (0,):
            compare(name, pythons, threads, args.quick)


if __name__ == "__main__":
    main()
