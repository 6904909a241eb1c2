"""`viz.passes(plan)`: what the compiler makes of a graph, one pass after another, with a switch for each pass.

The slider goes through the graph as each pass left it, with the number of its operations; a pass that is switched off
is left out, and all that follow it work on what they then get.

Imports panel, and static of graph/. Read next: machine.py.
"""

from __future__ import annotations

import html
from typing import Any

from ..drawing.picture import Picture
from ..graph.static import static_graph_of
from .panel import Panel, check_lang

WORDS = {
    "en": {
        "after": "after pass",
        "found": "as it was built",
        "size": "{size} operations",
        "row": "{name}: {count} changed, {size}",
        "alt": "The graph after “{name}”, {size} operations. {alt}",
    },
    "zh": {
        "after": "第几遍之后",
        "found": "刚建好时",
        "size": "{size} 个操作",
        "row": "{name}：改动 {count} 处，{size}",
        "alt": "“{name}”之后的图，{size} 个操作。{alt}",
    },
}


def passes(plan: Any, *, lang: str = "en") -> Passes:
    """A slider through the graph after each pass of `plan`, which `session.plan(fetches, feeds)` gives.

    lang: the language of the labels, "en" or "zh".

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
    """
    check_lang(lang)
    return Passes(plan, lang)


def operations(block: Any) -> int:
    """How many operations a graph has, those inside its loops and branches included, what is fed not counted."""
    total = 0
    for op in block.operations:
        total += (op.type not in ("Feed", "Param")) + sum(operations(region) for region in op.regions)
    return total


class Passes(Panel):
    """What `passes` makes. From code: `sliders["after pass"].value = 2`, `switch("fold", False)`; to look at: `sizes`,
    the number of operations at first and after each pass, and `plan`."""

    def __init__(self, plan: Any, lang: str):
        import ipywidgets as widgets

        self.lang, self.words = lang, WORDS[lang]
        self.first = self.plan = plan
        self.names = [stage.name for stage in plan.passes[1:]]
        super().__init__({self.words["after"]: (0, len(self.names), 1, 0)})
        self.switches = {
            name: widgets.Checkbox(value=True, description=name, indent=False, layout={"width": "auto"})
            for name in self.names
        }
        for switched in self.switches.values():
            switched.observe(lambda _: self._compile(), "value")
        self.put_on_top(
            widgets.HBox(list(self.switches.values()), layout={"flex_flow": "row wrap", "grid_gap": "12px"})
        )
        self.refresh()

    @property
    def sizes(self) -> list[int]:
        """The number of operations at first, and after each pass; one that is switched off changes nothing."""
        return [operations(block) for _, block, _ in self.stages()]

    def switch(self, name: str, on: bool) -> None:
        """Switch a pass on or off and compile again."""
        self.switches[name].value = on

    def stages(self) -> list[tuple[str, Any, int]]:
        """(name, graph afterwards, number of changes): the graph as it was found, then after every pass."""
        done = {stage.name: stage for stage in self.plan.passes}
        found = [(self.words["found"], self.plan.passes[0].after, 0)]
        for name in self.names:
            block, count = (done[name].after, done[name].count) if name in done else (found[-1][1], 0)
            found.append((name, block, count))
        return found

    def _compile(self) -> None:
        self.plan = self.first.using(name for name, switched in self.switches.items() if switched.value)
        self.refresh()

    def says(self, **at: int) -> str:
        """The passes so far, each with what it did."""
        (number,) = at.values()
        (found, block, _), *done = self.stages()[: number + 1]
        rows = [f"{found}: {self.words['size'].format(size=operations(block))}"]
        for name, block, count in done:
            size = self.words["size"].format(size=operations(block))
            rows.append(self.words["row"].format(name=name, count=count, size=size))
        rows = [html.escape(row) for row in rows]
        rows[-1] = f"<b>{rows[-1]}</b>"
        return "<br>".join(rows)

    def draw(self, **at: int) -> Picture:
        """The graph after the pass that the slider stands at."""
        (number,) = at.values()
        name, block, _ = self.stages()[number]
        picture = Picture(static_graph_of([block]), self.lang)
        picture.alt = self.words["alt"].format(name=name, size=operations(block), alt=picture.alt)
        return picture
