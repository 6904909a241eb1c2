"""A second autograd, so simple that it can be believed: what random programs are held to (test_random_programs.py).

Every single number has a Cell: which cells it was made of, and with what slope. A tensor is two NumPy arrays of one
shape, numbers and cells. A view is NumPy's own view of both; `detach` shares the numbers and has new cells. So nothing
here knows of operators' nodes, of views' histories, of versions that were saved: only the chain rule is left.
"""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np

UNARY = {  # name: (value, slope given x and the result)
    "sin": (np.sin, lambda x, y: np.cos(x)),
    "tanh": (np.tanh, lambda x, y: 1 - y * y),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda x, y: y * (1 - y)),
    "square": (np.square, lambda x, y: 2 * x),
    "neg": (np.negative, lambda x, y: -1.0 + 0 * x),
}
BINARY = {  # name: (value, slopes given both)
    "add": (np.add, lambda a, b: (1.0, 1.0)),
    "sub": (np.subtract, lambda a, b: (1.0, -1.0)),
    "mul": (np.multiply, lambda a, b: (b, a)),
    "div": (np.divide, lambda a, b: (1 / b, -a / b**2)),
}
VIEWS = {  # name: the same on an array and, through `[…]` or a method of the same name, on a tensor
    "select": lambda x, i: x[i % len(x), ...],
    "slice": lambda x, i: x[i % len(x) :],
    "stride": lambda x, i: x[i % len(x) :: 2],
    "flatten": lambda x, i: x.reshape(-1),
    "transpose": lambda x, i: x.swapaxes(0, x.ndim - 1),
    "unsqueeze": lambda x, i: np.expand_dims(x, i % (x.ndim + 1)),
    "expand": lambda x, i: np.lib.stride_tricks.as_strided(x, (2, *x.shape), (0, *x.strides)),  # can be written to
}


class Cell:
    """One number's past: [(cell it was made of, slope)]. Later cells have higher numbers."""

    numbers = count()

    def __init__(self, *parents: tuple[Cell, float]):
        self.number, self.parents = next(Cell.numbers), parents


def fresh(shape: Any) -> np.ndarray:
    """A new cell for every place."""
    cells = np.empty(shape, dtype=object)
    for place in np.ndindex(cells.shape):
        cells[place] = Cell()
    return cells


class Naive:
    """A tensor. `memory` is shared with views and detached ones, `history` with views alone."""

    def __init__(self, values: Any, cells: Any = None, memory: Any = None, history: Any = None, view: bool = False):
        self.values = np.asarray(values, dtype="float64")
        self.cells = fresh(self.values.shape) if cells is None else cells
        self.memory = memory or SimpleNamespace(version=0)
        self.history = history or SimpleNamespace(requires_grad=False, made=False)
        self.view = view
        self.born = self.memory.version
        self.retains, self.grad = False, None
        self.earlier: list[Any] = []  # cells of a past that was cut off, whose gradients it had asked to keep
        self.quiet = False  # a view that requires grad through its base alone: no gradient comes to it

    @property
    def is_leaf(self) -> bool:
        return not self.history.requires_grad or not (self.history.made or self.view)

    def look(self, change: Any) -> Naive:
        """A view: the same change to the numbers and to the cells."""
        return Naive(change(self.values), change(self.cells), self.memory, self.history, view=True)

    def detach(self) -> Naive:
        return Naive(self.values, memory=self.memory)

    def look_quietly(self, change: Any) -> Naive:
        """A view made under no_grad: it requires grad if its base does, and has a past of its own, which is none."""
        out = Naive(change(self.values), memory=self.memory)
        out.history.requires_grad = out.quiet = self.history.requires_grad
        return out

    def forget(self, requires_grad: bool) -> None:
        """From now on a leaf; what was made of it before leads to cells that are no longer its own. Who retains keeps
        what arrives at those all the same."""
        if self.retains:
            self.earlier.append(self.cells)
        self.cells, self.history = fresh(self.values.shape), SimpleNamespace(requires_grad=requires_grad, made=False)

    def must_not_change(self) -> bool:
        """Is it a leaf that requires grad, or a view of one?"""
        return self.history.requires_grad and not self.history.made

    def overwrite(self, made: Naive, recording: bool) -> None:
        """What every in-place operator does with its result."""
        self.values[...] = made.values
        self.memory.version += 1
        if recording and (made.history.requires_grad or self.history.requires_grad):
            for place, cell in np.ndenumerate(np.broadcast_to(made.cells, self.cells.shape)):
                self.cells[place] = Cell((cell, 1.0))  # a new one, whose slope is that of later uses alone
            self.history.requires_grad = self.history.made = True

    def backward(self, tensors: list[Naive], weight: float) -> None:
        """Add weight · d(sum of self, each number once more than the one before)/dx to the grad of every leaf, and
        of who retains it, among `tensors`."""
        slopes: dict[Cell, float] = {}
        for place, cell in enumerate(self.cells.flat):
            slopes[cell] = slopes.get(cell, 0.0) + weight * (place + 1)
        waiting = dict(slopes)
        while waiting:
            cell = max(waiting, key=lambda c: c.number)
            slope = waiting.pop(cell)
            for parent, factor in cell.parents:
                waiting[parent] = waiting.get(parent, 0.0) + slope * factor
                slopes[parent] = slopes.get(parent, 0.0) + slope * factor
        for x in tensors:
            if (
                x.history.requires_grad
                and not x.quiet
                and (x.is_leaf or x.retains)
                and any(c in slopes for c in x.cells.flat)
            ):
                x.receive(x.cells, slopes)
            for cells in x.earlier:
                if any(c in slopes for c in cells.flat):
                    x.receive(cells, slopes)

    def receive(self, cells: Any, slopes: dict[Cell, float]) -> None:
        """Add what has arrived at these cells to `grad`."""
        grad = np.reshape([slopes.get(c, 0.0) for c in cells.flat], cells.shape)
        self.grad = grad if self.grad is None else self.grad + grad


def result(values: Any, recording: bool, *parts: tuple[Naive, Any, Any]) -> Naive:
    """A new tensor of these values; each part is (made of, its cells spread out to the values' shape, its slopes)."""
    values = np.asarray(values, dtype="float64")
    parts = tuple(part for part in parts if part[0].history.requires_grad)
    if not (recording and parts):
        return Naive(values)
    cells = np.empty(values.shape, dtype=object)
    for place in np.ndindex(values.shape):
        cells[place] = Cell(*((c[place], s[place]) for _, c, s in parts))
    return Naive(values, cells, history=SimpleNamespace(requires_grad=True, made=True))


def unary(name: str, x: Naive, recording: bool) -> Naive:
    value, slope = UNARY[name]
    y = value(x.values)
    return result(y, recording, (x, x.cells, slope(x.values, y)))


def binary(name: str, a: Naive, b: Naive, recording: bool) -> Naive:
    value, slopes = BINARY[name]
    with np.errstate(all="ignore"):
        y = np.asarray(value(a.values, b.values))
        both = slopes(a.values, b.values)
    parts = [(t, *(np.broadcast_to(z, y.shape) for z in (t.cells, s))) for t, s in zip((a, b), both, strict=True)]
    return result(y, recording, *parts)


def look_up(x: Naive, change: Any, recording: bool) -> Naive:
    """A copy of some of its numbers."""
    values = np.array(change(x.values))
    return result(values, recording, (x, np.array(change(x.cells)), np.ones(values.shape)))


def total(x: Naive, dim: int | None, recording: bool) -> Naive:
    """The sum of all, or along one axis: a chain of additions."""
    if dim is None:
        x, dim = Naive(x.values.reshape(-1), x.cells.reshape(-1), history=x.history), 0
    y = Naive(np.zeros(np.delete(x.values.shape, dim)))
    for i in range(x.values.shape[dim]):
        index = (slice(None),) * dim + (i, ...)
        y = binary("add", y, x.look(lambda z, index=index: z[index]), recording)
    return y


def matmul(a: Naive, b: Naive, recording: bool) -> Naive:
    """Rows times columns, each product spelt out."""
    left, right = a.look(lambda z: z[:, :, None]), b.look(lambda z: z[None])
    return total(binary("mul", left, right, recording), 1, recording)
