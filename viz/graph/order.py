"""Orders operators and nodes so that each comes after its inputs, and follows gradients along the arrows.

Imports model.py. Read fold.py next.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from .model import Edge, Graph, Node

Key = TypeVar("Key", bound=Hashable)


def in_order(keys: Sequence[Key], arrows: Iterable[tuple[Key, Key]]) -> list[Key]:
    """The keys, with the source of every arrow (source, target) before its target, and otherwise in their old order.

    Keys in a cycle come last: a scope that is one box may give values to another one and take values from it.

    >>> in_order(["c", "a", "b"], [("a", "c")])
    ['a', 'c', 'b']
    """
    done, left = walked(keys, arrows)
    return done + left


def walked(keys: Sequence[Key], arrows: Iterable[tuple[Key, Key]]) -> tuple[list[Key], list[Key]]:
    """The keys that can be put in order, in order, and those in a cycle or after one."""
    place = {key: i for i, key in enumerate(keys)}
    waits = dict.fromkeys(keys, 0)
    users: dict[Key, list[Key]] = {key: [] for key in keys}
    for source, target in arrows:
        users[source].append(target)
        waits[target] += 1
    ready = [place[key] for key, count in waits.items() if not count]
    heapify(ready)
    result = []
    while ready:
        key = keys[heappop(ready)]
        result.append(key)
        for user in users[key]:
            waits[user] -= 1
            if not waits[user]:
                heappush(ready, place[user])
    return result, [key for key in keys if waits[key]]


def ordered(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[Node, ...]:
    """The same nodes, every input before its users. The edge back of a loop does not count."""
    known = {node.id: node for node in nodes}
    arrows = [(edge.source, edge.target) for edge in edges if edge.kind != "next"]
    return tuple(known[id_] for id_ in in_order(list(known), arrows))


def in_circles(graph: Graph) -> set[str]:
    """The nodes in a cycle of arrows, or between two cycles; the edge back of a loop does not count."""
    arrows = [(edge.source, edge.target) for edge in graph.edges if edge.kind != "next"]
    _, left = walked([node.id for node in graph.nodes], arrows)
    there = set(left)
    _, left = walked(left, [(target, source) for source, target in arrows if {source, target} <= there])
    return set(left)


NO_GRADIENT = ("constant", "detached", "plain")  # no gradient reaches nodes of these kinds


def gradients(graph: Graph) -> list[str]:
    """For each edge, what the gradients of the roots do: "gradient", "blocked", or "resting" if none comes there."""
    ends = {node.id for node in graph.nodes if node.kind in NO_GRADIENT or not node.records}
    into: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        into[edge.target].append(edge)
    todo = list(graph.roots)
    reached = set(todo)
    while todo:
        before = {edge.source for edge in into[todo.pop()] if edge.kind != "detach"} - ends - reached
        reached |= before
        todo += before
    return [
        "blocked"
        if edge.kind == "detach" or edge.source in ends or edge.target in ends
        else "gradient"
        if edge.target in reached
        else "resting"
        for edge in graph.edges
    ]


def carried(graph: Graph) -> list[str]:
    """For each edge in forward: "quiet" if it comes from an operation that autograd does not record, "detach" if a
    value with a gradient goes into such an operation, else "". Under `no_grad`, all is quiet."""
    quiet = {node.id for node in graph.nodes if not node.records or node.kind == "plain"}
    steps = {node.id for node in graph.nodes if node.kind in ("operator", "folded")}
    without = quiet | {node.id for node in graph.nodes if node.kind in NO_GRADIENT}
    nothing = steps <= quiet
    return [
        "quiet"
        if edge.source in quiet or nothing and edge.target in quiet
        else "detach"
        if edge.target in quiet and edge.source not in without and not edge.kind
        else ""
        for edge in graph.edges
    ]
