"""What minigrad costs before any work: its import time beside NumPy's, and the memory of a recorded node.

Each import runs in a fresh interpreter that has loaded nothing else, alternating between NumPy and minigrad,
with bytecode already compiled. Memory is the resident memory afterwards. Read next: growth.py.
"""

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

from .pairing import ROOT, Result, measure

IMPORT = """
import time
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
try:
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")))
except FileNotFoundError:
    print("nan")
"""


def imports(modules: list[str], rounds: int) -> dict[str, tuple[float, float]]:
    """Map each module to the median seconds to import it and the median bytes resident afterwards."""
    seen: dict[str, list[list[float]]] = {module: [] for module in modules}
    with TemporaryDirectory() as bytecode:  # compiled once, as by pip, also where the environment forbids writing it
        env = os.environ | {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
        for i in range(rounds + 1):
            for module in modules:
                command = [sys.executable, "-c", IMPORT.format(module=module)]
                ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", check=True)
                said = ran.stdout.split()
                if i:  # the first round compiles, and reads from the disk
                    seen[module].append([float(said[0]), 1024 * float(said[1])])
    return {module: (median(t for t, _ in all), median(m for _, m in all)) for module, all in seen.items()}


def node_memory(libraries: list[str], size: int, starts: int) -> Result:
    """A `Result` whose `memory` is the bytes per recorded multiplication."""
    return measure("multiplications", libraries, size, starts=starts, rounds=0)
