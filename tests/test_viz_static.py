"""The picture of a static graph: what stands in it, its frames, loops and passes, and the explorers of lesson 11."""

import math
import re
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from readable import readable

import minigrad.static as tf
import viz
from minigrad._compiler.passes import INEXACT, PASSES
from viz.drawing import circles, layout, legend
from viz.drawing.letters import NAME, WORD, text_width
from viz.drawing.paint import frame_label, in_the_way, label_place, shapes_of
from viz.explore.static import passes, race
from viz.graph.model import Node
from viz.graph.static import before, static_graph_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def product():
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    w = tf.Variable(1.0, name="w")
    return x, w, tf.multiply(w + x, w + 1, name="y")


def loop():
    n = tf.placeholder(tf.int32, [], name="n")
    w = tf.Variable(0.5, name="w")
    turns, state = tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, tf.tanh(h * w)), [0, 1.0])
    return n, turns, state


def kinds(graph):
    return sorted((node.kind, node.name) for node in graph.nodes)


def by_label(graph, label):
    """Names or types of the nodes directly in the frames of this label."""
    found = {node.id: node.name or node.type for node in graph.nodes}
    return [{found[id_] for id_ in cluster.nodes} for cluster in graph.clusters if cluster.label == label]


# -- what stands in it ---------------------------------------------------------------------------


def test_a_variable_is_one_node_and_all_else_an_operation_or_a_box():
    picture = viz.draw(product()[2])
    assert kinds(picture.graph) == [
        ("constant", ""),
        ("operator", "add"),
        ("operator", "add_1"),
        ("operator", "y"),
        ("placeholder", "x"),
        ("variable", "w"),
    ]
    assert "y = Mul of add and add_1" in picture.alt
    assert "x of shape (?, 1) is a placeholder; w of shape () is a variable" in picture.alt


def test_a_tensor_shows_what_a_run_would_compute_and_the_graph_shows_all(graph):
    _, _, y = product()
    z = y * 2
    assert len(viz.draw(graph).graph.nodes) == len(viz.draw(y).graph.nodes) + 2
    assert {node.name for node in viz.draw(z).graph.nodes} >= {"mul"}


def test_the_operation_that_gives_variables_their_first_values_is_folded_away_unless_asked_for(graph):
    product()
    init = tf.global_variables_initializer()
    assert not any(node.type in ("Assign", "NoOp") for node in viz.draw(graph).graph.nodes)
    assert any(node.type == "Assign" for node in viz.draw(init).graph.nodes)


def test_an_update_is_part_of_the_graph(graph):
    x, w, y = product()
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
    assert any(node.type == "AssignSub" for node in viz.draw(graph).graph.nodes)


# -- frames --------------------------------------------------------------------------------------


def test_scopes_are_frames_in_frames():
    with tf.name_scope("outer"):
        x = tf.constant([1.0, 2.0], name="x")
        with tf.name_scope("inner"):
            y = tf.exp(x) + tf.sin(x)
    graph = viz.draw(y).graph
    assert [(c.label, c.parent) for c in graph.clusters] == [("outer", None), ("inner", 0)]
    assert by_label(graph, "inner") == [{"outer/inner/Exp", "outer/inner/Sin", "outer/inner/add"}]


def test_frames_hold_their_nodes_and_no_others():
    with tf.name_scope("left"):
        a = tf.exp(tf.constant(1.0, name="p"))
    with tf.name_scope("right"):
        b = tf.sin(tf.constant(2.0, name="q"))
    picture = viz.draw(a + b)
    for cluster, frame in zip(picture.graph.clusters, picture.geometry.frames, strict=True):
        (left, top), (width, height) = frame.corner, frame.size
        for name, (x, y) in picture.geometry.centres.items():
            assert (left < x < left + width and top < y < top + height) == (name in cluster.nodes)


def test_a_scope_of_the_readers_is_text_and_nothing_else():
    with tf.name_scope("a.b-c"):
        y = tf.exp(tf.sin(tf.constant(1.0)))
    svg = viz.draw(y).svg
    texts = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert "a.b-c" in texts
    source = layout.dot_source({"n0": (10, 10)}, set(), [], [(["n0"], None, (20, 10))])
    assert re.fullmatch(r"[ -~\n]*", source)


def test_a_large_graph_is_folded_by_its_scopes_and_a_scope_can_stay_open(graph):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(outputs))
    whole, small, opened = viz.draw(graph, fold=False), viz.draw(graph), viz.draw(graph, unfold="while")
    boxes = {node.name for node in small.graph.nodes if node.kind == "folded"}
    assert {"rnn", "gradients"} <= boxes
    assert len(small.graph.nodes) < len(opened.graph.nodes) < len(whole.graph.nodes)
    assert {"rnn", "while"} <= {cluster.label for cluster in opened.graph.clusters}
    for picture in (small, opened, whole):
        places = picture.geometry
        for edge, arrow in zip(picture.graph.edges, places.arrows, strict=True):
            ends = [places.centres[edge.source], places.centres[edge.target]]
            assert math.dist(arrow.points[0], ends[0]) < 150 and math.dist(arrow.tip, ends[1]) < 150


# -- loops and branches --------------------------------------------------------------------------


def test_a_loop_is_drawn_once_with_what_it_carries():
    _, turns, state = loop()
    graph = viz.draw(turns, state).graph
    carried = {node.id: node.name for node in graph.nodes if node.kind == "carried"}
    assert set(carried.values()) == {"turns", "state"}
    assert by_label(graph, "goes on while") == [{"while/Less"}]
    back = [edge for edge in graph.edges if edge.kind == "next"]
    assert {carried[edge.target] for edge in back} == {"turns", "state"}
    assert graph.roots == tuple(carried)


def test_a_picture_of_a_loop_has_one_size_for_every_length():
    n, turns, _ = loop()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before_it, answers = viz.draw(turns).svg, [session.run(turns, {n: T}) for T in (0, 3, 40)]
        assert answers == [0, 3, 40] and viz.draw(turns).svg == before_it


def test_the_inside_of_a_loop_is_not_drawn_without_its_loop():
    inside = []
    tf.while_loop(lambda i: i < 3, lambda i: inside.append(i + 1) or inside[0], [0])
    with pytest.raises(ValueError, match="'while/add' is inside a loop or a branch"):
        viz.draw(inside[0])


def test_a_whole_graph_has_a_title(graph):
    product()
    assert "<title>A whole graph</title>" in viz.draw(graph).svg


def test_both_branches_are_framed():
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.cond(x > 0, lambda: tf.exp(x), lambda: tf.sin(x))
    graph = viz.draw(y).graph
    assert by_label(graph, "if true") == [{"cond/Exp"}]
    assert by_label(graph, "if false") == [{"cond/Sin"}]
    (merge,) = (node.id for node in graph.nodes if node.type == "Cond")
    assert sum(edge.target == merge for edge in graph.edges) == 3


@pytest.mark.parametrize("length", [None, 4])
def test_every_loop_of_the_library_can_be_drawn(graph, length):
    x = tf.placeholder(tf.float32, [None, length, 3], name="x")
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(4), x, dtype=tf.float32)
    w = tf.global_variables()[0]
    slope = tf.gradients(tf.reduce_sum(outputs), w)[0]
    total = tf.scan(lambda a, b: a + b, tf.constant([1.0, 2.0]))
    square = tf.map_fn(lambda a: a * a, total)
    for thing in (outputs, slope, total, square, graph):
        assert viz.draw(thing).svg


# -- plans ---------------------------------------------------------------------------------------


def test_each_pass_of_a_plan_can_be_drawn():
    x, _, y = product()
    with tf.Session() as session:
        plan = session.plan(y, [x])
        for stage in plan.passes:
            drawn = viz.draw(stage).graph
            assert len(drawn.nodes) == len(stage.after.operations)
        assert len(viz.draw(plan).graph.nodes) == plan.operations + 1  # x is fed


def test_a_plan_shows_the_reading_of_a_variable_until_a_pass_takes_it_out():
    x, _, y = product()
    plan = tf.Session().plan(y, [x])
    readings = ["w/read" in {node.name for node in viz.draw(stage).graph.nodes} for stage in plan.passes]
    assert readings[0] and not readings[-1]


def test_what_runs_is_what_the_engine_runs():
    x, _, y = product()
    z = tf.exp(y)
    plan = tf.Session(passes=[]).plan(y, [x])
    assert {op.name for op in before([y.op])} == {op.name for op in plan.block.operations}
    assert z.op not in before([y.op])


# -- looks ---------------------------------------------------------------------------------------


def test_every_kind_has_its_word_in_chinese():
    picture = viz.draw(loop()[1], lang="zh")
    for word in ("占位符", "常量", "循环变量", "每一轮", "继续？"):
        assert word in readable(picture.svg)


def test_the_words_on_a_frame_stand_over_the_arrows():
    svg = viz.draw(loop()[1]).svg
    body = [*ElementTree.fromstring(svg)]
    arrows = [i for i, part in enumerate(body) if "-e" in part.get("id", "")]
    words = [i for i, part in enumerate(body) if part.text in ("each iteration", "continue?")]
    assert len(words) == 2 and min(words) > max(arrows)
    assert all(body[i].get("paint-order") == "stroke" for i in words)


def test_no_arrow_runs_through_the_words_on_a_frame_and_only_what_goes_back_leads_to_the_left(each_engine):
    """`dot` 2.43 broke the cycle at another arrow, and led the loop's own arrows back over its boxes."""
    drawn = viz.draw(loop()[1])
    graph, geometry, shapes = drawn.graph, drawn.geometry, shapes_of(drawn.graph, "en")
    for cluster, frame in zip(graph.clusters, geometry.frames, strict=True):
        width = text_width(frame_label(cluster, "en"), WORD, bold=True)
        x, y = label_place(frame, width, *in_the_way(geometry, shapes))
        assert frame.corner[0] < x and x + width < frame.corner[0] + frame.size[0]
        for arrow in geometry.arrows:
            assert not [px for px, py in (*arrow.course(40), arrow.tip) if x < px < x + width and abs(py - y) < 7]
    for edge in graph.edges:
        source, target = geometry.centres[edge.source], geometry.centres[edge.target]
        assert edge.kind == "next" or source[0] < target[0], edge


def test_what_is_neither_tensor_nor_graph_is_refused():
    _, _, y = product()
    with pytest.raises(TypeError, match="but got int"):
        viz.draw(3)
    with pytest.raises(TypeError, match="but got str"):
        viz.draw(y, "y")


def test_a_constant_shows_up_to_three_numbers():
    values = {"one": 1.5, "three": [1.0, 2.0, 3.0], "four": [1.0, 2.0, 3.0, 4.0], "rows": np.ones((2, 1))}
    tensors = [tf.constant(value, name=name) for name, value in values.items()]
    shown = {node.name: node.value for node in static_graph_of(tensors).nodes}
    assert shown == {"one": "1.5", "three": "[1, 2, 3]", "four": None, "rows": None}


# -- explorers -----------------------------------------------------------------------------------


def test_the_ring_tells_nothing_before_a_prediction(graph):
    product()
    panel = viz.explore.ring(graph, "y")
    assert {node.mark for node in panel.picture.graph.nodes} == {"fetched", ""}
    panel.mark("x", "add", "add_1")
    assert {node.mark for node in panel.picture.graph.nodes} == {"fetched", "guessed", ""}
    assert panel.run().startswith("✓")
    assert {node.name: node.mark for node in panel.picture.graph.nodes if node.name} == {
        "x": "fed",
        "w": "",
        "add": "runs",
        "add_1": "runs",
        "y": "fetched",
    }


def marks_of(panel):
    return {node.name: node.mark for node in panel.picture.graph.nodes if node.name}


def test_a_wrong_mark_is_run_and_if_none_is_missing_all_that_happened_is_shown(graph):
    product()
    panel = viz.explore.ring(graph, "add_1")
    panel.mark("x", "y")
    said = panel.run()
    assert (
        said.startswith("✗ The panel fed x = 5, and the session gave add_1 = 2. ")
        and panel.value == 2
        and not panel.revealed
    )
    assert "x got a number, but no operation that ran has read it." in said and "y did not run" in said
    assert marks_of(panel) == {"x": "rests", "w": "", "add": "rests", "add_1": "fetched", "y": "rests"}
    assert said in panel.status.value and said in panel.picture.alt
    assert panel.picture.alt.endswith("No operation without a mark ran.")
    panel.mark("add")  # a mark has changed, so nothing of that run is shown any more
    assert marks_of(panel)["x"] == "guessed" and "did not run" not in panel.status.value + panel.picture.alt


def test_a_missing_mark_is_run_too_and_not_named(graph):
    product()
    panel = viz.explore.ring(graph, "y")
    panel.mark("add")
    said = panel.run()
    assert said.startswith("✗ The session stopped: You must feed a value for placeholder tensor 'x'")
    assert said.endswith("shape [?,1]. Change your marks, and run again.")
    assert marks_of(panel) == {"x": "guilty", "w": "", "add": "guessed", "add_1": "", "y": "fetched"}
    panel.mark("x")
    said = panel.run()
    assert (
        said.startswith("✗ The panel fed x = 5, and the session gave y = ")
        and "An operation without a mark ran, too" in said
    )
    assert "add_1" not in said and marks_of(panel)["add_1"] == "" and marks_of(panel)["x"] == "fed"
    assert "No operation without a mark" not in panel.picture.alt
    panel.mark("add_1")
    assert panel.run().startswith("✓ The panel fed x = 5, and the session gave y = ") and panel.revealed
    assert "FED" in panel.picture.svg and "NOT FED" not in panel.picture.svg


def test_each_mark_of_the_ring_is_tried_in_a_session(graph):
    """Whatever is marked: it is right if, and only if, it is what the session needs."""
    product()
    for fetch in ("add", "add_1", "y"):
        panel = viz.explore.ring(graph, fetch)
        asked = [name for name in panel.buttons if name != fetch]
        for chosen in range(2 ** len(asked)):
            for place, name in enumerate(asked):
                panel.buttons[name].value = bool(chosen >> place & 1)
            guessed = {name for name in asked if panel.buttons[name].value}
            right = guessed == set(panel.needed) & set(asked)
            assert panel.run().startswith("✓") == right == panel.revealed
            assert (panel.stopped is not None) == ("x" in panel.needed and "x" not in guessed)


def test_numbers_of_any_shape_and_type_are_fed_and_the_readers_session_keeps_its_variables(graph):
    rows = tf.placeholder(tf.int32, [None, 3], name="rows")
    count = tf.Variable(1, name="count")
    tf.reduce_sum(rows * count, name="all")
    tf.add(rows, count, name="more")
    with tf.Session() as session:
        session.run(count.assign(7))
        panel = viz.explore.ring(graph, "all")
        panel.mark("rows", "mul")
        assert (
            panel.run().startswith("✓ The panel fed rows = 5, and the session gave all = 15.")
            and session.run(count) == 7
        )
        panel.fetch("more")
        panel.mark("rows")
        assert panel.run().startswith("✓ The panel fed rows = 5, and the session gave more = [[6 6 6]].")


def test_the_ring_starts_again_at_another_fetch(graph):
    product()
    panel = viz.explore.ring(graph, "add_1")
    panel.mark("x")
    panel.run()
    places = panel.picture.geometry
    panel.fetch("add")
    assert not panel.revealed and [name for name, toggle in panel.buttons.items() if toggle.value] == ["add"]
    assert panel.picture.geometry is places
    asked = [name for name, toggle in panel.buttons.items() if toggle.layout.display != "none"]
    assert asked == ["x", "add_1", "y"] and "to compute add?" in panel.asking.value  # nobody is asked what is given


def test_in_the_ring_names_are_larger_than_signs_and_no_ring_lies_on_the_head_of_an_arrow(graph):
    product()
    panel = viz.explore.ring(graph, "y")
    panel.mark("x", "add", "add_1")
    panel.run()
    picture = panel.picture
    sizes = {each.text: float(each.get("font-size")) for each in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")}
    assert sizes["y"] == sizes["x"] == 20 and all(node.mark for node in picture.graph.nodes if node.kind == "operator")
    for edge, arrow in zip(picture.graph.edges, picture.geometry.arrows, strict=True):
        x, y = picture.geometry.centres[edge.target]
        assert math.hypot(arrow.tip[0] - x, arrow.tip[1] - y) > circles.RADIUS + 5 + 2  # the ring's way, half its width


def test_the_ring_lights_what_the_engine_runs(graph):
    _, _, y = product()
    tf.exp(y, name="z")
    with tf.Session(passes=[]) as session:
        for name in ("add", "add_1", "y", "z"):
            plan = session.plan(f"{name}:0", ["x:0"])
            ran = {op.name for op in plan.block.operations if not op.name.endswith(("/read", "/y"))}
            assert set(viz.explore.ring(graph, name).needed) | {"x"} == ran | {"x"}


def test_the_ring_knows_only_what_is_in_the_picture(graph):
    product()
    with pytest.raises(KeyError, match="no operation 'q' in the picture, only add, add_1, y"):
        viz.explore.ring(graph, "q")


def test_passes_show_each_graph_and_switches_leave_one_out():
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.exp(x) * tf.exp(x) + tf.exp(x)
    panel = viz.explore.passes(tf.Session().plan(y, [x]))
    after = panel.sliders["after pass"]
    for after.value, size in enumerate(panel.sizes):
        kinds = [node.kind for node in panel.picture.graph.nodes]
        assert len(kinds) == size + 1
        counts = f"operations: {kinds.count('operator')}, constants: {kinds.count('constant')}"
        assert counts in panel.picture.alt and counts in panel.status.value
    for lang in ("en", "zh"):  # every pass is explained
        assert all(passes.WORDS[lang][name] for name in panel.names)
    smallest = panel.sizes[-1]
    panel.switch("merge", False)
    assert panel.sizes[-1] > smallest and "merge" not in [stage.name for stage in panel.plan.passes]
    panel.switch("merge", True)
    assert panel.sizes[-1] == smallest


def test_passes_say_what_each_does_with_memory_and_who_has_more_to_do():
    u = tf.placeholder(tf.float32, [None], name="u")
    six, minus = tf.constant(2.0) * 3.0, -u
    panel = viz.explore.passes(tf.Session().plan(tf.add(tf.exp(u) * tf.exp(u), -minus * six, name="out"), [u]))
    after = panel.sliders["after pass"]
    after.value = panel.names.index("in place") + 1
    assert "Here: mul_1 over Exp. The operations stay" in panel.status.value
    assert "x²" in readable(panel.picture.svg)
    panel.switch("simplify", False)
    assert "in place: 3 changed (with all passes: 1)." in panel.status.value
    assert "simplify: switched off. operations: 6, constants: 3" in panel.status.value
    assert "Neg_1 over Neg" in panel.status.value and "x²" not in readable(panel.picture.svg)
    after.value = panel.names.index("reuse") + 1
    assert "reuse: nothing to do." in panel.status.value and "Here:" not in panel.status.value
    after.value += 1
    assert "after out" in panel.status.value


def test_the_machine_stands_still_while_the_other_graph_grows():
    import minigrad as torch

    w = torch.tensor([0.5], requires_grad=True)

    def unrolled(T):
        h = torch.tensor([1.0])
        for _ in range(T):
            h = torch.tanh(h * w)
        return h

    n, turns, state = loop()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        panel = viz.explore.machine(unrolled, lambda T: (state, session.run(turns, {n: T})), T=(1, 8, 1, 3))
        assert panel.sliders["T"].disabled and panel.button.disabled and "viz-plate" not in panel.picture.svg
        assert panel.guess("4 and 6").startswith("✗ 4 and 6. Python runs its loop again")
        assert panel.guess("16 and 16").startswith("✗") and panel.guess("32 and 16").startswith("✗")
        assert panel.guess("4 and 16").startswith("✓ 4 and 16.")
        seen, places = [], []
        for panel.sliders["T"].value in (1, 2, 8):
            seen.append((panel.operators, panel.turns))
            root = ElementTree.fromstring(panel.picture.svg)
            still = next(part for part in root if part.get("class") == "viz-still")
            rows = [part for part in root.iter() if "viz-row" in part.get("class", "")]
            shapes = [part.get("transform") for part in rows[0] if part.get("transform")]
            places.append((panel.picture.size, ElementTree.tostring(still), shapes))
            assert len(rows) == panel.turns
    assert seen == [((4, 2), 1), ((4, 4), 2), ((4, 16), 8)]
    assert places[0] == places[1] == places[2]  # the same layout every time
    assert panel.picture.png().startswith(b"\x89PNG")


def test_the_machine_is_two_pictures_that_stand_one_above_the_other_where_there_is_no_room():
    import minigrad as torch

    def looped():
        n, turns, state = loop()
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        return lambda T: (state, *session.run([turns, state], {n: T}))

    panel = viz.explore.machine(lambda T: torch.ones(1, requires_grad=True) * T, looped(), T=(1, 8, 1, 3))
    left, right = panel.halves
    for half, most in ((left, 640), (right, 480)):  # pixels that a window of 800 leaves
        assert 0 < half.size[0] <= most and half.svg in panel.shown.value
    assert right.size[1] < panel.picture.size[1]  # below the last row nothing is kept free
    assert "flex-wrap:wrap" in panel.shown.value and panel.picture.size[0] > left.size[0] + right.size[0]
    assert "result = " in left.alt and ">state</text>" in left.svg  # named as in the function that was handed over


def test_no_arrow_of_the_machine_runs_through_the_words_of_a_frame(each_engine):
    from viz.explore.static.machine import Still
    from viz.graph.static import static_graph_of

    n, turns, state = loop()
    still = Still(static_graph_of([state]), "en")
    for cluster, frame in zip(still.graph.clusters, still.geometry.frames, strict=True):
        width = text_width(frame_label(cluster, "en"), WORD, bold=True)
        x, y = label_place(frame, width, *in_the_way(still.geometry, still.shapes))
        crossing = [
            arrow
            for arrow in still.geometry.arrows
            for px, py in arrow.course(40)
            if x < px < x + width and abs(py - y) < 7
        ]
        assert not crossing, cluster.label


def test_the_machines_token_goes_round_once_a_turn_and_reduced_motion_gets_the_last_frame():
    import minigrad as torch

    n, turns, state = loop()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        panel = viz.explore.machine(
            lambda T: sum((torch.ones(1) for _ in range(T)), torch.zeros(1, requires_grad=True)),
            lambda T: (state, session.run(turns, {n: T})),
            T=(1, 8, 1, 2),
        )
        panel.guess("4 and 8")
        panel.sliders["T"].value = 5
        first = panel.picture.svg
        panel.run()
    assert panel.runs == 3 and panel.picture.svg != first
    root = ElementTree.fromstring(first)
    tokens = [part for part in root.iter() if "viz-plate" in part.get("class", "")]
    for token in tokens:
        assert (
            "animation-iteration-count:5" in token.get("style") and token.get("opacity") == "0"
        )  # only motion shows it
        assert token.get("aria-hidden")
    assert sorted(token[1].text for token in tokens) == ["state", "turns"]
    assert "prefers-reduced-motion:no-preference" in first
    counted = [part.text for part in root.iter() if re.fullmatch(r"iteration \d of 5", part.text or "")]
    assert counted == [f"iteration {turn} of 5" for turn in range(6)]  # one over the other, the last on top


def test_the_race_hides_its_times_until_they_are_measured():
    static = {"built": 0}

    def build():
        static["built"] += 1
        return lambda item: None

    panel = viz.explore.race(lambda item: sum(range(500)), build, range(9), most=100)
    assert static["built"] == 0 and "not measured yet" in panel.picture.alt
    told = []
    panel.status.observe(lambda change: told.append(change["new"]), "value")
    times = panel.measure()
    assert "computing …" in told[0] and "computing" not in told[-1]
    assert static["built"] > 1 and times.dynamic > times.static
    assert times.break_even == pytest.approx(times.build / (times.dynamic - times.static))
    assert f"{times.dynamic:.3f} ms" in panel.picture.alt and repr(panel) == "race: measured"
    assert "Your guess" not in panel.status.value
    panel.sliders["cross after"].value = 30
    assert "Your guess: 30. The lines cross after" in panel.status.value
    assert not panel.button.disabled  # a disabled button would lose the focus to the page


def test_the_clinic_rests_while_the_race_is_measured():
    """It notes lines, which slows the dynamic graph; a lesson had to switch it off, and it stayed off."""
    on = []
    panel = viz.explore.race(lambda item: on.append(repr(viz.clinic)), lambda: lambda item: None, range(3))
    try:
        viz.clinic(fold=True, lang="zh")
        panel.measure()
        assert {*on} == {"the error clinic is off"} and repr(viz.clinic) == "the error clinic is on"
        assert viz.clinic.fold and viz.clinic.lang == "zh"
    finally:
        viz.clinic.off()
    panel.measure()
    assert repr(viz.clinic) == "the error clinic is off"


def test_the_axis_of_the_race_ends_where_the_slider_ends():
    panel = viz.explore.race(lambda item: sum(range(2000)), lambda: lambda item: None, range(9), most=300)
    assert "300 runs</text>" in panel.picture.svg
    panel.sliders["cross after"].value = 120
    panel.measure()
    (slider,) = panel.sliders.values()
    assert f"{round(slider.max):,} runs</text>" in panel.picture.svg and slider.max >= 300


def test_a_press_while_the_race_is_measured_does_nothing():
    pressed = []

    def build():
        pressed.append(panel.button.disabled)
        panel.button.click()
        return lambda item: None

    panel = viz.explore.race(lambda item: sum(range(2000)), build, range(9))
    panel.button.click()
    assert panel.times is not None and pressed and not any(pressed) and len(pressed) == race.BUILDS


def test_a_stream_that_is_used_up_is_told():
    items = iter(range(9))
    assert len(list(items)) == 9
    with pytest.raises(ValueError, match="the stream is empty. A generator can be gone through only once"):
        viz.explore.race(lambda item: None, lambda: lambda item: None, items)


def test_the_guess_can_reach_where_the_lines_cross():
    panel = viz.explore.race(
        lambda item: sum(range(2000)), lambda: time.sleep(0.01) or (lambda item: None), range(9), most=5
    )
    crossing = panel.measure().break_even
    assert crossing > 5 and panel.sliders["cross after"].max >= crossing
    assert "this number may be different" in panel.status.value and "<circle" in panel.picture.svg


def test_a_long_race_is_measured_in_seconds():
    panel = viz.explore.race(lambda item: time.sleep(0.002), lambda: lambda item: None, range(3))
    panel.measure()
    assert " ms</text>" in panel.picture.svg
    panel.sliders["cross after"].value = 900  # in the middle: 1,800 runs of 2 ms and more
    assert " ms</text>" not in panel.picture.svg and " s</text>" in panel.picture.svg


def test_a_race_that_static_never_wins_says_so():
    panel = viz.explore.race(lambda item: None, lambda: lambda item: sum(range(5000)), range(9))
    assert panel.measure().break_even is None and "do not cross" in panel.picture.alt


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_explorers_speak_both_languages(graph, lang):
    x, _, y = product()
    ring = viz.explore.ring(graph, "y", lang=lang)
    ring.mark("x")
    ring.run()
    compiled = viz.explore.passes(tf.Session().plan(y, [x]), lang=lang)
    race = viz.explore.race(lambda item: None, lambda: lambda item: None, [1], lang=lang)
    race.measure()
    for panel in (ring, compiled, race):
        assert panel.error is None and panel.picture.svg
        assert ("会话" in ring.status.value) == (lang == "zh")


def test_a_trace_is_drawn_as_the_static_graph_that_it_became():
    import minigrad as torch

    fast = torch.jit(lambda w, x: (w + x) * (w + 1))
    with pytest.raises(LookupError, match="has no trace yet: call it"):
        viz.draw(fast)
    fast(torch.tensor([2.0], requires_grad=True), torch.tensor([5.0]))
    picture = viz.draw(fast)
    assert picture.svg == viz.draw(fast.graph).svg and "w" in picture.alt and "gradients" in picture.alt


def test_passes_of_a_trace_show_its_two_halves_and_what_each_saved():
    import minigrad as torch

    fast = torch.jit(lambda w, x: (w + x).tanh() * (w + x).tanh() / 4)
    with pytest.raises(LookupError, match="has no trace yet: call it"):
        viz.passes(fast)
    fast(torch.tensor([2.0], requires_grad=True), torch.tensor([5.0]))
    panel = viz.passes(fast)
    assert panel.names == [name for name in PASSES if name not in INEXACT]
    after = panel.sliders["after pass"]
    sizes = {}
    for panel.half.value in ("forward", "backward"):
        for after.value, size in enumerate(panel.sizes):
            assert sum(node.kind != "placeholder" for node in panel.picture.graph.nodes) == size
            assert panel.picture.alt.startswith(f"The graph {panel.half.value}, after “")
            inputs = panel.half.value == "backward" and after.value == 0
            assert ("values that the forward half computes" in panel.status.value) == inputs
        assert sum(panel.saved.values()) == panel.sizes[0] - panel.sizes[-1]
        sizes[panel.half.value] = panel.sizes
    assert sizes["forward"] != sizes["backward"] and panel.saved["merge"] == 1
    panel.half.value = "forward"
    assert panel.saved["merge"] == 2 and "merge: 2 removed. operations: " in panel.status.value
    panel.switch("merge", False)
    assert panel.saved["merge"] == 0 and panel.sizes[-1] > sizes["forward"][-1]
    panel.half.value = "backward"  # the switch stays
    assert panel.saved["merge"] == 0
    assert fast.plans[0].passes[0].after is panel.plans[0].passes[0].after and len(fast.traces) == 1


def test_a_trace_without_gradient_has_one_half_and_other_things_have_none():
    import minigrad as torch

    fast = torch.jit(lambda x: x * 2)
    fast(torch.ones(2))
    panel = viz.passes(fast, lang="zh")
    assert len(panel.plans) == 1 and "前向" not in panel.picture.alt and panel.error is None
    fast(torch.ones(2, requires_grad=True))
    panel = viz.passes(fast, lang="zh")
    panel.half.value = "反向"
    assert panel.picture.alt.startswith("反向，“") and panel.error is None
    with pytest.raises(TypeError, match=r"^passes\(\) shows a plan of a session, or what jit gives, but got float$"):
        viz.passes(3.0)


@pytest.mark.parametrize("name", ["Mul", "AddV2", "Mul_12", "AddV2_1", "AddV2_12", "Conv2DBackprop"])
def test_a_large_name_of_an_operator_does_not_touch_its_outline(name):
    circle = circles.Circle(Node("n", "operator", name=name, type="Mul"), "en", small=False, show=(legend.NAMED,))
    chord = 2 * math.sqrt(circle.radius**2 - 16**2)  # where the letters have half of their height
    assert circle.width - 2 * circle.radius + chord > text_width(name, NAME, mono=True, bold=True) + 4


def test_a_press_on_a_node_of_the_picture_does_what_its_button_does():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [], name="x")
        tf.exp(x, name="y"), tf.sin(x, name="z")
    panel = viz.explore.ring(graph, "y")
    assert set(panel.shown.names.values()) == {"x", "y", "z"}
    assert all(f'-{node}"' in panel.picture.svg for node in panel.shown.names)
    for pressed, marked in (("z", ["y", "z"]), ("z", ["y"]), ("y", ["y"]), ("nothing", ["y"]), ("x", ["x", "y"])):
        panel.shown._handle_custom_msg({"pressed": pressed}, [])
        assert sorted(panel._marked()) == marked
