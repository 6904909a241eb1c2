"""A lesson's kernel multiplies with one thread, and whoever has chosen another number keeps it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import sys
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
threadpool_limits(2, user_api="blas")
if {kernel}: import ipykernel
import viz
viz.{call}
print({{each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}})
"""


@pytest.mark.parametrize(
    ("call", "kernel", "chosen", "threads"),
    [
        ("before(7)", True, "", "{1}"),
        ("exercise('relu_backward')", True, "", "{1}"),
        ("predict('1 + 1?', 2)", True, "", "{1}"),
        ("before(7)", False, "", "{2}"),
        ("before(7)", True, "2", "{2}"),
    ],
)
def test_a_lesson_sets_numpy_to_one_thread(call, kernel, chosen, threads):
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": chosen}
    for name in ("MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        environ.pop(name, None)
    if not chosen:
        del environ["OPENBLAS_NUM_THREADS"]
    program = PROGRAM.format(call=call, kernel=kernel)
    result = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, encoding="utf-8", check=False
    )
    assert result.stdout.strip() in (threads, "set()"), result.stderr  # set(): a NumPy whose threads nobody can limit
