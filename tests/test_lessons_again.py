"""Every cell of every lesson once more after Run All: no question, stepper or explorer reads what a later cell changed.

Each prediction is then answered right, and wrong in each way that it knows; each exercise is solved and mis-solved.
At last each cell runs with its exercise's solution in it, as the reader who has found it runs it: what the cell itself
makes of it must not stop, nor warn.
The helper is lessons.py.
"""

import ast
import itertools
import re
from pathlib import Path

import pytest
from lessons import Lesson

from viz.lesson import trial
from viz.lesson.exercise import Exercise
from viz.lesson.predict import Prediction
from viz.lesson.task import TASKS
from viz.lesson.trial import library_in
from viz.lesson.typed import known_wrong, written

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
UNMENDED = {  # take a line away when the lesson is mended
}


def lessons():
    for path in NOTEBOOKS:
        unmended = UNMENDED.get(path.stem)
        marks = [pytest.mark.xfail(reason=unmended, strict=True)] if unmended else []
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", list(lessons()))
def test_each_cell_runs_again_after_run_all_and_knows_its_answers(path, each_code_runs_once):
    with Lesson(path).open() as lesson:
        first = lesson.run_all()
        facts = [ran.facts() for ran in first]
        problems = []
        for number, (before, known) in enumerate(zip(first, facts, strict=True)):
            again = lesson.again(number)
            where = f"code cell {number} ({lesson.cells[number].strip().splitlines()[0][:60]!r})"
            if again.error.partition(":")[0] != before.error.partition(":")[0]:
                problems.append(f"{where}: {again.error or 'no error'}, but at first {before.error or 'none'}")
            elif again.facts() != known:
                problems += [f"{where}: {b}\n    was {a}" for a, b in zip(known, again.facts(), strict=False) if a != b]
                problems += [f"{where}: shows another number of things"] * (len(known) != len(again.facts()))
            problems += [f"{where}: {told}" for told in answered(again, known)]
            problems += [f"{where}, solved: {told}" for told in run_solved(lesson, number)]
    assert not problems, "\n".join(problems)


def answered(ran, known):
    """What goes wrong when a reader answers what this cell asks, right and wrong."""
    rights = dict(fact for fact in known if isinstance(fact, tuple))
    for question in ran.predictions:
        if question.question in rights:
            yield from answer(question, rights[question.question])
    for exercise in ran.asking:
        if isinstance(exercise, Exercise):
            yield from solve(exercise)


def run_solved(lesson, number):
    """What goes wrong when the cell runs with the solution in the place of its gap."""
    gap, task = lesson.cells[number], exercise_in(lesson.cells[number])
    if task is None:
        return
    lesson.cells[number] = solved(gap, task)
    try:
        ran = lesson.again(number)
    finally:
        lesson.cells[number] = gap
    if ran.error:
        yield ran.error
    yield from ran.warned
    yield from (each.verdict.text for each in ran.asking if isinstance(each, Exercise) and not each.verdict.right)


def exercise_in(cell):
    """The exercise whose gap, a function or a class, stands in this cell; None, if there is none."""
    for name in re.findall(r'viz\.exercise\(\s*"([^"]+)"', cell):
        if TASKS[name].kind == "function":
            return TASKS[name]
    return None


def solved(cell, task):
    """The cell with the solution in the place of what the reader is to write."""
    lines = cell.splitlines()
    for statement in reversed(ast.parse(cell).body):
        if getattr(statement, "name", "") == task.wants:
            lines[statement.lineno - 1 : statement.end_lineno] = task.solution.splitlines()
    return "\n".join(lines)


def mended(number, name):
    """What the cell of an exercise prints, once it is solved."""
    (path,) = (each for each in NOTEBOOKS if each.stem.startswith(number))
    with Lesson(path).open() as lesson:
        lesson.run_all()
        at = next(at for at, cell in enumerate(lesson.cells) if f'viz.exercise("{name}")' in cell)
        lesson.cells[at] = solved(lesson.cells[at], TASKS[name])
        return lesson.again(at).printed


def test_the_scales_that_lesson_04_mends_come_to_those_that_made_the_target():
    scales = [float(each) for each in re.findall(r"-?\d+\.\d+", mended("04", "scale_of_a_row"))]
    assert scales == pytest.approx([2, -1, 0.5, 3], abs=1e-3)


def test_the_nets_of_lesson_08_learn_or_guess_as_its_text_says():
    (path,) = (each for each in NOTEBOOKS if each.stem.startswith("08"))
    with Lesson(path).open() as lesson:
        lesson.run_all()
        echo, lstm_echo = lesson.name("echo"), lesson.name("lstm_echo")
        for net, learns in ((echo(10), True), (echo(30), False), (lstm_echo(0), False), (lstm_echo(3), True)):
            losses = [next(net)["loss"].item() for _ in range(300)]
            last = sum(losses[-10:]) / 10
            assert last < 0.05 if learns else last > 0.9


def answer(question: Prediction, right):
    for belief, why in question.beliefs.items():
        said = question.check(written(one_that_is_meant(question, belief, right) if callable(belief) else belief))
        if not said.startswith("✗") or why not in said:
            yield f"{question.question!r} answers {belief!r} with {said!r}"
    said = question.check(written(right))
    if not said.startswith("✓"):
        yield f"{question.question!r} refuses {right!r}: {said!r}"
    if "✓" not in question.reveal():
        yield f"{question.question!r} takes the ✓ back"


def one_that_is_meant(question: Prediction, belief, right: float) -> float:
    """A number that a function among the beliefs means, and none before it."""
    before = list(itertools.takewhile(lambda each: each is not belief, question.beliefs))
    numbers = (right * share for share in (-1, 0, 0.1, 0.4, 0.9, 1.1, 2, 10))
    return next(
        each for each in numbers if belief(each) and not any(known_wrong(written(each), each, one) for one in before)
    )


def solve(exercise):
    task = exercise.task
    if exercise.verdict.kind != "untried":
        yield f"exercise {task.name!r} is stored solved: {exercise.verdict.text}"
    torch = library_in({"torch": __import__("minigrad")})
    rows = {number: row for row, number in zip(task.numbers, task.shown, strict=False)}
    for wrong in (*task.wrong, None):
        if task.kind == "order":
            given = " ".join(rows[number] for number in (wrong.order if wrong else range(len(task.lines))))
        else:
            given = trial.defined(task, wrong.code if wrong else task.solution, torch)
        if wrong and wrong.endless:
            continue
        verdict = exercise.check(given).verdict
        if verdict.right != (wrong is None):
            yield f"exercise {task.name!r} says {verdict.text!r} to {wrong.code if wrong else 'its solution'!r}"
