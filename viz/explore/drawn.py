"""`viz.explore.draw_curve(forgets=…, clears=…)`: the reader draws the loss of a loop, then the loops run.

No loop runs before a curve is drawn, except for its first iteration, which gives the curve its beginning. The reader
draws with a pointer, or with the arrow keys: left and right choose an iteration, up and down move the point there.
Then the loops run for a few iterations beside the reader's curve, and on request to their end.

Read panel.py first, and drawn.js for the page's side.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, islice
from typing import Any

from ..alive import close, only
from ..beside import text_of
from ..drawing.letters import NUMBER, TAG, WORD, colours, stroke, text
from ..drawing.svg import Element, element, path
from ..front import AWAKE, SAVES
from ..lesson.trial import library_in
from ..locale import language, room
from .motion import STYLE as MOTION
from .motion import appears
from .panel import Panel, Sketch, button
from .words import plain

LEFT, RIGHT, TOP, BOTTOM = 58, 600, 22, 330  # pixels: the edges of the plot
BESIDE = 140  # pixels right of the plot, for the names of the curves
PACE = 0.25  # seconds from one iteration to the next
DECADES = 2  # powers of ten above and below the first loss
SLIGHT = 0.1  # powers of ten that a hand-drawn curve may move by accident
MOST = 40  # powers of ten that the axis shows at most
EACH = 12  # powers of ten that are all named; of up to twice as many, every second one, and so on
YOURS = ("#CC79A7", 5.0, "1 8")  # colour, width and dashes of the reader's curve
STYLES = (("#D55E00", 3.0, None), ("#0072B2", 3.0, "9 5"))  # of the loops: the one that is drawn, then the other

tr = room("explore")
WORDS = tr.table("drawn")


@cache
def _front() -> Any:
    import anywidget
    import traitlets

    class Drawn(anywidget.AnyWidget):
        _esm = SAVES + text_of("explore/drawn.js")
        _css = text_of("explore/drawn.css") + AWAKE
        value = traitlets.Unicode("").tag(sync=True)  # the picture
        drawn: Any = traitlets.List().tag(sync=True)  # the reader's curve: powers of ten, from the first iteration on
        data = traitlets.Dict().tag(sync=True)  # where the plot is, and its words
        drawing = traitlets.Bool(True).tag(sync=True)  # may the reader draw?

    return Drawn


def draw_curve(*, first: int = 12, lang: str | None = None, **loops: Iterable[float]) -> DrawCurve:
    """A plot on which the reader draws the loss of one loop; then two loops run.

    loops: two iterables of losses by name, such as generators that train. The reader draws the curve of the first one.
        Each is read once.
    first: how many iterations are drawn. lang: a language with catalogues.
    From code: `sketch([29, 25, 20])` draws, `run()`, `run_on()`; `losses` contains what the loops gave.

    Raises ValueError if there are not two loops, or if one does not begin with a positive number.

    >>> panel = draw_curve(forgets=iter([100.0, 60.0, 20.0, 70.0, 300.0]), clears=iter([100.0, 60.0, 40.0, 30.0, 25.0]))
    >>> panel.sketch([100, 80, 70, 60])
    >>> panel.run()
    >>> print(panel)  # doctest: +NORMALIZE_WHITESPACE
    Iteration 5: you drew 60. “forgets” has 300, “clears” has 25. Up to this iteration, your curve falls, and the loss
    of “forgets” rises and falls.
    """
    lang = language(lang)
    return DrawCurve(loops, first, lang)


class DrawCurve(Panel):
    """The panel that `draw_curve` returns."""

    given: dict[tuple, list[float]] = {}  # the reader's curves in this session, by their loops; the last 50

    def __init__(self, loops: dict[str, Iterable[float]], first: int, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words, self.first = lang, WORDS[lang], first
        if len(loops) != 2:
            raise ValueError(self.words["two"])
        self.loops = {name: iter(loop) for name, loop in loops.items()}
        self.losses: dict[str, list[float]] = {name: [] for name in loops}
        self.shown_to = 0  # iterations of the loops that are shown
        self.moving = False
        self.read(1)
        for name, (loss,) in self.losses.items():
            if not (math.isfinite(loss) and loss > 0):
                raise ValueError(self.words["positive"].format(name=name))
        self.asked = next(iter(loops))
        self.start = math.log10(self.losses[self.asked][0])
        self.low, self.high = math.floor(self.start) - DECADES, math.floor(self.start) + 1 + DECADES
        close(self.shown)
        words = {key: self.words[key] for key in ("slider", "point")}
        edges = dict(left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM, low=self.low, high=self.high)
        self.shown = _front()(data=dict(edges, first=first, start=self.start, words=words))
        self.place = (*loops, first, round(self.start, 6))
        self.shown.drawn = self.given.get(self.place, [])  # the cell was run again
        self.shown.observe(only(self._redrawn), "drawn")
        self.run_button = button(self.words["run"], self.run, icon="play", disabled=True)
        self.on_button = button(self.words["on"], self.run_on, icon="forward", disabled=True)
        buttons = widgets.HBox([self.run_button, self.on_button])
        self.root.children = (self.status, self.shown, buttons)
        self.refresh()

    @property
    def drawn(self) -> list[float]:
        """The reader's curve as powers of ten; undrawn points at its end are on the level of the last drawn one."""
        points = [min(max(float(point), self.low), self.high) for point in self.shown.drawn[1 : self.first]]
        return [self.start, *points, *(points[-1:] * (self.first - 1 - len(points)))] if points else []

    def _redrawn(self) -> None:
        """Remember the curve for the next run of the cell."""
        self.given.pop(self.place, None)
        self.given[self.place] = list(self.shown.drawn)
        if len(self.given) > 50:
            del self.given[next(iter(self.given))]
        self.refresh()

    def sketch(self, losses: Sequence[float]) -> None:
        """Draw these losses as the reader's curve; its first point is the loops' own."""
        if self.shown.drawing:
            self.shown.drawn = [math.log10(loss) for loss in losses]

    def read(self, count: int | None) -> None:
        """Run the loops to the iteration `count`, or to their end. A cell that runs meanwhile does not disturb them."""
        for name, loop in self.loops.items():
            torch = library_in(getattr(getattr(loop, "gi_frame", None), "f_globals", {}))
            have = self.losses[name]
            more = islice(loop, None if count is None else max(count - len(have), 0))
            if torch is None:
                have += map(float, more)
            else:
                with torch.inference_mode(False), torch.enable_grad():
                    have += map(float, more)

    def run(self) -> None:
        """Once a curve is drawn, run both loops for as many iterations."""
        if self.drawn and not self.shown_to:
            self._show(self.first)

    def run_on(self) -> None:
        """After `run`, run both loops to their end."""
        if self.shown_to:
            self._show(None)

    def _show(self, count: int | None) -> None:
        self.run_button.disabled = self.on_button.disabled = True
        self.shown.drawing = False
        self._tell(self.told, busy=True)
        self.read(count)
        before, self.shown_to = self.shown_to, min(map(len, self.losses.values()))
        self.moving = self.shown_to > before
        self.refresh()
        self.moving = False
        self.on_button.disabled = count is None

    def says(self) -> str:
        return html.escape(self._said())

    def _said(self) -> str:
        words = self.words
        if not self.shown_to:
            self.run_button.disabled = not self.drawn
            return words["drawn" if self.drawn else "draw"].format(name=self.asked)
        told = []
        at = min(self.first, self.shown_to)
        losses = ", ".join(
            words["loss"].format(name=name, loss=round_(all_[at - 1])) for name, all_ in self.losses.items()
        )
        told.append(words["told"].format(at=at, yours=round_(10 ** self.drawn[at - 1]), losses=losses))
        drawn, came = (
            self.drawn[:at],
            [math.log10(loss) for loss in self.losses[self.asked][:at] if 0 < loss < math.inf],
        )
        courses = {"yours": words[course(drawn)], "loss": words[course(came)]}
        told.append(words["courses"].format(name=self.asked, **courses))
        for name, all_ in self.losses.items():
            over = [at for at, loss in enumerate(all_[: self.shown_to], 1) if not math.isfinite(loss)]
            if over:
                told.append(words["over"].format(name=name, at=over[0], loss=all_[over[0] - 1]))
        return " ".join(told)

    def __repr__(self) -> str:
        return self._said()

    def draw(self) -> Sketch:
        alt = self._said() if self.shown_to else self.words["masked"].format(first=round_(10**self.start))
        return Sketch(self._parts(), (RIGHT + BESIDE, BOTTOM + 56), title=self.words["title"], alt=alt)

    def _parts(self) -> Iterator[Element]:
        if self.moving:
            yield MOTION
        low, high, last = self.low, self.high, self.first
        if self.shown_to > self.first:
            powers = [math.log10(loss) for each in self.losses.values() for loss in each if 0 < loss < math.inf]
            low = min(low, math.floor(min(powers)))
            high = min(max(high, math.ceil(max(powers))), low + MOST)
            last = self.shown_to
        scale = (BOTTOM - TOP) / (high - low)
        step = (RIGHT - LEFT) / (last - 1)

        def at(number: int, power: float) -> tuple[float, float]:
            return LEFT + (number - 1) * step, BOTTOM - (min(max(power, low), high) - low) * scale

        for power in range(low, high + 1):
            if (power - low) % math.ceil((high - low) / EACH):
                continue
            _, y = at(1, power)
            yield element("path", d=path("M", LEFT, y, "H", RIGHT), **colours("none", "muted", 0.5), opacity=0.6)
            yield text(f"10{superscript(power)}", LEFT - 8, y + 5, TAG, "ink", at="end")
        yield text(self.words["loss axis"], LEFT - 8, TOP - 8, TAG, "muted", at="end")
        for number in range(1, last + 1) if last <= 20 else (1, *range(20, last + 1, 20)):
            x, _ = at(number, low)
            yield stroke("muted", 1, "M", x, BOTTOM, "V", BOTTOM + 5)
            yield text(str(number), x, BOTTOM + 20, TAG, "ink", at="middle")
        yield text(self.words["iteration"], RIGHT + 24, BOTTOM + 20, TAG, "muted")

        ends: list[tuple[tuple[float, float], str, tuple[str, float, str | None], float]] = []
        if self.drawn and not self.shown.drawing:  # while it is being drawn, the script shows it
            points = [at(number, power) for number, power in enumerate(self.drawn, 1)]
            yield self._curve(points, YOURS)
            ends.append((points[-1], self.words["you"], YOURS, 0.0))
        for (name, losses), style in zip(self.losses.items() if self.shown_to else (), STYLES, strict=False):
            late = PACE if last == self.first and self.moving else 2.5 / last if self.moving else 0.0
            points = []
            for number, loss in enumerate(losses[: self.shown_to], 1):
                if not (0 < loss < math.inf):
                    x, _ = points[-1] if points else at(1, high)
                    # At the upper edge, and not at the last point: inf is on no axis
                    cross = text(f"✗ {loss}", x, TOP - 6, NUMBER, "ink", at="middle", bold=True)
                    yield element("g", cross, **appears(late * number))
                    break
                points.append(at(number, math.log10(loss)))
                if len(points) > 1:
                    piece = self._curve(points[-2:], style, sum(map(math.dist, points[:-2], points[1:-1])))
                    yield element("g", piece, **appears(late * (number - 1)))
            ends.append((points[-1], name, style, late * len(points)))
        bottom = -math.inf  # names of curves that end close together go below one another
        for (x, y), name, (colour, width, dashes), late in sorted(ends, key=lambda end: end[0][1]):
            bottom = y = max(y, bottom + 22)
            x = max(x, RIGHT) + 12  # beside the plot, so that no name covers a curve
            mark = element(
                "path",
                d=path("M", x, y, "H", x + 24),
                **colours("none", colour, width),
                stroke_linecap="round",
                stroke_dasharray=dashes,
            )
            yield element("g", mark, text(name, x + 30, y + 5, WORD, "ink", halo=True), **appears(late))
        x, y = at(1, self.start)
        yield element("circle", cx=x, cy=y, r=6, **colours("ink"))

    def _curve(
        self, points: Sequence[tuple[float, float]], style: tuple[str, float, str | None], before: float = 0.0
    ) -> Element:
        """A piece of a curve. before: the length of the pieces before it, so that the dashes go on."""
        colour, width, dashes = style
        course = path("M", *points[0], *(step for point in points[1:] for step in ("L", *point)))
        line = dict(stroke_linejoin="round", stroke_linecap="round", stroke_dasharray=dashes)
        return element(
            "path", d=course, **colours("none", colour, width), **line, stroke_dashoffset=before if dashes else None
        )


def course(powers: Sequence[float]) -> str:
    """Whether a curve rises, falls, does both or stays level. Moves of less than SLIGHT are not counted.

    >>> course([2, 1.5, 1.52, 1]), course([2, 1, 1.5]), course([2, 2.05])
    ('falls', 'both', 'level')
    """
    rises = any(later - low > SLIGHT for low, later in zip(accumulate(powers, min), powers, strict=True))
    falls = any(high - later > SLIGHT for high, later in zip(accumulate(powers, max), powers, strict=True))
    return {(True, True): "both", (True, False): "rises", (False, True): "falls"}.get((rises, falls), "level")


def superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def round_(loss: float) -> str:
    """A loss with two digits, and with commas.

    >>> round_(8193312.0), round_(0.01234), round_(float("inf"))
    ('8,200,000', '0.012', 'inf')
    """
    if not math.isfinite(loss):
        return str(loss)
    short = float(f"{loss:.2g}")
    return f"{short:,.0f}" if abs(short) >= 10 else plain(short, 2)
