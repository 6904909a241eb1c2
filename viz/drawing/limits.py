"""Estimates how long a layout will take, announces a slow one, and refuses one that is too slow.

Graphviz is fast for chains and slow for arrows that pass many others, above all for those of a weight that a thousand
time steps use. The graph alone gives the time, within a factor of two for most graphs (`python -m benchmarks.sizes`).
So the same graph is refused everywhere. An announced time also depends on how fast this machine is at the moment.
Two kinds of graphs take much longer: a sum of more than a hundred branches; and, with Graphviz 2.43 of Debian 12, a
weight that 150 to 300 steps share.

Imports model. Read layout.py next.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from ..graph.model import Graph

A_MOMENT = 2.0  # seconds; a longer task is announced, and is done only on request
STOP = 120.0  # seconds; a longer layout is refused
A_NODE, A_RANK = 1.2e-4, 4e-6  # seconds for a node, and for each rank that an arrow crosses
MANY = 100  # arrows from one node; they take twice as long
READING = 1e-4  # seconds for each operator that is read and searched for repetitions
A_TASK = 0.015  # seconds that the task in `slowness` takes on the machine where these numbers were measured


class TooLarge(ValueError):
    """The graph has too many nodes to be laid out while the reader waits."""


def effort(ids: Sequence[str], pairs: Sequence[tuple[str, str]]) -> float:
    """The amount of work for a layout: the number of ranks that all arrows cross. The more arrows leave the same node,
    the more each counts.

    ids: the nodes, every input before its users. pairs: the arrows as (source, target).
    """
    rank = dict.fromkeys(ids, 0)
    into: dict[str, list[str]] = {}
    for source, target in pairs:
        into.setdefault(target, []).append(source)
    for id_ in ids:
        rank[id_] = max((rank[source] + 1 for source in into.get(id_, ())), default=0)
    leave = Counter(source for source, _ in pairs)
    return sum(abs(rank[target] - rank[source]) * (1 + leave[source] / MANY) for source, target in pairs)


def seconds_for(ids: Sequence[str], pairs: Sequence[tuple[str, str]]) -> float:
    """About how many seconds Graphviz will need for these nodes and arrows, on a machine of 2026 that does nothing
    else."""
    return A_NODE * len(ids) + A_RANK * effort(ids, pairs)


def seconds(graph: Graph) -> float:
    """The same for a graph."""
    return seconds_for([node.id for node in graph.nodes], [(edge.source, edge.target) for edge in graph.edges])


def slowness() -> float:
    """How much longer things take here and now than on that machine: other programs may be running."""
    began = perf_counter()
    for _ in range(40):
        sorted({str(i): i for i in range(4000)})
    return (perf_counter() - began) / A_TASK


def announce(graph: Graph, instead: str) -> None:
    """Print to stderr if the layout will take a while. Beyond `STOP`, raises TooLarge. Both messages include `instead`,
    which says what else to do."""
    nodes, time = f"{len(graph.nodes):,} nodes", seconds(graph)
    if time > STOP:
        raise TooLarge(f"{nodes} are too many to lay out: it would take {told(time)}. {instead}")
    if (here := expected(time)) > A_MOMENT:
        print(f"Laying out {nodes} takes {told(here)}. {instead}", file=sys.stderr, flush=True)


def announce_reading(operators: int) -> None:
    """Print to stderr if reading a graph takes a while: each operator is asked what it saved."""
    if (time := expected(READING * operators)) > A_MOMENT:
        print(f"Reading {operators:,} operators takes {told(time)}.", file=sys.stderr, flush=True)


def expected(time: float) -> float:
    """The same time on this machine, now. The machine is not asked about a time that is short on any."""
    return time * slowness() if time > A_MOMENT / 4 else time


def told(time: float) -> str:
    """A duration in words, with its actual precision.

    >>> [told(time) for time in (3.2, 47, 400, 9000)]
    ['about 3 seconds', 'about 50 seconds', 'about 7 minutes', 'hours']
    """
    if time < 10:
        return f"about {time:.0f} seconds"
    if time < 100:
        return f"about {round(time, -1):.0f} seconds"
    return f"about {time / 60:.0f} minutes" if time < 6000 else "hours"
