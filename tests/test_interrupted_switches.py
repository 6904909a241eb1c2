"""Ctrl-C leaves no switch on: at each place of each `with` of ours where Python lets an interrupt in.

Afterwards every switch is as it was before. SWITCHES is the list; a new context manager that is not in it fails a test.
The count: python tests/test_interrupted_switches.py 20000
"""

import ast
import builtins
import contextlib
import copy
import gc
import io
import random as pythons
import signal
import sys
import time
import warnings
from pathlib import Path
from threading import get_ident

import numpy as np
import pytest
from test_interrupts import Doubled

import minigrad as torch
import minigrad.static as tf
import viz
from minigrad._engine.nodes import Node
from minigrad._engine.switches import Switch, modes, turn
from minigrad._machine.device import device
from minigrad.autograd.graph import note_lines, observe_backward, observe_operators, saved_tensors_hooks
from minigrad.core.modes import Modes, switched
from minigrad.static.defaults import stack
from minigrad.utils.checkpoint import checkpoint
from minigrad.utils.data import DataLoader
from minigrad.utils.data.worker import turn as at_work
from viz.lesson.limit import signals
from viz.lesson.long_ranges import interruptible as long_ranges
from viz.lesson.quiet import as_it_was, quiet

sys.path.insert(0, str(Path(__file__).parent))
from interrupting import interrupts

ROOT = Path(__file__).parents[1]
W = torch.ones(3, requires_grad=True)
GRAPH = tf.Graph()


def standing():
    """Everything that a `with` of ours switches, as it is now."""
    names = [name for name in vars(Modes) if not name.startswith("_") and not callable(getattr(Modes, name))]
    kept = {name: getattr(modes, name) for name in names if name not in ("special", "forbid", "innermost")}
    kept["asked for"] = modes.state == 0 or get_ident() in switched
    kept["NumPy"] = np.geterr()
    kept["Python"] = sys.stdout, sys.stderr, sys.displayhook, sys.excepthook, signal.getsignal(signal.SIGINT)
    kept["range"] = builtins.range
    kept["warnings"] = [*warnings.filters], warnings.showwarning
    kept["lines"] = len(note_lines.open), "__init__" in vars(Node)
    kept["device"] = device.default, len(device.outer)
    kept["dtype"] = torch.get_default_dtype()
    kept["backends"] = [
        {name: value for name, value in vars(each).items() if isinstance(value, bool)}
        for each in (torch.backends.cudnn, torch.backends.mkldnn)
    ]
    kept["TensorFlow"] = [*stack.graphs], [*stack.sessions]
    kept["graph"] = GRAPH.variable_scope and GRAPH.variable_scope.name, GRAPH._scope, [*GRAPH._controls]
    kept["block"] = GRAPH.current
    kept["random"] = torch.get_rng_state().tolist(), pythons.getstate(), getattr(at_work, "worker", None)
    kept["hooks"] = len(W._hooks or ()), W.grad is None
    kept["matplotlib"] = [sys.modules["matplotlib"].rcParams["pdf.fonttype"]] if "matplotlib" in sys.modules else []
    kept["own namespace"] = sorted(NAMES)
    return kept


def differing(before, now):
    return {name: (before[name], now[name]) for name in before if before[name] != now[name]}


def using(make):
    """A `with` around an operator."""

    def work():
        with make():
            W * W

    return work


NAMES = {}


@torch.no_grad()
def decorated():
    return W * 2


@torch.no_grad()
def decorated_generator():
    yield W * 2
    yield W * 3


def backward_with_checkpoint(reentrant):
    w = torch.ones(3, requires_grad=True)
    checkpoint(lambda w: (w * w).exp(), w, use_reentrant=reentrant).sum().backward()


def backward(**how):
    w = torch.ones(3, requires_grad=True)
    w.register_hook(lambda grad: grad * 1)
    Doubled.apply(w * w).sum().backward(**how)


def optimizer_step():
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)

    def closure():
        loss = (w * w).sum()
        loss.backward()
        return loss

    optimizer.step(closure)


def loader():
    with torch.random.fork_rng():
        for _ in DataLoader([1.0, 2.0], num_workers=2):
            pass


def scopes():
    with GRAPH.as_default(), tf.variable_scope("a"), tf.name_scope("b"), GRAPH.control_dependencies([]):
        with tf.device("cpu"):
            pass


def session():
    with tf.Session(graph=GRAPH) as s, s.as_default():
        pass


def drawn():
    w = torch.ones((), requires_grad=True)
    y = w * w
    with viz.record():
        (y + w).backward()
    viz.step(y * 2)


def plugged():
    from viz.lesson.exercises.lesson13.judges import plugged

    given = eval("lambda: 1", NAMES)
    with plugged(given, other=1):
        pass


NET = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())


def module():
    viz.draw(NET, torch.ones(1, 2))


def folded():
    with as_it_was():
        sys.stdout = io.StringIO()
        with viz.folded("a"):
            print("b")


def numpy_in_silence():
    torch.tensor([1e300, 1.0])


def generator_holds_a_switch():
    def steps():
        with torch.no_grad():
            yield 1

    each = steps()
    next(each)
    each.close()


def nested():
    with torch.no_grad():
        with torch.enable_grad():
            with torch.autograd.set_detect_anomaly(False), torch.inference_mode():
                W * W
            W * W


def again():
    off = torch.no_grad()
    with off, off:
        W * W
    with off:
        W * W


SWITCHES = {  # how to use it, or why not
    "autograd.grad_mode.no_grad": using(torch.no_grad),
    "autograd.grad_mode.enable_grad": using(torch.enable_grad),
    "autograd.grad_mode.inference_mode": using(torch.inference_mode),
    "autograd.grad_mode.set_grad_enabled": using(lambda: torch.set_grad_enabled(False)),
    "autograd.grad_mode.set_detect_anomaly": using(lambda: torch.autograd.set_detect_anomaly(True)),
    "autograd.grad_mode.detect_anomaly": using(torch.autograd.detect_anomaly),
    "autograd.grad_mode.saved_tensors_hooks": using(lambda: saved_tensors_hooks(lambda x: x, lambda x: x)),
    "autograd.grad_mode.Decorator": decorated,
    "autograd.grad_mode._Named": lambda: [*decorated_generator()],
    "autograd.grad_mode._FromNowOn": nested,
    "autograd.graph.observe_operators": using(lambda: observe_operators(lambda *_: None)),
    "autograd.graph.observe_backward": using(lambda: observe_backward(lambda *_: None)),
    "autograd.graph.note_lines": using(note_lines),
    "autograd.function": lambda: Doubled.apply(W),
    "backward": lambda: backward(),
    "backward, recorded": lambda: torch.autograd.grad(Doubled.apply(W).sum(), W, create_graph=True),
    "saved": lambda: using(lambda: saved_tensors_hooks(lambda x: x * 1, lambda x: x))(),
    "_engine.switches.Switch": using(lambda: Switch(grad=False)),
    "_engine.switches.Switch, twice": again,
    "_engine.switches.Switch, in a generator": generator_holds_a_switch,
    "core.modes.Switch": "only where the core is used alone; it shows the idea, and Ctrl-C may leave it on",
    "_machine.interrupts.Block": nested,
    "_machine.interrupts.Whole": optimizer_step,
    "_machine.interrupts.Restored": using(note_lines),
    "_engine.hooks.Handle": "a hook that was registered, not a switch; who catches Ctrl-C still has the handle",
    "random.fork_rng": lambda: fork(),
    "_machine.device.device": using(lambda: torch.device("cpu")),
    "backends.cudnn.flags": using(lambda: torch.backends.cudnn.flags(enabled=False)),
    "backends.mkldnn.flags": using(lambda: torch.backends.mkldnn.flags(enabled=False)),
    "utils.checkpoint.numbers_from": lambda: backward_with_checkpoint(False),
    "utils.checkpoint, reentrant": lambda: backward_with_checkpoint(True),
    "utils.data.worker.at_work": loader,
    "_tracing.compiled": lambda: torch.jit(lambda x: x * x + 1)(W),
    "_tensors.creation.tensor": numpy_in_silence,
    "_compiler.graph.name_scope": scopes,
    "_compiler.graph.building": lambda: while_loop(),
    "static.graph.control_dependencies": scopes,
    "static.graph.name_scope": scopes,
    "static.graph.device": scopes,
    "static.variables.variable_scope": scopes,
    "static.defaults.pushed": scopes,
    "static.session.Session": session,
    "viz.graph.listen.listening": drawn,
    "viz.graph.listen.hearing_all": module,
    "viz.graph.module": module,
    "viz.stepper.record.Tape": drawn,
    "viz.lesson.quiet.quiet": using(quiet),
    "viz.lesson.quiet.as_it_was": using(as_it_was),
    "viz.lesson.limit.signals": using(signals),
    "viz.lesson.limit._looking": "only in a browser's Python, which no Ctrl-C reaches",
    "viz.lesson.long_ranges.interruptible": using(lambda: long_ranges(True)),
    "viz.lesson.folded.folded": folded,
    "viz.lesson.exercises.lesson13.judges.plugged": plugged,
    "viz.training.live.LivePlot": "nothing is switched: its end paints the last frame, which the cell's end does, too",
    "viz.errors.clinic.Clinic": "test_viz_clinic.py",
    "viz.lesson.pages.Noted": "nothing is switched: a mistake in a page goes into a list",
    "_as_torch.finder.Standin": "whole programs run in it: it changes where `import torch` looks, and no number",
}


def fork():
    with torch.random.fork_rng():
        torch.rand(2)


def while_loop():
    with tf.Graph().as_default():
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])


WORKS = {name: work for name, work in SWITCHES.items() if callable(work)}
FEW = (
    "_tracing.compiled",
    "viz.graph.listen.listening",
    "viz.stepper.record.Tape",
    "viz.graph.module",
    "viz.graph.listen.hearing_all",
)
ALSO = {"autograd.grad_mode.set_grad_enabled": "grad", "autograd.grad_mode.set_detect_anomaly": "anomaly"}


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C raises, as in a terminal, and no collector listens (hypothesis does, to whom Ctrl-C may come then)."""
    gc.disable()
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    signal.signal(signal.SIGINT, handler)
    gc.enable()
    W.grad = None
    turn({})


def wrong_after(name, before, where):
    """What an interrupt has left on. (A call of `set_grad_enabled` that was over turns it from now on: so it must, for
    what Python does next, to enter a `with`, it can't know.)"""
    wrong = differing(before, standing())
    if ALSO.get(name) in wrong and (where.endswith(("__enter__", "work", "<lambda>")) or "using" in where):
        turn({ALSO[name]: before[ALSO[name]]})
        wrong = differing(before, standing())
    return wrong


@pytest.mark.parametrize("name", WORKS)
def test_ctrl_c_leaves_no_switch_on(name, most=40):
    work = WORKS[name]
    work()
    W.grad = None
    before, came = standing(), 0
    for where in interrupts(work, 8 if name in FEW else most):
        W.grad = None
        came += bool(where)
        wrong = wrong_after(name, before, where)
        assert not wrong, f"after Ctrl-C in {where}: {wrong}"
    assert came


def managers():
    """Each context manager in the two packages, by its file and its name."""
    for package in ("minigrad", "viz"):
        for file in (ROOT / package).rglob("*.py"):
            parts = file.relative_to(ROOT).with_suffix("").parts[int(package == "minigrad") :]
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                name = ".".join([*parts, str(getattr(node, "name", ""))])
                if isinstance(node, ast.ClassDef):
                    bases = {ast.unparse(base) for base in node.bases}
                    own = {getattr(each, "name", "") for each in node.body}
                    if "__enter__" in own or bases & {"Switch", "Decorator", "_Named", "_FromNowOn", "Restored"}:
                        yield name
                elif isinstance(node, ast.FunctionDef):
                    if {ast.unparse(each) for each in node.decorator_list} & {"restoring", "contextmanager"}:
                        yield name


def test_each_context_manager_is_interrupted_here():
    assert sorted(set(managers()) - {*SWITCHES}) == []


def test_no_context_manager_is_made_by_contextlib():
    """Its `__exit__` begins in Python, where Ctrl-C may come before the generator is told."""
    lesson = "viz/lesson/exercises/lesson13/judges.py"  # whose exercise is about that decorator
    files = [file for package in ("minigrad", "viz") for file in (ROOT / package).rglob("*.py")]
    found = [str(file.relative_to(ROOT)) for file in files if "import contextmanager" in file.read_text("utf-8")]
    assert [file for file in found if file != lesson] == []


def off_by_hand():
    torch.no_grad().__enter__()


def off_in_a_stack(held):
    held.enter_context(torch.no_grad())


def test_what_is_entered_by_hand_stays_until_it_is_left_by_hand():
    """Also where nothing else refers to it, and the collector has run: no repair takes it for forgotten."""
    off_by_hand()
    gc.collect()
    assert not torch.is_grad_enabled() and not (W * W).requires_grad
    turn({"grad": True})
    with contextlib.ExitStack() as held:
        off_in_a_stack(held)
        gc.collect()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    gc.collect()
    with torch.enable_grad():
        assert torch.is_grad_enabled()
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)


@pytest.mark.parametrize("first", [torch.no_grad, torch.autograd.detect_anomaly, torch.inference_mode])
@pytest.mark.parametrize("second", [torch.no_grad, torch.autograd.detect_anomaly, torch.enable_grad])
def test_two_generators_may_end_in_either_order(first, second):
    """As in PyTorch: each `with` puts back what it has found, and the rest stays as it is."""

    def held(make):
        with make():
            yield

    for crossed in (False, True):
        before = standing()
        one, two = held(first), held(second)
        next(one), next(two)
        (one if crossed else two).close()
        left = Modes.summed(modes, {})
        assert {name: getattr(modes, name) for name in left} == left, "what is summed up is not how they stand"
        assert modes.state == 0 or get_ident() in switched
        (two if crossed else one).close()
        left = Modes.summed(modes, {})
        assert {name: getattr(modes, name) for name in left} == left
        if not crossed:
            assert not differing(before, standing())
        turn({"grad": True, "inference": False, "anomaly": False})


def test_a_setting_inside_the_block_is_kept_beside_it():
    """`set_detect_anomaly(True)` within no_grad goes on after it."""
    with torch.no_grad():
        torch.autograd.set_detect_anomaly(True)
    assert torch.is_anomaly_enabled() and torch.is_grad_enabled() and modes.state == 2
    torch.autograd.set_detect_anomaly(False)
    assert modes.state == 0
    switch = torch.set_grad_enabled(False)
    for _ in range(2):
        with switch:
            assert not torch.is_grad_enabled()
        assert torch.is_grad_enabled()


def test_a_switch_can_be_copied_and_left_without_arguments():
    off = copy.copy(torch.no_grad())
    off.__enter__()
    assert not torch.is_grad_enabled()
    off.__exit__()
    assert torch.is_grad_enabled()


def press(*_):
    signal.raise_signal(signal.SIGINT)


FEWER = 60  # interrupts of each of those in FEW


def main(runs):
    """So many interrupts from the system's timer, at random times, over all of these."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    warnings.simplefilter("ignore")
    others = (runs - FEWER * len(FEW)) // (len(WORKS) - len(FEW)) + 1
    rng, totals = pythons.Random(0), [0, 0, 0]
    signal.signal(signal.SIGALRM, press)
    print(f"{'':44}interrupts  inside  left on")
    for number, (name, work) in enumerate(WORKS.items()):
        for _ in range(3):
            work()
            W.grad = None
        began = time.perf_counter()
        work()
        usual = time.perf_counter() - began
        W.grad = None
        before, inside, wrong = standing(), 0, 0
        often = max(1, round(2e-4 / usual))  # so that the timer meets it, and not what is around it
        count = FEWER if name in FEW else others + (number < 20)
        for _ in range(count):
            where = ""
            gc.disable()
            try:
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, rng.uniform(0, usual * often)))
                for _ in range(often):
                    work()
                signal.setitimer(signal.ITIMER_REAL, 0)
                time.sleep(0)
            except KeyboardInterrupt as interrupt:
                trace = interrupt.__traceback__
                while trace.tb_next is not None and trace.tb_next.tb_frame.f_code is not press.__code__:
                    trace = trace.tb_next
                where = trace.tb_frame.f_code.co_qualname
                inside += where != "main"
                trace = None  # it holds the frames, and one of them a generator
            W.grad = None
            left = wrong_after(name, before, where)
            if left:
                wrong += 1
                print(name, where, str(left)[:200])
                turn({"grad": True, "anomaly": False, "inference": False, "saved_hooks": (), "observers": ()})
        totals = [a + b for a, b in zip(totals, (count, inside, wrong), strict=True)]
        print(f"{name:44}{count:10}{inside:8}{wrong:9}", flush=True)
    print(f"{'in total':44}{totals[0]:10}{totals[1]:8}{totals[2]:9}")
    return totals[2]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000) > 0)
