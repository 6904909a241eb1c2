"""What the nodes look like: boxes with rows of text, and circles with a sign.

A shape knows its size before it has a place, because Graphviz asks for it; `draw` then gives its elements, around
the centre (0, 0). Text is measured by a table of widths and not by a font, on the wide side, so that it fits in
whichever font a reader has. Imports legend.py and svg.py. Read paint.py next: it puts the shapes in their places.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from .legend import BLACK, CIRCLE, LABELS, LIGHT, LOOKS, PURPLE, sign
from .model import Node
from .svg import Element, element, path

NAME, NUMBER, WORD, TAG, CAPTION = 20, 19, 15, 13, 11  # sizes of text in pixels
PAD, HEAD, ROW, FOOT = 14, 38, 27, 9  # a box from its border inwards, and from top to bottom
NARROWEST, LONGEST = 116, 24  # pixels; characters of a name
RADIUS, SMALL_RADIUS = 46, 26  # of an operator; the small one has room for its sign only


def colours(fill: str = "none", stroke: str | None = None, width: float | None = None) -> dict[str, object]:
    """Attributes for a fill and a stroke: "ink", "muted" or "paper" follow the theme, others are what they are.

    What follows the theme is a class, and beside it the light colour, for where styles don't count.
    """
    classes = [fill] if fill in LIGHT else []
    classes += [f"{stroke}-line"] if stroke in LIGHT else []
    return {
        "class_": " ".join(classes) or None,
        "fill": LIGHT.get(fill, fill),
        "stroke": LIGHT.get(stroke, stroke) if stroke else None,
        "stroke_width": width,
    }


def text(
    words: str, x: float, y: float, size: float, colour: str, *, at: str | None = None, mono: bool = False, bold: bool = False
) -> Element:
    """One line of text whose baseline is at y; `at` is "middle" or "end" where x is not its beginning."""
    font = {"font_family": "monospace" if mono else None, "font_weight": "bold" if bold else None}
    return element("text", words, x=x, y=y, font_size=size, text_anchor=at, **font, **colours(colour))


def text_width(words: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Pixels that `words` may need: Chinese characters are square, others as wide as in a wide font."""
    each = 0.605 if mono else 0.75 if bold else 0.58
    return size * sum(1.0 if unicodedata.east_asian_width(c) in "WF" else each for c in words)


def shortened(name: str) -> str:
    """A long name without its beginning, which tells least: "…layers.weight_ih_l0"."""
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]


class Box:
    """A value: its name, what kind it is, and a row each for the value and the gradient."""

    round = False

    def __init__(self, node: Node, lang: str):
        self.look = LOOKS[node.kind]
        self.kind = node.kind
        self.name, self.tag = shortened(node.name), LABELS[lang][node.kind]
        self.rows = [cell(node, row, LABELS[lang]) for row in self.look.rows]
        gap = 12
        head = text_width(self.name, NAME, mono=True, bold=True) + text_width(self.tag, TAG, bold=True) + gap
        rows = [text_width(a, WORD) + text_width(b, NUMBER if mono else WORD, mono=mono) + gap for a, b, mono in self.rows]
        self.width = max(NARROWEST, head + 2 * PAD, *(row + 2 * PAD for row in rows))
        self.height = HEAD + ROW * len(rows) + FOOT

    def draw(self) -> Iterator[Element]:
        left, top, right = -self.width / 2, -self.height / 2, self.width / 2
        yield from self.outline(left, top)
        strong = BLACK if self.look.fill else "ink"
        weak = BLACK if self.look.fill else "muted"
        yield text(self.name, left + PAD, top + 28, NAME, strong, mono=True, bold=True)
        if self.kind == "kept":
            wide = text_width(self.tag, TAG, bold=True) + 10
            yield element("path", d=path("M", right - PAD + 4 - wide, top, "h", wide, "v", 24, "h", -wide, "z"), fill=BLACK)
            yield text(self.tag, right - PAD + 4 - wide / 2, top + 17, TAG, self.look.fill or "paper", at="middle", bold=True)
        elif self.name:
            yield text(self.tag, right - PAD, top + 27, TAG, strong, at="end", bold=True)
        else:
            yield text(self.tag, left + PAD, top + 27, TAG, strong, bold=True)
        for i, (label, what, is_number) in enumerate(self.rows):
            y = top + HEAD + ROW * i + 18
            yield text(label, left + PAD, y, WORD, weak)
            if is_number:
                yield text(what, right - PAD, y, NUMBER, strong, at="end", mono=True)
            elif label:
                yield text(what, right - PAD, y, WORD, weak, at="end")
            else:
                yield text(what, left + PAD, y, WORD, weak)

    def outline(self, left: float, top: float) -> Iterator[Element]:
        w, h, border = self.width, self.height, self.look.border
        paint = colours(self.look.fill or "paper", "ink", border)
        if self.look.outline == "cut corner":
            yield element("path", d=path("M", left, top, "h", w - 14, "l", 14, 14, "v", h - 14, "h", -w, "z"), **paint)
            return
        yield element("rect", x=left, y=top, width=w, height=h, rx=12 if self.look.outline == "rounded" else None, **paint)
        if self.look.outline == "double":
            inner = colours("none", BLACK, border)
            yield element("rect", x=left + 4, y=top + 4, width=w - 8, height=h - 8, **inner)


def cell(node: Node, row: str, labels: dict[str, str]) -> tuple[str, str, bool]:
    """A row of a box: its label, what it says, and whether that is a number."""
    if row == "grad":
        if node.kind == "value":
            return labels["grad"], labels["passes"], False
        return labels["grad"], node.grad or labels["no grad yet"], True
    if node.shape is None:
        return "", labels["freed" if node.freed else "not saved"], False
    if node.value is None:
        return labels["shape"], str(node.shape), True
    return labels["row value"], node.value, True


class Circle:
    """An operator: its sign, PyTorch's name for it, and a drawer if it saved something for its slope.

    The name stands inside, where no arrow can cross it; a long one makes the circle a pill. A `small` circle leaves
    the name to the tooltip.
    """

    def __init__(self, node: Node, lang: str, small: bool):
        self.sign, self.name = shortened(sign(node.name)), "" if small else shortened(node.name)
        self.freed = LABELS[lang]["freed"] if node.freed else ""
        self.drawer = bool(node.saved or node.freed)
        self.radius = SMALL_RADIUS if small else RADIUS
        self.height = 2 * self.radius
        words = max(text_width(self.name, CAPTION), text_width(self.sign, NUMBER, mono=True))
        self.round = words + 8 <= self.height
        self.width = self.height if self.round else max(self.height, words + 26)

    def draw(self) -> Iterator[Element]:
        if self.drawer:
            yield from self.draw_drawer()
        w, h = self.width, self.height
        yield element("rect", x=-w / 2, y=-h / 2, width=w, height=h, rx=self.radius, **colours("paper", "ink", CIRCLE))
        raised = 13 if self.name else 0
        if len(self.sign) == 1:
            yield text(self.sign, 0, 12 - raised, 34, "ink", at="middle")
        else:
            yield text(self.sign, 0, 6 - raised, NUMBER, "ink", at="middle", mono=True)
        if self.name:
            yield text(self.name, 0, 14, CAPTION, "muted", at="middle")

    def draw_drawer(self) -> Iterator[Element]:
        """A drawer under the circle; when its content was freed it is dashed, hatched and says so."""
        left, top, w, h = -20, self.radius - 8, 40, 20
        paint = colours("none" if self.freed else "paper", PURPLE, 2)
        yield element("rect", x=left, y=top, width=w, height=h, stroke_dasharray="4 3" if self.freed else None, **paint)
        if self.freed:
            strokes = [step for x in (-12, -2, 8) for step in ("M", x - 4, top + h - 2, "l", 9, -9)]
            yield element("path", d=path(*strokes), **colours("none", PURPLE, 1.5))
            yield text(self.freed, left + w + 6, top + h - 1, TAG - 2, "muted", bold=True)
        else:
            yield element("path", d=path("M", -6, top + h - 6, "h", 12), **colours("none", PURPLE, 2))
