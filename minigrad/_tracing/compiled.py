"""A compiled trace, and its call as one node of the graph, JitBackward, whose gradient is the backward half.

A backward pass often starts at this node and ends at leaves: `whole`, in write.py, does such a pass in one step.

Imports ghost, lower, signature and write. Read next: call.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._engine.backward import grad as gradients_of
from .._engine.nodes import Whole
from .._engine.storage import TensorBase
from .._engine.switches import Switch, modes
from .._machine.backend import SILENT
from ..core.node import unpack
from ..core.rules import Raw
from ..core.tensor import wrap
from .ghost import Trace
from .lower import Program, Unfit
from .signature import name_of, rebuilt, tensors_in
from .write import calls

HOLLOW = wrap(np.empty(0))  # replaces the tensors in the stored structure of a result


class JitBackward(Whole):
    """One call of a compiled function. Each trace has its own subclass, with the attributes shared by all its calls."""

    __slots__ = ("again", "edges", "inputs", "saved_inputs", "saved_kept", "straight")

    of: Compiled
    edges: Any
    straight: bool  # whether all edges lead to leaves
    again: Any  # (function, args, kwargs), to run the function again
    inputs: Any  # the tensors to which the edges lead
    saved_inputs: Any  # the inputs that backward needs, each as core/node.py saves tensors
    saved_kept: Any  # arrays that forward computed for backward

    saves = ("inputs", "kept")

    def gradients(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        if self.saved_kept is None:
            unpack(None, self)  # raises, because it was freed
        if not isinstance(F, Raw):
            return self.recorded(grad if isinstance(grad, list) else [grad])
        return tuple(self.of.back(self, grad))

    def release(self) -> None:
        self.again = self.inputs = self.saved_inputs = self.saved_kept = None

    def recorded(self, grads: list[Any]) -> tuple[Any, ...]:
        """The gradients with a graph, for create_graph: compiled code records nothing, so the function runs again."""
        function, args, kwargs = self.again
        for each in self.saved_inputs:
            unpack(each, self)  # raises if they were changed
        with Switch(grad=True):
            outs = self.of.results_of(function(*args, **kwargs))
            pairs = [(out, g) for out, g in zip(outs, grads, strict=True) if g is not None and out._requires_grad]
            return gradients_of(
                [o for o, _ in pairs], self.inputs, [g for _, g in pairs], create_graph=True, allow_unused=True
            )


class Compiled:
    """A trace, compiled: its inputs, its results, their structure, and the number of its runs."""

    def __init__(self, trace: Trace, function: Any, args: Any, kwargs: Any, names: list[str]):
        tensors = tensors_in((args, kwargs))
        inside = [trace.meet(t) for t in tensors]
        ghostly = iter(inside)
        given = rebuilt((args, kwargs), lambda _: next(ghostly))
        with Switch(tracing=trace):
            result = function(*given[0], **given[1])
        if trace.problem is not None:
            raise trace.problem
        unique = self._results(trace, inside, tensors_in(result))
        self.form_of = rebuilt(result, lambda _: HOLLOW)  # not the tensors: they would keep the whole trace alive
        self.single = self.order == [0] and isinstance(result, TensorBase)
        self.program = Program(trace, name_of(function), names, unique, self.asks)
        self.forward: Any = self.program.forward.run
        self.backward: Any = self.program.backward and self.program.backward.run

        self.arguments = len(inside)
        self.outside = [t for t, _ in trace.met[self.arguments :]]
        self.layouts = {i: trace.met[i][0]._data.strides for i in trace.layouts()}
        self.specs = [(t._data.shape, t._data.dtype, bool(t._requires_grad)) for t, _ in trace.met]
        self.classes = {type(t) for t in tensors}
        self.plain = modes.grad and not kwargs and all(isinstance(a, TensorBase) for a in args)
        self.why, self.runs, self.operators = "", 0, len(trace.ran)

        self.asked = [i for i, asked in enumerate(self.asks) if asked]
        shapes, types = [trace.ghosts[n].shape for n in unique], [trace.ghosts[n].dtype for n in unique]
        self.shape: Any = shapes if len(unique) > 1 else shapes[0]
        self.dtype: Any = types if len(unique) > 1 else types[0]
        self._check(trace, unique)

    def watch(self, modules: list[Any]) -> None:
        """Write the text of the call, which also tests whether these modules are unchanged."""
        same = {"of": self, "outputs": len(self.asks), "_shape": self.shape, "_dtype": self.dtype, "__slots__": ()}
        node: Any = type("JitBackward", (JitBackward,), same)
        self.fits, self.still, self.run, self.back, node.whole = calls(self, node, modules)

    def _results(self, trace: Trace, inside: list[Any], found: list[Any]) -> list[int]:
        """The numbers of the resulting ghosts, each once. Refuses a history that doesn't consist of operators, and
        views of memory that the user has."""
        for tensor in found:
            trace.stands_for(tensor)  # also registers a tensor from outside that is only returned
        inside = [*inside, *(trace.shadows[id(t)] for t, _ in trace.met[len(inside) :])]
        given = {shadow._data.number: (i, shadow) for i, shadow in enumerate(inside)}
        made_of = {n: ran for ran in trace.ran for n in ran.outputs}
        asks: dict[int, bool] = {}
        numbers = []
        for tensor in found:
            out = trace.stands_for(tensor)
            ghost, asked = out._data, bool(out._requires_grad)
            start = ghost.number
            while start in made_of and made_of[start].rule.kind == "view":
                start = made_of[start].inputs[0]
            looks_at = start in given and (start != ghost.number or out is not given[start][1])  # a view of an input
            if looks_at or asks.setdefault(ghost.number, asked) != asked:  # returned twice, once detached
                trace.refuse("returns a view of an argument")
            if asked and not ghost.live:
                trace.refuse("has a history that is not one of operators, such as a Function of your own")
            numbers.append(ghost.number)
        unique = list(asks)
        self.order = [unique.index(n) for n in numbers]
        self.given = {i: given[n][0] for i, n in enumerate(unique) if n in given}
        self.asks = [asks[n] and n not in given for n in unique]
        return unique

    def _check(self, trace: Trace, unique: list[int]) -> None:
        """Test that the compiled function gives the trace's results (up to rounding of sums); find repeated arrays."""
        program, arrays = self.program, [t._data for t, _ in trace.met]
        values = SILENT.run(program.forward.run, *arrays)
        results, kept = values[: program.results], values[program.results :]
        for n, value in zip(unique, results, strict=True):
            hidden = trace.ghosts[n]._hidden
            if value.dtype != hidden.dtype or not SILENT.run(np.allclose, value, hidden, 1e-6, 1e-6, equal_nan=True):
                raise Unfit("the compiled function gives something else")
        self.twice = repeated(results)
        self.kept_results = {k: j for k, each in enumerate(kept) for j, out in enumerate(results) if each is out}
        self.again: list[int] = []  # inputs whose gradient is another input's array: each gets a copy
        if program.backward is not None:
            ones = [
                np.ones(trace.ghosts[n].shape, trace.ghosts[n].dtype)
                for n, a in zip(unique, self.asks, strict=True)
                if a
            ]
            feeds = [*(arrays[i] for i in program.saved), *kept, *ones]
            self.again = repeated(SILENT.run(program.backward.run, *feeds))

    def form(self, tensors: list[Any]) -> Any:
        """The results in the structure that the function returns."""
        ordered = iter(tensors)
        return rebuilt(self.form_of, lambda _: next(ordered))

    def results_of(self, result: Any) -> list[Any]:
        """The tensors in the function's own result, each once, in the order of the outputs here."""
        found = dict(zip(self.order, tensors_in(result), strict=True))
        return [found[i] for i in range(len(found))]


def repeated(arrays: list[Any]) -> list[int]:
    """The indices of the arrays that already occurred."""
    return [i for i, each in enumerate(arrays) if any(each is other for other in arrays[:i])]
