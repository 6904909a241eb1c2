"""The graph as plain data: what a picture shows, and nothing about how it looks.

A source (autograd.py, static.py) reads somebody's tensors once and makes a `Graph`: strings, tuples and flags, with
stable ids n0, n1 … in the order in which the code could have run. From then on no tensor is needed, so a picture never
changes behind the reader's back and keeps no memory alive.

    Graph → drawing/layout.py (where things stand) → drawing/paint.py (SVG)
          → drawing/words.py (the same in a sentence)

Imports the standard library only. Read autograd.py next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "leaf",
    "value",
    "kept",
    "constant",
    "detached",
    "operator",
    "folded",
    "refused",
    "placeholder",
    "variable",
    "carried",
    "step",
]
Mark = Literal["", "fetched", "guessed", "runs", "fed", "rests", "guilty"]


@dataclass(frozen=True)
class Node:
    """A box or a circle (operator). Of the boxes, static graphs alone have placeholders, variables, what a loop carries
    from turn to turn, and the step that it takes of a list.

    name: the reader's variable, or of an operator PyTorch's name for it ("MulBackward0"); "" if it has none.
    value: "3" or "[1, 2]"; None if it is too large to write, or not to be had.
    grad: what `.grad` holds, a large one by its shape: "(64, 100)"; None if nothing is there.
    shape, dtype: of the value; None and "" if the graph does not hold it.
    saved: what an operator keeps for its slope: (("self", "a"), ("other", "b")), each with what it is, if known.
    freed: what was saved here is gone, since a backward pass has used it.
    storage, version: which memory a value lives in ("A": whoever else has A shares it), how often that was changed.
    holds, count: of a folded box, the operators of one piece inside, and how many such pieces there are.
    inside: of a folded box, the operators of each piece by the ids that they have when it is unfolded.
    type: in a static graph, what the operation does ("Mul"); there `name` is its own ("layer/mul"). Else "".
    mark: what a run does with it: it is fetched, it runs, it wants to be fed, it rests; or what a reader
        guessed about that. "" where nothing is run. "guilty": here an error came from.
    line: of a guilty one, the number of the reader's line that made it, if known.
    rows: of an operator that refused, what it was given by name, and the error's words.
    """

    id: str
    kind: Kind
    name: str = ""
    value: str | None = None
    grad: str | None = None
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""
    saved: tuple[tuple[str, str], ...] = ()
    freed: bool = False
    storage: str = ""
    version: int | None = None
    holds: tuple[str, ...] = ()
    count: int = 1
    inside: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    type: str = ""
    mark: Mark = ""
    line: int | None = None
    rows: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Edge:
    """An arrow in the direction of the computation, with the value that travels on it when no box shows that.

    kind: "next" leads back into what a loop carries, "control" says only that one runs before the other, "detach"
    that the target is the source's memory, cut off from its history.
    shape: of the value that travels; None where nobody knows it.
    operator: where values are the nodes, PyTorch's name for what leads from one to the other.
    """

    source: str
    target: str
    value: str = ""
    kind: Literal["", "next", "control", "detach"] = ""
    shape: tuple[int | None, ...] | None = None
    operator: str = ""


@dataclass(frozen=True)
class Cluster:
    """A frame with a label around nodes (ids of those directly inside), and around the clusters that call it parent."""

    label: str
    nodes: tuple[str, ...]
    parent: int | None = None  # its index in the graph's clusters, where it stands before its children


@dataclass(frozen=True)
class Graph:
    """Nodes in an order that has every input before its users, and edges in the order of each operator's inputs."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]  # ids of what was asked for
    clusters: tuple[Cluster, ...] = ()


def shape_text(shape: tuple[int | None, ...] | None) -> str:
    """A shape with ? for what is not known, as TensorFlow writes it.

    >>> shape_text((None, 1)), shape_text(None)
    ('(?, 1)', '?')
    """
    return "?" if shape is None else str(shape).replace("None", "?")
