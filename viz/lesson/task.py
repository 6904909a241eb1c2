"""How an exercise is declared: its task, the gap, hints, the solution, and typical wrong answers.

A lesson's exercises are Markdown pages in a folder of exercises/. Each page becomes a call of one of these:

    function(…)   the reader writes a function; it is called on points that the cell does not show
        operator(…)   the reader writes an `autograd.Function`; its value and its gradient are checked
    value(…)      the reader computes one value
    order(…)      the reader puts lines in order; every order that works is right

An answer is right if it behaves as the solution does; a wrong answer is recognised if it behaves as a declared wrong
answer does. So a belief is declared as the code that it leads to, and the reader's text is never compared.
A text is a str, or a Text, which is shown in the reader's language.
Imports viz/locale. Read next: written.py, which reads an exercise from its page; trial.py, which runs them.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from textwrap import dedent, indent
from typing import Any

from ..locale import Text, room

tr = room("lesson")
Words = str | Text  # a Text is translated when it is shown
Points = Callable[[Any, Any], Iterable[tuple]]  # (torch, a NumPy random generator) -> the arguments of each trial


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer: the code that a belief leads to, and the hint for it.

    uses: names, one of which the reader's code must also use, if behaviour alone does not identify the belief;
        comparison signs count, too: "< less"; and "with", for code that has such a block.
    has, lacks: pieces of code, as advice.written compares them: the reader's code has one of the first, and none of
        the others.
    anyhow: such a name alone identifies it, whatever the result.
    order: for `order`, the numbers of the lines in the wrong order, in place of code.
    endless: it never ends, and is identified by that.
    place: the file and the line where it is written.
    """

    code: str
    hint: Words
    uses: str = ""
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    anyhow: bool = False
    order: tuple[int, ...] = ()
    endless: bool = False
    place: str = ""


@dataclass(frozen=True, kw_only=True)
class Task:
    """An exercise, as its file declares it. `function`, `operator`, `value` and `order` explain each part."""

    name: str
    task: Words
    gap: str
    _solution: str = field(repr=False)
    hints: Sequence[Words] = field(repr=False)
    _wrong: Sequence[Wrong] = field(repr=False)
    points: Points
    run: Callable[..., Any]
    kind: str
    _setup: str = field(default="", repr=False)
    because: Words = ""
    verify: Callable[..., Words | None] | None = None
    draw: Callable[..., Any] | None = None
    tell: Callable[[Any], Words | None] | None = None
    where: Words = ""
    parts: Mapping[str, Words] = field(default_factory=dict)
    may_change: bool = False
    silent: bool = False
    warns: bool = False
    unmended: Words = ""
    remarks: Mapping[str, Words] = field(default_factory=dict)
    rel: float = 1e-4
    near: float = 1e-6
    _lines: tuple[str, ...] = field(default=(), repr=False)
    _shown: tuple[int, ...] = field(default=(), repr=False)  # the order in which the lines are offered
    frame: str = ""
    lesson: int | None = None  # the number of its lesson

    @property
    def wants(self) -> str:
        """The name in the reader's code that is checked: the last one that the solution defines."""
        names = defines(self._solution)
        if not names:
            raise ValueError(f"the solution of {self.name!r} defines no function, class or name")
        return names[-1]

    @property
    def inputs(self) -> list[str]:
        """The parameters of the function around lines to put in order: the reader sees these names, and no call."""
        found = re.search(r"def \w+\(([\w, ]+)\)", self.frame)
        return found[1].split(", ") if found else []

    @property
    def untried(self) -> str:
        """The key in said.WORDS of the text for an untried exercise; `unmended` replaces that text."""
        if self.kind == "order":
            return "untried order"
        if "..." in self.gap:
            return "untried"
        return "untried silent" if self.silent else "untried warns" if self.warns else "untried fix"

    def _program(self, order: Sequence[int]) -> str:
        """The code that lines in this order make (for `order`)."""
        lines = "\n".join(self._lines[number] for number in order)
        place = next(line for line in self.frame.splitlines() if "{lines}" in line)
        return self.frame.replace(place, indent(lines, place.partition("{")[0]))

    # Names without an underscore are empty where solutions are off, so that no public name shows one

    @property
    def solution(self) -> str:
        """The code of the solution; "" where solutions are off."""
        return self._solution if solutions_shown() else ""

    @property
    def wrong(self) -> Sequence[Wrong]:
        """The typical wrong answers, which differ from the solution by a line; none where solutions are off."""
        return self._wrong if solutions_shown() else ()

    @property
    def setup(self) -> str:
        """The code before the answer, which may contain earlier solutions; "" where solutions are off."""
        return self._setup if solutions_shown() else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines in an order that works; none where solutions are off (for `order`)."""
        return self._lines if solutions_shown() else ()

    @property
    def shown(self) -> tuple[int, ...]:
        """The order in which the lines are offered, as numbers of `lines`; none where solutions are off."""
        return self._shown if solutions_shown() else ()

    def program(self, order: Sequence[int]) -> str:
        """The code that lines in this order make; "" where solutions are off (for `order`)."""
        return self._program(order) if solutions_shown() else ""

    @property
    def offered(self) -> list[str]:
        """The lines as they are offered (for `order`)."""
        return [self._lines[number] for number in self._shown]

    @property
    def numbers(self) -> list[str]:
        """The numbers under which lines are offered (for `order`)."""
        return [str(place) for place in range(1, len(self._shown) + 1)]

    def row(self, order: Sequence[int], line: int) -> str:
        """The row, counted from 1, at this line of `_program(order)`, counted from 1; "" for a line of the frame."""
        end = 1 + next(at for at, text in enumerate(self.frame.splitlines()) if "{lines}" in text)
        if line < end:
            return ""
        for row, number in enumerate(order, 1):
            end += len(self._lines[number].splitlines())
            if line < end:
                return str(row)
        return ""


def solutions_shown() -> bool:
    """Whether readers may see solutions; MINIGRAD_SOLUTIONS=off hides them."""
    return os.environ.get("MINIGRAD_SOLUTIONS", "on").lower() not in ("off", "0", "no", "false")


TASKS: dict[str, Task] = {}  # by name; filled for a lesson when one of its exercises is first used


def _declare(task: Task) -> Task:
    if task.name in TASKS:
        raise ValueError(f"there are two exercises named {task.name!r}")
    TASKS[task.name] = task
    return task


@lru_cache(maxsize=200)
def defines(code: str) -> tuple[str, ...]:
    """The functions, classes and names that a piece of code defines, in order."""
    names: list[str] = []
    for statement in ast.parse(code).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.append(statement.name)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            names.append(statement.targets[0].id)
    return tuple(names)


def _once(torch: Any, random: Any) -> Iterable[tuple]:
    return [()]


def function(
    name: str,
    *,
    gap: str,
    solution: str,
    wrong: Sequence[Wrong],
    run: Callable[..., Any] | None = None,
    **more: Any,
) -> Task:
    """The reader writes a function.

    name: the argument for `viz.exercise`.
    task: what to write, in a sentence or two; text between backticks is set as code.
    gap: the code of the notebook's cell, with `...` where something is missing; or code to fix.
    solution: the code that fills it. It may use `torch`, the library that the reader imported, and `np`.
    points: (torch, random) -> the arguments of each call, simplest first: some fixed, some drawn from the NumPy
        generator `random`. They are made again for every run, so no run sees another's changes.
    hints: first a question to think about, last nearly the solution.
    wrong: the typical wrong answers. Some point must distinguish each from the solution and from the others.
    run: run(given, torch, *arguments) -> the value to compare, if that is not the function's result. The names of its
        parameters are used to describe a point: "At h = …, grad_output = …". A dict names each part of the result.
    where: the description of every point, if its arguments say nothing: "On three pieces of a wave".
    parts: the names of the result's parts in words, if these are not the dict's keys.
    tell: tell(value) -> the text for a wrong value, in place of "expected …, your code gave …", or None for that text.
    setup: code that is run before the solution and the wrong answers; it replaces the lesson's earlier cells.
    because: one sentence, shown with ✓.
    verify: verify(given, torch, random) -> None, or what is wrong; called when all points agree.
    draw: draw(given, torch) -> a picture (`viz.draw(…)`); the reader's is shown beside the solution's.
    may_change: the function may change its arguments.
    silent: the code to fix runs without an error, and does the wrong thing.
    warns: it runs, and does the right thing with a warning.
    unmended: the text for unchanged code to fix, in place of said.WORDS.
    remarks: {a name, as in `Wrong.uses`: one more sentence, shown with ✓ if a right answer uses it}.
    rel, near: the tolerances for numbers.
    """
    return _declare(
        Task(
            name=name,
            gap=_code(gap),
            _solution=_code(solution),
            _wrong=[replace(each, code=_code(each.code)) for each in wrong],
            run=run or plain_call,
            kind=more.pop("kind", "function"),
            _setup=more.pop("setup", ""),
            **more,
        )
    )


def operator(name: str, *, points: Points, run: Callable[..., Any] | None = None, **more: Any) -> Task:
    """The reader writes an `autograd.Function`.

    points: (torch, random) -> (input, upstream) each time: the argument, and the gradient that backward receives.
    check_slope: also run gradcheck at these inputs, in float64; so no point may be at a kink. On by default.
    Everything else is as for `function`; an operator of the reader's choice needs no `wrong` answers.
    """
    check_slope = more.pop("check_slope", True)
    if check_slope and "verify" not in more:
        more["verify"] = lambda given, torch, random: _gradcheck(given, torch, points(torch, random))
    return function(name, points=points, run=run or _apply, **more)


def value(name: str, **more: Any) -> Task:
    """The reader computes one value. `gap` and `solution` assign it to a name: `answer = ...`."""
    return function(name, **{"run": _itself, "points": _once, "kind": "value", **more})


def order(
    name: str,
    *,
    frame: str,
    lines: Sequence[str],
    wrong: Sequence[Wrong],
    run: Callable[..., Any] | None = None,
    shown: Sequence[int] = (),
    **more: Any,
) -> Task:
    """The reader puts lines in order: any order is right that behaves as `lines` in their own order do.

    frame: the code around them, with `{lines}` at the line and indentation where they go; it defines one function.
    lines: in an order that works. One of them may contain several lines of code.
    wrong: `Wrong("", hint, order=(1, 0, 2))`: the numbers of the lines, counted from 0, in the wrong order.
    shown: the order in which they are offered, as numbers; by default shuffled, always in the same way.
    """
    lines = tuple(_code(line).rstrip("\n") for line in lines)
    made = Task(
        name=name,
        gap="",
        _solution="",
        _wrong=wrong,
        run=run or plain_call,
        kind="order",
        _lines=lines,
        _shown=tuple(shown) or _shuffled(name, len(lines)),
        frame=_code(frame),
        _setup=more.pop("setup", ""),
        **more,
    )
    everything = range(len(lines))
    return _declare(
        replace(
            made,
            _solution=made._program(everything),
            _wrong=[replace(each, code=made._program(each.order)) for each in wrong],
        )
    )


def plain_call(given: Any, torch: Any, *arguments: Any) -> Any:
    return given(*arguments)


def _itself(given: Any, torch: Any) -> Any:
    return given


def _apply(given: Any, torch: Any, h: Any, upstream: Any) -> dict[str, Any]:
    h = h.detach().clone().requires_grad_()
    y = applied(given, h)
    y.backward(upstream)
    return {"value": y.detach(), "gradient": h.grad}


def applied(given: Any, *arguments: Any) -> Any:
    """The result of the reader's operator for these arguments; raises TypeError if it is no tensor."""
    made = given.apply(*arguments)
    if not hasattr(made, "detach"):
        raise TypeError(
            f"forward has to return a tensor, but it returned {type(made).__module__}.{type(made).__name__}"
        )
    return made


GRADCHECK = tr(
    "gradcheck nudged the input and measured a slope that differs from the result of your backward function."
)


def _gradcheck(given: Any, torch: Any, points: Iterable[tuple]) -> Words | None:
    for h, *_ in points:
        exact = h.detach().double().requires_grad_()
        if not torch.autograd.gradcheck(given.apply, (exact,), raise_exception=False):
            return GRADCHECK
    return None


def _code(text: str) -> str:
    return dedent(text).strip("\n") + "\n" if text.strip() else ""


def _shuffled(name: str, count: int) -> tuple[int, ...]:
    """An order that is never the solution's, and always the same for this name."""
    from random import Random

    order, random = list(range(count)), Random(name)
    while count > 1 and order == list(range(count)):
        random.shuffle(order)
    return tuple(order)


def parameters(run: Callable[..., Any]) -> list[str]:
    """The names of a point's arguments, as `run` calls them; none if it takes `*arguments`."""
    listed = list(inspect.signature(run).parameters.values())[2:]
    return [] if any(each.kind is each.VAR_POSITIONAL for each in listed) else [each.name for each in listed]
