"""`viz.exercise("relu_backward")`: a task for the reader; the answer is checked when its cell runs.

    q1 = viz.exercise("relu_backward")

    class MyReLU(torch.autograd.Function):
        ...

    q1.check(MyReLU)

The cell ends with the check, so running the cell checks it, in any order of cells. The argument is the object that this
cell has just made, not a name that another cell may change. An untouched cell always prints the same "not tried yet".
`q1.hint()` and `q1.solution()` do what the buttons under the task do.

The text of an exercise, its solution and its hints are on a page in exercises/, in the folder of its lesson. Teachers
who give marks can hide the solutions by setting MINIGRAD_SOLUTIONS=off in the environment.
Imports task.py, trial.py, said.py; anywidget where a panel is shown. Read task.py next.
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import indent
from typing import Any

from ..locale import language, pick
from . import progress
from .exercises import find, pages
from .page import Panelled
from .reading import SHORT
from .said import WORDS, marked
from .still import checked, seen
from .task import TASKS, Task
from .task import solutions_shown as solutions_shown
from .threads import one_thread
from .trial import SECONDS, Verdict, judge, library_in, not_tried

NOTHING: Any = object()
OURS = "<ours: "  # how the file of a solution's code begins that `or_ours` has run


def made_here(given: Any) -> bool:
    """Whether this is our solution, from `or_ours`, where solutions are off: then it is nobody's answer."""
    inside = vars(given).values() if isinstance(given, type) else [given]
    codes = (getattr(getattr(each, "__func__", each), "__code__", None) for each in inside)
    files = [getattr(code, "co_filename", "") for code in codes]
    return not solutions_shown() and any(file.startswith(OURS) for file in files)


def exercise(name: str, *, lang: str | None = None) -> Exercise:
    """The exercise called `name`; pass your answer to its `check`.

    lang: the language of the buttons, and of the texts if they are translated; without it, that of `viz.speak`.
    Raises KeyError for an unknown exercise, ValueError for another language.

    >>> import minigrad as torch
    >>> class MyReLU(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, h):
    ...         ctx.save_for_backward(h)
    ...         return h.clamp(min=0)
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         return (ctx.saved_tensors[0] > 0) * 1.0
    >>> q1 = exercise("relu_backward")
    >>> print(q1.check(MyReLU).verdict.text)
    ✗ At `h = [−2, 3]`, `grad_output = [5, −2]`: expected gradient `[0, −2]`, your code gave `[0, 1]`. Your backward ...
    >>> q1.hint()
    Hint 1 of 3: What is the slope of ReLU at h = 3, and what is its slope at h = −2?
    """
    lang = language(lang)
    one_thread()
    task = TASKS.get(name) or find(name)
    if task is None:
        raise KeyError(f"there is no exercise {name!r}; there are {', '.join(sorted({*TASKS, *pages()}))}")
    return Exercise(task, lang)


class Note(str):
    """A hint or a solution: a notebook shows it without quotes."""

    def __repr__(self) -> str:
        return str(self)


@dataclass
class _Kept:
    """The state of an exercise that stays when its cell runs again."""

    hints: int = 0
    tries: int = 0
    order: tuple[int, ...] = ()  # the rows, counted from 0, that its lines have at first
    restored: bool = False  # whether the progress file was asked for an order


_kept: dict[str, _Kept] = {}


@dataclass
class _Shown:
    """The current content of a panel."""

    verdict: Verdict
    solution: str = ""
    hints: list[str] = field(default_factory=list)


class Exercise(Panelled):
    """What `exercise` returns: `check(answer)`, `hint()`, `solution()`; `verdict` is the last verdict."""

    script = "exercise.js"
    seconds = SECONDS  # that an answer may take

    def __init__(self, task: Task, lang: str):
        self.task, self.lang, self.words = task, lang, WORDS[lang]
        self.kept = _kept.setdefault(task.name, _Kept())
        self.given: Any = NOTHING
        self._library: Any = None
        self._source = ""  # that of the cell which has made a value
        hints = [pick(hint, lang) for hint in task.hints[: self.kept.hints]]
        self._shown = _Shown(Verdict("untried", not_tried(task, lang)), hints=hints)
        if task.kind == "order":
            self._restore()

    def _restore(self) -> None:
        """Show the noted order again, with its verdict: no cell holds it, so after a restart only the file does."""
        facts = progress.known().get("exercises", {}).get(self.task.name, {})
        rows = self._rows(facts.get("order", ""))
        if sorted(rows) != list(range(len(self.task.offered))):  # none, or the page had other lines at that time
            return
        if not self.kept.restored and not self.kept.order:
            self.kept.order, self.kept.tries = rows, max(0, facts.get("tries", 0))
            self.kept.hints = max(0, min(facts.get("hints", 0), len(self.task.hints)))
            self._shown.hints = [pick(hint, self.lang) for hint in self.task.hints[: self.kept.hints]]
        self.kept.restored = True
        if self.kept.order == rows:  # else the reader has moved lines since
            given = tuple(self.task._shown[row] for row in rows)
            self._shown.verdict = judge(self.task, given, torch=self._library, lang=self.lang, seconds=self.seconds)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the last answer."""
        return self._shown.verdict

    def check(self, answer: Any = NOTHING) -> Exercise:
        """Say whether `answer` is right; without an argument, check the last answer again.

        answer: the function, class or value that the task asks for. If lines must be put in
            order, the numbers that their rows have at first: "2 1 3" (letters, "b a c", work, too).
        """
        checked(self.task.name, self)
        if answer is not NOTHING:
            self.given = answer
        caller = sys._getframe(1)
        self._library = library_in(caller.f_globals) or self._library
        if self.task.kind == "value":
            lines = linecache.getlines(caller.f_code.co_filename)
            self._source = "".join(lines) if len(lines) <= SHORT else ""
        self._check()
        if self.task.name.startswith("own_") and not self.verdict.right and self.verdict.kind != "ours":
            from .own.file import keeps  # lesson 13: a cell that runs again takes no later step away

            keeps(self.task, caller.f_globals)
        return self

    def _check(self) -> Exercise:
        given = self.given
        if self.task.kind == "order":
            rows = self.kept.order if given is NOTHING else self._rows(given)
            if rows and sorted(rows) != list(range(len(self.task.offered))):
                numbers = " ".join(self.task.numbers)
                return self._say(Verdict("type", "✗ " + self.words["order"].format(numbers=numbers)))
            self.kept.order = tuple(rows)
            given = tuple(self.task._shown[row] for row in rows)
        elif made_here(given):
            given = NOTHING
        verdict = judge(
            self.task,
            None if given is NOTHING else given,
            torch=self._library,
            lang=self.lang,
            seconds=self.seconds,
            source=self._source,
        )
        if verdict.kind not in ("untried", "ours"):
            self.kept.tries += 1
            facts: dict[str, Any] = {"right": verdict.right, "tries": self.kept.tries, "hints": self.kept.hints}
            if self.task.kind == "order":  # no cell holds this answer: course.py grade reads it here
                facts["order"] = " ".join(str(row + 1) for row in self.kept.order)
            progress.note("exercises", self.task.name, until="right", **facts)  # once right, it stays right
        return self._say(verdict)

    def stopped(self) -> Exercise:
        """Say that an error ended the cell before the check."""
        return self._say(Verdict("untried", self.words["stopped"]))

    def hint(self) -> Note:
        """Return the next hint; after the last one, the last one again."""
        number, every = min(self.kept.hints + 1, len(self.task.hints)), self.task.hints
        self.kept.hints = number
        self._shown.hints = [pick(hint, self.lang) for hint in every[:number]]
        self._refresh()
        return Note(self.words["hint n"].format(n=number, all=len(every), hint=self._shown.hints[-1]))

    def solution(self) -> Note:
        """Return one way to write it."""
        if not solutions_shown():
            return Note(self.words["away"])
        self._shown.solution = self.task._solution.rstrip("\n")
        self._refresh()
        return Note(self._shown.solution)

    def _rows(self, rows: Any) -> tuple[int, ...]:
        """The rows, counted from 0, that lines have at first: "2 1 3", "213", [2, 1, 3] or "b a c"."""
        if isinstance(rows, (list, tuple)):
            rows = " ".join(map(str, rows))
        found = re.findall(r"[a-z]|\d+" if re.search(r"\d\W+\d", rows := str(rows).lower()) else r"[a-z]|\d", rows)
        places = [ord(each) - ord("a") if each.isalpha() else int(each) - 1 for each in found]
        return tuple(place for place in places if 0 <= place < len(self.task.offered))

    def _say(self, verdict: Verdict) -> Exercise:
        self._shown.verdict = verdict
        self._refresh()
        return self

    def or_ours(self) -> Any:
        """The reader's answer, if it is right or could not be judged; else the solution, run in the caller's module. It
        prints which.

        So a lesson can continue with the object that the exercise asks for.
        """
        name = self.task.wants
        if self.verdict.right or self.verdict.kind == "ours":
            print(self.words["kept" if self.verdict.right else "ours kept"].format(name=name))
            return self.given
        names = sys._getframe(1).f_globals
        exec(compile(self.task._solution, f"{OURS}{name}>", "exec"), names)
        print(self.words["ours"].format(name=name))
        return names[name]

    # -- the panel ----------------------------------------------------------------------------------

    @property
    def widget(self) -> Any:
        """The panel, for a notebook. Needs anywidget."""
        seen(self.task.name)
        return super().widget

    def _asked(self, message: dict[str, Any]) -> None:
        """A button of the panel was pressed."""
        if "order" in message:  # the current order of the lines on the panel
            self.kept.order, self.given = tuple(message["order"]), NOTHING
        if message["do"] == "order" and self._shown.verdict.kind != "untried":  # exercise.js shows it
            self._shown.verdict = Verdict("untried", self.words["moved"])
        if message["do"] != "order":
            {"check": self._check, "hint": self.hint, "solution": self._fold}[message["do"]]()

    def _fold(self) -> None:
        if self._shown.solution:
            self._shown.solution = ""
            self._refresh()
        else:
            self.solution()

    def _data(self) -> dict[str, Any]:
        """The part of a panel's content that never changes."""
        lines = [[row, line] for row, line in enumerate(self.task.offered)]
        return {
            "name": self.task.name,
            "task": marked(pick(self.task.task, self.lang)),
            "lines": lines,
            "hints": len(self.task.hints),
            "solutions": solutions_shown(),
            "lang": self.lang,
            "words": self.words,
        }

    def _state(self) -> dict[str, Any]:
        """The part of a panel's content that changes."""
        verdict, shown = self._shown.verdict, self._shown
        return {
            "kind": verdict.kind,
            "text": marked(verdict.text),
            "printed": verdict.printed,
            "pictures": list(verdict.pictures),
            "hints": [marked(hint) for hint in shown.hints],
            "solution": shown.solution,
            "tried": self.kept.tries > 0 or self.kept.hints > 0,
            "order": list(self.kept.order or range(len(self.task.offered))),
        }

    def __repr__(self) -> str:
        lines: Sequence[str] = [
            f"  {row}  {indent(line, ' ' * 5).lstrip()}"
            for row, line in zip(self.task.numbers, self.task.offered, strict=True)
        ]
        head = f"{self.words['label']}: {pick(self.task.task, self.lang)}"
        return "\n".join([head, *lines, self.verdict.text])
