"""Gradients of loops and branches: the gradient of a loop is a loop that runs backwards.

The forward loop keeps the values that the backward body needs: if a derivative uses a tensor of the forward
body, `recall` makes the forward loop write it to an additional list, and the backward loop reads that list. The
backward loop is an ordinary `While`, so it can be differentiated again. A branch keeps the values for its
gradient as additional results; the other branch returns 0 for them.
Imports the compiler's gradients, and control_flow. Read next: rnn.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.build import build, constant_of
from .._compiler.gradients import SPECIAL, add, backpropagate, between, zeros
from .._compiler.graph import Block, captures
from .._compiler.types import known
from .control_flow import loop, param, steps_of
from .graph import Operation


def of_while(op: Operation, grads: list[Any], wanted: list[Any]) -> dict[Any, Any]:
    """Gradients of a loop's inputs, and of the outer tensors that its body reads."""
    graph, body, carried = op.graph, op.regions[-1], op.params["carried"]
    around = [t for t in captures(body) if t in wanted]
    walked = [j for j in range(carried, len(op.inputs)) if op.inputs[j] in wanted]
    live = carried_gradients(op, wanted, around, walked)
    region = Block(graph, graph.current)
    sources: list[Any] = []  # the lists that the backward loop reads
    recalled: dict[Any, Any] = {}

    def step(source: Any, like: Any) -> Any:
        sources.append(source)
        return param(graph, region, like.dims, like.dtype, like.listed, "step")

    def recall(tensor: Any) -> Any:
        if tensor.op.type == "Const":
            return constant_of(graph, tensor.op.params["value"])
        if tensor not in recalled:
            place = body.params.index(tensor) if tensor in body.params else -1
            source = op.inputs[place] if place >= carried else history(op, body, tensor)
            recalled[tensor] = step(source, tensor)
        return recalled[tensor]

    region.forward, region.recall = body, recall
    starts = [grads[i] if grads[i] is not None else zeros(op.outputs[i]) for i in live] + [zeros(t) for t in around]
    flowing = [param(graph, region, t.dims, t.dtype) for t in [*(body.outputs[i] for i in live), *around]]
    seeds: dict[Any, Any] = {}
    with graph.building(region):
        for i, grad in zip(live, flowing, strict=False):
            add(seeds, body.outputs[i], grad)
        for j in range(carried, len(grads)):
            if grads[j] is not None:
                add(seeds, body.outputs[j], step(grads[j], body.outputs[j]))
        xs = [*(body.params[i] for i in live), *around, *(body.params[j] for j in walked)]
        found = backpropagate(seeds, xs, [], body)
        outputs = []
        for i, grad in zip(live, found, strict=False):
            here = body.params[i] if not known(body.params[i].dims) else flowing[live.index(i)]
            outputs.append(zeros(here) if grad is None else grad)
        for total, grad in zip(flowing[len(live) :], found[len(live) :], strict=False):
            outputs.append(total if grad is None else build("add", total, grad))
        for j, grad in zip(walked, found[len(live) + len(around) :], strict=True):
            outputs.append(zeros(body.params[j]) if grad is None else grad)
        if not sources:
            recall(body.params[0])  # the length of its list is the number of iterations
    region.outputs = outputs
    results = loop(graph, starts, sources, (region,), not op.params["backwards"])
    sums: dict[Any, Any] = {}
    targets = [*(op.inputs[i] for i in live), *around, *(op.inputs[j] for j in walked)]
    for target, result in zip(targets, results, strict=True):
        if target in wanted:
            add(sums, target, result)
    return sums


def carried_gradients(op: Operation, wanted: list[Any], around: list[Any], walked: list[int]) -> list[int]:
    """The carried variables that depend on a wanted input, directly or after some iterations."""
    body, carried = op.regions[-1], op.params["carried"]
    floats = [i for i in range(carried) if body.params[i].dtype.is_floating]
    live = [i for i in floats if op.inputs[i] in wanted]
    while True:
        starts = [*(body.params[i] for i in live), *around, *(body.params[j] for j in walked)]
        reached = set(starts)
        for inner in between(list(body.outputs), starts, [], body):
            reached |= set(inner.outputs)
        more = [i for i in floats if i not in live and body.outputs[i] in reached]
        if not more:
            return sorted(live)
        live += more


def history(op: Operation, body: Block, tensor: Any) -> Any:
    """The list of a tensor's values in all iterations: an additional output of the forward loop."""
    carried = op.params["carried"]
    if tensor in body.outputs[carried:]:
        return op.outputs[carried + body.outputs[carried:].index(tensor)]
    body.outputs.append(tensor)
    return another_output(op, steps_of(tensor.dims), tensor.dtype, True)


def another_output(op: Operation, dims: Any, dtype: Any, listed: bool) -> Any:
    out = op.output_type(op, len(op.outputs), dims, dtype)
    out.listed = listed
    op.outputs.append(out)
    return out


def of_cond(op: Operation, grads: list[Any], wanted: list[Any]) -> dict[Any, Any]:
    """Gradients of the outer tensors that the branches read."""
    graph = op.graph
    around = list(dict.fromkeys(t for region in op.regions for t in captures(region) if t in wanted))
    given = len(grads)
    regions = tuple(backward_branch(op, branch, grads[:given], around) for branch in op.regions)
    specs = [(t.dims, t.dtype) for t in around]
    made = graph.add("Cond", [op.inputs[0]], specs, {}, name="cond_grad", regions=regions)
    for out, t in zip(made.outputs, around, strict=True):
        out.listed = t.listed
    return dict(zip(around, made.outputs, strict=True))


def backward_branch(op: Operation, branch: Block, grads: list[Any], around: list[Any]) -> Block:
    graph = op.graph
    region = Block(graph, graph.current)

    def recall(tensor: Any) -> Any:
        if tensor.op.type == "Const":
            return constant_of(graph, tensor.op.params["value"])
        return graph.current.reach(result(op, branch, tensor), "cond_grad")

    region.forward, region.recall = branch, recall
    seeds: dict[Any, Any] = {}
    with graph.building(region):
        for tensor, grad in zip(branch.outputs, grads, strict=False):
            if grad is not None:
                add(seeds, tensor, grad)
        found = backpropagate(seeds, around, [], branch)
        region.outputs = [zeros(t) if g is None else g for t, g in zip(around, found, strict=True)]
    return region


def result(op: Operation, branch: Block, tensor: Any) -> Any:
    """A tensor of a branch as an additional result of the operation; 0 if the other branch runs."""
    if tensor in branch.outputs:
        return op.outputs[branch.outputs.index(tensor)]
    for other in op.regions:
        if other is branch:
            other.outputs.append(tensor)
            continue
        with op.graph.building(other):
            if tensor.listed:
                nothing = build("no_steps", constant_of(op.graph, np.zeros((), tensor.dtype.numpy)))
            else:
                nothing = constant_of(op.graph, np.zeros((), tensor.dtype.numpy))
        other.outputs.append(nothing)
    return another_output(op, tensor.dims, tensor.dtype, tensor.listed)


SPECIAL["While"] = of_while
SPECIAL["Cond"] = of_cond
