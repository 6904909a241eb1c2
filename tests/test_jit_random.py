"""Random programs, each as it is and through `jit`: values, gradients, flags and errors are the same.

A program is a function of a few tensors, made of the operators below, with tensors from outside, detached values,
stretches under no_grad, and now and then something that a trace cannot hold. It is called with several sizes and twice
with each, the second time with other numbers.
"""

import random
import warnings

import numpy as np
import pytest

import minigrad as torch

UNARY = {
    "neg": lambda t: -t,
    "exp": lambda t: (t * 0.1).exp(),
    "tanh": torch.tanh,
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "abs": torch.abs,
    "square": lambda t: t * t,
    "twice": lambda t: t + t,
    "pow": lambda t: t**3,
    "half": lambda t: t / 2,
    "from": lambda t: 1 - t,
    "clamp": lambda t: t.clamp(min=-1, max=1),
    "sum": lambda t: t.sum(),
    "mean": lambda t: t.mean(-1, keepdim=True) if t.dim() else t.mean(),
    "max": lambda t: t.max(),
    "softmax": lambda t: t.softmax(-1) if t.dim() else t,
    "flip": lambda t: t.flip(0) if t.dim() else t,
    "view": lambda t: t.reshape(-1),
    "turn": lambda t: t.transpose(0, -1) if t.dim() else t,
    "first": lambda t: t[0] if t.dim() and t.size(0) else t,
    "up": lambda t: t.unsqueeze(0),
    "down": lambda t: t.squeeze(),
    "clone": lambda t: t.clone(),
    "detach": lambda t: t.detach(),
    "double": lambda t: t.double(),
    "float": lambda t: t.float(),
    "sign": torch.sign,
    "cumsum": lambda t: t.cumsum(0) if t.dim() else t,
    "masked": lambda t: torch.where(t > 0, t, t * 0.5),
    "split": lambda t: t.chunk(2)[-1] if t.dim() and t.size(0) > 1 else t,
}
BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (b * b + 1),
    "maximum": torch.maximum,
    "stack": lambda a, b: torch.stack(torch.broadcast_tensors(a.double(), b.double())),
    "where": lambda a, b: torch.where(a > b, a, b),
    "matmul": lambda a, b: a.float().reshape(1, -1) @ b.float().reshape(-1, 1) if a.numel() == b.numel() else a,
}
UNTRACEABLE = {
    "if": lambda t: t if t.sum() > 0 else -t,
    "item": lambda t: t * t.detach().sum().item(),
    "in place": lambda t: t.clone().add_(1),
    "dropout": lambda t: torch.nn.functional.dropout(t.float(), 0.5),
    "index": lambda t: t[(t > -10).reshape(t.shape)].sum(),
    "gradient": lambda t: t * torch.autograd.grad((w := torch.ones(1, requires_grad=True)) * 3, w)[0],
}


def program(seed):
    """A function of two tensors, and how it was made."""
    dice = random.Random(seed)
    outside = torch.tensor([0.5, -1.5, 2.0], requires_grad=dice.random() < 0.7)
    steps = []
    count = 2 + 1  # the arguments, the tensor from outside
    for _ in range(dice.randint(1, 9)):
        chance = dice.random()
        if chance < 0.03:
            steps.append(("odd", dice.choice(list(UNTRACEABLE)), dice.randrange(count), None))
        elif chance < 0.55:
            steps.append(("one", dice.choice(list(UNARY)), dice.randrange(count), None))
        elif chance < 0.62:
            steps.append(("quiet", dice.choice(list(UNARY)), dice.randrange(count), None))
        else:
            steps.append(("two", dice.choice(list(BINARY)), dice.randrange(count), dice.randrange(count)))
        count += 1
    results = [dice.randrange(count) for _ in range(dice.choice([1, 1, 1, 2, 3]))]

    def f(a, b):
        values = [a, b, outside]
        for kind, name, i, j in steps:
            if kind == "two":
                values.append(BINARY[name](values[i], values[j]))
            elif kind == "quiet":
                with torch.no_grad():
                    values.append(UNARY[name](values[i]))
            else:
                values.append((UNARY if kind == "one" else UNTRACEABLE)[name](values[i]))
        found = [values[i] for i in results]
        return found[0] if len(found) == 1 else {"first": found[0], "others": found[1:]}

    return f, outside, steps


def listed(result):
    if isinstance(result, dict):
        return [result["first"], *result["others"]]
    return [result]


def outcome(f, a, b, outside, seed):
    """What a call gives: of each result type, size, numbers, whether it requires grad; and the gradients."""
    for t in (a, b, outside):
        t.grad = None
    torch.manual_seed(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outs = listed(f(a, b))
        roots = list({id(o): o for o in outs if o.requires_grad}.values())
        if roots:  # through one of them, then through all, twice: what the first pass read is still there
            torch.autograd.backward(roots[:1], [torch.full_like(roots[0], 2)], retain_graph=True)
            torch.autograd.backward(roots, [torch.full_like(r, 0.5) for r in roots], retain_graph=True)
            torch.autograd.backward(roots, [torch.full_like(r, 0.5) for r in roots])
    except Exception as error:
        return type(error), str(error)
    said = [(str(o.dtype), tuple(o.shape), bool(o.requires_grad)) for o in outs]
    numbers = [t.detach().numpy().copy() for t in (*outs, a, b)]
    return said, numbers, [None if t.grad is None else t.grad.numpy().copy() for t in (a, b, outside)]


def same(found, wanted):
    if isinstance(wanted[0], type) or isinstance(found[0], type):
        return found == wanted
    if found[0] != wanted[0]:
        return False
    pairs = [*zip(found[1], wanted[1], strict=True), *zip(found[2], wanted[2], strict=True)]
    return all((x is None) == (y is None) for x, y in pairs) and all(
        x is None or x.shape == y.shape and np.allclose(x, y, 1e-6, 1e-6, equal_nan=True) for x, y in pairs
    )


def compare(seed):
    """None, or in what a program differs."""
    f, outside, steps = program(seed)
    fast = torch.jit(f)
    rng = np.random.default_rng(seed)
    dice = random.Random(-seed)
    for sizes in [((3,), (3,)), ((2, 3), (3,)), ((), (1, 3))]:
        types = [dice.choice([torch.float32, torch.float32, torch.float64, torch.int64]) for _ in range(2)]
        asks = [dice.random() < 0.7 for _ in range(2)]
        for turn in range(2):
            a, b = (
                torch.from_numpy(np.asarray(rng.normal(size=size) * 2))
                .to(dtype)
                .requires_grad_(asked and dtype.is_floating_point)
                for size, dtype, asked in zip(sizes, types, asks, strict=True)
            )
            quiet = dice.random() < 0.2
            with torch.set_grad_enabled(not quiet):
                wanted, found = (outcome(g, a, b, outside, seed + turn) for g in (f, fast))
            if not same(found, wanted):
                return f"seed {seed}, sizes {sizes}, call {turn}, {steps}:\n  {found}\n  instead of\n  {wanted}"
        with torch.no_grad():
            outside.mul_(1.5)  # what comes from outside is read anew
    return None


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_programs_do_the_same(start):
    wrong = [said for seed in range(start, start + 100) if (said := compare(seed))]
    assert not wrong, wrong[0]
