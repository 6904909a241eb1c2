"""A picture's SVG as a PNG, for a preview that shows nothing else, for files and slides.

Most of its time goes into squeezing pixels, a tenth of a second for a million: so it is made for small graphs only,
with few colours, and is not squeezed as far as it could be. Imports resvg-py and Pillow when a PNG is made; the fonts
are those that matplotlib brings along, which is itself not imported: that would take longer than the picture.
"""

from __future__ import annotations

import io
import os
from functools import cache
from importlib.util import find_spec

SHARP = 2  # pixels of the PNG for one of the picture
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")


def png_of(svg: str, sharp: int = SHARP) -> bytes:
    """A PNG of `svg`, whose colours must be attributes: the same bytes everywhere."""
    from PIL import Image
    from resvg_py import svg_to_bytes

    pixels = svg_to_bytes(
        svg_string=svg,
        zoom=sharp,
        font_files=fonts(),
        skip_system_fonts=max(svg) < "\u2e80",  # Chinese and what comes after it needs a font of the system
        sans_serif_family="DejaVu Sans",
        monospace_family="DejaVu Sans Mono",
    )
    small = io.BytesIO()
    Image.open(io.BytesIO(pixels)).quantize(64).save(small, "png")
    return small.getvalue()


@cache
def fonts() -> list[str]:
    """The files of the fonts. Raises ModuleNotFoundError without matplotlib."""
    found = find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("a PNG is written with matplotlib's fonts: pip install matplotlib", name="matplotlib")
    return [os.path.join(found.submodule_search_locations[0], "mpl-data", "fonts", "ttf", name) for name in FONTS]
