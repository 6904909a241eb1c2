"""What the pages of lesson 13 can't contain: points to try, ways of running, checks."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minigrad._machine.interrupts import restoring

from ....locale import room
from ...own import parts
from ...own.graphs import FACTORS, FROZEN, TWICE, Graph, chain, drawn_by_chance, several, sixty, told
from ...own.picture import Shown

tr = room("lesson13")

before_own_call = parts.before("own_call")
before_own_record = parts.before("own_record")
before_own_gradients = parts.before("own_gradients")
before_own_run = parts.before("own_run")
before_own_fit = parts.before("own_fit") + parts.RUN
before_own_leaves = parts.before("own_leaves")
before_own_no_grad = parts.before("own_no_grad")
before_own_backward = parts.before("own_backward")


BROADCAST = ((3,), (), (1, 3), (4, 1), (4, 3))


@restoring
def plugged(given: Any, /, **others: Any) -> Iterator[dict[str, Any]]:
    """The names of the engine that contains `given`, with `others` in their places inside the block."""
    names = given.__globals__
    before = {name: names[name] for name in others if name in names}

    def put_back() -> None:
        for name in others:
            names.pop(name, None)
        names.update(before)

    try:
        names.update(others)
        yield names
    finally:
        try:
            put_back()
        except BaseException:  # Ctrl-C
            put_back()
            raise


def numbers(value: Any) -> Any:
    """A Tensor of the reader's as its array; anything else as it is."""
    data = getattr(value, "_data", value)
    inside = hasattr(data, "_data") or isinstance(data, np.ndarray) and data.dtype == object
    return INSIDE if inside else data


INSIDE = "a Tensor inside a Tensor"


def inside(value: Any) -> Any:
    """The reply if a Tensor contains a Tensor, which cannot be compared."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if isinstance(value, str) and value == INSIDE or any(map(inside, parts)):
        return tr("somewhere a Tensor was made of what is a Tensor already: its `_data` is no array.", "judges")
    return None


def gradients_of(leaves: dict[str, Any]) -> dict[str, Any]:
    return {name: numbers(leaf.grad) for name, leaf in leaves.items() if leaf._requires_grad}


def in_minigrad(graph: Graph) -> tuple[Any, dict[str, Any]]:
    return graph.on(importlib.import_module("minigrad").tensor)


def agree(ours: dict[str, Any], leaves: dict[str, Any]) -> bool:
    """Whether these gradients are those of minigrad's leaves, as far as the leaves have some."""
    theirs = {name: leaf.grad.numpy() for name, leaf in leaves.items() if leaf.grad is not None}
    return all(ours[name] is not None and np.allclose(ours[name], grad) for name, grad in theirs.items())


DIFFERS = tr("On a random graph your engine and minigrad do not agree.", "judges")


def to_call(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (Graph("y = (w + 1) * 2.5", w=np.array([0.5, 3.0], np.float32)),)
    total = 'y = call(TABLE["sum_dim"], (w,), {"dim": (0,)})'
    yield (Graph(total, "the sum of w along dim 0", w=[[1.0, 2.0], [3.0, 4.0]]),)
    yield (Graph("y = (w > 1) * w", w=[3.0, 0.5]),)
    yield from ((each,) for each in several(random))


def called(given: Any, torch: Any, graph: Graph) -> Any:
    heard: list[Any] = []

    def record(rule: Any, tensors: Any, params: Any, out: Any) -> None:
        heard.append((rule.name, [type(each).__name__ for each in tensors], type(out).__name__))

    with plugged(given, call=given, record=record) as names:
        y, _ = graph.on(names["Tensor"], call=given, TABLE=names["TABLE"])
    known = [f"{name}({', '.join(inputs)})" for name, inputs, _ in heard]
    kind = "a Tensor" if isinstance(y, names["Tensor"]) else f"of type {type(y).__name__}"
    value = numbers(y)
    return {"kind": kind, "value": value, "type": str(getattr(value, "dtype", "")), "record": known}


def values_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random, shapes=BROADCAST):
        if not np.allclose(called(given, torch, graph)["value"], in_minigrad(graph)[0].detach().numpy()):
            return DIFFERS
    return None


CONSTANTS = Graph("y = (w * x) * x", w=[3.0], x=[2.0], frozen="w x")


def to_record(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (FACTORS,)
    yield (FROZEN,)
    yield (CONSTANTS,)
    yield (TWICE,)
    yield from ((each,) for each in several(random))


def recorded(given: Any, torch: Any, graph: Graph) -> Any:
    with plugged(given, record=given) as names:
        y, leaves = graph.on(names["Tensor"])
    shown = Shown()
    called = {id(shown.tensor(leaf)): name for name, leaf in leaves.items()}
    node = shown.tensor(y).grad_fn
    graph_told = "nothing" if node is None else told(node, called)
    kept = [
        hasattr(each.own, "kept")
        for each in shown.coats.values()
        if hasattr(each, "next_functions") and hasattr(each, "own")
    ]
    return {"graph": graph_told, "waits": bool(y._requires_grad), "kept": all(kept)}


def graphs_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            called = {id(leaf): name for name, leaf in leaves.items()}
            if recorded(given, torch, graph)["graph"] != told(y.grad_fn, called):
                return DIFFERS
    return None


def picture(given: Any, torch: Any) -> Any:
    from ...own.picture import drawn

    with plugged(given, record=given) as names:
        Tensor = names["Tensor"]
        w, x = Tensor([3.0], requires_grad=True), Tensor([8.0], requires_grad=True)
        y = (w + x) * (w + 1)
        return drawn(y)


def to_walk(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (Graph("y = x * w", w=[3.0], x=[8.0], frozen="x"),)
    yield (Graph("y = (5 * w) * (5 * w)", "y = (5w)²", w=[3.0]),)
    yield from ((chain(random, length),) for length in (1, 3, 6))


def walked(given: Any, torch: Any, graph: Graph) -> Any:
    with plugged(given, gradients=given) as names:
        y, leaves = graph.on(names["Tensor"])
        form, upstream = names["RAW"], np.full_like(y._data, 10)
        first = given(y._fn, upstream, form.F, form.unpack)
        if not isinstance(first, (list, tuple)) or graph.title[:1] != "a":
            return {"gradients": first}
        edge, grad = y._fn, upstream
        while hasattr(edge, "edges"):
            found = given(edge, grad, form.F, form.unpack)
            ends = [(to, g) for to, g in zip(edge.edges, found, strict=False) if to is not None]
            edge, grad = ends[0]
    return {"gradients": first, "leaf": grad}


def chains_agree(given: Any, torch: Any, random: Any) -> Any:
    for length in range(2, 9):
        graph = chain(random, length)
        y, leaves = in_minigrad(graph)
        y.backward(10 * importlib.import_module("minigrad").ones_like(y))
        if not np.allclose(walked(given, torch, graph)["leaf"], leaves["w"].grad.numpy()):
            return DIFFERS
    return None


LATE = Graph("a = w * w\nb = a.tanh()\nc = b * 3\ny = a * c", "a = w * w; b = a.tanh(); y = a * (b * 3)", w=[0.5])


SHARING = Graph("a = w * 2\nb = x * 5\nd = a * 3\ny = (a + b) + d", w=[3.0], x=[8.0])


def to_run(torch: Any, random: Any) -> Any:
    yield (FACTORS,)
    yield (TWICE,)
    yield (FROZEN,)
    yield (LATE,)
    yield (SHARING,)
    yield (sixty(),)
    yield from ((each,) for each in several(random))
    yield (Graph("y = w", w=[3.0]),)


def ran(given: Any, torch: Any, graph: Graph) -> Any:
    fired: dict[Any, int] = {}
    gradients = given.__globals__["gradients"]

    def counted(node: Any, *more: Any) -> Any:
        fired[node] = fired.get(node, 0) + 1
        return gradients(node, *more)

    with plugged(given, run=given, gradients=counted, fit=lambda F, grad, shape: grad) as names:
        y, leaves = graph.on(names["Tensor"])
        if y._requires_grad:
            names["backward"](y)
    return {"gradients": gradients_of(leaves), "often": max(fired.values(), default=0)}


def backwards_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            y.backward(importlib.import_module("minigrad").ones_like(y))
            if not agree(ran(given, torch, graph)["gradients"], leaves):
                return DIFFERS
    return None


def to_fit(torch: Any, random: Any) -> Any:
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (3,)
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (2, 1)
    yield np.array([1.0, 2.0, 4.0]), ()
    for sizes, shape in (((3, 3), (3,)), ((4, 2, 3), (1, 3)), ((5, 2, 3), (2, 1)), ((2, 1, 3), (1, 1))):
        yield random.normal(size=sizes), shape


def fitted(given: Any, torch: Any, grad: Any, shape: tuple[int, ...]) -> Any:
    names = given.__globals__

    class OnTensors:
        def __getattr__(self, name: str) -> Any:
            return lambda *inputs, **params: names["call"](names["TABLE"][name], inputs, params)

    plain = given(names["RAW"].F, grad, shape)
    with plugged(given, fit=given):
        return {"sum": plain, "tensor": numbers(given(OnTensors(), names["Tensor"](grad), shape))}


def shapes_agree(given: Any, torch: Any, random: Any) -> Any:
    with plugged(given, fit=given) as names:
        for graph in several(random, count=6, shapes=BROADCAST):
            y, leaves = in_minigrad(graph)
            if y.requires_grad:
                y.sum().backward()
                own, ours = graph.on(names["Tensor"])
                own.sum().backward()
                if not agree(gradients_of(ours), leaves):
                    return DIFFERS
    return None


SUM = Graph("y = a + b", a=[3.0, 1.0], b=[8.0, 2.0])


def to_add(torch: Any, random: Any) -> Any:
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 1
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 2
    yield SUM, 2
    yield SUM, 3
    yield drawn_by_chance(random), 2


def added(given: Any, torch: Any, graph: Graph, times: int) -> Any:
    with plugged(given, arrive_leaves=given, run=None) as names:
        exec(parts.RUN, names)  # not the reader's: it may make new arrays, as `0 + g`, and so hide shared ones
        y, leaves = graph.on(names["Tensor"])
        for number in range(times):
            names["run"](y._fn, np.full_like(y._data, number + 1), names["RAW"])
        plain = gradients_of(leaves)
        leaf, *grads = (names["Tensor"]([number, 7.0], requires_grad=True) for number in (1.0, 5.0, 6.0))
        form = names["RAW"]._replace(wrap=lambda grad: grad)
        for grad in grads:
            given({leaf: grad}, form)
        edges = getattr(leaf._grad._fn, "edges", [])
        recorded = all(any(edge is grad for edge in edges) for grad in grads)
        return {"gradients": plain, "tensor": numbers(leaf._grad), "recorded": recorded}


class OnPurpose(Exception):
    """Raised inside a block to see which state is left behind."""


def to_leave(torch: Any, random: Any) -> Any:
    for ends in ("well", "with an error", "inside another no_grad"):
        yield (ends,)


def left(given: Any, torch: Any, ends: str) -> Any:
    modes = inspect.unwrap(given).__globals__["modes"]
    before = modes.recording
    quiet = contextmanager(given)
    seen: dict[str, Any] = {}
    try:
        modes.recording = ends != "inside another no_grad"
        try:
            with quiet():
                seen["inside"] = modes.recording
                if ends == "with an error":
                    raise OnPurpose
        except OnPurpose:
            seen["error"] = True
        if ends == "with an error":
            seen.setdefault("error", False)
        seen["after"] = modes.recording
        return seen
    finally:
        modes.recording = before


def to_derive(torch: Any, random: Any) -> Any:
    yield (Graph("y = w ** 3", w=3.0),)
    yield (Graph("y = w ** 3 * x", w=[2.0], x=[5.0]),)
    yield (Graph("y = (w * x).tanh() + b", w=[[0.5], [1.0]], x=[0.25, 2.0, 1.0], b=[0.0, 1.0, 2.0]),)
    yield from ((each,) for each in several(random))


def derived(given: Any, torch: Any, graph: Graph) -> Any:
    with plugged(given, backward=given) as names:
        Tensor = names["Tensor"]
        y, leaves = graph.on(Tensor)
        if not y._requires_grad:
            return {"plain": {}}
        given(y)
        plain = gradients_of(leaves)
        kept = any(leaf._grad is not None and leaf._grad._requires_grad for leaf in leaves.values())
        for leaf in leaves.values():
            leaf._grad = None
        given(y, Tensor(np.full_like(y._data, 2.0)))
        twice = gradients_of(leaves)
        for leaf in leaves.values():
            leaf._grad = None
        given(y, create_graph=True)
        first = gradients_of(leaves)
        total = squares(leaves)
        if total._requires_grad:
            given(total)
        return {"plain": plain, "kept": kept, "given": twice, "first": first, "second": gradients_of(leaves)}


def squares(leaves: dict[str, Any]) -> Any:
    """The sum of the squares of all gradients; it also sets the leaves' `.grad` to None."""
    total: Any = None
    for leaf in leaves.values():
        if leaf.grad is not None:
            total = (leaf.grad * leaf.grad).sum() if total is None else (leaf.grad * leaf.grad).sum() + total
            leaf._grad = None
    return total


def second_agree(given: Any, torch: Any, random: Any) -> Any:
    minigrad = importlib.import_module("minigrad")
    for graph in several(random, count=3, shapes=BROADCAST):
        y, leaves = in_minigrad(graph)
        asking = [leaf for leaf in leaves.values() if leaf.requires_grad]
        if not y.requires_grad:
            continue
        firsts = minigrad.autograd.grad(y.sum(), asking, create_graph=True, allow_unused=True)
        total = sum((first * first).sum() for first in firsts if first is not None)
        if not total.requires_grad:
            continue
        total.backward()
        with plugged(given, backward=given) as names:
            own, ours = graph.on(names["Tensor"])
            given(own, create_graph=True)
            given(squares(ours))
        if not agree(gradients_of(ours), leaves):
            return DIFFERS
    return None
