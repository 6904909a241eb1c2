"""Lesson 7, your own operator: ReLU's backward, written before any is shown; an operator of the reader's choice; and
one with an argument that is no tensor, to be mended."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, applied, function, operator


def _points(torch, random):
    yield torch.tensor([-2.0, 3.0]), torch.tensor([5.0, -2.0])
    for size in (1, 3, 8):
        h = random.uniform(0.1, 3.0, size) * random.choice([-1.0, 1.0], size)  # away from the kink
        yield torch.tensor(h), torch.tensor(random.normal(size=size))


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
    hints=[
        "What is the slope of ReLU where h is 3? And where h is −2?",
        "Backward hands on what arrives × the slope. What arrives here is `grad_output`.",
        "`h > 0` is True where the slope is 1. A tensor times a tensor of truths works: True counts as 1.",
    ],
    wrong=[
        Wrong(HEAD + "return (h > 0) * 1.0", "That is the slope alone. What arrived from above?"),
        Wrong(HEAD + "return grad_output", "All of it is handed on. What is the slope where h is below 0?"),
        Wrong(
            HEAD + "return grad_output.clamp(min=0)",
            "This looks at the sign of what arrives. Whose sign decides, that of `grad_output` or that of `h`?",
        ),
        Wrong(HEAD + "return grad_output * h.clamp(min=0)", "That multiplies by ReLU's value. What is its slope?"),
    ],
    because="Where h is positive the gradient passes, where it is negative it stops. At 0 the choice was yours.",
)


UPSTREAM = [5.0, -2.0, 1.0]


def _away_from_corners(torch, random):
    yield (torch.tensor([1.5, -0.75, 0.5], dtype=torch.float64),)
    yield (torch.tensor(random.uniform(0.2, 2.0, 3) * [1, -1, 1], dtype=torch.float64),)


def _beside_the_measurement(given, torch, h):
    """What backward hands on, divided by the slope that nudging measures: 1 everywhere, or what arrives from above."""

    def value(nudge):
        return applied(given, h.detach() + nudge)

    eps = 1e-6
    measured = ((value(eps) - value(-eps)) / (2 * eps)).detach().numpy()
    if measured.shape != tuple(h.shape):
        raise ValueError(f"forward was given {tuple(h.shape)} numbers and made {measured.shape}: one for each, please")
    told = {}
    for name, upstream in (("ratio", [1.0] * 3), ("ratio where [5, −2, 1] arrives", UPSTREAM)):
        leaf = h.detach().clone().requires_grad_()
        applied(given, leaf).backward(torch.tensor(upstream, dtype=h.dtype))
        gradient = leaf.grad.numpy()
        flat = np.abs(measured) < 1e-7
        ratio = np.where(
            flat, np.where(np.abs(gradient) < 1e-6, upstream, np.inf), gradient / np.where(flat, 1, measured)
        )
        told[name] = [round(float(each), 4) for each in ratio]
    return told


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
        "en": "An operator of your own choice, abs, sin, softplus …: both functions, in `torch`, not NumPy. It makes "
        "one number of each number, and is compared with what nudging measures.",
        "zh": "自选一个算子（abs、sin、softplus……），用 `torch`（不用 NumPy）写出两个函数。"
        "它把每个数变成一个数，并与推动测得的斜率比较。",
    },
    gap=OWN + "..." + BACK + "...",
    solution=OWN + "return h * h" + BACK + "return grad_output * 2 * h",
    points=_away_from_corners,
    run=_beside_the_measurement,
    parts={
        "ratio": {"en": "backward ÷ the measured slope", "zh": "backward ÷ 测得的斜率"},
        "ratio where [5, −2, 1] arrives": {
            "en": "backward ÷ the measured slope, where `[5, −2, 1]` arrives,",
            "zh": "（到来的是 `[5, −2, 1]` 时）backward ÷ 测得的斜率",
        },
    },
    rel=1e-3,
    near=1e-3,
    hints=[
        "What is the slope of your operator at h = 2? Nudge it there, as in lesson 1.",
        "backward hands on what arrives × that slope, and what arrives is `grad_output`.",
        "For h · h: forward returns `h * h`, backward returns `grad_output * 2 * h`.",
    ],
    wrong=[
        Wrong(OWN + "return h * h" + BACK + "return 2 * h", "The slope is right. But what arrived from above?"),
        Wrong(
            OWN + "return h * h" + BACK + "return grad_output * h",
            "Half of what nudging measures, everywhere: is there a factor 2 missing?",
        ),
        Wrong(
            OWN + "return h * h" + BACK + "return -grad_output * 2 * h",
            "The right size and the wrong sign: which way does your operator go when h grows?",
        ),
    ],
    because="Nudging measures what your backward says, whatever arrives from above.",
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
        "`save_for_backward` takes tensors only. Where else can a number be kept? `ctx` is a Python object.",
        "`ctx.leak = leak` in forward, `ctx.leak` in backward.",
        "forward has two arguments, so backward returns two values. What has no gradient gets `None`.",
    ],
    wrong=[
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak * grad_output, grad_output)""",
            "forward has two arguments, input and leak. How many values does backward return?",
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, ctx.leak, 1.0), None""",
            "That is the slope alone. What arrived from above?",
        ),
        Wrong(
            LEAKY
            + SAVED
            + BELOW
            + """(input,) = ctx.saved_tensors
        return torch.where(input < 0, 0 * grad_output, grad_output), None""",
            "Below 0 that is ReLU's slope. This one lets a little through there.",
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
        ask="Somebody writes an operator that computes h·h, and in its `backward` forgets the factor 2. What happens "
        "at `y.backward()`?",
        choices={
            "an error": "Nobody compares backward with forward, so nobody can complain.",
            "half the gradient": "Autograd takes your backward's word.",
            "the right gradient": "PyTorch cannot read the slope out of your forward.",
        },
        right="half the gradient",
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
        ask="Your operator computes sin, and its `backward` returns `grad_output` alone. What is `h.grad` at h = 0?",
        choices={
            "1": "The slope of sin at 0 happens to be 1: right by luck. At another h it is wrong, without a word.",
            "0": "sin is 0 there, but what backward hands on is what it was given: 1.",
            "an error": "Autograd takes backward's word.",
        },
        right="1",
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
        ask="h = 3, y = relu(h) and L = 5 · y. What does relu's backward hand to h?",
        choices={
            "1": "That is relu's own slope. What reached relu from L?",
            "3": "That is the value of h.",
            "5": "5 arrives from L, times relu's slope, 1.",
            "15": "That is L itself.",
        },
        right="5",
        proof="""
h = torch.tensor(3.0, requires_grad=True)
(5 * torch.relu(h)).backward()
answer = f"{h.grad.item():g}"
""",
    ),
    after=Ask(
        ask="y = h · h at h = 3, and L = 10 · y. What does the square's backward hand to h?",
        choices={
            "6": "That is the square's own slope. What arrives from L?",
            "10": "That is what arrives. It is multiplied by the slope.",
            "16": "They multiply: upstream × slope.",
            "60": "10 arrives, times the slope 6.",
        },
        right="60",
        proof="""
h = torch.tensor(3.0, requires_grad=True)
(10 * (h * h)).backward()
answer = f"{h.grad.item():g}"
""",
    ),
)
