"""Resizing of images: interpolate, and pixel shuffles between channels and pixels. First the functions, then modules.

Each axis is resized separately: each new position copies one old position ("nearest"), or mixes two by distance
("linear", "bilinear"). Imports applied. Read next: ../ops/resampling.py, for the formulas.
"""

import math

from .._call.arguments import takes_tensors
from .._call.check import floats_only
from .._call.operators import OPERATORS
from ..ops import TABLE
from ..ops.resampling import Resampling
from .applied import Applied
from .module import Module

LINEAR = {"linear": 3, "bilinear": 4}  # the number of axes of the input


def _sizes(input, size, scale_factor) -> list[int]:
    axes = input.dim() - 2
    if (size is None) == (scale_factor is None):
        problem = "either size or scale_factor should be defined"
        raise ValueError(problem if size is None else "only one of size or scale_factor should be defined")
    wanted = size if scale_factor is None else scale_factor
    wanted = list(wanted) if isinstance(wanted, tuple | list) else [wanted] * axes
    if len(wanted) != axes:
        name = "output size" if scale_factor is None else "scale_factor"
        raise ValueError(
            f"Input and {name} must have the same number of spatial dimensions, but got input with spatial dimensions "
            f"of {list(input.shape[2:])} and {name} of {size if scale_factor is None else scale_factor}."
        )
    if scale_factor is None:
        return wanted
    return [math.floor(n * scale) for n, scale in zip(input.shape[2:], wanted, strict=True)]


@takes_tensors
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Resize rows (N, C, L) or images (N, C, H, W) to `size`, or to `scale_factor` times their size.

    `mode` is "nearest", "linear" (rows) or "bilinear" (images); with `align_corners`, the first and last positions
    stay fixed. PyTorch's other modes are not supported.

    >>> import minigrad as torch
    >>> torch.nn.functional.interpolate(torch.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    if mode == "nearest" and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if mode not in ("nearest", *LINEAR) or antialias:
        raise NotImplementedError(f"minigrad interpolates by nearest, linear and bilinear, not by {mode}")
    if input.dim() not in (3, 4) or LINEAR.get(mode, input.dim()) != input.dim():
        raise NotImplementedError(
            f"Got {input.dim()}D input, but {mode} mode needs {LINEAR.get(mode, '3D or 4')}D input"
        )
    sizes = _sizes(input, size, scale_factor)
    name = f"upsample_{mode}{len(sizes)}d"
    if input.dtype.name != "uint8":
        floats_only(TABLE[name].kernel, input)  # type: ignore[attr-defined]
    given = [None] * len(sizes) if recompute_scale_factor else scale_factor
    scales = tuple(given) if isinstance(given, tuple | list) else (given,) * len(sizes)
    linear = mode != "nearest"
    by = Resampling("linear" if linear else mode, tuple(input.shape[2:]), tuple(sizes), scales, bool(align_corners))
    if linear and input.dtype.name == "uint8":  # the weights are not integers
        return OPERATORS[name](input.float(), by=by).round().byte()
    return OPERATORS[name](input, by=by)


@takes_tensors
def pixel_shuffle(input, upscale_factor):
    """(…, C · r², H, W) as (…, C, H · r, W · r): groups of channels become neighbouring pixels.

    Raises RuntimeError unless the number of channels is a multiple of r².

    >>> F.pixel_shuffle(torch.arange(4.0).reshape(1, 4, 1, 1), 2)
    tensor([[[[0., 1.],
              [2., 3.]]]])
    """
    r, channels = upscale_factor, input.shape[-3]
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {r * r}"
        )
    return OPERATORS["pixel_shuffle"](input, factor=r)


@takes_tensors
def pixel_unshuffle(input, downscale_factor):
    """(…, C · r², H, W) from (…, C, H · r, W · r): neighbouring pixels become channels.

    >>> F.pixel_unshuffle(torch.ones(1, 3, 4, 4), 2).shape
    torch.Size([1, 12, 2, 2])
    """
    r, (h, w) = downscale_factor, input.shape[-2:]
    for name, size in (("height", h), ("width", w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size("
                f"{-2 if name == 'height' else -1})={size} is not divisible by {r}"
            )
    return OPERATORS["pixel_unshuffle"](input, factor=r)


# -- as modules -----------------------------------------------------------------------------------


class Upsample(Module):
    """Resizes rows or images to `size`, or to `scale_factor` times their size.

    >>> import minigrad as torch
    >>> torch.nn.Upsample(scale_factor=2, mode="bilinear")(torch.zeros(1, 8, 7, 7)).shape
    torch.Size([1, 8, 14, 14])
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        if isinstance(scale_factor, tuple):
            scale_factor = tuple(float(factor) for factor in scale_factor)
        self.size, self.scale_factor = size, float(scale_factor) if isinstance(scale_factor, int) else scale_factor
        self.mode, self.align_corners, self.recompute_scale_factor = mode, align_corners, recompute_scale_factor

    def forward(self, input):
        options = self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        return interpolate(input, *options)

    def extra_repr(self) -> str:
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Enlarges images by repeating their pixels."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Enlarges images by interpolating between pixels; the corners stay fixed."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class PixelShuffle(Applied):
    """(…, C · r², H, W) as (…, C, H · r, W · r)."""

    function = staticmethod(pixel_shuffle)


class PixelUnshuffle(Applied):
    """(…, C, H · r, W · r) as (…, C · r², H, W)."""

    function = staticmethod(pixel_unshuffle)
