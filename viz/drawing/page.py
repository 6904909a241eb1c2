"""A picture in a page, and a page of its own.

A picture is an SVG in an <img>, with its words, as wide as there is room for, and with a bar where it is cut. In an
<img>, since an SVG that stands in the page itself is stripped to a soup of labels where HTML is not trusted; as HTML,
since JupyterLab's own <img> for an SVG has no text alternative and cannot say how small it may get.
Imports svg. Read picture.py next.
"""

from __future__ import annotations

import base64
import html

from .svg import NOT_IN_XML

SHRINKS = 1.7  # times that a picture may be made smaller to fit: its smallest letters are then 7 pixels, numbers 11
NARROW, PAGE = 608, 820  # pixels that JupyterLab leaves for outputs in a window of 800, and of 1280 with its files
A_LITTLE = 1.08  # times smaller still may be what then is seen whole
TALL = 700  # and how high a window of 1280 × 800 shows it at once

# A bar that is seen where a picture is cut, also where the system hides its own.
SCROLL = """<style>
.viz-scroll { overflow-x: auto; padding-bottom: 2px; }
.viz-scroll::-webkit-scrollbar { height: 12px; }
.viz-scroll::-webkit-scrollbar-track { background: var(--jp-layout-color2, #EEEEEE); }
.viz-scroll::-webkit-scrollbar-thumb { background: #8A8A8A; border-radius: 6px; }
@supports not selector(::-webkit-scrollbar) { .viz-scroll { scrollbar-color: #8A8A8A transparent; } }
</style>"""

# A page of its own has no JupyterLab around it to say which colours are in use.
THEME = """:root { color-scheme: light dark; --jp-content-font-color1: #1A1A1A; --jp-content-font-color2: #5C5C5C;
  --jp-layout-color0: #FFFFFF; --jp-layout-color2: #EEEEEE; }
@media screen and (prefers-color-scheme: dark) { :root { --jp-content-font-color1: #F2F2F2;
  --jp-content-font-color2: #B8B8B8; --jp-layout-color0: #111111; --jp-layout-color2: #2A2A2A; } }
body { margin: 1rem; background: var(--jp-layout-color0); color: var(--jp-content-font-color1); }"""

WHOLE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{theme}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def too_wide(size: tuple[float, float]) -> bool:
    """Can a picture of this size not be read on a page without moving it sideways?"""
    return size[0] > SHRINKS * PAGE


def narrowest(width: float) -> int:
    """The pixels to which a picture of this width may shrink; a narrow page shows it whole if it is nearly that."""
    least = width / SHRINKS
    return NARROW if NARROW < least <= A_LITTLE * NARROW else round(least)


def image(svg: str, alt: str, narrowest: int = 0) -> str:
    """An SVG as HTML. narrowest: the pixels of width to which it may shrink; without it, it keeps its own.

    SCROLL is left to whoever shows it alive: a page that strips HTML may show the text of a style sheet.
    """
    size = f"max-width: 100%; min-width: {narrowest}px; height: auto" if narrowest else "max-width: none"
    source = base64.b64encode(svg.encode()).decode()
    return (
        f'<div class="viz-scroll" style="overflow-x: auto"><img alt="{html.escape(alt)}" style="{size}" '
        f'src="data:image/svg+xml;base64,{source}"></div>'
    )


def page(title: str, body: str, lang: str) -> str:
    """A page of its own, to be written in UTF-8: half a letter in a name becomes a sign for that."""
    written = WHOLE.format(lang="zh-CN" if lang == "zh" else lang, title=html.escape(title), theme=THEME, body=body)
    return NOT_IN_XML.sub("\ufffd", written)
