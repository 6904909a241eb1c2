"""Pages of the repository that are pages of the documentation too: for authors, for teachers, for developers.

They are included and not copied by hand. A link to another of these pages, or to a lesson, leads to its page here;
a link to any other file leads to the repository. Imports ../placeholder.py.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path

from placeholder import unlinked

ROOT = Path(__file__).resolve().parents[2]
# file of the repository: page of the documentation
PAGES = {
    "viz/lesson/exercises/README.md": "how-to/exercise.md",
    "notebooks/WRITING.md": "how-to/lesson.md",
    "viz/locale/README.md": "how-to/translation.md",
    "notebooks/TEACHING.md": "how-to/teaching.md",
    "CONTRIBUTING.md": "how-to/contributing.md",
    "STABLE.md": "stable.md",
}
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?(?=\))")


def write(source: Path) -> None:
    for path, page in PAGES.items():
        target = source / page
        target.parent.mkdir(parents=True, exist_ok=True)
        text = linked((ROOT / path).read_text(encoding="utf-8"), path, page)
        target.write_text(unlinked(text), encoding="utf-8")


# Code may look like a link: between backticks, or four spaces from the margin
CODE = re.compile(r"(^(`{3,}).*?^\2`*$|`[^`\n]+`|(?<=\n\n)(?: {4}[^\n]*\n+)+)", re.MULTILINE | re.DOTALL)


def linked(text: str, path: str, page: str) -> str:
    """The text of the file `path` with its links as they must be on `page`."""

    def moved(found: re.Match[str]) -> str:
        if not found[1]:
            return found[0]
        aim = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
        name = aim.removeprefix("notebooks/")
        here = PAGES.get(aim) or (f"lessons/{name}" if re.fullmatch(r"\d\d_\w+\.ipynb", name) else None)
        if here is None:
            return f"{repository()}/blob/main/{aim}{found[2] or ''}"
        return posixpath.relpath(here, posixpath.dirname(page) or ".") + (found[2] or "")

    # Code may look like a link: between backticks, or four spaces from the margin
    pieces = re.split(
        r"(^(`{3,}).*?^\2`*$|`[^`\n]+`|(?<=\n\n)(?: {4}[^\n]*\n+)+)", text, flags=re.MULTILINE | re.DOTALL
    )
    kept = [piece if piece is None or piece.startswith(("`", "    ")) else LINK.sub(moved, piece) for piece in pieces]
    # Every third piece is the fence alone, which the piece before it has, too
    return "".join(piece for place, piece in enumerate(kept) if piece is not None and place % 3 != 2)


def repository() -> str:
    """The address of the repository, as pyproject.toml has it."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address: str = told["project"]["urls"]["Source"]
    return address


def section(path: str, heading: str, page: str) -> str:
    """The text below a heading of a file, with its links as they must be on `page`."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{path} has no section {heading!r}"
    return unlinked(linked(found[1].strip() + "\n", path, page))
