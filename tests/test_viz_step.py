"""The stepper's events: their order and numbers, what they say, and that nothing of the reader's changes.

Numbers are PyTorch's: the graphs are small enough to check by hand, and the same tests run on PyTorch in its tier.
"""

import gc
import json
import re
import subprocess
import sys
import weakref
import xml.etree.ElementTree as ET

import pytest
from readable import readable

import viz
from viz.drawing.legend import LIGHT
from viz.stepper import hooks
from viz.stepper.amounts import amount
from viz.stepper.stage import ABOVE, BADGE


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    return pytest.importorskip(request.param, reason='needs the real PyTorch: pip install "torch==2.13.0"')


def leaf(torch, *numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def words(steps, part="backward"):
    return [event["words"] for event in steps.events if event["part"] == part]


@pytest.fixture
def tape(torch):
    """y = (w + x)(w + 1) at (2, 5), with its backward."""
    w, x = leaf(torch, 2.0), leaf(torch, 5.0)
    with viz.record() as tape:
        a = w + x
        b = w + 1
        y = a * b
        y.backward()
    assert (w.grad.item(), x.grad.item()) == (10, 3)
    return tape


def test_forward_is_told_in_the_order_of_the_code_with_its_lines(tape):
    assert words(tape, "forward") == ["a = w + x: 2 + 5 = 7.", "b = w + 1: 2 + 1 = 3.", "y = a × b: 7 × 3 = 21."]
    pieces = [(tape.script.code[line].text, start, end) for line, start, end in (e["code"] for e in tape.events[1:4])]
    assert [text[start:end] for text, start, end in pieces] == ["w + x", "w + 1", "a * b"]


def test_backward_is_told_in_the_order_of_the_engine(tape):
    assert words(tape) == [
        "The backward pass starts at y with the gradient 1: the derivative of y with respect to itself is 1.",
        "× passes to a: gradient 1 × slope 3 = 3. The slope for a is b.",
        "× passes to b: gradient 1 × slope 7 = 7. The slope for b is a. × no longer needs its saved values, so they "
        "are freed.",
        "The + that made b passes to w: gradient 7 × slope 1 = 7.",
        "The + that made a passes to w: gradient 3 × slope 1 = 3. The sum for w is 7 + 3 = 10; w.grad = 10.",
        "The + that made a passes to x: gradient 3 × slope 1 = 3. x.grad = 3.",
    ]
    assert tape.events[-1]["words"] == "Done. w.grad = 10, x.grad = 3."
    asked = [event["ask"]["question"] for event in tape.events[5:] if "ask" in event]
    assert asked[2:4] == [
        "What gradient does the + that made b pass to w?",
        "Now the + that made a passes a gradient to w. What is w.grad after that?",
    ]


def test_a_constant_that_no_sum_has_saved_is_told_where_rounding_leaves_it(torch):
    w = leaf(torch, 2.0)
    b, large, product = w + 1, w + 1e8, w * 3 + 1  # two and 1e8 is 1e8; what a product makes has no name here
    assert words(viz.step(b), "forward") == ["b = w + 1 = 3."]
    assert words(viz.step(b, lang="zh"), "forward") == ["b = w + 1 = 3。"]
    assert words(viz.step(w + 1e-3, names={"w": w}), "forward") == ["#1 = w + const = 2.001."]
    assert words(viz.step(large), "forward") == ["large = w + 1e+08 = 1e+08."]
    assert words(viz.step(product), "forward") == ["#1 = w × 3.", "product = #1 + const = 7."]


def test_the_steps_set_what_the_picture_shows(tape):
    name = {node.name: node.id for node in tape.script.graph.nodes}
    start, end = tape.script.at(0), tape.script.at(len(tape.events) - 1)
    assert start[name["a"]] == {"look": "later", "freed": False, "value": "?"}
    assert start[name["w"]] == {"look": "", "freed": False, "value": "2", "grad": "—", "sum": ""}
    assert end[name["a"]]["value"] == "7" and end[name["w"]]["grad"] == "10" and end[name["x"]]["grad"] == "3"
    assert end[name["w"]]["sum"] == "Σ 7 + 3 = 10"
    assert end[name["MulBackward0"]]["freed"] and not tape.script.at(4)[name["MulBackward0"]]["freed"]
    gradients = {set_["text"] for set_ in end.values() if set_.get("back")}
    assert gradients == {"← 1", "← 1 × 3 = 3", "← 1 × 7 = 7", "← 3", "← 7", "← 7 × 1 = 7", "← 3 × 1 = 3"}
    assert [event["ask"]["answer"] for event in tape.events if "ask" in event] == [7, 3, 21, 3, 7, 7, 10, 3]


def test_a_graph_that_is_there_is_rehearsed_and_stays_as_it_was(torch):
    w, x = leaf(torch, 2.0), leaf(torch, 5.0)
    a = w + x
    a.retain_grad()
    y = a * (w + 1)
    steps = viz.step(y)
    assert words(steps, "forward")[0] == "a = w + x: 2 + 5 = 7." and len(words(steps)) == 6
    assert steps.events[-1]["words"].startswith("Done. w.grad = 10, x.grad = 3, a.grad = 3.")  # a keeps its gradient
    assert w.grad is x.grad is a.grad is None
    y.backward()  # nothing was freed
    assert (w.grad.item(), x.grad.item(), a.grad.item()) == (10, 3, 3)
    again = viz.step(a + w)
    assert "w.grad was 10: 10 + 2 = 12" in words(again)[-2] + words(again)[-1]
    assert a.grad.item() == 3
    freed = viz.step(y)
    assert not words(freed) and "backward through the graph a second time" in freed.events[-1]["words"]


def test_two_passes_add_up_in_grad_and_only_the_last_frees(torch):
    w = leaf(torch, 3.0)
    with viz.record() as tape:
        y = w * w
        y.backward(retain_graph=True)
        y.backward()
    first, second = words(tape)[:3], words(tape)[3:]
    assert "The sum for w is 3 + 3 = 6; w.grad = 6." in first[-1] and "freed" not in first[-1]
    assert first[-1].endswith("× keeps its saved values for another pass.")
    assert "w.grad was 6: 6 + 6 = 12." in second[-1]
    assert second[-1].endswith("× has used the saved values that the earlier pass kept; now they are freed.")


def test_a_pass_says_only_what_is_kept_or_freed(torch):
    w = leaf(torch, 3.0)
    with viz.record() as tape:
        y = w * w + 1  # + saves nothing
        y.backward(retain_graph=True)
    told = " ".join(words(tape))
    assert "freed" not in told and told.count("keeps its saved values") == told.count("× keeps its saved values") == 1


def test_the_last_step_says_that_an_error_ended_the_program(torch):
    w = leaf(torch, 3.0)
    for lang, line, told in [
        ("en", 4, "Line 4 stops with an error: RuntimeError. w.grad = 6."),
        ("en", None, "The program stops with an error: RuntimeError. w.grad = 6."),
        ("zh", 4, "第 4 行出错并停止：RuntimeError。w.grad = 6。"),
    ]:
        w.grad = None
        try:
            with viz.record(lang=lang) as tape:
                y = w * w
                y.backward()
                y.backward()
        except RuntimeError as error:
            tape.stopped(error, line)
        assert tape.events[-1]["words"] == told
    with viz.record() as tape:
        w.detach()
    tape.stopped(RuntimeError(), 1)  # nothing is recorded, so no step can say it
    assert tape.events == []


def test_autograd_grad_leaves_no_trace_in_grad(torch):
    w = leaf(torch, 3.0)
    with viz.record() as tape:
        y = w * w
        torch.autograd.grad(y, w)
    assert "The sum for w is 3 + 3 = 6." in words(tape)[-1] and ".grad" not in " ".join(words(tape))
    assert tape.events[-1]["words"] == "Done."


def test_gradients_are_summed_back_over_broadcasting(torch):
    v, b = leaf(torch, 1.0, 2.0, 3.0), leaf(torch, 1.0)
    with viz.record() as tape:
        y = v * b
        y.backward(torch.tensor([1.0, 10.0, 100.0]))
    handed = words(tape)
    assert "× passes to v: gradient [1, 10, 100] × slope [1, 1, 1] = [1, 10, 100]." in handed[1]
    assert "× passes to b: 321, computed from gradient [1, 10, 100]. The slope for b is v. b.grad = 321." in handed[2]


def test_detach_cuts_the_way_back(torch):
    w = leaf(torch, 3.0)
    with viz.record() as tape:
        a = w * w
        h = a.detach()
        y = h * w
        y.backward()
    assert len(words(tape, "forward")) == 2 and len(words(tape)) == 2
    assert "× that made y passes to w: gradient 1 × slope 9 = 9. The slope for w is h. w.grad = 9." in words(tape)[1]


def test_a_readers_own_function_is_a_step_like_any_other(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, h):
            ctx.save_for_backward(h)
            return h**3

        @staticmethod
        def backward(ctx, grad):
            (h,) = ctx.saved_tensors
            return 3 * h**2 * grad

    w = leaf(torch, 2.0)
    with viz.record() as tape:
        y = Cube.apply(w)
        y.backward()
    assert words(tape, "forward") == ["y = Cube(w): Cube(2) = 8."]
    assert (
        "Cube passes to w: gradient 1 × slope 12 = 12. w.grad = 12. Cube no longer needs its saved values, so they are "
        "freed." in words(tape)[1]
    )
    if torch.__name__ == "minigrad":  # PyTorch tells nobody of this call
        assert tape.script.code[0].text == "y = Cube.apply(w)"


def test_values_are_those_of_the_moment(torch):
    w = leaf(torch, 2.0)
    with viz.record() as tape:
        y = w * 3
        y.backward()
        with torch.no_grad():
            w -= 0.5 * w.grad
    assert words(tape, "forward") == ["y = w × 3: 2 × 3 = 6."] and w.item() == 0.5
    assert tape.script.at(len(tape.events) - 1)["n0"]["value"] == "2"


def test_training_goes_on_within_a_tape(torch):
    w = leaf(torch, 2.0)
    optimizer = torch.optim.SGD([w], lr=0.25)
    with viz.record() as tape:
        for _ in range(2):
            y = w * w
            optimizer.zero_grad()
            y.backward()
            optimizer.step()
    values = ["y = w × w: 2 × 2 = 4.", "y = w × w: 1 × 1 = 1."]
    assert [re.sub("^#1", "y", said) for said in words(tape, "forward")] == values
    second = next(i for i, event in enumerate(tape.events) if "1 × 1" in event["words"])
    assert tape.script.at(second - 1)["n0"]["grad"] == "4" and tape.script.at(second)["n0"]["value"] == "1"
    assert tape.events[-1]["words"] == "Done. w.grad = 2."


def test_a_function_is_asked_for_the_names_at_the_end_of_the_block(torch):
    """A page runs a program inside the block, whose variables exist only afterwards."""
    variables = {}
    with viz.record(names=lambda: variables) as tape:
        exec(
            "w = torch.tensor([2.0], requires_grad=True); out = [w * w]; out[0].backward()", {"torch": torch}, variables
        )
    assert "out[0] = w × w: 2 × 2 = 4." in words(tape, "forward")


@pytest.mark.parametrize("after", ["", "late = w * 3"])
def test_of_a_long_loop_the_last_turn_is_kept(torch, after, capsys):
    """A loop of a thousand turns is a thousand graphs. The last turn has its lines, values and gradients."""
    w = leaf(torch, 0.0)
    with viz.record(names={"w": w}, last_turn=True, quiet=True) as tape:
        for _ in range(100):
            loss = ((w - 1) * (w - 1)).sum()
            loss.backward()
            with torch.no_grad():
                w -= w.grad / 4
                w.grad = None
        if after:
            late = w * 3
    del loss
    assert tape.turns_left_out == 99 and not capsys.readouterr().err
    assert len(words(tape, "forward")) == 4 and len(words(tape, "backward")) == 6
    assert {line.text for line in tape.script.code} == {"loss = ((w - 1) * (w - 1)).sum()"}
    assert not after or late.requires_grad


def test_a_short_program_is_kept_whole_with_all_its_passes(torch):
    w = leaf(torch, 1.0)
    with viz.record(names={"w": w}, last_turn=True) as tape:
        for _ in range(3):
            (w * w).backward()
    assert tape.turns_left_out == 0
    assert [step.partition(" = ")[2] for step in words(tape, "forward")] == ["w × w: 1 × 1 = 1."] * 3


def test_a_program_for_which_torch_is_minigrad_is_recorded_as_any_other():
    code = "import minigrad; minigrad.install_as_torch(); import torch, viz\nwith viz.record() as tape:\n"
    code += "    w = torch.tensor([2.0], requires_grad=True); y = w * w; y.backward()\nprint(tape, viz.draw(y))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, encoding="utf-8")
    assert (
        done.stdout.startswith("Steps through the graph of y: 1 forward, 3 backward, and the end.") and not done.stderr
    )


def test_hooks_are_gone_afterwards(torch, monkeypatch):
    w = leaf(torch, 2.0)
    with viz.record():
        y = w * w
    viz.step(y)
    monkeypatch.setattr(hooks, "amount", None)  # a hook that is still there can't do without
    y.backward()
    (w * w).backward()
    assert w.grad.item() == 8


def test_an_error_inside_is_the_readers_and_what_came_before_it_is_kept(torch):
    w = leaf(torch, 2.0)
    with pytest.raises(RuntimeError, match="second time"):
        with viz.record() as tape:
            y = w * w
            y.backward()
            y.backward()
    assert len(words(tape)) == 3
    with torch.no_grad(), viz.record() as nothing:
        w * w
    assert "no operator ran" in repr(nothing) and "image/png" not in nothing._repr_mimebundle_()[0]


def test_no_tensor_outlives_its_tape():
    import minigrad as torch

    def program():
        w = leaf(torch, 2.0)
        with viz.record() as tape:
            a = w * w
            y = a.exp()
            y.backward()
        return tape, viz.step(a + w), weakref.ref(y.grad_fn), weakref.ref(a.grad_fn)

    gc.disable()
    try:
        tape, steps, *nodes = program()
        assert [node() for node in nodes] == [None, None]
    finally:
        gc.enable()


def test_what_cannot_be_stepped_through(torch):
    with pytest.raises(TypeError, match="but got int"):
        viz.step(3)
    with pytest.raises(ValueError, match="no operator"):
        viz.step(leaf(torch, 1.0))
    with pytest.raises(ValueError, match="lang must be one of 'en', 'zh'"):
        viz.step(leaf(torch, 1.0) * 2, lang="fr")


def test_prediction_hides_the_numbers_from_what_is_stored(tape):
    steps = viz.step(tape, predict=True)
    data, metadata = steps._repr_mimebundle_()
    shown = data["text/plain"] + metadata["image/png"]["alt"] + readable(steps._stage.picture(steps.first))
    assert "Before the first operator" in shown and not re.search(r"\b(7|10|21)\b", shown)
    assert "w.grad = 10" in viz.step(tape)._repr_mimebundle_()[0]["text/plain"]
    assert set(data) == {"text/plain", "text/html", "image/png", "application/vnd.jupyter.widget-view+json"}


def test_what_waits_is_dashed_and_not_pale(torch):
    """A seventh of the ink had 1.7 : 1 on a dark page."""
    w = leaf(torch, 2.0)
    with viz.record(names={"w": w}, predict=True) as tape:
        y = w * 3
        y.backward()
    steps = viz.step(tape)
    for styled in (True, False):
        picture = steps._stage.picture(0, styled=styled)
        waiting = [each for each in ET.fromstring(picture).iter() if "later" in each.get("class", "").split()]
        assert len(waiting) == sum(said.get("look") == "later" for said in steps.script.at(0).values()) > 2
        assert not [each for each in waiting if each.get("opacity")] and "stroke-dasharray" in picture
    muted = f"stroke:{LIGHT['muted']}"
    assert muted in picture  # test_viz_legend.py tests its contrast, in all themes


def test_a_badge_covers_neither_its_leaf_nor_what_is_below(torch):
    w = leaf(torch, 2.0)
    x = leaf(torch, 5.0)
    with viz.record(names={"w": w, "x": x}) as tape:
        y = (w + x) * (w + 1) * x
        y.backward()
    stage = viz.step(tape)._stage
    boxes, at = stage.roomy, stage.geometry.centres
    assert set(stage.badges) == {node.id for node in stage.script.graph.nodes if node.name in ("w", "x")}
    for id_, width in stage.badges.items():
        (x, y), leaf_ = at[id_], boxes[id_]
        top = y + leaf_.height / 2
        assert width <= leaf_.width and top + ABOVE + BADGE <= stage.geometry.size[1]
        for other, shape in boxes.items():
            if other != id_:
                beside = abs(at[other][0] - x) >= (leaf_.width + shape.width) / 2
                assert beside or at[other][1] - shape.height / 2 >= top + ABOVE + BADGE or at[other][1] < y


def test_predictions_are_of_what_backward_hands_on_unless_all_are_wanted(tape):
    """The sums of forward stand in the picture and in the question itself."""

    def asked(predict):
        return [event["part"] for event in viz.step(tape, predict=predict).data["events"] if "ask" in event]

    assert asked(False) == []
    assert asked(True) == ["backward"] * 5
    assert asked("all") == ["forward"] * 3 + ["backward"] * 5
    with pytest.raises(ValueError, match="predict must be True, False or 'all', but got 'some'"):
        viz.step(tape, predict="some")


def test_a_freed_graph_is_told_as_freed(torch):
    w = leaf(torch, 2.0)
    y = w * w
    y.backward()
    assert "An earlier backward pass freed the values" in viz.step(y).events[-1]["words"]


def test_what_would_take_long_to_lay_out_is_told_in_words(torch):
    w = z = leaf(torch, 0.9)
    for _ in range(400):
        z = (z * w).tanh()
    steps = viz.step(z, names={}, fold=False)
    assert len(steps.events) == 2003
    data, _ = steps._repr_mimebundle_()
    assert list(data) == ["text/plain"] and "too many to lay out unasked" in data["text/plain"]


def test_numbers_that_are_none_are_not_asked_for(torch):
    w = leaf(torch, 0.0)
    steps = viz.step(1 / w)
    assert "inf" in words(steps, "forward")[0] and "ask" not in steps.events[1]
    json.dumps(steps.data, allow_nan=False)


def test_names_stay_text(torch):
    evil = "</script><script>alert(1)</script>"
    w = leaf(torch, 2.0)
    y = w * w
    page = viz.step(y, names={evil: w, "<b>": y}).html
    assert page.count("<script") == page.count("</script>") == 1 and "alert(1)" in page and "<b>" not in page
    data = json.loads(re.search(r"^({.*}?)\);\n}\)\(\);\n</script>", page, re.S | re.M)[1])
    assert data["events"][1]["words"] == f"<b> = {evil} × {evil}: 2 × 2 = 4."
    svg = ET.fromstring(data["svg"])
    assert any(evil[-10:] in (text.text or "") for text in svg.iter("{http://www.w3.org/2000/svg}text"))
    assert not list(svg.iter("{http://www.w3.org/2000/svg}script"))
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org)", page)  # nothing comes from elsewhere


def test_chinese_steps(torch):
    w = leaf(torch, 2.0)
    y = w * w
    steps = viz.step(y, lang="zh")
    assert steps.events[1]["words"] == "y = w × w: 2 × 2 = 4。"
    assert 'lang="zh-CN"' in steps.html and "叶子" in steps.html


def test_amounts_are_numbers_taken_down(torch):
    g = torch.tensor([1.0, 2.0])
    taken = amount(g)
    g *= 2
    assert taken.text == "[1, 2]" and taken.numbers == (1.0, 2.0) and amount(torch.zeros(4, 5)).numbers is None
    assert amount(torch.ones(2, 3, 1), (3, 1)).text == "(3, 1)" and amount(torch.ones(2, 3), (1,)).text == "6"


def ten_time_steps(torch):
    """The seeds' net: the same hidden state at every step, gradients meeting in the shared weights."""
    torch.manual_seed(1)
    rnn, out = torch.nn.RNN(1, 32, batch_first=True), torch.nn.Linear(32, 1)
    x = torch.ones(1, 10, 1)
    with viz.record() as tape:
        r_out, h = rnn(x, None)
        outs = torch.stack([out(r_out[:, t, :]) for t in range(10)], dim=1)
        loss = torch.nn.MSELoss()(outs, x)
        loss.backward()
    return tape


def test_a_recurrent_net_steps(torch):
    tape = ten_time_steps(torch)
    parts = [event["part"] for event in tape.events]
    assert (parts.count("forward"), parts.count("backward")) == (79, 147)
    assert {line.text for line in tape.script.code} == {
        "r_out, h = rnn(x, None)",
        "outs = torch.stack([out(r_out[:, t, :]) for t in range(10)], dim=1)",
        "loss = torch.nn.MSELoss()(outs, x)",
    }
    grown = [
        event["words"] for event in tape.events if "rnn.weight_hh_l0.grad has the shape (32, 32)" in event["words"]
    ]
    assert len(grown) == 2  # once when the last of ten gradients has come, once in the last words
    assert "steps" in viz.step(tape).html


def test_a_wrong_prediction_is_told_what_its_number_is_and_never_what_it_is_not(torch):
    w = torch.tensor([3.0], requires_grad=True)
    x = torch.tensor([2.0], requires_grad=True)
    asked = [
        event["ask"]
        for event in viz.step((w + x) * (w + 1), predict=True, names={"w": w, "x": x}).events
        if "ask" in event
    ]
    asked = [each for each in asked if "replies" in each]
    assert len(asked) == 5  # two from ×, and one from + to x, two to w
    for each in asked:
        for number, said in each["replies"]:
            assert number != each["answer"] and said
    first, total = asked[0], next(each for each in asked if "w.grad" in each["question"])
    assert (
        dict(first["replies"])[1]
        == "This is the gradient that arrives at ×. Multiply it by this operator's slope with respect to #1."
    )
    assert dict(first["replies"])[5] == "This is the value of #1. The question asks for a gradient."
    assert first["again"] and "In an earlier step" in total["again"]
    new, before = (
        next(number for number, said in total["replies"] if key in said)
        for key in ("passes now. In an earlier step", "in an earlier step. Add")
    )
    assert new + before == total["answer"] == 9


def test_no_two_heads_of_gradients_lie_on_each_other(torch):
    from viz.drawing.arrows import ends_apart
    from viz.stepper.stage import Stage

    w = torch.tensor([3.0], requires_grad=True)
    stage = Stage(viz.step((w + 2) * (w + 1) * (w * w), names={"w": w}).script)
    places = sorted(y for _, y in stage.ends.values())
    assert len(places) >= 3 and min(b - a for a, b in zip(places, places[1:], strict=False)) >= 10
    centre, height = stage.geometry.centres, stage.roomy
    box = next(node.id for node in stage.script.graph.nodes if node.name == "w")
    assert all(abs(y - centre[box][1]) <= height[box].height / 2 for y in places)
    assert ends_apart(stage.geometry.arrows[:0], []) == {}


def test_a_part_of_a_page_is_the_player_without_the_page(tape):
    stepper = viz.step(tape)
    part = stepper.part(code=[])
    assert '"code": []' in part and stepper.data["code"]
    assert stepper.part() in stepper.html and "<title>Stepper" not in part


def test_a_kept_gradient_adds_up_over_the_passes_as_it_does_in_the_tensor(torch):
    """A reader saw no gradient at a tensor that had printed one."""

    def program():
        w = torch.tensor([1.0, 3.5], requires_grad=True)
        h = w * w
        h.retain_grad()
        return h, (h * 2).sum()

    def at_h(stepper, step=-1):
        (box,) = [node.id for node in stepper.script.graph.nodes if node.name == "h"]
        return stepper.script.at(step % len(stepper.events))[box]["grad"]

    with viz.record() as tape:
        h, loss = program()
        loss.backward(retain_graph=True)
        loss.backward()
    assert h.grad.tolist() == [4, 4] and at_h(viz.step(tape)) == "[4, 4]"
    assert tape.events[-1]["words"].endswith(".grad = [8, 28], h.grad = [4, 4].")
    assert at_h(viz.step(h)) == "[4, 4]"  # its operators have freed what they saved: nothing can be added
    h, loss = program()
    loss.backward(retain_graph=True)
    stepper = viz.step(loss)
    assert h.grad.tolist() == [2, 2] and at_h(stepper, 0) == "[2, 2]"
    loss.backward()
    assert h.grad.tolist() == [4, 4] and at_h(stepper) == "[4, 4]"


def test_of_a_large_gradient_the_last_step_tells_the_shape(torch):
    w = torch.ones(2, 3, requires_grad=True)
    with viz.record() as tape:
        (w * 2).sum().backward()
    assert tape.events[-1]["words"] == "Done. w.grad has the shape (2, 3)."


def test_the_picture_calls_a_constant_as_the_steps_do(torch):
    """A reader saw `x` in the steps, and in the whole graph "a constant" that was freed."""
    x, w = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([5.0, 6.0], requires_grad=True)

    def constants(graph):
        return [(n.name, n.value, n.shape) for n in graph.nodes if n.kind == "constant"]

    def program():
        loss = (w * x - 2 + x).sum() * 3
        loss.backward()
        return loss

    assert {name for name, *_ in constants(viz.draw(program(), names={"w": w, "x": x}).graph)} == {""}  # none was kept
    with viz.record(names={"x": x}) as tape:
        loss = program()
    drawn = constants(viz.draw(loss).graph)
    assert drawn == [("x", None, (2, 2)), ("", "2", ()), ("", None, (2, 2)), ("", "3", ())]
    steps = [tape.script.at(len(tape.events))[n.id]["value"] for n in tape.script.graph.nodes if n.kind == "constant"]
    assert steps == ["(2, 2)", "2", "(2, 2)", "3"]
    assert viz.draw(loss).svg.count(">freed<") == 0
