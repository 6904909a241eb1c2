"""Lesson 5: training written out in NumPy, and what is left behind for the next step."""

import numpy as np

from .tools import array, near, oracle


def _net(torch, random):
    net = torch.nn.Linear(3, 2)
    with torch.no_grad():
        net.weight.copy_(torch.tensor(random.normal(size=(2, 3)), dtype=torch.float32))
        net.bias.copy_(torch.tensor(random.normal(size=2), dtype=torch.float32))
    return net


@oracle
def training_loop(make, torch):
    train = make()
    random = np.random.default_rng(8)
    for steps in (1, 2, 5):
        net = _net(torch, random)
        W, b = array(net.weight).copy(), array(net.bias).copy()
        x, y = random.normal(size=(4, 3)).astype("float32"), random.normal(size=(4, 2)).astype("float32")
        losses = train(net, torch.tensor(x), torch.tensor(y), torch.optim.SGD(net.parameters(), lr=0.1), steps)
        for step in range(steps):
            error = x @ W.T + b - y
            if len(losses) != steps or not near(losses[step], (error**2).mean()):
                return f"loss {step}"
            W, b = W - 0.1 * 2 * error.T @ x / error.size, b - 0.1 * 2 * error.sum(0) / error.size
        if not near(net.weight, W):
            return "the weights"


@oracle
def two_layers_by_hand(make, torch):
    gradients = make()
    random = np.random.default_rng(9)
    sizes = ((5, 3, 4, 2), (2, 4, 3, 1), (1, 1, 1, 1), (3, 3, 3, 3), (4, 4, 4, 4))
    for batch, wide, hidden, out in sizes * 6:
        x, y = random.normal(size=(batch, wide)), random.normal(size=(batch, out))
        w1, w2 = random.normal(size=(wide, hidden)), random.normal(size=(hidden, out))
        before = [each.copy() for each in (x, y, w1, w2)]
        came = gradients(x, y, w1, w2)
        if not all(np.array_equal(a, b) for a, b in zip(before, (x, y, w1, w2), strict=True)):
            return "an argument was changed"
        if len(came) != 2:
            return "no two gradients"

        def loss(w1, w2, x=x, y=y):
            return ((np.maximum(x @ w1, 0) @ w2 - y) ** 2).sum()

        for which, weight in enumerate((w1, w2)):
            is_ = np.zeros_like(weight)
            for at in np.ndindex(*weight.shape):
                nudge = np.zeros_like(weight)
                nudge[at] = 1e-6
                both = [(w1, w2 + n) if which else (w1 + n, w2) for n in (nudge, -nudge)]
                is_[at] = (loss(*both[0]) - loss(*both[1])) / 2e-6
            if not near(came[which], is_, 1e-4, 1e-4):
                return f"gradient {which + 1}"


@oracle
def unseen_weights(make, torch):
    TwoLayers = make()
    torch.manual_seed(1)  # with other weights, ReLU may be 0 for all six inputs, and then the first layer does not move
    for n_in, hidden, n_out in ((3, 4, 2), (5, 7, 1)):
        net = TwoLayers(n_in, hidden, n_out)
        by_size = {tuple(each.shape): each for each in net.parameters()}
        sizes = {(hidden, n_in), (hidden,), (n_out, hidden), (n_out,)}
        if set(by_size) != sizes or len(list(net.parameters())) != 4 or len(net.state_dict()) != 4:
            return "the parameters"
        x = np.random.default_rng(1).normal(size=(6, n_in)).astype("float32")
        W1, b1, W2, b2 = (array(by_size[each]) for each in ((hidden, n_in), (hidden,), (n_out, hidden), (n_out,)))
        h = np.maximum(x @ W1.T + b1, 0)
        if not near(net(torch.tensor(x)), h @ W2.T + b2):
            return "the output"
        before = [array(each).copy() for each in net.parameters()]
        net(torch.tensor(x)).pow(2).sum().backward()
        torch.optim.SGD(net.parameters(), lr=0.1).step()
        if any(np.array_equal(old, array(new)) for old, new in zip(before, net.parameters(), strict=True)):
            return "a step"
        if not near(net(torch.tensor(x)), net(torch.tensor(x))):
            return "a second call"


@oracle
def update_step(make, torch):
    descend = make()
    random = np.random.default_rng(10)
    for steps in (1, 3, 2, 0, 5, *random.integers(1, 5, 30)):
        at, target, lr = random.normal(size=3), random.normal(size=3), 0.1
        w = torch.tensor(at, requires_grad=True)
        goal = torch.tensor(target)
        for _ in "two calls":
            moved = descend(w, lambda w, goal=goal: ((w - goal) ** 2).sum(), lr, int(steps))
            for _ in range(steps):
                at = at - lr * 2 * (at - target)
            if not near(moved, at):
                return f"the result of {steps} steps"
            if not near(w, at):
                return "the w that was passed in"
            if not (w.requires_grad and w.is_leaf):
                return "w is no leaf that requires grad"
            if moved is not w:
                return "another tensor is returned"
