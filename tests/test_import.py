"""`import minigrad` needs NumPy alone, starts nothing, and can therefore run wherever NumPy runs."""

import json
import subprocess
import sys

import pytest

import viz

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


def test_viz_brings_neither_the_lessons_nor_what_needs_widgets():
    """They are a third of `viz`, and a page in which Python starts anew for each reader waits for every file."""
    look = "import sys, viz; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", look], capture_output=True, encoding="utf-8", check=True
    )
    loaded = {name for name in done.stdout.split() if name.startswith("viz.")}
    assert {name for name in loaded if name.startswith("viz.lesson.")} == {
        "viz.lesson.pages",  # the clinic's format
        "viz.lesson.still",  # observes which cells stop
    }
    assert {"viz.explore", "viz.training.trainer"}.isdisjoint(loaded)


def test_all_names_of_viz_are_listed_and_a_wrong_one_is_an_error():
    assert {"draw", "explore", "exercise", "trainer", "forget", "passes"} <= set(dir(viz))
    assert all(getattr(viz, name) is not None for name in dir(viz) if not name.startswith("_"))
    with pytest.raises(AttributeError, match="module 'viz' has no attribute 'drew'"):
        viz.drew  # noqa: B018


def test_it_brings_no_test_tools_and_no_static_engine_along(seen):
    # not `inspect`: core/rules.py reads signatures with it, and most releases of NumPy bring it themselves
    heavy = {"numpy.testing", "unittest", "doctest", "minigrad.static", "minigrad.exercises"}
    assert heavy.isdisjoint(seen["modules"])
