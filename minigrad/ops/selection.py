"""Operators that select numbers along an axis and return their indices, too: median, mode, kthvalue, cummax.

They differ only in the selected indices. The values are the numbers at these indices, which also get the gradient.
Imports backend, rules, ops/introsort.py, ops/standard.py and ops/reduction.py. Read next: ops/shape.py.
"""

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, op
from . import introsort
from .note import note
from .reduction import PLACES, _at, _restore, _shared_by_all, divides
from .standard import copied, enter


def _selection(name, node_name, keeps_axis=False, dtypes="number"):
    """Enter an operator, given a function of its indices: `places(xp, self, dim, …)`, which keeps the axis."""

    def made(places):
        def value(xp, self, *, dim, keepdim=False, k=1):
            if not self.ndim:
                return xp.asarray(self, copy=True), xp.asarray(0)
            indices = places(xp, self, dim, k)
            values = xp.take_along_axis(self, indices, axis=dim)
            if keeps_axis or keepdim:
                return values, indices
            return xp.squeeze(values, axis=dim), xp.squeeze(indices, axis=dim)

        rule = enter(
            value, name, node_name, kind="reduction", dtypes=dtypes, outputs=("values", "indices"), gives=PLACES
        )
        rule.slope(
            self=lambda F, grad, indices, self_sizes, dim, keepdim: F.gather_backward(
                _restore(F, grad, dim, keepdim or keeps_axis),
                _restore(F, indices, dim, keepdim or keeps_axis),
                size=self_sizes,
                dim=dim,
            )
        )
        return rule

    return made


def _quick_select(row, k):
    """The index of the number that ends up at place k: PyTorch's quickselect, step for step, because its steps decide
    between equal numbers. A nan counts as larger than all numbers."""
    at, left, right = list(range(len(row))), 0, len(row) - 1

    def larger(i, j):
        return row[at[i]] > row[at[j]] or (row[at[i]] != row[at[i]] and row[at[j]] == row[at[j]])

    def swap(i, j):
        at[i], at[j] = at[j], at[i]

    while right > left + 1:
        swap(left + (right - left) // 2, left + 1)  # the median of three becomes the pivot, at `left`
        for i, j in ((left + 1, right), (left, right), (left + 1, left)):
            if larger(i, j):
                swap(i, j)
        i, j = left + 1, right
        while True:
            i, j = i + 1, j - 1
            while larger(left, i):
                i += 1
            while larger(j, left):
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(left, j)
        left, right = i if j <= k else left, j - 1 if j >= k else right
    if right == left + 1 and larger(left, right):
        swap(left, right)
    return at[k]


@_selection("kthvalue", "KthvalueBackward0")
def _kth(xp, self, dim, k):
    order = xp.argsort(self, axis=dim, stable=True)
    found = order[_at(dim, slice(k - 1, k))]
    value = xp.take_along_axis(self, found, axis=dim)
    equal = (self == value) | ((self != self) & (value != value))
    if not xp.any(xp.sum(backend.cast(xp, equal, xp.int64), axis=dim) > 1):
        return found
    rows = np.moveaxis(np.asarray(self), dim, -1)
    picked = [_quick_select(row.tolist(), k - 1) for row in rows.reshape(-1, rows.shape[-1])]
    return xp.asarray(np.reshape(picked, found.shape), dtype=found.dtype)


def _middle(xp, self, dim, some):
    """The index of the lower median among the first `some` numbers in order along `dim`."""
    order = xp.argsort(self, axis=dim, stable=True)  # nan comes last
    return xp.take_along_axis(order, (some - 1) // 2, axis=dim)


@_selection("median_dim", "MedianBackward1")
def _median(xp, self, dim, k):
    missing = xp.isnan(self) if self.dtype in (xp.float32, xp.float64) else xp.zeros_like(self, dtype=xp.bool)
    some = xp.any(missing, axis=dim, keepdims=True)
    first = xp.argmax(backend.cast(xp, missing, xp.int8), axis=dim, keepdims=True)
    middle = _middle(xp, self, dim, xp.full(first.shape, self.shape[dim]))
    return xp.where(some, first, middle)  # the first nan, if there is one


@_selection("nanmedian_dim", "NanmedianBackward1")
def _nanmedian(xp, self, dim, k):
    there = xp.logical_not(xp.isnan(self)) if self.dtype in (xp.float32, xp.float64) else xp.ones_like(self)
    some = xp.sum(backend.cast(xp, there, xp.int64), axis=dim, keepdims=True)
    return _middle(xp, self, dim, xp.maximum(some, xp.ones_like(some)))


def _of_all(name):
    """Enter the median of a whole tensor: equal numbers share its gradient, as for `max`."""
    along = TABLE[f"{name}_dim"]

    def value(xp, self, *, dim, keepdim=False, k=1):
        values, indices = along.value(xp, self, dim=dim, keepdim=keepdim, k=k)
        if isinstance(self, np.ndarray) and self.dtype.kind == "f" and values == 0:
            values = np.asarray(_zero_in_the_middle(self), dtype=self.dtype)
        return values, indices

    rule = TABLE[f"{name}_all"] = copied(along, value, f"{name.capitalize()}Backward0")
    rule.name = f"{name}_all"
    rule.slope(
        self=lambda F, grad, self, values, dim, keepdim: _shared_by_all(
            F,
            grad,
            F.logical_or(
                self == _restore(F, values, dim, keepdim),
                F.logical_and(F.isnan(self), F.isnan(_restore(F, values, dim, keepdim))),
            ),
        )
    )


def _zero_in_the_middle(row):
    """Among zeros of both signs, the one that PyTorch's selection moves to the middle; nan comes last."""
    missing = np.isnan(row)
    line = introsort.Row(list(zip(missing.tolist(), np.where(missing, 0, row).tolist(), strict=True)))
    middle = (row.size - int(missing.sum()) - 1) // 2
    line.select(middle)
    return row[line.at[middle]]


for _name in ("median", "nanmedian"):
    note(TABLE[f"{_name}_dim"], kernel="median_out")
_of_all("median")
_of_all("nanmedian")
for _name in ("median", "nanmedian"):
    note(TABLE[f"{_name}_all"], kernel="median_cpu")


@_selection("mode", "ModeBackward0", dtypes="promote")
def _mode(xp, self, dim, k):
    """The index of the smallest of the most frequent numbers: the last one in sorted order."""
    order = xp.argsort(self, axis=dim, stable=True)
    ordered = xp.moveaxis(xp.take_along_axis(self, order, axis=dim), dim, -1)
    pairs = xp.expand_dims(ordered, axis=-1) == xp.expand_dims(ordered, axis=-2)
    number = xp.sum(backend.cast(xp, pairs, xp.int64), axis=-1)
    first = xp.argmax(number, axis=-1, keepdims=True)
    last = first + xp.max(number, axis=-1, keepdims=True) - 1
    found = xp.take_along_axis(order, xp.moveaxis(last, -1, dim), axis=dim)
    missing = self != self
    if isinstance(self, np.ndarray) and (missing.any() or self.shape[dim] > introsort.FEW):
        rows, by_row = np.moveaxis(self, dim, -1), np.moveaxis(found, dim, -1)
        for row in np.ndindex(rows.shape[:-1]):
            by_row[row] = _most_frequent(rows[row].tolist())
    return found


def _most_frequent(row):
    """The index of the mode, as PyTorch finds it: it sorts with `<`, which is always False for nan, and counts runs."""
    order, most, best = introsort.sort(row), 0, 0
    start = 0
    for i, place in enumerate(order):
        if i + 1 == len(order) or row[place] != row[order[i + 1]]:
            if i + 1 - start > most:
                most, best = i + 1 - start, place
            start = i + 1
    return best


def _running(name, beats):
    """Enter cummax, or cummin: the last index so far of the extreme; after a nan, that of the nan."""

    @_selection(name, f"{name.capitalize()}Backward0", keeps_axis=True, dtypes="promote")
    def places(xp, self, dim, k):
        n = self.shape[dim]
        best, found = self[_at(dim, slice(1))], xp.zeros_like(self[_at(dim, slice(1))], dtype=xp.int64)
        steps = []
        for i in range(n):
            here = self[_at(dim, slice(i, i + 1))]
            better = beats(xp, here, best) | (here != here)
            best, found = xp.where(better, here, best), xp.where(better, xp.full_like(found, i), found)
            steps.append(found)
        return xp.concat(steps, axis=dim) if n else xp.zeros_like(self, dtype=xp.int64)


_running("cummax", lambda xp, here, best: here >= best)
_running("cummin", lambda xp, here, best: here <= best)

# -- running products ----------------------------------------------------------------------------


@op("CumprodBackward0", kind="reduction", dtypes="sum")
def cumprod(xp, self, *, dim):
    return backend.running_product(xp, self, dim) if self.ndim else xp.prod(self)


def _cumprod_slope(F, grad, self, result, dim):
    """The slope of each running product contains the product of its *other* factors, also correct if some are 0."""
    if not self.shape or self.shape[dim] == 1:
        return grad
    if divides(F, self):
        return F.flip(F.cumsum(F.flip(result * grad, dims=(dim,)), dim=dim), dims=(dim,)) / self
    last = len(self.shape) - 1
    x, grad = F.transpose(self, dim0=dim, dim1=last), F.transpose(grad, dim0=dim, dim1=last)
    size = (*x.shape, x.shape[-1])
    rows = F.expand(F.unsqueeze(x, dim=last), size=size)  # … × n × n; below, factor i becomes 1 in row i
    eye = F.tril(F.triu(F.zeros_like(rows) + 1))
    others = F.cumprod(F.tril(rows, diagonal=-1) + F.triu(rows, diagonal=1) + eye, dim=last + 1)
    spread = F.triu(others * F.expand(F.unsqueeze(grad, dim=last), size=size))
    return F.transpose(F.sum_dim(spread, dim=(last + 1,)), dim0=dim, dim1=last)


cumprod.slope(self=_cumprod_slope)
note(cumprod, out="in its type", underscore=True)
