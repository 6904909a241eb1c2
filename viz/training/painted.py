"""A painted picture in a page: the PNG as HTML, with alternative text, at most page width, dark in a dark page.

ipywidgets' Image and an output of type image/png cannot be inverted in a dark page, and a widget's image has no
alternative text. JupyterLab shows an SVG without alternative text, too, and lets it overflow a narrow page.
Imports beside.py. Read next: live.py.
"""

from __future__ import annotations

import base64
import html
from typing import Any

from ..beside import text_of

# A picture cannot see the theme, but its page can: invert the card where the page is dark.
STYLE = f"<style>\n{text_of('training/painted.css')}</style>"


def as_html(png: bytes, alt: str, size: tuple[int, int]) -> str:
    """A PNG as HTML, for a page that also contains STYLE. `size` is in CSS pixels."""
    source = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return (
        f'<img class="viz-painted" alt="{html.escape(alt)}" width="{size[0]}" height="{size[1]}" '
        f'style="max-width: 100%; height: auto" decoding="sync" src="{source}">'
    )


def as_bundle(png: bytes, alt: str, size: tuple[int, int]) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Data and metadata of a picture in a notebook, by MIME type."""
    data = {"text/html": STYLE + as_html(png, alt, size), "image/png": base64.b64encode(png).decode()}
    return data | {"text/plain": alt}, {"image/png": {"width": size[0], "height": size[1], "alt": alt}}
