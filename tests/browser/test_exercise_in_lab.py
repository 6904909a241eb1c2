"""An exercise in a real JupyterLab: the gap is filled, checked, hinted at and solved, by mouse and by keyboard; lines
are put in order; a prediction and the questions before a lesson hand the keyboard back, so that Shift+Enter goes on.
"""

import re

import pytest
from labdriver import expect

pytestmark = pytest.mark.browser

HEAD = """import minigrad as torch
import viz

q1 = viz.exercise("relu_backward")


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        return h.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (h,) = ctx.saved_tensors
        {}


q1.check(MyReLU)"""
ORDER = """from viz.lesson.task import TASKS, Wrong, order

order(
    "three lines",
    task="Put the lines in order.",
    frame="def descend(w):\\n    {lines}\\n    return w",
    lines=["a = w + 1", "b = a * 2", "w = a + b"],
    points=lambda torch, random: [(2.0,)],
    hints=["What does the second line need?", "a first."],
    wrong=[Wrong("", "b needs a.", order=(1, 0, 2))],
    shown=(1, 0, 2),
)
viz.exercise("three lines")"""

QUESTION = """import viz
from viz.lesson.ask import PROBES, Ask, probe

choices = {"0": "Nothing has moved.", "1": "All of it arrives.", "an error": "Nobody complains."}
same = dict(ask="What is `h.grad`?", choices=choices, right="1", proof="answer = 1")
PROBES.pop(99, None)
probe(99, "what arrives", before=Ask(**same), after=Ask(**same))
viz.before(99)"""


def fill(notebook, number, source):
    """Type `source` over what stands in a cell."""
    notebook.page.evaluate(
        """([number, source]) => window.jupyterapp.shell.currentWidget.content.widgets
            .filter(cell => cell.model.type === 'code')[number].model.sharedModel.setSource(source)""",
        [number, source],
    )


def is_whole(page, box):
    """Nothing of the box is cut off: it stands inside the window, and what is wider than its frame can be scrolled."""
    return box.evaluate(
        """box => [box, ...box.querySelectorAll('*')].every(e => e.scrollWidth <= e.clientWidth + 1
            || ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) || getComputedStyle(e).display === 'inline'
            || !e.clientWidth) && box.getBoundingClientRect().right <= window.innerWidth"""
    )


def test_a_cell_that_python_cannot_read_keeps_its_task(open_notebook, snap):
    notebook = open_notebook(HEAD.format("return ..."), HEAD.format("return grad_output *"), width=1280)
    notebook.run_all()
    box = notebook.output(1).locator(".viz-exercise")  # below the SyntaxError
    expect(box.get_by_role("status")).to_contain_text("The cell stopped before the check.")
    box.get_by_role("button", name="Hint").click()
    expect(box.get_by_role("listitem")).to_have_count(1)
    snap(notebook.page, "stopped")
    fill(notebook, 1, HEAD.format("return grad_output * (h > 0)"))
    box.get_by_role("button", name="Check").click()
    expect(box.get_by_role("status")).to_contain_text("Right")
    expect(box).to_have_count(1)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_a_gap_is_filled_and_checked(open_notebook, snap, width, dark):
    notebook = open_notebook(HEAD.format("..."), "print('the next cell')", width=width)
    notebook.theme(dark)
    notebook.run_all()
    page, box = notebook.page, notebook.output(0).locator(".viz-exercise")
    verdict = box.get_by_role("status")
    expect(verdict).to_have_text("Not tried yet. Fill in the ... and run this cell.")
    expect(box.get_by_role("button", name="Solution")).to_be_disabled()
    assert is_whole(page, box)

    fill(notebook, 0, HEAD.format("return (h > 0) * 1.0"))
    box.get_by_role("button", name="Check").click()  # runs the cell: what is checked is what stands there
    expect(verdict).to_contain_text(
        "expected gradient [0, −2], your code gave [0, 1]. Your backward function returns only the slope."
    )
    snap(page, "wrong")
    assert verdict.evaluate("e => getComputedStyle(e).borderTopStyle") == "dashed"
    hint = box.get_by_role("button", name="Hint")
    hint.click()
    expect(box.get_by_role("listitem")).to_have_count(1)
    hint.focus()
    page.keyboard.press("Enter")
    expect(box.get_by_role("listitem")).to_have_count(2)
    expect(hint).to_have_text("Hint 2/3")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    code = box.get_by_label("Solution", exact=True).locator("visible=true").last
    expect(code).to_contain_text("return grad_output * (h > 0)")
    assert is_whole(page, box)
    snap(page, "solution")
    box.get_by_role("button", name="Hide the solution").click()
    expect(box.locator("pre:visible")).to_have_count(0)

    fill(notebook, 0, HEAD.format("while True: pass"))
    notebook.run("viz.lesson.exercise.Exercise.seconds = 0.5")
    box.get_by_role("button", name="Check").press("Enter")
    expect(verdict).to_contain_text("your code was still running, in line 16, while True: pass", timeout=20_000)
    fill(notebook, 0, HEAD.format("return grad_output * (h > 0)"))
    box.get_by_role("button", name="Check").click()
    expect(verdict).to_contain_text("✓ Right.")
    expect(box.get_by_role("listitem")).to_have_count(2)  # what was asked for stays
    snap(page, "right")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell").nth(1)).to_have_class(re.compile("jp-mod-active"))
    assert not notebook.errors() and not notebook.outside


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_lines_are_put_in_order_by_keyboard_buttons_and_mouse(open_notebook, snap, width, dark):
    notebook = open_notebook("import viz\n\nviz.forget()", ORDER, width=width)
    notebook.theme(dark)
    notebook.run_all()
    page, box = notebook.page, notebook.output(1).locator(".viz-exercise")
    lines, verdict = box.get_by_role("listitem"), box.get_by_role("status")
    check = box.get_by_role("button", name="Check")
    expect(lines.locator("pre")).to_have_text(["b = a * 2", "a = w + 1", "w = a + b"])
    check.click()
    expect(verdict).to_contain_text("b needs a.")
    snap(page, "wrong")
    lines.nth(0).focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(lines.locator("pre")).to_have_text(["a = w + 1", "b = a * 2", "w = a + b"])
    expect(lines.nth(1)).to_be_focused()
    check.click()
    expect(verdict).to_contain_text("✓ Right.")
    lines.nth(2).get_by_role("button", name="Move up").click()
    expect(verdict).to_have_text("The order has changed. Press Check.")
    expect(lines.locator("pre")).to_have_text(["a = w + 1", "w = a + b", "b = a * 2"])
    lines.nth(2).drag_to(lines.nth(1))
    expect(lines.locator("pre")).to_have_text(["a = w + 1", "b = a * 2", "w = a + b"])
    check.press("Enter")
    expect(verdict).to_contain_text("✓ Right.")
    assert is_whole(page, box)
    snap(page, "right")
    assert not notebook.errors() and not notebook.outside


FOCUSED = {
    "exercise": ("import viz\n" + ORDER, ".viz-exercise-bar button"),
    "questions": (QUESTION, ".viz-ask button"),
    "prediction": ("import viz\nviz.predict('What is `w.grad`?', 10, {7: 'One path.'})", ".viz-field input"),
    "slider": (
        "import viz\n\n\ndef f(w):\n    print(w)\n\n\nviz.rerun(f, w=(0.0, 1.0, 0.5, 0.5))",
        ".viz-slider input",
    ),
    "stepper": (
        "import minigrad as torch\nimport viz\nw = torch.tensor(2.0, requires_grad=True)\nviz.step(w * w)",
        ".viz-step-bar button",
    ),
}


@pytest.mark.parametrize("kind", FOCUSED)
@pytest.mark.parametrize("key", ["Control+s", "Control+S"])  # the second with caps lock on
def test_ctrl_s_saves_the_notebook_while_the_focus_is_in_a_panel(open_notebook, kind, key):
    source, place = FOCUSED[kind]
    notebook = open_notebook(source)
    notebook.run_all()
    page, there = notebook.page, notebook.output(0).locator(place).locator("visible=true").first
    there.focus()
    expect(there).to_be_focused()
    dirty = "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
    page.evaluate("() => { window.jupyterapp.shell.currentWidget.context.model.dirty = true; }")
    assert page.evaluate(dirty)
    page.keyboard.press(key)
    page.wait_for_function(f"() => !({dirty})()", timeout=10_000)
    expect(there).to_be_focused()  # the reader goes on where they were
    assert not notebook.errors()


def test_after_an_answer_shift_enter_goes_on(open_notebook, snap):
    notebook = open_notebook(
        "import viz\nviz.predict('What is `w.grad`?', 10, {7: 'That is one path.'}, because='Two paths.')",
        QUESTION,
        "viz.after(99, lang='zh')",
        "viz.predict('Up or down?', 'up', {'down': 'Look again.'}, choices=['up', 'down'])",
        "print('end')",
    )
    notebook.run_all()
    page = notebook.page
    active = page.locator(".jp-Cell.jp-mod-active")
    question = notebook.output(0)
    field = question.get_by_title("your prediction")
    field.fill("7")
    field.press("Enter")
    expect(question.get_by_role("status")).to_have_text("✗ 7. That is one path.")
    expect(field).to_be_focused()  # to try again
    field.fill("10")
    field.press("Enter")
    expect(question.get_by_role("status")).to_have_text("✓ 10. Two paths.")
    expect(field).not_to_be_focused()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell").nth(1)).to_have_class(re.compile("jp-mod-active"))
    expect(active).to_have_count(1)
    field = notebook.output(0).get_by_title("your prediction")
    expect(field).to_have_value("10")  # the cell has run again, and the answer stays
    field.fill("3")
    field.press("Shift+Enter")  # answers, and goes on
    expect(page.locator(".jp-CodeCell").nth(1)).to_have_class(re.compile("jp-mod-active"))

    before = notebook.output(1)
    before.get_by_role("button", name="I don't know yet").click()
    expect(before.get_by_role("status")).to_contain_text("Noted. The lesson answers it.")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell").nth(2)).to_have_class(re.compile("jp-mod-active"))
    after = notebook.output(2)
    after.get_by_role("button", name="0", exact=True).click()
    expect(after.get_by_role("status")).to_contain_text("✗ 0.")
    after.get_by_role("button", name="1", exact=True).click()
    expect(after.get_by_role("status")).to_contain_text("✓ 1.")
    snap(page, "questions")
    choice = notebook.output(3)
    choice.get_by_role("button", name="down").click()
    expect(choice.get_by_role("status")).to_have_text("✗ down. Look again.")
    choice.get_by_role("button", name="up", exact=True).click()
    expect(choice.get_by_role("status")).to_have_text("✓ up.")
    assert not notebook.errors() and not notebook.outside


TOUCHING = """import minigrad as torch
import viz

print("before")
display(viz.exercise("relu_backward"))
print("after")
asked = "A state goes on from piece to piece, but its history is cut between them: `h = h.detach()`. And?"
display(viz.predict(asked, 1))
viz.explore.scissors()"""


def test_nothing_touches_what_is_printed_and_short_code_is_not_broken(open_notebook, snap):
    """In a window of 800 pixels a box stood on the next output, a slider on its buttons, and code broke at its =."""
    notebook = open_notebook(TOUCHING, width=800)
    notebook.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    notebook.run_all()
    out = notebook.output(0)
    snap(notebook.page, "all")
    box = out.locator(".viz-exercise").first.bounding_box()
    before, after = (out.get_by_text(word, exact=True).bounding_box() for word in ("before", "after"))
    assert box["y"] - (before["y"] + before["height"]) >= 4 and after["y"] - (box["y"] + box["height"]) >= 4
    buttons = out.locator(".viz-panel .widget-toggle-buttons button").all()
    slider = out.locator(".viz-panel .viz-slider").first.bounding_box()
    assert slider["y"] - max(b["y"] + b["height"] for b in (each.bounding_box() for each in buttons)) >= 3
    code = out.locator(".viz-predict code").first
    expect(code).to_have_text("h = h.detach()")
    assert code.bounding_box()["height"] < 1.6 * 16  # one line
