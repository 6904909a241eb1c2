"""The programs run in a child process: some programs crash PyTorch itself, and the next child goes on behind them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from multiprocessing.connection import Connection
from types import ModuleType

import minigrad

from .differences import Difference, compare, shrink
from .generate import program

CRASH = "crash"  # the part in which a program differs that PyTorch does not survive


def differences(seeds: range, torch: ModuleType) -> Iterator[tuple[int, Difference | None]]:
    """For each seed, where its program first differs, made small: so what explains it is all that it needs."""
    fork = multiprocessing.get_context("fork")  # a child has torch already
    while seeds:
        results, child_end = fork.Pipe(duplex=False)
        child = fork.Process(target=work, args=(seeds, torch, child_end))
        child.start()
        child_end.close()
        try:
            while seeds:
                found = results.recv()
                if isinstance(found, Exception):  # of the tester itself: never to be taken for a crash of PyTorch
                    raise found
                yield seeds[0], found
                seeds = seeds[1:]
        except EOFError:
            yield seeds[0], Difference(tuple(program(seeds[0])), True, CRASH, None, None)
            seeds = seeds[1:]
        finally:
            child.kill()  # after an early end nothing is read, and it would wait for a reader
            child.join()
            results.close()


def work(seeds: range, torch: ModuleType, results: Connection) -> None:
    """What a child does: one answer for each seed."""
    for seed in seeds:
        try:
            found = compare(program(seed), minigrad, torch, look=seed % 2 == 0)
            if found is not None:
                found = shrink(found, lambda lines, look=found.look: compare(lines, minigrad, torch, look))
        except Exception as error:
            results.send(RuntimeError(f"the tester failed at seed {seed}: {error!r}"))
            return
        results.send(found)
    results.close()
