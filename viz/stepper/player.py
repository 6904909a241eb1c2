"""The player that a browser runs: as a widget in a notebook, or as a page that needs nothing else.

One program does both: player.js, after notebook.js, which the lessons' panels share. It gets a dict and does the rest
alone, so no step ever asks the kernel. Imports anywidget where a widget is made. Read player.js next.
"""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from ..drawing.svg import NOT_IN_XML

HERE = files(__package__)

# A page of its own has no JupyterLab around it to say which colours are in use.
THEME = """:root { color-scheme: light dark; --jp-content-font-color1: #1A1A1A; --jp-content-font-color2: #5C5C5C;
  --jp-layout-color0: #FFFFFF; --jp-layout-color2: #EEEEEE; }
@media screen and (prefers-color-scheme: dark) { :root { --jp-content-font-color1: #F2F2F2;
  --jp-content-font-color2: #B8B8B8; --jp-layout-color0: #111111; --jp-layout-color2: #2A2A2A; } }
body { margin: 1rem; background: var(--jp-layout-color0); color: var(--jp-content-font-color1); }"""

PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{theme}
</style>
</head>
<body>
{player}
</body>
</html>
"""

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
    """The player as a page of its own, in UTF-8: half a letter in a name becomes a sign for that."""
    written = PAGE.format(
        lang={"zh": "zh-CN"}.get(data["lang"], data["lang"]),
        title=escape(f"{data['words']['label']}: {data['title']}"),
        theme=THEME,
        player=fragment(data, picture),
    )
    return NOT_IN_XML.sub("\ufffd", written)


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
        _css = text_of("player.css")
        data = traitlets.Dict().tag(sync=True)

    return Player


def player(data: dict[str, Any]) -> Any:
    """The widget."""
    return widget_class()(data=data)
