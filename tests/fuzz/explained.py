"""Differences that are meant to stay, at most ten kinds, each with its reason and matched as narrowly as it can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .differences import Difference


class Explained(NamedTuple):
    """A kind of difference: why it stays, and which differences are of it."""

    reason: str
    fits: Callable[[Difference], bool]


LAYOUT = "unsupported operation: more than one element of the written-to tensor refers"


def has(found: Difference, *texts: str) -> bool:
    program = "\n".join(found.lines)
    return all(text in program for text in texts)


def flag(found: Difference) -> bool:
    """A flag, a count or an error: no number is other than in PyTorch."""
    return not isinstance(found.there, np.ndarray)


def told(side: object) -> str:
    return str(side)


def signs(found: Difference) -> bool:
    here, there = found.here, found.there
    if not isinstance(here, np.ndarray) or here.shape != there.shape:
        return False
    other = here != there
    return bool(other.any() and (np.isinf(here[other]) & np.isinf(there[other])).all())


EXPLAINED: tuple[Explained, ...] = (
    Explained(
        "PyTorch itself fails: a crash, or an internal assertion that asks for a bug report",
        lambda d: d.part == "crash" or "INTERNAL ASSERT FAILED" in told(d.there),
    ),
    Explained(
        "What lies between inference_mode and the rest: PyTorch decides by dispatch keys whether an inference tensor "
        "counts, is recorded or may be saved, so that a Python number beside it changes the answer",
        lambda d: has(d, "inference_mode") and flag(d),
    ),
    Explained(
        "Gradients own dense memory here; PyTorch hands out what `expand` made, whose strides are 0, and refuses or "
        "warns when it is changed",
        lambda d: (
            (has(d, ".grad") and d.part.endswith(("stride", "changes")))
            or (
                has(d, ".grad")
                and d.part in ("error", "warnings")
                and d.here in (None, [])
                and "expanded" in told(d.there)
            )
            or (has(d, ".grad") and d.part == "error" and d.here is None and LAYOUT in told(d.there))
        ),
    ),
    Explained(
        "Where several orders in memory are possible (inputs that are spread out, permuted or of two layouts), NumPy "
        "and PyTorch's TensorIterator choose another for the result",
        lambda d: d.part.endswith("stride"),
    ),
    Explained(
        "The sign of a zero: maximum, clamp and remainder give 0 where PyTorch gives -0, and its reciprocal is -inf",
        signs,
    ),
    Explained(
        "A gradient that is given to backward and requires grad itself shows that to hooks in PyTorch; here the pass "
        "works on plain arrays",
        lambda d: d.part == "printed requires_grad" and d.there is True and "backward" in d.lines[-1],
    ),
    Explained(
        "PyTorch names the operator in place, `floor_divide_`, when it says that there is no derivative",
        lambda d: "floor_divide_ is not implemented" in told(d.there) and "floor_divide is not" in told(d.here),
    ),
)


def explanation(found: Difference) -> str | None:
    """Why minigrad differs here on purpose; None where it should not."""
    return next((each.reason for each in EXPLAINED if each.fits(found)), None)
