"""The picture of a module shows its whole data flow, on minigrad and on PyTorch: also what no gradient flows through,
where a gradient is cut, what is changed in place; and drawing changes nothing."""

import dataclasses
import math
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import viz


def wiring(graph):
    """{what an operator is called: what its inputs are called}; for one operator of each name."""
    called = {node.id: node.name for node in graph.nodes}
    into: dict[str, list[str]] = {}
    for edge in graph.edges:
        into.setdefault(called[edge.target], []).append(called[edge.source])
    return into


def node_of(graph, name):
    return next(node for node in graph.nodes if node.name == name)


def module(torch, forward, **parts):
    """A module with these parts, whose forward is `forward(self, …)`."""

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

    Model.forward = forward
    return Model()


def test_what_is_done_to_an_example_before_it_meets_a_weight_is_drawn(torch):
    net = module(torch, lambda self, x: self.l(torch.sin(x.transpose(0, 1))), l=torch.nn.Linear(3, 2))
    graph = viz.draw(net, torch.ones(3, 4), fold=False).graph
    into = wiring(graph)
    assert into["transpose"] == ["x"] and into["sin"] == ["transpose"] and "sin" in into["AddmmBackward0"]
    assert not node_of(graph, "sin").records and node_of(graph, "AddmmBackward0").records


@pytest.mark.parametrize("how", ["frozen", "no_grad", "no parameters", "integers"])
def test_a_module_without_gradients_is_drawn(torch, how):
    linear = torch.nn.Linear(3, 2)
    x = torch.ones(4, 3)
    if how == "frozen":
        linear.requires_grad_(False)
    net = module(torch, lambda self, x: torch.relu(self.l(x)), l=linear)
    if how == "no parameters":
        net = module(torch, lambda self, x: torch.relu(x))
    if how == "integers":
        net, x = module(torch, lambda self, x: (x + 1)[0]), torch.arange(6).reshape(2, 3)
    if how == "no_grad":
        with torch.no_grad():
            picture = viz.draw(net, x, fold=False)
    else:
        picture = viz.draw(net, x, fold=False)
    operators = [node for node in picture.graph.nodes if node.kind == "operator"]
    assert operators and not any(node.records for node in operators)
    assert "output" in picture.alt and "carries no gradient" in picture.alt


def test_a_cut_is_a_cut(torch):
    """Into `detach` and `argmax` a gradient could flow, and is cut: ✂. Out of them, none comes."""

    def forward(self, x):
        h = self.l(x)
        return h * h.detach(), h.argmax(1)

    picture = viz.draw(module(torch, forward, l=torch.nn.Linear(2, 2)), torch.ones(3, 2), fold=False)
    from viz.graph.order import carried, gradients

    graph = picture.graph
    called = {node.id: node.name for node in graph.nodes}
    ways = {
        (called[edge.source], called[edge.target]): (forward, backward)
        for edge, forward, backward in zip(graph.edges, carried(graph), gradients(graph), strict=True)
    }
    assert ways["AddmmBackward0", "detach"] == ("detach", "blocked")
    assert ways["AddmmBackward0", "argmax"] == ("detach", "blocked")
    assert ways["detach", "MulBackward0"] == ("quiet", "blocked")
    assert ways["AddmmBackward0", "MulBackward0"] == ("", "gradient")


def test_what_a_function_of_the_readers_saved_keeps_its_maker(torch):
    """The second input carries no gradient, and something made it: that was a KeyError on PyTorch."""

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, by):
            ctx.save_for_backward(by)
            return x * by

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0], None

    net = module(torch, lambda self, x: Scaled.apply(self.l(x), torch.sin(x)), l=torch.nn.Linear(2, 2))
    into = wiring(viz.draw(net, torch.ones(3, 2), fold=False).graph)
    assert into["ScaledBackward"] == ["AddmmBackward0", "sin"] and into["sin"] == ["x"]


def test_a_module_that_does_nothing_or_is_not_ready(torch):
    nn = torch.nn
    (node,) = viz.draw(nn.Identity(), torch.ones(2)).graph.nodes
    assert node.name == "input"
    net = nn.Sequential(nn.Tanh(), nn.LazyLinear(2))
    with pytest.raises(ValueError, match="1: LazyLinear has no sizes yet: call the module once"):
        viz.draw(net, torch.ones(1, 3))
    net(torch.ones(1, 3))
    assert wiring(viz.draw(net, torch.ones(1, 3), fold=False).graph)["output"] == ["AddmmBackward0"]


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
def test_a_module_of_torchscript_is_a_part_of_the_picture():
    torch = pytest.importorskip("torch")
    scripted = torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2))
    net = module(torch, lambda self, x: self.l(torch.sin(x)), l=scripted)
    into = wiring(viz.draw(net, torch.ones(3, 2), fold=False).graph)
    assert "l.weight" in into["TBackward0"] and into["output"] == ["AddmmBackward0"]
    viz.draw(scripted, torch.ones(3, 2))


def test_what_is_written_through_a_view_reaches_the_whole(torch):
    """A cache: a row is written, and then all of it is read."""

    def forward(self, x):
        cache = torch.zeros(2, 2)
        cache[0] = torch.sin(x)
        return self.l(cache)

    picture = viz.draw(module(torch, forward, l=torch.nn.Linear(2, 1)), torch.ones(2), fold=False)
    graph = picture.graph
    reached, todo = set(), [node_of(graph, "AddmmBackward0").id]
    while todo:
        reached.add(todo.pop())
        todo += [edge.source for edge in graph.edges if edge.target in reached and edge.source not in reached]
    assert node_of(graph, "x").id in reached
    assert any(node.in_place for node in graph.nodes) and "(in place)" in picture.alt


def test_no_phantom_leaf(torch):
    """y[:2] = y[:2] + l(x): the zeros were drawn as a leaf, and PyTorch warned about its `.grad`."""

    def forward(self, x):
        y = torch.zeros(4, 2)
        y[:2] = y[:2] + self.l(x)
        return y

    net = module(torch, forward, l=torch.nn.Linear(2, 2))
    graph = viz.draw(net, torch.ones(2, 2), fold=False).graph
    assert {node.name for node in graph.nodes if node.kind == "leaf"} == {"l.weight", "l.bias"}


def test_indices_that_come_beside_values_keep_their_maker(torch):
    """max gives values, which carry a gradient, and indices, which don't: their arrows were missing."""

    def forward(self, x):
        best, chosen = self.l(x).max(1)
        return best, (chosen == 1).float() * 2

    graph = viz.draw(module(torch, forward, l=torch.nn.Linear(2, 3)), torch.ones(4, 2), fold=False).graph
    into = wiring(graph)
    assert into["eq"] == ["MaxBackward0"] and len(graph.roots) == 2
    assert not next(node for node in graph.nodes if node.name == "eq").records


def test_index_tensors_are_inputs(torch):
    """x[i], and x[i] = y, with and without a gradient."""

    def forward(self, x, i, y):
        h = self.l(x)[i + 1]
        copy = x * 2
        copy[i - 1] = y
        return h, x[i * 2], copy

    net = module(torch, forward, l=torch.nn.Linear(2, 2))
    graph = viz.draw(net, torch.ones(4, 2), torch.tensor([0, 1]), torch.zeros(2, 2), fold=False).graph
    into = wiring(graph)
    assert "add" in into["IndexBackward0"] and "mul" in into["index"]
    assert {"sub", "y"} <= set(into["index_put"])


@pytest.mark.parametrize("part", ["all", "a row"])
def test_an_operand_of_a_change_in_place_is_an_input(torch, part):
    """h += sin(x): the arrow from sin was missing."""

    def forward(self, x):
        h = self.l(x) * 2
        if part == "all":
            h += torch.sin(x)
        else:
            h[1:] += torch.sin(x[:1])
        return h

    graph = viz.draw(module(torch, forward, l=torch.nn.Linear(3, 3)), torch.ones(2, 3), fold=False).graph
    called = {node.id: node.name for node in graph.nodes}
    users = [called[edge.target] for edge in graph.edges if called[edge.source] == "sin"]
    assert users == ["AddBackward0" if part == "all" else "CopySlices"]


def test_operations_without_a_gradient_have_pytorchs_names(torch):
    def forward(self, x):
        return (x[:, None].mean(1).sum(1, keepdim=True) - x[1:].cumsum(0)).squeeze(0)

    graph = viz.draw(module(torch, forward), torch.ones(2, 3), fold=False).graph
    names = [node.name for node in graph.nodes if node.kind == "operator"]
    assert names == ["unsqueeze", "mean", "sum", "slice", "cumsum", "sub", "squeeze"]


def test_a_mask_by_name_and_results_by_name(torch):
    @dataclasses.dataclass
    class Out:
        logits: Any
        hidden: list[Any]

    def forward(self, x, *, mask=None, **more):
        h = self.l(x) * mask
        return Out(h + more["shift"], [h])

    net = module(torch, forward, l=torch.nn.Linear(3, 3))
    ones = torch.ones(2, 3)
    graph = viz.draw(net, ones, mask=ones[:, :1], shift=ones[0], fold=False).graph
    names = {node.name for node in graph.nodes}
    assert {"x", "mask", "shift", "logits"} <= names
    with pytest.raises(TypeError, match="unexpected keyword argument 'maskk'"):
        viz.draw(torch.nn.Linear(3, 3), ones, maskk=ones)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foldd'"):
        viz.draw(net.l(ones), foldd=True)


def test_drawing_changes_nothing(torch):
    """Dropout draws numbers, batch norm counts, forward keeps a tensor and changes its example: all as before."""

    def forward(self, x):
        self.last = self.d(self.b(self.l(x)))
        x.mul_(2)
        random.random(), np.random.rand()
        self.eval()
        return self.last + x

    parts = dict(l=torch.nn.Linear(3, 3), d=torch.nn.Dropout(), b=torch.nn.BatchNorm1d(3))
    net, x = module(torch, forward, **parts), torch.ones(2, 3)
    states = (torch.get_rng_state().tolist(), random.getstate(), np.random.get_state()[1].tolist())
    before = {name: own.tolist() for name, own in net.named_buffers()}
    attributes = set(net.__dict__)
    viz.draw(net, x)
    assert states == (torch.get_rng_state().tolist(), random.getstate(), np.random.get_state()[1].tolist())
    assert x.tolist() == [[1.0] * 3] * 2 and net.training and net.d.training
    assert {name: own.tolist() for name, own in net.named_buffers()} == before and set(net.__dict__) == attributes


def test_the_input_of_a_composite_layer_is_found_by_what_was_saved(torch):
    """A recurrent cell makes six operators in one call: x goes to the one that multiplies by weight_ih."""
    cell = torch.nn.RNNCell(2, 3)
    graph = viz.draw(cell, torch.ones(1, 2), torch.ones(1, 3), names={}, fold=False).graph
    makers = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        if makers[edge.source].name == "weight_ih":
            (transposed,) = [e.target for e in graph.edges if e.source == edge.target]
    inputs = [makers[edge.source].name for edge in graph.edges if edge.target == transposed]
    assert "input" in inputs and "hx" not in inputs


def unet(torch):
    nn = torch.nn

    def block(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())

    def forward(self, x):
        skips = []
        for down in self.down:
            x = down(x)
            skips.append(x)
            x = nn.functional.max_pool2d(x, 2)
        x = self.middle(x)
        for up in self.up:
            x = up(torch.cat([nn.functional.interpolate(x, scale_factor=2), skips.pop()], 1))
        return x

    down = nn.ModuleList([block(1, 2), block(2, 2), block(2, 2)])
    up = nn.ModuleList([block(4, 2) for _ in range(3)])
    return module(torch, forward, down=down, middle=block(2, 2), up=up)


def test_a_u_net_shows_its_skips(torch):
    graph = viz.draw(unet(torch), torch.ones(2, 1, 8, 8), fold=True).graph
    called = {node.id: node.name for node in graph.nodes}
    skips = {(called[e.source], called[e.target]) for e in graph.edges if called[e.target] == "CatBackward0"}
    assert {source for source, _ in skips} >= {"down.0: Sequential", "down.1: Sequential", "down.2: Sequential"}


def test_four_equal_blocks_are_one_box(torch):
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.a, self.b = nn.LayerNorm(4), nn.Linear(4, 8), nn.Linear(8, 4)

        def forward(self, x):
            return x + self.b(torch.tanh(self.a(self.norm(x))))

    net = nn.Sequential(*[Block() for _ in range(4)], nn.Linear(4, 2))
    graph = viz.draw(net, torch.ones(2, 4), fold=True).graph
    assert [(node.name, node.count) for node in graph.nodes if node.kind == "folded"] == [
        ("Block", 4),
        ("4: Linear", 1),
    ]


def test_a_box_of_equal_layers_shows_a_vanishing_gradient(torch):
    """What all layers have in common, and the gradient of the first and of the last one."""
    nn = torch.nn
    net = nn.Sequential(*[nn.Sequential(nn.Linear(3, 3), nn.Sigmoid()) for _ in range(8)])
    x = torch.ones(2, 3)

    def rows():
        (box,) = [node for node in viz.draw(net, x, fold=True).graph.nodes if node.kind == "folded"]
        return dict(box.rows)

    assert rows() == {"parameters": "12", "gives": "(2, 3)"}
    net(x).sum().backward()
    first, last = (math.sqrt(sum(float((each.grad**2).sum()) for each in net[i].parameters())) for i in (0, -1))
    assert first < last / 100 and rows()["gradient"] == f"{first:.2g} … {last:.2g}"


@pytest.mark.parametrize("layers", [1, 2])
def test_a_box_of_equal_pieces_tells_of_the_module_in_it(torch, layers):
    """A layer and what follows it, in a loop of forward: two layers with parameters would need two such rows."""
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4 * layers)])

        def forward(self, x):
            for i in range(0, len(self.layers), layers):
                for layer in list(self.layers)[i : i + layers]:
                    x = layer(x)
                x = torch.tanh(x)
            return x

    (box,) = [node for node in viz.draw(Net(), torch.ones(2, 3), fold=True).graph.nodes if node.kind == "folded"]
    assert box.count == 4 and dict(box.rows).get("parameters") == ("12" if layers == 1 else None)
    assert "gives" not in dict(box.rows)  # it would be the layer's shape, and not the piece's


def test_a_small_net_of_many_layers_is_closed_at_first(torch):
    """Frozen layers in three frames each were 3,600 pixels wide: 23 nodes are few, but their frames take room, too."""
    nn = torch.nn

    def layer(n):
        return nn.Sequential(nn.Conv2d(n, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU())

    body = nn.Sequential(layer(1), layer(4)).requires_grad_(False).eval()
    net = module(torch, lambda self, x: self.head(self.body(x).mean((2, 3))), body=body, head=nn.Linear(4, 3))
    picture = viz.draw(net, torch.ones(2, 1, 6, 6))
    assert len(viz.draw(net, torch.ones(2, 1, 6, 6), fold=False).graph.nodes) <= 24
    assert [node.name for node in picture.graph.nodes] == ["x", "body: Sequential", "mean", "head: Linear", "output"]
    assert picture.fits


def test_a_long_name_of_a_repeated_piece_keeps_its_beginning(torch):
    """A box cuts a name off at its beginning, as for "…layers.weight_ih"."""
    nn = torch.nn

    def forward(self, x):
        for _ in range(5):
            x = self.normalisation(torch.logsumexp(self.recognition(x).cumsum(1), 1, keepdim=True).expand(2, 3))
        return x

    net = module(torch, forward, normalisation=nn.LayerNorm(3), recognition=nn.Linear(3, 3))
    (box,) = [node for node in viz.draw(net, torch.ones(2, 3), fold=True).graph.nodes if node.kind == "folded"]
    assert box.count == 5 and box.name == "recognition cumsum …"


def test_depth_and_classes_say_what_is_open(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.Tanh()), nn.Sequential(nn.Linear(2, 2), nn.Tanh()))
    x = torch.ones(1, 2)

    def folded(**options):
        return [node.name for node in viz.draw(net, x, **options).graph.nodes if node.kind == "folded"]

    assert folded(depth=0) == ["0: Sequential", "1: Sequential"]
    assert folded(depth=1) == ["0.0: Linear", "1.0: Linear"] and folded(depth=2) == []
    assert folded(fold=True, unfold="Sequential") == ["0.0: Linear", "1.0: Linear"]
    assert folded(closed="Linear") == ["0.0: Linear", "1.0: Linear"] and folded(closed="1") == ["1: Sequential"]
    assert folded(closed=["1", "0.0: Linear"]) == ["0.0: Linear", "1: Sequential"]
    assert folded(closed="1", depth=1) == ["0.0: Linear", "1: Sequential"] and folded(closed="1", unfold="1") == [
        "1.0: Linear"
    ]
    with pytest.raises(ValueError, match="depth must be"):
        viz.draw(net, x, depth=-1)
    with pytest.raises(ValueError, match="no module here is called 'Linera': there are '0: Sequential', '0.0: Linear'"):
        viz.draw(net, x, closed="Linera")


def test_a_box_tells_about_its_layer(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Sequential(nn.Conv2d(1, 2, 3, stride=2), nn.ReLU()), nn.Sequential(nn.Flatten(), nn.Tanh()))
    x = torch.ones(1, 1, 5, 5)

    def rows():
        return [dict(node.rows) for node in viz.draw(net, x, fold=True).graph.nodes if node.kind == "folded"]

    first = rows()[0]
    assert first["parameters"] == "20" and first["gives"] == "(1, 2, 2, 2)" and "gradient" not in first
    net(x).sum().backward()
    size = math.sqrt(sum(float((each.grad**2).sum()) for each in net.parameters()))
    assert rows()[0]["gradient"] == f"{size:.2g}"
    net[0][0].weight.grad[0] = math.nan
    assert rows()[0]["gradient"] == "NaN"


@pytest.mark.torch
def test_the_same_code_gives_the_same_picture():
    """minigrad's picture is PyTorch's, operator by operator."""
    pytest.importorskip("torch")
    import torch

    import minigrad

    def shape_of(torch):
        def forward(self, x, i, mask):
            h = self.l(torch.sin(x.transpose(0, 1)) + self.e(i))
            return h.masked_fill(mask, 0.0) * 2 + h.detach()[0], h.argmax(1)

        net = module(torch, forward, l=torch.nn.Linear(3, 4), e=torch.nn.Embedding(5, 3))
        x, i, mask = torch.ones(3, 2), torch.tensor([1, 2]), torch.tensor([[True], [False]])
        graph = viz.draw(net, x, i, mask, fold=False).graph
        return [(node.kind, node.name, node.records) for node in graph.nodes], graph.edges

    ours, theirs = shape_of(minigrad), shape_of(torch)
    assert ours[0] == theirs[0]
    assert [(e.source, e.target) for e in ours[1]] == [(e.source, e.target) for e in theirs[1]]


FIRST = """
import torch, viz
class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(2))
    def forward(self, x):
        wave, twice = torch.sin(x), self.scale * 2
        assert twice.grad_fn._sequence_nr() == 0, "it is the first operator that this process records"
        return wave + twice
print([node.name for node in viz.draw(Scaled(), torch.ones(2), fold=False).graph.nodes if node.kind == "operator"])
"""


@pytest.mark.torch
def test_what_runs_before_the_very_first_operator_comes_before_it():
    """PyTorch numbers its operators from 0. An operation without a gradient before that one has a smaller number, so
    the picture keeps the order in which the code ran."""
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, encoding="utf-8", timeout=120)
    assert done.stdout.strip() == "['sin', 'MulBackward0', 'AddBackward0']", done.stderr
