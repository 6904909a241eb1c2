"""Every operator on whatever may come: each dtype, single numbers, nothing at all, sizes that must be broadcast.

What PyTorch makes of dtypes, points and emptiness stands in inputs.json, recorded by goldens/record_inputs.py, where
each rule of the table has its call or its reason; `pytest -m torch` sees that the record is true.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from goldens.record_inputs import INPUTS, INSIDE, PUBLIC, dtypes, empty, point
from goldens.record_ops import attempt
from goldens.telling import record
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import BroadcastableShapes, mutually_broadcastable_shapes
from op_samples import SAMPLES
from test_ops_golden import torch  # noqa: F401  (the fixture: minigrad, and PyTorch under -m torch)

import minigrad
from minigrad._call.operators import OPERATORS
from minigrad.ops import TABLE

RECORDED = record(INPUTS)


def test_every_operator_is_recorded_or_has_no_call() -> None:
    assert [*RECORDED] == PUBLIC, "record them anew: python tests/goldens/record_inputs.py"
    assert {*PUBLIC}.isdisjoint(INSIDE) and INSIDE <= {*TABLE}


@pytest.mark.parametrize("name", PUBLIC)
def test_the_dtype_that_each_dtype_gives(torch: Any, name: str) -> None:  # noqa: F811
    found, right = dtypes(torch, name).split(), RECORDED[name]["dtypes"].split()
    assert found == right


@pytest.mark.parametrize("what", ["point", "empty"])
@pytest.mark.parametrize("name", PUBLIC)
def test_single_numbers_and_nothing_at_all(torch: Any, name: str, what: str) -> None:  # noqa: F811
    found, right = attempt(torch, {"point": point, "empty": empty}[what](name)), RECORDED[name][what]
    if "error" in found or "error" in right:
        assert found == right
        return
    assert [out[:2] + out[3:] for out in found["out"]] == [out[:2] + out[3:] for out in right["out"]]
    for a, b in zip([out[2] for out in found["out"]] + found["grad"], [o[2] for o in right["out"]] + right["grad"]):  # noqa: B905
        assert (a is None) == (b is None)
        np.testing.assert_allclose(a if a is not None else [], b if b is not None else [], rtol=1e-7)


# -- broadcasting ---------------------------------------------------------------------------------

ONE_WAY = {"copy", "fill_tensor", "masked_fill", "masked_fill_tensor"}  # the first input keeps its size
SPREADING = [
    n for n, rule in TABLE.items() if rule.kind in ("elementwise", "question", "choice") and len(rule.inputs) > 1
]
MASKS = ("condition", "mask")


@st.composite
def sizes(draw: Any, number: int) -> BroadcastableShapes:
    return draw(mutually_broadcastable_shapes(num_shapes=number, max_dims=3, min_side=0, max_side=3))


@pytest.mark.parametrize("name", SPREADING)
def test_broadcasting_is_spreading_out_and_summing_back(name: str) -> None:
    """An operator on small tensors gives what it gives on their copies of full size, and each gradient is the sum."""
    rule = TABLE[name]
    defaults = {k: v for k, v in rule.params.items() if v is not inspect.Parameter.empty}
    params = {**defaults, **SAMPLES[name][0][1]}

    @settings(max_examples=12)
    @given(sizes(len(rule.inputs)))
    def check(shapes: BroadcastableShapes) -> None:
        full = shapes.result_shape
        small = [make(name, who, i, size) for i, (who, size) in enumerate(zip(rule.inputs, shapes.input_shapes))]  # noqa: B905
        if name in ONE_WAY:
            small[0] = make(name, rule.inputs[0], 0, full)
        large = [minigrad.from_numpy(np.array(np.broadcast_to(t.detach().numpy(), full))) for t in small]
        for a, b in zip(small, large, strict=True):
            b.requires_grad_(a.requires_grad)
        one, other = OPERATORS[name](*small, **params), OPERATORS[name](*large, **params)
        assert one.shape == full and one.dtype == other.dtype and one.equal(other)
        if not one.requires_grad or rule.node_name == "NotImplemented":
            return
        weights = minigrad.from_numpy(np.asarray(np.linspace(-1, 1, one.numel())).reshape(full))
        one.backward(weights)
        other.backward(weights)
        for a, b in zip(small, large, strict=True):
            if a.requires_grad:
                assert a.grad.shape == a.shape
                lead = b.grad.numpy().ndim - a.dim()
                axes = tuple(d for d in range(b.dim()) if d < lead or a.shape[d - lead] == 1 != b.shape[d])
                summed = b.grad.numpy().sum(axes, keepdims=True).reshape(a.shape)
                np.testing.assert_allclose(a.grad.numpy(), summed, rtol=1e-12, atol=1e-12)

    check()


def make(name: str, who: str, seed: int, size: tuple[int, ...]) -> Any:
    """Positive numbers that differ, or True and False where a mask is due."""
    array = np.random.default_rng(seed).uniform(0.2, 1.8, size)
    if name.endswith("_shift"):
        return minigrad.from_numpy(np.asarray(array > 1).astype("int64"))
    if who in MASKS or name.startswith("bitwise"):
        return minigrad.from_numpy(np.asarray(array > 1))
    return minigrad.from_numpy(np.asarray(array)).requires_grad_(who in TABLE[name].slopes)
