"""A lesson, run in this process as a notebook's kernel runs it, with what its cells asked and showed.

    lesson = Lesson(path)
    first = lesson.run_all()          a Ran for each code cell
    again = lesson.again(3)           cell 3 once more, with the names as they were after Run All

So a test can press every button that a reader can press, and ask whether a question still knows its right answer when
the cells below it have made other things of its names. Used by test_lessons_again.py and test_lessons_on_pytorch.py.
"""

from __future__ import annotations

import atexit
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import viz
from viz.explore.drawn import DrawCurve
from viz.explore.panel import Panel
from viz.lesson.ask import Questions
from viz.lesson.exercise import Exercise
from viz.lesson.predict import Prediction
from viz.stepper.step import Step

ASKING = (Prediction, Exercise, Questions, Step, Panel)  # what has to own its data


@dataclass
class Ran:
    """What came of one run of a cell: its error ("RuntimeError: …") or "", what it showed, the predictions it made,
    what it printed, and the warnings that were heard."""

    error: str
    shown: list[Any] = field(default_factory=list)
    predictions: list[Prediction] = field(default_factory=list)
    printed: str = ""
    warned: list[str] = field(default_factory=list)

    @property
    def asking(self) -> list[Any]:
        """The questions, exercises, steppers and explorers among what it showed."""
        return [each for each in self.shown if isinstance(each, ASKING)]

    def facts(self) -> list[Any]:
        """What must be the same when the cell is run again."""
        told: list[Any] = []
        for each in self.asking:
            told.append(repr(each))
            if isinstance(each, Step):
                told.append([event.get("ask") for event in each.events])
        told += [(question.question, right_answer(question)) for question in self.predictions]
        return told


def right_answer(question: Prediction) -> Any:
    """What a prediction takes for right, or the error that it meets in working it out."""
    try:
        return question._right()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def end(shell: InteractiveShell) -> None:
    """What IPython leaves for the end of Python: there, on Python 3.14, its threads wait for each other.

    Until then, it keeps each shell, with everything that its cells have made, and at the end it runs the garbage
    collector for each of them: a quarter of a second every time, in a process with many tests.
    """
    shell.history_manager.end_session()
    if thread := shell.history_manager.save_thread:
        thread.stop()
    atexit.unregister(shell.atexit_operations)
    for name in [name for name in shell.user_ns if not name.startswith("__")]:  # it is the module __main__, which stays
        del shell.user_ns[name]


class Lesson:
    """A notebook whose cells can be run, in any order."""

    def __init__(self, path: Path):
        notebook = nbformat.read(path, as_version=4)
        self.folder = path.parent
        self.cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        self._after: dict[str, Any] = {}

    @contextmanager
    def open(self) -> Iterator[Lesson]:
        """The kernel: while it is open, cells can be run. Nobody has answered anything yet."""
        given, Prediction.given = Prediction.given, {}
        curves, DrawCurve.given = DrawCurve.given, {}
        here = os.getcwd()
        InteractiveShell.clear_instance()
        self._shell = InteractiveShell.instance()
        os.chdir(self.folder)
        try:
            yield self
        finally:
            viz.clinic(False)  # a kernel ends, and with it what its cells turned on
            os.chdir(here)
            end(self._shell)
            InteractiveShell.clear_instance()
            Prediction.given, DrawCurve.given = given, curves

    def run_all(self) -> list[Ran]:
        """Every cell once, from top to bottom."""
        ran = [self.run(number) for number in range(len(self.cells))]
        self._after = dict(self._shell.user_ns)
        return ran

    def again(self, number: int) -> Ran:
        """One cell once more, when every name is what it was after `run_all`."""
        for name in set(self._shell.user_ns) - set(self._after):
            del self._shell.user_ns[name]
        self._shell.user_ns.update(self._after)
        return self.run(number)

    def name(self, name: str) -> Any:
        """What the kernel has under this name."""
        return self._shell.user_ns[name]

    def run(self, number: int) -> Ran:
        """One cell."""
        ran = Ran("")
        formatted, made = self._shell.display_formatter.format, Prediction.__init__

        def format(thing: Any, *arguments: Any, **more: Any) -> Any:
            ran.shown.append(thing)
            return formatted(thing, *arguments, **more)

        def init(question: Prediction, *arguments: Any, **more: Any) -> None:
            made(question, *arguments, **more)
            ran.predictions.append(question)

        with warnings.catch_warnings(record=True) as heard, capture_output() as captured:
            warnings.simplefilter("always")
            self._shell.display_formatter.format = format
            Prediction.__init__ = init
            try:
                result = self._shell.run_cell(self.cells[number])
            finally:
                self._shell.display_formatter.format = formatted
                Prediction.__init__ = made
        ran.printed, ran.warned = captured.stdout, [str(each.message) for each in heard]
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            ran.error = f"{type(error).__name__}: {error}"
        return ran
