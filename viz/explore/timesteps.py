"""One run of a recurrent loop, analysed by time step: which leaves each step reads, and how large ∂L/∂h_t is.

All of it comes from the graph of that run and from autograd; any loop will do, on minigrad or on PyTorch.
Imports autograd of graph/. Read unrolled.py, which shows the result, and accordion.py, which draws it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

from ..graph.autograd import graph_of
from ..graph.model import Graph, Node
from ..graph.names import is_tensor

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Grown:
    """One run of T time steps.

    nodes, leaves, parameters: how many the graph has; h_0 does not count as a leaf, and parameters are single numbers.
    shared: the name of the leaf that multiplies the state in each time step; arrows: how many time steps read it;
    others: the names of further leaves that as many time steps read.
    chained: for h_1 … h_T, is it computed from the state before? beside: does another way bypass that state?
    to_loss: the states that L reads directly, not through later states.
    norms: ‖∂L/∂h_t‖ for h_0 … h_T.
    """

    nodes: int
    leaves: int
    parameters: int
    shared: str
    arrows: int
    others: tuple[str, ...]
    chained: tuple[bool, ...]
    beside: bool
    to_loss: tuple[int, ...]
    norms: tuple[float, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """‖∂L/∂h_t‖ / ‖∂L/∂h_T‖ for h_0 … h_T; nan if the last norm is 0, infinite or nan."""
        last = self.norms[-1]
        usable = 0 < last < math.inf
        return tuple(norm / last if usable else math.nan for norm in self.norms)

    @property
    def ratio(self) -> float:
        """The gradient at h_0 as a part of that at h_T."""
        return self.shares[0]


def state(t: int) -> str:
    """h₀, h₁ … as readers write them. No variable can have such a name.

    >>> state(30)
    'h₃₀'
    """
    return f"h{t}".translate(SUBSCRIPTS)


def grow(function: Callable[[int], Any], T: int, names: Iterable[tuple[str, Any]]) -> Grown:
    """Run `function(T)`, which returns (loss, [h_0 … h_T]), and analyse the graph. No `.grad` is changed.

    names: pairs (name, tensor) of the leaves. Raises TypeError or ValueError for any other result.
    """
    loss, states = checked(function(T), T)
    grads = library(loss).autograd.grad(loss, states, retain_graph=True, allow_unused=True)
    norms = tuple(
        0.0 if grad is None else float(grad.double().norm()) for grad in grads
    )  # squares may be too small for float32
    marked = [(state(t), each) for t, each in enumerate(states)]
    graph = graph_of([loss], [*marked, *((name, each) for name, each in names if all(each is not h for h in states))])
    return counted(graph, T, norms)


def checked(made: Any, T: int) -> tuple[Any, list[Any]]:
    """The loss and its states; raises TypeError or ValueError if they are wrong."""
    if not isinstance(made, (tuple, list)) or len(made) != 2 or not is_tensor(made[0]):
        raise TypeError("unrolled() needs a function of T that gives two things: (loss, [h_0, h_1, … h_T])")
    loss, states = made[0], list(made[1])
    if len(states) != T + 1 or not all(is_tensor(each) for each in states):
        raise ValueError(f"for T = {T} there are {T + 1} states, h_0 … h_{T}, all tensors; but got {len(states)}")
    if loss.numel() != 1:
        raise ValueError(f"the loss must be one number, but it has shape {tuple(loss.shape)}")
    if not loss.requires_grad:
        raise ValueError("the loss has no graph: was it computed under no_grad, or from data alone?")
    if not states[0].requires_grad:
        raise ValueError("h_0 is not asked for its gradient: make it with requires_grad=True")
    if not all(each.requires_grad for each in states):
        (cut, *_) = (t for t, each in enumerate(states) if not each.requires_grad)
        raise ValueError(f"h_{cut} has no history, so there is no gradient to ask for: was it detached?")
    return loss, states


def library(tensor: Any) -> Any:
    """The module minigrad or torch, whichever the tensor belongs to."""
    return sys.modules[type(tensor).__module__.partition(".")[0]]


def counted(graph: Graph, T: int, norms: tuple[float, ...]) -> Grown:
    """Count what the time steps of the graph read."""
    nodes = {node.id: node for node in graph.nodes}
    reads: dict[str, list[str]] = {id_: [] for id_ in nodes}
    for edge in graph.edges:
        if edge.kind != "detach":
            reads[edge.target].append(edge.source)
    numbers = {node.name: t for t in range(T + 1) for node in graph.nodes if node.name == state(t)}
    at = {t: node.id for node in graph.nodes if (t := numbers.get(node.name)) is not None}
    ends = set(at.values()) | {id_ for id_, node in nodes.items() if node.kind == "leaf"}

    def behind(*start: str) -> set[str]:
        """The states and leaves that these are computed from, and the operators between."""
        seen: set[str] = set()
        todo = [source for id_ in start for source in reads[id_]]
        while todo:
            if (id_ := todo.pop()) not in seen:
                seen.add(id_)
                todo += [] if id_ in ends else reads[id_]
        return seen

    steps = [behind(at[t]) if t in at else set() for t in range(1, T + 1)]
    leaves = [node for node in graph.nodes if node.kind == "leaf" and node.name not in numbers]
    used = {leaf.id: sum(leaf.id in step for step in steps) for leaf in leaves}
    meets: set[str] = set()  # the leaves that an operator combines with the state before
    for t, step in enumerate(steps):
        for id_ in step:
            if at.get(t) in reads[id_] and nodes[id_].kind == "operator":
                meets |= behind(id_)
    shared = max(leaves, key=lambda leaf: (leaf.id in meets, used[leaf.id] > 0, numel(leaf)), default=None)
    states = set(at.values())
    to_loss = behind(*graph.roots) & states
    return Grown(
        nodes=len(graph.nodes),
        leaves=len(leaves),
        parameters=sum(map(numel, leaves)),
        shared=shared.name if shared else "",
        arrows=used[shared.id] if shared else 0,
        others=tuple(
            each.name for each in leaves if shared and each is not shared and 0 < used[each.id] == used[shared.id]
        ),
        chained=tuple(at.get(t) in step for t, step in enumerate(steps)),
        beside=any(step & states - {at.get(t)} for t, step in enumerate(steps)),
        to_loss=tuple(sorted(t for t, id_ in at.items() if id_ in to_loss)),
        norms=norms,
    )


def numel(leaf: Node) -> int:
    return prod(each or 0 for each in leaf.shape or ())
