"""The gallery in Firefox: the first page and every third page, served under a path. They play, and fit the window."""

from __future__ import annotations

import time

import pytest

from tests.browser.firefox import firefox
from tests.site.test_gallery_programs import questions

pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),  # marionette_driver, while Firefox starts
]
PAGES = ["index.html", *(f"gallery/{one.slug}.html" for one in questions())][::3]
PLAYS = """
const box = document.querySelector(".viz-step, .viz-leave[data-ready]");
if (!box) return null;
return box.dataset.step ?? "ready";
"""
SIZE = (
    "return [document.documentElement.scrollWidth, window.innerWidth, performance.getEntriesByType('resource').length]"
)

CUT = """
return [...document.querySelectorAll(".code, .output")].filter((each) =>
    each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1).map((each) => each.className);
"""


@pytest.fixture(scope="module", params=[False, True], ids=["light", "dark"])
def fox(request):
    with firefox(request.param) as browser:
        browser.dark = request.param
        yield browser


@pytest.mark.parametrize("path", PAGES)
def test_a_page_plays_in_firefox(path, fox, served) -> None:
    fox.navigate(served + path)
    fox.execute_script("document.querySelector('.live').scrollIntoView()")
    end = time.monotonic() + 20
    while fox.execute_script(PLAYS) in (None, "0"):
        assert time.monotonic() < end, "nothing moves"
        time.sleep(0.05)
    width, window, resources = fox.execute_script(SIZE)
    assert width <= window
    assert not fox.execute_script(CUT)
    if path != "index.html":
        assert resources <= 1, "a page of the gallery is one document"  # Firefox counts its icon
    paper = fox.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(17, 17, 17)" if fox.dark else "rgb(255, 255, 255)")
