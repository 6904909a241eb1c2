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
from ..ops.note import note
from ..ops.sizes import as_given, counted, no_axes, same, sliced, stacked_product, taken
from ..ops.standard import copied

RULES: dict[str, Rule] = dict(TABLE)


def row(kind: str, tensorflow: str, each: bool = False, **notes: Any) -> Any:
    """Enter the decorated value in this table alone, with what is known of it."""

    def enter(value: Any) -> Rule:
        rule = RULES[value.__name__] = Rule(value, "", kind, "keep", () if each else ("result",), each)
        note(rule, tensorflow=tensorflow, **notes)
        return rule

    return enter


def tensorflows(name: str) -> str:
    """What TensorFlow calls an operator: op.type, and the default names of what gradients add."""
    return getattr(RULES[name], "tensorflow", name)


# -- TensorFlow's own slopes --------------------------------------------------------------------


def other_slopes(name: str, **slopes: Any) -> None:
    """Let the row `name` have these slopes here, and no others."""
    theirs = TABLE[name]
    RULES[name] = copied(theirs, theirs.value, theirs.node_name, **slopes)


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

# -- sums of integers keep their type here, as in TensorFlow, and a nan has a nan for its sign ----------


def other_value(name: str, value: Any) -> None:
    """Let the row `name` compute its value so; its slopes stay."""
    theirs = RULES[name]
    RULES[name] = copied(theirs, value, theirs.node_name, **theirs.slopes)


other_value("sum", lambda xp, self: xp.sum(self, dtype=self.dtype))
other_value(
    "sum_dim", lambda xp, self, *, dim, keepdim=False: xp.sum(self, axis=dim, dtype=self.dtype, keepdims=keepdim)
)
other_value("prod", lambda xp, self: xp.prod(self, dtype=self.dtype))
other_value(
    "prod_dim", lambda xp, self, *, dim, keepdim=False: xp.prod(self, axis=dim, dtype=self.dtype, keepdims=keepdim)
)
other_value(
    "cumsum",
    lambda xp, self, *, dim: xp.cumulative_sum(self, axis=dim, dtype=self.dtype) if self.ndim else xp.sum(self),
)
other_value("sign", lambda xp, self: xp.sign(self))
note(RULES["sign"], ufunc="sign")

# -- rows that only a graph needs ---------------------------------------------------------------


@row("view", "Identity", shape=same, text="{0}", dense=True)
def identity(xp, self):
    return self


identity.slope(self=lambda F, grad: grad)


@row("view", "StopGradient", shape=same, text="{0}", dense=True)
def stop_gradient(xp, self):
    return self


@row("elementwise", "Square", ufunc="square")
def square(xp, self):
    return self * self


square.slope(self=lambda F, grad, self: grad * (self * 2))


@row("matmul", "BatchMatMulV2", shape=stacked_product, ufunc="matmul")
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


@row(
    "reduction",
    "SoftmaxCrossEntropyWithLogits",
    shape=lambda logits, labels: None if logits is None else logits[:-1],
)
def softmax_cross_entropy(xp, self, labels):
    """-Σ labels · log_softmax(self) along the last axis."""
    return -xp.sum(labels * RULES["log_softmax"].value(xp, self, dim=-1), axis=-1)


def _last(symbol: Any) -> int:
    return len(symbol.sizes) - 1


softmax_cross_entropy.slope(  # as TensorFlow has it: right where the labels of each row sum to 1
    self=lambda F, grad, self, labels: F.unsqueeze(grad, dim=_last(self)) * (F.softmax(self, dim=_last(self)) - labels),
    labels=lambda F, grad, self: F.unsqueeze(grad, dim=_last(self)) * -F.log_softmax(self, dim=_last(self)),
)


@row("shape", "GatherV2", shape=taken)
def take(xp, self, index, *, dim):
    """The parts at `index`, of any shape, along an axis."""
    return xp.take(self, index, axis=dim)


take.slope(self=lambda F, grad, index, self_sizes, dim: F.index_select_backward(grad, index, size=self_sizes, dim=dim))


@row("view", "StridedSlice", shape=sliced, text="{0}[{indices}]")
def strided_slice(xp, self, *, indices):
    return self[indices]


strided_slice.slope(
    self=lambda F, grad, self_sizes, indices: F.strided_slice_grad(grad, size=self_sizes, indices=indices)
)


@row("shape", "StridedSliceGrad", shape=as_given, fresh=True)
def strided_slice_grad(xp, self, *, size, indices):
    """Zeros of `size` with `self` in the slice."""
    out = xp.zeros(size, dtype=self.dtype)
    out[indices] = self
    return out


strided_slice_grad.slope(self=lambda F, grad, indices: F.strided_slice(grad, indices=indices))


@row(
    "view",
    "Split",
    each=True,
    shape=lambda dims, count, dim: [None if dims is None else (*dims[:dim], None, *dims[dim + 1 :])] * count,
)
def split_evenly(xp, self, *, count, dim):
    """So many equal parts of an axis whose length is known only now."""
    if self.shape[dim] % count:
        raise ValueError(
            "Number of ways to split should evenly divide the split dimension, "
            f"but got split_dim {dim} (size = {self.shape[dim]}) and num_split {count}"
        )
    return RULES["split"].value(xp, self, sizes=(self.shape[dim] // count,) * count, dim=dim)


split_evenly.slope(self=lambda F, grad, dim: F.cat(*grad, dim=dim))


@row("sum_to", "SumTo", shape=as_given, text="{0} if {0}.shape == {size} else sum_to({0}, {size})")
def sum_to(xp, self, *, size):
    """What broadcasting spread out, summed back to `size`; as it is if nothing was."""
    if self.shape == size:
        return self
    lead = self.ndim - len(size)
    spread = tuple(d for d, n in enumerate(self.shape) if d < lead or (size[d - lead] == 1 and n != 1))
    return xp.reshape(xp.sum(self, axis=spread, keepdims=True), size)


sum_to.slope(self=lambda F, grad, self_sizes: F.expand(grad, size=self_sizes))


@row(
    "question",
    "Shape",
    shape=lambda dims, dtype: (None if dims is None else len(dims),),
    text="array({0}.shape, {dtype})",
)
def shape_of(xp, self, *, dtype):
    return xp.asarray(self.shape, dtype=dtype)


@row("question", "Size", shape=no_axes)
def size_of(xp, self, *, dtype):
    return xp.asarray(self.size, dtype=dtype)


@row("question", "Dim", shape=no_axes, text="array({0}.shape[{dim}], {dtype})")
def dim_of(xp, self, *, dim, dtype):
    return xp.asarray(self.shape[dim], dtype=dtype)


@row("fill", "Fill", shape=as_given)
def fill_with(xp, *, size, value, dtype):
    return xp.full(size, value, dtype=dtype)


@row("fill", "Range", shape=counted)
def count_up(xp, *, start, stop, step, dtype):
    return xp.arange(start, stop, step, dtype=dtype)


@row("elementwise", "OnesLike")
def ones_like(xp, self):
    return xp.ones_like(self)


@row("list", "TensorArrayUnstack", shape=same, text="list({0})", dense=True)
def unstack_steps(xp, self):
    """The parts along the first axis, as a list: what a loop reads step by step."""
    return list(self)


unstack_steps.slope(self=lambda F, grad, self: F.stack_steps(grad, F.zeros_like(self)))


@row(
    "stack_steps",
    "TensorArrayStack",
    shape=lambda dims, like: None if dims is None else (None, *dims[1:]),
    fresh=True,
    dense=True,
)
def stack_steps(xp, steps, like):
    """A list of parts as one array; `like` gives the sizes where the list is empty."""
    return xp.stack(steps) if steps else like[:0]


stack_steps.slope(steps=lambda F, grad: F.unstack_steps(grad))


@row("list", "add_steps", shape=same)
def add_steps(xp, self, other):
    """Two lists, added step by step; a step may be a list itself, of an inner loop."""
    return [add_steps.value(xp, a, b) if isinstance(a, list) else a + b for a, b in zip(self, other, strict=True)]


add_steps.slope(self=lambda F, grad: grad, other=lambda F, grad: grad)


@row("list", "zero_steps", shape=same)
def zero_steps(xp, self):
    """A list of zeros, one of each step's size."""
    return [zero_steps.value(xp, a) if isinstance(a, list) else xp.zeros_like(a) for a in self]


@row("list", "no_steps", shape=same)
def no_steps(xp, self):
    """An empty list: what stands for a loop's values in the branch that was not taken."""
    return []
