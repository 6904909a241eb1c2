"""What the reader's code calls a result: the variable that it goes into at once, such as `a` in `a = w + x`.

Python's instructions tell it: right after the one that is running comes a store, or else the result has no name. So a
graph, its text and its picture say `a` where the reader's code does.
Imports places. Read next: ghost.py.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from .._messages.places import readers_frame


class Called:
    """Finds the names of results. `of(frame)` is asked while the reader's line is running."""

    def __init__(self) -> None:
        self.stores: dict[CodeType, dict[int, str]] = {}

    def of(self, frame: Any) -> tuple[tuple[int, int], str]:
        """At which instruction the reader's code is, in which frame, and the name of what it will store; "" if none."""
        frame = readers_frame(frame)
        code = frame.f_code
        if code not in self.stores:
            self.stores[code] = stores_of(code)
        return (id(frame), frame.f_lasti), self.stores[code].get(frame.f_lasti, "")


def stores_of(code: CodeType) -> dict[int, str]:
    """For each instruction with a store right behind it, by its offset: the variable's name.

    >>> set(stores_of(compile("a = w + x; b = f(-a); print(a * b)", "", "exec")).values()) == {"a", "b"}
    True
    """
    found: dict[int, str] = {}
    before, last = 0, ""
    for each in dis.get_instructions(code):
        if each.opname.startswith(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")):
            stored: Any = each.argval  # of 3.13 perhaps two names: it may do two things in one
            name: str = stored[0] if isinstance(stored, tuple) else stored
            if name.isascii():
                found |= dict.fromkeys(range(before, each.offset, 2), name)  # a call may be at its last word
        if each.opname != "EXTENDED_ARG" and last != "PRECALL":  # Python 3.11 makes a call in two steps: PRECALL, CALL
            before = each.offset
        last = each.opname
    return found
