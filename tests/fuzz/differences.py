"""Compare a program's sights in two libraries, make a differing program small, and name its kind of difference."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .rounding import Rounding
from .run import Sight, outcome
from .undefined import defined

CLOSE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-9}


class Difference(NamedTuple):
    """Where a program first differs: its lines up to there, the part that differs, and both sides."""

    lines: tuple[str, ...]
    look: bool  # after every statement?
    part: str  # "error", "warnings", "v3 stride", "v3.grad"…
    here: Any
    there: Any

    @property
    def kind(self) -> str:
        """The difference without names and numbers: what many programs share."""
        part = re.sub(r"^[vgm]\d+(\.weight|\.bias)?", "x", self.part)
        part = re.sub(r"printed.*", "printed", part)
        texts = [re.sub(r"[vgm]?\d+", "#", str(side))[:110] for side in (self.here, self.there)]
        if isinstance(self.here, np.ndarray | dict | list | int | None) and part not in ("error", "warnings"):
            texts = []
        words = re.findall(r"(?:\.|\b)([a-zA-Z_]{2,})\(|([-+*/%@|&^]?=|\*\*|//|[-+*/%@|&^<>]|\[)", self.lines[-1])
        called = " ".join(
            dict.fromkeys(a or b for a, b in words if (a or b) not in ("torch", "tensor", "no_grad", "="))
        )
        if part == "error":
            called = ""
        return f"{part} | {called} | {' <> '.join(texts)}"


def compare(
    lines: list[str], ours: ModuleType, theirs: ModuleType, look: bool, rounding: Rounding | None = None
) -> Difference | None:
    """The first difference, if there is one that rounding does not allow, in what PyTorch defines."""
    lines = lines[: defined(lines, theirs)]
    rounding = rounding or Rounding(lines, theirs)
    sights = zip(outcome(lines, ours, look), outcome(lines, theirs, look), strict=False)
    for done, (here, there) in enumerate(sights, 1):
        if found := differs(here, there, rounding, done - 1):
            if not look:
                if earlier := compare(lines[:done], ours, theirs, True, rounding):
                    return earlier
                if len(outcome(lines[:done], theirs, look=True)) < done:
                    return None  # on its way it comes to numbers that are too large
                found = differs(here, there, rounding, done - 1)  # with what is now known to have been allowed
            if found:
                return Difference(tuple(lines[:done]), look, *found)
    return None


def differs(here: Sight, there: Sight, rounding: Rounding | None = None, at: int = 0) -> tuple[str, Any, Any] | None:
    """Which part of two sights is not the same; numbers may lie as far apart as rounding allows, or as `close` does."""
    if here.exact["error"] != there.exact["error"]:
        return "error", here.exact["error"], there.exact["error"]
    if here.exact != there.exact:
        return next(first_difference("", here.exact, there.exact))
    for name in there.arrays:
        pair = here.arrays[name], there.arrays[name]
        if not (same(*pair) or rounding.allows(at, name, *pair)) if rounding else not close(*pair):
            return name, here.arrays[name], there.arrays[name]
    return None


def first_difference(part: str, here: Any, there: Any) -> Any:
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            if here[key] != there[key]:
                yield from first_difference(f"{part} {key}".strip(), here[key], there[key])
    elif (
        isinstance(here, list | tuple)
        and isinstance(there, list | tuple)
        and len(here) == len(there)
        and part not in ("error", "warnings")
    ):
        for a, b in zip(here, there, strict=True):
            if a != b:
                yield from first_difference(part, a, b)
    else:
        yield part, here, there


def same(here: np.ndarray[Any, Any], there: np.ndarray[Any, Any]) -> bool:
    """Equal; float64, which is not moved to see what rounding does, nearly so."""
    if here.tobytes() == there.tobytes():
        return True
    if here.dtype == there.dtype == "float64":
        return close(here, there)
    return (
        here.dtype == there.dtype
        and here.shape == there.shape
        and np.array_equal(here, there, equal_nan=here.dtype.kind == "f")
    )


def close(here: np.ndarray[Any, Any], there: np.ndarray[Any, Any]) -> bool:
    """Equal, but for the rounding of their type."""
    if here.tobytes() == there.tobytes():
        return True
    if here.dtype != there.dtype or here.shape != there.shape:
        return False
    if here.dtype.kind != "f":
        return bool((here == there).all())
    finite = np.isfinite(there)
    tolerance = CLOSE[here.dtype.name] * max(1.0, float(np.abs(there[finite]).max(initial=0)))
    return bool(np.allclose(here, there, rtol=0, atol=tolerance, equal_nan=True))


def shrink(found: Difference, differs: Callable[[list[str]], Difference | None]) -> Difference:
    """The same kind of difference in as few statements as can be: each is left out in turn, until none can be."""
    best, kind = found, found.kind
    for _ in range(4):
        before = best.lines
        at = len(best.lines) - 1
        while at >= 0:
            for shorter in without(list(best.lines), at):
                other = differs(shorter)
                if other is not None and other.kind == kind:
                    best = other
                    break
            at = min(at - 1, len(best.lines) - 1)
        if best.lines == before:
            break
    return best


def without(lines: list[str], at: int) -> list[list[str]]:
    """The program with one statement less, or with what stands inside its block alone."""
    out = [lines[:at] + lines[at + 1 :]]
    if lines[at].startswith("with "):
        inner = "\n".join(line.removeprefix("    ") for line in lines[at].splitlines()[1:])
        out.append([*lines[:at], inner, *lines[at + 1 :]])
    return out
