"""Text and colours for all shapes: sizes, widths without a font, colours that follow the theme.

Text is measured with a table of widths, not with a font. The table is rather wide, so the text fits in any font that a
reader has. Imports legend, svg. Read boxes.py next.
"""

from __future__ import annotations

import unicodedata

from ..graph.model import Node
from .legend import LIGHT
from .svg import Element, element, path

NAME, NUMBER, WORD, TAG, CAPTION = 20, 19, 15, 13, 11  # sizes of text in pixels
LONGEST = 24  # characters of a name at most


def colours(fill: str = "none", stroke: str | None = None, width: float | None = None) -> dict[str, object]:
    """Attributes for a fill and a stroke: "ink", "muted" and "paper" follow the theme, other colours are fixed.

    A colour that follows the theme is a class, plus the light colour for programs that ignore styles.
    """
    classes = [f"mg-{fill}"] if fill in LIGHT else []
    classes += [f"mg-{stroke}-line"] if stroke in LIGHT else []
    return {
        "class_": " ".join(classes) or None,
        "fill": LIGHT.get(fill, fill),
        "stroke": LIGHT.get(stroke, stroke) if stroke else None,
        "stroke_width": width,
    }


def stroke(colour: str, width: float, *steps: str | float, dashes: str | None = None, **more: object) -> Element:
    """A line along the steps of a path: stroke("ink", 1.5, "M", 0, 0, "H", 10)."""
    return element("path", d=path(*steps), stroke_dasharray=dashes, **more, **colours("none", colour, width))


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    border: str | None = None,
    thick: float | None = None,
    *,
    rx: float | None = None,
    dashes: str | None = None,
) -> Element:
    """A rectangle; rx rounds its corners. Its colours are those of `colours`."""
    look = colours(fill, border, thick)
    return element("rect", x=x, y=y, width=width, height=height, rx=rx, stroke_dasharray=dashes, **look)


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
    """One line of text with its baseline at y; `at` is "middle" or "end" if x is not its beginning.

    halo: paper around the letters, so that lines below the text do not cross it.
    """
    font = {"font_family": "monospace" if mono else None, "font_weight": "bold" if bold else None}
    paint = {**colours(colour, "paper", 8), "paint_order": "stroke"} if halo else colours(colour)
    return element("text", words, x=x, y=y, font_size=size, text_anchor=at, **font, **paint)


WIDTHS = {  # width of a letter in DejaVu Sans, a wide font, relative to its size
    **dict.fromkeys("ijlI|.,:;'", 0.34),
    **dict.fromkeys('frt()[]-/! "\\', 0.46),
    **dict.fromkeys("ckosvxyz", 0.615),
    **dict.fromkeys("ABCEFKLPRSTVXYZJ", 0.7),
    **dict.fromkeys("DGHNOQU&", 0.79),
    **dict.fromkeys("#+<=>^~", 0.84),
    **dict.fromkeys("mwMW@%—", 1.0),
}


def text_width(words: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """The width in pixels that `words` may need; Chinese characters are square.

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
    """A node's name without its scopes: in a static graph, the frames around it show these."""
    return node.name.rpartition("/")[2] if node.type else node.name


def shortened(name: str, longest: int = LONGEST) -> str:
    """A long name without its beginning, the least useful part: "…layers.weight_ih_l0"."""
    return name if len(name) <= longest else "…" + name[1 - longest :]
