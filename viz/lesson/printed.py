"""Keep what code prints while it is tried, but show two things at once: what a debugger prints
(`breakpoint()` in the reader's code), and what other threads print.

Imports debugger.py and limit.py. Read next: quiet.py.
"""

from __future__ import annotations

import io
import sys
import threading
from typing import Any, TextIO

from .debugger import traced_inside
from .limit import within

MOST = 10_000  # characters that are kept


class Printed(io.StringIO):
    """Keeps the beginning of what this thread writes, and passes on what a debugger and other threads write. It can't
    be closed."""

    def __init__(self, shown: TextIO):
        super().__init__()
        self.shown, self.thread, self.room = shown, threading.get_ident(), MOST

    def write(self, text: str) -> int:
        if self.room <= 0 and sys.gettrace() is None and threading.get_ident() == self.thread:
            return len(text)  # a million lines are written in little time
        if self._passed_on():
            return self.shown.write(text)
        kept = super().write(text[: self.room]) if self.room > 0 else 0
        self.room -= kept
        return len(text)

    def close(self) -> None:
        """Nothing: the check reads it afterwards."""

    def flush(self) -> None:
        super().flush()
        if self._passed_on():
            self.shown.flush()

    def _passed_on(self) -> bool:
        return threading.get_ident() != self.thread or traced_inside(sys._getframe(2), within.__code__)


class Unclosed:
    """A stream that can't be closed; in everything else it is the given one."""

    def __init__(self, stream: TextIO):
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Nothing: it is not the reader's."""
