"""Follows a call into the reader's own functions and modules, to find the line there that cut off the history.

    loss = model(x).mean()     # the class of `model` ends its `forward` with `return y.detach()`

The code is read, not run: a call is followed if its function, or the class of its module, is in the same text. Imports
the standard library only. Read lines.py next, which begins the search.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parsed(code: str) -> ast.Module:
    """The tree of this code; an empty one if it is no Python, such as a cell with a magic in it or half a statement."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def followed(text: str, value: ast.AST) -> Iterator[Function]:
    """The functions of the reader's that run when `value` is computed.

    >>> text = '''class Net:
    ...     def forward(self, x): return x
    ... net = Net()'''
    >>> [f.name for f in followed(text, ast.parse("net(x).mean()"))]
    ['forward']
    """
    tree = parsed(text)
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    methods = {id(each) for node in classes.values() for each in node.body}
    functions = {n.name: n for n in ast.walk(tree) if isinstance(n, Function) and id(n) not in methods}
    made = {ast.unparse(t): n.value for n in ast.walk(tree) if isinstance(n, ast.Assign) for t in n.targets}

    def method(kind: str, name: str) -> Iterator[Function]:
        body = classes[kind].body if kind in classes else []
        return (each for each in body if isinstance(each, Function) and each.name == name)

    for call in ast.walk(value):
        if not isinstance(call, ast.Call):
            continue
        called = call.func
        if isinstance(called, ast.Name) and called.id in functions:
            yield functions[called.id]
            continue
        maker = called if isinstance(called, ast.Call) else made.get(ast.unparse(called))
        if isinstance(maker, ast.Call) and isinstance(maker.func, ast.Name):
            yield from method(maker.func.id, "forward")
        elif isinstance(called, ast.Attribute):
            owner = made.get(ast.unparse(called.value))
            if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name):
                yield from method(owner.func.id, called.attr)


def alone(text: str, function: Function) -> str:
    """The text with this function only, moved to the left margin; each line keeps its number."""
    last = function.end_lineno or function.lineno
    rows = enumerate(text.splitlines(), 1)
    return "\n".join(row[function.col_offset :] if function.lineno <= i <= last else "" for i, row in rows)


def returns(function: Function) -> list[ast.Return]:
    """Its `return` statements with a value, the last first; not those of functions inside it."""
    found, todo = [], list[ast.AST](function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node)
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(node)
    return sorted(found, key=lambda node: -node.lineno)
