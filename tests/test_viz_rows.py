"""What is wider than a page goes on in a row below: nothing lies on anything, and arrows still lead where they led."""

import random
from itertools import combinations

import pytest
from test_viz_opening import views_of

import viz
from viz.drawing.page import NARROW, PAGE, SHRINKS, TALL, too_wide
from viz.drawing.paint import plan
from viz.drawing.rows import PASS, in_rows


def forty(torch):
    """Forty operators, one after the other; nothing in it repeats."""
    names, y = (
        ["exp", "log1p", "sin", "cos", "tanh", "sigmoid", "relu", "abs", "neg"],
        torch.ones(1, requires_grad=True),
    )
    for i in range(40):
        y = getattr(y, names[(i * i + i // 7) % 9])()
    return y


def branches(torch, seed):
    """A long program whose ways part and meet again."""
    draw = random.Random(seed)
    ends = [torch.ones(1, requires_grad=True) * 1]
    for _ in range(30):
        a, b = draw.choice(ends[-2:]), draw.choice(ends[-2:])
        ends.append(
            draw.choice([lambda a=a: a.exp(), lambda a=a, b=b: a * b, lambda a=a: a + 2, lambda a=a: a.tanh()])()
        )
    return ends[-1] * ends[-2]


def test_forty_operators_in_a_row_fit_a_page(torch):
    """They were 3,700 pixels wide and 109 high."""
    drawn = viz.draw(forty(torch))
    assert drawn.fits and drawn.geometry.size[0] <= min(PAGE, SHRINKS * NARROW) and drawn.geometry.size[1] <= TALL
    across = viz.draw(forty(torch), layout="right")
    assert too_wide(across.geometry.size)
    assert across.graph == drawn.graph and across.alt == drawn.alt


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_in_rows_nothing_overlaps_and_arrows_meet_their_shapes(torch, seed, backward):
    y = branches(torch, seed)
    if backward:
        y.backward()
    graph = viz.draw(y, names={}, fold=False, direction="backward" if backward else "forward").graph
    planned = plan(graph, "en", backward=backward)
    before = planned.laid()
    after = in_rows(before, planned)
    assert after is not before and not too_wide(after.size)
    boxes = {}
    for id_, (x, y) in after.centres.items():
        (width, height), below = planned.sizes[id_], planned.below.get(id_, 0)
        boxes[id_] = (x - width / 2, x + width / 2, y - height / 2, y + height / 2 + below)
        assert 0 <= boxes[id_][0] and boxes[id_][1] <= after.size[0] and 0 <= boxes[id_][2] <= after.size[1]
    for a, b in combinations(boxes.values(), 2):
        assert a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
    assert any(arrow.turns for arrow in after.arrows)
    for (source, target, _), old, new in zip(planned.edges, before.arrows, after.arrows, strict=True):
        assert len(new.points) % 3 == 1
        for end, was, id_ in ((new.points[0], old.points[0], source), (new.tip, old.tip, target)):
            for axis in (0, 1):  # as far from its node as it was
                assert end[axis] - after.centres[id_][axis] == pytest.approx(was[axis] - before.centres[id_][axis])
        if new.turns:
            for x, y in new.course():
                assert 0 < x < after.size[0] and 0 < y < after.size[1]
                for id_, (left, right, top, bottom) in boxes.items():
                    assert id_ in (source, target) or not (left + 1 < x < right - 1 and top + 1 < y < bottom - 1)


def test_arrows_that_turn_together_do_not_cross(torch):
    w = torch.ones(1, requires_grad=True)
    ways = [w.exp(), w.sin(), w.tanh()]
    for _ in range(30):
        ways = [ways[0].cos(), ways[1].sin(), ways[2].exp()]
    drawn = viz.draw(ways[0] * ways[1] * ways[2], names={}, fold=False)
    turning = [set(arrow.points) for arrow in drawn.geometry.arrows if arrow.turns]
    assert len(turning) >= 3
    lines = []
    for arrow in drawn.geometry.arrows:
        if arrow.turns:
            lines += [(a, b, id(arrow)) for a, b in zip(arrow.points[::3], arrow.points[3::3], strict=False)]
    for (a, b, one), (c, d, other) in combinations(lines, 2):
        assert one == other or not crossing(a, b, c, d)


def crossing(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-6 and side(c, d, a) * side(c, d, b) < -1e-6


def test_where_too_many_arrows_pass_it_runs_down_if_that_fits_and_else_stays(torch):
    leaves = [torch.ones(1, requires_grad=True) for _ in range(PASS + 4)]
    y = leaves[0]
    for _ in range(24):
        y = y.exp().sin()
    for leaf in leaves:  # all of them have a way beside the chain
        y = y * leaf.cos().tanh()
    across = viz.draw(y, names={}, fold=False, layout="right")
    assert too_wide(across.geometry.size)
    drawn = viz.draw(y, names={}, fold=False)
    assert not too_wide(drawn.geometry.size)


def test_boxes_that_are_opened_are_rows_too(torch):
    y = torch.ones(1, requires_grad=True)
    for _ in range(12):
        y = y.exp().sin().cos().tanh()
    drawn = viz.draw(y, names={})
    closed, opened = drawn.opening.views
    assert len(closed.graph.nodes) < 5 and len(opened.graph.nodes) > 40
    _, size = [view["size"] for view in views_of(drawn._repr_mimebundle_()[0]["text/html"])]
    assert size[1] > 200 and not too_wide(size)
