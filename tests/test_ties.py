"""Of several equal numbers the same one comes first as in PyTorch: its sort is C++'s, whose path decides."""

import json

import numpy as np
import pytest
from goldens.record_ties import GOLDEN, ORDERING, PATTERNS, places

import minigrad
from minigrad.ops import introsort, introsort_of_rows

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


@pytest.mark.parametrize("kinds", [1, 3, 50, 5000])
def test_stretches_that_are_cut_at_once_end_in_the_order_of_one_after_the_other(kinds):
    """Random rows, rows in order, and one for which the median of three is the worst choice, so that the heap sorts."""
    draw = np.random.default_rng(kinds)
    for n in (1, 16, 17, 18, 33, 100, 1001):
        rows = draw.integers(0, kinds, (4, n))
        rows[1], rows[2] = np.sort(rows[1]), np.sort(rows[2])[::-1]
        half = n // 2
        worst = [(i + 1 if i % 2 == 0 else half + i) if i < half else 2 * (i - half + 1) for i in range(n)]
        rows = np.vstack([rows, worst, np.array(worst) // 2])
        assert introsort_of_rows.places(rows).tolist() == [introsort.sort(row.tolist()) for row in rows]


def test_the_heap_is_reached(monkeypatch):
    """The test above would not show a heap that is never asked."""
    asked, plain = [], introsort_of_rows.heapsort
    monkeypatch.setattr(introsort_of_rows, "heapsort", lambda *stretch: asked.append(plain(*stretch)))
    half = 500
    row = [(i + 1 if i % 2 == 0 else half + i) if i < half else 2 * (i - half + 1) for i in range(2 * half)]
    assert introsort_of_rows.places(np.array([row])).tolist() == [introsort.sort(row)] and asked


def test_many_numbers_with_ties_are_not_sorted_by_pythons_loops(monkeypatch):
    """A million took up to 8 s."""
    monkeypatch.setattr(introsort, "sort", None)
    x = minigrad.randint(0, 100, (100_000,)).float()
    assert (x.sort().values.diff() >= 0).all() and (x.view(1000, 100).sort().values.diff() >= 0).all()


def test_numbers_that_all_differ_are_left_to_numpy(monkeypatch):
    """Python's loops are slow, and the order is the only one there is."""
    for name in ("sort", "smallest"):
        monkeypatch.setattr(introsort, name, None)
    x = minigrad.randperm(1000).float()
    assert x.sort().values.tolist() == list(range(1000))
    assert x.topk(3).values.tolist() == [999, 998, 997]
