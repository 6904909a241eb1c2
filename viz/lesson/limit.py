"""Run a reader's code for so many seconds and no longer: `within(5, function, argument)`.

A thread watches the clock, and when it is up raises `TooLong` in the thread that runs the code: between two steps of
Python, so also in `while True: pass`, in a kernel's main thread and on every system; one long call into C must end by
itself first. `TooLong` is no Exception, so a reader's `except Exception` does not keep it.
Imports the standard library alone. Read next: trial.py.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any


class TooLong(BaseException):
    """The time is up."""


def within(seconds: float, call: Callable[..., Any], *arguments: Any) -> Any:
    """`call(*arguments)`, or TooLong if that takes more than `seconds`.

    >>> within(1, max, 2, 3)
    3
    """
    watch = _Watch(threading.get_ident(), seconds)
    try:
        watch.start()
    except RuntimeError:  # a browser's kernel has no threads: there the code runs without a watch
        return call(*arguments)
    try:
        return call(*arguments)
    finally:
        watch.end()


class _Watch(threading.Thread):
    """Raises TooLong in the thread `ident` after `seconds`, and again and again until `end` is called there."""

    def __init__(self, ident: int, seconds: float):
        super().__init__(daemon=True)
        self.watched, self.seconds, self.over = ident, seconds, False
        self.gate = threading.Lock()
        self.gate.acquire()

    def run(self) -> None:
        wait = self.seconds
        while not self.gate.acquire(timeout=wait) and not self.over:
            self._send(ctypes.py_object(TooLong))
            wait = 0.005  # whoever caught it with a bare `except:` gets another

    def end(self) -> None:
        """No more of them, not even one that was sent and has not arrived."""
        while True:  # each line may be the one where a late one arrives; each may be done twice
            try:
                self.over = True
                if self.gate.locked():
                    self.gate.release()
                self.join()
                self._send(ctypes.py_object())
                return
            except TooLong:
                continue

    def _send(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), error)
