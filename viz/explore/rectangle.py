"""`viz.explore.rectangle()`: y = (w + x)(w + 1) as the area of a rectangle that grows when the reader drags w.

Both sides contain w, so both grow. Along each side, the area gains a strip: "through a" at the right end of the side
a = w + x, "through b" on top of the side b = w + 1. Between the strips, it gains a corner. Beside the picture stands
what each piece gains, and that gain divided by the nudge, the change of w. With a tenth of the nudge, the quotients of
the strips stay as they are, and the corner's is a tenth: what remains is the derivative of y with respect to w.

The picture depends only on w, x, the nudge and the step (`halves`). Read panel.py first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..drawing.legend import BLACK, SKY
from ..drawing.letters import NUMBER, TAG, WORD, rect, stroke, text, text_width
from ..drawing.svg import Element, element, number
from ..locale import language
from ..locale.sentences import joined
from .leaving import Button, Leaving, Slider, frame
from .panel import Panel, Sketch, button, hand_on, in_a_row, side_by_side
from .words import RECTANGLE, plain

STEPS = (1.0, 0.1, 0.01, 0.001)  # of w; the slider goes as far as two of them
LEFT, TOP, BELOW, RIGHT = 34, 10, 34, 12  # pixels around the rectangle
WIDE, HIGH = 378, 220  # pixels for the largest rectangle
LENS, APART = 74, 10  # pixels: the lens, and its distance from the corner
SEEN = 210  # pixels of the lens for a w of 1: at each step of w the same, so that the corner fades before the strips
ASIDE, ROW = 316, 31  # pixels: the table's width, and a row of it
COLUMNS = (34, 218, ASIDE - 12)  # where a name begins, and where the two columns of numbers end
NARROW = 250  # pixels, about what JupyterLab leaves in a window of 390; neither half shrinks further
SHRINKS = (
    "@media (prefers-reduced-motion:no-preference){.viz-shrinks{animation:viz-shrinks .9s ease-in-out backwards}}"
    "@keyframes viz-shrinks{0%{transform:var(--before)}100%{transform:none}}"
)


@dataclass(frozen=True)
class Growth:
    """What the area gains when w grows by the nudge: through a alone, through b alone, and in total."""

    w: float
    x: float
    nudge: float
    a: float
    b: float
    through_a: float
    through_b: float
    total: float

    @property
    def corner(self) -> float:
        return round(self.total - self.through_a - self.through_b, 12)

    @property
    def gains(self) -> dict[str, float]:
        """The gain of each piece, by its name in the table of words."""
        return {"a": self.through_a, "b": self.through_b, "corner": self.corner, "total": self.total}

    def per_nudge(self, gain: float) -> float | None:
        """A gain divided by the nudge; None if w has not moved."""
        return round(gain / self.nudge, 9) if self.nudge else None


def measure(w: float, x: float, nudge: float) -> Growth:
    """The area of the rectangle, computed four times: each of the two sides as it was, and grown.

    >>> grown = measure(2.0, 5.0, 0.1)
    >>> grown.gains
    {'a': 0.3, 'b': 0.7, 'corner': 0.01, 'total': 1.01}
    >>> [grown.per_nudge(gain) for gain in grown.gains.values()]
    [3.0, 7.0, 0.1, 10.1]
    """

    def gained(a: float, b: float) -> float:
        return round(a * b - (w + x) * (w + 1), 12)  # the digits after these are rounding errors

    a, b = w + nudge + x, w + nudge + 1
    return Growth(w, x, nudge, w + x, w + 1, gained(a, w + 1), gained(w + x, b), gained(a, b))


def rectangle(w: float = 2.0, x: float = 5.0, *, lang: str | None = None) -> Rectangle:
    """The area y = (w + x)(w + 1): drag w, and see what each side's growth adds to it.

    w, x: where to begin; both sides, w + x and w + 1, must be positive. lang: a language with catalogues.
    From code: `sliders["w"].value = 2.5`, `smaller()`, `again()`; `found` contains the measurements.
    Raises ValueError if a side is not positive.

    >>> panel = rectangle()
    >>> panel
    rectangle at w = 3: A rectangle with the sides w + x = 7 and w + 1 = 3. w grows by 1. The strip through a adds 3,
    the strip through b adds 7, and the corner adds 1: together 11. Divided by 1: 3 + 7 + 1 = 11.
    >>> panel.smaller()
    >>> panel.picture
    A rectangle with the sides w + x = 7 and w + 1 = 3. w grows by 0.1. The strip through a adds 0.3, the strip
    through b adds 0.7, and the corner adds 0.01: together 1.01. Divided by 0.1: 3 + 7 + 0.1 = 10.1.
    """
    lang, w, x = language(lang), float(w), float(x)
    for side, length in {"w + x": w + x, "w + 1": w + 1}.items():
        if not length > 0:
            raise ValueError(f"both sides of the rectangle must be positive, but {side} is {length:g}")
    return Rectangle(w, x, lang)


class Rectangle(Panel):
    """The panel that `rectangle` returns."""

    def __init__(self, w: float, x: float, lang: str):
        super().__init__({"w": (w, w + 2, 0.1, w + 1)})
        self.lang, self.words, self.w, self.x = lang, RECTANGLE[lang], w, x
        self.step, self.moving = STEPS[0], False
        self.found = measure(w, x, self.step)
        self.buttons = [
            button(self.words["smaller"], self._press_smaller),
            button(self.words["again"], self.again),
        ]
        self.root.children = (*self.sliders.values(), in_a_row(*self.buttons), self.status, self.shown)
        self.refresh()

    def smaller(self) -> None:
        """Divide the nudge by ten, down to a step of 0.001."""
        if self.step > STEPS[-1] and self.found.nudge:
            self._take(STEPS[STEPS.index(self.step) + 1], self.found.nudge / 10, moving=True)

    def _press_smaller(self) -> None:
        self.smaller()
        hand_on(*self.buttons)

    def again(self) -> None:
        """Back to the first nudge, 1."""
        self._take(STEPS[0], STEPS[0])

    def _take(self, step: float, nudge: float, *, moving: bool = False) -> None:
        self.step, self.moving, runs = step, moving, self.runs
        moved = self.sliders["w"]
        with moved.hold_sync(), moved.hold_trait_notifications():
            moved.max, moved.step = round(self.w + 2 * step, 9), step / 10
            moved.value = round(self.w + nudge, 9)
        if self.runs == runs:  # w has the value that it had
            self.refresh()
        self.moving = False

    def says(self, w: float) -> str:
        found = self.found
        old = found.a * found.b
        told = dict(w=found.w, now=w, x=found.x, y=old, new=old + found.total, gain=found.total)
        told |= dict(end=self.w + 2 * self.step, smallest=STEPS[-1])
        said = ["run" if found.nudge else "still"]
        if self.step < STEPS[0]:
            said.append("ends last" if self.step == STEPS[-1] else "ends")
        # The same decimals for all of them, so that the new area is the old one and the gain
        numbers = {name: plain(round(number, 9), 15) for name, number in told.items()}
        return joined([self.words[each].format(**numbers) for each in said], self.lang)

    def draw(self, w: float) -> Sketch:
        self.found = measure(self.w, self.x, round(w - self.w, 9))
        self.buttons[0].disabled = self.step == STEPS[-1] or not self.found.nudge
        self.halves = halves(self.found, self.step, self.words, moving=self.moving)
        figure, aside = self.halves
        size = figure.size[0] + aside.size[0], max(figure.size[1], aside.size[1])
        beside = element("g", *aside.parts, transform=f"translate({figure.size[0]} 0)")
        return Sketch([*figure.parts, beside], size, title=figure.title, alt=figure.alt)

    def on_page(self) -> str:
        """The rectangle with the table beside it, or below it if there is no room for both."""
        return side_by_side(self.halves, "align-items:center")

    def leaves(self) -> Leaving:
        """All positions of the slider for each of the four steps."""
        panel, places = Rectangle(self.w, self.x, self.lang), 21
        page = Leaving(self.words["title"], self.lang, {"step": 0, "w": 10})
        page.controls = [
            Slider("w", "w", places, on=[("moving", 0)]),
            Button("smaller", self.words["smaller"]),
            Button("again", self.words["again"]),
        ]
        state = ("step", "w", "moving")
        told, shown = page.part("told", *state[:2]), page.part("shown w", *state[:2])
        picture, moves = page.part("picture", *state), page.part("moves", *state[:2])
        again = page.move("again", ("step", 0), ("w", 10), ("moving", 0))
        for i, step in enumerate(STEPS):
            smaller = [page.move("smaller", ("step", i + 1), ("moving", 1))] if i + 1 < len(STEPS) else []
            for at in range(places):
                moves.contents[i, at] = ",".join([again, *(smaller if at else [])])
                w = round(self.w + at * step / 10, 9)
                for moving in (False, True):
                    panel.step, panel.moving = step, moving
                    told.contents[i, at], picture.contents[i, at, int(moving)] = frame(panel, w=w)
                shown.contents[i, at] = plain(w)
        return page


def halves(found: Growth, step: float, words: Mapping[str, str], *, moving: bool = False) -> tuple[Sketch, Sketch]:
    """The rectangle, and the table beside it. moving: the strips come from ten times their size."""
    told = {name: plain(gain) for name, gain in found.gains.items()} | {"nudge": plain(found.nudge)}
    told |= {f"{name} each": quotient(found.per_nudge(gain)) for name, gain in found.gains.items()}
    alt = words["alt" if found.nudge else "alt still"].format(side_a=plain(found.a), side_b=plain(found.b), **told)
    plan = Plan(found, step)
    figure = Sketch(plan.parts(words, moving), plan.size, title=words["title"], alt=alt)
    heard = words["alt table"].format(**told)
    aside = Sketch(table(found, words), (ASIDE, 7 * ROW + 30), title=words["title"], alt=heard)
    figure.narrowest = aside.narrowest = NARROW
    return figure, aside


def quotient(number: float | None) -> str:
    return "—" if number is None else plain(number)


class Plan:
    """Positions in the picture: the scale and the rectangle's lower left point stay where they are."""

    def __init__(self, found: Growth, step: float):
        self.found, self.step = found, step
        self.unit = min(WIDE / (found.a + 2), HIGH / (found.b + 2))  # pixels; there is room for two steps of 1
        self.grown = found.nudge * self.unit
        room = max(2 * self.unit, LENS + max(APART, 0.24 * self.unit) + 4)
        self.x, self.y = LEFT + found.a * self.unit, TOP + room  # the rectangle's upper right point
        self.bottom = self.y + found.b * self.unit
        self.size = self.x + room + RIGHT, self.bottom + BELOW

    def parts(self, words: Mapping[str, str], moving: bool) -> Iterator[Element]:
        found, wide, high = self.found, self.found.a * self.unit, self.found.b * self.unit
        if moving:
            yield Element(f"<style>{SHRINKS}</style>")

        def grows(x: float, y: float, across: int, up: int) -> dict[str, object]:
            if not moving:
                return {}
            origin = f"transform-origin:{number(x)}px {number(y)}px;--before:scale({across},{up})"
            return {"class_": "viz-shrinks", "style": origin}

        strips = [
            ((self.x, self.y, self.grown, high), SKY, grows(self.x, self.y, 10, 1)),
            ((LEFT, self.y - self.grown, wide, self.grown), SKY, grows(LEFT, self.y, 1, 10)),
            ((self.x, self.y - self.grown, self.grown, self.grown), "ink", grows(self.x, self.y, 10, 10)),
        ]
        for (x, y, width, height), fill, motion in strips:
            piece = rect(x, y, width, height, fill)
            yield element("g", piece, **motion)
        yield rect(LEFT, self.y, wide, high, "paper", "ink", 2)

        def side_of(name: str, old: float) -> str:
            return f"{name} = {plain(old)}" + (f" → {plain(round(old + found.nudge, 9), 9)}" if found.nudge else "")

        side = side_of("a = w + x", found.a)
        yield text(side, max(LEFT + wide / 2, 100), self.bottom + 22, WORD, "ink", at="middle", mono=True)
        side = text(side_of("b = w + 1", found.b), 0, 0, WORD, "ink", at="middle", mono=True)
        middle = min((self.y + self.bottom) / 2, self.bottom - 92)  # the longest label is not cut off at the bottom
        yield element("g", side, transform=f"translate({LEFT - 12} {number(middle)}) rotate(-90)")
        gain = f": {plain(found.nudge)} × {{}}" if found.nudge else "{}"
        through = {
            name: words["through"].format(name) + gain.format(plain(side) if found.nudge else "") + arrow
            for name, side, arrow in (("a", found.b, " →"), ("b", found.a, " ↑"))
        }
        if wide > max(text_width(label, WORD) for label in through.values()) + 24 and high > 84:
            yield text(through["a"], self.x - 10, self.y + high / 2 + 5, WORD, "ink", at="end")
            yield text(through["b"], LEFT + wide / 2, self.y + 24, WORD, "ink", at="middle")
        area = f"{plain(found.a)} × {plain(found.b)} = {plain(found.a * found.b)}"
        if wide > 140 and high > 40:
            yield text(area, LEFT + 12, self.bottom - 14, NUMBER, "ink", mono=True)
        if self.step < 1 and found.nudge:
            yield from self.lens()

    def lens(self) -> Iterator[Element]:
        """The corner and the ends of both strips, always enlarged by as much: both fade, the corner first."""
        apart = max(APART, 0.24 * self.unit)  # beyond the largest corner that a step of 0.1 gives
        left, top = self.x + apart, self.y - apart - LENS
        inner = left + 0.3 * LENS, top + 0.7 * LENS  # the rectangle's upper right point, enlarged
        grown = self.found.nudge * SEEN
        ends = left + LENS, top + LENS
        yield stroke("muted", 1.5, "M", self.x, self.y, "L", left, ends[1])
        yield rect(left, top, LENS, LENS, "paper")
        pieces = [
            (inner[0], inner[1], grown, ends[1] - inner[1], SKY),
            (left, inner[1] - grown, inner[0] - left, grown, SKY),
            (inner[0], inner[1] - grown, grown, grown, "ink"),
        ]
        for x, y, width, height, fill in pieces:
            yield rect(x, y, width, height, fill)
        yield stroke("ink", 2, "M", left, inner[1], "H", inner[0], "V", ends[1])
        yield rect(left, top, LENS, LENS, "none", "ink", 2.5, rx=2)
        yield text(f"× {plain(SEEN / self.unit, 2)}", ends[0], ends[1] + 17, TAG, "ink", at="end")


def table(found: Growth, words: Mapping[str, str]) -> Iterator[Element]:
    """What each piece gains, and that divided by the nudge; below, the quotients as one bar."""
    heads = (words["gains"], f"÷ {plain(found.nudge)}" if found.nudge else "÷ 0")
    for x, head in zip(COLUMNS[1:], heads, strict=True):
        yield text(head, x, ROW - 8, TAG, "muted", at="end")
    for i, (name, gain) in enumerate(found.gains.items(), 1):
        y = ROW * (i + 1) - 8
        total = name == "total"
        if total:
            yield stroke("ink", 1, "M", 8, y - 22, "H", ASIDE - 8)
        else:
            yield from key(name, 8, y - 14)
        called = words["through"].format(name) if name in "ab" else words[name]
        yield text(called, COLUMNS[0], y, WORD, "ink", bold=total)
        for x, said in zip(COLUMNS[1:], (plain(gain), quotient(found.per_nudge(gain))), strict=True):
            yield text(said, x, y, WORD, "ink", at="end", mono=True, bold=total)
    yield from bar(found, words, 5 * ROW + 16)


def key(name: str, x: float, y: float) -> Iterator[Element]:
    """A small picture of where a piece is: beside the rectangle, on top of it, or at its corner."""
    inner, strip = 12, 6
    places = {
        "a": (x + inner, y + strip, strip, inner),
        "b": (x, y, inner, strip),
        "corner": (x + inner, y, strip, strip),
    }
    left, top, width, height = places[name]
    fill = "ink" if name == "corner" else SKY
    yield rect(left, top, width, height, fill)
    yield rect(x, y + strip, inner, inner, "paper", "ink", 1)


def bar(found: Growth, words: Mapping[str, str], top: float) -> Iterator[Element]:
    """The quotients side by side; their scale is the same for every nudge."""
    scale = (ASIDE - 24) / (found.a + found.b + 2)
    yield text(words["bar"].format(plain(found.nudge)), 12, top + 8, TAG, "muted")
    x, top = 12.0, top + 18
    for name, fill in (("a", SKY), ("b", SKY), ("corner", "ink")):
        each = found.per_nudge(found.gains[name])
        if each is None:
            return
        width = each * scale
        yield rect(x, top, width, 28, fill)
        if name != "corner":
            yield rect(x, top, width, 28, "none", "ink", 1.5)
            said = plain(each, 4)
            if text_width(f"{name}: {said}", WORD, mono=True) + 8 < width:
                said = f"{name}: {said}"
            if width > 30:
                yield text(said, x + width / 2, top + 20, WORD, BLACK, at="middle", mono=True)
        x += width
