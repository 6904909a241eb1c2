"""Freed memory stays with the process for a while: to fetch it anew, page by page, takes longer than to compute.

On other systems than Linux with glibc the allocator has its own ways, and nothing is done.
"""

import platform
import subprocess
import sys

import pytest

COUNT = """
import resource, sys
import numpy as np
{first}
def step():
    kept = [np.ones(1 << 18, np.float32) for _ in range(4)]  # four times a megabyte, as in a step of training

step(), step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES = 20 * 4 * 256  # that are written to


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="of glibc's allocator")
def test_a_loop_does_not_fetch_its_memory_anew_in_each_step():
    def faults(first):
        done = subprocess.run([sys.executable, "-c", COUNT.format(first=first)], capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    assert faults("import minigrad") < PAGES / 20
