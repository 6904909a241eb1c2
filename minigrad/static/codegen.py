"""Code for a session's side effects: it checks feeds, reads and assigns variables, draws random numbers.

Imports the compiler's codegen. Read next: plan.py.
"""

from __future__ import annotations

from typing import Any

from .._compiler.codegen import Writer as Plain
from .._compiler.graph import Block, Operation
from .._compiler.memory import fresh
from .._compiler.types import known

ASSIGN = ("Assign", "AssignAdd", "AssignSub")


class Writer(Plain):
    """Writes a block as a function `run(state, feeds, draw)`."""

    def __init__(self, block: Block):
        super().__init__(block)
        self.current: dict[Any, str] = {}  # variable -> name of its newest value in the generated code
        self.turning: list[Any] = []  # variables that are assigned in loops and branches

    def begin(self) -> None:
        params = self.block.params
        self.line(0, "def run(state, feeds, draw):")
        if params:
            self.line(1, f"({', '.join(self.names[t] for t in params)},) = feeds")
        for i, tensor in enumerate(params):
            self.accept(i, tensor)
        for variable in self.turning:
            self.line(1, f"{self.variable(variable)} = state.get({self.key(variable)})")

    def end(self) -> None:
        for variable, name in self.current.items():  # at the end, so that an error leaves the state unchanged
            there = f"if {name} is not None: " if variable in self.turning else ""
            self.line(1, f"{there}state[{self.key(variable)}] = {name}")

    def survey(self, block: Block) -> None:
        """Also find the variables that are assigned in loops and branches."""
        for op in block.operations:
            inside = block is not self.block and op.type in ASSIGN
            if inside and op.params["variable"] not in self.turning:
                self.turning.append(op.params["variable"])
        super().survey(block)

    def reads_of(self, op: Operation) -> list[Any]:
        return op.inputs[1:] if op.type in (*ASSIGN, "ReadVariable") else op.inputs

    def accept(self, i: int, tensor: Any) -> None:
        """A fed array is used directly if dtype, shape and layout fit; otherwise `accept` converts or refuses it."""
        name, dims = self.names[tensor], tensor.dims
        self.scope[f"type_{i}"] = tensor.dtype.numpy
        tests = [f"{name}.__class__ is not ndarray", f"{name}.dtype is not type_{i}"]
        if dims is not None and known(dims):
            tests.append(f"{name}.shape != {dims!r}")
        elif dims is not None:
            tests.append(f"{name}.ndim != {len(dims)}")
            tests += [f"{name}.shape[{d}] != {n}" for d, n in enumerate(dims) if n is not None]
        tests += [] if dims == () else [f"not {name}.flags.c_contiguous"]
        self.line(1, f"if {' or '.join(tests)}: {name} = accept({i}, {name})")

    def given(self, tensor: Any) -> str:
        """A fetched value for the user: an array that shares no memory, or a scalar if there are no axes."""
        name = self.names[tensor]
        if tensor.dims == ():
            return f"{name}[()]"
        return name if fresh(tensor) and tensor.dims is not None else f"own({name})"

    # -- variables and random numbers

    def write_random(self, depth: int, op: Operation) -> None:
        text = f"draw({self.thing(op, 'random')}, {self.param(op.params['size'], op)})"
        self.line(depth, f"{self.name(op.outputs[0], 'random')} = {text}", op)

    def write_variablev2(self, depth: int, op: Operation) -> None:
        if op.outputs[0] in self.valued:
            name = self.name(op.outputs[0], "variable")
            self.line(depth, f"{name} = state[{self.key(op.params['variable'])}]", op)

    def write_readvariable(self, depth: int, op: Operation) -> None:
        self.line(depth, f"{self.name(op.outputs[0], 'read')} = {self.newest(depth, op)}", op)

    def write_assign(self, depth: int, op: Operation) -> None:
        value = op.inputs[1]
        text = self.names[value]
        if op.outputs[0].dims is not None and value.dims != op.outputs[0].dims:
            text = f"fitting({text}, {self.thing(op, 'assign')})"
        if not (fresh(value) and self.memory.dense(value)) or self.memory.roots(value) & self.handed_out:
            text = f"own({text})"
        self.assigned(depth, op, text)

    def write_assignadd(self, depth: int, op: Operation, function: str = "add") -> None:
        self.assigned(depth, op, f"{function}({self.newest(depth, op)}, {self.names[op.inputs[1]]})")

    def write_assignsub(self, depth: int, op: Operation) -> None:
        self.write_assignadd(depth, op, "subtract")

    def assigned(self, depth: int, op: Operation, text: str) -> None:
        """Give a variable a new value; the state itself changes only at the end of the run."""
        variable, name = op.params["variable"], self.name(op.outputs[0], "assigned")
        if variable in self.turning:
            self.line(depth, f"{name} = {self.variable(variable)} = {text}", op)
        else:
            self.line(depth, f"{name} = {text}", op)
            self.current[variable] = name

    def newest(self, depth: int, op: Operation) -> str:
        """Code for a variable's value at this point of the run."""
        variable = op.params["variable"]
        if variable in self.turning:
            self.line(depth, f"if {self.variable(variable)} is None: raise KeyError", op)
        return self.current.get(variable) or f"state[{self.key(variable)}]"

    def variable(self, variable: Any) -> str:
        """The name of a variable that loops and branches assign."""
        return self.current.setdefault(variable, f"now_{self.turning.index(variable)}")

    def key(self, variable: Any) -> str:
        return self.thing(variable, "key")
