"""A picture that a reader can open, close, zoom and move: an HTML fragment with all views and the script for them.

It needs no kernel and no network. Where scripts don't run, or a notebook is not trusted, the still picture is shown.
The views are compressed, since most of their content is the same. Imports page, locale, ../graph/model.py. Read
viewer.js next.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

from ..beside import text_of
from ..graph.model import Graph
from ..locale import room
from .page import fragment, page

tr = room("drawing")
WORDS = tr.table("viewer")
ENTRIES = 5000  # names that the search knows
Entry = tuple[str, str, str, tuple[str, ...]]


def data_of(
    views: Sequence[dict[str, Any]], index: Sequence[Entry], title: str, lang: str, later: str = ""
) -> dict[str, Any]:
    """The input of viewer.js, for JSON.

    views: of each picture the `svg`, `size`, `opened` boxes and targets of `moves`; `boxes` and `frames` by place.
    later: the name under which more views will come.
    """
    words, more = WORDS[lang], {"later": later} if later else {}
    return {"views": squeezed(views), "index": squeezed(index), "title": title, "lang": lang, "words": words, **more}


def squeezed(data: Any) -> str:
    """JSON, compressed and written in letters."""
    text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(text, 9, mtime=0)).decode()


def index_of(whole: Graph) -> list[Entry]:
    """What a reader can search for: (name, id, id of an operator, labels of the modules around it, outer ones first).

    A module has the id "". The operator is one inside of it; for a value, one that uses it.
    """
    around: list[tuple[str, ...]] = []
    home: dict[str, int] = {}
    for i, cluster in enumerate(whole.clusters):  # parents come before children
        around.append((*(() if cluster.parent is None else around[cluster.parent]), cluster.label))
        home |= dict.fromkeys(cluster.nodes, i)
    steps = {node.id for node in whole.nodes if node.kind == "operator"}
    user = {edge.source: edge.target for edge in reversed(whole.edges) if edge.target in steps}
    anchor: dict[int, str] = {}
    for id_, i in home.items():
        place: int | None = i
        while id_ in steps and place is not None and place not in anchor:
            anchor[place] = id_
            place = whole.clusters[place].parent
    found: list[Entry] = [(path[-1], "", anchor.get(i, ""), path[:-1]) for i, path in enumerate(around)]
    for node in whole.nodes:
        if node.name:
            inside = around[home[node.id]] if node.id in home else ()
            found.append((node.name, node.id, node.id if node.id in steps else user.get(node.id, ""), inside))
    return found[:ENTRIES]


def viewer(data: dict[str, Any], picture: str) -> str:
    """The viewer as a part of a page; `picture` is shown where scripts don't run."""
    return fragment(text_of("drawing/viewer.css"), text_of("drawing/viewer.js"), data, picture)


def viewer_page(data: dict[str, Any], picture: str) -> str:
    """The viewer as a separate page, in UTF-8."""
    return page(data["title"], viewer(data, picture), data["lang"])
