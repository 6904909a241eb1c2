"""Graphs to test an engine: a few fixed ones, and any number of random ones.

Each is a small program, whose text runs on minigrad's tensors and on those of any other engine.
Imports NumPy. Read next: ../exercises/lesson13/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class Graph:
    """A program that computes `y` from some leaves.

    code: its lines. leaves: {name: its number, or array}. frozen: the names of those that need no gradient.
    """

    def __init__(self, code: str, title: str = "", frozen: str = "", **leaves: Any):
        self.code, self.title, self.frozen = code, title, frozen.split()
        self.leaves = {name: np.asarray(value, getattr(value, "dtype", float)) for name, value in leaves.items()}

    def on(self, make: Callable[..., Any], **known: Any) -> tuple[Any, dict[str, Any]]:
        """Run it on tensors that `make(array, requires_grad=…)` makes; returns y, and the leaves by name.

        known: other names that its lines may use.
        """
        leaves = {name: make(a.copy(), requires_grad=name not in self.frozen) for name, a in self.leaves.items()}
        names = {**known, **leaves}
        exec(self.code, names)
        return names["y"], leaves

    def __repr__(self) -> str:
        numbers = {name: f"{value.reshape(-1)[0]:g}" for name, value in self.leaves.items()}
        at = ", ".join(f"{name} = {n}" + " (constant)" * (name in self.frozen) for name, n in numbers.items())
        return self.title or f"{self.code.replace(chr(10), '; ')} at {at}"


FACTORS = Graph("y = (w + x) * (w + 1)", w=[3.0], x=[8.0])
TWICE = Graph("a = w * w\ny = a * a + a", w=3.0)  # the ledger's: 114
FROZEN = Graph("y = (w * x) * x", w=[3.0], x=[2.0], frozen="x")


def sixty() -> Graph:
    """60 doublings in a row: 2 to the power of 60 paths from y to w."""
    return Graph("y = w\nfor _ in range(60):\n    y = y + y", "60 times y = y + y, from w", w=[1.0])


def chain(random: Any, length: int = 6) -> Graph:
    """One path from y to w, through random operators."""
    steps = ["y * {}", "y + {}", "{} - y", "y - {}", "-y", "y.tanh()", "y.sin()", "c * y", "y / {}"]
    chosen = [steps[random.integers(len(steps))].format(round(random.uniform(0.5, 2), 2)) for _ in range(length)]
    lines = ["y = w", *(f"y = {step}" for step in chosen)]
    w, c = random.normal(size=(2, 3))
    return Graph("\n".join(lines), f"a chain of {length} operators", frozen="c", w=w, c=c)


def drawn_by_chance(random: Any, size: int = 8, shapes: tuple[tuple[int, ...], ...] = ((3,),)) -> Graph:
    """A random graph in which values are used several times; `shapes` are those of its leaves."""
    names, lines = ["w", "x", "c"], []
    for number in range(size):
        one, other = (names[random.integers(max(0, len(names) - 4), len(names))] for _ in range(2))
        steps = [f"{one} * {other}", f"{one} + {other}", f"{one} - {other}", f"{one}.tanh()", f"{one}.sin()"]
        steps += [f"{one} * {other}.tanh()", f"1.5 - {one}", f"{one} / ({other} * {other} + 1)"]
        names.append(f"a{number}")
        lines.append(f"a{number} = {steps[random.integers(len(steps))]}")
    lines.append(f"y = ({names[-1]} * w + {names[-2]}).tanh() + {names[-3]} * x")
    sizes = [shapes[random.integers(len(shapes))] for _ in "wxc"]
    leaves = {name: random.normal(size=each) for name, each in zip("wxc", sizes, strict=True)}
    told = f"a random graph of {size} lines" + (f", shapes {', '.join(map(str, sizes))}" if len(shapes) > 1 else "")
    return Graph("\n".join(lines), told, frozen="c", **leaves)


def several(random: Any, count: int = 4, **how: Any) -> Iterator[Graph]:
    """Several random graphs of growing size."""
    for size in range(2, 2 + 3 * count, 3):
        yield drawn_by_chance(random, size, **how)


def told(fn: Any, leaves: dict[int, str]) -> str:
    """The graph behind a node in one line: each operator with its edges, — for none, # for an earlier node.

    leaves: the name of each leaf, by its id. It uses only PyTorch's public attributes.
    """
    seen: dict[int, str] = {}

    def one(end: Any) -> str:
        if end is None:
            return "—"
        if type(end).__name__ == "AccumulateGrad":
            return leaves.get(id(end.variable), "a leaf")
        if id(end) in seen:
            return seen[id(end)]
        seen[id(end)] = f"#{len(seen) + 1}"
        return f"{end.name()}({', '.join(one(before) for before, _ in end.next_functions)})"

    return one(fn)
