"""Optimizers and schedulers, step by step, against what PyTorch computed (goldens/record_optim.py says what)."""

import pytest
from goldens.record_optim import (
    GOLDENS,
    MADE_OF_OTHERS,
    MATRIX,
    OPTIMIZERS,
    SCHEDULERS,
    VECTOR,
    path,
    rates,
    resumed,
)
from goldens.telling import Record, record

RECORDED = {kind: Record(found, GOLDENS) for kind, found in record(GOLDENS).items()}
RECORD = "then record what PyTorch gives: python -m tests.goldens"


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


@pytest.mark.parametrize(("kind", "start"), [("paths", VECTOR), ("of a matrix", MATRIX)], ids=["vector", "matrix"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_hundred_steps_end_where_pytorchs_do(torch, name, kind, start):
    for found, expected in zip(path(torch, name, start), RECORDED[kind][name], strict=True):
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", [*SCHEDULERS, *MADE_OF_OTHERS])
def test_a_scheduler_gives_pytorchs_rates(torch, name):
    assert rates(torch, name) == pytest.approx(RECORDED["rates"][name], rel=1e-9)


@pytest.mark.parametrize("name", [*SCHEDULERS, *MADE_OF_OTHERS])
def test_a_scheduler_goes_on_as_pytorchs_does(torch, name):
    for start, found in resumed(torch, name).items():
        assert found == pytest.approx(RECORDED["resumed"][name][start], rel=1e-9, abs=1e-15), start


def test_every_optimizer_and_scheduler_is_recorded():
    import minigrad

    there = {name.split()[0] for name in OPTIMIZERS}
    missing = {*minigrad.optim.__all__} - {"Optimizer", "lr_scheduler"} - there
    assert not missing, f"give {missing} lines in OPTIMIZERS of tests/goldens/record_optim.py; {RECORD}"
    there = {name.split()[0] for name in [*SCHEDULERS, *MADE_OF_OTHERS]}
    missing = {*minigrad.optim.lr_scheduler.__all__} - {"LRScheduler"} - there
    assert not missing, f"give {missing} lines in SCHEDULERS of tests/goldens/record_optim.py; {RECORD}"
    assert [*RECORDED["paths"]] == [*RECORDED["of a matrix"]] == [*OPTIMIZERS], RECORD
    assert [*RECORDED["rates"]] == [*SCHEDULERS, *MADE_OF_OTHERS], RECORD
