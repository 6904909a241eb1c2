"""Every exercise of every lesson: its solution passes, each wrong answer gets its own hint and no other, and whatever
else a reader may give gets a sentence. The exercises stand in viz/lesson/exercises/, so a new one is tested by itself.
"""

import importlib
import itertools
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import minigrad
from viz.lesson import exercise, trial
from viz.lesson.exercises import load
from viz.lesson.exercises.lesson03 import judges as lesson03
from viz.lesson.exercises.lesson07 import judges as lesson07
from viz.lesson.said import WORDS
from viz.lesson.task import TASKS
from viz.lesson.trial import codes_in, judge, not_tried, untouched
from viz.locale import pick

load()
NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
every_exercise = pytest.mark.parametrize("name", sorted(TASKS))
written = [name for name, task in sorted(TASKS.items()) if task.kind == "function"]
LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]


def answer(task, code, torch=minigrad):
    """What a reader has made by running `code` in their cell."""
    return trial.defined(task, code, torch)


def in_place_of(task, body):
    """An answer to this exercise that has one line of code instead of a solution."""
    solution = answer(task, task.solution)
    if not isinstance(solution, type):
        return answer(task, f"def {task.wants}(*given):\n    {body}\n")
    if issubclass(solution, minigrad.nn.Module):
        return answer(task, f"class {task.wants}(torch.nn.Module):\n    def __init__(self, *given):\n        {body}\n")
    base = "(torch.autograd.Function)" if issubclass(solution, minigrad.autograd.Function) else ""
    head, functions = f"class {task.wants}{base}:\n", [each for each in vars(solution) if each in codes_in(solution)]
    methods = "".join(f"    @staticmethod\n    def {each}(*given, **named):\n        {body}\n" for each in functions)
    return answer(task, head + methods)


@pytest.mark.parametrize("library", LIBRARIES)
@every_exercise
def test_the_solution_is_right_and_each_wrong_answer_hears_its_own_hint(name, library, each_code_runs_once):
    task, torch = TASKS[name], importlib.import_module(library)
    given = tuple(range(len(task.lines))) if task.kind == "order" else answer(task, task.solution, torch)
    assert judge(task, given, torch=torch).right, judge(task, given, torch=torch).text
    assert task.wrong or task.verify, "an exercise without a typical wrong answer tells nobody why"
    for wrong in task.wrong:
        for lang in WORDS:
            given = wrong.order if task.kind == "order" else answer(task, wrong.code, torch)
            verdict = judge(task, given, torch=torch, lang=lang, seconds=0.2 if wrong.endless else 5)
            assert not verdict.right and verdict.hint == pick(wrong.hint, lang), (wrong, verdict.text)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("step", ["w = w - rate * leaf.grad", "w = leaf.detach() - rate * leaf.grad"])
def test_who_descends_by_a_tensor_is_right_and_hears_no_warning_afterwards(step, library):
    task, torch = TASKS["descend"], importlib.import_module(library)
    descend = answer(task, task.gap.replace("...", f"loss.backward()\n        {step}"), torch)
    assert judge(task, descend, torch=torch).right
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(descend(1.0, 0.015)) == pytest.approx(4, abs=1e-3)


def changed(name, *changes):
    """The solution of an exercise with some of its text replaced."""
    code = TASKS[name].solution
    for old, new in changes:
        assert old in code, (name, old)
        code = code.replace(old, new)
    return code


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "line, hint",
    [  # put in place of `h_state = h_state.detach()`, which is the solution; where it works, no other line is needed
        ("h_state = torch.zeros(1, 32)", "each piece starts with a state of zeros"),
        ("h_state = h_state.clone()", "is still connected to its graph"),
        ("h_state.requires_grad = False", "only for a leaf tensor"),
        ("h_next = h_state.detach()", "must get a detached `h_state`"),
        ("loss = loss.detach()", "Your code detaches another tensor"),
        ("if len(losses) == 1: h_state = h_state.detach()", "In every iteration"),
        ("loss.detach_()", "an earlier pass had already used"),
        ("h_state = h_state * 1", "an earlier pass had already used"),
        ("h_state.detach_()", None),
        ("h_state = h_state.data", None),
        ("h_state = torch.tensor(h_state.tolist())", None),
    ],
)
def test_each_way_to_keep_the_history_hears_what_is_true_of_it(line, hint, library):
    task, torch = TASKS["cut_the_state"], importlib.import_module(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdict = judge(task, answer(task, changed("cut_the_state", ("h_state = h_state.detach()", line)), torch))
    assert verdict.right if hint is None else hint in verdict.hint, verdict.text


CUT = "for grad in grads:\n            grad *= max_norm / norm"
STEP = "        nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
ZERO = "        optimizer.zero_grad()\n"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("slope_back", [("product = product * u * (1 - h * h)", "product *= u * (1 - h**2)")]),
        (
            "unroll",
            [
                ("x.permute(1, 0, 2)", "[x[:, t] for t in range(x.size(1))]"),
                ("torch.stack(states, dim=1)", "torch.stack(states).permute(1, 0, 2)"),
            ],
        ),
        (
            "clip_by_hand",
            [
                (
                    "if norm > max_norm:\n        " + CUT,
                    "for grad in grads:\n        grad.mul_(min(1.0, max_norm / norm))",
                )
            ],
        ),
        (
            "clip_by_hand",  # what is walked along once is kept in a list
            [
                ("    grads = ", "    parameters = [*parameters]\n    grads = "),
                (
                    CUT,
                    "for p in parameters:\n            p.grad = None if p.grad is None else p.grad * max_norm / norm",
                ),
            ],
        ),
        ("clip_in_time", [(ZERO, ""), ("        losses.append", ZERO + "        losses.append")]),
        ("clip_in_time", [(ZERO, STEP + ZERO)]),
    ],
)
def test_other_ways_through_lesson_8_are_right_as_well(name, changes, library):
    torch, code = importlib.import_module(library), changed(name, *changes)
    verdict = judge(TASKS[name], answer(TASKS[name], code, torch), torch=torch)
    assert verdict.right, verdict.text


@pytest.mark.parametrize("lang", WORDS)
def test_lines_in_a_wrong_order_are_told_of_the_accounts_and_not_of_code_that_nobody_wrote(lang):
    told = judge(TASKS["by_arrival"], (0, 5, 1, 2, 3, 4), torch=minigrad, lang=lang).text
    assert "x_grad" in told and "gradients(" not in told
    assert "your code" not in told and "你的代码" not in told


COMPLETE = {  # what a reply of `by_arrival` says -> whether it is true; see `amounts`
    "without the contribution from `b`": lambda told: "b" not in told["w<a"] + told["x<a"],
    "from `y` has been added": lambda told: "y" not in told["w<a"] + told["x<a"],
    "`a_grad` is still 0 when": lambda told: not told["w<a"] and not told["x<a"],
    "`x_grad` is correct,": lambda told: told["x<a"] == "by" != told["w<a"],
    "`w_grad` is correct,": lambda told: told["w<a"] == "by" != told["x<a"] and told["w<b"],
    "both use `a_grad` before it is complete": lambda told: told["w<a"] != "by" != told["x<a"],
    "while `b_grad` is still 0. ": lambda told: not told["w<b"] and told["w<a"] == told["x<a"] == "by",
    "The gradients of the leaves must be completed last": lambda told: (
        not told["w<a"] and not told["x<a"] and not told["w<b"]
    ),
    "while `b_grad` is still 0, and": lambda told: not told["w<b"] and (told["w<a"] != "by" or told["x<a"] != "by"),
}


def amounts(lines):
    """What is in `a_grad`, and whether `b_grad` is complete, when each line of `by_arrival` uses it, in this order."""
    a_grad, b_grad, told = "", False, {}
    for line in lines:
        if line == "a_grad += y_grad * b":
            a_grad = "".join(sorted(a_grad + "y"))
        elif line == "b_grad += y_grad * a":
            b_grad = True
        elif line == "a_grad += b_grad * 1":
            a_grad = "".join(sorted(a_grad + "b" * b_grad))
        elif line == "w_grad += b_grad * 1":
            told["w<b"] = b_grad
        else:
            told[f"{line[0]}<a"] = a_grad
    return told


def test_whatever_the_order_of_the_lines_the_reply_is_true_of_it(each_code_runs_once):
    """Two orders may give the same numbers for different reasons. Of the 720 orders, one of each kind is judged."""
    task, kinds = TASKS["by_arrival"], {}
    for order in itertools.permutations(range(6)):
        lines = [task.lines[i] for i in order]
        kinds.setdefault((*sorted(amounts(lines).items()), lines.index("a_grad += b_grad * 1")), (order, lines))
    assert len(kinds) > 80
    for order, lines in kinds.values():
        told, verdict = amounts(lines), judge(task, order)
        right = told == {"w<b": True, "w<a": "by", "x<a": "by"}
        assert verdict.right == right, (lines, verdict.text)
        claims = [true for claim, true in COMPLETE.items() if claim in verdict.hint]
        assert len(claims) == (0 if right else 1) and all(true(told) for true in claims), (lines, verdict.text)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("name", "code", "hint"),
    [  # what readers tried, and variants of it that end in the same way for another reason
        ("descend", "loss.backward(); w = w - rate * loss.grad", "`loss.grad` is None"),
        ("descend", "loss.backward(); w = w - rate * loss.grad.item()", "`loss.grad` is None"),
        ("descend", "w = w - rate * loss.grad", "`loss.grad` is None"),
        ("descend", "w = w - rate * leaf.grad", "`leaf.grad` is None until"),
        ("descend", "w = w - rate * leaf.grad; loss.backward()", "`leaf.grad` is None until"),
        ("descend", "w = w - rate * leaf.grad.item(); loss.backward()", "before this line?"),
        ("descend", "loss.backward(); leaf.grad = None; w = w - rate * leaf.grad", "to None before the step"),
        ("descend", "w = w - rate * loss.backward()", "`backward()` returns None"),
        ("descend", "loss.backward(); leaf -= rate * leaf.grad; w = leaf.item()", "must not be changed in place"),
        ("descend", "loss.backward(); leaf.sub_(rate * leaf.grad); w = leaf.item()", "must not be changed in place"),
        ("descend", "loss.backward(); leaf.data -= rate * leaf.grad; w = leaf.item()", None),
        ("descend", "w = w - rate * 2 * (5 * w - 20)", "By the chain rule"),
        ("descend", "w = w - rate * 2 * 5 * (5 * w - 20)", None),
        (
            "both_losses",
            "first.backward(retain_graph=True); w.grad = None; second.backward()",
            "clears `w.grad` between",
        ),
        (
            "both_losses",
            "first.backward(retain_graph=True); w.grad.zero_(); second.backward()",
            "clears `w.grad` between",
        ),
        (
            "both_losses",
            "first.backward(retain_graph=True); x.grad = None; second.backward()",
            "clears `x.grad` between",
        ),
        (
            "both_losses",
            "first.backward(retain_graph=True); w.grad = None; x.grad = None; second.backward()",
            "second result only. It clears",
        ),
        (
            "both_losses",
            "first.backward(retain_graph=True); second.backward(); w.grad = x.grad = None",
            "clears `w.grad` and `x.grad`",
        ),
        (
            "both_losses",
            "second.backward(retain_graph=True); w.grad = None; x.grad = None; first.backward()",
            "first result only. It clears",
        ),
        ("both_losses", "(first + second).backward(); w.grad = None", "clears it after the last backward pass"),
        ("both_losses", "second.backward()", "The first result must send its gradients back, too"),
        (
            "both_losses",
            "second = second.data; first.backward(); second.backward()",
            "A line of your code cuts the path",
        ),
        ("both_losses", "(first + second / 2).backward()", ""),
        ("both_losses", "(first + second).backward()", None),
        ("ledger", "a_grad = 2 * a + 1; w_grad = 2 * a * 2 * w", "use the whole `a_grad`"),
        ("ledger", "a_grad = 2 * a + a; w_grad = a_grad * 2 * w", "its contribution is 1, not a"),
        ("ledger", "a_grad = (2 * a + 1) * 2 * w; w_grad = 2 * a + 1", "in the wrong order"),
        ("ledger", "a_grad = 2 * w + 1; w_grad = a_grad * 2 * w", "both factors are `a`"),
        ("ledger", "a_grad = 2 * a + 1; w_grad = 114", "correct only at w = 3"),
        ("descend", "loss.retain_grad(); loss.backward(); w = w - rate * loss.grad.item()", "with respect to itself"),
        ("ledger", "a_grad = 19; w_grad = 114", "correct only at w = 3"),
        ("descend", "loss.backward(); new = w - rate * leaf.grad.item()", "no line assigns a new value to `w`"),
        ("descend", "loss.backward(); leaf.grad.zero_(); w = w - rate * leaf.grad.item()", "does the loop run"),
        ("descend", "loss.backward(); w - rate * leaf.grad.item()", "computes a value but does not store it"),
        ("descend", "loss.backward(); w = w - rate * leaf.grad.item() / 10", "a tenth as long as it should be."),
        ("descend", "w = w - rate * (5 * w - 20)", "5w − 20 is the expression in the parentheses"),
        ("descend", "loss.backward(); loss.backward(); w = w - rate * leaf.grad.item()", ""),
        ("both_losses", "first.backward(retain_graph=False); second.backward()", "Which of the two calls"),
        ("both_losses", "(first + second).backward(); second.backward()", "but the second pass needs them"),
        ("ledger", "a_grad = a * a + 1; w_grad = a_grad * 2 * w", "is the value of the product"),
        ("ledger", "a_grad = a - a + 1; w_grad = a_grad * 2 * w", "only the contribution from the sum"),
    ],
)
def test_each_way_through_lesson_2_hears_what_is_true_of_it(name, code, hint, library):
    task, torch = TASKS[name], importlib.import_module(library)
    rows = [line.strip() for line in task.gap.splitlines()]
    gap = [i for i, line in enumerate(rows) if line.endswith("...") or ".backward()" in line]
    indent = re.match(" *", task.gap.splitlines()[gap[0]])[0]
    given = [indent + line for line in code.split("; ")]
    whole = task.gap.splitlines()[: gap[0]] + given + task.gap.splitlines()[gap[-1] + 1 :]
    verdict = judge(task, answer(task, "\n".join(whole), torch), torch=torch)
    assert verdict.right == (hint is None), verdict.text
    assert hint in verdict.hint if hint else not verdict.hint, verdict.text


@every_exercise
def test_untouched_it_has_not_been_tried(name):
    task = TASKS[name]
    given = "" if task.kind == "order" else answer(task, task.gap)
    for lang in WORDS:
        assert judge(task, given, lang=lang).text == not_tried(task, lang)
    assert "..." in task.gap or task.untried != "untried"
    told = not_tried(task, "en")
    assert "{" not in told and (task.untried != "untried silent" or f"`{task.wants}` is unchanged" in told)
    assert 2 <= len(task.hints) <= 4


@pytest.mark.parametrize("name", written)
def test_what_is_no_answer_gets_a_sentence_too(name, each_code_runs_once):
    task = TASKS[name]
    told = {
        "loop": judge(task, in_place_of(task, "while True: pass"), seconds=0.05).text,
        "raised": judge(task, in_place_of(task, "return 1 / 0")).text,
        "text": judge(task, in_place_of(task, "return 'four'")).text,
        "nothing": judge(task, in_place_of(task, "return None")).text,
        "number": judge(task, 4).text,
    }
    ended = re.search(r"after ([\d.e-]+) s, your code was still running, in line .*while True", told["loop"])
    assert ended and float(ended[1]) >= 0.05, told["loop"]  # more on a machine where our own solution takes long
    assert "`return 1 / 0`: ZeroDivisionError: division by zero" in told["raised"]
    assert all(text.startswith("✗") and "Traceback" not in text for text in told.values()), told
    assert f"check({task.wants})" in told["number"]


def test_the_page_about_exercises_counts_them():
    page = (NOTEBOOKS.parent / "viz/lesson/exercises/README.md").read_text(encoding="utf-8")
    assert f"the folders beside this page hold {len(TASKS)} of them" in page


def test_the_cell_of_each_lesson_begins_with_the_gap():
    """What is stored is unsolved: the notebook's cell holds the gap as the exercise declares it."""
    for notebook in NOTEBOOKS.glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        for source in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
            for name in re.findall(r"viz\.exercise\(\s*[\"']([^\"']+)[\"']", source):
                task = TASKS[name]
                if task.kind != "order":
                    made = compiled(source, task.wants)
                    assert made and untouched(task, made), f"{notebook.name} does not store {name} as its gap"


def compiled(source, wanted):
    """What a cell defines under a name, without running the rest of it."""
    import ast

    names = {"torch": minigrad}
    tree = ast.parse(source)
    defines = [
        each
        for each in tree.body
        if getattr(each, "name", None) == wanted
        or isinstance(each, ast.Assign)
        and wanted in [getattr(target, "id", None) for target in each.targets]
    ]
    exec(compile(ast.Module(defines, []), "<cell>", "exec"), names)
    return names.get(wanted)


def test_verbs_tell_in_tiers_and_a_setting_leaves_solutions_out(monkeypatch):
    task = TASKS["relu_backward"]
    monkeypatch.setattr(exercise, "_kept", {})
    question = exercise.Exercise(task, "en")
    assert [str(question.hint())[:10] for _ in range(4)] == ["Hint 1 of ", "Hint 2 of ", "Hint 3 of ", "Hint 3 of "]
    assert repr(question.solution()) == task.solution.strip()
    monkeypatch.setenv("MINIGRAD_SOLUTIONS", "off")
    assert question.solution() == WORDS["en"]["away"] and not question._data()["solutions"]


@every_exercise
def test_no_word_of_it_is_missing_in_chinese_and_code_is_the_same_in_both(name):
    task = TASKS[name]
    texts = [task.task, task.because, task.where, task.unmended, *task.parts.values(), *task.hints]
    texts += task.remarks.values()
    for text in (*texts, *(wrong.hint for wrong in task.wrong)):
        if text:
            english, chinese = pick(text, "en"), pick(text, "zh")
            assert chinese != english or english.startswith("`"), f"only in English: {english}"
            assert code_in(english) == code_in(chinese), text


def code_in(text):
    return sorted(re.findall(r"`[^`]+`", text))


def test_the_lesson_on_cost_calls_noise_noise_and_only_that(capsys):
    """Lesson 12's cells, with a guess; then on a busy machine's clock, which jumps by more than a call lasts."""
    cells = json.loads((NOTEBOOKS / "12_what_it_costs.ipynb").read_text(encoding="utf-8"))["cells"]
    clock, source, learn = ("".join(cell["source"]) for cell in cells if cell["id"] in ("clock", "measure", "learn"))
    names = {"torch": minigrad, "jit": minigrad.jit}
    exec(clock, names)
    exec(source, names)
    told_first = capsys.readouterr().out
    assert re.match(r"a call \d+ µs, the first one with jit \d+ ms\nHow much time does jit save", told_first)
    exec(source.replace("my_guess = ...", "my_guess = 0.5"), names)  # not a number of calls
    assert "with this number of calls, 1 or more" in capsys.readouterr().out
    exec(learn, names)
    unmeasured = capsys.readouterr().out
    exec(source.replace("my_guess = ...", "my_guess = 100"), names)
    said = capsys.readouterr().out
    assert said.startswith("steps: to trace ") and "your guess: 100 calls\nproducts: to trace " in said
    exec(learn, names)
    assert re.match(
        r"loss: to trace .*\n.*\n.*of 100 pairs: .*\nafter 1000 steps the loss is ", capsys.readouterr().out
    )
    assert unmeasured.startswith("after 1000 steps the loss is 0.00") and "ran 1000 times" in unmeasured

    def told(dynamic, traced):
        random = np.random.default_rng(0)

        def seconds(f, given):
            f(*given)  # so that there is a trace
            jump = 2e-3 * (random.random() < 0.2)  # another program's turn
            return (dynamic if f is names["steps"] else traced) * random.uniform(0.9, 1.1) + jump

        names["seconds"] = seconds
        names["compare"](names["steps"], names["small"])
        return capsys.readouterr().out

    assert "(-3" in told(300e-6, 200e-6) and "has paid off after" in told(300e-6, 200e-6)
    assert "too close to tell" in told(300e-6, 300e-6) and "too close to tell" in told(10e-3, 9.98e-3)
    assert "never pays" in told(200e-6, 300e-6)


OTHERWISE = [  # (an exercise, the changes that make another right answer, what ✓ must not say of it)
    (
        "descend",
        [("loss.backward()\n        ", ""), ("leaf.grad.item()", "torch.autograd.grad(loss, leaf)[0].item()")],
        "Backward computes",
    ),
    (
        "small_start",
        [("torch.full((3,), 0.1, requires_grad=True)", "torch.ones(3, requires_grad=True) * 0.1\n    w.retain_grad()")],
        "`w` is a leaf",
    ),
    (
        "jacobian",
        [("    rows = []", "    return torch.autograd.functional.jacobian(f, v.detach())\n    rows = []")],
        "Right. Each row costs",
    ),
    (
        "update_step",
        [("with torch.no_grad():\n            w -= lr * w.grad", "w.data = w.data - lr * w.grad")],
        "changed in place",
    ),
    (
        "mend_data",
        [
            ("y = (w * w).sum()", "y = (w.clone() * w.clone()).sum()"),
            ("    y.backward()\n", ""),
            ("w += 1\n", "w += 1\n    y.backward()\n"),
        ],
        "Then `w` changes",
    ),
    ("mend_in_place", [("e = h.exp()\n    e = e + 1", "e = h.exp().clone()\n    e.add_(1)")], "new tensor"),
    ("mend_in_place", [("return e.log()", "return h.exp().log1p()")], "The sum"),
    ("unroll", [("x.permute(1, 0, 2)", "[x[:, t] for t in range(x.size(1))]")], "needs the time first"),
    (
        "snowball",
        [("loss.item())", "loss.item())\n        optimizer.zero_grad(set_to_none=False)")],
        "without a gradient",
    ),
    (
        "if_in_a_trace",
        [("torch.where(x.sum() > 0, x, 0.1 * x)", "x * torch.where(x.sum() > 0, 1.0, 0.1)")],
        "One trace holds both",
    ),
]


@pytest.mark.parametrize(("name", "changes", "claim"), OTHERWISE)
def test_a_right_answer_of_another_form_is_not_praised_for_what_its_code_does_not_do(name, changes, claim):
    task = TASKS[name]
    verdict = judge(task, answer(task, changed(name, *changes)))
    assert verdict.right, verdict.text
    for text in (verdict.text, pick(task.because, "en")):
        assert claim not in text, text


NUDGED = """def jacobian(f, v):
    with torch.no_grad():
        columns = []
        for j in range(len(v)):
            step = torch.zeros(len(v))
            step[j] = 1e-3
            columns.append((f(v + step) - f(v)) / 1e-3)
    return torch.stack(columns, {})
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_from_nudges_is_nearly_the_table_of_derivatives_and_is_not_called_anything_else(library):
    torch, task = importlib.import_module(library), TASKS["jacobian"]
    told = judge(task, answer(task, NUDGED.format(1), torch), torch=torch).text
    assert "close to the derivatives but not equal" in told, told
    turned = judge(task, answer(task, NUDGED.format(0), torch), torch=torch).text
    assert turned.startswith("✗") and "close to" not in turned, turned


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["jacobian", "three_gradients", "scale_of_a_row"])
def test_no_call_of_lesson_4_is_square(name, library):
    """A transposed answer has the wrong shape then, in every call."""
    torch, task = importlib.import_module(library), TASKS[name]
    for point in task.points(torch, np.random.default_rng(0)):
        result = task.run(answer(task, task.solution, torch), torch, *point)
        shapes = [tuple(each.shape) for each in (result if isinstance(result, tuple) else [result])]
        assert all(len(shape) < 2 or shape[0] != shape[1] for shape in shapes), shapes


@pytest.mark.parametrize("name", ["jacobian"])
def test_a_reply_shows_a_function_that_it_calls_as_the_line_that_makes_it(name):
    task = TASKS[name]
    for f, v in task.points(minigrad, np.random.default_rng(0)):
        names = {"torch": minigrad, "A": next(iter(f.__defaults__ or ()), None)}
        assert minigrad.equal(eval(f.__name__, names)(v), f(v))


@pytest.mark.parametrize("library", LIBRARIES)
def test_who_keeps_a_gradient_is_seen_after_a_pass(library):
    """Lesson 3's function says it before; here a pass is made, and it is looked for."""
    torch, task = importlib.import_module(library), TASKS["keeps_grad"]
    keeps = answer(task, task.solution, torch)
    kept = set()
    for (line,) in task.points(torch, None):
        t = lesson03.made(torch, line)
        expected = keeps(t)
        (t * torch.ones(2, requires_grad=True)).sum().backward()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # .grad of what is no leaf
            assert (t.grad is not None) == expected, line
        kept.add(expected)
    assert kept == {True, False}


def test_an_operator_that_mixes_its_numbers_is_not_one_number_of_each():
    task = TASKS["own_operator"]
    for mixing in ("h.softmax(0)", "h.cumsum(0)", "h - h.mean()"):
        code = task.gap.replace("...", f"return {mixing}", 1).replace("...", "return grad_output * 0")
        verdict = judge(task, answer(task, code))
        assert not verdict.right and "changes several numbers of the result" in verdict.text, mixing


OWN = {  # forward: what backward multiplies grad_output by
    "h.clamp(-0.5, 0.5)": "((h > -0.5) & (h < 0.5))",
    "torch.nn.functional.softshrink(h)": "((h < -0.5) | (h > 0.5))",
    "h.clamp(-0.7, 1.4)": "((h > -0.7) & (h < 1.4))",
    "h.abs()": "h.sign()",
    "h.relu()": "(h > 0)",
    "h.float().sin()": "h.float().cos()",
    "h.float().sin().double()": "h.float().cos().double()",
    "(1 + h.exp()).log()": "h.sigmoid()",
    "h.log()": "1 / h",
    "(5 * h).tanh()": "5 * (1 - (5 * h).tanh() ** 2)",
}


def own(forward, slope, library):
    """The reader's operator, judged."""
    task = TASKS["own_operator"]
    code = task.gap.replace("...", f"return {forward}", 1).replace("...", f"return grad_output * {slope}")
    return judge(task, answer(task, code, importlib.import_module(library)))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("forward", OWN)
def test_an_operator_with_kinks_or_in_float32_is_right_if_its_slope_is(forward, library):
    verdict = own(forward, OWN[forward], library)
    assert verdict.right, verdict.text
    for wrong in (f"1.01 * ({OWN[forward]})", f"({OWN[forward]}) + 0.01"):
        assert not own(forward, wrong, library).right, wrong


@pytest.mark.parametrize(
    ("forward", "corner"), [("h.clamp(-0.5, 0.5)", 0.5), ("torch.nn.functional.softshrink(h)", 0.5), ("h.abs()", 0.0)]
)
def test_an_operator_is_right_wherever_the_nudge_meets_its_corner(forward, corner):
    """The points are drawn at random: one of them may lie as near to a corner as this."""
    task = TASKS["own_operator"]
    code = task.gap.replace("...", f"return {forward}", 1).replace("...", f"return grad_output * {OWN[forward]}")
    for way in range(-30, 31):
        h = minigrad.tensor([1.4, corner + way * lesson07.NUDGE / 20, 0.25], dtype=minigrad.float64)
        told = lesson07.beside_the_measurement(answer(task, code), minigrad, h)
        assert told == {"kept": True, "plain": [1, 1, 1], "arrives": lesson07.UPSTREAM}, h


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "trick", ["getattr(w, 'data').add_(1)", "w.data.add_(1)", "n = w.detach().numpy(); n += 1", "w.data = w.data + 1"]
)
@pytest.mark.parametrize("order", ["{}; y.backward()", "y.backward(); {}"])
def test_a_change_that_no_version_counts_is_seen_in_lesson_6(trick, order, library):
    task = TASKS["mend_data"]
    code = task.gap.replace("...", order.format(trick))
    verdict = judge(task, answer(task, code, importlib.import_module(library)))
    assert not verdict.right, verdict.text
