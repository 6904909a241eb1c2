"""Differences that are meant to stay, at most ten kinds, each with its reason and matched as narrowly as it can be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import minigrad

from .differences import Difference, close, differs
from .run import World, outcome, quiet


class Explained(NamedTuple):
    """A kind of difference: why it stays, and which differences are of it."""

    reason: str
    fits: Callable[[Difference], bool]


def has(found: Difference, *texts: str) -> bool:
    program = "\n".join(found.lines)
    return all(text in program for text in texts)


def flag(found: Difference) -> bool:
    """A flag, a count or an error: no number is other than in PyTorch."""
    return not isinstance(found.there, np.ndarray)


def told(side: object) -> str:
    return str(side)


def same_as_here(found: Difference, lines: list[str]) -> bool:
    """Does PyTorch, given these lines, do what happens here?"""
    import torch

    here, there = outcome([*found.lines], minigrad, found.look), outcome(lines, torch, found.look)
    if len(here) != len(found.lines) or len(there) != len(lines):
        return False
    return differs(here[-1], there[-1]) is None


# -- PyTorch itself fails


def fails(found: Difference) -> bool:
    here, there = found.here, found.there
    if found.part == "crash" or "INTERNAL ASSERT FAILED" in told(there):
        return True
    whole = isinstance(there, dict) and "float" not in there.get("dtype", "float")
    return whole and there["requires_grad"] and not here["requires_grad"]


# -- inference mode


def inference(found: Difference) -> bool:
    """A flag of an inference tensor, or an error that speaks of one, or of what requires grad."""
    if found.part == "error":
        return bool(re.search("nference|requires?[_ ]grad|next_functions", told(found.here) + told(found.there)))
    return flag(found) and found.part != "warnings" and not found.part.endswith(("size", "dtype", "stride", "type"))


# -- the memory of gradients

ASKED = re.compile(r"(?m)^( *)((?:g\d+, )*g\d+) = (torch\.autograd\.grad\(.*|.*\.grad\b.*)$")
GIVEN = re.compile(r"backward\((v\d+(?:\.detach\(\))?)(?=[,)])")


def with_own_memory(line: str) -> str:
    """The line, where each gradient that a variable gets, a hook changes or backward is given is a copy."""
    line = GIVEN.sub(r"backward(\1.clone()", line.replace("lambda g: g.mul_(2)", "lambda g: g.clone().mul_(2)"))

    def copied(asked: re.Match[str]) -> str:
        *first, last = asked[2].split(", ")  # two that are one stay one
        kept = {g: f"{g} = {g} if {g} is None or {g}.is_leaf and {g}.requires_grad" for g in (*first, last)}
        names = [f"{kept[g]} else {g}.clone()" for g in first]
        names += [
            f"{kept[last]} else {first[0]} if same else {last}.clone()"
            if first
            else f"{kept[last]} else {last}.clone()"
        ]
        names[:0] = [f"same = {last} is {first[0]}"] if first else []
        return "\n".join([asked[0], *(asked[1] + name for name in names)])

    return ASKED.sub(copied, line) if ".grad" in line else line


def owns_its_memory(found: Difference) -> bool:
    """With gradients copied before they are changed, PyTorch does what happens here."""
    lines = [with_own_memory(line) for line in found.lines]
    return lines != [*found.lines] and same_as_here(found, lines)


# -- layout

ORDERS = re.compile(r"\b[vgm]\d+\b")


def layout(found: Difference) -> bool:
    """Strides alone, of a result that has an input which does not lie in order, or is called so in another operator."""
    name, _, what = found.part.partition(" ")
    if {told(found.here), told(found.there)} == {"ViewBackward0", "UnsafeViewBackward0"}:
        return bool(re.search(rf"{name} = g\d+\.(reshape|flatten)", found.lines[-1]))
    if what != "stride":
        return False
    import torch

    at = max(i for i, line in enumerate(found.lines) if re.search(rf"(?m)^ *(\w+, )*{name}\b.*=", line))
    world = World(torch)
    with quiet(world):
        for line in found.lines[:at]:
            world.run(line)
    inputs = [world.space.get(each) for each in ORDERS.findall(found.lines[at])]
    return any(isinstance(x, torch.Tensor) and x.stride() != torch.empty(x.shape).stride() for x in inputs)


# -- numbers


def signs(found: Difference) -> bool:
    here, there = found.here, found.there
    if not isinstance(here, np.ndarray) or here.shape != there.shape:
        return False
    other = here != there
    by_place = re.search(r"maximum|minimum|clamp\w*\(min=v|amax\(|amin\(|max\(\)|min\(\)", "\n".join(found.lines))
    return bool(by_place and other.any() and (np.isinf(here[other]) & np.isinf(there[other])).all())


CHANGES_BY = re.compile(r"\b(v\d+)( *(?:[-+*/%@]|\*\*|//)= *|\.\w+_\(|\[.*\] = )(v\d+)\b")


def reads_what_it_writes(found: Difference) -> bool:
    """PyTorch, given a clone of the operand, does what happens here; or it adds, one by one, to what is spread out."""
    *before, last = found.lines
    if isinstance(found.here, np.ndarray) and "accumulate=True" in last:
        import torch

        warned = outcome([*found.lines], torch, True)[-1].exact["warnings"]
        return any("index_put_ on expanded tensors is deprecated" in text for _, text in warned)
    cloned = CHANGES_BY.sub(r"\1\2\3.clone()", last)
    return cloned != last and isinstance(found.here, np.ndarray) and same_as_here(found, [*before, cloned])


def left_as_it_was(found: Difference) -> bool:
    """Both end in the same error, and here the variable is as it was before: a place that was to be written to lies
    outside, or backward raised."""
    sights = outcome([*found.lines], minigrad, True)
    error = sights[-1].exact["error"]
    if error is None or len(sights) < 2 or not ("out of bounds" in error[1] or "backward" in found.lines[-1]):
        return False
    name, _, what = found.part.partition(" ")
    if isinstance(found.here, np.ndarray):
        return name in sights[-2].arrays and close(found.here, sights[-2].arrays[name])
    seen = sights[-2].exact.get(name, {})
    if isinstance(seen, list):  # a module's parameters, told together; or the warnings
        return what == "grad" and sights[-1].exact[name] == seen
    before = seen.get("grad") if isinstance(seen, dict) else None
    return (what == "grad" and before == found.here) or (
        what == "grad object" and before is not None and before["object"] == found.here
    )


EXPLAINED: tuple[Explained, ...] = (
    Explained(
        "PyTorch itself fails: a crash, an internal assertion that asks for a bug report, or integers that require "
        "grad, which it refuses elsewhere, after fill_ with a number that does",
        fails,
    ),
    Explained(
        "What lies between inference_mode and the rest: PyTorch decides by dispatch keys whether an inference tensor "
        "counts, is recorded or may be saved, so that a Python number beside it changes the answer",
        lambda d: has(d, "inference_mode") and inference(d),
    ),
    Explained(
        "Gradients own dense memory here; PyTorch hands out what `expand` made or what the reader gave to backward, "
        "and a change of one of them changes others, is refused or warns. Given copies, it does the same",
        owns_its_memory,
    ),
    Explained(
        "Where several orders in memory are possible (inputs that are spread out, permuted or of two layouts), NumPy "
        "and PyTorch's TensorIterator choose another for the result",
        layout,
    ),
    Explained(
        "An operator in place that reads, through a view with gaps or one that is spread out, what it has just "
        "written: PyTorch does not refuse, and the order of its loops decides; here all is read before anything is "
        "written, as with a clone",
        reads_what_it_writes,
    ),
    Explained(
        "The sign of a zero that is the larger or smaller of two: in PyTorch it depends on their place in memory (in "
        "a vector of the processor or behind the last one)",
        signs,
    ),
    Explained(
        "A gradient that is given to backward and requires grad itself shows that to hooks in PyTorch; here the pass "
        "works on plain arrays",
        lambda d: d.part == "printed requires_grad" and d.there is True and "backward" in d.lines[-1],
    ),
    Explained(
        "Who fails changes nothing here: where a place lies outside, or backward raises, PyTorch has by then written "
        "to some places, or added to some leaves",
        left_as_it_was,
    ),
)


def explanation(found: Difference) -> str | None:
    """Why minigrad differs here on purpose; None where it should not."""
    return next((each.reason for each in EXPLAINED if each.fits(found)), None)
