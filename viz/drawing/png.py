"""Turns a picture's SVG into a PNG, for previews that show nothing else, for files and slides.

Compression takes most of the time, a tenth of a second for a million pixels. So a PNG is offered for small graphs only,
has few colours, and is not compressed fully. Imports resvg-py and Pillow when a PNG is made. The fonts are
matplotlib's, but matplotlib itself is not imported: that would take longer than the picture.
"""

from __future__ import annotations

import io
import os
from functools import cache
from importlib.util import find_spec

SHARP = 2  # pixels of the PNG per pixel of the picture
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")


@cache
def can_make() -> bool:
    """Can a PNG be made here? In a browser's Python it can't: resvg-py is a compiled library for other machines."""
    return find_spec("resvg_py") is not None


def png_of(svg: str, sharp: int = SHARP) -> bytes:
    """A PNG of `svg`, whose colours must be attributes. The bytes are the same on every machine.

    Raises ModuleNotFoundError without resvg-py.
    """
    if not can_make():
        raise ModuleNotFoundError("a PNG is drawn by resvg-py, which is not installed; .svg works", name="resvg_py")
    from PIL import Image
    from resvg_py import svg_to_bytes

    pixels = svg_to_bytes(
        svg_string=svg,
        zoom=sharp,
        font_files=fonts(),
        skip_system_fonts=max(svg) < "\u2e80",  # Chinese, and all characters above U+2E80, need a font of the system
        sans_serif_family="DejaVu Sans",
        monospace_family="DejaVu Sans Mono",
    )
    small = io.BytesIO()
    Image.open(io.BytesIO(pixels)).quantize(64).save(small, "png")
    return small.getvalue()


@cache
def fonts() -> list[str]:
    """The paths of the font files. Raises ModuleNotFoundError without matplotlib."""
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("a PNG is written with matplotlib's fonts: pip install matplotlib", name="matplotlib")
    return [os.path.join(found.submodule_search_locations[0], "mpl-data", "fonts", "ttf", name) for name in FONTS]
