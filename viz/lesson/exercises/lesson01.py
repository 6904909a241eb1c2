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
        {
            "en": "Where is the product before the nudge? And where is it after?",
            "zh": "推动之前乘积在哪里？推动之后呢？",
        },
        {
            "en": "It moved by the difference of the two. How many times the nudge of 0.001 is that difference?",
            "zh": "它移动了两者之差。这个差是推动量 0.001 的几倍？",
        },
        {
            "en": "After the nudge the product is (w + nudge) · (w + nudge) · (w + nudge).",
            "zh": "推动之后的乘积是 (w + nudge) · (w + nudge) · (w + nudge)。",
        },
    ],
    wrong=[
        Wrong(
            CUBE + "(w * w * (w + nudge) - w * w * w) / nudge",
            {
                "en": "That nudges one w and leaves the others where they are. How many w's are there to nudge?",
                "zh": "这样只推动了一个 w，其余的没有动。一共有几个 w 要推动？",
            },
        ),
        Wrong(
            CUBE + "(w + nudge) ** 3 - w**3 / nudge",
            {
                "en": "Without brackets only what stands before the `/` is divided. Which of the two was to be?",
                "zh": "没有括号时，只有紧挨在 `/` 前面的被除。该被除的是哪一个？",
            },
        ),
        Wrong(
            CUBE + "(w + nudge) ** 3 - w**3",
            {
                "en": "That is how far it moves. How many times the nudge is that?",
                "zh": "这是它移动了多远。那是推动量的几倍？",
            },
        ),
        Wrong(
            CUBE + "(w + 1) ** 3 - w**3",
            {
                "en": "That is a whole unit's step, and too far for a slope. The nudge is 0.001.",
                "zh": "这是走了整整一步，对斜率来说太远了。推动量是 0.001。",
            },
        ),
        Wrong(
            CUBE + "w**3",
            {
                "en": "That is the product itself. How far does it move when w does?",
                "zh": "这是乘积本身。w 移动时，它移动多少？",
            },
        ),
        Wrong(
            CUBE + "2 * w",
            {
                "en": "That is the slope of w · w. Here one w more is nudged. Measure it: where is the product before "
                "the nudge, and where after it?",
                "zh": "这是 w · w 的斜率。这里多推动了一个 w。测一测：推动之前乘积在哪里，之后在哪里？",
            },
        ),
        Wrong(
            CUBE + "3 * w",
            {
                "en": "Three paths, yes. What is the nudge multiplied by along each of them?",
                "zh": "三条路，没错。沿每一条路，推动要乘以什么？",
            },
        ),
        Wrong(
            CUBE + "(w**3 - (w + nudge) ** 3) / nudge",
            {
                "en": "The sign: where it is after the nudge, less where it was.",
                "zh": "符号反了：用推动之后的值减去推动之前的值。",
            },
        ),
    ],
    because={
        "en": "Three w's, three paths: along each the nudge is multiplied by the two other w's, and the three add up.",
        "zh": "三个 w，三条路：沿每条路，推动都要乘以另外两个 w，三条路相加。",
    },
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
        {
            "en": "Backward starts at y. Which line is about y alone?",
            "zh": "反向从 y 开始。哪一行只和 y 有关？",
        },
        {
            "en": "A line can run only when everything on its right is there.",
            "zh": "右边的东西都有了，一行才能运行。",
        },
        {
            "en": "w waits for what comes through a and for what comes through b.",
            "zh": "w 要等经过 a 来的，也要等经过 b 来的。",
        },
    ],
    wrong=[
        Wrong(
            "",
            {
                "en": "Backward starts at y. The leaves, w and x, come after a and b.",
                "zh": "反向从 y 开始。叶子 w 和 x 排在 a 和 b 之后。",
            },
            order=(3, 4, 1, 2, 0),
        ),
        Wrong(
            "",
            {
                "en": "w is reached through a and through b: it has to wait for both.",
                "zh": "w 可以经过 a 到达，也可以经过 b 到达：它要等两边都到。",
            },
            order=(0, 1, 3, 2, 4),
        ),
    ],
    because={
        "en": "y first, a and b in any order, then w and x: each once everything that it needs is there.",
        "zh": "先是 y，然后是 a 和 b（先后随意），再是 w 和 x：每个都要等它所需要的全部就位。",
    },
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
        {
            "en": "Draw it: how many paths lead from w to y? Which arrows are on each?",
            "zh": "画出来：从 w 到 y 有几条路？每条路上有哪些箭头？",
        },
        {
            "en": "From a to y the factor is b. From w to a, it is what w is multiplied by there.",
            "zh": "从 a 到 y，倍数是 b。从 w 到 a，倍数是 w 在那里所乘的数。",
        },
        {
            "en": "Through a: b · x. Through b: a · 1. Both lead to w.",
            "zh": "经过 a：b · x。经过 b：a · 1。两条都通向 w。",
        },
    ],
    wrong=[
        Wrong(
            _slopes("b", "a"),
            {
                "en": "That is how far y moves with a, and with b: the second half of each path. How far do these move "
                "with w?",
                "zh": "这是 y 随 a、随 b 移动多少，也就是每条路的后一半。a 和 b 又随 w 移动多少？",
            },
        ),
        Wrong(
            _slopes("x", "w"),
            {
                "en": "That is how far a moves: the first arrow of one path. How far does y move with a? And what "
                "comes through b?",
                "zh": "这是 a 移动多少：一条路上的第一个箭头。y 随 a 移动多少？经过 b 的又是多少？",
            },
        ),
        Wrong(
            _slopes("b * x", "b * w"),
            {
                "en": "That is the path through a alone. There is another one, through b.",
                "zh": "这只是经过 a 的路。还有一条经过 b。",
            },
        ),
        Wrong(
            _slopes("a", "a"),
            {
                "en": "That is the path through b alone. There is another one, through a.",
                "zh": "这只是经过 b 的路。还有一条经过 a。",
            },
        ),
        Wrong(
            _slopes("b + a", "b + a"),
            {
                "en": "Both paths, yes. But a is w · x here: what is the factor on the arrow from w to a?",
                "zh": "两条路，没错。但这里 a 是 w · x：从 w 到 a 的箭头上，倍数是多少？",
            },
        ),
        Wrong(
            _slopes("b * x * a", "b * w * a"),
            {
                "en": "Factors multiply along one path. Two paths add up.",
                "zh": "沿一条路，倍数相乘。两条路要相加。",
            },
        ),
        Wrong(
            _slopes("b * w + a", "b * x + a"),
            {
                "en": "A product hands each factor the other one: on the arrow from w to a stands x.",
                "zh": "乘积把另一个因子交给每个因子：从 w 到 a 的箭头上写着 x。",
            },
        ),
        Wrong(
            _slopes("x + 1", "w + 1"),
            {
                "en": "Those are the first arrows only. What are a and b multiplied by on their way to y?",
                "zh": "这只是最前面的箭头。a 和 b 到 y 的路上还要乘以什么？",
            },
        ),
    ],
    because={
        "en": "Two paths to each of them; along a path the factors multiply, and where paths meet they add up.",
        "zh": "到每个变量都有两条路；沿一条路倍数相乘，路相会处相加。",
    },
)


probe(
    1,
    "one path wins",
    before=Ask(
        ask={
            "en": "y = (w + x)(w + 1), at w = 2 and x = 5. A tiny nudge of w: how many times as far does y move?",
            "zh": "y = (w + x)(w + 1)，在 w = 2、x = 5 处。把 w 轻轻推动：y 移动的是它的几倍？",
        },
        choices={
            "3": {
                "en": "That is what comes through w + x alone.",
                "zh": "这只是经过 w + x 的部分。",
            },
            "7": {
                "en": "That is what comes through w + 1 alone.",
                "zh": "这只是经过 w + 1 的部分。",
            },
            "10": {
                "en": "3 through one bracket and 7 through the other.",
                "zh": "经过一个括号是 3，经过另一个是 7。",
            },
            "21": {
                "en": "That is y itself.",
                "zh": "这是 y 本身。",
            },
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
        ask={
            "en": "y = w · (w + 2), at w = 4. What is ∂y/∂w?",
            "zh": "y = w · (w + 2)，在 w = 4 处。∂y/∂w 是多少？",
        },
        choices={
            "4": {
                "en": "That is the path through the bracket alone, whose factor is w.",
                "zh": "这只是经过括号的路，它的倍数是 w。",
            },
            "6": {
                "en": "That is the path of the w outside alone: its factor is the bracket.",
                "zh": "这只是外面那个 w 的路：它的倍数是括号。",
            },
            "10": {
                "en": "6 for the w outside, 4 through the bracket: paths add up.",
                "zh": "外面的 w 是 6，经过括号是 4：各路相加。",
            },
            "24": {
                "en": "That is y itself; or the two paths multiplied. They add up.",
                "zh": "这是 y 本身；或是两条路相乘。它们要相加。",
            },
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
        ask={
            "en": "What does this print?",
            "zh": "这会打印什么？",
        },
        code="""
w = torch.tensor(2.0)
y = w * 10
w = torch.tensor(3.0)
print(y.item())
""",
        choices={
            "20.0": {
                "en": "y was computed when its line ran; nothing runs again.",
                "zh": "y 在它那一行运行时就算好了；没有什么会再运行一次。",
            },
            "30.0": {
                "en": "So a spreadsheet would do. Here y was computed when its line ran.",
                "zh": "电子表格会这样。这里 y 在它那一行运行时就算好了。",
            },
            "an error": {
                "en": "There is nothing wrong with giving the name w to another tensor.",
                "zh": "把名字 w 给另一个张量，没有什么不对。",
            },
        },
        right="20.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(y.item())",
    ),
    after=Ask(
        ask={
            "en": "And this?",
            "zh": "那么这个呢？",
        },
        code="""
x = torch.tensor(5.0)
w = torch.tensor(1.0)
a = w + x
x = torch.tensor(100.0)
y = a * 2
print(y.item())
""",
        choices={
            "12.0": {
                "en": "a was computed from the old x, and y from a.",
                "zh": "a 是用旧的 x 算的，y 是用 a 算的。",
            },
            "202.0": {
                "en": "Only if a ran again. a is a number from the past: 6.",
                "zh": "除非 a 再运行一次。a 是过去算出的数：6。",
            },
            "an error": {
                "en": "There is nothing wrong with giving the name x to another tensor.",
                "zh": "把名字 x 给另一个张量，没有什么不对。",
            },
        },
        right="12.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(y.item())",
    ),
)

probe(
    1,
    "backward updates w",
    before=Ask(
        ask={
            "en": "w is 2. After `y = w * w` and `y.backward()`, what is w?",
            "zh": "w 是 2。执行 `y = w * w` 和 `y.backward()` 之后，w 是多少？",
        },
        choices={
            "2": {
                "en": "Backward computes slopes and moves nothing.",
                "zh": "反向只计算斜率，什么也不移动。",
            },
            "smaller": {
                "en": "Moving w is somebody else's work, an optimizer's.",
                "zh": "移动 w 是别人的工作，是优化器的。",
            },
            "4": {
                "en": "4 is what w.grad holds, the slope.",
                "zh": "4 是 w.grad 里的值，也就是斜率。",
            },
        },
        right="2",
        labels={"smaller": {"en": "smaller", "zh": "更小"}},
        proof="""
w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
answer = f"{w.item():g}"
""",
    ),
    after=Ask(
        ask={
            "en": "x is 3. After `loss = x * 5` and `loss.backward()`, what is x, and what is x.grad?",
            "zh": "x 是 3。执行 `loss = x * 5` 和 `loss.backward()` 之后，x 是多少，x.grad 是多少？",
        },
        choices={
            "3 and 5": {
                "en": "The slope goes into x.grad, and x stays.",
                "zh": "斜率进入 x.grad，x 不变。",
            },
            "-2 and 5": {
                "en": "Nobody has moved x. Backward only says what the slope is.",
                "zh": "没有人移动过 x。反向只说出斜率是多少。",
            },
            "3 and None": {
                "en": "x asked for gradients, and it is a leaf: it gets one.",
                "zh": "x 要求了梯度，而且是叶子：它会得到一个。",
            },
        },
        right="3 and 5",
        labels={
            "3 and 5": {"en": "3 and 5", "zh": "3 和 5"},
            "-2 and 5": {"en": "-2 and 5", "zh": "−2 和 5"},
            "3 and None": {"en": "3 and None", "zh": "3 和 None"},
        },
        proof="""
x = torch.tensor(3.0, requires_grad=True)
(x * 5).backward()
answer = f"{x.item():g} and {x.grad.item():g}"
""",
    ),
)
