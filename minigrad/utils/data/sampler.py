"""Samplers: the order in which a loader reads the examples.

A sampler gives indices, BatchSampler gives lists of them. For the same seed, they are the same as PyTorch's.
Imports creation.py and random. Read next: dataloader.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

from ..._machine import dtypes
from ..._tensors.creation import as_tensor, empty, randint, randperm
from ..._tensors.methods.random import multinomial
from ...random import Generator

Index = TypeVar("Index", covariant=True)


class Sampler(Generic[Index]):
    """An iterable of indices. A subclass defines `__iter__`, and `__len__` if the length is known."""

    def __iter__(self) -> Iterator[Index]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """0, 1, 2 …"""

    def __init__(self, data_source: Sized):
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Each index once, in random order, and again from the start if `num_samples` is larger; or, with `replacement`,
    any index at each draw.

    Without a generator it creates one from a drawn seed, so an epoch draws one number from the default generator.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> [*RandomSampler("abcd")]
    [2, 3, 0, 1]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ):
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={self.num_samples}")

    @property
    def num_samples(self) -> int:
        """The number of indices, by default the number of examples."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator or Generator().manual_seed(draw_seed())
        n, count = len(self.data_source), self.num_samples
        if self.replacement:
            for start in range(0, count, 32):
                yield from randint(n, (min(32, count - start),), generator=generator).tolist()
            return
        for _ in range(count // n):
            yield from randperm(n, generator=generator).tolist()
        yield from randperm(n, generator=generator).tolist()[: count % n]  # drawn even if count % n is 0, as in PyTorch

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """These indices in random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None):
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` random indices, each with a probability proportional to its weight; without replacement, each once.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> [*WeightedRandomSampler([0.0, 1.0, 9.0], 5)]
    [2, 2, 2, 2, 2]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ):
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        self.weights: Any = as_tensor(weights, dtype=dtypes.float64)
        if self.weights.dim() != 1:
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {tuple(self.weights.shape)}"
            )
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        yield from multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler, in lists of `batch_size`; the last may be shorter, unless `drop_last`.

    >>> [*BatchSampler(range(5), 2, drop_last=False)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := [*islice(indices, self.batch_size)]:
            if len(batch) < self.batch_size and self.drop_last:
                return
            yield batch

    def __len__(self) -> int:
        count = len(self.sampler)  # type: ignore[arg-type]
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def draw_seed(generator: Generator | None = None) -> int:
    """A random non-negative int64 from the generator, to be used as a seed."""
    return empty((), dtype=dtypes.int64).random_(generator=generator).item()
