"""The last step of compiling: a block of operations becomes one readable Python function.

Every operation is a line. Elementwise operators are NumPy's own functions, which can write into free memory
(`op.onto`, from passes/memory.py); all others call the value of the rule table. A loop is a `while` or a
`for`, a branch an `if`. The text comes from the graph alone: names and values that a user chose are passed
separately, as data. A session adds variables and random numbers in ../static/codegen.py.
Imports graph, build and memory. Read next: plan.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._machine.backend import zero
from ..core.rules import Rule
from .build import Ref
from .graph import Block, Operation
from .memory import Memory, fresh
from .table import RULES
from .types import count


def spread(array: Any, size: tuple[int, ...]) -> Any:
    """`numpy.broadcast_to`, but immediate if the shape is already right."""
    return array if array.shape == size else np.broadcast_to(array, size)


def own(array: Any) -> Any:
    """A contiguous copy that shares no memory."""
    return array.copy() if array.__class__ is np.ndarray else array


HELPERS: dict[str, Any] = {"spread": spread, "own": own, "np": np, "array": np.array, "concatenate": np.concatenate}
HELPERS |= {"where": np.where, "ndarray": np.ndarray, "zero": zero}
HELPERS |= {name: function for name, function in vars(np).items() if isinstance(function, np.ufunc)}


def writes_onto(op: Operation, kind: str) -> bool:
    """Whether this is an operator of this kind that can write into given memory."""
    if op.rule is None or op.type == "ReadVariable" or op.rule.kind != kind:
        return False
    return hasattr(op.rule, "ufunc") or "{onto}" in (text_of(op.rule, op.params) or "")


def text_of(rule: Rule, params: dict[str, Any]) -> str | None:
    """The expression noted for a row; None if there is none for these parameters."""
    text = getattr(rule, "text", None)
    return text(**params) if callable(text) else text


class Writer:
    """Writes a block as a function `run(feed_0, feed_1 …)` of arrays that fit; it returns a list of arrays.

    `label` names a result, without the number that makes the name unique. `names` maps tensors to their names in the
    text, `scope` maps the other names to their values, and `ops` maps lines to operations.
    """

    def __init__(self, block: Block):
        self.block = block
        self.lines: list[str] = []
        self.ops: dict[int, Operation] = {}
        self.names: dict[Any, str] = {}
        self.counts: dict[str, int] = {}
        self.scope = dict(HELPERS)
        self.things: dict[tuple[str, int], str] = {}
        self.scope["sum_to"] = lambda a, size: RULES["sum_to"].value(np, a, size=size)
        self.memory = Memory()
        self.handed_out: set[Any] = set()  # the memory of the fetched arrays
        self.valued: set[Any] = set()  # the tensors whose value is read

    def write(self) -> str:
        block = self.block
        self.survey(block)
        self.valued |= set(block.outputs)
        self.handed_out = set().union(*(self.memory.roots(t) for t in block.outputs))
        for tensor in block.params:
            self.name(tensor, self.label(tensor.op))
        self.begin()
        for op in block.operations:
            self.operation(1, op)
        self.end()
        self.line(1, f"return [{', '.join(self.given(t) for t in block.outputs)}]")
        return "\n".join(self.lines) + "\n"

    def begin(self) -> None:
        """Write the lines before the operations."""
        params = self.block.params
        self.line(0, f"def run({', '.join(self.names[t] for t in params)}):")
        for name in [self.names[t] for t in params if count(t.dims) not in (0, 1)]:  # one number is always contiguous
            self.line(1, f"if not {name}.flags.c_contiguous: {name} = own({name})")

    def end(self) -> None:
        """Write the lines after the operations."""

    def survey(self, block: Block) -> None:
        """Find the tensors whose values are read."""
        for op in block.operations:
            self.valued |= set(self.reads_of(op))
            for region in op.regions:
                self.survey(region)
                self.valued |= set(region.outputs)

    def reads_of(self, op: Operation) -> list[Any]:
        """The inputs whose values an operation reads."""
        return op.inputs

    def given(self, tensor: Any) -> str:
        """The text of a result: an array that shares no memory."""
        name = self.names[tensor]
        return name if fresh(tensor) else f"own({name})"

    # -- operations

    def operation(self, depth: int, op: Operation) -> None:
        special = getattr(self, "write_" + op.type.lower(), None)
        if special is not None:
            special(depth, op)
        else:
            text = self.expression(op)
            if op.onto is not None:  # written into memory that already has a name
                self.names[op.outputs[0]] = self.names[op.onto]
                self.line(depth, text, op)
                return self.give_up(depth, op)
            results = [self.name(t, self.label(op)) for t in op.outputs]
            comma = "," if not op.rule.outputs else ", *_" if len(op.rule.outputs) > len(op.outputs) else ""
            self.line(depth, f"{', '.join(results)}{comma} = {text}", op)
        self.give_up(depth, op)

    def give_up(self, depth: int, op: Operation) -> None:
        """Delete the names of arrays that are no longer needed, which frees their memory."""
        dead = [self.names[t] for t in op.frees if t in self.names and self.names[t] not in self.scope]
        if dead:
            self.line(depth, "del " + ", ".join(dict.fromkeys(dead)))

    def expression(self, op: Operation) -> str:
        """The text that computes an operation: NumPy's function, a short expression, or the rule's value."""
        rule = op.rule
        refs = sum(isinstance(p, Ref) for p in leaves(op.params))
        names = [self.names[t] for t in op.inputs[: len(op.inputs) - refs]]
        onto = f", out={self.names[op.onto]}" if op.onto is not None else ""
        if hasattr(rule, "ufunc"):
            return f"{rule.ufunc}({', '.join(names)}{onto})"
        params = {key: self.param(value, op) for key, value in op.params.items()}
        text = text_of(rule, op.params)
        widened = rule.dtypes == "sum" and not op.outputs[0].dtype.is_floating  # a sum of integers, widened as by NumPy
        if text is not None and not widened:
            return text.format(*names, inputs=", ".join(names) + ",", onto=onto, **params)
        self.scope[f"value_of_{rule.name}"] = rule.value
        return f"value_of_{rule.name}({', '.join(['np', *names, *(f'{k}={v}' for k, v in params.items())])})"

    def param(self, value: Any, op: Operation) -> str:
        """A parameter as text; a value without a literal gets a name in the scope."""
        if isinstance(value, Ref):
            name, tensor = self.names[op.inputs[value.input]], op.inputs[value.input]
            if value.what == "value":
                return f"int({name})" if tensor.dims == () else f"tuple({name}.tolist())"
            return f"{name}.shape" if value.what == "shape" else name
        if type(value) is tuple:
            return "(" + "".join(self.param(v, op) + ", " for v in value) + ")"
        if isinstance(value, slice):
            return "slice(" + ", ".join(self.param(v, op) for v in (value.start, value.stop, value.step)) + ")"
        return repr(value) if value is None or value is Ellipsis or type(value) in (bool, int) else self.thing(value)

    # -- operations that only graphs have

    def write_feed(self, depth: int, op: Operation) -> None:
        pass  # read in `begin`

    write_noop = write_param = write_feed

    def write_const(self, depth: int, op: Operation) -> None:
        if op.outputs[0] in self.valued:
            self.names[op.outputs[0]] = self.thing(op.params["value"], "const")

    def write_while(self, depth: int, op: Operation) -> None:
        """A loop: `op.params` contain the number of variables it carries; the other inputs and outputs are lists."""
        *tests, body = op.regions
        carried, lists = op.params["carried"], op.inputs[op.params["carried"] :]
        variables = [self.name(t, "carried") for t in op.outputs[:carried]]
        steps = [self.name(t, "steps") for t in op.outputs[carried:]]
        for place, start in zip(variables, op.inputs, strict=False):
            self.line(depth, f"{place} = {self.names[start]}", op)
        for place in steps:
            self.line(depth, f"{place} = []", op)
        for region in op.regions:
            self.names.update(zip(region.params, variables, strict=False))
        elements = [self.name(t, "element") for t in body.params[carried:]]
        if tests:
            limit = op.params["maximum"]
            self.line(depth, "while True:" if limit is None else f"for _ in range({limit}):", op)
            for inner in tests[0].operations:
                self.operation(depth + 1, inner)
            self.line(depth + 1, f"if not {self.names[tests[0].outputs[0]]}: break", op)
        else:
            backwards = "reversed({})" if op.params["backwards"] else "{}"
            sources = ", ".join(backwards.format(self.names[t]) for t in lists)
            self.line(depth, f"for {', '.join(elements)}, in zip({sources}):", op)
        for inner in body.operations:
            self.operation(depth + 1, inner)
        for place, value in zip(steps, body.outputs[carried:], strict=True):
            self.line(depth + 1, f"{place}.append({self.names[value]})", op)
        moved = [(v, self.names[t]) for v, t in zip(variables, body.outputs, strict=False) if v != self.names[t]]
        if moved:
            self.line(depth + 1, f"{', '.join(v for v, _ in moved)} = {', '.join(t for _, t in moved)}", op)
        elif not body.operations and not steps:
            self.line(depth + 1, "pass", op)
        if op.params["backwards"]:
            for place in steps:
                self.line(depth, f"{place}.reverse()", op)

    def write_cond(self, depth: int, op: Operation) -> None:
        """A branch: one of two blocks with the same number of results."""
        results = [self.name(t, "chosen") for t in op.outputs]
        for word, region in zip((f"if {self.names[op.inputs[0]]}:", "else:"), op.regions, strict=True):
            self.line(depth, word, op)
            for inner in region.operations:
                self.operation(depth + 1, inner)
            for place, value in zip(results, region.outputs, strict=True):
                self.line(depth + 1, f"{place} = {self.names[value]}", op)
            if not region.outputs:
                self.line(depth + 1, "pass", op)

    # -- text and names

    def label(self, op: Operation) -> str:
        """The prefix of the results' names in the text: an identifier, independent of the graph's names."""
        return "feed" if op.rule is None else str(op.rule.name)

    def line(self, depth: int, text: str, op: Operation | None = None) -> None:
        self.lines.append("    " * depth + text)
        if op is not None:
            self.ops[len(self.lines)] = op

    def name(self, tensor: Any, label: str) -> str:
        name = self.names[tensor] = self.fresh(label)
        return name

    def thing(self, value: Any, label: str = "param") -> str:
        """A name for a value without a literal."""
        name = self.things.get((label, id(value)))
        if name is None:
            name = self.things[label, id(value)] = self.fresh(label)
            self.scope[name] = value
        return name

    def fresh(self, label: str) -> str:
        self.counts[label] = n = self.counts.get(label, -1) + 1
        return f"{label}_{n}"


def leaves(value: Any) -> list[Any]:
    """The parameters inside tuples and slices."""
    if isinstance(value, dict):
        return [leaf for v in value.values() for leaf in leaves(v)]
    if isinstance(value, slice):
        return leaves((value.start, value.stop, value.step))
    if type(value) is tuple:
        return [leaf for v in value for leaf in leaves(v)]
    return [value]
