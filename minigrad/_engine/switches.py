"""PyTorch's switches other than `no_grad`: inference mode, anomaly detection, hooks on saved tensors, observers. And
`Switch`, a context manager whose switches are restored even if an interrupt comes.

The switches are stored in the core's `modes`, which has one set for each thread. Imports core and interrupts. Read
next: storage.py; the public switches are in autograd/grad_mode.py.
"""

from __future__ import annotations

import threading
from _thread import get_ident
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from .._machine.interrupts import Block, in_turn
from ..core.modes import QUIET, RECORD, Modes, modes, switched

FORBID = {"inference": False}  # in inference mode nothing is recorded, even under `enable_grad`
OTHERS = {
    "anomaly": False,
    "saved_hooks": (),  # pairs of functions: (pack, unpack)
    "observers": (),  # functions that are called with every operator
    "watchers": (),  # functions that are called before every backward pass
    "tracing": None,  # the trace that records the running function: see _tracing/ghost.py
}
NOTES = {
    "check_nan": True,  # does anomaly detection check for nan?
    "reached": set(),  # all leaves and nodes that the running pass reaches, if there are multi-grad hooks
    "partial": False,  # does the running pass belong to `grad`, or to `backward(inputs=…)`?
    "collecting": False,  # does the running pass belong to `grad`?
    "beside": (),  # the index tensors of the running operator, whose row has arrays only
    "innermost": None,  # the Switch that was entered last and has not ended
}
Modes.add(FORBID, OTHERS, NOTES)


def untraceable(what: str) -> None:
    """If a trace is being made, refuse an operation that it can't hold: _tracing/ghost.py. Callers check `if switched`
    first, because that costs nothing."""
    if modes.tracing is not None:
        modes.tracing.refuse(what)


def told(name: str, inputs: tuple[Any, ...], out: Any) -> Any:
    """`out`, the result of an operation that is no row of the table, after the observers have been told of it."""
    for observe in modes.observers:
        observe(name, inputs, out if isinstance(out, tuple) else (out,))
    return out


OFF = {"grad": False, "recording": False, "state": QUIET}
ON = {"grad": True, "recording": True, "state": RECORD}
BACK = {**ON, "innermost": None}
ONLY_ON = {"grad": True}
AT_FIRST = {**FORBID, **OTHERS, **NOTES, **ON}


def own_switches() -> dict[str, Any]:
    """All switches of this thread, as a dict."""
    own = modes.__dict__
    if "innermost" not in own:  # until then, Modes reads missing switches from its class
        own.update({**AT_FIRST, **own})
    return own


def turn(switches: dict[str, Any]) -> None:
    """Set switches until they are set again."""
    own = own_switches()
    if own["innermost"] is not None:
        own["innermost"].be_careful(own)
    modes.turn(switches)
    own["innermost"] = None


class Ends(threading.local):
    """`ENDS.run()` turns recording on in this thread, if nothing else was switched.

    Each step of this endless iterator does that in C, so no Ctrl-C can come in between. It is made once, because making
    it takes as long as a whole `with no_grad()`.
    """

    def __init__(self) -> None:
        both = zip(map(modes.__dict__.update, repeat(BACK)), map(switched.discard, repeat(get_ident())), strict=False)
        # any((None, None)) is False, so an error inside the `with` is not suppressed
        self.run = partial(next, map(any, both))


ENDS = Ends()


class Switch(Block):
    """The core's Switch, but every interrupt leaves the switches restored.

    At its end, `close` is called, which is written in C. Usually nothing else is switched, and `close` is `ENDS.run`.
    Otherwise it restores the switches first. Then `_end`, in Python, checks whether others were set in the block and
    are still on, for example by a generator that is inside a `with`. If so, it computes the summary of all switches
    again.
    """

    def __init__(self, **switches: Any):
        self.switches = switches
        # for each unfinished `with` of this object: the former switches, and the former `innermost`
        self.stood: list[Any] = []

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
        """Set the switches, if others may be set already. `stood`: the values that are restored at the end."""
        depth, outside, end = len(self.stood), own["innermost"], vars(self).get("close")
        if outside is not None:
            outside.be_careful(own)
        try:
            self._careful(own, stood, outside)
            if self.switches == ONLY_ON and own["state"] == QUIET:  # the same as `turn`, but faster
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
        if outside is not None:  # this may be the same object, in an outer `with`
            actions.append(partial(setattr, self, "close", self.close))
        self.close = in_turn(*actions, self._end)
        self.stood.append((stood, outside))

    def be_careful(self, own: dict[str, Any]) -> None:
        """Prepare for another Switch inside the block."""
        if self.close is ENDS.run:
            self._careful(own, ON, None)

    if not TYPE_CHECKING:

        def close(self) -> None:
            """Called by `__exit__`; `__enter__` replaces it by another function. IndexError if not entered."""
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
