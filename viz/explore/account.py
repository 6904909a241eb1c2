"""What backward really brings to a leaf `w`: a program is run, a pass of backward goes through it, and hooks take down
each amount that arrives, when it does, and what `w.grad` held at that moment.

A leaf gets one sum in a pass: amounts wait until the last one is there, and only then `.grad` is written, once.
Nothing here knows a rule of slopes. Imports graph/ and the stepper's hooks. Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..graph.autograd import graph_of
from ..graph.model import Graph, Node
from ..stepper.hooks import Grew, Ran, Watch

PROGRAMS: dict[str, Callable[[Any, Any], dict[str, Any]]] = {  # code -> the names that it makes, `y` the last
    "y = (w + x) * (w + 1)": lambda w, x: {"a": (a := w + x), "b": (b := w + 1), "y": a * b},
    "y = w + 1": lambda w, x: {"y": w + 1},
}


@dataclass(frozen=True)
class Arrival:
    """An amount that one operator hands to w. through: what that operator has made; held, graph: `w.grad` and the whole
    graph at that moment."""

    through: str
    amount: float
    held: float | None
    graph: Graph = field(repr=False)


@dataclass(frozen=True)
class Pass:
    """One call of `y.backward()`.

    before, after: what `w.grad` held. told: {number of an arrow of the graph: what ran back along it}.
    error: what it stopped with, or "". graph: as it was afterwards, a node that stopped it marked as guilty.
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
    """A program that has just been run, on leaves of its own.

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
        with torch.inference_mode(False), torch.enable_grad():  # a cell that runs meanwhile may have switched them
            self.w, other = (torch.tensor(n, dtype=torch.float64, requires_grad=True) for n in (w, x))
            self.made = PROGRAMS[program](self.w, other)
            self.names = {"w": self.w, "x": other, **self.made}
        self.graph = self.seen()

    def seen(self) -> Graph:
        """The graph as it is now."""
        graph = graph_of([self.made["y"]], self.names.items())
        # The 1 that is added is no tensor that anybody keeps; the code says it
        nodes = (replace(node, value="1", shape=()) if node.kind == "constant" else node for node in graph.nodes)
        return replace(graph, nodes=tuple(nodes))

    @property
    def grad(self) -> float | None:
        return None if self.w.grad is None else float(self.w.grad.item())

    def value(self, name: str) -> float:
        return float(self.names[name].item())

    def clear(self) -> None:
        """What a training loop does between two passes."""
        self.w.grad = None

    def backward(self, *, retain_graph: bool = False) -> Pass:
        """One pass, as it really goes."""
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

        begun = list[float]()  # y hears of its gradient before an operator does
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
        """What ran back along the arrows around the operator that made `name`: out of its box, and to each input."""
        ids = {node.name: node.id for node in self.graph.nodes}
        edges = list(enumerate(self.graph.edges))
        ((out, operator),) = [(i, edge.source) for i, edge in edges if edge.target == ids[name]]
        inputs = [i for i, edge in edges if edge.target == operator]
        pairs = [(out, ran.incoming[0]), *zip(inputs, ran.handed, strict=True)]
        return {i: amount.number for i, amount in pairs if amount is not None and amount.number is not None}


def with_guilty(graph: Graph) -> Graph:
    """The graph with a mark on what stopped the pass: the last operator that has nothing left of what it saved."""
    emptied: list[Node] = [node for node in graph.nodes if node.kind == "operator" and node.freed]
    marked = (replace(node, mark="guilty") if node is emptied[-1] else node for node in graph.nodes)
    return replace(graph, nodes=tuple(marked))
