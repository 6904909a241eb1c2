"""Names for results: the variable to which the user's code assigns one at once, such as `a` in `a = w + x`.

The bytecode shows it: if the instruction after the running one is a store, its variable is the name. With this, the
graph, its text and its picture use the names of the user's code.
Imports places. Read next: ghost.py.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from .._messages.places import readers_frame


class Called:
    """Finds the names of results. Call `of(frame)` while the user's line is running."""

    def __init__(self) -> None:
        self.stores: dict[CodeType, dict[int, str]] = {}

    def of(self, frame: Any) -> tuple[tuple[int, int], str]:
        """((frame id, instruction offset) of the user's code, the name that it will store to, or "")."""
        frame = readers_frame(frame)
        code = frame.f_code
        if code not in self.stores:
            self.stores[code] = stores_of(code)
        return (id(frame), frame.f_lasti), self.stores[code].get(frame.f_lasti, "")


def stores_of(code: CodeType) -> dict[int, str]:
    """For each instruction that a store follows: its offset, and the variable's name.

    >>> set(stores_of(compile("a = w + x; b = f(-a); print(a * b)", "", "exec")).values()) == {"a", "b"}
    True
    """
    found: dict[int, str] = {}
    before, last = 0, ""
    for each in dis.get_instructions(code):
        if each.opname.startswith(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")):
            stored: Any = each.argval  # may be two names in Python 3.13, which combines instructions
            name: str = stored[0] if isinstance(stored, tuple) else stored
            if name.isascii():
                found |= dict.fromkeys(range(before, each.offset, 2), name)  # f_lasti may be any of these
        if each.opname != "EXTENDED_ARG" and last != "PRECALL":  # Python 3.11 calls in two instructions: PRECALL, CALL
            before = each.offset
        last = each.opname
    return found
