"""Hooks that observe a graph from outside: on operators, on tensors that nodes save, on several gradients at once.

Imports nodes, hooks and switches. Read next: the lessons.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._engine.hooks import Handle, Registered
from .._engine.nodes import Node
from .._engine.storage import TensorBase
from .._engine.switches import Switch, modes
from .._machine.interrupts import Restored
from .._messages.names import missing as _missing
from .._messages.places import OURS
from .grad_mode import saved_tensors_hooks


class observe_operators(Switch):
    """Inside, `observer(name, inputs, outputs)` is called after each operator that runs in this thread, in the order
    of the code; it changes nothing. PyTorch has no such name; its nearest counterpart is `TorchFunctionMode`.

    name: the operator's ("mul"), or the class of a Function. inputs: as passed, numbers too, and for `x[i]` the index
    tensors. outputs: a tuple.

    >>> import minigrad as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> with torch.autograd.graph.observe_operators(lambda name, inputs, outputs: print(name, outputs[0].item())):
    ...     y = (w + 1).exp()
    add 2.0
    exp 7.389...
    """

    def __init__(self, observer: Callable[[str, tuple[Any, ...], tuple[Any, ...]], None]):
        super().__init__()
        self.observer = observer

    def __enter__(self) -> Any:
        self.switches = {"observers": (*modes.observers, self.observer)}
        super().__enter__()


class observe_backward(Switch):
    """Inside, `observer(tensors)` is called before each backward pass of this thread, that of `autograd.grad` too, with
    the tensors at which the pass starts. PyTorch has no such name.

    >>> import minigrad as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> with torch.autograd.graph.observe_backward(print):
    ...     (w * 3).backward()
    (tensor([3.], grad_fn=<MulBackward0>),)
    """

    def __init__(self, observer: Callable[[tuple[Any, ...]], None]):
        super().__init__()
        self.observer = observer

    def __enter__(self) -> Any:
        self.switches = {"watchers": (*modes.watchers, self.observer)}
        super().__enter__()


class note_lines(Restored):
    """Inside, every node stores the line of your code that made it, in any thread: `node.made_at` is (file, line). It
    costs less than a microsecond for each operator. PyTorch has no such name; its anomaly mode stores whole stacks.

    >>> import minigrad as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> with torch.autograd.graph.note_lines():
    ...     y = w.exp()
    >>> y.grad_fn.made_at                                                        # doctest: +ELLIPSIS
    ('<doctest ...>', 2)
    """

    open: set[object] = set()  # one object for each open block, in any thread
    lock = threading.RLock()  # reentrant, because Ctrl-C may interrupt a holder, whose cleanup takes the lock again

    def __init__(self) -> None:
        super().__init__(self.steps_of, (), {})

    @classmethod
    def steps_of(cls) -> Iterator[None]:
        block = object()
        try:
            cls.open.add(block)
            cls.note_or_not()
            yield
        finally:
            try:
                cls.open.discard(block)
                cls.note_or_not()
            except BaseException:  # Ctrl-C
                cls.open.discard(block)
                cls.note_or_not()
                raise

    @classmethod
    def note_or_not(cls) -> None:
        """Store lines while a block is open. Otherwise Node has no `__init__`, which makes creating nodes faster."""
        with cls.lock:
            if cls.open:
                setattr(Node, "__init__", _note)  # noqa: B010
            elif "__init__" in vars(Node):
                del Node.__init__


class _Ours(dict[str, bool]):
    """Maps a file's name to whether it belongs to this package; each name is tested once."""

    def __missing__(self, name: str) -> bool:
        ours = self[name] = name.startswith(OURS)
        return ours


_ours = _Ours()


def _note(node: Node) -> None:
    """Store only what is needed to find the line later, because the lookup in the code's line table is slow."""
    frame = sys._getframe(2)  # 0 is this function, 1 is where nodes are made
    code = frame.f_code
    while _ours[code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
        code = frame.f_code
    node.made = code, frame.f_lasti


class _Handles(Handle):
    """Removes the hooks of `register_multi_grad_hook`."""

    def __init__(self, handles: Sequence[Handle]):
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Any], fn: Callable[[Any], None], *, mode: str = "all") -> Any:
    """Call `fn` once in each backward: with all gradients, after the last one arrives (`mode="all"`), or with the
    first one ("any"). A tensor that the pass doesn't reach has None at its position."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        tensors = [t for t in tensors if t.requires_grad]
    for t in tensors if mode == "all" else ():
        found = (t.requires_grad or t.grad_fn is not None) and not getattr(t._fn, "nowhere", False)
        assert found, "Expected gradient function to be set"
    targets = [t.grad_fn or t for t in tensors]
    state = threading.local()  # two threads may run two backward passes

    def hook_for(i: int) -> Callable[[Any], None]:
        def hook(grad: Any) -> None:
            if getattr(state, "reached", None) is not modes.reached:  # the first gradient of a new pass
                if mode == "all" and modes.collecting and any(isinstance(t, TensorBase) for t in reached()):
                    raise RuntimeError(
                        "A leaf node was passed to _will_engine_execute_node but we are currently running "
                        "autograd.grad(). This is currently not supported."
                    )
                state.reached, state.grads = modes.reached, [None] * len(tensors)
                state.waiting = len(reached())
                if mode == "any":
                    fn(grad)
            state.grads[i] = grad
            state.waiting -= 1
            if mode == "all" and not state.waiting:
                state.reached = None  # as in PyTorch, a later gradient starts a new count
                fn(state.grads)

        return hook

    def reached() -> list[Any]:
        return [target for target in targets if target in modes.reached]

    handles = [t.register_hook(hook_for(i)) for i, t in enumerate(tensors)]
    for handle in handles:
        hooks: Any = handle.hooks()
        hooks.registries = (Registered.callbacks, Registered.counted)  # makes the pass record what it will reach
        hooks.note()
    return _Handles(handles)


__all__ = [
    "Node",
    "note_lines",
    "observe_backward",
    "observe_operators",
    "register_multi_grad_hook",
    "saved_tensors_hooks",
]


__getattr__ = _missing(__name__)
