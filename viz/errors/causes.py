"""Finds two causes that lie in a loop: a weight that was replaced, and a value that was kept from an earlier turn.

    w = w - lr * w.grad          # makes another tensor: the weight's name refers to it from now on
    total = total + loss         # carries the graphs of all turns along

The code is read here; inquiry.py checks the tensors themselves. Imports lines. Read inquiry.py next.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .calls import parsed
from .lines import Program, read_in, steps, steps_up


def has_no_derivative(code: str) -> bool:
    """Does this line compare or choose, so that its result has no derivative?"""
    return steps_up(parsed(code))


def updates(programs: list[Program]) -> Iterator[tuple[str, int, int]]:
    """Each `w = … w.grad …`: the name, the number of the program, and the number of the line.

    >>> [*updates([Program("while True:\\n    w = w - 0.1 * w.grad")])]
    [('w', 0, 2)]

    A name that a function assigns is its own: the same name outside is another variable.
    >>> [*updates([Program("def f():\\n    w = 2 * v\\n    w.grad", 3, function="f"), Program("w = w - 0.1 * w.grad")])]
    []
    """
    own: set[str] = set()
    for which, program in enumerate(programs):
        hidden = own.copy()
        for step in steps(program.text, program.number):
            node = step.node
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if program.function and name not in program.free:
                    own.add(name)
                if name in hidden:
                    continue
                used = (each for each in ast.walk(node.value) if isinstance(each, ast.Attribute))
                if any(ast.unparse(each) == f"{name}.grad" for each in used):
                    yield name, which, node.lineno


def kept_over_turns(programs: list[Program]) -> Iterator[tuple[str, int, int, str]]:
    """Names behind the current line, which is in a loop, that have a value from before this turn: the name, the number
    of the program, the number of the line that made it, and its part: "kept" from turn to turn, or "early", before the
    loop.

    >>> program = '''total = 0
    ... for x in xs:
    ...     total = total + loss(x)
    ...     total.backward()'''
    >>> [*kept_over_turns([Program(program, 4)])]
    [('total', 0, 3, 'kept')]
    """
    for which, program in enumerate(programs):
        loop = innermost_loop(program)
        reached = program.at(program.number) if program.number else None
        if loop is None or reached is None:
            continue
        inside = [
            s for s in steps(program.text, program.number) if loop.lineno < s.node.lineno <= (loop.end_lineno or 0)
        ]
        before = [s for s in steps(program.text, program.number) if s.node.lineno < loop.lineno]
        wanted, seen = names_read(reached), set[str]()
        while names := wanted - seen:
            name = min(names)
            seen.add(name)
            made = [s for s in inside if name in names_set(s.node)]
            if not made:
                outside = [s for s in before if name in names_set(s.node) and isinstance(s.node, ast.Assign)]
                if outside:
                    yield name, which, outside[-1].node.lineno, "early"
                continue
            for step in made:
                read = names_read(step.node)
                wanted |= read
                first = next(s for s in inside if name in names_read(s.node) or name in names_set(s.node))
                if name in names_read(first.node):  # it is read before this turn sets it
                    yield name, which, step.node.lineno, "kept"


def innermost_loop(program: Program) -> ast.For | ast.While | None:
    """The innermost loop around the current line of a program."""
    found = None
    for node in ast.walk(parsed(program.text)):
        if isinstance(node, ast.For | ast.While) and node.lineno < program.number <= (node.end_lineno or 0):
            found = node if found is None or node.lineno > found.lineno else found
    return found


def names_read(statement: ast.AST) -> set[str]:
    return {node.id for node in read_in(statement) if isinstance(node, ast.Name)}


def names_set(statement: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
