"""The player that a browser runs: as a widget in a notebook, or as a page that needs nothing else.

One program does both: player.js, after notebook.js, which the lessons' panels share. It gets a dict and does the rest
alone, so no step ever asks the kernel. Imports anywidget where a widget is made. Read player.js next.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ..drawing.page import page as whole_page
from ..front import AWAKE

HERE = files(__package__)

# Where scripts don't run, and in a notebook that is not trusted, what is left of this is the picture.
FRAGMENT = """<style>
{style}</style>
<div>{picture}</div>
<script>
(() => {{
{program}
mount(document.currentScript.previousElementSibling,
{data});
}})();
</script>"""


def text_of(name: str) -> str:
    """One of the scripts and style sheets beside this file."""
    return HERE.joinpath(name).read_text(encoding="utf-8")


def fragment(data: dict[str, Any], picture: str) -> str:
    """The player as a part of a page; `picture` is what stands there where scripts don't run."""
    return FRAGMENT.format(
        style=text_of("player.css"),
        picture=picture,
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"),  # no name can end the script
        program=text_of("notebook.js") + text_of("player.js"),
    )


def page(data: dict[str, Any], picture: str) -> str:
    """The player as a page of its own."""
    title = f"{data['words']['label']}: {data['title']}"
    return whole_page(title, fragment(data, picture), data["lang"])


@cache
def widget_class() -> Any:
    import anywidget
    import traitlets

    class Player(anywidget.AnyWidget):
        _esm = (
            text_of("notebook.js")
            + text_of("player.js")
            + "\nexport default { render: ({ model, el }) => mount(el, model.get('data')) };\n"
        )
        _css = text_of("player.css") + AWAKE
        data = traitlets.Dict().tag(sync=True)

    return Player


def player(data: dict[str, Any]) -> Any:
    """The widget."""
    return widget_class()(data=data)
