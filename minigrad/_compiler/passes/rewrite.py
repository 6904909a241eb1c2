"""The base of every pass: copies a block, operation by operation, and replaces some of them.

A pass never changes its input graph, so that both graphs can be compared.
Imports graph. Read next: prune.py, the simplest pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph import Block, Operation

# (operation, its inputs in the new block, the new block) -> replacements of its outputs; None: copy it
Change = Callable[[Operation, list[Any], Block], list[Any] | None]


class Copy:
    """A copy in progress: it maps old tensors and operations to new ones."""

    def __init__(self, change: Change, keep: set[Operation] | None = None, useful: set[Any] | None = None):
        self.change = change
        self.keep = keep  # the operations to copy; None: all
        self.useful = useful  # the results of loops and branches to copy; None: all
        self.tensors: dict[Any, Any] = {}
        self.operations: dict[Operation, list[Operation]] = {}

    def block(self, old: Block, parent: Block | None = None) -> Block:
        """Copy a block, including the blocks of loops and branches inside."""
        new = Block(old.graph, parent)
        for op in old.operations:
            if self.keep is not None and op not in self.keep:
                continue
            inputs = [self.tensors[t] for t in op.inputs]
            outputs = self.change(op, inputs, new)
            if outputs is None:
                results = iter(self.operation(op, inputs, new).outputs)
                outputs = [next(results) if self.wants(op, i) else None for i in range(len(op.outputs))]
            self.tensors.update(zip(op.outputs, outputs, strict=True))
            self.operations[op] = list(dict.fromkeys(t.op for t in outputs if t is not None and t.op.block is new)) or (
                [new.operations[-1]] if not op.outputs else []
            )
        new.params = [self.tensors[t] for t in old.params]
        new.outputs = [self.tensors[t] for t in old.outputs]
        new.targets = [o for op in old.targets for o in self.operations.get(op, [])]
        return new

    def operation(self, op: Operation, inputs: list[Any], new: Block) -> Operation:
        regions = tuple(self.block(region, new) for region in op.regions)
        controls = [o for c in op.control_inputs for o in self.operations.get(c, [])]
        wanted = [i for i in range(len(op.outputs)) if self.wants(op, i)]
        for region in regions[-1:] if op.type == "While" else regions:
            region.outputs = [region.outputs[i] for i in wanted]
        outputs = [op.outputs[i] for i in wanted]
        copied = emit(new, op, op.type, inputs, outputs, op.params, op.rule, regions, controls)
        copied.onto = self.tensors.get(op.onto)
        copied.frees = [self.tensors[t] for t in op.frees]
        return copied

    def wants(self, op: Operation, i: int) -> bool:
        """Whether to copy this result. The carried variables of a loop are always copied."""
        if self.useful is None or not op.regions or (op.type == "While" and i < op.params["carried"]):
            return True
        return op.outputs[i] in self.useful


def rewrite(block: Block, change: Change) -> Block:
    """A copy of the block, in which `change` has replaced operations."""
    return Copy(change).block(block)


def emit(
    block: Block,
    like: Operation,
    type: str,
    inputs: list[Any],
    outputs: list[Any],
    params: dict[str, Any],
    rule: Any = None,
    regions: tuple[Block, ...] = (),
    controls: Any = (),
) -> Operation:
    """A new operation at the end of a block, with the name and the user's line of `like`."""
    specs = [(out.dims, out.dtype) for out in outputs]
    make = like.__class__
    op = make(block, like.name, type, inputs, specs, params, rule, regions, controls, like.number, like.place)
    for mine, theirs in zip(op.outputs, outputs, strict=True):
        mine.listed = theirs.listed
    block.operations.append(op)
    return op
