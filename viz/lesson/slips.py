"""Statements of an answer that do nothing: a line below `return`, `==` in place of `=`, a call without its brackets.

    slips("def f(w):\\n    w == 2\\n    return w")     [Slip("compares", 2, "w == 2")]

A sentence about such a statement is true, whatever the code gives. A known mistake without one is then not named as the
cause.
Imports the standard library alone. Read next: beliefs.py, which uses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import NamedTuple

ENDS: dict[type, str] = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}
VALUES = ast.Compare, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Name, ast.Subscript
ACTS = ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
LONGEST = 80  # characters of a statement that are shown


class Slip(NamedTuple):
    """A statement without an effect.

    kind: "compares", "drops" (a value), "calls nothing"; or "return", "raise", "break", "continue", if it is below such
        a line. line: counted from 1.
    """

    kind: str
    line: int
    text: str


@lru_cache(maxsize=2000)
def slips(source: str) -> tuple[Slip, ...]:
    """The statements without an effect in the functions of a piece of code, from top to bottom."""
    source = dedent(source)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found = {slip for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for slip in _inside(node, source)}
    return tuple(sorted(found, key=lambda slip: slip.line))


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
            if not compares and any(isinstance(node, ACTS) for node in ast.walk(value)):
                continue
            kind = "calls nothing" if isinstance(value, (ast.Attribute, ast.Name)) else "drops"
            yield _slip("compares" if compares else kind, statement, source)


def _slip(kind: str, statement: ast.stmt, source: str) -> Slip:
    text = (ast.get_source_segment(source, statement) or "").partition("\n")[0]
    return Slip(kind, statement.lineno, text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
