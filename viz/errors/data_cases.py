"""The common errors when data is put into a net: shapes that don't fit, types that don't match.

Read case.py first; cases.py has those of autograd.
"""

from __future__ import annotations

from .case import Case, tr

DATA = (
    Case(
        "linear",
        r"shapes cannot be multiplied|size mismatch, got input|inconsistent tensor size, expected",
        tr(
            "A matrix product needs as many columns on the left as there are rows on the right. A `Linear` layer keeps "
            "its weight as (out, in): the last axis of what comes in must have `in_features` numbers."
        ),
        (
            tr("Make the layer for your data: `nn.Linear(x.shape[-1], …)`."),
            tr(
                "Or bring the data into the shape that the layer was made for: `x.flatten(1)` keeps the batch and lays "
                "out the rest in one row; `x.T` turns a matrix."
            ),
        ),
        tensors=True,
    ),
    Case(
        "sizes",
        r"The size of tensor a \(\d+\) must match the size of tensor b",
        tr(
            "Two tensors meet element by element. Their axes are matched from the last one backwards, and a pair fits "
            "if it is equal or one of the two is 1. Here one pair is neither."
        ),
        (
            tr("Add an axis of 1 where one is meant to be repeated: `b.unsqueeze(1)` or `b[:, None]`."),
            tr("Or look where the odd size comes from, and make both the same there."),
        ),
        tensors=True,
    ),
    Case(
        "size in place",
        r"output with shape \[.*\] doesn't match the broadcast shape",
        tr("What is changed in place keeps its shape. What comes from the right is larger, and does not fit in."),
        (
            tr(
                "Sum the right side over the axes that are larger there: `.sum(axis, keepdim=True)`. A gradient is "
                "summed where forward had spread its tensor out."
            ),
            tr("If the result may be larger, make a new tensor: `c = c - step`, not `c -= step`."),
        ),
        tensors=True,
    ),
    Case(
        "target size",
        r"Using a target size .* that is different to the input size",
        tr(
            "Prediction and target have different shapes, and one is repeated until they fit. With (n, 1) and (n) "
            "every prediction is compared with every target: n × n numbers, and a loss that can't become small."
        ),
        (
            tr("Take the axis of 1 away from the prediction: `prediction.squeeze(1)`."),
            tr("Or give the target one: `target.unsqueeze(1)`."),
        ),
        tensors=True,
    ),
    Case(
        "batch",
        r"Expected input batch_size \(\d+\) to match target batch_size",
        tr(
            "The loss compares one row of scores with one target, and there are not as many of the one as of the "
            "other. Most often a `view` on the way has mixed the batch with another axis."
        ),
        (
            tr(
                "Keep the batch apart when you reshape: `x.view(x.size(0), -1)` or `x.flatten(1)`, not `x.view(-1, k)`."
            ),
            tr("Or cut both in the same way: one target for each row of scores."),
        ),
        tensors=True,
    ),
    Case(
        "view size",
        r"shape '.*' is invalid for input of size",
        tr(
            "`view` and `reshape` keep all elements and only count them in another way. The sizes that were asked for "
            "multiply to another number."
        ),
        (
            tr("Let one size be worked out: `x.view(x.size(0), -1)`."),
            tr("Or say which axes to join: `x.flatten(1)` joins all but the batch."),
        ),
        tensors=True,
    ),
    Case(
        "view order",
        r"view size is not compatible with input tensor's size and stride",
        tr(
            "`view` never copies, and after `t`, `transpose`, `permute` or a slice the numbers no longer lie one after "
            "the other in memory: no view can count them in this way."
        ),
        (
            tr("`x.reshape(…)` copies where it must."),
            tr("Or `x.contiguous().view(…)`: a copy in order first."),
        ),
        tensors=True,
    ),
    Case(
        "channels",
        r"expected input.* to have \d+ channels, but got",
        tr(
            "A convolution takes (batch, channels, height, width), and was made for another number of channels: grey "
            "images have 1, coloured ones 3; and channels come before height and width."
        ),
        (
            tr("Make the layer for your images: `nn.Conv2d(images.shape[1], …)`."),
            tr(
                "Or make the images fit: `images.expand(-1, 3, -1, -1)` for grey ones; `images.permute(0, 3, 1, 2)` if "
                "the channels come last."
            ),
        ),
        tensors=True,
    ),
    Case(
        "stack",
        r"stack expects each tensor to be equal size|Sizes of tensors must match except in dimension",
        tr(
            "A tensor has the same number of elements in every row, so what is put together must be of one size (`cat` "
            "allows another along its own axis)."
        ),
        (
            tr("Pad the shorter ones: `F.pad(b, (0, 1))`, or `nn.utils.rnn.pad_sequence([a, b], batch_first=True)`."),
            tr("Or cut all to the shortest: `a[:2]`."),
        ),
        tensors=True,
    ),
    Case(
        "rnn size",
        r"input\.size\(-1\) must be equal to input_size",
        tr(
            "A recurrent layer takes `input_size` numbers at each time step: they are the last axis of its input. The "
            "time steps are the first, or with `batch_first=True` the second."
        ),
        (
            tr("Make the layer for your data: `nn.RNN(input_size=x.shape[-1], …)`."),
            tr(
                "Or bring the features to the last axis: `x.transpose(1, 2)`; a series of single numbers needs an axis "
                "of 1 there, `x.unsqueeze(-1)`."
            ),
        ),
        tensors=True,
    ),
    Case(
        "class type",
        r"expected target dtype to be Long|expected scalar type Long but found",
        tr(
            "Targets that are numbers of classes are used to look up one of the scores, so they must be integers. "
            "These are floats."
        ),
        (
            tr("Make integers of them: `target.long()`."),
            tr(
                "Or create them so: `torch.tensor([0, 2])`, without points. (Floats are right for probabilities, of "
                "the scores' own shape.)"
            ),
        ),
        tensors=True,
    ),
    Case(
        "two types",
        r"must have the same dtype|to have (the )?same dtype|Found dtype (Double|Float|Half) but expected|"
        r"expected scalar type (Double|Float|Half) but found|"
        r"Input type \(.*\) and (weight|bias) type \(.*\) should be the same",
        tr(
            "A net's parameters are float32, and what meets them here is of another type. NumPy's numbers are float64 "
            "if nobody says otherwise, and `from_numpy` keeps that."
        ),
        (
            tr("Convert the data: `x.float()`, or `np.float32` where it is made."),
            tr("Or let the net count in doubles, too: `{net}.double()`.").filled(net="net"),
        ),
        tensors=True,
    ),
    Case(
        "integer grad",
        r"[Oo]nly Tensors of floating point .*dtype can require gradients",
        tr(
            "A slope says what a small nudge does, and an integer can't be nudged by a little. So only floats can "
            "require grad."
        ),
        (
            tr("Write points: `torch.tensor([1.0, 2.0], requires_grad=True)`."),
            tr("Or give the type: `dtype=torch.float32`, or `x.float()` before `requires_grad_()`."),
        ),
    ),
    Case(
        "class range",
        r"Target -?\d+ is out of bounds",
        tr(
            "There is one score for each class, numbered from 0. This target is the number of a class that has no "
            "score."
        ),
        (
            tr("If your classes are numbered from 1: `target - 1`."),
            tr("Or give the last layer as many outputs as there are classes: `target.max() + 1` at least."),
        ),
        tensors=True,
    ),
    Case(
        "truth",
        r"Boolean value of Tensor with more than one value is ambiguous",
        tr(
            "Python had to decide whether this tensor is true, and it holds several numbers. That happens in an `if`, "
            "an `and`, and where tensors are handed to a loss's constructor: `nn.MSELoss(…)` only makes the loss."
        ),
        (
            tr("Make the loss first, then call it: `nn.MSELoss()(prediction, target)`."),
            tr("Or use the function of the same: `F.mse_loss(prediction, target)`."),
            tr("In an `if`: make one truth of many with `.any()` or `.all()`; `&` and `|` compare element by element."),
        ),
        tensors=True,
    ),
)
