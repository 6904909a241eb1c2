"""`viz.explore.descent()`: a ball on a parabola, moved downhill by the reader's own learning rate.

Two buttons are the two lines of a training loop. `loss.backward()` measures the derivative where the ball is, and the
ball stays there. `w = w - rate * slope` moves it. Beyond a certain rate each step is longer than the last one, and the
ball leaves the picture. Every derivative comes from a pass of the engine: `measure`. The derivative is 50 · (w − 4), so
the slider has both rates that the lesson asks for: at 0.02, one step reaches 4; at 0.04, the ball comes no nearer.

A picture depends only on the places where the ball has been, on whether the derivative there is known, and on the rate.
Read panel.py first, and motion.py for the moving ball.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import ceil, log10
from typing import Any

from ..drawing.legend import BLACK, BLUE, SKY, VERMILION
from ..drawing.letters import TAG, WORD, colours, stroke, text
from ..drawing.svg import Element, element, number, path
from ..locale import language, room
from .motion import STYLE, appears
from .panel import Panel, Sketch, button, in_a_row
from .words import plain

LEAST, START, BEST, PRICE = -2.0, 1.0, 4.0, 20.0  # the left edge; where the ball starts; the lowest point; 5 apples
MOST = 2 * BEST - LEAST  # the right edge
HIGHEST = 900.0  # the loss at both edges
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 660, 380, 58, 640, 46, 336  # pixels
BALL, MARK, POINTS = 11, 4, 97
TANGENT = 74  # pixels from the ball to each end of its tangent
HOP = 0.35  # seconds of one step
FAR = 1e6  # a ball that is farther away than this moves no more
MANY = 10

tr = room("explore")
WORDS = tr.table("descent")


def loss_of(w: Any) -> Any:
    """The squared error of a guess: 5 apples, each for w, cost 20."""
    return (5 * w - PRICE) ** 2


def measure(w: float) -> tuple[float, float]:
    """The loss at w and its derivative, from one backward pass.

    >>> measure(1.0)
    (225.0, -150.0)
    """
    import minigrad as torch

    with torch.inference_mode(False), torch.enable_grad():  # another cell may have switched them
        leaf = torch.tensor(w, dtype=torch.float64, requires_grad=True)
        loss = loss_of(leaf)
        loss.backward()
    assert leaf.grad is not None
    return float(loss.item()), float(leaf.grad.item())


def descent(rate: float = 0.01, *, lang: str | None = None) -> Descent:
    """The curve of (5w − 20)², a ball at w = 1, and a slider for the learning rate.

    rate: the first position of the slider, from 0.001 to 0.06. lang: a language with catalogues.
    From code: `sliders["rate"].value = 0.03`, `backward()`, `step()`, `many()`, `start()`; then `places`.

    >>> panel = descent(rate=0.015)
    >>> panel.backward()
    >>> panel.step()
    >>> [round(place, 3) for place in panel.places]
    [1.0, 3.25]
    """
    return Descent(float(rate), language(lang))


class Descent(Panel):
    """The panel that `descent` returns."""

    def __init__(self, rate: float, lang: str):
        super().__init__({"rate": (0.001, 0.06, 0.001, rate)})
        self.lang, self.words = lang, WORDS[lang]
        self.sliders["rate"].description = self.words["rate"]
        self.places = [START]
        self.slope: float | None = None  # at the ball, once it is measured
        self.last = ""  # the step that was taken last, in words
        self.moving = 0  # steps that this frame shows in motion
        self.buttons = [
            button(self.words["backward"], self.backward),
            button(self.words["step"], self.step, disabled=True),
            button(self.words["many"], self.many, icon="forward"),
            button(self.words["start"], self.start, icon="refresh"),
        ]
        self.root.children = (*self.sliders.values(), in_a_row(*self.buttons), self.status, self.shown)
        self.refresh()

    @property
    def far(self) -> bool:
        return abs(self.places[-1] - BEST) > FAR

    # -- what a reader does ---------------------------------------------------------------------------

    def backward(self) -> None:
        """Measure the slope where the ball is."""
        if not self.far:
            self.slope = measure(self.places[-1])[1]
            self._show()

    def step(self) -> None:
        """Move the ball, once its slope is measured."""
        if self.slope is not None:
            self._move(self.slope)
            self._show(1)

    def many(self) -> None:
        """Measure and move ten times, or until the ball is too far away."""
        before = len(self.places)
        for _ in range(MANY):
            if self.far:
                break
            self._move(measure(self.places[-1])[1])
        self._show(len(self.places) - before)

    def start(self) -> None:
        """Put the ball back to where it started."""
        self.places, self.slope, self.last = [START], None, ""
        self._show()

    def _move(self, slope: float) -> None:
        old, rate = self.places[-1], self.sliders["rate"].value
        new = old - rate * slope
        self.places.append(new)
        told = dict(old=place(old), rate=plain(rate), slope=bracketed(slope), new=place(new))
        sign = "=" if holds(place(old), plain(rate), plain(slope, 4), place(new)) else "≈"
        self.last = self.words["moved"].format(n=len(self.places) - 1, sign=sign, **told)
        self.slope = None

    def _show(self, moving: int = 0) -> None:
        self.moving = moving
        self.refresh()
        self.moving = 0

    # -- what it shows --------------------------------------------------------------------------------

    def says(self, rate: float) -> str:
        if self.far:
            told = self.words["far"]
        elif self.slope is not None:
            told = self.words["measured"].format(w=place(self.places[-1]), slope=plain(self.slope, 4))
        else:
            told = self.last or self.words["first"]
        first, code, rest = told.partition("`loss.backward()`")
        return html.escape(first) + (f"<code>{code.strip('`')}</code>" if code else "") + html.escape(rest)

    def draw(self, rate: float) -> Sketch:
        backward, step, many, _ = self.buttons
        backward.disabled = self.slope is not None or self.far
        step.disabled, many.disabled = self.slope is None, self.far
        parts = [*axes(), curve(), *steps(self.places, self.moving)]
        if self.slope is not None:
            parts += tangent(self.places[-1], self.slope, self.words)
        parts += ball(self.places, self.moving, self.words)
        if self.moving:
            parts.insert(0, STYLE)
        return Sketch(parts, (WIDTH, HEIGHT), title=self.words["title"], alt=self.alt())

    def alt(self) -> str:
        words, count = self.words, len(self.places) - 1
        went = ", ".join(map(place, self.places[-MANY - 1 :]))
        told = [words["alt"], words["alt start"].format(w=place(self.places[-1]))]
        if count:
            told[1] = words["alt steps"].format(count=count, places=went)
        if self.slope is not None:
            told.append(words["alt slope"].format(slope=plain(self.slope, 4)))
        return " ".join(told)


def bracketed(number: float) -> str:
    """
    >>> bracketed(-54.0), bracketed(54.0)
    ('(−54)', '54')
    """
    return f"({plain(number, 4)})" if number < 0 else plain(number, 4)


def place(w: float) -> str:
    """The number w with four digits, or with more where these are needed to show that w is not 4.

    >>> place(3.25), place(3.99981237), place(4.0)
    ('3.25', '3.99981', '4')
    """
    distance = abs(w - BEST)
    return plain(w, 4 if distance == 0 else max(4, 2 + ceil(-log10(distance))))


def holds(old: str, rate: str, slope: str, new: str) -> bool:
    """Whether the step is right for the numbers as they are written; some are rounded.

    >>> holds("1", "0.01", "−150", "2.5"), holds("4.024", "0.021", "0.0001", "4.024")
    (True, False)
    """
    w, times, derivative, then = (Decimal(written.replace("−", "-")) for written in (old, rate, slope, new))
    return w - times * derivative == then


def at(w: float) -> tuple[float, float]:
    """The pixel of the curve's point at w. A point outside the picture stands at its edge."""
    inside = min(max(w, LEAST), MOST)
    x = LEFT + (RIGHT - LEFT) * (inside - LEAST) / (MOST - LEAST)
    return x, BOTTOM - (BOTTOM - TOP) * float(loss_of(inside)) / HIGHEST


def seen(w: float) -> bool:
    return LEAST <= w <= MOST


def axes() -> Iterator[Element]:
    yield stroke("muted", 1, "M", LEFT, TOP - 14, "V", BOTTOM, "H", RIGHT)
    for w in range(int(LEAST), int(MOST) + 1, 2):
        yield text(plain(w), at(w)[0], BOTTOM + 20, TAG, "muted", at="middle", mono=True)
    for loss in (0, 300, 600, 900):
        y = BOTTOM - (BOTTOM - TOP) * loss / HIGHEST
        yield text(plain(loss), LEFT - 8, y + 5, TAG, "muted", at="end", mono=True)
    yield text("w", (LEFT + RIGHT) / 2, BOTTOM + 40, WORD, "ink", at="middle", mono=True)
    yield text("loss = (5w − 20)²", (LEFT + RIGHT) / 2, TOP - 20, WORD, "ink", at="middle", mono=True)


def curve() -> Element:
    places = [LEAST + (MOST - LEAST) * i / (POINTS - 1) for i in range(POINTS)]
    course = (step for i, w in enumerate(places) for step in ("L" if i else "M", *at(w)))
    return stroke("ink", 3, *course, stroke_linejoin="round")


def steps(places: Sequence[float], moving: int) -> Iterator[Element]:
    """A dashed line for each step, and a mark where the ball was. The last `moving` ones appear one after another."""
    still = len(places) - 1 - moving
    for i, (old, new) in enumerate(zip(places, places[1:], strict=False)):
        if not seen(old):
            continue
        line = stroke(BLUE, 2, "M", *at(old), "L", *at(new), dashes="6 4")
        x, y = at(old)
        mark = element("circle", cx=x, cy=y, r=MARK, **colours("paper", "ink", 1.5))
        yield element("g", line, mark, **appears(HOP * max(0, i - still + 1)))


def tangent(w: float, slope: float, words: dict[str, str]) -> Iterator[Element]:
    """The slope at the ball: a line that touches the curve there."""
    x, y = at(w)
    if not seen(w):
        return
    dx, dy = (RIGHT - LEFT) / (MOST - LEAST), -(BOTTOM - TOP) / HIGHEST * slope
    share = TANGENT / (dx**2 + dy**2) ** 0.5
    yield stroke(VERMILION, 4, "M", x - dx * share, y - dy * share, "L", x + dx * share, y + dy * share)
    side, end = (1, None) if slope <= 0 else (-1, "end")
    said = words["slope"].format(slope=plain(slope, 4))
    yield text(said, x + side * 26, y - 12, WORD, "ink", at=end, bold=True, halo=True)


def ball(places: Sequence[float], moving: int, words: dict[str, str]) -> Iterator[Element]:
    """The ball where it is now; for `moving` steps, first a ball that hops there from place to place."""
    hops = [(old, new) for old, new in zip(places, places[1:], strict=False)][len(places) - 1 - moving :]
    for i, (old, new) in enumerate(hops):
        if seen(old):
            (x, y), (to, down) = at(old), at(new)
            course = path("M", x, y, "Q", (x + to) / 2, min(y, down) - 40, to, down)
            motion = f"offset-path:path('{course}');animation-delay:{number(HOP * i)}s;animation-duration:{HOP}s"
            yield element("g", round_at(0, 0), class_="viz-plate", style=motion, opacity=0, aria_hidden="true")
    w, late = places[-1], HOP * moving
    x, y = at(w)
    if seen(w):
        yield element("g", round_at(x, y), **appears(late))
        return
    left = w < LEAST
    arrow = path("M", x - 8, y - 2, "L", x, y - 16, "L", x + 8, y - 2, "z")
    said = words["outside"].format(w=plain(w, 4))
    edge = text(said, x + (14 if left else -14), y - 4, WORD, "ink", at=None if left else "end", bold=True, halo=True)
    yield element("g", element("path", d=arrow, **colours(SKY, BLACK, 2)), edge, **appears(late))


def round_at(x: float, y: float) -> Element:
    return element("circle", cx=x, cy=y, r=BALL, **colours(SKY, "ink", 3))
