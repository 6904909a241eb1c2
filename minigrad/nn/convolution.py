"""Convolution and pooling layers, for rows (1d) and images (2d).

Imports module, init and functional. Read next: functional/window.py; ../ops/convolution.py for the mathematics.
"""

from __future__ import annotations

import math
from typing import Any

from ..creation import empty
from . import functional as F
from . import init
from .functional.window import each_axis
from .module import Module
from .parameter import Parameter


class Conv(Module):
    """What Conv1d and Conv2d share: `weight` (out, in / groups, kernel …) and `bias` (out)."""

    axes: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        **kind: Any,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = each_axis(kernel_size, self.axes), each_axis(stride, self.axes)
        self.dilation = each_axis(dilation, self.axes)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string '{padding}', should be one of {{'valid', 'same'}}")
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        self.padding = padding if isinstance(padding, str) else each_axis(padding, self.axes)
        self.weight = Parameter(empty(out_channels, in_channels // groups, *self.kernel_size, **kind))
        self.register_parameter("bias", Parameter(empty(out_channels, **kind)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight, then bias, anew: uniform in ±1/√(numbers in a window)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(init.fans(self.weight)[0])
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        convolve = F.conv1d if self.axes == 1 else F.conv2d
        return convolve(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self.axes:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self.axes:
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text if self.bias is not None else text + ", bias=False"


class Conv1d(Conv):
    """A window of weights slides along rows (N, in, L): each place gives one number for each output channel."""

    axes = 1


class Conv2d(Conv):
    """A window of weights slides over images (N, in, H, W): each place gives one number for each output channel.

    >>> import minigrad as torch
    >>> layer = torch.nn.Conv2d(1, 8, kernel_size=3, padding=1)
    >>> layer, layer(torch.zeros(2, 1, 28, 28)).shape
    (Conv2d(1, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)), torch.Size([2, 8, 28, 28]))
    """

    axes = 2


class MaxPool(Module):
    """What MaxPool1d and MaxPool2d share."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode = padding, dilation, ceil_mode

    def forward(self, input: Any) -> Any:
        pool = F.max_pool1d if isinstance(self, MaxPool1d) else F.max_pool2d
        return pool(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(MaxPool):
    """The largest number in each window of (N, C, L)."""


class MaxPool2d(MaxPool):
    """The largest number in each window of (N, C, H, W).

    >>> import minigrad as torch
    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 8, 28, 28)).shape
    torch.Size([1, 8, 14, 14])
    """


class AvgPool(Module):
    """What AvgPool1d and AvgPool2d share."""

    axes: int

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ):
        super().__init__()
        stride = kernel_size if stride is None else stride
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Any) -> Any:
        pool = F.avg_pool1d if isinstance(self, AvgPool1d) else F.avg_pool2d
        return pool(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(AvgPool):
    """The mean of each window of (N, C, L)."""

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, *args: Any, **kwargs: Any):
        stride = kernel_size if stride is None else stride
        super().__init__(each_axis(kernel_size, 1), each_axis(stride, 1), each_axis(padding, 1), *args, **kwargs)


class AvgPool2d(AvgPool):
    """The mean of each window of (N, C, H, W)."""
