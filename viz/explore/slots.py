"""`viz.explore.slots()`: which tensor has a number in `.grad` after `y.backward()`, and which has None?

A program of four lines stands beside its graph, with three switches: `requires_grad` of both leaves, and
`a.retain_grad()`. Each move of a switch runs the program again. Backward then sends its amounts back along the arrows,
and the slots of those tensors that keep a gradient fill up. Every amount was recorded by hooks on a real pass.

Read panel.py first, and motion.py for the moving amounts.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..alive import only
from ..drawing.boxes import Box
from ..drawing.legend import BLACK, VERMILION, YELLOW
from ..drawing.letters import NAME, NUMBER, colours, text
from ..drawing.paint import drawn, plan, shapes_of
from ..drawing.svg import Element, element
from ..graph.autograd import graph_of
from ..graph.model import Graph, Node
from ..locale import language, room
from ..locale.sentences import joined
from ..stepper.hooks import Grew, Ran, Watch
from .motion import STYLE, appears, goes, plate, points_of
from .panel import NARROWEST, Panel, Sketch, button, in_a_row
from .words import plain

W, X = 3.0, 2.0
SLOTS = "w", "x", "a"
LEG = 0.5  # seconds from one end of an arrow to the other
MOST = 6  # lines of code
WIDE, HIGH, GAP, EDGE = 190, 62, 18, 10  # pixels: a slot, the room between two slots, and around them
ROOM = "\N{NO-BREAK SPACE}" * 3  # the room for an amount

tr = room("explore")
WORDS = tr.table("slots")


@dataclass(frozen=True)
class Result:
    """One run of the program.

    before: the graph before backward. told: {number of an arrow: the amount that ran back along it}. stages: the arrows
    that were used, in order. grads: {name: `.grad`}, or None while backward has not run. error: its error, or "".
    """

    before: Graph
    grads: Mapping[str, float | None] | None = None
    told: Mapping[int, float] = field(default_factory=dict)
    stages: tuple[tuple[int, ...], ...] = ()
    error: str = ""


def run(needs: Mapping[str, bool], *, keep: bool = False, backward: bool = True) -> Result:
    """Run the program. needs: does w, does x require grad? keep: call `a.retain_grad()`.

    >>> run({"w": True, "x": False}).grads
    {'w': 4.0, 'x': None, 'a': None}
    >>> run({"w": False, "x": True}, keep=True).grads
    {'w': None, 'x': 12.0, 'a': 2.0}
    >>> run({"w": False, "x": False}).error[:40]
    'RuntimeError: element 0 of tensors does '
    """
    import minigrad as torch

    with torch.inference_mode(False), torch.enable_grad():  # another cell may have switched them
        w, x = (torch.tensor(n, requires_grad=needs[name]) for name, n in (("w", W), ("x", X)))
        a = w * x
        y = a * x
        made = {"w": w, "x": x, "a": a, "y": y}
        stages, told, error = list[tuple[int, ...]](), dict[int, float](), ""
        try:
            if keep:
                a.retain_grad()
        except RuntimeError as stopped:
            error = f"RuntimeError: {stopped}"
        roots = [y] if y.requires_grad else [*reversed(made.values())]
        before = without_drawers(graph_of(roots, made.items()))
        if not backward or error:
            return Result(before, error=error)
        makers = {id(tensor.grad_fn): name for name, tensor in (("a", a), ("y", y))}
        edges = list(enumerate(before.edges))
        ids = {node.name: node.id for node in before.nodes}

        def hear(event: Ran | Grew) -> None:
            if isinstance(event, Ran):
                ((out, operator),) = [(i, e.source) for i, e in edges if e.target == ids[makers[id(event.fn)]]]
                inputs = [i for i, e in edges if e.target == operator]
                came = {i: amount.number for i, amount in zip(inputs, event.handed, strict=True) if amount is not None}
                first = event.incoming[0]
                told.update({out: first.number or 0.0} if first is not None else {})
                told.update({i: number or 0.0 for i, number in came.items()})
                stages.extend([(out,), tuple(came)])

        watch = Watch(hear)
        try:
            watch.meet(y.grad_fn)
            y.backward()
        except RuntimeError as stopped:
            error = f"RuntimeError: {stopped}"
        finally:
            try:
                watch.stop()
            except BaseException:  # Ctrl-C
                watch.stop()
                raise
        kept = {"w": w.grad, "x": x.grad, "a": a.grad if a.retains_grad else None}  # else PyTorch warns
        grads = {name: None if grad is None else float(grad.item()) for name, grad in kept.items()}
    return Result(before, grads, told, tuple(stages), error)


def without_drawers(graph: Graph) -> Graph:
    """The graph without what its operators have saved."""
    return replace(graph, nodes=tuple(replace(node, saved=()) for node in graph.nodes))


def slots(*, lang: str | None = None) -> Slots:
    """A program and its graph, with switches for `requires_grad` and `retain_grad`, and three `.grad` slots to fill.

    lang: a language with catalogues.
    From code: `switch("x")`, `switch("a", False)`, `backward()`; then `grads`.

    >>> panel = slots()
    >>> panel.backward()
    >>> panel.grads
    {'w': 4.0, 'x': None, 'a': None}
    >>> panel.switch("a")
    >>> panel.grads is None  # the code has run again, and backward has not
    True
    """
    return Slots(language(lang))


class Slots(Panel):
    """The panel that `slots` returns."""

    def __init__(self, lang: str):
        import ipywidgets as widgets

        super().__init__({})
        self.lang, self.words = lang, WORDS[lang]
        self.started = self.moving = False
        names = {"w": "w: requires_grad=True", "x": "x: requires_grad=True", "a": "a.retain_grad()"}
        self.switches = {
            name: widgets.Checkbox(value=name == "w", description=told, indent=False, layout={"width": "auto"})
            for name, told in names.items()
        }
        for each in self.switches.values():
            each.observe(only(self._again), "value")
        self.go = button("y.backward()", self.backward, icon="backward")
        self.note = widgets.HTML()  # below the controls, which stay where they are
        left = widgets.VBox([self.status, *self.switches.values(), self.go, self.note], layout={"min_width": "19em"})
        self.shown.layout.flex, self.shown.layout.min_width = f"1 1 {NARROWEST}px", "0"  # beside the code, if it can
        self.root.children = (in_a_row(left, self.shown, gap="4px 20px"),)
        self.refresh()

    @property
    def grads(self) -> Mapping[str, float | None] | None:
        """The `.grad` of each tensor with a slot; None while backward has not run on this graph."""
        return self.result.grads

    def switch(self, name: str, on: bool = True) -> None:
        """Move a switch: "w" and "x" for their `requires_grad`, "a" for `a.retain_grad()`. The code runs again."""
        self.switches[name].value = on

    def backward(self) -> None:
        """Call `y.backward()`."""
        if not self.started and not self.result.error:
            self.started = self.moving = True
            self.refresh()
            self.moving = False

    def _again(self) -> None:
        self.started = False
        self.refresh()

    # -- what it shows --------------------------------------------------------------------------------

    def draw(self) -> Sketch:
        on = {name: each.value for name, each in self.switches.items()}
        self.result = found = run(on, keep=on["a"], backward=self.started)
        self.go.disabled = self.started or bool(found.error)  # the program has stopped before this call
        self.note.value = self.notes()
        view = View(found, self.moving, self.lang)
        alt = self.alt(found, on)
        return Sketch(view.parts(f"l{self.runs}"), view.size, title=self.words["title"], alt=alt)

    def alt(self, found: Result, on: Mapping[str, bool]) -> str:
        words = self.words
        told = [words["alt needs"].format(name=name) for name in "wx" if on[name]] or [words["alt none"]]
        told += [words["alt kept"]] if on["a"] else []
        said = [words["alt"].format(on=words["and"].join(told))]
        if found.error:
            said.append(words["alt error"])
        elif found.grads is None:
            said.append(words["alt waits"])
        else:
            each = (f"{name}.grad = {told_grad(grad)}" for name, grad in found.grads.items())
            said.append(words["alt slots"].format(slots=words["and"].join(each)))
        return joined(said, self.lang)

    def says(self) -> str:
        """The code, as it has run."""
        on = {name: each.value for name, each in self.switches.items()}
        needs = {name: ", requires_grad=True" if on[name] else "" for name in "wx"}
        lines = [f"w = torch.tensor({W}{needs['w']})", f"x = torch.tensor({X}{needs['x']})", "a = w * x", "y = a * x"]
        lines += ["a.retain_grad()"] if on["a"] else []
        lines += ["y.backward()"] if self.started else []
        code = html.escape("\n".join(lines))
        told = f'<pre style="line-height: 1.5; margin: 0; min-height: {1.5 * MOST}em">{code}</pre>'
        return told + f"<div>{html.escape(self.words['run'].format(run=self.runs))}</div>"

    def notes(self) -> str:
        """Its error and where it comes from, or that all slots are full."""
        told = ""
        if self.result.error:
            told = f"✗ {html.escape(self.result.error)}<br>{html.escape(self.words['unrecorded'])}"
        elif self.grads and None not in self.grads.values():
            told = f"<b>{self.words['all']}</b>"
        return f'<div role="status" style="max-width: 26em; min-height: 1.5em; line-height: 1.5">{told}</div>'


def told_grad(grad: float | None) -> str:
    return "None" if grad is None else plain(grad)


class View:
    """The slots and, below them, the graph. With `moving`, the amounts run back, then the slots fill."""

    def __init__(self, result: Result, moving: bool, lang: str):
        self.result, self.moving, self.lang = result, moving, lang
        self.shapes = shapes_of(self.dressed(), lang, crowd=True)
        self.geometry = plan(self.dressed(roomy=True), lang, shapes=self.shapes).laid()
        wide, high = self.geometry.size
        self.row = len(SLOTS) * WIDE + (len(SLOTS) - 1) * GAP
        self.size = max(wide, self.row + 2 * EDGE), high + HIGH + 3 * EDGE

    def dressed(self, *, roomy: bool = False) -> Graph:
        """The graph with its amounts; with `roomy`, with room for an amount at each arrow."""
        graph, told = self.result.before, self.result.told
        nodes = [replace(node, grad=ROOM) if node.kind in ("leaf", "kept") else node for node in graph.nodes]
        edges = [
            replace(edge, value=(plain(told[i]) if i in told else "").center(3, ROOM[0]))
            for i, edge in enumerate(graph.edges)
        ]
        return replace(graph, nodes=tuple(nodes), edges=tuple(edges))

    def late(self, name: str) -> float:
        """The second at which the slot of this tensor fills; 0 if nothing moves."""
        ids = {node.name: node.id for node in self.result.before.nodes}
        edges = self.result.before.edges
        came = [n for n, used in enumerate(self.result.stages) if any(edges[i].source == ids[name] for i in used)]
        last = max(came, default=-1)
        return LEG * (last + 1) if self.moving else 0.0

    def parts(self, prefix: str) -> Iterator[Element]:
        graph, result = self.dressed(), self.result
        directions = ["gradient" if i in result.told else "forward" for i in range(len(graph.edges))]
        labels = [edge.value for edge in graph.edges]
        if self.moving:
            yield STYLE
        shift = (self.size[0] - self.geometry.size[0]) / 2
        body = [*drawn(graph, self.geometry, self.shapes, labels, directions, prefix, self.lang)]
        body += [part for node in graph.nodes if node.kind in ("leaf", "kept") for part in self.grad_of(node)]
        if self.moving:
            body += self.plates()
        yield element("g", *body, transform=f"translate({shift:g} {HIGH + 2 * EDGE:g})")
        left, top = (self.size[0] - self.row) / 2, EDGE
        for i, name in enumerate(SLOTS):
            yield from self.slot(name, left + i * (WIDE + GAP), top)

    def grad_of(self, node: Node) -> Iterator[Element]:
        """The number in the grad row of a box."""
        box, (x, y) = self.shapes[node.id], self.geometry.centres[node.id]
        assert isinstance(box, Box)
        grad = (self.result.grads or {}).get(node.name)
        late = self.late(node.name) if grad is not None else 0.0

        def written(told: str) -> Element:
            return text(told, x + box.sides[1], y + box.line(1), NUMBER, BLACK, at="end", mono=True)

        if late:
            yield element("g", written("—"), **goes(late))
        yield element("g", written("—" if grad is None else plain(grad)), **appears(late))

    def slot(self, name: str, x: float, y: float) -> Iterator[Element]:
        """A slot: dashed and empty before backward; a number in it, or None, after it."""
        grads = self.result.grads
        grad = (grads or {}).get(name)
        box = dict(x=x, y=y, width=WIDE, height=HIGH, rx=8)
        inside = x + WIDE - 16
        empty = element("rect", **box, stroke_dasharray="6 5", **colours("none", "muted", 2))
        known = grads is not None
        waits = text("None" if known else "", inside, y + 40, NAME, "muted", at="end", mono=True)
        label = text(f"{name}.grad", x + 14, y + 39, NUMBER, "ink", mono=True, bold=True)
        if grad is None:
            yield from (empty, label, waits)
            return
        late = self.late(name)
        full = element("rect", **box, **colours(YELLOW, BLACK, 3))
        told = text(plain(grad), inside, y + 40, NAME + 4, BLACK, at="end", mono=True, bold=True)
        black = text(f"{name}.grad", x + 14, y + 39, NUMBER, BLACK, mono=True, bold=True)
        if late:
            yield element("g", empty, label, **goes(late))
        yield element("g", full, black, told, **appears(late))

    def plates(self) -> Iterator[Element]:
        for stage, used in enumerate(self.result.stages):
            for arrow in used:
                back = points_of(self.geometry.arrows[arrow])[::-1]
                yield plate(back, plain(self.result.told[arrow]), LEG * stage, LEG, VERMILION, "#FFFFFF")
