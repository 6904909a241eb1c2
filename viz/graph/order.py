"""Things in order, each after what it comes from: operators as they ran, nodes of a graph that was changed.

Imports model.py. Read fold.py next.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from .model import Edge, Node

Key = TypeVar("Key", bound=Hashable)


def in_order(keys: Sequence[Key], arrows: Iterable[tuple[Key, Key]]) -> list[Key]:
    """The keys with the source of every arrow (source, target) before its target, and else as they were.

    >>> in_order(["c", "a", "b"], [("a", "c")])
    ['a', 'c', 'b']
    """
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
    return result


def ordered(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[Node, ...]:
    """The same nodes, every input before its users. A loop's way back does not count."""
    known = {node.id: node for node in nodes}
    arrows = [(edge.source, edge.target) for edge in edges if edge.kind != "next"]
    return tuple(known[id_] for id_ in in_order(list(known), arrows))
