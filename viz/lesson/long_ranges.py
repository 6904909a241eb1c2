"""`sum(range(10**10))` runs for minutes in a function written in C, which no other thread can end.

While an answer with such a large number in it runs, `range` gives a long range that is read in pieces: between two
pieces, Python runs a few instructions of ours, and there the time limit can end it. Every other answer runs with
Python's own `range`.
Imports reading. Read next: limit.py.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from itertools import chain
from typing import Any

from minigrad._machine.interrupts import restoring

from .reading import every_code

LONG, PIECE = 10**7, 10**5
PYTHONS = range


class _Class(type):
    def __call__(cls, *given: Any) -> Any:
        made = PYTHONS(*given)
        long = bool(made) and (made[-1] - made[0]) // made.step >= LONG  # `len` fails for more than 2**63
        return type.__call__(cls, made) if long else made

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, PYTHONS) or type.__instancecheck__(cls, value)


class LongRange(metaclass=_Class):
    """A range that is read in pieces; in everything else, it is Python's own."""

    def __init__(self, whole: Any):
        self.whole = whole

    def _pieces(self) -> Iterator[Any]:
        whole = self.whole
        for start in PYTHONS(whole.start, whole.stop, whole.step * PIECE):
            end = start + whole.step * PIECE
            yield PYTHONS(start, min(end, whole.stop) if whole.step > 0 else max(end, whole.stop), whole.step)

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._pieces())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, at: Any) -> Any:
        return self.whole[at]

    def __contains__(self, value: object) -> bool:
        return value in self.whole

    def __reversed__(self) -> Iterator[int]:
        return iter(type.__call__(LongRange, self.whole[::-1]))

    def __eq__(self, other: object) -> bool:
        return bool(self.whole == getattr(other, "whole", other))

    def __hash__(self) -> int:
        return hash(self.whole)

    def __repr__(self) -> str:
        return repr(self.whole)


def needs_care(given: Any) -> bool:
    """Whether a function or a class calls `range`, and contains a number so large that the call may never end."""
    codes = every_code(given)
    large = any(isinstance(each, int) and each >= LONG for code in codes for each in code.co_consts)
    return large and any("range" in code.co_names for code in codes)


@restoring
def interruptible(needed: bool) -> Iterator[None]:
    """With `needed`, `range` can be interrupted inside the block."""
    if not needed:
        yield
        return
    try:
        builtins.range = LongRange  # type: ignore[assignment, misc]
        yield
    finally:
        try:
            builtins.range = PYTHONS  # type: ignore[misc]
        except BaseException:  # Ctrl-C
            builtins.range = PYTHONS  # type: ignore[misc]
            raise
