"""A walk through y = (w + x) * (w + 1): `python -m minigrad.core` prints it.

Each line is one call: the file, the function, its arguments, and after → what it returned. The
calls that it makes follow below it, indented. `AddBackward0 of a` is the node that computed `a`.
At a function's first call, the first sentence of its docstring follows. Not shown: modes.py, and
functions of a line or so.

The core runs here without the rest of minigrad, only with the operators in ops/. After `import
minigrad`, other folders have replaced some of these functions. Read record.py and engine.py along.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ASIDE = {"__main__.py", "modes.py"}  # files whose functions are not shown
TRIVIAL = {"as_array", "put"}  # other functions that are not shown


class Call:
    """One call of a function: its arguments, its result, and the calls that it made."""

    def __init__(self, frame: Any):
        code = frame.f_code
        self.code, self.result = code, None
        count = (
            code.co_argcount
            + code.co_kwonlyargcount
            + bool(code.co_flags & 4)
            + bool(code.co_flags & 8)
        )
        self.given = {name: frame.f_locals[name] for name in code.co_varnames[:count]}
        self.made: list[Call] = []


class Walk:
    """Runs parts of a program, and prints the calls of the core's functions in each."""

    def __init__(self, table: Any, node: Any, tensor: Any):
        self.node, self.tensor = node, tensor
        self.names: dict[int, str] = {}  # names of tensors and of their nodes, by id
        self.said: set[Any] = set()  # the functions whose docstrings were printed
        self.formulas = {}  # names for the values and slopes of the rows; most slopes are lambdas
        for rule in table.values():
            self.formulas[rule.value.__code__] = f"the value of {rule.name}"
            for name, slope in rule.slopes.items():
                self.formulas.setdefault(slope.__code__, f"the slope of {rule.name} for {name!r}")

    def step(self, title: str, program: Any, name: str = "") -> Any:
        """Run one part, and print its calls under a title. Its result is printed as `name`."""
        first: list[Call] = []
        stack: list[Any] = []

        def look(frame: Any, event: str, result: Any) -> None:
            if event == "call":
                call = Call(frame) if self.is_shown(frame.f_code) else None
                stack.append(call)
                if call is not None:
                    callers = [each for each in stack[:-1] if each is not None]
                    (callers[-1].made if callers else first).append(call)
            elif event == "return" and stack and (call := stack.pop()) is not None:
                call.result = result

        sys.setprofile(look)
        try:
            out = program()
        finally:
            sys.setprofile(None)
        if name:
            self.call_it(out, name)
        print(f"\n{title}\n")
        for call in first:
            self.tell(call, 1)
        return out

    def call_it(self, tensor: Any, name: str) -> Any:
        """From now on, print this tensor as `name`, and its node as `AddBackward0 of name`."""
        self.names[id(tensor)] = name
        if tensor.grad_fn is not None:
            self.names[id(tensor.grad_fn)] = f"{tensor.grad_fn.name()} of {name}"
        return tensor

    def is_shown(self, code: Any) -> bool:
        """True for the core's named functions, and for the values and slopes of the rows."""
        file = Path(code.co_filename)
        named = code.co_name[0] != "<" and file.parent == HERE and file.name not in ASIDE
        return code in self.formulas or (named and code.co_name not in TRIVIAL)

    def tell(self, call: Call, depth: int) -> None:
        """Print a call, and those that it made."""
        code, file = call.code, Path(call.code.co_filename)
        given = ", ".join(
            f"{name}={self.show(x)}"
            for name, x in call.given.items()
            if name not in ("form", "F", "xp")
        )
        name = self.formulas.get(code, code.co_name)
        returned = "" if call.result is None else f" → {self.show(call.result)}"
        where = (
            f"{file.parent.name}/{file.name}:{code.co_firstlineno}"
            if code in self.formulas
            else file.name
        )
        print(f"{'   ' * depth}{where}  {name}({given}){returned}")
        doc = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else ""
        if code not in self.said and code not in self.formulas and doc:
            sentence = " ".join(doc.split()).partition(". ")[0].rstrip(".")
            print(f"{'   ' * depth}     # {sentence}.")
        self.said.add(code)
        for each in call.made:
            self.tell(each, depth + 1)

    def show(self, x: Any) -> str:
        """A short text for an argument or a result."""
        if id(x) in self.names:
            return self.names[id(x)]
        if isinstance(x, self.tensor):
            return f"Tensor({x._data})"
        if isinstance(x, self.node):
            return x.name()
        if isinstance(x, dict) and type(x) is not dict:
            return type(x).__name__
        if isinstance(x, property):
            return "a property"
        if isinstance(x, dict):
            return "{" + ", ".join(f"{self.show(k)}: {self.show(v)}" for k, v in x.items()) + "}"
        if isinstance(x, list | tuple):
            left, right = "[]" if isinstance(x, list) else ("(", ",)" if len(x) == 1 else ")")
            return left + ", ".join(map(self.show, x)) + right
        if isinstance(x, set):
            return "{" + ", ".join(map(str, sorted(x))) + "}" if x else "nothing"
        if isinstance(x, type):
            return f"class {x.__name__}"
        if callable(x):
            return getattr(x, "__name__", type(x).__name__)
        return getattr(x, "name", None) or str(x)


def alone() -> tuple[Any, ...]:
    """Import the core again, into an empty package minigrad without the other folders."""
    for name in [each for each in sys.modules if each.split(".")[0] == "minigrad"]:
        del sys.modules[name]
    shell = types.ModuleType("minigrad")
    shell.__path__ = [str(HERE.parent)]
    sys.modules["minigrad"] = shell
    names = ("core.record", "ops", "core.node", "core.tensor", "core.forms")
    return tuple(importlib.import_module(f"minigrad.{name}") for name in names)[1:]


def main() -> None:
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # if it can't write →
    ops, node, tensor, forms = alone()
    walk = Walk(ops.TABLE, node.Node, tensor.Tensor)
    import numpy as np

    print(__doc__)
    w = walk.step(
        "w = 2, a leaf that requires grad",
        lambda: tensor.wrap(np.array(2.0), requires_grad=True),
        "w",
    )
    x = walk.step("x = 3, a leaf that does not", lambda: tensor.wrap(np.array(3.0)), "x")
    a = walk.step("a = w + x: the operator runs, and records a node", lambda: w + x, "a")
    b = walk.step("b = w + 1: the number becomes a tensor first", lambda: w + 1, "b")
    y = walk.step(
        "y = a * b: its slopes need both factors, so its node saves them", lambda: a * b, "y"
    )
    walk.step(
        "backward from y: from node to node, the highest number first", lambda: forms.backward(y)
    )
    print(
        f"\ny = {y._data}, and its derivative with respect to w is {w.grad._data}: b + a, or 3 + 5."
    )


if __name__ == "__main__":
    main()
