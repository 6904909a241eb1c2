"""Time the sides of a workload against each other: A, B, A, B …, each in its own process.

On a shared machine, speed drifts by the minute, so only neighbouring measurements are compared: each round gives one
ratio, and the median of the ratios is reported, with the quartiles beside it. While one side works, the others wait
for a line of input. Each side is started again a few times, because speed depends on where a process's memory happens
to lie. (pyperf also restarts, but it runs one benchmark after the other: it cannot alternate two.)
Imports the standard library and the table. Read next: report.py.
"""

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from .workloads import WORKLOADS

HERE = Path(__file__).parent
ROOT = HERE.parent
BEFORE = "before"  # minigrad of another checkout
OURS = ("minigrad", "numpy", "torch")  # an error in one of these is an error of the benchmark
FLOOR = "no tape"  # NumPy again, but allocating exactly the arrays that a tape would record
PEERS = ("micrograd", "mygrad", "autograd")
TUNING = ("OMP_", "OPENBLAS_", "GOTO_", "MKL_", "BLIS_", "VECLIB_")  # settings of matrix products
STARTS, ROUNDS, ROUND_SECONDS = 3, 7, 0.1
WALL, PROCESSOR = "perf_counter", "process_time"  # the second excludes the time of other programs
PATIENCE = 30  # seconds per start; a slow peer (micrograd's MLP takes a second per step) gets fewer rounds


def environment(threads: int) -> dict[str, str]:
    """This process's environment, but matrix products run on so many threads (0: as the library likes).

    The libraries' other settings are removed: with `OPENBLAS_CORETYPE=Haswell`, which a workplace had set, LeNet on
    minigrad took a third longer than on a reader's machine.
    """
    pools = {f"{pool}_NUM_THREADS": str(threads) for pool in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM") if threads}
    return {name: value for name, value in os.environ.items() if not name.startswith(TUNING)} | pools


class Failed(Exception):
    """A side reported this error instead of an answer."""


class Side:
    """A running `side.py`, on this checkout or on the one in another folder."""

    def __init__(self, name: str, library: str, size: int, threads: int = 1, root: Path = ROOT, clock: str = WALL):
        self.name, self.library = name, library
        path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-P", HERE / "side.py", name, library, str(size), clock],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=root,
            env=environment(threads) | {"PYTHONPATH": path},
        )

    def answer(self):
        """The next line of its output, decoded."""
        said = json.loads(self.process.stdout.readline() or '{"error": "died"}')
        if isinstance(said, dict) and "error" in said:
            raise Failed(f"{self.library} on {self.name}: {said['error']}")
        return said

    def time(self, runs: int) -> float:
        """The average seconds of one run, over `runs` runs."""
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        return self.answer() / runs

    def close(self) -> None:
        self.process.communicate()  # closes the side's input, which ends the process


@dataclass
class Result:
    """The measurements of one workload."""

    seconds: dict[str, list[float]] = field(default_factory=dict)  # library -> seconds per step, in each round
    memory: dict[str, list[float]] = field(default_factory=dict)  # library -> peak bytes per step, at each start
    errors: dict[str, str] = field(default_factory=dict)

    def time(self, library: str) -> float:
        """The median seconds per step."""
        return median(self.seconds[library])

    def speed(self, other: str) -> tuple[float, float, float]:
        """minigrad's speed as a multiple of another library's: lower quartile, median, upper quartile."""
        ratios = [theirs / mine for mine, theirs in zip(self.seconds["minigrad"], self.seconds[other], strict=True)]
        low, middle, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        return low, middle, high


def installed(libraries: tuple[str, ...]) -> list[str]:
    return [library for library in libraries if find_spec(library)]


def measure(
    name: str,
    libraries: list[str],
    size: int,
    threads: int = 1,
    starts: int = STARTS,
    rounds: int = ROUNDS,
    before: Path | None = None,
    clock: str = WALL,
) -> Result:
    """Time the sides that these libraries have, and minigrad of the checkout `before`. Raises Failed if two
    sides disagree about the numbers."""
    result = Result()
    for _ in range(starts):
        sides = {x: Side(name, x, size, threads, clock=clock) for x in libraries if x in WORKLOADS[name].sides}
        if before is not None:
            sides[BEFORE] = Side(name, "minigrad", size, threads, before, clock)
        try:
            for library, said in ready(sides, result).items():
                result.memory.setdefault(library, []).append(said["memory"] / size)
            begun = perf_counter()
            runs = {x: enough(side) if rounds > 1 else 1 for x, side in sides.items()}
            for done in range(rounds):
                if done and perf_counter() - begun > PATIENCE:
                    break
                for library, side in sides.items():
                    result.seconds.setdefault(library, []).append(side.time(runs[library]) / size)
        finally:
            for side in sides.values():
                side.close()
    return result


def ready(sides: dict[str, Side], result: Result) -> dict[str, dict]:
    """Each side's first answer. A peer that fails (micrograd recurses) is noted in `result.errors` and left out."""
    answers = {}
    for library, side in list(sides.items()):
        try:
            answers[library] = side.answer()
        except Failed as error:
            if library in (*OURS, FLOOR, BEFORE):
                raise
            result.errors[library] = str(error).split(": ")[1]
            sides.pop(library).close()
    (first, expected), *others = answers.items()
    for library, said in others:
        for mine, theirs in zip(expected["numbers"], said["numbers"], strict=True):
            if not math.isclose(mine, theirs, rel_tol=1e-3, abs_tol=1e-3):
                raise Failed(f"{first} and {library} don't compute the same: {mine} and {theirs}")
    return answers


def enough(side: Side) -> int:
    """Warm up, and return the number of runs that fill a round."""
    seen = [side.time(1)]
    while sum(seen) < ROUND_SECONDS:
        seen.append(side.time(1))
    return max(1, round(ROUND_SECONDS / min(seen)))
