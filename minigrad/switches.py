"""The switches that PyTorch has beside `no_grad`: inference mode, anomaly detection, hooks on saved tensors, observers.

They stand on the core's `modes`, one set for each thread. Imports core. Read next: storage.py; the public switches are
in autograd/grad_mode.py.
"""

from __future__ import annotations

import threading
from typing import Any

from .core.modes import Modes, modes, switched

Modes.add(
    {"inference": False},  # under it nothing is recorded, and `enable_grad` changes nothing
    {
        "anomaly": False,
        "saved_hooks": (),  # pairs of functions: pack, unpack
        "observers": (),  # functions that are told of every operator
        "tracing": None,  # the trace that the running function is written down in: see tracing/ghost.py
    },
    {
        "check_nan": True,  # does anomaly detection look for nan?
        "reached": set(),  # every leaf and node that the running pass goes to, if somebody watches
        "partial": False,  # is the running pass one of `grad`, or of `backward(inputs=…)`?
        "collecting": False,  # and is that a pass of `grad`?
    },
)


def untraceable(what: str) -> None:
    """Refuse what a trace can't hold, if one is being made: tracing/ghost.py. Ask `if switched` first: that is free."""
    if modes.tracing is not None:
        modes.tracing.refuse(what)


def now() -> dict[str, Any]:
    """What this thread has switched: for `put_back`."""
    return dict(modes.__dict__)


def put_back(before: dict[str, Any]) -> None:
    """All switches as they were: for `except BaseException` around a `with Switch(…)` of our own, since Ctrl-C may come
    as its `__exit__` begins, where no `try` of its own is yet."""
    own = modes.__dict__
    own.clear()
    own.update(before)
    (switched.add if modes.state else switched.discard)(threading.get_ident())


__all__ = ["modes", "now", "put_back", "untraceable"]
