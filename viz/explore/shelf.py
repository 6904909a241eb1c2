"""`viz.explore.shelf()`: a short program runs line by line beside its memory; the reader predicts what backward does.

× saves w and notes its version. Then t is made in one of five ways and changed in place, and backward is right, stops
with an error, or is silently wrong. The lamp that tells which lights up only after a prediction.

Read panel.py and storages.py first, and tags.py, which draws the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..alive import only, shown_before, weak
from ..drawing.letters import TAG, rect, text
from ..drawing.svg import Element, element
from ..graph.memory import version
from ..lesson.predict import Prediction
from ..locale import language
from .leaving import Button, Leaving, Slider, Switch, frame
from .leaving import question as on_page
from .panel import NARROWEST, Panel, Sketch, button, choice, in_a_row
from .storages import stores_of
from .tags import Tags
from .words import SHELF, STORAGES, plain

LAST = 5  # the line that runs backward
ROW, ASIDE, HIGH, NARROWER = 25, 276, 324, 110  # pixels: of a row of code, of all code, the height; see tags.py


@dataclass(frozen=True)
class Way:
    """A way to make t: its code, and the code that then changes t in place; two functions that do it."""

    makes: str
    changes: tuple[str, ...]
    make: Callable[[Any], Any]
    change: Callable[[Any], Any] = lambda t: t.add_(1)


ADD = ("with torch.no_grad():", "    t.add_(1)")
WAYS = {
    "detach": Way("t = w.detach()", ADD, lambda w: w.detach()),
    "data": Way("t = w.data", ADD, lambda w: w.data),
    "view": Way("t = w.view(1)", ADD, lambda w: w.view(1)),
    "clone": Way("t = w.clone()", ADD, lambda w: w.clone()),
    "numpy": Way("t = w.detach().numpy()", ("t += 1",), lambda w: w.detach().numpy(), lambda t: t.__iadd__(1)),
}


def shelf(*, lang: str | None = None) -> Shelf:
    """Line by line: w is saved by ×, then changed through t. Is the gradient right, an error, or silently wrong?

    lang: a language with catalogues.
    From code: `choose("data")` makes t in another way, `sliders["line"].value = 4` or `step()` runs to a line,
    `guess("an error")` predicts, `show()` gives up; then `outcome`, `result` and `stores`.

    >>> panel = shelf()
    >>> panel.choose("data")
    >>> panel.guess("an error")
    '✗ an error. The backward pass compares the counter of `w` with the value that × noted. Do the two differ?'
    >>> panel.outcome
    ''
    >>> _ = panel.guess("a silently wrong gradient")
    >>> panel.outcome, panel.result
    ('wrong', 'w.grad = 8, should be 6')
    """
    return Shelf(language(lang))


@dataclass(frozen=True)
class Ran:
    """The program up to a line: its tensors, the version that × noted, the lamp, and the gradient or the error."""

    tensors: dict[str, Any]
    noted: int | None = None
    lamp: str = ""
    told: str = ""


def run(way: Way, line: int, should: str) -> Ran:
    """Run the program up to `line`. should: the words for a wrong gradient and the right one."""
    import minigrad as torch

    w = torch.tensor([3.0], requires_grad=True)
    tensors = {"w": w}
    if line < 2:
        return Ran(tensors)
    y, noted = w * w, version(w)
    if line > 2:
        t = way.make(w)
        tensors["t"] = t if hasattr(t, "requires_grad") else torch.from_numpy(t)
        if line > 3:
            with torch.no_grad():  # a leaf that requires grad must not be changed otherwise
                way.change(t)
    if line < LAST:
        return Ran(tensors, noted)
    try:
        (grad,) = torch.autograd.grad(y, w)
    except RuntimeError as error:
        return Ran(tensors, noted, "error", str(error).partition(" Hint")[0])
    true = 6.0  # the derivative of w * w at w = 3, where y was computed
    if grad.item() == true:
        return Ran(tensors, noted, "right", f"w.grad = {plain(true)}")
    return Ran(tensors, noted, "wrong", should.format(plain(grad.item()), plain(true)))


class Guess(Prediction):
    """A prediction that knows whether it is over: answered right, or given up."""

    done = False

    def reveal(self) -> str:
        self.done = True
        return super().reveal()

    def _say(self, kind: str, text: str) -> str:
        self.done = self.done or kind == "right"
        return super()._say(kind, text)


class Shelf(Panel):
    """The panel that `shelf` returns."""

    def __init__(self, lang: str):
        import ipywidgets as widgets

        super().__init__({"line": (1, LAST, 1, 1)})
        self.lang, self.words, self.way, self.outcome, self.result = lang, SHELF[lang], "detach", "", ""
        self.sliders["line"].description = self.words["line"]
        self.lamps = {lamp: STORAGES[lang][lamp] for lamp in ("right", "error", "wrong")}
        self.questions: dict[str, Guess] = {}
        self.switch = choice([(way.makes, name) for name, way in WAYS.items()], self.choose)
        self.next = button(self.words["next"], self.step)
        self.asked = widgets.VBox()
        run_lines = in_a_row(self.next, self.sliders["line"])
        self.root.children = (self.switch, run_lines, self.status, self.shown, self.asked)
        last = [(old.way, old.sliders["line"].value) for old in shown_before(Shelf)][-1:]
        for way, line in last or [(self.way, 1)]:  # if this cell is run again, it goes on where the reader was
            self.choose(way)
            self.sliders["line"].value = line

    @property
    def question(self) -> Guess:
        """The question about the chosen way."""
        if self.way not in self.questions:
            asked = self.questions[self.way] = self._asks(self.way)
            asked.feedback.observe(only(self.refresh), "value")
        return self.questions[self.way]

    def _asks(self, name: str) -> Guess:
        way, lamps = WAYS[name], self.lamps
        wrong = {
            "clone": {"error": "box", "wrong": "box"},
            "data": {"right": "shared", "error": "unnoticed"},
            "numpy": {"right": "shared", "error": "unnoticed"},
        }.get(name, {"right": "shared", "wrong": "version"})
        return Guess(
            self.words["question"].format(way.makes, way.changes[-1].strip()),
            partial(weak(self._truth), name),
            {lamps[lamp]: self.words[f"belief {belief}"] for lamp, belief in wrong.items()},
            self.words[f"because {name}"],
            [*lamps.values()],
            self.lang,
        )

    def _truth(self, name: str) -> str:
        return self.lamps[run(WAYS[name], LAST, "").lamp]

    def choose(self, way: str) -> None:
        """Make t in another way."""
        self.way = way
        self.switch.value = way
        self.refresh()

    def step(self) -> None:
        """Run the next line; after the last one, begin again."""
        line = self.sliders["line"]
        line.value = line.value % LAST + 1

    def guess(self, said: str) -> str:
        """Run to the last line, and predict what backward does."""
        self.sliders["line"].value = LAST
        return self.question.check(said)

    def show(self) -> str:
        """Give up: run to the last line, and light the lamp."""
        self.sliders["line"].value = LAST
        return self.question.reveal()

    def leaves(self) -> Leaving:
        """Each way to make t, each line, and the last one before and after the prediction."""
        panel = Shelf(self.lang)
        page = Leaving(STORAGES[self.lang]["title"], self.lang, {})
        page.controls = [
            Switch("way", [way.makes for way in WAYS.values()]),
            Button("step", self.words["next"]),
            Slider("line", self.words["line"], LAST, [str(line) for line in range(1, LAST + 1)]),
        ]
        told, picture = page.part("told", "line"), page.part("picture", "way", "line", "done.{way}")
        moves, asks = page.part("moves", "line"), page.part("asks", "way", "line")
        for at in range(LAST):
            moves.contents[(at,)] = page.move("step", ("line", at + 1)) if at + 1 < LAST else ""
        for i, panel.way in enumerate(WAYS):
            panel.sliders["line"].value = LAST
            one = panel.question
            asks.contents[i, LAST - 1] = page.asks(on_page(one, done=[("done.{way}", 1)]))
            for at in range(LAST):
                for done in range(2):
                    one.done = bool(done)
                    told.contents[(at,)], picture.contents[i, at, done] = frame(panel, line=at + 1)
        return page

    def says(self, line: int) -> str:
        return self.words[f"says {line}"]

    def draw(self, line: int) -> Sketch:
        question, asks = self.question, line == LAST
        self.asked.children = (question.root,) if asks else ()
        self.next.description = self.words["first" if asks else "next"]
        ran = run(WAYS[self.way], line, self.words["should"])
        self.outcome, self.result = (ran.lamp, ran.told) if question.done else ("", "")
        words = STORAGES[self.lang]
        saved, *others = stores_of(ran.tensors, words, set())
        if self.way == "numpy":  # the tensor on the array's memory stands for the array, which counts nothing
            array = [replace(tag, kind=words["array"], version=None) if tag.name == "t" else tag for tag in saved.tags]
            saved = replace(saved, tags=tuple(array))
        self.stores = [replace(saved, noted=ran.noted), *others]
        lamp = (self.outcome or "?") if asks else ""
        memory = Tags(self.stores, words, lamp, self.result, high=HIGH, narrower=NARROWER)
        rows = self._code()
        ran_to = self.words["ran"].format(" ".join(row.strip() for row in rows[line - 1]))
        title, code = self.words["title"].format(line), [*self._rows(rows, line)]
        bottom = 32 + ROW * sum(map(len, rows)) + 8 * LAST
        parts = [*memory.parts()]
        self.halves = [
            Sketch(code, (ASIDE, bottom), title=title, alt=ran_to),
            Sketch(parts, memory.size, title=title, alt=memory.alt),
        ]
        beside = element("g", *parts, transform=f"translate({ASIDE} 0)")
        return Sketch([*code, beside], (ASIDE + memory.size[0], HIGH), title=title, alt=f"{ran_to}. {memory.alt}")

    def _code(self) -> list[tuple[str, ...]]:
        """The rows of each line of the program."""
        way = WAYS[self.way]
        return [
            ("w = torch.tensor([3.0],", "        requires_grad=True)"),
            ("y = w * w",),
            (way.makes,),
            way.changes,
            ("y.backward()", "print(w.grad)"),
        ]

    def _rows(self, code: list[tuple[str, ...]], line: int) -> list[Element]:
        """The code; a frame around the line that has just run, and the lines below it in grey."""
        drawn, top = list[Element](), 22
        for number, rows in enumerate(code, 1):
            if number == line:
                drawn.append(rect(8, top, ASIDE - 12, ROW * len(rows) + 4, "none", "ink", 2, rx=4))
            colour = "ink" if number <= line else "muted"
            drawn.append(text(str(number), 24, top + 19, TAG, "muted", at="end"))
            for i, row in enumerate(rows):
                indent = len(row) - len(row.lstrip())
                x = 34 + 8.4 * indent  # a letter's width
                drawn.append(text(row.strip(), x, top + 19 + ROW * i, TAG, colour, mono=True, bold=number == line))
            top += ROW * len(rows) + 8
        return drawn

    def on_page(self) -> str:
        """The code with the memory beside it, or below it if there is no room for both."""
        code, memory = (half.svg for half in self.halves)
        shrinks = f"flex:1 1 {NARROWEST}px;max-width:{self.halves[1].size[0]}px;min-width:0"
        parts = f'<div style="max-width:100%">{code}</div><div style="{shrinks}">{memory}</div>'
        return f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{parts}</div>'
