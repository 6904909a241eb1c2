"""The picture of an error: the part of the graph around the guilty node, which is marked, in the style of `viz.draw`.

Imports graph/ and drawing/. Read clinic.py next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..drawing.picture import Picture
from ..graph.autograd import Reader
from ..graph.found import Found
from ..graph.model import Graph
from ..graph.names import is_tensor

MOST = 13  # nodes: as many as the crime scene of lesson 10 has. The guilty node is visible without scrolling


class Accusing(Reader):
    """Reads a graph, and marks one node in it: an operator (a grad_fn) or a value (a tensor)."""

    def __init__(self, found: Found, guilty: Any, number: int | None):
        super().__init__(found)
        self.guilty = found.key(guilty) if is_tensor(guilty) else id(guilty)  # the same keys as in self.made
        self.number = number

    def add_operator(self, fn: Any) -> str:
        return self.accuse(super().add_operator(fn), id(fn) == self.guilty)

    def add_box(self, key: Any, kind: Any) -> str:
        return self.accuse(super().add_box(key, kind), key == self.guilty)

    def accuse(self, id_: str, guilty: bool) -> str:
        if guilty:
            self.nodes[-1] = replace(self.nodes[-1], mark="guilty", line=self.number)
        return id_


def scene(
    roots: Iterable[Any], names: Iterable[tuple[str, Any]], guilty: Any, number: int | None, lang: str
) -> Picture:
    """A picture of the graph behind `roots`, around `guilty`, which is marked with the line `number`."""
    reader = Accusing(Found(list(roots), list(names)), guilty, number)
    return Picture(around(reader.graph(()), MOST), lang)


def around(graph: Graph, most: int) -> Graph:
    """The marked node and its nearest neighbours, `most` nodes in total; the whole graph if it is no larger."""
    if len(graph.nodes) <= most:
        return graph
    kept = [node.id for node in graph.nodes if node.mark == "guilty"] or list(graph.roots)
    todo = [(id_, back) for id_ in kept for back in (True, False)]
    for id_, back in todo:  # the list grows during the loop: breadth first; a path back never turns forward
        for edge in graph.edges:
            here, there = (edge.target, edge.source) if back else (edge.source, edge.target)
            if here == id_ and there not in kept and len(kept) < most:
                kept.append(there)
                todo.append((there, back))
    nodes = tuple(node for node in graph.nodes if node.id in kept)
    edges = tuple(edge for edge in graph.edges if edge.source in kept and edge.target in kept)
    ends = tuple(node.id for node in nodes if all(edge.source != node.id for edge in edges))
    return Graph(nodes, edges, tuple(root for root in graph.roots if root in kept) or ends)
