"""The panel of a loop that is being plotted: Pause, Stop, a progress bar, and the frames below them.

    for step in plot.over(range(500)):

The buttons only set a flag, which the loop reads between two iterations. So no iteration is interrupted, and the model
is always consistent. A stopped loop ends normally: there is no error, and the code after it runs.

Threads: in JupyterLab a button's message arrives on another thread while the cell runs, so the flags are events. An
older kernel (ipykernel 6, which Colab has) reads no message before the cell has ended, nor does a kernel in a browser.
There the panel has no buttons; it says that the kernel's interrupt ends the loop, or that a new kernel does.

Imports ipywidgets and tqdm where a panel is made. Read next: live.py, which makes the loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..alive import close, only
from ..browser import here, running_shell
from ..locale import language, room
from .painted import STYLE, as_html

tr = room("training")
WORDS = tr.table("loop")


class Loop:
    """One loop's panel. `pause()`, `go_on()` and `stop()` do what the buttons do, from any thread."""

    def __init__(self, total: int | None, lang: str | None = None) -> None:
        import ipywidgets as widgets
        from tqdm.notebook import tqdm

        self.lang = language(lang)
        self._words = WORDS[self.lang]
        self._running, self._stopped = threading.Event(), threading.Event()
        self._running.set()
        self.bar = tqdm(total=total, display=False, leave=False)
        self.pause_button = widgets.Button(icon="pause")
        self.stop_button = widgets.Button(description=self._words["stop"], icon="stop")
        self.pause_button.on_click(only(self._press))
        self.stop_button.on_click(only(self.stop))
        self.status, self.image = widgets.HTML(), widgets.HTML()
        self.heard = hears_buttons()
        buttons = [self.pause_button, self.stop_button] if self.heard else []
        controls = widgets.HBox([*buttons, self.bar.container, self.status])
        self.widget = widgets.VBox([controls, self.image])
        self._label()
        for button in (self.pause_button, self.stop_button):
            # ipykernel 7.4 sends a widget's messages to the thread where it was last changed, here the cell's, where
            # they would wait for the loop to end. Without this entry it uses the thread that the page has chosen.
            vars(button.comm).pop("_reply_subshell_id", None)

    @property
    def paused(self) -> bool:
        """True if the loop is waiting, or will wait before its next iteration."""
        return not self._running.is_set()

    @property
    def stopped(self) -> bool:
        """True if the loop was asked to end."""
        return self._stopped.is_set()

    def pause(self) -> None:
        """Make the loop wait before its next iteration."""
        self._running.clear()
        self._label()

    def _press(self) -> None:
        """The action of the first button."""
        (self.go_on if self.paused else self.pause)()

    def go_on(self) -> None:
        """Let a paused loop continue."""
        self._running.set()
        self._label()

    def stop(self) -> None:
        """End the loop before its next iteration, also if it is paused."""
        self._stopped.set()
        self.go_on()

    def may_go_on(self, paint: Callable[[], None]) -> bool:
        """Called between two iterations: while paused, paint the current state and wait. Returns False once stopped."""
        if self.paused:
            paint()
            self.bar.refresh()
            while not self._running.wait(0.2):  # on Windows, an interrupt arrives only between two short waits
                pass
        return not self.stopped

    def show(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        """Show an intermediate frame."""
        self.image.value = STYLE + as_html(png, alt, size)

    def close(self) -> None:
        """Remove the buttons, since the loop is over."""
        self.bar.close()
        close(self.widget)

    def _label(self) -> None:
        self.pause_button.description = self._words["go on" if self.paused else "pause"]
        self.pause_button.icon = "play" if self.paused else "pause"
        deaf = self._words["alone" if here() else "deaf"]
        said = self._words["paused"] if self.paused else "" if self.heard else deaf
        self.status.value = f'<span role="status">{said}</span>'


def hears_buttons() -> bool:
    """Does the kernel read a widget's message while a cell runs? Also True without a kernel, as in a test."""
    kernel = getattr(running_shell(), "kernel", None)
    if kernel is not None and here():
        return False
    return kernel is None or "kernel subshells" in kernel.kernel_info.get("supported_features", ())
