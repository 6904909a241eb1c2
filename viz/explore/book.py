"""The account book of a leaf, drawn: a page for each pass, with its amounts in order of arrival and their sum, and
at the foot the value of `.grad`. An unknown number is a question mark in the same place.

Imports drawing/, account.py and motion.py. Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..drawing.legend import BLACK, BLUE, SKY
from ..drawing.letters import NAME, NUMBER, TAG, WORD, colours, rect, stroke, text
from ..drawing.svg import Element, element, path
from .account import Pass
from .motion import appears, goes
from .words import plain

HEAD, LINE, GAP, FOOT, EDGE = 38, 30, 18, 46, 18  # pixels; EDGE: from the border to the words
SHOWN = 2  # passes


@dataclass(frozen=True)
class Frame:
    """What a reader knows at one moment.

    passes: the passes in the book, the first of them pass number `first`; of the last one, `landed` amounts have
        arrived, and all of it is known if it is `over`.
    held: the value of `w.grad`. late: when each amount of the last pass arrives, in seconds, and when their sum is
        written; () if nothing moves. asked: does the current question ask for `w.grad` at this moment?
    """

    passes: Sequence[Pass]
    first: int
    landed: int
    over: bool
    held: float | None
    late: tuple[float, ...] = ()
    asked: bool = False

    @property
    def told(self) -> str:
        """The value of `w.grad`, or "?" while the reader must predict it."""
        return "?" if self.asked else none_or(self.held)

    @property
    def now(self) -> Pass | None:
        return self.passes[-1] if self.passes else None

    def arrives(self, i: int) -> float:
        return self.late[i] if i < len(self.late) else 0.0

    @property
    def written(self) -> float:
        """The second at which the sum is written."""
        return self.late[-1] if self.late else 0.0


def short(number: float) -> str:
    return plain(number, 5)


def added(numbers: Sequence[float]) -> str:
    """
    >>> added([6.0, -5.0])
    '6 + (−5)'
    """
    return " + ".join(f"({short(n)})" if n < 0 and i else short(n) for i, n in enumerate(numbers))


def none_or(number: float | None) -> str:
    return "None" if number is None else short(number)


class Book:
    """The open book of leaf w: a page for each of the last two passes, and a line for each amount, named after
    the result (one of `names`) that it came through. It is `width` pixels wide."""

    def __init__(self, frame: Frame, names: Sequence[str], width: float, words: Mapping[str, str]):
        self.frame, self.names, self.words = frame, names, words
        self.size = (width, HEAD + LINE * (2 + len(names)) + GAP + FOOT)

    def parts(self) -> Iterator[Element]:
        width, height = self.size
        x, w, foot = 2, width - 4, height - FOOT
        yield rect(x, 2, w, height - 4, "paper", "ink", 3, rx=12)
        up, round_left, round_right = 14 - HEAD, ("a", 12, 12, 0, 0, 1, 12, -12), ("a", 12, 12, 0, 0, 1, 12, 12)
        cover = path("M", x, HEAD, "v", up, *round_left, "h", w - 24, *round_right, "V", HEAD, "z")
        yield element("path", d=cover, **colours(SKY, "ink", 3))
        yield text(self.words["book"], EDGE, 25, WORD + 1, BLACK, bold=True)
        for line in range(1, len(self.names) + 1):
            y = HEAD + LINE * (line + 1) + 3
            yield stroke("muted", 0.5, "M", EDGE, y, "H", width - EDGE)
        yield stroke("ink", 1.5, "M", width / 2, HEAD, "V", foot)
        skipped = max(0, len(self.frame.passes) - SHOWN)
        for i, each in enumerate(self.frame.passes[skipped:]):
            page = Page(each, self.frame, each is self.frame.now, self.names, width / SHOWN, self.words)
            number = self.frame.first + skipped + i
            yield element("g", *page.parts(number), transform=f"translate({i * width / SHOWN:g} {HEAD})")
        yield from self.foot(foot)

    def foot(self, top: float) -> Iterator[Element]:
        """The value of `w.grad`, and the value before it."""
        frame, now, y = self.frame, self.frame.now, top + 31
        yield stroke("ink", 3, "M", 2, top, "h", self.size[0] - 4)
        yield text("w.grad", EDGE, y, NUMBER, "ink", mono=True, bold=True)
        told, late = frame.told, 0.0
        if now is not None and frame.over and now.before != frame.held:
            late = frame.written
            if late:
                yield element("g", self.held(none_or(now.before), y), **goes(late))
            if now.before is not None:
                told = f"{added([now.before, now.sum])} = {told}"
        yield element("g", self.held(told, y), **appears(late))

    def held(self, told: str, y: float) -> Element:
        return text(told, EDGE + 96, y, NAME, "ink", mono=True, bold=True)


@dataclass(frozen=True)
class Page:
    """One pass: its heading, a line for each amount, and their sum."""

    what: Pass
    frame: Frame
    last: bool
    names: Sequence[str]
    width: float
    words: Mapping[str, str]

    @property
    def known(self) -> bool:
        return not self.last or self.frame.over

    def parts(self, number: int) -> Iterator[Element]:
        y, right = LINE - 6, self.width - EDGE
        yield text(self.words["pass"].format(number), EDGE, y, TAG, "muted", bold=True)
        if self.known and self.what.error:
            yield text(f"✗ {self.words['stopped']}", EDGE, y + LINE, WORD, "ink", bold=True)
            yield text(self.words["nothing"], EDGE, y + 2 * LINE, WORD, "ink")
            return
        for i, name in enumerate(self.names):
            y += LINE
            told = self.known or i < self.frame.landed
            yield text(came(name, self.words), EDGE, y, WORD, "ink" if told else "muted")
            if told:
                amount = self.what.arrivals[i].amount
                written = f"{'−' if amount < 0 else '+'} {short(abs(amount))}"
                line = text(written, right, y + 1, NUMBER, "ink", at="end", mono=True, bold=True)
                yield element("g", line, **appears(self.frame.arrives(i) if self.last else 0))
            else:
                yield text("?", right, y + 1, NUMBER, "muted", at="end", mono=True)
        yield from self.sum(y + LINE + 6)

    def sum(self, y: float) -> Iterator[Element]:
        """A plate with the sum, as at a leaf in the stepper: dashed and open until all amounts have arrived."""
        late, landed = (self.frame.written, self.frame.landed) if self.last else (0.0, 0)
        box = dict(x=EDGE - 6, y=y - 20, width=self.width - 2 * EDGE + 12, height=28, rx=6)
        amounts = [arrival.amount for arrival in self.what.arrivals]

        def waiting(landed: int) -> Element:
            so_far = f"{added(amounts[:landed])} + ?" if landed > 0 else "?"
            return text(f"Σ {so_far}", EDGE + 4, y, WORD, "muted", mono=True)

        dashed = element("rect", **box, stroke_dasharray="5 4", **colours("none", "muted", 1.5))
        if not self.known:
            yield dashed
            came = self.frame.arrives(landed - 1) if landed else 0.0
            if came:
                yield element("g", waiting(landed - 1), **goes(came))
            yield element("g", waiting(landed), **appears(came))
            return
        if late:
            yield element("g", dashed, waiting(landed - 1), **goes(late))
        told = added(amounts) + (f" = {short(self.what.sum)}" if len(amounts) > 1 else "")
        solid = element("rect", **box, fill=BLUE)
        written = text(f"Σ {told}", EDGE + 4, y, WORD, "#FFFFFF", mono=True, bold=True)
        into = text("→ w.grad", self.width - EDGE, y, TAG, "#FFFFFF", at="end", bold=True)
        yield element("g", solid, written, into, **appears(late))


def came(name: str, words: Mapping[str, str]) -> str:
    """The words for the result through which an amount came; backward starts at y itself."""
    return words["from" if name == "y" else "through"].format(name)
