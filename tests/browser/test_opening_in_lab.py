"""A picture whose boxes open, in a real JupyterLab: views that come later, search, and where a broken one starts."""

import re
from pathlib import Path

import pytest
from labdriver import expect

pytestmark = pytest.mark.browser

DEEP = """
import minigrad as torch, viz
nn = torch.nn
class Block(nn.Module):
    def __init__(self, odd):
        super().__init__()
        act = nn.ReLU() if odd else nn.Tanh()
        self.norm, self.inner = nn.LayerNorm(4), nn.Sequential(nn.Linear(4, 8), act, nn.Linear(8, 4))
    def forward(self, x):
        return x + self.inner(self.norm(x))
net = nn.Sequential(*[nn.Sequential(Block(i % 2), Block(i % 3), Block(1)) for i in range(6)], nn.Linear(4, 2))
viz.draw(net, torch.ones(2, 4))
"""
BUSY = """
import time
time.sleep(4)
"""
BROKEN = """
wrong = nn.Sequential(*[nn.Sequential(Block(i % 2), Block(i % 3)) for i in range(6)], nn.Linear(5, 2))
viz.draw(wrong, torch.ones(2, 4))
"""


def box(notebook, name):
    return notebook.output(0).locator(f'.viz-door[data-name="{name}"]')


def test_a_box_opens_when_its_view_arrives_and_later_without_a_kernel(open_notebook, snap, lab, tmp_path):
    notebook = open_notebook(DEEP, BUSY)
    notebook.run_all()
    said = notebook.output(0).locator(".viz-view-said")
    box(notebook, "4: Sequential").click()  # what is inside comes later
    expect(box(notebook, "4.0: Block")).to_be_visible()
    box(notebook, "4.0: Block").click()
    expect(said).to_have_text("4.0: Block is open")
    snap(notebook.output(0), "open")
    notebook.save()
    assert not notebook.errors() and not notebook.outside
    stored = max(Path(lab.folder).glob("*.ipynb"), key=lambda path: path.stat().st_mtime)
    again = open_notebook(stored, trusted=True)
    box(again, "4: Sequential").click()
    expect(box(again, "4.0: Block")).to_be_visible()
    assert not again.errors()


def test_search_finds_what_is_inside_closed_boxes(open_notebook, snap):
    notebook = open_notebook(DEEP)
    notebook.run_all()
    field, said = notebook.output(0).locator(".viz-view-field"), notebook.output(0).locator(".viz-view-said")
    notebook.output(0).locator(".viz-view-pane").focus()
    notebook.page.keyboard.press("/")
    expect(field).to_be_focused()
    notebook.page.keyboard.type("0.2.inner.1")
    expect(said).to_have_text(re.compile(r"1 found, 1 of them in closed boxes"))
    expect(notebook.output(0).locator(".viz-hit-inside")).to_have_count(1)
    snap(notebook.output(0), "inside")
    notebook.page.keyboard.press("Enter")
    expect(notebook.output(0).locator(".viz-hit-now:not(.viz-hit-inside)")).to_be_visible()  # when all views are there
    expect(said).to_have_text(re.compile(r"1 of 1: 0\.2\.inner\.1"))
    notebook.page.wait_for_timeout(500)
    snap(notebook.output(0), "found")
    notebook.page.keyboard.press("Escape")
    expect(notebook.output(0).locator(".viz-hit")).to_have_count(0)
    assert not notebook.errors()


@pytest.mark.parametrize("width", [1280, 800])
def test_a_broken_forward_starts_at_its_refusal(open_notebook, snap, width):
    notebook = open_notebook(DEEP, BROKEN, width=width)
    if width == 800:
        notebook.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    notebook.run_all()
    pane = notebook.output(1).locator(".viz-view-pane")
    refused = pane.locator(".mg-refused")
    expect(refused).to_be_visible()
    snap(pane, f"refused-{width}")
    inside, size = refused.evaluate(
        """box => {
          const [b, p] = [box, box.closest(".viz-view-pane")].map(each => each.getBoundingClientRect());
          const letters = [...box.querySelectorAll("text")].map(each => parseFloat(getComputedStyle(each).fontSize));
          const svg = box.closest("svg"), zoom = svg.clientWidth / svg.viewBox.baseVal.width;
          const whole = b.right <= p.right || zoom < 0.6;
          const inside = b.top >= p.top && b.bottom <= p.bottom && b.left >= p.left && whole;
          return [inside, Math.min(...letters) * zoom];
        }"""
    )
    assert inside and size >= 11
