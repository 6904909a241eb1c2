"""Moving parts of the explorers: plates with a number that run along the arrows of a graph, with CSS alone.

An element `appears` when a plate has arrived, and the element that it replaces `goes`. With reduced motion, and in a
still picture, only the last frame is shown: no plates, and everything has arrived.
Imports layout, legend, letters and svg of drawing/.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..beside import text_of
from ..drawing.layout import Arrow, Point
from ..drawing.legend import BLACK
from ..drawing.letters import WORD, text, text_width
from ..drawing.svg import Element, element, number, path

MOTION = text_of("explore/motion.css").replace("\n", "")
STYLE = Element(f"<style>{MOTION}</style>")


def appears(late: float) -> dict[str, object]:
    """Attributes of an element that is visible from `late` seconds on."""
    return {"class_": "viz-appears", "style": f"animation-delay:{number(late)}s"} if late else {}


def goes(late: float) -> dict[str, object]:
    """Attributes of an element that is visible for `late` seconds, and never in a still picture."""
    return {"class_": "viz-goes", "opacity": 0, "style": f"animation-delay:{number(late)}s"}


def points_of(arrow: Arrow) -> list[Point]:
    """The arrow's course, from its start to its tip."""
    return [*arrow.points, arrow.tip]


def plate(points: Sequence[Point], words: str, late: float, lasts: float, fill: str, ink: str) -> Element:
    """A plate that runs through `points`, from `late` seconds on, for as long as it `lasts`."""
    width = text_width(words, WORD, mono=True, bold=True) + 12
    course = path("M", *points[0], *(step for point in points[1:] for step in ("L", *point)))
    box = element("rect", x=-width / 2, y=-12, width=width, height=24, rx=6, fill=fill, stroke=BLACK, stroke_width=1)
    said = text(words, 0, 5, WORD, ink, at="middle", mono=True, bold=True)
    motion = f"offset-path:path('{course}');animation-delay:{number(late)}s;animation-duration:{number(lasts)}s"
    return element("g", box, said, class_="viz-plate", style=motion, opacity=0, aria_hidden="true")
