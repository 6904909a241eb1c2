"""The world of a kernel in a browser, as far as another system can imitate it.

Read next: ../test_viz_browser.py, which tests what viz does there; `pytest -m site` opens real browsers.
"""

from .windows import at_each_start
from .world import Start, world

# What a browser's Python lacks. `graphviz_wasm` stands for the WebAssembly engine: it is the pinned one, in a process
# whose start this file alone may ask for.
MISSING = """
import sys

if any("pytest" in each for each in sys.orig_argv):
    import _thread, asyncio, ctypes, importlib.machinery, importlib.metadata, multiprocessing, shutil, socket, types
    import subprocess, sysconfig

    usual, folder = subprocess.check_output, sysconfig.get_path("scripts")
    engine = types.ModuleType("graphviz_wasm")
    engine.__spec__ = importlib.machinery.ModuleSpec("graphviz_wasm", None)
    program = shutil.which("graphviz-pure", path=folder) or shutil.which("graphviz-pure")
    engine.layout = lambda source: usual([program, "-Tjson0"], input=source.encode()).decode()
    sys.modules["graphviz_wasm"] = engine

    def refused(*_, **__):
        raise RuntimeError("can't start new thread")

    class NoProcess(Popen := subprocess.Popen):
        def __init__(self, command, *rest, **options):
            if command[0] != program:
                raise OSError(138, "Emscripten does not support processes")
            super().__init__(command, *rest, **options)

    import threading

    _thread.start_new_thread = threading._start_new_thread = refused
    if hasattr(threading, "_start_joinable_thread"):
        threading._start_joinable_thread = refused
    subprocess.Popen = NoProcess
    sys.modules["resvg_py"] = sys.modules["threadpoolctl"] = None  # not to be imported, nor found
    sys.platform = "emscripten"
"""

TESTS = """
    tests/test_viz_step.py tests/test_viz_ledger.py tests/test_viz_predict.py tests/test_viz_trainer.py
    tests/test_own_engine.py tests/test_viz_clinic_quiet.py
""".split()
STARTS_PROGRAMS = [
    "tests/test_viz_step.py::test_a_program_for_which_torch_is_minigrad_is_recorded_as_any_other",
    "tests/test_own_engine.py::test_who_solves_it_all_trains_with_their_own_and_keeps_it_in_a_file",
]


@world
def browser(start: Start) -> None:
    """As in a browser: no threads, no processes, no `resvg_py` and no `threadpoolctl`, and Graphviz is a module."""
    at_each_start(start, MISSING)
    start.options += [f"--deselect={each}" for each in STARTS_PROGRAMS]
    start.tests = TESTS
