"""Finds the line that makes a layer of a module: in `nn.Sequential(...)`, or in the class that assigns it to `self`.

Imports lines. Read inquiry.py next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .calls import parsed
from .lines import Found, Program, last_name


def where_a_layer_is_made(programs: list[Program], path: str, kind: str, place: Found | None) -> Found | None:
    """The line that makes the layer at `path` of a module. In `path`, a number is an argument of Sequential, a name an
    attribute of `self`. The search starts from `place`, where the module was set, or from its class, `kind`.

    >>> program = '''net = nn.Sequential(
    ...     nn.ReLU(),
    ...     nn.Linear(8, 2),
    ... )'''
    >>> where_a_layer_is_made([Program(program)], "1", "Sequential", ("created", 0, 1))
    ('created', 0, 3)
    """
    node: Any = ast.parse(f"{kind}()", mode="eval").body
    if place is not None:
        _, which, number = place
        node = getattr(programs[which].at(number), "value", None)
    for name in path.split("."):
        if not isinstance(node, ast.Call):
            break
        layers = list(_arguments(node)) if last_name(node) == "Sequential" else []
        if layers:
            node = layers[int(name)] if name.isdigit() and int(name) < len(layers) else None
        else:
            which, node = next(_given(programs, last_name(node), name), (0, None))
        if node is None:
            break
        place = "created", which, node.lineno
    return place


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    """The positional arguments; none if they can't be read from the code: `*layers`."""
    given = [each.value if isinstance(each, ast.Starred) else each for each in call.args]
    for argument, each in zip(call.args, given, strict=True):
        if argument is each:
            yield each
        elif isinstance(each, ast.Tuple | ast.List):
            yield from each.elts
        else:
            return


def _given(programs: list[Program], kind: str, name: str) -> Iterator[tuple[int, ast.expr]]:
    """The values that a class called `kind` assigns to its attribute `name`, each with the number of its program."""
    for which, program in enumerate(programs):
        classes = (c for c in ast.walk(parsed(program.text)) if isinstance(c, ast.ClassDef) and c.name == kind)
        for node in (node for each in classes for node in ast.walk(each) if isinstance(node, ast.Assign)):
            for target, value in _pairs(node):
                if isinstance(target, ast.Attribute) and ast.unparse(target) == f"self.{name}":
                    yield which, value


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Pairs (target, value); `a, b = 1, 2` gives two pairs."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value
