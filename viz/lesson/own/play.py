"""The opening of lesson 13: the finished engine trains lesson 7's network while one of its functions is broken.

Imports parts.py. Read next: graphs.py.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import parts

BROKEN = {  # a line of the engine, and the line in its place
    "call": ("        record(rule, tensors, params, out)", "        pass"),
    "record": ("out._fn, out._requires_grad = node, True", "pass"),
    "Slopes": ("return F.mm(grad, F.t(mat2))", "return F.zeros_like(F.mm(grad, F.t(mat2)))"),
    "gradients": ("slope(F, grad, **", "slope(F, np.ones_like(grad), **"),
    "run": ("sums[edge] = sums[edge] + g if edge in sums else g", "sums[edge] = g"),
    "fit": ("lead = len(grad.shape) - len(shape)", "return grad"),
    "arrive_leaves": ("leaf._grad = leaf._grad + grad", "leaf._grad = grad"),
    "backward": ("form = Form(Recorded(), lambda saved: saved, lambda grad: grad)", "form = RAW"),
}


def losses(make: Callable[..., Any], iterations: int = 51) -> Iterator[float]:
    """The losses of lesson 7's network on tensors that `make` makes."""
    minigrad = importlib.import_module("minigrad")
    minigrad.manual_seed(0)
    numbers = [minigrad.randn(*size).numpy() for size in ((64, 1000), (64, 10), (1000, 100), (100, 10))]
    x, y = map(make, numbers[:2])
    weights = [make(each, requires_grad=True) for each in numbers[2:]]
    for _ in range(iterations):
        error = x.mm(weights[0]).relu().mm(weights[1]) - y
        loss = (error * error).sum()
        loss.backward()
        for w in weights:
            w._data -= 1e-6 * w.grad._data
            w._grad = None
        yield float(loss._data)


def engine(broken: str | None = None) -> dict[str, Any]:
    """The finished engine, in which the function of this name is broken."""
    text = "\n\n".join(text for _, text in parts._PARTS)
    if broken is not None:
        if broken not in BROKEN:
            raise ValueError(f"broken is one of {', '.join(map(repr, BROKEN))}, or None; got {broken!r}")
        right, wrong = BROKEN[broken]
        text = text.replace(right, wrong)
    names: dict[str, Any] = {"__name__": "engine"}
    exec(compile(text, "<engine>", "exec"), names)
    return names


def train(broken: str | None = None) -> None:
    """Train lesson 7's network in the lesson's engine, and print its losses beside minigrad's.

    broken: the name of a function that is broken first, or None.

    >>> train(broken="record")
    iteration  this engine     minigrad
    AttributeError: 'NoneType' object has no attribute '_data'
    """
    print("iteration  this engine     minigrad")
    theirs = [*losses(importlib.import_module("minigrad").tensor)]
    with np.errstate(all="ignore"):
        try:
            for t, (own, known) in enumerate(zip(losses(engine(broken)["Tensor"]), theirs, strict=True)):
                if t in (0, 1, 10, 50):
                    print(f"{t:9} {own:12.5g} {known:12.5g}")
        except Exception as error:  # what a broken engine may end with
            print(f"{type(error).__name__}: {error}")
