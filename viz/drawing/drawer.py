"""The drawer below an operator: the names of what it saved for its derivative, or a note that it was freed.

Imports legend, letters, model, svg. Read boxes.py and circles.py, whose shapes have drawers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.model import Node
from .legend import LABELS, PURPLE
from .letters import TAG, rect, stroke, text, text_width
from .svg import Element

MOST = 4  # dots in a drawer
HEIGHT, BEHIND = 28, 8  # pixels: height of a drawer, and the part of it behind the shape above
EMPTY, WORD = 18, 14  # pixels: height of an empty drawer, and of the word below it


class Drawer:
    """A drawer below a shape that ends `below` its centre and is `width` wide there."""

    def __init__(self, node: Node, lang: str, below: float, width: float):
        labels = LABELS[lang]
        self.top = below - BEHIND
        self.freed = labels["freed"] if node.freed else ""
        # The names if they fit, else their number with a word: a bare number could be read as a saved value
        whole = ", ".join(what or name for name, what in node.saved)
        ways = (whole, f"{len(node.saved)} {labels['saved']}", "•" * min(len(node.saved), MOST))
        self.words = next((words for words in ways if width_of(words) <= width), "")
        self.width = max(width_of(self.words), 0.45 * width)
        self.below = self.top + (EMPTY + WORD if self.freed else HEIGHT)

    def draw(self) -> Iterator[Element]:
        """The elements, to be drawn before the shape above, which hides their upper end."""
        left, w = -self.width / 2, self.width
        if not self.freed:
            yield rect(left, self.top, w, HEIGHT, "paper", PURPLE, 2)
            yield text(self.words, 0, self.top + HEIGHT - 6, TAG, "ink", at="middle", mono=True)
            return
        yield rect(left, self.top, w, EMPTY, "paper", PURPLE, 2, dashes="4 3")
        strokes = [step for i in (-1, 0, 1) for step in ("M", i * w / 4 - 4, self.top + EMPTY - 2, "l", 8, -8)]
        yield stroke(PURPLE, 1.5, *strokes)
        yield text(self.freed, 0, self.top + EMPTY + 12, TAG - 2, "muted", at="middle", bold=True)


def width_of(words: str) -> float:
    return text_width(words, TAG, mono=True) + 8


def drawer_of(node: Node, lang: str, show: tuple[str, ...], below: float, width: float) -> Drawer | None:
    """The drawer of a node that saved something; None if it saved nothing or the picture shows no drawers."""
    return Drawer(node, lang, below, width) if "saved" in show and (node.saved or node.freed) else None
