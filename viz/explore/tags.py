"""Storages drawn as boxes, with an odometer for each version counter; tensors are tags that hang on strings.

Imports boxes, legend and svg of drawing/.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..drawing.legend import BLACK, SKY
from ..drawing.letters import NAME, NUMBER, TAG, WORD, colours, rect, shortened, stroke, text
from ..drawing.svg import Element, element, path

BLUE, VERMILION, ORANGE = "#0072B2", "#D55E00", "#E69F00"
LEFT, BOX, TAGS, WIDTH = 16, 300, 430, 720  # pixels: both sides of a box, the left side of the tags, the whole width
NUMBERS = "is at version"  # where the numbers of an error begin
ROW, HEAD, GAP, LAMP = 52, 34, 22, 62  # heights: of a tag, above the first tag, between boxes, of the lamp


@dataclass(frozen=True)
class Tag:
    """A tensor: its name, its kind in a word, and its version, which counts changes in place.

    odometer: the number of the version counter in its box; tensors that share one have the same number here. cut:
    without a history, it was cut off, because another tensor in its box has one.
    """

    name: str
    kind: str
    version: int | None
    odometer: int = 0
    cut: bool = False


@dataclass(frozen=True)
class Store:
    """Memory that the tensors `tags` share: its letter, and its content.

    noted: the version that an operator noted when it saved the first tensor; None if it is not shown.
    """

    letter: str
    holds: str
    tags: tuple[Tag, ...]
    noted: int | None = None


class Tags:
    """Stores below one another. `lamp` is "right", "error" or "wrong", "?" while it is hidden, or "" for none.

    high: the height; 0: as much as the stores need. narrower: how many pixels narrower than usual the tags are.
    """

    def __init__(
        self,
        stores: Sequence[Store],
        words: Mapping[str, str],
        lamp: str = "",
        told: str = "",
        *,
        high: int = 0,
        narrower: int = 0,
    ):
        self.stores, self.words, self.lamp, self.told = stores, words, lamp, told
        self.tags, self.wide = TAGS - narrower // 4, WIDTH - narrower
        needed = GAP + sum(HEAD + ROW * len(store.tags) + GAP for store in stores) + (LAMP if lamp else 0)
        self.size = (self.wide, high or needed)

    @property
    def alt(self) -> str:
        """The picture in words."""
        told = []
        for store in self.stores:
            tags = ", ".join(
                self.words["tag" if tag.version is not None else "no counter"].format(tag.name, tag.kind, tag.version)
                for tag in store.tags
            )
            told.append(self.words["store"].format(store.letter, store.holds, tags))
            if store.noted is not None:
                told.append(self.words["noted"].format(store.noted) + self.words["."])
        if self.lamp == "?":
            told.append(self.words["hidden"])
        elif self.lamp:
            told.append(f"{self.words[self.lamp]}: {self.told}")
        return " ".join(told)

    def parts(self) -> Iterator[Element]:
        top = GAP
        for store in self.stores:
            yield from self._store(store, top)
            top += HEAD + ROW * len(store.tags) + GAP
        if self.lamp:
            yield from self._lamp(self.size[1] - LAMP)

    def _store(self, store: Store, top: int) -> Iterator[Element]:
        high = HEAD + ROW * len(store.tags)
        yield rect(LEFT, top, BOX - LEFT, high, "paper", "ink", 2.5, rx=3)
        yield text(self.words["box"].format(store.letter), LEFT + 12, top + 24, WORD, "ink", bold=True)
        yield text(store.holds, LEFT + 12, top + 50, WORD, "ink", mono=True)
        if store.noted is not None:
            said = self.words["noted"].format(f"{store.noted:03d}")
            yield text(said, LEFT + 12, top + 74, WORD - 1, "ink")
        seen: dict[int, float] = {}
        for i, tag in enumerate(store.tags):
            y = top + HEAD + ROW * i + ROW / 2 - 6
            if tag.odometer not in seen:
                seen[tag.odometer] = y
                yield from odometer(tag.version, BOX - 84, y)
            yield from self._tag(tag, seen[tag.odometer], y)

    def _tag(self, tag: Tag, start: float, y: float) -> Iterator[Element]:
        """The string from the odometer, and the tag with its hole."""
        middle = (BOX + self.tags) / 2
        yield stroke("ink", 1.5, "M", BOX - 10, start, "C", middle, start, middle, y, self.tags + 12, y)
        leaf, loose = tag.kind == self.words["leaf"], tag.cut and tag.kind == self.words["no history"]
        fill = SKY if leaf else ORANGE if loose else "paper"
        outline = path("M", self.tags, y, "l", 16, -20, "H", self.wide - 14, "v", 40, "H", self.tags + 16, "z")
        yield element("path", d=outline, stroke_linejoin="round", **colours(fill, "ink", 3 if leaf else 1.5))
        yield element("circle", cx=self.tags + 14, cy=y, r=4, **colours("paper", "ink", 1.5))
        ink = "ink" if fill == "paper" else BLACK
        yield text(shortened(tag.name), self.tags + 28, y + 7, NAME, ink, mono=True, bold=True)
        yield text(tag.kind, self.wide - 24, y + 5, TAG, ink, at="end")

    def _lamp(self, y: float) -> Iterator[Element]:
        colour = {"right": BLUE, "?": "muted"}.get(self.lamp, VERMILION)
        sign = {"right": "✓", "error": "!", "wrong": "✗", "?": "?"}[self.lamp]
        yield element("circle", cx=LEFT + 22, cy=y + 22, r=20, **colours("paper", colour, 4))
        yield text(sign, LEFT + 22, y + 30, NAME + 2, "ink", at="middle", bold=True)
        words = self.words["hidden"] if self.lamp == "?" else self.words[self.lamp]
        yield text(words, LEFT + 54, y + (28 if self.lamp == "?" else 18), WORD, "ink", bold=self.lamp != "?")
        if self.told:
            most = self.wide // 8 - 2  # letters
            short = self.told if len(self.told) < most else f"… {self.told[self.told.rfind(NUMBERS) :]}"
            yield text(short, LEFT + 54, y + 38, TAG - 1, "ink", mono=True)


def odometer(version: int | None, x: float, y: float) -> Iterator[Element]:
    """Three digits on wheels, as in a car."""
    digits = "---" if version is None else f"{version % 1000:03d}"
    for i, digit in enumerate(digits):
        wheel = dict(x=x + 24 * i, y=y - 16, width=23, height=32)
        yield element("rect", **wheel, rx=3, fill=BLACK, stroke="#FFFFFF", stroke_width=1)
        yield text(digit, x + 24 * i + 11.5, y + 7, NUMBER, "#FFFFFF", at="middle", mono=True, bold=True)
