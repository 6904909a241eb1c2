"""`viz.explore.race(dynamic, static, stream)`: after how many runs does building the static graph pay off?

A static graph is built and compiled once, before its first run; a run of it may then be faster
than one of the same program run line by line. Time against number of runs gives two lines: the static line starts
higher, and the break-even is where they cross, if they do. Nothing is drawn before the reader has guessed it, and the
times are measured on the reader's machine.

Imports panel, and errors/clinic.py when it measures. Read next: viz/__init__.py, for an overview.
"""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from ...drawing.legend import BLUE
from ...drawing.letters import WORD, colours, stroke, text
from ...drawing.svg import Element, element, path
from ...locale import language, room
from ..panel import Panel, Sketch, button

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 330, 76, 24, 64, 50  # pixels: the picture, and its margins
BUILDS = 7  # number of times that the graph is built, because other work on the machine may disturb some
SEEN = 20  # lines that cross in the first twentieth of the axis can't be told apart: then a part of it is shown
STROKES = (("ink", "12 7"), (BLUE, None))  # dynamic, static

tr = room("explore")
WORDS = tr.table("race")


@dataclass(frozen=True)
class Times:
    """Medians in milliseconds: to build (including a first run, which compiles), and for a later run."""

    dynamic: float
    build: float
    static: float

    @property
    def break_even(self) -> float | None:
        """The number of runs after which both have taken the same time; None if that is never the case."""
        gain = self.dynamic - self.static
        return self.build / gain if gain > 0 else None


def race(
    dynamic: Callable[[Any], Any],
    static: Callable[[], Callable[[Any], Any]],
    stream: Iterable[Any],
    *,
    most: int = 1000,
    lang: str | None = None,
) -> Race:
    """A slider to guess where the lines cross, and a button that measures.

    dynamic: runs the program on one item of the stream.
    static: builds the graph and a session, and returns a function that runs it on one item.
    stream: the items, each given to both; any iterable.
    most: the largest guess on the slider; it grows if the lines cross beyond it.
    lang: the language of the labels; without it, the one that `viz.speak` has set.
    Raises ValueError for an empty stream, such as a generator that is already used up.

    >>> panel = race(lambda item: sum(range(2000)), lambda: lambda item: item, range(20))
    >>> panel
    race: not measured yet
    >>> panel.measure().break_even < 1000
    True
    """
    lang = language(lang)
    items = list(stream)
    if not items:
        raise ValueError(
            "race() needs at least one item to run on, but the stream is empty. A generator can be gone through only "
            "once: make a new one, or pass a list"
        )
    return Race(dynamic, static, items, most, lang)


class Race(Panel):
    """The panel that `race` returns. From code: `sliders[…].value = 50`, `measure()`; to look at: `times`."""

    def __init__(
        self, dynamic: Callable[..., Any], static: Callable[..., Any], stream: list[Any], most: int, lang: str
    ):
        import ipywidgets as widgets

        self.dynamic, self.static, self.stream, self.most = dynamic, static, stream, most
        self.lang, self.words = lang, WORDS[lang]
        self.times: Times | None = None
        self.measuring = threading.Lock()
        super().__init__({self.words["guess"]: (0, most, 1, 0)})
        self.button = button(self.words["measure"], self._pressed, icon="clock-o")
        guess, *shown = self.root.children
        self.root.children = (guess, widgets.HBox([self.button]), *shown)
        self.refresh()

    def measure(self) -> Times:
        """Build, several times; then run both on the stream, item by item in turns. Show and return the medians."""
        from ...errors.clinic import clinic

        with self.measuring:  # two measurements at once would slow each other down
            self._tell(self.told, busy=True)
            wake = clinic.rest()  # it notes the line of each dynamic operator, which takes time
            try:
                self.times = self._measured()
            finally:
                wake()
            (guess,) = self.sliders.values()
            guess.max = max(self.most, 2 * round(self.times.break_even or 0))
        self.refresh()
        return self.times

    def _pressed(self) -> None:
        """A press while it measures does nothing. The button stays enabled: a disabled one would lose the focus."""
        if not self.measuring.locked():
            self.measure()

    def _measured(self) -> Times:
        builds = []
        for _ in range(BUILDS):
            began = time.perf_counter()
            run = self.static()
            run(self.stream[0])  # the first run compiles
            builds.append(time.perf_counter() - began)
        self.dynamic(self.stream[0])
        runs: tuple[list[float], list[float]] = ([], [])
        for item in self.stream:
            for took, engine in zip(runs, (self.dynamic, run), strict=True):
                began = time.perf_counter()
                engine(item)
                took.append(time.perf_counter() - began)
        dynamic, static = (1000 * median(took) for took in runs)
        return Times(dynamic, max(0.0, 1000 * median(builds) - static), static)

    def says(self, **guess: int) -> str:
        """The times in words, or an instruction."""
        if self.times is None:
            return html.escape(self.words["ask"])
        times = self.times
        told = self.words["result"].format(d=times.dynamic, b=times.build, s=times.static)
        if times.break_even is None:
            return html.escape(told + self.words["never"])
        (guessed,) = guess.values()
        said = self.words["guessed"].format(n=guessed) if guessed else ""
        return html.escape(told + said + self.words["crosses"].format(n=round(times.break_even)))

    def draw(self, **guess: int) -> Sketch:
        """The axes and the guess, and the lines once they are measured."""
        (guessed,) = guess.values()
        (slider,) = self.sliders.values()
        far = int(slider.max)  # the axis and the slider end at the same number, so that a guess keeps its place
        crossing = None if self.times is None else self.times.break_even
        if crossing is not None and max(guessed, crossing) < far / SEEN:
            far = 2 * max(guessed, round(crossing), 5)
        alt = self.words["hidden"] if self.times is None else html.unescape(self.says(**guess))
        parts = [*self._axes(far), *self._guess(guessed, far), *(self._lines(far) if self.times else self._nothing())]
        return Sketch(parts, (WIDTH, HEIGHT), title=self.words["title"], alt=alt)

    def _x(self, runs: float, far: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * runs / far

    def _axes(self, far: int) -> list[Element]:
        floor = HEIGHT - BOTTOM
        drawn = [stroke("muted", 1.5, "M", LEFT, TOP, "V", floor, "H", WIDTH - RIGHT)]
        for part in (0, 0.5, 1):
            words = f"{round(far * part):,}" + (f" {self.words['runs']}" if part == 1 else "")
            where = {0: None, 0.5: "middle", 1: "end"}[part]
            drawn.append(text(words, self._x(far * part, far), floor + 24, WORD, "muted", at=where))
        return drawn

    def _guess(self, guessed: int, far: int) -> list[Element]:
        if not guessed:
            return []
        x = self._x(min(guessed, far), far)
        line = stroke("ink", 2, "M", x, TOP, "V", HEIGHT - BOTTOM, dashes="2 5")
        at = "end" if x > WIDTH / 2 else None
        words = self.words["your guess"].format(n=guessed)
        return [line, text(words, x - 8 if at else x + 8, TOP + 14, WORD, "ink", at=at)]

    def _nothing(self) -> list[Element]:
        name = text(self.words["time"], LEFT - 8, TOP + 6, WORD, "muted", at="end")
        return [name, text("?", (LEFT + WIDTH - RIGHT) / 2, HEIGHT / 2 + 20, 60, "muted", at="middle", bold=True)]

    def _lines(self, far: int) -> list[Element]:
        assert self.times is not None
        times, floor = self.times, HEIGHT - BOTTOM
        ends = ((0.0, times.dynamic), (times.build, times.static))
        highest = max(start + slope * far for start, slope in ends)
        top = f"{highest:.3g} ms" if highest < 1000 else f"{highest / 1000:.2g} s"
        drawn = [text(top, LEFT - 8, TOP + 6, WORD, "muted", at="end")]
        for i, (name, (start, slope), (colour, dashes)) in enumerate(
            zip(("dynamic", "static"), ends, STROKES, strict=True)
        ):
            heights = [floor - (floor - TOP) * ms / highest for ms in (start, start + slope * far)]
            line = {"stroke_dasharray": dashes, **colours("none", colour, 4)}
            drawn.append(element("path", d=path("M", LEFT, heights[0], "L", WIDTH - RIGHT, heights[1]), **line))
            x = LEFT + 210 * i
            drawn.append(element("path", d=path("M", x, 28, "h", 40), **line))
            drawn.append(text(self.words[name], x + 50, 33, WORD, "ink"))
        if times.break_even is not None and times.break_even <= far:
            y = floor - (floor - TOP) * times.break_even * times.dynamic / highest
            drawn.append(element("circle", cx=self._x(times.break_even, far), cy=y, r=8, **colours("paper", "ink", 3)))
        return drawn

    def __repr__(self) -> str:
        """The text without the times, which differ from run to run."""
        return "race: measured" if self.times else "race: not measured yet"
