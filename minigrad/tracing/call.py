"""`jit`: run a function once on ghosts, compile what ran, and from then on run that.

A trace is good for calls like the one it was made for: `signature` says what "like" is. A call of a compiled function
is one node of the graph, JitBackward; its slope is the compiled backward half.
Imports ghost and lower, and everything below. Read ghost.py first.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

import numpy as np

from .. import dispatch
from ..backend import SILENT
from ..backward import grad as gradients_of
from ..core.modes import SPECIAL, Switch, switched
from ..core.node import unpack
from ..core.rules import Raw
from ..core.seams import seams
from ..core.tensor import wrap
from ..nn.module import Module
from ..nodes import Node
from ..places import describe
from ..random import Generator
from ..storage import TensorBase
from ..switches import modes, untraceable
from .ghost import ELSEWHERE, LEFT_BEHIND, Ghost, Trace, Untraceable, parts
from .lower import Program, Unfit
from .write import calls

MOST = 64  # traces that one function keeps
HOLLOW = wrap(np.empty(0))


class JitBackward(Node):
    """One call of a compiled function."""

    __slots__ = ("again", "edges", "inputs", "of", "outputs", "saved_inputs", "saved_kept")

    of: Compiled
    edges: Any
    outputs: int
    again: Any  # (function, args, kwargs), to do it all once more
    inputs: Any  # the tensors that edges lead to
    saved_inputs: Any  # what backward needs of the inputs, each as core/node.py keeps saved tensors
    saved_kept: Any  # arrays that forward has worked out for it

    saves = ("inputs", "kept")

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if self.saved_kept is None:
            unpack(None, self)  # raises: it was freed
        if not isinstance(F, Raw):
            return self.recorded(grad if isinstance(grad, list) else [grad])
        of, inputs = self.of, [unpack(each, self) for each in self.saved_inputs]
        kept = [unpack(each, self) for each in self.saved_kept] if of.kept_results else self.saved_kept
        filled = [grad]
        if self.outputs > 1:
            filled = [np.zeros(self._shape[i], self._dtype[i]) if grad[i] is None else grad[i] for i in of.asked]
        grads = of.backward(*inputs, *kept, *filled)
        for i in of.again:  # the same array for two inputs: each gets its own
            grads[i] = grads[i].copy()
        return tuple(grads)

    def release(self) -> None:
        self.again = self.inputs = self.saved_inputs = self.saved_kept = None

    def recorded(self, grads: list[Any]) -> tuple[Any, ...]:
        """The gradients with a graph of their own, for create_graph: what was compiled has none, so it is run again."""
        function, args, kwargs = self.again
        for each in self.saved_inputs:
            unpack(each, self)  # they must be what they were
        with Switch(grad=True):
            outs = self.of.results_of(function(*args, **kwargs))
            pairs = [(out, g) for out, g in zip(outs, grads, strict=True) if g is not None and out._requires_grad]
            return gradients_of(
                [o for o, _ in pairs], self.inputs, [g for _, g in pairs], create_graph=True, allow_unused=True
            )


class Compiled:
    """A trace that fits: which tensors go in, what comes out, in what shape, and how often it ran."""

    def __init__(self, trace: Trace, function: Any, args: Any, kwargs: Any, names: list[str]):
        tensors = tensors_in((args, kwargs))
        inside = [trace.meet(t) for t in tensors]
        self.arguments = len(inside)
        ghostly = iter(inside)
        args, kwargs = rebuilt((args, kwargs), lambda _: next(ghostly))
        with Switch(tracing=trace):
            result = function(*args, **kwargs)
        if trace.problem is not None:
            raise trace.problem
        found = tensors_in(result)
        self.result = rebuilt(result, lambda _: HOLLOW)  # in its form; the tensors themselves would hold all that ran
        for tensor in found:
            trace.stands_for(tensor)  # one from outside is met here, if nowhere else
        inside += [trace.shadows[id(t)] for t, _ in trace.met[len(inside) :]]
        given = {shadow._data.number: (i, shadow) for i, shadow in enumerate(inside)}
        numbers, asks = [], []
        for tensor in found:
            out = trace.stands_for(tensor)
            ghost, asked = out._data, bool(out._requires_grad)
            if ghost.number in given and out is not given[ghost.number][1]:
                trace.refuse("gives a view of what it was given")  # detached, for one
            if asked and not ghost.live:
                trace.refuse("has a history that is not one of operators, such as a Function of your own")
            numbers.append(ghost.number)
            asks.append(asked)
        self.outputs = {n: i for i, n in enumerate(dict.fromkeys(numbers))}
        self.order = [self.outputs[n] for n in numbers]
        self.given = {i: given[n][0] for n, i in self.outputs.items() if n in given}
        unique = list(self.outputs)
        made_of = {n: ran for ran in trace.ran for n in ran.outputs}
        for n in unique:
            start = n
            while start in made_of and made_of[start].rule.kind == "view":
                start = made_of[start].inputs[0]
            if start in given and start != n:
                trace.refuse("gives a view of what it was given")
        asking = dict(zip(numbers, asks, strict=True))
        if len({(n, a) for n, a in zip(numbers, asks, strict=True)}) != len(unique):
            trace.refuse("gives a view of what it was given")  # a result, and the same detached
        self.asks = [asking[n] and n not in given for n in unique]
        self.program = Program(trace, names, unique, self.asks)
        self.plain = modes.grad and not kwargs and all(isinstance(a, TensorBase) for a in args)
        self.classes = {type(t) for t in tensors}
        self.states: list[Any] = []
        self.specs = [(t._data.shape, t._data.dtype, bool(t._requires_grad)) for t, _ in trace.met]
        self.outside = [t for t, _ in trace.met[self.arguments :]]
        self.shapes = [trace.ghosts[n].shape for n in unique]
        self.types = [trace.ghosts[n].dtype for n in unique]
        self.runs = 0
        self.why = ""
        self.forward: Any = self.program.forward.run
        self.backward: Any = self.program.backward and self.program.backward.run
        self.single = self.order == [0] and isinstance(result, TensorBase)
        self.asked = [i for i, asked in enumerate(self.asks) if asked]
        one = len(unique) == 1
        self.shape: Any = self.shapes[0] if one else self.shapes
        self.dtype: Any = self.types[0] if one else self.types
        self._check(trace, unique)
        self.takes, self.run = calls(self, JitBackward)
        self.operators = len(trace.ran)

    def _check(self, trace: Trace, unique: list[int]) -> None:
        """Does what was compiled give what the trace gave? Sums may come in another order. And which arrays are one?"""
        program, arrays = self.program, [t._data for t, _ in trace.met]
        values = SILENT.run(program.forward.run, *arrays)
        results, kept = values[: program.results], values[program.results :]
        for n, value in zip(unique, results, strict=True):
            hidden = trace.ghosts[n]._hidden
            if value.dtype != hidden.dtype or not np.allclose(value, hidden, 1e-6, 1e-6, equal_nan=True):
                raise Unfit("the compiled function gives something else")
        self.twice = repeated(results)
        self.kept_results = {k: j for k, each in enumerate(kept) for j, out in enumerate(results) if each is out}
        self.again: list[int] = []
        if program.backward is not None:
            ones = [
                np.ones(trace.ghosts[n].shape, trace.ghosts[n].dtype)
                for n, a in zip(unique, self.asks, strict=True)
                if a
            ]
            feeds = [*(arrays[i] for i in program.saved), *kept, *ones]
            self.again = repeated(SILENT.run(program.backward.run, *feeds))

    def fits(self, args: Any) -> bool:
        """A quick answer for plain tensors, one after the other: True, or perhaps not."""
        if len(args) != self.arguments:
            return False
        try:
            return self.takes(args) and (not self.states or self.still())
        except AttributeError:  # something that is no tensor
            return False

    def form(self, tensors: list[Any]) -> Any:
        """The results in the form that the function gives them."""
        ordered = iter(tensors)
        return rebuilt(self.result, lambda _: next(ordered))

    def still(self) -> bool:
        """Are the modules, and the tensors from outside, of the kind that they were?"""
        for module, state in self.states:
            if state_of(module) != state:
                return False
        for t, (shape, dtype, asks) in zip(self.outside, self.specs[self.arguments :], strict=True):
            data = t._data
            if data.shape != shape or data.dtype is not dtype or bool(t._requires_grad) is not asks:
                return False
        return True

    def results_of(self, result: Any) -> list[Any]:
        """The results of the function itself, each once, in the order of the outputs here."""
        found = dict(zip(self.order, tensors_in(result), strict=True))
        return [found[i] for i in range(len(found))]


def repeated(arrays: list[Any]) -> list[int]:
    """Which of these arrays stand here before."""
    return [i for i, each in enumerate(arrays) if any(each is other for other in arrays[:i])]


# -- nested arguments and results --------------------------------------------------------------------


def tensors_in(value: Any) -> list[Any]:
    """The tensors in nested tuples, lists and dicts, in order."""
    return [each for each in parts(value) if isinstance(each, TensorBase)]


def rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nest, with other tensors."""
    if isinstance(value, TensorBase):
        return change(value)
    if isinstance(value, dict):
        return type(value)((key, rebuilt(each, change)) for key, each in value.items())
    if isinstance(value, tuple | list):
        made = [rebuilt(each, change) for each in value]
        return type(value)._make(made) if hasattr(value, "_make") else type(value)(made)
    return value


def described(value: Any) -> Any:
    """What of an argument decides which trace fits. TypeError for what can't be compared later."""
    if isinstance(value, TensorBase):
        data = value._data
        return data.shape, data.dtype, bool(value._requires_grad), value.__class__, data.__class__
    if isinstance(value, tuple | list):
        return value.__class__, tuple([described(each) for each in value])
    if isinstance(value, dict):
        return value.__class__, tuple([(key, described(each)) for key, each in value.items()])
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"an argument is of type {type(value).__name__}, which Python cannot hash") from None
    return value.__class__, value


def modules_of(function: Any) -> list[Module]:
    """The modules that a function uses by name: itself, whose method it is, those of its closure and its globals."""
    if isinstance(function, Module):
        return [function]
    found = [getattr(function, "__self__", None)]
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is not None:
        for cell in function.__closure__ or ():
            try:
                found.append(cell.cell_contents)
            except ValueError:  # a name that has no value yet
                continue
        found += [function.__globals__.get(name) for name in code.co_names]
    return [each for each in dict.fromkeys(x for x in found if isinstance(x, Module))]


def state_of(module: Module) -> tuple[Any, ...]:
    """What of a module is no tensor's number: its modes, and which tensors it holds."""
    held = [id(t) for t in (*module._parameters.values(), *module._buffers.values())]
    return module.training, *held, *[state_of(each) for each in module._modules.values() if each is not None]


# -- jit ---------------------------------------------------------------------------------------------


class Jitted:
    """What `jit` makes of a function. `traces` says what was compiled, and why; `source` is the last one's text."""

    def __init__(self, function: Any):
        function = function.function if isinstance(function, Jitted) else function
        if not callable(function):
            raise TypeError(f"jit compiles a function or a module, but got {type(function).__name__}")
        self.function: Any = function
        self.modules = modules_of(function)
        self.compiled: dict[Any, Compiled] = {}
        self.newest: Compiled | None = None  # which ran last, if it can tell quickly whether it fits
        self.uncompiled: dict[Any, str] = {}  # signature -> why
        self.incomparable: set[str] = set()  # arguments that no signature can hold, in words
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
        if switched and modes.state == SPECIAL:  # a mode that watches what runs; or this is part of another trace
            return self.function(*args, **kwargs)
        try:
            key = self.signature(args, kwargs)
        except TypeError as error:
            return self._as_it_is(None, str(error), "A trace is found again by comparing arguments", args, kwargs)
        compiled = self.compiled.get(key)
        if compiled is None or not compiled.still():
            if key in self.uncompiled:
                return self.function(*args, **kwargs)
            try:
                compiled = self._compile(args, kwargs, "a tensor from outside has changed" if compiled else "")
            except Untraceable as refused:
                why = f"it {refused.what} ({describe(*refused.place)})"
                return self._as_it_is(key, why, f"A trace cannot hold that: {ELSEWHERE[refused.what]}", args, kwargs)
            except Exception as error:  # of the reader's own: then the call itself tells it; or of ours
                why = f"{type(error).__name__}: {error}"
                return self._as_it_is(key, why, "That came while it was traced and compiled", args, kwargs)
        self.newest = compiled if compiled.plain else None
        found = compiled.run((self.function, args, kwargs), tensors_in((args, kwargs)))
        return found if compiled.single else compiled.form(found)

    def signature(self, args: Any, kwargs: Any) -> Any:
        """What decides which trace fits a call. TypeError for an argument that can't be compared later."""
        states = [state_of(module) for module in self.modules]
        return modes.grad, tuple([described(a) for a in args]), described(kwargs) if kwargs else None, *states

    def _compile(self, args: Any, kwargs: Any, why: str) -> Compiled:
        install()
        trace = Trace()
        try:
            compiled = Compiled(trace, self.function, args, kwargs, names_of(self.function))
            called = list(trace.modules)
        finally:
            trace.end()
        known = [inner for module in self.modules for inner in module.modules()]
        for module in called:  # met behind an object, or in a list: from now on its mode counts
            if not any(module is each for each in known):
                self.modules.append(module)
                known += module.modules()
        key = self.signature(args, kwargs)
        if len(self.compiled) >= MOST:
            del self.compiled[next(iter(self.compiled))]
        compiled.why = why or self.traces.why(key)
        compiled.states = [(module, state_of(module)) for module in self.modules]
        self.compiled[key] = compiled
        return compiled

    def _as_it_is(self, key: Any, why: str, more: str, args: Any, kwargs: Any) -> Any:
        """The call without a trace. That is told once, and only if all goes well: an error tells itself."""
        result = self.function(*args, **kwargs)
        if key is not None:
            self.uncompiled[key] = why
        elif why in self.incomparable:
            return result
        else:
            self.incomparable.add(why)
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
        """The Python text that the newest trace was compiled to."""
        return self.last.program.source

    @property
    def graph(self) -> Any:
        """The static graph of the newest trace, forward and backward: what `viz.draw(fast)` shows."""
        return self.last.program.graph

    def __getattr__(self, name: str) -> Any:  # of a module: `fast.parameters()`
        if name.startswith("__") or "function" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.function, name)

    def __repr__(self) -> str:
        return f"<jit of {name_of(self.function)}: {len(self.compiled)} traces>"


class Traces:
    """`print(fast.traces)`: for which calls there is a trace, why each was made, how often it ran."""

    def __init__(self, jitted: Jitted):
        self.jitted = jitted

    def __len__(self) -> int:
        return len(self.jitted.compiled)

    def why(self, key: Any) -> str:
        """In which part a new signature differs from all before, as far as one can say."""
        before = [*self.jitted.compiled, *self.jitted.uncompiled]
        if not before:
            return "first call"
        last = before[-1]
        if key[0] != last[0]:
            return "another grad mode"
        if key[3:] != last[3:]:
            return "another training mode, or other tensors in a module"
        for i, (a, b) in enumerate(zip(key[1], last[1], strict=False)):
            if a != b:
                return f"argument {i + 1} was {said(b)}"
        return "other arguments"

    def __repr__(self) -> str:
        lines = [f"{name_of(self.jitted.function)}: {len(self)} trace{'s' * (len(self) != 1)}"]
        for key, compiled in self.jitted.compiled.items():
            given = ", ".join([*map(said, key[1]), *([f"**{said(key[2])}"] if key[2] else [])])
            grad = "" if key[0] else ", under no_grad"
            lines.append(f"  ({given}{grad}): {compiled.operators} operators, ran {compiled.runs} ×; {compiled.why}")
        for key, why in self.jitted.uncompiled.items():
            lines.append(f"  ({', '.join(map(said, key[1]))}): uncompiled, {why}")
        return "\n".join(lines)


def said(part: Any) -> str:
    """A part of a signature, in words."""
    if len(part) == 5:
        shape, dtype, asks, *_ = part
        return f"{dtype}{list(shape)}" + (" requires_grad" if asks else "")
    kind, value = part
    if kind in (tuple, list):
        return "[" + ", ".join(map(said, value)) + "]"
    return repr(value)


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def names_of(function: Any) -> list[str]:
    """The names of a function's arguments, for the picture."""
    function = getattr(function, "forward", function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    names = list(code.co_varnames[: code.co_argcount]) if code is not None else []
    return names[1:] if names[:1] == ["self"] else names


def jit(function: Any = None) -> Any:
    """Compile a function of tensors, or a module: the first call with such arguments is traced, later ones run fast.

    The first call with these shapes, types and settings runs `function` once, on tensors without numbers, writes down
    which operators ran, works out their gradient, and compiles both. Later calls run what was compiled: Python is not
    asked again. In the graph such a call is one node. Parameters, and other tensors from outside, are read anew at each
    call; Python's own values are frozen as they were. What comes out shares no memory with anything. What a trace
    cannot hold (an `if` on a number of a tensor, `.item()`, changes in place, random numbers) makes the call run as if
    there were no jit, and a warning says why.

    Raises TypeError for what cannot be called.

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


# -- the seams --------------------------------------------------------------------------------------


def install() -> None:
    """Let operators ask, on the general way, whether they are traced."""
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
