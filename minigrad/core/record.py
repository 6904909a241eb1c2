"""What happens when an operator is called: settle its inputs, compute its value, record a node.

`call` handles every operator and every case. Set MINIGRAD_FAST=0 to see it run. By default,
../_call/fast.py compiles a function for each operator, in a file named `<minigrad mul>`. It handles
the common case, without loops or dictionaries, and leaves the others to `call`. So a breakpoint
here does not stop at `w + x`. To count operators, use autograd.graph.observe_operators: it turns
the compiled functions off.
Imports modes, node, rules, seams and tensor. Next: engine.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .modes import modes
from .node import Node, next_number, node_class
from .rules import OPERATORS, REQUIRED, Rule
from .seams import seams
from .tensor import Tensor, wrap


def call(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Run one operator on tensors and numbers; return its result, or a tuple of results."""
    tensors = seams.settle(rule, inputs, params)
    if tensors is None:
        return NotImplemented  # then Python tries the other operand's method
    arrays = [tensor._data for tensor in tensors]
    try:
        data = seams.compute(rule, arrays, params)
    except (ValueError, IndexError, TypeError) as error:
        raise seams.explain(error, rule=rule, arrays=arrays, params=params, inputs=inputs) from None
    outs = tuple([wrap(each) for each in (data if isinstance(data, tuple) else (data,))])
    asked = modes.recording and any([isinstance(x, Tensor) and x._requires_grad for x in inputs])
    node = None
    if asked and rule.slopes and outs[0]._data.dtype.kind == "f":  # only floats have slopes
        node = record(rule, inputs, tensors, params, outs)
    seams.on_result(rule, inputs, tensors, params, outs, node)
    return outs if isinstance(data, tuple) else outs[0]


def settle(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> list[Any]:
    """Turn the inputs into tensors: a number gets the type of the first tensor."""
    like = next(x._data for x in inputs[rule.fixed :] if isinstance(x, Tensor))
    return [x if isinstance(x, Tensor) else wrap(np.asarray(x, like.dtype)) for x in inputs]


def compute(rule: Rule, arrays: list[Any], params: dict[str, Any]) -> Any:
    """Compute the row's value with NumPy."""
    return rule.value(np, *arrays, **params)


seams.settle, seams.compute = settle, compute
seams.on_result = lambda *ran: None


def record(
    rule: Rule, inputs: Any, tensors: list[Any], params: dict[str, Any], outs: tuple[Any, ...]
) -> Node:
    """Make the node of `outs = rule(inputs)`. It saves only what the slopes need that will run: a
    tensor as the user gave it, and a number as `settle` made it one of the `tensors`."""
    node = node_class(rule)()
    operands = [x if isinstance(x, Tensor) else t for x, t in zip(inputs, tensors, strict=True)]
    connect(node, inputs)
    if not rule.each:  # only the first output has a gradient
        node._shape, node._dtype = outs[0]._data.shape, outs[0]._data.dtype
        outs[0]._fn, outs[0]._requires_grad = node, True
    else:  # each output of a floating-point type has a gradient
        floats = [o for o in outs if o._data.dtype.kind == "f"]
        node.outputs = len(floats)
        node._shape, node._dtype = [o._data.shape for o in floats], [o._data.dtype for o in floats]
        for i, out in enumerate(floats):
            out._fn, out._requires_grad = (node, i), True
    needs = needs_along(rule, node.edges)
    for name, tensor in zip(rule.inputs, operands, strict=False):
        if name + "_sizes" in needs:
            sizes = tuple(t._data.shape for t in operands) if rule.variadic else tensor._data.shape
            setattr(node, f"param_{name}_sizes", sizes)
    for name, value in {**rule.params, **params}.items():
        setattr(node, "param_" + name, value)
    for name in rule.saves:
        what = to_save(name, rule, inputs, operands, outs) if name in needs else None
        setattr(node, "saved_" + name, what)
    return node


def needs_along(rule: Rule, edges: Any) -> set[str]:
    """The names that the slopes along these edges need: inputs, outputs, sizes, parameters."""
    pairs = zip(rule.inputs, edges, strict=False)
    asked = rule.inputs if rule.variadic else [name for name, edge in pairs if edge is not None]
    return {need for name in asked for need in rule.needs.get(name, ())}


def to_save(name: str, rule: Rule, inputs: Any, operands: list[Any], outs: Any) -> Any:
    """What the node saves of this input or output; node.py lists the possible forms."""
    if name in rule.outputs:
        out = outs[rule.outputs.index(name)]
        if name != "result":
            out.versions()  # made now, because later it compares with `saved_result` alone
        return seams.pack(out, own=True)
    i = rule.inputs.index(name)
    return seams.pack(inputs[i]) if isinstance(inputs[i], Tensor) else operands[i]._data


def edges_to(inputs: Any) -> tuple[Any, ...]:
    """Where each input's gradient goes: to the node that computed it, to the leaf, or nowhere."""
    asking = [isinstance(x, Tensor) and x._requires_grad for x in inputs]
    return tuple([(x._fn or x) if asks else None for x, asks in zip(inputs, asking, strict=True)])


def connect(node: Node, inputs: Any) -> None:
    """Set the node's edges, then its number, which must be higher than those of its inputs' nodes:
    `edges_to` reads `_fn`, and for a view that was changed in place, this makes a new node."""
    node.edges = edges_to(inputs)
    node._number = next_number()


def function_of(rule: Rule) -> Callable[..., Any]:
    """Make the function on Tensors for a rule: `OPERATORS[rule.name]`."""
    defaults = {name: value for name, value in rule.params.items() if value is not REQUIRED}
    names = tuple("input" if name == "self" else name for name in rule.inputs)

    def function(*inputs: Any, **params: Any) -> Any:
        """Fill in the default parameters, and run `call`."""
        if not rule.variadic:
            missing = [name for name in names[len(inputs) :] if name not in params]
            if missing:
                text = f"missing {len(missing)} required positional argument: '{missing[0]}'"
                raise TypeError(f"{rule.name}() {text}")
            inputs += tuple([params.pop(name) for name in names[len(inputs) :]])
        return call(rule, inputs, {**defaults, **params})

    function.__name__ = function.__qualname__ = rule.name
    function.__doc__ = rule.value.__doc__ or f"`{rule.name}`: its value and slopes stand in ops/."
    return function


OPERATORS.make = function_of
