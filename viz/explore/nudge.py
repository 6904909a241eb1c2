"""`viz.explore.nudge()`: a change of w runs through the graph of y = (w + x)(w + 1), times the factor on each arrow.

The reader first predicts how far y will move. Then the change runs through a and through b, and y adds the two. The
same factors lead backward: y's derivative runs from y to w, and w sums two of them, which gives `w.grad`; on the way,
a also passes a gradient to x. All numbers were measured by running the code, with each of the two w changed or not:
no derivative is computed here.

The moving parts are small plates with the current number; with reduced motion, and in a still picture, only the
last frame is shown. Read panel.py first, and motion.py for the plates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..alive import only
from ..drawing.boxes import Box
from ..drawing.circles import Circle
from ..drawing.layout import Geometry, Point
from ..drawing.legend import BLACK, SKY, VERMILION
from ..drawing.letters import NUMBER, TAG, WORD, rect, stroke, text
from ..drawing.paint import drawn, plan
from ..drawing.svg import Element, element
from ..graph.autograd import graph_of
from ..graph.model import Graph
from ..lesson.predict import Prediction
from ..locale import language
from .leaving import Button, Leaving, Slider, frame, question, several
from .motion import STYLE, appears, plate, points_of
from .panel import Panel, Sketch, button, hand_on, in_a_row
from .words import NUDGE, plain

LEG = 1.2  # seconds from box to box
BARS, BAR = 126, 20  # pixels: the room for the bars below the graph, and one bar
REPLY, REMARK = "4.2em", "3.4em"  # room for two lines above the picture, from the beginning
MASK = "?"
SMALLEST = 0.99e-4  # of the nudges, less its rounding error


@dataclass(frozen=True)
class Measured:
    """How far y moves through a alone, through b alone and in fact; the factors; and the gradients."""

    values: dict[str, float]
    factors: dict[str, float]  # of the arrows into ×, by the box they come from
    a: float
    b: float
    truth: float
    grad: float
    grad_x: float

    @property
    def both(self) -> float:
        return round(self.a + self.b, 13)

    @property
    def gap(self) -> float:
        return round(self.truth - self.both, 13)


def measure(w: float, x: float, nudge: float) -> tuple[Measured, Graph]:
    """Run y = (w + x)(w + 1) with each of its two w nudged or not, and once backward; and the graph of that run.

    >>> found, graph = measure(2.0, 5.0, 0.01)
    >>> [round(number, 6) for number in (found.a, found.b, found.truth, found.gap)], found.factors, found.grad
    ([0.03, 0.07, 0.1001, 0.0001], {'a': 3.0, 'b': 7.0}, 10.0)
    """
    import minigrad as torch

    def leaf(number: float) -> torch.Tensor:
        return torch.tensor([number], dtype=torch.float64, requires_grad=True)

    def run(w_in_a: torch.Tensor, w_in_b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        a = w_in_a + x_leaf
        b = w_in_b + 1
        return a, b, a * b

    def grown(nudged: torch.Tensor) -> float:
        return round((nudged - y).item(), 13)  # the digits after these are rounding errors

    x_leaf = leaf(x)
    here, nudged = leaf(w), leaf(w + nudge)
    a, b, y = run(here, here)
    through_a, through_b = grown(run(nudged, here)[2]), grown(run(here, nudged)[2])
    graph = graph_of([y], {"w": here, "x": x_leaf, "a": a, "b": b, "y": y}.items())
    y.backward()
    assert here.grad is not None and x_leaf.grad is not None
    return Measured(
        values={"a": a.item(), "b": b.item(), "y": y.item()},
        factors={"a": round(through_a / nudge, 9), "b": round(through_b / nudge, 9)},
        a=through_a,
        b=through_b,
        truth=grown(run(nudged, nudged)[2]),
        grad=here.grad.item(),
        grad_x=x_leaf.grad.item(),
    ), graph


def nudge(w: float = 2.0, x: float = 5.0, *, nudge: float = 0.01, lang: str | None = None) -> Nudge:
    """How a small change of w reaches y = (w + x)(w + 1): along two paths, times the factors on their arrows.

    w, x: where to begin; sliders change them once the question is answered. nudge: by how much w is moved.
    Before the nudge runs, the question is asked again for each new place. Afterwards the answers are in the picture,
    and the question is shown only at the place that it is about.
    lang: a language with catalogues.
    From code: `guess("0.1")`, `forward()`, `backward()`, `smaller()`, `sliders["w"].value = 1`;
    `found` contains the measurements.

    >>> panel = nudge()
    >>> panel
    nudge at w = 2, x = 5: A nudge of w by 0.01 changes y along two paths, one through a and one through b. The...
    >>> panel.guess("0.03")
    '✗ 0.03. This is only the contribution through `a`: `w + x` grows by 0.01, and `b = 3`. But the ...
    >>> panel.guess("0.1")
    '✓ 0.1001. Now press “Run the nudge”. How much of the change comes through `a`, and how much through `b`?'
    >>> panel.forward()
    >>> panel.picture
    A nudge of 0.01 at w = 2, x = 5, run forward: through a it becomes 0.01 × 1 × 3 = 0.03, through b
    0.01 × 1 × 7 = 0.07, together 0.1. In fact, y moves by 0.1001. The difference is 0.0001.
    >>> panel.backward()
    >>> panel.picture
    The same factors run backward at w = 2, x = 5: 1 at y, 1 × 3 = 3 at a, 1 × 7 = 7 at b. At w, they add up:
    3 + 7 = 10, which is w.grad. From a, 3 × 1 = 3 reaches x: x.grad.
    """
    lang = language(lang)
    return Nudge(float(w), float(x), nudge, lang)


class Nudge(Panel):
    """The panel that `nudge` returns."""

    def __init__(self, w: float, x: float, nudge: float, lang: str):
        super().__init__({"w": (min(-3.0, w), max(3.0, w), 0.5, w), "x": (min(-6.0, x), max(6.0, x), 0.5, x)})
        self.lang, self.words, self.nudge, self.first_nudge = lang, NUDGE[lang], nudge, nudge
        self.start = w, x, nudge
        self.way, self.moving = "", False  # "" before the question is answered, then "forward" or "backward"
        self.found, _ = measure(w, x, nudge)
        self.question = About(*self._asks(w, x), self.words["press"], lang=lang)
        self.question.other = self.other
        self.asked = w, x, nudge
        self.question.show.layout.display = "none"  # running the nudge shows the answer
        self.question.feedback.layout.min_height = REPLY  # so that neither a reply nor a remark moves the picture
        self.status.layout.min_height = REMARK
        self.buttons = [
            button(self.words["forward"], self.forward, icon="forward", disabled=True),
            button(self.words["backward"], self.backward, icon="backward", disabled=True),
            button(self.words["smaller"], self._press_smaller, disabled=True),
            button(self.words["again"].format(nudge=plain(nudge)), self.again, disabled=True),
        ]
        self.question.field.observe(only(self._open), "value")  # the first answer opens buttons and sliders
        self.put_on_top(self.question.root, in_a_row(*self.buttons))
        self._open()
        self.refresh()

    def _asks(self, w: float, x: float) -> tuple[str, tuple[float, float], dict[float, str]]:
        """The question for the sliders' position; its right answers; an explanation for each likely wrong answer."""
        found, nudge = self.found, self.nudge
        told = dict(w=plain(w), x=plain(x), nudge=plain(nudge), nudged=plain(w + nudge), next=plain(w + 1))
        told |= dict(larger=plain(10 * nudge), finer=plain(nudge / 10))
        told |= dict(da=plain(found.factors["b"]), db=plain(found.factors["a"]))
        beliefs = {
            **{round(size * times, 12): "places" for size in (found.truth, found.both) for times in (10, 0.1)},
            **{-size: "sign" for size in (found.truth, found.both)},
            found.values["y"]: "old y",
            round(found.truth / nudge, 9): "quotient",
            round(found.values["y"] * nudge, 9): "product",
            measure(w, x, 1.0)[0].truth: "unit",
            measure(w, x, 10 * nudge)[0].truth: "ten times",
            measure(w, x, nudge / 10)[0].truth: "a tenth",
            nudge: "nudge",
            found.values["y"] + found.truth: "new y",
            found.grad: "slope",
            found.b: "b alone",
            found.a: "a alone",
        }
        words = {number: self.words[why].format(**told) for number, why in beliefs.items()}
        self.other = self.words["other"].format(**told)
        return self.words["question"].format(**told), (found.truth, found.both), words

    def guess(self, said: str) -> str:
        """Predict how far y will move; the reply explains a likely wrong answer."""
        answer = self.question.check(said)
        self._open()
        return answer

    def _open(self) -> None:
        """Buttons and sliders are disabled until the first answer."""
        for control in (*self.buttons, *self.sliders.values()):
            control.disabled = not self.question.tried
        self.buttons[2].disabled |= self.nudge < 10 * SMALLEST

    def forward(self) -> None:
        """Let the change run from w to y."""
        self._run("forward")

    def backward(self) -> None:
        """Let the derivative run from y to w, through the same factors."""
        self._run("backward")

    def _run(self, way: str) -> None:
        if self.question.tried:
            self.way, self.moving = way, True
            self.refresh()
            self.moving = False

    def smaller(self) -> None:
        """Divide the change by ten; below 1e-4, the picture would only show more zeros."""
        if self.nudge >= 10 * SMALLEST:
            self.nudge /= 10
            self._open()
            self.refresh()

    def _press_smaller(self) -> None:
        self.smaller()
        hand_on(*self.buttons[2:])

    def again(self) -> None:
        """Back to the first nudge."""
        self.nudge = self.first_nudge
        self._open()
        self.refresh()

    def says(self, w: float, x: float) -> str:
        run = dict(run=self.runs, w=plain(w), x=plain(x), y=plain(self.found.values["y"]))
        run |= dict(nudged=plain(w + self.nudge), new=plain(self.found.values["y"] + self.found.truth, 9))
        how = "run nudged" if self.way == "forward" else "run recorded" if self.recorded else "run"
        told = self.words[how].format(**run)
        grads = f", w.grad = {plain(self.found.grad)}, x.grad = {plain(self.found.grad_x)}"
        return (told + grads if self.way == "backward" else told) + self._seen()

    def _seen(self) -> str:
        """A remark if a path contributes nothing here, or if the two paths cancel."""
        factors = self.found.factors
        nothing = [name for name in ("a", "b") if factors[name] == 0]
        if not self.way or not (nothing or factors["a"] * factors["b"] < 0):
            return ""
        told = [self.words["brings nothing"].format(name) for name in nothing]
        if not nothing:
            told = [self.words["takes all" if self.found.grad == 0 else "takes away"]]
        return f"<br>{' '.join(told)}"

    def draw(self, w: float, x: float) -> Sketch:
        self.found, graph = measure(w, x, self.nudge)
        elsewhere = self.asked != (w, x, self.nudge)
        if not self.way and elsewhere:  # afterwards, the picture shows every answer
            self.asked = w, x, self.nudge
            self.question.ask(*self._asks(w, x))
            self.question.other = self.other
        # Its room stays, so that nothing moves; and it is there again at the place that it asks about
        self.question.root.layout.visibility = "hidden" if self.way and elsewhere else None
        frame = Frame(self, graph)
        found, words = self.found, self.words
        numbers = dict(w=w, x=x, nudge=self.nudge, a=found.a, b=found.b, both=found.both, truth=found.truth)
        numbers |= dict(fa=found.factors["a"], fb=found.factors["b"], grad=found.grad, grad_x=found.grad_x)
        told = {name: plain(value) for name, value in numbers.items()} | {"gap": plain(found.gap, 3)}
        alt = words[f"alt {self.way}" if self.way else "masked"].format(**told)
        return Sketch(frame.parts(self.moving), frame.size, title=words["title"], alt=alt)

    def leaves(self) -> Leaving:
        """Whole numbers of w, and eight of x, for each nudge; first the question, then both ways."""
        w, x, nudge = self.start
        panel = Nudge(w, x, nudge, self.lang)
        ws = sorted({*map(float, range(-3, 4)), w})
        xs = sorted({-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, x})
        nudges = [nudge]
        while len(nudges) < 3 and nudges[-1] > 1e-4:
            nudges.append(max(nudges[-1] / 10, 1e-4))
        page = Leaving(self.words["title"], self.lang, {"w": ws.index(w), "x": xs.index(x)})
        page.fewer = several({"w": ws, "x": xs, self.words["nudge row"]: nudges}, plain)
        page.controls = [
            Slider("w", "w", len(ws), [plain(each) for each in ws], on=[("moving", 0)]),
            Slider("x", "x", len(xs), [plain(each) for each in xs], on=[("moving", 0)]),
            *map(Button, ("forward", "backward", "smaller", "again"), (each.description for each in self.buttons)),
        ]
        place = ("w", "x", "nudge", "way")
        told, asks = page.part("told", *place), page.part("asks", *place)
        picture, moves = page.part("picture", *place, "moving"), page.part("moves", "tried", "nudge")
        run = [page.move("forward", ("way", 1), ("moving", 1)), page.move("backward", ("way", 2), ("moving", 1))]
        again = page.move("again", ("nudge", 0), ("moving", 0))
        for n, panel.nudge in enumerate(nudges):
            smaller = page.move("smaller", ("nudge", min(n + 1, len(nudges) - 1)), ("moving", 0))
            moves.contents[0, n], moves.contents[1, n] = "no w:0,no x:0", ",".join([*run, smaller, again])
            for k, panel.way in enumerate(("", "forward", "backward")):
                for i, w in enumerate(ws):
                    for j, x in enumerate(xs):
                        key = i, j, n, k
                        for panel.moving in (True, False) if k else (False,):
                            told.contents[key], picture.contents[*key, int(panel.moving)] = frame(panel, w=w, x=x)
                        one = "same" if k else page.asks(question(panel.question, tried=[("tried", 1)], show=False))
                        asks.contents[key] = one
        return page


class About(Prediction):
    """A question with two right answers: the true change of y, and the change that the derivative predicts."""

    def _right(self) -> float:
        truth, _ = self.answer
        return float(truth)

    def _fits(self, given: Any, right: Any) -> bool:
        return any(super(About, self)._fits(given, answer) for answer in self.answer)


class Frame:
    """One picture: the graph with its factors, the plates that run, and the bars."""

    def __init__(self, panel: Nudge, graph: Graph):
        self.panel, self.words, self.found, self.way = panel, panel.words, panel.found, panel.way
        self.named = {node.name: node.id for node in graph.nodes if node.kind != "operator"}
        names = {id_: name for name, id_ in self.named.items()}
        nodes = tuple(
            replace(n, value="1", shape=()) if n.kind == "constant" else replace(n, value=minus(n.value))
            for n in graph.nodes
        )
        into = {edge.target: edge.source for edge in graph.edges if edge.target in names}  # box -> its operator
        self.route: dict[str, list[int]] = {"a": [], "b": []}  # the arrows of each path from w to y
        self.from_x = 0  # the arrow from x
        edges = []
        for i, edge in enumerate(graph.edges):
            ends = names.get(edge.source, ""), names.get(edge.target, "")
            label = ""
            for name in ("a", "b"):
                if ends[0] == "w" and into[self.named[name]] == edge.target:
                    self.route[name].append(i)
                    label = "1"
                elif ends[0] == "x" and into[self.named[name]] == edge.target:
                    self.from_x = i
                    label = "1"
                elif ends[1] == name:
                    self.route[name].append(i)
                elif ends[0] == name:
                    self.route[name].append(i)
                    label = plain(self.found.factors[name], 3)
            if ends[1] == "y":
                self.route["a"].append(i)
                self.route["b"].append(i)
            # The same width at every position of the sliders, so that nothing moves
            edges.append(replace(edge, value=f"× {label if self.way else MASK}".center(6, "\xa0") if label else ""))
        self.graph = replace(graph, nodes=nodes, edges=tuple(edges))
        rows = [(self.words["nudge row"], "\xa0" * 8, True), (self.words["gradient row"], "\xa0" * 8, True)]
        self.shapes: dict[str, Box | Circle] = {
            node.id: Circle(node, panel.lang, True, ())
            if node.kind == "operator"
            else Box(node, panel.lang, ("values",), {"": (), "x": rows[1:]}.get(node.name, rows))
            for node in nodes
        }
        self.geometry: Geometry = plan(self.graph, panel.lang, ("values",), shapes=self.shapes).laid()
        width, height = self.geometry.size
        self.size = (width, height + BARS + 16)

    def parts(self, moving: bool) -> Iterator[Element]:
        labels = [edge.value for edge in self.graph.edges]
        back = {self.from_x, *self.route["a"], *self.route["b"]} if self.way == "backward" else ()
        ways = ["gradient" if i in back else "forward" for i in range(len(labels))]
        yield from drawn(self.graph, self.geometry, self.shapes, labels, ways, f"n{self.panel.runs}", self.panel.lang)
        if not self.way:
            yield self.row("w", 0, signed(self.panel.nudge, 4))
            for name in ("a", "b", "y"):
                yield self.row(name, 0, MASK)
            yield from self.bars()
            return
        found, backward = self.found, self.way == "backward"
        if moving:
            yield STYLE
        moved = dict(w=self.panel.nudge, a=self.panel.nudge, b=self.panel.nudge, y=found.both)
        slopes = dict(y=1.0, a=found.factors["a"], b=found.factors["b"], w=found.grad, x=found.grad_x)
        order = ["y", "a", "b", "w"] if backward else ["w", "a", "b", "y"]
        arrives = (
            dict(zip(order, (0, LEG, LEG, 2 * LEG), strict=True))
            if backward
            else {"w": 0, "a": LEG, "b": LEG, "y": 2 * LEG}
        )
        for name in order:
            late = arrives[name] if moving else 0
            yield self.row(name, 0, signed(moved[name], 4), 0 if backward else late)
            if backward:
                yield self.row(name, 1, plain(slopes[name], 4), late, VERMILION)
        if backward:
            yield self.row("x", 0, plain(slopes["x"], 4), 2 * LEG if moving else 0, VERMILION)
        if moving:
            yield from self.plates(arrives)
        yield from self.bars(2 * LEG if moving else 0)

    def row(self, name: str, i: int, words: str, late: float = 0, colour: str = "") -> Element:
        """A number in a box, visible from `late` seconds on."""
        box = self.shapes[self.named[name]]
        assert isinstance(box, Box)
        x, y = self.geometry.centres[self.named[name]]
        ink = BLACK if box.look.fill else "ink"
        written = text(
            words, x + box.sides[1], y + box.line(1 + i), NUMBER, ink, at="end", mono=True, bold=bool(colour)
        )
        return element("g", written, **appears(late))

    def plates(self, arrives: dict[str, float]) -> Iterator[Element]:
        """The plates that run along the arrows, each with its number."""
        found, step = self.found, self.panel.nudge
        for name in ("a", "b"):
            first, second, third, last = (self.points(i) for i in self.route[name])
            if self.way == "forward":
                through = found.a if name == "a" else found.b
                yield plate([*first, *second], signed(step, 4), 0, LEG, SKY, BLACK)
                yield plate(third, signed(step, 4), LEG, LEG / 2, SKY, BLACK)
                yield plate(last, signed(through, 4), 1.5 * LEG, LEG / 2, SKY, BLACK)
            else:
                factor = plain(found.factors[name], 4)
                back = [list(reversed(points)) for points in (last, third, second, first)]
                yield plate(back[0], "1", 0, LEG / 2, VERMILION, "#FFFFFF")
                yield plate(back[1], factor, LEG / 2, LEG / 2, VERMILION, "#FFFFFF")
                yield plate([*back[2], *back[3]], factor, LEG, LEG, VERMILION, "#FFFFFF")
                if name == "a":
                    to_x = list(reversed(self.points(self.from_x)))
                    yield plate([*back[2], *to_x], factor, LEG, LEG, VERMILION, "#FFFFFF")

    def points(self, i: int) -> list[Point]:
        return points_of(self.geometry.arrows[i])

    def bars(self, late: float = 0) -> Iterator[Element]:
        """Bars for the changes through a, through b and in total: right of zero, or left of it if negative."""
        found, words = self.found, self.words
        if self.way == "backward":
            fa, fb = found.factors["a"], found.factors["b"]
            told = [("a", fa, SKY), ("b", fb, SKY), ("w.grad", found.grad, "paper")]
            told.append(("x.grad", found.grad_x, "paper"))
            added = plain(fb) if fb >= 0 else f"({plain(fb)})"
            foot = words["sum"].format(a=plain(fa), b=added, grad=plain(found.grad))
        else:
            told = [("a", found.a, SKY), ("b", found.b, SKY), ("together", found.both, SKY)]
            told.append(("truth", found.truth, "paper"))
            foot = words["gap"].format(gap=plain(found.gap, 3)) if self.way else ""
        top, left, right = self.size[1] - BARS - 4, 132, self.size[0] - 110
        numbers = [0.0, *(size for _, size, _ in told)]
        low, high = (min(numbers), max(numbers)) if self.way else (0.0, 1.0)
        scale = (right - left) / ((high - low) or 1.0)
        zero = left - low * scale
        for i, (name, size, fill) in enumerate(told):
            y = top + 4 + i * (BAR + 6)
            label = words["through"].format(name) if name in ("a", "b") else words.get(name, name)
            yield text(label, left - 12, y + 15, WORD, "ink", at="end")
            if not self.way:
                yield rect(left, y, right - left, BAR, "none", "muted", 1.5, dashes="5 5")
                yield text(MASK, (left + right) / 2, y + 15, WORD, "muted", at="middle")
                continue
            start, end = sorted((zero, zero + size * scale))
            bar = rect(start, y, end - start, BAR, fill, "ink", 1.5)
            said = text(signed(size, 6), end + 8, y + 15, WORD, "ink", mono=True)
            yield element("g", bar, said, **appears(late))
        if self.way:
            end = top + 2 + len(told) * (BAR + 6)
            yield stroke("ink", 2.5, "M", zero, top, "V", end)
            yield text("0", zero, end + 14, TAG, "ink", at="middle", mono=True)
            beside = "end" if zero < (left + right) / 2 else None
            yield element("g", text(foot, right if beside else left, end + 16, WORD, "ink", at=beside), **appears(late))


def minus(written: str | None) -> str | None:
    """A number with a proper minus sign."""
    return written.replace("-", "−") if written else written


def signed(number: float, digits: int) -> str:
    """A number with its sign; 0 has none."""
    return plain(number, digits, signed=bool(number))
