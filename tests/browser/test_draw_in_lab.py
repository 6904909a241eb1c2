"""The picture of a graph in a real JupyterLab: in both themes, wide, not trusted, printed."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from labdriver import expect
from PIL import Image

pytestmark = pytest.mark.browser

DRAW = """
import minigrad as torch, viz
w = torch.tensor([1.0], requires_grad=True)
x = torch.tensor([2.0], requires_grad=True)
y = (w + x) * (w + 1)
viz.draw(y)
"""
BROAD = """
z = w
for _ in range(3):
    z = (z * w).tanh()
viz.draw(z, fold=False)
"""
LONG = """
z = w
for _ in range(20):
    z = (z * w).tanh()
viz.draw(z, fold=False, layout="right")
"""
ROWS = """
z = w
for _ in range(10):
    z = z.exp().sin().cos().tanh()
viz.draw(z, fold=False)
"""
INLINE = """
from ipywidgets import HTML
HTML(viz.draw(y).svg + viz.draw(z, names={"<script>document.title = 'hacked'</script>": w}, fold=False).svg)
"""


def pixels(locator):
    return np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("RGB")).astype(int)


def share(picture, colour):
    """How much of the picture has that colour, roughly."""
    return (np.abs(picture - colour).max(axis=2) < 12).mean()


def test_a_picture_follows_the_theme_and_a_wide_one_scrolls(open_notebook, snap):
    notebook = open_notebook(DRAW, LONG)
    notebook.run_all()
    picture, wide = notebook.output(0).locator("img"), notebook.output(1).locator(".viz-view-pane")
    expect(picture).to_be_visible()
    assert picture.get_attribute("src").startswith("data:image/svg+xml")
    for dark, system, paper in (
        (False, "dark", 255),
        (False, "light", 255),
        (True, "light", 0x11),
        (True, "dark", 0x11),
    ):
        notebook.theme(dark)
        notebook.page.emulate_media(color_scheme=system)  # it is JupyterLab's theme that counts
        expect(picture).to_be_visible()
        snap(picture, "dark" if dark else "light")
        shown = pixels(picture)
        assert share(shown, paper) > 0.4 and share(shown, (0x56, 0xB4, 0xE9)) > 0.1
    own, shown, room = wide.evaluate(
        "pane => [pane.querySelector('svg').viewBox.baseVal.width, pane.scrollWidth, pane.clientWidth]"
    )
    assert own > 1500 and shown > room and shown >= own / 1.71  # it scrolls, and can be read
    assert not notebook.errors() and not notebook.outside


@pytest.mark.parametrize("width", [1280, 800])
def test_a_picture_fits_or_scrolls(open_notebook, snap, width):
    notebook = open_notebook(DRAW, BROAD, LONG, ROWS, width=width)
    notebook.run_all()
    if width == 800:
        notebook.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    for cell in range(4):
        large = cell == 2  # than any page: then it can be moved and zoomed
        image = notebook.output(cell).locator(".viz-view-pane svg" if large else "img")
        expect(image).to_be_visible()
        snap(image, f"{cell}-{width}")
        shown, own = image.evaluate("e => [e.clientWidth, e.naturalWidth ?? e.viewBox.baseVal.width]")
        room = notebook.output(cell).locator(".jp-OutputArea-output").first.evaluate("e => e.clientWidth")
        fits = shown <= room
        assert fits == (cell in (0, 3) or cell == 1 and width == 1280), (cell, shown, own, room)
        assert shown in (own, pytest.approx(room, abs=20), pytest.approx(own / 1.7, abs=1)), (cell, shown, own, room)
        if large:
            expect(image.locator("desc").first).to_have_text(re.compile("w = 1 is a leaf"))
        else:
            expect(image).to_have_attribute("alt", re.compile("w = 1 is a leaf"))


def test_a_notebook_that_is_not_trusted_shows_the_picture_too(open_notebook, lab, snap, tmp_path):
    first = open_notebook(DRAW)
    first.run_all()
    expect(first.output(0).locator("img")).to_be_visible()
    first.save()
    stored = max(Path(lab.folder).glob("*.ipynb"), key=lambda path: path.stat().st_mtime)
    foreign = tmp_path / "foreign.ipynb"
    foreign.write_text(
        stored.read_text(encoding="utf-8").replace("viz.draw(y)", "viz.draw(y)  # by somebody else"), encoding="utf-8"
    )
    second = open_notebook(foreign)
    image = second.output(0).locator("img")
    expect(image).to_be_visible()
    snap(image, "not-trusted")
    assert image.get_attribute("src").startswith("data:image/svg+xml")
    expect(image).to_have_attribute("alt", re.compile("y = MulBackward0 of #1 and #2"))
    assert share(pixels(image), (0x56, 0xB4, 0xE9)) > 0.1


def test_inline_pictures_take_the_pages_colours_and_are_light_in_print(open_notebook, snap):
    notebook = open_notebook(DRAW, LONG, INLINE)
    notebook.run_all()
    notebook.theme(dark=True)
    pictures = notebook.output(2).locator("svg[role=img]")
    expect(pictures).to_have_count(2)
    fills = "svg => [...svg.querySelectorAll('.mg-paper, .mg-ink')].map(e => getComputedStyle(e).fill)"
    for number in (0, 1):
        assert set(pictures.nth(number).evaluate(fills)) == {"rgb(17, 17, 17)", "rgb(255, 255, 255)"}
        snap(pictures.nth(number), f"inline-{number}")
    notebook.page.emulate_media(media="print")
    for number in (0, 1):
        assert set(pictures.nth(number).evaluate(fills)) == {"rgb(255, 255, 255)", "rgb(26, 26, 26)"}
    assert notebook.page.title() != "hacked"
    assert notebook.output(2).locator("svg title", has_text="MulBackward0").count() > 0  # tooltips
