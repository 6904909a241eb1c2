"""Opening and closing boxes with clicks: computes which pictures can be reached from the first one, and how.

Each of these `views` is the picture of `viz.draw(…, unfold=…)`, so a click shows nothing that the argument would not
show. There may be too many sets of open boxes to lay out. Those with one open box, and the boxes around it, come first;
others follow as time permits. If a click would lead to a view that was not laid out, boxes elsewhere are closed.

A page needs all views in advance, so that it needs no kernel. In a notebook with a kernel, the first picture does not
wait for them: it comes with the few views that take no longer than `SOON`, and later.py brings the others.

Imports ../graph/fold.py, limits. Read viewer.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TypeVar

from ..graph.fold import folded_but, is_called
from ..graph.model import Graph
from .limits import seconds

TIME, SOON = 1.0, 0.1  # seconds for all views together, and for those that come with the first picture; about
A_VIEW, A_PAIR = 0.015, 3e-8  # seconds for any view, and for each pair of nodes compared for it
LARGE = 400  # nodes; folding such a graph once takes some hundredths of a second
MOST = 64  # views; each adds some kilobytes to a page
Opened = frozenset[str]
Result = TypeVar("Result")


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
        return at_once(self.steps())

    def steps(self) -> Generator[None, None, list[View]]:
        """The same, step by step."""
        if self.too_large:
            return [View((), self.whole)]
        return (yield from Walk(self, TIME).steps())

    @cached_property
    def soon(self) -> tuple[list[View], bool]:
        """The views that come with the first picture, and whether these are all."""
        if self.too_large:
            return self.views, True
        walk = Walk(self, SOON)
        return at_once(walk.steps()), walk.complete

    @property
    def can_move(self) -> bool:
        """Is there a box that opens or closes?"""
        if "views" in self.__dict__:
            return len(self.views) > 1
        views, complete = self.soon
        return len(views) > 1 or not complete

    @property
    def too_large(self) -> bool:
        return A_PAIR * len(self.whole.nodes) ** 2 > TIME


def at_once(steps: Generator[None, None, Result]) -> Result:
    """The result of a generator, without a break between its steps."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def views_among(views: list[View], count: int) -> list[View]:
    """The first `count` views; a click that would lead to another one does nothing."""
    return [
        replace(view, moves={name: number for name, number in view.moves.items() if number < count})
        for view in views[:count]
    ]


class Walk:
    """Finds the views that take no longer than `time` seconds. complete: are these all?"""

    def __init__(self, opening: Opening, time: float):
        self.opening, self.complete = opening, True
        self.left = time
        self.folding = time / 2  # seconds left for folding a large graph, which takes time, too
        self.seen: dict[Opened, Graph] = {}
        # For a requested set of open boxes, the boxes that are then open: a repetition no longer exists once something
        # in it is opened. None: it would take too long.
        self.found: dict[Opened, Opened | None] = {}
        # For each box, the boxes that must be open to see it, and the box itself
        self.paths: dict[str, tuple[str, ...]] = {}

    def steps(self) -> Generator[None, None, list[View]]:
        """The views, the first one first; each step folds the graph once."""
        self.visit(frozenset(), always=True)
        todo: list[tuple[str, ...]] = [()]
        for path in todo:  # the list grows during the loop: breadth first
            for name in self.closed_boxes(self.found.get(frozenset(path))):
                if name not in self.paths:
                    self.paths[name] = (*path, name)
                    self.visit(frozenset(self.paths[name]))
                    todo.append(self.paths[name])
                    yield
        at_first = self.opened_first()
        first = self.visit(frozenset(at_first), always=True)
        assert first is not None
        self.paths = at_first | self.paths
        several = [first]
        for opened in several:
            for name in [*self.closed_boxes(opened), *sorted(opened)]:
                self.paths.setdefault(name, (*self.outside_first(opened), name))  # visible only if several are open
                way = self.without(opened, name) if name in opened else opened | {name}
                there = self.visit(way)
                yield
                if there is not None and there not in several:
                    several.append(there)
        order = [first, *(opened for opened in self.seen if opened != first)]
        number = {opened: i for i, opened in enumerate(order)}
        return [self.view(opened, number) for opened in order]

    def opened_first(self) -> dict[str, tuple[str, ...]]:
        """The boxes that are open in the first view; for each, the boxes around it, and the box itself."""
        whole, asked = self.opening.whole, self.opening.opened
        around: list[tuple[str, ...]] = []
        for cluster in whole.clusters:  # parents come before children
            around.append((*(() if cluster.parent is None else around[cluster.parent]), cluster.label))
        wanted = [path for path in around if asked is None or any(is_called(path[-1], each) for each in asked)]
        found = {name: path[: i + 1] for path in wanted for i, name in enumerate(path) if self.is_box(name)}
        names = folded_but(whole, found, turns=self.opening.turns)[1] if asked and self.opening.turns else []
        pieces = [name for name in names if any(is_called(name, each) for each in asked or ())]
        return {name: (name,) for name in pieces} | found

    def is_box(self, name: str) -> bool:
        """Is this module a box when it is closed? A single operator is none, nor a module that would make a cycle. If
        there was no time to find all boxes, it may be one."""
        return name in self.paths or not self.complete

    def visit(self, opened: Opened, *, always: bool = False) -> Opened | None:
        """Keep this view if there is time to lay it out; returns the boxes that are then open."""
        if opened not in self.found or always and self.found[opened] is None:
            whole = self.opening.whole
            late = len(whole.nodes) > LARGE and self.folding < 0
            if not always and (late or self.left < A_VIEW):
                self.complete = False
                return None
            began = perf_counter()
            graph, names = folded_but(whole, opened, turns=self.opening.turns)
            self.folding -= perf_counter() - began
            there = opened.intersection(names)
            cost = 0.0 if there in self.seen else A_VIEW + A_PAIR * len(whole.nodes) ** 2 + seconds(graph)
            if always or cost <= self.left and len(self.seen) < MOST:
                self.left -= cost
                self.seen.setdefault(there, graph)
                self.found[there] = there
            self.found[opened] = there if there in self.seen else None
            self.complete = self.complete and there in self.seen
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
