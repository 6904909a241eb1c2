"""How pytest runs this project: which tiers it leaves out, and how nbval compares a notebook's outputs.

`pytest` alone is the fast tier: unit tests, the examples in docstrings and README, the notebooks. What it
leaves out is told at the end, a line a tier.

A notebook's stored outputs are compared with what its cells print now. Text must be equal, but a number
with a decimal point may differ by a thousandth: another processor adds up in another order. nbval knows no
`update_display` and no `clear_output`; here both act on the outputs as they do in JupyterLab. Pictures
change with the version of their library, so what is compared is the text that stands beside each.

Read next: tests/nbval.cfg, what counts as equal (addresses, timings).
"""

import math
import os
import re
import signal
import sys
import tempfile

import hypothesis
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

TIERS = {  # marker: what it is, how it is run
    "browser": "JupyterLab in a real browser (needs the extra `dev` and Chromium): pytest -m browser",
    "torch": "the same programs on real PyTorch (pip install torch==2.13.0): pytest -m torch",
    "benchmarks": "speed and memory beside NumPy and PyTorch: python -m benchmarks",
}
PICTURES = ("image/svg+xml", "text/html")  # besides PNG and widgets, which nbval itself leaves out
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")

# A newcomer's run and CI's try the same examples, however slow the machine; --hypothesis-profile=default tries new ones
hypothesis.settings.register_profile("course", derandomize=True, deadline=None)
hypothesis.settings.load_profile("course")


def pytest_configure(config):
    # What tests and their notebooks answer is not noted among what this machine's reader has done, nor shows it
    folder = tempfile.TemporaryDirectory(prefix="minigrad-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(folder.name, "progress.json")
    config.option.nbval_sanitize_with = str(config.rootpath / "tests" / "nbval.cfg")


@pytest.fixture(autouse=True)
def every_warning_each_time():
    """Some come once a process otherwise, and then only the first test would see them."""
    import minigrad

    minigrad.set_warn_always(True)


def switched_on():
    """What a test may have left behind for those after it, in its process: it is in another process in the next run."""
    from minigrad import get_default_dtype
    from minigrad.autograd.graph import note_lines
    from minigrad.core.modes import Modes
    from minigrad.nodes import Node
    from minigrad.switches import modes

    return {
        "modes": {name: value for name, value in vars(modes).items() if value != getattr(Modes, name)},
        "lines noted": (note_lines.open, "__init__" in vars(Node)),
        "default dtype": get_default_dtype(),
        "sys": (sys.excepthook, sys.gettrace(), sys.getprofile(), sys.displayhook),
        "interrupts": (signal.getsignal(signal.SIGINT), signal.getitimer(signal.ITIMER_REAL)),
    }


@pytest.fixture(autouse=True)
def all_switched_back():
    """Whoever leaves a switch on is told themselves, and not some test after them."""
    before = switched_on()
    yield
    after = switched_on()
    assert after == before, "this test left something switched on"


@pytest.fixture(autouse=True)
def names_in_examples(doctest_namespace):
    """`torch` and `F`, which the examples in docstrings take for granted."""
    import minigrad

    doctest_namespace.update(torch=minigrad, F=minigrad.nn.functional)


def pytest_ignore_collect(collection_path, config):
    """Examples are sought in every file, but not in the scripts that record goldens and need what they record from."""
    helps_tests = config.rootpath / "tests" in collection_path.parents and not collection_path.name.startswith("test_")
    return True if helps_tests and collection_path.suffix == ".py" else None


def pytest_terminal_summary(terminalreporter, config):
    """One line for every tier that this run did not touch."""
    chosen = config.getoption("markexpr")
    for tier, what in TIERS.items():
        if "not browser" in chosen and (f"not {tier}" in chosen or tier == "benchmarks"):
            terminalreporter.write_line(f"not run: {tier:10} {what}")


def pytest_collectstart(collector):
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += PICTURES


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A cell that was never run has no outputs to compare with, and nbval would pass it over."""
    if isinstance(item, IPyNbCell):
        if item.cell.source.strip() and item.cell.execution_count is None:
            pytest.fail("this cell is stored without having been run: restart, run all, save", pytrace=False)
        item.parent.screen = Screen(item)
    return (yield)


class Screen:
    """What a front end does with a cell's outputs beyond showing one under the other."""

    def __init__(self, cell):
        self.cell = cell
        self.request = None  # of this cell; a late message may belong to an earlier one
        self.displays = {}  # display_id -> index among the outputs
        self.clear_later = False

    def takes(self, message):
        """Act on a message from the kernel; True when nbval need not see it."""
        kind, content = message["msg_type"], message["content"]
        display = content.get("transient", {}).get("display_id")
        outputs = self.cell.test_outputs
        if kind == "execute_input":
            self.request = message["parent_header"]["msg_id"]
        if message["parent_header"].get("msg_id") != self.request:
            return False
        if kind == "clear_output":
            self.clear_later = content["wait"]
            if not self.clear_later:
                self.clear()
            return True
        if kind == "update_display_data":
            if display in self.displays:
                outputs[self.displays[display]].data = content["data"]
            return True
        if kind in ("stream", "display_data", "execute_result", "error"):
            if self.clear_later:
                self.clear()
            if display:
                self.displays[display] = len(outputs)  # nbval puts it there next
        return False

    def clear(self):
        self.cell.test_outputs.clear()
        self.displays.clear()
        self.clear_later = False


class Printed(str):
    """Text that equals another when only its numbers differ, and those by a thousandth at most.

    >>> Printed("y is 21.0001") == Printed("y is 21.0002"), Printed("y is 21") == Printed("y is 22")
    (True, False)
    """

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        if NUMBER.split(self) != NUMBER.split(other):
            return False
        pairs = zip(NUMBER.findall(self), NUMBER.findall(other), strict=True)
        return all(math.isclose(float(a), float(b), rel_tol=1e-3, abs_tol=1e-6) for a, b in pairs)

    def __ne__(self, other):
        return not self == other


get_message, sanitize = IPyNbFile.get_kernel_message, IPyNbCell.sanitize


def get_kernel_message(self, timeout=None, stream="iopub"):
    while True:
        message = get_message(self, timeout, stream)
        if not (hasattr(self, "screen") and self.screen.takes(message)):
            return message


IPyNbFile.get_kernel_message = get_kernel_message
IPyNbCell.sanitize = lambda self, text: Printed(sanitize(self, text)) if isinstance(text, str) else text
