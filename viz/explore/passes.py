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
        "fold": "What depends on constants alone is computed now; the constants stay until they are pruned.",
        "merge": "What is asked for twice is computed once.",
        "simplify": "The same bits with fewer operations: −(−u) is u, and v · v a square.",
        "approximate": "A division by a constant becomes a product, which may change the last bit.",
        "prune": "What nobody reads any more is left out.",
        "in place": "Results are written over inputs that nobody needs any more.",
        "reuse": "Other results take over memory that is no longer needed.",
        "free": "What is not needed any more is let go, in the middle of the run.",
        "alt": "The graph after “{name}”, {size} operations. {alt}",
    },
    "zh": {
        "after": "第几遍之后",
        "found": "刚建好时",
        "size": "{size} 个操作",
        "row": "{name}：改动 {count} 处，{size}",
        "fold": "只依赖常量的部分现在就算好；用不着的常量留到 prune 再删。",
        "merge": "同样的计算只做一次。",
        "simplify": "用更少的操作得到逐位相同的结果：−(−u) 就是 u，v · v 是平方。",
        "approximate": "除以常量改为乘法，最后一位可能不同。",
        "prune": "没有人再读的结果被删去。",
        "in place": "结果写在不再需要的输入之上。",
        "reuse": "其他结果使用不再需要的内存。",
        "free": "运行途中放掉不再需要的结果。",
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
        rows[-1] = f"<b>{rows[-1]}</b> {html.escape(self.words.get(done[-1][0], '')) if done else ''}"
        return "<br>".join(rows)

    def draw(self, **at: int) -> Picture:
        """The graph after the pass that the slider stands at."""
        (number,) = at.values()
        name, block, _ = self.stages()[number]
        picture = Picture(static_graph_of([block]), self.lang)
        picture.alt = self.words["alt"].format(name=name, size=operations(block), alt=picture.alt)
        return picture
