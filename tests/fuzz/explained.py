"""Differences that are meant to stay, at most ten kinds, each with its reason and matched as narrowly as it can be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import minigrad

from .differences import Difference, compare, differs
from .run import outcome


class Explained(NamedTuple):
    """A kind of difference: why it stays, and which differences are of it."""

    reason: str
    fits: Callable[[Difference], bool]


SHARED = (  # what PyTorch says of a gradient that is a view
    "unsupported operation: more than one element of the written-to tensor refers",
    "expanded tensors is deprecated",
    "Can't detach views in-place",
    "A view was created in no_grad mode and is being modified inplace",
)


def has(found: Difference, *texts: str) -> bool:
    program = "\n".join(found.lines)
    return all(text in program for text in texts)


def flag(found: Difference) -> bool:
    """A flag, a count or an error: no number is other than in PyTorch."""
    return not isinstance(found.there, np.ndarray)


def told(side: object) -> str:
    return str(side)


def changes_gradient(found: Difference) -> bool:
    """Is it a gradient that the last line, or a hook in it, changes?"""
    last = found.lines[-1].splitlines()[-1].strip()
    return bool(re.match(r"g\d+\b", last) or ".grad" in last or has(found, "lambda g: g.mul_(2)"))


def shared(found: Difference) -> bool:
    """One of the two says that the memory is not the gradient's own, and the other says nothing."""
    alone = not found.here or not found.there
    return alone and any(text in told(found.here or found.there) for text in SHARED)


def inference(found: Difference) -> bool:
    """A flag of an inference tensor, or an error that speaks of one, or of what requires grad."""
    if found.part == "error":
        return bool(re.search("nference|requires?[_ ]grad", told(found.here) + told(found.there)))
    return flag(found) and found.part != "warnings" and not found.part.endswith(("size", "dtype", "stride", "type"))


def signs(found: Difference) -> bool:
    here, there = found.here, found.there
    if not isinstance(here, np.ndarray) or here.shape != there.shape:
        return False
    other = here != there
    return bool(other.any() and (np.isinf(here[other]) & np.isinf(there[other])).all())


def rounding(found: Difference) -> bool:
    """Numbers alone, inf and nan in the same places, and none is other when all that is narrower is float64."""
    here, there = found.here, found.there
    if not isinstance(here, np.ndarray) or here.dtype.kind != "f" or here.shape != there.shape:
        return False
    if not np.array_equal(np.isfinite(here), np.isfinite(there)):
        return False
    import torch

    lines = [re.sub(r"float(16|32)", "float64", line) for line in found.lines]
    lines = [re.sub(r"\.(float|half)\(\)", ".double()", line) for line in lines]
    try:
        return compare(["torch.set_default_dtype(torch.float64)", *lines], minigrad, torch, found.look) is None
    finally:
        for library in (minigrad, torch):
            library.set_default_dtype(library.float32)


CHANGES_BY = re.compile(r"\b(v\d+)( *(?:[-+*/%@]|\*\*|//)= *|\.\w+_\()(v\d+)\b")


def reads_what_it_writes(found: Difference) -> bool:
    """PyTorch, given a clone of the operand, does what happens here."""
    *before, last = found.lines
    cloned = CHANGES_BY.sub(r"\1\2\3.clone()", last)
    if cloned == last or not isinstance(found.here, np.ndarray):
        return False
    import torch

    return differs(outcome([*found.lines], minigrad, True)[-1], outcome([*before, cloned], torch, True)[-1]) is None


GIVEN_ITSELF = re.compile(r"backward\(v\d+(\.detach\(\))?[,)]")


EXPLAINED: tuple[Explained, ...] = (
    Explained(
        "PyTorch itself fails: a crash, or an internal assertion that asks for a bug report",
        lambda d: d.part == "crash" or "INTERNAL ASSERT FAILED" in told(d.there),
    ),
    Explained(
        "What lies between inference_mode and the rest: PyTorch decides by dispatch keys whether an inference tensor "
        "counts, is recorded or may be saved, so that a Python number beside it changes the answer",
        lambda d: has(d, "inference_mode") and inference(d),
    ),
    Explained(
        "Gradients own dense memory here; PyTorch hands out what `expand` made, a view made without grad whose strides "
        "are 0, and refuses or warns when it is changed (but not where `mean` has divided it); and what the reader "
        "gave to backward, so that `.grad` may be the tensor itself",
        lambda d: (
            (d.part.endswith("changes") and any(map(GIVEN_ITSELF.search, d.lines)))
            or (has(d, ".grad") and d.part.endswith(("stride", "changes")))
            or (changes_gradient(d) and d.part in ("error", "warnings") and shared(d))
        ),
    ),
    Explained(
        "Where several orders in memory are possible (inputs that are spread out, permuted or of two layouts), NumPy "
        "and PyTorch's TensorIterator choose another for the result",
        lambda d: d.part.endswith("stride"),
    ),
    Explained(
        "Rounding: another library of mathematical functions, whose last digit later steps (a float64, a rest, a sine) "
        "may show larger; with everything in float64 both do the same",
        rounding,
    ),
    Explained(
        "An operator in place that reads, through a view with gaps, what it has just written: PyTorch does not notice, "
        "and the order of its loops decides; here all is read before anything is written, as with a clone",
        reads_what_it_writes,
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
