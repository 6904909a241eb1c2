"""The hot path: for each row of the table, the core's `call` written out for the common case.

The common case is tensors of one type in NumPy's memory, or such a tensor and a number, in no special mode. `source`
writes three short functions for it: the operator, and its node's `send` and `release`. They are compiled when the
operator is first called, and leave every other case, and every error, to `call`. The code is written as text so that it
contains only what this row needs. Closures over the row, which check at each call what must be saved, were tried for
`add` and `mul`: a call took 1 to 15 % longer, a backward pass 2 to 9 %. This shows the code that runs
(`inspect.getsource(torch.neg)` shows it too, after the first call):

>>> from minigrad.ops import TABLE
>>> print(source(TABLE["neg"]))                                            # doctest: +ELLIPSIS
def neg(input):
    ...

Imports core and dispatch. Read next: fast_several.py.
"""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from types import FunctionType
from typing import Any

import numpy as np

from .._engine.accumulate import FEW
from .._engine.nodes import NO_SLOPE
from .._engine.switches import modes
from .._engine.views import register_view
from .._machine.backend import HALF, SILENT, silence
from ..core.forms import RAW
from ..core.modes import RECORD, SPECIAL, switched
from ..core.node import Node, next_number, node_class
from ..core.record import call, function_of
from ..core.rules import TABLE, Rule
from ..core.tensor import Tensor, as_array, wrap
from .dispatch import as_given, computes, lies_in_order

BOOL, F32, F64 = np.dtype("bool"), np.dtype("float32"), np.dtype("float64")
EMPTY = inspect.Parameter.empty

# One context for all threads: finding a thread's own context takes as long as a sixth of NumPy's addition
quietly = silence().run
# These errors mean that the case is not common. RuntimeError: another thread is in that context
USUAL = (TypeError, ValueError, AttributeError, LookupError, RuntimeError)


class Numbers(dict[float, Any]):
    """Numbers as 0-d arrays of one type, each made once, because a loop with `y * 1.0001 + w` uses the same ones often.
    The arrays are shared, so they are read-only."""

    def __init__(self, dtype: Any):
        super().__init__()
        self.dtype = dtype

    def __missing__(self, number: float) -> Any:
        array = SILENT.run(np.array, number, self.dtype)
        if number:  # 0.0 and -0.0 are the same key, so neither is kept
            array.flags.writeable = False
            if len(self) >= 256:
                self.clear()
            self[number] = array
        return array


NUMBERS = {F32: Numbers(F32), F64: Numbers(F64)}  # for other types, `call` handles numbers


def source(rule: Rule) -> str:
    """The text of one operator: the function of its name, and its node's `send` and `release`.

    For input i, a_i is the array, and g_i says whether it requires grad. Where the second input may be a number, keep1
    is what the node saves for it: the number's array a1, or the tensor.
    """
    return calling(rule) + (sending(rule) if rule.slopes else "")


def calling(rule: Rule) -> str:
    """The text of the operator's function: check for the common case, compute, record."""
    names, defaults = called(rule), rule.params
    assert not {"common", "data", "out", "state", "node", "v", *COMMON} & set(defaults), "these are names of the text"
    required = [name for name, value in defaults.items() if value is EMPTY]
    others = [f"{name}={value!r}" for name, value in defaults.items() if value is not EMPTY]
    signature = ", ".join([*names, *["*"] * bool(defaults), *required, *others])
    passed = ", ".join(f"{name}={name}" for name in defaults)
    arrays = ", ".join(f"a{i}" for i in range(len(names)))
    first = rule.fixed  # the first input whose type the later ones must have
    usual = ["type(a0) is ndarray", *(f"a{i}.dtype is BOOL" for i in range(first))]
    usual += [f"a{i}.dtype is common" for i in range(first + 1, len(names))]
    if beside(rule):
        usual = [*(f"type(a{i}) is ndarray" for i in range(len(names))), "(common is F32 or common is F64)"]
    elif rule.dtypes not in ("promote", "same", "keep"):  # integers are a special case there
        usual += ["(common is F32 or common is F64)"]
    else:
        usual += ["common is not BOOL"] * (rule.kind == "matmul")
        usual += ["common is not HALF"] * (computes(rule) and not ufunc(rule))  # `call` computes these in float32
    take = [taken(rule, i) for i in range(len(names))]
    take.insert(first + 1, f"common = a{first}.dtype")
    out_of_order = "not data.flags.c_contiguous" + ("" if lies_in_order(rule) else " and 0 in a0.strides")
    put = [f"if {out_of_order}: data = data.copy()"] if lies_in_order(rule) or as_given(rule) else []
    in_order = lines(12, put)
    results = ", ".join(["data", *kept(rule)])
    run = "compute(" if rule.kind == "view" else "quietly(compute, "  # a view computes nothing
    return f"""\
def {rule.name}({signature}):
    state = modes.state if switched else RECORD
    if state < SPECIAL:
        try:
{lines(12, take)}\
            if not ({" and ".join(usual)}): raise TypeError
            {results} = {run}{"" if ufunc(rule) else "numpy, "}{arrays}{passed and ", " + passed})
        except USUAL: pass  # it knows what to do, or to say
        else:
            if type(data) is not ndarray: data = as_array(data)
{in_order}            out = new(Tensor)
            out._data = data
            out._grad = out._view = out._fn = out._versions = None
{lines(12, recorded(rule, passed))}\
    return {general(rule, passed)}
"""


def kept(rule: Rule) -> tuple[str, ...]:
    """What the value gives besides its result, for the slopes: statistics that have no slope of their own."""
    return rule.outputs[1:]


def given(rule: Rule) -> str:
    """The line that returns what `call` would return."""
    return ", ".join(["return out", *(f"wrap({name})" for name in kept(rule))])


def general(rule: Rule, passed: str) -> str:
    """The text of the call that handles every case."""
    return f"call(rule, ({', '.join(called(rule))},), dict({passed}))"


def ufunc(rule: Rule) -> Any:
    """NumPy's own function, if the value does nothing but call it, which saves a call; otherwise None."""
    return getattr(np, rule.ufunc) if hasattr(rule, "ufunc") and rule.kind != "matmul" else None


def lines(indent: int, texts: list[str]) -> str:
    return textwrap.indent("".join(text + "\n" for text in texts), " " * indent)


def called(rule: Rule) -> list[str]:
    """The names of the function's inputs: PyTorch's functions say `input` where its table says `self`."""
    return ["input" if name == "self" else name for name in rule.inputs]


def beside(rule: Rule) -> bool:
    """Has the operator a floating-point first input and others of different types, such as indices or masks?"""
    return rule.dtypes == "keep" and len(rule.inputs) > 1 and rule.kind in ("loss", "lookup", "choice")


def numbers_too(rule: Rule) -> bool:
    """May the second input be a number, as in w + 1?"""
    return rule.kind == "elementwise" and len(rule.inputs) == 2


def taken(rule: Rule, i: int) -> str:
    """Code that takes input i's array. A number becomes a 0-d array; beside integers and bools, `call` handles it."""
    name = called(rule)[i]
    if i != 1 or not numbers_too(rule):
        return f"a{i} = {name}._data"
    number = f"type({name}) is float or type({name}) is int"
    return f"if {number}: keep1 = a1 = NUMBERS[common][{name}]\nelse: keep1 = {name}; a1 = keep1._data"


def recorded(rule: Rule, passed: str) -> list[str]:
    """The lines that record where `out` comes from: the tensor that it is a view of, and its node."""
    names = called(rule)
    kept = "{" + ", ".join(f"{name!r}: {name}" for name in rule.params) + "}"
    view = [f"register_view(out, {names[0]}, rule, {kept})"] if rule.kind == "view" else []
    plain = [] if view else ["out._requires_grad = False"]  # register_view sets it
    if not rule.slopes:
        return [*view, *plain, given(rule)]
    sloped = [i for i, name in enumerate(rule.inputs) if name in rule.slopes]
    number = {1: "keep1 is not a1 and "} if numbers_too(rule) else {}
    asks = " | ".join(f"(g{i} := {number.get(i, '')}{names[i]}._requires_grad)" for i in sloped)
    asks = f"{names[0]}._requires_grad" if len(names) == 1 else f"({asks})"
    wanted = {need for needs in rule.needs.values() for need in needs}
    sizes = [(i, name + "_sizes") for i, name in enumerate(rule.inputs) if name + "_sizes" in wanted]
    asked, leave = f"not {asks}", [*plain, given(rule)]
    if len(sloped) > 1:  # `call` handles a view without a valid history: its `_requires_grad` is not True
        asked = f"{asks} is not True"
        leave = [f"if not state and ({' or '.join(f'g{i}' for i in sloped)}): return {general(rule, passed)}", *leave]
    unless_asked = [*view, f"if state or {asked}:", *("    " + line for line in leave)]
    if rule.node_name == NO_SLOPE:  # its node has a priority of its own in a backward pass, which dispatch.py sets
        return [*unless_asked, f"return {general(rule, passed)}"]
    return [
        *unless_asked,
        "out._requires_grad = True",
        "out._fn = node = Node()",
        "node._shape = data.shape",
        f"node._dtype = {'data.dtype' if rule.dtypes == 'keep' else 'common'}",
        *(f"node.edge{i} = {edge_to(name, i, sloped, len(names))}" for i, name in enumerate(names)),
        # after the edges, because a view's history may have been rebuilt just now
        "node._number = next_number()",
        *(f"node.saved_{name} = {saving(rule, name, sloped)}" for name in rule.saves),
        *(f"node.param_{name} = a{i}.shape" for i, name in sizes),
        *(f"node.param_{name} = {name}" for name in rule.params),
        given(rule),
    ]


def edge_to(name: str, i: int, sloped: list[int], count: int) -> str:
    """Code for the receiver of input i's gradient: the node that made it, or the leaf itself, or None."""
    if i not in sloped:
        return "None"
    return f"{name}._fn or {name}" if count == 1 else f"({name}._fn or {name}) if g{i} else None"


def saving(rule: Rule, name: str, sloped: list[int]) -> str:
    """Code for what is saved of an input or the result, if a derivative that is needed uses it; see core/node.py."""
    what = name if name in kept(rule) else "data"
    if name in rule.inputs:
        x = called(rule)[rule.inputs.index(name)]
        number = "keep1 is a1 or " if numbers_too(rule) and name == rule.inputs[1] else ""
        what = f"({'keep1' if number else x} if {number}(v := {x}._versions) is None else ({x}, v, v[0]))"
    who = [f"g{i}" for i in sloped if name in rule.needs[rule.inputs[i]]]
    return what if len(sloped) == 1 else f"{what} if {' or '.join(who)} else None"


def turned(rule: Rule) -> dict[str, Callable[..., Any]]:
    """The derivatives for an input that `t` made, if the row has any."""
    return getattr(rule, "turned", {})


def sending(rule: Rule) -> str:
    """The text of the node's `send`, and of `release`.

    First all derivatives are computed, in the alphabetical order of the inputs' names, as in PyTorch. Then all are
    passed on, because a leaf's hook may change what the next derivative needs.
    """
    sloped = [(i, name) for i, name in enumerate(rule.inputs) if name in rule.slopes]
    slopes = []
    for _, name in sloped:
        given = [f"unpack(node.saved_{n}, node)" if n in rule.saves else f"node.param_{n}" for n in rule.needs[name]]
        slope = f"slope_{name}"
        if name in turned(rule):  # a gradient for what `t` made gets its memory layout
            e = f"e{rule.inputs.index(name)}"
            slope = f"(turned_{name} if F is RAW_F and grad.size > FEW and type({e}) is Turned else {slope})"
        slopes.append(f"{slope}({', '.join(['F', 'grad', *given])})")
    text = "\ndef send(node, grad, F, unpack, arrive):\n"
    if hasattr(rule, "leads_on"):
        text += lines(4, ["if F is not RAW_F: return Plain.send(node, grad, F, unpack, arrive)"])
    if len(rule.inputs) == 1:  # with a single input, a node exists only if that input needs a gradient
        text += lines(4, [f"arrive(node.edge0, {slopes[0]})"])
    else:
        text += lines(4, [f"e{i} = node.edge{i}" for i, _ in sloped])
        by_name = sorted(zip(sloped, slopes, strict=True), key=lambda pair: pair[0][1])
        text += lines(4, [f"if e{i} is not None: g{i} = {slope}" for (i, _), slope in by_name])
        text += lines(4, [f"if e{i} is not None: arrive(e{i}, g{i})" for i, _ in sloped])
    if rule.saves:
        text += f"\ndef release(node):\n    {' = '.join(f'node.saved_{name}' for name in rule.saves)} = None\n"
    return text


def operator(rule: Rule) -> Callable[..., Any]:
    """The function that Tensor's methods call for a rule."""
    mixed = rule.dtypes == "bool" or (rule.dtypes == "keep" and len(rule.inputs) > 1 and not beside(rule))
    for_slopes = all(name.startswith("result") for name in rule.outputs)  # readers get the first output alone
    if rule.variadic or rule.each or not for_slopes or mixed:
        return function_of(rule)
    scope: dict[str, Any] = {}
    function = FunctionType(_first_call.__code__, scope)
    scope["compile_now"] = partial(_compile, rule, function, scope)
    function.__name__ = function.__qualname__ = rule.name
    function.__doc__ = function_of(rule).__doc__
    return function


def _first_call(*inputs: Any, **params: Any) -> Any:
    """The body of an operator's function until its first call. Compiling all at once would double the import time."""
    return compile_now()(*inputs, **params)  # type: ignore[name-defined]  # noqa: F821  # from the operator's scope


def _compile(rule: Rule, function: Any, scope: dict[str, Any]) -> Callable[..., Any]:
    """Put the compiled code into the function, which other modules have already imported, and into its node class."""
    node = node_class(rule)
    scope.update(COMMON, Tensor=Tensor.result, Node=node, rule=rule, compute=ufunc(rule) or rule.value)
    scope.update({f"slope_{name}": slope for name, slope in rule.slopes.items()})
    scope.update({f"turned_{name}": slope for name, slope in turned(rule).items()})
    text, name = source(rule), f"<minigrad {rule.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # tracebacks then show the code
    exec(compile(text, name, "exec"), scope)  # the code is made from the table alone
    if rule.slopes:
        node.send, node.release = scope["send"], scope.get("release", Node.release)
    made = scope[rule.name]
    function.__code__, function.__kwdefaults__ = made.__code__, made.__kwdefaults__
    return function


COMMON = {  # the names that the generated texts use
    "modes": modes,
    "switched": switched,
    "FEW": FEW,
    "RECORD": RECORD,
    "SPECIAL": SPECIAL,
    "BOOL": BOOL,
    "HALF": HALF,
    "F32": F32,
    "F64": F64,
    "quietly": quietly,
    "USUAL": USUAL,
    "NUMBERS": NUMBERS,
    "numpy": np,
    "ndarray": np.ndarray,
    "as_array": as_array,
    "call": call,
    "register_view": register_view,
    "next_number": next_number,
    "new": object.__new__,
    "wrap": wrap,
}


def operators() -> dict[str, Callable[..., Any]]:
    """A function for each row of the table, compiled at its first call. Derivatives in an ordinary backward pass also
    get NumPy's own functions, where a value only calls one."""
    RAW.F.__dict__.update({name: same for name, rule in TABLE.items() if (same := ufunc(rule))})
    COMMON.update(RAW_F=RAW.F, Plain=Node, Turned=node_class(TABLE["t"]))
    RAW.F.mm, RAW.F.t = np.ndarray.dot, attrgetter("T")  # a derivative of `t` may get a NumPy scalar
    return {rule.name: operator(rule) for rule in TABLE.values()}
