"""A long sequence of random calls, and how to record what PyTorch draws: python record_random.py

CALLS is one stream: each call goes on where the one before it stopped, so that a single word drawn too many
shows in all that follow. Writes random.json beside this file: for each call its numbers (of large ones a
few). Read next: ../test_random.py.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

GOLDENS = Path(__file__).with_name("random.json")
Call = tuple[Any, ...]  # the name of a function of minigrad.random, and its arguments
KEPT = 10  # numbers of each call

CALLS: list[Call] = [("manual_seed", 0)]
CALLS += [("normal", (n,), dtype) for n in range(41) for dtype in ("float32", "float64")]
CALLS += [("manual_seed", 2**40 + 7)]  # only its low 32 bits count
CALLS += [
    call
    for n in (0, 1, 2, 5, 15, 16, 17, 34, 100, 624, 1000)
    for call in (
        ("uniform", (n,)),
        ("normal", (n,), "float32", 1.5, 0.25),
        ("uniform", (n,), "float64", -2.0, 3.0),
        ("normal", (n,), "float64", -1.0, 2.0),
        ("uniform", (n,), "float32", -0.535669373161111, 0.36159505490948474),  # sensitive to rounding
        ("normal", (n,), "float16"),
        ("uniform", (n,), "float16", -1.0, 1.0),
        ("uniform", (n,), "float32", 1.0, 1 + 2**-22),  # half of them round up to the end, which is left out
        ("randint", 0, 10, (n,)),
        ("randperm", n),
        ("dropout_mask", (n,), 0.25),
    )
]
CALLS += [("manual_seed", -1)]
CALLS += [("randint", low, high, (4,)) for low, high in ((0, 1), (-5, 5), (0, 2**28 - 1), (0, 2**28), (7, 2**40))]
CALLS += [("randint", -(2**63), 2**63 - 1, (2, 2)), ("randint", -(2**31), 2**31, (4,), "int32")]
CALLS += [("randint", 0, 2, (4,), "bool"), ("randint", 0, 256, (4,), "uint8"), ("randint", -9, 9, (4,), "float32")]
CALLS += [("dropout_mask", (3,), p) for p in (0.0, 1.0, 0.5)]  # the first two draw nothing
CALLS += [("dropout_mask", (), 0.5), ("randint", 0, 9, ())]
CALLS += [("normal", ()), ("uniform", ()), ("normal", (3, 5)), ("normal", (4, 5))]
CALLS += [("uniform", (100_000,)), ("normal", (100_003,)), ("normal", (20_000,), "float64"), ("randperm", 5_000)]


def in_torch(call: Call) -> np.ndarray:
    """What PyTorch's default generator draws."""
    import torch

    def empty(shape: tuple[int, ...], dtype: str) -> torch.Tensor:
        return torch.empty(shape, dtype=getattr(torch, dtype))

    def uniform(shape, dtype="float32", low=0.0, high=1.0):
        return empty(shape, dtype).uniform_(low, high)

    def normal(shape, dtype="float32", mean=0.0, std=1.0):
        return empty(shape, dtype).normal_(mean, std)

    def randint(low, high, shape, dtype="int64"):
        return torch.randint(low, high, shape, dtype=getattr(torch, dtype))

    def randperm(n):
        return torch.randperm(n)

    def dropout_mask(shape, p, dtype="float32"):
        return torch.nn.functional.dropout(torch.ones(shape, dtype=getattr(torch, dtype)), p)

    name, *arguments = call
    if name == "manual_seed":
        torch.manual_seed(*arguments)
        return np.empty(0)
    return locals()[name](*arguments).numpy()


def some(values: np.ndarray) -> list[Any]:
    """At most KEPT of the numbers, the last among them; as many digits as tell floats of this type apart."""
    values = values.ravel()[:: -max(1, -(-values.size // KEPT))][::-1]
    if values.dtype.kind != "f":
        return values.tolist()
    digits = {"float16": 5, "float32": 9, "float64": 17}[values.dtype.name]
    return [float(f"{value:.{digits}g}") for value in values.tolist()]


if __name__ == "__main__":
    lines = ",\n  ".join(json.dumps(some(in_torch(call))) for call in CALLS)
    GOLDENS.write_text(f'{{"drawn": [\n  {lines}\n ]}}\n')
