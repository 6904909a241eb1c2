"""Convolution in NumPy where the window moves one step at a time: a row of places is one piece of memory.

Along the last axis the places of each element of the window lie side by side in the padded image, and so do whole
rows, if the few places between the end of a row and the next are computed, too, and thrown away. Copies are then of
hundreds of numbers instead of one row each, in a quarter of the time. A gradient has zeros at those places.
A few images are treated at a time, so that what is copied stays in the processor's cache: that halves the time again.
Imports NumPy alone. Read next: convolution.py, which calls it, and says the same for any step and any library.
"""

import math
import operator
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided

IN_CACHE = 1 << 17  # numbers that stay in the processor's cache


def applies(xp, array, windows):
    """Is this the case?"""
    return xp is np and type(array) is np.ndarray and set(windows.stride) == {1}


def _parts(images, numbers, cached=IN_CACHE):
    """Slices of so many images that all the numbers copied for each of them stay in the cache."""
    several = max(1, cached // max(numbers, 1))
    return [slice(start, start + several) for start in range(0, images, several)]


@lru_cache(maxsize=256)
def _memory(windows):
    """The padded image's size; from one place to the next along each axis; how many places there are, with those
    between the rows; and how many numbers must follow the image, for the last of them."""
    along = zip(windows.size, windows.kernel, windows.padding, windows.dilation, windows.out, strict=True)
    size = [max(n + 2 * p, d * (k - 1) + o) for n, k, p, d, o in along]
    steps = [math.prod(size[i + 1 :]) for i in range(len(size))]
    places = windows.out[0] * steps[0]
    last = sum(d * (k - 1) * step for d, k, step in zip(windows.dilation, windows.kernel, steps, strict=True))
    return size, steps, places, max(last + places - math.prod(size), 0)


def _blank(windows, n, channels, dtype):
    """Zeros for the padded images, channels in a row each; and the part of them that is the images."""
    size, _, _, behind = _memory(windows)
    flat = np.zeros((n, channels, math.prod(size) + behind), dtype)
    return flat, flat[:, :, : math.prod(size)].reshape(n, channels, *size)[windows.inside()]


def _met(image, windows):
    """What the window meets at each place, places between the rows too: a view (N, channels, window …, places)."""
    _, steps, places, _ = _memory(windows)
    flat, inside = _blank(windows, len(image), image.shape[1], image.dtype)
    inside[...] = image
    apart = [d * step * flat.itemsize for d, step in zip(windows.dilation, steps, strict=True)]
    return as_strided(
        flat, (*flat.shape[:2], *windows.kernel, places), (*flat.strides[:2], *apart, flat.itemsize), writeable=False
    )


def _columns(met, groups):
    """The same copied, as a matrix for each group: (N, groups, channels · window, places)."""
    return met.reshape(len(met), groups, math.prod(met.shape[1:-1]) // groups, met.shape[-1])


def _rows(array, windows):
    """The part of an array (N, groups, channels, places) that is no place between rows: (N, all channels, …)."""
    size, (n, groups, channels, _) = _memory(windows)[0], array.shape
    spread = array.reshape(n, groups * channels, windows.out[0], *size[1:])
    return spread[(..., *map(slice, windows.out))]


def _between(grad, windows, groups):
    """A gradient with zeros between the rows: (N, groups, channels, places)."""
    out = np.zeros((len(grad), groups, grad.shape[1] // groups, _memory(windows)[2]), grad.dtype)
    _rows(out, windows)[...] = grad
    return out


def correlation(image, flat_weight, bias, windows):
    """The products at every place, with a bias if there is one; `flat_weight`: a matrix for each group."""
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
    """The transpose in the image; None if zeros between rows do no good, since some weight is infinite."""
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
    """The transpose in the weight, (groups, channels out, channels in · window); None as above, for the image."""
    met, grad = _met(image, windows), _between(grad, windows, groups).transpose(0, 1, 3, 2)
    window = math.prod(met.shape[1:-1]) // groups
    out = np.empty((len(image), groups, window, grad.shape[-1]), np.result_type(image, grad))
    for some in _parts(len(image), groups * window * met.shape[-1]):
        np.matmul(_columns(met[some], groups), grad[some], out=out[some])
    out = np.add.reduce(out, 0).transpose(0, 2, 1)
    return out if np.isfinite(out).all() else None
