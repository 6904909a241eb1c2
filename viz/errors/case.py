"""One kind of error that the clinic knows. Imports the standard library only. Read cases.py next: which there are."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One kind of error: `pattern` finds its text, `what` says what happened and `cures` what to do, by language.

    in_loop: what to do first where the line that stopped stands in a loop.
    """

    name: str
    pattern: str
    what: dict[str, str]
    cures: dict[str, tuple[str, ...]]
    in_loop: dict[str, tuple[str, ...]] = field(default_factory=dict)
