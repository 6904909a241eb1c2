"""Simplify arithmetic: fewer operators with exactly the same result.

x * 1, x / 1, x - 0, x ** 1, --x, paired transposes, reshapes and broadcasts that have no effect or that the
next operator does by itself, x * x → square, a + (-b) → a - b, division by a power of two → product.
`approximate` has the two that may change a last bit: division by any constant, and x + 0 (which turns -0 to 0).
Imports rewrite and memory. Read next: memory.py in this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import truediv
from typing import Any

import numpy as np

from ..._machine.backend import silence
from ..build import Ref
from ..graph import Block, Operation
from ..memory import Memory
from ..table import RULES, type_of
from ..types import known
from .rewrite import emit, rewrite


def simplify(block: Block) -> tuple[Block, int]:
    """Replace operations by fewer or cheaper ones with exactly the same results."""
    return apply(block, simpler)


def approximate(block: Block) -> tuple[Block, int]:
    """Replace division by a constant by a product (relative error up to 1e-6), and x + 0 by x."""
    return apply(block, nearly)


Finder = Callable[[Operation, list[Any], Block, Memory], Any]


def apply(block: Block, find: Finder) -> tuple[Block, int]:
    count = 0
    memory = Memory()

    def change(op: Operation, inputs: list[Any], new: Block) -> list[Any] | None:
        nonlocal count
        memory.learn(inputs)
        if op.rule is None or op.control_inputs or op.type == "ReadVariable" or len(op.outputs) != 1:
            return None
        found = find(op, inputs, new, memory)
        count += found is not None
        return None if found is None else [found]

    return rewrite(block, change), count


def simpler(op: Operation, inputs: list[Any], new: Block, memory: Memory) -> Any:
    """A simpler replacement of an operation; None if there is none."""

    def make(rule: str, *operands: Any, **params: Any) -> Any:
        return emit(new, op, type_of(RULES[rule]), list(operands), op.outputs, params, RULES[rule]).outputs[0]

    out: Any = op.outputs[0]
    x: Any = inputs[0] if inputs else None
    match op.rule.name:
        case "identity" | "stop_gradient":
            return x
        case "reshape_to" | "expand" | "sum_to" if same_size(op, inputs, memory):
            return x
        case "neg" if made_by(x, "neg") and memory.dense(x.op.inputs[0]):
            return x.op.inputs[0]
        case "t" if made_by(x, "t"):
            return x.op.inputs[0]
        case "transpose" if made_by(x, "transpose") and axes(op) == axes(x.op):
            return x.op.inputs[0]
        case "permute" if made_by(x, "permute") and undone(op, x.op):
            return x.op.inputs[0]
        case "pow_scalar" if op.params["exponent"] == 1 and memory.dense(x):
            return x
        case "pow_scalar" if op.params["exponent"] == 2:
            return make("square", x)
        case "mul" if x is inputs[1]:
            return make("square", x)
        case "mul":
            for one, other in (inputs, inputs[::-1]):
                if all_equal(one, 1) and keeps(other, one, out) and memory.dense(other):
                    return other
        case "div" if all_equal(inputs[1], 1) and keeps(x, inputs[1], out) and memory.dense(x):
            return x
        case "div" if power_of_two(inputs[1]):
            return make("mul", x, constant(new, op, 1 / inputs[1].op.params["value"]))
        case "sub" if all_equal(inputs[1], 0) and keeps(x, inputs[1], out) and memory.dense(x):
            return x
        case "sub" if made_by(inputs[1], "neg"):
            return make("add", x, inputs[1].op.inputs[0])
        case "add" if not out.dtype.is_floating:
            return without_zero(inputs, out, memory)
        case "add" if made_by(inputs[1], "neg"):
            return make("sub", x, inputs[1].op.inputs[0])
        case "add" if made_by(x, "neg"):
            return make("sub", inputs[1], x.op.inputs[0])
    if getattr(op.rule, "exact", False):
        return unspread(op, inputs, new, memory)
    return None


def nearly(op: Operation, inputs: list[Any], new: Block, memory: Memory) -> Any:
    if op.rule.name == "add":
        return without_zero(inputs, op.outputs[0], memory)
    if op.rule.name == "div" and is_const(inputs[1]) and np.all(inputs[1].op.params["value"] != 0):
        reciprocal = constant(new, op, silence().run(truediv, 1, inputs[1].op.params["value"]))
        if np.all(np.isfinite(reciprocal.op.params["value"])):
            rule = RULES["mul"]
            return emit(new, op, type_of(rule), [inputs[0], reciprocal], op.outputs, {}, rule).outputs[0]
    return None


def without_zero(inputs: list[Any], out: Any, memory: Memory) -> Any:
    for zero, other in (inputs, inputs[::-1]):
        if all_equal(zero, 0) and keeps(other, zero, out) and memory.dense(other):
            return other
    return None


# -- broadcasts ---------------------------------------------------------------------------------


def unspread(op: Operation, inputs: list[Any], new: Block, memory: Memory) -> Any:
    """Remove an explicit broadcast before an operator that broadcasts by itself."""
    spread = [t for t in inputs if made_by(t, "expand") or made_by(t, "ones_like")]
    rest = [t for t in inputs if t not in spread]
    for tensor in spread:
        if any(memory.alike(t, tensor) for t in rest):
            if made_by(tensor, "ones_like"):
                before = constant(new, op, np.ones((), tensor.dtype.numpy))
            else:
                before = tensor.op.inputs[0]
            narrowed = [before if t is tensor else t for t in inputs]
            return emit(new, op, op.type, narrowed, op.outputs, op.params, op.rule).outputs[0]
    return None


def same_size(op: Operation, inputs: list[Any], memory: Memory) -> bool:
    """Whether this reshape, broadcast or sum certainly has no effect."""
    x, out = inputs[0], op.outputs[0]
    if known(x.dims) and x.dims == out.dims:
        return True
    size = op.params["size"]
    return isinstance(size, Ref) and size.what == "shape" and memory.alike(x, inputs[size.input])


# -- tests --------------------------------------------------------------------------------------


def made_by(tensor: Any, rule: str) -> bool:
    op = tensor.op
    return op.rule is not None and op.rule.name == rule and op.type != "ReadVariable" and not op.control_inputs


def is_const(tensor: Any) -> bool:
    return tensor.op.type == "Const" and tensor.dtype.is_floating


def all_equal(tensor: Any, value: float) -> bool:
    """Whether this is a constant with only this value; -0 doesn't count as 0."""
    if tensor.op.type != "Const":
        return False
    array = tensor.op.params["value"]
    return bool(array.size and np.all(array == value) and not np.any(np.signbit(array)))


def power_of_two(tensor: Any) -> bool:
    if not is_const(tensor):
        return False
    mantissas, exponents = np.frexp(tensor.op.params["value"])
    return bool(np.all(np.abs(mantissas) == 0.5) and np.all(np.abs(exponents) < 14))  # 14: also exact in float16


def keeps(tensor: Any, other: Any, out: Any) -> bool:
    """Whether the result certainly has the shape of this operand."""
    return other.dims == () or (known(out.dims) and tensor.dims == out.dims)


def axes(op: Operation) -> set[int]:
    return {op.params["dim0"], op.params["dim1"]}


def undone(second: Operation, first: Operation) -> bool:
    order = first.params["dims"]
    return all(order[d] == i for i, d in enumerate(second.params["dims"]))


def constant(new: Block, op: Operation, value: Any) -> Any:
    made = emit(new, op, "Const", [], op.outputs, {"value": np.asarray(value)})
    made.outputs[0].dims, made.outputs[0].dtype = np.shape(value), op.inputs[0].dtype
    return made.outputs[0]
