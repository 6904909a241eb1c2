"""Saved tensors: PyTorch's errors if they were freed or changed in place, and the user's hooks that pack them.

Imports core, hooks and places. Read next: nodes.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._machine import dtypes
from .._messages.places import Step, describe
from ..core.forms import result
from ..core.node import Node, Packed
from ..core.node import pack as plain
from ..core.rules import OPERATORS
from ..core.seams import seams
from ..core.tensor import wrap
from .hooks import Registered, register
from .storage import TensorBase
from .switches import Switch, modes

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved "
    "tensors after calling backward."
)


class SavedByHook(Packed):
    """A saved tensor that a user's hook has packed. It also holds the function that unpacks it, and the tensor's
    history: an edge, None, or `...` for output number `output` of the saving node itself."""

    __slots__ = ("__weakref__", "history", "itself", "output", "packed", "unpack")

    def __init__(self, tensor: Any, own: bool, packed: Any, unpack: Callable[[Any], Any]):
        register(self, Registered.callbacks)
        self.itself = own and packed is tensor  # then the node saves only its array, and unpacking makes a new tensor
        self.packed, self.unpack = wrap(tensor._data) if self.itself else packed, unpack
        self.output = tensor._fn[1] if own and isinstance(tensor._fn, tuple) else None
        self.history = ... if own and tensor._fn else (tensor._fn or tensor) if tensor._requires_grad else None

    def array(self, node: Node) -> Any:
        packed = self.packed
        if self.itself and packed._data.shape == node._shape:
            packed = again = wrap(packed._data, True)
            again._fn = node
        thing = self.unpack(packed)
        if not isinstance(thing, TensorBase):
            kind = type(thing).__name__
            raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {kind}")
        return thing._data

    def tensor(self, node: Node) -> Any:
        array, edge = self.array(node), self.history
        if edge is ...:
            return result(array, node, node if self.output is None else (node, self.output))
        if isinstance(edge, TensorBase):  # a leaf: the unpacked tensor gets an edge to it
            out = OPERATORS["alias"](edge)
            out._data = array
            return out
        out = wrap(array)
        if edge is not None:
            out._fn, out._requires_grad = edge, True
        return out


def pack(tensor: Any, own: bool = False) -> Any:
    """What a node saves of a tensor; if the user has set a hook for saved tensors, its result."""
    if not modes.saved_hooks:
        return plain(tensor, own)
    versions = tensor.versions()
    pack, unpack = modes.saved_hooks[-1]
    version = versions[0]
    with Switch(grad=False):
        packed = pack(tensor)
    if versions[0] != version:
        raise RuntimeError(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot "
            "be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if "
            "you need to perform in-place operations on the input to a pack hook."
        )
    return SavedByHook(tensor, own, packed, unpack)


seams.pack = pack


class Detached(int):
    """The version of a tensor after `detach_`. It differs from that of each node that saved the tensor before."""

    def __ne__(self, other: object) -> bool:
        return other is not self

    __hash__ = int.__hash__


def blame(error: Exception, **clues: Any) -> Exception:
    """Store additional facts in an error of the backward pass, as attributes; return the error.

    node: the node that was running (a grad_fn);  changed_at: (file, line) of the user's line that changed a saved
    value;  roots: the tensors whose backward failed. They live as long as the error.
    """
    for name, clue in clues.items():
        setattr(error, name, clue)
    return error


def short(node: Any) -> str:
    """The operator's name in errors: "Mul" for MulBackward0, "Sum1" for SumBackward1."""
    name, _, number = node.name().rpartition("Backward")
    return name + number.removeprefix("0") if number == "" or number.isdigit() else node.name()


def first_changed(node: Any) -> Any:
    """The first saved value that was changed: PyTorch unpacks all of them before it computes."""
    for name in node.saves if node.rule is not None else ():
        kept = getattr(node, "saved_" + name)
        if isinstance(kept, TensorBase) and kept._versions is not None:
            kept = kept, kept._versions, 0
        if isinstance(kept, tuple) and kept[1][0] != kept[2]:
            return kept
    return None


def changed(saved: Any, node: Any) -> Exception:
    """PyTorch's error for a saved tensor that was changed in place, with a note that names the line of the change."""
    thing, versions, version = first_changed(node) or saved
    if isinstance(versions[0], Detached):
        text = (
            "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
        )
        return blame(RuntimeError(text + "please use out-of-place `.detach()` instead"), node=node)
    own = node.shown_as and node.shown_as() or node
    array, fn = (thing._data, thing._fn) if isinstance(thing, TensorBase) else (thing, own)
    if array.dtype.kind != "f":  # indices that the operator made: there is no gradient, so no operator to name
        fn = None
    fn, output = fn if isinstance(fn, tuple) else (fn, 0)
    fn = None if fn is not None and fn.nowhere else fn
    legacy = dtypes.from_numpy(array.dtype).legacy
    # PyTorch's message has the older name for this type only
    name = "CPUBoolType" if legacy == "Bool" else f"torch.{legacy}Tensor"
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
        cure = "Change a copy instead (`x = x + 1`, or `x.clone()` first), or change it after backward()."
        if isinstance(versions[1], Step):
            cure = (
                "This part of the graph is older than that step, which changed the parameters it was made with: run "
                "the net again after the step. A state that the next iteration uses keeps the older graph: cut it off "
                "with `state = state.detach()`."
            )
        error.add_note(
            f"{node.name()}{where} saved this tensor for backward(), then {describe(*versions[1])} changed it in "
            f"place. {cure}"
        )
    return error
