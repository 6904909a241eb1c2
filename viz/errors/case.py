"""One kind of fault that the clinic knows. Imports the catalogues. Read cases.py next: which there are."""

from __future__ import annotations

from dataclasses import dataclass

from ..locale import Text, room

tr = room("errors")


@dataclass(frozen=True)
class Case:
    """One kind of fault: `pattern` finds the text of its error, `what` says what happened and `cures` what to do.

    pattern: "" for a fault that raises nothing, or that the text alone does not tell from another.
    in_loop: what to do first where the line that stopped stands in a loop.
    tensors: whether the shapes and types of the tensors in that line are to be told.
    """

    name: str
    pattern: str
    what: Text
    cures: tuple[Text, ...]
    in_loop: tuple[Text, ...] = ()
    tensors: bool = False
