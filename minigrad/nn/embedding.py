"""Embedding: a table of vectors, looked up by integers.

Imports module, init and functional. Read next: recurrent.py, which often comes after it.
"""

from __future__ import annotations

from typing import Any

from ..autograd.modes import no_grad
from ..creation import empty
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class Embedding(Module):
    """A row of `weight` (num_embeddings, embedding_dim) for each integer of the input, of any size.

    The rows start as standard normal numbers; the row `padding_idx` starts as zeros and gets no gradient.

    >>> import minigrad as torch
    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2], [4, 9]])).shape
    torch.Size([2, 2, 3])
    """

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, **kind: Any):
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.weight = Parameter(empty(num_embeddings, embedding_dim, **kind))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the rows anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx] = 0

    @classmethod
    def from_pretrained(cls, embeddings: Any, freeze: bool = True, padding_idx: int | None = None) -> Embedding:
        """An Embedding with the rows given, which don't learn unless `freeze` is False."""
        rows, columns = embeddings.shape
        out = cls(rows, columns, padding_idx)
        out.weight = Parameter(embeddings, requires_grad=not freeze)
        return out

    def forward(self, input: Any) -> Any:
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
