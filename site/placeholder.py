"""Until the project has an address, no page links to it.

`Homepage` and `Source` in pyproject.toml are the one setting of the address; `python3 course.py address OWNER/REPO`
changes it everywhere. While OWNER stands there, a link to the repository, to Colab or to Binder would lead nowhere:
`unlinked` removes it from the Markdown of a page, and `unset` says so at the end of a build.

Imports the standard library alone. build.py, docs/ and lite/ use it.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWNER = "OWNER"  # the placeholder
ADDRESS = r"\([^()\s]*/OWNER/[^()\s]*\)"
ELSEWHERE = re.compile(rf"(?:^| · )\[Colab\]{ADDRESS} · \[Binder\]{ADDRESS}$", re.MULTILINE)
LINK = re.compile(rf"\[([^\[\]]+)\]{ADDRESS}")


def is_set() -> bool:
    """Whether the project has an address of its own."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    return not any(OWNER in re.split(r"[/.]", urls.get(name, OWNER)) for name in ("Homepage", "Source"))


def unset() -> list[str]:
    """What a build says while the address is a placeholder."""
    if is_set():
        return []
    return [
        "links to the repository, to Colab and to Binder: the project's address is not set. "
        "`python3 course.py address OWNER/REPO` sets it"
    ]


def unlinked(markdown: str) -> str:
    """The text without links to a placeholder's address. A line that has only such links is removed.

    "See [the list](https://example.org/OWNER/x.md)." becomes "See the list."
    """
    return LINK.sub(r"\1", ELSEWHERE.sub("", markdown))
