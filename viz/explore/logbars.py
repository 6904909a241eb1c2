"""Bars for sizes from a billionth to a thousand: by powers of ten, or in proportion to the sizes.

By powers of ten, the smallest power is at the bottom. A bar below the range of that scale is drawn as a hollow stub,
so it does not look like a bar that ends there. In proportion, 1/50,000,000 is a bar without height.
Imports letters and svg of drawing/.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..drawing.legend import VERMILION
from ..drawing.letters import colours, rect
from ..drawing.svg import Element, element


@dataclass(frozen=True)
class LogBars:
    """top, bottom: pixels; strongest, faintest: the powers of ten at these heights."""

    top: float
    bottom: float
    faintest: float
    strongest: float

    @property
    def unit(self) -> float:
        """Pixels per power of ten."""
        return (self.bottom - self.top) / (self.strongest - self.faintest)

    def y(self, power: float) -> float:
        """The pixel of a power of ten.

        >>> LogBars(0, 100, -8, 2).y(0)
        20.0
        """
        return self.bottom - self.unit * (power - self.faintest)

    def height(self, size: float) -> float:
        """The height of a bar; sizes beyond either end of the scale are drawn slightly past that end."""
        power = math.log10(size) if 0 < size < math.inf else math.copysign(math.inf, size - 1)
        return self.unit * min(max(power - self.faintest, 0.15), self.strongest - self.faintest + 0.4)

    def bar(self, x: float, wide: float, size: float) -> Element:
        """The bar of a gradient that is larger than 0, `wide` pixels around x."""
        high = self.height(size)
        faint = size <= 10.0**self.faintest  # smaller than the height of its bar says
        paint = colours("none", VERMILION, 1.5) if faint else colours(VERMILION)
        return element("rect", x=x - wide / 2, y=self.bottom - high, width=wide, height=high, **paint)


@dataclass(frozen=True)
class LinearBars:
    """top, bottom: pixels; most: the size at the top. The same methods as LogBars."""

    top: float
    bottom: float
    most: float = 1.0

    def y(self, power: float) -> float:
        """The pixel of a power of ten.

        >>> LinearBars(0, 100, 2.0).y(0)
        50.0
        """
        return self.bottom - self.height(10.0**power)

    def height(self, size: float) -> float:
        """The height of a bar; 0 for what is no number."""
        return (self.bottom - self.top) * min(size / self.most, 1.0) if size > 0 else 0.0

    def bar(self, x: float, wide: float, size: float) -> Element:
        """The bar of a gradient, `wide` pixels around x."""
        high = self.height(size)
        return rect(x - wide / 2, self.bottom - high, wide, high, VERMILION)
