"""A picture: a graph with its places, as a notebook shows it.

A front end takes what it likes best of what a `Picture` offers: HTML with the SVG as an image (JupyterLab, trusted or
not), SVG, PNG (what a preview shows that knows neither; the course's notebooks are stored without the HTML), or the
text alternative. An SVG image follows JupyterLab's theme too, since browsers hand down the color scheme.

Imports layout, legend, model, page, paint, words; resvg-py and matplotlib's font when a PNG is asked for. Read draw.py
next.
"""

from __future__ import annotations

import io
import os
from functools import cached_property
from typing import Any

from ..graph.model import Graph
from .layout import Geometry
from .legend import SHOWN
from .page import SCROLL, image
from .paint import SHRINKS, paint, place
from .words import alt_text, title

SMALL = 24  # nodes; up to here a PNG is offered, at 3 ms a node
LARGE = 500  # nodes; beyond it a layout may take seconds or minutes, so a notebook gets the words alone
SHARP = 2  # pixels of the PNG for one of the picture
NARROW, PAGE = 640, 820  # pixels that JupyterLab leaves for outputs in a window of 800, and of 1280 with its files


class Picture:
    """A graph, drawn: `.svg`, `.alt` (the same in words) and `.png()`; a notebook shows it by itself.

    show: what it tells, of legend.CAN_SHOW. backward: with the way of the gradients in place of that of the values.
    """

    def __init__(self, graph: Graph, lang: str = "en", show: tuple[str, ...] = SHOWN, *, backward: bool = False):
        self.graph, self.lang, self.show, self.backward = graph, lang, show, backward

    @cached_property
    def geometry(self) -> Geometry:
        """Where everything stands. Raises NoGraphviz if nothing here can lay out a graph."""
        return place(self.graph, self.lang, self.show, backward=self.backward)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG: one string for a page, an image, print and both themes."""
        return self._paint(styled=True)

    @cached_property
    def alt(self) -> str:
        """The picture in words."""
        return alt_text(self.graph, backward=self.backward)

    def png(self) -> bytes:
        """The picture as a PNG with light colours, twice as sharp as its size says. Needs resvg-py and matplotlib."""
        return png_of(self._paint(styled=False))

    def _paint(self, *, styled: bool, shown: tuple[int, int] | None = None) -> str:
        return paint(
            self.graph,
            self.geometry,
            title=title(self.graph),
            alt=self.alt,
            lang=self.lang,
            show=self.show,
            backward=self.backward,
            styled=styled,
            shown=shown,
        )

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook's front end may choose from, of a size that can be read.

        It shrinks to fit, but `SHRINKS` times at most, and then scrolls. As SVG or PNG, which cannot say how small they
        may get, what would be too small on a narrow page is "unconfined", which scrolls and does not shrink: as wide
        as a usual page if it can be read so, else of its own size.
        """
        nodes = len(self.graph.nodes)
        if nodes > LARGE:
            return {"text/plain": f"{self.alt}\n({nodes:,} nodes, too many to draw unasked: .svg draws them.)"}, {}
        width, height = (round(length) for length in self.geometry.size)
        scale = PAGE / width if SHRINKS * NARROW < width <= SHRINKS * PAGE else 1
        shown = round(width * scale), round(height * scale)
        unconfined = {"unconfined": True} if width > SHRINKS * NARROW else {}
        narrowest = round(width / SHRINKS) if width <= SHRINKS * PAGE else 0
        data: dict[str, Any] = {"text/plain": self.alt, "text/html": SCROLL + image(self.svg, self.alt, narrowest)}
        data["image/svg+xml"] = self._paint(styled=True, shown=shown)
        metadata: dict[str, Any] = {"image/svg+xml": unconfined} if unconfined else {}
        if nodes <= SMALL:
            data["image/png"] = self.png()
            metadata["image/png"] = {"width": shown[0], "height": shown[1], **unconfined, "alt": self.alt}
        return data, metadata


def png_of(svg: str) -> bytes:
    """A PNG of `svg`, whose colours must be attributes. The fonts are matplotlib's: the same bytes everywhere."""
    from matplotlib import get_data_path
    from PIL import Image
    from resvg_py import svg_to_bytes

    fonts = os.path.join(get_data_path(), "fonts", "ttf")
    pixels = svg_to_bytes(
        svg_string=svg,
        zoom=SHARP,
        font_files=[
            os.path.join(fonts, name)
            for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
        ],
        skip_system_fonts=max(svg) < "\u2e80",  # Chinese and what comes after it needs a font of the system
        sans_serif_family="DejaVu Sans",
        monospace_family="DejaVu Sans Mono",
    )
    small = io.BytesIO()
    Image.open(io.BytesIO(pixels)).quantize(64).save(small, "png", optimize=True)
    return small.getvalue()
