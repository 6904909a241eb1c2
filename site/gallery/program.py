"""Runs the program of a question, records it, and says what it printed and which line each step belongs to.

A program is unchanged PyTorch code. `import torch` in it imports minigrad here; on request, real PyTorch. `viz.record`
records it. Python's tracing tells which lines ran: the k-th backward pass belongs to the k-th line that called
`backward` or `grad`. A variable that held several tensors gives each of them its name with a number: w₁, w₂.

Imports minigrad and viz, and source.py beside it. Read build.py next.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import re
import sys
import traceback
import warnings
from dataclasses import dataclass, field
from typing import Any

BACKWARD = re.compile(r"\.backward\(|autograd\.grad\(|\bgrad\(")
SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass
class Ran:
    """What a program did."""

    printed: str
    error: Exception | None
    line: int  # of the error; 0 without one
    names: dict[str, Any]  # its variables at the end
    tape: Any = None
    calls: list[int] = field(default_factory=list)  # the lines that called backward, in order
    held: dict[str, Any] = field(default_factory=dict)  # a name for each tensor that a variable held

    @property
    def output(self) -> str:
        """What it printed, and its last words."""
        told = f"{type(self.error).__name__}: {self.error}" if self.error else ""
        return (self.printed + told).rstrip("\n")


def run(code: str, name: str, library: str = "minigrad", extra: tuple[tuple[str, str], ...] = ()) -> Ran:
    """Run a program, and record it if the library is minigrad. extra: more names, as expressions."""
    told = io.StringIO()
    ran = Ran("", None, 0, {"__name__": "__main__"})
    file = f"<{name}>"
    lines = code.splitlines(keepends=True)
    linecache.cache[file] = (len(code), None, lines, file)
    compiled = compile(ours(code) if library == "minigrad" else code, file, "exec")
    held: dict[str, list[Any]] = {}

    def warn(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        print(f"{category.__name__}: {message}", file=told)

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line" and BACKWARD.search(lines[frame.f_lineno - 1]):
            ran.calls.append(frame.f_lineno)
        if frame.f_code.co_name == "<module>":
            note(held, ran.names)
        return trace

    def execute() -> None:
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            exec(compiled, ran.names)
        except Exception as error:
            ran.error = error
            ran.line = next(
                each.lineno or 0
                for each in reversed(traceback.extract_tb(error.__traceback__))
                if each.filename == file
            )
        finally:
            sys.settrace(before)
            note(held, ran.names)

    importlib.import_module(library).manual_seed(0)
    with contextlib.redirect_stdout(told), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = warn
        if library == "minigrad":
            import viz
            from viz.graph.given import pairs_of
            from viz.graph.names import named

            with viz.record(names={}) as ran.tape:
                execute()
                ran.held = numbered(held) | {shown: eval(said, ran.names) for shown, said in extra}
                known = {id(each) for each in ran.held.values()}
                ran.held |= {shown: each for shown, each in named(ran.names) if id(each) not in known}
                ran.tape.names = pairs_of(ran.held)
        else:
            execute()
    ran.printed = told.getvalue()
    return ran


def ours(code: str) -> str:
    """The program with minigrad for torch, line by line the same."""
    code = re.sub(r"^import torch$", "import minigrad as torch", code, flags=re.MULTILINE)
    return re.sub(r"^(import|from) torch\b", r"\1 minigrad", code, flags=re.MULTILINE)


def note(held: dict[str, list[Any]], names: dict[str, Any]) -> None:
    """Add the tensors that variables hold now and did not hold before."""
    for name, thing in names.items():
        if hasattr(thing, "grad_fn") and not isinstance(thing, type):
            tensors = held.setdefault(name, [])
            if not any(thing is each for each in tensors):
                tensors.append(thing)


def numbered(held: dict[str, list[Any]]) -> dict[str, Any]:
    """A name for each tensor: that of its variable, with a number if the variable held several."""
    return {
        name + (str(i).translate(SMALL) if len(tensors) > 1 else ""): each
        for name, tensors in held.items()
        for i, each in enumerate(tensors, 1)
    }


def failures(checks: tuple[str, ...], names: dict[str, Any]) -> list[str]:
    """The checks that are not true."""
    return [check for check in checks if not eval(check, names)]


def claims(code: str, library: str = "minigrad") -> str:
    """Run a program that asserts further claims of an answer; how it failed, or ""."""
    torch = importlib.import_module(library)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, "<claims>", "exec"), {"torch": torch})
    except Exception as error:
        line = next(each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == "<claims>")
        return f"line {line}, {code.splitlines()[(line or 1) - 1].strip()}: {type(error).__name__} {error}"
    return ""


def places(ran: Ran, code: str) -> list[list[int | str]]:
    """For each step of the tape: the line of the program, the first and last character that are computed, its part."""
    from viz.stepper.words import WORDS

    script = ran.tape.script
    begins = WORDS[script.lang]["seed"].partition("{")[0]
    lines, calls, at = code.splitlines(), iter(ran.calls), 0
    found = []
    for event in script.events:
        place: list[int | str] = [0, 0, 0]
        if "code" in event:
            index, start, end = event["code"]
            number = script.code[index].number
            indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
            place = [number, indent + start, indent + end]
        elif event["part"] == "backward":
            at = next(calls, at) if event["words"].startswith(begins) else at
            place = [at, 0, 0]
        elif event["part"] == "end" and ran.line:
            place = [ran.line, 0, 0]
        found.append([*place, event["part"]])
    return found
