"""The time steps of one iteration, read from the graph that this iteration built.

A training loop yields `chain=(loss, states)` with `states = [h_0, h_1, … h_T]`. Nothing is taken on trust: whether a
state was computed from the one before it, and whether backward from the loss reaches it, is found by walking through
the graph, which works on minigrad and on PyTorch. So the picture shows the loop that ran, ✂ included.

Imports the standard library alone. Read next: links.py, which draws it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

CUT, ZEROS, OPEN = "cut", "zeros", "open"


@dataclass(frozen=True)
class Chain:
    """One iteration's time steps.

    joined: for h_1 … h_T, does the graph lead from this state to the one before it?
    reached: for h_1 … h_T, does backward from the loss reach it?
    begins: what h_0 is: CUT, numbers without a history; ZEROS, the same and all of them 0; OPEN, a state with a history
        that goes further back.
    nodes: the number of nodes behind the loss, operators and leaves.
    """

    joined: tuple[bool, ...]
    reached: tuple[bool, ...]
    begins: str
    nodes: int

    @property
    def steps(self) -> int:
        return len(self.joined)

    @property
    def cuts(self) -> list[int]:
        """The time steps before which the history ends, counted from 1."""
        first = [1] if self.begins == CUT else []
        return first + [t for t, joined in enumerate(self.joined, 1) if t > 1 and not joined]


def read(chain: Any) -> Chain:
    """The chain of `(loss, [h_0, h_1, … h_T])`, before or after backward. Raises TypeError for anything else."""
    if not isinstance(chain, tuple) or len(chain) != 2 or not isinstance(chain[1], (list, tuple)):
        raise TypeError("chain must be (loss, [h_0, h_1, … h_T]): the loss, and a list of the states")
    loss, states = chain
    if len(states) < 2 or not all(hasattr(each, "grad_fn") for each in (loss, *states)):
        raise TypeError("chain must be (loss, [h_0, h_1, … h_T]): tensors, and at least one time step")
    if loss.grad_fn is None:
        raise TypeError("chain: the loss has no graph")
    nodes = [state.grad_fn for state in states]
    ends = {node for node in nodes if node is not None}
    behind = walk(loss.grad_fn, {nodes[0]})
    joined = tuple(
        node is not None and before is not None and before in walk(node, ends) for before, node in pairwise(nodes)
    )
    begins = OPEN if nodes[0] is not None else CUT if bool((states[0] != 0).any()) else ZEROS
    return Chain(joined, tuple(node in behind for node in nodes[1:]), begins, len(behind))


def walk(start: Any, ends: Collection[Any]) -> set[Any]:
    """The nodes behind `start`, itself included. Of the nodes in `ends` it sees none but the first on each way."""
    seen, todo = {start}, [start]
    while todo:
        node = todo.pop()
        if node is start or node not in ends:
            fresh = {before for before, _ in node.next_functions if before is not None} - seen
            seen |= fresh
            todo += fresh
    return seen
