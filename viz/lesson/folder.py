"""`viz.exercises("my_folder")`: a teacher's own exercises, each in a Markdown file; exercises/README.md explains them.

    mine = viz.exercises("my_folder")
    mine.check()                        # is each solution right, and does each wrong answer get its own reply?
    q = viz.exercise("cube")            # my_folder/cube.md, as a reader sees it

Imports written.py, trial.py; runs my_folder/judges.py if an exercise names something from it. Read next: written.py.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from ..locale import pick, room
from . import task as tasks
from . import written
from .exercise import Note
from .exercises import held, pages
from .pages import Mistake, other
from .quiet import quiet
from .task import Task, Wrong
from .trial import defined, judge, untouched

_read: dict[Path, list[str]] = {}  # the names of the exercises of each folder


def exercises(folder: str | os.PathLike[str]) -> Exercises:
    """Load the exercises in your own folder; `viz.exercise(name)` shows one of them.

    folder: contains a Markdown file for each exercise, which is named after the file; also judges.py, if an exercise
        needs it. Call the function again after you have changed a file.
    Raises FileNotFoundError if there is no such folder or nothing in it, and ValueError, with file and line, for
    each mistake.
    """
    place = Path(folder)
    files = [file for file in sorted(place.glob("*.md")) if not other(file.name)]
    if not files:
        there = "no Markdown file of an exercise in it" if place.is_dir() else "no such folder"
        raise FileNotFoundError(f"{place.absolute()}: {there}")
    for name in _read.pop(place.resolve(), []):
        tasks.TASKS.pop(name, None)
    names = _read[place.resolve()] = []
    judged, mistakes = _judges(place), []
    for file in files:
        words = room(file.stem, place / "locale") if (place / "locale").is_dir() else None
        try:
            if file.stem in pages():
                raise Mistake(str(file), 1, f"a lesson has an exercise named {file.stem!r} already: rename the file")
            source = file.read_text(encoding="utf-8")
            written.read(source, str(file), file.stem, judged, words)
            names.append(file.stem)
        except UnicodeDecodeError:
            mistakes.append(Mistake(str(file), 1, "this file is not stored as UTF-8"))
        except Mistake as mistake:
            mistakes.append(mistake)
    if len(mistakes) == 1:
        raise mistakes[0]
    if mistakes:
        raise ValueError("\n".join([f"{len(mistakes)} files have a mistake:", *map(str, mistakes)]))
    return Exercises(place, names)


class Exercises:
    """What `exercises` returns: the names of a folder's exercises, and `check()`, which tries them."""

    def __init__(self, folder: Path, names: list[str]):
        self.folder, self.names = folder, names

    def check(self) -> Report:
        """Try each solution and each wrong answer, and check that each gets the reply of its page."""
        lines: list[str] = []
        mistakes: list[str] = []
        for name in self.names:
            task = tasks.TASKS[name]
            found = [*_checked(task, str(self.folder / f"{name}.md"))]
            mistakes += found
            count = f"each of the {len(task.wrong)} wrong answers gets" if task.wrong else "no wrong answer needs"
            lines += [f"✗ {told}" for told in found] or [f"✓ {name}: the solution is right, and {count} its reply."]
        return Report("\n".join(lines), mistakes)

    def __repr__(self) -> str:
        return f"{self.folder}: {', '.join(self.names)}"


class Report(Note):
    """The result of `Exercises.check`, as it is shown; `mistakes` is a list, empty if all is well."""

    mistakes: list[str]

    def __new__(cls, text: str, mistakes: list[str]) -> Report:
        made = super().__new__(cls, text)
        made.mistakes = mistakes
        return made


def _checked(task: Task, file: str) -> Iterator[str]:
    """The mistakes in an exercise whose page could be read."""
    import minigrad as torch

    try:
        if task.kind == "function" and not untouched(task, defined(task, task.gap, torch)):
            yield f"{file}: the cell does not count as untouched: does it define `{task.wants}`, as the solution does?"
        right = tuple(range(len(task.lines))) if task.kind == "order" else defined(task, task.solution, torch)
        verdict = judge(task, right, torch=torch)
        stops = _always_stops(task, torch)
    except Exception as error:  # from the page's own code, when it is defined or when its points are made
        yield f"{file}: it can't be tried: {_told(error)}"
        return
    if not verdict.right or stops:
        told = f"it stops in every call: {stops}" if stops else f"it is not right: {verdict.text}"
        yield f"{file}: the solution can't be used, because {told}"
        return
    for wrong in task.wrong:
        try:
            given = wrong.order if task.kind == "order" else defined(task, wrong.code, torch)
            verdict = judge(task, given, torch=torch, seconds=0.5 if wrong.endless else 5)
        except Exception as error:
            yield f"{wrong.place}: this answer can't be tried: {_told(error)}"
            continue
        if verdict.right:
            yield f"{wrong.place}: this answer passes as right. Add a call in which it gives another result."
        elif verdict.hint != pick(wrong.hint, "en"):
            yield f"{wrong.place}: {_other_reply(task, wrong, verdict.hint)} The reader sees: {verdict.text}"


def _always_stops(task: Task, torch: Any) -> str:
    """The error that the solution raises at every point; "" if it gives a result somewhere."""
    told = ""
    for point in task.points(torch, np.random.default_rng(0)):
        try:
            with quiet():
                task.run(defined(task, task.solution, torch), torch, *point)
            return ""
        except Exception as error:
            told = _told(error)
    return told


def _other_reply(task: Task, wrong: Wrong, hint: str) -> str:
    """Why an answer does not get its own reply."""
    first = next((each for each in task.wrong if pick(each.hint, "en") == hint), None)
    if hint and first is not None:
        line = first.place.rpartition(" ")[2]
        return (
            f"this answer gets the reply of the one in line {line}, because both give the same in every call. Add a "
            f"call that tells them apart, or mark this one with uses="
            '"…" and move it up.'
        )
    if wrong.uses:
        return f'this answer gets no reply: its code uses none of the names in uses="{wrong.uses}".'
    return "this answer gets no reply: it does not give the same each time."


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _judges(folder: Path) -> Callable[[str], Any]:
    """A function that looks a name up in the folder's judges.py. The file is run on the first call."""
    file = folder / "judges.py"

    @cache
    def names() -> dict[str, Any]:
        if not file.exists():
            return {}
        # A module name inside viz, so that an error in a judge is not shown to readers as one in their own line
        spec = spec_from_file_location(f"viz.exercises_in.{folder.name}.judges", file)
        assert spec and spec.loader
        module = module_from_spec(spec)
        sys.modules[module.__name__] = module
        try:
            spec.loader.exec_module(module)
        except SyntaxError as error:
            raise Mistake(str(file), error.lineno or 1, f"Python can't read this: {error.msg}") from None
        except Exception as error:
            lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == str(file)]
            raise Mistake(str(file), (lines or [1])[-1] or 1, f"it stops here: {_told(error)}") from None
        return vars(module)

    return lambda name: held(names(), name)
