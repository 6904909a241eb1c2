"""Every layout engine: nothing lies on anything, nothing is cut off, arrows begin and end at borders.

Graphviz's versions lay the same graph out in their own ways; a picture has to be right in each. test_viz_rows.py and
test_viz_width.py test what is done with a layout afterwards.
"""

import math
from itertools import combinations

import pytest
from goldens.record_draw import cut, product, two_layers
from test_viz_rows import branches
from test_viz_static import loop

import minigrad as torch
import viz
from minigrad import nn
from viz.drawing.letters import NUMBER, text_width
from viz.drawing.paint import OCTAGON, labels_of, shapes_of


class Double(nn.Module):
    """Two layers that are added to what comes in."""

    def __init__(self, size):
        super().__init__()
        self.first, self.second = nn.Linear(size, size), nn.Linear(size, size)

    def forward(self, x):
        return self.second(self.first(x).relu()) + x


def net(wrong=0):
    return nn.Sequential(nn.Linear(3, 4), Double(4), nn.Tanh(), Double(4), nn.Linear(4 + wrong, 2)), torch.ones(1, 3)


def of(program, **options):
    tensor, names = program(torch)
    return viz.draw(tensor, names=names, **options)


def steep():
    """The arrow from w to × comes from far below."""
    w = torch.tensor(3.0, requires_grad=True)
    square = (w * w).detach()
    return viz.draw(square * w + w)


PICTURES = {
    "a product": lambda: of(product),
    "a product, values as nodes": lambda: of(product, convention="data"),
    "a product, backward": lambda: of(product, direction="backward"),
    "two layers": lambda: of(two_layers, layout="right"),
    "two layers, downwards": lambda: of(two_layers, layout="down"),
    "a detached value": lambda: of(cut, layout="right"),
    "branches": lambda: viz.draw(branches(torch, 1), names={}, layout="right"),
    "branches, downwards": lambda: viz.draw(branches(torch, 2), names={}, layout="down"),
    "a module": lambda: viz.draw(*net()),
    "a module, opened": lambda: viz.draw(*net(), unfold=["1", "3"], layout="right"),
    "a module, downwards": lambda: viz.draw(*net(), unfold=["1"], layout="down"),
    "a module that was refused": lambda: viz.draw(*net(wrong=1)),
    "a loop": lambda: viz.draw(loop()[1]),
    "an arrow from below": steep,
}


@pytest.fixture(params=PICTURES)
def drawn(request, each_engine):
    return PICTURES[request.param]()


def room(picture):
    """Of each node, by id: left, top, right and bottom, with the drawer below it."""
    shapes, found = shapes_of(picture.graph, "en", picture.show), {}
    for id_, (x, y) in picture.geometry.centres.items():
        shape = shapes[id_]
        found[id_] = x - shape.width / 2, y - shape.height / 2, x + shape.width / 2, y + shape.below
    return found


def meet(one, other, slack=1.0):
    return all(max(one[i], other[i]) < min(one[i + 2], other[i + 2]) - slack for i in (0, 1))


def holds(outer, inner, slack=1.0):
    return all(outer[i] - slack <= inner[i] and inner[i + 2] <= outer[i + 2] + slack for i in (0, 1))


def paper(picture):
    (x, y), (width, height) = picture.geometry.origin, picture.geometry.size
    return x, y, x + width, y + height


def labels(picture):
    """The room of each label on an arrow."""
    told = labels_of(picture.graph, picture.show, picture.backward)
    for label, arrow in zip(told, picture.geometry.arrows, strict=True):
        if label and arrow.label:
            (x, y), half = arrow.label, text_width(label, NUMBER, mono=True) / 2
            yield x - half, y - 7, x + half, y + 7


def members(graph, number):
    """The ids of all nodes in a frame, and in those that it holds."""
    found = set(graph.clusters[number].nodes)
    for i, cluster in enumerate(graph.clusters):
        if cluster.parent == number:
            found |= members(graph, i)
    return found


def test_nothing_lies_on_anything_and_nothing_is_cut_off(drawn):
    nodes, words, page = room(drawn), [*labels(drawn)], paper(drawn)
    assert all(holds(page, each) for each in (*nodes.values(), *words))
    for a, b in combinations((*nodes.values(), *words), 2):
        assert not meet(a, b)
    for arrow in drawn.geometry.arrows:
        assert all(holds(page, (x, y, x, y)) for x, y in (*arrow.course(), arrow.tip))


def test_frames_hold_what_is_theirs_and_nothing_else(drawn):
    nodes, page = room(drawn), paper(drawn)
    for i, frame in enumerate(drawn.geometry.frames):
        (x, y), (width, height) = frame.corner, frame.size
        border, own = (x, y, x + width, y + height), members(drawn.graph, i)
        assert holds(page, border)
        for id_, each in nodes.items():
            assert holds(border, each) if id_ in own else not meet(border, each)


def test_no_drawer_hides_the_head_of_an_arrow(drawn):
    shapes = shapes_of(drawn.graph, "en", drawn.show)
    for edge, arrow in zip(drawn.graph.edges, drawn.geometry.arrows, strict=True):
        if shapes[edge.target].round and (drawer := shapes[edge.target].drawer):
            (x, y), (cx, cy) = arrow.tip, drawn.geometry.centres[edge.target]
            assert abs(x - cx) > drawer.width / 2 + 4 or y - cy < drawer.top - 4


def test_arrows_begin_and_end_at_borders_and_pass_beside_other_nodes(drawn):
    shapes, marks = shapes_of(drawn.graph, "en", drawn.show), {node.id: node.mark for node in drawn.graph.nodes}

    def depth(point, id_):
        """How many pixels the point lies inside the node, or below 0: outside it."""
        (x, y), (cx, cy), shape = point, drawn.geometry.centres[id_], shapes[id_]
        if shape.round:
            return (1 - math.hypot((x - cx) / shape.width * 2, (y - cy) / shape.height * 2)) * shape.height / 2
        return min(shape.width / 2 - abs(x - cx), shape.height / 2 - abs(y - cy))

    for edge, arrow in zip(drawn.graph.edges, drawn.geometry.arrows, strict=True):
        around = OCTAGON / 2 if marks[edge.target] == "guilty" else 0
        assert depth(arrow.tip, edge.target) == pytest.approx(-around, abs=3)
        drawer = shapes[edge.source].below - shapes[edge.source].height / 2  # below it, where time runs down
        assert depth(arrow.points[0], edge.source) == pytest.approx(0, abs=3) or drawn.down and drawer
        for id_ in shapes:
            inside = max(depth(point, id_) for point in arrow.course())
            assert inside < (6 if id_ in (edge.source, edge.target) else 3), (edge, id_)
