"""Turns tensors into a graph model, using only what PyTorch makes public about its own graph.

This module reads minigrad's tensors and real PyTorch's alike, and imports neither. Nodes are operators, as in autograd.
A value gets its own box if the reader has a name for it, asked for it or retains its gradient; any other value is drawn
on an arrow. Values come from the reader's variables and from what the operators saved; a value that was not kept is not
guessed. If a tensor without a history shares memory with a tensor that has one, it was detached from it: the picture
shows both.

Read model.py first, and found.py for how the tensors and operators are found; module.py reads whole networks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .flow import Flow, Quiet
from .found import Found
from .memory import version
from .model import RESULTS, Cluster, Edge, Graph, Kind, Node
from .module import Call
from .order import ordered
from .refused import Refused
from .values import describe, numbers

# Some inputs of these operators are optional (a bias); for a missing one, PyTorch has an edge to nothing.
MAY_LACK_AN_INPUT = ("Convolution", "NativeBatchNorm", "NativeLayerNorm", "NativeGroupNorm")
NOTED = "viz: constants"  # where an operator's metadata has a `Constant` for each input without a gradient


@dataclass(frozen=True, eq=False)
class Constant:
    """An input without a gradient, as a recording has seen it: an operator does not save it, or backward frees it."""

    name: str
    value: str | None
    shape: tuple[int | None, ...] | None


def graph_of(
    tensors: Iterable[Any],
    names: Iterable[tuple[str, Any]],
    calls: Sequence[Call] = (),
    flow: Flow | None = None,
    refused: Refused | None = None,
    running: Sequence[int] = (),
) -> Graph:
    """The graph behind `tensors`, and behind the inputs of `refused`, the operator that raised an error.

    names: pairs (name, tensor); the first name of a tensor wins.
    calls: calls of modules; the operators of each call become a cluster.
    flow: what was observed while the operators ran; with it, operations without a gradient are drawn, too.
    running: the numbers of the calls that were running when the error was raised.
    """
    reader = Reader(Found(list(tensors), list(names), flow=flow))
    graph = reader.graph(calls, broken=refused is not None)
    return graph if refused is None else reader.broken(graph, refused, calls, running)


class Reader:
    """Builds nodes and edges from a `Found`."""

    def __init__(self, found: Found):
        self.found = found
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.made: dict[Any, str] = {}  # key of a value, or id of an operator -> node id
        self.letters: dict[int, str] = {}  # number of a storage -> its letter
        self.noted: dict[Constant, str] = {}  # node ids

    def graph(self, calls: Sequence[Call] = (), *, broken: bool = False) -> Graph:
        """broken: the forward pass raised an error, so the roots are the values computed before it."""
        found = self.found
        boxed = {key for key in found.tensors if key in found.names or key in found.roots or self.retained(key)}
        outputs: dict[int, list[Any]] = {}
        for key in sorted((key for key in boxed if isinstance(key, tuple)), key=lambda key: key[1]):
            outputs.setdefault(key[0], []).append(key)
        for fn in found.operators:
            sources = self.sources(fn)
            operator = self.add_operator(fn)
            self.edges += [replace(edge, target=operator) for edge in sources]
            for key in outputs.get(id(fn), ()):
                quiet = isinstance(fn, Quiet) or not found.tensors[key].requires_grad
                kind: Kind = "plain" if quiet else "kept" if self.retained(key) else "value"
                self.edges.append(Edge(operator, self.add_box(key, kind)))
        roots = [self.made.get(key) or self.add_leaf(key) for key in found.roots]
        for key, source in found.cuts.items():
            if key in self.made:
                self.edges.append(Edge(self.value(source), self.made[key], kind="detach"))
        edges, unique = tuple(self.edges), tuple(dict.fromkeys(roots))
        nodes = ordered(self.nodes, edges) if found.cuts else tuple(self.nodes)  # a cut's source may come later
        # The results are drawn outside of the frames
        inside = {key: id_ for key, id_ in self.made.items() if broken or id_ not in unique}
        frames = clusters(calls, nodes, edges, inside)
        graph = Graph(nodes, edges, unique, frames if broken else with_something_in(frames))
        if not found.cuts:
            return graph
        new = {node.id: f"n{i}" for i, node in enumerate(nodes)}
        self.made = {key: new[id_] for key, id_ in self.made.items()}
        return renumbered(graph, new)

    def broken(self, graph: Graph, refused: Refused, calls: Sequence[Call], running: Sequence[int]) -> Graph:
        """`graph` with the operator that raised the error added at its end, in the frame of the call that was running.
        That call's own parameters move into the frame, too."""
        id_ = f"n{len(graph.nodes)}"
        inputs = [self.made[self.found.key(tensor)] for tensor in refused.tensors]
        box = Node(id_, "refused", refused.operator, mark="guilty", line=refused.line, rows=refused.rows)
        frames = list(graph.clusters)
        if running:
            inner, name = frames[running[-1]], calls[running[-1]].name + "."
            own = {node.id for node in graph.nodes if node.id in inputs and node.name.startswith(name)}
            frames[running[-1]] = replace(inner, nodes=(*inner.nodes, *sorted(own), id_))
        edges = graph.edges + tuple(Edge(source, id_) for source in inputs)
        return Graph((*graph.nodes, box), edges, (id_,), with_something_in(frames))

    def retained(self, key: Any) -> bool:
        return bool(self.found.tensors[key].retains_grad)

    def sources(self, fn: Any) -> list[Edge]:
        """One edge, without a target yet, for each input of `fn`, in order; adds leaves and constants where needed."""
        inputs = self.found.inputs(fn)
        observed = self.found.flow.ends.get(id(fn))
        heard = [self.found.key_of(end) for end in observed or ()]
        constants = heard or self.constants(fn)
        noted = iter(getattr(fn, "metadata", {}).get(NOTED, ()))
        found = []
        for key in inputs:
            if key is None:
                note = next(noted, None)
                if constants:
                    found.append(self.edge_from(constants.pop(0)))
                elif not fn.name().startswith(MAY_LACK_AN_INPUT):
                    found.append(Edge(self.add_constant(fn, note), ""))
            else:
                found.append(self.edge_from(key))
        if observed is not None:
            return found + [self.edge_from(key) for key in constants if heard]
        # Other saved tensors may be inputs that can have no gradient (the indices of an embedding) or by-products. They
        # count as inputs if the reader has a variable for them.
        return found + [self.edge_from(key) for key in constants if key in self.found.names]

    def edge_from(self, key: Any) -> Edge:
        """An edge, without a target yet, from a value; with what it carries, if that has no box."""
        unboxed = isinstance(key, tuple) and key not in self.made
        known = self.found.tensors.get(key) if unboxed else None
        if known is not None:
            return Edge(self.value(key), "", describe(known), shape=tuple(known.shape))
        shape = self.found.quiet_shape(key) if unboxed else None
        return Edge(self.value(key), "", "" if shape is None else str(shape), shape=shape)

    def constants(self, fn: Any) -> list[Any]:
        """The keys of the saved inputs that need no gradient, in the order of the inputs where that is known."""
        kept, tensors = self.found.kept[id(fn)], self.found.tensors
        inputs = [key for name, key in kept.items() if not name.startswith(("result", "total_weight"))]
        return [
            key for key in inputs if not tensors[key].requires_grad and not str(tensors[key].dtype).endswith("bool")
        ]

    def value(self, key: Any) -> str:
        """The node of a value: its box, the operator that made it, or a new box for a leaf."""
        if isinstance(key, tuple):
            return self.made.get(key) or self.made[key[0]]
        return self.add_leaf(key)

    def add(self, node: Node) -> str:
        node = replace(node, id=f"n{len(self.nodes)}")
        self.nodes.append(node)
        return node.id

    def add_operator(self, fn: Any) -> str:
        found, freed = self.found, self.found.saved[id(fn)].freed
        # For each saved tensor its name, or else its number or shape
        kept = tuple(
            (name, found.called(key) or describe(found.tensors[key])) for name, key in found.kept[id(fn)].items()
        )
        quiet, changes = isinstance(fn, Quiet), fn.in_place if isinstance(fn, Quiet) else id(fn) in found.flow.changing
        self.made[id(fn)] = self.add(
            Node(
                "",
                "operator",
                fn.name().rpartition("::")[2],
                saved=kept,
                freed=freed,
                records=not quiet,
                in_place=changes,
            )
        )
        return self.made[id(fn)]

    def add_constant(self, fn: Any, note: Constant | None) -> str:
        """A box for a constant that `fn` has not saved, or has freed."""
        freed = self.found.saved[id(fn)].freed
        if note is None:
            return self.add(Node("", "constant", freed=freed))
        if note not in self.noted:
            self.noted[note] = self.add(
                Node("", "constant", note.name, value=note.value, shape=note.shape, freed=freed)
            )
        return self.noted[note]

    def add_leaf(self, key: Any) -> str:
        if key in self.made:
            return self.made[key]
        needs = self.found.tensors[key].requires_grad
        return self.add_box(key, "leaf" if needs else "detached" if key in self.found.cuts else "constant")

    def add_box(self, key: Any, kind: Kind) -> str:
        tensor = self.found.tensors[key]
        grad = tensor.grad if kind in ("leaf", "kept") else None  # others have none, and reading it makes PyTorch warn
        storage = self.found.storages.get(key)
        self.made[key] = self.add(
            Node(
                "",
                kind,
                self.found.called(key),
                value=None if key in self.found.stale else numbers(tensor),
                grad=None if grad is None else describe(grad),
                shape=tuple(tensor.shape),
                dtype=str(tensor.dtype).removeprefix("torch."),
                storage="" if storage is None else self.letters.setdefault(storage, letter(len(self.letters))),
                version=version(tensor),
            )
        )
        return self.made[key]


def letter(number: int) -> str:
    """A, B … Z, A1, B1 …"""
    return chr(ord("A") + number % 26) + str(number // 26 or "")


def renumbered(graph: Graph, new: Mapping[str, str]) -> Graph:
    """`graph` with its ids replaced: `new` maps old ids to new ones."""
    return Graph(
        tuple(replace(node, id=new[node.id]) for node in graph.nodes),
        tuple(replace(edge, source=new[edge.source], target=new[edge.target]) for edge in graph.edges),
        tuple(new[id_] for id_ in graph.roots),
        tuple(replace(cluster, nodes=tuple(new[id_] for id_ in cluster.nodes)) for cluster in graph.clusters),
    )


def clusters(
    calls: Sequence[Call], nodes: Sequence[Node], edges: Sequence[Edge], made: dict[Any, str]
) -> tuple[Cluster, ...]:
    """A cluster for each call of a module: its operators with their results and constants, and its own parameters."""
    values = set(made.values())
    home = {made[id(fn)]: i for i, call in enumerate(calls) for fn in call.operators if id(fn) in made}
    users: dict[str, set[int | None]] = {}
    for edge in edges:
        users.setdefault(edge.source, set()).add(home.get(edge.target))
    makers = {edge.target: home[edge.source] for edge in edges if edge.source in home}
    for node in nodes:
        only = users.get(node.id, set())
        own = not node.name or any(node.name.startswith(calls[i].name + ".") for i in only if i is not None)
        if node.kind in RESULTS and node.id in makers and node.id in values:
            home[node.id] = makers[node.id]
        elif node.kind in ("leaf", "constant") and len(only) == 1 and None not in only and own:
            home[node.id] = next(i for i in only if i is not None)
    inside: list[list[str]] = [[] for _ in calls]
    for node in nodes:
        if node.id in home:
            inside[home[node.id]].append(node.id)
    return tuple(
        Cluster(f"{call.name}: {call.kind}", tuple(ids), call.parent, call.says)
        for call, ids in zip(calls, inside, strict=True)
    )


def with_something_in(frames: Sequence[Cluster]) -> tuple[Cluster, ...]:
    """The clusters that are not empty. A call whose results were never used has left nothing in the graph."""
    full = {i for i, frame in enumerate(frames) if frame.nodes}
    for i in sorted(full, reverse=True):
        around = frames[i].parent
        while around is not None and around not in full:
            full.add(around)
            around = frames[around].parent
    place = {old: new for new, old in enumerate(sorted(full))}
    return tuple(
        replace(frames[i], parent=None if (around := frames[i].parent) is None else place[around]) for i in place
    )
