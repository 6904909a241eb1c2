"""The folders and files at the top of minigrad/: which are public, and which imports which.

python tests/test_rooms.py prints them, and the longest chain of imports. A name without an underscore is public:
PyTorch has it, or it is ours. import-linter holds the order of the layers (pyproject.toml); here it is only measured.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import minigrad
from minigrad._messages.names import pytorchs, submodules

PACKAGE = Path(minigrad.__file__).parent
OURS = {"core", "ops", "static"}  # public, and not PyTorch's; `jit` is a function
MOST_ENTRIES, LONGEST = 30, 10


def entries() -> dict[str, list[Path]]:
    """Each file and each folder at the top of minigrad/, and the Python files in it; "" is the package itself."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if "__pycache__" not in path.parts and "standin" not in path.parts:  # a program of its own, in other processes
            name = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
            found.setdefault("" if name == "__init__" else name, []).append(path)
    return found


def imported(path: Path, known: set[str]) -> set[str]:
    """The entries that a file imports, wherever in it. One for type checkers only counts too: a reader follows it."""
    package = path.relative_to(PACKAGE).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            home = package[: len(package) + 1 - node.level] if node.level else ()
            names = tuple(node.module.split(".")) if node.module else ()
            if not node.level:
                if names[0] != PACKAGE.name:
                    continue
                names = names[1:]
            inside = home + names
            found |= {inside[0]} if inside else {alias.name if alias.name in known else "" for alias in node.names}
        elif isinstance(node, ast.Import):
            parts = [alias.name.split(".") for alias in node.names]
            found |= {([*name, ""])[1] for name in parts if name[0] == PACKAGE.name}
    return found


@cache
def graph() -> dict[str, set[str]]:
    """Entry -> the other entries that its files import."""
    files = entries()
    return {name: set().union(*(imported(path, {*files}) for path in paths)) - {name} for name, paths in files.items()}


@cache
def chain(name: str, above: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The longest chain of imports that begins at this entry."""
    assert name not in above, f"minigrad's folders import each other in a circle: {[*above, name]}"
    chains = [chain(below, (*above, name)) for below in graph()[name]]
    return name, *max(chains, key=len, default=())


def show() -> str:
    """The entries, each with what it imports; the longest chain."""
    rows = [f"{name or 'minigrad':16} {' '.join(sorted(graph()[name])) or '-'}" for name in sorted(graph())]
    longest = max(map(chain, graph()), key=len)
    return "\n".join(
        [
            *rows,
            "",
            f"{len(rows)} entries at the top of minigrad/ (at most {MOST_ENTRIES})",
            f"the longest chain has {len(longest)} (at most {LONGEST}): "
            + " > ".join(name or "minigrad" for name in longest),
        ]
    )


def test_few_entries_and_short_chains() -> None:
    print(show())
    assert len(entries()) <= MOST_ENTRIES
    assert max(len(chain(name)) for name in graph()) <= LONGEST


def test_a_name_without_an_underscore_is_pytorchs_or_ours() -> None:
    public = {name for name in entries() if name and not name.startswith("_")}
    assert public - submodules()["torch"] == OURS


def test_a_private_folder_has_none_of_pytorchs_names() -> None:
    """`import torch._tensor` would otherwise give a private folder of ours, after `install_as_torch()`."""
    private = {name for name in entries() if name.startswith("_") and not name.startswith("__")}
    assert private and not private & (submodules()["torch"] | pytorchs()["torch"])


def test_every_private_folder_names_its_files_in_order() -> None:
    for name in sorted(entries()):
        folder = PACKAGE / name
        if name.startswith("_") and folder.is_dir():
            text = (folder / "__init__.py").read_text("utf-8")
            for path in sorted(folder.glob("*.py")):
                if path.name != "__init__.py":
                    assert path.name in text, f"minigrad/{name}/__init__.py does not say what {path.name} is"


SHELL = """
import rlcompleter
import minigrad as torch
{before}
names = rlcompleter.Completer({{"torch": torch}}).attr_matches("torch.")
print(*{{name.removeprefix("torch.").rstrip("()") for name in names}}, *(name for name in dir(torch) if name[0] != "_"))
"""
BEFORE = {
    "at once": "",
    "after some use": "import minigrad.static; torch.jit, torch.nn, torch.save, torch.svd, torch.install_as_torch()",
}


@pytest.mark.parametrize("before", BEFORE)
def test_a_shell_completes_to_public_names(before: str) -> None:
    program = SHELL.format(before=BEFORE[before])
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True).stdout
    names = {*said.split()}
    assert {"nn", "optim", "zeros", "Tensor", "jit"} <= names
    assert names - pytorchs()["torch"] - submodules()["torch"] - OURS - {"jit", "install_as_torch"} == set()


if __name__ == "__main__":
    print(show())
