"""The attributes of a node that PyTorch has: its name, its edges, its saved values, its hooks.

Imports core, hooks and saved. Read next: view_nodes.py.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._machine.backend import F32, HALF
from .._machine.dtypes import from_numpy
from ..core import node as core
from ..core.forms import recorded_unpack
from ..core.tensor import wrap
from .hooks import Handle, Hooks, Registered
from .saved import FREED, SavedByHook
from .storage import TensorBase

NO_SLOPE = "NotImplemented"  # the class name of nodes of operators without a derivative
BUILT_IN = ("CopyBackwards", NO_SLOPE)  # PyTorch puts a prefix before the names of these operators' nodes
# families in which one kernel computes each slope, so float16 is rounded once
IN_SINGLE = ("norm", "loss", "window", "matmul", "reduction")
AT_ONCE = 2**62  # added to the numbers of nodes without a derivative, which run as soon as a pass reaches them


class Metadata(NamedTuple):
    """The shape and type that a gradient must have when it reaches a node."""

    shape: list[int]
    dtype: Any


class Node(core.Node):
    """One recorded operator: the `grad_fn` of its result."""

    __slots__ = ()

    # rarely used, so stored in __dict__ when set
    tensor_hooks: dict[int, Hooks] | None = None
    pre_hooks: Hooks | None = None
    post_hooks: Hooks | None = None
    guards: list[Any] | None = None  # saved values that no slope uses, such as indices; they must not change either
    trace: Any = None
    made: Any = None  # (code, instruction offset) of the call, if lines are noted: see autograd/graph.py
    built_in = False  # AccumulateGrad, CopySlices, CopyBackwards
    nowhere = False  # True if users don't see the edge to this node: see view_nodes.py
    shown_as: Any = None  # of a change of a view: a reference to the view's new node
    foreign = False  # True for a user's Function, which is called even if no gradient arrived

    def name(self) -> str:
        """PyTorch's name for this node: "MulBackward0". Nodes of PyTorch's own engine get a prefix."""
        return ("torch::autograd::" if self.built_in else "") + type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def _sequence_nr(self) -> int:
        """The node's number. Nodes that are made later have larger numbers."""
        return self._number

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The receivers of the gradients: (node, output index) for each input; (None, 0) if there is none."""
        return tuple(public_edge(self.edges[i]) for i in self.listed())

    @property
    def made_at(self) -> tuple[str, int] | None:
        """(file, line) of the user's line that made this node, if `note_lines` or anomaly mode was on; otherwise None.
        PyTorch's nodes lack this attribute."""
        if self.made is not None:
            code, offset = self.made
            here = (line for start, end, line in code.co_lines() if line is not None and start <= offset < end)
            return code.co_filename, next(here, code.co_firstlineno)
        return (self.trace[-1].filename, self.trace[-1].lineno) if self.trace else None

    @property
    def _input_metadata(self) -> tuple[Metadata, ...]:
        """The shape and type of each output of the operator, which its gradient must have, too."""
        several = isinstance(self._shape, list)
        pairs = zip(self._shape, self._dtype, strict=True) if several else [(self._shape, self._dtype)]
        return tuple(Metadata(list(shape), dtype and from_numpy(dtype)) for shape, dtype in pairs)

    def pass_by(self) -> None:
        """No gradient arrived, so none is computed. But saved values must still exist and be unchanged."""

    def listed(self) -> Sequence[int]:
        """The indices of the edges that users see: PyTorch's nodes have none for masks, indices and the like."""
        return range(len(self.edges))

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for the user's notes on this node."""
        return self.__dict__.setdefault("_metadata", {})

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_inputs, grad_outputs)` after this node has run; its result, unless None, replaces
        grad_inputs."""
        self.watched = True
        return Handle.into(self, "post_hooks", hook, Registered.callbacks)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_outputs)` before this node runs; its result, unless None, replaces grad_outputs."""
        self.watched = True
        return Handle.into(self, "pre_hooks", hook, Registered.callbacks)


class Whole(Node):
    """A node that can run a whole pass, if the pass starts at this node and ends at leaves."""

    __slots__ = ()

    def whole(self, grad: Any, retain_graph: bool) -> bool:
        """Run the pass on plain arrays, if it has this form. True if it ran."""
        raise NotImplementedError


class OperatorNode(Node, core.RuleNode):
    """The node of an operator of the table."""

    __slots__ = ()
    params: tuple[str, ...] = ()
    left_out: tuple[tuple[None, int], ...] = ()  # edges of inputs that were left out, such as a bias that is None

    def __init_subclass__(cls) -> None:
        cls.built_in = cls.__name__ in BUILT_IN  # a row with another name for its node is not built in
        cls.foreign = cls.rule.node_name == NO_SLOPE  # its backward raises an error even if no gradient arrives
        cls.left_out = ((None, 0),) * getattr(cls.rule, "left_out", 0)
        if alone := saved_for_one(cls.rule):
            cls.edges = without(alone, cls.edges)  # type: ignore[assignment]
        for name in cls.saves:
            setattr(cls, "_saved_" + name, saved(name))
        for name in cls.params:  # parameters, and sizes under PyTorch's names
            setattr(cls, "_saved_" + name.replace("_sizes", "_sym_sizes"), getattr(cls, "param_" + name))

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return super().next_functions + self.left_out

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if self.rule.each and all(g is None for g in grad):  # a Function behind the outputs gave them no gradient
            return (None,) * len(self.edges)
        if self._dtype is HALF and self.rule.kind in IN_SINGLE and getattr(grad, "dtype", None) is HALF:
            return self.in_single(grad, F, unpack)
        packed = [kept for name in self.saves if isinstance(kept := getattr(self, "saved_" + name), SavedByHook)]
        if packed:  # unpack everything that a hook has packed first, and only once
            unpacked = {id(kept): unpack(kept, self) for kept in packed}
            plain = unpack
            unpack = lambda kept, node: unpacked[id(kept)] if id(kept) in unpacked else plain(kept, node)  # noqa: E731
        found = super().gradients(grad, F, unpack)
        if isinstance(grad, TensorBase) and hasattr(self.rule, "leads_on"):
            ends = dict(zip(self.rule.inputs, self.edges, strict=True))
            for i, name in enumerate(self.rule.inputs):
                to = [ends[each] for each in self.rule.leads_on.get(name, ()) if ends[each] is not None]
                if found[i] is not None and to:
                    found = (*found[:i], led_on(found[i], to, self.rule), *found[i + 1 :])
        return found

    def in_single(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        """The gradients for float16, computed in float32 and rounded once, as in PyTorch's kernels. `grad` is an array.
        In a recorded pass it would be a Tensor, and each operator rounds once by itself."""

        def wide(kept: Any, node: Any) -> Any:
            array = unpack(kept, node)
            return array.astype(F32) if array.dtype is HALF else array

        found = super().gradients(grad.astype(F32), F, wide)
        return tuple(
            None if g is None else g.astype(expected_at(edge)[1]) for edge, g in zip(self.edges, found, strict=True)
        )

    def pass_by(self) -> None:
        for name in self.saves:
            getattr(self, "_saved_" + name)

    def listed(self) -> Sequence[int]:
        if self.rule.variadic:
            return super().listed()
        if getattr(self.rule, "one_edge", False) and type(self).__name__ == self.rule.node_name:
            return [0]
        # the edge of the tensor, beside the number
        if type(self).__name__ in (names := getattr(self.rule, "number_nodes", ())):
            return [1 - names.index(type(self).__name__)]
        return [i for i, name in enumerate(self.rule.inputs) if name in self.rule.slopes]


core.RuleNode.base = OperatorNode


class LeadsOn(Node):
    """The history of a gradient under create_graph, for an operator whose gradients all come from one kernel. PyTorch
    differentiates that kernel as a whole, so each of its results also leads to inputs that it does not depend on. Those
    inputs get zeros from this node, or no gradient. The first edge is that of the gradient itself."""

    __slots__ = ("edges",)
    zeros = False

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if not self.zeros:
            return grad, *(None for _ in self.edges[1:])
        zeros = [np.zeros(*expected_at(edge)) for edge in self.edges[1:]]
        return grad, *(wrap(each) if isinstance(grad, TensorBase) else each for each in zeros)


@functools.cache
def leads_on_class(rule: Any) -> type[LeadsOn]:
    """The class of these nodes. PyTorch's name for it comes from the kernel: ConvolutionBackward0 →
    ConvolutionBackwardBackward0."""
    name = rule.node_name.replace("Backward", "BackwardBackward")
    return type(name, (LeadsOn,), {"__slots__": (), "zeros": getattr(rule, "by_zeros", False)})


def led_on(grad: Any, ends: list[Any], rule: Any) -> Any:
    """The gradient with additional edges to `ends`, if it requires no gradient or if the rule sends zeros there."""
    node: Any = leads_on_class(rule)()
    if grad._requires_grad and not node.zeros:
        return grad
    node.edges = (grad._fn or grad) if grad._requires_grad else None, *ends
    node._shape, node._dtype, node._number = grad._data.shape, grad._data.dtype, core.next_number()
    out = wrap(grad._data, True)
    out._fn = node
    return out


def expected_at(edge: Any) -> tuple[Any, Any]:
    """The size and the type of the gradient that is sent along an edge."""
    target, output = edge if isinstance(edge, tuple) else (edge, None)
    if isinstance(target, TensorBase):
        return target._data.shape, target._data.dtype
    return (target._shape, target._dtype) if output is None else (target._shape[output], target._dtype[output])


def saved_for_one(rule: Any) -> list[int]:
    """The inputs whose slopes need a tensor that no other slope needs. Before PyTorch saves such a tensor, it checks
    the input's edge. It saves a tensor without this check if several slopes need it, or if the operator has one
    slope."""
    if rule.variadic or len(rule.slopes) < 2:
        return []
    needs = [need for needs in rule.needs.values() for need in needs]
    alone = {need for need in rule.inputs if needs.count(need) == 1}
    return [i for i, name in enumerate(rule.inputs) if alone.intersection(rule.needs.get(name, ()))]


def without(inputs: list[int], edges: Any) -> property:
    """The property `edges` of a node class. It replaces an edge from one of these inputs to Nowhere by None, so that
    nothing is saved for the slope of that input."""

    def put(node: Any, ends: Any) -> None:
        nowhere = [i for i in inputs if isinstance(ends[i], Node) and ends[i].nowhere]
        edges.fset(node, tuple(None if i in nowhere else end for i, end in enumerate(ends)) if nowhere else ends)

    return property(edges.fget, put)


def saved(what: str) -> property:
    """A property such as `node._saved_self`: a value that the node saved for its slopes, as a Tensor. There is one
    property for each, because a `__getattr__` would slow down every attribute of every node."""

    def get(node: Any) -> Any:
        kept = getattr(node, "saved_" + what)
        if kept is not None:
            return recorded_unpack(kept, node)
        slopes = zip(node.rule.inputs, node.edges, strict=False)
        if any(edge is not None and what in node.rule.needs.get(name, ()) for name, edge in slopes):
            raise RuntimeError(FREED)  # the slot is None although a slope needs the value, so it was freed
        return None

    return property(get)


class AccumulateGrad(Node):
    """The node that users see at the end of an edge to a leaf: `.variable` is the leaf. Each leaf has one."""

    __slots__ = ("variable",)
    built_in = True
    edges = ()

    def __init__(self, leaf: TensorBase):
        self.variable = leaf
        self._number = 2**63 - 1

    @classmethod
    def of(cls, leaf: TensorBase) -> AccumulateGrad:
        """The leaf's accumulator. It refers to the leaf, so the leaf's reference to it is weak."""
        known = leaf._accumulator
        node = known() if isinstance(known, weakref.ref) else known
        if node is None:
            node = cls(leaf)
            leaf._accumulator = weakref.ref(node)
        return node

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        return self._hooked("post_hooks", hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        return self._hooked("pre_hooks", hook)

    def _hooked(self, which: str, hook: Callable[..., Any]) -> Handle:
        self.variable._accumulator = self  # from now on it must live as long as the leaf, because it has hooks
        self.variable._watched = True
        return Handle.into(self, which, hook, Registered.callbacks, Registered.counted)


def public_edge(edge: Any) -> tuple[Any, int]:
    """An edge as PyTorch shows it: (node, output number)."""
    if edge is None or (isinstance(edge, Node) and edge.nowhere):
        return None, 0
    if isinstance(edge, tuple):
        return edge
    return (AccumulateGrad.of(edge), 0) if isinstance(edge, TensorBase) else (edge, 0)
