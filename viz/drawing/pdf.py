"""Turns a picture's SVG into a PDF with lines and letters, for print and slides, with matplotlib.

It handles only what the callers of svg.py write: moved groups, rectangles, text, and paths of lines, curves and half
ellipses. Colours must be attributes. Imports matplotlib when a PDF is made. Read picture.py next.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from ..browser import fetch

SVG = "{http://www.w3.org/2000/svg}"
ROUND = 0.5523  # for a quarter circle, the distance of its Bézier control points, relative to the radius
# Fonts with the Chinese characters that DejaVu lacks, on Linux, macOS and Windows
OTHERS = re.compile("CJK|WenQuanYi|Droid Sans Fallback|PingFang|Hiragino Sans GB|YaHei|SimHei|Heiti", re.IGNORECASE)

Point = tuple[float, float]
Step = tuple[int, Point]  # one of matplotlib's path codes, and a point
MOVE, LINE, CURVE, CLOSE = 1, 2, 4, 79


def pdf_of(svg: str) -> bytes:
    """A PDF of one page, of the size of `svg`; a pixel becomes a point (1/72 inch)."""
    fetch("matplotlib")
    fetch("fontTools")  # matplotlib writes a PDF's fonts with it, and nothing else
    import matplotlib
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure
    from matplotlib.font_manager import fontManager

    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    others = {font.name for font in fontManager.ttflist if OTHERS.search(font.name)} if max(svg) >= "\u2e80" else ()
    fonts = sorted(others, key=lambda name: ("Sans" not in name, name))[:1]
    rules: Any = {"pdf.fonttype": 42, "lines.scale_dashes": False, "text.parse_math": False}
    before = {name: matplotlib.rcParams[name] for name in rules}
    try:
        matplotlib.rcParams.update(rules)
        figure = Figure(figsize=(width / 72, height / 72))
        FigureCanvasPdf(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(left, left + wide), ylim=(top + high, top))
        axes.axis("off")
        for order, (element, at, opacity) in enumerate(shapes(root)):
            add(axes, element, at, opacity, width / wide, order, fonts)
        file = io.BytesIO()
        told = root.findtext(f"{SVG}title") or ""
        figure.savefig(file, format="pdf", metadata={"Title": told, "Creator": "minigrad", "CreationDate": None})
    finally:
        try:
            matplotlib.rcParams.update(before)
        except BaseException:  # Ctrl-C; `rc_context` would leave the changed settings
            matplotlib.rcParams.update(before)
            raise
    return file.getvalue()


def shapes(group: ElementTree.Element, at: Point = (0, 0), opacity: float = 1) -> Iterator[tuple[Any, Point, float]]:
    """Every shape in a group, with its offset and opacity."""
    for element in group:
        tag = element.tag.removeprefix(SVG)
        if tag == "g":
            moved = re.findall(r"-?[\d.]+(?:e-?\d+)?", element.get("transform", "")) or ["0", "0"]
            further = at[0] + float(moved[0]), at[1] + float(moved[1])
            yield from shapes(element, further, opacity * float(element.get("opacity", 1)))
        elif tag in ("rect", "path", "text"):
            yield element, at, opacity


def add(axes: Any, element: Any, at: Point, opacity: float, scale: float, order: int, fonts: list[str]) -> None:
    """Add one shape, on top of the earlier ones."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.patheffects import withStroke

    number = {name: float(element.get(name, 0)) for name in ("x", "y", "width", "height", "rx", "font-size")}
    stroke, thick = element.get("stroke", "none"), float(element.get("stroke-width", 1)) * scale
    if element.tag == f"{SVG}text":
        name = "DejaVu Sans Mono" if element.get("font-family") == "monospace" else "DejaVu Sans"
        written = axes.text(
            number["x"] + at[0],
            number["y"] + at[1],
            element.text or "",
            size=number["font-size"] * scale,
            color=element.get("fill"),
            weight=element.get("font-weight", "normal"),
            family=[name, *fonts],
            ha={"middle": "center", "end": "right"}.get(element.get("text-anchor"), "left"),
            va="baseline",
            alpha=opacity,
            zorder=order,
        )
        if stroke != "none":
            written.set_path_effects([withStroke(linewidth=thick, foreground=stroke)])
        return
    steps = list(rectangle(**number) if element.tag == f"{SVG}rect" else walked(element.attrib["d"]))
    dashes = [float(n) * scale for n in element.get("stroke-dasharray", "").split()]
    patch = PathPatch(
        Path([(x + at[0], y + at[1]) for _, (x, y) in steps], [code for code, _ in steps]),
        facecolor=element.get("fill", "black"),
        edgecolor=stroke,
        linewidth=thick if stroke != "none" else 0,
        linestyle=(0, dashes) if dashes else "solid",
        alpha=opacity if opacity < 1 else None,
        zorder=order,
        clip_on=False,
        capstyle="butt",
        joinstyle="miter",
    )
    axes.add_patch(patch)


def rectangle(x: float, y: float, width: float, height: float, rx: float, **_others: float) -> Iterator[Step]:
    """The path around a rectangle with round corners."""
    r = min(rx, width / 2, height / 2)
    k = r * (1 - ROUND)
    right, low = x + width, y + height
    yield MOVE, (x + r, y)
    for line, *curve in (
        [(right - r, y), (right - k, y), (right, y + k), (right, y + r)],
        [(right, low - r), (right, low - k), (right - k, low), (right - r, low)],
        [(x + r, low), (x + k, low), (x, low - k), (x, low - r)],
        [(x, y + r), (x, y + k), (x + k, y), (x + r, y)],
    ):
        yield LINE, line
        if r:
            yield from ((CURVE, point) for point in curve)
    yield CLOSE, (x + r, y)


def walked(d: str) -> Iterator[Step]:
    """The steps of a path; of arcs, it handles only half ellipses from one side to the other."""
    letter, x, y, start = "", 0.0, 0.0, (0.0, 0.0)
    words = re.findall(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", d)
    while words:
        if words[0].isalpha():
            letter = words.pop(0)
        before = (x, y) if letter.islower() else (0.0, 0.0)

        def take(count: int, before: Point = before) -> list[Point]:
            taken = [float(words.pop(0)) for _ in range(2 * count)]
            return [(before[0] + taken[i], before[1] + taken[i + 1]) for i in range(0, len(taken), 2)]

        match letter.upper():
            case "Z":
                yield CLOSE, start
                x, y = start
            case "H":
                x = before[0] + float(words.pop(0))
                yield LINE, (x, y)
            case "V":
                y = before[1] + float(words.pop(0))
                yield LINE, (x, y)
            case "C":
                *pulls, (x, y) = take(3)
                yield from ((CURVE, point) for point in [*pulls, (x, y)])
            case "A":
                _, high, _, _, sweep = (float(words.pop(0)) for _ in range(5))
                ((to, y_to),) = take(1)
                bow = high * 4 / 3 * (1 if (to > x) != bool(sweep) else -1)  # half an ellipse as one curve
                yield from ((CURVE, point) for point in [(x, y + bow), (to, y_to + bow), (to, y_to)])
                x, y = to, y_to
            case step:
                ((x, y),) = take(1)
                yield MOVE if step == "M" else LINE, (x, y)
                if step == "M":
                    start, letter = (x, y), "l" if letter == "m" else "L"
