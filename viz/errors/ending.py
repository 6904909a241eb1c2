"""Finds faults that raise no error, when a program or a cell has ended: a loop that never clears a gradient, and nan.

A gradient that a loop of the reader's own never clears is found in the code: the loop calls `backward()`, changes a
weight with its `.grad`, and nothing in the program clears a gradient. A gradient that is nan is found in the tensors.
Both are reported once for each program or cell.

Imports case, lines and graph/. Read clinic.py next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..graph.names import named
from .calls import parsed
from .case import Case, called
from .lines import Line, last_name

CLEARING = {"zero_", "zero_grad", "requires_grad_", "zeros_like", "detach", "clone", "fill_", "copy_", "mul_"}


def uncleared(text: str) -> Iterator[tuple[str, int, int]]:
    """Each loop that changes a weight with its gradient and never clears it: the weight, the line of `backward`, and
    the line of the change. None if any line of the program could clear a gradient.

    >>> [*uncleared('''for i in range(9):
    ...     loss(w).backward()
    ...     w.data -= 0.1 * w.grad''')]
    [('w', 2, 3)]
    """
    tree = parsed(text)
    if any(clears(node) for node in ast.walk(tree)):
        return
    for loop in (node for node in tree.body if isinstance(node, ast.For | ast.While)):
        passes = [each for each in ast.walk(loop) if isinstance(each, ast.Call) and last_name(each) == "backward"]
        changes = [(name, line) for name, line in changed_by_gradient(loop)]
        if len(passes) == 1 and changes:
            name, line = changes[0]
            yield name, passes[0].lineno, line


def clears(node: ast.AST) -> bool:
    """Could this node clear a gradient, or replace the tensor?"""
    if isinstance(node, ast.Call):
        return last_name(node) in CLEARING or last_name(node) in ("grad", "vjp", "jacobian", "step")
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        return any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in targets)
    return isinstance(node, ast.Try | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef)


def changed_by_gradient(loop: ast.AST) -> Iterator[tuple[str, int]]:
    """The changes in place `w -= … w.grad`, `w.data -= …` and `w.sub_(… w.grad)`: the weight and the line."""
    for node in ast.walk(loop):
        if isinstance(node, ast.AugAssign):
            target: ast.expr = node.target
            value: ast.expr = node.value
        elif (
            isinstance(node, ast.Call) and last_name(node) in ("sub_", "add_") and isinstance(node.func, ast.Attribute)
        ):
            target, value = node.func.value, ast.Tuple([*node.args], ast.Load())
        else:
            continue
        name = ast.unparse(target).removesuffix(".data")
        if f"{name}.grad" in {ast.unparse(each) for each in ast.walk(value) if isinstance(each, ast.Attribute)}:
            yield name, node.lineno


def nan_gradient(names: dict[str, Any]) -> str:
    """The name of a leaf whose gradient is nan; "" if there is none."""
    for name, tensor in named(names):
        if tensor.requires_grad and tensor.grad_fn is None and tensor.grad is not None:
            if holds_nan(tensor.grad):
                return name
    return ""


def holds_nan(tensor: Any) -> bool:
    values = tensor.detach()
    return not getattr(tensor, "is_sparse", False) and bool((values != values).any())


def found_at_the_end(names: dict[str, Any], text: str, filename: str) -> Iterator[tuple[Case, list[Line], str]]:
    """The faults of a program that has ended, or of a cell: the case, its lines, and the name of the tensor."""
    known = dict(named(names))
    rows = text.splitlines()
    for name, passed, changed in uncleared(text):
        weight = known.get(name)
        twice = ".data" in rows[changed - 1] or getattr(weight, "_version", 0) > 1  # the loop had a second turn
        if weight is not None and weight.requires_grad and weight.grad is not None and twice:
            case = called("not cleared")
            case = replace(case, cures=(case.cures[0].filled(name=name), *case.cures[1:]))
            places = [("added", passed), ("summed", changed)]
            yield case, [Line(part, filename, n, rows[n - 1].strip()) for part, n in places], name
    if name := nan_gradient(names):
        yield called("nan gradient"), [], name
