"""A bit of all that minigrad and viz do, run under each tracer, profiler and debugger in one process.

`python tests/traced.py` prints what came under each, as JSON; `test_tracers.py` starts it and compares. What hangs is
named by its traceback, after a minute.
"""

import bdb
import contextlib
import cProfile
import faulthandler
import io
import json
import os
import pdb
import sys
import threading
import trace
from collections import Counter

import coverage

import minigrad as torch
import minigrad.static as tf
import viz
from viz.lesson.limit import TooLong, _Watch, within
from viz.lesson.trial import judge
from viz.training.live import LivePlot
from viz.training.trainer import trainer


def right(k):
    return 2 * k


def endless(k):
    while True:
        pass


def endless_with_bare_except(k):
    while True:
        try:
            k = -k  # no call: coverage's C tracer and Python 3.13 would bring each TooLong into the `try`
        except:  # noqa: E722
            pass


def endless_recursion(k):
    try:
        return endless_recursion(k)
    except RecursionError:
        return endless_recursion(k)


def wrong(k):
    return k


def fails(k):
    return k / None


ANSWERS = [right, wrong, fails, endless, endless_with_bare_except, endless_recursion]


def exercises():
    """A verdict on each answer; last, on a thread that is not the main one."""
    from viz.lesson.task import TASKS, function

    task = TASKS.get("twice") or function(
        "twice",
        task="Give 2 k.",
        gap="def twice(k):\n    ...",
        solution="def twice(k):\n    return 2 * k",
        points=lambda torch, random: [(3,), (4,)],
        hints=["?", "!"],
        wrong=[],
    )
    said = [judge(task, answer, torch=torch, seconds=0.05).text for answer in ANSWERS]
    thread = threading.Thread(target=lambda: said.append(judge(task, endless, torch=torch, seconds=0.05).kind))
    thread.start()
    thread.join()
    for _ in range(300):  # a TooLong that came late would arrive here
        pass
    return [text.partition(", in line")[0] for text in said]


def product():
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    a = w * 2
    return w, (a * w).sum()


def pictures():
    w, y = product()
    steps = viz.step(y)
    with viz.record() as tape:
        z = w * w
        z.sum().backward()
    return [viz.draw(y).svg, [each["words"] for each in [*steps.events, *tape.events]], w.grad.tolist()]


def clinic():
    told = []
    with contextlib.suppress(RuntimeError), viz.clinic():
        w = torch.tensor([1.0], requires_grad=True)
        try:
            w += 1
        except RuntimeError as error:
            told.append(str(viz.clinic.explain(error)))
            raise
    return told


def plots():
    def train(rate=0.5):
        for i in range(100):
            yield {"loss": rate ** (i % 5)}

    panel, plot = trainer(train, {"rate": (0.1, 0.9, 0.1, 0.5)}), LivePlot(None)
    panel.run(7)
    panel.set(3, rate=0.3)
    for i in range(5):
        plot.update(loss=i)
    return [repr(panel), repr(plot), plot.lines]


def engines():
    traced = torch.jit(lambda x: (x * x + 1).sum())
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    values = [traced(x).item() for _ in range(3)]
    traced(x).backward()
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.float32, [])
        values.append(float(session.run(fed * 2 + 1, {fed: 3})))
    return [values, x.grad.tolist()]


PARTS = [exercises, pictures, clinic, plots, engines]
seen = Counter()  # what a tracer of ours has seen


def seen_call():
    """A tracer that is still there sees this."""
    return True


LAST = seen_call.__code__.co_firstlineno + 2  # a line that runs last of all


def work():
    came = {part.__name__: part() for part in PARTS}
    before = seen["seen_call"]
    seen_call()
    came["still seen"] = seen["seen_call"] > before
    return came


def tracing(frame, event, argument):
    seen[frame.f_code.co_name] += event == "call"
    return tracing


@contextlib.contextmanager
def installed(get, put, what, told):
    """While it is installed; `told` gets what is false afterwards."""
    put(what)
    before = get()
    try:
        yield
    finally:
        after = get()
        put(None)
        if after is not before:
            told["lost"] = f"{before} became {after}"


def under_settrace(told):
    with installed(sys.gettrace, sys.settrace, tracing, told):
        return work()


def under_setprofile(told):
    with installed(sys.getprofile, sys.setprofile, tracing, told):
        return work()


def under_threads_settrace(told):
    """A tracer that follows every thread, as PyTracer and old debuggers do."""
    threading.settrace(tracing)
    try:
        return under_settrace(told)
    finally:
        threading.settrace(None)


def under_cprofile(told):
    profile = cProfile.Profile()
    came = profile.runcall(work)
    seen["seen_call"] = sum(entry.code is seen_call.__code__ for entry in profile.getstats())
    return {**came, "still seen": seen["seen_call"] > 0}


def under_trace_module(told):
    tracer = trace.Trace(count=1, trace=0)
    came = tracer.runfunc(work)
    return {**came, "still seen": LAST in {line for _, line in tracer.results().counts}}


class Stops(pdb.Pdb):
    """pdb that gets a `c` at each prompt."""

    def __init__(self):
        super().__init__(stdin=io.StringIO(), stdout=io.StringIO(), nosigint=True, readrc=False)
        self.stops = Counter()

    def interaction(self, frame, traceback):
        self.stops[frame.f_code.co_name] += 1
        self.set_continue()


def under_pdb(told):
    debugger = Stops()
    for function in (seen_call, wrong):  # two breakpoints, so that it goes on tracing
        debugger.set_break(debugger.canonic(__file__), function.__code__.co_firstlineno + 1)
    came = debugger.runcall(work)
    told["stopped"] = debugger.stops["wrong"] > 0
    debugger.clear_all_breaks()
    return {**came, "still seen": True}


def under_bdb(told):
    """Every line stops, and goes on at once."""

    class Each(bdb.Bdb):
        def user_call(self, frame, arguments):
            seen[frame.f_code.co_name] += 1

        def user_line(self, frame):
            self.set_step()

    return Each().runcall(work)


def under_coverage(told, core="ctrace"):
    os.environ["COVERAGE_CORE"] = core
    cover = coverage.Coverage(data_file=None, include=[__file__], config_file=False)
    cover.start()
    try:
        came = work()
    finally:
        cover.stop()
    return {**came, "still seen": LAST in cover.get_data().lines(os.path.abspath(__file__))}


def under_sysmon(told):
    return under_coverage(told, "sysmon")


def under_pytrace(told):
    return under_coverage(told, "pytrace")


def watching():
    return sum(_Watch.run.__code__ is frame.f_code for frame in sys._current_frames().values())


WAYS = [value for name, value in list(globals().items()) if name.startswith("under_")]
if sys.version_info < (3, 12):
    WAYS.remove(under_sysmon)

if __name__ == "__main__":
    chosen = [way for way in WAYS if way.__name__.removeprefix("under_") in sys.argv[1:]] or WAYS
    results = {}
    for way in [work, *chosen]:
        faulthandler.dump_traceback_later(60, exit=True)
        told = {}
        came = way(told) if way is not work else way()
        results[way.__name__.removeprefix("under_")] = {
            "came": came,
            **told,
            "tracers": repr((sys.gettrace(), sys.getprofile())),
            "watching": watching(),
        }
        with contextlib.suppress(TooLong):
            within(1, right, 1)
    print(json.dumps(results))
