"""Embedding: a table of vectors, looked up by integers; one_hot does the same with a unit matrix as the table.

Imports module and init. Read next: recurrent.py, which often comes after it.
"""

from .._call.arguments import takes_tensors
from .._call.operators import OPERATORS
from .._machine.dtypes import bool as boolean
from .._machine.dtypes import int64
from .._tensors.creation import arange, empty
from ..autograd.grad_mode import no_grad
from . import init
from .module import Module, unusual
from .parameter import Parameter


@takes_tensors
def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """Rows of `weight` (entries, features) by the integers `input`, of any size: (*input.shape, features).

    The row `padding_idx` gets no gradient. Rows that are looked up and have a norm above `max_norm` are first
    scaled down to it, in place. `sparse` and `scale_grad_by_freq` are not supported.
    Raises IndexError for an integer outside the table.

    >>> table = torch.tensor([[0.0, 0.1], [1.0, 1.1], [2.0, 2.1]], requires_grad=True)
    >>> F.embedding(torch.tensor([2, 0, 2]), table).sum().backward()
    >>> table.grad
    tensor([[1., 1.],
            [0., 0.],
            [2., 2.]])
    """
    if scale_grad_by_freq or sparse:
        raise NotImplementedError("minigrad's embedding has neither scale_grad_by_freq nor sparse gradients")
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    padding_idx = _row_number(padding_idx, len(weight._data))
    indices, count = input._data, weight._data.shape[0]
    if indices.dtype.kind != "i" or indices.dtype.itemsize < 4:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{'CPUBoolType' if input.dtype is boolean else input.type()} instead (while "
            "checking arguments for embedding)"
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < count:
        raise IndexError("index out of range in self")
    if max_norm is not None:
        _shorten(weight, input, max_norm, norm_type)
    return OPERATORS["embedding"](weight, input, padding_idx=-1 if padding_idx is None else padding_idx)


def _row_number(index, count: int):
    """An index that may be negative, counted from the start; AssertionError if it is out of range."""
    if index is None or -count <= index < count:
        return index if index is None else index % count
    raise AssertionError("Padding_idx must be within num_embeddings")


@no_grad()
def _shorten(weight, input, max_norm, norm_type) -> None:
    for row in sorted({*input.reshape(-1).tolist()}):
        length = weight[row].norm(norm_type).item()
        if length > max_norm:
            weight[row] *= max_norm / (length + 1e-7)


@takes_tensors
def one_hot(tensor, num_classes=-1):
    """Integers of any size as rows of 0 with one 1: (*size, num_classes), int64. -1 means the largest integer + 1.

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
    """A row of `weight` (num_embeddings, embedding_dim) for each integer of the input, which may have any size.

    The rows start as standard normal numbers; the row `padding_idx` starts as zeros and gets no gradient.

    >>> import minigrad as torch
    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2], [4, 9]])).shape
    torch.Size([2, 2, 3])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = _row_number(padding_idx, num_embeddings)
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        if _weight is None:
            rows = empty(num_embeddings, embedding_dim, device=device, dtype=dtype)
            self.weight = Parameter(rows, requires_grad=not _freeze)
            self.reset_parameters()
        elif _weight.shape != (num_embeddings, embedding_dim):
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)
        self.sparse = sparse

    @classmethod
    def from_pretrained(
        cls,
        embeddings,
        freeze=True,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
    ):
        """An Embedding with the rows of a matrix, which are not trained unless `freeze` is False.

        >>> import minigrad as torch
        >>> torch.nn.Embedding.from_pretrained(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))(torch.tensor([1]))
        tensor([[3., 4.]])
        """
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        options = padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse
        return cls(rows, columns, *options, embeddings, freeze)

    @no_grad()
    def reset_parameters(self) -> None:
        """Draw the rows again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight[self.padding_idx] = 0

    def forward(self, input):
        options = self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        return embedding(input, self.weight, *options)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}" + unusual(
            self, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
        )
