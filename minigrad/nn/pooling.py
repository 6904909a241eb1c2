"""Pooling: the maximum or the mean of each window over rows (1d) or images (2d). First the functions, then modules.

Inputs are (N, C, L) or (N, C, H, W); N may be missing. Imports convolution and applied.
Read next: ../ops/convolution.py and ../ops/resampling.py, for the formulas.
"""

from .._call.arguments import takes_tensors
from .._call.check import floats_only
from .._call.operators import OPERATORS
from .._tensors.creation import arange
from ..ops.convolution import Windows
from .applied import Applied
from .convolution import each_axis, windows_over


def _windows(input, kernel, stride, padding, dilation, ceil_mode: bool) -> Windows:
    """The windows of a pool over images; wrong arguments raise PyTorch's RuntimeErrors."""
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
    if input.dim() not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    if 0 in input.shape[1 if input.dim() == 4 else 0 :]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(input.shape)}"
        )
    windows = windows_over(input.shape[-2:], kernel, stride, padding, dilation, ceil_mode)
    if min(windows.out) < 1:
        given, made = ("x".join(map(str, (input.shape[-3], *n))) for n in (windows.size, windows.out))
        raise RuntimeError(f"Given input size: ({given}). Calculated output size: ({made}). Output size is too small")
    return windows


def _each(change, out):
    """Apply `change` to the output, or to output and indices."""
    return tuple(map(change, out)) if isinstance(out, tuple) else change(out)


def _row(pool, input, kernel, stride, padding, *options):
    """Pool rows as images of height 1."""
    kernel, stride = (1, *each_axis(kernel, 1, "kernel_size")), stride and (1, *each_axis(stride, 1, "stride"))
    out = pool(input.unsqueeze(-2), kernel, stride, (0, *each_axis(padding, 1, "padding")), *options)
    return _each(lambda out: out.squeeze(-2), out)


@takes_tensors
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window of (N, C, H, W); the default stride is the kernel size.

    `return_indices` returns a pair: the maxima, and their positions in the image, counted row by row.

    >>> import minigrad as torch
    >>> torch.nn.functional.max_pool2d(torch.arange(16.0).view(1, 1, 4, 4), 2)
    tensor([[[[ 5.,  7.],
              [13., 15.]]]])
    """
    windows = _windows(input, kernel_size, stride, padding, dilation, ceil_mode)
    largest, which = OPERATORS["max_pool"](input, windows=windows)
    return (largest, _places(which, windows)) if return_indices else largest


def _places(which, windows: Windows):
    """Convert positions inside windows, `which` (N, C, rows, columns), to positions in the image: int64."""
    width = windows.kernel[1]
    place = 0
    for axis, inside in ((0, which // width), (1, which % width)):
        corner = arange(windows.out[axis], device=which.device) * windows.stride[axis] - windows.padding[axis]
        corner = corner if axis else corner.unsqueeze(1)
        place = place * windows.size[axis] + corner + inside.long() * windows.dilation[axis]
    return place


@takes_tensors
def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """The mean of each window of (N, C, H, W); the default stride is the kernel size.

    `divisor_override` divides the sums by this number instead of the number of elements.

    >>> x = torch.ones(1, 1, 2, 2, requires_grad=True)
    >>> F.avg_pool2d(x, 2).sum().backward()
    >>> x.grad  # shared out evenly
    tensor([[[[0.2500, 0.2500],
              [0.2500, 0.2500]]]])
    """
    windows = _windows(input, kernel_size, stride, padding, 1, ceil_mode)
    if input.dtype.name != "int64":
        floats_only("avg_pool2d", input)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    return OPERATORS["avg_pool"](input, windows=windows, margins=count_include_pad, divisor=divisor_override)


@takes_tensors
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The maximum of each window of (N, C, L). Raises RuntimeError if no window fits.

    >>> x = torch.tensor([[[1.0, 3.0, 7.0, 5.0]]], requires_grad=True)
    >>> F.max_pool1d(x, 2).sum().backward()
    >>> x.grad  # all of it to the largest
    tensor([[[0., 1., 1., 0.]]])
    """
    if not return_indices:
        floats_only("max_pool1d_impl", input)
    dilation = 1, *each_axis(dilation, 1, "dilation")
    return _row(max_pool2d, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@takes_tensors
def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window of (N, C, L). Raises RuntimeError if no window fits.

    >>> F.avg_pool1d(torch.tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2)
    tensor([[[2., 6.]]])
    """
    return _row(avg_pool2d, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def _adaptive(input, output_size, axes: int, name: str):
    """The output sizes, where None means the input's size; wrong arguments raise PyTorch's errors."""
    if input.dim() not in (axes + 1, axes + 2):
        raise RuntimeError(f"{name}(): Expected {axes + 1}D or {axes + 2}D tensor, but got {list(input.shape)}")
    for dim in range(input.dim() - axes, input.dim()):
        if not input.shape[dim]:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                f"{list(input.shape)} with dimension {dim} being empty"
            )
    wanted = each_axis(output_size, axes, "output_size")
    return [n if want is None else want for want, n in zip(wanted, input.shape[-axes:], strict=True)]


def _adaptive_avg(input, output_size, axes: int, name: str):
    size = tuple(_adaptive(input, output_size, axes, name))
    if axes == 1:
        return _adaptive_images(input.unsqueeze(-2), (1, *size)).squeeze(-2)
    return _adaptive_images(input, size)


def _adaptive_images(input, size):
    return input.mean((-1, -2), keepdim=True) if size == (1, 1) else OPERATORS["adaptive_avg_pool"](input, size=size)


@takes_tensors
def adaptive_avg_pool1d(input, output_size):
    """The means of `output_size` windows that cover the rows (N, C, L).

    >>> F.adaptive_avg_pool1d(torch.tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2)
    tensor([[[2., 6.]]])
    """
    return _adaptive_avg(input, output_size, 1, "adaptive_avg_pool1d")


@takes_tensors
def adaptive_avg_pool2d(input, output_size):
    """The means of (height, width) windows that cover the images (N, C, H, W), for images of any size.

    >>> import minigrad as torch
    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(9.0).view(1, 1, 3, 3), (1, 2))
    tensor([[[[3.5000, 4.5000]]]])
    """
    return _adaptive_avg(input, output_size, 2, "adaptive_avg_pool2d")


def _adaptive_max(input, output_size, axes: int, return_indices: bool):
    size = tuple(_adaptive(input, output_size, axes, f"adaptive_max_pool{axes}d"))
    if negative := [n for n in size if n < 0]:
        shape = [*input.shape[:-axes], *[1] * (2 - axes), *size]  # PyTorch prints rows as images too
        raise RuntimeError(f"Trying to create tensor with negative dimension {negative[0]}: {shape}")
    if axes == 1:
        largest, which = OPERATORS["adaptive_max_pool"](input.unsqueeze(-2), size=(1, *size))
        largest, which = largest.squeeze(-2), which.squeeze(-2)
    else:
        largest, which = OPERATORS["adaptive_max_pool"](input, size=size)
    return (largest, which) if return_indices else largest


@takes_tensors
def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The maxima of `output_size` windows that cover the rows (N, C, L).

    >>> F.adaptive_max_pool1d(torch.tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2)
    tensor([[[3., 7.]]])
    """
    return _adaptive_max(input, output_size, 1, return_indices)


@takes_tensors
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The maxima of (height, width) windows that cover the images (N, C, H, W).

    >>> F.adaptive_max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), (2, 1))
    tensor([[[[ 7.],
              [15.]]]])
    """
    return _adaptive_max(input, output_size, 2, return_indices)


# -- as modules -----------------------------------------------------------------------------------


class Pool(Applied):
    """Base of the pools: the default stride is the kernel size."""

    stride: int | tuple[int, ...] | None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.stride = self.kernel_size if self.stride is None else self.stride


class MaxPool(Pool):
    """Base of MaxPool1d and MaxPool2d."""

    settings = "kernel_size stride padding dilation return_indices ceil_mode"

    def extra_repr(self) -> str:
        shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
        return ", ".join(f"{name}={getattr(self, name)}" for name in shown)


class MaxPool1d(MaxPool):
    """The maximum of each window of (N, C, L)."""

    function = staticmethod(max_pool1d)


class MaxPool2d(MaxPool):
    """The maximum of each window of (N, C, H, W).

    >>> import minigrad as torch
    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 8, 28, 28)).shape
    torch.Size([1, 8, 14, 14])
    """

    function = staticmethod(max_pool2d)


class AvgPool(Pool):
    """Base of AvgPool1d and AvgPool2d."""

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


class AdaptivePool(Applied):
    """Base of the adaptive pools: the output size is fixed, for inputs of any size."""

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(AdaptivePool):
    """The means of `output_size` windows that cover the rows (N, C, L)."""

    function = staticmethod(adaptive_avg_pool1d)


class AdaptiveAvgPool2d(AdaptivePool):
    """The means of windows that cover the images (N, C, H, W): the output has one size for images of any size.

    >>> import minigrad as torch
    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(2, 8, 5, 7)).shape
    torch.Size([2, 8, 1, 1])
    """

    function = staticmethod(adaptive_avg_pool2d)


class AdaptiveMaxPool1d(AdaptivePool):
    """The maxima of `output_size` windows that cover the rows (N, C, L)."""

    function = staticmethod(adaptive_max_pool1d)


class AdaptiveMaxPool2d(AdaptivePool):
    """The maxima of windows that cover the images (N, C, H, W)."""

    function = staticmethod(adaptive_max_pool2d)
