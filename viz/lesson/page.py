"""The front end of the lessons' panels: a widget that runs one of the scripts beside this file.

Imports anywidget where a panel is made. Read next: page.js, which the scripts share.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..beside import text_of
from ..front import AWAKE, SAVES

NOTEBOOK = text_of("stepper/notebook.js")


def panel(script: str, **traits: Any) -> Any:
    """A widget that runs `script`; `traits` are the values that it shares with Python: "data", "state", "value" …"""
    return _class(script)(**traits)


@cache
def _class(script: str) -> Any:
    import anywidget
    import traitlets

    class LessonPanel(anywidget.AnyWidget):
        _esm = SAVES + NOTEBOOK + text_of("lesson/page.js") + text_of(f"lesson/{script}")
        _css = text_of("lesson/lesson.css") + AWAKE
        data = traitlets.Dict().tag(sync=True)  # constant content
        state = traitlets.Dict().tag(sync=True)  # content that changes
        value = traitlets.Unicode(None, allow_none=True).tag(sync=True)  # what the reader has typed or chosen

    return LessonPanel
