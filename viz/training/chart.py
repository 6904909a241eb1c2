"""The picture of a live plot: lines on a card, redrawn fast and often.

`Chart.png(panels)` paints its argument. The artists are made once and moved afterwards; axes, ticks and legends are
kept as a background, which is redrawn only when limits change ("blitting"). An x axis that moves with each frame is
drawn with the lines instead. It uses no pyplot, so no global state, and no tight bounding box, which alone takes 50 ms.

A PNG cannot follow a notebook's theme, and no single grey has a contrast of 4.5 : 1 on white and on JupyterLab's #111
(4.35 is the maximum). So the figure has its own paper: a rounded card whose ink is readable in both themes.

Imports letters; matplotlib and PIL, when a chart is made. Read `live.py` next: it decides what is painted, and when.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..browser import fetch
from .encode import quick_png
from .letters import write

PAPER, INK, GREY = "#F5F5F5", "#222222", "#6B6B6B"
BLUE, PURPLE, GREEN = "#0072B2", "#A8558A", "#009E73"  # at least 3 : 1 on this paper; vermilion is for gradients
# Of neighbouring pieces, alternating. Their first digits differ, because the few colours of a final picture join greys
# that have the same one.
SHADES = ("#DFDFDF", "#ECECEC")

# Colour, dashes and marker all differ, so that lines can be told apart in grey and by colour-blind readers. The first
# number has the ink colour, so that a loss does not look like a target; curves: target first, then output. Two numbers
# and three curves, side by side, share no colour: each colour means one thing.
STROKES = {
    "numbers": [(INK, "-", "o"), (PURPLE, "--", "s"), (BLUE, "-.", "D"), (GREEN, ":", "^")],
    "curves": [(BLUE, "-", ""), (GREEN, "--", "o"), (GREY, ":", "s"), (PURPLE, "-.", "^")],
}

WIDTH, DPI = 8.0, 100  # inches, and pixels per inch; the last frame has twice as many
LEFT, RIGHT, BETWEEN = 0.9, 0.25, 0.85  # inches beside the axes
TOP, LINE, BOTTOM, TICKS = 0.25, 0.3, 0.65, 0.35  # inches: above axes, heading line, below axes, below upper axes
MARKERS = 5  # on a curve
MORE = " · "  # between the two halves of a piece's label
ROOM = 30  # letters that fit below one panel of curves
TITLE = 32  # points between the axes and their title
STEPS = [1, 2, 2.5, 5, 10]  # distances between ticks, times a power of ten


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of the curves with its own label; `points` are its positions on the x axis, shape (n,)."""

    label: str
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes: `lines` is {name: (x, y)}, float arrays of shape (n,); `kind` is "numbers" or "curves"."""

    kind: str
    lines: dict[str, tuple[np.ndarray, np.ndarray]]
    title: str = ""
    note: str = ""
    log: bool = False
    longest: int = 0  # points that the lines of numbers will have, if that is known: their x axis begins so long
    follow: bool = False  # the x axis shows only the current data, not all data so far
    pieces: tuple[Piece, ...] = ()  # newest first
    xlabel: str = ""  # below the x axis of the curves

    @property
    def heading(self) -> int:
        """Lines of text above the axes: one for each number; or a title and one line for all curves."""
        if self.kind == "numbers":
            return len(self.lines)
        return 1 + bool(self.title or any(MORE in piece.label for piece in self.pieces))


class Chart:
    """Panels on a card, as PNG bytes. Numbers are in the left column, all curves in the right one."""

    def __init__(self) -> None:
        self._layout: list[tuple] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the displayed picture in CSS pixels."""
        return round(WIDTH * DPI), round(self._figure.get_figheight() * DPI)

    def png(self, panels: list[Panel], *, final: bool = False) -> bytes:
        """Paint `panels`: an intermediate frame with room to grow, or the `final` picture, fitted, sharp and small."""
        layout = [(p.kind, p.title, p.log, p.follow, tuple(p.lines), bool(p.pieces), p.xlabel) for p in panels]
        if layout != self._layout:
            self._build(panels)
            self._layout = layout
        for view, panel in zip(self._views, panels, strict=True):
            self._stale |= view.show(panel, final)
        pixels = self._paint(2 * DPI if final else DPI)
        if not final:
            return quick_png(pixels)
        from PIL import Image

        out = io.BytesIO()
        few = Image.fromarray(pixels).quantize(32, method=Image.Quantize.FASTOCTREE)
        few.save(out, "png", compress_level=9)
        self._let_go()
        return out.getvalue()

    def _let_go(self) -> None:
        """Free the pixels, 8 MB: the next frame needs a background of another size, and a page keeps many charts."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        self._stale, self._background, self._canvas = True, None, FigureCanvasAgg(self._figure)

    def _build(self, panels: list[Panel]) -> None:
        fetch("matplotlib")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.patches import FancyBboxPatch

        columns = [[p for p in panels if p.kind == kind] for kind in STROKES]
        columns = [column for column in columns if column]
        rows = max(map(len, columns), default=1)
        top = TOP + LINE * max((panel.heading for panel in panels), default=1)
        row = top + (2.0 if rows == 1 else 1.05)
        height = rows * (row + TICKS) - TICKS + BOTTOM
        self._figure = figure = Figure((WIDTH, height), dpi=DPI, facecolor="none")
        self._canvas = FigureCanvasAgg(figure)
        round_corners = "round,pad=0,rounding_size=0.12"
        card = FancyBboxPatch((0, 0), WIDTH, height, boxstyle=round_corners, facecolor=PAPER, edgecolor="none")
        card.set(transform=figure.dpi_scale_trans, zorder=-1)
        figure.add_artist(card)
        width = (WIDTH - LEFT - RIGHT + BETWEEN) / max(len(columns), 1) - BETWEEN
        self._views = []
        for number, column in enumerate(columns):
            for place, panel in enumerate(column):
                left = LEFT + number * (width + BETWEEN)
                bottom = BOTTOM + (rows - 1 - place) * (row + TICKS)
                tall = row - top
                if len(column) == 1:  # as tall as all rows of the other column
                    bottom, tall = BOTTOM, height - BOTTOM - top
                box = (left / WIDTH, bottom / height, width / WIDTH, tall / height)
                self._views.append(_View(figure.add_axes(box), panel))
        self._stale = True

    def _paint(self, dpi: int) -> np.ndarray:
        """The pixels, (height, width, 4) uint8: the background, redrawn only if necessary, and the lines on it."""
        if self._stale or self._figure.dpi != dpi:
            self._figure.dpi = dpi
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self._figure.bbox)
            self._stale = False
        self._canvas.restore_region(self._background)
        for view in self._views:
            for artist in view.artists:
                view.axes.draw_artist(artist)
        return np.asarray(self._canvas.buffer_rgba())


class _View:
    """The artists of one panel. They are made here; `show` only moves them."""

    def __init__(self, axes: Any, panel: Panel) -> None:
        from matplotlib.ticker import FuncFormatter, MaxNLocator

        self.axes = axes
        self._limits: dict[str, tuple[float, float]] = {}  # on a logarithmic y axis, the limits are powers of ten
        axes.set_facecolor("none")
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(INK)
        axes.tick_params(colors=INK, labelsize=12)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=STEPS, integer=panel.kind == "numbers"))
        axes.xaxis.set_major_formatter(FuncFormatter(_tick))
        if panel.log:
            axes.set_yscale("log")
        else:
            axes.yaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
            axes.yaxis.set_major_formatter(FuncFormatter(_tick))
        if panel.pieces:  # the labels of the pieces are in the place of the numbers
            axes.tick_params(axis="x", bottom=False, labelbottom=False)
        # An axis that moves with every frame is drawn with the lines, because a new background takes 50 ms.
        self.moving = [axes.xaxis] if panel.follow and not panel.pieces else []
        self.follows = panel.follow
        for each in self.moving:
            each.set_animated(True)
        if named := "iteration" if panel.kind == "numbers" else panel.xlabel:
            axes.set_xlabel(named, color=INK, fontsize=12, parse_math=False)
        self.lines = []
        for number in range(len(panel.lines)):
            color, dashes, marker = STROKES[panel.kind][number % 4]
            label = f"line {number}"  # a placeholder; `write` sets the real name below
            (line,) = axes.plot([], [], color=color, linestyle=dashes, marker=marker, linewidth=2.4, label=label)
            line.set(markersize=6, markevery=[-1], animated=True)  # the line of a number has one marker, at its end
            self.lines.append(line)
        crowd = panel.kind == "curves" and len(panel.lines) > 2
        legend = axes.legend(
            loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=1 if panel.kind == "numbers" else 4, frameon=False,
            fontsize=12 if crowd else 13, labelcolor=INK, borderaxespad=0.3, borderpad=0.0, labelspacing=0.3,
            columnspacing=0.8 if crowd else 1.2, handlelength=1.8 if crowd else 2.6,
        )  # fmt: skip
        title = axes.set_title("", loc="left", color=INK, fontsize=13, fontweight="bold", pad=TITLE)
        for text, words in zip([title, *legend.get_texts()], [panel.title, *panel.lines], strict=True):
            text.set_parse_math(False)
            write(text, words)
        self.note = axes.text(1, 1.0, "", transform=axes.transAxes, ha="right", va="top", color=INK, fontsize=13)
        self.note.set(animated=True, parse_math=False)
        self.pieces = _Pieces(axes)

    @property
    def artists(self) -> list[Any]:
        """All moving artists, from back to front."""
        return [*self.pieces.behind, *self.moving, *self.lines, *self.pieces.words, self.note]

    def show(self, panel: Panel, final: bool) -> bool:
        """Move the artists to `panel`; True if the limits changed, so that the background must be redrawn."""
        for line, (x, y) in zip(self.lines, panel.lines.values(), strict=True):
            line.set_data(x, y)
            if panel.kind == "curves":  # a few markers; matplotlib's own even spacing takes a millisecond a line
                line.set_markevery(max(1, len(x) // MARKERS))
        self.note.set_text(panel.note)
        self.pieces.show(panel.pieces)
        before = dict(self._limits)
        first, last = _extent([x for x, _ in panel.lines.values()])
        if panel.kind == "numbers":
            room = 0.02 if final or panel.longest else 0.5
            self._follow("x", 1.0, max(last, panel.longest, 2.0 if final else 10.0), (0.02, room), fresh=final)
        else:
            self._follow("x", first, last, (0.02, 0.02), fresh=panel.follow)
        low, high = _extent([y for _, y in panel.lines.values()], panel.log)
        if panel.kind == "numbers" and not panel.log:
            low = min(low, 0.0)  # a loss is compared with zero
        self._follow("y", low, high, (0.06, 0.06), fresh=final)
        if self._limits == before:
            return False
        bottom, top = self._limits["y"]
        self.axes.set(xlim=self._limits["x"], ylim=(10.0**bottom, 10.0**top) if panel.log else (bottom, top))
        return not self.follows or self._limits["y"] != before.get("y")

    def _follow(self, axis: str, low: float, high: float, room: tuple[float, float], fresh: bool) -> None:
        """Adapt limits to data from `low` to `high`, with `room` below and above, relative to the whole.

        The limits stay while the data fit, grow when they do not, and are set again when the data fill less than a
        quarter, or if `fresh` asks for it.
        """
        first, last = self._limits.get(axis, (low, high))
        if fresh or axis not in self._limits or 4 * (high - low) < last - first:
            first, last = np.inf, -np.inf
        whole = max(high, last) - min(low, first)
        whole = max(whole, 1e-6 * abs(low), 1e-6 * abs(high)) or 1.0  # a constant line needs some height, too
        self._limits[axis] = (
            first if first <= low else low - room[0] * whole,
            last if last >= high else high + room[1] * whole,
        )


class _Pieces:
    """Shaded pieces behind the curves: each as wide as its points, with a mark for each point and a word below.

    A label such as "20 steps · 154 nodes" is shown in full above the curves for the newest piece; below a piece is its
    first half, or, if the piece is narrow, its first word.
    """

    def __init__(self, axes: Any) -> None:
        from matplotlib.collections import PolyCollection

        self.axes = axes
        self.labels: list[Any] = []
        across = axes.get_xaxis_transform()  # x in data coordinates, y relative to the height of the axes
        self.shades = PolyCollection([], transform=across, animated=True)
        axes.add_collection(self.shades, autolim=False)
        above = dict(xycoords="axes fraction", textcoords="offset points", ha="right", color=INK, fontsize=13)
        self.newest = axes.annotate("", (1, 1), (0, TITLE), animated=True, **above)  # its full label, beside the title
        self.newest.set_parse_math(False)
        (self.marks,) = axes.plot([], [], "s", color=INK, markersize=2.5, transform=across, animated=True)

    @property
    def behind(self) -> list[Any]:
        return [self.shades, self.marks]

    @property
    def words(self) -> list[Any]:
        return [self.newest, *self.labels]

    def show(self, pieces: tuple[Piece, ...]) -> None:
        pieces = tuple(piece for piece in pieces if piece.points.size)
        edges = [(piece.points.min(), piece.points.max()) for piece in pieces]
        self.shades.set_verts([[(a, 0), (b, 0), (b, 1), (a, 1)] for a, b in edges])
        self.shades.set_facecolor([SHADES[i % 2] for i in range(len(pieces), 0, -1)])
        points = np.concatenate([piece.points for piece in pieces]) if pieces else np.zeros(0)
        self.marks.set_data(points, np.full(points.shape, 0.03))
        while len(self.labels) < len(pieces):
            label = self.axes.text(0, -0.04, "", transform=self.axes.get_xaxis_transform(), color=INK, fontsize=12)
            label.set(animated=True, parse_math=False, va="top", ha="center")
            self.labels.append(label)
        whole = (max(b for _, b in edges) - min(a for a, _ in edges) if edges else 0) or 1.0
        for label, piece, (a, b) in zip(self.labels, pieces, edges, strict=False):
            told = piece.label.partition(MORE)[0]
            narrow = len(told) > ROOM * (b - a) / whole  # it would overlap its neighbours
            label.set_x((a + b) / 2)
            write(label, told.partition(" ")[0] if narrow else told)
        for label in self.labels[len(pieces) :]:
            label.set_text("")
        more = pieces and MORE in pieces[0].label  # than the first half, which is below the piece
        write(self.newest, pieces[0].label if more else "")


def _extent(arrays: list[np.ndarray], log: bool = False) -> tuple[float, float]:
    """Minimum and maximum of the values that can be drawn: a diverging training must not break its picture."""
    values = np.concatenate(arrays)
    values = values[np.abs(values) < 1e200]  # False for nan, too
    if log:
        values = np.log10(values[values > 0])
    return (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)


def _tick(value: float, _position: int) -> str:
    return f"{value:.6g}".replace("-", "−")
