"""The local derivatives as formulas: "the slope of × for its left input is its right input".

They are only text: the numbers come from the engine. Each formula is noted beside its operator's row, as `mul.letters`:
{0} and {1} are the inputs' names, {out} the name of the result. Imports minigrad. Read script.py next.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from minigrad.ops import TABLE


@cache
def letters() -> dict[str, tuple[str, ...]]:
    """The formulas noted beside the rows, by the names that their nodes have here and in PyTorch."""
    return {rule.node_name: rule.letters for rule in TABLE.values() if hasattr(rule, "letters")}


def rule(operator: str, number: int, names: Sequence[str], out: str) -> tuple[str, str]:
    """("rule", the derivative) or ("handed rule", the gradient) for input `number`; ("", "") if unknown.

    >>> rule("MulBackward0", 0, ["w", "x"], "y"), rule("MmBackward0", 1, ["x", "w"], "y")
    (('rule', 'x'), ('handed rule', 'xᵀ @ gradient'))
    """
    known = letters().get(operator, ())
    if not known or len(names) != len(known):
        return "", ""
    whole = any("gradient" in each for each in known)  # not an element-wise product: the whole gradient
    return "handed rule" if whole else "rule", known[number].format(*names, out=out)
