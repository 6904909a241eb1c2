"""Pictures of what minigrad computes: the graph behind a tensor, and training while it runs.

Of your own models and programs:

    viz.draw(y)        the graph behind y                       (graph/, drawing/)
    viz.step(y)        that graph, a step at a time             (stepper/)
    viz.record()       the same, from running code              (stepper/)
    viz.live()         a plot that keeps up with a loop         (training/)
    viz.trainer(...)   that plot, with buttons and sliders      (training/)
    viz.clinic()       the meaning of an error of autograd      (errors/); in IPython also `%load_ext viz`,
                       in tests `pytest --clinic`
    viz.passes(fast)   the graph that jit or a session compiled (explore/)

Ideas that you move by hand: `viz.explore.nudge()` and others; `help(viz.explore)` lists them.

The questions, exercises and helpers of the lessons, all in lesson/:

    viz.exercise(...)  a task with code to write, checked at once
    viz.exercises(...) your own exercises, in a folder
    viz.predict(...)   a guess first, then the answer
    viz.before(...)    questions before a lesson
    viz.after(...)     similar questions, after it
    viz.blind({...})   results with letters in place of names
    viz.rerun(...)     sliders that run code again
    viz.folded(...)    a cell's output, folded until a click
    viz.course()       the map, and your progress
    viz.forget()       delete your progress

All of it speaks English: `viz.speak("zh")` chooses another language, MINIGRAD_LANG in the environment does, too.

It uses public names of minigrad only, and works on real PyTorch's tensors too. Needs the extra `viz`:
pip install "minigrad-course[viz]". Large libraries are imported when a picture is made; `explore`, `trainer` and the
questions of the lessons when one of their names is first used.
"""

from .strangers import check as _check

_check()  # is `minigrad` ours?
# ruff: noqa: E402

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .browser import listen as _listen
from .drawing.draw import draw as draw
from .drawing.picture import Picture as Picture
from .errors.clinic import clinic as clinic
from .errors.notes import show_notes as _show_notes
from .lesson.still import listen as _listen_to_lessons
from .locale import speak as speak
from .stepper.record import record as record
from .stepper.step import step as step
from .training.live import live as live

if _TYPE_CHECKING:
    from . import explore as explore
    from .explore import passes as passes
    from .lesson.ask import after as after
    from .lesson.ask import before as before
    from .lesson.blind import blind as blind
    from .lesson.course import course as course
    from .lesson.exercise import exercise as exercise
    from .lesson.folded import folded as folded
    from .lesson.folder import exercises as exercises
    from .lesson.predict import predict as predict
    from .lesson.progress import forget as forget
    from .lesson.rerun import rerun as rerun
    from .training.trainer import trainer as trainer

_LAZY = {name: f"lesson.{name}" for name in ("blind", "course", "exercise", "folded", "predict", "rerun")}
_LAZY |= {"after": "lesson.ask", "before": "lesson.ask", "exercises": "lesson.folder", "forget": "lesson.progress"}
_LAZY |= {"explore": "", "passes": "explore", "trainer": "training.trainer"}

_show_notes()
_listen()
_listen_to_lessons()


def load_ipython_extension(shell: _Any) -> None:
    """Called by `%load_ext viz`: switches the clinic on for the whole session, on minigrad and PyTorch."""
    print(clinic())


def unload_ipython_extension(shell: _Any) -> None:
    """Called by `%unload_ext viz`: switches the clinic off."""
    clinic.off()


def __getattr__(name: str) -> _Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _import_module(f".{_LAZY[name] or name}", __name__)
    found = globals()[name] = getattr(module, name) if _LAZY[name] else module
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY} - {"load_ipython_extension", "unload_ipython_extension"})  # IPython calls them
