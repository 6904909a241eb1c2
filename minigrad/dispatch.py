"""What happens when an operator is called: settle types, compute the value, record a node.

`general` is the whole story, for every operator and every case, errors included. compiled.py writes the
common case of it out for each row of the table, without loops or dictionaries, because it is the hot path.
Imports storage, graph and the rules. Read next: compiled.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from . import anomaly, dtypes
from .backend import SILENT, namespace
from .check import check_types, explain, mixed, type_name, unlike
from .graph import AT_ONCE, Node, Packed, next_number
from .modes import modes
from .rules import AS_GIVEN, NO_SLOPE, Rule
from .storage import NO_VERSIONS, TensorBase
from .views import register_view

Tensor: Any = TensorBase  # the class that results get; tensor.py puts itself here through `adopt`


def as_array(data: Any) -> Any:
    """NumPy's 0-d scalars made arrays again; another device's array, which `to_device` gives, as it is."""
    return np.asarray(data) if isinstance(data, np.generic) else data


def in_order(data: Any) -> Any:
    """The same numbers, row after row in memory; where they lie so already, the array itself."""
    return data.copy() if isinstance(data, ndarray) and not data.flags.c_contiguous else data


def wrap(data: Any, requires_grad: bool = False) -> Any:
    """A leaf Tensor around an array; NumPy's 0-d scalars become arrays again."""
    out = object.__new__(Tensor)
    out._data = data if type(data) is ndarray else as_array(data)
    out._requires_grad = requires_grad
    out._fn = out._grad = out._view = out._versions = None
    return out


# -- the general way ----------------------------------------------------------------------------


def general(rule: Rule, inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Run one operator: settle, compute, record, tell the observers."""
    check_types(rule, inputs, params)
    tensors = settle(rule, inputs)
    if tensors is None:
        return NotImplemented
    arrays = [tensor._data for tensor in tensors]
    numbers = [not isinstance(x, TensorBase) for x in inputs]
    original = [t if number else x for x, t, number in zip(inputs, tensors, numbers, strict=True)]
    recording = modes.recording and any(t._requires_grad for t in original) and bool(rule.slopes)
    xp = namespace(arrays[0])
    try:
        data = SILENT.run(rule.value, xp, *arrays, **params)
    except (ValueError, IndexError, TypeError) as error:
        if recording:
            look_at(rule, original, numbers)
        raise explain(rule, arrays, params, error) from None
    if rule.in_order or (rule.name in AS_GIVEN and 0 in getattr(arrays[0], "strides", ())):
        data = tuple(map(in_order, data)) if isinstance(data, tuple) else in_order(data)
    several = isinstance(data, tuple)
    outs = tuple(wrap(each) for each in (data if several else (data,)))
    if rule.kind == "view":
        for i, out in enumerate(outs):
            register_view(out, tensors[0], rule, params, i)
    if modes.inference:
        for out in outs:
            if out._view is None:  # a view is what its base is
                out._versions = NO_VERSIONS
    if recording and outs[0]._data.dtype.kind == "f":
        record(rule, original, numbers, params, outs)
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
        raise TypeError(f"{rule.name}(): argument 'input' (position 1) must be Tensor, not {type_name(inputs[0])}")
    device = next(x for x in inputs if isinstance(x, TensorBase))._data
    operands = []
    for x in inputs[rule.fixed :]:
        if isinstance(x, TensorBase):
            operands.append((dtypes.from_numpy(x._data.dtype), 2 if x._data.ndim else 1))
        elif isinstance(x, float | int | np.generic):
            operands.append((dtypes.number_type(x), 0))
        elif rule.kind in ("elementwise", "question") and len(inputs) == 2:
            return None  # Python asks the other operand, then says that the two don't go together
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
    """A Python number as a 0-d tensor of the given type, where the other operand lives."""
    xp = namespace(like)
    try:
        return wrap(xp.asarray(number, dtype=array_dtype))
    except OverflowError:  # PyTorch lets an integer wrap around
        return wrap(xp.astype(xp.asarray(number), array_dtype))


def needed(rule: Rule, edges: Sequence[Any]) -> set[str]:
    """What the slopes that these edges ask for need: names of inputs and outputs, sizes, parameters."""
    asked = rule.inputs if rule.variadic else [n for n, e in zip(rule.inputs, edges, strict=False) if e is not None]
    return {need for name in asked for need in rule.needs.get(name, ())}


def look_at(rule: Rule, tensors: list[Any], numbers: list[bool]) -> None:
    """What PyTorch does with inputs before it computes, and so even where that fails: it asks each where it comes
    from, which may be an error, and packs what it would save."""
    edges = [(t._fn or t) if t._requires_grad else None for t in tensors]
    if modes.saved_hooks:
        names = needed(rule, edges)
        for name in rule.order_of_saving:
            if name in names and name in rule.inputs and not numbers[i := rule.inputs.index(name)]:
                save(tensors[i])


def record(rule: Rule, tensors: list[Any], numbers: list[bool], params: dict[str, Any], outs: tuple[Any, ...]) -> Node:
    """Make the node of `outs = rule(tensors)`: number, edges, and what the asked-for slopes need. `numbers` says which
    of the tensors stand for a number."""
    node = rule.node()
    node.edges = edges = tuple([(t._fn or t) if t._requires_grad else None for t in tensors])
    node._number = next_number()  # after those of its edges: a view may just have got a new history
    if rule.node_name == NO_SLOPE:
        node._number += AT_ONCE
    needs = needed(rule, edges)
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
    for name in rule.order_of_saving:
        if name not in needs:
            continue
        if name in rule.outputs:
            kept = save(outs[rule.outputs.index(name)], own=True)
        else:
            i = rule.inputs.index(name)
            kept = tensors[i]._data if numbers[i] else save(tensors[i])
        setattr(node, "saved_" + name, kept)
    if modes.saved_hooks:
        node.watched = True  # so that it goes through `backward`, which unpacks each saved tensor once
    if modes.anomaly:
        anomaly.record(node)
    return node


def save(tensor: Any, own: bool = False) -> Any:
    """What a node keeps of a tensor: the triple of graph.py, or what the reader's pack hook made of it.

    Its own result it keeps by its array: a node that held its own result would be a cycle.
    """
    versions = tensor.versions()
    if not modes.saved_hooks:
        return tensor._data if own else tensor, versions, versions[0]
    pack, unpack = modes.saved_hooks[-1]
    version, before = versions[0], modes.set(grad=False)
    try:
        packed = pack(tensor)
    finally:
        modes.set(**before)
    if versions[0] != version:
        raise RuntimeError(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot "
            "be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if "
            "you need to perform in-place operations on the input to a pack hook."
        )
    history = ... if own else (tensor._fn or tensor) if tensor._requires_grad else None
    itself = own and packed is tensor
    return wrap(tensor._data) if itself else packed, None, Packed(unpack, history, itself)


class RuleNode(Node):
    """A node of an operator from the table. compiled.py gives each rule a subclass, with a slot for
    everything that it may keep and, for most, a `send` without loops."""

    __slots__ = ()
    rule: Rule

    def backward(self, grad: Any, F: Any, unpack: Callable[..., Any]) -> tuple[Any, ...]:
        rule: Rule = self.rule
        unpack = once(unpack)
        for name in rule.order_of_saving:  # all that a hook has packed comes out first
            kept = getattr(self, "saved_" + name)
            if isinstance(kept, tuple) and kept[1] is None:
                unpack(kept, self)
        if not rule.outputs and any(g is None for g in grad):
            grad = self.filled(grad)
        if rule.variadic:  # stack, cat: one slope for all the inputs, told which of them it is for
            slope, given = rule.slopes[rule.inputs[0]], self.given(rule.inputs[0], unpack)
            edges = enumerate(self.edges)
            return tuple(None if edge is None else slope(F, grad, i=i, **given) for i, edge in edges)
        ends = dict(zip(rule.inputs, self.edges, strict=True))
        asked = sorted(name for name in rule.slopes if ends[name] is not None)  # by name: PyTorch's order
        found = {name: rule.slopes[name](F, grad, **self.given(name, unpack)) for name in asked}
        return tuple(found.get(name) for name in rule.inputs)

    def pass_by(self) -> None:
        for name in self.rule.order_of_saving:
            getattr(self, "_saved_" + name)

    def listed(self) -> Sequence[int]:
        if self.rule.variadic:
            return super().listed()
        return [i for i, name in enumerate(self.rule.inputs) if name in self.rule.slopes]

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


def once(unpack: Callable[..., Any]) -> Callable[..., Any]:
    """`unpack`, which asks a reader's hook but once for what two slopes need."""
    seen: dict[int, Any] = {}

    def unpacked(saved: Any, node: Node) -> Any:
        if id(saved) not in seen:
            seen[id(saved)] = unpack(saved, node)
        return seen[id(saved)]

    return unpacked


def adopt(tensor: type) -> None:
    """Let results be of this class from now on. Called once, by tensor.py."""
    global Tensor
    Tensor = tensor
