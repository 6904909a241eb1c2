"""Sums are added up in the type that PyTorch adds up in: what overflows or drifts here would not do so there."""

import json

import pytest
from goldens.record_accumulation import ACCUMULATING, GOLDEN, TYPES, distance

import minigrad

RECORDED = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def library(request):
    if request.param == "minigrad":
        return minigrad
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    torch.set_num_threads(1)
    return torch


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ACCUMULATING)
def test_as_exact_as_pytorch(library, name, dtype):
    """PyTorch rounds once where the recorded distance is 0, and so must we. Elsewhere the order of the additions
    counts, which is another for each processor: three times the distance is allowed, and eight times for a product of
    matrices, where each release of NumPy brings another BLAS."""
    recorded = RECORDED[f"{name} {dtype}"]
    assert distance(library, name, dtype) <= (8 if name == "matmul" else 3) * recorded


LARGE = {  # what comes out fits into a half; what is added up on the way does not
    "mean": (lambda t, x: x.mean(), 1000.0),
    "norm": (lambda t, x: x.norm(), 10000.0),
    "var": (lambda t, x: (x[:4] * t.tensor([1.0, 1.1, 1.2, 1.3]).half()).var(), 16672.0),
    "std": (lambda t, x: (x[:2] * t.tensor([1.0, 3.0]).half()).std(), 1414.0),
    "mean along": (lambda t, x: x.view(1, 100).mean(1).sum(), 1000.0),
    "layer_norm": (lambda t, x: t.nn.functional.layer_norm(t.cat([x, 3 * x]), (200,)).max(), 1.0),
    "batch_norm": (
        lambda t, x: t.nn.functional.batch_norm(t.cat([x, 3 * x]).view(-1, 1), None, None, training=True).max(),
        1.0,
    ),
    "group_norm": (lambda t, x: t.nn.functional.group_norm(t.cat([x, 3 * x]).view(1, 1, -1), 1).max(), 1.0),
    "mse_loss": (lambda t, x: t.nn.functional.mse_loss(x[:64], x[:64] * 1.1), 10000.0),
    "avg_pool1d": (lambda t, x: t.nn.functional.avg_pool1d(x.view(1, 1, 100), 100).sum(), 1000.0),
    "logsumexp": (lambda t, x: x.logsumexp(0), 1004.5),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_half_does_not_overflow_on_the_way(library, name):
    compute, right = LARGE[name]
    found = compute(library, library.full((100,), 1000.0).half())
    assert found.dtype is library.float16
    assert found.item() == right
