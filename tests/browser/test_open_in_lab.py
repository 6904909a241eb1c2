"""Boxes that open and close by click and by key, in JupyterLab and in a saved page; zoom, and the map."""

import pytest
from labdriver import drag, expect

import minigrad
import viz

pytestmark = pytest.mark.browser

NET = """
import minigrad as torch, viz
nn = torch.nn
block = lambda: nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Sequential(nn.Linear(2, 2), nn.Sigmoid()))
net = nn.Sequential(block(), nn.ReLU(), block())
drawn = viz.draw(net, torch.ones(1, 2), fold=True)
"""


@pytest.fixture
def open_page(browser, tmp_path):
    """open_page(picture) saves it, and gives the page that a browser shows of it; other addresses are not reached."""
    contexts = []

    def open_page(picture, **options):
        picture.save(tmp_path / "x.html")
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 700}, **options))
        page = contexts[-1].new_page()
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("request", lambda request: page.wrong.append(request.url) if "http" in request.url[:4] else None)
        page.goto((tmp_path / "x.html").as_uri())
        expect(page.locator(".viz-view-pane svg")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()


def net():
    scope = {}
    exec(NET, scope)
    return scope["drawn"]


def door(page, name):
    return page.locator(f'.viz-door[data-name="{name}"]')


def chain(steps):
    y = w = minigrad.ones(1, requires_grad=True)
    for _ in range(steps):
        y = (y * w).tanh()
    return y


def test_boxes_open_and_close_in_a_page_by_click_and_by_key(open_page, snap):
    page = open_page(net())
    first = door(page, "0: Sequential")
    expect(first).to_have_attribute("aria-expanded", "false")
    first.click()
    expect(first).to_have_attribute("aria-expanded", "true")
    expect(first).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("0: Sequential is open")
    snap(page, "opened")
    door(page, "2: Sequential").click()  # two at once
    expect(page.locator('.viz-door[aria-expanded="true"]')).to_have_count(2)
    page.keyboard.press(" ")
    expect(door(page, "2: Sequential")).to_have_attribute("aria-expanded", "false")
    door(page, "0.2: Sequential").focus()
    page.keyboard.press("Enter")
    expect(door(page, "0.2: Sequential")).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="0: Sequential: close").click()  # and what is inside with it
    expect(page.locator('.viz-door[aria-expanded="true"]')).to_have_count(0)
    assert page.wrong == []


def test_what_moves_rests_for_who_prefers_that(open_page):
    for wish, moves in (("reduce", False), ("no-preference", True)):
        page = open_page(net(), reduced_motion=wish)
        page.locator(".viz-door").first.press("Enter")
        assert page.evaluate("document.getAnimations().length > 0") == moves


def test_a_large_picture_has_a_map_and_zooms(open_page, snap):
    page = open_page(viz.draw(chain(20), fold=False, layout="right"), color_scheme="dark")
    pane, map_ = page.locator(".viz-view-pane"), page.locator(".viz-view-map")
    expect(map_).to_be_visible()
    snap(page, "map")
    wide = pane.evaluate("pane => pane.scrollWidth")
    pane.focus()
    page.keyboard.press("+")
    assert pane.evaluate("pane => pane.scrollWidth") == pytest.approx(1.25 * wide, rel=0.02)
    page.keyboard.press("0")
    assert pane.evaluate("pane => pane.scrollWidth") == pytest.approx(wide, rel=0.02)
    map_.click(position={"x": 150, "y": 20})
    assert pane.evaluate("pane => pane.scrollLeft") > 0
    before = pane.evaluate("pane => pane.scrollLeft")
    drag(pane, 100)
    assert pane.evaluate("pane => pane.scrollLeft") == pytest.approx(before - 100, abs=8)
    for _ in range(9):
        page.keyboard.press("-")
    expect(map_).to_be_hidden()  # all of it is seen
    pane.hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -600)
    page.keyboard.up("Control")
    expect(map_).to_be_visible()
    assert page.wrong == []


def test_a_drag_opens_nothing(open_page):
    page = open_page(net())
    drag(door(page, "0: Sequential"), 60)
    expect(page.locator('.viz-door[aria-expanded="true"]')).to_have_count(0)


def test_boxes_open_in_a_notebook(open_notebook, snap):
    notebook = open_notebook(NET + "drawn")
    notebook.run_all()
    output = notebook.output(0)
    expect(output.locator("img")).to_have_count(0)
    box = door(output, "0: Sequential")
    box.click()
    expect(box).to_have_attribute("aria-expanded", "true")
    for dark in (False, True):
        notebook.theme(dark)
        snap(output, "dark" if dark else "light")
    cells = notebook.page.locator(".jp-Cell").count()
    box.press("b")  # in the notebook's command mode it would make a cell
    notebook.page.keyboard.press("+")
    assert notebook.page.locator(".jp-Cell").count() == cells
    assert notebook.errors() == [] and notebook.outside == []
