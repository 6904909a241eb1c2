"""The documentation in Firefox: a page of each kind fits the window, a lesson's stepper steps, and the search finds."""

from __future__ import annotations

import time

import pytest

from tests.browser.firefox import Page, firefox
from tests.site.test_docs import PAGES, docs  # noqa: F401

pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # marionette_driver, while Firefox starts
]
ASKED = "return performance.getEntriesByType('resource').map(each => each.name)"
PRESSED = """document.querySelector('.viz-step').dispatchEvent(
    new KeyboardEvent('keydown', {key: arguments[0], bubbles: true, cancelable: true}))"""


@pytest.fixture(scope="module", params=[False, True], ids=["light", "dark"])
def browser(request, docs):  # noqa: F811
    with firefox(request.param) as browser:
        browser.dark = request.param
        browser.set_window_rect(width=1280, height=900)
        yield browser


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_window_and_asks_nobody_else(browser, served, name):
    browser.navigate(f"{served}docs/{name}.html")
    page = Page(browser)
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")
    paper = page.js("return getComputedStyle(document.body).backgroundColor")
    assert (paper != "rgb(255, 255, 255)") == browser.dark
    assert not [each for each in page.js(ASKED) if not each.startswith((served, "data:", "blob:"))]
    page.snap(f"firefox-docs-{name.replace('/', '-')}-{'dark' if browser.dark else 'light'}")


def test_a_stepper_in_a_lesson_steps(browser, served):
    browser.navigate(f"{served}docs/lessons/01_graph.html")
    page = Page(browser)
    page.element(".viz-step")
    step = "return document.querySelector('.viz-step').dataset.step"
    page.until(f"{step} !== undefined")
    page.js(PRESSED, "Home")
    page.until(f"{step} === '0'")
    page.js(PRESSED, "ArrowRight")
    page.until(f"{step} === '1'")


def test_the_search_finds_retain_grad(browser, served):
    browser.navigate(f"{served}docs/search.html?q=retain_grad")
    found = "return [...document.querySelectorAll('#search-results li a')].map(each => each.href)"
    page, end = Page(browser), time.monotonic() + 30
    while not any("api/tensor.html#minigrad.Tensor.retain_grad" in each for each in page.js(found)):
        assert time.monotonic() < end, page.js(found)
        time.sleep(0.2)
