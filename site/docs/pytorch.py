"""The page "Coming from PyTorch": lines from pytorch.toml, and what minigrad's own records say is missing.

The lines are programs with what they print, which tests/test_from_pytorch.py runs on both libraries. The missing names
and keywords come from the records from which minigrad makes its error messages, and the operators from the list of
known differences in tests/test_op_db.py. Imports minigrad, api.py, texts.py and ../placeholder.py.
"""

from __future__ import annotations

import ast
import html
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from placeholder import unlinked

from minigrad._messages.names import keywords, pytorchs

from .api import owner
from .texts import ROOT, repository, section

HERE = Path(__file__).resolve().parent
KINDS = {
    "here": ("What is here", "Each sentence opens to a program. It prints the same on PyTorch."),
    "missing": ("What is missing", "On minigrad, these programs end with an error. On PyTorch, they run."),
    "different": ("What is different", "These programs print one thing here, and another on PyTorch."),
}


def known() -> list[dict[str, str]]:
    """The lines of pytorch.toml."""
    found: list[dict[str, str]] = tomllib.loads((HERE / "pytorch.toml").read_text(encoding="utf-8"))["line"]
    return found


def write(page: Path) -> None:
    """Write the page, as a source for Sphinx."""
    lines = ["# Coming from PyTorch", "", "Change one line of your program:", ""]
    lines += ["```python", "import minigrad as torch", "```", ""]
    lines += [
        "Or change nothing: `python -m minigrad program.py` runs a program in which `import torch` means minigrad, and",
        "`minigrad.install_as_torch()` does the same in a notebook.",
        "",
        "Names, arguments, results, error messages and random numbers are those of PyTorch 2.13. A test runs every",
        "program of this page on minigrad and on PyTorch. How many programs by other people print the same? [This",
        f"list]({repository()}/blob/main/tests/public_programs.md) counts them.",
        "",
    ]
    for kind, (title, say) in KINDS.items():
        lines += [f"## {title}", "", say, ""]
        for each in known():
            if each["kind"] == kind:
                lines += line(each)
        if kind == "missing":
            lines += ["### The whole list", "", section("README.md", "What is not here", page.name), ""]
            lines += missing()
        if kind == "different":
            lines += operators()
    page.write_text(unlinked("\n".join(lines) + "\n"), encoding="utf-8")


def line(each: dict[str, str]) -> list[str]:
    """A sentence that opens to its program."""
    printed = [("It prints:" if "torch" not in each else "On minigrad, it prints:", each["prints"])]
    if "torch" in each:
        printed.append(("On PyTorch, it prints:", each["torch"]))
    lines = ["```python", each["code"].strip("\n"), "```", ""]
    for words, text in printed:
        lines += [words, "", "```text", text.strip("\n"), "```", ""]
    return folded(coded(each["says"]), lines)


def folded(summary: str, lines: Iterable[str]) -> list[str]:
    return ['<details class="line">', f"<summary>{summary}</summary>", "", *lines, "</details>", ""]


def coded(text: str) -> str:
    """Text with code between backticks, as HTML."""
    pieces = html.escape(text, quote=False).split("`")
    return "".join(f"<code>{each}</code>" if place % 2 else each for place, each in enumerate(pieces))


def missing() -> list[str]:
    """Names and keywords that PyTorch has and minigrad lacks, from minigrad's records."""
    lines = [
        "minigrad has a record of PyTorch's public names, so that an error can say what is missing. These are the",
        "names and the keywords that it lacks.",
        "",
    ]
    for place, names in pytorchs().items():
        here = owner(place.removeprefix("torch").lstrip("."))
        lacks = sorted((each for each in names if not hasattr(here, each)), key=str.lower)
        if lacks:
            summary = f"<code>{place}</code>: {len(lacks)} of {len(names)} names are missing"
            lines += folded(summary, [", ".join(f"`{each}`" for each in lacks), ""])
    rows = [f"- `{name}`: {', '.join(f'`{each}`' for each in sorted(lacks))}" for name, lacks in keywords().items()]
    lines += folded("Keywords that these functions do not take", [*rows, ""])
    return lines


def operators() -> list[str]:
    """The operators whose results differ somewhere, as the test of PyTorch's own samples lists them."""
    why: dict[str, list[str]] = {}
    for name, (_, reason) in differences().items():
        why.setdefault(reason, []).append(name)
    rows = [f"- {', '.join(f'`{each}`' for each in names)}: {reason}" for reason, names in why.items()]
    said = "PyTorch has samples for each of its operators. In some samples of these operators, minigrad differs:"
    return ["### Operator by operator", "", said, "", *rows, ""]


def differences() -> dict[str, Any]:
    """KNOWN of tests/test_op_db.py, without importing PyTorch."""
    tree = ast.parse((ROOT / "tests" / "test_op_db.py").read_text(encoding="utf-8"))
    wanted = [
        each
        for each in tree.body
        if isinstance(each, ast.Assign) and getattr(each.targets[0], "id", "") in {"REFUSED", "NODES", "KNOWN"}
    ]
    space: dict[str, Any] = {}
    exec(compile(ast.Module(wanted, []), "test_op_db.py", "exec"), space)
    found: dict[str, Any] = space["KNOWN"]
    return found
