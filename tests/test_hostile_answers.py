"""Whatever an answer does, its check gives a verdict, the next check is right, and what the answer changed is undone.

Each hostile answer is a line of code in a function that should return `2 * w`. After its check, a right answer must be
right, a wrong one wrong, and every state of viz.lesson.undo.STATES as before. `os._exit`, a signal that ends the
process and a closed file descriptor are not here: nobody can catch them.
"""

import builtins
import contextlib
import gc
import inspect
import linecache
import os
import random
import signal
import sys
import threading
import time
import warnings
from itertools import count

import numpy as np
import pytest

import minigrad as torch
from viz.lesson import limit, trial, undo
from viz.lesson.said import CHANGED, WORDS
from viz.lesson.task import Task, plain_call
from viz.lesson.trial import judge

TASK = Task(
    name="twice",
    task="Return 2 * w.",
    gap="def twice(w):\n    ...",
    _solution="def twice(w):\n    return 2 * w\n",
    hints=["", ""],
    _wrong=[],
    points=lambda torch, random: [
        (torch.tensor([1.0, 3.0], requires_grad=True),),
        (torch.tensor([float(random.normal())]),),
    ],
    run=plain_call,
    kind="function",
)
numbers = count()

RIGHT = {  # the result is right all the same: "right" is expected
    "closes stdout": "import sys; sys.stdout.close()",
    "closes stderr": "import sys; sys.stderr.close()",
    "replaces stdout": "import sys, io; sys.stdout = io.StringIO()",
    "removes stdout": "import sys; del sys.stdout",
    "real stdout": "import sys; sys.__stdout__ = None",
    "recursion": "import sys; sys.setrecursionlimit(5000)",
    "little recursion": "import sys; sys.setrecursionlimit(150)",
    "switch interval": "import sys; sys.setswitchinterval(3)",
    "digits": "import sys; sys.set_int_max_str_digits(700)",
    "default dtype": "torch.set_default_dtype(torch.float64)",
    "no recording": "torch.set_grad_enabled(False)",
    "no_grad is not left": "torch.no_grad().__enter__()",
    "inference mode": "torch.inference_mode().__enter__()",
    "anomaly": "torch.autograd.set_detect_anomaly(True)",
    "deterministic": "torch.use_deterministic_algorithms(True)",
    "print options": "torch.set_printoptions(precision=1); import numpy; numpy.set_printoptions(precision=1)",
    "seeds": "torch.manual_seed(0); import random, numpy; random.seed(0); numpy.random.seed(0)",
    "errstate": "import numpy; numpy.seterr(all='raise'); numpy.seterrcall(print)",
    "directory": "import os; os.chdir('/')",
    "environment": "import os; os.environ['PATH'] = ''; os.environ['MORE'] = '1'; os.environ.pop('HOME', None)",
    "warnings": "import warnings as w_; w_.simplefilter('error'); w_.showwarning = None; w_.filters.clear()",
    "builtin len": "import builtins; builtins.len = lambda each: 0",
    "builtin isinstance": "import builtins; builtins.isinstance = lambda *each: True",
    "builtin print": "import builtins; builtins.print = None",
    "builtin open": "import builtins; builtins.open = None",
    "builtin max and min": "import builtins; builtins.max = builtins.min = None",
    "builtin removed": "import builtins; del builtins.sorted",
    "own name for all": "import builtins; builtins.w = 3",
    "patched method": "torch.Tensor.sum = None; torch.Tensor.shape = property(lambda self: 0)",
    "new method": "torch.Tensor.__len__ = lambda self: 0",
    "patched function": "torch.allclose = torch.tensor = torch.nn.Linear = None",
    "patched numpy": "import numpy; numpy.allclose = lambda *each, **more: True; numpy.asarray = None",
    "patched clock": "import time; time.monotonic = time.process_time = lambda: 0",
    "patched viz": "import viz.lesson.trial as t; t.judge = t.WORDS = None",
    "patched class of viz": "import viz.lesson.trial as t; t._Judging.equal = lambda self, a, b: True",
    "patched compare": "import viz.lesson.compare as c, viz.lesson.trial as t; c.same = t.same = lambda *a: True",
    "settings of viz": "import viz.lesson.limit as t; t.LONG = None; import viz.lesson.trial as r; r.SECONDS = None",
    "modules": "import sys; sys.modules['numpy'] = sys.modules['viz.lesson.said'] = None; sys.modules.pop('random', 0)",
    "path": "import sys; sys.path.clear(); sys.meta_path = []; sys.path_hooks[:] = []",
    "trace": "import sys; sys.settrace(lambda *each: None)",
    "profile": "import sys; sys.setprofile(lambda *each: None)",
    "trace of threads": "import threading; threading.settrace(print); threading.setprofile(print)",
    "hooks": "import sys; sys.excepthook = sys.unraisablehook = sys.displayhook = None",
    "collector": "import gc; gc.disable()",
    "handlers": "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, print)",
    "timer": "import signal as s; s.signal(s.SIGALRM, lambda *e: 1 / 0); s.setitimer(s.ITIMER_REAL, 3, 3)",
    "our signals": "import signal; signal.signal(signal.SIGURG, signal.SIG_DFL)",
    "prints much": "print('x' * 10**7)",
    "prints often": "for i in range(10**5): print(i)",
    "deletes its text": "import linecache; linecache.clearcache()",
}
ENDS = {  # the code ends in another way: the kind of the verdict, and what the reply says
    "exits": ("import sys; sys.exit(3)", "raised", "SystemExit: 3"),
    "raises KeyboardInterrupt": ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
    "raises GeneratorExit": ("raise GeneratorExit", "raised", "GeneratorExit"),
    "its own BaseException": ("class Odd(BaseException): pass\n    raise Odd('yes')", "raised", "Odd: yes"),
    "its own interrupt": ("class Odd(KeyboardInterrupt): pass\n    raise Odd('yes')", "raised", "Odd: yes"),
    "long text": ("raise ValueError('x' * 80_000)", "raised", "ValueError: xxx"),
    "very long text": ("raise ValueError('x<locals>' * 10**7)", "raised", "ValueError: "),
    "text raises": (
        "class Odd(Exception):\n        def __str__(self): return 1 / 0\n    raise Odd",
        "raised",
        "Odd",
    ),
    "text is endless": (
        "class Odd(Exception):\n        def __str__(self):\n            while True: pass\n    raise Odd",
        "raised",
        "Odd",
    ),
    "text is None": ("class Odd(Exception):\n        __str__ = None\n    raise Odd", "raised", "Odd"),
    "a group": ("raise ExceptionGroup('several', [ValueError(1)])", "raised", "several"),
    "recursion": ("return twice(w)", "raised", "RecursionError"),
    "deep recursion": ("import sys; sys.setrecursionlimit(50_000); return twice(w)", "raised", "RecursionError"),
    "memory": ("raise MemoryError", "raised", "MemoryError"),
    "loop": ("while True: pass", "loop", "was still running"),
    "loop that catches all": (
        "while True:\n        try: len([])\n        except BaseException: pass",
        "loop",
        "still running",
    ),
    "waits": ("import time; time.sleep(60)", "loop", "was still waiting"),
    "a lock": ("import threading; a = threading.Lock(); a.acquire(); a.acquire()", "loop", "was still waiting"),
    "a long sum": ("return sum(range(10**10))", "loop", "was still running"),
    "a long power": ("w = 10\n    return w ** 10**8", "loop", "was still running"),
    "a bad expression": ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", "loop", "was still running"),
    "huge list": ("return [1] * 10**7", "type", "a list"),
    "a list in itself": ("a = []; a.append(a); return a", "type", "a list"),
    "deep list": ("a = []\n    for _ in range(10**5): a = [a]\n    return a", "type", "a list"),
    "huge text": ("return 'x' * 10**8", "type", "text"),
    "huge number": ("return 10**5000", "type", "about 5000 digits"),
    "repr raises": (
        "class Odd:\n        def __repr__(self): return 1 / 0\n    return Odd()",
        "type",
        "Odd",
    ),
    "repr is endless": (
        "class Odd:\n        def __repr__(self):\n            while True: pass\n    return Odd()",
        "type",
        "`Odd`",
    ),
    "huge repr": ("class Odd:\n        def __repr__(self): return 'x' * 10**8\n    return Odd()", "type", "Odd"),
    "attributes raise": (
        "class Odd:\n        def __getattr__(self, name): raise RuntimeError\n    return Odd()",
        "type",
        "Odd",
    ),
    "equal to all": ("class Odd:\n        __eq__ = lambda self, other: True\n    return Odd()", "type", "Odd"),
    "a tensor's double": (
        "class Odd:\n        detach = lambda self: self\n        numpy = lambda self: 1 / 0\n    return Odd()",
        "wrong",
        "Odd",
    ),
    "changes len and stops": (
        "import builtins; builtins.len = None; return 1 / 0",
        "raised",
        "Your code also changed `len`",
    ),
    "changes the directory and stops": (
        "import os; os.chdir('/'); return 1 / 0",
        "raised",
        "changed the working directory",
    ),
}
ITS_OWN_FAULT = ("builtin isinstance", "builtin len", "patched method", "inference mode")  # its own line then fails
NOT_ON_WINDOWS = ("handlers", "timer", "our signals", "waits", "a lock", "a long power", "a bad expression")


def twice(code, end="return 2 * w"):
    """The answer with this code, as a cell of a notebook has it."""
    file = f"<cell {next(numbers)}>"
    text = f"def twice(w):\n    {code}\n    {end}\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"torch": torch, "__name__": "__main__"}
    exec(compile(text, file, "exec"), names)
    return names["twice"]


def states():
    found = {name: row.read(torch) if row.of_library else row.read() for name, row in undo.STATES.items()}
    found["environment"].pop("PYTEST_CURRENT_TEST", None)
    found["signals"].pop(getattr(signal, "SIGPROF", None), None)  # see limit.signals
    found["builtins"] = {name: value for name, value in vars(builtins).items() if name != "_"}
    found["filters"] = [*warnings.filters], warnings.showwarning
    homes = torch, torch.Tensor, torch.nn, np, time, sys, trial, trial._Judging, limit
    found["tensors"] = {name: inspect.getattr_static(torch.Tensor, name) for name in dir(torch.Tensor)}
    for home in homes:
        found[home.__name__] = {name: value for name, value in vars(home).items() if name.isupper() or callable(value)}
    found["modules"] = {name: id(sys.modules[name]) for name in ("numpy", "random", "viz.lesson.said")}
    return found


def next_checks():
    """The next checks: a right answer, a wrong one, one that stops, an endless one."""
    assert judge(TASK, twice("pass")).right
    wrong = judge(TASK, twice("w = 1.5 * w"))
    assert wrong.text == "✗ At `twice([1, 3])`: expected `[2, 6]`, your code gave `[3, 9]`."
    assert "in line 2, `1 / 0`: ZeroDivisionError" in judge(TASK, twice("1 / 0")).text
    assert judge(TASK, twice("while True: pass"), seconds=0.02).kind == "loop"


@contextlib.contextmanager
def unchanged():
    torch.rand(1)  # a stream that has not begun is written in another way
    before = states()
    yield
    after = states()
    for name in before:
        if isinstance(before[name], dict):
            assert {key: value for key, value in after[name].items() if value != before[name].get(key)} == {}, name
        assert before[name] == after[name], name


def possible(names):
    return [name for name in names if sys.platform != "win32" or name not in NOT_ON_WINDOWS]


@pytest.mark.parametrize("name", possible(RIGHT))
def test_what_a_right_answer_changes_is_undone(name):
    with unchanged():
        verdict = judge(TASK, twice(RIGHT[name]))
    assert verdict.right or name in ITS_OWN_FAULT and verdict.kind == "raised", verdict.text
    next_checks()


@pytest.mark.parametrize("name", possible(ENDS))
def test_an_answer_that_ends_in_another_way_gets_a_verdict(name):
    code, kind, told = ENDS[name]
    start = time.monotonic()
    with unchanged():
        verdict = judge(TASK, twice(code), seconds=0.5)
    assert verdict.kind == kind and told in verdict.text, verdict.text
    assert len(verdict.text) < 1000 and time.monotonic() - start < 60
    next_checks()


def test_a_thread_that_goes_on_is_named():
    code = "import threading; threading.Thread(target=stop.wait, name='mine', daemon=True).start()"
    stop = threading.Event()
    answer = twice(code)
    answer.__globals__["stop"] = stop
    try:
        verdict = judge(TASK, answer)
        assert verdict.right and "A thread that your code started is still running: `mine`" in verdict.text
        assert "thread" not in judge(TASK, twice("pass")).text
    finally:
        stop.set()


def test_a_directory_that_is_gone_is_said(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    answer = twice(f"import os; os.chdir({str(tmp_path)!r}); os.path.isdir('inside') and os.rmdir('inside')")
    assert "Your code also changed the working directory, and the check can't undo this" in judge(TASK, answer).text
    monkeypatch.undo()


def test_ctrl_c_still_ends_the_check():
    if not hasattr(signal, "setitimer"):
        pytest.skip("Windows has no timer")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            judge(TASK, twice("while True: pass"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    next_checks()


def test_a_first_import_is_not_the_readers_time(tmp_path, monkeypatch):
    text = "import time\nend = time.thread_time() + 0.6\nwhile time.thread_time() < end: pass\ntime.sleep(0.6)\n"
    (tmp_path / "slow_to_import.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert judge(TASK, twice("import slow_to_import"), seconds=0.3).right
    sys.modules.pop("slow_to_import")


def test_each_state_has_its_words():
    untold = {name for name in undo.STATES if name in undo.UNTOLD}
    assert all(set(CHANGED[lang]) == undo.STATES.keys() - untold for lang in WORDS)


def test_a_state_is_restored_where_it_was_not_the_usual_one():
    random.seed(5)
    first, seeded = random.getstate(), torch.get_rng_state()
    gc.disable()
    os.environ["KEPT"] = "yes"
    try:
        torch.set_default_dtype(torch.float64)
        judge(TASK, twice("import random, gc, os; random.random(); gc.enable(); torch.randn(3); os.environ.clear()"))
        assert torch.get_default_dtype() is torch.float64 and not gc.isenabled() and os.environ["KEPT"] == "yes"
        assert random.getstate() == first and bool((torch.get_rng_state() == seeded).all())
    finally:
        torch.set_default_dtype(torch.float32)
        gc.enable()
        del os.environ["KEPT"]
