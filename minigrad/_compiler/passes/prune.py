"""Prune: only the fetched operations, and those that they need, run.

`extract` copies the ancestors of the fetches from the graph. A run is *defined* by that, so it can't be switched
off. `prune` does the same again for operations whose results are unused after later passes.
Imports rewrite. Read next: fold.py.
"""

from __future__ import annotations

from typing import Any

from ..errors import InaccessibleTensorError, InvalidArgumentError
from ..graph import Block, Operation
from ..types import show_list
from .rewrite import Copy, emit


def ancestors(ends: list[Operation], stop: Any = ()) -> set[Operation]:
    """The operations that `ends` need, including `ends`, also inside loops and branches."""
    found: set[Operation] = set()
    todo = list(ends)
    while todo:
        op = todo.pop()
        if op in found:
            continue
        found.add(op)
        if op not in stop:
            todo += [*(t.op for t in op.inputs), *op.control_inputs]
            todo += [t.op for region in op.regions for t in [*region.params, *region.outputs]]
    return found


def extract(graph: Any, fetches: list[Any], targets: list[Operation], feeds: list[Any]) -> Block:
    """The part of the graph that a run needs: its params are the feeds, its outputs the fetches.

    Raises InvalidArgumentError if a required placeholder is not fed.
    """
    for tensor in [*fetches, *feeds, *(op.outputs[0] for op in targets if op.outputs)]:
        if tensor.op.block is not graph.block:
            raise InaccessibleTensorError(
                f"Operation '{tensor.op.name}' has been marked as not fetchable: it is inside a loop or a branch, and "
                "has a value at each step or none at all. Return it from there instead."
            )
    fed = set(feeds)
    replaced = {t.op for t in feeds if all(out in fed for out in t.op.outputs)}
    wanted = ancestors([t.op for t in fetches if t not in fed] + targets, replaced) - replaced
    whole = Block(graph)
    copy = Copy(lambda op, inputs, new: None, wanted)
    for tensor in feeds:
        copy.tensors[tensor] = emit(whole, tensor.op, "Feed", [], [tensor], {}).outputs[0]
    for op in sorted((op for op in wanted if op.block is graph.block), key=lambda op: op.number):
        if op.type == "Placeholder":
            shape = "" if op.outputs[0].dims is None else f" and shape {show_list(op.outputs[0].dims)}"
            raise InvalidArgumentError(
                op,
                f"You must feed a value for placeholder tensor '{op.name}' with dtype "
                f"{op.outputs[0].dtype.short}{shape}",
            )
        new = copy.operation(op, [copy.tensors[t] for t in op.inputs], whole)
        copy.operations[op] = [new]
        for old, out in zip(op.outputs, new.outputs, strict=True):
            copy.tensors.setdefault(old, out)
    whole.params = [copy.tensors[t] for t in feeds]
    whole.outputs = [copy.tensors[t] for t in fetches]
    whole.targets = [copy.operations[op][0] for op in targets if op in copy.operations]
    return whole


def prune(block: Block) -> tuple[Block, int]:
    """Remove results that are not used and have no effect: first unused lists of loops, then operations."""
    total = size(block)
    block = Copy(lambda op, inputs, new: None, useful=used(block)).block(block)
    keep = ancestors([t.op for t in [*block.params, *block.outputs]] + block.targets)
    pruned = Copy(lambda op, inputs, new: None, keep).block(block)
    return pruned, total - size(pruned)


def used(block: Block) -> set[Any]:
    """The tensors that are outputs of a block, or that an operation, loop or branch of it reads."""
    found = set(block.outputs)
    for op in block.operations:
        found |= {*op.inputs, *(t for region in op.regions for t in used(region))}
    return found


def size(block: Block) -> int:
    """The number of operations, including those inside loops and branches."""
    return sum(1 + sum(size(region) for region in op.regions) for op in block.operations)
