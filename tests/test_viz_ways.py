"""The ways to draw one graph: values or operators as nodes, forward or backward, and what is told of each."""

import re
import xml.etree.ElementTree as ElementTree
from math import dist

import pytest
from goldens.record_draw import product, two_layers
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
import viz
from viz.drawing import legend
from viz.drawing.arrows import APART, HEAD
from viz.drawing.paint import shapes_of
from viz.graph.memory import storages
from viz.graph.order import gradients


def leaf(torch, *numbers):
    return torch.tensor([float(n) for n in numbers], requires_grad=True)


def elements(svg, tag="*"):
    return list(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}" + tag))


def texts(picture):
    return [text.text for text in elements(picture.svg, "text")]


def picture(torch, program=product, **options):
    tensor, names = program(torch)
    return viz.draw(tensor, names=names, **options)


def arrows(graph):
    """(from, to, by which operator) of each arrow."""
    name = {node.id: node.name for node in graph.nodes}
    return [(name[edge.source], name[edge.target], edge.operator) for edge in graph.edges]


# -- values as nodes -----------------------------------------------------------------------------


def test_values_as_nodes_are_the_posts_picture(torch):
    drawn = picture(torch, convention="data")
    assert arrows(drawn.graph) == [
        ("w", "a", "AddBackward0"),
        ("x", "a", "AddBackward0"),
        ("w", "b", "AddBackward0"),
        ("", "b", "AddBackward0"),
        ("a", "y", "MulBackward0"),
        ("b", "y", "MulBackward0"),
    ]
    assert texts(drawn).count("+") == 4 and texts(drawn).count("×") == 2
    assert "MulBackward0" in [title.text for title in elements(drawn.svg, "title")]
    assert drawn.alt == picture(torch).alt  # the same is said


def test_values_without_a_name_are_nodes_too(torch):
    drawn = picture(torch, two_layers, convention="data")
    unnamed = [node for node in drawn.graph.nodes if node.kind == "value" and not node.name]
    assert [node.shape for node in unnamed] == [(64, 100), (64, 100), None, (64, 10), None, None]
    assert not [node for node in drawn.graph.nodes if node.kind == "operator"]
    assert "loss = MulBackward0 of #6 and 0.5; #6 = SumBackward0 of #5" in drawn.alt


def test_ids_are_the_same_in_both_conventions(torch):
    for program in (product, two_layers):
        operators, data = picture(torch, program).graph, picture(torch, program, convention="data").graph
        kinds = {node.id: node.name for node in operators.nodes}
        assert {node.id for node in data.nodes} <= kinds.keys()
        assert all(kinds[node.id] == node.name for node in data.nodes if node.name)
        assert data.roots == operators.roots


def test_a_result_holds_what_its_operator_saved(torch):
    assert {node.name: node.freed for node in picture(torch, convention="data").graph.nodes}["y"]
    w = leaf(torch, 3)
    y = w * w
    (box,) = [node for node in viz.draw(y, convention="data").graph.nodes if node.name == "y"]
    assert box.saved == (("self", "w"), ("other", "w"))


def test_several_results_of_an_operator_are_several_nodes(torch):
    w = leaf(torch, 1, 2, 3)
    first, second, third = w.unbind()
    y = first * (third + second)
    drawn = viz.draw(y, names={"w": w, "first": first, "third": third, "y": y}, convention="data")
    assert ("w", "first", "UnbindBackward0") in arrows(drawn.graph)
    assert ("w", "third", "UnbindBackward0") in arrows(drawn.graph)
    assert ("w", "", "UnbindBackward0") in arrows(drawn.graph)


def test_folded_boxes_stay_boxes_among_values(torch):
    w = leaf(torch, 1)
    y = w
    for _ in range(20):
        y = (y * w).tanh()
    drawn = viz.draw(y, convention="data")
    assert [node.kind for node in drawn.graph.nodes] == ["leaf", "folded", "value"]


# -- backward ------------------------------------------------------------------------------------


def lines(drawn):
    """Of each arrow the colour of its line, and what its head is."""
    found = []
    for group in elements(drawn.svg, "g"):
        if re.search(r"-e\d+$", group.get("id")):
            line, *head = group.findall("{http://www.w3.org/2000/svg}path")
            shape = "none"
            if head:
                bar, hollow = head[0].get("fill") == "none", head[0].get("stroke") is not None
                shape = "bar" if bar else "hollow" if hollow else "filled"
            found.append((line.get("stroke"), shape))
    return found


def test_gradients_have_arrows_of_their_own(torch):
    forward, backward = picture(torch), picture(torch, direction="backward")
    assert set(lines(forward)) == {(legend.LIGHT["ink"], "filled")}
    gradient, blocked = (legend.VERMILION, "hollow"), (legend.LIGHT["muted"], "bar")
    stub = next(node.id for node in forward.graph.nodes if node.kind == "constant")
    expected = [blocked if edge.source == stub else gradient for edge in forward.graph.edges]
    assert lines(backward) == expected and expected.count(blocked) == 1
    assert "Gradients flow from y back to w and x, and not to a constant." in backward.alt


def test_nothing_moves_when_the_direction_turns(torch):
    forward, backward = picture(torch), picture(torch, direction="backward")
    assert forward.geometry == backward.geometry and forward.graph == backward.graph
    assert forward.svg != backward.svg


def test_heads_point_to_the_inputs(torch):
    drawn = picture(torch, direction="backward")
    groups = [g for g in elements(drawn.svg, "g") if re.search(r"-e\d+$", g.get("id"))]
    tips: list[tuple[float, float]] = []
    for group, arrow in zip(groups, drawn.geometry.arrows, strict=True):
        line, head = group.findall("{http://www.w3.org/2000/svg}path")[:2]
        if head.get("fill") == "none":
            continue
        x, y = map(float, re.findall(r"-?[\d.]+", head.get("d"))[:2])
        assert x == pytest.approx(arrow.points[0][0], abs=0.01)
        assert abs(y - arrow.points[0][1]) <= APART / 2 + 0.01  # two that reach one leaf end beside each other
        assert all(dist((x, y), other) > HEAD for other in tips), "no head lies on another"
        tips.append((x, y))
        assert line.get("d").endswith("L{:g} {:g}".format(*(round(c, 2) for c in arrow.tip)))


# -- what is cut off -----------------------------------------------------------------------------


def test_detached_values_show_both_sides_of_the_cut(torch):
    w = leaf(torch, 3)
    square = w * w
    cut = square.detach()
    y = cut * w
    drawn = viz.draw(y)
    assert {node.name: node.kind for node in drawn.graph.nodes if node.name in ("w", "square", "cut", "y")} == {
        "w": "leaf",
        "square": "value",
        "cut": "detached",
        "y": "value",
    }
    name = {node.id: node.name for node in drawn.graph.nodes}
    assert [(name[e.source], name[e.target]) for e in drawn.graph.edges if e.kind == "detach"] == [("square", "cut")]
    assert "DETACHED" in texts(drawn) and "cut was cut off from square." in drawn.alt
    assert "已分离" in texts(viz.draw(y, lang="zh"))
    backward = viz.draw(y, direction="backward")
    assert lines(backward).count((legend.LIGHT["muted"], "bar")) == 2  # into cut, and from cut to square
    assert lines(backward).count((legend.LIGHT["muted"], "none")) == 3  # what is behind the cut gets nothing
    assert "and not to cut." in backward.alt
    order = [node.name for node in drawn.graph.nodes]
    assert order.index("square") < order.index("cut") < order.index("y")
    assert [node.id for node in drawn.graph.nodes] == [f"n{i}" for i in range(len(order))]


def test_data_is_detached_and_a_copy_is_not(torch):
    w = leaf(torch, 3)
    data, copy = w.data, w.detach().clone()
    kinds = {node.name: node.kind for node in viz.draw(w * data * copy).graph.nodes}
    assert (kinds["data"], kinds["copy"]) == ("detached", "constant")


def test_a_new_leaf_in_old_memory_is_a_leaf_behind_a_cut(torch):
    w = leaf(torch, 3)
    old = w * 2
    fresh = old.detach().requires_grad_()
    y = fresh * fresh
    drawn = viz.draw(y)
    name = {node.id: node.name for node in drawn.graph.nodes}
    assert {node.name: node.kind for node in drawn.graph.nodes}["fresh"] == "leaf"
    assert [(name[e.source], name[e.target]) for e in drawn.graph.edges if e.kind == "detach"] == [("old", "fresh")]
    ways = dict(zip(arrows(drawn.graph), gradients(drawn.graph), strict=True))
    assert ways["MulBackward0", "y", ""] == ways["fresh", "MulBackward0", ""] == "gradient"
    assert ways["old", "fresh", ""] == "blocked" and ways["w", "MulBackward0", ""] == "resting"


def test_a_view_of_a_leaf_is_no_cut(torch):
    w = leaf(torch, 1, 2)
    part = w[:1]
    y = part * w.sum()
    assert not [edge for edge in viz.draw(y).graph.edges if edge.kind == "detach"]


def test_constants_in_the_memory_of_a_named_one_are_its_views(torch):
    w, x = leaf(torch, 2), torch.tensor([[1.0], [5.0]])
    y = w * x[1]
    (constant,) = [node for node in viz.draw(y, names={"x": x}).graph.nodes if node.kind == "constant"]
    assert (constant.name, constant.value) == ("x (view)", "5")


# -- storage -------------------------------------------------------------------------------------


def test_letters_tell_who_shares_memory_and_numbers_how_often_it_changed(torch):
    w = leaf(torch, 1, 2, 3)
    a = w * 1
    part, cut = a[1:], a.detach()
    a.add_(1)
    cut.add_(1)
    y = (part * w[:2]).sum()
    drawn = viz.draw(y, a, part, cut, show="storage")
    memory = {node.name: (node.storage, node.version) for node in drawn.graph.nodes if node.name}
    assert memory["a"] == memory["part"] == memory["cut"]
    assert memory["a"][1] == 2 and memory["w"][1] == 0
    assert len({memory[name][0] for name in ("w", "a", "y")}) == 3
    assert f"{memory['a'][0]} v2" in texts(drawn) and "memory" in texts(drawn)
    assert "value" not in texts(drawn) and "grad" not in texts(drawn)


def test_parts_that_do_not_touch_share_their_memory(torch):
    w = leaf(torch, 1, 2, 3)
    assert storages({"first": w[:1], "last": w[2:], "other": w * 1, "nothing": w[:0]}) == {
        "first": 0,
        "last": 0,
        "other": 1,
    }


def test_data_hides_a_change_from_the_odometer(torch):
    w = leaf(torch, 2)
    w.data.add_(1)
    before = viz.draw(w * w).graph.nodes[0]
    assert (before.value, before.version) == ("3", 0)
    w.detach().add_(1)
    after = viz.draw(w * w).graph.nodes[0]
    assert (after.value, after.version) == ("4", 1)


def test_tensors_without_a_counter_have_no_version(torch):
    w = leaf(torch, 2)
    with torch.inference_mode():
        still = w * 2
    assert viz.draw(w, still, show="storage").graph.nodes[1].version is None


# -- what is told --------------------------------------------------------------------------------


def test_show_leaves_out_what_is_not_asked_for(torch):
    def told(*show):
        found = set(texts(picture(torch, show=show)))
        words = {"value": "values", "shape": "shapes", "grad": "grads", "FREED": "saved", "memory": "storage"}
        return {what for word, what in words.items() if word in found}

    for what in legend.CAN_SHOW:
        assert told(what) == {what}
    assert told() == set()
    assert told(*legend.CAN_SHOW) == set(legend.CAN_SHOW)
    everything = picture(torch, show=legend.CAN_SHOW)
    assert everything.svg == picture(torch, show=reversed(legend.CAN_SHOW)).svg
    assert "(1,)" in texts(everything)


def test_shapes_alone_stand_on_arrows_too(torch):
    assert "(64, 100)" in texts(picture(torch, two_layers, show="shapes"))
    assert "(64, 100)" not in texts(picture(torch, two_layers, show="grads"))


def test_a_drawer_says_what_it_holds(torch):
    w, x = leaf(torch, 3), leaf(torch, 4)
    a_rather_long_name = w * x
    y = a_rather_long_name * w * 5
    assert {"w, x", "2 saved", "5"} <= set(texts(viz.draw(y)))
    assert "2 个已存" in texts(viz.draw(y, lang="zh"))
    for _ in range(20):
        y = y * w
    assert "••" in texts(viz.draw(y, fold=False))  # a small circle has no room for words


@settings(max_examples=20)
@given(
    convention=st.sampled_from(["operators", "data"]),
    direction=st.sampled_from(["forward", "backward"]),
    show=st.sets(st.sampled_from(legend.CAN_SHOW)),
    fold=st.booleans(),
    lang=st.sampled_from(list(legend.LABELS)),
    name=st.text(min_size=1, max_size=30),
)
def test_every_way_gives_a_picture(convention, direction, show, fold, lang, name):
    torch = minigrad
    w = leaf(torch, 2)
    square = w * w
    cut = square.detach()
    y = w * cut
    for _ in range(4):
        y = (y * w).tanh()
    ways = {"convention": convention, "direction": direction, "show": show, "fold": fold, "lang": lang}
    names = {name: w, "square": square, "cut": cut, "y": y}
    drawn = viz.draw(y, names=names, **ways)
    assert drawn.svg == viz.draw(y, names=names, **ways).svg
    found = elements(drawn.svg)
    assert {e.tag.partition("}")[2] for e in found} <= {*"svg title desc style g rect path text".split()}
    assert not [key for e in found for key in e.attrib if key.startswith("on") or "href" in key]
    shapes = shapes_of(drawn.graph, lang, drawn.show)
    for id_, (x, y_) in drawn.geometry.centres.items():
        assert shapes[id_].width / 2 <= x <= drawn.geometry.size[0] - shapes[id_].width / 2
        assert y_ + shapes[id_].below <= drawn.geometry.size[1]


def test_wrong_ways():
    for option, message in (
        ({"convention": "nodes"}, "convention must be one of 'operators', 'data', but got 'nodes'"),
        ({"direction": "up"}, "direction must be one of 'forward', 'backward', but got 'up'"),
        ({"show": ["values", "hooks"]}, "show must be one of .*'storage', but got 'hooks'"),
        ({"fold": "no"}, "fold must be True, False or 'auto', but got 'no'"),
    ):
        with pytest.raises(ValueError, match=message):
            picture(minigrad, **option)
