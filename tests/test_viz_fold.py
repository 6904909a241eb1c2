"""Folding: modules and repeated pieces as one box, what stays outside, and what unfolds."""

import time

import pytest
from goldens.record_seeds import source
from readable import readable

import minigrad
import viz
from viz.graph import module
from viz.graph.autograd import graph_of
from viz.graph.fold import LARGE, folded
from viz.graph.model import Cluster, Edge, Graph, Node


def chain(torch, length, between=lambda i, y: y):
    w = torch.tensor([0.9], requires_grad=True)
    y = w
    for i in range(length):
        y = between(i, (y * w).tanh())
    return y, {"w": w}


def called(picture):
    """What stands in the boxes and circles, with how often."""
    return [node.name + f" × {node.count}" * (node.count > 1) for node in picture.graph.nodes]


def network(torch):
    nn = torch.nn
    return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 1)))


# -- repeated pieces -----------------------------------------------------------------------------


def test_a_loop_is_one_box_with_its_count(torch):
    y, names = chain(torch, 30)
    picture = viz.draw(y, names=names)
    assert called(picture) == ["w", "mul tanh × 30", ""]
    assert picture.graph.nodes[1].holds == ("MulBackward0", "TanhBackward0")
    assert "30 × (mul tanh) of w" in picture.alt and "× 30" in readable(picture.svg)


def test_small_graphs_stay_unfolded_unless_asked(torch):
    y, names = chain(torch, (LARGE - 2) // 2)
    assert len(viz.draw(y, names=names).graph.nodes) == LARGE
    assert called(viz.draw(y, names=names, fold=True)) == ["w", f"mul tanh × {(LARGE - 2) // 2}", ""]
    y, names = chain(torch, LARGE)
    assert len(viz.draw(y, names=names).graph.nodes) == 3
    unfolded = viz.draw(y, names=names, fold=False).graph
    assert len(unfolded.nodes) == 2 + 2 * LARGE == len(viz.draw(y, names=names, unfold="mul tanh").graph.nodes)
    # what is in both pictures has the same id in both
    assert {node.id for node in viz.draw(y, names=names).graph.nodes} < {node.id for node in unfolded.nodes}


def test_what_differs_is_not_folded(torch):
    operators = [lambda y: y.exp(), lambda y: y.sin(), lambda y: y.sqrt(), lambda y: y.log(), lambda y: y.cos()]
    y, names = chain(torch, 4, between=lambda i, y: operators[i](y))
    graph = graph_of([y], names.items())
    assert folded(graph) == graph


def test_shared_weights_stay_outside_and_own_ones_go_inside(torch):
    shared = torch.ones(3, 3, requires_grad=True)
    own = [torch.ones(3, 3, requires_grad=True) for _ in range(5)]
    start = torch.ones(1, 3)
    x = start
    for weight in own:
        x = ((x @ weight) @ shared).tanh()
    names = {"shared": shared, "start": start, "x": x} | {f"own{i}": weight for i, weight in enumerate(own)}
    picture = viz.draw(x, names=names, fold=True)
    assert called(picture) == ["start", "shared", "mm mm tanh × 5", "x"]
    into = [edge.source for edge in picture.graph.edges if edge.target == picture.graph.nodes[2].id]
    assert len(into) == len(set(into)) == 2  # one arrow each, however often it is used


def test_what_was_asked_for_is_never_folded_away(torch):
    steps = []
    y, names = chain(torch, 30, between=lambda i, y: steps.append(y) or y)
    picture = viz.draw(y, steps[14], names=names | {"half": steps[14]})
    last = ["MulBackward0", "TanhBackward0", "half"]  # a step that is not in a box
    assert called(picture) == ["w", "mul tanh × 14", *last, "mul tanh × 15", ""]


# -- modules -------------------------------------------------------------------------------------


def test_a_module_is_run_on_an_example(torch):
    net = network(torch)
    picture = viz.draw(net, torch.ones(4, 2))
    names = {node.name for node in picture.graph.nodes if node.kind in ("leaf", "constant", "value")}
    assert names == {name for name, _ in net.named_parameters()} | {"input", "output"}
    frames = picture.graph.clusters
    assert [(frame.label, frame.parent) for frame in frames] == [
        ("0: Linear", None),
        ("1: Tanh", None),
        ("2: Linear", None),
        ("3: Sequential", None),
        ("3.0: Tanh", 3),
        ("3.1: Linear", 3),
    ]
    assert "0: Linear" in readable(picture.svg).splitlines()
    known = {node.id: node.name for node in picture.graph.nodes}
    assert {known[id_] for id_ in frames[0].nodes} == {"0.weight", "0.bias", "TBackward0", "AddmmBackward0"}


def test_modules_fold_and_unfold(torch):
    net, x = network(torch), torch.ones(4, 2)
    fold = viz.draw(net, x, fold=True)
    assert called(fold) == ["input", "0: Linear", "TanhBackward0", "2: Linear", "3: Sequential", "output"]
    assert "2 operators" in readable(fold.svg).splitlines()
    opened = viz.draw(net, x, fold=True, unfold="3")
    assert called(opened)[-4:] == ["2: Linear", "TanhBackward0", "3.1: Linear", "output"]
    assert [frame.label for frame in opened.graph.clusters] == ["3: Sequential"]
    inner = viz.draw(net, x, fold=True, unfold="3.1: Linear")  # opens what is around it, too
    assert "3.1.weight" in called(inner) and "0: Linear" in called(inner)
    with pytest.raises(ValueError, match="nothing here is called '4': there are '0: Linear', '1: Tanh', '2: Linear', "):
        viz.draw(net, x, fold=True, unfold="4")
    assert viz.draw(net, x, unfold="3").graph.clusters  # nothing is folded, so all is open


def test_equal_layers_are_one_box(torch):
    nn = torch.nn
    net = nn.Sequential(*[nn.Sequential(nn.Linear(2, 2), nn.Tanh()) for _ in range(40)])
    picture = viz.draw(net, torch.ones(1, 2))
    assert called(picture) == ["input", "Sequential × 40", "output"]
    assert picture.graph.nodes[1].holds == ("TBackward0", "AddmmBackward0", "TanhBackward0")  # of one of them


def test_a_module_that_is_called_in_a_loop(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.out = torch.nn.RNNCell(1, 2), torch.nn.Linear(2, 1)

        def forward(self, x):
            h, outs = None, []
            for t in range(6):
                h = self.cell(x[t], h)
                outs.append(self.out(h))
            return {"last": h, "all": torch.stack(outs)}

    names = called(viz.draw(Net(), torch.ones(6, 1, 1), fold=True))
    assert {"select cell out × 6", "select cell out × 5"} & set(names)  # the last h is a result, so its maker stays
    assert {"cell.weight_hh", "out.bias", "last", "all"} <= set(names)


def test_a_module_is_not_given_what_others_made(torch):
    class Peeking(torch.nn.Module):
        def forward(self, x):
            return x + self.seen.tanh()

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(2, 2), Peeking()

        def forward(self, x):
            self.second.seen = self.first(self.first.weight.sum() * x)
            return self.second(x)

    graph = viz.draw(Net(), torch.ones(1, 2), fold=False).graph
    names = {node.id: node.name for node in graph.nodes if node.kind == "operator"}
    inside = {frame.label: [names[id_] for id_ in frame.nodes if id_ in names] for frame in graph.clusters}
    assert inside == {
        "first: Linear": ["TBackward0", "AddmmBackward0"],
        "second: Peeking": ["TanhBackward0", "AddBackward0"],
    }


def test_hooks_are_gone_even_after_an_error(torch, monkeypatch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 1))
    assert "linear refused" in viz.draw(net, torch.ones(4, 3)).alt
    with pytest.raises(TypeError):
        viz.draw(net)
    viz.draw(net, torch.ones(4, 2))
    monkeypatch.setattr(module, "tensors_in", None)  # a hook left behind would call it
    assert net(torch.ones(4, 2)).shape == (4, 1)


def seeds_net(framework):
    """The recurrent network of tests/seeds, with the weights that its seed gives."""
    scope = {"__name__": "seeds"}
    exec(source("dynamic_rnn", framework).split("def count_nodes")[0], scope)
    return scope["RNN"]()


def seeds_pictures(torch):
    net = seeds_net(torch.__name__)
    x = torch.linspace(0, 3, 10).sin().reshape(1, 10, 1)
    prediction, h_state = net(x, None)
    loss = torch.nn.MSELoss()(prediction, x.cos())
    names = {"x": x, "loss": loss, "h_state": h_state} | dict(net.named_parameters())
    everything = ("values", "shapes", "grads", "saved", "storage")
    yield viz.draw(net, x, None)
    yield viz.draw(loss, names=names)
    yield viz.draw(loss, h_state, names=names, fold=False, convention="data", show=everything)
    loss.backward()
    yield viz.draw(loss, names=names, direction="backward", unfold="select t addmm")


def test_the_seeds_network_in_few_boxes(torch):
    network, loss, unfolded, _ = seeds_pictures(torch)
    assert [name for name in called(network) if not name.startswith("out")] == [
        *("x", "rnn: RNN", "select out × 10", "StackBackward0")
    ]
    assert {"t addmm add … × 10", "select t addmm × 10"} <= set(called(loss)) and len(loss.graph.nodes) < LARGE
    assert len(unfolded.graph.nodes) > 84


@pytest.mark.torch
def test_pytorchs_pictures_are_minigrads_pictures():
    torch = pytest.importorskip("torch")
    for ours, theirs in zip(seeds_pictures(minigrad), seeds_pictures(torch), strict=True):
        assert ours.graph == theirs.graph and ours.svg == theirs.svg


def test_drawing_leaves_a_modules_statistics_alone(torch):
    """A batch norm that was drawn had another running mean than before."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    before = {name: (id(own), own.tolist()) for name, own in net.named_buffers()}
    assert len(before) == 3
    viz.draw(net, torch.arange(8.0).reshape(4, 2))
    assert {name: (id(own), own.tolist()) for name, own in net.named_buffers()} == before
    assert "refused" in viz.draw(net, torch.ones(4, 3)).alt
    assert {name: (id(own), own.tolist()) for name, own in net.named_buffers()} == before


def test_a_residual_begins_with_the_input(torch):
    """x + f(x) saves nothing of x: it was drawn as a constant that is "not saved"."""

    class Residual(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.nn.Linear(2, 2)

        def forward(self, x):
            return (x + self.inner(x)).relu() * 2.0

    graph = viz.draw(Residual(), torch.ones(1, 2), fold=True).graph
    name = {node.id: node.name for node in graph.nodes}
    assert {("x", "AddBackward0"), ("x", "inner: Linear")} <= {(name[e.source], name[e.target]) for e in graph.edges}


@pytest.mark.torch
def test_a_transformers_input_is_seen_in_its_residual():
    torch = pytest.importorskip("torch")
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    graph = viz.draw(layer, torch.ones(1, 5, 16)).graph
    name = {node.id: node.name for node in graph.nodes}
    assert ("src", "AddBackward0") in {(name[e.source], name[e.target]) for e in graph.edges}


# -- large ones, and others' --------------------------------------------------------------------


def test_2000_nodes_are_drawn_folded_within_a_second(torch):
    y, names = chain(torch, 1000)
    times = []
    for _ in range(3):
        start = time.process_time()
        picture = viz.draw(y, names=names)
        assert len(picture.svg) < 10_000 and len(picture.graph.nodes) == 3
        times.append(time.process_time() - start)
    assert min(times) < 1  # seconds of the processor's; a fifth of one where nothing else runs


def test_frames_stay_in_order_when_their_nodes_fold():
    nodes = tuple(Node(f"n{i}", "operator", name) for i, name in enumerate(("A", "B", "C", "D", "E")))
    edges = tuple(Edge(f"n{i}", f"n{i + 1}") for i in range(5))
    clusters = (Cluster("outer", ("n0",)), Cluster("inner", ("n1", "n2"), 0), Cluster("next", ("n3", "n4")))
    graph = Graph((*nodes, Node("n5", "value", "y")), edges, ("n5",), clusters)
    outer = folded(graph, "outer")
    assert outer.clusters == (Cluster("outer", ("n0", "n2")),)
    assert [node.id for node in outer.nodes] == ["n0", "n2", "n4", "n5"]
    assert folded(graph, "inner").clusters == (Cluster("outer", ("n0",)), Cluster("inner", ("n1", "n2"), 0))
    assert [node.id for node in folded(graph).nodes] == ["n2", "n4", "n5"]


def test_a_folded_name_is_escaped():
    odd = type("<script>", (minigrad.nn.Linear,), {})
    net = minigrad.nn.Sequential(odd(1, 1))
    for fold in (True, False):
        svg = viz.draw(net, minigrad.ones(1, 1), fold=fold).svg
        assert "<script" not in svg and "&lt;script&gt;" in svg
