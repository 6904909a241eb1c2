"""The graph as plain data: what a picture shows, and nothing about how it looks.

A source (autograd.py) reads somebody's tensors once and makes a `Graph`: strings, tuples and flags, with stable
ids n0, n1 … in the order in which the code could have run. From then on no tensor is needed, so a picture never
changes behind the reader's back and keeps no memory alive.

    Graph → drawing/layout.py (where things stand) → drawing/paint.py (SVG)
          → drawing/words.py (the same in a sentence)

Imports the standard library only. Read autograd.py next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["leaf", "value", "kept", "constant", "operator"]


@dataclass(frozen=True)
class Node:
    """A box (leaf, value, kept, constant) or a circle (operator).

    name: the reader's variable, or of an operator PyTorch's name for it ("MulBackward0"); "" if it has none.
    value: "3" or "[1, 2]"; None if it is too large to write, or not to be had.
    grad: what `.grad` holds, a large one by its shape: "(64, 100)"; None if nothing is there.
    shape, dtype: of the value; None and "" if the graph does not hold it.
    saved: what an operator keeps for its slope: (("self", "a"), ("other", "b")), each with what it is, if known.
    freed: what was saved here is gone, since a backward pass has used it.
    """

    id: str
    kind: Kind
    name: str = ""
    value: str | None = None
    grad: str | None = None
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    saved: tuple[tuple[str, str], ...] = ()
    freed: bool = False


@dataclass(frozen=True)
class Edge:
    """An arrow in the direction of the computation, with the value that travels on it when no box shows that."""

    source: str
    target: str
    value: str = ""


@dataclass(frozen=True)
class Graph:
    """Nodes in an order that has every input before its users, and edges in the order of each operator's inputs."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]  # ids of what was asked for
