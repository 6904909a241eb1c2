"""Lesson 1, y = (w + x)(w + 1): a slope measured by nudging, a backward pass put in order, and one written."""

from ..ask import Ask, probe
from ..task import Wrong, function, order


def _one_number(torch, random):
    yield (2.0,)
    yield (-1.5,)
    for w in random.uniform(0.5, 3.0, 3):
        yield (float(w),)


CUBE = "def slope_of_cube(w):\n    nudge = 0.001\n    return "

cube_slope = function(
    "cube_slope",
    task={
        "en": "Measure the slope of w · w · w: nudge w, see how far the product moves, and say how many times the "
        "nudge that is.",
        "zh": "测量 w · w · w 的斜率：推动 w，看乘积移动了多少，是推动量的几倍。",
    },
    gap=CUBE + "...",
    solution=CUBE + "((w + nudge) ** 3 - w**3) / nudge",
    points=_one_number,
    rel=0.01,  # however it was measured
    near=0.02,
    hints=[
        "Where is the product before the nudge? And where is it after?",
        "It moved by the difference of the two. How many times the nudge of 0.001 is that difference?",
        "After the nudge the product is (w + nudge) · (w + nudge) · (w + nudge).",
    ],
    wrong=[
        Wrong(
            CUBE + "(w * w * (w + nudge) - w * w * w) / nudge",
            "That nudges one w and leaves the others where they are. How many w's are there to nudge?",
        ),
        Wrong(CUBE + "(w + nudge) ** 3 - w**3", "So far does it move. How many times the nudge is that?"),
        Wrong(
            CUBE + "(w + 1) ** 3 - w**3", "That is a whole unit's step, and too far for a slope. The nudge is 0.001."
        ),
        Wrong(CUBE + "w**3", "That is the product itself. How far does it move when w does?"),
        Wrong(CUBE + "3 * w", "Three paths, yes. What is the nudge multiplied by along each of them?"),
        Wrong(CUBE + "(w**3 - (w + nudge) ** 3) / nudge", "The sign: where it is after the nudge, less where it was."),
    ],
    because="Three w's, three paths: along each the nudge is multiplied by the two other w's, and the three add up.",
)


def _two_numbers(torch, random):
    yield 2.0, 5.0
    yield -3.0, 1.0
    for w, x in random.uniform(-3.0, 3.0, (3, 2)):
        yield float(w), float(x)


by_hand = order(
    "backward_by_hand",
    task={
        "en": "Backward through y = (w + x)(w + 1), by hand: put the lines into an order that works. There are "
        "several.",
        "zh": "手工反向走过 y = (w + x)(w + 1)：把各行排成能运行的顺序。（不止一种。）",
    },
    frame="""
        def gradients(w, x):
            a = w + x
            b = w + 1
            {lines}
            return w_grad, x_grad
    """,
    lines=[
        "y_grad = 1",
        "a_grad = y_grad * b",
        "b_grad = y_grad * a",
        "w_grad = a_grad * 1 + b_grad * 1",
        "x_grad = a_grad * 1",
    ],
    points=_two_numbers,
    hints=[
        "Backward starts at y. Which line is about y alone?",
        "A line can run only when everything on its right is there.",
        "w waits for what comes through a and for what comes through b.",
    ],
    wrong=[
        Wrong(
            "",
            "Backward starts at y, and w comes last.",
            order=(3, 4, 1, 2, 0),
        ),
        Wrong("", "w is reached through a and through b: it has to wait for both.", order=(0, 1, 3, 2, 4)),
    ],
    because="y first, a and b in any order, then w and x: each once everything that it needs is there.",
)


SLOPES = "def slopes(w, x):\n    a = w * x\n    b = w + x  # and y = a * b\n"
GAP = SLOPES + "    w_slope = ...\n    x_slope = ...\n    return w_slope, x_slope"


def _slopes(w: str, x: str) -> str:
    return SLOPES + f"    w_slope = {w}\n    x_slope = {x}\n    return w_slope, x_slope"


two_paths = function(
    "two_paths",
    task={
        "en": "Another graph: a = w · x, b = w + x and y = a · b. Write both slopes of y.",
        "zh": "另一个图：a = w · x，b = w + x，y = a · b。写出 y 的两个斜率。",
    },
    gap=GAP,
    solution=_slopes("b * x + a * 1", "b * w + a * 1"),
    points=_two_numbers,
    hints=[
        "Draw it: how many paths lead from w to y? Which arrows are on each?",
        "From a to y the factor is b. From w to a, it is what w is multiplied by there.",
        "Through a: b · x. Through b: a · 1. Both lead to w.",
    ],
    wrong=[
        Wrong(
            _slopes("b", "a"),
            "That is how far y moves with a, and with b: the second half of each path. How far do these move with w?",
        ),
        Wrong(_slopes("b * x", "b * w"), "That is the path through a alone. There is another one, through b."),
        Wrong(_slopes("a", "a"), "That is the path through b alone. There is another one, through a."),
        Wrong(
            _slopes("b + a", "b + a"),
            "Both paths, yes. But a is w · x here: what is the factor on the arrow from w to a?",
        ),
        Wrong(_slopes("b * x * a", "b * w * a"), "Factors multiply along one path. Two paths add up."),
        Wrong(
            _slopes("b * w + a", "b * x + a"),
            "A product hands each factor the other one: on the arrow from w to a stands x.",
        ),
        Wrong(
            _slopes("x + 1", "w + 1"),
            "Those are the first arrows only. What are a and b multiplied by on their way to y?",
        ),
    ],
    because="Two paths to each of them; along a path the factors multiply, and where paths meet they add up.",
)


probe(
    1,
    "one path wins",
    before=Ask(
        ask="y = (w + x)(w + 1), at w = 2 and x = 5. A tiny nudge of w: how many times as far does y move?",
        choices={
            "3": "That is what comes through w + x alone.",
            "7": "That is what comes through w + 1 alone.",
            "10": "3 through one bracket and 7 through the other.",
            "21": "That is y itself.",
        },
        right="10",
        proof="""
w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(5.0, requires_grad=True)
((w + x) * (w + 1)).backward()
answer = f"{w.grad.item():g}"
""",
    ),
    after=Ask(
        ask="y = w · (w + 2), at w = 4. What is ∂y/∂w?",
        choices={
            "4": "That is the path through the bracket alone, whose factor is w.",
            "6": "That is the path of the w outside alone: its factor is the bracket.",
            "10": "6 for the w outside, 4 through the bracket: paths add up.",
            "24": "That is y itself; or the two paths multiplied. They add up.",
        },
        right="10",
        proof="""
w = torch.tensor(4.0, requires_grad=True)
(w * (w + 2)).backward()
answer = f"{w.grad.item():g}"
""",
    ),
)

probe(
    1,
    "a tensor is a spreadsheet cell",
    before=Ask(
        ask="What does this print?",
        code="""
w = torch.tensor(2.0)
y = w * 10
w = torch.tensor(3.0)
print(y.item())
""",
        choices={
            "20.0": "y was computed when its line ran; nothing runs again.",
            "30.0": "So a spreadsheet would do. Here y was computed when its line ran.",
            "an error": "There is nothing wrong with giving the name w to another tensor.",
        },
        right="20.0",
        proof="answer = str(y.item())",
    ),
    after=Ask(
        ask="And this?",
        code="""
x = torch.tensor(5.0)
w = torch.tensor(1.0)
a = w + x
x = torch.tensor(100.0)
y = a * 2
print(y.item())
""",
        choices={
            "12.0": "a was computed from the old x, and y from a.",
            "202.0": "Only if a ran again. a is a number from the past: 6.",
            "an error": "There is nothing wrong with giving the name x to another tensor.",
        },
        right="12.0",
        proof="answer = str(y.item())",
    ),
)

probe(
    1,
    "backward updates w",
    before=Ask(
        ask="w is 2. After `y = w * w` and `y.backward()`, what is w?",
        choices={
            "2": "Backward computes slopes and moves nothing.",
            "smaller": "Moving w is somebody else's work, an optimizer's.",
            "4": "4 is what w.grad holds, the slope.",
        },
        right="2",
        proof="""
w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
answer = f"{w.item():g}"
""",
    ),
    after=Ask(
        ask="x is 3. After `loss = x * 5` and `loss.backward()`, what is x, and what is x.grad?",
        choices={
            "3 and 5": "The slope goes into x.grad, and x stays.",
            "-2 and 5": "Nobody has moved x. Backward only says what the slope is.",
            "3 and None": "x asked for gradients, and it is a leaf: it gets one.",
        },
        right="3 and 5",
        proof="""
x = torch.tensor(3.0, requires_grad=True)
(x * 5).backward()
answer = f"{x.item():g} and {x.grad.item():g}"
""",
    ),
)
