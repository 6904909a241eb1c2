"""TensorFlow's rule table: the compiler's rows, TensorFlow's derivatives, and two additional operators.

Nearly every operator is the row that the dynamic engine uses. Where TensorFlow's derivative differs from
PyTorch's, `overrides` replaces the derivative: it is the only list of such differences.
Imports the compiler's table. Read next: graph.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.table import RULES as PLAIN
from .._compiler.table import row
from ..core.rules import Rule
from ..ops import TABLE
from ..ops.note import note
from ..ops.standard import copied

RULES: dict[str, Rule] = dict(PLAIN)

# -- TensorFlow's own derivatives ---------------------------------------------------------------


def other_slopes(name: str, **slopes: Any) -> None:
    """Replace the derivatives of the row `name`; inputs that are not given have none."""
    theirs = TABLE[name]
    RULES[name] = copied(theirs, theirs.value, theirs.node_name, **slopes)


def overrides() -> None:
    """Operators whose derivative differs from PyTorch's."""
    # At a tie, the first input gets the whole gradient; PyTorch gives half to each
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
    # If the base is negative, the exponent's derivative is 0 instead of nan
    other_slopes(
        "pow",
        self=lambda F, grad, self, exponent: grad * (exponent * F.pow(self, exponent - 1)),
        exponent=lambda F, grad, self, result: (
            grad * (result * F.where(self > 0, F.log(F.where(self > 0, self, 1.0)), 0.0))
        ),
    )
    # A step function has no gradient (None); PyTorch gives zeros
    for step in ("floor", "ceil", "round"):
        other_slopes(step)


overrides()

# -- sums of integers keep their dtype as in TensorFlow, and the sign of nan is nan ---------------------


def other_value(name: str, value: Any) -> None:
    """Replace the value of the row `name`; its derivatives stay."""
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
    lambda xp, self, *, dim: (
        (np.cumsum if xp is np else xp.cumulative_sum)(self, axis=dim, dtype=self.dtype) if self.ndim else xp.sum(self)
    ),
)
other_value("sign", lambda xp, self: xp.sign(self))
note(RULES["sign"], ufunc="sign")

# -- two additional operators ------------------------------------------------------------------------


@row(
    "reduction",
    "SoftmaxCrossEntropyWithLogits",
    into=RULES,
    shape=lambda logits, labels: None if logits is None else logits[:-1],
)
def softmax_cross_entropy(xp, self, labels):
    """-Σ labels · log_softmax(self) along the last axis."""
    return -xp.sum(labels * RULES["log_softmax"].value(xp, self, dim=-1), axis=-1)


def _last(symbol: Any) -> int:
    return len(symbol.sizes) - 1


softmax_cross_entropy.slope(  # as in TensorFlow: correct if the labels of each row sum to 1
    self=lambda F, grad, self, labels: F.unsqueeze(grad, dim=_last(self)) * (F.softmax(self, dim=_last(self)) - labels),
    labels=lambda F, grad, self: F.unsqueeze(grad, dim=_last(self)) * -F.log_softmax(self, dim=_last(self)),
)


@row(
    "view",
    "Split",
    each=True,
    into=RULES,
    shape=lambda dims, count, dim: [None if dims is None else (*dims[:dim], None, *dims[dim + 1 :])] * count,
)
def split_evenly(xp, self, *, count, dim):
    """Split an axis into `count` equal parts, if its length is known only at run time."""
    if self.shape[dim] % count:
        raise ValueError(
            "Number of ways to split should evenly divide the split dimension, "
            f"but got split_dim {dim} (size = {self.shape[dim]}) and num_split {count}"
        )
    return RULES["split"].value(xp, self, sizes=(self.shape[dim] // count,) * count, dim=dim)


split_evenly.slope(self=lambda F, grad, dim: F.cat(*grad, dim=dim))
