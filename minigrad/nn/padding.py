"""Padding: margins around the last axes, filled with a number or with what the input has. Functions, then modules.

Imports module. Read next: convolution.py, which pads.
"""

from typing import Any

from ..arguments import takes_tensors
from ..creation import arange
from ..operators import OPERATORS
from .module import Module


@takes_tensors
def pad(input, pad, mode="constant", value=None):
    """Margins around the last axes: `pad` is (before, after) for the last, then for the one before it …

    They are filled with `value`, 0 if left out, and a negative margin cuts off. In the mode "reflect" they mirror the
    input, in "replicate" they repeat its border, in "circular" they go on at its other end.

    >>> import minigrad as torch
    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    >>> torch.nn.functional.pad(torch.tensor([[1, 2, 3]]), (1, 2), mode="reflect")
    tensor([[2, 1, 2, 3, 2, 1]])
    """
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}"
        )
    margins = tuple(zip(pad[::2], pad[1::2], strict=True))
    if mode == "constant":
        return OPERATORS["constant_pad"](input, margins=margins, value=value or 0)
    if mode not in PLACES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if input.dim() - len(margins) not in (1, 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input.dim()}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    for i, (before, after) in enumerate(margins):
        n, dim = input.shape[-1 - i], input.dim() - 1 - i
        _check_margins(input, mode, n, (before, after), dim)
        places = arange(-before, n + after, device=input.device)
        input = input.index_select(dim, PLACES[mode](places, n))
    return input


def _check_margins(input, mode: str, n: int, margins, dim: int) -> None:
    if mode == "reflect" and max(margins) >= n:
        raise RuntimeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({margins[0]}, {margins[1]}) at dimension {dim} of input {list(input.shape)}"
        )
    if mode == "circular" and max(margins) > n:
        raise RuntimeError("Padding value causes wrapping around more than once.")


def _mirrored(places, n: int):
    places = places.abs()
    return n - 1 - (n - 1 - places).abs()


PLACES: dict[str, Any] = {  # which number of n stands at places from before 0 to behind n - 1
    "reflect": _mirrored,
    "replicate": lambda places, n: places.clamp(0, n - 1),
    "circular": lambda places, n: places.remainder(n),
}

# -- as modules -----------------------------------------------------------------------------------


class Pad(Module):
    """What all share: `padding` is one number for all sides, or (before, after) for the last axis, then the others."""

    axes: int
    mode = "constant"
    value: float | None = None

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * 2 * self.axes if isinstance(padding, int) else tuple(padding)

    def forward(self, input):
        return pad(input, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ConstantPad(Pad):
    """What the pads with a number of one's choice share."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ZeroPad(Pad):
    """What the pads with zeros share."""

    value = 0.0


class ConstantPad1d(ConstantPad):
    """Margins around rows (N, C, L), filled with `value`."""

    axes = 1


class ConstantPad2d(ConstantPad):
    """Margins around images (N, C, H, W), filled with `value`."""

    axes = 2


class ZeroPad1d(ZeroPad):
    """Margins around rows (N, C, L), filled with 0."""

    axes = 1


class ZeroPad2d(ZeroPad):
    """Margins around images (N, C, H, W), filled with 0.

    >>> import minigrad as torch
    >>> torch.nn.ZeroPad2d((1, 0, 0, 0))(torch.ones(1, 1, 1, 2))
    tensor([[[[0., 1., 1.]]]])
    """

    axes = 2


class ReflectionPad1d(Pad):
    """Margins around rows (N, C, L) that mirror them."""

    axes, mode = 1, "reflect"


class ReflectionPad2d(Pad):
    """Margins around images (N, C, H, W) that mirror them."""

    axes, mode = 2, "reflect"


class ReplicationPad1d(Pad):
    """Margins around rows (N, C, L) that repeat their ends."""

    axes, mode = 1, "replicate"


class ReplicationPad2d(Pad):
    """Margins around images (N, C, H, W) that repeat their borders."""

    axes, mode = 2, "replicate"
