"""A picture that a reader can open, close, zoom and move: all its views in one piece of a page, with what plays them.

It needs no kernel and no network. Where scripts don't run, or a notebook is not trusted, the still picture is left.
The views travel squeezed: of fifty, nearly all is the same. Imports page, legend. Read viewer.js next.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from ..locale import room
from .page import page
from .svg import NOT_IN_XML

# Where scripts don't run, what is left of this is the picture.
FRAGMENT = """<style>
{style}</style>
<div>{picture}</div>
<script>
(() => {{
{program}
mount(document.currentScript.previousElementSibling, {data});
}})();
</script>"""

tr = room("drawing")
WORDS = tr.table(
    {
        "picture": "the graph",
        "larger": "larger (+)",
        "smaller": "smaller (−)",
        "fit": "fit (0)",
        "map": "where in the picture you are",
        "open": "open",
        "close": "close",
        "opened": "{name} is open",
        "instead": "{name} is open, and what was open elsewhere is closed; unfold= opens several",
        "closed": "{name} is closed",
        "hint": "Click on a box with + to open it, on − to close it.",
        "wide": "Drag to move; Ctrl and the wheel, or + and −, make it larger and smaller.",
        "too large": "too large to open by click",
    }
)


def data_of(views: Sequence[dict[str, Any]], title: str, lang: str) -> dict[str, Any]:
    """What viewer.js wants, for JSON.

    views: of each picture its `svg` and `size`, what is `opened`, where `moves` lead; `boxes` and `frames` by place.
    """
    squeezed = gzip.compress(json.dumps(views, ensure_ascii=False).encode("utf-8", "replace"), 9, mtime=0)
    return {"views": base64.b64encode(squeezed).decode(), "title": title, "lang": lang, "words": WORDS[lang]}


def viewer(data: dict[str, Any], picture: str) -> str:
    """The viewer as a piece of a page; `picture` is what stands there where scripts don't run."""
    return FRAGMENT.format(
        style=text_of("viewer.css"),
        picture=picture,
        data=NOT_IN_XML.sub("\ufffd", json.dumps(data, ensure_ascii=False)).replace("<", "\\u003c"),  # ends no script
        program=text_of("viewer.js"),
    )


def viewer_page(data: dict[str, Any], picture: str) -> str:
    """The viewer as a page of its own, in UTF-8."""
    return page(data["title"], viewer(data, picture), data["lang"])


def text_of(name: str) -> str:
    """The script or the style sheet beside this file."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
