"""Layers, losses and reductions take the types that PyTorch's take, and give its types; what they refuse, in its words.

type_programs.py holds the calls; types.json holds what PyTorch 2.13 gave. Of halves some numbers are compared, too, and
gradients. `pytest -m torch` makes the calls on the installed torch, so that the record is true.
"""

import json
import math

import pytest
from goldens.record_types import GOLDENS, attempt
from goldens.telling import record
from type_programs import CALLS, TYPES

RECORDED = record(GOLDENS)
# PyTorch keeps the mean and the deviation of halves as halves, so that gradients agree to two digits alone; here
# they are nearer to those in float32. PyTorch itself gives other last digits with another number of threads.
COARSE = {
    *("F.group_norm((2, 4, 6, 5), affine 1)", "F.group_norm((2, 4, 6, 5), affine 2)"),
    *("F.instance_norm((2, 4, 6), affine 1)", "F.instance_norm((2, 4, 6), affine 2)"),
    *("F.instance_norm((2, 4, 6, 5), affine 1)", "F.instance_norm((2, 4, 6, 5), affine 2)"),
    *("F.layer_norm(last 1, affine 1)", "F.layer_norm(last 1, affine 2)"),
}
HUBER = "of halves with targets in float32, PyTorch computes a loss that has no gradient; here it has one"
OTHERWISE = {
    ("F.huber_loss((3, 4), (3, 4), reduction='mean')", "float16 first"): HUBER,
    ("F.huber_loss weighted, mean", "float16 first"): HUBER,
}


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


def same(found, expected, close):
    """Equal, but for the last digits of halves."""
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(same(*pair, close) for pair in zip(found, expected, strict=True))
    if isinstance(found, float) and isinstance(expected, float):
        return math.isclose(found, expected, rel_tol=close, abs_tol=close) or found != found and expected != expected
    return found == expected


@pytest.mark.parametrize("name", CALLS)
def test_a_call_takes_and_gives_pytorchs_types(torch, name):
    found = json.loads(json.dumps(attempt(torch, *CALLS[name], TYPES)))
    assert found.keys() == RECORDED[name].keys()
    close = 0.03 if name in COARSE else 2e-3
    for kind, expected in RECORDED[name].items():
        if (name, kind) in OTHERWISE and torch.__name__ == "minigrad":
            assert found[kind] != expected, "it is PyTorch's now: take it off the list"
        else:
            assert same(found[kind], expected, close), f"{kind}: {found[kind]} is not {expected}"


def test_the_record_is_of_these_calls():
    assert list(RECORDED) == list(CALLS), "record them anew: python -m tests.goldens types"
