"""The words of the explorers, and how they write a number.

Each explorer has a table {language: {key: words}}, in a file of texts/; it fills in the names in braces.
Imports NumPy and the catalogues.
"""

from __future__ import annotations

import numpy as np

from ..locale import room


def plain(number: float, digits: int = 7, signed: bool = False) -> str:
    """A number as people write it: no exponent, and no more digits than necessary.

    >>> plain(0.07000000000000028), plain(-1e-5), plain(2.0)
    ('0.07', '−0.00001', '2')
    """
    written = np.format_float_positional(number, digits, fractional=False, trim="-", sign=signed)
    return written.replace("-", "−")


tr = room("explore")
NUDGE = tr.table("nudge")
RECTANGLE = tr.table("rectangle")
KINK = tr.table("kink")
SCISSORS = tr.table("scissors")
UNROLLED = tr.table("unrolled")
MEMORY = tr.table("memory")
STORAGES = tr.table("storages")
SHELF = tr.table("shelf")
MACHINE = tr.table("machine")
LEDGER = tr.table("ledger")
