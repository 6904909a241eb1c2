"""Lesson 7, your own operator: ReLU's backward, written before any is shown; an operator of the reader's choice; and
one with an argument that is no tensor, to be mended."""

import numpy as np

from ..ask import Ask, probe
from ..compare import brief
from ..task import Wrong, applied, function, operator


def _points(torch, random):
    yield torch.tensor([-2.0, 3.0]), torch.tensor([5.0, -2.0])
    for size in (1, 3, 8):
        h = random.uniform(0.1, 3.0, size) * random.choice([-1.0, 1.0], size)  # away from the kink
        yield torch.tensor(h), torch.tensor(random.normal(size=size))


def _and_what_arrived(given, torch, h, upstream):
    """Value and gradient, and what backward has left of what it was given."""
    kept: list = []
    h = h.detach().clone().requires_grad_()
    y = applied(given, h)
    y.register_hook(kept.append)
    y.backward(upstream.clone())
    return {"value": y.detach(), "gradient": h.grad, "arrived": kept[0]}


HEAD = """
class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        return h.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (h,) = ctx.saved_tensors
        """

relu_backward = operator(
    "relu_backward",
    task={
        "en": "Write ReLU's backward: from `grad_output`, which arrives, make the gradient of `h`.",
        "zh": "写出 ReLU 的 backward：由到来的 `grad_output` 得出 `h` 的梯度。",
    },
    gap=HEAD + "...",
    solution=HEAD + "return grad_output * (h > 0)",
    points=_points,
    run=_and_what_arrived,
    parts={"arrived": {"en": "`grad_output` afterwards still to be", "zh": "之后的 `grad_output`"}},
    hints=[
        {
            "en": "What is the slope of ReLU where h is 3? And where h is −2?",
            "zh": "h 是 3 时 ReLU 的斜率是多少？h 是 −2 时呢？",
        },
        {
            "en": "Backward hands on what arrives × the slope. What arrives here is `grad_output`.",
            "zh": "backward 交出去的是：到来的 × 斜率。这里到来的是 `grad_output`。",
        },
        {
            "en": "`h > 0` is True where the slope is 1. A tensor times a tensor of truths works: True counts as 1.",
            "zh": "斜率是 1 的地方 `h > 0` 为 True。张量可以乘真假张量：True 算作 1。",
        },
    ],
    wrong=[
        Wrong(
            HEAD + "return (h > 0) * 1.0",
            {
                "en": "That is the slope alone. What arrived from above?",
                "zh": "这只是斜率。从上面到来的是什么？",
            },
        ),
        Wrong(
            HEAD + "return grad_output",
            {
                "en": "All of it is handed on. What is the slope where h is below 0?",
                "zh": "全都交了出去。h 小于 0 时斜率是多少？",
            },
        ),
        Wrong(
            HEAD + "return grad_output.clamp(min=0)",
            {
                "en": "This looks at the sign of what arrives. Whose sign decides, that of `grad_output` or that of "
                "`h`?",
                "zh": "这看的是到来的东西的符号。由谁的符号决定：`grad_output` 的，还是 `h` 的？",
            },
        ),
        Wrong(
            HEAD + "return grad_output if h > 0 else 0 * grad_output",
            {
                "en": "`h` holds several numbers, and `if` decides once for all of them. `h > 0` asks each: it is a "
                "tensor, too, and can be multiplied.",
                "zh": "`h` 里有好几个数，而 `if` 只为它们全体决定一次。`h > 0` 对每个数都问：它也是张量，可以拿来乘。",
            },
        ),
        Wrong(
            HEAD + "grad_output[h < 0] = 0\n        return grad_output",
            {
                "en": "The right numbers, written over what arrived. That is not yours: another operator may be handed "
                "the same tensor. Make a new one.",
                "zh": "数对了，但写在了到来的张量上。那不是你的：别的算子可能拿到同一个张量。请另造一个新的。",
            },
        ),
        Wrong(
            HEAD + "return grad_output * h.clamp(min=0)",
            {
                "en": "That multiplies by ReLU's value. What is its slope?",
                "zh": "这乘的是 ReLU 的值。它的斜率是多少？",
            },
        ),
    ],
    because={
        "en": "Where h is positive the gradient passes, where it is negative it stops. At 0 the choice was yours.",
        "zh": "h 为正，梯度通过；h 为负，梯度停下。在 0 处由你决定。",
    },
)


UPSTREAM = [5.0, -2.0, 1.0]


def _away_from_corners(torch, random):
    yield (torch.tensor([1.5, -0.75, 0.5], dtype=torch.float64),)
    yield (torch.tensor(random.uniform(0.2, 2.0, 3) * [1, -1, 1], dtype=torch.float64),)


class Beside(dict):
    """What backward hands on, divided by the slopes that nudging measures: 1 everywhere, or what arrives from above.

    measured, handed: for each of these, what backward ought to have handed on, and what it did.
    """

    measured: dict
    handed: dict


def _measured(given, h):
    """The slopes of the reader's forward at h, by nudging."""
    eps = 1e-6
    one, other = (applied(given, h.detach() + nudge).detach().numpy() for nudge in (eps, -eps))
    if one.shape != tuple(h.shape):
        raise ValueError(f"forward was given {tuple(h.shape)} numbers and made {one.shape}: one for each, please")
    alone = h.detach().clone()
    alone[0] += 0.01
    if not np.allclose(
        applied(given, alone).detach().numpy()[1:], applied(given, h.detach()).detach().numpy()[1:], equal_nan=True
    ):
        raise ValueError("when one number of h is nudged, others move in the result: make each of its own number alone")
    return (one - other) / (2 * eps)


def _beside_the_measurement(given, torch, h):
    measured = _measured(given, h)
    there = np.isfinite(measured)  # √ and log are nowhere below 0, so they have no slope there
    if not there.any():
        raise ValueError(f"forward makes {applied(given, h)} of {h}: no number to measure a slope with")
    told = Beside()
    told.measured, told.handed = {}, {}
    for name, upstream in (("plain", np.ones(3)), ("arrives", np.array(UPSTREAM))):
        leaf = h.detach().clone().requires_grad_()
        applied(given, leaf).backward(torch.tensor(upstream, dtype=h.dtype))
        if leaf.grad is None:
            return {"plain": None}
        wanted, handed = measured * upstream, leaf.grad.numpy()
        right = ~there | (np.abs(handed - wanted) < 1e-5)
        ratio = np.where(right, 1, handed * upstream / np.where(np.abs(wanted) < 1e-7, np.nan, wanted))
        told[name] = [round(float(each), 4) for each in np.where(right, upstream, ratio)]
        told.measured[name] = [round(float(each), 4) for each in wanted]
        told.handed[name] = [round(float(each), 4) for each in handed]
    return told


def _slopes_side_by_side(told):
    """The measured slopes and the reader's, where these are not the same."""
    if not isinstance(told, Beside):
        return {
            "en": "your backward handed on None. Does it `return` its result?",
            "zh": "你的 backward 交出的是 None。它 `return` 结果了吗？",
        }
    plain = told["plain"] != [1, 1, 1]
    name = "plain" if plain else "arrives"
    wanted, handed = (f"`{brief(numbers[name])}`" for numbers in (told.measured, told.handed))
    if plain:
        return {
            "en": f"nudging measures the slopes {wanted}, your backward says {handed}.",
            "zh": f"推动测得的斜率是 {wanted}，你的 backward 说的是 {handed}。",
        }
    return {
        "en": f"where `[5, −2, 1]` arrives, {wanted} are to be handed on: what arrives × the measured slope. Your "
        f"backward handed on {handed}.",
        "zh": f"到来的是 `[5, −2, 1]` 时，应交出 {wanted}：到来的 × 测得的斜率。你的 backward 交出了 {handed}。",
    }


SQUARE = {
    "en": "Right, and it is the square, which is above already. Now another one.",
    "zh": "对，但这就是上面的平方。换一个吧。",
}
STRAIGHT = {
    "en": "Right, but its slope is the same everywhere. Choose one whose slope depends on h.",
    "zh": "对，但它的斜率处处相同。选一个斜率随 h 变化的。",
}


def _is_another(given, torch, random):
    h = torch.tensor([1.5, -0.75, 0.5, 0.9, 0.25], dtype=torch.float64)
    if np.allclose(applied(given, h).detach().numpy(), (h * h).numpy()):
        return SQUARE
    slopes = _measured(given, h)
    return STRAIGHT if np.ptp(slopes[np.isfinite(slopes)]) < 1e-4 else None


OWN = """
class MyOperator(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        """
BACK = """

    @staticmethod
    def backward(ctx, grad_output):
        (h,) = ctx.saved_tensors
        """

own_operator = function(
    "own_operator",
    task={
        "en": "An operator of your own choice: abs, sin, softplus … Write both functions. It makes one number of each "
        "number, and its slopes are compared with what nudging measures.",
        "zh": "自选一个算子：abs、sin、softplus…… 写出两个函数。它把每个数变成一个数，斜率会与推动测得的比较。",
    },
    gap=OWN + "..." + BACK + "...",
    solution=OWN + "return h * h * h" + BACK + "return grad_output * 3 * h * h",
    points=_away_from_corners,
    run=_beside_the_measurement,
    tell=_slopes_side_by_side,
    verify=_is_another,
    rel=1e-3,
    near=1e-3,
    hints=[
        {
            "en": "What is the slope of your operator at h = 2? Nudge it there, as in lesson 1.",
            "zh": "你的算子在 h = 2 处斜率是多少？像第 1 课那样推动它。",
        },
        {
            "en": "backward hands on what arrives × that slope, and what arrives is `grad_output`.",
            "zh": "backward 交出去的是到来的 × 这个斜率，而到来的就是 `grad_output`。",
        },
        {
            "en": "For h · h · h: forward returns `h * h * h`, backward returns `grad_output * 3 * h * h`.",
            "zh": "对 h · h · h：forward 返回 `h * h * h`，backward 返回 `grad_output * 3 * h * h`。",
        },
    ],
    wrong=[
        Wrong(
            OWN + "return h * h" + BACK + "return 2 * h",
            {
                "en": "The slope is right. But what arrived from above?",
                "zh": "斜率对了。但从上面到来的是什么？",
            },
        ),
        Wrong(
            OWN + "return h * h" + BACK + "return grad_output * h",
            {
                "en": "Half of what nudging measures, everywhere: is there a factor 2 missing?",
                "zh": "处处只有推动测得的一半：是不是少了因子 2？",
            },
        ),
        Wrong(
            OWN + "return h * h" + BACK + "return -grad_output * 2 * h",
            {
                "en": "The right size and the wrong sign: which way does your operator go when h grows?",
                "zh": "大小对了，符号错了：h 变大时，你的算子朝哪边走？",
            },
        ),
        Wrong(OWN + "return h * h" + BACK + "return grad_output * 2 * h", SQUARE),
        Wrong(OWN + "return 2 * h" + BACK + "return grad_output * 2", STRAIGHT),
        Wrong(
            OWN + "return h * h * h" + BACK + "return grad_output * h * h * h",
            {
                "en": "That hands on the value of your operator. What is its slope?",
                "zh": "这交出的是你的算子的值。它的斜率是多少？",
            },
        ),
    ],
    because={
        "en": "Nudging measures what your backward says, whatever arrives from above.",
        "zh": "不论从上面到来什么，推动测得的都和你的 backward 说的一样。",
    },
)


def _with_leak(torch, random):
    yield torch.tensor([-2.0, 3.0]), 0.1
    h = random.uniform(0.1, 3.0, 4) * random.choice([-1.0, 1.0], 4)
    yield torch.tensor(h), float(random.uniform(0.2, 0.9))


def _leaking(given, torch, h, leak):
    h = h.detach().clone().requires_grad_()
    y = given.apply(h, leak)
    (y * y).sum().backward()
    return {"value": y.detach(), "gradient": h.grad}


LEAKY = """
class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, leak):
        """
SAVED = """ctx.save_for_backward(input)
        ctx.leak = leak
        return torch.where(input < 0, leak * input, input)"""
BELOW = """

    @staticmethod
    def backward(ctx, grad_output):
        """

leaky_relu = function(
    "leaky_relu",
    task={
        "en": "Mend `LeakyReLU`: there are two mistakes in it, and each one's error says what is wrong.",
        "zh": "改好 `LeakyReLU`：其中有两处错误，每个错误的报错都说明了问题所在。",
    },
    gap=LEAKY
    + """ctx.save_for_backward(input, leak)
        return torch.where(input < 0, leak * input, input)"""
    + BELOW
    + """input, leak = ctx.saved_tensors
        return torch.where(input < 0, leak * grad_output, grad_output)""",
    solution=LEAKY
    + SAVED
    + BELOW
    + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak * grad_output, grad_output), None""",
    points=_with_leak,
    run=_leaking,
    hints=[
        {
            "en": "`save_for_backward` takes tensors only. Where else can a number be kept? `ctx` is a Python object.",
            "zh": "`save_for_backward` 只接受张量。一个数还能存在哪里？`ctx` 是一个 Python 对象。",
        },
        {
            "en": "`ctx.leak = leak` in forward, `ctx.leak` in backward.",
            "zh": "forward 里写 `ctx.leak = leak`，backward 里用 `ctx.leak`。",
        },
        {
            "en": "forward has two arguments, so backward returns two values. What has no gradient gets `None`.",
            "zh": "forward 有两个参数，所以 backward 要返回两个值。没有梯度的返回 `None`。",
        },
    ],
    wrong=[
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """input, leak = ctx.saved_tensors
        return torch.where(input < 0, leak * grad_output, grad_output), None""",
            {
                "en": "forward now saves one tensor, and backward still takes two out: `(input,) = ctx.saved_tensors`. "
                "Where is the leak kept?",
                "zh": "forward 现在只存了一个张量，而 backward 仍取出两个：`(input,) = ctx.saved_tensors`。"
                "leak 存在哪里？",
            },
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """input = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak * grad_output, grad_output), None""",
            {
                "en": "`ctx.saved_tensors` is a tuple, also where it holds one tensor. A comma takes that one out: "
                "`(input,) = …`.",
                "zh": "`ctx.saved_tensors` 是元组，即使里面只有一个张量。加一个逗号就能取出它：`(input,) = …`。",
            },
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, leak * grad_output, grad_output), None""",
            {
                "en": "`leak` is a name of forward's. What both are to know stands on `ctx`: `ctx.leak`.",
                "zh": "`leak` 是 forward 里的名字。两边都要知道的东西放在 `ctx` 上：`ctx.leak`。",
            },
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak * grad_output, grad_output)""",
            {
                "en": "forward has two arguments, input and leak. How many values does backward return?",
                "zh": "forward 有两个参数：input 和 leak。backward 返回了几个值？",
            },
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak, 1.0), None""",
            {
                "en": "That is the slope alone. What arrived from above?",
                "zh": "这只是斜率。从上面到来的是什么？",
            },
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, 0 * grad_output, grad_output), None""",
            {
                "en": "Below 0 that is ReLU's slope. This one lets a little through there.",
                "zh": "在 0 以下这是 ReLU 的斜率。而这个算子在那里会漏过去一点。",
            },
        ),
    ],
    because={
        "en": "backward answers for each argument of forward. `leak` came as a number, so it gets `None`, wherever you "
        "kept it meanwhile.",
        "zh": "backward 要为 forward 的每个参数作答。`leak` 是作为数传入的，所以得到 `None`，不管你把它存在哪里。",
    },
)

probe(
    7,
    "autograd knows the slope",
    before=Ask(
        ask={
            "en": "Somebody writes an operator that computes h·h, and in its `backward` forgets the factor 2. What "
            "happens at `y.backward()`?",
            "zh": "有人写了一个计算 h·h 的算子，在 `backward` 里忘了因子 2。执行 `y.backward()` 会怎样？",
        },
        choices={
            "an error": {
                "en": "Nobody compares backward with forward, so nobody can complain.",
                "zh": "没有人拿 backward 和 forward 比较，所以没有人会抱怨。",
            },
            "half the gradient": {
                "en": "Autograd takes your backward's word.",
                "zh": "你的 backward 怎么说，autograd 就怎么信。",
            },
            "the right gradient": {
                "en": "PyTorch cannot read the slope out of your forward.",
                "zh": "PyTorch 无法从你的 forward 里读出斜率。",
            },
        },
        right="half the gradient",
        labels={
            "an error": {"en": "an error", "zh": "报错"},
            "half the gradient": {"en": "half the gradient", "zh": "一半的梯度"},
            "the right gradient": {"en": "the right gradient", "zh": "正确的梯度"},
        },
        proof="""
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        return h * h

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.saved_tensors[0]

h = torch.tensor(3.0, requires_grad=True)
Square.apply(h).backward()
answer = {3.0: "half the gradient", 6.0: "the right gradient"}[h.grad.item()]
""",
    ),
    after=Ask(
        ask={
            "en": "Your operator computes sin, and its `backward` returns `grad_output` alone. What is `h.grad` at h = "
            "0?",
            "zh": "你的算子计算 sin，而它的 `backward` 只返回 `grad_output`。在 h = 0 处 `h.grad` 是多少？",
        },
        choices={
            "1": {
                "en": "The slope of sin at 0 happens to be 1: right by luck. At another h it is wrong, without a word.",
                "zh": "sin 在 0 处的斜率恰好是 1：碰巧对了。在别的 h 处就错了，而且一声不响。",
            },
            "0": {
                "en": "sin is 0 there, but what backward hands on is what it was given: 1.",
                "zh": "sin 在那里是 0，但 backward 交出去的是它得到的：1。",
            },
            "an error": {
                "en": "Autograd takes backward's word.",
                "zh": "backward 怎么说，autograd 就怎么信。",
            },
        },
        right="1",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="""
class Sin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        return h.sin()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output

h = torch.tensor(0.0, requires_grad=True)
Sin.apply(h).backward()
answer = f"{h.grad.item():g}"
""",
    ),
)

probe(
    7,
    "an operator's backward returns its slope",
    before=Ask(
        ask={
            "en": "relu lets a positive number pass and makes 0 of a negative one. h = 3, y = relu(h) and L = 5 · y. "
            "What does relu's backward hand to h?",
            "zh": "relu 让正数通过，把负数变成 0。h = 3，y = relu(h)，L = 5 · y。relu 的 backward 把什么交给 h？",
        },
        choices={
            "1": {
                "en": "That is relu's own slope. What reached relu from L?",
                "zh": "这是 relu 自己的斜率。从 L 传到 relu 的是什么？",
            },
            "3": {
                "en": "That is the value of h.",
                "zh": "这是 h 的值。",
            },
            "5": {
                "en": "5 arrives from L, times relu's slope, 1.",
                "zh": "从 L 到来 5，乘以 relu 的斜率 1。",
            },
            "15": {
                "en": "That is L itself.",
                "zh": "这是 L 本身。",
            },
        },
        right="5",
        proof="""
h = torch.tensor(3.0, requires_grad=True)
(5 * torch.relu(h)).backward()
answer = f"{h.grad.item():g}"
""",
    ),
    after=Ask(
        ask={
            "en": "y = h · h at h = 3, and L = 10 · y. What does the square's backward hand to h?",
            "zh": "h = 3 处 y = h · h，L = 10 · y。平方的 backward 把什么交给 h？",
        },
        choices={
            "6": {
                "en": "That is the square's own slope. What arrives from L?",
                "zh": "这是平方自己的斜率。从 L 到来的是什么？",
            },
            "10": {
                "en": "That is what arrives. It is multiplied by the slope.",
                "zh": "这是到来的。它还要乘以斜率。",
            },
            "16": {
                "en": "They multiply: upstream × slope.",
                "zh": "是相乘：到来的 × 斜率。",
            },
            "60": {
                "en": "10 arrives, times the slope 6.",
                "zh": "到来 10，乘以斜率 6。",
            },
        },
        right="60",
        proof="""
h = torch.tensor(3.0, requires_grad=True)
(10 * (h * h)).backward()
answer = f"{h.grad.item():g}"
""",
    ),
)
