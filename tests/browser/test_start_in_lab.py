"""The start page in a real JupyterLab: the map is there before anything runs, its links open lessons, and running it
marks what was done."""

from pathlib import Path

import pytest
from labdriver import PROJECT, expect

pytestmark = pytest.mark.browser

START = PROJECT / "notebooks" / "00_start.ipynb"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_the_map_is_there_and_leads_to_the_lessons(open_notebook, lab, snap, width, dark):
    for lesson in Path(PROJECT, "notebooks").glob("0[17]_*.ipynb"):
        (lab.folder / lesson.name).write_bytes(lesson.read_bytes())
    notebook = open_notebook(START, trusted=True, width=width)
    notebook.theme(dark)
    page, rows = notebook.page, notebook.output(1).locator("tbody tr")
    expect(rows).to_have_count(13)  # nothing was run yet
    snap(page, "stored")
    file = lab.folder / f"progress-{width}-{dark}.json"
    notebook.run(f"import os; os.environ['MINIGRAD_PROGRESS'] = {str(file)!r}")
    notebook.run("import viz; viz.before(7).answer(1, '?'); from viz.lesson import exercises, progress, task")
    notebook.run("exercises.load()")
    notebook.run("[progress.note('exercises', name, right=True) for name, t in task.TASKS.items() if t.lesson == 7]")
    notebook.run_all()
    seventh = rows.nth(6)
    expect(seventh).to_contain_text("✓")
    expect(seventh.locator(".viz-done")).to_have_css("background-color", "rgb(240, 228, 66)")
    seventh.scroll_into_view_if_needed()
    snap(page, "map")
    box = notebook.output(1).locator(".viz-course")
    fits, scrolls = box.evaluate("e => [e.scrollWidth <= e.clientWidth, getComputedStyle(e).overflowX === 'auto']")
    assert scrolls and (fits or width == 800)  # beside the open file browser 380 pixels are left: there it scrolls
    notebook.run("viz.forget()")
    assert not file.exists()
    assert not notebook.errors() and not notebook.outside
    seventh.get_by_role("link").click()
    expect(page.get_by_role("tab", name="07_your_own_relu.ipynb")).to_have_attribute("aria-selected", "true")
