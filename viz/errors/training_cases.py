"""The common faults in training: no gradient, weights that don't move, steps at the wrong time.

Most of them raise no error where they happen. Read case.py first; cases.py has the errors of autograd.
"""

from __future__ import annotations

from .case import Case, tr

TRAINING = (
    Case(
        "stepped",
        "",
        tr(
            "An operator saved a weight to compute its slope with, and an optimizer's step changed the weight before "
            "`backward()` came to read it. With the new weight the slope would be wrong, so autograd refuses."
        ),
        (
            tr(
                "Run the net again after the step, and go back from that result: a new forward pass saves the new "
                "weight."
            ),
            tr("Or let all backward passes come first, and then the steps."),
        ),
        (
            tr(
                "If the loop keeps a state, it brings the graphs of earlier turns along. Cut it off: end each turn "
                "with `state = state.detach()`."
            ),
        ),
    ),
    Case(
        "new weight",
        "",
        tr(
            "Its `.grad` is None, for it asks for no gradient: the name stands for a new tensor. `w = w - …` makes "
            "one, and under `no_grad()` nothing of the old one passes on to it."
        ),
        (
            tr("Change the weight in place, so that it stays the same leaf: `w -= lr * w.grad`."),
            tr(
                "Or let the new one ask for gradients: `w = (w - lr * w.grad).requires_grad_()`; its `.grad` begins "
                "empty."
            ),
        ),
        tensors=True,
    ),
    Case(
        "no gradient",
        "",
        tr(
            "Its `.grad` is None: no backward pass has come to this tensor since it was made, or its gradients were "
            "set to None. Either `backward()` has still to run, or the loss was computed from another tensor, such as "
            "a copy by `torch.tensor(float(w))`, `w.detach()` or `w.data`."
        ),
        (
            tr("Compute the loss from this very tensor, and run `backward()` before you ask."),
            tr(
                "Where you want another tensor with the same number, make it by an operator, `v = w * 1` or "
                "`w.clone()`: that passes gradients on to `w`."
            ),
        ),
        tensors=True,
    ),
    Case(
        "optimize a result",
        r"can't optimize a non-leaf Tensor",
        tr(
            "An optimizer changes tensors in place, so they must be leaves. This one was computed: by `* 0.5`, "
            "`.to(…)`, `.double()` or another operator after `requires_grad=True`."
        ),
        (
            tr("Ask for gradients last: `w = (torch.ones(2) * 0.5).requires_grad_()`."),
            tr("Or create it as you want it: `torch.full((2,), 0.5, requires_grad=True)`."),
        ),
    ),
    Case(
        "no parameters",
        r"optimizer got an empty parameter list",
        tr(
            "The model has no parameters to give: its layers stand where it does not look, or none was made; or a "
            "generator was used up by an earlier loop."
        ),
        (
            tr(
                "A model finds layers that are its attributes, but none inside a list, tuple or dict. Keep these in "
                "`nn.ModuleList([…])` (or `nn.ModuleDict`), single tensors in `nn.ParameterList`."
            ),
            tr("Or, if they run one after the other, in `nn.Sequential(…)`."),
        ),
    ),
    Case(
        "other tensors",
        "",
        tr(
            "This step changed nothing: none of the optimizer's tensors has a gradient, while others have one. The "
            "optimizer still holds the tensors that it was made with."
        ),
        (
            tr("Make the model once, and don't replace it after the optimizer was made."),
            tr("Or make the optimizer anew wherever you make the model anew: `torch.optim.SGD(net.parameters(), …)`."),
        ),
    ),
    Case(
        "zero_grad",
        "",
        tr(
            "`backward()` adds to `.grad`, and what the optimizer's last step had used was still there. So each "
            "parameter's gradient is the sum of two steps' gradients, then of three, and so on."
        ),
        (
            tr("In each turn, before `backward()`: `optimizer.zero_grad()`."),
            tr("Or right after the step; for a single tensor `w.grad = None`."),
        ),
    ),
    Case(
        "spread",
        "",
        tr(
            "This loss compares every prediction with every target: {column} and {row} don't fit element by element, "
            "so both were repeated to {square}. Nothing was raised, and the loss can't become small."
        ).filled(column="(n, 1)", row="(n)", square="(n, n)"),
        (
            tr("Take the axis of 1 away from the prediction: `{name}.squeeze(1)`.").filled(name="net(x)"),
            tr("Or give the target one: `{name}.unsqueeze(1)`.").filled(name="target"),
        ),
    ),
    Case(
        "not a leaf",
        r"\.grad attribute of a Tensor that is not a leaf",
        tr("Its gradient is None: gradients pass through a tensor that was computed; leaves alone keep them."),
        (
            tr("To see the gradient here: `y.retain_grad()` before `backward()`."),
            tr("If this was to be a weight: an operator made it anew. Create it with `requires_grad=True` last."),
        ),
    ),
)
