"""What a picture of each size costs: `python -m benchmarks.sizes`; with --write, the table is stored in README.md.

Three shapes of graphs, unfolded: a chain of operators; a chain whose operators all use the same weight, so its arrows
pass all boxes between; and many branches that meet at the end. Reading, layout and PNG are measured in processor
seconds, including Graphviz's own process, so that other programs on the machine do not matter. The table also shows the
time that viz announces before it begins. `folded` is the time of the same graph in few boxes, as `viz.draw` draws it.
Imports minigrad and viz. Read next: ../viz/drawing/limits.py.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import minigrad as torch
import viz
from viz.drawing.limits import A_MOMENT, STOP, told
from viz.drawing.limits import seconds as foretold

from .report import load, machine, seconds, table

BEGIN, END = "<!-- sizes: begin -->", "<!-- sizes: end -->"
SIZES, PATIENCE, SMALL = (20, 100, 500, 1000, 10_000), 4.0, 100  # nodes; seconds of layout; nodes with a PNG


def chain(nodes: int) -> torch.Tensor:
    y = torch.ones(1, requires_grad=True)
    for _ in range(nodes - 2):
        y = y.tanh()
    return y


def shared(nodes: int) -> torch.Tensor:
    y = w = torch.ones(1, requires_grad=True)
    for _ in range((nodes - 2) // 2):
        y = (y * w).tanh()
    return y


def branches(nodes: int) -> torch.Tensor:
    w = torch.ones(1, requires_grad=True)
    return torch.stack([(w * i).tanh() for i in range((nodes - 3) // 3 or 1)]).sum()


def spent(act: Callable[[], object]) -> float:
    """Processor seconds of this process and of those that it started."""
    before = sum(os.times()[:4])
    act()
    return sum(os.times()[:4]) - before


def row(name: str, make: Callable[[int], torch.Tensor], size: int) -> list[str]:
    """The row of one shape and size. The layout is measured only if it is expected to end within PATIENCE seconds."""
    end = make(size)
    drawn: list[viz.Picture] = []
    read = spent(lambda: drawn.append(viz.draw(end, names={}, fold=False)))
    folded = spent(lambda: drawn.append(viz.draw(end, names={}, fold=True)))
    picture, small = drawn
    folded += spent(lambda: small.svg)
    expected = foretold(picture.graph)
    laid = seconds(spent(lambda: picture.geometry)) if expected < PATIENCE else "—"
    png = seconds(spent(picture.png)) if len(picture.graph.nodes) <= SMALL else "—"
    says = "nothing" if expected <= A_MOMENT else told(expected) + (", not done" if expected > STOP else "")
    boxes = len(small.graph.nodes)
    return [name, f"{len(picture.graph.nodes):,}", seconds(read), laid, says, png, f"{seconds(folded)} ({boxes} nodes)"]


def main() -> None:
    shapes = {"a chain": chain, "one weight in all": shared, "branches": branches}
    viz.draw(chain(5)).png()  # loads what is loaded only once
    before = load()
    rows = [row(name, make, size) for name, make in shapes.items() for size in SIZES]
    head = ["graph", "nodes", "reading", "layout", "what viz says before", "PNG", "read, folded and drawn"]
    figures = f"{table(head, rows)}\n\n{machine(['numpy'], (before, load()))}"
    print(figures)
    if "--write" in sys.argv:
        readme = Path(__file__).parent / "README.md"
        above, rest = readme.read_text(encoding="utf-8").split(BEGIN)
        readme.write_text(f"{above}{BEGIN}\n{figures}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
