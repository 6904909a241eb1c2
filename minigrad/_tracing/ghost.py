"""Ghosts: the tensors without numbers on which a trace runs a function, and the record of its operators.

A ghost replaces a tensor's array. It has a shape and a dtype, and every operator makes new ghosts; but an access to
its numbers is refused, which ends the trace. So the content of a trace can't depend on numbers.
(The trace itself has them: they give shapes and dtypes, and are compared at the end.)
Imports core, dispatch, places and called. Read next: lower.py.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._call import dispatch
from .._engine.storage import TensorBase
from .._messages.places import readers_frame, readers_place
from ..core.rules import TABLE, Rule
from ..core.tensor import wrap
from .called import Called

INSTEAD = {  # what a trace can't hold -> what to do instead, and what JAX and PyTorch do there
    "reads the numbers of a tensor": (
        "compute with tensors, and choose with an operator. In the library JAX, jit raises a ConcretizationTypeError "
        "here; torch.compile ends its graph, runs this line in Python, and begins another graph"
    ),
    "changes a tensor in place": (
        "compute a new tensor. In the library JAX, arrays can't be changed; torch.compile computes a new value and "
        "copies it over the old one"
    ),
    "draws random numbers": (
        "draw them before the call, and pass them as an argument. In the library JAX, the state of the generator is an "
        "argument, called key: the same key gives the same numbers; torch.compile draws new ones at each call"
    ),
    "goes backward": (
        "call backward after the function. The library JAX has `grad`, a function of functions, which its jit can hold"
        "; torch.compile ends its graph here"
    ),
    "registers a hook": "register it outside the function. The library JAX has no hooks; torch.compile holds them",
    "has a history that is not one of operators, such as a Function of your own": (
        "compute it with operators. The library JAX has custom_vjp for that, which its jit can hold; torch.compile "
        "holds most Functions"
    ),
    "returns a view of an argument": (
        "return a copy, made by `clone`. The library JAX has no views; torch.compile makes the view again after each "
        "call"
    ),
    "changes whether a tensor requires grad": (
        "set it before the call. The library JAX has no such flag; torch.compile ends its graph here"
    ),
    "uses a tensor of inference mode, or on another device": (
        "use an ordinary tensor. The jit of the library JAX and torch.compile know other devices"
    ),
}


LEFT_BEHIND = (
    "this tensor was made while jit traced a function, and has no numbers. Only the values that the function returns "
    "get numbers: return it instead of keeping it in a list or an attribute. (JAX raises an UnexpectedTracerError.)"
)


class Untraceable(Exception):
    """An operation that a trace can't hold: its description, the user's line, and the layer that did it, or ""."""

    def __init__(self, what: str, frame: Any):
        super().__init__(what)
        self.what, self.place, self.layer = what, readers_place(frame), ""
        last = readers_frame(frame)
        while frame is not last and not self.layer:  # a layer of ours that the user's line has called
            if frame.f_code.co_name == "forward" and "self" in frame.f_locals:
                self.layer = type(frame.f_locals["self"]).__name__
            frame = frame.f_back


class Ghost:
    """An array without numbers. `number` is its index in the trace; `live` is True if gradients flow to it."""

    __slots__ = ("_hidden", "live", "number", "trace")
    __array_ufunc__ = None  # makes NumPy's functions and `array + ghost` raise

    def __init__(self, trace: Trace, hidden: Any, live: bool):
        self.trace, self._hidden, self.live = trace, hidden, live
        self.number = len(trace.ghosts)
        trace.ghosts.append(self)

    shape = property(lambda self: self._hidden.shape)
    dtype = property(lambda self: self._hidden.dtype)
    ndim = property(lambda self: self._hidden.ndim)
    size = property(lambda self: self._hidden.size)
    nbytes = property(lambda self: self._hidden.nbytes)
    itemsize = property(lambda self: self._hidden.itemsize)
    strides = property(lambda self: self.layout().strides)
    flags = property(lambda self: self.layout().flags)
    device = "cpu"  # the value of a NumPy array's `device`

    def layout(self) -> Any:
        """The array, for code that reads its memory layout: then the trace fits only inputs with the same layout."""
        self.trace.looked_at.add(self.number)
        return self._hidden

    def astype(self, dtype: Any, copy: bool = True) -> Ghost:
        """The ghost with another dtype; called for an operand whose dtype differs."""
        return self.trace.compute(TABLE["to_copy"], [self], {"dtype": np.dtype(dtype)})

    def __len__(self) -> int:
        return self.shape[0]

    def __array_namespace__(self, **_: Any) -> Any:
        """NumPy: the library that makes an array of a number beside it."""
        return np

    def __array__(self, *_: Any, **__: Any) -> Any:
        self.trace.refuse("reads the numbers of a tensor")

    __array_function__ = __getitem__ = __iter__ = __bool__ = __array__
    __setitem__ = lambda self, *_: self.trace.refuse("changes a tensor in place")  # noqa: E731

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.trace.refuse("reads the numbers of a tensor")


@dataclass
class Ran:
    """An operator that ran in a trace: its inputs (numbers of ghosts, or constant arrays), parameters and results."""

    rule: Rule
    inputs: list[Any]
    params: dict[str, Any]
    outputs: list[int]
    at: tuple[int, int] = (0, 0)  # the position in the user's code, from called.py; `name` is the variable
    name: str = ""
    flows: tuple[bool, ...] | None = None  # do gradients flow to each input? None (for a cast): to all


class Trace:
    """A run of a function on ghosts. `ran` has its operators; `met` has the tensors that came from outside."""

    def __init__(self) -> None:
        self.ghosts: list[Ghost] = []
        self.ran: list[Ran] = []
        self.met: list[tuple[Any, Ghost]] = []  # tensors from outside: first the arguments, then others
        self.shadows: dict[int, Any] = {}  # id of a tensor from outside -> the tensor with a ghost
        self.modules: list[Any] = []  # the modules that were called
        self.looked_at: set[int] = set()  # the numbers of ghosts whose memory layout was read
        self.called = Called()
        self.problem: Untraceable | None = None
        self.over = False

    def end(self) -> None:
        """Clear everything at the end: a tensor of the trace may still exist."""
        self.over = True
        for known in (self.ghosts, self.ran, self.met, self.shadows, self.modules):
            known.clear()

    def refuse(self, what: str) -> Any:
        """End the trace. The problem is stored as well as raised, because the user's code may catch the exception."""
        if self.over:
            raise RuntimeError(LEFT_BEHIND)
        refused = Untraceable(what, sys._getframe(1))
        self.problem = self.problem or refused
        raise refused

    def layouts(self) -> set[int]:
        """The tensors from outside whose memory layout must be the same: all sources of the ghosts in `looked_at`."""
        made_of = {n: ran.inputs for ran in self.ran for n in ran.outputs}
        found, todo = set(), [*self.looked_at]
        while todo:
            number = todo.pop()
            if number not in found:
                found.add(number)
                todo += [n for n in made_of.get(number, ()) if type(n) is int]
        return {i for i, (_, ghost) in enumerate(self.met) if ghost.number in found}

    # -- operators ---------------------------------------------------------------------------------

    def stands_for(self, tensor: Any) -> Any:
        """The tensor with a ghost that replaces one from outside; a tensor with a ghost is returned unchanged."""
        data = tensor._data
        if type(data) is Ghost:
            return tensor if data.trace is self else data.trace.refuse("")  # that trace is over, so this raises
        shadow = self.shadows.get(id(tensor))
        return self.meet(tensor) if shadow is None else shadow

    def meet(self, tensor: Any) -> Any:
        """A new tensor with a ghost for one from outside. An argument that is passed twice gets two ghosts."""
        if type(tensor._data) is Ghost:
            tensor._data.trace.refuse("")  # that trace is over, so this raises
        if type(tensor._data) is not np.ndarray or tensor._inference:
            self.refuse("uses a tensor of inference mode, or on another device")
        asks = bool(tensor._requires_grad)
        shadow = wrap(Ghost(self, tensor._data, asks), asks)
        self.met.append((tensor, shadow._data))
        self.shadows.setdefault(id(tensor), shadow)  # the id stays valid because `met` holds the tensor
        return shadow

    def settle(self, rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> list[Any] | None:
        """The inputs as tensors with ghosts, with the dtypes that the rule expects."""
        for each in parts(params):
            if isinstance(each, Ghost | np.ndarray | TensorBase):
                self.refuse("reads the numbers of a tensor")  # an index or a mask, on which the result depends
        return dispatch.settle(
            rule, tuple([self.stands_for(x) if isinstance(x, TensorBase) else x for x in inputs]), params
        )

    def compute(self, rule: Rule, arrays: list[Any], params: dict[str, Any]) -> Any:
        """The result as ghosts; a real array among the inputs comes from a Python number."""
        hidden = [a._hidden if type(a) is Ghost else a for a in arrays]
        data = dispatch.compute(rule, hidden, params)
        outs = [Ghost(self, np.asarray(each), False) for each in (data if isinstance(data, tuple) else (data,))]
        inputs = [a.number if type(a) is Ghost else a for a in arrays]
        at, name = self.called.of(sys._getframe(1))
        if self.ran and self.ran[-1].at == at:
            self.ran[-1].name = ""  # an earlier step of the same call: only the last one makes the stored result
        self.ran.append(Ran(rule, inputs, {**rule.params, **params}, [o.number for o in outs], at, name))
        return tuple(outs) if isinstance(data, tuple) else outs[0]

    def after(self, inputs: tuple[Any, ...], outs: tuple[Any, ...], node: Any) -> None:
        """Called after an operator; `node` tells to which inputs gradients flow."""
        edges = node.edges if node is not None else (None,) * len(inputs)
        flows = tuple(edge is not None for edge in edges)
        for x, flow in zip(inputs, flows, strict=True):
            if flow and not self.stands_for(x)._data.live:
                self.refuse("has a history that is not one of operators, such as a Function of your own")
        self.ran[-1].flows = flows
        for out in outs:
            out._data.live = node is not None


def parts(value: Any) -> Any:
    """The values in nested tuples, lists, dicts and slices."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, slice):
        value = value.start, value.stop, value.step
    if isinstance(value, tuple | list):
        for each in value:
            yield from parts(each)
    else:
        yield value
