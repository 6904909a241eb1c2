"""Lesson 8, an RNN unrolled: the slope through thirty time steps, the loop over a batch, clipping, where it goes."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function


def _tensors(torch, random, *sizes):
    return [torch.tensor(random.normal(size=size).astype(np.float32)) for size in sizes]


# -- the slope of the last state with respect to the first --


def _walks(torch, random):
    yield 2.0, 0.5, [0.0]
    yield 0.5, -1.0, [1.0, -0.5]
    yield -0.5, 1.0, [0.5]
    yield float(random.uniform(0.5, 2)), float(random.normal()), [float(each) for each in random.normal(size=4)]


SLOPE = """
def slope(u, h, xs):
    product = {start}
    for x in xs:
        {old}h = math.tanh(u * h + x)
        {line}
    return product
"""


def _slope(line, start="1.0", old=""):
    return SLOPE.format(line=line, start=start, old=old)


ONE_PATH = {
    "en": "Each factor is right. But here is one path from the first h to the last, and the factors along a path "
    "multiply: `*=`. What adds up is paths.",
    "zh": "每个因子都对。但从第一个 h 到最后一个 h 只有一条路径，同一条路径上的因子相乘：`*=`。相加的是路径。",
}

BRACKETS = {
    "en": "All parts are there, but not the brackets: the slope of tanh, `1 - h * h`, is one factor, and `u` another.",
    "zh": "各部分都在，但括号不对：tanh 的斜率 `1 - h * h` 是一个因子，`u` 是另一个。",
}

slope_back = function(
    "slope_back",
    task={
        "en": "Write `slope(u, h, xs)`: in each time step h becomes tanh(u · h + x). Nudge the first h, and "
        "the last one moves as well: how many times as far?",
        "zh": "写出 `slope(u, h, xs)`：每个时间步 h 变成 tanh(u · h + x)。最后的 h 移动的距离是第一个 h 的多少倍？",
    },
    gap=_slope("..."),
    solution=_slope("product = product * u * (1 - h * h)"),
    points=_walks,
    hints=[
        {
            "en": "A nudge of the old h: by how much is it multiplied on its way through `u * h`, and then through "
            "tanh?",
            "zh": "把旧的 h 推一下：经过 `u * h` 时乘以多少？再经过 tanh 时呢？",
        },
        {
            "en": "The slope of tanh, where it gives h, is 1 − h².",
            "zh": "tanh 在给出 h 的地方，斜率是 1 − h²。",
        },
        {
            "en": "One factor a time step: `product = product * u * (1 - h * h)`, with the new h.",
            "zh": "每个时间步一个因子：`product = product * u * (1 - h * h)`，用新的 h。",
        },
    ],
    wrong=[
        Wrong(
            _slope("product = product * u"),
            {
                "en": "That is u multiplied with itself, as if tanh were not there. How steep is tanh at that place?",
                "zh": "那只是 u 连乘，好像没有 tanh 一样。tanh 在那里有多陡？",
            },
        ),
        Wrong(
            _slope("product = product * (1 - h * h)"),
            {
                "en": "The slope of tanh is right. But the old h reaches tanh only through `u * h`.",
                "zh": "tanh 的斜率对了。但旧的 h 要经过 `u * h` 才到 tanh。",
            },
        ),
        Wrong(
            _slope("product = product + u * (1 - h * h)", start="0.0"),
            ONE_PATH,
        ),
        Wrong(_slope("product += u * (1 - h * h)"), ONE_PATH),
        Wrong(
            _slope("product += 1 - h * h"),
            {
                "en": "Here is one path: its factors multiply, and the u before tanh is one of them.",
                "zh": "这里只有一条路径：它的因子相乘，而 tanh 前面的 u 也是其中一个。",
            },
        ),
        Wrong(
            _slope("product = u * (1 - h * h)"),
            {
                "en": "That is the last time step alone. What of those before it?",
                "zh": "那只是最后一个时间步。前面的呢？",
            },
        ),
        Wrong(
            _slope("product = product * u * (1 - old * old)", old="old = h\n        "),
            {
                "en": "How steep tanh is depends on what comes out of it: the new h.",
                "zh": "tanh 有多陡，取决于它给出的值：新的 h。",
            },
        ),
        Wrong(
            _slope("product = product * u * (1 - h)"),
            {
                "en": "Nearly: 1 − h is not the slope. Where tanh gives −0.5 it is as steep as where it gives 0.5.",
                "zh": "差一点：1 − h 不是斜率。tanh 给出 −0.5 的地方和给出 0.5 的地方一样陡。",
            },
        ),
        Wrong(
            _slope("product = product * u * math.tanh(u * h + x)"),
            {
                "en": "That is a value of tanh. Asked for is its slope.",
                "zh": "那是 tanh 的值。要的是它的斜率。",
            },
        ),
        Wrong(
            _slope("product = product * u * (1 - math.tanh(h) ** 2)"),
            {
                "en": "h is what came out of tanh already: 1 − h², and no second tanh.",
                "zh": "h 已经是 tanh 给出的值：1 − h²，不要再套一次 tanh。",
            },
        ),
        Wrong(
            _slope("product = product * u * (1 - math.tanh(u * h + x) ** 2)"),
            {
                "en": "In that line h is the new state already, so this looks one time step ahead. What came out of "
                "tanh "
                "is h: 1 − h².",
                "zh": "在那一行里 h 已经是新状态，所以这里多看了一步。tanh 给出的就是 h：1 − h²。",
            },
        ),
        Wrong(
            _slope("product = product * (1 - h)"),
            {
                "en": "The slope of tanh is 1 − h², with a square; and the old h reaches it only through `u * h`.",
                "zh": "tanh 的斜率是 1 − h²，有平方；而且旧的 h 要经过 `u * h` 才到那里。",
            },
        ),
        Wrong(
            _slope("product = product * u * h"),
            {
                "en": "That is u · h, the way there. How steep is the tanh that comes after it?",
                "zh": "那是 u · h，只走到一半。后面的 tanh 有多陡？",
            },
        ),
        Wrong(
            _slope("product = product * h"),
            {
                "en": "That multiplies the states. By what is a *nudge* of the state multiplied?",
                "zh": "那是把状态相乘。状态的一次*推动*乘以什么？",
            },
        ),
        Wrong(
            _slope("product = product * abs(u * (1 - h * h))"),
            {
                "en": "The size is right. But where u is negative, a nudge comes out turned around: keep the sign.",
                "zh": "大小对了。但 u 为负时，推动会反向：要保留符号。",
            },
        ),
        *[
            Wrong(_slope(f"product = product * {factor}"), BRACKETS)
            for factor in ("(u - h * h)", "(1 - h * h * u)", "u - h * h")
        ],
        Wrong(
            _slope("product = product * u * (1 + h * h)"),
            {
                "en": "With a plus the slope would be more than 1. tanh is steepest at 0, and everywhere else it is "
                "less steep than there.",
                "zh": "用加号的话斜率会大于 1。tanh 在 0 处最陡，其他地方都没有那里陡。",
            },
        ),
        Wrong(
            _slope("product = product * h * (1 - h * h)"),
            {
                "en": "The slope of tanh is right. But before it the old h is multiplied by u, so a nudge of it is, "
                "too.",
                "zh": "tanh 的斜率对了。但在它之前，旧的 h 乘以 u，所以对它的推动也乘以 u。",
            },
        ),
        Wrong(
            _slope("product = h"),
            {
                "en": "That is the last state. How far does it move when the first one is nudged?",
                "zh": "那是最后一个状态。推动第一个状态时，它移动多远？",
            },
        ),
    ],
    because={
        "en": "A factor u · (1 − h²) for each time step: if most of them are below 1, nothing much is left of a nudge.",
        "zh": "每个时间步一个因子 u · (1 − h²)：如果它们大多小于 1，推动就所剩无几了。",
    },
)


# -- the loop over a batch --


def _batches(torch, random):
    for batch, time, inputs, hidden in ((2, 3, 1, 2), (3, 3, 2, 4), (1, 5, 3, 2)):
        sizes = (batch, time, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden)
        yield _tensors(torch, random, *sizes)


def _is_a_way_back(given, torch, random):
    """Does a gradient come from the last state to the one before the loop?"""
    x, h, W, U = next(_batches(torch, random))
    states = given(x, h.requires_grad_(), W.requires_grad_(), U.requires_grad_())
    if states.requires_grad:
        states[:, -1].sum().backward()
    return CUT_OFF if h.grad is None else None


CUT_OFF = {
    "en": "The numbers are right, but the way back is cut: no gradient comes from the last state to the first, and "
    "nothing could be learned of it. Use the states as they are.",
    "zh": "数值对了，但回去的路断了：没有梯度能从最后一个状态传到第一个，也就学不到东西。状态要原样使用。",
}


def _told_of_shape(came):
    """Of a tensor that has another shape than the first batch asks for: the shapes, and not all its numbers."""
    shape = tuple(getattr(came, "shape", ()))
    if not shape or shape in ((2, 3, 2), (3, 3, 4), (1, 5, 2)):
        return None
    return {
        "en": f"what comes back has the shape {shape}; of 2 examples, 3 time steps and 2 hidden numbers it has to be "
        "(2, 3, 2)",
        "zh": f"返回的形状是 {shape}；2 个样本、3 个时间步、2 个隐藏数，应当是 (2, 3, 2)",
    }


UNROLL = """
def unroll(x, h, W, U):
    states = []
    for x_t in {steps}:
        h = torch.tanh(x_t @ W + h @ U)
        states.append(h)
    return {result}
"""
RIGHT = dict(steps="x.permute(1, 0, 2)", result="torch.stack(states, dim=1)")

unroll = function(
    "unroll",
    task={
        "en": "Write the two gaps: `x` is (batch, time, inputs), and what comes back is (batch, time, hidden): the "
        "states "
        "of all time steps.",
        "zh": "填两个空：`x` 是 (batch, time, inputs)，返回的是 (batch, time, hidden)：所有时间步的状态。",
    },
    gap=UNROLL.format(steps="...", result="..."),
    solution=UNROLL.format(**RIGHT),
    points=_batches,
    tell=_told_of_shape,
    verify=_is_a_way_back,
    rel=1e-3,
    where={"en": "On a batch of the check's own", "zh": "在检查自带的批次上"},
    hints=[
        {
            "en": "`for row in x` walks along the first axis. Which axis should it walk along?",
            "zh": "`for row in x` 沿第一根轴走。应该沿哪根轴走？",
        },
        {
            "en": "`permute` puts the time first. At the end each state is (batch, hidden), and the time is to become "
            "an axis between the two.",
            "zh": "`permute` 把时间放到最前。最后每个状态是 (batch, hidden)，时间要成为两者之间的一根轴。",
        },
        {
            "en": "`x.permute(1, 0, 2)`, and `torch.stack(states, dim=1)`.",
            "zh": "`x.permute(1, 0, 2)`，以及 `torch.stack(states, dim=1)`。",
        },
    ],
    wrong=[
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "x"}),
            {
                "en": "`for x_t in x` walks along the first axis: that is the batch, example by example.",
                "zh": "`for x_t in x` 沿第一根轴走：那是批次，一个样本接一个样本。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.stack(states)"}),
            {
                "en": "The states are right, but the time stands first. `stack` makes the new axis where `dim` says.",
                "zh": "状态都对，但时间排在最前。`stack` 在 `dim` 所说的位置造新轴。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.stack(states, dim=2)"}),
            {
                "en": "The time stands last. Between batch and hidden is place 1.",
                "zh": "时间排在最后。batch 和 hidden 之间是位置 1。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.cat(states)"}),
            {
                "en": "`cat` lays them end to end along an axis that is there. A new axis is made by `stack`.",
                "zh": "`cat` 沿已有的轴首尾相接。造新轴的是 `stack`。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.cat(states, dim=1)"}),
            {
                "en": "`cat` makes the rows longer: (batch, time · hidden). A new axis is made by `stack`.",
                "zh": "`cat` 把行变长：(batch, time · hidden)。造新轴的是 `stack`。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "h"}),
            {
                "en": "That is the last state. All of them are asked for.",
                "zh": "那是最后一个状态。要的是全部。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "states"}),
            {
                "en": "A list of tensors. One tensor is asked for: `stack` them.",
                "zh": "这是张量的列表。要的是一个张量：用 `stack`。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "[x.narrow(1, t, 1) for t in range(x.size(1))]"}),
            {
                "en": "`narrow` keeps the axis: (batch, 1, inputs), and that 1 is spread out against the batch, in "
                "silence. Take it away by `squeeze(1)`.",
                "zh": "`narrow` 保留那根轴：(batch, 1, inputs)，这个 1 会悄悄对着批次展开。用 `squeeze(1)` 去掉它。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "range(x.size(1))"}),
            {
                "en": "That counts the time steps, and `x_t` is only a number. What is wanted is what was read there: "
                "turn "
                "the axes of x, and walk along the first.",
                "zh": "那只是在数时间步，`x_t` 只是一个数。要的是在那里读到的东西：调换 x 的轴，再沿第一根走。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "x.permute(1, 0)"}),
            {
                "en": "`permute` wants a place for each axis, and x has three.",
                "zh": "`permute` 要给每根轴一个位置，而 x 有三根轴。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.stack(states).reshape(x.size(0), x.size(1), -1)"}),
            {
                "en": "The shape is right, but `reshape` reads the numbers as they lie: examples and times are mixed. "
                "Let "
                "`stack` put the axis where it belongs.",
                "zh": "形状对了，但 `reshape` 按存放顺序读数：样本和时间混在一起了。让 `stack` 把轴放到该放的位置。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "x.permute(2, 0, 1)"}),
            {
                "en": "That puts the inputs first. Which place has the time? Counted from 0.",
                "zh": "那把 inputs 放到了最前。时间在第几个位置？从 0 数起。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "x.reshape(x.size(1), x.size(0), x.size(2))"}),
            {
                "en": "The shape is right, but `reshape` reads the numbers in the order in which they lie: the "
                "examples are "
                "mixed. `permute` turns the axes.",
                "zh": "形状对了，但 `reshape` 按数的存放顺序来读：样本混在一起了。调换轴的是 `permute`。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "result": "torch.stack(states[::-1], dim=1)"}),
            {
                "en": "The last state stands first. They come in the order in which they were made.",
                "zh": "最后的状态排在了最前。它们按产生的顺序排列。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "x.squeeze()"}),
            {
                "en": "`squeeze` takes away axes that are 1 long. It turns nothing: the batch still stands first.",
                "zh": "`squeeze` 去掉长度为 1 的轴。它不调换任何轴：最前面的仍是批次。",
            },
        ),
        Wrong(
            UNROLL.format(**{**RIGHT, "steps": "[x[:, t] for t in range(7)]"}),
            {
                "en": "So many time steps has the `x` above. Another batch has another number: `x.size(1)`.",
                "zh": "上面的 `x` 有这么多时间步。别的批次有别的数目：`x.size(1)`。",
            },
        ),
        *[
            Wrong(UNROLL.format(**{**RIGHT, "result": result}), CUT_OFF)
            for result in (
                "torch.stack([state.detach() for state in states], dim=1)",
                "torch.tensor([state.tolist() for state in states]).permute(1, 0, 2)",
            )
        ],
        Wrong(UNROLL.replace("h @ U", "h.detach() @ U").format(**RIGHT), CUT_OFF),
    ],
    because={
        "en": "The time first for the loop, and back between batch and hidden at the end.",
        "zh": "循环时时间在最前，最后回到 batch 和 hidden 之间。",
    },
)


# -- clipping --


WEIGHTS = {
    "en": "your `clip` has changed the weights: it is their gradients that are too large",
    "zh": "你的 `clip` 改动了权重：过大的是它们的梯度",
}


def _gradients(torch, random):
    yield [[30.0, 40.0]], 5.0
    yield [[5.0], [12.0]], 6.5
    yield [[0.3, 0.4]], 5.0
    yield [[1.0, -2.0], None, [float(random.uniform(3, 5))]], float(random.uniform(1, 2))


def _clipped(given, torch, gradients, max_norm):
    parameters = []
    for each in gradients:
        parameters.append(torch.ones(len(each or [0.0]), requires_grad=True))
        parameters[-1].grad = None if each is None else torch.tensor(each)
    several = iter(parameters)  # which can be walked along once, as `net.parameters()`
    norm = given(several if len(parameters) > 1 else parameters, max_norm)
    if any((p != 1).any().item() for p in parameters):
        return "weights"
    return {
        "norm": norm if norm is None else float(norm),
        "gradients": [None if p.grad is None else p.grad.tolist() for p in parameters],
    }


CLIP = """
def clip(parameters, max_norm):
    {grads}
    norm = {norm}
    {cut}
    return {result}
"""
CUT = "if norm > max_norm:\n        for grad in grads:\n            grad *= max_norm / norm"
HELD = dict(
    grads="grads = [p.grad for p in parameters if p.grad is not None]",
    norm="sum((grad**2).sum().item() for grad in grads) ** 0.5",
    cut=CUT,
    result="norm",
)


def _clip(**other):
    return CLIP.format(**{**HELD, **other})


LEFT_OUT = {
    "en": "Some parameters have no gradient: there `p.grad` is None, and None has no numbers. Leave those out, as the "
    "line of `grads` did.",
    "zh": "有的参数没有梯度：那里 `p.grad` 是 None，里面没有数。像 `grads` 那一行原来那样，把它们排除在外。",
}
USED_UP = {
    "en": "`net.parameters()` can be walked along only once, and the first loop over `parameters` has done so: a "
    "second one finds nothing, and says nothing. Loop over `grads`, or keep a list.",
    "zh": "`net.parameters()` 只能走一遍，对 `parameters` 的第一个循环已经走过了：第二个什么也找不到，也不报错。"
    "请对 `grads` 循环，或者留一个列表。",
}
BY_HAND = {
    "en": "`clip_grad_norm_` is what you are writing: here by hand, so that you know what it does.",
    "zh": "你要写的正是 `clip_grad_norm_`：这里亲手写，好知道它做什么。",
}
READY_MADE = "clip_grad_norm_ clip_grads_with_norm_ get_total_norm"


def _by_hand(given, torch, random):
    code = getattr(given, "__code__", None)
    return BY_HAND if code and not set(READY_MADE.split()).isdisjoint(code.co_names) else None


clip_by_hand = function(
    "clip_by_hand",
    task={
        "en": "Write `clip(parameters, max_norm)`: where the norm of all gradients together is larger than "
        "`max_norm`, make every `p.grad` smaller, all by one factor. Return the norm as it was.",
        "zh": "写出 `clip(parameters, max_norm)`：当所有梯度合在一起的范数大于 `max_norm` 时，用同一个因子把每个"
        "`p.grad` 都缩小。返回原来的范数。",
    },
    gap=_clip(norm="...", cut="..."),
    solution=_clip(),
    points=_gradients,
    run=_clipped,
    tell=lambda came: WEIGHTS if came == "weights" else None,
    verify=_by_hand,
    parts={
        "norm": {"en": "norm", "zh": "范数"},
        "gradients": {"en": "gradients", "zh": "梯度"},
    },
    rel=1e-3,
    hints=[
        {
            "en": "The norm of (30, 40) is 50: the root of the sum of all squares. Which squares, if there are several "
            "gradients?",
            "zh": "(30, 40) 的范数是 50：所有平方之和的平方根。有几个梯度时，是哪些平方？",
        },
        {
            "en": "One factor for all: `max_norm / norm`. And if the norm is small already?",
            "zh": "全部用同一个因子：`max_norm / norm`。如果范数本来就小呢？",
        },
        {
            "en": "`norm = sum((grad**2).sum().item() for grad in grads) ** 0.5`; then, if it is larger than "
            "`max_norm`, "
            "`grad *= max_norm / norm` for each.",
            "zh": "`norm = sum((grad**2).sum().item() for grad in grads) ** 0.5`；如果它大于 `max_norm`，"
            "就对每一个做 `grad *= max_norm / norm`。",
        },
    ],
    wrong=[
        *[
            Wrong(_clip(norm=f"torch.nn.utils.clip_grad_norm_({given}, max_norm)", cut=""), BY_HAND, READY_MADE, True)
            for given in ("parameters", "[p for p in parameters]")
        ],
        Wrong(
            _clip(grads="", norm="torch.nn.utils.clip_grad_norm_(parameters, max_norm)", cut=""), BY_HAND, READY_MADE
        ),
        Wrong(
            _clip(cut="for grad in grads:\n        grad.clamp_(-max_norm, max_norm)"),
            {
                "en": "Each number is cut by itself, and the gradient points elsewhere: (30, 40) becomes (5, 5). "
                "(`clip_grad_value_` does that.) One factor for all keeps the direction.",
                "zh": "每个数各剪各的，梯度的方向就变了：(30, 40) 变成 (5, 5)。（那是 `clip_grad_value_`。）"
                "全部用同一个因子才保持方向。",
            },
        ),
        Wrong(
            _clip(cut="for grad in grads:\n        grad *= max_norm / norm"),
            {
                "en": "A small gradient is made larger by that: what if the norm is below `max_norm`?",
                "zh": "这会把小的梯度放大：如果范数小于 `max_norm` 呢？",
            },
        ),
        Wrong(
            _clip(cut="for grad in grads:\n        grad *= min(1.0, max_norm / (grad**2).sum().item() ** 0.5)"),
            {
                "en": "Each gradient gets a factor of its own. One norm, of all together, and one factor.",
                "zh": "每个梯度用了自己的因子。应当是合在一起的一个范数，和一个因子。",
            },
        ),
        Wrong(
            _clip(norm="sum((grad**2).sum().item() ** 0.5 for grad in grads)"),
            {
                "en": "Those are the norms of each, added. Together: squares first, then their sum, then the root.",
                "zh": "那是各自的范数相加。合在一起：先平方，再求和，最后开方。",
            },
        ),
        Wrong(
            _clip(norm="sum((grad**2).sum().item() for grad in grads)"),
            {
                "en": "That is the sum of the squares. The norm is its root.",
                "zh": "那是平方和。范数是它的平方根。",
            },
        ),
        Wrong(
            _clip(cut="if norm > max_norm:\n        for grad in grads:\n            grad = grad * max_norm / norm"),
            {
                "en": "The gradients are what they were. (If you wrote `grad = …`: that makes a new tensor, which is "
                "forgotten at once.) In place: `grad *= …`.",
                "zh": "梯度和原来一样。（如果你写了 `grad = …`：那造了一个新张量，随即就忘了。）"
                "要在原处改：`grad *= …`。",
            },
        ),
        Wrong(
            _clip(cut="if norm > max_norm:\n        for grad in grads:\n            grad *= norm / max_norm"),
            {
                "en": "Upside down: that makes them larger.",
                "zh": "反了：这会把它们放大。",
            },
        ),
        Wrong(
            _clip(cut="if norm > max_norm:\n        for grad in grads:\n            grad /= norm"),
            {
                "en": "Now the norm is 1, whatever `max_norm` says.",
                "zh": "这样范数总是 1，不管 `max_norm` 是多少。",
            },
        ),
        Wrong(
            _clip(norm="sum(grad.abs().sum().item() for grad in grads)"),
            {
                "en": "(30, 40) has norm 50, not 70: squares are added, and then comes the root.",
                "zh": "(30, 40) 的范数是 50，不是 70：先把平方相加，再开方。",
            },
        ),
        Wrong(
            _clip(norm="sum((grad**2).mean().item() for grad in grads) ** 0.5"),
            {
                "en": "The squares are added, not averaged: (30, 40) has norm 50.",
                "zh": "平方是相加，不是取平均：(30, 40) 的范数是 50。",
            },
        ),
        Wrong(
            _clip(norm="(grads[0]**2).sum().item() ** 0.5"),
            {
                "en": "That is the norm of the first alone. Clipped are all together, by one factor.",
                "zh": "那只是第一个的范数。剪裁是把所有的合在一起，用一个因子。",
            },
        ),
        Wrong(
            _clip(norm="max(grad.abs().max().item() for grad in grads)"),
            {
                "en": "That is the largest number. The norm is made of all of them: the root of the sum of their "
                "squares.",
                "zh": "那是最大的数。范数由全部的数构成：平方和的平方根。",
            },
        ),
        Wrong(
            _clip(
                grads="parameters = list(parameters)\n    " + HELD["grads"],
                cut="with torch.no_grad():\n        for p in parameters:\n            p *= min(1.0, max_norm / norm)",
            ),
            {
                "en": "The weights are moved by the optimizer, later. What is made smaller is `p.grad`.",
                "zh": "移动权重的是优化器，在后面。要缩小的是 `p.grad`。",
            },
        ),
        *[
            Wrong(_clip(**other), USED_UP)
            for other in (
                dict(cut=CUT.replace("grad in grads", "p in parameters").replace("grad *=", "p.grad *=")),
                dict(norm="sum((p.grad**2).sum().item() for p in parameters) ** 0.5"),
            )
        ],
        Wrong(_clip(grads="grads = [p.grad for p in parameters]"), LEFT_OUT),
        Wrong(
            _clip(cut=CUT.replace("grad *= max_norm / norm", "grad.fill_(max_norm)")),
            {
                "en": "That sets every number to `max_norm`, and nothing is left of the direction. Multiply: all by "
                "one factor.",
                "zh": "这把每个数都设成 `max_norm`，方向全没了。要相乘：全部乘以同一个因子。",
            },
        ),
        Wrong(
            _clip(cut=CUT.replace("grad *= max_norm / norm", "grad.zero_()")),
            {
                "en": "Clipping shortens, and throws nothing away. By which factor does `norm` become `max_norm`?",
                "zh": "剪裁只是缩短，什么也不扔掉。乘以哪个因子，`norm` 才变成 `max_norm`？",
            },
        ),
        Wrong(
            _clip(cut=CUT.replace("grad *= max_norm / norm", "grad -= norm - max_norm")),
            {
                "en": "The same amount off every number turns the direction. Multiply: all by one factor.",
                "zh": "每个数减去同样多，方向就变了。要相乘：全部乘以同一个因子。",
            },
        ),
        Wrong(
            _clip(cut="if norm > max_norm:\n        grads *= max_norm / norm"),
            {
                "en": "`grads` is a Python list. Each gradient in it has to be multiplied: a loop.",
                "zh": "`grads` 是 Python 列表。要把其中每个梯度都乘一遍：用循环。",
            },
        ),
        Wrong(
            _clip(norm="max((grad**2).sum().item() ** 0.5 for grad in grads)"),
            {
                "en": "That is the largest of the norms. One norm is asked for, of all gradients together: the root of "
                "the sum of all squares.",
                "zh": "那是各个范数中最大的。要的是所有梯度合在一起的一个范数：全部平方之和的平方根。",
            },
        ),
        Wrong(
            _clip(cut=CUT.replace("/ norm", "/ sum((each**2).sum().item() for each in grads) ** 0.5")),
            {
                "en": "The norm is computed anew for each gradient, and some of them have been made smaller by then. "
                "One norm, taken before: `norm`.",
                "zh": "每个梯度都重新算了一次范数，而那时有的梯度已经缩小了。只用一个事先算好的范数：`norm`。",
            },
        ),
        Wrong(
            _clip(norm=f"min({HELD['norm']}, max_norm)"),
            {
                "en": "`norm` is to stay what was found. What becomes smaller is the gradients.",
                "zh": "`norm` 要保持求得的样子。变小的是梯度。",
            },
        ),
        Wrong(
            _clip(norm="torch.norm(grads)"),
            {
                "en": "`grads` is a list, of gradients with shapes of their own. Take the squares of each, and add.",
                "zh": "`grads` 是列表，里面的梯度形状各不相同。取每个的平方，再相加。",
            },
        ),
        Wrong(
            _clip(norm=HELD["norm"] + " / len(grads)"),
            {
                "en": "The root of the sum of all squares is the norm. It isn't divided by anything.",
                "zh": "全部平方之和的平方根就是范数，不再除以什么。",
            },
        ),
        Wrong(
            _clip(norm="sum((grad**2).sum().item() ** 0.5 for grad in grads) / len(grads)"),
            {
                "en": "That is the mean of the norms. One norm is asked for, of all gradients together: the root of "
                "the sum of all squares.",
                "zh": "那是各个范数的平均。要的是所有梯度合在一起的一个范数：全部平方之和的平方根。",
            },
        ),
        Wrong(
            _clip(cut=CUT.replace("*= max_norm / norm", "/= max_norm")),
            {
                "en": "Divided by `max_norm`, the norm becomes `norm / max_norm`. It is to become `max_norm`: by which "
                "factor?",
                "zh": "除以 `max_norm`，范数变成 `norm / max_norm`。要变成的是 `max_norm`：乘以哪个因子？",
            },
        ),
        Wrong(
            _clip(result="min(norm, max_norm)"),
            {
                "en": "The gradients are right. What is returned is the norm as it was, so that one can watch it.",
                "zh": "梯度对了。要返回的是原来的范数，好让人观察它。",
            },
        ),
    ],
    because={
        "en": "The direction is kept, and no step of plain SGD is longer than the learning rate times `max_norm`. "
        "`clip_grad_norm_` does the same.",
        "zh": "方向不变，而且普通 SGD 没有一步长过学习率乘以 `max_norm`。`clip_grad_norm_` 做的正是这件事。",
    },
)


# -- where clipping goes --


def _steep(torch, random):
    """Pieces whose gradients are too long, and then pieces that turn, where gradients of old turns would be noticed."""
    numbers = [1.0, -2.0, float(random.normal()), 0.1, -0.2, 0.1]
    targets = [-5.0, -5.0, -5.0, 1.0, -1.0, 1.0]
    yield ([(torch.tensor([[10.0 * a]]), torch.tensor([[b]])) for a, b in zip(numbers, targets, strict=True)],)


def _losses(given, torch, pieces):
    torch.manual_seed(1)
    net = torch.nn.Linear(1, 1)
    return given(net, torch.optim.SGD(net.parameters(), lr=0.1), pieces)


LOOP = """
def train(net, optimizer, pieces):
    losses = []
    for x, y in pieces:
        loss = {loss}
        {first}optimizer.zero_grad()
        {second}loss.backward()
        {third}optimizer.step()
        {last}losses.append(loss.item())
    return losses
"""
CALL = "nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n        "
PLAIN = dict(loss="((net(x) - y) ** 2).mean()", first="", second="", third="", last="")
ZERO = "optimizer.zero_grad()\n        "
PILED_UP = {
    "en": "The place is right. But without `zero_grad` the gradients of earlier pieces are still there, and are used "
    "again.",
    "zh": "位置对了。但没有 `zero_grad`，前面几段的梯度还在那里，又被用一次。",
}
NOTHING_TO_CLIP = {
    "en": "The losses are what they were. When it is called there, which gradients are there to be clipped? `step` "
    "uses "
    "those that `backward` brings.",
    "zh": "损失和原来一样。在那里调用时，有什么梯度可剪？`step` 用的是 `backward` 带来的那些。",
}

NO_CLIP = {
    "en": "Now nothing is clipped at all, and the losses are what they were. The call of `clip_grad_norm_` is needed, "
    "but in another place.",
    "zh": "现在完全没有剪裁，损失和原来一样。`clip_grad_norm_` 的调用是需要的，只是要换个地方。",
}
NOTHING_TO_USE = {
    "en": "The weights do not move: when `step` is called, there is no gradient, either not yet or no more. Which line "
    "brings it, and which one throws it away?",
    "zh": "权重不动：调用 `step` 时没有梯度，要么还没有，要么已经没了。哪一行带来它，哪一行扔掉它？",
}
STEP = "optimizer.step()\n        "

clip_in_time = function(
    "clip_in_time",
    task={
        "en": "Mend `train`: it clips, and yet its steps are as long as ever.",
        "zh": "改好 `train`：它剪裁了，步子却还是那么长。",
    },
    setup="nn = torch.nn",
    gap=LOOP.format(**{**PLAIN, "second": CALL}),
    solution=LOOP.format(**{**PLAIN, "third": CALL}),
    points=_steep,
    run=_losses,
    where={"en": "The losses of six steps", "zh": "六步的损失"},
    may_change=True,
    silent=True,
    hints=[
        {
            "en": "`clip_grad_norm_` returns the norm that it found. Print it.",
            "zh": "`clip_grad_norm_` 会返回它发现的范数。打印出来。",
        },
        {
            "en": "Between which two lines are the gradients of this turn there, and not yet used?",
            "zh": "在哪两行之间，这一轮的梯度已经有了，又还没被用掉？",
        },
        {
            "en": "Between `loss.backward()` and `optimizer.step()`.",
            "zh": "在 `loss.backward()` 和 `optimizer.step()` 之间。",
        },
    ],
    wrong=[
        Wrong(
            LOOP.format(**{**PLAIN, "third": "nn.utils.clip_grad_value_(net.parameters(), 1.0)\n        "}),
            {
                "en": "The place is right. But `clip_grad_value_` cuts each number by itself, and turns the direction.",
                "zh": "位置对了。但 `clip_grad_value_` 把每个数各剪各的，方向就变了。",
            },
        ),
        Wrong(
            LOOP.format(**{**PLAIN, "loss": "((net(x) - y) ** 2).mean().clamp(max=1.0)"}),
            {
                "en": "A loss that is cut off has slope 0: nothing moves any more.",
                "zh": "被截断的损失斜率是 0：什么都不动了。",
            },
        ),
        Wrong(
            LOOP.format(**{**PLAIN, "third": 'optimizer.param_groups[0]["lr"] = 0.001\n        '}),
            {
                "en": "That makes every step shorter, those as well that were short already. Clipping shortens only "
                "the "
                "long ones.",
                "zh": "那把每一步都缩短了，连本来就短的也是。剪裁只缩短长的。",
            },
            uses="param_groups",
            anyhow=True,
        ),
        Wrong(LOOP.replace(ZERO, "").format(**{**PLAIN, "third": CALL}), PILED_UP),
        *[
            Wrong(code.format(**{**PLAIN, "third": third}), NOTHING_TO_USE, uses="step")
            for code, third in (
                (LOOP.replace(ZERO, ""), CALL + ZERO),
                (LOOP.replace(ZERO, ""), ZERO + CALL),
                (LOOP.replace(STEP, "").replace("{second}", STEP + "{second}"), CALL),
            )
        ],
        Wrong(
            LOOP.replace(STEP, "").format(**{**PLAIN, "third": CALL}),
            {
                "en": "The weights do not move: without `step` nobody uses the gradients.",
                "zh": "权重不动：没有 `step`，就没有人使用梯度。",
            },
        ),
        Wrong(
            LOOP.replace(STEP, "").format(**{**PLAIN, "first": STEP, "third": CALL}),
            {
                "en": "It is clipped, but each `step` takes the gradient of the piece before, for that of its own "
                "piece comes only afterwards.",
                "zh": "剪裁了，但每次 `step` 用的是前一段的梯度，因为这一段的梯度之后才来。",
            },
        ),
        *[
            Wrong(LOOP.format(**{**PLAIN, place: CALL}), NOTHING_TO_CLIP, uses="clip_grad_norm_")
            for place in ("first", "last")
        ],
        Wrong(LOOP.format(**PLAIN), NO_CLIP),
        *[
            Wrong(
                LOOP.format(**{**PLAIN, "third": CALL.replace("1.0", norm)}),
                {
                    "en": f"The place is right. But the norm was to be 1 at most, as before, and here it is {norm}.",
                    "zh": f"位置对了。但范数应和原来一样最多为 1，这里却是 {norm}。",
                },
            )
            for norm in ("0.01", "0.1", "0.5", "2.0", "5.0", "10.0", "100.0")
        ],
    ],
    because={
        "en": "Backward brings the gradients, clipping shortens them, the step uses them.",
        "zh": "反向带来梯度，剪裁缩短它们，走步使用它们。",
    },
)


probe(
    8,
    "one weight a step",
    before=Ask(
        ask={
            "en": "w is used three times: y = w · w · w. What is the slope ∂y/∂w at w = 0.9?",
            "zh": "w 用了三次：y = w · w · w。在 w = 0.9 处斜率 ∂y/∂w 是多少？",
        },
        choices={
            "0.81": {
                "en": "That is what one use brings. There are three.",
                "zh": "那是用一次带来的。一共三次。",
            },
            "2.43": {
                "en": "Each of three uses brings 0.9 · 0.9, and they add up.",
                "zh": "三次使用各带来 0.9 · 0.9，相加。",
            },
            "0.729": {
                "en": "That is y itself.",
                "zh": "那是 y 本身。",
            },
            "2.7": {
                "en": "Each use brings the other two, multiplied: 0.81, not 0.9.",
                "zh": "每次使用带来的是另外两个相乘：0.81，不是 0.9。",
            },
        },
        right="2.43",
        proof="w = torch.tensor(0.9, requires_grad=True)\n(w * w * w).backward()\nanswer = f'{w.grad.item():g}'",
    ),
    after=Ask(
        ask={
            "en": "h = 3, then three times h = u · h, at u = 2. That makes 24. What is ∂h/∂u?",
            "zh": "h = 3，然后三次 h = u · h，u = 2。结果是 24。∂h/∂u 是多少？",
        },
        choices={
            "12": {
                "en": "That is what one of the three arrows brings.",
                "zh": "那是三条箭头中一条带来的。",
            },
            "36": {
                "en": "Three arrows into u, and each brings 3 · 2 · 2 = 12.",
                "zh": "三条箭头通向 u，各带来 3 · 2 · 2 = 12。",
            },
            "4": {
                "en": "That is u · u. And the 3 that h began with, and the other two arrows?",
                "zh": "那是 u · u。h 开始时的 3 呢，还有另外两条箭头呢？",
            },
            "24": {
                "en": "That is h itself.",
                "zh": "那是 h 本身。",
            },
        },
        right="36",
        proof="""
u = torch.tensor(2.0, requires_grad=True)
h = torch.tensor(3.0)
for _ in range(3):
    h = u * h
h.backward()
answer = f"{u.grad.item():g}"
""",
    ),
)

probe(
    8,
    "factors shrink little",
    before=Ask(
        ask={
            "en": "On its way back a gradient is halved at each of 30 time steps. What is left of it?",
            "zh": "梯度往回走，在 30 个时间步中每一步都减半。还剩多少？",
        },
        choices={
            "a sixtieth": {
                "en": "Factors multiply: ½ · ½ · ½ …, thirty times.",
                "zh": "因子相乘：½ · ½ · ½ ……，三十次。",
            },
            "a thousandth": {
                "en": "That is what ten time steps leave. And the other twenty?",
                "zh": "那是十个时间步之后。另外二十个呢？",
            },
            "a billionth": {
                "en": "½ to the power of 30: 0.0000000009.",
                "zh": "½ 的 30 次方：0.0000000009。",
            },
        },
        right="a billionth",
        labels={
            "a sixtieth": {"en": "a sixtieth", "zh": "六十分之一"},
            "a thousandth": {"en": "a thousandth", "zh": "千分之一"},
            "a billionth": {"en": "a billionth", "zh": "十亿分之一"},
        },
        proof="answer = 'a billionth' if 5e-10 < (torch.tensor(0.5) ** 30).item() < 2e-9 else 'another'",
    ),
    after=Ask(
        ask={
            "en": "A state goes through h = tanh(u · h) twenty times, with u = 2. It begins at 0, and so stays 0. How "
            "large is the gradient at the first state, compared to that at the last?",
            "zh": "状态二十次经过 h = tanh(u · h)，u = 2。它从 0 开始，所以一直是 0。"
            "第一个状态的梯度与最后一个的相比有多大？",
        },
        choices={
            "a millionth": {
                "en": "How steep is tanh at 0? And the u before it?",
                "zh": "tanh 在 0 处有多陡？它前面的 u 呢？",
            },
            "40 times": {
                "en": "Factors multiply: 2 · 2 · 2 …, twenty times.",
                "zh": "因子相乘：2 · 2 · 2 ……，二十次。",
            },
            "a million times": {
                "en": "At 0 tanh has slope 1, so each time step doubles: 2 to the power of 20.",
                "zh": "在 0 处 tanh 的斜率是 1，所以每步翻倍：2 的 20 次方。",
            },
            "as much as left": {
                "en": "So it would be at u = 1.",
                "zh": "u = 1 时才是这样。",
            },
        },
        right="a million times",
        labels={
            "a millionth": {"en": "a millionth of it", "zh": "百万分之一"},
            "40 times": {"en": "40 times as large", "zh": "40 倍"},
            "a million times": {"en": "a million times as large", "zh": "一百万倍"},
            "as much as left": {"en": "just as large", "zh": "一样大"},
        },
        proof="""
first = torch.tensor(0.0, requires_grad=True)
h = first
for _ in range(20):
    h = torch.tanh(2 * h)
h.backward()
answer = "a million times" if 9e5 < first.grad.item() < 1.1e6 else "another"
""",
    ),
)

probe(
    8,
    "clipping cuts each number",
    before=Ask(
        ask={
            "en": "A gradient is (30, 40). Its norm is clipped to 5. What is it then?",
            "zh": "一个梯度是 (30, 40)。把它的范数剪裁到 5。之后是多少？",
        },
        choices={
            "(5, 5)": {
                "en": "That cuts each number by itself, and its norm is 7.07.",
                "zh": "那是每个数各剪各的，范数是 7.07。",
            },
            "(3, 4)": {
                "en": "Its norm, 50, has become 5: a tenth of each, in the same direction.",
                "zh": "范数从 50 变成 5：每个取十分之一，方向不变。",
            },
            "(30, 5)": {
                "en": "Both are made smaller, by the same factor.",
                "zh": "两个都用同一个因子缩小。",
            },
            "(0, 0)": {
                "en": "Clipping shortens; it throws nothing away.",
                "zh": "剪裁只是缩短，什么也不扔掉。",
            },
        },
        right="(3, 4)",
        proof="""
w = torch.zeros(2, requires_grad=True)
w.grad = torch.tensor([30.0, 40.0])
torch.nn.utils.clip_grad_norm_([w], 5.0)
answer = "({:.3g}, {:.3g})".format(*w.grad.tolist())
""",
    ),
    after=Ask(
        ask={
            "en": "Two weights have the gradients 6 and 8. `clip_grad_norm_([a, b], 5)`: what are they then?",
            "zh": "两个权重的梯度是 6 和 8。`clip_grad_norm_([a, b], 5)` 之后是多少？",
        },
        choices={
            "5 and 5": {
                "en": "Each by itself? One norm, of both together, and one factor.",
                "zh": "各剪各的？应当是合在一起的一个范数，和一个因子。",
            },
            "3 and 4": {
                "en": "Together their norm is 10, so both are halved.",
                "zh": "合在一起范数是 10，所以都减半。",
            },
            "6 and 8": {
                "en": "Together their norm is 10.",
                "zh": "合在一起范数是 10。",
            },
        },
        right="3 and 4",
        labels={
            "5 and 5": {"en": "5 and 5", "zh": "5 和 5"},
            "3 and 4": {"en": "3 and 4", "zh": "3 和 4"},
            "6 and 8": {"en": "6 and 8", "zh": "6 和 8"},
        },
        proof="""
a, b = (torch.zeros(1, requires_grad=True) for _ in range(2))
a.grad, b.grad = torch.tensor([6.0]), torch.tensor([8.0])
torch.nn.utils.clip_grad_norm_([a, b], 5.0)
answer = f"{a.grad.item():.3g} and {b.grad.item():.3g}"
""",
    ),
)
