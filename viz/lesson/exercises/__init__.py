"""The lessons' exercises and questions: a folder for each lesson.

    lesson07/leaky_relu.md    an exercise: its page; the name of the file is the name of the exercise
    lesson07/questions.md     the questions before and after the lesson
        lesson07/judges.py        what a page can't contain: points to try, ways of running, checks

README.md explains how to write such a page. A page is read on the first use of its exercise. For each exercise, a test
proves that its solution passes and that each wrong answer gets its own reply: tests/test_lesson_exercises.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any

from ...locale import room
from .. import questions, written
from .. import task as tasks

HERE = Path(__file__).parent
README = HERE / "README.md"
QUESTIONS = "questions"
_reading = RLock()  # two threads may ask for the same exercise


@cache
def pages() -> Mapping[str, Path]:
    """The file of each exercise, by the exercise's name. This opens no file."""
    return {file.stem: file for file in sorted(HERE.glob("lesson*/*.md")) if file.stem != QUESTIONS}


def lesson_of(file: Path) -> int:
    """The number of the lesson that a file belongs to."""
    return int(file.parent.name.removeprefix("lesson"))


def find(name: str) -> tasks.Task | None:
    """The exercise of this name, read from its page on first use; None if no lesson has it."""
    with _reading:
        if name not in tasks.TASKS and name in pages():
            file = pages()[name]
            folder = file.parent.name
            source, shown = file.read_text(encoding="utf-8"), f"{folder}/{file.name}"
            written.read(source, shown, name, judges(folder), room(folder), lesson=lesson_of(file))
        return tasks.TASKS.get(name)


def asked(lesson: int) -> list[questions.Probe]:
    """The questions of a lesson, read from their page on first use; an empty list if it has none."""
    with _reading:
        if lesson not in questions.PROBES:
            folder = f"lesson{lesson:02}"
            file = HERE / folder / f"{QUESTIONS}.md"
            if file.is_file():
                questions.read(file.read_text(encoding="utf-8"), f"{folder}/{file.name}", lesson, room(folder))
        return questions.PROBES.get(lesson, [])


def asking() -> list[int]:
    """The lessons that have questions."""
    return sorted({*questions.PROBES, *(lesson_of(file) for file in HERE.glob(f"lesson*/{QUESTIONS}.md"))})


def load() -> None:
    """Read every page, so that all exercises are in `TASKS` and all questions in `PROBES`."""
    for name in pages():
        find(name)
    for lesson in asking():
        asked(lesson)


def judges(folder: str) -> Callable[[str], Any]:
    """A function that looks a name up in a lesson's judges.py. The module is imported on the first call."""

    def judge(name: str) -> Any:
        return held(vars(import_module(f"{__name__}.{folder}.judges")), name)

    return judge


def held(names: Mapping[str, Any], name: str) -> Any:
    """The object with this name in a judges.py; raises KeyError, with all the names, if there is none."""
    if name.startswith("__") or name not in names:
        raise KeyError([each for each in names if not each.startswith("__")])
    return names[name]
