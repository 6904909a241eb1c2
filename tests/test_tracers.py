"""Exercises, pictures, the clinic, plots and engines under each tracer, profiler and debugger: as without one.

`traced.py` does the work, in one process for all of them. Each begins with exercises that hit their time limit, so a
thread that a limit leaves unclean is seen here.
"""

import gc
import json
import random
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import pytest

from viz.lesson.limit import Allowance, TooLong, _Watch, within

HERE = Path(__file__).parent


def test_everything_gives_the_same_under_each_tracer(tmp_path):
    done = subprocess.run([sys.executable, HERE / "traced.py"], capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stderr[-4000:]
    results = json.loads(done.stdout.splitlines()[-1])
    usual = results.pop("work")["came"]
    assert usual["exercises"][0].startswith("✓") and len(results) >= 8
    for name, result in results.items():
        assert result["came"] == {**usual, "still seen": True}, name
        assert "lost" not in result and result["watching"] == 0, (name, result)
        assert result["tracers"] == "(None, None)" and result.get("stopped", True), (name, result)


def test_a_check_that_ends_in_time_sends_nothing(monkeypatch):
    """On Python 3.11 no traced call begins after PyThreadState_SetAsyncExc(thread, NULL)."""
    monkeypatch.setattr("viz.lesson.limit._Watch._send", lambda self: pytest.fail("it has sent something"))
    assert within(5, sum, [1, 2]) == 3


def test_time_that_is_no_work_of_the_code_does_not_count():
    rest = threading.Event()

    def waits():
        for _ in range(10):
            rest.wait(0.02)
        return "done"

    def loops():
        while True:
            rest.wait(0.001)

    assert within(Allowance(0.1, 60), waits) == "done"
    with pytest.raises(TooLong):
        within(Allowance(60, 0.1), loops)


def test_a_library_that_is_imported_is_not_cut_short(tmp_path, monkeypatch):
    """It would stay half made, and every later answer would fail with it."""
    (tmp_path / "slow_library.py").write_text(
        "import time\nend = time.thread_time() + 0.5\nwhile time.thread_time() < end:\n    pass\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def lazy():
        import slow_library

        return slow_library.end

    assert within(0.1, lazy) > 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that interrupts at a chosen time")
def test_ctrl_c_leaves_no_watching_thread_no_hook_and_nothing_on_its_way(runs=600):
    def ends():
        for _ in range(1000):
            pass

    def loops():
        while True:
            pass

    def interrupt(*_):
        raise KeyboardInterrupt

    def watching():
        stacks = [list(traceback.walk_stack(frame)) for frame in sys._current_frames().values()]
        return sum(frame.f_code is _Watch.run.__code__ for stack in stacks for frame, _ in stack)

    gc.disable()  # hypothesis listens to the garbage collector, and an interrupt that meets it there is lost
    rng, hook, usual, cut = random.Random(0), sys.unraisablehook, signal.signal(signal.SIGALRM, interrupt), 0
    try:
        for number in range(runs):
            limit, call, longest = (5, ends, 6e-4) if number % 4 else (0.004, loops, 0.02)
            try:
                try:
                    signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, longest))
                    within(limit, call)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                cut += 1
            except TooLong:
                pass
            for _ in range(300):  # a TooLong that came late would arrive here
                pass
    finally:
        signal.signal(signal.SIGALRM, usual)
        gc.enable()
    end = time.monotonic() + 60
    while watching() and time.monotonic() < end:
        time.sleep(0.01)
    assert not watching() and sys.unraisablehook is hook and cut > runs / 10


BREAKPOINT = """
import time
import minigrad as torch, viz

def two_paths(k):
    print("kept")
    breakpoint()
    return k

from viz.lesson.task import function
from viz.lesson.trial import judge
task = function("twice", task="", gap="def two_paths(k):\\n    ...", solution="def two_paths(k):\\n    return 2 * k",
                points=lambda torch, random: [(3,)], hints=[], wrong=[])
verdict = judge(task, two_paths, torch=torch, seconds=0.2)
print("verdict:", verdict.text, "printed:", verdict.printed)
"""


@pytest.mark.parametrize("typed", ["c", "q"])
def test_breakpoint_in_the_readers_code_shows_its_prompt_and_is_not_timed(tmp_path, typed):
    """The person at the prompt takes longer than the limit; `q` ends the check, as it ends any program."""
    (tmp_path / "script.py").write_text(BREAKPOINT, encoding="utf-8")
    commands = f"p 'at', k\n!time.sleep(0.5)\n!sum(range(10**7))\n{typed}\n" + ("y\n" if typed == "q" else "")
    done = subprocess.run(
        [sys.executable, "script.py"], input=commands, capture_output=True, encoding="utf-8", timeout=300, cwd=tmp_path
    )
    assert "(Pdb) ('at', 3)" in done.stdout
    if typed == "c":
        assert "verdict: ✗ At `two_paths(3)`: expected `6`, your code gave `3`. printed: kept\n" in done.stdout
    else:
        assert "verdict:" not in done.stdout
