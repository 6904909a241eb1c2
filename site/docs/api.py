"""The pages of the API, from the docstrings: api.toml says which names are on which page.

A name is public if PyTorch (in `minigrad.static`: TensorFlow 1) has it and minigrad has it, too; minigrad's record of
their names says so. Our own names are in api.toml. Imports minigrad, viz, and docstrings.py.
"""

from __future__ import annotations

import importlib
import inspect
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from minigrad._messages.names import pytorchs, tensorflows

from .docstrings import escaped, summary

HERE = Path(__file__).resolve().parent


def pages() -> list[dict[str, Any]]:
    """What api.toml says of each page."""
    found: list[dict[str, Any]] = tomllib.loads((HERE / "api.toml").read_text(encoding="utf-8"))["page"]
    return found


def whole(place: str) -> str:
    """The full name of a module: "" is minigrad itself."""
    return place if place.split(".")[0] == "viz" else f"minigrad.{place}".rstrip(".")


def owner(place: str) -> Any:
    top, _, rest = whole(place).partition(".")
    found = importlib.import_module(top)
    for name in filter(None, rest.split(".")):
        found = getattr(found, name, None) or importlib.import_module(f"{found.__name__}.{name}")
    return found


def recorded(place: str) -> frozenset[str] | None:
    """The names that PyTorch or TensorFlow 1 has in this place, or None if they are not recorded."""
    if place.split(".")[0] == "static":
        return tensorflows().get(place.replace("static", "tf", 1))
    return pytorchs().get(f"torch.{place}".rstrip("."))


def public(place: str, files: list[str] | None) -> Iterator[tuple[str, Any]]:
    """The public classes and functions of a place; those of some files, if they are named."""
    module, theirs = owner(place), recorded(place)
    for name in sorted(dir(module), key=lambda each: (each.lower(), each)):
        thing = getattr(module, name, None)
        if name[0] == "_" or not callable(thing) or (theirs is not None and name not in theirs):
            continue
        source = getattr(thing, "__module__", None) or ""
        inside = source.startswith(("minigrad", "viz") if theirs is not None else whole(place))
        if inside if files is None else source.removeprefix("minigrad.") in files:
            yield name, thing


def chosen() -> dict[str, list[tuple[str, str, Any]]]:
    """The (place, name, thing) of each page; no thing is on two pages."""
    found: dict[str, list[tuple[str, str, Any]]] = {}
    taken: list[Any] = []
    for page in pages():
        found[page["file"]] = mine = []
        for part in page.get("part", ()):
            place = part["place"]
            if "names" in part:
                things = [(name, getattr(owner(place), name)) for name in part["names"]]
            else:
                things = [*public(place, part.get("from"))]
            fresh = [(place, name, thing) for name, thing in things if not any(thing is each for each in taken)]
            mine += fresh
            taken += [thing for _, _, thing in fresh]
    return found


def write(target: Path) -> None:
    """Write the pages, and the list of them, as sources for Sphinx."""
    target.mkdir(parents=True)
    things = chosen()
    for page in pages():
        lines = heading(page["title"]) + [escaped(page["say"]), ""]
        lines += methods(things) if page.get("tensor") else []
        lines += entries(things[page["file"]], page.get("members", []))
        (target / f"{page['file']}.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = heading("The API")
    lines += [
        "The names of ``minigrad`` are PyTorch's, and those of ``minigrad.static`` are TensorFlow 1's. In the",
        "examples, ``torch`` is ``minigrad`` and ``F`` is ``minigrad.nn.functional``. The names of ``viz`` are ours.",
        "Which of them are :doc:`stable <../stable>`?",
        "",
    ]
    groups = dict.fromkeys(page["group"] for page in pages())
    for group in groups:
        files = [page["file"] for page in pages() if page["group"] == group]
        lines += [
            group,
            "-" * len(group),
            "",
            ".. toctree::",
            "   :maxdepth: 1",
            "",
            *(f"   {each}" for each in files),
            "",
        ]
    (target / "index.rst").write_text("\n".join(lines), encoding="utf-8")


def heading(title: str) -> list[str]:
    return [escaped(title), "=" * (len(escaped(title)) + 4), ""]


def entries(things: list[tuple[str, str, Any]], members: list[str]) -> list[str]:
    """A table of these things, and the documentation of each."""
    lines = table(
        (f":py:obj:`{name} <{whole(place)}.{name}>`", summary(thing.__doc__)) for place, name, thing in things
    )
    for place, name, thing in things:
        if isinstance(thing, type):
            lines += [f".. autoclass:: {whole(place)}.{name}"]
            lines += ["   :members:", ""] if name in members else [""]
        else:
            lines += [f".. autofunction:: {whole(place)}.{name}", ""]
    return lines


def table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """A table of two columns: names, and what they are."""
    lines = [".. list-table::", "   :class: names", "   :widths: auto", ""]
    for name, told in rows:
        lines += [f"   * - {name}", f"     - {told}"]
    return [*lines, ""] if len(lines) > 4 else []


def methods(things: dict[str, list[tuple[str, str, Any]]]) -> list[str]:
    """The page of Tensor: what only it has in full, and a link for each method that is a function, too."""
    tensor = owner("").Tensor
    functions = {name: (place, name) for mine in things.values() for place, name, _ in mine if place == ""}
    names = [each for each in dir(tensor) if each[0] != "_" and inspect.getattr_static(tensor, each).__doc__]
    names = [each for each in names if each in recorded("Tensor") and hasattr(tensor, each)]
    lines = [".. py:currentmodule:: minigrad", "", ".. autoclass:: minigrad.Tensor", "   :no-members:", ""]
    own = [each for each in names if each not in functions and each.rstrip("_") not in functions]
    for name in own:
        kind = "property" if isinstance(inspect.getattr_static(tensor, name), property) else "method"
        lines += [f"   .. auto{kind}:: {name}", ""]
    shared = [each for each in names if each in functions]
    lines += ["", "Methods that are functions, too", "-------------------------------", ""]
    lines += ["``x.exp()`` is ``torch.exp(x)``. The functions have the documentation.", ""]
    lines += table((f":py:obj:`{each} <minigrad.{each}>`", summary(getattr(tensor, each).__doc__)) for each in shared)
    lines += ["", "Methods that change a tensor in place", "-------------------------------------", ""]
    lines += ["``x.exp_()`` computes ``x.exp()`` and writes the result into ``x``.", ""]
    changing = [each for each in names if each not in functions and each not in own]
    lines += table((f"``{each}``", f":py:obj:`{each.rstrip('_')} <minigrad.{each.rstrip('_')}>`") for each in changing)
    return lines
