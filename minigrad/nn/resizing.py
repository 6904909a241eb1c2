"""Images made larger or smaller: interpolate, and the shuffles between channels and places. Functions, then modules.

Each axis is resized by itself: every new place takes one old place ("nearest") or two, by their nearness ("linear",
"bilinear"). Imports applied. Read next: ../ops/indexing.py, which picks.
"""

import math

from ..arguments import takes_tensors
from ..creation import arange
from .applied import Applied
from .module import Module

LINEAR = {"linear": 3, "bilinear": 4}  # of inputs with so many axes


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


def _places(n: int, wanted: int, scale, align_corners: bool, like):
    """Where the new places are in the old axis, as fractions."""
    new = arange(wanted, device=like.device, dtype=like.dtype)
    if align_corners:
        return new * ((n - 1) / (wanted - 1) if wanted > 1 else 0.0)
    return ((new + 0.5) * (1 / scale if scale else n / wanted) - 0.5).clamp_min(0)


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
    """Rows (N, C, L) or images (N, C, H, W) of another size: `size`, or `scale_factor` times their own.

    `mode` is "nearest", "linear" (rows) or "bilinear" (images); with `align_corners` the first and last places stay
    where they are. Of PyTorch's other modes there is none here.

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
    scales = scale_factor if isinstance(scale_factor, tuple | list) else [scale_factor] * len(sizes)
    for i, (wanted, scale) in enumerate(zip(sizes, scales, strict=True)):
        dim, n, scale = i + 2, input.shape[i + 2], None if recompute_scale_factor else scale
        if mode == "nearest":
            places = (
                arange(wanted, device=input.device, dtype=input.dtype) * (1 / scale if scale else n / wanted)
            ).long()
            input = input.index_select(dim, places.clamp_max(n - 1))
            continue
        places = _places(n, wanted, scale, bool(align_corners), input)
        first = places.long().clamp_max(n - 1)
        after = (places - first).reshape(-1, *(1,) * (input.dim() - dim - 1))
        second = (first + 1).clamp_max(n - 1)
        input = input.index_select(dim, first) * (1 - after) + input.index_select(dim, second) * after
    return input


@takes_tensors
def pixel_shuffle(input, upscale_factor):
    """(…, C · r², H, W) as (…, C, H · r, W · r): channels become neighbours.

    Raises RuntimeError unless the channels are a multiple of r².

    >>> F.pixel_shuffle(torch.arange(4.0).reshape(1, 4, 1, 1), 2)
    tensor([[[[0., 1.],
              [2., 3.]]]])
    """
    r, (*batch, channels, h, w) = upscale_factor, input.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {r * r}"
        )
    n = len(batch)
    split = input.reshape(*batch, channels // (r * r), r, r, h, w)
    return split.permute(*range(n + 1), n + 3, n + 1, n + 4, n + 2).reshape(*batch, -1, h * r, w * r)


@takes_tensors
def pixel_unshuffle(input, downscale_factor):
    """(…, C, H · r, W · r) as (…, C · r², H, W): neighbours become channels.

    >>> F.pixel_unshuffle(torch.ones(1, 3, 4, 4), 2).shape
    torch.Size([1, 12, 2, 2])
    """
    r, (*batch, channels, h, w) = downscale_factor, input.shape
    for name, size in (("height", h), ("width", w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size("
                f"{-2 if name == 'height' else -1})={size} is not divisible by {r}"
            )
    n = len(batch)
    split = input.reshape(*batch, channels, h // r, r, w // r, r)
    return split.permute(*range(n + 1), n + 2, n + 4, n + 1, n + 3).reshape(*batch, -1, h // r, w // r)


# -- as modules -----------------------------------------------------------------------------------


class Upsample(Module):
    """Rows or images of another size: `size`, or `scale_factor` times their own.

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
    """Images made larger by repeating their pixels."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images made larger by blending their pixels; the corners stay where they are."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class PixelShuffle(Applied):
    """(…, C · r², H, W) as (…, C, H · r, W · r)."""

    function = staticmethod(pixel_shuffle)


class PixelUnshuffle(Applied):
    """(…, C, H · r, W · r) as (…, C · r², H, W)."""

    function = staticmethod(pixel_unshuffle)
