"""Right or not: the values that a notebook's answers gave are compared with the solution's, in this process.

    points = Points()                    what each exercise is tried with in this run: a seed, drawn once
    verdict(task, attempts, points)      "right", or why not

Imports viz.lesson; values.py. Read next: table.py.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from typing import Any

import minigrad

from ..lesson.exercise import Exercise
from ..lesson.task import Task
from ..lesson.trial import LONG, SECONDS, Outcome, _Judging, defined
from .values import decoded

ORDER = ["right", "wrong", "loop", "raised", "ours", "untried"]  # of several attempts, the first of these counts


class Points:
    """The points of this run: what draws them, what the solution gives there, and how long an answer may take."""

    def __init__(self) -> None:
        self._judging: dict[str, tuple[_Judging, list[Outcome]]] = {}
        self.allowed: dict[str, float] = {}

    def seeds(self, tasks: Iterable[Task]) -> dict[str, int]:
        return {task.name: self.of(task)[0].seed for task in tasks}

    def of(self, task: Task) -> tuple[_Judging, list[Outcome]]:
        """The judge of an exercise, and the outcomes of its solution. They are made on first use."""
        if task.name not in self._judging:
            judging = _Judging(task, minigrad, "en", LONG * SECONDS)
            judging.seed = secrets.randbits(32)
            start = time.process_time()
            wanted = judging.run(defined(task, task._solution, minigrad))
            self.allowed[task.name] = max(SECONDS, LONG * (time.process_time() - start))
            self._judging[task.name] = judging, wanted
        return self._judging[task.name]


def verdict(task: Task, attempts: Iterable[Mapping[str, Any]], points: Points) -> str:
    """The best verdict of several attempts: "right", "wrong", "loop", "raised", "ours", "untried".

    "ours" is the course's own solution.
    """
    found = {_one(task, each, points) for each in attempts}
    return next((each for each in ORDER if each in found), "untried")


def _one(task: Task, attempt: Mapping[str, Any], points: Points) -> str:
    if attempt.get("untried") is True:
        return "untried"
    if attempt.get("ours") is True:
        return "ours"
    if task.kind == "order":
        return ordered(task, str(attempt.get("rows", "")))
    judging, wanted = points.of(task)
    outcomes = attempt.get("outcomes")
    if not isinstance(outcomes, list) or not outcomes or len(outcomes) > len(wanted):
        return "wrong"
    for right, told, fresh in zip(wanted, outcomes, judging.points(), strict=False):
        try:
            error = told["error"]
            value = decoded(told["value"]) if not error else None
            arguments = decoded(told["arguments"]) if not error and not task.may_change else ()
        except (ValueError, KeyError, TypeError, RecursionError):
            return "wrong"
        if error:
            return "loop" if error == "TooLong" else "raised"
        if judging.problem(None, 0, right, Outcome(fresh, value)):
            return "wrong"
        if not task.may_change and _changed(judging, arguments, fresh):
            return "wrong"
    if len(outcomes) < len(wanted) or attempt.get("verified"):
        return "wrong"
    return "right"


def _changed(judging: _Judging, arguments: Any, fresh: tuple[Any, ...]) -> bool:
    """Whether the answer has changed an argument, which belongs to the caller."""
    if not isinstance(arguments, tuple) or len(arguments) != len(fresh):
        return True
    return bool(judging.changed(arguments, fresh))


def ordered(task: Task, rows: str) -> str:
    """The verdict on lines in this order, "2 1 3". No code of a notebook has a part in it."""
    question = Exercise(task, "en")
    found = question._rows(rows)
    if sorted(found) != list(range(len(task.offered))):
        return "wrong" if rows.strip() else "untried"
    judging, wanted = _Judging(task, minigrad, "en", SECONDS), None
    judging.seed = secrets.randbits(32)
    judging.order = tuple(task._shown[row] for row in found)
    wanted = judging.run(defined(task, task._solution, minigrad))
    given = defined(task, task._program(judging.order), minigrad)
    came = judging.run(given)
    pairs = enumerate(zip(wanted, came, strict=False))
    bad = len(came) != len(wanted) or any(judging.problem(given, at, *pair) for at, pair in pairs)
    return "wrong" if bad else "right"
