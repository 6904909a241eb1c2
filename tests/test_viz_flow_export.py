"""The pictures of the thirty-five models of benchmarks/thirty/ are true.

On PyTorch, their arrows are those of an independent trace, `torch.export`: open, and with modules closed. Where export
fails, they are those that were written down from the code. benchmarks/thirty/trace.py says how both sides are compared.
minigrad's pictures are PyTorch's. A folded picture is the open one with the nodes of each box merged into one.
"""

from dataclasses import replace
from functools import cache

import pytest
from test_viz_fold_true import assert_no_circle, assert_true

import minigrad
import viz
from benchmarks.thirty import MODELS
from benchmarks.thirty.trace import Trace, as_identifier, modules_drawn, modules_named, operators_drawn
from viz.graph.fold import down_to, folded_but

EXPORTED = [title for title, entry in MODELS.items() if entry.by_hand is None]
BY_HAND = [title for title, entry in MODELS.items() if entry.by_hand is not None]
ON_BOTH = [title for title, entry in MODELS.items() if not entry.lacks]
ON_TORCH = [title for title, entry in MODELS.items() if entry.lacks]


def example(title, torch, *, training=False):
    torch.manual_seed(1)
    made = MODELS[title].make(torch)
    if hasattr(made.model, "train"):
        made.model.train(training)
    return made


@cache
def opened(title, torch, *, training=False):
    """The open picture's graph."""
    made = example(title, torch, training=training)
    return viz.draw(made.model, *made.args, **made.kwargs, names={}, fold=False).graph


@cache
def traced(title):
    torch = pytest.importorskip("torch")
    return Trace(torch, example(title, torch))


def levels(graph):
    """For each number of open levels, the modules that are open; from all closed to all open."""
    found = [()]
    while (deeper := down_to(graph, len(found))) != list(found[-1]):
        found.append(deeper)
    return found


# -- PyTorch: as the trace says ------------------------------------------------------------------


@pytest.mark.torch
@pytest.mark.parametrize("title", EXPORTED)
def test_arrows_between_operators_are_those_of_export(title):
    torch = pytest.importorskip("torch")
    trace, through = traced(title), MODELS[title].through
    assert operators_drawn(opened(title, torch), trace.known, through) == trace.operators(through)


@pytest.mark.torch
@pytest.mark.parametrize("title", EXPORTED)
def test_arrows_between_closed_modules_are_those_of_export(title):
    torch = pytest.importorskip("torch")
    trace, graph = traced(title), opened(title, torch)
    for open_ones in levels(graph):
        closed, _ = folded_but(graph, open_ones, turns=False)
        boxes = {node.name.partition(":")[0] for node in closed.nodes if node.kind == "folded"}
        assert modules_drawn(closed, trace.inputs) == trace.modules(boxes)


@pytest.mark.torch
def test_a_lost_arrow_shows():
    """Each arrow that the comparison counts is missed if the picture lacks it, or has it from elsewhere."""
    torch = pytest.importorskip("torch")
    graph, trace = opened("Siamese network", torch), traced("Siamese network")
    for edge in graph.edges:
        less = replace(graph, edges=tuple(each for each in graph.edges if each is not edge))
        assert operators_drawn(less, trace.known) != trace.operators()


# -- PyTorch and minigrad ------------------------------------------------------------------------


@pytest.mark.parametrize("title", BY_HAND)
def test_arrows_are_those_written_by_hand(torch, title):
    written = MODELS[title].by_hand
    names = {name for arrow in written for name in arrow} - {"output"}
    assert modules_named(opened(title, torch), names) == written


@pytest.mark.torch
@pytest.mark.parametrize("title", ON_BOTH)
def test_minigrads_picture_is_pytorchs(title):
    """Operators, weights, inputs and results are connected alike. Derivatives that `forward` computes have other
    operators, and are compared by hand only."""
    torch = pytest.importorskip("torch")
    ours, theirs = opened(title, minigrad), opened(title, torch)
    known = {node.name.replace(".", "_") for node in theirs.nodes if node.kind in ("leaf", "constant") and node.name}
    kept = [{(node.kind, node.name) for node in graph.nodes if node.name in known} for graph in (ours, theirs)]
    assert kept[0] == kept[1]
    assert [frame.label for frame in ours.clusters] == [frame.label for frame in theirs.clusters]
    if MODELS[title].unexportable != "forward computes a derivative":
        through = MODELS[title].through
        assert operators_drawn(ours, known, through) == operators_drawn(theirs, known, through)


@pytest.mark.torch
@pytest.mark.parametrize("title", ON_TORCH)
def test_a_model_of_pytorchs_in_training_has_the_same_arrows(title):
    test_a_model_in_training_has_the_same_arrows(pytest.importorskip("torch"), title)


@pytest.mark.parametrize("title", ON_BOTH)
def test_a_model_in_training_has_the_same_arrows(torch, title):
    """Export is asked about models that do not train. In training, dropout multiplies, and batch norm reads no
    statistics."""
    both = [opened(title, torch), opened(title, torch, training=True)]
    given = {node.name for graph in both for node in graph.nodes if node.kind in ("leaf", "constant")}
    known = {as_identifier(name) for name in given if name and "running_" not in name}
    through = {*MODELS[title].through, *(["mul"] if title == "MobileNet" else [])}
    before, after = (operators_drawn(graph, known, through) for graph in both)
    assert after == before


def test_minigrad_still_lacks_what_the_table_says():
    for title in ON_TORCH:
        with pytest.raises((AttributeError, RuntimeError)):
            MODELS[title].make(minigrad)


# -- open and folded -----------------------------------------------------------------------------


def assert_folds_are_true(graph):
    for open_ones in levels(graph):
        for turns in (False, True):
            picture, _ = folded_but(graph, open_ones, turns=turns)
            assert_no_circle(picture)
            assert_true(picture, graph)


@pytest.mark.parametrize("title", ON_BOTH)
def test_a_folded_picture_is_the_open_one_contracted(title):
    assert_folds_are_true(opened(title, minigrad))


@pytest.mark.torch
@pytest.mark.parametrize("title", MODELS)
def test_a_folded_picture_is_the_open_one_contracted_on_pytorch(title):
    assert_folds_are_true(opened(title, pytest.importorskip("torch")))
