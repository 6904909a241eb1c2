"""Datasets: they return examples by index or one after the other; some combine other datasets.

Imports creation.py and random. Read next: sampler.py, the order of the indices.
"""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ..._messages.foreign import refuse
from ..._tensors.creation import randperm
from ...random import Generator, default_generator

Example = TypeVar("Example", covariant=True)


class Dataset(Generic[Example]):
    """Examples by index: a subclass defines `__getitem__`, and `__len__` if a loader has to shuffle it.

    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 3
    ...     def __getitem__(self, i):
    ...         return i * i
    >>> (Squares() + Squares())[4]
    1
    """

    def __getitem__(self, index: Any) -> Example:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset) -> Dataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Example], Iterable[Example]):
    """Examples in a fixed order: a subclass defines `__iter__`. They can't be shuffled or accessed by index."""

    def __add__(self, other: Dataset) -> Dataset:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Any, ...]]):
    """The rows of tensors that have the same length; AssertionError if they don't.

    >>> import minigrad as torch
    >>> TensorDataset(torch.tensor([[1, 2], [3, 4]]), torch.tensor([0, 1]))[1]
    (tensor([3, 4]), tensor(1))
    """

    def __init__(self, *tensors: Any):
        refuse("TensorDataset()", tensors)
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class Subset(Dataset[Example]):
    """Some of a dataset's examples, those at `indices`.

    >>> [*Subset("abcdef", [4, 0])]
    ['e', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices
        kind = type(self)
        if kind.__getitem__ is not Subset.__getitem__ and kind.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(
                f"{kind.__name__} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding "
                "__getitem__, you must also override __getitems__ to ensure DataLoader works correctly with your "
                "custom logic. A simple implementation:\n\ndef __getitems__(self, indices):\n    return "
                "[self.__getitem__(idx) for idx in indices]"
            )

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """Several examples at once, as a loader requests them."""
        return examples(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset[Example]):
    """Several datasets, concatenated.

    >>> both = ConcatDataset(["ab", "cde"])
    >>> len(both), both[2], both[-1]
    (5, 'c', 'e')
    """

    def __init__(self, datasets: Iterable[Any]):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = [*itertools.accumulate(map(len, self.datasets))]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < -len(self):
            raise ValueError("absolute value of index should not exceed dataset length")
        idx += len(self) if idx < 0 else 0
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]


class ChainDataset(IterableDataset[Example]):
    """Several iterable datasets, one after the other."""

    def __init__(self, datasets: Iterable[Any]):
        self.datasets = datasets

    def _checked(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._checked():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._checked())


class StackDataset(Dataset[Any]):
    """Several datasets in parallel: an example is a tuple with one item from each, or a dict if they have names.

    >>> StackDataset(letter="ab", number=[1, 2])[1]
    {'letter': 'b', 'number': 2}
    """

    def __init__(self, *args: Any, **kwargs: Any):
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both "
                "types are given."
            )
        self.datasets: Any = args or kwargs
        if not self.datasets:
            raise ValueError("At least one dataset should be passed")
        lengths = {len(dataset) for dataset in args or kwargs.values()}
        if len(lengths) > 1:
            raise ValueError("Size mismatch between datasets")
        (self._length,) = lengths

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """Several examples at once, as a loader requests them."""
        named = isinstance(self.datasets, dict)
        columns = []
        for dataset in self.datasets.values() if named else self.datasets:
            columns.append(examples(dataset, indices))
            if len(columns[-1]) != len(indices):
                raise ValueError(
                    f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(columns[-1])}"
                )
        rows = [*zip(*columns, strict=True)]
        return [dict(zip(self.datasets, row, strict=True)) for row in rows] if named else rows

    def __len__(self) -> int:
        return self._length


def examples(dataset: Any, indices: Sequence[Any]) -> list[Any]:
    """The examples at these indices; in one call if the dataset defines `__getitems__`."""
    at_once = getattr(dataset, "__getitems__", None)
    return at_once(indices) if at_once else [dataset[i] for i in indices]


def random_split(dataset: Any, lengths: Sequence[float], generator: Generator | None = default_generator) -> list[Any]:
    """Split a dataset at random into parts of these lengths, or of these fractions, which must sum to 1.

    Fractions are rounded down; the remaining examples go to the first parts, one to each.
    Raises ValueError unless the lengths sum to the dataset's length.

    >>> import minigrad as torch
    >>> train, test = random_split(range(10), [0.7, 0.3], generator=torch.Generator().manual_seed(42))
    >>> len(train), [*test]
    (7, [9, 3, 7])
    """
    whole = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for i, fraction in enumerate(lengths):
            if not 0 <= fraction <= 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts = [math.floor(whole * fraction) for fraction in lengths]
        for i in range(whole - sum(counts)):
            counts[i % len(counts)] += 1
        for i, count in enumerate(counts):
            if not count:
                warnings.warn(
                    f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=2
                )
        lengths = counts
    if sum(lengths) != whole:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = iter(randperm(whole, generator=generator).tolist())
    return [Subset(dataset, [*itertools.islice(order, int(length))]) for length in lengths]
