"""What the later steps of lesson 13 need of every function: `problem(names)` tries a whole engine, and says what fails.

Each check of a step ends with this, with our own functions in place of the reader's others. So a function that is
accepted never breaks a later step.
Imports graphs.py, NumPy and minigrad. Read next: ../exercises/lesson13/judges.py, which calls it.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...locale import Text, room
from .graphs import FACTORS, FROZEN, TWICE, Graph, several

tr = room("lesson")
GRAPHS = (
    TWICE,
    FROZEN,
    Graph("y = 2 / w + w / 2", "y = 2 / w + w / 2", w=[3.0, 4.0]),
    Graph("y = (2 - w) * w.tanh()", "y = (2 - w) * w.tanh()", w=[0.5, 1.0]),
    Graph("y = w", "y = w", w=[3.0]),
    Graph("y = (w.mm(x) * b).relu()", "y = (w.mm(x) * b).relu()", w=[[1.0, 2.0]], x=[[3.0], [0.5]], b=[2.0]),
)
FIRST = tr("in the whole engine, the gradients for `{graph}` are wrong.", "later")
AGAIN = tr("in the whole engine, a second pass through the same graph, `{graph}`, gives other gradients.", "later")
ONTO = tr("in the whole engine, a pass does not add to the gradients that are there already, for `{graph}`.", "later")
SECOND = tr("in the whole engine, `create_graph=True` (step 7) gives wrong second derivatives for `{graph}`.", "later")
STOPS = tr("in the whole engine, `{graph}` stops with {error}.", "later")
SWITCHED = tr("in the whole engine, recording stays off after an interrupt.", "later")
INTERRUPTED = tr("in the whole engine, a pass after an interrupted one gives other gradients.", "later")


class Interrupt(BaseException):
    """Raised in the middle of a pass, as Ctrl-C is."""


def problem(names: dict[str, Any], random: Any = None, count: int = 2) -> Text | None:
    """The first sentence that is true of the engine in `names`; None if all is well. count: random graphs to try."""
    random = random or np.random.default_rng(13)
    shapes = ((3,), (), (1, 3), (4, 1), (4, 3))
    for graph in (FACTORS, *GRAPHS, *several(random, count=count, shapes=shapes)):
        try:
            if told := _tried(names, graph):
                return told.filled(graph=graph) if "{" in told.english else told
        except Interrupt:
            raise
        except Exception as error:
            return STOPS.filled(graph=graph, error=f"{type(error).__name__}: {error}"[:160])
    return _interrupted(names)


def _numbers(leaves: dict[str, Any]) -> dict[str, Any]:
    return {name: None if leaf.grad is None else np.asarray(leaf.grad._data) for name, leaf in leaves.items()}


def _same(own: dict[str, Any], known: dict[str, Any], times: float = 1.0) -> bool:
    """Whether each leaf has the gradient that minigrad's has."""
    for name, leaf in known.items():
        theirs = None if leaf.grad is None else leaf.grad.detach().numpy()
        if (own[name] is None) != (theirs is None):
            return False
        if theirs is not None and (np.shape(own[name]) != theirs.shape or not np.allclose(own[name], times * theirs)):
            return False
    return True


def _tried(names: dict[str, Any], graph: Graph) -> Text | None:
    minigrad = importlib.import_module("minigrad")
    (y, leaves), (theirs, known) = graph.on(names["Tensor"]), graph.on(minigrad.tensor)
    if not theirs.requires_grad:
        return None if not y._requires_grad else FIRST
    theirs.backward(minigrad.ones_like(theirs))
    y.backward()
    if not _same(_numbers(leaves), known):
        return FIRST
    y.backward()
    if not _same(_numbers(leaves), known, 2.0):
        first = _numbers(leaves)
        for leaf in leaves.values():
            leaf._grad = None
        y.backward()
        return ONTO if _same(_numbers(leaves), known) and first else AGAIN
    return _second(names, graph)


def squares(leaves: dict[str, Any], keeps: str = "_grad") -> Any:
    """The sum of the squares of all gradients, which are set to None. keeps: a leaf's name for its own gradient."""
    total: Any = None
    for leaf in leaves.values():
        if leaf.grad is not None:
            square = (leaf.grad * leaf.grad).sum()
            total = square if total is None else square + total
            setattr(leaf, keeps, None)
    return total


def _second(names: dict[str, Any], graph: Graph) -> Text | None:
    minigrad = importlib.import_module("minigrad")
    found = []
    for make in names["Tensor"], minigrad.tensor:
        y, leaves = graph.on(make)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that minigrad's gradient refers to itself
            if make is minigrad.tensor:
                y.backward(minigrad.ones_like(y), create_graph=True)
            else:
                y.backward(create_graph=True)
        total = squares(leaves, "grad" if make is minigrad.tensor else "_grad")
        asks = total.requires_grad if make is minigrad.tensor else total._requires_grad
        if asks:
            total.backward()
        found.append((asks, leaves))
    (own_asks, own), (asks, known) = found
    return None if own_asks == asks and _same(_numbers(own), known) else SECOND


def _interrupted(names: dict[str, Any]) -> Text | None:
    """A pass that is interrupted leaves nothing behind for the next one, and an interrupted `no_grad` no switch off."""
    minigrad = importlib.import_module("minigrad")
    gradients: Callable[..., Any] = names["gradients"]
    calls: list[int] = []

    def stops(*given: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise Interrupt
        return gradients(*given)

    y, leaves = TWICE.on(names["Tensor"])
    theirs, known = TWICE.on(minigrad.tensor)
    theirs.backward()
    names["gradients"] = stops
    try:
        y.backward()
    except Interrupt:
        pass
    finally:
        names["gradients"] = gradients
    for leaf in leaves.values():
        leaf._grad = None
    y.backward()
    if not _same(_numbers(leaves), known):
        return INTERRUPTED
    return None if names["modes"].recording else SWITCHED
