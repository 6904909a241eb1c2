"""Run a reader's code for so many seconds and no longer: `within(5, function, argument)`.

A thread watches the clock, and when it is up raises `TooLong` in the thread that runs the code: between two steps of
Python, so also in `while True: pass`, in a kernel's main thread and on every system; one long call into C must end by
itself first. `TooLong` is no Exception, so a reader's `except Exception` does not keep it.
Imports the standard library alone. Read next: trial.py.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


class TooLong(BaseException):
    """The time is up."""


def within(seconds: float, call: Callable[..., Any], *arguments: Any) -> Any:
    """`call(*arguments)`, or TooLong if that takes more than `seconds`.

    >>> within(1, max, 2, 3)
    3
    """
    watch = _Watch(sys._getframe(), seconds)
    try:
        watch.start()
    except RuntimeError:  # a browser's kernel has no threads: there the code runs without a watch
        return call(*arguments)
    try:
        try:
            watch.calling = True
            return call(*arguments)
        finally:
            watch.end()
    except TooLong:  # it may have come when `call` had just ended, and have kept `end` from being reached
        watch.end()
        raise


class _Watch(threading.Thread):
    """Raises TooLong in the code that `frame` has called, after `seconds`, and again and again until that ends."""

    def __init__(self, frame: FrameType, seconds: float):
        super().__init__(daemon=True)
        self.frame: FrameType | None = frame
        self.watched, self.seconds = threading.get_ident(), seconds
        self.calling = self.over = False
        self.gate = threading.Lock()
        self.gate.acquire()
        self.told = sys.unraisablehook

    def run(self) -> None:
        wait = self.seconds
        while not self.gate.acquire(timeout=wait) and not self.over:
            if self._still_called():
                sys.unraisablehook = self._tell
                self._send(ctypes.py_object(TooLong))
            wait = 0.005  # whoever caught it with a bare `except:` gets another

    def end(self) -> None:
        """No more of them, not even one that was sent and has not arrived."""
        while True:  # that one may arrive at any line; each may be done twice
            try:
                self.over = True
                if self.gate.locked():
                    self.gate.release()
                self.join()
                self._send(ctypes.py_object())
                if sys.unraisablehook == self._tell:
                    sys.unraisablehook = self.told
                self.frame = None
                return
            except TooLong:
                continue

    def _tell(self, unraisable: Any) -> None:
        """One that arrives in a callback of Python's own is dropped there; that is no news, since another follows."""
        if unraisable.exc_type is not TooLong:
            self.told(unraisable)

    def _still_called(self) -> bool:
        """Whether the watched thread is inside what it was asked to run, and neither before nor after that."""
        inner, frame = None, sys._current_frames().get(self.watched) if self.calling else None
        while frame is not None and frame is not self.frame:
            inner, frame = frame, frame.f_back
        return frame is not None and inner is not None and inner.f_code is not _Watch.end.__code__

    def _send(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), error)
