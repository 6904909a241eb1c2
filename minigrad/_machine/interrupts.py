"""Ctrl-C must leave nothing half done and nothing switched on.

`Whole`: the interrupt waits until a change is complete. `Block` and `restoring`: what a `with` has changed is restored
wherever the interrupt comes. Python looks for an interrupt at the first instruction of each Python function, at the end
of each turn of a loop, and after each call of a function that is written in C. So a `with` has one gap that its author
can't close in Python: the first instruction of `__exit__`, which no `try` of `__exit__` covers yet.
Imports the standard library alone. Read next: optim/optimizer.py, which changes parameters and their state together;
_engine/switches.py, for a Block.
"""

from __future__ import annotations

import functools
import threading
from _signal import SIGINT, getsignal  # type: ignore[import-not-found]  # those of `signal` cost more than a step
from _signal import signal as set_handler
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator
from io import IOBase
from operator import attrgetter, call
from typing import TYPE_CHECKING, Any


class Whole:
    """`with Whole():` an interrupt that comes inside is handled at the end of the block. Only the main thread is ever
    interrupted; elsewhere this does nothing."""

    __slots__ = ("came", "handler")

    def __enter__(self) -> None:
        self.came: tuple[Any, ...] | None = None
        on_main = threading.get_ident() == threading.main_thread().ident
        self.handler: Any = getsignal(SIGINT) if on_main else None
        if callable(self.handler):
            set_handler(SIGINT, self._note)

    def _note(self, *signal_and_frame: Any) -> None:
        self.came = signal_and_frame

    def __exit__(self, *error: object) -> None:
        if callable(self.handler):
            set_handler(SIGINT, self.handler)
            if self.came is not None:
                self.handler(*self.came)


class Block(IOBase):
    """A base for context managers whose end Ctrl-C can't skip.

    It inherits from IOBase for its `__exit__`, which is written in C and calls `close`. `__enter__`, inside a `try`,
    puts into `self.close` a function that is written in C, too: see `in_turn`. Then no instruction of Python comes
    before the change is undone.
    """

    closed = True  # what IOBase asks when the object dies: there is no file to close

    if TYPE_CHECKING:
        close: Any
    else:

        def close(self) -> None:
            raise RuntimeError("the end of a `with` that was not entered")


class Exit(property):
    """`__exit__ = Exit("_leave")`: a `with` of this object ends as the Block does that it has under that name. For a
    class whose own `close` means something else."""

    def __init__(self, name: str):
        super().__init__(attrgetter(name + ".__exit__"))

    def __call__(self, block: Any, *error: object) -> Any:
        """As `type(block).__exit__(block, …)`, which is what ExitStack calls."""
        return self.__get__(block)(*error)


def in_turn(*actions: Callable[[], None]) -> Callable[[], bool]:
    """A function that calls these, once; between two that are written in C, no interrupt can come. It gives False,
    which tells a `with` that the error inside goes on."""
    return functools.partial(any, map(call, actions))


class Restored(Block, ContextDecorator):
    """What a function gives that is decorated with `restoring`."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]):
        self.again = function, args, kwargs
        self.steps: Any = function(*args, **kwargs)
        self.close = self.steps.close

    def _recreate_cm(self) -> Restored:
        """A fresh one for each call, where it decorates a function."""
        return Restored(*self.again)

    def __enter__(self) -> Any:
        try:
            return next(self.steps)
        except BaseException:
            self.close()
            raise


def restoring(function: Callable[..., Iterator[Any]]) -> Callable[..., Restored]:
    """Decorate a generator that changes something inside a `try`, yields once, and restores it under `finally`.

    As `contextlib.contextmanager`, whose `__exit__` Ctrl-C can skip. The end of the block closes the generator, which
    goes on under `finally` at once; of an error in the block it learns nothing. Under `finally`, what is not a single
    assignment or a single call of a function written in C must stand in a `try` that does it once more.
    """

    @functools.wraps(function)
    def made(*args: Any, **kwargs: Any) -> Restored:
        return Restored(function, args, kwargs)

    return made
