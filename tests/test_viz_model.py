"""What viz reads from a graph: the same from minigrad and from real PyTorch."""

import time
from dataclasses import replace

import pytest
from goldens.record_draw import product, two_layers

import minigrad
import viz
from viz.drawing.words import alt_text
from viz.graph.autograd import graph_of
from viz.graph.names import named, names_in


def model(*tensors, **names):
    return graph_of(tensors, names.items())


def boxes(graph, kind):
    """{name: (value, grad)} of all boxes of that kind."""
    return {node.name: (node.value, node.grad) for node in graph.nodes if node.kind == kind}


def arrows(graph):
    """Pairs of what the ends of each arrow are called."""
    called = {node.id: node.name or node.kind for node in graph.nodes}
    return [(called[edge.source], called[edge.target]) for edge in graph.edges]


def leaf(torch, *numbers):
    return torch.tensor([float(n) for n in numbers], requires_grad=True)


def test_the_posts_graph_before_and_after_backward(torch):
    w, x = leaf(torch, 1), leaf(torch, 2)
    a, b = w + x, w + 1
    y = a * b
    names = {"w": w, "x": x, "a": a, "b": b, "y": y}
    graph = model(y, **names)
    assert boxes(graph, "leaf") == {"w": ("1", None), "x": ("2", None)}
    assert boxes(graph, "value") == {"a": ("3", None), "b": ("2", None), "y": ("6", None)}
    assert boxes(graph, "constant") == {"": (None, None)}  # AddBackward0 does not keep the 1, so nobody knows it
    assert arrows(graph) == [
        ("w", "AddBackward0"),
        ("x", "AddBackward0"),
        ("AddBackward0", "a"),
        ("w", "AddBackward0"),
        ("constant", "AddBackward0"),
        ("AddBackward0", "b"),
        ("a", "MulBackward0"),
        ("b", "MulBackward0"),
        ("MulBackward0", "y"),
    ]
    assert len(graph.nodes) <= 12  # what fits on a projector
    mul = graph.nodes[-2]
    assert (mul.saved, mul.freed) == ((("self", "a"), ("other", "b")), False)

    a.retain_grad()
    y.backward()
    graph = model(y, **names)
    assert boxes(graph, "leaf") == {"w": ("1", "5"), "x": ("2", "2")}
    assert boxes(graph, "kept") == {"a": ("3", "2")}
    assert [node.freed for node in graph.nodes if node.kind == "operator"] == [False, False, True]


def test_what_has_no_name_travels_on_the_arrow_as_long_as_it_is_saved(torch):
    w, x = leaf(torch, 1), leaf(torch, 2)
    y = (w + x) * (w + 1)
    assert [edge.value for edge in model(y).edges if edge.value] == ["3", "2"]
    y.backward()
    graph = model(y)
    assert [edge.value for edge in graph.edges if edge.value] == []
    assert set(boxes(graph, "leaf")) == {""}


def test_constants_are_shown_when_saved_and_stay_as_stubs_when_freed(torch):
    w, c = leaf(torch, 3), torch.tensor([4.0])
    y = (w * c * 2).sum()
    graph = model(y, w=w, c=c)
    assert boxes(graph, "constant") == {"c": ("4", None), "": ("2", None)}
    y.backward()
    stubs = [node for node in model(y, w=w, c=c).nodes if node.kind == "constant"]
    assert [(stub.name, stub.value, stub.freed) for stub in stubs] == [("", None, True)] * 2


def test_large_tensors_show_their_shapes(torch):
    w = torch.ones(2, 3, requires_grad=True)
    y = (w * w).sum()
    y.backward()
    box = next(node for node in model(y, w=w).nodes if node.kind == "leaf")
    assert (box.value, box.shape, box.grad, box.dtype) == (None, (2, 3), "(2, 3)", "float32")


@pytest.mark.parametrize(
    ("numbers", "written"), [((2,), "2"), ((0.1, 1e-7, -3), "[0.1, 1e-07, -3]"), ((float("nan"),), "nan")]
)
def test_small_tensors_show_their_numbers(torch, numbers, written):
    w = leaf(torch, *numbers)
    assert boxes(model(w, w=w), "leaf") == {"w": (written, None)}


def test_a_tensor_without_a_graph_is_one_box(torch):
    c = torch.tensor([4.0])
    graph = model(c, c=c)
    assert [(node.kind, node.name, node.value) for node in graph.nodes] == [("constant", "c", "4")]
    assert graph.roots == ("n0",) and not graph.edges


def test_several_tensors_share_one_graph(torch):
    w = leaf(torch, 2)
    a = w * 3
    graph = model(a + 1, a, w, w=w)
    assert [node.kind for node in graph.nodes].count("leaf") == 1
    assert len(graph.roots) == 3


def test_each_output_of_an_operator_is_its_own_value(torch):
    w = leaf(torch, 1, 2, 3)
    first, second, third = w.unbind()
    graph = model(first * third, first=first, third=third)
    assert arrows(graph)[1:5] == [
        ("UnbindBackward0", "first"),
        ("UnbindBackward0", "third"),
        ("first", "MulBackward0"),
        ("third", "MulBackward0"),
    ]
    assert boxes(graph, "value")["third"] == ("3", None)


def test_a_tensor_that_meets_itself_has_two_arrows(torch):
    w = leaf(torch, 3)
    assert arrows(model(w * w, w=w))[:2] == [("w", "MulBackward0")] * 2


def test_users_function(torch):
    class MyReLU(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input.clamp(min=0)

        @staticmethod
        def backward(ctx, grad):
            return grad

    w = leaf(torch, 3)
    y = MyReLU.apply(w)
    operator = model(y, w=w).nodes[1]
    assert (operator.name, [what for _, what in operator.saved]) == ("MyReLUBackward", ["w"])
    y.backward()
    assert model(y, w=w).nodes[1].freed


def test_saved_and_then_changed_in_place_is_not_freed(torch):
    w = leaf(torch, 3)
    a = w * 1
    y = a * a
    a.add_(1)
    assert not any(node.freed for node in model(y, w=w).nodes)


def test_a_variable_without_a_readable_history_disturbs_no_other_picture(torch):
    w = torch.tensor([3.0], requires_grad=True)
    y = w * w
    with torch.no_grad():
        t = w.view(1)
        t.add_(1)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        t.grad_fn  # noqa: B018
    views = [t]
    assert "y = MulBackward0 of w and w" in viz.draw(y).alt and len(views) == 1
    assert "t (view, version 1)" in viz.explore.storages(w, t).picture.alt


def test_names_come_from_variables_containers_and_modules(torch):
    def names(frame_of):
        return {name for name, _ in names_in(frame_of.gi_frame)}

    class Layer:  # what nn.Module has of this
        def __init__(self):
            self.weight = leaf(torch, 1)

        def named_parameters(self):
            return [("weight", self.weight)]

    def reader():
        w, _secret, number = leaf(torch, 1), leaf(torch, 1), 3
        outs, table = [w, w * number], {"k": w * 2}
        layer = Layer()
        yield outs, table, layer, _secret

    running = reader()
    next(running)
    found = names(running)
    assert {"w", "outs[0]", "outs[1]", "table['k']", "layer.weight"} <= found
    assert not any("secret" in name for name in found)


@pytest.mark.parametrize(("steps", "nodes"), [(10, 84), (20, 154), (30, 224)])
def test_the_unrolled_rnn_has_pytorchs_84_nodes_and_grows_by_7_a_step(torch, steps, nodes):
    rnn, out = torch.nn.RNN(1, 32, batch_first=True), torch.nn.Linear(32, 1)
    target = torch.ones(1, steps, 1)
    outputs, _ = rnn(torch.ones(1, steps, 1), None)
    prediction = torch.stack([out(outputs[:, step, :]) for step in range(steps)], dim=1)
    loss = torch.nn.MSELoss()(prediction, target)
    graph = graph_of([loss], named({"rnn": rnn, "out": out, "target": target}))
    assert sum(node.kind in ("operator", "leaf") for node in graph.nodes) == nodes
    assert "rnn.weight_hh_l0" in boxes(graph, "leaf") and "target" in boxes(graph, "constant")


def test_a_chain_of_20_000_operators_needs_no_recursion():
    w = leaf(minigrad, 1)
    y = w
    for _ in range(20_000):
        y = y + 1
    start = time.process_time()
    graph = model(y, w=w)
    assert len(graph.nodes) == 1 + 2 * 20_000 + 1
    assert "and 19988 operators before them" in alt_text(graph)
    assert time.process_time() - start < 10  # it takes half a second


def test_a_model_keeps_no_tensor_alive(torch):
    import gc
    import weakref

    w = leaf(torch, 1)
    y = w * 2
    here = weakref.ref(w)
    graph = model(y, w=w)
    gc.disable()
    try:
        del w, y
        assert here() is None and graph.nodes
    finally:
        gc.enable()


def test_alt_text():
    y, names = product(minigrad)
    assert alt_text(model(y, **names)) == (
        "y = MulBackward0 of a and b; b = AddBackward0 of w and a constant; a = AddBackward0 of w and x. "
        "w = 4 is a leaf, gradient 8; x = -1 is a leaf, gradient 5; a = 3 keeps its gradient, gradient 5; "
        "b = 5 passes its gradient on; y = 15 passes its gradient on. What MulBackward0 saved is freed."
    )


@pytest.mark.torch
@pytest.mark.parametrize("program", [product, two_layers])
def test_minigrad_and_pytorch_give_the_same_model(program):
    torch = pytest.importorskip("torch")
    models = []
    for library in (minigrad, torch):
        tensor, names = program(library)
        graph = model(tensor, **names)
        # A Python number that was saved is float64 in PyTorch whatever it met; no box shows the type.
        numbers = [
            replace(node, dtype="") if node.kind == "constant" and not node.name else node for node in graph.nodes
        ]
        models.append(replace(graph, nodes=tuple(numbers)))
    assert models[0] == models[1]
