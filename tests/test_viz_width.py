"""Any width: a module's picture that is wider than a page goes from top to bottom."""

from itertools import combinations

import pytest

import minigrad
import viz
from viz.drawing.page import A_LITTLE, NARROW, PAGE, SHRINKS, narrowest
from viz.drawing.paint import shapes_of


def lenet(torch):
    nn = torch.nn
    return nn.Sequential(
        *(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)),
    )


def test_a_wide_module_goes_down_and_fits_the_page(torch):
    """LeNet was 3,681 pixels wide and 124 high."""
    drawn = viz.draw(lenet(torch), torch.ones(1, 1, 28, 28))
    assert drawn.geometry.size[0] <= PAGE
    across = viz.draw(lenet(torch), torch.ones(1, 1, 28, 28), layout="right")
    assert across.geometry.size[0] > SHRINKS * PAGE
    assert across.graph == drawn.graph and across.alt == drawn.alt
    _, metadata = drawn._repr_mimebundle_()
    assert "image/svg+xml" not in metadata  # nothing to scroll


def test_a_small_module_goes_to_the_right(torch):
    net = torch.nn.Linear(2, 1)
    assert viz.draw(net, torch.ones(1, 2)).geometry == viz.draw(net, torch.ones(1, 2), layout="right").geometry


@pytest.mark.parametrize("backward", [False, True])
def test_from_top_to_bottom_nothing_overlaps_and_arrows_meet_their_shapes(torch, backward):
    w, x = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)
    y = ((w * x).tanh() * w + x.exp() * 2.0).sum() * w
    y = y / (w.sigmoid() + x)
    if backward:
        y.backward()
    drawn = viz.draw(y, layout="down", direction="backward" if backward else "forward")
    geometry, shapes, at = drawn.geometry, shapes_of(drawn.graph, "en"), drawn.geometry.centres
    for edge, arrow in zip(drawn.graph.edges, geometry.arrows, strict=True):
        (x0, y0), source = at[edge.source], shapes[edge.source]
        (x1, y1), target = at[edge.target], shapes[edge.target]
        assert y0 < y1  # time runs down
        assert arrow.points[0] == pytest.approx((x0, y0 + source.below), abs=1.5)  # below its drawer, if it has one
        if not target.round:
            assert arrow.tip == pytest.approx((x1, y1 - target.height / 2), abs=1.5)
    for a, b in combinations(at, 2):
        apart = abs(at[a][0] - at[b][0]), abs(at[a][1] - at[b][1])
        assert (
            apart[0] >= (shapes[a].width + shapes[b].width) / 2 or apart[1] >= (shapes[a].height + shapes[b].height) / 2
        )


def test_wrong_layouts():
    w = minigrad.ones(1, requires_grad=True)
    with pytest.raises(ValueError, match="layout must be one of 'auto', 'right', 'down', but got 'up'"):
        viz.draw(w * w, layout="up")


def test_a_picture_that_nearly_fits_a_narrow_window_is_seen_whole():
    """The net of lesson 5 was cut through its last box, in a window of 800 pixels, for want of 18."""
    x, w1, w2 = minigrad.zeros(64, 1000), minigrad.zeros(1000, 100), minigrad.zeros(100, 10)
    w1.requires_grad_(), w2.requires_grad_()
    pred = (x @ w1).clamp(min=0) @ w2
    drawn = viz.draw(pred)
    width = drawn.geometry.size[0]
    assert SHRINKS * NARROW < width < SHRINKS * NARROW * A_LITTLE
    data, metadata = drawn._repr_mimebundle_()
    assert f"min-width: {NARROW}px" in data["text/html"] and f"min-width:{NARROW}px" in drawn.svg
    assert not metadata["image/png"].get("unconfined")
    assert narrowest(SHRINKS * NARROW * A_LITTLE + 2) > NARROW  # what is much too wide scrolls
