"""Mutants of a piece of code: each has one operator, constant, name, argument or statement changed, as by a slip."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import Any

OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
Change = Callable[[Any], None]  # changes a node in place


def mutants(code: str) -> Iterator[str]:
    """Each mutant of the code once; the same ones each time."""
    tree = ast.parse(code)
    names, seen = _names(tree), {ast.unparse(tree)}
    for at, node in enumerate(ast.walk(tree)):
        for change in _changes(node, names):
            changed = ast.parse(code)  # much faster than a copy of the tree
            change(next(itertools.islice(ast.walk(changed), at, None)))
            text = ast.unparse(changed)
            if text not in seen and _parses(text):
                yield text + "\n"
            seen.add(text)


def _parses(text: str) -> bool:
    try:
        compile(text, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _changes(node: ast.AST, names: list[str]) -> Iterator[Change]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        for new in OPERATORS.get(type(node.op), ()):
            yield lambda one, new=new: setattr(one, "op", new())
    if isinstance(node, ast.BinOp):
        yield lambda one: one.__dict__.update(left=one.right, right=one.left)
        yield lambda one: _become(one, one.left)
        yield lambda one: _become(one, one.right)
    if isinstance(node, ast.Compare):
        for new in COMPARISONS.get(type(node.ops[0]), ()):
            yield lambda one, new=new: one.ops.__setitem__(0, new())
    if isinstance(node, ast.UnaryOp):
        yield lambda one: _become(one, one.operand)
    if isinstance(node, ast.BoolOp):
        yield lambda one: setattr(one, "op", ast.Or() if isinstance(one.op, ast.And) else ast.And())
        yield lambda one: _become(one, one.values[0])
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield lambda one: setattr(one, "value", not one.value)
        elif isinstance(node.value, (int, float)):
            for new in (node.value + 1, node.value - 1, -node.value, 0):
                yield lambda one, new=new: setattr(one, "value", new)
    if isinstance(node, ast.Call):
        if len(node.args) > 1 and not isinstance(node.args[1], ast.Starred):
            yield lambda one: one.args.__setitem__(slice(0, 2), one.args[1::-1])
        if node.args:
            yield lambda one: one.args.pop()
        if node.keywords:
            yield lambda one: one.keywords.pop()
        if isinstance(node.func, ast.Attribute):  # x.detach() -> x, x.zero_() -> x.zero
            yield lambda one: _become(one, one.func.value)
            yield lambda one: _become(one, one.func)
        elif len(node.args) == 1:
            yield lambda one: _become(one, one.args[0])
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for new in names:
            if new != node.id:
                yield lambda one, new=new: setattr(one, "id", new)
    if isinstance(node, ast.Return) and node.value is not None:
        yield lambda one: one.__dict__.update(value=None)
    if isinstance(node, ast.If):
        yield lambda one: setattr(one, "test", ast.UnaryOp(ast.Not(), one.test))
        yield lambda one: setattr(one, "orelse", [])
    if isinstance(node, ast.Starred):
        yield lambda one: _become(one, one.value)
    for name in ("body", "orelse", "finalbody"):
        lines = getattr(node, name, None)
        if isinstance(lines, list) and not isinstance(node, ast.Module):
            yield from _lines(name, len(lines))


def _lines(name: str, count: int) -> Iterator[Change]:
    """Drop a line, swap two, or move the last one into the block before it."""
    for at in range(count):
        yield lambda one, at=at: _drop(getattr(one, name), at)
        if at:
            yield lambda one, at=at: _swap(getattr(one, name), at)
            yield lambda one, at=at: _indent(getattr(one, name), at)


def _drop(lines: list[ast.stmt], at: int) -> None:
    del lines[at]
    if not lines:
        lines.append(ast.Pass())


def _swap(lines: list[ast.stmt], at: int) -> None:
    lines[at - 1 : at + 1] = [lines[at], lines[at - 1]]


def _indent(lines: list[ast.stmt], at: int) -> None:
    if isinstance(lines[at - 1], (ast.For, ast.While, ast.With, ast.If)):
        lines[at - 1].body.append(lines.pop(at))


def _names(tree: ast.AST) -> list[str]:
    """The arguments and variables."""
    stored = [each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return sorted({*stored, *(each.arg for each in ast.walk(tree) if isinstance(each, ast.arg))})


def _become(node: Any, other: Any) -> None:
    """Turn a node into another one, in place."""
    fields = dict(other.__dict__)
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(fields)
