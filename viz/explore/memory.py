"""`viz.explore.memory(program)`: what a graph keeps in memory, after each step of a loop, and after backward.

An operator that needs an input or its result for its derivative saves it, so a graph grows with the code that runs, and
backward empties it. Under `no_grad`, nothing is saved. The count is the bytes of all memory that can be reached
from the result through autograd's public names. Tensors that share a storage count once. Leaves do not count, because
they exist without the graph, too.

Read panel.py first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..drawing.letters import TAG, WORD, stroke, text
from ..drawing.svg import Element
from ..graph.found import all_behind, leaves_read
from ..graph.memory import span
from ..graph.values import Saved
from ..locale import language
from .panel import Panel, Sketch
from .recurrent import Recurrent, sine_wave
from .words import MEMORY

KEPT, SILENT = "#D55E00", "#0072B2"
SIZE, LEFT, RIGHT, TOP, BOTTOM = (720, 330), 92, 560, 56, 284  # pixels


@dataclass(frozen=True)
class Held:
    """Bytes after each step with a graph and under no_grad, and the bytes that the graph still holds after backward."""

    graph: list[int]
    no_grad: list[int]
    after: int


def memory(
    program: Callable[[int], Iterator[Any]] | None = None,
    T: tuple[int, int, int, int] = (1, 60, 1, 30),
    *,
    lang: str | None = None,
) -> Memory:
    """A step plot of the bytes that a graph holds while a loop runs, with a slider for its length.

    program: generator function of T that yields, after each step, the tensor at the end of the graph so far. It is run
        twice, once under `no_grad`. Without one: a recurrent network, which yields its state.
    T: (smallest, largest, step, first value). lang: a language with catalogues.
    From code: `sliders["T"].value = 60`; then `held`.

    >>> panel = memory(T=(1, 60, 1, 3))
    >>> panel.held
    Held(graph=[516, 776, 1036], no_grad=[256, 256, 256], after=256)
    """
    lang = language(lang)
    return Memory(program or recurrent_states, T, lang)


def recurrent_states(T: int) -> Iterator[Any]:
    """The states of a recurrent network with 64 hidden numbers, one per time step."""
    net = Recurrent(hidden=64)
    x, _ = sine_wave(T)
    h = None
    for t in range(T):
        _, h = net(x[:, t : t + 1], h)
        yield h


def bytes_held(tensor: Any) -> int:
    """Bytes of the distinct memory that `tensor` keeps alive: its own, and what earlier operators have saved.

    >>> import minigrad as torch
    >>> w = torch.ones(100, requires_grad=True)
    >>> a = w * torch.ones(100)
    >>> bytes_held(a), bytes_held(a.detach()), bytes_held(w)
    (800, 400, 0)
    """
    behind = operators_behind(tensor)
    spans = [span(tensor), *(span(saved) for fn in behind for saved in Saved(fn).tensors.values())]
    leaves = {span(leaf) for leaf in leaves_of(tensor)}
    total, reached = 0, 0
    for start, end in sorted(place for place in spans if place is not None and place not in leaves):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def measure(program: Callable[[int], Iterator[Any]], T: int) -> Held:
    """Run the program with a graph, backward at its end, and again under no_grad. No `.grad` is touched."""
    import minigrad as torch

    end, graph = None, []
    for end in program(T):
        graph.append(bytes_held(end))
    if end is None:
        raise ValueError("the program has yielded nothing")
    after = graph[-1]
    if end.grad_fn is not None:
        torch.autograd.grad(end.sum(), leaves_of(end), allow_unused=True)  # frees what was saved, as backward() does
        after = bytes_held(end)
    with torch.no_grad():
        silent = [bytes_held(end) for end in program(T)]
    return Held(graph, silent, after)


def operators_behind(tensor: Any) -> list[Any]:
    return [] if tensor.grad_fn is None else all_behind(tensor.grad_fn)


def leaves_of(tensor: Any) -> list[Any]:
    """The leaves behind `tensor`; itself, if it is one that requires a gradient."""
    if tensor.grad_fn is None:
        return [tensor] if tensor.requires_grad else []
    return leaves_read(operators_behind(tensor))


class Memory(Panel):
    """The panel that `memory` returns."""

    def __init__(self, program: Callable[[int], Iterator[Any]], T: Any, lang: str):
        super().__init__({"T": T}, live=False)  # 30 steps take a tenth of a second: too slow while dragging
        self.program, self.lang, self.words = program, lang, MEMORY[lang]
        self.refresh()

    def says(self, T: int) -> str:
        return self.words["run"].format(run=self.runs, T=T)

    def draw(self, T: int) -> Sketch:
        self.held = held = measure(self.program, T)
        told = dict(steps=len(held.graph), graph=size(held.graph[-1]), silent=size(held.no_grad[-1]))
        alt = self.words["alt"].format(**told, after=size(held.after))
        most = max(*held.graph, *held.no_grad, 1)
        return Sketch(
            [*self._axes(most, len(held.graph)), *self._lines(held, most)], SIZE, title=self.words["title"], alt=alt
        )

    def _axes(self, most: int, steps: int) -> Iterator[Element]:
        yield stroke("ink", 1, "M", LEFT, TOP - 10, "V", BOTTOM, "H", SIZE[0] - 12)
        for part in (0, 0.5, 1):
            y = BOTTOM + (TOP - BOTTOM) * part
            yield text(size(round(most * part)), LEFT - 8, y + 5, TAG, "muted", at="end", mono=True)
        for step in dict.fromkeys((1, (steps + 1) // 2, steps)):
            x = LEFT + (RIGHT - LEFT) * (step - 0.5) / steps
            yield text(str(step), x, BOTTOM + 18, TAG, "muted", at="middle", mono=True)
        yield text(self.words["steps"], (LEFT + RIGHT) / 2, BOTTOM + 38, TAG, "muted", at="middle")
        yield text(self.words["heading"], LEFT, 26, WORD, "ink")
        yield stroke("muted", 2, "M", RIGHT, TOP - 10, "V", BOTTOM + 8, dashes="4 4")
        yield text("backward", RIGHT + 8, BOTTOM + 18, TAG, "ink", mono=True)

    def _lines(self, held: Held, most: int) -> Iterator[Element]:
        """A step curve for each: the bytes after a step are there until the next step."""
        wide = (RIGHT - LEFT) / len(held.graph)

        def height(count: int) -> float:
            return BOTTOM - (BOTTOM - TOP) * count / most

        for name, counts, colour, dashes in (
            ("silent", held.no_grad, SILENT, "9 5"),
            ("graph", held.graph, KEPT, None),
        ):
            steps: list[str | float] = ["M", LEFT, height(0)]
            for i, count in enumerate(counts):
                steps += ["V", height(count), "H", LEFT + wide * (i + 1)]
            if name == "graph":
                steps += ["V", height(held.after), "H", SIZE[0] - 16]
            yield stroke(colour, 4, *steps, dashes=dashes)
        graph, silent = size(held.graph[-1]), size(held.no_grad[-1])
        yield text(self.words["graph"].format(graph), RIGHT - 12, height(held.graph[-1]) - 8, TAG, "ink", at="end")
        yield text(self.words["silent"].format(silent), RIGHT - 12, height(held.no_grad[-1]) - 10, TAG, "ink", at="end")
        yield text(size(held.after), SIZE[0] - 16, height(held.after) - 10, TAG, "ink", at="end", mono=True)


def size(count: int) -> str:
    """Bytes in a readable unit.

    >>> size(776), size(46_080), size(2_500_000)
    ('776 B', '46 kB', '2.5 MB')
    """
    for unit, factor in (("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.2g} {unit}" if count < 100 * factor else f"{count / factor:.0f} {unit}"
    return f"{count} B"
