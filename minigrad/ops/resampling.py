"""Change the size of images and rows: interpolation, padding with parts of the image, adaptive pooling, shuffling.

Interpolation and padding do the same along each axis: each new place is an old place, or a weighted mean of two. Their
slope is the transpose. Each is one node, as in PyTorch. Imports backend, rules, ops/note.py and ops/standard.py.
Read next: ../nn/resizing.py, ../nn/padding.py and ../nn/pooling.py.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, op
from .note import note
from .standard import enter


class Resampling(NamedTuple):
    """How the last axes are resampled: each tuple has one entry for each of these axes."""

    mode: str  # "nearest", "linear", "reflect" or "replicate"
    size: tuple[int, ...]  # of the image
    out: tuple[int, ...]  # of the result
    along: tuple[Any, ...]  # for each axis the scale (None: computed from the sizes), or the padding before it
    corners: bool = False  # True: the corners keep their places (align_corners)

    @lru_cache(maxsize=256)  # noqa: B019  # a plain tuple of numbers keeps nothing alive
    def tables(self, dtype):
        """For each axis a list of pairs: the old place of each new one, and its weight (None if all weights are 1)."""
        return [AXES[self.mode](n, m, way, self.corners, dtype) for n, m, way in zip(*self[1:4], strict=True)]


def _nearest(n, m, scale, corners, dtype):
    ratio = np.float32(1 / scale if scale else n / m if m else 0)  # in single precision, as in PyTorch
    return [(np.minimum((np.arange(m, dtype="float32") * ratio).astype("int64"), n - 1), None)]


def _linear(n, m, scale, corners, dtype):
    new = np.arange(m, dtype=dtype)
    if corners:
        places = new * new.dtype.type((n - 1) / (m - 1) if m > 1 else 0)
    else:
        places = np.maximum((new + new.dtype.type(0.5)) * new.dtype.type(1 / scale if scale else n / m), 0.5)
        places = places - new.dtype.type(0.5)
    first = np.minimum(places.astype("int64"), n - 1)
    share = (places - first).astype(dtype)
    return [(first, 1 - share), (np.minimum(first + 1, n - 1), share)]


def _reflect(n, m, before, corners, dtype):
    return [(n - 1 - abs(n - 1 - abs(np.arange(m) - before)), None)]


def _replicate(n, m, before, corners, dtype):
    return [(np.clip(np.arange(m) - before, 0, n - 1), None)]


AXES = {"nearest": _nearest, "linear": _linear, "reflect": _reflect, "replicate": _replicate}


def _weights(xp, array, by):
    """The tables as arrays of this library, each with its axis, counted from the end."""
    wide = "float64" if array.dtype == xp.float64 else "float32"
    for axis, pairs in enumerate(by.tables(wide)):
        d = axis - len(by.size)
        size = (-1, *(1,) * (-1 - d))
        yield d, [(p, s if s is None else xp.asarray(s.reshape(size), dtype=array.dtype)) for p, s in pairs]


def _resampled(xp, array, by):
    """The resampled image."""
    for d, pairs in _weights(xp, array, by):
        parts = [xp.take(array, xp.asarray(places), axis=array.ndim + d) for places, _ in pairs]
        (_, share), last = pairs[0], pairs[-1][1]
        array = parts[0] if share is None else parts[0] * share + parts[1] * last
    return array


def _spread(xp, array, by):
    """The transpose: each number is added at its old places."""
    for d, pairs in _weights(xp, array, by):
        axis, n = array.ndim + d, by.size[d]
        out = xp.zeros((*array.shape[:axis], n, *array.shape[axis + 1 :]), dtype=array.dtype)
        for places, share in pairs:
            part = array if share is None else array * share
            for old, new in _runs(places.tobytes()):
                index = (slice(None),) * axis
                out[(*index, old, ...)] += part[(*index, new, ...)]
        array = out
    return array


@lru_cache(maxsize=256)
def _runs(places):
    """Pairs of slices (old, new) that together cover all new places. Within one pair, no old place occurs twice and the
    steps are even, so it can be added at once."""
    places = np.frombuffer(places, "int64")
    left, runs = list(range(len(places))), []
    while left:
        first = left[0]
        rest = [i for i in left[1:] if places[i] != places[first]]
        if not rest:
            runs.append(((places[first], 1, 0), [first]))
            left = left[1:]
            continue
        step, stride = rest[0] - first, places[rest[0]] - places[first]
        part, known = [first], set(left)
        while (i := part[-1] + step) in known and places[i] == places[part[-1]] + stride:
            part.append(i)
        runs.append(((places[first], len(part), stride), part))
        gone = set(part)
        left = [i for i in left if i not in gone]
    return [
        (_slice(start, n, stride), _slice(part[0], n, part[1] - part[0] if n > 1 else 1))
        for (start, n, stride), part in runs
    ]


def _slice(start, n, step):
    """A slice of n places from `start`, with this step."""
    step = int(step) or 1
    stop = int(start) + (n - 1) * step + (1 if step > 0 else -1)
    return slice(int(start), stop if stop >= 0 else None, step)


def _pair(name, node_name, kernel):
    """Enter a resampling and its transpose; in PyTorch, each kind has its own node."""

    def value(xp, self, *, by):
        return _resampled(xp, self, by)

    def spread(xp, self, *, by):
        return _spread(xp, self, by)

    there = enter(value, name, f"{node_name}Backward0", kind="window", dtypes="number", kernel=kernel)
    back = enter(spread, f"{name}_spread", f"{node_name}BackwardBackward0", kind="window")
    there.slope(self=lambda F, grad, by: getattr(F, f"{name}_spread")(grad, by=by))
    back.slope(self=lambda F, grad, by: getattr(F, name)(grad, by=by))
    note(there, shape=lambda dims, by: dims if dims is None else (*dims[: -len(by.out)], *by.out))
    note(back, shape=lambda dims, by: dims if dims is None else (*dims[: -len(by.size)], *by.size))


for _name, _node, _kernel in (
    ("upsample_nearest1d", "UpsampleNearest1D", "compute_indices_weights_nearest"),
    ("upsample_nearest2d", "UpsampleNearest2D", "upsample_nearest2d_channels_last"),
    ("upsample_linear1d", "UpsampleLinear1D", "compute_indices_weights_linear"),
    ("upsample_bilinear2d", "UpsampleBilinear2D", "upsample_bilinear2d_channels_last"),
    *(
        (f"{way}_pad{n}d", f"{what}Pad{n}D", f"{what.lower()}_pad{n}d")
        for way, what in (("reflect", "Reflection"), ("replicate", "Replication"))
        for n in (1, 2, 3)
    ),
):
    _pair(_name, _node, _kernel)
    if "Pad" in _node:
        note(TABLE[_name], leads_on={"self": ("self",)}, by_zeros=True)

# -- pools of a given size ----------------------------------------------------------------------


def spans(size: int, places: int) -> list[tuple[int, int]]:
    """The start and the end of each of `places` windows that divide an axis of this size; they may overlap."""
    return [(i * size // places, -(-(i + 1) * size // places)) for i in range(places)]


def _index(axis, start, stop):
    return (*(slice(None),) * axis, slice(start, stop), ...)


@op("AdaptiveAvgPool2DBackward0", kind="window", dtypes="floating")
def adaptive_avg_pool(xp, self, *, size):
    """The means of windows that divide the last axes; `size` is the number of windows along each."""
    for axis, places in enumerate(size, start=self.ndim - len(size)):
        parts = [self[_index(axis, start, stop)] for start, stop in spans(self.shape[axis], places)]
        sums = [backend.total(xp, part, axis=axis) / part.shape[axis] for part in parts]
        self = backend.stack(xp, sums, axis) if sums else self[_index(axis, 0, 0)]
    return self


@op("AdaptiveAvgPool2DBackwardBackward0", kind="window")
def adaptive_avg_pool_spread(xp, self, *, size):
    """The slope of the above: divide each number evenly over its window; `size` is that of the image's last axes."""
    for axis, n in enumerate(size, start=self.ndim - len(size)):
        out = xp.zeros((*self.shape[:axis], n, *self.shape[axis + 1 :]), dtype=self.dtype)
        for i, (start, stop) in enumerate(spans(n, self.shape[axis])):
            out[_index(axis, start, stop)] += self[_index(axis, i, i + 1)] / (stop - start)
        self = out
    return self


adaptive_avg_pool.slope(
    self=lambda F, grad, self_sizes, size: F.adaptive_avg_pool_spread(grad, size=tuple(self_sizes[-len(size) :]))
)
adaptive_avg_pool_spread.slope(
    self=lambda F, grad, self_sizes, size: F.adaptive_avg_pool(grad, size=tuple(self_sizes[-len(size) :]))
)


@op("AdaptiveMaxPool2DBackward0", kind="window", dtypes="floating", outputs=("result", "which"))
def adaptive_max_pool(xp, self, *, size):
    """The largest number in each such window of images (…, H, W), and its index in its image, read row by row; at a
    tie, the first."""
    width = self.shape[-1]
    where = xp.reshape(xp.arange(self.shape[-2] * width, dtype=xp.int64), self.shape[-2:])
    where = xp.broadcast_to(where, self.shape)
    for axis, places in ((self.ndim - 1, size[1]), (self.ndim - 2, size[0])):
        best, place = [], []
        for start, stop in spans(self.shape[axis], places):
            part, there = self[_index(axis, start, stop)], where[_index(axis, start, stop)]
            first = xp.expand_dims(xp.argmax(part, axis=axis), axis=axis)
            best.append(xp.take_along_axis(part, first, axis=axis))
            place.append(xp.take_along_axis(there, first, axis=axis))
        self, where = (xp.concat(each, axis=axis) if each else self[_index(axis, 0, 0)] for each in (best, place))
    return self, xp.astype(where, xp.int64)


def _max_slope(F, grad, which, self_sizes):
    *batch, height, width = self_sizes
    flat = (*batch, math.prod(grad.shape[-2:]))
    grad, which = F.reshape_to(grad, size=flat), F.reshape_to(which, size=flat)
    image = F.gather_backward(grad, which, size=(*batch, height * width), dim=len(batch))
    return F.reshape_to(image, size=self_sizes)


adaptive_max_pool.slope(self=_max_slope)
note(adaptive_avg_pool, adaptive_max_pool, leads_on={"self": ("self",)}, by_zeros=True)
note(adaptive_avg_pool, kernel="adaptive_avg_pool2d")
note(adaptive_max_pool, kernel="adaptive_max_pool2d", gives=(None, "int64"))

# -- channels and places ------------------------------------------------------------------------


def _rearranged(xp, array, split, order, size):
    """The array with axes divided as in `split`, permuted, and joined again; a contiguous copy."""
    n = array.ndim - 3
    turned = xp.permute_dims(xp.reshape(array, split), (*range(n), *(n + i for i in order)))
    out = xp.empty(turned.shape, dtype=array.dtype)
    out[...] = turned
    return xp.reshape(out, size)


@op("PixelShuffleBackward0", kind="shape")
def pixel_shuffle(xp, self, *, factor):
    """From (…, C · r², H, W) to (…, C, H · r, W · r)."""
    r, (*batch, channels, h, w) = factor, self.shape
    c = channels // (r * r)
    return _rearranged(xp, self, (*batch, c, r, r, h, w), (0, 3, 1, 4, 2), (*batch, c, h * r, w * r))


@op("PixelUnshuffleBackward0", kind="shape")
def pixel_unshuffle(xp, self, *, factor):
    """From (…, C, H · r, W · r) to (…, C · r², H, W)."""
    r, (*batch, c, h, w) = factor, self.shape
    return _rearranged(
        xp, self, (*batch, c, h // r, r, w // r, r), (0, 2, 4, 1, 3), (*batch, c * r * r, h // r, w // r)
    )


pixel_shuffle.slope(self=lambda F, grad, factor: F.pixel_unshuffle(grad, factor=factor))
pixel_unshuffle.slope(self=lambda F, grad, factor: F.pixel_shuffle(grad, factor=factor))
