"""The order of `introsort.sort` for many numbers, or many rows: NumPy partitions all parts at once.

Quicksort partitions disjoint parts that do not depend on each other. So one step here takes the median of three and
makes the exchanges in every part that is still long. A partition exchanges the first number that is not below the pivot
with the last that is not above it, then the second with the last but one, until both sides meet.

Imports NumPy and introsort. Read next: ops/selection.py.

>>> import numpy as np
>>> places(np.ones((1, 17), np.int64))[0, :4].tolist()
[8, 16, 15, 14]

Imports NumPy and introsort. Read next: ops/selection.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .introsort import FEW, Row, allowed


def places(ranks: Any) -> Any:
    """The original indices in the order of `std::sort`, for each row of integers (rows, n)."""
    count, n = ranks.shape
    keys, at = ranks.ravel().copy(), np.tile(np.arange(n), count)
    first = np.arange(count) * n
    last = first + n
    for cuts in range(allowed(n), -1, -1):
        long = last - first > FEW
        first, last = first[long], last[long]
        if not first.size:
            break
        if cuts:
            middle = cut(keys, at, first, last)
            first, last = np.concatenate([first, middle]), np.concatenate([middle, last])
        else:
            for start, end in zip(first.tolist(), last.tolist(), strict=True):
                heapsort(keys[start:end], at[start:end])
    order = np.argsort(keys.reshape(count, n), axis=1, kind="stable")  # an insertion sort is stable, too
    return np.take_along_axis(at.reshape(count, n), order, 1)


def cut(keys: Any, at: Any, first: Any, last: Any) -> Any:
    """Partition each of these parts as `Row.cut` does, and return the starts of their second halves."""
    exchange(keys, at, first, median(keys, first + 1, first + (last - first) // 2, last - 1))
    sizes = last - first
    start = np.cumsum(sizes) - sizes
    here = np.arange(sizes.sum()) + np.repeat(first - start, sizes)  # all places in all parts
    key, pivot = keys[here], np.repeat(keys[first], sizes)
    above, below = key >= pivot, key <= pivot
    above[start] = False  # the pivot itself stops the search from the right, not from the left
    many_above, many_below = np.add.reduceat(above, start, dtype=int), np.add.reduceat(below, start, dtype=int)
    above, below = here[above], here[below]
    from_above, to_below = np.cumsum(many_above) - many_above, np.cumsum(many_below) - 1
    pairs = np.minimum(many_above, many_below)
    start = np.cumsum(pairs) - pairs
    step = np.arange(pairs.sum()) - np.repeat(start, pairs)
    up, down = above[np.repeat(from_above, pairs) + step], below[np.repeat(to_below, pairs) - step]
    apart = up < down
    exchange(keys, at, up[apart], down[apart])
    done = np.add.reduceat(apart, start, dtype=int)
    end = np.where(done < many_above, above[np.minimum(from_above + done, above.size - 1)], last)
    return np.where(done > 0, np.minimum(end, below[np.minimum(to_below - done + 1, below.size - 1)]), end)


def median(keys: Any, a: Any, b: Any, c: Any) -> Any:
    """The place of the median of three; of equal ones, the place that C++ takes."""
    x, y, z = keys[a], keys[b], keys[c]
    rising = np.where(y < z, b, np.where(x < z, c, a))
    return np.where(x < y, rising, np.where(x < z, a, np.where(y < z, c, b)))


def exchange(keys: Any, at: Any, one: Any, other: Any) -> None:
    """Exchange the numbers at these places, all of which are different."""
    for each in (keys, at):
        each[one], each[other] = each[other], each[one]


def heapsort(keys: Any, at: Any) -> None:
    """Sort a part that was partitioned too often."""
    row = Row(keys.tolist())
    row.smallest(0, len(row.keys), len(row.keys))
    keys[:], at[:] = row.keys, at[row.at]
