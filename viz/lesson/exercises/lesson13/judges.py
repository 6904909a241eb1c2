"""What the pages of lesson 13 can't contain: points to try, ways of running, checks."""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minigrad._machine.interrupts import restoring

from ....locale import room
from ...own import later, parts
from ...own.graphs import FACTORS, FROZEN, TWICE, Graph, chain, drawn_by_chance, several, sixty, told
from ...own.picture import NodeShown, Shown

tr = room("lesson13")

_before_own_slopes = ""
_before_own_call = parts._before("own_call")
_before_own_record = parts._before("own_record")
_before_own_gradients = parts._before("own_gradients")
_before_own_run = parts._before("own_run")
_before_own_fit = parts._before("own_fit")
_before_own_leaves = parts._before("own_leaves")
_before_own_no_grad = parts._before("own_no_grad")
_before_own_backward = parts._before("own_backward")


BROADCAST = ((3,), (), (1, 3), (4, 1), (4, 3))


_ENGINE = compile("\n\n".join(text for _, text in parts._PARTS), "<ours>", "exec")
PASSING = ("name", "row", "rows", "signs", "__builtins__")  # variables of the lesson's cells that nothing uses later
_last: list[Any] = [None, None]  # the names that were asked for last, and our engine in them


def ours(names: dict[str, Any]) -> dict[str, Any]:
    """All functions and classes of the finished engine, which look up their names in `names`."""
    if _last[0] is not names:
        made: dict[str, Any] = {}
        exec(_ENGINE, made)
        for name, each in made.items():
            if inspect.isclass(each):
                for part, method in list(vars(each).items()):
                    if inspect.isfunction(method) and method.__globals__ is made:
                        setattr(each, part, in_names(method, names))
            elif inspect.isfunction(each) and each.__globals__ is made:
                made[name] = in_names(each, names)
        _last[:] = names, {name: each for name, each in made.items() if name not in PASSING}
    return dict(_last[1])


def in_names(function: Any, names: dict[str, Any]) -> Any:
    """The same function, which looks up its names in `names`."""
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


@restoring
def plugged(given: Any, /, **others: Any) -> Iterator[dict[str, Any]]:
    """The names of the engine that contains `given`, with `others` in their places inside the block.

    In place of the reader's other functions there are ours, and in place of the cells that the lesson gives those of
    the lesson, so that a fault in one is never blamed on another.
    """
    names = inspect.unwrap(given).__globals__
    instead = ours(names)
    if "backward" in others:
        del instead["Recorded"]  # the reader's, which belongs to the same answer
    others = {**instead, **others}
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
    return INSIDE if holds_objects(data) else data


def holds_objects(data: Any) -> bool:
    """Whether it is a Tensor, or an array of Tensors, where an array of numbers belongs."""
    return hasattr(data, "_data") or isinstance(data, np.ndarray) and data.dtype == object


INSIDE = "a Tensor inside a Tensor"


def inside(value: Any) -> Any:
    """The reply if a Tensor contains a Tensor, which cannot be compared."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if isinstance(value, str) and value == INSIDE or any(map(inside, parts)):
        return tr("the code put a Tensor inside a Tensor, so its `_data` is not an array.", "judges")
    return None


def gradients_of(leaves: dict[str, Any]) -> dict[str, Any]:
    return {name: numbers(leaf.grad) for name, leaf in leaves.items() if leaf._requires_grad}


def in_minigrad(graph: Graph) -> tuple[Any, dict[str, Any]]:
    return graph.on(importlib.import_module("minigrad").tensor)


def agree(ours: dict[str, Any], leaves: dict[str, Any]) -> bool:
    """Whether these gradients are those of minigrad's leaves, as far as the leaves have some."""
    theirs = {name: leaf.grad.numpy() for name, leaf in leaves.items() if leaf.grad is not None}
    return all(ours[name] is not None and np.allclose(ours[name], grad) for name, grad in theirs.items())


DIFFERS = tr("On a random graph, your engine and minigrad give different results.", "judges")


def to_slope(torch: Any, random: Any) -> Any:
    yield "sub_other", np.array([10.0, 2.0]), None
    yield "tanh_self", np.array([10.0, 10.0]), np.array([0.5, -0.8])
    yield "mm_self", np.array([[10.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    yield "tanh_self", random.normal(size=(2, 3)), random.uniform(-1, 1, size=(2, 3))
    yield "mm_self", random.normal(size=(4, 2)), random.normal(size=(3, 2))


SAVED = {"sub_other": "", "tanh_self": "result", "mm_self": "mat2"}  # what each of the three derivatives needs


def sloped(given: Any, torch: Any, function: str, grad: Any, saved: Any) -> Any:
    there = {"functions": [each for each in SAVED if hasattr(given, each)]}
    if function not in there["functions"]:
        return there
    names = parts.engine()
    Tensor = names["Tensor"]
    asked = SAVED[function]
    plain = getattr(given, function)(names["RAW"].F, grad, **({asked: saved} if asked else {}))
    if plain is ... or plain is None:
        return {**there, "gradient": plain}
    arrived = Tensor(grad, requires_grad=True)
    second = getattr(given, function)(names["Recorded"](), arrived, **({asked: Tensor(saved)} if asked else {}))
    recorded = getattr(second, "_fn", None) is not None
    return {**there, "gradient": plain, "tensor": numbers(second), "recorded": recorded}


def to_call(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (Graph("y = (w + 1) * 2.5", w=np.array([0.5, 3.0], np.float32)),)
    total = 'y = call(TABLE["sum_dim"], (w,), {"dim": (0,)})'
    yield (Graph(total, "the sum of w along dim 0", w=[[1.0, 2.0], [3.0, 4.0]]),)
    yield (Graph("y = (w > 1) * w", w=[3.0, 0.5]),)
    yield (Graph("y = 2 / w", w=np.array([4.0], np.float32)),)
    yield from ((each,) for each in several(random))


class Received(Exception):
    """`rule.value` has received this in place of arrays of numbers."""


class Watched:
    """A row of the table that first looks at what its value is to be computed of."""

    def __init__(self, rule: Any):
        self.rule = rule

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rule, name)

    def value(self, xp: Any, *arrays: Any, **params: Any) -> Any:
        if any(map(holds_objects, arrays)):  # an operator on these would go through `call` again, without end
            raise Received("Tensors" if any(hasattr(each, "_data") for each in arrays) else "arrays of Tensors")
        return self.rule.value(xp, *arrays, **params)


def called(given: Any, torch: Any, graph: Graph) -> Any:
    heard: list[str] = []
    now: list[Any] = []

    def call(rule: Any, inputs: Any, params: Any) -> Any:
        now[:] = inputs
        return given(Watched(rule), inputs, params)

    def record(rule: Any, tensors: Any, params: Any, out: Any) -> None:
        heard.append(f"{rule.name}({', '.join(map(told_of, tensors, [*now, *tensors]))})")

    def told_of(tensor: Any, before: Any) -> str:
        new = isinstance(before, names["Tensor"]) and tensor is not before
        asks = tensor is not before and getattr(tensor, "_requires_grad", False)
        return "another " * new + type(tensor).__name__ + " that requires grad" * asks

    try:
        with plugged(given, call=call, record=record) as names:
            Tensor = names["Tensor"]
            y, _ = graph.on(Tensor, call=call, TABLE=names["TABLE"])
            recorded, modes = [*heard], names["modes"]
            before, modes.recording = modes.recording, False
            try:
                graph.on(Tensor, call=call, TABLE=names["TABLE"])
            finally:
                modes.recording = before
    except Received as error:
        return {"received": error.args[0]}
    kind = "a Tensor" if isinstance(y, Tensor) else f"of type {type(y).__name__}"
    value = numbers(y)
    found = {"kind": kind, "value": value, "type": str(getattr(value, "dtype", "")), "record": recorded}
    return {"received": "arrays", **found, "paused": len(heard) - len(recorded)}


def values_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random, shapes=BROADCAST):
        if not np.allclose(called(given, torch, graph)["value"], in_minigrad(graph)[0].detach().numpy()):
            return DIFFERS
    return works_later(given, random, call=given)


def works_later(given: Any, random: Any, **part: Any) -> Any:
    """What fails if the finished engine works with this part of the reader's; None if nothing does."""
    with plugged(given, **part) as names:
        return later.problem(names, random)


DIVIDED = Graph("y = 2 / w", w=[4.0])
CONSTANTS = Graph("y = (w * x) * x", w=[3.0], x=[2.0], frozen="w x")


def to_record(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (FACTORS,)
    yield (FROZEN,)
    yield (CONSTANTS,)
    yield (TWICE,)
    yield (DIVIDED,)
    yield from ((each,) for each in several(random))


def recorded(given: Any, torch: Any, graph: Graph) -> Any:
    with plugged(given, record=given) as names:
        y, leaves = graph.on(names["Tensor"])
        kinds = names["Node"], names["Tensor"], type(None)
    if odd := no_edge(y._fn, kinds):
        return {"edges": odd}
    shown = Shown()
    called = {id(shown.tensor(leaf)): name for name, leaf in leaves.items()}
    node = shown.tensor(y).grad_fn
    graph_told = "nothing" if node is None else told(node, called)
    nodes = [each.own for each in shown.coats.values() if isinstance(each, NodeShown)]
    kept = all(hasattr(each, "kept") for each in nodes)
    lists = all(issubclass(type(each.edges), (list, tuple)) for each in nodes)
    found = {"graph": graph_told, "waits": bool(y._requires_grad), "kept": kept, "lists": lists}
    return {"edges": "a Node, a Tensor or None", **found}


def no_edge(node: Any, kinds: tuple[Any, ...]) -> str:
    """The first edge behind a node that leads to nothing that an edge may lead to, in words; "" if there is none."""
    todo, seen = [node], set()
    while todo:
        node = todo.pop()
        if id(node) in seen or not isinstance(node, kinds[0]):
            continue
        seen.add(id(node))
        if isinstance(node.edges, (list, tuple)):
            for edge in node.edges:
                if not isinstance(edge, kinds):
                    return f"{edge!r}, of type {type(edge).__name__}"
            todo += node.edges
    return ""


def graphs_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            called = {id(leaf): name for name, leaf in leaves.items()}
            if recorded(given, torch, graph)["graph"] != told(y.grad_fn, called):
                return DIFFERS
    return works_later(given, random, record=given)


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
    yield (DIVIDED,)
    yield (Graph("y = w.sin()", "a sine: y = w.sin() at w = 0.5", w=[0.5]),)
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
        leaves["grad"] = names["Tensor"](upstream, requires_grad=True)
        on_tensors = given(y._fn, leaves["grad"], names["Recorded"](), lambda kept: kept)
        paths = [[*map(id, ends_of(getattr(each, "_fn", None)))] for each in on_tensors if each is not None]
        reached = [[name for name, leaf in leaves.items() if id(leaf) in each] for each in paths]
    return {"gradients": first, "leaf": grad, "reached": reached}


def chains_agree(given: Any, torch: Any, random: Any) -> Any:
    for length in range(2, 9):
        graph = chain(random, length)
        y, leaves = in_minigrad(graph)
        y.backward(10 * importlib.import_module("minigrad").ones_like(y))
        if not np.allclose(walked(given, torch, graph)["leaf"], leaves["w"].grad.numpy()):
            return DIFFERS
    return works_later(given, random, gradients=given)


LATE = Graph("a = w * w\nb = a.tanh()\nc = b * 3\ny = a * c", "a = w * w; b = a.tanh(); y = a * (b * 3)", w=[0.5])


SHARING = Graph("a = w * 2\nb = x * 5\nd = a * 3\ny = (a + b) + d", w=[3.0], x=[8.0])


def to_run(torch: Any, random: Any) -> Any:
    yield (FACTORS,)
    yield (TWICE,)
    yield (FROZEN,)
    yield (Graph("y = x * w + w", w=[3.0], x=[8.0], frozen="x"),)
    yield (LATE,)
    yield (SHARING,)
    yield (sixty(),)
    yield from ((each,) for each in several(random))
    yield (Graph("y = w", w=[3.0]),)


class Again(Exception):
    """One node runs again and again: the check stops there."""


MANY = "more than 50 times"


def ran_or_stuck(given: Any, torch: Any, graph: Graph) -> Any:
    try:
        return ran(given, torch, graph)
    except Again:
        return {"often": MANY}


def stuck_or_inside(value: Any) -> Any:
    if isinstance(value, dict) and value.get("often") == MANY:
        return tr("your code ran the same node more than 50 times, and the check stopped there.", "judges")
    return inside(value)


def ran(given: Any, torch: Any, graph: Graph) -> Any:
    fired: dict[Any, int] = {}
    ends: list[Any] = []
    ours_here = ours(given.__globals__)
    gradients, arrive_leaves = ours_here["gradients"], ours_here["arrive_leaves"]

    def counted(node: Any, *more: Any) -> Any:
        fired[node] = fired.get(node, 0) + 1
        if fired[node] > 50:
            raise Again
        return gradients(node, *more)

    def ended(leaves: Any, form: Any) -> None:
        ends.append(len(leaves))
        arrive_leaves(leaves, form)

    others: dict[str, Any] = {"gradients": counted, "fit": lambda F, grad, shape: grad, "arrive_leaves": ended}
    with plugged(given, run=given, **others) as names:
        y, leaves = graph.on(names["Tensor"])
        if not y._requires_grad:
            return {"gradients": gradients_of(leaves), "often": 0}
        names["backward"](y)
        found = {"gradients": gradients_of(leaves), "often": max(fired.values(), default=0), "ends": len(ends)}
        if graph is not TWICE:
            return found
        for leaf in leaves.values():
            leaf._grad = None
        names["backward"](y)
        found["again"] = gradients_of(leaves)
        names["backward"](y)
        found["onto"] = gradients_of(leaves)
        for leaf in leaves.values():
            leaf._grad = None
        names["backward"](y, create_graph=True)
        return {
            **found,
            "recorded": all(leaf._grad is not None and leaf._grad._requires_grad for leaf in leaves.values()),
        }


def backwards_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            y.backward(importlib.import_module("minigrad").ones_like(y))
            if not agree(ran(given, torch, graph)["gradients"], leaves):
                return DIFFERS
    return works_later(given, random, run=given)


def to_fit(torch: Any, random: Any) -> Any:
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (3,)
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (2, 1)
    yield np.array([1.0, 2.0, 4.0]), ()
    for sizes, shape in (((3, 3), (3,)), ((4, 2, 3), (1, 3)), ((5, 2, 3), (2, 1)), ((2, 1, 3), (1, 1))):
        yield random.normal(size=sizes), shape


def fitted(given: Any, torch: Any, grad: Any, shape: tuple[int, ...]) -> Any:
    names = ours(given.__globals__)

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
    return works_later(given, random, fit=given)


SUM = Graph("y = a + b", a=[3.0, 1.0], b=[8.0, 2.0])


def to_add(torch: Any, random: Any) -> Any:
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 1
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 2
    yield SUM, 2
    yield SUM, 3
    yield drawn_by_chance(random), 2


def sums_agree(given: Any, torch: Any, random: Any) -> Any:
    return works_later(given, random, arrive_leaves=given)


def added(given: Any, torch: Any, graph: Graph, times: int) -> Any:
    with plugged(given, arrive_leaves=given) as names:
        y, leaves = graph.on(names["Tensor"])
        for number in range(times):
            names["run"](y._fn, np.full_like(y._data, number + 1), names["RAW"])
        kinds = sorted({type(leaf._grad).__name__ for leaf in leaves.values() if leaf._requires_grad})
        plain = gradients_of(leaves)
        leaf, *grads = (names["Tensor"]([number, 7.0], requires_grad=True) for number in (1.0, 5.0, 6.0))
        form = names["RAW"]._replace(wrap=lambda grad: grad)
        for grad in grads:
            given({leaf: grad}, form)
            kinds = sorted({*kinds, type(leaf._grad).__name__})
        recorded = all(any(end is grad for end in ends_of(getattr(leaf._grad, "_fn", None))) for grad in grads)
        return {"kinds": kinds, "gradients": plain, "tensor": numbers(leaf._grad), "recorded": recorded}


def ends_of(edge: Any) -> Iterator[Any]:
    """The leaves behind an edge."""
    if not hasattr(edge, "edges"):
        yield edge
    else:
        for each in edge.edges:
            yield from ends_of(each)


class OnPurpose(ValueError):
    """Raised inside a block to see which state is left behind."""


class Interrupted(KeyboardInterrupt):
    """Raised inside a block as Ctrl-C is."""


class Other(LookupError):
    """Raised inside a block to see whether only the other two are prepared for."""


def to_leave(torch: Any, random: Any) -> Any:
    for code in BLOCKS:
        yield (Block(code),)


class Block:
    """A program with a block under `no_grad`."""

    def __init__(self, code: str):
        self.code = code

    def __repr__(self) -> str:
        return self.code


BLOCKS: dict[str, type[BaseException] | None] = {
    "with no_grad(): pass": None,
    "with no_grad(): raise ValueError": OnPurpose,
    "with no_grad(): raise KeyboardInterrupt": Interrupted,
    "with no_grad(): raise LookupError": Other,
    "with no_grad(): with no_grad(): pass": None,
}


def left(given: Any, torch: Any, block: Block) -> Any:
    error = BLOCKS[block.code]
    if isinstance(given, type):
        return {"kind": "a class"}
    modes = inspect.unwrap(given).__globals__["modes"]
    before = modes.recording
    quiet = contextmanager(given)
    seen: dict[str, Any] = {"kind": "a generator function"}
    try:
        modes.recording = block.code.count("with") == 1
        try:
            with quiet():
                seen["inside"] = modes.recording
                if error:
                    raise error
        except (OnPurpose, Interrupted, Other):
            seen["error"] = True
        if error:
            seen.setdefault("error", False)
        seen["after"] = modes.recording
        return seen
    finally:
        modes.recording = before


def restores(given: Any, torch: Any, random: Any) -> Any:
    """Under `no_grad` nothing is recorded, also in a loop, and afterwards everything is."""
    with plugged(given) as names:
        no_grad = contextmanager(given)
        w = names["Tensor"](3.0, requires_grad=True)
        for _ in range(2):
            with no_grad():
                inside = w * w
            if inside._requires_grad or not (w * w)._requires_grad:
                return DIFFERS
    return None


def to_derive(torch: Any, random: Any) -> Any:
    yield (Graph("y = w ** 3", w=3.0),)
    yield (Graph("y = w ** 3 * x", w=[2.0], x=[5.0]),)
    yield (Graph("y = (w * x).tanh() + b", w=[[0.5], [1.0]], x=[0.25, 2.0, 1.0], b=[0.0, 1.0, 2.0]),)
    yield from ((each,) for each in several(random))


def derived(given: Any, torch: Any, graph: Graph) -> Any:
    forms: list[Any] = []
    our_run = ours(inspect.unwrap(given).__globals__)["run"]

    def run(edge: Any, grad: Any, form: Any) -> None:
        forms.append(form)
        our_run(edge, grad, form)

    with plugged(given, backward=given, run=run) as names:
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
        forms.clear()
        given(y, create_graph=True)
        raw = any(form is names["RAW"] for form in forms)
        found = {"form": raw, "plain": plain, "kept": kept, "given": twice, "first": gradients_of(leaves)}
        total = later.squares(leaves)
        if total is not None and total._requires_grad:
            given(total)
        elif graph.code == "y = w ** 3" and not raw and forms:  # which of the two has cut the graph off
            probe = Tensor(1.0)
            found["same"] = forms[0].unpack(probe) is probe, forms[0].wrap(probe) is probe
        return {**found, "second": gradients_of(leaves)}


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
            given(later.squares(ours))
        if not agree(gradients_of(ours), leaves):
            return DIFFERS
    return works_later(given, random, backward=given)
