"""What PyTorch adds to an operator's call: common types, values without NumPy's warnings, memory order, its messages.

core/record.py describes a call; this file fills its seams `settle`, `compute`, `on_result` and `explain`.
Imports core, nodes and views. Read next: fast.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from .._engine import anomaly, saved
from .._engine.hooks import Registered, register
from .._engine.nodes import AT_ONCE, IN_SINGLE, NO_SLOPE, saved_for_one
from .._engine.storage import NO_VERSIONS, TensorBase
from .._engine.switches import modes
from .._engine.views import register_view
from .._machine import dtypes
from .._machine.backend import F32, HALF, SILENT, namespace, total
from .._machine.backend import cast as _cast
from .._messages.foreign import refuse
from .._messages.places import fold_our_frames
from ..core.record import edges_to, needs_along
from ..core.rules import Rule
from ..core.seams import seams
from ..core.tensor import wrap
from .check import check_types, mixed, type_name, unlike
from .check import explain as explain_refusal

IN_ORDER = ("reduction", "matmul", "shape", "lookup", "window")  # families whose results are contiguous in memory


def lies_in_order(rule: Rule) -> bool:
    """NumPy gives a result the memory layout of its inputs. So does PyTorch, except for sums, joins and look-ups."""
    return getattr(rule, "in_order", rule.kind in IN_ORDER) is True


def as_given(rule: Rule) -> bool:
    """Does the result keep its input's memory layout, and become contiguous only if the input was expanded?"""
    return getattr(rule, "in_order", None) == "as given"


def in_order(data: Any) -> Any:
    """The same numbers, contiguous in memory; the array itself, if it is contiguous already."""
    return data.copy() if isinstance(data, ndarray) and not data.flags.c_contiguous else data


COMPUTED = ("elementwise", "reduction", "matmul", "norm", "loss", "slope", "window", "recurrent")


def computes(rule: Rule) -> bool:
    """Does the operator compute new numbers? Other operators look up, copy or compare, and round nothing."""
    return rule.kind in COMPUTED and (rule.dtypes != "keep" or rule.kind == "loss")


def in_single(rule: Rule, xp: Any, arrays: list[Any], params: dict[str, Any]) -> Any:
    """The value for float16: computed in float32 and rounded once, as in PyTorch. An intermediate sum that float16
    can't hold, such as the squares in a norm or a variance, then does no harm."""
    wide = [_cast(xp, array, xp.float32) if array.dtype == HALF else array for array in arrays]
    if getattr(rule, "rounds_each", False) and (reduction := params.get("reduction", "mean")) != "none":
        each = rule.value(xp, *wide, **params | {"reduction": "none"})
        each = _cast(xp, _cast(xp, each, HALF), xp.float32)
        data = total(xp, each) / (each.size if reduction == "mean" else 1)
    else:
        data = rule.value(xp, *wide, **params)
    several = data if isinstance(data, tuple) else (data,)
    narrow = [_cast(xp, each, HALF) if each.dtype == xp.float32 else each for each in several]
    return tuple(narrow) if isinstance(data, tuple) else narrow[0]


def compute(rule: Rule, arrays: list[Any], params: dict[str, Any]) -> Any:
    """The value, computed by the library that the arrays belong to."""
    xp = namespace(arrays[0])
    if arrays[0].dtype == HALF and computes(rule):
        data = SILENT.run(in_single, rule, xp, arrays, params)
    else:
        data = SILENT.run(rule.value, xp, *arrays, **params)
    if lies_in_order(rule) or (as_given(rule) and 0 in getattr(arrays[0], "strides", ())):
        return tuple(map(in_order, data)) if isinstance(data, tuple) else in_order(data)
    return data


def explain(error: Exception, **about: Any) -> Exception:
    """PyTorch's error for a value that refused its arrays, or for a node that no longer has what it saved."""
    fold_our_frames()
    if "rule" in about:
        look_at(about["rule"], about["inputs"])
        better = explain_refusal(about["rule"], about["arrays"], about["params"], error)
        return better if better is error else better.with_traceback(None)  # this traceback shows only our own search
    if "saved" in about:
        return saved.changed(about["saved"], about["node"])
    return saved.blame(RuntimeError(saved.FREED), node=about["node"])


def look_at(rule: Rule, inputs: tuple[Any, ...]) -> None:
    """Do what PyTorch does with inputs before it computes, even if computing then fails: find where each comes from,
    which may raise an error, and pack what the node would save."""
    tensors = [x for x in inputs if isinstance(x, TensorBase)]
    if not modes.recording or not rule.slopes or not any(t._requires_grad for t in tensors):
        return
    edges = edges_to(inputs)
    if modes.saved_hooks:
        nowhere = [i for i in saved_for_one(rule) if getattr(edges[i], "nowhere", False)]
        needs = needs_along(rule, tuple(None if i in nowhere else edge for i, edge in enumerate(edges)))
        for name in rule.saves:
            if name in needs and name in rule.inputs and isinstance(x := inputs[rule.inputs.index(name)], TensorBase):
                saved.pack(x)


def on_result(
    rule: Rule, inputs: tuple[Any, ...], tensors: list[Any], params: dict[str, Any], outs: tuple[Any, ...], node: Any
) -> None:
    """Called after an operator has run; `node` is the recorded node, or None."""
    if rule.kind == "view":
        for i, out in enumerate(outs):
            register_view(out, tensors[0], rule, params, i)
            out._requires_grad = out._requires_grad or node is not None
    if modes.inference:
        for out in outs:
            if out._view is None:  # a view takes this from its base
                out._versions = NO_VERSIONS
    if node is not None and rule.node_name == NO_SLOPE:
        node._number += AT_ONCE
        for registry in (Registered.callbacks, Registered.counted):
            register(node, registry)
    if node is not None and (modes.saved_hooks or (node._dtype is HALF and rule.kind in IN_SINGLE)):
        node.watched = True  # makes backward use `gradients`, which unpacks each saved tensor once
    if node is not None and modes.anomaly:
        anomaly.record(node)
    for observe in modes.observers:
        observe(rule.name, (*inputs, *modes.beside), outs)


def settle(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> list[Any] | None:
    """The inputs, numbers included, as tensors of the types that the value expects.

    A rule's `dtypes` is one of "promote" (a common dtype), "number" (likewise, but bools alone are an error), "float"
    (integers become the default float), "floating" (integers are an error), "sum" (integers become int64), "divide"
    (like "number", and an integer divisor of 0 is an error), "same" (mixed types are an error), "bool" (all become
    bool), "keep" (each keeps its type).
    """
    if len(inputs) > len(rule.inputs) and not rule.variadic:  # the fast path's functions have parameters for them
        given = f"{len(rule.inputs)} positional argument{'s' * (len(rule.inputs) > 1)} but {len(inputs)} were given"
        raise TypeError(f"{rule.name}() takes {given}")
    first = inputs[0]._data.dtype if isinstance(inputs[0], TensorBase) else None
    alike = all([isinstance(x, TensorBase) and x._data.dtype is first for x in inputs])
    if not (alike and rule.variadic):  # stack, cat: they take any type
        check_types(rule, inputs, params)
    if alike and rule.dtypes in ("promote", "divide", "same", "keep", "floating"):
        return list(inputs)
    if rule.kind == "norm" and all([isinstance(x, TensorBase) for x in inputs]):
        if first == HALF and all([x._data.dtype in (HALF, F32) for x in inputs]):
            return list(inputs)  # `compute` converts all of them to float32
    if not any(isinstance(x, TensorBase) for x in inputs):
        raise TypeError(f"{rule.name}(): argument 'input' (position 1) must be Tensor, not {type_name(inputs[0])}")
    device = next(x for x in inputs if isinstance(x, TensorBase))._data
    operands = []
    for x in inputs[rule.fixed :]:
        if isinstance(x, TensorBase):
            operands.append((dtypes.from_numpy(x._data.dtype), 2 if x._data.ndim else 1))
        elif isinstance(x, float | int | np.generic):
            operands.append((dtypes.number_type(x), 0))
        elif rule.kind in ("elementwise", "question") and len(inputs) == 2:
            refuse(f"{rule.name}()", x)
            return None  # Python tries the other operand's method, then reports unsupported operand types
        else:
            i = next(i for i, each in enumerate(inputs) if each is x)
            name = rule.inputs[0 if rule.variadic else i]
            raise TypeError(f"{rule.name}(): argument '{name}' (position {i + 1}) must be Tensor, not {type_name(x)}")
    common = dtypes.result_type(operands)
    if rule.dtypes == "float" and not common.is_floating_point:
        common = dtypes.get_default_dtype()
    elif rule.dtypes == "sum" and not common.is_floating_point:
        common = dtypes.int64
    elif rule.dtypes == "bool":
        common = dtypes.bool
    elif rule.dtypes == "same" and any(d is not operands[0][0] for d, _ in operands):
        raise unlike(rule, inputs) or mixed(rule, [d for d, _ in operands])
    settled = list(inputs[: rule.fixed])
    for x in inputs[rule.fixed :]:
        if not isinstance(x, TensorBase):
            settled.append(constant(x, common.numpy, device))
        elif rule.dtypes == "keep" or x._data.dtype == common.numpy:
            settled.append(x)
        else:
            settled.append(wrap(x._data.astype(common.numpy)))
    return settled


def constant(number: Any, array_dtype: Any, like: Any) -> Any:
    """A Python number as a 0-d tensor of the given type, on the other operand's device."""
    xp = namespace(like)
    try:
        return wrap(SILENT.run(xp.asarray, number, dtype=array_dtype))
    except OverflowError:  # PyTorch lets an integer wrap around
        return wrap(_cast(xp, xp.asarray(number), array_dtype))


seams.settle, seams.compute, seams.on_result, seams.explain = settle, compute, on_result, explain
