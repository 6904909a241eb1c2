"""Ctrl-C at each place in a program where Python would let one in: `interrupts(work)`.

A tracer stands before each instruction of Python. Before the chosen one it lets the signal come in, by something that
dies when the tracer itself is over, so that it is not the tracer that is interrupted. From there on Python does what it
does with any Ctrl-C: it raises KeyboardInterrupt at the next place where it looks for one.
"""

import _thread
import dis
import signal
import sys
import weakref
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = str(Path(__file__).parents[1])
LOOKING = ("RESUME", "JUMP_BACKWARD", "CALL", "PRECALL", "BEFORE_WITH", "LOAD_SPECIAL")  # where Python looks, or begins


@cache
def looking(code: CodeType) -> frozenset[int]:
    """The places of our instructions at which Python looks for a Ctrl-C, or from which it goes to such a place."""
    ours = code.co_filename.startswith((HERE, "<minigrad", "<ipython")) or code.co_filename.endswith("contextlib.py")
    if not ours:
        return frozenset()
    return frozenset(each.offset for each in dis.get_instructions(code) if each.opname.startswith(LOOKING))


class Falling:
    """Dies with the call that holds it."""


def interrupted_at(work: Callable[[], Any], number: int) -> tuple[int, str]:
    """Do the work, with Ctrl-C before such an instruction. How many there were up to then; and the function that it
    came in, "" if the work was over."""
    count, waiting = 0, []

    def tracer(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not looking(frame.f_code):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti in looking(frame.f_code):
            count += 1
            if count == number:
                sys.settrace(None)
                falling = Falling()
                press = map(_thread.interrupt_main, [signal.SIGINT])  # in C: no place to look for it in between
                waiting.append(weakref.ref(falling, partial(next, press)))
        return tracer

    where = ""
    usual = sys.gettrace()
    try:
        sys.settrace(tracer)
        try:
            work()
        finally:
            sys.settrace(None)
    except KeyboardInterrupt as interrupt:
        trace = interrupt.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = "" if trace is None else trace.tb_frame.f_code.co_qualname
    finally:
        sys.settrace(usual)
    return count, where


def interrupts(work: Callable[[], Any], most: int | None = None) -> Iterator[str]:
    """Do the work again and again, with Ctrl-C at another place each time, at all or at `most`; where it came."""
    interrupted_at(work, 0)  # what is done once is done, and Python 3.12 traces instructions from the second time on
    total, _ = interrupted_at(work, 0)
    assert total, "not one instruction was traced"
    step = max(1.0, total / (most or total))
    for i in range(int(total / step)):
        yield interrupted_at(work, 1 + int(i * step))[1]
