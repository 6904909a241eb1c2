"""Every row of the table on symbols: in the static engine its value and its slopes come out as they do on arrays.

The samples are those of test_ops.py, once with their sizes known while the graph is built, and once with only the
number of axes known. Where a formula needs the sizes themselves, its row says why, in `needs_sizes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from core_alone import numbers
from op_samples import SAMPLES, P
from test_ops import CASES

import minigrad as torch
import minigrad.static as tf
from minigrad._call.operators import OPERATORS
from minigrad._compiler.build import build
from minigrad._compiler.gradients import Symbol, slope_of
from minigrad.core.rules import Raw
from minigrad.core.tensor import Tensor
from minigrad.ops import TABLE

RAW = Raw(np)
SIZES = pytest.mark.parametrize("sizes", ["known", "unknown"])
SLOPED = [case for case in CASES if TABLE[case.values[0]].slopes]


def sample(name: str, i: int) -> tuple[list[Any], dict[str, Any], list[Any]]:
    """A sample's arrays and parameters, and the row's values of them."""
    inputs, params = SAMPLES[name][i]
    rng = np.random.default_rng(i + 1)
    arrays = [numbers(each, P, rng) for each in inputs]
    with np.errstate(all="ignore"):
        out = TABLE[name].value(np, *arrays, **params)
    return arrays, params, [np.asarray(each) for each in (out if isinstance(out, tuple) else (out,))]


def placeholders(arrays: list[Any], sizes: str) -> list[Any]:
    return [tf.placeholder(str(a.dtype), a.shape if sizes == "known" else [None] * a.ndim) for a in arrays]


def build_or_say_why(name: str, sizes: str, make: Callable[[], Any]) -> Any:
    """What `make` makes of a row; None if the row needs sizes that are unknown, which the error then says."""
    told = f"ops/note.py says what can be noted beside the row: note({name}, shape=…), or why not: needs_sizes=…"
    reason = getattr(TABLE[name], "needs_sizes", None)
    try:
        return make()
    except ValueError as error:
        if sizes == "known" or reason is None or reason not in str(error):
            error.add_note(told)
            raise
        NEEDED.add(name)
        return None


NEEDED: set[str] = set()  # the rows that did


@SIZES
@pytest.mark.parametrize(("name", "i"), CASES)
def test_values(name: str, i: int, sizes: str) -> None:
    arrays, params, outs = sample(name, i)
    with tf.Graph().as_default(), tf.Session() as session:
        xs = placeholders(arrays, sizes)
        made = build_or_say_why(name, sizes, lambda: build(name, *xs, **params))
        if made is None:
            return
        symbols = (made[0] if isinstance(made, list) else made).op.outputs
        found = session.run(list(symbols), dict(zip(xs, arrays, strict=True)))
    for symbol, got, want in zip(symbols, found, outs, strict=True):
        assert np.asarray(got).dtype == want.dtype and np.array_equal(got, want, equal_nan=want.dtype.kind == "f")
        assert got.shape == want.shape and symbol.dtype.numpy == want.dtype
        dims = symbol.dims
        assert (
            dims is None
            or len(dims) == want.ndim
            and all(n in (None, m) for n, m in zip(dims, want.shape, strict=True))
        )
        assert sizes == "unknown" or dims is not None


@SIZES
@pytest.mark.parametrize(("name", "i"), SLOPED)
def test_slopes(name: str, i: int, sizes: str) -> None:
    """The table's own formulas, also where the static engine has others in their place."""
    rule, (arrays, params, outs) = TABLE[name], sample(name, i)
    grads = [np.random.default_rng(i).normal(size=out.shape) for out in outs]
    names = rule.inputs * len(arrays) if rule.variadic else rule.inputs
    if outs[0].dtype.kind != "f" or rule.node_name == "NotImplemented":
        return
    with tf.Graph().as_default(), tf.Session() as session:
        xs, incoming = placeholders(arrays, sizes), placeholders(grads, sizes)
        feeds = dict(zip([*xs, *incoming], [*arrays, *grads], strict=True))

        made = build_or_say_why(name, sizes, lambda: build(name, *xs, **params))
        if made is None:
            return
        op, symbols = (made[0] if isinstance(made, list) else made).op, [Symbol(each) for each in incoming]
        grad: Any = symbols if rule.each else symbols[0]
        for j, who in enumerate(names):
            if who not in rule.slopes or arrays[j].dtype.kind != "f":
                continue
            got = build_or_say_why(name, sizes, lambda j=j, who=who: slope_of(op, rule, grad, who, j))
            if got is None:
                continue
            with np.errstate(all="ignore"):
                want = rule.slopes[who](RAW, grads if rule.each else grads[0], **given(name, i, rule.needs[who], j))
            got, want = (each[who] if isinstance(each, dict) else each for each in (got, want))
            assert got.tensor.dims is None or len(got.tensor.dims) == np.ndim(want)
            np.testing.assert_allclose(session.run(got.tensor, feeds), want, rtol=1e-9, atol=1e-12)


def given(name: str, i: int, needs: tuple[str, ...], j: int) -> dict[str, Any]:
    """What a slope asks for, as arrays."""
    rule, (arrays, params, outs) = TABLE[name], sample(name, i)
    if rule.variadic:
        known: dict[str, Any] = {"i": j, rule.inputs[0] + "_sizes": [a.shape for a in arrays]}
    else:
        known = dict(zip(rule.inputs, arrays, strict=True))
        known |= {who + "_sizes": a.shape for who, a in zip(rule.inputs, arrays, strict=True)}
    known |= {**rule.params, **params, **dict(zip(rule.outputs, outs, strict=bool(rule.outputs)))}
    return {need: known[need] for need in needs}


@pytest.mark.parametrize(("name", "i"), SLOPED)
def test_gradients_once_and_twice(name: str, i: int) -> None:
    """Both engines agree. TensorFlow's own slopes differ from the table's in corners alone, where no sample lies."""
    rule, (arrays, params, outs) = TABLE[name], sample(name, i)
    names = rule.inputs * len(arrays) if rule.variadic else rule.inputs
    sloped = [j for j, who in enumerate(names) if who in rule.slopes and arrays[j].dtype.kind == "f"]
    if not sloped or rule.node_name == "NotImplemented":
        return
    floats = [k for k, out in enumerate(outs) if out.dtype.kind == "f"]
    weights = [np.random.default_rng(k).normal(size=outs[k].shape) for k in floats]
    tensors = [torch.from_numpy(a.copy()) for a in arrays]
    leaves = [tensors[j].requires_grad_() for j in sloped]
    made = OPERATORS[name](*tensors, **params)
    made = made if isinstance(made, tuple) else (made,)
    used = [k for k in floats if made[k].requires_grad]
    ys, ws = [made[k] for k in used], [weights[floats.index(k)] for k in used]
    once = torch.autograd.grad(
        ys, leaves, [torch.from_numpy(w) for w in ws], create_graph=True, allow_unused=True, retain_graph=True
    )
    squares = [(g * g).sum() for g in once if g is not None and g.requires_grad]
    twice: Any = [None] * len(leaves)
    if squares:
        twice = torch.autograd.grad(sum(squares), leaves, allow_unused=True)
    with tf.Graph().as_default(), tf.Session() as session:
        xs = placeholders(arrays, "known")
        symbol = build(name, *xs, **params)
        symbols = (symbol[0] if isinstance(symbol, list) else symbol).op.outputs
        seeds = [tf.constant(w) for w in ws]
        first = tf.gradients([symbols[k] for k in used], [xs[j] for j in sloped], grad_ys=seeds)
        there = [g * g for g in first if g is not None]
        second = tf.gradients(there, [xs[j] for j in sloped]) if there else [None] * len(sloped)
        for ours, theirs in [*zip(first, once, strict=True), *zip(second, twice, strict=True)]:
            want = np.zeros(()) if theirs is None else theirs.detach().numpy()
            got = np.zeros(()) if ours is None else session.run(ours, dict(zip(xs, arrays, strict=True)))
            np.testing.assert_allclose(*np.broadcast_arrays(got, want), rtol=1e-8, atol=1e-11)


def test_what_needs_sizes_says_so_truly() -> None:
    """Each row with `needs_sizes` was refused above, in some sample. Asked again here: tests may be divided."""
    noted = {name for name, rule in TABLE.items() if hasattr(rule, "needs_sizes")}
    for name in noted:
        for i in range(len(SAMPLES[name])):
            if name not in NEEDED:
                test_values(name, i, "unknown")
                test_slopes(name, i, "unknown")
    assert noted == NEEDED


def test_symbols_know_what_tensors_know() -> None:
    """Slopes are written with Python's operators, as the core's Tensor has them."""
    operators = {name for name, what in vars(Tensor).items() if name.startswith("__") and callable(what)}
    others = {"__repr__", "__hash__", "__init__", "__new__"}
    assert operators - others <= {name for name in vars(Symbol) if name.startswith("__")}
