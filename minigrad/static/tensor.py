"""Symbols: the inputs and outputs of the static engine's operators, without values until a run.

Python's operators build operations. Code that needs a value (`if tensor:`, `for row in tensor:`) raises
TensorFlow's errors; `==` tests whether two names refer to the same symbol.
Imports graph, defaults and convert. Read next: math.py.
"""

from __future__ import annotations

from typing import Any

from .._compiler.build import build
from .._compiler.errors import OperatorNotAllowedInGraphError
from .._compiler.graph import Output
from .._compiler.types import show
from .convert import convert, matched
from .defaults import session_for
from .graph import Operation, get_default_graph
from .types import TensorShape, as_dims


class Operators:
    """Python's operators, for tensors and variables: each builds an operation."""

    __slots__ = ()
    __array_ufunc__ = None  # NumPy then calls our reflected operators

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        return build("strided_slice", convert(self), indices=tuple(indexable(k) for k in keys))

    # -- arithmetic

    def __add__(self, other: Any) -> Any:
        return binary("add", "add", self, other)

    def __radd__(self, other: Any) -> Any:
        return binary("add", "add", other, self)

    def __sub__(self, other: Any) -> Any:
        return binary("sub", "sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return binary("sub", "sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return binary("mul", "mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return binary("mul", "mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return truediv(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return truediv(other, self)

    def __floordiv__(self, other: Any) -> Any:
        return binary("floor_divide", "floordiv", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return binary("floor_divide", "floordiv", other, self)

    def __mod__(self, other: Any) -> Any:
        return binary("remainder", "mod", self, other)

    def __rmod__(self, other: Any) -> Any:
        return binary("remainder", "mod", other, self)

    def __pow__(self, other: Any) -> Any:
        return power(self, other, "pow")

    def __rpow__(self, other: Any) -> Any:
        return power(other, self, "pow")

    def __matmul__(self, other: Any) -> Any:
        return matrix_product(self, other, "matmul")

    def __rmatmul__(self, other: Any) -> Any:
        return matrix_product(other, self, "matmul")

    def __neg__(self) -> Any:
        return build("neg", convert(self), name="Neg")

    def __abs__(self) -> Any:
        return build("abs", convert(self), name="Abs")

    # -- comparisons and logic

    def __lt__(self, other: Any) -> Any:
        return binary("lt", "Less", self, other)

    def __le__(self, other: Any) -> Any:
        return binary("le", "LessEqual", self, other)

    def __gt__(self, other: Any) -> Any:
        return binary("gt", "Greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return binary("ge", "GreaterEqual", self, other)

    def __and__(self, other: Any) -> Any:
        return binary("logical_and", "and", self, other)

    def __rand__(self, other: Any) -> Any:
        return binary("logical_and", "and", other, self)

    def __or__(self, other: Any) -> Any:
        return binary("logical_or", "or", self, other)

    def __ror__(self, other: Any) -> Any:
        return binary("logical_or", "or", other, self)

    def __invert__(self) -> Any:
        return build("logical_not", convert(self), name="LogicalNot")

    # -- operations that need a value

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            "Using a `tf.Tensor` as a Python `bool` is not allowed. Use `if t is not None:` instead of `if t:` to test "
            "if a tensor is defined, and use TensorFlow ops such as tf.cond to execute subgraphs conditioned on the "
            "value of a tensor."
        )

    def __iter__(self) -> Any:
        raise OperatorNotAllowedInGraphError(
            "Iterating over a symbolic `tf.Tensor` is not allowed. Use tf.unstack, tf.map_fn or tf.scan instead."
        )

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({convert(self).name}). Please call `x.shape` rather than "
            "`len(x)` for shape information."
        )


class Tensor(Operators, Output):
    """A symbolic tensor: `name`, `shape` (None where unknown), `dtype`, and `op`, which computes it.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     tf.placeholder(tf.float32, [None, 1], name="x") * 2
    <tf.Tensor 'mul:0' shape=(?, 1) dtype=float32>
    """

    __slots__ = ()

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return TensorShape(self.dims)

    def get_shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Add information about the shape that can't be inferred. ValueError if it contradicts the known sizes."""
        self.dims = as_dims(self.shape) if shape is None else merge(self.dims, as_dims(shape))

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Compute this tensor in the default session."""
        return session_for(session, "evaluate tensor using `eval()`").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={show(self.dims)} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = f", shape={show(self.dims)}" if self.dims is not None else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name})'


Operation.output_type = Tensor


def merge(known: Any, said: Any) -> Any:
    """Combine two partly known shapes; ValueError if they contradict each other."""
    if known is None or said is None:
        return said if known is None else known
    if len(known) != len(said) or any(a not in (None, b) and b is not None for a, b in zip(known, said, strict=True)):
        raise ValueError(f"Shapes {show(known)} and {show(said)} are not compatible")
    return tuple(a if b is None else b for a, b in zip(known, said, strict=True))


def indexable(key: Any) -> Any:
    """An index in the form that the rule takes: numbers, slices, None, …, or a symbol for a number."""
    if isinstance(key, slice):
        return slice(*(indexable(k) if k is not None else None for k in (key.start, key.stop, key.step)))
    if key is None or key is Ellipsis or isinstance(key, int | Output) or hasattr(key, "__index__"):
        return key if key is None or key is Ellipsis or isinstance(key, Output) else int(key)
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are "
        f"valid indices, got {key!r}"
    )


def binary(rule: str, name: str, x: Any, y: Any) -> Any:
    """An operator with two inputs of one dtype; a number or array is converted to the tensor's dtype."""
    with graph_of(x, y).name_scope(name) as scope:
        x, y = matched(x, y, rule)
        return build(rule, x, y, name=scope)


def truediv(x: Any, y: Any, name: str = "truediv") -> Any:
    """x / y; integers are cast to float64 first, as in TensorFlow."""
    with graph_of(x, y).name_scope(name) as scope:
        x, y = matched(x, y, "div")
        if x.dtype.is_integer:
            x, y = (build("to_copy", t, name="Cast", dtype="float64") for t in (x, y))
        return build("div", x, y, name=scope)


def power(x: Any, y: Any, name: str) -> Any:
    """x ** y. A number as the exponent becomes a parameter of the operation, so that x ** 2 can become x * x."""
    with graph_of(x, y).name_scope(name) as scope:
        if isinstance(y, int | float) and isinstance(x, Output) and (x.dtype.is_floating or isinstance(y, int)):
            return build("pow_scalar", x, name=scope, exponent=y)
        return build("pow", *matched(x, y, "pow"), name=scope)


def matrix_product(x: Any, y: Any, name: str) -> Any:
    """x @ y for matrices, or for stacks of matrices."""
    with graph_of(x, y).name_scope(name) as scope:
        x, y = matched(x, y, "mm")
        stacks = x.dims is not None and y.dims is not None and max(len(x.dims), len(y.dims)) > 2
        return build("batch_mm" if stacks else "mm", x, y, name=scope)


def graph_of(*values: Any) -> Any:
    """The graph of the first value that has one, because operators build where their inputs are; else the default."""
    return next((v.graph for v in values if hasattr(v, "graph")), None) or get_default_graph()
