"""Variables: state that persists between runs. Their values are in the session, not in the graph.

A Variable is four operations, as in TensorFlow: its initial value, the variable itself, the assignment of the
one to the other, and a read. An assignment is an ordinary operation: it has no effect until it is run.
Imports convert, graph and initializers. Read next: session.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._compiler.errors import built
from .._compiler.types import DType, as_dtype, known, show, show_list
from .._machine.interrupts import restoring
from .convert import constant, convert
from .defaults import session_for
from .graph import get_default_graph
from .initializers import glorot_uniform_initializer
from .table import RULES
from .tensor import Operators
from .types import TensorShape, as_dims


class GraphKeys:
    """The names of a graph's collections, for `tf.get_collection`."""

    GLOBAL_VARIABLES = VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    UPDATE_OPS = "update_ops"


class Variable(Operators):
    """A tensor that keeps its value between runs.

    `initial_value`: a tensor, any argument of `constant`, or a function without arguments that returns one.
    It is computed when `initializer` (or `tf.global_variables_initializer()`) runs. `collections` replaces the
    collection of global variables: `[tf.GraphKeys.LOCAL_VARIABLES]` makes the variable a local one.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session():
    ...     w = tf.Variable(1.0, name="w")
    ...     w.initializer.run()
    ...     print(w.assign_add(2.0).eval(), w.eval(), w)
    3.0 3.0 <tf.Variable 'w:0' shape=() dtype=float32_ref>
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool = True,
        collections: Any = None,
        validate_shape: bool = True,
        name: str | None = None,
        dtype: Any = None,
    ):
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        graph = get_default_graph()
        with graph.building(graph.block), graph.name_scope(name or "Variable") as scope:  # outside any loop
            if callable(initial_value):
                with graph.name_scope("Initializer"):
                    initial_value = initial_value()
            value = convert(initial_value, None if dtype is None else as_dtype(dtype), "initial_value", graph)
            self.initial_value = value
            dims = value.dims if validate_shape else None
            self.op = graph.add("VariableV2", [], [(dims, value.dtype)], name=scope)
            self.op.params["variable"] = self.op  # the key of its value in a session
            self._reference = self.op.outputs[0]
            self.initializer = self._assignment("Assign", value, "Assign").op
            read = graph.add("Identity", [self._reference], [(dims, value.dtype)], name="read", rule=RULES["identity"])
            self._snapshot = read.outputs[0]
        self.trainable = trainable
        self.graph = graph
        for collection in collections or [GraphKeys.GLOBAL_VARIABLES]:
            graph.add_to_collection(collection, self)
        if trainable:
            graph.add_to_collection(GraphKeys.TRAINABLE_VARIABLES, self)

    @property
    def name(self) -> str:
        return self._reference.name

    @property
    def dtype(self) -> DType:
        return self._reference.dtype

    @property
    def shape(self) -> TensorShape:
        return self._reference.shape

    def get_shape(self) -> TensorShape:
        return self.shape

    def value(self) -> Any:
        """The tensor that reads the variable at the start of a run."""
        return self._snapshot

    _as_tensor = initialized_value = value

    def read_value(self) -> Any:
        """A new read; under `control_dependencies`, it reads the value after these operations."""
        reference = self._reference
        graph = self.graph
        params = {"variable": self.op}
        op = graph.add(
            "ReadVariable", [reference], [(reference.dims, self.dtype)], params, name="read", rule=RULES["identity"]
        )
        return op.outputs[0]

    def _assignment(self, type: str, value: Any, name: str) -> Any:
        graph, reference = self.op.graph, self._reference
        with graph.name_scope(name) as scope:
            value = convert(value, reference.dtype, "value", graph)
            ours, theirs = reference.dims, value.dims
            if ours is not None and theirs is not None and len(ours) != len(theirs):
                raise ValueError(
                    f"Shapes must be equal rank, but are {len(ours)} and {len(theirs)} for '{scope[:-1]}' "
                    f"(op: '{type}') with input shapes: {show_list(ours)}, {show_list(theirs)}."
                )
            for i, (a, b) in enumerate(zip(ours or (), theirs or (), strict=False)):
                if None not in (a, b) and a != b:
                    raise ValueError(
                        f"Dimension {i} in both shapes must be equal, but are {a} and {b}. Shapes are "
                        f"{show_list(ours)} and {show_list(theirs)}. for '{scope[:-1]}' (op: '{type}') "
                        f"with input shapes: {show_list(ours)}, {show_list(theirs)}."
                    )
            params = {"variable": self.op}
            return graph.add(type, [reference, value], [(ours, reference.dtype)], params, name=scope).outputs[0]

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """An operation that replaces the value; its output is the new value. `use_locking` has no effect."""
        return self._assignment("Assign", value, name or "Assign")

    def assign_add(self, delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """An operation that adds `delta` to the value."""
        return self._assignment("AssignAdd", delta, name or "AssignAdd")

    def assign_sub(self, delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """An operation that subtracts `delta` from the value."""
        return self._assignment("AssignSub", delta, name or "AssignSub")

    def load(self, value: Any, session: Any = None) -> None:
        """Set the variable's value now, in the given or the default session; adds no operation."""
        try:
            session = session_for(session, "load `load()`")
        except ValueError:
            raise ValueError(
                "Either session argument should be provided or default session should be established"
            ) from None
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    def eval(self, session: Any = None) -> Any:
        """The value in the given or the default session."""
        return session_for(session, "evaluate tensor using `eval()`").run(self)

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={show(self._reference.dims)} dtype={self.dtype.name}_ref>"


def assign(ref: Variable, value: Any, validate_shape: Any = None, use_locking: Any = None, name: Any = None) -> Any:
    """An operation that replaces the value of a variable; its output is the new value. The same as `ref.assign(value)`.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     w = tf.Variable(1.0)
    ...     session.run(tf.assign(w, w + 2.0), {w: 3.0})
    np.float32(5.0)
    """
    return ref.assign(value, name=name)


def assign_add(ref: Variable, value: Any, use_locking: Any = None, name: Any = None) -> Any:
    """An operation that adds to the value of a variable."""
    return ref.assign_add(value, name=name)


def assign_sub(ref: Variable, value: Any, use_locking: Any = None, name: Any = None) -> Any:
    """An operation that subtracts from the value of a variable."""
    return ref.assign_sub(value, name=name)


# -- variables by name --------------------------------------------------------------------------


class VariableScope:
    """The scope of `get_variable`: a prefix of names, and whether it creates or finds variables."""

    def __init__(self, name: str, reuse: Any, initializer: Any = None):
        self.name = name
        self.reuse = reuse
        self.initializer = initializer

    def reuse_variables(self) -> None:
        """From now on, find variables in this scope instead of creating them."""
        self.reuse = True


AUTO_REUSE = "AUTO_REUSE"


def get_variable_scope() -> VariableScope:
    """The innermost variable scope."""
    graph = get_default_graph()
    if graph.variable_scope is None:
        graph.variable_scope = VariableScope("", False)
    return graph.variable_scope


@restoring
def variable_scope(
    name: Any, default_name: str | None = None, reuse: Any = None, initializer: Any = None
) -> Iterator[Any]:
    """Inside the `with`, prefix the names of `get_variable`'s variables and of operations."""
    graph, outer = get_default_graph(), get_variable_scope()
    short: Any
    if isinstance(name, VariableScope):
        full, short = name.name, name.name.rpartition("/")[2]
        reuse = name.reuse if reuse is None else reuse
    else:
        short = name or default_name
        full = f"{outer.name}/{short}" if outer.name else short
        if name is None:  # a default name is made unique, a given name is not
            used = graph.get_collection("default scopes")
            count = used.count(full)
            graph.add_to_collection("default scopes", full)
            full = f"{full}_{count}" if count else full
    inner = VariableScope(full, reuse if reuse is not None else outer.reuse, initializer or outer.initializer)
    try:
        graph.variable_scope = inner
        with graph.name_scope(short):
            yield inner
    finally:
        graph.variable_scope = outer


def get_variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, trainable: bool = True
) -> Variable:
    """The variable of that name: a new one or, in a reusing scope, the existing one. Starts Glorot uniform by default.

    `initializer` is one of `tf.…_initializer()`, or a value or tensor, which also sets shape and dtype. Otherwise the
    dtype is float32. Raises ValueError if the name already exists or, in a reusing scope, if it doesn't.
    """
    graph, scope = get_default_graph(), get_variable_scope()
    full = f"{scope.name}/{name}" if scope.name else name
    store = dict(graph.get_collection("by get_variable"))  # keyed by requested name: the operation may be called name_1
    if full in store and not scope.reuse:
        error = ValueError(
            f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
            "VarScope?"
        )
        error.add_note(built(store[full].op))
        try:
            raise error
        finally:
            del error  # the error holds this frame: with the name it would be a cycle
    if full in store:
        found = store[full]
        if shape is not None and found.shape != as_dims(shape):
            raise ValueError(
                f"Trying to share variable {full}, but specified shape {show(as_dims(shape))} and found shape "
                f"{found.shape}."
            )
        return found
    if scope.reuse is True:
        raise ValueError(
            f"Variable {full} does not exist, or was not created with tf.get_variable(). Did you mean to set "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    if initializer is None:
        initializer = scope.initializer or glorot_uniform_initializer()
    if callable(initializer):
        if shape is None:
            raise ValueError(f"Variable {full} did not get an initializer, so its `shape` argument must be specified.")
        if not known(as_dims(shape)):
            raise ValueError(
                f"Shape of a new variable ({full}) must be fully defined, but instead was {show(as_dims(shape))}."
            )
        value = lambda: initializer(as_dims(shape), dtype=as_dtype(dtype or "float32"))  # noqa: E731
    elif shape is not None:
        raise ValueError("If initializer is a constant, do not specify shape.")
    else:
        value = initializer if hasattr(initializer, "op") else constant(initializer, name="initial_value")
        if dtype is not None and value.dtype is not as_dtype(dtype):
            raise ValueError(
                f"Initializer type '{value.dtype!s}' and explicit dtype '{as_dtype(dtype)!s}' don't match."
            )
    with graph.name_scope(None):
        made = Variable(value, trainable=trainable, name=full)
    graph.add_to_collection("by get_variable", (full, made))
    return made


# -- collections and initialization -------------------------------------------------------------


def global_variables() -> list[Variable]:
    """All variables of the default graph, in order of creation."""
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)


def trainable_variables() -> list[Variable]:
    """The variables that an optimizer updates by default."""
    return get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)


def variables_initializer(var_list: Any, name: str = "init") -> Any:
    """One operation that sets each of these variables to its initial value."""
    return group(*(v.initializer for v in var_list), name=name)


def global_variables_initializer() -> Any:
    """One operation that sets every existing variable to its initial value."""
    return variables_initializer(global_variables())


def local_variables() -> list[Variable]:
    """The variables in `tf.GraphKeys.LOCAL_VARIABLES`: state that is not saved, such as counters."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES)


def local_variables_initializer() -> Any:
    """One operation that sets every local variable to its initial value; without local variables it does nothing."""
    return variables_initializer(local_variables())


def group(*inputs: Any, name: str = "group_deps") -> Any:
    """One operation that finishes after all these operations or tensors."""
    graph = get_default_graph()
    with graph.control_dependencies(list(inputs)):
        return graph.add("NoOp", [], [], name=name)


def no_op(name: str = "NoOp") -> Any:
    """An operation that does nothing."""
    return group(name=name)
