"""Lesson 3: a pass is made, and the gradients are looked for."""

import numpy as np

from .tools import array, near, oracle

MADE = """w
x
w * 2
x * 2
w + x
w.detach()
w[0]
w[:1]
w.view(2, 1)
w.reshape(2)
w.t() if w.dim() == 2 else w.clone()
x.clone().requires_grad_()
w.detach().requires_grad_()
w.detach().clone().requires_grad_()
torch.nn.Parameter(x)
torch.nn.Parameter(x, requires_grad=False)
torch.zeros(2, requires_grad=True)
torch.zeros(2)
torch.ones(2, requires_grad=True) * 0.1
kept(w * 2)
kept(w.view(2, 1))
kept(w)
kept(w[0])
unrecorded(lambda: w * 2)
unrecorded(lambda: w + x)
torch.tensor(1.0, requires_grad=True)
torch.tensor(1.0)
w.sum()
kept(w.sum())""".splitlines()


@oracle
def keeps_grad(make, torch):
    keeps = make()

    def kept(t):
        t.retain_grad()
        return t

    def unrecorded(made):
        with torch.no_grad():
            return made()

    for code in MADE:
        w, x = torch.tensor([2.0, 3.0], requires_grad=True), torch.tensor([5.0, 7.0])
        t = eval(code, {"torch": torch, "w": w, "x": x, "kept": kept, "unrecorded": unrecorded})
        said = keeps(t)
        if not isinstance(said, (bool, np.bool_)):
            return f"returned {said!r}"
        asks = t.requires_grad
        (t * torch.ones(1, requires_grad=True)).sum().backward()
        arrived = (t.is_leaf or t.retains_grad) and t.grad is not None
        if said != arrived or asks != t.requires_grad:
            return code


GRAPHS = """w
w * 5
x * 2
w * x
w * p
w - w
p / q
(w * w + w) * 2
(w * x + p) * q
w.detach() * p + q
w.detach() * 2
((p * q).exp() + x).sin() * w.detach()
torch.stack([w, p, q]).sum()
torch.stack([w * p, x]).sum()
(w.exp() * p.sin()).tanh() + (q * w) * (q * x)
((((w + 1) * 2) + 3) * 4 + p) * q""".splitlines()


@oracle
def leaves_behind(make, torch):
    leaves_behind = make()
    for code in GRAPHS:
        leaves = {n: torch.tensor(0.5 + len(n), requires_grad=True) for n in ("w", "p", "q")}
        if code == "w":  # a leaf itself has no grad_fn: the cell's loop does not begin there
            continue
        y = eval(code, {"torch": torch, "x": torch.tensor(2.0), **leaves})
        found = leaves_behind(y)
        if not isinstance(found, (set, frozenset)):
            return f"returned {type(found).__name__}"
        if y.requires_grad:
            y.backward()
        if {id(each) for each in found} != {id(leaf) for leaf in leaves.values() if leaf.grad is not None}:
            return code
    deep = torch.tensor(1.0, requires_grad=True)
    y = deep
    for _ in range(40):
        y = y * 1.01
    if [id(each) for each in leaves_behind(y)] != [id(deep)]:
        return "a deep graph"


@oracle
def small_start(make, torch):
    first_step = make()
    random = np.random.default_rng(3)
    for x, target in [
        ([1.0, 2.0, 3.0], 4.0),
        ([0.0, 0.0, 0.0], 0.0),
        *((random.normal(size=3), 1.5) for _ in "1" * 30),
    ]:
        x = np.asarray(x, np.float32)
        given = torch.tensor(x)
        w, change = first_step(given, target)
        grad = 2 * (0.1 * x.sum() - target) * x
        if not near(w, np.full(3, 0.1)):
            return "the start"
        if not near(change, -0.01 * grad, 1e-3, 1e-5):
            return "the change"
        if not w.requires_grad or not (w.is_leaf or w.retains_grad) or w.grad is None or not near(w.grad, grad):
            return "w.grad"
        if not near(given, x):
            return "x was changed"
    return None if array(w).shape == (3,) else "shape"
