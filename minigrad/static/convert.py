"""Conversion of a user's operand (a number, a list, an array, a variable) to a symbol of the right type.

Imports the compiler's build, and graph. Read next: tensor.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.build import build, constant_of
from .._compiler.graph import Output
from .._compiler.table import type_of
from .._compiler.types import DType, as_dtype, show_list
from .._compiler.types import count as count_of
from .graph import get_default_graph
from .table import RULES
from .types import Dimension, TensorShape, as_dims


def as_array(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A NumPy array of the user's value; Python's floats become float32 and its ints int32, as in TensorFlow."""
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
    """A tensor with a value that is known when the graph is built: a number, a list, a NumPy array.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default():
    ...     tf.constant([1, 2.5])
    <tf.Tensor 'Const:0' shape=(2,) dtype=float32>
    """
    array = as_array(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        wanted: Any = as_dims(shape)
        count = count_of(wanted)
        if array.size not in (1, count):
            raise TypeError(
                f"Eager execution of tf.constant with unsupported shape. Tensor {value!r} has {array.size} elements, "
                f"but got `shape` {show_list(wanted)} with {count} elements)."
            )
        array = np.full(wanted, array, array.dtype) if array.size == 1 else array.reshape(wanted)
    return constant_of(get_default_graph(), array, name)


def convert(value: Any, dtype: Any = None, name: str = "Const", graph: Any = None) -> Any:
    """Convert a tensor, variable, number, list (also of tensors) or array to a tensor.

    Raises ValueError if a tensor has another dtype than `dtype`.
    """
    dtype = None if dtype is None else as_dtype(dtype)
    value = getattr(value, "_as_tensor", lambda: value)()  # for a variable: its current value
    if isinstance(value, Output):
        if dtype is not None and value.dtype is not dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value.dtype.name}: {value!r}"
            )
        return value
    if isinstance(value, TensorShape | Dimension):
        value = value.as_list() if isinstance(value, TensorShape) else int(value)
    if isinstance(value, list | tuple) and any(isinstance(v, Output) or hasattr(v, "_as_tensor") for v in value):
        some = next(v for v in value if hasattr(v, "graph"))
        return build("stack", *(convert(v, dtype or some.dtype, graph=some.graph) for v in value), dim=0, name="packed")
    return constant_of(graph or get_default_graph(), as_array(value, dtype), name)


def matched(x: Any, y: Any, rule: str) -> tuple[Any, Any]:
    """Both operands as tensors of one dtype; raises TensorFlow's TypeError if that is impossible."""
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
            f"Expected {wanted} passed to parameter '{where}' of op '{type_of(RULES[rule])}', {got[:-1]} instead. "
            f"Error: {error}"
        ) from None
    if x.dtype is not y.dtype:
        raise TypeError(
            f"Input 'y' of '{type_of(RULES[rule])}' Op has type {y.dtype.name} that does not match type "
            f"{x.dtype.name} of argument 'x'."
        )
    return x, y
