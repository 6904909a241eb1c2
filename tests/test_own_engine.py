"""Lesson 13's engine, made of what the lesson gives and of its exercises' solutions: it does what minigrad does.

And the lesson as a reader leaves it who has solved everything: their own functions train, to minigrad's losses.
"""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lessons import Lesson

import minigrad
import viz
from viz.lesson.exercises import load
from viz.lesson.own import file, later
from viz.lesson.own.file import FILE, agrees, finish
from viz.lesson.own.graphs import FACTORS, FROZEN, TWICE, chain, drawn_by_chance, sixty, told
from viz.lesson.own.parts import _PARTS as PARTS
from viz.lesson.own.parts import _RUN as RUN
from viz.lesson.own.parts import PLACES, SHARED, engine
from viz.lesson.own.picture import Shown, drawn
from viz.lesson.own.play import BROKEN, train
from viz.lesson.task import TASKS
from viz.lesson.trial import defined, judge

load()
NOTEBOOK = Path(__file__).parent.parent / "notebooks/13_your_own_autograd.ipynb"
SHAPES = ((3,), (), (1, 3), (4, 1), (4, 3))


@pytest.fixture(scope="module")
def own():
    return engine()


def graphs(count):
    random = np.random.default_rng(13)
    yield from (FACTORS, FROZEN, TWICE, sixty())
    for _ in range(count):
        yield chain(random)
        yield drawn_by_chance(random, random.integers(1, 14))
        yield drawn_by_chance(random, random.integers(1, 10), shapes=SHAPES)


def test_it_records_the_same_graph_and_finds_the_same_gradients(own):
    for graph in graphs(30):
        (y, leaves), (theirs, known) = graph.on(own["Tensor"]), graph.on(minigrad.tensor)
        np.testing.assert_allclose(y._data, theirs.detach().numpy())
        assert y._requires_grad == theirs.requires_grad
        if theirs.requires_grad:
            shown = Shown()
            names = {id(shown.tensor(leaf)): name for name, leaf in leaves.items()}
            assert told(shown.tensor(y).grad_fn, names) == told(
                theirs.grad_fn, {id(leaf): name for name, leaf in known.items()}
            )
            y.sum().backward()
            theirs.sum().backward()
            compare(leaves, known)


def test_second_derivatives_are_the_same(own):
    for graph in graphs(10):
        (y, leaves), (theirs, known) = graph.on(own["Tensor"]), graph.on(minigrad.tensor)
        asking = [leaf for leaf in known.values() if leaf.requires_grad]
        if not theirs.requires_grad:
            continue
        firsts = minigrad.autograd.grad(theirs.sum(), asking, create_graph=True, allow_unused=True)
        total = sum((first * first).sum() for first in firsts if first is not None)
        if not total.requires_grad:
            continue
        y.sum().backward(create_graph=True)
        ours = 0
        for leaf in leaves.values():
            if leaf.grad is not None:
                ours, leaf._grad = (leaf.grad * leaf.grad).sum() + ours, None
        ours.backward()
        total.backward()
        compare(leaves, known)


def compare(leaves, known):
    for name, leaf in known.items():
        assert (leaf.grad is None) == (leaves[name].grad is None), name
        if leaf.grad is not None:
            assert leaves[name].grad.shape == leaf.shape
            np.testing.assert_allclose(leaves[name].grad._data, leaf.grad.numpy(), rtol=1e-9)


def test_its_picture_is_minigrads(own):
    pictures = []
    for make, draw in ((own["Tensor"], drawn), (minigrad.tensor, viz.draw)):
        w, x = (make(np.array([number]), requires_grad=True) for number in (3.0, 8.0))
        c = make(np.array([1.0, 2.0]))
        a = w * c
        y = (a.tanh() + x).sum()
        pictures.append(re.sub(r"\bg[0-9a-f]{8}\b", "g", draw(y).svg))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("sign", ["==", "!=", "<", "<=", ">", ">="])
def test_a_comparison_is_printed_and_requires_no_grad(own, sign):
    w = own["Tensor"]([3.0, -1.0, 0.0], requires_grad=True)
    mask = eval(f"w {sign} 0")
    assert repr(mask) == f"Tensor({mask._data})" and mask._data.dtype == bool
    assert not mask._requires_grad and mask._fn is None
    (mask * w).sum().backward()
    np.testing.assert_array_equal(w.grad._data, mask._data)


@pytest.mark.parametrize("code", ["2 / w", "c @ w", "w @ c", "2 / (w * w).relu() - w"])
def test_a_number_or_an_array_may_stand_on_the_left(own, code):
    w, theirs = (
        make(np.array([[3.0, -1.0], [0.5, 2.0]]), requires_grad=True) for make in (own["Tensor"], minigrad.tensor)
    )
    c = np.array([[1.0, 2.0], [4.0, 8.0]])
    y, known = eval(code, {"w": w, "c": c}), eval(code, {"w": theirs, "c": minigrad.tensor(c)})
    (y * y).sum().backward()
    (known * known).sum().backward()
    compare({"w": w}, {"w": theirs})


def test_a_node_keeps_what_its_slopes_ask_for_and_no_more(own):
    w, c = own["Tensor"]([3.0], requires_grad=True), own["Tensor"]([8.0])
    assert (w + 1)._fn.kept == {}
    assert (w * c)._fn.kept == {"other": c}
    y = w.tanh()
    assert y._fn.kept == {"result": y}


def test_a_message_names_nothing_that_only_the_solution_has():
    added = "        sums[edge] = sums[edge] + g if edge in sums else g\n"
    mine = "        place = waiting if isinstance(edge, Node) else leaves\n        if edge in place:\n"
    mine += "            place[edge] += g\n        else:\n            place[edge] = g\n"
    given = "        sums = waiting if isinstance(edge, Node) else leaves\n"
    assert given + added in RUN
    verdict = judge(task := TASKS["own_run"], defined(task, RUN.replace(given + added, mine), minigrad))
    assert "`+=` changes an array in place" in verdict.hint and "sums" not in verdict.hint


def cells():
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def test_the_lesson_gives_what_the_exercises_take_for_given():
    source = "\n".join("".join(cell["source"]) for cell in cells())
    for who, text in PARTS:
        assert who or text.strip() in source, text


@pytest.mark.parametrize("name", sorted(PLACES))
def test_a_step_is_a_few_lines(name):
    lines = [line for line in TASKS[name].solution.splitlines() if line.strip()]
    assert 5 <= len(lines) <= 17 and TASKS[name].lesson == 13


def solved(folder, **answers):
    """The lesson with these answers in its gaps, by the names of their exercises."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        found = re.search(r"viz\.exercise\(\"(own_\w+)\"\)", source)
        if found and found[1] in answers:
            task = TASKS[found[1]]
            assert task.gap.strip() in source
            cell["source"] = source.replace(task.gap.strip(), answers[found[1]].strip())
    path = folder / "solved.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return Lesson(path)


def test_what_step_6_shows_is_there_for_who_adds_in_another_way_too(tmp_path):
    """`0 + g` makes a new array of each gradient, so in that run nothing is shared."""
    adds = "sums[edge] = sums[edge] + g if edge in sums else g"
    assert adds in RUN
    with solved(tmp_path, own_run=RUN.replace(adds, "sums[edge] = sums.get(edge, 0) + g")).open() as lesson:
        ran = {source: lesson.run(number) for number, source in enumerate(lesson.cells) if number < 26}
        assert lesson._shell.user_ns["q5"].verdict.right
        (shown,) = [each.printed for source, each in ran.items() if "for _ in range(2)" in source]
        assert shown == "Tensor([3.]) Tensor([3.])\n"


def test_a_tensor_inside_a_tensor_is_told_in_a_sentence():
    task = TASKS["own_leaves"]
    twice = SHARED.replace("leaf._grad._data += grad", "leaf._grad = Tensor(leaf._grad + grad)")
    verdict = judge(task, defined(task, twice, minigrad))
    assert "the code put a Tensor inside a Tensor" in verdict.text
    assert "First convert `grad` with `form.wrap`, and then add." in verdict.hint


def test_who_solves_it_all_trains_with_their_own_and_keeps_it_in_a_file(tmp_path):
    answers = {name: TASKS[name].solution for name in PLACES}
    answers["own_run"] = "def mine(sums, edge, g):\n    sums[edge] = sums[edge] + g if edge in sums else g\n\n\n" + (
        answers["own_run"].replace("sums[edge] = sums[edge] + g if edge in sums else g", "mine(sums, edge, g)")
    )
    with solved(tmp_path, **answers).open() as lesson:
        ran = lesson.run_all()
        names = lesson._shell.user_ns
        assert not [each.error for each in ran if each.error]
        assert all(names[f"q{number}"].verdict.right for number in range(1, 10))
        assert names["apart"] < 1e-5 and len(names["own"]) == 60
        printed = " ".join(each.printed for each in ran)
        assert "9 of its 9 parts are yours" in printed and "iteration 50: loss" in printed
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert "mine(sums, edge, g)" in text and "viz" not in text and "# --- ours" not in text
    program = subprocess.run(
        [sys.executable, FILE], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, timeout=120
    )
    first, *_, last = [float(line.split()[-1]) for line in program.stdout.splitlines()]
    assert last < first / 1000

    with solved(tmp_path).open() as lesson:  # another day: nothing is solved in this copy, and the file is kept
        begins = next(n for n, cell in enumerate(lesson.cells) if cell.startswith("# Run this, also after a break"))
        for number in range(begins, len(lesson.cells)):
            ran = lesson.run(number)
            assert not ran.error
        names = lesson._shell.user_ns
        assert "mine" in names["run"].__code__.co_names or "mine" in names
        assert (tmp_path / FILE).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("answers", [{}, {"own_backward": TASKS["own_backward"].solution}])
@pytest.mark.parametrize("begins", ["def arrive_leaves", "# Run this, also after a break"])
def test_an_earlier_cell_that_is_run_again_takes_nothing_of_later_steps_away(tmp_path, answers, begins):
    with solved(tmp_path, **answers).open() as lesson:
        lesson.run_all()
        names = lesson._shell.user_ns
        later = {name: names[name] for name in ("fit", "arrive_leaves", "backward")}
        again = next(number for number, cell in enumerate(lesson.cells) if cell.startswith(begins))
        ran = lesson.run(again)
        assert not ran.error and "The functions of later steps stay as they are: " in ran.printed
        assert all(names[name] is each for name, each in later.items())
        w = names["Tensor"](3.0, requires_grad=True)
        for _ in range(2):
            (w**3).backward(create_graph=True)
        assert w.grad._data == 54 and w.grad._requires_grad


def test_no_cell_that_runs_again_takes_a_part_away_silently(tmp_path):
    answers = {name: TASKS[name].solution for name in ("own_call", "own_run", "own_leaves")}
    with solved(tmp_path, **answers).open() as lesson:
        lesson.run_all()
        names = lesson._shell.user_ns
        own = {name: names[name] for name in ("call", "run", "arrive_leaves")}
        for number, cell in enumerate(lesson.cells):
            if "minigrads_losses" in cell or "losses(" in cell or "train(" in cell or "viz.after" in cell:
                continue  # these take seconds, and define nothing of the engine
            ran = lesson.run(number)
            if cell.startswith("import numpy as np\nfrom minigrad.ops"):
                assert "__add__" not in vars(names["Tensor"])  # an error follows at once, until the next cell runs
                lesson.run(number + 1)
            assert later.problem(names) is None, (cell, ran.printed)
        assert all(names[name].__code__ == each.__code__ for name, each in own.items())


def test_a_cell_of_the_lesson_that_ran_alone_is_repaired(tmp_path):
    with solved(tmp_path).open() as lesson:
        lesson.run_all()
        names = lesson._shell.user_ns
        for number, cell in enumerate(lesson.cells):
            if cell.startswith("import numpy as np\nfrom minigrad.ops"):
                lesson.run(number)
        again = next(number for number, cell in enumerate(lesson.cells) if cell.startswith("call = keep_part(q2)"))
        assert "did not run one after the other" in lesson.run(again).printed
        assert later.problem(names) is None


def test_an_answer_that_is_not_right_any_more_does_not_replace_the_one_that_was_kept(tmp_path):
    with solved(tmp_path, own_run=RUN).open() as lesson:
        lesson.run_all()
        names = lesson._shell.user_ns
        kept = names["run"]
        wrong = "q5 = viz.exercise('own_run')\ndef run(edge, grad, form):\n    pass\nq5.check(run)\n"
        printed = _ran(lesson, wrong)
        assert "The next cells still use the `run` that was kept before." in printed
        assert names["run"].__code__.co_code == kept.__code__.co_code and later.problem(names) is None


def _ran(lesson, code):
    """What a cell with this code prints, in the lesson's kernel."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        lesson._shell.run_cell(code)
    return out.getvalue()


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_part_that_fails_with_the_others_alone_is_named(here, capsys):
    good = {name: TASKS[name].solution for name in ("own_record", "own_run")}
    bad = good["own_run"].replace("form.F, form.unpack", "RAW.F, RAW.unpack")
    assert agrees(good) and not agrees({**good, "own_run": bad})
    file._write({**good, "own_run": bad})
    finish()
    assert "`run` fails together with the other functions" in capsys.readouterr().out
    text = Path(FILE).read_text(encoding="utf-8")
    assert "# --- ours: own_run" in text and "# --- yours: own_record" in text


def test_where_solutions_are_off_the_file_runs_our_parts_and_does_not_show_them(here, monkeypatch, capsys):
    mine = TASKS["own_record"].solution
    monkeypatch.setenv("MINIGRAD_SOLUTIONS", "off")
    file._write({"own_record": mine})
    text = Path(FILE).read_text(encoding="utf-8")
    assert mine.strip() in text and "# --- ours: own_run" in text
    assert TASKS["own_run"]._solution.strip() not in text
    names = {"__name__": "engine"}
    exec(compile(text, FILE, "exec"), names)
    w = names["Tensor"](3.0, requires_grad=True)
    (w * w).backward()
    assert w.grad._data == 6


def test_a_wrong_part_is_never_blamed_on_the_right_one_after_it():
    """The reader's `run` is wrong, and `backward`, which calls it, is right."""
    task = TASKS["own_backward"]
    given = defined(task, task.solution, minigrad)
    names = given.__globals__
    exec(RUN.replace("sums[edge] = sums[edge] + g if edge in sums else g", "sums[edge] = g"), names)
    wrong = names["run"]
    assert judge(task, given).right and names["run"] is wrong


LEAF = """\
        if leaf._grad is None:
            leaf._grad = grad
        else:
            leaf._grad = leaf._grad + grad
"""
ENDS = "    arrive_leaves(leaves, form)"
WRAPS = "    for leaf, grad in leaves.items():\n        leaf._grad = form.wrap(grad)"
NO_FINALLY = "    except Exception:\n        modes.recording = before\n        raise\n    else:\n        modes"
ON_ARRAYS = "slope(RAW.F, grad, **arguments(node, i, RAW.unpack))"
BREAKS_LATER = [  # accepted by the early checks before; a later step then failed
    ("own_run", "form.F, form.unpack", "RAW.F, RAW.unpack"),
    ("own_run", "    while waiting:\n", f"    while waiting:\n    {ENDS}\n"),
    ("own_run", "edge, grad, form):\n    waiting, leaves = {}, {}", "edge, grad, form, leaves={}):\n    waiting = {}"),
    ("own_run", "edge, grad, form):\n    waiting, leaves = {}, {}", "edge, grad, form, waiting={}):\n    leaves = {}"),
    ("own_run", ENDS, f"    for leaf in leaves:\n        leaf._grad = None\n{ENDS}"),
    ("own_run", ENDS, WRAPS),
    ("own_record", "    keep(node", "    node.edges = (each for each in node.edges)\n    keep(node"),
    ("own_record", "    keep(node", "    node.edges = iter(node.edges)\n    keep(node"),
    ("own_record", "    out._fn, out._requires_grad", "    node.kept = {}\n    out._fn, out._requires_grad"),
    ("own_call", "next(x for x in inputs if isinstance(x, Tensor))", "inputs[0]"),
    ("own_call", "np.asarray(x, like._data.dtype)", "np.asarray(x, np.float64)"),
    ("own_gradients", "slope(F, grad, **arguments(node, i, unpack))", ON_ARRAYS),
    ("own_gradients", "    return found", "    node.edges = []\n    return found"),
    ("own_fit", "F.sum_dim(grad, dim=tuple(dims), keepdim=True)", "np.sum(grad, axis=tuple(dims), keepdims=True)"),
    ("own_leaves", "leaf._grad = leaf._grad + grad", "leaf._grad = grad"),
    ("own_leaves", "leaf._grad = leaf._grad + grad", "leaf._grad._data = leaf._grad._data + grad._data"),
    ("own_no_grad", "    finally:\n        modes", NO_FINALLY),
    ("own_backward", "    if create_graph:", "    if create_graph and gradient is None:"),
]


@pytest.mark.parametrize(("name", "ours", "other"), BREAKS_LATER)
def test_a_part_that_breaks_a_later_step_is_not_accepted(name, ours, other):
    task = TASKS[name]
    assert ours in task.solution
    verdict = judge(task, defined(task, task.solution.replace(ours, other), minigrad))
    assert not verdict.right and verdict.kind != "ours", verdict.text


@pytest.mark.parametrize("name", sorted(PLACES))
def test_a_step_is_judged_with_our_own_parts_around_it(name):
    """Whatever the reader's other functions and the cells of the lesson have become."""
    task = TASKS[name]
    given = defined(task, task.solution, minigrad)
    names = given.__globals__ if hasattr(given, "__globals__") else {}
    for other in (
        "Tensor",
        "Node",
        "keep",
        "slope_of",
        "arguments",
        "RAW",
        "call",
        "record",
        "gradients",
        "run",
        "fit",
    ):
        if other in names and other != task.wants:
            names[other] = None
    verdict = judge(task, given)
    assert verdict.right, verdict.text


OTHER_WAYS = [
    ("own_slopes", "-grad", "0 - grad"),
    ("own_slopes", "-grad", "F.neg(grad)"),
    ("own_slopes", "1 - result * result", "1 - result**2"),
    ("own_slopes", "grad * (1 - result * result)", "grad - result * grad * result"),
    ("own_slopes", "F.mm(grad, F.t(mat2))", "grad @ F.t(mat2)"),
    ("own_slopes", "F.mm(grad, F.t(mat2))", "F.t(F.mm(mat2, F.t(grad)))"),
    ("own_slopes", "    def sub_other(F", "    @staticmethod\n    def sub_other(F"),
    ("own_call", "tensors.append(x)", "tensors += [x]"),
    ("own_call", "*arrays", "*(x._data for x in tensors)"),
    ("own_record", "elif x._fn is None", "elif not x._fn"),
    ("own_record", "node.edges.append(None)", "node.edges = [*node.edges, None]"),
    (
        "own_gradients",
        "slope(F, grad, **arguments(node, i, unpack))",
        "slope(F, grad, *arguments(node, i, unpack).values())",
    ),
    ("own_gradients", "slope_of(node, i)", "node.rule.slopes[node.rule.inputs[i]]"),
    ("own_run", "sums[edge] + g if edge in sums else g", "sums.get(edge, 0) + g"),
    ("own_run", "max(waiting, key=lambda node: node._number)", "sorted(waiting, key=lambda each: each._number)[-1]"),
    ("own_run", "if to is not None", "if to"),
    ("own_fit", "list(range(lead))", "[*range(lead)]"),
    ("own_fit", "size=shape", "size=tuple(shape)"),
    ("own_leaves", LEAF, "        leaf._grad = grad if leaf._grad is None else leaf._grad + grad\n"),
    ("own_leaves", LEAF, "        leaf._grad = (leaf._grad or 0) + grad\n"),
    ("own_leaves", LEAF, "        leaf._grad = (leaf._grad or Tensor(0.0)) + grad\n"),
    ("own_leaves", "leaf._grad + grad", "grad + leaf._grad"),
    ("own_no_grad", "    finally:\n", "    except:\n        modes.recording = before\n        raise\n    else:\n"),
    ("own_backward", "lambda saved: saved, lambda grad: grad", "wrap=lambda grad: grad, unpack=lambda saved: saved"),
    ("own_backward", "call(TABLE[name], inputs, params)", "call(TABLE[name], list(inputs), params)"),
]


@pytest.mark.parametrize(("name", "ours", "other"), OTHER_WAYS)
def test_another_way_is_right_as_well(name, ours, other):
    task = TASKS[name]
    assert ours in task.solution
    verdict = judge(task, defined(task, task.solution.replace(ours, other), minigrad))
    assert verdict.right, verdict.text


def test_numpys_errors_are_not_answered_with_functions_of_torch():
    """There is no `torch` in this lesson."""
    task = TASKS["own_slopes"]
    verdict = judge(task, defined(task, task.solution.replace("F.t(mat2)", "mat2.t()"), minigrad))
    assert "'numpy.ndarray' object has no attribute 't'" in verdict.text and "torch" not in verdict.text


@pytest.mark.parametrize("name", [*BROKEN, None])
def test_the_opening_breaks_one_function(name, capsys):
    assert not [1 for right, _ in BROKEN.values() if right not in "\n".join(text for _, text in PARTS)]
    train(name)
    lines = capsys.readouterr().out.splitlines()
    if name in ("call", "record"):
        assert lines[1:] == ["AttributeError: 'NoneType' object has no attribute '_data'"]
    else:
        own, theirs = (float(number) for number in lines[-1].split()[1:])
        assert (own == theirs) == (name in ("fit", "arrive_leaves", "backward", None))
