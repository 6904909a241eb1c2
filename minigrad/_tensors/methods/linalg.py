"""Products of vectors and matrices; `matmul` picks among them by the number of axes, as in PyTorch.

Each function is written once; named in the class below, it is a method too.
Imports operators, inplace, check and arguments. Read next: indexing.py.
"""

import math

from ..._call.arguments import takes_tensors
from ..._call.check import broadcast
from ..._call.operators import OPERATORS as _op
from ..._engine.storage import TensorBase
from ..._engine.views import own
from ..._messages.foreign import not_ours
from ...ops.note import known
from ..inplace import in_place


@takes_tensors
def mm(input, mat2):
    """Matrices (n, k) and (k, m) give (n, m); RuntimeError for other shapes.

    >>> torch.mm(torch.tensor([[1, 2], [3, 4]]), torch.tensor([[1, 0], [0, 10]]))
    tensor([[ 1, 20],
            [ 3, 40]])
    """
    if input._data.ndim != 2 or mat2._data.ndim != 2:
        raise RuntimeError(f"{'self' if input._data.ndim != 2 else 'mat2'} must be a matrix")
    return _op["mm"](input, mat2)


@takes_tensors
def mv(input, vec):
    """A matrix times a vector. Raises RuntimeError unless they are (n, k) and (k).

    >>> torch.mv(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]))
    tensor([21, 43])
    """
    if input._data.ndim != 2 or vec._data.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input._data.ndim}, {vec._data.ndim}")
    return _op["mv"](input, vec)


@takes_tensors
def bmm(input, mat2):
    """Stacks (B, n, k) and (B, k, m) give (B, n, m); RuntimeError for other shapes.

    >>> torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    if input._data.ndim != 3 or mat2._data.ndim != 3:
        raise RuntimeError(f"{'batch1' if input._data.ndim != 3 else 'batch2'} must be a 3D tensor")
    (n, _, k), (m, rows, _) = input._data.shape, mat2._data.shape
    if n != m or k != rows:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{n}, {k}] but got: [{m}, {rows}]."
        )
    return _op["bmm"](input, mat2)


@takes_tensors
def dot(input, tensor):
    """Σ input · tensor of two vectors. Raises RuntimeError unless both are vectors of the same length.

    >>> a = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.dot(a, torch.tensor([3.0, 4.0])).backward()
    >>> a.grad
    tensor([3., 4.])
    """
    if input._data.ndim != 1 or tensor._data.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input._data.ndim}D and {tensor._data.ndim}D tensors")
    return _op["dot"](input, tensor)


@takes_tensors
@known(out=True)
def outer(input, vec2):
    """Every product of an element of one vector with one of the other. Raises RuntimeError unless both are vectors.

    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([10, 20, 30]))
    tensor([[10, 20, 30],
            [20, 40, 60]])
    """
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector._data.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector._data.ndim}-D")
    return input.view(-1, 1) * vec2


@takes_tensors
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """`beta * input + alpha * (mat1 @ mat2)`. Raises RuntimeError unless `input` broadcasts to the size of the product.

    >>> A, B = torch.ones(2, 3), torch.ones(3, 2)
    >>> torch.addmm(torch.tensor([10.0, 20.0]), A, B)  # the bias of a layer
    tensor([[13., 23.],
            [13., 23.]])
    """
    for name, matrix in (("mat1", mat1), ("mat2", mat2)):
        if matrix._data.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {matrix._data.ndim}-D tensor")
    return _op["addmm"](input, mat1, mat2, beta=beta, alpha=alpha)


@takes_tensors
@known(out="of its type")
def matmul(input, other):
    """`input @ other`: dot, mv, mm or bmm; axes before the last two broadcast.

    Raises RuntimeError unless the inner sizes agree, as in (…, n, k) and (…, k, m).

    >>> W, x = torch.ones(2, 3, requires_grad=True), torch.tensor([1.0, 2.0, 3.0])
    >>> torch.matmul(W, x).sum().backward()
    >>> W.grad
    tensor([[1., 2., 3.],
            [1., 2., 3.]])
    """
    m, n = input._data.ndim, other._data.ndim
    if m == 2 and n == 2:
        return _op["mm"](input, other)
    if not m or not n:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D")
    if m == 1 and n == 1:
        return _op["dot"](input, other)
    if m == 2 and n == 1:
        return _op["mv"](input, other)
    if m == 1 and n == 2:
        return own(_op["squeeze_last"](_op["mm"](input.unsqueeze(0), other), dim=(0,)))
    if m == 3 and n == 3 and len(input._data) != len(other._data):  # of a stack of one, only one gradient is needed
        if len(input._data) == 1 and input._requires_grad:
            return matmul(input.squeeze(0), other)
        if len(other._data) == 1 and other._requires_grad:
            return matmul(input, other.squeeze(0))
    if n <= 2 and _folds(input, other):
        return _folded(input, other)
    if m <= 2 and (input._requires_grad or (m == 1 and _folds(other.mT, input))):
        product = _folded(other.mT, input if m == 1 else input.t())  # from the transposes, so transposed
        return product if m == 1 else product.mT.contiguous()
    rows, columns = input._data.shape[-2:-1] if m > 1 else (), other._data.shape[-1:] if n > 1 else ()
    pair = (input if m > 1 else input.unsqueeze(0)), (other if n > 1 else other.unsqueeze(1))
    lead = broadcast(*(x._data.shape[:-2] for x in pair))
    stacks = [x.expand(*lead, -1, -1).reshape(math.prod(lead), *x._data.shape[-2:]) for x in pair]
    return _op["reshape_to"](bmm(*stacks), size=(*lead, *rows, *columns))


def _folds(many, other):
    """Is one product of all rows cheaper than a product for each matrix? Yes, if the memory is contiguous enough."""
    if other._requires_grad or not many._data.size:
        return True
    shape, strides = many._data.shape, many.stride()
    return all(strides[i] == strides[i + 1] * shape[i + 1] for i in range(len(shape) - 2))


def _folded(many, other):
    """A stack of matrices times one matrix or vector, as a single product of all rows."""
    *lead, inner = many._data.shape
    product = _op["mv" if other._data.ndim == 1 else "mm"](many.reshape(math.prod(lead), inner), other)
    return _op["reshape_to"](product, size=(*lead, *other._data.shape[1:]))


_product = matmul.__wrapped__  # for calls whose arguments need no checks


class Linalg(TensorBase):
    """Mixed into Tensor: the functions above as methods."""

    __slots__ = ()

    mm, mv, bmm, dot, outer, addmm, matmul = mm, mv, bmm, dot, outer, addmm, matmul

    def __matmul__(self, other):
        return _product(self, other) if isinstance(other, TensorBase) else not_ours(other)

    @takes_tensors
    def addmm_(self, mat1, mat2, *, beta=1, alpha=1):
        """`addmm` in place."""
        size = [*mat1._data.shape[:1], *mat2._data.shape[1:]]
        if list(self._data.shape) != size:
            raise RuntimeError(
                f"Bad in-place call: input tensor size {list(self._data.shape)} and output tensor size {size} should "
                "match"
            )
        return in_place("addmm", self, mat1, mat2, beta=beta, alpha=alpha)


__all__ = [name for name in vars(Linalg) if name in globals() and name[0] != "_"]
