"""Pictures as files: plain colours, any size, three kinds; and what would take too long says so at once."""

import os
import re
import time
import xml.etree.ElementTree as ElementTree

import pytest
from goldens.record_draw import GRAPHS, product
from PIL import Image

import minigrad as torch
import viz
from viz.drawing import limits
from viz.drawing.engine import PINNED
from viz.drawing.layout import Geometry
from viz.drawing.limits import seconds
from viz.drawing.pdf import walked


def picture(program=product, **options):
    tensor, names = program(torch)
    return viz.draw(tensor, names=names, **options)


def chain(length):
    y = w = torch.tensor([1.0], requires_grad=True)
    for _ in range(length):
        y = (y * w).tanh()
    return y


@pytest.mark.parametrize(("program", "options"), GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_saved_svg_is_right_where_nobody_knows_styles(tmp_path, program, options, lang):
    """In Inkscape, Word and cairosvg `fill: var(…)` is black."""
    picture(program, lang=lang, **options).save(tmp_path / "x.svg")
    svg = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "var(" not in svg and "<style" not in svg and "@media" not in svg
    for element in ElementTree.fromstring(svg).iter():
        if element.tag.rpartition("}")[2] in ("rect", "path", "text"):
            assert re.fullmatch("#[0-9A-F]{6}|none", element.get("fill")), element.attrib
            assert re.fullmatch("#[0-9A-F]{6}|none", element.get("stroke", "none"))


def test_each_ending_is_a_kind_of_file(tmp_path):
    drawn = picture()
    for name, begins in (("x.svg", b"<svg"), ("x.png", b"\x89PNG"), ("x.PDF", b"%PDF")):
        drawn.save(str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begins)
    for name in ("x.gif", "picture"):
        with pytest.raises(ValueError, match=f"a picture is saved as .svg, .png, .pdf or .html, but got .*{name}"):
            drawn.save(tmp_path / name)


@pytest.mark.parametrize("ending", ["svg", "html"])
def test_lines_end_alike_on_every_system(tmp_path, ending, monkeypatch):
    """Of what is saved, two systems make the same bytes: no text mode turns \\n into \\r\\n."""
    monkeypatch.setattr("pathlib.Path.write_text", None)
    picture().save(tmp_path / f"x.{ending}")
    assert b"\r" not in (tmp_path / f"x.{ending}").read_bytes()


def test_a_pdf_is_lines_and_letters(tmp_path):
    picture().save(tmp_path / "x.pdf")
    pdf = (tmp_path / "x.pdf").read_bytes()
    assert b"/Subtype /Image" not in pdf and pdf.count(b"/BaseFont") >= 2
    width, height = (round(length) for length in picture().geometry.size)
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert (round(float(box[1])), round(float(box[2]))) == (width, height)
    picture().save(tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == pdf


def test_paths_of_every_kind_are_walked():
    assert list(walked("M1 2h3v-4l-1 1z")) == [(1, (1, 2)), (2, (4, 2)), (2, (4, -2)), (2, (3, -1)), (79, (1, 2))]
    assert list(walked("M0 0C1 1 2 2 3 3L4 4 5 5")) == [
        *[(1, (0, 0)), (4, (1, 1)), (4, (2, 2)), (4, (3, 3)), (2, (4, 4)), (2, (5, 5))]
    ]
    assert list(walked("M0 10a5 3 0 0 1 10 0"))[1:] == [(4, (0, 6)), (4, (10, 6)), (4, (10, 10))]  # a lid bows up


@pytest.mark.parametrize(("size", "expected"), [((1920, 1080), (1920, 1080)), (800, None), ((100, 400), (100, 400))])
def test_a_size_for_slides(tmp_path, size, expected):
    drawn = picture()
    own = drawn.geometry.size
    expected = expected or (800, round(800 * own[1] / own[0]))
    for name in ("x.svg", "x.png", "x.pdf"):
        drawn.save(tmp_path / name, size=size)
    image = Image.open(tmp_path / "x.png")
    assert image.size == expected
    assert min(image.convert("RGBA").getpixel((0, 0))) > 250  # paper to its corners
    svg = ElementTree.fromstring((tmp_path / "x.svg").read_text(encoding="utf-8"))
    assert (int(svg.get("width")), int(svg.get("height"))) == expected
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", (tmp_path / "x.pdf").read_bytes())
    assert (round(float(box[1])), round(float(box[2]))) == expected


@pytest.mark.parametrize("size", [0, -5, "large", (3,), (1, 0), (1e9, 1), float("nan")])
def test_a_size_that_is_none(size):
    with pytest.raises(ValueError, match=r"size must be a width, or \(width, height\), in pixels"):
        picture().save("never.png", size=size)


# -- what would take too long --------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_of_10_000_nodes_says_at_once_that_it_cannot_be_laid_out(tmp_path, ending):
    drawn = viz.draw(chain(5000), names={}, fold=False)
    began = time.process_time()
    with pytest.raises(ValueError, match=r"10,002 nodes are too many to lay out: it would take .*fold=True"):
        drawn.save(tmp_path / f"x.{ending}")
    assert time.process_time() - began < 1 and not list(tmp_path.iterdir())


def test_a_stepper_through_10_000_nodes_says_so_at_once():
    y = chain(5000)
    began = time.process_time()
    with pytest.raises(ValueError, match="10,000 operators are too many to step through, where 4,000 can be. viz.draw"):
        viz.step(y)
    assert time.process_time() - began < 1


def test_a_recording_of_10_000_operators_says_so_while_it_runs_and_lets_go(capsys):
    began = time.process_time()
    with viz.record() as tape:
        chain(3000)
    assert time.process_time() - began < 10  # 34 s for 10,000
    assert re.match("viz.record: more than 4,000 operators are too many", capsys.readouterr().err)
    assert "more than 4,000 operators" in repr(tape) and tape.script is None
    with pytest.raises(limits.TooLarge, match="more than 4,000 operators are too many to step through"):
        viz.step(tape)
    with tape:  # used again, it records again
        chain(2)
    assert len(tape.events) > 4


def test_a_recording_takes_as_many_times_longer_as_there_are_operators():
    def seconds_of(steps):
        began = time.process_time()
        with viz.record():
            chain(steps)
        return time.process_time() - began

    seconds_of(10)
    assert seconds_of(1600) < 8 * seconds_of(400)  # it was 15 ×


def test_long_reading_is_announced_and_a_busy_machine_counts(capsys, monkeypatch):
    monkeypatch.setattr(limits, "slowness", lambda: 2.5)
    y = chain(4500)
    viz.draw(y, names={})
    assert re.match("Reading 9,000 operators takes about 2 seconds.", capsys.readouterr().err)
    viz.draw(chain(2000), names={})
    assert capsys.readouterr().err == ""


def test_a_steppers_page_that_cannot_be_laid_out_says_so_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "STOP", 0.2)
    stepper = viz.step(chain(150), fold=False)
    began = time.process_time()
    with pytest.raises(ValueError, match="too many to lay out"):
        stepper.save(tmp_path / "x.html")
    assert time.process_time() - began < 1 and not list(tmp_path.iterdir())


def test_what_takes_long_is_announced(capsys, monkeypatch):
    monkeypatch.setattr(limits, "slowness", lambda: 1.0)
    monkeypatch.setattr(viz.Picture, "_laid", lambda *_: [Geometry((9, 9), {}, ())])
    assert viz.draw(chain(400), names={}, fold=False).geometry.size == (9, 9)
    assert re.match("Laying out 802 nodes takes about . seconds. fold=True", capsys.readouterr().err)
    assert viz.draw(chain(100), names={}, fold=False).geometry.size == (9, 9)
    assert capsys.readouterr().err == ""


def test_an_announced_time_has_the_right_size(monkeypatch):
    """In processor seconds, so that other programs don't count. (`python -m benchmarks.sizes` measures more graphs.)"""
    monkeypatch.setattr(limits, "perf_counter", time.process_time)
    monkeypatch.setenv("MINIGRAD_DOT", PINNED)
    y = chain(150)
    picture = viz.draw(y, names={}, fold=False, layout="right")
    expected = seconds(picture.graph) * limits.slowness()
    before = sum(os.times()[:4])
    assert picture.geometry
    took = sum(os.times()[:4]) - before
    assert expected / 4 < took < 4 * expected  # within a factor of two on our machines; this runs on any


def test_effort_counts_what_a_layout_costs():
    """A chain of operators alone is quick, whatever its length; a weight that all of them use is not."""
    y = w = torch.tensor([1.0], requires_grad=True)
    for _ in range(2000):
        y = y.tanh()
    assert seconds(viz.draw(y, names={}, fold=False).graph) < 2
    y = w
    for _ in range(1000):
        y = (y * w).tanh()
    assert seconds(viz.draw(y, names={}, fold=False).graph) > 5
