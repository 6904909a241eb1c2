"""The explorers driven from code: what their sliders and buttons do, what they find out, what they hide until then."""

import threading
import xml.etree.ElementTree as ET

from viz.drawing.svg import element
from viz.explore.panel import Panel, Sketch, slider


class Counting(Panel):
    """A panel that draws its slider's value, slowly if it is told to wait."""

    def __init__(self):
        super().__init__({"n": (0, 100, 1, 1)})
        self.began, self.may_go_on = threading.Event(), threading.Event()
        self.may_go_on.set()
        self.drawn = []

    def draw(self, n):
        self.began.set()
        assert self.may_go_on.wait(10)
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
    assert panel.began.wait(10)
    for n in (2, 3, 4):  # while the first picture is being drawn
        panel.sliders["n"].value = n
    panel.may_go_on.set()
    first.join(10)
    assert panel.drawn == [1, 4] and panel.picture.alt == "n is 4" and panel.runs == 2


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
