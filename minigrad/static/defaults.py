"""The default graph and the default session: a stack of each, for every thread.

Imports interrupts. Read next: graph.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from .._machine.interrupts import restoring


class Defaults(threading.local):
    """Stacks of this thread's `with graph.as_default()` and `with session`, the innermost last."""

    def __init__(self) -> None:
        self.graphs: list[Any] = []
        self.sessions: list[Any] = []
        self.base: Any = None  # the graph outside every `with`


stack = Defaults()


@restoring
def pushed(where: list[Any], what: Any) -> Iterator[Any]:
    """Make `what` the default inside the `with`."""
    try:
        where.append(what)
        yield what
    finally:
        where.remove(what)


def get_default_session() -> Any:
    """The innermost session, or None outside every session."""
    return stack.sessions[-1] if stack.sessions else None


def session_for(session: Any, what: str) -> Any:
    """The given session or the default one; raises TensorFlow's ValueError if there is neither."""
    session = session or get_default_session()
    if session is None:
        raise ValueError(
            f"Cannot {what}: No default session is registered. Use `with sess.as_default()` or pass an explicit "
            f"session to `{what.split('`')[1].removesuffix('()')}(session=sess)`"
        )
    return session
