"""TensorFlow's graph: the default graph, names, collections and control dependencies.

The basic graph is in ../_compiler/graph.py.
Imports that module, defaults and table. Read next: tensor.py (the symbols).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .._compiler import graph as plain
from .._machine.interrupts import restoring
from .defaults import pushed, session_for, stack
from .table import RULES


class Operation(plain.Operation):
    """A node of the graph, which a session can run."""

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run this operation in the default session."""
        session_for(session, "execute operation using `run()`").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class Graph(plain.Graph):
    """All operations, their names, and the collections."""

    rules = RULES
    operation_type = Operation

    def __init__(self) -> None:
        super().__init__()
        self.finalized = False
        self.seed: int | None = None
        self._collections: dict[str, list[Any]] = {}
        self.variable_scope: Any = None  # the innermost one, set by variables.py

    def add(self, *of: Any, **more: Any) -> Any:
        """Add an operation to the current block. Raises RuntimeError once the graph is finalized."""
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        return super().add(*of, **more)

    def finalize(self) -> None:
        """Forbid further operations, so that a training loop that adds some by mistake raises an error."""
        self.finalized = True

    @restoring
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Operations made inside the `with` run only after these; None removes the outer dependencies."""
        before = self._controls
        more = [] if control_inputs is None else [getattr(c, "op", c) for c in control_inputs]
        try:
            self._controls = [] if control_inputs is None else [*before, *more]
            yield
        finally:
            self._controls = before

    # -- lookup

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation with this name; raises TensorFlow's KeyError if there is none."""
        try:
            return self._named[name]
        except KeyError:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.") from None

    def get_tensor_by_name(self, name: str) -> Any:
        """The tensor "operation:output"; raises TensorFlow's ValueError or KeyError if there is none."""
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
        """The values of a collection, in order: "variables", "trainable_variables" … See `tf.get_collection`."""
        noted = self._collections.get(name, [])
        return [each for each in noted if not scope or re.match(scope, getattr(each, "name", ""))]

    def as_default(self) -> Any:
        """Inside `with`, operators build into this graph."""
        return pushed(stack.graphs, self)


def get_default_graph() -> Graph:
    """The graph into which operators build now."""
    if stack.graphs:
        return stack.graphs[-1]
    if stack.base is None:
        stack.base = Graph()
    return stack.base


def reset_default_graph() -> None:
    """Replace the default graph by an empty one. Raises AssertionError inside `with graph.as_default()`."""
    if stack.graphs:
        raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs.")
    stack.base = Graph()


@restoring
def name_scope(name: str | None, default_name: str | None = None, values: Any = None) -> Iterator[str]:
    """Prefix the names of operations built inside, in the default graph.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.name_scope("layer"):
    ...     print(tf.constant(1.0, name="b").name)
    layer/b:0
    """
    with get_default_graph().name_scope(name or default_name) as scope:
        yield scope


@restoring
def device(device_name_or_function: Any) -> Iterator[None]:
    """Inside `with`, TensorFlow would use this device. Has no effect, because minigrad has only one device."""
    yield


def add_to_collection(name: str, value: Any) -> None:
    """Add a value to a collection of the default graph."""
    get_default_graph().add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """The values of a collection of the default graph; with `scope`, only those whose name starts with this pattern.

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
    """Inside `with`, new operations run only after `control_inputs` (operations and tensors)."""
    return get_default_graph().control_dependencies(control_inputs)
