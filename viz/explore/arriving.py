"""A graph during a pass of backward: the amounts run back along its arrows and stay there.

The layout has room for the labels of every moment, so only the plates move.
Imports drawing/, account.py, book.py and motion.py. Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..drawing.boxes import Box
from ..drawing.legend import BLACK, VERMILION
from ..drawing.letters import NUMBER, text
from ..drawing.paint import drawn, plan, shapes_of
from ..drawing.svg import Element, element
from ..graph.model import Graph, Node
from .account import Pass
from .book import Frame
from .motion import STYLE, appears, goes, plate, points_of
from .words import plain

LEG = 0.5  # seconds from one end of an arrow to the other
ROOM = "\N{NO-BREAK SPACE}" * 4  # the room for an amount


def ways(graph: Graph, now: Pass) -> list[list[list[int]]]:
    """For each amount that comes to w, its route: a list of stages, each a list of arrows used at the same time.

    Arrows that an earlier amount has used are left out: the second amount starts where the routes divide.
    """
    ids = {node.name: node.id for node in graph.nodes if node.name}
    edges, done, found = list(enumerate(graph.edges)), set[int](), []
    for arrival in now.arrivals:
        at = next(edge.source for edge in graph.edges if edge.target == ids[arrival.through])
        way = [[i for i, edge in edges if edge.target == at and i in now.told]]
        while onward := next(((i, edge.target) for i, edge in edges if edge.source == at), None):
            i, at = onward
            way.insert(0, [i])
        found.append([step for step in way if not done.issuperset(step)])
        done.update(i for step in way for i in step)
    return found


def times(runs: list[list[list[int]]], first: int, end: int) -> tuple[float, ...]:
    """When each amount up to `end` arrives, if those from `first` on run now; and when their sum is written."""
    late = [0.0] * first
    for run in runs[first:end]:
        late.append((late[-1] if len(late) > first else 0.0) + LEG * len(run))
    return (*late, late[-1] + LEG)


class Arriving:
    """The picture of `frame`, with the graph at that moment. An amount without a time of its own does not move."""

    def __init__(self, graph: Graph, frame: Frame, lang: str):
        self.frame = frame
        self.told = frame.now.told if frame.now else {}
        self.runs = ways(graph, frame.now) if frame.now else []
        known = len(self.runs) if frame.over else frame.landed
        self.lit = {i for run in self.runs[:known] for step in run for i in step}
        # When the first amount has landed, the operator that sent it has also sent the next one, as far as a result.
        self.waiting = set(self.runs[known][0]) if 0 < known < len(self.runs) else set[int]()
        if frame.now and frame.now.error and frame.over:
            self.lit |= self.told.keys()  # the amounts that reached the operator that failed
        self.old = {node.name: node.grad for node in graph.nodes if node.kind == "leaf"}
        self.graph = frame.now.graph if frame.now and frame.over else graph
        self.lang = lang
        roomy = self.dressed(roomy=True)
        self.geometry = plan(roomy, lang, shapes=shapes_of(roomy, lang, crowd=True)).laid()
        self.size = self.geometry.size

    def dressed(self, *, roomy: bool = False) -> Graph:
        """The graph with the amounts on its arrows. With `roomy`, it has every label that needs room at any moment.

        The arrow from an operator to the box of its result shows no amount, because the box passes on that same amount.
        A leaf's gradient is written over its row when it has arrived.
        """

        def worst(node: Node) -> Node:
            emptied = node.kind == "operator" and bool(node.saved or node.freed)
            return replace(node, freed=True, mark="") if emptied and roomy else node

        nodes = [replace(node, grad=ROOM) if node.kind == "leaf" else worst(node) for node in self.graph.nodes]
        operators = {node.id for node in nodes if node.kind == "operator"}
        edges = []
        for i, edge in enumerate(self.graph.edges):
            wide = edge.target in operators or edge.target in self.graph.roots
            amount = plain(self.told[i]) if i in self.lit else "?" if i in self.waiting else ""
            edges.append(replace(edge, value=amount.center(len(ROOM), ROOM[0]) if wide else ""))
        return replace(self.graph, nodes=tuple(nodes), edges=tuple(edges))

    def parts(self, prefix: str) -> Iterator[Element]:
        graph, moving = self.dressed(), bool(self.frame.late)
        shapes = shapes_of(graph, self.lang, crowd=True)
        directions = ["gradient" if i in self.lit | self.waiting else "forward" for i in range(len(graph.edges))]
        labels = [edge.value for edge in graph.edges]
        if moving:
            yield STYLE
        yield from drawn(graph, self.geometry, shapes, labels, directions, prefix, self.lang)
        late = self.frame.written
        for node in self.graph.nodes:
            if node.kind == "leaf":
                box, (x, y) = shapes[node.id], self.geometry.centres[node.id]
                assert isinstance(box, Box)
                right, line = x + box.sides[1], y + box.line(1)

                def written(grad: str | None, right: float = right, line: float = line) -> Element:
                    return text(grad or "—", right, line, NUMBER, BLACK, at="end", mono=True)

                old, changed = self.old[node.name], moving and self.old[node.name] != node.grad
                if changed:
                    yield element("g", written(old), **goes(late))
                asked = self.frame.asked and node.name == "w"
                yield element("g", written("?" if asked else node.grad), **appears(late if changed else 0))
        if moving:
            yield from self.plates()

    def plates(self) -> Iterator[Element]:
        """The plates that run along the arrows in this frame, each with its amount."""
        for i, run in enumerate(self.runs[: len(self.frame.late) - 1]):
            start = self.frame.late[i] - LEG * len(run)
            for step, arrows in enumerate(run) if self.frame.late[i] else ():
                for arrow in arrows:
                    back = points_of(self.geometry.arrows[arrow])[::-1]
                    yield plate(back, plain(self.told[arrow]), start + LEG * step, LEG, VERMILION, "#FFFFFF")
