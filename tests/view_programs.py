"""Every program of up to three (or four) of these lines, and what it comes to: which tensors require grad, where they
come from, how often they have changed, what may not be done, and the gradients.

b is a tensor that needs no gradient at first, v a view of it, w a leaf that requires grad. Read next:
test_view_rules.py, which runs them; goldens/record_views.py, which records what PyTorch makes of them.
"""

import functools
import itertools
import warnings

LINES = {
    "v = b.view(2, 2)": lambda t, s: s.update(v=s["b"].view(2, 2)),
    "v = v[-1:]": lambda t, s: s.update(v=s["v"][-1:]),
    "v = b.split(2)[1]": lambda t, s: s.update(v=s["b"].split(2)[1]),
    "v = v.detach()": lambda t, s: s.update(v=s["v"].detach()),
    "with no_grad: v = b[1:]": lambda t, s: s.update(v=without_grad(t, lambda: s["b"][1:])),
    "b = b * w": lambda t, s: s.update(b=s["b"] * s["w"]),
    "b.requires_grad_()": lambda t, s: s["b"].requires_grad_(),
    "b.requires_grad_(False)": lambda t, s: s["b"].requires_grad_(False),
    "v.requires_grad_()": lambda t, s: s["v"].requires_grad_(),
    "b.mul_(2)": lambda t, s: s["b"].mul_(2),
    "v.mul_(2)": lambda t, s: s["v"].mul_(2),
    "b.mul_(w)": lambda t, s: s["b"].mul_(s["w"]),
    "v.mul_(w[0])": lambda t, s: s["v"].mul_(s["w"][0]),
    "b[2:].mul_(2)": lambda t, s: s["b"][2:].mul_(2),
    "b.detach().mul_(2)": lambda t, s: s["b"].detach().mul_(2),
    "with no_grad: v.mul_(2)": lambda t, s: without_grad(t, lambda: s["v"].mul_(2)),
    "b.detach_()": lambda t, s: s["b"].detach_(),
    "v.detach_()": lambda t, s: s["v"].detach_(),
    "v.retain_grad()": lambda t, s: s["v"].retain_grad(),
    "Double.apply(b)": lambda t, s: doubling(t).apply(s["b"]),
    "Double.apply(v)": lambda t, s: doubling(t).apply(s["v"]),
}


@functools.cache
def doubling(torch):
    """A Function that doubles its input in place."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Double


def without_grad(torch, call):
    with torch.no_grad():
        return call()


def programs(length):
    """All programs of so many lines."""
    return itertools.product(LINES, repeat=length)


def outcome(torch, lines):
    """What the program comes to, as one line of text: the error, or all that can be seen of b, v and w."""
    state = {"w": torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True), "b": torch.tensor([2.0, 3.0, 5.0, 7.0])}
    state["v"] = state["b"][:2]
    try:
        for line in lines:
            LINES[line](torch, state)
        b, v, w = state["b"], state["v"], state["w"]
        seen = [*kind_of(b), *kind_of(v)]
        seen += [made_by(b), made_by(v)]
        loss = (b * b).sum() + (v * v).sum()
        if loss.requires_grad:
            loss.backward()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of reading the gradient of a non-leaf
            seen += [x.grad.reshape(-1).tolist() if x.grad is not None else None for x in (b, v, w)]
        return " ".join(map(str, seen))
    except (RuntimeError, IndexError) as error:
        return str(error).partition("\n")[0]


def kind_of(x):
    return x._version, x.requires_grad, x._is_view()


def made_by(x):
    """Its node and the nodes before that one, or that it is a leaf; asking may make a view look anew."""
    if x.is_leaf:
        return "leaf"
    return x.grad_fn.name(), [fn and fn.name() for fn, _ in x.grad_fn.next_functions]
