"""Lesson 4, shapes: the three gradients of a layer, a scale that was spread over a row (to be mended), and the table of
all slopes, a row for each backward pass."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function


def _tensors(torch, random, *sizes):
    return [torch.tensor(random.normal(size=size).astype(np.float32)) for size in sizes]


def _layers(torch, random):
    yield tuple(
        torch.tensor(each) for each in ([[1.0], [2.0]], [[3.0, -1.0]], [0.5, 4.0], [[1.0, 10.0], [100.0, 1000.0]])
    )
    for rows, wide, out in ((2, 3, 2), (5, 2, 3), (3, 3, 3)):
        yield tuple(_tensors(torch, random, (rows, wide), (wide, out), (out,), (rows, out)))


def _layer(X="G @ W.t()", W="X.t() @ G", b="G.sum(0)"):
    return (
        f"def gradients(X, W, b, G):\n    X_grad = {X}\n    W_grad = {W}\n    b_grad = {b}\n"
        "    return X_grad, W_grad, b_grad"
    )


COUNT_G = {
    "en": "The shapes are right. But what has arrived is in `G`, and not every entry of it is 1.",
    "zh": "形状对了。但到来的是 `G`，它的各个数并不都是 1。",
}
TURNED = {
    "en": "Look at the shapes: a gradient has the shape of its tensor. Which of the two has to be turned, `.t()`, and "
    "which stands on the left?",
    "zh": "看看形状：梯度与它的张量形状相同。两个里哪一个要转置，`.t()`，哪一个在左边？",
}

three_gradients = function(
    "three_gradients",
    task={
        "en": "y = X @ W + b, and `G` arrives at y. Write the gradients of X, W and b.",
        "zh": "y = X @ W + b，到达 y 的是 `G`。写出 X、W 和 b 的梯度。",
    },
    gap=_layer("...", "...", "..."),
    solution=_layer(),
    points=_layers,
    hints=[
        {
            "en": "A gradient has the shape of its tensor. X is (rows, in), W (in, out), b (out,), G (rows, out): in "
            "which way can G and W be multiplied to make something of X's shape?",
            "zh": "梯度与它的张量形状相同。X 是 (rows, in)，W 是 (in, out)，b 是 (out,)，G 是 (rows, out)："
            "G 和 W 怎样相乘才得到 X 的形状？",
        },
        {
            "en": "For b: how many rows of y read one entry of b? What has arrived at them adds up.",
            "zh": "关于 b：y 有几行读了 b 的同一个数？到达它们的要相加。",
        },
        {
            "en": "`G @ W.t()`, `X.t() @ G`, `G.sum(0)`",
            "zh": "`G @ W.t()`、`X.t() @ G`、`G.sum(0)`",
        },
    ],
    wrong=[
        Wrong(
            _layer(b="G"),
            {
                "en": "b got all of G, a row for each row of y. How many rows read b?",
                "zh": "b 得到了整个 G，y 的每一行一份。有几行读了 b？",
            },
        ),
        Wrong(
            _layer(b="G.mean(0)"),
            {
                "en": "That is the mean. Each row has its own share in b, and paths add up.",
                "zh": "这是平均。每一行对 b 都有自己的一份，而路径要相加。",
            },
        ),
        Wrong(
            _layer(b="G.sum()"),
            {
                "en": "b has an entry for each column, and column 0 of y does not read b[1]. Each column wants a "
                "sum of its own: along which axis?",
                "zh": "b 对每一列有一个数，而 y 的第 0 列并不读 b[1]。每一列要有自己的和：沿哪条轴求？",
            },
        ),
        Wrong(
            _layer(b="G.sum(1)"),
            {
                "en": "That sums along each row. An entry of b is read down a column, by each row: which axis is that?",
                "zh": "这是沿每一行求和。b 的一个数是沿一列往下、被每一行读的：那是哪条轴？",
            },
        ),
        Wrong(
            _layer(b="G[0]"),
            {
                "en": "That is what came through the first row. What of the others?",
                "zh": "这是经过第一行来的。其余各行呢？",
            },
        ),
        Wrong(_layer(X="W", W="X", b="1"), COUNT_G),
        Wrong(_layer(X="W", W="X", b="torch.ones_like(b)"), COUNT_G),
        Wrong(_layer(X="W.t()", W="X.t()", b="1"), COUNT_G),
        Wrong(_layer(b="torch.ones_like(b) * len(X)"), COUNT_G),
        Wrong(_layer(W="X.t() @ torch.ones_like(G)"), COUNT_G),
        Wrong(_layer(W="X"), COUNT_G),
        Wrong(_layer(X="W.t()"), COUNT_G),
        Wrong(_layer(W="G.t() @ X"), TURNED),
        Wrong(_layer(X="W @ G.t()"), TURNED),
        Wrong(_layer(X="G @ W"), TURNED),
        Wrong(_layer(W="X @ G"), TURNED),
        Wrong(
            _layer(b="b * G.sum(0)"),
            {
                "en": "b is added, not multiplied: y moves as far as b does.",
                "zh": "b 是加上去的，不是乘的：b 动多少，y 就动多少。",
            },
        ),
    ],
    because={
        "en": "Every linear layer of a net goes backward so: two products and a sum.",
        "zh": "网络里每个线性层的反向都是这样：两次乘积和一次求和。",
    },
)


def _scales(torch, random):
    X = [[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
    scaled = [[2.0, 4.0, 0.0], [0.0, 3.0, 6.0], [1.0, 0.0, 1.0], [-1.0, -1.0, -1.0]]
    yield torch.tensor(X), torch.tensor(scaled), torch.ones(4, 1)
    for _ in range(2):
        yield tuple(_tensors(torch, random, (4, 3), (4, 3), (4, 1)))


DESCEND = """
def descend(X, target, c):
    for _ in range(20):
        y = c * X
        G = 2 * (y - target)
        c_grad = {}
        c -= 0.05 * c_grad
    return c
"""

mend_scale = function(
    "scale_of_a_row",
    task={
        "en": "Mend the gradient of `c`, the scale of each row. (What arrives at y is `G`.)",
        "zh": "改好 `c`（每一行的比例）的梯度。（到达 y 的是 `G`。）",
    },
    gap=DESCEND.format("G * X"),
    solution=DESCEND.format("(G * X).sum(1, keepdim=True)"),
    points=_scales,
    may_change=True,
    hints=[
        {
            "en": "c is (4, 1), and each entry of it was spread over a row. What shape has `G * X`?",
            "zh": "c 是 (4, 1)，它的每个数都展开到了一行上。`G * X` 是什么形状？",
        },
        {
            "en": "Along a row all entries read the same scale: what comes through them adds up.",
            "zh": "一行里的各个数读的是同一个比例：经过它们来的要相加。",
        },
        {
            "en": "`.sum(1, keepdim=True)` sums along each row and keeps the axis, as (4, 1).",
            "zh": "`.sum(1, keepdim=True)` 沿每一行求和，并保留这条轴，成为 (4, 1)。",
        },
    ],
    wrong=[
        Wrong(
            DESCEND.format("(G * X).sum(1)"),
            {
                "en": "The sums are right, but their shape is (4,): beside (4, 1) that spreads out to (4, 4). "
                "How does a sum keep its axis?",
                "zh": "和是对的，但形状是 (4,)：与 (4, 1) 在一起会展开成 (4, 4)。求和怎样才能保留这条轴？",
            },
            uses="sum",
        ),
        Wrong(
            DESCEND.format("G @ X.t()"),
            {
                "en": "A product of matrices mixes the rows. c multiplies each number of its own row: `G * X`.",
                "zh": "矩阵乘积会把各行混在一起。c 只乘它自己那一行：逐个相乘，`G * X`。",
            },
        ),
        Wrong(
            DESCEND.format("G * X").replace("c -= 0.05 * c_grad", "c = c - 0.05 * c_grad"),
            {
                "en": "It runs, and c has quietly become as large as X: a scale for each number, not for each row.",
                "zh": "能运行，但 c 悄悄变得和 X 一样大：每个数一个比例，而不是每一行一个。",
            },
        ),
        Wrong(
            DESCEND.format("(G * X).mean(1, keepdim=True)"),
            {
                "en": "That is the mean. Along a row everything that comes through adds up.",
                "zh": "这是平均。一行里经过来的都要相加。",
            },
        ),
        Wrong(
            DESCEND.format("G.sum(1, keepdim=True)"),
            {
                "en": "The shape is right. But how far does y move when c does? There is a factor missing.",
                "zh": "形状对了。但 c 动的时候 y 动多少？少了一个因子。",
            },
        ),
        Wrong(
            DESCEND.format("(G * X)[:, :1]"),
            {
                "en": "That is the first column alone. What of the others, which read the same scale?",
                "zh": "这只是第一列。其余各列读的是同一个比例，它们呢？",
            },
        ),
        Wrong(
            DESCEND.format("(G * X).sum()"),
            {
                "en": "Every row has its own scale, and here all rows were summed into one.",
                "zh": "每一行有自己的比例，而这里把所有行加成了一个数。",
            },
        ),
        Wrong(
            DESCEND.format("(G * X).sum(0)"),
            {
                "en": "That sums down the columns. A scale was spread along its row: which axis is that?",
                "zh": "这是沿列求和。比例是沿它那一行展开的：那是哪条轴？",
            },
        ),
    ],
    because={
        "en": "Forward spread one scale over a row; backward sums the row.",
        "zh": "前向把一个比例展开到一行；反向对这一行求和。",
    },
)


def squares(v):
    return v * v


def _maps(torch, random):
    yield squares, torch.tensor([1.0, 3.0], requires_grad=True)
    for outputs, inputs in ((3, 2), (2, 4), (4, 4)):
        (A,) = _tensors(torch, random, (outputs, inputs))

        def mix(v, A=A):
            return (A @ v) * (A @ v)

        yield mix, torch.tensor(random.normal(size=inputs).astype(np.float32), requires_grad=True)


TABLE = """
def jacobian(f, v):
    rows = []
    y = f(v)
    for i in range(len(y)):
        pick = torch.zeros(len(y))
        pick[i] = 1
        v.grad = None
        y.backward(pick, retain_graph=True)
        rows.append(v.grad)
    return torch.stack(rows)
"""

jacobian = function(
    "jacobian",
    task={
        "en": "Write `jacobian(f, v)`: the table of all slopes, row i those of y[i]. One `backward` a row, with a "
        "gradient that picks it.",
        "zh": "写出 `jacobian(f, v)`：所有斜率的表，第 i 行是 y[i] 的。每行一次 `backward`，用挑出这一行的梯度。",
    },
    gap="""
        def jacobian(f, v):
            rows = []
            for i in range(len(f(v))):
                y = f(v)
                ...
            return torch.stack(rows)
    """,
    solution=TABLE,
    points=_maps,
    may_change=True,
    hints=[
        {
            "en": "Which gradient picks out row 1 of three? One that is 1 there, and 0 elsewhere.",
            "zh": "哪个梯度挑出三行中的第 1 行？在那里是 1，别处是 0。",
        },
        {
            "en": "`pick = torch.zeros(len(y))`, then `pick[i] = 1`, then `y.backward(pick)`. The row is in `v.grad`.",
            "zh": "`pick = torch.zeros(len(y))`，然后 `pick[i] = 1`，再 `y.backward(pick)`。这一行就在 `v.grad` 里。",
        },
        {
            "en": "`v.grad` adds up: set it to None before each pass. Then `rows.append(v.grad)`.",
            "zh": "`v.grad` 会累加：每趟之前把它设为 None。然后 `rows.append(v.grad)`。",
        },
    ],
    wrong=[
        Wrong(
            TABLE.replace("zeros(len(y))", "ones(len(y))"),
            {
                "en": "With ones everywhere each pass gives the sum of all rows. Pick one.",
                "zh": "处处是 1 的话，每一趟给出的都是各行之和。要挑出一行。",
            },
            uses="ones ones_like",
        ),
        Wrong(
            TABLE.replace("y.backward(pick, retain_graph=True)", "y.sum().backward(retain_graph=True)"),
            {
                "en": "That is the slope of the sum: all rows added up, in every row. Pick one.",
                "zh": "这是和的斜率：每一行里都是各行之和。要挑出一行。",
            },
            uses="sum",
        ),
        Wrong(
            TABLE.replace("        v.grad = None\n", ""),
            {
                "en": "All rows are the same: each is one and the same tensor, `v.grad`. And what does a second "
                "pass do with what is in it?",
                "zh": "各行都一样：每一行都是那同一个张量 `v.grad`。而第二趟会怎样对待里面已有的数？",
            },
        ),
        Wrong(
            TABLE.replace("        v.grad = None\n", "").replace("append(v.grad)", "append(v.grad.clone())"),
            {
                "en": "Each row has those before it in it. What does a pass do with what is in `v.grad` already?",
                "zh": "每一行都包含了前面各行。反向一趟会怎样对待 `v.grad` 里已有的数？",
            },
        ),
        Wrong(
            TABLE.replace("stack(rows)", "stack(rows, 1)"),
            {
                "en": "Row and column are swapped: row i should hold the slopes of y[i].",
                "zh": "行和列颠倒了：第 i 行应是 y[i] 的斜率。",
            },
        ),
        Wrong(
            TABLE.replace("pick[i] = 1", "pick[0] = 1"),
            {
                "en": "Every row is the first one. Which of y is row i about?",
                "zh": "每一行都是第一行。第 i 行说的是 y 的哪一个？",
            },
        ),
        Wrong(
            TABLE.replace("y.backward(pick, retain_graph=True)", "y.backward()"),
            {
                "en": "y has several numbers, and `backward()` alone does not know which of them is meant. Give it a "
                "gradient.",
                "zh": "y 有好几个数，单写 `backward()` 不知道指哪一个。给它一个梯度。",
            },
        ),
        Wrong(
            TABLE.replace("retain_graph=True", ""),
            {
                "en": "The second pass finds the drawers empty. Run `f` anew for each row, or keep them with "
                "`retain_graph=True`.",
                "zh": "第二趟发现抽屉是空的。每一行重新运行 `f`，或者用 `retain_graph=True` 保留它们。",
            },
        ),
        Wrong(
            TABLE.replace("pick[i] = 1", "pick[i] = y[i].item()"),
            {
                "en": "The row is there, times y[i]. To pick it as it is, let the gradient be 1 there.",
                "zh": "这一行在，但乘上了 y[i]。要原样挑出，那里的梯度应是 1。",
            },
        ),
        Wrong(
            TABLE.replace("        v.grad = None\n", "").replace(
                "append(v.grad)", "append(v.grad)\n        v.grad.zero_()"
            ),
            {
                "en": "All zeros: the rows are one and the same tensor, `v.grad`, and it was emptied. Keep a copy, "
                "`v.grad.clone()`, or set `v.grad = None` instead.",
                "zh": "全是零：各行是同一个张量 `v.grad`，而它被清空了。留一份拷贝 `v.grad.clone()`，"
                "或者改用 `v.grad = None`。",
            },
        ),
        Wrong(
            TABLE.replace("v.grad = None", "v.grad.zero_()"),
            {
                "en": "At first there is no `v.grad` that could be emptied: it is None. Set `v.grad = None`.",
                "zh": "一开始没有可以清空的 `v.grad`：它是 None。写 `v.grad = None`。",
            },
        ),
        Wrong(
            TABLE.replace("zeros(len(y))", "zeros(len(v))"),
            {
                "en": "What picks a row of the table is shaped as y: one number for each row.",
                "zh": "用来挑出一行的，形状与 y 相同：每行一个数。",
            },
        ),
        Wrong(
            TABLE.replace("torch.zeros(len(y))", "[0.0] * len(y)"),
            {
                "en": "What is given to backward is a tensor, shaped as y: `torch.zeros(len(y))`.",
                "zh": "交给 backward 的是张量，形状与 y 相同：`torch.zeros(len(y))`。",
            },
        ),
    ],
    because={
        "en": "A pass for each row; `y[i].backward()` picks it as well. Training needs one row: a loss is one number.",
        "zh": "每行一趟；`y[i].backward()` 也能挑出它。训练只需要一行：损失是一个数。",
    },
)

probe(
    4,
    "what was spread out gets the gradient as it comes",
    before=Ask(
        ask={
            "en": "X is (5, 2) and W (2, 3). What is `b.grad` after this?",
            "zh": "X 是 (5, 2)，W 是 (2, 3)。之后 `b.grad` 是什么？",
        },
        code="X, W = torch.ones(5, 2), torch.ones(2, 3)\nb = torch.zeros(3, requires_grad=True)\n"
        "y = X @ W + b\ny.sum().backward()\n",
        choices={
            "[1, 1, 1]": {
                "en": "1 arrives at each entry of y. How many rows of y read the same entry of b?",
                "zh": "到达 y 每个数的是 1。y 有几行读了 b 的同一个数？",
            },
            "[5, 5, 5]": {
                "en": "Five rows read each entry of b, and each of them brings 1.",
                "zh": "有五行读 b 的每个数，每一行带来 1。",
            },
            "five rows of [1, 1, 1]": {
                "en": "A gradient has the shape of its tensor, and b has three entries.",
                "zh": "梯度与它的张量形状相同，而 b 有三个数。",
            },
        },
        right="[5, 5, 5]",
        labels={"five rows of [1, 1, 1]": {"en": "five rows of [1, 1, 1]", "zh": "五行 [1, 1, 1]"}},
        proof="answer = f'{[round(each) for each in b.grad.tolist()]}'",
    ),
    after=Ask(
        ask={
            "en": "c is (4, 1), one scale for each row. What stands in each entry of `c.grad` after this?",
            "zh": "c 是 (4, 1)，每一行一个比例。之后 `c.grad` 的每个数是多少？",
        },
        code="X = torch.full((4, 3), 2.0)\nc = torch.ones(4, 1, requires_grad=True)\ny = c * X\ny.sum().backward()\n",
        choices={
            "2": {
                "en": "That comes through one entry of the row. Three read the same scale.",
                "zh": "这是经过一行里一个数来的。有三个数读同一个比例。",
            },
            "6": {
                "en": "Three entries read each scale, and 2 comes through each.",
                "zh": "每个比例有三个数在读，经过每个来的是 2。",
            },
            "8": {
                "en": "There are four rows, but each has a scale of its own.",
                "zh": "有四行，但每一行有自己的比例。",
            },
            "24": {
                "en": "That is the sum of everything. Each row has a scale of its own.",
                "zh": "这是全部之和。每一行有自己的比例。",
            },
        },
        right="6",
        proof="answer = f'{c.grad[0, 0].item():g}'",
    ),
)

probe(
    4,
    "grad is the Jacobian",
    before=Ask(
        ask={
            "en": "y has three numbers, and backward is given three. What is `v.grad`?",
            "zh": "y 有三个数，backward 也得到三个数。`v.grad` 是什么？",
        },
        code="v = torch.ones(3, requires_grad=True)\ny = v**2 * torch.tensor([1.0, 2.0, 3.0])\n"
        "y.backward(torch.tensor([1.0, 10.0, 100.0]))\n",
        choices={
            "[2, 4, 6]": {
                "en": "These are the slopes alone. What arrived at each of them?",
                "zh": "这只是斜率。到达每一个的是什么？",
            },
            "[2, 40, 600]": {
                "en": "Each slope times what arrived there.",
                "zh": "每个斜率乘以到达那里的。",
            },
            "a table, 3×3": {
                "en": "A gradient has the shape of its tensor: three numbers.",
                "zh": "梯度与它的张量形状相同：三个数。",
            },
        },
        right="[2, 40, 600]",
        labels={"a table, 3×3": {"en": "a table, 3×3", "zh": "一张 3×3 的表"}},
        proof="answer = f'{[round(each) for each in v.grad.tolist()]}'",
    ),
    after=Ask(
        ask={
            "en": "v = [2, 3], and y holds v₀ · v₁ and v₀ + v₁. What is `v.grad`?",
            "zh": "v = [2, 3]，y 里是 v₀ · v₁ 和 v₀ + v₁。`v.grad` 是什么？",
        },
        code="v = torch.tensor([2.0, 3.0], requires_grad=True)\ny = torch.stack([v[0] * v[1], v[0] + v[1]])\n"
        "y.backward(torch.tensor([10.0, 1.0]))\n",
        choices={
            "[31, 21]": {
                "en": "10 times the first row, [3, 2], plus 1 times the second, [1, 1].",
                "zh": "10 乘第一行 [3, 2]，加上 1 乘第二行 [1, 1]。",
            },
            "[4, 3]": {
                "en": "That is the sum of both rows. How often does the first one count?",
                "zh": "这是两行之和。第一行算几份？",
            },
            "[[30, 20], [1, 1]]": {
                "en": "These are the two rows, each with its weight. Backward gives their sum.",
                "zh": "这是各带权重的两行。backward 给出的是它们的和。",
            },
        },
        right="[31, 21]",
        proof="answer = f'{[round(each) for each in v.grad.tolist()]}'",
    ),
)

probe(
    4,
    "a slope costs a pass",
    before=Ask(
        ask={
            "en": "A loss depends on 1000 weights. How many times does backward have to run to find all 1000 slopes?",
            "zh": "一个损失依赖 1000 个权重。要求出全部 1000 个斜率，backward 需要运行几次？",
        },
        choices={
            "1": {
                "en": "One run passes each operator once, and all weights are reached.",
                "zh": "一趟经过每个算子一次，所有权重都会到达。",
            },
            "1000": {
                "en": "That is what nudging needs, forward. Backward starts from the loss, and there is one.",
                "zh": "前向推动才需要这么多。backward 从损失出发，而损失只有一个。",
            },
        },
        right="1",
        proof="""
w = torch.ones(1000, requires_grad=True)
(w * w).sum().backward()
answer = "1" if bool((w.grad == 2).all()) else "1000"
""",
    ),
    after=Ask(
        ask={
            "en": "Now y has 3 numbers, and each depends on 1000 weights. How many backward passes fill the table of "
            "all 3000 slopes?",
            "zh": "现在 y 有 3 个数，每个都依赖 1000 个权重。要填满 3000 个斜率的表，需要几趟 backward？",
        },
        choices={
            "1": {
                "en": "One pass gives one row, or a weighted sum of the three.",
                "zh": "一趟给出一行，或者三行的加权和。",
            },
            "3": {
                "en": "A pass for each row.",
                "zh": "每行一趟。",
            },
            "1000": {
                "en": "That many columns there are. A pass fills a row.",
                "zh": "列有这么多。一趟填的是一行。",
            },
            "3000": {
                "en": "A pass fills a whole row at once.",
                "zh": "一趟一下子填满一整行。",
            },
        },
        right="3",
        proof="""
w = torch.ones(1000, requires_grad=True)
y = torch.stack([w.sum(), (w * w).sum(), (w * 3).sum()])
rows = [torch.autograd.grad(y, w, pick, retain_graph=True)[0] for pick in torch.eye(3)]
answer = str(len(rows)) if [row[0].item() for row in rows] == [1.0, 2.0, 3.0] else "?"
""",
    ),
)
