"""Bars on a logarithmic scale, for gradients that may be a billionth or a thousandfold: standing on the smallest power.

A bar that is smaller than the scale shows is a hollow stub, so that it can't be taken for one that ends there.
Imports letters and svg of drawing/.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..drawing.legend import VERMILION
from ..drawing.letters import colours
from ..drawing.svg import Element, element


@dataclass(frozen=True)
class LogBars:
    """top, bottom: pixels; faintest, strongest: the powers of ten there."""

    top: float
    bottom: float
    faintest: float
    strongest: float

    @property
    def unit(self) -> float:
        """Pixels for a power of ten."""
        return (self.bottom - self.top) / (self.strongest - self.faintest)

    def y(self, power: float) -> float:
        """The pixel of a power of ten.

        >>> LogBars(0, 100, -8, 2).y(0)
        20.0
        """
        return self.bottom - self.unit * (power - self.faintest)

    def height(self, size: float) -> float:
        """How high a bar is; a little of it is seen below the scale, and a little beyond it."""
        power = math.log10(size) if 0 < size < math.inf else math.copysign(math.inf, size - 1)
        return self.unit * min(max(power - self.faintest, 0.15), self.strongest - self.faintest + 0.4)

    def bar(self, x: float, wide: float, size: float) -> Element:
        """The bar of a gradient that is larger than 0, `wide` pixels around x."""
        high = self.height(size)
        faint = size <= 10.0**self.faintest  # it is there, but smaller than its bar looks
        paint = colours("none", VERMILION, 1.5) if faint else colours(VERMILION)
        return element("rect", x=x - wide / 2, y=self.bottom - high, width=wide, height=high, **paint)
