"""The lessons in JupyterLite, in headless Chromium: all cells run, answers are judged, and what was done is kept."""

import gzip
import re

import pytest
from litelab import ITS_FAULTS, NOTEBOOKS, SOLVED, Lesson, address, complaints, findings, solution, source_of

from tests.site.test_gallery_pages import axe  # noqa: F401
from tests.site.test_gallery_pages import findings as findings_of_page

pytestmark = pytest.mark.site
NUMBERS = sorted(path.name[:2] for path in NOTEBOOKS.glob("*.ipynb"))
COMPRESSED = (".mjs", ".js", ".wasm", ".html", ".css", ".json")
PDF = """import minigrad as torch, viz
w = torch.ones(2, requires_grad=True)
viz.draw((w * w).sum()).save("y.pdf")
print(open("y.pdf", "rb").read(4))
# it stands in place of viz.explore.rectangle()"""


@pytest.fixture
def open_lesson(site, visit):
    if not (site / "lab").exists():
        pytest.skip((site.parent / "left_out.txt").read_text(encoding="utf-8"))
    pages = []

    def open_lesson(number, **settings):
        page = visit(address(number), height=1000, complains=True, **settings)
        pages.append(page)
        return Lesson(page)

    yield open_lesson
    for page in pages:
        assert page.asked == [] and complaints(page) == []


@pytest.mark.parametrize("number", NUMBERS)
def test_every_cell_of_a_lesson_runs_one_after_the_other(open_lesson, snap, number):
    """Also those that raise an error on purpose: Run All goes on after them."""
    lesson = open_lesson(number)
    prompts = lesson.run_all()
    wanted = [prompt and f"[{place}]:" for place, prompt in enumerate(prompts, 1)]
    assert prompts == wanted and prompts[-1], lesson.outputs()[-3:]
    assert lesson.errors() == []
    assert "Error displaying widget" not in lesson.page.inner_text("body")
    if number not in ("00", "12", "13"):
        assert lesson.page.locator(".jp-OutputArea svg").count()
    snap(lesson.page, f"lite-{number}")


def test_a_lesson_loads_at_most_20_mb_before_its_first_plot_and_a_pdf_loads_what_it_needs(open_lesson, site, served):
    page, asked = open_lesson("01").page, set()
    page.on("request", lambda request: asked.add(request.url.partition("?")[0]))
    page.reload()
    lesson = Lesson(page)
    lesson.run_all()
    files = [site / url.removeprefix(served) for url in asked if url.startswith(served)]
    sizes = {path.name: sent(path) for path in files if path.is_file()}
    assert "pyodide.asm.wasm" in sizes and not [
        name for name in sizes if name.startswith(("matplotlib-", "fonttools-"))
    ]
    assert 15_000_000 < sum(sizes.values()) <= 20_000_000, sorted(sizes.items(), key=lambda one: -one[1])[:12]
    lesson.fill("viz.explore.rectangle()", PDF)
    assert "%PDF" in lesson.outputs()[0]
    assert len([url for url in asked if "/matplotlib-" in url or "/fonttools-" in url]) == 2


def sent(path):
    """The bytes that a static host sends: it compresses texts and WebAssembly."""
    content = path.read_bytes()
    return len(gzip.compress(content, 6) if path.suffix in COMPRESSED else content)


@pytest.mark.parametrize("number", SOLVED)
def test_an_exercise_is_solved_and_still_solved_after_a_reload(open_lesson, snap, number):
    name = SOLVED[number]
    lesson = open_lesson(number)
    lesson.run_all()
    lesson.fill(f'viz.exercise("{name}")', solution(number, name))
    verdict = lesson.cell(f'viz.exercise("{name}")').locator(".viz-exercise-verdict")
    verdict.filter(has_text="✓ Right").wait_for(timeout=60_000)
    snap(lesson.page, f"lite-solved-{number}")
    lesson.page.reload()
    again = Lesson(lesson.page)
    again.run_all()
    lesson.page.goto(lesson.page.url.replace(address(number).partition("=")[2], "00_start.ipynb"))
    start = Lesson(lesson.page)
    start.run_all()
    done = re.findall(r"\b1 of \d", "\n".join(start.outputs()))
    assert len(done) == 1, start.outputs()[-1]  # the map of the course


def test_an_endless_loop_in_an_answer_is_stopped(open_lesson):
    lesson = open_lesson("07")
    source = source_of("07", 'viz.exercise("relu_backward")')
    lesson.fill("import minigrad", source_of("07", "import minigrad"))
    lesson.fill('viz.exercise("relu_backward")', re.sub(r"^( +)\.\.\.$", r"\1while True: pass", source, flags=re.M))
    verdict = lesson.cell('viz.exercise("relu_backward")').locator(".viz-exercise-verdict")
    verdict.filter(has_text="your code was still running").wait_for(timeout=60_000)
    lesson.fill('viz.exercise("relu_backward")', solution("07", "relu_backward"))  # the kernel is still there
    verdict.filter(has_text="✓ Right").wait_for(timeout=60_000)


def test_a_trainer_trains_while_its_buttons_are_heard(open_lesson, snap):
    """There are no threads: an iteration runs in each turn of the kernel's loop, and a button is heard between two."""
    lesson = open_lesson("08")
    lesson.run_all()
    panel = lesson.page.locator(".viz-trainer").first
    panel.get_by_role("button", name="Start").click()
    told = panel.locator("[role=status]")
    told.filter(has_text="Training").wait_for(timeout=30_000)
    lesson.page.wait_for_timeout(2000)
    panel.get_by_role("button", name="Pause").click()
    told.filter(has_text=re.compile(r"Paused after iteration [1-9]|Finished")).wait_for(timeout=30_000)
    snap(lesson.page, "lite-trainer")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("number", SOLVED)
def test_what_a_lesson_shows_is_usable_by_everybody(open_lesson, axe, snap, number, scheme):  # noqa: F811
    lesson = open_lesson(number, color_scheme=scheme)
    lesson.run_all()
    ours, its = findings(lesson.page, axe)
    assert ours == []
    assert set(its) <= set(ITS_FAULTS), {rule: its[rule][:3] for rule in set(its) - set(ITS_FAULTS)}
    snap(lesson.page, f"lite-axe-{number}-{scheme}")


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_list_of_lessons_opens_each_of_them(site, visit, axe, snap, width, scheme):  # noqa: F811
    if not (site / "lab").exists():
        pytest.skip((site.parent / "left_out.txt").read_text(encoding="utf-8"))
    page = visit("lab/", width=width, color_scheme=scheme)
    links = page.locator("ol a")
    assert links.count() == len(NUMBERS)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert not page.locator(".lacks").first.is_visible()
    assert findings_of_page(page, axe) == []
    snap(page, f"lite-list-{width}-{scheme}", full_page=True)
    if (width, scheme) == (1280, "light"):
        hrefs = [link.get_attribute("href") for link in links.all()]
        assert [href.partition("path=")[2][:2] for href in hrefs] == NUMBERS
        assert all((site / "lab" / "files" / href.partition("path=")[2]).is_file() for href in hrefs)
