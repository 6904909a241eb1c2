"""Run many random programs on minigrad and on real PyTorch, and show every kind of difference.

    python -m tests.fuzz                         # seeds 0 to 999
    python -m tests.fuzz --count 20000           # all that must agree, some minutes
    python -m tests.fuzz --seed 4711 --count 1 --show
    python -m tests.fuzz --record                # what PyTorch does in the first 200, for the tests without it

A difference is shown by the smallest program that has it: each statement is left out in turn until none can be.
A program ends before a statement whose result PyTorch does not define: undefined.py says which, and how it is known.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tqdm import tqdm

from .differences import Difference
from .explained import explanation
from .generate import program
from .golden import record
from .helpers import with_helpers
from .workers import differences


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first")
    parser.add_argument("--show", action="store_true", help="print every program")
    parser.add_argument("--kinds", type=int, default=1000, help="how many kinds to make small and show")
    parser.add_argument("--record", action="store_true", help="write the golden file anew")
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    torch.set_warn_always(True)
    if arguments.record:
        record(torch)
        return 0
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    if arguments.show:
        print(*(f"# seed {seed}\n{with_helpers(program(seed))}\n" for seed in seeds), sep="\n")
    kinds: dict[str, Difference] = {}
    where: dict[str, list[int]] = {}
    explained: Counter[str] = Counter()
    started = time.perf_counter()
    for seed, found in tqdm(differences(seeds, torch), total=len(seeds), unit=" programs", disable=None):
        if found is None:
            continue
        if reason := explanation(found):
            explained[reason] += 1
            continue
        where.setdefault(found.kind, []).append(seed)
        if found.kind not in kinds or len(found.lines) < len(kinds[found.kind].lines):
            kinds[found.kind] = found
    seconds = time.perf_counter() - started
    for kind in sorted(kinds, key=lambda kind: -len(where[kind]))[: arguments.kinds]:
        small = kinds[kind]
        print(f"\n## {len(where[kind])} x {kind}   (seeds {where[kind][:5]})\n{with_helpers(list(small.lines))}")
        print(f"# {small.part}\n#   minigrad: {small.here}\n#   PyTorch:  {small.there}")
    unexplained = sum(map(len, where.values()))
    print(f"\n{len(seeds)} programs in {seconds:.0f} s: {unexplained} differ unexplained, in {len(kinds)} kinds")
    for reason, count in explained.most_common():
        print(f"  explained, {count} x {reason}")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
