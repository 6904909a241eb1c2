"""In which type PyTorch adds up, seen from outside: python record_accumulation.py

A result that was added up in a wider type and rounded once is the exact one, rounded; one that was added up in its own
type is not. So `distance` measures, for each reduction and scan in ACCUMULATING and for float16 and float32, how far
the result lies from the same computed in float64, in units of the last place. `accumulation.json` keeps PyTorch's
distances. Read next: ../test_accumulation.py.
"""

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

GOLDEN = Path(__file__).with_name("accumulation.json")
TYPES = ("float16", "float32")


def rows(x: Any) -> Any:
    return x.view(-1, 50)


def slope(t: ModuleType, f: Any, x: Any) -> Any:
    """The gradient of f in one more tensor of that size and type."""
    x = x.clone().requires_grad_()
    return t.autograd.grad(f(x), x)[0]


ACCUMULATING = {  # of a thousand numbers between 0 and 2
    "sum()": lambda t, x: x.sum(),
    "sum(0)": lambda t, x: rows(x).sum(0),
    "sum(1)": lambda t, x: rows(x).sum(1),
    "nansum": lambda t, x: x.nansum(),
    "mean()": lambda t, x: x.mean(),
    "mean(0)": lambda t, x: rows(x).mean(0),
    "prod()": lambda t, x: (x[:50] / 8 + 0.5).prod(),
    "var()": lambda t, x: x.var(),
    "var(0)": lambda t, x: rows(x).var(0),
    "std()": lambda t, x: x.std(),
    "std(1)": lambda t, x: rows(x).std(1),
    "norm()": lambda t, x: x.norm(),
    "norm(1)": lambda t, x: x.norm(1),
    "norm(3)": lambda t, x: x.norm(3),
    "norm(dim=0)": lambda t, x: rows(x).norm(dim=0),
    "trace": lambda t, x: x[:900].view(30, 30).trace(),
    "logsumexp": lambda t, x: rows(x).logsumexp(0),
    "softmax": lambda t, x: rows(x).softmax(0),
    "log_softmax": lambda t, x: rows(x).log_softmax(0),
    "cumsum(0)": lambda t, x: x.cumsum(0),
    "cumsum of a matrix": lambda t, x: rows(x).cumsum(0),
    "cumprod": lambda t, x: (x[:50] / 8 + 0.75).cumprod(0),
    "the gradient of cumsum": lambda t, x: slope(t, lambda y: (y.cumsum(0) * x).sum(), x),
    "the gradient of a bias": lambda t, x: slope(t, lambda b: ((x.view(-1, 5) + b) * x.view(-1, 5)).sum(), x[:5]),
    "layer_norm": lambda t, x: t.nn.functional.layer_norm(rows(x), (50,)),
    "batch_norm": lambda t, x: t.nn.functional.batch_norm(x.view(-1, 5), None, None, training=True),
    "group_norm": lambda t, x: t.nn.functional.group_norm(x.view(2, 10, -1), 5),
    "mse_loss": lambda t, x: t.nn.functional.mse_loss(x, x.flip(0)),
    "l1_loss": lambda t, x: t.nn.functional.l1_loss(x, x.flip(0)),
    "smooth_l1_loss": lambda t, x: t.nn.functional.smooth_l1_loss(x, x.flip(0)),
    "huber_loss": lambda t, x: t.nn.functional.huber_loss(x, x.flip(0)),
    "cross_entropy": lambda t, x: t.nn.functional.cross_entropy(x.view(-1, 10), t.arange(100) % 10),
    "matmul": lambda t, x: x.view(2, -1) @ x.view(2, -1).t(),
    "dot": lambda t, x: x.dot(x),
    "linear": lambda t, x: t.nn.functional.linear(x.view(4, -1), x.view(4, -1), x[:4]),
    "conv1d": lambda t, x: t.nn.functional.conv1d(x.view(1, 10, -1), x[:450].view(1, 10, 45)),
    "avg_pool1d": lambda t, x: t.nn.functional.avg_pool1d(x.view(1, 1, -1), 100),
    "adaptive_avg_pool1d": lambda t, x: t.nn.functional.adaptive_avg_pool1d(x.view(1, 1, -1), 3),
    "scatter_add": lambda t, x: x.new_zeros(3).scatter_add(0, t.arange(1000) % 3, x),
}


def numbers(seed: int) -> list[float]:
    return [((i * 7919 + seed * 104729) % 2003 + 1) / 1001 for i in range(1000)]


def distance(library: ModuleType, name: str, dtype: str) -> float:
    """How far the result is from the exact one, at most, in units of the last place of what is not much smaller than
    the largest of its numbers."""
    worst = 0.0
    for seed in range(6):
        x = library.tensor(numbers(seed), dtype=getattr(library, dtype))
        found = ACCUMULATING[name](library, x).detach()
        assert found.dtype is x.dtype
        exact = ACCUMULATING[name](library, x.double()).detach().numpy()
        right = exact.astype(dtype).astype("float64")
        unit = np.spacing(np.maximum(np.abs(exact), np.abs(exact).max() / 8).astype(dtype)).astype("float64")
        worst = max(worst, float((np.abs(found.double().numpy() - right) / unit).max()))
    return round(worst, 1)


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    found = {f"{name} {dtype}": distance(torch, name, dtype) for name in ACCUMULATING for dtype in TYPES}
    GOLDEN.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
