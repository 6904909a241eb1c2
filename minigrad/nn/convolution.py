"""Convolution for rows (1d) and images (2d), and padding: as functions, then as modules.

PyTorch's arguments are made into `Windows` (../ops/convolution.py, where the mathematics is). A size such as
`stride` is an int, or a tuple with one for each axis. Inputs are (N, C, L) or (N, C, H, W); N may be missing.
Imports linear. Read next: pooling.py.
"""

from collections.abc import Callable
from typing import Any

from ..arguments import takes_tensors
from ..compiled import OPERATORS
from ..ops.convolution import Windows
from .linear import Weighted
from .module import unusual


def each_axis(value, axes: int, name="value"):
    """An int for every axis, from one for all or from one for each."""
    out = tuple(value) if isinstance(value, tuple | list) else (value,)
    out = out * axes if len(out) == 1 else out
    if len(out) != axes:
        raise RuntimeError(f"{name} must be one int or {axes}, but got {out}")
    return out


def windows_over(size, kernel, stride, padding, dilation, ceil_mode=False) -> Windows:
    """The windows that fit in images of this size; with `ceil_mode` also one that reaches over their end."""
    out = []
    for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True):
        places = (n + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
        if ceil_mode and (places - 1) * s >= n + p:  # the last window must start over the image
            places -= 1
        out.append(places)
    return Windows(tuple(size), kernel, stride, padding, dilation, tuple(out))


def _conv(input, weight, bias, stride, padding, dilation, groups, axes):
    sizes, filter = list(input.shape), list(weight.shape)
    if len(sizes) not in (axes + 1, axes + 2):
        raise RuntimeError(
            f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to conv{axes}d, but got input of size: "
            f"{sizes}"
        )
    if len(sizes) == axes + 1:
        return _conv(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups, axes).squeeze(0)
    for other, what in ((bias, "bias"), (weight, "weight")):
        if other is not None and other.dtype is not input.dtype:
            kinds = [t.dtype.c_name for t in (input, other)]
            raise RuntimeError(f"Input type ({kinds[0]}) and {what} type ({kinds[1]}) should be the same")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if len(filter) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if len(filter) != len(sizes):
        raise RuntimeError(
            f"Expected {len(filter)}-dimensional input for {len(filter)}-dimensional weight{filter}, but got "
            f"{len(sizes)}-dimensional input of size {sizes} instead"
        )
    stride, dilation = each_axis(stride, axes, "stride"), each_axis(dilation, axes, "dilation")
    kernel, missing = tuple(filter[2:]), [d * (k - 1) for d, k in zip(dilation, filter[2:], strict=True)]
    if padding == "same":
        if stride != (1,) * axes:
            raise ValueError("padding='same' is not supported for strided convolutions")
        if any(n % 2 for n in missing):  # the odd one goes to the end
            input = pad(input, tuple(m for n in reversed(missing) for m in (0, n % 2)))
        padding = tuple(n // 2 for n in missing)
    padding = each_axis(0 if padding == "valid" else padding, axes, "padding")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) <= 0:
        raise RuntimeError("dilation should be greater than zero")
    if filter[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{filter} instead"
        )
    if sizes[1] != filter[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {filter}, expected input{sizes} to have {filter[1] * groups} "
            f"channels, but got {sizes[1]} channels instead"
        )
    windows = windows_over(input.shape[2:], kernel, stride, padding, dilation)
    if min(windows.out) < 1:
        padded = " x ".join(str(n + 2 * p) for n, p in zip(windows.size, padding, strict=True))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({padded}). Kernel size: "
            f"({' x '.join(str(n + 1) for n in missing)}). Kernel size can't be greater than actual input size"
        )
    if bias is None:
        return OPERATORS["correlation"](input, weight, windows=windows, groups=groups)
    return OPERATORS["convolution"](input, weight, bias, windows=windows, groups=groups)


@takes_tensors
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, L), weight (out channels, C / groups, kernel): (N, out channels, places)."""
    return _conv(input, weight, bias, stride, padding, dilation, groups, 1)


@takes_tensors
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, H, W), weight (out channels, C / groups, kernel, kernel): (N, out channels, places, places).

    `padding` is a number of zeros around the image, "valid" (none) or "same" (so many that the size stays).

    >>> import minigrad as torch
    >>> torch.nn.functional.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _conv(input, weight, bias, stride, padding, dilation, groups, 2)


@takes_tensors
def pad(input, pad, mode="constant", value=None):
    """Margins around the last axes: `pad` is (before, after) for the last, then for the one before it …

    They are filled with `value`, 0 if left out; a negative margin cuts off. Of PyTorch's modes only "constant".

    >>> import minigrad as torch
    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    """
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}"
        )
    return OPERATORS["constant_pad"](input, margins=tuple(zip(pad[::2], pad[1::2], strict=True)), value=value or 0)


# -- as modules -----------------------------------------------------------------------------------


class Conv(Weighted):
    """What Conv1d and Conv2d share: `weight` (out, in / groups, kernel …) and `bias` (out)."""

    axes: int
    function: Callable[..., Any]

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, **kind
    ):
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        kernel, stride, dilation = (each_axis(value, self.axes) for value in (kernel_size, stride, dilation))
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string '{padding}', should be one of {{'valid', 'same'}}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        else:
            padding = each_axis(padding, self.axes)
        super().__init__(out_channels, in_channels // groups, *kernel, bias=bias, **kind)
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups

    def forward(self, input):
        options = self.stride, self.padding, self.dilation, self.groups
        return self.function(input, self.weight, self.bias, *options)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        text += unusual(self, padding=(0,) * self.axes, dilation=(1,) * self.axes, groups=1)
        return text if self.bias is not None else text + ", bias=False"


class Conv1d(Conv):
    """A window of weights slides along rows (N, in, L): each place gives one number for each output channel."""

    axes, function = 1, staticmethod(conv1d)


class Conv2d(Conv):
    """A window of weights slides over images (N, in, H, W): each place gives one number for each output channel.

    >>> import minigrad as torch
    >>> layer = torch.nn.Conv2d(1, 8, kernel_size=3, padding=1)
    >>> layer, layer(torch.zeros(2, 1, 28, 28)).shape
    (Conv2d(1, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)), torch.Size([2, 8, 28, 28]))
    """

    axes, function = 2, staticmethod(conv2d)
