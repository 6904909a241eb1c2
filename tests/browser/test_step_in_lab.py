"""The stepper in a real JupyterLab: buttons, keyboard, scrubbing, predictions; and the exported page by itself."""

import re
import subprocess
import sys

import pytest
from labdriver import expect

pytestmark = pytest.mark.browser

SETUP = """
import minigrad as torch, viz
w = torch.tensor([2.0], requires_grad=True)
x = torch.tensor([5.0], requires_grad=True)
"""
TAPE = """
with viz.record() as tape:
    a = w + x
    b = w + 1
    y = a * b
    y.backward()
tape
"""
PREDICT = 'viz.step(tape, predict="all")'
GRADIENTS = "viz.step(tape, predict=True)"
AGAIN = "viz.step(y)"
LAST = 10  # three operators forward, seven steps back, with the start before them and the end among the last


class Stepper:
    """What a test does with one player, and what it sees."""

    def __init__(self, place):
        self.box = place.locator(".viz-step")
        expect(self.box).to_be_visible()
        self.words = self.box.locator(".viz-step-words")
        self.ask = self.box.locator(".viz-step-ask")
        self.slider = self.box.locator("input[type=range]")

    def press(self, *keys):
        for key in keys:
            self.box.press(key)

    def is_at(self, step, words=""):
        expect(self.box).to_have_attribute("data-step", str(step))
        expect(self.words).to_contain_text(words)

    def button(self, label):
        return self.box.get_by_role("button", name=label, exact=True)

    def texts(self, node):
        """All that stands in a node of the picture."""
        return self.box.locator(f".viz-step-picture g[id$='-{node}'] text").all_text_contents()

    def gradients(self):
        """How many arrows show a gradient."""
        return self.box.locator(".viz-extra.viz-on path").count() // 2


def test_the_keyboard_the_buttons_and_the_slider_step(open_notebook, snap):
    notebook = open_notebook(SETUP, TAPE, AGAIN)
    notebook.run_all()
    stepper = Stepper(notebook.output(1))
    stepper.is_at(LAST, "w.grad = 10, x.grad = 3")  # who touches nothing has seen the point
    snap(stepper.box, "end")

    stepper.press("Home")
    stepper.is_at(0, "Before the first operator")
    expect(stepper.button("Step back")).to_be_disabled()
    stepper.press("ArrowRight", "ArrowRight")
    stepper.is_at(2, "b = w + 1: 2 + 1 = 3.")
    expect(stepper.box.locator(".viz-here mark")).to_have_text("w + 1")
    snap(stepper.box, "forward")
    stepper.press("ArrowLeft")
    stepper.is_at(1, "a = w + x: 2 + 5 = 7.")
    stepper.press("End")
    stepper.is_at(LAST)

    stepper.button("Restart").click()
    stepper.is_at(0)
    stepper.box.locator("select").select_option("10")
    stepper.button("Play").click()
    stepper.is_at(LAST)
    expect(stepper.button("Play")).to_be_visible()  # no longer "Pause"
    stepper.press("Home", " ")  # the space bar plays, too
    expect(stepper.button("Pause")).to_be_visible()
    stepper.is_at(LAST)

    stepper.slider.fill("5")
    stepper.is_at(5, "× passes to a: gradient 1 × slope 3 = 3. The slope for a is b.")
    assert stepper.gradients() == 2 and "—" in stepper.texts("n0")
    stepper.slider.fill("8")
    stepper.is_at(8, "The sum for w is 7 + 3 = 10; w.grad = 10")
    assert "10" in stepper.texts("n0") and stepper.texts("s0") == ["Σ 7 + 3 = 10"]
    notebook.theme(dark=True)
    snap(stepper.box, "backward-dark")
    stepper.slider.fill("1")
    assert stepper.gradients() == 0 and "—" in stepper.texts("n0")
    assert notebook.page.locator(".jp-CodeCell").count() == 3  # no key has reached JupyterLab's own shortcuts
    assert "freed" in notebook.output(2).inner_text() or not notebook.errors()
    assert not notebook.errors() and not notebook.outside


def test_a_number_is_hidden_until_one_has_been_typed(open_notebook, snap):
    notebook = open_notebook(SETUP, TAPE, PREDICT)
    notebook.run_all()
    stepper = Stepper(notebook.output(2))
    stepper.is_at(0)
    stepper.press("End", "ArrowRight")
    stepper.is_at(0)
    expect(stepper.ask).to_contain_text("What is a = w + x = 2 + 5?")
    assert "7" not in "".join(stepper.texts("n3") + stepper.texts("n8"))
    snap(stepper.box, "asks")
    field = stepper.ask.locator("input")
    expect(field).to_be_focused()
    field.press("Enter")
    stepper.is_at(0, "Type a number first.")
    field.fill("7")
    field.press("Enter")
    stepper.is_at(1, "✓ 7. a = w + x: 2 + 5 = 7.")
    expect(stepper.ask).not_to_be_visible()

    stepper.button("Play").click()  # plays up to the next question
    expect(field).to_be_focused()
    field.fill("4")
    stepper.ask.get_by_role("button", name="Check").click()
    stepper.is_at(1, "✗ 4. Try again.")
    expect(field).to_be_focused()
    snap(stepper.box, "wrong")
    stepper.button("Show me").click()
    stepper.is_at(2, "The answer is 3. b = w + 1: 2 + 1 = 3.")
    expect(stepper.button("Show me")).not_to_be_visible()
    stepper.slider.fill("9")
    stepper.is_at(2, "Predict step 3 first")  # the slider stops at a question, and says why
    expect(stepper.words).not_to_contain_text("The answer")  # what was said of the last answer
    expect(stepper.ask).to_contain_text("What is y = a × b = 7 × 3?")
    for answer in ("21", None, "3", "7", "7", "10"):
        stepper.button("Step forward").click()
        if answer:
            field.fill(answer)
            field.press("Enter")
    stepper.is_at(8, "✓ 10.")
    assert not notebook.errors()


def test_nothing_moves_when_it_asks_and_the_keys_go_on(open_notebook, snap):
    notebook = open_notebook(SETUP, TAPE, GRADIENTS, "done = 7")
    notebook.run_all()
    stepper, keys = Stepper(notebook.output(2)), notebook.page.keyboard
    picture = stepper.box.locator(".viz-step-picture")

    def top():
        return picture.evaluate(
            "e => e.getBoundingClientRect().top - e.closest('.viz-step').getBoundingClientRect().top"
        )

    where = top()
    stepper.box.focus()
    keys.press("End")  # forward is not asked for: its numbers stand in the picture
    stepper.is_at(4, "Predict step 5 first")
    assert top() == where
    snap(stepper.box, "asks")
    stepper.button("Step back").focus()
    keys.press("Home")
    stepper.is_at(0)
    assert top() == where
    keys.press("ArrowRight")  # the button that had the focus is off now, and hears no key
    stepper.is_at(1)
    stepper.button("Restart").click()
    keys.press("ArrowRight")
    stepper.is_at(1)
    keys.press("End")
    field, show = stepper.ask.locator("input"), stepper.button("Show me")
    keys.press("ArrowRight")
    for wrong, reply in (
        ("1", "✗ 1. This is the gradient that arrives at ×. Multiply it by this operator's slope with respect to a."),
        ("7", "✗ 7. This is the value of a. The question asks for a gradient."),
        ("8", "✗ 8. The gradient 1 arrives at ×. Multiply it by this operator's slope with respect to a."),
    ):
        field.fill(wrong)
        field.press("Enter")
        stepper.is_at(4, reply)
        expect(field).to_be_focused()
        expect(show).to_be_visible()
        assert top() == where
    for answer in ("3", "7", "7", "10", "3"):
        if not stepper.ask.locator("input").is_visible():
            keys.press("ArrowRight")
        expect(stepper.ask.locator("input")).to_be_visible()
        stepper.ask.locator("input").focus()
        keys.type(answer)
        keys.press("Enter")
        expect(stepper.words).to_contain_text(f"✓ {answer}.")
        assert top() == where
    keys.press("ArrowRight")
    stepper.is_at(LAST)
    keys.press("ArrowLeft")
    stepper.is_at(LAST - 1)
    keys.press("Shift+Enter")  # goes on to the next cell, and runs this one
    notebook.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex === 3")
    assert notebook.page.locator(".jp-CodeCell").count() == 4
    assert not notebook.errors()


def test_what_waits_can_be_read_and_what_is_cut_has_a_bar(open_notebook, snap):
    notebook = open_notebook(SETUP, TAPE, GRADIENTS, width=800)
    notebook.run_all()
    picture = Stepper(notebook.output(2)).box.locator(".viz-step-picture")
    sizes = "e => [e.clientWidth, e.scrollWidth, e.offsetHeight - e.clientHeight, e.querySelector('svg').clientWidth]"
    room, needed, bar, svg = picture.evaluate(sizes)
    own = picture.evaluate("e => e.querySelector('svg').viewBox.baseVal.width")
    assert svg >= own / 1.71 and (needed <= room or bar >= 10)
    notebook.theme(dark=True)
    shown = picture.locator("g.later").first.evaluate(
        "g => { const s = getComputedStyle(g.querySelector('rect, path')); return [s.opacity, s.strokeDasharray]; }"
    )
    assert shown[0] == "1" and "5px" in shown[1]
    assert picture.locator("g.later").first.evaluate("g => getComputedStyle(g).opacity") == "1"
    snap(notebook.page, "dark-800")
    notebook.theme(dark=False)
    snap(notebook.page, "light-800")


def test_stored_in_a_notebook_it_is_a_picture_for_strangers_and_steps_when_exported(
    open_notebook, lab, browser, snap, tmp_path
):
    first = open_notebook(SETUP, TAPE)
    first.run_all()
    Stepper(first.output(1))
    first.save()
    stored = max(lab.folder.glob("*.ipynb"), key=lambda path: path.stat().st_mtime)
    foreign = tmp_path / "foreign.ipynb"
    foreign.write_text(
        stored.read_text(encoding="utf-8").replace("b = w + 1", "b = w + 1  # by somebody else"), encoding="utf-8"
    )
    image = open_notebook(foreign).output(1).locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("img => [img.width * 2, img.alt.slice(-30)]") == [
        image.evaluate("img => img.naturalWidth"),
        "Done. w.grad = 10, x.grad = 3.",
    ]
    snap(image, "foreign")

    export = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--log-level=ERROR"]
    export += ["--ExecutePreprocessor.store_widget_state=False", foreign]  # else it wants scripts from a CDN
    subprocess.run(export, env=lab.environ, check=True)
    page = browser.new_page()
    page.goto(foreign.with_suffix(".html").as_uri())
    stepper = Stepper(page)
    stepper.press("Home", "ArrowRight")
    stepper.is_at(1, "a = w + x: 2 + 5 = 7.")
    snap(page, "nbconvert")
    page.close()


def test_the_exported_page_steps_without_kernel_server_or_network(browser, snap, tmp_path):
    import minigrad as torch
    import viz

    title = "<script>document.title = 'hacked'</script>"
    w, x = (torch.tensor([number], requires_grad=True) for number in (2.0, 5.0))
    y = (w + x) * (w + 1)
    viz.step(y, names={title: w, "x": x, "y": y}).save(tmp_path / "step.html")
    viz.step(y, names={"w": w, "y": y}, lang="zh", predict="all").save(tmp_path / "zh.html")
    for scheme in ("light", "dark"):
        page = browser.new_context(viewport={"width": 800, "height": 600}, color_scheme=scheme).new_page()
        asked, errors = [], []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.on("pageerror", lambda error, errors=errors: errors.append(error))
        page.goto((tmp_path / "step.html").as_uri())
        stepper = Stepper(page)
        stepper.press("Home", "ArrowRight")
        stepper.is_at(1, title)
        assert page.title().startswith("Stepper") and title in "".join(stepper.box.locator("svg").all_text_contents())
        stepper.press("End")
        paper = page.evaluate("() => getComputedStyle(document.querySelector('.viz-step svg .mg-paper')).fill")
        assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 17, 17)"}[scheme]
        snap(page, scheme)
        assert len(asked) == 1 and not errors
        page.goto((tmp_path / "zh.html").as_uri())
        stepper = Stepper(page)
        stepper.press("ArrowRight")
        expect(stepper.ask).to_contain_text("等于多少")
        assert re.search("[一-鿿]", stepper.button("前进一步").get_attribute("title"))
        snap(page, f"zh-{scheme}")
        page.context.close()


def test_a_net_over_ten_time_steps_stands_in_rows_and_each_step_is_in_view(browser, snap, tmp_path):
    """Folded it was 2,807 pixels wide, where the window has 1,156."""
    import minigrad as torch
    import viz

    rnn, out = torch.nn.RNN(1, 32, batch_first=True), torch.nn.Linear(32, 1)
    x = torch.ones(1, 10, 1)
    with viz.record(names={"x": x}) as tape:
        r_out, _ = rnn(x, None)
        torch.nn.MSELoss()(torch.stack([out(r_out[:, t, :]) for t in range(10)], dim=1), x).backward()
    steps = viz.step(tape)
    assert steps.folded
    steps.save(tmp_path / "rnn.html")
    page = browser.new_context(viewport={"width": 1156, "height": 600}).new_page()
    page.goto((tmp_path / "rnn.html").as_uri())
    stepper, picture = Stepper(page), page.locator(".viz-step-picture")
    assert picture.evaluate("pane => pane.scrollWidth <= pane.clientWidth")
    stepper.press("Home")
    seen = 0
    for _ in range(1, len(steps.events)):
        stepper.press("ArrowRight")
        seen += picture.evaluate("""pane => {
            const lit = [...pane.querySelectorAll('.viz-now-forward, .viz-now-backward')];
            const frame = pane.getBoundingClientRect(), places = lit.map(element => element.getBoundingClientRect());
            return places.some(place => place.top >= frame.top && place.bottom <= frame.bottom);
        }""")
    stepper.is_at(len(steps.events) - 1)
    assert seen > 200
    snap(page, "rows")
    page.context.close()
