"""One side of a pair, in its own process: `python side.py WORKLOAD LIBRARY SIZE CLOCK`.

When it is ready, it writes a line of JSON: the numbers that its first run gave, and by how many bytes memory
peaked above its earlier level. Then, for each line N that it reads, it makes N runs and writes the time by
that clock of the module `time`. Garbage collection keeps its default setting. The workloads are those of
the checkout that is first in PYTHONPATH. pairing.py starts and reads this process.
"""

import json
import sys
import time
from pathlib import Path

from benchmarks.workloads import WORKLOADS

STATUS, FORGET_PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def memory(field: str) -> float:
    """VmRSS (resident now) or VmHWM (its peak), in bytes; nan on systems other than Linux."""
    if not STATUS.exists():
        return float("nan")
    line = next(line for line in STATUS.read_text(encoding="utf-8").splitlines() if line.startswith(field))
    return 1024 * float(line.split()[1])


def main(name: str, library: str, size: str, clock: str) -> None:
    workload = WORKLOADS[name]
    make = workload.sides[library]
    make(workload.quick)()  # excludes work that a library does only once per process
    run = make(int(size))
    if FORGET_PEAK.exists():
        FORGET_PEAK.write_text("5", encoding="utf-8")
    now, before = getattr(time, clock), memory("VmRSS")
    numbers = run()
    print(json.dumps({"numbers": numbers, "memory": memory("VmHWM") - before}), flush=True)
    for line in sys.stdin:
        start = now()
        for _ in range(int(line)):
            run()
        print(json.dumps(now() - start), flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
        raise SystemExit(1) from None
