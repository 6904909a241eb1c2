"""The explorers driven from code: what their sliders and buttons do, what they find out, what they hide until then."""

import importlib
import math
import re
import threading
import tracemalloc
import xml.etree.ElementTree as ET
from collections import deque
from decimal import Decimal

import numpy as np
import pytest
from readable import readable

import minigrad as torch
import viz
from minigrad import nn
from viz import alive
from viz.drawing.legend import VERMILION
from viz.drawing.svg import element
from viz.explore import accordion, strip
from viz.explore.memory import bytes_held
from viz.explore.panel import Panel, Sketch, slider
from viz.explore.recurrent import sine_network
from viz.explore.shelf import LAST, WAYS, run
from viz.explore.storages import sharing
from viz.explore.tags import ORANGE


def lines(panel):
    """What can be read in a panel's picture, piece by piece."""
    return readable(panel.picture.svg).splitlines()


class Counting(Panel):
    """A panel that draws its slider's value, slowly if it is told to wait."""

    def __init__(self):
        super().__init__({"n": (0, 100, 1, 1)})
        self.began, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()
        self.drawn = []

    def draw(self, n):
        self.began.set()
        assert self.may_go_on.wait(100)
        if n == 13:
            raise ValueError("<b>thirteen</b>")
        self.drawn.append(n)
        return Sketch([element("text", str(n))], (40, 20), title="n", alt=f"n is {n}")

    def says(self, n):
        return f"run {self.runs}"


def test_a_slider_has_bounds_and_keeps_whole_numbers_whole():
    whole, broken = slider("hidden_size", 1, 8, 1, 2), slider("w", -1.0, 1.0, 0.5, 0.0)
    whole.value, broken.value = 9.0, -1
    assert [(moved.value, type(moved.value)) for moved in (whole, broken)] == [(8, int), (-1.0, float)]
    assert whole.description == "hidden size"


def test_of_many_positions_the_last_one_counts_and_no_two_threads_draw():
    panel = Counting()
    panel.may_go_on.clear()
    first = threading.Thread(target=panel.refresh)
    first.start()
    assert panel.began.wait(100)
    for n in (2, 3, 4):  # while the first picture is being drawn
        panel.sliders["n"].value = n
    panel.may_go_on.set()
    first.join(100)
    assert panel.drawn == [1, 4] and panel.picture.alt == "n is 4" and panel.runs == 2


def test_a_slider_that_moves_while_a_cell_runs_without_gradients_gets_its_gradients_all_the_same(forgetful):
    panel = viz.explore.nudge()
    with torch.no_grad():
        moving = threading.Thread(target=setattr, args=(panel.sliders["w"], "value", 1.0))
        moving.start()
        moving.join(100)
    assert panel.error is None and panel.found.grad == 8


def test_while_it_computes_it_says_so_and_a_picture_that_is_cut_has_a_bar():
    panel, told = Counting(), []
    panel.refresh()
    panel.status.observe(lambda change: told.append(change["new"]), "value")
    panel.sliders["n"].value = 2
    busy, done = told
    assert 'aria-busy="true"' in busy and "computing …" in busy and "run 1" in readable(busy)
    assert "busy" not in done and "run 2" in done
    assert "::-webkit-scrollbar" in panel.shown.value and '<div class="viz-scroll"><svg' in panel.shown.value


def test_an_error_is_shown_as_text_above_the_last_picture():
    panel = Counting()
    panel.refresh()
    panel.sliders["n"].value = 13
    assert isinstance(panel.error, ValueError) and "&lt;b&gt;thirteen" in panel.status.value
    assert panel.picture.alt == "n is 1"
    panel.sliders["n"].value = 2
    assert panel.error is None and "run 3" in panel.status.value


def test_a_page_without_widgets_gets_a_picture_and_words():
    panel = Counting()
    panel.refresh()
    data, metadata = panel._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG") and metadata["image/png"]["alt"] == "n is 1"
    assert data["text/plain"] == "counting at n = 1: n is 1" and "image/svg+xml" not in data


def test_a_sketch_escapes_what_it_is_given():
    words = '<script>alert("a & b")</script>'
    root = ET.fromstring(Sketch([element("text", words)], (40, 20), title=words, alt=words).svg)
    assert [part.text for part in root if part.tag.endswith(("title", "desc", "text"))] == [words] * 3
    assert not any("script" in part.tag for part in root.iter())


def test_the_nudge_shows_nothing_and_can_be_moved_nowhere_before_a_prediction(forgetful):
    panel = viz.explore.nudge()
    panel.forward()
    panel.backward()
    assert panel.way == "" and all(control.disabled for control in (*panel.buttons, *panel.sliders.values()))
    for hidden in (
        *map(readable, (panel.picture.svg, panel.status.value, panel.shown.value)),
        repr(panel),
        panel._repr_mimebundle_()[0]["text/plain"],
    ):
        assert "0.03" not in hidden and "0.1" not in hidden and "w.grad" not in hidden and "× 3" not in hidden
    panel.guess("no number")  # that is asked back, and is no answer yet
    assert all(control.disabled for control in (*panel.buttons, *panel.sliders.values()))
    panel.guess("5")
    assert not any(control.disabled for control in (*panel.buttons, *panel.sliders.values()))


def test_the_nudge_asks_about_the_point_that_its_sliders_show(forgetful):
    panel = viz.explore.nudge()
    assert panel.guess("0.3").startswith("✗")
    panel.sliders["w"].value, panel.sliders["x"].value = -1.0, 3.0
    assert "changes from −1 to −0.99, and `x` stays 3" in panel.question.question
    assert panel.question.field.value is None and panel.question.feedback.value == ""
    assert panel.guess("0.1").startswith("✗") and "the change in `w`" in panel.guess("0.01")
    assert panel.guess("0.02") == (
        "✓ 0.0201. Now press “Run the nudge”. How much of the change comes through `a`, and how much through `b`?"
    )
    panel.smaller()
    assert "from −1 to −0.999," in panel.question.question and panel.guess("0.002").startswith("✓")
    panel.sliders["w"].value = -2.0  # the two paths take each other away, but for the square of the nudge
    assert panel.found.grad == 0 and panel.guess("0").startswith("✓")


def test_the_nudge_asks_nothing_while_its_answer_is_on_the_screen(forgetful):
    panel = viz.explore.nudge()
    assert "add the two products" in panel.guess("0.21"), "the two paths, multiplied"
    panel.guess("0.1")
    panel.forward()
    asked, said = panel.question._asked.value, panel.question.feedback.value
    for move in (lambda: panel.sliders["w"].set_trait("value", 1.0), panel.smaller, panel.backward):
        move()
        assert panel.question.root.layout.visibility == "hidden", "the old verdict is about another place"
        assert panel.found.both == pytest.approx(panel.found.grad * panel.nudge)
    panel.again()
    assert panel.question.root.layout.visibility == "hidden"
    panel.sliders["w"].value = 2.0
    assert panel.question.root.layout.visibility is None
    assert (panel.question._asked.value, panel.question.feedback.value) == (asked, said)


def test_a_likely_wrong_number_of_the_nudge_is_named_only_if_it_is_that_number(forgetful):
    panel = viz.explore.nudge(1.0, 3.0)
    told = {
        "8": "before the nudge",
        "-0.06": "the sign is wrong",
        "0.6": "one place off",
        "6.01": "divided by the nudge",
    }
    told |= {"6": "the derivative", "0.02": "only the contribution through `a`", "8.0601": "new value"}
    for typed, words in told.items():
        assert panel.guess(typed).startswith("✗") and words in panel.guess(typed), typed
    for typed in ("8.01", "6.03", "0.0203", "7.02"):
        assert panel.guess(typed).startswith(f"✗ {typed}. Compute it: each factor grows by 0.01.")
    assert "for a nudge of 0.1. But" in panel.guess("0.61") and "a nudge of 0.001" in panel.guess("0.006001")
    panel.guess("0.06")
    panel.forward()
    assert "w</code> grows from 1 to 1.01, and <code>y</code> changes from 8 to 8.0601" in panel.told


def test_the_smallest_nudge_switches_its_button_off(forgetful):
    for panel, last in ((viz.explore.nudge(), 1e-4), (viz.explore.rectangle(), 1e-3)):
        if hasattr(panel, "guess"):
            panel.guess("0.1")
        smaller = next(each for each in panel.buttons if "÷" in each.description)
        for _ in range(9):
            smaller.click()
        assert smaller.disabled and panel.found is not None
        assert (panel.nudge if hasattr(panel, "nudge") else panel.step) == pytest.approx(last)
        panel.again()
        assert not smaller.disabled


def test_no_reply_and_no_remark_moves_the_picture_of_the_nudge(forgetful):
    panel = viz.explore.nudge()
    assert panel.question.feedback.layout.min_height and panel.status.layout.min_height


def pieces(picture):
    """(x, y, width, height) of the filled rectangles of the growing area: the strips and the corner."""
    groups = [part for part in ET.fromstring(picture.svg) if part.tag.endswith("g") and len(part) == 1]
    boxes = [group[0] for group in groups if group[0].tag.endswith("rect")]
    return [tuple(float(box.get(name)) for name in ("x", "y", "width", "height")) for box in boxes]


@pytest.mark.parametrize(("w", "x"), [(2.0, 5.0), (-0.5, 1.5), (0.0, 9.0), (30.0, -29.0)])
def test_the_rectangle_gains_two_strips_and_a_corner_to_scale(w, x):
    panel = viz.explore.rectangle(w, x)
    unit = min(378 / (w + x + 2), 220 / (w + 3))
    for moved in (0.0, 0.5, 1.0, 2.0):
        panel.sliders["w"].value = w + moved
        gains = panel.found.gains
        areas = [width * height / unit**2 for _, _, width, height in pieces(panel.halves[0])]
        assert areas == pytest.approx([gains["a"], gains["b"], gains["corner"]], rel=5e-3, abs=1e-2)
        assert gains["total"] == pytest.approx((w + moved + x) * (w + moved + 1) - (w + x) * (w + 1))
        assert panel.error is None and panel.halves[0].size[0] < 480


def test_a_tenth_of_the_nudge_leaves_the_strips_quotients_and_a_tenth_of_the_corners(forgetful):
    panel = viz.explore.rectangle()
    smaller, again = panel.buttons
    places = panel.halves[0].size, panel.halves[1].size
    for step in (1.0, 0.1, 0.01, 0.001):
        found, moved = panel.found, panel.sliders["w"]
        quotients = [found.per_nudge(gain) for gain in found.gains.values()]
        assert quotients == pytest.approx([3, 7, step, 10 + step]) and moved.value == pytest.approx(2 + step)
        assert (moved.min, moved.max, moved.step) == pytest.approx((2, 2 + 2 * step, step / 10))
        assert (panel.halves[0].size, panel.halves[1].size) == places, "nothing jumps"
        assert readable(panel.halves[0].svg).splitlines()[-1].startswith("× ") == (step < 1), "the lens"
        smaller.click()
    assert panel.step == 0.001 and panel.found.nudge == pytest.approx(0.001), "this is the smallest step"
    again.click()
    assert panel.found.nudge == 1 and panel.sliders["w"].max == 4
    panel.sliders["w"].value = 2.0  # not moved at all: nothing is divided by 0
    assert panel.error is None and panel.found.gains["total"] == 0 and "has not grown yet" in panel.picture.alt
    assert smaller.disabled and "the nudge is 0" in panel.told, "a tenth of 0 would show nothing"
    panel.smaller()
    assert panel.step == 1
    panel.sliders["w"].value = 2.1
    assert not smaller.disabled
    panel.smaller()
    panel.sliders["w"].value = 2.0
    assert not readable(panel.halves[0].svg).splitlines()[-1].startswith("× "), "no lens on nothing"


def test_the_sides_name_their_old_and_their_new_length(forgetful):
    panel = viz.explore.rectangle()
    assert {"a = w + x = 7 → 8", "b = w + 1 = 3 → 4"} <= {*readable(panel.halves[0].svg).splitlines()}
    for _ in range(3):
        panel.smaller()
    assert {"a = w + x = 7 → 7.001", "b = w + 1 = 3 → 3.001"} <= {*readable(panel.halves[0].svg).splitlines()}
    assert "The slider ends at 2.002" in panel.told and "can't be divided again" in panel.told


def test_the_area_said_above_the_rectangle_is_the_old_one_and_the_gain():
    panel = viz.explore.rectangle()
    for step in (1.0, 0.1, 0.01, 0.001):
        panel.sliders["w"].value = 2 + 1.3 * step
        told = readable(panel.status.value)
        old, new, gain = (Decimal(found) for found in re.findall(r"from ([\d.]+) to ([\d.]+), by ([\d.]+)\.", told)[-1])
        assert old + gain == new and "x = 5." in told
        panel.smaller()


def test_the_corner_fades_in_the_lens_before_the_strips_do():
    panel = viz.explore.rectangle()
    seen = []
    for _ in range(3):
        panel.smaller()
        root = ET.fromstring(panel.halves[0].svg)
        boxes = [part for part in root if part.tag.endswith("rect")][-4:-1]  # two strips and the corner, then the frame
        seen.append([float(box.get("width")) * float(box.get("height")) for box in boxes])
    for (a, b, corner), (a2, b2, corner2) in zip(seen, seen[1:], strict=False):
        assert corner2 / corner < 0.02 < 0.05 < a2 / a and 0.05 < b2 / b
    keys = re.findall(r"<rect[^>]*>", panel.halves[1].svg)
    assert len(set(keys)) == len(keys), "each piece has its own key"


def test_only_a_smaller_step_moves_the_strips_and_reduced_motion_sees_the_end():
    panel = viz.explore.rectangle()
    assert "viz-shrinks" not in panel.halves[0].svg
    panel.smaller()
    svg = panel.halves[0].svg
    assert svg.count('class="viz-shrinks"') == 3 and "prefers-reduced-motion:no-preference" in svg
    panel.sliders["w"].value = 2.15
    assert "viz-shrinks" not in panel.halves[0].svg


def test_a_rectangle_without_area_is_refused():
    for w, x, side in ((-1.0, 5.0, r"w \+ 1 is 0"), (2.0, -3.0, r"w \+ x is -1")):
        with pytest.raises(ValueError, match=side):
            viz.explore.rectangle(w, x)


def test_the_two_paths_add_up_and_a_tenth_of_the_nudge_leaves_a_hundredth_of_the_gap(forgetful):
    panel = viz.explore.nudge()
    assert panel.guess("0.07").startswith("✗") and "only the contribution through `b`" in panel.guess("0.07")
    assert panel.guess("0.1").startswith("✓")
    run, back, smaller, again = panel.buttons
    run.click()
    assert (panel.found.a, panel.found.b, panel.found.truth) == pytest.approx((0.03, 0.07, 0.1001))
    assert "w.grad" not in panel.status.value
    back.click()
    assert panel.found.grad == 10 and "w.grad = 10, x.grad = 3" in panel.status.value
    assert "From a, 3 × 1 = 3 reaches x" in panel.picture.alt
    gap = panel.found.gap
    smaller.click()
    assert panel.found.gap == pytest.approx(gap / 100, rel=1e-3) and panel.nudge == 0.001
    for _ in range(9):
        panel.smaller()
    assert panel.found.gap > 0  # not yet lost in rounding
    again.click()
    assert panel.found.gap == gap


@pytest.mark.parametrize(("w", "x"), [(1.0, 2.0), (-2.0, -1.0), (-1.0, 5.0), (-1.0, 1.0)])
def test_elsewhere_the_factors_are_what_backward_multiplies_by(w, x, forgetful):
    panel = viz.explore.nudge(nudge=1e-5)
    panel.guess("0.1")
    panel.backward()
    panel.sliders["w"].value, panel.sliders["x"].value = w, x
    found = panel.found
    assert panel.error is None
    assert (found.factors["a"], found.factors["b"], found.grad) == pytest.approx(
        (w + 1, w + x, 2 * w + x + 1), abs=1e-4
    )
    assert found.factors["a"] + found.factors["b"] == pytest.approx(found.grad, abs=1e-4)


def bars_of(panel):
    """Left edge and width of the bars below the graph, and where zero is."""
    root = ET.fromstring(panel.picture.svg)
    bars = [
        part[0]
        for part in root
        if part.tag.endswith("g") and len(part) == 2 and "viz-plate" not in part.get("class", "")
    ]
    bars = [bar for bar in bars if bar.tag.endswith("rect") and bar.get("height") == "20"]
    zero = next(part for part in root if part.tag.endswith("path") and part.get("stroke-width") == "2.5")
    return [(float(bar.get("x")), float(bar.get("width"))) for bar in bars], float(zero.get("d")[1:].split()[0])


def test_who_finds_a_path_that_brings_nothing_or_takes_away_is_told(forgetful):
    panel = viz.explore.nudge(w=2.0, x=5.0)
    panel.guess("0.1")
    told = {}
    for way in ("", "forward"):
        if way:
            panel.forward()
        for w, x in ((2, 5), (-1, 5), (2, -2), (2, -3), (2, -5)):
            panel.sliders["w"].value, panel.sliders["x"].value = w, x
            told[way, w, x] = panel.status.value.partition("<br>")[2].removesuffix("</div>")
    assert not any(told["", w, x] for way, w, x in told if not way) and not told["forward", 2, 5]
    assert "through a contributes nothing" in told["forward", -1, 5] and "through b" in told["forward", 2, -2]
    assert "cancels a part" in told["forward", 2, -3] and "the slope is 0" in told["forward", 2, -5]


def test_a_bar_of_the_nudge_is_right_of_zero_or_left_of_it_by_its_sign(forgetful):
    panel = viz.explore.nudge()
    panel.guess("0.1")
    panel.forward()
    for w, x in ((2.0, 5.0), (-3.0, 5.0), (-3.0, -2.0), (-1.0, 1.0)):
        panel.sliders["w"].value, panel.sliders["x"].value = w, x
        bars, zero = bars_of(panel)
        sizes = panel.found.a, panel.found.b, panel.found.both, panel.found.truth
        for (left, width), size in zip(bars, sizes, strict=True):
            assert (left + width if size < 0 else left) == pytest.approx(zero, abs=0.02)
        widths = np.array([width for _, width in bars])
        assert widths == pytest.approx(np.abs(sizes) / np.abs(sizes).max() * widths.max(), abs=0.02)


def test_what_runs_stands_still_for_a_slider_a_still_page_and_reduced_motion(forgetful):
    panel = viz.explore.nudge()
    panel.guess("0.1")
    still = []
    for way, plates in (
        ("forward", ["+0.01", "+0.01", "+0.03", "+0.01", "+0.01", "+0.07"]),
        ("backward", list("1333177")),
    ):
        getattr(panel, way)()
        root = ET.fromstring(panel.picture.svg)
        moving = [part for part in root.iter() if "viz-plate" in part.get("class", "")]
        assert [part[1].text for part in moving] == plates
        assert all(part.get("opacity") == "0" and part.get("aria-hidden") for part in moving)  # only motion shows them
        assert "prefers-reduced-motion:no-preference" in panel.picture.svg
        panel.sliders["w"].value = 1.5  # the same picture, and nothing in it runs
        still.append(panel.picture.svg)
        panel.sliders["w"].value = 2.0
    assert not any("viz-plate" in svg or "animation" in svg for svg in still)


class Sloppy(torch.autograd.Function):
    """ReLU with a wrong slope to the left."""

    @staticmethod
    def forward(ctx, h):
        return h.clamp(min=0)

    @staticmethod
    def backward(ctx, grad):
        return grad


RELUS = {  # as a reader may give them
    "relu": lambda torch: torch.relu,
    "F.relu": lambda torch: torch.nn.functional.relu,
    "a module": lambda torch: torch.nn.ReLU(),
    "a function of theirs": lambda torch: eval("lambda h: torch.relu(h)", {"torch": torch}),
    "an operator of theirs": lambda torch: own_relu(torch),
}


def own_relu(torch):
    class ReLU(torch.autograd.Function):
        @staticmethod
        def forward(ctx, h):
            ctx.save_for_backward(h)
            return h.clamp(min=0)

        @staticmethod
        def backward(ctx, grad):
            (h,) = ctx.saved_tensors
            return torch.where(h > 0, grad, torch.zeros_like(grad))

    return ReLU


@pytest.mark.parametrize("library", ["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
@pytest.mark.parametrize("kind", RELUS)
def test_a_kink_is_measured_with_the_tensors_of_the_library_that_it_comes_from(kind, library):
    panel = viz.explore.kink(RELUS[kind](importlib.import_module(library)))
    assert panel.error is None
    assert (panel.slopes.claimed, panel.slopes.measured, panel.slopes.passes) == (0, 0.5, False)


@pytest.mark.parametrize("place", [-1.0, -0.25, 0.0, 0.25, 1.0])
def test_only_at_the_kink_more_than_one_needle_fits(place):
    panel = viz.explore.kink(h=place)
    slopes = [i / 4 for i in range(-4, 9)]
    fitting = {-1: {0.0}, 0: {0.0, 0.25, 0.5, 0.75, 1.0}, 1: {1.0}}[(place > 0) - (place < 0)]
    assert {slope for slope in slopes if panel.slopes.fits(slope)} == fitting


def test_each_relu_claims_another_slope_at_the_kink_and_one_passes():
    panel, said = viz.explore.kink(), {}
    for name in ("relu", "clamp", "maximum"):
        panel.switch.value = name
        said[name] = (panel.slopes.claimed, panel.slopes.measured, panel.slopes.passes)
    assert said == {"relu": (0, 0.5, False), "clamp": (1, 0.5, False), "maximum": (0.5, 0.5, True)}


def test_what_is_claimed_is_hidden_until_the_needle_is_set_for_each_function_anew():
    panel = viz.explore.kink()
    assert "Your needle: −0.5, does not fit." in panel.picture.alt
    panel.release_button.click()
    assert panel.release_button.disabled and "claims: ?" in panel.picture.alt
    panel.sliders["needle"].value = 0.25
    assert "claims: ?" in panel.picture.alt and not panel.release_button.disabled and panel.check_button.disabled
    panel.release_button.click()
    assert "claims: 0, fits. Measured: ?" in panel.picture.alt and not panel.check_button.disabled
    panel.check_button.click()
    assert "Measured: 0.5. gradcheck: FAILS." in panel.picture.alt
    panel.choose("clamp")  # the needle still fits
    assert "claims: ?" in panel.picture.alt and not panel.release_button.disabled
    panel.choose("relu")
    assert "gradcheck: FAILS" in panel.picture.alt
    panel.sliders["h"].value = 0.5
    assert "claims: 1, fits. Measured: 1. gradcheck: OK" in panel.picture.alt


def test_at_another_h_the_claim_is_hidden_again():
    panel = viz.explore.kink()
    panel.sliders["needle"].value = 0.25
    assert panel.status.value.count("Your needle fits") == 1
    panel.release()
    panel.sliders["h"].value = 1.0
    assert "claims: ?" in panel.picture.alt and panel.release_button.disabled
    assert "Turn your needle" in panel.status.value
    panel.sliders["needle"].value = 0.5  # turned, and still wrong
    panel.release()
    assert "Your needle: 0.5, does not fit. backward claims: ?" in panel.picture.alt and panel.release_button.disabled
    panel.sliders["needle"].value = 1.0
    assert "Your needle fits" in panel.status.value
    panel.release_button.click()
    assert "backward claims: 1, fits" in panel.picture.alt
    panel.sliders["h"].value = 0.0  # this was asked before
    assert "claims: 0, fits" in panel.picture.alt and panel.release_button.disabled
    panel.sliders["h"].value = -1.0
    panel.sliders["needle"].value = 0.0
    panel.choose("clamp")
    panel.release_button.click()
    assert "claims: 0, fits" in panel.picture.alt


def test_where_no_needle_can_fit_one_may_ask_at_once():
    panel = viz.explore.kink(lambda h: 9 * h)
    assert not panel.release_button.disabled and "too steep for the needle" in panel.status.value
    panel.release()
    assert "claims: 9, fits" in panel.picture.alt


def test_where_there_is_no_slope_the_panel_says_so():
    panel = viz.explore.kink(lambda h: h.log(), h=-1)
    assert panel.release_button.disabled and "has no slope here" in panel.status.value
    panel.sliders["h"].value, panel.sliders["needle"].value = 1.0, 1.0
    panel.release()
    panel.check()
    assert "one slope fits" in panel.status.value and "gradcheck nudges h" in panel.status.value
    panel.sliders["h"].value = 0.0
    assert "has no slope here" in panel.status.value
    assert "does not fit" in viz.explore.kink(lambda h: 1 / h, h=0).picture.alt.partition("backward")[0]


@pytest.mark.parametrize(
    "function", [lambda h: h * h * h, lambda h: (2 * h).exp(), lambda h: 1 / h, lambda h: h.relu()]
)
def test_a_steep_curve_fills_the_picture_and_stays_inside(function):
    panel = viz.explore.kink(function, h=1.0)
    (curve,) = (part for part in ET.fromstring(panel.picture.svg) if part.get("stroke-width") == "4")
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", curve.get("d"))]
    xs, ys = numbers[::2], numbers[1::2]
    width, height = panel.picture.size
    assert max(xs) - min(xs) > 0.6 * width and 0 < min(xs) and max(xs) < width
    assert 80 < min(ys) and max(ys) < height  # below the three lines and the stamp


def test_a_cell_that_runs_again_goes_on_only_with_the_same_curve(monkeypatch):
    first = viz.explore.kink({"mine": lambda h: h.relu()})
    first.sliders["needle"].value = 0.5
    first.release()
    first.check()
    monkeypatch.setattr(alive, "_running", [("a cell", [first])])
    assert viz.explore.kink({"mine": Sloppy}).checked == {"mine"}  # another backward, the same curve
    new = viz.explore.kink({"mine": lambda h: h.abs()})
    assert not new.checked and not new.released and new.sliders["needle"].value == -0.5


def test_a_function_with_a_wrong_slope_is_caught():
    panel = viz.explore.kink(Sloppy, h=-1)
    assert panel.name == "Sloppy" == viz.explore.kink(Sloppy.apply).name
    assert (panel.slopes.claimed, panel.slopes.measured, panel.slopes.passes) == (1, 0, False)
    assert not panel.slopes.fits(panel.slopes.claimed)


def test_nothing_but_the_needles_moves():
    panel, curves = viz.explore.kink(), []
    for h, needle in ((-1.5, -1.0), (0.0, 0.5), (1.5, 2.0)):
        panel.sliders["h"].value, panel.sliders["needle"].value = h, needle
        root = ET.fromstring(panel.picture.svg)
        curves.append((panel.picture.size, [part.get("d") for part in root if part.get("stroke-width") == "4"]))
    assert curves[0] == curves[1] == curves[2] and len(curves[0][1]) == 1


def test_an_error_of_the_readers_function_is_shown():
    panel = viz.explore.kink({"<b>": lambda h: h.nonsense()})
    assert isinstance(panel.error, AttributeError) and "nonsense" in panel.status.value
    assert "text/plain" in panel._repr_mimebundle_()[0]


@pytest.fixture
def scissors(forgetful):
    panel = viz.explore.scissors()
    panel.guess("only the bars")
    return panel


def test_the_scissors_work_after_a_prediction(forgetful):
    panel = viz.explore.scissors()
    assert all(control.disabled for control in [*panel.toggles, panel.reset_box, panel.ways])
    assert "32 of 32" not in panel.picture.alt + panel.status.value
    assert panel.guess("only the curve").startswith("✗") and panel.guess("both").startswith("✗")
    assert not panel.toggles[0].disabled and "reaches 32 of 32 time steps with more than 0.000001" in panel.picture.alt
    assert panel.guess("only the bars").startswith("✓")


def test_a_cut_leaves_the_curve_and_ends_the_gradient(scissors):
    uncut = scissors.flow
    assert (uncut.reach > 0).all()
    for after in (1, 2, 3):
        scissors.cut(after)
        assert np.array_equal(scissors.flow.prediction, uncut.prediction)
        assert np.array_equal(scissors.flow.reach > 0, np.arange(32) >= 8 * after)
        scissors.uncut(after)
    assert "h = None" not in scissors.status.value
    scissors.reset()  # no picture changes without ✂, and the panel says so
    assert "There is no ✂ yet" in scissors.status.value
    scissors.cut(2)
    assert "deletes the values" in scissors.status.value
    moved = scissors.flow.prediction != uncut.prediction
    assert not moved[:16].any() and moved[16:].all()
    assert np.abs(scissors.flow.prediction - uncut.prediction).max() > 0.3


def test_without_a_cut_training_stops_in_the_second_piece_with_the_engines_own_errors(scissors):
    weights = [weight.detach().clone() for weight in scissors.model.parameters()]
    scissors.train("each")
    assert scissors.training.piece == 2 and "backward through the graph a second time" in scissors.training.error
    assert "stopped in piece 2 of 4" in scissors.status.value and "error" in lines(scissors)
    assert "arrives" not in scissors.status.value and "no gradient" in readable(scissors.picture.svg)
    assert scissors.flow.reach is None and len(scissors.flow.prediction) == 16  # piece 2 was predicted, 3 never began
    assert scissors.retaining.widget.layout.display == "none"
    scissors.cut(2)
    scissors.train("retain")  # nothing is shown before that is predicted; the question is about no ✂, so there is none
    assert not scissors.cuts and all(toggle.disabled for toggle in scissors.toggles)
    assert scissors.retaining.widget.layout.display == "" and scissors.training is None
    assert "Answer the question" in scissors.status.value and "error" not in lines(scissors)
    assert scissors.guess("it works").startswith("✗") and scissors.guess("slow, but it works").startswith("✗")
    assert scissors.guess("another error").startswith("✓")
    assert scissors.training.piece == 2 and "modified by an inplace operation" in scissors.training.error
    assert not any(toggle.disabled for toggle in scissors.toggles)
    assert "away" not in scissors.status.value
    for cuts in ({1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}):  # what is said fits where it stopped
        for after in (1, 2, 3):
            (scissors.cut if after in cuts else scissors.uncut)(after)
        stopped, said = scissors.training.piece, scissors.status.value
        assert stopped == min({1, 2, 3} - cuts, default=-1) + 1 or stopped is None and len(cuts) == 3
        assert ("Remove every ✂" in said) == (stopped is None)
        assert not stopped or f"no ✂ between pieces {stopped - 1} and {stopped}" in said and "`" not in said
    for after in (1, 2, 3):
        scissors.uncut(after)
    scissors.train("each")
    scissors.cut(1)
    assert scissors.training.piece == 3
    scissors.cut(2)
    scissors.cut(3)
    assert scissors.training.piece is None and len(scissors.training.losses) == 4
    assert np.array_equal(scissors.flow.reach > 0, np.arange(32) >= 24) and len(scissors.flow.prediction) == 32
    assert all((old == new).all() for old, new in zip(weights, scissors.model.parameters(), strict=True))


def test_what_a_detached_state_forgets_is_in_the_picture_and_a_faint_bar_looks_faint(scissors):
    scissors.cut(2)
    scissors.reset()
    assert np.abs(scissors.flow.prediction).max() < strip.HIGHEST
    assert "less than 1e−6" not in readable(scissors.picture.svg)
    scissors.uncut(2)
    scissors.sliders["scale"].value = 0.5
    bars = [part for part in ET.fromstring(scissors.picture.svg).iter("{http://www.w3.org/2000/svg}rect")]
    hollow = [part for part in bars if part.get("stroke") == strip.VERMILION]
    assert len(hollow) == 32 - scissors.flow.reached > 10 and "less than 1e−6" in readable(scissors.picture.svg)


def test_a_gradient_that_grows_or_shrinks_much_on_its_way_back_is_said_to_explode_or_vanish(scissors):
    said = {}
    for tenths in range(2, 21):
        scissors.sliders["scale"].value = tenths / 10
        grows = float(scissors.flow.reach[0] / scissors.flow.reach[-1])
        said[tenths] = [word for word in ("vanishes", "explodes") if word in scissors.status.value]
        assert said[tenths] == ["vanishes"] * (grows < 1e-3) + ["explodes"] * (grows > 10)
    assert said[2] == ["vanishes"] and said[16] == said[20] == ["explodes"] and said[10] == []


def test_a_curve_ends_at_the_border_of_the_picture_and_is_not_bent_along_it(scissors):
    inside = [*strip.within(np.array([0.0, 3.4, 3.4, -3.4, 0.0]))]
    assert inside == [[(0, 0), (0.5, 1.7)], [(3.5, -1.7), (4, 0)]]
    scissors.sliders["scale"].value = 2.0
    assert np.abs(scissors.flow.prediction).max() > strip.HIGHEST
    drawn = ET.fromstring(scissors.picture.svg).iter("{http://www.w3.org/2000/svg}circle")
    assert len([*drawn]) == (np.abs(scissors.flow.prediction) <= strip.HIGHEST).sum()


def test_the_scissors_take_a_readers_own_network_and_leave_it_alone(forgetful):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn, self.out = nn.RNN(1, 5, batch_first=True), nn.Linear(5, 1)

        def forward(self, x, h):
            states, h = self.rnn(x, h)
            return self.out(states), h

    torch.manual_seed(0)
    net, x = Net(), torch.linspace(0, 1, 10).reshape(1, 10, 1)
    panel = viz.explore.scissors(net, x, x, pieces=3)
    panel.guess("both")
    panel.cut(1)
    reached = (panel.flow.reach > 0).tolist()
    assert panel.error is None and reached == [False] * 3 + [True] * 6 + [False]  # nothing uses the last state
    panel.train("each")
    assert panel.training.piece == 3
    assert all(weight.grad is None for weight in net.parameters())
    with pytest.raises(TypeError, match="needs x and target"):
        viz.explore.scissors(net)


def test_making_an_explorer_leaves_the_readers_random_numbers_alone():
    sine_network.cache_clear()
    torch.manual_seed(3)
    expected = torch.rand(2).tolist()
    torch.manual_seed(3)
    viz.explore.scissors()
    assert torch.rand(2).tolist() == expected


@pytest.mark.parametrize(
    "make",
    [
        viz.explore.rectangle,
        viz.explore.nudge,
        viz.explore.ledger,
        viz.explore.kink,
        viz.explore.scissors,
        viz.explore.unrolled,
        viz.explore.memory,
        viz.explore.storages,
        viz.explore.row_and_column,
        lambda **more: viz.explore.draw_curve(forgets=[9.0, 5.0], clears=[9.0, 7.0], **more),
        viz.explore.shelf,
    ],
)
def test_an_explorer_speaks_two_languages_and_no_third(make, forgetful):
    english, chinese = make(), make(lang="zh")
    assert chinese.picture.svg != english.picture.svg and "\u4e00" <= max(chinese.picture.svg + chinese.status.value)
    for told in (english, chinese):
        assert ET.fromstring(told.picture.svg)[1].text == told.picture.alt
        assert told.error is None
    with pytest.raises(ValueError, match="lang must be one of 'en', 'zh'"):
        make(lang="fr")


def test_a_longer_loop_grows_the_graph_and_not_its_leaves(forgetful):
    panel = viz.explore.unrolled()
    grown = {}
    for T in (1, 2, 10, 30):
        panel.sliders["T"].value = T
        assert panel.error is None and f"at T = {T}, the graph" in panel.status.value
        assert "1,153 numbers to learn, as many as at T = 3" in panel.status.value
        grown[T] = panel.grown
    assert [each.nodes for each in grown.values()] == [22, 30, 94, 254]  # 8 a step: 7 and its state
    assert {(each.leaves, each.parameters) for each in grown.values()} == {(6, 1153)}
    assert all(each.arrows == T and each.shared == "cell.weight_hh" for T, each in grown.items())
    assert all(each.chained == (True,) * T and each.to_loss == (T,) for T, each in grown.items())
    ratios = [each.ratio for each in grown.values()]
    assert ratios == sorted(ratios, reverse=True) and ratios[-1] == pytest.approx(2.2e-8, rel=0.05)


def hearing(panel):
    """All words that the panel shows or says."""
    shown = panel.status.value + panel.shown.value
    return readable(shown) + repr(panel) + panel._repr_mimebundle_()[0]["text/plain"]


def test_no_bar_is_shown_before_it_is_predicted_and_a_prediction_holds_for_one_T_and_one_network():
    panel = viz.explore.unrolled(T=(1, 30, 1, 30))
    hidden = "hidden until you predict"
    assert (
        hidden in panel.picture.alt
        and "46,000,000" not in hearing(panel)
        and heights(panel) == pytest.approx([1], rel=0.01)
    )
    panel.measure()  # without having moved the bar
    assert hidden in panel.picture.alt and panel.measure_button.disabled
    panel.sliders["guess"].value = -1.5
    assert (
        hidden in panel.picture.alt and not panel.measure_button.disabled and "Now press Measure" in panel.status.value
    )
    panel.measure_button.click()
    assert hidden not in panel.picture.alt and "h₀ 1/46,000,000, h₁ " in panel.picture.alt
    assert panel.measure_button.disabled and panel.give_up_button.disabled and panel.sliders["guess"].disabled
    assert heights(panel) == pytest.approx(panel.grown.shares, rel=0.01) and panel.ran == 1
    panel.sliders["T"].value = 29
    assert hidden in panel.picture.alt and len(heights(panel)) == 1 and panel.ran == 2 and panel.measure_button.disabled
    panel.sliders["guess"].value = -3.0
    panel.sliders["T"].value = 30  # what was predicted here, and not what was thought of elsewhere
    assert "says 1/30." in panel.picture.alt and hidden not in panel.picture.alt
    assert panel.sliders["guess"].value == -1.5 and panel.ran == 3
    panel.choose("trained")
    assert hidden in panel.picture.alt and panel.measure_button.disabled and "22,000" not in hearing(panel)
    panel.give_up_button.click()
    assert "h₀ 1/22,000, h₁ " in panel.picture.alt and "Your bar" not in panel.picture.alt
    panel.choose("untrained")
    assert "h₀ 1/46,000,000, h₁ " in panel.picture.alt and "says 1/30." in panel.picture.alt


def heights(panel):
    """The parts that the bars stand for, read off the picture by powers of ten."""
    panel.powers.value = True
    root, scale = ET.fromstring(panel.picture.svg), accordion.SCALE
    bars = [part for part in root if part.get("fill") == VERMILION and part.tag.endswith("rect")]
    bars.sort(key=lambda part: float(part.get("x")))
    return [10 ** (float(part.get("height")) / scale.unit + scale.faintest) for part in bars]


@pytest.mark.parametrize(
    ("name", "T", "part", "told"),
    [
        (
            "untrained",
            30,
            1 / 30,
            "✗ You said 1/30, and we measured 1/46,000,000. The two are 6.2 powers of ten apart. 1/30 would be right",
        ),
        (
            "untrained",
            30,
            1.0,
            "7.7 powers of ten apart. This would be right if every time step multiplied the gradient",
        ),
        (
            "untrained",
            30,
            1e-3,
            "Your bar means a factor of 0.79 for each time step. The measured average is about 0.56.",
        ),
        ("untrained", 30, 1e-9, "Your bar means a factor of 0.5 for each time step."),
        ("untrained", 30, "1/30", "✗ You said 1/30, and"),
        (
            "untrained",
            30,
            3e-8,
            "✓ You said 1/30,000,000, and we measured 1/46,000,000. The two are less than half a power of ten apart.",
        ),
        ("untrained", 30, 1000, "In this network, the gradient shrinks on its way back."),
        ("recurrent weights × 4", 30, 1e-3, "In this network, the gradient grows on its way back."),
        ("untrained", 10, 1 / 10, "1/10 would be right if the time steps shared the gradient equally."),
        ("untrained", 1, 1.0, "a factor of 1.5 apart. This would be right if every"),
        ("untrained", 1, 0.6, "less than a factor of 1.4 apart."),
        (
            "untrained",
            2,
            "1/2",
            "✗ You said 0.5, and we measured 0.35. The two are a factor of 1.4 apart. 1/2 would be right if",
        ),
        (
            "untrained",
            20,
            1 / 20,
            "✗ You said 1/20, and we measured 1/160,000. The two are 3.9 powers of ten apart. 1/20 would be",
        ),
        ("trained", 2, 1, "✗ You said 1, and we measured 1.6. The two are a factor of 1.6 apart."),
        ("untrained", 4, 0.32, "You said 1/3, and we measured 1/14."),
        (
            "recurrent weights × 4",
            30,
            1000,
            "Your bar means a factor of 1.26 for each time step. The measured average is about 1.33.",
        ),
        ("recurrent weights × 4", 30, (4 * 0.56) ** 30, "✗ You said 30,000,000,000, and we measured 5,300"),
        ("recurrent weights × 4", 30, (4 * 0.56) ** 30, "This would be about right if each time step"),
        (
            "recurrent weights × 4",
            30,
            4**30,
            "✗ You said 1e+18, and we measured 5,300. The two are 14 powers of ten apart. (Your number",
        ),
    ],
)
def test_a_guess_is_told_how_far_off_it_is_and_which_belief_gives_it(name, T, part, told):
    panel = viz.explore.unrolled(T=(1, 30, 1, T))
    panel.choose(name)
    assert told in panel.guess(part) and told in panel.status.value.replace("</b>", "")
    first = panel.guess(part)
    assert panel.guess(1e5) == first  # one prediction, and then it is known


def test_who_says_of_one_network_what_another_has_is_told_so():
    panel = viz.explore.unrolled(T=(1, 30, 1, 30))
    assert panel.guess(2e-8).startswith("✓")
    panel.choose("recurrent weights × 4")
    assert "This is about right for “untrained” at this T." in panel.guess(2e-8)
    panel.sliders["T"].value = 29  # here nobody has said or seen what untrained has
    assert "untrained" not in panel.guess(2e-8)


def test_at_every_T_the_sentences_hold():
    panel = viz.explore.unrolled()
    for name in panel.functions:
        panel.choose(name)
        for T in range(1, 31):
            panel.sliders["T"].value = T
            said = panel.guess(1.0)
            ratio = panel.grown.ratio
            off = abs(np.log10(ratio))
            right = off <= np.log10(1.4)
            assert said.startswith("✓ You said 1, " if right else "✗ You said 1, "), (name, T)
            assert panel.grown.arrows == T and panel.grown.others and not panel.grown.beside
            assert any(accordion_factor(ratio, T, digits) in said for digits in (2, 3)) or T == 1
            assert ("time step multiplies" in said or "each time step" in said) == (T > 1)
            assert len(heights(panel)) == T + 1
    assert panel.error is None


@pytest.mark.parametrize(("lang", "yours", "apart"), [("en", "you:", "closer together"), ("zh", "你：", "靠得更近")])
def test_a_bar_that_nobody_moved_is_nobodys_word_and_a_squeezed_stretch_is_marked(lang, yours, apart):
    panel = viz.explore.unrolled(T=(1, 30, 1, 30), lang=lang)
    assert yours not in readable(panel.picture.svg) and apart in readable(panel.picture.svg)
    panel.sliders["guess"].value = -2.0
    assert f"{yours} 1/100" in readable(panel.picture.svg)
    panel.choose(list(panel.functions)[1])  # there the bar stands where it stood, and nothing was said
    assert yours not in readable(panel.picture.svg) and panel.sliders["guess"].value == -2.0
    panel.fold.value = False
    assert apart not in readable(panel.picture.svg)


def accordion_factor(ratio, T, digits):
    return f"{float(f'{ratio ** (1 / T):.{digits}g}'):g}"


def test_what_is_folded_may_be_unfolded_and_what_stays_keeps_its_place():
    panel = viz.explore.unrolled(T=(1, 30, 1, 8))
    boxes = row(panel)
    assert list(boxes) == ["h₀", "h₁", "h₂", "h₃", "h₄", "h₅", "h₆", "h₇", "h₈", "L"] and panel.fold.disabled
    width = panel.picture.size
    panel.sliders["T"].value = 30
    folded = row(panel)
    assert list(folded) == ["h₀", "h₁", "h₂", "25 time steps", "h₂₈", "h₂₉", "h₃₀", "L"] and not panel.fold.disabled
    assert [folded[each] for each in ("h₀", "h₁", "h₂", "L")] == [boxes[each] for each in ("h₀", "h₁", "h₂", "L")]
    assert panel.picture.size == width
    panel.fold.value = False
    assert len(row(panel)) == 32 and panel.ran == 2  # nothing was run for that


def row(panel):
    """What stands in the row of states, and where."""
    texts = [part for part in ET.fromstring(panel.picture.svg) if part.tag.endswith("text")]
    low, high = accordion.ROW
    return {part.text: float(part.get("x")) for part in texts if low < float(part.get("y")) < high}


def test_a_readers_own_loops_are_unrolled_with_their_own_names():
    u = torch.tensor([[0.9]], requires_grad=True)

    def powers(T):
        states = [torch.ones(1, 1, requires_grad=True)]
        for _ in range(T):
            states.append(u * states[-1])
        return states[-1].sum(), states

    def every(T):
        loss, states = powers(T)
        return sum(states[1:]).sum(), states

    panel = viz.explore.unrolled(powers, (1, 5, 1, 3))
    assert "gradients from 3 of them into one leaf, u." in panel.picture.alt and panel.grown.parameters == 1
    assert panel.guess(0.73).startswith("✓") and panel.grown.ratio == pytest.approx(0.9**3)
    assert u.grad is None and panel.grown.to_loss == (3,)
    both = viz.explore.unrolled({"last": powers, "all": every}, (1, 5, 1, 3))
    both.choose("all")
    assert both.grown.to_loss == (1, 2, 3) and both.grown.norms == pytest.approx((0.9 + 0.81 + 0.729, 2.71, 1.9, 1))
    with pytest.raises(ValueError, match="choose one of 'last', 'all', but got 'None'"):
        both.choose("None")


def test_where_nothing_comes_back_or_no_number_it_is_said():
    def times(factor):
        def run(T):
            states = [torch.ones(1, requires_grad=True)]
            for _ in range(T):
                states.append(states[-1] * factor)
            return states[-1].sum() * (factor != 1), states

        return run

    panel = viz.explore.unrolled({"none": times(0.0), "one": times(1), "huge": times(1e30)}, (1, 5, 1, 3))
    told = {}
    for name in panel.functions:
        panel.choose(name)
        told[name] = panel.guess(1.0)
        assert panel.error is None
    assert told["none"].startswith("The gradient at h₀ is 0.") and told["huge"].startswith(
        "The gradient at h₀ is too large"
    )
    assert told["one"].startswith("The gradient at h₃ is 0 or not a number")
    small = viz.explore.unrolled(times(1e-5), (1, 5, 1, 5))
    assert small.guess(1e-10).startswith("✓")  # the end of the scale, and it is farther still


def broken(what):
    def run(T):
        states = [torch.ones(1, 1, requires_grad=what != "asleep")]
        w = torch.ones(1, 1, requires_grad=True)
        for _ in range(T):
            states.append((states[-1].detach() if what == "cut" else states[-1]) @ w)
        if what == "cut":
            states[1] = states[1].detach()
        loss = {"wide": states[-1] * torch.ones(2), "silent": states[-1].detach()}.get(what, states[-1]).sum(0)
        if what == "alone":
            return loss
        return loss, states[1:] if what == "few" else states

    return run


@pytest.mark.parametrize(
    ("what", "error", "told"),
    [
        ("alone", TypeError, "gives two things: .loss, .h_0, h_1"),
        ("few", ValueError, "for T = 3 there are 4 states, h_0 … h_3, all tensors; but got 3"),
        ("wide", ValueError, "the loss must be one number, but it has shape .2,."),
        ("silent", ValueError, "the loss has no graph"),
        ("asleep", ValueError, "h_0 is not asked for its gradient: make it with requires_grad=True"),
        ("cut", ValueError, "h_1 has no history"),
    ],
)
def test_a_function_that_gives_something_else_gets_a_sentence(what, error, told):
    with pytest.raises(error, match=told):
        viz.explore.unrolled(broken(what))


def test_other_wrong_input_gets_a_sentence_as_well():
    for wrong in (3, {}, {"a": 3}):
        with pytest.raises(TypeError, match="takes a function of T, or several"):
            viz.explore.unrolled(wrong)
    for T in ((0, 3, 1, 1), (1, 3, 1, 4), (1, 3), (1, 3, 0.5, 1)):
        with pytest.raises(ValueError, match="T is .smallest, largest, step, first value."):
            viz.explore.unrolled(T=T)
    for part in (0, -1.0, float("nan"), float("inf"), "-1/2"):
        with pytest.raises(ValueError, match="a part is a number above 0"):
            viz.explore.unrolled().guess(part)
    for part in (None, "much", "1/0", [1]):
        with pytest.raises(TypeError, match='a part is a number above 0, as 0.03 or "1/30"'):
            viz.explore.unrolled().guess(part)


def test_bars_are_in_proportion_until_the_reader_asks_for_powers_of_ten():
    panel = viz.explore.unrolled(T=(1, 30, 1, 30))
    panel.give_up()
    top, bottom = accordion.BARS[0] + 40, accordion.BARS[1]

    def bars():
        found = [part for part in ET.fromstring(panel.picture.svg) if part.get("fill") == VERMILION]
        found = [part for part in found if part.tag.endswith("rect")]
        return [float(part.get("height")) for part in sorted(found, key=lambda part: float(part.get("x")))]

    for name in panel.functions:  # one vanishes, one explodes
        panel.choose(name)
        panel.give_up()
        most = max(panel.grown.shares)
        assert bars() == pytest.approx([share / most * (bottom - top) for share in panel.grown.shares], abs=0.1), name
        assert bars()[0] < 1 or bars()[-1] < 1
    bar = panel.sliders["guess"]
    places = round((bar.max - bar.min) / bar.step) + 1

    def label(power):
        return bar.labels[round((power - bar.min) / bar.step)]

    assert len(bar.labels) == places and [label(-10), label(-1.5), label(0), label(3.75), label(12)] == [
        "1/10,000,000,000", "1/30", "1", "6,000", "1,000,000,000,000",
    ]  # as the linear picture says it  # fmt: skip
    panel.powers.value = True
    assert bar.labels == [] and bar.before == "10^"
    assert min(bars()) > 1 and "powers of ten" in readable(panel.picture.svg)
    assert panel.ran == 3  # the scale is no reason to run the loop again


def test_the_networks_that_unrolled_makes_leave_the_readers_random_numbers_alone():
    torch.manual_seed(3)
    expected = torch.rand(2).tolist()
    torch.manual_seed(3)
    panel = viz.explore.unrolled()
    panel.choose("trained")
    panel.guess(1e-3)
    assert torch.rand(2).tolist() == expected


def test_what_a_graph_holds_is_what_python_measures():
    w = torch.ones(50_000, requires_grad=True)

    def program(T):
        h = torch.ones(50_000)
        for _ in range(T):
            h = (h * w).tanh()  # saves h, w and tanh's result, which is the next h
            yield h

    tracemalloc.start()
    try:
        (end,) = deque(program(10), maxlen=1)
        measured = tracemalloc.get_traced_memory()[0]
        assert bytes_held(end) == pytest.approx(measured, rel=0.02)
        end.sum().backward()
        left = tracemalloc.get_traced_memory()[0] - w.grad.nbytes
        assert bytes_held(end) == 4 * 50_000 == pytest.approx(left, abs=100_000)  # nodes are small, but not nothing
    finally:
        tracemalloc.stop()
    w.grad = None
    held = viz.explore.memory(program, (1, 10, 1, 4)).held
    assert held.graph == [4 * 50_000 * (T + 1) for T in (1, 2, 3, 4)] and held.no_grad == [4 * 50_000] * 4
    assert held.after == 4 * 50_000 and w.grad is None


def test_memory_grows_with_the_slider_and_says_so():
    panel = viz.explore.memory(T=(1, 60, 1, 5))
    few = panel.held.graph[-1]
    panel.sliders["T"].value = 20
    assert panel.held.graph[-1] > 3 * few and "After 20 steps, the result keeps 5.5 kB alive" in panel.picture.alt
    assert isinstance(viz.explore.memory(lambda T: iter(())).error, ValueError)


def lamp(way, panel=None):
    """The lamp and the tags, after a right prediction."""
    panel = panel or viz.explore.shelf()
    panel.choose(way)
    panel.sliders["line"].value = 5
    assert panel.outcome == "" and "What will backward do?" in panel.picture.alt and "w.grad =" not in panel.picture.svg
    panel.guess(panel.question._right())
    return panel.outcome, [[(tag.name, tag.version) for tag in store.tags] for store in panel.stores]


def test_a_change_in_place_is_seen_by_backward_if_the_odometer_is_shared(forgetful):
    assert lamp("detach") == ("error", [[("w", 1), ("t", 1)]])
    assert lamp("view") == ("error", [[("w", 1), ("t", 1)]])
    assert lamp("data") == ("wrong", [[("w", 0), ("t", 1)]])
    assert lamp("clone") == ("right", [[("w", 0)], [("t", 1)]])
    assert lamp("numpy") == ("wrong", [[("w", 0), ("t", None)]])


@pytest.mark.torch
@pytest.mark.parametrize("name", list(WAYS))
def test_the_shelf_says_what_pytorch_does(name):
    import torch

    way = WAYS[name]
    w = torch.tensor([3.0], requires_grad=True)
    y = w * w
    t = way.make(w)
    with torch.no_grad():
        way.change(t)
    try:
        y.backward()
        became = "right" if w.grad.item() == 6 else "wrong"
    except RuntimeError:
        became = "error"
    assert run(way, LAST, "").lamp == became


def wheels(panel):
    """The digits of all odometers."""
    return "".join(part.text or "" for part in ET.fromstring(panel.halves[1].svg) if part.get("fill") == "#FFFFFF")


def test_the_shelf_runs_line_by_line_and_back(forgetful):
    panel, seen = viz.explore.shelf(), []
    panel.choose("data")
    for _ in range(5):
        seen.append(
            (panel.sliders["line"].value, wheels(panel), "noted" in panel.picture.alt, bool(panel.asked.children))
        )
        panel.next.click()
    assert seen == [
        (1, "000", False, False),
        (2, "000", True, False),
        (3, "000000", True, False),
        (4, "000001", True, False),
        (5, "000001", True, True),
    ]
    assert panel.sliders["line"].value == 1 and panel.next.description == "Next line"
    panel.sliders["line"].value = 4
    assert "The program has just run: with torch.no_grad(): t.add_(1)." in panel.picture.alt
    assert "A, 4: w (leaf, version 0), t (no history, version 1)" in panel.picture.alt


@pytest.mark.parametrize("name", list(WAYS))
def test_no_wrong_prediction_lights_the_lamp(forgetful, name):
    """What the hint still asks, the picture must not show."""
    panel = viz.explore.shelf()
    panel.choose(name)
    right = panel.lamps[run(WAYS[name], LAST, "").lamp]
    for lamp in set(panel.lamps.values()) - {right}:
        said = panel.guess(lamp)
        assert said.startswith("✗") and len(said) > 40, lamp  # with a reply of its own
        assert (panel.outcome, panel.result) == ("", "") and "w.grad =" not in panel.picture.svg + panel.picture.alt
    panel.show()
    assert panel.lamps[panel.outcome] == right


def test_each_way_to_change_memory_has_a_question_of_its_own(forgetful):
    panel = viz.explore.shelf()
    assert lamp("data", panel)[0] == "wrong" and lamp("clone", panel)[0] == "right"
    panel.choose("view")
    assert wheels(panel) == "001" and panel.outcome == ""  # a view shares it, and its lamp is still hidden
    panel.choose("data")
    assert wheels(panel) == "000001" and "× noted 000" in readable(panel.picture.svg)  # an odometer each
    assert "a silently wrong gradient: w.grad = 8, should be 6" in panel.picture.alt
    assert isinstance(viz.explore.storages(), type(panel))


def test_what_counts_apart_has_an_odometer_of_its_own_before_anything_is_changed():
    w = torch.ones(3, requires_grad=True)
    view, cut, data = w.view(3), w.detach(), w.data
    panel = viz.explore.storages(w, data, cut, view)
    assert [(tag.name, tag.odometer) for tag in panel.stores[0].tags] == [
        ("w", 0),
        ("cut", 0),
        ("view", 0),
        ("data", 1),
    ]


def test_a_small_matrix_shows_its_numbers_and_only_what_was_cut_off_is_orange():
    z = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    t = z.narrow(1, 1, 2)
    panel = viz.explore.storages(z, t)
    t[0, 0] = 9
    panel.look()
    assert panel.stores[0].holds == "[0, 9, 2, 3, 4, 5]" and ORANGE not in panel.picture.svg
    w = torch.ones(3, requires_grad=True)
    assert ORANGE in viz.explore.storages(w, w.detach()).picture.svg
    assert "shape (4, 4)" in viz.explore.storages(torch.ones(4, 4)).picture.alt


def in_a_cell_that_is_run_again(monkeypatch, old):
    """Until the end of the test, a cell runs that showed `old` before."""
    monkeypatch.setattr(alive, "_running", [("a cell", [old])])


def test_a_shelf_whose_cell_is_run_again_goes_on_where_it_was(forgetful, monkeypatch):
    old = viz.explore.shelf()
    old.choose("view")
    old.sliders["line"].value = 3
    in_a_cell_that_is_run_again(monkeypatch, old)
    panel = viz.explore.shelf()
    assert (panel.way, panel.switch.value, panel.sliders["line"].value) == ("view", "view", 3)


def test_a_kink_whose_cell_is_run_again_goes_on_where_it_was(monkeypatch):
    old = viz.explore.kink()
    old.choose("clamp")
    old.sliders["needle"].value = 0.25
    old.release()
    old.check()
    in_a_cell_that_is_run_again(monkeypatch, old)
    panel = viz.explore.kink()
    assert panel.picture.alt == old.picture.alt and "gradcheck: FAILS" in panel.picture.alt
    assert "claims: ?" in viz.explore.kink(h=1.0).picture.alt  # the cell was changed: it begins elsewhere
    assert "claims: ?" in viz.explore.kink(Sloppy).picture.alt
    assert "claims: ?" in viz.explore.kink({"relu": torch.relu}).picture.alt


def test_an_expression_stands_at_the_axis_as_it_is():
    labels = readable(viz.explore.kink({"h.clamp(min=0)": lambda h: h.clamp(min=0)}).picture.svg)
    assert "h.clamp(min=0)" in labels and ")(h)" not in labels
    assert "relu(h)" in readable(viz.explore.kink().picture.svg)


@pytest.mark.parametrize("place", [-1.0, 0.0, 1.0])
def test_where_a_function_has_no_value_no_needle_is_drawn(place):
    panel = viz.explore.kink(torch.log, h=place)
    assert panel.error is None and not re.search(
        r"\b(nan|inf)\b", re.sub(r"<(title|desc)>.*?</", "", panel.picture.svg)
    )


class Elsewhere:
    """A tensor as PyTorch has it, which tells its version and not its counter."""

    def __init__(self, version):
        self._version = version


def test_where_a_counter_cannot_be_asked_for_who_was_seen_apart_stays_apart():
    apart = set()
    w, view, data = Elsewhere(0), Elsewhere(0), Elsewhere(0)
    tensors = {"w": w, "view": view, "data": data}
    assert sharing(tensors, apart) == [["w", "view", "data"]]
    data._version = 1
    assert sharing(tensors, apart) == [["w", "view"], ["data"]]
    w._version = view._version = 1  # the same number again, and yet two odometers
    assert sharing(tensors, apart) == [["w", "view"], ["data"]]


def test_the_readers_tensors_hang_on_the_memory_that_they_share():
    w = torch.ones(3, requires_grad=True)
    part, cut, data, copy = w[:2], w.detach(), w.data, w.clone()
    panel = viz.explore.storages(w, part, cut, data, copy)
    kinds = [[(tag.name, tag.kind) for tag in store.tags] for store in panel.stores]
    history = "no history"
    assert kinds == [[("w", "leaf"), ("part", "view"), ("cut", history), ("data", history)], [("copy", "result")]]
    data.mul_(2)
    panel.look()
    versions = {tag.name: tag.version for tag in panel.stores[0].tags}
    assert versions == {"w": 0, "part": 0, "cut": 0, "data": 1} and panel.stores[0].holds == "[2, 2, 2]"
    cut.mul_(2)
    panel.look()
    assert {tag.name: tag.version for tag in panel.stores[0].tags} == {"w": 1, "part": 1, "cut": 1, "data": 1}
    with pytest.raises(TypeError, match="got list"):
        viz.explore.storages([w])


def test_the_tags_keep_their_places_when_somebody_looks_again():
    w = torch.ones(2, requires_grad=True)
    view, cut, data = w.view(2, 1), w.detach(), w.data
    panel = viz.explore.storages(w, view, cut, data)
    places = [tag.name for tag in panel.stores[0].tags]
    cut.add_(1)  # w's version moves, and that of `.data` does not
    panel.look()
    assert [tag.name for tag in panel.stores[0].tags] == places == ["w", "view", "cut", "data"]


def test_a_name_that_is_markup_stays_text():
    picture = viz.explore.storages(torch.ones(2), names={}).picture
    assert "#1" in picture.alt
    w = torch.ones(2)
    panel = viz.explore.storages(w, names={"<script>": w})
    assert "<script>" in panel.picture.alt and "<script" not in panel.shown.value + panel.picture.svg


@pytest.mark.parametrize("package", [viz, viz.explore], ids=["viz", "viz.explore"])
def test_whoever_reads_the_packages_docstring_has_read_of_every_public_name(package):
    public = {name for name in dir(package) if name[0] != "_" and callable(getattr(package, name))}
    told = set(re.findall(rf"{package.__name__}\.(\w+)\(", package.__doc__))
    assert public - {"Picture"} == told


@pytest.mark.parametrize("guess", [0.1, 0.16, 0.5, 1.0, 2.0, 1e-6])
def test_what_was_said_and_what_was_measured_are_both_to_be_read(guess):
    sizes = [(accordion.SCALE.y(power), 0.0, "…") for power in (math.log10(guess), -0.8)]
    labels = accordion.labelled(sizes, accordion.SCALE.y(0))
    heights = sorted(float(re.search(r" y=\"([\d.]+)", each)[1]) for each in labels)
    assert heights[1] - heights[0] >= 15


def test_a_long_name_leaves_room_for_the_numbers_beside_it():
    long = "torch.maximum(h, zeros)"
    panel = viz.explore.kink({"relu": lambda h: h.relu(), long: lambda h: h.relu()})
    written = re.findall(r"<text[^>]*>([^<]*)", panel.halves[1].svg)
    assert long not in written and "…" + long[-17:] in written


@pytest.mark.parametrize(("h", "needle", "others"), [(0.0, 0.5, True), (0.0, 0.0, True), (1.0, 1.0, False)])
def test_a_needle_that_fits_at_a_kink_is_told_that_others_fit_too(h, needle, others):
    panel = viz.explore.kink(h=h)
    panel.sliders["needle"].value = needle
    assert "Your needle fits" in panel.status.value and ("other slopes fit here, too" in panel.status.value) is others
