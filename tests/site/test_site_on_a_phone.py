"""What fresh readers stumbled at in the gallery and the playground, most of it on a phone: 390 pixels."""

from __future__ import annotations

import re

import pytest

from tests.browser.labdriver import expect
from tests.site.playing import Play, link, unpacked
from tests.site.test_gallery_programs import questions

pytestmark = pytest.mark.site
QUESTIONS = {one.slug: one for one in questions()}
FOLDED = QUESTIONS["why-do-gradients-vanish-or-explode"].code
PHONE = dict(width=390, height=844)
# How much lower the last letter of a caption is than the end of the space that is kept for it, in pixels
GAP = """(words) => { const text = document.createRange(); text.selectNodeContents(words);
    return Math.round(words.parentElement.getBoundingClientRect().bottom - text.getBoundingClientRect().bottom) }"""
GOES_ON = "(pane) => [pane.scrollWidth > pane.clientWidth + 8, getComputedStyle(pane).maskImage !== 'none']"


# -- the gallery -------------------------------------------------------------------------------------


def hits(page):
    return page.locator("li[data-words]:visible .title")


@pytest.mark.parametrize(
    "asked, first",
    [
        ("backward through the graph a second time", "Why can't I call backward a second time?"),
        ("why is grad none", "Why is .grad None?"),
        ("what is grad_fn=<NllLossBackward0>", "What is grad_fn=<NllLossBackward0>?"),
        ("my loss does not go down and weight.grad is all zeros", "Why is weight.grad all zeros?"),
        ("what does detach do", "What does detach cut?"),
    ],
)
def test_the_question_whose_title_has_the_words_comes_first_and_is_in_sight(asked, first, visit) -> None:
    page = visit("index.html", **PHONE)
    page.get_by_role("searchbox").fill(asked)
    expect(hits(page).first).to_have_text(first)
    place = hits(page).first.bounding_box()
    assert place["y"] > 0 and place["y"] + place["height"] < 0.6 * 844  # a keyboard covers the rest
    expect(page.get_by_role("searchbox")).to_be_in_viewport()


def test_an_error_of_a_gan_finds_the_error_and_the_gan(visit) -> None:
    page = visit("index.html", **PHONE)
    page.get_by_role("searchbox").fill("RuntimeError: Trying to backward through the graph a second time in a GAN")
    found = hits(page).all_inner_texts()
    assert {"Why can't I call backward a second time?", "A GAN has two losses: who gets which gradient?"} <= {
        *found[:3]
    }


def test_back_returns_to_what_was_found(visit) -> None:
    page = visit("index.html", **PHONE)
    search = page.get_by_role("searchbox")
    search.press_sequentially("detach")
    before = hits(page).all_inner_texts()
    assert 0 < len(before) < 10
    hits(page).first.click()
    page.wait_for_url("**/gallery/*.html")
    page.go_back()
    expect(search).to_have_value("detach")
    assert hits(page).all_inner_texts() == before
    search.fill("")
    expect(hits(page)).to_have_count(len(QUESTIONS))
    page.wait_for_function("location.hash === ''")
    order = page.locator("li[data-words] .title").all_inner_texts()
    assert order == visit("index.html").locator("li[data-words] .title").all_inner_texts()  # each is in its place again


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_wider_than_the_screen_fades_out_where_it_goes_on(scheme, visit) -> None:
    for slug, pane in (
        ("why-does-my-rnn-forget", ".viz-step-picture"),
        ("what-does-clip-grad-norm-do", ".code"),
        ("is-the-gradient-right-after-a-change", ".viz-leave-pictures > div:last-child"),
    ):
        page = visit(f"gallery/{slug}.html", **PHONE, color_scheme=scheme, reduced_motion="reduce")
        pane = page.locator(pane)
        expect(pane).to_have_class(re.compile("viz-goes-right"))
        assert pane.evaluate(GOES_ON) == [True, True]
        pane.evaluate("(pane) => { pane.scrollLeft = pane.scrollWidth }")
        expect(pane).to_have_class(re.compile("viz-goes-left"))
        expect(pane).not_to_have_class(re.compile("viz-goes-right"))
    page.set_viewport_size(dict(width=1280, height=800))
    expect(pane).not_to_have_class(re.compile("viz-goes"))
    assert pane.evaluate(GOES_ON) == [False, False]


@pytest.mark.parametrize("slug", [slug for slug, one in QUESTIONS.items() if not one.picture])
def test_no_large_gap_is_below_the_caption_on_a_phone(slug, visit) -> None:
    page = visit(f"gallery/{slug}.html", **PHONE, reduced_motion="reduce")
    words, box = page.locator(".viz-step-words"), page.locator(".viz-step[data-step]")
    assert words.evaluate(GAP) <= 30  # a line
    where = {}
    for _ in range(int(box.get_attribute("data-step"))):
        box.press("ArrowLeft")
        top = page.locator(".viz-step-picture").evaluate("(e) => Math.round(e.offsetTop)")
        assert where.setdefault(box.get_attribute("data-part"), top) == top  # nothing moves while a part plays


# -- the playground ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_printed_text_begins_with_its_first_line(width, play) -> None:
    opened = play(code="for i in range(60): print('line', i)", width=width)
    opened.wait("Done")
    printed, more = opened.page.locator(".output pre"), opened.page.get_by_role("button", name="Show all 60 lines")
    expect(more).to_be_visible()
    assert printed.evaluate("(pre) => pre.scrollTop") == 0
    more.click()
    assert printed.evaluate("(pre) => pre.scrollHeight - pre.clientHeight") == 0
    expect(more).to_be_hidden()
    assert opened.run("print('short')") and opened.printed == "short\n"
    expect(opened.page.locator(".whole")).to_be_hidden()


def test_a_reader_at_the_end_of_the_printed_text_stays_there(play) -> None:
    opened = play(code="import time\nfor i in range(100):\n    print(i)\n    time.sleep(.02 if i > 50 else 0)")
    opened.wait_for(lambda: "55" in opened.printed)
    printed = opened.page.locator(".output pre")
    printed.evaluate("(pre) => { pre.scrollTop = pre.scrollHeight }")
    opened.wait("Done")
    opened.wait_for(lambda: opened.printed.endswith("99\n"))
    assert printed.evaluate("(pre) => pre.scrollHeight - pre.scrollTop - pre.clientHeight") < 8


def test_another_program_has_no_way_back_to_the_question(browser, served, has_playground) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    code = QUESTIONS["why-is-grad-none"].code
    page.goto(f"{served}play/?from=why-is-grad-none{link(code)}")
    opened, back = Play(page), page.locator("#from")
    opened.wait("Done")

    def shared():
        page.evaluate("() => navigator.clipboard.writeText('')")
        page.click("#share")
        opened.wait_for(lambda: page.evaluate("() => navigator.clipboard.readText()"))
        return page.evaluate("() => navigator.clipboard.readText()")

    edited = code.replace("2.0", "7.0") + "print('more')\n"
    opened.run(edited)
    expect(back).to_have_text("← Why is .grad None?")
    assert "?from=why-is-grad-none#" in shared()
    opened.write("print('another program')")
    assert "from=" not in shared() and unpacked(shared()) == "print('another program')"
    expect(back).to_be_hidden()
    opened.run(edited)  # the question's program again
    expect(back).to_be_visible()
    opened.run("import torch\nprint(torch.ones(2))")
    expect(back).to_be_hidden()
    assert "from=" not in page.url
    page.goto(f"{served}play/?from=why-is-grad-none{link('print(1)')}")  # an older link
    opened.wait("Done")
    expect(back).to_be_hidden()
    context.close()


@pytest.mark.parametrize("settings", [PHONE, dict(width=1280, color_scheme="dark")], ids=["phone", "dark"])
def test_a_folded_box_of_the_whole_graph_opens_and_closes(settings, play, snap) -> None:
    opened = play(code=FOLDED, **settings)
    opened.wait("Done")
    page = opened.page
    page.get_by_role("button", name="Whole graph").click()
    door, picture = page.get_by_role("button", name="Open mul"), page.locator(".graph .folded img")
    picture.wait_for()
    snap(page, f"play-folded-{settings['width']}", full_page=True)
    assert "30 × (mul)" in picture.get_attribute("alt")
    door.click()
    close = page.get_by_role("button", name="Close mul")
    expect(close).to_be_focused()
    assert "#29 = MulBackward0 of #28 and 1.5" in picture.get_attribute("alt")
    expect(page.get_by_role("button", name="Whole graph")).to_have_attribute("aria-pressed", "true")
    close.press("Enter")
    expect(door).to_be_focused()
    assert "30 × (mul)" in picture.get_attribute("alt")
    box, place = picture.bounding_box(), door.bounding_box()  # it lies on its box
    assert box["x"] < place["x"] and place["x"] + place["width"] < box["x"] + box["width"]


def test_the_program_and_the_picture_fade_out_where_they_go_on(play) -> None:
    opened = play(code=QUESTIONS["why-does-my-rnn-forget"].code, **PHONE)
    opened.wait("Done")
    page = opened.page
    expect(page.locator(".cm-scroller")).to_have_class(re.compile("viz-goes-right"))
    steps = page.frame_locator("iframe.steps").locator(".viz-step-picture")
    expect(steps).to_have_class(re.compile("viz-goes-right"))
    page.get_by_role("button", name="Whole graph").click()
    expect(page.locator(".scrolls")).to_have_class(re.compile("viz-goes-right"))
    opened.write("x = 1")
    expect(page.locator(".cm-scroller")).not_to_have_class(re.compile("viz-goes"))


def test_both_views_call_a_constant_by_the_same_name(play) -> None:
    opened = play(code=QUESTIONS["what-does-broadcasting-do-backward"].code)
    opened.wait("Done")
    page = opened.page
    name = page.frame_locator("iframe.steps").locator("svg > desc").text_content()
    assert "x is a constant" in name.replace("x = ? is", "x is")
    page.get_by_role("button", name="Whole graph").click()
    assert "MulBackward0 of x and b" in page.locator(".graph .folded img").get_attribute("alt")
