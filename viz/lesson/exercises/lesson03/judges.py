"""What the pages of lesson 3 can't contain: points to try, ways of running, checks."""

from collections.abc import Mapping

from ....locale import room

tr = room("lesson03")


class Line:
    """A line of code that makes the tensor `name`; the reader sees it as `shown`."""

    def __init__(self, name: str, code: str, shown: str = ""):
        self.code, self.shown = code, shown or f"{name} = {code}"

    def __repr__(self) -> str:
        return self.shown


KINDS = [
    "w",
    "w * 2",
    "x",
    "w * 2; t.retain_grad()",
    "w.detach()",
    "torch.nn.Parameter(x)",
    "w[0]",
    "x * 2",
    "x.clone().requires_grad_()",
    "w.detach().requires_grad_()",
    "w.view(2, 1)",
    "w.view(2, 1); t.retain_grad()",
    "torch.nn.Parameter(x, requires_grad=False)",
    "torch.ones(2, requires_grad=True) * 0.1",
]


UNRECORDED = Line("t", "w * 2; t = torch.no_grad()(lambda: w * 2)()", "t = w * 2  # under torch.no_grad()")


def kinds(torch, random):
    for code in KINDS:
        yield (Line("t", code),)
    yield (UNRECORDED,)


def made(torch, line):
    """The tensor that a line makes from a leaf w that requires grad and an x that does not."""
    names = {"torch": torch, "w": torch.tensor([2.0, 3.0], requires_grad=True), "x": torch.tensor([5.0, 7.0])}
    exec(f"t = {line.code}", names)
    return names["t"]


def keeps(given, torch, t):
    return given(made(torch, t))


GRAPHS = [
    "w * 5",
    "w * p",
    "w * x",
    "(w * w + w) * 2",
    "(w * x + p) * q",
    "w.detach() * p + q",
    "((p * q).exp() + x).sin() * w.detach()",
]


def graphs(torch, random):
    for code in GRAPHS:
        yield (Line("y", code),)


def names_found(given, torch, y):
    """The names of the tensors that the reader's function finds behind y."""
    leaves = {name: torch.tensor(at, requires_grad=True) for name, at in (("w", 3.0), ("p", 3.0), ("q", 0.5))}
    names = {"torch": torch, "x": torch.tensor(2.0), **leaves}
    exec(f"y = {y.code}", names)
    found = given(names["y"])
    if found is None:
        return None
    called = {id(value): name for name, value in names.items() if name in "wpqxy"}
    return sorted(called.get(id(each), type(each).__name__) for each in found)


def weight_and_change(given, torch, x, target):
    """The weight, its gradient and the change. The gradient must be in `w.grad`, wherever the change comes from."""
    made = given(x, target)
    if not isinstance(made, tuple) or len(made) != 2 or not isinstance(made[0], torch.Tensor):
        return made
    w, change = made
    if getattr(change, "requires_grad", False) and change.is_leaf and not w.requires_grad:
        return SWAPPED
    kept = w.grad if w.is_leaf or w.retains_grad else None  # else PyTorch warns
    return {"start": w.detach(), "grad": kept, "change": change}


SWAPPED = "swapped"


def two_results(value):
    if isinstance(value, str) and value == SWAPPED:
        return tr("your code returned the change in the first place. Return `w` first, and then its change.", "judges")
    if not isinstance(value, Mapping):
        return tr("your code did not return two results, `w` and its change.", "judges")
    if value["grad"] is None:
        return tr("the `w` that your code returned has no gradient: its `.grad` is None.", "judges")
    return None
