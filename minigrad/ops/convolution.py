"""Convolution and pooling: what slides a window over images (N, C, H, W), or over rows (N, C, L).

Each loop below runs over the few elements of the window and treats all its places at once. A convolution is
linear in the image and in the weight, so three operators are each other's slopes: correlation, and its
transposes in either argument. Imports backend, rules, ops/sliding.py, ops/note.py and ops/standard.py. Read next:
../nn/convolution.py.
"""

import math
from functools import lru_cache
from itertools import count, product, repeat
from typing import NamedTuple

from .._machine import backend
from ..core.rules import TABLE, op
from . import sliding
from .note import note
from .standard import twin


class Windows(NamedTuple):
    """Where a window goes: all tuples have one entry for each axis after N and C."""

    size: tuple[int, ...]  # of the image
    kernel: tuple[int, ...]  # of the window
    stride: tuple[int, ...]
    padding: tuple[int, ...]  # on both sides
    dilation: tuple[int, ...]  # from one element of the window to the next
    out: tuple[int, ...]  # how many places it has

    @lru_cache(maxsize=256)  # noqa: B019  # a plain tuple of numbers keeps nothing alive
    def places(self):
        """For each element of the window, the part of the padded image that it meets: an index."""
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
        """The part of the padded image that is the image: an index."""
        return (..., *(slice(p, p + n) for p, n in zip(self.padding, self.size, strict=True)))

    def blank(self, xp, like, filler=0.0):
        """A padded image full of `filler`, with the N, C and type of `like`."""
        along = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, self.out, strict=True)
        size = tuple(max(n + 2 * p, d * (k - 1) + s * (o - 1) + 1) for n, k, s, p, d, o in along)
        return xp.full((*like.shape[: like.ndim - len(size)], *size), filler, dtype=like.dtype)

    def met(self, xp, image, filler=0.0):
        """What each element of the window meets, at all its places: parts of the image with its margins."""
        padded = image
        if any(self.padding) or any(n < d * (k - 1) + s * (o - 1) + 1 for n, k, s, _, d, o in zip(*self, strict=True)):
            padded = self.blank(xp, image, filler)
            padded[self.inside()] = image
        return [padded[place] for place in self.places()]

    def spread(self, xp, like, parts):
        """The transpose: such parts, one for each element of the window, added up to an image."""
        out = self.blank(xp, like)
        for place, part in zip(self.places(), parts, strict=False):
            out[place] += part
        return out[self.inside()]


# -- convolution --------------------------------------------------------------------------------


def _columns(xp, image, windows, groups):
    """What the window meets at each place: (N, groups, channels · window, places)."""
    columns = xp.stack(windows.met(xp, image), axis=2)
    n, channels = image.shape[:2]
    return xp.reshape(columns, (n, groups, channels // groups * columns.shape[2], math.prod(windows.out)))


def _flat(xp, weight, groups):
    """The weight (out channels, C / groups, …) as a matrix for each group."""
    return xp.reshape(weight, (groups, weight.shape[0] // groups, math.prod(weight.shape[1:])))


@op("ConvolutionBackward0", kind="window")
def correlation(xp, self, weight, *, windows, groups=1):
    """(N, C, …) with weight (out channels, C / groups, …): the sum of their products at every place of the window."""
    flat = _flat(xp, weight, groups)
    if sliding.applies(xp, self, windows):
        return sliding.correlation(self, flat, None, windows)
    out = flat @ _columns(xp, self, windows, groups)
    return xp.reshape(out, (self.shape[0], weight.shape[0], *windows.out))


@op("ConvolutionBackward0", kind="window")
def convolution(xp, self, weight, bias, *, windows, groups=1):
    """`correlation` and a bias for each channel."""
    if sliding.applies(xp, self, windows):
        return sliding.correlation(self, _flat(xp, weight, groups), bias, windows)
    out = correlation.value(xp, self, weight, windows=windows, groups=groups)
    return out + xp.reshape(bias, (1, -1, *(1,) * len(windows.out)))


@op("ConvolutionBackwardBackward0", kind="window")
def correlation_image(xp, self, weight, *, windows, groups=1):
    """The transpose in the image: each number of `self` (N, out channels, …) spread out by the weight."""
    flat, n = _flat(xp, weight, groups), self.shape[0]
    if sliding.applies(xp, self, windows) and (out := sliding.correlation_image(self, flat, windows)) is not None:
        return out
    spread = xp.matrix_transpose(flat) @ xp.reshape(self, (n, *flat.shape[:2], math.prod(windows.out)))
    spread = xp.reshape(spread, (n, groups * weight.shape[1], math.prod(windows.kernel), *windows.out))
    return windows.spread(xp, spread[:, :, 0], (spread[:, :, k] for k in count()))


@op("ConvolutionBackwardBackward0", kind="window")
def correlation_weight(xp, self, image, *, windows, groups=1):
    """The transpose in the weight: `self` (N, out channels, …) times what the window met there."""
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
    """`correlation_image` and a bias for each channel."""
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

twin(correlation_image, "correlation_transposed", "ConvolutionBackward0")  # as a layer, and not as a slope
note(correlation, TABLE["correlation_transposed"], left_out=1)
for _rule in (correlation, convolution, TABLE["correlation_transposed"], conv_transposed):
    note(_rule, leads_on=dict.fromkeys(_rule.inputs, ("self", "weight")))

# -- pooling ------------------------------------------------------------------------------------


@op("MaxPool2DWithIndicesBackward0", kind="window", dtypes="number", outputs=("result", "which"))
def max_pool(xp, self, *, windows):
    """The largest number in the window at each place, and which element of the window it was, the first of several."""
    parts = [xp.asarray(part, copy=True) for part in windows.met(xp, self, -math.inf)]
    small = xp.int8 if len(parts) <= 128 else xp.int32  # as is quickest to compute with
    result, which = parts[0], xp.zeros(parts[0].shape, dtype=small)
    for k, part in enumerate(parts[1:], start=1):
        which = xp.maximum(which, xp.astype(part > result, small) * k)  # k only grows
        result = xp.maximum(result, part)
    return result, xp.astype(which, xp.int32)


def _kept(xp, here, numbers):
    """The numbers where the condition is True, and 0 elsewhere."""
    if xp.isdtype(numbers.dtype, "real floating"):
        return backend.where(xp, here, numbers, 0.0)
    return xp.where(here, numbers, xp.zeros_like(numbers))


@op("MaxPool2DBackward0", kind="window", dtypes="keep")
def max_pool_spread(xp, self, index, *, windows):
    """Numbers put back to where they were taken from, which element of the window `index` says."""
    return windows.spread(xp, self, (_kept(xp, index == k, self) for k in count()))


@op("MaxPool2DBackward0", kind="window", dtypes="keep")
def max_pool_pick(xp, self, index, *, windows):
    """From the window at each place, the element that `index` says."""
    return sum(_kept(xp, index == k, part) for k, part in enumerate(windows.met(xp, self)))


max_pool.slope(self=lambda F, grad, which, windows: F.max_pool_spread(grad, which, windows=windows))
max_pool_spread.slope(self=lambda F, grad, index, windows: F.max_pool_pick(grad, index, windows=windows))
max_pool_pick.slope(self=lambda F, grad, index, windows: F.max_pool_spread(grad, index, windows=windows))


def _pooled(dims, *_, windows, **__):
    """The size of an image of which each window became one number."""
    return dims if dims is None else (*dims[: -len(windows.out)], *windows.out)


def _unpooled(dims, *_, windows, **__):
    """The size of the image, from what pooling made of it."""
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
    """What the sum at each place is divided by: how many elements of the window are over the image, or over its margins
    too; or a number of the reader's choice."""
    if divisor is not None:
        return xp.asarray(divisor, dtype=kind)
    if margins:
        size = tuple(n + 2 * p for n, p in zip(windows.size, windows.padding, strict=True))
        windows = windows._replace(size=size, padding=(0,) * len(size))
    return sum(windows.met(xp, xp.ones((1, 1, *windows.size), dtype=kind)))[0, 0, ...]


@op("AvgPool2DBackward0", kind="window")
def avg_pool(xp, self, *, windows, margins=True, divisor=None):
    """The mean of the numbers in the window at each place; the zeros in the margins count too, or not."""
    total, counts = sum(windows.met(xp, self)), _counts(xp, windows, margins, divisor, self.dtype)
    if xp.isdtype(self.dtype, "integral"):  # cut towards 0
        return xp.sign(total) * (xp.abs(total) // counts)
    return total / counts


@op("AvgPool2DBackwardBackward0", kind="window")
def avg_pool_spread(xp, self, *, windows, margins=True, divisor=None):
    """Each number spread evenly over the window that it is the mean of."""
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
    """`self` with (before, after) more numbers on its last axis, the one before it …; negative ones cut off."""
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
