"""Opening and closing boxes by hand: which pictures a reader can come to from the first one, and by what click.

Each of these `views` is what `viz.draw(…, unfold=…)` draws, laid out beforehand; so a page needs no kernel, and a click
shows nothing that the argument would not show. There may be more sets of open boxes than anybody can lay out: those
come first in which one box is open, with what it stands in, and others as long as there is time. Where a click would
lead to a view that is not there, what stands elsewhere is closed.

Imports ../graph/fold.py, limits. Read viewer.py next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property

from ..graph.fold import folded_but, is_called
from ..graph.model import Graph
from .limits import seconds

TIME = 1.0  # seconds that all views together may take, about
A_VIEW, A_PAIR = 0.01, 3e-8  # seconds for a view, whatever it shows, and for each pair of nodes that is compared for it
MOST = 64  # views; each is some kilobytes in a page
Opened = frozenset[str]


@dataclass(frozen=True)
class View:
    """What is seen when the boxes called `opened` are open; `moves` has, for each box that can be opened or closed by
    its name, the number of the view that comes then."""

    opened: tuple[str, ...]  # what is outside first
    graph: Graph
    moves: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Opening:
    """A `whole` graph, and of its boxes those that are `opened` first: names as `unfold=` takes them, or None: all.

    turns: repeated pieces are boxes, too, and not modules alone. look: what is done with a graph before it is drawn.
    """

    whole: Graph
    opened: Collection[str] | None = ()
    turns: bool = True
    look: Callable[[Graph], Graph] = lambda graph: graph

    @cached_property
    def views(self) -> list[View]:
        """All there are, the first one first; that one alone, where folding takes as long as all may."""
        if A_PAIR * len(self.whole.nodes) ** 2 > TIME:
            return [View((), self.whole)]
        return Walk(self).views()


class Walk:
    """Finds the views."""

    def __init__(self, opening: Opening):
        self.opening = opening
        self.left = TIME
        self.seen: dict[Opened, Graph] = {}
        # What somebody may ask for, and what is open then: a repetition that was opened is none any more when something
        # in it is opened, too. None: it would take too long.
        self.found: dict[Opened, Opened | None] = {}
        # Of each box, the boxes that have to be open to see it, and itself
        self.paths: dict[str, tuple[str, ...]] = {}

    def views(self) -> list[View]:
        self.visit(frozenset(), always=True)
        todo: list[tuple[str, ...]] = [()]
        for path in todo:  # grows while it is walked: breadth first
            for name in self.closed_boxes(self.found[frozenset(path)]):
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
                self.paths.setdefault(name, (*self.outside_first(opened), name))  # seen only when several are open
                way = self.without(opened, name) if name in opened else opened | {name}
                there = self.visit(way)
                if there is not None and there not in several:
                    several.append(there)
        order = [first, *(opened for opened in self.seen if opened != first)]
        number = {opened: i for i, opened in enumerate(order)}
        return [self.view(opened, number) for opened in order]

    def visit(self, opened: Opened, *, always: bool = False) -> Opened | None:
        """Go there, if there is time for it; gives what is open then."""
        if opened not in self.found or always and self.found[opened] is None:
            whole = self.opening.whole
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
        """What is open when the box of that name, and so all inside it, is closed."""
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
