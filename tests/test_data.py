"""Batches come in PyTorch's order for the same seed, whichever way they are asked for (tests/goldens/data.json)."""

import json
import multiprocessing
from math import isclose

import pytest
from goldens.record_data import DATA, PROGRAMS
from test_ops_golden import torch  # noqa: F401  (the fixture: minigrad, and PyTorch under -m torch)

RECORDED = json.loads(DATA.read_text(encoding="utf-8"))


def same(a, b):
    """Equal, but for the last bits of floats."""
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return [*a] == [*b] and all(map(same, a.values(), b.values()))
    return isclose(a, b, rel_tol=1e-6) if isinstance(a, float) else a == b


@pytest.mark.filterwarnings("ignore:This DataLoader will create")  # PyTorch, on machines with few cores
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_gets_the_batches_that_it_got_in_pytorch(torch, name):  # noqa: F811
    if "workers" in name and torch.__name__ == "torch" and multiprocessing.get_start_method() != "fork":
        pytest.skip("PyTorch's own workers must be forked here: their datasets are local classes")
    assert same(PROGRAMS[name](torch), RECORDED[name])


def test_every_program_is_recorded():
    assert [*PROGRAMS] == [*RECORDED], "record them anew: python tests/goldens/record_data.py"
