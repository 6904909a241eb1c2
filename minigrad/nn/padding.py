"""Padding: margins around the last axes, filled with a number or from the input. First the functions, then the modules.

Imports module. Read next: convolution.py, which uses padding.
"""

from .._call.arguments import takes_tensors
from .._call.operators import OPERATORS
from .._tensors.creation import empty
from ..ops.resampling import Resampling
from .module import Module


@takes_tensors
def pad(input, pad, mode="constant", value=None):
    """Add margins around the last axes: `pad` is (before, after) for the last axis, then for the one before it …

    They are filled with `value` (default 0); a negative margin removes elements. The mode "reflect" mirrors the
    input, "replicate" repeats its border, and "circular" continues at the opposite end.

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
    if mode not in ("reflect", "replicate", "circular"):
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
    size = tuple(input.shape[-len(margins) :])
    for i, pair in enumerate(margins):
        _check_margins(input, mode, input.shape[-1 - i], pair, input.dim() - 1 - i)
    if mode == "circular":
        return _wrapped(input, margins)
    pairs = margins[::-1]
    out = tuple(n + sum(pair) for n, pair in zip(size, pairs, strict=True))
    by = Resampling(mode, size, out, tuple(before for before, _ in pairs))
    return OPERATORS[f"{mode}_pad{len(margins)}d"](input, by=by)


def _wrapped(input, margins):
    """The image, preceded by its end and followed by its beginning; one axis is filled after the other."""
    sizes = list(input.shape)
    dims = [(len(sizes) - 1 - i, before, after) for i, (before, after) in enumerate(margins)]
    for dim, before, after in dims:
        sizes[dim] += before + after
    out = empty(sizes, dtype=input.dtype, device=input.device)
    inside, kept = out, input
    for dim, before, after in reversed(dims):
        first, last = max(before, 0), max(-before, 0)
        inside = inside.narrow(dim, first, sizes[dim] - max(after, 0) - first)
        kept = kept.narrow(dim, last, kept.shape[dim] - max(-after, 0) - last)
    inside.copy_(kept)
    for dim, before, after in dims:
        first, n = max(before, 0), sizes[dim]
        if before > 0:
            out.narrow(dim, 0, before).copy_(out.narrow(dim, n - before - max(after, 0), before))
        if after > 0:
            out.narrow(dim, n - after, after).copy_(out.narrow(dim, first, after))
    return out


def _check_margins(input, mode: str, n: int, margins, dim: int) -> None:
    if mode == "reflect" and max(margins) >= n:
        raise RuntimeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({margins[0]}, {margins[1]}) at dimension {dim} of input {list(input.shape)}"
        )
    if mode == "circular" and max(margins) > n:
        raise RuntimeError("Padding value causes wrapping around more than once.")


# -- as modules -----------------------------------------------------------------------------------


class Pad(Module):
    """Base of the padding modules: `padding` is one number, or (before, after) of each axis, the last axis first."""

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
    """Base of the padding modules with a given number."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ZeroPad(Pad):
    """Base of the padding modules with zeros."""

    value = 0.0


class ConstantPad1d(ConstantPad):
    """Adds margins to rows (N, C, L), filled with `value`."""

    axes = 1


class ConstantPad2d(ConstantPad):
    """Adds margins to images (N, C, H, W), filled with `value`."""

    axes = 2


class ZeroPad1d(ZeroPad):
    """Adds margins to rows (N, C, L), filled with 0."""

    axes = 1


class ZeroPad2d(ZeroPad):
    """Adds margins to images (N, C, H, W), filled with 0.

    >>> import minigrad as torch
    >>> torch.nn.ZeroPad2d((1, 0, 0, 0))(torch.ones(1, 1, 1, 2))
    tensor([[[[0., 1., 1.]]]])
    """

    axes = 2


class ReflectionPad1d(Pad):
    """Adds margins to rows (N, C, L) that mirror the rows."""

    axes, mode = 1, "reflect"


class ReflectionPad2d(Pad):
    """Adds margins to images (N, C, H, W) that mirror the images."""

    axes, mode = 2, "reflect"


class ReplicationPad1d(Pad):
    """Adds margins to rows (N, C, L) that repeat the end elements."""

    axes, mode = 1, "replicate"


class ReplicationPad2d(Pad):
    """Adds margins to images (N, C, H, W) that repeat the border elements."""

    axes, mode = 2, "replicate"
