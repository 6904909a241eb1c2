"""The lessons outside JupyterLab, with their stored outputs: as nbconvert exports them, and as GitHub shows them.

What an exported page asks for beyond this machine is what nbconvert's own template asks for, and none of our outputs
needs it. GitHub is imitated: its notebook page has no public program. It is the template without frame, then a list of
elements and attributes, that of GitHub's own html-pipeline, with pictures that stand in the page. Read next:
../test_stored_outputs.py.
"""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from labdriver import expect

pytestmark = pytest.mark.browser

LESSONS = sorted(Path(__file__).parents[2].joinpath("notebooks").glob("*.ipynb"))
TEMPLATE = ("https://cdnjs.cloudflare.com/ajax/libs/require.js/", "https://cdnjs.cloudflare.com/ajax/libs/mathjax/")
STEPS = {"01_graph": 10}  # the last step of the stepper
ELEMENTS = """h1 h2 h3 h4 h5 h6 br b i strong em a pre code img tt div ins del sup sub p ol ul table thead tbody tfoot
    blockquote dl dt dd kbd q samp var hr li tr td th s strike summary details caption figure figcaption abbr cite dfn
    mark small span main"""
ATTRIBUTES = {
    "a": ["href"],
    "img": ["src"],
    "*": ["align", "alt", "border", "colspan", "height", "lang", "open", "rowspan", "scope", "title", "width"],
}
GITHUB = """<!doctype html><meta charset="utf-8"><style>body { margin: 16px; font: 16px/1.5 sans-serif }
img { max-width: 100% } table { border-collapse: collapse } th, td { padding: 4px 9px; border: 1px solid #d1d9e0 }
</style>"""  # of GitHub's own style what matters for the look


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    """The folder with the lessons as `jupyter nbconvert --to html` writes them, all in one go."""
    folder = tmp_path_factory.mktemp("exported")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", f"--output-dir={folder}", *LESSONS]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture
def visit(browser):
    """visit(path, …) opens a page; what it asked for outside and what it complained of are page.asked and page.said."""
    pages = []

    def visit(path, **settings):
        page = browser.new_context(**settings).new_page()
        page.asked, page.said = [], []

        def route(route):
            outside = not route.request.url.startswith(("file:", "data:", "blob:"))
            page.asked += [route.request.url] * outside
            route.fulfill(status=200, body="") if outside else route.continue_()

        page.route("**/*", route)
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("console", lambda message: page.said.append(message.text))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield visit
    for page in pages:
        page.context.close()


def broken(page):
    """The pictures that don't show."""
    return page.evaluate(
        "() => [...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.outerHTML)"
    )


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_an_exported_lesson_shows_everything_in_every_window(path, exported, visit, snap):
    seen = {}
    for scheme in ("light", "dark"):
        page = visit(exported / f"{path.stem}.html", color_scheme=scheme)
        for width in (1280, 800):
            page.set_viewport_size(dict(width=width, height=800))
            assert page.evaluate("document.documentElement.scrollWidth") <= width  # what is wide scrolls by itself
            snap(page.locator("main"), f"{scheme}-{width}")
        assert all(address.startswith(TEMPLATE) for address in page.asked), page.asked
        assert not page.said and not broken(page)
        seen[scheme] = [box.screenshot() for box in page.locator(".viz-step").all()]
    assert seen["light"] == seen["dark"]  # the page itself is light, whatever the reader prefers
    assert len(seen["light"]) == (path.stem in STEPS)


@pytest.mark.parametrize("name", STEPS)
def test_the_steps_of_an_exported_lesson_answer_to_buttons_and_keys(name, exported, visit):
    page, last = visit(exported / f"{name}.html"), STEPS[name]
    box = page.locator(".viz-step")
    forward = box.get_by_role("button", name="Step forward")
    for step in (1, 2, 3):
        forward.click()
        expect(box).to_have_attribute("data-step", str(step))
    box.press("ArrowLeft")
    expect(box).to_have_attribute("data-step", "2")
    box.press("End")
    field = box.locator(".viz-step-ask input")
    for _ in range(last):  # each number that waits for a prediction gets one, right or wrong
        box.get_by_role("button", name="Step forward").click()
        if field.is_visible():
            field.fill("7")
            field.press("Enter")
            if (show := box.get_by_role("button", name="Show me")).is_visible():
                show.click()
        if box.get_attribute("data-step") == str(last):
            break
    expect(box).to_have_attribute("data-step", str(last))
    expect(box.locator(".viz-step-words")).to_contain_text("w.grad = ")
    box.press("Home")
    expect(box).to_have_attribute("data-step", "0")
    assert not page.said and all(address.startswith(TEMPLATE) for address in page.asked)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_github_shows_a_picture_or_words_for_every_output(path, tmp_path, visit, snap):
    page = visit(on_github(path, tmp_path), viewport=dict(width=1012, height=800))
    assert not broken(page) and not page.said and not page.asked
    stored = sum(data.get("text/html", "").count("<img ") or "image/png" in data for data in outputs(path))
    assert page.locator("img[src^='data:image/']").count() == stored
    told = page.locator("body").inner_text()
    assert not [word for word in ("overflow-x", "webkit", "addEventListener") if word in told]  # no style, no script
    for data in outputs(path):
        if not {"image/png", "text/html"} & set(data):
            assert " ".join(data["text/plain"].split()) in " ".join(told.split())
    snap(page, "github")


def outputs(path):
    """What the cells of a notebook have displayed."""
    cells = nbformat.read(path, as_version=4).cells
    return [output.data for cell in cells for output in cell.get("outputs", []) if "data" in output]


def on_github(path, folder):
    """A page that shows the notebook as GitHub's preview does."""
    import bleach
    from nbconvert import HTMLExporter

    markup, _ = HTMLExporter(template_name="basic").from_filename(path)
    markup = re.sub(r"<(style|script)\b.*?</\1>", "", markup, flags=re.DOTALL)
    protocols = ["http", "https", "mailto", "data"]
    clean = bleach.clean(markup, tags=ELEMENTS.split(), attributes=ATTRIBUTES, protocols=protocols, strip=True)
    page = folder / f"{path.stem}.html"
    page.write_text(GITHUB + clean, encoding="utf-8")
    return page
