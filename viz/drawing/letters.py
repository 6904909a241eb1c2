"""Text and paint for all shapes: sizes, widths without a font, colours that follow the theme.

Text is measured by a table of widths and not by a font, on the wide side, so that it fits in whichever font a reader
has. Imports legend, svg. Read boxes.py next.
"""

from __future__ import annotations

import unicodedata

from ..graph.model import Node
from .legend import LIGHT
from .svg import Element, element

NAME, NUMBER, WORD, TAG, CAPTION = 20, 19, 15, 13, 11  # sizes of text in pixels
LONGEST = 24  # characters of a name


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
    halo: bool = False,
) -> Element:
    """One line of text whose baseline is at y; `at` is "middle" or "end" where x is not its beginning.

    halo: paper around the letters, so that what lies under them does not cross them out.
    """
    font = {"font_family": "monospace" if mono else None, "font_weight": "bold" if bold else None}
    paint = {**colours(colour, "paper", 8), "paint_order": "stroke"} if halo else colours(colour)
    return element("text", words, x=x, y=y, font_size=size, text_anchor=at, **font, **paint)


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
