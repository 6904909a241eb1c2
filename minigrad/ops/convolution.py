"""Convolution and pooling: operators that move a window over images (N, C, H, W), or over rows (N, C, L).

Each loop below runs over the few elements of the window and processes all places of the window at once. A convolution
is linear in the image and in the weight. So the slopes of three operators are these operators themselves: the
correlation and its transposes with respect to image and weight. Imports backend, rules, ops/sliding.py, ops/note.py and
ops/standard.py. Read next: ../nn/convolution.py.
"""

import math
from functools import lru_cache
from itertools import count, product, repeat
from typing import NamedTuple

import numpy as np

from .._machine import backend
from ..core.rules import TABLE, op
from . import sliding
from .note import note
from .standard import twin


class Windows(NamedTuple):
    """The places of a window on an image: each tuple has one entry for each axis after N and C."""

    size: tuple[int, ...]  # of the image
    kernel: tuple[int, ...]  # of the window
    stride: tuple[int, ...]
    padding: tuple[int, ...]  # on both sides of the image
    dilation: tuple[int, ...]  # the distance between neighbouring elements of the window
    out: tuple[int, ...]  # the number of places

    @lru_cache(maxsize=256)  # noqa: B019  # a plain tuple of numbers keeps nothing alive
    def places(self):
        """For each element of the window, the index of the part of the padded image that it covers."""
        return [
            (
                ...,
                *(
                    slice(o * d, o * d + s * (n - 1) + 1, s)
                    for o, s, d, n in zip(offset, self.stride, self.dilation, self.out, strict=True)
                ),
            )
            for offset in product(*map(range, self.kernel))
        ]

    def inside(self):
        """The index of the image in the padded image."""
        return (..., *(slice(p, p + n) for p, n in zip(self.padding, self.size, strict=True)))

    def blank(self, xp, like, filler=0.0):
        """A padded image filled with `filler`, with the N, C and type of `like`."""
        along = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, self.out, strict=True)
        size = tuple(max(n + 2 * p, d * (k - 1) + s * (o - 1) + 1) for n, k, s, p, d, o in along)
        return xp.full((*like.shape[: like.ndim - len(size)], *size), filler, dtype=like.dtype)

    def met(self, xp, image, filler=0.0):
        """For each element of the window, what it covers at all places: a part of the padded image."""
        padded = image
        if any(self.padding) or any(n < d * (k - 1) + s * (o - 1) + 1 for n, k, s, _, d, o in zip(*self, strict=True)):
            padded = self.blank(xp, image, filler)
            padded[self.inside()] = image
        return [padded[place] for place in self.places()]

    def spread(self, xp, like, parts):
        """The transpose of `met`: add up such parts, one for each element of the window, to an image."""
        out = self.blank(xp, like)
        apart = all(s > d * (k - 1) for k, s, d in zip(self.kernel, self.stride, self.dilation, strict=True))
        for place, part in zip(self.places(), parts, strict=False):
            if apart and xp is np:  # no two windows overlap, so `out` need not be read; adding 0 turns -0 into 0
                np.add(part, backend.zero(part), out=out[place])
            else:
                out[place] += part
        return out[self.inside()]


# -- convolution --------------------------------------------------------------------------------


def _columns(xp, image, windows, groups):
    """The part of the image under the window at each place: (N, groups, channels · window, places)."""
    columns = xp.stack(windows.met(xp, image), axis=2)
    n, channels = image.shape[:2]
    return xp.reshape(columns, (n, groups, channels // groups * columns.shape[2], math.prod(windows.out)))


def _flat(xp, weight, groups):
    """The weight (out channels, C / groups, …) as a matrix for each group."""
    return xp.reshape(weight, (groups, weight.shape[0] // groups, math.prod(weight.shape[1:])))


@op("ConvolutionBackward0", kind="window")
def correlation(xp, self, weight, *, windows, groups=1):
    """The sum of products of image (N, C, …) and weight (out channels, C / groups, …), at each place of the window."""
    flat = _flat(xp, weight, groups)
    if sliding.applies(xp, self, windows):
        return sliding.correlation(self, flat, None, windows)
    out = flat @ _columns(xp, self, windows, groups)
    return xp.reshape(out, (self.shape[0], weight.shape[0], *windows.out))


@op("ConvolutionBackward0", kind="window")
def convolution(xp, self, weight, bias, *, windows, groups=1):
    """`correlation`, with a bias added to each channel."""
    if sliding.applies(xp, self, windows):
        return sliding.correlation(self, _flat(xp, weight, groups), bias, windows)
    out = correlation.value(xp, self, weight, windows=windows, groups=groups)
    return out + xp.reshape(bias, (1, -1, *(1,) * len(windows.out)))


@op("ConvolutionBackwardBackward0", kind="window")
def correlation_image(xp, self, weight, *, windows, groups=1):
    """The transpose with respect to the image: each number of `self` (N, out channels, …) times the weight, added up at
    the place of its window."""
    flat, n = _flat(xp, weight, groups), self.shape[0]
    if sliding.applies(xp, self, windows) and (out := sliding.correlation_image(self, flat, windows)) is not None:
        return out
    spread = xp.matrix_transpose(flat) @ xp.reshape(self, (n, *flat.shape[:2], math.prod(windows.out)))
    spread = xp.reshape(spread, (n, groups * weight.shape[1], math.prod(windows.kernel), *windows.out))
    return windows.spread(xp, spread[:, :, 0], (spread[:, :, k] for k in count()))


@op("ConvolutionBackwardBackward0", kind="window")
def correlation_weight(xp, self, image, *, windows, groups=1):
    """The transpose with respect to the weight: the sum of `self` (N, out channels, …) times the image under the
    window."""
    n, channels = self.shape[:2]
    size = channels, image.shape[1] // groups, *windows.kernel
    if sliding.applies(xp, image, windows):
        out = sliding.correlation_weight(self, image, windows, groups)
        if out is not None:
            return out.reshape(size)
    columns = xp.matrix_transpose(_columns(xp, image, windows, groups))
    flat = xp.reshape(self, (n, groups, channels // groups, math.prod(windows.out)))
    return xp.reshape(xp.sum(flat @ columns, axis=0), size)


correlation.slope(
    self=lambda F, grad, weight, windows, groups: F.correlation_image(grad, weight, windows=windows, groups=groups),
    weight=lambda F, grad, self, windows, groups: F.correlation_weight(grad, self, windows=windows, groups=groups),
)
convolution.slope(**correlation.slopes, bias=lambda F, grad: F.sum_dim(grad, dim=(0, *range(2, len(grad.shape)))))


@op("ConvolutionBackward0", kind="window")
def conv_transposed(xp, self, weight, bias, *, windows, groups=1):
    """`correlation_image`, with a bias added to each channel."""
    out = correlation_image.value(xp, self, weight, windows=windows, groups=groups)
    return out + xp.reshape(bias, (1, -1, *(1,) * len(windows.out)))


correlation_image.slope(
    self=lambda F, grad, weight, windows, groups: F.correlation(grad, weight, windows=windows, groups=groups),
    weight=lambda F, grad, self, windows, groups: F.correlation_weight(self, grad, windows=windows, groups=groups),
)
correlation_weight.slope(
    self=lambda F, grad, image, windows, groups: F.correlation(image, grad, windows=windows, groups=groups),
    image=lambda F, grad, self, windows, groups: F.correlation_image(self, grad, windows=windows, groups=groups),
)
conv_transposed.slope(**correlation_image.slopes, bias=convolution.slopes["bias"])


def _first(dims, d):
    return None if dims is None else dims[d]


def _times(n, groups):
    return None if n is None else n * groups


note(
    correlation,
    convolution,
    shape=lambda image, weight, *bias, windows, groups: (_first(image, 0), _first(weight, 0), *windows.out),
)
note(
    correlation_image,
    conv_transposed,
    shape=lambda out, weight, *bias, windows, groups: (
        _first(out, 0),
        _times(_first(weight, 1), groups),
        *windows.size,
    ),
)
note(
    correlation_weight,
    shape=lambda out, image, windows, groups: (
        _first(out, 1),
        None if _first(image, 1) is None else image[1] // groups,
        *windows.kernel,
    ),
)

# the layer has another name for its node than the slope
twin(correlation_image, "correlation_transposed", "ConvolutionBackward0")
note(correlation, TABLE["correlation_transposed"], left_out=1)
for _rule in (correlation, convolution, TABLE["correlation_transposed"], conv_transposed):
    note(_rule, leads_on=dict.fromkeys(_rule.inputs, ("self", "weight")))

# -- pooling ------------------------------------------------------------------------------------


@op("MaxPool2DWithIndicesBackward0", kind="window", dtypes="number", outputs=("result", "which"))
def max_pool(xp, self, *, windows):
    """The largest number under the window at each place, and the index of its element in the window; at a tie, the
    first."""
    parts = [xp.asarray(part, copy=True) for part in windows.met(xp, self, -math.inf)]
    small = xp.int8 if len(parts) <= 128 else xp.int32  # the types that are fastest to compute with
    result, which = parts[0], xp.zeros(parts[0].shape, dtype=small)
    for k, part in enumerate(parts[1:], start=1):
        # k increases, so the maximum is the last k so far
        which = xp.maximum(which, xp.astype(part > result, small) * k)
        result = xp.maximum(result, part)
    return result, xp.astype(which, xp.int32)


def _kept(xp, here, numbers):
    """The numbers where `here` is True, 0 elsewhere."""
    if xp.isdtype(numbers.dtype, "real floating"):
        return backend.where(xp, here, numbers, 0.0)
    return xp.where(here, numbers, xp.zeros_like(numbers))


@op("MaxPool2DBackward0", kind="window", dtypes="keep")
def max_pool_spread(xp, self, index, *, windows):
    """The slope of `max_pool`: put each number back to the element of the window that `index` selects."""
    return windows.spread(xp, self, (_kept(xp, index == k, self) for k in count()))


@op("MaxPool2DBackward0", kind="window", dtypes="keep")
def max_pool_pick(xp, self, index, *, windows):
    """The element of the window that `index` selects, at each place."""
    return sum(_kept(xp, index == k, part) for k, part in enumerate(windows.met(xp, self)))


max_pool.slope(self=lambda F, grad, which, windows: F.max_pool_spread(grad, which, windows=windows))
max_pool_spread.slope(self=lambda F, grad, index, windows: F.max_pool_pick(grad, index, windows=windows))
max_pool_pick.slope(self=lambda F, grad, index, windows: F.max_pool_spread(grad, index, windows=windows))


def _pooled(dims, *_, windows, **__):
    """The size of the pooled image: one number for each place."""
    return dims if dims is None else (*dims[: -len(windows.out)], *windows.out)


def _unpooled(dims, *_, windows, **__):
    """The size of the image before pooling."""
    return dims if dims is None else (*dims[: -len(windows.size)], *windows.size)


note(
    max_pool,
    kernel="max_pool2d",
    shape=lambda dims, windows: [_pooled(dims, windows=windows)] * 2,
    gives=(None, "int32"),
)
note(max_pool, leads_on={"self": ("self",)}, by_zeros=True)
note(max_pool_pick, shape=_pooled)
note(max_pool_spread, shape=_unpooled)


def _counts(xp, windows, margins, divisor, kind):
    """The divisors of the sums at each place: the number of elements of the window inside the image, or inside the
    padded image; or the number that the user gave."""
    if divisor is not None:
        return xp.asarray(divisor, dtype=kind)
    if margins:
        size = tuple(n + 2 * p for n, p in zip(windows.size, windows.padding, strict=True))
        windows = windows._replace(size=size, padding=(0,) * len(size))
    return sum(windows.met(xp, xp.ones((1, 1, *windows.size), dtype=kind)))[0, 0, ...]


@op("AvgPool2DBackward0", kind="window")
def avg_pool(xp, self, *, windows, margins=True, divisor=None):
    """The mean of the numbers under the window at each place. `margins`: whether the zeros of the padding count."""
    total, counts = sum(windows.met(xp, self)), _counts(xp, windows, margins, divisor, self.dtype)
    if xp.isdtype(self.dtype, "integral"):  # round towards 0
        return xp.sign(total) * (xp.abs(total) // counts)
    return total / counts


@op("AvgPool2DBackwardBackward0", kind="window")
def avg_pool_spread(xp, self, *, windows, margins=True, divisor=None):
    """The slope of `avg_pool`: divide each number evenly over its window."""
    return windows.spread(xp, self, repeat(self / _counts(xp, windows, margins, divisor, self.dtype)))


avg_pool.slope(
    self=lambda F, grad, windows, margins, divisor: F.avg_pool_spread(
        grad, windows=windows, margins=margins, divisor=divisor
    )
)
avg_pool_spread.slope(
    self=lambda F, grad, windows, margins, divisor: F.avg_pool(grad, windows=windows, margins=margins, divisor=divisor)
)
note(avg_pool, shape=_pooled, leads_on={"self": ("self",)}, by_zeros=True)
note(avg_pool_spread, shape=_unpooled)

# -- padding ------------------------------------------------------------------------------------


@op("ConstantPadNdBackward0", kind="window", dtypes="keep")
def constant_pad(xp, self, *, margins, value=0):
    """`self` with (before, after) more numbers on its last axis, then on the axis before it …; a negative number
    removes that many."""
    size, into, part = list(self.shape), [slice(None)] * self.ndim, [slice(None)] * self.ndim
    for i, (before, after) in enumerate(margins):
        d, n = self.ndim - 1 - i, size[self.ndim - 1 - i]
        size[d] = n + before + after
        into[d] = slice(max(before, 0), size[d] - max(after, 0))
        part[d] = slice(max(-before, 0), n - max(-after, 0))
    out = xp.full(tuple(size), value, dtype=self.dtype)
    out[tuple(into)] = self[tuple(part)]
    return out


constant_pad.slope(
    self=lambda F, grad, margins: F.constant_pad(grad, margins=tuple((-before, -after) for before, after in margins))
)
