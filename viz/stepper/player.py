"""The player that runs in a browser: as a widget in a notebook, or as a page that needs no other files.

The same program does both: player.js, after notebook.js, which the lessons' panels share, and edges.js. It gets a dict
and does not use the kernel after that. Imports anywidget where a widget is made. Read player.js next.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..beside import edges, text_of
from ..drawing.page import fragment as scripted
from ..drawing.page import page as whole_page
from ..front import AWAKE, SAVES


def program() -> str:
    """The script of the player."""
    return text_of("stepper/notebook.js") + edges()[1] + text_of("stepper/player.js")


def style() -> str:
    """The style sheet of the player."""
    return edges()[0] + text_of("stepper/player.css")


def fragment(data: dict[str, Any], picture: str) -> str:
    """The player as a part of a page; `picture` is shown where scripts don't run."""
    return scripted(style(), program(), data, picture)


def page(data: dict[str, Any], picture: str) -> str:
    """The player as a separate page."""
    title = f"{data['words']['label']}: {data['title']}"
    return whole_page(title, fragment(data, picture), data["lang"])


@cache
def widget_class() -> Any:
    import anywidget
    import traitlets

    render = "\nexport default { render: ({ model, el }) => { saves(el); mount(el, model.get('data')); } };\n"

    class Player(anywidget.AnyWidget):
        _esm = SAVES + program() + render
        _css = style() + AWAKE
        data = traitlets.Dict().tag(sync=True)

    return Player


def player(data: dict[str, Any]) -> Any:
    """The player as a widget."""
    return widget_class()(data=data)
