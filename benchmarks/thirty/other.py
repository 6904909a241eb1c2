"""Other models: sets, graphs, tables, experts, physics, and programs that change tensors in place.

Imports registry. Read trace.py next.
"""

from dataclasses import dataclass
from typing import Any

from .registry import Example, model, net


@model("Mixture of experts")
def experts(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        gates = self.gate(x).softmax(-1)
        return sum(gates[:, i : i + 1] * expert(x) for i, expert in enumerate(self.experts))

    own = nn.ModuleList([nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(4)])
    return Example(net(torch, "Experts", forward, gate=nn.Linear(3, 4), experts=own), (torch.ones(5, 3),))


@model(
    "Experts, each row to one",
    by_hand=(
        "x > gate, gate > output, "  # the chosen gate scales the expert's result
        "x > experts.0, x > experts.1, "
        "gate > experts.0, gate > experts.1, "  # the chosen number selects the rows
        "experts.0 > output, experts.1 > output"
    ),
    unexportable="the number of rows for each expert depends on the data",
)
def routed(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        gates = self.gate(x).softmax(-1)
        best, chosen = gates.max(-1)
        out = torch.zeros(len(x), 2)
        for i, expert in enumerate(self.experts):
            rows = (chosen == i).nonzero().squeeze(1)
            out = out.index_add(0, rows, best[rows].unsqueeze(1) * expert(x[rows]))
        return out

    own = nn.ModuleList([nn.Linear(3, 2) for _ in range(2)])
    return Example(net(torch, "Routed", forward, gate=nn.Linear(3, 2), experts=own), (torch.eye(3),))


@model("Deep sets")
def deep_sets(torch: Any) -> Example:
    nn = torch.nn
    parts = dict(phi=nn.Sequential(nn.Linear(3, 4), nn.Tanh()), rho=nn.Linear(4, 1))
    return Example(net(torch, "Sets", lambda self, x: self.rho(self.phi(x).sum(1)), **parts), (torch.ones(2, 5, 3),))


@model("Graph convolution")
def graph_net(torch: Any) -> Example:
    nn = torch.nn

    def layer(self: Any, x: Any, edges: Any) -> Any:
        source, target = edges
        messages = self.message(torch.cat([x[source], x[target]], 1))
        return torch.relu(self.own(x) + torch.zeros(len(x), 4).index_add(0, target, messages))

    def forward(self: Any, x: Any, edges: Any) -> Any:
        for each in self.layers:
            x = each(x, edges)
        return self.out(x.mean(0))

    layers = [net(torch, "GraphConv", layer, message=nn.Linear(2 * n, 4), own=nn.Linear(n, 4)) for n in (3, 4, 4)]
    edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
    whole = net(torch, "GNN", forward, layers=nn.ModuleList(layers), out=nn.Linear(4, 2))
    return Example(whole, (torch.ones(4, 3), edges))


@model("DLRM")
def dlrm(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, dense: Any, sparse: Any) -> Any:
        x = self.bottom(dense)
        rows = torch.stack([x, *(table(sparse[:, i]) for i, table in enumerate(self.tables))], 1)
        products = torch.bmm(rows, rows.transpose(1, 2)).flatten(1)
        return torch.sigmoid(self.top(torch.cat([x, products], 1))).squeeze(1)

    tables = nn.ModuleList([nn.Embedding(9, 4) for _ in range(3)])
    parts = dict(
        bottom=nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 4)),
        top=nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 1)),
    )
    sparse = torch.tensor([[1, 2, 3], [4, 5, 6]])
    return Example(net(torch, "DLRM", forward, tables=tables, **parts), (torch.ones(2, 5), sparse))


@model("Autoencoder, tied weights")
def tied(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        h = torch.tanh(self.encode(x))
        return nn.functional.linear(h, self.encode.weight.t(), self.back)

    back = nn.Parameter(torch.zeros(6))
    return Example(net(torch, "Tied", forward, encode=nn.Linear(6, 2), back=back), (torch.ones(3, 6),))


@dataclass
class Found:
    logits: Any
    hidden: list[Any]


@model("Dictionary in, dataclass out")
def by_name(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, batch: Any) -> Any:
        h = self.words(batch["words"]) * batch["mask"].unsqueeze(-1)
        mean = h.sum(1) / batch["mask"].sum(1, keepdim=True)
        return Found(self.out(torch.relu(self.hidden(mean))), [h, mean])

    parts = dict(words=nn.Embedding(9, 4), hidden=nn.Linear(4, 4), out=nn.Linear(4, 3))
    batch = {"words": torch.tensor([[1, 2, 0]]), "mask": torch.tensor([[1.0, 1.0, 0.0]])}
    return Example(net(torch, "ByName", forward, **parts), (batch,))


# Where a view is changed, autograd has `CopySlices`, which contains the operator; export has an `add` and a `slice`
@model("Changes in place", through="add slice select write")
def in_place(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        h = self.first(x)
        h.relu_()
        cache = torch.zeros(2, 4)
        cache[0] = x[0].sin()  # no gradient flows here
        rows = h * 2
        rows[1:] += cache[:1]  # only the row that was written above
        return self.second(rows).add_(cache.sum())

    parts = dict(first=nn.Linear(4, 4), second=nn.Linear(4, 2))
    return Example(net(torch, "InPlace", forward, **parts), (torch.ones(2, 4),))


@model("ODE net: Runge and Kutta, 6 steps")
def runge_kutta(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, y: Any) -> Any:
        h = 0.1
        for _ in range(6):
            k1 = self.slope(y)
            k2 = self.slope(y + h / 2 * k1)
            k3 = self.slope(y + h / 2 * k2)
            k4 = self.slope(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y

    slope = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2))
    return Example(net(torch, "ODENet", forward, slope=slope), (torch.ones(1, 2),))


@model(
    "Physics-informed net",
    # The derivative of u by x needs the result of `act`, and the weights of both layers, which each layer transposes
    by_hand="x > first, first > act, act > last, last > output, act > output, first > output",
    unexportable="forward computes a derivative",
)
def physics(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any) -> Any:
        u = self.last(self.act(self.first(x)))
        (slope,) = torch.autograd.grad(u.sum(), x, create_graph=True)
        return slope + u

    parts = dict(first=nn.Linear(1, 4), act=nn.Tanh(), last=nn.Linear(4, 1))
    return Example(net(torch, "Physics", forward, **parts), (torch.ones(3, 1, requires_grad=True),))


@model(
    "MAML, one inner step",
    by_hand="x > net, x > output, y > output, net > output",
    unexportable="forward computes a derivative",
)
def maml(torch: Any) -> Example:
    nn = torch.nn

    def forward(self: Any, x: Any, y: Any) -> Any:
        loss = (self.net(x) - y).pow(2).mean()
        weight, bias = self.net.weight, self.net.bias
        by_weight, by_bias = torch.autograd.grad(loss, (weight, bias), create_graph=True)
        found = nn.functional.linear(x, weight - 0.1 * by_weight, bias - 0.1 * by_bias)
        return (found - y).pow(2).mean()

    return Example(net(torch, "MAML", forward, net=nn.Linear(2, 1)), (torch.ones(4, 2), torch.ones(4, 1)))


@model("A function, no module")
def function(torch: Any) -> Example:
    def scores(users: Any, items: Any, mask: Any) -> Any:
        near = users @ items.transpose(0, 1)
        return near.masked_fill(mask, -1.0).topk(2).values, near.argmax(1)

    return Example(scores, (torch.ones(2, 3), torch.eye(3), torch.tensor([[True, False, False]])))
