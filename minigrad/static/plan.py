"""Compiling: from fetches and feeds to one Python function, through passes that can each be switched off.

A `Plan` keeps what it went through: the graph before and after each pass, what the pass did, the text of the
function. Imports passes and codegen. Read next: session.py, which runs plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .codegen import Writer
from .errors import FailedPreconditionError, InvalidArgumentError, built
from .graph import Block, Operation, Output
from .passes import PASSES
from .passes.memory import peak_bytes
from .passes.prune import extract, size
from .types import show, show_list


@dataclass(frozen=True)
class Stage:
    """What one pass did: its name, the graph before and after, and the number of changes."""

    name: str
    before: Block
    after: Block
    count: int


class Plan:
    """A compiled run: call it with a session's state, the fed values, and a source of random numbers.

    `source` is the Python function, `passes` what led to it, `peak_bytes` how much memory it needs at most.
    """

    writer = Writer

    def __init__(
        self, graph: Any, fetches: list[Any], targets: list[Operation], feeds: list[Any], passes: Iterable[str]
    ):
        self.feeds = feeds
        self._wanted = graph, fetches, targets, feeds
        block = extract(graph, fetches, targets, feeds)
        taken = size(graph.block) - size(block)
        self.passes = [Stage("extract", graph.block, block, taken)]
        for name in passes:
            after, count = PASSES[name](block)
            self.passes.append(Stage(name, block, after, count))
            block = after
        self.block = block
        writer = self.writer(block)
        self.source = writer.write()
        self._ops, self._names = writer.ops, writer.names
        scope = writer.scope | {"accept": self.accept, "fitting": fitting, "__name__": "minigrad.static.compiled"}
        exec(compile(self.source, FILENAME, "exec"), scope)
        self.run: Callable[..., list[Any]] = scope["run"]

    def using(self, passes: Iterable[str]) -> Plan:
        """The same run, compiled with these passes only, in the order in which they always come.

        >>> import minigrad.static as tf
        >>> with tf.Graph().as_default(), tf.Session() as session:
        ...     plan = session.plan(tf.constant(2.0) * 3.0)
        >>> plan.operations, plan.using([]).operations
        (1, 3)
        """
        chosen = set(passes)
        return type(self)(*self._wanted, [name for name in PASSES if name in chosen])

    @property
    def operations(self) -> int:
        """The number of operations left after all passes, what is fed not counted."""
        return size(self.block) - len(self.block.params)

    @property
    def peak_bytes(self) -> int | None:
        """Bytes that the function's own arrays take at most; None if some size is known only at run time."""
        return peak_bytes(self.block)

    def accept(self, i: int, value: Any) -> np.ndarray:
        """A fed value as an array of the placeholder's type; ValueError or TypeError if it can't be one."""
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
            raise mismatch
        return array

    def explain(self, error: Exception) -> Exception:
        """The error that a failed run is worth: TensorFlow's kind and words, with the reader's line."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != FILENAME:
            trace = trace.tb_next
        op = self._ops.get(trace.tb_lineno) if trace is not None else None
        if op is None or not isinstance(error, ValueError | TypeError | IndexError | KeyError):
            return error
        if isinstance(error, KeyError) and (op.type in ("VariableV2", "ReadVariable") or op.type.startswith("Assign")):
            return FailedPreconditionError(op, f"Attempting to use uninitialized value {op.params['variable'].name}")
        values = trace.tb_frame.f_locals  # type: ignore[union-attr]
        shapes = [np.shape(values.get(self._names.get(t, ""), t)) for t in op.inputs]
        return InvalidArgumentError(op, refusal(op, [show_list(s) for s in shapes], shapes, error))


FILENAME = "<minigrad.static compiled>"


def refusal(op: Operation, texts: list[str], shapes: list[Any], error: Exception) -> str:
    """TensorFlow's words for an operator that can't work on these shapes."""
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
    """A value for a variable, if its shape is the variable's."""
    wanted = op.outputs[0].dims
    shape = np.shape(value)
    if len(shape) != len(wanted) or any(n not in (None, m) for n, m in zip(wanted, shape, strict=True)):  # type: ignore[arg-type]
        raise InvalidArgumentError(
            op,
            f"Assign requires shapes of both tensors to match. lhs shape= {show_list(wanted)} rhs "
            f"shape= {show_list(shape)}",
        )
    return value
