"""How pytest runs this project: which tiers it leaves out, and how nbval compares a notebook's outputs.

`pytest` alone is the fast tier: unit tests, the examples in docstrings and README, the notebooks. What it
leaves out is told at the end, a line a tier.

A notebook's stored outputs are compared with what its cells print now. Text must be equal, but a number
with a decimal point may differ by a thousandth: another processor adds up in another order. nbval knows no
`update_display` and no `clear_output`; here both act on the outputs as they do in JupyterLab. Pictures
change with the version of their library, so what is compared is the text that stands beside each.

Read next: tests/nbval.cfg, what counts as equal (addresses, timings).
"""

import atexit
import faulthandler
import gc
import hashlib
import importlib.util
import math
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import hypothesis
import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

# nbval reads notebooks with nbformat, whose jsonschema imports a grammar of internationalized URLs where JupyterLab has
# installed it: 2.2 s at each start of pytest, for a format that no notebook has. jsonschema does without it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[call-overload]
from nbval.plugin import IPyNbCell, IPyNbFile  # noqa: E402

if sys.modules["rfc3987_syntax"] is None:
    del sys.modules["rfc3987_syntax"]  # from here on, it can be imported as usual

pytest_plugins = ["nbval.plugin"]  # pyproject.toml keeps pytest from importing it before this file

TIERS = {  # marker: what it is, how it is run
    "browser": "JupyterLab in real browsers (needs the extra `dev`, Chromium and Firefox): pytest -m browser",
    "site": "the built site in real browsers (needs the extra `dev`): pytest -m site",
    "torch": "the same programs on real PyTorch (pip install torch==2.13.0): pytest -m torch",
    "grading": "sixty notebooks, ten of them hostile, through `course.py grade`; three minutes: pytest -m grading",
    "verdicts": "the lessons' checks on every answer of tests/verdicts: pytest -m verdicts",
    "benchmarks": "speed and memory beside NumPy and PyTorch: python -m benchmarks",
}
PICTURES = ("image/svg+xml", "text/html")  # besides PNG and widgets, which nbval itself leaves out
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d*(?:e[-+]?\d+)?(?!\w)")

# A newcomer's run and CI's try the same examples, however slow the machine; --hypothesis-profile=default tries new ones
hypothesis.settings.register_profile("course", derandomize=True, deadline=None)
hypothesis.settings.load_profile("course")

# The environment in which the tests were started; their kernels, and the programs they start, inherit it. All stays,
# except these; `python -m tests.worlds` runs the tests in environments that have them.
UNSET = {
    "VIRTUAL_ENV": "where another environment is active, IPython imports its packages, and warns",
    "PYTHONSTARTUP": "IPython runs this file in each kernel",
    "PYTHONWARNINGS": "a kernel would print warnings, or end by one, in libraries that are not ours",
    "PYTHONWARNDEFAULTENCODING": "so would it; our own files are looked through by tests/test_portable.py",
    "PYTHONOPTIMIZE": "an example that asserts would assert nothing",
    "PYTHONINSPECT": "a program that a test starts would wait at its end for what is typed",
    "MPLBACKEND": "plots would leave the page",
    "COLUMNS": "the width in which programs wrap what they print",
    "FORCE_COLOR": "tracebacks and messages would be full of escape sequences",
    "PYTHON_COLORS": "so would they",
    "JUPYTER_PATH": "its kernels would come before ours",
    "JUPYTER_PREFER_ENV_PATH": "so would those of the user's folder",
    "JUPYTER_CONFIG_PATH": "settings of other kernels",
    "MINIGRAD_SOLUTIONS": "a teacher may have turned them off",
    "MINIGRAD_LANG": "texts are compared with the English ones",
}
# These folders are fresh ones: settings, start files and answers are the user's own, and stay as they are.
FRESH = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")


answers = pytest.StashKey[str]()  # a folder with a progress file for each file of tests


def remove(folder, process):
    """Remove the folder, but not in a process that was forked from ours and ends sooner."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(trylast=True)  # pytest itself has seen FORCE_COLOR and COLUMNS by then
def pytest_configure(config):
    folder = tempfile.mkdtemp(prefix="minigrad-tests-")
    atexit.register(remove, folder, os.getpid())  # not sooner: IPython writes its history when Python ends
    for name in UNSET:
        os.environ.pop(name, None)
    os.environ |= {name: os.path.join(folder, name.lower()) for name in FRESH}
    os.environ["PYTHONIOENCODING"] = "utf-8"  # what a program prints is read as UTF-8, whatever the console knows
    config.stash[answers] = os.path.join(folder, "answers")  # see `pytest_runtest_setup`
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(folder, "progress.json")
    matplotlib = Path(importlib.util.find_spec("matplotlib").origin).parent
    os.environ["MATPLOTLIBRC"] = str(matplotlib / "mpl-data" / "matplotlibrc")  # its defaults, and not the user's file
    config.option.nbval_sanitize_with = str(config.rootpath / "tests" / "nbval.cfg")


HANGS = 1200  # seconds; a test that takes longer shows where it is, in every thread, and its process ends
OLD = 60  # seconds after which the next test sets the alarm again


class Alarm:
    """The alarm for a test that hangs: one for all the tests of a minute.

    pytest's own `faulthandler_timeout` sets one for each test. Each is a thread, and to end it, the test waits until
    the system has given this thread a turn: longer than most tests take, where the cores are busy.
    """

    since = -math.inf

    def set(self, stderr):
        if time.monotonic() - self.since > OLD:
            faulthandler.dump_traceback_later(HANGS, exit=True, file=stderr)
            self.since = time.monotonic()

    def is_off(self):
        self.since = -math.inf


alarm = Alarm()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    alarm.set(item.config.stash[fault_handler_stderr_fd_key])


@pytest.hookimpl(tryfirst=True)  # a notebook's kernel starts, and a fixture of a file runs, after it
def pytest_runtest_setup(item):
    """Each file of tests and each notebook begins with no answers.

    An exercise shows what its reader answered last. Which files share a process, and in which order they run there,
    depends on their times, and is different in each run.
    """
    own = hashlib.sha256(os.fsencode(item.path)).hexdigest()[:16]
    os.environ["MINIGRAD_PROGRESS"] = os.path.join(item.config.stash[answers], own, "progress.json")


def pytest_exception_interact():
    alarm.is_off()  # pytest has cancelled it: a debugger may come now, and its user may take an hour


def pytest_enter_pdb():
    alarm.is_off()


OUR_FINDERS = ("minigrad._as_torch.finder", "minigrad._as_torch.submodules")  # other libraries add theirs


def switched_on():
    """What a test may have left behind for those after it, in its process: it is in another process in the next run."""
    from minigrad import get_default_dtype
    from minigrad._engine.nodes import Node
    from minigrad._engine.switches import modes
    from minigrad.autograd.graph import note_lines
    from minigrad.core.modes import Modes

    return {
        "modes": {
            name: value
            for name, value in vars(modes).items()
            if value != getattr(Modes, name) and name != "innermost"  # a note of Switch: it switches nothing
        },
        "lines noted": (len(note_lines.open), "__init__" in vars(Node)),
        "default dtype": get_default_dtype(),
        "imports": [str(finder) for finder in sys.meta_path if getattr(finder, "__module__", "") in OUR_FINDERS],
        "torch": str(sys.modules.get("torch", "not imported")),
        "sys": (sys.excepthook, sys.gettrace(), sys.getprofile(), sys.displayhook),
        "interrupts": signal.getsignal(signal.SIGINT),
        "timer": hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_REAL),  # Windows has none
    }


@pytest.fixture(autouse=True)
def all_switched_back(request):
    """A test that leaves a switch on fails itself, and not some test after it."""
    import minigrad

    minigrad.set_warn_always(
        True
    )  # some warnings come once a process otherwise, and only the first test would see them
    before = switched_on()
    yield
    after = switched_on()
    if request.node.get_closest_marker("torch") and before["torch"] == "not imported":
        before["torch"] = after["torch"]  # a test of this tier may import PyTorch
    assert after == before, "this test left something switched on"


@pytest.fixture(autouse=True, scope="session")
def names_in_examples(doctest_namespace):
    """`torch` and `F`, which the examples in docstrings take for granted."""
    import minigrad

    doctest_namespace.update(torch=minigrad, F=minigrad.nn.functional)


@pytest.fixture(autouse=True, scope="module")
def the_collector_passes_over_earlier_files():
    """What earlier files have left is no garbage: else each later collection looks at it again, for half a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def a_reader_who_begins():
    """In one process, an exercise remembers its tries. A file of tests begins with none, see `pytest_runtest_setup`."""
    if exercise := sys.modules.get("viz.lesson.exercise"):
        exercise._kept.clear()


def pytest_ignore_collect(collection_path, config):
    """Of the files that help tests, only those with examples are imported: scripts that record goldens need PyTorch."""
    helps_tests = config.rootpath / "tests" in collection_path.parents and not collection_path.name.startswith("test_")
    if helps_tests and collection_path.suffix == ".py" and ">>>" not in collection_path.read_text("utf-8"):
        return True
    return None


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest-randomly, which shuffles the tests
def pytest_collection_modifyitems(items):
    """A notebook's cells stay together and in their order, even if a plugin shuffles the tests."""
    yield
    cells = {}
    for item in items:
        if isinstance(item, IPyNbCell):
            cells.setdefault(item.parent, []).append(item)
    if cells:
        rest = [item for item in items if not isinstance(item, IPyNbCell)]
        items[:] = rest + [cell for those in cells.values() for cell in sorted(those, key=lambda cell: cell.cell_num)]


def pytest_collection_finish():
    """The garbage collector passes over the tests themselves: a million objects that stay until the end."""
    gc.collect()
    gc.freeze()


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
        item.output_timeout = 60  # nbval waits 5 s for what a cell prints; a busy machine needs longer
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

    "y is 21.0001" equals "y is 21.0002"; "y is 21" does not equal "y is 22".
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
