"""Running something again and again leaves nothing behind: no widget, no trainer, no entry in a table of ours.

`python tests/test_nothing_grows.py 1000` runs each of the calls so often, prints what has grown, and then what two
hundred trainers take.
"""

import ast
import atexit
import gc
import io
import itertools
import linecache
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import types
import warnings
import weakref
from collections import deque
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F
import minigrad.static as tf
import viz
from viz.lesson.ask import PROBES
from viz.lesson.exercises import load
from viz.lesson.task import TASKS

load()

# -- the tables of our modules ----------------------------------------------------------------------

KINDS = (dict, list, set, deque, weakref.WeakKeyDictionary, weakref.WeakValueDictionary, weakref.WeakSet)
FULL = {  # tables that end at a size of their own
    "minigrad._messages.once._given": 1000,
    "viz.lesson.predict.Prediction.given": 500,
    "viz.explore.drawn.DrawCurve.given": 50,
    "viz.lesson.answers._TEXTS": 200,
}


def sizes():
    """How much is in each table of our modules and classes, and in those of Python that we fill."""
    found = {}
    for name, module in list(sys.modules.items()):
        if module is None or name.partition(".")[0] not in ("minigrad", "viz"):
            continue
        places = [(name, vars(module))]
        for key, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == name:
                places.append((f"{name}.{key}", vars(value)))
        for place, names in places:
            for key, value in list(names.items()):
                value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
                if isinstance(value, KINDS) and key != "__builtins__":
                    found[f"{place}.{key}"] = len(value)
                elif hasattr(value, "cache_info") and value.cache_info().maxsize is None:
                    found[f"{place}.{key}()"] = max(value.cache_info().currsize, 1)
                elif isinstance(value, types.ModuleType | type) or key.startswith("__"):
                    continue
    import comm
    from ipywidgets.widgets import widget

    found["comm"] = len(comm.get_comm_manager().comms)
    found["ipywidgets"] = len(widget._instances if hasattr(widget, "_instances") else widget.Widget.widgets)
    found["atexit"] = atexit._ncallbacks()
    found["linecache"] = sum(not name.startswith("<exercise ") for name in linecache.cache)  # see _texts
    found["hooks of sys"] = len(sys.meta_path) + len(sys.path_hooks)
    return found


@cache
def own_exercises():
    """A teacher's folder with one exercise, which is one of ours under another name."""
    folder = Path(tempfile.mkdtemp())
    page = Path(viz.__file__).parent / "lesson" / "exercises" / "lesson01" / "cube_slope.md"
    shutil.copy(page, folder / "slope_of_a_cube.md")
    atexit.register(shutil.rmtree, folder)
    return folder


def fresh(number):
    """A shape that was not there before."""
    return (1 + number % 7, 1 + number)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def operators(n):
    x = torch.ones(fresh(n), requires_grad=True)
    with torch.no_grad():
        x.exp()
    ((x * n).exp().sum(dim=-1, keepdim=True) + x[:1]).relu().sum().backward()
    torch.topk(x, 1)
    x.view(-1).detach().add_(n)
    x.register_hook(lambda g: g).remove()


def errors(n):
    for wrong in (lambda: torch.ones(n + 2) + torch.ones(n + 3), lambda: torch.ones(2).view(n + 3)):
        with pytest.raises(RuntimeError):
            wrong()


def told_once(n):
    torch.set_warn_always(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert torch.ones(2, n + 2, 1).T.shape == (1, n + 2, 2)
        F.mse_loss(torch.ones(n + 1, 1), torch.ones(n + 1))
        torch.tensor(torch.ones(n + 1))
        torch.add(torch.ones(n + 2), 1, out=torch.ones(n + 1))


def classes(n):
    kind = type(f"Mine{n}", (torch.Tensor,), {})
    x = torch.ones(2, requires_grad=True).as_subclass(kind) if hasattr(torch.Tensor, "as_subclass") else torch.ones(2)
    (x * 2).view(-1)
    function = type(f"Twice{n}", (Twice,), {})
    function.apply(torch.ones(1, requires_grad=True)).backward()
    type(f"Net{n}", (torch.nn.Module,), {})()


def nets(n):
    net = torch.nn.Sequential(torch.nn.Linear(2, n % 5 + 1), torch.nn.ReLU())
    net.register_forward_hook(lambda *_: None)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    torch.utils.checkpoint.checkpoint(net, torch.ones(3, 2), use_reentrant=False).sum().backward()
    optimizer.step()
    net.load_state_dict(net.state_dict())


def others(n):
    file = io.BytesIO()
    torch.save({f"x{n}": torch.ones(n + 1)}, file)
    file.seek(0)
    torch.load(file)
    generator = torch.Generator().manual_seed(n)
    torch.rand(n + 1, generator=generator)
    torch.distributions.Normal(float(n), 1.0).sample()
    torch.autograd.functional.jacobian(lambda x: x * n, torch.ones(2))
    with torch.autograd.set_detect_anomaly(False), torch.autograd.graph.saved_tensors_hooks(abs, abs):
        torch.ones(1, requires_grad=True).exp().backward()


def traces(n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        branch(torch.ones(n + 1), n)
        straight(torch.ones(n + 1), n)
        called(torch.nn.Linear(1, 1), torch.ones(1, 1))
    torch.jit(lambda x: x * n)(torch.ones(2))


@torch.jit
def branch(x, n):
    return x * 2 if x.sum() > 0 else x


@torch.jit
def straight(x, n):
    return x * n


@torch.jit
def called(net, x):
    return net(x)


def graphs(n):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, n + 1], name=f"x{n}")
        session.run(tf.reduce_sum(x * 2.0), {x: np.ones((2, n + 1), np.float32)})


def training(a=1.0):
    for i in range(3):
        yield {"loss": a / (i + 1), "curve": ([0, 1], [i, a])}


def tensor():
    w = torch.tensor([2.0], requires_grad=True)
    return (w + 5) * (w + 1)


def live(n):
    with viz.live() as plot:
        for i in plot.over(range(2)):
            plot.update(**{f"loss{n}": i})
    plot.png()


def clinic(n):
    viz.clinic()
    for _ in range(3):
        optimizer = torch.optim.SGD([torch.ones(n + 1, requires_grad=True)], lr=0.1)
        for p in optimizer.param_groups[0]["params"]:
            p.sum().backward()
        optimizer.step()
    viz.clinic.off()


def questions(n):
    lesson = sorted(PROBES)[n % len(PROBES)]
    viz.before(lesson).answer(1, "?")
    after = viz.after(lesson)
    after.answer(1, PROBES[lesson][0].after.right)
    after._repr_mimebundle_()


def orders(n):
    task = next(task for task in TASKS.values() if task.kind == "order")
    order = next(itertools.islice(itertools.permutations(task.numbers), n % 120, None))
    viz.exercise(task.name).check(" ".join(order))


def lines(n):
    program = {"x": torch.ones(n + 1, requires_grad=True)}
    exec(compile(f"y = (x * {n}).exp().sum()", f"<cell {n}>", "exec"), program)
    viz.draw(program["y"], names={"x": program["x"]})
    viz.step(program["y"], names={f"x{n}": program["x"]})


WIDGETS = {  # name: a cell that shows what it makes, and is run again and again
    "trainer": "viz.trainer(training, dict(a=(0.5, 2.0, 0.5, 1.0)))",
    "trainer, named and started": "t = viz.trainer(training, max_iterations=10**9); t",
    "predict": "viz.predict('1 + 1?', 2)",
    "predict, with choices": "viz.predict('1 + 1?', lambda: '2', {'3': 'no'}, choices=['2', '3'])",
    "exercise": "viz.exercise('relu_backward')",
    "exercises": "from tests.test_nothing_grows import own_exercises; viz.exercises(own_exercises())",
    "exercise, checked": "q = viz.exercise('relu_backward'); q.check(...)",
    "before": "viz.before(7)",
    "after": "viz.after(7)",
    "rerun": "viz.rerun(lambda w: viz.draw(tensor() * w), w=(1, 3, 1, 2))",
    "step": "viz.step(tensor())",
    "step, with predictions": "viz.step(tensor(), predict=True)",
    "record": "with viz.record() as tape:\n    tensor().backward()\ntape",
    "draw": "viz.draw(tensor())",
    "live": "with viz.live() as plot:\n    for i in plot.over(range(3)):\n        plot.update(loss=i)",
    "blind": "viz.blind({'a': 1, 'b': 2})",
    "folded": "with viz.folded():\n    print(1)",
    "course": "viz.course()",
    "clinic": "viz.clinic(); viz.clinic.off()",
    "explore.nudge": "viz.explore.nudge()",
    "explore.rectangle": "viz.explore.rectangle()",
    "explore.ledger": "viz.explore.ledger()",
    "explore.descent": "viz.explore.descent()",
    "explore.slots": "viz.explore.slots()",
    "explore.kink": "viz.explore.kink()",
    "explore.row_and_column": "viz.explore.row_and_column()",
    "explore.draw_curve": "viz.explore.draw_curve(forgets=iter([9.0, 5.0]), clears=iter([9.0, 7.0]))",
    "explore.scissors": "viz.explore.scissors()",
    "explore.unrolled": "viz.explore.unrolled()",
    "explore.memory": "viz.explore.memory(T=(1, 9, 1, 3))",
    "explore.shelf": "viz.explore.shelf()",
    "explore.storages, of tensors": "viz.explore.storages(names={'w': torch.ones(3)})",
    "explore.ring": "viz.explore.ring(graph, 'y')",
    "explore.passes": "viz.explore.passes(plan)",
    "explore.machine": "viz.explore.machine(power, lambda T: (h, session.run(turns, {n: T})), T=(1, 8, 1, 2))",
    "explore.race": "viz.explore.race(abs, lambda: abs, [1, 2])",
    "a question as a widget": "viz.predict('1 + 1?', 2).widget",
}


def test_every_public_maker_is_in_the_table():
    named = {
        ast.unparse(node.func)
        for code in WIDGETS.values()
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
    }
    public = {f"viz.{name}" for name in dir(viz) if callable(getattr(viz, name)) and not name.startswith("_")}
    public |= {
        f"viz.explore.{name}" for name, thing in vars(viz.explore).items() if isinstance(thing, types.FunctionType)
    }
    assert public - named == {"viz.forget", "viz.speak", "viz.Picture", "viz.passes"}, "the last two are made by others"


CALLS = [operators, errors, told_once, classes, nets, others, traces, graphs]
SLOW = [live, clinic, questions, orders, lines]


def grown(call, warm, count):
    """Which tables are larger after `count` more calls."""
    for number in range(warm):
        call(number)
    gc.collect()
    before = sizes()
    for number in range(warm, warm + count):
        call(number)
    gc.collect()
    after = sizes()
    for name, most in FULL.items():
        assert after[name] <= most, f"{name} has {after[name]} entries"
    return {
        name: (before.get(name, 0), size)
        for name, size in after.items()
        if size > before.get(name, 0) and size > FULL.get(name, 0)
    }


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    yield
    torch.set_warn_always(True)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_no_table_grows_with_the_calls(call):
    assert not grown(call, 6, 30)
    for jitted in (branch, straight, called):
        assert max(len(jitted.compiled), len(jitted.uncompiled), len(jitted.modules)) <= 70


@pytest.mark.parametrize("call", SLOW, ids=lambda call: call.__name__)
def test_no_table_of_the_pictures_grows(call):
    assert not grown(call, 14 if call is questions else 3, 5)


def test_a_table_that_ends_at_a_size_does(monkeypatch):
    from minigrad._messages import once

    monkeypatch.setattr(once, "_given", {})
    torch.set_warn_always(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(once.MOST + 50):
            once.warn_once(f"warning {number}")
    assert len(once._given) == once.MOST


def test_jit_forgets_the_oldest_refusals():
    @torch.jit
    def refused(x):
        return x * 2 if x.sum() > 0 else x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(100):
            refused(torch.ones(number + 1))
    assert len(refused.uncompiled) == 64 and refused.uncompiled.keys() > {refused.signature((torch.ones(100),), {})}


# -- a cell that is run again -----------------------------------------------------------------------

SETTING = """
import sys, warnings
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import minigrad as torch, minigrad.static as tf, viz
from tests.test_nothing_grows import sizes, tensor, training, WIDGETS
shell.user_ns.update(torch=torch, tf=tf, viz=viz, tensor=tensor, training=training)
shell.run_cell('''
with tf.Graph().as_default() as graph:
    x = tf.placeholder(tf.float32, [], name="x")
    y, z = tf.exp(x, name="y"), tf.sin(x, name="z")
    n = tf.placeholder(tf.int32, [], name="n")
    turns, h = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, h * 0.5), [0, 0.5])
    session = tf.Session()
    plan = session.plan(x * (tf.constant(2.0) * 3.0), [x])
def power(T):
    w = torch.tensor([0.5], requires_grad=True)
    h = w
    for _ in range(T):
        h = h * w
    return h
''')
def run(code, cell):
    result = shell.run_cell(code, store_history=True, cell_id=cell)
    result.raise_error()
import gc
gc.collect()
gc.freeze()  # the libraries stay: later collections pass over them, and see what the cells make
"""

AGAIN = """
import gc
from ipywidgets import Widget
from viz import alive
for name, code in WIDGETS.items():
    seen = []
    for times in (1, int(sys.argv[1])):
        for _ in range(times):
            run(code, name)
        gc.collect()
        run("", "another")
        seen.append(sizes())
    shown = {key: len(each) for key, each in alive._shown.items() if each}
    grown = {key: (seen[0].get(key), size) for key, size in seen[1].items() if size > seen[0].get(key, 0)}
    grown = {key: value for key, value in grown.items() if key not in ("linecache",)}
    print("RESULT", name, "|", grown or "nothing has grown", shown.get(name, 0), file=sys.stderr)
"""


def in_a_shell(code, *arguments):
    """Run this where IPython runs cells that have ids; what it prints on stderr."""
    root = str(Path(__file__).parent.parent)
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    program = SETTING + textwrap.dedent(code)
    command = [sys.executable, "-W", "ignore", "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, timeout=550)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stderr


def test_a_cell_that_is_run_again_leaves_no_widget_behind():
    said = [line for line in in_a_shell(AGAIN, 1).splitlines() if line.startswith("RESULT")]
    assert len(said) == len(WIDGETS)
    assert not [line for line in said if "nothing has grown" not in line]


def test_what_a_page_shows_lives_and_what_a_reader_names_too():
    in_a_shell("""
        import gc, weakref
        from ipywidgets.widgets import widget
        from viz import alive
        run("viz.trainer(training)", "a")
        first = weakref.ref(alive._shown["a"][0])
        for _ in range(5):
            run("None", "b")
            run("1 + 1", "c")
        gc.collect()
        assert first() is not None, "it stands on the page"
        run("2", "a")
        gc.collect()
        assert first() is None, "its cell has been run again"
        run("t = viz.trainer(training)", "make")
        run("t", "show")
        kept = weakref.ref(shell.user_ns["t"])
        button = kept().start_button
        run("t", "show")
        run("t", "show")
        assert kept() is shell.user_ns["t"] and button.comm is not None
        run("0", "show")
        assert kept() is not None and button.comm is not None, "it has a name"
        run("t", "show again")
        run("t = 3", "make")
        run("", "any")
        assert kept() is not None and button.comm is not None, "another cell shows it"
        run("4", "show again")
        run("", "any")
        assert kept() is None and button.comm is None, "neither a name nor a page"
        run("viz.explore.nudge().widget", "inside")
        run("", "any")
        gc.collect()
        assert [type(each).__name__ for each in alive._shown["inside"]] == ["Nudge"], "its buttons work"
        """)


def memory():
    """Megabytes of this process."""
    status = Path("/proc/self/status")
    return int(status.read_text(encoding="utf-8").partition("VmRSS:")[2].split()[0]) / 1024 if status.exists() else 0.0


def test_trainers_in_a_loop_are_freed_at_once():
    gc.collect()
    references, before = [], sizes()
    for _ in range(6):
        panel = viz.trainer(training, dict(a=(0.5, 2.0, 0.5, 1.0)))
        panel._repr_mimebundle_()
        references.append(weakref.ref(panel))
    assert [each() for each in references] == [None] * 5 + [panel], "without the garbage collector"
    del panel
    viz.alive.sweep()
    after = sizes()
    assert after["ipywidgets"] <= before["ipywidgets"] and after["comm"] <= before["comm"]


def test_a_chart_lets_its_pixels_go_after_the_last_frame():
    with viz.live() as plot:
        plot.update(loss=1.0)
    first = plot.png()
    assert plot._chart._background is None and plot.png() is first
    plot.update(loss=0.5)
    assert plot.png() != first


if __name__ == "__main__":
    import tempfile

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINIGRAD_PROGRESS"] = str(Path(folder, "progress.json"))
        for call in (*CALLS, *SLOW):
            times = count if call in CALLS else max(count // 20, 5)
            print(f"{call.__name__}, {times} times: {grown(call, 14, times) or 'nothing has grown'}", flush=True)
        seen = []
        for number in range(200):
            panel = viz.trainer(training, dict(a=(0.5, 2.0, 0.5, 1.0)))
            panel._repr_mimebundle_()
            if number % 50 == 49:
                seen.append(f"{memory():.0f} MB")
        print("trainers: after 50, 100, 150 and 200 of them", ", ".join(seen))
        print(in_a_shell(AGAIN, 50 if count >= 1000 else 5))
