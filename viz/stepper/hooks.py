"""Records what a backward pass does, node by node, with hooks that change nothing.

A node's hook gets the incoming gradient and the gradients for its inputs; the hook of a leaf's accumulator reports that
`.grad` has grown. Both minigrad and PyTorch call them in the engine's order. Imports amounts.py. Read record.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph.listen import Line
from ..graph.values import Saved, is_leaf_end
from .amounts import Amount, amount

Key = tuple[int, int]  # id of a node, and the number of one of its outputs
LeafNow = tuple[int, Amount, Amount | None]


@dataclass(frozen=True)
class Made:
    """The reader's code has made these nodes with one call.

    line: the line of the call. constants: the inputs that need no gradient, as text.
    leaves: the leaves among the inputs, by id, with their value and gradient at that moment.
    """

    fns: tuple[Any, ...]
    line: Line | None = None
    constants: tuple[str, ...] = ()
    leaves: tuple[LeafNow, ...] = ()


@dataclass(frozen=True)
class Ran:
    """Backward has run the node `fn`: the incoming gradients, and the gradient for each of its inputs.

    before: for each input that is a leaf, the content of its `.grad` at that moment.
    """

    fn: Any
    incoming: tuple[Amount | None, ...]
    handed: tuple[Amount | None, ...]
    before: tuple[Amount | None, ...]


@dataclass(frozen=True)
class Grew:
    """A pass has added its gradient to the `.grad` of `leaf`, which is now `after`."""

    leaf: Any
    after: Amount


def leaf_now(leaf: Any) -> LeafNow:
    return id(leaf), amount(leaf), None if leaf.grad is None else amount(leaf.grad)


class Watch:
    """Hooks on every known node. They report to `tell` until `stop` is called."""

    def __init__(self, tell: Callable[[Ran | Grew], None]):
        self.tell = tell
        self.nodes: dict[int, Any] = {}  # by id; kept alive, so that no id is reused
        self.shapes: dict[Key, Sequence[int]] = {}  # of results, where known
        self.leaves: dict[int, tuple[Any, Amount, Amount | None]] = {}  # by id: the leaf, its value and gradient then
        self.saved: dict[int, Saved] = {}  # by id: what a node saved for its derivatives, before a pass freed it
        self.handles: list[Any] = []

    def meet(self, fn: Any) -> list[Any]:
        """Put hooks on `fn` and on all nodes before it that have none. Returns these nodes, oldest first."""
        new, todo = [], [fn]
        while todo:
            fn = todo.pop()
            if fn is None or id(fn) in self.nodes:
                continue
            self.nodes[id(fn)] = fn
            if is_leaf_end(fn):
                leaf = fn.variable
                self.leaves[id(leaf)] = leaf, *leaf_now(leaf)[1:]
                self.handles.append(fn.register_hook(self.growing(leaf)))
            else:
                self.handles.append(fn.register_hook(self.running(fn)))
                self.saved[id(fn)] = Saved(fn)
                new.append(fn)
                todo += [before for before, _ in fn.next_functions]
        return sorted(new, key=lambda fn: fn._sequence_nr())

    def running(self, fn: Any) -> Callable[..., None]:
        def hook(handed: Any, incoming: Any) -> None:
            results, before = [], []
            for g, (target, number) in zip(handed, fn.next_functions, strict=False):
                leaf = target.variable if target is not None and is_leaf_end(target) else None
                shape = self.shapes.get((id(target), number)) if leaf is None else leaf.shape
                results.append(None if g is None or target is None else amount(g, shape))
                before.append(None if leaf is None or leaf.grad is None else amount(leaf.grad))
            came = tuple(None if g is None else amount(g) for g in incoming)
            self.tell(Ran(fn, came, tuple(results), tuple(before)))

        return hook

    def growing(self, leaf: Any) -> Callable[..., None]:
        def hook(_none: Any, _gradient: Any) -> None:
            self.tell(Grew(leaf, amount(leaf.grad)))

        return hook

    def stop(self) -> None:
        for handle in self.handles:
            handle.remove()
