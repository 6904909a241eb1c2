"""Gradients: adds operations for the derivatives, from the same rules that the dynamic engine uses.

A derivative is a formula in `F` and Python's operators (core/rules.py). Here, its operands are symbols, so every
step of the formula adds an operation. Therefore, the gradient of a gradient needs no further code.
`fit` is the one place that sums a gradient over broadcast axes; if sizes are unknown, it does so at run time.
Imports build, table and graph. Loops and branches have SPECIAL rules:
../static/control_gradients.py. Read next: passes/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.rules import Rule
from . import types
from .build import Ref, Sizes, build, constant_of
from .errors import OperatorNotAllowedInGraphError
from .graph import Block, Operation, Output, reads
from .table import RULES

# type of an operation without a rule -> function(op, gradients of its outputs, wanted inputs) -> their gradients
SPECIAL: dict[str, Callable[..., dict[Any, Any]]] = {}


class Symbol:
    """A tensor as the operand of a derivative: `==` compares values, and integers can be mixed with floats."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Output):
        self.tensor = tensor

    @property
    def dtype(self) -> Any:
        return self.tensor.dtype

    @property
    def sizes(self) -> Sizes:
        return Sizes(self.tensor)

    shape = sizes

    def _with(self, rule: str, other: Any, turned: bool = False) -> Symbol:
        other = getattr(other, "tensor", other)
        if isinstance(other, Output) and other.dtype is not self.dtype:
            other = build("to_copy", other, dtype=self.dtype.numpy)
        if not isinstance(other, Output):
            other = number(other, self.tensor)
        a, b = (other, self.tensor) if turned else (self.tensor, other)
        return Symbol(build(rule, a, b))

    def __add__(self, other: Any) -> Symbol:
        return self._with("add", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Symbol:
        return self._with("sub", other)

    def __rsub__(self, other: Any) -> Symbol:
        return self._with("sub", other, turned=True)

    def __mul__(self, other: Any) -> Symbol:
        return self._with("mul", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Symbol:
        return self._with("div", other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return self._with("div", other, turned=True)

    def __pow__(self, other: Any) -> Symbol:
        return self._with("pow", other)

    def __neg__(self) -> Symbol:
        return Symbol(build("neg", self.tensor))

    def __eq__(self, other: object) -> Any:
        return self._with("eq", other)

    def __ne__(self, other: object) -> Any:
        return self._with("ne", other)

    def __lt__(self, other: Any) -> Symbol:
        return self._with("lt", other)

    def __le__(self, other: Any) -> Symbol:
        return self._with("le", other)

    def __gt__(self, other: Any) -> Symbol:
        return self._with("gt", other)

    def __ge__(self, other: Any) -> Symbol:
        return self._with("ge", other)

    def __and__(self, other: Any) -> Symbol:
        return self._with("logical_and", other)

    def __or__(self, other: Any) -> Symbol:
        return self._with("logical_or", other)

    def __invert__(self) -> Symbol:
        return Symbol(build("logical_not", self.tensor))


class Symbolic:
    """The rule table on symbols: the `F` of the derivatives, as `Raw` is for arrays."""

    same = {"view": "reshape_to"}  # rules that differ only in the dynamic engine's bookkeeping

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in RULES:
            raise AttributeError(f"no operator is called {name!r}")
        rule_name = self.same.get(name, name)

        def symbolic(*inputs: Any, **params: Any) -> Any:
            symbols = [x.tensor for x in inputs if isinstance(x, Symbol)]
            like = next((t for t in symbols if not t.dtype.is_bool), symbols[0])  # numbers take its dtype
            tensors = [x.tensor if isinstance(x, Symbol) else number(x, like) for x in inputs]
            if rule_name in ("expand", "reshape_to") and surely(params["size"], tensors[0]):
                return inputs[0]
            made = build(rule_name, *tensors, **{key: bare(v) for key, v in params.items()})
            return [Symbol(each) for each in made] if isinstance(made, list) else Symbol(made)

        return symbolic


F = Symbolic()


def bare(param: Any) -> Any:
    """The parameter, with each Symbol replaced by its tensor."""
    if isinstance(param, Symbol):
        return param.tensor
    return tuple(bare(p) for p in param) if type(param) in (tuple, list) else param


def surely(size: Any, tensor: Output) -> bool:
    """Whether the tensor is known to have this size already."""
    wanted = size.tensor.dims if isinstance(size, Sizes) else size
    return types.known(tensor.dims) and wanted == tensor.dims


def number(value: Any, like: Output) -> Output:
    """A Python number as a constant of a tensor's dtype."""
    return constant_of(like.graph, np.asarray(value).astype(like.dtype.numpy))


# -- the pass -----------------------------------------------------------------------------------


def add(sums: dict[Any, Any], tensor: Any, grad: Any) -> None:
    """Add a gradient to the sum of a tensor's gradients."""
    before = sums.get(tensor)
    if before is None:
        sums[tensor] = grad
    else:
        sums[tensor] = build("add_steps" if tensor.listed else "add", before, grad)


def backpropagate(seeds: dict[Any, Any], xs: list[Any], stops: list[Any], block: Block) -> list[Any]:
    """The gradients of `xs`, given those of some tensors of a block; operations are visited from last to first."""
    sums = dict(seeds)
    way = between(list(seeds), xs, stops, block)
    for op in sorted(way, key=lambda op: op.number, reverse=True):
        grads = [sums.get(out) for out in op.outputs]
        if all(grad is None for grad in grads):
            continue
        wanted = [t for t in dict.fromkeys(reads(op)) if t in xs or t.op in way]
        wanted = [t for t in wanted if t.dtype.is_floating and t not in stops]
        with op.graph.name_scope(op.name.rpartition("/")[2] + "_grad"):
            for tensor, grad in slopes(op, grads, wanted):
                add(sums, tensor, grad)
    return [sums.get(x) for x in xs]


def between(ys: list[Any], xs: list[Any], stops: list[Any], block: Block) -> set[Operation]:
    """The operations of a block on a path from some x to some y."""
    above: set[Operation] = set()
    todo = [y.op for y in ys]
    while todo:
        op = todo.pop()
        if op not in above and op.block is block:
            above.add(op)
            todo += [t.op for t in reads(op) if t not in stops]
    touched, way = set(xs), set()
    for op in sorted(above, key=lambda op: op.number):
        if any(t in touched and t not in stops for t in reads(op)):
            way.add(op)
            touched |= set(op.outputs)
    return way


def slopes(op: Operation, grads: list[Any], wanted: list[Any]) -> list[tuple[Any, Any]]:
    """Pairs of an input and its gradient."""
    if op.type in SPECIAL:
        return list(SPECIAL[op.type](op, grads, wanted).items())
    rule, pairs = op.rule, []
    if rule is None:
        return []
    count = len(op.inputs) if rule.variadic else len(rule.inputs)
    names = rule.inputs * count if rule.variadic else rule.inputs
    if rule.each:  # unbind, split …: one gradient for each output
        incoming: Any = [Symbol(zeros(out) if g is None else g) for out, g in zip(op.outputs, grads, strict=True)]
    elif grads[0] is None:
        return []
    else:
        incoming = Symbol(grads[0])
    found: dict[str, Any] = {}
    for i, (name, tensor) in enumerate(zip(names, op.inputs, strict=False)):
        if tensor not in wanted or name not in rule.slopes:
            continue
        if name not in found or rule.variadic:
            g = slope_of(op, rule, incoming, name, i)
            found |= g if isinstance(g, dict) else {name: g}  # a dict of several gradients: ops/recurrent.py
        pairs.append((tensor, fit(found[name].tensor, tensor, op)))
    return pairs


def slope_of(op: Operation, rule: Rule, incoming: Any, name: str, i: int) -> Any:
    """The rule's derivative for its input `name`, which is the operation's input `i`; or several, by name."""
    try:
        return rule.slopes[name](F, incoming, **{need: saved(op, need, i) for need in rule.needs[name]})
    except (ValueError, OperatorNotAllowedInGraphError) as error:
        reason = getattr(rule, "needs_sizes", None)
        if reason is None or all(types.known(t.dims) for t in op.inputs):
            raise
        shapes = ", ".join(types.show_list(t.dims) for t in op.inputs)
        text = f"{reason} for the gradient of '{op.name}' (op: '{op.type}') with input shapes: {shapes}."
        raise ValueError(text) from error


def saved(op: Operation, need: str, i: int) -> Any:
    """A value that a derivative takes by name: an input, the result, sizes, a parameter, its own position (`i`)."""
    rule = op.rule
    if need == "i":
        return i
    if need.endswith("_sizes"):
        if rule.variadic:
            return [Sizes(t) for t in op.inputs]
        return Sizes(op.inputs[rule.inputs.index(need.removesuffix("_sizes"))])
    if need in rule.inputs:
        return Symbol(op.inputs[rule.inputs.index(need)])
    if need in rule.outputs:
        return Symbol(op.outputs[rule.outputs.index(need)])
    return unrefer(op.params[need], op.inputs)


def unrefer(param: Any, inputs: list[Any]) -> Any:
    """A parameter as it was passed to `build`: each Ref is replaced by its tensor."""
    if isinstance(param, Ref):
        return Sizes(inputs[param.input]) if param.what == "shape" else inputs[param.input]
    if isinstance(param, slice):
        return slice(*(unrefer(p, inputs) for p in (param.start, param.stop, param.step)))
    return tuple(unrefer(p, inputs) for p in param) if type(param) is tuple else param


def zeros(like: Any) -> Any:
    return build("zero_steps" if like.listed else "zeros_like", like)


def fit(grad: Any, tensor: Any, op: Operation) -> Any:
    """The gradient in the shape and dtype of its tensor: only this function sums over broadcast axes."""
    if grad.dtype is not tensor.dtype:
        grad = build("to_copy", grad, dtype=tensor.dtype.numpy)
    if tensor.listed or grad.dims == tensor.dims and types.known(tensor.dims):
        return grad
    if types.known(grad.dims) and types.known(tensor.dims):
        lead = len(grad.dims) - len(tensor.dims)
        spread = tuple(d for d, n in enumerate(grad.dims) if d < lead or tensor.dims[d - lead] != n)
        kept = build("sum_dim", grad, dim=spread, keepdim=lead == 0)
        return kept if kept.dims == tensor.dims else build("reshape_to", kept, size=tensor.dims)
    return grad if never_spread(tensor, op) else build("sum_to", grad, size=Sizes(tensor))


def never_spread(tensor: Any, op: Operation) -> bool:
    """Whether the operation certainly did not broadcast this input, although sizes are unknown."""
    if op.rule.name == "expand":
        return False
    if op.rule.kind not in ("elementwise", "choice", "question"):
        return True
    for other in op.inputs:
        if other is tensor or other.dims == ():
            continue
        if tensor.dims is None or other.dims is None or len(other.dims) > len(tensor.dims):
            return False
        ours = tensor.dims[len(tensor.dims) - len(other.dims) :]
        if any(
            n != 1 and (m is None or m == 1) and not (n is not None and n == m)
            for n, m in zip(other.dims, ours, strict=True)
        ):
            return False
    return True
