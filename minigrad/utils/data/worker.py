"""What PyTorch leaves to other processes, `num_workers` of them, done in this one: with the same batches.

Each worker has a random stream of its own (PyTorch's, from the loader's seed and the worker's number), and its own
copy of a dataset that is iterated over; `get_worker_info` tells whose turn it is. A map-style dataset is not copied,
and NumPy's own random numbers are not seeded.
Imports the core's random. Read next: dataloader.py.
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
    """Which of how many workers it is, its seed, its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info() -> WorkerInfo | None:
    """The worker that loads an example right now; None where there are no workers (`num_workers=0`)."""
    return getattr(turn, "worker", None)


class Worker:
    """Loads every n-th batch, as a process of PyTorch's would."""

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
        """Inside, random numbers are this worker's, and it is the one that `get_worker_info` knows."""
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
    """Go on from these states of Python's generator and of ours."""
    pythons.setstate(streams[0])
    set_rng_state(streams[1])
