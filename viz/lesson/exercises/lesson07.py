"""Lesson 7, your own operator: the reader writes ReLU's backward before any is shown."""

from ..ask import Ask, probe
from ..task import Wrong, operator


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
        "Backward hands on upstream × slope. What arrives here is `grad_output`.",
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
    because="Where h is positive the gradient passes, elsewhere it stops.",
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
