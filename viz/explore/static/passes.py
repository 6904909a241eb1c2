"""`viz.passes(plan)`: the graph after each pass of the compiler, with a switch for each pass.

The slider selects the graph after one of the passes; the panel shows its number of operations and constants, and how
many the pass has saved. A pass that is switched off is skipped, and the later passes work on the graph without it. The
last three passes plan memory: they do not change the operations, so their work is described in words. `minigrad.jit`
compiles a trace in two halves, forward and backward; the panel shows one of them.

Imports panel, and static of graph/. Read next: machine.py.
"""

from __future__ import annotations

import html
from typing import Any

from ...alive import only, owns
from ...drawing.legend import NAMED, SHOWN
from ...drawing.picture import Picture
from ...graph.static import jitted, static_graph_of
from ...locale import language, room
from ..panel import Panel, in_a_row

tr = room("explore")
WORDS = tr.table("passes")


def passes(plan: Any, *, lang: str | None = None) -> Passes:
    """A slider through the graph after each pass of `plan`, with the nodes that each pass has saved.

    plan: the result of `session.plan(fetches, feeds)`; or a function from `minigrad.jit`, whose newest trace is shown,
        either its forward or its backward half.
    lang: the language of the labels; without it, the one that `viz.speak` has set.
    Raises LookupError for a compiled function that has not been called yet, and TypeError for anything else.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [], name="x")
    ...     plan = session.plan(x * (tf.constant(2.0) * 3.0), [x])
    >>> panel = passes(plan)
    >>> panel.sizes[0], panel.sizes[-1]
    (4, 2)
    >>> panel.switch("fold", False)
    >>> panel.sizes[-1]
    4

    >>> import minigrad as torch
    >>> fast = torch.jit(lambda w, x: (w + x) * (w + x))
    >>> y = fast(torch.tensor([2.0], requires_grad=True), torch.tensor([5.0]))
    >>> panel = passes(fast)
    >>> panel.saved["merge"]
    1
    >>> panel.half.value = "backward"
    """
    lang = language(lang)
    plans = list(plan.plans) if jitted(plan) else [plan]
    if not hasattr(plans[0], "using"):
        raise TypeError(f"passes() shows a plan of a session, or what jit gives, but got {type(plan).__name__}")
    return Passes(plans, lang)


def operations(block: Any) -> list[Any]:
    """The operations of a graph, including those inside its loops and branches, without feeds and parameters."""
    found = []
    for op in block.operations:
        found += [op] if op.type not in ("Feed", "Param") else []
        found += [inner for region in op.regions for inner in operations(region)]
    return found


HALVES = ("forward", "backward")  # of a function that jit compiled
MOST = 4  # memory changes that are listed individually
SHOW = (*SHOWN, NAMED)  # descriptions of passes use the operations' names


class Passes(Panel):
    """The panel that `passes` returns. From code: `sliders["after pass"].value = 2`, `switch("fold", False)` and, for
    a function from jit, `half.value = "backward"`; to look at: `sizes`, the number of operations and constants at first
    and after each pass, `saved`, how many each pass has removed, and `plan`."""

    def __init__(self, plans: list[Any], lang: str):
        import ipywidgets as widgets

        self.lang, self.words = lang, WORDS[lang]
        self.plans = plans
        self.first = self.plan = plans[0]
        self.names = [stage.name for stage in self.plan.passes[1:]]
        super().__init__({self.words["after"]: (0, len(self.names), 1, 0)})
        self.sliders[self.words["after"]].labels = [self.words["found"], *self.names]
        self.half = widgets.ToggleButtons(options=[self.words[half] for half in HALVES[: len(plans)]])
        owns(self, self.half)  # it is on the page only if there are two halves
        self.switches = {
            name: widgets.Checkbox(value=True, description=name, indent=False, layout={"width": "auto"})
            for name in self.names
        }
        for moved in (self.half, *self.switches.values()):
            moved.observe(only(self._compile), "value")
        self.put_on_top(*([self.half] if len(plans) > 1 else []), in_a_row(*self.switches.values(), gap="0 4px"))
        self.refresh()

    @property
    def sizes(self) -> list[int]:
        """The number of operations and constants at first, and after each pass; a skipped pass changes nothing."""
        return [len(operations(block)) for _, block, _ in self.stages()]

    @property
    def saved(self) -> dict[str, int]:
        """How many fewer operations and constants there are after each pass than before it."""
        sizes = self.sizes
        return {name: sizes[i] - sizes[i + 1] for i, name in enumerate(self.names)}

    def switch(self, name: str, on: bool) -> None:
        """Switch a pass on or off and compile again."""
        self.switches[name].value = on

    def stages(self) -> list[tuple[str, Any, int]]:
        """(name, graph afterwards, number of changes): first for the original graph, then for every pass."""
        done = {stage.name: stage for stage in self.plan.passes}
        found = [(self.words["found"], self.plan.passes[0].after, 0)]
        for name in self.names:
            block, count = (done[name].after, done[name].count) if name in done else (found[-1][1], 0)
            found.append((name, block, count))
        return found

    def _compile(self) -> None:
        self.first = self.plans[self.half.index]
        self.plan = self.first.using(name for name, switched in self.switches.items() if switched.value)
        self.refresh()

    def says(self, **at: int) -> str:
        """The passes so far, each with its effect."""
        (number,) = at.values()
        (found, block, _), *done = self.stages()[: number + 1]
        rows = [f"{found}: {self._size(block)}"]
        with_all = {stage.name: stage.count for stage in self.first.passes}
        saved = self.saved
        for name, block, count in done:
            before = self.words["before"].format(count=with_all[name]) if count != with_all[name] else ""
            did = "fewer" if saved[name] == count else "row"  # each change has removed an operation, or not each
            row = self.words["off" if not self.switches[name].value else did if count else "idle"]
            fewer = self.words["saved"].format(count=saved[name]) if saved[name] > 0 else ""
            rows.append(row.format(name=name, count=count, before=before, saved=fewer, size=self._size(block)))
        rows = [html.escape(row) for row in rows]
        inputs = self.words["inputs"] if self.first is not self.plans[0] else ""  # of the backward half
        why = self.words[done[-1][0]] + self._memory(number) if done else inputs
        rows[-1] = f"<b>{rows[-1]}</b> {html.escape(why)}"
        return "<br>".join(rows)

    def _size(self, block: Any) -> str:
        found = operations(block)
        constants = sum(op.type == "Const" for op in found)
        return self.words["size"].format(operations=len(found) - constants, constants=constants)

    def _memory(self, number: int) -> str:
        """The notes about memory that a pass has left on the operations; the picture does not show them."""
        (_, before, _), (_, after, _) = self.stages()[number - 1 : number + 1]
        known = {told for op in operations(before) for told in self._notes(op)}
        new = [told for op in operations(after) for told in self._notes(op) if told not in known]
        if not new:
            return ""
        return self.words["stays"].format(what=", ".join(new[:MOST] + ["…"] * (len(new) > MOST)))

    def _notes(self, op: Any) -> list[str]:
        over = [] if op.onto is None else [self.words["over"].format(op=op.name, other=op.onto.op.name)]
        return over + [self.words["after each"].format(op=op.name, other=tensor.op.name) for tensor in op.frees]

    def draw(self, **at: int) -> Picture:
        """The graph after the selected pass."""
        (number,) = at.values()
        name, block, _ = self.stages()[number]
        picture = Picture(static_graph_of([block]), self.lang, SHOW)
        half = self.words["half"].format(half=self.half.value) if len(self.plans) > 1 else ""
        picture.alt = self.words["alt"].format(half=half, name=name, size=self._size(block), alt=picture.alt)
        return picture
