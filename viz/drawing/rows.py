"""Splits a picture wider than a page into rows, like text: cut where few arrows pass, which continue in the next row.

A cut crosses no box, label or frame. An arrow that is cut turns down at the end of its row, runs back between the rows
and enters the next row at the left, at the same height; arrows that are cut together never cross.
Imports layout, page. Read paint.py next.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from .layout import MARGIN, Arrow, Frame, Geometry, Plan, Point, halves
from .page import PAGE, SHRINKS, TALL, too_wide

PASS = 4  # arrows that may continue in the next row; more would be hard to follow
GAP, WHERE = 12, 0.35  # pixels of width for a cut, and its position in them: left of the arrows' heads
SPACE, TURN = 18, 8  # pixels between parallel arrows, and the radius of their corners
LABEL = 13  # pixels of a label above and below its middle

Bounds = tuple[float, float]  # the uppermost and the lowest pixel


@dataclass(frozen=True)
class Cut:
    """A place to cut: its x, and the arrows that pass there, each with its height at that x, from the top."""

    x: float
    passing: tuple[tuple[int, float], ...]


def in_rows(geometry: Geometry, plan: Plan) -> Geometry:
    """`geometry`, the layout of `plan` from left to right, split into rows if it is too wide for a page. It chooses the
    rows that must shrink least to be seen whole. If no cuts make it fit, it stays as it is."""
    if not too_wide(geometry.size):
        return geometry
    cutter = Cutter(geometry, plan)
    ways = {cutter.rows(width) for width in range(PAGE // 4, round(SHRINKS * PAGE), 40)} - {()}
    sizes = {way: size for way in ways if not too_wide(size := cutter.size(way))}
    if not sizes:
        return geometry
    seen = {way: min(1, PAGE / width, TALL / height) for way, (width, height) in sizes.items()}
    best = max(seen, key=lambda way: (seen[way], -len(way)))
    return cutter.cut(best)


class Cutter:
    """Finds the places to cut, and cuts. A `way` to cut is a tuple of the numbers of cuts, from the left."""

    def __init__(self, geometry: Geometry, plan: Plan):
        self.geometry, self.plan = geometry, plan

    @cached_property
    def things(self) -> list[tuple[float, float, float, float]]:
        """What a cut must not cross: left, right, top, bottom."""
        found = []
        for id_, (x, y) in self.geometry.centres.items():
            width, height = self.plan.sizes[id_]
            found.append((x - width / 2, x + width / 2, y - height / 2, y + height / 2 + self.plan.below.get(id_, 0)))
        for (_, _, label), arrow in zip(self.plan.edges, self.geometry.arrows, strict=True):
            if label and arrow.label:
                x, y = arrow.label
                found.append((x - label[0] / 2, x + label[0] / 2, y - LABEL, y + LABEL))
        for frame in self.geometry.frames:
            (x, y), (width, height) = frame.corner, frame.size
            found.append((x, x + width, y, y + height))
        return sorted(found)

    @cached_property
    def cuts(self) -> list[Cut]:
        """All places to cut, from the left."""
        found, end = [], 0.0
        reach = [sorted((arrow.points[0][0], arrow.tip[0])) for arrow in self.geometry.arrows]
        waiting = sorted(range(len(reach)), key=reach.__getitem__, reverse=True)
        begins, ends = (sorted(side) for side in zip(*reach, strict=True))
        here: list[int] = []  # arrows that have begun; some may have ended
        for left, right, _, _ in self.things:
            x = end + WHERE * (left - end)
            if end and left - end >= GAP and bisect(begins, x) - bisect(ends, x) <= PASS:
                while waiting and reach[waiting[-1]][0] < x:
                    here.append(waiting.pop())
                here = [i for i in here if reach[i][1] > x]
                if cut := self.passing(x, here):
                    found.append(cut)
            end = max(end, right)
        return found

    def passing(self, x: float, arrows: Sequence[int]) -> Cut | None:
        """The cut at x; None if one of the arrows passes x twice, backwards, or with its head."""
        found = []
        for i in arrows:
            arrow = self.geometry.arrows[i]
            xs = [px for px, _ in (*arrow.points[::3], arrow.tip)]
            over = [n for n, (a, b) in enumerate(pairwise(xs)) if (a < x) != (b < x)]
            if len(over) > 1 or xs[0] > x or over[0] == len(xs) - 2:
                return None
            found.append((piece_cut(arrow.points[3 * over[0] : 3 * over[0] + 4], x)[0][-1][1], i))
        found.sort()
        heights: list[float] = []
        for y, _ in found:
            heights.append(max(y, heights[-1] + SPACE) if heights else y)
        return Cut(x, tuple((i, y) for y, (_, i) in zip(heights, found, strict=True)))

    @cached_property
    def bounds(self) -> list[Bounds]:
        """The top and bottom of each strip between two neighbouring cuts."""
        xs = [cut.x for cut in self.cuts]
        reach: list[list[float]] = [[] for _ in range(len(xs) + 1)]
        for left, right, top, bottom in self.things:
            reach[bisect(xs, (left + right) / 2)] += (top, bottom)
        for arrow in self.geometry.arrows:
            for x, y in arrow.course(4):
                reach[bisect(xs, x)].append(y)
        for n, cut in enumerate(self.cuts):
            for _, y in cut.passing:
                reach[n].append(y)
                reach[n + 1].append(y)
        return [(min(ys), max(ys)) for ys in reach]

    def rows(self, most: float) -> tuple[int, ...]:
        """The cuts that make rows as long as possible, but not longer than `most`; () if that is impossible."""
        way: list[int] = []
        begin, xs = 0.0, [*(cut.x for cut in self.cuts), self.geometry.size[0]]
        for n, (here, following) in enumerate(pairwise(xs)):
            if following - begin > most:
                way.append(n)
                begin = here
                if following - begin > most:
                    return ()
        return tuple(way)

    def strips(self, way: Sequence[int]) -> list[tuple[float, float, float, float]]:
        """The part of the whole picture that is in each row: left, right, top, bottom."""
        ends = [0.0, *(self.cuts[n].x for n in way), self.geometry.size[0]]
        firsts = [0, *(n + 1 for n in way), len(self.bounds)]
        highs = [self.bounds[a:b] for a, b in pairwise(firsts)]
        return [
            (left, right, min(top for top, _ in high), max(bottom for _, bottom in high))
            for (left, right), high in zip(pairwise(ends), highs, strict=True)
        ]

    def aside(self, way: Sequence[int]) -> float:
        """Pixels beside the rows, for arrows that turn."""
        return MARGIN + TURN + SPACE * max(len(self.cuts[n].passing) for n in way)

    def size(self, way: Sequence[int]) -> tuple[float, float]:
        """The size of the whole picture, in rows."""
        strips = self.strips(way)
        between = sum(SPACE * (len(self.cuts[n].passing) + 1) for n in way)
        height = sum(bottom - top for _, _, top, bottom in strips) + between + 2 * MARGIN
        return max(right - left for left, right, _, _ in strips) + 2 * self.aside(way), height

    def cut(self, way: Sequence[int]) -> Geometry:
        """The picture in rows."""
        aside, strips = self.aside(way), self.strips(way)
        xs = [self.cuts[n].x for n in way]
        moves: list[Point] = []  # how far each row moves
        at = float(MARGIN)
        for (left, _, top, bottom), n in zip(strips, [*way, None], strict=True):
            moves.append((aside - left, at - top))
            at += bottom - top + (0 if n is None else SPACE * (len(self.cuts[n].passing) + 1))

        def moved(point: Point, row: int | None = None) -> Point:
            dx, dy = moves[bisect(xs, point[0]) if row is None else row]
            return point[0] + dx, point[1] + dy

        lanes = [{arrow: (q, y) for q, (arrow, y) in enumerate(self.cuts[n].passing)} for n in way]

        def led(number: int, arrow: Arrow) -> Arrow:
            """The arrow, continued from row to row."""
            done: list[Point] = []
            rest, row = list(arrow.points), bisect(xs, arrow.points[0][0])
            last = bisect(xs, arrow.tip[0])
            for here in range(row, last):
                q, y = lanes[here][number]
                head, rest = course_cut(rest, xs[here], y)
                done += [moved(point, here) for point in head[bool(done) :]]
                lane = len(lanes[here]) - 1 - q  # the uppermost arrow turns last, on the outside
                (x0, y0), (x1, y1) = moved((xs[here], y), here), moved((xs[here], y), here + 1)
                right, left = x0 + TURN + lane * SPACE, x1 - TURN - q * SPACE
                floor = moved((0, strips[here][3]), here)[1] + SPACE * (lane + 1)
                done += [*turns([(x0, y0), (right, y0), (right, floor), (left, floor), (left, y1), (x1, y1)])]
            done += [moved(point, last) for point in rest[bool(done) :]]
            label = moved(arrow.label) if arrow.label else None
            return replace(arrow, points=tuple(done), tip=moved(arrow.tip, last), label=label, turns=last > row)

        return replace(
            self.geometry,
            size=self.size(way),
            centres={id_: moved(centre) for id_, centre in self.geometry.centres.items()},
            arrows=tuple(led(i, arrow) for i, arrow in enumerate(self.geometry.arrows)),
            frames=tuple(Frame(moved(frame.corner), frame.size, moved(frame.label)) for frame in self.geometry.frames),
        )


def piece_cut(piece: Sequence[Point], x: float) -> tuple[list[Point], list[Point]]:
    """The parts of a Bézier piece before and after x."""
    low, high = 0.0, 1.0
    for _ in range(16):
        t = (low + high) / 2
        before, after = halves(piece, t)
        low, high = (t, high) if before[-1][0] < x else (low, t)
    return before, after


def course_cut(points: Sequence[Point], x: float, y: float) -> tuple[list[Point], list[Point]]:
    """The parts of a curve before and after x, which it passes horizontally at the height y."""
    n = next(i for i in range(0, len(points) - 1, 3) if points[i + 3][0] >= x)
    (a, b, _, _), (_, _, c, d) = piece_cut(points[n : n + 4], x)
    before = [a, b, (x - (x - a[0]) / 3, y), (x, y)]
    return [*points[:n], *before], [(x, y), (x + (d[0] - x) / 3, y), c, d, *points[n + 4 :]]


def turns(corners: Sequence[Point]) -> Iterator[Point]:
    """A path along the corners, made round, as Bézier pieces without the first point."""
    at = corners[0]
    for corner, following in zip(corners[1:], [*corners[2:], None], strict=True):
        end = corner if following is None else toward(corner, at, TURN)
        yield from (toward(at, end, share=1 / 3), toward(at, end, share=2 / 3), end)
        at = end
        if following is not None:
            at = toward(corner, following, TURN)
            yield from (toward(end, corner, share=0.55), toward(at, corner, share=0.55), at)


def toward(point: Point, other: Point, pixels: float = 0, *, share: float | None = None) -> Point:
    """The point `pixels` from `point` towards `other`, at most half way; or the point at that `share` of the way."""
    dx, dy = other[0] - point[0], other[1] - point[1]
    if share is None:
        share = min(0.5, pixels / ((dx * dx + dy * dy) ** 0.5 or 1))
    return point[0] + share * dx, point[1] + share * dy
