"""Undo what an answer has changed outside itself: `kept = Kept(torch)` before it runs, `kept.put_back()` after it.

An answer may change the working directory, Python's built-in functions, the default dtype, a method of `Tensor`, a
timer. The next answer must be judged as if this had not happened. `STATES` is the table of all that is kept: each row
says how to read a state, and how to set it. Code is kept besides: every function, class and method of minigrad, of this
package, of NumPy and of some modules of Python's library.

Nobody can undo `os._exit`, a signal that ends the process, and a closed file descriptor. A thread that goes on can't be
ended: `goes_on` returns its name.
Imports the standard library and NumPy. Read next: trial.py.
"""

from __future__ import annotations

import builtins
import gc
import os
import random
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np


@dataclass(frozen=True)
class State:
    """One row of the table. read: () -> the state, or (library) if `of_library`. put: sets it to an earlier one.

    after: when it is restored: after each "call", after a "run" of calls, or only at the end of "all".
    """

    read: Callable[..., Any]
    put: Callable[..., Any]
    after: str = "call"
    of_library: bool = False


def _directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it has been removed
        return None


def _put_directory(before: str | None) -> None:
    if before is not None:
        os.chdir(before)


def _put_environment(before: dict[str, str]) -> None:
    for name in [name for name in os.environ if name not in before]:
        del os.environ[name]
    os.environ.update({name: value for name, value in before.items() if os.environ.get(name) != value})


def _handlers() -> dict[int, Any]:
    names = ("SIGINT", "SIGTERM", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGCHLD")
    return {number: signal.getsignal(number) for name in names if (number := getattr(signal, name, None))}


def _put_handlers(before: dict[int, Any]) -> None:
    if threading.current_thread() is threading.main_thread():
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:  # None: set by code in C
                signal.signal(number, handler)


posix: Any = signal  # Windows has no timers: TIMERS is empty there
KINDS = ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF") if hasattr(signal, "setitimer") else ()
TIMERS = [getattr(signal, name) for name in KINDS if hasattr(signal, name)]


def _timers() -> tuple[bool, ...]:
    return tuple(posix.getitimer(timer) != (0.0, 0.0) for timer in TIMERS)


def _stop_timers(before: tuple[bool, ...]) -> None:
    """Stop each timer that was not running before. One that was running goes on: its time has passed meanwhile."""
    for timer, running in zip(TIMERS, before, strict=True):
        if not running:
            posix.setitimer(timer, 0)


def _attributes(*names: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """How to read and to set some attributes of `sys`."""

    def read() -> dict[str, Any]:
        return {name: getattr(sys, name, None) for name in names}

    def put(before: dict[str, Any]) -> None:
        for name, value in before.items():
            setattr(sys, name, value)

    return read, put


def _search() -> list[tuple[list[Any], list[Any]]]:
    return [(each, [*each]) for each in (sys.path, sys.meta_path, sys.path_hooks)]


def _put_search(before: list[tuple[list[Any], list[Any]]]) -> None:
    (sys.path, path), (sys.meta_path, finders), (sys.path_hooks, hooks) = before
    sys.path[:], sys.meta_path[:], sys.path_hooks[:] = path, finders, hooks


def _put_tracers(before: tuple[Any, Any]) -> None:
    sys.settrace(before[0])
    sys.setprofile(before[1])


def _put_thread_tracers(before: tuple[Any, Any]) -> None:
    threading.settrace(before[0])
    threading.setprofile(before[1])


_guards: list[Any] = []  # PyTorch leaves the mode that it entered last if this object is freed


def _put_inference(torch: Any, before: bool) -> None:
    _guards[:] = [torch.inference_mode(before)]
    _guards[0].__enter__()


def _print_options(torch: Any) -> dict[str, Any]:
    """The options themselves, which the library changes in place."""
    home = sys.modules[torch.set_printoptions.__module__]
    held = getattr(home, "options", None)  # minigrad's
    return held if isinstance(held, dict) else vars(home.PRINT_OPTS)


def _put_print_options(torch: Any, before: dict[str, Any]) -> None:
    held = _print_options(torch)
    held.clear()
    held.update(before)


def _switch(reads: str, puts: str, after: str = "call") -> State:
    """The row of a switch of the library: the names of the functions that read it and set it."""

    def read(torch: Any) -> Any:
        return attrgetter(reads)(torch)()

    def put(torch: Any, before: Any) -> None:
        attrgetter(puts)(torch)(before)

    return State(read, put, after, of_library=True)


class _Numbers:
    """The state of a generator of random numbers; two are compared by their bytes."""

    def __init__(self, state: Any, bits: bytes):
        self.state, self.bits = state, bits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Numbers) and self.bits == other.bits

    __hash__ = None  # type: ignore[assignment]


def _librarys_numbers(torch: Any) -> _Numbers:
    state = torch.get_rng_state()
    return _Numbers(state, state.numpy().tobytes())


def _numpys_numbers() -> _Numbers:
    state: Any = np.random.get_state(legacy=False)
    inside = state["state"]
    return _Numbers(state, inside["key"].tobytes() + bytes(str(inside.get("pos")), "ascii") if "key" in inside else b"")


STATES: dict[str, State] = {
    "recursion": State(sys.getrecursionlimit, sys.setrecursionlimit),
    "switching": State(sys.getswitchinterval, sys.setswitchinterval, "run"),
    "digits": State(sys.get_int_max_str_digits, sys.set_int_max_str_digits, "run"),
    "streams": State(*_attributes("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"), "run"),
    "hooks": State(*_attributes("excepthook", "displayhook", "unraisablehook", "breakpointhook"), "run"),
    "tracer": State(lambda: (sys.gettrace(), sys.getprofile()), _put_tracers, "run"),
    "thread tracer": State(lambda: (threading.gettrace(), threading.getprofile()), _put_thread_tracers, "run"),
    "signals": State(_handlers, _put_handlers, "run"),
    "timer": State(_timers, _stop_timers, "run"),
    "directory": State(_directory, _put_directory),
    "numpy errors": State(np.geterr, lambda before: np.seterr(**before)),
    "numpy call": State(np.geterrcall, np.seterrcall, "run"),
    "dtype": _switch("get_default_dtype", "set_default_dtype"),
    "inference": State(lambda torch: torch.is_inference_mode_enabled(), _put_inference, of_library=True),
    "recording": _switch("is_grad_enabled", "set_grad_enabled"),
    "anomaly": _switch("is_anomaly_enabled", "autograd.set_detect_anomaly"),
    "collector": State(lambda: gc.isenabled(), lambda on: gc.enable() if on else gc.disable(), "run"),
    "tensors printed": State(lambda torch: dict(_print_options(torch)), _put_print_options, "all", of_library=True),
    "deterministic": _switch("are_deterministic_algorithms_enabled", "use_deterministic_algorithms", "all"),
    "library numbers": State(
        _librarys_numbers, lambda torch, it: torch.set_rng_state(it.state), "all", of_library=True
    ),
    "python numbers": State(random.getstate, random.setstate, "all"),
    "numpy numbers": State(_numpys_numbers, lambda it: np.random.set_state(it.state), "all"),
    "arrays printed": State(np.get_printoptions, lambda it: np.set_printoptions(**it), "all"),
    "environment": State(lambda: dict(os.environ), _put_environment, "all"),
    "search": State(_search, _put_search, "all"),
}

AFTER = {"call": ("call",), "run": ("call", "run"), "all": ("call", "run", "all")}
UNTOLD = {"library numbers", "python numbers", "numpy numbers"}  # restored silently

OURS = ("minigrad", "viz")
OTHERS = (
    *("torch", "torch.autograd", "torch.nn", "torch.nn.functional", "torch.nn.utils", "torch.optim"),
    *("numpy", "numpy.linalg", "numpy.random", "numpy.lib", "math", "cmath", "random", "time", "os", "os.path"),
    *("sys", "threading", "inspect", "functools", "itertools", "operator", "collections", "copy", "warnings"),
    *("contextlib", "linecache", "traceback", "types", "ast", "dis", "re", "json", "string", "secrets", "signal", "gc"),
    *("importlib", "io", "dataclasses", "enum", "abc", "ctypes", "_thread", "html", "statistics", "fractions"),
)
CODE = (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType, property, staticmethod, classmethod)
_BUILTINS = vars(builtins)
MADE_BY_MINIGRAD = ("before_drawing",)  # minigrad sets it itself, at each trace
MADE_BY_PYTHON = ("_", "__warningregistry__", "__builtins__")  # names of a module that Python sets itself


class _Homes:
    """The modules and classes whose functions are kept, each with the dict that it holds and a copy of it."""

    def __init__(self) -> None:
        self.known = 0  # how many modules there were
        self.kept: dict[int, tuple[Any, Any, dict[str, Any], tuple[Any, ...]]] = {}

    def take(self) -> None:
        """Keep what is there now. Most of it has not changed since the last time."""
        if len(sys.modules) != self.known:
            self.known = len(sys.modules)
            for home in self._found():
                if id(home) not in self.kept:
                    self._keep(home, vars(home))
        for home, now, _ in self._changed():
            self._keep(home, now)

    def _keep(self, home: Any, now: Any) -> None:
        self.kept[id(home)] = home, now, dict(now), tuple(now.values())

    def put_back(self) -> list[str]:
        """Restore each function, class and method that is another one now; returns their names."""
        found = []
        for home, now, before in self._changed():
            for name, value in before.items():
                if now.get(name) is not value and _is_code(name, value):
                    _set(home, name, value)
                    found.append(f"{home.__name__}.{name}")
            for name in [name for name in now if name not in before]:
                hides = isinstance(home, type) and any(name in vars(base) for base in home.__mro__[1:])
                if hides or isinstance(home, type) and isinstance(now[name], CODE):
                    delattr(home, name)
                    found.append(f"{home.__name__}.{name}")
            self._keep(home, now)
        return found

    def _changed(self) -> list[tuple[Any, Any, dict[str, Any]]]:
        kept = self.kept.values()
        try:  # a call of `_same` takes as long as the comparison
            return [(home, now, before) for home, now, before, values in kept if tuple(now.values()) != values]
        except Exception:
            return [(home, now, before) for home, now, before, values in kept if not _same(now, values)]

    @staticmethod
    def _found() -> Iterator[Any]:
        for name, module in [*sys.modules.items()]:
            if isinstance(module, types.ModuleType) and (name in OTHERS or name.partition(".")[0] in OURS):
                yield module
                yield from [
                    each
                    for each in [*vars(module).values()]
                    if isinstance(each, type)
                    and each.__flags__ & HEAP
                    and each.__module__.partition(".")[0] in LIBRARIES
                ]


LIBRARIES = {"minigrad", "viz", "torch"}  # whose classes are kept, too
HEAP = 1 << 9  # a class that was made by Python, and not in C: it can be changed


def _same(now: Any, values: tuple[Any, ...]) -> bool:
    """Whether a dict has the same values. Tuples are compared by identity first, in C; functions and classes are equal
    only to themselves."""
    try:
        return tuple(now.values()) == values
    except Exception:  # of two arrays
        return False


def _is_code(name: str, value: Any) -> bool:
    """Whether a name of a module is code or a constant, and no state that the module changes itself."""
    if name in MADE_BY_PYTHON or name in MADE_BY_MINIGRAD:
        return False
    return isinstance(value, CODE) or callable(value) or name.isupper()


def _set(home: Any, name: str, value: Any) -> None:
    if isinstance(home, type):
        type.__setattr__(home, name, value)
    else:
        vars(home)[name] = value


_homes = _Homes()


class Kept:
    """The states before an answer runs.

    torch: the library that the answer uses.
    """

    def __init__(self, torch: Any):
        self.torch = torch
        self.builtins, self.functions = dict(_BUILTINS), [*_BUILTINS.values()]
        self.threads = {*threading.enumerate()}
        self.modules = dict(sys.modules)
        self.values = tuple(self.modules.values())
        self.states = {name: (row, self._read(row)) for name, row in STATES.items()}
        self.changed: list[str] = []  # what had to be restored: keys of STATES, and names of functions in backticks
        self.ran = True  # whether the answer has run since its code was last compared
        self.lost: list[str] = []  # the keys of what could not be restored
        _homes.take()

    def _read(self, row: State) -> Any:
        return row.read(self.torch) if row.of_library else row.read()

    def _put(self, row: State, value: Any) -> None:
        if row.of_library:
            row.put(self.torch, value)
        else:
            row.put(value)

    def put_back(self, after: str = "all") -> None:
        """Restore what differs.

        after: a "call", a "run" of calls, or "all": then also what takes longer to compare and can't change a verdict.
        """
        self.put_builtins()
        for name, (row, before) in self.states.items():
            if row.after not in AFTER[after]:
                continue
            try:
                if self._read(row) != before:
                    self._put(row, before)
                    if name not in UNTOLD:
                        self.changed.append(name)
            except Exception:  # such as a working directory that has been removed
                self.lost.append(name)
        if after != "call" and self.ran:
            self.ran = False
            self._put_modules()
            self.changed += [f"`{name}`" for name in _homes.put_back()]

    def put_builtins(self) -> None:
        """Python's own functions: this uses none of them, because each may be another one now."""
        if [*_BUILTINS.values()] == self.functions:
            return
        for name, value in self.builtins.items():
            if name != "_" and (name not in _BUILTINS or _BUILTINS[name] is not value):
                _BUILTINS[name] = value
                self.changed.append(f"`{name}`")
        for name in [*_BUILTINS]:
            if name != "_" and name not in self.builtins:
                del _BUILTINS[name]

    def _put_modules(self) -> None:
        """A module that was imported stays; one that was removed or replaced comes back."""
        if tuple(map(sys.modules.get, self.modules)) == self.values:
            return
        for name, module in self.modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                self.changed.append(f"`{name}`")

    def goes_on(self) -> list[str]:
        """The names of the threads that the answer has started, and that still run."""
        new = [each for each in threading.enumerate() if each not in self.threads]
        for each in new:
            each.join(0.05)  # one that is about to end
        return [each.name for each in new if each.is_alive() and _readers(each)]


def _readers(thread: threading.Thread) -> bool:
    """Whether a thread runs code of the answer, and not a library's, such as a kernel's for its output."""
    target = getattr(thread, "_target", None) or type(thread).run
    module = getattr(target, "__module__", None) or ""
    return module.partition(".")[0] not in ("ipykernel", "zmq", "tornado", "IPython", "asyncio", "pydevd")
