"""What a thread has switched on: recording or not, inference, anomaly detection, listeners.

One number, `modes.state`, sums it up for the hot path: RECORD, QUIET (no_grad and nothing else) or
SPECIAL (somebody wants to see every operator). Each thread has its own: a widget's callback, which
JupyterLab runs on a thread of its own, can't switch off a running cell's gradients. While no thread has
switched anything, `switched` is empty, and nobody need ask, which takes ten times as long.
Imports nothing. Read next: dispatch.py, which obeys it; autograd/modes.py has the public switches.
"""

import threading
from collections.abc import Callable
from typing import Any

RECORD, QUIET, SPECIAL = 0, 1, 2
switched: set[int] = set()  # the threads whose state is not RECORD


class Modes(threading.local):
    """The switches of the running thread; `modes` below is the one instance."""

    state = RECORD
    grad = True
    inference = False
    recording = True  # the first without the second: under inference_mode, `enable_grad` changes nothing
    anomaly = False
    check_nan = True
    saved_hooks: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()
    reached: set[Any] = set()  # every leaf and node that the running pass goes to, if somebody watches
    collecting = False  # and is that a pass of `grad`?
    partial = False  # is the running pass one of `grad`, or of `backward(inputs=…)`?
    observers: tuple[Callable[..., Any], ...] = ()

    def set(self, **switches: Any) -> dict[str, Any]:
        """Turn switches; give back what they were, so that the caller can put them back."""
        before = {name: getattr(self, name) for name in switches}
        for name, value in switches.items():
            setattr(self, name, value)
        self.recording = self.grad and not self.inference
        special = self.inference or self.anomaly or self.saved_hooks or self.observers
        self.state = SPECIAL if special else RECORD if self.grad else QUIET
        (switched.add if self.state else switched.discard)(threading.get_ident())
        return before


modes = Modes()
