"""What PyTorch's functions call their arguments: python tests/goldens/record_argument_names.py

Writes argument_names.json beside this file: of each function that minigrad, minigrad.linalg and
minigrad.nn.functional offer, the names in all its forms. What is written in C++ has them in the stub file that comes
with PyTorch for type checkers. Read next: ../test_help.py.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from goldens.telling import answers

GOLDENS = Path(__file__).with_name("argument_names.json")
PLACES = "", "linalg", "nn.functional"
OURS = {"install_as_torch", "jit"}  # PyTorch has no such functions


def functions(library: Any) -> dict[str, Callable[..., Any]]:
    """The public functions of each place, by name."""
    found = {}
    for place in PLACES:
        module = attrgetter(place)(library) if place else library
        for name in sorted(getattr(module, "__all__", None) or dir(module)):
            thing = getattr(module, name)
            if name[0] != "_" and inspect.isroutine(thing) and name not in OURS:
                found[f"{place}.{name}".lstrip(".")] = thing
    return found


def argument_names(torch: Any, name: str) -> list[str]:
    """The names by which a function's arguments may be given, in all its forms: `*tensors` has none."""
    try:
        parameters = inspect.signature(attrgetter(name)(torch)).parameters.values()
        return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    except ValueError:
        stub = Path(torch.__file__).parent / "_C" / "_VariableFunctions.pyi"
        forms = [each.args for each in tree(stub).body if isinstance(each, ast.FunctionDef) and each.name == name]
        names = [each.arg for form in forms for each in [*form.posonlyargs, *form.args, *form.kwonlyargs]]
        return [*dict.fromkeys("input" if each == "self" else each for each in names)]  # Python may say either


@functools.cache
def tree(stub: Path) -> ast.Module:
    """The stub file, read once."""
    return ast.parse(stub.read_text(encoding="utf-8"))


if __name__ == "__main__":
    import torch

    import minigrad

    recorded = answers(functions(minigrad), lambda name: argument_names(torch, name))
    GOLDENS.write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")
