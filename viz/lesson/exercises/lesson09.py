"""Lesson 9, random time steps: one step of a recurrent network, a training loop to be mended, and the loss of sequences
of different length in one padded batch."""

import numpy as np

from ..ask import Ask, probe
from ..task import Wrong, function


def _tensors(torch, random, *sizes):
    return [torch.tensor(random.normal(size=size).astype(np.float32)) for size in sizes]


def _one_step(torch, random):
    yield tuple(
        torch.tensor(each) for each in ([[1.0]], [[0.5, -0.5]], [[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])
    )
    for batch, inputs, hidden in ((1, 3, 3), (4, 2, 5)):
        sizes = (batch, inputs), (batch, hidden), (inputs, hidden), (hidden, hidden), (hidden,)
        yield tuple(_tensors(torch, random, *sizes))


def _is_what_rnn_does(given, torch, random):
    rnn = torch.nn.RNN(2, 3, batch_first=True)
    with torch.no_grad():
        for parameter in rnn.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape))))
        (x,) = _tensors(torch, random, (1, 6, 2))
        h = torch.zeros(1, 3)
        for t in range(6):
            h = given(x[:, t], h, rnn.weight_ih_l0.t(), rnn.weight_hh_l0.t(), rnn.bias_ih_l0 + rnn.bias_hh_l0)
        if not torch.allclose(h, rnn(x)[1][0], atol=1e-5):
            return "Each step is right, and yet six of them are not what `nn.RNN` makes of the same six inputs."
    return None


STEP = "def step(x, h, W, U, b):\n    return "

rnn_step = function(
    "rnn_step",
    task={
        "en": "Write one time step: the new state, made of what is read, `x`, and of the old state, `h`. Then six of "
        "your steps are compared with `nn.RNN`.",
        "zh": "写出一个时间步：由读入的 `x` 和旧状态 `h` 得到新状态。随后用你的六步与 `nn.RNN` 比较。",
    },
    gap=STEP + "...",
    solution=STEP + "torch.tanh(x @ W + h @ U + b)",
    points=_one_step,
    verify=_is_what_rnn_does,
    hints=[
        "What is read goes through W, the old state through U: a row times a matrix is `row @ matrix`.",
        "`x @ W`, plus `h @ U`, plus `b`; and around the whole sum the tanh.",
        "`torch.tanh(x @ W + h @ U + b)`",
    ],
    wrong=[
        Wrong(STEP + "x @ W + h @ U + b", "Without tanh the state can grow without end. Where does it go?"),
        Wrong(STEP + "torch.tanh(x @ W + b)", "What does this step know of the ones before it?"),
        Wrong(STEP + "torch.tanh(x @ W + h @ U)", "And b?"),
        Wrong(STEP + "torch.tanh(x @ W) + torch.tanh(h @ U + b)", "One tanh, around the whole sum."),
        Wrong(STEP + "torch.tanh(x * W + h * U + b)", "`*` multiplies number by number. A row times a matrix is `@`."),
        Wrong(STEP + "torch.tanh(W @ x + U @ h + b)", "x and h are rows, so they stand on the left: `x @ W`."),
        Wrong(
            STEP + "torch.tanh(x @ W + h * U + b)", "h is a row of numbers, U a square of them: is `*` their product?"
        ),
    ],
    because="So does `nn.RNN`, at every time step, with the same W, U and b.",
)


def _three_pieces(torch, random):
    torch.optim.Adam(
        [torch.zeros(1, requires_grad=True)]
    )  # PyTorch's first one takes seconds: not on the reader's time
    yield ()


def _losses(given, torch):
    """What the loop prints of a small network, always with the same weights."""
    random = np.random.default_rng(0)

    class Net(torch.nn.Module):  # type: ignore[name-defined]
        def __init__(self):
            super().__init__()
            self.rnn, self.out = torch.nn.RNN(1, 4, batch_first=True), torch.nn.Linear(4, 1)

        def forward(self, x, h_state):
            states, h_state = self.rnn(x, h_state)
            return self.out(states), h_state

    net = Net()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.tensor(random.normal(size=tuple(parameter.shape)) / 2))
    times = np.linspace(0, 3 * np.pi, 24, dtype=np.float32).reshape(3, 1, 8, 1)
    pieces = [(torch.tensor(np.sin(each)), torch.tensor(np.cos(each))) for each in times]
    return given(net, torch.optim.Adam(net.parameters(), lr=0.02), pieces)


LOOP = """
def train_on(rnn, optimizer, pieces):
    h_state, losses = None, []
    for x, y in pieces:
        prediction, h_state = rnn(x, h_state)
        loss = ((prediction - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward({how})
        optimizer.step()
        losses.append(loss.item())
        print("iteration", len(losses), "loss", round(losses[-1], 4)){last}
    return losses
"""

cut_the_state = function(
    "cut_the_state",
    task={
        "en": "Mend the loop by one line: it keeps the numbers in `h_state`, and forgets how they came about.",
        "zh": "用一行改好这个循环：保留 `h_state` 里的数，忘掉它们是怎么来的。",
    },
    gap=LOOP.format(how="", last=""),
    solution=LOOP.format(how="", last="\n        h_state = h_state.detach()"),
    points=_three_pieces,
    run=_losses,
    where={
        "en": "On three pieces of a wave, with a small network of the check's own",
        "zh": "在三段波上，用检查自带的小网络",
    },
    may_change=True,
    hints=[
        "Where would backward run to in the second iteration, if you let it?",
        "You have seen it at work: ✂. What is its name in PyTorch?",
        "`h_state = h_state.detach()`, before the next piece uses it.",
    ],
    wrong=[
        Wrong(
            LOOP.format(how="", last="\n        h_state = None"),
            "It runs. But the second piece now begins with no idea of where on the wave it is.",
        ),
        Wrong(
            LOOP.format(how="", last="\n        h_state.detach()"),
            "`detach` changes nothing in place: it gives a new tensor, and nobody has taken it. The name `h_state` "
            "still holds the old one, with its history.",
            uses="detach",
        ),
        Wrong(
            LOOP.format(how="retain_graph=True", last=""),
            "The drawers stay full. But what has `optimizer.step()` done meanwhile to the weights that they hold?",
        ),
    ],
    because="The numbers go on, their history ends: each backward runs through its own piece.",
)


def _padded(torch, random):
    prediction, target = (
        torch.tensor([[1.0, 2.0, 7.0], [0.0, 1.0, 2.0]]),
        torch.tensor([[0.0, 0.0, 0.0], [0.0, 1.0, 4.0]]),
    )
    yield prediction, target, [2, 3]
    for lengths in ([1, 4], [5, 2, 3]):
        longest = max(lengths)
        prediction, target = _tensors(torch, random, (len(lengths), longest), (len(lengths), longest))
        for row, length in enumerate(lengths):
            target[row, length:] = 0
        yield prediction, target, lengths


NO_GRAPH = "The number is right, but it has lost its history: `backward()` could not train with it."


def _can_be_trained(given, torch, random):
    (prediction,) = _tensors(torch, random, (2, 3))
    loss = given(prediction.requires_grad_(), torch.zeros(2, 3), [2, 3])
    return None if getattr(loss, "requires_grad", False) else NO_GRAPH


HEAD = "def padded_loss(prediction, target, lengths):\n"

padded_loss = function(
    "padded_loss",
    task={
        "en": "Write the loss of a padded batch: the mean of the squared errors over the time steps that are there. "
        "`prediction` and `target` are (batch, longest), `lengths` a list.",
        "zh": "写出补齐批次的损失：只对真实存在的时间步取平方误差的平均。"
        "`prediction` 和 `target` 的形状是 (batch, longest)，`lengths` 是列表。",
    },
    gap=HEAD + "    errors = (prediction - target) ** 2\n    return ...",
    solution=HEAD
    + "    total = 0.0\n"
    + "    for row, length in enumerate(lengths):\n"
    + "        errors = prediction[row, :length] - target[row, :length]\n"
    + "        total = total + (errors**2).sum()\n"
    + "    return total / sum(lengths)",
    points=_padded,
    rel=1e-3,
    verify=_can_be_trained,
    hints=[
        "Which numbers of a row are padding? How many of them count?",
        "`prediction[row, :length]` are those that are there.",
        "Add up the squared errors of every row's first `length` numbers, and divide by `sum(lengths)`.",
    ],
    wrong=[
        Wrong(
            HEAD + "    return ((prediction - target) ** 2).mean()",
            "That counts the padding. Double the padding: is the loss still the same?",
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).sum()\n"
            + "    return total / prediction.numel()",
            "The errors of the padding are out, but it is still counted: by what do you divide?",
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).mean()\n"
            + "    return total / len(lengths)",
            "That is the mean of the sequences' means: a time step of a short sequence counts for more.",
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total = total + ((prediction[row, :length] - target[row, :length]) ** 2).sum()\n"
            + "    return total",
            "That is the sum. Of how many time steps?",
        ),
        Wrong(
            HEAD
            + "    total = 0.0\n    for row, length in enumerate(lengths):\n"
            + "        total += ((prediction[row, :length] - target[row, :length]) ** 2).sum().item()\n"
            + "    return torch.tensor(total / sum(lengths))",
            NO_GRAPH,
        ),
    ],
    because="However long the padding is, the loss is the same.",
)


probe(
    9,
    "one weight a step",
    before=Ask(
        ask="The same u is used three times: h = 1, then three times h = u · h. At u = 2 that gives h = 8. What is "
        "∂h/∂u?",
        choices={
            "4": "That is what one use brings. u is used three times.",
            "8": "That is h itself.",
            "12": "Each of the three uses brings 2 · 2, and they add up.",
            "24": "Each use leaves out its own u: it brings 4, not 8.",
        },
        right="12",
        proof="""
u = torch.tensor(2.0, requires_grad=True)
h = torch.tensor(1.0)
for _ in range(3):
    h = u * h
h.backward()
answer = f"{u.grad.item():g}"
""",
    ),
    after=Ask(
        ask="A loop of two time steps: h = 1, then twice h = u · h. At u = 5 that gives h = 25. What is ∂h/∂u?",
        choices={
            "5": "That is what one of the two time steps brings.",
            "10": "Two time steps, each brings the other one's u: 5 + 5.",
            "25": "That is h itself, or the two multiplied. They add up.",
            "50": "Each time step leaves out its own u.",
        },
        right="10",
        proof="""
u = torch.tensor(5.0, requires_grad=True)
h = torch.tensor(1.0)
for _ in range(2):
    h = u * h
h.backward()
answer = f"{u.grad.item():g}"
""",
    ),
)

probe(
    9,
    "detach forgets the number",
    before=Ask(
        ask="A recurrent network's state is detached between two pieces: `h = h.detach()`. What does it know in the "
        "second piece of what it has read in the first?",
        choices={
            "nothing": "The numbers in h are still there. What is gone?",
            "as much as without detach": "The numbers are the same; only backward can't go further back.",
            "half of it": "detach changes no number.",
        },
        right="as much as without detach",
        proof="""
h = torch.tensor([0.5, -0.5], requires_grad=True) * 2
answer = "as much as without detach" if torch.equal(h, h.detach()) else "nothing"
""",
    ),
    after=Ask(
        ask="u = 2, `h = (u * 3).detach()` and `y = h + u`. What are y and u.grad after `y.backward()`?",
        choices={
            "8 and 1": "h is still 6. Its history is cut off, so u counts once, by the other path.",
            "2 and 1": "detach keeps the number: h is 6.",
            "8 and 4": "So it would be without detach: 3 through h, and 1.",
            "8 and 0": "One of the two paths is cut. There is another one.",
        },
        right="8 and 1",
        proof="""
u = torch.tensor(2.0, requires_grad=True)
h = (u * 3).detach()
y = h + u
y.backward()
answer = f"{y.item():g} and {u.grad.item():g}"
""",
    ),
)
