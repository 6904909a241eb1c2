"""What backward brings to a leaf `w`: run a program, run backward through it, and record with hooks each
amount that arrives, when it arrives, and what `w.grad` was at that moment.

A leaf gets one sum per pass: backward adds up the amounts, and writes `.grad` once, after the last of them.
No derivative is computed here. Imports graph/ and the stepper's hooks. Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..graph.autograd import graph_of
from ..graph.model import Graph, Node
from ..stepper.hooks import Grew, Ran, Watch

PROGRAMS: dict[str, Callable[[Any, Any], dict[str, Any]]] = {  # code -> the tensors that it makes by name, `y` last
    "y = (w + x) * (w + 1)": lambda w, x: {"a": (a := w + x), "b": (b := w + 1), "y": a * b},
    "y = w + 1": lambda w, x: {"y": w + 1},
}


@dataclass(frozen=True)
class Arrival:
    """An amount that one operator passes to w. through: the name of that operator's result; held, graph: `w.grad` and
    the whole graph at that moment."""

    through: str
    amount: float
    held: float | None
    graph: Graph = field(repr=False)


@dataclass(frozen=True)
class Pass:
    """One call of `y.backward()`.

    before, after: `w.grad` before and after it. told: {number of an arrow: the amount that ran back along it}.
    error: its error message, or "". graph: the graph afterwards, with a mark on the node that stopped the pass.
    """

    arrivals: tuple[Arrival, ...]
    before: float | None
    after: float | None
    told: Mapping[int, float]
    error: str
    graph: Graph

    @property
    def sum(self) -> float:
        return sum(arrival.amount for arrival in self.arrivals)


class Account:
    """A program that has just been run, on new leaves.

    >>> account = Account("y = (w + x) * (w + 1)", w=4.0, x=2.0)
    >>> first = account.backward()
    >>> [(each.through, each.amount, each.held) for each in first.arrivals], first.after
    ([('b', 6.0, None), ('a', 5.0, None)], 11.0)
    >>> account.backward().error[:48], account.backward().after
    ('Trying to backward through the graph a second ti', 11.0)
    """

    def __init__(self, program: str, w: float, x: float):
        import minigrad as torch

        self.torch = torch
        with torch.inference_mode(False), torch.enable_grad():  # another cell may have switched them
            self.w, other = (torch.tensor(n, dtype=torch.float64, requires_grad=True) for n in (w, x))
            self.made = PROGRAMS[program](self.w, other)
            self.names = {"w": self.w, "x": other, **self.made}
        self.graph = self.seen()

    def seen(self) -> Graph:
        """The current graph."""
        graph = graph_of([self.made["y"]], self.names.items())
        # The code has no name for the constant 1 that is added, so its box shows the number
        nodes = (replace(node, value="1", shape=()) if node.kind == "constant" else node for node in graph.nodes)
        return replace(graph, nodes=tuple(nodes))

    @property
    def grad(self) -> float | None:
        return None if self.w.grad is None else float(self.w.grad.item())

    def value(self, name: str) -> float:
        return float(self.names[name].item())

    def clear(self) -> None:
        """Reset `w.grad`, as a training loop does between two passes."""
        self.w.grad = None

    def backward(self, *, retain_graph: bool = False) -> Pass:
        """Run one pass with the engine, and record it."""
        arrivals, told, before, error = list[Arrival](), dict[int, float](), self.grad, ""
        makers = {id(tensor.grad_fn): name for name, tensor in self.made.items()}

        def hear(event: Ran | Grew) -> None:
            if isinstance(event, Ran):
                name = makers[id(event.fn)]
                told.update(self.along(name, event))
                for (target, _), amount, held in zip(event.fn.next_functions, event.handed, event.before, strict=True):
                    if amount is not None and getattr(target, "variable", None) is self.w:
                        was = None if held is None else held.number
                        arrivals.append(Arrival(name, amount.number or 0.0, was, self.seen()))

        begun = list[float]()  # the hook on y runs before that of any operator
        watch = Watch(hear)
        try:
            watch.handles.append(self.made["y"].register_hook(lambda gradient: begun.append(float(gradient.item()))))
            watch.meet(self.made["y"].grad_fn)
            self.made["y"].backward(retain_graph=retain_graph)
        except RuntimeError as stopped:
            error = str(stopped)
        finally:
            try:
                watch.stop()
            except BaseException:  # Ctrl-C
                watch.stop()
                raise
        graph = self.seen()
        if error:
            graph = with_guilty(graph)
            told = {i: begun[0] for i, edge in enumerate(graph.edges) if edge.target in graph.roots and begun}
        return Pass(tuple(arrivals), before, self.grad, told, error, graph)

    def along(self, name: str, ran: Ran) -> dict[int, float]:
        """The amounts on the arrows of the operator that made `name`: out of its box, into each input."""
        ids = {node.name: node.id for node in self.graph.nodes}
        edges = list(enumerate(self.graph.edges))
        ((out, operator),) = [(i, edge.source) for i, edge in edges if edge.target == ids[name]]
        inputs = [i for i, edge in edges if edge.target == operator]
        pairs = [(out, ran.incoming[0]), *zip(inputs, ran.handed, strict=True)]
        return {i: amount.number for i, amount in pairs if amount is not None and amount.number is not None}


def with_guilty(graph: Graph) -> Graph:
    """The graph with a mark on the operator that stopped the pass: the last one whose saved tensors are all freed."""
    emptied: list[Node] = [node for node in graph.nodes if node.kind == "operator" and node.freed]
    marked = (replace(node, mark="guilty") if node is emptied[-1] else node for node in graph.nodes)
    return replace(graph, nodes=tuple(marked))
