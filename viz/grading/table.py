"""One row for each notebook, as a table that a spreadsheet opens.

    student, lesson, file, exercises, right, first tries, tries, hints, questions, right before, right after, notes
    then a column for each exercise, and two for each question

*right* is this program's own verdict. *first tries*, *tries*, *hints* and the answers to questions come from the
student's progress file, and prove nothing. Read next: __main__.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..lesson.ask import UNKNOWN, chosen
from ..lesson.exercises import asked
from ..lesson.questions import FOLDERS, Ask
from ..lesson.task import Task

FIRST = ["student", "lesson", "file", "exercises", "right", "first tries", "tries", "hints"]
FIRST += ["questions", "right before", "right after", "notes"]


@dataclass
class Row:
    """What the table says of one notebook."""

    student: str
    lesson: int | str | None  # or the folder of own exercises
    file: str
    verdicts: dict[str, str] = field(default_factory=dict)  # by exercise
    facts: dict[str, str | int] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)  # by column
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def right(self) -> int:
        return sum(each == "right" for each in self.verdicts.values())


def add_progress(row: Row, tasks: Iterable[Task], progress: Mapping[str, Any]) -> None:
    """What the student's own machine has noted: tries, hints, and the answers before and after the lesson."""
    exercises, questions = (facts_of(progress, part) for part in ("exercises", "questions"))
    tries = hints = first = 0
    noted = False
    for task in tasks:
        facts = facts_of(exercises, task.name)
        noted = noted or bool(facts)
        tried, hinted = number(facts.get("tries")), number(facts.get("hints"))
        tries, hints = tries + tried, hints + hinted
        first += row.verdicts.get(task.name) == "right" and tried == 1 and not hinted
        if facts.get("right") is True and row.verdicts.get(task.name) in ("wrong", "untried", "unknown", "missing"):
            row.notes.append(f"{task.name}: the progress file says right")
    right: dict[str, int | str] = {"right before": "", "right after": ""}  # 0 would say that all answers are wrong
    probes = FOLDERS.get(row.lesson, []) if isinstance(row.lesson, str) else asked(row.lesson or 0)
    for probe in probes:
        facts = facts_of(questions, f"{row.lesson}: {probe.belief}")
        for when, ask in (("before", probe.before), ("after", probe.after)):
            answer = answered(ask, facts, when)
            if answer:
                right[f"right {when}"] = int(right[f"right {when}"] or 0) + answer.startswith("right")
            row.answers[f"{when}: {probe.belief}"] = answer
    row.facts = {"first tries": first, "tries": tries, "hints": hints} if noted else {}
    row.facts |= {"questions": len(probes), **right}
    if not progress:
        row.notes.append("no progress file")


def answered(ask: Ask, facts: Mapping[str, Any], when: str) -> str:
    """A noted answer in a cell of the table: "right: 8", "wrong: 7", "don't know", or "". After a lesson, the first."""
    choice = facts.get("after first") if when == "after" else None
    if choice not in ask.choices and choice != UNKNOWN:
        choice = chosen(ask, facts, when) or (UNKNOWN if facts.get(when) == UNKNOWN else "")
    if not choice:
        return ""
    return "don't know" if choice == UNKNOWN else f"{'right' if choice == ask.right else 'wrong'}: {choice}"


def facts_of(facts: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = facts.get(name)
    return found if isinstance(found, dict) else {}


def number(value: Any) -> int:
    return value if type(value) is int and 0 <= value < 1_000_000 else 0


def text(rows: list[Row]) -> str:
    """The table as CSV."""
    verdicts = [name for row in rows for name in row.verdicts]
    answers = [name for row in rows for name in row.answers]
    columns = [*FIRST, *dict.fromkeys(verdicts), *dict.fromkeys(answers)]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        facts: dict[str, Any] = {"student": row.student, "file": row.file, "notes": "; ".join(row.notes)}
        facts |= {"lesson": "" if row.lesson is None else row.lesson}
        facts |= {"exercises": len(row.verdicts), "right": row.right} | row.facts | row.verdicts | row.answers
        writer.writerow({name: safe(value) for name, value in facts.items()})
    return out.getvalue()


def safe(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula, in one line."""
    if not isinstance(value, str):
        return value
    value = re.sub(r"\s+", " ", value.encode("utf-8", "replace").decode()).strip()
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value
