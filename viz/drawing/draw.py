"""`viz.draw(…)`: reads the graph behind its arguments, folds it if it is large, and makes a picture.

Imports the readers of graph/, and picture. Read ../graph/autograd.py next.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from types import FrameType
from typing import Any, Literal

from ..graph.autograd import graph_of
from ..graph.convention import values_as_nodes
from ..graph.fold import down_to, folded, is_large
from ..graph.found import all_behind
from ..graph.given import Given, given, one_of, pairs_of, several
from ..graph.model import Cluster, Graph
from ..graph.module import run
from ..graph.names import names_in
from ..graph.static import static_graph_of, symbols_in
from ..locale import language
from .legend import CAN_SHOW, SHOWN
from .limits import announce_reading
from .opening import Opening
from .picture import Layout, Picture

NO_GRAPH = (
    "this tensor has no graph: it does not require grad. It was made from tensors that don't, or by detach(), or while "
    "recording was off (no_grad, inference_mode, set_grad_enabled(False)); requires_grad=True on what you start from "
    "makes one, if nothing cuts it off."
)
# How a graph that is wider than a page continues, for each kind of argument
WIDE: dict[str, Layout] = {"tensors": "rows", "module": "narrow", "function": "rows", "static": "right"}


def draw(
    *things: Any,
    names: Mapping[str, Any] | None = None,
    convention: Literal["operators", "data"] = "operators",
    direction: Literal["forward", "backward"] = "forward",
    show: str | Iterable[str] = SHOWN,
    fold: bool | Literal["auto"] = "auto",
    unfold: str | Iterable[str] = (),
    depth: int | None = None,
    closed: str | Iterable[str] = (),
    lang: str | None = None,
    params: Mapping[str, Any] | None = None,
    layout: Literal["auto", "right", "down"] = "auto",
    **keywords: Any,
) -> Picture:
    """The graph behind `things`: operators, leaves and named values, with their current numbers.

    things: one or more tensors, minigrad's or real PyTorch's; or a module or a function with its arguments, by name
        too (`viz.draw(model, x, mask=m)`), which is called once: all operations on the example's tensors are drawn,
        dashed if no gradient flows through them, and ✂ where a gradient is cut. If the call raises an error, the
        picture shows the graph so far, the operator that raised the error, and the message. Random generators, buffers
        and attributes are afterwards as before; or a static graph, symbols in it, or a plan of its session; or a
        result of `minigrad.jit`.
    names: {name: tensor}; without it, the variables of the code that calls `draw`.
    convention: what the nodes are: "operators", as autograd keeps them, or "data", as textbooks draw it.
    direction: "forward" shows where values go, "backward" where gradients go.
    show: any of "values", "shapes", "grads", "saved" (what operators keep), "storage" (values with the same letter
        share memory; the number counts changes in place). Without values and shapes, boxes have names only.
    fold: draw each module, and each piece that occurs three times or more, as one box; "auto": if there are over 24
        nodes and frames.
    unfold: the name or class of a box that stays unfolded, or several; the boxes around a nested module open, too.
    depth: how many levels of modules are open; what is deeper is closed. 0 closes all.
    closed: the name or class of a module that is closed, or several; all others are open, down to `depth`.
    lang: the language of the labels; without it, the one that `viz.speak` has set.
    params: more names, as in torchviz; they come before the variables.
    layout: time runs to the "right", or "down"; "auto": to the right, and a picture wider than a page continues in a
        row below, except that of a module, which then runs down.
    Raises TypeError for anything that is not a tensor, ValueError for a tensor without a graph and for unknown options.

    >>> import minigrad as torch, viz
    >>> w = torch.tensor([1.0], requires_grad=True)
    >>> x = torch.tensor([2.0], requires_grad=True)
    >>> y = w * x
    >>> y.backward()
    >>> viz.draw(y)
    y = MulBackward0 of w and x. w = 1 is a leaf, gradient 2; x = 2 is a leaf, gradient 1; y = 2 passes its gradient on.
    What MulBackward0 saved is freed.
    >>> viz.draw(torch.nn.Linear(2, 1), torch.ones(4, 2))
    output = AddmmBackward0 of bias, input and #1; #1 = TBackward0 of weight. ...
    >>> layers = torch.nn.Sequential(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh()), torch.nn.Linear(2, 1))
    >>> [node.name for node in viz.draw(layers, torch.ones(4, 2), closed="Linear").graph.nodes if node.kind == "folded"]
    ['0.0: Linear', '1: Linear']
    >>> print(viz.draw(torch.nn.Linear(2, 1), torch.ones(4, 3)).alt.partition("yet. ")[2])
    linear refused input (4, 3), weight (1, 2) and bias (1,): RuntimeError: mat1 and mat2 shapes cannot be multiplied
    (4x3 and 2x1).
    """
    if not things:
        raise TypeError("draw() needs at least one tensor")
    drawn = given(things)
    if keywords and drawn.kind not in ("module", "function"):
        raise TypeError(f"draw() got an unexpected keyword argument {next(iter(keywords))!r}")
    shown = (show,) if isinstance(show, str) else tuple(show)
    for what, value, allowed in (
        ("convention", convention, ("operators", "data")),
        ("direction", direction, ("forward", "backward")),
        ("layout", layout, ("auto", "right", "down")),
        *(("show", each, CAN_SHOW) for each in shown),
    ):
        one_of(what, value, allowed)
    lang = language(lang)
    opened, shut = several(unfold, "unfold"), several(closed, "closed")
    own = None if names is None else pairs_of(names)
    first = [] if params is None else pairs_of(params, "params")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool) or depth < 0):
        raise ValueError(f"depth must be a number of levels, 0 or more, but got {depth!r}")
    if fold not in (True, False, "auto"):
        raise ValueError(f"fold must be True, False or 'auto', but got {fold!r}")
    reader = sys._getframe(1)  # our own frame in a variable would be a cycle, and keep the graph
    if drawn.kind == "static":
        if (convention, direction) != ("operators", "forward") or layout == "down":
            raise ValueError("a static graph is drawn forward and to the right, with its operators as nodes")
        graph = static_graph_of(drawn.things, symbols_in(reader) if own is None else own)
    else:
        if drawn.kind == "tensors":
            pairs = [*first, *(names_in(reader) if own is None else own)]
            graph = read_tensors(drawn.things, pairs, "storage" in shown)
        else:
            graph = read_call(drawn, keywords, own, first, reader, "storage" in shown)
        opened += tuple(cluster.label for cluster in around_the_guilty(graph))
    opened += tuple(down_to(graph, depth, shut)) if depth or shut else ()
    smaller = folded(graph, opened) if fold is not False or opened else graph
    folds = fold is True or depth is not None or bool(shut) or fold == "auto" and is_large(graph)
    look = values_as_nodes if convention == "data" else as_it_is
    opening = Opening(graph, opened if folds else None, turns=folds, look=look)
    graph = look(smaller if folds else graph)
    # In a fixed order, whatever the reader's order, so the same picture has the same bytes
    told = tuple(each for each in CAN_SHOW if each in shown)
    way = WIDE[drawn.kind] if layout == "auto" else layout
    return Picture(graph, lang, told, backward=direction == "backward", layout=way, opening=opening)


def as_it_is(graph: Graph) -> Graph:
    return graph


Pairs = list[tuple[str, Any]]


def read_tensors(tensors: Sequence[Any], names: Pairs, any_will_do: bool) -> Graph:
    """The graph behind tensors. any_will_do: also draw a tensor without a history, since no gradient is asked for."""
    check_and_announce(tensors, any_will_do)
    return graph_of(tensors, names)


def read_call(
    drawn: Given, keywords: Mapping[str, Any], names: Pairs | None, first: Pairs, reader: FrameType, any_will_do: bool
) -> Graph:
    """The graph behind the result of a module or function, which is called once with its examples.

    first: names that come before all others. reader: the frame whose variables name the tensors of a function.
    """
    called, *examples = drawn.things
    done = run(called, tuple(examples), keywords, is_module=drawn.kind == "module")
    own = names_in(reader) if names is None and drawn.kind == "function" else names or ()
    if not done.refused:
        check_and_announce(done.outputs, any_will_do or drawn.kind == "module" or bool(done.flow.made))
    pairs = [*first, *own, *done.names]
    return graph_of(done.outputs, pairs, done.calls, done.flow, done.refused, done.running)


def check_and_announce(tensors: Sequence[Any], any_will_do: bool) -> None:
    """Raise ValueError if none of the tensors has a graph, and print to stderr if reading it takes a while."""
    if not any_will_do and not any(tensor.requires_grad for tensor in tensors):
        raise ValueError(NO_GRAPH)
    announce_reading(len(all_behind(*(tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None))))


def around_the_guilty(graph: Graph) -> list[Cluster]:
    """The innermost frames around the operator that raised an error; none if there was no error."""
    guilty = {node.id for node in graph.nodes if node.kind == "refused"}
    return [cluster for cluster in graph.clusters if not guilty.isdisjoint(cluster.nodes)]
