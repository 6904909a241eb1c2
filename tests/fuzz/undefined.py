"""Statements whose result PyTorch itself does not define. A program ends before the first of them, on both sides.

Each kind is found in the program as PyTorch runs it, by a property of the tensors that the statement is given. What
minigrad does there is never looked at. test_fuzz.py sees, with torch, that each reason is true.

- `x.median(d)` of a tensor that `expand` has spread out along d. The kernel walks memory in steps of one unless the
  step along d is larger than one; a step of 0 is not, so it reads what lies behind the number, up to outside the array.
  The result differs from that of `x.contiguous()`, and from process to process.
- `x[1]`, `x[None, 2] = y` of a tensor without axes. The bound for an index is read from its list of sizes, which is
  empty: what is found there is what an operator like `mode` left behind. So the same index of two equal tensors gives
  two different errors. `x[0]` is asked before, and has an error of its own.
- `gelu(x)` of infinite numbers in float32. Several numbers in a row are given to oneDNN, whose vectors make nan of
  them on some processors; in float64, or with gaps between the numbers, PyTorch has inf and -0.

Imports run. Read next: differences.py, which asks where a program ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .run import World, quiet


def median_of_spread_out(library: ModuleType, x: Any, dim: str) -> bool:
    d = int(dim)
    return -x.dim() <= d < x.dim() and x.stride(d) == 0 and x.size(d) > 1


def index_without_axes(library: ModuleType, x: Any, index: str) -> bool:
    places = [i for i in index.split(", ") if re.fullmatch(r"-?\d+", i)]
    return x.dim() == 0 and places not in ([], ["0"])


def gelu_of_infinite(library: ModuleType, x: Any) -> bool:
    return x.dtype is library.float32 and bool(x.detach().isinf().any())


KINDS: dict[str, Callable[..., bool]] = {  # how the statement reads: the tensor, then what the function is given too
    r"\b(v\d+|g\d+)\.median\((-?\d+)\)": median_of_spread_out,
    r"\b(v\d+|g\d+)\[([^\[\]]*)\]": index_without_axes,
    r"\bgelu\((v\d+|g\d+)\)": gelu_of_infinite,
}


def defined(lines: list[str], library: ModuleType) -> int:
    """How many statements come before the first whose result is not defined."""
    asks = [[(kind, found) for kind in KINDS for found in re.finditer(kind, line)] for line in lines]
    last = max((at for at, found in enumerate(asks) if found), default=-1)
    world = World(library)
    with quiet(world):
        for at in range(last + 1):
            for kind, found in asks[at]:
                name, *more = found.groups()
                x = world.space.get(name)
                if isinstance(x, world.tensor) and KINDS[kind](library, x, *more):
                    return at
            if at < last:
                world.run(lines[at])
    return len(lines)
