"""The picture of a stepper: `viz.draw`'s SVG of the whole graph, laid out once, and the parts that steps add.

Boxes and arrows have room for the widest text of any step, so nothing ever moves, and each added part has a place of
its own. Added are a second arrow beside each arrow, for the gradient; a badge for sums under each leaf; an empty drawer
for each operator that is freed. In a player they all exist, and the steps switch them on. A still picture, for a page
that runs no player, contains only those that are on. Imports drawing/. Read player.py next.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..drawing.arrows import ends_apart
from ..drawing.boxes import Box
from ..drawing.circles import Circle
from ..drawing.layout import Arrow, Geometry, Point
from ..drawing.legend import BLUE, SHOWN, VERMILION
from ..drawing.letters import WORD, colours, text, text_width
from ..drawing.paint import drawn, framed, labels_of, plan, prefix_of, shapes_of, ways_of
from ..drawing.rows import in_rows
from ..drawing.svg import Element, element, number, path
from ..drawing.words import alt_text
from ..graph.model import Graph, Node
from .script import Script

SPACE = "\N{NO-BREAK SPACE}"
BESIDE = 8  # pixels between an arrow and the arrow of its gradient
BADGE, ABOVE = 22, 4  # pixels: height of a badge, and its distance below the leaf


class Stage:
    """The pictures of one script. dense: small circles, and no values on arrows, so that a long graph fits a window."""

    def __init__(self, script: Script, *, dense: bool = False):
        self.script, self.crowd = script, dense or None
        self.widest: dict[tuple[str, str], str] = {}
        self.ever: set[tuple[str, str]] = set()  # (id, flag) for each flag that is true at some step
        for event in script.events:
            for id_, changes in event["set"].items():
                for what, said in changes.items():
                    if isinstance(said, str) and len(said) > len(self.widest.get((id_, what), "").removeprefix("?")):
                        self.widest[id_, what] = said
                    elif said is True:
                        self.ever.add((id_, what))

    @cached_property
    def largest(self) -> Graph:
        """The graph with everything that needs room at any step."""
        graph = self.dressed({})
        nodes = tuple(replace(node, freed=(node.id, "freed") in self.ever) for node in graph.nodes)
        return replace(graph, nodes=nodes)

    def shapes(self, graph: Graph) -> dict[str, Box | Circle]:
        """The shapes of `graph`; a leaf is at least as wide as its badge."""
        shapes = shapes_of(graph, self.script.lang, crowd=self.crowd)
        for id_, width in self.badges.items():
            shapes[id_].width = max(shapes[id_].width, width)
        return shapes

    @cached_property
    def roomy(self) -> dict[str, Box | Circle]:
        """The shapes with room for all steps."""
        return self.shapes(self.largest)

    @cached_property
    def badges(self) -> dict[str, float]:
        """The leaves that get a badge at some step, and its width."""
        texts = {node.id: self.widest.get((node.id, "sum"), "") for node in self.script.graph.nodes}
        return {id_: text_width(words, WORD, mono=True) + 16 for id_, words in texts.items() if words}

    @cached_property
    def geometry(self) -> Geometry:
        """The layout for all steps, in rows if it is wider than a page. Raises NoGraphviz if nothing here can lay out a
        graph."""
        under = dict.fromkeys(self.badges, BADGE + ABOVE)
        planned = plan(self.largest, self.script.lang, shapes=self.roomy, under=under, crowd=self.crowd)
        return in_rows(planned.laid(), planned)

    @cached_property
    def ends(self) -> dict[int, Point]:
        """Where the gradients of several arrows reach one box: one below the other along its side, in the order of
        their arrows, so that no head hides another."""
        return ends_apart(self.geometry.arrows, [self.roomy[edge.source].height for edge in self.script.graph.edges])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.geometry.size
        return round(width), round(height)

    @cached_property
    def prefix(self) -> str:
        """The prefix of the ids of the pictures."""
        return prefix_of(self.dressed(self.script.at(0)), self.script.lang)

    def dressed(self, state: dict[str, dict[str, Any]]) -> Graph:
        """The graph with the texts in `state`, each padded to the width of its widest."""

        def padded(id_: str, what: str) -> str:
            length = len(self.widest.get((id_, what), ""))
            return state.get(id_, {}).get(what, "").rjust(length, SPACE)

        def node(node: Node) -> Node:
            if node.kind == "operator":
                return replace(node, freed=bool(state.get(node.id, {}).get("freed")))
            known = self.widest.get((node.id, "value"), "").removeprefix("?")  # empty if the value is never known
            numbers = bool(known) and not known.startswith("(")
            return replace(
                node,
                value=padded(node.id, "value") if numbers else node.value,
                shape=node.shape if node.shape is not None or not known else (),
                grad=padded(node.id, "grad") or None,
            )

        graph = self.script.graph
        edges = [replace(edge, value=padded(f"e{i}", "text")) for i, edge in enumerate(graph.edges)]
        return replace(graph, nodes=tuple(map(node, graph.nodes)), edges=tuple(edges))

    @cached_property
    def svg(self) -> str:
        """For a player: the first step, with every part that any step can switch on."""
        graph, geometry, prefix = self.dressed(self.script.at(0)), self.geometry, self.prefix
        extra = {"class_": "viz-extra"}
        drawers, over = [], []
        for node in graph.nodes:
            shape = self.roomy[node.id]
            if isinstance(shape, Circle) and shape.drawer and (node.id, "freed") in self.ever:
                x, y = geometry.centres[node.id]
                where = {"id": f"{prefix}-f{node.id[1:]}", "transform": f"translate({number(x)} {number(y)})"}
                drawers.append(element("g", *shape.drawer.draw(), **where, **extra))
            if node.id in self.badges:
                over.append(element("g", *self.badge(node, ""), id=f"{prefix}-s{node.id[1:]}", **extra))
        for i, arrow in enumerate(geometry.arrows):
            over.append(element("g", *gradient_arrow(arrow, end=self.ends.get(i)), id=f"{prefix}-b{i}", **extra))
        return self.framed([*drawers, *self.drawn(graph), *over], 0, styled=True)

    def picture(self, step: int, *, styled: bool = True) -> str:
        """A still picture of one step."""
        return self.framed(self.still(step), step, styled=styled)

    def still(self, step: int) -> list[Element]:
        """The elements of a still picture of one step."""
        state = self.script.at(step)
        over: list[Element] = []
        for id_, said in state.items():
            if said.get("back"):
                over += gradient_arrow(self.geometry.arrows[int(id_[1:])], end=self.ends.get(int(id_[1:])))
        for node in self.script.graph.nodes:
            if words := state.get(node.id, {}).get("sum"):
                over += self.badge(node, words)
        later = {id_ for id_, said in state.items() if said.get("look") == "later"}
        return [*self.drawn(self.dressed(state), later), *over]

    def drawn(self, graph: Graph, later: Collection[str] = ()) -> list[Element]:
        """The nodes and arrows of `graph`; those in `later` have not appeared yet."""
        labels, lang = labels_of(graph, SHOWN, backward=False, crowd=self.crowd), self.script.lang
        return drawn(graph, self.geometry, self.shapes(graph), labels, ways_of(graph), self.prefix, lang, later)

    def framed(self, body: list[Element], step: int, *, styled: bool) -> str:
        title, alt = self.script.title, self.alt(step)
        return framed(body, self.geometry, self.prefix, title=title, alt=alt, styled=styled, later=True)

    def alt(self, step: int) -> str:
        """The picture of a step in words."""
        state = self.script.at(step)
        nodes = []
        for node in self.script.graph.nodes:  # the nodes of `dressed` have padded texts
            said = state.get(node.id, {})
            freed = said.get("freed", False)
            nodes.append(
                replace(node, value=said.get("value", node.value), grad=said.get("grad", node.grad), freed=freed)
            )
        return f"{alt_text(replace(self.script.graph, nodes=tuple(nodes)))} {self.script.events[step]['words']}"

    # -- added parts -----------------------------------------------------------------------------

    def badge(self, node: Node, words: str) -> list[Element]:
        """The badge under a leaf whose gradients add up."""
        x, y = self.geometry.centres[node.id]
        top, width = y + self.roomy[node.id].height / 2 + ABOVE, self.badges[node.id]
        plate = element("rect", x=x - width / 2, y=top, width=width, height=BADGE, rx=5, fill=BLUE)
        return [plate, text(words or SPACE, x, top + 16, WORD, "#FFFFFF", at="middle", mono=True, bold=True)]


def gradient_arrow(arrow: Arrow, width: float = 2, *, end: Point | None = None) -> list[Element]:
    """An arrow beside `arrow` in the other direction, with a hollow head; `width` pixels wide. end: where it ends."""
    points = [*arrow.points, arrow.tip]
    dx, dy = points[-1][0] - points[0][0], points[-1][1] - points[0][1]
    if arrow.turns:  # it runs right, down and left, so only a diagonal shift keeps it beside every part
        dx = dy = 1.0
    length = (dx * dx + dy * dy) ** 0.5 or 1
    moved = [(x - BESIDE * dy / length, y + BESIDE * dx / length) for x, y in points]
    if end is not None:
        (x, y), (near_x, near_y) = moved[:2]
        moved[:2] = [end, (near_x, near_y + end[1] - y)]
    back = list(reversed(moved[:-1]))  # without the tip, which is at the head of the value's arrow
    (x, y), (before_x, before_y) = back[-1], back[-2]
    away = ((x - before_x) ** 2 + (y - before_y) ** 2) ** 0.5 or 1
    ux, uy = (x - before_x) / away, (y - before_y) / away
    neck, half = (x - 10 * ux, y - 10 * uy), 5
    head = [(x, y), (neck[0] - half * uy, neck[1] + half * ux), (neck[0] + half * uy, neck[1] - half * ux)]
    line = [*back[:-1], neck]
    steps = path("M", *line[0], "C", *(c for point in line[1:] for c in point))
    return [
        element("path", d=steps, **colours("none", VERMILION, width)),
        element("path", d=path("M", *head[0], "L", *head[1], "L", *head[2], "z"), **colours("paper", VERMILION, width)),
    ]
