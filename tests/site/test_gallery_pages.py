"""The pages of the gallery in Chromium: small, alone, playing, usable by touch, by keyboard and by everybody."""

from __future__ import annotations

import html
import re
import zlib
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from tests.browser.labdriver import expect
from tests.site.test_gallery_programs import questions

pytestmark = pytest.mark.site
QUESTIONS = {one.slug: one for one in questions()}
STEPPERS = [slug for slug, one in QUESTIONS.items() if not one.picture]
EXPLORERS = [slug for slug, one in QUESTIONS.items() if one.picture]
MOST = 150_000
CUT = """(name) => [...document.querySelectorAll(name)].some((each) =>
    each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)"""


@pytest.fixture(scope="session")
def axe():
    """axe-core's script."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def findings(page, axe) -> list[str]:
    """What axe-core finds on the page."""
    page.evaluate(axe)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((told) => told.violations)")
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:160]}" for one in found for node in one["nodes"]
    ]


def test_there_are_the_six_explorers_and_some_twenty_steppers() -> None:
    assert len(EXPLORERS) == 6 and len(STEPPERS) >= 20


def test_each_page_is_one_small_document(site) -> None:
    pages = {path.stem: path for path in (site / "gallery").glob("*.html")}
    assert set(pages) == set(QUESTIONS)
    for slug, path in pages.items():
        text = path.read_text("utf-8")
        assert path.stat().st_size <= MOST, slug
        assert f"<title>{html.escape(QUESTIONS[slug].plain)} · minigrad</title>" in text
        loads = re.findall(
            r"(?:<script[^>]* src|<link[^>]*stylesheet|<img[^>]* src=\"(?!data:)|@import|url\()[^>]*", text
        )
        assert not loads, loads  # nothing else is loaded
        assert f'<meta property="og:image" content="https://example.org/minigrad/gallery/{slug}.png">' in text


def test_each_page_has_a_preview_picture_for_links(site) -> None:
    from PIL import Image

    for slug in QUESTIONS:
        with Image.open(site / "gallery" / f"{slug}.png") as picture:
            assert picture.size == (1200, 630)


@pytest.mark.parametrize("slug", QUESTIONS)
def test_a_page_is_usable_by_everybody(slug, visit, axe, snap) -> None:
    page = visit(f"gallery/{slug}.html", width=390, color_scheme="light", reduced_motion="reduce")
    page.wait_for_selector(".viz-step[data-step], .viz-leave[data-ready]")
    expect(page.locator("h1")).to_have_text(QUESTIONS[slug].plain)
    for width, scheme in ((390, "light"), (800, "dark"), (1280, "light"), (1280, "dark")):
        page.set_viewport_size(dict(width=width, height=844 if width == 390 else 800))
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert not page.evaluate(CUT, ".output")
        assert width == 390 or not page.evaluate(CUT, ".code")
        rows = page.locator(".top nav a").evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)")
        assert len(set(rows)) <= 1, "the menu has several rows"
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 17)"
        assert dark == (scheme == "dark")
        if (width, scheme) != (1280, "light"):
            assert not findings(page, axe)
        if width == 390:
            small = page.locator("button:visible, .button:visible, input:visible, select:visible").evaluate_all(
                "(all) => all.filter((e) => e.type !== 'checkbox' && e.getBoundingClientRect().height < 43)"
                ".map((e) => e.outerHTML)"
            )
            assert not small
        snap(page, f"{slug}-{width}-{scheme}", full_page=True)


@pytest.mark.parametrize("slug", STEPPERS)
def test_a_picture_plays_by_itself_to_its_end_and_marks_the_line(slug, visit) -> None:
    page = visit(f"gallery/{slug}.html")
    box = page.locator(".viz-step")
    page.locator(".live").scroll_into_view_if_needed()
    expect(box).not_to_have_attribute("data-step", "0")  # without any key or click
    box.press("Home")
    last = int(box.locator("input[type=range]").get_attribute("max"))
    marked = set()
    for _ in range(last):
        box.press("ArrowRight")
        marked |= set(page.locator(".code .here").all_inner_texts())
    expect(box).to_have_attribute("data-step", str(last))
    assert marked
    words = box.locator(".viz-step-words").inner_text()
    if "stops with an error" in words:
        (number,) = re.findall(r"Line (\d+) stops", words)
        line = QUESTIONS[slug].code.splitlines()[int(number) - 1]
        assert page.locator(".code .here").inner_text().strip() == line.strip()


def test_a_reader_who_prefers_less_motion_sees_the_end_at_once(visit) -> None:
    page = visit(f"gallery/{STEPPERS[0]}.html", reduced_motion="reduce")
    box = page.locator(".viz-step")
    last = box.locator("input[type=range]").get_attribute("max")
    page.wait_for_timeout(1500)
    expect(box).to_have_attribute("data-step", last)


def test_without_scripts_there_are_the_question_the_answer_and_a_picture(visit) -> None:
    page = visit(f"gallery/{STEPPERS[0]}.html", java_script_enabled=False)
    for part in ("h1", ".answer p", ".code", ".output", ".live svg"):
        expect(page.locator(part).first).to_be_visible()
    assert not page.get_by_role("button").count()  # none that would do nothing


def test_the_steps_by_touch(visit) -> None:
    page = visit(f"gallery/{STEPPERS[0]}.html", width=390, height=844, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Restart").tap()
    page.get_by_role("button", name="Step forward").tap()
    expect(page.locator(".viz-step")).to_have_attribute("data-step", "1")


def test_the_chosen_theme_holds_on_the_next_page(visit) -> None:
    page = visit("index.html", color_scheme="light")
    button = page.get_by_role("button", name="Dark theme")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator("li[data-words] a").first.click()
    page.wait_for_url("**/gallery/*.html")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 17)"
    paper = page.locator(".live svg rect.mg-paper").first.evaluate("(e) => getComputedStyle(e).fill")
    assert paper == "rgb(17, 17, 17)"  # the picture follows


def test_every_question_is_one_click_from_the_next(visit, served) -> None:
    page = visit("index.html")
    page.locator("li[data-words] a").first.click()
    seen = []
    for _ in QUESTIONS:
        seen.append(Path(page.url).stem)
        page.locator(".around a[rel=next]").click()
        page.wait_for_url(lambda url: Path(url).stem != seen[-1])
    assert set(seen) == set(QUESTIONS) and Path(page.url).stem == seen[0]
    page.get_by_role("link", name="All questions").click()
    page.wait_for_url("**/index.html")


def test_the_line_to_embed_shows_the_page_in_another(visit, site, browser, served) -> None:
    page = visit(f"gallery/{STEPPERS[0]}.html")
    page.get_by_role("button", name="Embed").click()
    line = page.locator(".embedding textarea").input_value()
    assert f'src="https://example.org/minigrad/gallery/{STEPPERS[0]}.html?embed"' in line
    other = browser.new_page(viewport=dict(width=720, height=800))
    other.set_content(f"<h1>A blog</h1>{line.replace('https://example.org/minigrad/', served)}")
    frame = other.frame_locator("iframe")
    expect(frame.locator(".viz-step")).to_have_attribute("data-step", "2")
    expect(frame.locator(".top")).to_be_hidden()
    expect(frame.get_by_role("link", name="Open the page")).to_be_visible()
    other.close()


def test_the_link_to_the_playground_holds_the_program(site) -> None:
    for slug, one in QUESTIONS.items():
        packed = one.fragment.removeprefix("c=")
        assert re.fullmatch(r"[\w-]+", packed)
        code = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15).decode()
        assert code == one.code
        if (site / "play" / "index.html").exists():
            edit = f'href="../play/?from={slug}#{one.fragment}">Edit this</a>'
            assert edit in (site / "gallery" / f"{slug}.html").read_text("utf-8")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_warning_does_not_hide_what_is_printed_after_it(width, visit) -> None:
    page = visit("gallery/why-is-grad-none.html", width=width)
    printed = page.locator(".output > *")
    assert printed.evaluate_all("(all) => all.map((each) => each.localName)") == ["p", "details", "p"]
    none, box = printed.nth(2), page.locator(".output")
    expect(none).to_have_text("None")
    assert none.bounding_box()["y"] + 5 < box.bounding_box()["y"] + box.bounding_box()["height"]
    rest = printed.nth(1).locator("p")
    expect(rest).to_be_hidden()
    printed.nth(1).locator("summary").press("Enter")
    expect(rest).to_contain_text("use .retain_grad() on the non-leaf Tensor")
    assert QUESTIONS["why-is-grad-none"].output == "\n".join(
        text.replace("accessed.Its", "accessed. Its") for text in printed.all_text_contents()
    )


def test_the_step_in_which_the_graph_is_kept_says_so(visit) -> None:
    page = visit("gallery/what-does-retain-graph-keep.html", reduced_motion="reduce")
    box = page.locator(".viz-step[data-step]")
    box.press("Home")
    told = []
    for _ in range(6):
        box.press("ArrowRight")
        told.append((box.locator(".viz-step-words").inner_text(), page.locator(".code .here").all_inner_texts()))
    (kept, line), (used, next_line) = told[2], told[4]
    assert "pow keeps its saved values" in kept and "retain_graph=True" in line[0]
    assert "saved values that the earlier pass kept; now they are freed" in used and line != next_line
    assert "(step 3)" in page.locator(".answer").inner_text() and "(step 5)" in page.locator(".answer").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_is_usable_by_everybody(scheme, visit, axe, snap) -> None:
    for width in (390, 800, 1280):
        page = visit("index.html", width=width, color_scheme=scheme)
        page.wait_for_selector(".viz-step[data-step]")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("for (const each of document.images) each.loading = 'eager'")
        page.wait_for_function("[...document.images].every((each) => each.complete && each.naturalWidth)")
        assert not findings(page, axe)
        snap(page, f"index-{width}-{scheme}", full_page=True)


@pytest.mark.parametrize(
    "words, slug",
    [
        ("second time", "why-can-i-not-call-backward-twice"),
        ("inplace", "why-did-the-in-place-change-fail"),
        ("retain_grad", "why-is-grad-none"),
        ("x.grad is None after backward", "why-is-grad-none"),
        ("Why is x.grad None?", "why-is-grad-none"),
        ("why do my weights not change after optimizer.step()", "grad-is-none-after-my-update"),
        ("difference between detach and clone", "data-or-detach"),
        ("loss.backward() vs y.backward()", "why-does-backward-need-a-gradient"),
        ("Why do I need retain_graph=True?", "what-does-retain-graph-keep"),
        ("freeze bert layers", "how-do-i-freeze-a-layer"),
        ("requires_grad=False", "how-do-i-freeze-a-layer"),
        ("with torch.no_grad():", "does-no-grad-or-eval-stop-the-graph"),
        ("my model does not learn", "what-does-detach-cut"),
        ("two optimizers", "how-does-a-gan-train-two-nets"),
        ("scalar outputs", "why-does-backward-need-a-gradient"),
        ("stop_gradient", "what-does-detach-cut"),
        ("hidden STATE", "why-does-my-rnn-fail-in-the-second-step"),
        (
            "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
            "operation: [torch.cuda.FloatTensor [64, 512]], which is output 0 of AsStridedBackward0, is at version 3; "
            "expected version 2 instead.",
            "why-did-the-in-place-change-fail",
        ),
        (
            "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.",
            "why-can-i-not-change-a-leaf",
        ),
    ],
)
def test_the_filter_finds_a_question_by_the_words_people_have(words, slug, visit) -> None:
    page = visit("index.html")
    page.get_by_role("searchbox").fill(words)
    found = page.locator("li[data-words]:visible a").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('href'))"
    )
    assert f"gallery/{slug}.html" in found and len(found) <= 6
    expect(page.locator("li[data-words]:visible").first).to_be_in_viewport()  # without scrolling
    page.get_by_role("searchbox").fill("kubernetes licence")
    expect(page.locator(".none")).to_be_visible()


def test_a_card_moves_under_the_pointer(visit) -> None:
    page = visit("index.html")
    card = page.locator("li[data-words]").first
    card.scroll_into_view_if_needed()
    card.hover()
    expect(card.locator("img")).to_have_attribute("src", re.compile(r"\.moving\.svg$"))
    page.mouse.move(0, 0)
    expect(card.locator("img")).to_have_attribute("src", re.compile(r"(?<!moving)\.svg$"))
