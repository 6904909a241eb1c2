"""A picture where it broke: the graph as far as it came, who refused, what it was given, in minigrad and in PyTorch."""

import pytest
from readable import readable

import viz
from viz.drawing import legend


def net(torch, forward):
    """A module with two layers, whose forward is `forward(self, x)`."""

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = torch.nn.Linear(3, 4), torch.nn.Linear(3, 5)
            self.deep = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Sequential(torch.nn.Linear(7, 2)))
            self.scale = torch.nn.Parameter(torch.ones(1))
            self.embed, self.lstm = torch.nn.Embedding(3, 4), torch.nn.LSTM(4, 2)

    Net.forward = forward
    return Net()


def broken(torch, forward, *examples):
    """The picture, and the node that refused."""
    drawn = viz.draw(net(torch, forward), *(examples or (torch.ones(2, 3),)))
    (node,) = [node for node in drawn.graph.nodes if node.kind == "refused"]
    assert drawn.graph.roots == (node.id,) and node.mark == "guilty" and drawn.svg
    return drawn, node


def given(node):
    return [what for name, what in node.rows if name]


def words(node):
    return " ".join(what for name, what in node.rows if not name)


def inputs(drawn, node):
    """What the arrows into `node` come from: names, or shapes."""
    known = {each.id: each for each in drawn.graph.nodes}
    sources = [known[edge.source] for edge in drawn.graph.edges if edge.target == node.id]
    return [source.name or source.shape for source in sources]


def test_shapes_that_do_not_fit_in_a_sum(torch):
    def forward(self, x):
        return self.a(x).relu() + self.b(x)

    drawn, node = broken(torch, forward)
    assert node.name == "add" and given(node) == ["(2, 4)", "(2, 5)"] and inputs(drawn, node) == [(2, 4), (2, 5)]
    assert words(node) == (
        "RuntimeError: The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 1"
    )
    assert node.line == forward.__code__.co_firstlineno + 1
    assert {each.name for each in drawn.graph.nodes if each.kind == "operator"} >= {"ReluBackward0", "AddmmBackward0"}
    assert {f"! line {node.line}", "REFUSED"} <= {*readable(drawn.svg).splitlines()} and legend.VERMILION in drawn.svg
    assert "add refused" in drawn.alt and "(2, 4) and other (2, 5)" in drawn.alt


def test_a_layer_deep_inside_is_named_with_its_parameters(torch):
    drawn, node = broken(torch, lambda self, x: self.deep(self.a(x)))
    assert node.name == "linear" and node.rows[:3] == (("input", "(2, 4)"), ("weight", "(2, 7)"), ("bias", "(2,)"))
    frames = {cluster.label: cluster.nodes for cluster in drawn.graph.clusters}
    assert node.id in frames["deep.1.0: Linear"]
    names = {each.id: each.name for each in drawn.graph.nodes}
    assert {names[id_] for id_ in frames["deep.1.0: Linear"]} == {"linear", "deep.1.0.weight", "deep.1.0.bias"}
    assert "a: Linear" in frames


def test_folded_the_place_stays_open(torch):
    def forward(self, x):
        for _ in range(20):
            x = (x * self.scale).tanh()
        return self.deep(self.a(x))

    drawn, node = broken(torch, forward)
    names = [each.name for each in drawn.graph.nodes]
    assert "mul tanh" in names and "a: Linear" in names and "deep.1.0.weight" in names
    frames = [frame.label for frame in drawn.graph.clusters]
    assert frames == ["deep: Sequential", "deep.1: Sequential", "deep.1.0: Linear"]


@pytest.mark.parametrize(
    ("what", "forward", "operator", "shapes"),
    [
        ("parts", lambda t, s, x: t.cat([s.a(x), s.b(x)[:1]], 1), "cat", ["(2, 4)", "(1, 5)", "1"]),
        ("types", lambda t, s, x: s.a(x) @ x.double().T, "matmul", ["(2, 4) float32", "(3, 2) float64"]),
        (
            "a target",
            lambda t, s, x: t.nn.functional.cross_entropy(s.a(x), t.ones(2).int()),
            "cross_entropy",
            ["(2, 4) float32", "(2,) int32"],
        ),
        ("a view", lambda t, s, x: s.a(x).view(3, 3), "view", None),
        ("an index", lambda t, s, x: s.a(x)[7], "index", None),
        ("a word", lambda t, s, x: s.embed(t.tensor([1, 7])), "embedding", ["(2,) int64", "(3, 4) float32"]),
    ],
)
def test_who_refuses_what(torch, what, forward, operator, shapes):
    _, node = broken(torch, lambda self, x: forward(torch, self, x))
    assert node.name == operator
    if shapes is None:
        assert given(node)[0] == "(2, 4)"
    else:
        assert given(node)[: len(shapes)] == shapes


def test_a_module_that_refuses_itself(torch):
    _, node = broken(torch, lambda self, x: self.lstm(x), torch.ones(2, 1, 3))
    assert (node.name, node.rows[0]) == ("LSTM", ("input", "(2, 1, 3)"))

    def forward(self, x):
        self.a(x)
        raise ValueError("not today")

    drawn, node = broken(torch, forward)
    assert (node.name, words(node)) == ("Net", "ValueError: not today")
    assert "AddmmBackward0" in {each.name for each in drawn.graph.nodes}


def test_without_any_gradient_it_is_drawn_too(torch):
    with torch.no_grad():
        drawn, node = broken(torch, lambda self, x: self.a(x) + self.b(x))
    assert given(node) == ["(2, 4)", "(2, 5)"] and inputs(drawn, node) == [(2, 4), (2, 5)]


def test_a_call_that_nobody_uses_leaves_no_frame(torch):
    def forward(self, x):
        self.b(x)
        return self.a(x)

    drawn = viz.draw(net(torch, forward), torch.ones(2, 3))
    assert [frame.label for frame in drawn.graph.clusters] == ["a: Linear"] and drawn.svg


def test_an_error_that_forward_catches_is_none(torch):
    def forward(self, x):
        try:
            return self.a(x) + self.b(x)
        except RuntimeError:
            return self.a(x)

    drawn = viz.draw(net(torch, forward), torch.ones(2, 3))
    assert not [node for node in drawn.graph.nodes if node.kind == "refused"] and "output" in drawn.alt


def test_a_function_is_run_and_drawn_too(torch):
    w = torch.ones(3, requires_grad=True)
    good = viz.draw(lambda x: (w * x).sum(), torch.ones(3))
    assert {"w", "x", "output"} <= {node.name for node in good.graph.nodes}
    bad = viz.draw(lambda x: (w * x).sum(), torch.ones(4))
    assert bad.graph.nodes[-1].name == "mul" and inputs(bad, bad.graph.nodes[-1]) == ["w", "x"]


def test_hooks_and_statistics_are_left_as_they_were(torch):
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(3), torch.nn.Linear(4, 2))
    before = model[0].running_mean.clone()
    viz.draw(model, torch.ones(2, 3))
    assert (model[0].running_mean == before).all()
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())


def test_words_are_those_of_the_picture_s_language(torch):
    drawn = viz.draw(net(torch, lambda self, x: self.a(x) + self.b(x)), torch.ones(2, 3), lang="zh")
    assert "被拒绝" in readable(drawn.svg)
