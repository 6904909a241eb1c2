"""Lesson 10, the error clinic: five programs that run and do the wrong thing, each to be mended by the reader.

What is compared is what the program does: where its line ends up, its losses, when its dropout was on. A patch that
leaves the fault where it is, as a lower learning rate does, behaves as before and is known by that.
"""

import math

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function

NN = "nn = torch.nn"


def _line(torch, random, count=5):
    """Points on a line that rises, x (count, 1) and y (count), and its slope and height."""
    slope, height = round(random.uniform(2, 4), 1), round(random.uniform(-1, 1), 1)
    x = torch.linspace(-1, 1, count).reshape(count, 1)
    return x, slope * x[:, 0] + height


def _rise(torch, line):
    """How much higher a net's line is at 1 than at 0, and how high at 0."""
    with torch.no_grad():
        low, high = line(torch.tensor([[0.0], [1.0]]))[:, 0].tolist()
    return high - low, low


# -- 1: a loss of (n, 1) against (n,) --


def _five_points(torch, random):
    x = torch.tensor([[-1.0], [-0.5], [0.0], [0.5], [1.0]])
    yield x, 3 * x[:, 0] + 1
    yield _line(torch, random, 7)


def _ends(given, torch, x, y):
    torch.manual_seed(1)
    rise, low = _rise(torch, given(x, y))
    slope, height = float(y[-1] - y[0]) / 2, float(y.mean())
    if not math.isfinite(rise) or abs(rise) > 100:
        return "lost"
    if max(abs(rise - slope), abs(low - height)) < 0.05:
        return "on the points"
    return "flat" if rise < slope / 2 else "on its way"


ENDS = {
    "flat": {
        "en": "the points rise, but the line of your `fit` does not rise with them",
        "zh": "点是上升的，但你的 `fit` 得到的直线没有跟着上升",
    },
    "on its way": {
        "en": "the line of your `fit` rises with the points, but has not come to them: were its steps too small, or "
        "too few",
        "zh": "你的 `fit` 得到的直线跟着点上升了，但还没有到点上：是步子太小，还是走得太少",
    },
    "lost": {
        "en": "the line of your `fit` has left for infinity",
        "zh": "你的 `fit` 得到的直线跑向了无穷",
    },
}

FIT = """
def fit(x, y):
    line = nn.Linear(1, 1)
    optimizer = torch.optim.{optimizer}(line.parameters(), lr={lr})
    for _ in range({steps}):
        loss = {loss}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return line
"""
BROKEN_FIT = dict(optimizer="SGD", lr="0.3", steps="50", loss="((line(x) - y) ** 2).mean()")
SHAPE = {
    "en": "The line is as flat as before. No learning rate, no number of steps and no optimizer helps while what is "
    "made small "
    "is not what you mean. Print the difference's shape: `(line(x) - y).shape`.",
    "zh": "直线还是那么平。只要被变小的不是你想的那个量，换学习率、多走几步、换优化器都没用。打印差的形状：`(line(x) "
    "- y).shape`。",
}

flat_line = function(
    "flat_line",
    task={
        "en": "Mend `fit`, so that its line rises with the points. `x` is (n, 1), `y` is (n,).",
        "zh": "改好 `fit`，让它的直线跟着点上升。`x` 的形状是 (n, 1)，`y` 是 (n,)。",
    },
    setup=NN,
    gap=FIT.format(**BROKEN_FIT),
    solution=FIT.format(**{**BROKEN_FIT, "loss": "((line(x)[:, 0] - y) ** 2).mean()"}),
    points=_five_points,
    run=_ends,
    tell=lambda came: ENDS.get(came) if isinstance(came, str) else None,
    where={"en": "On points of the check's own", "zh": "在检查自带的点上"},
    silent=True,
    hints=[
        {
            "en": "Five predictions and five targets: how many differences should there be? How many are there?",
            "zh": "五个预测和五个目标：应该有几个差？实际有几个？",
        },
        {
            "en": "A layer gives (n, 1). Subtract (n,) from it, and each prediction meets each target.",
            "zh": "层给出 (n, 1)。从中减去 (n,)，每个预测都会遇上每个目标。",
        },
        {
            "en": "Take the column: `line(x)[:, 0]`, or `line(x).squeeze(1)`.",
            "zh": "取出那一列：`line(x)[:, 0]`，或 `line(x).squeeze(1)`。",
        },
    ],
    wrong=[
        Wrong(
            FIT.format(**{**BROKEN_FIT, "loss": "nn.MSELoss()(line(x), y)"}),
            {
                "en": "As flat as before, but `MSELoss` says why, in a warning: call `fit` in a cell of its own and "
                "read "
                "it.",
                "zh": "还是那么平，但 `MSELoss` 用警告说明了原因：在单独的单元里调用 `fit`，读一读它。",
            },
            uses="MSELoss mse_loss",
        ),
        Wrong(FIT.format(**{**BROKEN_FIT, "lr": "0.03"}), SHAPE),
        Wrong(FIT.format(**{**BROKEN_FIT, "steps": "500"}), SHAPE),
        Wrong(FIT.format(**{**BROKEN_FIT, "optimizer": "Adam"}), SHAPE),
        Wrong(
            FIT.format(**{**BROKEN_FIT, "loss": "((line(x) - y) ** 2).sum()"}),
            {
                "en": "Now the steps are so large that each overshoots. They were never the trouble: print "
                "`(line(x) - y).shape`.",
                "zh": "现在步子大到每一步都冲过头。问题从来不在步子：打印 `(line(x) - y).shape`。",
            },
        ),
        Wrong(
            FIT.format(**{**BROKEN_FIT, "loss": "((line(x[:, 0]) - y) ** 2).mean()"}),
            {
                "en": "The layer wants its column, (n, 1). It is what comes *out* of it that has a 1 too many.",
                "zh": "层要的就是一列 (n, 1)。多出一个 1 的是层*给出*的东西。",
            },
        ),
    ],
    because={
        "en": "As many differences as points, each of a prediction and its own target.",
        "zh": "有几个点就有几个差，每个差都是一个预测与它自己的目标之差。",
    },
)


# -- 2: a parameter that the optimizer does not hold --


def _begun_and_trained(torch, random):
    x = torch.tensor([[-1.0], [-0.5], [0.0], [0.5], [1.0]])
    yield x, 3 * x[:, 0] + 1, 0
    yield x, 3 * x[:, 0] + 1, 50
    yield *_line(torch, random, 7), 50


def _learns(given, torch, x, y, steps):
    torch.manual_seed(1)
    rise, low = _rise(torch, given(x, y, steps))
    if steps == 0:
        return "begun" if abs(rise + 1) < 1e-5 else "elsewhere"
    slope, height = float(y[-1] - y[0]) / 2, float(y.mean())
    if max(abs(rise - slope), abs(low - height)) < 0.05:
        return "on the points"
    return "still" if abs(rise + 1) < 1e-5 else "elsewhere, trained"


LEARNS = {
    "elsewhere": {
        "en": "before any step the weight is not −1",
        "zh": "还没走一步，权重就不是 −1",
    },
    "still": {
        "en": "after 50 steps the weight is still −1",
        "zh": "走了 50 步，权重还是 −1",
    },
    "elsewhere, trained": {
        "en": "after 50 steps the line has not come to the points",
        "zh": "走了 50 步，直线还没有到点上",
    },
}

BEHIND = """
def fit(x, y, steps=50):
    line = nn.Linear(1, 1)
    {first}
    {then}
    for _ in range(steps):
        loss = ((line(x)[:, 0] - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return line
"""
MADE = "optimizer = torch.optim.SGD(line.parameters(), lr={lr})"
PUT = "line.weight = nn.Parameter(torch.tensor([[-1.0]]))"
HELD = {
    "en": "The bias learns, the weight does not, however it is asked to. Ask the optimizer what it holds: "
    '`[p is line.weight for p in optimizer.param_groups[0]["params"]]`.',
    "zh": "偏置在学，权重不学，怎么要求都没用。问问优化器手里有什么："
    '`[p is line.weight for p in optimizer.param_groups[0]["params"]]`。',
}

left_behind = function(
    "left_behind",
    task={
        "en": "Mend `fit`: its line begins with weight −1, and learns.",
        "zh": "改好 `fit`：直线从权重 −1 开始，并且会学习。",
    },
    setup=NN,
    gap=BEHIND.format(first=MADE.format(lr="0.3"), then=PUT),
    solution=BEHIND.format(first=PUT, then=MADE.format(lr="0.3")),
    points=_begun_and_trained,
    run=_learns,
    tell=lambda came: LEARNS.get(came) if isinstance(came, str) else None,
    where={"en": "On points of the check's own", "zh": "在检查自带的点上"},
    silent=True,
    hints=[
        {
            "en": "Which tensors did the optimizer get, and when? What is `line.weight` now?",
            "zh": "优化器什么时候拿到了哪些张量？`line.weight` 现在又是什么？",
        },
        {
            "en": "It holds the weight that was there when it was made. Nobody uses that one any more.",
            "zh": "它手里是创建时的那个权重。那个已经没人用了。",
        },
        {
            "en": "Set the weight first and make the optimizer after it; or change the numbers in place, within "
            "`with torch.no_grad():`.",
            "zh": "先设权重，再建优化器；或者在 `with torch.no_grad():` 里原处改数。",
        },
    ],
    wrong=[
        Wrong(BEHIND.format(first=MADE.format(lr="0.03"), then=PUT), HELD),
        Wrong(BEHIND.format(first=MADE.format(lr="0.3"), then=PUT + "\n    line.weight.requires_grad_()"), HELD),
        Wrong(
            BEHIND.format(first=MADE.format(lr="0.3"), then="line.weight.detach().clone().fill_(-1.0)"),
            {
                "en": "That fills a copy, and the copy is thrown away.",
                "zh": "那是在填一份副本，副本随即被丢掉了。",
            },
            uses="clone deepcopy detach data",
        ),
        Wrong(
            BEHIND.format(first=MADE.format(lr="0.3"), then="pass"),
            {
                "en": "It learns, but begins where chance puts it. The weight was to be −1 at first.",
                "zh": "它会学了，但起点由随机决定。权重一开始应当是 −1。",
            },
        ),
        Wrong(
            BEHIND.format(first=MADE.format(lr="0.3"), then="line.weight = torch.tensor([[-1.0]], requires_grad=True)"),
            {
                "en": "A module takes only an `nn.Parameter` there. But whatever you put there is new: who holds the "
                "old "
                "one?",
                "zh": "模块在那里只接受 `nn.Parameter`。但不管放什么，都是新的：旧的在谁手里？",
            },
        ),
        Wrong(
            BEHIND.format(first=MADE.format(lr="0.3"), then="line.weight.fill_(-1.0)"),
            {
                "en": "Good: the same tensor, with another number in it. A leaf that requires grad is changed in place "
                "within `with torch.no_grad():`.",
                "zh": "好：还是那个张量，换了里面的数。要求梯度的叶子，要在 `with torch.no_grad():` 里原处改。",
            },
        ),
    ],
    because={
        "en": "The optimizer moves the tensors that it was given, and the net uses the same ones.",
        "zh": "优化器移动的是交给它的张量，而网络用的就是这些。",
    },
)


# -- 3: a state that is detached where it should not be --


def _pieces(torch, random):
    for seed in (1, int(random.integers(100))):
        numbers = np.random.default_rng(seed).normal(size=(3, 4, 1, 1)).astype(np.float32)
        yield ([(torch.tensor(piece), torch.tensor(piece[0])) for piece in numbers],)


def _losses_of_pieces(given, torch, pieces):
    torch.manual_seed(1)
    cell, out = torch.nn.RNNCell(1, 3), torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.5)
    return given(cell, out, optimizer, pieces)


MEMORY = """
def train_on(cell, out, optimizer, pieces):
    h, losses = torch.zeros(1, cell.hidden_size), []
    for x, y in pieces:
        {first}for x_t in x:
            h = cell(x_t, {state})
        loss = ((out(h) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward({how})
        optimizer.step()
        losses.append(loss.item())
    return losses
"""
CUT = "h = h.detach()\n        "

short_memory = function(
    "short_memory",
    task={
        "en": "Mend `train_on`, so that it learns to remember. The state still goes on from piece to piece.",
        "zh": "改好 `train_on`，让它学会记住。状态仍然从一段传到下一段。",
    },
    gap=MEMORY.format(first="", state="h.detach()", how=""),
    solution=MEMORY.format(first=CUT, state="h", how=""),
    points=_pieces,
    run=_losses_of_pieces,
    where={
        "en": "The losses of three pieces, with a small cell of the check's own",
        "zh": "三段的损失，用检查自带的小单元",
    },
    may_change=True,
    silent=True,
    hints=[
        {
            "en": "How far back does backward come in one piece? Where should it end?",
            "zh": "在一段里，反向能走回多远？它应该在哪里停下？",
        },
        {
            "en": "One cut a piece is enough. It is now made at every time step.",
            "zh": "每段剪一次就够了。现在每个时间步都在剪。",
        },
        {
            "en": "`h = h.detach()` before the inner loop, and `cell(x_t, h)` in it.",
            "zh": "在内层循环之前写 `h = h.detach()`，循环里写 `cell(x_t, h)`。",
        },
    ],
    wrong=[
        Wrong(
            MEMORY.format(first="h.detach()\n        ", state="h", how=""),
            {
                "en": "`h.detach()` gives a new tensor, and nobody has taken it.",
                "zh": "`h.detach()` 给出一个新张量，而没有人接住它。",
            },
            uses="detach",
        ),
        Wrong(
            MEMORY.format(first="", state="h", how=""),
            {
                "en": "Within a piece that is right. But the second piece runs back into the first, which is freed: "
                "where "
                "does one piece end and the next begin?",
                "zh": "在一段之内这是对的。但第二段会跑回已经释放的第一段：一段在哪里结束，下一段从哪里开始？",
            },
        ),
        Wrong(
            MEMORY.format(first="", state="h", how="retain_graph=True"),
            {
                "en": "Nothing is freed now, but `optimizer.step()` has changed the weights that the first piece "
                "saved. "
                "Between two pieces a cut is right.",
                "zh": "现在什么也没释放，但 `optimizer.step()` 改动了第一段保存的权重。两段之间剪断才对。",
            },
        ),
        Wrong(
            MEMORY.format(first="h = torch.zeros_like(h)\n        ", state="h", how=""),
            {
                "en": "Backward reaches every time step. But the numbers are gone, too: the state was to go on from "
                "piece "
                "to piece.",
                "zh": "反向到达了每个时间步。但数也没了：状态本该从一段传到下一段。",
            },
        ),
        Wrong(
            MEMORY.format(first="", state="h", how="").replace(
                "        loss =", "        h = h.detach()\n        loss ="
            ),
            {
                "en": "Cut there, between the state and the loss, no gradient comes to the cell at all. Cut between "
                "two "
                "pieces.",
                "zh": "剪在状态和损失之间，就没有任何梯度到达单元了。要剪在两段之间。",
            },
        ),
        Wrong(
            MEMORY.format(first=CUT, state="h.detach()", how=""),
            {
                "en": "The losses are what they were: backward still ends at the last time step. Set "
                "`x.requires_grad_()` and look at `x.grad`.",
                "zh": "损失和原来一样：反向仍然停在最后一个时间步。设 `x.requires_grad_()`，再看 `x.grad`。",
            },
        ),
    ],
    because={
        "en": "The graph is cut between two pieces, and whole within each. Why is the loss not 0 now? The state "
        "brings the last number of the old piece along, and the cell learns to use what it finds there. But no "
        "gradient passes the cut, so nothing teaches it to store that number well. Longer training hardly helps.",
        "zh": "图在两段之间剪断，在每段之内是完整的。损失现在为什么不是 0？上一段的最后一个数随状态一起传过来，"
        "它在那里是什么样，就照什么样来学。但没有梯度越过剪断处去要求把它存好。训练更久也帮助不大。",
    },
)


# -- 4: zero_grad in the wrong place --


def _three_turns(torch, random):
    yield torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0], [5.0]]), False
    x = torch.tensor(random.normal(size=(4, 1)).astype(np.float32))
    yield x, 3 * x + 1, False
    yield x, 3 * x + 1, True


def _losses_of_turns(given, torch, x, y, used):
    torch.manual_seed(1)
    net = torch.nn.Linear(1, 1)
    if used:  # it brings a gradient from before
        net(x).sum().backward()
    return given(net, torch.optim.SGD(net.parameters(), lr=0.02), x, y, 5)


TURNS = """
def train(net, optimizer, x, y, steps):
    {first}
    losses = []
    for _ in range(steps):
        loss = ((net(x) - y) ** 2).mean()
        {before}loss.backward({how})
        {between}optimizer.step()
        losses.append(loss.item())
    return losses
"""
AS_IT_WAS = dict(first="optimizer.zero_grad()", before="", between="", how="")
FRESH = "optimizer.zero_grad()\n        "

snowball = function(
    "snowball",
    task={
        "en": "Mend `train`: with this very learning rate the loss can fall and stay down, whatever was done with the "
        "net before.",
        "zh": "改好 `train`：学习率不变，损失也能降下去，并且不再回升，不管这个网络之前被做过什么。",
    },
    gap=TURNS.format(**AS_IT_WAS),
    solution=TURNS.format(**{**AS_IT_WAS, "first": "", "before": FRESH}).replace("\n    \n", "\n"),
    points=_three_turns,
    run=_losses_of_turns,
    where={"en": "The losses of five turns", "zh": "五轮的损失"},
    may_change=True,
    silent=True,
    hints=[
        {
            "en": "Print the weight's `.grad` in each turn. What is in it, before backward brings the new one?",
            "zh": "每一轮都打印权重的 `.grad`。在反向带来新的之前，里面有什么？",
        },
        {
            "en": "How often does the line with `zero_grad` run?",
            "zh": "有 `zero_grad` 的那一行运行了几次？",
        },
        {
            "en": "Move `optimizer.zero_grad()` into the loop, to a place before `backward`.",
            "zh": "把 `optimizer.zero_grad()` 移进循环里，放在 `backward` 之前。",
        },
    ],
    wrong=[
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "before": 'optimizer.param_groups[0]["lr"] = 0.002\n        '}),
            {
                "en": "Smaller steps, but along the sum of all gradients so far. It only takes longer until it swings.",
                "zh": "步子小了，但仍沿着至今所有梯度之和走。只是晚一点才开始摆动。",
            },
            uses="param_groups",
            anyhow=True,
        ),
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "before": "loss = loss.detach().requires_grad_()\n        "}),
            {
                "en": "That cuts the loss off from the net: no gradient comes to any weight, and nothing moves.",
                "zh": "这把损失和网络剪断了：没有梯度到达任何权重，什么都不动。",
            },
            uses="detach",
        ),
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "between": FRESH}),
            {
                "en": "The loss does not move at all: what `backward` has just brought is thrown away before `step` "
                "sees it.",
                "zh": "损失一动不动：`backward` 刚带来的东西，还没等 `step` 看到就被扔掉了。",
            },
        ),
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "first": ""}).replace("losses.append", FRESH + "losses.append"),
            {
                "en": "From the second turn on that is right, and in the first for a net that is new. But the check's "
                "net brings a gradient from before, and the first step goes along that, too. Take it away before "
                "`backward`, in every turn.",
                "zh": "从第二轮起这是对的；如果网络是新的，第一轮也对。但检查用的网络带着以前的梯度来，第一步也会"
                "沿着它走。每一轮都要在 `backward` 之前清掉。",
            },
        ),
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "how": "retain_graph=True"}),
            {
                "en": "`retain_graph` keeps what operators saved. `.grad` is added to with it and without it.",
                "zh": "`retain_graph` 保留的是算子存下的东西。有没有它，`.grad` 都是累加的。",
            },
            uses="retain_graph",
        ),
        Wrong(
            TURNS.format(**{**AS_IT_WAS, "before": "optimizer.zero_grad\n        "}),
            {
                "en": "The losses are what they were. Is `zero_grad` called, with its `()`, in every turn?",
                "zh": "损失和原来一样。`zero_grad` 是不是每一轮都带着 `()` 被调用了？",
            },
        ),
    ],
    because={
        "en": "Each turn begins with no gradient, so a step knows of no turn but its own.",
        "zh": "每一轮开始时都没有梯度，所以一步只知道自己这一轮。",
    },
)


# -- 5: a net that was left in eval mode --


def _two_epochs(torch, random):
    for epochs, mode in ((2, "train"), (3, "eval")):
        numbers = random.normal(size=(2, 4, 2)).astype(np.float32)
        batches = [(torch.tensor(batch), torch.ones(4, 1)) for batch in numbers]
        yield batches, torch.ones(3, 2), torch.ones(3, 1), epochs, mode


def _dropout_was(given, torch, batches, x_test, y_test, epochs, mode):
    """On or off, for each run of a net that comes in this mode: of 4 examples in training, of 3 in the test."""
    seen: dict[int, list[str]] = {4: [], 3: []}

    def look(dropout, given):
        seen.setdefault(len(given[0]), []).append("on" if dropout.training else "off")

    net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
    net[1].register_forward_pre_hook(look)
    net.train(mode == "train")
    given(net, torch.optim.SGD(net.parameters(), lr=0.01), batches, x_test, y_test, epochs)
    return {"mode": mode, "training": ", ".join(seen[4]), "testing": ", ".join(seen[3])}


def _told_of_dropout(came):
    if not isinstance(came, dict):
        return None
    return {
        "en": "the net came in {mode} mode; dropout was {training} while it trained, and {testing} while it "
        "tested".format(**came),
        "zh": "网络来时处于 {mode} 模式；训练时 dropout 依次是 {training}，测试时是 {testing}".format(**came),
    }


EPOCHS = """
def train(net, optimizer, batches, x_test, y_test, epochs):
    tested = []
    {once}for _ in range(epochs):
        {first}for x, y in batches:
            loss = ((net(x) - y) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        {test}
        with torch.no_grad():
            tested.append(((net(x_test) - y_test) ** 2).mean().item())
    {last}return tested
"""
LEFT = dict(once="", first="", test="net.eval()", last="")

IN_THE_TEST = {
    "en": "Now dropout is on in the test as well: `no_grad` builds no graph, and leaves dropout as it is.",
    "zh": "现在测试时 dropout 也开着：`no_grad` 只是不建图，不管 dropout。",
}

left_in_eval = function(
    "left_in_eval",
    task={
        "en": "Mend `train`, so that dropout does what it is there for, whatever was done with the net before.",
        "zh": "改好 `train`，让 dropout 起到它该起的作用，不管这个网络之前被做过什么。",
    },
    gap=EPOCHS.format(**LEFT),
    solution=EPOCHS.format(**{**LEFT, "first": "net.train()\n        "}),
    points=_two_epochs,
    run=_dropout_was,
    where={
        "en": "With two batches an epoch, run after run",
        "zh": "每个 epoch 两个批次，逐次来看",
    },
    tell=_told_of_dropout,
    may_change=True,
    silent=True,
    hints=[
        {
            "en": "Print `net.training` as the first line of the outer loop.",
            "zh": "在外层循环的第一行打印 `net.training`。",
        },
        {
            "en": "`eval` is a switch, not a block: who switches back?",
            "zh": "`eval` 是一个开关，不是一个代码块：谁把它拨回来？",
        },
        {
            "en": "`net.train()` at the beginning of each epoch.",
            "zh": "在每个 epoch 开头写 `net.train()`。",
        },
    ],
    wrong=[
        Wrong(
            EPOCHS.format(**{**LEFT, "test": "net.train(True)"}),
            {
                "en": "Dropout is on in the test as well. Two modes are needed, in turns.",
                "zh": "测试时 dropout 也开着。需要两种模式轮流来。",
            },
            uses="train",
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "test": ""}).replace("\n        \n", "\n"),
            IN_THE_TEST,
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "first": "net.train()\n        ", "test": ""}).replace("\n        \n", "\n"),
            IN_THE_TEST,
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "test": "", "last": "    net.train()\n    "}).replace("\n        \n", "\n"),
            IN_THE_TEST,
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "first": "net.training = True\n        "}),
            {
                "en": "That sets the flag of the net alone. Its dropout has one of its own: `net.train()` sets them "
                "all.",
                "zh": "那只设了网络自己的标志。它的 dropout 有自己的标志：`net.train()` 会全部设好。",
            },
            uses="training",
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "once": "net.eval()\n    ", "test": ""}).replace("\n        \n", "\n"),
            {
                "en": "Now dropout is off from the first batch on.",
                "zh": "现在从第一个批次起 dropout 就关着。",
            },
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "once": "net.train()\n    "}),
            {
                "en": "So the first epoch is right. What is the mode when the second one begins?",
                "zh": "这样第一个 epoch 是对的。第二个开始时是什么模式？",
            },
        ),
        Wrong(
            EPOCHS.format(**{**LEFT, "last": "    net.train()\n    "}),
            {
                "en": "From the second epoch on that is right. But a net may come in eval mode, and then its whole "
                "first epoch trains without dropout. Switch before you train, not after the test.",
                "zh": "从第二个 epoch 起这是对的。但网络来时可能处于 eval 模式，那么整个第一个 epoch "
                "训练时都没有 dropout。要在训练之前切换，而不是在测试之后。",
            },
        ),
    ],
    because={
        "en": "Each epoch trains with dropout and tests without, in whatever mode the net comes.",
        "zh": "不管网络来时处于什么模式，每个 epoch 都带着 dropout 训练，不带 dropout 测试。",
    },
)


probe(
    10,
    "no error, no fault",
    before=Ask(
        ask={
            "en": "Both predictions are exactly right. What does this print?",
            "zh": "两个预测都完全正确。这段程序打印什么？",
        },
        code="""
prediction = torch.tensor([[1.0], [5.0]])
target = torch.tensor([1.0, 5.0])
print(((prediction - target) ** 2).mean().item())
""",
        choices={
            "0": {
                "en": "That would be so for two differences. How many are there?",
                "zh": "如果只有两个差，就是这样。实际有几个？",
            },
            "8": {
                "en": "Each prediction meets each target: 0, −4, 4, 0.",
                "zh": "每个预测都遇上每个目标：0、−4、4、0。",
            },
            "an error": {
                "en": "(2, 1) and (2,) fit together: both become (2, 2).",
                "zh": "(2, 1) 和 (2,) 能配在一起：都变成 (2, 2)。",
            },
        },
        right="8",
        labels={
            "0": {"en": "0", "zh": "0"},
            "8": {"en": "8", "zh": "8"},
            "an error": {"en": "an error", "zh": "报错"},
        },
        proof='answer = f"{((prediction - target) ** 2).mean().item():g}"',
    ),
    after=Ask(
        ask={
            "en": "A layer gives (3, 1), the targets are (3,). How many numbers are in the mean of "
            "`(prediction - target) ** 2`?",
            "zh": "层给出 (3, 1)，目标是 (3,)。`(prediction - target) ** 2` 的平均里有几个数？",
        },
        choices={
            "3": {
                "en": "So it is meant. But broadcasting pairs each with each.",
                "zh": "本意如此。但广播把每个与每个配成对。",
            },
            "9": {
                "en": "Each of three predictions meets each of three targets.",
                "zh": "三个预测中的每一个都遇上三个目标中的每一个。",
            },
            "6": {
                "en": "They are paired, not strung together.",
                "zh": "它们是配对，不是连接。",
            },
            "1": {
                "en": "The mean is one number. How many went into it?",
                "zh": "平均是一个数。有几个数进入了它？",
            },
        },
        right="9",
        proof="answer = str((torch.ones(3, 1) - torch.ones(3)).numel())",
    ),
)

probe(
    10,
    "the optimizer knows the net",
    before=Ask(
        ask={"en": "What is `w` at the end?", "zh": "最后 `w` 是多少？"},
        code="""
w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
w = torch.tensor(5.0, requires_grad=True)
(w * w).backward()
optimizer.step()
""",
        choices={
            "4": {
                "en": "That is 5 − 0.1 · 10. Which tensor was the optimizer given?",
                "zh": "那是 5 − 0.1 · 10。优化器拿到的是哪个张量？",
            },
            "5": {
                "en": "The optimizer holds the first w, which no name has any more. Nothing moves the new one.",
                "zh": "优化器手里是第一个 w，它已经没有名字了。没有谁移动新的那个。",
            },
            "2.4": {
                "en": "That is the first w, after a step along its own slope. It has no gradient, and no name.",
                "zh": "那是第一个 w 沿自己的斜率走一步之后。它没有梯度，也没有名字了。",
            },
            "an error": {
                "en": "A tensor without a gradient is passed over in silence.",
                "zh": "没有梯度的张量会被悄悄跳过。",
            },
        },
        right="5",
        labels={
            "5": {"en": "5", "zh": "5"},
            "4": {"en": "4", "zh": "4"},
            "2.4": {"en": "2.4", "zh": "2.4"},
            "an error": {"en": "an error", "zh": "报错"},
        },
        proof='answer = f"{w.item():g}"',
    ),
    after=Ask(
        ask={
            "en": "A net is replaced by a copy of itself after its optimizer was made: `net = copy.deepcopy(net)`. "
            "What "
            "does training do to the new one?",
            "zh": "建好优化器之后，网络被自己的副本取代：`net = copy.deepcopy(net)`。训练会对新网络做什么？",
        },
        choices={
            "nothing": {
                "en": "The optimizer holds the old one's weights. The new ones get gradients, and nobody moves them.",
                "zh": "优化器手里是旧网络的权重。新的得到梯度，但没人移动它们。",
            },
            "it trains": {
                "en": "Which tensors was the optimizer given?",
                "zh": "优化器拿到的是哪些张量？",
            },
            "an error": {
                "en": "Nothing is raised: weights without a gradient are passed over.",
                "zh": "什么错也不报：没有梯度的权重会被跳过。",
            },
        },
        right="nothing",
        labels={
            "nothing": {"en": "nothing", "zh": "什么也不做"},
            "it trains": {"en": "it moves its weights", "zh": "移动它的权重"},
            "an error": {"en": "an error", "zh": "报错"},
        },
        proof="""
import copy
net = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net = copy.deepcopy(net)
was = net.weight.item()
net(torch.ones(1, 1)).sum().backward()
optimizer.step()
answer = "nothing" if net.weight.item() == was else "it trains"
""",
    ),
)

probe(
    10,
    "eval ends by itself",
    before=Ask(
        ask={
            "en": "`test(net)` begins with `net.eval()`. You call it, and it returns. What is `net.training` then?",
            "zh": "`test(net)` 以 `net.eval()` 开头。你调用它，它返回了。此时 `net.training` 是什么？",
        },
        choices={
            "True": {
                "en": "`eval` is no block that ends: it sets a flag, and it stays set.",
                "zh": "`eval` 不是会结束的代码块：它设一个标志，之后一直如此。",
            },
            "False": {
                "en": "The flag is the net's own, and nobody has switched it back.",
                "zh": "标志是网络自己的，没人把它拨回来。",
            },
        },
        right="False",
        labels={"True": {"en": "True", "zh": "True（真）"}, "False": {"en": "False", "zh": "False（假）"}},
        proof="""
net = torch.nn.Linear(1, 1)
def test(net):
    net.eval()
test(net)
answer = str(net.training)
""",
    ),
    after=Ask(
        ask={
            "en": "Within `with torch.no_grad():` somebody calls `net.eval()`. Is dropout on after that block?",
            "zh": "有人在 `with torch.no_grad():` 里调用 `net.eval()`。这个块结束之后 dropout 是开着的吗？",
        },
        choices={
            "on": {
                "en": "The block ends `no_grad`. The net's mode was not its business.",
                "zh": "块结束的是 `no_grad`。网络的模式与它无关。",
            },
            "off": {
                "en": "Only `net.train()` switches it on again.",
                "zh": "只有 `net.train()` 才会把它重新打开。",
            },
        },
        right="off",
        labels={"on": {"en": "on", "zh": "开着"}, "off": {"en": "off", "zh": "关着"}},
        proof="""
net = torch.nn.Sequential(torch.nn.Dropout(0.5))
with torch.no_grad():
    net.eval()
answer = "on" if net[0].training else "off"
""",
    ),
)
