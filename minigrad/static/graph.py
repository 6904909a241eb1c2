"""The graph: what operators leave behind when nothing is computed yet.

Calling an operator makes an `Operation`, with a unique name, the tensors it reads and the reader's line that
built it; its outputs are symbols for values to come. Operations stand in a `Block`, in the order in which
they were built: the graph's own block, or the inside of a loop or a branch (`op.regions`), which may read the
tensors of the blocks around it.
Imports types, errors, defaults and places. Read next: tensor.py (the symbols), then build.py (how an operator
of the rule table becomes an operation).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..core.rules import Rule
from ..places import readers_place
from .defaults import pushed, session_for, stack
from .errors import InaccessibleTensorError
from .types import Dims, DType, TensorShape

Spec = tuple[Dims, DType]  # what is known about an output: its shape and its type


class Output:
    """One output of an operation. tensor.py makes it the Tensor that readers meet."""

    __slots__ = ("dims", "dtype", "index", "listed", "op")

    def __init__(self, op: Operation, index: int, dims: Dims, dtype: DType):
        self.op = op
        self.index = index
        self.dims = dims
        self.dtype = dtype
        self.listed = False  # True: not an array but a list of them, one for each step of a loop

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.index}"

    @property
    def graph(self) -> Graph:
        return self.op.graph

    @property
    def shape(self) -> Any:
        return TensorShape(self.dims)


class Operation:
    """A node of the graph. `rule` is its row in the rule table, None for those that only graphs have."""

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
        self.number = number  # rises from one operation to the next
        self.place = place  # file and line of the reader
        self.onto: Any = None  # passes/memory.py: the tensor whose memory the result takes over
        self.frees: list[Any] = []  # passes/memory.py: the tensors that nobody needs after this
        for region in regions:
            region.owner = self

    @property
    def graph(self) -> Graph:
        return self.block.graph

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run this operation in the default session."""
        session_for(session, "execute operation using `run()`").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class Block:
    """Operations in order. `params` are the symbols that come from outside (a loop's variables), `outputs`
    what the block gives back. `recall`, where there is one, fetches a tensor of the block `forward`: a
    backward loop reads so what the forward loop computed."""

    def __init__(self, graph: Graph, parent: Block | None = None):
        self.graph = graph
        self.parent = parent
        self.owner: Operation | None = None
        self.operations: list[Operation] = []
        self.params: list[Any] = []
        self.outputs: list[Any] = []
        self.targets: list[Operation] = []  # in a plan: what runs for its effect
        self.forward: Block | None = None
        self.recall: Callable[[Any], Any] | None = None

    def around(self) -> Iterator[Block]:
        """This block and those around it, from the inside out."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.parent

    def reach(self, tensor: Any, reader: str) -> Any:
        """The tensor, or what stands for it in this block; ValueError for the inside of a foreign loop."""
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
    """The tensors that an operation needs: its inputs, and what its loop or branches take from around."""
    return [*op.inputs, *(t for region in op.regions for t in captures(region))] if op.regions else op.inputs


def captures(region: Block) -> list[Any]:
    """The tensors from outside that a region's operations and outputs read."""
    inside = set(region.operations)
    needed = [t for op in region.operations for t in reads(op)] + region.outputs
    return [t for t in dict.fromkeys(needed) if t.op not in inside]


class Graph:
    """All operations, their names, and what is noted about them (collections)."""

    rules: Mapping[str, Rule] | None = None  # the rows that `build` takes; None: those of table.py

    def __init__(self) -> None:
        self.block = self.current = Block(self)
        self.finalized = False
        self.seed: int | None = None
        self._scope = ""
        self._taken: dict[str, int] = {}
        self._named: dict[str, Operation] = {}
        self._controls: list[Operation] = []
        self._count = 0
        self._collections: dict[str, list[Any]] = {}
        self.variable_scope: Any = None  # variables.py keeps the innermost one here

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
        """Make an operation in the current block. Raises RuntimeError once the graph is finalized."""
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
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
        op = Operation(
            self.current, name, type, inputs, outputs, params or {}, rule, regions, self._controls, self._count, place
        )
        self.current.operations.append(op)
        self._named[name] = op
        return op

    def finalize(self) -> None:
        """Allow no more operations: whoever adds some in a training loop by mistake learns of it."""
        self.finalized = True

    @contextmanager
    def building(self, block: Block) -> Iterator[Block]:
        """Let operations go into `block` inside the `with`, free of control dependencies from around it."""
        before, controls, self.current, self._controls = self.current, self._controls, block, []
        try:
            yield block
        finally:
            self.current, self._controls = before, controls

    @contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Operations made inside the `with` run only after these; None forgets those from further out."""
        before = self._controls
        more = [] if control_inputs is None else [getattr(c, "op", c) for c in control_inputs]
        self._controls = [] if control_inputs is None else [*before, *more]
        try:
            yield
        finally:
            self._controls = before

    # -- names

    def unique_name(self, name: str) -> str:
        """`name` within the current scope, with _1, _2 … behind it if it is taken."""
        if name.endswith("/"):  # a scope's own name, unique since the scope was entered
            return name[:-1]
        full = self._scope + name
        count = self._taken.get(full.lower(), 0)
        self._taken[full.lower()] = count + 1
        unique = full
        while count and unique.lower() in self._taken:
            unique, count = f"{full}_{count}", count + 1
        self._taken.setdefault(unique.lower(), 1)
        return unique

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Prefix names with `name/` inside the `with`; a name that ends in a slash is entered again as it is."""
        before = self._scope
        if not name:
            self._scope = ""
        else:
            self._scope = name if name.endswith("/") else self.unique_name(name) + "/"
        try:
            yield self._scope
        finally:
            self._scope = before

    # -- looking up

    def get_operations(self) -> list[Operation]:
        """All operations in order of building, those inside loops and branches included."""
        return list(self._named.values())

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name; KeyError, in TensorFlow's words, if there is none."""
        try:
            return self._named[name]
        except KeyError:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.") from None

    def get_tensor_by_name(self, name: str) -> Any:
        """The tensor "operation:output"; ValueError or KeyError, in TensorFlow's words, if there is none."""
        op_name, colon, index = name.rpartition(":")
        if not colon:
            raise ValueError(
                f"The name '{name}' refers to an Operation, not a Tensor. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if op_name not in self._named:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                "does not exist in the graph."
            )
        outputs = self._named[op_name].outputs
        if not index.isdigit() or int(index) >= len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                f"exists but only has {len(outputs)} outputs."
            )
        return outputs[int(index)]

    def add_to_collection(self, name: str, value: Any) -> None:
        self._collections.setdefault(name, []).append(value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """What was noted under a name, in order: "variables", "trainable_variables" … See `tf.get_collection`."""
        noted = self._collections.get(name, [])
        return [each for each in noted if not scope or re.match(scope, getattr(each, "name", ""))]

    def as_default(self) -> Any:
        """For `with`: operators build into this graph inside."""
        return pushed(stack.graphs, self)


def get_default_graph() -> Graph:
    """The graph that operators build into now."""
    if stack.graphs:
        return stack.graphs[-1]
    if stack.base is None:
        stack.base = Graph()
    return stack.base


def reset_default_graph() -> None:
    """Forget the default graph and start an empty one. Raises AssertionError inside `with graph.as_default()`."""
    if stack.graphs:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs.")
    stack.base = Graph()


@contextmanager
def name_scope(name: str | None, default_name: str | None = None, values: Any = None) -> Iterator[str]:
    """Prefix the names of what is built inside, in the default graph.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.name_scope("layer"):
    ...     print(tf.constant(1.0, name="b").name)
    layer/b:0
    """
    with get_default_graph().name_scope(name or default_name) as scope:
        yield scope


@contextmanager
def device(device_name_or_function: Any) -> Iterator[None]:
    """For `with`: where TensorFlow would run what is built inside. Here there is one place, so nothing comes of it."""
    yield


def add_to_collection(name: str, value: Any) -> None:
    """Note a value under a name in the default graph."""
    get_default_graph().add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """What was noted under a name in the default graph; of this only what `scope`, a pattern, finds in a name's front.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     for scope in "ab":
    ...         with tf.variable_scope(scope):
    ...             made = tf.get_variable("w", [2])
    ...     tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="b")
    [<tf.Variable 'b/w:0' shape=(2,) dtype=float32_ref>]
    """
    return get_default_graph().get_collection(key, scope)


def control_dependencies(control_inputs: Any) -> Any:
    """For `with`: what is built inside runs only after `control_inputs` (operations and tensors)."""
    return get_default_graph().control_dependencies(control_inputs)
