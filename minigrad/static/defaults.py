"""Which graph is being built and which session runs, where the reader doesn't say: a stack of each, per thread.

Imports interrupts. Read next: graph.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from .._machine.interrupts import restoring


class Defaults(threading.local):
    """The innermost `with graph.as_default()` and `with session` of this thread come last."""

    def __init__(self) -> None:
        self.graphs: list[Any] = []
        self.sessions: list[Any] = []
        self.base: Any = None  # the graph outside of every `with`


stack = Defaults()


@restoring
def pushed(where: list[Any], what: Any) -> Iterator[Any]:
    """Let `what` be the default inside the `with`."""
    try:
        where.append(what)
        yield what
    finally:
        where.remove(what)


def get_default_session() -> Any:
    """The innermost session, None outside of all."""
    return stack.sessions[-1] if stack.sessions else None


def session_for(session: Any, what: str) -> Any:
    """The session to use, the given one or the default; ValueError, in TensorFlow's words, without either."""
    session = session or get_default_session()
    if session is None:
        raise ValueError(
            f"Cannot {what}: No default session is registered. Use `with sess.as_default()` or pass an explicit "
            f"session to `{what.split('`')[1].removesuffix('()')}(session=sess)`"
        )
    return session
