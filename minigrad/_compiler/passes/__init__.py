"""The passes by name, in the order in which they run. Each takes a block and gives a new one, with a count.

All change no bit of any result, except those in `INEXACT`. Read next: rewrite.py, what they are made of.
"""

from collections.abc import Callable

from ..graph import Block
from .common import merge
from .fold import fold
from .memory import free, in_place, reuse
from .prune import prune
from .simplify import approximate, simplify

PASSES: dict[str, Callable[[Block], tuple[Block, int]]] = {
    "fold": fold,
    "merge": merge,
    "simplify": simplify,
    "approximate": approximate,
    "prune": prune,
    "in place": in_place,
    "reuse": reuse,
    "free": free,
}
INEXACT = {"approximate"}  # right to 1e-6 relative
