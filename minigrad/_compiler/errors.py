"""Errors under TensorFlow's names, and the note that tells which of the user's lines built the operator.

An operator is built in one line and run in another, often far below. TensorFlow's users had to search for the
first; here every error of an operator has a note with this line, which tracebacks and notebooks print.
Imports places. Read next: graph.py, which stores the places.
"""

from __future__ import annotations

from typing import Any

from .._messages.places import describe


class OpError(Exception):
    """An error while a graph runs. `op` is the operation, `message` the text."""

    def __init__(self, op: Any, message: str):
        super().__init__(message)
        self.op = op
        self.message = message
        if op is not None:
            self.add_note(built(op))


class InvalidArgumentError(OpError):
    """An operator got invalid inputs: shapes that don't fit, an unfed placeholder …"""


class FailedPreconditionError(OpError):
    """The state is not ready: a variable is not initialised."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python code needs the value of a symbolic tensor."""


class InaccessibleTensorError(ValueError):
    """A tensor inside a loop or a branch was used outside."""


def built(op: Any) -> str:
    """The note under an error: the operator, and the line that built it.

    >>> import minigrad.static as tf
    >>> print(built(tf.constant(1.0, name="one").op))
    'one' (Const) was built at ...
    """
    return f"'{op.name}' ({op.type}) was built at {describe(*op.place)}"
