"""Turns a static graph into a graph model: operations, placeholders, variables, and name scopes as frames.

It reads what TensorFlow 1 makes public about its graphs (`name`, `type`, `inputs`, `outputs`, `control_inputs`) and
what minigrad.static adds (`regions` for loops and branches, `params`), and imports neither.

Two things are drawn as in TensorBoard: a variable is one node, which includes its read operation and its first value;
and a name scope is a frame around the operations built in it. A loop is drawn as the values that it carries from turn
to turn, with one frame around its condition and another around one turn, however many turns it runs.

Read model.py first.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from types import FrameType
from typing import Any

from .model import Cluster, Edge, Graph, Kind, Mark, Node, shape_text

Path = tuple[str, ...]

LOOP, BRANCHES = ("goes on while", "each turn"), ("if true", "if false")  # labels of frames
KINDS: dict[str, Kind] = {
    "Placeholder": "placeholder",
    "Feed": "placeholder",
    "Const": "constant",
    "VariableV2": "variable",
}


def is_symbol(thing: Any) -> bool:
    """Is it a symbolic tensor, or a variable of a static graph?"""
    return hasattr(type(thing), "get_shape") and hasattr(type(thing), "eval")


def symbols_in(frame: FrameType) -> list[tuple[str, Any]]:
    """Pairs (name, symbolic tensor) of the variables of the code in `frame`."""
    found = {**frame.f_globals, **frame.f_locals}
    return [(name, thing) for name, thing in found.items() if is_symbol(thing) and not name.startswith("_")]


def jitted(thing: Any) -> bool:
    """Is it a result of `minigrad.jit`?"""
    tracing = sys.modules.get("minigrad._tracing")  # if this was never imported, nothing was jitted
    return tracing is not None and isinstance(thing, tracing.Jitted)


def is_static(thing: Any) -> bool:
    """Is it a static graph, something in one, a plan, or one of its passes?"""
    return is_symbol(thing) or hasattr(thing, "control_inputs") or whole(thing) is not None


def whole(thing: Any) -> Any:
    """The block of operations of a static graph, a plan, a pass (after it ran) or a block; None for anything else."""
    if hasattr(type(thing), "get_operations") or hasattr(type(thing), "peak_bytes"):
        return thing.block
    block = getattr(thing, "after", thing)
    return block if hasattr(type(block), "reach") else None


def static_graph_of(things: Sequence[Any], names: Iterable[tuple[str, Any]] = ()) -> Graph:
    """The graph of a whole static graph, a plan, a pass (after it ran) or a block, or the graph behind some tensors.

    names: pairs (name, tensor), used for the values that a loop carries.
    Raises ValueError for a tensor inside a loop, TypeError for a whole graph together with a tensor.
    """
    return reader_of(*things, names=names).graph()


def reader_of(*things: Any, names: Iterable[tuple[str, Any]] = ()) -> Reader:
    """The reader of the graph of `things`; afterwards it knows which operation became which node."""
    block = whole(things[0])
    if block is None:  # `things` are operations, tensors or variables
        if any(whole(thing) is not None for thing in things):
            raise TypeError("a whole graph is drawn alone: draw(graph); or pass only tensors and operations of it")
        ends = [op_of(thing) for thing in things]
        for op in ends:
            if op.block is not op.graph.block:
                raise ValueError(f"'{op.name}' is inside a loop or a branch: draw what that gives, or the whole graph")
        return Reader(ends[0].graph.block, names, ends)
    ends = [op_of(tensor) for tensor in block.outputs] + list(block.targets)
    return Reader(block, names, ends, whole=True, folds=hasattr(things[0], "get_operations"))


def op_of(thing: Any) -> Any:
    return getattr(thing, "op", thing)


def marked(graph: Graph, marks: dict[str, Mark]) -> Graph:
    """The graph, with the marks in `marks` on its nodes, by id."""
    return replace(graph, nodes=tuple(replace(node, mark=marks.get(node.id, "")) for node in graph.nodes))


def before(ends: Iterable[Any]) -> set[Any]:
    """`ends` and the operations that they need: those that a run computes."""
    found: set[Any] = set()
    todo = list(ends)
    while todo:
        op = todo.pop()
        if op not in found:
            found.add(op)
            todo += inputs_of(op)
    return found


def number(value: Any) -> str | None:
    """A constant of up to three numbers, as text."""
    if prod(value.shape) > 3 or len(value.shape) > 1:
        return None
    written = [f"{n:.4g}" if isinstance(n, float) else str(n) for n in value.reshape(-1).tolist()]
    return written[0] if value.shape == () else f"[{', '.join(written)}]"


class Reader:
    """Reads one graph: a whole block, or what comes before `ends`. `folds`: each variable is one node."""

    def __init__(
        self, block: Any, names: Iterable[tuple[str, Any]], ends: list[Any], *, whole: bool = False, folds: bool = True
    ):
        self.block, self.ends, self.folds = block, ends, folds
        self.names: dict[Any, str] = {}
        for name, thing in names:
            if is_symbol(thing):
                self.names.setdefault((thing.op, getattr(thing, "index", 0)), name)
        self.taken = {op.name for op in block.graph.get_operations()}
        self.nodes: list[Node] = []
        self.paths: list[Path] = []  # for each node, the labels of the frames around it, outermost first
        self.edges: list[Edge] = []
        self.ids: dict[Any, str] = {}  # operation -> node id
        self.outputs: dict[Any, list[str]] = {}  # loop -> the source of each of its outputs
        self.folded = self.first_values() if folds else set()
        self.wanted = None if whole else before(ends)

    # -- which operations to show

    def first_values(self) -> set[Any]:
        """The operations that only give variables their first values."""
        operations = self.block.operations
        hidden = {op for op in operations if op.type == "Assign" and op.name == f"{op.inputs[0].op.name}/Assign"}
        users: dict[Any, list[Any]] = {}
        for op in operations:
            for source in inputs_of(op):
                users.setdefault(source, []).append(op)
        for op in reversed(operations):
            if op in users and op.type not in ("Placeholder", "VariableV2") and hidden.issuperset(users[op]):
                hidden.add(op)
        # and the operation that only runs all of those
        hidden |= {
            op for op in operations if not op.inputs and op.control_inputs and hidden.issuperset(op.control_inputs)
        }
        return hidden if hidden.isdisjoint(self.ends) else set()

    # -- nodes and edges

    def graph(self) -> Graph:
        self.read([op for op in self.block.operations if self.wanted is None or op in self.wanted], (), "")
        roots = [id_ for end in self.ends for id_ in self.results(end)]
        return Graph(tuple(self.nodes), tuple(self.edges), tuple(dict.fromkeys(roots)), self.clusters())

    def results(self, op: Any) -> list[str]:
        return [self.source(tensor) for tensor in op.outputs] or ([self.ids[op]] if op in self.ids else [])

    def read(self, operations: Iterable[Any], around: Path, scope: str) -> None:
        """Add these operations, in the frames `around`; those labels already contain `scope` of their names."""
        for op in operations:
            if op in self.folded or op in self.ids:
                continue
            path = (*around, *self.frames(op, scope))
            if self.folds and op.type == "Identity" and op.name == f"{op.inputs[0].op.name}/read":
                self.ids[op] = self.source(op.inputs[0])  # a variable's own read operation
            elif op.type == "While":
                self.read_loop(op, path)
            else:
                for region, label in zip(op.regions, BRANCHES, strict=False):
                    self.read(region.operations, (*path, label), op.name.rpartition("/")[0])
                self.ids[op] = self.add(op, path)
                for tensor in [*op.inputs, *(t for region in op.regions for t in region.outputs)]:
                    self.connect(tensor, self.ids[op])
                controls = [self.ids[before] for before in op.control_inputs if before in self.ids]
                self.edges += [Edge(before, self.ids[op], kind="control") for before in controls]

    def read_loop(self, op: Any, path: Path) -> None:
        """Add a node for each value that the loop carries, and for the step that it takes from each list."""
        *condition, body = op.regions
        carried = op.params["carried"]
        symbols = []
        for i, symbol in enumerate(body.params):
            symbols.append(self.add(symbol.op, path, "carried" if i < carried else "step", self.names.get((op, i), "")))
            self.connect(op.inputs[i], symbols[i])
        for region, label in [*((region, LOOP[0]) for region in condition), (body, LOOP[1])]:
            self.ids |= {symbol.op: id_ for symbol, id_ in zip(region.params, symbols, strict=False)}
            self.read(region.operations, (*path, label), op.name.rpartition("/")[0])
        sources = [self.source(tensor) for tensor in body.outputs]
        for source, target in zip(sources, symbols[:carried], strict=False):
            if source != target:
                self.edges.append(Edge(source, target, kind="next"))
        self.outputs[op] = symbols[:carried] + sources[carried:]  # the lists that it writes come from each turn

    def source(self, tensor: Any) -> str:
        """The id of the node that a tensor comes from."""
        return self.outputs[tensor.op][tensor.index] if tensor.op in self.outputs else self.ids[tensor.op]

    def connect(self, tensor: Any, target: str) -> None:
        source = self.source(tensor)
        shown = tensor.dims and self.nodes[int(source[1:])].kind == "operator"
        self.edges.append(Edge(source, target, shape_text(tensor.dims) if shown else ""))

    def add(self, op: Any, path: Path, kind: Kind | None = None, name: str | None = None) -> str:
        tensor = op.outputs[0] if op.outputs else None
        kind = kind or KINDS.get(op.type, "operator")
        node = Node(
            f"n{len(self.nodes)}",
            kind,
            ("" if kind == "constant" and self.nameless(op) else op.name) if name is None else name,
            value=number(op.params["value"]) if kind == "constant" else None,
            shape=None if tensor is None else tensor.dims,
            dtype="" if tensor is None else tensor.dtype.name,
            type=op.type,
        )
        self.nodes.append(node)
        self.paths.append(path)
        return node.id

    # -- frames

    def nameless(self, op: Any) -> bool:
        """Is its name generated, like that of the 1 in `w + 1`?"""
        scope, _, name = op.name.rpartition("/")
        return scope in self.taken or bool(re.fullmatch(r"Const(_\d+)?", name))

    def frames(self, op: Any, scope: str) -> Path:
        """The scopes in an operation's name, without those in `scope` and those that are operations themselves."""
        rest = op.name.removeprefix(scope + "/").split("/")[:-1]
        before = scope + "/" if scope and op.name.startswith(scope + "/") else ""
        full = [before + "/".join(rest[: i + 1]) for i in range(len(rest))]
        return tuple(name for name, whole in zip(rest, full, strict=True) if whole not in self.taken)

    def clusters(self) -> tuple[Cluster, ...]:
        """A frame for each path that has two nodes or more, or is part of a loop or a branch."""
        count: dict[Path, int] = {}
        for path in self.paths:
            for i in range(len(path)):
                count[path[: i + 1]] = count.get(path[: i + 1], 0) + 1
        kept = [path for path, n in count.items() if n > 1 or path[-1] in LOOP + BRANCHES]

        def home(path: Path) -> int | None:
            """The innermost frame around the nodes at `path`."""
            return next((kept.index(path[:i]) for i in range(len(path), 0, -1) if path[:i] in kept), None)

        inside: dict[int | None, list[str]] = {}
        for node, path in zip(self.nodes, self.paths, strict=True):
            inside.setdefault(home(path), []).append(node.id)
        return tuple(Cluster(p[-1], tuple(inside.get(i, ())), home(p[:-1])) for i, p in enumerate(kept))


def inputs_of(op: Any) -> list[Any]:
    """The operations that must run before `op`, including those outside that its loop or branches read."""
    found = [tensor.op for tensor in op.inputs] + list(op.control_inputs)
    for region in op.regions:
        inside = set(region.operations)
        read = [t.op for t in region.outputs] + [before for each in region.operations for before in inputs_of(each)]
        found += [before for before in read if before not in inside]
    return found
