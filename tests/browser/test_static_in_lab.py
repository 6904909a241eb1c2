"""Lesson 11's explorers in a real JupyterLab: marked, run, dragged, measured, by a mouse and a keyboard."""

import re
from pathlib import Path

import pytest
from labdriver import PROJECT, expect

pytestmark = pytest.mark.browser

LESSON = Path(PROJECT, "notebooks", "11_static_graph.ipynb")


def test_the_lessons_explorers_answer(open_notebook, snap):
    notebook = open_notebook(LESSON)
    notebook.run_all()
    page = notebook.page
    panel = page.locator(".jp-OutputArea-output", has=page.locator(".widget-toggle-button")).first
    toggles, status = panel.locator(".lm-Widget.widget-toggle-button"), panel.locator("[role=status]")

    # the ring: nothing is lit before Run; a wrong mark is told
    rings = page.locator("svg", has_text="FETCHED").locator(".mg-operator rect[stroke='#0072B2']")
    expect(status.first).to_have_text("Fetch z: mark what it needs, then press Run.")
    expect(toggles.get_by_text("z", exact=True)).to_be_hidden()  # what is fetched is not asked about
    shown = rings.count()
    pressed = panel.locator("svg .viz-press", has=page.get_by_text("b", exact=True))
    pressed.click()  # a node in the picture does what its button does
    expect(toggles.get_by_text("b", exact=True)).to_have_class(re.compile("mod-active"))
    pressed.click()
    expect(toggles.get_by_text("b", exact=True)).not_to_have_class(re.compile("mod-active"))
    pressed.click()
    panel.locator("svg .viz-press", has=page.get_by_text("z", exact=True)).click()  # the fetched one keeps its ring
    toggles.get_by_text("a", exact=True).click()
    panel.locator("button", has_text="Run").click()
    expect(status.first).to_contain_text("a did not run")
    expect(rings.nth(shown)).to_be_visible()  # b has one now
    snap(page, "ring")

    # the still machine: after a prediction the loop stays where and what it is, its counter moves, and the right grows
    machine = page.locator(".jp-OutputArea-output", has=page.locator("svg .viz-still")).last
    slider, words = machine.locator(".viz-slider input"), machine.locator("svg > text")
    loop = machine.locator("svg .viz-still")
    before, box = loop.inner_html(), loop.bounding_box()
    expect(slider).to_be_disabled()
    machine.locator(".viz-predict button", has_text="4 and 16").click()
    expect(slider).to_be_enabled()
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(words.nth(1)).to_have_text(re.compile("14 operators"))
    expect(machine.locator("[role=status]", has_text="T = 7")).to_be_visible()
    assert loop.inner_html() == before and loop.bounding_box()["width"] == box["width"]
    expect(machine.get_by_text("iteration 7 of 7")).to_be_visible(timeout=15000)
    snap(page, "machine")

    # the race: hidden, then measured here
    measure = page.get_by_role("button", name="Measure on this machine")
    measure.press("Enter")
    measured = page.locator(".jp-OutputArea [role=status]", has_text=re.compile(r"built in [\d.]+ ms"))
    expect(measured).to_be_visible(timeout=60000)
    expect(measure).to_be_focused()
    snap(page, "race")

    # the questions: an answer to one leaves open what the reader has opened below another
    before, after = page.locator(".viz-asks").first, page.locator(".viz-asks").last
    before.locator(".viz-ask").first.get_by_role("button", name="3.0").click()
    expect(before.locator(".viz-ask").first).to_contain_text("Noted")
    after.locator(".viz-ask").first.get_by_role("button", name="1.0").click()
    first = after.locator("details.viz-ask-first")
    first.locator("summary").click()
    after.locator(".viz-ask").last.get_by_role("button", name="1000").click()
    expect(after.locator(".viz-ask").last).to_contain_text("✗ 1000")
    expect(first).to_have_attribute("open", "")
    assert not notebook.outside
