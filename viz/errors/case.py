"""One kind of fault that the clinic knows. Imports the catalogues. Read cases.py next for the list of cases."""

from __future__ import annotations

from dataclasses import dataclass

from ..locale import Text, room

tr = room("errors")


@dataclass(frozen=True)
class Case:
    """One kind of fault: `pattern` finds the text of its error, `what` explains it, and `cures` say what to do.

    pattern: "" for a fault that raises no error, or whose text is the same as another's.
    in_loop: what to do first if the line that stopped is in a loop.
    tensors: whether to show the shapes and types of the tensors in that line.
    """

    name: str
    pattern: str
    what: Text
    cures: tuple[Text, ...]
    in_loop: tuple[Text, ...] = ()
    tensors: bool = False
