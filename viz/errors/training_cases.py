"""The faults that everybody meets who trains: no gradient, weights that don't move, steps at the wrong time.

Most of them raise nothing where they happen. Read case.py first; cases.py has the errors of autograd.
"""

from __future__ import annotations

from .case import Case

TRAINING = (
    Case(
        "stepped",
        "",
        {
            "en": "An operator saved a weight to compute its slope with, and an optimizer's step changed the weight "
            "before `backward()` came to read it. With the new weight the slope would be wrong, so autograd refuses.",
            "zh": "某个算子为了求斜率保存了一个权重，而在 `backward()` 来读它之前，优化器的一步改写了这个权重。"
            "用新的权重算出的斜率是错的，所以 autograd 拒绝继续。",
        },
        {
            "en": (
                "Run the net again after the step, and go back from that result: a new forward pass saves the new "
                "weight.",
                "Or let all backward passes come first, and then the steps.",
            ),
            "zh": (
                "在那一步之后重新运行网络，从新的结果反向：新的前向传播会保存新的权重。",
                "或者先做完所有的反向传播，再让优化器走步。",
            ),
        },
        {
            "en": (
                "If the loop keeps a state, it brings the graphs of earlier turns along. Cut it off: end each turn "
                "with `state = state.detach()`.",
            ),
            "zh": ("如果循环里保留着状态，它会带着前面各轮的图。把它剪断：每一轮末尾写 `state = state.detach()`。",),
        },
    ),
    Case(
        "new weight",
        "",
        {
            "en": "Its `.grad` is None, for it asks for no gradient: the name stands for a new tensor. `w = w - …` "
            "makes "
            "one, and under `no_grad()` nothing of the old one passes on to it.",
            "zh": "它的 `.grad` 是 None，因为它没有要求梯度：这个名字现在指的是一个新张量。`w = w - …` 造了它，"
            "而在 `no_grad()` 下，旧张量的一切都不会传给它。",
        },
        {
            "en": (
                "Change the weight in place, so that it stays the same leaf: `w -= lr * w.grad`.",
                "Or let the new one ask for gradients: `w = (w - lr * w.grad).requires_grad_()`; its `.grad` begins "
                "empty.",
            ),
            "zh": (
                "原地改写，让它还是同一个叶子：`w -= lr * w.grad`。",
                "或者让新张量也要求梯度：`w = (w - lr * w.grad).requires_grad_()`；它的 `.grad` 一开始是空的。",
            ),
        },
        tensors=True,
    ),
    Case(
        "no gradient",
        "",
        {
            "en": "Its `.grad` is None: no backward pass has come to this tensor since it was made, or its gradients "
            "were "
            "set to None. Either `backward()` has still to run, or the loss was computed from another tensor, such as "
            "a copy by `torch.tensor(float(w))`, `w.detach()` or `w.data`.",
            "zh": "它的 `.grad` 是 None：自从它造好（或梯度被清为 None）以来，没有反向传播到过它。要么还没运行 "
            "`backward()`，"
            "要么损失是由另一个张量算出来的，比如 `torch.tensor(float(w))`、`w.detach()` 或 `w.data` 造的副本。",
        },
        {
            "en": (
                "Compute the loss from this very tensor, and run `backward()` before you ask.",
                "Where you want another tensor with the same number, make it by an operator, `v = w * 1` or "
                "`w.clone()`: "
                "that passes gradients on to `w`.",
            ),
            "zh": (
                "就用这个张量来算损失，并在读取之前运行 `backward()`。",
                "想要另一个数值相同的张量，就用算子来造：`v = w * 1` 或 `w.clone()`，它会把梯度传给 `w`。",
            ),
        },
        tensors=True,
    ),
    Case(
        "optimize a result",
        r"can't optimize a non-leaf Tensor",
        {
            "en": "An optimizer changes tensors in place, so they must be leaves. This one was computed: by `* 0.5`, "
            "`.to(…)`, `.double()` or another operator after `requires_grad=True`.",
            "zh": "优化器会原地改写张量，所以它们必须是叶子。这一个却是算出来的：在 `requires_grad=True` 之后又经过了 "
            "`* 0.5`、`.to(…)`、`.double()` 或别的算子。",
        },
        {
            "en": (
                "Ask for gradients last: `w = (torch.ones(2) * 0.5).requires_grad_()`.",
                "Or create it as you want it: `torch.full((2,), 0.5, requires_grad=True)`.",
            ),
            "zh": (
                "最后一步才要求梯度：`w = (torch.ones(2) * 0.5).requires_grad_()`。",
                "或者直接造成想要的样子：`torch.full((2,), 0.5, requires_grad=True)`。",
            ),
        },
    ),
    Case(
        "no parameters",
        r"optimizer got an empty parameter list",
        {
            "en": "The model has no parameters to give: its layers stand where it does not look, or none was made; or "
            "a generator was used up by an earlier loop.",
            "zh": "模型没有参数可给：它的层放在它不会去看的地方，或者根本没有层；或者生成器已经被之前的循环用完了。",
        },
        {
            "en": (
                "A model finds layers that are its attributes, but none inside a list, tuple or dict. Keep these in "
                "`nn.ModuleList([…])` (or `nn.ModuleDict`), single tensors in `nn.ParameterList`.",
                "Or, if they run one after the other, in `nn.Sequential(…)`.",
            ),
            "zh": (
                "模型能找到作为自己属性的层，列表、元组和字典里面的找不到。请把它们放进 `nn.ModuleList([…])`"
                "（或 `nn.ModuleDict`），单个张量放进 `nn.ParameterList`。",
                "或者，如果是依次运行的，就放进 `nn.Sequential(…)`。",
            ),
        },
    ),
    Case(
        "other tensors",
        "",
        {
            "en": "This step changed nothing: none of the optimizer's tensors has a gradient, while others have one. "
            "The "
            "optimizer still holds the tensors that it was made with.",
            "zh": "这一步什么也没改：优化器手里的张量都没有梯度，有梯度的是别的张量。"
            "优化器拿着的还是造它时给它的那些张量。",
        },
        {
            "en": (
                "Make the model once, and don't replace it after the optimizer was made.",
                "Or make the optimizer anew wherever you make the model anew: `torch.optim.SGD(net.parameters(), …)`.",
            ),
            "zh": (
                "模型只造一次，造好优化器之后不要再换。",
                "或者每次重新造模型时，也重新造优化器：`torch.optim.SGD(net.parameters(), …)`。",
            ),
        },
    ),
    Case(
        "zero_grad",
        "",
        {
            "en": "`backward()` adds to `.grad`, and what the optimizer's last step had used was still there. So each "
            "parameter's gradient is the sum of two steps' gradients, then of three, and so on.",
            "zh": "`backward()` 是往 `.grad` 上加，而优化器上一步用过的梯度还在里面。所以每个参数的梯度都是两步之和，"
            "然后是三步之和，以此类推。",
        },
        {
            "en": (
                "In each turn, before `backward()`: `optimizer.zero_grad()`.",
                "Or right after the step; for a single tensor `w.grad = None`.",
            ),
            "zh": (
                "每一轮在 `backward()` 之前写：`optimizer.zero_grad()`。",
                "或者紧跟在那一步之后；单个张量可以写 `w.grad = None`。",
            ),
        },
    ),
    Case(
        "spread",
        "",
        {
            "en": "This loss compares every prediction with every target: (n, 1) and (n) don't fit element by "
            "element, so "
            "both were repeated to (n, n). Nothing was raised, and the loss can't become small.",
            "zh": "这个损失把每个预测都与每个目标相比：(n, 1) 与 (n) 没法逐个配对，于是两者都被重复成了 (n, n)。"
            "没有报错，损失却怎么也小不下去。",
        },
        {
            "en": (
                "Take the axis of 1 away from the prediction: `net(x).squeeze(1)`.",
                "Or give the target one: `target.unsqueeze(1)`.",
            ),
            "zh": ("去掉预测中长度为 1 的轴：`net(x).squeeze(1)`。", "或者给目标加上一个：`target.unsqueeze(1)`。"),
        },
    ),
    Case(
        "not a leaf",
        r"\.grad attribute of a Tensor that is not a leaf",
        {
            "en": "Its gradient is None: gradients pass through a tensor that was computed; leaves alone keep them.",
            "zh": "它的梯度是 None：梯度只是流过计算出来的张量，只有叶子才把梯度留下。",
        },
        {
            "en": (
                "To see the gradient here: `y.retain_grad()` before `backward()`.",
                "If this was to be a weight: an operator made it anew. Create it with `requires_grad=True` last.",
            ),
            "zh": (
                "想在这里看到梯度：在 `backward()` 之前写 `y.retain_grad()`。",
                "如果它本该是权重：它是被某个算子重新算出来的。最后一步才写 `requires_grad=True`。",
            ),
        },
    ),
)
