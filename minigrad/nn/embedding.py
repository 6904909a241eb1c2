"""Embedding: a table of vectors, looked up by integers; and one_hot, the table of which is a unit matrix.

Imports module and init. Read next: recurrent.py, which often comes after it.
"""

from ..arguments import takes_tensors
from ..autograd.modes import no_grad
from ..compiled import OPERATORS
from ..creation import arange, empty
from ..dtypes import int64
from . import init
from .module import Module, unusual
from .parameter import Parameter


@takes_tensors
def embedding(input, weight, padding_idx=None):
    """Rows of `weight` (entries, features) by the integers `input`, of any size: (*input.shape, features).

    The row `padding_idx` gets no gradient.
    """
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    indices, count = input._data, weight._data.shape[0]
    if indices.dtype.kind != "i" or indices.dtype.itemsize < 4:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding)"
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise IndexError("index out of range in self")
    return OPERATORS["embedding"](weight, input, padding_idx=-1 if padding_idx is None else padding_idx % count)


@takes_tensors
def one_hot(tensor, num_classes=-1):
    """Integers of any size as rows of 0 with one 1: (*size, num_classes), int64. -1: one more than the largest.

    >>> import minigrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    if tensor.dtype is not int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() and tensor.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    elif tensor.numel() and tensor.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.unsqueeze(-1) == arange(num_classes, device=tensor.device)).long()


class Embedding(Module):
    """A row of `weight` (num_embeddings, embedding_dim) for each integer of the input, of any size.

    The rows start as standard normal numbers; the row `padding_idx` starts as zeros and gets no gradient.

    >>> import minigrad as torch
    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2], [4, 9]])).shape
    torch.Size([2, 2, 3])
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx=None, **kind):
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = Parameter(empty(num_embeddings, embedding_dim, **kind))
        self.reset_parameters()

    @no_grad()
    def reset_parameters(self) -> None:
        """Draw the rows anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight[self.padding_idx] = 0

    def forward(self, input):
        return embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}" + unusual(self, padding_idx=None)
