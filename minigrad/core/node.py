"""Node: one recorded operator. The nodes and their edges are the graph that backward walks.

A node is made when an operator runs on a tensor that requires grad. It has one edge for each input:
to the Node that computed it, to (Node, output index), to the leaf Tensor itself, or None if no
gradient is wanted. No operator computed a leaf, so a leaf has no node: edges end at the Tensor.

The node keeps what slopes need: `saved_…` for tensors, `param_…` for sizes and parameters.
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

next_number: Callable[[], int] = count().__next__  # so a node's inputs have lower numbers


class Node:
    """A recorded operator: the `grad_fn` of the tensor that it computed."""

    __slots__ = ("__dict__", "__weakref__", "_dtype", "_number", "_shape")

    rule: Rule | None = None
    saves: tuple[str, ...] = ()  # names of what is saved
    outputs = 1

    edges: tuple[Any, ...]  # one for each input: where its gradient goes
    _number: int
    _shape: Any  # of the output, and so of its gradient; for several outputs, a list of shapes
    _dtype: Any

    # Rarely used, so they have no slot and go into __dict__ when set
    retains: dict[int, weakref.ref[Tensor]] | None = None  # output -> tensor that keeps its grad
    watched = False  # True: the engine runs the node through `seams.around_node`

    def name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        """The gradients of the inputs, given the gradient of the output (of several: a list). There
        is one for each edge, or None where none is wanted. `unpack` reads what was saved."""
        raise NotImplementedError

    def send(self, grad: Any, F: Any, unpack: Callable[..., Any], arrive: Any) -> None:
        """Send each gradient along its edge. By default, ../_call/fast.py's copy runs instead."""
        for edge, g in zip(self.edges, self.gradients(grad, F, unpack), strict=True):
            if edge is not None:
                arrive(edge, g)

    def release(self) -> None:
        """Free what was saved, after backward. ../_call/fast.py replaces this, too."""
        for name in self.saves:
            setattr(self, "saved_" + name, None)

    if TYPE_CHECKING:  # it can't see saved_self, param_dim …

        def __getattr__(self, name: str) -> Any: ...


class RuleNode(Node):
    """A node of an operator in the table: its gradients come from the row's slopes."""

    __slots__ = ()
    rule: Rule
    base: type[RuleNode]  # the base of node classes; ../_engine/nodes.py sets it to its subclass

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        """Call the slope of each input that wants a gradient."""
        rule: Rule = self.rule
        if rule.each and any(g is None for g in grad):
            grad = self.filled(grad)
        if rule.variadic:  # stack, cat: one slope for all the inputs; `i` is the input's index
            slope, args = rule.slopes[rule.inputs[0]], self.arguments(rule.inputs[0], unpack)
            edges = enumerate(self.edges)
            return tuple(None if e is None else slope(F, grad, i=i, **args) for i, e in edges)
        ends = dict(zip(rule.inputs, self.edges, strict=True))
        found: dict[str, Any] = {}
        for name, slope in rule.slopes.items():
            if ends[name] is not None and name not in found:
                g = slope(F, grad, **self.arguments(name, unpack))
                found |= g if isinstance(g, dict) else {name: g}  # a dict: for several inputs
        return tuple(found.get(name) for name in rule.inputs)

    def arguments(self, name: str, unpack: Callable[..., Any]) -> dict[str, Any]:
        """The keyword arguments of this input's slope: for mul's `other`, {self: its value}."""
        return {
            need: unpack(getattr(self, "saved_" + need), self)
            if need in self.rule.saves
            else getattr(self, "param_" + need)
            for need in self.rule.needs[name]
            if need != "i"
        }

    def filled(self, grads: list[Any]) -> list[Any]:
        """Replace each None by zeros: an output of unbind or split that got no gradient."""
        recorded = any(isinstance(g, Tensor) for g in grads)
        sizes = zip(grads, self._shape, self._dtype, strict=True)
        zeros = [np.zeros(size, dtype) if g is None else g for g, size, dtype in sizes]
        return [wrap(z) if recorded and not isinstance(z, Tensor) else z for z in zeros]


RuleNode.base = RuleNode


@cache
def node_class(rule: Rule) -> Any:
    """Make the rule's node class, once. It has a slot for each edge, each tensor that may be saved,
    and each parameter and size."""
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
    """A property for these attributes as one tuple; to create a tuple for each node costs 13 ns."""

    def put(node: Any, values: Any) -> None:
        for name, value in zip(names, values, strict=True):
            setattr(node, name, value)

    return property(lambda node: tuple([getattr(node, name) for name in names]), put)


# -- what a node has saved -------------------------------------------------------------------------
# `node.saved_self` and the other `saved_…` are one of
#     a Tensor       an input without a version counter: it was not changed so far
#     an array       the node's own result without a version counter (its Tensor refers to the
#                    node, and would make a cycle); or a number's array, as in w * 2: never changed
#     a triple       (a Tensor or array as above, its version counter, the count when saved)
#     a Packed       made by a replaced `seams.pack`, as for saved-tensor hooks
#     None           no slope that will run needs it, or `release` has freed it


class Packed:
    """Stands for a saved tensor, and gives it back on demand: the base class for other rooms."""

    __slots__ = ()

    def array(self, node: Node) -> Any:
        return self.tensor(node)._data

    def tensor(self, node: Node) -> Any:
        """The saved tensor, with its `grad_fn`."""
        raise NotImplementedError


def pack(tensor: Any, own: bool = False) -> Any:
    """What a node saves of an input, or of its `own` result."""
    what, versions = tensor._data if own else tensor, tensor._versions
    return what if versions is None else (what, versions, versions[0])


seams.pack = pack


def unpack(saved: Any, node: Node) -> Any:
    """The saved array; an error if it was freed or changed in place since."""
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


seams.explain = lambda error, **about: error
