"""C++'s `sort`, `nth_element` and `partial_sort`, step by step, which decide the order of equal numbers in PyTorch.

None of the three is stable, so the steps of the algorithm decide which of two equal numbers comes first. They are the
same on every machine, because every wheel of PyTorch for Linux is built with GNU's C++ library. Each function takes the
keys of one row, in a list, and returns the former indices of the numbers in their new order. Comparisons with nan are
always False; a caller that wants nan last gives it a larger key.

>>> sort([1] * 17)[:4]
[8, 16, 15, 14]
>>> sort([2, 1, 2, 1])  # up to 16 numbers are put in one by one, which is stable
[1, 3, 0, 2]

Imports nothing. Read next: ops/introsort_of_rows.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

FEW = 16  # number of elements; parts of this length are left to the final insertion sort


class Row:
    """Keys that are moved, each with its original index."""

    def __init__(self, keys: Sequence[Any]):
        self.keys = list(keys)
        self.at = list(range(len(keys)))

    def swap(self, i: int, j: int) -> None:
        keys, at = self.keys, self.at
        keys[i], keys[j], at[i], at[j] = keys[j], keys[i], at[j], at[i]

    # -- quicksort

    def cut(self, first: int, last: int) -> int:
        """Partition: take the median of three as pivot, move smaller keys before larger ones; return the index of the
        latter."""
        keys, at = self.keys, self.at
        a, b, c = first + 1, first + (last - first) // 2, last - 1
        if keys[a] < keys[b]:
            middle = b if keys[b] < keys[c] else c if keys[a] < keys[c] else a
        else:
            middle = a if keys[a] < keys[c] else c if keys[b] < keys[c] else b
        self.swap(first, middle)
        pivot, i, j = keys[first], first + 1, last - 1
        while True:
            while keys[i] < pivot:
                i += 1
            while pivot < keys[j]:
                j -= 1
            if i >= j:
                return i
            keys[i], keys[j], at[i], at[j] = keys[j], keys[i], at[j], at[i]
            i, j = i + 1, j - 1

    def stretch(self, first: int, last: int) -> None:
        """Sort a part, except for the order inside runs of at most FEW."""
        waiting = [(first, last, allowed(last - first))]
        while waiting:
            first, last, cuts = waiting.pop()
            while last - first > FEW:
                if not cuts:
                    self.smallest(first, last, last)
                    break
                cuts -= 1
                middle = self.cut(first, last)
                waiting.append((middle, last, cuts))
                last = middle

    def insert(self, first: int, last: int) -> None:
        """An insertion sort."""
        keys, at = self.keys, self.at
        for i in range(first + 1, last):
            key, place, j = keys[i], at[i], i
            if key < keys[first]:
                j = first
            else:
                while key < keys[j - 1]:
                    j -= 1
            if j < i:
                keys[j + 1 : i + 1], at[j + 1 : i + 1] = keys[j:i], at[j:i]
                keys[j], at[j] = key, place

    def select(self, k: int) -> None:
        """Move the number of rank k to place k; smaller numbers end up before it."""
        first, last = 0, len(self.keys)
        if k >= last:
            return
        cuts = allowed(last)
        while last - first > 3:
            if not cuts:
                self.heap_of_smallest(first, k + 1, last)
                self.swap(first, k)
                return
            cuts -= 1
            middle = self.cut(first, last)
            first, last = (middle, last) if middle <= k else (first, middle)
        self.insert(first, last)

    # -- heapsort

    def smallest(self, first: int, middle: int, last: int) -> None:
        """Put the smallest numbers of a part, in order, at its start: as many as there are before `middle`."""
        self.heap_of_smallest(first, middle, last)
        for end in range(middle - 1, first, -1):
            key, place = self.keys[end], self.at[end]
            self.keys[end], self.at[end] = self.keys[first], self.at[first]
            self.sift(first, 0, end - first, key, place)

    def heap_of_smallest(self, first: int, middle: int, last: int) -> None:
        """Put the same numbers at the start as a heap, the largest first."""
        keys, at, size = self.keys, self.at, middle - first
        for parent in range((size - 2) // 2, -1, -1):
            self.sift(first, parent, size, keys[first + parent], at[first + parent])
        for i in range(middle, last):
            if keys[i] < keys[first]:
                key, place = keys[i], at[i]
                keys[i], at[i] = keys[first], at[first]
                self.sift(first, 0, size, key, place)

    def sift(self, first: int, hole: int, size: int, key: Any, place: int) -> None:
        """Fill a hole of the heap: move the larger child up, down to a leaf; then move the key up from there."""
        keys, at, top = self.keys, self.at, hole
        while True:
            child = 2 * hole + 2
            if child > size:
                break
            if child == size or keys[first + child] < keys[first + child - 1]:
                child -= 1
            keys[first + hole], at[first + hole] = keys[first + child], at[first + child]
            hole = child
        while hole > top and keys[first + (hole - 1) // 2] < key:
            parent = (hole - 1) // 2
            keys[first + hole], at[first + hole] = keys[first + parent], at[first + parent]
            hole = parent
        keys[first + hole], at[first + hole] = key, place


def allowed(n: int) -> int:
    """The number of nested partitions after which heapsort takes over."""
    return 2 * (n.bit_length() - 1)


def sort(keys: Sequence[Any]) -> list[int]:
    """The original indices in the order of `std::sort`."""
    row = Row(keys)
    row.stretch(0, len(keys))
    if any(key != key for key in keys):
        row.insert(0, len(keys))
        return row.at
    at = row.at
    return [at[i] for i in sorted(range(len(keys)), key=row.keys.__getitem__)]  # an insertion sort is stable, too


def smallest(keys: Sequence[Any], k: int, ordered: bool = True) -> list[int]:
    """The original indices of the k smallest, in the order of `topk`: by a heap if k is small, otherwise by
    selection."""
    row, n = Row(keys), len(keys)
    if not k:
        return []
    if k * 64 <= n:
        row.smallest(0, k, n)
        return row.at[:k]
    row.select(k - 1)
    if not ordered:
        return row.at[:k]
    before = row.at[: k - 1]
    return [*(before[i] for i in sort(row.keys[: k - 1])), row.at[k - 1]]
