"""What nn and optim take: the names, order, defaults and kinds of arguments are PyTorch's, for every public name.

signatures.json holds PyTorch's; `python tests/goldens/record_signatures.py` records them, of the names that minigrad
offers. `pytest -m torch` sees that the record is true.
"""

import pytest
from goldens.record_signatures import GOLDENS, names, said
from goldens.telling import record

import minigrad

RECORDED = record(GOLDENS)
DIFFERENT = {
    **dict.fromkeys(("nn.RNN", "nn.LSTM", "nn.GRU"), "PyTorch's takes *args and sorts them out by itself"),
    **{f"nn.functional.{kind}max_pool{n}d": "so does this" for kind in ("", "adaptive_") for n in (1, 2)},
    **{
        f"nn.{name}": "PyTorch's takes anything" for name in ("Tanh", "Sigmoid", "Softsign", "LogSigmoid", "Tanhshrink")
    },
    "nn.Hardtanh": "takes the older words for its limits too, and does not show them",
    "nn.Module.forward": "keywords are welcome",
    "optim.Optimizer.update": "PyTorch has none: there every optimizer writes its own step",
}


def test_the_names_are_those_of_the_record():
    assert [*RECORDED] == names(minigrad), "record them anew: python tests/goldens/record_signatures.py"


@pytest.mark.parametrize("name", RECORDED)
def test_an_argument_has_pytorchs_place_name_and_default(name):
    if name in DIFFERENT:
        assert said(minigrad, name) != RECORDED[name], "no longer different: take it off the list"
    else:
        assert said(minigrad, name) == RECORDED[name]


@pytest.mark.torch
def test_the_record_is_true():
    torch = pytest.importorskip("torch")
    assert {name: said(torch, name) for name in RECORDED} == RECORDED
