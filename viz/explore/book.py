"""The account book of a leaf, drawn: a page for each pass, its amounts in the order in which they came, their sum, and
at the foot what `.grad` holds. What is not known yet is a question mark, and keeps its place.

Imports drawing/, account.py and motion.py. Read ledger.py next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..drawing.legend import BLACK, BLUE, SKY
from ..drawing.letters import NAME, NUMBER, TAG, WORD, colours, text
from ..drawing.svg import Element, element, path
from .account import Pass
from .motion import appears, goes
from .words import plain

WIDTH, HEAD, LINE, GAP, FOOT, EDGE = 276, 44, 30, 14, 50, 16  # pixels; EDGE: from the border to the words
SHOWN = 2  # passes


@dataclass(frozen=True)
class Frame:
    """What a reader knows at one moment.

    passes: what stands in the book, the first of them pass number `first`; of the last one `landed` amounts have
        arrived, and if it is `over`, all is known of it.
    held: what `w.grad` holds. late: when each amount of the last pass arrives, in seconds, and when their sum is
        written; () if nothing moves.
    """

    passes: Sequence[Pass]
    first: int
    landed: int
    over: bool
    held: float | None
    late: tuple[float, ...] = ()

    @property
    def now(self) -> Pass | None:
        return self.passes[-1] if self.passes else None

    def arrives(self, i: int) -> float:
        return self.late[i] if i < len(self.late) else 0.0

    @property
    def written(self) -> float:
        """When the sum is written."""
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
    """The book of leaf w, with room for passes of as many amounts as `names` has, which say through what they come."""

    def __init__(self, frame: Frame, names: Sequence[str], words: Mapping[str, str]):
        self.frame, self.names, self.words = frame, names, words
        self.page = LINE * (2 + len(names)) + GAP
        self.size = (WIDTH, HEAD + SHOWN * self.page + FOOT)

    def parts(self) -> Iterator[Element]:
        height = self.size[1]
        x, y, w = 2, 2, WIDTH - 4
        yield element("rect", x=x, y=y, width=w, height=height - 4, rx=12, **colours("paper", "ink", 3))
        up, round_left, round_right = 14 - HEAD, ("a", 12, 12, 0, 0, 1, 12, -12), ("a", 12, 12, 0, 0, 1, 12, 12)
        cover = path("M", x, HEAD, "v", up, *round_left, "h", w - 24, *round_right, "V", HEAD, "z")
        yield element("path", d=cover, **colours(SKY, "ink", 3))
        yield text(self.words["book"], EDGE, 29, WORD + 2, BLACK, bold=True)
        skipped = max(0, len(self.frame.passes) - SHOWN)
        for i, each in enumerate(self.frame.passes[skipped:]):
            number = self.frame.first + skipped + i
            yield from self.a_pass(each, number, HEAD + i * self.page, each is self.frame.now)
        yield from self.foot(height - FOOT)

    def a_pass(self, each: Pass, number: int, top: float, last: bool) -> Iterator[Element]:
        """A page: its heading, a line for each amount, their sum."""
        frame, known = self.frame, not last or self.frame.over
        y = top + LINE - 6
        yield text(self.words["pass"].format(number), EDGE, y, TAG, "muted", bold=True)
        if known and each.error:
            yield text(f"✗ {self.words['stopped']}", EDGE, y + LINE, WORD, "ink", bold=True)
            yield text(self.words["nothing"], EDGE, y + 2 * LINE, WORD, "ink")
            return
        for i, name in enumerate(self.names):
            y += LINE
            told = known or i < frame.landed
            yield text(came(name, self.words), EDGE, y, WORD, "ink" if told else "muted")
            if told:
                size = each.arrivals[i].amount
                amount = f"{'−' if size < 0 else '+'} {short(abs(size))}"
                written = text(amount, WIDTH - EDGE, y + 1, NUMBER, "ink", at="end", mono=True, bold=True)
                yield element("g", written, **appears(frame.arrives(i) if last else 0))
            else:
                yield text("?", WIDTH - EDGE, y + 1, NUMBER, "muted", at="end", mono=True)
        yield from self.sum(each, y + LINE, known, frame.landed if last else 0, frame.written if last else 0)

    def sum(self, each: Pass, y: float, known: bool, landed: int, late: float) -> Iterator[Element]:
        """A plate with the sum, as a leaf has it in the stepper: dashed and open while amounts are still to come."""
        box = dict(x=EDGE - 6, y=y - 20, width=WIDTH - 2 * EDGE + 12, height=27, rx=6)
        amounts = [arrival.amount for arrival in each.arrivals]
        if not known or late:
            so_far = f"{added(amounts[:landed])} + ?" if landed and not known else "?"
            dashed = element("rect", **box, stroke_dasharray="5 4", **colours("none", "muted", 1.5))
            waiting = text(f"Σ {so_far}", EDGE + 4, y, WORD, "muted", mono=True)
            yield element("g", dashed, waiting, **(goes(late) if known else {}))
        if known:
            told = added(amounts) + (f" = {short(each.sum)}" if len(amounts) > 1 else "")
            solid = element("rect", **box, fill=BLUE)
            written = text(f"Σ {told}", EDGE + 4, y, WORD, "#FFFFFF", mono=True, bold=True)
            into = "→ w.grad" if len(told) < 16 else ""
            arrow = text(into, WIDTH - EDGE, y, TAG, "#FFFFFF", at="end", bold=True)
            yield element("g", solid, written, arrow, **appears(late))

    def foot(self, top: float) -> Iterator[Element]:
        """What `w.grad` holds, and how it came to that."""
        frame, now, y = self.frame, self.frame.now, top + 33
        yield element("path", d=path("M", 2, top, "h", WIDTH - 4), **colours("none", "ink", 3))
        yield text("w.grad", EDGE, y, NUMBER, "ink", mono=True, bold=True)
        told, late = none_or(frame.held), 0.0
        if now is not None and frame.over and now.before != frame.held:
            late = frame.written
            if late:
                yield element("g", self.held(none_or(now.before), y), **goes(late))
            if now.before is not None:
                told = f"{added([now.before, now.sum])} = {told}"
        yield element("g", self.held(told, y), **appears(late))

    def held(self, told: str, y: float) -> Element:
        size = NAME if len(told) < 14 else WORD
        return text(told, WIDTH - EDGE, y, size, "ink", at="end", mono=True, bold=True)


def came(name: str, words: Mapping[str, str]) -> str:
    """Through what an amount has come: y itself is where it starts."""
    return words["from" if name == "y" else "through"].format(name)
