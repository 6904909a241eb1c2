"""Differences that are meant to stay, at most ten kinds, each with its reason and matched as narrowly as it can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .differences import Difference


class Explained(NamedTuple):
    """A kind of difference: why it stays, and which differences are of it."""

    reason: str
    fits: Callable[[Difference], bool]


EXPLAINED: tuple[Explained, ...] = ()


def explanation(found: Difference) -> str | None:
    """Why minigrad differs here on purpose; None where it should not."""
    return next((each.reason for each in EXPLAINED if each.fits(found)), None)
