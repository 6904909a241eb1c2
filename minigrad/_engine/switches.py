"""The switches that PyTorch has beside `no_grad`: inference mode, anomaly detection, hooks on saved tensors, observers;
and `Switch`, a `with` that turns some of them and that no interrupt leaves on.

They stand on the core's `modes`, one set for each thread. Imports core and interrupts. Read next: storage.py; the
public switches are in autograd/grad_mode.py.
"""

from __future__ import annotations

import threading
from _thread import get_ident
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from .._machine.interrupts import Block, in_turn
from ..core.modes import QUIET, RECORD, Modes, modes, switched

FORBID = {"inference": False}  # under it nothing is recorded, and `enable_grad` changes nothing
OTHERS = {
    "anomaly": False,
    "saved_hooks": (),  # pairs of functions: pack, unpack
    "observers": (),  # functions that are told of every operator
    "tracing": None,  # the trace that the running function is written down in: see _tracing/ghost.py
}
NOTES = {
    "check_nan": True,  # does anomaly detection look for nan?
    "reached": set(),  # every leaf and node that the running pass goes to, if somebody watches
    "partial": False,  # is the running pass one of `grad`, or of `backward(inputs=…)`?
    "collecting": False,  # and is that a pass of `grad`?
    "innermost": None,  # the Switch that was entered last
}
Modes.add(FORBID, OTHERS, NOTES)


def untraceable(what: str) -> None:
    """Refuse what a trace can't hold, if one is being made: _tracing/ghost.py. Ask `if switched` first: that is
    free."""
    if modes.tracing is not None:
        modes.tracing.refuse(what)


OFF = {"grad": False, "recording": False, "state": QUIET}
ON = {"grad": True, "recording": True, "state": RECORD}
BACK = {**ON, "innermost": None}
ONLY_ON = {"grad": True}
AT_FIRST = {**FORBID, **OTHERS, **NOTES, **ON}


def own_switches() -> dict[str, Any]:
    """This thread's switches, each with its value."""
    own = modes.__dict__
    if "innermost" not in own:  # Modes looks for those that are missing in its class
        own.update({**AT_FIRST, **own})
    return own


def turn(switches: dict[str, Any]) -> None:
    """Turn switches until something else turns them."""
    own = own_switches()
    if own["innermost"] is not None:
        own["innermost"].be_careful(own)
    modes.turn(switches)
    own["innermost"] = None


class Ends(threading.local):
    """`ENDS.run()` switches recording on in this thread, when it was the only thing that was switched.

    Each step of this endless iterator does so, in C, where Ctrl-C can't come in between. It is made once, since making
    it takes as long as a whole `with no_grad()`.
    """

    def __init__(self) -> None:
        both = zip(map(modes.__dict__.update, repeat(BACK)), map(switched.discard, repeat(get_ident())), strict=False)
        self.run = partial(next, map(any, both))  # any((None, None)) is False: an error inside the `with` goes on


ENDS = Ends()


class Switch(Block):
    """The core's Switch, which no interrupt leaves on.

    Its end calls `close`, which is written in C. Most often nothing else is switched: then that is `ENDS.run`. Else it
    restores the switches first; then `_end`, in Python, looks whether others were turned in the block and are still
    on, as by a generator that holds a `with`: if so it sums up again how all of them stand.
    """

    def __init__(self, **switches: Any):
        self.switches = switches
        self.stood: list[Any] = []  # for each careful `with` that it is in: how they stood, and what was innermost

    def __enter__(self) -> Any:
        own, switches = modes.__dict__, self.switches
        if own.get("innermost", self) is None and not own["state"] and len(switches) == 1 and "grad" in switches:
            self.close = end = ENDS.run
            try:
                if not switches["grad"]:
                    switched.add(get_ident())
                    own.update(OFF)
                own["innermost"] = self
            except BaseException:
                end()
                raise
            return
        own = own_switches()
        stood = {"recording": own["recording"], "state": own["state"]}
        for name in switches:
            stood[name] = own[name]
        self._begin(own, stood)

    def _begin(self, own: dict[str, Any], stood: dict[str, Any]) -> None:
        """Turn the switches, where others may be switched. `stood`: what is restored at the end."""
        depth, outside, end = len(self.stood), own["innermost"], vars(self).get("close")
        if outside is not None:
            outside.be_careful(own)
        try:
            self._careful(own, stood, outside)
            if self.switches == ONLY_ON and own["state"] == QUIET:  # what turn would do, sooner
                own.update(ON)
                switched.discard(get_ident())
            else:
                modes.turn(self.switches)
            own["innermost"] = self
        except BaseException:
            own.update(stood)
            if stood["state"]:
                switched.add(get_ident())
            del self.stood[depth:]
            vars(self).update(close=end) if end else vars(self).pop("close", None)
            raise

    def _careful(self, own: dict[str, Any], stood: dict[str, Any], outside: Any) -> None:
        actions: list[Any] = [partial(own.update, stood)]
        if stood["state"]:
            actions.append(partial(switched.add, get_ident()))
        if outside is not None:  # it may be this very object, in a `with` further out
            actions.append(partial(setattr, self, "close", self.close))
        self.close = in_turn(*actions, self._end)
        self.stood.append((stood, outside))

    def be_careful(self, own: dict[str, Any]) -> None:
        """Another is about to be switched in the block."""
        if self.close is ENDS.run:
            self._careful(own, ON, None)

    if not TYPE_CHECKING:

        def close(self) -> None:
            """What `__exit__` calls; `__enter__` puts another function in its place. IndexError if not entered."""
            self._end()

    def _end(self) -> None:
        stood, outside = self.stood.pop()
        if not self.stood:
            del self.close
        own = modes.__dict__
        if own["innermost"] is not self:
            modes.turn({name: stood[name] for name in self.switches})
            outside = None
        elif not own["state"]:
            switched.discard(get_ident())
        own["innermost"] = outside


__all__ = ["Switch", "modes", "own_switches", "turn", "untraceable"]
