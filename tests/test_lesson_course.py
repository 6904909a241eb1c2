"""The start page: the map shows which lessons there are and what was done, and what is stored of it is nobody's."""

import json
import re
from pathlib import Path

import pytest

import viz
from viz.lesson import progress
from viz.lesson.ask import PROBES
from viz.lesson.course import LESSONS, ROUTES
from viz.lesson.exercises import load
from viz.lesson.task import TASKS

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
load()


@pytest.fixture
def nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))


def shown():
    return viz.course().html(NOTEBOOKS).partition("</style>")[2]


def row(html, lesson):
    return re.findall(r"<tr>.*?</tr>", html)[lesson]  # the first is the head


def test_every_lesson_that_exists_is_linked_and_no_other(nobody):
    html = shown()
    names = sorted(file.name for file in NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
    assert names[0] == "00_start.ipynb" and re.findall(r'href="([^"]+)"', html) == names[1:]
    assert [stop.number for stop in LESSONS] == list(range(1, 14))
    for route in ROUTES:
        assert len(re.findall(rf'viz-{route}[^"]*"><span', html)) == len(ROUTES[route])


def test_what_is_stored_tells_nothing_of_who_stored_it(nobody):
    page = json.loads((NOTEBOOKS / "00_start.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in page["cells"] if "viz.course()" in "".join(cell["source"])]
    stored = "".join(cell["outputs"][0]["data"]["text/html"]).partition("</style>")[2]
    assert "viz-done" not in stored and "<details>" not in stored and "●" not in stored.partition("</table>")[0]
    assert "".join(cell["outputs"][0]["data"]["text/plain"]) == repr(viz.course())


def test_it_marks_what_was_done_and_keeps_answers_back_until_both_are_given(nobody):
    lesson = 7
    exercises = [name for name, task in TASKS.items() if task.lesson == lesson]
    progress.note("exercises", exercises[0], right=True)
    viz.before(lesson).answer(1, "?")
    html = shown()
    assert f"1 of {len(exercises)}" in row(html, lesson) and "<td>? " in row(html, lesson).replace("?<", "? <")
    assert "<li>" not in html
    for name in exercises:
        progress.note("exercises", name, right=True)
    ask = PROBES[lesson][0].after
    viz.after(lesson).answer(1, ask.right)
    html = shown()
    assert "viz-done" in row(html, lesson) and "<td>✓" in row(html, lesson)
    wrong = next(each for each in PROBES[lesson][1].before.choices if each != PROBES[lesson][1].before.right)
    viz.before(lesson).answer(2, wrong)
    assert "<td>? ●</td>" in row(shown(), lesson)
    viz.after(lesson).answer(2, PROBES[lesson][1].after.right)  # now the first answer is judged, too
    assert "<td>? ✗</td><td>✓ ✓</td>" in row(shown(), lesson)
    assert "you said “don&#x27;t know yet” before" in html
    assert "第 7 课" in viz.course(lang="zh").html(NOTEBOOKS) and "主线" in repr(viz.course(lang="zh"))
    viz.forget()
    assert "viz-done" not in shown()


def test_a_file_that_hides_the_package_is_named(nobody, tmp_path, monkeypatch):
    assert "hides" not in shown()
    (tmp_path / "minigrad.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "minigrad")
    assert f"Your file {tmp_path / 'minigrad.py'} hides" in shown()


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("[0-9][1-9]_*.ipynb")), ids=lambda path: path.stem)
def test_a_lesson_is_one_sitting_and_its_code_fits_a_narrow_window(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for sitting in sittings(cells):
        assert len(sitting) <= 26  # one of them says where to go next
        words = sum(len("".join(cell["source"]).split()) for cell in sitting if cell["cell_type"] == "markdown")
        assert words <= 900
    seen = [cell for cell in cells if cell["cell_type"] == "code" and not cell["metadata"].get("jupyter")]
    lines = [line for cell in seen for line in "".join(cell["source"]).splitlines()]
    assert not [line for line in lines if len(line) > 76]  # what 800 pixels hold


def sittings(cells):
    """A lesson's cells; lesson 13 is told in two sittings, and says in a cell of its own where the second begins."""
    breaks = [place for place, cell in enumerate(cells) if cell["id"] == "second-sitting"]
    return [cells[: breaks[0]], cells[breaks[0] :]] if breaks else [cells]


def test_who_teaches_finds_each_lesson_under_its_title():
    notes = re.findall(r"(?m)^## (\d+ · .*)$", (NOTEBOOKS / "TEACHING.md").read_text(encoding="utf-8"))
    titles = []
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        titles.append("".join(cells[0]["source"]).partition("\n")[0].removeprefix("# "))
    assert notes == [title for title in titles if title[0].isdigit()]
