"""The one hot path: what happens when an operator is called.

`general` below is the whole story, for every operator and every case: settle types, compute the value,
and, if something requires grad, record a node. `specialise` writes, once at import, a short function
for each row of the table that does the same for the common case (tensors of one type, nobody watching)
without loops or dictionaries, and leaves everything else, errors included, to `general`. To see one:

>>> print(source(TABLE["mul"]))                                            # doctest: +ELLIPSIS
def mul(self, other):
    ...

Imports storage, graph, engine and the rules. Read next: tensor.py.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from . import anomaly, dtypes
from .backend import SILENT, namespace
from .check import check_types, explain, mixed
from .graph import Node, next_number
from .modes import SPECIAL, modes
from .ops import TABLE
from .rules import Rule
from .storage import NO_VERSIONS, TensorBase, register_view

NUMBERS = (float, int)  # not bool: True + tensor is rare, and settle knows what to do
F32, F64 = np.dtype("float32"), np.dtype("float64")
Tensor: Any = TensorBase  # the class that results get; tensor.py puts itself here through `adopt`
_EMPTY = inspect.Parameter.empty


def wrap(data: Any, requires_grad: bool = False) -> Any:
    """A leaf Tensor around an array; NumPy's 0-d scalars become arrays again."""
    out = object.__new__(Tensor)
    out._data = np.asarray(data) if isinstance(data, np.generic) else data
    out._requires_grad = requires_grad
    out._fn = out._grad = out._view = None
    out._versions = [0]
    return out


# -- the general way ----------------------------------------------------------------------------


def general(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Run one operator: settle, compute, record, tell the observers."""
    check_types(rule, inputs, params)
    tensors = settle(rule, inputs)
    if tensors is None:
        return NotImplemented
    arrays = [tensor._data for tensor in tensors]
    original = [x if isinstance(x, TensorBase) else t for x, t in zip(inputs, tensors, strict=True)]
    recording = modes.grad and any(t._requires_grad for t in original) and bool(rule.slopes)
    xp = namespace(arrays[0])
    try:
        data = SILENT.run(rule.value, xp, *arrays, **params)
    except (ValueError, IndexError, TypeError) as error:
        raise explain(rule, arrays, params, error) from None
    several = isinstance(data, tuple)
    outs = tuple(wrap(each) for each in (data if several else (data,)))
    if rule.kind == "view" and len(tensors) == 1:
        for i, out in enumerate(outs):
            register_view(out, tensors[0], rule, params, i)
    if modes.inference:
        for out in outs:
            out._inference, out._versions = True, NO_VERSIONS
    if recording and outs[0]._data.dtype.kind == "f":
        record(rule, original, params, outs)
    for observe in modes.observers:
        observe(rule.name, inputs, outs)
    return outs if several else outs[0]


def settle(rule: Rule, inputs: tuple[Any, ...]) -> list[Any] | None:
    """The inputs as tensors of the types that the value expects, numbers included."""
    first = inputs[0]._data.dtype if isinstance(inputs[0], TensorBase) else None
    if rule.dtypes in ("promote", "divide", "same", "keep", "floating") and all(
        isinstance(x, TensorBase) and x._data.dtype is first for x in inputs
    ):
        return list(inputs)
    if not any(isinstance(x, TensorBase) for x in inputs):
        raise TypeError(f"{rule.name}(): argument 'input' (position 1) must be Tensor, not {type(inputs[0]).__name__}")
    device = next(x for x in inputs if isinstance(x, TensorBase))._data
    fixed = 1 if rule.name == "where" else 0  # the condition stays what it is
    operands = []
    for x in inputs[fixed:]:
        if isinstance(x, TensorBase):
            operands.append((dtypes.from_numpy(x._data.dtype), 2 if x._data.ndim else 1))
        elif isinstance(x, float | int | np.generic):
            operands.append((dtypes.number_type(x), 0))
        elif rule.kind in ("elementwise", "question") and len(inputs) == 2:
            return None  # Python asks the other operand, then says that the two don't go together
        else:
            i = next(i for i, each in enumerate(inputs) if each is x)
            name = rule.inputs[0 if rule.variadic else i]
            raise TypeError(
                f"{rule.name}(): argument '{name}' (position {i + 1}) must be Tensor, not {type(x).__name__}"
            )
    common = dtypes.result_type(operands)
    if rule.dtypes == "float" and not common.is_floating_point:
        common = dtypes.get_default_dtype()
    elif rule.dtypes == "sum" and not common.is_floating_point:
        common = dtypes.int64
    elif rule.dtypes == "bool":
        common = dtypes.bool
    elif rule.dtypes == "same" and any(d is not operands[0][0] for d, _ in operands):
        raise mixed(rule, [d for d, _ in operands])
    settled = list(inputs[:fixed])
    for x in inputs[fixed:]:
        if not isinstance(x, TensorBase):
            settled.append(constant(x, common.numpy, device))
        elif rule.dtypes == "keep" or x._data.dtype == common.numpy:
            settled.append(x)
        else:
            settled.append(wrap(x._data.astype(common.numpy)))
    return settled


def constant(number: Any, array_dtype: Any, like: Any) -> Any:
    """A Python number as a 0-d tensor of the given type, where the other operand lives."""
    xp = namespace(like)
    try:
        return wrap(xp.asarray(number, dtype=array_dtype))
    except OverflowError:  # PyTorch lets an integer wrap around
        return wrap(xp.astype(xp.asarray(number), array_dtype))


def record(rule: Rule, tensors: list[Any], params: dict[str, Any], outs: tuple[Any, ...]) -> Node:
    """Make the node of `outs = rule(tensors)`: number, edges, and what the asked-for slopes need."""
    node = NODES[rule]()
    node._number = next_number()
    node.edges = tuple((t._fn or t) if t._requires_grad else None for t in tensors)
    wanted = [name for name, edge in zip(names(rule, len(tensors)), node.edges, strict=True) if edge is not None]
    needs = {need for name in wanted if name in rule.needs for need in rule.needs[name]}
    for name, tensor in zip(rule.inputs, tensors, strict=False):
        sizes = name + "_sizes"
        if sizes in needs:
            kept = tuple(t._data.shape for t in tensors) if rule.variadic else tensor._data.shape
            setattr(node, "kept_" + sizes, kept)
    for name, value in {**rule.params, **params}.items():
        setattr(node, "kept_" + name, value)
    grown = outs if not rule.outputs else outs[:1]
    for i, out in enumerate(grown):
        out._requires_grad = True
        out._fn = node if rule.outputs else (node, i)
    if rule.outputs:
        node._shape, node._dtype = outs[0]._data.shape, outs[0]._data.dtype
    else:
        node.outputs = len(outs)
        node._shape = [out._data.shape for out in outs]
        node._dtype = [out._data.dtype for out in outs]
    for name in rule.saves:
        setattr(node, "saved_" + name, None)
        if name in needs:
            if name in rule.outputs:  # by its array: a node that held its own result would be a cycle
                out = outs[rule.outputs.index(name)]
                thing, versions = out._data, out._versions
            else:
                thing = tensors[rule.inputs.index(name)]
                versions = thing._versions
            setattr(node, "saved_" + name, save(thing, versions))
    if modes.anomaly:
        anomaly.record(node)
    return node


def names(rule: Rule, count: int) -> tuple[str, ...]:
    return rule.inputs * count if rule.variadic else rule.inputs


def save(thing: Any, versions: list[Any]) -> Any:
    """What a node keeps of a tensor: the triple of graph.py, or what the user's pack hook made of it."""
    if not modes.saved_hooks:
        return thing, versions, versions[0]
    pack, unpack = modes.saved_hooks[-1]
    tensor = wrap(thing) if not isinstance(thing, TensorBase) else thing if thing._fn is None else thing.detach()
    version = tensor._versions[0]
    packed = pack(tensor)
    if tensor._versions[0] != version:
        raise RuntimeError(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook "
            "cannot be "
            "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue "
            "if you need "
            "to perform in-place operations on the input to a pack hook."
        )
    return packed, None, unpack


class RuleNode(Node):
    """A node of an operator from the table. `specialise` gives each rule a subclass, with a slot for
    everything that it may keep and, for most, a `backward` without loops."""

    __slots__ = ()
    rule: Rule

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        rule: Rule = self.rule
        if not rule.outputs and any(g is None for g in grad):
            grad = self.filled(grad)
        if rule.variadic:  # stack, cat: one slope for all the inputs, told which of them it is for
            slope, given = rule.slopes[rule.inputs[0]], self.given(rule.inputs[0], unpack)
            edges = enumerate(self.edges)
            return tuple(None if edge is None else slope(F, grad, i=i, **given) for i, edge in edges)
        return tuple(
            None if edge is None or name not in rule.slopes else rule.slopes[name](F, grad, **self.given(name, unpack))
            for name, edge in zip(rule.inputs, self.edges, strict=True)
        )

    def filled(self, grads: list[Any]) -> list[Any]:
        """A gradient for each output of unbind or split: zeros where none came."""
        recorded = any(isinstance(g, TensorBase) for g in grads)
        zeros = [np.zeros(size, dtype) for size, dtype in zip(self._shape, self._dtype, strict=True)]
        return [(wrap(z) if recorded else z) if g is None else g for g, z in zip(grads, zeros, strict=True)]

    def given(self, name: str, unpack: Callable[..., Any]) -> dict[str, Any]:
        """What the slope for this input asks for: saved values, sizes and parameters, by name."""
        return {
            need: unpack(getattr(self, "saved_" + need), self)
            if need in self.rule.saves
            else getattr(self, "kept_" + need)
            for need in self.rule.needs[name]
            if need != "i"
        }

    def __dir__(self) -> list[str]:
        """With the `_saved_…` of this operator, for the Tab key."""
        return sorted({*super().__dir__(), *("_saved_" + name for name in (*self.saves, *self.rule.params))})


# -- the special way: the same, written out for one rule ------------------------------------------


def number(value: float, like: Any) -> Any:
    """A Python number as a 0-d tensor of a float tensor's type; TypeError, and so `general`, for others."""
    dtype = like._data.dtype
    if dtype is not F32 and dtype is not F64:
        raise TypeError
    out = object.__new__(Tensor)
    out._data = np.array(value, dtype)
    out._requires_grad = False
    out._fn = out._grad = out._view = None
    out._versions = [0]
    return out


def source(rule: Rule) -> str:
    """The text of the two functions that `specialise` compiles: forward `{name}` and `backward`."""
    ins = rule.inputs
    params = [f"{name}={default!r}" for name, default in rule.params.items() if default is not _EMPTY]
    required = [name for name, default in rule.params.items() if default is _EMPTY]
    star = ["*", *required, *params] if rule.params else []
    passed = "".join(f", {name}={name}" for name in rule.params)
    needs = {name: set(rule.needs.get(name, ())) for name in ins}
    lines = [f"def {rule.name}({', '.join((*ins, *star))}):"]
    lines += ["    state = modes.state", "    if state < SPECIAL:", "        try:"]
    if rule.kind == "elementwise" and len(ins) == 2:
        lines += [f"            if {ins[1]}.__class__ in NUMBERS: {ins[1]} = number({ins[1]}, {ins[0]})"]
    for i, name in enumerate(ins):
        lines += [f"            a{i} = {name}._data"]
    lines += ["            kind = a0.dtype"]
    refuse = ["type(a0) is not ndarray"] + [f"a{i}.dtype is not kind" for i in range(1, len(ins))]
    if rule.dtypes not in ("promote", "same", "keep"):  # integers are a special case there
        refuse += ["(kind is not F32 and kind is not F64)"]
    assert not {"kind", "data", "out", "state", "versions", "node"} & set(rule.params), "these are locals of the text"
    lines += [f"            if {' or '.join(refuse)}: raise TypeError"]
    arrays = f"numpy, {', '.join(f'a{i}' for i in range(len(ins)))}{passed}"
    if rule.kind == "reduction" or rule.dtypes in ("float", "divide") or "pow" in rule.name:
        lines += [f"            data = SILENT.run(value, {arrays})"]  # where inf and nan may well come up
    else:
        lines += [f"            data = value({arrays})"]
    lines += ["        except USUAL: pass  # general knows what to do, or to say", "        else:"]
    lines += ["            if type(data) is not ndarray: data = asarray(data)"]
    lines += [
        "            out = new(Tensor)",
        "            out._data = data",
        "            out._grad = out._view = None",
    ]
    if rule.kind == "view":
        lines += [f"            register_view(out, {ins[0]}, rule, dict({passed.removeprefix(', ')}))"]
    else:
        lines += ["            out._versions = versions = [0]"]
    grads = [f"g{i}" for i, name in enumerate(ins) if name in rule.slopes]
    if grads:
        lines += [f"            g{i} = {name}._requires_grad" for i, name in enumerate(ins) if name in rule.slopes]
        lines += [f"            if state or not ({' or '.join(grads)}):"]
    else:
        lines += ["            if True:"]
    lines += ["                out._fn = None"]
    lines += ["                out._requires_grad = False"] if rule.kind != "view" else []  # register_view knows
    lines += ["                return out"]
    if grads:
        edges = [f"({n}._fn or {n}) if g{i} else None" if n in rule.slopes else "None" for i, n in enumerate(ins)]
        lines += ["            out._requires_grad = True", "            out._fn = node = new_node(Node)"]
        lines += ["            node._number = next_number()", "            node._shape = data.shape"]
        lines += ["            node._dtype = data.dtype", f"            node.edges = ({', '.join(edges)},)"]
        for name in rule.saves:
            who = [f"g{i}" for i, n in enumerate(ins) if name in needs[n]]
            triple = "(data, versions, 0)" if name == "result" else f"({name}, {name}._versions, {name}._versions[0])"
            always = len(who) == len(grads) == 1
            lines += [
                f"            node.saved_{name} = {triple}" + ("" if always else f" if {' or '.join(who)} else None")
            ]
        for i, name in enumerate(ins):
            if any(f"{name}_sizes" in needs[n] for n in ins):
                lines += [f"            node.kept_{name}_sizes = a{i}.shape"]
        lines += [f"            node.kept_{name} = {name}" for name in rule.params]
        lines += ["            return out"]
    lines += [f"    return general(rule, ({', '.join(ins)},), dict({passed.removeprefix(', ')}))", ""]
    if not grads:
        return "\n".join(lines)
    parts = []
    for i, name in enumerate(ins):
        given = "".join(
            f", unpack(node.saved_{need}, node)" if need in rule.saves else f", node.kept_{need}"
            for need in rule.needs.get(name, ())
        )
        only = "" if len(ins) == 1 else f" if edges[{i}] is not None else None"
        parts += [f"slope_{name}(F, grad{given}){only}" if name in rule.slopes else "None"]
    lines += ["def backward(node, grad, F, unpack):"]
    lines += [] if len(ins) == 1 else ["    edges = node.edges"]
    lines += [f"    return ({', '.join(parts)},)"]
    if rule.saves:
        lines += ["def release(node):", "    " + " = ".join(f"node.saved_{name}" for name in rule.saves) + " = None"]
    return "\n".join(lines)


NODES: dict[Rule, Any] = {}
_SCOPES: list[dict[str, Any]] = []  # where the compiled functions look names up


def operator(rule: Rule) -> Callable[..., Any]:
    """The function that Tensor's methods call for a rule; it also makes the rule's class of nodes."""
    kept = [*rule.params, *{need for needs in rule.needs.values() for need in needs if need.endswith("_sizes")}]
    slots = (*("saved_" + name for name in rule.saves), *("kept_" + name for name in kept))
    node: Any = type(rule.node_name, (RuleNode,), {"__slots__": slots, "rule": rule, "saves": rule.saves})
    node.built_in = rule.node_name == "CopyBackwards"
    NODES[rule] = node
    if (
        rule.variadic
        or rule.outputs != ("result",)
        or len(rule.inputs) > 1
        and rule.dtypes == "keep"
        or rule.dtypes == "bool"
    ):

        def plain(*inputs: Any, **params: Any) -> Any:
            return general(rule, inputs, {**defaults, **params})

        defaults = {name: default for name, default in rule.params.items() if default is not _EMPTY}
        return plain
    scope: dict[str, Any] = {f"slope_{name}": slope for name, slope in rule.slopes.items()}
    scope |= {
        "modes": modes,
        "SPECIAL": SPECIAL,
        "NUMBERS": NUMBERS,
        "F32": F32,
        "F64": F64,
        "number": number,
        "numpy": np,
        "rule": rule,
    }
    scope |= {"ndarray": np.ndarray, "asarray": np.asarray, "value": rule.value}
    scope |= {
        "general": general,
        "register_view": register_view,
        "SILENT": SILENT,
        "next_number": next_number,
        "new": object.__new__,
        "new_node": object.__new__,
        "Node": node,
    }
    scope |= {"USUAL": (TypeError, ValueError, AttributeError, IndexError)}
    _SCOPES.append(scope)
    function = FunctionType(_first_call.__code__, scope, rule.name)
    scope["compile_now"] = partial(_compile, rule, node, function, scope)
    return function


def _first_call(*inputs: Any, **params: Any) -> Any:
    """What an operator's function does until it is first called: compiling all of them would double the import."""
    return compile_now()(*inputs, **params)  # type: ignore[name-defined]  # noqa: F821  # from the operator's scope


def _compile(rule: Rule, node: Any, function: Any, scope: dict[str, Any]) -> Callable[..., Any]:
    """Put the compiled code into the function that everybody has already bound, and into its class of nodes."""
    text, name = source(rule), f"<minigrad {rule.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # so that tracebacks can show it
    exec(compile(text, name, "exec"), scope)  # made from the table alone
    if rule.slopes:
        node.backward, node.release = scope["backward"], scope.get("release", Node.release)
    made = scope[rule.name]
    function.__code__, function.__kwdefaults__ = made.__code__, made.__kwdefaults__
    return function


def adopt(tensor: type) -> None:
    """Let results be of this class from now on. Called once, by tensor.py."""
    global Tensor
    Tensor = tensor
    for scope in _SCOPES:
        scope["Tensor"] = tensor


OPERATORS: dict[str, Callable[..., Any]] = {rule.name: operator(rule) for rule in TABLE.values()}
