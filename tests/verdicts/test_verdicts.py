"""No verdict of the check is false: each answer of the corpus, against an oracle. `-m verdicts` asks about all of them,
which takes minutes; the fast tier takes a twelfth of them. No hint mentions what its answer does not contain: hints.py.

An answer whose verdict the task leaves open is only run. What its author has labelled is what the oracle says, too.
"""

import pytest

import minigrad
from viz.lesson.task import TASKS
from viz.locale import pick

from .corpus import Answer, answers, expanded, whole
from .hints import refuted, unproved
from .mutants import mutants
from .oracles import ORACLES
from .run import Result, names_for, results, truth, verdict_on

PART = 12


def failing(name, torch, chosen):
    return shown([Result(each, truth(each, torch), verdict_on(each, torch)) for each in chosen])


def shown(found):
    """The results of which the verdict is false, or the hint mentions what the answer does not contain, or claims what
    is not true of it."""
    texts = [f"{each.truth or 'right'}; {each.verdict.text}\n{each.answer.code}" for each in found if each.false]
    for each in found:
        if words := unproved(each.answer, each.verdict.hint):
            texts.append(f"{each.verdict.hint} But there is no {words} in\n{each.answer.code}")
        if claims := refuted(each.answer, each.verdict.hint, each.verdict.text):
            texts.append(f"{each.verdict.text} But {claims}:\n{each.answer.code}")
    return texts


@pytest.mark.parametrize("name", names_for(minigrad))
def test_no_verdict_on_a_part_of_the_answers_is_false(name):
    chosen = [each for each in answers(name) if int(each.key[8:16], 16) % PART == 0]
    assert not failing(name, minigrad, chosen)


@pytest.mark.verdicts
@pytest.mark.parametrize("name", names_for(minigrad))
def test_no_verdict_is_false(name):
    found = results(name)
    assert not shown(found)
    closed = [each for each in found if each.answer.said and not each.answer.left_open]
    assert not [each.answer.code for each in closed if (each.answer.said == "right") != (not each.truth)]


@pytest.mark.torch
@pytest.mark.parametrize("name", names_for(None))
def test_no_verdict_is_false_with_pytorch(name):
    torch = pytest.importorskip("torch")
    chosen = [each for each in answers(name) if int(each.key[8:16], 16) % PART == 0 and each.said]
    assert not failing(name, torch, chosen)


def test_a_hint_about_what_an_answer_does_not_contain_is_found():
    task = TASKS["mend_data"]
    hint = next(pick(each.hint, "en") for each in task.wrong if "`w.grad = None`" in pick(each.hint, "en"))
    answer = Answer("mend_data", whole(task, "y.backward()\nwith torch.no_grad():\n    w += 1\nw.grad = None"))
    assert not unproved(answer, hint)
    assert unproved(Answer("mend_data", task.solution), hint) == {"None"}


def test_a_hint_that_claims_what_is_not_true_of_an_answer_is_found():
    task = TASKS["descend"]
    hint = "Your code returns the result after one step. Is there a `return` inside the loop?"
    early = Answer("descend", task.solution.replace("    return w", "        return w"))
    assert not refuted(early, hint, hint)
    assert refuted(Answer("descend", task.solution.replace("range(10)", "range(1)")), hint, hint)
    jacobian = TASKS["jacobian"]
    told = next(pick(each.hint, "en") for each in jacobian.wrong if "Set `v.grad = None`" in pick(each.hint, "en"))
    assert refuted(Answer("jacobian", jacobian.solution), told, told)
    assert not refuted(Answer("jacobian", jacobian.solution.replace("v.grad = None", "pass")), told, told)


def test_each_exercise_has_an_oracle_and_enough_answers():
    assert set(ORACLES) == set(TASKS)
    for name, task in TASKS.items():
        if task.kind != "order":
            said = [each.said for each in answers(name)]
            assert said.count("right") >= 20 and len(said) - said.count("right") >= 40, (name, len(said))


def test_the_corpus_is_the_same_each_time_and_its_halves_are_halves():
    every = [each for name in TASKS for each in answers(name)]
    assert every == [each for name in TASKS for each in answers(name)]
    assert abs(sum(each.aside for each in every) / len(every) - 0.5) < 0.03


def test_a_block_becomes_answers():
    task = TASKS["cube_slope"]
    assert expanded("return ⟦1 || 2 || 3⟧ + ⟦4 || 5⟧") == ["return 1 + 4", "return 2 + 5", "return 3 + 4"]
    assert "    return 3 * w\n" in whole(task, "return 3 * w")
    assert "w**3) * nudge" in whole(task, ") / nudge => ) * nudge")
    assert whole(task, "nudge = 0.001 => nudge = 0.001⏎w = 2").splitlines()[2] == "    w = 2"


def test_a_mutant_differs_by_one_slip():
    made = set(mutants("def f(a, b):\n    return a - b\n"))
    assert {f"def f(a, b):\n    return {each}\n" for each in ("a + b", "b - a", "a", "b", "b - b")} <= made
    assert "def f(a, b):\n    return\n" in made and "def f(a, b):\n    return a - b\n" not in made


def test_an_oracle_sees_a_false_answer_that_a_check_might_not():
    """One slip each that once passed."""
    for name, code in (
        ("both_losses", "def both(w, x):\n    return torch.autograd.grad(3 * w * x + (w * x) ** 2, (w, x))\n"),
        ("only_ask", "net.eval()\nnet.requires_grad_(False)\noutput = net(x)"),
        ("own_no_grad", "modes.recording = False\nyield\nmodes.recording = True"),
    ):
        task = TASKS[name]
        assert truth(Answer(name, whole(task, code)), minigrad), name
        assert not truth(Answer(name, task.solution), minigrad), name
