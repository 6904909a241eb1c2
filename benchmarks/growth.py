"""How time and peak memory grow with the graph: from 10 to 1,000,000 operators, from 10 to 1,000 time steps.

Each size runs forward and backward in its own processes; peak memory is that of one run. Growth is linear where a
curve is a straight line as steep as the dotted one. Imports matplotlib for drawing.
"""

from pathlib import Path
from typing import NamedTuple

from .pairing import Side, enough
from .report import named
from .workloads import WORKLOADS

SIZES = {
    "long_chain": [10, 100, 1000, 10_000, 100_000, 1_000_000],
    "sequence": [10, 30, 100, 300, 1000],
}
LINEAR = 1.25  # growth up to this many times linear growth passes
LABELS = {"long_chain": "operators", "sequence": "time steps"}
LOOKS = {
    "minigrad": {"marker": "o", "color": "#0072b2"},
    "gc off": {"marker": "^", "color": "#56b4e9", "ls": "-."},
    "torch": {"marker": "s", "color": "#d55e00", "ls": "--"},
}


class Point(NamedTuple):
    """The measurements of one run."""

    size: int
    seconds: float
    memory: float  # bytes


Curves = dict[str, dict[str, list[Point]]]  # workload -> library -> its points


def grow(libraries: list[str], quick: bool) -> Curves:
    """Measure every size; in a smoke run, only the smallest."""
    return {
        name: {
            library: points(name, library, sizes[:1] if quick else sizes, rounds=1 if quick else 5)
            for library in [*libraries, "gc off"]
            if library in WORKLOADS[name].sides
        }
        for name, sizes in SIZES.items()
    }


def points(name: str, library: str, sizes: list[int], rounds: int) -> list[Point]:
    """Measure all sizes in alternation; the best round counts."""
    sides = {size: Side(name, library, size) for size in sizes}
    try:
        memory = {size: side.answer()["memory"] for size, side in sides.items()}
        runs = {size: 1 if rounds == 1 else enough(side) for size, side in sides.items()}
        seen = [{size: side.time(runs[size]) for size, side in sides.items()} for _ in range(rounds)]
    finally:
        for side in sides.values():
            side.close()
    return [Point(size, min(seconds[size] for seconds in seen), memory[size]) for size in sizes]


def end_to_end(points: list[Point]) -> tuple[Point, Point]:
    """The two largest sizes: constant costs are small there, and the graph fits in no cache."""
    return points[-2], points[-1]


def draw(curves: Curves, path: Path) -> None:
    """Draw the figure. The same numbers give the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    for row, (name, libraries) in zip(figure.subplots(2, 2), curves.items(), strict=True):
        for axes, what, scale, unit in zip(row, ("seconds", "memory"), (1e3, 2**-20), ("ms", "MiB"), strict=True):
            for library, points in libraries.items():
                seen = [(p.size, getattr(p, what) * scale) for p in points if getattr(p, what) > 0]
                axes.loglog(*zip(*seen, strict=True), label=named(library), **LOOKS[library])
            ends = seen[0][0], seen[-1][0]
            top = axes.get_ylim()[1]
            axes.plot(ends, (top * ends[0] / ends[1], top), ":", color="gray", label="linear")
            axes.set(xlabel=LABELS[name], ylabel=f"{'time' if what == 'seconds' else 'peak memory'} of a run, {unit}")
            axes.grid(alpha=0.3)
            axes.legend()
    with matplotlib.rc_context({"svg.hashsalt": "minigrad"}):
        figure.savefig(path, metadata={"Date": None})
