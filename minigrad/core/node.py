"""Node: one recorded operator. The nodes and their edges are the graph that backward walks.

A node is made when an operator runs on something that requires grad. Its edges lead to what made
its inputs: another Node, (Node, which output), the leaf Tensor itself, or None where no gradient is
wanted. A leaf stands for its own end: a node there, held by the leaf, would be a cycle.

What a slope needs is kept on the node: `saved_…` for tensors, `param_…` for sizes and parameters.
Imports rules, tensor and seams. Next: record.py.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from .rules import Rule
from .seams import seams
from .tensor import Tensor, wrap

FREED = "what this node had saved was freed by the first backward, for want of retain_graph"
CHANGED = "a tensor that was saved in version {} was changed in place; now it is in version {}"

next_number: Callable[[], int] = count().__next__  # a node's inputs always have lower ones


class Node:
    """What stands behind a tensor that was computed: its `grad_fn`."""

    __slots__ = ("__dict__", "__weakref__", "_dtype", "_number", "_shape")

    rule: Rule | None = None
    saves: tuple[str, ...] = ()  # names of what is saved
    outputs = 1

    edges: tuple[Any, ...]  # where the gradients go, one for each input
    _number: int
    _shape: Any  # of the output, and so of the gradient that must come; a list for several
    _dtype: Any

    # rarely used, so kept in __dict__ when set
    retains: dict[int, weakref.ref[Tensor]] | None = None  # output -> the tensor that retains
    watched = False  # True: more than its slopes belongs to it; the engine asks `around_node`

    def name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        """The gradients of the inputs, given that of the output (a list for several): one for each
        edge, None where none is wanted. `unpack` takes out what was saved."""
        raise NotImplementedError

    def send(self, grad: Any, F: Any, unpack: Callable[..., Any], arrive: Any) -> None:
        """Send what `gradients` computes along the edges. By default, ../_call/fast.py's copy
        runs."""
        for edge, g in zip(self.edges, self.gradients(grad, F, unpack), strict=True):
            if edge is not None:
                arrive(edge, g)

    def release(self) -> None:
        """Forget what was saved: it isn't needed again."""
        for name in self.saves:
            setattr(self, "saved_" + name, None)

    if TYPE_CHECKING:  # saved_self, param_dim …; what others keep on a node

        def __getattr__(self, name: str) -> Any: ...


class RuleNode(Node):
    """The node of a row of the table: its slopes, with what they need."""

    __slots__ = ()
    rule: Rule
    base: type[RuleNode]  # what node classes are made from; ../_engine/nodes.py makes it its own

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        rule: Rule = self.rule
        if rule.each and any(g is None for g in grad):
            grad = self.filled(grad)
        if rule.variadic:  # stack, cat: one slope for all the inputs, told which of them it is for
            slope, args = rule.slopes[rule.inputs[0]], self.arguments(rule.inputs[0], unpack)
            edges = enumerate(self.edges)
            return tuple(None if e is None else slope(F, grad, i=i, **args) for i, e in edges)
        ends = dict(zip(rule.inputs, self.edges, strict=True))
        found: dict[str, Any] = {}
        for name, slope in rule.slopes.items():
            if ends[name] is not None and name not in found:
                g = slope(F, grad, **self.arguments(name, unpack))  # or several: ops/recurrent.py
                found |= g if isinstance(g, dict) else {name: g}
        return tuple(found.get(name) for name in rule.inputs)

    def arguments(self, name: str, unpack: Callable[..., Any]) -> dict[str, Any]:
        """What the slope for this input asks for, by name."""
        return {
            need: unpack(getattr(self, "saved_" + need), self)
            if need in self.rule.saves
            else getattr(self, "param_" + need)
            for need in self.rule.needs[name]
            if need != "i"
        }

    def filled(self, grads: list[Any]) -> list[Any]:
        """A gradient for each output of unbind or split: zeros where none came."""
        recorded = any(isinstance(g, Tensor) for g in grads)
        sizes = zip(grads, self._shape, self._dtype, strict=True)
        zeros = [np.zeros(size, dtype) if g is None else g for g, size, dtype in sizes]
        return [wrap(z) if recorded and not isinstance(z, Tensor) else z for z in zeros]


RuleNode.base = RuleNode


@cache
def node_class(rule: Rule) -> Any:
    """The rule's class of nodes, with a slot for each edge, each tensor that may be saved, each
    parameter and size; made when first needed."""
    needs = {need for needs in rule.needs.values() for need in needs}
    params = [*rule.params, *sorted(need for need in needs if need.endswith("_sizes"))]
    edges = ("edges",) if rule.variadic else tuple(f"edge{i}" for i in range(len(rule.inputs)))
    slots = (
        *edges,
        *("saved_" + name for name in rule.saves),
        *("param_" + name for name in params),
    )
    fields = {"rule": rule, "saves": rule.saves, "params": tuple(params), "__slots__": slots}
    if not rule.variadic:
        fields["edges"] = several(edges)
    return type(rule.node_name, (RuleNode.base,), fields)


def several(names: tuple[str, ...]) -> property:
    """Attributes that are read and set together, as a tuple. A tuple would cost each node 13 ns."""

    def put(node: Any, values: Any) -> None:
        for name, value in zip(names, values, strict=True):
            setattr(node, name, value)

    return property(lambda node: tuple([getattr(node, name) for name in names]), put)


# -- what a node has saved -------------------------------------------------------------------------
#
# `node.saved_self` and its like are one of
#     a Tensor       an input that has no list of versions yet: it was not changed so far
#     an array       the node's own result, likewise (its Tensor holds the node: that would be a
#                    cycle); or the 0-d array of a number, as in w * 2, which can't change
#     a triple       (one of these, its list of versions, the count when it was saved)
#     a Packed       whatever a room outside has made of the tensor
#     None           nothing: no slope that will be asked for needs it, or `release` has let it go


class Packed:
    """What a room outside keeps in the place of a saved tensor, to make it again when asked."""

    __slots__ = ()

    def array(self, node: Node) -> Any:
        return self.tensor(node)._data

    def tensor(self, node: Node) -> Any:
        """The tensor, with the history that it had."""
        raise NotImplementedError


def pack(tensor: Any, own: bool = False) -> Any:
    """What a node keeps of an input, or of its `own` result."""
    what, versions = tensor._data if own else tensor, tensor._versions
    return what if versions is None else (what, versions, versions[0])


seams.pack = pack


def unpack(saved: Any, node: Node) -> Any:
    """The saved array, if it was neither changed nor freed since."""
    if isinstance(saved, Tensor):
        if saved._versions is None:
            return saved._data
        saved = saved, saved._versions, 0
    elif not isinstance(saved, tuple):
        if isinstance(saved, Packed):
            return saved.array(node)
        if saved is None:
            raise seams.explain(RuntimeError(FREED), node=node)
        return saved
    what, versions, version = saved
    if versions[0] != version:
        error = RuntimeError(CHANGED.format(version, versions[0]))
        raise seams.explain(error, node=node, saved=saved)
    return what._data if isinstance(what, Tensor) else what


seams.explain = lambda error, **about: error  # as it is
