"""The front end of the lessons' panels: a widget that runs one of the scripts beside this file.

Imports stepper/player.py, and anywidget where a panel is made. Read next: page.js, which the scripts share.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ..front import AWAKE, SAVES
from ..stepper.player import text_of

HERE = files(__package__)
NOTEBOOK = text_of("notebook.js")


def panel(script: str, **traits: Any) -> Any:
    """A widget that runs `script`; `traits` are the values that it shares with Python: "data", "state", "value" …"""
    return _class(script)(**traits)


@cache
def _class(script: str) -> Any:
    import anywidget
    import traitlets

    def text(name: str) -> str:
        return HERE.joinpath(name).read_text(encoding="utf-8")

    class LessonPanel(anywidget.AnyWidget):
        _esm = SAVES + NOTEBOOK + text("page.js") + text(script)
        _css = text("lesson.css") + AWAKE
        data = traitlets.Dict().tag(sync=True)  # constant content
        state = traitlets.Dict().tag(sync=True)  # content that changes
        value = traitlets.Unicode(None, allow_none=True).tag(sync=True)  # what the reader has typed or chosen

    return LessonPanel
