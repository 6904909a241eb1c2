"""Kinds of error, by TensorFlow's names, and the note that says which of the reader's lines is behind one.

An operator is built in one line and run in another, often far below. TensorFlow's users had to dig for the
first; here every error about an operator carries it as a note, which tracebacks and notebooks print.
Imports places. Read next: graph.py, which remembers the places.
"""

from __future__ import annotations

from typing import Any

from .._messages.places import describe


class OpError(Exception):
    """Something that went wrong while a graph was run. `op` is the operation, `message` the text."""

    def __init__(self, op: Any, message: str):
        super().__init__(message)
        self.op = op
        self.message = message
        if op is not None:
            self.add_note(built(op))


class InvalidArgumentError(OpError):
    """An operator was given what it can't work on: shapes that don't fit, an unfed placeholder …"""


class FailedPreconditionError(OpError):
    """The state is not ready: a variable that nobody has initialised."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for something that only a value can tell."""


class InaccessibleTensorError(ValueError):
    """A tensor of a loop's or a branch's inside was asked for outside."""


def built(op: Any) -> str:
    """The note under an error: which operator, and which line built it.

    >>> import minigrad.static as tf
    >>> print(built(tf.constant(1.0, name="one").op))
    'one' (Const) was built at ...
    """
    return f"'{op.name}' ({op.type}) was built at {describe(*op.place)}"
