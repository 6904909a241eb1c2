"""The files beside the code, as text: scripts, style sheets, pages, tables. They are found in a wheel and in a zip.

Imports the standard library alone.
"""

from __future__ import annotations

from importlib.resources import files


def text_of(path: str) -> str:
    """The text of a file of this package, such as "explore/slider.js"."""
    return files(__package__).joinpath(*path.split("/")).read_text(encoding="utf-8")
