"""Opening and closing boxes by hand: every view is what the argument draws, every click leads where it says."""

import base64
import gzip
import json
import re
import time

import pytest

import minigrad
import viz
from viz.drawing import opening
from viz.drawing.opening import Opening


def nested(torch, depth=3):
    """Modules in modules, with an operator of their own on each level."""
    nn = torch.nn

    class Level(nn.Module):
        def __init__(self, left):
            super().__init__()
            self.inner = Level(left - 1) if left else nn.Linear(2, 2)
            self.gate = nn.Linear(2, 2)

        def forward(self, x):
            return self.inner(x).tanh() * self.gate(x)

    return Level(depth)


def loop(torch, steps):
    y = w = torch.ones(1, requires_grad=True)
    for _ in range(steps):
        y = (y * w).tanh()
    return y


def views_of(html):
    """What the script of a page gets."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'"views": "([^"]+)"', html)[1])))


def names(graph):
    return [node.name for node in graph.nodes if node.kind == "folded"]


def test_each_view_is_what_unfold_draws(torch):
    net, x = nested(torch), torch.ones(1, 2)
    drawn = viz.draw(net, x, fold=True)
    views = drawn.opening.views
    assert len(views) > 6 and views[0].graph == drawn.graph
    for view in views:
        assert view.graph == viz.draw(net, x, fold=True, unfold=view.opened).graph


def test_children_open_before_what_is_inside_them(torch):
    views = viz.draw(nested(torch), torch.ones(1, 2), fold=True).opening.views
    at = 0
    assert names(views[0].graph) == ["inner: Level", "gate: Linear"]
    for name in ("inner: Level", "inner.inner: Level", "inner.inner.inner: Level"):
        at = views[at].moves[name]
        assert name in views[at].opened and name not in names(views[at].graph)
    assert views[at].opened == ("inner: Level", "inner.inner: Level", "inner.inner.inner: Level")
    assert views[views[at].moves["inner: Level"]].opened == ()  # with all that is inside


def test_several_are_open_at_once_where_there_is_room(torch):
    nn = torch.nn
    net = nn.Sequential(*[nn.Sequential(nn.Linear(2, 2), act()) for act in (nn.Tanh, nn.ReLU, nn.Sigmoid)])
    views = viz.draw(net, torch.ones(1, 2), fold=True).opening.views
    everything = {name for view in views for name in view.opened}
    assert len(everything) == 6 and everything in [set(view.opened) for view in views]
    assert len(views) == 27  # three states of each of the three


def test_a_loop_opens_and_closes(torch):
    views = viz.draw(loop(torch, 20)).opening.views
    assert names(views[0].graph) == ["mul tanh"]
    (opened,) = views[0].moves.values()
    assert len(views[opened].graph.nodes) == 42 and views[opened].moves == {"mul tanh": 0}


def test_what_was_unfolded_is_open_first_and_closes(torch):
    views = viz.draw(nested(torch), torch.ones(1, 2), fold=True, unfold="inner.inner").opening.views
    assert views[0].opened == ("inner: Level", "inner.inner: Level")
    assert views[views[0].moves["inner: Level"]].opened == ()


def test_modules_of_a_small_graph_are_open_and_close(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    drawn = viz.draw(net, torch.ones(1, 2))
    views = drawn.opening.views
    assert views[0].opened == ("0: Linear", "2: Linear")
    assert names(views[views[0].moves["0: Linear"]].graph) == ["0: Linear"]
    assert len(views) == 4
    assert [frame[0] for frame in views_of(drawn._repr_mimebundle_()[0]["text/html"])[0]["frames"]] == [
        cluster.label for cluster in drawn.graph.clusters
    ]


def test_every_move_leads_to_a_view_and_changes_what_was_clicked(torch):
    nn = torch.nn
    net = nn.Sequential(
        *[nn.Sequential(nn.Linear(2, 2), getattr(nn, act)()) for act in ("Tanh", "ReLU", "Sigmoid") * 5]
    )
    views = viz.draw(net, torch.ones(1, 2)).opening.views
    assert len(views) <= opening.MOST
    for view in views:
        for name, to in view.moves.items():
            assert (name in views[to].opened) != (name in view.opened)
        assert set(view.opened) <= view.moves.keys()  # what is open can be closed
    # There is no room for every set of open boxes: then the others close
    assert any(not set(view.opened) <= {*views[to].opened, name} for view in views for name, to in view.moves.items())


def test_what_takes_too_long_is_not_opened_and_says_so():
    began = time.process_time()
    drawn = viz.draw(loop(minigrad, 2000), names={})
    assert len(drawn.opening.views) == 1 and time.process_time() - began < 5
    assert "viz-view" not in drawn._repr_mimebundle_()[0]["text/html"]


def test_one_box_after_the_other_costs_no_more_than_its_time(monkeypatch):
    graph = viz.draw(nested(minigrad, 12), minigrad.ones(1, 2), fold=False).graph
    many = len(Opening(graph).views)
    monkeypatch.setattr(opening, "TIME", 0.1)
    assert 1 < len(Opening(graph).views) < many


def test_values_as_nodes_open_too(torch):
    views = viz.draw(nested(torch), torch.ones(1, 2), fold=True, convention="data").opening.views
    assert all(node.kind != "operator" for view in views for node in view.graph.nodes) and len(views) > 6


# -- in a page -----------------------------------------------------------------------------------


def test_a_notebook_gets_all_views_and_a_still_picture_where_scripts_do_not_run(torch):
    drawn = viz.draw(nested(torch), torch.ones(1, 2), fold=True)
    html = drawn._repr_mimebundle_()[0]["text/html"]
    views = views_of(html)
    assert len(views) == len(drawn.opening.views) and '<img alt="output = ' in html
    first = views[0]
    assert first["svg"].startswith("<svg") and first["opened"] == []
    assert {name for name, *_ in first["boxes"].values()} == {"inner: Level", "gate: Linear"}
    assert all(f'id="{first["prefix"]}-{id_}"' in first["svg"] for id_ in first["boxes"])
    # "://" and not "http": the bytes of a picture may spell any four letters, but never a colon
    assert not re.search(r'(src|href)="(?!data:)', html) and "://" not in html.replace("http://www.w3.org", "")


def test_a_small_picture_without_boxes_stays_an_image():
    w = minigrad.ones(1, requires_grad=True)
    assert "<script" not in viz.draw(w * w)._repr_mimebundle_()[0]["text/html"]


def test_what_is_larger_than_a_page_can_be_moved():
    html = viz.draw(loop(minigrad, 20), fold=False)._repr_mimebundle_()[0]["text/html"]
    assert len(views_of(html)) == 1 and "Drag to move" in html


def test_a_page_is_saved(torch, tmp_path):
    viz.draw(nested(torch), torch.ones(1, 2), fold=True, lang="zh").save(tmp_path / "net.html")
    page = (tmp_path / "net.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and '<html lang="zh-CN">' in page and len(views_of(page)) > 6
    with pytest.raises(ValueError, match="a page is as large as its window"):
        viz.draw(loop(torch, 2)).save(tmp_path / "net.html", size=100)


def test_names_cannot_leave_their_place(tmp_path):
    w = minigrad.ones(1, requires_grad=True)
    name = "</script><b>\ud800"
    viz.draw(loop(minigrad, 20) * w, names={name: w}, fold=False).save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 1
