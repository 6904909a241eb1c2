"""The hot path: for each row of the table, `general` written out for the common case.

The common case is tensors of one type in NumPy's memory, with nobody watching. `source` writes two short
functions for it, the operator and its node's `send`, and they are compiled when the operator is first called.
They leave every other case, and every error, to `general`. To see what is run:

>>> print(source(TABLE["neg"]))                                            # doctest: +ELLIPSIS
def neg(self):
    ...

Imports dispatch. Read next: tensor.py.
"""

from __future__ import annotations

import inspect
import linecache
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
_EMPTY = inspect.Parameter.empty


def source(rule: Rule) -> str:
    """The text of `{name}`, `send` and `release` for one rule.

    Of input i, the locals are a_i (its array) and g_i (does it require grad?); keep1 is a number's array, or `other`.
    """
    names, indent = rule.inputs, "\n            "
    needed = {name: rule.needs.get(name, ()) for name in names}
    sloped = [i for i, name in enumerate(names) if name in rule.slopes]
    numbers_too = rule.kind == "elementwise" and len(names) == 2  # w + 1
    assert not {"kind", "data", "out", "state", "node", "v"} & set(rule.params), "these are locals of the text"

    signature = [*names]
    if rule.params:
        required = [name for name, default in rule.params.items() if default is _EMPTY]
        signature += ["*", *required]
        signature += [f"{name}={value!r}" for name, value in rule.params.items() if value is not _EMPTY]
    passed = ", ".join(f"{name}={name}" for name in rule.params)

    def take(i: int) -> str:
        name = names[i]
        if i == 1 and numbers_too:  # a number becomes a 0-d array; integer tensors and bools are left to general
            return (
                f"if ({name}.__class__ is float or {name}.__class__ is int) and (kind is F32 or kind is F64):"
                f"{indent}    keep1 = a1 = array({name}, kind)"
                f"{indent}else: keep1 = {name}; a1 = keep1._data"
            )
        return f"a{i} = {name}._data"

    def asks(i: int) -> str:
        number = "keep1 is not a1 and " if i == 1 and numbers_too else ""
        return f"(g{i} := {number}{names[i]}._requires_grad)"

    unusual = ["type(a0) is not ndarray", *(f"a{i}.dtype is not kind" for i in range(1, len(names)))]
    if rule.dtypes not in ("promote", "same", "keep"):  # integers are a special case there
        unusual += ["(kind is not F32 and kind is not F64)"]
    arrays = ", ".join(["numpy", *(f"a{i}" for i in range(len(names))), *([passed] if passed else [])])
    # where inf and nan may well come up, in silence
    silent = rule.kind == "reduction" or rule.dtypes in ("float", "divide") or "pow" in rule.name
    view = rule.kind == "view"
    text = f"""
def {rule.name}({", ".join(signature)}):
    state = modes.state if switched else RECORD
    if state < SPECIAL:
        try:
            {take(0)}
            kind = a0.dtype{"".join(indent + take(i) for i in range(1, len(names)))}
            if {" or ".join(unusual)}: raise TypeError
            data = {f"SILENT.run(value, {arrays})" if silent else f"value({arrays})"}
        except USUAL: pass  # general knows what to do, or to say
        else:
            if type(data) is not ndarray: data = asarray(data)
            out = new(Tensor)
            out._data = data
            out._grad = out._view = {"None" if view else "out._versions = None"}
"""
    if view:
        text += f"            register_view(out, {names[0]}, rule, dict({passed}))\n"
    plain = "out._fn = None" if view else "out._fn = None; out._requires_grad = False"  # register_view knows
    edges = [f"({n}._fn or {n}) if g{i} else None" if i in sloped else "None" for i, n in enumerate(names)]
    if not sloped:
        text += f"            {plain}\n            return out\n"
    else:
        text += f"""\
            if state or not ({" | ".join(asks(i) for i in sloped)}):
                {plain}
                return out
            out._requires_grad = True
            out._fn = node = Node()
            node._number = next_number()
            node._shape = data.shape
            node._dtype = {"data.dtype" if rule.dtypes == "keep" else "kind"}
"""
        text += "".join(f"            node.edge{i} = {edge}\n" for i, edge in enumerate(edges))
        for need in rule.saves:
            who = [i for i in sloped if need in needed[names[i]]]
            if need not in names:
                kept = "data"
            elif numbers_too and need == names[1]:
                kept = f"(keep1 if keep1 is a1 or (v := {need}._versions) is None else ({need}, v, v[0]))"
            else:
                kept = f"({need} if (v := {need}._versions) is None else ({need}, v, v[0]))"
            asked = "" if who == sloped and len(who) == 1 else f" if {' or '.join(f'g{i}' for i in who)} else None"
            text += f"            node.saved_{need} = {kept}{asked}\n"
        for i, name in enumerate(names):
            if any(f"{name}_sizes" in needs for needs in needed.values()):
                text += f"            node.kept_{name}_sizes = a{i}.shape\n"
        text += "".join(f"            node.kept_{name} = {name}\n" for name in rule.params) + "            return out\n"
    text += f"    return general(rule, ({', '.join(names)},), dict({passed}))\n"
    if not sloped:
        return text.lstrip()
    text += "\ndef send(node, grad, F, unpack, arrive):\n"
    text += "".join(f"    e{i} = node.edge{i}\n" for i in sloped)
    for i in sloped:
        given = [f"unpack(node.saved_{n}, node)" if n in rule.saves else f"node.kept_{n}" for n in needed[names[i]]]
        text += f"    if e{i} is not None: g{i} = slope_{names[i]}({', '.join(['F', 'grad', *given])})\n"
    for i in sloped:
        text += f"    if e{i} is not None: arrive(e{i}, g{i})\n"
    if rule.saves:
        text += f"def release(node):\n    {' = '.join(f'node.saved_{name}' for name in rule.saves)} = None\n"
    return text.lstrip()


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
        defaults = {name: default for name, default in rule.params.items() if default is not _EMPTY}

        def plain(*inputs: Any, **params: Any) -> Any:
            return general(rule, inputs, {**defaults, **params})

        return plain
    scope: dict[str, Any] = {}
    function = FunctionType(_first_call.__code__, scope, rule.name)
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
