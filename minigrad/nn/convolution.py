"""Convolution of rows (1d) and images (2d), and its transpose. First the functions, then the modules.

PyTorch's arguments become `Windows` (../ops/convolution.py, where the formulas are). A size such as `stride`
is an int, or a tuple with one int for each axis. Inputs are (N, C, L) or (N, C, H, W); N may be missing.
Imports linear and padding. Read next: pooling.py.
"""

from collections.abc import Callable
from typing import Any

from .._call.arguments import takes_tensors
from .._call.check import not_implemented
from .._call.operators import OPERATORS
from .._messages.once import warn_once
from ..ops.convolution import Windows
from .linear import Weighted
from .module import unusual
from .padding import pad


def each_axis(value, axes: int, name="value"):
    """One int for each axis, from a single int for all axes or from one for each."""
    out = tuple(value) if isinstance(value, tuple | list) else (value,)
    out = out * axes if len(out) == 1 else out
    if len(out) != axes:
        raise RuntimeError(f"{name} must be one int or {axes}, but got {out}")
    return out


def windows_over(size, kernel, stride, padding, dilation, ceil_mode=False) -> Windows:
    """The windows that fit in images of this size; with `ceil_mode`, also one that extends past the end."""
    out = []
    for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True):
        places = (n + 2 * p - d * (k - 1) - 1 + (s - 1 if ceil_mode else 0)) // s + 1
        if ceil_mode and (places - 1) * s >= n + p:  # the last window must start inside the image or its left padding
            places -= 1
        out.append(places)
    return Windows(tuple(size), kernel, stride, padding, dilation, tuple(out))


def _check_types(kernel: str, refused: str, input, *others) -> None:
    """Raise for a dtype that the kernel doesn't support, and for weights of another dtype."""
    if input._data.dtype.kind in refused and input.dtype.name != "int64":
        raise not_implemented(kernel, input._data.dtype)
    for other in others:
        if other is not None and other.dtype is not input.dtype:
            raise RuntimeError(f"expected scalar type {input.dtype.legacy} but found {other.dtype.legacy}")


def _conv(input, weight, bias, stride, padding, dilation, groups, axes):
    sizes, filter = list(input.shape), list(weight.shape)
    if len(sizes) not in (axes + 1, axes + 2):
        raise RuntimeError(
            f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to conv{axes}d, but got input of size: "
            f"{sizes}"
        )
    if len(sizes) == axes + 1:
        return _conv(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups, axes).squeeze(0)
    if bias is not None and bias.dtype is not input.dtype:
        kinds = [t.dtype.c_name for t in (input, bias)]
        raise RuntimeError(f"Input type ({kinds[0]}) and bias type ({kinds[1]}) should be the same")
    _check_types("slow_conv2d_cpu", "b", input, weight)
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
        if any(n % 2 for n in missing):  # an odd total needs one more zero at the end
            warn_once(
                "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the "
                "input be created",
                stacklevel=4,
            )
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
    if 0 in input.shape[2:] and input.shape[0] and input.shape[1]:
        image = [*sizes[:2], *[1] * (2 - axes), *sizes[2:]]
        raise RuntimeError(f"Only zero batch or zero channel inputs are supported, but got input shape: {image}")
    if bias is None:
        return OPERATORS["correlation"](input, weight, windows=windows, groups=groups)
    return OPERATORS["convolution"](input, weight, bias, windows=windows, groups=groups)


@takes_tensors
def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, L), weight (out channels, C / groups, kernel): (N, out channels, positions).

    Raises RuntimeError unless the numbers of channels agree.

    >>> signal, edge = torch.tensor([[[0.0, 0.0, 1.0, 1.0]]]), torch.tensor([[[-1.0, 1.0]]])
    >>> F.conv1d(signal, edge)
    tensor([[[0., 1., 0.]]])
    """
    return _conv(input, weight, bias, stride, padding, dilation, groups, 1)


@takes_tensors
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, H, W), weight (out channels, C / groups, kernel, kernel): (N, out channels, rows, columns).

    `padding` is the number of zeros around the image, "valid" (none) or "same" (the output has the input's size).

    >>> import minigrad as torch
    >>> torch.nn.functional.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _conv(input, weight, bias, stride, padding, dilation, groups, 2)


def _conv_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, axes):
    sizes, filter = list(input.shape), list(weight.shape)
    if len(sizes) not in (axes + 1, axes + 2):
        raise RuntimeError(
            f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to conv_transpose{axes}d, but got input "
            f"of size: {sizes}"
        )
    if len(sizes) == axes + 1:
        options = stride, padding, output_padding, groups, dilation, axes
        return _conv_transposed(input.unsqueeze(0), weight, bias, *options).squeeze(0)
    stride, dilation = each_axis(stride, axes, "stride"), each_axis(dilation, axes, "dilation")
    padding, more = each_axis(padding, axes, "padding"), each_axis(output_padding, axes, "output_padding")
    if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation, strict=True)):
        raise RuntimeError(
            f"output padding must be smaller than either stride or dilation, but got output_padding_height: {more[0]} "
            f"output_padding_width: {more[-1]} stride_height: {stride[0]} stride_width: {stride[-1]} dilation_height: "
            f"{dilation[0]} dilation_width: {dilation[-1]}"
        )
    if sizes[1] != filter[0]:
        raise RuntimeError(
            f"Given transposed=1, weight of size {filter}, expected input{sizes} to have {filter[0]} channels, but got "
            f"{sizes[1]} channels instead"
        )
    _check_types("slow_conv_transpose2d_out_cpu", "bui", input, weight, bias)
    places = tuple(sizes[2:])
    along = zip(places, filter[2:], stride, padding, dilation, more, strict=True)
    size = tuple((n - 1) * s - 2 * p + d * (k - 1) + m + 1 for n, k, s, p, d, m in along)
    windows = Windows(size, tuple(filter[2:]), stride, padding, dilation, places)
    if bias is None:
        return OPERATORS["correlation_transposed"](input, weight, windows=windows, groups=groups)
    return OPERATORS["conv_transposed"](input, weight, bias, windows=windows, groups=groups)


@takes_tensors
def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of `conv1d`: input (N, C, L), weight (C, out channels / groups, kernel). Mostly makes rows longer.

    >>> F.conv_transpose1d(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[1.0, 10.0]]]), stride=2)
    tensor([[[ 1., 10.,  2., 20.]]])
    """
    return _conv_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 1)


@takes_tensors
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of `conv2d`: input (N, C, H, W), weight (C, out channels / groups, kernel, kernel).

    Every element of the input spreads the weights over its window. `output_padding` adds elements at the end.

    >>> F.conv_transpose2d(torch.ones(1, 3, 4, 4), torch.ones(3, 8, 2, 2), stride=2).shape
    torch.Size([1, 8, 8, 8])
    """
    return _conv_transposed(input, weight, bias, stride, padding, output_padding, groups, dilation, 2)


# -- as modules -----------------------------------------------------------------------------------


class ConvBase(Weighted):
    """Base of convolutions and their transposes: `weight` (out, in / groups, kernel …) and `bias` (out)."""

    axes: int
    function: Callable[..., Any]
    transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        output_padding,
        dilation,
        groups,
        bias,
        padding_mode,
        device,
        dtype,
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
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {set(modes)}, but got padding_mode='{padding_mode}'")
        sides = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        size = sides[0], sides[1] // groups, *kernel
        super().__init__(*size, bias=bias, out=out_channels, device=device, dtype=dtype)
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.output_padding, self.padding_mode = each_axis(output_padding, self.axes), padding_mode

    def extra_repr(self) -> str:
        none = (0,) * self.axes
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        text += unusual(self, padding=none, dilation=(1,) * self.axes, output_padding=none, groups=1)
        text += "" if self.bias is not None else ", bias=False"
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class Conv(ConvBase):
    """Base of Conv1d and Conv2d."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        options = stride, padding, 0, dilation, groups, bias, padding_mode, device, dtype
        super().__init__(in_channels, out_channels, kernel_size, *options)

    def forward(self, input):
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = pad(input, self._margins(), mode=self.padding_mode), 0
        return self.function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _margins(self):
        """The padding in the order of F.pad's argument."""
        if self.padding == "same":
            missing = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
        else:
            missing = [2 * p for p in each_axis(0 if self.padding == "valid" else self.padding, self.axes)]
        return tuple(m for n in reversed(missing) for m in (n // 2, n - n // 2))


class ConvTranspose(ConvBase):
    """Base of the transposed convolutions: `weight` (in, out / groups, kernel …) and `bias` (out)."""

    transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        options = stride, padding, output_padding, dilation, groups, bias, padding_mode, device, dtype
        super().__init__(in_channels, out_channels, kernel_size, *options)

    def forward(self, input, output_size=None):
        more = self.output_padding if output_size is None else self._missing(input, output_size)
        options = self.stride, self.padding, more, self.groups, self.dilation
        return self.function(input, self.weight, self.bias, *options)

    def _missing(self, input, output_size):
        """The output_padding that gives this size; ValueError if none does."""
        n = self.axes
        if len(output_size) == input.dim():
            output_size = output_size[-n:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {input.dim()}D input, output_size must have {n} or {input.dim()} elements "
                f"(got {len(output_size)})"
            )
        along = zip(input.shape[-n:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True)
        low = [(size - 1) * s - 2 * p + d * (k - 1) + 1 for size, s, p, d, k in along]
        high = [a + s - 1 for a, s in zip(low, self.stride, strict=True)]
        if any(not a <= size <= b for a, size, b in zip(low, output_size, high, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {low} to {high} (for an input "
                f"of {input.size()[2:]})"
            )
        return tuple(size - a for size, a in zip(output_size, low, strict=True))


class Conv1d(Conv):
    """A window of weights slides along rows (N, in, L): each position gives one number for each output channel."""

    axes, function = 1, staticmethod(conv1d)


class Conv2d(Conv):
    """A window of weights slides over images (N, in, H, W): each position gives one number for each output channel.

    >>> import minigrad as torch
    >>> layer = torch.nn.Conv2d(1, 8, kernel_size=3, padding=1)
    >>> layer, layer(torch.zeros(2, 1, 28, 28)).shape
    (Conv2d(1, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)), torch.Size([2, 8, 28, 28]))
    """

    axes, function = 2, staticmethod(conv2d)


class ConvTranspose1d(ConvTranspose):
    """The transpose of Conv1d, from (N, in, positions) to rows (N, out, L)."""

    axes, function = 1, staticmethod(conv_transpose1d)


class ConvTranspose2d(ConvTranspose):
    """The transpose of Conv2d, from (N, in, rows, columns) to images (N, out, H, W): it makes images larger.

    >>> import minigrad as torch
    >>> torch.nn.ConvTranspose2d(8, 1, 2, stride=2)(torch.zeros(1, 8, 7, 7)).shape
    torch.Size([1, 1, 14, 14])
    """

    axes, function = 2, staticmethod(conv_transpose2d)
