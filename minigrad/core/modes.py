"""What a thread has switched on. The core reads `modes.recording` alone: you may skip the rest.

`with Switch(grad=False):` is no_grad. Each thread has its own switches: a widget's callback can't
switch off a running cell's gradients. A *room* is a file or folder outside core/; it may add some.
One number, `modes.state`, sums up: RECORD, QUIET (no_grad and nothing else), SPECIAL (a switch of
another room is on). While no thread has switched anything, `switched` is empty, and nobody asks.
Imports the standard library. Next: tensor.py.
"""

import threading
from typing import Any

RECORD, QUIET, SPECIAL = 0, 1, 2
switched: set[int] = set()  # the threads whose state is not RECORD


class Modes(threading.local):
    """The switches of the running thread; `modes` below is the one instance."""

    state = RECORD
    grad = True
    recording = True  # the same, unless a switch of another room forbids it
    special: tuple[str, ...] = ()  # switches of other rooms: while one is on, the state is SPECIAL
    forbid: tuple[str, ...] = ()  # and those under which nothing is recorded

    @classmethod
    def add(cls, forbid: dict[str, Any], special: dict[str, Any], others: dict[str, Any]) -> None:
        """Switches that other rooms need, and how they stand at first."""
        cls.forbid += tuple(forbid)
        cls.special += (*forbid, *special)
        for name, value in {**forbid, **special, **others}.items():
            setattr(cls, name, value)

    def set(self, **switches: Any) -> dict[str, Any]:
        """Turn switches; give back what they were, so that the caller can put them back."""
        before = {name: getattr(self, name) for name in switches}
        self.turn(switches)
        return before

    def turn(self, switches: dict[str, Any]) -> None:
        """Turn switches, and sum up how all of them stand now."""
        was, own = self.state, self.__dict__
        own.update(switches)
        grad = self.grad
        state = RECORD if grad else QUIET
        if was == SPECIAL or len(switches) > 1 or "grad" not in switches:
            grad = grad and not any([getattr(self, name) for name in self.forbid])
            state = SPECIAL if any([getattr(self, name) for name in self.special]) else state
        # else it is no_grad, while nothing else is on
        own.update(recording=grad, state=state)
        (switched.add if state else switched.discard)(threading.get_ident())


modes: Any = Modes()  # to a type checker it has whatever `add` adds


class Switch:
    """`with Switch(grad=False):` nothing inside is recorded. It nests."""

    def __init__(self, **switches: Any):
        self.switches = switches
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> Any:
        before = {}
        for name in self.switches:
            before[name] = getattr(modes, name)
        noted = len(self.before)
        try:
            self.before.append(before)
            modes.turn(self.switches)
        except BaseException:  # Ctrl-C, which may come between any two of these
            modes.turn(before)
            del self.before[noted:]
            raise
        return None

    def __exit__(self, *error: object) -> None:
        before = self.before[-1]
        try:
            modes.turn(before)
        except BaseException:
            modes.turn(before)
            raise
        finally:
            del self.before[-1]
