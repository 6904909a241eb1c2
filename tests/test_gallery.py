"""The gallery's models: each is drawn, on minigrad and on PyTorch alike, and fits a page or says how to open it."""

import importlib

import pytest

import viz
from benchmarks import gallery
from benchmarks.models import MODELS
from benchmarks.thirty import __main__ as thirty


def picture(title, library):
    torch = importlib.import_module(library)
    torch.manual_seed(1)
    things, options = MODELS[title](torch)
    return viz.draw(*things, **options)


@pytest.mark.parametrize("title", MODELS)
@pytest.mark.filterwarnings("error")
def test_it_fits_a_page_or_says_how_to_see_it(title):
    drawn = picture(title, "minigrad")
    html = drawn._repr_mimebundle_()[0]["text/html"]
    assert len(drawn.graph.nodes) <= 43
    assert drawn.fits or "Drag to move" in html
    assert not any(node.kind == "refused" for node in drawn.graph.nodes)


@pytest.mark.torch
@pytest.mark.parametrize("title", MODELS)
def test_both_libraries_give_one_picture(title):
    """A second derivative names what PyTorch computes inside of a slope otherwise."""
    pytest.importorskip("torch")
    ours, theirs = picture(title, "minigrad"), picture(title, "torch")
    if title != "A second derivative":
        assert arrows(ours.graph) == arrows(theirs.graph)


def arrows(graph):
    """All arrows by what they lead from and to, in no order: an LSTM's weights are used in another one."""
    known = {node.id: (node.kind, node.name, node.count) for node in graph.nodes}
    return sorted((known[edge.source], known[edge.target], edge.kind) for edge in graph.edges)


def test_the_page_has_each_picture_and_its_size(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["gallery", str(tmp_path), "--only", "A second"])
    monkeypatch.setattr(gallery.importlib.util, "find_spec", lambda name: None)
    gallery.main()
    assert 'src="a-second-derivative-minigrad.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "| A second derivative | 13 nodes, 872 × 648, " in capsys.readouterr().out


@pytest.mark.torch
def test_the_page_of_all_models_says_which_pictures_are_true(tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch")
    monkeypatch.setattr("sys.argv", ["thirty", str(tmp_path), "--only", "Deep sets", "--rounds", "1"])
    monkeypatch.setattr(thirty, "TOOLS", {"no_such_tool": None})
    monkeypatch.setattr(thirty, "NAMES", thirty.NAMES | {"no_such_tool": "NoSuchTool"})
    thirty.main()
    told = capsys.readouterr()
    assert "| Deep sets | **true**, 9; " in told.out and "NoSuchTool is missing: pip install no_such_tool" in told.err
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "data:image/svg+xml;base64," in page and "http" not in page and (tmp_path / "deep-sets-viz.html").exists()
