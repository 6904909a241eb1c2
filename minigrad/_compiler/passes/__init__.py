"""The passes by name, in the order in which they run. Each takes a block, and returns a new one and a count.

All but those in `INEXACT` keep every bit of the results. Read next: rewrite.py, the base of all passes.
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
INEXACT = {"approximate"}  # relative error up to 1e-6
