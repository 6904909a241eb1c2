"""`viz.machine(unrolled, loop, T=(…))`: two graphs of one loop, and a slider for how often it turns.

Above, a loop that is itself part of a static graph: it was built once and stands still, only its counter moves. Below,
Python's own loop: it runs anew for each T, and every turn adds operators.

Imports panel and picture. Read next: race.py.
"""

from __future__ import annotations

import html
import math
import sys
from collections.abc import Callable
from typing import Any

from ..drawing.boxes import WORD, text
from ..drawing.picture import Picture
from ..drawing.svg import Element
from ..graph.autograd import graph_of
from ..graph.names import names_in
from ..graph.static import static_graph_of, symbols_in
from .panel import Panel, Sketch, Slider, check_lang

LINE, MARGIN = 34, 12  # pixels for the line above a picture, and on its left

WORDS = {
    "en": {
        "dynamic": "dynamic: graph number {run}, {nodes} nodes",
        "static": "static: still the first graph, {nodes} nodes; its loop turned {turns} ×",
        "first": "run 1, T = {T}: Python built a graph of {grown} nodes; the session ran one of {still}, built before.",
        "line": "run {run}, T = {T}: Python built a new graph of {grown} nodes; "
        "the session used the old one of {still} again.",
        "title": "A loop in Python and a loop in the graph",
    },
    "zh": {
        "dynamic": "动态：第 {run} 张图，{nodes} 个节点",
        "static": "静态：还是第一张图，{nodes} 个节点；循环转了 {turns} 次",
        "first": "第 1 次运行，T = {T}：Python 建了一张 {grown} 个节点的图；会话运行事先建好的 {still} 个节点的图。",
        "line": "第 {run} 次运行，T = {T}：Python 建了一张 {grown} 个节点的新图；会话再次使用 {still} 个节点的旧图。",
        "title": "Python 里的循环与图里的循环",
    },
}


def machine(
    unrolled: Callable[[int], Any], loop: Callable[[int], tuple[Any, int]], T: Slider, *, lang: str = "en"
) -> Machine:
    """Two graphs under a slider: what `unrolled(T)` builds, and that of the loop which `loop(T)` runs.

    unrolled: gives a tensor of the dynamic engine, whose graph is drawn.
    loop: runs a static graph and gives (a tensor of it, how often its loop turned).
    T: (smallest, largest, step, first value), whole numbers. lang: the language of the labels, "en" or "zh".
    Names in the pictures are those of the variables where `machine` is called.

    >>> import minigrad as torch, minigrad.static as tf
    >>> w = torch.tensor([0.5], requires_grad=True)
    >>> def power(T):
    ...     h = w
    ...     for _ in range(T):
    ...         h = h * w
    ...     return h
    >>> with tf.Graph().as_default() as graph:
    ...     n = tf.placeholder(tf.int32, [], name="n")
    ...     turns, h = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * 0.5), [0, 0.5])
    ...     session = tf.Session()
    >>> panel = machine(power, lambda T: (h, session.run(turns, {n: T})), T=(1, 9, 1, 2))
    >>> small = panel.nodes
    >>> panel.sliders["T"].value = 9
    >>> small, panel.nodes, panel.turns
    ((4, 10), (11, 10), 9)
    """
    check_lang(lang)
    reader = sys._getframe(1)
    names = (list(names_in(reader)), symbols_in(reader))
    return Machine(unrolled, loop, T, names, lang)


class Machine(Panel):
    """What `machine` makes. From code: `sliders["T"].value = 5`; to look at: `nodes` (dynamic, static) and `turns`."""

    def __init__(
        self,
        unrolled: Callable[[int], Any],
        loop: Callable[[int], tuple[Any, int]],
        T: Slider,
        names: tuple[list[tuple[str, Any]], list[tuple[str, Any]]],
        lang: str,
    ):
        super().__init__({"T": T})
        self.unrolled, self.loop, self.names, self.lang = unrolled, loop, names, lang
        self.words = WORDS[lang]
        self.nodes, self.turns = (0, 0), 0
        self.refresh()
        if self.error:
            raise self.error

    def draw(self, T: int) -> Pair:
        """Both graphs, each under a line that says what it is."""
        grown = Picture(graph_of([self.unrolled(T)], self.names[0]), self.lang)
        tensor, turns = self.loop(T)
        still = Picture(static_graph_of([tensor], self.names[1]), self.lang)
        self.nodes, self.turns = (len(grown.graph.nodes), len(still.graph.nodes)), int(turns)
        dynamic = self.words["dynamic"].format(run=self.runs, nodes=self.nodes[0])
        static = self.words["static"].format(nodes=self.nodes[1], turns=self.turns)
        return Pair([(static, still), (dynamic, grown)], self.words["title"])

    def says(self, T: int) -> str:
        """What was run for this picture."""
        words = self.words["line" if self.runs > 1 else "first"]
        return html.escape(words.format(run=self.runs, T=T, grown=self.nodes[0], still=self.nodes[1]))


class Pair(Sketch):
    """Pictures one below the other, each under a line of words. A wide one scrolls, so that none changes its size."""

    narrowest = math.inf

    def __init__(self, rows: list[tuple[str, Picture]], title: str):
        self.rows = rows
        width = max(picture.geometry.size[0] for _, picture in rows)
        height = sum(picture.geometry.size[1] + LINE for _, picture in rows)
        super().__init__([], (width, height), title=title, alt=" ".join(f"{words}." for words, _ in rows))

    def _paint(self, *, styled: bool) -> str:
        self.parts, y = [], 0.0
        for words, picture in self.rows:
            self.parts.append(text(words, MARGIN, y + LINE - 10, WORD, "ink", bold=True))
            whole = picture._paint(styled=styled)
            self.parts.append(Element(whole.replace("<svg ", f'<svg y="{round(y + LINE)}" ', 1)))
            y += picture.geometry.size[1] + LINE
        return super()._paint(styled=styled)
