"""Run many random programs on minigrad and on real PyTorch, and show every kind of difference.

python -m tests.fuzz                         # seeds 0 to 999
python -m tests.fuzz --count 20000 --seed 0  # all that must agree
python -m tests.fuzz --count 1 --seed 4711 --show
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tqdm import tqdm

import minigrad

from .differences import Difference, compare, shrink
from .explained import explanation
from .generate import program
from .helpers import with_helpers


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first")
    parser.add_argument("--show", action="store_true", help="print every program")
    parser.add_argument("--kinds", type=int, default=1000, help="how many kinds to make small and show")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    torch.set_warn_always(True)
    kinds: dict[str, Difference] = {}
    seeds: dict[str, list[int]] = {}
    explained: Counter[str] = Counter()
    started, statements = time.perf_counter(), 0
    for seed in tqdm(range(arguments.seed, arguments.seed + arguments.count), unit=" programs", disable=None):
        lines = program(seed)
        statements += len(lines)
        if arguments.show:
            print(with_helpers(lines), "\n")
        found = compare(lines, minigrad, torch, look=seed % 2 == 0)
        if found is None:
            continue
        if reason := explanation(found):
            explained[reason] += 1
            continue
        kind = found.kind
        seeds.setdefault(kind, []).append(seed)
        if kind not in kinds or len(found.lines) < len(kinds[kind].lines):
            kinds[kind] = found
    seconds = time.perf_counter() - started
    for kind in sorted(kinds, key=lambda kind: -len(seeds[kind]))[: arguments.kinds]:
        found = kinds[kind]
        small = shrink(found, lambda lines, look=found.look: compare(lines, minigrad, torch, look))
        print(f"\n## {len(seeds[kind])} x {kind}   (seeds {seeds[kind][:5]})\n{with_helpers(list(small.lines))}")
        print(f"# {small.part}\n#   minigrad: {small.here}\n#   PyTorch:  {small.there}")
    print(
        f"\n{arguments.count} programs of {statements} statements in {seconds:.0f} s: "
        f"{sum(map(len, seeds.values()))} differ unexplained, in {len(kinds)} kinds"
    )
    for reason, count in explained.most_common():
        print(f"  explained, {count} x {reason}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
