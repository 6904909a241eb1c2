"""What a thread has switched on. The core reads `modes.recording` alone: you may skip the rest.

`with Switch(grad=False):` is no_grad. Each thread has its own switches: a widget's callback can't
switch off a running cell's gradients. A *room* is a file or folder outside core/; it may add some.
One number, `modes.state`, sums up: RECORD, QUIET (no_grad and nothing else), SPECIAL (a switch of
another room is on). While no thread has switched anything, `switched` is empty.
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
        """Turn switches, all at once: an interrupt finds them as before or as after."""
        after = self.summed(switches)
        if after["state"]:
            switched.add(threading.get_ident())
        self.__dict__.update(after)
        if not after["state"]:
            switched.discard(threading.get_ident())

    def summed(self, switches: dict[str, Any]) -> dict[str, Any]:
        """These switches, and how all of them would then stand, summed up."""
        stand = {**self.__dict__, **switches}
        recording = grad = stand.get("grad", True)
        state = RECORD if grad else QUIET
        if any(map(stand.get, self.special)):
            recording = grad and not any(map(stand.get, self.forbid))
            state = SPECIAL
        return {**switches, "recording": recording, "state": state}


modes: Any = Modes()  # to a type checker it has whatever `add` adds


class Switch:
    """`with Switch(grad=False):` nothing inside is recorded. It nests."""

    def __init__(self, **switches: Any):
        self.switches = switches
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> Any:
        self.before.append(modes.set(**self.switches))
        return None

    def __exit__(self, *error: object) -> None:
        modes.turn(self.before.pop())
