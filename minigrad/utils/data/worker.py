"""Workers: the work of PyTorch's `num_workers` processes, done in this process, with the same batches.

Each worker has its own random stream (PyTorch's, from the loader's seed and the worker's number), and its own copy
of an iterable dataset; `get_worker_info` returns the current worker. A map-style dataset is not copied,
and NumPy's random numbers are not seeded.
Imports random. Read next: dataloader.py.
"""

from __future__ import annotations

import copy
import random as pythons
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..._machine.interrupts import restoring
from ...random import get_rng_state, manual_seed, set_rng_state

turn = threading.local()


@dataclass
class WorkerInfo:
    """A worker's number, the number of workers, its seed, and its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info() -> WorkerInfo | None:
    """The worker that is loading an example; None without workers (`num_workers=0`)."""
    return getattr(turn, "worker", None)


class Worker:
    """Loads every n-th batch, as one of PyTorch's worker processes does."""

    def __init__(self, loader: Any, number: int, seed: int):
        iterable = loader.iterable
        dataset = copy.copy(loader.dataset) if iterable else loader.dataset
        self.info = WorkerInfo(number, loader.num_workers, seed + number, dataset)
        self.streams: Any = None
        with self.at_work():
            pythons.seed(self.info.seed)
            manual_seed(self.info.seed)
            if loader.worker_init_fn is not None:
                loader.worker_init_fn(number)
            self.fetch = loader.fetcher(self.info.dataset)

    @restoring
    def at_work(self) -> Iterator[None]:
        """Inside, random numbers come from this worker's stream, and `get_worker_info` returns this worker."""
        before = pythons.getstate(), get_rng_state()
        try:
            turn.worker = self.info
            if self.streams:
                resume(self.streams)
            yield
        finally:
            try:
                self.streams = pythons.getstate(), get_rng_state()
            finally:
                turn.worker = None
                try:
                    resume(before)
                except BaseException:  # Ctrl-C
                    resume(before)
                    raise


def resume(streams: Any) -> None:
    """Restore these states of Python's generator and of minigrad's."""
    pythons.setstate(streams[0])
    set_rng_state(streams[1])
