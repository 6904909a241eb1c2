"""What the pages of lesson 8 can't contain: points to try, ways of running, checks."""

from ....locale import room
from ...judges import drawn

REPLIES = room("lesson08").table("judges")


def batches(torch, random):
    for batch, time, inputs, hidden in ((2, 3, 1, 2), (3, 3, 2, 4), (1, 5, 3, 2)):
        sizes = (batch, time, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden)
        yield drawn(torch, random, *sizes)


def is_a_way_back(given, torch, random):
    """A reply if no gradient reaches the state before the loop from the last state."""
    x, h, W, U = next(batches(torch, random))
    states = given(x, h.requires_grad_(), W.requires_grad_(), U.requires_grad_())
    if not states.requires_grad:
        return NO_GRAPH
    states[:, -1].sum().backward()
    if h.grad is None:
        return CUT_OFF
    missing = [name for name, each in (("W", W), ("U", U)) if each.grad is None]
    return NOT_REACHED.filled(name=f"`{missing[0]}`") if missing else None


NO_GRAPH = REPLIES.text("no graph")
CUT_OFF = REPLIES.text("cut off")
NOT_REACHED = REPLIES.text("not reached")


def told_of_shape(came):
    """For a result of another shape than the first batch needs: a reply with the shape, not with all its numbers."""
    shape = tuple(getattr(came, "shape", ()))
    if not shape or shape in ((2, 3, 2), (3, 3, 4), (1, 5, 2)):
        return None
    return REPLIES.text("shape", shape=shape)


def clipped(given, torch, gradients, max_norm):
    parameters = []
    for each in gradients:
        grad = torch.tensor(each or [0.0])
        parameters.append(torch.ones_like(grad).requires_grad_())
        parameters[-1].grad = None if each is None else grad
    several = iter(parameters)  # an iterator, like `net.parameters()`, which can be read only once
    norm = given(several if len(parameters) > 1 else parameters, max_norm)
    if any((p != 1).any().item() for p in parameters):
        return "weights"
    return {
        "norm": norm if norm is None else float(norm),
        "gradients": [None if p.grad is None else p.grad.tolist() for p in parameters],
    }


BY_HAND = REPLIES.text("by hand")
READY_MADE = "clip_grad_norm_ clip_grads_with_norm_"


def by_hand(given, torch, random):
    names = getattr(getattr(given, "__code__", None), "co_names", ())
    ready = [name for name in READY_MADE.split() if name in names]
    return BY_HAND.filled(name=ready[0]) if ready else None


def steep(torch, random):
    """A piece whose gradient is short and must stay as it is; pieces whose gradients are too long; then pieces of
    opposite sign, which reveal gradients of earlier ones."""
    numbers = [1.0, float(random.normal()), 0.1, -0.2, 0.1]
    targets = [-5.0, -5.0, 1.0, -1.0, 1.0]
    near = torch.tensor([[1.0]])
    with torch.no_grad():
        first = near, _net(torch)(near) + 0.1
    others = [(torch.tensor([[10.0 * a]]), torch.tensor([[b]])) for a, b in zip(numbers, targets, strict=True)]
    yield ([first, *others],)


def _net(torch):
    torch.manual_seed(1)
    return torch.nn.Linear(1, 1)


def losses(given, torch, pieces):
    net = _net(torch)
    return given(net, torch.optim.SGD(net.parameters(), lr=0.1), pieces)
