"""The documentation in Chromium: each name and each link is found, lessons move, and nothing is asked elsewhere."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from tests.browser.labdriver import expect
from tests.site.test_gallery_pages import axe, findings  # noqa: F401

pytestmark = pytest.mark.site
ROOT = Path(__file__).parents[2]
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
MOST = 400_000  # bytes of a page
# One page of each kind
PAGES = ["index", "search", "from-pytorch", "api/index", "api/autograd", "lessons/01_graph", "how-to/exercise"]
STEPPER = ".viz-step"


@pytest.fixture(scope="module")
def docs(site) -> Path:
    if not (site / "docs").exists():
        pytest.skip((site.parent / "left_out.txt").read_text("utf-8"))
    return site / "docs"


@pytest.fixture(scope="module")
def texts(docs) -> dict[str, str]:
    """The text of each page, by its path."""
    return {path.relative_to(docs).as_posix(): path.read_text("utf-8") for path in sorted(docs.rglob("*.html"))}


def documented(texts: dict[str, str]) -> set[str]:
    """The names that have an entry in the API."""
    anchors = re.compile(r'<dt class="sig[^"]*"(?: id="([\w.]+)")')
    return {name for path, text in texts.items() if path.startswith("api/") for name in anchors.findall(text)}


def test_every_public_name_of_minigrad_is_documented(texts):
    """PyTorch's names that minigrad has, wherever it has them; a thing with several names once."""
    import importlib

    import minigrad
    from minigrad._messages.names import pytorchs

    known = documented(texts)
    owners = {place: importlib.import_module("minigrad" + place[5:]) for place in pytorchs() if place != "torch.Tensor"}
    owners["torch.Tensor"] = minigrad.Tensor
    things = {}  # by identity: its names
    for place, owner in owners.items():
        for name in pytorchs()[place]:
            thing = getattr(owner, name, None)
            if callable(thing) and (getattr(thing, "__module__", None) or "").startswith("minigrad"):
                things.setdefault(id(thing), []).append(f"minigrad{place[5:]}.{name}")
    linked = set(re.findall(r"<td><p><(?:a|code)[^>]*>.*?<span class=\"pre\">(\w+)</span>", texts["api/tensor.html"]))
    assert len(things) > 900 and len(linked) > 250
    tensors = {f"minigrad.Tensor.{name}" for name in linked}
    assert not [names for names in things.values() if not {*names} & (known | tensors)]


def test_the_names_of_viz_are_documented(texts):
    import viz

    names = {name for name in re.findall(r"^    viz\.(\w+)\(", viz.__doc__, re.MULTILINE)}
    explorers = set(re.findall(r"viz\.explore\.(\w+)\(", viz.explore.__doc__)) - {"passes"}
    assert len(names) > 14 and len(explorers) > 14
    known = documented(texts)
    assert not {f"viz.{name}" for name in names} - known
    assert not {f"viz.explore.{name}" for name in explorers} - known


def test_every_line_from_pytorch_is_on_its_page(texts):
    import tomllib

    text = texts["from-pytorch.html"]
    lines = tomllib.loads((ROOT / "site" / "docs" / "pytorch.toml").read_text("utf-8"))["line"]
    summaries = re.findall(r"<summary>(.*?)</summary>", text)
    said = [html.unescape(re.sub(r"</?code>", "`", each)) for each in summaries]
    assert [each["says"] for each in lines] == [each for each in said if each in {one["says"] for one in lines}]
    assert "Fourier" in text and "MultiheadAttention" in text


def test_pages_are_of_a_reasonable_size(docs, texts):
    sizes = {path: (docs / path).stat().st_size for path in texts if not path.startswith("genindex")}
    assert not {path: size for path, size in sizes.items() if size > MOST}
    assert all(f"lessons/{name}.html" in texts for name in LESSONS)


def test_the_build_leaves_nothing_else_behind(site, docs):
    assert not [path for path in (site / "jupyter_execute", docs / "_sources", docs / ".buildinfo") if path.exists()]


def test_nothing_is_loaded_from_elsewhere(docs, texts):
    for path, text in texts.items():
        assert not re.findall(r"<(?:script|img|iframe)[^>]* src=\"(?:https?:)?//", text), path
        assert not re.findall(r"<link rel=\"(?:stylesheet|preload|preconnect)\"[^>]* href=\"(?:https?:)?//", text), path
        assert "mathjax" not in text.lower(), path
    for path in docs.rglob("*.css"):
        assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", path.read_text("utf-8")), path


def test_links_inside_the_site_lead_to_a_place(site, texts):
    ids = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in texts.items()}
    lost = []
    for path, text in texts.items():
        for href in re.findall(r'<a\b[^>]* href="([^"]*)"', text):
            address, fragment = urldefrag(urljoin(f"/docs/{path}", html.unescape(href)))
            if urlsplit(address).scheme:
                continue
            target = site / unquote(urlsplit(address).path).lstrip("/")
            page = target.relative_to(site / "docs").as_posix() if target.is_relative_to(site / "docs") else None
            if not (target / "index.html" if target.is_dir() else target).exists():
                lost.append(f"{path}: {href}")
            elif fragment and page in ids and unquote(fragment) not in ids[page]:
                lost.append(f"{path}: {href} (no such place)")
    assert not lost


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_usable_by_everybody(docs, visit, axe, snap, name):  # noqa: F811
    page = visit(f"docs/{name}.html")
    for width, scheme in ((390, "light"), (800, "dark"), (1280, "light"), (1280, "dark")):
        page.set_viewport_size(dict(width=width, height=844))
        page.emulate_media(color_scheme=scheme)
        page.reload()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert dark == (scheme == "dark")
        if (width, scheme) in ((390, "light"), (1280, "dark")):
            assert not findings(page, axe)
        snap(page, f"docs-{name.replace('/', '-')}-{width}-{scheme}")


def test_every_page_is_usable_by_everybody(texts, visit, axe):  # noqa: F811
    page, found = visit("docs/index.html", width=390, color_scheme="dark"), {}
    for path in texts:
        page.goto(page.url.partition("/docs/")[0] + f"/docs/{path}")
        if told := findings(page, axe):
            found[path] = told
    assert not found


def test_the_search_finds_retain_grad(docs, visit):
    page = visit("docs/index.html")
    page.get_by_role("textbox", name="Search").fill("retain_grad")
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/search.html?q=retain_grad*")
    results = page.locator("#search-results li a")
    expect(results.first).to_be_visible()
    addresses = results.evaluate_all("(all) => all.map((each) => each.href)")
    assert any("api/tensor.html#minigrad.Tensor.retain_grad" in each for each in addresses), addresses
    expect(page.locator("#search-results li a", has_text="Why is my .grad None?").first).to_be_visible()
    results.first.click()
    page.wait_for_url("**/docs/**")


def test_a_stepper_in_a_lesson_steps_by_keyboard(docs, visit, snap):
    page = visit("docs/lessons/01_graph.html", reduced_motion="reduce")
    box = page.locator(STEPPER).first
    box.scroll_into_view_if_needed()
    box.press("Home")
    expect(box).to_have_attribute("data-step", "0")
    box.press("ArrowRight")
    expect(box).to_have_attribute("data-step", "1")
    snap(page, "docs-stepper")


def test_a_chosen_theme_changes_the_pictures_too(docs, visit):
    page = visit("docs/lessons/01_graph.html", color_scheme="light")
    box = page.locator(STEPPER).first
    paper = "(e) => getComputedStyle(e).backgroundColor"
    assert box.evaluate(paper) == "rgb(255, 255, 255)"
    while page.evaluate("document.body.dataset.theme") != "dark":
        page.locator(".theme-toggle:visible").first.click()
    assert box.evaluate(paper) != "rgb(255, 255, 255)"
    page.reload()
    assert box.evaluate(paper) != "rgb(255, 255, 255)"


def test_a_widget_that_stands_still_says_why_and_where_it_moves(site, docs, texts):
    for name in LESSONS[1:]:
        said = re.findall(r'<p class="viz-why".*?</p>', texts[f"lessons/{name}.html"], re.DOTALL)
        assert said, name
        if (site / "lab").exists():
            assert all(f'href="../../lab/index.html?path={name}.ipynb"' in each for each in said), name


def test_no_lesson_begins_with_lines_for_colab(site, texts):
    """They install the course there; here they would be the first thing that a reader sees."""
    assert not [path for path, text in texts.items() if path.startswith("lessons/") and "find_spec" in text]
    for path in (site / "lab" / "files").glob("*.ipynb"):
        assert "find_spec" not in path.read_text("utf-8"), path


def test_an_explorer_that_moves_in_the_gallery_is_linked(site, texts):
    linked = {path: set(re.findall(r'href="\.\./\.\./gallery/([\w-]+)\.html"', text)) for path, text in texts.items()}
    assert linked["lessons/01_graph.html"] == {"what-does-a-small-change-do", "what-is-a-derivative-of-a-product"}
    assert len(set().union(*linked.values())) == 6


def test_every_picture_has_its_words(texts):
    for path, text in texts.items():
        assert not [each[:200] for each in re.findall(r"<img\b[^>]*>", text) if 'alt="' not in each], path
        if path.startswith("lessons/"):
            assert not [each[:200] for each in re.findall(r"<img\b[^>]*>", text) if 'alt=""' in each], path


def test_the_parts_of_the_site_link_to_each_other(site, docs, texts):
    for part, page in (("", "index.html"), ("play", "index.html"), ("lab", "index.html")):
        if (site / part / page).exists():
            assert re.search(r'href="(?:\.\./)?docs/', (site / part / page).read_text("utf-8")), part
            aim = f"../{part}/" if part else "../index.html"
            assert f'href="{aim}"' in texts["index.html"], part
