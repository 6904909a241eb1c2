"""Layers, losses and reductions on every type, for test_types_of_layers.py.

The calls are those of node_programs.py, one for each function, number of inputs and number of axes; and `REDUCTIONS`.
Each is made with all its inputs of a type, and with the first alone: the others stay float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from node_programs import GRAPHS

TYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "float64")
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
_seen = set()
for _name, (_run, _inputs) in GRAPHS.items():
    _first = next((i for i in _inputs if isinstance(i, tuple)), None)
    _kind = _name.partition("(")[0].partition(",")[0], len(_inputs), len(_first or ()), "at rest" in _name
    if _kind not in _seen and _inputs and "dropout_p" not in _name:
        _seen.add(_kind)
        CALLS[_name] = _run, _inputs


def reduction(name: str, *inputs: Any, method: str = "", **options: Any) -> None:
    text = ", ".join(f"{key}={value!r}" for key, value in options.items())
    CALLS[f"{name}({text})" if text else name] = (lambda t, *xs: getattr(t, method or name)(*xs, **options)), inputs


for (
    _name
) in "mean sum prod max min median nanmedian std var norm argmax argmin all any nansum nanmean amax amin".split():
    if _name not in ("amax", "amin"):
        reduction(_name, (2, 3))
    reduction(_name, (2, 3), **{"dim": 1})
for _name in "logsumexp softmax log_softmax cumsum cumprod cummax cummin sort argsort std_mean var_mean mode".split():
    reduction(_name, (2, 3), dim=1)
reduction("quantile", (2, 3), q=0.3)
reduction("quantile", (2, 3), q=0.3, dim=1)
reduction("norm", (2, 3), p=1)
reduction("norm", (2, 3), p=float("inf"))
reduction("norm", (2, 3), p=3, dim=1)
reduction("cdist", (2, 3), (4, 3))
reduction("cdist", (2, 3), (4, 3), p=1.0)
reduction("dist", (2, 3), (2, 3))
reduction("topk", (2, 3), k=2)
reduction("kthvalue", (2, 3), k=2)
reduction("trace", (3, 3))
reduction("aminmax", (2, 3))
reduction("count_nonzero", (2, 3))
reduction("dot", (3,), (3,))
reduction("matmul", (2, 3), (3, 2))
reduction("bmm", (1, 2, 3), (1, 3, 2))
reduction("addmm", (2, 2), (2, 3), (3, 2))
reduction("bincount", (3,))
