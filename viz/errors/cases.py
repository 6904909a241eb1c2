"""The common errors of autograd: what they say, what they mean, and what to do.

A case is found by the text of its error, which is PyTorch's, so it also works for PyTorch's own errors; a case without
a pattern needs more than a text, see inquiry.py and watch.py. Words between backticks are code. Imports case.py,
data_cases.py, training_cases.py and static_cases.py. Read lines.py next, which finds the reader's lines that took part
in the error.
"""

from __future__ import annotations

import re

from .case import Case, tr
from .data_cases import DATA
from .static_cases import STATIC
from .training_cases import TRAINING

AUTOGRAD = (
    Case(
        "changed",
        r"modified by an inplace operation",
        tr(
            "An operator saved a tensor to compute its slope with, and the tensor was overwritten before `backward()` "
            "came to read it. With the new numbers the slope would be wrong, so autograd refuses."
        ),
        (
            tr("Make a new tensor where you overwrite one: `y = y + 1` for `y += 1`, or `y = y.clone()` before it."),
            tr("Or overwrite it after `backward()`: an optimizer's step belongs there."),
        ),
        (tr("If the loop keeps a state: end each turn with `state = state.detach()`."),),
    ),
    Case(
        "freed",
        r"backward through the graph a second time",
        tr(
            "What this operator had saved for its slope is gone: an earlier backward pass went through it, and gave "
            "the memory back."
        ),
        (
            tr("Compute the value again before you go back once more: a new forward pass builds a new graph."),
            tr("Only if you want two backward passes through one graph: `backward(retain_graph=True)` the first time."),
        ),
        (
            tr(
                "Something from the loop's last turn is still attached to that turn's graph. Cut it off: end each turn "
                "with `state = state.detach()`."
            ),
        ),
    ),
    Case(
        "scalar",
        r"implicitly created only for scalar outputs",
        tr(
            "`backward()` starts from the number 1, and this tensor is not one number. Which of its elements matters "
            "how much is yours to say."
        ),
        (
            tr("Make one number of it first: `.sum()` or `.mean()`, or a loss."),
            tr(
                "Or hand over a weight for each element: `y.backward(torch.ones_like(y))` means the same as "
                "`y.sum().backward()`."
            ),
        ),
    ),
    Case(
        "no graph",
        r"element \d+ of tensors does not require grad",
        tr(
            "There is no graph behind this tensor, so there is nothing to send a gradient back through. Either nothing "
            "that it came from asked for gradients, or a line on the way cut them off."
        ),
        (
            tr("What you want the gradient of must ask for it: `torch.tensor([2.0], requires_grad=True)`."),
            tr("From there to the loss, no `.detach()`, `.data`, `.numpy()`, `.item()` and no `no_grad()`."),
            tr("For the slope of a slope: `torch.autograd.grad(y, x, create_graph=True)` records the first one."),
        ),
    ),
    Case(
        "left off",
        "",
        tr(
            "Recording is switched off, and stays so: `set_grad_enabled(False)`, called like a function, holds until "
            "somebody switches it on again. What is computed meanwhile has no graph."
        ),
        (
            tr("Switch it on again where you need gradients: `torch.set_grad_enabled(True)`."),
            tr("Or let a block do it, which ends by itself: `with torch.no_grad():`."),
        ),
    ),
    Case(
        "number loss",
        r"'(float|int)' object has no attribute 'backward'",
        tr(
            "This is a plain number of Python's by now. `item()` and `float()` give the number without the graph that "
            "it came from, so there is nothing to go back through."
        ),
        (
            tr("Keep the tensor: call `backward()` on it, without `.item()`."),
            tr("For printing and adding up, take the number under a name of its own: `number = loss.item()`."),
        ),
    ),
    Case(
        "unused",
        r"appears to not have been used in the graph",
        tr(
            "`grad` was asked for the slope by a tensor that had no part in the result: no path in the graph leads to "
            "it. Perhaps a copy of it was used, or a value that was computed before."
        ),
        (
            tr("If it may be left out: `torch.autograd.grad(loss, inputs, allow_unused=True)` gives None for it."),
            tr("Or use it: what you ask for must be the very tensor that the computation took."),
        ),
    ),
    Case(
        "leaf view",
        r"a view of a leaf Variable that requires grad",
        tr(
            "`w[0]` is a view: it looks into the leaf's own memory, so writing there overwrites the leaf. Inside the "
            "graph that would leave nobody to give its gradient to."
        ),
        (
            tr("To set a weight's elements: `with torch.no_grad(): w[0] = 5.0`."),
            tr("To compute with other elements: write into a copy, `w = w.clone()` before, which passes gradients on."),
        ),
    ),
    Case(
        "leaf changed",
        r"^a leaf Variable that requires grad (is being|has been) used in an in-place operation",
        tr(
            "A leaf is where gradients arrive. Overwriting it inside the graph would leave nobody to give them to, so "
            "autograd lets you do it only where nothing is recorded."
        ),
        (
            tr("To update a weight: `with torch.no_grad(): w -= lr * w.grad`, or let an optimizer do it."),
            tr("To compute with it: make a new tensor, `v = w - 1`, and leave `w` as it is."),
        ),
    ),
    Case(
        "inference",
        r"[Ii]nference tensor",
        tr(
            "This tensor was made in `inference_mode()`, where nobody counts changes. So it can never take part in a "
            "graph."
        ),
        (
            tr("Make it under `torch.no_grad()` instead: that only stops the recording."),
            tr("Or go on with a copy of it, `x.clone()`, made outside of the block."),
        ),
        tensors=True,
    ),
    Case(
        "several views",
        r"is a view and is being modified inplace",
        tr(
            "A loop over a tensor, `unbind`, `split` and `chunk` give several views at once. Autograd can't follow a "
            "change of one of them into the tensor that they all look into, so it refuses."
        ),
        (
            tr("Index the tensor instead, a view at a time: `y[i].mul_(3)` for `row.mul_(3)`."),
            tr("Or make new tensors and put them together: `torch.stack([row * 3 for row in y])`."),
        ),
    ),
    Case(
        "numpy",
        r"Can't call numpy\(\) on Tensor that requires grad",
        tr(
            "NumPy knows no graphs: what it computes would come back without a history, unnoticed. So a tensor that "
            "stands in a graph has to be cut off from it first, by you."
        ),
        (
            tr("For a plot or a printout: `y.detach().numpy()`."),
            tr("If no gradient is wanted at all, compute it so: `with torch.no_grad(): y = …`."),
        ),
        tensors=True,
    ),
    Case(
        "deepcopy",
        r"support the deepcopy protocol at the moment",
        tr(
            "A tensor that was computed hangs on its graph, and a graph can't be copied. Most often it is a result "
            "that was kept as an attribute of the model."
        ),
        (
            tr("Keep it without its graph: `self.last = y.detach()`."),
            tr("Or don't keep it on what you copy: let `forward` return it."),
        ),
    ),
    Case(
        "number of gradients",
        r"returned an incorrect number of gradients",
        tr(
            "`backward` of your Function must return one gradient for each argument of `forward` after `ctx`, in the "
            "same order."
        ),
        (tr("Count the arguments. `None` stands for one that needs no gradient, such as a number."),),
    ),
    Case(
        "shape of a gradient",
        r"returned an invalid gradient at index",
        tr(
            "A gradient has the shape of the tensor it belongs to: one slope for each element. The one that your "
            "`backward` returned has another."
        ),
        (tr("In `backward`, look at `grad_output.shape`; where forward summed or broadcast, undo that here."),),
    ),
    Case(
        "kind of a gradient",
        r"returned a gradient different than None|expected Variable or None",
        tr(
            "`backward` of your Function must return tensors for the tensors among its arguments, and `None` for "
            "everything else."
        ),
        (tr("Give `None` in the place of a number, a string or a list that `forward` took."),),
    ),
    Case(
        "saved a number",
        r"save_for_backward can only save variables",
        tr(
            "`save_for_backward` watches over tensors, so that backward notices if one was overwritten. What is no "
            "tensor needs no watching, and is kept elsewhere."
        ),
        (
            tr(
                "Keep a number, a string or a shape as an attribute: `ctx.leak = leak`, and read `ctx.leak` in "
                "backward."
            ),
            tr("Or make a tensor of the number: `ctx.save_for_backward(x, torch.tensor(leak))`."),
        ),
    ),
    Case(
        "nan",
        r"returned nan values in its",
        tr(
            "The forward pass was fine, and the slope of this operator is not a number where it was taken: infinity "
            "times 0, or 0 divided by 0."
        ),
        (
            tr("Keep its input away from the edge: `(x + 1e-8).sqrt()`, `x.clamp(min=1e-8).log()`."),
            tr("`torch.where` does not help afterwards: 0 times infinity is still nan. Change what goes in."),
        ),
    ),
)
ALL = (*AUTOGRAD, *DATA, *TRAINING, *STATIC)


def case_of(text: str) -> Case | None:
    """The case whose error has this `text`.

    >>> case_of("grad can be implicitly created only for scalar outputs").name
    'scalar'
    """
    return next((case for case in ALL if case.pattern and re.search(case.pattern, text)), None)


def called(name: str) -> Case:
    """The case with this name."""
    return next(case for case in ALL if case.name == name)
