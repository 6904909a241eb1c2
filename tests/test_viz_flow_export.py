"""The arrows between modules are those of an independent trace: `torch.export`, which sees every operation.

For each model, both graphs are reduced to the same question: which modules, inputs and results does data pass between
without another module in between? Operators outside of modules are passed through, so it does not matter that export
writes `linear` where autograd has `t` and `addmm`.
"""

import warnings

import pytest

import viz
from viz.graph.fold import folded_but
from viz.graph.model import Graph

pytestmark = pytest.mark.torch


def models():
    """Pairs (name, a function that makes the model and its arguments from `torch`)."""

    def module(torch, forward, **parts):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                for name, part in parts.items():
                    setattr(self, name, part)

        Model.forward = forward
        return Model()

    def residual(torch):
        nn = torch.nn
        conv = [nn.Conv2d(2, 2, 3, padding=1) for _ in range(2)]

        def forward(self, x):
            return torch.relu(x + self.n2(self.c2(torch.relu(self.n1(self.c1(x))))))

        parts = dict(c1=conv[0], n1=nn.BatchNorm2d(2), c2=conv[1], n2=nn.BatchNorm2d(2))
        return module(torch, forward, **parts), (torch.ones(2, 2, 4, 4),)

    def u_net(torch):
        nn = torch.nn

        def forward(self, x):
            skips = []
            for down in self.down:
                x = torch.relu(down(x))
                skips.append(x)
                x = nn.functional.max_pool2d(x, 2)
            x = self.middle(x)
            for up in self.up:
                x = up(torch.cat([nn.functional.interpolate(x, scale_factor=2), skips.pop()], 1))
            return x

        down = nn.ModuleList([nn.Conv2d(i, 2, 3, padding=1) for i in (1, 2, 2)])
        up = nn.ModuleList([nn.Conv2d(4, 2, 3, padding=1) for _ in range(3)])
        net = module(torch, forward, down=down, middle=nn.Conv2d(2, 2, 1), up=up)
        return net, (torch.ones(1, 1, 8, 8),)

    def gpt(torch):
        nn = torch.nn

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm, self.qkv, self.out, self.mlp = (
                    nn.LayerNorm(4),
                    nn.Linear(4, 12),
                    nn.Linear(4, 4),
                    nn.Linear(4, 4),
                )

            def forward(self, x):
                q, k, v = self.qkv(self.norm(x)).split(4, 2)
                mask = torch.tril(torch.ones(x.shape[1], x.shape[1])) == 0
                x = x + self.out((q @ k.transpose(1, 2)).masked_fill(mask, float("-inf")).softmax(-1) @ v)
                return x + torch.relu(self.mlp(x))

        def forward(self, i):
            x = self.words(i) + self.places(torch.arange(i.shape[1]))
            for block in self.blocks:
                x = block(x)
            return self.head(x)

        parts = dict(words=nn.Embedding(7, 4), places=nn.Embedding(5, 4), head=nn.Linear(4, 7, bias=False))
        net = module(torch, forward, blocks=nn.ModuleList([Block() for _ in range(3)]), **parts)
        net.head.weight = net.words.weight
        return net, (torch.tensor([[1, 2, 3]]),)

    def seq2seq(torch):
        nn = torch.nn

        def forward(self, source, target):
            h = torch.zeros(1, 3)
            states = []
            for step in source:
                h = self.encoder(self.read(step), h)
                states.append(h)
            memory = torch.stack(states, 1)
            outs = []
            for step in target:
                h = self.decoder(self.write(step), h)
                weights = (memory @ h.unsqueeze(2)).softmax(1)
                outs.append(self.out(torch.cat([h, (weights * memory).sum(1)], 1)))
            return torch.stack(outs)

        cells = dict(encoder=nn.GRUCell(2, 3), decoder=nn.GRUCell(2, 3))
        parts = dict(read=nn.Embedding(5, 2), write=nn.Embedding(5, 2), out=nn.Linear(6, 5))
        return module(torch, forward, **cells, **parts), (torch.tensor([[1], [2]]), torch.tensor([[3], [4]]))

    def siamese(torch):
        nn = torch.nn

        def forward(self, a, b):
            return self.out((self.twin(a) - self.twin(b)).abs())

        net = module(torch, forward, twin=nn.Linear(3, 2), out=nn.Linear(2, 1))
        return net, (torch.ones(1, 3), torch.zeros(1, 3))

    def experts(torch):
        nn = torch.nn

        def forward(self, x):
            gates = self.gate(x).softmax(-1)
            return sum(gates[:, i : i + 1] * expert(x) for i, expert in enumerate(self.experts))

        net = module(torch, forward, gate=nn.Linear(3, 3), experts=nn.ModuleList([nn.Linear(3, 2) for _ in range(3)]))
        return net, (torch.ones(2, 3),)

    def deep_sets(torch):
        nn = torch.nn
        net = module(torch, lambda self, x: self.rho(self.phi(x).sum(1)), phi=nn.Linear(3, 4), rho=nn.Linear(4, 1))
        return net, (torch.ones(2, 5, 3),)

    def autoencoder(torch):
        nn = torch.nn

        def forward(self, x, noise):
            mean, spread = self.encode(x).chunk(2, 1)
            return self.decode(mean + noise * (0.5 * spread).exp()), mean, spread

        net = module(torch, forward, encode=nn.Linear(3, 4), decode=nn.Linear(2, 3))
        return net, (torch.ones(1, 3), torch.ones(1, 2))

    def dense(torch):
        nn = torch.nn

        def forward(self, x):
            seen = [x]
            for layer in self.layers:
                seen.append(torch.relu(layer(torch.cat(seen, 1))))
            return torch.cat(seen, 1)

        return module(torch, forward, layers=nn.ModuleList([nn.Linear(2 + 2 * i, 2) for i in range(4)])), (
            torch.ones(1, 2),
        )

    def diffusion(torch):
        nn = torch.nn

        def forward(self, x, t):
            angles = t[:, None] * torch.arange(1, 3)
            return self.out(torch.relu(self.noise(x) + self.time(torch.cat([angles.sin(), angles.cos()], 1))))

        parts = dict(noise=nn.Linear(3, 4), time=nn.Linear(4, 4), out=nn.Linear(4, 3))
        return module(torch, forward, **parts), (torch.ones(2, 3), torch.tensor([1.0, 2.0]))

    def graph_net(torch):
        nn = torch.nn

        def forward(self, x, near):
            h = torch.relu(near @ self.first(x))
            return self.second(near @ h).mean(0)

        return module(torch, forward, first=nn.Linear(3, 4), second=nn.Linear(4, 2)), (torch.ones(5, 3), torch.eye(5))

    def encoder(torch):
        layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=0.0)
        return layer, (torch.ones(1, 3, 4),)

    def frozen(torch):
        nn = torch.nn
        net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2)).requires_grad_(False)
        return net, (torch.ones(1, 3),)

    def half_frozen(torch):
        nn = torch.nn

        def forward(self, x):
            with torch.no_grad():
                features = self.body(x)
            return self.head(features.detach())

        net = module(torch, forward, body=nn.Linear(3, 3), head=nn.Linear(3, 2))
        return net, (torch.ones(1, 3),)

    return {name: make for name, make in locals().items() if name != "module"}


def between(nodes, arrows, is_stop, results=()):
    """The pairs of stops that are connected without another stop in between. A result may be used again."""
    out = {}
    for source, target in arrows:
        out.setdefault(source, set()).add(target)
    found = set()
    for start in filter(is_stop, nodes):
        todo, seen = list(out.get(start, ())), set()
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            if is_stop(node) or node in results:
                found.add((start, node))
            if not is_stop(node):
                todo += out.get(node, ())
    return found


def ours(graph: Graph, names):
    """The pairs in a picture with every module closed, by the modules' and arguments' names."""
    called = {node.id: node.name.partition(":")[0] for node in graph.nodes}
    ends = set(graph.roots)
    stops = {node.id for node in graph.nodes if node.kind == "folded" or node.name in names}
    pairs = between(list(called), [(edge.source, edge.target) for edge in graph.edges], stops.__contains__, ends)
    return {("output" if a in ends else called[a], "output" if b in ends else called[b]) for a, b in pairs}


def theirs(program, modules, names):
    """The same pairs in an exported program; each call of a module is contracted to its name."""

    def home(node):
        if node.op == "placeholder":
            return node.name if node.name in names else None
        if node.op == "output":
            return "output"
        inside = [path for path, _ in node.meta.get("nn_module_stack", {}).values()]
        found = [path for path in inside if path in modules]
        return found[0] if found else None

    nodes = list(program.graph.nodes)
    arrows = [(source, node) for node in nodes for source in node.all_input_nodes]
    homes = {node: home(node) for node in nodes}
    pairs = between(nodes, arrows, lambda node: homes[node] is not None)
    return {(homes[a], homes[b]) for a, b in pairs if homes[a] != homes[b]}


@pytest.mark.parametrize("name", models())
def test_arrows_between_modules_are_those_of_export(name):
    torch = pytest.importorskip("torch")
    model, arguments = models()[name](torch)
    model.eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(model, arguments)
    picture = viz.draw(model, *arguments, fold=False)
    closed, _ = folded_but(picture.graph, (), turns=False)
    drawn = {node.name.partition(":")[0] for node in closed.nodes if node.kind == "folded"}
    names = [n.name for n in program.graph.nodes if n.op == "placeholder" and not n.name.startswith(("p_", "b_", "c_"))]
    expected = theirs(program, drawn, names)
    found = {(a, b) for a, b in ours(closed, names) if a != b}
    assert found == expected
