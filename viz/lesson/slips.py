"""Statements of an answer that do nothing: a line below `return`, `==` in place of `=`, a call without its brackets.
And lines of the cell that the answer has changed.

    slips("def f(w):\\n    w == 2\\n    return w")     [Slip("compares", 2, "w == 2")]
    altered("a = w * x\\n...", "a = w + x")        {"a = w * x": "a = w + x"}

A sentence about such a statement is true, whatever the code gives. A known mistake without one is then not named as the
cause.
Imports reading.py. Read next: beliefs.py, which uses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import NamedTuple

from .reading import nodes_of

ENDS: dict[type, str] = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}
VALUES = ast.Compare, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Name, ast.Subscript
ACTS = ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
LONGEST = 80  # characters of a statement that are shown


class Slip(NamedTuple):
    """A statement without an effect.

    kind: "compares", "drops" (a value), "calls nothing" (an attribute), "idle" (a name); or "return", "raise", "break",
        "continue", if it is below such a line. line: counted from 1.
    """

    kind: str
    line: int
    text: str


@lru_cache(maxsize=2000)
def slips(source: str) -> tuple[Slip, ...]:
    """The statements without an effect in the functions of a piece of code, from top to bottom."""
    source = dedent(source)
    found = {slip for node in nodes_of(source) if isinstance(node, FUNCTIONS) for slip in _inside(node, source)}
    return tuple(sorted(found, key=lambda slip: slip.line))


@lru_cache(maxsize=2000)
def altered(given: str, source: str) -> dict[str, str]:
    """The lines of a cell with a gap that give a name a value, and that give it another value in an answer: each with
    the line of the answer."""
    before, now = _assigned(given), _assigned(source)
    return {
        old[value]: next(iter(now[name].values()))
        for name, old in before.items()
        for value in old
        if len(old) == len(now.get(name, ())) == 1 and value not in now[name]
    }


@lru_cache(maxsize=2000)
def names_in(source: str) -> frozenset[str]:
    """The names of a piece of code, with those of parameters, and without those of attributes."""
    nodes = nodes_of(source)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return frozenset(names | {node.arg for node in nodes if isinstance(node, ast.arg)})


def _assigned(source: str) -> dict[str, dict[str, str]]:
    """For each name, the values that a piece of code gives it, each with its line; a gap is no value."""
    source = dedent(source)
    found: dict[str, dict[str, str]] = {}
    for node in nodes_of(source):
        if isinstance(node, ast.Assign) and "Ellipsis" not in ast.dump(node.value):
            line = (ast.get_source_segment(source, node) or "").partition("\n")[0]
            target = node.targets[0]
            found.setdefault(ast.dump(target), {})[ast.dump(node.value)] = line[:LONGEST]
            for part in target.elts if isinstance(target, ast.Tuple) else ():
                found.setdefault(ast.dump(part), {})[ast.dump(node.value)] = line[:LONGEST]
    return found


def _inside(function: ast.AST, source: str) -> Iterator[Slip]:
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield from _in_block(block, source)


def _in_block(block: Sequence[ast.stmt], source: str) -> Iterator[Slip]:
    end = ""
    for statement in block:
        if end:
            yield _slip(end, statement, source)
            return
        end = ENDS.get(type(statement), "")
        if isinstance(statement, ast.Expr) and isinstance(statement.value, VALUES):
            value = statement.value
            compares = isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq)
            acts = ACTS[1:] if isinstance(value, ast.BinOp) else ACTS  # `w - g.item()` drops a value
            if not compares and any(isinstance(node, acts) for node in ast.walk(value)):
                continue
            kind = "calls nothing" if isinstance(value, ast.Attribute) else "drops"
            kind = "idle" if isinstance(value, ast.Name) else kind
            yield _slip("compares" if compares else kind, statement, source)


def _slip(kind: str, statement: ast.stmt, source: str) -> Slip:
    text = (ast.get_source_segment(source, statement) or "").partition("\n")[0]
    return Slip(kind, statement.lineno, text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
