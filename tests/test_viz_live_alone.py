"""The live plot without `with`: it ends with its cell, or with its script; and names in any writing."""

import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viz.training import letters
from viz.training.live import LivePlot, Output


class Page(Output):
    """An output that keeps what it is shown."""

    def __init__(self):
        super().__init__()
        self.shown = []

    def _put(self, data, metadata):
        self.shown.append(data["text/plain"])


class Shell:
    """IPython, as far as it tells that a cell has ended."""

    def __init__(self):
        self.events, self.waiting = self, []

    def register(self, event, act):
        assert event == "post_run_cell"
        self.waiting.append(act)

    def unregister(self, event, act):
        self.waiting.remove(act)

    def end_cell(self):
        for act in list(self.waiting):
            act(None)


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    ipython = types.SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))  # matplotlib asks for that
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return shell


def test_without_with_each_update_is_drawn_and_the_cell_ends_in_one_figure(shell):
    page = Page()
    now = [0.0]
    plot = LivePlot(page, clock=lambda: now[0])
    for i in range(3):
        now[0] += 1
        plot.update(loss=float(i))
    assert len(page.shown) == 3 and len(shell.waiting) == 1
    shell.end_cell()
    assert len(page.shown) == 4 and page.shown[-1] == "live plot. loss: 3 points, from 0 to 2." and not shell.waiting
    shell.end_cell()
    assert len(page.shown) == 4
    plot.update(loss=5.0)  # in the next cell it goes on, and ends again
    shell.end_cell()
    assert page.shown[-1] == "live plot. loss: 4 points, from 0 to 5." and not shell.waiting


def test_with_with_nothing_is_drawn_twice(shell):
    page = Page()
    with LivePlot(page) as plot:
        plot.update(loss=1.0)
    before = len(page.shown)
    shell.end_cell()
    assert len(page.shown) == before == 1 and not shell.waiting


def test_a_plot_that_got_nothing_shows_nothing(shell):
    page = Page()
    with LivePlot(page):
        pass
    assert page.shown == []


@pytest.mark.parametrize("loop", ["with viz.live() as plot:", "plot = viz.live()\nif True:"])
def test_a_script_says_where_its_picture_is(tmp_path, loop):
    script = tmp_path / "fit.py"
    script.write_text(
        f"import viz\n{loop}\n    for i in range(1, 4):\n        plot.update(loss=1 / i, 损失=i)\n", encoding="utf-8"
    )
    environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", env=environ | {"TMPDIR": str(tmp_path)}
    )
    assert done.returncode == 0 and done.stdout == ""
    told = r"live plot. loss: 3 points, from 1 to 0.33. 损失: 3 points, from 1 to 3. The picture: (.*fit.png)\n"
    path = re.fullmatch(told, done.stderr)[1]
    with Image.open(path) as picture:
        assert picture.size[0] == 1600 and path.startswith(str(tmp_path))


def test_a_module_that_is_imported_paints_nothing(tmp_path):
    (tmp_path / "fits.py").write_text("import viz\nplot = viz.live()\nplot.update(loss=1.0)\n", encoding="utf-8")
    folder = Path(__file__).parents[1]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(folder)])}
    done = subprocess.run([sys.executable, "-c", "import fits"], capture_output=True, encoding="utf-8", env=environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_window_opens_where_there_is_a_screen(tmp_path, monkeypatch, capsys):
    from viz.training import script

    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(Image.Image, "show", lambda self, title: opened.append((title, self.size)))
    plot = LivePlot(script.AtTheEnd("fit"))
    for i in range(100):
        plot.update(loss=float(i))
    assert opened == []
    plot.finish()
    plot.finish()
    assert len(opened) == 1 and "The picture: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["损失", "ошибка", "誤差 📉", "\ud800", "نقصان", "α₂"])
def test_names_in_any_writing_are_painted_without_a_warning(name):
    """Warnings are errors here: matplotlib has one for each letter that its font lacks."""
    plot = LivePlot(None)
    x = np.linspace(0, 1, 5)
    plot.update("运行 1", **{name: 1.0, name + "曲线": (x, x), "label": "📉 20 步"})
    assert plot.png(final=True).startswith(b"\x89PNG")


def test_what_no_font_has_is_a_box(monkeypatch):
    monkeypatch.setattr(letters, "fonts", lambda: {letters.OWN: frozenset(map(ord, "loss □"))})
    assert letters.set_in("loss 损") == ("loss □", [letters.OWN])


def test_a_font_of_the_system_is_used_where_it_has_the_letters(monkeypatch):
    there = {letters.OWN: frozenset(map(ord, "loss □")), "Wide": frozenset(map(ord, "损失"))}
    monkeypatch.setattr(letters, "fonts", lambda: there)
    assert letters.set_in("loss 损失") == ("loss 损失", [letters.OWN, "Wide"])
    assert letters.set_in("loss") == ("loss", [letters.OWN])
