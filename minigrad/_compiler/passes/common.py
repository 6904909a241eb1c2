"""Common subexpressions: a value that occurs twice is computed once.

Two operations are the same if they have the same rule, inputs, parameters and control inputs; constants are the
same if their bits are. Random numbers, state and loops are never merged. Imports rewrite. Read next: simplify.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Block, Operation
from .rewrite import emit, rewrite


def merge(block: Block) -> tuple[Block, int]:
    """Replace equal operations by one, also inside inner blocks."""
    count = 0
    seen: dict[Any, Any] = {}

    def change(op: Operation, inputs: list[Any], new: Block) -> list[Any] | None:
        nonlocal count
        key = identity(op, inputs)
        if key is None:
            return None
        here = (key, new)
        for place in new.around():  # an enclosing block already computes it
            if (key, place) in seen:
                count += 1
                return seen[key, place].outputs
        seen[here] = copy = emit(new, op, op.type, inputs, op.outputs, op.params, op.rule)
        return copy.outputs

    return rewrite(block, change), count


def identity(op: Operation, inputs: list[Any]) -> Any:
    """A key that is equal for equal operations; None for operations that are never merged."""
    if op.control_inputs or op.regions:
        return None
    if op.type == "Const":
        value = op.params["value"]
        return ("Const", value.dtype, value.shape, value.strides, value.tobytes()) if value.nbytes <= 4096 else None
    if op.rule is None or op.type == "ReadVariable":
        return None
    return (op.rule.name, tuple(inputs), frozen(op.params))


def frozen(param: Any) -> Any:
    """A hashable form of a parameter, in which 1, 1.0 and True differ."""
    if isinstance(param, dict):
        return tuple((key, frozen(value)) for key, value in sorted(param.items()))
    if isinstance(param, slice):
        return ("slice", frozen(param.start), frozen(param.stop), frozen(param.step))
    if isinstance(param, tuple):
        return (type(param), *(frozen(p) for p in param))
    if isinstance(param, np.ndarray):
        return (param.dtype, param.shape, param.tobytes())
    return (type(param), repr(param))
