"""How far rounding alone can move a program's numbers: found out by moving them.

Two libraries may round differently: by the order of additions, by another exp. So PyTorch runs the program again: once
in float64, which shows its own error; and eight times with each new number that was rounded moved up or down by one
unit in the last place, at random. (A number was rounded if the float64 run has another one there.) The largest distance
from PyTorch's result in these runs is what rounding does, and no less than one unit in the last place of the largest
number: of the result, of the terms that were added up to it, or of what it was before a change in place. minigrad may
lie four times as far away. A sum in the wrong type, a wrong derivative or a wrong branch lies farther off. Numbers in
float64 are not moved: for these, the fixed tolerance of differences.py counts.
Imports run. Read next: explained.py.
"""

from __future__ import annotations

import contextlib
import random
import re
from types import ModuleType
from typing import Any

import numpy as np

from .run import VARIABLE, World, outcome

RUNS = 8
TIMES = 4
MADE = re.compile(r"(?m)^ *\w+ = \(?torch\.(tensor|full|arange|zeros|ones|eye)\((?!.*[-+*/%@] [vg]\d)")
Arrays = dict[str, np.ndarray[Any, Any]]


def in_double(line: str) -> str:
    """The statement with float64 in place of the narrower types."""
    return re.sub(r"\.(float|half)\(\)", ".double()", re.sub(r"float(16|32)", "float64", line))


class Moved(World):
    """A world in which numbers move by one unit in the last place, once they are new or changed, if they were rounded.

    `exact` are the arrays of the same program in float64, after each statement.
    """

    def __init__(self, library: ModuleType, exact: list[Arrays], seed: int):
        super().__init__(library)
        self.exact, self.done = exact, 0
        self.before: dict[str, Any] = {}  # each tensor's memory, and its numbers after the last statement
        self.up = random.Random(seed)

    def run(self, line: str) -> tuple[str, str] | None:
        error = super().run(line)
        exact = self.exact[self.done] if self.done < len(self.exact) else {}
        self.done += 1
        now, moved = self.memory(), []
        for name, array in now.items():
            wanted = exact.get(name)
            if wanted is None or wanted.shape != array.shape or MADE.search(line) or not array.flags.writeable:
                continue
            if not any(np.may_share_memory(array, other) for other in moved):
                self.move(array, wanted, self.changed(name, array))
                moved.append(array)
        self.before = {name: (array, array.copy()) for name, array in now.items()}
        return error

    def memory(self) -> Arrays:
        """The memory of all variables and of their gradients."""
        found = {}
        for name, thing in list(self.space.items()):
            if VARIABLE.fullmatch(name) and isinstance(thing, self.tensor):
                with contextlib.suppress(RuntimeError):  # a view that can't be followed may not be asked
                    found[name] = thing.detach().numpy()
                    if thing.is_leaf and thing.grad is not None:
                        found[name + ".grad"] = thing.grad.detach().numpy()
        return {name: array for name, array in found.items() if array.dtype in ("float16", "float32")}

    def changed(self, name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        memory, numbers = self.before.get(name, (None, None))
        if memory is None or memory.shape != array.shape or memory.ctypes.data != array.ctypes.data:
            return np.ones(array.shape, bool)
        return np.asarray(array != numbers)

    def move(self, array: np.ndarray[Any, Any], exact: np.ndarray[Any, Any], changed: np.ndarray[Any, Any]) -> None:
        rounded = changed & (array != exact) & np.isfinite(array)
        ways = np.array([self.up.choice((-np.inf, np.inf)) for _ in range(array.size)]).reshape(array.shape)
        array[rounded] = np.nextafter(array, ways.astype(array.dtype))[rounded]


def exact_runs(lines: list[str], library: ModuleType) -> list[Arrays]:
    """The arrays after each statement, with everything in float64."""
    library.set_default_dtype(library.float64)
    try:
        return [sight.arrays for sight in outcome([in_double(line) for line in lines], library, look=True)]
    finally:
        library.set_default_dtype(library.float32)


class Rounding:
    """What rounding allows in one program. The runs are made when first asked for."""

    def __init__(self, lines: list[str], library: ModuleType):
        self.lines, self.library = lines, library
        self.runs: list[list[Arrays]] = []
        self.allowed: set[tuple[bytes, bytes]] = set()  # pairs that a statement led to: later ones see them again

    def allows(self, at: int, name: str, here: np.ndarray[Any, Any], there: np.ndarray[Any, Any]) -> bool:
        """May these differ so, after the statement at this place?"""
        if here.dtype != there.dtype or here.shape != there.shape or here.dtype.kind != "f":
            return False
        pair = here.tobytes(), there.tobytes()
        if pair not in self.allowed and self.near(at, name, here, there):
            self.allowed.add(pair)
        return pair in self.allowed

    def near(self, at: int, name: str, here: np.ndarray[Any, Any], there: np.ndarray[Any, Any]) -> bool:
        finite = np.isfinite(there)
        if not np.array_equal(here[~finite], there[~finite], equal_nan=True) or not np.isfinite(here[finite]).all():
            return False
        kind = "float32" if name.startswith("printed") else there.dtype
        with np.errstate(all="ignore"):
            distance = largest((here.astype("float64") - there)[finite])
            away = float(np.finfo(kind).eps) * largest(there[finite].astype("float64"))
            if distance <= TIMES * away:
                return True
            away = max(away, float(np.finfo(kind).eps) * self.terms(at, name, there.size))
            for arrays in self.others():
                other = arrays[at].get(name) if at < len(arrays) else None
                if other is not None and other.shape == there.shape:
                    away = max(away, largest((other.astype("float64") - there)[finite]))
            return distance <= TIMES * away

    def terms(self, at: int, name: str, size: int) -> float:
        """The largest number of what the statement added up or changed in place: a sum rounds as its terms do, and they
        may cancel."""
        before = self.others()[0][at - 1] if 0 < at <= len(self.others()[0]) else {}
        operands = [before[each] for each in VARIABLE.findall(self.lines[at]) if each in before]
        terms = [x for x in operands if x.dtype.kind == "f" and x.size > size] + [before.get(name, np.zeros(1))]
        return max(map(largest, terms))

    def others(self) -> list[list[Arrays]]:
        """The program in float64, from which PyTorch's own error is seen, and with numbers moved."""
        if not self.runs:
            exact = exact_runs(self.lines, self.library)
            self.runs = [exact]
            for world in (Moved(self.library, exact, seed) for seed in range(RUNS)):
                sights = outcome(self.lines, self.library, look=True, world=world)
                self.runs.append([sight.arrays for sight in sights])
        return self.runs


def largest(numbers: np.ndarray[Any, Any]) -> float:
    return float(np.abs(numbers).max(initial=0, where=np.isfinite(numbers)))
