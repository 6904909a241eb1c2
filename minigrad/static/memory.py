"""Who shares whose memory: what passes and the code writer ask before they let an array be written over.

A value is *fresh* if its operation makes a new array for it; else it may be a window on its inputs' memory
(reshape, slices, broadcasting), a constant, something fed, or a variable's own array. Its *roots* are the
tensors whose memory that may be. It is *dense* if its elements surely lie in order in memory: reductions add
up in that order, so writing a result into other memory changes no bit only then.
Imports graph. Read next: passes/memory.py.
"""

from __future__ import annotations

from typing import Any

KINDS = ("elementwise", "matmul", "choice", "question", "reduction", "fill")
COPYING = ("cat", "stack", "to_copy", "strided_slice_grad", "stack_steps")
KEEPING = ("clamp", "argmax", "argmin")  # may hand on its input; or nothing to gain
DENSE_SOURCES = ("Feed", "VariableV2", "Assign", "AssignAdd", "AssignSub", "Random")


def fresh(tensor: Any) -> bool:
    """Is this value a new array, made by its operation for itself?"""
    rule = tensor.op.rule
    if rule is None or tensor.listed or tensor.op.type == "ReadVariable" or rule.name in KEEPING:
        return False
    return rule.kind in KINDS or rule.name in COPYING


class Memory:
    """Answers about the tensors of one block, remembered."""

    def __init__(self) -> None:
        self._roots: dict[Any, frozenset[Any]] = {}
        self._dense: dict[Any, bool] = {}

    def roots(self, tensor: Any) -> frozenset[Any]:
        """The tensors whose memory this value may lie in."""
        known = self._roots.get(tensor)
        if known is None:
            op = tensor.op
            sources = [] if fresh(tensor) or op.rule is None else op.inputs
            known = self._roots[tensor] = frozenset({tensor}).union(*(self.roots(t) for t in sources))
        return known

    def dense(self, tensor: Any) -> bool:
        """Do its elements surely lie in order, one after the other?"""
        known = self._dense.get(tensor)
        if known is None:
            known = self._dense[tensor] = self._is_dense(tensor)
        return known

    def _is_dense(self, tensor: Any) -> bool:
        op = tensor.op
        if tensor.dims == ():
            return True
        if op.type == "Const":
            return op.params["value"].flags.c_contiguous
        if op.type in DENSE_SOURCES:
            return True
        if op.rule is None or not (fresh(tensor) or op.rule.name in ("identity", "stop_gradient")):
            return False
        if op.rule.kind in ("matmul", "fill"):
            return True
        return all(self.dense(t) for t in op.inputs)
