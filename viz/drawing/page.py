"""Puts a picture into a page, or makes a page for it.

A picture is an SVG in an <img>, with alternative text, at most as wide as the page, and with a scroll bar if it is cut
off. It is in an <img> because where HTML is not trusted, an SVG in the page itself loses everything but its labels. It
is HTML because JupyterLab's own <img> for an SVG has no alternative text and no minimum size.
"""

from __future__ import annotations

import base64
import html
import json
from typing import Any

from ..beside import text_of
from .svg import NOT_IN_XML

SHRINKS = 1.7  # how many times smaller a picture may be shown: its smallest letters are then 7 pixels, numbers 11
NARROW, PAGE = 608, 820  # pixels that JupyterLab leaves for outputs in a window of 800, and of 1280 with a file list
A_LITTLE = 1.08  # how many times smaller again, if the picture then fits as a whole
TALL = 700  # pixels that are visible at once in a window of 1280 × 800


# A scroll bar that is visible where a picture is cut off, on every system
SCROLL = text_of("drawing/scroll.html").rstrip()
# A separate page has no JupyterLab around it that defines the colours
THEME = text_of("drawing/theme.css").rstrip()
WHOLE = text_of("drawing/page.html")
# Where scripts don't run, and in a notebook that is not trusted, only the picture of this is shown
FRAGMENT = text_of("drawing/fragment.html").rstrip()


def too_wide(size: tuple[float, float]) -> bool:
    """Is a picture of this size unreadable on a page without horizontal scrolling?"""
    return size[0] > SHRINKS * PAGE


def narrowest(width: float) -> int:
    """The least width in pixels to show a picture of this width; rounded down to a narrow page if it is just above."""
    least = width / SHRINKS
    return NARROW if NARROW < least <= A_LITTLE * NARROW else round(least)


def image(svg: str, alt: str, narrowest: int = 0, *, yields: bool = False) -> str:
    """An SVG as HTML. narrowest: the width in pixels to which it may shrink; without it, it keeps its size.

    yields: it shrinks a little more on a page that is a little narrower, and has no scroll bar there.

    The caller adds SCROLL to trusted output only: a page that strips HTML may show the text of a style sheet.
    """
    size = f"max-width: 100%; min-width: {narrowest}px; height: auto" if narrowest else "max-width: none"
    if narrowest and yields:  # on a page that is at least so wide, the length is negative, and is ignored
        size += f"; min-width: min({narrowest}px, ({round(narrowest / A_LITTLE)}px - 100%) * 1000)"
    source = base64.b64encode(svg.encode()).decode()
    return (
        f'<div class="viz-scroll" style="overflow-x: auto"><img alt="{html.escape(alt)}" style="{size}" '
        f'src="data:image/svg+xml;base64,{source}"></div>'
    )


def fragment(style: str, program: str, data: dict[str, Any], picture: str) -> str:
    """A part of a page in which `program` replaces `picture`; its function `mount` gets `data`."""
    # `<` is escaped, so that no text can end the script
    written = NOT_IN_XML.sub("\ufffd", json.dumps(data, ensure_ascii=False)).replace("<", "\\u003c")
    return FRAGMENT.format(style=style, picture=picture, data=written, program=program)


def page(title: str, body: str, lang: str, head: str = "") -> str:
    """A separate page, to be written in UTF-8; half a surrogate pair in a name is replaced. head: more for its head."""
    lang = "zh-CN" if lang == "zh" else lang
    written = WHOLE.format(lang=lang, title=html.escape(title), theme=THEME, head=head, body=body)
    return NOT_IN_XML.sub("\ufffd", written)
