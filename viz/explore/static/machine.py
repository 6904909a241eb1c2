"""`viz.explore.machine(unrolled, loop, T=(…))`: two graphs of one loop, and a slider for its number of turns.

On the left, the loop is part of a static graph: it was built once and does not change; for each carried value, a token
goes round in it once per turn, and the counter moves. On the right (below, in a narrow window), Python's own loop runs
again for each T, and every turn adds a row of operators. The reader first predicts which graph will grow. All parts
keep their place, whatever T is.

All motion is CSS alone; with reduced motion, and in a still picture, only the last frame is shown.
Imports motion, panel, words, and drawing/. Read next: race.py.
"""

from __future__ import annotations

import html
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ...alive import only
from ...drawing.arrows import head
from ...drawing.boxes import FOOT, Box
from ...drawing.circles import Circle
from ...drawing.layout import Geometry, Point
from ...drawing.legend import BLACK, SKY
from ...drawing.letters import WORD, colours, rect, stroke, text, text_width
from ...drawing.paint import drawn, plan
from ...drawing.svg import Element, element, number, path
from ...graph.autograd import graph_of
from ...graph.model import Graph, Node
from ...graph.names import named, names_in
from ...graph.static import is_symbol, static_graph_of, symbols_in
from ...lesson.predict import predict
from ...locale import language
from ..motion import STYLE, appears
from ..panel import Panel, Sketch, Slider, button, side_by_side
from ..words import MACHINE, plain

TURN = 0.9  # seconds
TOP, MARGIN, APART = 66, 12, 34  # pixels: for the words above, at the edges, between the two graphs
SMALLER = 0.8  # scale, so that both fit side by side
ROW, FIRST, COLUMN = 66, 196, 92  # of the graph on the right: row height, x of the first operator, distance to the next


def machine(
    unrolled: Callable[[int], Any], loop: Callable[[int], tuple[Any, ...]], T: Slider, *, lang: str | None = None
) -> Machine:
    """Two graphs under a slider: that of the loop which `loop(T)` runs, and the one that `unrolled(T)` builds.

    unrolled: returns a tensor of the dynamic engine; its graph is drawn, with a row for each turn.
    loop: runs a static graph and returns (a tensor of it, the number of turns of its loop), and the tensor's value
        if it should be shown.
    T: (smallest, largest, step, first value), whole numbers of 1 or more. lang: a language with catalogues.
    The pictures use the names of variables where `machine` is called, and of those that the two functions use.
    From code: `guess("4 and 16")`, `sliders["T"].value = 5`, `run()`; to look at: `operators` (left, right), `turns`.

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
    >>> panel = machine(power, lambda T: (h, session.run(turns, {n: T})), T=(1, 8, 1, 2))
    >>> panel.guess("3 and 2")
    '✗ 3 and 2. Python runs its loop again, with T iterations. How many operators does each iteration add ...'
    >>> small = panel.operators
    >>> panel.sliders["T"].value = 8
    >>> small, panel.operators, panel.turns
    ((3, 2), (3, 8), 8)
    """
    lang = language(lang)
    reader = sys._getframe(1)
    used, within = (dict(inspect.getclosurevars(each).nonlocals) for each in (unrolled, loop))
    symbols = [(name, thing) for name, thing in within.items() if is_symbol(thing)]
    names = ([*names_in(reader), *named(used)], [*symbols_in(reader), *symbols])
    return Machine(unrolled, loop, T, names, lang)


class Machine(Panel):
    """The panel that `machine` returns."""

    def __init__(
        self,
        unrolled: Callable[[int], Any],
        loop: Callable[[int], tuple[Any, ...]],
        T: Slider,
        names: tuple[list[tuple[str, Any]], list[tuple[str, Any]]],
        lang: str,
    ):
        import ipywidgets as widgets

        super().__init__({"T": T})
        self.unrolled, self.loop, self.names, self.lang = unrolled, loop, names, lang
        self.words, self.most = MACHINE[lang], int(T[1])
        self.operators, self.turns, self.moving = (0, 0), 0, False
        self.refresh()
        if self.error:
            raise self.error
        left, right = self.operators
        grown = operators(graph_of([unrolled(self.most)], names[0]))
        pairs = {(left, right): "same", (left, grown): "", (grown, grown): "grown", (left * self.most, grown): "ran"}
        choices = {self.words["pair"].format(*pair): why for pair, why in pairs.items()}
        right_one = self.words["pair"].format(left, grown)
        self.question = predict(
            self.words["question"].format(left=left, right=right, T=T[3], most=self.most),
            right_one,
            {pair: self.words[why] for pair, why in choices.items() if pair != right_one},
            because=self.words["press"],
            choices=list(choices),
            lang=lang,
        )
        self.question.show.layout.display = "none"  # moving the slider shows the answer
        self.question.field.observe(only(self._open), "value")
        self.button = button(self.words["run"], self.run, icon="play")
        self.put_on_top(self.question.root)
        self.root.children = (*self.root.children[:2], widgets.HBox([self.button]), *self.root.children[2:])
        self._open()

    def guess(self, said: str) -> str:
        """Predict how many operators both graphs will have; the reply explains a likely wrong answer."""
        answer = self.question.check(said)
        self._open()
        return answer

    def _open(self) -> None:
        """Slider and button are disabled until the first answer; after it, each run is animated."""
        self.moving = bool(self.question.tried)
        self.sliders["T"].disabled = self.button.disabled = not self.moving

    def run(self) -> None:
        """Run both loops once more."""
        if self.question.tried:
            self.refresh()

    def draw(self, T: int) -> Sketch:
        """Both graphs, each under a line that describes it."""
        grown = graph_of([self.unrolled(T)], self.names[0])
        tensor, turns, *value = self.loop(T)
        still = static_graph_of([tensor], self.names[1])
        self.turns = int(turns)
        self.operators = (operators(still), operators(grown))
        told = dict(run=self.runs, T=T, left=self.operators[0], right=self.operators[1], turns=self.turns)
        heads = [self.words[each].format(**told) for each in ("static", "dynamic")]
        left, right = Still(still, self.lang), Grown(grown, T)
        longest = self.words["dynamic"].format(run=100, right=100)  # the picture keeps its width
        wide = max(SMALLER * right.width, text_width(longest, WORD, bold=True)) + MARGIN
        turned = f"{heads[0]}, {self.words['turned'].format(**told)}"
        came = "".join(f" → {self.words['came']} = {plain(float(each), 4)}" for each in value)
        self.halves = (
            Sketch(
                self._left(heads[0], left, came),
                (SMALLER * left.size[0] + MARGIN, SMALLER * left.size[1] + TOP),
                title=self.words["title"],
                alt=f"{turned}{came}.",
            ),
            Sketch(
                self._right(heads[1], right),
                (wide, SMALLER * right.height + TOP),
                title=self.words["title"],
                alt=f"{heads[1]}.",
            ),
        )
        return beside(*self.halves, SMALLER * right.reach(self.most) + TOP, title=self.words["title"])

    def on_page(self) -> str:
        """Side by side, or one above the other if there is no room for both."""
        return side_by_side(self.halves, f"gap:8px {APART}px")

    def _left(self, head: str, left: Still, came: str) -> Iterator[Element]:
        if self.moving:
            yield STYLE
        yield text(head, MARGIN, 24, WORD, "ink", bold=True)
        for turn in range(self.turns + 1) if self.moving else (self.turns,):
            words = self.words["turn"].format(turn=turn, turns=self.turns) + came * (turn == self.turns)
            cover = rect(MARGIN, 32, text_width(words, WORD) + 16, 24, "paper")
            said = text(words, MARGIN, 49, WORD, "ink")
            yield element("g", cover, said, **appears(turn * TURN))
        yield element("g", *left.parts(), transform=f"translate(0 {TOP}) scale({SMALLER})", class_="viz-still")
        if self.moving:
            yield element("g", *left.tokens(self.turns), transform=f"translate(0 {TOP}) scale({SMALLER})")

    def _right(self, head: str, right: Grown) -> Iterator[Element]:
        if self.moving:
            yield STYLE
        yield text(head, 0, 24, WORD, "ink", bold=True)
        yield element("g", *right.parts(self.moving), transform=f"translate(2 {TOP}) scale({SMALLER})")

    def says(self, T: int) -> str:
        """The description of the run for this picture."""
        words = self.words["line" if self.runs > 1 else "first"]
        return html.escape(words.format(run=self.runs, T=T, left=self.operators[0], right=self.operators[1]))


def beside(left: Sketch, right: Sketch, least: float, *, title: str) -> Sketch:
    """Both in one picture, at least `least` pixels high, with a line between them."""
    start, height = left.size[0] + APART, max(left.size[1], right.size[1], round(least))
    line = stroke("muted", 1, "M", start - APART / 2, 8, "V", height)
    moved = element("g", *right.parts, transform=f"translate({start} 0)")
    size = (start + right.size[0], height)
    return Sketch([*left.parts, line, moved], size, title=title, alt=f"{left.alt} {right.alt}")


def operators(graph: Graph) -> int:
    return sum(node.kind == "operator" for node in graph.nodes)


class Line(Box):
    """A box of one line: its name, or a constant's value, and its kind."""

    def __init__(self, node: Node, lang: str):
        super().__init__(replace(node, name=node.value or "") if node.kind == "constant" else node, lang, ())
        self.rows = []
        self.height = self.head + FOOT - 5
        self.below = self.height / 2


class Still:
    """The graph with the loop in it: laid out by Graphviz with small shapes, the same for every T."""

    def __init__(self, graph: Graph, lang: str):
        self.graph, self.lang = graph, lang
        self.shapes: dict[str, Box | Circle] = {
            node.id: Circle(node, lang, True, ()) if node.kind == "operator" else Line(node, lang)
            for node in graph.nodes
        }
        self.geometry: Geometry = plan(graph, lang, (), shapes=self.shapes).laid()
        self.size = self.geometry.size

    def parts(self) -> list[Element]:
        ways = [edge.kind or "forward" for edge in self.graph.edges]
        return drawn(self.graph, self.geometry, self.shapes, [""] * len(ways), ways, "still", self.lang)

    def circles(self) -> Iterator[tuple[Node, list[int]]]:
        """For each value that the loop carries, the shortest way along the arrows from it back to itself."""
        for node in self.graph.nodes:
            ways: list[tuple[str, list[int]]] = [(node.id, [])] if node.kind == "carried" else []
            seen = {node.id}
            for at, way in ways:
                for i, edge in enumerate(self.graph.edges):
                    if edge.source == at and edge.kind == "next" and edge.target == node.id:
                        yield node, [*way, i]
                    elif edge.source == at and edge.kind != "next" and edge.target not in seen:
                        seen.add(edge.target)
                        ways.append((edge.target, [*way, i]))

    def tokens(self, turns: int) -> Iterator[Element]:
        """A token for each carried value, which goes round once per turn."""
        ways: dict[str, list[int]] = {}
        for node, way in self.circles():  # the shortest first
            ways.setdefault(node.id, way)
        names = {node.id: node.name for node in self.graph.nodes}
        for id_, way in ways.items():
            yield self.token(names[id_], way, turns)

    def token(self, name: str, way: list[int], turns: int) -> Element:
        steps: list[str | float] = []
        for i in way:
            first, *rest = self.geometry.arrows[i].points
            steps += ["L" if steps else "M", *first, "C", *(c for point in rest for c in point)]
            steps += ["L", *self.geometry.arrows[i].tip]
        words = name[:6]
        half = text_width(words, WORD, mono=True, bold=True) / 2 + 7
        box = element("rect", x=-half, y=-12, width=2 * half, height=24, rx=12, fill=SKY, stroke=BLACK, stroke_width=2)
        said = text(words, 0, 5, WORD, BLACK, at="middle", mono=True, bold=True)
        motion = f"offset-path:path('{path(*steps)}');animation-duration:{TURN}s;animation-iteration-count:{turns}"
        return element("g", box, said, class_="viz-plate", style=motion, opacity=0, aria_hidden="true")


class Grown:
    """The graph that Python's loop has built: a row of operators for each turn, always in the same places."""

    def __init__(self, graph: Graph, T: int):
        self.graph, self.T = graph, T
        ids = [node.id for node in in_order(graph)]
        self.columns = -(-len(ids) // max(T, 1))
        self.row = {id_: i // max(self.columns, 1) for i, id_ in enumerate(ids)}
        self.shapes: dict[str, Box | Circle] = {}
        self.centres: dict[str, Point] = {}
        ends = [node for node in graph.nodes if node.kind != "operator" and node.id not in graph.roots]
        for node in graph.nodes:
            self.shapes[node.id] = Circle(node, "en", True, ()) if node.kind == "operator" else Line(node, "en")
        for i, id_ in enumerate(ids):
            self.centres[id_] = (FIRST + COLUMN * (i % self.columns), 28 + ROW * (i // self.columns))
        for i, node in enumerate(sorted(ends, key=lambda each: each.kind == "leaf")):
            self.centres[node.id] = (self.shapes[node.id].width / 2, 28 + ROW * i)
        self.width = FIRST + COLUMN * self.columns + 60
        self.height = self.reach(T)

    def reach(self, turns: int) -> float:
        """The height of a picture with `turns` rows."""
        return 28 + ROW * max(turns, 2)  # the leaves need two rows

    def parts(self, moving: bool) -> Iterator[Element]:
        late = {row: (row + 0.5) * TURN * moving for row in range(self.T)}
        rows: dict[int, list[Element]] = {row: [] for row in late}
        loose: list[Element] = []
        for edge in self.graph.edges:
            if edge.target in self.graph.roots:
                continue
            rows.get(self.row.get(edge.target, -1), loose).extend(self.arrow(edge.source, edge.target))
        for node in self.graph.nodes:
            if node.id in self.centres:
                x, y = self.centres[node.id]
                shape = element("g", *self.shapes[node.id].draw(), transform=f"translate({number(x)} {number(y)})")
                rows.get(self.row.get(node.id, -1), loose).append(shape)
        yield from loose
        for row, parts in rows.items():
            yield element(
                "g",
                *parts,
                class_=" ".join(["viz-row", *(["viz-appears"] if late[row] else [])]),
                style=f"animation-delay:{number(late[row])}s" if late[row] else None,
            )
        yield from self.result(self.T * TURN * moving)

    def result(self, late: float) -> Iterator[Element]:
        """The resulting number, right of the last operator."""
        root = next(node for node in self.graph.nodes if node.id == self.graph.roots[0])
        if root.kind == "operator" or root.id in self.centres or not self.row:
            return
        x, y = self.centres[list(self.row)[-1]]
        x += self.shapes[list(self.row)[-1]].width / 2
        shaft = stroke("ink", 1.5, "M", x, y, "h", 14)
        said = text(root.value or root.name, x + 27, y + 5, WORD, "ink", mono=True)
        yield element("g", shaft, head((x + 14, y), (x + 23, y), "filled", "ink"), said, **appears(late))

    def arrow(self, source: str, target: str) -> Iterator[Element]:
        """An arrow. From a leaf or within a row: from side to side. To the next row: down, back and down."""
        (x0, y0), (x1, y1) = self.centres[source], self.centres[target]
        one, other = self.shapes[source], self.shapes[target]
        if source in self.row and y0 != y1:
            x0, y0, y1 = x0, y0 + one.height / 2, y1 - other.height / 2 - 9
            middle = (y0 + y1) / 2
            yield element("path", d=path("M", x0, y0, "C", x0, middle + 6, x1 + 4, middle - 6, x1, y1), **LINE)
            yield head((x1, y1), (x1, y1 + 9), "filled", "ink")
            return
        x0, x1 = x0 + one.width / 2, x1 - other.width / 2 - 9
        bend = min(40, (x1 - x0) * 0.6)
        yield element("path", d=path("M", x0, y0, "C", x0 + bend, y0, x1 - bend, y1, x1, y1), **LINE)
        yield head((x1, y1), (x1 + 9, y1), "filled", "ink")


LINE = colours("none", "ink", 1.5)


def in_order(graph: Graph) -> list[Node]:
    """The operators, each after those that it reads."""
    nodes = {node.id: node for node in graph.nodes if node.kind == "operator"}
    reads: dict[str, list[str]] = {id_: [] for id_ in nodes}
    for edge in graph.edges:
        if edge.target in nodes and edge.source in nodes:
            reads[edge.target].append(edge.source)
    ordered: dict[str, Node] = {}
    while len(ordered) < len(nodes):
        ready = [id_ for id_ in nodes if id_ not in ordered and all(each in ordered for each in reads[id_])]
        ordered |= {id_: nodes[id_] for id_ in ready}
    return list(ordered.values())
