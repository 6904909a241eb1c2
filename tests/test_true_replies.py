"""A reply says what is true of the code that it answers: no expected value looks like the given one, a mistake is named
only where the code makes it, and a failure of our own is ours.
"""

import linecache
import math
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import minigrad as torch
from viz.lesson import exercise as exercises
from viz.lesson.advice import written
from viz.lesson.apart import apart
from viz.lesson.beliefs import has_pieces
from viz.lesson.compare import alike, same
from viz.lesson.exercise import Exercise
from viz.lesson.reading import constructs
from viz.lesson.said import WORDS
from viz.lesson.task import Task, Wrong, plain_call
from viz.lesson.trial import judge

numbers = count()


def task_of(solution, points, *wrong, name="f", **more):
    gap = more.pop("gap", f"{solution.splitlines()[0]}\n    ...\n")
    return Task(
        name=name,
        task="Write it.",
        gap=gap,
        _solution=solution,
        hints=["", ""],
        _wrong=[*wrong],
        points=lambda torch, random: [tuple(point) for point in points(torch)],
        run=more.pop("run", plain_call),
        kind="function",
        **more,
    )


def answer(text, name="f"):
    """What a notebook's cell with this text defines."""
    file = f"<cell {next(numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"torch": torch, "np": np, "__name__": "__main__"}
    exec(compile(text, file, "exec"), names)
    return names[name]


TENSORS = some.sampled_from(
    [
        torch.tensor([1.0, 2.0]),
        torch.tensor([1.0, 2.0], requires_grad=True),
        torch.tensor([1.0, 2.0], dtype=torch.float64),
        torch.tensor([1, 2]),
        torch.tensor([[1.0, 2.0]]),
        torch.tensor(1.0),
        torch.tensor([True, False]),
        torch.zeros(0, 3),
        torch.zeros(3, 0),
        torch.zeros(20),
        torch.zeros(4, 5),
        torch.tensor([float("nan"), -0.0]),
        torch.tensor([float("nan"), 0.0]),
        np.array([1.0, 2.0]),
        np.array([1, 2]),
        np.zeros(20),
        np.zeros(20) + 1e-3 * (np.arange(20) == 17),
        np.array(["a", None], dtype=object),
        np.float32(1),
        np.array(1.0),
    ]
)
SIMPLE = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(-3, 3),
    some.sampled_from(
        [0.0, -0.0, 1.0, 1.0001, 1.00000001, 1 / 3, 0.3333, math.nan, math.inf, 1e30, 10**400, 10**400 + 1]
    ),
    some.floats(),
    some.complex_numbers(max_magnitude=2),
    some.text(max_size=3),
    some.sampled_from(
        ["a" * 99, "a" * 98 + "b", "1", "None", b"a", {1}, {1.0}, frozenset(), range(3), int, len, print]
    ),
    TENSORS,
)
VALUES = some.recursive(
    SIMPLE,
    lambda inside: some.one_of(
        some.lists(inside, max_size=3),
        some.lists(inside, max_size=3).map(tuple),
        some.dictionaries(some.sampled_from(["a", "b", 1, "1"]), inside, max_size=2),
    ),
    max_leaves=6,
)


@settings(max_examples=1500, deadline=None)
@given(VALUES, VALUES)
def test_expected_and_given_never_look_the_same(wanted, came):
    if not (same(wanted, came) and alike(wanted, came)):
        one, other = apart(wanted, came)
        assert one != other and len(one) < 2600 and len(other) < 2600


@pytest.mark.parametrize(
    ("wanted", "came", "one", "other"),
    [
        (45.0, 45.001, "`45`", "`45.001`"),
        ((45.0, 24.0), (45.0003, 24.0), "`(45, 24)`", "`(45.0003, 24)`"),
        ([1.0, 2.0], (1.0, 2.5), "`[1, 2]`", "`(1, 2.5)`"),
        (torch.tensor([1.0]), np.array([1.0]), "tensor, `[1]`", "array, `[1]`"),
        ("a" * 70 + "b", "a" * 70 + "c", "`'…aaaaaaaaaaaaaaaaaaaab'`", "`'…aaaaaaaaaaaaaaaaaaaac'`"),
        (0.0, -0.0, "`0.0`", "`−0.0`"),
        (math.nan, 1.0, "`nan`", "`1`"),
        (1.0, True, "`1`", "`True`"),
        (np.float32(1), np.float64(1), "`1` (float32)", "`1` (float64)"),
        (torch.ones(1), torch.ones(1, requires_grad=True), "`[1]` (requires_grad=False)", "`[1]` (requires_grad=True)"),
        (torch.zeros(0, 3), torch.zeros(3, 0), "`[]` (shape 0×3)", "`[[], [], []]` (shape 3×0)"),
    ],
)
def test_two_values_are_told_apart(wanted, came, one, other):
    texts = apart(wanted, came)
    assert texts[0] == one or one in texts[0] or one.split(" (")[0] == texts[0], texts
    assert texts[1] == other or other in texts[1] or other.split(" (")[0] == texts[1], texts


def points(*given):
    return lambda torch: given


SEVERAL = "def f(w):\n    return w * 45.0, w * 24.0, w * 3.0\n"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "return 45.002, 24.0, 3.0",
            "expected `(45, 24, 3)`, your code gave `(45.002, 24, 3)`. The first difference is in result 1 of 3.",
        ),
        ("return 45.0, 24.0, 4.0", "The first difference is in result 3 of 3."),
        ("return 45.0, 24.0", "your function must return 3 results, but it returned 2: a tuple, `(45, 24)`."),
        ("return 45.0", "your function must return 3 results, but it returned one: a number, `45`."),
        ("return (each for each in (45.0, 24.0, 3.0))", "a generator, which can be read only once. Make a list of it"),
        ("yield 45.0", "a generator, because your function contains `yield`. Use `return`."),
        ("return map(float, (45, 24, 3))", "your code gave a map, which can be read only once"),
        ("return 45.0, [24.0], 3.0", "The first difference is in result 2 of 3"),
        ("w * 45.0", "your function returned None. Does it `return` its result?"),
    ],
)
def test_what_is_wrong_with_several_results(body, told):
    verdict = judge(task_of(SEVERAL, points((1.0,)), rel=1e-5), answer(f"def f(w):\n    {body}\n"))
    assert not verdict.right and told in verdict.text, verdict.text


def test_a_list_for_a_tensor_among_results_is_told_by_its_kind():
    task = task_of("def f(w):\n    return w, w * 2\n", lambda torch: [(torch.tensor([1.0, 2.0]),)])
    text = judge(task, answer("def f(w):\n    return w, (w * 2).tolist()\n")).text
    assert "result 2 has the right numbers, but it must be a tensor, and your code gave a list, `[2, 4]`" in text


def test_in_a_large_tensor_the_first_wrong_number_is_named():
    task = task_of("def f(w):\n    return w * 2\n", lambda torch: [(torch.zeros(5, 6),)])
    text = judge(task, answer("def f(w):\n    w = w * 2\n    w[3, 2] = 7\n    return w\n")).text
    assert "At index `[3, 2]`, expected `0`, your code gave `7`." in text or "at index `[3, 2]`, expected `0`" in text


CLASS = "class f:\n    def __init__(self, w):\n        self.w = w\n"


def test_a_class_for_a_function_and_a_function_for_a_class():
    double = task_of("def f(w):\n    return 2 * w\n", points((1.0,)))
    assert "`f` is a class, and the task asks for a function: begin with `def f`." in judge(double, answer(CLASS)).text
    made = task_of(CLASS, points((1.0,)), run=lambda given, torch, w: given(w).w)
    text = judge(made, answer("def f(w):\n    return w\n")).text
    assert "`f` is a function, and the task asks for a class: begin with `class f`." in text


JUDGES = {"__name__": "viz.judges_of_this_test"}  # as a lesson's judges.py is
exec(
    "def summed(given, torch, w):\n    return given(w).sum()\n"
    "def broken(*given):\n    raise LookupError('a mistake of ours')\n",
    JUDGES,
)
summed, broken = JUDGES["summed"], JUDGES["broken"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("w * 2", "`f` returned None. Does it `return` its result?"),
        ("return [each * 2 for each in w]", "`f` must return a tensor, but it returned a list, `[2, 4]`."),
        ("return (each * 2 for each in w)", "your code gave a generator, which has computed nothing yet"),
        ("yield w", "because your function contains `yield`"),
        ("return (w * 2).numpy().tolist()", "`f` must return a tensor, but it returned a list"),
    ],
)
def test_a_failure_in_the_check_is_traced_to_what_the_function_returned(body, told):
    task = task_of("def f(w):\n    return w * 2\n", lambda torch: [(torch.tensor([1.0, 2.0]),)], run=summed)
    text = judge(task, answer(f"def f(w):\n    {body}\n")).text
    assert told in text and "has no attribute" not in text, text


@pytest.mark.parametrize(
    "how",
    [
        {"points": broken},
        {"run": broken},
        {"verify": broken},
        {"tell": broken},
        {"solution": "def f(w):\n    return [][w]\n"},
    ],
)
def test_a_failure_of_ours_is_reported_as_ours_and_the_answer_is_kept(how, monkeypatch, capsys):
    monkeypatch.setattr(exercises, "_kept", {})
    how = {"points": points((1,)), "solution": "def f(w):\n    return w\n"} | how
    task = task_of(how.pop("solution"), how.pop("points"), name="broken", **how)
    mine = answer("def f(w):\n    return w + (w > 5)\n" if "tell" not in how else "def f(w):\n    return 7\n")
    question = Exercise(task, "en").check(mine)
    assert question.verdict.kind == "ours" and "This is our mistake, not yours" in question.verdict.text
    assert question.or_ours() is mine and "use your f as it is" in capsys.readouterr().out


OR = "def f(a, b):\n    return a or b\n"
DATA = "def f(w):\n    w.data += 1\n    return w\n"


def test_a_construct_that_a_reply_mentions_is_in_the_code():
    task = task_of(
        "def f(a, b):\n    return a and b\n",
        points((True, True), (True, False), (False, True)),
        Wrong(OR, "`or` takes either."),
        gap="def f(a, b):\n    ...\n",
    )
    assert judge(task, answer(OR)).hint == "`or` takes either."
    assert judge(task, answer("def f(a, b):\n    return True\n")).hint == ""


def test_a_mistake_is_named_only_if_every_call_shows_it():
    task = task_of(
        "def f(w):\n    return 3 * w\n",
        points((1.0,), (2.0,), (3.0,)),
        Wrong("def f(w):\n    return w\n", "The factor."),
    )
    assert judge(task, answer("def f(w):\n    return w\n")).hint == "The factor."
    assert judge(task, answer("def f(w):\n    return w if w < 3 else 0.0\n")).hint == ""
    stops = task_of(
        "def f(w):\n    return 3 * w\n",
        points((1.0,), (2.0,)),
        Wrong("def f(w):\n    return w / (w - 1)\n", "w - 1 may be 0."),
    )
    assert judge(stops, answer("def f(w):\n    return w / (w - 1)\n")).hint == "w - 1 may be 0."
    assert judge(stops, answer("def f(w):\n    return 1 / 0 if w == 1 else 5.0\n")).hint == ""
    assert judge(stops, answer("def f(w):\n    return 3 * w if w > 1 else w / 0\n")).hint == ""


def test_the_same_error_in_another_expression_is_another_mistake():
    task = task_of(
        "def f(x, g):\n    return x.t() @ g\n",
        lambda torch: [(torch.zeros(3, 2), torch.zeros(3, 4))],
        Wrong("def f(x, g):\n    return x @ g\n", "Transpose `x` first."),
    )
    assert judge(task, answer("def f(x, g):\n    return x @ g\n")).hint == "Transpose `x` first."
    other = "def f(x, g):\n    w = torch.zeros(3, 2)\n    return w @ g\n"
    assert judge(task, answer(other)).hint == ""
    beside = "def f(x, g):\n    w = torch.zeros(3, 2)\n    return x.t() @ (w @ g)\n"
    assert judge(task, answer(beside)).hint == ""


def test_a_reply_that_lists_several_constructs_needs_one_of_them():
    wrong = "def f(w):\n    return w.detach() * 2\n"
    hint = "A line cuts it off, with `detach`, `.data` or `no_grad`."
    task = task_of(
        "def f(w):\n    return w * 2\n",
        lambda torch: [(torch.ones(2, requires_grad=True),)],
        Wrong(wrong, hint),
        run=lambda given, torch, w: given(w).requires_grad,
    )
    assert judge(task, answer(wrong)).hint == hint
    assert judge(task, answer("def f(w):\n    return w.data * 2\n")).hint == hint
    assert judge(task, answer("def f(w):\n    return torch.ones(2)\n")).hint == ""


@pytest.mark.parametrize("lang", WORDS)
def test_an_endless_hint_is_for_a_loop(lang):
    task = task_of(
        "def f(w):\n    return w\n", points((1.0,)), Wrong("def f(w):\n    while w: pass\n", "It loops.", endless=True)
    )
    assert judge(task, answer("def f(w):\n    while True: pass\n"), seconds=0.2, lang=lang).hint == "It loops."
    waits = judge(task, answer("import time\ndef f(w):\n    time.sleep(30)\n"), seconds=0.4, lang=lang)
    assert waits.kind == "loop" and waits.hint == "", waits.text


STATE = {"run": lambda given, torch, w: {"gradient": given(w), "w": w.tolist()}, "may_change": True}


def test_a_missing_return_is_told_as_such_and_no_known_mistake_explains_the_none():
    solution = "def f(w):\n    (w * w).sum().backward()\n    return w.grad\n"
    cleared = "def f(w):\n    (w * w).sum().backward()\n    w.grad = None\n    return w.grad\n"
    task = task_of(
        solution,
        lambda torch: [(torch.ones(2, requires_grad=True),)],
        Wrong(cleared, "It was cleared."),
        tell=lambda came: "your function returned a `.grad` that is None." if came["gradient"] is None else None,
        **STATE,
    )
    assert judge(task, answer(cleared)).hint == "It was cleared."
    silent = judge(task, answer(solution.replace("return ", "")))
    assert silent.kind == "None" and silent.hint != "It was cleared."
    assert (
        "`f` returned None. Does it `return` its result?" in silent.text and "`.grad` that is None" not in silent.text
    )
    printed = judge(task, answer(solution.replace("return w.grad", "print(w.grad)")))
    assert printed.kind == "printed" and "`return` it instead of printing it" in printed.text


def test_a_method_that_returns_nothing_is_named():
    solution = "class f:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n"
    task = task_of(solution, points((0,)), run=lambda given, torch, w: {"a": given().a(), "b": given().b()})
    text = judge(task, answer(solution.replace("return 2", "2 + 0"))).text
    assert "`b` returned None. Does it `return` its result?" in text, text


TRIPLE = task_of(
    "def f(w):\n    w = 3 * w\n    return w\n",
    points((1.0,), (2.0,)),
    Wrong("def f(w):\n    return w\n", "The factor."),
    Wrong("def f(w):\n    w + 1\n    return w + w\n", "Twice."),
)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("return w", "The factor."),
        (
            "w == 3 * w\n    return w",
            "In line 2, `w == 3 * w` only compares two values. An assignment has a single `=`",
        ),
        ("3 * w\n    return w", "In line 2, `3 * w` computes a value but does not store it."),
        ("return w\n    w = 3 * w", "In line 3, `w = 3 * w` never runs, because it is below a `return`."),
        ("for _ in 1, 2:\n        continue\n        w = 3 * w\n    return w", "because it is below a `continue`."),
        ("w.real\n    return w", "In line 2, `w.real` has no effect."),
        ("w\n    return w", "In line 2, `w` has no effect."),
        ("'three times'\n    return w", "The factor."),
        ("str(w)\n    return w", "The factor."),
        ("float(w) * 3\n    return w", "In line 2, `float(w) * 3` computes a value but does not store it."),
        ("w - 1\n    return 2 * w", "Twice."),
        ("return 2 * w", ""),
        ("if w:\n        return w\n    else:\n        return 3 * w", "The factor."),
    ],
)
def test_a_statement_without_an_effect_is_told_and_known_mistakes_without_one_are_not(body, hint):
    said = judge(TRIPLE, answer(f"def f(w):\n    {body}\n")).hint
    assert said.startswith(hint) or hint in said and hint, said
    assert hint or not said


def test_only_a_method_that_the_exercise_calls_is_told_to_need_brackets():
    task = task_of("def f(w):\n    w = [w]\n    w.clear()\n    return w\n", points((1,)))
    assert "it needs brackets" in judge(task, answer("def f(w):\n    w = [w]\n    w.clear\n    return w\n")).hint
    said = judge(task, answer("def f(w):\n    w = [w]\n    w.append\n    return w\n")).hint
    assert said == "In line 3, `w.append` has no effect."
    said = judge(task, answer("def f(w):\n    w = [w]\n    w.nothing\n    return w\n"))
    assert said.kind == "raised" and not said.hint, said.text


AREA = task_of(
    "def f(w):\n    side = w + 1\n    area = side * side\n    return area\n",
    points((2.0,), (5.0,)),
    Wrong("def f(w):\n    side = w + 1\n    area = side + side\n    return area\n", "You added. Write `side * side`."),
    Wrong("def f(w):\n    side = w + 2\n    area = side * side\n    return area\n", "The side is too long."),
    gap="def f(w):\n    side = w + 1\n    area = ...\n    return area\n",
)


@pytest.mark.parametrize(
    ("side", "area", "hint"),
    [
        ("side = w + 1", "area = side + side", "You added."),
        ("side = w + 1", "area = 2 * w + 2", "You added."),
        ("side = w + 2", "area = side * side", "The side is too long."),
        (
            "side = w",
            "area = side * side",
            "The cell gives the line `side = w + 1`. In your code, this line is `side = w`.",
        ),
        ("side = 2 * w + 2", "area = side", "The cell gives the line `side = w + 1`."),
        ("side = float(w)", "area = side * side", ""),
        ("side = w + 1", "_ = side * side; area = side + side", ""),
    ],
)
def test_a_given_line_that_was_changed_is_named_and_no_reply_says_to_write_what_is_there(side, area, hint):
    said = judge(AREA, answer(f"def f(w):\n    {side}\n    {area}\n    return area\n"))
    assert not said.right and (said.hint.startswith(hint) if hint else not said.hint), said.text


def test_a_return_in_a_loop_is_asked_about_only_where_there_is_one():
    early = Wrong("def f(w):\n    for _ in range(3):\n        return w\n", "Is the `return` inside the loop?")
    task = task_of(
        "def f(w):\n    for _ in range(3):\n        w = 2 * w\n    return w\n", points((1.0,), (2.0,)), early
    )
    assert judge(task, answer(early.code)).hint
    assert not judge(task, answer("def f(w):\n    for _ in range(3):\n        pass\n    return w\n")).hint


def test_what_stands_below_a_definition_in_the_cell_has_its_own_line_and_a_value_that_is_shown_is_no_slip():
    text = "def helper(w):\n    return w\n\n\ndef f(w):\n    helper(w)\n    return w\n    return 3 * w\n\n\nf\n"
    assert judge(TRIPLE, answer(text)).hint.startswith("In line 8, `return 3 * w` never runs")


def test_the_first_difference_is_named_only_if_no_earlier_entry_is_written_in_other_digits():
    task = task_of("def f():\n    return [86.575, 1.0, 2.0]\n", points(()))
    told = judge(task, answer("def f():\n    return [86.573, 1.5, 2.0]\n")).text
    assert "In entry 2 of 3, expected `1`, your code gave `1.5`." in told and "first difference" not in told
    told = judge(task, answer("def f():\n    return [86.575, 1.5, 2.0]\n")).text
    assert "The first difference is in entry 2 of 3." in told


def test_the_constructs_of_a_piece_of_code():
    assert "+" not in constructs("w += 1") and "+=" in constructs("w += 1") and "+" in constructs("w + 1")
    assert {"-", "~", "not"} <= constructs("-a, ~b, not c") and "not" not in constructs("-a")
    assert "lr" in constructs("optimizer.param_groups[0]['lr'] = 1") and "a b" not in constructs("'a b'")
    assert "no_grad()" in constructs("torch.no_grad()") and "no_grad()" not in constructs("with torch.no_grad(): f(1)")


PIECES = "def f(w):\n    w.clear()\n    for _ in range(3):\n        w.append(1)\n    return w"


@pytest.mark.parametrize(
    ("piece", "there"),
    [
        ("range( 3 )", True),
        ("range(-", False),
        (".append(1)", True),
        ("append(1)", False),  # a name begins where a word begins
        (".clear(….append(", True),  # over several lines, in this order
        (".append(….clear(", False),
        ("range(…)", True),
        ("rang", False),
        ("# range(4)", False),
    ],
)
def test_a_mark_with_a_piece_of_code_looks_for_it_in_the_code(piece, there):
    assert written(piece, PIECES) == there, piece
    code = "def f(w):\n    return w"
    for marks in ({"has": (piece,)}, {"has": ("range(9)", piece)}):
        assert has_pieces(Wrong(code, "", **marks), PIECES) == there, marks
    assert has_pieces(Wrong(code, "", lacks=(piece,)), PIECES) != there


def test_a_mistake_marked_with_a_piece_of_code_is_named_only_where_it_is():
    marked = Wrong("def f(w):\n    return w * 3", "Two times, not three.", has=("w * 3", "3 * w"))
    other = Wrong("def f(w):\n    return w * 3", "Your code never adds.", lacks=("+",))
    task = task_of("def f(w):\n    return w * 2", points((2.0,), (3.0,)), marked, other)
    assert judge(task, answer("def f(w):\n    return 3 * w\n")).hint == "Two times, not three."
    assert judge(task, answer("def f(w):\n    return w * 6 / 2\n")).hint == "Your code never adds."
    assert judge(task, answer("def f(w):\n    return w + w + w\n")).hint == ""


@pytest.mark.parametrize("lines", [2, 3])
def test_a_list_that_should_be_the_first_of_two_results_is_one_result(lines):
    verdict = judge(
        exercises.exercise("share").task, answer(f"def share(program, result):\n    return program[:{lines}]", "share")
    )
    assert "must return 2 results, but it returned one: a list, `[(" in verdict.text
    assert verdict.hint.startswith("Return two things in this order")


@pytest.mark.parametrize("body", ["x * max(0.1, x.sum() > 0)", "x * [0.1, 1][int(x.sum() > 0)]"])
def test_any_code_that_reads_a_number_is_told_why_there_is_no_trace(body):
    verdict = judge(exercises.exercise("if_in_a_trace").task, answer(f"def leaky(x):\n    return {body}", "leaky"))
    assert "`jit` makes no trace, because your code still needs the number of a tensor." in verdict.text
    assert verdict.hint.startswith("While the trace is made, tensors have no numbers.")


def test_lines_that_are_compared_by_their_numbers_are_told_so():
    code = """
OPS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "neg": lambda a: -a}
def share(program, result):
    values, first, short = {"w": 2.0, "x": 5.0}, {}, []
    for name, op, *inputs in program:
        values[name] = OPS[op](*[values[each] for each in inputs])
        if values[name] not in first:
            first[values[name]] = name
            short.append((name, op, *inputs))
    return short, first[values[result]]
"""
    verdict = judge(exercises.exercise("share").task, answer(code, "share"))
    assert not verdict.right and verdict.hint.startswith("Two lines can give equal numbers by chance")
