"""Safe handling of Ctrl-C: no change is left half done, and no switch is left on.

With `Whole`, an interrupt waits until a change is complete. With `Block` and `restoring`, the changes of a `with` are
restored wherever the interrupt comes. Python handles an interrupt at the first instruction of a Python function, at the
end of each iteration of a loop, and after each call of a function written in C. So a `with` has one gap that Python
code can't close: the first instruction of `__exit__`, which no `try` inside `__exit__` covers.
Imports the standard library alone. Read next: optim/optimizer.py, which changes parameters and their state together;
_engine/switches.py, which uses Block.
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
    """`with Whole():` delays an interrupt until the end of the block. Python interrupts only the main thread; in other
    threads this does nothing."""

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

    It inherits `__exit__` from IOBase, where it is written in C and calls `close`. `__enter__` sets `self.close`,
    inside a `try`, to another function written in C: see `in_turn`. So no Python instruction runs before the change is
    undone.
    """

    closed = True  # IOBase reads this when the object is freed: there is no file to close

    if TYPE_CHECKING:
        close: Any
    else:

        def close(self) -> None:
            raise RuntimeError("the end of a `with` that was not entered")


class Exit(property):
    """`__exit__ = Exit("_leave")`: at the end of a `with`, the Block in the attribute `_leave` ends. For a class whose
    own `close` means something else."""

    def __init__(self, name: str):
        super().__init__(attrgetter(name + ".__exit__"))

    def __call__(self, block: Any, *error: object) -> Any:
        """The same as `type(block).__exit__(block, …)`, which ExitStack calls."""
        return self.__get__(block)(*error)


def in_turn(*actions: Callable[[], None]) -> Callable[[], bool]:
    """A function that calls these functions once, in order. Between two that are written in C, no interrupt can come.
    It returns False, so that a `with` does not suppress an error."""
    return functools.partial(any, map(call, actions))


class Restored(Block, ContextDecorator):
    """The result of a function decorated with `restoring`."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]):
        self.again = function, args, kwargs
        self.steps: Any = function(*args, **kwargs)
        self.close = self.steps.close

    def _recreate_cm(self) -> Restored:
        """A new object for each call, if this one decorates a function."""
        return Restored(*self.again)

    def __enter__(self) -> Any:
        try:
            return next(self.steps)
        except BaseException:
            self.close()
            raise


def restoring(function: Callable[..., Iterator[Any]]) -> Callable[..., Restored]:
    """Decorate a generator that changes something inside a `try`, yields once, and restores it under `finally`.

    It is like `contextlib.contextmanager`, but Ctrl-C can't skip its end. The end of the block closes the generator,
    which continues under `finally` at once and does not see an error of the block. Under `finally`, everything but a
    single assignment or a single call of a function written in C must be in a `try` whose handler repeats it.
    """

    @functools.wraps(function)
    def made(*args: Any, **kwargs: Any) -> Restored:
        return Restored(function, args, kwargs)

    return made
