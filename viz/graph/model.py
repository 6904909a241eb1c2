"""The graph as plain data: what a picture shows, but not how it looks.

A reader (autograd.py, static.py) reads the user's tensors once and makes a `Graph`: strings, tuples and flags, with
stable ids n0, n1 … in an order in which the code could have run. After that no tensor is needed, so a picture does not
change later and keeps no memory alive.

    Graph → drawing/layout.py (positions) → drawing/paint.py (SVG)
          → drawing/words.py (the same graph in words)

Imports the standard library only. Read autograd.py next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "leaf",
    "value",
    "kept",
    "plain",
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
RESULTS: tuple[Kind, ...] = ("value", "kept", "plain")  # boxes of what an operator gave; "plain" carries no gradient
Mark = Literal["", "fetched", "guessed", "runs", "fed", "rests", "guilty"]


@dataclass(frozen=True)
class Node:
    """A box, or a circle for an operator. Only static graphs have placeholders, variables, and the two boxes of a loop:
    a value that it carries from turn to turn, and the step that it takes from a list.

    name: the reader's variable; for an operator, PyTorch's name ("MulBackward0"); "" if it has none.
    value: "3" or "[1, 2]"; None if it is too large to write, or unknown.
    grad: the content of `.grad`, or its shape if it is large: "(64, 100)"; None if `.grad` is None.
    shape, dtype: of the value; None and "" if the graph does not know the value.
    saved: what an operator keeps for its derivative, each with its content if known: (("self", "a"), ("other", "b")).
    records: for an operator, whether autograd recorded it. If not, no gradient flows through it.
    in_place: the operator changed one of its inputs.
    freed: a backward pass has used and freed the saved tensors.
    storage, version: the memory of a value (all values with "A" share it), and how often it was changed.
    holds, count: for a folded box, the number of operators in one piece, and the number of pieces.
    inside: for a folded box, the operators of each piece, by their ids in the unfolded graph.
    type: in a static graph, the kind of operation ("Mul"), while `name` is its own name ("layer/mul"). Else "".
    mark: what a run does with the node (it is fetched, runs, must be fed, or is not used), or a reader's guess about
        that. "" if nothing is run. "guilty": the error came from this node.
    line: for a guilty node, the number of the reader's line that made it, if known.
    rows: for an operator that raised an error, its arguments by name, and the message.
    """

    id: str
    kind: Kind
    name: str = ""
    value: str | None = None
    grad: str | None = None
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""
    saved: tuple[tuple[str, str], ...] = ()
    records: bool = field(default=True, repr=False)
    in_place: bool = field(default=False, repr=False)
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
    """An arrow in the direction of the computation, with the value on it if no box shows that value.

    kind: "next" leads back to a value that a loop carries; "control" only says that one node runs before the other;
        "detach" says that the target shares the memory of the source but not its history.
    shape: of the value on the arrow; None if unknown.
    operator: where nodes are values, PyTorch's name for the operator between them.
    """

    source: str
    target: str
    value: str = ""
    kind: Literal["", "next", "control", "detach"] = ""
    shape: tuple[int | None, ...] | None = None
    operator: str = ""


@dataclass(frozen=True)
class Cluster:
    """A frame with a label around nodes (the ids of those directly inside), and around its child clusters."""

    label: str
    nodes: tuple[str, ...]
    parent: int | None = None  # index in the graph's clusters, where parents come before their children
    says: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # what a module's box tells: (a label, a text)


@dataclass(frozen=True)
class Graph:
    """Nodes, every input before its users; the edges into an operator have the order of its inputs."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    roots: tuple[str, ...]  # ids of the nodes that were asked for
    clusters: tuple[Cluster, ...] = ()


def shape_text(shape: tuple[int | None, ...] | None) -> str:
    """A shape with ? for what is not known, as TensorFlow writes it.

    >>> shape_text((None, 1)), shape_text(None)
    ('(?, 1)', '?')
    """
    return "?" if shape is None else str(shape).replace("None", "?")
