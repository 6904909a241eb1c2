"""Four lessons in JupyterLab in Firefox: all cells run, steps, sliders and exercises answer, a live plot is painted."""

import re
from pathlib import Path

import pytest
from firefox import Page, firefox

pytestmark = [
    pytest.mark.browser,
    # While Firefox starts, marionette_driver asks for its port again and again and leaves the sockets to Python
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SEEN = """return [...document.querySelectorAll('.viz-why')].filter(
    why => why.checkVisibility({visibilityProperty: true}) && why.getBoundingClientRect().height > 0
        && why.parentElement.getBoundingClientRect().height > 0).map(why => why.textContent)"""


@pytest.fixture(scope="module")
def browser():
    with firefox() as browser:
        yield browser


@pytest.fixture
def lesson(lab, browser):
    """lesson("01") opens a copy of lesson 1, runs all its cells, and looks for errors that are not meant."""

    def lesson(number):
        (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
        name = f"firefox-{path.name}"
        (lab.folder / name).write_bytes(path.read_bytes())
        lab.trust(name)
        page = Page.open(browser, f"{lab.url}/lab/tree/{name}?reset")
        page.run_all()
        assert "Error displaying widget" not in page.js("return document.body.innerText")
        return page

    return lesson


def test_lesson_1_steps_by_its_buttons_and_its_slider(lesson):
    page = lesson("01")
    part = "viz.step(y, predict=True)"
    page.fill(part, page.source(part).replace(", predict=True", ""))
    shown = "return Number(document.querySelector('.viz-step-bar input[type=range]').value)"
    page.element(".viz-step-bar button[aria-label='Step back']:enabled")  # it opens at the last step
    last = page.js(shown)
    page.element(".viz-step-bar button[aria-label='Step back']").click()
    page.until(f"{shown} === {last - 1}")
    page.snap("firefox-01-step")
    page.drag(".viz-step-bar input[type=range]", -60)
    page.until(f"{shown} < {last - 1}")
    page.snap("firefox-01-slider")
    assert page.js(SEEN) == []


def test_lesson_2_asks_and_notes_an_answer(lesson):
    page = lesson("02")
    page.element(".viz-asks .viz-ask button[aria-pressed]").click()
    page.until("return Boolean(document.querySelector('.viz-asks .viz-exercise-verdict')?.textContent)")
    page.snap("firefox-02")
    assert page.js(SEEN) == []


def test_lesson_7_judges_an_exercise(lesson):
    page = lesson("07")
    source = page.source('viz.exercise("relu_backward")')
    solved = re.sub(r"^( +)\.\.\.$", r"\1return grad_output * (ctx.saved_tensors[0] > 0)", source, flags=re.M)
    assert solved != source
    page.fill('viz.exercise("relu_backward")', solved)
    page.until(
        "return [...document.querySelectorAll('.viz-exercise-verdict')].some(v => v.textContent.includes('✓ Right'))"
    )
    page.snap("firefox-07")
    assert page.js(SEEN) == []


def test_lesson_9_paints_its_live_plots(lesson):
    page = lesson("09")
    painted = """return [...document.querySelectorAll('.jp-OutputArea img.viz-painted')]
        .filter(img => img.complete && img.naturalWidth > 400).length"""
    page.until(painted + " > 0")
    page.js("document.querySelector('img.viz-painted').scrollIntoView()")
    page.snap("firefox-09")
    page.command("apputils:change-theme", theme="JupyterLab Dark")
    page.until("return document.body.dataset.jpThemeLight === 'false'")
    page.snap("firefox-09-dark")
    page.command("apputils:change-theme", theme="JupyterLab Light")
    assert page.js(SEEN) == []
