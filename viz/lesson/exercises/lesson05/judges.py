"""What the pages of lesson 5 can't contain: points to try, ways of running, checks."""

import numpy as np

from ....locale import room

tr = room("lesson05")


def small_nets(torch, random):
    x = np.array([[1.0, 2.0, -1.0], [0.0, -1.0, 3.0]])
    y = np.array([[1.0], [-2.0]])
    w1 = np.array([[1.0, -1.0], [2.0, 1.0], [0.5, 0.5]])
    yield x, y, w1, np.array([[2.0], [-1.0]])
    yield x, y, -w1, np.array([[2.0], [-1.0]])  # here, the sum of h is negative
    for batch, wide, hidden, out in ((5, 3, 4, 2), (2, 4, 3, 1)):
        yield tuple(random.normal(size=size) for size in ((batch, wide), (batch, out), (wide, hidden), (hidden, out)))


def by_hand(given, torch, x, y, w1, w2):  # its parameters name the arrays in a reply
    return given(x, y, w1, w2)


def hollows(torch, random):
    def bowl(target, steepness):
        target, steepness = torch.tensor(target), torch.tensor(steepness)

        def loss_of(w):
            return (steepness * (w - target) ** 2).sum()

        return loss_of

    yield torch.tensor([1.0, -2.0], requires_grad=True), bowl([3.0, 0.5], [1.0, 2.0]), 0.1, 3
    yield torch.tensor([0.5], requires_grad=True), bowl([-1.0], [3.0]), 0.05, 1
    for steps in (2, 6):
        start, target = random.normal(size=(2, 3))
        yield torch.tensor(start, requires_grad=True), bowl(target, random.uniform(0.5, 2, 3)), 0.1, steps


def descended(given, torch, w, loss_of, lr, steps):
    moved = given(w, loss_of, lr, steps)
    found = {"result": moved.detach().clone(), "w": w.detach().clone()}
    if w.requires_grad and w.is_leaf:  # else the next line would stop with an error of the reader's code
        given(w, loss_of, lr, 1)
    return {**found, "next": w.detach()}


def _fixed_net(torch):
    random = np.random.default_rng(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape))))
    x, y = (torch.tensor(random.normal(size=size), dtype=torch.float32) for size in ((6, 3), (6, 2)))
    return model, x, y


def warm(torch, random):
    # PyTorch's first optimizer and its first step take seconds, which must not count as the reader's time
    optimizer = torch.optim.Adam([torch.zeros(1, requires_grad=True)])
    optimizer.step()
    optimizer.zero_grad()
    yield ()


def looped(given, torch):
    model, x, y = _fixed_net(torch)
    losses = given(model, x, y, torch.optim.Adam(model.parameters(), lr=0.05), 4)
    return {"losses": losses, "weights": model[2].weight.detach()}


def built(given, torch):
    torch.manual_seed(0)
    other = {tuple(each.shape) for each in given(5, 6, 1).parameters()}
    model = given(3, 4, 2)
    x = torch.ones(5, 3)
    weights = [parameter.detach().clone() for parameter in model.parameters()]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    output = model(x)
    output.pow(2).sum().backward()
    optimizer.step()
    moved = [bool((old != new).any()) for old, new in zip(weights, model.parameters(), strict=True)]
    sizes = sorted(str(tuple(each.shape)) for each in weights)
    return {
        "sizes": sizes,
        "output": tuple(output.shape),
        "moved": sum(moved),
        "saved": len(model.state_dict()),
        "deep": _slopes_change(model, torch),
        "same": _computes_the_same(model, torch),
        "other": other == {(6, 5), (6,), (1, 6), (1,)},
    }


def _computes_the_same(model, torch):
    """Whether the output is that of two linear layers with these weights and a ReLU between them."""
    weights = {tuple(each.shape): each.detach() for each in model.parameters()}
    if set(weights) != {(4, 3), (4,), (2, 4), (2,)}:
        return False
    x = torch.tensor([[1.0, -2.0, 0.5], [-1.0, 0.25, 3.0], [2.0, 1.5, -0.5]])
    h = torch.relu(x @ weights[4, 3].t() + weights[(4,)])
    return bool(torch.allclose(model(x).detach(), h @ weights[2, 4].t() + weights[(2,)], atol=1e-5))


def _slopes_change(model, torch):
    """Whether there is a ReLU between the layers: without one, the net is linear, whatever its depth."""
    x = torch.linspace(-8, 8, 33).reshape(33, 1) * torch.tensor([[1.0, -2.0, 0.5]])
    y = model(x).detach()
    return bool((((y[2:] - y[1:-1]) - (y[1:-1] - y[:-2])).abs() > 1e-3).any())
