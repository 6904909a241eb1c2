"""What the nodes look like: boxes with rows of text, and circles with a sign.

A shape knows its width and height before it has a place, because Graphviz asks for them. `draw` gives its elements
around the centre (0, 0); they reach down to y = `below`. Text is measured by a table of widths and not by a font, on
the wide side, so that it fits in whichever font a reader has.

Imports legend, model, svg. Read paint.py next: it puts the shapes in their places.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ..graph.model import Node, shape_text
from .legend import BLACK, CIRCLE, LABELS, LIGHT, LOOKS, PURPLE, sign
from .svg import Element, element, path

NAME, NUMBER, WORD, TAG, CAPTION = 20, 19, 15, 13, 11  # sizes of text in pixels
PAD, HEAD, ROW, FOOT = 12, 38, 27, 9  # a box from its border inwards, and from top to bottom
NARROWEST, GAP = 106, 8  # of a box, and between two words on a line
LONGEST = 24  # characters of a name
LID, ROOM = 6, {"arrow": 8, "hexagon": 6, "slanted": 6}  # height of a drum's lid; pixels that a pointed side takes from the text
RADIUS, SMALL_RADIUS = 46, 24  # of an operator; the small one has room for its sign only


def colours(fill: str = "none", stroke: str | None = None, width: float | None = None) -> dict[str, object]:
    """Attributes for a fill and a stroke: "ink", "muted" or "paper" follow the theme, others are what they are.

    What follows the theme is a class, and beside it the light colour, for where styles don't count.
    """
    classes = [f"mg-{fill}"] if fill in LIGHT else []
    classes += [f"mg-{stroke}-line"] if stroke in LIGHT else []
    return {
        "class_": " ".join(classes) or None,
        "fill": LIGHT.get(fill, fill),
        "stroke": LIGHT.get(stroke, stroke) if stroke else None,
        "stroke_width": width,
    }


def text(
    words: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    at: str | None = None,
    mono: bool = False,
    bold: bool = False,
) -> Element:
    """One line of text whose baseline is at y; `at` is "middle" or "end" where x is not its beginning."""
    font = {"font_family": "monospace" if mono else None, "font_weight": "bold" if bold else None}
    return element("text", words, x=x, y=y, font_size=size, text_anchor=at, **font, **colours(colour))


WIDTHS = {  # of a letter in DejaVu Sans, a wide font, as part of its size
    **dict.fromkeys("ijlI|.,:;'", 0.34),
    **dict.fromkeys('frt()[]-/! "\\', 0.46),
    **dict.fromkeys("ckosvxyz", 0.615),
    **dict.fromkeys("ABCEFKLPRSTVXYZJ", 0.7),
    **dict.fromkeys("DGHNOQU&", 0.79),
    **dict.fromkeys("#+<=>^~", 0.84),
    **dict.fromkeys("mwMW@%—", 1.0),
}


def text_width(words: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """Pixels that `words` may need; Chinese characters are square.

    >>> [round(width) for width in (text_width("grad", 50), text_width("grad", 50, mono=True), text_width("梯度", 50))]
    [119, 121, 100]
    """
    total = 0.0
    for letter in words:
        if unicodedata.east_asian_width(letter) in "WF":
            total += 1.0
        else:
            total += 0.605 if mono else WIDTHS.get(letter, 0.64) * (1.12 if bold else 1)
    return size * total


def own_name(node: Node) -> str:
    """A node's name without its scopes: in a static graph the frames around it say these."""
    return node.name.rpartition("/")[2] if node.type else node.name


def shortened(name: str) -> str:
    """A long name without its beginning, which tells least: "…layers.weight_ih_l0"."""
    return name if len(name) <= LONGEST else "…" + name[1 - LONGEST :]


class Box:
    """A value: its name, what kind it is, and a row each for the value and the gradient."""

    round = False

    def __init__(self, node: Node, lang: str):
        self.look = LOOKS[node.kind]
        self.kind = node.kind
        self.name, self.tag = shortened(own_name(node)), LABELS[lang][node.kind]
        self.rows = [cell(node, row, LABELS[lang]) for row in self.look.rows]
        lines = [text_width(self.name, NAME, mono=True) + GAP + text_width(self.tag, TAG, bold=True)]
        for label, what, is_number in self.rows:
            width = text_width(what, NUMBER if is_number else WORD, mono=is_number)
            lines.append(width + (text_width(label, WORD) + GAP if label else 0))
        self.width = max(NARROWEST, max(lines) + 2 * PAD + ROOM.get(self.look.outline, 0))
        self.height = HEAD + ROW * len(self.rows) + FOOT
        self.below = self.height / 2

    def draw(self) -> Iterator[Element]:
        spare = ROOM.get(self.look.outline, 0)
        left, top, right = PAD - self.width / 2, -self.height / 2, self.width / 2 - PAD - spare
        left += spare if self.look.outline in ("hexagon", "slanted") else 0
        strong, weak = ("ink", "muted") if self.look.fill is None else (BLACK, BLACK)
        yield from self.outline()
        if self.name:
            yield text(self.name, left, top + 28, NAME, strong, mono=True, bold=True)
        if self.look.outline == "double":
            yield from self.tab(self.look.fill or "paper")
        elif self.tag and self.name:
            yield text(self.tag, right, top + 27, TAG, strong, at="end", bold=True)
        elif self.tag:
            yield text(self.tag, left, top + 27, TAG, strong, bold=True)
        for i, (label, what, is_number) in enumerate(self.rows):
            y = top + HEAD + ROW * i + 18
            if label:
                yield text(label, left, y, WORD, weak)
            if is_number:
                yield text(what, right, y, NUMBER, strong, at="end", mono=True)
            elif label:
                yield text(what, right, y, WORD, weak, at="end")
            else:
                yield text(what, left, y, WORD, weak)

    def tab(self, colour: str) -> Iterator[Element]:
        """A black tab on the upper border, with the box's colour for its words."""
        width = text_width(self.tag, TAG, bold=True) + 10
        right, top = self.width / 2 - PAD + 4, -self.height / 2
        yield element("rect", x=right - width, y=top, width=width, height=24, fill=BLACK)
        yield text(self.tag, right - width / 2, top + 17, TAG, colour, at="middle", bold=True)

    def outline(self) -> Iterator[Element]:
        left, top, w, h = -self.width / 2, -self.height / 2, self.width, self.height
        paint = colours(self.look.fill or "paper", "ink", self.look.border)
        if steps := walk_around(self.look.outline, left, top, w, h):
            yield element("path", d=path(*steps), **paint)
            if self.look.outline == "drum":
                rim = path("M", left, top + LID, "a", w / 2, LID, 0, 0, 0, w, 0)
                yield element("path", d=rim, **colours("none", "ink", self.look.border))
            return
        rounded = 12 if self.look.outline == "rounded" else None
        yield element("rect", x=left, y=top, width=w, height=h, rx=rounded, **paint)
        if self.look.outline == "double":
            inner = colours("none", BLACK, self.look.border)
            yield element("rect", x=left + 4, y=top + 4, width=w - 8, height=h - 8, **inner)


def walk_around(outline: str, left: float, top: float, w: float, h: float) -> tuple[str | float, ...]:
    """The steps of a path around a box that is no rectangle; () for one that is."""
    match outline:
        case "cut corner":
            return "M", left, top, "h", w - 14, "l", 14, 14, "v", h - 14, "h", -w, "z"
        case "arrow":
            return "M", left, top, "h", w - 16, "l", 16, h / 2, -16, h / 2, "h", 16 - w, "z"
        case "hexagon":
            return "M", left + 12, top, "h", w - 24, "l", 12, h / 2, -12, h / 2, "h", 24 - w, "l", -12, -h / 2, "z"
        case "slanted":
            return "M", left + 10, top, "h", w - 10, "l", -10, h, "h", 10 - w, "z"
        case "drum":
            lid, floor = ("a", w / 2, LID, 0, 0, 1, w, 0), ("a", w / 2, LID, 0, 0, 1, -w, 0)
            return "M", left, top + LID, *lid, "v", h - 2 * LID, *floor, "z"
    return ()


def cell(node: Node, row: str, labels: dict[str, str]) -> tuple[str, str, bool]:
    """A row of a box: its label, what it says, and whether that is a number."""
    if row == "grad":
        if node.kind == "value":
            return labels["grad"], labels["passes"], False
        return labels["grad"], node.grad or labels["no grad yet"], True
    if row == "shape":
        return labels["shape"], shape_text(node.shape), True
    if node.shape is None:
        return "", labels["freed" if node.freed else "not saved"], False
    if node.value is None:
        return labels["shape"], shape_text(node.shape), True
    return labels["row value"], node.value, True


class Circle:
    """An operator: its sign, the library's name for it, and a drawer if it saved something for its slope.

    The name stands inside, where no arrow can cross it; a long one makes the circle a pill. A `small` circle leaves
    the name to the tooltip.
    """

    def __init__(self, node: Node, lang: str, small: bool):
        self.sign = shortened(sign(node.type or node.name))
        self.name = "" if small or own_name(node) == self.sign else shortened(own_name(node))
        self.freed = LABELS[lang]["freed"] if node.freed else ""
        self.drawer = bool(node.saved or node.freed)
        self.radius = SMALL_RADIUS if small else RADIUS
        self.height = 2 * self.radius
        words = max(text_width(self.name, CAPTION), text_width(self.sign, NUMBER, mono=True) + 6)
        self.below = self.radius + (24 if node.freed else 11 if self.drawer else 0)
        self.round = words <= self.height
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
            yield text(self.name, 0, 13, CAPTION, "muted", at="middle")

    def draw_drawer(self) -> Iterator[Element]:
        """A drawer under the circle; when its content was freed it is dashed, hatched and says so."""
        w = 0.9 * self.radius
        left, top, h = -w / 2, self.radius - 8, 18
        paint = colours("none" if self.freed else "paper", PURPLE, 2)
        yield element("rect", x=left, y=top, width=w, height=h, stroke_dasharray="4 3" if self.freed else None, **paint)
        if self.freed:
            strokes = [step for i in (-1, 0, 1) for step in ("M", i * w / 4 - 4, top + h - 2, "l", 8, -8)]
            yield element("path", d=path(*strokes), **colours("none", PURPLE, 1.5))
            yield text(self.freed, 0, top + h + 12, TAG - 2, "muted", at="middle", bold=True)
        else:
            yield element("path", d=path("M", -6, top + h - 5, "h", 12), **colours("none", PURPLE, 2))
