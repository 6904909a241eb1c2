"""Run a reader's code for a limited number of seconds: `within(5, function, argument)`.

A second thread watches. When the time is up, it raises `TooLong` in the thread that runs the code: between two steps of
Python, so also in `while True: pass`, in a kernel's main thread and on every system. `TooLong` is no Exception, so
`except Exception` in the reader's code does not catch it; a bare `except:` does, and the next `TooLong` comes 2 ms
later.

Python in a browser has no second thread. There Python itself calls us, at each call of a function and at each jump of a
loop (`sys.monitoring`), and we raise `TooLong` when the time is up. That time is the clock's, and all of it counts.

Elsewhere, three kinds of time do not count: the time of other programs on a busy machine, the import of a library, and
the time that a debugger waits at its prompt. The time in which the code itself waits (`time.sleep`, a lock) counts.

A call of a function written in C ends before TooLong arrives. In the main thread of a POSIX system, inside
`with signals():`, a signal ends some of them earlier: `time.sleep(60)` and a lock by SIGURG, which the watch sends;
`10**10**8` and a regular expression that tries everything by SIGPROF, which a timer sends even while this call keeps
all other threads waiting. Any other call (`np.linalg.svd` of a large matrix) must end by itself; `Allowance.stuck` then
says how long that took.

No exception is pending in the thread afterwards: a `TooLong` that was sent but has not arrived is received here. It is
never cancelled with `PyThreadState_SetAsyncExc(thread, NULL)`: Python 3.11 then assumes for ever that one is pending,
every loop takes twice as long, and the next call that is traced (pdb, coverage, `%prun`) never begins.
Imports debugger.py. Read next: trial.py.
"""

from __future__ import annotations

import ctypes
import math
import signal
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial, reduce
from operator import or_
from types import FrameType
from typing import Any

from minigrad._machine.interrupts import restoring

from .debugger import at_prompt, in_tracer, module_of

LONG = 12  # the limit by the clock, as a multiple of the limit of work: for a busy machine, `time.sleep`
PAUSE, AGAIN = 0.05, 0.002  # seconds: between two looks at the code; between two TooLongs
AGAIN_ALONE = 0.02  # the same in a browser, where Python is slower
AT_ONCE = 0.002  # seconds; less than the 5 ms after which Python switches threads
DEEP = 20  # frames of a tracer's helpers, at most
STILL = 0.25  # seconds without any work, after which the code counts as waiting
STUCK = 1.0  # seconds from the first TooLong to the end, after which a call counts as one that can't be stopped
posix: Any = signal  # its names that not every system has are used only if KICK or TIMER is one
KICK = getattr(signal, "SIGURG", None) if hasattr(signal, "pthread_kill") else None  # ignored where nobody handles it
TIMER = getattr(signal, "ITIMER_PROF", None) if hasattr(signal, "setitimer") else None  # sends SIGPROF
MAIN = threading.main_thread().ident
read_file, monotonic = open, time.monotonic  # the code that is watched may replace those of its modules


class TooLong(BaseException):
    """The time is up."""


class Allowance:
    """How long code may run. Several calls may share one.

    work: seconds of a processor, or of waiting. patience: seconds by the clock; by default, LONG times as many.
    Afterwards, `waited` says how many of the seconds were spent waiting, and `stuck` how many the last call took to end
    after the limit.
    """

    def __init__(self, work: float, patience: float | None = None):
        self.work = work
        self.patience = LONG * work if patience is None else patience
        self.waited = self.stuck = 0.0

    @property
    def used_up(self) -> bool:
        return self.work <= 0 or self.patience <= 0


def within(seconds: float | Allowance, call: Callable[..., Any], *arguments: Any) -> Any:
    """`call(*arguments)`; raises TooLong if that takes more than `seconds`.

    >>> within(1, max, 2, 3)
    3
    """
    watch = _Watch(sys._getframe(), seconds if isinstance(seconds, Allowance) else Allowance(seconds))
    try:
        try:
            if not watch.begin():
                return without_threads(watch.allowance, call, *arguments)
            return watch.call(call, *arguments)
        finally:
            watch.end()
    except BaseException:  # TooLong or Ctrl-C may have come before `end` was called
        watch.end()
        raise


_watching: list[_Watch] = []  # the watches of the main thread, the innermost last


def without_threads(allowance: Allowance, call: Callable[..., Any], *arguments: Any) -> Any:
    """`call(*arguments)`, with a deadline that the same thread watches.

    After the first TooLong there is one every `AGAIN_ALONE` seconds: a bare `except:` may have caught it, and code that
    puts things in order afterwards (the end of a `with`) needs a moment in which none comes. Before Python 3.12, there
    is no deadline.
    """
    start = time.monotonic()
    until = start + min(allowance.work, allowance.patience)

    def look(*_where: object) -> None:
        nonlocal until
        if (now := time.monotonic()) > until:
            until = now + AGAIN_ALONE
            raise TooLong

    with _looking(look):
        try:
            return call(*arguments)
        finally:
            until = math.inf
            took = time.monotonic() - start
            allowance.work, allowance.patience = allowance.work - took, allowance.patience - took


@restoring
def _looking(look: Callable[..., None]) -> Iterator[None]:
    """Meanwhile, Python calls `look` at each start of a function, at each step of a generator, and at each jump."""
    if sys.version_info < (3, 12):
        yield
        return
    python = sys.monitoring
    tool = next((number for number in range(python.OPTIMIZER_ID) if python.get_tool(number) is None), None)
    if tool is None:  # other programs watch this one already, in all ways that there are
        yield
        return
    events = (python.events.PY_START, python.events.PY_RESUME, python.events.JUMP)
    python.use_tool_id(tool, __name__)
    try:
        for event in events:
            python.register_callback(tool, event, look)
        python.set_events(tool, reduce(or_, events))
        yield
    finally:
        python.set_events(tool, python.events.NO_EVENTS)
        for event in events:
            python.register_callback(tool, event, None)
        python.free_tool_id(tool)


class _Watch:
    """Raises TooLong in the code that `frame` has called, when its time is up, and again until that code ends.

    Its thread is a plain one of `_thread`: no tracer follows it (`threading.settrace`), and Ctrl-C while it starts
    leaves nothing in the lists of `threading`.
    """

    def __init__(self, frame: FrameType, allowance: Allowance):
        self.frame: FrameType | None = frame
        self.watched, self.allowance, self.clock = threading.get_ident(), allowance, work_clock()
        self.tracer, self.profiler = sys.gettrace(), sys.getprofile()
        self.begun = self.over = self.ended = self.sent = False
        self.first = 0.0  # when the first TooLong was sent
        self.work, self.ticks = self.allowance.work, 0  # how often SIGPROF has come
        self.gate, self.done = threading.Lock(), threading.Lock()  # released: by `end`, by `run`
        self.gate.acquire()
        self.done.acquire()

    # -- in the watched thread ------------------------------------------------------------------------

    def begin(self) -> bool:
        """Start the watch; False if there are no threads."""
        try:
            start_new_thread(self.run, ())
        except RuntimeError:
            return False
        self.begun = True
        if self.watched == MAIN:
            _watching.append(self)
        return True

    def call(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """TooLong may be sent only while this function is on the stack."""
        return call(*arguments)

    def end(self) -> None:
        """Stop the watch, and receive what it has sent. It may be called twice."""
        interrupted: BaseException | None = None
        while True:  # TooLong or Ctrl-C may arrive at any line; repeat until all of this is done
            try:
                self.over = True
                if self in _watching:
                    _watching.remove(self)
                if self.gate.locked():
                    self.gate.release()
                while self.begun and not self.ended:
                    self.done.acquire(timeout=PAUSE)
                if self.sent:
                    if self.first:
                        self.allowance.stuck, self.first = monotonic() - self.first, 0.0
                    self._receive()
                    self._trace_again()
                    _quiet.discard(self)
                self.frame = None
                break
            except TooLong:
                continue
            except BaseException as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted

    def _receive(self) -> None:
        """Make sure that no TooLong is pending. The last one may have been caught already, so this thread sends
        itself another: it replaces a pending one, and arrives at once."""
        try:
            self._send()
            for _ in range(100):
                pass
        except TooLong:
            pass

    def _trace_again(self) -> None:
        """Set the tracer and the profiler again: Python removes one if an exception arrives in its code."""
        if callable(self.tracer) and sys.gettrace() is None:
            sys.settrace(self.tracer)
        if callable(self.profiler) and sys.getprofile() is None:
            sys.setprofile(self.profiler)

    def _send(self) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), ctypes.py_object(TooLong))

    # -- in the thread that watches -------------------------------------------------------------------

    def run(self) -> None:
        try:
            self._watch()
        finally:
            self.ended = True
            self.done.release()

    def _watch(self) -> None:
        allowance, clock = self.allowance, self.clock
        pause = self._pause()
        worked, now, still = clock(), monotonic(), 0.0
        ending = False
        while not ending:
            ending = self.gate.acquire(timeout=pause) or self.over
            place = "call" if ending else self._place()
            if place == "gone":  # Ctrl-C came between two lines of `within` or `end`
                _quiet.discard(self)
                self.frame = None
                return
            worked_before, worked, before, now = worked, clock(), now, monotonic()
            work, passed = worked - worked_before, now - before
            still = still + passed if place == "call" and not work else 0.0
            if place in ("call", "around"):
                waited = 0.0
                asleep = passed > 2 * STILL  # this whole process, as on a laptop that was closed
                if still > STILL and not asleep and _waits(self.watched):
                    waited = still if still - passed <= STILL else passed
                allowance.waited += waited
                allowance.work -= waited or (work if work < passed else passed)
                allowance.patience -= passed
            pause = self._pause()
            if place == "call" and allowance.used_up and not ending:
                _quiet.add(self)
                self._send_unless_traced()
                if self.first and now - self.first > PAUSE and not work:
                    self._kick()

    def _pause(self) -> float:
        """The seconds until the next look. It calls no built-in function: the code may have replaced `min`."""
        left = self.allowance.work if self.allowance.work < self.allowance.patience else self.allowance.patience
        return AGAIN if left < AGAIN else PAUSE if left > PAUSE else left

    def _send_unless_traced(self) -> None:
        """Send a TooLong that arrives at the watched thread's current place: that thread waits for the interpreter.

        Do not send it inside a tracer's own code, nor if other programs have delayed this thread meanwhile: then
        the watched thread may have gone on already. The next look comes soon.
        """
        start = monotonic()
        if self._kept_from(sys._current_frames().get(self.watched)):
            return
        self.sent = True
        if monotonic() - start < AT_ONCE:
            self.first = self.first or start
            self._send()

    def _kick(self) -> None:
        """End a call that waits, if `signals` has set a handler."""
        if self.watched == MAIN and KICK is not None and signal.getsignal(KICK) is _came:
            posix.pthread_kill(self.watched, KICK)

    @staticmethod
    def _kept_from(frame: FrameType | None) -> bool:
        """Whether no TooLong may arrive in this frame: it belongs to a tracer, or is part of an import."""
        depth = 0
        while frame is not None and frame.f_code is not _Watch.call.__code__:
            if depth < DEEP and in_tracer(frame) or module_of(frame) == "importlib._bootstrap":
                return True
            frame, depth = frame.f_back, depth + 1
        return False

    def _place(self) -> str:
        """Where the watched thread is: in the "call", there in an "import" or at a debugger's "prompt", in the lines
        "around" the call, or "gone" from here."""
        place, inner, ours = "call", None, self.frame
        frame = sys._current_frames().get(self.watched)
        while frame is not None and frame is not ours:
            if at_prompt(frame):
                place = "prompt"
            elif place == "call" and module_of(frame) == "importlib._bootstrap":
                place = "import"
            inner, frame = frame, frame.f_back
        if frame is not None:
            return place if inner is not None and inner.f_code is _Watch.call.__code__ else "around"
        try:
            if ours is not None:
                ours.clear()
        except RuntimeError:  # it is still running: the stack has changed since it was read
            return "around"
        return "gone"


@restoring
def signals() -> Iterator[None]:
    """Inside the block, a signal ends calls of functions written in C, if this is the main thread of a POSIX system.

    It takes SIGPROF only where nobody else uses it. All limits inside the block share the two handlers.
    """
    before: list[tuple[int, Any]] = []
    timed = False
    if KICK is not None and threading.get_ident() == MAIN:
        unused = TIMER is not None and signal.getsignal(posix.SIGPROF) in {signal.SIG_DFL, signal.SIG_IGN}
        timed = unused and not posix.getitimer(TIMER)[0]
        if (handler := signal.getsignal(KICK)) is not None:
            before.append((KICK, handler))
        if timed:  # afterwards ignored: the default is to end the process, and one may still be on its way
            before.append((posix.SIGPROF, signal.SIG_IGN))

    def end() -> None:
        if timed:
            posix.setitimer(TIMER, 0)
        for each in before:
            signal.signal(*each)

    try:
        for number, _ in before:
            signal.signal(number, _came)
        if timed:
            posix.setitimer(TIMER, STILL, STILL)  # seconds of a processor
        yield
    finally:
        try:
            end()
        except BaseException:  # Ctrl-C, or a late TooLong
            end()
            raise


def _came(number: int, frame: FrameType | None) -> None:
    """A signal has come: raise TooLong in the code that is watched, if its time is up."""
    watch = _watching[-1] if _watching else None
    if watch is None or watch.over:
        return
    inside = frame
    while inside is not None and inside.f_code is not _Watch.call.__code__:
        inside = inside.f_back
    watch.ticks += number != KICK
    late = watch.ticks * STILL > watch.work + STUCK  # the watch has had no chance to look
    if inside is not None and (late or watch.allowance.used_up) and not _Watch._kept_from(frame):
        watch.allowance.work = 0.0
        raise TooLong


def _waits(thread: int) -> bool:
    """Whether a thread waits and needs no processor. Only Linux tells; elsewhere it is assumed of a thread whose clock
    stands still."""
    known = next((each.native_id for each in threading.enumerate() if each.ident == thread), None)
    try:
        with read_file(f"/proc/self/task/{known}/stat", "rb", 0) as stat:
            return stat.read(512).rpartition(b")")[2].split()[0] == b"S"
    except OSError:
        return True


def work_clock() -> Callable[[], float]:
    """A clock for the processor time of this thread, or of the whole process if threads have no clock."""
    if sys.platform == "win32" or not hasattr(time, "pthread_getcpuclockid"):  # macOS has none
        return time.process_time
    with suppress(OSError):
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.process_time


class _Quiet:
    """Hides TooLong from `sys.unraisablehook` while one of the watches sends.

    Python drops a TooLong that arrives in one of its own callbacks (a weak reference's, a `__del__`), and reports
    that. The report is useless, because another TooLong follows.
    """

    def __init__(self) -> None:
        self.sending: set[_Watch] = set()
        self.lock = threading.Lock()
        self.before = sys.unraisablehook

    def add(self, watch: _Watch) -> None:
        with self.lock:
            self.sending.add(watch)
            if sys.unraisablehook != self.tell:
                self.before, sys.unraisablehook = sys.unraisablehook, self.tell

    def discard(self, watch: _Watch) -> None:
        with self.lock:
            self.sending.discard(watch)
            if not self.sending and sys.unraisablehook == self.tell:
                self.before, sys.unraisablehook = sys.__unraisablehook__, self.before

    def tell(self, unraisable: Any) -> None:
        if unraisable.exc_type is not TooLong:
            self.before(unraisable)


_quiet = _Quiet()
