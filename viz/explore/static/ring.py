"""`viz.explore.ring(graph, "y")`: put a ring on the operation to fetch, mark what will run or must be fed, then run.

A session computes only the operations that the fetched tensor needs. A session runs with the reader's marks: it gets
numbers for the marked placeholders and for no others. The panel shows its result or its error, and what happened to
each mark. It shows the other nodes only when no mark is missing. Positions stay while marks change.

A press on a node of the picture does what its button above does. Imports panel, static of graph/, anywidget where a
panel is made, and minigrad.static when the reader runs it. Read next: passes.py.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...alive import close, only, weak
from ...beside import text_of
from ...drawing.legend import NAMED, SHOWN
from ...drawing.picture import Picture
from ...front import AWAKE, SAVES
from ...graph.model import Mark, Node
from ...graph.static import before, marked, reader_of
from ...locale import language, room
from ..panel import Panel, button, in_a_row

FED = 5  # the number that a marked placeholder gets
ROOM = 14  # pixels around the graph, for rings and their words
SHOW = (*SHOWN, NAMED)
KINDS = ("operator", "placeholder", "variable")

tr = room("explore")
WORDS = tr.table("ring")


@cache
def _front() -> Any:
    import anywidget
    import traitlets

    class Pressed(anywidget.AnyWidget):
        _esm = SAVES + text_of("explore/pressed.js")
        _css = text_of("explore/pressed.css") + AWAKE
        value = traitlets.Unicode("").tag(sync=True)  # the picture
        names: Any = traitlets.Dict().tag(sync=True)  # {id of a node in the picture: the name to send}

    return Pressed


def ring(graph: Any, fetch: str, *, lang: str | None = None) -> Ring:
    """The graph with a ring around the operation called `fetch`. The reader marks what it needs, and a session runs.

    graph: a static graph. fetch: the name of one of its operations; the reader may choose others. A marked placeholder
    gets the number 5 (in each place, if it has several), and each variable has its first value.
    lang: the language of the labels; without it, the one that `viz.speak` has set.
    Raises KeyError if the picture has no such operation.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.placeholder(tf.float32, [], name="x")
    ...     y, z = tf.exp(x, name="y"), tf.sin(x, name="z")
    >>> panel = ring(graph, "y")
    >>> panel.mark("z", "x")
    >>> panel.run()
    '✗ The panel fed x = 5, and the session gave y = 148.4. z did not run: y does not need it. Change your marks, ...'
    """
    lang = language(lang)
    return Ring(graph, fetch, lang)


class Ring(Panel):
    """The panel of `ring`. From code: `fetch("y")`, `mark("x")`, `run()`; to look at: `needed`, `revealed`,
    and `value` or `stopped` of the last run."""

    def __init__(self, graph: Any, fetch: str, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words, self.graph = lang, WORDS[lang], graph
        self.value: Any = None
        self.held: dict[str, str] = {}  # the value of each variable that is a single number
        self.stopped: Exception | None = None
        self.reader = reader_of(graph)
        self.whole = Picture(self.reader.graph(), lang, SHOW)
        ringed = marked(self.whole.graph, {node.id: "runs" for node in self.whole.graph.nodes})
        self.geometry = Picture(ringed, lang, SHOW).geometry.with_margin(ROOM)  # no ring covers an arrow's head
        self.nodes = {node.name: node for node in self.whole.graph.nodes if node.name}
        asked = [name for name, node in self.nodes.items() if node.kind in ("operator", "placeholder")]
        operators = [name for name in asked if self.nodes[name].kind == "operator"]
        close(self.shown)
        self.shown = _front()(names={self.nodes[name].id: name for name in asked})
        self.shown.on_msg(weak(self._pressed))
        self.root.children = (self.status, self.shown)
        self.buttons = {
            name: widgets.ToggleButton(description=name, tooltip=name, layout={"width": "auto"}) for name in asked
        }
        # Buttons: on a focused list, a letter should choose an entry, but JupyterLab inserts cells at "a" and "b".
        self.choice = widgets.ToggleButtons(
            options=operators,
            value=known(fetch, operators),
            description=self.words["fetch"],
            style={"button_width": "auto"},
        )
        self.choice.observe(only(self._start), "value")
        for toggle in self.buttons.values():
            toggle.observe(only(self._changed), "value")
        run = button(self.words["run"], self.run, icon="play")
        self.asking = widgets.HTML()
        # Run comes last, beside the marks: the reader chooses, marks, and runs
        self.put_on_top(self.choice, self.asking, in_a_row(in_a_row(*self.buttons.values()), run))
        self._start()

    def fetch(self, name: str) -> None:
        """Put the ring on another operation, and remove the marks."""
        self.choice.value = known(name, self.choice.options)

    def mark(self, *names: str) -> None:
        """Mark these operations as predicted to run or to be fed."""
        for name in names:
            self.buttons[name].value = True

    def _pressed(self, _widget: Any, content: Mapping[str, Any], _buffers: Any) -> None:
        """A node in the picture was pressed: its mark comes or goes. The fetched one keeps its ring."""
        name = content.get("pressed")
        if name in self.buttons and name != self.choice.value:
            self.buttons[name].value = not self.buttons[name].value

    def run(self) -> str:
        """Run a session with these marks, and say what happened."""
        self._compute()
        self.ran = True
        self.revealed = self.stopped is None and not self._unneeded() and not self._missed()
        self.refresh()
        return self._verdict()

    def _compute(self) -> None:
        """Fetch in a session of its own, which gets a number for each marked placeholder."""
        import minigrad.static as tf

        feeds = {}
        for name in self._marked():
            if self.nodes[name].kind == "placeholder":
                place = self.graph.get_tensor_by_name(f"{name}:0")
                shape = [1 if size is None else size for size in place.shape.as_list()]
                feeds[place] = np.full(shape, FED, dtype=place.dtype.as_numpy_dtype)
        self.value, self.stopped = None, None
        try:
            with tf.Session(graph=self.graph) as session:
                variables = self.graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
                session.run([variable.initializer for variable in variables])
                held = {variable.op.name: session.run(variable) for variable in variables}
                self.held = {name: f" = {value:.4g}" for name, value in held.items() if np.ndim(value) == 0}
                self.value = session.run(self.graph.get_operation_by_name(self.choice.value).outputs[0], feeds)
        except Exception as error:  # an error is a result, too: the panel shows it
            self.stopped = error

    @property
    def needed(self) -> list[str]:
        """The names of the nodes that a session needs for the fetch, in the order of building."""
        ids = self._ids_needed()
        return [name for name, node in self.nodes.items() if node.id in ids]

    def _changed(self) -> None:
        """A mark has changed, so what the last run has shown is no longer about these marks."""
        self.ran = self.revealed = False
        self.refresh()

    def _marked(self) -> list[str]:
        """The names that the reader has marked, and the fetched one."""
        return [name for name, toggle in self.buttons.items() if toggle.value]

    def _unneeded(self) -> list[str]:
        return [name for name in self._marked() if name not in self.needed]

    def _missed(self) -> list[str]:
        return [name for name in self.needed if name in self.buttons and not self.buttons[name].value]

    def _unfed(self) -> list[str]:
        """The placeholders whose number is missing, so that the session stopped."""
        return [name for name in self._missed() if self.nodes[name].kind == "placeholder"] if self.stopped else []

    def _start(self) -> None:
        self.ran = self.revealed = False
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
        if self.stopped is not None:
            return words["stopped"].format(error=str(self.stopped).removesuffix("."))
        value = f"{self.value:.4g}" if np.ndim(self.value) == 0 else np.array2string(self.value, precision=4)
        fed = words["and"].join(each for each in self._marked() if self.nodes[each].kind == "placeholder")
        gave = words["gave fed" if fed else "gave"].format(fed=fed, number=FED, fetch=name, value=value)
        gave = gave if self.value is not None else ""
        if self.revealed:
            needed = [each for each in self.needed if each in self.buttons]
            held = (each + self.held.get(each, "") for each in self.needed if each not in needed)
            read = [*held, *self._constants()]
            reads = words["reads"].format(read=words["and"].join(read)) if read else ""
            return words["right"].format(gave=gave, needed=words["and"].join(needed)) + reads
        why = [
            words["unread" if self.nodes[each].kind == "placeholder" else "rests"].format(name=each, fetch=name)
            for each in self._unneeded()
        ]
        why += [words["more"].format(fetch=name)] if self._missed() else []
        return words["wrong"].format(gave=gave, why="".join(why))

    def says(self) -> str:
        """The verdict, or an instruction."""
        told = self._verdict() if self.ran else self.words["ask"].format(fetch=self.choice.value)
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
        elif self.ran:
            others = "" if self.stopped is not None or self._missed() else self.words["all marked"]
            picture.alt = self.words["happened"].format(fetch=self.choice.value, told=self._verdict() + others).strip()
        return picture

    def _mark(self, node: Node, needed: set[str]) -> Mark:
        if node.id == self.nodes[self.choice.value].id:
            return "fetched"
        if node.name in self._unfed():
            return "guilty"
        guessed = node.name in self.buttons and self.buttons[node.name].value
        if self.stopped is not None or not self.ran:
            return "guessed" if guessed else ""
        if not guessed and self._missed():
            return ""  # what happened to a node without a mark stays hidden as long as a mark is missing
        if node.id not in needed:
            return "rests"
        marks: dict[str, Mark] = {"placeholder": "fed", "operator": "runs"}  # a node that is only read has no ring
        return marks.get(node.kind, "")

    def __repr__(self) -> str:
        if not self.ran:
            return f"ring: {self.words['ask'].format(fetch=self.choice.value)}"
        return f"ring: {self.picture!r}"


def known(name: str, names: Sequence[str]) -> str:
    """The name, if it is one of `names`; else KeyError."""
    if name not in names:
        raise KeyError(f"no operation {name!r} in the picture, only {', '.join(names)}")
    return name
