"""Explorers: each answers a question when the reader moves something. Read panel.py first, then any of the others.

        viz.explore.rectangle()    (w + x)(w + 1) as an area: what a small change of w adds to it
        viz.explore.nudge()        how a small change of w reaches y through the graph
        viz.explore.ledger()       the gradients that backward adds to a leaf
        viz.explore.descent()      a ball that goes downhill at the reader's own learning rate
        viz.explore.slots()        which tensors have a gradient after backward, and which have None
        viz.explore.kink(...)      derivatives at a kink: claimed by backward, and measured
        viz.explore.row_and_column()   the numbers that make one entry of a layer's gradient
        viz.explore.draw_curve(...)    a loss curve that the reader draws before the loops run
        viz.explore.scissors()     truncated back-propagation
        viz.explore.unrolled()     a loop's graph for any T, and the size of the gradient at each state
        viz.explore.memory()       the memory that a graph keeps
        viz.explore.shelf()        a change in place, line by line, and whether backward notices it
        viz.explore.storages(...)  storages, the tensors that share them, and their changes

and of a static graph, in static/:

        viz.explore.ring(...)      the operations that a session runs for a fetch
        viz.explore.passes(...)    a static graph, or a trace of jit, during compilation; also viz.passes
        viz.explore.machine(...)   a loop unrolled, and a loop inside a static graph
        viz.explore.race(...)      the number of runs after which a static graph has paid off
"""

from .descent import descent as descent
from .drawn import draw_curve as draw_curve
from .kink import kink as kink
from .ledger import ledger as ledger
from .memory import memory as memory
from .nudge import nudge as nudge
from .rectangle import rectangle as rectangle
from .row_and_column import row_and_column as row_and_column
from .scissors import scissors as scissors
from .shelf import shelf as shelf
from .slots import slots as slots
from .static.machine import machine as machine
from .static.passes import passes as passes
from .static.race import race as race
from .static.ring import ring as ring
from .storages import storages as storages
from .unrolled import unrolled as unrolled
