"""From tensors to a graph model, through what PyTorch makes public about its own graph.

It asks for `grad_fn`, `next_functions`, `variable`, `_saved_*`, `is_leaf`, `requires_grad`, `retains_grad`, `grad`
and nothing else, so it reads minigrad's tensors and real PyTorch's alike, and imports neither.

Operators are nodes, as autograd keeps them. A value gets a box of its own where the reader has a name for it, asked
for it or retains its gradient; any other travels on an arrow. Values are found in the reader's variables and in what
the operators saved; what nobody kept is not guessed.

Read model.py first, and names.py for where the names come from.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

from .model import Edge, Graph, Kind, Node
from .names import is_tensor

# Among what these may be given are tensors that may be left out (a bias); then PyTorch has an edge to nothing.
MAY_LACK_AN_INPUT = ("Convolution", "NativeBatchNorm", "NativeLayerNorm", "NativeGroupNorm")


def graph_of(tensors: Iterable[Any], names: Iterable[tuple[str, Any]]) -> Graph:
    """The graph behind `tensors`; `names` are pairs (name, tensor), the first name of a tensor wins."""
    return Reader(list(tensors), list(names)).graph()


def numbers(tensor: Any) -> str | None:
    """The numbers of a tensor that has up to three; None for a larger one.

    >>> import minigrad as torch
    >>> [numbers(t) for t in (torch.tensor([2.0]), torch.tensor([1.0, 2.5]), torch.zeros(64, 100))]
    ['2', '[1, 2.5]', None]
    """
    shape = tuple(tensor.shape)
    size = prod(shape)
    if size == 0 or size > 3 or (size > 1 and len(shape) > 1):
        return None
    # + 0.0 makes 0 of -0, which would puzzle more than it tells
    written = [f"{n + 0.0:.4g}" if isinstance(n, float) else str(n) for n in tensor.detach().reshape(-1).tolist()]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def describe(tensor: Any) -> str:
    """The numbers of a small tensor, the shape of a large one."""
    return numbers(tensor) or str(tuple(tensor.shape))


class Saved:
    """What one operator saved for its slope: its tensors by name, and whether a backward pass has freed them."""

    def __init__(self, fn: Any):
        self.tensors: dict[str, Any] = {}
        self.freed = False
        listed = {attribute.lstrip("_") for attribute in dir(fn)}  # as _saved_self, or as the slot behind it
        names = [name for name in listed if name.startswith("saved_")]
        for name in sorted(names, key=lambda name: (name != "saved_self", name)):  # self is most often the first input
            try:
                found = getattr(fn, name if name == "saved_tensors" else "_" + name, None)
            except RuntimeError as error:
                self.freed |= "a second time" in str(error)  # else: changed in place, and so not to be had either
                continue
            name = name.removeprefix("saved_")
            if is_tensor(found):
                self.tensors[name] = found
            elif isinstance(found, (tuple, list)):
                self.tensors |= {f"{name}[{i}]": t for i, t in enumerate(found) if is_tensor(t)}


class Reader:
    """Reads one graph. Objects are told apart by `id`, so every one that was met is kept until the end."""

    def __init__(self, tensors: list[Any], names: list[tuple[str, Any]]):
        self.kept_alive: list[Any] = []
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.made: dict[Any, str] = {}  # key of a value, or id of an operator -> node id
        self.tensors: dict[Any, Any] = {}  # key -> the tensor
        self.names: dict[Any, str] = {}
        for name, tensor in names:
            self.names.setdefault(self.know(tensor), name)
        self.roots = [self.know(tensor) for tensor in tensors]
        self.operators = self.walk([tensor.grad_fn for tensor in tensors])
        self.saved = {id(fn): Saved(fn) for fn in self.operators}
        for saved in self.saved.values():
            for tensor in saved.tensors.values():
                self.know(tensor)

    def key(self, tensor: Any) -> Any:
        """What tells a value apart: the operator that made it and which of its outputs it is, or the leaf itself."""
        fn = tensor.grad_fn
        self.kept_alive.append(tensor if fn is None else fn)
        return id(tensor) if fn is None else (id(fn), getattr(tensor, "output_nr", 0))

    def know(self, tensor: Any) -> Any:
        key = self.key(tensor)
        self.tensors.setdefault(key, tensor)
        return key

    def walk(self, ends: list[Any]) -> list[Any]:
        """All operators before `ends`, each after its inputs. Without recursion: a graph may be deep."""
        order, seen = [], set()
        for end in ends:
            stack = [(end, iter(self.inputs(end)))] if end is not None and id(end) not in seen else []
            seen.add(id(end))
            while stack:
                fn, inputs = stack[-1]
                for before, _ in inputs:
                    if before is not None and not is_leaf_end(before) and id(before) not in seen:
                        seen.add(id(before))
                        stack.append((before, iter(self.inputs(before))))
                        break
                else:
                    order.append(fn)
                    stack.pop()
        return order

    def inputs(self, fn: Any) -> tuple[tuple[Any, int], ...]:
        found = fn.next_functions
        self.kept_alive.append(found)
        return found

    # -- making nodes and edges -------------------------------------------------------------------

    def graph(self) -> Graph:
        boxed = {key for key in self.tensors if key in self.names or key in self.roots or self.retained(key)}
        outputs: dict[int, list[Any]] = {}
        for key in sorted((key for key in boxed if isinstance(key, tuple)), key=lambda key: key[1]):
            outputs.setdefault(key[0], []).append(key)
        for fn in self.operators:
            sources = self.sources(fn)
            operator = self.add_operator(fn)
            self.edges += [Edge(source, operator, value) for source, value in sources]
            for key in outputs.get(id(fn), ()):
                kind: Kind = "kept" if self.retained(key) else "value"
                self.edges.append(Edge(operator, self.add_box(key, kind)))
        roots = [self.made.get(key) or self.add_leaf(self.tensors[key]) for key in self.roots]
        return Graph(tuple(self.nodes), tuple(self.edges), tuple(dict.fromkeys(roots)))

    def retained(self, key: Any) -> bool:
        return bool(self.tensors[key].retains_grad)

    def sources(self, fn: Any) -> list[tuple[str, str]]:
        """(node id, value on the arrow) for each input of `fn`, in order; makes leaves and constants on the way."""
        saved = self.saved[id(fn)]
        constants = self.constants(saved)
        found = []
        for before, number in self.inputs(fn):
            if before is None:
                if constants:
                    found.append((self.add_leaf(constants.pop(0)), ""))
                elif not fn.name().startswith(MAY_LACK_AN_INPUT):
                    found.append((self.add(Node("", "constant", freed=saved.freed)), ""))
            elif is_leaf_end(before):
                found.append((self.add_leaf(before.variable), ""))
            else:
                key = (id(before), number)
                if key in self.made:
                    found.append((self.made[key], ""))
                else:
                    known = self.tensors.get(key)
                    found.append((self.made[id(before)], "" if known is None else describe(known)))
        # What else was saved may be an input that can have no slope (the indices of an embedding), or some by-product:
        # an input if the reader has a variable for it.
        return found + [(self.add_leaf(tensor), "") for tensor in constants if self.key(tensor) in self.names]

    @staticmethod
    def constants(saved: Saved) -> list[Any]:
        """The saved inputs that need no gradient, in the order of the inputs as far as that can be told."""
        inputs = [t for name, t in saved.tensors.items() if not name.startswith(("result", "total_weight"))]
        return [t for t in inputs if not t.requires_grad and not str(t.dtype).endswith("bool")]

    def add(self, node: Node) -> str:
        node = Node(**{**vars(node), "id": f"n{len(self.nodes)}"})
        self.nodes.append(node)
        return node.id

    def add_operator(self, fn: Any) -> str:
        saved = self.saved[id(fn)]
        kept = tuple((name, self.names.get(self.key(t), "")) for name, t in saved.tensors.items())
        node = Node("", "operator", fn.name(), saved=kept, freed=saved.freed)
        self.made[id(fn)] = self.add(node)
        return self.made[id(fn)]

    def add_leaf(self, tensor: Any) -> str:
        key = self.know(tensor)
        return self.made.get(key) or self.add_box(key, "leaf" if tensor.requires_grad else "constant")

    def add_box(self, key: Any, kind: Kind) -> str:
        tensor = self.tensors[key]
        grad = tensor.grad if kind in ("leaf", "kept") else None  # others have none, and PyTorch warns who asks
        self.made[key] = self.add(
            Node(
                "",
                kind,
                self.names.get(key, ""),
                value=numbers(tensor),
                grad=None if grad is None else describe(grad),
                shape=tuple(tensor.shape),
                dtype=str(tensor.dtype).removeprefix("torch."),
            )
        )
        return self.made[key]


def is_leaf_end(fn: Any) -> bool:
    """Is it the accumulator behind which a leaf stands?"""
    return type(fn).__name__ == "AccumulateGrad"
