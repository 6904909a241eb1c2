"""Pictures of what minigrad computes: the graph behind a tensor, and training while it runs.

    viz.draw(y)       the graph behind y                   (graph/, drawing/)
    viz.step(y)       that graph, a step at a time         (stepper/)
    viz.record()      the same, from running code          (stepper/)
    viz.live()        a plot that keeps up with a loop     (training/)
    viz.clinic()      what an error of autograd means      (errors/)
    viz.trainer(...)  that plot, with buttons and sliders  (training/)
    viz.kink(...)     claimed and measured slopes          (explore/)
    viz.nudge()       a nudge on its way through the graph (explore/)
    viz.scissors()    truncated back-propagation           (explore/)
    viz.unrolled()    a loop's graph, for any T            (explore/)
    viz.memory()      what a graph keeps in memory         (explore/)
    viz.storages()    memory, who shares it, how it changed (explore/)
    viz.ring(...)     what a session runs for a fetch      (explore/)
    viz.passes(...)   a static graph while it is compiled  (explore/)
    viz.machine(...)  a loop unrolled, and one standing    (explore/)
    viz.race(...)     when a static graph has paid off     (explore/)
    viz.exercise(...) something to write, checked at once  (lesson/)
    viz.blind({...})  which is which? letters for names    (lesson/)
    viz.course()      the map, and what you have done      (lesson/)
    viz.before(...)   what you expect of a lesson          (lesson/)
    viz.after(...)    the same in other clothes, after it  (lesson/)

It uses public names of minigrad only, and works on real PyTorch's tensors too. Needs the extra `viz`:
pip install "minigrad[viz]". What is heavy is imported when a picture is made.
"""

from .drawing.draw import draw as draw
from .drawing.picture import Picture as Picture
from .errors.clinic import clinic as clinic
from .explore.kink import kink as kink
from .explore.machine import machine as machine
from .explore.memory import memory as memory
from .explore.nudge import nudge as nudge
from .explore.passes import passes as passes
from .explore.race import race as race
from .explore.ring import ring as ring
from .explore.scissors import scissors as scissors
from .explore.storages import storages as storages
from .explore.unrolled import unrolled as unrolled
from .lesson.ask import after as after
from .lesson.ask import before as before
from .lesson.blind import blind as blind
from .lesson.course import course as course
from .lesson.exercise import exercise as exercise
from .lesson.folded import folded as folded
from .lesson.predict import predict as predict
from .lesson.progress import forget as forget
from .lesson.rerun import rerun as rerun
from .stepper.record import record as record
from .stepper.step import step as step
from .training.live import live as live
from .training.trainer import trainer as trainer
