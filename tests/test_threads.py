"""Several threads may run backward into the same tensors: no gradient is lost, and hooks may start passes of their own.

The full count, 100 runs of eight threads on 200,000 elements: python tests/test_threads.py
"""

import sys
import threading
import time

import numpy as np
import pytest

import minigrad as torch

THREADS, PASSES = 8, 10


def race(work):
    """Run `work` in eight threads that start together; what one raises is raised here."""
    start, failed = threading.Barrier(THREADS), []

    def run():
        start.wait()
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def one_leaf(size=200_000, passes=PASSES, first=False):
    """How many elements of one leaf's gradient are wrong after eight threads have added to it."""
    w = torch.ones(size, requires_grad=True)
    if not first:
        w.grad = torch.zeros(size)
    ones = torch.ones(size)
    race(lambda: [w.backward(ones) for _ in range(passes)])  # next to nothing but the adding
    return int((w.grad._data != THREADS * passes).sum())


@pytest.fixture(autouse=True)
def busy():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("first", [False, True])
def test_no_gradient_is_lost(first):
    assert [one_leaf(first=first) for _ in range(5)] == [0] * 5


class Halting(np.ndarray):
    """Its sum in place reads, waits, and writes: what the others add in between is lost."""

    def __iadd__(self, other):
        total = np.add(self, other)
        time.sleep(1e-3)
        np.copyto(self, total)
        return self


def test_nobody_adds_between_anothers_reading_and_writing():
    w = torch.ones(3, requires_grad=True)
    w.grad = torch.zeros(3)
    w.grad._data = np.zeros(3, np.float32).view(Halting)
    race(lambda: w.backward(torch.ones(3)))
    assert w.grad._data.tolist() == [THREADS] * 3


def test_the_first_gradient_is_not_replaced_by_the_second():
    assert [one_leaf(size=2, passes=20, first=True) for _ in range(20)] == [0] * 20


def test_no_gradient_that_is_retained_is_lost():
    w = torch.ones(50_000, requires_grad=True)
    y = w * 2
    y.retain_grad()
    race(lambda: [(y * 3).sum().backward(retain_graph=True) for _ in range(PASSES)])
    assert (y.grad == 3 * THREADS * PASSES).all() and (w.grad == 6 * THREADS * PASSES).all()


def test_no_gradient_is_lost_under_create_graph():
    w = torch.ones(1000, requires_grad=True)
    with pytest.warns(UserWarning, match="reference cycle"):
        race(lambda: [(w * 2).sum().backward(create_graph=True) for _ in range(PASSES)])
    assert (w.grad.detach()._data == np.float32(2 * THREADS * PASSES)).all()


def test_hooks_may_run_passes_of_their_own():
    w = torch.ones(1000, requires_grad=True)
    other = torch.ones(1000, requires_grad=True)
    w.register_hook(lambda grad: other.backward(torch.ones(1000)))
    w.register_post_accumulate_grad_hook(lambda leaf: None)
    race(lambda: [(w * 2).sum().backward() for _ in range(PASSES)])
    assert (w.grad == 2 * THREADS * PASSES).all() and (other.grad == THREADS * PASSES).all()


if __name__ == "__main__":
    sys.setswitchinterval(1e-6)
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    wrong = [one_leaf(first=bool(n % 2)) for n in range(runs)]
    print(f"{runs - np.count_nonzero(wrong)} of {runs} runs exact")
    sys.exit(any(wrong))
