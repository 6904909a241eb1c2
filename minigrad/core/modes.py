"""What a thread has switched on. The core knows one switch: `modes.grad`, are operators recorded?

Each thread has its own: a widget's callback, on a thread of its own, can't switch off a running
cell's gradients. One number, `modes.state`, sums it up: RECORD, QUIET (no_grad and nothing else) or
SPECIAL (a switch that some other room has added is on). While no thread has switched anything,
`switched` is empty, and nobody need ask, which takes ten times as long.
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
        for name, value in switches.items():
            setattr(self, name, value)
        if self.state == SPECIAL or len(switches) > 1 or "grad" not in switches:
            self.recording = self.grad and not any([getattr(self, name) for name in self.forbid])
            special = any([getattr(self, name) for name in self.special])
            self.state = SPECIAL if special else RECORD if self.grad else QUIET
        else:  # no_grad, and nothing else is or was on
            self.recording, self.state = self.grad, RECORD if self.grad else QUIET
        (switched.add if self.state else switched.discard)(threading.get_ident())
        return before

    def __getattr__(self, name: str) -> Any:  # for a type checker: what `add` has added
        raise AttributeError(f"no switch is called {name!r}")


modes = Modes()


class Switch:
    """`with Switch(grad=False):` nothing inside is recorded. It nests."""

    def __init__(self, **switches: Any):
        self.switches = switches
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> Any:
        before = {name: getattr(modes, name) for name in self.switches}
        try:
            modes.set(**self.switches)
        except BaseException:  # Ctrl-C in the middle of that: the block will not be entered
            modes.set(**before)
            raise
        self.before.append(before)

    def __exit__(self, *error: object) -> None:
        before = self.before[-1]
        try:
            modes.set(**before)
        except BaseException:  # Ctrl-C in the middle of that
            modes.set(**before)
            raise
        finally:
            self.before.pop()
