"""The panel of a loop that is being plotted: Pause, Stop, a progress bar, and the frames below them.

    for step in plot.over(range(500)):

The buttons only leave word; the loop reads it between two iterations. So whatever a reader presses, no iteration is cut
in half, and the model stays whole. A stopped loop ends as if it had come to its end: no error, and what stands after it
runs.

Threads: in JupyterLab a button's message arrives on another thread while the cell runs, so the word is left in events.
A front end that sends nothing while a cell runs shows buttons that do nothing; there the kernel's interrupt is left.

Imports ipywidgets and tqdm where a panel is made. Read next: live.py, whose loop this is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..alive import close, only
from .painted import STYLE, as_html

WORDS = {
    "en": {"pause": "Pause", "go on": "Go on", "stop": "Stop", "paused": "Paused"},
    "zh": {"pause": "暂停", "go on": "继续", "stop": "停止", "paused": "已暂停"},
}


class Loop:
    """One loop's panel. `pause()`, `go_on()` and `stop()` do what the buttons do, from any thread."""

    def __init__(self, total: int | None, lang: str = "en") -> None:
        import ipywidgets as widgets
        from tqdm.notebook import tqdm

        self._words = WORDS[lang]
        self._running, self._stopped = threading.Event(), threading.Event()
        self._running.set()
        self.bar = tqdm(total=total, display=False, leave=False)
        self.pause_button = widgets.Button(icon="pause")
        self.stop_button = widgets.Button(description=self._words["stop"], icon="stop")
        self.pause_button.on_click(only(self._press))
        self.stop_button.on_click(only(self.stop))
        self.status, self.image = widgets.HTML(), widgets.HTML()
        controls = widgets.HBox([self.pause_button, self.stop_button, self.bar.container, self.status])
        self.widget = widgets.VBox([controls, self.image])
        self._label()
        for button in (self.pause_button, self.stop_button):
            # ipykernel 7.4 sends what a widget says to where the widget was last changed: to this cell, where it would
            # wait for the loop to end. Without this note of the kernel's it takes the thread that the page has chosen.
            vars(button.comm).pop("_reply_subshell_id", None)

    @property
    def paused(self) -> bool:
        """Will the loop wait, or does it, before its next iteration?"""
        return not self._running.is_set()

    @property
    def stopped(self) -> bool:
        """Has somebody asked the loop to end?"""
        return self._stopped.is_set()

    def pause(self) -> None:
        """Let the loop wait before its next iteration."""
        self._running.clear()
        self._label()

    def _press(self) -> None:
        """What the first button does."""
        (self.go_on if self.paused else self.pause)()

    def go_on(self) -> None:
        """Let a paused loop go on."""
        self._running.set()
        self._label()

    def stop(self) -> None:
        """Let the loop end before its next iteration, also if it is paused."""
        self._stopped.set()
        self.go_on()

    def may_go_on(self, paint: Callable[[], None]) -> bool:
        """Between two iterations: wait as long as it is paused, with the state of now painted; False once stopped."""
        if self.paused:
            paint()
            self.bar.refresh()
            self._running.wait()
        return not self.stopped

    def show(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        """A frame on its way."""
        self.image.value = STYLE + as_html(png, alt, size)

    def close(self) -> None:
        """The loop is over: nothing is left to press."""
        self.bar.close()
        close(self.widget)

    def _label(self) -> None:
        self.pause_button.description = self._words["go on" if self.paused else "pause"]
        self.pause_button.icon = "play" if self.paused else "pause"
        self.status.value = f'<span role="status">{self._words["paused"] if self.paused else ""}</span>'
