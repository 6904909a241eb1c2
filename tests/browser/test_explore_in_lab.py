"""The explorers in a real JupyterLab: a slider is dragged, a prediction typed, and the page shows what came of it."""

import re

import pytest
from labdriver import drag, expect

pytestmark = pytest.mark.browser


def look(notebook, panel, snap):
    """Screenshots in both themes."""
    for dark in (False, True):
        notebook.theme(dark)
        panel.scroll_into_view_if_needed()
        snap(notebook.page, "dark" if dark else "light")
    assert not notebook.errors() and not notebook.outside


@pytest.mark.parametrize("width", [1280, 800])
def test_the_nudge_runs_after_a_prediction_and_follows_a_slider(open_notebook, snap, width):
    notebook = open_notebook("import viz\npanel = viz.explore.nudge()\npanel", width=width)
    notebook.run_all()
    panel = notebook.output(0)
    picture = panel.locator("svg[role=img]")
    expect(picture).to_have_attribute(
        "aria-label", re.compile("The factors along these paths are hidden until you predict")
    )
    run, back = (panel.get_by_role("button", name=name) for name in ("Run the nudge", "Run backward"))
    expect(run).to_be_disabled()
    expect(panel.get_by_role("slider", name="w")).to_be_disabled()
    snap(notebook.page, "before")
    panel.get_by_title("your prediction").locator("visible=true").last.fill("0.03")
    notebook.page.keyboard.press("Enter")
    expect(panel).to_contain_text("This is only the contribution through a")
    run.click()
    plate = picture.locator(".viz-plate").nth(2)  # the last piece of the way through a
    expect(plate).to_have_css("opacity", "1", timeout=5000)  # it runs …
    snap(notebook.page, "running")
    expect(plate).to_have_css("opacity", "0", timeout=5000)  # … and is gone when it has arrived
    expect(picture.locator("text", has_text="+0.1001").first).to_be_visible()
    panel.get_by_role("button", name="nudge ÷ 10").click()
    expect(picture.locator("text", has_text="+0.010001").first).to_be_visible()
    back.click()
    expect(picture).to_have_attribute("aria-label", re.compile("3 \\+ 7 = 10, which is w.grad"))
    slider = panel.get_by_role("slider", name="w")
    drag(slider, -40)
    shown = slider.input_value()  # where the mouse has left it
    assert shown != "2"
    expect(panel.get_by_role("status").last).to_contain_text(f"w = {shown.replace('-', '−')}, x = 5 gives y = ")
    expect(panel.get_by_role("status").last).to_contain_text("of the code")
    expect(panel.get_by_title("your prediction").first).not_to_be_visible()  # its verdict was about another place
    assert float(notebook.run("print(panel.sliders['w'].value)")) == float(shown)
    look(notebook, panel, snap)


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_the_rectangle_grows_with_the_arrow_keys_and_shrinks_by_ten(open_notebook, snap, width):
    notebook = open_notebook("import viz\npanel = viz.explore.rectangle()\npanel", width=width)
    notebook.run_all()
    panel = notebook.output(0)
    picture, w = panel.locator("svg[role=img]").first, panel.get_by_role("slider", name="w")
    expect(panel.get_by_role("status")).to_contain_text("w grows from 2 to 3")
    w.focus()
    notebook.page.keyboard.press("ArrowLeft")
    expect(panel.get_by_role("status")).to_contain_text("w grows from 2 to 2.9")
    expect(picture).to_have_attribute("aria-label", re.compile("together 9.81"))
    notebook.page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("status")).to_contain_text("w grows from 2 to 3:")
    panel.get_by_role("button", name="nudge ÷ 10").press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("w grows from 2 to 2.1")
    expect(panel.get_by_role("button", name="nudge ÷ 10")).to_be_focused()
    expect(w).to_have_attribute("max", "2.2")
    w.focus()
    notebook.page.keyboard.press("ArrowRight")
    expect(panel.get_by_role("status")).to_contain_text("w grows from 2 to 2.11")
    smaller = panel.get_by_role("button", name="nudge ÷ 10")
    smaller.press("Enter")
    smaller.press("Enter")
    expect(smaller).to_be_disabled()
    expect(panel.get_by_role("button", name="back to nudge = 1")).to_be_focused()  # not lost to the page
    look(notebook, panel, snap)


@pytest.mark.parametrize("width", [1280, 800])
def test_the_needle_is_set_first_and_dragged_through_the_kink(open_notebook, snap, width):
    notebook = open_notebook("import viz\npanel = viz.explore.kink()\npanel", width=width)
    notebook.run_all()
    panel = notebook.output(0)
    picture, status = panel.locator("svg[role=img]").first, panel.get_by_role("status")
    claim = panel.get_by_role("button", name="What does backward claim?")
    expect(claim).to_be_disabled()
    needle = panel.get_by_role("slider", name="your needle")
    needle.focus()
    for _ in range(15):
        needle.press("ArrowRight")
    expect(picture).to_have_attribute("aria-label", re.compile("Your needle: 0.25, fits. backward claims: \\?"))
    claim.click()
    expect(picture).to_have_attribute("aria-label", re.compile("backward claims: 0, fits. Measured: \\?"))
    panel.get_by_role("button", name="gradcheck").click()
    expect(picture).to_have_attribute("aria-label", re.compile("Measured: 0.5. gradcheck: FAILS."))
    snap(notebook.page, "kink")
    drag(panel.get_by_role("slider", name="h", exact=True), 60)
    expect(status).to_contain_text("No kink here")
    expect(picture).to_have_attribute("aria-label", re.compile("backward claims: 1, fits. Measured: 1. gradcheck: OK"))
    panel.get_by_role("button", name="maximum").click()
    expect(picture).to_have_attribute("aria-label", re.compile("backward claims: \\?"))
    look(notebook, panel, snap)


@pytest.mark.parametrize("width", [1280, 800])
def test_scissors_cut_the_bars_and_not_the_curve(open_notebook, snap, width):
    notebook = open_notebook("import viz\npanel = viz.explore.scissors()\npanel", width=width)
    notebook.run_all()
    panel = notebook.output(0)
    picture, cut = panel.locator("svg[role=img]"), panel.get_by_role("button", name="✂ 2 | 3")
    expect(cut).to_be_disabled()
    snap(notebook.page, "before")
    panel.get_by_role("button", name="both").click()
    expect(panel).to_contain_text("keeps the values and cuts off their graph")
    expect(picture).to_have_attribute("aria-label", re.compile("reaches 32 of 32"))
    cut.click()
    expect(picture).to_have_attribute("aria-label", re.compile("reaches 16 of 32"))
    expect(picture.get_by_text("nothing arrives here")).to_be_visible()
    snap(notebook.page, "cut")
    panel.get_by_role("button", name="backward and optimizer").click()
    expect(panel).to_contain_text("Trying to backward through the graph a second time")
    panel.get_by_role("button", name="retain_graph").click()
    expect(panel.get_by_role("status").last).to_contain_text("Answer the question first. Then the training runs.")
    panel.get_by_role("button", name="slow, but it works").click()
    expect(panel).to_contain_text("modified by an inplace operation")
    look(notebook, panel, snap)


@pytest.mark.parametrize("width", [1280, 800])
def test_a_bar_is_predicted_with_mouse_or_keys_for_each_T_and_network(open_notebook, snap, width):
    notebook = open_notebook("import viz\npanel = viz.explore.unrolled()\npanel", width=width)
    notebook.run_all()
    panel = notebook.output(0)
    picture, status = panel.locator("svg[role=img]"), panel.get_by_role("status")
    guess, measure = panel.get_by_role("slider", name="your bar for h₀"), panel.get_by_role("button", name="Measure")
    hidden = re.compile("hidden until you predict")
    expect(picture).to_have_attribute("aria-label", hidden)
    expect(measure).to_be_disabled()
    drag(panel.get_by_role("slider", name="T", exact=True), 300)
    expect(status).to_contain_text("t T = 30, the graph has 254 nodes. Its leaves hold 1,153 numbers")
    expect(picture.locator("text", has_text="25 time steps")).to_be_visible()
    snap(notebook.page, "before")
    guess.focus()
    for _ in range(6):
        guess.press("ArrowLeft")
    expect(picture).to_have_attribute("aria-label", re.compile("Your bar for h₀ says 1/30. How large"))
    measure.click()
    expect(status).to_contain_text("You said 1/30, and we measured 1/46,000,000. The two are 6.2 powers of ten apart")
    expect(picture).to_have_attribute("aria-label", re.compile("Measured, compared with h₃₀: h₀ 1/46,000,000"))
    expect(guess).to_be_disabled()
    snap(notebook.page, "measured")
    panel.get_by_role("button", name="recurrent weights × 4").click()
    expect(picture).to_have_attribute("aria-label", hidden)
    panel.get_by_role("button", name="Show me").click()
    expect(status).to_contain_text("It is 5,300. On average, each time step multiplies the gradient by about 1.3.")
    panel.get_by_role("button", name="trained", exact=True).click()
    expect(picture).to_have_attribute("aria-label", hidden)
    drag(guess, -60)
    expect(measure).to_be_enabled()
    measure.click()
    expect(status).to_contain_text("and we measured 1/22,000")
    panel.get_by_role("checkbox", name="fold the time steps").click()
    expect(picture.locator("text", has_text="h₁₅")).to_be_visible()
    look(notebook, panel, snap)


def test_the_other_explorers_in_one_notebook(open_notebook, snap):
    notebook = open_notebook(
        "import minigrad as torch, viz\nviz.explore.memory()",
        "viz.explore.shelf()",
        "w = torch.ones(3, requires_grad=True)\nd = w.data\nviz.explore.storages(w, d)",
        "d.add_(1);",
        width=800,
    )
    notebook.run_all()
    held, lamp, mine = (notebook.output(cell) for cell in range(3))
    held.get_by_role("slider", name="T").press("Home")
    expect(held.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("After 1 steps"))
    held.get_by_role("slider", name="T").press("End")
    expect(held.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("After 60 steps"))
    snap(held, "memory")
    lamp.get_by_role("button", name="t = w.data").click()
    code, memory = lamp.locator("svg[role=img]").first, lamp.locator("svg[role=img]").last
    following = lamp.get_by_role("button", name="Next line")
    for line in ("y = w * w", "t = w.data", "with torch.no_grad"):
        following.press("Enter")
        expect(code).to_have_attribute("aria-label", re.compile(re.escape(line)))
    expect(memory).to_have_attribute("aria-label", re.compile("w .leaf, version 0.*t .no history, version 1"))
    following.press("Enter")
    expect(lamp.get_by_role("button", name="Back to line 1")).to_be_focused()
    expect(lamp).to_contain_text("runs t = w.data and t.add_(1)")  # its own question is there, not the last one's
    lamp.get_by_role("button", name="an error").click()
    expect(lamp).to_contain_text("Do the two differ?")
    expect(memory).to_have_attribute("aria-label", re.compile("What will backward do"))
    lamp.get_by_role("button", name="silently wrong").click()
    expect(memory).to_have_attribute("aria-label", re.compile("a silently wrong gradient: w.grad = 8, should be 6"))
    snap(lamp, "lamp")
    expect(mine.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("d .no history, version 0"))
    mine.get_by_role("button", name="Look again").click()
    expect(mine.locator("svg[role=img]")).to_have_attribute("aria-label", re.compile("d .no history, version 1"))
    look(notebook, mine, snap)


@pytest.mark.parametrize("width", [1280, 800])
def test_an_amount_is_typed_and_lands_and_a_second_pass_stops(open_notebook, snap, width):
    once, more = "import viz\npanel = viz.explore.ledger()\npanel", "panel = viz.explore.ledger(again=True)\npanel"
    notebook = open_notebook(once, more, width=width)
    notebook.run_all()
    panel, keys = notebook.output(0), notebook.page.keyboard
    picture = panel.locator("svg[role=img]")
    again, onward = (panel.get_by_role("button", name=name) for name in ("Run backward again", "Next"))
    typed = panel.get_by_title("your prediction").locator("visible=true")
    expect(again).to_be_hidden()  # the first pass is enough to read
    expect(onward).to_be_disabled()
    expect(picture).to_have_attribute("aria-label", re.compile("brings to w is hidden until you predict it"))
    snap(notebook.page, "before")
    typed.fill("5")
    keys.press("Enter")
    expect(panel).to_contain_text("5 is b itself")
    typed.fill("6")
    keys.press("Enter")
    plate = picture.locator(".viz-plate").last
    expect(plate).to_have_css("animation-name", "viz-run")  # it runs …
    snap(notebook.page, "running")
    line = picture.locator(".viz-appears", has_text="+ 6")
    expect(line).to_have_css("opacity", "1", timeout=5000)  # … and lands in the book
    expect(plate).to_have_css("opacity", "0")
    expect(picture.get_by_text("Σ 6 + ?", exact=True)).to_be_visible()
    expect(picture.get_by_text("None", exact=True)).to_be_visible()
    snap(notebook.page, "landed")
    for said in ("None", "5"):
        expect(onward).to_be_enabled()
        onward.focus()
        keys.press("Enter")
        expect(typed).to_have_value("")
        typed.fill(said)
        keys.press("Enter")
        expect(panel).to_contain_text(f"✓ {said}.")
    expect(picture.get_by_text("Σ 6 + 5 = 11", exact=True)).to_be_visible()
    expect(onward).to_be_hidden()
    expect(again).to_be_hidden()
    snap(notebook.page, "written")

    panel = notebook.output(1)  # the second sitting's: the first pass is in the book, and the second one waits
    picture = panel.locator("svg[role=img]")
    again = panel.get_by_role("button", name="Run backward again")
    typed = panel.get_by_title("your prediction").locator("visible=true")
    expect(typed).to_have_value("")
    expect(again).to_be_disabled()
    typed.fill("error")
    keys.press("Enter")
    expect(panel.get_by_role("status").last).to_contain_text("RuntimeError: Trying to backward")
    expect(picture.get_by_text("✗ stopped at ×", exact=True)).to_be_visible()
    expect(picture).to_have_attribute("aria-label", re.compile("w.grad contains 11. The drawer under × is empty"))
    look(notebook, panel, snap)
    panel.get_by_label("retain_graph=True").check()
    panel.get_by_role("button", name="Run all the code again").click()
    panel.get_by_label("retain_graph=True").uncheck()  # the first call alone has it
    again.click()
    expect(typed).to_have_value("")
    typed.fill("22")
    keys.press("Enter")
    expect(picture.locator(".viz-appears", has_text="11 + 11 = 22")).to_have_css("opacity", "1", timeout=8000)
    code = r"y\.backward\(retain_graph=True\)  # w\.grad = 11\s+y\.backward\(\)  # w\.grad = 22"
    expect(panel.locator("pre")).to_contain_text(re.compile(code))
    snap(panel, "retained")
    panel.get_by_role("button", name="y = w + 1", exact=True).click()
    expect(panel).to_contain_text("Which gradient reaches w?")
    typed.fill("1")
    keys.press("Enter")
    expect(picture.get_by_text("Σ 1", exact=True)).to_be_visible()
    snap(panel, "no drawer")
    assert notebook.run("print(panel.account.grad, len(panel.passes), panel.graphs)").strip() == "1.0 1 3"
