"""Of several equal numbers the same one comes first as in PyTorch: its sort is C++'s, whose path decides."""

import json

import pytest
from goldens.record_ties import GOLDEN, ORDERING, PATTERNS, places

import minigrad
from minigrad.ops import introsort

RECORDED = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def library(request):
    if request.param == "minigrad":
        return minigrad
    return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')


@pytest.mark.parametrize("name", ORDERING)
def test_equal_numbers_come_in_the_order_of_pytorch(library, name):
    assert [*RECORDED[name]] == [*PATTERNS]
    assert places(library, name) == RECORDED[name]


def test_many_integers_in_a_row_stay_in_order(library):
    """PyTorch sorts them by their digits, which is stable; shorter rows, falling order and floats are not."""
    x = library.arange(40000) % 7
    stable = x.sort(stable=True).indices
    assert (x.sort().indices == stable).all()
    assert not (x.float().sort().indices == stable).all()
    assert not (x[:4000].sort().indices == x[:4000].sort(stable=True).indices).all()


def test_each_row_of_several_is_put_in_order_by_itself(library):
    x = library.arange(7 * 60 * 5) * 7919 % 1009 % 9
    x = x.float().view(7, 60, 5)
    for dim in range(3):
        whole = x.sort(dim).indices.movedim(dim, -1).reshape(-1, x.shape[dim])
        each = [row.sort().indices for row in x.movedim(dim, -1).reshape(-1, x.shape[dim]).unbind()]
        assert (whole == library.stack(each)).all()


def test_numbers_that_all_differ_are_left_to_numpy(monkeypatch):
    """Python's loops are slow, and the order is the only one there is."""
    for name in ("sort", "smallest"):
        monkeypatch.setattr(introsort, name, None)
    x = minigrad.randperm(1000).float()
    assert x.sort().values.tolist() == list(range(1000))
    assert x.topk(3).values.tolist() == [999, 998, 997]
