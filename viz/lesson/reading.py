"""Read the code of an answer: its source, the names that it uses, the constructs in it.

    constructs("w.data -= g")   {"w", "data", "-=", "g"}

Imports the standard library alone. Read next: beliefs.py, which uses it.
"""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import re
import types
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

SHORT = 200  # lines; a file that has no more is a notebook's cell or a page's code, and not a module
WITH = {("BEFORE_WITH", ""), ("LOAD_SPECIAL", "__enter__")}  # the start of a `with`: up to Python 3.13, from 3.14 on

STATEMENTS: dict[type, str] = {
    **{ast.For: "for", ast.comprehension: "for", ast.While: "while", ast.If: "if", ast.IfExp: "if", ast.With: "with"},
    **{ast.Try: "try", ast.ExceptHandler: "except", ast.Return: "return", ast.Yield: "yield", ast.Lambda: "lambda"},
    **{ast.Raise: "raise", ast.Assert: "assert", ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Break: "break"},
    **{ast.Continue: "continue", ast.Delete: "del", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.In: "in"},
    **{ast.NotIn: "in", ast.Is: "is", ast.IsNot: "is", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<="},
    **{ast.Gt: ">", ast.GtE: ">=", ast.Starred: "*", ast.Await: "await", ast.ClassDef: "class"},
}
SIGNS: dict[type, str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{
        ast.MatMult: "@",
        ast.BitXor: "^",
        ast.BitOr: "|",
        ast.BitAnd: "&",
        ast.USub: "-",
        ast.UAdd: "+",
        ast.Invert: "~",
    },
}
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
WRITTEN = re.compile(r"[^\W\d]\w*|\*\*=?|//=?|[-+*/%@^|&]=|[=!<>]=|[-+*/%@^|&<>]")  # names and signs, as people write


def source_of(given: Any) -> str:
    """The source of a function, or of all functions of a class; "" where it is not known."""
    try:
        return "".join(_block(code) for code in codes_in(inspect.unwrap(given)).values())
    except Exception:  # an object of the reader's may raise anything
        return ""


def _block(code: types.CodeType) -> str:
    """As `inspect.getsource`, which looks for the module of each function first, among all modules."""
    lines = linecache.getlines(code.co_filename)
    return "".join(inspect.getblock(lines[code.co_firstlineno - 1 :])) if lines else ""


def cell_of(given: Any) -> str:
    """The source of the cell that defines an answer, with the helpers beside it; else that of the answer alone."""
    files = {code.co_filename for code in codes_in(inspect.unwrap(given)).values()}
    texts = [linecache.getlines(file) for file in files]
    if texts and all(0 < len(lines) <= SHORT for lines in texts):
        return "\n".join("".join(lines) for lines in texts)
    return source_of(given)


def nodes_of(source: str) -> list[ast.AST]:
    """All nodes of a piece of code, its module first; none if Python can't read it."""
    try:
        return [*ast.walk(ast.parse(dedent(source)))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


@lru_cache(maxsize=2000)
def constructs(source: str) -> frozenset[str]:
    """The names, attributes, keywords, operators and one-word texts in a piece of code. A call whose result is not
    kept is also there with its brackets, as "no_grad()". If Python can't read the code, all of its words."""
    nodes = nodes_of(source)
    if not nodes:
        return frozenset(WRITTEN.findall(source))
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.AugAssign):
            found.add(SIGNS.get(type(node.op), "") + "=")
        elif isinstance(node, (ast.BinOp, ast.UnaryOp)):
            found.add(SIGNS.get(type(node.op), "not"))
        elif isinstance(node, ast.Try) and node.finalbody:
            found.add("finally")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            found.add(f"{getattr(called, 'attr', getattr(called, 'id', ''))}()")
        elif isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool)):
            found.add(str(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found.add(node.value)
        elif isinstance(node, ast.alias):
            found.update(node.name.split("."))
        for name in ("id", "attr", "arg", "name"):
            if isinstance(given := getattr(node, name, None), str):
                found.add(given)
        if type(node) in STATEMENTS:
            found.add(STATEMENTS[type(node)])
    return frozenset(found)


@lru_cache(maxsize=2000)
def bound(source: str) -> frozenset[str]:
    """The names that a piece of code gives to values of its own: variables, parameters, functions."""
    nodes = nodes_of(source)
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return frozenset({*stored, *made, *(node.arg for node in nodes if isinstance(node, ast.arg))})


@lru_cache(maxsize=2000)
def returning(source: str) -> dict[str, bool]:
    """Whether each function in a piece of code returns a value somewhere, or yields; by the function's name."""
    functions = [node for node in nodes_of(source) if isinstance(node, FUNCTIONS)]
    return {node.name: any(map(_hands_over, _own_nodes(node))) for node in functions}


def _hands_over(node: ast.AST) -> bool:
    if isinstance(node, ast.Return):
        return node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None)
    return isinstance(node, (ast.Yield, ast.YieldFrom))


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, without those of the functions and classes inside it."""
    for node in ast.iter_child_nodes(function):
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            yield from _own_nodes(node)


@lru_cache(maxsize=2000)
def mentioned(text: str) -> frozenset[str]:
    """The names and signs between backticks in a sentence."""
    return frozenset(sign for part in text.split("`")[1::2] for sign in WRITTEN.findall(part))


def codes_in(given: Any) -> dict[str, types.CodeType]:
    """The compiled code of a function, or of each function in a class, by name."""
    functions = list(vars(given).values()) if isinstance(given, type) else [given]
    functions = [getattr(each, "__func__", each) for each in functions]
    codes = [each.__code__ for each in functions if hasattr(each, "__code__")]
    return {code.co_name: code for code in codes if isinstance(code, types.CodeType)}


def all_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of each function inside this code."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from all_codes(constant)


def every_code(given: Any) -> list[types.CodeType]:
    """All code of a function or a class."""
    return [each for code in codes_in(given).values() for each in (code, *all_codes(code))]


def names_used(given: Any) -> set[str]:
    """The names from `_names_in` for all code of a function or a class."""
    return {name for code in every_code(given) for name in _names_in(code)}


def _names_in(code: types.CodeType) -> set[str]:
    """The names that a piece of code uses, those of its keyword arguments, its comparison signs, the attributes
    that it reads ("loss.grad") or sets ("w.grad="), and "with" if it has such a block."""
    keywords = {name for each in code.co_consts if isinstance(each, tuple) for name in each if isinstance(name, str)}
    steps = [*dis.get_instructions(code)]
    signs = {step.argrepr for step in steps if step.opname == "COMPARE_OP"}
    blocks = {"with" for step in steps if (step.opname, step.argrepr) in WITH}
    ends = {"LOAD_ATTR": "", "STORE_ATTR": "="}
    attributes = {
        f"{on.argrepr.split(', ')[-1]}.{step.argrepr}{ends[step.opname]}"
        for on, step in pairwise(steps)
        if step.opname in ends
    }
    return {
        *code.co_names,
        *keywords,
        *attributes,
        *(sign.removeprefix("bool(").removesuffix(")") for sign in signs),
        *blocks,
    }


def essence(code: types.CodeType) -> list[tuple[str, str]]:
    """The instructions of a piece of code, without its line numbers."""
    return [
        (
            step.opname,
            step.argrepr.partition(" object ")[0] if isinstance(step.argval, types.CodeType) else step.argrepr,
        )
        for step in dis.get_instructions(code)
    ]
