"""Draws operators: a circle with a sign, or a pill if the name is long.

Imports drawer, legend, letters, model, svg. Read arrows.py next.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.model import Node
from .drawer import drawer_of
from .legend import CIRCLE, NAMED, SHOWN, sign
from .letters import CAPTION, NAME, NUMBER, colours, own_name, shortened, text, text_width
from .svg import Element, element

RADIUS, SMALL_RADIUS = 46, 24  # the small circle has room for the sign only
NAMED_APART = 12  # a large name is above the middle, where the circle is narrower


class Circle:
    """An operator: its sign, the library's name for it, and a drawer if it saved something for its derivative.

    The name is inside the circle, where no arrow can cross it; for a long name, the circle becomes a pill. A `small`
    circle has its name in the tooltip only. If `show` has NAMED, the name is larger than the sign.
    """

    def __init__(self, node: Node, lang: str, small: bool, show: tuple[str, ...] = SHOWN):
        self.sign = shortened(changed(sign(node.type or node.name)) if node.in_place else sign(node.type or node.name))
        self.name = "" if small or own_name(node) == self.sign.rstrip("_") else shortened(own_name(node))
        self.records = node.records
        self.radius = SMALL_RADIUS if small else RADIUS
        self.height = 2 * self.radius
        self.named = NAMED in show and self.name != ""
        name = text_width(self.name, NAME, mono=True, bold=True) if self.named else text_width(self.name, CAPTION)
        words = max(name, text_width(self.sign, NUMBER, mono=True) + 6)
        self.round = words <= self.height - (NAMED_APART if self.named else 0)
        self.width = self.height if self.round else max(self.height, words + 26)
        self.drawer = drawer_of(node, lang, show, self.radius, self.width)
        self.below = self.drawer.below if self.drawer else self.radius

    def draw(self) -> Iterator[Element]:
        if self.drawer:
            yield from self.drawer.draw()
        w, h = self.width, self.height
        line = {} if self.records else {"stroke_dasharray": "7 3"}
        look = colours("paper", "ink" if self.records else "muted", CIRCLE)
        yield element("rect", x=-w / 2, y=-h / 2, width=w, height=h, rx=self.radius, **line, **look)
        if self.named:
            yield text(self.name, 0, -4, NAME, "ink", at="middle", mono=True, bold=True)
            large = 26 if len(self.sign) == 1 else NUMBER
            yield text(self.sign, 0, 24, large, "muted", at="middle", mono=large == NUMBER)
            return
        raised = 13 if self.name else 0
        if len(self.sign) == 1:
            yield text(self.sign, 0, 12 - raised, 34, "ink", at="middle")
        else:
            yield text(self.sign, 0, 6 - raised, NUMBER, "ink", at="middle", mono=True)
        if self.name:
            yield text(self.name, 0, 13, CAPTION, "muted", at="middle")


def changed(sign: str) -> str:
    """The sign of an operator that changes its input in place, as Python and PyTorch write it.

    >>> changed("+"), changed("relu")
    ('+=', 'relu_')
    """
    return sign + ("_" if sign.isidentifier() else "=")
