"""Lesson 6, right, an error or silently wrong: a change that `.data` hid from backward, one in place that backward
noticed, a window that is written through a view, and a net that is only asked."""

from ..ask import Ask, probe
from ..task import Wrong, function


def _leaves(torch, random):
    yield (torch.tensor([2.0], requires_grad=True),)
    yield (torch.tensor([-1.5, 4.0], requires_grad=True),)
    yield (torch.tensor(random.normal(size=3), requires_grad=True),)


def _slope_and_place(given, torch, w):
    gradient = given(w)
    return {"gradient": gradient, "w": w.detach(), "leaf": w.requires_grad}


MEND = """
def slope_then_move(w):
    y = (w * w).sum()
    {lines}
    return w.grad
"""


def _mend(*lines: str) -> str:
    return MEND.format(lines="\n    ".join(lines))


def _no_gradient(came):
    """It does return: what it returns, the name's `.grad`, is None."""
    if isinstance(came, dict) and came["gradient"] is None:
        return {"en": "the `.grad` that comes back is None.", "zh": "返回的 `.grad` 是 None。"}
    return None


def _without_data(given, torch, random):
    code = getattr(given, "__code__", None)
    return STILL if code and "data" in code.co_names else None


STILL = {
    "en": "The order is right, so nothing goes wrong here. Now without `.data`: then a wrong order would be noticed.",
    "zh": "顺序对了，所以这里不会出错。现在去掉 `.data`：这样顺序错了也会被发现。",
}
MOVE = ("with torch.no_grad():", "    w += 1")
HONEST = {
    "en": "Honest, not right: now backward sees that w was changed. Who needs the old w, and until when?",
    "zh": "诚实了，但还没对：现在 backward 看到 w 被改动了。谁需要旧的 w，需要到什么时候？",
}

BARE = {
    "en": "On a line of its own `torch.no_grad()` switches nothing. It needs a block: `with` before it, a colon behind "
    "it, and what is not to be recorded indented below.",
    "zh": "单独一行的 `torch.no_grad()` 什么也没有关掉。它需要一个块：前面写 `with`，"
    "后面加冒号，不要记录的内容缩进写在下面。",
}

mend_data = function(
    "mend_data",
    task={
        "en": "Write it anew, without `.data`: return the slope of w · w where w was. Afterwards `w` is to be larger "
        "by 1.",
        "zh": "不用 `.data`，重新写：返回 w 原来位置上 w · w 的斜率，并让 `w` 比来时大 1。",
    },
    gap=_mend("..."),
    solution=_mend("y.backward()", *MOVE),
    points=_leaves,
    run=_slope_and_place,
    verify=_without_data,
    tell=_no_gradient,
    may_change=True,
    parts={
        "w": {"en": "w afterwards", "zh": "之后的 w"},
        "leaf": {"en": "answer to “does w still ask for a gradient?”", "zh": "对“w 还要求梯度吗？”的回答"},
    },
    hints=[
        {
            "en": "The × has saved w, not a copy of it. When does backward read it?",
            "zh": "× 保存的是 w 本身，不是副本。backward 什么时候读它？",
        },
        {
            "en": "After backward nobody needs the old numbers. So in which order?",
            "zh": "backward 之后就没有人需要旧的数了。那么该按什么顺序？",
        },
        {
            "en": "`y.backward()` first, and then `w += 1` inside `with torch.no_grad():`.",
            "zh": "先 `y.backward()`，然后在 `with torch.no_grad():` 里写 `w += 1`。",
        },
    ],
    wrong=[
        Wrong(  # known by a name, so asked for first: others behave alike
            _mend("w.data += 1", "y.backward()"),
            {
                "en": "The old trick: w has changed, its version has not, and backward computes with the new numbers.",
                "zh": "老办法：w 变了，它的版本没变，backward 就用新的数来算。",
            },
            uses="data",
        ),
        Wrong(_mend("y.backward()", "w.data += 1"), STILL),
        Wrong(
            _mend("y.backward()", "w.detach().clone().add_(1)"),
            {
                "en": "The gradient is right. But it was a copy that moved, and w is where it was.",
                "zh": "梯度对了。但移动的是副本，w 还在原处。",
            },
            uses="clone",
        ),
        Wrong(_mend("w.detach().add_(1)", "y.backward()"), HONEST),
        Wrong(_mend(*MOVE, "y.backward()"), HONEST),
        Wrong(
            _mend("y.backward()", "torch.no_grad()", "w += 1"),
            BARE,
            uses="no_grad",
        ),
        Wrong(
            _mend("w += 1", "y.backward()"),
            {
                "en": "A leaf may be changed in place only where nothing is recorded, and only when nobody needs the "
                "old numbers any more.",
                "zh": "叶子只能在不记录的地方就地改动，而且要等没有人再需要旧的数。",
            },
        ),
        Wrong(
            _mend("w = w + 1", "y.backward()"),
            {
                "en": "Who made this w? An addition: another tensor, and no leaf. The old w got the gradient.",
                "zh": "这个 w 是谁做的？是加法：它是另一个张量，不是叶子。梯度给了旧的 w。",
            },
        ),
        Wrong(
            _mend("y.backward()", "w + 1"),
            {
                "en": "w is where it was. What changes `w` itself? `w + 1` alone makes a new tensor that nobody takes.",
                "zh": "w 还在原处。怎样改动 `w` 本身？单写 `w + 1` 只是做出一个没有人接住的新张量。",
            },
        ),
        Wrong(
            _mend(*MOVE, "y = (w * w).sum()", "y.backward()"),
            {
                "en": "That is the slope where w is now. Asked for is the slope where it was.",
                "zh": "这是 w 现在位置上的斜率。要的是原来位置上的。",
            },
        ),
        Wrong(
            _mend("y.backward()", *MOVE, "w.grad = None"),
            {
                "en": "The order is right. But the gradient that is asked for has just been cleared.",
                "zh": "顺序对了。但要的梯度刚刚被清掉了。",
            },
        ),
    ],
    because={
        "en": "First backward, which needs the old numbers, then the change. No version has to hide.",
        "zh": "先让需要旧数的 backward 走完，再改动。没有版本需要隐瞒。",
    },
)


def _any_numbers(torch, random):
    yield (torch.tensor([0.0, 1.0]),)
    yield (torch.tensor(random.normal(size=4)),)


def _value_and_gradient(given, torch, h):
    h = h.detach().clone().requires_grad_()
    y = given(h)
    y.sum().backward()
    return {"value": y.detach(), "gradient": h.grad}


SOFTPLUS = """
def softplus(h):
    e = h.exp()
    {line}
    return e.log()
"""


def _softplus(line: str) -> str:
    return SOFTPLUS.format(line=line)


NOTICED = {
    "en": "It is still the memory that exp saved, and its version still goes up. Leave that memory as it is.",
    "zh": "改的还是 exp 保存的那块内存，版本照样加一。别动那块内存。",
}

mend_in_place = function(
    "mend_in_place",
    task={
        "en": "Mend `softplus`, the logarithm of 1 + eʰ: its value is right, but backward refuses.",
        "zh": "改好 `softplus`，即 1 + eʰ 的对数：它的值是对的，但 backward 拒绝。",
    },
    gap=_softplus("e.add_(1)"),
    solution=_softplus("e = e + 1"),
    points=_any_numbers,
    run=_value_and_gradient,
    parts={"value": {"en": "value", "zh": "值"}, "gradient": {"en": "gradient", "zh": "梯度"}},
    hints=[
        {
            "en": "The slope of exp is exp itself. What has exp saved, and who has changed it?",
            "zh": "exp 的斜率就是 exp 自己。exp 保存了什么？谁改动了它？",
        },
        {
            "en": "The name `e` may be given to another tensor, with memory of its own.",
            "zh": "名字 `e` 可以给另一个张量，它有自己的内存。",
        },
        {
            "en": "`e = e + 1` makes a new tensor, and leaves the saved one as it is.",
            "zh": "`e = e + 1` 做出一个新张量，保存的那个保持原样。",
        },
    ],
    wrong=[
        Wrong(
            _softplus("with torch.no_grad():\n        e = e + 1"),
            {
                "en": "A new tensor, made where nothing is recorded: it has no history, and h gets no gradient.",
                "zh": "这是新的张量，在不记录的地方做出来：它没有历史，h 得不到梯度。",
            },
            uses="no_grad",
        ),
        Wrong(
            _softplus("e.data.add_(1)"),
            {
                "en": "No error any more, and the gradient is wrong: `.data` has hidden the change from backward.",
                "zh": "不再报错，梯度却错了：`.data` 把改动瞒过了 backward。",
            },
        ),
        Wrong(_softplus("e.detach().add_(1)"), NOTICED),
        Wrong(_softplus("with torch.no_grad():\n        e.add_(1)"), NOTICED),
        Wrong(
            _softplus("e.clone().add_(1)"),
            {
                "en": "The 1 was added to the copy that `clone` made, and nobody has taken that copy: `e` is what it "
                "was.",
                "zh": "1 加到了 `clone` 做出的副本上，而没有人接住那个副本：`e` 还是原来的。",
            },
            uses="clone",
        ),
        Wrong(
            _softplus("e.add(1)"),
            {
                "en": "That makes a new tensor, and nobody has taken it: `e` is what it was.",
                "zh": "这做出一个新张量，却没有人接住它：`e` 还是原来的。",
            },
        ),
        Wrong(
            _softplus("e = e.detach() + 1"),
            {
                "en": "No history, no way back: h gets no gradient.",
                "zh": "没有历史，就没有回去的路：h 得不到梯度。",
            },
        ),
    ],
    because={
        "en": "A new tensor for the sum; what exp saved stays as it was.",
        "zh": "和放进新的张量；exp 保存的保持原样。",
    },
)


def _tables(torch, random):
    yield torch.arange(1.0, 13.0).view(3, 4), 1, 2
    for rows, start, length in ((2, 0, 3), (4, 3, 2)):
        yield torch.tensor(random.normal(size=(rows, 5))), start, length


def _blanked(given, torch, x, start, length):
    returned = given(x, start, length)
    return {"x": x, "returned": returned}


BLANK = "def blank_out(x, start, length):\n    {}\n    return x"

NOT_WRITTEN = {
    "en": "That makes something new and leaves x as it is. What writes is a call on the view whose name ends in _.",
    "zh": "这做出了新的东西，x 还是原样。能写进去的，是视图上名字以 _ 结尾的调用。",
}

blank_out = function(
    "blank_out",
    task={
        "en": "Write zeros into `x` itself, in all rows, in `length` columns from column `start` on. Return x.",
        "zh": "在 `x` 自己里面写零：所有行，从第 `start` 列起的 `length` 列。返回 x。",
    },
    gap=BLANK.format("..."),
    solution=BLANK.format("x.narrow(1, start, length).zero_()"),
    points=_tables,
    run=_blanked,
    may_change=True,
    parts={"x": {"en": "x afterwards", "zh": "之后的 x"}, "returned": {"en": "result", "zh": "返回值"}},
    hints=[
        {
            "en": "Which of the views above shows some columns of x, and shares its memory?",
            "zh": "上面哪种视图显示 x 的若干列，并与它共用内存？",
        },
        {
            "en": "`x.narrow(1, start, length)` is the view. Which call writes zeros in place? Its name ends in _.",
            "zh": "视图是 `x.narrow(1, start, length)`。哪个调用就地写零？它的名字以 _ 结尾。",
        },
        {
            "en": "`x.narrow(1, start, length).zero_()`, or `x[:, start:start + length] = 0`.",
            "zh": "`x.narrow(1, start, length).zero_()`，或者 `x[:, start:start + length] = 0`。",
        },
    ],
    wrong=[
        Wrong(BLANK.format("x.narrow(1, start, length) * 0"), NOT_WRITTEN),
        Wrong(BLANK.format("window = x.narrow(1, start, length)\n    window = 0"), NOT_WRITTEN),
        Wrong(
            BLANK.format("x = x.clone()\n    x.narrow(1, start, length).zero_()"),
            {
                "en": "The zeros stand in a copy. Whoever has called you still has the old numbers in x.",
                "zh": "零写在副本里。调用者手里的 x 还是旧的数。",
            },
        ),
        Wrong(
            BLANK.format("x.narrow(0, start, length).zero_()"),
            {
                "en": "Dimension 0 counts the rows. Columns are dimension 1.",
                "zh": "第 0 维数的是行。列是第 1 维。",
            },
        ),
        Wrong(
            BLANK.format("x.narrow(1, start, start + length).zero_()"),
            {
                "en": "The last argument of `narrow` is how many, not where to end.",
                "zh": "`narrow` 的最后一个参数是多少列，不是到哪里为止。",
            },
        ),
        Wrong(
            BLANK.format("x[:, start:length] = 0"),
            {
                "en": "A slice ends where its second number says, and that is start + length.",
                "zh": "切片到第二个数所指的地方为止，那是 start + length。",
            },
        ),
        Wrong(
            BLANK.format("x[start:start + length] = 0"),
            {
                "en": "Those are rows. Columns come after a comma.",
                "zh": "这些是行。列写在逗号后面。",
            },
        ),
        Wrong(
            BLANK.format("x = x.narrow(1, start, length).zero_()"),
            {
                "en": "The zeros stand where they should. But what you return is the view alone: return all of x.",
                "zh": "零写在了该写的地方。但你返回的只是那个视图：请返回整个 x。",
            },
        ),
        Wrong(
            BLANK.format("x[:, start:start + length - 1] = 0"),
            {
                "en": "One column is missing. A slice ends before its second number, so that one isn't zeroed anyhow.",
                "zh": "少了一列。切片在第二个数之前结束，那一列本来就不会变成零。",
            },
        ),
        Wrong(
            BLANK.format("x.zero_()"),
            {
                "en": "That is all of x. Only some columns, please.",
                "zh": "这是整个 x。只要其中几列。",
            },
        ),
    ],
    because={
        "en": "A view, or a slice, is another tag on the same box: what is written through it stands in x.",
        "zh": "视图或切片是同一个盒子上的另一个标签：通过它写的就在 x 里。",
    },
)


def _nets(torch, random):
    def net(training):
        torch.manual_seed(0)
        made = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1))
        return made.train(training)

    for training in (True, False, True):
        yield net(training), torch.tensor(random.normal(size=(3, 2)), dtype=torch.float32)


def _asked(given, torch, net, x):
    inside = []
    net.register_forward_hook(lambda module, arguments, made: inside.append(made.requires_grad))
    output = given(net, x)
    return {
        "output": output.detach(),
        "recorded": output.requires_grad,
        "inside": any(inside),
        "training": net.training,
        "dropout": net[1].training,
        "recording": torch.is_grad_enabled(),
    }


ASK = """
def only_ask(net, x):
    {lines}
    return output
"""


def _only_ask(*lines: str) -> str:
    return ASK.format(lines="\n    ".join(lines))


RECORDED = {
    "en": "Nothing is dropped. But eval is not no_grad: all of it was recorded.",
    "zh": "没有丢弃。但 eval 不是 no_grad：全都被记录了。",
}
TOO_LATE = {
    "en": "`detach` comes too late: the net has recorded its whole way by then, and only the output is cut off. How is "
    "nothing recorded in the first place?",
    "zh": "`detach` 来得太晚：那时网络已经把整条路都记录了，剪断的只是输出。怎样才能一开始就不记录？",
}
NOTED = ("training = net.training", "net.eval()")
OUTPUT, BACK = "output = net(x)", "net.train(training)"

only_ask = function(
    "only_ask",
    task={
        "en": "Ask a net without teaching it: Dropout off, nothing recorded, and afterwards the net is in the mode "
        "in which it came. `net.training` says whether that is training.",
        "zh": "只问网络，不训练它：关掉 Dropout，不记录，之后网络回到来时的模式。"
        "`net.training` 说明来时是不是训练模式。",
    },
    gap=_only_ask("...", "output = net(x)", "..."),
    solution=_only_ask(
        "training = net.training", "net.eval()", "with torch.no_grad():", "    output = net(x)", "net.train(training)"
    ),
    points=_nets,
    run=_asked,
    may_change=True,
    where={
        "en": "With nets of the check's own, in training and not",
        "zh": "用检查自带的网络，有的在训练模式，有的不在",
    },
    parts={
        "output": {"en": "output", "zh": "输出"},
        "recorded": {"en": "answer to “is the output recorded?”", "zh": "对“输出被记录了吗？”的回答"},
        "inside": {
            "en": "answer to “was recorded what the net computes?”",
            "zh": "对“网络的计算过程被记录了吗？”的回答",
        },
        "training": {"en": "answer to “does the net train afterwards?”", "zh": "对“之后网络在训练模式吗？”的回答"},
        "dropout": {
            "en": "answer to “does its Dropout drop afterwards?”",
            "zh": "对“之后它的 Dropout 还丢弃吗？”的回答",
        },
        "recording": {"en": "answer to “is recording on afterwards?”", "zh": "对“之后还在记录吗？”的回答"},
    },
    hints=[
        {
            "en": "Two switches have to be set. Which one is the net's, and which one is for all that is computed?",
            "zh": "要拨两个开关。哪个是网络的？哪个管所有的计算？",
        },
        {
            "en": "`net.eval()` for Dropout, `with torch.no_grad():` for the "
            "recording, which goes on by itself afterwards.",
            "zh": "`net.eval()` 管 Dropout，`with torch.no_grad():` 管记录。之后它自己会恢复。",
        },
        {
            "en": "Note `training = net.training` at the beginning, and call `net.train(training)` at the end.",
            "zh": "开头记下 `training = net.training`，最后调用 `net.train(training)`。",
        },
    ],
    wrong=[
        Wrong(  # these are known by a name, so asked for first: others behave alike
            _only_ask("training = net.training", "net.eval()", "with torch.no_grad():", "    pass", OUTPUT, BACK),
            {
                "en": "Here the net computes after the `with` has ended, so it is recorded again. Move it inside.",
                "zh": "这里网络是在 `with` 结束之后才计算的，所以又被记录了。把它移到里面。",
            },
            uses="with",
        ),
        *(
            Wrong(_only_ask(*before, "torch.no_grad()", OUTPUT, *after), BARE, uses="no_grad")
            for before, after in (
                (NOTED, (BACK,)),
                (("net.eval()",), ("net.train()",)),
                (("net.eval()",), ()),
                ((), ()),
            )
        ),
        *(
            Wrong(_only_ask(*before, "output = net(x).detach()", *after), TOO_LATE, uses="detach")
            for before, after in ((NOTED, (BACK,)), (("net.eval()",), ("net.train()",)), (("net.eval()",), ()))
        ),
        Wrong(
            _only_ask("output = net(x).detach()"),
            {
                "en": "There is no way back from that output, right. But Dropout was on, and the net's way to it was "
                "recorded before you cut it off.",
                "zh": "从这个输出确实没有回去的路。但 Dropout 是开着的，而且剪断之前，网络走到它的路已经被记录了。",
            },
            uses="detach",
        ),
        Wrong(
            _only_ask(*NOTED, "with torch.no_grad():", "    output = net(x)", "net.training = training"),
            {
                "en": "The flag of the net is as it was, but its Dropout stays off: the flag is the net's alone. "
                "`net.train(training)` tells all its layers.",
                "zh": "网络的标志恢复了，但它的 Dropout 还关着：这个标志只是网络自己的。"
                "`net.train(training)` 会通知每一层。",
            },
            uses="training",
        ),
        Wrong(
            _only_ask(
                "training = net.training",
                "net.training = False",
                "with torch.no_grad():",
                "    output = net(x)",
                "net.training = training",
            ),
            {
                "en": "The flag of the net is not that of its layers: Dropout went on. `eval()` tells them all.",
                "zh": "网络的标志不是各层的标志：Dropout 还在丢弃。`eval()` 会通知每一层。",
            },
            uses="training",
        ),
        Wrong(_only_ask("net.eval()", OUTPUT, "net.train()"), RECORDED),
        Wrong(_only_ask("net.eval()", OUTPUT), RECORDED),
        Wrong(
            _only_ask("training = net.training", "net.eval()", OUTPUT, BACK),
            RECORDED,
        ),
        Wrong(
            _only_ask("with torch.no_grad():", "    output = net(x)"),
            {
                "en": "Nothing is recorded. But no_grad is not eval: Dropout goes on dropping.",
                "zh": "没有记录。但 no_grad 不是 eval：Dropout 还在丢弃。",
            },
        ),
        Wrong(
            _only_ask("net.eval()", "with torch.no_grad():", "    output = net(x)"),
            {
                "en": "Right for this answer. But whoever trains on now trains without Dropout, and nobody tells them.",
                "zh": "这次的回答是对的。但接下来训练的人就没有 Dropout 了，而且没有人告诉他。",
            },
        ),
        Wrong(
            _only_ask("net.eval()", "with torch.no_grad():", "    output = net(x)", "net.train()"),
            {
                "en": "Some nets come in eval mode, and should leave in it. Note at the beginning how it was.",
                "zh": "有的网络来时就是 eval 模式，走时也该如此。开头先记下它原来怎样。",
            },
        ),
        Wrong(
            _only_ask("training = net.training", "net.eval()", "torch.set_grad_enabled(False)", OUTPUT, BACK),
            {
                "en": "This switches recording off for everybody, and nobody switches it on again. `with` does both.",
                "zh": "这替所有人关掉了记录，而没有人再打开。`with` 两样都做。",
            },
        ),
    ],
    because={
        "en": "Two switches for two things, and both are as they were.",
        "zh": "两件事，两个开关，之后都恢复原样。",
    },
)

RIGHT, ERROR, SILENT = "right", "an error", "silently wrong"
LAMPS = {
    RIGHT: {"en": "right", "zh": "正确"},
    ERROR: {"en": "an error", "zh": "报错"},
    SILENT: {"en": "silently wrong", "zh": "悄悄地错"},
}

probe(
    6,
    ".data is safe",
    before=Ask(
        ask={
            "en": "w = 2, and the slope of w · w there is 4. What does this print?",
            "zh": "w = 2，w · w 在那里的斜率是 4。这段程序输出什么？",
        },
        code="w = torch.tensor(2.0, requires_grad=True)\ny = w * w\nw.data += 1\ny.backward()\nprint(w.grad.item())",
        choices={
            "4": {
                "en": "× has saved w itself, no copy. Through `.data` its numbers have been changed.",
                "zh": "× 保存的是 w 本身，不是副本。它的数被 `.data` 改掉了。",
            },
            "6": {
                "en": "Wrong, and without a word: backward reads the changed w, and `.data` keeps that secret.",
                "zh": "错了，而且一声不响：backward 读到的是改过的 w，`.data` 却瞒着它。",
            },
            ERROR: {
                "en": "So it would be with `detach()` in place of `.data`.",
                "zh": "把 `.data` 换成 `detach()` 才会这样。",
            },
        },
        right="6",
        labels={
            "4": {"en": "4", "zh": "4"},
            "6": {"en": "6", "zh": "6"},
            ERROR: LAMPS[ERROR],
        },
        proof="answer = f'{w.grad.item():g}'",
    ),
    after=Ask(
        ask={
            "en": "w = 1. Somebody clips a layer's output: `h = (3 * w).exp()`, then `h.data.clamp_(max=1)`, then "
            "`h.sum().backward()`. The gradient of w is",
            "zh": "w = 1。有人截断一层的输出：`h = (3 * w).exp()`，然后 `h.data.clamp_(max=1)`，"
            "再 `h.sum().backward()`。w 的梯度是",
        },
        choices={
            RIGHT: {
                "en": "exp had saved its result, and that is what was clipped. Nobody has told backward.",
                "zh": "exp 保存了它的结果，被截断的正是它。没有人告诉 backward。",
            },
            ERROR: {
                "en": "The version has not moved, so backward has nothing to complain about.",
                "zh": "版本没有动，所以 backward 没什么可抱怨的。",
            },
            SILENT: {
                "en": "What exp had saved was changed behind backward's back.",
                "zh": "exp 保存的东西在 backward 背后被改了。",
            },
        },
        right=SILENT,
        labels=LAMPS,
        proof="""
w = torch.tensor([1.0], requires_grad=True)
h = (3 * w).exp()
h.data.clamp_(max=1)
h.sum().backward()
exp, clipped = 3 * 2.718281828**3, 0.0  # the slope of what was computed, and of what stands there now
answer = "right" if any(abs(w.grad.item() - slope) < 0.01 for slope in (exp, clipped)) else "silently wrong"
""",
    ),
)

probe(
    6,
    "eval is no_grad",
    before=Ask(
        ask={
            "en": "A net with Dropout. After `net.eval()` somebody calls `net(x).sum().backward()`. What do the "
            "weights get?",
            "zh": "一个带 Dropout 的网络。执行 `net.eval()` 之后，有人执行 `net(x).sum().backward()`。权重得到什么？",
        },
        choices={
            "gradients": {
                "en": "eval tells layers such as Dropout how to compute. It does not stop the recording.",
                "zh": "eval 告诉 Dropout 之类的层怎样计算。它不停止记录。",
            },
            "nothing": {
                "en": "Who has stopped the recording? eval tells the layers how to compute.",
                "zh": "谁停止了记录？eval 只告诉各层怎样计算。",
            },
            ERROR: {"en": "So it would be inside `torch.no_grad()`.", "zh": "在 `torch.no_grad()` 里才会这样。"},
        },
        right="gradients",
        labels={
            "gradients": {"en": "gradients", "zh": "梯度"},
            "nothing": {"en": "nothing: their .grad stays None", "zh": "什么也没有：.grad 还是 None"},
            ERROR: {"en": "nothing: it raises an error", "zh": "什么也没有：报错"},
        },
        proof="""
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Dropout(0.5), torch.nn.Linear(3, 1)).eval()
net(torch.ones(1, 2)).sum().backward()
answer = "nothing" if any(each.grad is None for each in net.parameters()) else "gradients"
""",
    ),
    after=Ask(
        ask={
            "en": "To measure how good a net is, somebody calls it inside `torch.no_grad()`, twice with the same x, "
            "and gets two results. What was forgotten?",
            "zh": "为了衡量网络的好坏，有人在 `torch.no_grad()` 里用同一个 x 调用它两次，"
            "得到两个不同的结果。忘了什么？",
        },
        choices={
            "net.eval()": {
                "en": "no_grad stops the recording. How layers compute is decided by train and eval.",
                "zh": "no_grad 停止记录。层怎样计算由 train 和 eval 决定。",
            },
            "detach()": {
                "en": "Inside no_grad there is no history to detach from.",
                "zh": "在 no_grad 里没有历史可以剪断。",
            },
            "zero_grad()": {
                "en": "Gradients play no part while nobody calls backward.",
                "zh": "没有人调用 backward，梯度就不起作用。",
            },
        },
        right="net.eval()",
        labels={
            "net.eval()": {"en": "net.eval()", "zh": "忘了 net.eval()"},
            "detach()": {"en": "detach()", "zh": "忘了 detach()"},
            "zero_grad()": {"en": "zero_grad()", "zh": "忘了 zero_grad()"},
        },
        proof="""
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 30), torch.nn.Dropout(0.5), torch.nn.Linear(30, 1))
x = torch.ones(1, 2)
with torch.no_grad():
    differ = net(x).item() != net(x).item()
    net.eval()
    same = net(x).item() == net(x).item()
answer = "net.eval()" if differ and same else "?"
""",
    ),
)

probe(
    6,
    "detach kills everything",
    before=Ask(
        ask={
            "en": "w = 3 and `y = (w * w).detach() * w`. What is `w.grad` after `y.backward()`?",
            "zh": "w = 3，`y = (w * w).detach() * w`。执行 `y.backward()` 之后 `w.grad` 是多少？",
        },
        choices={
            "0": {
                "en": "One path is cut off. The last w is reached by another one.",
                "zh": "一条路剪断了。最后那个 w 还有另一条路可到。",
            },
            "9": {
                "en": "w · w goes on as a plain 9. The last w is multiplied by it.",
                "zh": "w · w 作为普通的 9 继续。最后那个 w 乘的就是它。",
            },
            "27": {
                "en": "So it is without detach: the slope of w · w · w.",
                "zh": "没有 detach 时是这样：w · w · w 的斜率。",
            },
            "None": {
                "en": "The last w is in the graph, so something arrives.",
                "zh": "最后那个 w 在图里，所以有东西到来。",
            },
        },
        right="9",
        labels={each: {"en": each, "zh": each} for each in ("0", "9", "27", "None")},
        proof="""
w = torch.tensor(3.0, requires_grad=True)
((w * w).detach() * w).backward()
answer = f"{w.grad.item():g}"
""",
    ),
    after=Ask(
        ask={
            "en": "w = 2 and `y = w + (5 * w).detach()`. What is `w.grad` after `y.backward()`?",
            "zh": "w = 2，`y = w + (5 * w).detach()`。执行 `y.backward()` 之后 `w.grad` 是多少？",
        },
        choices={
            "0": {
                "en": "Only the path through 5 · w is cut off.",
                "zh": "剪断的只是经过 5 · w 的那条路。",
            },
            "1": {
                "en": "The path through 5 · w is cut off, the other one stays.",
                "zh": "经过 5 · w 的路剪断了，另一条还在。",
            },
            "5": {
                "en": "That is the path that was cut off.",
                "zh": "这正是被剪断的那条路。",
            },
            "6": {"en": "So it is without detach: both paths.", "zh": "没有 detach 时是这样：两条路都在。"},
        },
        right="1",
        labels={each: {"en": each, "zh": each} for each in ("0", "1", "5", "6")},
        proof="""
w = torch.tensor(2.0, requires_grad=True)
(w + (5 * w).detach()).backward()
answer = f"{w.grad.item():g}"
""",
    ),
)
