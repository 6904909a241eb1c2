"""Pictures of what minigrad computes: the graph behind a tensor, and training while it runs.

Of your own models and programs:

    viz.draw(y)        the graph behind y                       (graph/, drawing/)
    viz.step(y)        that graph, a step at a time             (stepper/)
    viz.record()       the same, from running code              (stepper/)
    viz.live()         a plot that keeps up with a loop         (training/)
    viz.trainer(...)   that plot, with buttons and sliders      (training/)
    viz.clinic()       what an error of autograd means          (errors/)
    viz.passes(fast)   what jit, or a session, has compiled     (explore/)

Ideas to be moved by hand: `viz.explore.nudge()` and eleven others; explore/ lists them.

What the lessons ask and show, all in lesson/:

    viz.exercise(...)  something to write, checked at once
    viz.exercises(...) exercises of your own, in a folder
    viz.predict(...)   a guess first, then the answer
    viz.before(...)    what you expect of a lesson
    viz.after(...)     similar questions, after it
    viz.blind({...})   results with letters in place of names
    viz.rerun(...)     sliders that run code again
    viz.folded(...)    what a cell shows, one click away
    viz.course()       the map, and what you have done
    viz.forget()       delete what you have done

All of it speaks English: `viz.speak("zh")` chooses another language, MINIGRAD_LANG in the environment does, too.

It uses public names of minigrad only, and works on real PyTorch's tensors too. Needs the extra `viz`:
pip install "minigrad-course[viz]". What is heavy is imported when a picture is made.
"""

from . import explore as explore
from .drawing.draw import draw as draw
from .drawing.picture import Picture as Picture
from .errors.clinic import clinic as clinic
from .errors.notes import show_notes as _show_notes
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
from .locale import speak as speak
from .stepper.record import record as record
from .stepper.step import step as step
from .training.live import live as live
from .training.trainer import trainer as trainer

_show_notes()
