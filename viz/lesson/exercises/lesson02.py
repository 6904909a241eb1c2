"""Lesson 2, what backward does: a backward pass put in order, an account book as code, two losses that share a part,
and a weight that descends by hand."""

from ..ask import Ask, probe
from ..task import Wrong, function, order


def _two_numbers(torch, random):
    yield 2.0, 7.0
    yield -3.0, 1.5
    for w, x in random.uniform(-3.0, 3.0, (3, 2)):
        yield float(w), float(x)


def _two_accounts(given, torch, w, x):
    return dict(zip(("w_grad", "x_grad"), given(w, x), strict=True))


by_arrival = order(
    "by_arrival",
    task={
        "en": "Put the six lines into an order in which nobody hands on before everything has arrived. There are "
        "several.",
        "zh": "把六行排好：谁都要等一切到齐才交出去。（不止一种顺序。）",
    },
    frame="""
        def gradients(w, x):
            a = w * x
            b = a + w  # and y = a * b
            y_grad = 1
            a_grad = b_grad = w_grad = x_grad = 0
            {lines}
            return w_grad, x_grad
    """,
    lines=[
        "a_grad += y_grad * b",
        "b_grad += y_grad * a",
        "a_grad += b_grad * 1",
        "w_grad += b_grad * 1",
        "w_grad += a_grad * x",
        "x_grad += a_grad * w",
    ],
    shown=(4, 2, 5, 0, 3, 1),
    points=_two_numbers,
    run=_two_accounts,
    hints=[
        {
            "en": "Which of a and b uses the other? Backward, that one is ready first.",
            "zh": "a 和 b 哪一个用到了另一个？反向时，它先准备好。",
        },
        {
            "en": "A line with `a_grad` on its right hands on what a has. Two lines bring something to a.",
            "zh": "右边有 `a_grad` 的行把 a 已有的交出去。有两行给 a 送来东西。",
        },
        {
            "en": "First what y hands on, then what b hands on, last what a hands on.",
            "zh": "先是 y 交出的，再是 b 交出的，最后是 a 交出的。",
        },
    ],
    wrong=[
        Wrong(
            "",
            {
                "en": "a hands on without b's share. Either b had nothing to give yet, or a did not wait for it.",
                "zh": "a 交出去时缺了 b 的那一份。要么 b 那时还没有东西可给，要么 a 没有等它。",
            },
            order=(0, 4, 5, 1, 2, 3),
        ),
        Wrong(
            "",
            {
                "en": "a hands on what came through b, and y's own share comes too late.",
                "zh": "a 交出了经过 b 来的，而 y 直接给它的来晚了。",
            },
            order=(1, 2, 3, 4, 5, 0),
        ),
        Wrong(
            "",
            {
                "en": "b hands on before anything has reached it: it hands on 0, twice.",
                "zh": "什么都还没到 b，它就交了出去：两次交出的都是 0。",
            },
            order=(0, 2, 3, 1, 4, 5),
        ),
        Wrong(
            "",
            {
                "en": "b hands w its share before anything has reached b: that share is 0.",
                "zh": "什么都还没到 b，它就交给了 w：交出的是 0。",
            },
            order=(0, 3, 1, 2, 4, 5),
        ),
        Wrong(
            "",
            {
                "en": "What the leaves get comes last: here a and b had nothing yet to hand on.",
                "zh": "叶子得到的排在最后：这里 a 和 b 还没有东西可交。",
            },
            order=(3, 4, 5, 0, 1, 2),
        ),
        Wrong(
            "",
            {
                "en": "x is right, but a handed w its share too early. What hadn't reached a yet?",
                "zh": "x 对了，但 a 交给 w 太早。那时还有什么没有到达 a？",
            },
            order=(0, 4, 1, 2, 3, 5),
        ),
        Wrong(
            "",
            {
                "en": "w is right, but a handed x its share too early. What hadn't reached a yet?",
                "zh": "w 对了，但 a 交给 x 太早。那时还有什么没有到达 a？",
            },
            order=(0, 5, 1, 2, 3, 4),
        ),
    ],
    because={
        "en": "y, then b, then a: whoever was made last hands on first, and so nobody hands on too early.",
        "zh": "先 y，再 b，再 a：最后做出来的最先交，所以谁也不会交得太早。",
    },
)


def _one_number(torch, random):
    yield (3.0,)
    yield (-2.0,)
    for w in random.uniform(0.5, 3.0, 3):
        yield (float(w),)


LEDGER = "def ledger(w):\n    a = w * w\n    y = a * a + a\n    y_grad = 1\n"


def _ledger(a: str, w: str) -> str:
    return LEDGER + f"    a_grad = {a}\n    w_grad = {w}\n    return a_grad, w_grad"


ledger = function(
    "ledger",
    task={
        "en": "Keep the books of a and of w: what has arrived there when backward is done? (y = a · a + a.)",
        "zh": "给 a 和 w 记账：反向结束时，它们各收到了多少？（y = a · a + a。）",
    },
    gap=_ledger("...", "..."),
    solution=_ledger("y_grad * a + y_grad * a + y_grad * 1", "a_grad * w + a_grad * w"),
    points=_one_number,
    hints=[
        {
            "en": "Draw it. How many arrows lead out of a? Along each of them something comes back.",
            "zh": "画出来。从 a 出去的箭头有几条？沿每一条都有东西回来。",
        },
        {
            "en": "Two arrows lead from a into the product, and one into the sum. What does each bring back?",
            "zh": "从 a 有两条箭头进入乘积，一条进入加法。每条带回什么？",
        },
        {
            "en": "To a come `a`, `a` and `1`. And w is used twice, too: along each arrow comes `a_grad * w`.",
            "zh": "到达 a 的是 `a`、`a` 和 `1`。w 也用了两次：沿每条箭头到来的是 `a_grad * w`。",
        },
    ],
    wrong=[
        Wrong(
            _ledger("2 * a", "a_grad * 2 * w"),
            {
                "en": "That is what the product brings. What hasn't reached a yet?",
                "zh": "这是乘积带来的。还有什么没有到达 a？",
            },
        ),
        Wrong(
            _ledger("1", "a_grad * 2 * w"),
            {
                "en": "That is what the + brings. What hasn't reached a yet?",
                "zh": "这是 + 带来的。还有什么没有到达 a？",
            },
        ),
        Wrong(
            _ledger("a + 1", "a_grad * 2 * w"),
            {
                "en": "a · a uses a twice: two arrows, and something comes back along each.",
                "zh": "a · a 用了两次 a：两条箭头，沿每条都有东西回来。",
            },
        ),
        Wrong(
            _ledger("2 * a + 1", "a_grad * w"),
            {
                "en": "a is right. w · w uses w twice, too: what comes back along the other arrow?",
                "zh": "a 对了。w · w 也用了两次 w：沿另一条箭头回来的是什么？",
            },
        ),
        Wrong(
            _ledger("a + 1", "a_grad * w"),
            {
                "en": "Each product uses its input twice: two arrows each, and something comes back along both.",
                "zh": "每个乘积都把输入用了两次：各有两条箭头，沿两条都有东西回来。",
            },
        ),
        Wrong(
            _ledger("2 * a + 1", "2 * w"),
            {
                "en": "a is right. But 2 · w is the slope alone: what arrived at a, to be handed on?",
                "zh": "a 对了。但 2 · w 只是斜率：到达 a、要交下去的是什么？",
            },
        ),
        Wrong(
            _ledger("2 * a + 1", "a_grad"),
            {
                "en": "a is right. On the way from a to w stands an operator: what does it multiply by?",
                "zh": "a 对了。从 a 到 w 的路上有一个算子：它乘以什么？",
            },
        ),
        Wrong(
            _ledger("2 * a + 1", "a_grad + 2 * w"),
            {
                "en": "a is right. Along an arrow what arrives is multiplied by the slope; only arrivals add up.",
                "zh": "a 对了。沿箭头，到来的要乘以斜率；只有到来的各份才相加。",
            },
        ),
        Wrong(
            _ledger("2 * a * 1", "a_grad * w"),
            {
                "en": "The shares that arrive at a add up: the product's two, and the one of the +.",
                "zh": "到达 a 的各份相加：乘积的两份，加上 + 的一份。",
            },
        ),
        Wrong(
            _ledger("a * a + a", "a_grad * 2 * w"),
            {
                "en": "That is y itself. How far does y move when a does?",
                "zh": "这是 y 本身。a 移动时，y 移动多少？",
            },
        ),
    ],
    because={
        "en": "At w = 3: to a come 9, 9 and 1, together 19; to w come 57 and 57, together 114.",
        "zh": "在 w = 3 处：到 a 的是 9、9 和 1，共 19；到 w 的是 57 和 57，共 114。",
    },
)


def _two_leaves(torch, random):
    yield tuple(torch.tensor(each, requires_grad=True) for each in (2.0, 7.0))
    for w, x in random.uniform(1.0, 3.0, (2, 2)):
        yield torch.tensor(float(w), requires_grad=True), torch.tensor(float(x), requires_grad=True)


BOTH = """
def both(w, x):
    shared = w * x
    first = 3 * shared
    second = shared * shared
    {}
    return w.grad, x.grad
"""


def _both(*lines: str) -> str:
    return BOTH.format("\n    ".join(lines))


NO_WAY_BACK = {
    "en": "This result has no way back to w and x: nothing that it was made from requires grad. Where was the way cut?",
    "zh": "这个结果没有路回到 w 和 x：得出它的东西都不要求梯度。路是在哪里断的？",
}

both_losses = function(
    "both_losses",
    task={
        "en": "Mend `both`: the gradients of both results are to arrive at `w` and `x`.",
        "zh": "改好 `both`：两个结果的梯度都要到达 `w` 和 `x`。",
    },
    gap=_both("first.backward()", "second.backward()"),
    solution=_both("first.backward(retain_graph=True)", "second.backward()"),
    points=_two_leaves,
    may_change=True,  # their .grad
    hints=[
        {
            "en": "Both results were made from `shared`. Whose drawer did the first pass empty?",
            "zh": "两个结果都由 `shared` 得来。第一遍清空了谁的抽屉？",
        },
        {
            "en": "Either the first pass leaves the drawers full, or there is one pass for both.",
            "zh": "要么第一遍让抽屉保持装满，要么两个结果只走一遍。",
        },
        {
            "en": "`first.backward(retain_graph=True)`, or the one line `(first + second).backward()`.",
            "zh": "`first.backward(retain_graph=True)`，或者只写一行 `(first + second).backward()`。",
        },
    ],
    wrong=[
        Wrong(
            _both("shared.retain_grad()", "first.backward()", "second.backward()"),
            {
                "en": "`retain_grad` keeps a tensor's gradient. What is missing here is what the operator had saved.",
                "zh": "`retain_grad` 保留一个张量的梯度。这里缺的是算子保存下来的东西。",
            },
            uses="retain_grad",
        ),
        Wrong(
            _both("first.backward()", "second.backward(retain_graph=True)"),
            {
                "en": "It is the first pass that empties the drawer of `w * x`. Which of the two has to leave it full?",
                "zh": "清空 `w * x` 的抽屉的是第一遍。两遍之中，哪一遍要让它保持装满？",
            },
        ),
        Wrong(
            _both("first.backward()", "second = shared.detach() * shared.detach()", "second.backward()"), NO_WAY_BACK
        ),
        Wrong(_both("first.backward()", "second.backward()").replace("w * x", "(w * x).detach()"), NO_WAY_BACK),
        Wrong(
            _both(
                "shared = shared.detach().requires_grad_()",
                "(3 * shared).backward()",
                "(shared * shared).backward()",
            ),
            {
                "en": "Nothing arrives at w and x: `detach` made `shared` a leaf of its own, and there the way ends.",
                "zh": "什么也没有到达 w 和 x：`detach` 让 `shared` 自己成了叶子，路到那里就断了。",
            },
            uses="detach",
        ),
        Wrong(
            _both(
                "first.backward(retain_graph=True)",
                "w.grad = None",
                "second.backward()",
            ),
            {
                "en": "Both passes run. But what the first one brought to w was thrown away before the second came.",
                "zh": "两遍都走了。但第二遍来之前，第一遍带给 w 的已经被丢掉了。",
            },
        ),
        Wrong(
            _both("total = first + second"),
            {
                "en": "Nobody has gone backward. Who calls `backward()`?",
                "zh": "还没有人反向走过。谁来调用 `backward()`？",
            },
        ),
        Wrong(
            _both("second = shared.detach() * shared", "(first + second).backward()"),
            {
                "en": "Of the second result half is missing: one of its two arrows from `shared` is cut.",
                "zh": "第二个结果少了一半：它从 `shared` 来的两条箭头断了一条。",
            },
        ),
        Wrong(
            _both("first.backward()"),
            {
                "en": "That is what the first result brings. And the second one?",
                "zh": "这是第一个结果带来的。第二个呢？",
            },
        ),
        Wrong(
            _both("second.backward()"),
            {
                "en": "That is what the second result brings. And the first one?",
                "zh": "这是第二个结果带来的。第一个呢？",
            },
        ),
        Wrong(
            _both("((first + second) / 2).backward()"),
            {
                "en": "Both are there, but halved: passes add up, they are not averaged.",
                "zh": "两份都在，但减半了：各遍相加，不是取平均。",
            },
        ),
        Wrong(
            _both("(first * second).backward()"),
            {
                "en": "That is the gradient of their product. Two passes add up: of which one result is that the "
                "gradient?",
                "zh": "这是两者乘积的梯度。两遍是相加的：那是哪一个结果的梯度？",
            },
        ),
        Wrong(
            _both("first.backward(retain_graph=True)", "second.backward(retain_graph=True)", "second.backward()"),
            {
                "en": "One pass too many: each pass adds to `w.grad` again.",
                "zh": "多走了一遍：每一遍都会再加到 `w.grad` 里。",
            },
        ),
    ],
    because={
        "en": "Full drawers, one pass for the sum of both, or a `shared` made anew for each: the same arrives. The one "
        "pass costs least.",
        "zh": "抽屉保持装满，或为两者之和走一遍，或各用一个重新算的 `shared`：到达的都一样。只走一遍最省。",
    },
)


def _starts(torch, random):
    yield 1.0, 0.05
    yield 7.5, 0.02
    yield float(random.uniform(5, 9)), float(random.uniform(0.03, 0.05))


DESCEND = """
def descend(w, rate):
    for step in range(10):
        leaf = torch.tensor(float(w), requires_grad=True)
        loss = (3 * leaf - 12) ** 2
        {}
    return w
"""


def _descend(*lines: str) -> str:
    return DESCEND.format("\n        ".join(lines))


descend = function(
    "descend",
    task={
        "en": "Finish the loop: at each step ask for the slope of `loss`, and move the number `w` against it, by "
        "`rate` × slope.",
        "zh": "写完这个循环：每一步求 `loss` 的斜率，并让数 `w` 逆着它移动 `rate` × 斜率。",
    },
    gap=_descend("..."),
    solution=_descend("loss.backward()", "w = w - rate * leaf.grad.item()"),
    points=_starts,
    hints=[
        {
            "en": "Who computes the slope, and where does it put it?",
            "zh": "斜率由谁来算？算好放在哪里？",
        },
        {
            "en": "`loss.backward()` puts it into `leaf.grad`; `leaf.grad.item()` is the number in it.",
            "zh": "`loss.backward()` 把它放进 `leaf.grad`；`leaf.grad.item()` 是里面的数。",
        },
        {
            "en": "A second line, below `loss.backward()`: `w = w - rate * leaf.grad.item()`.",
            "zh": "在 `loss.backward()` 下面再写一行：`w = w - rate * leaf.grad.item()`。",
        },
    ],
    wrong=[
        Wrong(
            _descend("loss.backward()"),
            {
                "en": "w is where it was: backward moves nothing. Who says `w = …`?",
                "zh": "w 还在原处：backward 什么也不移动。谁来写 `w = …`？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w - rate * leaf.grad.item()", "return w"),
            {
                "en": "That is one step. Is there a `return` inside the loop?",
                "zh": "这只走了一步。`return` 是不是写在循环里了？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w + rate * leaf.grad.item()"),
            {
                "en": "Uphill! Where the slope is positive, the loss grows with w. Which way is down?",
                "zh": "上坡了！斜率为正的地方，loss 随 w 增大。哪边是下坡？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w - leaf.grad.item()"),
            {
                "en": "The whole slope is too large a step. What is `rate` for?",
                "zh": "走整个斜率，步子太大。`rate` 是做什么的？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w - rate * loss.item()"),
            {
                "en": "That moves by the loss. It says how high you are, and not where down is.",
                "zh": "这是按 loss 移动。它说的是你有多高，而不是哪边往下。",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = -rate * leaf.grad.item()"),
            {
                "en": "That is the step alone. From where is it taken?",
                "zh": "这只是一步的长度。从哪里迈出？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = rate * leaf.grad.item()"),
            {
                "en": "That is the step alone. From where is it taken, and which way?",
                "zh": "这只是一步的长度。从哪里迈出，朝哪边？",
            },
        ),
        Wrong(
            _descend("slope = loss.backward()", "w = w - rate * slope"),
            {
                "en": "That is None: `backward()` returns nothing, and the loss keeps nothing. The slope is in "
                "`leaf.grad`.",
                "zh": "那是 None：`backward()` 什么也不返回，loss 什么也不留。斜率在 `leaf.grad` 里。",
            },
        ),
        Wrong(
            _descend("loss.backward()", "leaf -= rate * leaf.grad"),
            {
                "en": "The leaf is made anew in each turn. What is to move is the number `w`.",
                "zh": "叶子每一轮都重新做。要移动的是数 `w`。",
            },
        ),
        Wrong(
            _descend("w = w - rate * leaf.grad.item()"),
            {
                "en": "`leaf.grad` is still None: nobody has gone backward yet.",
                "zh": "`leaf.grad` 还是 None：还没有人反向走过。",
            },
        ),
        Wrong(
            _descend("w.backward()", "w = w - rate * leaf.grad.item()"),
            {
                "en": "w is a plain number here, it has no graph. Backward starts at what is to become small.",
                "zh": "这里的 w 只是一个数，没有图。反向从想要变小的东西开始。",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w - rate * w.grad"),
            {
                "en": "w is a plain number here, and has no `.grad`. Who is the leaf?",
                "zh": "这里的 w 只是一个数，没有 `.grad`。叶子是谁？",
            },
        ),
        Wrong(
            _descend("loss.backward()", "w = w - rate * leaf.item()"),
            {
                "en": "That takes a part of the weight itself away. Where is its slope?",
                "zh": "这减去的是权重自己的一部分。它的斜率在哪里？",
            },
        ),
        Wrong(
            _descend("w = w - rate * (3 * w - 12)"),
            {
                "en": "That is the bracket, and not the slope of its square. Let `loss.backward()` find the slope.",
                "zh": "这是括号本身，不是它平方的斜率。让 `loss.backward()` 去求斜率。",
            },
        ),
    ],
    because={
        "en": "Backward says where uphill is, and your line goes the other way. Every training loop does this.",
        "zh": "backward 说出哪边是上坡，你的那一行往反方向走。每个训练循环都是这样。",
    },
)


probe(
    2,
    ".grad is replaced",
    before=Ask(
        ask={
            "en": "One backward pass through this y brings 10 to w. What does this print?",
            "zh": "穿过这个 y 反向走一遍会给 w 带来 10。这会打印什么？",
        },
        code="""
w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(5.0, requires_grad=True)
y = (w + x) * (w + 1)
y.backward(retain_graph=True)
y.backward()
print(w.grad.item())
""",
        choices={
            "10.0": {
                "en": "So it would be, if the second pass replaced what was there. It adds.",
                "zh": "如果第二遍替换掉原来的，就会这样。它是加上去的。",
            },
            "20.0": {
                "en": "Each pass adds 10 to what is there.",
                "zh": "每一遍都在原有的上面加 10。",
            },
            "100.0": {
                "en": "Passes add up; nothing multiplies them.",
                "zh": "各遍相加；没有什么把它们相乘。",
            },
            "an error": {
                "en": "`retain_graph=True` has left everything there for a second pass.",
                "zh": "`retain_graph=True` 把第二遍要用的都留下了。",
            },
        },
        right="20.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(w.grad.item())",
    ),
    after=Ask(
        ask={
            "en": "A new graph is made at each turn. What does this print?",
            "zh": "每一轮都建一个新图。这会打印什么？",
        },
        code="""
w = torch.tensor(3.0, requires_grad=True)
for turn in range(3):
    loss = w * 4
    loss.backward()
print(w.grad.item())
""",
        choices={
            "4.0": {
                "en": "The graphs are new, but the leaf is the same, and its `.grad` is added to.",
                "zh": "图是新的，但叶子是同一个，它的 `.grad` 一直在累加。",
            },
            "12.0": {
                "en": "Three passes, and each brings 4 to the same leaf.",
                "zh": "三遍，每一遍都给同一个叶子带来 4。",
            },
            "64.0": {
                "en": "Passes add up: 4 and 4 and 4.",
                "zh": "各遍相加：4 加 4 加 4。",
            },
            "an error": {
                "en": "Each turn has a graph of its own, so no pass finds an empty drawer.",
                "zh": "每一轮都有自己的图，所以哪一遍都不会遇到空抽屉。",
            },
        },
        right="12.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(w.grad.item())",
    ),
)

probe(
    2,
    "backward destroys the graph",
    before=Ask(
        ask={
            "en": "Backward twice, with no argument. What happens?",
            "zh": "反向两次，不带参数。会怎样？",
        },
        code="""
w = torch.tensor(2.0, requires_grad=True)
y = w + 1
y.backward()
y.backward()
""",
        choices={
            "it works": {
                "en": "The graph is still there. Only saved numbers are given back, and + has saved none.",
                "zh": "图还在。交还的只是保存的数，而 + 什么也没有保存。",
            },
            "an error at the second": {
                "en": "The graph is still there. Only saved numbers are given back, and + has saved none.",
                "zh": "图还在。交还的只是保存的数，而 + 什么也没有保存。",
            },
            "the second does nothing": {
                "en": "It runs like the first, and adds 1 to `w.grad` once more.",
                "zh": "它和第一次一样运行，再给 `w.grad` 加 1。",
            },
        },
        right="it works",
        labels={
            "it works": {"en": "it works", "zh": "能运行"},
            "an error at the second": {"en": "an error at the second", "zh": "第二次报错"},
            "the second does nothing": {"en": "the second does nothing", "zh": "第二次什么也不做"},
        },
        proof='answer = "it works" if w.grad.item() == 2 else "the second does nothing"',
    ),
    after=Ask(
        ask={
            "en": "And here?",
            "zh": "那么这里呢？",
        },
        code="""
w = torch.tensor(6.0, requires_grad=True)
y = (w + w) - 5
y.backward()
y.backward()
print(w.grad.item())
""",
        choices={
            "2.0": {
                "en": "That is one pass: 1 along each arrow. The second works, too, and adds.",
                "zh": "这是一遍：沿每条箭头 1。第二遍也能走，而且会加上去。",
            },
            "4.0": {
                "en": "Sums and differences save nothing, so the second pass runs, and adds 2.",
                "zh": "加减什么也不保存，所以第二遍能走，再加 2。",
            },
            "an error": {
                "en": "Which of these operators needs a saved number for its slope?",
                "zh": "这些算子里，哪一个的斜率需要保存的数？",
            },
        },
        right="4.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(w.grad.item())",
    ),
)

probe(
    2,
    "retain_graph is retain_grad",
    before=Ask(
        ask={
            "en": "What is `a.grad` after this?",
            "zh": "之后 `a.grad` 是什么？",
        },
        code="""
w = torch.tensor(2.0, requires_grad=True)
a = w * 3
y = a * a
y.backward(retain_graph=True)
""",
        choices={
            "None": {
                "en": "retain_graph keeps what operators saved. a is no leaf, so its gradient passed through.",
                "zh": "retain_graph 保留的是算子保存的东西。a 不是叶子，所以它的梯度只是经过。",
            },
            "12": {
                "en": "12 did pass through a. But what is retained is the graph, and not a's gradient.",
                "zh": "12 确实经过了 a。但保留下来的是图，不是 a 的梯度。",
            },
            "0": {
                "en": "Nothing was kept, and PyTorch says so with None.",
                "zh": "什么也没有保留，PyTorch 用 None 表示。",
            },
        },
        right="None",
        proof="""
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    answer = str(a.grad)
""",
    ),
    after=Ask(
        ask={
            "en": "Now comes a second `y.backward()`. What happens?",
            "zh": "接着再来一次 `y.backward()`。会怎样？",
        },
        code="""
w = torch.tensor(2.0, requires_grad=True)
a = w * w
a.retain_grad()
y = a * a
y.backward()
""",
        choices={
            "a.grad becomes 16": {
                "en": "a keeps its gradient, 8. But what × had saved for a second pass is gone.",
                "zh": "a 保留了它的梯度 8。但 × 为第二遍保存的东西已经没了。",
            },
            "an error": {
                "en": "retain_grad keeps a gradient. What operators saved would be kept by retain_graph.",
                "zh": "retain_grad 保留的是梯度。算子保存的东西要靠 retain_graph 保留。",
            },
            "nothing": {
                "en": "A second pass either adds, or says that it can't.",
                "zh": "第二遍要么加上去，要么说做不到。",
            },
        },
        right="an error",
        labels={
            "a.grad becomes 16": {"en": "a.grad becomes 16", "zh": "a.grad 变成 16"},
            "an error": {"en": "an error", "zh": "报错"},
            "nothing": {"en": "nothing", "zh": "什么也不发生"},
        },
        proof="""
try:
    y.backward()
    answer = f"a.grad becomes {a.grad.item():g}"
except RuntimeError:
    answer = "an error"
""",
    ),
)
