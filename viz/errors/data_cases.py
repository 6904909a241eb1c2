"""The errors that everybody meets who puts data into a net: shapes that don't fit, types that don't mix.

Read case.py first; cases.py has those of autograd.
"""

from __future__ import annotations

from .case import Case

DATA = (
    Case(
        "linear",
        r"shapes cannot be multiplied|size mismatch, got input|inconsistent tensor size, expected",
        {
            "en": "A matrix product needs as many columns on the left as there are rows on the right. A `Linear` layer "
            "keeps its weight as (out, in): the last axis of what comes in must have `in_features` numbers.",
            "zh": "矩阵相乘要求左边的列数等于右边的行数。`Linear` 的权重是 (out, in)：输入最后一维必须有 "
            "`in_features` 个数。",
        },
        {
            "en": (
                "Make the layer for your data: `nn.Linear(x.shape[-1], …)`.",
                "Or bring the data into the shape that the layer was made for: `x.flatten(1)` keeps the batch and lays "
                "out the rest in one row; `x.T` turns a matrix.",
            ),
            "zh": (
                "按数据来造层：`nn.Linear(x.shape[-1], …)`。",
                "或者把数据变成这一层要的形状：`x.flatten(1)` 保留批次，把其余的排成一行；`x.T` 把矩阵转置。",
            ),
        },
        tensors=True,
    ),
    Case(
        "sizes",
        r"The size of tensor a \(\d+\) must match the size of tensor b",
        {
            "en": "Two tensors meet element by element. Their axes are matched from the last one backwards, and a pair "
            "fits if it is equal or one of the two is 1. Here one pair is neither.",
            "zh": "两个张量逐元素运算。它们的轴从最后一个起往前配对：相等，或其中一个是 1，才配得上。这里有一对不行。",
        },
        {
            "en": (
                "Add an axis of 1 where one is meant to be repeated: `b.unsqueeze(1)` or `b[:, None]`.",
                "Or look where the odd size comes from, and make both the same there.",
            ),
            "zh": (
                "要重复使用的那个，加一个长度为 1 的轴：`b.unsqueeze(1)` 或 `b[:, None]`。",
                "或者看看那个不一样的大小从哪里来，在那里改成一致。",
            ),
        },
        tensors=True,
    ),
    Case(
        "size in place",
        r"output with shape \[.*\] doesn't match the broadcast shape",
        {
            "en": "What is changed in place keeps its shape. What comes from the right is larger, and does not fit in.",
            "zh": "就地改动的张量形状不变。右边来的更大，放不进去。",
        },
        {
            "en": (
                "Sum the right side over the axes that are larger there: `.sum(axis, keepdim=True)`. A gradient is "
                "summed where forward had spread its tensor out.",
                "If the result may be larger, make a new tensor: `c = c - step`, not `c -= step`.",
            ),
            "zh": (
                "把右边沿多出来的轴求和：`.sum(axis, keepdim=True)`。前向把张量展开过的地方，梯度要求和。",
                "如果结果可以更大，就造一个新张量：`c = c - step`，而不是 `c -= step`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "target size",
        r"Using a target size .* that is different to the input size",
        {
            "en": "Prediction and target have different shapes, and one is repeated until they fit. With (n, 1) and "
            "(n) "
            "every prediction is compared with every target: n × n numbers, and a loss that can't become small.",
            "zh": "预测与目标的形状不同，其中一个会被重复到相配为止。(n, 1) 遇上 (n)，每个预测都会与每个目标相比："
            "n × n 个数，损失怎么也小不下去。",
        },
        {
            "en": (
                "Take the axis of 1 away from the prediction: `prediction.squeeze(1)`.",
                "Or give the target one: `target.unsqueeze(1)`.",
            ),
            "zh": ("去掉预测中长度为 1 的轴：`prediction.squeeze(1)`。", "或者给目标加上一个：`target.unsqueeze(1)`。"),
        },
        tensors=True,
    ),
    Case(
        "batch",
        r"Expected input batch_size \(\d+\) to match target batch_size",
        {
            "en": "The loss compares one row of scores with one target, and there are not as many of the one as of the "
            "other. Most often a `view` on the way has mixed the batch with another axis.",
            "zh": "损失把一行得分与一个目标相比，而两者的个数不同。多半是路上的某个 `view` 把批次与别的轴混在了一起。",
        },
        {
            "en": (
                "Keep the batch apart when you reshape: `x.view(x.size(0), -1)` or `x.flatten(1)`, not `x.view(-1, "
                "k)`.",
                "Or cut both in the same way: one target for each row of scores.",
            ),
            "zh": (
                "变形时把批次单独留着：写 `x.view(x.size(0), -1)` 或 `x.flatten(1)`，不要写 `x.view(-1, k)`。",
                "或者两边用同样的方式切分：每行得分一个目标。",
            ),
        },
        tensors=True,
    ),
    Case(
        "view size",
        r"shape '.*' is invalid for input of size",
        {
            "en": "`view` and `reshape` keep all elements and only count them in another way. The sizes that were "
            "asked "
            "for multiply to another number.",
            "zh": "`view` 和 `reshape` 保留所有元素，只是换一种数法。所要的各个大小乘起来，个数对不上。",
        },
        {
            "en": (
                "Let one size be worked out: `x.view(x.size(0), -1)`.",
                "Or say which axes to join: `x.flatten(1)` joins all but the batch.",
            ),
            "zh": (
                "留一个大小让它自己算：`x.view(x.size(0), -1)`。",
                "或者说明要合并哪些轴：`x.flatten(1)` 合并批次以外的全部。",
            ),
        },
        tensors=True,
    ),
    Case(
        "view order",
        r"view size is not compatible with input tensor's size and stride",
        {
            "en": "`view` never copies, and after `t`, `transpose`, `permute` or a slice the numbers no longer lie one "
            "after the other in memory: no view can count them in this way.",
            "zh": "`view` 从不复制，而经过 `t`、`transpose`、`permute` 或切片之后，数在内存里不再依次相邻："
            "任何视图都没法这样数。",
        },
        {
            "en": (
                "`x.reshape(…)` copies where it must.",
                "Or `x.contiguous().view(…)`: a copy in order first.",
            ),
            "zh": ("`x.reshape(…)` 必要时会复制。", "或者 `x.contiguous().view(…)`：先按次序复制一份。"),
        },
        tensors=True,
    ),
    Case(
        "channels",
        r"expected input.* to have \d+ channels, but got",
        {
            "en": "A convolution takes (batch, channels, height, width), and was made for another number of channels: "
            "grey images have 1, coloured ones 3; and channels come before height and width.",
            "zh": "卷积的输入是 (批次, 通道, 高, 宽)，而这一层是为别的通道数造的：灰度图 1 个，彩色图 3 个；"
            "通道排在高和宽之前。",
        },
        {
            "en": (
                "Make the layer for your images: `nn.Conv2d(images.shape[1], …)`.",
                "Or make the images fit: `images.expand(-1, 3, -1, -1)` for grey ones; `images.permute(0, 3, 1, 2)` if "
                "the channels come last.",
            ),
            "zh": (
                "按图像来造层：`nn.Conv2d(images.shape[1], …)`。",
                "或者改图像：灰度图用 `images.expand(-1, 3, -1, -1)`；通道在最后就用 `images.permute(0, 3, 1, 2)`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "stack",
        r"stack expects each tensor to be equal size|Sizes of tensors must match except in dimension",
        {
            "en": "A tensor has the same number of elements in every row, so what is put together must be of one size "
            "(`cat` allows another along its own axis).",
            "zh": "张量的每一行元素个数相同，所以拼在一起的东西大小要一致（`cat` 只允许在拼接的轴上不同）。",
        },
        {
            "en": (
                "Pad the shorter ones: `F.pad(b, (0, 1))`, or `nn.utils.rnn.pad_sequence([a, b], batch_first=True)`.",
                "Or cut all to the shortest: `a[:2]`.",
            ),
            "zh": (
                "把短的补齐：`F.pad(b, (0, 1))`，或 `nn.utils.rnn.pad_sequence([a, b], batch_first=True)`。",
                "或者都截成最短的：`a[:2]`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "rnn size",
        r"input\.size\(-1\) must be equal to input_size",
        {
            "en": "A recurrent layer takes `input_size` numbers at each time step: they are the last axis of its "
            "input. "
            "The time steps are the first, or with `batch_first=True` the second.",
            "zh": "循环层在每个时间步接收 `input_size` 个数：它们是输入的最后一维。时间步是第一维，"
            "`batch_first=True` 时是第二维。",
        },
        {
            "en": (
                "Make the layer for your data: `nn.RNN(input_size=x.shape[-1], …)`.",
                "Or bring the features to the last axis: `x.transpose(1, 2)`; a series of single numbers needs an axis "
                "of 1 there, `x.unsqueeze(-1)`.",
            ),
            "zh": (
                "按数据来造层：`nn.RNN(input_size=x.shape[-1], …)`。",
                "或者把特征换到最后一维：`x.transpose(1, 2)`；一串单个的数要在那里加一个轴：`x.unsqueeze(-1)`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "class type",
        r"expected target dtype to be Long|expected scalar type Long but found",
        {
            "en": "Targets that are numbers of classes are used to look up one of the scores, so they must be "
            "integers. "
            "These are floats.",
            "zh": "类别编号用来在得分里查找其中一个，所以必须是整数。这里却是浮点数。",
        },
        {
            "en": (
                "Make integers of them: `target.long()`.",
                "Or create them so: `torch.tensor([0, 2])`, without points. (Floats are right for probabilities, of "
                "the "
                "scores' own shape.)",
            ),
            "zh": (
                "把它们变成整数：`target.long()`。",
                "或者一开始就造成整数：`torch.tensor([0, 2])`，不带小数点。（浮点数用于概率，那时形状要与得分相同。）",
            ),
        },
        tensors=True,
    ),
    Case(
        "two types",
        r"must have the same dtype|to have (the )?same dtype|Found dtype (Double|Float|Half) but expected|"
        r"expected scalar type (Double|Float|Half) but found|"
        r"Input type \(.*\) and (weight|bias) type \(.*\) should be the same",
        {
            "en": "A net's parameters are float32, and what meets them here is of another type. NumPy's numbers are "
            "float64 if nobody says otherwise, and `from_numpy` keeps that.",
            "zh": "网络的参数是 float32，而这里与它相遇的是另一种类型。"
            "NumPy 的数默认是 float64，`from_numpy` 会照原样保留。",
        },
        {
            "en": (
                "Convert the data: `x.float()`, or `np.float32` where it is made.",
                "Or let the net count in doubles, too: `net.double()`.",
            ),
            "zh": ("转换数据：`x.float()`，或在产生的地方写 `np.float32`。", "或者让网络也用双精度：`net.double()`。"),
        },
        tensors=True,
    ),
    Case(
        "integer grad",
        r"[Oo]nly Tensors of floating point .*dtype can require gradients",
        {
            "en": "A slope says what a small nudge does, and an integer can't be nudged by a little. So only floats "
            "can "
            "require grad.",
            "zh": "斜率说的是轻轻推一下会怎样，而整数没法只推一点点。所以只有浮点数才能要求梯度。",
        },
        {
            "en": (
                "Write points: `torch.tensor([1.0, 2.0], requires_grad=True)`.",
                "Or give the type: `dtype=torch.float32`, or `x.float()` before `requires_grad_()`.",
            ),
            "zh": (
                "写上小数点：`torch.tensor([1.0, 2.0], requires_grad=True)`。",
                "或者给出类型：`dtype=torch.float32`，或在 `requires_grad_()` 之前写 `x.float()`。",
            ),
        },
    ),
    Case(
        "class range",
        r"Target -?\d+ is out of bounds",
        {
            "en": "There is one score for each class, numbered from 0. This target is the number of a class that has "
            "no "
            "score.",
            "zh": "每个类别有一个得分，从 0 开始编号。这个目标的编号没有对应的得分。",
        },
        {
            "en": (
                "If your classes are numbered from 1: `target - 1`.",
                "Or give the last layer as many outputs as there are classes: `target.max() + 1` at least.",
            ),
            "zh": (
                "如果你的类别从 1 开始编号：`target - 1`。",
                "或者让最后一层的输出与类别一样多：至少 `target.max() + 1` 个。",
            ),
        },
        tensors=True,
    ),
    Case(
        "truth",
        r"Boolean value of Tensor with more than one value is ambiguous",
        {
            "en": "Python had to decide whether this tensor is true, and it holds several numbers. That happens in an "
            "`if`, an `and`, and where tensors are handed to a loss's constructor: `nn.MSELoss(…)` only makes the "
            "loss.",
            "zh": "Python 要判断这个张量是真是假，而它有好几个数。`if`、`and` 里会这样；"
            "把张量交给损失的构造函数时也会："
            "`nn.MSELoss(…)` 只是造出损失。",
        },
        {
            "en": (
                "Make the loss first, then call it: `nn.MSELoss()(prediction, target)`.",
                "Or use the function of the same: `F.mse_loss(prediction, target)`.",
                "In an `if`: make one truth of many with `.any()` or `.all()`; `&` and `|` compare element by element.",
            ),
            "zh": (
                "先造出损失再调用：`nn.MSELoss()(prediction, target)`。",
                "或者用同样的函数：`F.mse_loss(prediction, target)`。",
                "在 `if` 里：用 `.any()` 或 `.all()` 把许多真假合成一个；`&` 和 `|` 逐元素比较。",
            ),
        },
        tensors=True,
    ),
)
