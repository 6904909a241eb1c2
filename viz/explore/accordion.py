"""Time steps side by side, above them the leaf that all of them read, and below each state a bar for its gradient.

The leaf, the first states and every height keep their place when the number of time steps grows. With more than
eight time steps, the middle is folded into one box, with its bars closer together, or all steps are shown smaller.
The bars stand in proportion to the sizes, or by powers of ten.
Imports logbars and timesteps, and arrows, letters and svg of drawing/. Read unrolled.py first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..drawing.arrows import head
from ..drawing.legend import BLACK, PURPLE, SKY, VERMILION
from ..drawing.letters import TAG, WORD, colours, rect, shortened, stroke, text, text_width
from ..drawing.svg import Element, element
from .logbars import LinearBars, LogBars
from .timesteps import Grown, state

UNFOLDED = 8  # time steps: with h_0, L and the leaf they are eleven nodes
LEFT, PITCH, CLOSE, SIDE = 96, 64, 36, 3  # pixels to the first column, from column to column; columns beside the fold
LEAF, ROW, BARS = (12, 48), (118, 154), (216, 424)  # the upper and lower end of each part
HEIGHT = 446
FAINTEST, STRONGEST = -10, 12  # powers of ten that a bar can show
TICKS = (-9, -6, -3, 0, 3, 6, 9)
SCALE = LogBars(*BARS, FAINTEST, STRONGEST)


@dataclass(frozen=True)
class Accordion:
    """The picture of one run of T time steps. With `fold`, it has no more boxes than fit on a projector."""

    T: int
    grown: Grown
    fold: bool
    words: Mapping[str, str]
    powers: bool = False  # the bars by powers of ten

    @property
    def folds(self) -> bool:
        return self.fold and self.T > UNFOLDED

    @property
    def pitch(self) -> int:
        """The pixels from one column to the next."""
        return PITCH if self.folds or self.T <= UNFOLDED else CLOSE

    @property
    def middle(self) -> range:
        """The states inside the fold."""
        return range(SIDE, self.T - SIDE + 1) if self.folds else range(0)

    @property
    def width(self) -> int:
        return LEFT + PITCH * (UNFOLDED + 2) if self.pitch == PITCH else LEFT + CLOSE * (self.T + 2) + 8

    @property
    def narrowest(self) -> int:
        """The width to which it may shrink and still be readable; in a narrower window it scrolls."""
        return 600 if self.pitch == PITCH else self.width

    def x(self, t: float) -> float:
        """The middle of the column of state t; T + 1 means L."""
        if not self.folds or t < SIDE:
            return LEFT + self.pitch * (t + 0.5)
        if t > self.T - SIDE:
            return LEFT + PITCH * (UNFOLDED + 0.5 - (self.T - t))
        first, last = LEFT + PITCH * SIDE, LEFT + PITCH * (UNFOLDED + 1 - SIDE)
        return first + (last - first) * (t - SIDE + 0.5) / len(self.middle)

    @property
    def boxes(self) -> dict[int | str, tuple[float, float]]:
        """The left and right end of each box in the row: by the state's number, "fold" and "L"."""
        half = self.pitch / 2 - (9 if self.pitch == PITCH else 4)
        ends: dict[int | str, tuple[float, float]] = {}
        for t in range(self.T + 1):
            if t not in self.middle:
                ends[t] = self.x(t) - half, self.x(t) + half
            elif t == SIDE:
                ends["fold"] = LEFT + PITCH * SIDE + 5, LEFT + PITCH * (UNFOLDED + 1 - SIDE) - 9
        ends["L"] = self.x(self.T + 1) - half, self.x(self.T + 1) + half
        return ends

    # -- the graph --

    def graph(self) -> Iterator[Element]:
        """The row of states, and the path of their gradients to the leaf."""
        boxes = self.boxes
        yield from self.to_leaf(boxes)
        yield from self.forward(boxes)
        top, bottom = ROW
        for name, (left, right) in boxes.items():
            where = dict(x=left, y=top, width=right - left, height=bottom - top)
            if name == "fold":
                for sheet in (8, 4):  # a stack, as for all folded boxes
                    moved = where | {"x": left + sheet, "y": top - sheet, "width": right - left - 8}
                    yield element("rect", **moved, **colours("paper", "ink", 1.5))
                where |= {"width": right - left - 8}
                label = self.words["fold"].format(len(self.middle))
            else:
                label = state(name) if isinstance(name, int) else name
            leaf = dict(rx=8, **colours(SKY, "ink", 3)) if name == 0 else colours("paper", "ink", 1.5)
            yield element("rect", **where, **leaf)
            size = WORD if self.pitch == PITCH else TAG
            ink = BLACK if name == 0 else "ink"
            yield text(label, (left + right) / 2, (top + bottom) / 2 + 5, size, ink, at="middle", bold=name == 0)

    def forward(self, boxes: Mapping[int | str, tuple[float, float]]) -> Iterator[Element]:
        """An arrow from each state to the next, and from the states that L reads."""
        y = sum(ROW) / 2
        row = list(boxes.items())
        for (name, (_, x0)), (after, (x1, _)) in zip(row, row[1:], strict=False):
            linked = {name, after} & {"fold"} or (
                self.T in self.grown.to_loss if after == "L" else self.grown.chained[int(after) - 1]
            )
            if linked:
                yield stroke("ink", 1.5, "M", x0, y, "H", x1 - 8)
                yield head((x1 - 9, y), (x1, y), "filled", "ink")
        earlier = [t for t in self.grown.to_loss if t < self.T]
        if earlier:  # one line under the row, for all of them
            low, end = ROW[1] + 16, sum(boxes["L"]) / 2
            yield stroke("ink", 1.5, "M", self.x(earlier[0]), low, "H", end, "V", ROW[1] + 8)
            for t in earlier:
                yield stroke("ink", 1.5, "M", self.x(t), ROW[1], "V", low)
            yield head((end, ROW[1] + 9), (end, ROW[1]), "filled", "ink")

    @property
    def leaf(self) -> tuple[float, float]:
        """The left and right end of the leaf that all time steps read. Its middle is that of a full row."""
        all_shown = self.pitch == CLOSE
        middle = LEFT + (CLOSE * (self.T + 2) if all_shown else PITCH * (UNFOLDED + 2)) / 2
        name = text_width(shortened(self.grown.shared), WORD, mono=True, bold=True)
        half = max(44.0, name / 2 + 14, all_shown * self.T * 5.5)  # enough room for all arrowheads
        return middle - half, middle + half

    def to_leaf(self, boxes: Mapping[int | str, tuple[float, float]]) -> Iterator[Element]:
        """The leaf, and an arrow for the gradient from every time step that reads it."""
        grown = self.grown
        if not grown.arrows:
            return
        left, right = self.leaf
        senders = [name for name in boxes if name not in (0, "L")]
        for i, name in enumerate(senders):
            start = sum(boxes[name]) / 2
            end = left + (right - left) * (i + 1) / (len(senders) + 1)
            many = name == "fold"
            top, bottom = ROW[0] - 8 * many, LEAF[1]
            course = ("M", start, top, "C", start, top - 30, end, bottom + 44, end, bottom + 10)
            yield stroke(VERMILION, 6 if many else 2, *course)
            size = 12 if many else 9
            yield head((end, bottom + size + 1), (end, bottom + 1), "hollow", VERMILION)
            if many:
                yield text(f"× {len(self.middle)}", start + 18, top - 8, TAG, "ink", bold=True, halo=True)
        top, bottom = LEAF
        yield rect(left, top, right - left, bottom - top, SKY, "ink", 3, rx=8)
        middle = (left + right) / 2
        yield text(
            shortened(grown.shared), middle, (top + bottom) / 2 + 5, WORD, BLACK, at="middle", mono=True, bold=True
        )
        count = "one arrow" if grown.arrows == 1 else "arrows"
        yield text(self.words[count].format(grown.arrows), right + 12, top + 14, TAG, "ink")
        if grown.others:
            also = "one other" if len(grown.others) == 1 else "others"
            yield text(self.words[also].format(grown.arrows, len(grown.others)), right + 12, top + 32, TAG, "muted")

    # -- the bars --

    def bars(self, guess: float | None, known: bool, moved: bool = True) -> Iterator[Element]:
        """A bar below each state. guess: the reader's power of ten for h_0. known: may the measured bars be shown?
        moved: is that bar the reader's prediction, or still at its starting position?"""
        top, bottom = BARS
        end = self.x(self.T) + self.pitch / 2
        heading = self.words["heading powers" if self.powers else "heading"].format(state(self.T))
        yield text(heading, LEFT, top - 20, TAG, "ink")
        scale = self.scale(guess, known)
        for size, label in self.ticks(scale):
            power = math.log10(size)
            y = scale.y(power)
            dashes = None if power == 0 else "2 6"
            yield stroke("muted", 1, "M", LEFT, y, "H", end, dashes=dashes)
            yield text(label, LEFT - 8, y + 4, TAG - 1, "muted", at="end")
        yield stroke("ink", 1.5, "M", LEFT, bottom, "H", end)
        if self.folds:  # the bars are closer together there, so their row is steeper
            ends = [x for name, pair in self.boxes.items() if name == "fold" for x in (pair[0] - 5, pair[1] + 9)]
            for x in ends:
                yield stroke("muted", 1, "M", x, top, "V", bottom + 6)
            squeezed = self.words["squeezed"].format(len(self.middle))
            yield text(squeezed, sum(ends) / 2, bottom + 16, TAG, "muted", at="middle")
        shares = self.grown.shares
        wide = min(22.0, self.pitch * 0.36)
        yield scale.bar(self.x(self.T), wide, 1.0)
        yield text("1", self.x(self.T), scale.y(0) - 6, TAG, "ink", at="middle", bold=True, halo=True)
        if known:
            for t in range(self.T):
                if shares[t] > 0:
                    folded = t in self.middle
                    each = 0.7 * (self.x(SIDE + 1) - self.x(SIDE)) if folded else wide
                    yield scale.bar(self.x(t) + (wide / 2 + 1) * (t == 0), min(each, wide), shares[t])
        else:
            left, right = self.x(0) + 2, self.x(self.T) - self.pitch * 0.3
            yield rect(left, top - 8, right - left, bottom - top + 8, "none", "muted", 1.5, dashes="5 5")
            yield text("?", (left + right) / 2, (top + bottom) / 2 + 14, 40, "muted", at="middle", halo=True)
        labels = []
        said, came = together(10.0 ** (guess or 0.0), shares[0] if known else 1.0)
        if guess is not None:
            x, high = self.x(0) - wide - 2, scale.height(10.0**guess)
            yield rect(x, bottom - high, wide, high, "paper", PURPLE, 3, dashes="6 4")
            labels.append((high, x, f"{self.words['you']} {said}" if moved or known else self.words["your bar"]))
        if known:
            high = scale.height(shares[0]) if shares[0] > 0 else 0
            labels.append((high, self.x(0) + 2, came))
        bars = {t: scale.height(shares[t]) for t in range(self.T) if known and shares[t] > 0}
        bars[self.T] = scale.height(1.0)
        clear = []
        for high, x, said in labels:  # move each label above the bars that it would cover
            end = x + text_width(said, TAG, bold=True) + wide
            high = max([high, *(bar for t, bar in bars.items() if x <= self.x(t) <= end)])
            clear.append((bottom - high, x, said))
        yield from labelled(clear, scale.y(0))

    def scale(self, guess: float | None, known: bool) -> LogBars | LinearBars:
        """The scale of the bars. In proportion, its top is 1, or the largest bar that is shown."""
        if self.powers:
            return SCALE
        sizes = [1.0, *([] if guess is None else [10.0**guess]), *(self.grown.shares if known else ())]
        top, bottom = BARS  # above the bars there is room for both labels
        return LinearBars(top + 40, bottom, max(size for size in sizes if size < math.inf))

    def ticks(self, scale: LogBars | LinearBars) -> Iterator[tuple[float, str]]:
        """The sizes that get a line across the picture, and their labels."""
        if isinstance(scale, LogBars):
            yield from ((10.0**power, self.words[f"tick {power}"]) for power in TICKS)
            return
        if scale.most > 1:
            yield scale.most, share(scale.most)
        if scale.most < 10:  # else this label would touch the bottom
            yield 1.0, "1"


def labelled(labels: list[tuple[float, float, str]], one: float) -> Iterator[Element]:
    """The labels above the two bars of h_0. If the bars are equally high, one label is above the other.

    one: the pixel of the line of 1.
    """
    low, under = math.inf, False
    for y, x, said in sorted(labels, reverse=True):
        low = y if low - y >= 17 else low - 17
        if y > one and low - 23 < one < low - 7:  # move it below the line of 1; the next label goes above that line
            low, under = one + (6 if under else 25), True
        yield text(said, x, low - 11, TAG, "ink", bold=True, halo=True)


def share(size: float, digits: int = 1) -> str:
    """A part or a multiple for readers: with one digit (or `digits`), and with two if it is close to 1.

    >>> share(0.033), share(2.2e-8), share(1.0), share(5300.0), share(0.36), share(0.7), share(1.56)
    ('1/30', '1/50,000,000', '1', '5,000', '0.36', '0.7', '1.6')
    >>> share(7e-9), share(7e-9, 2)
    ('1/100,000,000', '1/140,000,000')
    """
    if 0.1 < size < 9.95:
        return f"{float(f'{size:.2g}'):g}"
    if size >= 1:
        return f"{float(f'{size:.{digits}g}'):,.0f}" if size < 1e15 else f"{size:.0e}"
    return f"1/{float(f'{1 / size:.{digits}g}'):,.0f}" if size > 1e-15 else f"{size:.0e}"


def together(said: float, measured: float) -> list[str]:
    """A guess and a measured size in one notation: if one is a small fraction, both are fractions where below 1.

    The measured size has two digits, so that it agrees with the powers of ten between the two.

    >>> together(0.32, 0.1), together(0.32, 0.36), together(0.8, 7e-9)
    (['1/3', '1/10'], ['0.32', '0.36'], ['4/5', '1/140,000,000'])
    """
    fractions = any(0 < size <= 0.1 for size in (said, measured))
    return [
        str(Fraction(size).limit_denominator(10)) if fractions and 0.1 < size < 0.95 else written(size, digits)
        for size, digits in ((said, 1), (measured, 2))
    ]


def written(size: float, digits: int = 1) -> str:
    """The same, but also for 0, infinity and nan."""
    return share(size, digits) if 0 < size < math.inf else f"{size:g}"
