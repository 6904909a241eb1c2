"""Each thread's switches: above all, whether operators are recorded.

The core reads `modes.recording` and uses `Switch`; you may skip the rest. `with Switch(grad=False)`
is no_grad. Each thread has its own switches, so a widget's callback can't switch off gradients in a
running cell. A *room* is a folder outside core/; it may add switches. `modes.state` sums them up:
RECORD, QUIET (only no_grad is on) or SPECIAL (a room's switch is on).
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
    recording = True  # equals `grad`, unless a room's switch forbids recording
    special: tuple[str, ...] = ()  # rooms' switches: while one is on, the state is SPECIAL
    forbid: tuple[str, ...] = ()  # those of them that forbid recording

    @classmethod
    def add(cls, forbid: dict[str, Any], special: dict[str, Any], others: dict[str, Any]) -> None:
        """Add a room's switches, with their initial values."""
        cls.forbid += tuple(forbid)
        cls.special += (*forbid, *special)
        for name, value in {**forbid, **special, **others}.items():
            setattr(cls, name, value)

    def set(self, **switches: Any) -> dict[str, Any]:
        """Set switches; return their old values, so that the caller can restore them."""
        before = {name: getattr(self, name) for name in switches}
        self.turn(switches)
        return before

    def turn(self, switches: dict[str, Any]) -> None:
        """Set switches in one step: an interrupt leaves all of them old or all of them new."""
        after = self.summed(switches)
        if after["state"]:
            switched.add(threading.get_ident())
        self.__dict__.update(after)
        if not after["state"]:
            switched.discard(threading.get_ident())

    def summed(self, switches: dict[str, Any]) -> dict[str, Any]:
        """These switches, with the `recording` and `state` that follow from them."""
        stand = {**self.__dict__, **switches}
        recording = grad = stand.get("grad", True)
        state = RECORD if grad else QUIET
        if any(map(stand.get, self.special)):
            recording = grad and not any(map(stand.get, self.forbid))
            state = SPECIAL
        return {**switches, "recording": recording, "state": state}


modes: Any = Modes()  # Any, because a type checker can't see what `add` adds


class Switch:
    """`with Switch(grad=False):` records nothing inside. Switches may be nested."""

    def __init__(self, **switches: Any):
        self.switches = switches
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> Any:
        self.before.append(modes.set(**self.switches))
        return None

    def __exit__(self, *error: object) -> None:
        modes.turn(self.before.pop())
