"""Views: PyTorch's rules for the history of a view, and for changes of a view in place.

A view requires grad if `requires_grad_` was called on it, if a recorded operator made it, or if its base requires grad
at present. Its node is the one that was recorded when it was made, until its memory changes. Then it gets a new node
that leads to its base (AsStridedBackward0), when `_fn` is next read. Some views may not get one: those made under
no_grad, or together with others (see `kind`). A change through a view gives its *base* a new history (CopySlices).

So after a change, or when a base starts or stops requiring grad, its views must be updated. `unsettle` sets their
class to Unsettled, whose `_fn` and `_requires_grad` are properties that update the view when they are read. All other
tensors have plain fields, which cost nothing.
Imports view_nodes. Read next: _call/dispatch.py, which registers views; _tensors/inplace.py, which asks `refuse` and
`rebase`.
"""

from __future__ import annotations

import dis
import functools
import re
import sys
from collections.abc import Callable
from typing import Any
from weakref import ref as reference

from ..core.modes import switched
from ..core.rules import TABLE, Rule
from .nodes import Node
from .saved import Detached, short
from .storage import NO_VERSIONS, TensorBase
from .switches import modes, untraceable
from .view_nodes import AsStridedBackward0, CopySlices, Nowhere

# `_requires_grad` of a view that requires grad only because its base does, and whose edge is Nowhere
THROUGH_BASE: Any = 2

# Kinds of views; most have None
SEVERAL, CUSTOM, NO_GRAD, INFERENCE = "one of several", "of a Function", "no_grad", "inference_mode"


def register_view(out: TensorBase, source: TensorBase, rule: Rule, params: dict[str, Any], output: int = 0) -> None:
    """Store that `out = rule(source, **params)` shares the memory of `source`.

    `_view` is (base, source, rule, parameters, which output, kind, the version that its history belongs to).
    """
    versions, above = source._versions, source._view
    if versions is None:
        versions = source.versions()
    elif versions is NO_VERSIONS:  # inference tensors have no history
        out._view, out._versions, out._requires_grad = None, versions, False
        return
    if above is None:
        base, kind = source, None
    else:
        base, kind = above[0], above[5]
    if not rule.outputs:
        kind = SEVERAL
    out._versions = versions
    out._requires_grad = asks = base._requires_grad
    if switched and not modes.recording:
        kind = INFERENCE if modes.inference else NO_GRAD
        if asks:
            write(out, Nowhere(out), THROUGH_BASE)
    out._view = (base, source, rule, params, output, kind, versions[0])
    views = versions[2]
    if views is None:
        versions[2] = [reference(out)]
    else:
        count = len(views)
        if count > 64 and not count & (count - 1):  # at each power of two, remove the references to freed views
            views[:] = [ref for ref in views if ref() is not None]
        views.append(reference(out))


def own(view: Any) -> Any:
    """The view as an ordinary tensor, for use where its base is never read again."""
    view._view = None
    if view._versions is not NO_VERSIONS:
        view._versions = None
    return view


# -- what is known of a tensor without looking anew ----------------------------------------------


def base_of(tensor: Any) -> Any:
    """The base of a view, whose memory it shares; any other tensor is its own base."""
    return tensor if tensor._view is None else tensor._view[0]


def made_by(tensor: Any) -> Any:
    """The last known history: the node, (node, output index), or None for a leaf."""
    fn = TensorBase._fn.__get__(tensor)  # the field itself: see Unsettled
    return None if isinstance(fn, Nowhere) else fn


# -- the rules -----------------------------------------------------------------------------------


def ask(tensor: Any, requires_grad: bool) -> None:
    """`requires_grad_` on a leaf. Its views are updated; a view may later also require grad through its base."""
    if switched:
        untraceable("changes whether a tensor requires grad")
    tensor._watched = tensor._watched or not requires_grad
    if tensor._view is None:
        tensor._requires_grad = requires_grad
        unsettle(tensor)
    else:
        tensor._asked = requires_grad
        tensor.__class__ = unsettled(tensor.__class__)
        if not tensor._view[0]._requires_grad:
            settle(tensor)


def forget(tensor: Any) -> None:
    """`detach_`: the tensor becomes a leaf that requires no grad. Its views keep their histories.

    A node that has saved the tensor refuses to run from now on, as in PyTorch, unless it is the tensor's own. (If the
    memory already has a version counter, other tensors may share it, so such a tensor is not marked.)
    """
    if tensor._fn is not None and tensor._versions is None:
        versions, node = tensor.versions(), tensor._fn[0] if isinstance(tensor._fn, tuple) else tensor._fn
        versions[0] = Detached(versions[0])
        for name in node.saves if node.rule is not None else ():  # a Function's node keeps what its author saved
            kept = getattr(node, "saved_" + name)
            if isinstance(kept, tuple) and kept[1] is versions:
                setattr(node, "saved_" + name, (kept[0], versions, versions[0]))
    tensor._fn, tensor._requires_grad = None, False
    tensor._watched = True
    unsettle(tensor)


def refuse(tensor: Any, recording: bool = True) -> None:
    """Raise if autograd forbids a change of this tensor in place, whether the operator is recorded or not."""
    if switched:
        untraceable("changes a tensor in place")
    if not recording:
        return
    view = tensor._view
    if view is not None:
        if view[5] is not None:
            raise RuntimeError(why_not(tensor, "is being"))
        if tensor._requires_grad and view[0]._fn is None:
            raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if tensor._requires_grad and made_by(tensor) is None:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def rebase(tensor: Any, node: Node, output: int = 0) -> None:
    """Make `node` the history of `tensor`, which was changed. For a view, the history of its base changes, by
    CopySlices."""
    if tensor._view is None:
        give(tensor, node, output)
    else:
        base = tensor._view[0]
        give(base, CopySlices(base, tensor, node))
        settle(tensor)


def pass_on(tensor: Any, out: Any) -> Any:
    """`out`, on the same array, becomes a view of an input that a Function has returned unchanged."""
    register_view(out, tensor, TABLE["alias"], {})
    return out


def come_from_function(out: Any, fn: Any) -> None:
    """Make `node` the history of a Function's output; the tensor that it is a view of keeps its own."""
    write(out, fn, True)
    made_in_function(out, isinstance(fn, tuple))
    if isinstance(out, Unsettled):
        settle(out)


def made_in_function(out: Any, several: bool) -> None:
    """Mark a view as the output of a Function, even if nothing was recorded."""
    if out._view is not None:
        out._view = (*out._view[:5], SEVERAL if several else CUSTOM, out._versions[0])


def give(tensor: Any, node: Node, output: int = 0) -> None:
    """Make `node` the history of `tensor`. If the tensor retains its gradient, it retains the gradient at the new
    node."""
    before, at = made if isinstance(made := made_by(tensor), tuple) else (made, 0)
    ref = before.retains.get(at) if before is not None and before.retains else None
    if ref is not None and ref() is tensor:
        node.retains, node.watched = {output: before.retains.pop(at)}, True
    write(tensor, (node, output) if node.outputs > 1 else node, True)


def write(tensor: Any, fn: Any, requires_grad: bool) -> None:
    """Set the two fields directly, whatever the class."""
    TensorBase._fn.__set__(tensor, fn)
    TensorBase._requires_grad.__set__(tensor, requires_grad)  # type: ignore[attr-defined]


# -- another shape in place: x.t_() ---------------------------------------------------------------


def shadow(tensor: Any) -> Any:
    """A tensor with the former state of this one: its array, its history and its base."""
    out = object.__new__(type(tensor))
    write(out, tensor._fn if modes.recording else TensorBase._fn.__get__(tensor), tensor._requires_grad)
    out._data, out._grad, out._view, out._versions = tensor._data, None, tensor._view, tensor.versions()
    return out


def reshaped(tensor: Any, before: Any, rule: Rule, params: dict[str, Any], undo: Rule, how: dict[str, Any]) -> None:
    """`tensor` has another shape than `before`, its shadow, on the same memory. If it is a view, it stays a view of its
    base; if not, its shadow becomes a view of it. Other views of it now come from the shadow, which has the shape that
    they were made from."""
    versions = tensor._versions
    for ref in (versions[2] or ()) if versions is not NO_VERSIONS else ():
        view = ref()
        # also for the former base, if that was reshaped in this way itself
        while view is not None and view._view is not None:
            if view._view[1] is tensor:
                view._view = (view._view[0], before, *view._view[2:])
                break
            view = view._view[1]
    if tensor._view is None:
        before._view = (tensor, tensor, undo, how, 0, None, 0)
    else:
        base, _, _, _, _, kind, then = tensor._view
        tensor._view = (base, before, rule, params, 0, kind, then)


def renew(tensor: Any, fn: Any) -> None:
    """Make this node the history; for a view, only its own, not that of its base. A retained gradient stays the
    gradient of the former value."""
    if tensor._view is not None:
        tensor._view = (*tensor._view[:-1], tensor._versions[0])
    tensor._retained = tensor.retains_grad
    write(tensor, fn, True)
    if isinstance(tensor, Unsettled):
        settle(tensor)


def unsettle(tensor: Any) -> None:
    """Mark all views of this memory as outdated, after a change of it or of its base's `requires_grad`."""
    versions = tensor._versions
    if versions is None or versions is NO_VERSIONS or not versions[2]:
        return
    versions[2] = [ref for ref in versions[2] if ref() is not None]
    for ref in versions[2]:
        view: Any = ref()
        view.__class__ = unsettled(view.__class__)
        view._watched = view._watched or view._asked


def settle(view: Any) -> None:
    """Update a view's history; raise if PyTorch forbids the change of its memory."""
    base, *_, kind, then = view._view
    made, now = made_by(view), view._versions[0]
    if then != now and (made is not None or base._requires_grad):
        if kind is not None:
            raise RuntimeError(why_not(view, "its base or another view of its base has been"))
        give(view, AsStridedBackward0(base, view))
        view._view = (*view._view[:-1], now)
    elif made is None:
        through_base = base._requires_grad and not view._asked
        write(view, Nowhere(view) if through_base else None, THROUGH_BASE if through_base else view._asked)
    if isinstance(view, Unsettled):
        view.__class__ = view.__class__.__bases__[1]


def settled(tensor: Any) -> Any:
    """The tensor, with its history updated; RuntimeError if PyTorch forbids the change of its memory."""
    if isinstance(tensor, Unsettled):
        settle(tensor)
    return tensor


MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
METHODS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}


def compared(sign: str) -> Callable[[Any, Any], Any]:
    """The comparison method of an unsettled view. Python calls the method of a subclass's instance first, so `x < v`
    calls `v > x`. The result is the same, but an error that names two sizes must name them in the order of the user's
    line. So the operator is read from the user's frame."""

    def compare(self: Any, other: Any) -> Any:
        kind = type(self).__bases__[1]
        try:
            return getattr(kind, METHODS[sign])(self, other)
        except RuntimeError:
            frame = sys._getframe(1)
            here = (each.argval for each in dis.get_instructions(frame.f_code) if each.offset == frame.f_lasti)
            stands = re.search("[<>]=?", str(next(here, "")))
            turned = stands is not None and stands[0] == MIRRORED[sign]
            if not (turned if type(other) is kind else issubclass(type(other), kind)):
                raise
        return getattr(type(other), METHODS[MIRRORED[sign]])(other, self)

    return compare


class Unsettled:
    """A view whose history must be updated when it is next read."""

    __slots__ = ()

    __lt__, __le__, __gt__, __ge__ = map(compared, MIRRORED)

    @property
    def _fn(self) -> Any:
        settle(self)
        return self._fn

    @property
    def _requires_grad(self) -> bool:
        view: Any = self
        base, *_, then = view._view
        if view._asked or made_by(view) is not None or (base._requires_grad and then != view._versions[0]):
            return True
        settle(view)
        return view._requires_grad

    def __repr__(self) -> str:
        try:
            settle(self)
        except RuntimeError:
            return repr(self.detach())[:-1] + ", grad_fn=<Invalid>)"  # type: ignore[attr-defined]
        return repr(self)


@functools.lru_cache(256)  # each entry keeps a class alive, and programs may create classes
def unsettled(kind: type) -> type:
    """The subclass of `kind` for views whose history is outdated."""
    if issubclass(kind, Unsettled):
        return kind
    names = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (Unsettled, kind), names)


def why_not(view: Any, changed: str) -> str:
    """PyTorch's error for a view whose history can't follow a change."""
    *_, kind, _ = view._view
    made = made_by(view)
    node, output = made if isinstance(made, tuple) else (made, 0)
    where = "inference mode" if kind is INFERENCE else "no_grad mode"
    mode = " in normal mode" if kind is INFERENCE else " with grad mode enabled"
    if node is None:
        what = f"A view was created in {where}"
    else:
        what = f"Output {output} of {short(node)} is a view"
        if kind in (NO_GRAD, INFERENCE):
            what += f" of a view which was created in {where}"
        else:
            mode = ""
    text = f"{what} and {changed} modified inplace{mode}. "
    if kind is SEVERAL:
        return text + (
            "This view is the output of a function that returns multiple views. Such functions do not allow the output "
            "views to be modified inplace. You should replace the inplace operation by an out-of-place one."
        )
    if kind is CUSTOM:
        return text + (
            "This view was created inside a custom Function (or because an input was returned as-is) and the autograd "
            "logic to handle view+inplace would override the custom backward associated with the custom Function, "
            "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
            "custom Function."
        )
    return text + (
        "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving "
        f"both the view and the inplace either both inside the {kind} block (if you don't want the inplace to be "
        "tracked) or both outside (if you want the inplace to be tracked)."
    )
