"""Keep what code prints while it is tried, but show two things at once: what a debugger prints
(`breakpoint()` in the reader's code), and what other threads print.

Imports debugger.py and limit.py. Read next: quiet.py.
"""

from __future__ import annotations

import io
import sys
import threading
from typing import TextIO

from .debugger import traced_inside
from .limit import within


class Printed(io.StringIO):
    """Keeps what this thread writes, and passes on what a debugger and other threads write."""

    def __init__(self, shown: TextIO):
        super().__init__()
        self.shown, self.thread = shown, threading.get_ident()

    def write(self, text: str) -> int:
        if self._passed_on():
            return self.shown.write(text)
        return super().write(text)

    def flush(self) -> None:
        super().flush()
        if self._passed_on():
            self.shown.flush()

    def _passed_on(self) -> bool:
        return threading.get_ident() != self.thread or traced_inside(sys._getframe(2), within.__code__)
