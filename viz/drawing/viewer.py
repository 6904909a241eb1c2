"""A picture that a reader can open, close, zoom and move: an HTML fragment with all views and the script for them.

It needs no kernel and no network. Where scripts don't run, or a notebook is not trusted, the still picture is shown.
The views are compressed, since most of their content is the same. Imports page and locale. Read viewer.js next.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

from ..locale import room
from .page import fragment, page, text_of

tr = room("drawing")
WORDS = tr.table(
    {
        "picture": "the graph",
        "larger": "larger (+)",
        "smaller": "smaller (−)",
        "fit": "fit (0)",
        "map": "your position in the picture",
        "open": "open",
        "close": "close",
        "opened": "{name} is open",
        "instead": "{name} is open, and the other boxes are closed; use unfold= to open several",
        "closed": "{name} is closed",
        "hint": "Click a box with + to open it, or with − to close it.",
        "wide": "Drag to move. To zoom, use Ctrl and the wheel, or the keys + and −.",
        "too large": "too large to open with a click",
    }
)


def data_of(views: Sequence[dict[str, Any]], title: str, lang: str) -> dict[str, Any]:
    """The input of viewer.js, for JSON.

    views: of each picture the `svg`, `size`, `opened` boxes and targets of `moves`; `boxes` and `frames` by place.
    """
    squeezed = gzip.compress(json.dumps(views, ensure_ascii=False).encode("utf-8", "replace"), 9, mtime=0)
    return {"views": base64.b64encode(squeezed).decode(), "title": title, "lang": lang, "words": WORDS[lang]}


def viewer(data: dict[str, Any], picture: str) -> str:
    """The viewer as a part of a page; `picture` is shown where scripts don't run."""
    return fragment(text_of("viewer.css"), text_of("viewer.js"), data, picture)


def viewer_page(data: dict[str, Any], picture: str) -> str:
    """The viewer as a separate page, in UTF-8."""
    return page(data["title"], viewer(data, picture), data["lang"])
