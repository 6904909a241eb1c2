"""Ctrl-C where half a change would be worse than none: it waits until the change is whole.

Imports the standard library alone. Read next: optim/optimizer.py, which changes parameters and their state together.
"""

import threading
from _signal import SIGINT, getsignal  # type: ignore[import-not-found]  # those of `signal` cost more than a step
from _signal import signal as set_handler
from typing import Any


class Whole:
    """`with Whole():` an interrupt that comes inside is handled at the end of the block. Only the main thread is ever
    interrupted; elsewhere this does nothing."""

    __slots__ = ("came", "handler")

    def __enter__(self) -> None:
        self.came: tuple[Any, ...] | None = None
        on_main = threading.get_ident() == threading.main_thread().ident
        self.handler: Any = getsignal(SIGINT) if on_main else None
        if callable(self.handler):
            set_handler(SIGINT, self._note)

    def _note(self, *signal_and_frame: Any) -> None:
        self.came = signal_and_frame

    def __exit__(self, *error: object) -> None:
        if callable(self.handler):
            set_handler(SIGINT, self.handler)
            if self.came is not None:
                self.handler(*self.came)
