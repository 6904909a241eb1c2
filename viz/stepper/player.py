"""The player that runs in a browser: as a widget in a notebook, or as a page that needs no other files.

The same program does both: player.js, after notebook.js, which the lessons' panels share. It gets a dict and does not
use the kernel after that. Imports anywidget where a widget is made. Read player.js next.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ..drawing.page import fragment as scripted
from ..drawing.page import page as whole_page
from ..front import AWAKE, SAVES

HERE = files(__package__)


def text_of(name: str) -> str:
    """The script or style sheet of this name in this folder."""
    return HERE.joinpath(name).read_text(encoding="utf-8")


def fragment(data: dict[str, Any], picture: str) -> str:
    """The player as a part of a page; `picture` is shown where scripts don't run."""
    return scripted(text_of("player.css"), text_of("notebook.js") + text_of("player.js"), data, picture)


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
        _esm = SAVES + text_of("notebook.js") + text_of("player.js") + render
        _css = text_of("player.css") + AWAKE
        data = traitlets.Dict().tag(sync=True)

    return Player


def player(data: dict[str, Any]) -> Any:
    """The player as a widget."""
    return widget_class()(data=data)
