"""Lesson 13, build your own autograd: eight functions that, with what the lesson gives, are an engine over minigrad's
own table. Each is tried in its place: the engine of the reader's notebook runs graphs, and minigrad runs the same."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minigrad.interrupts import restoring

from ..ask import Ask, probe
from ..own import parts
from ..own.graphs import FACTORS, FROZEN, TWICE, Graph, chain, drawn_by_chance, several, sixty, told
from ..own.picture import Shown
from ..task import Wrong, function

BROADCAST = ((3,), (), (1, 3), (4, 1), (4, 3))


@restoring
def plugged(given: Any, /, **others: Any) -> Iterator[dict[str, Any]]:
    """The names of the engine that `given` was written in, with `others` in their places for a while."""
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
    """What is said where a Tensor has been made of a Tensor: a value that nobody can compare."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    if isinstance(value, str) and value == INSIDE or any(map(inside, parts)):
        return {
            "en": "somewhere a Tensor was made of what is a Tensor already: its `_data` is no array.",
            "zh": "某处用本来就是 Tensor 的东西又造了一个 Tensor：它的 `_data` 不是数组。",
        }
    return None


def gradients_of(leaves: dict[str, Any]) -> dict[str, Any]:
    return {name: numbers(leaf.grad) for name, leaf in leaves.items() if leaf._requires_grad}


def in_minigrad(graph: Graph) -> tuple[Any, dict[str, Any]]:
    return graph.on(importlib.import_module("minigrad").tensor)


def wrong(name: str, old: str, new: str, en: str, zh: str, **how: Any) -> Wrong:
    """The answer of who writes `new` where the solution has `old`."""
    text = dict(parts.PARTS)[name]
    assert old in text, (name, old)
    return Wrong(text.replace(old, new), {"en": en, "zh": zh}, **how)


DIFFERS = {
    "en": "On a random graph your engine and minigrad do not agree.",
    "zh": "在一个随机图上，你的引擎和 minigrad 的结果不一致。",
}

# -- 1: call --------------------------------------------------------------------------------------


def _to_call(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (Graph("y = (w + 1) * 2.5", w=np.array([0.5, 3.0], np.float32)),)
    total = 'y = call(TABLE["sum_dim"], (w,), {"dim": (0,)})'
    yield (Graph(total, "the sum of w along dim 0", w=[[1.0, 2.0], [3.0, 4.0]]),)
    yield (Graph("y = (w > 1) * w", w=[3.0, 0.5]),)
    yield from ((each,) for each in several(random))


def _called(given: Any, torch: Any, graph: Graph) -> Any:
    heard: list[Any] = []

    def record(rule: Any, tensors: Any, params: Any, out: Any) -> None:
        heard.append((rule.name, [type(each).__name__ for each in tensors], type(out).__name__))

    with plugged(given, call=given, record=record) as names:
        y, _ = graph.on(names["Tensor"], call=given, TABLE=names["TABLE"])
    known = [f"{name}({', '.join(inputs)})" for name, inputs, _ in heard]
    kind = "a Tensor" if isinstance(y, names["Tensor"]) else f"of type {type(y).__name__}"
    value = numbers(y)
    return {"kind": kind, "value": value, "type": str(getattr(value, "dtype", "")), "record": known}


def _values_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random, shapes=BROADCAST):
        if not np.allclose(_called(given, torch, graph)["value"], in_minigrad(graph)[0].detach().numpy()):
            return DIFFERS
    return None


own_call = function(
    "own_call",
    task={
        "en": "Write `call`: make a Tensor of each number among the inputs, with the dtype of the first Tensor there; "
        "then compute the value, and make a Tensor of it.",
        "zh": "写出 `call`：把输入中的每个数变成 Tensor，dtype 与其中第一个 Tensor 相同；"
        "然后算出值，并把它变成 Tensor。",
    },
    gap="""
        def call(rule, inputs, params):
            tensors = ...
            out = ...
            if modes.recording and rule.slopes:  # `>` has none
                record(rule, tensors, params, out)
            return out
    """,
    solution=parts.CALL,
    setup=parts.before("own_call"),
    points=_to_call,
    run=_called,
    tell=inside,
    verify=_values_agree,
    parts={
        "kind": {"en": "the result to be", "zh": "结果是"},
        "value": {"en": "the value", "zh": "值"},
        "type": {"en": "the dtype", "zh": "dtype"},
        "record": {"en": "to be handed to `record`:", "zh": "交给 `record` 的"},
    },
    hints=[
        {
            "en": "`isinstance(x, Tensor)` asks whether an input is one already.",
            "zh": "`isinstance(x, Tensor)` 可以问一个输入是不是已经是 Tensor。",
        },
        {
            "en": "A number: `Tensor(np.asarray(x, like._data.dtype))`, where `like` is the first Tensor among the "
            "inputs.",
            "zh": "一个数：`Tensor(np.asarray(x, like._data.dtype))`，其中 `like` 是输入中的第一个 Tensor。",
        },
        {
            "en": "The value wants arrays: `rule.value(np, *[x._data for x in tensors], **params)`. Around it: "
            "`Tensor(...)`.",
            "zh": "算值要用数组：`rule.value(np, *[x._data for x in tensors], **params)`。外面再套上 `Tensor(...)`。",
        },
    ],
    wrong=[
        wrong(
            "own_call",
            ", **params)",
            ")",
            "The value also has parameters: axes, exponents. They come in `params`.",
            "算值还要参数：轴、指数等。它们在 `params` 里。",
        ),
        wrong(
            "own_call",
            ", **params)",
            ", params)",
            "`params` is a dict, and came in as one more input. `**params` hands its entries over by name.",
            "`params` 是字典，这里成了又一个输入。`**params` 把其中各项按名字交出去。",
        ),
        wrong(
            "own_call",
            "        if not isinstance(x, Tensor):\n            x = Tensor(np.asarray(x, like._data.dtype))\n",
            "",
            "Among the inputs are plain numbers, as the 1 in `w + 1`. They become Tensors first.",
            "输入里有普通的数，比如 `w + 1` 里的 1。先把它们变成 Tensor。",
        ),
        wrong(
            "own_call",
            "np.asarray(x, like._data.dtype)",
            "x",
            "A plain number becomes a float64, and drags the result along. It should get the dtype of the first "
            "Tensor there.",
            "普通的数会变成 float64，并把结果也带成 float64。它应当取其中第一个 Tensor 的 dtype。",
        ),
        wrong(
            "own_call",
            "out = Tensor(rule.value(np, *arrays, **params))",
            "out = rule.value(np, *arrays, **params)",
            "That is an array. Who goes on computing with it needs a Tensor.",
            "这是数组。要接着算下去，得是 Tensor。",
        ),
        wrong(
            "own_call",
            "arrays = [x._data for x in tensors]",
            "arrays = tensors",
            "The value was given Tensors: `*` on these calls `call` again, and so on for ever. It wants arrays, "
            "each Tensor's `_data`.",
            "传给值的是 Tensor：它们的 `*` 又会调用 `call`，没完没了。它要的是数组，即每个 Tensor 的 `_data`。",
        ),
        wrong(
            "own_call",
            "    if modes.recording and rule.slopes:  # `>` has none\n        record(rule, tensors, params, out)\n",
            "",
            "The value is right, but `record` was not told: step 2 will want to know.",
            "值是对的，但没有告诉 `record`：第 2 步要用到。",
        ),
        wrong(
            "own_call",
            "modes.recording and rule.slopes",
            "modes.recording",
            "`>` was handed to `record`. It has no slopes, so no gradient can pass it: its result requires no grad.",
            "`>` 被交给了 `record`。它没有斜率，梯度无法通过：它的结果不需要梯度。",
        ),
        wrong(
            "own_call",
            "record(rule, tensors, params, out)",
            "record(rule, inputs, params, out)",
            "`record` was handed the inputs as they came, with plain numbers among them. Hand it the Tensors.",
            "交给 `record` 的是原来的输入，里面还有普通的数。要交 Tensor。",
        ),
        wrong(
            "own_call",
            "rule.value(np, *arrays, **params)",
            "arrays[0] * arrays[-1]",
            "That multiplies, whatever was called. The rule knows its own value: `rule.value`.",
            "不管调用什么，这都是相乘。规则自己知道怎么算：`rule.value`。",
        ),
    ],
    because={
        "en": "On random graphs every value is minigrad's. Here, too, all operators come through this one function.",
        "zh": "在随机图上每个值都与 minigrad 相同。这里所有算子也都经过这一个函数。",
    },
)

# -- 2: record ------------------------------------------------------------------------------------

CONSTANTS = Graph("y = (w * x) * x", w=[3.0], x=[2.0], frozen="w x")


def _to_record(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (FACTORS,)
    yield (FROZEN,)
    yield (CONSTANTS,)
    yield (TWICE,)
    yield from ((each,) for each in several(random))


def _recorded(given: Any, torch: Any, graph: Graph) -> Any:
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


def _graphs_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            called = {id(leaf): name for name, leaf in leaves.items()}
            if _recorded(given, torch, graph)["graph"] != told(y.grad_fn, called):
                return DIFFERS
    return None


def _picture(given: Any, torch: Any) -> Any:
    from ..own.picture import drawn

    with plugged(given, record=given) as names:
        Tensor = names["Tensor"]
        w, x = Tensor([3.0], requires_grad=True), Tensor([8.0], requires_grad=True)
        y = (w + x) * (w + 1)
        return drawn(y)


own_record = function(
    "own_record",
    task={
        "en": "Write `record`: if any of the tensors requires grad, make the Node, give it one edge for each tensor, "
        "let it `keep` what slopes need, and tell `out` what made it, and that it requires grad.",
        "zh": "写出 `record`：只要有一个张量需要梯度，就建立 Node，为每个张量添上一条边，用 `keep` 保存斜率所需，"
        "再告诉 `out`：它由谁造出，并且需要梯度。",
    },
    gap="""
        def record(rule, tensors, params, out):
            ...
            node = Node(rule)
            ...
            keep(node, tensors, params, out)
            ...
    """,
    solution=parts.RECORD,
    setup=parts.before("own_record"),
    points=_to_record,
    run=_recorded,
    verify=_graphs_agree,
    draw=_picture,
    parts={
        "graph": {"en": "the graph", "zh": "图"},
        "waits": {"en": "`y._requires_grad` to be", "zh": "`y._requires_grad`"},
        "kept": {"en": "that every node has kept what slopes need:", "zh": "每个节点都保存了斜率所需："},
    },
    hints=[
        {
            "en": "Where does an input's gradient go? To the node that made it; to the input itself, if it is a leaf; "
            "nowhere, if it requires none.",
            "zh": "一个输入的梯度去哪里？去造出它的节点；它是叶子，就去它自己；不需要梯度，就哪里也不去。",
        },
        {
            "en": "`node.edges.append(...)` once for each tensor: None, `x`, or `x._fn`.",
            "zh": "对每个张量 `node.edges.append(...)` 一次：None、`x` 或 `x._fn`。",
        },
        {
            "en": "At the end: `out._fn, out._requires_grad = node, True`. At the beginning: `return`, if not "
            "`any(x._requires_grad for x in tensors)`.",
            "zh": "最后：`out._fn, out._requires_grad = node, True`。开头：若不是 "
            "`any(x._requires_grad for x in tensors)` 就 `return`。",
        },
    ],
    wrong=[
        wrong(
            "own_record",
            "elif x._fn is None:",
            "elif True:",
            "Every edge ends at a tensor, so the graph is one operator deep. Something that was computed has a node "
            "behind it, its `_fn`.",
            "每条边都停在张量上，所以图只有一个算子深。算出来的东西背后有节点，即它的 `_fn`。",
        ),
        wrong(
            "own_record",
            "elif x._fn is None:\n            node.edges.append(x)\n        else",
            "else",
            "A leaf has no node: its `_fn` is None. Its edge leads to the leaf itself.",
            "叶子没有节点：它的 `_fn` 是 None。它的边通到叶子自己。",
        ),
        wrong(
            "own_record",
            "node.edges.append(None)",
            "continue",
            "There must be one edge for each input, in order: None where no gradient is wanted. Else nobody knows "
            "which input an edge belongs to.",
            "每个输入都要有一条边，按顺序：不要梯度的地方放 None。否则没人知道一条边属于哪个输入。",
        ),
        wrong(
            "own_record",
            "    out._fn, out._requires_grad = node, True\n",
            "    out._requires_grad = True\n",
            "The node is made, and nobody holds it. Who asks `out` how it came about?",
            "节点建好了，却没有人拿着它。谁去问 `out` 是怎么来的？",
        ),
        wrong(
            "own_record",
            "out._fn, out._requires_grad = node, True",
            "out._fn = node",
            "The next operator asks whether its input requires grad. What does `out` answer?",
            "下一个算子会问输入需不需要梯度。`out` 怎么回答？",
        ),
        wrong(
            "own_record",
            "    if not any(x._requires_grad for x in tensors):\n        return\n",
            "",
            "Here nothing requires grad, and yet it was recorded.",
            "这里没有任何东西需要梯度，却也记录了。",
        ),
        wrong(
            "own_record",
            "any(",
            "all(",
            "One input that requires grad is enough.",
            "有一个输入需要梯度就够了。",
        ),
        wrong(
            "own_record",
            "        if not x._requires_grad:\n            node.edges.append(None)\n        elif",
            "        if",
            "An edge leads to something that requires no grad. Put None there.",
            "有一条边通到了不需要梯度的东西。那里要放 None。",
        ),
        Wrong(
            "def record(rule, tensors, params, out):\n    node = Node(rule)\n"
            "    node.edges = [x._fn or x for x in tensors]\n"
            "    keep(node, tensors, params, out)\n    out._fn, out._requires_grad = node, True",
            {
                "en": "An edge leads to everything here. What requires no grad gets None; and where nothing requires "
                "it, nothing is recorded.",
                "zh": "这里每样东西都有边通过去。不需要梯度的放 None；什么都不需要梯度时，什么也不记录。",
            },
        ),
        wrong(
            "own_record",
            "    keep(node, tensors, params, out)\n",
            "",
            "The graph is right, but the nodes have kept nothing: what will their slopes be computed from?",
            "图是对的，但节点什么也没保存：斜率拿什么来算？",
        ),
    ],
    because={
        "en": "Every edge leads where minigrad's does, on random graphs, too.",
        "zh": "每条边都通到与 minigrad 相同的地方，在随机图上也一样。",
    },
)

# -- 3: gradients ---------------------------------------------------------------------------------


def _to_walk(torch: Any, random: Any) -> Any:
    yield (Graph("y = w * x", w=[3.0], x=[8.0]),)
    yield (Graph("y = x * w", w=[3.0], x=[8.0], frozen="x"),)
    yield (Graph("y = (5 * w) * (5 * w)", "y = (5w)²", w=[3.0]),)
    yield from ((chain(random, length),) for length in (1, 3, 6))


def _walked(given: Any, torch: Any, graph: Graph) -> Any:
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


def _chains_agree(given: Any, torch: Any, random: Any) -> Any:
    for length in range(2, 9):
        graph = chain(random, length)
        y, leaves = in_minigrad(graph)
        y.backward(10 * importlib.import_module("minigrad").ones_like(y))
        if not np.allclose(_walked(given, torch, graph)["leaf"], leaves["w"].grad.numpy()):
            return DIFFERS
    return None


TWICE_TO_ALL = """
def gradients(node, grad, F, unpack):
    found = []
    for i, edge in enumerate(node.edges):
        found.append(grad * slope_of(node, i)(F, grad, **arguments(node, i, unpack)))
    return found
"""

own_gradients = function(
    "own_gradients",
    task={
        "en": "Write `gradients`: given the gradient of a node's output, a list of those of its inputs. One for each "
        "edge; None where there is none.",
        "zh": "写出 `gradients`：由节点输出的梯度得出各输入的梯度，放在一个列表里。每条边一个；没有边的地方是 None。",
    },
    gap="""
        def gradients(node, grad, F, unpack):
            found = []
            for i, edge in enumerate(node.edges):
                ...
            return found
    """,
    solution=parts.GRADIENTS,
    setup=parts.before("own_gradients"),
    points=_to_walk,
    run=_walked,
    verify=_chains_agree,
    parts={
        "gradients": {"en": "where 10 arrives at y, the gradients", "zh": "10 到达 y 时，各梯度为"},
        "leaf": {"en": "where 10 arrives at y, w's gradient", "zh": "10 到达 y 时，w 的梯度为"},
    },
    hints=[
        {
            "en": "`slope_of(node, i)` is a function. `arguments(node, i, unpack)` is a dict of what it asks for.",
            "zh": "`slope_of(node, i)` 是一个函数。`arguments(node, i, unpack)` 是一个字典，装着它要的东西。",
        },
        {
            "en": "Look at a row of the table: `mul`'s slope is `lambda F, grad, other: grad * other`. Is upstream "
            "multiplied there already?",
            "zh": "看看表里的一行：`mul` 的斜率是 `lambda F, grad, other: grad * other`。上游在那里乘过了吗？",
        },
        {
            "en": "`found.append(slope_of(node, i)(F, grad, **arguments(node, i, unpack)))`, and `found.append(None)` "
            "where the edge is None.",
            "zh": "`found.append(slope_of(node, i)(F, grad, **arguments(node, i, unpack)))`；边是 None 的地方 "
            "`found.append(None)`。",
        },
    ],
    wrong=[
        wrong(
            "own_gradients",
            "slope(F, grad, **arguments(node, i, unpack))",
            "grad * slope(F, grad, **arguments(node, i, unpack))",
            "Upstream is in there twice. A slope of the table multiplies it itself: `grad * other`.",
            "上游乘了两次。表里的斜率自己会乘：`grad * other`。",
        ),
        Wrong(
            TWICE_TO_ALL,
            {
                "en": "Upstream is in there twice: a slope of the table multiplies it itself, `grad * other`. And "
                "where the edge is None, put None.",
                "zh": "上游乘了两次：表里的斜率自己会乘，`grad * other`。另外，边是 None 的地方放 None。",
            },
        ),
        *(
            wrong(
                "own_gradients",
                "slope(F, grad, ",
                called,
                "A slope is called with `F`, then `grad`, then by name what else it asks for, as the table shows: "
                "`lambda F, grad, other`.",
                "调用斜率时先给 `F`，再给 `grad`，然后按名字给出它要的其余东西，"
                "就像表里那样：`lambda F, grad, other`。",
            )
            for called in ("slope(grad, ", "slope(", "slope(grad, F, ")
        ),
        wrong(
            "own_gradients",
            "slope(F, grad,",
            "slope(F, np.ones_like(grad),",
            "That is the slope alone. What arrived?",
            "这只是斜率。到来的是什么？",
        ),
        wrong(
            "own_gradients",
            "found.append(None)",
            "continue",
            "The list is shorter than the edges: which gradient belongs to which edge? Put None in between.",
            "列表比边少：哪个梯度属于哪条边？中间要放 None。",
        ),
        wrong(
            "own_gradients",
            "if edge is None:",
            "if False:",
            "Nobody wants this gradient: where the edge is None, put None, and compute nothing.",
            "没有人要这个梯度：边是 None 的地方放 None，什么也不用算。",
        ),
        wrong(
            "own_gradients",
            "found.append(None)",
            "found.append(0 * grad)",
            "Zeros are a gradient, too. Where there is no edge there is none: None.",
            "零也是梯度。没有边就没有梯度：None。",
        ),
        wrong(
            "own_gradients",
            "slope_of(node, i)",
            "slope_of(node, 0)",
            "That is the first input's slope for every input. Each has its own: `slope_of(node, i)`.",
            "这是给每个输入都用第一个输入的斜率。各有各的：`slope_of(node, i)`。",
        ),
        wrong(
            "own_gradients",
            "        else:\n            slope = slope_of(node, i)\n            found.append(slope(F, grad, "
            "**arguments(node, i, unpack)))\n    return found",
            "        else:\n            slope = slope_of(node, i)\n            found.append(slope(F, grad, "
            "**arguments(node, i, unpack)))\n        return found",
            "It ends after the first input. Is `return` inside the loop?",
            "第一个输入之后就结束了。`return` 是不是写在循环里了？",
        ),
        wrong(
            "own_gradients",
            "slope(F, grad, **arguments(node, i, unpack))",
            "grad",
            "What arrived is handed on as it is. And the operator's slope?",
            "到来的被原样交了出去。算子的斜率呢？",
        ),
        wrong(
            "own_gradients",
            "**arguments(",
            "arguments(",
            "The slope was handed a whole dict. `**` before it hands its entries over by name.",
            "交给斜率的是整个字典。前面加上 `**`，才会把各项按名字交出去。",
        ),
        wrong(
            "own_gradients",
            "slope(F, grad, **arguments(node, i, unpack))",
            "slope(F, grad)",
            "A slope asks for more by name: `arguments` knows it. `**` hands a dict over as named arguments.",
            "斜率还要按名字索取别的东西：`arguments` 知道是什么。`**` 把字典作为具名参数交出去。",
        ),
    ],
    because={
        "en": "Upstream times slope, for every row of the table, and none of them was written for your engine.",
        "zh": "上游乘斜率，对表里每一行都成立，而没有一行是专为你的引擎写的。",
    },
)

# -- 4: run ---------------------------------------------------------------------------------------

LATE = Graph("a = w * w\nb = a.tanh()\nc = b * 3\ny = a * c", "a = w * w; b = a.tanh(); y = a * (b * 3)", w=[0.5])


SHARING = Graph("a = w * 2\nb = x * 5\nd = a * 3\ny = (a + b) + d", w=[3.0], x=[8.0])


def _to_run(torch: Any, random: Any) -> Any:
    yield (FACTORS,)
    yield (TWICE,)
    yield (FROZEN,)
    yield (LATE,)
    yield (SHARING,)
    yield (sixty(),)
    yield from ((each,) for each in several(random))
    yield (Graph("y = w", w=[3.0]),)


def _ran(given: Any, torch: Any, graph: Graph) -> Any:
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


def _backwards_agree(given: Any, torch: Any, random: Any) -> Any:
    for graph in several(random):
        y, leaves = in_minigrad(graph)
        if y.requires_grad:
            y.backward(importlib.import_module("minigrad").ones_like(y))
            ours = _ran(given, torch, graph)["gradients"]
            for name, leaf in leaves.items():
                if leaf.grad is not None and not np.allclose(ours[name], leaf.grad.numpy()):
                    return DIFFERS
    return None


RUN_HEAD = """
def run(edge, grad, form):
    waiting, leaves = {}, {}

    def arrive(edge, g):
        if g.shape != edge.shape:
            g = fit(form.F, g, edge.shape)
"""

own_run = function(
    "own_run",
    task={
        "en": "Write `run`: what arrives at a node or a leaf adds up there; a node runs once, when everything has "
        "arrived.",
        "zh": "写出 `run`：到达一个节点或叶子的都在那里相加；一个节点只运行一次，等全部到齐才运行。",
    },
    gap="""
        def run(edge, grad, form):
            waiting, leaves = {}, {}

            def arrive(edge, g):
                if g.shape != edge.shape:
                    g = fit(form.F, g, edge.shape)
                ...

            arrive(edge, grad)
            while waiting:
                ...
            arrive_leaves(leaves, form)
    """,
    solution=parts.RUN,
    setup=parts.before("own_run"),
    points=_to_run,
    run=_ran,
    tell=inside,
    verify=_backwards_agree,
    parts={
        "gradients": {"en": "the gradients", "zh": "梯度"},
        "often": {"en": "that no node runs more often than", "zh": "每个节点最多运行的次数"},
    },
    hints=[
        {
            "en": "Which of the waiting nodes is safe to run? Whoever sends it a gradient was made after it, and has a "
            "higher number.",
            "zh": "等着的节点里哪一个可以放心运行？给它送梯度的都在它之后造出，号码更大。",
        },
        {
            "en": "`node = max(waiting, key=lambda node: node._number)`, then `grad = waiting.pop(node)`.",
            "zh": "`node = max(waiting, key=lambda node: node._number)`，然后 `grad = waiting.pop(node)`。",
        },
        {
            "en": "arrive: `sums = waiting if isinstance(edge, Node) else leaves`; there `sums[edge]` grows by g, or "
            "begins with it. And each gradient of the node arrives at its edge.",
            "zh": "arrive：`sums = waiting if isinstance(edge, Node) else leaves`；那里的 `sums[edge]` 加上 g，"
            "或者从 g 开始。节点的每个梯度都到达它的边。",
        },
    ],
    wrong=[
        Wrong(
            """
def run(edge, grad, form):
    if not isinstance(edge, Node):
        before = edge._grad
        edge._grad = Tensor(grad if before is None else before._data + grad)
        return
    found = gradients(edge, grad, form.F, form.unpack)
    for to, g in zip(edge.edges, found):
        if to is not None:
            run(to, g, form)
""",
            {
                "en": "Does it walk every path? Sixty doublings have 2 · 2 · 2 … of them. How often does each node "
                "have to run? Or does one that has run still stand in `waiting`? `pop` takes it out.",
                "zh": "它是不是走遍每一条路径？六十次翻倍有 2 · 2 · 2 …… 条。每个节点需要运行几次？"
                "还是运行过的仍留在 `waiting` 里？`pop` 会把它取出来。",
            },
            endless=True,
        ),
        wrong(
            "own_run",
            "sums[edge] = sums[edge] + g if edge in sums else g",
            "sums[edge] = g",
            "What had arrived before is gone: the last one wins. Paths add up.",
            "先前到来的不见了：只剩最后一个。路径要相加。",
        ),
        wrong(
            "own_run",
            "        sums[edge] = sums[edge] + g if edge in sums else g\n",
            "        if edge in sums:\n            sums[edge] += g\n        else:\n            sums[edge] = g\n",
            "`+=` changes an array in its place, and somebody else may hold it: `+` hands the same array to both of "
            "its inputs. Write the sum out, `… = … + g`: that makes a new one.",
            "`+=` 就地改动数组，而别处可能也拿着它：`+` 把同一个数组交给它的两个输入。"
            "把和写全，`… = … + g`：这样会造一个新的。",
        ),
        wrong(
            "own_run",
            "sums[edge] = sums[edge] + g if edge in sums else g",
            "sums.setdefault(edge, g)",
            "Only what arrives first is kept. Paths add up.",
            "只留下了最先到来的。路径要相加。",
        ),
        wrong(
            "own_run",
            "max(waiting, key=lambda node: node._number)",
            "next(iter(waiting))",
            "The sums are right, but a node ran before everything had arrived, and once more for the rest. On a "
            "longer graph that doubles and doubles. Who may run first?",
            "和是对的，但有个节点没等到齐就运行了，剩下的来了又运行一次。图一长，次数就成倍地涨。谁可以先运行？",
        ),
        wrong(
            "own_run",
            "max(waiting, key=lambda node: node._number)",
            "list(waiting)[-1]",
            "The sums are right, but a node ran before everything had arrived, and once more for the rest. Who came "
            "last need not be safe to run: look at the numbers.",
            "和是对的，但有个节点没等到齐就运行了，剩下的来了又运行一次。最后到的未必可以放心运行：看看号码。",
        ),
        wrong(
            "own_run",
            "max(waiting",
            "min(waiting",
            "The lowest number was made first. Much of what it is sent is still to come: it runs again and again.",
            "号码最小的是最先造出的。要送给它的大多还没到：它会一再运行。",
        ),
        Wrong(
            RUN_HEAD
            + """
        if edge in seen:
            return
        seen.add(edge)
        (waiting if isinstance(edge, Node) else leaves)[edge] = g

    seen = set()
    arrive(edge, grad)
    while waiting:
        node = next(iter(waiting))
        grad = waiting.pop(node)
        for to, g in zip(node.edges, gradients(node, grad, form.F, form.unpack)):
            if to is not None:
                arrive(to, g)
    arrive_leaves(leaves, form)
""",
            {
                "en": "Each edge is followed once, and what comes later to the same place is thrown away. It has to be "
                "added.",
                "zh": "每个地方只去一次，后来的都丢掉了。后来的要加上去。",
            },
        ),
        wrong(
            "own_run",
            "            if to is not None:\n                arrive(to, g)",
            "            arrive(to, g)",
            "An edge that is None leads nowhere: nothing arrives there.",
            "为 None 的边哪里也不通：那里什么也不会到达。",
        ),
        wrong(
            "own_run",
            "arrive(to, g)",
            "arrive(to, grad)",
            "Each input was sent the gradient of the output. What has `gradients` found for it?",
            "送给每个输入的是输出的梯度。`gradients` 为它求出的是什么？",
        ),
        wrong(
            "own_run",
            "    arrive_leaves(leaves, form)\n",
            "",
            "The sums are in `leaves`, and no leaf has been told: `arrive_leaves(leaves, form)`.",
            "和都在 `leaves` 里，却没有告诉任何叶子：`arrive_leaves(leaves, form)`。",
        ),
        wrong(
            "own_run",
            "        sums = waiting if isinstance(edge, Node) else leaves\n",
            "        sums = waiting\n",
            "A leaf has come among the nodes that wait. It has no edges: its place is in `leaves`.",
            "叶子混进了等待的节点里。它没有边：它该放在 `leaves` 里。",
        ),
    ],
    because={
        "en": "Sixty doublings have 2 to the 60 paths, and sixty nodes. Each ran once.",
        "zh": "六十次翻倍有 2 的 60 次方条路径，却只有六十个节点。每个只运行了一次。",
    },
)

# -- 5: fit ---------------------------------------------------------------------------------------


def _to_fit(torch: Any, random: Any) -> Any:
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (3,)
    yield np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]), (2, 1)
    yield np.array([1.0, 2.0, 4.0]), ()
    for sizes, shape in (((3, 3), (3,)), ((4, 2, 3), (1, 3)), ((5, 2, 3), (2, 1)), ((2, 1, 3), (1, 1))):
        yield random.normal(size=sizes), shape


def _fitted(given: Any, torch: Any, grad: Any, shape: tuple[int, ...]) -> Any:
    names = given.__globals__

    class OnTensors:
        def __getattr__(self, name: str) -> Any:
            return lambda *inputs, **params: names["call"](names["TABLE"][name], inputs, params)

    plain = given(names["RAW"].F, grad, shape)
    with plugged(given, fit=given):
        return {"sum": plain, "tensor": numbers(given(OnTensors(), names["Tensor"](grad), shape))}


def _shapes_agree(given: Any, torch: Any, random: Any) -> Any:
    with plugged(given, fit=given) as names:
        for graph in several(random, count=6, shapes=BROADCAST):
            y, leaves = in_minigrad(graph)
            if y.requires_grad:
                y.sum().backward()
                own, ours = graph.on(names["Tensor"])
                own.sum().backward()
                for name, leaf in leaves.items():
                    if leaf.grad is not None and not np.allclose(ours[name].grad._data, leaf.grad.numpy()):
                        return DIFFERS
    return None


NUMPYS = """
def fit(F, grad, shape):
    lead = len(grad.shape) - len(shape)
    dims = tuple(range(lead)) + tuple(lead + d for d, size in enumerate(shape) if size == 1)
    return np.sum(grad, axis=dims, keepdims=True).reshape(shape)
"""
USE_F = {
    "en": "Right for arrays. But in step 7 gradients are Tensors, and NumPy does not know these: `F.sum_dim` and "
    "`F.reshape_to` work on both.",
    "zh": "对数组是对的。但第 7 步里梯度是 Tensor，NumPy 不认识：`F.sum_dim` 和 `F.reshape_to` 两种都能用。",
}

LEADING = "def fit(F, grad, shape):\n    lead = len(grad.shape) - len(shape)\n    dims = tuple(range(lead))\n"
SUMMED = """
def fit(F, grad, shape):
    lead = len(grad.shape) - len(shape)
    dims = tuple(range(lead)) + tuple(lead + d for d, size in enumerate(shape) if size == 1)
    return """
NAMED_OTHERWISE = (
    "F.reshape(grad, shape)",
    "F.sum(grad, axis=dims)",
    "F.sum(grad, dim=dims)",
    "F.sum(grad, dims)",
    "F.sum(grad, dim=dims, keepdim=True)",
    "F.sum_dim(grad, axis=dims)",
    "F.sum_dim(grad, dims)",
    "F.sum_dim(grad, dims, True)",
    "F.sum_dim(grad, dim=dims, keepdims=True)",
    "F.reshape_to(F.sum_dim(grad, dim=dims, keepdim=True), shape)",
    "F.reshape_to(F.sum_dim(grad, dim=dims, keepdim=True), shape=shape)",
    "F.sum_dim(grad, dim=dims, keepdim=True).reshape(shape)",
)

own_fit = function(
    "own_fit",
    task={
        "en": "Write `fit`: sum a gradient back to `shape`. Use `F.sum_dim(grad, dim=(0,), keepdim=True)` and "
        "`F.reshape_to(grad, size=shape)`.",
        "zh": "写出 `fit`：把梯度加回到 `shape`。用 `F.sum_dim(grad, dim=(0,), keepdim=True)` 和 "
        "`F.reshape_to(grad, size=shape)`。",
    },
    gap="""
        def fit(F, grad, shape):
            lead = len(grad.shape) - len(shape)
            dims = ...
            ...
    """,
    solution=parts.FIT,
    setup=parts.before("own_fit") + parts.RUN,
    points=_to_fit,
    run=_fitted,
    verify=_shapes_agree,
    parts={
        "sum": {"en": "the gradient", "zh": "梯度"},
        "tensor": {"en": "with a Tensor for the gradient", "zh": "梯度是 Tensor 时"},
    },
    hints=[
        {
            "en": "Shapes are aligned at their right ends. How many axes does the gradient have in front that `shape` "
            "has not? That is `lead`.",
            "zh": "形状在右端对齐。梯度前面比 `shape` 多出几条轴？那就是 `lead`。",
        },
        {
            "en": "Two kinds of axes are summed: the first `lead` ones, and those where `shape` says 1.",
            "zh": "有两种轴要求和：前 `lead` 条，以及 `shape` 里写着 1 的那些。",
        },
        {
            "en": "Axis d of `shape` is axis `lead + d` of the gradient. Sum over the tuple of all of them, if there "
            "are any, with `keepdim=True`, then `F.reshape_to(grad, size=shape)`.",
            "zh": "`shape` 的第 d 条轴是梯度的第 `lead + d` 条轴。若有这样的轴，用 `keepdim=True` 对它们的元组求和，"
            "然后 `F.reshape_to(grad, size=shape)`。",
        },
    ],
    wrong=[
        Wrong(
            "def fit(F, grad, shape):\n    return grad",
            {
                "en": "It comes back as it was. Its shape is that of the result, not of the tensor that it belongs to.",
                "zh": "原样回来了。它的形状是结果的形状，不是它所属张量的形状。",
            },
        ),
        wrong(
            "own_fit",
            "        if size == 1:\n            dims.append(lead + d)\n",
            "        pass\n",
            "The axes in front are summed. But a size of 1 may have been spread out, too.",
            "前面的轴求和了。但大小为 1 的轴也可能被展开过。",
        ),
        Wrong(
            LEADING + "    return F.sum_dim(grad, dim=dims, keepdim=False)",
            {
                "en": "The axes in front are summed, and only these. But a size of 1 may have been spread out, too.",
                "zh": "只对前面的轴求了和。但大小为 1 的轴也可能被展开过。",
            },
        ),
        Wrong(
            LEADING + "    return F.sum_dim(grad, dim=dims, keepdim=True)",
            {
                "en": "The axes in front are summed, and left over with size 1: `F.reshape_to` takes them off. And a "
                "size of 1 in `shape` may have been spread out, too.",
                "zh": "前面的轴求和了，却留着大小 1：`F.reshape_to` 会去掉它们。"
                "另外，`shape` 里大小为 1 的轴也可能被展开过。",
            },
        ),
        Wrong(NUMPYS, USE_F, uses="reshape"),
        Wrong(NUMPYS.replace("np.sum(grad, ", "grad.sum("), USE_F, uses="reshape"),
        *(
            Wrong(
                SUMMED + called,
                {
                    "en": "The names are these: `F.sum_dim(grad, dim=…, keepdim=True)` and "
                    "`F.reshape_to(grad, size=…)`. `F` takes parameters by name.",
                    "zh": "名字是这样的：`F.sum_dim(grad, dim=…, keepdim=True)` 和 `F.reshape_to(grad, size=…)`。"
                    "`F` 的参数要写出名字。",
                },
            )
            for called in NAMED_OTHERWISE
        ),
        wrong(
            "own_fit",
            "dims = list(range(lead))",
            "dims = []",
            "Axes that broadcasting put in front have to go, too.",
            "广播在前面添上的轴也要消去。",
        ),
        wrong(
            "own_fit",
            "lead + d",
            "d",
            "Axis d of `shape` is not axis d of the gradient: shapes are aligned at their right ends.",
            "`shape` 的第 d 条轴不是梯度的第 d 条轴：形状在右端对齐。",
        ),
        wrong(
            "own_fit",
            "    return F.reshape_to(grad, size=shape)",
            "    return grad",
            "The sums are right, but axes of size 1 are left over in front: `F.reshape_to`.",
            "和是对的，但前面还留着大小为 1 的轴：`F.reshape_to`。",
        ),
        wrong(
            "own_fit",
            "keepdim=True)\n    return F.reshape_to(grad, size=shape)",
            "keepdim=False)\n    return grad",
            "The sums are right, but an axis of size 1 has gone: `keepdim=True`, and then `F.reshape_to`.",
            "和是对的，但大小为 1 的轴没有了：用 `keepdim=True`，然后 `F.reshape_to`。",
        ),
        wrong(
            "own_fit",
            "F.sum_dim(",
            "F.mean_dim(",
            "That is the mean. Each copy has its own share, and paths add up.",
            "这是平均。每一份拷贝都有自己的贡献，而路径要相加。",
        ),
        Wrong(
            "def fit(F, grad, shape):\n    if grad.shape == shape:\n        return grad\n"
            "    return F.reshape_to(F.sum(grad), size=(1,) * len(shape))",
            {
                "en": "Everything was summed up into one number. Only what was spread out is to be summed.",
                "zh": "全都加成了一个数。只有被展开的才要求和。",
            },
        ),
        Wrong(
            "def fit(F, grad, shape):\n    while len(grad.shape) > len(shape):\n        grad = grad[0]\n"
            "    return grad",
            {
                "en": "`grad[0]` is the first copy's gradient. What of the others? They add up.",
                "zh": "`grad[0]` 是第一份拷贝的梯度。其余的呢？要相加。",
            },
        ),
        wrong(
            "own_fit",
            "grad = F.sum_dim",
            "F.sum_dim",
            "`F.sum_dim` gives a new one, and nobody has taken it: `grad = F.sum_dim(…)`.",
            "`F.sum_dim` 给出一个新的，却没有人接住：`grad = F.sum_dim(…)`。",
            uses="sum_dim",
        ),
        Wrong(
            "def fit(F, grad, shape):\n    return F.reshape_to(grad, size=shape)",
            {
                "en": "Reshaping keeps all numbers, and there are too many of them. Sum first.",
                "zh": "reshape 会保留所有的数，而数太多了。先求和。",
            },
        ),
        wrong(
            "own_fit",
            "dim=tuple(dims)",
            "dim=dims",
            "`dim` wants a tuple: `tuple(dims)`.",
            "`dim` 要的是元组：`tuple(dims)`。",
        ),
    ],
    because={
        "en": "One function serves every operator: no slope in the table knows of broadcasting.",
        "zh": "一个函数服务所有算子：表里没有一个斜率知道广播。",
    },
)

# -- 6: leaves, and no_grad -----------------------------------------------------------------------

SUM = Graph("y = a + b", a=[3.0, 1.0], b=[8.0, 2.0])


def _to_add(torch: Any, random: Any) -> Any:
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 1
    yield Graph("y = a * b", a=[3.0], b=[8.0]), 2
    yield SUM, 2
    yield SUM, 3
    yield drawn_by_chance(random), 2


def _added(given: Any, torch: Any, graph: Graph, times: int) -> Any:
    with plugged(given, arrive_leaves=given, run=None) as names:
        exec(parts.RUN, names)  # the reader's may hand out new arrays each time, as `0 + g`, and so hide what is shared
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


COPIES = parts.SHARED.replace("form.wrap(grad)", "form.wrap(grad.copy())")

own_leaves = function(
    "own_leaves",
    task={
        "en": "Mend `arrive_leaves`: after two passes both leaves of y = a + b should have 2. Wrap what arrives, "
        "then let `+` do the work: so it serves the Tensors of step 7, too.",
        "zh": "改好 `arrive_leaves`：两趟之后 y = a + b 的两个叶子都应得到 2。"
        "先包装到来的梯度，再让 `+` 来做：这样也适用于第 7 步的 Tensor。",
    },
    gap=parts.SHARED,
    silent=True,
    solution=parts.LEAVES,
    setup=parts.before("own_leaves"),
    points=_to_add,
    run=_added,
    tell=inside,
    parts={
        "gradients": {"en": "where 1, 2 … arrive one after the other, the gradients", "zh": "依次到来 1、2……时，梯度"},
        "tensor": {"en": "the sum of two Tensors", "zh": "两个 Tensor 的和为"},
        "recorded": {"en": "that the sum of two Tensors is recorded:", "zh": "两个 Tensor 的求和被记录："},
    },
    hints=[
        {
            "en": "`add`'s two slopes both return `grad`. Are these two arrays, or one with two names?",
            "zh": "`add` 的两个斜率都返回 `grad`。这是两个数组，还是一个数组有两个名字？",
        },
        {
            "en": "`+=` changes the array in its place. `before + grad` makes a new one.",
            "zh": "`+=` 就地改动数组。`before + grad` 造出一个新的。",
        },
        {
            "en": "`leaf._grad = leaf._grad + form.wrap(grad)`",
            "zh": "`leaf._grad = leaf._grad + form.wrap(grad)`",
        },
    ],
    wrong=[
        wrong(
            "own_leaves",
            "leaf._grad = leaf._grad + grad",
            "leaf._grad = grad",
            "The second pass replaces what the first has brought. `.grad` adds up until somebody sets it back.",
            "第二趟把第一趟带来的换掉了。`.grad` 会一直累加，直到有人把它清掉。",
        ),
        wrong(
            "own_leaves",
            "leaf._grad = leaf._grad + grad",
            "leaf._grad + grad",
            "The sum is made, and nobody has taken it.",
            "和算出来了，却没有人接住。",
        ),
        Wrong(
            COPIES,
            {
                "en": "A copy cures it for arrays. In step 7 gradients are Tensors: they have no `copy`, and their sum "
                "has to be recorded. `+` does both.",
                "zh": "对数组来说，拷贝治好了它。第 7 步里梯度是 Tensor：没有 `copy`，"
                "而且求和也要被记录。`+` 两样都做到。",
            },
        ),
        Wrong(
            parts.SHARED.replace(
                "leaf._grad = form.wrap(grad)", "leaf._grad = form.wrap(0 * grad)\n            leaf._grad._data += grad"
            ),
            {
                "en": "No array grows along now. But a Tensor's sum has to be recorded in step 7, and `+=` on an array "
                "is not: use `+` on Tensors.",
                "zh": "现在没有共用的数组了。但第 7 步里 Tensor 的求和要被记录，"
                "而对数组用 `+=` 不会：对 Tensor 用 `+`。",
            },
        ),
        Wrong(
            parts.SHARED.replace("leaf._grad._data += grad", "leaf._grad._data = leaf._grad._data + grad"),
            {
                "en": "No array grows along now. But in step 7 `grad` is a Tensor, and its sum has to be recorded: add "
                "the Tensors, not their arrays.",
                "zh": "现在没有共用的数组了。但第 7 步里 `grad` 是 Tensor，求和要被记录："
                "把 Tensor 相加，而不是它们的数组。",
            },
        ),
        Wrong(
            parts.SHARED.replace("leaf._grad._data += grad", "leaf._grad = form.wrap(leaf._grad._data + grad)"),
            {
                "en": "The numbers are right. But in step 7 the sum has to be recorded, and `._data` leaves the "
                "history of what was there behind: add the Tensors themselves.",
                "zh": "数值对了。但第 7 步里求和要被记录，而 `._data` 丢下了原来那个的历史：把 Tensor 本身相加。",
            },
        ),
        *(
            Wrong(
                parts.SHARED.replace("leaf._grad._data += grad", f"leaf._grad = {wrap}(leaf._grad + grad)"),
                {
                    "en": "A Tensor and an array make a Tensor, so the sum is one before it is wrapped. Wrap `grad`, "
                    "then add.",
                    "zh": "Tensor 加数组得到 Tensor，所以和在包装之前就已经是 Tensor。先包装 `grad`，再相加。",
                },
            )
            for wrap in ("form.wrap", "Tensor")
        ),
    ],
    because={
        "en": "A new Tensor for each sum: nobody else's array grows along.",
        "zh": "每次求和都得到新的 Tensor：别人的数组不会跟着变大。",
    },
)


class OnPurpose(Exception):
    """Raised inside a block, to see what is left behind."""


def _to_leave(torch: Any, random: Any) -> Any:
    for ends in ("well", "with an error", "inside another no_grad"):
        yield (ends,)


def _left(given: Any, torch: Any, ends: str) -> Any:
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


OFF = "    modes.recording = False\n"

own_no_grad = function(
    "own_no_grad",
    task={
        "en": "Write `no_grad`, a generator: it turns `modes.recording` off, yields once, and puts back what was "
        "there before, also after an error.",
        "zh": "写出生成器 `no_grad`：关掉 `modes.recording`，yield 一次，再恢复成之前的样子，出错时也一样。",
    },
    gap="""
        def no_grad():
            ...
            yield
            ...
    """,
    solution=parts.NO_GRAD,
    setup=parts.before("own_no_grad"),
    points=_to_leave,
    run=_left,
    parts={
        "inside": {"en": "`modes.recording` inside to be", "zh": "块内 `modes.recording`"},
        "after": {"en": "`modes.recording` afterwards to be", "zh": "之后 `modes.recording`"},
        "error": {"en": "that the error comes out:", "zh": "错误传到外面："},
    },
    hints=[
        {
            "en": "The block under `with` runs where `yield` stands. What if it raises there?",
            "zh": "`with` 下面的代码块在 `yield` 处运行。它在那里抛出错误会怎样？",
        },
        {
            "en": "`try: … finally: …`: what stands under `finally` is done in any case.",
            "zh": "`try: … finally: …`：`finally` 下面的无论如何都会执行。",
        },
        {
            "en": "First `before = modes.recording`. Then False; `try: yield`; `finally: modes.recording = before`.",
            "zh": "先 `before = modes.recording`，再设为 False；`try: yield`；`finally: modes.recording = before`。",
        },
    ],
    wrong=[
        Wrong(
            "def no_grad():\n    before = modes.recording\n" + OFF + "    yield\n    modes.recording = before",
            {
                "en": "After an error it stays off, and every graph from then on is missing. What is done in any case?",
                "zh": "出错之后它一直关着，从此所有的图都没有了。什么东西无论如何都会执行？",
            },
        ),
        Wrong(
            "def no_grad():\n" + OFF + "    try:\n        yield\n    finally:\n        modes.recording = True",
            {
                "en": "Inside another `no_grad` it must stay off afterwards: put back what was there, whatever it was.",
                "zh": "在另一个 `no_grad` 里面，之后仍须关着：恢复成原来的样子，不管原来是什么。",
            },
        ),
        Wrong(
            "def no_grad():\n" + OFF + "    yield\n    modes.recording = True",
            {
                "en": "Two things: after an error nobody turns it on again; and inside another `no_grad` it was off "
                "before.",
                "zh": "两件事：出错之后没有人再打开它；而在另一个 `no_grad` 里，它之前就是关着的。",
            },
        ),
        Wrong(
            "def no_grad():\n    before = modes.recording\n" + OFF + "    try:\n        yield\n    except Exception:\n"
            "        pass\n    modes.recording = before",
            {
                "en": "The error is swallowed: nobody outside hears of it. `finally` lets it pass.",
                "zh": "错误被吞掉了：外面谁也不知道。`finally` 会让它传出去。",
            },
        ),
        Wrong(
            "def no_grad():\n    before = modes.recording\n    try:\n        yield\n    finally:\n"
            "        modes.recording = before",
            {
                "en": "It is put back, but who turned it off? What the engine reads is `modes.recording`, no name of "
                "your own.",
                "zh": "恢复是恢复了，可是谁把它关掉的？引擎读的是 `modes.recording`，不是你自己的名字。",
            },
        ),
        Wrong(
            "from contextlib import contextmanager\n\n\n@contextmanager" + parts.NO_GRAD,
            {
                "en": "Leave `@contextmanager` out: the next cell puts it around your function.",
                "zh": "去掉 `@contextmanager`：下一个单元会把它套在你的函数外面。",
            },
        ),
        Wrong(
            "def no_grad():\n" + OFF + "    yield",
            {
                "en": "It is never turned on again.",
                "zh": "它再也没有打开。",
            },
        ),
        Wrong(
            "def no_grad():\n    before = modes.recording\n" + OFF + "    try:\n        return\n    finally:\n"
            "        modes.recording = before",
            {
                "en": "There is no `yield` in it: where should the block under `with` run?",
                "zh": "里面没有 `yield`：`with` 下面的代码块该在哪里运行？",
            },
        ),
    ],
    because={
        "en": "Off inside, and afterwards as it was before, whatever happens.",
        "zh": "块内关着；之后和之前一样，不管发生什么。",
    },
)

# -- 7: backward ----------------------------------------------------------------------------------


def _to_derive(torch: Any, random: Any) -> Any:
    yield (Graph("y = w ** 3", w=3.0),)
    yield (Graph("y = w ** 3 * x", w=[2.0], x=[5.0]),)
    yield (Graph("y = (w * x).tanh() + b", w=[[0.5], [1.0]], x=[0.25, 2.0, 1.0], b=[0.0, 1.0, 2.0]),)
    yield from ((each,) for each in several(random))


def _derived(given: Any, torch: Any, graph: Graph) -> Any:
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
    """The sum of all gradients' squares; the leaves' `.grad` are empty again."""
    total: Any = None
    for leaf in leaves.values():
        if leaf.grad is not None:
            total = (leaf.grad * leaf.grad).sum() if total is None else (leaf.grad * leaf.grad).sum() + total
            leaf._grad = None
    return total


def _second_agree(given: Any, torch: Any, random: Any) -> Any:
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
        for name, leaf in leaves.items():
            if leaf.grad is not None and not np.allclose(numbers(ours[name].grad), leaf.grad.numpy()):
                return DIFFERS
    return None


own_backward = function(
    "own_backward",
    task={
        "en": "Write `Recorded`, the table's operators on Tensors, and `backward`, which runs in that form if "
        "`create_graph` is true, and in the form `RAW` otherwise.",
        "zh": "写出 `Recorded`（作用于 Tensor 的各算子）和 `backward`："
        "`create_graph` 为真时用那种形式运行，否则用 `RAW`。",
    },
    gap="""
        class Recorded:
            def __getattr__(self, name):
                def function(*inputs, **params):
                    ...

                return function


        def backward(tensor, gradient=None, create_graph=False):
            if gradient is None:
                gradient = Tensor(np.ones_like(tensor._data))
            ...
            run(tensor._fn or tensor, gradient, form)
    """,
    solution=parts.BACKWARD,
    setup=parts.before("own_backward"),
    points=_to_derive,
    run=_derived,
    tell=inside,
    verify=_second_agree,
    parts={
        "plain": {"en": "the gradients", "zh": "梯度"},
        "kept": {"en": "that after a plain pass a gradient requires grad:", "zh": "普通一趟之后梯度是否需要梯度："},
        "given": {"en": "with a gradient of 2, the gradients", "zh": "给出梯度 2 时，梯度"},
        "first": {"en": "with `create_graph=True`, the gradients", "zh": "用 `create_graph=True` 时，梯度"},
        "second": {
            "en": "of the sum of these gradients' squares, the gradients",
            "zh": "这些梯度的平方和的梯度",
        },
    },
    hints=[
        {
            "en": "`F.exp(x)` on Tensors is nothing but `call(TABLE['exp'], (x,), {})`.",
            "zh": "对 Tensor 来说 `F.exp(x)` 无非是 `call(TABLE['exp'], (x,), {})`。",
        },
        {
            "en": "A Form has three parts: F, unpack, wrap. If gradients and saved values are Tensors already, what do "
            "the last two have to do? Nothing.",
            "zh": "Form 有三部分：F、unpack、wrap。如果梯度和保存的值本来就是 Tensor，后两个要做什么？什么也不做。",
        },
        {
            "en": "`form = Form(Recorded(), lambda saved: saved, lambda grad: grad)`; else `form = RAW`, and the "
            "gradient is an array: `gradient._data`.",
            "zh": "`form = Form(Recorded(), lambda saved: saved, lambda grad: grad)`；否则 `form = RAW`，"
            "梯度是数组：`gradient._data`。",
        },
    ],
    wrong=[
        wrong(
            "own_backward",
            "            return call(TABLE[name], inputs, params)",
            "            return Tensor(TABLE[name].value(np, *[x._data for x in inputs], **params))",
            "That computes, and records nothing: those who come through here have no graph. `call` records.",
            "这样只计算，不记录：从这里经过的都没有图。`call` 会记录。",
        ),
        wrong(
            "own_backward",
            "lambda grad: grad)",
            "lambda grad: Tensor(grad._data))",
            "The leaf gets a new Tensor around the numbers: the graph behind the gradient stays outside.",
            "叶子得到的是套在数值外面的新 Tensor：梯度背后的图没有跟进来。",
            uses="Recorded",
        ),
        wrong(
            "own_backward",
            "lambda saved: saved",
            "lambda saved: saved._data",
            "The first gradients are right. But what was saved came out as arrays, without history: so the gradient "
            "does not know that it depends on w.",
            "一阶梯度对了。但保存的值取出来成了数组，没有历史：于是梯度不知道自己依赖 w。",
        ),
        wrong(
            "own_backward",
            "        form = Form(Recorded(), lambda saved: saved, lambda grad: grad)\n",
            "        form = RAW\n        gradient = gradient._data\n",
            "`create_graph` makes no difference: these gradients have no graph behind them.",
            "`create_graph` 不起作用：这些梯度背后没有图。",
        ),
        wrong(
            "own_backward",
            "    if create_graph:\n        form = Form(Recorded(), lambda saved: saved, lambda grad: grad)\n    else:\n"
            "        form = RAW\n        gradient = gradient._data\n",
            "    form = Form(Recorded(), lambda saved: saved, lambda grad: grad)\n",
            "Now every pass is recorded, and the graphs grow with each. Without `create_graph` the form is `RAW`.",
            "现在每一趟都被记录，图越来越大。没有 `create_graph` 时形式是 `RAW`。",
        ),
        wrong(
            "own_backward",
            "        form = Form(Recorded(), lambda saved: saved, lambda grad: grad)\n",
            "        form = Form(Recorded(), lambda saved: saved, lambda grad: grad)\n"
            "        gradient = gradient._data\n",
            "In the recorded form the gradient stays a Tensor. Yours was made an array for both forms.",
            "在被记录的形式里梯度仍是 Tensor。你在两种形式里都把它变成了数组。",
        ),
        wrong(
            "own_backward",
            "        form = RAW\n        gradient = gradient._data\n",
            "        form = RAW\n",
            "In the form `RAW` gradients are arrays, and a Tensor was put in: `gradient._data`.",
            "在 `RAW` 形式里梯度是数组，而放进去的是 Tensor：`gradient._data`。",
        ),
        wrong(
            "own_backward",
            "lambda grad: grad)",
            "Tensor)",
            "In this form a gradient is a Tensor already: `wrap` has nothing to do. A Tensor of a Tensor is no good.",
            "在这种形式里梯度本来就是 Tensor：`wrap` 什么也不用做。Tensor 里再套 Tensor 没有用。",
        ),
        wrong(
            "own_backward",
            "            return call(TABLE[name], inputs, params)",
            "            call(TABLE[name], inputs, params)",
            "The inner function calls, and gives nothing back: `return call(…)`.",
            "里面的函数调用了，却什么也没有交回：`return call(…)`。",
        ),
        wrong(
            "own_backward",
            "    if gradient is None:\n        gradient",
            "    gradient",
            "Somebody gave a gradient, and it was thrown away for ones.",
            "有人给出了梯度，却被换成了 1。",
        ),
        wrong(
            "own_backward",
            "Form(Recorded(),",
            "Form(Recorded,",
            "`Recorded` is the class. The form needs a table, one that has been made: `Recorded()`, with brackets.",
            "`Recorded` 是类。形式需要的是造出来的一张表：`Recorded()`，带括号。",
        ),
        wrong(
            "own_backward",
            "call(TABLE[name], inputs, params)",
            "call(name, inputs, params)",
            "`call` was handed a name, and needs the row of the table that has this name: `TABLE[name]`.",
            "交给 `call` 的是名字，而它要的是表中叫这个名字的那一行：`TABLE[name]`。",
        ),
        wrong(
            "own_backward",
            "call(TABLE[name], inputs, params)",
            "call(TABLE[name], *inputs, **params)",
            "`call` takes three things: the row, all inputs in one tuple, all parameters in one dict. No stars here.",
            "`call` 接受三样东西：行、装着全部输入的元组、装着全部参数的字典。这里不要星号。",
        ),
        wrong(
            "own_backward",
            "            return call(TABLE[name], inputs, params)",
            "            return call(TABLE[name], inputs, {})",
            "The axes and sizes have got lost: hand `params` over, too.",
            "轴和大小丢了：把 `params` 也交过去。",
        ),
        wrong(
            "own_backward",
            "            return call(TABLE[name], inputs, params)",
            "            return TABLE[name].value(np, *inputs, **params)",
            "`value` is for arrays, and records nothing. `call` is for Tensors.",
            "`value` 是给数组用的，什么也不记录。给 Tensor 用的是 `call`。",
        ),
    ],
    because={
        "en": "27, then 18: the same slopes in another form, and no second rule was written.",
        "zh": "27，然后 18：同样的斜率换一种形式，没有写第二套规则。",
    },
)

# -- before and after -----------------------------------------------------------------------------

PATHS = "w = torch.tensor(1.0, requires_grad=True)\n"
COUNT = """
seen, todo = set(), [y.grad_fn]
while todo:
    node = todo.pop()
    if node is not None and node not in seen:
        seen.add(node)
        todo += [before for before, _ in node.next_functions]
answer = str(sum("Add" in node.name() for node in seen))
"""

probe(
    13,
    "backward walks every path",
    before=Ask(
        ask={
            "en": "There are 1024 paths from y to w. How many times, all in all, does `y.backward()` run a node of a "
            "`+`?",
            "zh": "从 y 到 w 有 1024 条路径。`y.backward()` 总共运行几次 `+` 的节点？",
        },
        code=PATHS + "y = w\nfor _ in range(10):\n    y = y + y\n",
        choices={
            "10": {
                "en": "Each node is run once, when all that reaches it has been added up.",
                "zh": "每个节点等到来的都加完后运行一次。",
            },
            "20": {
                "en": "20 arrows lead through 10 additions. What arrives at one along both arrows is added up first.",
                "zh": "10 次加法之间有 20 条箭头。沿两条箭头到达同一处的先相加。",
            },
            "1024": {
                "en": "With sixty doublings that would take years.",
                "zh": "如果翻倍六十次，那要好多年。",
            },
        },
        right="10",
        proof=COUNT,
    ),
    after=Ask(
        ask={
            "en": "There are 8 paths from y to w. How many times does backward run the node of the first `+`, `a`?",
            "zh": "从 y 到 w 有 8 条路径。backward 会运行第一个 `+`，即 `a` 的节点几次？",
        },
        code=PATHS + "a = w + w\nb = a + a\ny = b + b\n",
        choices={
            "1": {
                "en": "It waits until everything has arrived, and runs once.",
                "zh": "它等全部到齐，运行一次。",
            },
            "4": {
                "en": "Four paths lead from y to a. What comes along them is added up before a runs.",
                "zh": "从 y 到 a 有四条路径。沿它们来的在 a 运行之前先相加。",
            },
            "8": {
                "en": "That is how many paths there are. Is a walked once for each?",
                "zh": "这是路径的条数。每条路径都要走一次 a 吗？",
            },
        },
        right="1",
        proof="calls = []\na.register_hook(lambda grad: calls.append(grad))\ny.backward()\nanswer = str(len(calls))",
    ),
)

probe(
    13,
    "a second derivative needs a second rule",
    before=Ask(
        ask={
            "en": "Somebody's own operator has a forward and a backward, written with `torch` alone: h³, slope 3h². "
            "Can one differentiate twice through it?",
            "zh": "某人自己的算子只有 forward 和 backward，都只用 `torch` 写成：h³，斜率 3h²。能对它求两次导吗？",
        },
        choices={
            "yes": {
                "en": "Backward is itself made of operators, and these have slopes.",
                "zh": "backward 本身由算子组成，而它们有斜率。",
            },
            "no": {
                "en": "What is backward made of? Of operators, which have slopes, too.",
                "zh": "backward 由什么组成？由算子组成，它们也有斜率。",
            },
            "with a second backward": {
                "en": "Nobody has to write it: the slope 3h² is made of operators that have slopes.",
                "zh": "不用有人写：斜率 3h² 由有斜率的算子组成。",
            },
        },
        right="yes",
        labels={
            "yes": {"en": "yes", "zh": "能"},
            "no": {"en": "no", "zh": "不能"},
            "with a second backward": {"en": "only if they write a second backward", "zh": "除非他再写一个 backward"},
        },
        proof="""
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        return h * h * h

    @staticmethod
    def backward(ctx, grad_output):
        (h,) = ctx.saved_tensors
        return grad_output * 3 * h * h

h = torch.tensor(3.0, requires_grad=True)
(first,) = torch.autograd.grad(Cube.apply(h), h, create_graph=True)
(second,) = torch.autograd.grad(first, h)
answer = "yes" if second.item() == 18.0 else "no"
""",
    ),
    after=Ask(
        ask={
            "en": "y = w⁴ at w = 2. The first gradient, made with `create_graph=True`, is 32. `w.grad` is set to None, "
            "and `first.backward()` called. What is `w.grad`?",
            "zh": "y = w⁴，w = 2。用 `create_graph=True` 得到的一阶梯度是 32。把 `w.grad` 设为 None，再调用 "
            "`first.backward()`。`w.grad` 是多少？",
        },
        choices={
            "48": {
                "en": "The gradient is 4w³, and its slope is 12w².",
                "zh": "梯度是 4w³，它的斜率是 12w²。",
            },
            "32": {
                "en": "That is the first one. Whose slope does the second pass compute?",
                "zh": "这是一阶的。第二趟求的是谁的斜率？",
            },
            "None": {
                "en": "The first gradient was recorded, so it knows that it depends on w.",
                "zh": "一阶梯度被记录过，所以它知道自己依赖 w。",
            },
        },
        right="48",
        proof="""
w = torch.tensor(2.0, requires_grad=True)
(first,) = torch.autograd.grad(w**4, w, create_graph=True)
first.backward()
answer = f"{w.grad.item():g}"
""",
    ),
)

probe(
    13,
    "an error leaves no_grad on",
    before=Ask(
        ask={
            "en": "An error ends the block under `no_grad`, and is caught outside. What does the last line print?",
            "zh": "一个错误结束了 `no_grad` 下面的代码块，并在外面被接住。最后一行打印什么？",
        },
        code="""w = torch.tensor(2.0, requires_grad=True)
try:
    with torch.no_grad():
        1 / 0
except ZeroDivisionError:
    pass
y = w * 3
print(y.requires_grad)
""",
        choices={
            "True": {
                "en": "Leaving the block puts back what was before, in whatever way it is left.",
                "zh": "离开代码块时恢复成之前的样子，不管怎样离开。",
            },
            "False": {
                "en": "The block was left, if with an error.",
                "zh": "代码块已经离开了，虽然是因为错误。",
            },
        },
        right="True",
        labels={"True": {"en": "True", "zh": "True（需要）"}, "False": {"en": "False", "zh": "False（不需要）"}},
        proof="answer = str(y.requires_grad)",
    ),
    after=Ask(
        ask={
            "en": "One `no_grad` in another. What does the last line print?",
            "zh": "一个 `no_grad` 在另一个里面。最后一行打印什么？",
        },
        code="""w = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    with torch.no_grad():
        pass
    y = w * 3
print(y.requires_grad)
""",
        choices={
            "True": {
                "en": "The inner one puts back what was there before it. What was that?",
                "zh": "里面那个恢复成它之前的样子。那是什么？",
            },
            "False": {
                "en": "The inner one puts back what it found: off.",
                "zh": "里面那个恢复成它遇到的：关着。",
            },
        },
        right="False",
        labels={"True": {"en": "True", "zh": "True（需要）"}, "False": {"en": "False", "zh": "False（不需要）"}},
        proof="answer = str(y.requires_grad)",
    ),
)
