"""The passes by name, in the order in which they run. Each takes a block and gives a new one, with a count.

Read next: rewrite.py, what they are made of.
"""

from collections.abc import Callable

from ..graph import Block
from .common import merge
from .fold import fold
from .prune import prune

PASSES: dict[str, Callable[[Block], tuple[Block, int]]] = {
    "fold constants": fold,
    "common subexpressions": merge,
    "prune": prune,
}
