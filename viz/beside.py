"""The files beside the code, as text: scripts, style sheets, pages, tables. They are found in a wheel and in a zip.

Imports the standard library alone.
"""

from __future__ import annotations

from importlib.resources import files


def text_of(path: str) -> str:
    """The text of a file of this package, such as "explore/slider.js"."""
    return files(__package__).joinpath(*path.split("/")).read_text(encoding="utf-8")


def edges() -> tuple[str, str]:
    """The style and the script of `edges(pane)`, which shows that a part of a page can be scrolled sideways; without
    comments, since they are in every saved page."""
    style, script = text_of("edges.css"), text_of("edges.js")
    return (
        "".join(line for line in style.splitlines(keepends=True) if not line.startswith("/*")),
        "".join(line for line in script.splitlines(keepends=True) if not line.startswith("//")).removeprefix("export "),
    )
