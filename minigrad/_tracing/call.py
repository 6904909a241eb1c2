"""`jit`: the first call with new kinds of arguments is traced and compiled; later calls run the compiled function.

Imports all of _tracing/, and everything below. Read ghost.py first.
"""

from __future__ import annotations

import warnings
from functools import partial, update_wrapper
from typing import Any

from .._call import dispatch
from .._engine.switches import modes, untraceable
from .._messages.names import InPlaceOfAModule
from .._messages.places import describe
from ..core.modes import SPECIAL, switched
from ..core.seams import seams
from ..nn.module import Module
from ..random import Generator
from .compiled import Compiled
from .ghost import INSTEAD, LEFT_BEHIND, Ghost, Trace, Untraceable
from .keys import by_layout, by_type, described
from .signature import modules_of, name_of, names_of, said, state_of, tensors_in

MOST = 64  # the most traces, refusals and modules that one function keeps


class Jitted:
    """The result of `jit`. `traces` lists what was compiled, and why; `source` is the text of the newest trace."""

    def __init__(self, function: Any):
        function = function.function if isinstance(function, Jitted) else function
        if not callable(function):
            raise TypeError(f"jit compiles a function or a module, but got {type(function).__name__}")
        self.function: Any = function
        self.modules = modules_of(function)
        self.compiled: dict[Any, Compiled] = {}
        self.newest: Compiled | None = None  # the last trace to run, if its test of arguments is fast
        self.uncompiled: dict[Any, str] = {}  # signature -> reason
        self.incomparable: dict[str, None] = {}  # descriptions of arguments that can't be in a signature
        self.key_of_tensor = by_type  # by_layout, once a trace has read a tensor's memory layout
        self.traces = Traces(self)
        if not isinstance(function, Module):
            update_wrapper(self, function)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        newest = self.newest
        if newest is not None and not switched and not kwargs and newest.fits(args):
            found = newest.run((self.function, args, kwargs), args)
            return found if newest.single else newest.form(found)
        if switched and modes.state == SPECIAL:  # a mode observes operators, or this call is part of another trace
            return self.function(*args, **kwargs)
        try:
            key = self.signature(args, kwargs)
        except (TypeError, RecursionError) as error:
            return self._as_it_is(None, str(error), "A trace is found again by comparing arguments", args, kwargs)
        compiled = self.compiled.get(key)
        if compiled is None or not compiled.still():
            if key in self.uncompiled:
                return self.function(*args, **kwargs)
            why = more = ""
            try:
                compiled = self._compile(args, kwargs, "a tensor from outside had changed" if compiled else "")
            except Untraceable as refused:
                layer = f" in {refused.layer}" if refused.layer else ""
                why = f"it {refused.what}{layer} ({describe(*refused.place)})"
                more = f"A trace cannot hold that: {INSTEAD[refused.what]}"
            except Exception as error:  # an error of the user's code, which the call below raises too, or of ours
                why, more = f"{type(error).__name__}: {error}", "That came while it was traced and compiled"
            if more:  # no longer inside `except`: a traceback would show the user's error twice
                return self._as_it_is(key, why, more, args, kwargs)
        assert compiled is not None
        self.newest = compiled if compiled.plain else None
        found = compiled.run((self.function, args, kwargs), tensors_in((args, kwargs)))
        return found if compiled.single else compiled.form(found)

    def signature(self, args: Any, kwargs: Any) -> Any:
        """The key that decides which trace fits a call. TypeError for an argument that can't be compared later."""
        states, of = [state_of(module) for module in self.modules], self.key_of_tensor
        return modes.grad, tuple([described(a, of) for a in args]), described(kwargs, of) if kwargs else None, *states

    def _compile(self, args: Any, kwargs: Any, why: str) -> Compiled:
        install()
        trace = Trace()
        try:
            compiled = Compiled(trace, self.function, args, kwargs, names_of(self.function))
            called = list(trace.modules)
        finally:
            trace.end()
        if len(self.modules) > MOST:  # perhaps each call creates modules: keep only those that the function names
            self.modules, self.newest = modules_of(self.function), None
            self.compiled.clear()
            self.uncompiled.clear()
        known = [inner for module in self.modules for inner in module.modules()]
        for module in called:  # found in an object or a list: from now on, its mode is part of the key
            if not any(module is each for each in known):
                self.modules.append(module)
                known += module.modules()
        if compiled.layouts and self.key_of_tensor is by_type:
            self.key_of_tensor = by_layout  # the keys of the other traces lack the layout
            self.compiled.clear()
            self.uncompiled.clear()
        key = self.signature(args, kwargs)
        make_room(self.compiled)
        compiled.why = why or self.traces.why(key)
        compiled.watch(self.modules)
        self.compiled[key] = compiled
        return compiled

    def _as_it_is(self, key: Any, why: str, more: str, args: Any, kwargs: Any) -> Any:
        """Run the call without a trace. Warn once, and only if the call succeeds."""
        result = self.function(*args, **kwargs)
        if key is not None:
            make_room(self.uncompiled)
            self.uncompiled[key] = why
        elif why in self.incomparable:
            return result
        else:
            make_room(self.incomparable)
            self.incomparable[why] = None
        warnings.warn(f"{name_of(self.function)} runs uncompiled: {why}. {more}.", stacklevel=3)
        return result

    @property
    def last(self) -> Compiled:
        """The newest trace. LookupError if there is none."""
        if not self.compiled:
            raise LookupError(f"{name_of(self.function)} has no trace yet: call it")
        return list(self.compiled.values())[-1]

    @property
    def source(self) -> str:
        """The Python text of the newest trace."""
        return self.last.program.source

    @property
    def graph(self) -> Any:
        """The static graph of the newest trace, forward and backward, which `viz.draw(fast)` shows."""
        return self.last.program.graph

    @property
    def plans(self) -> list[Any]:
        """The compiled plans of the newest trace, forward and, if there is a gradient, backward: their passes, which
        `viz.passes(fast)` shows, and their text."""
        return list(self.last.program.graph.halves)

    def __getattr__(self, name: str) -> Any:  # for a module: `fast.parameters()`
        if name.startswith("__") or "function" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.function, name)

    def __repr__(self) -> str:
        return f"<jit of {name_of(self.function)}: {counted(len(self.compiled), 'trace')}>"


class Traces:
    """`print(fast.traces)`: the calls for which there is a trace, why each was made, how often it ran."""

    def __init__(self, jitted: Jitted):
        self.jitted = jitted

    def __len__(self) -> int:
        return len(self.jitted.compiled)

    def why(self, key: Any) -> str:
        """The first part in which a new signature differs from the latest one."""
        before = [*self.jitted.compiled, *self.jitted.uncompiled]
        if not before:
            return "it was the first call"
        last = before[-1]
        if key[0] != last[0]:
            return "the grad mode was another one"
        if key[3:] != last[3:]:
            return "a module had another training mode, or other tensors"
        for i, (a, b) in enumerate(zip(key[1], last[1], strict=False)):
            if a != b:
                return f"argument {i + 1} had been {said(b)}"
        return "the arguments were others"

    def __repr__(self) -> str:
        lines = [f"{name_of(self.jitted.function)}: {counted(len(self), 'trace')}"]
        for key, compiled in self.jitted.compiled.items():
            given = ", ".join([*map(said, key[1]), *([f"**{said(key[2])}"] if key[2] else [])])
            grad = "" if key[0] else ", under no_grad"
            ran = "once" if compiled.runs == 1 else f"{compiled.runs} times"
            outside = f" and {counted(n, 'tensor')} from outside" if (n := len(compiled.outside)) else ""
            lines.append(f"  ({given}{grad}){outside}")
            lines.append(f"    {counted(compiled.operators, 'operator')}, ran {ran}; traced because {compiled.why}")
        for key, why in self.jitted.uncompiled.items():
            lines += [f"  ({', '.join(map(said, key[1]))})", f"    runs uncompiled: {why}"]
        return "\n".join(lines)


def make_room(known: dict[Any, Any]) -> None:
    """Remove the oldest entry of a full table."""
    if len(known) >= MOST:
        del known[next(iter(known))]


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


@partial(InPlaceOfAModule, made="traces another one: fast = jit(f)")
def jit(function: Any = None) -> Any:
    """Compile a function of tensors, or a module: the first call is traced, later similar calls run fast.

    The first call with these shapes, dtypes and settings runs `function` once, on tensors without numbers, records the
    operators, derives their gradient, and compiles both. Later calls run only the compiled functions, not the Python
    code. In the graph, such a call is one node. Parameters and other tensors from outside are read at each call;
    Python values keep the value of the first call. Results share no memory with other tensors. If a trace can't hold
    an operation (an `if` on a tensor's number, `.item()`, changes in place, random numbers), the call runs as without
    jit, and a warning gives the reason.

    Raises TypeError for an object that can't be called.

    >>> import minigrad as torch
    >>> @torch.jit
    ... def f(w, x):
    ...     print("Python is here")
    ...     return (w + x) * (w + 1)
    >>> w, x = torch.tensor([2.0], requires_grad=True), torch.tensor([5.0])
    >>> f(w, x)
    Python is here
    tensor([21.], grad_fn=<JitBackward>)
    >>> f(w, x).backward()  # Python isn't
    >>> w.grad
    tensor([10.])
    """
    return Jitted(function)


# -- the connection to the dynamic engine -----------------------------------------------------------


def install() -> None:
    """Make the operators' general path check for a trace."""
    seams.settle, seams.compute, seams.on_result = settle, compute, on_result
    Generator.before_drawing = staticmethod(partial(untraceable, "draws random numbers"))


def settle(rule: Any, inputs: Any, params: Any) -> Any:
    trace = modes.tracing
    if trace is not None:
        return trace.settle(rule, inputs, params)
    for x in inputs:
        if type(getattr(x, "_data", None)) is Ghost:
            raise RuntimeError(LEFT_BEHIND)
    return dispatch.settle(rule, inputs, params)


def compute(rule: Any, arrays: Any, params: Any) -> Any:
    trace = modes.tracing
    return dispatch.compute(rule, arrays, params) if trace is None else trace.compute(rule, arrays, params)


def on_result(rule: Any, inputs: Any, tensors: Any, params: Any, outs: Any, node: Any) -> None:
    if modes.tracing is not None:
        modes.tracing.after(inputs, outs, node)
    dispatch.on_result(rule, inputs, tensors, params, outs, node)
