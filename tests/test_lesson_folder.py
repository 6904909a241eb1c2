"""A teacher's own exercises, `viz.exercises("my_folder")`: the page of viz/lesson/exercises/README.md works as it
stands, every form of an answer is read, and every mistake is named with its file and line.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad as torch
import viz
from viz import locale
from viz.lesson import exercise, pages, predict, questions, task, written
from viz.lesson.exercises import README, load
from viz.lesson.pages import Mistake
from viz.locale import Text, extract

ROOT = Path(__file__).parents[1]
GUIDE = README.read_text(encoding="utf-8")
EXAMPLE = re.search(r"````markdown\n(.*?)````\n", GUIDE, re.DOTALL)[1]
JUDGES = next(each for each in re.findall(r"```python\n(.*?)```\n", GUIDE, re.DOTALL) if "# points:" in each)


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch, tmp_path):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(exercise, "_kept", {})
    before = dict(task.TASKS)
    yield
    locale._folders[:] = locale._folders[:1]
    questions.FOLDERS.clear()
    task.TASKS.clear()
    task.TASKS.update(before)


@pytest.fixture
def folder(tmp_path):
    """Writes files into a folder and gives the folder: folder("name.md", text)."""
    place = tmp_path / "my_folder"
    place.mkdir()

    def write(name, text):
        (place / name).write_text(text, encoding="utf-8")
        return place

    return write


def test_the_guides_own_exercise_works_as_it_stands(folder):
    mine = viz.exercises(folder("square_slope.md", EXAMPLE))
    assert mine.names == ["square_slope"] and "square_slope" in repr(mine)
    report = mine.check()
    assert not report.mistakes and str(report) in GUIDE
    q = viz.exercise("square_slope")
    assert "Fill in the `...`" in repr(q)
    assert q.check(lambda w: 2 * w + 3).verdict.text == "✓ Right. The slope of a sum is the sum of the slopes."
    assert q.check(lambda w: 2 * w).verdict.text.endswith("This is the slope of `w * w` alone. What does `3 * w` add?")
    assert q.check(lambda w: 6 * w).verdict.hint == q.check(lambda w: 6 * w * w).verdict.hint != ""
    assert str(q.hint()).startswith("Hint 1 of 2") and str(q.solution()).endswith("return 2 * w + 3")


def test_the_lesson_of_five_cells_runs_as_it_is_written(folder, monkeypatch):
    monkeypatch.chdir(folder("square_slope.md", EXAMPLE))
    cells = re.findall(r"```python\n(.*?)```\n", (ROOT / "notebooks" / "WRITING.md").read_text("utf-8"), re.DOTALL)
    assert len(cells) == 4
    names = {}
    for cell in cells:
        exec(compile(cell, "<cell>", "exec"), names)
    slope, made = names["slope"], cells[2].partition("def ")[2].partition("\n\n\n")[0]
    assert slope(2.0) is ... and f"def {made}" in EXAMPLE  # the cell is that of the page about exercises
    assert names["q"].check(lambda w: 2 * w + 3).verdict.text.startswith("✓")


@pytest.mark.parametrize("page", [README, ROOT / "notebooks" / "WRITING.md"], ids=lambda page: page.name)
def test_the_cell_that_a_guide_shows_for_an_exercise_shows_the_exercise(folder, page):
    """A notebook shows the value of a cell's last line. A cell that ends with the function shows nothing."""
    viz.exercises(folder("square_slope.md", EXAMPLE))
    blocks = re.findall(r"```python\n(.*?)```\n", page.read_text("utf-8"), re.DOTALL)
    (cell,) = [block for block in blocks if 'viz.exercise("square_slope")' in block and "import" not in block]
    *lines, last = ast.parse(cell).body
    assert isinstance(last, ast.Expr)
    names = {"viz": viz}
    exec(compile(ast.Module(lines, []), "<cell>", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    assert "Write the slope of" in repr(value) and "Not tried yet" in repr(value)
    exec(compile(cell.replace("return ...", "return 2 * w + 3"), "<cell>", "exec"), names)
    assert names["q"].verdict.right


def test_the_guide_names_every_setting_section_and_call_that_there_is():
    for name in (*written.SETTINGS, *written.KINDS, *written.ALLOWED):
        assert f"`{name}" in GUIDE or f"{name}:" in GUIDE, name
    for section in written.SECTIONS:
        assert f"## {section}" in GUIDE, section


def test_a_title_and_a_comment_may_stand_on_a_page(folder):
    cell = EXAMPLE.replace("return ...", "return ...  # and not w * ... again", 1)
    text = f"# Slopes\n\n<!-- for the second week -->\n\n{cell}"
    assert not viz.exercises(folder("square_slope.md", text)).check().mistakes
    assert "Exercise: Write the slope" in repr(viz.exercise("square_slope"))


WITH_JUDGES = """\
---
points: tables
verify: keeps_the_graph
---

Double each number.

```python
def twice(x, n=1):
    return ...
```

## Hints

1. How?
2. `2 * x`.

## Solution

```python
return 2 * x
```

## Wrong answers

```python
return x * x
```

This is the square.
"""


def test_the_guides_judges_run(folder):
    folder("judges.py", JUDGES)
    mine = viz.exercises(folder("twice.md", WITH_JUDGES))
    assert not mine.check().mistakes
    verdict = viz.exercise("twice").check(lambda x, n=1: (2 * x).detach()).verdict
    assert verdict.text == "✗ The numbers are right, but backward can't go through them."


def test_an_error_in_a_judge_is_not_told_as_one_in_the_readers_line(folder):
    folder("judges.py", JUDGES.replace("made.requires_grad", "made.nonsense"))
    viz.exercises(folder("twice.md", WITH_JUDGES))

    def twice(x, n=1):
        return 2 * x

    assert "in line" not in viz.exercise("twice").check(twice).verdict.text


KINDS = {
    "value": ("---\nkind: value\n---\n\nHow many?\n\n```python\nanswer = ...\n```\n", "answer = 3", "answer = 4"),
    "diff": (
        "Fix it.\n\n```python\ndef f(w):\n    a = w * w\n    return a + a\n```\n\n## Calls\n\n```python\nf(2.0)\n```\n",
        "def f(w):\n    a = w * w\n    return a",
        "```diff\n-    a = w * w\n+    a = w * w * w\n```",
    ),
    "two changes": (
        "Fix it.\n\n```python\ndef f(w):\n    a = 0\n    b = 0\n    c = 0\n    return a, c\n```\n\n## Calls\n\n"
        "```python\nf(2.0)\n```\n",
        "def f(w):\n    a = w\n    b = w\n    c = w\n    return a, c",
        "```diff\n-    a = w\n+    a = 2 * w\n@@\n     b = w\n-    c = w\n+    c = 3 * w\n```",
    ),
    "order": (
        "---\nkind: order\nshown: 3 1 2\n---\n\nOrder them.\n\n```python\ndef f(w):\n    ...\n    return c\n```\n"
        "\n## Calls\n\n```python\nf(2.0)\n```\n",
        "a = w + 1\nb = a * 2\nc = b\nif c > 100:\n    c = 0",
        "c = b\nif c > 100:\n    c = 0\na = w + 1\nb = a * 2",
    ),
    "operator": (
        "---\nkind: operator\n---\n\nWrite it.\n\n```python\nclass Twice(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, h):\n        return 2 * h\n\n    @staticmethod\n    def backward(ctx, grad_output):\n"
        "        return ...\n```\n\n## Calls\n\n```python\nTwice(torch.tensor([1.0, -2.0]), torch.randn(2))\n```\n",
        "return 2 * grad_output",
        "return grad_output",
    ),
    "endless": (
        "Count.\n\n```python\ndef f(n):\n    while ...:\n        n = n - 1\n    return n\n```\n\n"
        "## Calls\n\n```python\nf(3)\n```\n",
        "while n > 0:",
        "```python endless\nwhile n < 100:\n```",
    ),
    "a judge of ours": (
        "---\nrun: value_and_gradient\n---\n\nSquare.\n\n```python\ndef f(h):\n    return ...\n```\n\n"
        "## Calls\n\n```python\nf(\n    torch.tensor([1.0, 2.0]),\n)\n```\n",
        "return h * h",
        "return h * h.detach()",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_form_of_an_answer_is_read(folder, kind):
    top, right, wrong = KINDS[kind]
    wrong = wrong if wrong.startswith("```") else f"```python\n{wrong}\n```"
    solution = f"## Hints\n\n1. One.\n2. Two.\n\n## Solution\n\n```python\n{right}\n```\n"
    text = f"{top}\n{solution}\n## Wrong answers\n\n{wrong}\n\nNo.\n"
    mine = viz.exercises(folder("it.md", text))
    assert mine.check().mistakes == [], mine.check()
    if kind == "order":
        made = task.TASKS["it"]
        assert made.shown == (2, 0, 1) and made.wrong[0].order == (2, 3, 0, 1) or len(made.lines) == 4


def without(*lines):
    """The guide's example without these lines."""
    return "\n".join(line for line in EXAMPLE.split("\n") if line not in lines)


def put(old, new):
    assert old in EXAMPLE, old
    return EXAMPLE.replace(old, new, 1)


def top(*settings):
    return "\n".join(["---", *settings, "---", "", EXAMPLE])


HINTS = [line for line in EXAMPLE.splitlines() if re.match(r"\d\.", line)]
MISTAKES = {
    "a setting that there is not": (top("real: 0.1"), 2, "there is no setting `real`: did you mean `rel`?"),
    "a setting without a colon": (top("silent"), 2, "a setting is written `name: value`"),
    "a setting twice": (top("rel: 1", "rel: 2"), 3, "`rel` is given twice"),
    "an empty setting": (top("where:"), 2, "the setting `where` is empty"),
    "settings without an end": ("---\nrel: 0.1\n\n" + EXAMPLE, 1, "a second line of --- is missing"),
    "no number": (top("rel: small"), 2, "`rel` needs a number, not `small`"),
    "neither yes nor no": (top("silent: true"), 2, "`silent` is yes or no, not `true`"),
    "a kind that there is not": (top("kind: funktion"), 2, "did you mean `function`?"),
    "a setting of another kind": (top("shown: 1 2"), 2, "`shown` is a setting of the kind `order`"),
    "a judge without judges.py": (top("run: mine"), 2, "there is no judges.py beside this file, so there is no `mine`"),
    "a section that there is not": (put("## Calls", "## Call"), 8, "did you mean `Calls`?"),
    "a section twice": (EXAMPLE + "\n## Hints\n", 53, "the section `Hints` stands twice"),
    "code without an end": (EXAMPLE + "\n```python\nx = 1\n", 53, "this code has no end"),
    "code with spaces before it": (put("```python\ndef", "  ```python\ndef"), 3, "code must begin at the left margin"),
    "no task": (without(EXAMPLE.splitlines()[0]), 1, "the task is missing"),
    "no cell": (put("```python\ndef slope(w):\n    return ...\n```\n", ""), 1, "the cell is missing"),
    "two cells": (put("## Calls\n", ""), 9, "the cell stands twice"),
    "a cell that Python can't read": (put("def slope(w):", "def slope(w)"), 4, "Python can't read this"),
    "a cell that defines nothing": (
        put("def slope(w):\n    return ...", "print(...)"),
        3,
        "the cell defines no function",
    ),
    "no hints": (without("## Hints", *HINTS), 1, "the section `## Hints` is missing"),
    "a hint that is no item": (put(HINTS[0], HINTS[0][3:]), 18, "a hint is an item of the list"),
    "no hint in it": (without(*HINTS), 16, "there is no hint"),
    "no solution": (put("## Solution", "## Setup"), 1, "the section `## Solution` is missing"),
    "a solution without code": (put("```python\nreturn 2 * w + 3\n```\n", ""), 21, "`Solution` holds no code"),
    "a solution that Python can't read": (put("return 2 * w + 3\n", "return 2 *\n"), 24, "Python can't read this"),
    "a reply without code": (
        put("## Wrong answers\n", "## Wrong answers\n\nNo.\n"),
        31,
        "this reply has no code above it",
    ),
    "code without a reply": (EXAMPLE + "\n```python\nreturn 5\n```\n", 53, "this answer has no reply"),
    "a wrong answer that Python can't read": (put("return 2 * w\n", "return 2 * (w\n"), 32, "Python can't read this"),
    "a mark that there is not": (
        put("```python\nreturn 2 * w\n", "```python use=a\nreturn 2 * w\n"),
        31,
        "did you mean",
    ),
    "a mark without a closing quote": (
        put("```python\nreturn 2 * w\n", '```python uses="a\nreturn 2 * w\n'),
        31,
        "quot",
    ),
    "a diff of other lines": (
        put("```python\nreturn 2 * w\n", "```diff\n-    return 4\n+    return 5\n"),
        32,
        "the solution does not have this line: `return 4`",
    ),
    "a diff without a place": (put("```python\nreturn 2 * w\n", "```diff\n+    a = 5\n"), 32, "must show where"),
    "an answer under another name": (
        put("def slope(w):\n    return ...", "def slope(w):\n    return w"),
        23,
        "does not define `slope`, and the cell has no `...`",
    ),
    "a call of something else": (put("slope(2.0)", "slop(2.0)"), 11, "this must be a call of `slope`"),
    "a call with names": (put("slope(2.0)", "slope(x)"), 11, "`x` must be written out"),
    "a call with a named argument": (
        put("slope(2.0)", "slope(w=2.0)"),
        11,
        "write the arguments of this call without their names",
    ),
    "a call of a function that is not allowed": (
        put("slope(2.0)", "slope(open('a'))"),
        11,
        "`open` can't be called here",
    ),
    "a call that Python can't read": (put("slope(2.0)", "slope(2.0"), 11, "Python can't read this"),
    "calls without one": (put("slope(2.0)\nslope(-1.0)\nslope(random(0.5, 3.0))\n", ""), 10, "there is no call"),
    "nothing to try": (put("## Calls", "## Setup"), 1, "add a section `## Calls`"),
    "calls and points": (top("points: f"), 12, "give the section `## Calls` or `points:`, not both"),
    "an item without a name": (EXAMPLE + "\n## Parts\n\n- gradient\n", 55, "written - `name`: text"),
    "the name of a lesson's exercise": (EXAMPLE, 1, "a lesson has an exercise named 'cube_slope' already"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_file_and_line(folder, mistake):
    text, line, told = MISTAKES[mistake]
    name = "cube_slope.md" if "lesson's" in mistake else "square_slope.md"
    if mistake == "calls and points":
        folder("judges.py", "def f(torch, random):\n    yield (1.0,)\n")
    with pytest.raises(Mistake) as error:
        viz.exercises(folder(name, text))
    assert told in str(error.value)
    assert re.search(rf"my_folder.{name}, line {line}: ", str(error.value)), str(error.value)


@pytest.mark.parametrize(
    ("judges", "line", "told"),
    [
        ("def tables(:\n", 1, "Python can't read this"),
        ("import math\n\nmath.cosine(1)\n", 3, "it stops here: AttributeError"),
    ],
)
def test_a_mistake_in_judges_is_named_with_its_line(folder, judges, line, told):
    folder("judges.py", judges)
    with pytest.raises(Mistake, match=rf"judges.py, line {line}: {told}"):
        viz.exercises(folder("twice.md", WITH_JUDGES))


def test_every_mistake_of_a_page_is_named_at_once(folder):
    text = top("real: 0.1", "rel: small").replace("slope(2.0)", "slope(x)").replace("slope(-1.0)", "slop(2)")
    text = text.replace("## Hints", "## Hint").replace(HINTS[0], HINTS[0][3:])
    text = text.replace("return 2 * w\n", "return 2 * (w\n").replace(
        "```python\nreturn w * w", "```python use=a\nreturn w"
    )
    with pytest.raises(ValueError) as error:
        viz.exercises(folder("square_slope.md", text))
    first, *told = str(error.value).splitlines()
    lines = [2, 3, 16, 17, 21, 23, 37, 52]
    assert first == f"{len(lines)} mistakes:"
    assert [int(re.search(r"line (\d+): ", each)[1]) for each in told] == lines
    named = ["`real`", "`rel` needs", "`x` must", "a call of `slope`", "`Hints`", "a hint is", "can't read", "`use=a`"]
    for words, each in zip(named, told, strict=True):
        assert words in each


def test_the_wrong_answers_are_read_though_the_solution_cannot_be(folder):
    text = put("return 2 * w + 3\n", "return 2 *\n").replace("return 2 * w * 3\n", "return 2 * (w\n")
    diff = "\n```diff\n-    return 2 * w\n+    return 2\n```\n\nA constant.\n\n```python\nreturn 1\n```\n"
    with pytest.raises(
        ValueError, match="3 mistakes:\n.*line 24: Python.*\n.*line 38: Python.*\n.*line 60: .*no reply"
    ):
        viz.exercises(folder("square_slope.md", text + diff))


def test_every_file_with_a_mistake_is_named_at_once(folder):
    folder("one.md", without(EXAMPLE.splitlines()[0]))
    folder("two.md", put("## Calls", "## Call"))
    with pytest.raises(ValueError, match="2 mistakes:\n.*one.md, line 1: .*\n.*two.md, line 8: "):
        viz.exercises(folder("three.md", EXAMPLE))


IN_PLACE = """\
Halve `w` in place.

```python
def halve(w):
    ...
```

## Calls

```python
halve(torch.tensor([1.0, 2.0]))
```

## Hints

1. Which methods end with an underscore?

## Solution

```python
w.mul_(0.5)
```

## Wrong answers

```python
w = w * 0.5
```

This makes a new tensor.
"""


def test_a_function_that_changes_its_argument_is_judged_as_the_guide_says(folder):
    """Without `may_change` and `run`, the check says that they are needed."""
    after = next(each for each in re.findall(r"```python\n(.*?)```\n", GUIDE, re.DOTALL) if "argument_after" in each)
    folder("judges.py", after)
    right = "---\nmay_change: yes\nrun: argument_after\n---\n\n" + IN_PLACE
    (nothing,) = viz.exercises(folder("halve.md", IN_PLACE)).check().mistakes
    assert "returns None in each call" in nothing and "set `may_change: yes`, and let `run:` name" in nothing
    (changed,) = viz.exercises(folder("halve.md", IN_PLACE.replace("w.mul_", "return w.mul_"))).check().mistakes
    assert "changed its argument `w`" in changed and "let `run:` name" in changed
    assert viz.exercises(folder("halve.md", right)).check().mistakes == []
    assert viz.exercise("halve").check(lambda w: w * 0.5).verdict.text.startswith("✗")


@pytest.mark.parametrize("name", ["lesson", "training", "lesson07"])
def test_an_exercise_cannot_have_the_name_of_a_catalogue_of_viz(folder, name):
    with pytest.raises(Mistake, match=rf"{name}.md, line 1: .* in files named {name}.po: rename the file"):
        viz.exercises(folder(f"{name}.md", EXAMPLE))


def test_a_folder_without_an_exercise_is_named(folder, tmp_path):
    with pytest.raises(FileNotFoundError, match="no_such: no such folder"):
        viz.exercises(tmp_path / "no_such")
    with pytest.raises(FileNotFoundError, match="my_folder: no Markdown file of an exercise in it"):
        viz.exercises(folder("README.md", "My course."))


@pytest.mark.parametrize(
    ("change", "line", "told"),
    [
        (
            ("return 2 * w * 3 * w", "return 6 * w\n```\n\nNo.\n\n```python\nreturn w * 6"),
            47,
            "gets the reply of the one in line 37",
        ),
        (("return w * w + 3 * w", "return 3 + 2 * w"), 47, "passes as right"),
        (("```python\nreturn 2 * w\n", '```python uses="no_grad"\nreturn 2 * w\n'), 31, 'uses="no_grad"'),
        (("```python\nreturn 2 * w\n", '```python with="w * 3 or w + 3"\nreturn 2 * w\n'), 31, "with= and without="),
        (("```python\nreturn 2 * w\n", '```python without="2*w"\nreturn 2 * w\n'), 31, "with= and without="),
    ],
)
def test_check_names_an_answer_that_does_not_get_its_reply(folder, change, line, told):
    (found,) = viz.exercises(folder("square_slope.md", put(*change))).check().mistakes
    assert told in found and f"square_slope.md, line {line}: " in found


def test_check_names_a_solution_that_is_not_right_and_a_cell_that_is(folder):
    same = put("def slope(w):\n    return ...", "def slope(w):\n    return 2 * w + 3").replace(
        "```python\nreturn 2 * w + 3\n", "```python\ndef slope(w):\n    return 2 * w + 3\n"
    )
    text = re.sub(r"## Wrong answers.*", "", same, flags=re.DOTALL)
    folder("untouched.md", text)
    folder("judges.py", "def refuses(given, torch, random):\n    return 'Never.'\n")
    folder("refused.md", top("verify: refuses"))
    found = viz.exercises(folder("fails.md", put("return 2 * w + 3", "return 2 * unknown"))).check().mistakes
    assert any("refused.md: the solution can't be used, because it is not right: ✗ Never." in each for each in found)
    assert any("untouched.md" in each for each in found) and any("fails.md" in each for each in found)


def test_a_changed_file_is_read_again_and_a_lessons_exercise_stays(folder):
    place = folder("square_slope.md", EXAMPLE)
    viz.exercises(place)
    lessons = {name for name, made in task.TASKS.items() if made.lesson}
    folder("square_slope.md", put("Write the slope", "Say what the slope is"))
    folder("other.md", EXAMPLE)
    assert viz.exercises(place).names == ["other", "square_slope"]
    assert "Say what the slope is" in repr(viz.exercise("square_slope"))
    (place / "other.md").unlink()
    viz.exercises(place)
    assert "other" not in task.TASKS and lessons <= {*task.TASKS}
    with pytest.raises(KeyError, match="there is no exercise 'other'"):
        viz.exercise("other")


def test_random_arguments_differ_from_run_to_run_and_literals_do_not():
    page = pages.read("```python\nf(random(1.0, 2.0), torch.randn(2, requires_grad=True), [1, (2.0, 'a')])\n```", "p")
    points = written.points_of(page, page.sections[0].blocks[0], "f")
    import numpy as np

    (one,), (other,) = (list(points(torch, np.random.default_rng(seed))) for seed in (1, 2))
    assert 1 <= one[0] <= 2 and one[0] != other[0]
    assert one[1].requires_grad and one[1].dtype == torch.float32 and (one[1] != other[1]).any()
    assert one[2] == other[2] == [1, (2.0, "a")]


def test_importing_viz_reads_no_page_and_an_exercise_reads_its_own_alone():
    program = (
        "import sys, viz\n"
        "from viz.lesson import questions, task\n"
        "assert not task.TASKS and not questions.PROBES\n"
        "viz.exercise('cube_slope'); viz.before(3)\n"
        "assert [*task.TASKS] == ['cube_slope'] and [*questions.PROBES] == [3]\n"
        "assert not [each for each in sys.modules if each.endswith('.judges') and 'lesson1' in each]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_text_of_an_exercise_is_found_for_its_catalogue():
    load()
    shown, found = set(), set()
    for made in (each for each in task.TASKS.values() if each.lesson):
        texts = [made.task, made.because, made.where, made.unmended, *made.hints, *(each.hint for each in made.wrong)]
        texts += [*made.parts.values(), *made.remarks.values()]
        assert all(isinstance(text, Text) or text == "" for text in texts), made.name
        shown |= {(text.context, text.english) for text in texts if text}
    for probe in (each for lesson in questions.PROBES.values() for each in lesson):
        for ask in (probe.before, probe.after):
            texts = [ask.ask, *ask.choices.values(), *ask.labels.values(), ask.unknown]
            shown |= {(text.context, text.english) for text in texts if isinstance(text, Text)}
    for file in README.parent.glob("lesson*/*.md"):
        with file.open("rb") as stream:
            found |= {message for _, _, message, _ in extract.markdown(stream)}
    told = {message for message in found - shown}
    assert shown <= found
    assert {context for context, _ in told} == {
        "flat_line",
        "left_behind",
        "clip_by_hand",
        "jacobian",
        "if_in_a_trace",
    }  # their sections ## Told


QUESTIONS = """\
# Mine

## backward moves w

### Before

What is w after backward?

- [x] 2
  Backward computes slopes.
- [ ] 3
  An optimizer would move it.

```python proof
answer = 2
```

### After

And after two of them?

- [ ] 4
  No optimizer has run.
- [x] 2
  As before.

```python proof
answer = 2
```
"""


def test_a_folder_may_have_questions_of_its_own(folder):
    folder("square_slope.md", EXAMPLE)
    mine = viz.exercises(folder("questions.md", QUESTIONS))
    report = mine.check()
    assert mine.names == ["square_slope"] and not report.mistakes and "questions" in str(report)
    before, after = viz.before("my_folder"), viz.after("my_folder", lang="zh")
    assert repr(before).startswith("Before my_folder (run this cell") and "What is w after backward?" in repr(before)
    assert before.answer(1, "3") == "Noted." and after.answer(1, "2").startswith("✓ 2.")
    assert "my_folder" in repr(after) and "Before" not in repr(after)
    assert viz.after("my_folder")._state()["given"] == ["2"]  # as it was noted
    with pytest.raises(KeyError, match="the folder 'other' has no questions; there are some for 'my_folder'"):
        viz.before("other")
    assert "lesson 3" in repr(viz.before(3)) and viz.course() is not None
    (mine.folder / "questions.md").unlink()
    viz.exercises(mine.folder)
    with pytest.raises(KeyError, match="no folder yet"):
        viz.before("my_folder")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("answer = 2", "answer = 4", "`2` is marked as right, but the proof gives `4`."),
        ("answer = 2", "pass", "but the proof assigns no `answer`."),
        ("answer = 2", "1 / 0", "the proof stops: ZeroDivisionError"),
    ],
)
def test_check_names_a_question_whose_proof_says_something_else(folder, old, new, told):
    folder("square_slope.md", EXAMPLE)
    (found,) = viz.exercises(folder("questions.md", QUESTIONS.replace(old, new, 1))).check().mistakes
    assert "questions.md: `backward moves w`, before: " in found and told in found


def test_a_mistake_in_questions_has_its_line(folder):
    folder("square_slope.md", EXAMPLE)
    with pytest.raises(Mistake, match=r"questions.md, line 5: one of the choices is right"):
        viz.exercises(folder("questions.md", QUESTIONS.replace("[x]", "[ ]", 1)))


CALLS_THAT_TEST_NOTHING = {
    "one argument of two": (
        "operator",
        "Twice(torch.randn(2))",
        "it has 1 argument, but a call of an operator has 2, the input `h` and the gradient that arrives, `upstream`.",
    ),
    "three arguments of two": ("operator", "Twice(1, 2, 3)", "it has 3 arguments, but a call of an operator has 2"),
    "a wrong shape": (
        "operator",
        "Twice(torch.randn(2), torch.randn(3))",
        "because the solution stops in it: RuntimeError",
    ),
    "too many arguments": ("diff", "f(1.0, 2.0)", "it has 2 arguments, but it takes 1 (`w`)."),
    "a text": ("diff", "f('a')", "because the solution stops in it: TypeError"),
}


@pytest.mark.parametrize("name", CALLS_THAT_TEST_NOTHING)
@pytest.mark.parametrize("alone", [False, True])
def test_check_names_a_call_in_which_the_solution_stops(folder, name, alone):
    kind, call, told = CALLS_THAT_TEST_NOTHING[name]
    top, right, wrong = KINDS[kind]
    good = re.search(r"## Calls\n\n```python\n(.*)\n```", top)[1]
    top = top.replace(good, call if alone else f"{good}\n{call}")
    wrong = wrong if wrong.startswith("```") else f"```python\n{wrong}\n```"
    text = f"{top}\n## Hints\n\n1. One.\n2. Two.\n\n## Solution\n\n```python\n{right}\n```\n"
    (found,) = viz.exercises(folder("it.md", text)).check().mistakes
    line = text.splitlines().index(call) + 1
    assert f"it.md, line {line}: the call `{call}` tests nothing" in found and told in found, found
    assert "_apply" not in found and "missing" not in found


def test_an_error_that_the_solution_raises_itself_is_meant(folder):
    top, _right, _wrong = KINDS["diff"]
    right = "def f(w):\n    if w < 0:\n        raise ValueError('negative')\n    return w * w"
    text = top.replace("f(2.0)", "f(2.0)\nf(-1.0)")
    text += f"\n## Hints\n\n1. One.\n2. Two.\n\n## Solution\n\n```python\n{right}\n```\n"
    assert viz.exercises(folder("it.md", text)).check().mistakes == []


def test_a_folder_brings_words_of_the_package_along(folder):
    place = folder("square_slope.md", EXAMPLE)
    catalogues = place / "locale" / "es" / "LC_MESSAGES"
    catalogues.mkdir(parents=True)
    viz.exercises(place)
    assert "Exercise" in repr(viz.exercise("square_slope", lang="es"))  # looked up once, before the file is there
    texts = {"label": ("Exercise", "Ejercicio"), "choices": ("choices", "opciones")}
    texts["printed"] = (predict.PRINTED.english["printed"], "predice: {question} (ejecuta y responde)")
    blocks = [f'msgctxt "{key}"\nmsgid "{old}"\nmsgstr "{new}"\n' for key, (old, new) in texts.items()]
    (catalogues / "lesson.po").write_text("\n".join(blocks), encoding="utf-8")
    viz.exercises(place)
    assert "Ejercicio" in repr(viz.exercise("square_slope", lang="es"))
    question = viz.predict("1 + 1?", 2, choices=["2", "3"], lang="es")
    assert repr(question) == "predice: 1 + 1? (ejecuta y responde)\n  opciones: 2 / 3"
    chinese = catalogues.parent.parent / "zh" / "LC_MESSAGES" / "lesson.po"
    chinese.parent.mkdir(parents=True)
    chinese.write_text('msgctxt "label"\nmsgid "Exercise"\nmsgstr "WRONG"\n', encoding="utf-8")
    viz.exercises(place)
    assert "WRONG" not in repr(viz.exercise("square_slope", lang="zh"))  # what the package has goes first


def test_a_folder_has_its_own_languages(folder):
    place = folder("square_slope.md", EXAMPLE)
    file = place / "locale" / "zh" / "LC_MESSAGES" / "square_slope.po"
    file.parent.mkdir(parents=True)
    english = EXAMPLE.splitlines()[0]
    file.write_text(f'msgctxt "square_slope"\nmsgid "{english}"\nmsgstr "写出斜率。"\n', encoding="utf-8")
    viz.exercises(place)
    assert "写出斜率。" in repr(viz.exercise("square_slope", lang="zh"))
    assert english in repr(viz.exercise("square_slope"))


def test_a_page_is_checked_in_its_own_language_whatever_is_spoken(folder, monkeypatch):
    place = folder("square_slope.md", EXAMPLE)
    mine = viz.exercises(place)
    file = place / "locale" / "zh" / "LC_MESSAGES" / "square_slope.po"
    file.parent.mkdir(parents=True)
    replies = [locale.pick(wrong.hint, "en") for wrong in task.TASKS["square_slope"]._wrong]
    assert len(replies) > 1
    blocks = [
        f'msgctxt "square_slope"\nmsgid {json.dumps(text)}\nmsgstr "回答 {at}"' for at, text in enumerate(replies)
    ]
    file.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    mine = viz.exercises(place)
    monkeypatch.setattr(locale, "_spoken", "zh")
    verdict = viz.exercise("square_slope").check(lambda w: 0 * w).verdict
    assert not verdict.right and "应为" in verdict.text  # the reader's language
    assert mine.check().mistakes == []


def test_pages_that_are_none_are_left_out():
    assert pages.other("README.md") and pages.other("_draft.md") and not pages.other("relu.md")
    assert Path(README).parent.name == "exercises"
