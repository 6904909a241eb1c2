"""`import minigrad` needs NumPy alone, starts nothing, and can therefore run wherever NumPy runs."""

import json
import subprocess
import sys

import pytest

LOOK = """
import json, sys, threading
import numpy
before = set(sys.modules)
import minigrad
print(json.dumps({"modules": sorted(set(sys.modules) - before), "threads": threading.active_count()}))
"""


@pytest.fixture(scope="module")
def seen():
    """The modules that `import minigrad` adds to those of NumPy, and the threads that run then."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOOK], capture_output=True, encoding="utf-8", check=True
    )
    return json.loads(result.stdout)


def test_it_imports_numpy_and_the_standard_library_alone(seen):
    others = {name.partition(".")[0] for name in seen["modules"]} - {"minigrad", "numpy"} - sys.stdlib_module_names
    assert others == set()


@pytest.mark.parametrize("name", ["subprocess", "asyncio", "multiprocessing", "concurrent.futures", "socket", "ssl"])
def test_it_imports_nothing_that_a_browser_kernel_lacks(seen, name):
    assert name not in seen["modules"]


def test_it_starts_no_thread(seen):
    assert seen["threads"] == 1


def test_it_brings_no_test_tools_and_no_static_engine_along(seen):
    # not `inspect`: core/rules.py reads signatures with it, and most releases of NumPy bring it themselves
    heavy = {"numpy.testing", "unittest", "doctest", "minigrad.static", "minigrad.exercises"}
    assert heavy.isdisjoint(seen["modules"])
