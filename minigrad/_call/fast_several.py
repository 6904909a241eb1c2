"""The hot path of the five operators that take or give several tensors: stack, cat, unbind, split, split_with_sizes.

The number of tensors is known only at the call, so no text can be written beforehand as in fast.py: these are plain
functions that repeat `call` without what the common case does not need. `call` handles every other case.
Imports core and fast. Read next: operators.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._engine.switches import modes
from .._engine.views import THROUGH_BASE, register_view
from ..core.modes import RECORD, SPECIAL, switched
from ..core.node import next_number, node_class
from ..core.record import function_of
from ..core.rules import REQUIRED, TABLE, Rule
from ..core.tensor import wrap
from .fast import USUAL, quietly


def joining(rule: Rule) -> Callable[..., Any]:
    """stack, cat: one tensor, made from several. core/record.py explains the steps."""
    general, defaults, value = function_of(rule), rule.params, rule.value
    sized = "tensors_sizes" in rule.needs["tensors"]

    def join(*tensors: Any, **given: Any) -> Any:
        state = modes.state if switched else RECORD
        if state < SPECIAL:
            try:
                params = {**defaults, **given}
                arrays = [x._data for x in tensors]
                common = arrays[0].dtype
                if {*map(type, arrays)} != {np.ndarray} or any([a.dtype is not common for a in arrays]):
                    raise TypeError
                data = quietly(value, np, *arrays, **params)
            except USUAL:
                pass  # `call` handles this case or raises the error
            else:
                out = wrap(data if data.flags.c_contiguous else data.copy())
                asks = [x._requires_grad for x in tensors]
                if state or not any(asks) or common.kind != "f":
                    return out
                if THROUGH_BASE not in asks:
                    node = node_class(rule)()
                    node._shape, node._dtype = data.shape, common
                    node.edges = tuple([(x._fn or x) if ask else None for x, ask in zip(tensors, asks, strict=True)])
                    node._number = next_number()
                    if sized:
                        node.param_tensors_sizes = tuple([a.shape for a in arrays])
                    node.param_dim = params["dim"]
                    out._fn, out._requires_grad = node, True
                    return out
        return general(*tensors, **given)

    return join


def parting(rule: Rule) -> Callable[..., Any]:
    """unbind, split: a tuple of views, with one node for all of them."""
    general, value = function_of(rule), rule.value
    defaults = {name: default for name, default in rule.params.items() if default is not REQUIRED}

    def part(input: Any, **given: Any) -> Any:
        state = modes.state if switched else RECORD
        if state < SPECIAL:
            try:
                params = {**defaults, **given}
                data = input._data
                if type(data) is not np.ndarray:
                    raise TypeError
                parts = value(np, data, **params)
            except USUAL:
                pass
            else:
                outs = tuple([wrap(each) for each in parts])
                for i, out in enumerate(outs):
                    register_view(out, input, rule, params, i)
                if state or not input._requires_grad or not outs:
                    return outs
                node = node_class(rule)()
                node.outputs = len(outs)
                node._shape, node._dtype = [each.shape for each in parts], [data.dtype] * len(outs)
                node.edges = (input._fn or input,)
                node._number = next_number()
                for name, param in params.items():
                    setattr(node, "param_" + name, param)
                for i, out in enumerate(outs):
                    out._fn, out._requires_grad = (node, i), True
                return outs
        return general(input, **given)

    return part


def operators() -> dict[str, Callable[..., Any]]:
    """The functions of these five."""
    made = {name: joining(TABLE[name]) for name in ("stack", "cat")}
    made |= {name: parting(TABLE[name]) for name in ("unbind", "split", "split_with_sizes")}
    for name, function in made.items():
        function.__name__ = function.__qualname__ = name
        function.__doc__ = function_of(TABLE[name]).__doc__
    return made
