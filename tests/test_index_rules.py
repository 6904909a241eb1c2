"""What every kind of index means, for looking up, for writing and for gradients: as PyTorch has it.

300 drawn expressions are held to what PyTorch made of them (goldens/record_indices.py); with `pytest -m torch`,
hypothesis draws new ones and both libraries run them. Read next: index_programs.py.
"""

import json

import numpy as np
import pytest
from goldens.record_indices import GOLDENS, program
from hypothesis import given, settings
from hypothesis import strategies as st
from index_programs import Slices, outcome

import minigrad

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("way, part, size, text, expected", RECORDED)
def test_an_index_means_what_it_means_to_pytorch(way, part, size, text, expected):
    assert outcome(minigrad, way, part, tuple(size), text) == expected


@pytest.mark.torch
@settings(max_examples=3000, deadline=None, database=None)
@given(st.integers(300, 10**9))
def test_drawn_ones_mean_the_same_to_both(number):
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    found, expected = (outcome(library, *program(number)) for library in (minigrad, torch))
    if "is out of bounds" in found and takes_nothing(torch, *program(number)[2:]):
        return  # PyTorch looks at no place when nothing would be taken from it; NumPy does
    if "INTERNAL ASSERT FAILED" in expected:
        return  # "please report a bug to PyTorch": no rule to follow
    if "is out of bounds" in expected and 0 in program(number)[2]:
        return  # nothing is taken from what is empty, but here PyTorch looks
    assert found == expected, program(number)


def takes_nothing(torch, size, text):
    try:
        return torch.empty(size)[eval(text, {"t": torch, "np": np, "slice_": Slices()})].numel() == 0
    except Exception:
        return False
