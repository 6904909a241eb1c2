"""The error clinic in a real JupyterLab: under the traceback, with its picture, in both themes."""

import nbformat
import pytest
from labdriver import expect

pytestmark = pytest.mark.browser

CHANGED = """w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 2
z = y * y
y += 1
z.sum().backward()"""


def test_it_stands_under_the_traceback_and_the_run_stops_there(open_notebook, lab, snap):
    notebook = open_notebook("import minigrad as torch, viz\nviz.clinic();", CHANGED, "print('not reached')")
    notebook.run_all()
    output, page = notebook.output(1), notebook.page
    note = output.get_by_role("note")
    expect(note).to_be_visible()
    expect(note).to_contain_text("saved it here")
    expect(note).to_contain_text("this cell, line 4")
    expect(note.locator("img")).to_be_visible()
    assert note.locator("img").evaluate("img => img.naturalWidth") > 400
    assert len(notebook.errors()) == 1 and notebook.errors()[0].startswith("RuntimeError: one of the variables needed")
    traceback = output.locator("pre").first
    expect(traceback).to_contain_text("RuntimeError")
    assert traceback.bounding_box()["y"] < note.bounding_box()["y"]
    assert "minigrad/" not in traceback.inner_text() and "_run" not in traceback.inner_text()
    expect(notebook.output(2)).not_to_contain_text("not reached")
    for dark in (False, True):
        notebook.theme(dark)
        note.scroll_into_view_if_needed()
        snap(page, "dark" if dark else "light")
    assert notebook.outside == []
    notebook.save()
    stored = nbformat.read(next(lab.folder.glob("test_it_stands_under*.ipynb")), 4).cells[1].outputs
    assert [output.output_type for output in stored] == ["error", "display_data"]


def test_a_narrow_window_and_a_freed_graph(open_notebook, snap):
    again = "y = w * w\nloss = y.sum()\nloss.backward()\nloss.backward()"
    cells = "import minigrad as torch, viz\nviz.clinic(lang='zh')\nw = torch.ones(2, requires_grad=True);", again
    notebook = open_notebook(*cells, width=800, height=700)
    notebook.run_all()
    note = notebook.output(1).get_by_role("note")
    expect(note).to_contain_text("多半在这里释放")
    expect(note.locator("img")).to_be_visible()
    assert note.bounding_box()["width"] < 800
    note.scroll_into_view_if_needed()
    snap(notebook.page, "narrow")


def test_the_words_of_an_error_stay_whole(open_notebook, snap):
    error = "raise RuntimeError('these words are together longer than one line of the window, ' * 5 + 'x' * 300)"
    trainer = f"def train():\n    yield dict(loss=1.0)\n    {error}\npanel = viz.trainer(train)\npanel"
    notebook = open_notebook("import viz\nviz.before(9)", trainer, error)
    notebook.run_all()
    notebook.output(1).get_by_role("button", name="Start").click()
    expect(notebook.output(1)).to_contain_text("Stopped by an error")
    for output, name in ((notebook.output(1), "panel"), (notebook.output(2), "traceback")):
        lines = output.locator("pre").first
        expect(lines).to_contain_text("together longer")
        assert lines.evaluate("pre => getComputedStyle(pre).wordBreak") == "normal"
        assert lines.bounding_box()["width"] <= output.bounding_box()["width"]
        lines.scroll_into_view_if_needed()
        snap(notebook.page, name)
