"""Products of vectors and matrices; `matmul` picks among them by the number of axes, as in PyTorch.

Imports dispatch and check. Read next: methods/indexing.py.
"""

from __future__ import annotations

import math
from typing import Any

from ..check import broadcast
from ..compiled import OPERATORS
from ..inplace import in_place
from ..storage import TensorBase

_op = OPERATORS


def _folded(many: Any, other: Any) -> Any:
    """A stack of matrices times one matrix or vector: one product of all the rows there are."""
    *lead, inner = many._data.shape
    rows = many.reshape(math.prod(lead), inner)
    product = rows.mv(other) if other._data.ndim == 1 else rows.mm(other)
    return _op["reshape_to"](product, size=(*lead, *other._data.shape[1:]))


class Linalg(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    def mm(self: Any, mat2: Any) -> Any:
        """The product of two matrices."""
        if self._data.ndim != 2:
            raise RuntimeError("self must be a matrix")
        if mat2._data.ndim != 2:
            raise RuntimeError("mat2 must be a matrix")
        return _op["mm"](self, mat2)

    def mv(self: Any, vec: Any) -> Any:
        """A matrix times a vector."""
        if self._data.ndim != 2 or vec._data.ndim != 1:
            raise RuntimeError(f"vector + matrix @ vector expected, got {1}, {self._data.ndim}, {vec._data.ndim}")
        return _op["mv"](self, vec)

    def bmm(self: Any, mat2: Any) -> Any:
        """The products of two stacks of matrices, one by one."""
        if self._data.ndim != 3:
            raise RuntimeError("batch1 must be a 3D tensor")
        if mat2._data.ndim != 3:
            raise RuntimeError("batch2 must be a 3D tensor")
        (n, _, k), (m, rows, _) = self._data.shape, mat2._data.shape
        if n != m or k != rows:
            raise RuntimeError(
                f"Expected size for first two dimensions of batch2 tensor to be: [{n}, {k}] but got: [{m}, {rows}]."
            )
        return _op["bmm"](self, mat2)

    def dot(self: Any, tensor: Any) -> Any:
        """Σ self · tensor of two vectors."""
        if self._data.ndim != 1 or tensor._data.ndim != 1:
            raise RuntimeError(f"1D tensors expected, but got {self._data.ndim}D and {tensor._data.ndim}D tensors")
        return _op["dot"](self, tensor)

    def outer(self: Any, vec2: Any) -> Any:
        """Every product of an element of one vector with one of the other."""
        for name, v in (("self", self), ("vec2", vec2)):
            if v._data.ndim != 1:
                raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {v._data.ndim}-D")
        return self.view(-1, 1) * vec2

    def addmm(self: Any, mat1: Any, mat2: Any, *, beta: float = 1, alpha: float = 1) -> Any:
        """`beta * self + alpha * (mat1 @ mat2)`."""
        if mat1._data.ndim != 2 or mat2._data.ndim != 2:
            which, n = ("mat1", mat1._data.ndim) if mat1._data.ndim != 2 else ("mat2", mat2._data.ndim)
            raise RuntimeError(f"{which} must be a matrix, got {n}-D tensor")
        return _op["addmm"](self, mat1, mat2, beta=beta, alpha=alpha)

    def matmul(self: Any, other: Any) -> Any:
        """`self @ other`: dot, mv, mm or bmm; axes before the last two broadcast."""
        if not isinstance(other, TensorBase):
            raise TypeError(f"matmul(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")
        m, n = self._data.ndim, other._data.ndim
        if m == 2 and n == 2:
            return _op["mm"](self, other)
        if not m or not n:
            raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D")
        if m == 1 and n == 1:
            return self.dot(other)
        if m == 2 and n == 1:
            return _op["mv"](self, other)
        if m == 1 and n == 2:
            return _op["squeeze_last"](self.unsqueeze(0).mm(other), dim=(0,))
        if n <= 2:
            return _folded(self, other)
        if m <= 2:  # the transpose of the folded product of the transposes
            product = _folded(other.mT, self if m == 1 else self.t())
            return product if m == 1 else product.mT.contiguous()
        (*_, rows, inner), (*_, inner_too, columns) = self._data.shape, other._data.shape
        lead = broadcast(self._data.shape[:-2], other._data.shape[:-2])
        count = math.prod(lead)
        a = self.expand(*lead, rows, inner).reshape(count, rows, inner)
        b = other.expand(*lead, inner_too, columns).reshape(count, inner_too, columns)
        return _op["reshape_to"](a.bmm(b), size=(*lead, rows, columns))

    __matmul__ = matmul

    def addmm_(self: Any, mat1: Any, mat2: Any, *, beta: float = 1, alpha: float = 1) -> Any:
        """`addmm` in place."""
        size = [*mat1._data.shape[:1], *mat2._data.shape[1:]]
        if list(self._data.shape) != size:
            raise RuntimeError(
                f"Bad in-place call: input tensor size {list(self._data.shape)} and output tensor size {size} should "
                "match"
            )
        return in_place("addmm", self, mat1, mat2, beta=beta, alpha=alpha)
