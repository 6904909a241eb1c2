"""Training loops that are right, made from parts: task, network, optimizer, and the habits of different authors.

The programs that are written by hand stand in `healthy/`. Together they are 200.
"""

import itertools

TASKS = {
    "regression": (
        "x, y = torch.randn(12, 4), torch.randn(12, 1)",
        "loss = F.mse_loss(model(x), y)",
        1,
    ),
    "squared error": (
        "x = torch.randn(12, 4)\ny = x.sum(1, keepdim=True)",
        "loss = ((model(x) - y) ** 2).mean()",
        1,
    ),
    "squeezed": ("x, y = torch.randn(12, 4), torch.randn(12)", "loss = ((model(x).squeeze(1) - y) ** 2).mean()", 1),
    "classes": ("x, y = torch.randn(12, 4), torch.arange(12) % 3", "loss = F.cross_entropy(model(x), y)", 3),
    "two classes": (
        "x = torch.randn(12, 4)\ny = (x[:, :1] > 0).float()",
        "loss = F.binary_cross_entropy_with_logits(model(x), y)",
        1,
    ),
    "own loss": (
        "x = torch.randn(12, 4)\ny = x.abs().sum(1, keepdim=True)",
        "residual = model(x) - y\nloss = torch.log1p(residual ** 2).sum() / len(x)",
        1,
    ),
}

NETWORKS = {
    "one layer": "model = nn.Linear(4, OUT)",
    "two layers": "model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, OUT))",
    "a class": """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.last = nn.Linear(6, OUT)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        return self.last(h)
model = Net()""",
    "a list of layers": """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.scale = nn.Parameter(torch.ones(4))
        self.out = nn.Linear(4, OUT)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x)) * self.scale
        return self.out(x)
model = Net()""",
}

OPTIMIZERS = {
    "SGD": "optimizer = torch.optim.SGD(model.parameters(), lr=0.01)",
    "momentum": "optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)",
    "Adam": "optimizer = torch.optim.Adam(model.parameters(), lr=0.01)",
    "AdamW": "optimizer = torch.optim.AdamW(list(model.parameters()), lr=0.01, weight_decay=0.1)",
}

# LOSS is the line of the task.
HABITS = {
    "zero first": """for epoch in range(4):
    optimizer.zero_grad()
    LOSS
    loss.backward()
    optimizer.step()""",
    "zero between": """losses = []
for epoch in range(4):
    LOSS
    losses.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()""",
    "zero last": """def train_step(x, y):
    LOSS
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()
total = sum(train_step(x, y) for epoch in range(4))""",
    "model.zero_grad": """step = 0
while step < 4:
    LOSS
    model.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1""",
}


def programs():
    """Yield `(name, code)` for every healthy loop: each pair of parts occurs, but not every combination."""
    parts = itertools.product(TASKS, NETWORKS, OPTIMIZERS, HABITS)
    for index, (task, network, optimizer, habit) in enumerate(parts):
        places = [
            list(table).index(key) for table, key in ((NETWORKS, network), (OPTIMIZERS, optimizer), (HABITS, habit))
        ]
        if (sum(places) + list(TASKS).index(task)) % 4:
            continue
        data, loss, out = TASKS[task]
        lines = [
            "import torch",
            "import torch.nn as nn",
            "import torch.nn.functional as F",
            f"torch.manual_seed({index})",
        ]
        lines += [data, NETWORKS[network].replace("OUT", str(out)), OPTIMIZERS[optimizer]]
        body = HABITS[habit]
        lines.append(body.replace("LOSS", loss.replace("\n", "\n    ")))
        yield f"{task}, {network}, {optimizer}, {habit}", "\n".join(lines) + "\n"
