"""From a row of the rule table to an operation of the graph: `build("mul", x, y)`.

Shapes and types are worked out (shapes.py), Python numbers become constants, and parameters that are known
only at run time, such as `tf.reshape(x, [tf.shape(x)[0], 4])`, become further inputs: their place in the
parameters is taken by a `Ref`.
Imports types, graph, table and shapes. Read next: shapes.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..ops.sizes import UNKNOWN, Mismatch
from . import types
from .errors import built
from .graph import Output, get_default_graph
from .shapes import infer
from .table import RULES, tensorflows
from .types import DType, as_dtype, show_list


class Ref(NamedTuple):
    """A parameter to be read from an input at run time: its "shape", its "value" as numbers, or the "array"."""

    input: int
    what: str


class Sizes:
    """The shape of a symbol as slopes see it (`self_sizes`): numbers where known, else symbols for numbers.

    As a whole it can be a parameter; its known part can be counted with.
    """

    def __init__(self, tensor: Output):
        self.tensor = tensor

    def __len__(self) -> int:
        if self.tensor.dims is None:
            raise ValueError(f"The gradient of this operator needs the number of dimensions of {self.tensor}.")
        return len(self.tensor.dims)

    def __getitem__(self, d: Any) -> Any:
        if isinstance(d, slice):
            return tuple(self[i] for i in range(len(self))[d])
        n = self.tensor.dims[d] if self.tensor.dims is not None else None
        return build("dim_of", self.tensor, dim=d, dtype=np.dtype("int64")) if n is None else n

    def __iter__(self) -> Any:
        return (self[d] for d in range(len(self)))


def build(rule_name: str, *inputs: Any, name: str | None = None, **params: Any) -> Any:
    """Add an operation for a rule; its output, or the list of its outputs where it has several.

    Raises ValueError, naming the operator and the shapes, if it is known already that they don't fit.
    """
    graph = inputs[0].graph if inputs else get_default_graph()
    rule = (graph.rules or RULES)[rule_name]
    type = tensorflows(rule_name)
    every = list(inputs)
    if isinstance(params.get("dtype"), DType):
        params["dtype"] = params["dtype"].numpy
    settled = {key: refer(value, every, key == "indices") for key, value in {**rule.params, **params}.items()}
    name = graph.unique_name(name or type)
    try:
        specs = infer(rule, list(inputs), resolve(settled, every))
    except Mismatch as mismatch:
        shapes = ", ".join(show_list(t.dims) for t in inputs)
        error = ValueError(f"{mismatch} for '{name}' (op: '{type}') with input shapes: {shapes}.")
        for tensor in inputs:
            error.add_note(built(tensor.op))
        raise error from None
    op = graph.add(type, every, specs, settled, name=name + "/", rule=rule)
    for out in op.outputs:
        out.listed = rule.kind == "list"
    return op.outputs if rule.each else op.outputs[0]


def refer(value: Any, inputs: list[Any], arrays: bool = False) -> Any:
    """A parameter with a Ref for every symbol in it; the symbols are appended to the inputs."""
    if isinstance(value, Sizes):
        dims = value.tensor.dims
        if types.known(dims):
            return dims
        inputs.append(value.tensor)
        return Ref(len(inputs) - 1, "shape")
    if isinstance(value, Output):
        inputs.append(value)
        return Ref(len(inputs) - 1, "array" if arrays and value.dims != () else "value")
    if isinstance(value, slice):
        return slice(*(refer(v, inputs, arrays) for v in (value.start, value.stop, value.step)))
    if type(value) in (tuple, list):  # those with names, as the windows of a convolution, stay as they are
        return tuple(refer(v, inputs, arrays) for v in value)
    return value


def resolve(value: Any, inputs: list[Any]) -> Any:
    """Parameters with what is known for every Ref: a number, a tuple of numbers and None, or UNKNOWN."""
    if isinstance(value, Ref):
        tensor = inputs[value.input]
        if value.what == "shape":
            return tensor.dims
        seen = foresee(tensor) if value.what == "value" else None
        return UNKNOWN if seen is None else seen
    if isinstance(value, dict):
        return {key: resolve(v, inputs) for key, v in value.items()}
    if isinstance(value, slice):
        return slice(*(resolve(v, inputs) for v in (value.start, value.stop, value.step)))
    if type(value) is tuple:
        return tuple(resolve(v, inputs) for v in value)
    return value


def foresee(tensor: Any) -> Any:
    """What can be said of an integer tensor's value before the run: sizes are often counted with.

    A number, or a tuple with None for each unknown number; None if nothing can be said.
    """
    op = tensor.op
    if op.type == "Const":
        value = op.params["value"].tolist()
        return tuple(value) if isinstance(value, list) else value
    if op.type == "Shape":
        return op.inputs[0].dims
    if op.type == "Pack":
        return tuple(foresee(t) for t in op.inputs)
    if op.type == "StridedSlice":
        whole, indices = foresee(op.inputs[0]), op.params["indices"]
        if isinstance(whole, tuple) and len(indices) == 1 and isinstance(indices[0], int | slice):
            return whole[indices[0]]
    if tensor.dims is not None and len(tensor.dims) == 1 and tensor.dims[0] is not None:
        return (None,) * tensor.dims[0]
    return None


# -- constants ----------------------------------------------------------------------------------


def as_array(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A NumPy array of what a reader wrote; Python's floats are float32 and its ints int32, as in TensorFlow."""
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind not in "biuf":
        raise ValueError(f"Failed to convert a {type(value).__name__} {value!r} to a Tensor.")
    own = isinstance(value, np.ndarray | np.generic)
    if dtype is not None:
        if dtype.is_integer and array.dtype.kind == "f" and not own:
            shown = value if isinstance(value, float) else array.flat[0].item() if array.size else value
            raise TypeError(f"Expected {dtype.name}, but got {shown} of type '{type(shown).__name__}'.")
        array = array.astype(dtype.numpy)
    elif not own and array.dtype.kind in "if":
        array = array.astype(np.float32 if array.dtype.kind == "f" else np.int32)
    else:
        as_dtype(array.dtype)
    return array if array.flags.c_contiguous and array.base is None and not own else np.array(array, order="C")


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """A tensor whose value is known now: a number, a list, a NumPy array.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     tf.constant([1, 2.5])
    <tf.Tensor 'Const:0' shape=(2,) dtype=float32>
    """
    array = as_array(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        wanted: Any = types.as_dims(shape)
        count = types.count(wanted)
        if array.size not in (1, count):
            raise TypeError(
                f"Eager execution of tf.constant with unsupported shape. Tensor {value!r} has {array.size} elements, "
                f"but got `shape` {show_list(wanted)} with {count} elements)."
            )
        array = np.full(wanted, array, array.dtype) if array.size == 1 else array.reshape(wanted)
    return constant_of(get_default_graph(), array, name)


def constant_of(graph: Any, array: np.ndarray, name: str = "Const") -> Any:
    spec = (array.shape, DType.of[array.dtype])
    return graph.add("Const", [], [spec], {"value": array}, name=name).outputs[0]


def convert(value: Any, dtype: Any = None, name: str = "Const", graph: Any = None) -> Any:
    """A tensor of what may be one already, a variable, a number, a list (of tensors, too) or an array.

    Raises ValueError if a tensor has another type than `dtype`.
    """
    dtype = None if dtype is None else as_dtype(dtype)
    value = getattr(value, "_as_tensor", lambda: value)()  # a variable is its current value
    if isinstance(value, Output):
        if dtype is not None and value.dtype is not dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    if isinstance(value, types.TensorShape | types.Dimension):
        value = value.as_list() if isinstance(value, types.TensorShape) else int(value)
    if isinstance(value, list | tuple) and any(isinstance(v, Output) or hasattr(v, "_as_tensor") for v in value):
        some = next(v for v in value if hasattr(v, "graph"))
        return build("stack", *(convert(v, dtype or some.dtype, graph=some.graph) for v in value), dim=0, name="packed")
    return constant_of(graph or get_default_graph(), as_array(value, dtype), name)


def matched(x: Any, y: Any, rule: str) -> tuple[Any, Any]:
    """Two operands as tensors of one type; TypeError, in TensorFlow's words, where that can't be."""
    x, y = (getattr(v, "_as_tensor", lambda v=v: v)() for v in (x, y))
    given = next((v for v in (x, y) if isinstance(v, Output)), None)
    dtype, graph = (given.dtype, given.graph) if given is not None else (None, None)
    try:
        x = x if isinstance(x, Output) else convert(x, dtype, "x", graph)
        y = y if isinstance(y, Output) else convert(y, dtype or x.dtype, "y", graph)
    except TypeError as error:
        bad = str(error).removeprefix("Expected ").replace("but got", "got")
        where = "y" if isinstance(x, Output) else "x"
        wanted, _, got = bad.partition(", ")
        raise TypeError(
            f"Expected {wanted} passed to parameter '{where}' of op '{tensorflows(rule)}', {got[:-1]} instead. "
            f"Error: {error}"
        ) from None
    if x.dtype is not y.dtype:
        raise TypeError(
            f"Input 'y' of '{tensorflows(rule)}' Op has type {y.dtype.name} that does not match type "
            f"{x.dtype.name} of argument 'x'."
        )
    return x, y
