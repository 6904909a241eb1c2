"""nn and optim do what PyTorch does: numbers, texts, graphs, errors and warnings of some 700 small programs.

The programs stand in nn_programs.py, nn_api_programs.py, nn_more_programs.py and nn_wrong_programs.py; nn.json holds
what PyTorch 2.13 gave. `pytest -m torch` runs them on the installed torch, so that the record is true.
"""

import json

import nn_api_programs  # noqa: F401  # it adds its programs
import nn_more_programs  # noqa: F401  # and so does this
import nn_wrong_programs  # noqa: F401  # and so does this
import numpy as np
import pytest
from goldens.record_nn import GOLDENS, attempt
from goldens.telling import record
from nn_programs import PROGRAMS

RECORDED = record(GOLDENS)


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


def compare(found, expected, place):
    """Equal, but for the last digits of fractions."""
    assert type(found) is type(expected), f"{place}: {found!r} is not {expected!r}"
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for key in expected:
            compare(found[key], expected[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            compare(one, other, f"{place}[{i}]")
    elif isinstance(expected, str) and expected.startswith("torch.") and ":" in expected:
        (what, numbers), (kind, right) = found.split(":"), expected.split(":")
        assert what == kind, place
        numbers, right = np.array(numbers.split(), float), np.array(right.split(), float)
        np.testing.assert_allclose(numbers, right, rtol=2e-5, atol=4e-6, err_msg=place)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-5), place
    else:
        assert found == expected, place


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gives_what_pytorch_gives(torch, name):
    found = json.loads(json.dumps(attempt(torch, PROGRAMS[name])))
    compare(found, RECORDED[name], name)


def test_the_record_is_of_these_programs():
    assert list(RECORDED) == list(PROGRAMS), "record them anew: python tests/goldens/record_nn.py"
