"""`viz.blind({…})`: things to compare under letters, as in a blind test. The cell does not show which is which.

So readers may read the cell and look at a plot before they have answered. Read next: predict.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2s
from typing import Any


def blind(things: Mapping[str, Any] | Iterable[str]) -> Blind:
    """Give each of `things` a letter in place of its name: A, B …; the same names always get the same letters.

    things: {name: anything}, or names alone. Ask for a thing by its letter, and for a letter by its name.
    Raises KeyError for a letter or a name that is not there.

    >>> tasted = blind({"still water": 1, "sparkling water": 2})
    >>> tasted
    A, B: not labelled yet
    >>> sorted([tasted["A"], tasted["B"]])
    [1, 2]
    >>> tasted[tasted.letter("still water")]
    1
    """
    return Blind(things if isinstance(things, Mapping) else {name: name for name in things})


class Blind:
    """What `blind` returns: `things["A"]`, and `letter(name)` for the solution."""

    def __init__(self, things: Mapping[str, Any]):
        hashed = sorted(things, key=lambda name: blake2s(name.encode()).digest())
        self._names = {chr(ord("A") + place): name for place, name in enumerate(hashed)}
        self._things = dict(things)

    def __getitem__(self, letter: str) -> Any:
        return self._things[self._names[letter]]

    def letter(self, name: str) -> str:
        """The letter for the thing of this name."""
        return {name: letter for letter, name in self._names.items()}[name]

    def __repr__(self) -> str:
        return f"{', '.join(self._names)}: not labelled yet"
