"""The forty programs of forum_errors.md: how each goes wrong, and two cures for each.

`torch`, `nn`, `F` and `np` are there. A comment says what the clinic should say of a line. A cure is what to replace by
what; the mended program runs to its end and leaves `answer`. Read next: test_forum_errors.py.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Program:
    """kind: the clinic's case. guilty: the marked node, or the tensors that are told of. answer: of both cures, or of
    each. silent: nothing is raised."""

    kind: str
    text: str
    guilty: Any
    cures: tuple[tuple[tuple[str, str], ...], ...]
    answer: Any
    silent: bool = False


PROGRAMS = {
    "linear": Program(
        "linear",
        """
layer = nn.Linear(4, 2)  # made here
x = torch.ones(3, 5)  # made here
answer = layer(x).shape  # stopped here
""",
        ["x", "layer.weight"],
        ((("nn.Linear(4", "nn.Linear(5"),), (("ones(3, 5)", "ones(3, 4)"),)),
        (3, 2),
    ),
    "sizes": Program(
        "sizes",
        """
a = torch.ones(4, 3)  # made here
b = torch.ones(4)  # made here
answer = (a + b).sum()  # stopped here
""",
        ["a", "b"],
        ((("a + b", "a + b.unsqueeze(1)"),), (("ones(4)", "ones(3)"),)),
        24.0,
    ),
    "target size": Program(
        "target size",
        """
prediction = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)  # made here
target = torch.tensor([1.0, 2.0, 3.0])  # made here
answer = F.mse_loss(prediction, target)  # warned here
""",
        ["prediction", "target"],
        ((("(prediction,", "(prediction.squeeze(1),"),), ((", target)", ", target.unsqueeze(1))"),)),
        0.0,
        silent=True,
    ),
    "spread": Program(
        "spread",
        """
net = nn.Linear(2, 1)
x = torch.ones(4, 2)
target = torch.ones(4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
loss = (net(x) - target).pow(2).mean()  # ran forward here
loss.backward()
optimizer.step()  # noticed here
answer = (net(x) - target).shape
""",
        "SubBackward0",
        ((("net(x)", "net(x).squeeze(1)"),), (("- target", "- target.unsqueeze(1)"),)),
        ((4,), (4, 1)),
        silent=True,
    ),
    "batch": Program(
        "batch",
        """
scores = torch.zeros(6, 3)  # made here
target = torch.zeros(2, dtype=torch.long)  # made here
answer = F.cross_entropy(scores, target)  # stopped here
""",
        ["scores", "target"],
        ((("zeros(6, 3)", "zeros(2, 3)"),), (("zeros(2,", "zeros(6,"),)),
        1.0986123,
    ),
    "view size": Program(
        "view size",
        """
x = torch.ones(2, 3, 4)  # made here
answer = x.view(2, 10).shape  # stopped here
""",
        ["x"],
        ((("view(2, 10)", "view(2, -1)"),), (("view(2, 10)", "flatten(1)"),)),
        (2, 12),
    ),
    "view order": Program(
        "view order",
        """
x = torch.ones(2, 3).t()  # made here
answer = x.view(6).shape  # stopped here
""",
        ["x"],
        ((("view(6)", "reshape(6)"),), (("view(6)", "contiguous().view(6)"),)),
        (6,),
    ),
    "channels": Program(
        "channels",
        """
conv = nn.Conv2d(3, 2, 3)  # made here
images = torch.ones(1, 1, 5, 5)  # made here
answer = conv(images).shape  # stopped here
""",
        ["images", "conv.weight"],
        ((("Conv2d(3", "Conv2d(1"),), (("conv(images)", "conv(images.expand(-1, 3, -1, -1))"),)),
        (1, 2, 3, 3),
    ),
    "stack": Program(
        "stack",
        """
a = torch.ones(3)  # made here
b = torch.ones(2)  # made here
answer = torch.stack([a, b]).shape  # stopped here
""",
        ["a", "b"],
        ((("stack([a, b])", "stack([a, F.pad(b, (0, 1))])"),), (("stack([a, b])", "stack([a[:2], b])"),)),
        ((2, 3), (2, 2)),
    ),
    "rnn size": Program(
        "rnn size",
        """
rnn = nn.RNN(input_size=3, hidden_size=2, batch_first=True)  # made here
x = torch.ones(1, 5, 1)  # made here
answer = rnn(x)[0].shape  # stopped here
""",
        ["x", "rnn.weight_ih_l0"],
        ((("input_size=3", "input_size=1"),), (("ones(1, 5, 1)", "ones(1, 5, 3)"),)),
        (1, 5, 2),
    ),
    "class type": Program(
        "class type",
        """
scores = torch.zeros(2, 3)  # made here
target = torch.tensor([0.0, 2.0])  # made here
answer = F.cross_entropy(scores, target)  # stopped here
""",
        ["scores", "target"],
        (((", target)", ", target.long())"),), (("[0.0, 2.0]", "[0, 2]"),)),
        1.0986123,
    ),
    "double data": Program(
        "two types",
        """
layer = nn.Linear(2, 1)  # made here
x = torch.from_numpy(np.ones((3, 2)))  # made here
answer = layer(x).shape  # stopped here
""",
        ["x", "layer.weight"],
        ((("layer(x)", "layer(x.float())"),), (("nn.Linear(2, 1)", "nn.Linear(2, 1).double()"),)),
        (3, 1),
    ),
    "double target": Program(
        "two types",
        """
w = torch.full((2,), 0.5, requires_grad=True)  # made here
target = torch.from_numpy(np.zeros(2))  # made here
loss = F.binary_cross_entropy(w, target)  # stopped here
loss.backward()
answer = w.grad.tolist()
""",
        ["w", "target"],
        (((", target)", ", target.float())"),), (("np.zeros(2)", "np.zeros(2, np.float32)"),)),
        [1.0, 1.0],
    ),
    "integer grad": Program(
        "integer grad",
        """
w = torch.tensor([1, 2], requires_grad=True)  # stopped here
w.sum().backward()
answer = w.grad.tolist()
""",
        None,
        ((("[1, 2]", "[1.0, 2.0]"),), (("[1, 2],", "[1, 2], dtype=torch.float32,"),)),
        [1.0, 1.0],
    ),
    "numpy": Program(
        "numpy",
        """
w = torch.ones(2, requires_grad=True)
y = w * 2  # made here
answer = y.numpy().tolist()  # stopped here
""",
        ["y"],
        ((("y.numpy", "y.detach().numpy"),), (("y = w * 2", "with torch.no_grad(): y = w * 2"),)),
        [2.0, 2.0],
    ),
    "class range": Program(
        "class range",
        """
scores = torch.zeros(2, 3)  # made here
target = torch.tensor([1, 3])  # made here
answer = F.cross_entropy(scores, target)  # stopped here
""",
        ["scores", "target"],
        (((", target)", ", target - 1)"),), (("zeros(2, 3)", "zeros(2, 4)"),)),
        (1.0986123, 1.3862944),
    ),
    "truth": Program(
        "truth",
        """
prediction = torch.ones(3)  # made here
target = torch.zeros(3)  # made here
answer = nn.MSELoss(prediction, target)  # stopped here
""",
        ["prediction", "target"],
        ((("nn.MSELoss(", "nn.MSELoss()("),), (("nn.MSELoss(", "F.mse_loss("),)),
        1.0,
    ),
    "number loss": Program(
        "number loss",
        """
w = torch.ones(2, requires_grad=True)
loss = (w * w).sum().item()  # lost the graph here
loss.backward()  # stopped here
answer = w.grad.tolist()
""",
        None,
        (((".item()", ""),), ((".item()", ""), ("loss.backward()", "number = loss.item(); loss.backward()"))),
        [2.0, 2.0],
    ),
    "freed": Program(
        "freed",
        """
w = torch.ones(2, requires_grad=True)
loss = (w * w).sum()  # ran forward here
loss.backward()  # most likely freed here
loss.backward()  # stopped here
answer = w.grad.tolist()
""",
        "MulBackward0",
        (
            (("here\nloss.backward()  # stopped", "here\nloss = (w * w).sum(); loss.backward()  # stopped"),),
            (("loss.backward()  # most", "loss.backward(retain_graph=True)  # most"),),
        ),
        [4.0, 4.0],
    ),
    "state": Program(
        "freed",
        """
w = torch.tensor([0.5], requires_grad=True)
h = torch.zeros(1)
for x in (1.0, 2.0):
    h = torch.tanh(w * (h + x))  # ran forward here
    h.sum().backward()  # most likely freed here, stopped here
answer = w.grad.item()
""",
        "TanhBackward0",
        ((("    h = torch", "    h = h.detach()\n    h = torch"),), (("backward()", "backward(); h = h.detach()"),)),
        1.4993366,
    ),
    "changed": Program(
        "changed",
        """
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.sigmoid(w)  # saved it here
y += 1  # changed it here
y.sum().backward()  # stopped here
answer = w.grad.tolist()
""",
        "SigmoidBackward0",
        ((("y += 1", "y = y + 1"),), (("sigmoid(w)", "sigmoid(w).clone()"),)),
        [0.1966119, 0.1049936],
    ),
    "step between": Program(
        "stepped",
        """
a, b = nn.Linear(2, 2), nn.Linear(2, 1)
step_b = torch.optim.SGD(b.parameters(), lr=0.1)
score = b(a(torch.ones(1, 2)))  # saved it here
score.sum().backward(retain_graph=True)
step_b.step()  # changed it here
(-score).sum().backward()  # stopped here
answer = a.weight.grad.abs().sum() < 1e9
""",
        "AddmmBackward0",
        (
            (("(-score)", "score = b(a(torch.ones(1, 2))); (-score)"),),
            (("step_b.step()  #", "#"), ("answer =", "step_b.step(); answer =")),
        ),
        True,
    ),
    "leaf changed": Program(
        "leaf changed",
        """
w = torch.tensor([1.0, 2.0], requires_grad=True)
w -= 0.5  # stopped here
answer = w.tolist()
""",
        "w",
        ((("w -= 0.5", "with torch.no_grad(): w -= 0.5"),), (("w -= 0.5", "w = w - 0.5"),)),
        [0.5, 1.5],
    ),
    "leaf view": Program(
        "leaf view",
        """
w = torch.tensor([1.0, 2.0], requires_grad=True)
w[0] = 5.0  # stopped here
answer = w.tolist()
""",
        "w",
        ((("w[0]", "with torch.no_grad(): w[0]"),), (("w[0]", "w = w.clone(); w[0]"),)),
        [5.0, 2.0],
    ),
    "one of several views": Program(
        "several views",
        """
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
for row in y:  # ran forward here
    row.mul_(3)  # stopped here
answer = y.sum()
""",
        "UnbindBackward0",
        (
            (("for row in y:", "for i in range(2):"), ("row.mul_", "y[i].mul_")),
            (("for row in y:", "for i in range(1):"), ("row.mul_(3)", "y = torch.stack([row * 3 for row in y])")),
        ),
        36.0,
    ),
    "scalar": Program(
        "scalar",
        """
w = torch.ones(2, requires_grad=True)
y = w * 2
y.backward()  # stopped here
answer = w.grad.tolist()
""",
        "y",
        ((("y.backward()", "y.sum().backward()"),), (("y.backward()", "y.backward(torch.ones_like(y))"),)),
        [2.0, 2.0],
    ),
    "no graph": Program(
        "no graph",
        """
w = torch.ones(2, requires_grad=True)
loss = torch.tensor((w * w).sum())  # lost the graph here
loss.backward()  # stopped here
answer = w.grad.tolist()
""",
        "loss",
        ((("torch.tensor((w * w).sum())", "(w * w).sum()"),), (("torch.tensor((w * w).sum())", "(w * w).mean() * 2"),)),
        [2.0, 2.0],
    ),
    "left off": Program(
        "left off",
        """
w = torch.ones(2, requires_grad=True)
torch.set_grad_enabled(False)  # switched off here
print(w * 2)
loss = (w * w).sum()
loss.backward()  # stopped here
answer = w.grad.tolist()
""",
        "loss",
        (
            (("print(w * 2)", "print(w * 2); torch.set_grad_enabled(True)"),),
            (("torch.set_grad_enabled(False)  # switched off here\nprint", "with torch.no_grad(): print"),),
        ),
        [2.0, 2.0],
    ),
    "unused": Program(
        "unused",
        """
w = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)  # made here
loss = (w * w).sum()
answer = torch.autograd.grad(loss, [w, b])[0].tolist()  # stopped here
""",
        "b",
        ((("[w, b])", "[w, b], allow_unused=True)"),), (("(w * w)", "(w * w + 0 * b)"),)),
        [2.0, 2.0],
    ),
    "deepcopy": Program(
        "deepcopy",
        """
import copy
net = nn.Linear(2, 1)
net.last = net(torch.ones(1, 2))  # ran forward here
twin = copy.deepcopy(net)  # stopped here
answer = twin.weight.shape
""",
        "net.last",
        (
            (("net.last = net(torch.ones(1, 2))", "net.last = net(torch.ones(1, 2)).detach()"),),
            (("net.last =", "last ="),),
        ),
        (1, 2),
    ),
    "inference": Program(
        "inference",
        """
w = torch.ones(2, requires_grad=True)  # made here
with torch.inference_mode():
    a = w * 2  # made here
y = w * a  # stopped here
y.sum().backward()
answer = w.grad.tolist()
""",
        ["w", "a"],
        ((("inference_mode", "no_grad"),), (("y = w * a", "y = w * a.clone()"),)),
        [2.0, 2.0],
    ),
    "not a leaf": Program(
        "not a leaf",
        """
w = torch.ones(2, requires_grad=True) * 0.5  # ran forward here
(w * w).sum().backward()
answer = w.grad  # read here
answer = None if answer is None else answer.tolist()
""",
        "w",
        (
            (("(w * w)", "w.retain_grad(); (w * w)"),),
            (("torch.ones(2, requires_grad=True) * 0.5", "(torch.ones(2) * 0.5).requires_grad_()"),),
        ),
        [1.0, 1.0],
        silent=True,
    ),
    "new weight": Program(
        "new weight",
        """
w = torch.ones(2, requires_grad=True)
for _ in range(2):
    loss = (w * w).sum()
    loss.backward()
    with torch.no_grad():
        w = w - 0.25 * w.grad  # made here
        w.grad.zero_()  # stopped here
answer = w.tolist()
""",
        ["w"],
        (
            (("w = w - 0.25 * w.grad", "w -= 0.25 * w.grad"),),
            (("w = w - 0.25 * w.grad", "w = (w - 0.25 * w.grad).requires_grad_()"), ("w.grad.zero_()", "")),
        ),
        [0.25, 0.25],
    ),
    "copied": Program(
        "no gradient",
        """
w = torch.tensor(2.0, requires_grad=True)  # made here
v = torch.tensor(float(w), requires_grad=True)
loss = v * v
loss.backward()
answer = w.item() - 0.1 * w.grad  # stopped here
""",
        ["w"],
        ((("loss = v * v", "loss = w * w"),), (("torch.tensor(float(w), requires_grad=True)", "w * 1"),)),
        1.6,
    ),
    "optimize a result": Program(
        "optimize a result",
        """
w = torch.ones(2, requires_grad=True) * 0.5  # ran forward here
optimizer = torch.optim.SGD([w], lr=0.1)  # stopped here
(w * w).sum().backward()
optimizer.step()
answer = w.tolist()
""",
        "w",
        (
            (("torch.ones(2, requires_grad=True) * 0.5", "(torch.ones(2) * 0.5).requires_grad_()"),),
            (("torch.ones(2, requires_grad=True) * 0.5", "torch.full((2,), 0.5, requires_grad=True)"),),
        ),
        [0.4, 0.4],
    ),
    "no parameters": Program(
        "no parameters",
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 1)]
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
net = Net()  # made here
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # stopped here
answer = sum(p.numel() for p in net.parameters())
""",
        None,
        (
            (("[nn.Linear(2, 2), nn.Linear(2, 1)]", "nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])"),),
            (("[nn.Linear(2, 2), nn.Linear(2, 1)]", "nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))"),),
        ),
        9,
    ),
    "other tensors": Program(
        "other tensors",
        """
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # made here
net = nn.Linear(2, 1)
before = net.weight.detach().clone()
net(torch.ones(1, 2)).sum().backward()
optimizer.step()  # noticed here
answer = (before - net.weight.detach()).tolist()
""",
        None,
        (
            (("net = nn.Linear(2, 1)\nbefore", "before"),),
            (("(2, 1)\nbefore", "(2, 1)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nbefore"),),
        ),
        [[0.1, 0.1]],
        silent=True,
    ),
    "zero_grad": Program(
        "zero_grad",
        """
w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
for _ in range(2):
    loss = (w * w).sum()
    loss.backward()  # added to the old gradient here
    optimizer.step()  # used the sum here
answer = w.item()
""",
        ["w"],
        ((("    loss.back", "    optimizer.zero_grad()\n    loss.back"),), (("step()", "step(); w.grad = None"),)),
        0.25,
        silent=True,
    ),
    "nan": Program(
        "nan",
        """
x = torch.tensor([0.0], requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = x.sqrt()  # ran forward here
    (y * 0).sum().backward()  # stopped here
answer = x.grad.item()
""",
        "SqrtBackward0",
        ((("x.sqrt()", "(x + 1e-8).sqrt()"),), (("x.sqrt()", "x.clamp(min=1e-8).sqrt()"),)),
        0.0,
    ),
    "gradients": Program(
        "number of gradients",
        """
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor
    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor  # backward returned here
w = torch.ones(2, requires_grad=True)
y = Scale.apply(w, 3.0)
y.sum().backward()  # stopped here
answer = w.grad.tolist()
""",
        "ScaleBackward",
        (
            (("return grad * ctx.factor", "return grad * ctx.factor, None"),),
            (("ctx, x, factor", "ctx, x, factor=3.0"), ("grad * ctx.factor", "(grad * ctx.factor, None)")),
        ),
        [3.0, 3.0],
    ),
}
