"""The graph that backward walks: nodes, edges, and what a node has saved.

A node is made by dispatch when an operator runs on something that requires grad. Its edges lead to what
made its inputs: another Node, (Node, output number), the leaf Tensor itself, or None where no gradient
is wanted. A leaf stands for its own AccumulateGrad: held by the leaf, that node would be a cycle.
Imports storage, hooks and rules. Read next: accumulate.py.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from . import dtypes
from .hooks import Handle, Hooks, Watch, look_out_for
from .modes import modes
from .places import describe
from .rules import Rule
from .storage import TensorBase

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved "
    "tensors after calling backward."
)

next_number: Callable[[], int] = count().__next__  # sequence numbers: a node's inputs always have lower ones
AT_ONCE = 2**62  # added to the numbers of nodes that run as soon as they are reached: those without a derivative


class Node:
    """One recorded operator. `grad_fn` of whatever it made."""

    __slots__ = ("__dict__", "__weakref__", "_dtype", "_number", "_shape")

    rule: Rule | None = None
    saves: tuple[str, ...] = ()
    outputs = 1

    edges: tuple[Any, ...]  # where the gradients go, one for each input
    _number: int
    _shape: Any  # of the output, and so of the gradient that must come; a list for several
    _dtype: Any

    # rarely used, so kept in __dict__ when set
    tensor_hooks: dict[int, Hooks] | None = None
    retains: dict[int, weakref.ref[TensorBase]] | None = None
    pre_hooks: Hooks | None = None
    post_hooks: Hooks | None = None
    guards: list[Any] | None = None  # saved, beside what slopes get: indices, which must not change either
    trace: Any = None
    watched = False  # True once it has hooks or retains: the engine takes the scenic route
    built_in = False  # AccumulateGrad, CopySlices, CopyBackwards
    nowhere = False  # True where an edge is none to a reader: see view_nodes.py
    foreign = False  # True for a user's Function: what it hands back may be anybody's array

    def name(self) -> str:
        """PyTorch's name for this node: "MulBackward0". The engine's own nodes have a prefix there."""
        return ("torch::autograd::" if self.built_in else "") + type(self).__name__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def _sequence_nr(self) -> int:
        """When this node was made: a larger number than all nodes before it."""
        return self._number

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Where the gradients go: (node, which of its outputs), one for each input; (None, 0) for none."""
        return tuple(public_edge(self.edges[i]) for i in self.listed())

    def listed(self) -> Sequence[int]:
        """Which edges a reader sees: PyTorch's nodes have none for masks, indices and the like."""
        return range(len(self.edges))

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for the reader's own notes on this node."""
        return self.__dict__.setdefault("_metadata", {})

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        """The gradients of the inputs, given that of the output: one for each edge, None where none is wanted."""
        raise NotImplementedError

    def send(self, grad: Any, F: Any, unpack: Callable[..., Any], arrive: Callable[[Any, Any], None]) -> None:
        """Let the gradients that `backward` computes arrive at the ends of the edges."""
        for edge, g in zip(self.edges, self.backward(grad, F, unpack), strict=True):
            if edge is not None:
                arrive(edge, g)

    def pass_by(self) -> None:
        """No gradient has come, so none is computed: what was saved must be there, and unchanged, all the same."""

    def release(self) -> None:
        """Forget what was saved: it isn't needed again."""
        for name in self.saves:
            setattr(self, "saved_" + name, None)

    if TYPE_CHECKING:  # saved_self, kept_dim … of the rules' nodes; a Function's ctx keeps what its author likes

        def __getattr__(self, name: str) -> Any: ...

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_inputs, grad_outputs)` after this node has run; what it returns replaces grad_inputs."""
        self.watched = True
        return Handle.into(self, "post_hooks", hook, Watch.readers)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_outputs)` before this node runs; what it returns replaces grad_outputs."""
        self.watched = True
        return Handle.into(self, "pre_hooks", hook, Watch.readers)


def saved(what: str) -> property:
    """`node._saved_self`, `_saved_result` …: what the node has kept for its slopes, as Tensors. A property each, since
    a `__getattr__` would slow down every attribute of every node."""

    def get(node: Any) -> Any:
        kept = getattr(node, "saved_" + what)
        if kept is not None:
            return RECORDED_UNPACK[0](kept, node)
        slopes = zip(node.rule.inputs, node.edges, strict=False)
        if any(edge is not None and what in node.rule.needs.get(name, ()) for name, edge in slopes):
            raise RuntimeError(FREED)  # some slope wanted it: it was here
        return None

    return property(get)


RECORDED_UNPACK: list[Callable[..., Any]] = []  # forms.py puts the one that gives Tensors here


class AccumulateGrad(Node):
    """The public face of a leaf's end of an edge: `.variable` is the leaf. One for each leaf."""

    __slots__ = ("variable",)
    built_in = True
    edges = ()

    def __init__(self, leaf: TensorBase):
        self.variable = leaf
        self._number = 2**63 - 1

    @classmethod
    def of(cls, leaf: TensorBase) -> AccumulateGrad:
        """The leaf's accumulator; the leaf knows it weakly, since it knows the leaf."""
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
        self.variable._accumulator = self  # from now on it must live as long as the leaf
        self.variable._watched = True
        return Handle.into(self, which, hook, Watch.readers, Watch.leaves)


def public_edge(edge: Any) -> tuple[Any, int]:
    """An edge as PyTorch shows it: (node, output number)."""
    if edge is None or (isinstance(edge, Node) and edge.nowhere):
        return None, 0
    if isinstance(edge, tuple):
        return edge
    return (AccumulateGrad.of(edge), 0) if isinstance(edge, TensorBase) else (edge, 0)


# -- saved values: a Tensor, or a triple (Tensor or array, its list of versions, the version when saved).
# A bare Tensor was at version 0; a bare array is the node's own result, or a number. Under saved_tensors_hooks
# it is what was packed, None, and how to unpack it. ----


def raw_unpack(saved: Any, node: Node) -> Any:
    """The saved array, if nobody has changed or freed it since."""
    if isinstance(saved, TensorBase):
        if saved._versions is None:
            return saved._data
        saved = saved, saved._versions, 0
    elif saved is None:
        raise blame(RuntimeError(FREED), node=node)
    elif not isinstance(saved, tuple):
        return saved
    thing, versions, version = saved
    if versions is None:  # packed by a saved_tensors_hook
        return unpack_hooked(saved, node)._data
    if versions[0] != version:
        raise changed(saved, node)
    return thing._data if isinstance(thing, TensorBase) else thing


class Packed:
    """How to make again what a saved_tensors_hook has packed: the reader's function, and the history it had.

    `itself`: the hook gave the node's own result back. The node keeps its array; what is unpacked comes from it.
    """

    __slots__ = ("__weakref__", "history", "itself", "unpack")

    def __init__(self, unpack: Callable[[Any], Any], history: Any, itself: bool):
        look_out_for(self, Watch.readers)
        self.unpack, self.history, self.itself = unpack, history, itself


def unpack_hooked(saved: Any, node: Node) -> Any:
    """Call the user's unpack hook; what it gives must be a Tensor."""
    packed, _, how = saved
    if how.itself and packed._data.shape == node._shape:
        again: Any = object.__new__(type(packed))
        again._data, again._requires_grad, again._fn = packed._data, True, node
        again._grad = again._view = again._versions = None
        packed = again
    thing = how.unpack(packed)
    if not isinstance(thing, TensorBase):
        raise TypeError(
            "Output of saved tensor unpack_hook expected to be a Tensor but got result of type " + type(thing).__name__
        )
    return thing


def blame(error: Exception, **clues: Any) -> Exception:
    """Let an error of the backward pass say more than its text, to who asks. It gives the error back.

    node: the node that was running, a grad_fn;  changed_at: (file, line) of the reader's line that changed what it
    had saved;  roots: the tensors whose backward it was. They live as long as the error.
    """
    for name, clue in clues.items():
        setattr(error, name, clue)
    return error


def short(node: Node) -> str:
    """The operator's name, as errors have it: "Mul" for MulBackward0, "Sum1" for SumBackward1."""
    name, _, number = node.name().rpartition("Backward")
    return name + number.removeprefix("0") if number == "" or number.isdigit() else node.name()


def first_changed(node: Node) -> Any:
    """The first that was changed of what the node has saved: PyTorch takes all of it out before it computes."""
    for name in node.rule.order_of_saving if node.rule is not None else ():
        kept = getattr(node, "saved_" + name)
        if isinstance(kept, TensorBase) and kept._versions is not None:
            kept = kept, kept._versions, 0
        if isinstance(kept, tuple) and kept[1] is not None and kept[1][0] != kept[2]:
            return kept
    return None


def changed(saved: Any, node: Node) -> RuntimeError:
    """PyTorch's error for a saved tensor that was changed in place, with a note that says where."""

    thing, versions, version = first_changed(node) or saved
    array, fn = (thing._data, thing._fn) if isinstance(thing, TensorBase) else (thing, node)
    if array.dtype.kind != "f":  # indices that the operator made: no gradient, so no maker
        fn = None
    fn, output = fn if isinstance(fn, tuple) else (fn, 0)
    fn = None if fn is not None and fn.nowhere else fn
    legacy = dtypes.from_numpy(array.dtype).legacy
    name = "CPUBoolType" if legacy == "Bool" else f"torch.{legacy}Tensor"  # PyTorch has forgotten to rename this one
    kind = f"{name} {list(array.shape)}"
    maker = ""
    if fn is not None:
        maker = f", which is output {output} of {short(fn)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
        "question was changed in there or anywhere later. Good luck!"
        if modes.anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind}]{maker} is at version {versions[0]}; expected version {version} instead. Hint: {hint}"
    )
    blame(error, node=node)
    if versions[1] is not None:
        blame(error, changed_at=versions[1])
        where = f" ({describe(node.trace[-1].filename, node.trace[-1].lineno)})" if node.trace else ""
        error.add_note(
            f"{node.name()}{where} saved this tensor for its slope, then {describe(*versions[1])} changed it in place. "
            "Change a copy instead (`x = x + 1`, or `x.clone()` first), or change it after backward()."
        )
    return error
