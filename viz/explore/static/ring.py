"""`viz.explore.ring(graph, "y")`: put a ring on the operation to fetch, mark what will run or must be fed, then run.

A session computes only what the fetched tensor needs. A reader who believes that building is running, or that
everything runs, marks too much, and the panel says so. Positions stay while marks change.

Imports panel, and static of graph/. Read next: passes.py.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ...alive import only
from ...drawing.legend import NAMED, SHOWN
from ...drawing.picture import Picture
from ...graph.model import Mark, Node
from ...graph.static import before, marked, reader_of
from ...locale import language, room
from ..panel import Panel, button

ROOM = 14  # pixels around the graph, for rings and their words
SHOW = (*SHOWN, NAMED)
KINDS = ("operator", "placeholder", "variable")

tr = room("explore")
WORDS = tr.table(
    {
        "fetch": "Fetch",
        "mark": "To give {fetch}, which others have to run, and which placeholders must be fed? Mark them:",
        "run": "Run",
        "ask": "Fetch {fetch}: mark what else will run, then press Run.",
        "right": "✓ Exactly so. To give {fetch}, the session needs {needed}.",
        "wrong": "✗ Not quite. {why}To give {fetch}, the session needs {needed}.",
        "reads": " It reads {read}.",
        "rests": "{name} is not needed: it rests. ",
        "missed": "{name} was left out, but it is needed. ",
        "alt": "{fetch} is fetched. These run: {run}. To be fed: {fed}. Read: {read}. All else rests.",
        "and": ", ",
        "nothing": "nothing",
        "constant": "the constant {value}",
    }
)


def ring(graph: Any, fetch: str, *, lang: str | None = None) -> Ring:
    """The graph with a ring around the operation called `fetch`. It shows which operations run after a prediction.

    graph: a static graph. fetch: the name of one of its operations; the reader may choose others.
    lang: the language of the labels; without it, the one that `viz.speak` has set.
    Raises KeyError if the picture has no such operation.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.placeholder(tf.float32, [], name="x")
    ...     y, z = tf.exp(x, name="y"), tf.sin(x, name="z")
    >>> panel = ring(graph, "y")
    >>> panel.mark("z")
    >>> panel.run()
    '✗ Not quite. z is not needed: it rests. x was left out, but it is needed. To give y, the session needs x, y.'
    """
    lang = language(lang)
    return Ring(graph, fetch, lang)


class Ring(Panel):
    """The panel of `ring`. From code: `fetch("y")`, `mark("x")`, `run()`; to look at: `needed`, `revealed`."""

    def __init__(self, graph: Any, fetch: str, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words = lang, WORDS[lang]
        self.reader = reader_of(graph)
        self.whole = Picture(self.reader.graph(), lang, SHOW)
        ringed = marked(self.whole.graph, {node.id: "runs" for node in self.whole.graph.nodes})
        self.geometry = Picture(ringed, lang, SHOW).geometry.with_margin(ROOM)  # no ring covers an arrow's head
        self.nodes = {node.name: node for node in self.whole.graph.nodes if node.name}
        asked = [name for name, node in self.nodes.items() if node.kind in ("operator", "placeholder")]
        operators = [name for name in asked if self.nodes[name].kind == "operator"]
        self.buttons = {name: widgets.ToggleButton(description=name, layout={"width": "auto"}) for name in asked}
        self.choice = widgets.Dropdown(
            options=operators, value=known(fetch, operators), description=self.words["fetch"]
        )
        self.choice.observe(only(self._start), "value")
        for toggle in self.buttons.values():
            toggle.observe(only(self.refresh), "value")
        marks = widgets.HBox(list(self.buttons.values()), layout={"flex_flow": "row wrap"})
        run = button(self.words["run"], self.run, icon="play")
        self.asking = widgets.HTML()
        self.put_on_top(widgets.HBox([self.choice, run]), self.asking, marks)
        self._start()

    def fetch(self, name: str) -> None:
        """Put the ring on another operation, and remove the marks."""
        self.choice.value = known(name, self.choice.options)

    def mark(self, *names: str) -> None:
        """Mark these operations as predicted to run or to be fed."""
        for name in names:
            self.buttons[name].value = True

    def run(self) -> str:
        """Show the operations that run, and say whether the prediction was right."""
        self.revealed = True
        self.refresh()
        return self._verdict()

    @property
    def needed(self) -> list[str]:
        """The names of the nodes that a session needs for the fetch, in the order of building."""
        ids = self._ids_needed()
        return [name for name, node in self.nodes.items() if node.id in ids]

    def _start(self) -> None:
        self.revealed = False
        self.asking.value = html.escape(self.words["mark"].format(fetch=self.choice.value))
        for name, toggle in self.buttons.items():
            toggle.value = name == self.choice.value  # the fetched operation always runs, so it is not asked
            toggle.layout.display = "none" if toggle.value else ""
        self.refresh()

    def _ids_needed(self) -> set[str]:
        operations = before([self.reader.block.graph.get_operation_by_name(self.choice.value)])
        return {self.reader.ids[op] for op in operations if op in self.reader.ids}

    def _constants(self) -> list[str]:
        """The needed nodes that have no name."""
        ids = self._ids_needed()
        unnamed = [node for node in self.whole.graph.nodes if node.id in ids and not node.name]
        return [self.words["constant"].format(value=node.value or "").strip() for node in unnamed]

    def _verdict(self) -> str:
        words, name = self.words, self.choice.value
        needed = [each for each in self.needed if each in self.buttons]
        read = [*(each for each in self.needed if each not in needed), *self._constants()]
        guessed = [each for each, toggle in self.buttons.items() if toggle.value]
        why = [words["rests"].format(name=each) for each in guessed if each not in needed]
        why += [words["missed"].format(name=each) for each in self.buttons if each in needed and each not in guessed]
        told = words["wrong" if why else "right"]
        reads = words["reads"].format(read=words["and"].join(read)) if read else ""
        return told.format(fetch=name, needed=words["and"].join(needed), why="".join(why)) + reads

    def says(self) -> str:
        """The verdict, or an instruction."""
        told = self._verdict() if self.revealed else self.words["ask"].format(fetch=self.choice.value)
        return html.escape(told)

    def draw(self) -> Picture:
        """The graph with a mark on every node; the nodes never move."""
        needed = self._ids_needed()
        marks = {node.id: self._mark(node, needed) for node in self.whole.graph.nodes}
        picture = Picture(marked(self.whole.graph, marks), self.lang, SHOW)
        picture.geometry = self.geometry
        if self.revealed:
            kinds = [[name for name in self.needed if self.nodes[name].kind == kind] for kind in KINDS]
            kinds[-1] += self._constants()
            run, fed, read = (self.words["and"].join(names) or self.words["nothing"] for names in kinds)
            picture.alt = self.words["alt"].format(fetch=self.choice.value, run=run, fed=fed, read=read)
        return picture

    def _mark(self, node: Node, needed: set[str]) -> Mark:
        if node.id == self.nodes[self.choice.value].id:
            return "fetched"
        if not self.revealed:
            return "guessed" if node.name in self.buttons and self.buttons[node.name].value else ""
        if node.id not in needed:
            return "rests"
        marks: dict[str, Mark] = {"placeholder": "fed", "operator": "runs"}  # a node that is only read has no ring
        return marks.get(node.kind, "")

    def __repr__(self) -> str:
        if not self.revealed:
            return f"ring: {self.words['ask'].format(fetch=self.choice.value)}"
        return f"ring: {self.picture!r}"


def known(name: str, names: Sequence[str]) -> str:
    """The name, if it is one of `names`; else KeyError."""
    if name not in names:
        raise KeyError(f"no operation {name!r} in the picture, only {', '.join(names)}")
    return name
