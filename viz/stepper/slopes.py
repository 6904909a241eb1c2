"""The local slopes in letters: "the slope of × for its left input is its right input".

Only for reading: the numbers come from what the engine handed on. The letters stand beside the operators' rows, as
`mul.letters`: {0} and {1} are the inputs' names, {out} that of the result. Imports minigrad. Read script.py next.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from minigrad.ops import TABLE


@cache
def letters() -> dict[str, tuple[str, ...]]:
    """What is noted beside the rows, by the names that their nodes have here and in PyTorch."""
    return {rule.node_name: rule.letters for rule in TABLE.values() if hasattr(rule, "letters")}


def rule(operator: str, number: int, names: Sequence[str], out: str) -> tuple[str, str]:
    """("rule", the slope) or ("handed rule", what is handed on) for input `number`; ("", "") if it is not known here.

    >>> rule("MulBackward0", 0, ["w", "x"], "y"), rule("MmBackward0", 1, ["x", "w"], "y")
    (('rule', 'x'), ('handed rule', 'xᵀ @ gradient'))
    """
    known = letters().get(operator, ())
    if not known or len(names) != len(known):
        return "", ""
    whole = any("gradient" in each for each in known)  # not multiplied element by element: what is handed on
    return "handed rule" if whole else "rule", known[number].format(*names, out=out)
