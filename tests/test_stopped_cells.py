"""A cell that stops before its check shows its exercise all the same, once, with what is true of it."""

from pathlib import Path

import pytest
from lessons import Lesson

from viz.lesson import still
from viz.lesson.exercise import Exercise

LESSON = next((Path(__file__).parent.parent / "notebooks").glob("08_*.ipynb"))
CALL = 'viz.exercise("unroll")'
RIGHT = """
def unroll(x, h, W, U):
    states = []
    for x_t in x.permute(1, 0, 2):
        h = torch.tanh(x_t @ W + h @ U)
        states.append(h)
    return torch.stack(states, dim=1)

"""


@pytest.fixture
def lesson():
    lesson = Lesson(LESSON)
    with lesson.open():
        still.listen()
        lesson.run(0)
        yield lesson


def exercises(lesson, cell):
    lesson.cells[1] = cell
    ran = lesson.run(1)
    return ran.error, [each for each in ran.shown if isinstance(each, Exercise)]


@pytest.mark.parametrize(
    "cell",
    [
        f"def unroll(:\n    pass\n\n{CALL}.check(unroll)",
        f"  def unroll(x):\n    return x\n{CALL}.check(unroll)",
        f"nothing_has_this_name\n{CALL}.check(unroll)",
        f"question = {CALL}\nraise KeyboardInterrupt\nquestion.check(unroll)",
    ],
    ids=["syntax", "indentation", "an error", "interrupted"],
)
def test_the_task_is_there_and_says_that_the_check_did_not_run(lesson, cell):
    error, (shown,) = exercises(lesson, cell)
    assert error and shown.task.name == "unroll" and "stopped before the check" in shown.verdict.text
    shown.hint()
    assert shown._state()["hints"]
    error, (shown,) = exercises(lesson, f"{RIGHT}{CALL}.check(unroll)")
    assert not error and shown.verdict.right


def test_an_answer_that_was_checked_keeps_its_verdict(lesson):
    error, (shown,) = exercises(lesson, f"{RIGHT}{CALL}.check(unroll)\n1 / 0")
    assert error and shown.verdict.right
    error, (shown,) = exercises(lesson, f"1 / 0\n{RIGHT}{CALL}.check(unroll)")  # and not for a later run
    assert error and not shown.verdict.right


def test_no_exercise_is_shown_twice_or_without_a_reason(lesson):
    assert len(exercises(lesson, f"display({CALL})\n1 / 0")[1]) == 1
    assert len(exercises(lesson, f"{CALL}")[1]) == 1
    assert exercises(lesson, "1 / 0")[1] == []
    assert exercises(lesson, 'viz.exercise("no_such_exercise")')[1] == []


def test_an_error_is_told_to_the_end_of_its_sentence(lesson):
    answer = RIGHT.replace("x.permute(1, 0, 2)", "x.permute(1, 0)")
    _, (shown,) = exercises(lesson, f"{answer}{CALL}.check(unroll)")
    assert "dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2." in shown.verdict.text
