"""The trainer's panel, driven from code: what its buttons and sliders do, on which thread, and what it shows."""

import asyncio
import base64
import io
import threading
import time

import numpy as np
import pytest
from PIL import Image

from viz.training.trainer import WORDS, trainer


class Lesson:
    """A training to watch: it counts what is begun and done, and on which threads."""

    def __init__(self, ends_after=10**9, fails_at=None):
        self.ends_after, self.fails_at = ends_after, fails_at
        self.begun, self.steps, self.threads, self.inside = [], 0, set(), False

    def train(self, **parameters):
        self.begun.append(parameters)
        x = np.linspace(0, 1, parameters.get("size", 10))
        for i in range(self.ends_after):
            self.inside = True
            self.steps += 1
            self.threads.add(threading.current_thread())
            if i + 1 == self.fails_at:
                raise ValueError("<script>no</script>")
            self.inside = False
            yield {"loss": 1 / (i + 1), "target": (x, x), "prediction": (x, x * i / 60)}


SLIDERS = {"size": (2, 64, 2, 10), "learning_rate": (0.01, 0.5, 0.01, 0.05)}


def press(button):
    """As the front end does it."""
    button._handle_button_msg(None, {"event": "click"}, [])


def in_notebook(scenario):
    """Run `scenario` as a cell does: on the main thread, in its event loop."""
    return asyncio.run(asyncio.wait_for(scenario(), timeout=20))


async def until(condition):
    while not condition():
        await asyncio.sleep(0.005)


# From code


def test_set_moves_sliders_and_shows_what_comes_of_that():
    lesson = Lesson()
    panel = trainer(lesson.train, SLIDERS)
    panel.set(5, size=4, learning_rate=0.1)
    assert lesson.begun[-1] == {"size": 4, "learning_rate": 0.1} and panel.iteration == 5 and not panel.running
    with pytest.raises(KeyError):
        panel.set(nonsense=1)


def test_it_begins_with_the_first_iteration_and_run_goes_on():
    lesson = Lesson()
    panel = trainer(lesson.train, SLIDERS)
    assert lesson.begun == [{"size": 10, "learning_rate": 0.05}]
    assert (panel.iteration, lesson.steps, panel.running) == (1, 1, False)
    panel.run(5)
    assert (panel.iteration, lesson.steps) == (6, 6)
    assert repr(panel) == (
        "trainer (size = 10, learning_rate = 0.05) at iteration 6: live plot. "
        "loss: 6 points, from 1 to 0.17. target: 10 points. prediction: 10 points."
    )


def test_it_ends_at_max_iterations_or_with_the_generator():
    panel = trainer(Lesson().train, max_iterations=7)
    panel.run(100)
    assert panel.finished and panel.iteration == 7 and "Finished after 7 iterations" in panel.status.value
    panel = trainer(Lesson(ends_after=3).train)
    panel.run(100)
    assert panel.finished and panel.iteration == 3 and "Finished after 3 iterations" in panel.status.value


def test_reset_and_a_slider_begin_anew_with_the_sliders_values():
    lesson = Lesson()
    panel = trainer(lesson.train, SLIDERS)
    panel.run(5)
    panel.reset()
    assert panel.iteration == 1
    panel.run(5)
    panel.sliders["size"].value = 20
    assert panel.iteration == 1
    assert [begun["size"] for begun in lesson.begun] == [10, 10, 20]
    assert "target: 20 points" in repr(panel)


def test_whole_numbers_stay_whole():
    panel = trainer(Lesson().train, SLIDERS)
    assert {name: type(slider.value) for name, slider in panel.sliders.items()} == {"size": int, "learning_rate": float}
    assert panel.sliders["learning_rate"].description == "learning rate"


def test_a_run_that_ends_before_the_other():
    short, long = Lesson(ends_after=3), Lesson()
    panel = trainer({"short": short.train, "long": long.train}, max_iterations=5)
    panel.run(100)
    assert (panel.iteration, short.steps, long.steps) == (5, 3, 5)
    assert "loss (short): 3 points" in repr(panel) and "loss (long): 5 points" in repr(panel)


def test_a_frame_shows_all_runs_at_the_same_iteration():
    panel = trainer({"a": Lesson().train, "b": Lesson().train})
    seen = []
    panel.plot._show = lambda *_frame: seen.append({len(values) for values in panel.plot._numbers.values()})
    for _ in range(8):
        panel.plot._due = 0
        panel.run(1)
    assert len(seen) >= 8 and all(len(lengths) == 1 for lengths in seen)


def test_plain_python_can_run_but_not_start():
    panel = trainer(Lesson().train)
    with pytest.raises(RuntimeError, match="no running event loop"):
        panel.start()
    assert not panel.running


# Errors


def test_an_error_is_raised_by_run_and_shown_as_text():
    lesson = Lesson(fails_at=4)
    panel = trainer(lesson.train)
    with pytest.raises(ValueError, match="no"):
        panel.run(10)
    assert isinstance(panel.error, ValueError) and panel.iteration == 3
    assert "ValueError: &lt;script&gt;no&lt;/script&gt;" in panel.status.value
    assert "<script>" not in panel.status.value
    assert "in train" in panel.status.value and "in _step" not in panel.status.value  # the reader's lines, not ours
    panel.reset()
    assert panel.error is None and panel.iteration == 1


def test_an_error_at_the_first_iteration_is_the_cells_own():
    with pytest.raises(ValueError):
        trainer(Lesson(fails_at=1).train)


def test_an_error_stops_what_runs_by_itself_and_start_begins_anew():
    lesson = Lesson(fails_at=4)

    async def scenario():
        panel = trainer(lesson.train, per_second=1000)
        panel.start()
        await until(lambda: panel.error)
        assert not panel.running
        steps = lesson.steps
        await asyncio.sleep(0.05)
        assert lesson.steps == steps
        lesson.fails_at = None
        panel.start()
        await until(lambda: panel.iteration >= 10)
        panel.pause()

    in_notebook(scenario)


def test_a_value_that_no_plot_takes_is_an_error_like_another():
    def train():
        yield {"loss": 1.0}
        yield 3

    panel = trainer(train)
    with pytest.raises(TypeError, match="must be a mapping"):
        panel.run(1)
    assert "must be a mapping" in panel.status.value


# By itself


def test_start_pause_and_start_again():
    lesson = Lesson()

    async def scenario():
        panel = trainer(lesson.train, per_second=1000)
        panel.start()
        panel.start()  # once more changes nothing
        await until(lambda: panel.iteration >= 20)
        panel.pause()
        paused = panel.iteration
        assert not panel.running and not lesson.inside
        assert f"Paused after iteration {paused}." in panel.status.value
        await asyncio.sleep(0.05)
        assert panel.iteration == lesson.steps == paused
        panel.start()
        await until(lambda: panel.iteration > paused)
        panel.reset()
        assert panel.iteration == 1 and not panel.running
        assert len(lesson.begun) == 2

    in_notebook(scenario)


def test_pause_and_start_at_once_do_not_double_the_pace():
    lesson = Lesson()

    async def scenario():
        panel = trainer(lesson.train, per_second=50)
        for _ in range(20):
            panel.start()
            await asyncio.sleep(0)
            panel.pause()
        panel.start()
        began, steps = time.monotonic(), lesson.steps
        await asyncio.sleep(0.3)
        panel.pause()
        assert lesson.steps - steps <= 50 * (time.monotonic() - began) + 2

    in_notebook(scenario)


def test_it_ends_and_start_begins_anew():
    lesson = Lesson()

    async def scenario():
        panel = trainer(lesson.train, max_iterations=5, per_second=1000)
        panel.start()
        await until(lambda: panel.finished)
        await until(lambda: not panel.running)
        assert "Finished after 5 iterations" in panel.status.value
        panel.start()
        await until(lambda: len(lesson.begun) == 2 and panel.finished)
        assert lesson.steps == 10

    in_notebook(scenario)


def test_other_work_goes_on_between_iterations():
    async def scenario():
        panel = trainer(Lesson().train, per_second=1000)
        panel.start()
        ticks = 0
        while panel.iteration < 30:
            await asyncio.sleep(0)
            ticks += 1
        panel.pause()
        assert ticks >= 29

    in_notebook(scenario)


def test_a_slider_moved_meanwhile_restarts_and_goes_on():
    lesson = Lesson()

    async def scenario():
        panel = trainer(lesson.train, SLIDERS, per_second=1000)
        panel.start()
        await until(lambda: panel.iteration >= 10)
        panel.sliders["size"].value = 20
        assert panel.running and panel.iteration == 1
        await until(lambda: panel.iteration >= 10)
        panel.pause()
        assert [begun["size"] for begun in lesson.begun] == [10, 20]

    in_notebook(scenario)


def test_buttons_on_another_thread_train_on_the_main_one():
    """As JupyterLab delivers them; here the main thread is busy, as with a cell, while they arrive."""
    lesson = Lesson()

    def reader(panel):
        press(panel.start_button)
        panel.sliders["size"].value = 20
        press(panel.pause_button)
        press(panel.reset_button)
        press(panel.start_button)

    async def scenario():
        panel = trainer(lesson.train, SLIDERS, per_second=1000)
        thread = threading.Thread(target=reader, args=(panel,))
        thread.start()
        thread.join()  # the event loop stands still
        assert lesson.steps == 1 and not panel.running
        await until(lambda: panel.iteration >= 10)
        press(panel.pause_button)  # on this thread: at once
        assert not panel.running
        assert lesson.threads == {threading.current_thread()}
        assert [begun["size"] for begun in lesson.begun] == [10, 20, 20]

    in_notebook(scenario)


def test_two_panels_take_turns():
    async def scenario():
        panels = [trainer(Lesson().train, per_second=200, max_iterations=20) for _ in range(2)]
        for panel in panels:
            panel.start()
        await until(lambda: panels[0].iteration >= 10)
        assert panels[1].iteration >= 5
        await until(lambda: all(panel.finished for panel in panels))

    in_notebook(scenario)


# What is stored


def test_what_a_page_without_kernel_shows():
    panel = trainer(Lesson().train, SLIDERS)
    bundle, metadata = panel._repr_mimebundle_(include=None, exclude=None)
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/html", "text/plain"}
    assert metadata == {"image/png": {"width": 800, "height": 320, "alt": repr(panel)}}
    assert bundle["text/plain"] == repr(panel)
    assert Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).size == (1600, 640)


def test_the_picture_on_the_panel_has_its_text_beside_it():
    panel = trainer(Lesson().train)
    panel.run(3)
    assert f'alt="{panel.plot!r}"' in panel.image.value


def test_while_it_computes_it_says_so():
    def train():
        while True:
            yield {"loss": 1.0}

    panel, told = trainer(train), []
    panel.status.observe(lambda change: told.append(change["new"]), "value")
    panel.run(3)
    panel.reset()
    busy = ['aria-busy="true"' in each and "computing …" in each for each in told]
    assert busy == [True, False, True, False] and "Iteration 4 of" in told[1] and "Iteration 1 of" in told[3]


@pytest.mark.parametrize(
    ("lang", "start", "told"),
    [("en", "Start", "Iteration 3 of at most 9: loss 0.33."), ("zh", "开始", "第 3 次迭代，最多 9 次：loss 0.33。")],
)
def test_the_panel_speaks_both_languages_and_tells_the_last_numbers(lang, start, told):
    panel = trainer(Lesson(fails_at=5).train, SLIDERS, lang=lang, max_iterations=9)
    panel.run(2)
    assert panel.start_button.description == start and told in panel.status.value
    with pytest.raises(ValueError):
        panel.run(3)
    assert WORDS[lang]["where"] in panel.status.value
    with pytest.raises(ValueError, match="lang"):
        trainer(Lesson().train, lang="fr")
