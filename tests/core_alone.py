"""What test_core.py runs beside core/ and ops/ alone: the derivatives of every sample against differences."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core import forms, record  # noqa: F401  # which makes the operators
from minigrad.core.rules import OPERATORS
from minigrad.core.tensor import Tensor, wrap
from minigrad.ops import TABLE

BESIDES = {"minigrad", "minigrad._machine", "minigrad._machine.backend"}
ALONE = ("minigrad.core", "minigrad.ops")
STEP = 1e-6


def main() -> None:
    ours = {name for name in sys.modules if name.split(".")[0] == "minigrad"}
    foreign = {name for name in ours - BESIDES if ".".join(name.split(".")[:2]) not in ALONE}
    assert not foreign, foreign
    from op_samples import SAMPLES, SYMMETRIC, P

    count = 0
    for name, rule in TABLE.items():
        for i, (inputs, params) in enumerate(SAMPLES[name]):
            rng = np.random.default_rng(i + 1)
            arrays = [numbers(each, P, rng) for each in inputs]
            names = rule.inputs * len(arrays) if rule.variadic else rule.inputs
            sloped = [j for j, who in enumerate(names) if who in rule.slopes and arrays[j].dtype.kind == "f"]
            if sloped:
                try:
                    check(name, arrays, sloped, params, rng, name in SYMMETRIC)
                except Exception as error:
                    error.add_note(f"in {name}, sample {i}")
                    raise
                count += 1
        count += broadcast_in_front(name)
    print(count, "samples: first and second derivatives are right")


def broadcast_in_front(name: str) -> int:
    """Check NumPy's functions of two operands where one operand has more axes in front; return how many checks ran."""
    rule, count = TABLE[name], 0
    if not hasattr(rule, "ufunc") or len(rule.slopes) != 2 or rule.node_name == "NotImplemented":
        return 0
    for front in ((1,), (1, 1), (1, 3)):
        for sizes in (((*front, 2), (2,)), ((2,), (*front, 2))):
            rng = np.random.default_rng(len(front))
            values = rng.permutation(np.linspace(0.3, 1.1, 2 + 2 * int(np.prod(front))))  # no two are equal
            first, second = np.split(values, [int(np.prod(sizes[0]))])
            arrays = [first.reshape(sizes[0]), second.reshape(sizes[1])]
            try:
                check(name, arrays, [0, 1], {}, rng, even=False)
            except Exception as error:
                error.add_note(f"in {name}, sizes {sizes}")
                raise
            count += 1
    return count


def numbers(argument: Any, positive: Any, rng: np.random.Generator) -> Any:
    """An array for one argument: distinct numbers, none near a corner (0, ±0.5, another element)."""
    if isinstance(argument, np.ndarray):
        return argument.copy()
    size = argument.size if isinstance(argument, positive) else argument
    n = int(np.prod(size))
    values = rng.permutation(np.linspace(-1.37, 1.41, n + 2)[:n]) + rng.uniform(-0.01, 0.01)
    values = np.where(np.abs(values) < 0.05, values + 0.11, values)
    return np.asarray(abs(values) + 0.2 if isinstance(argument, positive) else values).reshape(size)


def check(name: str, arrays: list[Any], sloped: list[int], params: dict[str, Any], rng: Any, even: bool) -> None:
    """The slopes of `<w, f(x)>` along a direction, and of `<u, those slopes>`, against differences."""
    w = [rng.normal(size=out.shape) for out in floats(name, arrays, params)]
    u = [rng.normal(size=arrays[j].shape) for j in sloped]
    along = [rng.normal(size=arrays[j].shape) for j in sloped]
    along = [a + a.swapaxes(-1, -2) for a in along] if even else along

    def moved(step: float) -> list[Any]:
        moves = dict(zip(sloped, along, strict=True))
        return [a + step * moves[j] if j in moves else a for j, a in enumerate(arrays)]

    def value(step: float) -> float:
        return inner(w, floats(name, moved(step), params))

    def leaves(step: float, create_graph: bool = False) -> list[Any]:
        """The inputs, with the gradient of `<w, f(x)>` in them."""
        tensors = [wrap(a, j in sloped) for j, a in enumerate(moved(step))]
        for out, weight in zip(floats(name, tensors, params), w, strict=True):
            if out.requires_grad:
                forms.backward(out, wrap(weight), retain_graph=True, create_graph=create_graph)
        return [tensors[j] for j in sloped]

    near(value, inner(along, [leaf.grad for leaf in leaves(0)]))
    inputs = leaves(0, create_graph=True)
    firsts = [leaf.grad for leaf in inputs]
    for leaf in inputs:
        leaf._grad = None
    for first, weight in zip(firsts, u, strict=True):
        if first is not None and first.requires_grad:
            forms.backward(first, wrap(weight), retain_graph=True)
    near(
        lambda step: inner(u, [leaf.grad for leaf in leaves(step)]),
        inner(along, [leaf.grad for leaf in inputs]),
    )


def inner(weights: list[Any], tensors: list[Any]) -> float:
    """The sum of all products; None is zero."""
    return sum(float((w * t._data).sum()) for w, t in zip(weights, tensors, strict=True) if t is not None)


def floats(name: str, inputs: list[Any], params: dict[str, Any]) -> list[Tensor]:
    """Those outputs of an operator that may have slopes."""
    from op_samples import FIRST_ALONE

    outs = OPERATORS[name](*[x if isinstance(x, Tensor) else wrap(x) for x in inputs], **params)
    outs = outs if isinstance(outs, tuple) else (outs,)
    outs = outs[:1] if name in FIRST_ALONE else outs
    return [out for out in outs if out.dtype.kind == "f"]


def near(value: Callable[[float], float], slope: float) -> None:
    difference = (value(STEP) - value(-STEP)) / (2 * STEP)
    assert abs(difference - slope) <= 1e-5 * (1 + abs(slope)), (difference, slope)
