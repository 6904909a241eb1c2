"""Convolution in NumPy for a stride of 1, where a whole row of places is contiguous in memory.

Along the last axis, the places of each element of the window are adjacent in the padded image. Whole rows are adjacent
too, if the few places between the end of a row and the next row are also computed and then discarded. So one copy has
hundreds of numbers instead of one row, which takes a quarter of the time. A gradient has zeros at the places between
rows. A few images are processed at a time, so that the copies stay in the processor's cache: that halves the time
again.
Imports NumPy alone. Read next: convolution.py, which calls this, and does the same for any stride and any library.
"""

import math
import operator
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided

IN_CACHE = 1 << 17  # number of elements that fit into the processor's cache


def applies(xp, array, windows):
    """True for NumPy and a stride of 1."""
    return xp is np and type(array) is np.ndarray and set(windows.stride) == {1}


def _parts(images, numbers, cached=IN_CACHE):
    """Slices of the images, so small that the numbers copied for each slice stay in the cache."""
    several = max(1, cached // max(numbers, 1))
    return [slice(start, start + several) for start in range(0, images, several)]


@lru_cache(maxsize=256)
def _memory(windows):
    """The padded image's size; the distance in memory between neighbours along each axis; the number of places, with
    those between rows; and the number of elements needed after the image, for the last places."""
    along = zip(windows.size, windows.kernel, windows.padding, windows.dilation, windows.out, strict=True)
    size = [max(n + 2 * p, d * (k - 1) + o) for n, k, p, d, o in along]
    steps = [math.prod(size[i + 1 :]) for i in range(len(size))]
    places = windows.out[0] * steps[0]
    last = sum(d * (k - 1) * step for d, k, step in zip(windows.dilation, windows.kernel, steps, strict=True))
    return size, steps, places, max(last + places - math.prod(size), 0)


def _blank(windows, n, channels, dtype):
    """Zeros for the padded images, each channel contiguous; and the view of them that holds the images."""
    size, _, _, behind = _memory(windows)
    flat = np.zeros((n, channels, math.prod(size) + behind), dtype)
    return flat, flat[:, :, : math.prod(size)].reshape(n, channels, *size)[windows.inside()]


def _met(image, windows):
    """The part of the image under the window at each place, also between rows: a view (N, channels, window …,
    places)."""
    _, steps, places, _ = _memory(windows)
    flat, inside = _blank(windows, len(image), image.shape[1], image.dtype)
    inside[...] = image
    apart = [d * step * flat.itemsize for d, step in zip(windows.dilation, steps, strict=True)]
    return as_strided(
        flat, (*flat.shape[:2], *windows.kernel, places), (*flat.strides[:2], *apart, flat.itemsize), writeable=False
    )


def _columns(met, groups):
    """A copy of `met` as a matrix for each group: (N, groups, channels · window, places)."""
    return met.reshape(len(met), groups, math.prod(met.shape[1:-1]) // groups, met.shape[-1])


def _rows(array, windows):
    """An array (N, groups, channels, places) without the places between rows: (N, all channels, …)."""
    size, (n, groups, channels, _) = _memory(windows)[0], array.shape
    spread = array.reshape(n, groups * channels, windows.out[0], *size[1:])
    return spread[(..., *map(slice, windows.out))]


def _between(grad, windows, groups):
    """A gradient with zeros at the places between rows: (N, groups, channels, places)."""
    out = np.zeros((len(grad), groups, grad.shape[1] // groups, _memory(windows)[2]), grad.dtype)
    _rows(out, windows)[...] = grad
    return out


def correlation(image, flat_weight, bias, windows):
    """The correlation, with an optional bias; `flat_weight` has a matrix for each group."""
    groups, channels, window = flat_weight.shape
    met = _met(image, windows)
    out = np.empty((len(image), groups * channels, *windows.out), np.result_type(image, flat_weight))
    for some in _parts(len(image), groups * window * met.shape[-1]):
        found = _rows(np.matmul(flat_weight, _columns(met[some], groups)), windows)
        if bias is None:
            out[some] = found
        else:
            np.add(found, bias.reshape(-1, *(1,) * len(windows.out)), out=out[some])
    return out


def correlation_image(grad, flat_weight, windows):
    """The transpose with respect to the image. None if a weight is infinite: times the zeros between rows, it gives
    nan."""
    if not np.isfinite(flat_weight).all():
        return None
    _, steps, places, _ = _memory(windows)
    groups, _, columns = flat_weight.shape
    turned, grad = flat_weight.transpose(0, 2, 1).copy(), _between(grad, windows, groups)
    window = math.prod(windows.kernel)
    channels = groups * columns // window
    flat, inside = _blank(windows, len(grad), channels, grad.dtype)
    offsets = product(*map(range, windows.kernel))
    apart = [d * step for d, step in zip(windows.dilation, steps, strict=True)]
    starts = [sum(map(operator.mul, offset, apart)) for offset in offsets]
    for some in _parts(len(grad), groups * columns * places, 4 * IN_CACHE):
        spread = np.matmul(turned, grad[some]).reshape(-1, channels, window, places)
        for k, start in enumerate(starts):
            flat[some, :, start : start + places] += spread[:, :, k]
    return inside.copy()


def correlation_weight(grad, image, windows, groups):
    """The transpose with respect to the weight, (groups, channels out, channels in · window). None if a result is not
    finite, as an infinite number of the image, times the zeros between rows, gives nan."""
    met, grad = _met(image, windows), _between(grad, windows, groups).transpose(0, 1, 3, 2)
    window = math.prod(met.shape[1:-1]) // groups
    out = np.empty((len(image), groups, window, grad.shape[-1]), np.result_type(image, grad))
    for some in _parts(len(image), groups * window * met.shape[-1]):
        np.matmul(_columns(met[some], groups), grad[some], out=out[some])
    out = np.add.reduce(out, 0).transpose(0, 2, 1)
    return out if np.isfinite(out).all() else None
