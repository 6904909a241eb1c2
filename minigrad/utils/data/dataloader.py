"""DataLoader: batches of a dataset's examples, epoch after epoch.

Imports sampler, collate and worker. Read next: worker.py, which handles `num_workers`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, Generic, TypeVar

from ..._machine.device import is_available
from ...random import Generator
from .collate import default_collate, default_convert
from .dataset import IterableDataset, examples
from .sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed
from .worker import Worker

Example = TypeVar("Example", covariant=True)
FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class Endless:
    """The sampler of an iterable dataset: None again and again, because such a dataset takes no index."""

    def __iter__(self) -> Iterator[None]:
        return repeat(None)


class DataLoader(Generic[Example]):
    """Iterating over it gives all examples once, in batches.

    dataset: any object with `dataset[i]` and `len(dataset)`, or an IterableDataset.
    batch_size: None gives single examples. shuffle: a new order in each epoch; or pass a `sampler`, or a
    `batch_sampler` (lists of indices). drop_last: leave out a last batch that is too short.
    collate_fn: combines a list of examples into a batch. generator: the source of random numbers, or the default one.
    num_workers: the batches are PyTorch's with that many workers, but are loaded in this process; therefore
    pin_memory, timeout, prefetch_factor, persistent_workers … have no effect.
    Raises ValueError for options that contradict each other.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> for batch in DataLoader(range(5), batch_size=2, shuffle=True):
    ...     print(batch)
    tensor([1, 4])
    tensor([2, 3])
    tensor([0])
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ):
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers, multiprocessing_context)
        self.iterable = isinstance(dataset, IterableDataset)
        if self.iterable:
            given = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
            for name, option in given.items():
                if option is not None:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={option}"
                    )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None:
            if self.iterable:
                sampler = Endless()
            else:
                sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.sampler, self.batch_sampler = dataset, sampler, batch_sampler
        self.batch_size, self.drop_last, self.generator = batch_size, drop_last, generator
        self.num_workers, self.worker_init_fn, self.in_order = num_workers, worker_init_fn, in_order
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device, self.timeout = pin_memory, pin_memory_device, timeout
        self.multiprocessing_context = multiprocessing_context
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self.promised: int | None = None  # the length that an iterable dataset reported
        self.persistent_workers = persistent_workers  # assigned last: from now on, FIXED attributes can't change

    def __setattr__(self, name: str, value: Any) -> None:
        if name in FIXED and "persistent_workers" in self.__dict__:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[Any]:
        return Epoch(self)

    def __len__(self) -> int:
        if not self.iterable:
            return len(self.indices)
        self.promised = len(self.dataset)
        if self.batch_size is None:
            return self.promised
        return self.promised // self.batch_size if self.drop_last else math.ceil(self.promised / self.batch_size)

    @property
    def indices(self) -> Any:
        """The iterable of indices, or of lists of indices, for the batches."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def fetcher(self, dataset: Any) -> Callable[[Any], Any]:
        """A function from an index, or a list of indices, to a batch of this dataset."""
        if not self.iterable:
            get = dataset.__getitem__ if self.batch_sampler is None else lambda wanted: examples(dataset, wanted)
            return lambda wanted: self.collate_fn(get(wanted))
        source = iter(dataset)

        def following(wanted: Any) -> Any:
            if self.batch_sampler is None:
                return self.collate_fn(next(source))
            batch = [each for _, each in zip(wanted, source, strict=False)]
            if not batch or (self.drop_last and len(batch) < len(wanted)):
                raise StopIteration
            return self.collate_fn(batch)

        return following


class Epoch(Iterator[Any]):
    """One pass over a loader. It draws a seed at the start, for possible workers, as PyTorch does."""

    def __init__(self, loader: DataLoader[Any]):
        if loader.pin_memory and not is_available():
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be "
                "used.",
                stacklevel=3,
            )
        self.loader, self.promised, self.given = loader, loader.promised, 0
        self.indices = iter(loader.indices)
        self.seed = draw_seed(loader.generator)
        self.workers = [Worker(loader, i, self.seed) for i in range(loader.num_workers)]
        self.fetch = None if self.workers else loader.fetcher(loader.dataset)

    def __next__(self) -> Any:
        batch = self.load()
        self.given += 1
        if self.promised is not None and self.given > self.promised:
            warnings.warn(
                f"Length of IterableDataset {self.loader.dataset} was reported to be {self.promised}(when accessing "
                f"len(dataloader)), but {self.given} samples have been fetched. ",
                stacklevel=2,
            )
        return batch

    def load(self) -> Any:
        """The next batch, from the workers in turn; a worker whose data has ended is removed."""
        if self.fetch is not None:
            return self.fetch(next(self.indices))
        while self.workers:
            wanted = next(self.indices)
            worker = self.workers.pop(0)
            try:
                with worker.at_work():
                    batch = worker.fetch(wanted)
            except StopIteration:
                continue
            self.workers.append(worker)
            return batch
        raise StopIteration

    def __len__(self) -> int:
        return len(self.loader.indices)


def check_workers(num_workers: int, timeout: float, prefetch_factor: Any, persistent: bool, context: Any) -> None:
    """PyTorch's errors for options of worker processes, which minigrad doesn't start."""
    if num_workers < 0:
        raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
            "multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")
    if context is not None and num_workers == 0:
        raise ValueError(
            "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got "
            f"num_workers={num_workers}"
        )
