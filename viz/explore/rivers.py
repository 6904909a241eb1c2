"""`viz.rivers()`: a nudge of w reaches y = (w + x)(w + 1) by two rivers, and they add up.

The reader says first by how much y will grow; then the water is released. What comes through a and through b is
measured by running the code with one w nudged and the other not, and so is the whole: nothing here knows a rule of
differentiation. A tenth of the nudge leaves a hundredth of the gap.

Read panel.py first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..drawing.boxes import NAME, TAG, WORD, colours, text
from ..drawing.legend import BLACK, SKY
from ..drawing.svg import Element, element, path
from ..lesson.predict import predict
from .panel import Panel, Sketch, button, check_lang
from .words import RIVERS, plain

ORANGE = "#E69F00"  # the river through b; the one through a is sky blue. Fills only, like all light colours
SIZE = (720, 320)
W, A, B, Y = (62, 150), (212, 62), (212, 238), (372, 150)  # the middles of four boxes (pixels)
HALF = (30, 24)  # half of a box's width and height
BASE, HIGH = 272, 200  # where the bars stand, and how far all of them reach together
WIDEST = 60  # of a river, where a slope is as steep as the sliders allow
LENS = 100  # so many times the gap is enlarged


@dataclass(frozen=True)
class Flows:
    """What was measured: by how much y grows through a alone, through b alone, and in truth; and w.grad."""

    y: float
    a: float
    b: float
    truth: float
    grad: float

    @property
    def gap(self) -> float:
        return round(self.truth - self.both, 13)

    @property
    def both(self) -> float:
        return round(self.a + self.b, 13)


def measure(w: float, x: float, nudge: float) -> Flows:
    """Run y = (w + x)(w + 1) with each of its two w nudged or not, and once backward.

    >>> flows = measure(2.0, 5.0, 0.01)
    >>> [round(number, 6) for number in (flows.a, flows.b, flows.truth, flows.gap)], flows.grad
    ([0.03, 0.07, 0.1001, 0.0001], 10.0)
    """
    import minigrad as torch

    def leaf(number: float) -> torch.Tensor:
        return torch.tensor([number], dtype=torch.float64, requires_grad=True)

    def run(w_in_a: torch.Tensor, w_in_b: torch.Tensor) -> torch.Tensor:
        a = w_in_a + x
        b = w_in_b + 1
        return a * b

    def grown(difference: torch.Tensor) -> float:
        return round(difference.item(), 13)  # what follows is rounding

    here, nudged = leaf(w), leaf(w + nudge)
    y = run(here, here)
    y.backward()
    assert here.grad is not None
    return Flows(
        y=y.item(),
        a=grown(run(nudged, here) - y),
        b=grown(run(here, nudged) - y),
        truth=grown(run(nudged, nudged) - y),
        grad=here.grad.item(),
    )


def rivers(w: float = 2.0, x: float = 5.0, *, nudge: float = 0.01, lang: str = "en") -> Rivers:
    """The two ways from w to y = (w + x)(w + 1), and how much of a nudge comes through each.

    w, x: where to begin; sliders lead elsewhere. nudge: by how much w is moved. lang: "en" or "zh".
    From code: `guess("0.1")`, `release()`, `smaller()`, `sliders["w"].value = 1`; then `flows` holds what was measured.

    >>> panel = rivers()
    >>> panel
    rivers at w = 2, x = 5: w reaches y by two rivers, through a and through b. What each brings is hidden until...
    >>> panel.guess("0.03")
    '✗ 0.03. So much comes through a alone: w + x grew by 0.01, times b = 3. The other bracket grew, too.'
    >>> panel.guess("0.1")
    '✓ 0.1001. Release the water: how much of it comes through a, and how much through b?'
    >>> panel.release()
    >>> panel.picture
    A nudge of 0.01 at w = 2, x = 5: 0.03 comes through a and 0.07 through b, 0.1 together. Truly y grows by 0.1001.
    The gap is 0.0001.
    """
    check_lang(lang)
    return Rivers(float(w), float(x), nudge, lang)


class Rivers(Panel):
    """What `rivers` makes."""

    def __init__(self, w: float, x: float, nudge: float, lang: str):
        import ipywidgets as widgets

        super().__init__({"w": (min(-3.0, w), max(3.0, w), 0.5, w), "x": (min(-6.0, x), max(6.0, x), 0.5, x)})
        self.steepest = max(3.0, abs(w)) + max(6.0, abs(x))
        self.words, self.nudge, self.released = RIVERS[lang], nudge, False
        self.first_nudge = nudge
        self.flows = start = measure(w, x, nudge)
        told = dict(w=plain(w), x=plain(x), nudge=plain(nudge), nudged=plain(w + nudge), next=plain(w + 1))
        told |= dict(a=plain(start.a), b=plain(start.b), gap=plain(start.gap), da=plain(w + x), db=plain(w + 1))
        beliefs = {
            measure(w, x, 1.0).truth: "unit",
            nudge: "nudge",
            start.y + start.truth: "new y",
            start.grad: "slope",
            start.b: "b alone",
            start.a: "a alone",
        }
        self.question = predict(
            self.words["question"].format(**told),
            lambda: start.truth,
            {number: self.words[why].format(**told) for number, why in beliefs.items()},
            because=self.words["press"],
            lang=lang,
        )
        self.told = self.words["because"].format(**told)
        self.question.show.description = self.words["release"]
        self.question.show.layout.width = "auto"
        self.question.show.on_click(lambda _: self.release())
        self.smaller_button = button(self.words["smaller"], self.smaller, disabled=True)
        self.again_button = button(self.words["again"].format(**told), self.again, disabled=True)
        self.put_on_top(self.question.widget, widgets.HBox([self.smaller_button, self.again_button]))
        self.refresh()

    def guess(self, said: str) -> str:
        """Say by how much y will grow; the answer tells what may be behind a wrong one."""
        return self.question.check(said)

    def release(self) -> None:
        """Show what each river brings, once something has been predicted."""
        if self.question.tried:
            self.released = True
            self.question.because = self.told
            self.question.reveal()
            self.smaller_button.disabled = self.again_button.disabled = False
            self.refresh()

    def smaller(self) -> None:
        """Nudge w by a tenth of what it was; later only noughts would be added to what there is to see."""
        self.nudge = max(self.nudge / 10, 1e-4)
        self.refresh()

    def again(self) -> None:
        """Back to the first nudge."""
        self.nudge = self.first_nudge
        self.refresh()

    def says(self, w: float, x: float) -> str:
        told = self.words["run"].format(run=self.runs, w=plain(w), x=plain(x), y=plain(self.flows.y))
        return f"{told}, w.grad = {plain(self.flows.grad)}" if self.released else told

    def draw(self, w: float, x: float) -> Sketch:
        self.flows = flows = measure(w, x, self.nudge)
        if not self.released:
            hidden = [part for x in (460, 548) for part in question_mark(x)]
            return Sketch([*self._map(None), *hidden], SIZE, title=self.words["title"], alt=self.words["masked"])
        numbers = dict(w=w, x=x, nudge=self.nudge, a=flows.a, b=flows.b, both=flows.both, truth=flows.truth)
        told = {name: plain(number) for name, number in numbers.items()} | {"gap": plain(flows.gap, 3)}
        parts = [*self._map(flows), *self._bars(flows)]
        return Sketch(parts, SIZE, title=self.words["title"], alt=self.words["alt"].format(**told))

    def _map(self, flows: Flows | None) -> Iterator[Element]:
        """w, a, b, y and the water between them, as wide as what it brings; without `flows`, dry beds."""
        for name, place, fill, down in (("a", A, SKY, -1), ("b", B, ORANGE, 1)):
            brings = getattr(flows, name) if flows else 0.0
            wide = WIDEST / (abs(self.nudge) * self.steepest)  # a unit; the same at every place of the sliders
            yield from river(W, place, wide * self.nudge if flows else 0.0, fill)
            aside = down * wide * abs(flows.b if down < 0 else flows.a) / 2 if flows else 0.0
            yield from river(place, (Y[0], Y[1] + aside), wide * brings, fill)
            words = self.words["through"].format(name)
            line = f"{words}: {plain(brings) if flows else '?'}{' ' + self.words['takes'] if brings < 0 else ''}"
            yield text(line, (place[0] + Y[0]) / 2 + 12, place[1] + (70 if down > 0 else -40), WORD, "ink", at="middle")
        for name, (x, y) in dict(w=W, a=A, b=B, y=Y).items():
            leaf = name == "w"
            box = dict(x=x - HALF[0], y=y - HALF[1], width=2 * HALF[0], height=2 * HALF[1], rx=12 if leaf else 0)
            yield element("rect", **box, **colours(SKY if leaf else "paper", "ink", 3 if leaf else 1.5))
            yield text(name, x, y + 7, NAME, BLACK if leaf else "ink", at="middle", mono=True, bold=True)
        yield text(f"+{plain(self.nudge)}", W[0], W[1] + 46, WORD, "ink", at="middle", mono=True)
        grown = plain(flows.truth, signed=True) if flows else "+ ?"
        yield text(grown, Y[0] - HALF[0] + 2, Y[1] + 46, WORD, "ink", mono=True)

    def _bars(self, flows: Flows) -> Iterator[Element]:
        """What both bring, stacked, beside what is true; and what is missing, under a lens. What is below 0 hangs."""
        both = flows.both
        ends = (0.0, flows.a, both, flows.truth)
        lens = min(flows.gap * LENS, max(*map(abs, ends), abs(self.nudge)))
        low, high = min(*ends, lens), max(*ends, lens)
        scale = HIGH / ((high - low) or 1.0)
        # One on top of the other; where one river takes away what the other brings, side by side, else one hides one
        wide, aside = (56, 0) if flows.a * flows.b >= 0 else (28, 28)
        stack = [(460, wide, 0.0, flows.a, SKY), (460 + aside, wide, flows.a, both, ORANGE)]
        for x, width, start, end, fill in [*stack, (548, 56, 0.0, flows.truth, "paper"), (636, 56, 0.0, lens, "ink")]:
            top, height = BASE - (max(start, end) - low) * scale, abs(end - start) * scale
            yield element("rect", x=x, y=top, width=width, height=height, **colours(fill, "ink", 1.5))
            if fill not in ("paper", "ink") and height > 20 and not aside:
                yield text(plain(end - start), x + 28, top + height / 2 + 5, WORD, BLACK, at="middle", mono=True)
        zero = BASE + low * scale
        yield text(self.words["lens"], 664, zero - max(lens, 0.0) * scale - 7, TAG, "muted", at="middle")
        yield element("path", d=path("M", 448, zero, "H", SIZE[0] - 12), **colours("none", "ink", 1))
        numbers = (("together", plain(both)), ("truth", plain(flows.truth)), ("gap", plain(flows.gap, 3)))
        for x, (word, number) in zip((488, 576, 664), numbers, strict=True):
            yield text(self.words[word], x, BASE + 38, TAG, "muted", at="middle")
            yield text(number, x, BASE + 20, TAG, "ink", at="middle", mono=True)


def river(start: tuple[float, float], end: tuple[float, float], width: float, fill: str) -> Iterator[Element]:
    """A curve from the right of one box to the left of another: water between two banks, or a dry bed.

    A width below 0 is water that takes away: a broken line runs down its middle.
    """
    (x, y), (to_x, to_y) = (start[0] + HALF[0], start[1]), (end[0] - HALF[0], end[1])
    middle = (x + to_x) / 2
    course = path("M", x, y, "C", middle, y, middle, to_y, to_x, to_y)
    if abs(width) < 0.5:
        yield element("path", d=course, stroke_dasharray="5 5", **colours("none", "muted", 2))
        return
    yield element("path", d=course, **colours("none", "ink", abs(width) + 3))
    yield element("path", d=course, **colours("none", fill, abs(width)))
    if width < 0:
        yield element("path", d=course, stroke_dasharray="9 7", **colours("none", BLACK, 2))


def question_mark(x: float) -> Iterator[Element]:
    """Where a bar will stand."""
    dashes = {"stroke_dasharray": "5 5", **colours("none", "muted", 2)}
    yield element("rect", x=x, y=BASE - HIGH, width=56, height=HIGH, **dashes)
    yield text("?", x + 28, BASE - HIGH / 2 + 12, 34, "muted", at="middle")
