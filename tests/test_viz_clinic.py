"""The error clinic: which case it is, which lines had a part in it, what is marked; and that it disturbs nothing."""

import importlib
import os
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from lessons import end

import minigrad
import viz
from viz.errors.case import case_of, page
from viz.errors.clinic import LONG
from viz.errors.explanation import WORDS, Explanation
from viz.errors.scene import MOST


@pytest.fixture(autouse=True)
def closed_afterwards():
    yield
    viz.clinic.off()


@pytest.fixture
def shell():
    """An IPython of its own, in which a test can run cells."""
    before = sys.displayhook, InteractiveShell._instance
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_cell("import minigrad as torch, viz; from viz import clinic")
    yield shell
    shell.run_cell("viz.clinic.off()")
    end(shell)
    InteractiveShell.clear_instance()
    sys.displayhook, InteractiveShell._instance = before


def cell(shell, source):
    """Run a cell as a notebook does: (its result, what it printed, what it displayed)."""
    with capture_output() as captured:
        result = shell.run_cell(source, store_history=True)
    return result, captured.stdout, [shown.data for shown in captured.outputs]


PROGRAMS = {  # the name of the case: lines that run into it
    "size in place": """
c = torch.ones(4, 1)  # made here
step = torch.ones(4, 3)  # made here
c -= 0.1 * step  # stopped here
""",
    "changed": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 2
z = y * y      # saved it here
y += 1         # changed it here
z.sum().backward()  # stopped here
""",
    "freed": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * w      # ran forward here
loss = y.sum()
loss.backward()  # most likely freed here
loss.backward()  # stopped here
""",
    "scalar": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 2
y.backward()  # stopped here
""",
    "no graph": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
a = w * 2
d = a.detach()  # lost the graph here
loss = (d * d).sum()
loss.backward()  # stopped here
""",
    "leaf changed": """
w = torch.tensor([1.0, 2.0], requires_grad=True)
w -= 0.1  # stopped here
""",
    "inference": """
w = torch.tensor([1.0, 2.0], requires_grad=True)  # made here
with torch.inference_mode():
    a = w * 2  # made here
y = w * a  # stopped here
""",
    "number of gradients": """
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad, grad  # backward returned here
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = Two.apply(w)
y.sum().backward()  # stopped here
""",
    "shape of a gradient": """
class Wide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return torch.ones(3)  # backward returned here
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = Wide.apply(w)
y.sum().backward()  # stopped here
""",
    "kind of a gradient": """
class Number(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return x * n
    @staticmethod
    def backward(ctx, grad):
        return grad, grad  # backward returned here
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = Number.apply(w, 2)
y.sum().backward()  # stopped here
""",
    "nan": """
x = torch.tensor([0.0], requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = x.sqrt()  # ran forward here
    z = y * 0
    z.backward()  # stopped here
""",
}
PROGRAMS["saved a number"] = """
class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, leak):
        ctx.save_for_backward(x, leak)  # stopped here
        return torch.where(x < 0, leak * x, x)
    @staticmethod
    def backward(ctx, grad):
        x, leak = ctx.saved_tensors
        return torch.where(x < 0, leak * grad, grad), None
w = torch.tensor([-1.0, 2.0], requires_grad=True)
Leaky.apply(w, 0.1).sum().backward()
answer = w.grad.tolist()
"""
GUILTY = {
    "size in place": None,
    "saved a number": None,
    "changed": "MulBackward0",
    "freed": "MulBackward0",
    "scalar": "y",
    "no graph": "loss",
    "leaf changed": "w",
    "inference": None,
    "number of gradients": "TwoBackward",
    "shape of a gradient": "WideBackward",
    "kind of a gradient": "NumberBackward",
    "nan": "SqrtBackward0",
}


def run_into(name, torch, tmp_path):
    """The error of a program, run from a file of its own, so that its lines can be read."""
    return run_text(PROGRAMS[name], torch, tmp_path)


def run_text(text, torch, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((RuntimeError, TypeError)) as caught, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, str(file), "exec"), {"torch": torch, "__name__": "program"})
    return caught.value


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_finds_the_case_the_lines_and_the_guilty_node(name, tmp_path):
    with viz.clinic():
        error = run_into(name, minigrad, tmp_path)
        found = viz.clinic.explain(error)
    program = PROGRAMS[name].splitlines()
    commented = [(line.partition("# ")[2], i, line.strip()) for i, line in enumerate(program, 1) if "# " in line]
    assert found.case.name == name
    assert [(part, where, code) for part, where, code in found.told] == [
        (part, f"program.py, line {i}", code) for part, i, code in commented
    ]
    marked = [node for node in found.picture.graph.nodes if node.mark == "guilty"] if found.picture else []
    assert [node.name for node in marked] == ([GUILTY[name]] if GUILTY[name] else [])
    assert all(node.line in {i for _, i, _ in commented} for node in marked)
    assert str(found).startswith("What happened: ") and "\nWhat to do:\n  · " in str(found)


@pytest.mark.torch
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_knows_the_errors_of_real_pytorch(name, tmp_path):
    torch = pytest.importorskip("torch")
    with viz.clinic():
        found = viz.clinic.explain(run_into(name, torch, tmp_path))
    assert found.case.name == name and found.told[-1][0] == "stopped here"


CURES = {  # what is changed in the program, and what comes of it then
    "saved a number": [
        [
            ("(x, leak)", "(x); ctx.leak = leak"),
            ("x, leak = ctx.saved_tensors", "(x,), leak = ctx.saved_tensors, ctx.leak"),
        ],
        [("(x, leak)", "(x, torch.tensor(leak))")],
    ],
}


@pytest.mark.parametrize("library", ["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def test_what_it_advises_for_a_saved_number_works(library):
    for cure in CURES["saved a number"]:
        program = PROGRAMS["saved a number"]
        for old, new in cure:
            assert program.count(old) == 1
            program = program.replace(old, new)
        names = {"torch": importlib.import_module(library), "__name__": "program"}
        exec(program, names)
        assert names["answer"] == pytest.approx([0.1, 1.0])


STATIC_PROGRAMS = {  # name of the case: lines that run into it, and for each cure what they become
    "symbol as truth": (
        "i = tf.constant(0)\nwhile i < 3:\n    i = i + 1\nanswer = session.run(i)",
        [
            "answer = session.run(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]))",
            "x = tf.constant(-3)\nanswer = session.run(tf.cond(x > 0, lambda: x, lambda: -x))",
        ],
    ),
    "not fed": (
        "x = tf.placeholder(tf.float32, [])\ny = x - 2.0\nanswer = session.run(y)",
        [
            "x = tf.placeholder(tf.float32, [])\ny = x - 2.0\nanswer = session.run(y, {x: 5.0})",
            "x = tf.constant(5.0)\ny = x - 2.0\nanswer = session.run(y)",
        ],
    ),
    "not initialized": (
        "w = tf.Variable(3.0)\nanswer = session.run(w)",
        [
            "w = tf.Variable(3.0)\nsession.run(tf.global_variables_initializer())\nanswer = session.run(w)",
            "w = tf.Variable(3.0)\nsession.run(w.initializer)\nanswer = session.run(w)",
        ],
    ),
    "another graph": (
        "with tf.Graph().as_default():\n    y = tf.constant(3.0)\nanswer = session.run(y)",
        [
            "with tf.Graph().as_default():\n    y = tf.constant(3.0)\nanswer = tf.Session(graph=y.graph).run(y)",
            "y = tf.constant(3.0)\nanswer = session.run(y)",
        ],
    ),
    "no fetch": (
        "def build():\n    y = tf.constant(3.0)\nanswer = session.run(build())",
        [
            "def build():\n    y = tf.constant(3.0)\n    return y\nanswer = session.run(build())",
            "y = tf.constant(3.0)\nanswer = session.run(y.name)",
        ],
    ),
}


@pytest.mark.parametrize("name", STATIC_PROGRAMS)
def test_the_errors_of_a_static_graph_are_explained_and_both_cures_run(name):
    import minigrad.static as tf

    def run(program):
        names = {"tf": tf, "__name__": "program"}
        with tf.Graph().as_default(), tf.Session() as names["session"]:
            exec(program, names)
        return names["answer"]

    wrong, cures = STATIC_PROGRAMS[name]
    with pytest.raises(Exception) as caught:
        run(wrong)
    found = viz.clinic.explain(caught.value)
    assert found.case.name == name and found.picture is None and "What to do:" in str(found)
    assert len(found.case.cures) == len(cures) == 2
    assert [float(run(cure)) for cure in cures] == [3.0, 3.0]
    assert STATIC_PROGRAMS.keys() == {case.name for case in page("static")}


def test_a_loop_variable_without_brackets_is_told_about_the_brackets():
    """While_loop asks whether there are loop variables, so the error is that of an `if`; no line of the reader's is."""
    import minigrad.static as tf

    def told(loop_vars, cond):
        with tf.Graph().as_default(), pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
            tf.while_loop(cond, lambda i: i + 1, loop_vars(tf.constant(0)))
        return str(viz.clinic.explain(caught.value))

    assert "a tensor without brackets" in told(lambda i: i, lambda i: i < 3)
    assert "make a decision" in told(lambda i: [i], lambda i: not i)


@pytest.mark.parametrize("text", ["y:0", "y", 3.0])
def test_whatever_is_no_fetch_is_known(text):
    import minigrad.static as tf

    with tf.Graph().as_default(), tf.Session() as session:
        tf.constant(1.0)
        with pytest.raises((TypeError, ValueError)) as caught:
            session.run(text)
    assert case_of(str(caught.value)).name == "no fetch"


def test_what_helps_in_a_loop_is_told_in_a_loop_only(shell):
    shell.run_cell("clinic();")
    cell(shell, "w = torch.ones(1, requires_grad=True)\nh = w * w")
    straight = cell(shell, "h.backward()\nh.backward()")[2][0]["text/plain"]
    cell(shell, "h = w * w\ndef once(h):\n    h.backward()")
    turning = cell(shell, "for _ in range(2):\n    once(h)")[2][0]["text/plain"]
    assert "state.detach" not in straight and "a new forward pass" in straight
    assert "the previous iteration" in turning and turning.index("detach()") < turning.index("a new forward pass")


def test_both_sides_of_a_cut_are_in_the_picture(tmp_path):
    found = viz.clinic.explain(run_into("no graph", minigrad, tmp_path))
    assert {"w", "a", "d", "loss"} <= {node.name for node in found.picture.graph.nodes}


@pytest.mark.parametrize(
    "lost, what",
    [
        ("d = w.data * 1", "lost"),
        ("d = torch.tensor(w.numpy())", "lost"),
        ("with torch.no_grad(): d = w * 2", "lost"),
        ("d = torch.ones(2)", "without"),
        ("d = torch.autograd.grad(w, w)[0]", "lost"),
        ("d = torch.autograd.grad(w, w, create_graph=True)[0]", None),
        ("d = torch.ones(2, requires_grad=True) * 1", None),
    ],
)
def test_where_a_graph_is_lost_is_read_from_the_code(lost, what):
    from viz.errors.lines import Program, where_it_was_lost

    source = f"w = torch.ones(2, requires_grad=True)\nd = w.detach()\n{lost}\ndef f():\n    d = 1\ne = d\ne.backward()"
    found = where_it_was_lost([Program(source, 7)])
    assert found == (None if what is None else (what, 0, 3))
    assert where_it_was_lost([Program(*p) for p in (("e.backward()", 1), ("e = d * 2",), ("d = w.detach()",))]) == (
        "lost",
        2,
        1,
    )
    assert where_it_was_lost([Program("%matplotlib\ne.backward()", 2)]) is None


def test_in_a_loop_the_pass_that_freed_the_graph_is_the_same_line_a_turn_ago():
    from viz.errors.lines import Program, which_pass_freed_it

    now = Program("y.backward()", 1)
    looped = Program("for i in range(2):\n    h = f(h)\n    h.backward()", 3)
    assert which_pass_freed_it([looped]) == ("freed", 0, 3)
    assert which_pass_freed_it([now, Program("print(w.grad)"), Program("y.backward()")]) == ("freed", 2, 1)
    assert which_pass_freed_it([now]) is None


def test_the_error_stays_what_it_is(tmp_path):
    plain = run_into("changed", minigrad, tmp_path)
    with viz.clinic():
        seen = run_into("changed", minigrad, tmp_path)
        viz.clinic.explain(seen)
    assert str(plain) == str(seen) and plain.__notes__ == seen.__notes__ and type(plain) is type(seen)


def test_lines_are_noted_only_while_it_is_on():
    w = minigrad.ones(1, requires_grad=True)
    for switch, noted in ((viz.clinic, True), (lambda: viz.clinic(False), False), (viz.clinic, True)):
        switch()
        assert ((w * w).grad_fn.made_at is not None) == noted
    viz.clinic.off()
    assert (w * w).grad_fn.made_at is None
    with viz.clinic():
        assert (w * w).grad_fn.made_at[0] == __file__
    assert (w * w).grad_fn.made_at is None


def test_a_large_graph_is_shown_around_the_guilty_node():
    with viz.clinic():
        w = minigrad.ones(1, requires_grad=True)
        y = w
        for _ in range(200):
            y = y * w
        middle = y * y
        for _ in range(200):
            middle, aside = middle + w, y.exp()
        y += 1
        with pytest.raises(RuntimeError) as caught:
            (middle + aside).sum().backward()
        graph = viz.clinic.explain(caught.value).picture.graph
    assert len(graph.nodes) == MOST and [node.name for node in graph.nodes if node.mark] == ["MulBackward0"]
    assert "ExpBackward0" not in [node.name for node in graph.nodes], aside  # it comes from the same, and had no part
    assert {edge.source for edge in graph.edges} | {edge.target for edge in graph.edges} <= {n.id for n in graph.nodes}


@pytest.mark.parametrize(("steps", "has_bar"), [(3, False), (40, True)])
def test_its_picture_fits_a_narrow_window_or_has_a_bar(steps, has_bar):
    u = minigrad.tensor([1.0], requires_grad=True)
    picture = viz.draw(u)
    picture.geometry = replace(picture.geometry, size=(280 * steps, 200.0))
    shown = Explanation(case_of("backward through the graph a second time"), [], "", picture, "en")._repr_html_()
    (narrowest,) = re.findall(r"min-width: (\d+)px", shown)
    assert ("webkit-scrollbar" in shown) == has_bar == (int(narrowest) > 616)  # what a window of 800 pixels leaves it
    assert has_bar == (f"min-width: min({narrowest}px, (" in shown)  # no bar on a page that is a little too narrow


def test_what_is_no_error_of_autograds_is_left_alone():
    assert case_of("list index out of range") is None
    assert viz.clinic.explain(ZeroDivisionError("division by zero")) is None
    with pytest.raises(ValueError, match="lang must be one of"):
        viz.clinic(lang="fr")


def test_what_the_reader_wrote_is_escaped(tmp_path):
    source = 'y = torch.ones(2, requires_grad=True) * 2\ny.backward()  # <script>alert("1")</script>\n'
    (tmp_path / "<b>.py").write_text(source, encoding="utf-8")
    with pytest.raises(RuntimeError) as caught:
        exec(compile(source, str(tmp_path / "<b>.py"), "exec"), {"torch": minigrad, "__name__": "program"})
    page = viz.clinic.explain(caught.value)._repr_html_()
    assert "<script" not in page and "&lt;script&gt;" in page and "<b>.py" not in page and "&lt;b&gt;.py" in page


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_in_a_lesson_what_to_do_is_folded_until_it_is_asked_for(lang):
    h = minigrad.tensor([1.0], requires_grad=True)
    y = h * h
    with viz.clinic(lang=lang, fold=True):
        y.backward()
        try:
            y.backward()
        except RuntimeError as error:
            found = viz.clinic.explain(error)
    open_ = Explanation(found.case, found.lines, found.here, None, lang)
    assert "`backward(retain_graph=True)`" in repr(open_) and "retain_graph" not in repr(found)
    assert found.cures == open_.cures and repr(found).endswith(WORDS[lang]["folded"])
    shown = found._repr_html_()
    assert "retain_graph" in shown[shown.index("<details>") : shown.index("</details>")]
    assert "<details>" not in open_._repr_html_()
    viz.clinic(False)


def test_it_speaks_chinese(tmp_path):
    with viz.clinic(lang="zh"):
        found = viz.clinic.explain(run_into("changed", minigrad, tmp_path))
    assert str(found).startswith("发生了什么: ") and "在这里被改写: program.py第 5 行: y += 1" in str(found)


# In IPython


def test_in_a_notebook_it_speaks_after_the_traceback_and_the_cell_has_failed(shell):
    without = cell(shell, PROGRAMS["freed"])
    shell.run_cell("clinic();")
    result, printed, shown = cell(shell, PROGRAMS["freed"])
    assert type(result.error_in_exec) is RuntimeError is type(without[0].error_in_exec)
    assert printed.replace("In[2]", "In[1]").replace("-input-2-", "-input-1-") == without[1]  # IPython 8, IPython 7
    assert without[2] == [] and len(shown) == 1 and set(shown[0]) == {"text/plain", "text/html"}
    assert "stopped here: this cell, line 5: loss.backward()" in shown[0]["text/plain"]
    assert "data:image/svg+xml" in shown[0]["text/html"]


def test_before_a_long_traceback_stands_a_line_that_says_where_the_explanation_is(shell):
    steps = [f"def f{i}(y):\n    # {i}\n    # a\n    # comment\n    return f{i + 1}(y)\n\n" for i in range(4)]
    long = "".join(steps) + "def f4(y):\n    y.backward()\n\n\nf0(y)"
    own = vars(shell).get("_showtraceback")
    shell.run_cell("y = torch.ones(2, requires_grad=True) * 2")
    without = cell(shell, long)[1]
    assert without.count("\n") > LONG
    shell.run_cell("clinic();")
    _, printed, shown = cell(shell, long)
    assert len(shown) == 2 and "below the traceback" in shown[0]["text/plain"]
    assert "What happened" in shown[1]["text/plain"] and "RuntimeError" in printed
    assert len(cell(shell, "y.backward()")[2]) == 1  # a short traceback
    assert cell(shell, long.replace("y.backward()", "1 / 0"))[2] == []  # no error of ours
    shell.run_cell("clinic(False);")
    assert vars(shell).get("_showtraceback") is own and cell(shell, long)[2] == []


def test_in_a_notebook_it_says_nothing_about_other_cells(shell):
    shell.run_cell("clinic();")
    assert cell(shell, "y = torch.ones(2, requires_grad=True) * 2")[2] == []
    assert cell(shell, "1 / 0")[2] == []
    shell.run_cell("clinic(False);")
    assert cell(shell, "y.backward()")[2] == []


def test_a_with_speaks_of_its_own_cell_only(shell):
    shell.run_cell("y = torch.ones(2, requires_grad=True) * 2")
    assert len(cell(shell, "with clinic():\n    y.backward()")[2]) == 1
    assert cell(shell, "y.backward()")[2] == []
    assert cell(shell, "with clinic():\n    1 + 1\ny.backward()")[2] == []


def test_a_with_speaks_of_a_missing_gradient_too(shell):
    shell.run_cell("y = torch.ones(1, requires_grad=True) * 2\ny.backward()")
    with pytest.warns(UserWarning, match="not a leaf"):
        shown = cell(shell, "with clinic():\n    y.grad")[2]
    assert "read here: this cell, line 2: y.grad" in shown[0]["text/plain"]
    assert repr(viz.clinic) == "the error clinic is off"


def test_a_gradient_that_is_not_kept_is_explained_and_the_warning_still_shown(shell):
    shell.run_cell("clinic();")
    shell.run_cell("w = torch.ones(1, requires_grad=True)\ny = w * 2\ny.backward()")
    shell.run_cell("clinic(False);")
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf"):
        shell.run_cell("clinic();")
        _, printed, shown = cell(shell, "print(y.grad)")
        shell.run_cell("clinic(False);")
    assert printed == "None\n" and len(shown) == 1
    text = shown[0]["text/plain"]
    assert "The gradient of this tensor is None" in text and "read here: this cell, line 1: print(y.grad)" in text
    assert "ran forward here: an earlier cell, line 2: y = w * 2" in text


def test_what_a_warning_has_had_explained_is_not_said_again_at_the_error_that_follows(shell):
    shell.run_cell("w = torch.ones(1, requires_grad=True) * 2\nw.sum().backward()")
    with pytest.warns(UserWarning, match="not a leaf"):
        shell.run_cell("clinic();")
        result, _, shown = cell(shell, "0.5 * w.grad")
        again = cell(shell, "0.5 * w.grad")[2]
        shell.run_cell("clinic(False);")
    assert type(result.error_in_exec) is TypeError and len(shown) == len(again) == 1
    assert "read here: this cell, line 1: 0.5 * w.grad" in shown[0]["text/plain"]


def test_this_cell_is_the_one_that_runs_and_not_the_one_in_which_its_function_stands(shell):
    """The note under minigrad's own error says the same."""
    cell(shell, "def scene(w):\n    y = w * 2\n    z = y * y\n    y += 1\n    z.sum().backward()")
    shell.run_cell("clinic();")
    result, _, shown = cell(shell, "w = torch.ones(2, requires_grad=True)\nscene(w)")
    text = shown[0]["text/plain"]
    assert "saved it here: an earlier cell, line 3: z = y * y" in text and "this cell" not in text
    assert "then an earlier cell, line 4: `y += 1`" in "".join(result.error_in_exec.__notes__)


def test_where_a_name_was_set_is_looked_for_in_the_cell_that_runs_first(shell):
    """A function of an earlier cell takes its global from this one; and its argument may have another name here."""
    cell(
        shell,
        "w = torch.ones(3)\ndef plot():\n    return w + torch.ones(4)\ndef half(a):\n    return a + torch.ones(4)",
    )
    shell.run_cell("clinic();")
    text = cell(shell, "a = 1\n\nw = torch.full((2,), 7.0)\nplot()\nw = torch.zeros(5)")[2][0]["text/plain"]
    assert "made here: this cell, line 3: w = torch.full((2,), 7.0)" in text and "torch.ones(3)" not in text
    assert "stopped here: an earlier cell, line 3: return w + torch.ones(4)" in text
    text = cell(shell, "a = torch.ones(2)\nb = torch.ones(2)\nhalf(b)")[2][0]["text/plain"]
    assert "a = torch.ones(2)" not in text


def test_in_a_script_a_functions_global_is_what_the_caller_set_last(tmp_path):
    program = """
w = torch.ones(3)
def plot():
    return w + torch.ones(4)
w = torch.ones(2)
def again():
    w = torch.ones(5)
    plot()
again()
"""
    found = viz.clinic.explain(run_text(program, minigrad, tmp_path))
    assert [(line.part, line.number) for line in found.lines] == [("created", 5), ("stopped", 4)]


@pytest.mark.parametrize(
    "program, lost",
    [
        ("def step(it):\n    it.backward()\nd = w.detach()\nstep(d.sum())", 4),  # an argument: what the call was given
        ("def step():\n    d.sum().backward()\nd = w.detach()\nstep()\nd = w.data", 4),
        ("def step(d):\n    d.sum().backward()\nd = w.detach()\nstep(torch.ones(2) * w.data)", 5),
        ("def f():\n    e = w.detach()\n    def step():\n        (e * 2).sum().backward()\n    step()\nf()", 3),
    ],
)
def test_a_graph_that_was_lost_is_looked_for_in_who_called(program, lost, tmp_path):
    text = "w = torch.ones(2, requires_grad=True)\n" + program
    found = viz.clinic.explain(run_text(text, minigrad, tmp_path))
    assert ("lost", lost) in [(line.part, line.number) for line in found.lines], str(found)


def test_a_line_of_an_earlier_cell_is_found(shell):
    cell(shell, "w = torch.ones(2, requires_grad=True)\nd = w.detach()")
    shell.run_cell("clinic();")
    shown = cell(shell, "loss = d.sum()\nloss.backward()")[2]
    assert "lost the graph here: an earlier cell, line 2: d = w.detach()" in shown[0]["text/plain"]


# In a script


def ran(script, tmp_path, *command):
    """What a script says on stderr, run in a process of its own."""
    file = tmp_path / "script.py"
    file.write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *command, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, timeout=120)
    return done.stdout, done.stderr, done.returncode


def test_a_script_gets_words_and_lines_after_its_traceback_and_fails_as_before(tmp_path):
    script = "import minigrad as torch, viz\nviz.clinic()\n" + PROGRAMS["changed"]
    _, said, code = ran(script, tmp_path)
    trace, words = said.partition("\n\nWhat happened: ")[::2]
    assert code == 1 and trace.startswith("Traceback") and "modified by an inplace operation" in trace
    assert "saved it here: script.py, line 6: z = y * y" in words and "What to do:\n  · " in words
    assert ran(script.replace("viz.clinic()", ""), tmp_path)[1].splitlines()[0] == trace.splitlines()[0]


def test_a_script_may_open_it_in_a_with(tmp_path):
    script = "import minigrad as torch, viz\nwith viz.clinic(lang='zh'):\n    torch.ones(2).view(3)\n"
    assert "发生了什么: `view`" in ran(script, tmp_path)[1]


def test_a_script_is_told_at_once_what_raises_nothing(tmp_path):
    script = """
import minigrad as torch, viz
viz.clinic()
w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    (w * w).sum().backward()
    optimizer.step()
print("done")
"""
    printed, said, code = ran(script, tmp_path)
    assert code == 0 and printed == "done\n" and said.count("What happened: ") == 1
    assert "used the sum here: script.py, line 8: optimizer.step()" in said


def test_a_spread_loss_is_mended_at_the_prediction_though_what_goes_in_is_a_column_as_well(tmp_path):
    script = """
import minigrad as torch, viz
viz.clinic()
x, y = torch.ones(4, 1), torch.ones(4)
line = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(line.parameters(), lr=0.1)
loss = ((line(x) - y) ** 2).mean()
loss.backward()
optimizer.step()
"""
    _, said, code = ran(script, tmp_path)
    assert code == 0 and "`line(x).squeeze(1)`" in said and "`y.unsqueeze(1)`" in said and "`x." not in said


def test_what_is_no_fault_of_these_stays_as_it_is(tmp_path):
    said = ran("import minigrad, viz\nviz.clinic()\n1 / 0", tmp_path)[1]
    assert said.endswith("ZeroDivisionError: division by zero\n") and "What happened" not in said


def test_an_error_that_was_caught_leaves_nothing_behind():
    with pytest.raises(RuntimeError), viz.clinic():
        minigrad.ones(2).view(3)
    assert repr(viz.clinic) == "the error clinic is off"
    viz.clinic.off()
    assert sys.excepthook != viz.clinic._after_traceback


def test_in_ipythons_terminal_it_speaks_in_words(tmp_path):
    script = "import minigrad as torch, viz\nviz.clinic()\nw = torch.ones(2, requires_grad=True)\nw += 1\n"
    (tmp_path / "typed.ipy").write_text(script, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "IPython",
        "--no-banner",
        "--colors=NoColor",
        "--InteractiveShell.history_length=0",
    ]
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent.parent)}
    environment["PYTHONIOENCODING"] = "utf-8"
    done = subprocess.run(
        [*command, "--simple-prompt"], input=script, capture_output=True, encoding="utf-8", env=environment, timeout=120
    )
    said = done.stdout + done.stderr
    assert "leaf Variable that requires grad" in said and "What happened: A leaf accumulates its gradients" in said
    assert "stopped here: this cell, line 1: w += 1" in said and "<div" not in said


@pytest.mark.torch
@pytest.mark.parametrize("name", ["changed", "freed", "number of gradients", "leaf changed", "scalar", "no graph"])
def test_on_pytorch_the_node_is_marked_without_anomaly_mode_too(name, tmp_path):
    torch = pytest.importorskip("torch")
    with viz.clinic():
        found = viz.clinic.explain(run_into(name, torch, tmp_path))
    assert [node.name for node in found.picture.graph.nodes if node.mark == "guilty"] == [GUILTY[name]]
    assert ("clinic(lines=True)" in str(found)) == GUILTY[name].endswith(("Backward", "Backward0"))


def test_the_advice_names_the_tensor_that_is_changed_inside_no_grad(tmp_path):
    text = PROGRAMS["changed"].replace("y += 1 ", "with torch.no_grad(): y -= 4 ").replace("y", "a")
    with viz.clinic():
        found = viz.clinic.explain(run_text(text, minigrad, tmp_path))
    assert "write `a = a - 4` instead of `a -= 4`" in str(found)


def test_the_advice_names_the_tensor_that_a_method_changes(tmp_path):
    text = PROGRAMS["changed"].replace("y += 1 ", "y.add_(1) ").replace("y", "e")
    with viz.clinic():
        found = viz.clinic.explain(run_text(text, minigrad, tmp_path))
    assert "write `e = e.add(1)` instead of `e.add_(1)`, or insert `e = e.clone()`" in str(found)


def test_every_kind_is_told_in_chinese_with_its_tensors(tmp_path):
    with viz.clinic(lang="zh"):
        with pytest.raises(RuntimeError) as caught:
            minigrad.nn.Sequential(minigrad.nn.Linear(2, 3), minigrad.nn.Linear(2, 3))(minigrad.ones(1, 2))
        found = viz.clinic.explain(caught.value)
    assert ("Linear 的 input", "float32 (1, 3)") in found.tensors and (
        "Linear.weight",
        "float32 (3, 2)",
    ) in found.tensors
    page = found._repr_html_()
    assert "你的张量" in page and "<code>Linear.weight</code>" in page


MADE = {  # where the layer is written that got other numbers than it was made for
    "net = nn.Sequential(\n    nn.Linear(3, 8),\n    nn.Linear(9, 2),\n)\nnet(x)\n": 3,
    "net = nn.Sequential(\n    *(nn.Linear(3, 8), nn.ReLU()),\n    nn.Sequential(nn.ReLU(),\n"
    "        nn.Linear(9, 2)))\nnet(x)\n": 4,
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(3, 8)\n"
    "        self.b = nn.Sequential(\n            nn.Linear(9, 2))\n\n    def forward(self, x):\n"
    "        return self.b(self.a(x))\nnet = Net()\nnet(x)\n": 6,
    "layers = [nn.Linear(3, 8), nn.Linear(9, 2)]\nnet = nn.Sequential(*layers)\nnet(x)\n": 2,  # as far as it goes
}


@pytest.mark.parametrize("program", MADE)
def test_the_line_of_a_layer_is_where_the_layer_is_written(program, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(program, encoding="utf-8")
    with viz.clinic(), pytest.raises(RuntimeError) as caught:
        exec(compile(program, str(file), "exec"), {"nn": minigrad.nn, "x": minigrad.ones(5, 3), "__name__": "program"})
    lines = viz.clinic.explain(caught.value).lines
    assert [line.number for line in lines if line.part == "created"] == [MADE[program]]
