"""Draws the arrows between nodes: values forward, gradients backward, and marks where neither passes.

A picture has the same layout for both directions: a backward arrow follows the same curve from its tip to its start,
and its hollow head is at the start of the curve. Imports layout, legend, letters, svg. Read paint.py next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist, hypot

from ..graph.model import Edge
from .layout import Arrow, Point, halves
from .legend import LINE, LINES, sign
from .letters import NUMBER, colours, rect, stroke, text
from .svg import Element, element, path

APART = 20  # pixels between the heads of two gradients that reach the same box
HEAD, BAR = 9, 7  # length of an arrow's head, half the length of a bar: ⊣


def label_of(edge: Edge, show: Sequence[str]) -> str:
    """The label of an arrow: the operator that it represents, or the value that travels on it."""
    if edge.operator:
        return sign(edge.operator)
    if "values" in show:
        return edge.value
    return str(edge.shape) if "shapes" in show and edge.shape is not None else ""


BACKWARD = ("gradient", "blocked", "resting")


def draw_arrow(arrow: Arrow, edge: Edge, label: str, *, way: str) -> list[Element]:
    """A line with its head, in the style that the legend has for `way`."""
    line, backward = LINES[way], way in BACKWARD
    start, *rest = arrow.points
    points, tip = list(arrow.points), arrow.tip
    if backward and line.head != "none":
        points, tip = [*cut(start, *rest[:3]), *rest[3:]], start
    steps: list[str | float] = ["M", *points[0], "C", *(c for point in points[1:] for c in point)]
    if backward:
        steps += ["L", *arrow.tip]
    paint = colours("none", line.colour, line.width)
    drawn = [element("path", d=path(*steps), stroke_dasharray=line.dashes, **paint)]
    if line.head != "none":
        drawn.append(head(points[0] if backward else points[-1], tip, line.head, line.colour))
    if edge.kind == "detach" or way == "detach":
        drawn += scissors(middle(points))
    if label and arrow.label:
        x, y = arrow.label
        drawn.append(text(label, x, y + 6, NUMBER, "ink", at="middle", mono=len(label) > 1))
    return drawn


def ends_apart(arrows: Sequence[Arrow], heights: Sequence[float]) -> dict[int, Point]:
    """Where the gradients end of arrows that leave the same place of a box to the right: one below the other along its
    side, in the order of the arrows, so that no head hides another. heights: of the box that each arrow leaves."""
    leaving: dict[tuple[int, int], list[int]] = {}
    for i, arrow in enumerate(arrows):
        if not arrow.turns and arrow.points[1][0] > arrow.points[0][0]:
            leaving.setdefault((round(arrow.points[0][0]), round(arrow.points[0][1])), []).append(i)
    ends = {}
    for together in leaving.values():
        if len(together) < 2:
            continue
        apart = min(APART, (heights[together[0]] - 16) / (len(together) - 1))
        for place, i in enumerate(sorted(together, key=lambda i: arrows[i].tip[1])):
            x, y = arrows[i].points[0]
            ends[i] = x, y + (place - (len(together) - 1) / 2) * apart
    return ends


def moved_to(arrow: Arrow, start: Point) -> Arrow:
    """The same arrow with another start."""
    (x, y), (near_x, near_y), *rest = arrow.points
    return replace(arrow, points=(start, (near_x + start[0] - x, near_y + start[1] - y), *rest))


def head(foot: Point, tip: Point, shape: str, colour: str) -> Element:
    """The end of an arrow: a filled or hollow triangle from `foot` to `tip`, or a bar across the line."""
    along = (tip[0] - foot[0], tip[1] - foot[1])
    if shape == "bar":
        length = hypot(*along) or 1
        across = (-along[1] / length * BAR, along[0] / length * BAR)
        ends = ("M", foot[0] - across[0], foot[1] - across[1], "L", foot[0] + across[0], foot[1] + across[1])
        return stroke(colour, 3, *ends)
    half = 0.45
    left = (foot[0] - half * along[1], foot[1] + half * along[0])
    right = (foot[0] + half * along[1], foot[1] - half * along[0])
    paint = colours(colour) if shape == "filled" else colours("paper", colour, LINE)
    return element("path", d=path("M", *tip, "L", *left, "L", *right, "z"), **paint)


def cut(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    """The Bézier curve without its first `HEAD` pixels, or without its first half if it is short."""
    low, high = 0.0, 0.5
    for _ in range(12):
        t = (low + high) / 2
        if dist(a, halves((a, b, c, d), t)[1][0]) < HEAD:
            low = t
        else:
            high = t
    return halves((a, b, c, d), high)[1]


def middle(points: Sequence[Point]) -> Point:
    """A point half way along a curve, or near it."""
    pieces = (len(points) - 1) // 3
    i = 3 * (pieces // 2)
    return halves(points[i : i + 4], 0.5)[1][0] if pieces % 2 else points[i]


def scissors(at: Point) -> Iterator[Element]:
    """✂ across a line. It is drawn as lines, since a font may have it in fixed colours or not at all."""
    x, y = at
    yield rect(x - 11, y - 11, 22, 22, "paper", rx=11)
    blades = ("M", x - 5, y + 4, "L", x + 5, y - 9, "M", x + 5, y + 4, "L", x - 5, y - 9)
    yield stroke("ink", 2, *blades)
    for side in (-6, 6):
        yield rect(x + side - 3, y + 3, 6, 6, "paper", "ink", 2, rx=3)
