"""The live plot and the trainer's panel in a real JupyterLab: what the reader sees and can press."""

import base64
import io
import os
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from labdriver import PROJECT, drag, expect
from PIL import Image

pytestmark = pytest.mark.browser

LOOP = """
import time, viz, numpy as np
x = np.linspace(0, 6, 30)
with viz.live() as plot:
    for i in range(60):
        time.sleep(0.03)
        plot.update(loss=1 / (i + 1), target=(x, np.cos(x)), prediction=(x, np.cos(x) * i / 60))
"""

LONG = """
import time, viz
done = 0
with viz.live() as plot:
    for i in plot.over(range(2000)):
        time.sleep(0.02)
        plot.update(loss=1 / (i + 1))
        done += 1
"""

PANEL = """
import viz, numpy as np
def train(steps, learning_rate):
    x = np.linspace(0, 1, steps)
    w = 0.0
    while True:
        w -= learning_rate * (w - 3)
        yield dict(loss=(w - 3) ** 2, target=(x, 3 * x), prediction=(x, w * x))
panel = viz.trainer(
    {train}, dict(steps=(10, 30, 10, 10), learning_rate=(0.01, 0.5, 0.01, 0.05)), max_iterations=60
)
panel
"""


def pixels(locator):
    """What an <img> shows, as an RGB array: its source, without the theme's filter."""
    return np.asarray(painted(locator).convert("RGB").resize((400, 160))).astype(int)


def painted(locator):
    """The PNG in an <img>."""
    data = locator.evaluate(
        """async img => {
            const bytes = new Uint8Array(await (await fetch(img.src)).arrayBuffer());
            return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        }"""
    )
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA")


def lightness(locator):
    """How light an <img> is on the screen, theme and all, from 0 to 255: the mean of its pixels."""
    return np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("L")).mean()


def differ(a, b):
    return np.abs(a - b).max(axis=2).mean() > 0.5


def test_the_plot_moves_while_the_cell_runs_and_one_sharp_figure_stays(open_notebook, lab, snap):
    notebook = open_notebook(LOOP, "print(repr(plot))")
    image = notebook.output(0).locator("img")
    notebook.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    expect(image).to_be_visible()
    early = pixels(image)
    prompt = notebook.output(0).locator("xpath=../..").locator(".jp-InputArea-prompt")
    expect(prompt).to_have_text("[*]:")
    while not (moved := differ(early, pixels(image))) and prompt.inner_text() == "[*]:":
        notebook.page.wait_for_timeout(100)
    assert moved  # while the cell was still running, however slow the machine is
    expect(notebook.output(1)).to_contain_text("loss: 60 points, from 1 to 0.017")
    assert image.count() == 1
    assert image.evaluate("img => [img.width, img.height, img.naturalWidth]") == [800, 320, 1600]
    expect(image).to_have_attribute("alt", re.compile("live plot. loss: 60 points"))
    assert notebook.outside == []
    for dark in (False, True):
        notebook.theme(dark)
        snap(notebook.page, "dark" if dark else "light")
        assert lightness(image) < 60 if dark else lightness(image) > 220
    notebook.save()
    stored = nbformat.read(next(lab.folder.glob("test_the_plot_moves*.ipynb")), 4).cells[0].outputs
    assert [output.output_type for output in stored] == ["display_data"], stored[0]
    assert stored[0].data["text/plain"].startswith("live plot. loss: 60 points, from 1 to 0.017. target: 30 points")
    assert len(base64.b64decode(stored[0].data["image/png"])) < 60_000


def test_the_plot_survives_restart_and_run_all_and_a_narrow_window(open_notebook, snap):
    notebook = open_notebook(LOOP, "print(repr(plot))", width=800, height=700)
    notebook.run_all()
    notebook.restart_and_run_all()
    image = notebook.output(0).locator("img")
    expect(image).to_have_count(1)
    expect(notebook.output(1)).to_contain_text("loss: 60 points")
    width, height = image.evaluate("img => [img.width, img.height]")
    assert width < 800 and abs(width / height - 2.5) < 0.02  # it shrinks with the page and keeps its shape
    snap(notebook.page, "narrow")


def test_a_loop_is_paused_and_stopped_while_its_cell_runs(open_notebook, lab, snap):
    notebook = open_notebook(LONG, "print('stopped after', done, plot)")
    panel, page = notebook.output(0), notebook.page
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    image = panel.locator("img")
    expect(image).to_be_visible()
    expect(panel).to_contain_text("/2000")  # the progress bar
    snap(page, "running")
    panel.get_by_role("button", name="Pause").click()
    expect(panel.get_by_role("status")).to_contain_text("Paused")
    page.wait_for_timeout(300)
    paused = image.get_attribute("alt")
    page.wait_for_timeout(500)
    assert image.get_attribute("alt") == paused
    for dark in (False, True):
        notebook.theme(dark)
        snap(page, "paused-dark" if dark else "paused-light")
    panel.get_by_role("button", name="Go on").click()
    expect(image).not_to_have_attribute("alt", paused)
    stop = panel.get_by_role("button", name="Stop")
    stop.focus()
    page.keyboard.press("Enter")
    expect(notebook.output(1)).to_contain_text("stopped after")
    done, points = map(int, re.findall(r"after (\d+) .* (\d+) points", notebook.output(1).inner_text())[0])
    assert 0 < done == points < 2000 and notebook.errors() == []
    expect(panel.get_by_role("button")).to_have_count(0)
    expect(panel.locator("img")).to_have_count(1)
    assert panel.locator("img").evaluate("img => [img.width, img.height]") == [800, 320]
    notebook.save()
    stored = nbformat.read(next(lab.folder.glob("test_a_loop_is_paused*.ipynb")), 4).cells[0].outputs
    assert [set(output.data) for output in stored] == [{"image/png", "text/html", "text/plain"}]


def test_a_loop_with_buttons_runs_by_itself_under_restart_and_run_all(open_notebook):
    notebook = open_notebook(LONG.replace("2000", "60"), "print('ended after', done)")
    notebook.run_all()
    notebook.restart_and_run_all()
    expect(notebook.output(1)).to_contain_text("ended after 60")
    expect(notebook.output(0).locator("img")).to_have_count(1)
    expect(notebook.output(0).get_by_role("button")).to_have_count(0)


def test_start_pause_reset_and_a_slider(open_notebook, snap):
    notebook = open_notebook(PANEL.replace("{train}", "train"))
    notebook.run_all()
    page, panel = notebook.page, notebook.output(0)
    image, status = panel.locator("img"), panel.get_by_role("status")

    def press(name):
        panel.get_by_role("button", name=name).click()

    expect(status).to_contain_text("Iteration 1 of at most 60: loss 8.1. Press Start")
    snap(page, "begin")
    first = pixels(image)
    press("Start")
    expect(status).to_contain_text("Training")
    page.wait_for_timeout(600)
    moving = pixels(image)
    assert differ(first, moving)
    press("Pause")
    expect(status).to_contain_text("Paused after iteration")
    paused = pixels(image)
    page.wait_for_timeout(300)
    assert not differ(paused, pixels(image))
    at = int(re.search(r"iteration (\d+)", status.inner_text())[1])
    assert 5 < at < 60
    assert notebook.run("print(panel.iteration, panel.running)").split() == [str(at), "False"]
    press("Start")
    expect(status).to_contain_text("Finished after 60 iterations", timeout=10_000)
    snap(page, "finished")
    press("Reset")
    expect(status).to_contain_text("Iteration 1 of at most 60")
    expect(image).to_have_attribute(
        "alt", "live plot. loss: 1 points, from 8.1 to 8.1. target: 10 points. prediction: 10 points."
    )
    assert not differ(first, pixels(image))
    drag(panel.get_by_role("slider").first, 400)
    expect(panel.locator(".viz-slider b").first).to_have_text("30")
    expect(image).to_have_attribute(
        "alt", "live plot. loss: 1 points, from 8.1 to 8.1. target: 30 points. prediction: 30 points."
    )
    assert notebook.outside == []
    notebook.theme(dark=True)
    snap(page, "dark")
    assert "invert" in image.evaluate("img => getComputedStyle(img).filter")


def test_the_keyboard_is_enough(open_notebook):
    notebook = open_notebook(PANEL.replace("{train}", "train"))
    notebook.run_all()
    panel = notebook.output(0)
    handle = panel.get_by_role("slider").first
    handle.focus()
    handle.press("ArrowRight")
    expect(panel.locator(".viz-slider b").first).to_have_text("20")
    expect(panel.locator("img")).to_have_attribute(
        "alt", "live plot. loss: 1 points, from 8.1 to 8.1. target: 20 points. prediction: 20 points."
    )
    for _ in range(2):  # the other slider, then Start
        notebook.page.keyboard.press("Tab")
    while notebook.page.evaluate("document.activeElement.innerText") != "Start":
        notebook.page.keyboard.press("Tab")
    notebook.page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Training")
    notebook.page.keyboard.press("Tab")
    notebook.page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Paused")


def test_a_button_pressed_while_a_cell_runs_waits_for_it(open_notebook):
    """Nothing trains beside a running cell, and what was pressed meanwhile is not lost."""
    busy = "import time; print('busy'); time.sleep(1.5); print('iteration', panel.iteration)"
    notebook = open_notebook(PANEL.replace("{train}", "train"), busy)
    notebook.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    panel = notebook.output(0)
    expect(notebook.output(1)).to_contain_text("busy")
    panel.get_by_role("button", name="Start").click()
    expect(notebook.output(1)).to_contain_text("iteration 1")
    expect(panel.get_by_role("status")).to_contain_text("Finished after 60 iterations", timeout=10_000)


def test_an_error_is_shown_and_stops_the_run(open_notebook, snap):
    cell = PANEL.replace("yield", "if w > 1: raise ValueError('<script>alert(1)</script>')\n        yield")
    notebook = open_notebook(cell.replace("{train}", "train"))
    notebook.run_all()
    panel = notebook.output(0)
    panel.get_by_role("button", name="Start").click()
    status = panel.get_by_role("status")
    expect(status).to_contain_text("Stopped by an error after iteration")
    expect(status).to_contain_text("ValueError: <script>alert(1)</script>")
    status.locator("summary").click()
    expect(status).to_contain_text("if w > 1: raise ValueError")
    snap(notebook.page, "error")
    assert notebook.run("print(panel.running, type(panel.error).__name__)").split() == ["False", "ValueError"]


def test_two_runs_side_by_side(open_notebook, snap):
    notebook = open_notebook(PANEL.replace("{train}", "{'random steps': train, 'always 10 steps': train}"))
    notebook.run_all()
    panel = notebook.output(0)
    panel.get_by_role("button", name="Start").click()
    expect(panel.get_by_role("status")).to_contain_text("Finished", timeout=15_000)
    snap(notebook.page, "end")
    snap(panel, "panel")


def test_a_stored_panel_is_a_picture_that_everyone_sees_and_nbval_compares(open_notebook, lab, tmp_path, snap):
    """As the lessons are stored: without the view of a widget that is no more, a picture is what remains."""
    notebook = open_notebook(LOOP, PANEL.replace("{train}", "train").replace("\npanel\n", "\npanel.run(20)\npanel\n"))
    notebook.run_all()
    expect(notebook.output(1).get_by_role("status")).to_contain_text("Iteration 21")
    notebook.save()
    stored = nbformat.read(next(lab.folder.glob("test_a_stored_panel*-0.ipynb")), 4)
    del stored.cells[1].outputs[0].data["application/vnd.jupyter.widget-view+json"]
    nbformat.write(stored, tmp_path / "lesson.ipynb")

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "conftest"]
    command += ["-c", PROJECT / "pyproject.toml", "--rootdir", PROJECT, tmp_path / "lesson.ipynb"]
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=PROJECT, env=environ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout

    for trusted in (False, True):
        opened = open_notebook(tmp_path / "lesson.ipynb", trusted=trusted)
        for cell in (0, 1):
            picture = opened.output(cell).locator("img")
            expect(picture).to_be_visible()
            assert picture.evaluate("img => [img.width, img.naturalWidth]") == [800, 1600]
        snap(opened.page, "trusted" if trusted else "untrusted")
