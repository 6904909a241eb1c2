"""`viz.exercises("my_folder")`: a teacher's own exercises, each in a Markdown file; exercises/README.md explains them.

    mine = viz.exercises("my_folder")
    mine.check()                        # is each solution right, and does each wrong answer get its own reply?
    q = viz.exercise("cube")            # my_folder/cube.md, as a reader sees it

Imports written.py, questions.py, beliefs.py, trial.py; runs my_folder/judges.py if an exercise names something in it.
Read next: written.py.
"""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from ..locale import pick, room, rooms
from . import questions, written
from . import task as tasks
from .beliefs import has_pieces
from .exercise import Note
from .exercises import QUESTIONS, held, pages
from .pages import Mistake, Mistakes, other, raise_all
from .quiet import quiet
from .task import Task, Wrong
from .trial import defined, judge, readers_line, untouched

IN_PLACE = (
    "If the exercise is to change an argument, set `may_change: yes`, and let `run:` name a function in judges.py that "
    "returns the argument after the call."
)
_read: dict[Path, list[str]] = {}  # the names of the exercises of each folder


def exercises(folder: str | os.PathLike[str]) -> Exercises:
    """Load the exercises in your own folder; `viz.exercise(name)` shows one of them.

    folder: contains a Markdown file for each exercise, which is named after the file; also judges.py, if an exercise
        needs it, and questions.md, if you want `viz.before("my_folder")` and `viz.after("my_folder")`. Call the
        function again after you have changed a file.
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
    questions.FOLDERS.pop(place.resolve().name, None)
    names = _read[place.resolve()] = []
    judged = _judges(place)
    mistakes: list[Mistake] = []
    for file in files:
        locale = place.absolute() / "locale"  # read later, perhaps from another working folder
        words = room(file.stem, locale) if locale.is_dir() else None
        try:
            if file.stem in pages():
                raise Mistake(str(file), 1, f"a lesson has an exercise named {file.stem!r} already: rename the file")
            if file.stem in rooms():
                told = f"translations of viz's own texts are in files named {file.stem}.po: rename the file"
                raise Mistake(str(file), 1, told)
            source = file.read_text(encoding="utf-8")
            if file.stem == QUESTIONS:
                questions.read(source, str(file), place.resolve().name, words)
                continue
            written.read(source, str(file), file.stem, judged, words)
            names.append(file.stem)
        except UnicodeDecodeError:
            mistakes.append(Mistake(str(file), 1, "this file is not stored as UTF-8"))
        except Mistake as mistake:
            mistakes.append(mistake)
        except Mistakes as several:
            mistakes += several.all
    raise_all(mistakes)
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
            count = f"each of the {len(task._wrong)} wrong answers gets" if task._wrong else "no wrong answer needs"
            lines += [f"✗ {told}" for told in found] or [f"✓ {name}: the solution is right, and {count} its reply."]
        if probes := questions.FOLDERS.get(self.folder.resolve().name):
            found = [*_asked(probes, str(self.folder / f"{QUESTIONS}.md"))]
            mistakes += found
            lines += [f"✗ {told}" for told in found] or [f"✓ {QUESTIONS}: each proof gives the right answer."]
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
        right = tuple(range(len(task._lines))) if task.kind == "order" else defined(task, task._solution, torch)
        verdict = judge(task, right, torch=torch, lang="en")  # the language of the page
        stops = [*_stops(task, torch, file)]
    except Exception as error:  # from the page's own code, when it is defined or when its points are made
        yield f"{file}: it can't be tried: {_told(error)}"
        return
    if stops:
        yield from stops
        return
    if not verdict.right:
        more = f" {IN_PLACE}" if verdict.kind == "changed" else ""
        yield f"{file}: the solution can't be used, because it is not right: {verdict.text}{more}"
        return
    for wrong in task._wrong:
        try:
            given = wrong.order if task.kind == "order" else defined(task, wrong.code, torch)
            verdict = judge(task, given, torch=torch, lang="en", seconds=0.5 if wrong.endless else 5)
        except Exception as error:
            yield f"{wrong.place}: this answer can't be tried: {_told(error)}"
            continue
        if verdict.right:
            yield f"{wrong.place}: this answer passes as right. Add a call in which it gives another result."
        elif verdict.hint != pick(wrong.hint, "en"):
            yield f"{wrong.place}: {_other_reply(task, wrong, verdict.hint)} The reader sees: {verdict.text}"


def _stops(task: Task, torch: Any, file: str) -> Iterator[str]:
    """The calls in which the solution itself stops with an error, so that any answer that stops would pass.

    An error that the solution raises in a line of its own, with `raise` or `assert`, is meant.
    """
    calls = getattr(task.points, "calls", None)
    returned = []
    for number, point in enumerate(task.points(torch, np.random.default_rng(0))):
        place, call = file, f"call {number + 1}"
        if calls:
            place, call = f"{file}, line {calls[number][0]}", f"the call `{calls[number][1]}`"
        solution = defined(task, task._solution, torch)
        if told := _miscounted(task, solution, torch, point):
            yield f"{place}: {call} tests nothing: {told}"
            continue
        try:
            with quiet():
                returned.append(task.run(solution, torch, *point))
        except Exception as error:
            line = readers_line(error)
            if line is None or not line[1].startswith(("raise ", "assert ")):
                yield f"{place}: {call} tests nothing, because the solution stops in it: {_told(error)}"
    if returned and all(value is None for value in returned):
        yield f"{file}: the solution returns None in each call, so the calls test nothing. {IN_PLACE}"


def _miscounted(task: Task, solution: Any, torch: Any, point: tuple) -> str:
    """A sentence if a call has too few or too many arguments, else ""."""
    try:
        if task.run is tasks.plain_call:
            inspect.signature(solution).bind(*point)
        else:
            inspect.signature(task.run).bind(solution, torch, *point)
    except ValueError:  # a function written in C has no signature
        return ""
    except TypeError:
        names = tasks.parameters(task.run) or [*inspect.signature(solution).parameters]
        if names == ["h", "upstream"]:
            takes = "a call of an operator has 2, the input `h` and the gradient that arrives, `upstream`"
        else:
            takes = f"it takes {len(names)}" + (f" ({', '.join(f'`{name}`' for name in names)})" if names else "")
        return f"it has {len(point)} {'argument' if len(point) == 1 else 'arguments'}, but {takes}."
    return ""


def _asked(probes: list[questions.Probe], file: str) -> Iterator[str]:
    """The mistakes in a page of questions: a proof whose answer is not the choice that is marked as right."""
    import minigrad as torch

    for probe in probes:
        for when in ("before", "after"):
            ask = getattr(probe, when)
            names: dict[str, Any] = {"torch": torch, "np": np}
            try:
                with quiet():
                    exec(ask.code, names)
                    exec(ask.proof, names)
            except Exception as error:
                yield f"{file}: `{probe.belief}`, {when}: the proof stops: {_told(error)}"
                continue
            if str(names.get("answer")) != ask.right:
                came = f"gives `{names['answer']}`" if "answer" in names else "assigns no `answer`"
                yield f"{file}: `{probe.belief}`, {when}: `{ask.right}` is marked as right, but the proof {came}."


def _other_reply(task: Task, wrong: Wrong, hint: str) -> str:
    """Why an answer does not get its own reply."""
    first = next((each for each in task._wrong if pick(each.hint, "en") == hint), None)
    if hint and first is not None:
        line = first.place.rpartition(" ")[2]
        return (
            f"this answer gets the reply of the one in line {line}, because both give the same in every call. Add a "
            f"call that tells them apart, or mark this one with uses="
            '"…" and move it up.'
        )
    if not has_pieces(wrong, wrong.code):
        return "this answer gets no reply: its own code does not have what its marks with= and without= ask for."
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
