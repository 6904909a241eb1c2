"""The arrows of a picture, and those of an independent trace of the same model: `torch.export`.

Two questions are asked of both. Which operators, weights, inputs and results are connected? And, with some modules
closed: between which modules, inputs and results does data pass without another of these modules in between?

The two sides differ in detail, always in the same four ways, and the three tables below hold them:

1. A matrix product has many names. PyTorch computes `linear` as `addmm`, `mm` or `bmm`, depending on the sizes.
   Autograd records these, and our picture of a layer without gradients says `linear`. All of them are "product" here.
2. Views and copies are passed through. PyTorch reshapes the operands of a product with views that no code wrote, and
   export writes an extra copy where a tensor is changed in place.
3. Some names differ: autograd's `CopySlices` is export's `slice_scatter`, and pooling to one number is a mean.
4. A recurrent layer or cell is one operator in export. So the operators of such a module count as one here.

Export gives a program without changes in place, so an arrow leads from each change to what is read afterwards.
Imports viz and torch; peers.py has its own arrows. Read peers.py next.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable
from dataclasses import is_dataclass
from typing import Any, TypeVar

from viz.graph.model import Graph
from viz.graph.names import plain

from .registry import Example

Node = TypeVar("Node", bound=Hashable)
Arrows = set[tuple[str, str]]

# Views, copies, and what export adds to tell Python's side of a program
THROUGH = frozenset(
    "t transpose permute view reshape unsafe_view reshape_alias expand expand_as squeeze unsqueeze flatten unflatten "
    "clone contiguous alias detach to to_copy copy lift_fresh lift_fresh_copy getitem dropout as_strided "
    "numpy_t mt view_as T mT data empty_strided _to_copy slice_backward".split()
)
SAME = {
    **dict.fromkeys("addmm mm bmm baddbmm matmul linear mv addmv dot addbmm".split(), "product"),
    **dict.fromkeys("conv1d conv2d conv_transpose2d conv_depthwise2d".split(), "convolution"),
    **dict.fromkeys("batch_norm_legit_no_training batch_norm_legit batch_norm".split(), "batch_norm"),
    **dict.fromkeys("split split_with_sizes unsafe_split chunk unsafe_chunk unbind tensor_split".split(), "split"),
    **dict.fromkeys("copy_slices index_put slice_scatter select_scatter setitem copy_".split(), "write"),
    "rsub": "sub",
    "adaptive_avg_pool2d": "mean",  # to one number per channel
}
RECURRENT = {"LSTM": "lstm", "GRU": "gru", "LSTMCell": "lstm_cell", "GRUCell": "gru_cell", "RNNCell": "rnn_tanh_cell"}


def operator(name: str) -> str | None:
    """What an operator is called on both sides; None if it is passed through.

    >>> operator("AddmmBackward0"), operator("aten::linear"), operator("relu_"), operator("TBackward0")
    ('product', 'product', 'relu', None)
    """
    name = re.sub("^(aten::)?_*(native_|unsafe_)?", "", plain(name).replace("CopySlices", "copy_slices"))
    name = name.removesuffix("_") if name != "copy_" else name
    return None if name in THROUGH else SAME.get(name, name)


def between(
    nodes: Iterable[Node], arrows: Iterable[tuple[Node, Node]], is_stop: Callable[[Node], bool], results: Any = ()
) -> set[tuple[Node, Node]]:
    """The pairs of stops that are connected without another stop in between. A result may be used again."""
    out: dict[Node, set[Node]] = {}
    for source, target in arrows:
        out.setdefault(source, set()).add(target)
    found = set()
    for start in filter(is_stop, nodes):
        todo, seen = list(out.get(start, ())), set()
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            if is_stop(node) or node in results:
                found.add((start, node))
            if not is_stop(node):
                todo += out.get(node, ())
    return found


def behind(ends: Iterable[Node], arrows: Iterable[tuple[Node, Node]]) -> set[Node]:
    """`ends`, and all nodes from which arrows lead to them."""
    into: dict[Node, list[Node]] = {}
    for source, target in arrows:
        into.setdefault(target, []).append(source)
    seen, todo = set(ends), list(ends)
    while todo:
        new = set(into.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return seen


def as_identifier(name: str) -> str:
    """The name of an input as export writes it.

    >>> as_identifier("batch.words"), as_identifier("pair[0]")
    ('batch_words', 'pair_0')
    """
    return re.sub(r"\W+", "_", name).strip("_")


def numbered(names: Iterable[tuple[Node, str | None]]) -> dict[Node, str]:
    """Each operator with its number among those of the same name, in the order of the code: "relu 0", "relu 1"."""
    count: dict[str, int] = {}
    found = {}
    for node, name in names:
        if name is not None:
            found[node] = f"{name} {count.setdefault(name, 0)}"
            count[name] += 1
    return found


def without(labels: dict[Node, str], through: Iterable[str]) -> dict[Node, str]:
    """The operators, except for those with one of these names."""
    return {node: label for node, label in labels.items() if label.partition(" ")[0] not in set(through)}


# -- the picture -----------------------------------------------------------------------------------


def operators_drawn(graph: Graph, known: Iterable[str], through: Iterable[str] = ()) -> Arrows:
    """The arrows between operators, weights, inputs and results of an open picture.

    known: the names of weights and inputs, as export writes them. through: operators that are passed through, too.
    """
    known = set(known)
    labels = without(operators_in(graph), through)
    for node in graph.nodes:
        if node.kind != "operator" and node.id not in graph.roots and as_identifier(node.name) in known:
            labels[node.id] = as_identifier(node.name)
    return named(labels, [(edge.source, edge.target) for edge in graph.edges], graph)


def operators_in(graph: Graph) -> dict[str, str]:
    """The operators of a picture by id, each with its name and number."""
    recurrent: dict[str, tuple[int, str]] = {}  # id of an operator -> the call that it belongs to, and its name
    for i, cluster in enumerate(graph.clusters):
        if (name := RECURRENT.get(cluster.label.rpartition(": ")[2])) is not None:
            recurrent |= dict.fromkeys(cluster.nodes, (i, name))
    steps = [node for node in graph.nodes if node.kind == "operator"]
    calls = numbered(dict(recurrent[node.id] for node in steps if node.id in recurrent).items())
    labels = numbered((node.id, operator(node.name)) for node in steps if node.id not in recurrent)
    return labels | {node.id: calls[recurrent[node.id][0]] for node in steps if node.id in recurrent}


def modules_drawn(graph: Graph, inputs: Iterable[str]) -> Arrows:
    """The arrows between closed modules, inputs and results."""
    known = set(inputs)
    labels = {node.id: node.name.partition(":")[0] for node in graph.nodes if node.kind == "folded"}
    labels |= {
        node.id: as_identifier(node.name)
        for node in graph.nodes
        if node.kind in ("leaf", "constant") and as_identifier(node.name) in known
    }
    return named(labels, [(edge.source, edge.target) for edge in graph.edges], graph)


def modules_named(graph: Graph, names: Iterable[str]) -> Arrows:
    """The arrows between the modules and inputs with these names, and results, in an open picture."""
    names = set(names)
    labels = {}
    for cluster in graph.clusters:
        name = cluster.label.partition(":")[0]
        if name in names:
            labels |= dict.fromkeys(set(cluster.nodes) - set(graph.roots), name)
    labels = {node.id: labels[node.id] for node in graph.nodes if node.id in labels and node.kind == "operator"}
    labels |= {node.id: node.name for node in graph.nodes if node.kind in ("leaf", "constant") and node.name in names}
    return named(labels, [(edge.source, edge.target) for edge in graph.edges], graph)


def named(labels: dict[str, str], arrows: list[tuple[str, str]], graph: Graph) -> Arrows:
    ends = set(graph.roots)
    pairs = between([*labels], arrows, labels.__contains__, ends)
    pairs |= {(a, b) for a, b in arrows if a in labels and b in ends}
    found = {(labels[a], "output" if b in ends and b not in labels else labels[b]) for a, b in pairs}
    return {(a, b) for a, b in found if a != b}


# -- the trace -------------------------------------------------------------------------------------


class Trace:
    """The program that `torch.export` finds for an example, without changes in place and without layers in one step."""

    def __init__(self, torch: Any, example: Example):
        model = example.model
        if not isinstance(model, torch.nn.Module):
            model = torch.nn.Module()
            model.forward = example.model
        # Under no_grad from the beginning, a part that switches recording off is no program of its own
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            if is_dataclass(out := model(*example.args, **example.kwargs)):
                register(torch, type(out))
            program = torch.export.export(model, example.args, example.kwargs).run_decompositions({})
        signature = program.graph_signature
        own: dict[int, str] = {}  # id of a weight -> its first name
        for name, weight in [*model.named_parameters(remove_duplicate=False), *model.named_buffers()]:
            own.setdefault(id(weight), name)
        tensors = dict([*model.named_parameters(remove_duplicate=False), *model.named_buffers()])
        self.inputs = list(signature.user_inputs)
        self.weights = {
            placeholder: as_identifier(own[id(tensors[name])])
            for placeholder, name in {**signature.inputs_to_parameters, **signature.inputs_to_buffers}.items()
        }
        self.buffers = {as_identifier(name) for name in signature.inputs_to_buffers.values()}
        self.nodes = list(program.graph.nodes)
        self.arrows = [(source, node) for node in self.nodes for source in node.all_input_nodes]
        self.known = {*self.inputs, *self.weights.values()}

    def operators(self, through: Iterable[str] = ()) -> Arrows:
        """The arrows between operators, weights, inputs and results. through: operators to pass through, too."""
        ends = [node for node in self.nodes if node.op == "output"]
        here = behind(ends, self.arrows)
        labels = numbered(
            (node, operator(node.target._schema.name))
            for node in self.nodes
            if node in here and hasattr(node.target, "_schema") and node.all_input_nodes
        )
        labels = without(labels, through)
        labels |= {node: self.weights.get(node.name, node.name) for node in self.nodes if node.op == "placeholder"}
        labels = {node: name for node, name in labels.items() if node.op != "placeholder" or name in self.known}
        labels |= dict.fromkeys(ends, "output")
        return {(labels[a], labels[b]) for a, b in between(self.nodes, self.arrows, labels.__contains__) if b in here}

    def modules(self, closed: Iterable[str]) -> Arrows:
        """The arrows between the modules with these names, inputs and results."""
        closed = set(closed)

        def home(node: Any) -> str | None:
            if node.op in ("placeholder", "output"):
                return node.name if node.name in ("output", *self.inputs) else None
            inside = [path for path, _ in node.meta.get("nn_module_stack", {}).values()]
            return next((path for path in inside if path in closed), None)

        homes = {node: home(node) for node in self.nodes}
        pairs = between(self.nodes, self.arrows, lambda node: homes[node] is not None)
        return {(str(homes[a]), str(homes[b])) for a, b in pairs if homes[a] != homes[b]}


def register(torch: Any, kind: type) -> None:
    """Tell export how to read a dataclass."""
    if kind not in torch.utils._pytree.SUPPORTED_NODES:
        torch.export.register_dataclass(kind)
