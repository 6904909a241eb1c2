"""Which tensors share memory: passes and the code writer use it to decide whether an array may be overwritten.

A value is *fresh* if its operation makes a new array for it; otherwise it may be a view of its inputs' memory
(reshape, slices, broadcasting), a constant, a feed, or a variable's own array. Its *roots* are the tensors
whose memory it may use. It is *dense* if its elements are certainly contiguous: reductions sum in memory order,
so only then is the result the same to the last bit if it is written into other memory.
Imports graph. Read next: passes/memory.py.
"""

from __future__ import annotations

from typing import Any

from .build import Ref
from .graph import reads
from .types import known

KINDS = ("elementwise", "matmul", "choice", "question", "reduction", "fill")  # of new arrays, by default
DENSE_SOURCES = ("Feed", "VariableV2", "Assign", "AssignAdd", "AssignSub", "Random")


def fresh(tensor: Any) -> bool:
    """Whether this value is a new array, made by its operation."""
    rule = tensor.op.rule
    if rule is None or tensor.listed or tensor.op.type == "ReadVariable":
        return False
    return getattr(rule, "fresh", rule.kind in KINDS)


class Memory:
    """Cached properties of a plan's tensors."""

    def __init__(self) -> None:
        self._roots: dict[Any, frozenset[Any]] = {}
        self._dense: dict[Any, bool] = {}
        self._shapes: dict[Any, Any] = {}

    def learn(self, tensors: list[Any]) -> None:
        """Compute the properties in the order of building, which avoids deep recursion."""
        for tensor in tensors:
            self.roots(tensor), self.dense(tensor), self.shape_from(tensor)

    def roots(self, tensor: Any) -> frozenset[Any]:
        """The tensors whose memory this value may use. A result of a loop or a branch may be one of its inputs."""
        known = self._roots.get(tensor)
        if known is None:
            op = tensor.op
            sources = [] if fresh(tensor) else reads(op) if op.regions else op.inputs
            known = self._roots[tensor] = frozenset({tensor}).union(*(self.roots(t) for t in sources))
        return known

    def dense(self, tensor: Any) -> bool:
        """Whether its elements are certainly contiguous."""
        known = self._dense.get(tensor)
        if known is None:
            before = dict(self._dense) if tensor.op.type == "Param" else {}
            self._dense[tensor] = True  # an assumption, because a loop's variable depends on itself
            known = self._is_dense(tensor)
            if not known and tensor.op.type == "Param":
                self._dense = before  # undo the conclusions from the assumption
            self._dense[tensor] = known
        return known

    def _is_dense(self, tensor: Any) -> bool:
        op = tensor.op
        if tensor.dims == ():
            return True
        if op.type == "Const":
            return op.params["value"].flags.c_contiguous
        if op.type in DENSE_SOURCES:
            return True
        if op.type == "Param":
            return tensor in op.block.params and self._comes_dense(op.block, op.block.params.index(tensor))
        if op.type == "While":
            start = tensor.index >= op.params["carried"] or self.dense(op.inputs[tensor.index])
            return start and self.dense(op.regions[-1].outputs[tensor.index])
        if op.type == "Cond":
            return all(self.dense(region.outputs[tensor.index]) for region in op.regions)
        if op.rule is None or op.type == "ReadVariable":
            return False
        if op.rule.kind in ("matmul", "fill", "stack_steps"):
            return True
        return (fresh(tensor) or getattr(op.rule, "dense", False)) and all(self.dense(t) for t in op.inputs)

    def _comes_dense(self, block: Any, place: int) -> bool:
        """For a loop's symbols: whether the initial value or the list is dense, and the later values too."""
        loop = block.owner
        if loop is None or not self.dense(loop.inputs[place]):  # None: the loop is not complete yet
            return False
        return place >= loop.params["carried"] or self.dense(loop.regions[-1].outputs[place])

    def shape_from(self, tensor: Any) -> Any:
        """The tensor from which this one has its shape, through element-wise operators; itself if there is none."""
        source = self._shapes.get(tensor)
        if source is None:
            op, source = tensor.op, tensor
            size = op.params.get("size")
            if op.rule is None or op.type == "ReadVariable":
                pass
            elif op.rule.name in ("expand", "sum_to") and isinstance(size, Ref) and size.what == "shape":
                source = self.shape_from(op.inputs[size.input])
            elif op.rule.kind == "elementwise" or op.rule.name in ("identity", "stop_gradient", "to_copy"):
                sources = {self.shape_from(t) for t in op.inputs if t.dims != ()}
                source = sources.pop() if len(sources) == 1 else tensor
            self._shapes[tensor] = source
        return source

    def alike(self, a: Any, b: Any) -> bool:
        """Whether two tensors certainly have the same shape."""
        if known(a.dims) and known(b.dims):
            return a.dims == b.dims
        return self.shape_from(a) is self.shape_from(b)
