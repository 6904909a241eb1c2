"""The first picture does not wait for the views that open with a click; the kernel brings them while no cell runs."""

import asyncio
import base64
import gzip
import json
import re
import types

import pytest
from test_viz_opening import nested, views_of

import minigrad
import viz
from viz.drawing import later, picture


def picked(html, name):
    """A compressed part of the input of the viewer's script."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(rf'"{name}": "([^"]+)"', html)[1])))


def ways(views):
    return [(view["opened"], view["moves"]) for view in views]


@pytest.fixture
def started(monkeypatch):
    """A notebook that gives ids to its cells: what was started to be done later, as pairs (name, steps)."""
    found = []
    monkeypatch.setattr(picture, "can_follow", lambda: True)
    monkeypatch.setattr(picture, "follow", lambda name, steps: found.append((name, steps)))
    return found


def test_a_few_views_come_at_once_and_all_of_them_later(torch, started):
    net, x = nested(torch, 5), torch.ones(1, 2)
    drawn = viz.draw(net, x, fold=True)
    html = drawn._repr_mimebundle_()[0]["text/html"]
    ((name, steps),) = started
    assert f'"later": "{name}"' in html
    few = views_of(html)
    done = []
    while not done:
        try:
            next(steps)
        except StopIteration as end:
            done.append(end.value)
    everything = views_of(f'"views": "{done[0]["views"]}"')
    alone = viz.draw(net, x, fold=True)
    assert ways(everything) == ways(views_of(f'"views": "{alone._views["views"]}"'))
    assert 1 < len(few) < len(everything)
    assert few[0]["svg"] == everything[0]["svg"]  # so nothing jumps when the others arrive
    assert few[0]["moves"].keys() <= everything[0]["moves"].keys()
    for view in few:
        for box, to in view["moves"].items():
            assert (box in few[to]["opened"]) != (box in view["opened"])
    drawn._repr_mimebundle_()  # shown again: by now all are there
    assert len(started) == 1


def test_a_small_picture_has_all_views_at_once(torch, started):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    html = viz.draw(net, torch.ones(1, 2))._repr_mimebundle_()[0]["text/html"]
    assert not started and '"later"' not in html and len(views_of(html)) == 4


def test_what_was_unfolded_is_open_in_the_first_picture(torch, started):
    drawn = viz.draw(nested(torch, 5), torch.ones(1, 2), fold=True, unfold="inner.inner")
    first = views_of(drawn._repr_mimebundle_()[0]["text/html"])[0]
    assert started and {"inner: Level", "inner.inner: Level"} <= set(first["opened"])


def test_without_a_notebook_nothing_is_left_for_later(torch):
    drawn = viz.draw(nested(torch, 5), torch.ones(1, 2), fold=True)
    html = drawn._repr_mimebundle_()[0]["text/html"]
    assert '"later"' not in html and len(views_of(html)) == len(drawn.opening.views)


@pytest.mark.parametrize("fails", [False, True])
def test_the_work_is_done_in_the_event_loop_a_little_at_a_time(monkeypatch, fails):
    shown, turns = [], []
    display = types.SimpleNamespace(update=lambda data, raw: shown.append(data["text/html"]))
    monkeypatch.setattr("IPython.display.display", lambda *_, **options: display)

    def work():
        for i in range(3):
            yield turns.append(i)
            if fails and i == 1:
                raise RuntimeError("the engine is gone")
        return {"views": "</script>"}

    monkeypatch.setattr(later, "AT_A_TIME", 1e-9)

    async def cell():
        later.follow("g1-2", work())
        assert not turns and not shown  # not while the cell runs
        while not shown:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(cell(), 20))
    (script,) = shown
    assert '(window.vizLater ??= {})["g1-2"] = ' in script and ("= null" in script) == fails
    assert script.count("</script>") == 1


def test_the_index_of_the_search_knows_what_is_inside(torch):
    html = viz.draw(nested(torch), torch.ones(1, 2), fold=True)._repr_mimebundle_()[0]["text/html"]
    index = {name: (id_, operator, path) for name, id_, operator, path in picked(html, "index")}
    whole = viz.draw(nested(torch), torch.ones(1, 2), fold=False).graph
    called = {node.id: node.name for node in whole.nodes}
    id_, operator, path = index["inner.inner.gate.weight"]
    assert called[id_] == "inner.inner.gate.weight" and path == [
        "inner: Level",
        "inner.inner: Level",
        "inner.inner.gate: Linear",
    ]
    assert called[operator] in ("TBackward0", "AddmmBackward0")
    assert index["inner.inner.gate: Linear"][0] == "" and index["inner.inner.gate: Linear"][2] == path[:2]
    assert index["output"][2] == []


def test_a_name_cannot_leave_the_index():
    w = minigrad.ones(1, requires_grad=True)
    y = w
    for _ in range(40):
        y = (y * w).tanh()
    name = "</script><b>"
    html = viz.draw(y, names={name: w}, fold=False)._repr_mimebundle_()[0]["text/html"]
    assert name in {entry[0] for entry in picked(html, "index")} and html.count("</script>") == 1
