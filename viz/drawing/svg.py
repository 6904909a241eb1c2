"""A small SVG writer: Python calls make elements, and all escaping happens in this file.

Text from the reader (a name, a value, a label) gets into a picture only through `element`, as text or as an attribute;
there is no other way to make an `Element`. The same calls give the same bytes.
Imports the standard library only.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Element(str):
    """Finished markup. A plain str is text, and is escaped."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: object) -> Element:
    """An SVG element; `class_` and `stroke_width` become class and stroke-width, attributes that are None are left out.

    >>> element("text", "a < b", class_="ink", x=1.0, y=2.504, fill=None)
    '<text class="ink" x="1" y="2.5">a &lt; b</text>'
    """
    written = "".join(
        f' {spelled(name)}="{clean(number(value))}"' for name, value in attributes.items() if value is not None
    )
    inside = "".join(child if isinstance(child, Element) else clean(child) for child in children)
    return Element(f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>")


@cache
def spelled(name: str) -> str:
    """The SVG spelling of an attribute."""
    return name.rstrip("_").replace("_", "-")


@lru_cache(4096)  # the views of one graph repeat the same texts
def clean(text: str) -> str:
    """Text that is safe in an element or an attribute."""
    return escape(NOT_IN_XML.sub("\ufffd", text))


def number(value: object) -> str:
    """A coordinate, rounded to a hundredth of a pixel, so that rounding in another layout engine changes no byte."""
    return f"{round(value, 2) + 0:g}" if isinstance(value, (int, float)) else str(value)


def path(*steps: str | float) -> str:
    """The `d` of a path: path("M", 0, 0, "H", 10) is "M0 0H10"."""
    return re.sub(r" ?([A-Z]) ?", r"\1", " ".join(number(step) for step in steps))
