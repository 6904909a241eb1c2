"""Convolution in NumPy where the window moves one step at a time: a row of places is one piece of memory.

Along the last axis the places of each element of the window lie side by side in the padded image, and so do whole
rows, if the few places between the end of a row and the next are computed, too, and thrown away. Copies are then of
hundreds of numbers instead of one row each, in a quarter of the time. A gradient has zeros at those places.
Imports NumPy alone. Read next: convolution.py, which calls it, and says the same for any step and any library.
"""

import math
from itertools import product

import numpy as np
from numpy.lib.stride_tricks import as_strided


def applies(xp, array, windows):
    """Is this the case?"""
    return xp is np and type(array) is np.ndarray and set(windows.stride) == {1}


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


def columns(image, windows, groups):
    """What the window meets at each place: (N, groups, channels · window, places), places between the rows too."""
    _, steps, places, _ = _memory(windows)
    flat, inside = _blank(windows, len(image), image.shape[1], image.dtype)
    inside[...] = image
    apart = [d * step * flat.itemsize for d, step in zip(windows.dilation, steps, strict=True)]
    met = as_strided(
        flat, (*flat.shape[:2], *windows.kernel, places), (*flat.strides[:2], *apart, flat.itemsize), writeable=False
    )
    return met.reshape(len(image), groups, image.shape[1] // groups * math.prod(windows.kernel), places)


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
    out = _rows(np.matmul(flat_weight, columns(image, windows, len(flat_weight))), windows)
    return out.copy() if bias is None else out + bias.reshape(-1, *(1,) * len(windows.out))


def correlation_image(grad, flat_weight, windows):
    """The transpose in the image; None if zeros between rows do no good, since some weight is infinite."""
    if not np.isfinite(flat_weight).all():
        return None
    _, steps, places, _ = _memory(windows)
    groups, _, columns = flat_weight.shape
    spread = np.matmul(flat_weight.transpose(0, 2, 1).copy(), _between(grad, windows, groups))
    window = math.prod(windows.kernel)
    channels = groups * columns // window
    spread = spread.reshape(len(grad), channels, window, places)
    flat, inside = _blank(windows, len(grad), channels, grad.dtype)
    for k, offset in enumerate(product(*map(range, windows.kernel))):
        start = sum(o * d * step for o, d, step in zip(offset, windows.dilation, steps, strict=True))
        flat[:, :, start : start + places] += spread[:, :, k]
    return inside.copy()


def correlation_weight(grad, image, windows, groups):
    """The transpose in the weight, (groups, channels out, channels in · window); None as above, for the image."""
    met = columns(image, windows, groups)
    out = np.add.reduce(met @ _between(grad, windows, groups).transpose(0, 1, 3, 2), 0).transpose(0, 2, 1)
    return out if np.isfinite(out).all() else None
