"""A long sequence of random calls, and how to record what PyTorch draws: python record_random.py

CALLS is one stream: each call goes on where the one before it stopped, so that a single word drawn too many
shows in all that follow. TENSORS is another, of programs in which `torch` is the library under test. Writes random.json
beside this file: for each call its numbers (of large ones a few). Read next: ../test_random.py.
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

SIZES = (1, 15, 16, 17, 100)
FILLS = ["uniform_(-1, 3)", "normal_(1, 2)", "exponential_(2.5)", "geometric_(0.3)", "cauchy_(1, 2)"]
FILLS += ["log_normal_(0.5, 0.25)", "random_()", "random_(7)", "random_(-3, 9)", "bernoulli_(0.3)", "bernoulli_()"]
TENSORS = ["torch.manual_seed(3) and torch.rand(1)"]
TENSORS += [f"torch.empty({n}, dtype=torch.{d}).{f}" for d in ("float32", "float64") for f in FILLS for n in SIZES]
TENSORS += [f"torch.empty(17, dtype=torch.{d}).random_()" for d in ("int64", "int32", "int16", "int8", "uint8", "bool")]
TENSORS += [f"torch.empty(17, dtype=torch.{d}).bernoulli_(0.5)" for d in ("int64", "uint8", "bool", "float16")]
TENSORS += [f"torch.empty(3, 7).t().{fill}" for fill in FILLS]  # what lies in memory in another order
TENSORS += [f"torch.empty(6, 7)[:, ::2].{fill}" for fill in FILLS]
TENSORS += [
    f"torch.{f}_like(torch.empty(3, 6).t(){a})" for f, a in (("rand", ""), ("randn", ""), ("randint", ", 2, 9"))
]
WEIGHTS = "torch.arange(24, dtype=torch.{}).reshape(4, 6)"
TENSORS += [
    f"torch.multinomial({WEIGHTS.format(d)}{row}, {count}, {again})"
    for d in ("float32", "float64", "float16")
    for row in ("", "[1]")
    for count, again in ((1, False), (1, True), (5, False), (5, True), (40, True))
]
TENSORS += [
    f"torch.multinomial(torch.rand(1000, dtype=torch.{d}), 99, {again})"
    for d in ("float32", "float64")
    for again in (False, True)
]
TENSORS += ["torch.bernoulli(torch.rand(17))", "torch.bernoulli(torch.rand(17, dtype=torch.float64))"]
TENSORS += [
    "torch.bernoulli(torch.rand(3, 5).t())",
    "torch.zeros(3, 5).bernoulli_(torch.rand(5))",
    "torch.rand(5).bernoulli(0.4)",
]
TENSORS += [
    "torch.normal(torch.rand(17), 2.0)",
    "torch.normal(1.5, torch.rand(3))",
    "torch.normal(torch.rand(4, 1), torch.rand(5))",
]
TENSORS += [
    "torch.normal(2, 3, (2, 2))",
    "torch.normal(torch.rand(3).double(), torch.rand(3))",
    "torch.normal(torch.rand(2))",
]
TENSORS += ["torch.rand(3, generator=torch.Generator().manual_seed(8))", "torch.rand(3)", "torch.get_rng_state()"]
TENSORS += ["torch.randn(1)", "torch.get_rng_state()", "torch.randn(1)", "torch.get_rng_state()", "torch.rand(640)"]
TENSORS += ["torch.Generator().get_state()", "torch.Generator().manual_seed(-1).get_state()", "torch.get_rng_state()"]


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
    import torch

    lines = ",\n  ".join(json.dumps(some(in_torch(call))) for call in CALLS)
    more = ",\n  ".join(json.dumps(some(eval(program).numpy())) for program in TENSORS)
    GOLDENS.write_text(f'{{"drawn": [\n  {lines}\n ],\n "tensors": [\n  {more}\n ]}}\n', encoding="utf-8")
    assert torch.__version__.startswith("2.13")
