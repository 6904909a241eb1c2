"""A sequence in pieces, drawn: the curve on top, below it a bar for each time step, and ✂ between the pieces.

Imports logbars, and boxes and svg of drawing/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..drawing.letters import NUMBER, TAG, WORD, colours, rect, stroke, text
from ..drawing.svg import Element, element, path
from .logbars import LogBars

BLUE, VERMILION = "#0072B2", "#D55E00"
SIZE, LEFT, RIGHT = (720, 366), 84, 706  # pixels
CURVE, BARS = (62, 178), (232, 340)  # the upper and lower end of both parts
HIGHEST = 1.7  # value in the curve's part; larger ones are not in the picture
FAINTEST, STRONGEST = -6, 2  # powers of ten that a bar can show


@dataclass(frozen=True)
class Strip:
    """ends: the time step after each piece; cuts: the pieces with ✂ after them; stopped: the piece with an error."""

    ends: Sequence[int]
    cuts: set[int]
    stopped: int | None
    words: Mapping[str, str]

    def x(self, step: float) -> float:
        return LEFT + (RIGHT - LEFT) * step / self.ends[-1]

    def frame(self) -> Iterator[Element]:
        """The pieces, the cuts between them, and a pin where training stopped."""
        for i, end in enumerate(self.ends, 1):
            middle = (self.x(self.ends[i - 2] if i > 1 else 0) + self.x(end)) / 2
            yield text(self.words["piece"].format(i), middle, 24, WORD, "ink", at="middle", bold=True)
            if i == self.stopped:
                yield from pin(self.words["stopped"], middle, 46)
            if i < len(self.ends):
                x, is_cut = self.x(end), i in self.cuts
                colour, width, dashes = (VERMILION, 3, "7 5") if is_cut else ("muted", 1, None)
                course = ("M", x, 38, "V", BARS[0] - 34, "M", x, BARS[0] - 6, "V", BARS[1])  # with a gap for words
                yield stroke(colour, width, *course, dashes=dashes)
                if is_cut:
                    yield text("✂", x, 32, 26, "ink", at="middle")

    def curve(self, predicted: np.ndarray, wanted: np.ndarray) -> Iterator[Element]:
        """The target, dashed, and the network's prediction."""
        top, bottom = CURVE
        dashed = {"stroke_dasharray": "4 4", **colours("none", "muted", 2)}
        firm = colours("none", BLUE, 3)

        def at(step: float, value: float) -> tuple[float, float]:
            return self.x(step + 0.5), (top + bottom) / 2 - value * (bottom - top) / (2 * HIGHEST)

        for y, name, values, paint in ((112, "wanted", wanted, dashed), (92, "predicted", predicted, firm)):
            steps = (
                part for way in within(values) for i, point in enumerate(way) for part in ("ML"[i > 0], *at(*point))
            )
            yield element("path", d=path(*steps), **paint)
            yield text(self.words[name], LEFT - 8, y, TAG - 1, "ink", at="end")
            yield element("path", d=path("M", LEFT - 80, y + 5, "h", 72), **paint)
        for way in within(predicted):
            for step, value in (way[0], way[-1]):
                if abs(value) > HIGHEST - 1e-6:  # the curve goes on outside of the picture
                    cx, cy = at(step, value)
                    yield text("▲" if value > 0 else "▼", cx, cy + 5, TAG, BLUE, at="middle")
        for i, value in enumerate(predicted):
            if abs(value) <= HIGHEST:
                cx, cy = at(i, value)
                yield element("circle", cx=cx, cy=cy, r=3.5, **colours(BLUE))

    def bars(self, reach: np.ndarray | None) -> Iterator[Element]:
        """The gradient's size at each time step, on a logarithmic scale; no bars if `reach` is hidden or missing."""
        top, bottom = BARS
        yield text(self.words["heading"], LEFT, top - 16, TAG, "muted")
        yield stroke("ink", 1, "M", LEFT, bottom, "H", RIGHT)
        scale = LogBars(top, bottom, FAINTEST, STRONGEST)
        for power in range(FAINTEST, STRONGEST + 1, 2):
            told = {0: "1", 2: "100"}.get(power, f"1e−{-power}")
            yield text(told, LEFT - 8, scale.y(power) + 4, TAG - 1, "muted", at="end", mono=True)
        one = scale.y(0)
        yield stroke("muted", 1, "M", LEFT, one, "H", RIGHT, dashes="2 5")
        wide = (RIGHT - LEFT) / self.ends[-1] * 0.7
        if self.stopped:
            yield text(
                self.words["none"], (LEFT + RIGHT) / 2, (top + bottom) / 2 + 5, WORD, "ink", at="middle", halo=True
            )
            return
        if reach is None:
            yield rect(LEFT, top, RIGHT - LEFT, bottom - top, "none", "muted", 1.5, dashes="5 5")
            yield text("?", (LEFT + RIGHT) / 2, (top + bottom) / 2 + 14, 40, "muted", at="middle")
            return
        for i, norm in enumerate(reach):
            if norm > 0:
                yield scale.bar(self.x(i + 0.5), wide, float(norm))
        (faints,) = np.nonzero((reach > 0) & (reach <= 10.0**FAINTEST))
        if len(faints) > 2:
            middle = self.x((faints[0] + faints[-1] + 1) / 2)
            yield text(self.words["faint"], middle, bottom - 20, WORD, "ink", at="middle", halo=True)
        gone = int((reach > 0).argmax()) if (reach > 0).any() else len(reach)
        if gone > 2:
            middle = bottom - 19
            yield stroke("muted", 1, "M", LEFT + 2, middle, "H", self.x(gone) - 4)
            for end in (LEFT + 2, self.x(gone) - 4):
                yield stroke("muted", 1, "M", end, middle - 6, "V", middle + 6)
            yield text(self.words["nothing"], self.x(gone / 2), bottom - 14, WORD, "ink", at="middle", halo=True)


def within(values: np.ndarray) -> Iterator[list[tuple[float, float]]]:
    """A curve as lists of points (step, value). A list ends at the border where the curve leaves the picture.

    >>> list(within(np.array([0.0, 1.0, 2.0])))
    [[(0, 0.0), (1, 1.0), (1.7, 1.7)]]
    """
    way: list[tuple[float, float]] = []
    for i, value in enumerate(values):
        inside, before = abs(value) <= HIGHEST, float(values[i - 1]) if i else value
        if i and inside != (abs(before) <= HIGHEST):
            border = float(np.copysign(HIGHEST, before if inside else value))
            way.append((i - 1 + (border - before) / (float(value) - before), border))
        if inside:
            way.append((i, float(value)))
        elif way:
            yield way
            way = []
    if way:
        yield way


def pin(words: str, x: float, y: float) -> Iterator[Element]:
    """An octagon, which marks an error, and words beside it."""
    r, d = 11.0, 4.6
    left = x - 9 * len(words) / 2
    corners = [(-d, -r), (d, -r), (r, -d), (r, d), (d, r), (-d, r), (-r, d), (-r, -d)]
    steps = (part for i, (dx, dy) in enumerate(corners) for part in ("L" if i else "M", left + dx, y - 5 + dy))
    yield element("path", d=path(*steps, "Z"), **colours("paper", VERMILION, 3))
    yield text("!", left, y + 1, NUMBER - 3, "ink", at="middle", bold=True)
    yield text(words, left + 18, y, WORD, "ink", bold=True)
