"""The front end of the lessons' panels: a widget that runs one of the scripts beside this file.

Imports anywidget where a panel is made. Read next: page.js, which the scripts share.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..alive import owns, showing, weak
from ..beside import text_of
from ..front import AWAKE, SAVES, Bundle, shown

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


class Panelled:
    """What a notebook shows as a panel: an exercise, the questions before a lesson."""

    script: str  # the file that the panel runs
    lang: str
    _panel: Any = None

    @property
    def widget(self) -> Any:
        """The panel, for a notebook. Needs anywidget."""
        if self._panel is None:
            self._panel = panel(self.script, data=self._data(), state=self._state())
            self._panel.on_msg(weak(self._heard))
            owns(self, self._panel)
        showing(self)
        return self._panel

    def _refresh(self) -> None:
        """Show the current state, if there is a panel."""
        if self._panel is not None:
            self._panel.state = self._state()

    def _data(self) -> dict[str, Any]:
        """The part of the panel's content that never changes."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        """The part of the panel's content that changes."""
        raise NotImplementedError

    def _heard(self, _panel: Any, message: dict[str, Any], _buffers: Any) -> None:
        self._asked(message)

    def _asked(self, message: dict[str, Any]) -> None:
        """The reader pressed a button of the panel."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **_options: Any) -> Bundle:
        return shown(self.widget, repr(self), lang=self.lang)
