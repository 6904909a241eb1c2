"""viz in a browser's Python, with what is missing there imitated: threads, processes, packages that are not loaded yet.

The world `browser` of `python -m tests.worlds` runs more tests like this; `pytest -m site` opens real browsers.
"""

import io
import subprocess
import sys
import time
import types
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import viz
from viz import browser
from viz.lesson import limit, progress
from viz.lesson.limit import Allowance, TooLong, within

ROOT = Path(__file__).parents[1]
VIZ = Path(viz.__file__).parent
WATCHED = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="sys.monitoring came with Python 3.12; in a browser, Python is 3.14"
)


class Page:
    """What Pyodide offers to Python: packages on the page's server, and a way to wait for them."""

    def __init__(self, monkeypatch, waits=True):
        self.loaded, self.there = [], set()
        monkeypatch.setattr(sys, "platform", "emscripten")
        monkeypatch.setattr(browser, "find_spec", lambda name: name in self.there or None)
        js, ffi = types.ModuleType("pyodide_js"), types.ModuleType("pyodide.ffi")
        js.loadPackage = lambda name: ("promise", name)
        ffi.can_run_sync, ffi.run_sync = lambda: waits, self.wait
        for name, module in (("pyodide_js", js), ("pyodide", types.ModuleType("pyodide")), ("pyodide.ffi", ffi)):
            monkeypatch.setitem(sys.modules, name, module)

    def wait(self, promise):
        self.loaded.append(promise[1])
        self.there.add(promise[1])


def test_a_package_is_loaded_at_its_first_use_only(monkeypatch):
    browser.fetch("no_such_package")  # not in a browser: nothing happens
    page = Page(monkeypatch)
    browser.fetch("matplotlib")
    browser.fetch("matplotlib")
    assert page.loaded == ["matplotlib"]


def test_a_browser_in_which_python_cannot_wait_says_what_to_write(monkeypatch):
    page = Page(monkeypatch, waits=False)
    with pytest.raises(ModuleNotFoundError, match="Write `import matplotlib` at the top of this cell and run it again"):
        browser.fetch("matplotlib")
    page.there.add("matplotlib")
    browser.fetch("matplotlib")


LATE = """
import sys, types
import numpy
class Absent:  # matplotlib and Pillow are on the page's server until they are asked for
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("matplotlib", "PIL") and not asked:
            raise ModuleNotFoundError(name)
asked = []
sys.meta_path.insert(0, Absent())
import viz, viz.browser, viz.training.live, viz.training.trainer, viz.drawing.pdf
import importlib
for name in {names}:
    importlib.import_module(name)
def fetch(name):
    asked.append(name)
usual = viz.browser.fetch
for module in list(sys.modules.values()):
    if getattr(module, "fetch", None) is usual:
        module.fetch = fetch
assert "matplotlib" not in sys.modules and not asked
if {kind!r} == "live":
    plot = viz.training.live.LivePlot(lambda *_: None)
    plot.update(loss=1.0)
    plot.finish()
else:
    viz.drawing.pdf.pdf_of('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9"/>')
assert asked and "matplotlib" in sys.modules, asked
"""


@pytest.mark.parametrize("kind", ["live", "pdf"])
def test_importing_all_of_viz_needs_no_matplotlib_and_the_first_plot_fetches_it(kind):
    files = (path.relative_to(ROOT).with_suffix("") for path in VIZ.rglob("*.py"))
    names = sorted(
        ".".join(path.parts) for path in files if path.stem not in ("__init__", "__main__", "update", "extract")
    )
    program = LATE.format(names=names, kind=kind)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


def test_no_other_file_asks_which_system_a_browser_is():
    asks = {path.name for path in VIZ.rglob("*.py") if "emscripten" in path.read_text(encoding="utf-8")}
    assert asks == {"browser.py"}


def test_progress_is_kept_in_the_storage_of_the_browser(monkeypatch, tmp_path):
    monkeypatch.delenv("MINIGRAD_PROGRESS", raising=False)
    monkeypatch.setattr(browser, "DRIVE", str(tmp_path / "drive"))
    before = progress.place()
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert progress.place() == before  # no storage: a private window
    (tmp_path / "drive").mkdir()
    monkeypatch.delattr("fcntl.flock", raising=False)  # as there
    assert progress.place().parent == tmp_path / "drive"
    progress.note("exercises", "own_slopes", right=True)
    assert progress.known()["exercises"]["own_slopes"]["right"] is True
    assert [path.name for path in (tmp_path / "drive").iterdir()] == ["minigrad-progress.json"]
    progress.forget()
    assert not progress.place().exists()


# -- Run All ---------------------------------------------------------------------------------------


@pytest.fixture
def kernel(monkeypatch):
    """IPython as JupyterLite's kernel has it: an error is kept in `_last_traceback`, and ends Run All."""
    shell = InteractiveShell()
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    shell._last_traceback = None
    shell.kernel = types.SimpleNamespace(parent={}, get_parent=lambda: shell.kernel.parent)

    def keep(kind, error, lines):
        shell._last_traceback = {"ename": str(kind), "evalue": str(error), "traceback": lines}

    shell._showtraceback = keep
    browser.listen()
    yield shell
    shell.events.unregister("post_run_cell", browser.announced)


def ran(shell, source, *, stops=True):
    """What a cell prints to stderr, and whether Run All goes on after it."""
    shell._last_traceback = None
    shell.kernel.parent = {"content": {"stop_on_error": stops}, "metadata": {"cellId": "c1"}}
    with redirect_stderr(io.StringIO()) as printed:
        shell.run_cell(source)
    return printed.getvalue(), shell._last_traceback is None


def test_run_all_goes_on_after_an_error_that_the_cell_announces(kernel):
    printed, goes_on = ran(kernel, "raise ValueError('as announced')", stops=False)
    assert goes_on and "ValueError" in printed and "as announced" in printed


def test_run_all_stops_at_all_other_errors(kernel):
    assert ran(kernel, "raise ValueError('a surprise')") == ("", False)
    assert ran(kernel, "1 + 1", stops=False) == ("", True)


def test_a_cell_is_known_by_its_id(kernel):
    ran(kernel, "1 + 1")
    assert viz.alive.cell_of(kernel) == "c1"


def test_elsewhere_nothing_listens(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    shell._last_traceback = None
    browser.listen()
    assert browser.announced not in shell.events.callbacks["post_run_cell"]


# -- a deadline without threads --------------------------------------------------------------------


@pytest.fixture
def alone(monkeypatch):
    def start(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(limit, "start_new_thread", start)


def endless():
    while True:
        pass


def with_bare_except():
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def in_a_call():
    return list(iter(lambda: 0, 1))


def in_a_generator():
    return sum(1 for _ in iter(int, 1))


def opening_and_closing():
    import minigrad as torch

    while True:
        with torch.no_grad():
            torch.ones(2) + 1


@WATCHED
@pytest.mark.parametrize("loop", [endless, with_bare_except, in_a_call, in_a_generator, opening_and_closing])
def test_an_endless_loop_is_stopped_without_threads(alone, loop):
    start = time.monotonic()
    with pytest.raises(TooLong):
        within(0.2, loop)
    assert time.monotonic() - start < 20
    import minigrad as torch

    assert torch.is_grad_enabled()
    assert [sys.monitoring.get_tool(number) for number in range(3, 5)] == [None, None]


@WATCHED
def test_one_allowance_serves_several_calls(alone):
    allowance = Allowance(0.3)
    assert within(allowance, max, 2, 3) == 3
    with pytest.raises(TooLong):
        within(allowance, endless)
    assert allowance.used_up
    with pytest.raises(TooLong):
        within(allowance, endless)


@WATCHED
def test_an_inner_deadline_ends_only_its_own_call(alone):
    def outer():
        with pytest.raises(TooLong):
            within(0.1, endless)
        return sum(range(1000))

    assert within(30, outer) == 499500


@WATCHED
def test_a_loop_is_not_stopped_where_all_tools_are_taken(alone):
    numbers = [number for number in range(sys.monitoring.OPTIMIZER_ID) if sys.monitoring.get_tool(number) is None]
    for number in numbers:
        sys.monitoring.use_tool_id(number, "another program")
    try:
        assert within(0, sum, [1, 2]) == 3
    finally:
        for number in numbers:
            sys.monitoring.free_tool_id(number)


def test_without_threads_a_result_and_an_error_arrive(alone):
    assert within(5, max, 2, 3) == 3
    with pytest.raises(ZeroDivisionError):
        within(5, lambda: 1 / 0)


ZIPPED = """
import sys
name = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
sys.path.append(name)  # as in Pyodide
from viz.errors import lines
assert f"{name}/_py_warnings.py".startswith(lines.libraries())
assert not "/home/pyodide/program.py".startswith(lines.libraries())
"""


def test_the_library_of_python_is_not_the_reader_s_code_where_it_is_a_zip_file():
    done = subprocess.run([sys.executable, "-c", ZIPPED], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
