"""What a check says to whatever a reader may write: exercises of every kind, declared here for the purpose."""

import contextlib
import json
import sys
import threading
import time
import traceback
import weakref
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
import viz
from viz.lesson import exercise as exercises
from viz.lesson.exercise import Exercise
from viz.lesson.exercises import load
from viz.lesson.limit import TooLong, _Watch, within
from viz.lesson.task import TASKS, Wrong, function, operator, order, value
from viz.lesson.trial import defined, judge
from viz.locale import pick, room

load()
NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


@pytest.fixture(autouse=True)
def own_tasks(monkeypatch, tmp_path):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr("viz.lesson.task.TASKS", dict(TASKS))
    monkeypatch.setattr(exercises, "_kept", {})


def cube(w):
    return w * w * w


def slope_points(torch, random):
    yield cube, 2.0
    a = random.uniform(1.0, 3.0)

    def line(w):
        return a * w

    yield line, random.normal()


@pytest.fixture
def slope():
    return function(
        "slope",
        task="Write `slope(f, w)`.",
        gap="""
            def slope(f, w):
                nudge = 1e-4
                ...
        """,
        solution="""
            def slope(f, w):
                nudge = 1e-4
                return (f(w + nudge) - f(w)) / nudge
        """,
        points=slope_points,
        hints=["How far did w move?", "Divide."],
        wrong=[
            Wrong("def slope(f, w):\n    return f(w + 1e-4) - f(w)", "That is how far y moves."),
            Wrong("def slope(f, w):\n    while f: pass", "It never ends.", endless=True),
        ],
        because="Rise over run.",
        rel=1e-3,
    )


def told(task, answer, **more):
    return judge(task, answer, **more).text


def test_right_wrong_and_the_belief_behind_it(slope):
    def right(f, w):
        return (f(w + 1e-5) - f(w - 1e-5)) / 2e-5

    def wrong(f, w):
        return 4.0

    def believed(f, w):
        return f(w + 1e-4) - f(w)

    assert told(slope, right) == "✓ Right. Rise over run."
    assert told(slope, wrong) == "✗ At `slope(cube, 2)`: expected `12`, your code gave `4`."
    assert told(slope, believed).endswith("your code gave `0.0012`. That is how far y moves.")
    assert told(slope, believed, lang="zh").startswith("✗ 当 `slope(cube, 2)` 时：应为 `12`，你的代码给出 `0.0012`。")


def test_what_came_on_points_that_nobody_shows_counts_too(slope):
    def by_heart(f, w):
        return 12.0

    assert told(slope, by_heart).startswith("✗ At `slope(line, ")


def test_untouched_or_left_half_empty(slope):
    def untouched(f, w):
        """My words about it."""
        nudge = 1e-4  # a comment  # noqa: F841
        ...

    untouched.__code__ = untouched.__code__.replace(co_name="slope")
    assert told(slope, untouched).startswith("Not tried yet.") and told(slope, ...).startswith("Not tried yet.")

    def half(f, w):
        nudge = ...
        return (f(w + nudge) - f(w)) / nudge

    text = told(slope, half)
    assert "TypeError" in text and text.endswith("There is still a `...` to fill in.")


def test_errors_name_the_readers_line(slope):
    def unnamed(f, w):
        return undefined_nudge * f(w)  # noqa: F821

    def leaves(f, w):
        raise SystemExit

    def deep(f, w):
        return deep(f, w)

    text = told(slope, unnamed)
    line = unnamed.__code__.co_firstlineno + 1
    assert f"in line {line}, `return undefined_nudge * f(w)  # noqa: F821`: NameError: name" in text
    assert "SystemExit" in told(slope, leaves) and "RecursionError" in told(slope, deep)


def test_an_error_at_an_instruction_without_a_line_is_told_at_the_function(slope):
    """Ctrl-C and the end of the time may arrive there; then a traceback has no number for the line."""

    def half(f, w):
        return f(w) / 0

    half.__code__ = half.__code__.replace(co_linetable=b"")
    line = half.__code__.co_firstlineno
    assert f"in line {line}, `def half(f, w):`: ZeroDivisionError: " in told(slope, half)


def test_an_error_that_comes_of_another_cell_says_of_which():
    task = function(
        "quarter",
        task="Quarter it.",
        gap="def quarter(w):\n    ...",
        setup="def half(w):\n    return w / None\n",
        solution="def quarter(w):\n    return w / 4",
        points=lambda torch, random: [(2.0,)],
        hints=["", ""],
        wrong=[],
    )
    given = defined(task, "def quarter(w):\n    return half(half(w))", torch)
    there = "in `half`, line 2 of another cell, `return w / None`: TypeError"
    assert f"your code stopped {there}" in judge(task, given).text
    assert "停在另一个单元的 `half`，第 2 行，`return w / None`：" in judge(task, given, lang="zh").text
    own = defined(task, "def quarter(w):\n    return w / None", torch)
    assert "your code stopped in line 2, `return w / None`: TypeError" in judge(task, own).text


def test_no_result_is_told_from_one_that_is_printed(slope):
    def silent(f, w):
        (f(w + 1e-4) - f(w)) / 1e-4

    def prints(f, w):
        print(12)

    assert "returned None. Does it `return`" in told(slope, silent)
    assert "printed `12` and returned nothing" in told(slope, prints)

    def talks(f, w):
        print("here", w)
        return 3

    assert judge(slope, talks).printed.startswith("here 2.0\n")


def test_types_shapes_and_calls(slope):
    assert "expected a number, your code gave text, `'12'`" in told(slope, lambda f, w: "12")
    assert "your code gave a tensor, `[1, 2]`" in told(slope, lambda f, w: torch.tensor([1.0, 2.0]))
    assert told(slope, lambda f, w: torch.tensor([(f(w + 1e-4) - f(w)) / 1e-4], dtype=torch.float64))[0] == "✓"
    assert "The check calls `slope` with 2 arguments: `slope(cube, 2)`. Your function takes 1 argument." in told(
        slope, lambda f: 1
    )
    assert "Pass the function itself to the check: `check(slope)`" in told(slope, 12.0)
    big = function(
        "big",
        task="Make zeros.",
        gap="def zeros(n):\n    ...",
        solution="def zeros(n):\n    return torch.zeros(n, n)",
        points=lambda torch, random: [(4,)],
        hints=["", ""],
        wrong=[],
    )
    assert "expected the shape (4, 4), your code gave the shape (4, 5)" in told(big, lambda n: torch.zeros(n, n + 1))


@pytest.mark.parametrize("kept", [False, True], ids=["plain", "swallowed by a bare except"])
def test_an_endless_loop_is_stopped_and_its_line_named(slope, kept):
    def plain(f, w):
        while True:
            pass

    def swallows(f, w):
        while True:
            try:
                np.ones((50, 50)) @ np.ones((50, 50))
            except:  # noqa: E722
                pass

    start = time.monotonic()
    verdict = judge(slope, swallows if kept else plain, seconds=0.3)
    assert verdict.kind == "loop" and "after 0.3 s, your code was still running, in line" in verdict.text
    assert verdict.hint == "It never ends." and time.monotonic() - start < 60
    time.sleep(0.05)  # no late one arrives


def test_an_end_that_arrives_where_python_drops_it_is_not_told():
    """In a callback of a weak reference no exception can be raised: Python says "Exception ignored", and goes on."""
    told, before = [], sys.unraisablehook

    class Thing:
        pass

    def loop():
        while True:
            thing = Thing()
            kept = weakref.ref(thing, lambda _: sum(range(2000)))
            del thing
            assert kept() is None

    sys.unraisablehook = hook = told.append
    try:
        for _ in range(5):
            with pytest.raises(TooLong):
                within(0.05, loop)
        assert told == [] and sys.unraisablehook is hook
    finally:
        sys.unraisablehook = before


def watching():
    """How many threads watch a limit."""
    stacks = [list(traceback.walk_stack(frame)) for frame in sys._current_frames().values()]
    return sum(frame.f_code is _Watch.run.__code__ for stack in stacks for frame, _ in stack)


def test_the_limit_leaves_nothing_behind_and_works_beside_other_threads():
    def loop():
        while True:
            pass

    for _ in range(20):
        with pytest.raises(TooLong):
            within(0.01, loop)
        assert within(1, sum, range(1000)) == 499500

    def nearly(seconds):  # ends just when its time is up
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

    for number in range(300):
        with contextlib.suppress(TooLong):
            within(0.003, nearly, 0.0022 + 0.0004 * (number % 5))
    ended = []

    def elsewhere():
        try:
            within(0.05, loop)
        except TooLong:
            ended.append(True)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(100)
    assert ended == [True] and not watching()


def test_what_belongs_to_the_caller_is_left_alone_unless_it_may_be_changed():
    def points(torch, random):
        yield torch.tensor([1.0, -2.0]), 0.5

    parts = dict(
        task="Half it.",
        gap="def half(t, by):\n    ...",
        solution="def half(t, by):\n    return t * by",
        points=points,
        hints=["", ""],
        wrong=[Wrong("def half(t, by):\n    t *= by\n    return t", "In place.")],
    )
    strict, free = function("strict", **parts), function("free", may_change=True, **parts)

    def in_place(t, by):
        t *= by
        return t

    assert told(strict, in_place) == (
        "✗ At `half([1, −2], 0.5)`: the result is right, but your code changed its argument `t` from "
        "`[1, −2]` to `[0.5, −1]`. Compute a new value instead. In place."
    )
    assert told(free, in_place).startswith("✓")


def test_an_operator_is_held_against_gradcheck():
    def points(torch, random):
        yield torch.tensor([0.5, 2.0]), torch.tensor([1.0, 1.0])

    head = "class Square(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, h):\n"
    head += (
        "        ctx.save_for_backward(h)\n        return h * h\n    @staticmethod\n    def backward(ctx, g):\n        "
    )
    own = operator(
        "own",
        task="An operator of your choice.",
        gap=head + "...",
        solution=head + "return 2 * g * ctx.saved_tensors[0]",
        points=points,
        run=lambda given, torch, h, upstream: None,  # any operator will do, if its slope is right
        hints=["", ""],
        wrong=[],
    )
    assert told(own, defined(own, own.solution, torch)).startswith("✓")
    text = told(own, defined(own, head + "return g * ctx.saved_tensors[0]", torch))
    assert text.startswith("✗ Gradcheck nudged the input")
    assert "Pass a class that has" in told(own, len)


def test_a_value_and_what_its_believers_compute():
    task = value(
        "the sum of a ledger",
        task="Compute `answer`.",
        gap="answer = ...",
        solution="answer = (2 * 9 + 1) * 6",
        hints=["", ""],
        wrong=[Wrong("answer = 108", "What hasn't reached a yet?")],
    )
    assert told(task, torch.tensor([114.0])).startswith("✓")
    assert told(task, 108.0) == "✗ Expected `114`, your code gave `108`. What hasn't reached a yet?"
    assert told(task, ...).startswith("Not tried")


LINES = ["loss = (w - 1) ** 2", "loss.backward()", "with torch.no_grad():\n    w -= lr * w.grad", "w.grad = None"]


def test_every_order_that_works_is_right():
    task = order(
        "steps",
        task="Put them in order.",
        frame="""
            def descend(w, lr):
                w = w.clone().requires_grad_()
                for _ in range(3):
                    {lines}
                return w.detach()
        """,
        lines=LINES,
        points=lambda torch, random: [(torch.tensor(2.0), 0.1)],
        hints=["", ""],
        wrong=[Wrong("", "Nothing has arrived yet.", order=(0, 2, 1, 3))],
        shown=(3, 0, 1, 2),
    )
    panel = Exercise(task, "en")
    assert repr(panel).splitlines()[1:3] == ["  1  w.grad = None", "  2  loss = (w - 1) ** 2"]
    assert panel.verdict.kind == "untried"
    assert panel.check("2 3 4 1").verdict.right and panel.check([1, 2, 3, 4]).verdict.right
    assert panel.check("b c d a").verdict.right and panel.check("2341").verdict.right
    assert panel.check("2, 4, 3, 1").verdict.hint == "Nothing has arrived yet."
    assert "each of them once: 1 2 3 4" in panel.check("2 2 4").verdict.text
    assert Exercise(task, "en")._state()["order"] == [1, 3, 2, 0]  # the last one stays, as it was put


def test_after_a_restart_the_noted_order_is_shown_with_its_verdict(monkeypatch):
    """No cell holds the order, so a new kernel finds it in the progress file alone."""
    question = viz.exercise("backward_by_hand")
    rows = [str(question.task._shown.index(line) + 1) for line in range(len(question.task._lines))]
    assert question._state()["kind"] == "untried"
    question.hint()
    question._asked({"do": "check", "order": [int(row) - 1 for row in rows[::-1]]})
    question._asked({"do": "check", "order": [int(row) - 1 for row in rows]})
    assert question.verdict.right and viz.exercise("backward_by_hand").verdict.right  # its cell has run again
    monkeypatch.setattr(exercises, "_kept", {})  # the kernel has started again
    again = viz.exercise("backward_by_hand")
    state = again._state()
    assert state["order"] == [int(row) - 1 for row in rows] and state["kind"] == "right" and state["tried"]
    assert len(state["hints"]) == 1 and again.kept.tries == 2 and "✓ Right" in repr(again)
    again._asked({"do": "order", "order": list(range(len(rows)))})  # the reader moves lines, and the cell runs again
    assert viz.exercise("backward_by_hand")._state()["kind"] == "untried"
    assert viz.exercise("backward_by_hand")._state()["order"] == list(range(len(rows)))
    for noted in ("1 1 1", "9 8 7", "", "x"):  # a file that something else has written
        monkeypatch.setattr(exercises, "_kept", {})
        monkeypatch.setattr(
            exercises.progress, "known", lambda noted=noted: {"exercises": {"backward_by_hand": {"order": noted}}}
        )
        assert viz.exercise("backward_by_hand")._state()["kind"] == "untried"


def test_a_known_order_is_named_only_where_the_same_line_stops_and_the_same_line_is_first():
    panel = viz.exercise("backward_by_hand", lang="en")
    rows = {
        line.split(" = ")[0]: row
        for row, line in ((r, panel.task.lines[n]) for r, n in zip(panel.task.numbers, panel.task.shown, strict=True))
    }

    def told(names):
        return panel.check([rows[f"{name}_grad"] for name in names]).verdict

    lines = {"y": set(), "a": {"y"}, "b": {"y"}, "w": {"a", "b"}, "x": {"a"}}
    for names in permutations("yabwx"):
        verdict = told(names)
        stops = next((i for i, name in enumerate(names) if lines[name] - set(names[:i])), None)
        assert verdict.right == (stops is None)
        if stops is None:
            continue
        assert f"row {stops + 1}, `{names[stops]}_grad" in verdict.text
        assert ("begins at a leaf" in verdict.text) == (names[0] in "wx")
        made = set(names[:stops])
        for name in "ab":
            if f"`{name}_grad` does not exist yet" in verdict.hint:
                assert name not in made and names[stops] in "wx"


def test_a_wrong_number_is_not_named_after_a_number_that_is_only_near():
    panel = viz.exercise("cube_slope", lang="en")
    told = {
        name: panel.check(given).verdict.hint
        for name, given in {
            "by w": lambda w: ((w + 0.001) ** 3 - w**3) / w,
            "change": lambda w: (w + 0.001) ** 3 - w**3,
            "little": lambda w: 0.01,
            "one": lambda w: (w * w * w + 0.001 - w * w * w) / 0.001,
            "nearly": lambda w: 2.01 * w,
            "xor": lambda w: ((w + 0.001) ^ 3) / 0.001,
        }.items()
    }
    assert "divides the change by `w`" in told["by w"] and "the change in the product" in told["change"]
    assert told["little"] == told["nearly"] == ""
    assert "1 for every `w`" in told["one"] and "`^` does not compute a power" in told["xor"]


def test_what_was_drawn_stands_beside_what_was_asked_for():
    task = function(
        "drawn",
        task="Write y.",
        gap="def y(w):\n    ...",
        solution="def y(w):\n    return w * w",
        points=lambda torch, random: [(torch.tensor(2.0),)],
        hints=["", ""],
        wrong=[Wrong("def y(w):\n    return w + w", "A sum.")],
        draw=lambda given, torch: viz.draw(given(torch.tensor(2.0, requires_grad=True))),
    )
    yours, asked = judge(task, lambda w: w + w).pictures
    assert "AddBackward0" in yours and "MulBackward0" in asked


def test_a_panel_says_what_python_says_and_remembers_when_its_cell_runs_again(slope):
    panel = Exercise(slope, "en")
    widget = panel.widget
    assert widget.state["kind"] == "untried" and not widget.state["tried"]
    panel._asked({"do": "check"})
    assert widget.state["kind"] == "untried"
    panel.check(lambda f, w: 3)
    assert widget.state["kind"] == "wrong" and widget.state["tried"]
    panel._asked({"do": "hint"})
    panel._asked({"do": "solution"})
    assert widget.state["hints"] == ["How far did w move?"] and "def slope" in widget.state["solution"]
    panel._asked({"do": "solution"})
    assert widget.state["solution"] == ""
    assert Exercise(slope, "en")._state()["hints"] == ["How far did w move?"]
    data, _ = panel._repr_mimebundle_()
    assert data["text/plain"] == repr(panel) and "application/vnd.jupyter.widget-view+json" in data


def test_names_that_are_not_there():
    with pytest.raises(KeyError, match="there is no exercise 'nothing'; there are"):
        viz.exercise("nothing")
    with pytest.raises(ValueError, match="lang must be one of 'en', 'zh'"):
        viz.exercise("relu_backward", lang="fr")


def test_lines_in_an_order_are_told_by_their_rows_and_no_line_that_is_not_shown_is_counted():
    task = order(
        "chain",
        task="Put them in order.",
        frame="""
            def result(w):
                start = w
                {lines}
                return last
        """,
        lines=["a = start\nb = a", "c = b + 1", "last = c / (c - 2)"],
        points=lambda torch, random: [(2.0,), (4.0,)],
        hints=["", ""],
        wrong=[],
        shown=(2, 0, 1),
    )
    panel = Exercise(task, "en")
    assert panel.check("3 2 1").verdict.text == (
        "✗ At `w = 2`: your code stopped in row 1, `c = b + 1`: `b` is used there, but no earlier line defines it."
    )
    assert "row 2, `last = c / (c - 2)`: `c` is used there" in panel.check("2 1 3").verdict.text
    wrong = Exercise(task, "zh").check("3 2 1").verdict.text
    assert "停在第 1 行" in wrong and "`b`" in wrong and wrong.endswith("。")
    assert (
        task.row((1, 0, 2), 4) == task.row((1, 0, 2), 5) == "2" and task.row((1, 0, 2), 7) == task.row((1, 0), 1) == ""
    )


def test_numbers_handed_to_numpy_or_math_are_called_back():
    import math

    def points(torch, random):
        yield torch.tensor([0.5, 2.0]), torch.tensor([1.0, 1.0])

    head = "class Sine(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, h):\n"
    head += (
        "        ctx.save_for_backward(h)\n        return {}\n    @staticmethod\n    def backward(ctx, g):\n        "
    )
    sine = operator(
        "sine",
        task="Write sin.",
        gap=head.format("...") + "...",
        solution=head.format("h.sin()") + "return g * ctx.saved_tensors[0].cos()",
        points=points,
        hints=["", ""],
        wrong=[],
    )
    for forward, gradient, advice in (
        ("np.sin(h.numpy())", "g", "Use `torch.sin` instead of `np.sin`: "),
        ("h.sin()", "np.where(g > 0, g, 0)", "Use `torch.where` instead of `np.where`: "),
        ("math.sin(h)", "g", "Use `torch.sin` instead of `math.sin`: "),
        ("np.matrix(h.numpy())", "g", "Compute with tensors: "),
        ("np.sin(np.abs(h.numpy()))", "g", "Compute with tensors: "),
    ):
        text = told(sine, defined(sine, head.format(forward) + f"return {gradient}", torch))
        assert (
            text.startswith("✗ At `h = [0.5, 2]`")
            and text.count(advice) == 1
            and text.count("NumPy returns an array, and `math` takes a single number") == 1
        ), text
    both = function(
        "both",
        task="",
        gap="def sine(h):\n    ...",
        solution="def sine(h):\n    return h.sin()",
        points=lambda torch, random: [(torch.tensor([0.5, 2.0], requires_grad=True),)],
        hints=["", ""],
        wrong=[],
    )
    assert "Can't call numpy() on Tensor that requires grad" in told(both, lambda h: h.numpy())
    for written in (lambda h: h.numpy(), lambda h: np.sin(h.detach().numpy()), lambda h: math.sin(h)):
        assert told(both, written).count("NumPy returns an array, and `math` takes a single number") == 1
    other = told(both, defined(both, "def sine(h):\n    return h / []", torch))
    assert "TypeError" in other and "NumPy" not in other


def test_where_arguments_say_nothing_the_task_says_where_and_its_parts_have_names(tmp_path):
    catalogue = tmp_path / "zh" / "LC_MESSAGES" / "pieces.po"
    catalogue.parent.mkdir(parents=True)
    texts = {"On three pieces": "在三段上", "the sum": "和"}
    entries = (f'msgid "{english}"\nmsgstr "{chinese}"\n' for english, chinese in texts.items())
    catalogue.write_text("\n".join(entries), encoding="utf-8")
    words = room("pieces", tmp_path)
    task = function(
        "loop",
        task="",
        gap="def f():\n    ...",
        solution="def f():\n    return 1",
        points=lambda torch, random: [()],
        run=lambda given, torch: {"sum": given()},
        where=words("On three pieces"),
        parts={"sum": words("the sum")},
        hints=["", ""],
        wrong=[],
    )
    assert told(task, lambda: 2) == "✗ On three pieces: expected the sum `1`, your code gave `2`."
    assert told(task, lambda: 2, lang="zh").startswith("✗ 在三段上：和 应为 `1`")


def test_a_belief_may_be_known_by_a_name_where_the_behaviour_is_the_same():
    task = function(
        "kept",
        task="",
        gap="def f(t):\n    return t",
        solution="def f(t):\n    t = t.detach()\n    return t.requires_grad",
        points=lambda torch, random: [(torch.ones(2, requires_grad=True),)],
        hints=["", ""],
        wrong=[
            Wrong("def f(t):\n    t.detach()\n    return t.requires_grad", "Who took it?", uses="detach"),
            Wrong("def f(t):\n    return t.requires_grad", "Its history is still there."),
        ],
    )
    for wrong in task.wrong:
        assert told(task, defined(task, wrong.code, torch)).endswith(wrong.hint)


def test_a_block_is_told_from_a_call_on_a_line_of_its_own():
    open_ = "def f(t):\n    with torch.no_grad():\n        pass\n    return t + 1"
    bare = "def f(t):\n    torch.no_grad()\n    return t + 1"
    task = function(
        "blocked",
        task="",
        gap="def f(t):\n    return t",
        solution="def f(t):\n    with torch.no_grad():\n        return t + 2",
        points=lambda torch, random: [(torch.ones(2),)],
        hints=["", ""],
        wrong=[Wrong(open_, "It has ended.", uses="with"), Wrong(bare, "Where is its block?", uses="no_grad")],
    )
    for wrong in task.wrong:
        assert told(task, defined(task, wrong.code, torch)).endswith(wrong.hint)


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("w.data -= lr * w.grad", "data"),
        ("torch.optim.SGD([w], lr=lr).step()", "optim"),
        ("with torch.no_grad():\n            w -= lr * w.grad", None),
    ],
)
def test_a_right_answer_by_another_way_hears_a_sentence_more(line, remark):
    task = TASKS["update_step"]
    code = task.solution.partition("        with torch")[0] + f"        {line}\n        w.grad = None\n    return w\n"
    for lang in ("en", "zh"):
        verdict = judge(task, defined(task, code, torch), torch=torch, lang=lang)
        assert verdict.right, verdict.text
        assert verdict.text.endswith(pick(task.remarks[remark] if remark else task.because, lang))


def test_only_who_lets_a_weight_keep_its_gradient_hears_that_it_is_no_leaf():
    task = TASKS["small_start"]
    kept = task.gap.replace("* 0.1\n", "* 0.1\n    w.retain_grad()\n")
    for lang in ("en", "zh"):
        told = [judge(task, defined(task, code, torch), torch=torch, lang=lang).text for code in (kept, task.solution)]
        assert told[0].endswith(pick(task.remarks["retain_grad"], lang)) and told[1].endswith(pick(task.because, lang))


def test_in_a_blind_test_the_letters_are_given_by_the_package():
    names = {"right": 1, "SloppyReLU": 2}
    hidden = viz.blind(names)
    assert {hidden[letter] for letter in "AB"} == {1, 2}
    assert hidden[hidden.letter("SloppyReLU")] == 2
    assert viz.blind(reversed(names)).letter("right") == hidden.letter("right")
    assert "right" not in repr(hidden) and "SloppyReLU" not in repr(hidden)
    with pytest.raises(KeyError):
        hidden["C"]


def test_what_it_takes_to_make_the_points_is_not_on_the_readers_time():
    made = []

    def slow_at_first(torch, random):  # as PyTorch is when its first optimizer is made
        time.sleep(0 if made else 1.1)
        made.append(1)
        yield (3.0,)

    twice = "def twice(w):\n    for _ in range(2_000_000):\n        pass\n    return 2 * w"
    gap = "def twice(w):\n    ..."
    rest = dict(points=slow_at_first, run=lambda given, torch, w: given(w), hints=[], wrong=[])
    task = function("slow", task="", gap=gap, solution=twice, **rest)
    assert judge(task, defined(task, twice, torch), seconds=1).right


@pytest.mark.parametrize("code", ["while True: pass", "return w"], ids=["endless", "right"])
@pytest.mark.parametrize(("slow", "kind"), [(0.3, None), (60, "busy")])
def test_a_busy_machine_is_no_reason_to_say_that_it_is_right(code, slow, kind):
    """The solution takes longer than a reader's code may: what both have in common is then that they did not end."""
    task = function(
        "slow solution",
        task="Give w back.",
        gap="def same(w):\n    ...",
        solution=f"def same(w):\n    for _ in range({round(slow / 0.01)}):\n        time.sleep(0.01)\n    return w",
        setup="import time",
        points=lambda torch, random: [(1.0,), (2.0,)],
        hints=["w", "return w"],
        wrong=[Wrong("def same(w): return 0", "That is 0.")],
    )
    verdict = judge(task, defined(task, f"def same(w):\n    {code}", torch), seconds=0.1)
    assert verdict.kind == (kind or ("loop" if "while" in code else "right"))
    assert verdict.right == (verdict.kind == "right")


def test_a_list_among_several_results_is_named_and_not_said_to_differ_in_its_numbers():
    def gradients(X, W, b, G):
        return G @ W.t(), X.t() @ G, G.sum(0).tolist()

    text = judge(TASKS["three_gradients"], gradients).text
    assert "result 3 has the right numbers, but it must be a tensor, and your code gave a list" in text


def test_a_method_that_the_cell_does_not_have_is_an_answer():
    task = TASKS["unseen_weights"]
    two_layers = defined(task, task.gap, torch)
    assert judge(task, two_layers).kind == "untried"

    def parameters(self):
        return [each for layer in self.layers for each in layer.parameters()]

    two_layers.parameters = parameters
    verdict = judge(task, two_layers)
    assert verdict.kind == "wrong" and "`state_dict()` is empty" in verdict.hint


@pytest.mark.parametrize(
    "fixed, right",
    {
        "(w * w).sum().backward()": True,
        "(w * w).mean().backward()": True,
        "(w * w).backward(torch.ones(3))": True,
        "(w * w).backward(w)": False,  # 2 · w · w
        "(w * w * w).sum().backward()": False,
        "(-w * w).sum().backward()": False,
    }.items(),
)
def test_the_last_cell_of_the_error_clinic_knows_the_gradient_of_a_square(fixed, right, capsys):
    notebook = json.loads((NOTEBOOKS / "10_error_clinic.ipynb").read_text(encoding="utf-8"))
    code = "".join(next(cell["source"] for cell in notebook["cells"] if cell["id"] == "home"))
    exec(code.replace("(w * w).backward()", fixed), {"torch": torch, "nn": torch.nn})
    assert ("several  ✓ right" in capsys.readouterr().out) == right
