"""A random program while it is being written: its lines so far, and what its author believes of their variables.

A program is a list of statements in Python, of one line or of a block. The author keeps each variable's size, type and
whether it wants a gradient, so that most statements fit together; it may be wrong about them (a line raised, a mode was
off), and then the next line asks for an error, which is to be the same everywhere too. Nothing here imports minigrad or
torch, and the only randomness is `random()` of a `random.Random(seed)`, which Python keeps the same for ever.
Read next: vocabulary.py, the statements.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Size = tuple[int, ...]
VERSION = 2  # of the language: a change of the vocabulary makes other programs from the same seeds, and counts on
FLOATS = ("float32", "float64", "float16")
WHOLE = ("int64", "int32", "int16", "int8", "uint8")
RANK = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
SIZES = ((), (1,), (2,), (3,), (4,), (6,), (2, 3), (3, 2), (2, 1), (1, 3), (3, 3), (2, 3, 4), (1, 2, 1), (2, 2, 2))
MODES = ("no_grad()", "no_grad()", "enable_grad()", "set_grad_enabled(False)", "inference_mode()")
EMPTY = ((0,), (2, 0), (0, 3), (1, 0, 2))


@dataclass
class Var:
    """What the author believes of a variable."""

    name: str
    size: Size
    dtype: str
    grad: bool = False  # does it require grad?
    leaf: bool = True

    @property
    def ndim(self) -> int:
        return len(self.size)

    @property
    def numel(self) -> int:
        count = 1
        for n in self.size:
            count *= n
        return count

    @property
    def floats(self) -> bool:
        return self.dtype in FLOATS


class Program:
    """The lines of one program, and the random choices that lead to them."""

    def __init__(self, seed: int):
        self.random = random.Random(f"{VERSION}: {seed}").random
        self.lines: list[str] = []
        self.vars: list[Var] = []
        self.handles: list[str] = []
        self.modules: list[tuple[str, Any]] = []  # name, the size it takes
        self.optimizers: list[str] = []
        self.count = 0

    # -- choices

    def chance(self, p: float) -> bool:
        return self.random() < p

    def int(self, low: int, high: int) -> int:
        """Between low and high, both included."""
        return low + int(self.random() * (high - low + 1))

    def pick(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.random() * len(choices))]

    def weighted(self, choices: Sequence[tuple[Any, float]]) -> Any:
        at = self.random() * sum(weight for _, weight in choices)
        for choice, weight in choices:
            at -= weight
            if at < 0:
                return choice
        return choices[-1][0]

    def size(self) -> Size:
        return self.pick(EMPTY) if self.chance(0.04) else self.pick(SIZES)

    def dtype(self) -> str:
        r = self.random()
        if r < 0.78:
            return "float32" if r < 0.55 else "float64" if r < 0.71 else "float16"
        return "int64" if r < 0.88 else "bool" if r < 0.94 else self.pick(WHOLE)

    def number(self) -> str:
        """A Python number: mostly floats that are exact in every type, some integers, seldom a bool."""
        r = self.random()
        if r < 0.6:
            return self.pick(("0.5", "2.0", "-1.5", "0.25", "-0.5", "3.0", "1.0", "0.0"))
        return self.pick(("2", "1", "-1", "0", "3")) if r < 0.95 else self.pick(("True", "float('inf')", "1e-3"))

    def element(self, dtype: str) -> str:
        if dtype == "bool":
            return self.pick(("True", "False"))
        if dtype in FLOATS:
            return self.pick(("0.5", "1.0", "-1.0", "2.0", "-0.25", "0.75", "1.5", "0.0", "-2.0", "-0.0"))
        return self.pick(("0", "1", "2", "3", "5") if dtype == "uint8" else ("0", "1", "2", "-1", "3", "-2"))

    def literal(self, size: Size, dtype: str) -> str:
        """Nested lists of numbers."""
        if not size:
            return self.element(dtype)
        return "[" + ", ".join(self.literal(size[1:], dtype) for _ in range(size[0])) + "]"

    def tensor_literal(self, size: Size, dtype: str, more: str = "") -> str:
        """A call that makes a tensor of numbers."""
        if 0 in size or Var("", size, dtype).numel > 12:
            text = f"torch.arange({Var('', size, dtype).numel}, dtype=torch.{dtype}{more}).reshape({size})"
            return text if dtype != "bool" else f"(torch.arange({Var('', size, dtype).numel}) % 2 == 0).reshape({size})"
        kind = "" if dtype in ("float32", "int64", "bool") and size != () else f", dtype=torch.{dtype}"
        return f"torch.tensor({self.literal(size, dtype)}{kind}{more})"

    # -- variables

    def var(self, fits: Callable[[Var], bool] | None = None) -> Var | None:
        """One of the variables, a late one more often."""
        found = [v for v in self.vars if fits is None or fits(v)]
        if not found:
            return None
        return found[-1 - int(self.random() ** 1.6 * len(found))]

    def name(self, letter: str = "v") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def let(self, text: str, size: Size, dtype: str, grad: bool = False, leaf: bool = True, letter: str = "v") -> Var:
        """`vN = text`"""
        var = Var(self.name(letter), tuple(size), dtype, grad and dtype in FLOATS, leaf or not grad)
        self.say(f"{var.name} = {text}")
        self.vars.append(var)
        return var

    def say(self, line: str) -> None:
        """One more statement; now and then in another mode."""
        if self.chance(0.05):
            line = f"with torch.{self.pick(MODES)}:\n    " + line.replace("\n", "\n    ")
        self.lines.append(line)


def promote(a: str, b: str) -> str:
    """The type of `a + b`, nearly."""
    if a == b:
        return a
    if {a, b} == {"uint8", "int8"}:
        return "int16"
    return max(a, b, key=RANK.index)


def broadcast(a: Size, b: Size) -> Size | None:
    """The size of `a + b`, if there is one."""
    n = max(len(a), len(b))
    a, b = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
    if any(p != q and 1 not in (p, q) for p, q in zip(a, b, strict=True)):
        return None
    return tuple(q if p == 1 else p for p, q in zip(a, b, strict=True))
