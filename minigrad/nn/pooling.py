"""Pooling: the largest number, or the mean, in each window over rows (1d) or images (2d). Functions, then modules.

Inputs are (N, C, L) or (N, C, H, W); N may be missing. Imports convolution and applied.
Read next: ../ops/convolution.py for the mathematics.
"""

from ..arguments import takes_tensors
from ..compiled import OPERATORS
from ..ops.convolution import Windows
from .applied import Applied
from .convolution import each_axis, windows_over


def _windows(input, kernel, stride, padding, dilation, ceil_mode: bool) -> Windows:
    """The windows of a pool over images; RuntimeErrors in PyTorch's words."""
    kernel = each_axis(kernel, 2, "kernel_size")
    stride = kernel if stride is None else each_axis(stride, 2, "stride")
    padding, dilation = each_axis(padding, 2, "padding"), each_axis(dilation, 2, "dilation")
    if 0 in stride:
        raise RuntimeError("stride should not be zero")
    for name, letter, (h, w) in (
        ("kernel size", "k", kernel),
        ("stride", "d", stride),
        ("dilation", "dilation", dilation),
    ):
        if min(h, w) <= 0:
            raise RuntimeError(f"{name} should be greater than zero, but got {letter}H: {h} {letter}W: {w}")
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if 2 * p > d * (k - 1) + 1:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                f"dilation={d}"
            )
    windows = windows_over(input.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    if min(windows.out) < 1:
        given, made = ("x".join(map(str, (input.shape[1], *n))) for n in (windows.size, windows.out))
        raise RuntimeError(f"Given input size: ({given}). Calculated output size: ({made}). Output size is too small")
    return windows


def _batched(pool, input, *options):
    """A pool of images, or of a single one, made a batch of one for the time being."""
    if input.dim() not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    return pool(input.unsqueeze(0), *options).squeeze(0)


def _row(pool, input, kernel, stride, padding, *options):
    """A pool of rows: of images of height 1."""
    kernel, stride = (1, *each_axis(kernel, 1, "kernel_size")), stride and (1, *each_axis(stride, 1, "stride"))
    return pool(input.unsqueeze(-2), kernel, stride, (0, *each_axis(padding, 1, "padding")), *options).squeeze(-2)


@takes_tensors
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest number in each window of (N, C, H, W); the stride is the kernel size unless given.

    >>> import minigrad as torch
    >>> torch.nn.functional.max_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2)
    tensor([[[[ 5.,  7.],
              [13., 15.]]]])
    """
    if input.dim() != 4:
        return _batched(max_pool2d, input, kernel_size, stride, padding, dilation, ceil_mode)
    windows = _windows(input, kernel_size, stride, padding, dilation, ceil_mode)
    return OPERATORS["max_pool"](input, windows=windows)[0]


@takes_tensors
def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of (N, C, H, W); the stride is the kernel size unless given."""
    if input.dim() != 4:
        return _batched(avg_pool2d, input, kernel_size, stride, padding, ceil_mode, count_include_pad)
    windows = _windows(input, kernel_size, stride, padding, 1, ceil_mode)
    return OPERATORS["avg_pool"](input, windows=windows, margins=count_include_pad)


@takes_tensors
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest number in each window of (N, C, L)."""
    dilation = 1, *each_axis(dilation, 1, "dilation")
    return _row(max_pool2d, input, kernel_size, stride, padding, dilation, ceil_mode)


@takes_tensors
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of (N, C, L)."""
    return _row(avg_pool2d, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


# -- as modules -----------------------------------------------------------------------------------


class Pool(Applied):
    """What all share: the stride is the kernel size unless given."""

    stride: int | tuple[int, ...] | None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.stride = self.kernel_size if self.stride is None else self.stride


class MaxPool1d(Pool):
    """The largest number in each window of (N, C, L)."""

    function = staticmethod(max_pool1d)


class MaxPool2d(Pool):
    """The largest number in each window of (N, C, H, W).

    >>> import minigrad as torch
    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 8, 28, 28)).shape
    torch.Size([1, 8, 14, 14])
    """

    function = staticmethod(max_pool2d)


class AvgPool(Pool):
    """What AvgPool1d and AvgPool2d share."""

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(AvgPool):
    """The mean of each window of (N, C, L)."""

    function = staticmethod(avg_pool1d)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, each_axis(getattr(self, name), 1))


class AvgPool2d(AvgPool):
    """The mean of each window of (N, C, H, W)."""

    function = staticmethod(avg_pool2d)
