"""Explorers: each a question that is answered by moving something. Read panel.py first, then whichever you like.

    viz.explore.nudge()        a nudge on its way through the graph
    viz.explore.ledger()       what backward brings to a leaf
    viz.explore.kink(...)      claimed and measured slopes
    viz.explore.scissors()     truncated back-propagation
    viz.explore.unrolled()     a loop's graph, for any T, and how much of the gradient comes back
    viz.explore.memory()       what a graph keeps in memory
    viz.explore.storages()     memory, who shares it, how it changed

and of a static graph, in static/:

    viz.explore.ring(...)      what a session runs for a fetch
    viz.explore.passes(...)    a static graph, or a trace of jit, while it is compiled; also viz.passes
    viz.explore.machine(...)   a loop unrolled, and one standing still
    viz.explore.race(...)      when a static graph has paid off
"""

from .kink import kink as kink
from .ledger import ledger as ledger
from .memory import memory as memory
from .nudge import nudge as nudge
from .scissors import scissors as scissors
from .static.machine import machine as machine
from .static.passes import passes as passes
from .static.race import race as race
from .static.ring import ring as ring
from .storages import storages as storages
from .unrolled import unrolled as unrolled
