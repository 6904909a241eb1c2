"""Lessons in JupyterLite in Firefox: all cells run, a solved exercise stays solved, and an endless loop is stopped."""

from __future__ import annotations

import re

import pytest
from litelab import SOLVED, address, solution, source_of

from tests.browser.firefox import Page, firefox

pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # marionette_driver, while Firefox starts
]
# The prompt of each cell: "[3]:" after it has run
PROMPTS = """return [...document.querySelectorAll('.jp-Notebook .jp-CodeCell')].map(
    cell => cell.querySelector('.jp-InputPrompt')?.innerText.trim() ?? '')"""
VERDICT = """return [...document.querySelectorAll('.viz-exercise-verdict')].some(
    each => each.textContent.includes(arguments[0]))"""
ASKED = "return performance.getEntriesByType('resource').map(each => each.name)"


@pytest.fixture(scope="module")
def browser(site):
    if not (site / "lab").exists():
        pytest.skip((site.parent / "left_out.txt").read_text(encoding="utf-8"))
    with firefox() as browser:
        yield browser


@pytest.fixture
def open_lesson(browser, served):
    def open_lesson(number):
        browser.navigate("about:blank")
        return Page.open(browser, served + address(number))

    yield open_lesson
    asked = Page(browser).js(ASKED)
    assert not [each for each in asked if not each.startswith((served, "data:", "blob:"))]


def run_all(page: Page) -> None:
    page.run_all()
    prompts = page.js(PROMPTS)
    assert prompts == [prompt and f"[{place}]:" for place, prompt in enumerate(prompts, 1)] and prompts[-1]
    assert page.errors() == []
    assert "Error displaying widget" not in page.js("return document.body.innerText")


@pytest.mark.parametrize("number", SOLVED)
def test_a_lesson_runs_and_an_exercise_is_still_solved_after_a_reload(open_lesson, number):
    page = open_lesson(number)
    run_all(page)
    page.snap(f"firefox-lite-{number}")
    name = SOLVED[number]
    page.fill(f'viz.exercise("{name}")', solution(number, name))
    page.until(VERDICT, "✓ Right")
    run_all(open_lesson(number))
    start = open_lesson("00")
    run_all(start)
    done = re.findall(r"\b(\d) of \d", start.js("return document.querySelector('.jp-Notebook').innerText"))
    assert sum(map(int, done)) == 1 + list(SOLVED).index(number), done


def test_an_endless_loop_in_an_answer_is_stopped(open_lesson):
    page = open_lesson("07")
    part = 'viz.exercise("relu_backward")'
    page.fill("import minigrad", source_of("07", "import minigrad"))
    page.fill(part, re.sub(r"^( +)\.\.\.$", r"\1while True: pass", source_of("07", part), flags=re.M))
    page.until(VERDICT, "your code was still running")
    page.fill(part, solution("07", "relu_backward"))  # the kernel is still there
    page.until(VERDICT, "✓ Right")


def test_the_list_of_lessons_has_no_warning_here(browser, served):
    """Firefox waits for downloads and keeps answers: neither sentence is shown."""
    browser.navigate(served + "lab/")
    page = Page(browser)
    assert page.js("return [...document.querySelectorAll('.lacks')].map(each => each.hidden)") == [True, True]
    assert page.js("return document.querySelectorAll('ol a').length") == 14
