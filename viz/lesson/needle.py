"""`viz.needle(function, at, slopes)`: a curve, and at one of its points a needle for each slope that somebody claims.

Where a curve is smooth, one needle fits it. At a kink there may be many, and each library picks its own. Both axes
have the same scale, so a slope looks like what it is, and they stay where they are when the needle moves.

Imports boxes, legend, paint, picture, svg. Read paint.py for how one SVG follows the theme of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2s
from typing import Any

from ..drawing.boxes import WORD, colours, text
from ..drawing.paint import style
from ..drawing.picture import png_of
from ..drawing.svg import Element, element, path

UNIT, REACH = 110, 0.9  # pixels, and how far a needle reaches to either side
MARGIN, LINE = 24, 24  # pixels around everything, and from one line of text to the next
STROKES = [("#D55E00", None), ("#0072B2", "12 7"), ("#009E73", "3 6"), ("#CC79A7", "12 5 3 5")]
POINTS = 161  # at which the curve is drawn and compared with the needles


def needle(
    function: Callable[[float], Any], at: float, slopes: Mapping[str, float], *, x: tuple[float, float] = (-2, 2)
) -> Needle:
    """The curve of `function` and a needle at `at` for each of `slopes`.

    function: takes a float and gives a number (a tensor with one element will do); convex, as a bowl is.
    slopes: {who says so: slope}, four at most. A needle fits if it is nowhere above the curve.
    x: where the picture begins and ends.

    >>> needle(lambda h: max(h, 0.0), 0.0, {"yours": 0.25, "mine": 2.0})
    A curve, and needles on it at 0. yours: slope 0.25, fits. mine: slope 2, cuts the curve.
    """
    steps = [x[0] + (x[1] - x[0]) * i / (POINTS - 1) for i in range(POINTS)]
    curve = [(step, float(function(step))) for step in sorted({*steps, at})]
    return Needle(curve, (at, float(function(at))), slopes)


class Needle:
    """What `needle` makes: `.svg`, `.alt` (the same in words) and `.png()`; a notebook shows it by itself."""

    def __init__(self, curve: list[tuple[float, float]], pivot: tuple[float, float], slopes: Mapping[str, float]):
        self.curve, self.pivot, self.slopes = curve, pivot, dict(slopes)
        lowest, highest = min(y for _, y in curve), max(y for _, y in curve)
        self._top = MARGIN + LINE * len(self.slopes) + (highest + 0.15) * UNIT  # the pixel where y is 0
        self._left = MARGIN - curve[0][0] * UNIT
        self.size = (
            round(2 * MARGIN + (curve[-1][0] - curve[0][0]) * UNIT),
            round(self._top + (REACH - lowest) * UNIT),
        )

    def fits(self, slope: float) -> bool:
        """Is a needle of this slope nowhere above the curve?"""
        at, height = self.pivot
        return all(y >= height + slope * (x - at) - 1e-6 for x, y in self.curve)

    @property
    def svg(self) -> str:
        """The picture as SVG: one string for a page, an image, print and both themes."""
        return self._paint(styled=True)

    @property
    def alt(self) -> str:
        """The picture in words."""
        words = [f"{name}: {self._verdict(slope)}." for name, slope in self.slopes.items()]
        return " ".join([f"A curve, and needles on it at {self.pivot[0]:g}.", *words])

    def png(self) -> bytes:
        """The picture as a PNG with light colours, twice as sharp as its size says."""
        return png_of(self._paint(styled=False))

    def _verdict(self, slope: float) -> str:
        return f"slope {slope:g}, {'fits' if self.fits(slope) else 'cuts the curve'}"

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self._left + x * UNIT, self._top - y * UNIT

    def _paint(self, *, styled: bool) -> str:
        prefix = "n" + blake2s(repr((self.curve, self.pivot, self.slopes)).encode(), digest_size=4).hexdigest()
        head = [element("title", "Needles on a curve"), element("desc", self.alt)]
        if styled:
            head.append(Element(f"<style>{style(prefix)}</style>"))
        width, height = self.size
        curve = path(*(part for i, point in enumerate(self.curve) for part in ("L" if i else "M", *self._at(*point))))
        x, y = self._at(*self.pivot)
        return element(
            "svg",
            *head,
            element("rect", width=width, height=height, rx=8, **colours("paper")),
            *self._axes(),
            element("path", d=curve, stroke_linejoin="round", **colours("none", "ink", 4)),
            *(part for i in range(len(self.slopes)) for part in self._needle(i)),
            element("circle", cx=x, cy=y, r=7, **colours("paper", "ink", 3)),
            xmlns="http://www.w3.org/2000/svg",
            class_=prefix,
            role="img",
            width=width,
            height=height,
            viewBox=f"0 0 {width} {height}",
            font_family="sans-serif",
        )

    def _axes(self) -> list[Element]:
        (left, _), (right, _) = self._at(self.curve[0][0], 0), self._at(self.curve[-1][0], 0)
        x, y = self._at(0, 0)
        top = MARGIN + LINE * len(self.slopes)
        drawn = [
            element("path", d=path("M", left, y, "H", right), **colours("none", "muted", 1)),
            element("path", d=path("M", x, top, "V", self.size[1] - MARGIN / 2), **colours("none", "muted", 1)),
        ]
        for tick in range(round(self.curve[0][0]), round(self.curve[-1][0]) + 1):
            if tick:
                words = f"{tick}".replace("-", "−")
                drawn.append(text(words, self._at(tick, 0)[0], y + 22, WORD, "muted", at="middle"))
        return drawn

    def _needle(self, number: int) -> list[Element]:
        """A needle, and its line of words above the picture."""
        name, slope = list(self.slopes.items())[number]
        colour, dashes = STROKES[number]
        at, height = self.pivot
        dx = REACH / (1 + slope**2) ** 0.5
        ends = [*self._at(at - dx, height - slope * dx), *self._at(at + dx, height + slope * dx)]
        y = MARGIN + LINE * number
        line = {"stroke_dasharray": dashes, "stroke_linecap": "round", **colours("none", colour, 5)}
        return [
            element("path", d=path("M", *ends[:2], "L", *ends[2:]), **line),
            element("path", d=path("M", MARGIN, y - 5, "h", 36), **line),
            text(f"{name}: {self._verdict(slope)}", MARGIN + 48, y, WORD, "ink"),
        ]

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        width, height = self.size
        size = {"width": width, "height": height, "alt": self.alt}
        data = {"text/plain": self.alt, "image/svg+xml": self.svg, "image/png": self.png()}
        return data, {"image/svg+xml": {"unconfined": True}, "image/png": size}
