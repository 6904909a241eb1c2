"""A picture in a page: SVG in an <img>, with its words, as wide as there is room for, and with a bar where it is cut.

In an <img>, since an SVG that stands in the page itself is stripped to a soup of labels where HTML is not trusted; as
HTML, since JupyterLab's own <img> for an SVG has no text alternative and cannot say how small it may get.
Imports the standard library only. Read picture.py next.
"""

from __future__ import annotations

import base64
import html

# A bar that is seen where a picture is cut, also where the system hides its own.
SCROLL = """<style>
.viz-scroll { overflow-x: auto; padding-bottom: 2px; }
.viz-scroll::-webkit-scrollbar { height: 12px; }
.viz-scroll::-webkit-scrollbar-track { background: var(--jp-layout-color2, #EEEEEE); }
.viz-scroll::-webkit-scrollbar-thumb { background: #8A8A8A; border-radius: 6px; }
@supports not selector(::-webkit-scrollbar) { .viz-scroll { scrollbar-color: #8A8A8A transparent; } }
</style>"""


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
