"""What PyTorch did in the first programs, a line for each: for the tests that have no PyTorch at hand.

A line has a check sum of everything that must be equal, statement by statement, and a sum over all numbers, which must
be close. Programs that are known to differ stand there as explained, or as open. Written by
`python -m tests.fuzz --record`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np

from .explained import explanation
from .generate import program
from .run import outcome
from .workers import differences

GOLDEN = Path(__file__).parent.parent / "goldens" / "fuzz.json"
COUNT = 200  # without PyTorch
LIVE = 1000  # beside it


def digest(seed: int, library: ModuleType) -> str:
    """What running the program of this seed leads to, in short."""
    said, total = hashlib.sha256(), 0.0
    for sight in outcome(program(seed), library, look=seed % 2 == 0):
        said.update(repr(sorted(sight.exact.items())).encode())
        for array in sight.arrays.values():
            numbers = np.nan_to_num(np.asarray(array, dtype="float64"), nan=0.5, posinf=0.25, neginf=-0.25)
            total += float((numbers * np.linspace(1, 2, numbers.size).reshape(numbers.shape)).sum())
    return f"{said.hexdigest()[:12]} {total:.6g}"


def same(found: str, right: str) -> bool:
    """Equal, but for rounding in the sum."""
    (here, a), (there, b) = found.split(), right.split()
    return here == there and bool(np.isclose(float(a), float(b), rtol=1e-2, atol=1e-2))


def record(torch: ModuleType) -> None:
    """Write the golden file: PyTorch's outcomes, and which of the first thousand programs still differ."""
    lines, still_open = [], []
    for seed, found in differences(range(LIVE), torch):
        reason = found and explanation(found)
        if found and not reason:
            still_open.append(seed)
        if seed < COUNT:
            lines.append("open" if found and not reason else f"explained: {reason}" if reason else digest(seed, torch))
    GOLDEN.write_text(json.dumps({"open": still_open, "outcomes": lines}, indent=0) + "\n", encoding="utf-8")
