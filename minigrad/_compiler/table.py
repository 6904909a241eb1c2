"""The rule table for graphs: the rows of the dynamic engine, and a few that only a graph needs.

These are shapes read at run time, slices, and lists of a loop's steps. Imports rules and ops. Read next: build.py.
"""

from __future__ import annotations

from typing import Any

from ..core.rules import Rule
from ..ops import TABLE
from ..ops.note import note
from ..ops.sizes import as_given, counted, no_axes, same, sliced, stacked_product, taken

RULES: dict[str, Rule] = dict(TABLE)


def row(kind: str, tensorflow: str, each: bool = False, into: dict[str, Rule] = RULES, **notes: Any) -> Any:
    """Add the decorated function to this table only, or to another one, with notes about it."""

    def enter(value: Any) -> Rule:
        rule = into[value.__name__] = Rule(value, "", kind, "keep", () if each else ("result",), each)
        note(rule, tensorflow=tensorflow, **notes)
        return rule

    return enter


def type_of(rule: Rule) -> str:
    """TensorFlow's name of an operator: op.type, and the default name of operations that gradients add."""
    return getattr(rule, "tensorflow", rule.name)


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
    """The product of stacks of matrices; the axes before the last two broadcast."""
    return self @ mat2


def _turned(F: Any, stack: Any) -> Any:
    n = len(stack.sizes)
    return F.transpose(stack, dim0=n - 2, dim1=n - 1)


batch_mm.slope(
    self=lambda F, grad, mat2: F.batch_mm(grad, _turned(F, mat2)),
    mat2=lambda F, grad, self: F.batch_mm(_turned(F, self), grad),
)


@row("shape", "GatherV2", shape=taken)
def take(xp, self, index, *, dim):
    """The elements at `index`, which may have any shape, along an axis."""
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
    """Zeros of `size`, with `self` in the slice."""
    out = xp.zeros(size, dtype=self.dtype)
    out[indices] = self
    return out


strided_slice_grad.slope(self=lambda F, grad, indices: F.strided_slice(grad, indices=indices))


@row("sum_to", "SumTo", shape=as_given, text="{0} if {0}.shape == {size} else sum_to({0}, {size})")
def sum_to(xp, self, *, size):
    """Sum over broadcast axes back to `size`; unchanged if there are none."""
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
    """The parts along the first axis as a list, from which a loop reads its steps."""
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
    """A list of parts as one array; `like` has its shape if the list is empty."""
    return xp.stack(steps) if steps else like[:0]


stack_steps.slope(steps=lambda F, grad: F.unstack_steps(grad))


@row("list", "add_steps", shape=same)
def add_steps(xp, self, other):
    """Two lists, added step by step; a step of an outer loop may itself be a list."""
    return [add_steps.value(xp, a, b) if isinstance(a, list) else a + b for a, b in zip(self, other, strict=True)]


add_steps.slope(self=lambda F, grad: grad, other=lambda F, grad: grad)


@row("list", "zero_steps", shape=same)
def zero_steps(xp, self):
    """A list of zeros, with the sizes of the steps."""
    return [zero_steps.value(xp, a) if isinstance(a, list) else xp.zeros_like(a) for a in self]


@row("list", "no_steps", shape=same)
def no_steps(xp, self):
    """An empty list, for a loop inside a branch that was not taken."""
    return []
