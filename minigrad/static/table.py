"""The rule table as the static engine reads it: the shared rows, TensorFlow's own slopes, and a few rows more.

Nearly every operator is the same row that the dynamic engine runs. Where TensorFlow's derivative differs from
PyTorch's, `overrides` gives the same value other slopes: this is the one list of such differences. The rows
that follow it are what only a graph needs: shapes that are read at run time, lists of a loop's steps.
Imports rules and ops. Read next: shapes.py.
"""

from __future__ import annotations

from typing import Any

from ..core.rules import Rule
from ..ops import TABLE

RULES: dict[str, Rule] = dict(TABLE)


def row(kind: str, outputs: tuple[str, ...] = ("result",)) -> Any:
    """Enter the decorated value in this table alone."""

    def enter(value: Any) -> Rule:
        rule = RULES[value.__name__] = Rule(value, "", kind, "keep", outputs)
        return rule

    return enter


# -- TensorFlow's own slopes --------------------------------------------------------------------


def other_slopes(name: str, **slopes: Any) -> None:
    """Let the row `name` have these slopes here, and no others."""
    theirs = TABLE[name]
    ours = RULES[name] = Rule(theirs.value, theirs.node_name, theirs.kind, theirs.dtypes, theirs.outputs)
    ours.slope(**slopes)


def overrides() -> None:
    """Where TensorFlow's derivative is not PyTorch's."""
    # At a tie the first input gets the whole gradient; PyTorch gives half to each
    other_slopes(
        "maximum",
        self=lambda F, grad, self, other: F.where(self >= other, grad, 0.0),
        other=lambda F, grad, self, other: F.where(self >= other, 0.0, grad),
    )
    other_slopes(
        "minimum",
        self=lambda F, grad, self, other: F.where(self <= other, grad, 0.0),
        other=lambda F, grad, self, other: F.where(self <= other, 0.0, grad),
    )
    # A power's exponent gets 0, not nan, where the base is negative
    other_slopes(
        "pow",
        self=lambda F, grad, self, exponent: grad * (exponent * F.pow(self, exponent - 1)),
        exponent=lambda F, grad, self, result: (
            grad * (result * F.where(self > 0, F.log(F.where(self > 0, self, 1.0)), 0.0))
        ),
    )
    # A step has no gradient (None); PyTorch gives zeros
    for step in ("floor", "ceil", "round"):
        other_slopes(step)


overrides()

# -- sums of integers keep their type here, as in TensorFlow ------------------------------------


def other_value(name: str, value: Any) -> None:
    """Let the row `name` compute its value so; its slopes stay."""
    theirs = RULES[name]
    ours = RULES[name] = Rule(value, theirs.node_name, theirs.kind, theirs.dtypes, theirs.outputs)
    ours.name, ours.slopes, ours.needs = name, theirs.slopes, theirs.needs


other_value("sum", lambda xp, self: xp.sum(self, dtype=self.dtype))
other_value(
    "sum_dim", lambda xp, self, *, dim, keepdim=False: xp.sum(self, axis=dim, dtype=self.dtype, keepdims=keepdim)
)
other_value("prod", lambda xp, self: xp.prod(self, dtype=self.dtype))
other_value(
    "prod_dim", lambda xp, self, *, dim, keepdim=False: xp.prod(self, axis=dim, dtype=self.dtype, keepdims=keepdim)
)
other_value("cumsum", lambda xp, self, *, dim: xp.cumulative_sum(self, axis=dim, dtype=self.dtype))

# -- rows that only a graph needs ---------------------------------------------------------------


@row("view")
def identity(xp, self):
    return self


identity.slope(self=lambda F, grad: grad)


@row("view")
def stop_gradient(xp, self):
    return self


@row("elementwise")
def square(xp, self):
    return self * self


square.slope(self=lambda F, grad, self: grad * (self * 2))


@row("matmul")
def batch_mm(xp, self, mat2):
    """Stacks of matrices; the axes before the last two broadcast."""
    return self @ mat2


def _turned(F: Any, stack: Any) -> Any:
    n = len(stack.sizes)
    return F.transpose(stack, dim0=n - 2, dim1=n - 1)


batch_mm.slope(
    self=lambda F, grad, mat2: F.batch_mm(grad, _turned(F, mat2)),
    mat2=lambda F, grad, self: F.batch_mm(_turned(F, self), grad),
)


@row("reduction")
def softmax_cross_entropy(xp, self, labels):
    """-Σ labels · log_softmax(self) along the last axis."""
    return -xp.sum(labels * RULES["log_softmax"].value(xp, self, dim=-1), axis=-1)


def _last(symbol: Any) -> int:
    return len(symbol.sizes) - 1


softmax_cross_entropy.slope(  # as TensorFlow has it: right where the labels of each row sum to 1
    self=lambda F, grad, self, labels: F.unsqueeze(grad, dim=_last(self)) * (F.softmax(self, dim=_last(self)) - labels),
    labels=lambda F, grad, self: F.unsqueeze(grad, dim=_last(self)) * -F.log_softmax(self, dim=_last(self)),
)


@row("shape")
def take(xp, self, index, *, dim):
    """The parts at `index`, of any shape, along an axis."""
    return xp.take(self, index, axis=dim)


take.slope(self=lambda F, grad, index, self_sizes, dim: F.index_select_backward(grad, index, size=self_sizes, dim=dim))


@row("view")
def strided_slice(xp, self, *, indices):
    return self[indices]


strided_slice.slope(
    self=lambda F, grad, self_sizes, indices: F.strided_slice_grad(grad, size=self_sizes, indices=indices)
)


@row("shape")
def strided_slice_grad(xp, self, *, size, indices):
    """Zeros of `size` with `self` in the slice."""
    out = xp.zeros(size, dtype=self.dtype)
    out[indices] = self
    return out


strided_slice_grad.slope(self=lambda F, grad, indices: F.strided_slice(grad, indices=indices))


@row("sum_to")
def sum_to(xp, self, *, size):
    """What broadcasting spread out, summed back to `size`; as it is if nothing was."""
    if self.shape == size:
        return self
    lead = self.ndim - len(size)
    spread = tuple(d for d, n in enumerate(self.shape) if d < lead or (size[d - lead] == 1 and n != 1))
    return xp.reshape(xp.sum(self, axis=spread, keepdims=True), size)


sum_to.slope(self=lambda F, grad, self_sizes: F.expand(grad, size=self_sizes))


@row("question")
def shape_of(xp, self, *, dtype):
    return xp.asarray(self.shape, dtype=dtype)


@row("question")
def size_of(xp, self, *, dtype):
    return xp.asarray(self.size, dtype=dtype)


@row("question")
def dim_of(xp, self, *, dim, dtype):
    return xp.asarray(self.shape[dim], dtype=dtype)


@row("fill")
def fill_with(xp, *, size, value, dtype):
    return xp.full(size, value, dtype=dtype)


@row("fill")
def count_up(xp, *, start, stop, step, dtype):
    return xp.arange(start, stop, step, dtype=dtype)


@row("elementwise")
def ones_like(xp, self):
    return xp.ones_like(self)


@row("list")
def unstack_steps(xp, self):
    """The parts along the first axis, as a list: what a loop reads step by step."""
    return list(self)


unstack_steps.slope(self=lambda F, grad, self: F.stack_steps(grad, F.zeros_like(self)))


@row("stack_steps")
def stack_steps(xp, steps, like):
    """A list of parts as one array; `like` gives the sizes where the list is empty."""
    return xp.stack(steps) if steps else like[:0]


stack_steps.slope(steps=lambda F, grad: F.unstack_steps(grad))


@row("list")
def add_steps(xp, self, other):
    """Two lists, added step by step; a step may be a list itself, of an inner loop."""
    return [add_steps.value(xp, a, b) if isinstance(a, list) else a + b for a, b in zip(self, other, strict=True)]


add_steps.slope(self=lambda F, grad: grad, other=lambda F, grad: grad)


@row("list")
def zero_steps(xp, self):
    """A list of zeros, one of each step's size."""
    return [zero_steps.value(xp, a) if isinstance(a, list) else xp.zeros_like(a) for a in self]


@row("list")
def no_steps(xp, self):
    """An empty list: what stands for a loop's values in the branch that was not taken."""
    return []


# What TensorFlow calls the operators (op.type, and the default names of what gradients add)
TYPES = {
    "abs": "Abs", "add": "AddV2", "all": "All", "amax": "Max", "amin": "Min", "any": "Any", "argmax": "ArgMax",
    "argmin": "ArgMin", "batch_mm": "BatchMatMulV2", "cat": "ConcatV2", "ceil": "Ceil", "clamp": "ClipByValue",
    "cos": "Cos", "cosh": "Cosh", "count_up": "Range", "cumsum": "Cumsum", "dim_of": "Dim", "div": "RealDiv",
    "elu": "Elu", "eq": "Equal", "erf": "Erf", "exp": "Exp", "expand": "BroadcastTo", "expm1": "Expm1",
    "fill_with": "Fill", "floor": "Floor", "floor_divide": "FloorDiv", "gather": "GatherAlong", "ge": "GreaterEqual",
    "gt": "Greater", "identity": "Identity", "take": "GatherV2", "isfinite": "IsFinite", "isinf": "IsInf",
    "isnan": "IsNan", "le": "LessEqual", "leaky_relu": "LeakyRelu", "log": "Log", "log1p": "Log1p",
    "log_softmax": "LogSoftmax", "logical_and": "LogicalAnd", "logical_not": "LogicalNot",
    "logical_or": "LogicalOr", "logical_xor": "LogicalXor", "logsigmoid": "LogSigmoid", "logsumexp": "LogSumExp",
    "lt": "Less", "max_all": "Max", "maximum": "Maximum", "mean": "Mean", "mean_dim": "Mean", "min_all": "Min",
    "minimum": "Minimum", "mm": "MatMul", "mul": "Mul", "ne": "NotEqual", "neg": "Neg", "ones_like": "OnesLike",
    "permute": "Transpose", "pow": "Pow", "pow_scalar": "Pow", "prod": "Prod", "prod_dim": "Prod",
    "reciprocal": "Reciprocal", "relu": "Relu", "remainder": "FloorMod", "repeat": "Tile", "reshape_to": "Reshape",
    "round": "Round", "rsqrt": "Rsqrt", "shape_of": "Shape", "sigmoid": "Sigmoid", "sign": "Sign", "silu": "Silu",
    "sin": "Sin", "sinh": "Sinh", "size_of": "Size", "softmax": "Softmax",
    "softmax_cross_entropy": "SoftmaxCrossEntropyWithLogits", "softplus": "Softplus", "sqrt": "Sqrt",
    "square": "Square", "squeeze_dim": "Squeeze", "stack": "Pack", "stop_gradient": "StopGradient",
    "strided_slice": "StridedSlice", "strided_slice_grad": "StridedSliceGrad", "sub": "Sub", "sum": "Sum",
    "sum_dim": "Sum", "sum_to": "SumTo", "t": "Transpose", "tan": "Tan", "tanh": "Tanh", "to_copy": "Cast",
    "transpose": "Transpose", "unsqueeze": "ExpandDims", "where": "Select", "zeros_like": "ZerosLike",
    "expand_like": "BroadcastTo", "stack_steps": "TensorArrayStack", "unstack_steps": "TensorArrayUnstack",
    "split": "Split", "unbind": "Unpack",
}  # fmt: skip
