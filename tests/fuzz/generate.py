"""From a seed to a program: 5 to 25 statements, leaning towards a few families that disturb each other.

>>> program(7) == program(7)
True
"""

from __future__ import annotations

from . import gradients  # noqa: F401  # its words join those of values.py
from .program import Program
from .values import WORDS

FAMILIES = {  # how often each is chosen, before a program's own taste
    "make": 1.0, "arithmetic": 2.4, "reduce": 0.9, "view": 2.2, "index": 1.6, "in place": 2.0, "ask": 0.4, "mode": 0.6,
    "flag": 1.0, "grad": 1.0, "hook": 0.9, "function": 0.7, "backward": 2.4, "module": 0.8,
}  # fmt: skip


def program(seed: int) -> list[str]:
    """The statements of the program with this seed."""
    p = Program(seed)
    families = dict(FAMILIES)
    for _ in range(p.int(2, 4)):
        families[p.pick(tuple(FAMILIES))] *= 4
    length = p.int(5, 25)
    for _ in range(p.int(1, 3)):
        WORDS["make"][0][0](p)
    while len(p.lines) < length:
        family = p.weighted(tuple(families.items()))
        p.weighted(WORDS[family])(p)
    return p.lines
