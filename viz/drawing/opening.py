"""Opening and closing boxes with clicks: computes which pictures can be reached from the first one, and how.

Each of these `views` is the picture of `viz.draw(…, unfold=…)`, laid out in advance, so a page needs no kernel, and a
click shows nothing that the argument would not show. There may be too many sets of open boxes to lay out. Those with
one open box, and the boxes around it, come first; others follow as time permits. If a click would lead to a view that
was not laid out, boxes elsewhere are closed.

Imports ../graph/fold.py, limits. Read viewer.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter

from ..graph.fold import folded_but, is_called
from ..graph.model import Graph
from .limits import seconds

TIME = 1.0  # seconds for all views together, about
A_VIEW, A_PAIR = 0.01, 3e-8  # seconds for any view, and for each pair of nodes compared for it
LARGE = 400  # nodes; folding such a graph once takes some hundredths of a second
MOST = 64  # views; each adds some kilobytes to a page
Opened = frozenset[str]


@dataclass(frozen=True)
class View:
    """The picture when the boxes in `opened` are open. For the name of each box that can be opened or closed, `moves`
    has the number of the view that follows."""

    opened: tuple[str, ...]  # outer boxes first
    graph: Graph
    moves: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Opening:
    """A `whole` graph, and the boxes that are `opened` at first: names as for `unfold=`, or None for all.

    turns: repeated pieces are boxes, too, not only modules. look: a function applied to a graph before it is drawn.
    """

    whole: Graph
    opened: Collection[str] | None = ()
    turns: bool = True
    look: Callable[[Graph], Graph] = lambda graph: graph

    @cached_property
    def views(self) -> list[View]:
        """All views, the first one first; only that one if folding alone would take the whole time."""
        if A_PAIR * len(self.whole.nodes) ** 2 > TIME:
            return [View((), self.whole)]
        return Walk(self).views()


def views_among(views: list[View], count: int) -> list[View]:
    """The first `count` views; a click that would lead to another one does nothing."""
    return [
        replace(view, moves={name: number for name, number in view.moves.items() if number < count})
        for view in views[:count]
    ]


class Walk:
    """Finds the views."""

    def __init__(self, opening: Opening):
        self.opening = opening
        self.left = TIME
        self.ends = perf_counter() + TIME / 2
        self.seen: dict[Opened, Graph] = {}
        # For a requested set of open boxes, the boxes that are then open: a repetition no longer exists once something
        # in it is opened. None: it would take too long.
        self.found: dict[Opened, Opened | None] = {}
        # For each box, the boxes that must be open to see it, and the box itself
        self.paths: dict[str, tuple[str, ...]] = {}

    def views(self) -> list[View]:
        self.visit(frozenset(), always=True)
        todo: list[tuple[str, ...]] = [()]
        for path in todo:  # the list grows during the loop: breadth first
            for name in self.closed_boxes(self.found.get(frozenset(path))):
                if name not in self.paths:
                    self.paths[name] = (*path, name)
                    self.visit(frozenset(self.paths[name]))
                    todo.append(self.paths[name])
        asked = self.opening.opened
        wanted = [name for name in self.paths if asked is None or any(is_called(name, each) for each in asked)]
        first = self.visit(frozenset(each for name in wanted for each in self.paths[name]), always=True)
        assert first is not None
        several = [first]
        for opened in several:
            for name in [*self.closed_boxes(opened), *sorted(opened)]:
                self.paths.setdefault(name, (*self.outside_first(opened), name))  # visible only if several are open
                way = self.without(opened, name) if name in opened else opened | {name}
                there = self.visit(way)
                if there is not None and there not in several:
                    several.append(there)
        order = [first, *(opened for opened in self.seen if opened != first)]
        number = {opened: i for i, opened in enumerate(order)}
        return [self.view(opened, number) for opened in order]

    def visit(self, opened: Opened, *, always: bool = False) -> Opened | None:
        """Lay out this view if there is time; returns the boxes that are then open."""
        if opened not in self.found or always and self.found[opened] is None:
            whole = self.opening.whole
            if not always and len(whole.nodes) > LARGE and perf_counter() > self.ends:
                return None  # to fold a large graph takes time, too
            graph, names = folded_but(whole, opened, turns=self.opening.turns)
            there = opened.intersection(names)
            cost = 0.0 if there in self.seen else A_VIEW + A_PAIR * len(whole.nodes) ** 2 + seconds(graph)
            if always or cost <= self.left and len(self.seen) < MOST:
                self.left -= cost
                self.seen.setdefault(there, graph)
                self.found[there] = there
            self.found[opened] = there if there in self.seen else None
        return self.found[opened]

    def closed_boxes(self, opened: Opened | None) -> list[str]:
        graph = None if opened is None else self.seen[opened]
        return [] if graph is None else list(dict.fromkeys(n.name for n in graph.nodes if n.kind == "folded"))

    def without(self, opened: Opened, name: str) -> Opened:
        """The boxes that stay open when the box `name`, with all boxes inside it, is closed."""
        return frozenset(each for each in opened if name not in self.paths[each])

    def outside_first(self, opened: Opened) -> tuple[str, ...]:
        return tuple(sorted(opened, key=lambda name: (len(self.paths[name]), name)))

    def view(self, opened: Opened, number: dict[Opened, int]) -> View:
        moves = {}
        for name in [*self.closed_boxes(opened), *opened]:
            if name in opened:
                ways = [self.without(opened, name), frozenset(self.paths[name][:-1])]
            else:
                ways = [opened | {name}, frozenset(self.paths.get(name, (name,)))]
            there = [found for way in ways if (found := self.found.get(way)) is not None]
            if there:
                moves[name] = number[there[0]]
        return View(self.outside_first(opened), self.opening.look(self.seen[opened]), moves)
