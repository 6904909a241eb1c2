"""Which of several equal numbers PyTorch puts first: python record_ties.py

`rows` makes rows full of equal numbers, short and long, in patterns that lead the algorithm along each of its paths.
For each function in ORDERING, `ties.json` keeps a check sum of the places that PyTorch returns for each row.
Read next: ../test_ties.py.
"""

import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

GOLDEN = Path(__file__).with_name("ties.json")
NAN = float("nan")
LENGTHS = (1, 2, 3, 4, 5, 16, 17, 18, 33, 64, 65, 100, 130, 300, 700)


def hard(n: int) -> list[int]:
    """A row in which the median of three is a bad pivot each time, so that the heap takes over from quicksort."""
    out = [0] * n
    for i in range(1, n // 2 + 1):
        if i % 2:
            out[i - 1], out[i] = i, n // 2 + i
        out[n // 2 + i - 1] = 2 * i
    return [number // 3 for number in out]


PATTERNS = {
    "all equal": lambda n: [1] * n,
    "five in turn": lambda n: [i % 5 for i in range(n)],
    "mixed": lambda n: [i * i * 7919 % 1009 % 20 for i in range(n)],
    "rising": lambda n: [i // 3 for i in range(n)],
    "falling": lambda n: [(n - i) // 3 for i in range(n)],
    "up and down": lambda n: [min(i, n - i) // 2 for i in range(n)],
    "hard": hard,
    "two zeros": lambda n: [(0.0, -0.0, 1.0)[i % 3] for i in range(n)],
    "with nan": lambda n: [NAN if i % 7 == 3 else i % 5 for i in range(n)],
}
ORDERING = {
    "sort": lambda x: x.sort(),
    "sort, falling": lambda x: x.sort(descending=True),
    "sort, stable": lambda x: x.sort(stable=True),
    "sort, not stable": lambda x: x.sort(stable=False),
    "sort of integers": lambda x: x.nan_to_num(7).long().sort(),
    "sort of halves": lambda x: x.half().sort(),
    "sort of bools": lambda x: (x > 2).sort(),
    "sort of columns": lambda x: x.unsqueeze(1).expand(-1, 2).clone().sort(0),
    "sort of what is spread out": lambda x: x[:1].expand(len(x)).sort(),
    "topk(1)": lambda x: x.topk(1),
    "topk(2)": lambda x: x.topk(min(2, len(x))),
    "topk(half)": lambda x: x.topk((len(x) + 1) // 2),
    "topk(half), smallest": lambda x: x.topk((len(x) + 1) // 2, largest=False),
    "topk(all)": lambda x: x.topk(len(x)),
    "topk, unordered": lambda x: x.topk((len(x) + 1) // 2, sorted=False),
    "kthvalue": lambda x: x.kthvalue((len(x) + 1) // 2),
    "mode": lambda x: x.mode(),
    "median": lambda x: x.median(0),
    "nanmedian": lambda x: x.nanmedian(0),
}


def rows(t: ModuleType) -> Any:
    for pattern, make in PATTERNS.items():
        for n in LENGTHS:
            yield pattern, n, t.tensor(make(n), dtype=t.float32)


def places(t: ModuleType, name: str) -> dict[str, str]:
    """For each pattern, a check sum of places and values over all lengths."""
    out: dict[str, Any] = {}
    for pattern, _, x in rows(t):
        values, indices = ORDERING[name](x)
        said = f"{indices.tolist()} {values.double().tolist()}"
        out[pattern] = hashlib.sha256((out.get(pattern, "") + said).encode()).hexdigest()[:10]
    return out


def main() -> None:
    import torch

    found = {name: places(torch, name) for name in ORDERING}
    GOLDEN.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
