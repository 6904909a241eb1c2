"""The section `## Calls` of an exercise: the calls that the check tries, written as in a program.

    slope_of_cube(2.0)
    slope_of_cube(random(0.5, 3.0))
    layer(torch.tensor([[1.0, 2.0]], requires_grad=True), torch.randn(2, 3))

Arguments are numbers, texts, lists, tuples and dicts, and calls of the functions in ALLOWED. They are only read: no
code of a page runs for it. `random` draws other numbers in each run.
Imports pages.py and NumPy. Read next: written.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .pages import Block, Page, known

ALLOWED = {
    "random": lambda torch, random, low=0.0, high=1.0: float(random.uniform(low, high)),
    "torch.randn": lambda torch, random, *sizes, **more: torch.tensor(
        random.normal(size=sizes).astype("float32"), **more
    ),
    "torch.rand": lambda torch, random, *sizes, **more: torch.tensor(
        random.uniform(size=sizes).astype("float32"), **more
    ),
    "np.array": lambda torch, random, *given, **more: np.array(*given, **more),
    **{
        f"torch.{name}": lambda torch, random, *given, name=name, **more: getattr(torch, name)(*given, **more)
        for name in ("tensor", "ones", "zeros", "arange", "linspace", "full")
    },
}


def points_of(page: Page, block: Block, name: str) -> Callable[[Any, Any], Iterator[tuple]]:
    """The arguments of each call, as a function of (torch, random)."""
    try:
        statements = ast.parse(block.text).body
    except SyntaxError as error:
        raise page.mistake(block.line + (error.lineno or 1), f"Python can't read this: {error.msg}") from None
    calls: list[ast.Call] = []
    for statement in statements:
        with page.noted():
            calls.append(_call(page, block, statement, name))
    if not statements:
        raise page.mistake(block.line, "there is no call in it")

    def points(torch: Any, random: Any) -> Iterator[tuple]:
        for call in calls:
            yield tuple(_value(argument, torch, random) for argument in call.args)

    # For messages: the line of each call, and its text
    points.calls = [(block.line + call.lineno, ast.unparse(call)) for call in calls]  # type: ignore[attr-defined]
    return points


def _call(page: Page, block: Block, statement: ast.stmt, name: str) -> ast.Call:
    """The call that this statement is; raises Mistake if it is none that `_value` can read."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != name:
        raise page.mistake(block.line + statement.lineno, f"this must be a call of `{name}`, such as `{name}(2.0)`")
    if call.keywords:
        raise page.mistake(block.line + statement.lineno, "write the arguments of this call without their names")
    for argument in call.args:
        _check(page, block, argument)
    return call


def _check(page: Page, block: Block, argument: ast.expr) -> None:
    """Raise Mistake if `_value` could not read this argument."""
    if isinstance(argument, (ast.List, ast.Tuple)):
        for each in argument.elts:
            _check(page, block, each)
        return
    if isinstance(argument, ast.Call):
        name = ast.unparse(argument.func)
        if name not in ALLOWED:
            raise page.mistake(block.line + argument.lineno, f"`{name}` can't be called here: {known(name, ALLOWED)}")
        for each in (*argument.args, *(keyword.value for keyword in argument.keywords)):
            _check(page, block, each)
        return
    try:
        ast.literal_eval(argument)
    except ValueError:
        told = f"`{ast.unparse(argument)}` must be written out: a number, a text, a list, or `torch.tensor(…)`"
        raise page.mistake(block.line + argument.lineno, told) from None


def _value(argument: ast.expr, torch: Any, random: Any) -> Any:
    if isinstance(argument, (ast.List, ast.Tuple)):
        values = [_value(each, torch, random) for each in argument.elts]
        return values if isinstance(argument, ast.List) else tuple(values)
    if not isinstance(argument, ast.Call):
        return ast.literal_eval(argument)
    given = [_value(each, torch, random) for each in argument.args]
    more = {str(keyword.arg): _value(keyword.value, torch, random) for keyword in argument.keywords}
    return ALLOWED[ast.unparse(argument.func)](torch, random, *given, **more)
