"""The ledger driven from code: what arrives at a leaf and when, what a second pass does, what is hidden."""

import random
import re
import threading
import xml.etree.ElementTree as ET

import pytest
from readable import readable

import minigrad as torch
import viz
from viz.explore.account import PROGRAMS, Account
from viz.explore.arriving import Arriving
from viz.lesson.predict import Prediction

TWO, ONE = PROGRAMS


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    """Nobody has answered anything yet."""
    monkeypatch.setattr(Prediction, "given", {})


def over(panel):
    """The panel when its first pass is over."""
    panel.say(panel.step.answer)
    while panel.steps:
        panel.go_on()
        panel.say(panel.step.answer)
    return panel


def written(panel):
    """All that the picture says, the code above it and what a page without widgets shows."""
    shown = map(readable, (panel.picture.svg, panel.status.value))
    return "\n".join([*shown, repr(panel), panel._repr_mimebundle_()[0]["text/plain"]])


def arrows(panel):
    """The amounts on the arrows of the graph."""
    return [edge.value.strip("\N{NO-BREAK SPACE}") for edge in Arriving(panel.graph, panel.frame, "en").dressed().edges]


def places(panel):
    """Where each box and circle of the graph stands."""
    return re.findall(r'id="l\S+-(n\d+)" transform="(translate\([^)]*\))"', panel.picture.svg)


@pytest.mark.parametrize("library", ["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
@pytest.mark.parametrize(("w", "x"), [(4.0, 2.0), (2.0, 5.0), (-3.0, 0.5)])
def test_what_is_recorded_is_what_hooks_on_each_tensor_hear(w, x, library):
    torch = pytest.importorskip(library)
    first = Account(TWO, w, x).backward()
    heard = []
    leaf, other = (torch.tensor(n, requires_grad=True) for n in (w, x))
    a, b = leaf + other, leaf + 1
    for name, tensor in (("b", b), ("a", a), ("w", leaf)):
        tensor.register_hook(lambda g, name=name: heard.append((name, g.item())))
    (a * b).backward()
    assert [(each.through, each.amount) for each in first.arrivals] == heard[:2]
    assert heard[2:] == [("w", first.sum)]  # the leaf is told once, and of the sum
    assert first.after == leaf.grad.item()


def test_grad_is_written_once_when_all_is_there():
    account = Account(TWO, 4.0, 2.0)
    first, second = account.backward(retain_graph=True), account.backward()
    assert [each.held for each in first.arrivals] == [None, None] and (first.before, first.after) == (None, 11)
    assert [each.held for each in second.arrivals] == [11, 11] and (second.before, second.after) == (11, 22)


def test_amounts_are_typed_before_they_land():
    panel = viz.explore.ledger()
    assert not re.search(r"\b(11|22)\b|\+ ?[56]\b|together|from y", written(panel))
    assert panel.account.grad == 11 and "w.grad contains None" in panel.picture.alt  # it has run, and that is not shown
    assert "what is b" not in panel.say(6.5) and panel.say("six").startswith("I can't read `six` as a number")
    assert panel.say(11).startswith("✗ 11 is the sum of both contributions") and panel.landed == 0
    assert panel.say(6).startswith("✓") and "Pass 1: 6 through b. The next contribution is hidden" in panel.picture.alt
    assert "+ 6" in written(panel) and "Σ 6 + ?" in written(panel) and "+ 5" not in written(panel)
    panel.go_on()
    assert panel.say(6).startswith("✗ 6 has arrived and is in the book") and panel.say("None").startswith("✓")
    panel.go_on()
    assert not panel.over and "w.grad = 11" not in written(panel)
    assert panel.say(5).startswith("✓") and panel.over
    assert "Σ 6 + 5 = 11" in written(panel) and "y.backward()  # w.grad = 11" in panel.status.value
    assert "6 through b, then 5 through a, together 11. w.grad contains 11." in panel.picture.alt


def test_show_me_lands_it_too_and_waits_for_one_try_at_each_question():
    panel = viz.explore.ledger()
    assert panel.question.show.disabled
    panel.say(1)
    assert not panel.question.show.disabled
    assert panel.show().startswith("The answer: 6.") and panel.landed == 1
    panel.go_on()
    assert panel.question.show.disabled and panel.question.field.value is None and panel.question.feedback.value == ""


def test_nothing_can_be_skipped():
    panel = viz.explore.ledger()
    controls = [*panel.buttons, panel.retained, panel.switch, panel.next]
    assert all(control.disabled for control in controls)
    assert panel.more.layout.display == "none"  # the first pass is the whole picture
    for skip in (panel.again, panel.clear, panel.start_again, panel.retain, panel.go_on, lambda: panel.choose(ONE)):
        skip()
        assert (len(panel.passes), panel.landed, panel.graphs, panel.program) == (1, 0, 1, TWO)
        assert panel.switch.value == TWO and not panel.retained.value
    over(panel)
    assert not any(control.disabled for control in controls[:-1]) and panel.next.layout.display == "none"


def test_a_second_pass_stops_where_the_drawer_was_emptied():
    panel = over(viz.explore.ledger())
    assert "FREED" in written(panel) and "The drawer under × is empty" in panel.picture.alt
    panel.buttons[0].click()
    assert "RuntimeError" not in written(panel) and "stopped" not in written(panel)
    assert panel.say(22).startswith("✗ 22. For this number, the whole backward pass would have to run")
    assert panel.say(11).startswith("✗ 11. It is true that `w.grad` stays at 11")
    assert panel.say("error").startswith("✓")
    assert panel.passes[1].error.startswith("Trying to backward through the graph a second time")
    assert (panel.passes[1].arrivals, panel.account.grad) == ((), 11)
    (guilty,) = (node for node in panel.passes[1].graph.nodes if node.mark)
    assert (guilty.name, guilty.mark, guilty.freed) == ("MulBackward0", "guilty", True)
    assert (
        "Pass 2 stopped at × because its drawer is empty, so nothing has arrived. w.grad contains 11."
        in panel.picture.alt
    )
    assert (
        "RuntimeError: Trying to backward" in panel.status.value and "Specify retain_graph=True" in panel.status.value
    )
    panel.clear()
    panel.again()  # an empty account fills no drawer
    assert panel.say("error").startswith("✓") and "Pass 3 stopped" in panel.picture.alt


def test_with_retain_graph_the_next_pass_adds_and_an_emptied_account_begins_anew():
    panel = over(viz.explore.ledger())
    panel.retained.value = True
    assert panel.graphs == 1 and "retain_graph" not in panel.status.value  # it is for the next call
    panel.start_again()
    assert (panel.graphs, panel.over) == (2, True) and "# graph 2," in panel.status.value
    assert "The drawer under × is full" in panel.picture.alt
    panel.again()
    assert panel.say("RuntimeError").startswith("✗ error. × needs a and b") and "replaced" not in panel.say(22)
    assert panel.account.grad == 22 and "11 + 11 = 22" in written(panel)
    panel.again()
    assert panel.say(33).startswith("✓") and "22 + 11 = 33" in written(panel)
    panel.buttons[1].click()
    assert (
        panel.picture.alt.endswith("w.grad contains None. The drawer under × is full.") and panel.account.grad is None
    )
    panel.again()
    assert panel.say(22).startswith("✗ 22. `w.grad` is None now") and panel.say(11).startswith("✓")


def test_with_retain_graph_in_the_first_call_alone_the_second_runs_and_the_third_stops():
    panel = over(viz.explore.ledger())
    panel.retain()
    panel.start_again()
    panel.retain(False)
    panel.again()
    assert panel.say(22).startswith("✓")
    code = readable(panel.status.value)
    assert re.search(r"y\.backward\(retain_graph=True\)  # w\.grad = 11\s+y\.backward\(\)  # w\.grad = 22", code)
    panel.again()
    assert panel.say("RuntimeError").startswith("✓ error.") and panel.account.grad == 22


def test_with_retain_graph_in_the_second_call_alone_it_comes_too_late():
    panel = over(viz.explore.ledger())
    panel.retain()
    panel.again()
    assert "`y.backward(retain_graph=True)` runs" in panel.question.question
    assert panel.say(22).startswith("✗ 22. `retain_graph=True` keeps the saved values that are in a drawer")
    assert panel.say("an error").startswith("✓")


@pytest.mark.parametrize("seed", range(6))
def test_after_any_moves_a_reply_says_what_w_grad_holds_now(seed):
    """After several passes, 26 was answered with "`w.grad` is None now" while it held 39."""
    draw, panel = random.Random(seed), over(viz.explore.ledger(3, 6))
    for _ in range(12):
        move = draw.choice([panel.again, panel.again, panel.clear, panel.start_again, panel.retain])
        move(draw.random() < 0.7) if move == panel.retain else move()
        if panel.over:
            continue
        held, answer = panel.passes[-1].before, panel.step.answer
        assert f"`w.grad` contains {'None' if held is None else f'{held:g}'}." in panel.question.question
        for said in [13 * n for n in range(9)] + [7]:
            if said == answer:
                continue
            told = panel.say(said)
            assert told.startswith("✗") and "Try again" not in told
            assert ("is None now" in told) == (held is None and answer != "error"), told
            assert all(float(each) == held for each in re.findall(r"`w.grad` now contains (\d+)", told)), told
            assert ("This is the number that `w.grad` contains" in told) == (held == said and answer != "error"), told
        assert panel.say(answer).startswith("✓") and panel.account.grad == panel.passes[-1].after


def test_the_amount_that_waits_is_a_question_mark_at_its_arrow():
    """× has sent both amounts, so its drawer is empty while one of them is still to come."""
    panel = viz.explore.ledger()
    assert arrows(panel).count("?") == 0
    panel.say(6)
    assert "FREED" in written(panel) and arrows(panel).count("?") == 1 and "5" not in arrows(panel)
    panel.go_on()
    panel.say("None")
    panel.go_on()
    assert "× has also sent a gradient to a." in panel.question.question and arrows(panel).count("?") == 1
    panel.say(5)
    assert arrows(panel).count("?") == 0 and "5" in arrows(panel)


def test_plus_has_no_drawer_and_so_a_second_pass_passes():
    panel = over(viz.explore.ledger())
    panel.switch.value = ONE
    assert panel.program == ONE and not panel.over and "drawer" not in panel.picture.alt
    over(panel)
    assert "Pass 1: 1 from y. w.grad contains 1." in panel.picture.alt
    panel.again()
    assert panel.say("error").startswith("✗ error. The backward pass raises an error only") and panel.say(2).startswith(
        "✓"
    )
    panel.choose(TWO)
    assert panel.over and len(panel.passes) == 1  # this one's amounts were typed before
    panel.choose(ONE)
    assert panel.over
    with pytest.raises(ValueError, match=re.escape("program must be one of 'y = (w + x) * (w + 1)', 'y = w + 1'")):
        panel.choose("y = w")


def test_it_may_begin_with_the_second_pass():
    panel = viz.explore.ledger(again=True)
    assert panel.more.layout.display == "" and "Does this call raise an error? If not" in panel.question.question
    assert (
        "together 11. The gradient that pass 2 brings to w is hidden" in panel.picture.alt
        and "stopped" not in written(panel)
    )
    assert panel.say("error").startswith("✓")


@pytest.mark.parametrize(("w", "x"), [(4.0, 2.0), (1.0, 2.0), (0.0, 0.0), (-1.0, 5.0), (1.0, 0.0), (0.1, -0.3)])
def test_at_no_place_a_right_answer_is_told_to_be_wrong(w, x):
    panel = viz.explore.ledger(w, x)
    for program in PROGRAMS:
        panel.choose(program)
        for retain in (False, True):
            panel.retain(retain)
            panel.start_again()
            over(panel)
            for _ in range(2):
                panel.again()
                for belief, why in panel.question.beliefs.items():
                    assert panel.say(belief).startswith("✗") and why in panel.say(belief)
                assert panel.say(panel.step.answer).startswith("✓") and panel.error is None


def test_nothing_moves_from_frame_to_frame_but_what_runs():
    panel = viz.explore.ledger()
    seen = [places(panel)]
    panel.say(6)
    moving = panel.picture.svg
    plates = [part[1].text for part in ET.fromstring(moving).iter() if "viz-plate" in part.get("class", "")]
    assert plates == ["1", "6", "6", "6"] and "prefers-reduced-motion:no-preference" in moving
    seen.append(places(panel))
    panel.refresh()
    assert "viz-plate" not in panel.picture.svg and "animation" not in panel.picture.svg  # once, and then it stands
    over(panel)
    plates = [part[1].text for part in ET.fromstring(panel.picture.svg).iter() if "viz-plate" in part.get("class", "")]
    assert plates == ["5"] * 4  # from × on, where it has waited; the last two together, to w and to x
    seen.append(places(panel))
    for answer in ("error", "error"):
        panel.again()
        panel.say(answer)
        seen.append(places(panel))
    panel.retain()
    panel.start_again()
    panel.again()
    panel.say(22)
    seen += [places(panel), places(panel)]
    assert all(seen) and all(each == seen[0] for each in seen)


def test_the_old_number_stays_until_the_new_one_lands():
    panel = over(viz.explore.ledger())
    panel.retain()
    panel.start_again()
    panel.again()
    panel.say(22)
    root = ET.fromstring(panel.picture.svg)
    old = [part[0].text for part in root.iter() if part.get("class") == "viz-goes" and part[0].tag.endswith("text")]
    assert old.count("11") == 2 and all(
        part.get("opacity") == "0" for part in root.iter() if part.get("class") == "viz-goes"
    )


def test_a_button_pressed_while_a_cell_runs_without_gradients_runs_a_pass_all_the_same():
    with torch.no_grad():
        panel = over(viz.explore.ledger())
        pressing = [threading.Thread(target=panel.again) for _ in range(4)]
        for thread in pressing:
            thread.start()
        for thread in pressing:
            thread.join(100)
    assert panel.error is None and len(panel.passes) == 2  # one of them, and the others wait for its answer
    panel.retain()
    assert not panel.retained.value  # while a question is open, nothing else changes
    assert panel.say("error").startswith("✓") and panel.picture.alt.count("Pass") == 2


def test_what_grad_holds_is_not_seen_while_it_is_asked():
    panel = viz.explore.ledger()
    panel.say(6)
    assert "w.grad contains None" in panel.picture.alt
    panel.go_on()
    assert "w.grad contains ?." in panel.picture.alt and "None" not in written(panel)
    panel.say("None")
    assert "w.grad contains None" in panel.picture.alt


def test_another_program_begins_without_retain_graph_as_the_question_before_the_lesson_has_it():
    panel = over(viz.explore.ledger())
    panel.retained.value = True
    panel.again()
    assert "`y.backward(retain_graph=True)` runs" in panel.question.question
    over(panel)
    panel.choose(ONE)
    over(panel)
    panel.again()
    assert "`y.backward()` runs" in panel.question.question and "y.backward()  # w.grad = 1" in panel.status.value
    assert panel.say(2).startswith("✓")


def test_a_pass_that_stops_shows_what_had_come_and_an_emptied_account_takes_its_question_along():
    panel = over(viz.explore.ledger())
    panel.again()
    panel.say("error")
    (out,) = [i for i, edge in enumerate(panel.graph.edges) if edge.target in panel.graph.roots]
    assert panel.passes[1].told == {out: 1.0}  # to × and no farther
    assert panel.question.widget.layout.display == ""
    panel.clear()
    assert panel.question.widget.layout.display == "none"
    panel.again()
    assert panel.question.widget.layout.display == ""
