"""A small picture of each lesson, the one thing that is not forgotten of it; README's map of the lessons shows them.

record_draw.py writes them, as lessons/NN.svg. The shapes and colours are those of every picture here (viz/drawing/
legend.py); the numbers are not those that a lesson asks for, and what it asks for is a question mark.
Read next: record_draw.py.
"""

from collections.abc import Callable, Iterator

from viz.drawing.legend import BLACK, BLUE, ORANGE, PURPLE, SKY, VERMILION, YELLOW
from viz.drawing.letters import colours, text
from viz.drawing.svg import Element, element, path
from viz.explore.panel import Sketch

WIDTH, HEIGHT = 240, 176  # pixels; README shows them at three quarters of that
SMALL, PLAIN, LARGE = 13, 15, 19  # sizes of text
Point = tuple[float, float]


def box(x: float, y: float, width: float, height: float, fill: str = "paper", border: float = 1.5, **more) -> Element:
    """A value: square, and rounded with a strong border if it is a leaf."""
    round_ = 7 if border == 3 else None
    return element("rect", x=x, y=y, width=width, height=height, rx=round_, **colours(fill, "ink", border), **more)


def leaf(name: str, x: float, y: float, width: float = 44, height: float = 34) -> Iterator[Element]:
    yield box(x, y, width, height, SKY, 3)
    yield word(name, x + width / 2, y + height / 2 + 6, BLACK, LARGE, mono=True)


def value(name: str, x: float, y: float, width: float = 40, height: float = 32, **more) -> Iterator[Element]:
    yield box(x, y, width, height, **more)
    yield word(name, x + width / 2, y + height / 2 + 6, size=LARGE, mono=True)


def circle(sign: str, x: float, y: float, radius: float = 15) -> Iterator[Element]:
    yield element("circle", cx=x, cy=y, r=radius, **colours("paper", "ink", 1.5))
    yield word(sign, x, y + 6, size=LARGE)


def word(words: str, x: float, y: float, colour: str = "ink", size: float = SMALL, **more) -> Element:
    return text(words, x, y, size, colour, **{"at": "middle", **more})


def line(*points: Point, colour: str = "ink", width: float = 1.5, dashes: str | None = None) -> Element:
    """A line through these points."""
    steps = [step for i, point in enumerate(points) for step in ("L" if i else "M", *point)]
    return element("path", d=path(*steps), stroke_dasharray=dashes, **colours("none", colour, width))


def arrow(start: Point, end: Point, colour: str = "ink", width: float = 1.5, dashes: str | None = None):
    """A line with a filled head."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    foot = end[0] - 9 * x, end[1] - 9 * y
    yield line(start, foot, colour=colour, width=width, dashes=dashes)
    corners = (foot[0] - 4 * y, foot[1] + 4 * x), (foot[0] + 4 * y, foot[1] - 4 * x)
    yield element("path", d=path("M", *end, "L", *corners[0], "L", *corners[1], "Z"), **colours(colour))


def rectangle() -> Iterator[Element]:
    left, right, top, bottom, grown = 52, 178, 74, 138, 22
    for x, y, width, height, fill in (
        (right, top, grown, bottom - top, SKY),
        (left, top - grown, right - left, grown, SKY),
        (right, top - grown, grown, grown, "ink"),
    ):
        yield element("rect", x=x, y=y, width=width, height=height, **colours(fill))
    yield element("rect", x=left, y=top, width=right - left, height=bottom - top, **colours("paper", "ink", 2))
    yield word("w + x", (left + right) / 2, bottom + 19, size=PLAIN, mono=True)
    side = word("w + 1", 0, 0, size=PLAIN, mono=True)
    yield element("g", side, transform=f"translate({left - 12} {(top + bottom) / 2}) rotate(-90)")
    yield word("y", (left + right) / 2, (top + bottom) / 2 + 6, size=LARGE, mono=True)


def ledger() -> Iterator[Element]:
    yield from leaf("w", 16, 54, 52, 100)
    yield box(92, 50, 132, 108)
    for y, said, number in ((77, "from a", "+ 5"), (109, "from b", "+ 3"), (146, "w.grad", "8")):
        yield text(said, 102, y, SMALL, "muted")
        yield text(number, 214, y, PLAIN, "ink", at="end", mono=True, bold=True)
        yield from arrow((92, y - 5), (73, y - 5), VERMILION, 2) if number != "8" else ()
    yield line((92, 90), (224, 90), colour="muted", width=1)
    yield line((92, 122), (224, 122), width=2)


def why_none() -> Iterator[Element]:
    for x, name, kind, kept in ((14, "w", "LEAF", "?"), (90, "a", "", "?"), (166, "x", "CONST", "None")):
        if kind == "LEAF":
            yield box(x, 52, 60, 74, SKY, 3)
        else:
            yield box(x, 52, 60, 74, border=1.5 if name == "a" else 1)
        ink = BLACK if kind == "LEAF" else "ink"
        yield word(name, x + 30, 78, ink, LARGE, mono=True, bold=True)
        yield word(".grad", x + 30, 98, BLACK if kind == "LEAF" else "muted")
        yield word(kept, x + 30, 118, ink, PLAIN, mono=True)
        yield word(kind or "passes", x + 30, 146, "muted")
    yield from arrow((90, 160), (76, 160), VERMILION)
    yield line((150, 160), (90, 160), colour=VERMILION)


def row_and_column() -> Iterator[Element]:
    def grid(x: float, y: float, rows: int, columns: int, lit: Callable[[int, int], bool]) -> Iterator[Element]:
        for i in range(rows):
            for j in range(columns):
                fill = YELLOW if lit(i, j) else "paper"
                yield element("rect", x=x + 20 * j, y=y + 20 * i, width=20, height=20, **colours(fill, "ink", 1.5))

    yield from grid(16, 60, 4, 3, lambda i, j: i == 2)
    yield word("@", 94, 106, size=LARGE)
    yield from grid(110, 70, 3, 2, lambda i, j: j == 1)
    yield word("=", 166, 106, size=LARGE)
    yield from grid(182, 60, 4, 2, lambda i, j: (i, j) == (2, 1))
    yield word("X", 46, 160, size=PLAIN)
    yield word("W", 130, 160, size=PLAIN)
    yield word("y", 202, 160, size=PLAIN)


def axes(below: str, beside: str) -> Iterator[Element]:
    yield line((36, 46), (36, 148), (226, 148))
    yield word(below, 131, 166, "muted")
    yield word(beside, 40, 48, "muted", at="start")


def draw_the_curve() -> Iterator[Element]:
    yield from axes("iteration", "loss")
    falls = ((40, 60), (52, 88), (68, 108), (92, 124), (124, 134), (164, 140), (222, 143))
    yield line(*falls, colour=BLUE, width=2.5)
    yield word("zero_grad", 192, 132)
    yield line((40, 60), (62, 82), colour=PURPLE, width=2.5, dashes="7 5")
    yield word("?", 100, 92, size=34, bold=True)
    yield word("if forgotten", 164, 86)


def shelf() -> Iterator[Element]:
    yield box(118, 50, 106, 74)
    yield word("3.0   5.0", 171, 78, size=PLAIN, mono=True)
    for i, digit in enumerate("001"):
        yield box(145 + 18 * i, 92, 16, 20)
        yield word(digit, 153 + 18 * i, 107, mono=True)
    yield word("version", 171, 142, "muted")
    for y, name in ((44, "w"), (82, "w.view"), (120, "w.data")):
        leafy = name == "w"
        yield box(12, y, 72, 28, *((SKY, 3) if leafy else (ORANGE, 1.5) if name == "w.data" else ("paper", 1.5)))
        yield word(name, 48, y + 19, "ink" if name == "w.view" else BLACK, PLAIN, mono=True)
        yield line((84, y + 14), (118, 90), colour="muted", dashes="3 3")
    yield word("right, error, or silently wrong?", 120, 168, "muted", 12)


def kink() -> Iterator[Element]:
    yield line((16, 140), (120, 140), (196, 64), colour=BLUE, width=3)
    yield line((16, 146), (226, 146), colour="muted", width=1)
    for end, said, place in (
        ((172, 140), "0", (182, 144)),
        ((166, 120), "½", (178, 120)),
        ((157, 103), "1", (150, 92)),
    ):
        yield line((120, 140), end, colour=VERMILION, width=2, dashes="5 4")
        yield word(said, *place, size=PLAIN, bold=True)
    yield element("circle", cx=120, cy=140, r=5, **colours("paper", "ink", 1.5))
    yield word("slope at 0 ?", 74, 96, size=PLAIN)
    yield word("h", 222, 164, "muted", PLAIN)


def accordion() -> Iterator[Element]:
    for t in range(4):
        x = 14 + 58 * t
        yield from value(f"h{'₀₁₂₃'[t]}", x, 52, 38)
        if t:
            yield from arrow((x - 20, 68), (x, 68))
            yield from arrow((120, 130), (x + 19 - 3, 86))
    yield from leaf("U", 98, 128)
    yield word("one leaf", 52, 150, "muted", 12)
    yield word("many arrows", 191, 150, "muted", 12)


def scissors() -> Iterator[Element]:
    wave = [0, 9, 17, 22, 24, 22, 17, 9, 0, -9, -17, -22, -24, -22, -17, -9]
    yield line(*((16 + 6.6 * i, 72 - wave[i % 16]) for i in range(32)), colour=BLUE, width=2.5)
    yield line((120, 42), (120, 158), dashes="4 4")
    yield word("✂", 120, 122, size=26, halo=True)
    for i, high in enumerate((0, 0, 0, 0, 12, 20, 32, 46)):
        x = 18 + 26 * i
        yield element("rect", x=x, y=158 - max(high, 2), width=16, height=max(high, 2), **colours(VERMILION))
    yield word("gradient", 62, 148, "muted")


def crime_scene() -> Iterator[Element]:
    lines = ("a = x @ w", "b = a ** 2", "a -= 4", "loss = b.sum()", "loss.backward()")
    for i, said in enumerate(lines):
        y = 60 + 24 * i
        yield text(str(i + 1), 14, y, SMALL, "muted", mono=True)
        yield text(said, 32, y, PLAIN, "ink", mono=True)
    for y, said, colour in ((84, "saved?", PURPLE), (108, "changed?", VERMILION)):
        yield from arrow((170, y - 5), (144, y - 5), colour, 2)
        yield text(said, 172, y, SMALL, "ink")


def still_machine() -> Iterator[Element]:
    yield from arrow((52, 72), (88, 92))
    yield from arrow((52, 140), (88, 108))
    yield from arrow((119, 95), (160, 79))
    yield from arrow((118, 100), (166, 132), "muted", dashes="4 4")
    yield box(12, 56, 40, 32, YELLOW)
    yield word("x", 32, 78, BLACK, LARGE, mono=True)
    yield box(12, 124, 40, 32, YELLOW)
    yield word("w", 32, 146, BLACK, LARGE, mono=True)
    yield element("circle", cx=103, cy=100, r=16, **colours(YELLOW, "ink", 1.5))
    yield word("×", 103, 106, BLACK, LARGE)
    yield element("circle", cx=186, cy=68, r=27, **colours("none", BLUE, 4))
    yield box(168, 53, 36, 30, YELLOW)
    yield word("y", 186, 75, BLACK, LARGE, mono=True)
    yield from value("z", 168, 117, 36, 30, stroke_dasharray="4 3")
    yield word("fetched", 186, 112, "muted")
    yield word("does not run", 186, 164, "muted")


def break_even() -> Iterator[Element]:
    yield from axes("calls", "time")
    yield line((36, 148), (220, 56), colour=BLUE, width=2.5)
    yield line((36, 116), (220, 80), colour=PURPLE, width=2.5)
    yield line((130, 101), (130, 148), colour="muted", dashes="4 4")
    yield word("?", 130, 92, size=24, bold=True)
    yield text("each time", 168, 60, SMALL, "ink", at="end")
    yield text("built once", 222, 104, SMALL, "ink", at="end")


def yours() -> Iterator[Element]:
    names = ("call", "record", "gradients", "run", "fit", "arrive", "no_grad", "backward")
    for i, name in enumerate(names):
        x, y = 16 + 112 * (i // 4), 62 + 24 * (i % 4)
        yield text("✓", x, y, PLAIN, "ink", bold=True)
        yield text(name, x + 20, y, PLAIN, "ink", mono=True)
    yield word("eight functions, and it trains a net", 120, 164, "muted", 12)


CARDS = {  # lesson: its heading, what is drawn below, and what that is in words
    1: ("The rectangle", rectangle, "y is the area of a rectangle: when w grows, it gains two strips and a corner"),
    2: ("The ledger", ledger, "the leaf w and its account book: 5 from a and 3 from b make w.grad 8"),
    3: ("Why is it None?", why_none, "three boxes: the leaf w, a and the constant x: whose .grad is None?"),
    4: ("Row and column", row_and_column, "X @ W = y: a row of X and a column of W light up with one entry of y"),
    5: ("Draw the curve", draw_the_curve, "a falling loss, and a question mark: the loss when zero_grad is forgotten"),
    6: ("The shelf", shelf, "w, w.view and w.data hang on one box of numbers, whose version counter reads 1"),
    7: ("The kink", kink, "ReLU at 0: is its slope 0, one half or 1?"),
    8: ("The accordion", accordion, "four states of a recurrent net, and one leaf U with an arrow to each step"),
    9: ("Scissors", scissors, "a curve cut in two: behind the cut the bars of the gradient are gone"),
    10: ("The crime scene", crime_scene, "five lines of code and two pins: saved here? changed here?"),
    11: ("The still machine", still_machine, "y is fetched: what it needs lights up, and z does not run"),
    12: ("Break-even", break_even, "two lines cross: computed each time, and built once; after how many calls?"),
    13: ("Yours", yours, "eight functions, ticked off: call, record, gradients, run, fit, arrive, no_grad, backward"),
}


def cards() -> Iterator[tuple[str, str]]:
    """Pairs (file name, SVG)."""
    for number, (heading, draw, alt) in CARDS.items():
        frame = element("rect", x=0.5, y=0.5, width=WIDTH - 1, height=HEIGHT - 1, rx=8, **colours("none", "muted", 1))
        head = text(f"{number}  {heading}", 14, 27, 17, "ink", bold=True)
        sketch = Sketch([frame, head, *draw()], (WIDTH, HEIGHT), title=f"Lesson {number}: {heading}", alt=alt)
        yield f"lessons/{number:02}.svg", sketch.svg
