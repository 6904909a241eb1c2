"""`row_and_column` and `draw_curve`: right numbers for any table, nothing told before a curve is drawn."""

import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from readable import readable

import minigrad as torch
import viz
from viz.drawing.letters import NUMBER, text_width
from viz.explore.row_and_column import gradients

X = [[1, 2, 0], [0, 1, 5], [3, 0, 1], [1, 1, 1]]
G = [[1, 0.5], [-2, 1], [0, 10], [3, -1]]


def test_each_sum_of_a_gradient_is_the_sum_that_is_written():
    panel = viz.explore.row_and_column(X, G)
    wanted = np.array(X).T @ np.array(G)
    for entry in panel.order:
        name, *place = entry.split()
        panel.choose(name, *map(int, place))
        products, total = re.search(r"= (.*?) = (\S+)\. ", repr(panel)).groups()
        written = eval(products.replace("·", "*").replace("−", "-"))
        i = [int(each) for each in place]
        right = wanted[i[0], i[1]] if name == "W" else np.array(G)[:, i[0]].sum()
        assert written == pytest.approx(right) == float(total.replace("−", "-"))
    W_grad, b_grad = gradients(X, G)
    assert np.allclose(W_grad, wanted) and np.allclose(b_grad, np.sum(G, 0))


def lit(svg, entry):
    """The numbers that an entry lights up, on the page: what the script leaves visible."""
    found = []
    for part in ET.fromstring(svg).iter():
        if entry in part.get("data-lights", "").split(","):
            found += [each.text for each in part.iter() if each.tag.endswith("text")]
    return found


def test_an_entry_lights_up_its_row_its_column_and_itself():
    panel = viz.explore.row_and_column(X, G)
    assert sorted(lit(panel.page, "W 2 0")) == sorted(["0", "5", "1", "1", "1", "−2", "0", "3", "−7"])
    assert sorted(lit(panel.page, "b 1")) == sorted(["1"] * 4 + ["0.5", "1", "10", "−1"] + ["10.5"])
    shown = [part for part in ET.fromstring(panel.page).iter() if part.get("data-told")]
    assert [part.get("data-told") for part in shown if part.get("display") != "none"] == ["W 2 0"]
    panel.choose("b", 0)
    assert panel.shown.value.count("data-told") == len(panel.order)  # the page has all entries, and does not change
    assert "b.grad[0] = 1 + (−2) + 0 + 3" in readable(panel.picture.svg)
    with pytest.raises(KeyError):
        panel.choose("W", 3, 0)


AWKWARD = [1.25, -0.333, -12.5, 20000, 1 / 3, -1 / 3, 0.0, -0.0, 12345678, -1e30, 1e-9, 1000, math.inf, math.nan]


@pytest.mark.parametrize("seed", range(8))
def test_each_number_has_room_in_its_entry_and_the_sum_below_is_the_entry(seed):
    rng = np.random.default_rng(seed)
    rows, wide, out = rng.integers(1, 7, 3)
    panel = viz.explore.row_and_column(rng.choice(AWKWARD, (rows, wide)), rng.choice(AWKWARD, (rows, out)))
    page = ET.fromstring(panel.page)
    for part in page.iter():
        rects = [each for each in part if each.tag.endswith("rect")]
        texts = [each for each in part if each.tag.endswith("text")]
        if len(rects) == 1 and len(texts) == 1 and "viz-plate" not in part.get("class", ""):
            bold = texts[0].get("font-weight") is not None
            assert text_width(texts[0].text, NUMBER, mono=True, bold=bold) < float(rects[0].get("width")) - 6
    for entry in panel.order:
        box = next(each for each in page.iter() if each.get("data-entry") == entry)
        said = next(each.text for each in box.iter() if each.tag.endswith("text"))
        lines = panel.about(entry)[1]
        assert lines[1].endswith(f"= {said}")
        assert not re.search(r"−0(?![.\d])", " ".join([said, *lines]))


@pytest.mark.parametrize(
    "wrong", [([["a"]], [[1]]), ([[1, 2]], [[1], [2]]), ([[1, 2], [3]], [[1], [2]]), ([], []), ([1, 2], [[1]])]
)
def test_tables_that_do_not_fit_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match="rows"):
        viz.explore.row_and_column(*wrong)


def counted(name, losses, ran):
    for loss in losses:
        ran.append(name)
        yield loss


def test_no_loop_runs_before_a_curve_is_drawn():
    ran = []
    panel = viz.explore.draw_curve(
        first=4, forgets=counted("f", [90, 40, 20, 70, 800], ran), clears=counted("c", [90, 60, 45, 31, 23], ran)
    )
    assert ran == ["f", "c"]  # where the curves begin
    panel.run()
    panel.run_on()
    assert ran == ["f", "c"] and panel.run_button.disabled and panel.on_button.disabled
    told = repr(panel) + readable(panel.picture.svg) + panel.picture.alt + panel.shown.value
    assert not re.search(r"\b(40|20|70|800|60|45|31|23)\b", readable(told)) and "clears" not in told
    panel.sketch([90, 80, 70])
    assert not panel.run_button.disabled and ran == ["f", "c"]
    panel.run()
    assert ran.count("f") == ran.count("c") == 4
    assert repr(panel) == (
        "Iteration 4: you drew 70. “forgets” has 70, “clears” has 31. "
        "Up to this iteration, your curve falls, and the loss of “forgets” rises and falls."
    )
    panel.sketch([90, 1, 1])  # too late
    assert [round(10**power) for power in panel.drawn] == [90, 80, 70, 70]
    panel.run_on()
    assert ran.count("f") == ran.count("c") == 5 and panel.on_button.disabled and panel.error is None


def test_a_cell_that_runs_again_shows_the_readers_curve_and_nothing_of_the_loops():
    def made(**more):
        return viz.explore.draw_curve(first=4, old=iter([77.0, 40, 20, 70]), new=iter([77.0, 60, 45, 31]), **more)

    panel = made()
    assert not panel.drawn
    panel.sketch([77, 50, 30])
    panel.run()
    again = made()
    assert [round(10**power) for power in again.drawn] == [77, 50, 30, 30]
    assert again.shown.drawing and not again.shown_to and not again.run_button.disabled
    again.sketch([77, 90, 90, 90])
    assert [round(10**power) for power in made().drawn] == [77, 90, 90, 90]
    other = viz.explore.draw_curve(first=4, old=iter([70.0, 40]), new=iter([70.0, 60]))
    assert not other.drawn  # another plot


def test_a_loss_that_is_no_number_is_named_and_ends_its_curve():
    losses = [90.0, 1e30, math.inf, math.nan]
    panel = viz.explore.draw_curve(first=2, forgets=losses, clears=[90.0, 50.0, 30.0, 10.0])
    panel.sketch([90, 20])
    panel.run()
    assert "✗" not in readable(panel.picture.svg)
    panel.run_on()
    assert "In iteration 3, the loss of “forgets” is inf" in repr(panel) and "✗ inf" in readable(panel.picture.svg)


def test_loops_train_while_another_cell_records_nothing():
    def train(rate):
        w = torch.tensor(3.0, requires_grad=True)
        for _ in range(4):
            loss = w * w
            loss.backward()
            with torch.no_grad():
                w -= rate * w.grad
            w.grad = None
            yield loss.item()

    panel = viz.explore.draw_curve(first=3, fast=train(0.4), slow=train(0.1))
    with torch.no_grad():
        panel.sketch([9, 5, 2])
        panel.run()
    assert panel.error is None and panel.losses["fast"] == pytest.approx([9, 0.36, 0.0144])


def test_wrong_loops_are_refused():
    with pytest.raises(ValueError, match="two loops"):
        viz.explore.draw_curve(forgets=[1.0])
    with pytest.raises(ValueError, match="positive number"):
        viz.explore.draw_curve(forgets=[0.0], clears=[1.0])
