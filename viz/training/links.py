"""Draws a chain: one box a time step, the loss at its end, and the way of the gradient back, which stops at ✂.

A still picture shows everything. With `pulse`, the gradient sets out from the loss and colours one box after the other;
where the page asks for reduced motion, the last frame is there at once. Each box changes once, so nothing flashes.

Imports chain, and explore/panel and letters, svg of drawing/. Read next: trainer.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..drawing.legend import VERMILION
from ..drawing.letters import TAG, WORD, colours, rect, stroke, text
from ..drawing.svg import Element, element, number
from ..explore.panel import Sketch
from ..locale import room
from .chain import CUT, OPEN, Chain

tr = room("training")
WORDS = tr.table("links")

SIZE = (760, 108)  # pixels
LEFT, RIGHT, WIDEST = 86, 690, 34.0  # where the first box begins, where the last one ends, and the widest place for one
TOP, TALL, BACK = 36, 28, 82  # the boxes' upper edge and height, and the height of the gradient's way
LASTS = 0.8  # seconds of a pulse
# Colours a box, and draws the way under it, at its moment. Without the animation, both are there from the beginning.
MOTION = Element(
    "<style>@media (prefers-reduced-motion:no-preference){.viz-arrives{animation:viz-arrives .12s both}}"
    "@keyframes viz-arrives{0%{opacity:0}100%{opacity:1}}</style>"
)


def picture(chain: Chain, lang: str, *, title: str = "", pulse: bool = False) -> Sketch:
    """The chain as a picture. title: the name of its training, where there are several."""
    words = WORDS[lang]
    told = words["step" if chain.steps == 1 else "steps"].format(steps=chain.steps, nodes=chain.nodes)
    told = f"{title}: {told}" if title else told
    parts = [MOTION] if pulse else []
    way = _explained(says(chain, lang), *_way(chain, pulse))
    parts += [*_frame(chain, words, told), *_boxes(chain, pulse), way]
    return Sketch(parts, SIZE, title=words["chain"], alt=f"{told}. {says(chain, lang)}")


def says(chain: Chain, lang: str) -> str:
    """Where backward stops, in words."""
    words = WORDS[lang]
    inside = [t for t in chain.cuts if t > 1]
    if inside:
        return words["stops inside"].format(cuts=", ".join(map(str, chain.cuts)))
    return words["goes further" if chain.begins == OPEN else "stops at ✂" if chain.begins == CUT else "stops"]


def _explained(words: str, *parts: Element) -> Element:
    """Parts of the picture that explain themselves when the mouse is over them."""
    return element("g", element("title", words), *parts)


def _places(chain: Chain) -> list[float]:
    """The left edge of each box, and the right end of the last place."""
    wide = min(WIDEST, (RIGHT - LEFT) / chain.steps)
    return [LEFT + wide * t for t in range(chain.steps + 1)]


def _later(part: Element, chain: Chain, t: int, pulse: bool) -> Element:
    """A part of the picture that appears when the gradient has come back to time step t; T + 1 is the loss."""
    if not pulse:
        return part
    late = LASTS * (chain.steps + 1 - t) / (chain.steps + 1)
    return element("g", part, class_="viz-arrives", style=f"animation-delay:{number(late)}s")


def _frame(chain: Chain, words: dict[str, str], told: str) -> Iterator[Element]:
    """The words, the state before the first time step, and the loss."""
    middle, end = TOP + TALL / 2, _places(chain)[-1]
    yield _explained(words["about nodes"], text(told, 14, 22, WORD, "ink", bold=True))
    begins = {CUT: "numbers", OPEN: "goes on"}.get(chain.begins, "zeros")
    yield _explained(words["about " + begins], text(words[begins], LEFT - 24, middle + 4, TAG, "muted", at="end"))
    yield stroke("ink", 1.5, "M", LEFT - 20, middle, "H", LEFT, dashes="3 3")
    yield stroke("ink", 1.5, "M", end - (end - LEFT) / chain.steps * 0.28, middle, "H", end + 12)
    yield rect(end + 12, TOP, 50, TALL, "paper", "ink", 2, rx=TALL / 2)
    yield text(words["loss"], end + 37, middle + 5, TAG, "ink", at="middle")


def _boxes(chain: Chain, pulse: bool) -> Iterator[Element]:
    """A box for each time step, with the gradient's colour if it arrives there, and the links between them."""
    middle = TOP + TALL / 2
    for t, (left, right) in enumerate(pairwise(_places(chain)), 1):
        gap = min(max(1.0, (right - left) * 0.28), (right - left) / 2)  # hundreds of boxes are narrower than a pixel
        box = dict(x=left, y=TOP, width=right - left - gap, height=TALL, rx=min(4.0, gap))
        yield element("rect", **box, **colours("paper", "ink", 1.5))
        if chain.reached[t - 1]:
            yield _later(element("rect", **box, **colours("paper", VERMILION, 3)), chain, t, pulse)
        if t < chain.steps and chain.joined[t]:
            yield stroke("ink", 1.5, "M", right - gap, middle, "H", right)


def _way(chain: Chain, pulse: bool) -> Iterator[Element]:
    """The gradient's way back below the boxes, a piece at a time, and ✂ where it stops."""
    places, steps = _places(chain), chain.steps
    if any(chain.reached):
        begin = stroke(VERMILION, 4, "M", places[-1] + 37, TOP + TALL, "V", BACK, "H", places[-1] - 4)
        yield _later(begin, chain, steps + 1, pulse)
    for t in range(steps, 0, -1):
        if chain.reached[t - 1]:
            open_left = chain.joined[t - 1]
            left = places[t - 1] - (4 if open_left else 0)
            end: tuple[str | float, ...] = () if open_left else ("M", left, BACK - 8, "V", BACK + 8)  # ⊣
            piece = stroke(VERMILION, 4, "M", places[t] - 4, BACK, "H", left - 0.5, *end)
            yield _later(piece, chain, t, pulse)
    for t in chain.cuts:
        x = places[t - 1] - (10 if t == 1 else (places[1] - places[0]) * 0.14)
        yield stroke(VERMILION, 2.5, "M", x, TOP - 8, "V", TOP + TALL + 8)
        yield text("✂", x, BACK + 8 if t == 1 else TOP - 8, 20, "ink", at="middle")
