"""Draws values: boxes with rows of text, with a different outline for each kind.

A shape knows its width and height before its position, because Graphviz asks for them. `draw` returns its elements
around the centre (0, 0); they reach down to y = `below`.

Imports legend, letters, model, svg. Read circles.py next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..graph.model import Node, shape_text
from .drawer import drawer_of
from .legend import BLACK, LABELS, LOOKS, SHOWN
from .letters import NAME, NUMBER, TAG, WORD, colours, own_name, shortened, text, text_width
from .svg import Element, element, path

PAD, HEAD, ROW, FOOT = 12, 38, 27, 9  # pixels: between border and text, for the name, for each row, below the last row
NARROWEST, GAP = 106, 8  # the least width of a box, and the gap between two words on a line
LID = 6  # height of a drum's lid
# Pixels that a side that is not straight takes from the text
ROOM = {"arrow": 8, "hexagon": 6, "slanted": 6, "notched": 10, "stack": 10}
Row = tuple[str, str, bool]  # the label, the text, and whether the text is a number
SHEETS = 5  # pixels between two of the three sheets of a stack


class Box:
    """A value: its name, its kind, and a row each for the value and the gradient; or a folded piece.

    more: additional rows below these.
    """

    round = False

    def __init__(self, node: Node, lang: str, show: tuple[str, ...] = SHOWN, more: Sequence[Row] = ()):
        self.look = LOOKS[node.kind]
        self.behind = 2 * SHEETS if self.look.outline == "stack" else 0  # pixels by which the other sheets stick out
        self.kind = node.kind
        self.name, self.tag = shortened(own_name(node)), LABELS[lang][node.kind].strip()
        if node.count > 1:
            self.tag = f"× {node.count}"
        self.rows = [*(cell(node, row, LABELS[lang]) for row in rows_of(node, self.look.rows, show)), *more]
        labels = LABELS[lang]
        self.rows += [(labels.get(name, name), labels.get(what, what), bool(name)) for name, what in node.rows]
        self.head = HEAD if self.name or self.tag else FOOT
        lines = [text_width(self.name, NAME, mono=True) + GAP + text_width(self.tag, TAG, bold=True)]
        for label, what, is_number in self.rows:
            width = text_width(what, NUMBER if is_number else WORD, mono=is_number)
            lines.append(width + (text_width(label, WORD) + GAP if label else 0))
        self.width = max(NARROWEST, max(lines) + 2 * PAD + ROOM.get(self.look.outline, 0))
        self.height = self.head + ROW * len(self.rows) + FOOT + self.behind
        known = node.kind != "constant"  # of a freed constant, the value row says that it is freed
        self.drawer = drawer_of(node, lang, show, self.height / 2, self.width) if known else None
        self.below = self.drawer.below if self.drawer else self.height / 2

    @property
    def sides(self) -> tuple[float, float]:
        """The x positions where its text begins and ends."""
        spare = ROOM.get(self.look.outline, 0)
        left, right = PAD - self.width / 2, self.width / 2 - PAD - spare
        left += spare if self.look.outline in ("hexagon", "slanted", "notched") else 0
        return left, right + (spare if self.look.outline == "notched" else 0)

    def line(self, row: int) -> float:
        """The y position of the text of a row."""
        return self.behind - self.height / 2 + self.head + ROW * row + 18

    def draw(self) -> Iterator[Element]:
        if self.drawer:
            yield from self.drawer.draw()
        left, right = self.sides
        top = self.behind - self.height / 2
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
            y = self.line(i)
            if label:
                yield text(label, left, y, WORD, weak)
            if is_number:
                yield text(what, right, y, NUMBER, strong, at="end", mono=True)
            elif label:
                yield text(what, right, y, WORD, weak, at="end")
            else:
                yield text(what, left, y, WORD, weak)

    def tab(self, colour: str) -> Iterator[Element]:
        """A black tab on the upper border; its words have the colour of the box."""
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
        w, h = w - self.behind, h - self.behind
        for shift in range(self.behind, 0, -SHEETS):
            yield element("rect", x=left + shift, y=top + self.behind - shift, width=w, height=h, **paint)
        top += self.behind
        rounded = 12 if self.look.outline == "rounded" else None
        line = {"stroke_dasharray": "7 3"} if self.look.outline == "dashed" else {}
        yield element("rect", x=left, y=top, width=w, height=h, rx=rounded, **line, **paint)
        if self.look.outline == "double":
            inner = colours("none", BLACK, self.look.border)
            yield element("rect", x=left + 4, y=top + 4, width=w - 8, height=h - 8, **inner)


def walk_around(outline: str, left: float, top: float, w: float, h: float) -> tuple[str | float, ...]:
    """The path steps around a box that is not a rectangle; () for a rectangle."""
    match outline:
        case "cut corner":
            return "M", left, top, "h", w - 14, "l", 14, 14, "v", h - 14, "h", -w, "z"
        case "arrow":
            return "M", left, top, "h", w - 16, "l", 16, h / 2, -16, h / 2, "h", 16 - w, "z"
        case "hexagon":
            return "M", left + 12, top, "h", w - 24, "l", 12, h / 2, -12, h / 2, "h", 24 - w, "l", -12, -h / 2, "z"
        case "octagon":
            top_right, to_left = ("h", w - 20, "l", 10, 10, "v", h - 20), ("l", -10, 10, "h", 20 - w)
            return "M", left + 10, top, *top_right, *to_left, "l", -10, -10, "v", 20 - h, "z"
        case "slanted":
            return "M", left + 10, top, "h", w - 10, "l", -10, h, "h", 10 - w, "z"
        case "notched":
            return "M", left, top, "h", w, "v", h, "h", -w, "v", -h / 3, "l", 12, -h / 6, -12, -h / 6, "z"
        case "drum":
            lid, floor = ("a", w / 2, LID, 0, 0, 1, w, 0), ("a", w / 2, LID, 0, 0, 1, -w, 0)
            return "M", left, top + LID, *lid, "v", h - 2 * LID, *floor, "z"
    return ()


def rows_of(node: Node, rows: tuple[str, ...], show: tuple[str, ...]) -> Iterator[str]:
    """The rows of a box in a picture that shows `show`."""
    for row in rows:
        if row == "value":
            if "values" in show:
                yield "value"
            if "shapes" in show and node.shape is not None and (node.value is not None or "values" not in show):
                yield "shape"
        elif row != "grad" or "grads" in show:
            yield row
    if "storage" in show and node.storage:
        yield "storage"


def cell(node: Node, row: str, labels: dict[str, str]) -> Row:
    """A row of a box: its label, its text, and whether the text is a number."""
    if row == "inside":
        return labels["inside"], f"{len(node.holds)} {labels['operator' + 's' * (len(node.holds) != 1)]}", False
    if row == "storage":
        return labels["storage"], node.storage + ("" if node.version is None else f" v{node.version}"), True
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
