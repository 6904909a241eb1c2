"""What the pages of lesson 10 can't contain: points to try, ways of running, checks."""

import numpy as np

from ....locale import room

REPLIES = room("lesson10").table("judges")


def _line(torch, random, count=5):
    """Points on a rising line: x (count, 1) and y (count)."""
    slope, height = round(random.uniform(2, 4), 1), round(random.uniform(-1, 1), 1)
    x = torch.linspace(-1, 1, count).reshape(count, 1)
    return x, slope * x[:, 0] + height


def _rise(torch, line):
    """How much a net's line rises from 0 to 1, and its height at 0; None if it gives several numbers for a point."""
    with torch.no_grad():
        heights = line(torch.tensor([[0.0], [1.0]]))
    if tuple(heights.shape) not in ((2, 1), (2,)):
        return None
    low, high = heights.reshape(2).tolist()
    return high - low, low


def five_points(torch, random):
    x = torch.tensor([[-1.0], [-0.5], [0.0], [0.5], [1.0]])
    yield x, 3 * x[:, 0] + 1
    yield _line(torch, random, 7)


def ends(given, torch, x, y):
    torch.manual_seed(1)
    begun = [torch.nn.Linear(1, 1).weight.item() for _ in range(60)]  # of each layer that `fit` may make
    torch.manual_seed(1)
    found = _rise(torch, given(x, y))
    if found is None:
        return "several"
    rise, low = found
    slope, height = float(y[-1] - y[0]) / 2, float(y.mean())
    if not (abs(rise) < 100 and abs(low) < 100):  # nan is not, either
        return "lost"
    if max(abs(rise - slope), abs(low - height)) < 0.05:
        return "on the points"
    if min(abs(rise - each) for each in begun) < 1e-5:
        return "still"
    if rise < -slope / 4 or rise > 2 * slope:
        return "astray"
    return "flat" if rise < slope / 2 else "on its way"


def begun_and_trained(torch, random):
    x = torch.tensor([[-1.0], [-0.5], [0.0], [0.5], [1.0]])
    yield x, 3 * x[:, 0] + 1, 0
    yield x, 3 * x[:, 0] + 1, 50
    yield *_line(torch, random, 7), 50


def learns(given, torch, x, y, steps):
    torch.manual_seed(1)
    found = _rise(torch, given(x, y, steps))
    if found is None:
        return "several"
    rise, low = found
    if steps == 0:
        return "begun" if abs(rise + 1) < 1e-5 else "elsewhere"
    slope, height = float(y[-1] - y[0]) / 2, float(y.mean())
    if max(abs(rise - slope), abs(low - height)) < 0.05:
        return "on the points"
    return "still" if abs(rise + 1) < 1e-5 else "elsewhere, trained"


def pieces(torch, random):
    for seed in (1, int(random.integers(100))):
        numbers = np.random.default_rng(seed).normal(size=(3, 4, 1, 1)).astype(np.float32)
        yield ([(torch.tensor(piece), torch.tensor(piece[0])) for piece in numbers],)


def losses_of_pieces(given, torch, pieces):
    torch.manual_seed(1)
    cell, out = torch.nn.RNNCell(1, 3), torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.5)
    return given(cell, out, optimizer, pieces)


def three_turns(torch, random):
    yield torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0], [5.0]]), False
    x = torch.tensor(random.normal(size=(4, 1)).astype(np.float32))
    yield x, 3 * x + 1, False
    yield x, 3 * x + 1, True


def losses_of_turns(given, torch, x, y, used):
    torch.manual_seed(1)
    net = torch.nn.Linear(1, 1)
    if used:  # it already has a gradient
        net(x).sum().backward()
    return given(net, torch.optim.SGD(net.parameters(), lr=0.02), x, y, 5)


def two_epochs(torch, random):
    for epochs, mode in ((2, "train"), (3, "eval")):
        numbers = random.normal(size=(2, 4, 2)).astype(np.float32)
        batches = [(torch.tensor(batch), torch.ones(4, 1)) for batch in numbers]
        yield batches, torch.ones(3, 2), torch.ones(3, 1), epochs, mode


def dropout_was(given, torch, batches, x_test, y_test, epochs, mode):
    """On or off, for each run of a net that comes in this mode: of 4 examples in training, of 3 in the test."""
    seen: dict[int, list[str]] = {4: [], 3: []}

    def look(dropout, given):
        seen.setdefault(len(given[0]), []).append("on" if dropout.training else "off")

    net = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
    net[1].register_forward_pre_hook(look)
    net.train(mode == "train")
    before = net[0].weight.detach().clone()
    tested = given(net, torch.optim.SGD(net.parameters(), lr=0.01), batches, x_test, y_test, epochs)
    if tested is None:
        return None
    facts = {"mode": mode, "training": ", ".join(seen[4]), "testing": ", ".join(seen[3])}
    moved = bool((net[0].weight.detach() != before).any())
    last = float(((net.eval()(x_test) - y_test) ** 2).mean())
    listed = isinstance(tested, (list, tuple)) and len(tested) == epochs
    listed = listed and bool(np.isclose(float(tested[-1]), last, rtol=1e-4, equal_nan=True))
    return facts | {"moved": moved, "listed": listed}


def told_of_dropout(came):
    if not isinstance(came, dict):
        return None
    if {*came["training"].split(", ")} == {"on"} and {*came["testing"].split(", ")} == {"off"}:
        if not came["moved"]:
            return REPLIES.text("nothing moved")
        if not came["listed"]:
            return REPLIES.text("no list")
    trained, tested = came["training"].split(", "), came["testing"].split(", ")
    if len(trained) == 2 * len(tested):  # a group for each epoch
        came = came | {"training": " | ".join(map(" ".join, zip(trained[::2], trained[1::2], strict=True)))}
        came |= {"testing": " | ".join(tested)}
    return REPLIES.text("modes", **came)
