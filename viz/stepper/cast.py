"""Maps the tensors and operators that the recorded events refer to, to ids of the graph.

Imports graph/ for the model of the graph, hooks.py for what was met. Read script.py next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..graph.autograd import NOTED, Constant, Reader
from ..graph.found import Found
from ..graph.model import Node
from ..graph.values import is_leaf_end
from .amounts import Amount, amount
from .hooks import Key, Watch
from .words import WORDS


class Cast:
    """Maps the tensors and operators of the recorded events to the graph's ids."""

    def __init__(
        self,
        ends: Sequence[Any],
        names: Sequence[tuple[str, Any]],
        watch: Watch,
        values: dict[Key, Amount],
        lang: str,
    ):
        self.found = found = Found(list(ends), list(names), watch.saved)
        reader = Reader(found)
        self.graph = reader.graph()
        self.made, self.leaves, self.values = reader.made, watch.leaves, values
        self.freed = {node.id for node in self.graph.nodes if node.freed}  # freed before the first step
        for key, tensor in found.tensors.items():
            if isinstance(key, tuple) and key not in values:
                values[key] = amount(tensor)
        self.held: dict[str, Amount] = {}  # box of a result that keeps its gradient -> the one from earlier passes
        self.kind = {node.id: node.kind for node in self.graph.nodes}
        self.node = {node.id: node for node in self.graph.nodes}
        self.inputs: dict[str, list[tuple[str, str]]] = {}  # operator -> its (arrow, source)
        self.boxes: dict[str, list[tuple[str, str]]] = {}  # operator -> its (arrow, box of a result)
        for i, edge in enumerate(self.graph.edges):
            if self.kind[edge.target] == "operator":
                self.inputs.setdefault(edge.target, []).append((f"e{i}", edge.source))
            elif self.kind[edge.source] == "operator" and not edge.kind:
                self.boxes.setdefault(edge.source, []).append((f"e{i}", edge.target))
        self.cuts: dict[str, list[str]] = {}  # detached box -> the dotted arrows to it
        for i, edge in enumerate(self.graph.edges):
            if edge.kind == "detach":
                self.cuts.setdefault(edge.target, []).append(f"e{i}")
        self.text: dict[str, str] = {}  # node id -> its value as text
        for key, value in values.items():
            for place in (key, key[0]):
                if place in self.made:
                    self.text[self.made[place]] = value.text
        for key, (_, value, _) in watch.leaves.items():
            if key in self.made:
                self.text[self.made[key]] = value.text
        self.text |= {n.id: n.value for n in self.graph.nodes if n.value and n.id not in self.text}
        unknown = WORDS[lang]["constant"]
        self.called: dict[str, str] = {}  # the name of each value; an operator is named after its result
        for node in self.graph.nodes:
            if node.kind != "operator":
                self.called[node.id] = node.name or self.text.get(node.id, unknown)
        unnamed = 0
        for node in self.graph.nodes:
            if node.kind == "operator":
                boxes = [box for _, box in self.boxes.get(node.id, ())]
                named = [self.node[box].name for box in boxes if self.node[box].name]
                unnamed += not named
                name = named[0] if named else f"#{unnamed}"
                self.called |= {node.id: name} | {box: self.node[box].name or name for box in boxes}

    def shapes(self) -> dict[Key, tuple[int, ...]]:
        """The shapes of the results that were found."""
        return {key: tuple(t.shape) for key, t in self.found.tensors.items() if isinstance(key, tuple)}

    def kept(self) -> list[Any]:
        """The results that keep their gradients."""
        return [tensor for tensor in self.found.tensors.values() if tensor.retains_grad]

    def note_held(self) -> None:
        """Note which of these results have a gradient by now."""
        for key, tensor in self.found.tensors.items():
            if isinstance(key, tuple) and key in self.made and tensor.retains_grad and tensor.grad is not None:
                self.held[self.made[key]] = amount(tensor.grad)

    def note_constants(self, fns: Iterable[Any]) -> None:
        """Note the constants at their operators, so that `viz.draw` calls them as the steps do."""
        notes = {node.id: self.noted(node) for node in self.graph.nodes if node.kind == "constant"}
        for fn in fns:
            sources = [source for _, source in self.inputs.get(self.made.get(id(fn), ""), ())]
            if len(sources) >= len(fn.next_functions):
                pairs = zip(fn.next_functions, sources, strict=False)
                found = tuple(notes.get(source) for (before, _), source in pairs if before is None)
                if any(found):
                    fn.metadata[NOTED] = found

    def noted(self, node: Node) -> Constant:
        text = self.text.get(node.id, "")
        if text.startswith("("):  # the shape of a large one
            return Constant(node.name, None, tuple(int(size) for size in text.strip("()").split(",") if size.strip()))
        return Constant(node.name, text or None, node.shape or () if text else node.shape)

    def target(self, edge: tuple[Any, int]) -> str | None:
        """The node for the target of one of autograd's edges: a leaf, a box, or an operator without a box."""
        before, number = edge
        if before is None:
            return None
        if is_leaf_end(before):
            return self.made.get(id(before.variable))
        return self.made.get((id(before), number)) or self.made.get(id(before))
