"""Lesson 9, random time steps: one step of a recurrent network, a training loop to be mended, and the loss of sequences
of different length in one padded batch."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function


def _tensors(torch, random, *sizes):
    return [torch.tensor(random.normal(size=size).astype(np.float32)) for size in sizes]


def _one_step(torch, random):
    yield tuple(
        torch.tensor(each) for each in ([[1.0]], [[0.5, -0.5]], [[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])
    )
    for batch, inputs, hidden in ((1, 3, 3), (4, 2, 5)):
        sizes = (batch, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden), (hidden,)
        yield tuple(_tensors(torch, random, *sizes))


def _is_what_rnn_does(given, torch, random):
    rnn = torch.nn.RNN(2, 3, batch_first=True)
    with torch.no_grad():
        for parameter in rnn.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape))))
        (x,) = _tensors(torch, random, (1, 6, 2))
        h = torch.zeros(1, 3)
        for t in range(6):
            h = given(x[:, t], h, rnn.weight_ih_l0.t(), rnn.weight_hh_l0.t(), rnn.bias_ih_l0 + rnn.bias_hh_l0)
        if not torch.allclose(h, rnn(x)[1][0], atol=1e-5):
            return {
                "en": "Each step is right, and yet six of them are not what `nn.RNN` makes of the same six inputs.",
                "zh": "每一步都对，但六步合起来却和 `nn.RNN` 对同样六个输入得出的不同。",
            }
    W, U, b = rnn.weight_ih_l0.t(), rnn.weight_hh_l0.t(), rnn.bias_ih_l0
    return None if getattr(given(x[:, 0], torch.zeros(1, 3), W, U, b), "requires_grad", False) else NO_GRAPH


NO_GRAPH = {
    "en": "The numbers are right, but they have lost their history: `backward()` could not train with them.",
    "zh": "数值对了，但丢了历史：`backward()` 无法用它们训练。",
}
STEP = "def step(x, h, W, U, b):\n    return "

rnn_step = function(
    "rnn_step",
    task={
        "en": "Write one time step: the new state, made of what is read, `x`, and of the old state, `h`. Then six of "
        "your steps are compared with `nn.RNN`.",
        "zh": "写出一个时间步：由读入的 `x` 和旧状态 `h` 得到新状态。随后用你的六步与 `nn.RNN` 比较。",
    },
    gap=STEP + "...",
    solution=STEP + "torch.tanh(x @ W + h @ U + b)",
    points=_one_step,
    verify=_is_what_rnn_does,
    hints=[
        {
            "en": "What is read goes through W, the old state through U: a row times a matrix is `row @ matrix`.",
            "zh": "读入的经过 W，旧状态经过 U：一行乘以矩阵写作 `row @ matrix`。",
        },
        {
            "en": "`x @ W`, plus `h @ U`, plus `b`; and around the whole sum the tanh.",
            "zh": "`x @ W` 加 `h @ U` 加 `b`；整个和的外面是 tanh。",
        },
        {
            "en": "`torch.tanh(x @ W + h @ U + b)`",
            "zh": "`torch.tanh(x @ W + h @ U + b)`",
        },
    ],
    wrong=[
        Wrong(
            STEP + "x @ W + h @ U + b",
            {
                "en": "Without tanh the state can grow without end. Where does it go?",
                "zh": "没有 tanh，状态会无限增大。tanh 该放在哪里？",
            },
        ),
        Wrong(
            STEP + "torch.tanh(x @ W + b)",
            {
                "en": "What does this step know of the ones before it?",
                "zh": "这一步对之前的各步知道什么？",
            },
        ),
        Wrong(
            STEP + "torch.tanh(x @ W + h @ U)",
            {
                "en": "And b?",
                "zh": "那么 b 呢？",
            },
        ),
        Wrong(
            STEP + "torch.tanh(x @ W) + torch.tanh(h @ U + b)",
            {
                "en": "One tanh, around the whole sum.",
                "zh": "只有一个 tanh，包住整个和。",
            },
        ),
        Wrong(
            STEP + "torch.tanh(x @ W + h @ U) + b",
            {
                "en": "b stands outside: the tanh goes around the whole sum.",
                "zh": "b 在外面：tanh 要包住整个和。",
            },
        ),
        Wrong(STEP + "torch.tanh(x @ W + h @ U + b).detach()", NO_GRAPH),
        Wrong(
            STEP + "torch.tanh(x * W + h * U + b)",
            {
                "en": "`*` multiplies number by number. A row times a matrix is `@`.",
                "zh": "`*` 是逐个相乘。一行乘以矩阵用 `@`。",
            },
        ),
        Wrong(
            STEP + "torch.tanh(W @ x + U @ h + b)",
            {
                "en": "x and h are rows, so they stand on the left: `x @ W`.",
                "zh": "x 和 h 是行，所以放在左边：`x @ W`。",
            },
        ),
        Wrong(
            STEP + "torch.tanh(x @ W + h * U + b)",
            {
                "en": "h is a row of numbers, U a square of them: is `*` their product?",
                "zh": "h 是一行数，U 是一个方阵：`*` 是它们的乘积吗？",
            },
        ),
    ],
    because={
        "en": "So does `nn.RNN`, at every time step, with the same W, U and b.",
        "zh": "`nn.RNN` 在每个时间步也是这样做的，用的是同样的 W、U 和 b。",
    },
)


def _three_pieces(torch, random):
    torch.optim.Adam(
        [torch.zeros(1, requires_grad=True)]
    )  # PyTorch's first one takes seconds: not on the reader's time
    yield ()


def _losses(given, torch):
    """What the loop prints of a small network, always with the same weights."""
    random = np.random.default_rng(0)

    class Net(torch.nn.Module):  # type: ignore[name-defined]
        def __init__(self):
            super().__init__()
            self.rnn, self.out = torch.nn.RNN(1, 4, batch_first=True), torch.nn.Linear(4, 1)

        def forward(self, x, h_state):
            states, h_state = self.rnn(x, h_state)
            return self.out(states), h_state

    net = Net()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape)) / 2))
    times = np.linspace(0, 3 * np.pi, 24, dtype=np.float32).reshape(3, 1, 8, 1)
    pieces = [(torch.tensor(np.sin(each)), torch.tensor(np.cos(each))) for each in times]
    return given(net, torch.optim.Adam(net.parameters(), lr=0.02), pieces)


LOOP = """
def train_on(rnn, optimizer, pieces):
    h_state, losses = None, []
    for x, y in pieces:
        prediction, h_state = rnn(x, h_state)
        loss = ((prediction - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward({how})
        optimizer.step()
        losses.append(loss.item())
        print("iteration", len(losses), "loss", round(losses[-1], 4)){last}
    return losses
"""

cut_the_state = function(
    "cut_the_state",
    task={
        "en": "Mend the loop by one line, which keeps the numbers in `h_state` and drops their history.",
        "zh": "用一行改好这个循环：保留 `h_state` 里的数，丢掉它们的历史。",
    },
    gap=LOOP.format(how="", last=""),
    solution=LOOP.format(how="", last="\n        h_state = h_state.detach()"),
    points=_three_pieces,
    run=_losses,
    where={
        "en": "On three pieces of a wave, with a small network of the check's own",
        "zh": "在三段波上，用检查自带的小网络",
    },
    may_change=True,
    hints=[
        {
            "en": "Where would backward run to in the second iteration, if you let it?",
            "zh": "如果让它走，第二次迭代的反向会跑到哪里去？",
        },
        {
            "en": "You have seen it at work: ✂. What is its name in PyTorch?",
            "zh": "你见过它起作用：✂。它在 PyTorch 里叫什么？",
        },
        {
            "en": "`h_state = h_state.detach()`, anywhere in the turn after `rnn(x, h_state)`.",
            "zh": "`h_state = h_state.detach()`，写在每一轮里 `rnn(x, h_state)` 之后的任何地方。",
        },
    ],
    wrong=[
        Wrong(
            LOOP.format(how="", last="\n        h_state = None"),
            {
                "en": "It runs, but it drops the numbers as well. Only their history was to go.",
                "zh": "能运行，但把数也丢掉了。该丢的只有历史。",
            },
        ),
        Wrong(
            LOOP.format(how="", last="\n        h_state.detach()"),
            {
                "en": "`detach` changes nothing in place: it gives a new tensor, and nobody has taken it. The name "
                "`h_state` still holds the old one, with its history.",
                "zh": "`detach` 不在原处改动任何东西：它给出一个新张量，而没有人接住它。名字 `h_state` "
                "指的仍是旧的那个，连同它的历史。",
            },
            uses="detach",
        ),
        Wrong(
            LOOP.format(how="", last="").replace(
                "        prediction, ", "        h_state = h_state.detach()\n        prediction, "
            ),
            {
                "en": "In the first iteration there is no state yet: `h_state` is None. Cut at the end of an "
                "iteration, when there is one.",
                "zh": "第一次迭代时还没有状态：`h_state` 是 None。在迭代的末尾剪，那时才有。",
            },
        ),
        Wrong(
            LOOP.format(how="retain_graph=True", last=""),
            {
                "en": "The drawers stay full. But what has `optimizer.step()` done meanwhile to the weights that they "
                "hold?",
                "zh": "抽屉还是满的。但 `optimizer.step()` 这期间对其中保存的权重做了什么？",
            },
        ),
    ],
    because={
        "en": "The numbers go on, their history ends: each backward runs through its own piece.",
        "zh": "数值继续传下去，历史到此为止：每次反向只走过自己的那一段。",
    },
)


def _padded(torch, random):
    prediction, target = (
        torch.tensor([[1.0, 2.0, 7.0], [0.0, 1.0, 2.0]]),
        torch.tensor([[0.0, 0.0, 0.0], [0.0, 1.0, 4.0]]),
    )
    yield prediction, target, [2, 3]
    for lengths in ([1, 4], [5, 2, 3]):
        longest = max(lengths)
        prediction, target = _tensors(torch, random, (len(lengths), longest), (len(lengths), longest))
        for row, length in enumerate(lengths):
            target[row, length:] = 0
        yield prediction, target, lengths


def _can_be_trained(given, torch, random):
    (prediction,) = _tensors(torch, random, (2, 3))
    loss = given(prediction.requires_grad_(), torch.zeros(2, 3), [2, 3])
    return None if getattr(loss, "requires_grad", False) else NO_GRAPH


HEAD = "def padded_loss(prediction, target, lengths):\n"

padded_loss = function(
    "padded_loss",
    task={
        "en": "Write the loss of a padded batch: the mean of the squared errors over the time steps that are there. "
        "`prediction` and `target` are (batch, longest), `lengths` a list.",
        "zh": "写出补齐批次的损失：只对真实存在的时间步取平方误差的平均。"
        "`prediction` 和 `target` 的形状是 (batch, longest)，`lengths` 是列表。",
    },
    gap=HEAD + "    errors = (prediction - target) ** 2\n    return ...",
    solution=HEAD
    + "    total = 0.0\n"
    + "    for row, length in enumerate(lengths):\n"
    + "        errors = prediction[row, :length] - target[row, :length]\n"
    + "        total = total + (errors**2).sum()\n"
    + "    return total / sum(lengths)",
    points=_padded,
    rel=1e-3,
    verify=_can_be_trained,
    hints=[
        {
            "en": "Which numbers of a row are padding? How many of them count?",
            "zh": "一行里哪些数是补齐的？有几个该算进去？",
        },
        {
            "en": "`prediction[row, :length]` are those that are there.",
            "zh": "真实存在的是 `prediction[row, :length]`。",
        },
        {
            "en": "Add up the squared errors of every row's first `length` numbers, and divide by `sum(lengths)`.",
            "zh": "把每行前 `length` 个数的平方误差加起来，再除以 `sum(lengths)`。",
        },
    ],
    wrong=[
        Wrong(
            HEAD + "    return ((prediction - target) ** 2).mean()",
            {
                "en": "That counts the padding. Double the padding: is the loss still the same?",
                "zh": "这把补齐的也算进去了。把补齐加长一倍，损失还一样吗？",
            },
        ),
        Wrong(
            HEAD + "    errors = (prediction - target) ** 2\n    return errors[:, :lengths].sum() / sum(lengths)",
            {
                "en": "`lengths` is a list, with one length for each row, and a slice wants one number. Go through the "
                "rows.",
                "zh": "`lengths` 是一个列表，每行一个长度，而切片只要一个数。请逐行处理。",
            },
        ),
        Wrong(
            HEAD + "    return ((prediction - target) ** 2).sum() / sum(lengths)",
            {
                "en": "You divide by the right number. But the errors of the padding are still in the sum.",
                "zh": "除数对了。但补齐部分的误差还在总和里。",
            },
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, : length + 1] - target[row, : length + 1]) ** 2).sum()\n"
            + "    return total / sum(lengths)",
            {
                "en": "One time step too many in each row: counted from 0, the last of n is number n − 1.",
                "zh": "每行多了一个时间步：从 0 数起，n 个里的最后一个是第 n − 1 号。",
            },
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).sum()\n"
            + "    return total / prediction.numel()",
            {
                "en": "The errors of the padding are out, but it is still counted: by what do you divide?",
                "zh": "补齐部分的误差去掉了，个数却还算着：你除以的是什么？",
            },
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).mean()\n"
            + "    return total / len(lengths)",
            {
                "en": "That is the mean of the sequences' means: a time step of a short sequence counts for more.",
                "zh": "这是各序列平均值的平均：短序列的一个时间步所占的分量更大。",
            },
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).sum()\n"
            + "    return total",
            {
                "en": "That is the sum. Of how many time steps?",
                "zh": "这是总和。一共有多少个时间步？",
            },
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total += ((prediction[row, :length] - target[row, :length]) ** 2).sum().item()\n"
            + "    return torch.tensor(total / sum(lengths))",
            NO_GRAPH,
        ),
    ],
    because={
        "en": "However long the padding is, the loss is the same.",
        "zh": "不管补齐多长，损失都一样。",
    },
)


probe(
    9,
    "one weight a step",
    before=Ask(
        ask={
            "en": "The same u is used three times: h = 1, then three times h = u · h. At u = 2 that gives h = 8. What "
            "is ∂h/∂u?",
            "zh": "同一个 u 用了三次：h = 1，然后三次 h = u · h。u = 2 时 h = 8。∂h/∂u 是多少？",
        },
        choices={
            "4": {
                "en": "That is what one use brings. u is used three times.",
                "zh": "这是用一次带来的。u 用了三次。",
            },
            "8": {
                "en": "That is h itself.",
                "zh": "这是 h 本身。",
            },
            "12": {
                "en": "Each of the three uses brings 2 · 2, and they add up.",
                "zh": "三次使用各带来 2 · 2，相加。",
            },
            "24": {
                "en": "Each use leaves out its own u: it brings 4, not 8.",
                "zh": "每次使用都不算自己的那个 u：带来的是 4，不是 8。",
            },
        },
        right="12",
        proof="""
u = torch.tensor(2.0, requires_grad=True)
h = torch.tensor(1.0)
for _ in range(3):
    h = u * h
h.backward()
answer = f"{u.grad.item():g}"
""",
    ),
    after=Ask(
        ask={
            "en": "A loop of two time steps: h = 1, then twice h = u · h. At u = 5 that gives h = 25. What is ∂h/∂u?",
            "zh": "两个时间步的循环：h = 1，然后两次 h = u · h。u = 5 时 h = 25。∂h/∂u 是多少？",
        },
        choices={
            "5": {
                "en": "That is what one of the two time steps brings.",
                "zh": "这是两个时间步之一带来的。",
            },
            "10": {
                "en": "Two time steps, each brings the other one's u: 5 + 5.",
                "zh": "两个时间步，各带来另一个的 u：5 + 5。",
            },
            "25": {
                "en": "That is h itself, or the two multiplied. They add up.",
                "zh": "这是 h 本身，或是两者相乘。它们要相加。",
            },
            "50": {
                "en": "Each time step leaves out its own u.",
                "zh": "每个时间步都不算自己的那个 u。",
            },
        },
        right="10",
        proof="""
u = torch.tensor(5.0, requires_grad=True)
h = torch.tensor(1.0)
for _ in range(2):
    h = u * h
h.backward()
answer = f"{u.grad.item():g}"
""",
    ),
)

MOVED = """u = torch.tensor(2.0, requires_grad=True)
y = u * u
with torch.no_grad():
    u += 1.0
"""
TURNS = """def train():
    w = torch.tensor(0.5, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    h = torch.tensor(1.0)
    for turn in range(3):
        h = torch.tanh(w * h)
        (h * h).backward(retain_graph=True)
        optimizer.step()
"""

probe(
    9,
    "retain_graph lets the old graph live on",
    before=Ask(
        ask={
            "en": "The state h goes on from turn to turn. Without `retain_graph=True` this stops: what was saved is "
            "gone. And with it?",
            "zh": "状态 h 一轮一轮传下去。没有 `retain_graph=True` 会停下：保存的已经没有了。加上它呢？",
        },
        code=TURNS,
        choices={
            "it works": {
                "en": "What was saved is kept. But `optimizer.step()` has changed w since.",
                "zh": "保存的留着了。可是 `optimizer.step()` 之后已经改了 w。",
            },
            "it works, more slowly each turn": {
                "en": "It would be slower each turn. But `optimizer.step()` has changed w since.",
                "zh": "确实会一轮比一轮慢。可是 `optimizer.step()` 之后已经改了 w。",
            },
            "another error": {
                "en": "An earlier turn's product saved w, and `optimizer.step()` has changed it since.",
                "zh": "前面某一轮的乘法保存了 w，而 `optimizer.step()` 之后改了它。",
            },
        },
        right="another error",
        labels={
            "it works": {"en": "it works", "zh": "能运行"},
            "it works, more slowly each turn": {
                "en": "it works, more slowly each turn",
                "zh": "能运行，但一轮比一轮慢",
            },
            "another error": {"en": "another error", "zh": "另一个错误"},
        },
        proof="""
try:
    train()
    answer = "it works"
except RuntimeError as error:
    answer = "another error" if "inplace" in str(error) else "it works, more slowly each turn"
""",
    ),
    after=Ask(
        ask={
            "en": "y is computed, then the weight u is moved in place. What is u.grad after `y.backward()`?",
            "zh": "先算出 y，然后原地移动权重 u。执行 `y.backward()` 之后 u.grad 是多少？",
        },
        code=MOVED,
        choices={
            "4": {
                "en": "That is the slope at the old u. But × saved u itself, and u is another now.",
                "zh": "这是旧的 u 处的斜率。可是 × 保存的是 u 本身，而 u 已经变了。",
            },
            "6": {
                "en": "That would be the slope at the new u, where y was never computed. Backward notices.",
                "zh": "这会是新的 u 处的斜率，而 y 从没在那里算过。backward 会发现。",
            },
            "an error": {
                "en": "u counts its changes in place, and backward sees that it is not the version that was saved.",
                "zh": "u 会数自己被原地改了几次，backward 看到它已不是保存时的版本。",
            },
        },
        right="an error",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="""
try:
    y.backward()
    answer = f"{u.grad.item():g}"
except RuntimeError:
    answer = "an error"
""",
    ),
)

probe(
    9,
    "detach forgets the number",
    before=Ask(
        ask={
            "en": "A recurrent network's state is detached between two pieces: `h = h.detach()`. What does it know in "
            "the second piece of what it has read in the first?",
            "zh": "循环网络的状态在两段之间剪断：`h = h.detach()`。在第二段里，它对第一段读过的东西知道多少？",
        },
        choices={
            "nothing": {
                "en": "The numbers in h are still there. What is gone?",
                "zh": "h 里的数还在。没有了的是什么？",
            },
            "as much as without detach": {
                "en": "The numbers are the same; only backward can't go further back.",
                "zh": "数是一样的；只是反向不能再往回走。",
            },
            "half of it": {
                "en": "detach changes no number.",
                "zh": "detach 不改变任何数。",
            },
        },
        right="as much as without detach",
        labels={
            "nothing": {"en": "nothing", "zh": "什么也不知道"},
            "as much as without detach": {"en": "as much as without detach", "zh": "和没有 detach 时一样多"},
            "half of it": {"en": "half of it", "zh": "一半"},
        },
        proof="""
h = torch.tensor([0.5, -0.5], requires_grad=True) * 2
answer = "as much as without detach" if torch.equal(h, h.detach()) else "nothing"
""",
    ),
    after=Ask(
        ask={
            "en": "u = 2, `h = (u * 3).detach()` and `y = h + u`. What are y and u.grad after `y.backward()`?",
            "zh": "u = 2，`h = (u * 3).detach()`，`y = h + u`。执行 `y.backward()` 之后，y 和 u.grad 是多少？",
        },
        choices={
            "8 and 1": {
                "en": "h is still 6. Its history is cut off, so u counts once, by the other path.",
                "zh": "h 仍是 6。它的历史剪断了，所以 u 只算一次，走另一条路。",
            },
            "2 and 1": {
                "en": "detach keeps the number: h is 6.",
                "zh": "detach 保留数值：h 是 6。",
            },
            "8 and 4": {
                "en": "So it would be without detach: 3 through h, and 1.",
                "zh": "没有 detach 时会这样：经过 h 的 3，再加 1。",
            },
            "8 and 0": {
                "en": "One of the two paths is cut. There is another one.",
                "zh": "两条路剪断了一条。还有另一条。",
            },
        },
        right="8 and 1",
        labels={
            "8 and 1": {"en": "8 and 1", "zh": "8 和 1"},
            "2 and 1": {"en": "2 and 1", "zh": "2 和 1"},
            "8 and 4": {"en": "8 and 4", "zh": "8 和 4"},
            "8 and 0": {"en": "8 and 0", "zh": "8 和 0"},
        },
        proof="""
u = torch.tensor(2.0, requires_grad=True)
h = (u * 3).detach()
y = h + u
y.backward()
answer = f"{y.item():g} and {u.grad.item():g}"
""",
    ),
)
