"""Lesson 5, a net of two layers, three ways: its slopes by hand, the step that moves the weights, the order of a
training loop, and a module whose weights nobody finds, to be mended."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function, order


def _small_nets(torch, random):
    x = np.array([[1.0, 2.0, -1.0], [0.0, -1.0, 3.0]])
    y = np.array([[1.0], [-2.0]])
    w1 = np.array([[1.0, -1.0], [2.0, 1.0], [0.5, 0.5]])
    yield x, y, w1, np.array([[2.0], [-1.0]])
    for batch, wide, hidden, out in ((5, 3, 4, 2), (2, 4, 3, 1)):
        yield tuple(random.normal(size=size) for size in ((batch, wide), (batch, out), (wide, hidden), (hidden, out)))


BY_HAND = """
def gradients(x, y, w1, w2):
    h = x @ w1
    relu = np.maximum(h, 0)
    pred = relu @ w2  # and loss = ((pred - y) ** 2).sum()

    pred_grad = 2 * (pred - y)
    w2_grad = relu.T @ pred_grad
    relu_grad = pred_grad @ w2.T
    h_grad = {h}
    w1_grad = {w1}
    return w1_grad, w2_grad
"""


def _by_hand(h: str, w1: str = "x.T @ h_grad") -> str:
    return BY_HAND.format(h=h, w1=w1)


MASKED = "relu_grad * (h > 0)"
NO_MASK = {
    "en": "All of `relu_grad` went through. What is the slope of ReLU where `h` is below 0?",
    "zh": "整个 `relu_grad` 都通过了。`h` 小于 0 的地方，ReLU 的斜率是多少？",
}

by_hand = function(
    "two_layers_by_hand",
    task={
        "en": "Write the last two slopes of the net: `h_grad`, where backward has gone through ReLU, and `w1_grad`.",
        "zh": "写出网络的最后两个斜率：反向走过 ReLU 之后的 `h_grad`，以及 `w1_grad`。",
    },
    gap=_by_hand("...", "..."),
    solution=_by_hand(MASKED),
    points=_small_nets,
    hints=[
        {
            "en": "What is the slope of ReLU where `h` is 3? And where it is −2?",
            "zh": "`h` 是 3 时 ReLU 的斜率是多少？是 −2 时呢？",
        },
        {
            "en": "`h > 0` is True where the slope is 1, and True counts as 1. For `w1_grad` look at `w2_grad`: w1 "
            "does to x what w2 does to relu.",
            "zh": "斜率是 1 的地方 `h > 0` 为 True，而 True 算作 1。`w1_grad` 可以照着 `w2_grad` 写："
            "w1 对 x 做的，就是 w2 对 relu 做的。",
        },
        {
            "en": "`relu_grad * (h > 0)`, and then `x.T @` that.",
            "zh": "先是 `relu_grad * (h > 0)`，然后 `x.T @` 它。",
        },
    ],
    wrong=[
        Wrong(_by_hand("relu_grad"), NO_MASK),
        Wrong(
            _by_hand("relu_grad * (relu_grad > 0)"),
            {
                "en": "That looks at the sign of what arrives. ReLU decided by the sign of `h`.",
                "zh": "这看的是到来的东西的符号。ReLU 是按 `h` 的符号决定的。",
            },
        ),
        Wrong(
            _by_hand("relu_grad * relu"),
            {
                "en": "That multiplies by the value of ReLU. Multiply by its slope: 0 or 1.",
                "zh": "这乘的是 ReLU 的值。要乘的是它的斜率：0 或 1。",
            },
        ),
        Wrong(
            _by_hand("relu_grad * h"),
            {
                "en": "That multiplies by `h` itself. How many times as far as `h` does ReLU move?",
                "zh": "这乘的是 `h` 本身。ReLU 移动的距离是 `h` 的几倍？",
            },
        ),
        Wrong(
            _by_hand("1.0 * (h > 0)"),
            {
                "en": "That is the slope of ReLU alone. What has arrived from `pred`?",
                "zh": "这只是 ReLU 的斜率。从 `pred` 到来的是什么？",
            },
        ),
        Wrong(
            _by_hand(MASKED, "h_grad.T @ x"),
            {
                "en": "The right numbers, lying on their side: a gradient has the shape of its weights, so `w1_grad` "
                "has that of `w1`.",
                "zh": "数对了，但躺倒了：梯度的形状和权重一样，所以 `w1_grad` 的形状和 `w1` 一样。",
            },
        ),
        Wrong(
            _by_hand(MASKED, "x @ h_grad"),
            {
                "en": "These shapes do not fit. `w1_grad` has as many rows as `x` has columns: turn `x` first.",
                "zh": "这两个形状不合。`w1_grad` 的行数等于 `x` 的列数：先把 `x` 转过来。",
            },
        ),
        Wrong(
            _by_hand(MASKED, "h_grad @ x.T"),
            {
                "en": "These shapes do not fit. `w1_grad` has as many rows as `x` has columns: put `x.T` first.",
                "zh": "这两个形状不合。`w1_grad` 的行数等于 `x` 的列数：`x.T` 在左边。",
            },
        ),
        Wrong(
            _by_hand(MASKED, "x.T @ h_grad.T"),
            {
                "en": "Turn `x` alone. Where `h_grad` happens to be square this has the right shape, too, and wrong "
                "numbers.",
                "zh": "只转 `x`。`h_grad` 碰巧是方阵时，这样写形状也对，数却是错的。",
            },
        ),
        Wrong(
            _by_hand(MASKED, "h_grad"),
            {
                "en": "That is the gradient of `h`. `h` is `x @ w1`: what was each weight multiplied by?",
                "zh": "这是 `h` 的梯度。`h` 是 `x @ w1`：每个权重乘的是什么？",
            },
        ),
        Wrong(
            _by_hand(MASKED, "x.T @ h_grad / len(x)"),
            {
                "en": "That is the mean over the examples. This loss is a sum, so their gradients add up.",
                "zh": "这是对各样本的平均。这个损失是总和，所以它们的梯度相加。",
            },
        ),
    ],
    because={
        "en": "What arrives, times the slope, at every station. A gradient has the shape of what it belongs to.",
        "zh": "每一站都是：到来的乘以斜率。梯度的形状和它所属的东西一样。",
    },
)


def _hollows(torch, random):
    def bowl(target, steepness):
        target, steepness = torch.tensor(target), torch.tensor(steepness)

        def loss_of(w):
            return (steepness * (w - target) ** 2).sum()

        return loss_of

    yield torch.tensor([1.0, -2.0], requires_grad=True), bowl([3.0, 0.5], [1.0, 2.0]), 0.1, 3
    yield torch.tensor([0.5], requires_grad=True), bowl([-1.0], [3.0]), 0.05, 1
    for steps in (2, 6):
        start, target = random.normal(size=(2, 3))
        yield torch.tensor(start, requires_grad=True), bowl(target, random.uniform(0.5, 2, 3)), 0.1, steps


def _descended(given, torch, w, loss_of, lr, steps):
    moved = given(w, loss_of, lr, steps)
    return {"result": moved.detach(), "w": w.detach()}


DESCEND = """
def descend(w, loss_of, lr, steps):
    for _ in range(steps):
        loss = loss_of(w)
        loss.backward()
        {lines}
    return w
"""


def _descend(*lines: str) -> str:
    return DESCEND.format(lines="\n        ".join(lines))


INSIDE = ("with torch.no_grad():", "    w -= lr * w.grad")

update_step = function(
    "update_step",
    task={
        "en": "Finish the loop: move `w` against its gradient, `lr` times as far, so that the next step can do the "
        "same.",
        "zh": "把循环写完：让 `w` 逆着梯度移动，距离是梯度的 `lr` 倍，并让下一步也能这样做。",
    },
    gap=_descend("..."),
    solution=_descend(*INSIDE, "w.grad = None"),
    points=_hollows,
    run=_descended,
    where={
        "en": "On losses of the check's own, some of one step and some of several",
        "zh": "在检查自带的损失上，有的一步，有的多步",
    },
    may_change=True,
    parts={
        "result": {"en": "result", "zh": "返回值"},
        "w": {"en": "w itself, at the end", "zh": "最后 w 本身"},
    },
    hints=[
        {
            "en": "Is `w` still a leaf after your line? And what will the next backward find in `w.grad`?",
            "zh": "执行你那一行之后，`w` 还是叶子吗？下一次 backward 会在 `w.grad` 里看到什么？",
        },
        {
            "en": "Change the old tensor, `w -= …`, where nothing is recorded: inside `with torch.no_grad():`.",
            "zh": "在不记录的地方改动原来的张量：在 `with torch.no_grad():` 里写 `w -= …`。",
        },
        {
            "en": "`w -= lr * w.grad` inside `no_grad`, and then `w.grad = None` or `w.grad.zero_()`.",
            "zh": "在 `no_grad` 里写 `w -= lr * w.grad`，然后写 `w.grad = None` 或 `w.grad.zero_()`。",
        },
    ],
    wrong=[
        Wrong(
            _descend("w = w - lr * w.grad"),
            {
                "en": "Who made this w? A subtraction. It is no leaf, so the next backward leaves no `.grad` in it.",
                "zh": "这个 w 是谁做的？是减法。它不是叶子，所以下一次 backward 不会给它留下 `.grad`。",
            },
        ),
        Wrong(
            _descend("w = w - lr * w.grad", "w.grad = None"),
            {
                "en": "Who made this w? A subtraction. It is no leaf, so the next backward leaves no `.grad` in it.",
                "zh": "这个 w 是谁做的？是减法。它不是叶子，所以下一次 backward 不会给它留下 `.grad`。",
            },
        ),
        Wrong(
            _descend("with torch.no_grad():", "    w = w - lr * w.grad"),
            {
                "en": "A new w, made where nothing is recorded: it has no history and asks for no gradient. Change the "
                "old one, in place.",
                "zh": "这是新的 w，在不记录的地方做出来：没有历史，也不要求梯度。请在原处改动旧的那个。",
            },
        ),
        Wrong(
            _descend("torch.no_grad()", "w -= lr * w.grad", "w.grad = None"),
            {
                "en": "On a line of its own `torch.no_grad()` switches nothing. It needs a block: `with` before it, a "
                "colon behind it, and your line indented below.",
                "zh": "单独一行的 `torch.no_grad()` 什么也没有关掉。它需要一个块：前面写 `with`，后面加冒号，"
                "你那一行缩进写在下面。",
            },
            uses="no_grad",
        ),
        Wrong(
            _descend("w -= lr * w.grad", "w.grad = None"),
            {
                "en": "Your line would be recorded, as part of the net. Where is nothing recorded?",
                "zh": "你这一行会被记录下来，成为网络的一部分。在哪里不记录？",
            },
        ),
        Wrong(
            _descend(*INSIDE),
            {
                "en": "The first step is right. Then the next gradient is added to the old one.",
                "zh": "第一步是对的。之后，下一个梯度会加到旧的上面。",
            },
        ),
        Wrong(
            _descend("w = (w - lr * w.grad).detach().requires_grad_()"),
            {
                "en": "The numbers are right, in a new tensor each time. But an optimizer or a module that holds w "
                "still has the old one: move that.",
                "zh": "数是对的，但每次都在一个新张量里。而持有 w 的优化器或模块手里还是旧的：请移动旧的那个。",
            },
        ),
        Wrong(
            _descend(*INSIDE, "w.grad = 0"),
            {
                "en": "`.grad` holds a tensor or None, and no number: `w.grad = None`, or `w.grad.zero_()`.",
                "zh": "`.grad` 里是张量或 None，不能是数：写 `w.grad = None` 或 `w.grad.zero_()`。",
            },
        ),
        Wrong(
            _descend("w.grad.zero_()", *INSIDE),
            {
                "en": "w stays where it is. Has the gradient gone before it was used? Or was it changed in place of w?",
                "zh": "w 停在原处。是梯度还没用就没了？还是改动的不是 w 而是梯度？",
            },
        ),
        Wrong(
            _descend("with torch.no_grad():", "    w += lr * w.grad", "w.grad = None"),
            {
                "en": "That walks uphill: the gradient points to where the loss grows.",
                "zh": "这是在上坡：梯度指向损失变大的方向。",
            },
        ),
        Wrong(
            _descend("with torch.no_grad():", "    w -= w.grad", "w.grad = None"),
            {
                "en": "So large a step jumps across the valley. Which number says how far to go?",
                "zh": "这么大的一步会跳过山谷。哪个数说明该走多远？",
            },
        ),
        Wrong(
            _descend("with torch.no_grad():", "    w -= lr * loss", "w.grad = None"),
            {
                "en": "The loss says how bad it is, not which way is down. What has backward found out?",
                "zh": "损失只说明有多糟，不说明哪边是下坡。backward 求出的是什么？",
            },
        ),
    ],
    because={
        "en": "The same tensor, changed in place where nothing is recorded, and its gradient cleared: it is a leaf as "
        "before, ready for the next step.",
        "zh": "还是同一个张量，在不记录的地方就地改动，梯度也清掉了：它和从前一样是叶子，可以走下一步。",
    },
    remarks={
        "data": {
            "en": "By `.data` it works here. Lesson 6 shows where that goes wrong without a word: take "
            "`with torch.no_grad():`.",
            "zh": "这里用 `.data` 行得通。第 6 课会看到它在哪里一声不响地出错：请用 `with torch.no_grad():`。",
        },
        "optim": {
            "en": "The optimizer has done it for you; by hand it is `w -= lr * w.grad` inside `with torch.no_grad():`.",
            "zh": "这是优化器替你做的；自己写就是在 `with torch.no_grad():` 里写 `w -= lr * w.grad`。",
        },
    },
)


def _fixed_net(torch):
    random = np.random.default_rng(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape))))
    x, y = (torch.tensor(random.normal(size=size), dtype=torch.float32) for size in ((6, 3), (6, 2)))
    return model, x, y


def _warm(torch, random):
    # PyTorch's first optimizer, and its first step, take seconds: not on the reader's time
    optimizer = torch.optim.Adam([torch.zeros(1, requires_grad=True)])
    optimizer.step()
    optimizer.zero_grad()
    yield ()


def _looped(given, torch):
    model, x, y = _fixed_net(torch)
    losses = given(model, x, y, torch.optim.Adam(model.parameters(), lr=0.05), 4)
    return {"losses": losses, "weights": model[2].weight.detach()}


training_loop = order(
    "training_loop",
    task={
        "en": "One iteration of a training loop: put the lines into an order that works. There are several.",
        "zh": "训练循环的一次迭代：把各行排成能用的顺序。（不止一种。）",
    },
    frame="""
        def train(model, x, y, optimizer, steps):
            losses = []
            for _ in range(steps):
                {lines}
                losses.append(loss.item())
            return losses
    """,
    lines=["optimizer.zero_grad()", "loss = ((model(x) - y) ** 2).mean()", "loss.backward()", "optimizer.step()"],
    shown=(3, 2, 0, 1),
    points=_warm,
    run=_looped,
    where={
        "en": "On a small net of the check's own, four iterations",
        "zh": "在检查自带的小网络上，四次迭代",
    },
    parts={
        "losses": {"en": "losses", "zh": "损失"},
        "weights": {"en": "weights at the end", "zh": "最后的权重"},
    },
    hints=[
        {
            "en": "What does each line need? `step` reads `.grad`: which line fills it?",
            "zh": "每一行需要什么？`step` 读取 `.grad`：哪一行填好它？",
        },
        {
            "en": "`backward` fills `.grad`, and `step` uses it. Between the two nothing may empty it.",
            "zh": "`backward` 填好 `.grad`，`step` 用它。两者之间不能有清空它的一行。",
        },
        {
            "en": "The loss, backward, step, in this order. Where can `zero_grad` stand?",
            "zh": "先算损失，再 backward，再 step。`zero_grad` 可以放在哪里？",
        },
    ],
    wrong=[
        Wrong(
            "",
            {
                "en": "The gradients are cleared before `step` has used them, so no weight moves.",
                "zh": "`step` 还没用，梯度就被清掉了，所以权重都不动。",
            },
            order=(1, 2, 0, 3),
        ),
        Wrong(
            "",
            {
                "en": "Each `step` uses the gradient of the iteration before, and the last gradient is never used.",
                "zh": "每次 `step` 用的都是上一次迭代的梯度，最后一个梯度没有用上。",
            },
            order=(3, 0, 1, 2),
        ),
        Wrong(
            "",
            {
                "en": "Backward starts from the loss. Which line makes it?",
                "zh": "backward 从损失开始。哪一行算出损失？",
            },
            order=(0, 2, 1, 3),
        ),
        Wrong(
            "",
            {
                "en": "The weights move between the forward pass, which saved them, and backward, which needs them as "
                "they were.",
                "zh": "前向保存了权重，backward 需要它们保持原样，而权重在两者之间移动了。",
            },
            order=(1, 3, 0, 2),
        ),
    ],
    because={
        "en": "Compute, go back, step. `zero_grad` may stand anywhere but between backward and step.",
        "zh": "计算，反向，走一步。`zero_grad` 放在哪里都行，只是不能在 backward 和 step 之间。",
    },
)


def _built(given, torch):
    torch.manual_seed(0)
    model = given(3, 4, 2)
    x = torch.ones(5, 3)
    weights = [parameter.detach().clone() for parameter in model.parameters()]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    output = model(x)
    output.pow(2).sum().backward()
    optimizer.step()
    moved = [bool((old != new).any()) for old, new in zip(weights, model.parameters(), strict=True)]
    sizes = sorted(str(tuple(each.shape)) for each in weights)
    return {"sizes": sizes, "output": tuple(output.shape), "moved": sum(moved), "deep": _slopes_change(model, torch)}


def _slopes_change(model, torch):
    """Whether a ReLU stands between the layers: else the net is one straight line, whatever its depth."""
    x = torch.linspace(-8, 8, 33).reshape(33, 1) * torch.tensor([[1.0, -2.0, 0.5]])
    y = model(x).detach()
    return bool((((y[2:] - y[1:-1]) - (y[1:-1] - y[:-2])).abs() > 1e-3).any())


MODULE = """
class TwoLayers(torch.nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        {layers}

    def forward(self, x):
        {forward}
"""
FIRST, SECOND = "torch.nn.Linear(n_in, hidden)", "torch.nn.Linear(hidden, n_out)"
CALLS = "return self.layers[1](torch.relu(self.layers[0](x)))"


def _module(layers: str, forward: str = CALLS) -> str:
    return MODULE.format(layers=layers, forward=forward)


unseen_weights = function(
    "unseen_weights",
    task={
        "en": "Mend `TwoLayers`: the optimizer finds no weights to move.",
        "zh": "改好 `TwoLayers`：优化器找不到可以移动的权重。",
    },
    unmended={
        "en": "Not mended yet: the class `TwoLayers` is as it was. An optimizer sees what `net.parameters()` gives, so "
        "change the class.",
        "zh": "还没有改好：`TwoLayers` 这个类还是原样。优化器看到的是 `net.parameters()` 给出的，所以要改的是这个类。",
    },
    gap=_module(f"self.layers = [{FIRST}, {SECOND}]"),
    solution=_module(f"self.layers = torch.nn.ModuleList([{FIRST}, {SECOND}])"),
    points=_warm,
    run=_built,
    where={"en": "With 3 inputs, 4 hidden numbers and 2 outputs", "zh": "3 个输入、4 个隐藏数、2 个输出时"},
    parts={
        "sizes": {"en": "sizes of the parameters", "zh": "各参数的大小"},
        "output": {"en": "size of the output", "zh": "输出的大小"},
        "moved": {"en": "number of parameters that a step moves", "zh": "一步会移动的参数个数"},
        "deep": {"en": "answer to “is there a ReLU between the layers?”", "zh": "对“两层之间有 ReLU 吗？”的回答"},
    },
    hints=[
        {
            "en": "A module finds the layers that are its own attributes. Does it look into a Python list?",
            "zh": "模块能找到直接作为自己属性的层。它会去看 Python 列表里面吗？",
        },
        {
            "en": "Give each layer a name of its own: `self.hidden = …`, `self.out = …`. Or take PyTorch's own list.",
            "zh": "给每一层一个自己的名字：`self.hidden = …`、`self.out = …`。或者找 PyTorch 自己的列表。",
        },
        {
            "en": "`torch.nn.ModuleList([…])` around the list is enough.",
            "zh": "在列表外面套上 `torch.nn.ModuleList([…])` 就够了。",
        },
    ],
    wrong=[
        Wrong(
            _module(f"self.layers = ({FIRST}, {SECOND})"),
            {
                "en": "Still nothing is found: a module looks into no list, tuple, dict or function of Python's own.",
                "zh": "还是什么也找不到：Python 自己的列表、元组、字典、函数，模块都不会去看里面。",
            },
        ),
        Wrong(
            _module(f"self.layers = torch.nn.ModuleList([{FIRST}, {SECOND}])", "return self.layers(x)"),
            {
                "en": "All weights are found. But a ModuleList only keeps layers: `forward` still has to call each.",
                "zh": "权重都找到了。但 ModuleList 只负责保管各层：`forward` 还是要逐个调用它们。",
            },
        ),
        Wrong(
            _module(f"self.hidden = {FIRST}\n        self.out = {SECOND}"),
            {
                "en": "The names are good, and all weights are found. Now `forward` has to use the new names.",
                "zh": "名字起得好，权重也都找到了。现在 `forward` 也要用新名字。",
            },
        ),
        Wrong(
            _module(f"self.hidden = {FIRST}\n        self.layers = [self.hidden, {SECOND}]"),
            {
                "en": "Now one layer is found, and no error comes any more. Half of the net would never be trained.",
                "zh": "现在找到了一层，也不再报错了。但半个网络永远得不到训练。",
            },
        ),
        Wrong(
            _module(f"self.out = {SECOND}\n        self.layers = [{FIRST}, self.out]"),
            {
                "en": "Now the last layer is found, and no error comes any more. The first would never be trained.",
                "zh": "现在找到了最后一层，也不再报错了。但第一层永远得不到训练。",
            },
        ),
        Wrong(
            _module(f"self.layers = torch.nn.Sequential({FIRST}, {SECOND})", "return self.layers(x)"),
            {
                "en": "All weights are found. But where is the ReLU? Without it two layers are one.",
                "zh": "权重都找到了。但 ReLU 在哪里？没有它，两层就等于一层。",
            },
        ),
    ],
    because={
        "en": "A module finds what is its own attribute: parameters, modules, and PyTorch's lists of these.",
        "zh": "模块能找到自己的属性：参数、模块，以及 PyTorch 自己的模块列表。",
    },
)

probe(
    5,
    "backward moves the weights",
    before=Ask(
        ask={
            "en": "w = 4 is a weight, and the loss is w · w. After `loss.backward()`, what is w?",
            "zh": "w = 4 是权重，损失是 w · w。执行 `loss.backward()` 之后，w 是多少？",
        },
        choices={
            "4": {
                "en": "backward writes slopes into `.grad`. Somebody else has to move w.",
                "zh": "backward 把斜率写进 `.grad`。w 要由别人来移动。",
            },
            "8": {"en": "8 is the slope, and stands in `w.grad`.", "zh": "8 是斜率，在 `w.grad` 里。"},
            "less than 4": {
                "en": "Less would be better. Who is to decide how far to go?",
                "zh": "小一点更好。但该走多远由谁决定？",
            },
        },
        right="4",
        labels={
            "4": {"en": "4", "zh": "4"},
            "8": {"en": "8", "zh": "8"},
            "less than 4": {"en": "less than 4", "zh": "小于 4"},
        },
        proof="""
w = torch.tensor(4.0, requires_grad=True)
(w * w).backward()
answer = f"{w.item():g}"
""",
    ),
    after=Ask(
        ask={
            "en": "A loop calls `optimizer.zero_grad()` and `loss.backward()`, a hundred times, and nothing else. The "
            "data stay the same. What does the loss do?",
            "zh": "一个循环执行一百次 `optimizer.zero_grad()` 和 `loss.backward()`，别的都没有。数据不变。损失会怎样？",
        },
        choices={
            "it falls": {
                "en": "Which line would move the weights? `optimizer.step()` is missing.",
                "zh": "哪一行会移动权重？缺了 `optimizer.step()`。",
            },
            "it stays": {
                "en": "Slopes are computed, and nobody takes a step.",
                "zh": "斜率算出来了，但没有人迈步。",
            },
            "it grows": {
                "en": "Gradients would add up without `zero_grad`. But no weight moves either way.",
                "zh": "没有 `zero_grad` 时梯度会累加。但不管怎样，权重都不动。",
            },
        },
        right="it stays",
        labels={
            "it falls": {"en": "it falls", "zh": "下降"},
            "it stays": {"en": "it stays", "zh": "不变"},
            "it grows": {"en": "it grows", "zh": "上升"},
        },
        proof="""
layer = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
losses = []
for _ in range(5):
    loss = (layer(torch.ones(2, 3)) - 1).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    losses.append(loss.item())
answer = {True: "it stays", False: "it falls"}[len(set(losses)) == 1]
""",
    ),
)

probe(
    5,
    ".grad is replaced",
    before=Ask(
        ask={
            "en": "What is `w.grad` at the end?",
            "zh": "最后 `w.grad` 是多少？",
        },
        code="w = torch.tensor(3.0, requires_grad=True)\n(w * w).backward()\n(5 * w).backward()",
        choices={
            "5": {
                "en": "So it would be if the second replaced the first. It is added.",
                "zh": "如果第二次替换第一次，就是这样。但它是加上去的。",
            },
            "6": {"en": "That is what the first backward brings.", "zh": "这是第一次 backward 带来的。"},
            "11": {"en": "6 arrives first, and then 5 is added.", "zh": "先到来 6，再加上 5。"},
            "30": {"en": "They are not multiplied: what arrives is added.", "zh": "不是相乘：到来的会相加。"},
        },
        right="11",
        proof="answer = f'{w.grad.item():g}'",
    ),
    after=Ask(
        ask={
            "en": "`.grad` is clear. A batch is too large for the memory. Somebody calls `backward()` on the loss of "
            "its first half, then on that of its second half, and only then `optimizer.step()`. Both losses are sums. "
            "The step is",
            "zh": "`.grad` 是清空的。一个批次太大，内存放不下。有人先对前一半的损失执行 `backward()`，"
            "再对后一半的损失执行，然后才执行 `optimizer.step()`。两个损失都是总和。这一步是",
        },
        choices={
            "that of the second half": {
                "en": "So it would be if `.grad` were replaced.",
                "zh": "如果 `.grad` 会被替换，就是这样。",
            },
            "that of the whole batch": {
                "en": "Gradients add up in `.grad`: here that is just what is wanted.",
                "zh": "梯度在 `.grad` 里相加：这里要的正是这个。",
            },
            "an error": {
                "en": "Each half has a graph of its own, and each is gone through once.",
                "zh": "每一半有自己的图，各走过一次。",
            },
        },
        right="that of the whole batch",
        labels={
            "that of the second half": {"en": "that of the second half", "zh": "后一半的"},
            "that of the whole batch": {"en": "that of the whole batch", "zh": "整个批次的"},
            "an error": {"en": "an error", "zh": "报错"},
        },
        proof="""
w = torch.tensor([1.0, -2.0], requires_grad=True)
x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 9.0]])
for half in (x[:2], x[2:]):
    (half @ w).pow(2).sum().backward()
halves, w.grad = w.grad, None
(x @ w).pow(2).sum().backward()
answer = "that of the whole batch" if torch.allclose(halves, w.grad) else "that of the second half"
""",
    ),
)

probe(
    5,
    "w = w - lr * w.grad keeps a leaf",
    before=Ask(
        ask={
            "en": "And what is `w.grad` at the end of this?",
            "zh": "这段程序最后 `w.grad` 是多少？",
        },
        code="w = torch.tensor(4.0, requires_grad=True)\n(w * w).backward()\nw = w - 0.25 * w.grad\n(w * w).backward()",
        choices={
            "None": {
                "en": "The new w was made by a subtraction. It is no leaf, and keeps no gradient.",
                "zh": "新的 w 是减法做出来的。它不是叶子，不保留梯度。",
            },
            "4": {
                "en": "The new w is 2, true, and the slope there 4. Who keeps it?",
                "zh": "新的 w 是 2，没错，那里的斜率是 4。但谁来保留它？",
            },
            "8": {
                "en": "8 stands in the `.grad` of the first w. Who is called w now?",
                "zh": "8 在第一个 w 的 `.grad` 里。现在叫 w 的是谁？",
            },
            "12": {
                "en": "So it would be if the same w had got both. But the second line makes another w.",
                "zh": "如果同一个 w 收到了两次，就是这样。但第二行做出了另一个 w。",
            },
        },
        right="None",
        labels={each: {"en": each, "zh": each} for each in ("None", "4", "8", "12")},
        proof="""
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    answer = str(w.grad)
""",
    ),
    after=Ask(
        ask={
            "en": "Two weights, both halved. Which of `u` and `v` is a leaf at the end?",
            "zh": "两个权重都减半。最后 `u` 和 `v` 中哪个是叶子？",
        },
        code="u = torch.tensor(2.0, requires_grad=True)\nv = torch.tensor(3.0, requires_grad=True)\n"
        "u = u * 0.5\nwith torch.no_grad():\n    v *= 0.5",
        choices={
            "both": {
                "en": "`u = u * 0.5` makes a new tensor, by a multiplication. The leaf is the old one.",
                "zh": "`u = u * 0.5` 用乘法做出一个新张量。叶子是旧的那个。",
            },
            "u": {
                "en": "Which of the two lines makes a new tensor, and which changes the old one?",
                "zh": "两行里哪一行做出新张量，哪一行改动旧的？",
            },
            "v": {
                "en": "It is the same tensor as before, changed in place where nothing is recorded.",
                "zh": "它还是原来的张量，在不记录的地方就地改动。",
            },
            "neither": {
                "en": "Inside `no_grad` nothing is recorded, so `v` stays a leaf.",
                "zh": "在 `no_grad` 里什么也不记录，所以 `v` 仍是叶子。",
            },
        },
        right="v",
        labels={
            "both": {"en": "both", "zh": "两个都是"},
            "u": {"en": "u", "zh": "u"},
            "v": {"en": "v", "zh": "v"},
            "neither": {"en": "neither", "zh": "都不是"},
        },
        proof="""
names = {(True, True): "both", (True, False): "u", (False, True): "v", (False, False): "neither"}
answer = names[u.is_leaf, v.is_leaf]
""",
    ),
)
