"""`viz.explore.row_and_column(X, G)`: which numbers make one entry of a layer's gradient.

The layer is y = X @ W + b, and `G` is the gradient that has arrived at y. The reader chooses an entry of `W.grad` or
`b.grad` by pointing at it, by touch or with the arrow keys. Its row of Xᵀ and its column of G light up, and the
products and their sum are written below. For an entry of `b.grad`, the copies of b that broadcasting made fold back
into one. Both gradients come from `y.backward(G)`.

The script has all entries in one picture, so it answers a movement without the kernel.
Read panel.py first, and cells.js for the page's side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..alive import chosen, close
from ..beside import text_of
from ..drawing.legend import BLACK, YELLOW
from ..drawing.letters import NAME, NUMBER, TAG, WORD, colours, rect, text, text_width
from ..drawing.svg import Element, element
from ..front import AWAKE, SAVES
from ..locale import language, room
from .motion import STYLE as MOTION
from .motion import plate
from .panel import Panel, Sketch
from .words import plain

CELL, ROW = 48, 36  # pixels: the smallest width of an entry, and its height
PAD = 7  # pixels at each side of a number in its entry
EDGE, ACROSS, BELOW = 20, 64, 46  # pixels: the margin, and the room between two tables
CODE = "y = X @ W + b", "y.backward(G)"
FOLD = 0.9  # seconds in which the copies of b fold into one
Numbers = Sequence[Sequence[float]]

tr = room("explore")
WORDS = tr.table("row_and_column")


@cache
def _front() -> Any:
    import anywidget
    import traitlets

    class Cells(anywidget.AnyWidget):
        _esm = SAVES + text_of("explore/cells.js")
        _css = text_of("explore/cells.css") + AWAKE
        value = traitlets.Unicode("").tag(sync=True)  # the picture
        entry = traitlets.Unicode("").tag(sync=True)  # the chosen entry, such as "W 2 0"
        order: Any = traitlets.List().tag(sync=True)  # all entries, row by row

    return Cells


def row_and_column(X: Numbers | None = None, G: Numbers | None = None, *, lang: str | None = None) -> RowAndColumn:
    """Which numbers make one entry of `W.grad` or `b.grad`, for y = X @ W + b.

    X: a list of rows, one for each example. G: the gradient that arrives at y, with as many rows. Without them, X is
    (4, 3), and G is all ones. Lists of lists, arrays and tensors will do.
    lang: a language with catalogues.
    From code: `choose("W", 2, 0)`, `choose("b", 1)`.

    Raises ValueError if X and G have different numbers of rows, or more than six.

    >>> panel = row_and_column()
    >>> panel
    W.grad[2, 0] = 0·1 + 5·1 + 1·1 + 1·1 = 7. Row 2 of Xᵀ: 0, 5, 1, 1. Column 0 of G: 1, 1, 1, 1.
    >>> panel.choose("b", 1)
    >>> panel
    b.grad[1] = 1 + 1 + 1 + 1 = 4. The forward pass made 4 copies of b, one for each row of y. The backward pass
    sums their gradients, column 1 of G.
    """
    lang = language(lang)
    X = [[1, 2, 0], [0, 1, 5], [3, 0, 1], [1, 1, 1]] if X is None else X
    return RowAndColumn(X, [[1, 1] for _ in X] if G is None else G, lang)


class RowAndColumn(Panel):
    """The panel that `row_and_column` returns."""

    def __init__(self, X: Any, G: Any, lang: str):
        super().__init__({})
        self.lang, self.words = lang, WORDS[lang]
        self.X, self.G = (self._table(name, given) for name, given in (("X", X), ("G", G)))
        if len(self.X) != len(self.G):
            raise ValueError(self.words["rows"].format(rows=len(self.X), others=len(self.G)))
        self.W_grad, self.b_grad = gradients(self.X, self.G)
        self.x_cell = cell_width(self.X)
        self.g_cell = cell_width([*self.G, *self.W_grad, self.b_grad])
        wide, out = len(self.X[0]), len(self.G[0])
        self.order = [f"W {i} {j}" for i in range(wide) for j in range(out)] + [f"b {j}" for j in range(out)]
        close(self.shown)
        self.shown = _front()(entry=f"W {wide - 1} 0", order=self.order)
        self.status.layout.display = "none"
        self.root.children = (self.status, self.shown)
        self.page = self.sketch(self.entry, every=True).svg
        self.shown.observe(chosen(self._choose), "entry")
        self.refresh()

    def _table(self, name: str, given: Any) -> list[list[float]]:
        given = given.tolist() if hasattr(given, "tolist") else given
        try:
            rows = [[float(number) for number in row] for row in given]
        except (TypeError, ValueError, OverflowError):
            rows = []
        if not 1 <= len(rows) <= 6 or not 1 <= len(rows[0]) <= 6 or len({*map(len, rows)}) != 1:
            raise ValueError(self.words["table"].format(name=name))
        return rows

    @property
    def entry(self) -> str:
        return str(self.shown.entry)

    def choose(self, name: str, *place: int) -> None:
        """Light up the numbers that make `W.grad[i, j]`, or `b.grad[j]`: `choose("W", i, j)`, or `choose("b", j)`."""
        entry = " ".join(map(str, (name.removesuffix(".grad"), *place)))
        if entry not in self.order:
            raise KeyError(f"{entry}: the entries are {', '.join(self.order)}")
        self.shown.entry = entry

    def _choose(self, entry: str) -> None:
        if entry in self.order:
            self.refresh()

    def says(self) -> str:
        return ""

    def draw(self) -> Sketch:
        return self.sketch(self.entry)

    def on_page(self) -> str:
        """The picture with all entries, which does not change: the script lights up what belongs to one of them."""
        return self.page

    def __repr__(self) -> str:
        return repr(self.picture)

    def sketch(self, entry: str, *, every: bool = False) -> Sketch:
        """The picture in which `entry` is chosen; with `every`, what belongs to the others is there, but hidden."""
        words = {each: self.about(each) for each in self.order}
        longest = max(text_width(line, WORD, mono=True) for _, lines, _ in words.values() for line in lines)
        right = self._right() + max(self.g_cell * len(self.G[0]), text_width("W.grad", NAME))
        size = max(longest + EDGE, right) + EDGE, self._sum_top() + 106
        title = self.words["title"].format(entry=words[entry][0])
        return Sketch(self._parts(entry, words, every), size, title=title, alt=words[entry][2])

    def about(self, entry: str) -> tuple[str, list[str], str]:
        """The entry's name, the lines that are written below, and all of it in words."""
        name, *place = entry.split()
        *_, j = places = [*map(int, place)]
        column = [row[j] for row in self.G]
        called = f"{name}.grad[{', '.join(place)}]"
        if name == "b":
            terms = " + ".join(bracket(number) for number in column)
            total = written(self.b_grad[j])
            alt = self.words["b"].format(entry=called, terms=terms, sum=total, count=len(column), j=j)
            why = [self.words["forward"].format(count=len(column)), self.words["backward"].format(j=j)]
            return called, [f"{called} = {terms}", f"= {total}", *why], alt
        i = places[0]
        row = [each[i] for each in self.X]
        products = " + ".join(f"{bracket(x)}·{bracket(g)}" for x, g in zip(row, column, strict=True))
        terms = " + ".join(bracket(x * g) for x, g in zip(row, column, strict=True))
        total = written(self.W_grad[i][j])
        alt = self.words["W"].format(
            entry=called, products=products, sum=total, i=i, j=j, row=listed(row), column=listed(column)
        )
        return called, [f"{called} = {products}", f"= {terms} = {total}"], alt

    def _right(self) -> float:
        """The pixel at which G, W.grad and b.grad begin."""
        code = max(text_width(line, WORD, mono=True) for line in CODE)
        return EDGE + max(self.x_cell * len(self.X) + ACROSS, code + EDGE)

    def _sum_top(self) -> float:
        """The pixel above which all tables are."""
        return self._b_top() + ROW + 34

    def _b_top(self) -> float:
        return self._w_top() + ROW * len(self.X[0]) + BELOW

    def _w_top(self) -> float:
        return EDGE + 30 + ROW * len(self.G) + BELOW

    def _parts(self, entry: str, words: dict[str, tuple[str, list[str], str]], every: bool) -> Iterator[Element]:
        rows, wide, out = len(self.X), len(self.X[0]), len(self.G[0])
        left, right = EDGE, self._right()
        top, middle, low = EDGE + 30, self._w_top(), self._b_top()
        x_cell, g_cell = self.x_cell, self.g_cell
        if every:
            yield MOTION
        for line, code in enumerate(CODE):
            yield text(code, left, top + 24 + 26 * line, WORD, "ink", mono=True)
        for name, x, y in (("G", right, top), ("Xᵀ", left, middle), ("W.grad", right, middle), ("b.grad", right, low)):
            yield text(name, x, y - 10, NAME, "ink")
        yield text(self.words["factors"], left, low - 10, TAG, "muted")

        def cell(x: float, y: float, width: float, number: float, lights: Sequence[str], **more: Any) -> Element:
            said = written(number)
            lit = rect(x, y, width, ROW, YELLOW, "ink", 3.5)
            number_lit = text(said, x + width / 2, y + 25, NUMBER, BLACK, at="middle", mono=True, bold=True)
            parts = [
                element("rect", x=x, y=y, width=width, height=ROW, **colours("paper", "ink", 1.2), **more),
                text(said, x + width / 2, y + 25, NUMBER, "ink", at="middle", mono=True),
            ]
            if every or entry in lights:
                hidden = None if entry in lights else "none"
                parts.append(element("g", lit, number_lit, display=hidden, data_lights=",".join(lights)))
            return element("g", *parts)

        for k in range(rows):
            for j in range(out):
                lights = [*(f"W {i} {j}" for i in range(wide)), f"b {j}"]
                yield cell(right + g_cell * j, top + ROW * k, g_cell, self.G[k][j], lights)
            for i in range(wide):
                lights = [f"W {i} {j}" for j in range(out)]
                yield cell(left + x_cell * k, middle + ROW * i, x_cell, self.X[k][i], lights)
            lights = [f"b {j}" for j in range(out)]
            yield cell(left + x_cell * k, low, x_cell, 1, lights, stroke_dasharray="4 4")
        for each in self.order:
            name, *place = each.split()
            j = int(place[-1])
            i = int(place[0])
            x, y = right + g_cell * j, middle + ROW * i if name == "W" else low
            number = self.W_grad[i][j] if name == "W" else self.b_grad[j]
            chosen_ = {"role": "button", "tabindex": 0 if each == entry else -1} if every else {}
            yield element(
                "g", cell(x, y, g_cell, number, [each]), data_entry=each, aria_label=words[each][2], **chosen_
            )
        for each in self.order:
            if every or each == entry:
                lines = [
                    text(line, EDGE, self._sum_top() + 26 * at, WORD, "ink", mono=True, bold=at == 1)
                    for at, line in enumerate(words[each][1])
                ]
                if every and each[0] == "b":
                    j = int(each.split()[1])
                    centre = right + g_cell * (j + 0.5)
                    ways = [[(centre, top + ROW * (k + 0.5)), (centre, low + ROW / 2)] for k in range(rows)]
                    lines += [plate(way, written(self.G[k][j]), 0, FOLD, YELLOW, BLACK) for k, way in enumerate(ways)]
                yield element("g", *lines, display=None if each == entry else "none", data_told=each)


def gradients(X: Numbers, G: Numbers) -> tuple[list[list[float]], list[float]]:
    """`W.grad` and `b.grad` after `y.backward(G)`, where y = X @ W + b.

    >>> gradients([[0.0, 2.0], [5.0, 1.0]], [[1.0], [10.0]])
    ([[50.0], [12.0]], [11.0])
    """
    import minigrad as torch

    with torch.inference_mode(False), torch.enable_grad():  # another cell may have switched them
        W = torch.zeros(len(X[0]), len(G[0]), dtype=torch.float64, requires_grad=True)
        b = torch.zeros(len(G[0]), dtype=torch.float64, requires_grad=True)
        y = torch.tensor(X, dtype=torch.float64) @ W + b
        y.backward(torch.tensor(G, dtype=torch.float64))
    assert W.grad is not None and b.grad is not None
    return W.grad.tolist(), b.grad.tolist()


def written(number: float) -> str:
    """A number as it is written everywhere in this picture: with at most seven digits, and never "−0".

    >>> written(20004.67), written(-0.0), written(-1 / 3), written(12_345_678.0), written(1e-9)
    ('20004.67', '0', '−0.3333333', '1.234568e+7', '1e−9')
    """
    if number == 0 or 1e-4 <= abs(number) < 1e7 or not np.isfinite(number):
        return plain(number + 0.0)  # −0.0 + 0.0 is 0.0
    return np.format_float_scientific(number, 6, trim="-", exp_digits=1).replace("-", "−")


def cell_width(rows: Numbers) -> float:
    """The width of an entry in which each of the numbers has room."""
    widest = max(text_width(written(number), NUMBER, mono=True) for row in rows for number in row)
    return max(CELL, widest + 2 * PAD)


def bracket(number: float) -> str:
    """A number in a sum or a product: a negative one has brackets."""
    return f"({written(number)})" if number < 0 else written(number)


def listed(numbers: Sequence[float]) -> str:
    return ", ".join(map(written, numbers))
