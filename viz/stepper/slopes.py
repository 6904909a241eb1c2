"""The local slopes in letters: "the slope of × for its left input is its right input".

Only for reading: the numbers come from what the engine handed on. {0} and {1} are the inputs' names, {out} that of
the result. Imports the standard library only. Read script.py next.
"""

from __future__ import annotations

from collections.abc import Sequence

SLOPES = {
    "AddBackward0": ("1", "1"),
    "SubBackward0": ("1", "−1"),
    "MulBackward0": ("{1}", "{0}"),
    "DivBackward0": ("1/{1}", "−{0}/{1}²"),
    "NegBackward0": ("−1",),
    "ExpBackward0": ("{out}",),
    "LogBackward0": ("1/{0}",),
    "SinBackward0": ("cos {0}",),
    "CosBackward0": ("−sin {0}",),
    "SqrtBackward0": ("1/(2 {out})",),
    "TanhBackward0": ("1 − {out}²",),
    "SigmoidBackward0": ("{out}(1 − {out})",),
    "ReluBackward0": ("1 where {0} > 0, else 0",),
}

# Where the gradient is not multiplied element by element: what is handed on, as a whole.
HANDED = {
    "MmBackward0": ("gradient @ {1}ᵀ", "{0}ᵀ @ gradient"),
    "AddmmBackward0": ("gradient, summed over the batch", "gradient @ {2}ᵀ", "{1}ᵀ @ gradient"),
    "TBackward0": ("gradient, transposed",),
    "SumBackward0": ("gradient, a copy for each element",),
}


def rule(operator: str, number: int, names: Sequence[str], out: str) -> tuple[str, str]:
    """("rule", the slope) or ("handed rule", what is handed on) for input `number`; ("", "") if it is not known here.

    >>> rule("MulBackward0", 0, ["w", "x"], "y"), rule("MmBackward0", 1, ["x", "w"], "y")
    (('rule', 'x'), ('handed rule', 'xᵀ @ gradient'))
    """
    for kind, known in (("rule", SLOPES), ("handed rule", HANDED)):
        if operator in known and len(names) == len(known[operator]):
            return kind, known[operator][number].format(*names, out=out)
    return "", ""
