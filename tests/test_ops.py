"""Every operator of the table, by the table: slopes against differences, once and twice.

The parametrisation reads the table itself, so that an operator without samples, or without a right slope,
cannot exist. Values are held to PyTorch's in test_ops_golden.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from op_samples import FIRST_ALONE, SAMPLES, SYMMETRIC, P
from together import each

import minigrad as torch
from minigrad._call.operators import OPERATORS
from minigrad.autograd import GradcheckError, gradcheck, gradgradcheck
from minigrad.ops import TABLE

CASES = [pytest.param(name, i, id=f"{name}-{i}") for name in TABLE for i in range(max(len(SAMPLES.get(name, ())), 1))]


def make(argument: Any, rng: np.random.Generator) -> Any:
    """A tensor for one argument: distinct numbers, none near a corner (0, ±0.5, another element)."""
    if isinstance(argument, np.ndarray):
        return torch.from_numpy(argument.copy())
    size = argument.size if isinstance(argument, P) else argument
    n = int(np.prod(size))
    values = rng.permutation(np.linspace(-1.37, 1.41, n + 2)[:n]) + rng.uniform(-0.01, 0.01)
    values = np.where(np.abs(values) < 0.05, values + 0.11, values)
    return torch.from_numpy(np.asarray(abs(values) + 0.2 if isinstance(argument, P) else values).reshape(size))


def prepare(name: str, i: int) -> tuple[Any, list[Any]]:
    rng = np.random.default_rng(i + 1)
    inputs, params = SAMPLES[name][i]
    tensors = [make(argument, rng) for argument in inputs]
    names = TABLE[name].inputs * len(tensors) if TABLE[name].variadic else TABLE[name].inputs
    for who, t in zip(names, tensors, strict=True):
        t.requires_grad_(who in TABLE[name].slopes and t.is_floating_point())
    if name in SYMMETRIC:
        return (lambda *xs: OPERATORS[name](*[(x + x.mT) / 2 for x in xs], **params)), tensors
    if name in FIRST_ALONE:
        return (lambda *xs: OPERATORS[name](*xs, **params)[0]), tensors
    return (lambda *xs: OPERATORS[name](*xs, **params)), tensors


@pytest.mark.parametrize(("name", "i"), CASES)
def test_slopes_agree_with_differences(name: str, i: int) -> None:
    function, tensors = prepare(name, i)
    if not any(t.requires_grad for t in tensors):
        function(*tensors)
        return
    assert gradcheck(function, tensors)
    assert gradgradcheck(function, tensors)


@pytest.mark.parametrize("name", [name for name in TABLE if TABLE[name].slopes])
def test_every_floating_input_has_a_slope(name: str) -> None:
    """An input without one is an index, a mask or, as in PyTorch, the weights of a loss or a batch norm's memory."""
    rule = TABLE[name]
    chosen = {"condition", "mask", "index", "indices", "target"}
    assert set(rule.inputs) - set(rule.slopes) <= chosen | {"weight", "pos_weight", "running_mean", "running_var"}


def test_a_wrong_slope_is_caught() -> None:
    """The checker itself: feed it wrong slopes and see that it says so."""

    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * x * factor

    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    for factor in (0.0, 1.99, -2.0):  # noqa: B007  # Wrong.backward reads it
        with pytest.raises(GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
            gradcheck(Wrong.apply, x)
    factor = 2.0
    assert gradcheck(Wrong.apply, x)


def test_a_wrong_second_slope_is_caught() -> None:
    class OnceRight(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad * 2 * (x * (1 - wrong) + x.detach() * wrong)

    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    for wrong in (0.01, 1.0):  # noqa: B007  # OnceRight.backward reads it
        assert gradcheck(OnceRight.apply, x)
        with pytest.raises(GradcheckError):
            gradgradcheck(OnceRight.apply, x)


INSIDE = ("reshape_to", "to_device")  # no call of a reader's: who calls them doesn't mind
OWN_MEMORY = [case for case in CASES if TABLE[case.values[0]].kind != "view" and case.values[0] not in INSIDE]


@pytest.mark.parametrize(("name", "i"), OWN_MEMORY)
def test_a_result_that_is_no_view_has_memory_of_its_own(name: str, i: int) -> None:
    """Also where there is nothing to do, as for the sign of a bool: to change the result changes nothing else."""

    def check(kind: str) -> None:
        function, tensors = prepare(name, i)
        for t in tensors if kind != "as it is" else ():
            t.requires_grad_(False)
        tensors = [t.to(getattr(torch, kind)) if kind != "as it is" and t.is_floating_point() else t for t in tensors]
        try:
            with np.errstate(all="ignore"):  # among integers there are zeros
                found = function(*tensors)
        except (RuntimeError, TypeError, IndexError):  # not for these types
            return
        for out in found if isinstance(found, tuple) else (found,):
            assert not any(np.shares_memory(out.detach().numpy(), t.detach().numpy()) for t in tensors)

    each(["as it is", "int64", "bool"], check)
