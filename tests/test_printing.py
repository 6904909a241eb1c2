"""minigrad._tensors.printing against the text that PyTorch printed, and against PyTorch itself where it is
installed."""

import json
import warnings

import numpy as np
import pytest
from goldens.record_printing import CASES, GOLDENS, in_torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from minigrad._tensors import printing

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def default_options():
    before = dict(printing.options)
    yield
    printing.options.update(before)


def printed(array, told, options):
    printing.set_printoptions(profile="default")
    printing.set_printoptions(**options)
    return printing.format_tensor(array, **told)


def test_every_case_is_recorded():
    assert list(RECORDED) == list(CASES), "run tests/goldens/record_printing.py"


@pytest.mark.parametrize("name", CASES)
def test_text(name):
    assert printed(*CASES[name]) == RECORDED[name]


def test_options_stay_and_profiles_bring_them_back():
    printing.set_printoptions(precision=2, sci_mode=True)
    printing.set_printoptions(linewidth=60)
    assert printing.options == {"precision": 2, "threshold": 1000, "edgeitems": 3, "linewidth": 60, "sci_mode": None}
    printing.set_printoptions(profile="default")
    assert printing.options == {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def test_a_large_tensor_prints_at_once():
    array = np.broadcast_to(np.float32(1), (10**6, 10**6))  # whoever looks at every element never returns
    assert printing.format_tensor(array).count("...,") == 7


KINDS = st.sampled_from(["float32", "float64", "float16", "int64", "int32", "uint8", "bool"])
SHAPES = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=30).filter(
    lambda shape: np.prod(shape) < 2000
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 8),
        "threshold": st.integers(0, 50),
        "edgeitems": st.integers(0, 4),
        "linewidth": st.integers(1, 120),
        "sci_mode": st.booleans(),
        "profile": st.sampled_from(["default", "short", "full"]),
    },
)
SIMPLE = st.integers(-20, 20) | st.sampled_from([0.5, -0.0, 1e-4, 1e-5, 999.5, 1e8, 1.5e8, np.nan, np.inf])


@st.composite
def cases(draw):
    dtype = draw(KINDS)
    if dtype.startswith("float") and draw(st.booleans()):
        with np.errstate(over="ignore"):
            array = draw(arrays.arrays("float64", draw(SHAPES), elements=SIMPLE)).astype(dtype)
    else:
        array = draw(arrays.arrays(dtype, draw(SHAPES)))
    told = draw(st.sampled_from([{}, {"requires_grad": True}, {"grad_fn_name": "MulBackward0", "requires_grad": True}]))
    told = dict(told) if dtype.startswith("float") else {}
    return array, told | draw(st.sampled_from([{}, {"device": "cpu"}])), draw(OPTIONS)


@pytest.mark.torch
@settings(deadline=None, max_examples=500)
@given(case=cases())
def test_same_text_as_torch(case):
    pytest.importorskip("torch", reason="compares with the real PyTorch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own, about numbers that overflow
        assert printed(*case) == in_torch(*case)


@pytest.mark.torch
def test_recorded_text_is_still_what_torch_prints():
    pytest.importorskip("torch", reason="compares with the real PyTorch")
    assert {name: in_torch(*CASES[name]) for name in CASES} == RECORDED
