"""The errors that everybody meets who learns autograd: what they say, what it means, and what to do.

A case is found by the text of its error, which is PyTorch's, so it serves PyTorch's own errors as well; what has no
pattern is told by more than a text, in inquiry.py and watch.py. Words between backticks are code. Imports case.py, and
what stands in data_cases.py, training_cases.py and static_cases.py. Read lines.py next: which of the reader's lines had
a part in it.
"""

from __future__ import annotations

import re

from .case import Case
from .data_cases import DATA
from .static_cases import STATIC
from .training_cases import TRAINING

AUTOGRAD = (
    Case(
        "changed",
        r"modified by an inplace operation",
        {
            "en": "An operator saved a tensor to compute its slope with, and the tensor was overwritten before "
            "`backward()` came to read it. With the new numbers the slope would be wrong, so autograd refuses.",
            "zh": "某个算子为了求斜率保存了一个张量，而在 `backward()` 来读它之前，这个张量被改写了。"
            "用新数算出的斜率是错的，所以 autograd 拒绝继续。",
        },
        {
            "en": (
                "Make a new tensor where you overwrite one: `y = y + 1` for `y += 1`, or `y = y.clone()` before it.",
                "Or overwrite it after `backward()`: an optimizer's step belongs there.",
            ),
            "zh": (
                "不要改写，另造一个新张量：把 `y += 1` 写成 `y = y + 1`，或先 `y = y.clone()`。",
                "或者在 `backward()` 之后再改写：优化器的一步就该放在那里。",
            ),
        },
        {
            "en": ("If the loop keeps a state: end each turn with `state = state.detach()`.",),
            "zh": ("如果循环里保留着状态：每一轮末尾写 `state = state.detach()`。",),
        },
    ),
    Case(
        "freed",
        r"backward through the graph a second time",
        {
            "en": "What this operator had saved for its slope is gone: an earlier backward pass went through it, and "
            "gave the memory back.",
            "zh": "这个算子为求斜率保存的东西已经没有了：之前的一次反向传播经过它，并释放了内存。",
        },
        {
            "en": (
                "Compute the value again before you go back once more: a new forward pass builds a new graph.",
                "Only if you want two backward passes through one graph: `backward(retain_graph=True)` the first time.",
            ),
            "zh": (
                "再次反向之前重新计算一遍：新的前向传播会建立新的图。",
                "只有真想对同一张图反向两次时，第一次才写 `backward(retain_graph=True)`。",
            ),
        },
        {
            "en": (
                "Something from the loop's last turn is still attached to that turn's graph. Cut it off: end each turn "
                "with `state = state.detach()`.",
            ),
            "zh": ("循环上一轮的某个值还连着上一轮的图。把它剪断：每一轮末尾写 `state = state.detach()`。",),
        },
    ),
    Case(
        "scalar",
        r"implicitly created only for scalar outputs",
        {
            "en": "`backward()` starts from the number 1, and this tensor is not one number. Which of its elements "
            "matters how much is yours to say.",
            "zh": "`backward()` 从数字 1 出发，而这个张量不止一个数。每个元素各占多大分量，要由你来说。",
        },
        {
            "en": (
                "Make one number of it first: `.sum()` or `.mean()`, or a loss.",
                "Or hand over a weight for each element: `y.backward(torch.ones_like(y))` means the same as "
                "`y.sum().backward()`.",
            ),
            "zh": (
                "先把它变成一个数：`.sum()`、`.mean()`，或者一个损失函数。",
                "或者给每个元素一个权重：`y.backward(torch.ones_like(y))` 与 `y.sum().backward()` 相同。",
            ),
        },
    ),
    Case(
        "no graph",
        r"element \d+ of tensors does not require grad",
        {
            "en": "There is no graph behind this tensor, so there is nothing to send a gradient back through. Either "
            "nothing that it came from asked for gradients, or a line on the way cut them off.",
            "zh": "这个张量背后没有图，梯度无路可回。要么它的来源都没有要求梯度，要么半路上有一行把它剪断了。",
        },
        {
            "en": (
                "What you want the gradient of must ask for it: `torch.tensor([2.0], requires_grad=True)`.",
                "From there to the loss, no `.detach()`, `.data`, `.numpy()`, `.item()` and no `no_grad()`.",
                "For the slope of a slope: `torch.autograd.grad(y, x, create_graph=True)` records the first one.",
            ),
            "zh": (
                "想求谁的梯度，谁就要提出来：`torch.tensor([2.0], requires_grad=True)`。",
                "从那里到损失之间，不要有 `.detach()`、`.data`、`.numpy()`、`.item()`，也不要有 `no_grad()`。",
                "要求斜率的斜率：`torch.autograd.grad(y, x, create_graph=True)` 会记录第一次求导。",
            ),
        },
    ),
    Case(
        "left off",
        "",
        {
            "en": "Recording is switched off, and stays so: `set_grad_enabled(False)`, called like a function, holds "
            "until somebody switches it on again. What is computed meanwhile has no graph.",
            "zh": "记录被关掉了，而且一直关着：像函数那样调用的 `set_grad_enabled(False)` 会一直有效，直到有人再打开。"
            "这期间算出来的东西都没有图。",
        },
        {
            "en": (
                "Switch it on again where you need gradients: `torch.set_grad_enabled(True)`.",
                "Or let a block do it, which ends by itself: `with torch.no_grad():`.",
            ),
            "zh": (
                "在需要梯度的地方重新打开：`torch.set_grad_enabled(True)`。",
                "或者交给会自己结束的代码块：`with torch.no_grad():`。",
            ),
        },
    ),
    Case(
        "number loss",
        r"'(float|int)' object has no attribute 'backward'",
        {
            "en": "This is a plain number of Python's by now. `item()` and `float()` give the number without the graph "
            "that it came from, so there is nothing to go back through.",
            "zh": "它已经是 Python 的普通数了。`item()` 和 `float()` 只给出数，不带它的来历，所以无路可回。",
        },
        {
            "en": (
                "Keep the tensor: call `backward()` on it, without `.item()`.",
                "For printing and adding up, take the number under a name of its own: `number = loss.item()`.",
            ),
            "zh": (
                "留住张量：不写 `.item()`，直接对它调用 `backward()`。",
                "要打印或累加，就把数另起一个名字：`number = loss.item()`。",
            ),
        },
    ),
    Case(
        "unused",
        r"appears to not have been used in the graph",
        {
            "en": "`grad` was asked for the slope by a tensor that had no part in the result: no path in the graph "
            "leads "
            "to it. Perhaps a copy of it was used, or a value that was computed before.",
            "zh": "向 `grad` 要的是对某个张量的斜率，而它没有参与这个结果：图里没有通向它的路。也许用的是它的副本，"
            "或更早算好的值。",
        },
        {
            "en": (
                "If it may be left out: `torch.autograd.grad(loss, inputs, allow_unused=True)` gives None for it.",
                "Or use it: what you ask for must be the very tensor that the computation took.",
            ),
            "zh": (
                "如果它可以不参与：`torch.autograd.grad(loss, inputs, allow_unused=True)` 对它返回 None。",
                "或者真的用上它：要求的必须就是计算里用到的那个张量。",
            ),
        },
    ),
    Case(
        "leaf view",
        r"a view of a leaf Variable that requires grad",
        {
            "en": "`w[0]` is a view: it looks into the leaf's own memory, so writing there overwrites the leaf. Inside "
            "the graph that would leave nobody to give its gradient to.",
            "zh": "`w[0]` 是一个视图：它看的就是叶子自己的内存，往里写就是改写叶子。在图里这样做，梯度就没有归处了。",
        },
        {
            "en": (
                "To set a weight's elements: `with torch.no_grad(): w[0] = 5.0`.",
                "To compute with other elements: write into a copy, `w = w.clone()` before, which passes gradients on.",
            ),
            "zh": (
                "要设置权重的元素：`with torch.no_grad(): w[0] = 5.0`。",
                "要换掉元素来计算：先 `w = w.clone()`，往副本里写，它会把梯度传下去。",
            ),
        },
    ),
    Case(
        "leaf changed",
        r"^a leaf Variable that requires grad (is being|has been) used in an in-place operation",
        {
            "en": "A leaf is where gradients arrive. Overwriting it inside the graph would leave nobody to give them "
            "to, so autograd lets you do it only where nothing is recorded.",
            "zh": "叶子是梯度到达的地方。在图里改写它，梯度就没有归处了，所以只有在不记录的时候才允许改写。",
        },
        {
            "en": (
                "To update a weight: `with torch.no_grad(): w -= lr * w.grad`, or let an optimizer do it.",
                "To compute with it: make a new tensor, `v = w - 1`, and leave `w` as it is.",
            ),
            "zh": (
                "要更新权重：`with torch.no_grad(): w -= lr * w.grad`，或者交给优化器。",
                "要用它计算：造一个新张量 `v = w - 1`，`w` 保持原样。",
            ),
        },
    ),
    Case(
        "inference",
        r"[Ii]nference tensor",
        {
            "en": "This tensor was made in `inference_mode()`, where nobody counts changes. So it can never take part "
            "in a graph.",
            "zh": "这个张量是在 `inference_mode()` 里造的，那里不记录改动，所以它永远不能成为图的一部分。",
        },
        {
            "en": (
                "Make it under `torch.no_grad()` instead: that only stops the recording.",
                "Or go on with a copy of it, `x.clone()`, made outside of the block.",
            ),
            "zh": ("改在 `torch.no_grad()` 里造它：那只是停止记录。", "或者在块外面用它的副本 `x.clone()`。"),
        },
        tensors=True,
    ),
    Case(
        "several views",
        r"is a view and is being modified inplace",
        {
            "en": "A loop over a tensor, `unbind`, `split` and `chunk` give several views at once. Autograd can't "
            "follow a "
            "change of one of them into the tensor that they all look into, so it refuses.",
            "zh": "对张量做循环、`unbind`、`split` 和 `chunk` 会一次给出好几个视图。其中一个被改写时，autograd "
            "没法把改动"
            "跟踪到它们共同的张量里，所以拒绝。",
        },
        {
            "en": (
                "Index the tensor instead, a view at a time: `y[i].mul_(3)` for `row.mul_(3)`.",
                "Or make new tensors and put them together: `torch.stack([row * 3 for row in y])`.",
            ),
            "zh": (
                "改用下标，一次一个视图：把 `row.mul_(3)` 写成 `y[i].mul_(3)`。",
                "或者造新张量再拼起来：`torch.stack([row * 3 for row in y])`。",
            ),
        },
    ),
    Case(
        "numpy",
        r"Can't call numpy\(\) on Tensor that requires grad",
        {
            "en": "NumPy knows no graphs: what it computes would come back without a history, unnoticed. So a tensor "
            "that "
            "stands in a graph has to be cut off from it first, by you.",
            "zh": "NumPy 不认识图：它算出来的东西会不声不响地丢掉来历。所以还在图里的张量，要由你先把它剪下来。",
        },
        {
            "en": (
                "For a plot or a printout: `y.detach().numpy()`.",
                "If no gradient is wanted at all, compute it so: `with torch.no_grad(): y = …`.",
            ),
            "zh": (
                "画图或打印用：`y.detach().numpy()`。",
                "如果根本不要梯度，就这样计算：`with torch.no_grad(): y = …`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "deepcopy",
        r"support the deepcopy protocol at the moment",
        {
            "en": "A tensor that was computed hangs on its graph, and a graph can't be copied. Most often it is a "
            "result "
            "that was kept as an attribute of the model.",
            "zh": "计算出来的张量连着它的图，而图没法复制。多半是某个结果被存成了模型的属性。",
        },
        {
            "en": (
                "Keep it without its graph: `self.last = y.detach()`.",
                "Or don't keep it on what you copy: let `forward` return it.",
            ),
            "zh": ("不带图地保存：`self.last = y.detach()`。", "或者别存在要复制的东西上：让 `forward` 返回它。"),
        },
    ),
    Case(
        "number of gradients",
        r"returned an incorrect number of gradients",
        {
            "en": "`backward` of your Function must return one gradient for each argument of `forward` after `ctx`, in "
            "the same order.",
            "zh": "你的 Function 的 `backward` 要按同样的次序，为 `forward` 里 `ctx` 之后的每个参数各返回一个梯度。",
        },
        {
            "en": ("Count the arguments. `None` stands for one that needs no gradient, such as a number.",),
            "zh": ("数一数参数。不需要梯度的参数（比如一个数）用 `None` 占位。",),
        },
    ),
    Case(
        "shape of a gradient",
        r"returned an invalid gradient at index",
        {
            "en": "A gradient has the shape of the tensor it belongs to: one slope for each element. The one that your "
            "`backward` returned has another.",
            "zh": "梯度与它所属的张量形状相同：每个元素一个斜率。你的 `backward` 返回的那一个形状不对。",
        },
        {
            "en": ("In `backward`, look at `grad_output.shape`; where forward summed or broadcast, undo that here.",),
            "zh": ("在 `backward` 里看看 `grad_output.shape`；前向里求和或广播过的，这里要还原回去。",),
        },
    ),
    Case(
        "kind of a gradient",
        r"returned a gradient different than None|expected Variable or None",
        {
            "en": "`backward` of your Function must return tensors for the tensors among its arguments, and `None` for "
            "everything else.",
            "zh": "你的 Function 的 `backward` 对张量参数要返回张量，对其他参数要返回 `None`。",
        },
        {
            "en": ("Give `None` in the place of a number, a string or a list that `forward` took.",),
            "zh": ("`forward` 收到的数、字符串或列表，对应的位置返回 `None`。",),
        },
    ),
    Case(
        "saved a number",
        r"save_for_backward can only save variables",
        {
            "en": "`save_for_backward` watches over tensors, so that backward notices if one was overwritten. What is "
            "no "
            "tensor needs no watching, and is kept elsewhere.",
            "zh": "`save_for_backward` 看管张量，好让 backward 发现它是否被改写。不是张量的不用看管，放在别处就行。",
        },
        {
            "en": (
                "Keep a number, a string or a shape as an attribute: `ctx.leak = leak`, and read `ctx.leak` in "
                "backward.",
                "Or make a tensor of the number: `ctx.save_for_backward(x, torch.tensor(leak))`.",
            ),
            "zh": (
                "数、字符串或形状存成属性：`ctx.leak = leak`，在 backward 里读 `ctx.leak`。",
                "或者把数变成张量：`ctx.save_for_backward(x, torch.tensor(leak))`。",
            ),
        },
    ),
    Case(
        "nan",
        r"returned nan values in its",
        {
            "en": "The forward pass was fine, and the slope of this operator is not a number where it was taken: "
            "infinity times 0, or 0 divided by 0.",
            "zh": "前向没有问题，但这个算子在这一点的斜率不是一个数：无穷大乘以 0，或者 0 除以 0。",
        },
        {
            "en": (
                "Keep its input away from the edge: `(x + 1e-8).sqrt()`, `x.clamp(min=1e-8).log()`.",
                "`torch.where` does not help afterwards: 0 times infinity is still nan. Change what goes in.",
            ),
            "zh": (
                "让输入离开边缘：`(x + 1e-8).sqrt()`、`x.clamp(min=1e-8).log()`。",
                "事后用 `torch.where` 没有用：0 乘无穷大仍是 nan。要改的是输入。",
            ),
        },
    ),
)
ALL = (*AUTOGRAD, *DATA, *TRAINING, *STATIC)


def case_of(text: str) -> Case | None:
    """The case whose error says `text`.

    >>> case_of("grad can be implicitly created only for scalar outputs").name
    'scalar'
    """
    return next((case for case in ALL if case.pattern and re.search(case.pattern, text)), None)


def called(name: str) -> Case:
    """The case of this name."""
    return next(case for case in ALL if case.name == name)
