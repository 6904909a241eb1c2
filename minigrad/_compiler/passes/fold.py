"""Fold constants: an operation with only constant inputs is computed during compilation, by its own rule.

Results larger than a megabyte are computed at run time. Imports rewrite. Read next: common.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._machine.backend import silence
from ..build import Ref
from ..graph import Block, Operation
from .rewrite import emit, rewrite

LIMIT = 1 << 20  # bytes


def fold(block: Block) -> tuple[Block, int]:
    """Replace operations on constants by their results."""
    count = 0

    def change(op: Operation, inputs: list[Any], new: Block) -> list[Any] | None:
        nonlocal count
        if not foldable(op, inputs):
            return None
        arrays = [t.op.params["value"] for t in inputs]
        params = {key: at_once(value, inputs) for key, value in op.params.items()}
        names = len(op.rule.inputs) if not op.rule.variadic else len(inputs)
        try:
            result = np.asarray(silence().run(op.rule.value, np, *arrays[:names], **params))
        except (ValueError, IndexError, TypeError):
            return None  # the run will raise the error
        count += 1
        return emit(new, op, "Const", [], op.outputs, {"value": result}).outputs

    return rewrite(block, change), count


def foldable(op: Operation, inputs: list[Any]) -> bool:
    if op.rule is None or op.type == "ReadVariable" or op.rule.outputs != ("result",) or op.outputs[0].listed:
        return False
    if op.control_inputs or not all(t.op.type == "Const" for t in inputs):
        return False
    dims = op.outputs[0].dims
    known = dims is not None and None not in dims
    return known and int(np.prod(dims)) * op.outputs[0].dtype.itemsize <= LIMIT  # type: ignore[arg-type]


def at_once(param: Any, inputs: list[Any]) -> Any:
    """A parameter, with each Ref replaced by its constant value."""
    if isinstance(param, Ref):
        value = inputs[param.input].op.params["value"]
        if param.what == "shape":
            return value.shape
        return value if param.what == "array" else int(value) if value.ndim == 0 else tuple(value.tolist())
    if isinstance(param, slice):
        return slice(*(at_once(p, inputs) for p in (param.start, param.stop, param.step)))
    return tuple(at_once(p, inputs) for p in param) if type(param) is tuple else param
