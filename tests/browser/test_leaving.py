"""Explorers saved as pages, in Chromium without a network: by touch, by keyboard, light and dark, 390 pixels wide."""

import functools

import pytest
from labdriver import expect
from test_viz_predict import SUMS, UNREAD

import viz
from viz.explore.leaving import key_of, made, tame

pytestmark = pytest.mark.browser
EXPLORERS = ["rectangle", "nudge", "ledger", "kink", "shelf", "unrolled"]


@functools.cache
def page_of(name):
    return getattr(viz.explore, name)().leaves()


@pytest.fixture
def visit(browser, tmp_path):
    """visit(name, …) opens the page of an explorer; what it complained of is page.said."""
    contexts = []

    def visit(name, width=390, **settings):
        path = tmp_path / f"{name}.html"
        page_of(name).save(path)
        contexts.append(browser.new_context(viewport=dict(width=width, height=800), offline=True, **settings))
        page = contexts[-1].new_page()
        page.said = []
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("console", lambda message: page.said.append(message.text))
        page.on("request", lambda request: page.said.append(request.url) if "file:" not in request.url else None)
        page.goto(path.as_uri())
        if settings.get("java_script_enabled", True):
            page.wait_for_selector("[data-ready]")
        return page

    yield visit
    for context in contexts:
        context.close()


def same(page, one, state):
    """Does the page show what was recorded for this state?"""
    for i, place in ((i, part) for i, part in enumerate(one.parts) if part.kind == "picture"):
        markup = tame(place.contents[key_of(place.by, state)], f"p{i}f")
        assert page.evaluate(
            """(markup) => {
                const one = document.createElement('div');
                one.innerHTML = markup;
                const shown = [...document.querySelectorAll('.viz-leave-pictures > div')];
                return shown.some(e => e.innerHTML === one.innerHTML);
            }""",
            markup,
        )


@pytest.mark.parametrize("name", EXPLORERS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_a_narrow_window_and_every_control_has_a_name(name, scheme, visit, snap):
    for width in (390, 1280):
        page = visit(name, width, color_scheme=scheme)
        same(page, page_of(name), page_of(name).start)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for control in page.locator("input, button").all():
            if control.is_visible():
                named = control.evaluate("e => e.ariaLabel || e.innerText || e.labels?.[0]?.innerText")
                assert named and named.strip()
                if control.get_attribute("type") != "checkbox":  # its label is what a finger meets
                    assert control.bounding_box()["height"] >= 43
        light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert light == (scheme == "light")
        assert not page.said
        snap(page, f"{name}-{scheme}-{width}")


@pytest.mark.parametrize("name", EXPLORERS)
def test_without_scripts_there_is_the_first_picture_and_a_sentence(name, visit):
    page = visit(name, java_script_enabled=False)
    expect(page.locator("svg").first).to_be_visible()
    expect(page.locator(".viz-still")).to_contain_text("only its first picture")


def test_the_rectangle_by_keyboard_keeps_the_focus_and_tells_the_change(visit):
    page, one, state = visit("rectangle"), page_of("rectangle"), dict(page_of("rectangle").start)
    slider = page.get_by_role("slider", name="w")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    state["w"] -= 1
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "2.9")
    same(page, one, state)
    expect(page.locator(".viz-leave-heard")).to_contain_text("together 9.81")
    button = page.get_by_role("button", name="nudge ÷ 10")
    button.focus()
    for _ in range(4):  # once more than there are steps
        page.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    same(page, one, state | {"step": 3, "moving": 1})
    assert not page.said


def test_the_kink_by_touch(visit):
    page, one = visit("kink", has_touch=True, is_mobile=True), page_of("kink")
    claim = page.get_by_role("button", name="What does backward claim?")
    expect(claim).to_have_attribute("aria-disabled", "true")
    needle = page.get_by_role("slider", name="your needle")
    box = needle.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    state = one.start | {"needle": int(needle.input_value())}
    same(page, one, state)
    claim.tap()
    page.get_by_role("button", name="gradcheck").tap()
    state |= {f"known.0.{one.start['h']}": 1, "checked.0": 1}
    same(page, one, state)
    page.get_by_role("button", name="maximum").tap()
    same(page, one, state | {"name": 2})
    expect(claim).to_have_attribute("aria-disabled", "false")
    assert not page.said


def test_the_nudge_is_locked_until_it_is_predicted(visit):
    page, one = visit("nudge", reduced_motion="reduce"), page_of("nudge")
    run = page.get_by_role("button", name="Run the nudge")
    expect(run).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_role("slider", name="w")).to_be_disabled()
    field = page.get_by_role("textbox")
    field.fill("0,03")
    field.press("Enter")
    expect(page.locator(".viz-leave-said")).to_contain_text("✗ 0,03. This is only the contribution through a")
    expect(field).to_be_focused()
    field.fill("1/10")
    field.press("Enter")
    expect(page.locator(".viz-leave-said")).to_contain_text("✓ 0.1001 (1/10 = 0.1).")
    run.click()
    same(page, one, one.start | {"tried": 1, "way": 1, "moving": 1})
    assert page.locator(".viz-plate").first.evaluate("e => getComputedStyle(e).opacity") == "0"  # the last frame
    assert not page.said


def test_what_is_typed_is_read_as_in_the_notebook(visit):
    """explore/leaving.js and lesson/typed.py read the same answers in the same way."""
    page = visit("nudge", reduced_motion="reduce")
    field, said, question = page.get_by_role("textbox"), page.locator(".viz-leave-said"), viz.explore.nudge().question
    for typed in [
        *SUMS,
        *UNREAD,
        "0.03 + 0.07",
        "1/10",
        "0,03+0,07",
        "2^3/80",
        ".1",
        "1e-1",
        "crash",
        "nothing",
        "1/3",
    ]:
        field.fill(typed)
        field.press("Enter")
        told = question.check(typed)
        shown = said.inner_text().replace("\xa0", " ")
        assert shown == told.replace("`", "").strip(), typed
    assert not page.said


def test_the_ledger_goes_from_question_to_question(visit):
    page, one, state = visit("ledger"), page_of("ledger"), dict(page_of("ledger").start)
    for said in ("5", "6", "None", "5"):
        field = page.get_by_role("textbox")
        field.fill(said)
        page.get_by_role("button", name="Check").click()
        if said == "5" and state.get("at", 0) == 0:
            expect(page.locator(".viz-leave-said")).to_contain_text("✗ 5.")
            if "wrong" not in state:
                state["wrong"] = 1
                continue
        expect(page.locator(".viz-leave-said")).to_contain_text("✓")
        asked = one.questions[int(one.at("asks", **state)[0])]
        state = made(state, asked.done)
        same(page, one, state)
        following = page.get_by_role("button", name="Next")
        if following.get_attribute("aria-disabled") == "false":
            following.click()
            moves = dict(each.split(":") for each in one.at("moves", **state)[0].split(","))
            state = made(state, one.moves[int(moves["next"])])
            same(page, one, state)
    page.get_by_role("button", name="Run backward again").click()
    page.get_by_role("textbox").fill("error")
    page.get_by_role("textbox").press("Enter")
    expect(page.locator(".viz-leave-said")).to_contain_text("✓ error.")
    assert not page.said


def test_the_shelf_runs_line_by_line_and_the_accordion_is_measured(visit):
    page = visit("shelf")
    onward = page.get_by_role("button", name="Next line")
    for _ in range(4):
        onward.click()
    expect(onward).to_have_attribute("aria-disabled", "true")
    same(page, page_of("shelf"), {"way": 0, "line": 4})
    page.get_by_role("button", name="silently wrong").click()
    expect(page.locator(".viz-leave-said")).to_contain_text("✗ a silently wrong gradient.")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".viz-leave-said")).to_contain_text("an error")
    same(page, page_of("shelf"), {"way": 0, "line": 4, "done.0": 1})
    page, one = visit("unrolled"), page_of("unrolled")
    page.get_by_role("slider", name="T").fill("4")
    bar = page.get_by_role("slider", name="your bar for h₀")
    bar.fill("4")
    page.get_by_role("button", name="Measure").click()
    expect(bar).to_be_disabled()
    same(page, one, one.start | {"T": 4, "guess": 4, "given.0.4": 6})
    expect(page.locator("body")).to_contain_text("powers of ten")
    assert not page.said
