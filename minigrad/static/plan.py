"""A session's plan: checks feeds, and turns errors of a run into TensorFlow's errors.

Imports the compiler's plan, and codegen. Read next: session.py, which runs plans.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.errors import FailedPreconditionError, InvalidArgumentError, built
from .._compiler.graph import Operation, Output
from .._compiler.plan import FILENAME
from .._compiler.plan import Plan as Plain
from .._compiler.types import show, show_list
from .codegen import Writer


class Plan(Plain):
    """A compiled run: call it with a session's state, the fed values, and a source of random numbers."""

    writer = Writer

    def helpers(self) -> dict[str, Any]:
        return {"accept": self.accept, "fitting": fitting}

    def accept(self, i: int, value: Any) -> np.ndarray:
        """Convert a fed value to an array of the placeholder's dtype; ValueError or TypeError if that is impossible."""
        tensor = self.feeds[i]
        if isinstance(value, Output):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, "
                f"strings, lists, or numpy ndarrays. For reference, the tensor object was {value} which was passed to "
                f"the argument `feed_dict` with key {tensor}."
            )
        try:
            array = np.asarray(value, dtype=tensor.dtype.numpy, order="C")
        except (ValueError, TypeError) as error:
            error.add_note(built(tensor.op))
            raise
        wanted = tensor.dims
        if wanted is not None and (
            len(wanted) != array.ndim or any(n not in (None, m) for n, m in zip(wanted, array.shape, strict=True))
        ):
            mismatch = ValueError(
                f"Cannot feed value of shape {array.shape} for Tensor '{tensor.name}', which has shape '{show(wanted)}'"
            )
            mismatch.add_note(built(tensor.op))
            try:
                raise mismatch
            finally:
                del mismatch  # the error holds this frame: with the name it would be a cycle
        return array

    def explain(self, error: Exception) -> Exception:
        """TensorFlow's error for a failed run, with the line of the user's code that built the operation."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != FILENAME:
            trace = trace.tb_next
        op = self._ops.get(trace.tb_lineno) if trace is not None else None
        if op is None or not isinstance(error, ValueError | TypeError | IndexError | KeyError):
            return error
        if isinstance(error, KeyError) and (op.type in ("VariableV2", "ReadVariable") or op.type.startswith("Assign")):
            return FailedPreconditionError(op, uninitialized(op.params["variable"].name))
        values = trace.tb_frame.f_locals  # type: ignore[union-attr]
        shapes = [np.shape(values.get(self._names.get(t, ""), t)) for t in op.inputs]
        return InvalidArgumentError(op, refusal(op, [show_list(s) for s in shapes], shapes, error))


def uninitialized(name: str) -> str:
    """TensorFlow's message for a variable without a value, and what to do."""
    return (
        f"Attempting to use uninitialized value {name}. A variable has no value until its initializer runs in this "
        "session: use session.run(tf.global_variables_initializer())"
    )


def refusal(op: Operation, texts: list[str], shapes: list[Any], error: Exception) -> str:
    """TensorFlow's message for an operator that doesn't accept these shapes."""
    node = f"\n\t [[{{{{node {op.name}}}}}]]"
    if op.type in ("MatMul", "BatchMatMulV2") and len(shapes) == 2:
        return f"Matrix size-incompatible: In[0]: {texts[0]}, In[1]: {texts[1]}{node}"
    if op.rule is not None and op.rule.kind in ("elementwise", "question", "choice") and len(shapes) > 1:
        return f"Incompatible shapes: {' vs. '.join(texts)}{node}"
    if op.type == "Reshape":
        return f"Input to reshape is a tensor with {int(np.prod(shapes[0]))} values, but {error}{node}"
    if op.type == "ConcatV2":
        return f"ConcatOp : Dimensions of inputs should match: {' vs. '.join(texts)}{node}"
    if op.type == "Split":
        return f"{error}{node}"
    return f"{op.type} of {', '.join(texts)}: {error}{node}"


def fitting(value: Any, op: Operation) -> Any:
    """Check that a value has the shape of the variable; return the value."""
    wanted = op.outputs[0].dims
    shape = np.shape(value)
    if len(shape) != len(wanted) or any(n not in (None, m) for n, m in zip(wanted, shape, strict=True)):  # type: ignore[arg-type]
        raise InvalidArgumentError(
            op,
            f"Assign requires shapes of both tensors to match. lhs shape= {show_list(wanted)} rhs "
            f"shape= {show_list(shape)}",
        )
    return value
