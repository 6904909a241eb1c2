"""What a program may use without saying it: Functions of its own and pack hooks. A shown program is shown with them.

Each text stands for itself; a program that names `Square` is printed with the text of `Square` in front.
"""

from __future__ import annotations

import re

HELPERS = {
    "Square": """
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad
""",
    "Exp": """
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad):
        print("Exp", grad, ctx.needs_input_grad)
        return grad * ctx.saved_tensors[0]
""",
    "Scale": """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None
""",
    "Mul": """
class Mul(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y if ctx.needs_input_grad[0] else None, grad * x if ctx.needs_input_grad[1] else None
""",
    "Two": """
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2, x.sin()

    @staticmethod
    def backward(ctx, first, second):
        print("Two", first, second)
        return first * 2 + second * ctx.saved_tensors[0].cos()
""",
    "TwoBare": """
class TwoBare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, first, second):
        print("TwoBare", first, second)
        return (0 if first is None else first * 2) + (0 if second is None else second * 3)
""",
    "Rounded": """
class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        whole = x.floor()
        ctx.mark_non_differentiable(whole)
        return x - whole, whole

    @staticmethod
    def backward(ctx, grad, other):
        print("Rounded", other)
        return grad
""",
    "Doubled": """
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2
""",
    "Nothing": """
class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return None, grad
""",
    "Same": """
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 3
""",
    "Looked": """
class Looked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad.clone()
""",
    "Once": """
class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad * 3 * ctx.saved_tensors[0] ** 2
""",
    "Summed": """
class Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, grad):
        return grad
""",
    "TooMany": """
class TooMany(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2, grad
""",
    "pack": """
def pack(x):
    print("pack", x)
    return x
""",
    "copied": """
def copied(x):
    return x.detach().clone()
""",
    "as_array": """
def as_array(x):
    return x.detach().numpy()
""",
    "unpack": """
def unpack(x):
    print("unpack", x)
    return x
""",
    "from_array": """
def from_array(x):
    return torch.from_numpy(x)
""",
    "doubled": """
def doubled(x):
    return x * 2
""",
}
ONE_IN = ("Square", "Exp", "Doubled", "Same", "Looked", "Once", "Summed", "TooMany", "Square", "Exp")


def with_helpers(lines: list[str]) -> str:
    """The program as a text that runs by itself after `import torch` or `import minigrad as torch`."""
    text = "\n".join(lines)
    used = [source.strip() for name, source in HELPERS.items() if re.search(rf"\b{name}\b", text)]
    return "\n\n".join([*used, text])
