"""The graph: operators record operations in it, and compute nothing.

Calling an operator creates an `Operation`, with a unique name, the symbols that it reads, and the line of the user's
code that built it; its outputs are symbols for future values. Operations are in a `Block`, in the order of building:
the graph's own block, or the inside of a loop or a branch (`op.regions`), which may read the symbols of the outer
blocks.
Imports table, types, errors and places. Read next: build.py (how an operator of the rule table becomes an operation).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .._machine.interrupts import restoring
from .._messages.places import readers_place
from ..core.rules import Rule
from .errors import InaccessibleTensorError
from .table import RULES
from .types import Dims, DType

Spec = tuple[Dims, DType]  # the known shape and dtype of an output


class Output:
    """One output of an operation: a symbol for a future value."""

    __slots__ = ("dims", "dtype", "index", "listed", "op")

    def __init__(self, op: Operation, index: int, dims: Dims, dtype: DType):
        self.op = op
        self.index = index
        self.dims = dims
        self.dtype = dtype
        self.listed = False  # True: a list of arrays, one for each step of a loop

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.index}"

    @property
    def graph(self) -> Graph:
        return self.op.graph


class Operation:
    """A node of the graph. `rule` is its row in the rule table, or None for operations that only graphs have."""

    output_type: type[Output] = Output

    def __init__(
        self,
        block: Block,
        name: str,
        type: str,
        inputs: list[Any],
        outputs: list[Spec],
        params: dict[str, Any],
        rule: Rule | None = None,
        regions: tuple[Block, ...] = (),
        control_inputs: Iterable[Operation] = (),
        number: int = 0,
        place: tuple[str, int] = ("", 0),
    ):
        self.block = block
        self.name = name
        self.type = type
        self.inputs = inputs
        self.outputs = [self.output_type(self, i, dims, dtype) for i, (dims, dtype) in enumerate(outputs)]
        self.params = params
        self.rule: Any = rule
        self.regions = regions
        self.control_inputs = list(control_inputs)
        self.number = number  # increases in the order of building
        self.place = place  # file and line in the user's code
        self.onto: Any = None  # passes/memory.py: the tensor whose memory the result overwrites
        self.frees: list[Any] = []  # passes/memory.py: the tensors that are not needed after this
        for region in regions:
            region.owner = self

    @property
    def graph(self) -> Graph:
        return self.block.graph

    def __repr__(self) -> str:
        return f"<Operation '{self.name}' type={self.type}>"


class Block:
    """Operations in order. `params` are the symbols that come from outside (a loop's variables), `outputs` the
    results of the block. `recall`, if not None, fetches a tensor of the block `forward`: with it, a backward loop
    reads values of the forward loop."""

    def __init__(self, graph: Graph, parent: Block | None = None):
        self.graph = graph
        self.parent = parent
        self.owner: Operation | None = None
        self.operations: list[Operation] = []
        self.params: list[Any] = []
        self.outputs: list[Any] = []
        self.targets: list[Operation] = []  # in a plan: operations that run for their effect
        self.forward: Block | None = None
        self.recall: Callable[[Any], Any] | None = None

    def around(self) -> Iterator[Block]:
        """This block and the outer blocks, from inside to outside."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.parent

    def reach(self, tensor: Any, reader: str) -> Any:
        """The tensor, or its replacement in this block; ValueError for a tensor inside another loop."""
        home = tensor.op.block
        for block in self.around():
            if home is block:
                return tensor
            if block.recall is not None and block.forward is home:
                return block.recall(tensor)
        inside = "a while loop" if home.owner is None or home.owner.type == "While" else "a cond branch"
        raise InaccessibleTensorError(
            f"Cannot use '{tensor.op.name}' as input to '{reader}' because '{tensor.op.name}' is in {inside}."
        )


def reads(op: Operation) -> list[Any]:
    """The tensors that an operation needs: its inputs, and the outer tensors that its loop or branches read."""
    return [*op.inputs, *(t for region in op.regions for t in captures(region))] if op.regions else op.inputs


def captures(region: Block) -> list[Any]:
    """The tensors from outside that a region's operations and outputs read."""
    inside = set(region.operations)
    needed = [t for op in region.operations for t in reads(op)] + region.outputs
    return [t for t in dict.fromkeys(needed) if t.op not in inside]


class Graph:
    """All operations, and their names."""

    rules: Mapping[str, Rule] = RULES  # the rows that `build` takes
    operation_type: type[Operation] = Operation

    def __init__(self) -> None:
        self.block = self.current = Block(self)
        self._scope = ""
        self._taken: dict[str, int] = {}
        self._named: dict[str, Any] = {}
        self._controls: list[Operation] = []
        self._count = 0

    # -- building

    def add(
        self,
        type: str,
        inputs: Iterable[Any],
        outputs: list[Spec],
        params: dict[str, Any] | None = None,
        *,
        name: str | None = None,
        rule: Rule | None = None,
        regions: tuple[Block, ...] = (),
    ) -> Operation:
        """Add an operation to the current block."""
        name = self.unique_name(name or type)
        inputs = list(inputs)
        for tensor in inputs:
            if tensor.graph is not self:
                raise ValueError(
                    f"{tensor} must be from the same graph as {inputs[0]} (graphs are {tensor.graph} and {self})."
                )
        inputs = [self.current.reach(tensor, name) for tensor in inputs]
        self._count += 1
        place = readers_place(sys._getframe(1))
        op = self.operation_type(
            self.current, name, type, inputs, outputs, params or {}, rule, regions, self._controls, self._count, place
        )
        self.current.operations.append(op)
        self._named[name] = op
        return op

    @restoring
    def building(self, block: Block) -> Iterator[Block]:
        """Inside the `with`, add operations to `block`, without the control dependencies of outer blocks."""
        before, controls = self.current, self._controls
        try:
            self.current, self._controls = block, []
            yield block
        finally:
            self.current, self._controls = before, controls

    # -- names

    def unique_name(self, name: str) -> str:
        """`name` within the current scope, followed by _1, _2 … if it is taken."""
        if name.endswith("/"):  # a scope's own name, made unique on entering the scope
            return name[:-1]
        full = self._scope + name
        count = self._taken.get(full.lower(), 0)
        self._taken[full.lower()] = count + 1
        unique = full
        while count and unique.lower() in self._taken:
            unique, count = f"{full}_{count}", count + 1
        self._taken.setdefault(unique.lower(), 1)
        return unique

    @restoring
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Prefix names with `name/` inside the `with`; a name that ends in a slash reopens that scope."""
        before = self._scope
        scope = name if not name or name.endswith("/") else self.unique_name(name) + "/"
        try:
            self._scope = scope or ""
            yield self._scope
        finally:
            self._scope = before

    def get_operations(self) -> list[Any]:
        """All operations in the order of building, including those inside loops and branches."""
        return list(self._named.values())
