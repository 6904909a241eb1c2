"""Record the keywords that PyTorch's functions, classes and methods take: python tests/goldens/record_keywords.py

Writes keywords.json beside this file, {place: {name: keywords}}, of every name that minigrad has. What is written in
C++ has its keywords in the stub files that come with PyTorch for type checkers, in all its forms.
And writes minigrad/_messages/keywords.txt, a line for each name of which minigrad does not take all: from it comes what
is said of such a keyword.
Read next: ../test_keywords.py.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
from pathlib import Path
from typing import Any

GOLDENS = Path(__file__).with_name("keywords.json")
REFUSED = Path(__file__).parents[2] / "minigrad" / "_messages" / "keywords.txt"
MODULES = (
    "torch torch.autograd torch.autograd.functional torch.autograd.graph torch.distributions torch.linalg torch.nn "
)
MODULES += "torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.optim torch.optim.lr_scheduler "
MODULES += "torch.random torch.utils.checkpoint torch.utils.data torch.cuda torch.accelerator"
STUBS = {"torch": "_C/_VariableFunctions.pyi", "torch.nn.functional": "_C/_nn.pyi", "torch.Tensor": "_C/__init__.pyi"}
NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
BASES = {"Module", "Optimizer", "LRScheduler", "Distribution", "Dataset"}  # whose methods are recorded there
OURS = {"install_as_torch", "jit"}


def here(name: str, library: str) -> Any:
    """PyTorch's module of this name, in either library."""
    return importlib.import_module(library + name.removeprefix("torch"))


def places(library: str) -> dict[str, Any]:
    """The modules, and the classes in them whose methods a program calls."""
    found = {name: here(name, library) for name in MODULES.split()}
    found["torch.Tensor"] = found["torch"].Tensor
    ours = {name: here(name, "minigrad") for name in MODULES.split()}
    for name, module in ours.items():
        for each in public(module, name):
            if isinstance(vars(module).get(each, getattr(module, each)), type) and name != "torch":
                found[f"{name}.{each}"] = getattr(found[name], each, None)
    return found


def public(thing: Any, place: str) -> list[str]:
    """The public names of one of minigrad's places."""
    listed = getattr(thing, "__all__", None) or dir(thing)
    named = [name for name in listed if name[0] != "_" and name not in OURS and hasattr(thing, name)]
    return [name for name in named if callable(getattr(thing, name))]


def keywords(thing: Any) -> list[str] | None:
    """The keywords of something written in Python; "**" among them if it takes any; None where Python cannot tell."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (ValueError, TypeError):
        return None
    names = [p.name for p in parameters if p.kind in NAMED]
    anything = [p.kind for p in parameters if p.kind is p.VAR_KEYWORD]
    return [*names, *["**"] * len(anything)]


@functools.cache
def stubs(path: str, inside: str) -> dict[str, list[str]]:
    """The keywords of each function of a stub file, in all its forms; or of a class in it."""
    body = ast.parse(Path(path).read_text(encoding="utf-8")).body
    if inside:
        body = next(each.body for each in body if isinstance(each, ast.ClassDef) and each.name == inside)
    found: dict[str, dict[str, None]] = {}
    for each in body:
        if isinstance(each, ast.FunctionDef):
            names = [arg.arg for arg in [*each.args.args, *each.args.kwonlyargs]]
            found.setdefault(each.name, {}).update(
                dict.fromkeys("input" if n == "self" and not inside else n for n in names)
            )
    return {name: [*names] for name, names in found.items()}


def recorded() -> dict[str, dict[str, str]]:
    """{place: {name: keywords}}, of what both libraries have."""
    import torch

    out: dict[str, dict[str, str]] = {}
    theirs, ours = places("torch"), places("minigrad")
    for place, thing in ours.items():
        if theirs[place] is None:
            continue
        stub = STUBS.get(place)
        written = (
            stubs(str(Path(torch.__file__).parent / stub), "TensorBase" * (place == "torch.Tensor")) if stub else {}
        )
        for name in public(thing, place):
            real = getattr(theirs[place], name, None)
            inherited = [base for base in getattr(theirs[place], "__mro__", ())[1:] if base.__name__ in BASES]
            if not callable(real) or any(getattr(base, name, None) is real for base in inherited):
                continue
            names = keywords(real)
            if names is None or (names[-1:] == ["kwargs"]):
                names = written.get(name)
            elif name in written and place != "torch.nn.functional":
                names = [*dict.fromkeys([*names, *written[name]])]
            if names is not None:
                out.setdefault(place, {})[name] = " ".join(each for each in names if each not in ("self", "cls"))
    return out


def accepted(thing: Any) -> set[str]:
    """The keywords that something of minigrad's takes."""
    from minigrad._call.arguments import OTHER_NAMES

    names = {*(keywords(thing) or [])}
    if hasattr(thing, "as_method"):  # see arguments.by_our_names
        names |= {other for other, ours in OTHER_NAMES.items() if ours in names}
    return names


def inputs(kind: Any) -> set[str]:
    """The keywords of `forward`, in a module that calls a function: the function's first ones."""
    return {*[*inspect.signature(kind.function).parameters][: kind.inputs]}


def lacking(found: dict[str, dict[str, str]]) -> dict[str, dict[str, list[str]]]:
    """{place: {name: keywords}} that PyTorch takes and minigrad does not, by its signatures."""
    out: dict[str, dict[str, list[str]]] = {}
    for place, thing in places("minigrad").items():
        for name, theirs in found.get(place, {}).items():
            ours = accepted(getattr(thing, name))
            if name == "forward" and hasattr(thing, "inputs"):
                ours |= inputs(thing)
            lacks = [each for each in theirs.split() if each not in ours and each != "**"]
            if lacks:
                out.setdefault(place, {})[name] = lacks
    return out


if __name__ == "__main__":
    found = recorded()
    GOLDENS.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    refused: dict[str, set[str]] = {}
    for names in lacking(found).values():
        for name, keys in names.items():
            refused.setdefault(name, set()).update(keys)
    REFUSED.write_text(
        "".join(f"{name}: {' '.join(sorted(keys))}\n" for name, keys in sorted(refused.items())), encoding="utf-8"
    )
