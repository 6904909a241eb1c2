"""A curve with needles on it: what `viz.explore.kink` draws.

Both axes have the same scale, so slopes look right, and the axes keep their place when a needle moves. Only where the
curve is too steep for that, the upright axis is shorter; then slopes look flatter, but a needle still fits the curve.
Imports boxes and svg of drawing/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..drawing.boxes import WORD, colours, text
from ..drawing.letters import rect, shortened, stroke
from ..drawing.svg import Element, element
from .words import plain

# Colour, dashes and width of the needles: each one is visible even if all three overlap
YOURS, CLAIMED, MEASURED = ("#CC79A7", None, 5), ("#D55E00", "12 7", 10), ("#009E73", "3 6", 17)
REACH, ROOM = 0.9, 0.75  # a needle's half length, and the room above and below the curve (units of the axes)
FROM, TO, POINTS = -2.0, 2.0, 161
INSIDE = 1.5  # how far `h` can be dragged
WIDTH, MARGIN, LINE, MOST = 560, 24, 26, 340  # pixels; MOST is the largest height of the curve's part
STEEP = 3.5  # a curve that is higher (units of the axes) gets a shorter upright axis
ASIDE = 340  # pixels beside the curve, for the table of derivatives
TABLE, ROW = MARGIN + 3 * LINE, 34  # pixels: the top of that table, and the height of a row
NAMES = 18  # letters that fit into the table's first column


def curve_of(function: Callable[[Any], Any], torch: Any) -> list[tuple[float, float]]:
    """The points of the curve that are finite; `torch` is the library whose tensors the function takes."""
    with torch.no_grad():
        steps = np.linspace(FROM, TO, POINTS)
        points = [(step, float(function(torch.tensor([step], dtype=torch.float64)))) for step in steps]
    return [(x, y) for x, y in points if np.isfinite(y)]


def called(name: str) -> str:
    """The label of the upright axis.

    >>> called("torch.relu"), called("h.clamp(min=0)"), called("my operator")
    ('torch.relu(h)', 'h.clamp(min=0)', 'my operator')
    """
    return f"{shortened(name)}(h)" if name.replace(".", "").isidentifier() else shortened(name)


class View:
    """Positions in the picture of one curve: the same scale for both axes, whatever the needle does."""

    def __init__(self, curve: list[tuple[float, float]]):
        self.curve = curve
        heights = [0.0, *(y for _, y in curve)]
        if steep := max(heights) - min(heights) > STEEP:  # show the curve at the places to which `h` can be dragged
            heights = [0.0, *(y for x, y in curve if abs(x) <= INSIDE and abs(4 * x - round(4 * x)) < 1e-6)]
        low, high = min(heights) - ROOM, max(heights) + ROOM
        self.up = MOST / (high - low)  # pixels for 1 on the upright axis
        self.unit = (WIDTH - 2 * MARGIN) / (TO - FROM)  # and on the axis of h
        if not steep:
            self.unit = self.up = min(self.unit, self.up)
        self.zero = MARGIN + 3 * LINE + high * self.up  # the pixel where y is 0
        self.bottom = self.zero - low * self.up
        self.low, self.high = low, high
        self.drawn: dict[str, list[Element]] = {}

    def at(self, x: float, y: float) -> tuple[float, float]:
        return WIDTH / 2 + x * self.unit, self.zero - y * self.up

    def axes(self, name: str) -> list[Element]:
        """Both axes with their labels, and the curve of the function of that name. They are drawn once."""
        if name not in self.drawn:
            self.drawn[name] = [*self._axes(name)]
        return self.drawn[name]

    def _axes(self, name: str) -> Iterator[Element]:
        left, right = self.at(FROM, 0)[0], self.at(TO, 0)[0]
        yield stroke("muted", 1, "M", left, self.zero, "H", right)
        top = MARGIN + 3 * LINE
        yield stroke("muted", 1, "M", WIDTH / 2, top, "V", self.bottom - 8)
        apart = next((each for each in (1, 2, 5, 10, 20, 50, 100) if each * self.up >= 28), 1000)
        steps, pen = list[Any](), "M"
        for x, y in self.curve:
            if self.low <= y <= self.high:
                steps += [pen, *self.at(x, y)]
                pen = "L"
            else:
                pen = "M"
        yield stroke("ink", 4, *steps, stroke_linejoin="round")
        # The words come last, with a halo: a curve may run through them
        for tick in (-2, -1, 1, 2):
            yield text(plain(tick), self.at(tick, 0)[0], self.zero + 20, WORD - 2, "muted", at="middle", halo=True)
            if self.low < tick * apart < self.high:
                high = self.at(0, tick * apart)[1]
                yield text(plain(tick * apart), WIDTH / 2 - 8, high + 5, WORD - 2, "muted", at="end", halo=True)
        yield text("h", right - 2, self.zero - 8, WORD, "ink", at="end", mono=True, halo=True)
        yield text(called(name), WIDTH / 2 - 8, top + 6, WORD, "ink", at="end", mono=True, halo=True)

    def needle(self, x: float, y: float, slope: float, colour: str, dashes: str | None, wide: int) -> Element:
        dx = REACH / (1 + (slope * self.up / self.unit) ** 2) ** 0.5
        # A tenth of a pixel is enough, and a saved page has thousands of needles
        left, right = ([round(each, 1) for each in self.at(x + far, y + slope * far)] for far in (-dx, dx))
        return stroke(colour, wide, "M", *left, "L", *right, dashes=dashes)

    def pivot(self, x: float, y: float) -> Element:
        at = self.at(x, y)
        return element("circle", cx=at[0], cy=at[1], r=7, **colours("paper", "ink", 3))


def legend(number: int, words: str, colour: str, dashes: str | None, wide: int) -> Iterator[Element]:
    """A line of words above the picture, next to a sample of the stroke that it explains."""
    y = MARGIN + LINE * number
    yield stroke(colour, wide, "M", MARGIN, y - 5, "h", 40, dashes=dashes)
    yield text(words, MARGIN + 52, y, WORD, "ink")


def stamp(words: str, passes: bool) -> Iterator[Element]:
    """gradcheck's verdict, drawn as a slightly rotated stamp."""
    turn = f"translate({WIDTH - 96} {MARGIN + LINE}) rotate(-8)"
    box = rect(-80, -26, 160, 56, "paper", "ink", 4, rx=6)
    name = text("gradcheck", 0, -5, WORD, "ink", at="middle", mono=True)
    verdict = text(f"{'✓' if passes else '✗'} {words}", 0, 19, WORD + 2, "ink", at="middle", bold=True)
    yield element("g", box, name, verdict, transform=turn)


def table(head: tuple[str, str, str], rows: list[tuple[str, str, str]], chosen: int) -> Iterator[Element]:
    """The table beside the curve: a line for each function, with a frame around the chosen one."""
    columns = (WIDTH + 18, WIDTH + 230, WIDTH + ASIDE - 16)
    for i, row in enumerate([head, *rows]):
        y = TABLE + ROW * i
        if i == chosen + 1:
            yield rect(WIDTH + 8, y - 21, ASIDE - 16, 30, "none", "ink", 2, rx=5)
        for x, words, at in zip(columns, row, (None, "end", "end"), strict=True):
            colour, mono = ("muted", False) if not i else ("ink", True)
            size = WORD - 2 if not i else WORD
            words = shortened(words, NAMES) if x == columns[0] else words
            yield text(words, x, y, size, colour, at=at, mono=mono)
