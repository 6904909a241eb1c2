"""From a row of the rule table to an operation of the graph: `build("mul", x, y)`.

Shapes and types are inferred (shapes.py), and Python numbers become constants. Parameters that are known
only at run time, such as `tf.reshape(x, [tf.shape(x)[0], 4])`, become additional inputs; a `Ref` replaces them
in the parameters.
Imports types, graph, table and shapes. Read next: shapes.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..ops.sizes import UNKNOWN, Mismatch
from .errors import built
from .graph import Output
from .shapes import infer
from .table import type_of
from .types import DType, known, show_list


class Ref(NamedTuple):
    """A parameter that is read from an input at run time: its "shape", its "value" as numbers, or the "array"."""

    input: int
    what: str


class Sizes:
    """The shape of a symbol for derivatives (`self_sizes`): numbers where known, else symbols for numbers.

    The whole can be a parameter; code can compute with the known numbers.
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


def build(rule_name: str, *inputs: Any, name: str | None = None, graph: Any = None, **params: Any) -> Any:
    """Add an operation for a rule; return its output, or the list of its outputs if it has several.

    graph: where to add it; required if there are no inputs, which otherwise determine it.

    Raises ValueError, with the operator and the shapes, if they are already known not to fit.
    """
    graph = inputs[0].graph if inputs else graph
    rule = graph.rules[rule_name]
    type = type_of(rule)
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
        try:
            raise error from None
        finally:
            del error  # the error holds this frame: with the name it would be a cycle
    op = graph.add(type, every, specs, settled, name=name + "/", rule=rule)
    for out in op.outputs:
        out.listed = rule.kind == "list"
    return op.outputs if rule.each else op.outputs[0]


def refer(value: Any, inputs: list[Any], arrays: bool = False) -> Any:
    """Replace every symbol in a parameter by a Ref; the symbols are appended to the inputs."""
    if isinstance(value, Sizes):
        dims = value.tensor.dims
        if known(dims):
            return dims
        inputs.append(value.tensor)
        return Ref(len(inputs) - 1, "shape")
    if isinstance(value, Output):
        inputs.append(value)
        return Ref(len(inputs) - 1, "array" if arrays and value.dims != () else "value")
    if isinstance(value, slice):
        return slice(*(refer(v, inputs, arrays) for v in (value.start, value.stop, value.step)))
    if type(value) in (tuple, list):  # namedtuples, such as a convolution's windows, stay as they are
        return tuple(refer(v, inputs, arrays) for v in value)
    return value


def resolve(value: Any, inputs: list[Any]) -> Any:
    """Replace every Ref by what is known of it: a number, a tuple of numbers and None, or UNKNOWN."""
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
    """What is known of an integer tensor's value before the run, because sizes are often computed from each other.

    A number, or a tuple with None for each unknown number; None if nothing is known.
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


def constant_of(graph: Any, array: np.ndarray, name: str = "Const") -> Any:
    """A symbol whose value is known when the graph is built."""
    spec = (array.shape, DType.of[array.dtype])
    return graph.add("Const", [], [spec], {"value": array}, name=name).outputs[0]
