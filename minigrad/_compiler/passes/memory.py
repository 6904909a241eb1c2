"""Memory: results reuse memory that is no longer needed, and arrays are deleted after their last use.

`in_place` lets an operator overwrite an input at its last use, `reuse` any other dead array of the same size,
`free` deletes the remaining ones. All three only set attributes of operations (`onto`, `frees`).
Imports rewrite and the package's memory.py. Read next: ../codegen.py, which writes the code.
"""

from __future__ import annotations

import math
from typing import Any

from ..codegen import writes_onto
from ..graph import Block, Operation, reads
from ..memory import Memory, fresh
from ..types import count, known
from .rewrite import rewrite

FOREVER = 1 << 60
SMALL = 1024  # bytes: smaller arrays are not worth a line of code


class Life:
    """For each tensor of one block, the number of the last operation that needs its memory."""

    def __init__(self, block: Block, memory: Memory):
        self.block = block
        self.memory = memory
        self.until: dict[Any, int] = {}
        for i, op in enumerate(block.operations):
            memory.learn(op.outputs)
            for tensor in op.outputs:
                self.until.setdefault(tensor, i)
            stored = op.type in ("Assign", "AssignAdd", "AssignSub")
            for tensor in [*reads(op), *([op.onto] if op.onto is not None else [])]:
                self.needed(tensor, FOREVER if stored else i)
        for tensor in block.outputs:
            self.needed(tensor, FOREVER)

    def needed(self, tensor: Any, until: int) -> None:
        for root in self.memory.roots(tensor):
            self.until[root] = max(self.until.get(root, 0), until)

    def owned(self, tensor: Any) -> bool:
        """Whether this is a dense array of this block that may be overwritten at some point."""
        ours = tensor.op.block is self.block and fresh(tensor) and self.until[tensor] < FOREVER
        return ours and tensor.dims is not None and tensor.dims != () and self.memory.dense(tensor)


def in_place(block: Block) -> tuple[Block, int]:
    """Let elementwise operators overwrite an input that is not needed afterwards."""
    new, memory = rewrite(block, lambda op, inputs, block: None), Memory()
    return new, sum(overwrite(part, memory) for part in parts(new))


def overwrite(block: Block, memory: Memory) -> int:
    life, changes = Life(block, memory), 0
    for i, op in enumerate(block.operations):
        if op.onto is not None or not writes_onto(op, "elementwise") or not all(memory.dense(t) for t in op.inputs):
            continue
        out = op.outputs[0]
        for tensor in op.inputs:
            others = [t for t in op.inputs if t is not tensor]
            if (
                life.owned(tensor)
                and life.until[tensor] == i
                and tensor.dtype is out.dtype
                and out.dims != ()
                and all(covers(tensor, t) for t in others)
                and not any(tensor in memory.roots(t) for t in others)
            ):
                op.onto = tensor
                changes += 1
                break
    return changes


def reuse(block: Block) -> tuple[Block, int]:
    """Let operators write into dead arrays of the same size and dtype."""
    new, memory = rewrite(block, lambda op, inputs, block: None), Memory()
    return new, sum(recycle(part, memory) for part in parts(new))


def recycle(block: Block, memory: Memory) -> int:
    life, changes = Life(block, memory), 0
    taken = {op.onto for op in block.operations}
    dead: dict[Any, list[Any]] = {}
    ends: dict[int, list[Any]] = {}
    for op in block.operations:
        for tensor in op.outputs:
            if life.owned(tensor) and known(tensor.dims):
                ends.setdefault(life.until[tensor], []).append(tensor)
    for i, op in enumerate(block.operations):
        each = writes_onto(op, "elementwise") and all(memory.dense(t) for t in op.inputs)
        if op.onto is None and (each or writes_onto(op, "matmul")):
            out = op.outputs[0]
            pool = dead.get((out.dims, out.dtype)) if known(out.dims) and out.dims else None
            if pool:
                op.onto = pool.pop()
                changes += 1
        for tensor in ends.get(i, ()):
            if tensor not in taken:
                dead.setdefault((tensor.dims, tensor.dtype), []).append(tensor)
    return changes


def free(block: Block) -> tuple[Block, int]:
    """Delete each array after the last operation that needs it."""
    new, changes = rewrite(block, lambda op, inputs, block: None), 0
    for part in parts(new):
        last: dict[Any, Operation] = {}
        for op in part.operations:
            for tensor in [*op.outputs, *reads(op), *([op.onto] if op.onto is not None else [])]:
                last[tensor] = op
        kept = {*part.outputs, *part.params, *(op.onto for op in part.operations)}
        for tensor, op in last.items():
            array = tensor.op.rule is not None or tensor.op.type == "Random"
            if array and tensor.op.block is part and tensor not in kept and size(tensor) >= SMALL:
                op.frees.append(tensor)
                changes += 1
    return new, changes


def parts(block: Block) -> list[Block]:
    """A block, and the blocks inside its loops and branches."""
    return [block, *(inner for op in block.operations for region in op.regions for inner in parts(region))]


def covers(tensor: Any, other: Any) -> bool:
    """Whether the result of both certainly has the shape of the first."""
    if other.dims is None or len(other.dims) > len(tensor.dims):
        return False
    ours = tensor.dims[len(tensor.dims) - len(other.dims) :]
    return all(n == 1 or (n is not None and n == m) for n, m in zip(other.dims, ours, strict=True))


def size(tensor: Any) -> int:
    """The number of bytes; an unknown dimension counts as large."""
    if tensor.dims is None:
        return SMALL
    return math.prod(SMALL if n is None else n for n in tensor.dims) * tensor.dtype.itemsize


def peak_bytes(block: Block) -> int | None:
    """The peak memory of a block's own arrays in bytes; None if some size is known only at run time."""
    memory = Memory()
    life = Life(block, memory)
    freed = {tensor for op in block.operations for tensor in op.frees}
    taken = {op.onto for op in block.operations}
    held = most = 0
    gone: dict[int, int] = {}
    for i, op in enumerate(block.operations):
        for tensor in op.outputs:
            if fresh(tensor) or op.type == "Random":
                elements = count(tensor.dims)
                if elements is None:
                    return None
                bytes_ = elements * tensor.dtype.itemsize
                held += 0 if op.onto is not None else bytes_
                if (tensor in freed or bytes_ < SMALL) and tensor not in taken and life.until[tensor] < FOREVER:
                    gone[life.until[tensor]] = gone.get(life.until[tensor], 0) + bytes_
            elif op.regions:
                return None
        most = max(most, held)
        held -= gone.get(i, 0)
    return most
