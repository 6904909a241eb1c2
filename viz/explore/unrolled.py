"""`viz.explore.unrolled(function)`: a slider T regrows the graph of a loop; the parameters stay as many as they were.

The loop is run again for each T. All time steps use the same weights, so their arrows enter the same leaves, and from
three steps on the steps fold into one box ("× 30"). What grows is the graph, and what shrinks, as a rule, is the part
of the gradient that reaches the first state.

Read panel.py first.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..drawing.picture import Picture
from ..graph.autograd import graph_of
from ..graph.fold import LARGE, folded
from ..graph.names import is_tensor, names_in
from .panel import Panel, check_lang
from .recurrent import Recurrent, sine_wave
from .words import UNROLLED


@dataclass(frozen=True)
class Grown:
    """One graph: how many nodes and leaves it has, the numbers in its leaves, and ‖∂L/∂h_0‖ / ‖∂L/∂h_T‖ if asked."""

    nodes: int
    leaves: int
    parameters: int
    ratio: float | None


def unrolled(
    function: Callable[[int], Any] | None = None, T: tuple[int, int, int, int] = (1, 30, 1, 2), *, lang: str = "en"
) -> Unrolled:
    """The graph that `function` builds for T time steps, with a slider for T.

    function: runs a loop of T steps and gives a tensor at its end; or that and its states [h_0 … h_T], to see how much
        of the gradient reaches the first. Leaves are called by the variables where `unrolled` is called. Without one: a
        small recurrent network, not yet trained.
    T: (smallest, largest, step, first value). lang: "en" or "zh".
    From code: `sliders["T"].value = 30`, `fold.value = False`; then `grown`, and `picture` as `viz.draw` makes it.

    >>> panel = unrolled()
    >>> few = panel.grown
    >>> panel.sliders["T"].value = 30
    >>> few.nodes < panel.grown.nodes, few.parameters == panel.grown.parameters, panel.grown.ratio < 1e-3
    (True, True, True)
    >>> any(node.kind == "folded" for node in panel.picture.graph.nodes)
    True
    """
    check_lang(lang)
    names: Iterable[tuple[str, Any]]
    if function is None:
        function, names = recurrent_program()
    else:
        names = names_in(sys._getframe(1))  # not our own frame: with that in a variable of its own, it would live on
    return Unrolled(function, list(names), T, lang)


def recurrent_program() -> tuple[Callable[[int], Any], list[tuple[str, Any]]]:
    """A recurrent network that reads T numbers of a sine wave and is asked for the last cosine; and its weights."""
    import minigrad as torch

    net = Recurrent(hidden=8)

    def program(T: int) -> tuple[Any, list[Any]]:
        x, target = sine_wave(T)
        states = [torch.zeros(1, 8, requires_grad=True)]
        for t in range(T):
            states.append(net.step(x[:, t], states[-1]))
        loss = ((states[-1] @ net.w_out - target[:, -1]) ** 2).mean()
        return loss, states

    weights = ("w_in", "w_state", "bias", "w_out")
    return program, [(name, getattr(net, name)) for name in weights]


class Unrolled(Panel):
    """What `unrolled` makes."""

    def __init__(self, function: Callable[[int], Any], names: list[tuple[str, Any]], T: Any, lang: str):
        import ipywidgets as widgets

        super().__init__({"T": T})
        self.function, self.names, self.words, self.lang = function, names, UNROLLED[lang], lang
        self.fold = widgets.Checkbox(value=True, description=self.words["fold"], indent=False)
        self.fold.observe(lambda _: self.refresh(), "value")
        self.put_on_top(self.fold)
        self.refresh()

    def draw(self, T: int) -> Picture:
        made = self.function(T)
        end, states = (made, ()) if is_tensor(made) else made
        first = [("h_0", states[0])] if states else []
        graph = graph_of([end], [*self.names, *first, ("L", end)])
        self.grown = measure(end, states, graph)
        if self.fold.value and len(graph.nodes) > LARGE:
            graph = folded(graph)
        return Picture(graph, self.lang, show=())

    def says(self, T: int) -> str:
        grown = self.grown
        words = self.words["says"].format(run=self.runs, T=T, nodes=grown.nodes, parameters=f"{grown.parameters:,}")
        told = html.escape(words)
        if grown.ratio is not None:
            told += "<br>" + html.escape(self.words["ratio"].format(f"{grown.ratio:.1g}"))
        return told


def measure(end: Any, states: Sequence[Any], graph: Any) -> Grown:
    """Count, and compare the gradient that reaches the first state with that at the last. No `.grad` is touched."""
    from minigrad import autograd

    leaves = [node for node in graph.nodes if node.kind == "leaf" and node.name != "h_0"]
    ratio = None
    if states:
        first, last = autograd.grad(end, [states[0], states[-1]], retain_graph=True)
        ratio = float(first.norm() / last.norm())
    return Grown(len(graph.nodes), len(leaves), sum(prod(leaf.shape) for leaf in leaves), ratio)
