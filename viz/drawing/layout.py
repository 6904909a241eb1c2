"""Computes positions: Graphviz lays out the graph, with sizes that we provide.

Graphviz gets boxes of a given size and no text, and only its geometry is used. So a layout depends neither on the
machine's fonts nor on the language of the labels, and with the pinned engine (graphviz-pure, from pip) the same graph
has the same layout everywhere.

Imports engine, limits. Read paint.py next.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Any

from .engine import laid_out
from .limits import seconds_for

Point = tuple[float, float]
Size = tuple[float, float]

# For many nodes, a tenth of the time is worth more than curves and the fewest crossings
MANY, HURRY = 100, " splines=line nslimit=1 nslimit1=1 mclimit=0.1"
RANKS_APART, NODES_APART, MARGIN = 21, 24, 4  # pixels
PATIENCE, SLOWER = 30.0, 100.0  # seconds until an engine counts as hung, and how many times slower than usual it may be
ROUNDED = 2.0  # pixels by which an engine that answers in whole pixels may change the size of a node
SEEN, FAR = 1.2, 3.0  # pixels: a gap between an arrow and its box that can be seen, and one that has another reason
HEAD = 8  # pixels that Graphviz leaves before the tip of an arrow
ABOVE, BESIDE = 15, 8  # pixels between the end of an arrow and the lowest point of a circle, or the side of its drawer


@dataclass(frozen=True)
class Arrow:
    """A curve: its start, then three points for each Bézier piece; and the tip of its head."""

    points: tuple[Point, ...]
    tip: Point
    label: Point | None = None  # the middle of its label
    turns: bool = False  # it continues in the next row

    def course(self, steps: int = 12) -> Iterator[Point]:
        """Points along the curve: `steps` on each piece, and its end."""
        start, *rest = self.points
        for i in range(0, len(rest), 3):
            (x0, y0), (x1, y1), (x2, y2), (x3, y3) = start, *rest[i : i + 3]
            for a, b, c, d in shares(steps):
                yield a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3
            start = x3, y3
        yield start


@dataclass(frozen=True)
class Frame:
    """The rectangle of a cluster, and the middle of its label."""

    corner: Point
    size: Size
    label: Point


@dataclass(frozen=True)
class Geometry:
    """Everything in pixels, x to the right and y downwards. `origin` is the upper left corner of the picture; its paper
    extends `beyond` the picture by so many pixels, for a viewer that shows it in another shape."""

    size: Size
    centres: Mapping[str, Point]
    arrows: tuple[Arrow, ...]
    frames: tuple[Frame, ...] = ()
    origin: Point = (0, 0)
    beyond: float = 0

    def with_margin(self, pixels: float) -> Geometry:
        """The same with a wider margin, for marks around the nodes at the edge."""
        (x, y), (width, height) = self.origin, self.size
        return replace(self, origin=(x - pixels, y - pixels), size=(width + 2 * pixels, height + 2 * pixels))

    def on_paper(self, shape: float) -> Geometry:
        """The same in the middle of paper that is `shape` times as wide as it is high."""
        (x, y), (width, height) = self.origin, self.size
        wide, high = max(width, height * shape), max(height, width / shape)
        return replace(self, origin=(x - (wide - width) / 2, y - (high - height) / 2), size=(wide, high), beyond=20)


@dataclass(frozen=True)
class Plan:
    """What is to be laid out: nodes of `sizes` (pixels), of which `round_ones` are circles; time runs from left to
    right, or `down`.

    edges: (source, target, size of its label or None). The arrows of the result have the same order.
    clusters: (nodes directly inside, index of the cluster around it or None, size of its label), parents first.
    backwards: the numbers of the edges that lead against the reading direction.
    below: pixels to keep free below nodes, by id. drawers: the widths of drawers there, by id.
    """

    sizes: Mapping[str, Size]
    round_ones: set[str]
    edges: Sequence[tuple[str, str, Size | None]]
    clusters: Sequence[tuple[Sequence[str], int | None, Size]] = ()
    backwards: Container[int] = ()
    below: Mapping[str, float] = field(default_factory=dict)
    drawers: Mapping[str, float] = field(default_factory=dict)
    down: bool = False

    @property
    def source(self) -> str:
        """The plan in Graphviz's language."""
        # Graphviz centres nodes, so space below a node needs the same space above it
        roomy = {id_: (width, height + 2 * self.below.get(id_, 0)) for id_, (width, height) in self.sizes.items()}
        return dot_source(roomy, self.round_ones, self.edges, self.clusters, self.backwards, down=self.down)

    @property
    def seconds(self) -> float:
        """About how many seconds an engine needs for it."""
        return seconds_for(list(self.sizes), [(source, target) for source, target, _ in self.edges])

    def laid(self) -> Geometry:
        """The geometry. Raises NoGraphviz if nothing here can lay out a graph."""
        return lay_out([self])[0]

    def read(self, laid: Mapping[str, Any]) -> Geometry:
        """The geometry from Graphviz's answer. Raises ValueError or LookupError if that is no layout of this plan."""
        left, bottom, right, top = map(float, laid["bb"].split(","))

        def place(x: float, y: float) -> Point:
            return x - left + MARGIN, top - y + MARGIN

        objects = {thing["name"]: thing for thing in laid.get("objects", ())}
        for name, (width, height) in self.sizes.items():
            wanted = width, height + 2 * self.below.get(name, 0)
            found = [72 * float(objects[name][side]) for side in ("width", "height")]
            if math.dist(found, wanted) > ROUNDED:
                raise ValueError(f"{name} is {found} pixels large, and not {wanted}")
        centres = {name: place(*numbers(objects[name]["pos"])) for name in self.sizes}
        frames = []
        for i in range(len(self.clusters)):
            frame = objects[f"cluster_{i}"]
            x0, y0, x1, y1 = map(float, frame["bb"].split(","))
            frames.append(Frame(place(x0, y1), (x1 - x0, y1 - y0), place(*numbers(frame["lp"]))))
        edges = {int(edge["id"]): edge for edge in laid.get("edges", ())}
        arrows = []
        for i, (origin, target, _) in enumerate(self.edges):
            tip, *points = edges[i]["pos"].split()
            if tip.startswith("s,"):  # an arrow against the reading direction may be listed from its tip
                points.reverse()
            tip = tip[2:]
            label = edges[i].get("lp")
            arrow = Arrow(
                tuple(place(*numbers(p)) for p in points),
                place(*numbers(tip)),
                place(*numbers(label)) if label else None,
            )
            start, tip = arrow.points[0], arrow.tip
            if origin not in self.round_ones:
                start = onto(start, centres[origin], self.sizes[origin])
            if target not in self.round_ones:
                tip = onto(tip, centres[target], self.sizes[target])
            arrow = replace(arrow, points=(start, *arrow.points[1:]), tip=tip)
            if target in self.round_ones and target in self.below:
                arrow = lengthened(arrow, centres[target], self.sizes[target][0] / 2, self.drawers.get(target, 0))
            elif target in self.below and self.down:
                (x, _), (_, y) = arrow.tip, centres[target]
                arrow = straight_on(arrow, (x, y - self.sizes[target][1] / 2), (0, -1))
            arrows.append(arrow)
        return Geometry((right - left + 2 * MARGIN, top - bottom + 2 * MARGIN), centres, tuple(arrows), tuple(frames))


def lay_out(plans: Sequence[Plan]) -> list[Geometry]:
    """A geometry for each plan. Graphviz is started once for all, since a start takes as long as 20 nodes."""
    if not plans:
        return []
    source = "\n".join(plan.source for plan in plans)
    return laid_out(source, PATIENCE + SLOWER * sum(plan.seconds for plan in plans), lambda graphs: read(plans, graphs))


def read(plans: Sequence[Plan], graphs: Sequence[Any]) -> list[Geometry]:
    """The geometries from an engine's answer. Raises ValueError or LookupError if that is no layout of these plans."""
    return [plan.read(graph) for plan, graph in zip(plans, graphs, strict=True)]


def onto(point: Point, middle: Point, size: Size) -> Point:
    """A point slightly beside the edge of a box, moved to that edge; any other point unchanged.

    Graphviz moves the boxes of a column by up to two pixels, and not always their arrows with them.

    >>> box = (150, 20), (100, 40)
    >>> onto((98.3, 20), *box), onto((99, 20), *box), onto((150, 42), *box)
    ((100.0, 20), (99, 20), (150, 40.0))
    """
    (x, y), apart = point, [abs(a - b) - side / 2 for a, b, side in zip(point, middle, size, strict=True)]
    if SEEN < abs(apart[0]) < FAR and apart[1] < -FAR:
        x = middle[0] + math.copysign(size[0] / 2, x - middle[0])
    elif SEEN < abs(apart[1]) < FAR and apart[0] < -FAR:
        y = middle[1] + math.copysign(size[1] / 2, y - middle[1])
    return x, y


def lengthened(arrow: Arrow, centre: Point, radius: float, drawer: float) -> Arrow:
    """The arrow, which ends at the ellipse around a circle and its drawer, extended to the circle itself.

    An arrow from far below bends to the side of the circle, because the drawer, `drawer` wide, would hide its head.
    """
    away = math.dist(arrow.tip, centre)
    across, down = (arrow.tip[0] - centre[0]) / away, (arrow.tip[1] - centre[1]) / away
    half = min((drawer / 2 + BESIDE) / radius, 1)
    lowest = max(math.sqrt(1 - half**2), 1 - ABOVE / radius)
    if down <= lowest:
        return straight_on(arrow, (centre[0] + radius * across, centre[1] + radius * down), (across, down))
    across, down = math.copysign(math.sqrt(1 - lowest**2), across), lowest
    tip = centre[0] + radius * across, centre[1] + radius * down
    foot = tip[0] + HEAD * across, tip[1] + HEAD * down
    *course, begin, early, _, _ = arrow.points
    bend = math.dist(begin, foot) / 3
    return replace(
        arrow, points=(*course, begin, early, (foot[0] + bend * across, foot[1] + bend * down), foot), tip=tip
    )


def straight_on(arrow: Arrow, tip: Point, away: Point) -> Arrow:
    """The arrow, extended to another tip; its head points against the direction `away`."""
    foot, old = (tip[0] + HEAD * away[0], tip[1] + HEAD * away[1]), arrow.points[-1]
    third = (foot[0] - old[0]) / 3, (foot[1] - old[1]) / 3
    piece = [(old[0] + n * third[0], old[1] + n * third[1]) for n in (1, 2)]
    return replace(arrow, points=(*arrow.points, *piece, foot), tip=tip)


@cache
def shares(steps: int) -> list[tuple[float, float, float, float]]:
    """How much of each of its four points there is in a Bézier piece, at so many places along it."""
    return [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (i / steps for i in range(steps))]


def halves(piece: Sequence[Point], t: float) -> tuple[list[Point], list[Point]]:
    """The parts of a Bézier piece before and after t (de Casteljau)."""
    before, after, points = [piece[0]], [piece[-1]], list(piece)
    while len(points) > 1:
        points = [(ax + t * (bx - ax), ay + t * (by - ay)) for (ax, ay), (bx, by) in pairwise(points)]
        before.append(points[0])
        after.append(points[-1])
    return before, after[::-1]


def numbers(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def dot_source(
    sizes: Mapping[str, Size],
    round_ones: set[str],
    edges: Sequence[tuple[str, str, Size | None]],
    clusters: Sequence[tuple[Sequence[str], int | None, Size]] = (),
    backwards: Container[int] = (),
    *,
    down: bool = False,
) -> str:
    """The graph in Graphviz's language. It contains only our own ids and numbers, never a reader's text."""
    hurry = HURRY if len(sizes) > MANY else ""
    lines = [
        f"digraph {{ graph [rankdir={'TB' if down else 'LR'} ranksep={RANKS_APART / 72:.4f} "
        f"nodesep={NODES_APART / 72:.4f}{hurry}]",
        f'node [shape=box fixedsize=true label=""] edge [arrowsize=0.8 tailport={"s" if down else "e"}]',
    ]
    for name, (width, height) in sizes.items():
        shape = " shape=ellipse" if name in round_ones else ""
        lines.append(f"{name} [width={width / 72:.4f} height={height / 72:.4f}{shape}]")
    for i, (source, target, label) in enumerate(edges):
        head = "" if target in round_ones else f" headport={'n' if down else 'w'}"
        if i in backwards:
            head = " tailport=n headport=n constraint=false"
        lines.append(f"{source} -> {target} [id={i}{head}{' ' + room(label) if label else ''}]")
    return "\n".join([*lines, *subgraphs(clusters, None), "}"])


def subgraphs(clusters: Sequence[tuple[Sequence[str], int | None, Size]], around: int | None) -> Iterator[str]:
    """The clusters directly inside the one numbered `around` (None: the outermost ones), with their contents."""
    for i, (nodes, parent, label) in enumerate(clusters):
        if parent == around:
            yield f"subgraph cluster_{i} {{ graph [margin=10 labeljust=l {room(label)}]"
            yield from nodes
            yield from subgraphs(clusters, i)
            yield "}"


def room(label: Size) -> str:
    """An attribute that keeps space free for a label of this size; we draw the label ourselves."""
    table = f'<TABLE BORDER="0" FIXEDSIZE="TRUE" WIDTH="{label[0]:.0f}" HEIGHT="{label[1]:.0f}">'
    return f"label=<{table}<TR><TD></TD></TR></TABLE>>"
