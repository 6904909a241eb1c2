"""From the record of a trace to two Python functions on arrays: one for forward, one for backward.

The record becomes a graph of the compiler, operator by operator; `backpropagate` adds the backward operations, by the
derivatives of the same rows; each half is compiled as for a Session, without the passes that may change a last bit.
Forward returns its results, and the values that backward needs.
Imports compiler and ghost. Read next: compiled.py.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .._compiler.build import build, constant_of
from .._compiler.codegen import Writer
from .._compiler.gradients import backpropagate
from .._compiler.graph import Graph, Operation
from .._compiler.passes import INEXACT, PASSES
from .._compiler.plan import Plan
from .._compiler.types import DType
from .ghost import Trace

EXACT = tuple(name for name in PASSES if name not in INEXACT)


class Unfit(Exception):
    """The compiler can't build this trace."""


class Traced(Graph):
    """The graph of a trace of the function `of`, forward and backward; `halves` are the two compiled plans."""

    def __init__(self, of: str):
        super().__init__()
        self.of = of
        self.halves: list[Plan] = []

    def __repr__(self) -> str:
        told = []
        for half, plan in zip(("forward", "backward"), self.halves, strict=False):
            found, left = work(plan.passes[0].after), work(plan.block)
            told.append(f"{found} operation{'s' * (found != 1)} {half}, {left} after the passes")
        return f"<graph of {self.of}: {'; '.join(told)}>"


def work(block: Any) -> int:
    """The number of operations that compute something."""
    return sum(op.type not in ("Feed", "Const") for op in block.operations)


class Labelled(Writer):
    """Writes the text of a trace, in which results have their names from the graph and the user's code."""

    def label(self, op: Operation) -> str:
        name = re.sub(r"_\d+$", "", op.name)  # the number makes the name unique in the graph; the text adds its own
        return name if name.isascii() and name.isidentifier() else super().label(op)


class Half(Plan):
    """The compiled forward or backward half of a trace."""

    writer = Labelled


class Program:
    """A compiled trace. `forward` and `backward` are plans of the compiler, `graph` is the source of both.

    of: the function's name. names: its arguments' names. outputs: the numbers of the returned ghosts.
    asks: for each output, whether it requires grad.
    """

    def __init__(self, trace: Trace, of: str, names: list[str], outputs: list[int], asks: list[bool]):
        self.graph = Traced(of)
        self.wanted = [i for i, (t, ghost) in enumerate(trace.met) if t._requires_grad and ghost.dtype.kind == "f"]
        self._build(trace, names)
        ys = [self.symbols[n] for n, asked in zip(outputs, asks, strict=True) if asked]
        self.incoming = [self._placeholder(y.dims, y.dtype, "grad") for y in ys]
        with self.graph.name_scope("gradients"):
            seeds, xs = dict(zip(ys, self.incoming, strict=True)), [self.inputs[i] for i in self.wanted]
            grads = backpropagate(seeds, xs, list(self.stopped.values()), self.graph.block)
        reached = [(i, g) for i, g in zip(self.wanted, grads, strict=True) if g is not None]
        self.wanted = [i for i, _ in reached]  # the inputs that get a gradient
        results = [self.symbols[n] for n in outputs]
        grads = [g for _, g in reached]
        kept = self._asked_by(grads)
        self.saved = [i for i, x in enumerate(self.inputs) if x in kept]  # inputs that backward needs
        self.kept = [x for x in kept if x not in self.inputs]
        self.results = len(results)
        self.forward = self._plan([*results, *self.kept], self.inputs)
        self.backward = None
        if grads:
            feeds = [*(self.inputs[i] for i in self.saved), *self.kept, *self.incoming]
            self.backward = self._plan(grads, feeds)
        self.graph.halves = [plan for plan in (self.forward, self.backward) if plan is not None]

    def _build(self, trace: Trace, names: list[str]) -> None:
        """Build the trace's graph. An input that gets no gradient is replaced by another symbol: `stopped`."""
        self.symbols: dict[int, Any] = {}  # number of a ghost -> symbol
        self.stopped: dict[int, Any] = {}
        self.reached = {trace.met[i][1].number for i in self.wanted}  # the ghosts that depend on `wanted` inputs
        self.inputs = []
        for i, (_, ghost) in enumerate(trace.met):
            name = names[i] if i < len(names) else "outside"
            self.inputs.append(self._placeholder(ghost.shape, DType.of[ghost.dtype], name))
            self.symbols[ghost.number] = self.inputs[-1]
        for ran in trace.ran:
            if any(type(x) is int and x in self.reached for x in ran.inputs):
                self.reached.update(ran.outputs)
            flows = ran.flows or (True,) * len(ran.inputs)
            inputs = [self._operand(x, flow) for x, flow in zip(ran.inputs, flows, strict=True)]
            made = build(ran.rule.name, *inputs, graph=self.graph, name=ran.name or ran.rule.name, **ran.params)
            outs = (made[0] if isinstance(made, list) else made).op.outputs
            for number, out in zip(ran.outputs, outs, strict=True):
                ghost = trace.ghosts[number]
                if out.dims != ghost.shape or out.dtype.numpy != ghost.dtype:
                    raise Unfit(f"{ran.rule.name} gives {out.dims}, {out.dtype.name} in a graph")
                self.symbols[number] = out
        self.before = set(self.graph.get_operations())

    def _operand(self, x: Any, flow: bool) -> Any:
        if isinstance(x, np.ndarray | np.generic):
            return constant_of(self.graph, np.asarray(x))
        symbol = self.symbols[x]
        if flow or x not in self.reached or not symbol.dtype.is_floating:
            return symbol
        if x not in self.stopped:
            self.stopped[x] = build("stop_gradient", symbol)
        return self.stopped[x]

    def _placeholder(self, dims: Any, dtype: Any, name: str) -> Any:
        return self.graph.add("Placeholder", [], [(dims, dtype)], name=name).outputs[0]

    def _asked_by(self, grads: list[Any]) -> list[Any]:
        """The forward values that backward reads. Views are made again: that is free, and storing one may copy it."""
        asked: dict[Any, None] = {}
        seen, todo = set(), list(grads)
        while todo:
            tensor = todo.pop()
            if tensor in seen or tensor in self.incoming:
                continue
            seen.add(tensor)
            op = tensor.op
            passes_on = op.rule is not None and op.rule.kind == "view"
            if op in self.before and op.type != "Const" and not passes_on:
                asked[tensor] = None
            else:
                todo += op.inputs
        return list(asked)

    def _plan(self, fetches: list[Any], feeds: list[Any]) -> Plan:
        return Half(self.graph, fetches, [], feeds, EXACT)

    @property
    def source(self) -> str:
        """The source text of both functions."""
        text = "# forward\n" + self.forward.source
        return text if self.backward is None else text + "\n# backward\n" + self.backward.source
