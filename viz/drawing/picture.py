"""A picture: a graph with its layout, as a notebook shows it.

A front end chooses from the formats that a `Picture` offers: HTML with the SVG as an image (JupyterLab, trusted or
not), SVG, PNG (for previews that show neither; the course's notebooks are stored without the HTML), or the text
alternative. An SVG image follows JupyterLab's theme too, since browsers hand down the color scheme.

Imports later, layout, legend, limits, model, opening, page, paint, pdf, png, viewer, words.
Read draw.py next.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from ..graph.model import Graph
from ..locale import language
from .later import can_follow, follow
from .layout import Geometry, lay_out
from .legend import SHOWN
from .limits import A_MOMENT, announce, seconds, told
from .opening import Opening, View, at_once, views_among
from .page import NARROW, PAGE, SCROLL, SHRINKS, TALL, image, narrowest, too_wide
from .paint import paint, plan, prefix_of, shapes_of
from .pdf import pdf_of
from .png import SHARP, can_make, png_of
from .rows import in_rows
from .viewer import data_of, index_of, viewer, viewer_page
from .words import alt_text, title

SMALL, HIGH = 24, 1200  # nodes, and pixels of height; up to this size a PNG is offered, which takes 3 ms per node
FOLD_IT = "fold=True makes repeated pieces and modules one box each, and unfold= opens those that you name."
LARGEST = 20_000  # pixels of a saved file, in either direction
KINDS = (".svg", ".png", ".pdf", ".html")
SURELY = 100  # arrows; graphs with no more are always laid out
PATIENT, MANY, AT_ONCE = 0.5, 12, 3  # seconds for larger ones; graphs that an engine gets at once, small and large ones
SIGN = 8  # pixels by which the sign on a box extends beyond it
Layout = Literal["right", "down", "rows", "narrow"]


class Picture:
    """A drawn graph: `.svg`, `.alt` (the same in words), `.png()` and `.save(path)`; a notebook shows it by itself.

    show: what it shows, of legend.CAN_SHOW. backward: show where gradients go instead of values.
    layout: time runs to the "right", or "down". For a picture wider than a page, "rows" continues in the next row if
        few enough arrows pass, and "narrow" runs down. Both run to the right otherwise.
    opening: the other views that a reader reaches by opening and closing boxes.
    """

    def __init__(
        self,
        graph: Graph,
        lang: str | None = None,
        show: tuple[str, ...] = SHOWN,
        *,
        backward: bool = False,
        layout: Layout = "right",
        opening: Opening | None = None,
    ):
        self.graph, self.lang, self.show, self.backward = graph, language(lang), show, backward
        self.layout, self.down, self.opening = layout, layout == "down", opening

    @cached_property
    def geometry(self) -> Geometry:
        """The layout of the picture; it also decides whether time runs `down`. Prints a message first if it will take
        more than two seconds.

        Raises NoGraphviz if nothing here can lay out a graph, TooLarge for one that would take minutes.
        """
        announce(self.graph, FOLD_IT)

        (across,) = self._laid([self.graph])
        if self.layout in ("right", "down") or not too_wide(across.size):
            return across
        self.down = True
        (found,) = self._laid([self.graph])
        self.down = found.size[0] < across.size[0] if self.layout == "narrow" else not too_wide(found.size)
        return found if self.down else across

    def _laid(self, graphs: Sequence[Graph]) -> list[Geometry]:
        """The layout of each of the graphs."""
        plans = [plan(graph, self.lang, self.show, backward=self.backward, down=self.down) for graph in graphs]
        found = lay_out(plans)
        return [*map(in_rows, found, plans)] if self.layout == "rows" and not self.down else found

    def _in_time(self, graphs: Sequence[Graph]) -> Generator[None, None, list[Geometry]]:
        """The same, step by step, but of large graphs only as many as this machine can lay out while the reader
        waits."""
        surely = all(len(graph.edges) <= SURELY for graph in graphs)
        found: list[Geometry] = []
        slower, spent = 1.0, 0.0  # than the machine of the estimate; seconds so far
        for part in batched(graphs, MANY if surely else AT_ONCE):
            estimate = sum(map(seconds, part))
            if not surely and (found and spent + slower * estimate > PATIENT or estimate > PATIENT):
                break
            began = perf_counter()
            found += self._laid(part)
            took = perf_counter() - began
            spent, slower = spent + took, max(slower, took / estimate)
            yield
        return found

    @cached_property
    def svg(self) -> str:
        """The picture as SVG: one string for a page, an image, print and both themes."""
        return self._paint(styled=True)

    @cached_property
    def alt(self) -> str:
        """The text alternative."""
        return alt_text(self.graph, backward=self.backward)

    def png(self) -> bytes:
        """The picture as a PNG with light colours, at twice its nominal size. Needs resvg-py and matplotlib."""
        return png_of(self._paint(styled=False))

    def save(self, path: str | Path, size: float | tuple[float, float] | None = None) -> None:
        """Write the picture to a file, with light colours and nothing that needs support for styles.

        path: its ending gives the format: .svg, .png or .pdf (lines and letters, a pixel as 1/72 inch); or .html, a
            page in which boxes open and close, in light and dark, that needs no other files.
        size: the width in pixels, or (width, height): then paper is added around it, as on a slide. By default, a PNG
            has twice the nominal size of the picture, to be sharp.
        Raises ValueError for another ending and for an invalid size, TooLarge where the layout would take minutes.

        >>> import minigrad as torch, os, tempfile, viz
        >>> w = torch.tensor([3.0], requires_grad=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     viz.draw(w * w).save(f"{folder}/square.svg", size=(1920, 1080))
        ...     os.listdir(folder)
        ['square.svg']
        """
        kind = Path(path).suffix.lower()
        if kind not in KINDS:
            raise ValueError(f"a picture is saved as .svg, .png, .pdf or .html, but got {str(path)!r}")
        wanted = None if size is None else pixels_of(size)
        if kind == ".html":
            if wanted:
                raise ValueError("a page is as large as its window: size is for .svg, .png and .pdf")
            Path(path).write_bytes(viewer_page(self._views, image(self.svg, self.alt)).encode())
            return
        geometry = self.geometry
        if wanted:
            width, height = wanted[0], wanted[1] or max(1, round(wanted[0] * geometry.size[1] / geometry.size[0]))
            svg = self._paint(styled=False, shown=(width, height), geometry=geometry.on_paper(width / height))
        else:
            svg = self._paint(styled=False)
        if kind == ".svg":
            Path(path).write_bytes(svg.encode())  # as text, it would get other line ends on Windows
        else:
            Path(path).write_bytes(pdf_of(svg) if kind == ".pdf" else png_of(svg, 1 if wanted else SHARP))

    @cached_property
    def _views(self) -> dict[str, Any]:
        """The data for the viewer."""
        return at_once(self._all_views())

    def _all_views(self) -> Generator[None, None, dict[str, Any]]:
        """The same, step by step."""
        views = (yield from self.opening.steps()) if self.opening else [View((), self.graph)]
        found = self.__dict__["_views"] = yield from self._data(views)
        return found

    def _data(self, views: Sequence[View], later: str = "") -> Generator[None, None, dict[str, Any]]:
        """The data for the viewer with these views, step by step. later: the name under which the others will come."""
        views = [replace(views[0], graph=self.graph), *views[1:]]  # this graph has a frame around every module
        geometries = [self.geometry, *(yield from self._in_time([view.graph for view in views[1:]]))]
        found = []
        for view, geometry in zip(views_among(views, len(geometries)), geometries, strict=False):
            found.append(self._view(view, geometry.with_margin(SIGN)))
            yield
        whole = self.opening.whole if self.opening else self.graph
        return data_of(found, index_of(whole), title(self.graph), self.lang, later)

    def _views_for_now(self) -> dict[str, Any]:
        """The data for the viewer of a notebook: a few views, if the kernel can bring the others later."""
        if self.opening is None or "_views" in self.__dict__ or not can_follow():
            return self._views
        views, complete = self.opening.soon
        if complete:
            return self._views
        name = f"{prefix_of(self.graph, self.lang, self.show, self.backward)}-{len(self.opening.whole.nodes)}"
        found = at_once(self._data(views, name))
        follow(name, self._all_views())
        return found

    def _view(self, view: View, geometry: Geometry) -> dict[str, Any]:
        """One of the viewer's pictures: its SVG, the areas that can be clicked, and the view after each click."""
        picture = Picture(view.graph, self.lang, self.show, backward=self.backward)
        shapes = shapes_of(view.graph, self.lang, self.show)
        boxes = {
            n.id: (n.name, shapes[n.id].width, shapes[n.id].height) for n in view.graph.nodes if n.kind == "folded"
        }
        frames = [
            (cluster.label, *frame.corner, *frame.size)
            for cluster, frame in zip(view.graph.clusters, geometry.frames, strict=True)
        ]
        return {
            "svg": picture._paint(styled=True, geometry=geometry),
            "prefix": prefix_of(view.graph, self.lang, self.show, self.backward),
            "size": [round(length) for length in geometry.size],
            "opened": view.opened,
            "moves": view.moves,
            "boxes": boxes,
            # The operators in the boxes that have no module's name
            "inside": {n.id: [id_ for turn in n.inside for id_ in turn] for n in view.graph.nodes if n.count > 1},
            "frames": frames,
        }

    def _paint(self, *, styled: bool, shown: tuple[int, int] | None = None, geometry: Geometry | None = None) -> str:
        return paint(
            self.graph,
            geometry or self.geometry,
            title=title(self.graph),
            alt=self.alt,
            lang=self.lang,
            show=self.show,
            backward=self.backward,
            styled=styled,
            shown=shown,
        )

    def doors(self) -> list[tuple[str, float, float, float, float]]:
        """The folded boxes, for a page that opens them by `unfold=`: name, left, top, width and height in the SVG."""
        shapes, (x, y) = shapes_of(self.graph, self.lang, self.show), self.geometry.origin
        found: list[tuple[str, float, float, float, float]] = []
        for node in self.graph.nodes:
            if node.kind == "folded":
                shape, (across, down) = shapes[node.id], self.geometry.centres[node.id]
                left, top = across - shape.width / 2 - x, down - shape.height / 2 - y
                found.append((node.name, left, top, shape.width, shape.height))
        return found

    @property
    def fits(self) -> bool:
        """Can all of it be read on a page at once?"""
        return not too_wide(self.geometry.size) and self.geometry.size[1] <= SHRINKS * TALL

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """The formats that a notebook's front end may choose from, at a readable size.

        HTML shrinks to fit, at most `SHRINKS` times, and then scrolls. SVG and PNG have no minimum size. If they would
        be too small on a narrow page, they are "unconfined": they scroll and do not shrink. Their width is that of a
        usual page if they are readable at that size, else their own.
        """
        nodes, time = len(self.graph.nodes), seconds(self.graph)
        if time > A_MOMENT:
            said = f"{nodes:,} nodes, too many to draw unasked: it would take {told(time)}."
            return {"text/plain": f"{self.alt}\n({said} {FOLD_IT})"}, {}
        width, height = (round(length) for length in self.geometry.size)
        least = narrowest(width)
        scale = PAGE / width if NARROW < least <= PAGE else 1
        shown = round(width * scale), round(height * scale)
        unconfined = {"unconfined": True} if least > NARROW else {}
        still = SCROLL + image(self.svg, self.alt, least if least <= PAGE else 0)
        moves = bool(self.opening and self.opening.can_move) or not self.fits
        html = viewer(self._views_for_now(), still) if moves else still
        data: dict[str, Any] = {"text/plain": self.alt, "text/html": html}
        data["image/svg+xml"] = self._paint(styled=True, shown=shown)
        metadata: dict[str, Any] = {"image/svg+xml": unconfined} if unconfined else {}
        if nodes <= SMALL and height <= HIGH and can_make():
            data["image/png"] = self.png()
            metadata["image/png"] = {"width": shown[0], "height": shown[1], **unconfined, "alt": self.alt}
        return data, metadata


def batched(graphs: Sequence[Graph], at_once: int) -> Iterator[Sequence[Graph]]:
    """The graphs, a few at a time: starting an engine takes as long as a small layout."""
    return (graphs[i : i + at_once] for i in range(0, len(graphs), at_once))


def pixels_of(size: Any) -> tuple[int, int]:
    """The requested width and height; 0 for a height that follows from the width."""
    pair = size if isinstance(size, tuple) else (size, 1)
    if len(pair) != 2 or not all(isinstance(n, (int, float)) and 1 <= n <= LARGEST for n in pair):
        raise ValueError(f"size must be a width, or (width, height), in pixels from 1 to {LARGEST:,}, but got {size!r}")
    return round(pair[0]), round(pair[1]) * isinstance(size, tuple)
