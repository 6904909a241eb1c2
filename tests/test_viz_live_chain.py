"""The chain below a trainer's plot: it is read from the graph that the loop has built, and shown calmly.

Also the cost of a frame: a time axis that moves does not draw the background again.
"""

import asyncio
import io
import re

import numpy as np
import pytest
from PIL import Image

import minigrad as torch
from viz.training import trainer as panels
from viz.training.chain import CUT, OPEN, ZEROS, read
from viz.training.encode import quick_png
from viz.training.links import picture
from viz.training.live import LivePlot
from viz.training.trainer import trainer


def loop(T, h=None, cut_after=(), last_only=False):
    """A recurrent loop: (loss, states); the history ends after the time steps in `cut_after`."""
    w = torch.tensor(0.5, requires_grad=True)
    states = [torch.tensor(0.0) if h is None else h]
    for t in range(1, T + 1):
        before = states[-1].detach() if t - 1 in cut_after else states[-1]
        states.append(torch.tanh(w * before + 1.0))
    loss = states[-1] if last_only else torch.stack(states[1:]).sum()
    return loss * 1.0, states


def train(length=lambda i: i + 1, keep=True):
    """Iteration i, counted from 0, has `length(i)` time steps."""
    h = None
    for i in range(12):
        loss, states = loop(length(i), h)
        loss.backward()
        h = states[-1].detach() if keep else None
        yield dict(loss=loss, chain=(loss, states))


# Reading


@pytest.mark.parametrize(
    ("h", "begins", "cuts"),
    [
        (None, ZEROS, []),
        (torch.tensor(0.3), CUT, [1]),
        (torch.tensor(0.3, requires_grad=True) * 1.0, OPEN, []),
    ],
    ids=["zeros", "detached", "with its history"],
)
def test_the_first_state_decides_where_backward_stops(h, begins, cuts):
    chain = read(loop(4, h))
    assert (chain.steps, chain.begins, chain.cuts, chain.reached) == (4, begins, cuts, (True,) * 4)
    assert chain.joined == (begins == OPEN, True, True, True)


def test_a_cut_inside_the_loop_is_found():
    chain = read(loop(6, torch.tensor(0.3), cut_after={2, 5}))
    assert chain.joined == (False, True, False, True, True, False) and chain.cuts == [1, 3, 6]
    assert all(chain.reached)  # the loss reads each state directly


def test_what_the_gradient_does_not_reach_is_not_coloured():
    chain = read(loop(6, cut_after={2}, last_only=True))
    assert chain.reached == (False, False, True, True, True, True)
    drawn = picture(chain, "en").svg
    assert drawn.count('stroke-width="3"') < picture(read(loop(6, last_only=True)), "en").svg.count('stroke-width="3"')


def test_the_nodes_are_those_of_the_loss():
    few, more = (read(loop(T)).nodes for T in (1, 4))
    assert more - few == 3 * 3  # ×, + and tanh in each time step; the leaf and the loss are there once


def test_it_reads_the_same_after_backward():
    loss, states = loop(5)
    before = read((loss, states))
    loss.backward()
    assert read((loss, states)) == before


@pytest.mark.parametrize("wrong", [3, (1.0, [1.0, 2.0]), loop(3)[1], (loop(1)[0], loop(1)[1][:1])])
def test_anything_else_is_an_error(wrong):
    with pytest.raises(TypeError, match="chain must be"):
        read(wrong)


def test_a_loss_without_a_graph_is_an_error():
    with pytest.raises(TypeError, match="no graph"):
        read((torch.tensor(1.0), loop(2)[1]))


@pytest.mark.parametrize("T", [1, 30, 70, 400, 1500])
def test_however_many_boxes_there_are_each_has_a_width_and_a_place_of_its_own(T):
    svg = picture(read(loop(T)), "en").svg
    boxes = re.findall(r'<rect x="([-\d.]+)" y="36" width="([-\d.]+)"', svg)[1:-1]
    edges = sorted({(float(x), float(x) + float(wide)) for x, wide in boxes})
    assert all(right > left for left, right in edges) and len(edges) >= T - 2
    assert all(right <= next_left for (_, right), (next_left, _) in zip(edges, edges[1:], strict=False))


# The panel


def boxes(panel):
    """How many time steps are drawn."""
    return len(re.findall(r'<rect[^>]*height="28" rx="[^"]*" [^>]*stroke-width="1.5"', panel.links.value))


def test_the_chain_follows_the_rule():
    panel = trainer(train)
    assert panel.chains[""].steps == boxes(panel) == 1
    panel.run(6)
    assert panel.chains[""].steps == boxes(panel) == 7
    assert "7 time steps" in repr(panel) and "stops at ✂" in repr(panel)
    panel.reset()
    assert panel.chains[""].steps == boxes(panel) == 1


def test_step_runs_one_iteration_and_its_backward_moves():
    panel = trainer(train)
    assert "viz-arrives" not in panel.links.value
    panel.step()
    assert panel.iteration == 2 and boxes(panel) == 2 and "Iteration 2 of" in panel.status.value
    late = [float(each) for each in re.findall(r"animation-delay:([\d.]+)s", panel.links.value)]
    assert late and 0 <= min(late) and max(late) <= 1
    assert "prefers-reduced-motion:no-preference" in panel.links.value  # without motion, all of it is there


def test_step_after_the_end_begins_again():
    panel = trainer(train, max_iterations=2)
    for expected in (2, 1, 2):
        panel.step()
        assert panel.iteration == expected


def test_the_means_and_the_time_steps_stand_beside_the_last_loss():
    panel = trainer(train)
    panel.run(8)
    assert "mean of" not in panel.status.value and "Time steps read: 45." in panel.status.value
    panel.run(1)
    mean = sum(panel.plot.lines["loss"]) / 10
    assert f"mean of the last ten {mean:.2g}" in panel.status.value and "Time steps read: 55." in panel.status.value


def test_two_trainings_have_a_chain_each():
    panel = trainer({"grows": train, "stays": lambda: train(lambda i: 4, keep=False)})
    panel.run(4)
    assert [chain.steps for chain in panel.chains.values()] == [5, 4]
    assert "Time steps read: 15 (grows), 20 (stays)." in panel.status.value
    assert "grows: 5 time steps" in panel.links.value and "stays: 4 time steps" in panel.links.value


def test_a_trainer_without_chains_has_no_button_for_them():
    def plain():
        while True:
            yield {"loss": 1.0}

    from viz.alive import inside

    words = [getattr(each, "description", "") for each in inside(trainer(plain).widget)]
    assert "Start" in words and "Step" not in words and "slow" not in words
    words = [getattr(each, "description", "") for each in inside(trainer(train).widget)]
    assert "Step" in words and "slow" in words


def test_nothing_changes_more_than_three_times_a_second(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(panels.time, "perf_counter", lambda: now[0])
    panel, drawn = trainer(train), []
    panel.links.observe(lambda change: drawn.append(now[0]), "value")
    for _ in range(10):  # 20 iterations a second
        now[0] += 0.05
        panel._step()
    assert drawn and all(b - a > 1 / 3 for a, b in zip(drawn, drawn[1:], strict=False))
    panel._rest()
    assert boxes(panel) == panel.chains[""].steps == 11  # the last one is always shown


def test_slow_means_at_most_one_iteration_a_second():
    async def scenario():
        panel = trainer(train, per_second=1000)
        panel.slow_box.value = True
        panel.start()
        await asyncio.sleep(0.3)
        panel.pause()
        assert panel.iteration == 2 and "viz-arrives" in panel.links.value

    asyncio.run(asyncio.wait_for(scenario(), 20))


# The cost of a frame


@pytest.mark.parametrize("label", [True, False], ids=["pieces", "an axis with numbers"])
def test_a_moving_axis_does_not_draw_the_background_again(label):
    plot, start = LivePlot(lambda *frame: None, keep=4, longest=60), 0
    drawn = 0

    for i in range(30):
        T = 10 * (1 + i % 3)
        times = np.pi / 10 * np.arange(start, start + T)
        start += T
        piece = {"piece": f"{T} steps"} if label else {}
        plot.add(loss=1 / (i + 1), cos=(times, np.cos(times)), **piece)
        if i == 5:  # both waves have been at their ends: from now on, no limit but that of time changes
            canvas = plot._chart._canvas
            before = canvas.draw

            def counted(before=before):
                nonlocal drawn
                drawn += 1
                return before()

            canvas.draw = counted
        plot._paint_now()
    assert drawn == 0


def test_a_moving_axis_shows_its_numbers():
    """The same picture as one that is painted from the beginning."""
    moved, fresh = (LivePlot(lambda *frame: None, keep=2) for _ in range(2))
    for plot in (moved, fresh):
        for i in range(4):
            times = np.arange(10.0 * i, 10 * i + 10)
            plot.add(zigzag=(times, np.resize([-1.0, 1.0], 10)))  # as high in each piece
            if plot is moved:
                plot._paint_now()
    a, b = (np.asarray(Image.open(io.BytesIO(plot.png(final=False)))) for plot in (moved, fresh))
    assert np.array_equal(a, b)


def test_quick_png_is_the_picture():
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(quick_png(pixels)))), pixels)
