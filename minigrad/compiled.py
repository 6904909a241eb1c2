"""The hot path: for each row of the table, `general` written out for the common case.

The common case is tensors of one type in NumPy's memory, with nobody watching. `source` writes two short
functions for it, the operator and its node's `send`, and they are compiled when the operator is first called.
They leave every other case, and every error, to `general`. To see what is run:

>>> print(source(TABLE["neg"]))                                            # doctest: +ELLIPSIS
def neg(input):
    ...

Imports dispatch. Read next: tensor.py.
"""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from . import dispatch
from .backend import SILENT
from .dispatch import NODES, RuleNode, as_array, general
from .graph import Node, next_number, saved
from .modes import RECORD, SPECIAL, modes, switched
from .ops import TABLE
from .rules import Rule
from .storage import register_view

F32, F64 = np.dtype("float32"), np.dtype("float64")
EMPTY = inspect.Parameter.empty


def source(rule: Rule) -> str:
    """The text of one operator: the function of its name, and its node's `send` and `release`.

    Of input i, a_i is the array, and g_i says whether it requires grad. Where a number may stand for the second
    input, keep1 is what will be saved of it: the number's array a1, or the tensor.
    """
    return calling(rule) + (sending(rule) if rule.slopes else "")


def calling(rule: Rule) -> str:
    """The text of the operator's function: check that the case is common, compute, record."""
    names, defaults = called(rule), rule.params
    assert not {"kind", "data", "out", "state", "node", "v"} & set(defaults), "these are locals of the text"
    required = [name for name, value in defaults.items() if value is EMPTY]
    others = [f"{name}={value!r}" for name, value in defaults.items() if value is not EMPTY]
    signature = ", ".join([*names, *["*"] * bool(defaults), *required, *others])
    passed = ", ".join(f"{name}={name}" for name in defaults)
    arrays = ", ".join(f"a{i}" for i in range(len(names)))
    usual = ["type(a0) is ndarray", *(f"a{i}.dtype is kind" for i in range(1, len(names)))]
    if rule.dtypes not in ("promote", "same", "keep"):  # integers are a special case there
        usual += ["(kind is F32 or kind is F64)"]
    # where inf and nan may well come up, in silence
    silent = rule.kind == "reduction" or rule.dtypes in ("float", "divide") or "pow" in rule.name
    return f"""\
def {rule.name}({signature}):
    state = modes.state if switched else RECORD
    if state < SPECIAL:
        try:
            a0 = {names[0]}._data
            kind = a0.dtype
{lines(12, [taken(rule, i) for i in range(1, len(names))])}\
            if not ({" and ".join(usual)}): raise TypeError
            data = {"SILENT.run(value, " if silent else "value("}numpy, {arrays}{passed and ", " + passed})
        except USUAL: pass  # general knows what to do, or to say
        else:
            if type(data) is not ndarray: data = asarray(data)
            out = new(Tensor)
            out._data = data
            out._grad = out._view = out._fn = out._versions = None
{lines(12, recorded(rule, passed))}\
            return out
    return general(rule, ({", ".join(names)},), dict({passed}))
"""


def lines(indent: int, texts: list[str]) -> str:
    return textwrap.indent("".join(text + "\n" for text in texts), " " * indent)


def called(rule: Rule) -> list[str]:
    """The names of the function's inputs: PyTorch's functions say `input` where its table says `self`."""
    return ["input" if name == "self" else name for name in rule.inputs]


def numbers_too(rule: Rule) -> bool:
    """May the second input be a number, as in w + 1?"""
    return rule.kind == "elementwise" and len(rule.inputs) == 2


def taken(rule: Rule, i: int) -> str:
    """Input i's array. A number becomes a 0-d array; beside integers, and bools, it is left to general."""
    name = called(rule)[i]
    if not numbers_too(rule):
        return f"a{i} = {name}._data"
    number = f"({name}.__class__ is float or {name}.__class__ is int) and (kind is F32 or kind is F64)"
    return f"if {number}: keep1 = a1 = array({name}, kind)\nelse: keep1 = {name}; a1 = keep1._data"


def recorded(rule: Rule, passed: str) -> list[str]:
    """The lines that say where `out` comes from: what it is a view of, and its node."""
    names = called(rule)
    view = [f"register_view(out, {names[0]}, rule, dict({passed}))"] if rule.kind == "view" else []
    plain = [] if view else ["out._requires_grad = False"]  # register_view knows
    if not rule.slopes:
        return view + plain
    sloped = [i for i, name in enumerate(rule.inputs) if name in rule.slopes]
    number = {1: "keep1 is not a1 and "} if numbers_too(rule) else {}
    asks = " | ".join(f"(g{i} := {number.get(i, '')}{names[i]}._requires_grad)" for i in sloped)
    asked = {need for needs in rule.needs.values() for need in needs}
    sizes = [(i, name + "_sizes") for i, name in enumerate(rule.inputs) if name + "_sizes" in asked]
    return [
        *view,
        f"if state or not ({asks}):",
        *("    " + line for line in [*plain, "return out"]),
        "out._requires_grad = True",
        "out._fn = node = Node()",
        "node._number = next_number()",
        "node._shape = data.shape",
        f"node._dtype = {'data.dtype' if rule.dtypes == 'keep' else 'kind'}",
        *(
            f"node.edge{i} = " + (f"({name}._fn or {name}) if g{i} else None" if i in sloped else "None")
            for i, name in enumerate(names)
        ),
        *(f"node.saved_{name} = {kept(rule, name, sloped)}" for name in rule.saves),
        *(f"node.kept_{name} = a{i}.shape" for i, name in sizes),
        *(f"node.kept_{name} = {name}" for name in rule.params),
    ]


def kept(rule: Rule, name: str, sloped: list[int]) -> str:
    """What is saved of an input or the result, if a slope that will be asked for needs it; see the end of graph.py."""
    what = "data"
    if name in rule.inputs:
        x = called(rule)[rule.inputs.index(name)]
        number = "keep1 is a1 or " if numbers_too(rule) and name == rule.inputs[1] else ""
        what = f"({'keep1' if number else x} if {number}(v := {x}._versions) is None else ({x}, v, v[0]))"
    who = [f"g{i}" for i in sloped if name in rule.needs[rule.inputs[i]]]
    return what if len(sloped) == 1 else f"{what} if {' or '.join(who)} else None"


def sending(rule: Rule) -> str:
    """The text of the node's `send`: first all slopes that are asked for, then all arrivals; and of `release`."""
    sloped = [(i, name) for i, name in enumerate(rule.inputs) if name in rule.slopes]
    text = "\ndef send(node, grad, F, unpack, arrive):\n" + lines(4, [f"e{i} = node.edge{i}" for i, _ in sloped])
    for i, name in sloped:
        given = [f"unpack(node.saved_{n}, node)" if n in rule.saves else f"node.kept_{n}" for n in rule.needs[name]]
        text += f"    if e{i} is not None: g{i} = slope_{name}({', '.join(['F', 'grad', *given])})\n"
    text += lines(4, [f"if e{i} is not None: arrive(e{i}, g{i})" for i, _ in sloped])
    if rule.saves:
        text += f"\ndef release(node):\n    {' = '.join(f'node.saved_{name}' for name in rule.saves)} = None\n"
    return text


def several(names: tuple[str, ...]) -> property:
    """Attributes that can be read and set together, as a tuple. A tuple of its own would cost each node 13 ns."""

    def put(node: Any, values: Any) -> None:
        for name, value in zip(names, values, strict=True):
            setattr(node, name, value)

    return property(lambda node: tuple([getattr(node, name) for name in names]), put)


def operator(rule: Rule) -> Callable[..., Any]:
    """The function that Tensor's methods call for a rule; it also makes the rule's class of nodes."""
    kept = [*rule.params, *{need for needs in rule.needs.values() for need in needs if need.endswith("_sizes")}]
    fields: dict[str, Any] = {"rule": rule, "saves": rule.saves, "built_in": rule.node_name == "CopyBackwards"}
    edges = ("edges",) if rule.variadic else tuple(f"edge{i}" for i in range(len(rule.inputs)))
    fields["__slots__"] = (*edges, *("saved_" + name for name in rule.saves), *("kept_" + name for name in kept))
    if not rule.variadic:
        fields["edges"] = several(edges)
    node: Any = type(rule.node_name, (RuleNode,), fields)
    for name in rule.saves:
        setattr(node, "_saved_" + name, saved(name))
    for name in kept:  # parameters, and sizes under PyTorch's name: the slots under another name
        setattr(node, "_saved_" + name.replace("_sizes", "_sym_sizes"), getattr(node, "kept_" + name))
    NODES[rule] = node
    mixed = rule.dtypes == "bool" or (rule.dtypes == "keep" and len(rule.inputs) > 1)
    if rule.variadic or rule.outputs != ("result",) or mixed:
        defaults = {name: default for name, default in rule.params.items() if default is not EMPTY}

        def plain(*inputs: Any, **params: Any) -> Any:
            return general(rule, inputs, {**defaults, **params})

        return plain
    scope: dict[str, Any] = {}
    function = FunctionType(_first_call.__code__, scope, rule.name)
    function.__qualname__ = rule.name
    scope["compile_now"] = partial(_compile, rule, node, function, scope)
    return function


def _first_call(*inputs: Any, **params: Any) -> Any:
    """What an operator's function does until it is first called: compiling all of them would double the import."""
    return compile_now()(*inputs, **params)  # type: ignore[name-defined]  # noqa: F821  # from the operator's scope


def _compile(rule: Rule, node: Any, function: Any, scope: dict[str, Any]) -> Callable[..., Any]:
    """Put the compiled code into the function that everybody has already bound, and into its class of nodes."""
    scope.update(COMMON, Tensor=dispatch.Tensor, Node=node, rule=rule, value=rule.value)
    scope.update({f"slope_{name}": slope for name, slope in rule.slopes.items()})
    text, name = source(rule), f"<minigrad {rule.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # so that tracebacks can show it
    exec(compile(text, name, "exec"), scope)  # made from the table alone
    if rule.slopes:
        node.send, node.release = scope["send"], scope.get("release", Node.release)
    made = scope[rule.name]
    function.__code__, function.__kwdefaults__ = made.__code__, made.__kwdefaults__
    return function


COMMON = {  # what the texts call things
    "modes": modes,
    "switched": switched,
    "RECORD": RECORD,
    "SPECIAL": SPECIAL,
    "F32": F32,
    "F64": F64,
    "SILENT": SILENT,
    "USUAL": (TypeError, ValueError, AttributeError, IndexError),
    "array": np.array,
    "numpy": np,
    "ndarray": np.ndarray,
    "asarray": as_array,
    "general": general,
    "register_view": register_view,
    "next_number": next_number,
    "new": object.__new__,
}
OPERATORS: dict[str, Callable[..., Any]] = {rule.name: operator(rule) for rule in TABLE.values()}
