"""What a folded picture says is so: its boxes unfold to the graph, it has no circle, and what is apart stays apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
import viz
from viz.graph.autograd import graph_of
from viz.graph.fold import folded
from viz.graph.model import RESULTS, Cluster, Edge, Graph, Node
from viz.graph.names import named

STEPS = ("operator", "folded")


# -- what has to hold of every folded picture ----------------------------------------------------


def assert_no_circle(graph):
    """Arrows, cuts among them, never lead back; only a static loop's way back does."""
    into = {node.id: set() for node in graph.nodes}
    for edge in graph.edges:
        if edge.kind != "next":
            into[edge.target].add(edge.source)
    done, todo = set(), list(into)
    while todo:
        ready = [id_ for id_ in todo if into[id_] <= done]
        assert ready, f"a circle among {[node.name or node.id for node in graph.nodes if node.id in todo]}"
        done.update(ready)
        todo = [id_ for id_ in todo if id_ not in done]


def assert_true(picture, graph):
    """Every arrow of `graph` is one of `picture` or inside a box, and the turns of a box are wired alike."""
    nodes = {node.id: node for node in graph.nodes}
    kept = {node.id for node in picture.nodes}
    home = {id_: id_ for id_ in kept}
    for node in picture.nodes:
        if node.kind == "folded":
            home |= dict.fromkeys((id_ for turn in node.inside for id_ in turn), node.id)
            assert len(node.inside) == node.count
    assert {node.id for node in graph.nodes if node.kind == "operator"} <= home.keys()
    makers = {edge.target: edge.source for edge in graph.edges if nodes[edge.target].kind in RESULTS}
    users = {}
    for edge in graph.edges:
        users.setdefault(edge.source, []).append(edge.target)
    for node in graph.nodes:
        if node.id not in home:  # a box that went into another one: the one of its maker, or of its only users
            around = {home[makers[node.id]]} if node.id in makers else {home[user] for user in users[node.id]}
            assert len(around) == 1
            (home[node.id],) = around
    drawn = {(edge.source, edge.target, edge.kind) for edge in picture.edges}
    real = {(home[edge.source], home[edge.target], edge.kind) for edge in graph.edges}
    back = {(s, t, kind) for s, t, kind in real if nodes[s].kind in RESULTS and makers.get(s) and home[makers[s]] == t}
    assert drawn == {arrow for arrow in real if arrow[0] != arrow[1]} - back
    for box in picture.nodes:
        if box.kind == "folded" and box.count > 1:
            assert_alike(box.inside, graph, nodes, makers)


def assert_alike(turns, graph, nodes, makers):
    """Each turn of a box is wired as the one before it: inside, from turn to turn, and to what is outside."""
    place = {id_: (t, i) for t, turn in enumerate(turns) for i, id_ in enumerate(turn)}
    wires = []
    for t, turn in enumerate(turns):
        inputs = []
        for i, id_ in enumerate(turn):
            assert nodes[id_].name == nodes[turns[0][i]].name
            for source in (edge.source for edge in graph.edges if edge.target == id_):
                source = makers.get(source, source)
                if source in place:
                    inputs.append((t - place[source][0], place[source][1]))
                else:
                    inputs.append(source)
        wires.append(inputs)
    assert len({len(inputs) for inputs in wires}) == 1
    linked = False
    for slot in zip(*wires, strict=True):
        inner = {source for source in slot if isinstance(source, tuple)}
        outer = [source for source in slot if not isinstance(source, tuple)]
        if inner:
            assert len(inner) == 1, "a turn takes from elsewhere than the others"
            (far, _) = next(iter(inner))
            assert len(outer) == far and not any(isinstance(source, tuple) for source in slot[:far])
            linked |= far > 0
        else:
            assert len(set(outer)) in (1, len(outer)), "what some turns share, all of them share"
            assert len({nodes[source].kind for source in outer}) == 1
            linked |= len(set(outer)) == 1 and nodes[outer[0]].kind == "leaf"
    users = [
        [
            any(e.source == id_ or makers.get(e.source) == id_ for e in graph.edges if e.target in nodes and outside(e))
            for id_ in turn
        ]
        for turn in turns[:-1]
        for outside in [lambda edge: edge.target not in place and (edge.kind or nodes[edge.target].kind in STEPS)]
    ]
    assert all(used == users[0] for used in users), "one turn gives away what the others keep"
    assert linked, "nothing connects the turns"


def check(graph):
    picture = folded(graph)
    assert_no_circle(picture)
    assert_true(picture, graph)
    return picture


def counts(picture):
    return [f"{node.name} × {node.count}" for node in picture.nodes if node.kind == "folded"]


# -- the ones that were false --------------------------------------------------------------------


def layer(torch, n, m):
    return torch.ones(n, m, requires_grad=True)


def test_a_gan_step_keeps_its_three_nets_apart(torch):
    """G, D(real) and D(fake) were one box, "× 3", which `fake` left to come back to it cut off."""

    def net(*sizes):
        return torch.nn.Sequential(torch.nn.Linear(*sizes), torch.nn.ReLU(), torch.nn.Linear(*sizes[::-1]))

    G, D = net(2, 4), net(2, 4)
    fake = G(torch.ones(3, 2))
    cut = fake.detach()
    loss = D(torch.ones(3, 2)).sum() - D(cut).sum()
    names = named({"G": G, "D": D, "fake": fake, "cut": cut, "loss": loss})
    picture = check(graph_of([loss, fake], names))
    assert counts(picture) == []
    assert {"G.0.weight", "G.2.bias", "D.0.weight", "D.2.bias"} <= {node.name for node in picture.nodes}


def rnn(torch, steps, cut_after=()):
    w, u = torch.ones(2, 2, requires_grad=True), torch.ones(1, 2, requires_grad=True)
    h, states = torch.zeros(1, 2), []
    for t in range(steps):
        h = (torch.full((1, 1), float(t)) @ u + h @ w).tanh()
        if t + 1 in cut_after:
            states.append(h)
            h = h.detach()
            states.append(h)
    loss = h.sum()
    return graph_of([loss], named({"w": w, "u": u, "states": states, "loss": loss}))


@pytest.mark.parametrize(
    ("cut_after", "pieces"), [((), [12]), ((6,), [6, 6]), ((4,), [4, 8]), ((8,), [8, 4]), ((3, 8), [3, 5, 4])]
)
def test_truncated_back_propagation_is_folded_between_its_cuts(torch, cut_after, pieces):
    """A cut in the middle stood in one box of 12, with the scissors leading back into it."""
    graph = rnn(torch, 12, cut_after)
    picture = check(graph)
    assert counts(picture) == [f"mm mm add … × {count}" for count in pieces]
    assert sum(edge.kind == "detach" for edge in picture.edges) == len(cut_after)


def test_independent_nets_stay_apart_with_their_parameters(torch):
    """Three nets that share nothing but their input were one box, and twelve named parameters were gone."""
    x = torch.ones(1, 2)
    nets = {
        f"net{i}": torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1)) for i in "abc"
    }
    a, b, c = (net(x) for net in nets.values())
    loss = (a + b + c).sum()
    picture = check(graph_of([loss], named({"x": x, **nets, "loss": loss})))
    parameters = {f"{name}.{own}" for name, net in nets.items() for own, _ in net.named_parameters()}
    assert len(parameters) == 12 and parameters <= {node.name for node in picture.nodes}
    assert counts(picture) == []


def test_one_net_on_many_inputs_is_one_box(torch):
    w = layer(torch, 2, 2)
    outs = [(torch.ones(1, 2) * i @ w).tanh().sum() for i in range(5)]
    loss = torch.stack(outs).sum()
    assert counts(check(graph_of([loss], named({"w": w, "loss": loss})))) == ["mm tanh sum × 5"]


def test_equal_names_wired_otherwise_are_not_folded(torch):
    w, v = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    y = w
    for i in range(9):
        y = (y * w if i % 3 else y * v).tanh()  # every third takes another weight
    picture = check(graph_of([y], [("w", w), ("v", v)]))
    assert all("mul tanh mul …" in name for name in counts(picture))  # three at a time, or not at all


def test_an_output_of_one_turn_alone_ends_the_repetition(torch):
    """An auxiliary loss after the fourth of eight layers: a box of eight would not say where it leaves."""
    w, y = torch.ones(1, requires_grad=True), torch.ones(1)
    for i in range(8):
        y = (y * w).tanh()
        if i == 3:
            auxiliary = y
    loss = y.exp() + auxiliary.sin()
    assert counts(check(graph_of([loss], [("w", w)]))) == ["mul tanh × 4", "mul tanh × 4"]


def test_a_result_that_its_own_module_goes_on_with_makes_no_circle(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x)

    class Inner(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)

        def forward(self, x):
            hidden = self.first(x).tanh()
            return self.second(hidden).tanh(), hidden

    picture = viz.draw(Net(), torch.ones(1, 2), fold=True)
    assert_no_circle(picture.graph)
    assert "inner: Inner" in {node.name for node in picture.graph.nodes}


def test_modules_that_take_from_each_other_are_opened():
    nodes = tuple(Node(f"n{i}", "operator", name) for i, name in enumerate("ABCD"))
    edges = tuple(Edge(f"n{i}", f"n{i + 1}") for i in range(4))
    clusters = (Cluster("odd: M", ("n0", "n2")), Cluster("even: M", ("n1", "n3")))
    graph = Graph((*nodes, Node("n4", "value", "y")), edges, ("n4",), clusters)
    assert_no_circle(folded(graph))


# -- random programs -----------------------------------------------------------------------------


def programs():
    """Loops of a few operators, some nested in calls of equal nets, with cuts at random."""
    operator = st.sampled_from(["tanh", "exp", "mul w", "mul v", "add x", "mul own", "add older", "mul const"])
    body = st.lists(operator, min_size=1, max_size=4)
    cut = st.sampled_from([None, None, 2, 3, 5])
    return st.lists(
        st.tuples(body, st.integers(1, 9), cut, st.sampled_from(["chain", "parallel"])), min_size=1, max_size=4
    )


def built(program):
    """The graph of a program: each part a body, how often it runs, when it is cut, and how its turns are connected."""
    torch = minigrad
    new = lambda: torch.tensor([0.5], requires_grad=True)  # noqa: E731
    names = {"w": new(), "v": new(), "own": [], "cuts": []}
    y, old = names["w"] * 1.0, []
    for body, count, cut, how in program:
        start, outs = y, []
        for turn in range(count):
            old.append(y)
            for step in body:
                what, _, other = step.partition(" ")
                if what in ("tanh", "exp"):
                    y = getattr(y, what)()
                else:
                    if other == "own":
                        names["own"].append(new())
                        value = names["own"][-1]
                    elif other == "older":
                        value = old[turn * 7 % len(old)]
                    else:
                        value = {"w": names["w"], "v": names["v"], "x": torch.tensor([2.0]), "const": 3.0}[other]
                    y = y * value if what == "mul" else y + value
            if cut and turn % cut == cut - 1:
                names["cuts"] += [y, y.detach()]
                y = names["cuts"][-1]
            outs.append(y)
            if how == "parallel":
                y = start
        if how == "parallel":
            y = torch.stack(outs).sum(0)
    y = y + names["w"]
    return graph_of([y], named(names | {"y": y}))


@settings(max_examples=150, deadline=None)
@given(programs())
def test_random_programs_fold_to_what_they_are(program):
    check(built(program))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.integers(0, 30), min_size=1, max_size=2)), max_size=30),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=3),
    st.lists(st.integers(0, 5), max_size=30),
)
def test_random_graphs_fold_to_what_they_are(steps, cuts, frames):
    """Any wiring of few kinds of operators, with cuts and frames anywhere."""
    nodes, edges = [Node("n0", "leaf", "w")], []
    for name, sources in steps:
        number = len(nodes)
        nodes.append(Node(f"n{number}", "operator", name))
        edges += [Edge(f"n{source % number}", f"n{number}") for source in sources]
        if (number * 7) % 40 in {cut for cut, _ in cuts}:
            nodes.append(Node(f"n{number + 1}", "detached", "cut"))
            edges.append(Edge(f"n{number}", f"n{number + 1}", kind="detach"))
    nodes.append(Node("end", "value", "y"))
    edges.append(Edge(nodes[-2].id, "end"))
    inside = {}
    for node, frame in zip(nodes[1:-1], frames, strict=False):
        if node.kind == "operator":
            inside.setdefault(frame, []).append(node.id)
    clusters = tuple(Cluster(f"{frame}: M", tuple(ids)) for frame, ids in inside.items())
    if nodes[-2].id != "n0":
        check(Graph(tuple(nodes), tuple(edges), ("end",), clusters))
