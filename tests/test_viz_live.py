"""The live plot without a browser: when it paints, what it takes, and that the picture shows it."""

import io
import subprocess
import sys
import threading
import time
import weakref
import xml.etree.ElementTree as ElementTree

import matplotlib.backends.backend_agg as agg
import matplotlib.figure
import numpy as np
import pytest
from PIL import Image

from viz.training import chart
from viz.training.live import LivePlot, Output, live, shown_on
from viz.training.loop import Loop
from viz.training.painted import as_bundle


class Watch:
    """A clock and a front end in one: time passes when told to, and `cost` seconds with every frame."""

    def __init__(self, cost=0.0):
        self.now, self.cost, self.frames = 0.0, cost, []

    def __call__(self):
        return self.now

    def show(self, png, alt, size):
        self.now += self.cost
        self.frames.append((self.now, png, alt, size))


def plot_with(watch, **options):
    return LivePlot(watch.show, clock=watch, **options)


@pytest.mark.parametrize("lengths", [(30, 10, 10, 20), (5, 40, 5, 40)])
def test_the_last_picture_shows_where_a_piece_ends(lengths):
    """Its colours are few, but the greys of neighbouring pieces stay different."""
    plot, start = LivePlot(None, keep=4), 0
    for length in lengths:
        plot.update(wave=(np.arange(start, start + length), np.zeros(length)), piece=f"{length} steps")
        start += length
    for final in (False, True):
        pixels = np.asarray(Image.open(io.BytesIO(plot.png(final=final))).convert("RGBA"))[..., 0]
        row = pixels[len(pixels) // 3]  # above the wave
        greys = [int(shade[1:3], 16) for shade in chart.SHADES]
        wide = [(np.abs(row.astype(int) - grey) < 3).sum() / (row < 240).sum() for grey in greys]
        assert all(share > 0.05 for share in wide) and sum(wide) > 0.95


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))


def near(png, color, tolerance=40):
    """How many pixels have about this colour."""
    wanted = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return int((np.abs(pixels(png)[..., :3].astype(int) - wanted).max(axis=2) < tolerance).sum())


def curve(shift=0.0):
    x = np.linspace(0, 6, 30)
    return x, np.cos(x + shift)


# When it paints


def test_frames_are_skipped_never_queued_and_the_last_state_is_painted():
    watch = Watch()
    with plot_with(watch, fps=20) as plot:
        for i in range(1000):  # a thousand iterations in one second
            watch.now = i / 1000
            plot.update(loss=i)
    times = [frame[0] for frame in watch.frames]
    assert 15 <= len(times) <= 22
    assert min(np.diff(times[:-1])) > 0.0499
    assert watch.frames[-1][2] == "live plot. loss: 1000 points, from 0 to 1e+03."


def test_painting_takes_a_third_of_the_time_at_most():
    watch = Watch(cost=0.5)  # a slow machine
    plot = plot_with(watch)
    for _ in range(1000):
        watch.now += 0.01  # the loop's own work
        plot.update(loss=1.0)
    assert 0.25 < 0.5 * len(watch.frames) / watch.now < 0.35


def test_a_loop_that_is_soon_done_sees_its_last_frame_alone():
    watch = Watch(cost=0.05)
    with plot_with(watch) as plot:
        for i in range(60):
            watch.now += 0.001
            plot.update(loss=i)
        assert watch.frames == []
    assert [frame[2] for frame in watch.frames] == ["live plot. loss: 60 points, from 0 to 59."]


def test_a_slow_loop_sees_every_iteration():
    watch = Watch(cost=0.01)
    with plot_with(watch, fps=20) as plot:
        for _ in range(10):
            watch.now += 1
            plot.update(loss=1.0)
        assert len(watch.frames) == 10


def test_an_error_in_the_loop_leaves_its_last_state():
    watch = Watch()
    with pytest.raises(ZeroDivisionError), plot_with(watch) as plot:
        for i in range(3, -1, -1):
            plot.update(loss=1 / i)
    assert watch.frames[-1][2].startswith("live plot. loss: 3 points")


def test_plain_python_sees_nothing_and_loads_no_matplotlib():
    program = """if True:
        import sys
        from viz.training.live import live
        with live() as plot:
            plot.update(loss=1.0, target=([0, 1], [0, 1]))
        print(plot, "matplotlib" in sys.modules, "PIL" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "live plot. loss: 1 points, from 1 to 1. target: 2 points. False False\n"
    assert done.stderr == ""


# What it takes


class Tensor:
    """As much of a tensor as the plot may use: one that requires grad refuses NumPy until it is detached."""

    def __init__(self, data, attached=True):
        self.data, self.attached = np.asarray(data), attached

    def detach(self):
        return Tensor(self.data, attached=False)

    def __array__(self, dtype=None, copy=None):
        if self.attached:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return np.array(self.data, dtype=dtype)


def test_tensors_are_detached_and_none_is_kept():
    plot = live()
    loss, prediction = Tensor([[0.5]]), Tensor(np.zeros((1, 10, 1)))
    plot.update(loss=loss, prediction=(np.arange(10), prediction))
    assert repr(plot) == "live plot. loss: 1 points, from 0.5 to 0.5. prediction: 10 points."
    left = weakref.ref(loss), weakref.ref(prediction)
    del loss, prediction
    assert [ref() for ref in left] == [None, None]


def test_arrays_are_copied():
    plot, (x, y) = live(), curve()
    plot.update(target=(x, y))
    before = plot.png()
    y *= 0
    assert plot.png() == before


@pytest.mark.parametrize("value", [[1.0, 2.0], np.zeros(3), ([1, 2], [1]), (1, 2, 3)])
def test_what_is_neither_a_number_nor_a_pair_is_refused_by_name(value):
    with pytest.raises(ValueError, match="^loss: "):
        live().update(loss=value)


def test_keep_joins_the_last_pieces_of_a_stream():
    plot = live(keep=3)
    for i in range(5):
        plot.update(wave=([i, i + 0.5, i + 1], [0, 1, 0]))
    assert repr(plot) == "live plot. wave: 9 points."
    ((x, y),) = plot._panels()[0].lines.values()
    assert (np.nanmin(x), np.nanmax(x), int(np.isnan(y).sum())) == (2, 5, 2)  # lifted between pieces


def test_a_text_labels_the_piece_and_each_of_its_points_is_marked():
    plot = LivePlot(None, keep=3)
    for start, steps in ((0, 10), (10, 30), (40, 20), (60, 10)):
        x = np.arange(start, start + steps)
        plot.update(loss=1.0, cos=(x, np.cos(x)), piece=f"{steps} steps · {14 + 7 * steps} nodes")
    (panel,) = (panel for panel in plot._panels() if panel.kind == "curves")
    assert [piece.label.split()[0] for piece in panel.pieces] == ["10", "20", "30"]  # newest first
    plot.png()
    (view,) = (view for view in plot._chart._views if view.pieces.labels)
    assert view.pieces.newest.get_text() == "10 steps · 84 nodes"
    assert [label.get_text() for label in view.pieces.labels] == ["10", "20 steps", "30 steps"]
    assert view.pieces.marks.get_xdata().size == 60
    assert "30 steps · 224 nodes, 20 steps · 154 nodes, 10 steps · 84 nodes" in repr(plot)


def test_a_picture_has_its_words_and_fits_and_is_turned_over_in_a_dark_page():
    data, metadata = as_bundle(b"png", 'a "loss" < 1', (800, 640))
    style, _, image = data["text/html"].partition("</style>")
    root = ElementTree.fromstring(image.replace("decoding=", "data-decoding=").replace(">", "/>"))
    assert root.get("alt") == data["text/plain"] == metadata["image/png"]["alt"] == 'a "loss" < 1'
    assert root.get("src") == "data:image/png;base64,cG5n" and root.get("width") == "800"
    assert "max-width: 100%" in root.get("style")
    assert "invert(1)" in style and f".{root.get('class')} {{" in style


def test_another_thread_waits_while_a_frame_is_painted():
    other = []

    def show(*_frame):
        if not other:
            other.append(threading.Thread(target=plot.update, kwargs={"loss": 2.0}))
            other[0].start()
            other[0].join(0.1)
            assert other[0].is_alive() and "loss: 1 points" in repr(plot)

    plot = LivePlot(show)
    plot.update(loss=1.0)
    other[0].join()
    assert "loss: 2 points" in repr(plot)


# What the picture shows


def test_artists_are_made_once_and_a_still_frame_redraws_no_axes(monkeypatch):
    made, drawn = [], []
    make, draw = matplotlib.figure.Figure.__init__, agg.FigureCanvasAgg.draw
    monkeypatch.setattr(matplotlib.figure.Figure, "__init__", lambda *a, **k: (made.append(1), make(*a, **k))[1])
    monkeypatch.setattr(agg.FigureCanvasAgg, "draw", lambda *a: (drawn.append(1), draw(*a))[1])
    plot = live()
    frames = []
    for i in range(20):
        plot.update(loss=1 / (i + 1), target=curve(), prediction=curve(i / 20))
        frames.append(plot.png(final=False))
    assert len(made) == 1
    assert len(drawn) == 2  # at first, and when the iterations outgrew their axis
    assert len(set(frames)) == 20
    plot.update(accuracy=0.5)
    plot.png(final=False)
    assert len(made) == 2  # a new name needs new axes


def test_target_and_prediction_have_their_colours_and_move():
    plot = live()
    plot.update(loss=1.0, target=curve(), prediction=curve(1))
    before = plot.png()
    assert near(before, chart.BLUE) > 1000 and near(before, chart.GREEN) > 1000
    assert near(before, chart.PURPLE) == 0
    plot.update(loss=0.5, target=curve(), prediction=curve(2))
    assert (pixels(plot.png()) != pixels(before)).any(axis=2).sum() > 3000


@pytest.mark.parametrize("runs, height", [([""], 640), (["random steps", "always 10 steps"], 960)])
def test_the_figure_left_behind_is_sharp_and_small(runs, height):
    plot, random = live(), np.random.default_rng(0)
    for _ in range(60):
        for run in runs:
            plot.update(run, loss=random.random(), target=curve(), prediction=curve(1))
    png = plot.png()
    assert Image.open(io.BytesIO(png)).size == (1600, height)
    assert len(png) < 60_000
    watch = Watch()
    plot._show = watch.show
    plot.finish()
    assert watch.frames[0][3] == (800, height // 2)


def contrast(a, b):
    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return np.dot(linear, [0.2126, 0.7152, 0.0722])

    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def test_ink_and_strokes_stand_out_from_the_paper():
    assert contrast(chart.INK, chart.PAPER) > 7
    for strokes in chart.STROKES.values():
        assert all(contrast(color, chart.PAPER) >= 3 for color, _, _ in strokes)
        colors, dashes, marks = zip(*strokes, strict=True)  # no two alike, whatever the reader can tell apart
        assert len(set(colors)) == len(set(dashes)) == len(set(marks)) == len(strokes)


def test_the_paper_is_the_figures_own_and_its_corners_are_clear():
    plot = live()
    plot.update(loss=1.0)
    alpha = pixels(plot.png())[..., 3]
    assert alpha[0, 0] < 5 and alpha[5:-5, 40].min() > 250


@pytest.mark.parametrize("log", [False, True])
def test_a_training_that_diverges_does_not_break_the_picture(log):
    plot = live(log=log)
    for value in (1.0, 1e30, np.inf, np.nan, -1.0, 0.0, 1e308):
        plot.update(loss=value, target=([0, 1], [value, value]))
        assert plot.png(final=False) and plot.png()


def test_the_x_axis_of_the_curves_is_named_below_the_lowest_of_them():
    def named(plot):
        plot.png()
        return [view.axes.get_xlabel() for view in plot._chart._views]

    plot = LivePlot(None, xlabel="time step")
    plot.update(loss=1.0, target=([0, 1], [0, 1]))
    assert named(plot) == ["iteration", "time step"]
    plot.update("other", target=([0, 1], [0, 1]))
    assert named(plot) == ["iteration", "", "time step"]


def test_names_are_text_and_not_formulas():
    plot = live()
    plot.update("a $x$ run", **{"$\\broken$": 1.0, "<b>": ([0, 1], [0, 1])})
    assert plot.png()


def test_clear_forgets_everything():
    plot = live()
    plot.update(loss=1.0)
    plot.clear()
    assert repr(plot) == "live plot."
    assert plot.png()


# A loop with buttons


class Page(Output):
    """An output that keeps what it is given, instead of displaying it."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def _put(self, data, metadata):
        self.shown.append(data)


def until(true):
    for _ in range(6000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it took too long")


class Rest(threading.Event):
    """What a paused loop waits for; `entered` is set while it does wait."""

    def __init__(self):
        super().__init__()
        self.entered = threading.Event()
        self.set()

    def wait(self, timeout=None):
        self.entered.set()
        try:
            return super().wait(timeout)
        finally:
            self.entered.clear()


class Training:
    """A loop of a thousand short iterations on a thread of its own, as a cell beside the buttons' thread."""

    def __init__(self, **options):
        self.page, self.begun, self.whole, self.after = Page(), 0, 0, False
        self.plot = LivePlot(self.page, **options)
        self.thread = threading.Thread(target=self.train, daemon=True)  # a test that fails must not wait for it
        self.thread.start()
        until(lambda: self.page.shown)
        self.loop = self.page.loop
        self.loop._running = self.rest = Rest()  # it runs, as the one in whose place this is

    def train(self):
        for _ in self.plot.over(range(100_000)):
            self.begun += 1
            time.sleep(0.001)
            self.plot.update(loss=1 / self.begun)
            self.whole += 1
        self.after = True

    def rests(self):
        """Wait until it does: how many iterations it has then done."""
        assert self.rest.entered.wait(60), "it took too long"
        return self.whole

    def end(self):
        self.thread.join(timeout=60)
        assert not self.thread.is_alive()


def test_stop_ends_the_loop_between_two_iterations():
    training = Training()
    training.loop.stop_button.click()
    training.end()
    assert training.begun == training.whole < 100_000 and training.after and training.loop.stopped
    kinds = {"image/png", "text/html", "text/plain"}
    assert training.page.shown[-1].keys() == kinds  # the figure, in the panel's place
    assert training.page.shown[-1]["text/plain"] == repr(training.plot)
    assert ["application/vnd.jupyter.widget-view+json" in data for data in training.page.shown] == [True, False]


def test_pause_waits_between_two_iterations_with_the_last_state_painted():
    training = Training()
    training.loop.pause_button.click()
    at = training.rests()
    assert f"{at} points" in training.loop.image.value
    assert training.loop.paused and training.loop.pause_button.description == "Go on"
    assert "Paused" in training.loop.status.value
    training.loop.pause_button.click()
    until(lambda: training.whole > at)
    assert training.loop.pause_button.description == "Pause" and "Paused" not in training.loop.status.value
    training.loop.pause_button.click()
    training.rests()
    training.loop.stop_button.click()
    training.end()
    assert training.begun == training.whole


def test_the_buttons_speak_chinese():
    loop = Loop(3, "zh")
    assert (loop.pause_button.description, loop.stop_button.description) == ("暂停", "停止")
    with pytest.raises(ValueError, match="lang must be one of 'en', 'zh'"):
        live(lang="fr")


@pytest.mark.parametrize("total", [None, 7])
def test_the_bar_knows_how_many_there_are(total):
    page, seen = Page(), []
    with LivePlot(page) as plot:
        for i in plot.over(iter(range(5)) if total else range(5), total=total):
            seen.append((i, page.loop.bar.n, page.loop.bar.total))
            plot.update(loss=1.0)
    assert seen == [(i, i, total or 5) for i in range(5)]


def test_a_short_loop_shows_its_figure_alone_and_once():
    page = Page()
    with LivePlot(page) as plot:
        for _ in plot.over(range(5)):
            plot.update(loss=1.0)
    assert [data.keys() for data in page.shown] == [{"image/png", "text/html", "text/plain"}]


def test_a_loop_that_is_left_early_leaves_its_figure():
    page = Page()
    plot = LivePlot(page)
    for i in plot.over(range(3)):
        plot.update(loss=1.0)
        if i == 1:
            break
    assert page.shown[-1]["text/plain"] == "live plot. loss: 2 points, from 1 to 1." and page.loop is None


def test_an_error_in_a_loop_leaves_its_figure():
    page = Page()
    plot = LivePlot(page)
    with pytest.raises(ZeroDivisionError):
        for i in plot.over(range(3)):
            plot.update(loss=1 / (1 - i))
    assert page.shown[-1]["text/plain"] == "live plot. loss: 1 points, from 1 to 1." and page.loop is None


def test_in_plain_python_the_loop_is_a_loop(capsys):
    plot = live()
    assert [i for i in plot.over(range(3))] == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


# On a page


class Paper:
    """A page that keeps what it is shown."""

    def __init__(self):
        self.frames, self.ends = [], []

    def opened(self):
        plot, frames = len(self.frames), []
        self.frames.append(frames)
        return lambda png, alt, size: frames.append((plot, png, alt, size))

    def at_the_end(self, finish):
        self.ends.append(finish)


def test_a_page_gets_the_frames_of_each_plot_and_the_last_state_at_the_end():
    page = Paper()
    shown_on(page)
    try:
        with live() as one:
            for i in one.over(range(1, 4)):
                one.update(loss=1 / i)
        two = live()
        two.update(loss=1.0)
        two.update(loss=0.5)
        for finish in page.ends:
            finish()
    finally:
        shown_on(None)
    first, second = page.frames
    assert {plot for plot, *_ in first} == {0} and {plot for plot, *_ in second} == {1}
    assert first[-1][2] == "live plot. loss: 3 points, from 1 to 0.33."
    assert second[-1][2] == "live plot. loss: 2 points, from 1 to 0.5." and second[-1][1] == two.png()
    assert live()._show is None  # as before: a test is neither a notebook nor a script
