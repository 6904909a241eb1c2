"""A long script on a small picture: every step is there, what repeats is one box, and the window is wide enough."""

import pytest
from test_viz_step import ten_time_steps

import minigrad
import viz
from viz.drawing.page import SHRINKS, too_wide
from viz.drawing.rows import SPACE


def chain(torch, steps):
    w = y = torch.tensor([0.9], requires_grad=True)
    for _ in range(steps):
        y = (y * w).tanh()
    return w, y


def test_no_step_is_lost_and_each_says_its_turn(torch):
    w, y = chain(torch, 30)
    folded, whole = viz.step(y, names={"w": w}), viz.step(y, names={"w": w}, fold=False)
    assert len(folded.events) == len(whole.events) and folded.first == whole.first
    assert [node.name for node in folded.script.graph.nodes] == ["w", "mul tanh", ""]
    for one, other in zip(folded.events, whole.events, strict=True):
        assert one["words"].endswith(other["words"]) and one["part"] == other["part"]
        assert one.get("ask") == other.get("ask")
    assert folded.events[3]["words"].startswith("mul tanh, repeat 2 of 30: ")
    assert folded.events[-1]["words"] == whole.events[-1]["words"]


def test_steps_speak_of_what_is_in_the_picture(torch):
    for steps in (viz.step(chain(torch, 30)[1], names={}), viz.step(ten_time_steps(torch))):
        graph = steps.script.graph
        there = {node.id for node in graph.nodes} | {f"e{i}" for i in range(len(graph.edges))}
        assert set(steps.events[0]["set"]) == there
        for event in steps.events:
            assert set(event["now"]) <= there and set(event["set"]) <= there
            assert event["part"] in ("start", "end") or event["now"]
        state = steps.script.at(len(steps.events) - 1)
        assert all(said["look"] == "" for said in state.values())
        assert steps._stage.picture(0) != steps._stage.picture(len(steps.events) - 1)


def test_gradients_add_up_as_before(torch):
    w, y = chain(torch, 30)
    leaf = viz.step(y, names={"w": w}).script
    other = viz.step(y, names={"w": w}, fold=False).script
    (id_,) = [node.id for node in leaf.graph.nodes if node.name == "w"]
    (old,) = [node.id for node in other.graph.nodes if node.name == "w"]
    last = len(leaf.events) - 1
    assert leaf.at(last)[id_]["grad"] == other.at(last)[old]["grad"]


def test_the_box_appears_with_the_first_operator_in_it():
    with viz.record() as tape:
        w, y = chain(minigrad, 30)
    steps = viz.step(tape)
    box = next(node.id for node in steps.script.graph.nodes if node.kind == "folded")
    assert steps.script.at(0)[box]["look"] == "later" and steps.script.at(1)[box]["look"] == ""


def test_ten_time_steps_are_rows_that_fit_a_window_and_small_scripts_stay(torch):
    """Unfolded it was 4,031 pixels wide and 1,618 high, folded 2,807 and 726; a row is seen at once."""
    steps = viz.step(ten_time_steps(torch))
    assert not too_wide(steps._stage.size)
    shapes, at = steps._stage.roomy, steps._stage.geometry.centres
    reach = sorted((at[id_][1] - shape.height / 2, at[id_][1] + shape.below) for id_, shape in shapes.items())
    rows = [[*reach[0]]]
    for top, bottom in reach:
        if top > rows[-1][1] + SPACE:
            rows.append([top, bottom])
        rows[-1][1] = max(rows[-1][1], bottom)
    assert len(rows) > 1 and all((bottom - top) / SHRINKS < 450 for top, bottom in rows)
    assert any(arrow.turns for arrow in steps._stage.geometry.arrows)
    assert len(steps.script.graph.nodes) == 24
    w, y = chain(torch, 5)
    assert not viz.step(y).folded


def test_what_is_named_stays_unfolded(torch):
    _, y = chain(torch, 30)
    assert len(viz.step(y, names={}, unfold="mul tanh").script.graph.nodes) == 62
    with pytest.raises(ValueError, match="nothing here is called 'x': there are 'mul tanh'"):
        viz.step(y, names={}, unfold="x")
    with pytest.raises(ValueError, match="fold must be True, False or 'auto', but got 3"):
        viz.step(y, fold=3)


def test_chinese_turns():
    assert viz.step(chain(minigrad, 30)[1], names={}, lang="zh").events[1]["words"].startswith("mul tanh 第 1 次")
